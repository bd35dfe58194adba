/* Folded parameters of brushed motors, in quantities at the wheel
 * (appendix/drives.md#drives). */
#include "fold.h"

#include <math.h>

#define NO_LIMIT 1e30 /* a current that no motor reaches, finite in single precision */

/* Gains of a controller, and the most that the drive gives: the full duty, or a voltage. */
static void fold_drive(const omr_study *study, const double *v, int i, double place[W_COUNT]) {
  const bool duty = study->drives.by[i] == OMR_BY_DUTY;
  place[W_TORQUE_LIMIT] = duty ? 1 : omr_largest_given(study, i, place);
  if (!omr_is_controller(study->drives.law[i])) return;
  if (!duty) place[W_TORQUE_LIMIT] = v[OMR_WP_VOLTAGE_LIMIT];
  place[W_DRIVE_2] = v[duty ? OMR_WP_DUTY_KP : OMR_WP_VOLTAGE_KP];
  place[W_DRIVE_3] = v[duty ? OMR_WP_DUTY_KI : OMR_WP_VOLTAGE_KI] * study->drives.period;
}

void omr_fold_motor(const omr_study *study, const double *v, int i, double place[W_COUNT]) {
  const double gear = v[OMR_WP_GEAR_RATIO], constant = v[OMR_WP_TORQUE_CONSTANT],
               forward = v[OMR_WP_EFFICIENCY];
  const double back = isnan(v[OMR_WP_BACK_EFFICIENCY]) ? forward : v[OMR_WP_BACK_EFFICIENCY];
  place[W_EMF] = gear * (isnan(v[OMR_WP_EMF_CONSTANT]) ? constant : v[OMR_WP_EMF_CONSTANT]);
  place[W_PULL] = gear * constant;
  place[W_RESISTANCE] = v[OMR_WP_RESISTANCE];
  place[W_CONDUCTANCE] = 1 / v[OMR_WP_RESISTANCE];
  place[W_CURRENT_LIMIT] = isnan(v[OMR_WP_CURRENT_LIMIT]) ? NO_LIMIT : v[OMR_WP_CURRENT_LIMIT];
  place[W_IDLE_TORQUE] = fabs(gear) * constant * v[OMR_WP_NO_LOAD_CURRENT];
  place[W_TURN_GAIN] = fabs(gear) / v[OMR_WP_FRICTION_RATE];
  place[W_FORWARD_PART] = 1 - forward;
  place[W_BACK_PART] = 1 / back - 1;
  if (v[OMR_WP_INDUCTANCE] > 0) place[W_FOLLOW] = v[OMR_WP_RESISTANCE] / v[OMR_WP_INDUCTANCE];
  place[W_COASTS] = study->drives.coasts[i];
  fold_drive(study, v, i, place);
}
