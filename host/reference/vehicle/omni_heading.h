/* Loops between the command of a vehicle and the controllers of its wheels: the heading held by a
 * gyro, and limits of the rates that wheels are asked for. */
#ifndef OMR_REFERENCE_OMNI_HEADING_H
#define OMR_REFERENCE_OMNI_HEADING_H

#include "../../study/study.h"

/* Corrections that a delay may have to wait for. */
enum { OMR_HELD_CORRECTIONS = 16 };

typedef struct omr_omni_hold {
  bool given;
  double inner, period; /* s: of the wheels' controllers, of the loop */
  long every, late; /* samples of the controllers: from one of the loop to the next; its delay */
  double gain, integral_gain, rate_gain;
  double scale, bias, noise; /* of the gyro; rad/s */
  uint64_t seed;
  double wanted, seen; /* headings since the start: asked for, by the gyro; rad */
  double yaw;          /* true one at the last sample, rad */
  double start, until; /* s: time of the last sample, and up to which time `wanted` counts */
  double before, sum;  /* error at the last sample; sum of all errors, rad */
  double correction[OMR_HELD_CORRECTIONS]; /* of the n-th sample, at n modulo their number; rad/s */
} omr_omni_hold;

void omr_heading_read(omr_omni_hold *hold, const omr_study *study, const omr_values *values);
/* The yaw rate to add to the commanded one at sample `number` of the wheels' controllers, which
 * come one after the other from 0; yaw: the true one, full turns included. */
double omr_heading_hold(omr_omni_hold *hold, long number, double commanded, double yaw);

/* Commanded heading less the gyro's at `time`, at or after the last sample. */
double omr_heading_error(const omr_omni_hold *hold, double time, double yaw);

typedef struct omr_omni_asked {
  int wheels;
  bool follows[OMR_MAX_WHEELS]; /* wheels whose controllers follow the command */
  bool given, each;
  double most, step;           /* rad/s; infinite: no limit */
  double last[OMR_MAX_WHEELS]; /* rad/s */
} omr_omni_asked;

void omr_asked_read(omr_omni_asked *limit, const omr_study *study, const omr_values *values);
/* Takes the rates that wheels are asked for [wheels] back to their limits. */
void omr_limit_asked(omr_omni_asked *limit, double *wanted);

#endif
