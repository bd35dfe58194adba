/* The time loop's part of small models (small.h) where an error estimate chooses the steps: the
 * pair of Dormand and Prince (pairs.h), every lane with its own step, as controlled.h has it for
 * the omni models. Behind their other columns these have the columns of their pace
 * (small_layout.h), and behind the folded parameters one over the scale of each motion, by which
 * its error is judged (explanation/steps.md#two-kinds-of-steps). */

/* Extremes are looked at no less often than this, s: between the ends of a pass on the cubic
 * through them. */
#define SMALL_LOOK R(1e-3)

enum { DOPRI_STAGES = 7 };

typedef struct small_pair {
  real rates[DOPRI_STAGES]
            [SMALL_MAX_MOTION];  /* rates of the stages; the last at the end of the pass */
  real change[SMALL_MAX_MOTION]; /* increment of the pass */
  real error2;                   /* squared error over the tolerance, largest of all motions */
} small_pair;
typedef small_pair small_work; /* the loop's memory */

/* A pass of length tau from time t; the first stage is there. */
FN void small_pass(GLOBAL const int *c, const small_pack *pack, real t, real tau, real inverse,
                   small_pair *pair) {
  real at[SMALL_MAX_MOTION], ignored[SMALL_MAX_SAMPLES];
  const int count = small_motion(c);
  for (int stage = 1; stage < DOPRI_STAGES; stage++) {
    for (int j = 0; j < count; j++) {
      real sum = splat(dopri_a[stage - 1][0]) * pair->rates[0][j];
      for (int l = 1; l < stage; l++)
        sum = fma_real(splat(dopri_a[stage - 1][l]), pair->rates[l][j], sum);
      at[j] = fma_real(tau, sum, pack->y[j]);
    }
    small_rates(c, pack->p, at, fma_real(splat(dopri_c[stage]), tau, t), pair->rates[stage],
                ignored);
  }
  pair->error2 = R(0.0);
  for (int j = 0; j < count; j++) {
    real sum = R(0.0), error = R(0.0);
    for (int l = 0; l < DOPRI_STAGES; l++) {
      sum = fma_real(splat(dopri_b[l]), pair->rates[l][j], sum);
      error = fma_real(splat(dopri_e[l]), pair->rates[l][j], error);
    }
    pair->change[j] = tau * sum;
    real part = tau * error * inverse * pack->p[small_params(c) + j];
    pair->error2 = max_real(part * part, pair->error2);
  }
}

/* Looks at the extremes within the passes of the `accepted` lanes. */
FN void small_look_inside(GLOBAL const int *c, const small_pack *pack, const small_pair *pair,
                          real t, real tau, mask accepted, real *e) {
  real at[SMALL_MAX_MOTION], rate[SMALL_MAX_MOTION], out[SMALL_MAX_SAMPLES];
  for (real way = SMALL_LOOK;; way = way + SMALL_LOOK) {
    mask inside = mask_and(accepted, lt(way, tau));
    if (!any_lane(inside)) return;
    real x = way / tau, rest = R(1.0) - x;
    /* The cubic with values and rates of both ends. */
    for (int j = 0, motion = small_motion(c); j < motion; j++) {
      real rise = pair->change[j], first = fma_real(tau, pair->rates[0][j], -rise),
           last = fma_real(-tau, pair->rates[DOPRI_STAGES - 1][j], rise);
      at[j] = fma_real(x, fma_real(rest, fma_real(rest, first, x * last), rise), pack->y[j]);
    }
    small_rates(c, pack->p, at, t + way, rate, out);
    small_observe(c, pack->p, t + way, out, inside, e);
  }
}

/* Cuts the passes in which the law switches (small.h, appendix/small.md#models), and makes
 * them again: *passed receives their lanes. */
FN_COLD real small_cut_pass(GLOBAL const int *c, const small_pack *pack, real t, real tau,
                            real inverse, small_pair *pair, mask *passed) {
  real at[SMALL_MAX_MOTION], low = R(0.0), high = tau;
  *passed = no_lane();
  for (int i = 0; i <= SWITCH_HALVINGS; i++) {
    real middle = i == 0 ? tau : R(0.5) * (low + high);
    if (i > 0) small_pass(c, pack, t, middle, inverse, pair);
    for (int j = 0, motion = small_motion(c); j < motion; j++) at[j] = pack->y[j] + pair->change[j];
    mask beyond = sliding_block_passed(c, pack->p, at, t + middle);
    if (i == 0) {
      *passed = beyond;
      if (!any_lane(beyond)) return tau;
      continue;
    }
    high = select_real(beyond, middle, high);
    low = select_real(beyond, low, middle);
  }
  high = select_real(*passed, high, tau);
  small_pass(c, pack, t, high, inverse, pair);
  return high;
}

/* Largest angle of a sine's phase in a pass: within it a pull cannot pass its limit unseen by more
 * than 1 - cos(1/40) of its amplitude. */
#define SINE_PASS R(0.05)

/* Longest pass: the ground of uk_wheel does not change unseen, nor does the pull of a block. */
FN real small_bound(GLOBAL const int *c, const small_pack *pack, real t, real tau) {
  if (SETTING(c, MODEL) == SMALL_SLIDING_BLOCK && SETTING(c, OPTION_1) == BLOCK_PULL_SINE)
    return select_real(gt(pack->p[BLOCK_P_FREQUENCY] * tau, SINE_PASS),
                       SINE_PASS / pack->p[BLOCK_P_FREQUENCY], tau);
  if ((SETTING(c, MODEL) != SMALL_UK_WHEEL && SETTING(c, MODEL) != SMALL_ELASTIC_WHEEL) ||
      SETTING(c, OPTION_0) == UK_GROUND_CONSTANT)
    return tau;
  real away = abs_real(t - pack->p[UK_P_GROUND_TIME]);
  return min_real(tau, R(0.5) * max_real(away, R(1.0) / pack->p[UK_P_GROUND_RATE]));
}

/* Where the loop is. */
typedef struct small_stepping {
  pace clock;
  real end, until, left; /* left: up to the stop of the coming pass */
  real inverse;          /* one over the tolerance */
  mask sound;            /* all of the pass is finite */
} small_stepping;

FN small_stepping small_start(real end, real until, const small_pack *pack) {
  small_stepping by;
  by.clock.time = pack->pace[SMALL_TIME];
  by.clock.low = pack->pace[SMALL_TIME_LOW];
  by.clock.next = pack->pace[SMALL_NEXT];
  by.clock.stop = by.end = end;
  by.clock.cut = R(0.0);
  by.clock.is_cut = by.clock.fresh = by.clock.rejected = no_lane();
  by.until = until;
  by.inverse = R(1.0) / pack->pace[SMALL_TOLERANCE];
  return by;
}

/* Returns the lanes that have a pass to do. */
FN mask small_plan(GLOBAL const int *c, small_stepping *by, small_at *at, small_pack *pack) {
  const pace *clock = &by->clock;
  real planned = planned_pass(clock, &by->left);
  mask running = mask_and(eq(pack->status, STATUS(OK)), lt(clock->time, by->end));
  running = mask_and(running, le(end_of_pass(clock, planned, by->left), by->until));
  if (!any_lane(running)) return running;
  at->t = clock->time + clock->low;
  at->tau = small_bound(c, pack, at->t, planned);
  at->passed = no_lane();
  return running;
}

FN void small_make(GLOBAL const int *c, const small_stepping *by, small_at *at,
                   const small_pack *pack, small_pair *pair, real *out) {
  small_rates(c, pack->p, pack->y, at->t, pair->rates[0], out);
  small_pass(c, pack, at->t, at->tau, by->inverse, pair);
  if (small_switches(c))
    at->tau = small_cut_pass(c, pack, at->t, at->tau, by->inverse, pair, &at->passed);
}

/* Status of the running lanes that have left the model, taken too many passes, or cannot make this
 * one any shorter; returns the lanes that go on. */
FN mask small_end_failed(GLOBAL const int *c, small_stepping *by, const small_at *at,
                         const small_pair *pair, const real *out, mask running, small_pack *pack) {
  real *passes = &pack->pace[SMALL_PASSES];
  running = small_inside(c, out, running, pack);
  mask spent = mask_and(running, ge(*passes, pack->pace[SMALL_MOST_PASSES]));
  *passes = select_real(mask_and(running, mask_not(spent)), *passes + R(1.0), *passes);
  pack->status = select_real(spent, STATUS(SPENT), pack->status);
  running = mask_and(running, mask_not(spent));
  by->sound = small_finite(c, pair->change);
  mask diverged = mask_and(mask_and(running, mask_not(by->sound)), le(at->tau, LEAST_PASS));
  pack->status = select_real(diverged, STATUS(DIVERGED), pack->status);
  return mask_and(running, mask_not(diverged));
}

/* Returns the lanes of `running` whose error is not too large, after a look inside the pass. */
FN mask small_accept(GLOBAL const int *c, const small_stepping *by, const small_at *at,
                     const small_pair *pair, mask running, small_pack *pack) {
  mask accepted = mask_and(mask_and(running, by->sound),
                           mask_or(le(pair->error2, R(1.0)), le(at->tau, LEAST_PASS)));
  small_look_inside(c, pack, pair, at->t, at->tau, accepted, pack->e);
  return accepted;
}

FN void small_commit(GLOBAL const int *c, const small_at *at, const small_pair *pair, mask accepted,
                     small_pack *pack) {
  small_add(c, pair->change, R(1.0), accepted, pack);
  if (small_switches(c))
    sliding_block_turn(c, pack->p, at->t + at->tau, mask_and(accepted, at->passed), pack->y,
                       pack->low);
}

/* Takes the pass's time, and the effect of its error on the next one; returns the lanes whose run
 * ends with it. */
FN mask small_finish(small_stepping *by, small_at *at, const small_pair *pair, mask running,
                     mask accepted, small_pack *pack) {
  pace *clock = &by->clock;
  const mask reach = ge(at->tau, by->left),
             ended = mask_and(accepted, mask_and(reach, ge(clock->stop, by->end)));
  (void)pack;
  at->end = at->t + at->tau;
  take_pace(accepted, mask_and(running, mask_not(accepted)), reach, at->tau,
            select_real(by->sound, pace_factor(pair->error2, 10), LEAST_GROWTH), clock);
  return ended;
}

FN void small_keep(const small_stepping *by, small_pack *pack) {
  pack->pace[SMALL_TIME] = by->clock.time;
  pack->pace[SMALL_TIME_LOW] = by->clock.low;
  pack->pace[SMALL_NEXT] = by->clock.next;
}
