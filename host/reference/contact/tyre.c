#include "friction.h"

#include <math.h>

/* Force over mu N of the stiff slip k: the bristles' parabola 1 - (1 - s)^3 with s = k/(3 mu), or
 * sin(C atan(b - E (b - atan b))) with b = k/(C mu). */
static double curve(const omr_tyre *tyre, double k) {
  if (tyre->law == OMR_TYRE_BRUSH) {
    double s = fmin(k / (3 * tyre->friction), 1);
    return 1 - (1 - s) * (1 - s) * (1 - s);
  }
  double b = k / (tyre->shape * tyre->friction);
  return sin(tyre->shape * atan(b - tyre->curvature * (b - atan(b))));
}

omr_tyre_force omr_tyre_push(const omr_tyre *tyre, double across, double along, double rolling) {
  double speed = hypot(rolling, tyre->low_speed);
  across *= tyre->lateral / speed;
  along *= tyre->longitudinal / speed;
  double k = hypot(across, along);
  if (k == 0 || tyre->friction == 0) return (omr_tyre_force){0, 0};
  double force = -tyre->friction * curve(tyre, k) / k;
  return (omr_tyre_force){force * across, force * along};
}

omr_vec omr_friction_of_tyre(const omr_friction *f, omr_tyre_law law, double coefficient,
                             const omr_slipping *slip) {
  const omr_tyre tyre = {.law = law,
                         .friction = coefficient,
                         .lateral = f->values[OMR_WP_TYRE_LATERAL],
                         .longitudinal = f->values[OMR_WP_TYRE_LONGITUDINAL],
                         .shape = f->values[OMR_WP_TYRE_SHAPE],
                         .curvature = f->values[OMR_WP_TYRE_CURVATURE],
                         .low_speed = f->values[OMR_WP_TYRE_LOW_SPEED]};
  const omr_tyre_force force =
      omr_tyre_push(&tyre, omr_dot(slip->v, slip->k), omr_dot(slip->v, slip->i), slip->rolling);
  return omr_axpy(omr_scale(force.across, slip->k), force.along, slip->i);
}
