#include "step_ranking.h"

#include "../study/designs/special_functions.h"
#include "criteria_source.h"

#include <math.h>
#include <stdlib.h>

enum { ROWS = 256 };
#define ROUNDING 1e-9 /* of the means: a smaller difference counts as none */

static omr_status fail_memory(omr_error *error) {
  return omr_fail(error, OMR_ERR_MEMORY, "out of memory for the ranking of cells");
}

static void list_cells(const omr_refined *r, omr_step_cells *c) {
  for (size_t place = 0; place < r->sample.count; place++) {
    const size_t cell = r->sample.row[place] / r->sample.per_cell;
    if (c->count == 0 || c->cell[c->count - 1] != cell) c->cell[c->count++] = cell;
  }
}

omr_status omr_step_cells_open(omr_source *source, const omr_statistics *s, const omr_refined *r,
                               omr_step_cells *c, omr_error *error) {
  *c = (omr_step_cells){.statistics = s, .confidence = s->confidence, .common = r->sample.common};
  if (!r->sample.cells || !s->cells.count || s->no_rows) return OMR_OK; /* it reads rows */
  omr_status status = omr_source_with_criteria(source, s, &c->source, error);
  if (status != OMR_OK) return status;
  list_cells(r, c);
  c->rows = r->sample.per_cell < ROWS ? r->sample.per_cell : ROWS;
  c->status = malloc(c->count * c->rows + 1);
  c->values = malloc((c->count * c->rows + 1) * sizeof *c->values);
  if (!c->status || !c->values) return fail_memory(error);
  for (size_t i = 0; status == OMR_OK && i < c->count; i++)
    status = source->ops->status(source, c->cell[i] * r->sample.per_cell, c->rows,
                                 c->status + i * c->rows, NULL, error);
  return status;
}

void omr_step_cells_close(omr_step_cells *c) {
  omr_source_close(c->source);
  free(c->status);
  free(c->values);
  *c = (omr_step_cells){0};
}

/* Mean of a cell and its variance by chance, over the rows in use. */
typedef struct sums {
  double n, mean, squares;
} sums;

static void add(sums *s, double value) {
  const double before = value - s->mean;
  s->n += 1;
  s->mean += before / s->n;
  s->squares += before * (value - s->mean);
}

static double variance_of_mean(const sums *s) {
  return s->n > 1 ? s->squares / (s->n - 1) / s->n : HUGE_VAL;
}

static bool counts(const omr_step_cells *c, size_t at, bool every_status) {
  return isfinite(c->values[at]) && (every_status || c->status[at] == OMR_INSTANCE_OK);
}

/* Difference of two of the listed cells in the run, 0 where chance or rounding may explain it. */
static double told_apart(const omr_step_cells *c, size_t i, size_t j, bool every_status) {
  sums one = {0}, other = {0}, both = {0};
  for (size_t row = 0; row < c->rows; row++) {
    const size_t a = i * c->rows + row, b = j * c->rows + row;
    const bool a_counts = counts(c, a, every_status), b_counts = counts(c, b, every_status);
    if (a_counts) add(&one, c->values[a]);
    if (b_counts) add(&other, c->values[b]);
    if (a_counts && b_counts) add(&both, c->values[a] - c->values[b]);
  }
  const double here = c->common ? both.mean : one.mean - other.mean;
  const double variance =
      c->common ? variance_of_mean(&both) : variance_of_mean(&one) + variance_of_mean(&other);
  const double chance = omr_normal_quantile((1 + c->confidence) / 2) * sqrt(variance);
  const double rounding = ROUNDING * (fabs(one.mean) + fabs(other.mean));
  return fabs(here) > fmax(chance, rounding) ? here : 0;
}

/* Change of the difference of two cells by the step, on the points that both have; false if they
 * share none. */
static bool difference_of_errors(const omr_step_seen *seen, size_t count, size_t one, size_t other,
                                 double *error) {
  double sum = 0, common = 0;
  for (size_t a = 0; a < count; a++) {
    for (size_t b = 0; seen[a].cell == one && b < count; b++) {
      if (seen[b].cell != other || seen[b].point != seen[a].point) continue;
      sum += seen[a].error - seen[b].error;
      common += 1;
    }
  }
  *error = common > 0 ? sum / common : 0;
  return common > 0;
}

static void compare(const omr_step_cells *c, bool every_status, const omr_step_seen *seen,
                    size_t count, omr_step_ranking *ranking) {
  double farthest = 0, error;
  for (size_t i = 0; i < c->count; i++) {
    for (size_t j = i + 1; j < c->count; j++) {
      if (!difference_of_errors(seen, count, c->cell[i], c->cell[j], &error)) continue;
      const double here = told_apart(c, i, j, every_status);
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
  if (!c->source) return OMR_OK;
  for (size_t i = 0; status == OMR_OK && i < c->count; i++)
    status = c->source->ops->read(c->source, column, c->cell[i] * c->statistics->cells.per_cell,
                                  c->rows, c->values + i * c->rows, error);
  if (status == OMR_OK) compare(c, every_status, seen, count, ranking);
  return status;
}
