/* The top of the posterior, and its width by the Fisher matrix there: calibrate.polish. */
#ifndef OMR_CALIBRATE_MODE_H
#define OMR_CALIBRATE_MODE_H

#include <stdbool.h>
#include <stddef.h>

/* Noises are the stated ones. Owned by the calibration. */
typedef struct calibrate_mode {
  double *coordinate, *deviation;  /* [dimensions], standard normal; deviation 0 of noises */
  double *value, *value_deviation; /* [variation_count], in the study's frame; of those that have a
                                      value in each run, in another run */
  double *covariance; /* [unknowns][unknowns], of the coordinates that residuals depend on */
  size_t unknowns;
  double evidence;     /* its logarithm, by Laplace's approximation */
  double left;         /* the step that would follow, in deviations of the posterior */
  bool rests;          /* that step is as good as none */
  size_t steps, blind; /* taken; and unknowns whose differences failed on both sides */
  double apart;        /* the largest distance of the members' mean from it, in its deviations */
  size_t apart_at;     /* of this coordinate */
} calibrate_mode;

void calibrate_mode_destroy(calibrate_mode *mode); /* NULL-safe */

#endif
