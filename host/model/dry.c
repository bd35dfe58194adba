/* Dry friction of bearings and rolling resistance: settings of a run and folded parameters
 * (appendix/bearings.md#bearings; kernels/laws/dry.h). */
#include "fold.h"

#include <math.h>

/* Whether a wheel's value differs from `plain`, or can differ. */
static bool differs(const omr_study *study, int parameter, double plain) {
  for (int i = 0; i < study->wheels; i++)
    if (study->base.wheel[i][parameter] != plain) return true;
  return omr_varies(study, true, parameter);
}

int omr_dry_bits(const omr_study *study) {
  if (study->model == OMR_MODEL_DISC_VEHICLE) return 0;
  const bool end = differs(study, OMR_WP_DRY_END_FRICTION, 0),
             fixed = differs(study, OMR_WP_DRY_TORQUE, 0),
             pin = end || differs(study, OMR_WP_DRY_FRICTION, 0),
             axle = differs(study, OMR_WP_AXLE_FRICTION, 0),
             rolling = differs(study, OMR_WP_ROLLING_RESISTANCE, 0),
             drilling =
                 study->contact.law == OMR_LAW_COULOMB && differs(study, OMR_WP_CONTOUR_RADIUS, 0);
  const bool roller = pin || fixed, axles = axle || differs(study, OMR_WP_AXLE_TORQUE, 0),
             loaded = pin || axle || rolling || drilling;
  const bool rises = (roller && differs(study, OMR_WP_DRY_STATIC_RATIO, 1)) ||
                     (axles && differs(study, OMR_WP_AXLE_STATIC_RATIO, 1));
  return (roller ? DRY_ROLLER : 0) | (axles ? DRY_AXLE : 0) | (rises ? DRY_RISE : 0) |
         (rolling ? DRY_ROLLING : 0) | (drilling ? DRY_DRILLING : 0) | (loaded ? DRY_LOADED : 0) |
         (fixed ? DRY_FIXED : 0) | (end ? DRY_END : 0) | (axle ? DRY_AXLE_PIN : 0) |
         (loaded && differs(study, OMR_WP_DRY_EXPONENT, 1) ? DRY_EXPONENT : 0);
}

/* Folded dry friction of a wheel
 * (appendix/bearings.md#bearings). */
void omr_fold_dry(const double *v, double share_of_weight, double place[W_COUNT]) {
  const double given = v[OMR_WP_DRY_REFERENCE_LOAD];
  place[W_DRY_PIN] = v[OMR_WP_DRY_FRICTION] * v[OMR_WP_DRY_PIN_RADIUS];
  place[W_DRY_END] = v[OMR_WP_DRY_END_FRICTION] * v[OMR_WP_DRY_END_RADIUS];
  place[W_DRY_RISE] = v[OMR_WP_DRY_STATIC_RATIO] - 1;
  place[W_DRY_INV_STRIBECK] = 1 / v[OMR_WP_DRY_STRIBECK_RATE];
  place[W_DRY_INV_SMOOTHING] = 1 / v[OMR_WP_DRY_SMOOTHING_RATE];
  place[W_AXLE_PIN] = v[OMR_WP_AXLE_FRICTION] * v[OMR_WP_AXLE_PIN_RADIUS];
  place[W_AXLE_RISE] = v[OMR_WP_AXLE_STATIC_RATIO] - 1;
  place[W_AXLE_INV_STRIBECK] = 1 / v[OMR_WP_AXLE_STRIBECK_RATE];
  place[W_AXLE_INV_SMOOTHING] = 1 / v[OMR_WP_AXLE_SMOOTHING_RATE];
  place[W_ROLLING_ARM] = v[OMR_WP_ROLLING_RESISTANCE];
  place[W_DRY_POWER] = v[OMR_WP_DRY_EXPONENT] - 1;
  place[W_DRY_INV_LOAD] = 1 / (isnan(given) ? share_of_weight : given);
}
