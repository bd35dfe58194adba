/* Regularised law of friction (law 2; appendix/laws.md#friction; source 4): two directions with
 * coefficients of their own, a quadratic or linear zone, a part that grows with the slip. */

/* The force per unit of load in the axes (lateral, longitudinal) = (k, -i):
 * -phi(|v|) T D T^T v/|v| with T = [[cos, sin], [-sin, cos]] of the friction angle and D = diag(mu
 * + d |v|), as source 4 prints it. So mu_x acts along (cos, -sin), which is cos k + sin i. phi/|v|
 * is finite at rest: no direction of slip is needed. factor: of the ground on the wheel's
 * friction (appendix/laws.md#friction). */
FN void regularized_coulomb(const real *w, int linear, real factor, real slip_i, real slip_k,
                            real slip2, real *unit_i, real *unit_k) {
  real speed = sqrt_real(slip2);
  real gain = R(1.0) / max_real(speed, w[W_SLIP_SPEED]); /* phi/|v|, linear zone */
  if (!linear) gain = gain * (R(2.0) - min_real(speed * w[W_INV_SLIP_SPEED], R(1.0)));
  gain = gain * factor;
  real sine = w[W_FRICTION_SIN], cosine = w[W_FRICTION_COS];
  real along_x = fma_real(cosine, slip_k, sine * slip_i),
       along_y = fma_real(sine, slip_k, -(cosine * slip_i)); /* T^T v */
  real force_x = gain * fma_real(w[W_LATERAL_VISCOUS], speed, w[W_LATERAL]) * along_x;
  real force_y = gain * fma_real(w[W_LONGITUDINAL_VISCOUS], speed, w[W_LONGITUDINAL]) * along_y;
  *unit_i = fma_real(cosine, force_y, -(sine * force_x));

  /* not -fma: compilers fuse that with another sign of zero */
  *unit_k = fma_real(-cosine, force_x, -(sine * force_y));
}

/* The same derivative of the regularised laws in their axes x, y (appendix/laws.md#friction),
 * turned into (i, k): these axes are (sine, cosine) and (-cosine, sine) of the friction angle. */
FN stiffness turned_stiffness(const real *w, real xx, real xy, real yx, real yy) {
  real sine = w[W_FRICTION_SIN], cosine = w[W_FRICTION_COS];
  real x_i = fma_real(sine, xx, -(cosine * yx)),
       x_k = fma_real(cosine, xx, sine * yx); /* columns x and y, along (i, k) */
  real y_i = fma_real(sine, xy, -(cosine * yy)), y_k = fma_real(cosine, xy, sine * yy);
  stiffness result;
  result.ii = fma_real(sine, x_i, -(cosine * y_i));
  result.ik = fma_real(cosine, x_i, sine * y_i);
  result.ki = fma_real(sine, x_k, -(cosine * y_k));
  result.kk = fma_real(cosine, x_k, sine * y_k);
  return result;
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

/* Stiffness per unit of load of the regularised law: h_a I + h_a' u_a u^T/|u| in its axes, or only
 * the secant h_a I. */
FN stiffness regularized_whole_stiffness(const real *w, int linear, real factor, real slip_i,
                                         real slip_k, real slip2, mask slides) {
  real sine = w[W_FRICTION_SIN], cosine = w[W_FRICTION_COS], speed = sqrt_real(slip2), dx, dy;
  real x = fma_real(cosine, slip_k, sine * slip_i), y = fma_real(sine, slip_k, -(cosine * slip_i));
  real hx = regularized_secant(w, linear, factor, speed, w[W_LATERAL], w[W_LATERAL_VISCOUS], &dx);
  real hy = regularized_secant(w, linear, factor, speed, w[W_LONGITUDINAL],
                               w[W_LONGITUDINAL_VISCOUS], &dy);
  real inv = select_real(slides, R(1.0) / max_real(speed, R(1e-30)), R(0.0));
  dx = dx * inv * x;
  dy = dy * inv * y;
  return turned_stiffness(w, fma_real(dx, x, hx), dx * y, dy * x, fma_real(dy, y, hy));
}

/* The same law in which each of the two directions saturates by the slip
 * along it, so that a painted roller that rolls fast keeps its grip along its axis: source 4 has
 * the size of the whole slip in phi and in d |v| (appendix/laws.md#friction). */
FN_SHARED void component_friction(const real *w, int linear, real factor, real slip_i, real slip_k,
                                  real *unit_i, real *unit_k) {
  real sine = w[W_FRICTION_SIN], cosine = w[W_FRICTION_COS];
  real along_x = fma_real(cosine, slip_k, sine * slip_i),
       along_y = fma_real(sine, slip_k, -(cosine * slip_i)); /* T^T v */
  real speed_x = abs_real(along_x), speed_y = abs_real(along_y);
  real gain_x = factor / max_real(speed_x, w[W_SLIP_SPEED]),
       gain_y = factor / max_real(speed_y, w[W_SLIP_SPEED]);
  if (!linear) {
    gain_x = gain_x * (R(2.0) - min_real(speed_x * w[W_INV_SLIP_SPEED], R(1.0)));
    gain_y = gain_y * (R(2.0) - min_real(speed_y * w[W_INV_SLIP_SPEED], R(1.0)));
  }
  real force_x = gain_x * fma_real(w[W_LATERAL_VISCOUS], speed_x, w[W_LATERAL]) * along_x;
  real force_y = gain_y * fma_real(w[W_LONGITUDINAL_VISCOUS], speed_y, w[W_LONGITUDINAL]) * along_y;
  *unit_i = fma_real(cosine, force_y, -(sine * force_x));
  *unit_k = -fma_real(cosine, force_x, sine * force_y);
}

/* Its stiffness per unit of load each direction for itself: the slope h +
 * |u| h' where it slides on, the secant h elsewhere. */
FN stiffness component_stiffness(const real *w, int linear, real factor, real slip_i, real slip_k,
                                 real coming_i, real coming_k) {
  real sine = w[W_FRICTION_SIN], cosine = w[W_FRICTION_COS], dx, dy;
  real x = fma_real(cosine, slip_k, sine * slip_i), y = fma_real(sine, slip_k, -(cosine * slip_i));
  real speed_x = abs_real(x), speed_y = abs_real(y);
  real hx = regularized_secant(w, linear, factor, speed_x, w[W_LATERAL], w[W_LATERAL_VISCOUS], &dx);
  real hy = regularized_secant(w, linear, factor, speed_y, w[W_LONGITUDINAL],
                               w[W_LONGITUDINAL_VISCOUS], &dy);
  mask slides_x = gt(x * fma_real(cosine, coming_k, sine * coming_i), w[W_SLIP_SPEED] * speed_x);
  mask slides_y = gt(y * fma_real(sine, coming_k, -(cosine * coming_i)), w[W_SLIP_SPEED] * speed_y);
  hx = select_real(slides_x, fma_real(speed_x, dx, hx), hx);
  hy = select_real(slides_y, fma_real(speed_y, dy, hy), hy);
  return turned_stiffness(w, hx, R(0.0), R(0.0), hy);
}

FN push regularized_force(const real *w, GLOBAL const int *c, real friction, slippage slip) {
  real factor = ground_factor(w, c, friction), unit_i, unit_k;
  if (SETTING(c, COMPONENTS))
    component_friction(w, SETTING(c, LINEAR_ZONE), factor, slip.i, slip.k, &unit_i, &unit_k);
  else
    regularized_coulomb(w, SETTING(c, LINEAR_ZONE), factor, slip.i, slip.k, slip.square, &unit_i,
                        &unit_k);
  push f = {unit_i, unit_k, R(1.0), -fma_real(unit_i, slip.i, unit_k * slip.k)};
  return f;
}

FN_SHARED stiffness regularized_stiffness(const real *w, GLOBAL const int *c, real friction,
                                          slippage slip, real coming_i, real coming_k) {
  int linear = SETTING(c, LINEAR_ZONE);
  real factor = ground_factor(w, c, friction);
  if (SETTING(c, COMPONENTS))
    return component_stiffness(w, linear, factor, slip.i, slip.k, coming_i, coming_k);
  mask slides = slides_on(w, slip, coming_i, coming_k);
  return regularized_whole_stiffness(w, linear, factor, slip.i, slip.k, slip.square, slides);
}

/* The largest slope of phi(v) (mu + d v): with phi = v/v_s at most mu/v_s + 2 d (at v_s), with
 * phi = (2 - v/v_s) v/v_s at most 2 mu/v_s + 4 d/3 (the sum of the maxima of both parts). */
FN real regularized_direction_steepest(int linear, real slope, real viscous) {
  return linear ? slope + R(2.0) * viscous : R(2.0) * slope + R(4.0) * viscous / R(3.0);
}

FN steepness regularized_steepest(const real *w, GLOBAL const int *c, real peak) {
  real own = w[W_FRICTION];
  real ratio = select_real(gt(own, R(0.0)), peak / own, R(1.0)); /* 0/0 is not taken */
  int linear = SETTING(c, LINEAR_ZONE);
  steepness steepest;
  steepest.x = regularized_direction_steepest(linear, ratio * w[W_LATERAL] / w[W_SLIP_SPEED],
                                              ratio * w[W_LATERAL_VISCOUS]);
  steepest.y = regularized_direction_steepest(linear, ratio * w[W_LONGITUDINAL] / w[W_SLIP_SPEED],
                                              ratio * w[W_LONGITUDINAL_VISCOUS]);
  steepest.cosine = w[W_FRICTION_COS];
  steepest.sine = w[W_FRICTION_SIN];
  return steepest;
}
