/* Friction between a wheel's rollers and the ground: force per unit of normal load as a function of
 * the slip velocity (PHYSICS.md#8-laws-of-friction). Below the slip speed v_s and above it
 * these laws are different smooth functions; which of them holds is a discrete state that events
 * change. */
#ifndef OMR_REFERENCE_FRICTION_H
#define OMR_REFERENCE_FRICTION_H

#include "study/study.h"
#include "vector.h"

typedef struct omr_friction {
  omr_law law;                 /* of friction */
  double values[OMR_WP_COUNT]; /* the wheel's parameters */
  double coefficient;          /* mu; of a law with several the largest */
  double slip_speed;           /* v_s, m/s */
  bool slides;                 /* |v| > v_s */
  bool linear;                 /* the zone below v_s, of laws that have a choice of it */
  double rolling; /* mu_r: force at the wheel's centre per normal load and velocity, s/m */
  /* Friction coefficient at a place and time of the ground in place of `coefficient`; NULL:
   * everywhere the same. */
  double (*ground)(const void *self, double coefficient, double t, omr_vec place);
  const void *ground_self;
} omr_friction;

/* Friction of a wheel with the parameters `values` (OMR_WP_) on ground that is the same everywhere.
 */
omr_friction omr_friction_of(const omr_study *study, const double *values);
/* Friction coefficient at the place. */
double omr_friction_coefficient(const omr_friction *f, double t, omr_vec place);
/* Force per unit of normal load on a body that slips with velocity v, the horizontal directions of
 * the wheel i and k. */
omr_vec omr_friction_force(const omr_friction *f, double coefficient, omr_vec v, omr_vec i,
                           omr_vec k);

/* What host/reference/law_NAME.c has of each law of friction: the force above, and the largest of
 * the friction coefficients that the wheel's parameters give. */
#define OMR_OF_FRICTION(name)                                                                      \
  omr_vec omr_##name##_force(const omr_friction *f, double coefficient, omr_vec v, omr_vec i,      \
                             omr_vec k);                                                           \
  double omr_##name##_coefficient(const double *values);
#define OMR_OF_ROLLING(name)
#define OMR_OF_RELAXED(name)
#define OMR_OF_MASSLESS(name)
#define X(id, name, word, class, exchanges, uses, meaning) OMR_OF_##class(name)
#include "lists/laws.def"
#undef X
#undef OMR_OF_FRICTION
#undef OMR_OF_ROLLING
#undef OMR_OF_RELAXED
#undef OMR_OF_MASSLESS

#endif
