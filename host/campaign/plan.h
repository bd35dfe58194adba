/* A plan: how the rows of a study are cut into chunks, parts that are run, stored and checked one
 * by one, and whether later chunks depend on earlier results. */
#ifndef OMR_PLAN_H
#define OMR_PLAN_H

#include "../result/result.h"

typedef struct omr_plan omr_plan;

typedef struct omr_plan_ops {
  /* Rows *first .. *last-1 of chunk i, contiguous with chunk i-1; *end is true where there is no
   * such chunk. With `take`, the call for chunk i comes after chunk i-1 was taken. */
  omr_status (*part)(omr_plan *plan, size_t i, size_t *first, size_t *last, bool *end,
                     omr_error *error);
  /* Takes a finished chunk, in chunk order and once per process, whether it ran now or was read
   * back from its file. NULL: chunks do not depend on results and run in any order and in several
   * processes; then `chunks` is known from the start. */
  omr_status (*take)(omr_plan *plan, size_t i, const omr_result *result, omr_error *error);
  void (*close)(omr_plan *plan);
} omr_plan_ops;

struct omr_plan {
  const omr_plan_ops *ops;
  omr_part whole; /* that the chunks are cut out of; a plan with `take` may change its coordinates
                     before the next chunk */
  size_t chunk_rows; /* rows of every chunk but the last */
  size_t chunks;     /* the most chunks; exact where `take` is NULL */
  bool ahead; /* with `take`: rows of a chunk are known beforehand, and only where the run ends
                 depends on results; then chunks may be computed before those in front of them are
                 taken, and are dropped beyond the end */
};

/* Chooses the plan that the study needs; the study must outlive it, and gets its text and name from
 * the manifest before the first call of part(). Close with omr_plan_close. */
omr_status omr_plan_make(const omr_study *study, omr_plan **plan, omr_error *error);
void omr_plan_close(omr_plan *plan); /* NULL-safe */

/* plan_stop.c: chunks in fixed places until study->statistics.stop says that it is enough. */
omr_status omr_plan_stop(const omr_study *study, omr_plan **plan, omr_error *error);

/* plan_subset.c: the levels of a design of type subset_simulation. */
omr_status omr_plan_subset(const omr_study *study, omr_plan **plan, omr_error *error);

#endif
