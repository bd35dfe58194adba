/* Tyre laws: force by the slip of the contact point over the rolling speed, steady state, combined
 * slip (appendix/laws.md#friction). Source: Pacejka, Tire and Vehicle Dynamics, chapters 3
 * (brush model) and 4 (magic formula). Used by the laws "brush" and "magic_formula" of vehicles on
 * discs, and by rolling_disc. */

/* Slip times the stiffness of its direction: its size gives the force, over the load. */
typedef struct stiff_slip {
  real across, along;
  real size;
  real inverse; /* of the speed that the slip is taken over, s/m */
} stiff_slip;

/* Slip velocities lat, lon [m/s] of a tyre whose contact point runs along the rim at the speed
 * `rolling`; low: the speed v_0, of which the slip is over sqrt(rolling^2 + v_0^2)
 * (appendix/laws.md#friction). */
FN stiff_slip find_stiff_slip(real lateral, real longitudinal, real low, real rolling, real lat,
                              real lon) {
  stiff_slip stiff;
  stiff.inverse = R(1.0) / sqrt_real(fma_real(rolling, rolling, low * low));
  stiff.across = lateral * lat * stiff.inverse;
  stiff.along = longitudinal * lon * stiff.inverse;
  stiff.size = sqrt_real(fma_real(stiff.across, stiff.across, stiff.along * stiff.along));
  return stiff;
}

/* Force over (load times stiff slip k): with s = share k, share = 1/(3 mu), it is
 * 1/3 (3 - 3 s + s^2) up to s = 1, then mu/k (appendix/laws.md#friction). */
FN real brush_gain(real slip, real share, real friction) {
  real part = slip * share;
  real inside = fma_real(part, part - R(3.0), R(3.0)) * R(0.33333333333333333);
  return select_real(lt(part, R(1.0)), inside, friction / max_real(slip, R(1e-30)));
}

/* d force/d k of it, over the load: (1 - s)^2, then 0. */
FN real brush_slope(real slip, real share) {
  real left = max_real(fma_real(-share, slip, R(1.0)), R(0.0));
  return left * left;
}

/* Curve of the magic formula. */
typedef struct magic_curve {
  real shape, curvature; /* C, E */
} magic_curve;

/* Beyond this b the curve is at its end. */
#define MAGIC_END R(1e15)

/* Force over (load times stiff slip k), of mu sin(C atan(b - E (b - atan b))), b = share k with
 * share = 1/(C mu) (appendix/laws.md#friction). */
FN real magic_gain(magic_curve f, real slip, real share, real friction) {
  real b = min_real(slip * share, MAGIC_END), one = R(1.0), sine, cosine;
  real bent = fma_real(-f.curvature, b - atan2_real(b, one), b);
  sincos_real(f.shape * atan2_real(bent, one), &sine, &cosine);
  real gain = friction * sine / max_real(slip, R(1e-30));
  return select_real(gt(slip, R(1e-30)), gain, one);
}

/* The slope of atan(b - E (b - atan b)) at b: 1 at 0. */
FN real magic_bend(real curvature, real b, real bent) {
  real square = b * b;
  return fma_real(-curvature, square / (R(1.0) + square), R(1.0)) / fma_real(bent, bent, R(1.0));
}

/* d force/d k of it, over the load; below 0 beyond the peak. */
FN real magic_slope(magic_curve f, real slip, real share) {
  real b = min_real(slip * share, MAGIC_END), one = R(1.0), sine, cosine;
  real bent = fma_real(-f.curvature, b - atan2_real(b, one), b);
  sincos_real(f.shape * atan2_real(bent, one), &sine, &cosine);
  return cosine * magic_bend(f.curvature, b, bent);
}

/* A bound of that for every slip. With E below 0 the curve is steepest near b = 1/sqrt(-E), which
 * is looked for in steps that miss a thousandth of it at most (appendix/laws.md#friction). */
FN real magic_steepness(real curvature) {
  real most = R(1.0), width = R(0.0625) / sqrt_real(R(1.0) + max_real(-curvature, R(0.0)));
  for (int j = 1; j <= 64; j++) {
    real b = width * splat((sreal)j);
    real bent = fma_real(-curvature, b - atan2_real(b, R(1.0)), b);
    most = max_real(most, R(1.001) * magic_bend(curvature, b, bent));
  }
  return select_real(lt(curvature, R(0.0)), most, R(1.0));
}

/* ---- a wheel of a vehicle: along i it rolls */

FN stiff_slip tyre_slip(const real *w, slippage slip) {
  return find_stiff_slip(w[W_TYRE_LATERAL], w[W_TYRE_LONGITUDINAL], w[W_TYRE_LOW_SPEED],
                         w[W_RADIUS] * slip.rate, slip.k, slip.i);
}

/* 1/(n mu) under the wheel. */
FN real tyre_share(real n, real friction) {
  return R(1.0) / (n * max_real(friction, R(1e-30)));
}

/* The gain is 1: rolling friction joins the force per load (add_rolling_friction of vehicle.h). */
FN push tyre_push(stiff_slip stiff, slippage slip, real gain) {
  real unit_i = -(gain * stiff.along), unit_k = -(gain * stiff.across);
  push f = {unit_i, unit_k, R(1.0), -fma_real(unit_i, slip.i, unit_k * slip.k)};
  return f;
}

/* How the force of a tyre resists a change of the slip at the same rolling speed, per unit of load:
 * with F = -g(k) D v/V, D the stiffnesses, V the speed and u the direction of D v, it is (g I - (g
 * - h) u u^T) D/V, h = d(g k)/dk. Where the slip ends within the step h is g, the secant; where the
 * force falls with the slip h is 0 (appendix/laws.md#friction). */
FN stiffness tyre_resistance(const real *w, stiff_slip stiff, real gain, real slope, mask ends) {
  real turn = gain - select_real(ends, gain, max_real(slope, R(0.0)));
  real part = turn / max_real(stiff.size * stiff.size, R(1e-30));
  real lon = w[W_TYRE_LONGITUDINAL] * stiff.inverse, lat = w[W_TYRE_LATERAL] * stiff.inverse;
  real mixed = part * stiff.along * stiff.across;
  stiffness result;
  result.ii = lon * fma_real(-(part * stiff.along), stiff.along, gain);
  result.ik = -(lat * mixed);
  result.ki = -(lon * mixed);
  result.kk = lat * fma_real(-(part * stiff.across), stiff.across, gain);
  return result;
}

/* Whether the slip after an explicit step has turned round. */
FN mask tyre_slip_ends(slippage slip, real coming_i, real coming_k) {
  return le(fma_real(slip.i, coming_i, slip.k * coming_k), R(0.0));
}

/* Both directions have their steepest slope over the slip velocity where nothing rolls: the
 * stiffness over v_0 times the curve's slope, and mu times `turn`, the most of k df/dk, by
 * which the force changes with the rolling speed, times V/(V^2 + v_0^2), at most 1/(2 v_0)
 * (appendix/laws.md#friction). */
FN steepness tyre_steepest(const real *w, real curve, real friction, real turn) {
  real inverse = R(1.0) / w[W_TYRE_LOW_SPEED], more = R(0.5) * friction * turn;
  steepness most = {inverse * fma_real(curve, w[W_TYRE_LATERAL], more),
                    inverse * fma_real(curve, w[W_TYRE_LONGITUDINAL], more), R(1.0), R(0.0)};
  return most;
}
