/* Tyre as a brush (appendix/laws.md#friction), of a disc. */
#include "friction.h"

double omr_brush_coefficient(const double *values) {
  return values[OMR_WP_FRICTION];
}

omr_vec omr_brush_force(const omr_friction *f, double coefficient, const omr_slipping *slip) {
  return omr_friction_of_tyre(f, OMR_TYRE_BRUSH, coefficient, slip);
}
