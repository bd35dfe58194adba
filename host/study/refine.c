#include "refine.h"

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
  if (study->traced_count) common = divisor(common, study->trace_stride);
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
               interval = study->traced_count ? study->trace_interval : duration;
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
  return !omr_is_implicit(method) || omr_law_is_friction(study->law);
}

/* Failures are recorded, and nothing is judged, since the study itself was. */
static void let_run(omr_study *study) {
  study->on_failure = OMR_FAILURE_RECORD;
  study->retries = 0;
  study->stability = OMR_STABILITY_IGNORE;
  study->step_error.off = true;
}

omr_study omr_study_integrated(const omr_study *study, omr_method method, double step,
                               double tolerance) {
  omr_study made = *study;
  const bool controlled = omr_is_pair(method);
  made.method = method;
  made.tolerance = controlled ? tolerance : 0;
  made.step = controlled ? 0 : step;
  made.steps = (uint64_t)fmax(rint(study->duration / (controlled ? OMR_NOMINAL_STEP : step)), 1);
  made.trace_interval = omr_study_interval(study);
  made.trace_stride = controlled ? 0 : (uint64_t)rint(made.trace_interval / step);
  made.split = study->split || controlled;
  made.budget = 0;
  let_run(&made);
  return made;
}

omr_study omr_study_refined(const omr_study *study, int level) {
  uint64_t parts = 1;
  for (int i = 0; i < level; i++) parts *= study->tolerance > 0 ? 10 : 2;
  return omr_study_with_steps(study, parts, 1);
}

omr_study omr_study_with_steps(const omr_study *study, uint64_t parts, uint64_t of) {
  omr_study refined = *study;
  if (study->tolerance > 0) {
    refined.tolerance = study->tolerance * (double)of / (double)parts;
  } else {
    refined.step = study->step * (double)of / (double)parts;
    refined.steps = study->steps / of * parts;
    refined.trace_stride = study->trace_stride / of * parts;
  }
  let_run(&refined);
  return refined;
}

bool omr_study_resolves(const omr_study *study, omr_precision precision, int level) {
  if (study->tolerance > 0)
    return precision != OMR_SINGLE_PRECISION ||
           omr_study_refined(study, level).tolerance >= 0.999 * OMR_LEAST_SINGLE_TOLERANCE;
  const double most = precision == OMR_SINGLE_PRECISION ? 0x1p24 : 0x1p53;
  return ldexp((double)study->steps, level) <= most;
}
