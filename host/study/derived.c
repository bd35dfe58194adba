#include "derived.h"

#include <math.h>

bool omr_study_has_controller(const omr_study *study) {
  for (int i = 0; i < study->wheels; i++)
    if (omr_is_controller(study->drive[i])) return true;
  return false;
}

static uint64_t divisor(uint64_t a, uint64_t b) {
  while (b) {
    const uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

uint64_t omr_study_common_steps(const omr_study *study) {
  uint64_t common = study->steps;
  if (omr_study_traces(study)) common = divisor(common, study->trace_stride);
  if (omr_study_has_controller(study))
    common = divisor(common, (uint64_t)rint(study->controller_period / study->step));
  return common;
}

/* Euclid's algorithm; times are read from decimals, so that rests below a billionth of the duration
 * are rounding. */
static double common_part(double a, double b, double rounding) {
  while (b > rounding) {
    const double count = floor(a / b + 1e-6), rest = fmax(a - count * b, 0);
    a = b;
    b = rest;
  }
  return a;
}

static bool divides(double part, double time) {
  return fabs(time - rint(time / part) * part) <= 1e-9 * time;
}

double omr_study_common_time(const omr_study *study) {
  if (!(study->tolerance > 0)) return study->step * (double)omr_study_common_steps(study);
  const double duration = study->duration,
               interval = omr_study_traces(study) ? study->trace_interval : duration;
  const double period = omr_study_has_controller(study) ? study->controller_period : duration,
               rounding = 1e-8 * duration;
  const double common = common_part(common_part(duration, interval, rounding), period, rounding);
  const double part = duration / rint(duration / common);
  return common > 10 * rounding && divides(part, interval) && divides(part, period) ? part : 0;
}

static bool has_friction(const omr_study *study) {
  return !omr_small_list_of(study->model) && omr_law_is_friction(study->law);
}

omr_method omr_study_pair(const omr_study *study) {
  return has_friction(study) ? OMR_METHOD_ROS34PW2 : OMR_METHOD_DOPRI;
}

bool omr_study_takes(const omr_study *study, omr_method method) {
  if (omr_is_pair(method)) return omr_is_implicit(method) == has_friction(study);
  if (omr_small_list_of(study->model)) return omr_is_explicit(method);
  return !omr_is_implicit(method) || (omr_law_is_friction(study->law) && !study->compliant);
}

omr_study omr_study_unwarned(const omr_study *study) {
  omr_study made = *study;
  made.stability = OMR_STABILITY_IGNORE;
  return made;
}

omr_study omr_study_recorded(const omr_study *study) {
  omr_study made = omr_study_unwarned(study);
  if (made.on_failure == OMR_FAILURE_ABORT) made.on_failure = OMR_FAILURE_RECORD;
  return made;
}

omr_study omr_study_unjudged(const omr_study *study) {
  omr_study made = omr_study_unwarned(study);
  made.on_failure = OMR_FAILURE_RECORD;
  made.retries = 0;
  made.step_error.off = true;
  return made;
}

omr_study omr_study_sooner(const omr_study *study, uint64_t steps) {
  omr_study made = *study;
  if (study->tolerance > 0) made.duration *= (double)steps / (double)study->steps;
  made.steps = steps;
  return made;
}

omr_study omr_study_on(const omr_study *study, const omr_engine_options *engine) {
  omr_study made = *study;
  made.engine = *engine;
  return made;
}

omr_study omr_study_measured(const omr_study *study, bool measured) {
  omr_study made = *study;
  made.step_error.off = !measured;
  return made;
}

omr_study omr_study_observing(const omr_study *study, int observable) {
  omr_study made = *study;
  omr_observable_add(&made.observables, observable);
  return made;
}

omr_study omr_study_bare(const omr_study *study) {
  omr_study made = *study;
  made.observables = (omr_observable_set){{0}};
  return made;
}

omr_study omr_study_as_kept(const omr_study *study, char *text, char *name, const char hash[33]) {
  omr_study made = *study;
  made.text = text;
  made.name = name;
  snprintf(made.hash, sizeof made.hash, "%s", hash);
  return made;
}

omr_study omr_study_with_value(const omr_study *study, int parameter, double *value,
                               omr_variation *variations) {
  omr_study made = *study;
  made.base.vehicle[parameter] = *value;
  made.variations = variations;
  for (size_t j = 0; j < study->variation_count; j++) {
    omr_variation *v = &variations[j];
    *v = study->variations[j];
    if (v->per_wheel || v->index != parameter) continue;
    v->values = value;
    v->levels = 1;
  }
  return made;
}

omr_study omr_study_integrated(const omr_study *study, omr_method method, double step,
                               double tolerance) {
  omr_study made = omr_study_unjudged(study);
  const bool controlled = omr_is_pair(method);
  made.method = method;
  made.tolerance = controlled ? tolerance : 0;
  made.step = controlled ? 0 : step;
  made.steps = (uint64_t)fmax(rint(study->duration / (controlled ? OMR_NOMINAL_STEP : step)), 1);
  made.trace_interval = omr_study_interval(study);
  made.trace_stride = controlled ? 0 : (uint64_t)rint(made.trace_interval / step);
  made.split = study->split || controlled;
  made.budget = 0;
  return made;
}

omr_study omr_study_sampled(const omr_study *study) {
  enum { SAMPLES = 100 };
  omr_study sampled = *study;
  if (omr_study_traces(study)) return sampled;
  sampled.trace_stride = study->tolerance > 0 ? 0 : (study->steps + SAMPLES - 1) / SAMPLES;
  sampled.trace_interval = study->duration / SAMPLES;
  return sampled;
}

omr_study omr_study_compared(const omr_study *study) {
  const omr_study unjudged = omr_study_unjudged(study);
  omr_study made = omr_study_bare(&unjudged);
  made.trace_interval = study->measured.interval;
  made.trace_stride =
      study->tolerance > 0 ? 0 : (uint64_t)rint(study->measured.interval / study->step);
  made.trace_nominal = made.trace_cells = false;
  made.extreme_count = 0;
  return made;
}

omr_study omr_study_of_members(const omr_study *study, size_t members) {
  omr_study made = *study;
  made.instances = members;
  return made;
}

omr_study omr_study_refined(const omr_study *study, int level) {
  uint64_t parts = 1;
  for (int i = 0; i < level; i++) parts *= study->tolerance > 0 ? 10 : 2;
  return omr_study_with_steps(study, parts, 1);
}

omr_study omr_study_with_steps(const omr_study *study, uint64_t parts, uint64_t of) {
  omr_study refined = omr_study_unjudged(study);
  if (study->tolerance > 0) {
    refined.tolerance = study->tolerance * (double)of / (double)parts;
  } else {
    refined.step = study->step * (double)of / (double)parts;
    refined.steps = study->steps / of * parts;
    refined.trace_stride = study->trace_stride / of * parts;
  }
  return refined;
}

bool omr_study_resolves(const omr_study *study, omr_precision precision, int level) {
  if (study->tolerance > 0)
    return omr_study_refined(study, level).tolerance >=
           0.999 * (precision == OMR_SINGLE_PRECISION ? OMR_LEAST_SINGLE_TOLERANCE
                    : omr_model_is_own(study->model)  ? OMR_LEAST_OWN_TOLERANCE
                                                      : 0);
  const double most = precision == OMR_SINGLE_PRECISION ? 0x1p24 : 0x1p53;
  return ldexp((double)study->steps, level) <= most;
}
