/* Rows of the answer and the marks of the best. */
#include "answer.h"
#include "criteria_source.h"
#include "step_error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const omr_bounds no_bounds = {(double)NAN, (double)NAN};

/* ROOM */

void omr_answer_destroy(omr_answer *answer) {
  if (!answer) return;
  free(answer->thresholds);
  omr_pool_free(&answer->memory);
  free(answer);
}

/* Whether each instance is a design: the study chose its values. */
static bool is_chosen(const omr_study *study) {
  switch (study->design.type) {
  case OMR_DESIGN_SINGLE:
  case OMR_DESIGN_GRID:
  case OMR_DESIGN_ONE_AT_A_TIME:
  case OMR_DESIGN_LIST:
  case OMR_DESIGN_TABLE: return true;
  default: return false;
  }
}

static omr_answer_rows rows_of(const omr_study *study, const omr_statistics *s) {
  if (s->cells.count) return OMR_ANSWER_CELLS;
  const bool single = s->rows == 1 || (study && is_chosen(study));
  return single ? OMR_ANSWER_INSTANCES : OMR_ANSWER_WHOLE;
}

static bool has_direction(const omr_answer *a) {
  for (size_t i = 0; i < a->asked_count; i++)
    if (a->asked[i].best != OMR_BEST_NONE) return true;
  return false;
}

/* The parameters in which the rows differ. */
static void choose_design(const omr_statistics *s, omr_answer *a) {
  if (a->rows == OMR_ANSWER_CELLS)
    for (size_t d = 0; d < s->cells.design_count; d++)
      a->design[a->design_count++] = s->cells.design[d];
  for (size_t q = 0; a->rows == OMR_ANSWER_INSTANCES && q < s->parameter_count; q++)
    if (s->quantities[q].least < s->quantities[q].most) a->design[a->design_count++] = q;
}

static bool make_rows(const omr_statistics *s, size_t rows, omr_answer *a) {
  omr_pool *memory = &a->memory;
  a->row_count = rows;
  a->design = omr_pool_take(memory, s->parameter_count, sizeof *a->design);
  if (a->design) choose_design(s, a);
  a->designs = omr_pool_take(memory, rows * a->design_count, sizeof *a->designs);
  a->number = omr_pool_take(memory, rows, sizeof *a->number);
  a->by_status = omr_pool_take(memory, rows * OMR_INSTANCE_STATUS_COUNT, sizeof *a->by_status);
  a->values = omr_pool_take(memory, rows * a->asked_count, sizeof *a->values);
  for (size_t r = 0; a->number && r < rows; r++) a->number[r] = r;
  return !memory->failed;
}

/* MEANS AND SHARES */

static omr_answer_value share_of(const omr_statistics *s, const omr_criterion_counts *c,
                                 uint64_t of) {
  const uint64_t used = c->met + c->not_met;
  return (omr_answer_value){
      .value = omr_probability_of(c),
      .bounds = s->spread_only ? no_bounds
                               : omr_probability_bounds(s->interval, c->met, used, s->confidence),
      .least = (double)NAN,
      .most = (double)NAN,
      .step = (double)NAN,
      .used = used,
      .of = of};
}

static omr_answer_value mean_of(const omr_statistics *s, const omr_moments *m, uint64_t of) {
  const bool any = m->used > 0;
  return (omr_answer_value){.value = any ? m->mean : (double)NAN,
                            .bounds =
                                s->spread_only ? no_bounds : omr_mean_bounds(m, s->confidence),
                            .least = any ? m->min : (double)NAN,
                            .most = any ? m->max : (double)NAN,
                            .step = (double)NAN,
                            .used = m->used,
                            .of = of};
}

/* Row `row`: a cell, or all instances. */
static void fill_counted(const omr_statistics *s, size_t row, omr_answer *a) {
  const omr_cells *c = &s->cells;
  const bool cells = a->rows == OMR_ANSWER_CELLS;
  uint64_t of = 0;
  for (int status = 0; status < OMR_INSTANCE_STATUS_COUNT; status++) {
    const uint64_t count = cells ? c->by_status[row * OMR_INSTANCE_STATUS_COUNT + (size_t)status]
                                 : s->by_status[status];
    a->by_status[row * OMR_INSTANCE_STATUS_COUNT + (size_t)status] = count;
    of += count;
  }
  for (size_t d = 0; d < a->design_count; d++)
    a->designs[row * a->design_count + d] = c->values[row * c->design_count + d];

  for (size_t i = 0; i < a->asked_count; i++) {
    const size_t index = a->asked[i].index;
    omr_answer_value *value = &a->values[row * a->asked_count + i];
    if (a->asked[i].of_criterion)
      *value = share_of(
          s, cells ? &c->criteria[row * s->criterion_count + index] : &s->criteria[index].counts,
          of);
    else
      *value = mean_of(
          s, cells ? &c->moments[row * s->quantity_count + index] : &s->quantities[index].moments,
          of);
  }
}

/* SINGLE INSTANCES */

/* A block of rows of the source in columns: what is asked, then the design, then the status. */
typedef struct block {
  size_t first, count;
  double *values; /* [asked_count + design_count][OMR_ANSWER_ROWS] */
  int8_t *status;
} block;

static omr_status read_block(const omr_statistics *s, omr_source *with, const omr_answer *a,
                             block *b, omr_error *error) {
  omr_status status = with->ops->status(with, b->first, b->count, b->status, NULL, error);
  for (size_t i = 0; status == OMR_OK && i < a->asked_count + a->design_count; i++) {
    const omr_asked *asked = &a->asked[i];
    const size_t column = i >= a->asked_count   ? a->design[i - a->asked_count]
                          : asked->of_criterion ? s->quantity_count + asked->index
                                                : asked->index;
    status =
        with->ops->read(with, column, b->first, b->count, b->values + i * OMR_ANSWER_ROWS, error);
  }
  return status;
}

/* A failed instance has no value, but for a criterion that looks at the status; a run of a single
 * instance shows its values as they were at its end. */
static double value_in(const omr_statistics *s, const omr_answer *a, const block *b, size_t k,
                       size_t asked) {
  const omr_asked *item = &a->asked[asked];
  const bool counts = b->status[k] == OMR_INSTANCE_OK || (!item->of_criterion && s->rows == 1) ||
                      (item->of_criterion && s->criteria[item->index].expression->status);
  const double value = b->values[asked * OMR_ANSWER_ROWS + k];
  return counts && isfinite(value) ? value : (double)NAN;
}

static void fill_instance(const omr_statistics *s, const block *b, size_t k, size_t row,
                          omr_answer *a) {
  a->number[row] = b->first + k;
  if (b->status[k] >= 0 && b->status[k] < OMR_INSTANCE_STATUS_COUNT)
    a->by_status[row * OMR_INSTANCE_STATUS_COUNT + (size_t)b->status[k]] = 1;
  for (size_t d = 0; d < a->design_count; d++)
    a->designs[row * a->design_count + d] = b->values[(a->asked_count + d) * OMR_ANSWER_ROWS + k];
  for (size_t i = 0; i < a->asked_count; i++) {
    const double value = value_in(s, a, b, k, i);
    const bool span = !a->asked[i].of_criterion;
    a->values[row * a->asked_count + i] = (omr_answer_value){.value = value,
                                                             .bounds = no_bounds,
                                                             .least = span ? value : (double)NAN,
                                                             .most = span ? value : (double)NAN,
                                                             .step = (double)NAN,
                                                             .used = isnan(value) ? 0u : 1u,
                                                             .of = 1};
  }
}

/* How much better the smaller of two such numbers is. */
static double badness(const omr_asked *asked, double value) {
  switch (asked->best) {
  case OMR_BEST_SMALLER: return value;
  case OMR_BEST_LARGER: return -value;
  case OMR_BEST_TARGET: return fabs(value - asked->target);
  default: return (double)NAN;
  }
}

/* Keeps the best instance of each asked item with a direction: row i is that of the i-th. */
static void keep_best(const omr_statistics *s, const block *b, omr_answer *a) {
  for (size_t k = 0; k < b->count; k++) {
    size_t row = 0;
    for (size_t i = 0; i < a->asked_count; i++) {
      if (a->asked[i].best == OMR_BEST_NONE) continue;
      const double value = badness(&a->asked[i], value_in(s, a, b, k, i)),
                   best = badness(&a->asked[i], a->values[row * a->asked_count + i].value);
      const bool first = b->first + k == 0;
      if (first || value < best || (isnan(best) && !isnan(value))) {
        memset(&a->by_status[row * OMR_INSTANCE_STATUS_COUNT], 0,
               OMR_INSTANCE_STATUS_COUNT * sizeof *a->by_status);
        fill_instance(s, b, k, row, a);
      }
      row++;
    }
  }
}

/* The margins of criteria in the rows of a block, for the thresholds. */
static omr_status read_margins(const omr_statistics *s, omr_source *source, const omr_answer *a,
                               size_t count, double *margins, omr_error *error) {
  double *column = malloc((s->quantity_count + 1) * OMR_ANSWER_ROWS * sizeof *column),
         *row = calloc(s->quantity_count + 1, sizeof *row);
  omr_status status = column && row ? OMR_OK : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  for (size_t i = 0; status == OMR_OK && i < a->asked_count; i++) {
    if (!a->asked[i].of_criterion) continue;
    const omr_expression *e = s->criteria[a->asked[i].index].expression;
    for (size_t c = 0; status == OMR_OK && c < e->column_count; c++)
      status =
          source->ops->read(source, e->columns[c], 0, count, column + c * OMR_ANSWER_ROWS, error);
    for (size_t k = 0; status == OMR_OK && !e->status && k < count; k++) {
      for (size_t c = 0; c < e->column_count; c++)
        row[e->columns[c]] = column[c * OMR_ANSWER_ROWS + k];
      margins[k * a->asked_count + i] = omr_expression_margin(e, row);
    }
  }
  free(column);
  free(row);
  return status;
}

static omr_status fill_instances(const omr_statistics *s, omr_source *source, omr_answer *a,
                                 omr_error *error) {
  omr_source *with = NULL;
  block b = {.values =
                 malloc((a->asked_count + a->design_count + 1) * OMR_ANSWER_ROWS * sizeof(double)),
             .status = malloc(OMR_ANSWER_ROWS)};
  omr_status status = b.values && b.status
                          ? omr_source_with_criteria(source, s, &with, error)
                          : omr_fail(error, OMR_ERR_MEMORY, "out of memory for the answer");
  for (b.first = 0; status == OMR_OK && b.first < s->rows; b.first += b.count) {
    b.count = s->rows - b.first < OMR_ANSWER_ROWS ? s->rows - b.first : OMR_ANSWER_ROWS;
    status = read_block(s, with, a, &b, error);
    if (status != OMR_OK) break;
    if (a->of > OMR_ANSWER_ROWS)
      keep_best(s, &b, a);
    else
      for (size_t k = 0; k < b.count; k++) fill_instance(s, &b, k, k, a);
  }
  omr_source_close(with);
  free(b.values);
  free(b.status);
  return status;
}

/* MARKS */

/* Whether a value cannot be told from the best one. */
static bool is_as_good(const omr_answer_value *value, const omr_answer_value *best, double apart) {
  if (value->bounds.low <= best->bounds.high && best->bounds.low <= value->bounds.high) return true;
  return apart <= value->step + best->step; /* false where one is not known */
}

/* Where all values are the same, or zeros but for rounding (below 1e-9 in SI units), none is the
 * best. */
static bool differ(const omr_answer *a, size_t asked) {
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (size_t r = 0; r < a->row_count; r++) {
    const double value = omr_answer_at(a, r, asked)->value;
    low = fmin(low, value);
    high = fmax(high, value);
  }
  return low < high && fmax(fabs(low), fabs(high)) > 1e-9;
}

static void mark(omr_answer *a, size_t asked) {
  const omr_asked *item = &a->asked[asked];
  size_t best = a->row_count;
  for (size_t r = 0; r < a->row_count; r++) {
    omr_answer_value *value = &a->values[r * a->asked_count + asked];
    value->mark = OMR_MARK_NONE;
    const double bad = badness(item, value->value);
    if (isnan(bad)) continue;
    if (best == a->row_count || bad < badness(item, omr_answer_at(a, best, asked)->value)) best = r;
  }
  if (best == a->row_count || !differ(a, asked)) return;

  /* Equal values are best alike; others may be as good. */
  const omr_answer_value *first = &a->values[best * a->asked_count + asked];
  for (size_t r = 0; r < a->row_count; r++) {
    omr_answer_value *value = &a->values[r * a->asked_count + asked];
    const double apart = badness(item, value->value) - badness(item, first->value);
    if (apart == 0)
      value->mark = OMR_MARK_BEST;
    else if (!isnan(apart) && is_as_good(value, first, apart))
      value->mark = OMR_MARK_AS_GOOD;
  }
}

static void mark_all(omr_answer *a) {
  for (size_t i = 0; i < a->asked_count; i++) mark(a, i);
}

/* Size of the error in a row. */
static double step_of(const omr_statistics *s, const omr_answer *a, const omr_asked *asked) {
  const omr_step_error *e = s->step_error;
  if (asked->of_criterion) {
    const omr_step_criterion *c = &e->criteria[asked->index];
    return a->rows == OMR_ANSWER_INSTANCES || c->used == 0 ? (double)NAN : fabs(c->share.error);
  }
  const omr_step_quantity *q = &e->quantities[asked->index - e->parameter_count];
  if (q->used == 0) return (double)NAN;
  return a->rows == OMR_ANSWER_INSTANCES ? q->largest_size : fabs(q->mean.error);
}

void omr_answer_take_step(omr_statistics *s) {
  omr_answer *a = s->answer;
  if (!a || !s->step_error) return;
  for (size_t i = 0; i < a->asked_count; i++) {
    const double step = step_of(s, a, &a->asked[i]);
    for (size_t r = 0; r < a->row_count; r++) a->values[r * a->asked_count + i].step = step;
  }
  mark_all(a);
}

/* MAKING */

static omr_status fill(const omr_study *study, const omr_statistics *s, omr_source *source,
                       omr_answer *a, omr_error *error) {
  omr_status status = OMR_OK;
  if (a->rows == OMR_ANSWER_INSTANCES)
    status = fill_instances(s, source, a, error);
  else
    for (size_t r = 0; r < a->row_count; r++) fill_counted(s, r, a);
  if (status != OMR_OK || !study || a->row_count < 2 || a->row_count < a->of) return status;

  /* where criteria and targets are crossed */
  double *margins = malloc((a->row_count * a->asked_count + 1) * sizeof *margins);
  if (!margins) return omr_fail(error, OMR_ERR_MEMORY, "out of memory for the answer");
  for (size_t i = 0; i < a->row_count * a->asked_count; i++) margins[i] = (double)NAN;
  if (a->rows == OMR_ANSWER_INSTANCES)
    status = read_margins(s, source, a, a->row_count, margins, error);
  if (status == OMR_OK && !omr_answer_find_thresholds(study, s, margins, a))
    status = omr_fail(error, OMR_ERR_MEMORY, "out of memory for the answer");
  free(margins);
  return status;
}

omr_status omr_answer_make(const omr_study *study, omr_source *source, omr_statistics *s,
                           omr_error *error) {
  omr_answer *a = calloc(1, sizeof *a);
  omr_answer_destroy(s->answer);
  s->answer = a;
  if (!a || !omr_answer_ask(study, s, a))
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory for the answer");

  /* of many instances only the best are rows, and without a direction the whole is one */
  a->rows = rows_of(study, s);
  if (s->no_rows && a->rows == OMR_ANSWER_INSTANCES) a->rows = OMR_ANSWER_WHOLE;
  a->of = a->rows == OMR_ANSWER_CELLS       ? s->cells.count
          : a->rows == OMR_ANSWER_INSTANCES ? s->rows
                                            : 1;
  size_t rows = a->of;
  if (a->rows == OMR_ANSWER_INSTANCES && rows > OMR_ANSWER_ROWS) {
    rows = 0;
    for (size_t i = 0; i < a->asked_count; i++) rows += a->asked[i].best != OMR_BEST_NONE;
    if (!has_direction(a)) a->rows = OMR_ANSWER_WHOLE, a->of = rows = 1;
  }
  if (!make_rows(s, rows, a))
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory for the answer");
  const omr_status status = fill(study, s, source, a, error);
  if (status == OMR_OK) mark_all(a);
  return status;
}

/* IN WORDS */

void omr_answer_absent(const omr_statistics *s, size_t row, size_t asked, char *text, size_t size) {
  const omr_answer *a = s->answer;
  const uint64_t *counts = a->by_status + row * OMR_INSTANCE_STATUS_COUNT;
  size_t length = 0;
  text[0] = '\0';
  for (int status = 1; status < OMR_INSTANCE_STATUS_COUNT && length < size; status++) {
    if (!counts[status]) continue;
    if (omr_answer_at(a, row, asked)->of > 1)
      length +=
          (size_t)snprintf(text + length, size - length, "%s%llu %s", length ? ", " : "",
                           (unsigned long long)counts[status], omr_instance_status_name(status));
    else
      length +=
          (size_t)snprintf(text + length, size - length, "%s", omr_instance_status_name(status));
  }
  if (length == 0 || counts[OMR_INSTANCE_OK])
    snprintf(text + length, length < size ? size - length : 0, "%s%s", length ? "; " : "",
             a->asked[asked].derived
                 ? "a term of its expression has no value there, or it divides by 0"
                 : "it has no value there");
}
