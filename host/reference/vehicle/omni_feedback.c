/* Drives that a matrix of gains feeds with the errors of the vehicle's motion. */
#include "omni.h"

/* The pose that the command has led to less the vehicle's, along its own axes. */
static void pose_error(const omr_omni *omni, const omr_mb *mb, double error[3]) {
  const omr_omni_motion m = omr_omni_motion_of(omni, mb);
  const double *q = omr_mb_quadratures(mb), yaw = q[OMR_OMNI_YAW];
  const omr_vec behind = omr_vec_of(q[OMR_OMNI_COMMAND] - m.x, 0, q[OMR_OMNI_COMMAND + 1] - m.z),
                forward = omr_vec_of(cos(yaw), 0, -sin(yaw)),
                right = omr_vec_of(sin(yaw), 0, cos(yaw));
  error[0] = omr_dot(behind, forward);
  error[1] = omr_dot(behind, right);
  error[2] = q[OMR_OMNI_COMMAND + 2] - yaw;
}

void omr_omni_feed_back(omr_omni *omni, const omr_mb *mb, const double velocity[3], int wheel) {
  const omr_omni_motion m = omr_omni_motion_of(omni, mb);
  const double moves[3] = {m.vx, m.vz, m.yaw_rate},
               *gain = omni->study->command.feedback.gain[wheel];
  double pose[3], sum = 0;
  pose_error(omni, mb, pose);
  for (int j = 0; j < 3; j++) {
    sum += gain[OMR_FEEDBACK_X + j] * pose[j];
    sum += gain[OMR_FEEDBACK_VX + j] * (velocity[j] - moves[j]);
  }
  for (int i = 0; i < omni->wheels; i++) {
    const omr_omni_wheel *w = &omni->wheel[i];
    double rate = omr_omni_wheel_rate(w, mb);
    for (int j = 0; j < 3; j++) rate -= w->ideal[j] * velocity[j];
    sum -= gain[OMR_FEEDBACK_RATE + i] * rate;
  }
  omr_wheel_drive *d = &omni->wheel[wheel].drive;
  d->held = fmax(fmin(sum, d->limit), -d->limit);
}
