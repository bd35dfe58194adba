#include "goal.h"

#include "expression_units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OF_NUMBER, OF_CONDITION };

const omr_term_row omr_term_rows[OMR_TERM_KINDS] = {
#define X(id, name, of, form, meaning) {name, form, meaning, OF_##of == OF_CONDITION},
#include "../../lists/goal_terms.def"
#undef X
};

#define X(id, name, of, form, meaning) ", " form
static const char forms[] =
#include "../../lists/goal_terms.def"
    ;
#undef X

void omr_goal_destroy(omr_goal_expression *goal) {
  if (!goal) return;
  for (size_t i = 0; i < goal->term_count; i++) omr_expression_destroy(goal->term[i].of);
  omr_expression_destroy(goal->number);
  omr_expression_destroy(goal->condition);
  free(goal);
}

/* A goal being read. `outer` is its text with each statistic replaced by the name of its place and
 * blanks, so that places in messages stay true. */
typedef struct reading {
  const char *text;
  char *outer;
  const omr_names *names;
  omr_goal_expression *goal;
  omr_error *error;
} reading;

static omr_status fail_at(const reading *r, size_t at, const char *format, ...) OMR_PRINTF(3, 4);

static omr_status fail_at(const reading *r, size_t at, const char *format, ...) {
  char what[1200];
  va_list args;
  va_start(args, format);
  vsnprintf(what, sizeof what, format, args);
  va_end(args);
  return omr_fail(r->error, OMR_ERR_STUDY, "\"%.200s\", at character %zu: %s", r->text, at + 1,
                  what);
}

/* The statistic whose name and bracket begin here; -1: none does. */
static int kind_at(const char *text, size_t *length) {
  *length = omr_identifier_length(text);
  const size_t blanks = strspn(text + *length, " ");
  for (int kind = 0; kind < OMR_TERM_KINDS; kind++)
    if (strlen(omr_term_rows[kind].name) == *length && text[*length + blanks] == '(' &&
        strncmp(text, omr_term_rows[kind].name, *length) == 0) {
      *length += blanks + 1;
      return kind;
    }
  return -1;
}

/* Where the bracket closes, and the last comma directly in it (0: none); 0: it does not close. */
static size_t close_of(const char *text, size_t at, size_t *comma) {
  int depth = 1;
  *comma = 0;
  for (; text[at]; at++) {
    depth += text[at] == '(';
    depth -= text[at] == ')';
    if (depth == 0) return at;
    if (depth == 1 && text[at] == ',') *comma = at;
  }
  return 0;
}

/* A part of the text as an expression of its own. */
static omr_status parse_part(const reading *r, size_t from, size_t to, const omr_names *names,
                             omr_expression **expression) {
  omr_error found = {0};
  char *part = strndup(r->text + from, to - from);
  if (!part) return omr_fail(r->error, OMR_ERR_MEMORY, "out of memory");
  const omr_status status = omr_expression_parse(part, names, expression, &found);
  free(part);
  if (status == OMR_OK) return OMR_OK;
  return status == OMR_ERR_STUDY ? fail_at(r, from, "there %s", found.message)
                                 : omr_fail(r->error, status, "%s", found.message);
}

static omr_status read_level(const reading *r, size_t from, size_t to, double *level) {
  omr_names none = {0};
  omr_expression *number = NULL;
  const omr_status status = parse_part(r, from, to, &none, &number);
  if (status != OMR_OK) return status;
  *level = number->truth ? (double)NAN : omr_expression_value(number, NULL);
  const bool pure = strcmp(number->unit, "1") == 0 || strcmp(number->unit, "%") == 0;
  omr_expression_destroy(number);
  if (pure && *level > 0 && *level < 1) return OMR_OK;
  return fail_at(r, from, "the part of a quantile is between 0 and 1, such as 0.95 or 95 %%");
}

/* Reads a statistic whose argument begins at `at`; *end: behind its bracket. */
static omr_status read_term(reading *r, omr_term_kind kind, size_t start, size_t at, size_t *end) {
  omr_goal_expression *goal = r->goal;
  const omr_term_row *row = &omr_term_rows[kind];
  size_t comma;
  const size_t close = close_of(r->text, at, &comma);
  if (!close) return fail_at(r, start, "the bracket of %s( does not close", row->name);
  if (goal->term_count == OMR_GOAL_TERMS)
    return fail_at(r, start, "has more than %d statistics", OMR_GOAL_TERMS);
  const bool quantile = kind == OMR_TERM_QUANTILE;
  if (quantile && !comma) return fail_at(r, start, "write the part too, as in %s", row->form);

  /* The argument is an expression of the columns. */
  omr_term *term = &goal->term[goal->term_count++];
  *term = (omr_term){.kind = kind};
  omr_status status = parse_part(r, at, quantile ? comma : close, r->names, &term->of);
  if (status == OMR_OK && quantile) status = read_level(r, comma + 1, close, &term->level);
  if (status != OMR_OK) return status;
  if (row->of_condition && !term->of->truth)
    return fail_at(r, at, "%s is of a condition, as in %s", row->name, row->form);
  if (!row->of_condition && term->of->truth)
    return fail_at(r, at, "%s is of a number, as in %s; the share of a condition is probability()",
                   row->name, row->form);

  /* Its place takes its name. */
  char name[24];
  const size_t length = (size_t)snprintf(name, sizeof name, "_%zu", goal->term_count - 1);
  memset(r->outer + start, ' ', close + 1 - start);
  memcpy(r->outer + start, name, length);
  *end = close + 1;
  return OMR_OK;
}

static omr_status read_terms(reading *r) {
  for (size_t at = 0; r->text[at];) {
    size_t length;
    const int kind = kind_at(r->text + at, &length);
    if (kind < 0) {
      if (r->text[at] == '_') return fail_at(r, at, "no name begins with _");
      at += length ? length : 1;
      continue;
    }
    const omr_status status = read_term(r, (omr_term_kind)kind, at, at + length, &at);
    if (status != OMR_OK) return status;
  }
  return OMR_OK;
}

/* The names of the places, and those of the columns, which have no value here. */
static void name_places(const reading *r, omr_names *places) {
  char name[24];
  *places = (omr_names){.columns = r->goal->term_count};
  for (size_t i = 0; i < r->goal->term_count; i++) {
    const omr_term *term = &r->goal->term[i];
    snprintf(name, sizeof name, "_%zu", i);
    omr_names_add(places, name, term->of->truth ? "1" : term->of->unit, i);
  }
  for (size_t i = 0; i < r->names->count; i++) {
    omr_names_add(places, r->names->list[i].name, r->names->list[i].unit, 0);
    if (!places->failed)
      places->list[places->count - 1].absent =
          "has a value in each vehicle; write a statistic of it, such as mean() or probability()";
  }
}

/* Where the outer text compares, and the length of the sign; 0: nowhere. */
static size_t comparison_at(const char *outer, size_t *length) {
  const size_t at = strcspn(outer, "<>=");
  *length = outer[at] ? 1 + (outer[at + 1] == '=') : 0;
  return outer[at] ? at : 0;
}

/* Ends a message before its list of names, among which are those of places. */
static bool cut_names(char *message) {
  static const char *const lists[] = {" - did you mean \"_", ": there are the observables",
                                      " (there is: "};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    char *list = strstr(message, lists[i]);
    if (list) *list = '\0';
    if (list) return true;
  }
  return false;
}

/* Reads the outer text; messages quote what was written. */
static omr_status parse_outer(const reading *r, const omr_names *places,
                              omr_expression **expression) {
  omr_error found = {0};
  const size_t whole = strlen(r->outer), length = whole < 200 ? whole : 200;
  const omr_status status = omr_expression_parse(r->outer, places, expression, &found);
  if (status == OMR_OK) return OMR_OK;
  if (status != OMR_ERR_STUDY || strncmp(found.message + 1, r->outer, length) != 0)
    return omr_fail(r->error, status, "%s", found.message);
  const bool names = cut_names(found.message);
  return omr_fail(r->error, status, "\"%.200s%s%s", r->text, found.message + 1 + length,
                  names ? "; there are numbers, and statistics such as mean(final_x)" : "");
}

static omr_status read_limit(reading *r, size_t at) {
  const omr_names none = {0};
  omr_expression *number = NULL;
  const omr_status status = parse_part(r, at, strlen(r->text), &none, &number);
  if (status == OMR_OK) r->goal->limit = omr_expression_value(number, NULL);
  omr_expression_destroy(number);
  return status;
}

static omr_status read_constraint(reading *r, const omr_names *places) {
  omr_goal_expression *goal = r->goal;
  size_t length, more;
  const size_t at = comparison_at(r->outer, &length);
  if (!at || r->outer[at] == '=')
    return fail_at(r, at, "a constraint compares, as in probability(off_course) <= 5 %%");
  if (comparison_at(r->outer + at + length, &more) || strpbrk(r->outer, "&|!"))
    return fail_at(r, at, "a constraint is one comparison; write two for two");
  for (const char *c = r->outer + at; *c; c++)
    if (*c == '_' && (c[-1] == ' ' || strchr("<>=(+-*/", c[-1])))
      return fail_at(r, (size_t)(c - r->outer),
                     "the limit is a number; write the statistic on the left of it");

  /* The left side is shown, the right one is a number, and the whole tells the margin. */
  omr_status status = parse_outer(r, places, &goal->condition);
  if (status == OMR_OK) status = read_limit(r, at + length);
  goal->above = r->outer[at] == '>';
  r->outer[at] = '\0';
  if (status == OMR_OK) status = parse_outer(r, places, &goal->number);
  return status;
}

static omr_status read_whole(reading *r, bool constraint) {
  omr_status status = read_terms(r);
  if (status != OMR_OK) return status;
  if (r->goal->term_count == 0)
    return omr_fail(r->error, OMR_ERR_STUDY,
                    "\"%.200s\" has no statistic of the vehicles of a candidate; there are %s",
                    r->text, forms + 2);
  omr_names places;
  name_places(r, &places);
  if (constraint)
    status = read_constraint(r, &places);
  else
    status = parse_outer(r, &places, &r->goal->number);
  omr_names_free(&places);
  if (status == OMR_OK && !constraint && r->goal->number->truth)
    return omr_fail(r->error, OMR_ERR_STUDY,
                    "\"%.200s\" is a condition, and an objective a number; conditions are "
                    "\"constraints\"",
                    r->text);
  return status;
}

omr_status omr_goal_parse(const char *text, bool constraint, const omr_names *names,
                          omr_goal_expression **goal, omr_error *error) {
  reading r = {text, strdup(text), names, calloc(1, sizeof **goal), error};
  *goal = NULL;
  const omr_status status = r.outer && r.goal ? read_whole(&r, constraint)
                                              : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  free(r.outer);
  if (status == OMR_OK)
    *goal = r.goal;
  else
    omr_goal_destroy(r.goal);
  return status;
}

const omr_term *omr_goal_only(const omr_goal_expression *goal) {
  return goal->number->count == 1 ? &goal->term[0] : NULL;
}

double omr_goal_value(const omr_goal_expression *goal, const double *terms) {
  return omr_expression_value(goal->number, terms);
}

double omr_goal_margin(const omr_goal_expression *goal, const double *terms) {
  return omr_expression_margin(goal->condition, terms);
}
