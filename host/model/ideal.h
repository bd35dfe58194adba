/* The linear model of a vehicle about rest, on wheels that roll ideally: what a state feedback is
 * designed for (appendix/drives.md#drives). */
#ifndef OMR_MODEL_IDEAL_H
#define OMR_MODEL_IDEAL_H

#include "../study/study.h"

typedef struct omr_ideal {
  double inertia[3][3]; /* of vx, vz and yaw rate, with wheels and rotors that turn along */
  double rate[OMR_MAX_WHEELS][3]; /* wheel rates per vx, vz and yaw rate; 0 of wheels that swivel */
  double torque[OMR_MAX_WHEELS];  /* at the wheel per unit of its drive */
  double resist[OMR_MAX_WHEELS];  /* what motor and bearing take of it per wheel rate, N m s */
} omr_ideal;

/* From folded parameters, `stride` apart. */
void omr_ideal_make(const omr_study *study, const double *params, size_t stride, omr_ideal *ideal);

#endif
