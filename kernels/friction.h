/* Laws of friction: the force per unit of normal load that a slip velocity makes (PHYSICS.md#8-laws-of-friction). */

/* Saturated Coulomb friction (law 1; sources 1 and 2): force per unit of load -mu v / max(|v|,
 * v_s); the factor of v. friction: mu under the wheel (kernels/ground.h). */
FN real saturated_coulomb(const real *w, real friction, real slip2) {
  return -(friction / max_real(sqrt_real(slip2), w[W_SLIP_SPEED]));
}

/* Regularised law of Exudyn (law 2; source 4), in its axes (lateral, longitudinal) = (k, -i):
 * -phi(|v|) T D T^T v/|v| with T = [[cos, sin], [-sin, cos]] of the friction angle and D = diag(mu
 * + d |v|), as source 4 prints it. So mu_x acts along (cos, -sin), which is cos k + sin i. phi/|v|
 * is finite at rest: no direction of slip is needed. factor: what the ground makes of the wheel's
 * friction. */
FN void regularized_coulomb(const real *w, int linear, real factor, real slip_i, real slip_k,
                            real slip2, real *unit_i, real *unit_k) {
  real speed = sqrt_real(slip2);
  real gain = R(1.0) / max_real(speed, w[W_SLIP_SPEED]); /* phi/|v|, linear zone */
  if (!linear) gain = gain * (R(2.0) - min_real(speed * w[W_INV_SLIP_SPEED], R(1.0)));
  gain = gain * factor;
  real s = w[W_FRICTION_SIN], c = w[W_FRICTION_COS];
  real along_x = fma_real(c, slip_k, s * slip_i),
       along_y = fma_real(s, slip_k, -(c * slip_i)); /* T^T v */
  real force_x = gain * fma_real(w[W_LATERAL_VISCOUS], speed, w[W_LATERAL]) * along_x;
  real force_y = gain * fma_real(w[W_LONGITUDINAL_VISCOUS], speed, w[W_LONGITUDINAL]) * along_y;
  *unit_i = fma_real(c, force_y, -(s * force_x));
  *unit_k = fma_real(-c, force_x,
                     -(s * force_y)); /* not -fma: compilers fuse that with another sign of zero */
}

/* How strongly friction resists a change of the slip: minus the derivative of the force with
 * respect to the slip. */
typedef struct stiffness {
  real ii, ik, ki, kk;
} stiffness;

/* Per unit of load: mu/v_s I below saturation, mu/|v| (I - v v^T/|v|^2) beyond. */
FN stiffness saturated_coulomb_slope(const real *w, real friction, real slip_i, real slip_k,
                                     real slip2) {
  real gain = friction / max_real(sqrt_real(slip2), w[W_SLIP_SPEED]);
  mask sliding = gt(slip2, w[W_SLIP_SPEED] * w[W_SLIP_SPEED]);
  real along = select_real(sliding, gain / slip2, R(0.0));
  stiffness k;
  k.ii = fma_real(-(along * slip_i), slip_i, gain);
  k.ik = -(along * slip_i * slip_k);
  k.ki = k.ik;
  k.kk = fma_real(-(along * slip_k), slip_k, gain);
  return k;
}

/* The secant from rest, per unit of load: mu/max(|v|, v_s) I. */
FN stiffness saturated_coulomb_secant(const real *w, real friction, real slip2) {
  stiffness k;
  k.ii = k.kk = friction / max_real(sqrt_real(slip2), w[W_SLIP_SPEED]);
  k.ik = k.ki = R(0.0);
  return k;
}

/* The same derivative of the regularised laws in their axes x, y (PHYSICS.md#8-laws-of-friction),
 * turned into (i, k): these axes are (s, c) and (-c, s), s and c of the friction angle. */
FN stiffness turned_stiffness(const real *w, real xx, real xy, real yx, real yy) {
  real s = w[W_FRICTION_SIN], c = w[W_FRICTION_COS];
  real x_i = fma_real(s, xx, -(c * yx)),
       x_k = fma_real(c, xx, s * yx); /* columns x and y, along (i, k) */
  real y_i = fma_real(s, xy, -(c * yy)), y_k = fma_real(c, xy, s * yy);
  stiffness k;
  k.ii = fma_real(s, x_i, -(c * y_i));
  k.ik = fma_real(c, x_i, s * y_i);
  k.ki = fma_real(s, x_k, -(c * y_k));
  k.kk = fma_real(c, x_k, s * y_k);
  return k;
}

/* Secant h = phi(v)/v (mu + d v) of one direction of the regularised law at speed v, and its
 * derivative h'. */
FN real regularized_secant(const real *w, int linear, real factor, real speed, real mu,
                           real viscous, real *derivative) {
  mask sliding = gt(speed, w[W_SLIP_SPEED]);
  real gain = R(1.0) / max_real(speed, w[W_SLIP_SPEED]);
  real turn = -(gain * gain); /* d gain/d v beyond the zone */
  real inner = linear ? R(0.0) : turn;
  if (!linear) gain = gain * (R(2.0) - min_real(speed * w[W_INV_SLIP_SPEED], R(1.0)));
  real force = fma_real(viscous, speed, mu);
  *derivative = factor * fma_real(select_real(sliding, turn, inner), force, gain * viscous);
  return factor * gain * force;
}

/* Stiffness per unit of load of the regularised law: h_a I + h_a' u_a u^T/|u| in its axes, or the
 * secant h_a I alone. */
FN stiffness regularized_stiffness(const real *w, int linear, real factor, real slip_i, real slip_k,
                                   real slip2, mask slides) {
  real s = w[W_FRICTION_SIN], c = w[W_FRICTION_COS], speed = sqrt_real(slip2), dx, dy;
  real x = fma_real(c, slip_k, s * slip_i), y = fma_real(s, slip_k, -(c * slip_i));
  real hx = regularized_secant(w, linear, factor, speed, w[W_LATERAL], w[W_LATERAL_VISCOUS], &dx);
  real hy = regularized_secant(w, linear, factor, speed, w[W_LONGITUDINAL],
                               w[W_LONGITUDINAL_VISCOUS], &dy);
  real inv = select_real(slides, R(1.0) / max_real(speed, R(1e-30)), R(0.0));
  dx = dx * inv * x;
  dy = dy * inv * y;
  return turned_stiffness(w, fma_real(dx, x, hx), dx * y, dy * x, fma_real(dy, y, hy));
}
