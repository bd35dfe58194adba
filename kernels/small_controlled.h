/* Small models with steps that an error estimate chooses: the pair of Dormand and Prince (pairs.h),
 * every lane with its own step, as controlled.h has it for the omni models. Behind their other
 * columns these have those of their pace (small_layout.h), and behind the folded parameters one
 * over the scale of each motion, by which its error is judged. */

/* Extremes are looked at no less often than this, s: between the ends of a pass on the cubic
 * through them. */
#define SMALL_LOOK R(1e-3)

enum { DOPRI_STAGES = 7 };

typedef struct small_pair {
  real k[DOPRI_STAGES][SMALL_MAX_MOTION]; /* rates of the stages; the last at the end of the pass */
  real change[SMALL_MAX_MOTION];          /* what the pass adds */
  real error2; /* squared error over the tolerance, largest of all motions */
} small_pair;

/* A pass of length tau from time t; the first stage is there. */
FN void small_pass(GLOBAL const int *c, const small_pack *s, real t, real tau, real inverse,
                   small_pair *r) {
  real at[SMALL_MAX_MOTION], ignored[SMALL_MAX_SAMPLES];
  const int count = small_motion(c);
  for (int stage = 1; stage < DOPRI_STAGES; stage++) {
    for (int j = 0; j < count; j++) {
      real sum = splat(dopri_a[stage - 1][0]) * r->k[0][j];
      for (int l = 1; l < stage; l++) sum = fma_real(splat(dopri_a[stage - 1][l]), r->k[l][j], sum);
      at[j] = fma_real(tau, sum, s->y[j]);
    }
    small_rates(c, s->p, at, fma_real(splat(dopri_c[stage]), tau, t), r->k[stage], ignored);
  }
  r->error2 = R(0.0);
  for (int j = 0; j < count; j++) {
    real sum = R(0.0), error = R(0.0);
    for (int l = 0; l < DOPRI_STAGES; l++) {
      sum = fma_real(splat(dopri_b[l]), r->k[l][j], sum);
      error = fma_real(splat(dopri_e[l]), r->k[l][j], error);
    }
    r->change[j] = tau * sum;
    real part = tau * error * inverse * s->p[small_params(c) + j];
    r->error2 = max_real(part * part, r->error2);
  }
}

/* Looks at the extremes within the passes of the `accepted` lanes. */
FN void small_look_inside(GLOBAL const int *c, const small_pack *s, const small_pair *r, real t,
                          real tau, mask accepted, real *e) {
  real at[SMALL_MAX_MOTION], rate[SMALL_MAX_MOTION], out[SMALL_MAX_SAMPLES];
  for (real way = SMALL_LOOK;; way = way + SMALL_LOOK) {
    mask inside = mask_and(accepted, lt(way, tau));
    if (!any_lane(inside)) return;
    real x = way / tau, rest = R(1.0) - x;
    for (int j = 0; j < small_motion(c); j++) { /* the cubic with values and rates of both ends */
      real rise = r->change[j], first = fma_real(tau, r->k[0][j], -rise),
           last = fma_real(-tau, r->k[DOPRI_STAGES - 1][j], rise);
      at[j] = fma_real(x, fma_real(rest, fma_real(rest, first, x * last), rise), s->y[j]);
    }
    small_rates(c, s->p, at, t + way, rate, out);
    small_observe(c, s->p, t + way, out, inside, e);
  }
}

/* Longest pass: the ground of uk_wheel does not change unseen. */
FN real small_bound(GLOBAL const int *c, const small_pack *s, real t, real tau) {
  if (SETTING(c, MODEL) != SMALL_UK_WHEEL || SETTING(c, OPTION_0) == UK_GROUND_CONSTANT) return tau;
  real away = abs_real(t - s->p[UK_P_GROUND_TIME]);
  return min_real(tau, R(0.5) * max_real(away, R(1.0) / s->p[UK_P_GROUND_RATE]));
}

/* Integrates the pack while the next pass of a lane ends no later than `until`; `end`: where the
 * motion ends. */
FN void small_integrate_controlled(GLOBAL const int *c, real until, real end, small_pack *s) {
  const mask none = lt(R(1.0), R(0.0));
  real out[SMALL_MAX_SAMPLES], inverse = R(1.0) / s->pace[SMALL_TOLERANCE];
  small_pair r;
  pace k;
  k.time = s->pace[SMALL_TIME];
  k.low = s->pace[SMALL_TIME_LOW];
  k.next = s->pace[SMALL_NEXT];
  k.stop = end;
  k.cut = R(0.0);
  k.is_cut = k.fresh = k.rejected = none;
  for (;;) {
    real left, planned = planned_pass(&k, &left), t = k.time + k.low;
    mask running = mask_and(eq(s->status, STATUS(OK)), lt(k.time, end));
    running = mask_and(running, le(end_of_pass(&k, planned, left), until));
    if (!any_lane(running)) break;
    real tau = small_bound(c, s, t, planned);
    small_rates(c, s->p, s->y, t, r.k[0], out);
    small_pass(c, s, t, tau, inverse, &r);

    running = small_inside(c, out, running, s);
    mask spent = mask_and(running, ge(s->pace[SMALL_PASSES], s->pace[SMALL_MOST_PASSES]));
    s->pace[SMALL_PASSES] = select_real(mask_and(running, mask_not(spent)),
                                        s->pace[SMALL_PASSES] + R(1.0), s->pace[SMALL_PASSES]);
    s->status = select_real(spent, STATUS(SPENT), s->status);
    running = mask_and(running, mask_not(spent));
    real zero = R(0.0);
    for (int j = 0; j < small_motion(c); j++) zero = fma_real(r.change[j], R(0.0), zero);
    mask sound = eq(zero, R(0.0)),
         diverged = mask_and(mask_and(running, mask_not(sound)), le(tau, LEAST_PASS));
    s->status = select_real(diverged, STATUS(DIVERGED), s->status);
    running = mask_and(running, mask_not(diverged));

    small_observe(c, s->p, t, out, running, s->e);
    mask accepted =
        mask_and(mask_and(running, sound), mask_or(le(r.error2, R(1.0)), le(tau, LEAST_PASS)));
    small_look_inside(c, s, &r, t, tau, accepted, s->e);
    for (int j = 0; j < small_motion(c); j++)
      add_compensated(&s->y[j], &s->low[j], r.change[j], accepted);
    small_settle(c, accepted, s);
    mask ended = mask_and(accepted, mask_and(ge(tau, left), ge(k.stop, end)));
    if (any_lane(ended)) small_look_at_end(c, t + tau, ended, s);
    take_pace(accepted, mask_and(running, mask_not(accepted)), ge(tau, left), tau,
              select_real(sound, pace_factor(r.error2, 10), LEAST_GROWTH), &k);
    COUNT_PASS(accepted);
  }
  s->pace[SMALL_TIME] = k.time;
  s->pace[SMALL_TIME_LOW] = k.low;
  s->pace[SMALL_NEXT] = k.next;
}
