/* Results of a run on compliant contacts: angles of contact, vertical observables
 * (appendix/reference.md#bodies). */
#include "omni_compliant.h"
#include "result/result.h"

#include <math.h>

/* Roller j stands 2 alpha j ahead of the first, which is straight down at wheel angle 0. */
double omr_omni_compliant_angle(const omr_omni *omni, const omr_omni_wheel *w, const omr_mb *mb) {
  return remainder(omr_omni_wheel_angle(omni, w, mb) + 2 * w->alpha * w->active,
                   2 * w->alpha * w->rollers);
}

void omr_omni_reduce_vertical(const omr_omni *omni, const omr_mb *mb, double *o) {
  const double *q = omr_mb_quadratures(mb) + omr_omni_vertical_quadrature(omni);
  const double time = mb->time;
  o[OMR_OBS_FINAL_HEIGHT] = omr_omni_free_motion(omni, mb).height;
  o[OMR_OBS_FEW_WHEELS_TIME] = q[OMR_OMNI_FEW_TIME];
  if (omni->study->contact.suspension) o[OMR_OBS_SUSPENSION_LOSS] = q[OMR_OMNI_SUSPENSION_LOSS];
  o[OMR_OBS_WHEEL_LIFTINGS] = (double)omni->liftings;
  if (time > 0) {
    const double mean = q[OMR_OMNI_VERTICAL_SUM] / time;
    o[OMR_OBS_VERTICAL_RMS] = sqrt(fmax(q[OMR_OMNI_VERTICAL_SQUARE] / time - mean * mean, 0));
    o[OMR_OBS_PITCH_RMS] = sqrt(q[OMR_OMNI_PITCH_SQUARE] / time);
    o[OMR_OBS_ROLL_RMS] = sqrt(q[OMR_OMNI_ROLL_SQUARE] / time);
  }
  if (!omni->observed) return;
  o[OMR_OBS_VERTICAL_PEAK] = omni->extremes.vertical;
  o[OMR_OBS_MAX_TILT] = acos(fmin(omni->extremes.least_upright, 1));
}
