#include "refine.h"

#include <math.h>

static bool has_controller(const omr_study *study) {
  for (int i = 0; i < study->wheels; i++)
    if (study->drive[i] == OMR_DRIVE_SPEED || study->drive[i] == OMR_DRIVE_BODY) return true;
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
  if (has_controller(study)) common = divisor(common, (uint64_t)rint(study->controller_period / study->step));
  return common;
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
  refined.on_failure = OMR_FAILURE_RECORD;
  refined.retries = 0;
  refined.stability = OMR_STABILITY_IGNORE;
  refined.step_error.off = true;
  return refined;
}

bool omr_study_resolves(const omr_study *study, omr_precision precision, int level) {
  if (study->tolerance > 0)
    return precision != OMR_SINGLE_PRECISION || omr_study_refined(study, level).tolerance >= 0.999 * OMR_LEAST_SINGLE_TOLERANCE;
  const double most = precision == OMR_SINGLE_PRECISION ? 0x1p24 : 0x1p53;
  return ldexp((double)study->steps, level) <= most;
}
