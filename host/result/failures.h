/* The instances of a run that failed: which, how, when, and their last good state. Memory grows
 * with those that failed alone. */
#ifndef OMR_FAILURES_H
#define OMR_FAILURES_H

#include "../study/study.h"

enum { OMR_FAILURE_QUANTITIES = 24, OMR_FAILURE_REASONS = 100 };

/* A quantity of the state. source: OMR_VS_ or OMR_WS_ of result.h, the number of a small model's
 * column, or -1: passes. */
typedef struct omr_failure_quantity {
  char name[64], unit[64], meaning[128];
  char id[32]; /* of a small model: the column, whatever the frame calls it */
  int source;
  bool negated; /* the study's frame turns it; states are given to omr_failures_add in that of the
                   kernels */
} omr_failure_quantity;

typedef struct omr_failure_reason {
  uint64_t instance;
  char *text;
} omr_failure_reason;

/* Zero-initialised: no failures of no study. */
typedef struct omr_failures {
  size_t count, room;
  size_t wheels, vehicle_count, wheel_count; /* quantities of the vehicle, and of each wheel */
  omr_failure_quantity vehicle[OMR_FAILURE_QUANTITIES], wheel[OMR_FAILURE_QUANTITIES];
  uint64_t *instance; /* [count], ascending once sorted */
  int8_t *status;     /* [count], OMR_INSTANCE_ */
  double *time;       /* [count], s */
  double *state; /* [count][omr_failures_width]: the vehicle's quantities, then for each wheel's all
                    wheels; NaN: never ran */
  size_t reason_count;
  omr_failure_reason *reasons; /* why the first OMR_FAILURE_REASONS invalid instances were refused,
                                  ascending once sorted */
} omr_failures;

/* The quantities of the study's model; no failures yet. OMR_ERR_INTERNAL for a model that has no
 * list of them, and none then. */
omr_status omr_failures_make(const omr_study *study, omr_failures *failures, omr_error *error);
void omr_failures_free(omr_failures *failures);

/* Numbers of a state. */
static inline size_t omr_failures_width(const omr_failures *failures) {
  return failures->vehicle_count + failures->wheel_count * failures->wheels;
}

/* One more, with a copy of its state (NULL: it has none) and of its reason ("" or NULL: none).
 * False when out of memory. */
bool omr_failures_add(omr_failures *failures, uint64_t instance, int status, double time,
                      const double *state, const char *reason);
/* All of `more`, which has the same quantities, after those that are there; of the reasons the
 * first are kept. A list that was not made takes its quantities from `more`. False when out of
 * memory. */
bool omr_failures_join(omr_failures *failures, const omr_failures *more);
/* Those of `from` whose instances are first .. last, in the same way. */
bool omr_failures_join_between(omr_failures *failures, const omr_failures *from, uint64_t first,
                               uint64_t last);
/* Forgets those among the `count` instances, which are ascending: they were run again. */
void omr_failures_drop(omr_failures *failures, const size_t *instances, size_t count);
/* By number of the instance; of the reasons the first are kept. False when out of memory. */
bool omr_failures_sort(omr_failures *failures);

#endif
