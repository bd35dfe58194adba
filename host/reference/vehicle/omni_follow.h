/* The loop that follows a path of points, by ways along the whole path. */
#ifndef OMR_REFERENCE_OMNI_FOLLOW_H
#define OMR_REFERENCE_OMNI_FOLLOW_H

#include "../../study/study.h"

/* Where a vehicle is, or believes to be: world place, m, and yaw, rad. */
typedef struct omr_omni_pose {
  double x, z, yaw;
} omr_omni_pose;

typedef struct omr_omni_follow {
  bool given, cross, translate, closed, odometry;
  const omr_table *points; /* ways and places; a closed path has a last leg to the first point */
  double length;           /* of the whole path, m */
  long every;              /* samples of the controllers from one of the loop to the next */
  double period, speed, acceleration, look_ahead, gain, integral_gain, heading_gain;
  double passed, truly; /* way of the nearest point, as the loop sees it and as it is; on a closed
                           path up to its length */
  double now, sum;      /* speed asked for; integral part; m/s */
  double velocity[3];   /* asked for: vx, vz, yaw rate */
  double square, most;  /* sum of squared distances from the path, the largest distance */
  long looks;           /* their number */
  double time;          /* when the end, or the first round, was behind; infinite: not yet */
} omr_omni_follow;

void omr_follow_read(omr_omni_follow *follow, const omr_study *study, const omr_values *values);
/* Sample `number` of the wheels' controllers at time t: vx, vz, yaw rate that they shall follow. */
void omr_follow_path(omr_omni_follow *follow, long number, double t, omr_omni_pose seen,
                     omr_omni_pose is, double velocity[3]);
/* Mean and largest distance from the path, and the time of its end; NaN where there are none. */
void omr_follow_reduce(const omr_omni_follow *follow, double *observables);

#endif
