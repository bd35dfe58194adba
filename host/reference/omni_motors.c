/* Drives and bearings as observed: work by sign, torques, power, losses in bearings; only where the
 * study asks for them. */
#include "omni.h"

/* Quadratures of their own, after the others, then the squared torque of each wheel. */
enum { WORK, REGENERATED, BEARINGS, TORQUES };

int omr_omni_motor_quadratures(const omr_omni *omni) {
  for (int i = 0; i < OMR_OBS_COUNT; i++) {
    const bool of_motors = omr_observables[i].group & (OMR_OBSERVER_MOTORS | OMR_OBSERVER_BEARINGS);
    if (of_motors && omr_observable_in(&omni->study->observables, i)) return TORQUES + omni->wheels;
  }
  return 0;
}

void omr_omni_motor_rates(const omr_omni *omni, const omr_mb *mb, double *rate) {
  rate[WORK] = rate[REGENERATED] = rate[BEARINGS] = 0;
  for (int i = 0; i < omni->wheels; i++) {
    const omr_omni_wheel *w = &omni->wheel[i];
    const double turning = omr_omni_wheel_rate(omni, w, mb);
    const double torque = omr_omni_drive_torque(omni, w, mb, turning), power = torque * turning;
    rate[power > 0 ? WORK : REGENERATED] += fabs(power);
    rate[BEARINGS] += omr_omni_bearing_power(omni, w, mb);
    rate[TORQUES + i] = torque * torque;
  }
}

void omr_omni_look_at_motors(omr_omni *omni, const omr_mb *mb) {
  omr_omni_extremes *e = &omni->extremes;
  double power = 0;
  for (int i = 0; i < omni->wheels; i++) {
    const omr_omni_wheel *w = &omni->wheel[i];
    const double turning = omr_omni_wheel_rate(omni, w, mb);
    const double torque = omr_omni_drive_torque(omni, w, mb, turning);
    power += torque * turning;
    e->torque[i] = fmax(e->torque[i], fabs(torque));
  }
  e->power = fmax(e->power, power);
}

static void reduce_torques(const omr_omni *omni, const double *square, double time, double *o) {
  o[OMR_OBS_TORQUE_RMS] = o[OMR_OBS_TORQUE_PEAK] = 0;
  for (int i = 0; i < omni->wheels; i++) {
    const double rms = sqrt(square[i] / time), peak = omni->extremes.torque[i];
    o[OMR_OBS_WHEEL0_TORQUE_RMS + i] = rms;
    o[OMR_OBS_WHEEL0_TORQUE_PEAK + i] = omni->observed ? peak : (double)NAN;
    o[OMR_OBS_TORQUE_RMS] = fmax(o[OMR_OBS_TORQUE_RMS], rms);
    o[OMR_OBS_TORQUE_PEAK] = fmax(o[OMR_OBS_TORQUE_PEAK], peak);
  }
  if (!omni->observed) o[OMR_OBS_TORQUE_PEAK] = (double)NAN;
  if (omni->observed) o[OMR_OBS_PEAK_POWER] = omni->extremes.power;
}

void omr_omni_reduce_motors(const omr_omni *omni, const omr_mb *mb, double *o) {
  const double time = omr_mb_time(mb), path = omr_mb_quadratures(mb)[OMR_OMNI_PATH];
  const double *q = omr_mb_quadratures(mb) + OMR_OMNI_QUADRATURES + 4 * omni->wheels;
  o[OMR_OBS_ENERGY_LOST] = o[OMR_OBS_DRIVE_WORK] + o[OMR_OBS_EXTERNAL_WORK] -
                           (omr_omni_energy(mb) - omni->initial_energy);
  if (!omr_omni_motor_quadratures(omni)) return;
  o[OMR_OBS_MOTOR_WORK] = q[WORK];
  o[OMR_OBS_REGENERATED_WORK] = q[REGENERATED];
  o[OMR_OBS_BEARING_LOSS] = q[BEARINGS];
  o[OMR_OBS_CONTACT_LOSS] = o[OMR_OBS_ENERGY_LOST] - q[BEARINGS] - omni->impact_loss;
  if (path > 0) o[OMR_OBS_ENERGY_PER_METRE] = q[WORK] / path;
  if (time > 0) reduce_torques(omni, q + TORQUES, time, o);
}
