/* The tyre laws of tyre.h for a disc in any pose (appendix/small.md#models). */

/* Speed with which the contact point runs along the rim, V_r = R (omega.w1 - heading' cos(tilt)):
 * the speed of its trail less the disc's material there (appendix/small.md#models). */
FN real rolling_disc_rolling_speed(const real *p, const disc_pose *d) {
  real level = fma_real(d->wx, d->latx, d->wz * d->latz);
  real about_3 = fma_real(d->cosine, level, -(d->sine * d->wy));
  real heading = -(about_3 / max_real(d->sine, R(1e-12)));
  return p[DISC_P_RADIUS] * fma_real(-heading, d->cosine, d->spin);
}

/* Slip is the contact point's velocity over sqrt(V_r^2 + v_0^2); each component times its stiffness
 * gives the direction and, by its size k, the force of the law (appendix/small.md#models). */
FN void rolling_disc_tyre(GLOBAL const int *c, const real *p, const disc_pose *d, real grip,
                          real lat, real lon, real *force_lat, real *force_lon) {
  stiff_slip stiff =
      find_stiff_slip(p[DISC_P_TYRE_LATERAL], p[DISC_P_TYRE_LONGITUDINAL], p[DISC_P_TYRE_LOW_SPEED],
                      rolling_disc_rolling_speed(p, d), lat, lon);
  magic_curve f = {p[DISC_P_TYRE_SHAPE], p[DISC_P_TYRE_CURVATURE]};
  real share = p[DISC_P_TYRE_SHARE], friction = p[DISC_P_TYRE_FRICTION];
  real gain = SETTING(c, OPTION_4) == DISC_LAW_BRUSH ? brush_gain(stiff.size, share, friction)
                                                     : magic_gain(f, stiff.size, share, friction);
  *force_lat = -(grip * gain * stiff.across);
  *force_lon = -(grip * gain * stiff.along);
}
