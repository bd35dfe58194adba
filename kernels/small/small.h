/* Small models: plain ordinary differential equations (appendix/small.md#models), every lane with
 * its own status. A model NAME gives NAME_rates (derivatives and samples) and NAME_observe
 * (extremes, where steps start and at the end); see kernels/small/small_layout.h. */

/* Everything of a pack. */
typedef struct small_pack {
  real p[SMALL_MAX_PARAMS], y[SMALL_MAX_MOTION], low[SMALL_MAX_MOTION], e[SMALL_MAX_EXTREMES];
  real step, steps, status,
      substeps;                /* steps: of the whole run, before they are cut into substeps */
  real pace[SMALL_PACE_COUNT]; /* of controlled steps */
} small_pack;

/* One case for each model: its number of columns, or a function of it. */
#define SMALL_SWITCH(c, CASE, ...)                                                                 \
  switch (SETTING(c, MODEL)) {                                                                     \
    SMALL_MODELS(CASE, __VA_ARGS__)                                                                \
  default: break;                                                                                  \
  }
/* clang-format off */
#define SMALL_COLUMNS(id, name, columns) case SMALL_##id: return name##_##columns;
#define SMALL_CALL(id, name, function, ...) case SMALL_##id: name##_##function(__VA_ARGS__); break;
/* clang-format on */

/* Numbers of columns of the model that runs. */
FN int small_params(GLOBAL const int *c) {
  SMALL_SWITCH(c, SMALL_COLUMNS, params);
  return 0;
}

FN int small_motion(GLOBAL const int *c) {
  SMALL_SWITCH(c, SMALL_COLUMNS, motion);
  return 0;
}

FN int small_extremes(GLOBAL const int *c) {
  SMALL_SWITCH(c, SMALL_COLUMNS, extremes);
  return 0;
}

FN int small_samples(GLOBAL const int *c) {
  SMALL_SWITCH(c, SMALL_COLUMNS, samples);
  return 0;
}

FN_SHARED void small_rates(GLOBAL const int *c, const real *p, const real *y, real t, real *dy,
                           real *out) {
  SMALL_SWITCH(c, SMALL_CALL, rates, c, p, y, t, dy, out);
}

FN_SHARED void small_observe(GLOBAL const int *c, const real *p, real t, const real *out,
                             mask running, real *e) {
  SMALL_SWITCH(c, SMALL_CALL, observe, p, t, out, running, e);
}

/* Lanes that have left the model, and lanes that have lost a contact: few models end. */
FN mask small_outside(GLOBAL const int *c, const real *out) {
  if (SETTING(c, MODEL) == SMALL_ROLLING_DISC) return rolling_disc_outside(c, out);
  if (SETTING(c, MODEL) == SMALL_SNAKEBOARD) return snakeboard_outside(out);
  return no_lane();
}

FN mask small_lifted(GLOBAL const int *c, const real *out) {
  if (SETTING(c, MODEL) == SMALL_ROLLING_DISC) return rolling_disc_lifted(c, out);
  if (SETTING(c, MODEL) == SMALL_WHEELSET) return wheelset_lifted(out);
  return no_lane();
}

/* Changes of some models after a step. */
FN void small_settle(GLOBAL const int *c, mask accepted, small_pack *pack) {
  if (SETTING(c, MODEL) == SMALL_ROLLING_DISC) rolling_disc_settle(pack->y, pack->low, accepted);
  if (SETTING(c, MODEL) == SMALL_WHEELSET) wheelset_settle(pack->y, pack->low, accepted);
}

/* Marks running lanes that have left the model or lost a contact, and returns those that go on. */
FN mask small_inside(GLOBAL const int *c, const real *out, mask running, small_pack *pack) {
  mask outside = small_outside(c, out), lifted = small_lifted(c, out);
  outside = mask_and(running, outside);
  running = mask_and(running, mask_not(outside));
  lifted = mask_and(running, lifted);
  pack->status =
      select_real(outside, STATUS(OUTSIDE), select_real(lifted, STATUS(LIFTED), pack->status));
  return mask_and(running, mask_not(lifted));
}

/* Adds factor times the change to the motion of the lanes. */
FN void small_add(GLOBAL const int *c, const real *change, real factor, mask lanes,
                  small_pack *pack) {
  for (int j = 0, motion = small_motion(c); j < motion; j++)
    add_compensated(&pack->y[j], &pack->low[j], factor * change[j], lanes);
}

/* Lanes in which all that a step changes is finite. */
FN mask small_finite(GLOBAL const int *c, const real *change) {
  real zero = R(0.0);
  for (int j = 0, motion = small_motion(c); j < motion; j++)
    zero = fma_real(change[j], R(0.0), zero);
  return eq(zero, R(0.0));
}

/* Extremes are looked at where steps start; in the lanes that have done their last one, at its end
 * too. A state that has left the model tells nothing, but the instance has reached its end. */
FN_COLD void small_look_at_end(GLOBAL const int *c, real t, mask ended, small_pack *pack) {
  real rate[SMALL_MAX_MOTION], out[SMALL_MAX_SAMPLES], status = pack->status;
  small_rates(c, pack->p, pack->y, t, rate, out);
  mask inside = small_inside(c, out, ended, pack);
  pack->status = status;
  small_observe(c, pack->p, t, out, inside, pack->e);
}

/* Models whose law switches inside of steps: the sliding block that sticks and slips. Within a
 * piece of a step the law is one, so that the method keeps its order; a piece ends where the state
 * first passes its bound, found by bisection of the piece's length with the method itself. There
 * the slip is set to exactly 0 and the law chosen anew, so that nothing chatters. Changes that come
 * and go within one step are not seen (explanation/steps.md#models-that-switch). */
FN int small_switches(GLOBAL const int *c) {
  return SETTING(c, MODEL) == SMALL_SLIDING_BLOCK && SETTING(c, OPTION_0) == BLOCK_LAW_SET_VALUED;
}

/* Halvings that leave one rounding of the piece, and most pieces of a step: the last one goes on to
 * its end whatever happens. */
enum { SWITCH_HALVINGS = BY_PRECISION(26, 55), SWITCH_PIECES = 16 };

/* The step that the loop is at. */
typedef struct small_at {
  real t, tau; /* the time where it starts, and its length, s */
  real end;    /* the time where it ends */
  mask passed; /* lanes in which the law switches where it ends */
} small_at;

#if OMR_CONTROLLED
#include "small_controlled.h"
#else
#include "small_fixed.h"
#endif

/* Integrates the pack. Fixed steps: until every running lane has done `until` steps of the run,
 * each of the length `step`. Chosen ones: while the next pass of a lane ends no later than the time
 * `until`; `step` is the time where the motion ends. */
FN void small_integrate(GLOBAL const int *c, real step, real until, small_pack *pack) {
  real out[SMALL_MAX_SAMPLES];
  small_work work;
  small_stepping by = small_start(step, until, pack);
  small_at at;
  for (;;) {
    /* A step is planned, made, and seen where it starts. */
    mask running = small_plan(c, &by, &at, pack);
    if (!any_lane(running)) break;
    small_make(c, &by, &at, pack, &work, out);
    running = small_end_failed(c, &by, &at, &work, out, running, pack);
    small_observe(c, pack->p, at.t, out, running, pack->e);

    /* The lanes that accept it go to its end. */
    const mask accepted = small_accept(c, &by, &at, &work, running, pack);
    small_commit(c, &at, &work, accepted, pack);
    small_settle(c, accepted, pack);
    const mask ended = small_finish(&by, &at, &work, running, accepted, pack);
    if (any_lane(ended)) small_look_at_end(c, at.end, ended, pack);
    COUNT_PASS(accepted);
  }
  small_keep(&by, pack);
}

FN void small_load(GLOBAL const int *c, GLOBAL const sreal *params, GLOBAL const sreal *state,
                   int stride, small_pack *pack) {
  int motion = small_motion(c), extremes = small_extremes(c);
  for (int j = 0; j < small_params(c) + (OMR_CONTROLLED ? motion : 0); j++)
    pack->p[j] = load_real(params + j * stride);
  for (int j = 0; j < motion; j++) {
    pack->y[j] = load_real(state + (SMALL_FIRST + j) * stride);
    pack->low[j] = load_real(state + (SMALL_FIRST + motion + j) * stride);
  }
  for (int j = 0; j < extremes; j++)
    pack->e[j] = load_real(state + (SMALL_FIRST + 2 * motion + j) * stride);
  for (int j = 0; j < SMALL_PACE_COUNT; j++)
    pack->pace[j] = OMR_CONTROLLED
                        ? load_real(state + (SMALL_STATE_COUNT(motion, extremes) + j) * stride)
                        : R(0.0);
  pack->step = load_real(state + SMALL_STEP * stride);
  pack->steps = load_real(state + SMALL_STEPS * stride);
  pack->status = load_real(state + SMALL_STATUS * stride);
  pack->substeps = load_real(state + SMALL_SUBSTEPS * stride);
}

FN void small_store(GLOBAL const int *c, GLOBAL sreal *state, int stride, const small_pack *pack) {
  int motion = small_motion(c), extremes = small_extremes(c);
  for (int j = 0; j < motion; j++) {
    store_real(state + (SMALL_FIRST + j) * stride, pack->y[j]);
    store_real(state + (SMALL_FIRST + motion + j) * stride, pack->low[j]);
  }
  for (int j = 0; j < extremes; j++)
    store_real(state + (SMALL_FIRST + 2 * motion + j) * stride, pack->e[j]);
  for (int j = 0; OMR_CONTROLLED && j < SMALL_PACE_COUNT; j++)
    store_real(state + (SMALL_STATE_COUNT(motion, extremes) + j) * stride, pack->pace[j]);
  store_real(state + SMALL_STEP * stride, pack->step);
  store_real(state + SMALL_STATUS * stride, pack->status);
}

/* Large: kept out of the entries of the omni models. */
FN_COLD void small_advance(GLOBAL const sreal *params, GLOBAL sreal *state, GLOBAL const int *c,
                           sreal step, sreal until, int stride) {
  small_pack pack;
  small_load(c, params, state, stride, &pack);
  small_integrate(c, splat(step), splat(until), &pack);
  small_store(c, state, stride, &pack);
}

FN_COLD void small_sample(GLOBAL const sreal *params, GLOBAL const sreal *state,
                          GLOBAL const int *c, sreal step, GLOBAL sreal *samples, int stride) {
  small_pack pack;
  real rate[SMALL_MAX_MOTION], out[SMALL_MAX_SAMPLES];
  small_load(c, params, state, stride, &pack);
  real t = OMR_CONTROLLED ? pack.pace[SMALL_TIME] + pack.pace[SMALL_TIME_LOW]
                          : pack.step * substep(splat(step), pack.substeps);
  small_rates(c, pack.p, pack.y, t, rate, out);
  if (SETTING(c, MODEL) == SMALL_ROLLING_DISC) rolling_disc_complete(out);
  for (int j = 0; j < small_samples(c); j++) store_real(samples + j * stride, out[j]);
}
