/* Laws of friction: the force per unit of normal load that a slip velocity makes (physics.md section 5). */

/* Saturated Coulomb friction (law 1; sources 1 and 2): -mu v / max(|v|, v_s). friction: mu under the wheel (kernels/ground.h). */
FN void saturated_coulomb(const real *w, real friction, real slip_i, real slip_k, real slip2, real *unit_i, real *unit_k) {
  real gain = friction / max_real(sqrt_real(slip2), w[W_SLIP_SPEED]);
  *unit_i = -(gain * slip_i);
  *unit_k = -(gain * slip_k);
}

/* Regularised law of Exudyn (law 2; source 4), in its axes (lateral, longitudinal) = (k, -i): -phi(|v|) T D T^T v/|v| with
 * T = [[cos, sin], [-sin, cos]] of the friction angle and D = diag(mu + d |v|), as source 4 prints it. So mu_x acts along
 * (cos, -sin), which is cos k + sin i. phi/|v| is finite at rest: no direction of slip is needed. factor: what the ground makes
 * of the wheel's friction. */
FN void regularized_coulomb(const real *w, int linear, real factor, real slip_i, real slip_k, real slip2, real *unit_i,
                            real *unit_k) {
  real speed = sqrt_real(slip2);
  real gain = R(1.0) / max_real(speed, w[W_SLIP_SPEED]); /* phi/|v|, linear zone */
  if (!linear) gain = gain * (R(2.0) - min_real(speed * w[W_INV_SLIP_SPEED], R(1.0)));
  gain = gain * factor;
  real s = w[W_FRICTION_SIN], c = w[W_FRICTION_COS];
  real along_x = fma_real(c, slip_k, s * slip_i), along_y = fma_real(s, slip_k, -(c * slip_i)); /* T^T v */
  real force_x = gain * fma_real(w[W_LATERAL_VISCOUS], speed, w[W_LATERAL]) * along_x;
  real force_y = gain * fma_real(w[W_LONGITUDINAL_VISCOUS], speed, w[W_LONGITUDINAL]) * along_y;
  *unit_i = fma_real(c, force_y, -(s * force_x));
  *unit_k = fma_real(-c, force_x, -(s * force_y)); /* not -fma: compilers fuse that with another sign of zero */
}
