/* Runge-Kutta methods with fixed step: one pass of every lane by a length of its own, which adds
 * its increment to the integrated quantities (explanation/steps.md#methods). */

/* 2 pi in two parts: yaw is wrapped without losing the second one. */
#define TURN_HIGH R_BY(6.2831854820251465, 6.283185307179586232)
#define TURN_LOW R_BY(-1.7484555314695172e-7, 2.4492935982947064e-16)

/* Observers' integrals that the rates depend on: the yaw angles that turn a velocity to the world.
 */
FN int observer_feeds_back(int j) {
  return j == O_COMMAND_YAW || j == O_ODO_YAW;
}

/* Whether the run needs an integral of the observers, or three that belong together. */
FN int observer_runs(GLOBAL const int *c, int j) {
  int group = j < O_ODO_X        ? OBSERVER_COMMAND
              : j < O_VIB_SQUARE ? OBSERVER_ODOMETRY
                                 : OBSERVER_VIBRATION;
  return (SETTING(c, OBSERVERS) & group) != 0;
}

/* The observers that have integrals. */
#define OBSERVERS_OF_SUMS (OBSERVER_COMMAND | OBSERVER_ODOMETRY | OBSERVER_VIBRATION)

/* Loops over the integrals that the run needs. */
#define FOR_OBSERVED(c, j)                                                                         \
  UNROLL_SHORT for (int three = 0; three < O_COUNT; three += 3) if (observer_runs(c, three))       \
      UNROLL_SHORT for (int j = three; j < three + 3; j++)

/* Whether the rates depend on y[j]: not on the sums that are only observed, and on the place only
 * where the ground has patches, or the floor a profile. Loops that do not unroll would test longer
 * than the few columns take. */
FN int feeds_back(GLOBAL const int *c, int j) {
#ifdef OMR_WHEELS
  int profile = OMR_COMPLIANT && (SETTING(c, FLOOR) & FLOOR_PROFILE);
  if (j == Y_X || j == Y_Z) return SETTING(c, GROUND) == GROUND_PATCHES || profile;
#if OMR_COMPLIANT
  if (j >= Y_VERTICAL_SUM && j <= Y_SUSPENSION_LOSS) return 0;
#endif
  return j != Y_DISSIPATED && j != Y_WORK && j != Y_PATH;
#else
  (void)c;
  (void)j;
  return 1;
#endif
}

/* Copies the arguments of the rates. */
FN void copy_motion(GLOBAL const int *c, const motion *from, motion *to) {
  FOR_MOTION(c, j) {
    if (feeds_back(c, j)) to->y[j] = from->y[j];
  }
  FOR_CURRENTS(c, i) {
    to->y[Y_CURRENT(i)] = from->y[Y_CURRENT(i)];
  }
  UNROLL_SHORT for (int j = 0; j < O_COUNT; j++) {
    if (observer_feeds_back(j)) to->obs[j] = from->obs[j];
  }
  FOR_IDLE(c, i, j) to->idle[i][j] = from->idle[i][j];
}

/* to = base + factor * rate over all arguments of the rates. Of observers only the needed ones: a
 * sum of rates (add_rates) has no others. */
FN void move_motion(GLOBAL const int *c, const motion *base, real factor, const motion *rate,
                    motion *to) {
  FOR_MOTION(c, j) {
    if (feeds_back(c, j)) to->y[j] = fma_real(factor, rate->y[j], base->y[j]);
  }
  FOR_CURRENTS(c, i) {
    to->y[Y_CURRENT(i)] = fma_real(factor, rate->y[Y_CURRENT(i)], base->y[Y_CURRENT(i)]);
  }
  if (SETTING(c, OBSERVERS) & OBSERVERS_OF_SUMS) {
    FOR_OBSERVED(c, j) {
      if (observer_feeds_back(j)) to->obs[j] = fma_real(factor, rate->obs[j], base->obs[j]);
    }
  }
  FOR_IDLE(c, i, j) to->idle[i][j] = fma_real(factor, rate->idle[i][j], base->idle[i][j]);
}

/* sum = base + weight * rate over all that is integrated; base is sum, or nothing at the first
 * stage. */
FN void add_rates(GLOBAL const int *c, real weight, const motion *rate, int first, motion *sum) {
  FOR_MOTION(c, j) {
    sum->y[j] = fma_real(weight, rate->y[j], first ? R(0.0) : sum->y[j]);
  }
  FOR_CURRENTS(c, i) {
    int j = Y_CURRENT(i);
    sum->y[j] = fma_real(weight, rate->y[j], first ? R(0.0) : sum->y[j]);
  }
  if (SETTING(c, OBSERVERS) & OBSERVERS_OF_SUMS) {
    FOR_OBSERVED(c, j) {
      sum->obs[j] = fma_real(weight, rate->obs[j], first ? R(0.0) : sum->obs[j]);
    }
  }
  FOR_IDLE(c, i, j) {
    sum->idle[i][j] = fma_real(weight, rate->idle[i][j], first ? R(0.0) : sum->idle[i][j]);
  }
}

/* Rates that nothing computes: of observers that the run does not need and of absent wheels.
 */
FN void clear_rates(GLOBAL const int *c, motion *rate) {
#if !defined(OMR_WHEELS) && OMR_COMPLIANT
  FOR_MOTION(c, j) rate->y[j] = R(0.0);
#endif
  if (SETTING(c, OBSERVERS)) {
    UNROLL_SHORT for (int j = 0; j < O_COUNT; j++) rate->obs[j] = R(0.0);
  }
}

FN void clear_motion(motion *m) {
  UNROLL_ALL for (int j = 0; j < Y_COUNT; j++) m->y[j] = R(0.0);
  UNROLL_SHORT for (int j = 0; j < O_COUNT; j++) m->obs[j] = R(0.0);
  UNROLL for (int i = 0; i < WHEELS_MAX; i++) {
    UNROLL for (int j = 0; j < IDLE_COUNT; j++) m->idle[i][j] = R(0.0);
  }
}

/* Methods with fixed steps have one form: stage s is evaluated at m + reach[s] tau times the rates
 * of stage s - 1, and the increment is factor times tau times the weighted sum of the rates. RK4 is
 * the classical method of order 4. Rosenbrock is Heun's method with other rates for the velocities
 * (rosenbrock.h). Loops read the reach of one more stage than there are. */
typedef struct fixed_method {
  int stages;
  sreal reach[5], weight[4], factor;
} fixed_method;

#define HEUN_ROW                                                                                   \
  { 2, {LIT(0.0), LIT(1.0), LIT(1.0)}, {LIT(1.0), LIT(1.0)}, LIT(0.5) }
TABLE fixed_method fixed_methods[] = {
    [METHOD_RK4] = {4,
                    {LIT(0.0), LIT(0.5), LIT(0.5), LIT(1.0), LIT(0.5)},
                    {LIT(1.0), LIT(2.0), LIT(2.0), LIT(1.0)},
                    LIT(0.16666666666666666667)},
    [METHOD_MIDPOINT] = {2, {LIT(0.0), LIT(0.5), LIT(0.5)}, {LIT(0.0), LIT(1.0)}, LIT(1.0)},
    [METHOD_HEUN] = HEUN_ROW,
    [METHOD_EULER] = {1, {LIT(0.0), LIT(1.0)}, {LIT(1.0)}, LIT(1.0)},
    [METHOD_ROSENBROCK] = HEUN_ROW};

FN int method_stages(int method) {
  return fixed_methods[method].stages;
}

FN real stage_weight(int method, int stage) {
  return splat(fixed_methods[method].weight[stage]);
}

FN real stage_reach(int method, int stage) {
  return splat(fixed_methods[method].reach[stage]);
}

FN real method_factor(int method) {
  return splat(fixed_methods[method].factor);
}

/* Whether the rates come from the linearly implicit method (rosenbrock.h). */
FN int has_stiff_matrix(int method) {
#if OMR_CONSTRAINED || OMR_COMPLIANT
  (void)method;
  return 0;
#else
  return method == METHOD_ROSENBROCK;
#endif
}

/* Whether a stage is at another time than the one before. */
FN int stage_moves(int method, int stage) {
  return !(method == METHOD_RK4 && stage == 2);
}

/* A pass as the curve that edges and looks ask about. */
typedef struct course {
  const motion *from;   /* where it starts, until the pass is committed */
  const motion *change; /* factor times this is its increment */
  real factor;
  real t, tau; /* the time where it starts, and its length, s */
} course;

/* Semi-implicit Euler: positions, the heave of discs among them, move with the velocities that the
 * end of the pass has. */
FN_COLD void rates_of_positions(GLOBAL const int *c, const motion *m, real tau, real *dy) {
#if OMR_COMPLIANT
  compliant_positions(c, m->y, tau, dy);
#else
  real vx = fma_real(tau, dy[Y_VX], m->y[Y_VX]), vz = fma_real(tau, dy[Y_VZ], m->y[Y_VZ]);
  rotate_to_world(m->y[Y_YAW], vx, vz, &dy[Y_X], &dy[Y_Z]);
  dy[Y_YAW] = fma_real(tau, dy[Y_OMEGA], m->y[Y_OMEGA]);
  dy[Y_PATH] = sqrt_real(fma_real(vx, vx, vz * vz));
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) dy[Y_Q(i)] =
      swivels(c, i) ? fma_real(tau, dy[Y_SPIN(i)] - dy[Y_OMEGA], angle_rate(c, m->y, i))
                    : fma_real(tau, dy[Y_RATE(i)], m->y[Y_RATE(i)]);
  if (WHEELS(c) > 1 && SETTING(c, PENALTY))
    dy[Y_HEAVE] = fma_real(tau, dy[Y_HEAVE_RATE], m->y[Y_HEAVE_RATE]);
#endif
}

/* One pass of length tau from m at time t: *change receives the weighted sum of the derivatives
 * (times tau and method_factor it is the increment), *seen the observers' view. */
FN void runge_kutta(const parameters *p, GLOBAL const int *c, const held_state *held,
                    const motion *m, real t, real tau, motion *change, pass_view *seen) {
  const int method = SETTING(c, METHOD);
  motion at, rate;
  outputs o;
  stiff_matrix stiff;
  instant now;
  copy_motion(c, m, &at);
  clear_rates(c, &rate);
  for (int stage = 0; stage < method_stages(method); stage++) {
    real next = stage_reach(method, stage + 1) * tau;
    real when = fma_real(stage_reach(method, stage), tau, t);
    if (stage_moves(method, stage)) set_instant(p, c, held, when, &now);
    evaluate_rates(p, c, &now, SETTING(c, BEARING) ? at.idle : m->idle, at.y,
                   wants_loads(c, stage, seen), &rate, &o);
    if (stage == 0) seen->start = look_at_start(c, &o);
    if (stage == 0) look_at_grip(c, &o, &seen->grip);
    if (SETTING(c, OBSERVERS)) {
      const real within = fma_real(R(0.5), tau, t);
      observer_rates(p, c, at.y, at.obs, when, within, rate.obs);
      vibration_rates(p, c, when, within, &o, rate.obs);
    }
    if (SETTING(c, OBSERVERS) & OBSERVERS_OF_EXTREMES)
      look_at_pass(c, method, stage, &o, rate.obs, seen);
    const real weight = stage_weight(method, stage);
    if (SETTING(c, OBSERVERS) & OBSERVERS_OF_MOTORS)
      add_motors(p, c, weight, now.drive, at.y, &o, stage == 0, &seen->motors);
    if (method == METHOD_EULER) rates_of_positions(c, m, tau, rate.y);
    if (has_stiff_matrix(method) && stage == 0) {
      place_stiff_contacts(p, c, held, m->y, rate.y, &stiff);
      make_stiff_matrix(p, c, &o, tau, ROSENBROCK_GAMMA * tau, &stiff);
      first_stiff_stage(p, c, &stiff, rate.y);
    }
    if (has_stiff_matrix(method) && stage == 1) second_stiff_stage(p, c, &stiff, rate.y);
    if (stage == 0)
      add_rates(c, weight, &rate, 1, change);
    else
      add_rates(c, weight, &rate, 0, change);
    if (stage + 1 < method_stages(method)) move_motion(c, m, next, &rate, &at);
  }
}

/* Commits the increment of a pass for the accepted lanes. v, ts: state columns, which hold the
 * compensations. */
FN void commit(GLOBAL const int *c, const motion *change, real factor, mask accepted, motion *m,
               real *v, real ts[WHEELS_MAX][T_COUNT]) {
  const int y_low[6] = {S_X_LOW, S_Z_LOW, S_YAW_LOW, S_DISSIPATED_LOW, S_WORK_LOW, S_PATH_LOW};
  UNROLL for (int j = 0; j < 6; j++) {
    add_compensated(&m->y[Y_X + j], &v[y_low[j]], factor * change->y[Y_X + j], accepted);
  }
  UNROLL for (int i = 0; i < WHEELS(c); i++) {
    add_compensated(&m->y[Y_Q(i)], &ts[i][T_Q_LOW], factor * change->y[Y_Q(i)], accepted);
  }
  UNROLL for (int j = Y_COMPENSATED; j < Y_USED(c); j++) {
    m->y[j] = select_real(accepted, fma_real(factor, change->y[j], m->y[j]), m->y[j]);
  }
  FOR_CURRENTS(c, i) {
    int j = Y_CURRENT(i);
    m->y[j] = select_real(accepted, fma_real(factor, change->y[j], m->y[j]), m->y[j]);
  }
  if (SETTING(c, OBSERVERS) & OBSERVERS_OF_SUMS) {
    const int o_low[O_COUNT] = {S_COMMAND_X_LOW,  S_COMMAND_Z_LOW, S_COMMAND_YAW_LOW,
                                S_ODO_X_LOW,      S_ODO_Z_LOW,     S_ODO_YAW_LOW,
                                S_VIB_SQUARE_LOW, S_VIB_X_LOW,     S_VIB_Z_LOW};
    FOR_OBSERVED(c, j) {
      add_compensated(&m->obs[j], &v[o_low[j]], factor * change->obs[j], accepted);
    }
  }
  if (SETTING(c, BEARING)) {
    UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
      UNROLL_DEVICE for (int j = 0; j < IDLE_COUNT; j++) {
        m->idle[i][j] = select_real(accepted, fma_real(factor, change->idle[i][j], m->idle[i][j]),
                                    m->idle[i][j]);
      }
    }
  }
}

FN void wrap_yaw(motion *m, mask accepted, real *v) {
  mask far = mask_and(accepted, gt(abs_real(m->y[Y_YAW]), R(0.5) * TURN_HIGH));
  if (!any_lane(far)) return;
  real turns = select_real(far, sign_real(m->y[Y_YAW]), R(0.0));
  m->y[Y_YAW] = fma_real(-turns, TURN_HIGH, m->y[Y_YAW]);
  v[S_YAW_LOW] = fma_real(turns, TURN_LOW, v[S_YAW_LOW]);
  v[S_TURNS] = v[S_TURNS] + turns;
}
