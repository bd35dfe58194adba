/* Ensemble Kalman inversion in standard normal coordinates, with steps by the data misfit (Iglesias
 * and Yang, Inverse Problems 37, 025008, 2021). Members u_j start as draws of the prior, N(0, I);
 * r_j are the residuals of the data, scaled so that their noise is N(0, I). A step of the inverse
 * temperature s moves
 *   u_j += C_ur (C_rr + I/s)^-1 (sqrt(1/s) xi_j - r_j),
 * with covariances over the members and xi_j standard normal; the steps add up to 1. For a linear
 * model and many members the members at the end are draws of the posterior. The same bits on every
 * machine: sums are in the order of the members, and only kernels/scalar_math.h is called. */
#ifndef OMR_ENSEMBLE_H
#define OMR_ENSEMBLE_H

#include "../support/support.h"

#include <stdint.h>

typedef struct omr_ensemble_size {
  size_t members, dimensions, data;
} omr_ensemble_size;

/* Standard normal coordinate of a member before the first step. */
double omr_ensemble_prior(uint64_t seed, size_t member, size_t dimension);

/* The step of the inverse temperature, at most `left`, the rest of 1. residuals: [members][data] of
 * the members whose good[] is true, at least two. */
double omr_ensemble_step(omr_ensemble_size size, const double *residuals, const bool *good,
                         double left);

/* Takes the step number `step`: coordinates [members][dimensions] of the good members move, the
 * others are redrawn afterwards (omr_ensemble_redraw). */
omr_status omr_ensemble_move(omr_ensemble_size size, uint64_t seed, size_t step, double by,
                             const double *residuals, const bool *good, double *coordinates,
                             omr_error *error);

/* The distance of the data from the members' predictions: r^T (C_rr + I)^-1 r of the members' mean
 * residual r, chi-squared with as many degrees of freedom as there are data where model and noise
 * are right (the test of a prior against data of Evans and Moshonov, Bayesian Analysis 1, 2006, for
 * normal predictions). */
omr_status omr_ensemble_distance(omr_ensemble_size size, const double *residuals, const bool *good,
                                 double *square, omr_error *error);

/* Redraws the members that are not good from the normal distribution with the mean and covariance
 * of the others. attempt: makes the draws of a step differ. */
void omr_ensemble_redraw(omr_ensemble_size size, uint64_t seed, size_t step, size_t attempt,
                         const bool *good, double *coordinates);

#endif
