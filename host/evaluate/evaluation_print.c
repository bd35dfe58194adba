/* An evaluation for people: the best candidates in a screen, or all of them. */
#include "../include/omniroll/evaluate.h"
#include "../statistics/number.h"
#include "../statistics/wrap.h"
#include "evaluation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 80, LINES = 25, SHOWN = 12, MOST_NUMBERS = 3 };

/* Candidates in the order in which they are shown: feasible ones before others, by the first
 * objective; without any the nearest to be feasible first. */
typedef struct order {
  double key[3];
  size_t number;
} order;

static double violation_of(const omr_evaluation *e, const omr_candidate *c) {
  double sum = 0;
  for (size_t g = 0; g < e->goals.count; g++) {
    if (!e->goals.list[g].constraint) continue;
    const double limit = fabs(e->limits[g]), margin = c->goals[g].margin;
    sum += isnan(margin) ? 1e6 : fmax(0, -margin) / (limit > 0 ? limit : 1);
  }
  return sum;
}

static int by_key(const void *one, const void *other) {
  const order *a = one, *b = other;
  for (int i = 0; i < 3; i++)
    if (a->key[i] != b->key[i]) return a->key[i] < b->key[i] ? -1 : 1;
  return a->number < b->number ? -1 : a->number > b->number;
}

static order *ordered(const omr_evaluation *e) {
  order *list = calloc(e->table.count + 1, sizeof *list);
  for (size_t i = 0; list && i < e->table.count; i++) {
    const omr_candidate *c = &e->candidates[i];
    const double value = e->goals.objectives ? c->goals[0].value : 0;
    list[i].number = i;
    list[i].key[0] = !c->known ? 2 : !c->feasible;
    list[i].key[1] = c->feasible ? 0 : violation_of(e, c);
    list[i].key[2] = isnan(value) ? HUGE_VAL : e->goals.list[0].maximize ? -value : value;
  }
  if (list) qsort(list, e->table.count, sizeof *list, by_key);
  return list;
}

static const char *unit_of(const omr_evaluation *e, size_t g) {
  return strcmp(e->units[g], "1") == 0 ? "" : e->units[g];
}

/* "wheel.inclination" as "inclination". */
static const char *short_path(const char *path) {
  const char *dot = strrchr(path, '.');
  return dot ? dot + 1 : path;
}

static void print_cell(const cJSON *cell, char *text, size_t size) {
  if (cJSON_IsString(cell))
    snprintf(text, size, "%.30s", cell->valuestring);
  else
    snprintf(text, size, "%.5g", cJSON_GetNumberValue(cell));
}

/* The answer stands first, since a narrow screen leaves out the columns to the right: objectives,
 * how probable it is that the constraints hold, the values of the candidate, and the constraints.
 */
static void add_heads(const omr_evaluation *e, omr_sheet *sheet, size_t paths, size_t goals) {
  const size_t first = e->goals.objectives < goals ? e->goals.objectives : goals;
  size_t column = 0;
  omr_sheet_add(sheet, 0, column++, "no.");
  for (size_t g = 0; g < goals; g++) {
    if (g == first) column += paths + 1;
    omr_sheet_add(sheet, 0, column++, "%.18s%s%.10s", e->goals.list[g].name,
                  *unit_of(e, g) ? ", " : "", unit_of(e, g));
  }
  column = first + 1;
  omr_sheet_add(sheet, 0, column++, e->goals.count > e->goals.objectives ? "holds" : "failed");
  for (size_t c = 0; c < paths; c++)
    omr_sheet_add(sheet, 0, column++, "%.18s",
                  short_path(cJSON_GetArrayItem(e->table.paths, (int)c)->valuestring));
}

/* Whether the candidate cannot be told from the best in the first objective; without an interval of
 * the difference nothing is told. */
static bool is_as_good(const omr_evaluation *e, size_t number) {
  const omr_candidate *c = &e->candidates[number];
  if (!e->goals.objectives || e->best[0] == SIZE_MAX || e->best[0] == number || !c->feasible)
    return false;
  const omr_bounds apart = c->apart[0].bounds;
  const double step = c->step[0] + e->candidates[e->best[0]].step[0];
  return !(apart.low > 0 || apart.high < 0) || fabs(c->apart[0].difference) <= step;
}

/* Whether too many of its vehicles failed. */
static bool is_lost(const omr_evaluation *e, const omr_candidate *c) {
  return c->known && (double)c->failed > e->failed_limit * (double)c->draws;
}

/* The constraint that is farthest from being kept; NULL: all are kept. */
static const char *broken_of(const omr_evaluation *e, const omr_candidate *c) {
  const char *name = NULL;
  double most = 0;
  for (size_t g = e->goals.objectives; g < e->goals.count; g++) {
    const double limit = fabs(e->limits[g]), over = -c->goals[g].margin / (limit > 0 ? limit : 1);
    if (over > most) most = over, name = e->goals.list[g].name;
  }
  return name;
}

/* "0.262 (0.253 to 0.272)"; of an interval with one end "0.29 (to 0.31)". */
static void add_goal(const omr_goal_estimate *goal, omr_sheet *sheet, size_t row, size_t column) {
  char text[OMR_SHEET_CELL], interval[40] = "", end[OMR_SHEET_CELL];
  const omr_bounds b = goal->bounds;
  omr_number_print(text, sizeof text, goal->value, omr_half_of(b));
  omr_interval_print(interval, sizeof interval, b);
  if (isnan(b.low) != isnan(b.high)) {
    const double known = isnan(b.low) ? b.high : b.low;
    omr_number_print(end, sizeof end, known, known - goal->value);
    snprintf(interval, sizeof interval, "%s %.30s", isnan(b.low) ? "to" : "from", end);
  }
  const bool chance = *interval && !(b.low >= b.high);
  omr_sheet_add(sheet, row, column, chance ? "%s (%s)" : "%s", isnan(goal->value) ? "-" : text,
                interval);
}

static void add_row(const omr_evaluation *e, omr_sheet *sheet, size_t row, size_t number,
                    size_t paths, size_t goals) {
  const omr_candidate *c = &e->candidates[number];
  const size_t first = e->goals.objectives < goals ? e->goals.objectives : goals;
  char text[OMR_SHEET_CELL];
  size_t column = 0;

  /* The number with a mark: the best, as good as it, or one that breaks a constraint. */
  const bool best = e->goals.objectives && e->best[0] == number;
  omr_sheet_add(sheet, row, column++, "%zu%s", number,
                best                       ? " best"
                : is_as_good(e, number)    ? " ~"
                : c->known && !c->feasible ? " no"
                                           : "");

  /* Objectives stand before the values, constraints behind them. */
  for (size_t g = 0; g < goals; g++) {
    if (g == first) column += paths + 1;
    add_goal(&c->goals[g], sheet, row, column++);
  }

  /* The amount by which the candidate fails, or the probability that it holds. */
  column = first + 1;
  const char *broken = c->known && !c->feasible ? broken_of(e, c) : NULL;
  if (is_lost(e, c))
    omr_sheet_add(sheet, row, column++, "%zu of %zu failed", c->failed, c->draws);
  else if (broken)
    omr_sheet_add(sheet, row, column++, "%.20s broken", broken);
  else if (!c->known || isnan(c->holds))
    omr_sheet_add(sheet, row, column++, "-");
  else if (e->goals.count > e->goals.objectives)
    omr_sheet_add(sheet, row, column++, c->holds < 1e-4 ? "below 0.01 %%" : "%.4g %%",
                  100 * c->holds);
  else
    omr_sheet_add(sheet, row, column++, "%zu of %zu", c->failed, c->draws);

  const cJSON *values = cJSON_GetArrayItem(e->table.rows, (int)number);
  for (size_t p = 0; p < paths; p++) {
    print_cell(cJSON_GetArrayItem(values, (int)p), text, sizeof text);
    omr_sheet_add(sheet, row, column++, "%s", text);
  }
}

static void wrap(omr_text *to, int indent, int most, omr_text *text) {
  const omr_wrapping wrapping = {.label = "", .indent = indent, .width = WIDTH, .most = most};
  omr_wrap(to, &wrapping, text->data ? text->data : "");
  omr_text_free(text);
}

static void tell_counts(const omr_evaluation *e, omr_text *to) {
  size_t feasible = 0, refused = 0, without = 0, draws = 0;
  omr_text counts = {0};
  for (size_t i = 0; i < e->table.count; i++) {
    const omr_candidate *c = &e->candidates[i];
    feasible += c->feasible;
    refused += e->table.refused[i] != NULL;
    without += !c->known && !e->table.refused[i];
    if (c->draws > draws) draws = c->draws;
  }
  omr_text_print(&counts, "%s: %zu candidate%s of %zu vehicle%s; %zu keep%s every constraint",
                 e->name, e->table.count, e->table.count == 1 ? "" : "s", draws,
                 draws == 1 ? "" : "s", feasible, feasible == 1 ? "s" : "");
  if (refused) omr_text_print(&counts, ", %zu refused", refused);
  if (without) omr_text_print(&counts, ", %zu without a value", without);
  wrap(to, 0, 0, &counts);
  omr_text_print(to, "\n");
}

/* The meaning of the columns. */
static void tell_meaning(const omr_evaluation *e, bool all, omr_text *to) {
  double confidence = 0.95;
  omr_text note = {0};
  for (size_t g = 0; g < e->group_count; g++)
    if (e->groups[g].set.goal) confidence = e->groups[g].set.confidence;
  for (size_t g = 0; g < e->goals.count; g++)
    omr_text_print(&note, "%s%s: %s%s", g ? "; " : "", e->goals.list[g].name,
                   e->goals.list[g].constraint ? ""
                   : e->goals.list[g].maximize ? "the larger the better, "
                                               : "the smaller the better, ",
                   e->goals.list[g].text);
  omr_text_print(to, "\n");
  wrap(to, 2, all ? 0 : 5, &note);
  omr_text_print(&note,
                 "In brackets %.4g %% intervals by chance; ~: cannot be told from the best, by the "
                 "differences on the same draws; no: a constraint is not kept",
                 100 * confidence);
  wrap(to, 2, 0, &note);
}

/* Why the first candidates that have no value, or lost too many vehicles, do. */
static void tell_reasons(const omr_evaluation *e, bool all, omr_text *to) {
  size_t told = 0;
  for (size_t i = 0; i < e->table.count && (all || told < 2); i++) {
    omr_text note = {0};
    const char *why = e->candidates[i].status;
    if (!why || (!all && e->candidates[i].known && !is_lost(e, &e->candidates[i]))) continue;
    omr_text_print(&note, "%zu %s", i, why);
    wrap(to, 2, all ? 0 : 2, &note);
    told++;
  }
}

/* Candidates that fit on a screen with these texts, a line of headings and one of those that are
 * left out. */
static size_t shown(const omr_evaluation *e, const omr_text *head, const omr_text *notes) {
  const size_t taken = omr_count_lines(head) + omr_count_lines(notes) + 2,
               room = taken + 4 < LINES ? LINES - taken : 4, most = room < SHOWN ? room : SHOWN;
  return e->table.count < most ? e->table.count : most;
}

omr_status omr_evaluation_print(const omr_evaluation *e, bool all, FILE *out, omr_error *error) {
  omr_text to = {0}, notes = {0};
  order *list = ordered(e);
  omr_sheet *sheet = calloc(1, sizeof *sheet);
  const size_t paths = e->table.columns < 3 ? e->table.columns : 3,
               goals = e->goals.count < MOST_NUMBERS ? e->goals.count : MOST_NUMBERS;
  tell_counts(e, &to);
  tell_meaning(e, all, &notes);
  tell_reasons(e, all, &notes);
  const size_t count = all ? e->table.count : shown(e, &to, &notes);
  bool good = list && sheet, left_out = false;

  /* Sheets of the program have a bounded number of rows. */
  for (size_t first = 0; good && first < count; first += OMR_SHEET_ROWS - 1) {
    memset(sheet, 0, sizeof *sheet);
    add_heads(e, sheet, paths, goals);
    for (size_t i = first; i < count && i < first + OMR_SHEET_ROWS - 1; i++)
      add_row(e, sheet, i - first + 1, list[i].number, paths, goals);
    left_out = omr_sheet_print(sheet, all ? 200 : WIDTH, &to) < 2 + paths + goals;
  }
  if (good && count < e->table.count)
    omr_text_print(&to, "  %zu more candidates: --verbose, --json\n", e->table.count - count);
  else if (good && left_out)
    omr_text_print(&to, "  columns without room: --verbose, --json\n");
  if (good) omr_text_add(&to, notes.data, notes.length);
  good = good && !to.failed && !notes.failed;
  if (good) fputs(to.data, out);
  omr_text_free(&to);
  omr_text_free(&notes);
  free(list);
  free(sheet);
  return good ? OMR_OK : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
}
