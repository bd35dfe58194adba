/* Exact sums against integers of 128 bits, identities and numbers whose plain sum loses all. */
#include "statistics/partial/exact.h"

#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const omr_exact zero;

static double sum_of(const double *values, size_t count) {
  omr_exact sum = zero;
  for (size_t i = 0; i < count; i++) omr_exact_add(&sum, values[i]);
  return omr_exact_value(&sum);
}

#define SUM(...) sum_of((double[]){__VA_ARGS__}, sizeof((double[]){__VA_ARGS__}) / sizeof(double))

Test(exact, nothing_is_lost) {
  cr_expect_eq(SUM(0), 0);
  cr_expect_eq(SUM(1e300, 1, -1e300), 1);
  cr_expect_eq(SUM(DBL_MAX, 4.9e-324, -DBL_MAX), 4.9e-324);
  cr_expect_eq(SUM(-3, 1e-200, 3, -1e-200), 0);
  cr_expect_eq(SUM(-0x1p60, 1), -0x1p60 + 1);
  cr_expect_eq(SUM(-1, 0x1p-60), -1 + 0x1p-60);
  cr_expect_eq(SUM(DBL_MAX, DBL_MAX), HUGE_VAL);
}

/* IEEE 754's rounding: half a unit of 1 goes to even, more than half goes up. */
Test(exact, rounds_once_to_even) {
  cr_expect_eq(SUM(1, 0x1p-53), 1);
  cr_expect_eq(SUM(1, 0x1p-53, 0x1p-1000), 1 + 0x1p-52);
  cr_expect_eq(SUM(1, 0x1p-52, 0x1p-53), 1 + 0x1p-51);
  cr_expect_eq(SUM(-1, -0x1p-53, -0x1p-1000), -1 - 0x1p-52);
  omr_exact half = zero; /* of the smallest number, and a quarter of it more */
  omr_exact_add_product(&half, 0x1p-1074, 0.5, 1);
  cr_expect_eq(omr_exact_value(&half), 0);
  omr_exact_add_product(&half, 0x1p-1074, 0.25, 1);
  cr_expect_eq(omr_exact_value(&half), 0x1p-1074);
}

static double random_double(void) {
  const double sign = rand() % 2 ? 1 : -1;
  return sign * ldexp(rand() / (double)RAND_MAX + rand(), rand() % 200 - 100);
}

Test(exact, order_and_tree_change_no_bit) {
  enum { COUNT = 3000 };
  static double values[COUNT];
  srand(7);
  for (int i = 0; i < COUNT; i++) values[i] = random_double();
  omr_exact forward = zero, backward = zero, parts[4] = {zero}, joined = zero;
  for (int i = 0; i < COUNT; i++) {
    omr_exact_add(&forward, values[i]);
    omr_exact_add(&backward, values[COUNT - 1 - i]);
    omr_exact_add(&parts[i % 4], values[i]);
  }
  omr_exact_join(&parts[2], &parts[0]);
  omr_exact_join(&joined, &parts[3]);
  omr_exact_join(&joined, &parts[2]);
  omr_exact_join(&joined, &parts[1]);
  omr_exact_settle(&forward);
  omr_exact_settle(&backward);
  cr_expect_eq(memcmp(&forward, &backward, sizeof forward), 0);
  cr_expect_eq(memcmp(&forward, &joined, sizeof forward), 0);
  omr_exact_subtract(&joined, &forward);
  cr_expect_eq(omr_exact_value(&joined), 0);
}

/* Products of integers, exact in 128 bits. */
Test(exact, products_are_those_of_integers) {
  __extension__ typedef __int128 wide;
  srand(11);
  omr_exact sum = zero;
  wide truth = 0;
  for (int i = 0; i < 1000; i++) {
    const int64_t a = (int64_t)rand() * rand() % 0x1fffffffffffff, b = rand() - RAND_MAX / 2;
    const int times = rand() % 2001 - 1000;
    omr_exact_add_product(&sum, (double)a, (double)b, times);
    truth += (wide)a * b * times;
  }
  const double high = (double)(truth >> 64) * 0x1p64, low = (double)(uint64_t)truth;
  omr_exact_add(&sum, -high);
  cr_expect_float_eq(omr_exact_value(&sum), low, fabs(low) * 1e-15);
}

Test(exact, scaling_is_repeated_addition) {
  srand(3);
  for (int i = 0; i < 100; i++) {
    omr_exact one = zero, many = zero;
    for (int j = 0; j < 5; j++) omr_exact_add(&one, random_double());
    const unsigned times = (unsigned)rand() % 500;
    for (unsigned j = 0; j < times; j++) omr_exact_join(&many, &one);
    omr_exact_scale(&one, times);
    omr_exact_settle(&many);
    cr_expect_eq(memcmp(&one, &many, sizeof one), 0, "%u", times);
  }
  omr_exact large = zero; /* both halves of the factor */
  omr_exact_add(&large, -3);
  omr_exact_scale(&large, 0x100000001u);
  cr_expect_eq(omr_exact_value(&large), -3.0 * 0x100000001u);
}

Test(exact, terms_add_up) {
  srand(5);
  omr_exact sum = zero;
  for (int i = 0; i < 200; i++) omr_exact_add(&sum, random_double());
  double terms[OMR_EXACT_TERMS];
  const size_t count = omr_exact_terms(&sum, terms);
  for (size_t i = 0; i < count; i++) {
    if (i) cr_expect_lt(fabs(terms[i]), fabs(terms[i - 1]));
    omr_exact_add(&sum, -terms[i]);
  }
  cr_expect_eq(omr_exact_value(&sum), 0);
}

/* Of x + 1, x + 2, x + 3 the sum of squares about the mean is 2, whatever x: plain sums of squares
 * lose it from x = 1e8 on. */
Test(exact, scatter_does_not_cancel) {
  for (double x = 1; x < 1e15; x *= 10) {
    omr_exact sum = zero, squares = zero;
    for (int i = 1; i <= 3; i++) {
      omr_exact_add(&sum, x + i);
      omr_exact_add_product(&squares, x + i, x + i, 1);
    }
    cr_expect_eq(omr_exact_scatter(3, &sum, &sum, &squares), 2, "%g", x);
  }
}

/* A mean is finite and rounded once, whatever the sum is. */
Test(exact, mean_is_the_nearest_double) {
  omr_exact sum = zero, squares = zero;
  for (int i = 0; i < 3; i++) omr_exact_add(&sum, -1.7e308);
  cr_expect(isinf(omr_exact_value(&sum)));
  cr_expect_eq(omr_exact_mean(&sum, 3), -1.7e308);

  sum = zero; /* 0x1p54 + 3 over 3, which 0x1p54 + 4 over 3 is not */
  omr_exact_add(&sum, 0x1p54);
  omr_exact_add(&sum, 3);
  cr_expect_eq(omr_exact_mean(&sum, 3), (double)(((uint64_t)1 << 54) / 3 + 1));
  for (int i = 0; i < 200; i++) {
    const double value = random_double();
    const uint64_t of = (uint64_t)rand() + 1;
    sum = zero;
    omr_exact_add(&sum, value);
    cr_expect_eq(omr_exact_mean(&sum, of), value / (double)of);
  }

  sum = zero; /* n times their scatter is no double */
  for (int i = -1; i < 2; i += 2) {
    omr_exact_add(&sum, i * 0x1p511);
    omr_exact_add_product(&squares, i * 0x1p511, i * 0x1p511, 1);
  }
  cr_expect_eq(omr_exact_scatter(2, &sum, &sum, &squares), 0x1p1023);
}
