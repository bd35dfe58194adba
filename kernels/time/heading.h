/* Between the command and the wheels' controllers, at their samples: the loop that
 * holds the heading by a gyro, and limits of the wheels' commanded rates
 * (appendix/drives.md#drives). */

/* Philox4x32-10 (Salmon et al., SC11): x is the counter, and becomes the output. */
FN void philox(unsigned x[4], unsigned key_low, unsigned key_high) {
  for (int round = 0; round < 10; round++) {
    const bits64 a = (bits64)0xd2511f53u * x[0], b = (bits64)0xcd9e8d57u * x[2];
    x[0] = (unsigned)(b >> 32) ^ x[1] ^ key_low;
    x[2] = (unsigned)(a >> 32) ^ x[3] ^ key_high;
    x[1] = (unsigned)b;
    x[3] = (unsigned)a;
    key_low += 0x9e3779b9u;
    key_high += 0xbb67ae85u;
  }
}

/* Standard normal number `count` of the lanes' gyros, by Box and Muller: the same draws in single
 * precision (appendix/drives.md#drives). */
FN_COLD real draw_of_gyro(const real *vehicle, real count) {
  real first = R(0.5), second = R(0.5);
  for (int l = 0; l < OMR_LANES; l++) {
    const unsigned low = (unsigned)lane_get(vehicle[P_GYRO_KEY_LOW], l),
                   high = (unsigned)lane_get(vehicle[P_GYRO_KEY_HIGH], l);
    unsigned x[4] = {(unsigned)lane_get(count, l), 0, 0, GYRO_PURPOSE};
    philox(x, low | high << 24, high >> 8);
    lane_set(&first, l, ((sreal)(x[0] >> 9) + LIT(0.5)) * LIT(1.1920928955078125e-7));
    lane_set(&second, l, ((sreal)(x[1] >> 9) + LIT(0.5)) * LIT(1.1920928955078125e-7));
  }
  return sqrt_real(R(-2.0) * log_real(first)) * sin_turns(second);
}

/* Sample `count` of the loop in the lanes of `due`. The gyro gives the mean rate over the period:
 * the turn since the last sample, scaled, with bias and noise (appendix/drives.md#drives). */
FN_COLD void sample_heading(const parameters *p, GLOBAL const int *c, real count, mask due,
                            const real *y, real *v) {
  const real *own = p->v;
  real added = own[P_GYRO_BIAS];
  if (SETTING(c, GYRO_NOISE))
    added = fma_real(own[P_GYRO_NOISE], draw_of_gyro(own, select_real(due, count, R(0.0))), added);
  const real turn = fma_real(v[S_TURNS] - v[S_HOLD_TURNS], TURN_HIGH, y[Y_YAW] - v[S_HOLD_YAW]);
  const real seen =
      select_real(gt(count, R(0.0)), fma_real(own[P_GYRO_SCALE], turn, added), R(0.0));
  const real error = v[S_HOLD_ERROR] - seen;
  const real sum = fma_real(own[P_HOLD_INTEGRAL], error, v[S_HOLD_SUM]);
  const real asked =
      fma_real(own[P_HOLD_RATE], error - v[S_HOLD_BEFORE], fma_real(own[P_HOLD_GAIN], error, sum));

  UNROLL_SHORT for (int j = HOLD_KEPT - 1; j > 0; j--) {
    real *later = &v[S_HOLD_LATER_0 + j];
    later[0] = select_real(due, later[-1], later[0]);
  }
  v[S_HOLD_LATER_0] = select_real(due, asked, v[S_HOLD_LATER_0]);
  v[S_HOLD_ERROR] = select_real(due, error, v[S_HOLD_ERROR]);
  v[S_HOLD_BEFORE] = select_real(due, error, v[S_HOLD_BEFORE]);
  v[S_HOLD_SUM] = select_real(due, sum, v[S_HOLD_SUM]);
  v[S_HOLD_YAW] = select_real(due, y[Y_YAW], v[S_HOLD_YAW]);
  v[S_HOLD_TURNS] = select_real(due, v[S_TURNS], v[S_HOLD_TURNS]);
}

/* Lanes whose sample of the controllers is a multiple of `every`; *whole: the factor. */
FN mask is_sample(real number, real every, real *whole) {
  *whole = round_real(number / every);
  return eq(*whole * every, number);
}

/* The commanded yaw rate with the loop's addition, at sample `number` of the controllers. It holds
 * the heading of the wheels' commands, from sample to sample
 * (appendix/drives.md#drives). */
FN_COLD real hold_heading(const parameters *p, GLOBAL const int *c, real number, mask now,
                          const real *y, real *v, real yaw_rate) {
  const real every = splat((sreal)SETTING(c, HEADING)),
             late = number - splat((sreal)SETTING(c, HEADING_PHASE));
  real count, ignored;
  const mask due = mask_and(now, is_sample(number, every, &count)),
             acts = mask_and(now, is_sample(late, every, &ignored));
  if (any_lane(due)) sample_heading(p, c, count, due, y, v);
  UNROLL_SHORT for (int j = 0; j < HOLD_KEPT; j++) {
    if (j != SETTING(c, HEADING_LAG)) continue;
    v[S_HOLD_YAW_RATE] = select_real(acts, v[S_HOLD_LATER_0 + j], v[S_HOLD_YAW_RATE]);
  }
  v[S_HOLD_ERROR] =
      select_real(now, fma_real(p->v[P_HOLD_PERIOD], yaw_rate, v[S_HOLD_ERROR]), v[S_HOLD_ERROR]);
  return yaw_rate + v[S_HOLD_YAW_RATE];
}

/* Largest magnitude of the commanded rates of controllers of type body, less `from`. */
FN real largest_asked(GLOBAL const int *c, const real *wanted, const real *from) {
  real most = R(0.0);
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    if (DRIVE_KIND(c, i) == DRIVE_BODY) most = max_real(abs_real(wanted[i] - from[i]), most);
  }
  return most;
}

/* Takes the commanded rates of controllers of type body back to their limits: at most so fast, and
 * at most so much from the last ones, in the lanes of `now`. Together: one factor for all wheels,
 * so that the direction of the motion, and of its change, stays (appendix/drives.md#drives). */
FN_COLD void limit_asked(const parameters *p, GLOBAL const int *c, mask now, real *wanted,
                         real ts[WHEELS_MAX][T_COUNT]) {
  const real most = p->v[P_ASKED_MOST], step = p->v[P_ASKED_STEP];
  const int together = SETTING(c, ASKED_LIMIT) == ASKED_TOGETHER;
  real zero[WHEELS_MAX], last[WHEELS_MAX];
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    zero[i] = R(0.0);
    last[i] = ts[i][T_ASKED];
  }
  const real fastest = largest_asked(c, wanted, zero);
  const mask fast = gt(fastest, most);
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    if (DRIVE_KIND(c, i) != DRIVE_BODY) continue;
    wanted[i] = together ? select_real(fast, wanted[i] * (most / fastest), wanted[i])
                         : clamp_real(wanted[i], -most, most);
  }
  const real change = largest_asked(c, wanted, last);
  const mask hard = gt(change, step);
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    if (DRIVE_KIND(c, i) != DRIVE_BODY) continue;
    const real more = wanted[i] - last[i];
    wanted[i] = together ? select_real(hard, fma_real(step / change, more, last[i]), wanted[i])
                         : clamp_real(wanted[i], last[i] - step, last[i] + step);
    ts[i][T_ASKED] = select_real(now, wanted[i], last[i]);
  }
}
