/* Friction between a wheel's rollers and the ground: force per unit of normal load as a function of
 * the slip velocity (appendix/laws.md#friction). Below the slip speed v_s and above it these
 * laws are different smooth functions; a discrete state, changed by events, decides between
 * them. */
#ifndef OMR_REFERENCE_FRICTION_H
#define OMR_REFERENCE_FRICTION_H

#include "../multibody/vector.h"
#include "study/study.h"
#include "tyre.h"

typedef struct omr_friction {
  omr_law law;                 /* of friction */
  double values[OMR_WP_COUNT]; /* the wheel's parameters */
  double coefficient;          /* mu; the largest if the law has several */
  double slip_speed;           /* v_s, m/s */
  bool slides;                 /* |v| > v_s */
  double contour;              /* eps: radius of the area of contact, of laws with drilling, m */
  bool linear;                 /* linear zone below v_s, for laws with this choice */
  double rolling; /* mu_r: force at the wheel's centre per normal load and velocity, s/m */
  /* Friction coefficient at a place and time of the ground, in place of `coefficient`; NULL: the
   * same everywhere. */
  double (*ground)(const void *self, double coefficient, double t, omr_vec place);
  const void *ground_self;
} omr_friction;

/* The motion of a contact, as a law sees it. */
typedef struct omr_slipping {
  omr_vec v;       /* slip velocity, m/s */
  omr_vec i, k;    /* horizontal directions of the wheel */
  double rolling;  /* speed with which the contact point runs along the rim of a disc, m/s */
  double drilling; /* angular velocity about the vertical, rad/s */
} omr_slipping;

/* Friction of a wheel with the parameters `values` (OMR_WP_) on ground that is the same everywhere.
 */
omr_friction omr_friction_of(const omr_study *study, omr_law law, const double *values);
/* Friction coefficient at the place. */
double omr_friction_coefficient(const omr_friction *f, double t, omr_vec place);
/* Force per unit of normal load on the body that slips. */
omr_vec omr_friction_force(const omr_friction *f, double coefficient, const omr_slipping *slip);
/* True if the law is another function beyond slip_speed; `slides` selects it. */
bool omr_friction_has_zone(omr_law law);
/* Positive while `slides` agrees with the square of the slip, and just after it has changed. */
double omr_friction_margin(const omr_friction *f, double slip_square);

/* Common part of the laws of tyres. */
omr_vec omr_friction_of_tyre(const omr_friction *f, omr_tyre_law law, double coefficient,
                             const omr_slipping *slip);

/* Bristles have a state, and the functions of bristle.h in place of these. Each
 * host/reference/contact/law_NAME.c defines, for its law of friction, the force above, and the
 * largest of the friction coefficients that the wheel's parameters give. */
#define OMR_OF_FRICTION(name)                                                                      \
  omr_vec omr_##name##_force(const omr_friction *f, double coefficient, const omr_slipping *slip); \
  double omr_##name##_coefficient(const double *values);
#define OMR_OF_ROLLING(name)
#define OMR_OF_RELAXED(name)
#define OMR_OF_MASSLESS(name)
#define OMR_OF_BRISTLE(name)
#define X(id, name, word, class, exchanges, uses, meaning) OMR_OF_##class(name)
#include "lists/laws.def"
#undef X
#undef OMR_OF_FRICTION
#undef OMR_OF_ROLLING
#undef OMR_OF_RELAXED
#undef OMR_OF_MASSLESS
#undef OMR_OF_BRISTLE

/* Drilling friction of a roller on its area of contact, coupled to sliding
 * (appendix/laws.md#friction). */

/* Moment about the vertical per unit of normal load by drilling on an area of contact
 * (appendix/laws.md#friction), m. */
double omr_friction_drilling(const omr_friction *f, double coefficient, const omr_slipping *slip);
/* The speed to compare with slip_speed: slip times mu N over the force of sliding. It equals the
 * slip without drilling and exceeds it otherwise. */
double omr_friction_speed(const omr_friction *f, double slip, double drilling);

#endif
