/* The floor of an instance: what is folded of it (PHYSICS.md#19-floors). */
#include "floor.h"

#include "../../kernels/scalar_math.h"

/* Whether a parameter of the vehicle is above 0 in some instance. */
static bool any_above_zero(const omr_study *study, int parameter) {
  for (size_t j = 0; j < study->variation_count; j++)
    if (!study->variations[j].per_wheel && study->variations[j].index == parameter) return true;
  return study->base.vehicle[parameter] > 0;
}

int omr_floor_bits(const omr_study *study) {
  int bits = 0;
  if (!study->compliant) return 0;
  if (any_above_zero(study, OMR_VP_FLOOR_SLOPE)) bits |= FLOOR_SLOPE;
  return bits;
}

int omr_floor_columns(const omr_study *study) {
  return omr_floor_bits(study) ? F_COUNT : 0;
}

void omr_floor_up(const omr_values *values, double up[3]) {
  const double *p = values->vehicle;
  double ss, cs, sd, cd;
  omr_math_sincos(p[OMR_VP_FLOOR_SLOPE], &ss, &cs);
  omr_math_sincos(p[OMR_VP_FLOOR_DIRECTION], &sd, &cd);
  up[0] = ss * cd; /* a yaw of d heads along (cos d, 0, -sin d) */
  up[1] = cs;
  up[2] = -ss * sd;
}

void omr_fold_floor(const omr_study *study, const omr_values *values, double *columns) {
  double up[3];
  if (!omr_floor_bits(study)) return;
  omr_floor_up(values, up);
  for (int j = 0; j < 3; j++) columns[F_UP_X + j] = up[j];
}
