/* Sequential stopping: chunks in fixed places until the interval of a quantity is narrow enough or
 * a budget is spent. */
#include "../statistics/stop.h"
#include "../study/chunk_rows.h"
#include "plan.h"

#include <stdlib.h>

typedef struct stop_plan {
  omr_plan plan;
  omr_stop stop;
  double *values; /* of a row, and its status */
  size_t budget;  /* rows */
  size_t taken;   /* chunks */
  double seconds; /* their time, in whatever process: recorded with each */
  bool ended;
} stop_plan;

static omr_status stop_part(omr_plan *plan, size_t i, size_t *first, size_t *last, bool *end,
                            omr_error *error) {
  const stop_plan *p = (const stop_plan *)plan;
  (void)error;
  *end = i >= plan->chunks || (p->ended && i >= p->taken);
  *first = *end ? p->budget : i * plan->chunk_rows;
  *last = p->budget - *first > plan->chunk_rows ? *first + plan->chunk_rows : p->budget;
  return OMR_OK;
}

static omr_status stop_take(omr_plan *plan, size_t i, const omr_result *result, omr_error *error) {
  stop_plan *p = (stop_plan *)plan;
  const double most = plan->whole.study->statistics.stop.wall_time;
  if (i != p->taken || p->ended)
    return omr_fail(error, OMR_ERR_INTERNAL, "chunk %zu is not the one that follows", i);
  for (size_t row = 0; row < result->instances; row++) {
    for (size_t c = 0; c < result->column_count; c++) p->values[c] = result->columns[c].values[row];
    omr_stop_add(&p->stop, p->values, result->status[row]);
  }
  p->taken++;
  p->seconds += result->record.wall_seconds;
  p->ended = omr_stop_look(&p->stop) || (most > 0 && p->seconds >= most);
  return OMR_OK;
}

static void stop_close(omr_plan *plan) {
  stop_plan *p = (stop_plan *)plan;
  omr_stop_free(&p->stop);
  free(p->values);
  free(p);
}

static const omr_plan_ops stop_ops = {stop_part, stop_take, stop_close};

omr_status omr_plan_stop(const omr_study *study, omr_plan **plan, omr_error *error) {
  stop_plan *p = calloc(1, sizeof *p);
  *plan = NULL;
  if (!p) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  const size_t chunk = omr_chunk_rows(study);
  p->budget = omr_stop_budget(study);
  p->plan = (omr_plan){&stop_ops, omr_part_of(study), chunk,
                       p->budget / chunk + (p->budget % chunk != 0), true};
  p->values = calloc(study->variation_count + OMR_OBS_COUNT + 1, sizeof *p->values);
  omr_status status = p->values ? OMR_OK : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  if (status == OMR_OK) status = omr_stop_make(study, &p->stop, error);
  if (status == OMR_OK)
    *plan = &p->plan;
  else
    stop_close(&p->plan);
  return status;
}
