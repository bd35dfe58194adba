/* The moving ground of rolling_disc as the base of a multibody system: a plate with a given motion
 * (appendix/small.md#models). */
#ifndef OMR_PLATE_H
#define OMR_PLATE_H

#include "multibody/multibody.h"

/* Motion of the base (omr_mb_move_base) with the values OMR_VP_GROUND_ that `self`, a const double
 * *, points to. The frame's origin is the point about which the plate turns. */
omr_mb_motion omr_plate_move;

/* The point that the plate turns about, where the plate has it. */
omr_vec omr_plate_pivot(const double *values);
/* Quaternion of the plate at time t: from its axes to inertial ones. */
void omr_plate_quaternion(const double *values, double t, double q[4]);

#endif
