#include "plan.h"
#include "../study/chunk_rows.h"

#include <stdlib.h>

static omr_status static_part(omr_plan *plan, size_t i, size_t *first, size_t *last, bool *end,
                              omr_error *error) {
  const size_t rows = plan->whole.rows;
  (void)error;
  *end = i >= plan->chunks;
  *first = *end ? rows : i * plan->chunk_rows;
  *last = rows - *first > plan->chunk_rows ? *first + plan->chunk_rows : rows;
  return OMR_OK;
}

static void static_close(omr_plan *plan) {
  free(plan);
}

static const omr_plan_ops static_ops = {static_part, NULL, static_close};

/* Chunks in fixed places: chunk i has the rows from i * omr_chunk_rows(study) on. */
static omr_status make_static(const omr_study *study, omr_plan **plan, omr_error *error) {
  omr_plan *p = *plan = calloc(1, sizeof *p);
  if (!p) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  const size_t rows = study->instances, chunk = omr_chunk_rows(study);
  *p =
      (omr_plan){&static_ops, omr_part_of(study), chunk, rows / chunk + (rows % chunk != 0), false};
  return OMR_OK;
}

omr_status omr_plan_make(const omr_study *study, omr_plan **plan, omr_error *error) {
  if (study->design.type == OMR_DESIGN_SUBSET) return omr_plan_subset(study, plan, error);
  if (study->statistics.stop.given) return omr_plan_stop(study, plan, error);
  return make_static(study, plan, error);
}

void omr_plan_close(omr_plan *plan) {
  if (plan) plan->ops->close(plan);
}
