/* Saturated Coulomb friction (physics.md section 5, law 1; sources 1 and 2): the force per unit of normal load is
 * -mu v / max(|v|, v_s). */

FN void saturated_coulomb(const real *w, real slip_i, real slip_k, real slip2, real *unit_i, real *unit_k) {
  real gain = w[W_FRICTION] / max_real(sqrt_real(slip2), w[W_SLIP_SPEED]);
  *unit_i = -(gain * slip_i);
  *unit_k = -(gain * slip_k);
}

/* How strongly friction resists a change of the slip: minus the derivative of the force with respect to the slip. */
typedef struct stiffness {
  real ii, ik, ki, kk;
} stiffness;

/* Per unit of load: mu/v_s I below saturation, mu/|v| (I - v v^T/|v|^2) beyond. */
FN stiffness saturated_coulomb_slope(const real *w, real friction, real slip_i, real slip_k, real slip2) {
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

/* Stiffness per unit of load for the linearly implicit method (kernels/rosenbrock.h): the slope for contacts that slide on, the
 * secant for the others: it reaches the force that there is, and ends slip where the slope, zero along it, would overshoot. */
FN stiffness friction_stiffness(const real *w, GLOBAL const int *c, real friction, real slip_i, real slip_k, real slip2,
                                mask slides) {
  (void)c;
  stiffness slope = saturated_coulomb_slope(w, friction, slip_i, slip_k, slip2),
            secant = saturated_coulomb_secant(w, friction, slip2), k;
  k.ii = select_real(slides, slope.ii, secant.ii);
  k.ik = select_real(slides, slope.ik, secant.ik);
  k.ki = select_real(slides, slope.ki, secant.ki);
  k.kk = select_real(slides, slope.kk, secant.kk);
  return k;
}
