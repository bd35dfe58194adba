/* Common parts of the laws of friction (appendix/laws.md#friction). A law is the file
 * NAME.h and its row in host/lists/laws.def. The file has three functions:
 *   push NAME_force(w, c, friction, slip)
 *     the force per unit of load,
 *   stiffness NAME_stiffness(w, c, friction, slip, coming_i, coming_k)
 *     how strongly it resists a change of the slip, per unit of load, for the linearly implicit
 *     method, and
 *   steepness NAME_steepest(w, c, peak)
 *     bounds of that over all slips, for the step check of the host (host/engine/law_slopes.c).
 * w: the wheel's parameters; c: the settings; friction: the coefficient mu under the wheel
 * (ground.h); coming_i, coming_k: the slip [m/s] after an explicit step; peak: the largest
 * coefficient that the wheel meets. */

/* Squares of slips beyond this are taken for it. */
#define LARGEST_SLIP2 R_BY(1e38, 1e308)

/* The motion of a contact, as a law sees it. */
typedef struct slippage {
  real i, k;   /* slip along (i, k), m/s */
  real square; /* i^2 + k^2 */
  real rate;   /* of the wheel, rad/s: laws of tyres take the slip over the rolling speed */
  real drill;  /* eps |omega_n|, m/s (drilling.h); 0 where there is none */
} slippage;

/* A contact force is load * gain * push: the effects of a wheel's push need not wait for the slip
 * speed in the gain, through a square root and a division. Laws without such a factor have the
 * gain 1. */
typedef struct push {
  real i, k; /* along (i, k) */
  real gain;
  real dissipation; /* -F.v per unit of load * gain */
} push;

/* How strongly friction resists a change of the slip: minus the derivative of the force with
 * respect to the slip. */
typedef struct stiffness {
  real ii, ik, ki, kk;
} stiffness;

/* Largest slopes of the force per load over the slip [s/m], along an axis x, which is k turned to
 * cos k + sin i, and along the one across it. */
typedef struct steepness {
  real x, y;
  real cosine, sine;
} steepness;

/* The ground's factor on the wheel's own friction, for laws with coefficients of their own: the
 * friction under the wheel over W_FRICTION. */
FN real ground_factor(const real *w, GLOBAL const int *c, real friction) {
  return SETTING(c, GROUND) == GROUND_CONSTANT ? R(1.0) : friction * w[W_INV_FRICTION];
}

/* Whether the contact slides on: its coming slip still has more than v_s along the present one. */
FN mask slides_on(const real *w, slippage slip, real coming_i, real coming_k) {
  return gt(fma_real(slip.i, coming_i, slip.k * coming_k),
            w[W_SLIP_SPEED] * sqrt_real(slip.square));
}

#include "drilling.h"
#include "tyre.h"

#include "lists/law_kernels.h"

/* The law of a wheel, chosen by the rows of laws.def. The choice is folded where it is a constant.
 */

/* *unit_i, *unit_k: the force itself. Each law writes it in its own branch, since a product after
 * the branches would cost those that have no gain. */
FN push law_force(int law, const real *w, GLOBAL const int *c, real friction, slippage slip,
                  real *unit_i, real *unit_k) {
#define IF_ROLLING(id, call)
#define IF_RELAXED(id, call)
#define IF_MASSLESS(id, call)
#define IF_BRISTLE(id, call)
#define IF_FRICTION(id, call)                                                                      \
  if (law == LAW_##id) {                                                                           \
    push f = call;                                                                                 \
    *unit_i = f.gain * f.i;                                                                        \
    *unit_k = f.gain * f.k;                                                                        \
    return f;                                                                                      \
  }
#define X(id, name, word, class, exchanges, uses, meaning)                                         \
  IF_##class(id, name##_force(w, c, friction, slip))
#include "../../host/lists/laws.def"
#undef X
#undef IF_FRICTION
#undef IF_ROLLING
#undef IF_RELAXED
#undef IF_MASSLESS
#undef IF_BRISTLE
  /* a constraint, whose forces rolling.h has, or bristles (bristle.h) */
  push none = {R(0.0), R(0.0), R(0.0), R(0.0)};
  *unit_i = *unit_k = R(0.0);
  return none;
}

#define CASE_ROLLING(id, call)
#define CASE_RELAXED(id, call)
#define CASE_MASSLESS(id, call)
#define CASE_BRISTLE(id, call)
#define CASE_FRICTION(id, call)                                                                    \
  case LAW_##id: return call;

/* The slope for contacts that slide on, the secant for the others: it reaches the force that there
 * is, and ends slip where the slope, zero along it, would overshoot. */
FN stiffness law_stiffness(int law, const real *w, GLOBAL const int *c, real friction,
                           slippage slip, real coming_i, real coming_k) {
  switch (law) {
#define X(id, name, word, class, exchanges, uses, meaning)                                         \
  CASE_##class(id, name##_stiffness(w, c, friction, slip, coming_i, coming_k))
#include "../../host/lists/laws.def"
#undef X
  default: break;
  }
  stiffness none = {R(0.0), R(0.0), R(0.0), R(0.0)};
  return none;
}

FN steepness law_steepest(int law, const real *w, GLOBAL const int *c, real peak) {
  switch (law) {
#define X(id, name, word, class, exchanges, uses, meaning)                                         \
  CASE_##class(id, name##_steepest(w, c, peak))
#include "../../host/lists/laws.def"
#undef X
  /* bristles bent against the slip double their damping; slip ends it */
  case LAW_BRISTLE: {
    real slope = fma_real(R(2.0), w[W_BRISTLE_DAMPING], w[W_BRISTLE_VISCOUS]);
    steepness steepest = {slope, slope, R(1.0), R(0.0)};
    return steepest;
  }
  default: break;
  }
  steepness none = {R(0.0), R(0.0), R(1.0), R(0.0)};
  return none;
}
#undef CASE_FRICTION
#undef CASE_ROLLING
#undef CASE_RELAXED
#undef CASE_MASSLESS
#undef CASE_BRISTLE

/* The law of the wheels with rollers. */
FN push friction_force(const real *w, GLOBAL const int *c, real friction, slippage slip,
                       real *unit_i, real *unit_k) {
  return law_force(SETTING(c, LAW), w, c, friction, slip, unit_i, unit_k);
}

FN stiffness friction_stiffness(const real *w, GLOBAL const int *c, real friction, slippage slip,
                                real coming_i, real coming_k) {
  return law_stiffness(SETTING(c, LAW), w, c, friction, slip, coming_i, coming_k);
}

FN steepness friction_steepest(const real *w, GLOBAL const int *c, real peak) {
  return law_steepest(SETTING(c, LAW), w, c, peak);
}
