#include "derived.h"

#include <math.h>

bool omr_study_has_controller(const omr_study *study) {
  for (int i = 0; i < study->wheels; i++)
    if (omr_is_controller(study->drives.law[i])) return true;
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
  uint64_t common = study->time.steps;
  if (omr_study_traces(study)) common = divisor(common, study->traces.stride);
  if (omr_study_has_controller(study))
    common = divisor(common, (uint64_t)rint(study->drives.period / study->time.step));
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
  if (!omr_controls_steps(study)) return study->time.step * (double)omr_study_common_steps(study);
  const double duration = study->time.duration,
               interval = omr_study_traces(study) ? study->traces.interval : duration;
  const double period = omr_study_has_controller(study) ? study->drives.period : duration,
               rounding = 1e-8 * duration;
  const double common = common_part(common_part(duration, interval, rounding), period, rounding);
  const double part = duration / rint(duration / common);
  return common > 10 * rounding && divides(part, interval) && divides(part, period) ? part : 0;
}

static bool has_friction(const omr_study *study) {
  return !omr_small_list_of(study->model) && omr_law_is_friction(study->contact.law);
}

omr_method omr_study_pair(const omr_study *study) {
  return has_friction(study) ? OMR_METHOD_ROS34PW2 : OMR_METHOD_DOPRI;
}

bool omr_study_takes(const omr_study *study, omr_method method) {
  if (omr_is_pair(method)) return omr_is_implicit(method) == has_friction(study);
  if (omr_small_list_of(study->model)) return omr_is_explicit(method);
  return !omr_is_implicit(method) ||
         (omr_law_is_friction(study->contact.law) && !study->contact.compliant);
}

omr_study omr_study_rolling(const omr_study *study) {
  omr_study rolling = *study;
  rolling.start.rolls = true;
  return rolling;
}

omr_study omr_study_unwarned(const omr_study *study) {
  omr_study made = *study;
  made.time.stability = OMR_STABILITY_IGNORE;
  return made;
}

omr_study omr_study_doubted(const omr_study *study) {
  omr_study made = *study;
  made.doubted = true;
  return made;
}

omr_study omr_study_recorded(const omr_study *study) {
  omr_study made = omr_study_unwarned(study);
  if (made.on_failure == OMR_FAILURE_ABORT) made.on_failure = OMR_FAILURE_RECORD;
  return made;
}

omr_study omr_study_with_rows(const omr_study *study) {
  omr_study made = *study;
  made.rows.summed = false;
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
  if (omr_controls_steps(study)) made.time.duration *= (double)steps / (double)study->time.steps;
  made.time.steps = steps;
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
  made.time.method = method;
  made.time.tolerance = controlled ? tolerance : 0;
  made.time.step = controlled ? 0 : step;
  made.time.steps =
      (uint64_t)fmax(rint(study->time.duration / (controlled ? OMR_NOMINAL_STEP : step)), 1);
  made.traces.interval = omr_study_interval(study);
  made.traces.stride = controlled ? 0 : (uint64_t)rint(made.traces.interval / step);
  made.time.split = study->time.split || controlled;
  made.time.budget = 0;
  return made;
}

omr_study omr_study_sampled(const omr_study *study) {
  enum { SAMPLES = 100 };
  omr_study sampled = *study;
  if (omr_study_traces(study)) return sampled;
  sampled.traces.stride =
      omr_controls_steps(study) ? 0 : (study->time.steps + SAMPLES - 1) / SAMPLES;
  sampled.traces.interval = study->time.duration / SAMPLES;
  return sampled;
}

omr_study omr_study_compared(const omr_study *study) {
  const omr_study unjudged = omr_study_unjudged(study);
  omr_study made = omr_study_bare(&unjudged);
  made.traces.interval = study->measured.interval;
  made.traces.stride =
      omr_controls_steps(study) ? 0 : (uint64_t)rint(study->measured.interval / study->time.step);
  made.traces.nominal = made.traces.cells = false;
  made.traces.extreme_count = 0;
  return made;
}

omr_study omr_study_of_members(const omr_study *study, size_t members) {
  omr_study made = *study;
  made.instances = members;
  return made;
}

omr_study omr_study_refined(const omr_study *study, int level) {
  uint64_t parts = 1;
  for (int i = 0; i < level; i++) parts *= omr_controls_steps(study) ? 10 : 2;
  return omr_study_with_steps(study, parts, 1);
}

omr_study omr_study_with_steps(const omr_study *study, uint64_t parts, uint64_t of) {
  omr_study refined = omr_study_unjudged(study);
  if (omr_controls_steps(study)) {
    refined.time.tolerance = study->time.tolerance * (double)of / (double)parts;
  } else {
    refined.time.step = study->time.step * (double)of / (double)parts;
    refined.time.steps = study->time.steps / of * parts;
    refined.traces.stride = study->traces.stride / of * parts;
  }
  return refined;
}

bool omr_study_resolves(const omr_study *study, omr_precision precision, int level) {
  if (omr_controls_steps(study))
    return omr_study_refined(study, level).time.tolerance >=
           0.999 * (precision == OMR_SINGLE_PRECISION ? OMR_LEAST_SINGLE_TOLERANCE
                    : omr_model_is_own(study->model)  ? OMR_LEAST_OWN_TOLERANCE
                                                      : 0);
  const double most = precision == OMR_SINGLE_PRECISION ? 0x1p24 : 0x1p53;
  return ldexp((double)study->time.steps, level) <= most;
}
