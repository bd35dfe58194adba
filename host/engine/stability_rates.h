/* The longest stable step of a prepared instance (explanation/steps.md#methods). */
#ifndef OMR_STABILITY_RATES_H
#define OMR_STABILITY_RATES_H

#include "../model/prepare.h"
#include "../model/small.h"

/* Longest stable step of the instance in the batch's first slot, s; infinite where nothing bounds
 * it. small: the small model, or NULL. params: its folded parameters, one column every OMR_PAD
 * numbers. */
double omr_stable_step(omr_method method, const omr_small_model *small, const int *settings,
                       const double *params);

/* Least inertia that a torque at the wheel accelerates in the same instance, kg m^2: under laws of
 * friction, and those that let go of a constraint, the wheel's own, with its rotor; under
 * constraints the smallest of the reduced inertia matrix of all wheels, with the rollers in the
 * middle or at either edge. */
double omr_least_inertia(const int *settings, const double *params, int wheel);

#endif
