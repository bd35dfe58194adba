/* Observers: quantities reduced while integrating. Bits: host/lists/observers.def. */

/* Those whose extremes are looked for at dense output (extremes.h). */
#define OBSERVERS_OF_EXTREMES (OBSERVER_SLIP | OBSERVER_LOADS | OBSERVER_VIBRATION)

/* Adds an increment to a long sum with Kahan's compensation; *low is the excess of the sum. */
FN void add_compensated(real *sum, real *low, real increment, mask accepted) {
  real wanted = increment - *low;
  real total = *sum + wanted;
  real rest = (total - *sum) - wanted;
  *sum = select_real(accepted, total, *sum);
  *low = select_real(accepted, rest, *low);
}

/* Takes the commanded acceleration from the body's; within: as for command_at. */
FN void residual_acceleration(const parameters *p, GLOBAL const int *c, real t, real within,
                              real *ax, real *az) {
  if (SETTING(c, COMMAND) != COMMAND_NONE) {
    command cmd = command_at(p->v, c, p->tables, t, within);
    *ax = *ax - cmd.ax;
    *az = *az - cmd.az;
  }
}

/* The motion that odometry sees, from the rates y: by least squares over the rates of its wheels,
 * less their part by the yaw of a gyro where there is one
 * (appendix/observables.md#observables). */
FN void odometry_motion(const parameters *p, GLOBAL const int *c, const real *y, real *vx, real *vz,
                        real *yaw_rate) {
  *vx = *vz = *yaw_rate = R(0.0);
  if (SETTING(c, ODO_GYRO)) {
    *yaw_rate = fma_real(p->v[P_ODO_GYRO_GAIN], y[Y_OMEGA], p->v[P_ODO_GYRO_BIAS]);
    *vx = p->v[P_ODO_TURN_X] * *yaw_rate;
    *vz = p->v[P_ODO_TURN_Z] * *yaw_rate;
  }
  UNROLL for (int i = 0; i < WHEELS(c); i++) {
    *vx = fma_real(p->w[i][W_ODO_X], y[Y_RATE(i)], *vx);
    *vz = fma_real(p->w[i][W_ODO_Z], y[Y_RATE(i)], *vz);
    *yaw_rate = fma_real(p->w[i][W_ODO_YAW], y[Y_RATE(i)], *yaw_rate);
  }
}

/* Derivatives of the integrated observers but the acceleration's; within: as for command_at
 * (appendix/observables.md#observables). */
FN void observer_rates(const parameters *p, GLOBAL const int *c, const real *y, const real *obs,
                       real t, real within, real *d_obs) {
  if (SETTING(c, OBSERVERS) & OBSERVER_COMMAND) {
    command cmd = command_at(p->v, c, p->tables, t, seen_within(c, p->tables, t, within));
    rotate_to_world(obs[O_COMMAND_YAW], cmd.vx, cmd.vz, &d_obs[O_COMMAND_X], &d_obs[O_COMMAND_Z]);
    d_obs[O_COMMAND_YAW] = cmd.yaw_rate;
  }
  if (SETTING(c, OBSERVERS) & OBSERVER_ODOMETRY) {
    real vx, vz, yaw_rate;
    odometry_motion(p, c, y, &vx, &vz, &yaw_rate);
    rotate_to_world(obs[O_ODO_YAW], vx, vz, &d_obs[O_ODO_X], &d_obs[O_ODO_Z]);
    d_obs[O_ODO_YAW] = yaw_rate;
  }
}

/* Derivatives of the integrals of the residual acceleration. */
FN void vibration_rates(const parameters *p, GLOBAL const int *c, real t, real within,
                        const outputs *o, real *d_obs) {
  if (!(SETTING(c, OBSERVERS) & OBSERVER_VIBRATION)) return;
  real ax = o->ax, az = o->az;
  residual_acceleration(p, c, t, seen_within(c, p->tables, t, within), &ax, &az);
  d_obs[O_VIB_SQUARE] = fma_real(ax, ax, az * az);
  d_obs[O_VIB_X] = ax;
  d_obs[O_VIB_Z] = az;
}

/* Extremes over the wheels at one instant. */
typedef struct look {
  real slip2, least, most; /* squared slip speed, loads */
  real servo2;             /* testbench: squared servo torque */
  real square;             /* squared residual acceleration */
} look;

/* The observers' record of the contact quantities where a pass starts. */
typedef struct pass_start {
  real slip2, least_load, most_load; /* over the wheels */
  real ratio2;                       /* largest (|F|/(mu N))^2, 0 where no wheel is loaded */
  real weight;                       /* smallest relaxation weight */
  real servo;
  real square, residual_x,
      residual_z; /* residual acceleration; filled where vibration is observed */
#if OMR_COMPLIANT
  real vertical, upright; /* vertical acceleration of the body origin, cosine of the tilt */
  real pitching, rolls;   /* its angular acceleration about the axes z and x */
  real load[WHEELS_MAX];
#endif
  mask lifted;   /* some load is negative */
  mask solvable; /* the load equations have a solution */
} pass_start;

FN pass_start look_at_start(GLOBAL const int *c, const outputs *o) {
  pass_start start;
  start.slip2 = o->slip2[0];
  start.least_load = start.most_load = o->load[0];
  start.lifted = lt(o->load[0], R(0.0));
  UNROLL for (int i = 1; i < WHEELS(c); i++) {
    start.slip2 = max_real(o->slip2[i], start.slip2);
    start.least_load = min_real(o->load[i], start.least_load);
    start.most_load = max_real(o->load[i], start.most_load);
    start.lifted = mask_or(start.lifted, lt(o->load[i], R(0.0)));
  }
  start.ratio2 = R(0.0);
  start.weight = R(1.0);
  if (SETTING(c, OBSERVERS) & OBSERVER_RATIO) {
    UNROLL for (int i = 0; i < WHEELS(c); i++) {
      real force_i, force_k, limit = o->friction[i] * o->load[i];
      contact_force(o, i, &force_i, &force_k);
      real squared = fma_real(force_i, force_i, force_k * force_k) / (limit * limit);
      take_largest(gt(limit, R(0.0)), squared, &start.ratio2);
    }
  }
  if (OMR_CONSTRAINED && SETTING(c, LAW) == LAW_RELAXED) {
    UNROLL for (int i = 0; i < WHEELS(c); i++) start.weight = min_real(o->weight[i], start.weight);
  }
  start.servo = o->servo;
  start.square = start.residual_x = start.residual_z = R(0.0);
  start.solvable = o->solvable;
#if OMR_COMPLIANT
  start.vertical = o->vertical;
  start.upright = o->upright;
  start.pitching = o->pitching;
  start.rolls = o->rolls;
  for (int i = 0; i < WHEELS(c); i++) start.load[i] = o->load[i];
#endif
  return start;
}

FN look look_of_start(const pass_start *start) {
  look l;
  l.slip2 = start->slip2;
  l.least = start->least_load;
  l.most = start->most_load;
  l.servo2 = start->servo * start->servo;
  l.square = start->square;
  return l;
}

/* Contact quantities at another instant of the pass; square: its squared residual acceleration. */
FN look look_at(GLOBAL const int *c, const outputs *o, real square) {
  look l;
  l.slip2 = o->slip2[0];
  l.least = l.most = o->load[0];
  UNROLL for (int i = 1; i < WHEELS(c); i++) {
    l.slip2 = max_real(o->slip2[i], l.slip2);
    l.least = min_real(o->load[i], l.least);
    l.most = max_real(o->load[i], l.most);
  }
  l.servo2 = o->servo * o->servo;
  l.square = square;
  return l;
}

/* Takes contact quantities into the extremes of the lanes in `running`; v: the vehicle's state
 * columns (appendix/observables.md#observables). */
FN void observe_contacts(GLOBAL const int *c, const pass_start *start, mask running, real *v) {
  take_largest(running, start->slip2, &v[S_MAX_SLIP2]);
  take_smallest(running, start->least_load, &v[S_MIN_LOAD]);
  take_largest(running, start->most_load, &v[S_MAX_LOAD]);
  if (SETTING(c, OBSERVERS) & OBSERVER_RATIO)
    take_largest(running, start->ratio2, &v[S_MAX_RATIO2]);
  if (OMR_CONSTRAINED && SETTING(c, LAW) == LAW_RELAXED)
    take_smallest(running, start->weight, &v[S_MIN_WEIGHT]);
  if (WHEELS(c) == 1) take_largest(running, abs_real(start->servo), &v[S_MAX_SERVO]);
}

#if OMR_COMPLIANT
/* Largest accelerations and tilt, and the number of times that a wheel which carried has
 * lost the floor, where passes start. The wheels that carried last are the bits of S_LOADED
 * (appendix/observables.md#observables). */
FN void observe_vertical(GLOBAL const int *c, const pass_start *start, mask running, real *v) {
  const real now_at[] = {start->vertical, start->pitching, start->rolls};
  const int largest[] = {S_MAX_VERTICAL2, S_MAX_PITCH2, S_MAX_ROLL2};
  real before = v[S_LOADED], now = R(0.0), bit;
  for (int j = 0; j < 3; j++) {
    take_largest(running, now_at[j] * now_at[j], &v[largest[j]]);
  }
  take_smallest(running, start->upright, &v[S_MIN_UP]);
  real liftings = v[S_LIFTINGS];
  for (int i = WHEELS(c) - 1; i >= 0; i--) {
    bit = splat((sreal)(1 << i));
    mask had = ge(before, bit), has = gt(start->load[i], R(0.0));
    before = select_real(had, before - bit, before);
    now = select_real(has, now + bit, now);
    liftings = select_real(mask_and(had, mask_not(has)), liftings + R(1.0), liftings);
  }
  v[S_LIFTINGS] = select_real(running, liftings, v[S_LIFTINGS]);
  v[S_LOADED] = select_real(running, now, v[S_LOADED]);
}

/* Vertical motion in step with the exchanges of each wheel, as observe_exchange_order, with the
 * height and the angular accelerations; and the load, about an even share of the weight,
 * so that little cancels in single precision (appendix/observables.md#observables). */
FN void observe_heave(const parameters *p, GLOBAL const int *c, const real *y,
                      const pass_start *start, real tau, mask accepted, real *v,
                      real ts[WHEELS_MAX][T_COUNT]) {
  const real moves[] = {R(1.0), start->vertical, y[Y_HEIGHT], start->pitching, start->rolls};
  const real share = p->v[P_WEIGHT] * splat(LIT(1.0) / (sreal)WHEELS(c)), light = R(0.1) * share;
  v[S_HEIGHT_SUM] =
      select_real(accepted, fma_real(tau, y[Y_HEIGHT], v[S_HEIGHT_SUM]), v[S_HEIGHT_SUM]);
  UNROLL for (int i = 0; i < WHEELS(c); i++) {
    real sine, cosine, over = start->load[i] - share;
    sincos_real(p->w[i][W_ROLLERS] * y[Y_Q(i)], &sine, &cosine);
    sine = sine * tau;
    cosine = cosine * tau;
    for (int j = 0; j < 5; j++) {
      real *sum = &ts[i][T_ORDER_COS + 2 * j];
      sum[0] = select_real(accepted, fma_real(moves[j], cosine, sum[0]), sum[0]);
      sum[1] = select_real(accepted, fma_real(moves[j], sine, sum[1]), sum[1]);
    }
    real *sum = &ts[i][T_LOAD_SUM];
    mask low = mask_and(accepted, lt(start->load[i], light));
    sum[0] = select_real(accepted, fma_real(tau, over, sum[0]), sum[0]);
    sum[1] = select_real(accepted, fma_real(tau * over, over, sum[1]), sum[1]);
    ts[i][T_LIGHT_TIME] = select_real(low, ts[i][T_LIGHT_TIME] + tau, ts[i][T_LIGHT_TIME]);
  }
}
#endif

/* Likewise a squared residual acceleration. */
FN void observe_peak(real square, mask running, real *v) {
  take_largest(running, square, &v[S_VIB_PEAK2]);
}

/* Extremes at the start of a pass (appendix/observables.md#observables). */
FN void observe_extremes(GLOBAL const int *c, const real *y, const real *obs,
                         const pass_start *start, mask running, real *v) {
  observe_contacts(c, start, running, v);
  if (SETTING(c, OBSERVERS) & OBSERVER_COMMAND) {
    real dx = y[Y_X] - obs[O_COMMAND_X], dz = y[Y_Z] - obs[O_COMMAND_Z];
    real far = max_real(fma_real(dx, dx, dz * dz), v[S_MAX_DEVIATION2]);
    v[S_MAX_DEVIATION2] = select_real(running, far, v[S_MAX_DEVIATION2]);
  }
}

/* Order tracking at the exchange frequency: integrals of a cos(n chi), a sin(n chi) over accepted
 * passes, from the acceleration at their start. n chi = n q + 2 pi J, so the contact angle is
 * enough. ts: the wheels' state columns (appendix/observables.md#observables). */
FN void observe_exchange_order(const parameters *p, GLOBAL const int *c, const real *y, real ax,
                               real az, real tau, mask accepted, real ts[WHEELS_MAX][T_COUNT]) {
  ax = select_real(accepted, ax,
                   R(0.0)); /* it may be anything in a lane which has ended, even infinite */
  az = select_real(accepted, az, R(0.0));
  UNROLL for (int i = 0; i < WHEELS(c); i++) {
    real sine, cosine;
    sincos_real(p->w[i][W_ROLLERS] * y[Y_Q(i)], &sine, &cosine);
    sine = select_real(accepted, sine * tau, R(0.0));
    cosine = select_real(accepted, cosine * tau, R(0.0));
    ts[i][T_VIB_COS_X] = fma_real(ax, cosine, ts[i][T_VIB_COS_X]);
    ts[i][T_VIB_SIN_X] = fma_real(ax, sine, ts[i][T_VIB_SIN_X]);
    ts[i][T_VIB_COS_Z] = fma_real(az, cosine, ts[i][T_VIB_COS_Z]);
    ts[i][T_VIB_SIN_Z] = fma_real(az, sine, ts[i][T_VIB_SIN_Z]);
  }
}
