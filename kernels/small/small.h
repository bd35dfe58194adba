/* Small models: plain ordinary differential equations, integrated with a fixed step, every lane
 * with its own status. A model NAME gives NAME_rates (derivatives and samples) and NAME_observe
 * (extremes, where steps start and at the end); see kernels/small/small_layout.h. The methods are
 * those of explanation/steps.md#methods, the equations those of appendix/small.md#models. */

/* Everything of a pack. */
typedef struct small_pack {
  real p[SMALL_MAX_PARAMS], y[SMALL_MAX_MOTION], low[SMALL_MAX_MOTION], e[SMALL_MAX_EXTREMES];
  real step, steps, status,
      substeps;                /* steps: of the whole run, before they are cut into substeps */
  real pace[SMALL_PACE_COUNT]; /* of controlled steps */
} small_pack;

/* Numbers of columns of the model that runs. */
FN int small_params(GLOBAL const int *c) {
  switch (SETTING(c, MODEL)) {
#define OMNI(id, word, meaning)
#define SMALL(id, name, meaning)                                                                   \
  case SMALL_##id:                                                                                 \
    return name##_params;
#include "../../host/lists/models.def"
#undef OMNI
#undef SMALL
  default: return 0;
  }
}

FN int small_motion(GLOBAL const int *c) {
  switch (SETTING(c, MODEL)) {
#define OMNI(id, word, meaning)
#define SMALL(id, name, meaning)                                                                   \
  case SMALL_##id:                                                                                 \
    return name##_motion;
#include "../../host/lists/models.def"
#undef OMNI
#undef SMALL
  default: return 0;
  }
}

FN int small_extremes(GLOBAL const int *c) {
  switch (SETTING(c, MODEL)) {
#define OMNI(id, word, meaning)
#define SMALL(id, name, meaning)                                                                   \
  case SMALL_##id:                                                                                 \
    return name##_extremes;
#include "../../host/lists/models.def"
#undef OMNI
#undef SMALL
  default: return 0;
  }
}

FN int small_samples(GLOBAL const int *c) {
  switch (SETTING(c, MODEL)) {
#define OMNI(id, word, meaning)
#define SMALL(id, name, meaning)                                                                   \
  case SMALL_##id:                                                                                 \
    return name##_samples;
#include "../../host/lists/models.def"
#undef OMNI
#undef SMALL
  default: return 0;
  }
}

FN_SHARED void small_rates(GLOBAL const int *c, const real *p, const real *y, real t, real *dy,
                           real *out) {
  switch (SETTING(c, MODEL)) {
#define OMNI(id, word, meaning)
#define SMALL(id, name, meaning)                                                                   \
  case SMALL_##id:                                                                                 \
    name##_rates(c, p, y, t, dy, out);                                                             \
    break;
#include "../../host/lists/models.def"
#undef OMNI
#undef SMALL
  default: break;
  }
}

FN_SHARED void small_observe(GLOBAL const int *c, const real *p, real t, const real *out,
                             mask running, real *e) {
  switch (SETTING(c, MODEL)) {
#define OMNI(id, word, meaning)
#define SMALL(id, name, meaning)                                                                   \
  case SMALL_##id:                                                                                 \
    name##_observe(p, t, out, running, e);                                                         \
    break;
#include "../../host/lists/models.def"
#undef OMNI
#undef SMALL
  default: break;
  }
}

/* Marks running lanes that have left the model or lost a contact, and returns those that go on. */
FN mask small_inside(GLOBAL const int *c, const real *out, mask running, small_pack *pack) {
  mask outside = no_lane(), lifted = no_lane();
  switch (SETTING(c, MODEL)) {
#define OMNI(id, word, meaning)
#define SMALL(id, name, meaning)                                                                   \
  case SMALL_##id:                                                                                 \
    outside = name##_outside(c, out);                                                              \
    lifted = name##_lifted(c, out);                                                                \
    break;
#include "../../host/lists/models.def"
#undef OMNI
#undef SMALL
  default: break;
  }
  outside = mask_and(running, outside);
  running = mask_and(running, mask_not(outside));
  lifted = mask_and(running, lifted);
  pack->status =
      select_real(outside, STATUS(OUTSIDE), select_real(lifted, STATUS(LIFTED), pack->status));
  return mask_and(running, mask_not(lifted));
}

/* After a step: brings back what the motion has to keep. */
FN void small_settle(GLOBAL const int *c, mask running, small_pack *pack) {
  switch (SETTING(c, MODEL)) {
#define OMNI(id, word, meaning)
#define SMALL(id, name, meaning)                                                                   \
  case SMALL_##id:                                                                                 \
    name##_settle(pack->y, pack->low, running);                                                    \
    break;
#include "../../host/lists/models.def"
#undef OMNI
#undef SMALL
  default: break;
  }
}

/* Samples that steps do not need. */
FN void small_complete(GLOBAL const int *c, real *out) {
  switch (SETTING(c, MODEL)) {
#define OMNI(id, word, meaning)
#define SMALL(id, name, meaning)                                                                   \
  case SMALL_##id:                                                                                 \
    name##_complete(out);                                                                          \
    break;
#include "../../host/lists/models.def"
#undef OMNI
#undef SMALL
  default: break;
  }
}

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

#include "small_switch.h"

/* Marks running lanes whose step is not finite, and returns those that go on. */
FN mask small_finite(GLOBAL const int *c, const real *change, mask running, small_pack *pack) {
  real zero = R(0.0);
  for (int j = 0; j < small_motion(c); j++) zero = fma_real(change[j], R(0.0), zero);
  mask diverged = mask_and(running, mask_not(eq(zero, R(0.0))));
  pack->status = select_real(diverged, STATUS(DIVERGED), pack->status);
  return mask_and(running, mask_not(diverged));
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

#if OMR_CONTROLLED
#include "small_controlled.h"
#endif

/* Integrates the pack until every running lane has done `until` steps of length h. */
FN void small_integrate(GLOBAL const int *c, real h, real until, small_pack *pack) {
  real change[SMALL_MAX_MOTION], out[SMALL_MAX_SAMPLES];
  for (;;) {
    mask running = mask_and(eq(pack->status, STATUS(OK)), lt(pack->step, until));
    if (!any_lane(running)) break;
    real t = pack->step * h;
    small_stages(c, pack, t, h, change, out);
    running = small_inside(c, out, small_finite(c, change, running, pack), pack);
    small_observe(c, pack->p, t, out, running, pack->e);
    if (small_switches(c)) {
      small_switching_step(c, t, h, running, pack);
    } else {
      real share = method_factor(SETTING(c, METHOD)) * h;
      for (int j = 0; j < small_motion(c); j++)
        add_compensated(&pack->y[j], &pack->low[j], share * change[j], running);
    }
    small_settle(c, running, pack);
    pack->step = select_real(running, pack->step + R(1.0), pack->step);
    mask ended = mask_and(running, ge(pack->step, pack->steps * pack->substeps));
    if (any_lane(ended)) small_look_at_end(c, pack->step * h, ended, pack);
    COUNT_PASS(running);
  }
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
#if OMR_CONTROLLED
  small_integrate_controlled(c, splat(until), splat(step), &pack);
#else
  small_integrate(c, substep(splat(step), pack.substeps), splat(until) * pack.substeps, &pack);
#endif
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
  small_complete(c, out);
  for (int j = 0; j < small_samples(c); j++) store_real(samples + j * stride, out[j]);
}
