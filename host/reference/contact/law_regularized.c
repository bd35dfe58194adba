/* The regularised law of source 4 (appendix/laws.md#friction). */
#include "friction.h"

#include <math.h>

/* mu_x and mu_y, which default to mu. */
static double direction(const double *values, int index) {
  return isnan(values[index]) ? values[OMR_WP_FRICTION] : values[index];
}

double omr_regularized_coefficient(const double *values) {
  return fmax(direction(values, OMR_WP_LATERAL_FRICTION),
              direction(values, OMR_WP_LONGITUDINAL_FRICTION));
}

/* phi(|v|)/|v|: phi = |v|/v_s or (2 - |v|/v_s) |v|/v_s within the slip speed, 1 beyond. */
static double secant(const omr_friction *f, double speed) {
  if (f->slides) return 1 / speed;
  return f->linear ? 1 / f->slip_speed : (2 - speed / f->slip_speed) / f->slip_speed;
}

/* In the law's axes (lateral, longitudinal) = (k, -i): -phi/|v| T D T^T v with T = [[cos, sin],
 * [-sin, cos]] and D = diag(mu + d |v|). A change of the coefficient changes both directions in
 * proportion. */
omr_vec omr_regularized_force(const omr_friction *f, double coefficient, const omr_slipping *slip) {
  const double *values = f->values;
  const omr_vec v = slip->v, i = slip->i, k = slip->k;
  double speed = omr_norm(v), factor = f->coefficient > 0 ? coefficient / f->coefficient : 0;
  double c = cos(values[OMR_WP_FRICTION_ANGLE]), s = sin(values[OMR_WP_FRICTION_ANGLE]);
  double lateral = omr_dot(v, k), longitudinal = -omr_dot(v, i);
  double x = c * lateral - s * longitudinal, y = s * lateral + c * longitudinal; /* T^T v */
  x *= direction(values, OMR_WP_LATERAL_FRICTION) + values[OMR_WP_LATERAL_VISCOUS] * speed;
  y *=
      direction(values, OMR_WP_LONGITUDINAL_FRICTION) + values[OMR_WP_LONGITUDINAL_VISCOUS] * speed;
  omr_vec force = omr_axpy(omr_scale(c * x + s * y, k), s * x - c * y, i); /* T (x, y) */
  return omr_scale(-factor * secant(f, speed), force);
}
