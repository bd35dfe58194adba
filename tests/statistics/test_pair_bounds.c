/* Intervals of differences between two results. */
#include "../../host/statistics/side_by_side/side_by_side.h"

#include <criterion/criterion.h>
#include <math.h>

/* Newcombe 1998, table II, comparison a: 56 of 70 and 48 of 80, method 10: 0.0524 to 0.3339. */
Test(pair_bounds, shares_of_two_samples_have_newcombes_interval) {
  const omr_criterion_counts one = {.met = 56, .not_met = 14}, other = {.met = 48, .not_met = 32};
  const omr_bounds b = omr_newcombe_bounds(&one, &other, 0.95);
  cr_expect_float_eq(b.low, 0.0524, 5e-5);
  cr_expect_float_eq(b.high, 0.3339, 5e-5);
}

/* Where no pair differs, Tango's score at d is sqrt(n d / (1 - d)), so that the ends are Wilson's
 * of none of n, z^2/(n + z^2), on both sides. At 0 the score is McNemar's (b - c)/sqrt(b + c): 0 is
 * an end where that is z. */
Test(pair_bounds, shares_of_pairs_have_tangos_interval) {
  const double z = 1.959963984540054;
  const omr_bounds none = omr_tango_bounds(0, 0, 100, 0.95);
  cr_expect_float_eq(none.high, z * z / (100 + z * z), 1e-9);
  cr_expect_float_eq(none.low, -none.high, 1e-9);
  const omr_bounds even = omr_tango_bounds(30, 18, 100, 0.9167354);
  cr_expect_float_eq(even.low, 0, 1e-6); /* 12/sqrt(48) = 1.7320508, of which 0.9167354 is within */
  cr_expect(isnan(omr_tango_bounds(0, 0, 0, 0.95).low));
}

/* Two samples of 12 with squares 11 and 44 about their means: variances of the means 1/12 and 4/12,
 * 25 11/17 = 16.18 degrees of freedom, rounded down; t of 16 is 2.119905 (Abramowitz and Stegun,
 * table 26.10). */
Test(pair_bounds, means_of_two_samples_have_welchs_interval) {
  const omr_moments one = {.used = 12, .mean = 3, .squares = 11},
                    other = {.used = 12, .mean = 1, .squares = 44};
  const omr_bounds b = omr_welch_bounds(&one, &other, 0.95);
  cr_expect_float_eq(b.high - 2, 2.119905 * sqrt(5.0 / 12), 1e-6);
  cr_expect_float_eq(2 - b.low, b.high - 2, 1e-12);
}
