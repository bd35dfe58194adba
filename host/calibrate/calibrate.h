/* omniroll calibrate: from measured runs to parameters. What the order of work is, and what it
 * leaves; conventions of ownership: include/omniroll/calibrate.h. */
#ifndef OMR_CALIBRATE_H
#define OMR_CALIBRATE_H

#include "../include/omniroll/calibrate.h"
#include "ensemble.h"
#include "forward.h"
#include "tempering.h"

#include "../support/tree.h"

/* A step of the ensemble. */
typedef struct omr_calibrate_step {
  double by, reached;     /* the step of the inverse temperature, and their sum */
  double misfit;          /* half the mean square sum of residuals before it, over their number */
  size_t failed, redrawn; /* members that did not reach the end of all runs; how often redrawn */
} omr_calibrate_step;

/* What the members leave of a run, in a sample's unit. */
typedef struct omr_calibrate_error {
  size_t run;           /* in data.runs */
  size_t sample;        /* in data.measured */
  double before, after; /* root mean square over members and instants: of the prior, and fitted */
  double mean_after;    /* of the members' mean */
  double end;           /* of the members' mean at the end of the run */
} omr_calibrate_error;

struct omr_calibrate {
  const omr_study *study;
  uint64_t seed;
  omr_forward fitted, held_out;
  omr_ensemble_size size;
  double *coordinates; /* [members][dimensions] */
  double *values;      /* [members][study->variation_count], in the study's frame */
  bool *good;
  size_t good_count;
  omr_calibrate_step *step;
  size_t steps;
  omr_calibrate_error *error;
  size_t errors;
  double *sensitivity; /* [dimensions], of all residuals together, per deviation of the prior */
  double *singular;    /* [dimensions], ascending, then a direction in each row (identify.h) */
  omr_tempering_stage *stage; /* of the posterior; NULL: the ensemble is the answer */
  size_t stages;
  double evidence; /* its logarithm, of the densities of the residuals */
};

/* sensitivity.c: fills sensitivity and singular about the members' mean. */
omr_status calibrate_find_sensitivity(omr_calibrate *c, const omr_run_options *options,
                                      omr_error *error);

/* posterior.c: the members become points of the posterior. */
omr_status calibrate_find_posterior(omr_calibrate *c, const omr_calibrate_options *o,
                                    const omr_run_options *options, omr_error *error);

/* calibrate_errors.c: fills errors of the members as they are; before: they are draws of the prior.
 */
omr_status calibrate_find_errors(omr_calibrate *c, omr_forward *forward, bool before,
                                 const omr_run_options *options, omr_error *error);

#endif
