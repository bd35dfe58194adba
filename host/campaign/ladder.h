/* The step, or tolerance, that an accuracy needs: a few instances of a study at a ladder of them.
 * Below, a step is a tolerance where the study has one. */
#ifndef OMR_LADDER_H
#define OMR_LADDER_H

#include "../study/step_sample.h"

enum { OMR_LADDER_RUNGS = 12, OMR_LADDER_INSTANCES = 8 };

/* The errors at a step, of which the worst is that of entry `worst_of` of the study's
 * integrator.accept. */
typedef struct omr_rung {
  double step;   /* s; 1 */
  double passes; /* of an instance in a second */
  double worst;  /* error over what is accepted; NaN: not known */
  size_t worst_of;
} omr_rung;

typedef struct omr_ladder {
  size_t instances;
  size_t count;
  omr_rung rung[OMR_LADDER_RUNGS]; /* the longest step first */
  double needed;                /* the longest step whose error is accepted, s; 1; NaN: not found */
  double needed_passes, passes; /* with it, and with the study's own; NaN: not run */
  bool extrapolated;            /* it is shorter than those that were run */
  char why_not[300];            /* where nothing was measured; "" else */
} omr_ladder;

/* Runs up to OMR_LADDER_INSTANCES of the instances that a run takes again (omr_step_sample_of), on
 * openmp, with steps in which duration, time between samples and controller period fit, for about
 * `budget` seconds. Failures of it are told in why_not; fails without memory alone. */
omr_status omr_ladder_climb(const omr_study *study, double budget, omr_ladder *ladder,
                            omr_error *error);

#endif
