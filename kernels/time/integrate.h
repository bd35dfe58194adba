/* The time loop: passes until every lane has done its steps; controllers, status and observers
 * between them (explanation/steps.md#steps-and-passes). Fixed steps (fixed.h) and steps that an
 * error estimate chooses (controlled.h) differ in functions of the same names, in this order:
 *
 *   start_stepping                before the first pass
 *   plan_pass, make_pass          the coming pass; its change, and its error
 *   look_back                     at a jump where it starts
 *   accept_pass                   whether it is good, and where the next one starts
 *   observe_change, observe_end   observers with an integration of their own
 *   finish_pass, store_stepping   exchanges; after the last pass
 */

/* Tangential impact of the lanes in `hit`: ideal rolling and massless rollers do not tolerate slip.
 */
FN void make_impact(const parameters *p, GLOBAL const int *c, const held_state *held, mask hit,
                    motion *m, real *v) {
  if (!OMR_CONSTRAINED || !SETTING(c, IMPACT) || SETTING(c, LAW) == LAW_RELAXED) return;
  if (!any_lane(hit)) return;
  add_compensated(&v[S_IMPACT], &v[S_IMPACT_LOW], impact(p, c, held, hit, m->y), hit);
}

/* The controllers sample in the lanes of `now`; step / period is the number of the sample, counted
 * from 0. */
FN void run_controllers(const parameters *p, GLOBAL const int *c, real t, real step, real period,
                        mask now, held_state *held, pack_state pack) {
  real(*ts)[T_COUNT] = pack.ts, wanted[WHEELS_MAX];
  command cmd = command_at(p->v, c, p->tables, t, t);
  if (SETTING(c, WAY)) {
    follow_path(p, c, t, step / period, now, pack);
    take_asked(pack.v, &cmd);
  }
  if (SETTING(c, HEADING))
    cmd.yaw_rate = hold_heading(p, c, step / period, now, pack.m->y, pack.v, cmd.yaw_rate);
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    wanted[i] = wanted_rate(p->w[i], DRIVE_KIND(c, i), &cmd);
    if (!is_steered(c, i) || DRIVE_KIND(c, i) != DRIVE_BODY) continue;
    real target = ts[i][T_STEER];
    wanted[i] = steer_wheel(p->w[i], &cmd, pack.m->y[Y_Q(i)], &target);
    ts[i][T_STEER] = select_real(now, target, ts[i][T_STEER]);
  }
  if (SETTING(c, ASKED_LIMIT)) limit_asked(p, c, now, wanted, ts);
  if (SETTING(c, FEEDBACK)) hold_feedback(p, c, cmd, wanted, now, held, pack);
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    int kind = DRIVE_KIND(c, i);
    if (kind != DRIVE_SPEED && kind != DRIVE_BODY) continue;
    real torque = held->torque[i], integral = ts[i][T_INTEGRAL];
    if (is_steered(c, i) && kind == DRIVE_BODY) held->steer[i] = ts[i][T_STEER];
    control_wheel(p->w[i], wanted[i], pack.m->y[Y_RATE(i)], &torque, &integral);
    held->torque[i] = select_real(now, torque, held->torque[i]);
    ts[i][T_INTEGRAL] = select_real(now, integral, ts[i][T_INTEGRAL]);
  }
}

/* Counts the pass of the running lanes; returns those that had none left. A lane that waits for its
 * neighbours counts nothing. */
FN mask spend_pass(const parameters *p, GLOBAL const int *c, mask running, real *v) {
  if (!OMR_CONTROLLED && !SETTING(c, BUDGET)) return no_lane();
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

/* The pass that the loop is at. */
typedef struct loop_pass {
  real t, tau; /* the time where it starts, and its length, s */
  real factor; /* times *change it is the increment */
  real within; /* a time inside of it, for looks at its end */
  motion *change;
  pass_view *seen;
  edge_pass *edges;       /* of the lanes in `still` */
  int resting;            /* wheels of some lane rest on two rollers: */
  mask still;             /* these lanes */
  mask diverged, crowded; /* too much, or too many passes */
  mask last, ends;        /* it ends the run; a jump or a stop is where it ends */
} loop_pass;

/* The pass as a curve from the motion m. */
FN course path_of(const loop_pass *at, const motion *m) {
  course path = {m, at->change, at->factor, at->t, at->tau};
  return path;
}

/* Status of the running lanes after a pass; returns those that go on. */
FN mask end_failed(const parameters *p, GLOBAL const int *c, const loop_pass *at, mask running,
                   real *v) {
  const pass_start *start = &at->seen->start;
  mask spent = spend_pass(p, c, running, v), unsolvable = mask_not(start->solvable);
  mask failed = mask_or(mask_or(at->diverged, at->crowded), mask_or(spent, unsolvable));
  if (loads_vary(c)) failed = mask_or(failed, start->lifted);
  failed = mask_and(running, failed);
  if (!any_lane(failed)) return running;
  real status = select_real(spent, STATUS(SPENT), STATUS(OK));
  status = select_real(at->crowded, STATUS(CROWDED), status);
  status = select_real(at->diverged, STATUS(DIVERGED), status);
  if (loads_vary(c)) status = select_real(start->lifted, STATUS(LIFTED), status);
  status = select_real(unsolvable, STATUS(OUTSIDE), status);
  v[S_STATUS] = select_real(failed, status, v[S_STATUS]);
  return mask_and(running, mask_not(failed));
}

/* Lanes of `accepted` whose state has left every motion that command, drives, loads and initial
 * state allow: they end here (appendix/vehicle.md#motion). */
FN void end_runaways(const parameters *p, GLOBAL const int *c, const motion *m, mask accepted,
                     real *v) {
  real speed = max_real(abs_real(m->y[Y_VX]), abs_real(m->y[Y_VZ])),
       rate = abs_real(m->y[Y_RATE(0)]);
  UNROLL for (int i = 1; i < WHEELS(c); i++) rate = max_real(abs_real(m->y[Y_RATE(i)]), rate);
  mask beyond = mask_or(gt(speed, p->v[P_MOST_SPEED]), gt(rate, p->v[P_MOST_RATE]));
  beyond = mask_or(beyond, gt(abs_real(m->y[Y_OMEGA]), p->v[P_MOST_YAW_RATE]));
  v[S_STATUS] = select_real(mask_and(accepted, beyond), STATUS(DIVERGED), v[S_STATUS]);
}

#if OMR_CONTROLLED
#include "controlled.h"
#else
#include "../fixed.h"
#endif

/* The observers' view where a pass starts, in the lanes of `running`; returns lanes that go on. */
FN mask observe_start(const parameters *p, GLOBAL const int *c, const held_state *held,
                      const stepping *by, const loop_pass *at, mask running, pack_state pack) {
  const motion *m = pack.m;
  real *v = pack.v;
  observe_extremes(c, m->y, m->obs, &at->seen->start, running, v);
#if OMR_COMPLIANT
  observe_vertical(c, &at->seen->start, running, v);
#endif
  if (SETTING(c, OBSERVERS) & OBSERVER_VIBRATION) observe_peak(at->seen->start.square, running, v);
  running = look_back(p, c, by, at, running, pack);
  if (SETTING(c, OBSERVERS) & OBSERVERS_OF_ENDS)
    observe_motors(p, c, held, at->t, at->seen->motors.first, running, pack);
  observe_grip(p, c, m->y, &at->seen->grip, running, pack);
  const sight there = {p, c, m->y, m->obs, at->t, R(0.0), running, running};
  observe_kept(&there, v);
  observe_encoders(&there, v, pack.ts);
  return running;
}

/* The same where the pass ends in the lanes of `accepted`, whose state is there by now. */
FN void observe_accepted(const parameters *p, GLOBAL const int *c, const held_state *held,
                         const loop_pass *at, mask accepted, pack_state pack) {
  const motion *m = pack.m;
  const real end = at->t + at->tau;
  real *v = pack.v;
  if (SETTING(c, OBSERVERS) & OBSERVERS_OF_MOTORS) {
    commit_motors(c, &at->seen->motors, at->factor, accepted, v, pack.ts);
    if (SETTING(c, OBSERVERS) & OBSERVERS_OF_ENDS)
      observe_motors(p, c, held, end, at->seen->motors.last, accepted, pack);
  }
  if (SETTING(c, OBSERVERS) & OBSERVER_GRIP)
    v[S_GRIP_PASS] = select_real(accepted, at->tau, v[S_GRIP_PASS]);
  const sight there = {p, c, m->y, m->obs, end, at->tau, accepted, mask_and(accepted, at->last)};
  observe_kept(&there, v);
  observe_encoders(&there, v, pack.ts);
}

/* Integrates the pack. Fixed steps: until every running lane has done `until` steps of its own,
 * each of the length `step`. Chosen ones: while the next pass of a lane ends no later than the time
 * `until`; `step` is the time where the motion ends. */
FN void integrate(const parameters *p, GLOBAL const int *c, pack_state pack, real step,
                  real until) {
  real *v = pack.v, (*ts)[T_COUNT] = pack.ts;
  held_state held;
  replay_rows kept;
  stepping_room room;
  loop_pass at;
  UNROLL_DEVICE for (int i = 0; i < WHEELS_MAX; i++) {
    held.row[i] = ts[i][T_ROW];
    held.torque[i] = ts[i][T_HOLD_TORQUE];
    if (KINDS_OF(c) & KINDS_STEERED) held.steer[i] = ts[i][T_STEER];
  }
  start_replays(c, &kept, &held);
  stepping by = start_stepping(p, c, pack, step, until, &room, &at);
  make_impact(p, c, &held, by.begins, pack.m, v);
  for (;;) {
    /* A lane's pass is planned, made, and seen where it starts. */
    mask running = plan_pass(p, c, &held, &by, &at, pack);
    if (!any_lane(running)) break;
    make_pass(p, c, &held, &by, &at, pack);
    running = end_failed(p, c, &at, running, v);
    running = observe_start(p, c, &held, &by, &at, running, pack);
    const mask accepted = accept_pass(p, c, &held, &by, &at, running, pack);

    /* The lanes that accept it go to its end. */
    observe_change(p, c, &by, &at, accepted, pack);
    commit(c, at.change, at.factor, accepted, pack.m, v, ts);
    prescribe_rates(p, c, &held, at.t + at.tau, accepted, pack.m->y);
    observe_end(p, c, &by, &at, accepted, pack);
    if (at.resting) {
      commit_edges(c, at.edges, at.factor, accepted, ts);
      look_at_rest(p, c, &held, pack, at.t + at.tau, at.within,
                   mask_and(mask_and(accepted, at.still), at.ends));
    }
    end_runaways(p, c, pack.m, accepted, v);
    observe_accepted(p, c, &held, &at, accepted, pack);
    wrap_yaw(pack.m, accepted, v);

    /* Rollers are exchanged there. */
    finish_pass(p, c, &held, &by, &at, accepted, pack);
    COUNT_PASS(accepted);
  }
  store_stepping(c, &by, pack);
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) ts[i][T_HOLD_TORQUE] = held.torque[i];
}
