/* Tyre after the magic formula (appendix/laws.md#friction), of a disc. */
#include "friction.h"

double omr_magic_coefficient(const double *values) {
  return values[OMR_WP_FRICTION];
}

omr_vec omr_magic_force(const omr_friction *f, double coefficient, const omr_slipping *slip) {
  return omr_friction_of_tyre(f, OMR_TYRE_MAGIC, coefficient, slip);
}
