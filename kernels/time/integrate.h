/* The time loop: passes until every lane has done its steps; controllers, status and observers
 * between them (NUMERICS.md#steps-and-passes). */

/* More passes than this in one step mean a step far too long for the wheels' speed. */
#define MAX_PASSES 256

/* Tangential impact of the lanes in `hit`: ideal rolling and massless rollers do not tolerate slip.
 */
FN void make_impact(const parameters *p, GLOBAL const int *c, const held_state *held, mask hit,
                    motion *m, real *v) {
  if (!OMR_CONSTRAINED || !SETTING(c, IMPACT) || SETTING(c, LAW) == LAW_RELAXED) return;
  if (!any_lane(hit)) return;
  add_compensated(&v[S_IMPACT], &v[S_IMPACT_LOW], impact(p, c, held, hit, m->y), hit);
}

FN void run_controllers(const parameters *p, GLOBAL const int *c, const real *y, real t, mask now,
                        held_state *held, real ts[WHEELS_MAX][T_COUNT]) {
  command cmd = command_at(p->v, c, p->tables, t, t);
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    int kind = DRIVE_KIND(c, i);
    if (kind != DRIVE_SPEED && kind != DRIVE_BODY) continue;
    real torque = held->torque[i], integral = ts[i][T_INTEGRAL];
    control_wheel(p->w[i], kind, &cmd, y[Y_RATE(i)], &torque, &integral);
    held->torque[i] = select_real(now, torque, held->torque[i]);
    ts[i][T_INTEGRAL] = select_real(now, integral, ts[i][T_INTEGRAL]);
  }
}

/* Counts the pass of the running lanes; returns those that had none left. A lane that waits for its
 * neighbours counts nothing. */
FN mask spend_pass(const parameters *p, GLOBAL const int *c, mask running, real *v) {
  if (!SETTING(c, BUDGET)) return no_lane();
  mask spent = ge(v[S_PASSES], p->v[P_PASS_LIMIT]);
  v[S_PASSES] = select_real(mask_and(running, mask_not(spent)), v[S_PASSES] + R(1.0), v[S_PASSES]);
  return spent;
}

/* The sum of 0 y[j]: 0 where all of y is finite, else NaN. In four sums, where loops unroll: one
 * would be a chain as long as y. */
FN real finite_zero(GLOBAL const int *c, const real *y) {
  real zero[4] = {R(0.0), R(0.0), R(0.0), R(0.0)};
  (void)c;
#ifdef OMR_WHEELS
  const int sums = 4;
#else
  const int sums = 1;
#endif
  FOR_MOTION(c, j) zero[j % sums] = fma_real(y[j], R(0.0), zero[j % sums]);
  FOR_CURRENTS(c, i) {
    zero[0] = fma_real(y[Y_CURRENT(i)], R(0.0), zero[0]);
  }
  return (zero[0] + zero[1]) + (zero[2] + zero[3]);
}

/* Status of the running lanes from the start of a pass and from its end; returns those that go on.
 */
FN mask end_failed(const parameters *p, GLOBAL const int *c, const pass_start *start,
                   const motion *change, const clocks *clock, mask running, real *v) {
  mask diverged = mask_not(eq(finite_zero(c, change->y), R(0.0)));
  mask crowded = gt(clock->passes, splat(LIT(1.0) * MAX_PASSES));
  mask spent = spend_pass(p, c, running, v), unsolvable = mask_not(start->solvable);
  mask failed = mask_or(mask_or(diverged, crowded), mask_or(spent, unsolvable));
  if (loads_vary(c)) failed = mask_or(failed, start->lifted);
  failed = mask_and(running, failed);
  if (!any_lane(failed)) return running;
  real status = select_real(spent, STATUS(SPENT), STATUS(OK));
  status = select_real(crowded, STATUS(CROWDED), status);
  status = select_real(diverged, STATUS(DIVERGED), status);
  if (loads_vary(c)) status = select_real(start->lifted, STATUS(LIFTED), status);
  status = select_real(unsolvable, STATUS(OUTSIDE), status);
  v[S_STATUS] = select_real(failed, status, v[S_STATUS]);
  return mask_and(running, mask_not(failed));
}

/* Lanes of `accepted` whose state has left every motion that command, drives, loads and initial
 * state allow: they end here (PHYSICS.md#5-equations-of-motion). */
FN void end_runaways(const parameters *p, GLOBAL const int *c, const motion *m, mask accepted,
                     real *v) {
  real speed = max_real(abs_real(m->y[Y_VX]), abs_real(m->y[Y_VZ])),
       rate = abs_real(m->y[Y_RATE(0)]);
  UNROLL for (int i = 1; i < WHEELS(c); i++) rate = max_real(abs_real(m->y[Y_RATE(i)]), rate);
  mask beyond = mask_or(gt(speed, p->v[P_MOST_SPEED]), gt(rate, p->v[P_MOST_RATE]));
  beyond = mask_or(beyond, gt(abs_real(m->y[Y_OMEGA]), p->v[P_MOST_YAW_RATE]));
  v[S_STATUS] = select_real(mask_and(accepted, beyond), STATUS(DIVERGED), v[S_STATUS]);
}

/* Lanes whose coming pass is the last of the run. */
FN mask find_last(const parameters *p, const clocks *clock, const real *v) {
  return mask_and(ge(clock->target, R(1.0)), ge(v[S_STEP] + R(1.0), p->v[P_STEPS] * v[S_SUBSTEPS]));
}

/* Lanes in which a controller samples where the coming pass ends; period: in steps of the lane. */
FN mask find_samples(GLOBAL const int *c, const clocks *clock, real period, const real *v) {
  if (!SETTING(c, CONTROL)) return no_lane();
  real next = v[S_STEP] + R(1.0);
  return mask_and(ge(clock->target, R(1.0)), eq(round_real(next / period) * period, next));
}

/* Integrates the pack until every running lane has done `until` steps of its own, each of the
 * length `step`. */
FN void integrate(const parameters *p, GLOBAL const int *c, pack_state pack, real step,
                  real until) {
  motion *m = pack.m;
  real *v = pack.v, (*ts)[T_COUNT] = pack.ts;
  held_state held, before;
  replay_rows kept;
  clocks clock;
  motion change;
  pass_view seen;
  const real period = splat((sreal)SETTING(c, CONTROL_STEPS)) * v[S_SUBSTEPS];
  start_clocks(p, c, step, v, ts, &clock);
  UNROLL_DEVICE for (int i = 0; i < WHEELS_MAX; i++) {
    held.row[i] = ts[i][T_ROW];
    held.torque[i] = ts[i][T_HOLD_TORQUE];
  }
  start_replays(c, &kept, &held);
  make_impact(
      p, c, &held,
      mask_and(mask_and(eq(v[S_STATUS], STATUS(OK)), lt(v[S_STEP], until)), eq(v[S_STEP], R(0.0))),
      m, v);
  for (;;) {
    mask running = mask_and(eq(v[S_STATUS], STATUS(OK)), lt(v[S_STEP], until));
    if (!any_lane(running)) break;
    real t = (v[S_STEP] + clock.done) * step;
    real tau = (clock.target - clock.done) * step;
    mask sampled = no_lane();
    if (SETTING(c, CONTROL) && any_lane(clock.fresh)) {
      mask due = eq(round_real(v[S_STEP] / period) * period, v[S_STEP]);
      sampled = mask_and(running, mask_and(clock.fresh, due));
      before = held;
      run_controllers(p, c, m->y, t, sampled, &held, ts);
    }
    hold_replays(p, c, fma_real(R(0.5), tau, t), &held);
    if (SETTING(c, CONTROL) && SETTING(c, REPLAYS)) before.within = held.within;
    edge_pass edges;
    int resting = edges_count(c) && clock.resting;
    if (resting) {
      edge_copy own;
      edge_run run = lend_to_edges(p, c, &held, pack, &own);
      stop_at_edges(&run, running, clock.passes, t, step, tau, &edges);
      take_from_edges(c, &own, &held, pack);
      UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) before.row[i] = held.row[i];
      resting = clock.resting = any_lane(edges.lanes);
    }
    /* Whether the clocks have more to do than count a step is known before the pass, so that its
     * end waits for no guess. */
    mask near = SPLITS(c) ? nears_edge(p, c, m, tau + step) : no_lane();
    int parts = any_lane(mask_or(clock.parts, near));
    mask last = no_lane(), whole = mask_not(clock.parts);
    if (SETTING(c, OBSERVERS)) last = find_last(p, &clock, v);
    mask breaks = mask_or(clock.ends, last);
    begin_looks(c, breaks, find_samples(c, &clock, period, v), v, &seen);
    runge_kutta(p, c, &held, m, t, tau, &change, &seen);
    const course path = course_of(c, m, &change, t, tau);
    if (resting) {
      take_edge_pass(c, &edges, &change, &seen);
      whole = mask_and(whole, mask_not(edges.lanes));
    }
    running = end_failed(p, c, &seen.start, &change, &clock, running, v);
    observe_extremes(c, m->y, m->obs, &seen.start, running, v);
#if OMR_COMPLIANT
    observe_vertical(c, &seen.start, running, v);
#endif
    if (SETTING(c, OBSERVERS) & OBSERVER_VIBRATION) observe_peak(seen.start.square, running, v);
    if (SETTING(c, CONTROL) && (SETTING(c, OBSERVERS) & OBSERVERS_OF_EXTREMES)) {
      running = look_before_sample(p, c, &before, m, t, sampled, running, v);
    }
    if (SETTING(c, OBSERVERS) & OBSERVERS_OF_ENDS)
      observe_motors(p, c, &held, t, seen.motors.first, running, pack);
    if (SETTING(c, OBSERVERS) & OBSERVER_TRACK)
      observe_cross_track(p, c, m->y, m->obs, t, running, v);
    observe_largest(p, c, m->y, t, running, v);

    mask accepted = running;
    if (SPLITS(c)) {
      if (resting) {
        accepted = mask_and(running, mask_not(cut_at_exits(p, c, &edges, running, &clock)));
        parts = 1;
      }
      mask crossing = find_crossings(c, path, accepted, &clock);
      if (any_lane(crossing)) crossing = confirm_crossings(p, c, path, crossing, &clock);
      if (any_lane(crossing)) {
        cut_pass(p, c, path, crossing, &clock);
        parts = 1;
      }
      accepted = mask_and(accepted, mask_not(crossing));
    }
    mask still = no_lane(); /* what resting lanes see is looked at once they are there */
    if (resting) still = mask_and(accepted, edges.lanes);
    accepted = look_within(p, c, &held, path, &seen, last, mask_and(accepted, mask_not(still)), v);
    if (resting) accepted = mask_or(accepted, still);
    end_looks(c, &seen, mask_and(whole, mask_not(breaks)), accepted, v);
    if (SETTING(c, OBSERVERS) & OBSERVER_VIBRATION) {
      observe_exchange_order(p, c, m->y, seen.start.residual_x, seen.start.residual_z, tau,
                             accepted, ts);
    }
#if OMR_COMPLIANT
    if (SETTING(c, OBSERVERS) & OBSERVER_HEAVE)
      observe_heave(p, c, m->y, &seen.start, tau, accepted, v, ts);
#endif
    commit(c, &change, tau * method_factor(c), accepted, m, v, ts);
    prescribe_rates(p, c, &held, t + tau, accepted, m->y);
    if (resting) {
      commit_edges(c, &edges, tau * method_factor(c), accepted, ts);
      look_at_rest(p, c, &held, pack, t + tau, t, mask_and(still, breaks));
    }
    end_runaways(p, c, m, accepted, v);
    if (SETTING(c, OBSERVERS) & OBSERVERS_OF_MOTORS) {
      commit_motors(c, &seen.motors, tau * method_factor(c), accepted, v, ts);
      if (SETTING(c, OBSERVERS) & OBSERVERS_OF_ENDS)
        observe_motors(p, c, &held, t + tau, seen.motors.last, accepted, pack);
    }
    if ((SETTING(c, OBSERVERS) & OBSERVER_TRACK) && any_lane(last)) {
      observe_cross_track(p, c, m->y, m->obs, t + tau, mask_and(accepted, last), v);
    }
    observe_largest(p, c, m->y, t + tau, accepted, v);
    wrap_yaw(m, accepted, v);
    if (!SPLITS(c)) parts = any_lane(find_overshoots(p, c, m, accepted, &clock));
    if (parts) {
      mask exchanged = turn_clocks(p, c, path, accepted, near, pack, &clock);
      UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) held.row[i] = ts[i][T_ROW];
      if (SETTING(c, LAW) != LAW_CLASSICAL) make_impact(p, c, &held, exchanged, m, v);
    } else { /* every running lane did its whole step */
      clock.fresh = accepted;
      v[S_STEP] = select_real(accepted, v[S_STEP] + R(1.0), v[S_STEP]);
    }
    COUNT_PASS(accepted);
  }
  store_clocks(c, &clock, v, ts);
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) ts[i][T_HOLD_TORQUE] = held.torque[i];
}
