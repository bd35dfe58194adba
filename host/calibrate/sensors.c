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

/* A sample over the instants of a run: every `stride`-th number of q. */
typedef struct series {
  const omr_study *study;
  const omr_result *result;
  const omr_measured_sample *sample;
  const double *q;
  size_t from, count, stride; /* from: row of the result */
} series;

static double value_at(const series *s, size_t i) {
  return s->q[i * s->stride];
}

/* The velocity of a pose's coordinate: of x and the second axis the body's, turned. */
static double pose_rate(const omr_study *study, const omr_result *result, size_t from, int index) {
  const double *const *v = (const double *const *)result->vehicle_samples;
  if (index == OMR_VS_YAW) return v[OMR_VS_YAW_RATE] ? v[OMR_VS_YAW_RATE][from] : (double)NAN;
  if (!v[OMR_VS_VX] || !v[OMR_VS_VZ] || !v[OMR_VS_YAW]) return (double)NAN;
  const double hand = study->frame == OMR_FRAME_Y_UP ? -1 : 1;
  double s, c;
  omr_math_sincos(hand * v[OMR_VS_YAW][from], &s, &c);
  return index == OMR_VS_X ? c * v[OMR_VS_VX][from] - s * v[OMR_VS_VZ][from]
                           : c * v[OMR_VS_VZ][from] + s * v[OMR_VS_VX][from];
}

static bool is_coordinate(int index) {
  return index == OMR_VS_X || index == OMR_VS_Z || index == OMR_VS_YAW ||
         index == OMR_VS_COUNT + OMR_WS_ANGLE;
}

/* The model's velocity of a coordinate, in intervals; NaN: the sample is no coordinate, or its
 * velocity is unknown. */
static double rate_at(const series *s, size_t i) {
  const int index = s->sample->index;
  const double interval = s->study->measured.interval;
  if (!is_coordinate(index)) return (double)NAN;
  if (index < OMR_VS_COUNT) return interval * pose_rate(s->study, s->result, s->from + i, index);
  const double *rates = s->result->wheel_samples[OMR_WS_RATE];
  return rates ? interval * rates[(s->from + i) * s->stride + (size_t)s->sample->wheel]
               : (double)NAN;
}

/* Slope in intervals: the model's velocity for a coordinate, otherwise the slope of the parabola
 * through the value and its neighbours, at the ends through the nearest three values. */
static double slope_at(const series *s, size_t i) {
  const double rate = rate_at(s, i);
  const size_t last = s->count - 1;
  if (!isnan(rate)) return rate;
  if (s->count == 2) return value_at(s, 1) - value_at(s, 0);
  if (i == 0)
    return 2 * (value_at(s, 1) - value_at(s, 0)) - 0.5 * (value_at(s, 2) - value_at(s, 0));
  if (i == last)
    return 2 * (value_at(s, i) - value_at(s, i - 1)) - 0.5 * (value_at(s, i) - value_at(s, i - 2));
  return 0.5 * (value_at(s, i + 1) - value_at(s, i - 1));
}

/* Before its first value a coordinate goes on with its initial velocity: a robot that starts at
 * rest stood there. Everything else kept its value. After the last value it is a parabola. */
static double between(const series *s, double at) {
  const size_t last = s->count - 1;
  if (at <= 0) return value_at(s, 0) + (is_coordinate(s->sample->index) ? at * slope_at(s, 0) : 0);
  if (at >= (double)last) {
    const double beyond = at - (double)last,
                 bend = s->count == 2
                            ? 0
                            : value_at(s, last) - 2 * value_at(s, last - 1) + value_at(s, last - 2);
    return value_at(s, last) + beyond * (slope_at(s, last) + 0.5 * bend * beyond);
  }
  const size_t i = (size_t)at;
  const double u = at - (double)i, rise = value_at(s, i + 1) - value_at(s, i),
               from = slope_at(s, i) - rise, to = slope_at(s, i + 1) - rise;
  return value_at(s, i) + u * (rise + (1 - u) * ((1 - u) * from - u * to));
}

static series series_of(const omr_study *study, const omr_result *result, size_t place,
                        const omr_measured_sample *sample) {
  const size_t from = place * result->sample_count, wheels = (size_t)study->wheels;
  series s = {study, result, sample, NULL, from, result->sample_count, 1};
  if (sample->index < OMR_VS_COUNT) {
    s.q = result->vehicle_samples[sample->index] + from;
  } else {
    s.stride = wheels;
    s.q =
        result->wheel_samples[sample->index - OMR_VS_COUNT] + from * wheels + (size_t)sample->wheel;
  }
  return s;
}

/* ---- poses from the start */

static int place_of(const omr_measured *measured, int index) {
  for (size_t s = 0; s < measured->samples; s++)
    if (measured->sample[s].index == index) return (int)s;
  return -1;
}

/* Measured poses within the values of a run; hand: sign of a turn in the study's frame. */
typedef struct poses {
  double *x, *z, *yaw, hand;
  size_t count;
} poses;

static poses poses_of(const omr_study *study, double *told) {
  const omr_measured *measured = &study->measured;
  const size_t n = measured->instants;
  return (poses){told + (size_t)place_of(measured, OMR_VS_X) * n,
                 told + (size_t)place_of(measured, OMR_VS_Z) * n,
                 told + (size_t)place_of(measured, OMR_VS_YAW) * n,
                 study->frame == OMR_FRAME_Y_UP ? -1 : 1, n};
}

/* As if the model's pose at the log's first instant were the one that it starts with. `first` is
 * the latter: x, second axis, yaw. */
static void see_from_start(const omr_study *study, const double first[3], double *told) {
  const poses p = poses_of(study, told);
  const double x0 = p.x[0], z0 = p.z[0], turn = first[2] - p.yaw[0];
  double s, c;
  omr_math_sincos(p.hand * turn, &s, &c);
  for (size_t i = 0; i < p.count; i++) {
    const double dx = p.x[i] - x0, dz = p.z[i] - z0;
    p.x[i] = first[0] + c * dx - s * dz;
    p.z[i] = first[1] + c * dz + s * dx;
    p.yaw[i] += turn;
  }
}

/* Poses from a start that was measured wrong by error[3]: the logged pose at the start is taken off
 * the run, which is then turned and shifted by the error. */
static void see_from_wrong_start(const omr_study *study, const double error[3], double *told) {
  const poses p = poses_of(study, told);
  double s, c;
  omr_math_sincos(p.hand * error[2], &s, &c);
  for (size_t i = 0; i < p.count; i++) {
    const double dx = p.x[i] - error[0], dz = p.z[i] - error[1];
    p.x[i] = c * dx + s * dz;
    p.z[i] = c * dz - s * dx;
    p.yaw[i] -= error[2];
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

  /* The model's samples at the log's instants. */
  for (size_t s = 0; s < measured->samples; s++) {
    const series given = series_of(study, result, place, &measured->sample[s]);
    for (size_t i = 0; i < n; i++)
      told[s * n + i] =
          has_clock(measured) ? between(&given, time_at(measured, sensed, i)) : value_at(&given, i);
  }

  /* Poses from the start are seen from the log's first instant. */
  if (measured->from_start) omr_measured_turn_back(measured, told);
  if (has_clock(measured) && !measured->world) {
    double first[3];
    for (int k = 0; k < 3; k++) first[k] = result->vehicle_samples[pose[k]][from];
    see_from_start(study, first, told);
  }

  /* A start that was measured wrong moves them. */
  if (starts_wrong(measured)) {
    double error[3];
    for (int k = 0; k < 3; k++)
      error[k] = sensed->value[OMR_UNKNOWN_START_ERROR][place_of(measured, pose[k])];
    see_from_wrong_start(study, error, told);
  }

  /* Gain and bias of each sensor come last. */
  for (size_t s = 0; s < measured->samples; s++) {
    const double gain = sensed->value[OMR_UNKNOWN_GAIN][s],
                 bias = sensed->value[OMR_UNKNOWN_BIAS][s];
    for (size_t i = 0; i < n; i++) told[s * n + i] = gain * told[s * n + i] + bias;
  }
}
