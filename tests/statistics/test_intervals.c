/* Confidence intervals of probabilities and means. */
#include "../../host/statistics/intervals.h"

#include <criterion/criterion.h>
#include <math.h>

static void expect_near(double value, double expected, double relative, const char *what) {
  cr_expect(fabs(value - expected) <= relative * fabs(expected), "%s: %.17g instead of %.17g", what,
            value, expected);
}

typedef struct exact_case {
  uint64_t count, of;
  double confidence, low, high;
} exact_case;

/* Roots of the regularised incomplete beta function to 17 digits by mpmath 1.2.1 with 40 digits;
 * the last three by scipy 1.10.1's beta.ppf, with shapes beyond those of
 * study/designs/special_functions.h's own tests. */
Test(intervals, clopper_pearson_agrees_with_mpmath_and_scipy) {
  static const exact_case cases[] = {
      {81, 263, 0.95, 0.25273674558527116, 0.36762192260135136},
      {1, 29, 0.95, 0.00087264688357992199, 0.17764429548872293},
      {0, 20, 0.95, 0, 0.16843347098308534},
      {3, 1000, 0.99, 0.00033814452906649326, 0.010933777420405242},
      {500, 1000, 0.95, 0.46854917297179194, 0.53145082702820806},
      {999, 1000, 0.9, 0.99526500642450022, 0.99994870802109098},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const exact_case *c = &cases[i];
    const omr_bounds b =
        omr_probability_bounds(OMR_INTERVAL_CLOPPER_PEARSON, c->count, c->of, c->confidence);
    expect_near(b.low, c->low, 1e-12, "low");
    expect_near(b.high, c->high, 1e-12, "high");
  }
  const omr_bounds million =
      omr_probability_bounds(OMR_INTERVAL_CLOPPER_PEARSON, 1000, 1000000, 0.95);
  expect_near(million.low, 0.0009390012079500708, 1e-10, "1000 of a million, low");
  expect_near(million.high, 0.001063918107315228, 1e-10, "1000 of a million, high");
  const omr_bounds large =
      omr_probability_bounds(OMR_INTERVAL_CLOPPER_PEARSON, 50000000, 100000000, 0.95);
  expect_near(large.low, 0.4999019968018796, 1e-10, "half of a hundred million, low");
  expect_near(large.low + large.high, 1, 1e-12, "symmetry");
}

/* Newcombe, Statistics in Medicine 17 (1998) 857, table I, 95 %: methods 3 (Wilson's score) and 5
 * (Clopper and Pearson). */
Test(intervals, newcombes_table_is_met) {
  static const struct {
    uint64_t count, of;
    double wilson[2], exact[2];
  } cases[] = {{81, 263, {0.2553, 0.3662}, {0.2527, 0.3676}},
               {15, 148, {0.0624, 0.1605}, {0.0578, 0.1617}},
               {0, 20, {0.0000, 0.1611}, {0.0000, 0.1684}},
               {1, 29, {0.0061, 0.1718}, {0.0009, 0.1776}}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const omr_bounds w =
        omr_probability_bounds(OMR_INTERVAL_WILSON, cases[i].count, cases[i].of, 0.95);
    const omr_bounds e =
        omr_probability_bounds(OMR_INTERVAL_CLOPPER_PEARSON, cases[i].count, cases[i].of, 0.95);
    cr_expect_float_eq(w.low, cases[i].wilson[0], 5e-5);
    cr_expect_float_eq(w.high, cases[i].wilson[1], 5e-5);
    cr_expect_float_eq(e.low, cases[i].exact[0], 5e-5);
    cr_expect_float_eq(e.high, cases[i].exact[1], 5e-5);
  }
}

/* Wilson's bounds are the p from which count/of is z standard deviations away, z
 * = 1.959963984540054 for 95 %. */
Test(intervals, wilsons_bounds_solve_their_equation) {
  static const uint64_t counts[] = {1, 3, 50, 97, 99};
  const double z = 1.959963984540054;
  for (int i = 0; i < 5; i++) {
    const omr_bounds b = omr_probability_bounds(OMR_INTERVAL_WILSON, counts[i], 100, 0.95);
    const double p = (double)counts[i] / 100;
    expect_near((p - b.low) / sqrt(b.low * (1 - b.low) / 100), z, 1e-12, "low");
    expect_near((b.high - p) / sqrt(b.high * (1 - b.high) / 100), z, 1e-12, "high");
  }
}

/* Small bounds are right to the rounding of 1 - p, 2^-53. None of n: the exact upper bound is where
 * (1 - p)^n = (1 - confidence)/2, Wilson's is z^2/(n + z^2); all of n is the mirror. */
Test(intervals, none_and_all_have_one_side_at_the_end) {
  const double z = 2.5758293035489004; /* 99 % */
  for (uint64_t n = 1; n < 2000000000; n = 3 * n + 1) {
    const omr_bounds e = omr_probability_bounds(OMR_INTERVAL_CLOPPER_PEARSON, 0, n, 0.99);
    const omr_bounds w = omr_probability_bounds(OMR_INTERVAL_WILSON, 0, n, 0.99);
    const omr_bounds all_e = omr_probability_bounds(OMR_INTERVAL_CLOPPER_PEARSON, n, n, 0.99);
    const omr_bounds all_w = omr_probability_bounds(OMR_INTERVAL_WILSON, n, n, 0.99);
    cr_expect(e.low == 0 && w.low == 0 && all_e.high == 1 && all_w.high == 1);
    expect_near(e.high, -expm1(log(0.005) / (double)n), 1e-12 + 0x1p-53 / e.high, "exact");
    expect_near(w.high, z * z / ((double)n + z * z), 1e-12, "wilson");
    cr_expect_float_eq(all_e.low, 1 - e.high, 1e-14);
    cr_expect_float_eq(all_w.low, 1 - w.high, 1e-14);
  }
  const omr_bounds nothing = omr_probability_bounds(OMR_INTERVAL_WILSON, 0, 0, 0.95);
  cr_expect(isnan(nothing.low) && isnan(nothing.high));
}

/* Probability that the interval of X of n holds p, X binomial: summed, not drawn. */
static double coverage(omr_interval interval, uint64_t n, double p, double confidence) {
  double sum = 0;
  for (uint64_t k = 0; k <= n; k++) {
    const omr_bounds b = omr_probability_bounds(interval, k, n, confidence);
    if (b.low > p || b.high < p) continue;
    const double a = (double)k, c = (double)(n - k);
    sum += exp(lgamma((double)n + 1) - lgamma(a + 1) - lgamma(c + 1) + a * log(p) + c * log1p(-p));
  }
  return sum;
}

/* The exact interval holds p at least as often as it says, for every p; Wilson's holds it so often
 * on average over p, and for a single p of n = 50 not less often than 0.83 (Brown, Cai and
 * DasGupta, Statistical Science 16 (2001) 101: the dip near 0 and 1).
 */
Test(intervals, they_cover_what_they_say) {
  static const uint64_t sizes[] = {10, 50};
  for (int s = 0; s < 2; s++) {
    double exact_least = 1, wilson_least = 1, wilson_sum = 0;
    const int points = 199;
    for (int i = 1; i <= points; i++) {
      const double p = (double)i / (points + 1);
      const double w = coverage(OMR_INTERVAL_WILSON, sizes[s], p, 0.95);
      exact_least = fmin(exact_least, coverage(OMR_INTERVAL_CLOPPER_PEARSON, sizes[s], p, 0.95));
      wilson_least = fmin(wilson_least, w);
      wilson_sum += w;
    }
    cr_expect_geq(exact_least, 0.95 - 1e-12);
    cr_expect_geq(wilson_least, 0.83);
    cr_expect_float_eq(wilson_sum / points, 0.95, 0.01, "%g", wilson_sum / points);
  }
}

/* 17 digits by mpmath 1.2.1; on both sides of the change from the beta distribution to the
 * expansion. */
Test(intervals, students_quantiles_agree_with_mpmath) {
  static const struct {
    double freedom, confidence, t;
  } cases[] = {{1, 0.95, 12.706204736174705},      {2, 0.95, 4.3026527297494639},
               {4, 0.99, 4.6040948713499932},      {10, 0.95, 2.2281388519862747},
               {30, 0.9, 1.6972608865939578},      {1000, 0.95, 1.9623390808264085},
               {10000, 0.95, 1.9602012398906263},  {10001, 0.95, 1.9602012161646411},
               {20000, 0.999, 3.2910132833642563}, {1000000, 0.95, 1.959966356814107}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    expect_near(omr_student_quantile(cases[i].freedom, cases[i].confidence), cases[i].t, 2e-13,
                "t");
}
