/* Tyre after Pacejka's magic formula (appendix/laws.md#friction; Tire and Vehicle Dynamics,
 * chapter 4). */

FN_SHARED push magic_force(const real *w, GLOBAL const int *c, real friction, slippage slip) {
  (void)c;
  stiff_slip stiff = tyre_slip(w, slip);
  magic_curve f = {w[W_TYRE_SHAPE], w[W_TYRE_CURVATURE]};
  return tyre_push(stiff, slip, magic_gain(f, stiff.size, tyre_share(f.shape, friction), friction));
}

FN_SHARED stiffness magic_stiffness(const real *w, GLOBAL const int *c, real friction,
                                    slippage slip, real coming_i, real coming_k) {
  (void)c;
  stiff_slip stiff = tyre_slip(w, slip);
  magic_curve f = {w[W_TYRE_SHAPE], w[W_TYRE_CURVATURE]};
  real share = tyre_share(f.shape, friction);
  return tyre_resistance(w, stiff, magic_gain(f, stiff.size, share, friction),
                         magic_slope(f, stiff.size, share),
                         tyre_slip_ends(slip, coming_i, coming_k));
}

/* |k df/dk| is C |cos| b bent'/(1 + bent^2) with b bent' at most bent where E >= 0 and three times
 * it elsewhere, and bent/(1 + bent^2) at most 1/2. */
FN steepness magic_steepest(const real *w, GLOBAL const int *c, real peak) {
  (void)c;
  real times = select_real(lt(w[W_TYRE_CURVATURE], R(0.0)), R(1.5), R(0.5));
  return tyre_steepest(w, magic_steepness(w[W_TYRE_CURVATURE]), peak, times * w[W_TYRE_SHAPE]);
}
