/* The step, or tolerance, that an accuracy needs: a few instances of a study at a ladder of steps.
 * Below, a step is a tolerance where the study has one. */
#ifndef OMR_STEP_LADDER_H
#define OMR_STEP_LADDER_H

#include "../study/step_sample.h"

enum { OMR_LADDER_RUNGS = 12, OMR_LADDER_INSTANCES = 8 };

/* The errors at a step, the worst of which belongs to entry `worst_of` of the study's
 * integrator.accept. */
typedef struct omr_rung {
  double step;   /* s; 1 */
  double passes; /* of an instance in a second */
  double worst;  /* error over the accepted one; NaN: unknown */
  size_t worst_of;
} omr_rung;

typedef struct omr_ladder {
  size_t instances;
  size_t count;
  omr_rung rung[OMR_LADDER_RUNGS]; /* the longest step first */
  double needed;                /* the longest step whose error is accepted, s; 1; NaN: not found */
  double needed_passes, passes; /* with it, and with the study's own; NaN: not run */
  bool extrapolated;            /* it is shorter than the steps that were run */
  char why_not[300];            /* the reason why nothing was measured; else "" */
} omr_ladder;

/* Runs up to OMR_LADDER_INSTANCES of the instances that a run repeats (omr_step_sample_of), on
 * openmp, with steps in which duration, time between samples and controller period fit, for about
 * `budget` seconds. why_not explains a failure; only a lack of memory is an error. */
omr_status omr_ladder_climb(const omr_study *study, double budget, omr_ladder *ladder,
                            omr_error *error);

#endif
