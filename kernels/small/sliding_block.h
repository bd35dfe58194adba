/* The block of source 5, section 1 and figure 1: a traction force T pulls it against a contact
 * force F_c, m x'' = T - F_c (appendix/small.md#models). T is here all that the contact has to
 * balance: the pull, a spring to a wall and the weight down the plane. kernels/small/small.h
 * switches between sticking and slipping of the law set_valued. */

/* The pull at time t. */
FN real sliding_block_pull(GLOBAL const int *c, const real *p, real t) {
  if (SETTING(c, OPTION_1) == BLOCK_PULL_RAMP)
    return fma_real(p[BLOCK_P_PULL_RATE], t, p[BLOCK_P_FORCE]);
  if (SETTING(c, OPTION_1) == BLOCK_PULL_SINE) {
    real sine, cosine;
    sincos_real(p[BLOCK_P_FREQUENCY] * t, &sine, &cosine);
    return p[BLOCK_P_FORCE] * sine;
  }
  return p[BLOCK_P_FORCE];
}

/* The applied force T. */
FN real sliding_block_applied(GLOBAL const int *c, const real *p, real x, real t) {
  return fma_real(-p[BLOCK_P_STIFFNESS], x, sliding_block_pull(c, p, t) - p[BLOCK_P_DOWN]);
}

/* The contact force, against the applied force or the slip. Eq. (1) of the source is a law of only
 * the applied force: the rest of T accelerates the block. */
FN real sliding_block_contact(GLOBAL const int *c, const real *p, real applied, real slip,
                              real direction) {
  real limit = p[BLOCK_P_KINETIC];
  switch (SETTING(c, OPTION_0)) {
  case BLOCK_LAW_SATURATED: return max_real(-limit, min_real(applied, limit));
  case BLOCK_LAW_REGULARIZED: return limit * tanh_real(slip * p[BLOCK_P_INV_SLIP_SPEED]);
  case BLOCK_LAW_SET_VALUED: return select_real(eq(direction, R(0.0)), applied, direction * limit);
  default: return limit * tanh_real(applied * p[BLOCK_P_INV_KINETIC]); /* eq. (1) */
  }
}

/* Lanes that slip, as each law has it. */
FN mask sliding_block_slips(GLOBAL const int *c, const real *p, real applied, real slip,
                            real direction) {
  if (SETTING(c, OPTION_0) == BLOCK_LAW_SET_VALUED) return mask_not(eq(direction, R(0.0)));
  if (SETTING(c, OPTION_0) == BLOCK_LAW_REGULARIZED)
    return gt(abs_real(slip) * p[BLOCK_P_INV_SLIP_SPEED], R(1.0));
  return gt(abs_real(applied), p[BLOCK_P_KINETIC]);
}

/* Derivatives dy and samples out at time t (appendix/small.md#models). */
FN void sliding_block_rates(GLOBAL const int *c, const real *p, const real *y, real t, real *dy,
                            real *out) {
  real speed = y[BLOCK_Y_V], slip = speed - p[BLOCK_P_BELT], direction = y[BLOCK_Y_DIRECTION];
  real pull = sliding_block_pull(c, p, t), applied = sliding_block_applied(c, p, y[BLOCK_Y_X], t);
  real contact = sliding_block_contact(c, p, applied, slip, direction);
  mask slips = sliding_block_slips(c, p, applied, slip, direction);

  for (int j = 0; j < sliding_block_motion; j++) dy[j] = R(0.0);
  dy[BLOCK_Y_X] = speed;
  dy[BLOCK_Y_V] = (applied - contact) * p[BLOCK_P_INV_MASS];
  dy[BLOCK_Y_WORK] = fma_real(pull, speed, -(contact * p[BLOCK_P_BELT]));
  dy[BLOCK_Y_LOST] = contact * slip;
  dy[BLOCK_Y_STUCK] = select_real(slips, R(0.0), R(1.0));

  out[BLOCK_S_X] = y[BLOCK_Y_X];
  out[BLOCK_S_V] = speed;
  out[BLOCK_S_SLIP] = slip;
  out[BLOCK_S_PULL] = pull;
  out[BLOCK_S_SPRING] = -(p[BLOCK_P_STIFFNESS] * y[BLOCK_Y_X]);
  out[BLOCK_S_APPLIED] = applied;
  out[BLOCK_S_CONTACT] = contact;
  out[BLOCK_S_DEMAND] = applied * p[BLOCK_P_INV_KINETIC];
  out[BLOCK_S_RATIO] = contact * p[BLOCK_P_INV_KINETIC];
  out[BLOCK_S_LOAD] = p[BLOCK_P_LOAD];
  out[BLOCK_S_SLIPPING] = select_real(slips, R(1.0), R(0.0));
}

/* ---- the law set_valued */

/* Lanes whose motion with its direction of slip has passed its end: slip that has turned, or
 * an applied force that stiction no longer balances (appendix/small.md#models). */
FN mask sliding_block_passed(GLOBAL const int *c, const real *p, const real *y, real t) {
  real direction = y[BLOCK_Y_DIRECTION];
  real applied = abs_real(sliding_block_applied(c, p, y[BLOCK_Y_X], t));
  real ahead = direction * (y[BLOCK_Y_V] - p[BLOCK_P_BELT]);
  mask torn = gt(applied, p[BLOCK_P_STATIC]);
  return mask_or(lt(ahead, R(0.0)), mask_and(eq(direction, R(0.0)), torn));
}

/* The direction of slip in the lanes whose slip is exactly 0 at time t. A block that has come to
 * rest sticks, unless the applied force tears it off at once (appendix/small.md#models). */
FN void sliding_block_turn(GLOBAL const int *c, const real *p, real t, mask which, real *y,
                           real *low) {
  real applied = sliding_block_applied(c, p, y[BLOCK_Y_X], t);
  mask torn = mask_and(which, gt(abs_real(applied), p[BLOCK_P_STATIC]));
  mask again = mask_and(torn, ge(y[BLOCK_Y_ONSET], R(0.0)));
  real next = select_real(torn, sign_real(applied), R(0.0));
  y[BLOCK_Y_V] = select_real(which, p[BLOCK_P_BELT], y[BLOCK_Y_V]);
  low[BLOCK_Y_V] = select_real(which, R(0.0), low[BLOCK_Y_V]);
  y[BLOCK_Y_DIRECTION] = select_real(which, next, y[BLOCK_Y_DIRECTION]);
  y[BLOCK_Y_PERIOD] = select_real(again, t - y[BLOCK_Y_ONSET], y[BLOCK_Y_PERIOD]);
  y[BLOCK_Y_ONSET] = select_real(torn, t, y[BLOCK_Y_ONSET]);
  mask first = mask_and(torn, lt(y[BLOCK_Y_FIRST], R(0.0)));
  y[BLOCK_Y_FIRST] = select_real(first, t, y[BLOCK_Y_FIRST]);
  y[BLOCK_Y_SLIPS] = select_real(torn, y[BLOCK_Y_SLIPS] + R(1.0), y[BLOCK_Y_SLIPS]);
  y[BLOCK_Y_REST] = select_real(mask_and(which, mask_not(torn)), t, y[BLOCK_Y_REST]);
}

/* The block has stopped where its slip falls below a hundredth of its largest, unless it sets off
 * again. */
#define BLOCK_STOPPED R(0.01)

FN void sliding_block_observe(const real *p, real t, const real *out, mask running, real *e) {
  real slip = abs_real(out[BLOCK_S_SLIP]), most = max_real(slip, e[BLOCK_E_SLIP]);
  mask slow = le(slip, BLOCK_STOPPED * most), moved = gt(most, R(0.0));
  mask fresh = lt(e[BLOCK_E_STOP_TIME], R(0.0));
  real stop =
      select_real(mask_and(slow, moved), select_real(fresh, t, e[BLOCK_E_STOP_TIME]), R(-1.0));
  mask first = mask_and(gt(out[BLOCK_S_SLIPPING], R(0.0)), lt(e[BLOCK_E_FIRST], R(0.0)));
  (void)p;
  take_largest(running, abs_real(out[BLOCK_S_V]), &e[BLOCK_E_SPEED]);
  e[BLOCK_E_SLIP] = select_real(running, most, e[BLOCK_E_SLIP]);
  take_largest(running, abs_real(out[BLOCK_S_RATIO]), &e[BLOCK_E_TRACTION]);
  e[BLOCK_E_STOP_TIME] = select_real(running, stop, e[BLOCK_E_STOP_TIME]);
  e[BLOCK_E_FIRST] = select_real(mask_and(running, first), t, e[BLOCK_E_FIRST]);
}
