/* Subset simulation: the points of a batch (level 0, then a step of all chains) in chunks. A
 * chunk's rows and values follow from the study and the chunks before it, which `take` receives
 * again when a run is resumed. */
#include "../statistics/margin.h"
#include "../statistics/subset.h"
#include "../study/chunk_rows.h"
#include "plan.h"

#include <stdlib.h>

typedef struct subset_plan {
  omr_plan plan;
  omr_subset *subset;
  omr_margin margin;
  double *values; /* of a row, and its status */
  size_t taken;   /* rows */
} subset_plan;

static size_t pieces(size_t rows, size_t chunk) {
  return rows / chunk + (rows % chunk != 0);
}

/* The rows of chunk i if the simulation comes so far: chunks end where batches do. */
static void place(const subset_plan *p, size_t i, size_t *first, size_t *last) {
  const omr_sampling *sample = &p->plan.whole.study->sample;
  const size_t points = sample->points, chains = points / sample->parts, chunk = p->plan.chunk_rows;
  const size_t before = pieces(points, chunk), each = pieces(chains, chunk);
  const bool level0 = i < before;
  const size_t batch = level0 ? 0 : points + (i - before) / each * chains;
  const size_t within = (level0 ? i : (i - before) % each) * chunk, rows = level0 ? points : chains;
  *first = batch + within;
  *last = batch + (rows - within > chunk ? within + chunk : rows);
}

/* The coordinates of the batch that runs. */
static void give_points(subset_plan *p) {
  p->plan.whole.known = omr_subset_points(p->subset);
  p->plan.whole.known_first = omr_subset_first(p->subset);
  p->plan.whole.known_count = omr_subset_count(p->subset);
}

static omr_status subset_part(omr_plan *plan, size_t i, size_t *first, size_t *last, bool *end,
                              omr_error *error) {
  subset_plan *p = (subset_plan *)plan;
  (void)error;
  give_points(p);
  place(p, i, first, last);
  *end = i >= plan->chunks || (omr_subset_count(p->subset) == 0 && *first >= p->taken);
  return OMR_OK;
}

static omr_status subset_take(omr_plan *plan, size_t i, const omr_result *result,
                              omr_error *error) {
  subset_plan *p = (subset_plan *)plan;
  size_t first, last;
  place(p, i, &first, &last);
  if (first != p->taken || result->instances != last - first || omr_subset_count(p->subset) == 0)
    return omr_fail(error, OMR_ERR_INTERNAL, "chunk %zu is not the one that follows", i);
  for (size_t row = 0; row < result->instances; row++) {
    for (size_t c = 0; c < result->column_count; c++) p->values[c] = result->columns[c].values[row];
    omr_subset_take(p->subset, omr_margin_of(&p->margin, p->values, result->status[row]));
  }
  p->taken = last;
  return OMR_OK;
}

static void subset_close(omr_plan *plan) {
  subset_plan *p = (subset_plan *)plan;
  omr_subset_destroy(p->subset);
  omr_margin_free(&p->margin);
  free(p->values);
  free(p);
}

static const omr_plan_ops subset_ops = {subset_part, subset_take, subset_close};

omr_status omr_plan_subset(const omr_study *study, omr_plan **plan, omr_error *error) {
  subset_plan *p = calloc(1, sizeof *p);
  *plan = NULL;
  if (!p) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");

  /* The levels limit the number of chunks. */
  const omr_subset_settings settings = omr_subset_settings_of(study);
  const size_t chunk = omr_chunk_rows(study);
  p->plan = (omr_plan){&subset_ops, omr_part_of(study), chunk, 0, false};
  p->plan.chunks =
      pieces(settings.points, chunk) + (settings.levels - 1) * (settings.parts - 1) *
                                           pieces(settings.points / settings.parts, chunk);

  /* The study's margin decides on failures. */
  p->values = calloc(study->variation_count + OMR_OBS_COUNT + 1, sizeof *p->values);
  omr_status status = p->values ? OMR_OK : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  if (status == OMR_OK) status = omr_margin_make(study, study->sample.failure, &p->margin, error);
  if (status == OMR_OK) status = omr_subset_make(&settings, &p->subset, error);
  if (status != OMR_OK) {
    subset_close(&p->plan);
    return status;
  }

  /* The first batch waits for its run. */
  give_points(p);
  *plan = &p->plan;
  return OMR_OK;
}
