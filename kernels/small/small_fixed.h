/* The time loop's part of small models (small.h) with fixed steps. The methods are in
 * explanation/steps.md#methods. */

/* One step from time t: *change receives the weighted sum of the derivatives, out the samples at
 * its start. */
FN void small_stages(GLOBAL const int *c, const small_pack *pack, real t, real h, real *change,
                     real *out) {
  const int method = SETTING(c, METHOD);
  real rate[SMALL_MAX_MOTION], at[SMALL_MAX_MOTION], later[SMALL_MAX_SAMPLES];
  int count = small_motion(c);
  for (int j = 0; j < count; j++) {
    at[j] = pack->y[j];
    change[j] = R(0.0);
  }
  for (int i = 0; i < method_stages(method); i++) {
    real a = stage_reach(method, i) * h, b = stage_weight(method, i);
    if (i > 0) {
      for (int j = 0; j < count; j++) at[j] = fma_real(a, rate[j], pack->y[j]);
    }
    small_rates(c, pack->p, at, t + a, rate, i == 0 ? out : later);
    for (int j = 0; j < count; j++) change[j] = fma_real(b, rate[j], change[j]);
  }
}

/* Change over `way` from time t of the fixed-step method; returns the lanes that have passed. */
FN_COLD mask small_try(GLOBAL const int *c, const small_pack *pack, real t, real way,
                       real *change) {
  real at[SMALL_MAX_MOTION], out[SMALL_MAX_SAMPLES];
  small_stages(c, pack, t, way, change, out);
  real share = method_factor(SETTING(c, METHOD)) * way;
  for (int j = 0, motion = small_motion(c); j < motion; j++) {
    change[j] = share * change[j];
    at[j] = pack->y[j] + change[j];
  }
  return sliding_block_passed(c, pack->p, at, t + way);
}

/* One step of length h from time t in the running lanes, in as many pieces as the law asks for
 * (appendix/small.md#models). */
FN_COLD void small_switching_step(GLOBAL const int *c, real t, real h, mask running,
                                  small_pack *pack) {
  real change[SMALL_MAX_MOTION], done = R(0.0);
  for (int n = 0; n < SWITCH_PIECES && any_lane(running); n++) {
    real rest = h - done, low = R(0.0), high = rest, from = t + done;
    mask passed = mask_and(running, small_try(c, pack, from, rest, change));
    if (n == SWITCH_PIECES - 1) passed = no_lane();
    if (any_lane(passed)) {
      for (int i = 0; i < SWITCH_HALVINGS; i++) {
        real middle = R(0.5) * (low + high);
        mask beyond = small_try(c, pack, from, middle, change);
        high = select_real(beyond, middle, high);
        low = select_real(beyond, low, middle);
      }
      high = select_real(passed, high, rest);
      (void)small_try(c, pack, from, high, change);
    }
    small_add(c, change, R(1.0), running, pack);
    if (any_lane(passed)) sliding_block_turn(c, pack->p, from + high, passed, pack->y, pack->low);
    done = done + high;
    running = mask_and(passed, lt(done, h));
  }
}

/* Memory of a step: the weighted sum of the derivatives. */
typedef struct small_work {
  real change[SMALL_MAX_MOTION];
} small_work;

/* Where the loop is. */
typedef struct small_stepping {
  real step, until; /* length and number of the lane's own steps */
} small_stepping;

FN small_stepping small_start(real step, real until, const small_pack *pack) {
  const small_stepping by = {substep(step, pack->substeps), until * pack->substeps};
  return by;
}

/* Returns the lanes that have a step to do. */
FN mask small_plan(GLOBAL const int *c, const small_stepping *by, small_at *at, small_pack *pack) {
  (void)c;
  at->t = pack->step * by->step;
  at->tau = by->step;
  return mask_and(eq(pack->status, STATUS(OK)), lt(pack->step, by->until));
}

FN void small_make(GLOBAL const int *c, const small_stepping *by, small_at *at,
                   const small_pack *pack, small_work *work, real *out) {
  small_stages(c, pack, at->t, by->step, work->change, out);
}

/* Status of the running lanes whose step is not finite or that have left the model; returns the
 * lanes that go on. */
FN mask small_end_failed(GLOBAL const int *c, const small_stepping *by, const small_at *at,
                         const small_work *work, const real *out, mask running, small_pack *pack) {
  (void)by, (void)at;
  mask diverged = mask_and(running, mask_not(small_finite(c, work->change)));
  pack->status = select_real(diverged, STATUS(DIVERGED), pack->status);
  return small_inside(c, out, mask_and(running, mask_not(diverged)), pack);
}

/* Every step is good. */
FN mask small_accept(GLOBAL const int *c, const small_stepping *by, const small_at *at,
                     const small_work *work, mask running, small_pack *pack) {
  (void)c, (void)by, (void)at, (void)work, (void)pack;
  return running;
}

FN void small_commit(GLOBAL const int *c, const small_at *at, const small_work *work, mask accepted,
                     small_pack *pack) {
  if (small_switches(c)) {
    small_switching_step(c, at->t, at->tau, accepted, pack);
  } else {
    small_add(c, work->change, method_factor(SETTING(c, METHOD)) * at->tau, accepted, pack);
  }
}

/* Counts the step; returns the lanes whose run ends with it. */
FN mask small_finish(small_stepping *by, small_at *at, const small_work *work, mask running,
                     mask accepted, small_pack *pack) {
  (void)work, (void)running;
  pack->step = select_real(accepted, pack->step + R(1.0), pack->step);
  at->end = pack->step * by->step;
  return mask_and(accepted, ge(pack->step, pack->steps * pack->substeps));
}

FN void small_keep(const small_stepping *by, small_pack *pack) {
  (void)by, (void)pack;
}
