/* The failed instances of a run: their numbers, status, time and last good state. Memory grows with
 * the number of failed instances only. */
#ifndef OMR_FAILURES_H
#define OMR_FAILURES_H

#include "../study/study.h"

enum { OMR_FAILURE_QUANTITIES = 24, OMR_FAILURE_REASONS = 100 };

/* A quantity of the state. source: OMR_VS_ or OMR_WS_ of result.h, the number of a small model's
 * column, or -1: passes. */
typedef struct omr_failure_quantity {
  char name[64], unit[64], meaning[128];
  char id[32]; /* of a small model: the column, whatever its name in the frame */
  int source;
  bool negated; /* the study's frame turns it; omr_failures_add takes the kernels' values */
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
  double *state; /* [count][omr_failures_width]: quantities of the vehicle, then each wheel quantity
                    for all wheels; NaN: never ran */
  size_t reason_count;
  omr_failure_reason *reasons; /* why the first OMR_FAILURE_REASONS invalid instances were refused,
                                  ascending once sorted */
} omr_failures;

/* Lists the quantities of the study's model, without failures. OMR_ERR_INTERNAL for a model that
 * has no such list; then there are none. */
omr_status omr_failures_make(const omr_study *study, omr_failures *failures, omr_error *error);
void omr_failures_free(omr_failures *failures);

/* Numbers in a state. */
static inline size_t omr_failures_width(const omr_failures *failures) {
  return failures->vehicle_count + failures->wheel_count * failures->wheels;
}

/* Adds a failure, with a copy of its state (NULL: it has none) and of its reason ("" or NULL:
 * none). False when out of memory. */
bool omr_failures_add(omr_failures *failures, uint64_t instance, int status, double time,
                      const double *state, const char *reason);
/* Appends all failures of `more`, which has the same quantities; keeps the first reasons. An empty
 * list takes its quantities from `more`. False when out of memory. */
bool omr_failures_join(omr_failures *failures, const omr_failures *more);
/* Appends the failures of `from` whose instances are first .. last in the same way. */
bool omr_failures_join_between(omr_failures *failures, const omr_failures *from, uint64_t first,
                               uint64_t last);
/* Drops the failures of the `count` instances, which are ascending: they were run again. */
void omr_failures_drop(omr_failures *failures, const size_t *instances, size_t count);
/* Sorts by the number of the instance; keeps the first reasons. False when out of memory. */
bool omr_failures_sort(omr_failures *failures);

#endif
