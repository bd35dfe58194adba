/* What is counted of small functions, against counts by hand. This file is compiled as one that
 * counts. */
#define OMR_COUNTING 1
#include "host/bench/counting_real.h"

#define OMR_LANES 1
#define OMR_SINGLE 0
#include "kernels/compat.h"
#include "kernels/mathfn.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

/* The compiler shall not know the values. */
static volatile double given[3] = {0.7, 0.3, -1.25};

static real value(int i) {
  return omr_counted_boxed(given[i]);
}

static void expect(const char *what, omr_operations expected) {
  omr_count_pass(1);
  const omr_operations found = omr_take_counts(NULL);
  const double *e = &expected.add, *f = &found.add;
  const char *const names[] = {"add",     "multiply", "fma",    "divide", "sqrt",
                               "compare", "minmax",   "select", "round",  "sign"};
  for (int i = 0; i < 10; i++)
    cr_expect_eq(f[i], e[i], "%s: %s %g, not %g", what, names[i], f[i], e[i]);
}

static void expect_value(const char *what, real found, double expected) {
  const double f = lane_get(found, 0);
  cr_expect(memcmp(&f, &expected, sizeof f) == 0, "%s: %a, not %a", what, f, expected);
}

Test(count_text, every_operation_counts_once_and_rounds_as_in_double) {
  const real a = value(0), b = value(1), c = value(2);
  const volatile double x = given[0], y = given[1], z = given[2];
  expect_value("+", a + b, x + y);
  expect("+", (omr_operations){.add = 1});
  expect_value("-", a - b, x - y);
  expect("-", (omr_operations){.add = 1});
  expect_value("*", a * b, x * y);
  expect("*", (omr_operations){.multiply = 1});
  expect_value("/", a / b, x / y);
  expect("/", (omr_operations){.divide = 1});
  expect_value("fma", fma_real(a, b, c), fma(x, y, z));
  expect("fma", (omr_operations){.fma = 1});
  expect_value("fma of -a", fma_real(-a, b, c), fma(-x, y, z));
  expect("fma of -a", (omr_operations){.fma = 1});
  expect_value("sqrt", sqrt_real(a), sqrt(x));
  expect("sqrt", (omr_operations){.sqrt = 1});
  expect_value("abs", abs_real(c), fabs(z));
  expect("abs", (omr_operations){.sign = 1});
  expect_value("round", round_real(c), rint(z));
  expect("round", (omr_operations){.round = 1});
  expect_value("max", max_real(a, b), x);
  expect("max", (omr_operations){.minmax = 1});
  expect_value("clamp", clamp_real(c, b, a), y);
  expect("clamp", (omr_operations){.minmax = 2});
  expect_value("sign", sign_real(c), -1);
  expect("sign", (omr_operations){.compare = 1, .select = 1});
}

Test(count_text, comparisons_are_false_where_one_is_no_number) {
  given[2] = (double)NAN;
  enum { A, B, NONE }; /* read anew each time, or b < a and a > b were one comparison */
  const int found[] = {lt(value(B), value(A)),    le(value(B), value(A)),
                       gt(value(A), value(B)),    ge(value(A), value(B)),
                       eq(value(A), value(A)),    lt(value(A), value(NONE)),
                       le(value(A), value(NONE)), gt(value(A), value(NONE)),
                       ge(value(A), value(NONE)), eq(value(A), value(NONE))};
  for (int i = 0; i < 5; i++) cr_expect(found[i], "comparison %d of numbers", i);
  for (int i = 5; i < 10; i++) cr_expect_not(found[i], "comparison %d with no number", i);
  expect("comparisons", (omr_operations){.compare = 10});
}

/* c2 z2 + (c1 z + c0): two fused operations, and one product for z2. */
Test(count_text, polynomial_of_three_terms) {
  const real z = value(0);
  expect_value("poly3", poly3(z, z * z, R(1.5), R(0.25), R(-3.0)),
               fma(-3.0, 0.7 * 0.7, fma(0.25, 0.7, 1.5)));
  expect("poly3", (omr_operations){.fma = 2, .multiply = 1});
}

/* z, z2, -x/2 and x z are products. Fused: w; five for each polynomial of six terms; p0, q0; the
 * two results. */
Test(count_text, sine_and_cosine_without_reduction) {
  real s, c;
  sincos_small(value(0), &s, &c);
  cr_expect_float_eq(lane_get(s, 0), sin(0.7), 1e-15);
  cr_expect_float_eq(lane_get(c, 0), cos(0.7), 1e-15);
  expect("sincos_small", (omr_operations){.multiply = 4, .fma = 1 + 2 * 5 + 2 + 2});
}

/* Common subexpressions count once, what is not used and products with 1 do not, constants are
 * folded. */
Test(count_text, what_the_compiler_removes_does_not_count) {
  const real a = value(0), b = value(1);
  const real unused = sqrt_real(a) / b;
  (void)unused;
  expect_value("common", (a * b) * R(1.0) + (a * b), 2 * (0.7 * 0.3));
  expect("common", (omr_operations){.multiply = 1, .add = 1});
  expect_value("folded", a + R(0.1) * R(3.0), 0.7 + 0.1 * 3.0);
  expect("folded", (omr_operations){.add = 1});
}

Test(count_text, rejected_passes_are_kept_apart) {
  const real a = value(0), b = value(1);
  given[2] = lane_get(a * b, 0);
  omr_count_pass(0);
  given[2] = lane_get(a + b, 0);
  omr_count_pass(1);
  omr_operations rejected;
  const omr_operations accepted = omr_take_counts(&rejected);
  cr_expect(accepted.add == 1 && accepted.multiply == 0 && rejected.add == 0 &&
            rejected.multiply == 1);
}

/* Boxing is exact for every double: subnormal and infinite ones, zeros of both signs, no numbers.
 */
Test(count_text, boxes_keep_every_bit) {
  const double values[] = {0.0,
                           -0.0,
                           1.0,
                           -0x1.fffffffffffffp+1023,
                           0x1p-1022,
                           0x0.fffffffffffffp-1022,
                           0x1p-1074,
                           -0x1.8p-1073,
                           (double)INFINITY,
                           -(double)INFINITY,
                           0x1.0000000000001p-3};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    expect_value("boxed", omr_counted_boxed(values[i]), values[i]);
  cr_expect(isnan(omr_counted_unboxed(omr_counted_boxed((double)NAN))));
  /* what the compiler folded is rounded: to nearest, ties to even, in the range of subnormal
   * numbers too */
  expect_value("tie", (real)1.0 + (real)0x1p-53, 1.0);
  expect_value("tie to even", (real)0x1.0000000000001p0 + (real)0x1p-53, 0x1.0000000000002p0);
  expect_value("above the tie", (real)1.0 + (real)0x1p-53 + (real)0x1p-80, 0x1.0000000000001p0);
  expect_value("subnormal tie", (real)0x1p-1074 * (real)1.5, 0x1p-1073);
  expect_value("below", (real)0x1p-1074 * (real)0.25, 0.0);
  omr_take_counts(NULL);
}
