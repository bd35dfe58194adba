/* Saturated Coulomb friction (law 1; appendix/laws.md#friction; sources 1 and 2). */

/* Force per unit of load -mu v / max(|v|, v_s); with drilling |v|/P in place of |v|; the factor of
 * v (appendix/laws.md#friction). */
FN real saturated_coulomb(const real *w, GLOBAL const int *c, real friction, slippage slip) {
  real speed = sqrt_real(slip.square);
  if (SETTING(c, DRY) & DRY_DRILLING) {
    drilling d = weigh_drilling(speed, slip.drill);
    return -(friction * min_real(drilling_force(&d), w[W_INV_SLIP_SPEED]));
  }
  return -(friction / max_real(speed, w[W_SLIP_SPEED]));
}

/* Per unit of load: mu/v_s I below saturation, mu/|v| (I - v v^T/|v|^2) beyond; with drilling the
 * part that grows along the slip too. */
FN stiffness saturated_coulomb_slope(const real *w, GLOBAL const int *c, real friction,
                                     slippage slip) {
  real gain = -saturated_coulomb(w, c, friction, slip), slip_i = slip.i, slip_k = slip.k;
  mask sliding = gt(slip.square, w[W_SLIP_SPEED] * w[W_SLIP_SPEED]);
  real along = gain / slip.square;
  if (SETTING(c, DRY) & DRY_DRILLING) {
    drilling d = weigh_drilling(sqrt_real(slip.square), slip.drill);
    sliding = lt(drilling_force(&d), w[W_INV_SLIP_SPEED]);
    along = fma_real(-friction, drilling_force_slope(&d), gain) / max_real(slip.square, R(1e-30));
  }
  along = select_real(sliding, along, R(0.0));
  stiffness result;
  result.ii = fma_real(-(along * slip_i), slip_i, gain);
  result.ik = -(along * slip_i * slip_k);
  result.ki = result.ik;
  result.kk = fma_real(-(along * slip_k), slip_k, gain);
  return result;
}

/* The secant from rest, per unit of load: mu/max(|v|, v_s) I. */
FN stiffness saturated_coulomb_secant(const real *w, GLOBAL const int *c, real friction,
                                      slippage slip) {
  stiffness result;
  result.ii = result.kk = -saturated_coulomb(w, c, friction, slip);
  result.ik = result.ki = R(0.0);
  return result;
}

FN push coulomb_force(const real *w, GLOBAL const int *c, real friction, slippage slip) {
  /* where the square of the slip overflows the gain is 0, and so is the force */
  push f = {slip.i, slip.k, saturated_coulomb(w, c, friction, slip),
            -min_real(slip.square, LARGEST_SLIP2)};
  return f;
}

FN stiffness coulomb_stiffness(const real *w, GLOBAL const int *c, real friction, slippage slip,
                               real coming_i, real coming_k) {
  mask slides = slides_on(w, slip, coming_i, coming_k);
  stiffness slope = saturated_coulomb_slope(w, c, friction, slip),
            secant = saturated_coulomb_secant(w, c, friction, slip), result;
  result.ii = select_real(slides, slope.ii, secant.ii);
  result.ik = select_real(slides, slope.ik, secant.ik);
  result.ki = select_real(slides, slope.ki, secant.ki);
  result.kk = select_real(slides, slope.kk, secant.kk);
  return result;
}

/* mu/v_s, at rest. */
FN steepness coulomb_steepest(const real *w, GLOBAL const int *c, real peak) {
  (void)c;
  real slope = peak / w[W_SLIP_SPEED];
  steepness steepest = {slope, slope, R(1.0), R(0.0)};
  return steepest;
}
