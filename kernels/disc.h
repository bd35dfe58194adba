/* The usual simplification of omni and mecanum wheels: a disc without rollers. The contact stays
 * under the wheel's centre; of the roller there is left the direction of its axis, painted on the
 * disc: a friction angle (source 4; host/model/disc.c). */

/* Contact of a disc in the terms of kernels/geometry.h: slip V.i + R rate, V.k with V the velocity
 * of the wheel's centre. No roller: no spin turns the contact, and the wheel angle does not matter.
 */
FN contact disc_contact(const real *w) {
  contact c;
  c.sin_q = R(0.0);
  c.cos_q = R(1.0);
  c.axis_up = c.axis_along = c.offset = R(0.0);
  c.i_yaw = w[W_ACROSS];
  c.i_rate = w[W_RADIUS];
  c.i_spin = R(0.0);
  c.k_yaw = -w[W_ALONG];
  c.k_rate = c.k_spin = R(0.0);
  return c;
}

/* The contact of a wheel with rollers or without. p: the vehicle's folded parameters. */
FN contact wheel_contact(const real *p, GLOBAL const int *c, const real *w, real q, real row) {
  if (SETTING(c, CONTACT) == CONTACT_DISC) return disc_contact(w);
  return tracked_contact(p, c, w, q, row);
}

/* Regularised law (kernels/friction.h) in which each of the two directions saturates by the slip
 * along it, so that a painted roller that rolls fast keeps its grip along its axis: source 4 has
 * the size of the whole slip in phi and in d |v|. */
FN void component_friction(const real *w, int linear, real factor, real slip_i, real slip_k,
                           real *unit_i, real *unit_k) {
  real s = w[W_FRICTION_SIN], c = w[W_FRICTION_COS];
  real along_x = fma_real(c, slip_k, s * slip_i),
       along_y = fma_real(s, slip_k, -(c * slip_i)); /* T^T v */
  real speed_x = abs_real(along_x), speed_y = abs_real(along_y);
  real gain_x = factor / max_real(speed_x, w[W_SLIP_SPEED]),
       gain_y = factor / max_real(speed_y, w[W_SLIP_SPEED]);
  if (!linear) {
    gain_x = gain_x * (R(2.0) - min_real(speed_x * w[W_INV_SLIP_SPEED], R(1.0)));
    gain_y = gain_y * (R(2.0) - min_real(speed_y * w[W_INV_SLIP_SPEED], R(1.0)));
  }
  real force_x = gain_x * fma_real(w[W_LATERAL_VISCOUS], speed_x, w[W_LATERAL]) * along_x;
  real force_y = gain_y * fma_real(w[W_LONGITUDINAL_VISCOUS], speed_y, w[W_LONGITUDINAL]) * along_y;
  *unit_i = fma_real(c, force_y, -(s * force_x));
  *unit_k = -fma_real(c, force_x, s * force_y);
}

/* Its stiffness per unit of load (kernels/rosenbrock.h), each direction for itself: the slope h +
 * |u| h' where it slides on, the secant h elsewhere. */
FN stiffness component_stiffness(const real *w, int linear, real factor, real slip_i, real slip_k,
                                 real coming_i, real coming_k) {
  real s = w[W_FRICTION_SIN], c = w[W_FRICTION_COS], dx, dy;
  real x = fma_real(c, slip_k, s * slip_i), y = fma_real(s, slip_k, -(c * slip_i));
  real speed_x = abs_real(x), speed_y = abs_real(y);
  real hx = regularized_secant(w, linear, factor, speed_x, w[W_LATERAL], w[W_LATERAL_VISCOUS], &dx);
  real hy = regularized_secant(w, linear, factor, speed_y, w[W_LONGITUDINAL],
                               w[W_LONGITUDINAL_VISCOUS], &dy);
  mask slides_x = gt(x * fma_real(c, coming_k, s * coming_i), w[W_SLIP_SPEED] * speed_x);
  mask slides_y = gt(y * fma_real(s, coming_k, -(c * coming_i)), w[W_SLIP_SPEED] * speed_y);
  hx = select_real(slides_x, fma_real(speed_x, dx, hx), hx);
  hy = select_real(slides_y, fma_real(speed_y, dy, hy), hy);
  return turned_stiffness(w, hx, R(0.0), R(0.0), hy);
}

/* Penalty contact of source 4: stiffness times penetration plus damping times its rate while the
 * disc is in the floor. A floor does not pull: where damping would, the load is 0. `heave` is the
 * height of the disc's lowest point; *lost: power of the damper. */
FN real penalty_load(const real *w, real heave, real heave_rate, real *lost) {
  real spring = w[W_STIFFNESS] * max_real(-heave, R(0.0));
  real load = max_real(fma_real(-w[W_DAMPING], heave_rate, spring), R(0.0));
  load = select_real(lt(heave, R(0.0)), load, R(0.0));
  *lost = (spring - load) * heave_rate;
  return load;
}
