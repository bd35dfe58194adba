/* Expressions from text: recursive descent, one function per rank of operators. Own code, because
 * it checks dimensions while it reads, knows numbers with units, missing values and names of
 * columns, and says where in the text something is wrong; expression libraries (muParser, tinyexpr)
 * have none of these. */
#include "../../lists/frames.h"
#include "expression_nodes.h"
#include "expression_units.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 64, MOST_NODES = 4096 };

/* A part that has been read: its last node, its unit and its type. */
typedef struct part {
  size_t node;
  bool truth;
  omr_measure measure;
  bool gram; /* a number of grams written "g", which is standard gravity where an acceleration is
                needed */
} part;

typedef struct parser {
  const char *text, *at;
  const omr_names *names;
  omr_expression *expression;
  omr_error *error;
  int depth;
  omr_status status; /* of the first failure */
} parser;

static bool parse_or(parser *p, part *out);
static bool parse_sum(parser *p, part *out);

/* Characters before a place, not bytes. */
static int characters(const char *text, const char *at) {
  int count = 0;
  for (; text < at; text++) count += ((unsigned char)*text & 0xc0U) != 0x80U;
  return count;
}

static bool refuse(parser *p, const char *at, const char *format, ...) OMR_PRINTF(3, 4);

static bool refuse(parser *p, const char *at, const char *format, ...) {
  char sentence[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(sentence, sizeof sentence, format, args);
  va_end(args);
  if (p->status != OMR_OK) return false;
  if (*at)
    p->status = omr_fail(p->error, OMR_ERR_STUDY, "\"%.200s\", at character %d: %s", p->text,
                         characters(p->text, at) + 1, sentence);
  else
    p->status = omr_fail(p->error, OMR_ERR_STUDY, "\"%.200s\", at the end: %s", p->text, sentence);
  return false;
}

static bool fail_memory(parser *p) {
  if (p->status == OMR_OK)
    p->status = omr_fail(p->error, OMR_ERR_MEMORY, "out of memory while reading a criterion");
  return false;
}

static void skip_space(parser *p) {
  p->at += strspn(p->at, " \t\n");
}

/* Reads the sign if it stands here. */
static bool take(parser *p, const char *sign) {
  skip_space(p);
  if (strncmp(p->at, sign, strlen(sign)) != 0) return false;
  p->at += strlen(sign);
  return true;
}

static bool append(parser *p, omr_expression_node node, part *out) {
  if (p->expression->count >= MOST_NODES) return refuse(p, p->at, "the criterion is too long");
  if (!omr_expression_append(p->expression, node)) return fail_memory(p);
  out->node = p->expression->count - 1;
  return true;
}

static bool combine(parser *p, operation operation, const part *left, const part *right,
                    part *out) {
  const omr_expression_node node = {
      .operation = operation, .left = left->node, .right = right ? right->node : left->node};
  out->gram = false;
  return append(p, node, out);
}

static bool require_number(parser *p, const char *at, const part *of) {
  return !of->truth || refuse(p, at, "a number is expected, here is a condition");
}

static bool require_condition(parser *p, const char *at, const part *of) {
  if (of->truth) return true;
  return refuse(p, at,
                "a condition is expected, here is a number: compare it with a limit, as in "
                "\"max_slip > 0.1 m/s\"");
}

/* "2 g" is an acceleration where it meets one. */
static void read_gravity(parser *p, part *gram, const part *other) {
  static const omr_dimension acceleration = {{0, 2, -4}};
  if (!gram->gram || other->measure.bare ||
      !omr_dimension_equal(other->measure.dimension, acceleration, true))
    return;
  p->expression->nodes[gram->node].number *= 1000;
  p->expression->nodes[gram->node].number *= 9.80665;
  gram->measure.dimension = acceleration;
}

static bool join(parser *p, const char *at, part *left, part *right, part *out) {
  read_gravity(p, left, right);
  read_gravity(p, right, left);
  if (omr_measure_join(&left->measure, &right->measure, &out->measure)) return true;
  return refuse(p, at, "a quantity in \"%s\" and one in \"%s\" do not go together",
                left->measure.unit, right->measure.unit);
}

/* NUMBERS */

static size_t digits_at(const char *text) {
  return strspn(text, "0123456789");
}

static size_t number_length(const char *text) {
  size_t whole = digits_at(text), length = whole, fraction = 0;
  if (text[length] == '.') {
    fraction = digits_at(text + length + 1);
    length += 1 + fraction;
  }
  if (whole + fraction == 0) return 0;
  if (text[length] == 'e' || text[length] == 'E') {
    const size_t sign = text[length + 1] == '+' || text[length + 1] == '-',
                 digits = digits_at(text + length + 1 + sign);
    if (digits > 0) length += 1 + sign + digits;
  }
  return length;
}

static bool parse_number(parser *p, size_t digits, part *out) {
  const char *start = p->at, *unit = start + digits + strspn(start + digits, " \t");
  const size_t length = omr_measure_unit_length(unit, p->names);

  /* A number and its unit make one quantity in SI units. */
  double value = 0;
  char *message = NULL;
  if (!omr_measure_quantity(start, digits, unit, length, &value, &out->measure, &message)) {
    if (!message) return fail_memory(p);
    refuse(p, start, "%s", message);
    free(message);
    return false;
  }
  if (!isfinite(value)) return refuse(p, start, "the number is too large");

  /* A unit that is also a name after a division could mean either. */
  int name;
  if (length && omr_measure_is_ambiguous(unit + length, p->names, &name))
    return refuse(p, unit + length + 1,
                  "\"%.*s\" is a unit, and the name of a number here: write \"%.*s / %.*s\" with "
                  "spaces to divide by that number, \"%.*s %.*s-1\" for the unit, or rename it",
                  name, unit + length + 1, (int)length, unit, name, unit + length + 1, (int)length,
                  unit, name, unit + length + 1);

  /* The quantity becomes a node of the expression. */
  p->at = length ? unit + length : start + digits;
  out->truth = false;
  out->gram = length == 1 && *unit == 'g';
  return append(p, (omr_expression_node){.operation = NUMBER, .number = value}, out);
}

/* NAMES */

/* "path_length, wheel_friction, status": as many as there is room for. */
static void list_names(const omr_names *names, char *list, size_t size) {
  size_t length = 0;
  for (size_t i = 0; i < names->count; i++) {
    const char *name = names->list[i].name;
    if (names->list[i].absent || !name) continue;
    if (length + strlen(name) + 32 > size) {
      length += (size_t)snprintf(list + length, size - length, "..., ");
      break;
    }
    length += (size_t)snprintf(list + length, size - length, "%s, ", name);
  }
  if (!names->of_system) snprintf(list + length, size - length, "status");
  if (names->of_system && length >= 2) list[length - 2] = '\0';
}

static bool has_name(const omr_names *names, const char *name) {
  const omr_name *found = omr_names_find(names, name);
  return found && !found->absent;
}

/* A column of the study or result, and the observable that another frame calls so. */
static const char *named_here(const omr_names *names, const char *name, bool *negated) {
  for (int i = 0; i < OMR_OBS_COUNT * OMR_FRAMES * OMR_FRAMES; i++) {
    const omr_frame_kind frame = (omr_frame_kind)(i % OMR_FRAMES),
                         other = (omr_frame_kind)(i / OMR_FRAMES % OMR_FRAMES);
    const int observable = i / (OMR_FRAMES * OMR_FRAMES);
    const char *here = omr_framed_observable(frame, observable).name;
    if (frame == other || strcmp(omr_framed_observable(other, observable).name, name) != 0 ||
        !has_name(names, here))
      continue;
    *negated =
        (omr_observable_turn(frame, observable).how ^ omr_observable_turn(other, observable).how) &
        OMR_TURN_NEGATED;
    return here;
  }
  return NULL;
}

static bool fail_unknown(parser *p, const char *start, const char *name, const char *column) {
  /* The name may belong to another frame. */
  bool negated;
  const char *near = omr_names_nearest(p->names, column),
             *here = named_here(p->names, column, &negated);
  if (here)
    return refuse(p, start, "\"%s\" is a name of another frame: write \"%s\"%s", name, here,
                  negated ? ", with the other sign" : "");

  /* The message lists the names that are known. */
  char known[700] = "";
  list_names(p->names, known, sizeof known);
  if (near)
    return refuse(p, start, "unknown name \"%.200s\" - did you mean \"%s\"? (there is: %s)", name,
                  near, known);
  if (p->names->of_system)
    return refuse(
        p, start,
        "unknown name \"%.200s\": an expression here may use parameters (%s), t, and numbers "
        "of bodies and joints such as \"BODY.wx\" (`omniroll describe multibody` lists "
        "them)",
        name, *known ? known : "none");
  return refuse(
      p, start,
      "unknown name \"%.200s\": there are the observables of the study, the parameters that "
      "it varies, `status`, "
      "and the criteria before this one: %s",
      name, known);
}

/* The nodes of a criterion defined before, with their places moved. */
static bool copy_criterion(parser *p, const omr_expression *criterion, part *out) {
  const size_t offset = p->expression->count;
  for (size_t i = 0; i < criterion->count; i++) {
    omr_expression_node node = criterion->nodes[i];
    node.left += offset;
    node.right += offset;
    if (!append(p, node, out)) return false;
  }
  p->expression->status = p->expression->status || criterion->status;
  out->truth = criterion->truth;
  return true;
}

/* status == ok, status != ok. */
static bool parse_status(parser *p, part *out) {
  char word[64];

  /* Only == and != compare the status. */
  const bool equal = take(p, "=="), other = !equal && take(p, "!=");
  if (!equal && !other)
    return refuse(p, p->at,
                  "the status is compared with a word: status == ok, status != wheel_lifted");

  /* The word after it has to be a status. */
  skip_space(p);
  const char *start = p->at;
  const size_t length = omr_identifier_length(start);
  snprintf(word, sizeof word, "%.*s", (int)length, start);
  const int code = omr_expression_status_code(word);

  /* An unknown word gets the nearest status, or the list of them. */
  if (code < 0) {
#define X(id, code, name, ...) name,
    static const char *const words[] = {
#include "../../lists/statuses.def"
    };
#undef X
#define X(id, code, name, ...) " " name
    static const char list[] =
#include "../../lists/statuses.def"
        ;
#undef X
    const char *near = length ? omr_nearest(word, words, sizeof words / sizeof *words) : NULL;
    if (near)
      return refuse(p, start, "there is no status \"%.200s\" - did you mean \"%s\"?", word, near);
    return refuse(p, start, "a status is one of:%s", list);
  }

  /* The comparison becomes a node of the expression. */
  p->at += length;
  p->expression->status = true;
  out->truth = true;
  return append(p,
                (omr_expression_node){.operation = equal ? STATUS_IS : STATUS_IS_NOT,
                                      .number = (double)code,
                                      .column = p->names->columns},
                out);
}

static bool parse_name(parser *p, size_t length, part *out) {
  const char *start = p->at;
  char path[160], column[160], *message = NULL;

  /* The name is copied out of the text. */
  if (length >= sizeof path) return refuse(p, start, "the name is too long");
  snprintf(path, sizeof path, "%.*s", (int)length, start);
  p->at += length;

  /* status and pi are words of the language. */
  if (strcmp(path, "status") == 0 && !p->names->of_system) return parse_status(p, out);
  if (strcmp(path, "pi") == 0 && !omr_names_find(p->names, path)) {
    out->measure = (omr_measure){.bare = true};
    return append(p, (omr_expression_node){.operation = NUMBER, .number = M_PI}, out);
  }

  /* Every other name belongs to a column. */
  omr_names_column(path, length, column, sizeof column);
  const omr_name *name = omr_names_find(p->names, column);

  /* A name without a column gets the remedy that fits it best. */
  if (!name && strcmp(path, "and") == 0) return refuse(p, start, "write && for \"and\"");
  if (!name && strcmp(path, "or") == 0) return refuse(p, start, "write || for \"or\"");
  if (!name && strcmp(path, "not") == 0) return refuse(p, start, "write ! for \"not\"");
  if (!name && !p->names->of_system && omr_expression_status_code(path) >= 0)
    return refuse(p, start, "\"%s\" is a status: write status == %s", path, path);
  if (!name) return fail_unknown(p, start, path, column);
  if (name->absent) return refuse(p, start, "\"%s\" %s", path, name->absent);

  /* A criterion is copied in; a column brings its unit. */
  if (name->criterion) return copy_criterion(p, name->criterion, out);
  if (!omr_measure_of_unit(name->unit, &out->measure, &message)) {
    free(message);
    return refuse(p, start, "the unit \"%s\" of \"%s\" is not readable", name->unit, path);
  }
  return append(p, (omr_expression_node){.operation = COLUMN, .column = name->column}, out);
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
static bool parse_arguments(parser *p, const function *f, part *out) {
  const int least = f->takes >= TWO ? 2 : 1, most = f->takes == ANY ? INT_MAX : least;
  int count = 0;
  do {
    /* Each argument is a number, and no more of them come than the function takes. */
    part argument = {0};
    skip_space(p);
    const char *start = p->at;
    if (!parse_sum(p, &argument) || !require_number(p, start, &argument)) return false;
    if (++count > most)
      return refuse(p, start, "%s has %s", f->name, most == 1 ? "one argument" : "two arguments");
    if (f->takes == PURE && !omr_measure_is_angle(&argument.measure))
      return refuse(p, start, "%s takes an angle or a pure number, here is a quantity in \"%s\"",
                    f->name, argument.measure.unit);

    /* The second argument and each one after it join the result so far. */
    if (count == 1) {
      *out = argument;
      continue;
    }
    part before = *out;
    if (!join(p, start, &before, &argument, out) ||
        !combine(p, f->operation, &before, &argument, out))
      return false;
  } while (take(p, ","));

  /* The list ends with its bracket, and with enough arguments. */
  if (!take(p, ")")) return refuse(p, p->at, "\")\" is missing");
  return count >= least || refuse(p, p->at, "%s needs %s two arguments", f->name,
                                  f->takes == ANY ? "at least" : "its");
}

static bool fail_function(parser *p, const char *start, const char *name) {
  char list[300] = "";
  size_t length = 0;
  for (int i = 0; i < FUNCTIONS; i++)
    length += (size_t)snprintf(list + length, sizeof list - length, "%s%s", i ? ", " : "",
                               functions[i].name);
  return refuse(p, start, "there is no function \"%.200s\"; there are %s", name, list);
}

/* The unit of the function's result, where it differs from the unit of its argument. */
static bool give_unit(parser *p, const char *start, const function *f, part *out) {
  const part argument = *out;
  char *message = NULL;
  out->gram = false;
  if (f->gives == SAME) return true;
  if (f->gives == ROOT_OF)
    return omr_measure_root(&argument.measure, &out->measure) ||
           refuse(p, start, "the square root of a quantity in \"%s\" has no unit",
                  argument.measure.unit);
  return omr_measure_of_unit(f->gives == AN_ANGLE && !p->names->bare ? "rad" : "1", &out->measure,
                             &message) ||
         fail_memory(p);
}

static bool parse_function(parser *p, size_t length, part *out) {
  const char *start = p->at;
  const function *f = NULL;
  char name[64];
  snprintf(name, sizeof name, "%.*s", (int)length, start);
  for (int i = 0; i < FUNCTIONS && !f; i++)
    if (strcmp(name, functions[i].name) == 0) f = &functions[i];
  if (!f) return fail_function(p, start, name);
  p->at += length;
  if (!take(p, "(") || !parse_arguments(p, f, out)) return false;
  if (f->takes < TWO) {
    const part argument = *out;
    if (!combine(p, f->operation, &argument, NULL, out)) return false;
  }
  return give_unit(p, start, f, out);
}

/* RANKS, from the tightest */

static bool parse_primary(parser *p, part *out) {
  *out = (part){0};
  skip_space(p);
  const size_t digits = number_length(p->at), length = omr_identifier_length(p->at);
  if (digits > 0) return parse_number(p, digits, out);
  if (length > 0)
    return p->at[length + strspn(p->at + length, " \t")] == '(' ? parse_function(p, length, out)
                                                                : parse_name(p, length, out);
  if (take(p, "("))
    return parse_or(p, out) && (take(p, ")") || refuse(p, p->at, "\")\" is missing"));
  return refuse(p, p->at,
                *p->at ? "a name, a number or \"(\" is expected" : "something is missing");
}

static bool parse_factor(parser *p, part *out) {
  if (!take(p, "-")) return parse_primary(p, out);
  part operand;
  const char *start = p->at;
  if (++p->depth > DEEPEST) return refuse(p, start, "too deeply nested");
  if (!parse_factor(p, &operand) || !require_number(p, start, &operand)) return false;
  p->depth--;
  *out = operand;
  return combine(p, NEGATE, &operand, NULL, out);
}

static bool parse_product(parser *p, part *out) {
  skip_space(p);
  const char *start = p->at;

  /* The first factor stands before the loop; every turn takes one more. */
  if (!parse_factor(p, out)) return false;
  for (;;) {
    part left = *out, right;
    const bool times = take(p, "*");
    if (!times && !take(p, "/")) return true;
    if (*p->at == '*')
      return refuse(p, p->at - 1, "there are no powers: write the product x * x, or sqrt(x)");

    /* Both sides of the sign have to be numbers. */
    skip_space(p);
    const char *at = p->at;
    if (!parse_factor(p, &right) || !require_number(p, start, &left) ||
        !require_number(p, at, &right))
      return false;

    /* Their units multiply as the numbers do. */
    if (!omr_measure_times(&left.measure, &right.measure, times ? 1 : -1, &out->measure))
      return refuse(p, at, "the unit's exponents are too large");
    if (!combine(p, times ? MULTIPLY : DIVIDE, &left, &right, out)) return false;
  }
}

static bool parse_terms(parser *p, part *out) {
  skip_space(p);
  const char *start = p->at;
  if (!parse_product(p, out)) return false;
  for (;;) {
    part left = *out, right;
    const bool plus = take(p, "+");
    if (!plus && !take(p, "-")) return true;
    skip_space(p);
    const char *at = p->at;
    if (!parse_product(p, &right) || !require_number(p, start, &left) ||
        !require_number(p, at, &right))
      return false;
    if (!join(p, at, &left, &right, out) || !combine(p, plus ? ADD : SUBTRACT, &left, &right, out))
      return false;
  }
}

/* Every bracket comes through here, so that the depth is counted here. */
static bool parse_sum(parser *p, part *out) {
  if (++p->depth > DEEPEST) return refuse(p, p->at, "too deeply nested");
  const bool good = parse_terms(p, out);
  p->depth--;
  return good;
}

/* The comparison that stands here; NUMBER where there is none. */
static operation take_comparison(parser *p) {
  static const struct {
    const char *sign;
    operation operation;
  } signs[] = {{"<=", LESS_EQUAL}, {">=", GREATER_EQUAL}, {"==", EQUAL},
               {"!=", NOT_EQUAL},  {"<", LESS},           {">", GREATER}};
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
    if (take(p, signs[i].sign)) return signs[i].operation;
  return NUMBER;
}

static bool parse_comparison(parser *p, part *out) {
  skip_space(p);
  const char *start = p->at;
  if (!parse_sum(p, out)) return false;
  const operation operation = take_comparison(p);
  if (operation == NUMBER && *p->at == '=') return refuse(p, p->at, "write == to compare");
  if (operation == NUMBER) return true;
  part left = *out, right;
  skip_space(p);
  const char *at = p->at;
  if (!require_number(p, start, &left) || !parse_sum(p, &right) || !require_number(p, at, &right))
    return false;
  if (!join(p, at, &left, &right, out) || !combine(p, operation, &left, &right, out)) return false;
  out->truth = true;
  skip_space(p);
  const char *next = p->at;
  if (take_comparison(p) == NUMBER) return true;
  return refuse(p, next, "comparisons do not follow each other: write a < b && b < c");
}

static bool parse_not(parser *p, part *out) {
  skip_space(p);
  if (p->at[0] != '!' || p->at[1] == '=') return parse_comparison(p, out);
  part operand;
  const char *start = ++p->at;
  if (++p->depth > DEEPEST) return refuse(p, start, "too deeply nested");
  if (!parse_not(p, &operand) || !require_condition(p, start, &operand)) return false;
  p->depth--;
  *out = operand;
  return combine(p, NOT, &operand, NULL, out);
}

typedef bool parse_rank(parser *p, part *out);

/* One or more of the next rank, joined by a sign. */
static bool parse_logical(parser *p, const char *sign, operation operation, parse_rank *next,
                          part *out) {
  skip_space(p);
  const char *start = p->at;
  if (!next(p, out)) return false;
  while (take(p, sign)) {
    part left = *out, right;
    skip_space(p);
    const char *at = p->at;
    if (!require_condition(p, start, &left) || !next(p, &right) ||
        !require_condition(p, at, &right))
      return false;
    if (!combine(p, operation, &left, &right, out)) return false;
  }
  return true;
}

static bool parse_and(parser *p, part *out) {
  return parse_logical(p, "&&", AND, parse_not, out);
}

static bool parse_or(parser *p, part *out) {
  return parse_logical(p, "||", OR, parse_and, out);
}

/* WHOLE */

static bool parse_whole(parser *p, part *out) {
  skip_space(p);
  if (!*p->at)
    return refuse(p, p->at, "the criterion is empty; for example \"max_slip > 0.1 m/s\"");
  if (!parse_or(p, out)) return false;
  skip_space(p);
  if (!*p->at) return true;
  if (*p->at == ')') return refuse(p, p->at, "\")\" without \"(\"");
  if (*p->at == '&' || *p->at == '|') return refuse(p, p->at, "write %c%c", *p->at, *p->at);
  const size_t length = omr_identifier_length(p->at);
  if (length == 3 && strncmp(p->at, "and", 3) == 0) return refuse(p, p->at, "write && for \"and\"");
  if (length == 2 && strncmp(p->at, "or", 2) == 0) return refuse(p, p->at, "write || for \"or\"");
  if (omr_measure_known(p->at, p->names))
    return refuse(p, p->at, "an operator is missing before this");
  return refuse(p, p->at, "an operator is expected: + - * / < <= > >= == != && ||");
}

static bool list_columns(parser *p) {
  omr_expression *e = p->expression;
  e->columns = calloc(e->count + 1, sizeof *e->columns);
  if (!e->columns) return fail_memory(p);
  size_t found = 0;
  for (size_t i = 0; i < e->count; i++)
    if (e->nodes[i].operation == COLUMN) e->columns[found++] = e->nodes[i].column;
  qsort(e->columns, found, sizeof *e->columns, omr_by_number);
  for (size_t i = 0; i < found; i++)
    if (i == 0 || e->columns[i] != e->columns[i - 1]) e->columns[e->column_count++] = e->columns[i];
  return true;
}

omr_status omr_expression_parse(const char *text, const omr_names *names,
                                omr_expression **expression, omr_error *error) {
  part whole = {0};
  parser p = {.text = text,
              .at = text,
              .names = names,
              .error = error,
              .expression = calloc(1, sizeof *p.expression)};
  *expression = NULL;

  /* The result is given away only when the whole text was read. */
  if (!p.expression || names->failed || !(p.expression->text = strdup(text)))
    fail_memory(&p);
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
