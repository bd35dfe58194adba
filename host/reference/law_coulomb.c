/* Saturated Coulomb friction (PHYSICS.md#8-laws-of-friction). */
#include "friction.h"

double omr_coulomb_coefficient(const double *values) {
  return values[OMR_WP_FRICTION];
}

/* -mu v/v_s within the slip speed, -mu v/|v| beyond. */
omr_vec omr_coulomb_force(const omr_friction *f, double coefficient, const omr_slipping *slip) {
  return omr_scale(-coefficient / (f->slides ? omr_norm(slip->v) : f->slip_speed), slip->v);
}
