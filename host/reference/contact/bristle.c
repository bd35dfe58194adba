#include "bristle.h"

#include <math.h>

omr_bristle omr_bristle_of(const double *values, double gravity) {
  const double stiffness = values[OMR_WP_BRISTLE_STIFFNESS], given = values[OMR_WP_BRISTLE_DAMPING],
               critical = 2 * sqrt(stiffness / gravity); /* of a mass whose weight is the load */
  return (omr_bristle){.stiffness = stiffness,
                       .damping =
                           isnan(given) ? values[OMR_WP_BRISTLE_DAMPING_RATIO] * critical : given,
                       .viscous = values[OMR_WP_BRISTLE_VISCOUS],
                       .ratio = values[OMR_WP_STATIC_RATIO],
                       .stribeck = values[OMR_WP_STRIBECK_SPEED]};
}

/* Kinetic friction, and the rest of static friction above it. */
static double sliding(const omr_bristle *b, double friction, double speed) {
  const double part = speed / b->stribeck;
  return friction + friction * (b->ratio - 1) * exp(-part * part);
}

/* Bristles that slide steadily along the unit vector s are bent by s g/sigma_0. Their rate is
 * proportional to the speed and to the missing part of that deflection
 * (appendix/laws.md#friction and appendix/reference.md#bodies). */
omr_bent omr_bristle_bend(const omr_bristle *b, double friction, omr_level z, omr_level v) {
  if (!(friction > 0)) {
    const double back = -b->stiffness / b->damping;
    return (omr_bent){.rate = {back * z.i, back * z.k}};
  }
  const double speed = hypot(v.i, v.k), g = sliding(b, friction, speed),
               slides = b->stiffness * speed / g, damping = 1 / (1 / b->damping + speed / g);
  omr_bent out = {.rate = {v.i - slides * z.i, v.k - slides * z.k}};
  out.force.i = -(b->stiffness * z.i + damping * out.rate.i + b->viscous * v.i);
  out.force.k = -(b->stiffness * z.k + damping * out.rate.k + b->viscous * v.k);
  return out;
}
