/* The elementary functions in scalar double, and their form for host code. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#define OMR_LANES 1
#define OMR_SINGLE 0
#define SUITE math
#define SUITE_INIT NULL
#include "math_claims.inc"

#include "kernels/scalar_math.h"
#include <float.h>

static double ulps(double y, long double exact) {
  return (double)(fabsl((long double)y - exact) / unit_in_last_place(exact));
}

Test(scalar_math, functions_are_those_of_the_kernels) {
  uint64_t state = 4;
  for (int i = 0; i < 1000; i++) {
    double x = argument(&state, -30.0, 30.0), s, c, sin_x, cos_x;
    omr_math_sincos(x, &s, &c);
    sincos_real(x, &sin_x, &cos_x);
    cr_assert(s == sin_x && c == cos_x && omr_math_exp(x) == exp_real(x));
    cr_assert_eq(omr_math_log(x * x + 1.0e-9), log_real(x * x + 1.0e-9));
  }
}

Test(scalar_math, log_takes_every_argument) {
  cr_expect_eq(omr_math_log(0.0), -(double)INFINITY);
  cr_expect_eq(omr_math_log((double)INFINITY), (double)INFINITY);
  cr_expect(isnan(omr_math_log(-1.0)));
  cr_expect(isnan(omr_math_log((double)NAN)));
  cr_expect_lt(ulps(omr_math_log(5.0e-324), logl((long double)5.0e-324)), 1.5);
  cr_expect_lt(ulps(omr_math_log(1.0e-310), logl((long double)1.0e-310)), 1.5);
  cr_expect_lt(ulps(omr_math_log(DBL_MAX), logl((long double)DBL_MAX)), 1.0);
}
