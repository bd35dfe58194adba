/* Slip as encoders see it: how a wheel's rate differs from its controller's command, and from the
 * rate that it would have in the motion which odometry sees
 * (appendix/observables.md#observables). */

/* Takes a difference of rates into the columns `own`: the square at this look, its integral by the
 * trapezoid over the pass that ended, the excess of that sum, the largest. Where a pass starts
 * the motion may have jumped. */
FN void keep_difference(const sight *at, real difference, real *own) {
  const real square = difference * difference;
  const mask ends = mask_and(at->now, gt(at->tau, R(0.0)));
  add_compensated(&own[1], &own[2], R(0.5) * at->tau * (own[0] + square), ends);
  own[0] = select_real(at->now, square, own[0]);
  own[3] = select_real(mask_and(at->now, gt(square, own[3])), square, own[3]);
}

/* Takes a look at all wheels; v, ts: state columns (appendix/observables.md#observables). */
FN void observe_encoders(const sight *at, const real *v, real ts[WHEELS_MAX][T_COUNT]) {
  GLOBAL const int *c = at->c;
  const parameters *p = at->p;
  if (SETTING(c, OBSERVERS) & OBSERVER_ENCODER) {
    command cmd = command_at(p->v, c, p->tables, at->t,
                             seen_within(c, p->tables, at->t, fma_real(R(-0.5), at->tau, at->t)));
    if (SETTING(c, WAY)) take_asked(v, &cmd);
    UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
      const int kind = DRIVE_KIND(c, i);
      if (kind != DRIVE_SPEED && kind != DRIVE_FEEDBACK && (kind != DRIVE_BODY || swivels(c, i)))
        continue;
      const int limited = SETTING(c, ASKED_LIMIT) && kind == DRIVE_BODY;
      const real asked = limited ? ts[i][T_ASKED] : wanted_rate(p->w[i], kind, &cmd);
      keep_difference(at, at->y[Y_RATE(i)] - asked, &ts[i][T_ENCODER_NOW]);
    }
  }
  if (SETTING(c, OBSERVERS) & OBSERVER_TRACKING) {
    real vx, vz, yaw_rate;
    odometry_motion(p, c, at->y, &vx, &vz, &yaw_rate);
    UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
      const real *w = p->w[i];
      if (swivels(c, i)) continue; /* its rate depends on its angle, too */
      const real seen =
          fma_real(w[W_IDEAL_YAW], yaw_rate, fma_real(w[W_IDEAL_Z], vz, w[W_IDEAL_X] * vx));
      keep_difference(at, at->y[Y_RATE(i)] - seen, &ts[i][T_TRACKING_NOW]);
    }
  }
}
