/* What odometry sees of a vehicle, and slip as encoders see it: differences of the wheels' rates to
 * those that controllers are asked for, and to those of the odometry's motion. */
#include "../multibody/moore_penrose.h"
#include "omni.h"

#include <string.h>

static bool observes(const omr_omni *omni, int observers) {
  for (int i = 0; i < OMR_OBS_COUNT; i++)
    if (omr_observables[i].group & observers && omr_observable_in(&omni->study->observables, i))
      return true;
  return false;
}

/* Least squares over the chosen wheels' rates, of vx and vz alone where a gyro tells the yaw rate;
 * 0 if they do not determine it. */
void omr_omni_start_odometry(omr_omni *omni) {
  omr_omni_odometry *o = &omni->odometry;
  const double *v = omni->values.vehicle;
  double seen[6 * OMR_MAX_WHEELS], inverse[6 * OMR_MAX_WHEELS];
  int chosen[2 * OMR_MAX_WHEELS], rows = 0, rank = 0;
  *o = (omr_omni_odometry){.gyro = omni->study->odometry.gyro,
                           .scale = v[OMR_VP_ODO_GYRO_SCALE],
                           .bias = v[OMR_VP_ODO_GYRO_BIAS],
                           .asked = observes(omni, OMR_OBSERVER_ENCODER),
                           .tracked = observes(omni, OMR_OBSERVER_TRACKING) &&
                                      omni->study->odometry.chosen};

  /* the rows of the wheels that it reads */
  const int columns = o->gyro ? 2 : 3;
  for (int i = 0; i < omni->wheels; i++) {
    const omr_omni_wheel *w = &omni->wheel[i];
    if (!(omni->study->odometry.wheels & 1u << i)) continue;
    if (omr_wheel_swivels(omni->study->kind[i])) continue;
    for (int j = 0; j < columns; j++) seen[columns * rows + j] = w->ideal[j];
    chosen[rows++] = i;
    if (omni->study->kind[i] != OMR_WHEEL_PLAIN) continue;
    for (int j = 0; j < columns; j++) seen[columns * rows + j] = w->sideways[j];
    chosen[rows++] = -1 - i; /* no slip along its axle, which no encoder tells */
  }

  omr_error error = {0};
  const omr_status status =
      omr_pseudo_inverse(rows, columns, seen, OMR_RANK_TOLERANCE, inverse, &rank, &error);
  o->known = status == OMR_OK && rank == columns;
  for (int j = 0; j < columns && o->known; j++)
    for (int r = 0; r < rows; r++) {
      if (chosen[r] >= 0)
        o->by[j][chosen[r]] = inverse[j * rows + r];
      else if (o->gyro)
        o->by_turn[j] -= inverse[j * rows + r] * omni->wheel[-1 - chosen[r]].sideways[2];
    }
}

void omr_omni_odometry_motion(const omr_omni *omni, const omr_mb *mb, double yaw_rate,
                              double velocity[3]) {
  const omr_omni_odometry *o = &omni->odometry;
  const double turn = o->gyro ? (1 + o->scale) * yaw_rate + o->bias : 0;
  for (int j = 0; j < 3; j++) velocity[j] = j == 2 ? turn : o->by_turn[j] * turn;
  for (int i = 0; i < omni->wheels; i++) {
    const omr_omni_wheel *w = &omni->wheel[i];
    const double rate = omr_omni_wheel_rate(w, mb) - w->ideal[2] * turn;
    for (int j = 0; j < 3; j++) velocity[j] += o->by[j][i] * rate;
  }
}

/* A wheel's speed by its encoder less the one that it has in ideal rolling of the motion, m/s. */
static double difference(const omr_omni *omni, const omr_mb *mb, int i, const double motion[3]) {
  const omr_omni_wheel *w = &omni->wheel[i];
  double rate = omr_omni_wheel_rate(w, mb);
  for (int j = 0; j < 3; j++) rate -= w->ideal[j] * motion[j];
  return omni->values.wheel[i][OMR_WP_RADIUS] * rate;
}

/* The rate of a wheel that swivels depends on its angle, too. */
static double tracking_difference(const omr_omni *omni, const omr_mb *mb, int i,
                                  const double motion[3]) {
  return omr_wheel_swivels(omni->study->kind[i]) ? 0 : difference(omni, mb, i, motion);
}

/* The same to what its controller is asked for; 0 without a controller. */
static double encoder_difference(const omr_omni *omni, const omr_mb *mb, int i) {
  const omr_wheel_drive *d = &omni->wheel[i].drive;
  double command[3] = {0, 0, 0}, asked = 0;
  if (!omr_wheel_drive_is_controlled(d)) return 0;
  if (d->kind == OMR_DRIVE_BODY && omr_wheel_swivels(omni->study->kind[i])) return 0;
  if (d->kind == OMR_DRIVE_SPEED)
    asked = d->speed * omni->values.wheel[i][OMR_WP_RADIUS];
  else if (omni->limit.given)
    asked = omni->limit.last[i] * omni->values.wheel[i][OMR_WP_RADIUS];
  else if (omni->follow.given)
    memcpy(command, omni->follow.velocity, sizeof command);
  else
    omr_omni_command_at(&omni->command, mb->time, command);
  return difference(omni, mb, i, command) - asked;
}

int omr_omni_slip_quadratures(const omr_omni *omni) {
  return omni->odometry.asked || omni->odometry.tracked ? 2 * omni->wheels : 0;
}

void omr_omni_slip_rates(const omr_omni *omni, const omr_mb *mb, const double motion[3],
                         double *rate) {
  for (int i = 0; i < omni->wheels; i++) {
    rate[2 * i] = pow(encoder_difference(omni, mb, i), 2);
    rate[2 * i + 1] = pow(tracking_difference(omni, mb, i, motion), 2);
  }
}

void omr_omni_look_at_slips(omr_omni *omni, const omr_mb *mb, double yaw_rate) {
  omr_omni_odometry *o = &omni->odometry;
  double motion[3];
  if (!omr_omni_slip_quadratures(omni)) return;
  omr_omni_odometry_motion(omni, mb, yaw_rate, motion);
  for (int i = 0; i < omni->wheels; i++) {
    o->encoder[i] = fmax(o->encoder[i], fabs(encoder_difference(omni, mb, i)));
    o->tracking[i] = fmax(o->tracking[i], fabs(tracking_difference(omni, mb, i, motion)));
  }
}

void omr_omni_reduce_slips(const omr_omni *omni, double time, const double *q,
                           double *observables) {
  const omr_omni_odometry *o = &omni->odometry;
  if (!omr_omni_slip_quadratures(omni) || !(time > 0)) return;
  for (int i = 0; i < omni->wheels; i++) {
    const double asked = sqrt(q[2 * i] / time), tracked = sqrt(q[2 * i + 1] / time);
    const bool swivels = omr_wheel_swivels(omni->study->kind[i]);
    const omr_wheel_drive *d = &omni->wheel[i].drive;
    if (o->asked && omr_wheel_drive_is_controlled(d) && !(swivels && d->kind == OMR_DRIVE_BODY)) {
      observables[OMR_OBS_WHEEL0_ENCODER_SLIP + i] = asked;
      observables[OMR_OBS_ENCODER_SLIP] = fmax(observables[OMR_OBS_ENCODER_SLIP], asked);
      observables[OMR_OBS_MAX_ENCODER_SLIP] =
          fmax(observables[OMR_OBS_MAX_ENCODER_SLIP], o->encoder[i]);
    }
    if (!o->tracked || !o->known || swivels) continue;
    observables[OMR_OBS_WHEEL0_TRACKING_SLIP + i] = tracked;
    observables[OMR_OBS_TRACKING_SLIP] = fmax(observables[OMR_OBS_TRACKING_SLIP], tracked);
    observables[OMR_OBS_MAX_TRACKING_SLIP] =
        fmax(observables[OMR_OBS_MAX_TRACKING_SLIP], o->tracking[i]);
  }
}
