/* The time loop's part (integrate.h) for fixed steps: clocks that count them
 * (explanation/steps.md#steps-and-passes). */

/* More passes than this in one step mean a step far too long for the wheels' speed. */
#define MAX_PASSES 256

/* Lanes whose coming pass is the last of the run. */
FN mask find_last(const parameters *p, const clocks *clock, const real *v) {
  return mask_and(ge(clock->target, R(1.0)), eq(v[S_STEP] + R(1.0), p->v[P_STEPS] * v[S_SUBSTEPS]));
}

/* Lanes in which a controller samples where the coming pass ends; period: in steps of the lane. */
FN mask find_samples(GLOBAL const int *c, const clocks *clock, real period, const real *v) {
  if (!SETTING(c, CONTROL)) return no_lane();
  real next = v[S_STEP] + R(1.0);
  return mask_and(ge(clock->target, R(1.0)), eq(round_real(next / period) * period, next));
}

/* Memory of a loop. The change comes first: loops over it then take the address of the room. */
typedef struct stepping_room {
  motion change;
  clocks clock;
  held_state before; /* a controller's sample: the state held until then */
  pass_view seen;
  edge_pass edges;
} stepping_room;

/* Where a loop is. */
typedef struct stepping {
  clocks *clock;
  held_state *before;
  real step, until, period; /* period of the controllers, in steps of the lane */
  mask begins;
  /* of the coming pass: a controller samples at its start; a wheel is near an edge; it is a whole
   * step; the clocks have more to do than count a step */
  mask sampled, near, whole;
  int parts;
} stepping;

FN stepping start_stepping(const parameters *p, GLOBAL const int *c, pack_state pack, real step,
                           real until, stepping_room *room, loop_pass *at) {
  const real *v = pack.v;
  stepping by;
  by.clock = &room->clock;
  by.before = &room->before;
  by.step = step;
  by.until = until;
  by.period = splat((sreal)SETTING(c, CONTROL_STEPS)) * v[S_SUBSTEPS];
  by.begins =
      mask_and(mask_and(eq(v[S_STATUS], STATUS(OK)), lt(v[S_STEP], until)), eq(v[S_STEP], R(0.0)));
  at->change = &room->change;
  at->seen = &room->seen;
  at->edges = &room->edges;
  start_clocks(p, c, step, v, pack.ts, by.clock);
  return by;
}

/* Returns the lanes that have a pass to do. */
FN mask plan_pass(const parameters *p, GLOBAL const int *c, held_state *held, stepping *by,
                  loop_pass *at, pack_state pack) {
  clocks *clock = by->clock;
  real *v = pack.v;
  mask running = mask_and(eq(v[S_STATUS], STATUS(OK)), lt(v[S_STEP], by->until));
  if (!any_lane(running)) return running;
  const real t = (v[S_STEP] + clock->done) * by->step;
  const real tau = (clock->target - clock->done) * by->step;
  at->t = at->within = t;
  at->tau = tau;
  by->sampled = no_lane();
  if (SETTING(c, CONTROL) && any_lane(clock->fresh)) {
    mask due = eq(round_real(v[S_STEP] / by->period) * by->period, v[S_STEP]);
    by->sampled = mask_and(running, mask_and(clock->fresh, due));
    *by->before = *held;
    run_controllers(p, c, t, v[S_STEP], by->period, by->sampled, held, pack);
  }
  hold_replays(p, c, fma_real(R(0.5), tau, t), held);
  if (SETTING(c, CONTROL) && SETTING(c, REPLAYS)) by->before->within = held->within;

  /* Wheels may rest on two rollers, or leave them. */
  at->resting = edges_count(c) && clock->resting;
  if (at->resting) {
    edge_copy own;
    edge_run run = lend_to_edges(p, c, held, pack, &own);
    stop_at_edges(&run, running, clock->passes, t, by->step, tau, at->edges);
    take_from_edges(c, &own, held, pack);
    UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) by->before->row[i] = held->row[i];
    at->resting = clock->resting = any_lane(at->edges->lanes);
  }

  /* Whether the clocks have more to do than count a step is known before the pass, so that its end
   * waits for no guess. */
  by->near = SPLITS(c) ? nears_edge(p, c, pack.m, tau + by->step) : no_lane();
  by->parts = any_lane(mask_or(clock->parts, by->near));
  by->whole = mask_not(clock->parts);
  at->last = no_lane();
  if (SETTING(c, OBSERVERS) | SETTING(c, OBSERVED)) at->last = find_last(p, clock, v);
  at->ends = mask_or(clock->ends, at->last);
  begin_looks(c, at->ends, find_samples(c, clock, by->period, v), v, at->seen);
  return running;
}

FN void make_pass(const parameters *p, GLOBAL const int *c, const held_state *held, stepping *by,
                  loop_pass *at, pack_state pack) {
  runge_kutta(p, c, held, pack.m, at->t, at->tau, at->change, at->seen);
  at->factor = at->tau * method_factor(SETTING(c, METHOD));
  if (at->resting) {
    take_edge_pass(c, at->edges, at->change, at->seen);
    by->whole = mask_and(by->whole, mask_not(at->edges->lanes));
  }
  at->diverged = mask_not(eq(finite_zero(c, at->change->y), R(0.0)));
  at->crowded = gt(by->clock->passes, splat(LIT(1.0) * MAX_PASSES));
}

/* At the other side of a controller's sample. */
FN mask look_back(const parameters *p, GLOBAL const int *c, const stepping *by, const loop_pass *at,
                  mask running, pack_state pack) {
  if (!SETTING(c, CONTROL) || !(SETTING(c, OBSERVERS) & OBSERVERS_OF_EXTREMES)) return running;
  return look_before_sample(p, c, by->before, pack.m, at->t, by->sampled, running, pack.v);
}

/* Returns the lanes of `running` whose pass is good. The others repeat a part of it. */
FN mask accept_pass(const parameters *p, GLOBAL const int *c, const held_state *held, stepping *by,
                    loop_pass *at, mask running, pack_state pack) {
  clocks *clock = by->clock;
  const course path = path_of(at, pack.m);
  mask accepted = running;
  if (SPLITS(c)) {
    if (at->resting) {
      accepted = mask_and(running, mask_not(cut_at_exits(p, c, at->edges, running, clock)));
      by->parts = 1;
    }
    mask crossing = find_crossings(c, path, accepted, clock);
    if (any_lane(crossing)) crossing = confirm_crossings(p, c, path, crossing, clock);
    if (any_lane(crossing)) {
      cut_pass(p, c, path, crossing, clock);
      by->parts = 1;
    }
    accepted = mask_and(accepted, mask_not(crossing));
  }
  mask still = no_lane(); /* resting lanes are looked at once they are there */
  if (at->resting) still = mask_and(accepted, at->edges->lanes);
  accepted = look_within(p, c, held, path, at->seen, at->last, mask_and(accepted, mask_not(still)),
                         pack.v);
  if (at->resting) accepted = mask_or(accepted, still);
  at->still = still;
  end_looks(c, at->seen, mask_and(by->whole, mask_not(at->ends)), accepted, pack.v);
  return accepted;
}

/* The values at the start stand for the whole pass. */
FN void observe_change(const parameters *p, GLOBAL const int *c, const stepping *by,
                       const loop_pass *at, mask accepted, pack_state pack) {
  const pass_start *start = &at->seen->start;
  (void)by;
  if (SETTING(c, OBSERVERS) & OBSERVER_VIBRATION) {
    observe_exchange_order(p, c, pack.m->y, start->residual_x, start->residual_z, at->tau, accepted,
                           pack.ts);
  }
#if OMR_COMPLIANT
  if (SETTING(c, OBSERVERS) & OBSERVER_HEAVE)
    observe_heave(p, c, pack.m->y, start, at->tau, accepted, pack.v, pack.ts);
#endif
}

FN void observe_end(const parameters *p, GLOBAL const int *c, const stepping *by,
                    const loop_pass *at, mask accepted, pack_state pack) {
  (void)p, (void)c, (void)by, (void)at, (void)accepted, (void)pack;
}

FN void finish_pass(const parameters *p, GLOBAL const int *c, held_state *held, stepping *by,
                    const loop_pass *at, mask accepted, pack_state pack) {
  clocks *clock = by->clock;
  real *v = pack.v;
  if (!SPLITS(c)) by->parts = any_lane(find_overshoots(p, c, pack.m, accepted, clock));
  if (by->parts) {
    mask exchanged = turn_clocks(p, c, path_of(at, pack.m), accepted, by->near, pack, clock);
    UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) held->row[i] = pack.ts[i][T_ROW];
    if (SETTING(c, LAW) != LAW_CLASSICAL) make_impact(p, c, held, exchanged, pack.m, v);
  } else { /* every running lane did its whole step */
    clock->fresh = accepted;
    v[S_STEP] = select_real(accepted, v[S_STEP] + R(1.0), v[S_STEP]);
  }
}

FN void store_stepping(GLOBAL const int *c, const stepping *by, pack_state pack) {
  store_clocks(c, by->clock, pack.v, pack.ts);
}
