/* Expressions from text: recursive descent, one function per rank of operators. Own code, because
 * it checks dimensions while it reads, knows numbers with units, missing values and names of
 * columns, and says where in the text something is wrong; expression libraries (muParser, tinyexpr)
 * have none of these. */
#include "../units/units.h"
#include "expression_parser.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 64 };

static bool parse_or(omr_parser *p, omr_part *out);
static bool parse_sum(omr_parser *p, omr_part *out);

static bool combine(omr_parser *p, operation operation, const omr_part *left, const omr_part *right,
                    omr_part *out) {
  const omr_expression_node node = {
      .operation = operation, .left = left->node, .right = right ? right->node : left->node};
  out->gram = false;
  return omr_parser_append(p, node, out);
}

static bool require_number(omr_parser *p, const char *at, const omr_part *of) {
  return !of->truth || omr_parser_refuse(p, at, "a number is expected, here is a condition");
}

static bool require_condition(omr_parser *p, const char *at, const omr_part *of) {
  if (of->truth) return true;
  return omr_parser_refuse(p, at,
                           "a condition is expected, here is a number: compare it with a limit, as "
                           "in \"max_slip > 0.1 m/s\"");
}

/* "2 g" is an acceleration where it meets one. */
static void read_gravity(omr_parser *p, omr_part *gram, const omr_part *other) {
  static const omr_dimension acceleration = {{0, 2, -4}};
  if (!gram->gram || other->measure.bare ||
      !omr_dimension_equal(other->measure.dimension, acceleration, true))
    return;
  p->expression->nodes[gram->node].number *= 1000;
  p->expression->nodes[gram->node].number *= 9.80665;
  gram->measure.dimension = acceleration;
}

static bool join(omr_parser *p, const char *at, omr_part *left, omr_part *right, omr_part *out) {
  read_gravity(p, left, right);
  read_gravity(p, right, left);
  if (omr_measure_join(&left->measure, &right->measure, &out->measure)) return true;
  return omr_parser_refuse(p, at, "a quantity in \"%s\" and one in \"%s\" do not go together",
                           left->measure.unit, right->measure.unit);
}

/* FUNCTIONS */

typedef enum arguments { ONE, PURE, TWO, ANY } arguments;
typedef enum outcome { SAME, ROOT_OF, A_NUMBER, AN_ANGLE } outcome;

typedef struct function {
  const char *name;
  operation operation;
  arguments takes;
  outcome gives;
} function;

static const function functions[] = {
#define X(name, operation, takes, gives, meaning) {name, operation, takes, gives},
#include "../../lists/functions.def"
#undef X
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

/* "(a, b, ...)"; the first argument is left in *out, further ones are joined to it. */
static bool parse_arguments(omr_parser *p, const function *f, omr_part *out) {
  const int least = f->takes >= TWO ? 2 : 1, most = f->takes == ANY ? INT_MAX : least;
  int count = 0;
  do {
    /* Each argument is a number, and no more of them come than the function takes. */
    omr_part argument = {0};
    omr_parser_skip(p);
    const char *start = p->at;
    if (!parse_sum(p, &argument) || !require_number(p, start, &argument)) return false;
    if (++count > most)
      return omr_parser_refuse(p, start, "%s has %s", f->name,
                               most == 1 ? "one argument" : "two arguments");
    if (f->takes == PURE && !omr_measure_is_angle(&argument.measure))
      return omr_parser_refuse(p, start,
                               "%s takes an angle or a pure number, here is a quantity in \"%s\"",
                               f->name, argument.measure.unit);

    /* The second argument and each one after it join the result so far. */
    if (count == 1) {
      *out = argument;
      continue;
    }
    omr_part before = *out;
    if (!join(p, start, &before, &argument, out) ||
        !combine(p, f->operation, &before, &argument, out))
      return false;
  } while (omr_parser_take(p, ","));

  /* The list ends with its bracket, and with enough arguments. */
  if (!omr_parser_take(p, ")")) return omr_parser_refuse(p, p->at, "\")\" is missing");
  return count >= least || omr_parser_refuse(p, p->at, "%s needs %s two arguments", f->name,
                                             f->takes == ANY ? "at least" : "its");
}

static bool fail_function(omr_parser *p, const char *start, const char *name) {
  char list[300] = "";
  for (int i = 0; i < FUNCTIONS; i++)
    omr_print_more(list, sizeof list, "%s%s", i ? ", " : "", functions[i].name);
  return omr_parser_refuse(p, start, "there is no function \"%.200s\"; there are %s", name, list);
}

/* The unit of the function's result, where it differs from the unit of its argument. */
static bool give_unit(omr_parser *p, const char *start, const function *f, omr_part *out) {
  const omr_part argument = *out;
  char *message = NULL;
  out->gram = false;
  if (f->gives == SAME) return true;
  if (f->gives == ROOT_OF)
    return omr_measure_root(&argument.measure, &out->measure) ||
           omr_parser_refuse(p, start, "the square root of a quantity in \"%s\" has no unit",
                             argument.measure.unit);
  return omr_measure_of_unit(f->gives == AN_ANGLE && !p->names->bare ? "rad" : "1", &out->measure,
                             &message) ||
         omr_parser_fail_memory(p);
}

static bool parse_function(omr_parser *p, size_t length, omr_part *out) {
  const char *start = p->at;
  const function *f = NULL;
  char name[64];
  snprintf(name, sizeof name, "%.*s", (int)length, start);
  for (int i = 0; i < FUNCTIONS && !f; i++)
    if (strcmp(name, functions[i].name) == 0) f = &functions[i];
  if (!f) return fail_function(p, start, name);
  p->at += length;
  if (!omr_parser_take(p, "(") || !parse_arguments(p, f, out)) return false;
  if (f->takes < TWO) {
    const omr_part argument = *out;
    if (!combine(p, f->operation, &argument, NULL, out)) return false;
  }
  return give_unit(p, start, f, out);
}

/* RANKS, from the tightest */

static bool parse_primary(omr_parser *p, omr_part *out) {
  *out = (omr_part){0};
  omr_parser_skip(p);
  const size_t digits = omr_number_length(p->at), length = omr_identifier_length(p->at);
  if (digits > 0) return omr_parse_number(p, digits, out);
  if (length > 0)
    return p->at[length + strspn(p->at + length, " \t")] == '(' ? parse_function(p, length, out)
                                                                : omr_parse_name(p, length, out);
  if (omr_parser_take(p, "("))
    return parse_or(p, out) &&
           (omr_parser_take(p, ")") || omr_parser_refuse(p, p->at, "\")\" is missing"));
  return omr_parser_refuse(
      p, p->at, *p->at ? "a name, a number or \"(\" is expected" : "something is missing");
}

static bool parse_factor(omr_parser *p, omr_part *out) {
  if (!omr_parser_take(p, "-")) return parse_primary(p, out);
  omr_part operand;
  const char *start = p->at;
  if (++p->depth > DEEPEST) return omr_parser_refuse(p, start, "too deeply nested");
  if (!parse_factor(p, &operand) || !require_number(p, start, &operand)) return false;
  p->depth--;
  *out = operand;
  return combine(p, NEGATE, &operand, NULL, out);
}

static bool parse_product(omr_parser *p, omr_part *out) {
  omr_parser_skip(p);
  const char *start = p->at;

  /* The first factor stands before the loop; every turn takes one more. */
  if (!parse_factor(p, out)) return false;
  for (;;) {

    /* Both sides are numbers of one dimension. */
    omr_part left = *out, right;
    const bool times = omr_parser_take(p, "*");
    if (!times && !omr_parser_take(p, "/")) return true;
    if (*p->at == '*')
      return omr_parser_refuse(p, p->at - 1,
                               "there are no powers: write the product x * x, or sqrt(x)");

    /* Both sides of the sign have to be numbers. */
    omr_parser_skip(p);
    const char *at = p->at;
    if (!parse_factor(p, &right) || !require_number(p, start, &left) ||
        !require_number(p, at, &right))
      return false;

    /* Their units multiply as the numbers do. */
    if (!omr_measure_times(&left.measure, &right.measure, times ? 1 : -1, &out->measure))
      return omr_parser_refuse(p, at, "the unit's exponents are too large");
    if (!combine(p, times ? MULTIPLY : DIVIDE, &left, &right, out)) return false;
  }
}

static bool parse_terms(omr_parser *p, omr_part *out) {
  omr_parser_skip(p);
  const char *start = p->at;
  if (!parse_product(p, out)) return false;
  for (;;) {
    omr_part left = *out, right;
    const bool plus = omr_parser_take(p, "+");
    if (!plus && !omr_parser_take(p, "-")) return true;
    omr_parser_skip(p);
    const char *at = p->at;
    if (!parse_product(p, &right) || !require_number(p, start, &left) ||
        !require_number(p, at, &right))
      return false;
    if (!join(p, at, &left, &right, out) || !combine(p, plus ? ADD : SUBTRACT, &left, &right, out))
      return false;
  }
}

/* Every bracket comes through here, so that the depth is counted here. */
static bool parse_sum(omr_parser *p, omr_part *out) {
  if (++p->depth > DEEPEST) return omr_parser_refuse(p, p->at, "too deeply nested");
  const bool good = parse_terms(p, out);
  p->depth--;
  return good;
}

/* The comparison that stands here; NUMBER where there is none. */
static operation take_comparison(omr_parser *p) {
  static const struct {
    const char *sign;
    operation operation;
  } signs[] = {{"<=", LESS_EQUAL}, {">=", GREATER_EQUAL}, {"==", EQUAL},
               {"!=", NOT_EQUAL},  {"<", LESS},           {">", GREATER}};
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
    if (omr_parser_take(p, signs[i].sign)) return signs[i].operation;
  return NUMBER;
}

static bool parse_comparison(omr_parser *p, omr_part *out) {
  omr_parser_skip(p);
  const char *start = p->at;
  if (!parse_sum(p, out)) return false;

  /* A sum without a comparison is a number. */
  const operation operation = take_comparison(p);
  if (operation == NUMBER && *p->at == '=')
    return omr_parser_refuse(p, p->at, "write == to compare");
  if (operation == NUMBER) return true;
  omr_part left = *out, right;
  omr_parser_skip(p);
  const char *at = p->at;
  if (!require_number(p, start, &left) || !parse_sum(p, &right) || !require_number(p, at, &right))
    return false;
  if (!join(p, at, &left, &right, out) || !combine(p, operation, &left, &right, out)) return false;
  out->truth = true;

  /* A second comparison would compare a condition. */
  omr_parser_skip(p);
  const char *next = p->at;
  if (take_comparison(p) == NUMBER) return true;
  return omr_parser_refuse(p, next, "comparisons do not follow each other: write a < b && b < c");
}

static bool parse_not(omr_parser *p, omr_part *out) {
  omr_parser_skip(p);
  if (p->at[0] != '!' || p->at[1] == '=') return parse_comparison(p, out);
  omr_part operand;
  const char *start = ++p->at;
  if (++p->depth > DEEPEST) return omr_parser_refuse(p, start, "too deeply nested");
  if (!parse_not(p, &operand) || !require_condition(p, start, &operand)) return false;
  p->depth--;
  *out = operand;
  return combine(p, NOT, &operand, NULL, out);
}

typedef bool parse_rank(omr_parser *p, omr_part *out);

/* One or more of the next rank, joined by a sign. */
static bool parse_logical(omr_parser *p, const char *sign, operation operation, parse_rank *next,
                          omr_part *out) {
  omr_parser_skip(p);
  const char *start = p->at;
  if (!next(p, out)) return false;
  while (omr_parser_take(p, sign)) {
    omr_part left = *out, right;
    omr_parser_skip(p);
    const char *at = p->at;
    if (!require_condition(p, start, &left) || !next(p, &right) ||
        !require_condition(p, at, &right))
      return false;
    if (!combine(p, operation, &left, &right, out)) return false;
  }
  return true;
}

static bool parse_and(omr_parser *p, omr_part *out) {
  return parse_logical(p, "&&", AND, parse_not, out);
}

static bool parse_or(omr_parser *p, omr_part *out) {
  return parse_logical(p, "||", OR, parse_and, out);
}

/* WHOLE */

static bool parse_whole(omr_parser *p, omr_part *out) {
  omr_parser_skip(p);
  if (!*p->at)
    return omr_parser_refuse(p, p->at,
                             "the criterion is empty; for example \"max_slip > 0.1 m/s\"");

  /* The whole text is one condition or one number. */
  if (!parse_or(p, out)) return false;
  omr_parser_skip(p);
  if (!*p->at) return true;

  /* Whatever is left gets the remedy that fits it best. */
  if (*p->at == ')') return omr_parser_refuse(p, p->at, "\")\" without \"(\"");
  if (*p->at == '&' || *p->at == '|')
    return omr_parser_refuse(p, p->at, "write %c%c", *p->at, *p->at);
  const size_t length = omr_identifier_length(p->at);
  if (length == 3 && strncmp(p->at, "and", 3) == 0)
    return omr_parser_refuse(p, p->at, "write && for \"and\"");
  if (length == 2 && strncmp(p->at, "or", 2) == 0)
    return omr_parser_refuse(p, p->at, "write || for \"or\"");
  if (omr_measure_known(p->at, p->names))
    return omr_parser_refuse(p, p->at, "an operator is missing before this");
  return omr_parser_refuse(p, p->at, "an operator is expected: + - * / < <= > >= == != && ||");
}

static bool list_columns(omr_parser *p) {
  omr_expression *e = p->expression;
  e->columns = calloc(e->count + 1, sizeof *e->columns);
  if (!e->columns) return omr_parser_fail_memory(p);
  for (size_t i = 0; i < e->count; i++)
    if (e->nodes[i].operation == COLUMN) e->columns[e->column_count++] = e->nodes[i].column;
  e->column_count = omr_sort_once(e->columns, e->column_count);
  return true;
}

omr_status omr_expression_parse(const char *text, const omr_names *names,
                                omr_expression **expression, omr_error *error) {
  omr_part whole = {0};
  omr_parser p = {.text = text,
                  .at = text,
                  .names = names,
                  .error = error,
                  .expression = calloc(1, sizeof *p.expression)};
  *expression = NULL;

  /* The result is given away only when the whole text was read. */
  if (!p.expression || names->failed || !(p.expression->text = strdup(text)))
    omr_parser_fail_memory(&p);
  else if (parse_whole(&p, &whole) && list_columns(&p)) {
    p.expression->truth = whole.truth;
    if (!whole.truth)
      snprintf(p.expression->unit, sizeof p.expression->unit, "%s",
               whole.measure.bare ? "1" : whole.measure.unit);
    *expression = p.expression;
    return OMR_OK;
  }

  /* A mistake frees everything that was made. */
  omr_expression_destroy(p.expression);
  return p.status;
}

omr_status omr_criteria_read(const omr_statistics_settings *settings, size_t count,
                             omr_names *names, omr_expression **criteria, omr_error *error) {
  for (size_t i = 0; i < count; i++) {
    const omr_criterion_text *criterion = &settings->criteria[i];
    const omr_status status = omr_expression_parse(criterion->text, names, &criteria[i], error);
    if (status != OMR_OK) return status;
    omr_names_add_criterion(names, criterion->name, criteria[i]);
  }
  return names->failed ? omr_fail(error, OMR_ERR_MEMORY, "out of memory for the criteria") : OMR_OK;
}

void omr_criteria_free(omr_expression **criteria, size_t count) {
  for (size_t i = 0; criteria && i < count; i++) omr_expression_destroy(criteria[i]);
  free(criteria);
}
