/* Bristles between a roller and the floor (appendix/laws.md#friction, law `bristle`): their
 * deflection is a state of each contact. */
#ifndef OMR_REFERENCE_BRISTLE_H
#define OMR_REFERENCE_BRISTLE_H

#include "study/study.h"

enum { OMR_BRISTLE_STATES = 2 };

typedef struct omr_bristle {
  double stiffness, damping, viscous; /* sigma_0, 1/m; sigma_1 at rest and sigma_2, s/m */
  double ratio, stribeck;             /* static over kinetic friction; v_S, m/s */
} omr_bristle;

/* A vector along the floor, in the two directions of the wheel. */
typedef struct omr_level {
  double i, k;
} omr_level;

/* Rate of the deflection, m/s, and force per load on the roller. */
typedef struct omr_bent {
  omr_level rate, force;
} omr_bent;

/* Bristles of a wheel with the parameters `values` (OMR_WP_), in this gravity. */
omr_bristle omr_bristle_of(const double *values, double gravity);
/* deflection: m; slip: m/s. A contact without load has the friction 0, as frictionless ground has:
 * nothing pushes, and the bristles spring back by themselves. */
omr_bent omr_bristle_bend(const omr_bristle *b, double friction, omr_level deflection,
                          omr_level slip);

#endif
