/* Drilling friction of a roller on its area of contact, coupled to sliding
 * (appendix/laws.md#friction). */
#ifndef OMR_REFERENCE_DRILLING_H
#define OMR_REFERENCE_DRILLING_H

#include "friction.h"

/* Moment about the vertical per unit of normal load by drilling on an area of contact
 * (appendix/laws.md#friction), m. */
double omr_friction_drilling(const omr_friction *f, double coefficient, const omr_slipping *slip);
/* The speed to compare with slip_speed: slip times mu N over the force of sliding. It equals the
 * slip without drilling and exceeds it otherwise. */
double omr_friction_speed(const omr_friction *f, double slip, double drilling);

#endif
