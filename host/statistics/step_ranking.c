#include "step_ranking.h"

#include "../study/designs/special_functions.h"
#include "criteria_source.h"

#include <math.h>
#include <stdlib.h>

enum { ROWS = 256 };
#define ROUNDING 1e-9 /* of the means: a smaller difference counts as none */

static void list_cells(const omr_refined *r, omr_step_cells *c) {
  for (size_t place = 0; place < r->sample.count; place++) {
    const size_t cell = r->sample.row[place] / r->sample.per_cell;
    if (c->count == 0 || c->cell[c->count - 1] != cell) c->cell[c->count++] = cell;
  }
}

omr_status omr_step_cells_open(omr_source *source, const omr_statistics *s, const omr_refined *r,
                               omr_step_cells *c, omr_error *error) {
  *c = (omr_step_cells){.statistics = s, .confidence = s->confidence, .common = r->sample.common};
  if (!r->sample.cells || !s->cells.count) return OMR_OK;
  list_cells(r, c);
  c->summed = s->no_rows;
  if (c->summed) return OMR_OK;
  omr_status status = omr_source_with_criteria(source, s, &c->source, error);
  if (status != OMR_OK) return status;
  c->rows = r->sample.per_cell < ROWS ? r->sample.per_cell : ROWS;
  c->status = omr_pool_take(&c->memory, c->count * c->rows, sizeof *c->status);
  c->values = omr_pool_take(&c->memory, c->count * c->rows, sizeof *c->values);
  if (c->memory.failed)
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory for the ranking of cells");
  for (size_t i = 0; status == OMR_OK && i < c->count; i++)
    status = source->ops->status(source, c->cell[i] * r->sample.per_cell, c->rows,
                                 c->status + i * c->rows, NULL, error);
  return status;
}

void omr_step_cells_close(omr_step_cells *c) {
  omr_source_close(c->source);
  omr_pool_free(&c->memory);
  *c = (omr_step_cells){0};
}

/* Variance by chance of the mean of a cell, over the rows in use. */
static double variance_of_mean(const omr_sums *s) {
  return s->count > 1 ? s->squares / (s->count - 1) / s->count : HUGE_VAL;
}

static bool counts(const omr_step_cells *c, size_t at, bool every_status) {
  return isfinite(c->values[at]) && (every_status || c->status[at] == OMR_INSTANCE_OK);
}

static double beyond(double difference, double chance, const omr_sums *one, const omr_sums *other) {
  const double rounding = ROUNDING * (fabs(one->mean) + fabs(other->mean));
  return fabs(difference) > fmax(chance, rounding) ? difference : 0;
}

/* Difference of two of the listed cells in the run, 0 where chance or rounding may explain it. */
static double told_apart(const omr_step_cells *c, size_t i, size_t j, bool every_status) {
  omr_sums one = {0}, other = {0}, both = {0};
  for (size_t row = 0; row < c->rows; row++) {
    const size_t a = i * c->rows + row, b = j * c->rows + row;
    const bool a_counts = counts(c, a, every_status), b_counts = counts(c, b, every_status);
    if (a_counts) omr_sums_add(&one, c->values[a]);
    if (b_counts) omr_sums_add(&other, c->values[b]);
    if (a_counts && b_counts) omr_sums_add(&both, c->values[a] - c->values[b]);
  }
  const double here = c->common ? both.mean : one.mean - other.mean;
  const double variance =
      c->common ? variance_of_mean(&both) : variance_of_mean(&one) + variance_of_mean(&other);
  const double chance = omr_normal_quantile((1 + c->confidence) / 2) * sqrt(variance);
  return beyond(here, chance, &one, &other);
}

/* Chosen instances. */
typedef struct chosen {
  const omr_step_seen *seen;
  size_t count;
} chosen;

/* Differences of two cells on the points that both have: of the errors by the step, or of the
 * values in the run. */
static omr_sums differences(const chosen *list, size_t one, size_t other, bool of_errors) {
  const omr_step_seen *seen = list->seen;
  omr_sums s = {0};
  for (size_t a = 0; a < list->count; a++) {
    for (size_t b = 0; seen[a].cell == one && b < list->count; b++) {
      if (seen[b].cell != other || seen[b].point != seen[a].point) continue;
      omr_sums_add(&s, of_errors ? seen[a].error - seen[b].error : seen[a].value - seen[b].value);
    }
  }
  return s;
}

static omr_sums sums_of_cell(const omr_statistics *s, size_t column, size_t cell) {
  if (column < s->quantity_count) {
    const omr_moments *m = &s->cells.moments[cell * s->quantity_count + column];
    return (omr_sums){(double)m->used, m->mean, m->squares};
  }
  const omr_criterion_counts *counts =
      &s->cells.criteria[cell * s->criterion_count + column - s->quantity_count];
  const double n = (double)(counts->met + counts->not_met), share = omr_probability_of(counts);
  return (omr_sums){n, share, n * share * (1 - share)};
}

/* The same without rows. Too few truths are chosen to tell how those of two cells go together. */
static double told_apart_by_sums(const omr_step_cells *c, size_t column, const chosen *list,
                                 size_t i, size_t j) {
  const omr_sums one = sums_of_cell(c->statistics, column, c->cell[i]),
                 other = sums_of_cell(c->statistics, column, c->cell[j]),
                 both = differences(list, c->cell[i], c->cell[j], false);
  if (one.count < 1 || other.count < 1) return 0;
  const double variance = variance_of_mean(&one) + variance_of_mean(&other);
  double chance = omr_normal_quantile((1 + c->confidence) / 2) * sqrt(variance);
  if (c->common && column < c->statistics->quantity_count && both.squares > 0)
    chance = fmin(chance, omr_student_quantile(both.count - 1, c->confidence) *
                              sqrt(both.squares / (both.count - 1) / fmin(one.count, other.count)));
  return beyond(one.mean - other.mean, chance, &one, &other);
}

static void compare(const omr_step_cells *c, size_t column, bool every_status, const chosen *list,
                    omr_step_ranking *ranking) {
  double farthest = 0;
  for (size_t i = 0; i < c->count; i++) {
    for (size_t j = i + 1; j < c->count; j++) {
      const omr_sums errors = differences(list, c->cell[i], c->cell[j], true);
      const double error = errors.mean;
      if (errors.count < 1) continue;
      const double here =
          c->summed ? told_apart_by_sums(c, column, list, i, j) : told_apart(c, i, j, every_status);
      if (here == 0) continue;
      ranking->pairs++;
      if (here * (here - error) >= 0) continue;
      ranking->reversed++;
      if (fabs(here) <= farthest) continue;
      farthest = fabs(here);
      ranking->cells[0] = c->cell[i];
      ranking->cells[1] = c->cell[j];
    }
  }
}

omr_status omr_step_rank(omr_step_cells *c, size_t column, bool every_status,
                         const omr_step_seen *seen, size_t count, omr_step_ranking *ranking,
                         omr_error *error) {
  *ranking = (omr_step_ranking){0};
  omr_status status = OMR_OK;
  if (!c->source && !c->summed) return OMR_OK;
  for (size_t i = 0; !c->summed && status == OMR_OK && i < c->count; i++)
    status = c->source->ops->read(c->source, column, c->cell[i] * c->statistics->cells.per_cell,
                                  c->rows, c->values + i * c->rows, error);
  if (status == OMR_OK) compare(c, column, every_status, &(chosen){seen, count}, ranking);
  return status;
}
