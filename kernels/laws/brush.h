/* Tyre as a brush of bristles under parabolic pressure (appendix/laws.md#friction; Pacejka,
 * Tire and Vehicle Dynamics, chapter 3). */

FN_SHARED push brush_force(const real *w, GLOBAL const int *c, real friction, slippage slip) {
  (void)c;
  stiff_slip stiff = tyre_slip(w, slip);
  return tyre_push(stiff, slip, brush_gain(stiff.size, tyre_share(R(3.0), friction), friction));
}

FN_SHARED stiffness brush_stiffness(const real *w, GLOBAL const int *c, real friction,
                                    slippage slip, real coming_i, real coming_k) {
  (void)c;
  stiff_slip stiff = tyre_slip(w, slip);
  real share = tyre_share(R(3.0), friction);
  return tyre_resistance(w, stiff, brush_gain(stiff.size, share, friction),
                         brush_slope(stiff.size, share), tyre_slip_ends(slip, coming_i, coming_k));
}

/* k df/dk = 3 s (1 - s)^2 is 4/9 at s = 1/3. */
FN steepness brush_steepest(const real *w, GLOBAL const int *c, real peak) {
  (void)c;
  return tyre_steepest(w, R(1.0), peak, R(4.0) / R(9.0));
}
