/* Tyre laws of a disc: force by the slip of the contact point over the rolling speed, steady state,
 * combined slip (PHYSICS.md#15-small-models). Source: Pacejka, Tire and Vehicle Dynamics, chapters
 * 3 (brush model) and 4 (magic formula). */

/* Speed with which the contact point runs along the rim, V_r = R (omega.w1 - heading' cos(tilt)):
 * that of its trail less that of the disc's material there (PHYSICS.md#15-small-models). */
FN real rolling_disc_rolling_speed(const real *p, const disc_pose *d) {
  real level = fma_real(d->wx, d->latx, d->wz * d->latz);
  real about_3 = fma_real(d->cosine, level, -(d->sine * d->wy));
  real heading = -(about_3 / max_real(d->sine, R(1e-12)));
  return p[DISC_P_RADIUS] * fma_real(-heading, d->cosine, d->spin);
}

/* Force over (grip times stiff slip): s = k/(3 mu), 1/3 (3 - 3 s + s^2) up to s = 1, then mu/k. */
FN real rolling_disc_brush(const real *p, real slip) {
  real part = slip * p[DISC_P_TYRE_SHARE];
  real inside = fma_real(part, part - R(3.0), R(3.0)) * R(0.33333333333333333);
  return select_real(lt(part, R(1.0)), inside, p[DISC_P_TYRE_FRICTION] / max_real(slip, R(1e-30)));
}

/* The same of mu sin(C atan(b - E (b - atan b))), b = B s = k/(C mu). */
FN real rolling_disc_magic(const real *p, real slip) {
  real b = slip * p[DISC_P_TYRE_SHARE], one = R(1.0), sine, cosine;
  real bent = fma_real(-p[DISC_P_TYRE_CURVATURE], b - atan2_real(b, one), b);
  sincos_real(p[DISC_P_TYRE_SHAPE] * atan2_real(bent, one), &sine, &cosine);
  real gain = p[DISC_P_TYRE_FRICTION] * sine / max_real(slip, R(1e-30));
  return select_real(gt(slip, R(1e-30)), gain, one);
}

/* Slip is the contact point's velocity over sqrt(V_r^2 + v_0^2); each component times its stiffness
 * gives the direction and, by its size k, the force of the law (PHYSICS.md#15-small-models). */
FN void rolling_disc_tyre(GLOBAL const int *c, const real *p, const disc_pose *d, real grip,
                          real lat, real lon, real *force_lat, real *force_lon) {
  real rolling = rolling_disc_rolling_speed(p, d), low = p[DISC_P_TYRE_LOW_SPEED];
  real inverse = R(1.0) / sqrt_real(fma_real(rolling, rolling, low * low));
  real across = p[DISC_P_TYRE_LATERAL] * lat * inverse,
       along = p[DISC_P_TYRE_LONGITUDINAL] * lon * inverse;
  real slip = sqrt_real(fma_real(across, across, along * along));
  real gain = SETTING(c, OPTION_4) == DISC_LAW_BRUSH ? rolling_disc_brush(p, slip)
                                                     : rolling_disc_magic(p, slip);
  *force_lat = -(grip * gain * across);
  *force_lon = -(grip * gain * along);
}
