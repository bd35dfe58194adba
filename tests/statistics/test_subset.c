/* Subset simulation against probabilities that are known: the mean of many independent runs, the
 * scatter that a run reports against the one observed, and how often its interval holds the exact
 * value. OMR_REPETITIONS=400 in the environment repeats more (tests/long/subset.sh). */
#include "statistics/subset.h"
#include "study/designs/special_functions.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef double (*margin)(const double *u, size_t d, double beyond);

static double sum(const double *u, size_t d) {
  double total = 0;
  for (size_t i = 0; i < d; i++) total += u[i];
  return total;
}

/* Hyperplane at the distance beta: P = Phi(-beta). */
static double linear(const double *u, size_t d, double beta) {
  return sum(u, d) / sqrt((double)d) - beta;
}

/* Failure on either side, a series system of two modes: P = 2 Phi(-beta). */
static double series(const double *u, size_t d, double beta) {
  return fabs(sum(u, d)) / sqrt((double)d) - beta;
}

/* Sum of squares: P = exp(-x/2) sum_(k < d/2) (x/2)^k / k! (chi-squared, d even). */
static double quadratic(const double *u, size_t d, double x) {
  double total = 0;
  for (size_t i = 0; i < d; i++) total += u[i] * u[i];
  return total - x;
}

/* Sum of d exponential variables -log Phi(-u): P = exp(-x) sum_(k < d) x^k / k! (gamma
 * distribution). */
static double exponential(const double *u, size_t d, double x) {
  double total = 0;
  for (size_t i = 0; i < d; i++) total -= log(omr_normal_cdf(-u[i]));
  return total - x;
}

static double erlang(double x, int terms) {
  double term = 1, total = 0;
  for (int k = 0; k < terms; k++) {
    total += term;
    term *= x / (k + 1);
  }
  return exp(-x) * total;
}

static omr_subset *run(const omr_subset_settings *settings, margin g, double beyond,
                       omr_subset_outcome *outcome) {
  omr_subset *subset;
  double *margins = calloc(settings->points, sizeof *margins);
  cr_assert_eq(omr_subset_make(settings, &subset, NULL), OMR_OK);
  for (size_t count; (count = omr_subset_count(subset)) > 0;) {
    const double *points = omr_subset_points(subset);
    for (size_t i = 0; i < count; i++)
      margins[i] = g(points + i * settings->dimensions, settings->dimensions, beyond);
    for (size_t i = 0; i < count; i++) omr_subset_take(subset, margins[i]);
  }
  free(margins);
  omr_subset_get(subset, outcome);
  return subset;
}

typedef struct limit_state {
  const char *name;
  margin g;
  size_t dimensions;
  double beyond, exact;
} limit_state;

typedef struct trial {
  double mean, scatter, reported, levels, covered, evaluations, reached;
} trial;

static trial repeat(const limit_state *state, size_t points, size_t parts, int repetitions) {
  trial t = {0};
  double square = 0;
  for (int r = 0; r < repetitions; r++) {
    const omr_subset_settings settings = {
        state->dimensions, points, parts, 20, (uint64_t)r + 1, 0.95, OMR_INTERVAL_WILSON};
    omr_subset_outcome o;
    omr_subset *subset = run(&settings, state->g, state->beyond, &o);
    const double ratio = o.probability / state->exact;
    t.reached += (o.end == OMR_SUBSET_REACHED ? 1.0 : 0.0) / repetitions;
    t.mean += ratio / repetitions;
    square += ratio * ratio / repetitions;
    t.reported += o.variation * o.variation / repetitions;
    t.levels += o.variation_levels * o.variation_levels / repetitions;
    t.covered += (o.low <= state->exact && state->exact <= o.high ? 1.0 : 0.0) / repetitions;
    t.evaluations += (double)o.evaluations / repetitions;
    omr_subset_destroy(subset);
  }
  t.scatter = sqrt((square - t.mean * t.mean) * repetitions / (repetitions - 1)) / t.mean;
  t.reported = sqrt(t.reported);
  t.levels = sqrt(t.levels);
  printf("%-12s %2zu dimensions P = %.2e, %zu per level, level probability 1/%zu: mean/exact %.3f "
         "+- %.3f, c.o.v. observed %.3f "
         "reported %.3f (levels alone %.3f), interval covers %.3f, %.0f instances; %.2f %% reached "
         "the failures\n",
         state->name, state->dimensions, state->exact, points, parts, t.mean,
         t.scatter / sqrt(repetitions), t.scatter, t.reported, t.levels, t.covered, t.evaluations,
         100 * t.reached);
  return t;
}

static int repetitions_wanted(int standard) {
  const char *text = getenv("OMR_REPETITIONS");
  return text ? atoi(text) : standard;
}

/* Bounds: four standard errors of a mean, and of the scatter of a log-normal estimate, whose
 * relative standard error is about sqrt((1 + 4 v^2) / (2 n)); coverage 0.95 by four standard errors
 * of a binomial share. */
static trial expect_estimates(const limit_state *state, size_t points, size_t parts) {
  const int n = repetitions_wanted(60);
  const trial t = repeat(state, points, parts, n);
  cr_expect_lt(fabs(t.mean - 1), 4 * t.scatter / sqrt(n), "%s: mean %g of the exact probability",
               state->name, t.mean);
  cr_expect_gt(t.reported / t.scatter - 1, -4 * sqrt((1 + 4 * t.scatter * t.scatter) / (2 * n)),
               "%s: reports %g, scatters by %g", state->name, t.reported, t.scatter);
  cr_expect_gt(t.covered, 0.95 - 4 * sqrt(0.95 * 0.05 / n), "%s: covers %g", state->name,
               t.covered);
  return t;
}

static void expect_known(const limit_state *state, size_t points, size_t parts) {
  const trial t = expect_estimates(state, points, parts);
  cr_expect_gt(t.reached, 1 - 1e-9, "%s: %g of the runs reached the failures", state->name,
               t.reached);
  const double error = 4 * sqrt((1 + 4 * t.scatter * t.scatter) / (2 * repetitions_wanted(60)));
  cr_expect_lt(t.reported / t.scatter - 1, error, "%s: reports %g, scatters by %g", state->name,
               t.reported, t.scatter);
}

Test(subset, hyperplane_at_1e_4_and_1e_6) {
  /* Phi(-3.719016485455709) = 1e-4 and Phi(-4.753424308822899) = 1e-6 (mpmath, 50 digits) */
  expect_known(&(limit_state){"hyperplane", linear, 10, 3.719016485455709, 1e-4}, 2000, 10);
  expect_known(&(limit_state){"hyperplane", linear, 10, 4.753424308822899, 1e-6}, 2000, 10);
  expect_known(&(limit_state){"hyperplane", linear, 10, 4.753424308822899, 1e-6}, 1000, 5);
}

Test(subset, two_modes_of_failure) {
  expect_known(&(limit_state){"two sides", series, 10, 3.890591886413094,
                              2 * omr_normal_cdf(-3.890591886413094)},
               1000, 10);
}

Test(subset, sum_of_squares) {
  expect_known(&(limit_state){"squares", quadratic, 10, 50, erlang(25, 5)}, 2000, 10);
}

Test(subset, sum_of_exponential_variables) {
  expect_known(&(limit_state){"exponential", exponential, 5, 25, erlang(25, 5)}, 2000, 10);
}

/* A margin in steps, as a count is: the threshold stands on steps, and more than 1/10 of a level
 * may go on. The sum of 8 normals over sqrt(8) is standard normal, and floor(2 z) - 7 > 0 from z =
 * 4 on. Where only a part of those above a threshold become chains, families vary by more than the
 * estimate does: the interval is too long (400 runs: c.o.v. reported 0.23, observed 0.20). Now and
 * then a step takes in so much of a level that the threshold cannot rise; 2 of 400 runs ended so,
 * and said it. */
static double steps(const double *u, size_t d, double beyond) {
  return floor(2 * sum(u, d) / sqrt((double)d)) - beyond;
}

Test(subset, margins_in_steps) {
  const trial t =
      expect_estimates(&(limit_state){"steps", steps, 8, 7, omr_normal_cdf(-4)}, 2000, 10);
  cr_expect_gt(t.reached, 0.95);
}

static double never(const double *u, size_t d, double beyond) {
  return linear(u, d, 1) > 0 ? -1 : linear(u, d, beyond);
}

/* The most that subset simulation runs: all of the first level, and of the later ones what is no
 * seed. */
static size_t most_of(const omr_subset_settings *s) {
  return s->points + (s->points - s->points / s->parts) * (s->levels - 1);
}

Test(subset, a_plateau_is_told) {
  const omr_subset_settings settings = {3, 500, 10, 10, 1, 0.95, OMR_INTERVAL_WILSON};
  omr_subset_outcome o;
  omr_subset *subset = run(&settings, never, 10, &o);
  cr_expect_eq(o.end, OMR_SUBSET_PLATEAU);
  cr_expect(o.probability == 0 && o.low == 0 && o.high > 0 && o.high < 1 && isinf(o.variation));
  cr_expect(o.levels >= 1 && o.evaluations < most_of(&settings));
  omr_subset_destroy(subset);
}

Test(subset, levels_are_limited) {
  const omr_subset_settings settings = {3, 500, 10, 2, 1, 0.95, OMR_INTERVAL_WILSON};
  omr_subset_outcome o;
  omr_subset *subset = run(&settings, linear, 6, &o);
  cr_expect(o.end == OMR_SUBSET_LEVELS && o.levels == 2 && o.failures == 0 && o.probability == 0);
  cr_expect_eq(o.evaluations, most_of(&settings));
  omr_subset_destroy(subset);
}

/* At level 0 alone it is Monte Carlo: the binomial's coefficient of variation. */
Test(subset, a_likely_failure_is_counted) {
  const omr_subset_settings settings = {1, 1000, 10, 9, 4, 0.95, OMR_INTERVAL_WILSON};
  omr_subset_outcome o;
  omr_subset *subset = run(&settings, linear, 0.5, &o);
  const double p = (double)o.failures / 1000, binomial = sqrt((1 - p) / (p * 1000));
  cr_expect(o.end == OMR_SUBSET_REACHED && o.levels == 1 && o.evaluations == 1000 &&
            o.families == o.failures);
  cr_expect_float_eq(o.probability, p, 1e-15);
  cr_expect_float_eq(o.variation, binomial, 1e-12);
  cr_expect_float_eq(o.variation_levels, binomial, 1e-12);
  omr_subset_destroy(subset);
}

/* All or none of 200: of the share alone comes no width. Wilson's bounds, 200/(200 + z^2) and
 * z^2/(200 + z^2) with z^2 = 3.841459 (chi-squared's 95 % quantile of one degree of freedom,
 * tables). A hyperplane at -7 or 9 fails always or never. */
Test(subset, all_or_none_of_level_0_is_a_share_of_a_sample) {
  const double edges[][3] = {{-7, 200 / 203.841459, 1}, {9, 0, 3.841459 / 203.841459}};
  for (size_t i = 0; i < 2; i++) {
    const omr_subset_settings settings = {1, 200, 10, 1, 6, 0.95, OMR_INTERVAL_WILSON};
    omr_subset_outcome o;
    omr_subset *subset = run(&settings, linear, edges[i][0], &o);
    cr_expect_eq(o.failures, i ? 0 : 200);
    cr_expect(!isfinite(o.variation) && !isfinite(o.variation_levels));
    cr_expect_float_eq(o.low, edges[i][1], 1e-7, "%g", o.low);
    cr_expect_float_eq(o.high, edges[i][2], 1e-7, "%g", o.high);
    omr_subset_destroy(subset);
  }
}

/* None of level 1 fails: what is known is that of 1000 points 1/10 are above its threshold. Its 100
 * chains have 10 states each, of families of their own, which makes c^2 = 1/100 - 1/1000 = 0.009;
 * s^2 = log 1.009 = 0.0089597, Student's quantile of 1/c^2 = 111 degrees of freedom is 1.9816
 * (tables), and 0.1 exp(s^2/2 + 1.9816 s) = 0.12118. (Wilson's for 100 of 1000 ends at 0.1202.) */
Test(subset, none_of_a_later_level_is_at_most_what_reached_it) {
  const omr_subset_settings settings = {1, 1000, 10, 2, 3, 0.95, OMR_INTERVAL_WILSON};
  omr_subset_outcome o;
  omr_subset *subset = run(&settings, linear, 20, &o);
  cr_expect(o.levels == 2 && o.failures == 0 && o.families == 0 && o.low == 0);
  cr_expect_float_eq(o.high, 0.12118, 2e-5, "%g", o.high);
  omr_subset_destroy(subset);
}

/* Without a value where the first coordinate is negative: among the others the failure has the same
 * probability, since it depends on the second one alone. */
static double half_unknown(const double *u, size_t d, double beyond) {
  (void)d;
  return u[0] < 0 ? (double)NAN : u[1] - beyond;
}

Test(subset, points_without_a_margin_are_left_out_and_counted) {
  expect_known(&(limit_state){"half unknown", half_unknown, 2, 3.719016485455709, 1e-4}, 2000, 10);
  const omr_subset_settings settings = {2, 2000, 10, 9, 4, 0.95, OMR_INTERVAL_WILSON};
  omr_subset_outcome o;
  omr_subset *subset = run(&settings, half_unknown, 3, &o);
  cr_expect(o.level[0].unknown > 900 && o.level[0].unknown < 1100, "%zu", o.level[0].unknown);
  cr_expect(o.unknown > o.level[0].unknown);
  omr_subset_destroy(subset);
}

static double hardly_known(const double *u, size_t d, double beyond) {
  return u[0] < 2 ? (double)NAN : linear(u, d, beyond);
}

Test(subset, too_few_margins_end_it) {
  const omr_subset_settings settings = {2, 1000, 10, 9, 4, 0.95, OMR_INTERVAL_WILSON};
  omr_subset_outcome o;
  omr_subset *subset = run(&settings, hardly_known, 3, &o);
  cr_expect(o.end == OMR_SUBSET_UNKNOWN && o.evaluations == 1000 && o.levels == 1);
  omr_subset_destroy(subset);
}
