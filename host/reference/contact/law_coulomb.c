/* Saturated Coulomb friction (appendix/laws.md#friction). */
#include "friction.h"

double omr_coulomb_coefficient(const double *values) {
  return values[OMR_WP_FRICTION];
}

/* -mu v/v_s within the slip speed, -mu v/|v| beyond; with drilling another speed replaces |v|. */
omr_vec omr_coulomb_force(const omr_friction *f, double coefficient, const omr_slipping *slip) {
  const double speed = omr_friction_speed(f, omr_norm(slip->v), slip->drilling);
  return omr_scale(-coefficient / (f->slides ? speed : f->slip_speed), slip->v);
}
