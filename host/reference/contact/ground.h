/* Friction of the ground in time (source 5, equations 24 and 26) and place. Patches of the floor
 * change friction linearly over the width of their edges. It is smooth outside, on the edge and
 * inside; a discrete state, changed by events, tells in which of these zones a contact point is. */
#ifndef OMR_REFERENCE_GROUND_H
#define OMR_REFERENCE_GROUND_H

#include "../multibody/vector.h"
#include "study/study.h"

typedef struct omr_ground_patch {
  omr_patch shape;
  double x, z, cos_yaw, sin_yaw, half_length, half_width, friction;
} omr_ground_patch;

typedef struct omr_ground_friction {
  omr_ground kind;
  double factor, time, width; /* in time: mu_l/mu_u, t_s, s_d */
  double edge;                /* m; 0: sharp */
  omr_ground_patch patch[OMR_PATCHES];
} omr_ground_friction;

typedef enum omr_zone { OMR_ZONE_OUTSIDE, OMR_ZONE_EDGE, OMR_ZONE_INSIDE } omr_zone;

/* A contact on the ground: its zone in each patch. */
typedef struct omr_ground_place {
  const omr_ground_friction *ground;
  omr_zone zone[OMR_PATCHES];
} omr_ground_place;

void omr_ground_read(omr_ground_friction *ground, const omr_study *study, const omr_values *values);
/* Friction coefficient in place of `coefficient` at time t and the point r; self is an
 * omr_ground_place. */
double omr_ground_coefficient(const void *self, double coefficient, double t, omr_vec r);
/* Sets the zones of the point r. */
void omr_ground_judge(omr_ground_place *place, omr_vec r);
/* Positive while r is in its zone of the patch, and just after it has entered it. */
double omr_ground_margin(const omr_ground_place *place, int patch, omr_vec r);

#endif
