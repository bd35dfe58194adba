/* Statistics from sums: the numbers of any statistics, but that quantiles have errors and extremes
 * the numbers of their instances. */
#include "../answer.h"
#include "partial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static omr_moments moments_of(const omr_partial_column *c) {
  if (c->used == 0)
    return (omr_moments){0, c->without_value, (double)NAN, (double)NAN, (double)NAN, (double)NAN};
  return (omr_moments){.used = c->used,
                       .without_value = c->without_value,
                       .min = c->min,
                       .max = c->max,
                       .mean = omr_exact_mean(&c->sum, c->used),
                       .squares =
                           fmax(omr_exact_scatter(c->used, &c->sum, &c->sum, &c->squares), 0)};
}

/* HISTOGRAMS */

/* Moves an edge that lies within a bin of the sketch to the nearer end of it. */
static double move_edge(const omr_partial_column *c, const omr_sketch_bin *sorted, double edge) {
  size_t low = 0, high = c->sketch.taken;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (omr_sketch_range(&c->sketch, sorted[middle].key).high < edge)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == c->sketch.taken) return edge;
  const omr_bounds bin = omr_sketch_range(&c->sketch, sorted[low].key);
  if (edge <= bin.low) return edge;
  return edge - bin.low <= bin.high - edge ? bin.low : nextafter(bin.high, HUGE_VAL);
}

static void fill_histogram(const omr_partial_column *c, const omr_sketch_bin *sorted, int bins,
                           omr_quantity *quantity) {
  memset(quantity->histogram, 0, (size_t)bins * sizeof *quantity->histogram);
  if (bins == 0) return;
  omr_set_edges(quantity, bins);
  for (int e = 1; e < bins; e++) quantity->edges[e] = move_edge(c, sorted, quantity->edges[e]);
  int bin = 0;
  for (size_t i = 0; i < c->sketch.taken; i++) {
    const double low = fmax(omr_sketch_range(&c->sketch, sorted[i].key).low, c->min);
    while (bin + 1 < bins && low >= quantity->edges[bin + 1]) bin++;
    quantity->histogram[bin] += sorted[i].count;
  }
}

/* COLUMNS */

static bool fill_quantiles(const omr_statistics *s, const omr_partial_column *c,
                           const omr_sketch_bin *sorted, double *quantiles, double *errors) {
  for (size_t l = 0; l < s->quantile_count; l++) {
    double error;
    quantiles[l] = omr_sketch_quantile(&c->sketch, sorted, c->used, s->levels[l],
                                       (omr_bounds){c->min, c->max}, &error);
    if (errors) errors[l] = error;
  }
  return true;
}

static bool fill_quantity(omr_statistics *s, const omr_partial_column *c, omr_quantity *quantity) {
  omr_sketch_bin *sorted = omr_sketch_sorted(&c->sketch);
  quantity->quantile_errors =
      omr_pool_take(&s->memory, s->quantile_count, sizeof *quantity->quantile_errors);
  if (!sorted || !quantity->quantile_errors) {
    free(sorted);
    return false;
  }
  quantity->moments = moments_of(c);
  quantity->least = c->least;
  quantity->most = c->most;
  quantity->first = c->first;
  quantity->min_at = c->min_at;
  quantity->max_at = c->max_at;

  /* from the bins */
  fill_quantiles(s, c, sorted, quantity->quantiles, quantity->quantile_errors);
  fill_histogram(c, sorted, s->bins, quantity);
  free(sorted);
  return true;
}

/* Bins of a cell are too wide for the histogram of the whole, so cells have none. */
static bool fill_cells(const omr_partial *sums, omr_statistics *s) {
  const omr_cells *from = &sums->frame->cells;
  omr_cells *cells = &s->cells;
  cells->histogram = NULL;
  if (cells->count == 0) return true;

  /* counts and values as they are */
  memcpy(cells->by_status, from->by_status,
         cells->count * OMR_INSTANCE_STATUS_COUNT * sizeof *cells->by_status);
  memcpy(cells->values, from->values, cells->count * cells->design_count * sizeof *cells->values);
  memcpy(cells->criteria, from->criteria,
         cells->count * s->criterion_count * sizeof *cells->criteria);

  /* moments and quantiles from the sums */
  for (size_t i = 0; i < cells->count * s->quantity_count; i++) {
    const omr_partial_column *c = &sums->cell_columns[i];
    omr_sketch_bin *sorted = omr_sketch_sorted(&c->sketch);
    if (!sorted) return false;
    cells->moments[i] = moments_of(c);
    fill_quantiles(s, c, sorted, cells->quantiles + i * s->quantile_count, NULL);
    free(sorted);
  }

  return true;
}

static bool fill(const omr_partial *sums, omr_statistics *s) {
  const omr_statistics *from = sums->frame;
  memcpy(s->by_status, from->by_status, sizeof s->by_status);
  memcpy(s->earliest, from->earliest, sizeof s->earliest);
  memcpy(s->failed, from->failed, sizeof s->failed);
  for (size_t c = 0; c < s->criterion_count; c++) s->criteria[c].counts = from->criteria[c].counts;
  for (size_t q = 0; q < s->quantity_count; q++)
    if (!fill_quantity(s, &sums->columns[q], &s->quantities[q])) return false;
  return fill_cells(sums, s);
}

omr_status omr_partial_statistics(const omr_partial *sums, omr_source *source,
                                  omr_statistics **statistics, omr_error *error) {
  omr_statistics *s = NULL;
  *statistics = NULL;
  omr_status status = omr_partial_frame(sums->study, source, (size_t)sums->rows, &s, error);
  if (status == OMR_OK && !fill(sums, s))
    status = omr_fail(error, OMR_ERR_MEMORY, "out of memory for statistics");
  if (status == OMR_OK) s->kept = source->rows;
  if (status == OMR_OK) status = omr_partial_sensitivity(sums, source, s, error);
  if (status == OMR_OK) status = omr_answer_make(sums->study, source, s, error);
  if (status == OMR_OK)
    *statistics = s;
  else
    omr_statistics_destroy(s);
  return status;
}
