/* The torque of a drive, given by a law or exerted by a constraint. */
#include "omni.h"

double omr_omni_drive_torque(const omr_omni *omni, const omr_omni_wheel *w, const omr_mb *mb,
                             double rate) {
  double force, torque;
  if (!omr_wheel_drive_is_rated(&w->drive))
    return omr_wheel_drive_torque(&w->drive, mb->time, rate);
  if (omni->platform) {
    omr_joint_effort(mb, &w->axle, &force, &torque); /* on the platform */
    torque = -torque;
  } else {
    torque = omr_mb_multiplier(mb, &w->drive.base, 0);
  }
  return torque + omr_wheel_drive_brake(&w->drive, rate);
}
