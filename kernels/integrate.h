/* Runge-Kutta methods with fixed step, steps split at roller exchanges, every lane on its own clock (physics.md
 * section 7). A pass advances each lane by the rest of its step or up to its next exchange; a lane whose pass would cross an
 * edge rejects it and repeats a shorter one, while its neighbours go on. */

/* More passes than this in one step mean a step far too long for the wheels' speed. */
#define MAX_PASSES 256

/* A pass that was cut to end at an edge exchanges where it ends, if it came this near (in units of alpha) or beyond. */
#if OMR_SINGLE
#define EDGE_TOLERANCE R(1e-5)
#else
#define EDGE_TOLERANCE R(1e-9)
#endif

/* 2 pi in two parts: yaw is wrapped without losing what the first part lacks. */
#if OMR_SINGLE
#define TURN_HIGH R(6.2831854820251465)
#define TURN_LOW R(-1.7484555314695172e-7)
#else
#define TURN_HIGH R(6.283185307179586232)
#define TURN_LOW R(2.4492935982947064e-16)
#endif

/* Everything that is integrated. */
typedef struct motion {
  real y[Y_COUNT];
  real obs[O_COUNT];
  real idle[WHEELS_MAX][IDLE_COUNT];
} motion;

/* A lane's place in its step. */
typedef struct clocks {
  real done, target; /* fractions of the step: done so far, end of the coming pass */
  real passes;
  int cut;               /* some running lane is within its step; else all are at its start and nothing is noted below */
  mask fresh;            /* at the start of a step */
  real hit[WHEELS_MAX];  /* +-1: the coming pass ends at this edge of the wheel; 0: no exchange expected */
  real last[WHEELS_MAX]; /* direction of the wheel's last exchange in this step */
  real held[WHEELS_MAX]; /* 1: two opposite exchanges happened, the wheel keeps its roller to the end of the step */
} clocks;

/* Observers' integrals that the rates depend on: the yaw angles that turn a velocity to the world. */
FN int observer_feeds_back(int j) {
  return j == O_COMMAND_YAW || j == O_ODO_YAW;
}

/* Whether the integral j of the observers is asked for. */
FN int observer_runs(GLOBAL const int *c, int j) {
  int group = j < O_ODO_X ? OBSERVER_COMMAND : j < O_VIB_SQUARE ? OBSERVER_ODOMETRY : OBSERVER_VIBRATION;
  return (SETTING(c, OBSERVERS) & group) != 0;
}

/* Whether the rates depend on y[j]: not on the sums that are only observed, on the place where the ground has patches alone. */
FN int feeds_back(GLOBAL const int *c, int j) {
  if (j == Y_X || j == Y_Z) return SETTING(c, GROUND) == GROUND_PATCHES;
  return j != Y_DISSIPATED && j != Y_WORK && j != Y_PATH;
}

/* Copies what the rates depend on. */
FN void copy_motion(GLOBAL const int *c, const motion *from, motion *to) {
  UNROLL_ALL for (int j = 0; j < Y_COUNT; j++) {
    if (feeds_back(c, j)) to->y[j] = from->y[j];
  }
  UNROLL_ALL for (int j = 0; j < O_COUNT; j++) {
    if (observer_feeds_back(j)) to->obs[j] = from->obs[j];
  }
  if (SETTING(c, BEARING)) {
    UNROLL for (int i = 0; i < WHEELS(c); i++) {
      UNROLL for (int j = 0; j < IDLE_COUNT; j++) to->idle[i][j] = from->idle[i][j];
    }
  }
}

/* to = base + factor * rate over all that the rates depend on. */
FN void move_motion(GLOBAL const int *c, const motion *base, real factor, const motion *rate, motion *to) {
  UNROLL_ALL for (int j = 0; j < Y_COUNT; j++) {
    if (feeds_back(c, j)) to->y[j] = fma_real(factor, rate->y[j], base->y[j]);
  }
  if (SETTING(c, OBSERVERS)) {
    UNROLL_ALL for (int j = 0; j < O_COUNT; j++) {
      if (observer_feeds_back(j)) to->obs[j] = fma_real(factor, rate->obs[j], base->obs[j]);
    }
  }
  if (SETTING(c, BEARING)) {
    UNROLL for (int i = 0; i < WHEELS(c); i++) {
      UNROLL for (int j = 0; j < IDLE_COUNT; j++) to->idle[i][j] = fma_real(factor, rate->idle[i][j], base->idle[i][j]);
    }
  }
}

/* sum = base + weight * rate over all that is integrated; base is sum, or nothing at the first stage. */
FN void add_rates(GLOBAL const int *c, real weight, const motion *rate, int first, motion *sum) {
  UNROLL_ALL for (int j = 0; j < Y_COUNT; j++) {
    sum->y[j] = fma_real(weight, rate->y[j], first ? R(0.0) : sum->y[j]);
  }
  if (SETTING(c, OBSERVERS)) {
    UNROLL_ALL for (int j = 0; j < O_COUNT; j++) {
      if (observer_runs(c, j)) sum->obs[j] = fma_real(weight, rate->obs[j], first ? R(0.0) : sum->obs[j]);
    }
  }
  if (SETTING(c, BEARING)) {
    UNROLL for (int i = 0; i < WHEELS(c); i++) {
      UNROLL for (int j = 0; j < IDLE_COUNT; j++) {
        sum->idle[i][j] = fma_real(weight, rate->idle[i][j], first ? R(0.0) : sum->idle[i][j]);
      }
    }
  }
}

/* Rates that nothing computes: those of observers not asked for and of wheels that are not there. */
FN void clear_rates(GLOBAL const int *c, motion *rate) {
#ifndef OMR_WHEELS
  for (int j = 0; j < Y_COUNT; j++) rate->y[j] = R(0.0);
#endif
  if (SETTING(c, OBSERVERS)) {
    UNROLL_ALL for (int j = 0; j < O_COUNT; j++) rate->obs[j] = R(0.0);
  }
}

FN void clear_motion(motion *m) {
  UNROLL_ALL for (int j = 0; j < Y_COUNT; j++) m->y[j] = R(0.0);
  UNROLL_ALL for (int j = 0; j < O_COUNT; j++) m->obs[j] = R(0.0);
  UNROLL for (int i = 0; i < WHEELS_MAX; i++) {
    UNROLL for (int j = 0; j < IDLE_COUNT; j++) m->idle[i][j] = R(0.0);
  }
}

/* The methods have one form: stage s is evaluated at m + reach(s) tau times the rates of stage s - 1, and the increment is
 * factor times tau times the weighted sum of the rates. RK4 is the classical method of order 4. Rosenbrock is Heun's method with
 * other rates for the velocities (rosenbrock.h). */
FN int method_stages(int method) {
  return method == METHOD_RK4 ? 4 : method == METHOD_EULER ? 1 : 2;
}

FN real stage_weight(int method, int stage) {
  if (method == METHOD_RK4) return splat(stage == 0 || stage == 3 ? LIT(1.0) : LIT(2.0));
  return splat(method == METHOD_MIDPOINT && stage == 0 ? LIT(0.0) : LIT(1.0));
}

/* Whether a stage is at another time than the one before. */
FN int stage_moves(int method, int stage) {
  return !(method == METHOD_RK4 && stage == 2);
}

FN real stage_reach(int method, int stage) {
  if (method == METHOD_RK4) return splat(stage == 0 ? LIT(0.0) : stage == 3 ? LIT(1.0) : LIT(0.5));
  return splat(stage == 0 ? LIT(0.0) : method == METHOD_MIDPOINT ? LIT(0.5) : LIT(1.0));
}

FN real method_factor(GLOBAL const int *c) {
  int method = SETTING(c, METHOD);
  if (method == METHOD_RK4) return R(0.16666666666666666667);
  return splat(method == METHOD_HEUN || method == METHOD_ROSENBROCK ? LIT(0.5) : LIT(1.0));
}

/* Semi-implicit Euler: positions, the heave of discs among them, move with the velocities that the end of the pass has. */
FN_COLD void rates_of_positions(GLOBAL const int *c, const motion *m, real tau, real *dy) {
  real vx = fma_real(tau, dy[Y_VX], m->y[Y_VX]), vz = fma_real(tau, dy[Y_VZ], m->y[Y_VZ]);
  rotate_to_world(m->y[Y_YAW], vx, vz, &dy[Y_X], &dy[Y_Z]);
  dy[Y_YAW] = fma_real(tau, dy[Y_OMEGA], m->y[Y_OMEGA]);
  dy[Y_PATH] = sqrt_real(fma_real(vx, vx, vz * vz));
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) dy[Y_Q(i)] = fma_real(tau, dy[Y_RATE(i)], m->y[Y_RATE(i)]);
  if (WHEELS(c) > 1 && SETTING(c, PENALTY)) dy[Y_HEAVE] = fma_real(tau, dy[Y_HEAVE_RATE], m->y[Y_HEAVE_RATE]);
}

/* One pass of length tau from m at time t: *change receives the weighted sum of the derivatives (times tau and method_factor it
 * is the increment), *start what is looked at where it starts. */
FN void runge_kutta(const parameters *p, GLOBAL const int *c, GLOBAL const sreal *tables, const held_state *held, const motion *m,
                    real t, real tau, motion *change, pass_start *start) {
  const int method = SETTING(c, METHOD);
  motion at, rate;
  outputs o;
  stiff_matrix stiff;
  real drive[WHEELS_MAX];
  copy_motion(c, m, &at);
  clear_rates(c, &rate);
  UNROLL_STAGES for (int stage = 0; stage < method_stages(method); stage++) {
    real weight = stage_weight(method, stage);
    real next = stage_reach(method, stage + 1) * tau;
    real when = fma_real(stage_reach(method, stage), tau, t);
    if (stage_moves(method, stage)) drive_torques(p, c, tables, held, when, drive);
    right_hand_side(p, c, drive, held, SETTING(c, BEARING) ? at.idle : m->idle, at.y, when, rate.y, rate.idle, &o);
    if (stage == 0) *start = look_at_start(c, &o);
    if (SETTING(c, OBSERVERS)) observer_rates(p, c, tables, at.y, at.obs, when, &o, rate.obs);
    if (method == METHOD_EULER) rates_of_positions(c, m, tau, rate.y);
    if (!OMR_CONSTRAINED && method == METHOD_ROSENBROCK && stage == 0) {
      make_stiff_matrix(p, c, held, m->y, &o, rate.y, tau, &stiff);
      first_stiff_stage(p, c, &stiff, rate.y);
    }
    if (!OMR_CONSTRAINED && method == METHOD_ROSENBROCK && stage == 1) second_stiff_stage(p, c, &stiff, rate.y);
    if (stage == 0)
      add_rates(c, weight, &rate, 1, change);
    else
      add_rates(c, weight, &rate, 0, change);
    if (stage + 1 < method_stages(method)) move_motion(c, m, next, &rate, &at);
  }
}

/* Adds an increment to a long sum with Kahan's compensation; *low is what the sum has too much. */
FN void add_compensated(real *sum, real *low, real increment, mask accepted) {
  real wanted = increment - *low;
  real total = *sum + wanted;
  real rest = (total - *sum) - wanted;
  *sum = select_real(accepted, total, *sum);
  *low = select_real(accepted, rest, *low);
}

/* Commits the increment of a pass for the accepted lanes. v, ts: state columns, which hold the compensations. */
FN void commit(GLOBAL const int *c, const motion *change, real factor, mask accepted, motion *m, real *v,
               real ts[WHEELS_MAX][T_COUNT]) {
  const int y_low[6] = {S_X_LOW, S_Z_LOW, S_YAW_LOW, S_DISSIPATED_LOW, S_WORK_LOW, S_PATH_LOW};
  UNROLL for (int j = 0; j < 6; j++) {
    add_compensated(&m->y[j], &v[y_low[j]], factor * change->y[j], accepted);
  }
  UNROLL for (int i = 0; i < WHEELS(c); i++) {
    add_compensated(&m->y[Y_Q(i)], &ts[i][T_Q_LOW], factor * change->y[Y_Q(i)], accepted);
  }
  UNROLL for (int j = Y_COMPENSATED; j < Y_COUNT; j++) {
    m->y[j] = select_real(accepted, fma_real(factor, change->y[j], m->y[j]), m->y[j]);
  }
  if (SETTING(c, OBSERVERS)) {
    const int o_low[O_COUNT] = {S_COMMAND_X_LOW, S_COMMAND_Z_LOW,  S_COMMAND_YAW_LOW, S_ODO_X_LOW, S_ODO_Z_LOW,
                                S_ODO_YAW_LOW,   S_VIB_SQUARE_LOW, S_VIB_X_LOW,       S_VIB_Z_LOW};
    UNROLL_DEVICE for (int j = 0; j < O_COUNT; j++) add_compensated(&m->obs[j], &v[o_low[j]], factor * change->obs[j], accepted);
  }
  if (SETTING(c, BEARING)) {
    UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
      UNROLL_DEVICE for (int j = 0; j < IDLE_COUNT; j++) {
        m->idle[i][j] = select_real(accepted, fma_real(factor, change->idle[i][j], m->idle[i][j]), m->idle[i][j]);
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

/* Angles of the wheels' contacts at the end of a pass, factor times the weighted sum of the rates from m. */
FN real end_angle(const motion *m, const motion *change, real factor, int i) {
  return fma_real(factor, change->y[Y_Q(i)], m->y[Y_Q(i)]);
}

/* The first crossing of the lanes in `crossing_lanes`: shortens their pass to it and notes which wheels exchange there. */
FN_COLD void cut_pass(const parameters *p, GLOBAL const int *c, const motion *m, const motion *change, real tau,
                      mask crossing_lanes, clocks *k) {
  real factor = tau * method_factor(c);
  real first = R(2.0), fraction[WHEELS_MAX];
  crossing at[WHEELS_MAX];
  mask beyond[WHEELS_MAX];
  UNROLL for (int i = 0; i < WHEELS(c); i++) {
    real end = end_angle(m, change, factor, i), alpha = p->w[i][W_ALPHA];
    mask watched = mask_and(crossing_lanes, mask_and(eq(k->hit[i], R(0.0)), eq(k->held[i], R(0.0))));
    beyond[i] = mask_and(watched, gt(abs_real(end), alpha));
    real direction = select_real(beyond[i], sign_real(end), R(0.0));
    real rate0 = m->y[Y_RATE(i)], rate1 = fma_real(factor, change->y[Y_RATE(i)], rate0);
    at[i] = start_crossing(m->y[Y_Q(i)], rate0 * tau, end, rate1 * tau, direction * alpha, direction, beyond[i]);
  }
  for (int iteration = 0; iteration < 7; iteration++) { /* all wheels at once: their divisions overlap */
    mask open = lt(R(1.0), R(0.0));
    UNROLL for (int i = 0; i < WHEELS(c); i++) {
      improve_crossing(&at[i]);
      open = mask_or(open, at[i].open);
    }
    if (!any_lane(open)) break;
  }
  UNROLL for (int i = 0; i < WHEELS(c); i++) {
    fraction[i] = crossing_fraction(&at[i], beyond[i]);
    first = min_real(fraction[i], first);
  }
  real target = fma_real(first, k->target - k->done, k->done);
  k->target = select_real(crossing_lanes, target, k->target);
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    /* wheels that turn alike exchange together; a billionth of a step is far below the error of the crossing time */
    mask together = mask_and(crossing_lanes, le(fraction[i], first + R(1e-9)));
    k->hit[i] = select_real(crossing_lanes, select_real(together, at[i].direction, R(0.0)), k->hit[i]);
  }
}

/* Lanes of `running` whose pass would cross an edge of some wheel; their pass is shortened to the first crossing. */
FN mask find_crossings(const parameters *p, GLOBAL const int *c, const motion *m, const motion *change, real tau, mask running,
                       clocks *k) {
  real factor = tau * method_factor(c);
  mask crossing = lt(R(1.0), R(0.0));
  UNROLL for (int i = 0; i < WHEELS(c); i++) {
    mask beyond = gt(abs_real(end_angle(m, change, factor, i)), p->w[i][W_ALPHA]);
    if (k->cut) beyond = mask_and(beyond, mask_and(eq(k->hit[i], R(0.0)), eq(k->held[i], R(0.0))));
    crossing = mask_or(crossing, beyond);
  }
  crossing = mask_and(crossing, running);
  if (any_lane(crossing)) {
    cut_pass(p, c, m, change, tau, crossing, k);
    k->cut = 1;
  }
  return crossing;
}

/* Without splitting: wheels that ended a step beyond an edge exchange there. */
FN void find_overshoots(const parameters *p, GLOBAL const int *c, const motion *m, mask accepted, clocks *k) {
  UNROLL for (int i = 0; i < WHEELS(c); i++) {
    mask beyond = mask_and(accepted, gt(abs_real(m->y[Y_Q(i)]), p->w[i][W_ALPHA]));
    k->hit[i] = select_real(beyond, sign_real(m->y[Y_Q(i)]), R(0.0));
    if (any_lane(beyond)) k->cut = 1;
  }
}

/* Lanes whose pass ends at an edge of some wheel. */
FN mask expects_exchange(GLOBAL const int *c, const clocks *k) {
  mask expected = lt(R(1.0), R(0.0));
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) expected = mask_or(expected, mask_not(eq(k->hit[i], R(0.0))));
  return expected;
}

/* Exchanges rollers in the accepted lanes whose pass ended at an edge; returns the lanes that did. */
FN_COLD mask make_exchanges(const parameters *p, GLOBAL const int *c, GLOBAL sreal *spins, real now, mask accepted, motion *m,
                            real *v, real ts[WHEELS_MAX][T_COUNT], clocks *k) {
  mask exchanged = lt(now, now);
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    real direction = k->hit[i];
    mask expected = mask_and(accepted, mask_not(eq(direction, R(0.0))));
    mask reached = ge(direction * m->y[Y_Q(i)], p->w[i][W_ALPHA] * (R(1.0) - EDGE_TOLERANCE));
    mask hit = mask_and(expected, reached);
    k->hit[i] = select_real(accepted, R(0.0), direction);
    if (!any_lane(hit)) continue;
    exchanged = mask_or(exchanged, hit);
    exchange_roller(p->w[i], c, spins, i, hit, direction, now, &m->y[Y_Q(i)], &m->y[Y_SPIN(i)], m->idle[i], ts[i]);
    mask back = mask_and(hit, lt(direction * k->last[i], R(0.0)));
    k->held[i] = select_real(back, R(1.0), k->held[i]);
    k->last[i] = select_real(hit, direction, k->last[i]);
    v[S_EXCHANGES] = select_real(hit, v[S_EXCHANGES] + R(1.0), v[S_EXCHANGES]);
  }
  return exchanged;
}

/* Moves the clocks after a pass in which some lane was within its step: accepted lanes go to the rest of their step or to the
 * next one, the others try again. */
FN_COLD void tick_parts(GLOBAL const int *c, mask running, mask accepted, real *v, clocks *k) {
  mask full = mask_and(accepted, ge(k->target, R(1.0)));
  mask partial = mask_and(accepted, mask_not(full));
  k->done = select_real(full, R(0.0), select_real(partial, k->target, k->done));
  k->target = select_real(accepted, R(1.0), k->target);
  k->passes = select_real(full, R(0.0), k->passes + R(1.0));
  k->fresh = full;
  k->cut = any_lane(mask_and(running, mask_not(full)));
  v[S_STEP] = select_real(full, v[S_STEP] + R(1.0), v[S_STEP]);
  real held = R(0.0);
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    held = max_real(k->held[i], held);
    k->held[i] = select_real(full, R(0.0), k->held[i]);
    k->last[i] = select_real(full, R(0.0), k->last[i]);
  }
  v[S_HOLDS] = select_real(full, v[S_HOLDS] + held, v[S_HOLDS]);
}

/* Moves the clocks after a pass. */
FN void tick(GLOBAL const int *c, mask running, mask accepted, real *v, clocks *k) {
  if (k->cut) {
    tick_parts(c, running, accepted, v, k);
    return;
  }
  k->fresh = accepted; /* every running lane did its whole step */
  v[S_STEP] = select_real(accepted, v[S_STEP] + R(1.0), v[S_STEP]);
}

/* Tangential impact of the lanes in `hit`: ideal rolling and massless rollers do not tolerate slip. */
FN void make_impact(const parameters *p, GLOBAL const int *c, const held_state *held, mask hit, motion *m, real *v) {
  if (!OMR_CONSTRAINED || !SETTING(c, IMPACT) || SETTING(c, LAW) == LAW_RELAXED) return;
  if (!any_lane(hit)) return;
  add_compensated(&v[S_IMPACT], &v[S_IMPACT_LOW], impact(p, c, held, hit, m->y), hit);
}

FN void run_controllers(const parameters *p, GLOBAL const int *c, GLOBAL const sreal *tables, const real *y, real t, mask now,
                        held_state *held, real ts[WHEELS_MAX][T_COUNT]) {
  command cmd = command_at(p->v, c, tables, t);
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    int kind = DRIVE_KIND(c, i);
    if (kind != DRIVE_SPEED && kind != DRIVE_BODY) continue;
    real torque = held->torque[i], integral = ts[i][T_INTEGRAL];
    control_wheel(p->w[i], kind, &cmd, y[Y_RATE(i)], &torque, &integral);
    held->torque[i] = select_real(now, torque, held->torque[i]);
    ts[i][T_INTEGRAL] = select_real(now, integral, ts[i][T_INTEGRAL]);
  }
}

/* Counts the pass of the running lanes; returns those that had none left. A lane that waits for its neighbours counts nothing. */
FN mask spend_pass(const parameters *p, GLOBAL const int *c, mask running, real *v) {
  if (!SETTING(c, BUDGET)) return lt(R(1.0), R(0.0));
  mask spent = ge(v[S_PASSES], p->v[P_PASS_LIMIT]);
  v[S_PASSES] = select_real(mask_and(running, mask_not(spent)), v[S_PASSES] + R(1.0), v[S_PASSES]);
  return spent;
}

/* The sum of 0 y[j]: 0 where all of y is finite, else NaN. In four sums: one would be a chain as long as y. */
FN real finite_zero(const real *y) {
  real zero[4] = {R(0.0), R(0.0), R(0.0), R(0.0)};
  UNROLL_ALL for (int j = 0; j < Y_COUNT; j++) zero[j % 4] = fma_real(y[j], R(0.0), zero[j % 4]);
  return (zero[0] + zero[1]) + (zero[2] + zero[3]);
}

/* Status of the running lanes from the start of a pass and from its end; returns those that go on. */
FN mask end_failed(const parameters *p, GLOBAL const int *c, const pass_start *start, const motion *change, const clocks *k,
                   mask running, real *v) {
  mask diverged = mask_not(eq(finite_zero(change->y), R(0.0)));
  mask crowded = gt(k->passes, splat(LIT(1.0) * MAX_PASSES));
  mask spent = spend_pass(p, c, running, v), unsolvable = mask_not(start->solvable);
  mask failed = mask_or(mask_or(diverged, crowded), mask_or(spent, unsolvable));
  if (WHEELS(c) > 1) failed = mask_or(failed, start->lifted);
  failed = mask_and(running, failed);
  if (!any_lane(failed)) return running;
  real status = select_real(spent, R(6.0), R(0.0));
  status = select_real(crowded, R(4.0), status);
  status = select_real(diverged, R(2.0), status);
  if (WHEELS(c) > 1) status = select_real(start->lifted, R(1.0), status);
  status = select_real(unsolvable, R(3.0), status);
  v[S_STATUS] = select_real(failed, status, v[S_STATUS]);
  return mask_and(running, mask_not(failed));
}

/* Integrates the pack until every running lane has done `until` steps. spins points at the pack's first lane. */
FN void integrate(const parameters *p, GLOBAL const int *c, GLOBAL const sreal *tables, GLOBAL sreal *spins, real step,
                  real until, motion *m, real *v, real ts[WHEELS_MAX][T_COUNT]) {
  held_state held;
  clocks k;
  motion change;
  pass_start start;
  k.done = v[S_FRACTION]; /* 0 but for a failed instance, which keeps it */
  k.target = R(1.0);
  k.passes = R(0.0);
  k.cut = 0;
  k.fresh = eq(k.done, k.done);
  UNROLL_DEVICE for (int i = 0; i < WHEELS_MAX; i++) {
    k.hit[i] = k.last[i] = k.held[i] = R(0.0);
    held.row[i] = ts[i][T_ROW];
    held.torque[i] = ts[i][T_HOLD_TORQUE];
  }
  make_impact(p, c, &held, mask_and(mask_and(eq(v[S_STATUS], R(0.0)), lt(v[S_STEP], until)), eq(v[S_STEP], R(0.0))), m, v);
  for (;;) {
    mask running = mask_and(eq(v[S_STATUS], R(0.0)), lt(v[S_STEP], until));
    if (!any_lane(running)) break;
    real t = (v[S_STEP] + k.done) * step;
    real tau = (k.target - k.done) * step;
    if (SETTING(c, CONTROL) && any_lane(k.fresh)) {
      real period = splat((sreal)SETTING(c, CONTROL_STEPS));
      mask due = eq(round_real(v[S_STEP] / period) * period, v[S_STEP]);
      run_controllers(p, c, tables, m->y, t, mask_and(running, mask_and(k.fresh, due)), &held, ts);
    }
    runge_kutta(p, c, tables, &held, m, t, tau, &change, &start);
    running = end_failed(p, c, &start, &change, &k, running, v);
    observe_extremes(c, m->y, m->obs, &start, running, v);
    if (SETTING(c, OBSERVERS) & OBSERVER_TRACK) observe_cross_track(p, c, tables, m->y, m->obs, t, running, v);

    mask accepted = running;
    if (SETTING(c, SPLIT)) {
      mask crossing = find_crossings(p, c, m, &change, tau, running, &k);
      accepted = mask_and(running, mask_not(crossing));
    }
    if (SETTING(c, OBSERVERS) & OBSERVER_VIBRATION) {
      real ax = start.ax, az = start.az;
      residual_acceleration(p, c, tables, t, &ax, &az);
      real square = fma_real(ax, ax, az * az);
      v[S_VIB_PEAK2] = select_real(running, max_real(square, v[S_VIB_PEAK2]), v[S_VIB_PEAK2]);
      observe_exchange_order(p, c, m->y, ax, az, tau, accepted, ts);
    }
    commit(c, &change, tau * method_factor(c), accepted, m, v, ts);
    wrap_yaw(m, accepted, v);
    if (!SETTING(c, SPLIT)) find_overshoots(p, c, m, accepted, &k);
    if (k.cut && any_lane(mask_and(accepted, expects_exchange(c, &k)))) {
      mask exchanged = make_exchanges(p, c, spins, t + tau, accepted, m, v, ts, &k);
      UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) held.row[i] = ts[i][T_ROW];
      if (SETTING(c, LAW) != LAW_CLASSICAL) make_impact(p, c, &held, exchanged, m, v);
    }
    tick(c, running, accepted, v, &k);
    COUNT_PASS(accepted);
  }
  v[S_FRACTION] = k.done;
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) ts[i][T_HOLD_TORQUE] = held.torque[i];
}
