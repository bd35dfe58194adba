#define OMR_LANES 1
#define OMR_SINGLE 0
#include "kernels/scalar_math.h"
#include "kernels/compat.h"
#include "kernels/mathfn.h"

#include "kernels/angle.h"

#include <float.h>
#include <math.h>

/* A fused multiply-add is exact however it is computed: a processor that has one gives the bits of
 * libm several times faster. Each function is compiled for both and chooses when it is called. */
#if defined(__x86_64__) && !defined(__FMA__)
#define FUSED __attribute__((target("fma"), noinline))
#define CHOOSE(fused, plain) (__builtin_cpu_supports("fma") ? (fused) : (plain))
FUSED static void sincos_fused(double x, double *sine, double *cosine) {
  sincos_real(x, sine, cosine);
}
FUSED static double exp_fused(double x) {
  return exp_real(x);
}
FUSED static double log_fused(double x) {
  return log_real(x);
}
FUSED static double atan2_fused(double sine, double cosine) {
  return atan2_real(sine, cosine);
}
#else
#define CHOOSE(fused, plain) (plain)
#endif

void omr_math_sincos(double x, double *sine, double *cosine) {
  CHOOSE(sincos_fused(x, sine, cosine), sincos_real(x, sine, cosine));
}

double omr_math_exp(double x) {
  return CHOOSE(exp_fused(x), exp_real(x));
}

static double log_normal(double x) {
  return CHOOSE(log_fused(x), log_real(x));
}

double omr_math_log(double x) {
  if (x >= DBL_MIN && x <= DBL_MAX) return log_normal(x);
  if (x > 0.0 && x < DBL_MIN) return log_normal(x * 0x1p54) + log_normal(0x1p-54);
  return x == 0.0 ? -(double)INFINITY : x > 0.0 ? x : (double)NAN;
}

double omr_math_atan2(double sine, double cosine) {
  return CHOOSE(atan2_fused(sine, cosine), atan2_real(sine, cosine));
}
