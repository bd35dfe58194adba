/* Errors from values at h, h/2 and h/4 whose limits are known. */
#include "../../host/statistics/step_estimate.h"

#include <criterion/criterion.h>
#include <math.h>

/* Numbers between -1 and 1, the same on every machine. */
static double scatter(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) / 0x1p52 - 1;
}

/* Limits 3 +- 1, errors c h^p with c = 1 +- spread in units of 0.01 at h. */
static omr_step_values made(size_t count, int levels, double order, double spread) {
  omr_step_values v = {.levels = levels, .count = count, .confidence = 0.95};
  uint64_t state = 7;
  for (size_t i = 0; i < count; i++) {
    const double limit = 3 + scatter(&state), c = 0.01 * (1 + spread * scatter(&state));
    for (int level = 0; level <= levels; level++)
      v.value[level][i] = limit + c * pow(2, -order * level);
  }
  return v;
}

static double true_error(const omr_step_values *v, double order) {
  double sum = 0;
  for (size_t i = 0; i < v->count; i++)
    sum += (v->value[0][i] - v->value[1][i]) / (1 - pow(2, -order));
  return sum / (double)v->count;
}

/* Three steps tell the order; then the error is right whatever its scatter, since all instances
 * share it. */
Test(step_estimate, of_three_steps_finds_order_and_error) {
  static const double orders[] = {0.6, 1, 1.5, 2, 4};
  for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
    const omr_step_values v = made(16, 2, orders[i], 0.9);
    const omr_step_tail tail = omr_step_tail_of(&v);
    const omr_step_estimate e = omr_step_error_of_mean(&v, &tail);
    const double truth = true_error(&v, orders[i]);
    cr_expect_float_eq(tail.order, orders[i], 1e-9, "%g: %g", orders[i], tail.order);
    cr_expect_float_eq(e.error, truth, 1e-12, "order %g: %g, not %g", orders[i], e.error, truth);
    cr_expect(e.low < truth && truth < e.high);
    cr_expect_lt(e.high, 2.2 * truth, "order %g: up to %g of %g", orders[i], e.high, truth);
  }
}

/* Two steps do not: the estimate is within a factor of 1.85 for orders from 1/2 on, and the range
 * holds the error. */
Test(step_estimate, of_two_steps_is_within_a_factor_for_every_order) {
  static const double orders[] = {0.5, 0.6, 1, 1.5, 2, 4, 20};
  for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
    const omr_step_values v = made(16, 1, orders[i], 0.5);
    const omr_step_tail tail = omr_step_tail_of(&v);
    const omr_step_estimate e = omr_step_error_of_mean(&v, &tail);
    const double truth = true_error(&v, orders[i]);
    cr_expect(isnan(tail.order));
    cr_expect(e.error < 1.8478 * truth && truth < 1.8478 * e.error, "order %g: %g, not %g",
              orders[i], e.error, truth);
    cr_expect(e.low <= truth && truth <= e.high, "order %g: %g to %g, not %g", orders[i], e.low,
              e.high, truth);
  }
}

/* Of two tolerances a factor of 100 (10) apart within 1.21 (1.52), for errors that fall with the
 * fourth root of the tolerance or faster: the root of 1.462 (2.285). */
static void check_powers(int decades, double factor) {
  static const double powers[] = {0.25, 0.3, 0.5, 1, 2, 5};
  for (size_t i = 0; i < sizeof powers / sizeof *powers; i++) {
    const double order = powers[i] * decades * log2(10);
    omr_step_values v = made(16, 1, order, 0.5);
    v.decades = decades;
    const omr_step_tail tail = omr_step_tail_of(&v);
    const omr_step_estimate e = omr_step_error_of_mean(&v, &tail);
    const double truth = true_error(&v, order);
    cr_expect(e.error < factor * truth && truth < factor * e.error, "power %g: %g, not %g",
              powers[i], e.error, truth);
    cr_expect(e.low <= truth && truth <= e.high, "power %g: %g to %g, not %g", powers[i], e.low,
              e.high, truth);
  }
}

Test(step_estimate, of_two_tolerances_is_within_a_factor_for_every_power) {
  check_powers(1, 1.5117);
  check_powers(2, 1.2094);
}

/* Where an error does not fall between e and e/100, as where a controller ends the passes of both,
 * the last difference says nothing of its sign: the range takes half of it back and as much again,
 * and 1.96 half differences of a single instance, by hand. */
Test(step_estimate, of_a_tolerance_that_tells_little_has_a_wide_range) {
  omr_step_values v = {
      .levels = 1, .decades = 2, .count = 1, .all = true, .confidence = 0.95, .part = 1};
  v.value[0][0] = 1.02;
  v.value[1][0] = 1;
  const omr_step_tail tail = omr_step_tail_of(&v);
  const omr_step_estimate e = omr_step_error_of_mean(&v, &tail);
  const double scatter = 1.959963984540054 * 0.5 * 0.02;
  cr_expect_float_eq(e.low, 0.5 * 0.02 - scatter, 1e-12);
  cr_expect_float_eq(e.high, 2 * 0.02 + scatter, 1e-12);
}

/* Where e/10000 was taken too the last difference counts, and at least a tenth of the first; no
 * ratio of the two is an order. Values of peak_of_table.json, instance 25, at 1e-2, 1e-4 and 1e-6;
 * its error is 0.895 (tolerance 1e-8). */
Test(step_estimate, of_three_tolerances_holds_what_two_do_not_see) {
  static const double peaks[] = {4.77567, 4.75608, 3.89513};
  for (int levels = 1; levels <= 2; levels++) {
    omr_step_values v = {
        .levels = levels, .decades = 2, .count = 1, .all = true, .confidence = 0.95, .part = 1};
    for (int level = 0; level <= levels; level++) v.value[level][0] = peaks[level];
    omr_step_tail tail = omr_step_tail_of(&v);
    omr_step_estimate e = omr_step_error_of_mean(&v, &tail);
    cr_expect_eq(e.low <= 0.895 && 0.895 <= e.high, levels == 2, "%g to %g", e.low, e.high);
    cr_expect(isnan(tail.order));
    v.value[levels][0] = v.value[levels - 1][0];
    tail = omr_step_tail_of(&v);
    e = omr_step_error_of_mean(&v, &tail);
    const double first = levels == 1 ? 0 : peaks[0] - peaks[1];
    cr_expect_float_eq(e.high - e.low, 2 * 1.959963984540054 * 0.1 * first, 1e-12);
  }
}

/* The ratio of the sums has an expectation where the mean of ratios has none: one instance without
 * an error at all. */
Test(step_estimate, of_the_order_is_from_sums) {
  omr_step_values v = made(16, 2, 2, 0.5);
  for (int level = 0; level <= 2; level++) v.value[level][3] = 1;
  const omr_step_tail tail = omr_step_tail_of(&v);
  cr_expect_float_eq(tail.order, 2, 1e-9);
}

/* What is 0 in the limit is its own error: a quantile too, and whatever shorter steps make of it in
 * between. */
Test(step_estimate, of_what_vanishes_is_its_value) {
  omr_step_values v = made(16, 2, 1, 0.5);
  static omr_step_draws draws;
  double mean = 0;
  v.vanishes = true;
  v.all = true;
  for (size_t i = 0; i < v.count; i++)
    v.value[0][i] = 0.01 * (double)(i + 1), mean += v.value[0][i] / (double)v.count;
  const omr_step_tail tail = omr_step_tail_of(&v);
  const omr_step_estimate e = omr_step_error_of_mean(&v, &tail);
  omr_step_draws_make(1, &draws);
  const omr_step_estimate median = omr_step_error_of_quantile(&v, &tail, 0.5, &draws);
  cr_expect_float_eq(e.error, mean, 1e-15);
  cr_expect_float_eq(e.low, mean, 1e-15);
  cr_expect_float_eq(e.high, mean, 1e-15);
  cr_expect_float_eq(median.error, 0.085, 1e-15, "the median of 0.01 to 0.16");
}

/* Differences that change their sign tell no order; what is left may be anything up to the last of
 * them. */
Test(step_estimate, of_differences_that_change_sign_has_no_order) {
  omr_step_values v = {.levels = 2, .count = 1, .all = true, .confidence = 0.95};
  v.value[0][0] = 1;
  v.value[1][0] = 0.4;
  v.value[2][0] = 0.6;
  const omr_step_tail tail = omr_step_tail_of(&v);
  const omr_step_estimate e = omr_step_error_of_mean(&v, &tail);
  cr_expect(isnan(tail.order));
  cr_expect_float_eq(e.error, 0.4, 1e-15);
  cr_expect_float_eq(e.low, 0.2, 1e-15);
  cr_expect_float_eq(e.high, 0.6, 1e-15);
}

/* A last difference that is much smaller than any order makes it is so by chance: 0.6 and then
 * nothing leaves up to 0.3 more. Of order 5 it is no chance. */
Test(step_estimate, of_a_last_difference_by_chance_knows_little) {
  omr_step_values v = {.levels = 2, .count = 1, .all = true, .confidence = 0.95};
  v.value[0][0] = 1;
  for (int sign = -1; sign <= 1; sign++) {
    v.value[1][0] = 0.4;
    v.value[2][0] = 0.4 + sign * 0.009;
    const omr_step_tail tail = omr_step_tail_of(&v);
    const omr_step_estimate e = omr_step_error_of_mean(&v, &tail);
    cr_expect(isnan(tail.order));
    cr_expect_float_eq(e.error, 0.6 - sign * 0.009, 1e-15);
    cr_expect_float_eq(e.low, 0.3 - sign * 0.009, 1e-15);
    cr_expect_float_eq(e.high, 0.9 - sign * 0.009, 1e-15);
  }
  const omr_step_values fifth = made(1, 2, 5, 0);
  cr_expect_float_eq(omr_step_tail_of(&fifth).order, 5, 1e-9);
  omr_step_values same = made(1, 2, 0, 0); /* no error at all */
  same.all = true;
  const omr_step_tail none = omr_step_tail_of(&same);
  const omr_step_estimate zero = omr_step_error_of_mean(&same, &none);
  cr_expect(zero.error == 0 && zero.low == 0 && zero.high == 0);
}

/* All instances of a run: its mean leaves nothing to chance, whatever the scatter. A few of them
 * leave what a sample leaves; of all but a few less than of a few. */
Test(step_estimate, knows_what_chance_leaves) {
  omr_step_values v = made(8, 2, 2, 1);
  const omr_step_tail tail = omr_step_tail_of(&v);
  v.all = true;
  const omr_step_estimate all = omr_step_error_of_mean(&v, &tail);
  v.all = false;
  const omr_step_estimate few = omr_step_error_of_mean(&v, &tail);
  v.part = 0.8;
  const omr_step_estimate most = omr_step_error_of_mean(&v, &tail);
  cr_expect_float_eq(all.low, 0.75 * 1.25 * all.error, 1e-12,
                     "no tail"); /* D1 + D2 = 15/16 of E at order 2 */
  cr_expect_float_eq(few.high - few.error, most.high - most.error + (few.high - most.high), 1e-15);
  cr_expect(few.low < most.low && most.low < all.low && all.high < most.high &&
            most.high < few.high);
  v.count = 1;
  const omr_step_estimate one = omr_step_error_of_mean(&v, &tail);
  cr_expect(isinf(one.low) && isinf(one.high), "one instance of many says nothing of the others");
  v.count = 0;
  cr_expect(isnan(omr_step_error_of_mean(&v, &tail).error));
}

/* Student's t interval of the mean of differences, by hand: z = 1.2, 0.9, 1.5, 1.0 times the
 * differences; t(3) = 3.182446. */
Test(step_estimate, has_students_interval) {
  static const double d[] = {1.2, 0.9, 1.5, 1.0};
  omr_step_values v = {.levels = 1, .count = 4, .confidence = 0.95};
  for (size_t i = 0; i < 4; i++) v.value[0][i] = d[i];
  const omr_step_tail tail = {0, {0, 0, 0}, 0, false};
  const omr_step_estimate e = omr_step_error_of_mean(&v, &tail);
  const double half = 3.182446305284263 *
                      sqrt(0.21 / 3 / 4); /* squares: 0.05^2 + 0.25^2 + 0.35^2 + 0.15^2 = 0.21 */
  cr_expect_float_eq(e.error, 1.15, 1e-15);
  cr_expect_float_eq(e.high, 1.15 + half, 1e-12);
  cr_expect_float_eq(e.low, 1.15 - half, 1e-12);
}

/* Cells count alike however many instances they have, and what differs between cells is no matter
 * of chance. */
Test(step_estimate, counts_cells_alike) {
  omr_step_values v = {.levels = 1, .count = 5, .confidence = 0.95};
  static const double d[] = {1, 1, 1, 5, 5};
  static const size_t cell[] = {0, 0, 0, 4, 4};
  for (size_t i = 0; i < 5; i++) {
    v.value[0][i] = d[i];
    v.stratum[i] = cell[i];
  }
  const omr_step_tail tail = {0, {0, 0, 0}, 0, false};
  const omr_step_estimate e = omr_step_error_of_mean(&v, &tail);
  cr_expect_float_eq(e.error, 3, 1e-15);
  cr_expect_float_eq(e.low, 3, 1e-12);
  cr_expect_float_eq(e.high, 3, 1e-12);
}

Test(step_estimate, has_the_sizes_of_single_instances) {
  omr_step_values v = {.levels = 1, .count = 4, .confidence = 0.95};
  static const double d[] = {-4, 1, 2, -3};
  double median, largest;
  for (size_t i = 0; i < 4; i++) v.value[0][i] = d[i];
  const omr_step_tail tail = {1, {0, 1, 1}, 0, false};
  omr_step_error_sizes(&v, &tail, &median, &largest);
  cr_expect_float_eq(median, 5, 1e-15);
  cr_expect_float_eq(largest, 8, 1e-15);
}

/* Where the error grows with the value, upper quantiles err more than lower ones; the truth is the
 * quantile of the limits. */
Test(step_estimate, of_a_quantile_is_that_of_the_statistic_at_both_steps) {
  static omr_step_draws draws;
  omr_step_values v = {.levels = 2, .count = 21, .confidence = 0.95};
  for (size_t i = 0; i < 21; i++) {
    const double limit = (double)((i * 8) % 21); /* 0 .. 20, in another order */
    for (int level = 0; level <= 2; level++) v.value[level][i] = limit * (1 + 0.1 * pow(2, -level));
  }
  omr_step_draws_make(11, &draws);
  const omr_step_tail tail = omr_step_tail_of(&v);
  cr_expect_float_eq(tail.order, 1, 1e-12);
  static const double levels[] = {0, 0.05, 0.5, 0.95, 1};
  for (size_t l = 0; l < 5; l++) {
    const omr_step_estimate e = omr_step_error_of_quantile(&v, &tail, levels[l], &draws);
    const double truth = 0.1 * 20 * levels[l]; /* type 7 of 0 .. 20 */
    cr_expect_float_eq(e.error, truth, 1e-12, "%g: %g", levels[l], e.error);
    cr_expect(e.low <= truth && truth <= e.high);
    cr_expect(l == 0 || e.high - e.low > 0.01, "%g: %g to %g", levels[l], e.low, e.high);
  }
}

/* How often the interval of the median's error holds the true one, over made samples. */
Test(step_estimate, intervals_of_the_median_hold_it_as_often_as_they_say) {
  enum { TRIALS = 200, COUNT = 24 };
  static omr_step_draws draws;
  size_t held = 0;
  omr_step_draws_make(5, &draws);
  for (uint64_t trial = 0; trial < TRIALS; trial++) {
    omr_step_values v = {.levels = 2, .count = COUNT, .confidence = 0.95};
    uint64_t state = trial * 1000003;
    for (size_t i = 0; i < COUNT; i++) {
      const double limit = scatter(&state),
                   c = 0.2 + 0.2 * limit + 0.1 * scatter(&state); /* 0.2 where the limit is 0 */
      for (int level = 0; level <= 2; level++) v.value[level][i] = limit + c * pow(4, -level);
    }
    const omr_step_tail tail = omr_step_tail_of(&v);
    const omr_step_estimate e = omr_step_error_of_quantile(&v, &tail, 0.5, &draws);
    held += e.low <= 0.2 && 0.2 <= e.high;
  }
  cr_expect_geq((double)held, 0.93 * TRIALS, "%zu of %d", held, TRIALS);
}

/* 1 - 0.05^(1/32); the p at which 3 or fewer of 20 have the probability 0.05, by bisection of the
 * binomial sum. */
Test(step_estimate, bounds_shares_exactly) {
  cr_expect_float_eq(omr_step_share_bound(0, 32, 0.95), 0.0893681989862648, 1e-12);
  cr_expect_float_eq(omr_step_share_bound(3, 20, 0.95), 0.3436638043142818, 1e-12);
  cr_expect_eq(omr_step_share_bound(8, 8, 0.95), 1);
  cr_expect(isnan(omr_step_share_bound(0, 0, 0.95)));
}

Test(step_estimate, draws_follow_from_the_seed) {
  static omr_step_draws a, b;
  omr_step_draws_make(3, &a);
  omr_step_draws_make(3, &b);
  cr_expect_eq(memcmp(&a, &b, sizeof a), 0);
  omr_step_draws_make(4, &b);
  cr_expect_neq(memcmp(&a, &b, sizeof a), 0);
}
