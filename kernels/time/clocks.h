/* Steps split at roller exchanges, every lane on its own clock (appendix/rollers.md#exchange,
 * explanation/steps.md#steps-and-passes).
 * A pass advances each lane by the rest of its step or up to its next exchange. Where a step
 * starts, the motion of the last pass, continued, tells whether and when a wheel will meet an edge;
 * the pass is cut there beforehand. A lane whose pass ends beyond an edge all the same rejects it
 * and repeats a shorter one, while its neighbours go on. */

/* A pass that was cut to end at an edge exchanges where it ends, if it came this near (in units of
 * alpha) or, after a rejected pass, beyond. A foreseen one that missed the edge by more is no good:
 * rejected if beyond, else without an exchange. */
#define EDGE_TOLERANCE R_BY(1e-5, 1e-9)

/* No pass is rejected for an angle below this: the pass ends at the edge, or the wheel keeps its
 * roller. */
#define NO_LIMIT R(1e30)

/* The last pass tells of a coming step no longer than this many times its own length. */
#define FORESIGHT R(4.0)

/* A lane's place in its step. */
typedef struct clocks {
  real step;         /* length of a step, s */
  real done, target; /* fractions of the step: done so far, end of the coming pass */
  real passes;
  mask fresh;             /* at the start of a step */
  mask ends;              /* the coming pass ends at an edge of some wheel */
  mask parts;             /* the coming pass is no whole step */
  real hit[WHEELS_MAX];   /* +-1: at this edge of the wheel; 0: no exchange expected */
  real limit[WHEELS_MAX]; /* the pass is rejected if it takes the wheel's contact angle beyond this
                           */
  int resting; /* some wheel rests on two rollers (edge.h), or is at an edge where more than an
                  exchange may happen */
} clocks;

/* Whether some wheel rests, or may come to rest before the next pass: those that stand at an edge
 * and do not turn, where the run begins. */
FN int any_rests(const parameters *p, GLOBAL const int *c, mask begins,
                 real ts[WHEELS_MAX][T_COUNT]) {
  mask rests = no_lane();
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    rests = mask_or(rests, gt(abs_real(ts[i][T_REST]), R(1.5)));
    mask there = ge(abs_real(ts[i][T_Q]), p->w[i][W_ALPHA] * (R(1.0) - EDGE_TOLERANCE));
    rests = mask_or(rests, mask_and(mask_and(there, eq(ts[i][T_RATE], R(0.0))), begins));
  }
  return any_lane(rests);
}

/* Clocks as the state has them, which keeps a launch's forecast of the step after its last one, so
 * that results do not depend on how many steps a launch has. step: the length of a step, s. */
FN void start_clocks(const parameters *p, GLOBAL const int *c, real step, const real *v,
                     real ts[WHEELS_MAX][T_COUNT], clocks *clock) {
  clock->step = step;
  clock->done = v[S_FRACTION]; /* 0 but for a failed instance, which keeps it */
  clock->ends = gt(v[S_CUT], R(0.0));
  clock->target = select_real(clock->ends, v[S_CUT], R(1.0));
  clock->parts = clock->ends;
  clock->passes = R(0.0);
  clock->fresh = eq(clock->done, clock->done);
  UNROLL_DEVICE for (int i = 0; i < WHEELS_MAX; i++) {
    clock->hit[i] = R(0.0);
    if (i >= WHEELS(c)) continue;
    real alpha = p->w[i][W_ALPHA];
    clock->hit[i] = ts[i][T_EDGE];
    clock->limit[i] =
        select_real(eq(clock->hit[i], R(0.0)), alpha, fma_real(EDGE_TOLERANCE, alpha, alpha));
  }
  clock->resting = any_rests(p, c, eq(v[S_STEP], R(0.0)), ts);
}

FN void store_clocks(GLOBAL const int *c, const clocks *clock, real *v,
                     real ts[WHEELS_MAX][T_COUNT]) {
  v[S_FRACTION] = clock->done;
  v[S_CUT] = select_real(clock->ends, clock->target, R(0.0));
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) ts[i][T_EDGE] = clock->hit[i];
}

/* Angles of the wheels' contacts at the end of a pass, factor times the weighted sum of the rates
 * from m. */
FN real end_angle(const motion *m, const motion *change, real factor, int i) {
  return fma_real(factor, change->y[Y_Q(i)], m->y[Y_Q(i)]);
}

/* Ends the coming pass of `lanes` at the fraction `target` of the step, at the edges that hit[]
 * names; beyond[i] is the limit of a wheel that ends there. */
FN void end_at_edges(const parameters *p, GLOBAL const int *c, mask lanes, real target,
                     const real *hit, const real *beyond, clocks *clock) {
  clock->target = select_real(lanes, target, clock->target);
  clock->ends = mask_or(clock->ends, lanes);
  clock->parts = mask_or(clock->parts, lanes);
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    real limit = select_real(eq(hit[i], R(0.0)), p->w[i][W_ALPHA], beyond[i]);
    clock->hit[i] = select_real(lanes, hit[i], clock->hit[i]);
    clock->limit[i] = select_real(lanes, limit, clock->limit[i]);
  }
}

/* Lanes of `lanes` whose wheel i is beyond an edge where the pass ends. Not those where it is on
 * its way back from this edge from the start on: after a rest (edge_leave.h) a wheel leaves with
 * the third power of time, by less than the pass's own error. */
FN mask goes_beyond(const parameters *p, course path, int i, mask lanes, const clocks *clock) {
  const motion *m = path.from;
  real end = end_angle(m, path.change, path.factor, i), direction = sign_real(end);
  real rate0 = direction * m->y[Y_RATE(i)],
       rate1 = fma_real(direction * path.factor, path.change->y[Y_RATE(i)], rate0);
  mask back = ge(direction * m->y[Y_Q(i)], p->w[i][W_ALPHA] * (R(1.0) - EDGE_TOLERANCE));
  back = mask_and(back, mask_and(le(rate0, R(0.0)), lt(rate1, R(0.0))));
  return mask_and(mask_and(lanes, gt(abs_real(end), clock->limit[i])), mask_not(back));
}

/* Those lanes of `lanes` that have such a wheel. */
FN_COLD mask confirm_crossings(const parameters *p, GLOBAL const int *c, course path, mask lanes,
                               const clocks *clock) {
  mask found = no_lane();
  UNROLL for (int i = 0; i < WHEELS(c); i++) {
    found = mask_or(found, goes_beyond(p, path, i, lanes, clock));
  }
  return found;
}

/* The first crossing of the lanes in `lanes`, whose pass crosses an edge: shortens their pass to it
 * and notes which wheels exchange there (appendix/rollers.md#exchange). */
FN_COLD void cut_pass(const parameters *p, GLOBAL const int *c, course path, mask lanes,
                      clocks *clock) {
  const motion *m = path.from, *change = path.change;
  real factor = path.factor, tau = path.tau;
  real first = R(2.0), fraction[WHEELS_MAX], hit[WHEELS_MAX], limit[WHEELS_MAX];
  crossing at[WHEELS_MAX];
  mask beyond[WHEELS_MAX];

  /* A cubic for the angle of each wheel that goes beyond its edge. */
  UNROLL for (int i = 0; i < WHEELS(c); i++) {
    real end = end_angle(m, change, factor, i);
    beyond[i] = goes_beyond(p, path, i, lanes, clock);
    real direction = select_real(beyond[i], sign_real(end), R(0.0));
    real rate0 = m->y[Y_RATE(i)], rate1 = fma_real(factor, change->y[Y_RATE(i)], rate0);
    at[i] = start_crossing(m->y[Y_Q(i)], rate0 * tau, end, rate1 * tau,
                           direction * p->w[i][W_ALPHA], direction, beyond[i]);
  }

  /* Find where the cubics meet the edges. */
  for (int iteration = 0; iteration < 7;
       iteration++) { /* all wheels at once: their divisions overlap */
    mask open = no_lane();
    UNROLL for (int i = 0; i < WHEELS(c); i++) {
      improve_crossing(&at[i]);
      open = mask_or(open, at[i].open);
    }
    if (!any_lane(open)) break;
  }

  /* The first crossing ends the pass, for all wheels that cross together with it. */
  UNROLL for (int i = 0; i < WHEELS(c); i++) {
    fraction[i] = crossing_fraction(&at[i], beyond[i]);
    first = min_real(fraction[i], first);
  }
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    hit[i] = select_real(le(fraction[i], first + TOGETHER), at[i].direction, R(0.0));
    limit[i] = NO_LIMIT;
  }
  end_at_edges(p, c, lanes, fma_real(first, clock->target - clock->done, clock->done), hit, limit,
               clock);
}

/* Lanes of `running` whose pass takes some wheel too far. */
FN mask find_crossings(GLOBAL const int *c, course path, mask running, const clocks *clock) {
  mask crossing = no_lane();
  UNROLL for (int i = 0; i < WHEELS(c); i++) {
    real end = end_angle(path.from, path.change, path.factor, i);
    crossing = mask_or(crossing, gt(abs_real(end), clock->limit[i]));
  }
  return mask_and(crossing, running);
}

/* Lanes whose wheels, going on at their present rates, reach an edge within tau. */
FN mask nears_edge(const parameters *p, GLOBAL const int *c, const motion *m, real tau) {
  mask near = no_lane();
  UNROLL for (int i = 0; i < WHEELS(c); i++) {
    near =
        mask_or(near, gt(abs_real(fma_real(tau, m->y[Y_RATE(i)], m->y[Y_Q(i)])), p->w[i][W_ALPHA]));
  }
  return near;
}

/* Cuts the coming step of `lanes` where the motion of the pass just committed, continued, meets the
 * first edge. path: that pass, whose start is no longer there; m: where it ended
 * (appendix/rollers.md#exchange). */
FN void foresee(const parameters *p, GLOBAL const int *c, course path, const motion *m, mask lanes,
                clocks *clock) {
  const motion *change = path.change;
  real factor = path.factor, tau = path.tau, step = clock->step;
  real share = tau / step, first = R(2.0);
  real fraction[WHEELS_MAX], direction[WHEELS_MAX], hit[WHEELS_MAX], limit[WHEELS_MAX];

  /* Continue the motion of the last pass to the edge ahead of each wheel. */
  UNROLL for (int i = 0; i < WHEELS(c); i++) {
    real q = m->y[Y_Q(i)], rate = m->y[Y_RATE(i)], alpha = p->w[i][W_ALPHA];
    direction[i] = sign_real(fma_real(step, rate, q));
    real x = continued_crossing(q - direction[i] * alpha, rate * tau, factor * change->y[Y_Q(i)],
                                factor * change->y[Y_RATE(i)] * tau);

    /* on its way out: a wheel held beyond the edge, or just exchanged there, comes back over it
     * without an exchange */
    mask ahead = mask_and(gt(x, R(0.0)), gt(direction[i] * rate, R(0.0)));
    fraction[i] = select_real(ahead, x * share, R(2.0));
    first = min_real(fraction[i], first);
    limit[i] = fma_real(EDGE_TOLERANCE, alpha, alpha);
  }

  /* Cut the step in lanes whose first crossing lies within it, if the last pass reaches so far. */
  lanes = mask_and(lanes, mask_and(lt(first, R(1.0)), le(step, FORESIGHT * tau)));
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    hit[i] = select_real(le(fraction[i], first + TOGETHER), direction[i], R(0.0));
  }
  end_at_edges(p, c, lanes, first, hit, limit, clock);
}

/* Without splitting: wheels that ended a step beyond an edge exchange there. */
FN mask find_overshoots(const parameters *p, GLOBAL const int *c, const motion *m, mask accepted,
                        clocks *clock) {
  mask any = no_lane();
  UNROLL for (int i = 0; i < WHEELS(c); i++) {
    mask beyond = mask_and(accepted, gt(abs_real(m->y[Y_Q(i)]), p->w[i][W_ALPHA]));
    clock->hit[i] = select_real(beyond, sign_real(m->y[Y_Q(i)]), R(0.0));
    any = mask_or(any, beyond);
  }
  clock->ends = any;
  return any;
}

/* After an exchange of a wheel in the lanes of `hit`: the lanes in which more may happen there. */
FN mask note_exchange(GLOBAL const int *c, mask hit, real direction, real *ts) {
  mask back = hit; /* impacts may turn the wheel back, and a wheel that bounces may come to rest */
  if (may_rest(c)) back = mask_and(hit, eq(direction * ts[T_REST], R(-1.0)));
  ts[T_REST] = select_real(hit, select_real(back, R(3.0) * direction, direction), ts[T_REST]);
  return back;
}

/* Exchanges rollers in the lanes of `accepted` whose pass was to end at an edge, after the clocks
 * have moved; returns those that came near enough. */
FN mask make_exchanges(const parameters *p, GLOBAL const int *c, mask accepted, pack_state pack,
                       clocks *clock) {
  motion *m = pack.m;
  real *v = pack.v, now = (v[S_STEP] + clock->done) * clock->step;
  mask exchanged = no_lane(), due = mask_and(accepted, clock->ends);
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    real direction = clock->hit[i], alpha = p->w[i][W_ALPHA];
    mask expected = mask_not(eq(direction, R(0.0)));
    if (!any_lane(expected)) continue; /* known long before the pass ends, as are the lanes */

    /* Wheels that came near enough to their edge exchange, and their limits are the edges again. */
    mask hit = mask_and(mask_and(due, expected),
                        ge(direction * m->y[Y_Q(i)], alpha * (R(1.0) - EDGE_TOLERANCE)));
    clock->hit[i] = select_real(due, R(0.0), direction);
    clock->limit[i] = select_real(due, alpha, clock->limit[i]);
    exchanged = mask_or(exchanged, hit);

    /* The exchange, and whether the wheel may come to rest there. */
    exchange jump = {i, expected, hit, direction, now};
    swap_rollers(p->w[i], c, pack.spins, jump, m, pack.ts[i]);
    v[S_EXCHANGES] = select_real(hit, v[S_EXCHANGES] + R(1.0), v[S_EXCHANGES]);
    if (edges_count(c) && any_lane(note_exchange(c, hit, direction, pack.ts[i])))
      clock->resting = 1;
  }
  clock->ends = mask_and(clock->ends, mask_not(due));
  return exchanged;
}

/* Moves the clocks after a pass: accepted lanes go to the rest of their step or to the next one,
 * the others try again. */
FN void tick(mask accepted, real *v, clocks *clock) {
  clock->fresh = mask_and(accepted, ge(clock->target, R(1.0)));
  clock->done =
      select_real(clock->fresh, R(0.0), select_real(accepted, clock->target, clock->done));
  clock->target = select_real(accepted, R(1.0), clock->target);
  clock->passes = select_real(clock->fresh, R(0.0), clock->passes + R(1.0));
  v[S_STEP] = select_real(clock->fresh, v[S_STEP] + R(1.0), v[S_STEP]);
}

/* After a pass that was part of a step in some lane, or is followed by one: moves the clocks,
 * exchanges rollers at edges, and looks for an edge in the coming step of the lanes in `near`; an
 * exchange ends the motion that could be continued. path: the pass, which is committed.
 * Returns the lanes that exchanged. */
FN_COLD mask turn_clocks(const parameters *p, GLOBAL const int *c, course path, mask accepted,
                         mask near, pack_state pack, clocks *clock) {
  mask exchanged = no_lane();
  tick(accepted, pack.v, clock);
  if (any_lane(clock->ends)) exchanged = make_exchanges(p, c, accepted, pack, clock);
  if (any_lane(near)) {
    near = mask_and(mask_and(near, clock->fresh), mask_not(exchanged));
    foresee(p, c, path, pack.m, near, clock);
  }
  clock->parts =
      mask_and(eq(pack.v[S_STATUS], STATUS(OK)), mask_or(clock->ends, gt(clock->done, R(0.0))));
  return exchanged;
}
