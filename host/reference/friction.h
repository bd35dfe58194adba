/* Friction between a wheel's rollers and the ground: force per unit of normal load as a function of
 * the slip velocity (PHYSICS.md#8-laws-of-friction). Below the slip speed v_s and above it
 * these laws are different smooth functions; which of them holds is a discrete state that events
 * change. */
#ifndef OMR_REFERENCE_FRICTION_H
#define OMR_REFERENCE_FRICTION_H

#include "study/study.h"
#include "vector.h"

typedef struct omr_friction {
  omr_law law;        /* OMR_LAW_COULOMB or OMR_LAW_REGULARIZED */
  double coefficient; /* mu; of the regularised law the larger of the two */
  double slip_speed;  /* v_s, m/s */
  bool slides;        /* |v| > v_s */
  /* regularised law (source 4): along k and -i turned by the angle */
  bool linear;
  double lateral, longitudinal, lateral_viscous,
      longitudinal_viscous; /* mu_x, mu_y; d_x, d_y, s/m */
  double cos_angle, sin_angle;
  double rolling; /* mu_r: force at the wheel's centre per normal load and velocity, s/m */
  /* Friction coefficient at a place and time of the ground in place of `coefficient`; NULL:
   * everywhere the same. */
  double (*ground)(const void *self, double coefficient, double t, omr_vec place);
  const void *ground_self;
} omr_friction;

/* Friction coefficient at the place. */
double omr_friction_coefficient(const omr_friction *f, double t, omr_vec place);
/* Force per unit of normal load on a body that slips with velocity v, the horizontal directions of
 * the wheel i and k. */
omr_vec omr_friction_force(const omr_friction *f, double coefficient, omr_vec v, omr_vec i,
                           omr_vec k);

#endif
