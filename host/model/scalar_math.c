#define OMR_LANES 1
#define OMR_SINGLE 0
#include "kernels/scalar_math.h"
#include "kernels/compat.h"
#include "kernels/mathfn.h"

#include "kernels/angle.h"

#include <float.h>
#include <math.h>

void omr_math_sincos(double x, double *s, double *c) {
  sincos_real(x, s, c);
}

double omr_math_tan(double x) {
  double s, c;
  sincos_real(x, &s, &c);
  return s / c;
}

double omr_math_exp(double x) {
  return exp_real(x);
}

double omr_math_log(double x) {
  if (x >= DBL_MIN && x <= DBL_MAX) return log_real(x);
  if (x > 0.0 && x < DBL_MIN) return log_real(x * 0x1p54) + log_real(0x1p-54);
  return x == 0.0 ? -(double)INFINITY : x > 0.0 ? x : (double)NAN;
}

double omr_math_tanh(double x) {
  return tanh_real(x);
}

double omr_math_atan2(double s, double c) {
  return atan2_real(s, c);
}
