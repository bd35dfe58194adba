#include "friction.h"

double omr_friction_coefficient(const omr_friction *f, double t, omr_vec place) {
  return f->ground ? f->ground(f->ground_self, f->coefficient, t, place) : f->coefficient;
}

/* Law 1: -mu v/v_s within the slip speed, -mu v/|v| beyond. */
static omr_vec saturated(const omr_friction *f, double coefficient, omr_vec v) {
  return omr_scale(-coefficient / (f->slides ? omr_norm(v) : f->slip_speed), v);
}

/* phi(|v|)/|v| of source 4: phi = |v|/v_s or (2 - |v|/v_s) |v|/v_s within the slip speed, 1 beyond.
 */
static double secant(const omr_friction *f, double speed) {
  if (f->slides) return 1 / speed;
  return f->linear ? 1 / f->slip_speed : (2 - speed / f->slip_speed) / f->slip_speed;
}

/* Law 2 in its axes (lateral, longitudinal) = (k, -i): -phi/|v| T D T^T v with T = [[cos, sin],
 * [-sin, cos]] and D = diag(mu + d |v|). What changes the coefficient changes both directions in
 * proportion. */
static omr_vec regularized(const omr_friction *f, double coefficient, omr_vec v, omr_vec i,
                           omr_vec k) {
  double speed = omr_norm(v), factor = f->coefficient > 0 ? coefficient / f->coefficient : 0;
  double lateral = omr_dot(v, k), longitudinal = -omr_dot(v, i), c = f->cos_angle, s = f->sin_angle;
  double x = c * lateral - s * longitudinal, y = s * lateral + c * longitudinal; /* T^T v */
  x *= f->lateral + f->lateral_viscous * speed;
  y *= f->longitudinal + f->longitudinal_viscous * speed;
  omr_vec force = omr_axpy(omr_scale(c * x + s * y, k), s * x - c * y, i); /* T (x, y) */
  return omr_scale(-factor * secant(f, speed), force);
}

omr_vec omr_friction_force(const omr_friction *f, double coefficient, omr_vec v, omr_vec i,
                           omr_vec k) {
  return f->law == OMR_LAW_REGULARIZED ? regularized(f, coefficient, v, i, k)
                                       : saturated(f, coefficient, v);
}
