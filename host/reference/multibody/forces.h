/* Force elements between two bodies: springs with dampers, wrenches that a function gives. No
 * conditions: nothing drifts. Structs belong to the caller and must outlive the system. */
#ifndef OMR_FORCES_H
#define OMR_FORCES_H

#include "joints.h"

/* Spring and damper between two points: each is pulled towards the other by c (d - free_length) + k
 * d', d their distance. If they meet (d = 0) the direction is unknown, and nothing pulls. */
typedef struct omr_spring {
  omr_mb_constraint base;
  omr_vec point_a, point_b;
  double stiffness, damping, free_length; /* N/m, N s/m, m */
} omr_spring;
/* The caller sets stiffness, damping and free_length of `spring` before. */
void omr_point_spring(omr_mb *mb, omr_spring *spring, const char *name, omr_point_place place);
double omr_spring_energy(const omr_mb *mb, const omr_spring *spring); /* J, in the state set last */

/* Force and torque on B of time and state (mb: every frame, own states). */
typedef void omr_wrench_law(void *self, const omr_mb *mb, double t, omr_vec *force,
                            omr_vec *torque);
typedef enum omr_wrench_axes { OMR_AXES_WORLD, OMR_AXES_A, OMR_AXES_B } omr_wrench_axes;

/* The wrench acts on B at its point, and its opposite on A, at the same place, if A is not the
 * base. Its power is omr_mb_power. */
typedef struct omr_wrench {
  omr_mb_constraint base;
  omr_vec point_b;
  omr_wrench_axes axes;
  omr_wrench_law *law;
  void *self;
} omr_wrench;
/* The caller sets axes, law and self of `wrench` before; place.point_a is not read. */
void omr_applied_wrench(omr_mb *mb, omr_wrench *wrench, const char *name, omr_point_place place);

#endif
