/* Saturated Coulomb friction (physics.md section 5, law 1; sources 1 and 2): the force per unit of normal load is
 * -mu v / max(|v|, v_s). */

FN void saturated_coulomb(const real *w, real slip_i, real slip_k, real slip2, real *unit_i, real *unit_k) {
  real gain = w[W_FRICTION] / max_real(sqrt_real(slip2), w[W_SLIP_SPEED]);
  *unit_i = -(gain * slip_i);
  *unit_k = -(gain * slip_k);
}
