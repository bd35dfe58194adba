/* Some instances of a run that were run again with shorter steps. */
#ifndef OMR_SHORTER_STEPS_H
#define OMR_SHORTER_STEPS_H

#include "../study/derived.h"
#include "../study/step_sample.h"
#include "result.h"

#include <math.h>

/* Stands for the status of an instance that has not been run yet. */
#define OMR_NOT_RUN (-1)
/* The instance ended with a shorter step than its level's, since the run repeated it after a
 * failure. */
#define OMR_RETRIED (-2)

/* Level 0 holds the run's own rows, level l the rows with omr_substeps(l) steps to one of the
 * run. */
typedef struct omr_refined {
  omr_step_sample sample;
  size_t columns, parameters;            /* as in the result: varied parameters first */
  size_t instance[OMR_STEP_SAMPLE_MOST]; /* of each of sample.count places, ascending */
  int8_t *status; /* [levels + 1][count]: OMR_INSTANCE_*, OMR_NOT_RUN, OMR_RETRIED */
  double *values; /* [levels + 1][count][columns]; NaN where there is no value */
} omr_refined;

/* Makes room for the instances that the study chooses (omr_step_sample_of), none of them run.
 * Release with omr_refined_free. */
omr_status omr_refined_make(const omr_study *study, omr_refined *refined, omr_error *error);
void omr_refined_free(omr_refined *refined); /* all zero is allowed */

static inline int8_t *omr_refined_status(const omr_refined *refined, int level, size_t place) {
  return &refined->status[(size_t)level * refined->sample.count + place];
}
static inline double *omr_refined_row(const omr_refined *refined, int level, size_t place) {
  return &refined->values[((size_t)level * refined->sample.count + place) * refined->columns];
}

/* A value as it is kept: every NaN has the same bits, whatever backend it comes from. */
static inline double omr_refined_value(double value) {
  return isnan(value) ? (double)NAN : value;
}

/* Slots that all levels but the run's own take in a batch. */
static inline size_t omr_refined_slots(const omr_refined *refined) {
  return refined->sample.count * (size_t)refined->sample.levels;
}
/* True if they have been run. */
bool omr_refined_done(const omr_refined *refined);

/* Takes the run's own rows of the instances in `part`, a result or a piece of it. */
void omr_refined_note(omr_refined *refined, const omr_result *part);

#endif
