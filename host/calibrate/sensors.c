#include "sensors.h"

#include "../../kernels/scalar_math.h"

#include <math.h>
#include <string.h>

/* The model's time, counted in intervals, at an instant of the log. */
static double time_at(const omr_measured *measured, const omr_sensed *sensed, size_t instant) {
  const double offset = sensed->value[OMR_UNKNOWN_TIME_OFFSET][0] / measured->interval;
  return ((double)instant - offset) / sensed->value[OMR_UNKNOWN_CLOCK_SCALE][0];
}

static bool has_clock(const omr_measured *measured) {
  return measured->unknowns && !omr_unknown_list[measured->unknown[0].kind].of_sensor;
}

/* Slope at a sample, in intervals, of the parabola through it and its neighbours, or at an end
 * through the next two: 0 where the run starts from rest. */
static double slope_at(const double *q, size_t count, size_t i) {
  if (count == 2) return q[1] - q[0];
  if (i == 0) return 2 * (q[1] - q[0]) - 0.5 * (q[2] - q[0]);
  if (i + 1 == count) return 2 * (q[i] - q[i - 1]) - 0.5 * (q[i] - q[i - 2]);
  return 0.5 * (q[i + 1] - q[i - 1]);
}

/* Before its first sample it goes on in a straight line, after its last along a parabola. */
static double between(const double *q, size_t count, double at) {
  const size_t last = count - 1;
  if (at <= 0) return q[0] + at * slope_at(q, count, 0);
  if (at >= (double)last) {
    const double beyond = at - (double)last,
                 bend = count == 2 ? 0 : q[last] - 2 * q[last - 1] + q[last - 2];
    return q[last] + beyond * (slope_at(q, count, last) + 0.5 * bend * beyond);
  }
  const size_t i = (size_t)at;
  const double u = at - (double)i, rise = q[i + 1] - q[i], from = slope_at(q, count, i) - rise,
               to = slope_at(q, count, i + 1) - rise;
  return q[i] + u * (rise + (1 - u) * ((1 - u) * from - u * to));
}

/* ---- poses from the start */

static int place_of(const omr_measured *measured, int index) {
  for (size_t s = 0; s < measured->samples; s++)
    if (measured->sample[s].index == index) return (int)s;
  return -1;
}

/* As if the model's pose at the log's first instant were the one that it starts with. `first` is
 * the latter: x, second axis, yaw. */
static void see_from_start(const omr_study *study, const double first[3], double *told) {
  const omr_measured *measured = &study->measured;
  const size_t n = measured->instants;
  const double hand = study->frame == OMR_FRAME_Y_UP ? -1 : 1;
  double *x = told + (size_t)place_of(measured, OMR_VS_X) * n,
         *z = told + (size_t)place_of(measured, OMR_VS_Z) * n,
         *yaw = told + (size_t)place_of(measured, OMR_VS_YAW) * n;
  const double x0 = x[0], z0 = z[0], turn = first[2] - yaw[0];
  double s, c;
  omr_math_sincos(hand * turn, &s, &c);
  for (size_t i = 0; i < n; i++) {
    const double dx = x[i] - x0, dz = z[i] - z0;
    x[i] = first[0] + c * dx - s * dz;
    z[i] = first[1] + c * dz + s * dx;
    yaw[i] += turn;
  }
}

/* As from a start that was measured wrong by error[3]: what the log tells of the pose at the start
 * is taken off the run, which is then turned and shifted by what is wrong with it. */
static void see_from_wrong_start(const omr_study *study, const double error[3], double *told) {
  const omr_measured *measured = &study->measured;
  const size_t n = measured->instants;
  const double hand = study->frame == OMR_FRAME_Y_UP ? -1 : 1;
  double *x = told + (size_t)place_of(measured, OMR_VS_X) * n,
         *z = told + (size_t)place_of(measured, OMR_VS_Z) * n,
         *yaw = told + (size_t)place_of(measured, OMR_VS_YAW) * n;
  double s, c;
  omr_math_sincos(hand * error[2], &s, &c);
  for (size_t i = 0; i < n; i++) {
    const double dx = x[i] - error[0], dz = z[i] - error[1];
    x[i] = c * dx + s * dz;
    z[i] = c * dz - s * dx;
    yaw[i] -= error[2];
  }
}

static bool starts_wrong(const omr_measured *measured) {
  for (size_t u = 0; u < measured->unknowns; u++)
    if (measured->unknown[u].kind == OMR_UNKNOWN_START_ERROR) return true;
  return false;
}

void omr_sensors_tell(const omr_study *study, const omr_result *result, size_t place,
                      const omr_sensed *sensed, double *told) {
  static const int pose[] = {OMR_VS_X, OMR_VS_Z, OMR_VS_YAW};
  const omr_measured *measured = &study->measured;
  const size_t n = measured->instants, from = place * result->sample_count;
  for (size_t s = 0; s < measured->samples; s++) {
    const double *given = result->vehicle_samples[measured->sample[s].index] + from;
    for (size_t i = 0; i < n; i++)
      told[s * n + i] = has_clock(measured)
                            ? between(given, result->sample_count, time_at(measured, sensed, i))
                            : given[i];
  }
  if (has_clock(measured) && !measured->world) {
    double first[3];
    for (int k = 0; k < 3; k++) first[k] = result->vehicle_samples[pose[k]][from];
    see_from_start(study, first, told);
  }
  if (starts_wrong(measured)) {
    double error[3];
    for (int k = 0; k < 3; k++)
      error[k] = sensed->value[OMR_UNKNOWN_START_ERROR][place_of(measured, pose[k])];
    see_from_wrong_start(study, error, told);
  }
  for (size_t s = 0; s < measured->samples; s++) {
    const double gain = sensed->value[OMR_UNKNOWN_GAIN][s],
                 bias = sensed->value[OMR_UNKNOWN_BIAS][s];
    for (size_t i = 0; i < n; i++) told[s * n + i] = gain * told[s * n + i] + bias;
  }
}
