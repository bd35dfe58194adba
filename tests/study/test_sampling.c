/* Values of an instance: known answers of the generator, moments of the draws, order of a grid. */
#include "../../host/study/designs/draws.h"
#include "../../host/study/study.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

/* Philox4x32-10 of the file kat_vectors that comes with Random123 (counter, key -> result). */
Test(sampling, bits_are_those_of_the_published_known_answers) {
  static const struct {
    uint64_t seed, instance;
    uint32_t variation;
    uint64_t bits[2];
  } zero = {0, 0, 0, {0xe169c58d6627e8d5u, 0x9b00dbd8bc57ac4cu}};
  uint64_t bits[2];
  omr_draw_bits(zero.seed, zero.instance, zero.variation, bits);
  cr_expect_eq(bits[0], zero.bits[0]);
  cr_expect_eq(bits[1], zero.bits[1]);
}

/* Counter and key enter low word first: Philox4x32-10 of counter (1, 2, 3, 0) and key (4, 5),
 * written out after the paper. */
Test(sampling, seed_instance_and_variation_fill_key_and_counter_low_word_first) {
  uint32_t c[4] = {1, 2, 3, 0}, k[2] = {4, 5};
  for (int round = 0; round < 10; round++) {
    const uint64_t p0 = 0xD2511F53ull * c[0], p1 = 0xCD9E8D57ull * c[2];
    const uint32_t next[4] = {(uint32_t)(p1 >> 32) ^ c[1] ^ k[0], (uint32_t)p1,
                              (uint32_t)(p0 >> 32) ^ c[3] ^ k[1], (uint32_t)p0};
    memcpy(c, next, sizeof c);
    k[0] += 0x9E3779B9u;
    k[1] += 0xBB67AE85u;
  }
  uint64_t bits[2];
  omr_draw_bits(5ull << 32 | 4, 2ull << 32 | 1, 3, bits);
  cr_expect_eq(bits[0], (uint64_t)c[1] << 32 | c[0]);
  cr_expect_eq(bits[1], (uint64_t)c[3] << 32 | c[2]);
}

Test(sampling, units_lie_strictly_between_0_and_1) {
  cr_expect_eq(omr_draw_unit(0), 0x1p-53);
  cr_expect_eq(omr_draw_unit(UINT64_MAX), 1 - 0x1p-53);
  const uint64_t low[2] = {0, 0}, high[2] = {UINT64_MAX, UINT64_MAX};
  cr_expect(isfinite(omr_draw_normal(low)));
  cr_expect(isfinite(omr_draw_normal(high)));
}

static omr_study *read_study(const char *parameters, const char *sections) {
  char text[2048];
  omr_study *study;
  omr_error error = {0};
  snprintf(text, sizeof text,
           "{'model': 'omni_vehicle', 'integrator': {'step': 1e-3, 'duration': 1}, 'parameters': "
           "{%s}, %s}",
           parameters, sections);
  for (char *c = text; *c; c++)
    if (*c == '\'') *c = '"';
  cr_assert_eq(omr_study_parse(text, "s.json", NULL, 0, &study, &error), OMR_OK, "%s",
               error.message);
  return study;
}

/* Mean, variance and fourth moment of n draws are within 4 standard errors of the distribution's:
 * sigma/sqrt(n), and sigma^2 sqrt((kurtosis - 1)/n) for the variance. n = 100 000; kurtosis 1.8
 * (uniform), 3 (normal). */
Test(sampling, moments_are_those_of_the_distributions) {
  enum { N = 100000 };
  omr_study *study = read_study(
      "",
      "'design': {'type': 'monte_carlo', 'instances': 100000, 'seed': 20}, 'vary': ["
      "{'path': 'gravity', 'uniform': [8, 10]}, {'path': 'platform.mass', 'normal': [20, 0.5]}]");
  const double mean[] = {9, 20}, variance[] = {4.0 / 12, 0.25}, kurtosis[] = {1.8, 3};
  double first[2] = {0}, second[2] = {0}, cross = 0, column[2];
  omr_values values;
  for (size_t k = 0; k < N; k++) {
    omr_study_values(study, k, &values, column);
    cr_assert(column[0] > 8 && column[0] < 10);
    cr_assert_eq(values.vehicle[OMR_VP_GRAVITY], column[0]);
    for (int v = 0; v < 2; v++) {
      first[v] += column[v] - mean[v];
      second[v] += (column[v] - mean[v]) * (column[v] - mean[v]);
    }
    cross += (column[0] - mean[0]) * (column[1] - mean[1]);
  }
  for (int v = 0; v < 2; v++) {
    cr_expect_float_eq(first[v] / N, 0, 4 * sqrt(variance[v] / N));
    cr_expect_float_eq(second[v] / N, variance[v], 4 * variance[v] * sqrt((kurtosis[v] - 1) / N));
  }
  cr_expect_float_eq(cross / N, 0, 4 * sqrt(variance[0] * variance[1] / N),
                     "the two draws are correlated");
  omr_study_destroy(study);
}

/* 4 standard errors of the frequency of an event of probability p in n trials: 4 sqrt(p (1 - p)/n).
 * For a normal draw the probability of more than one and of more than two standard deviations is
 * 0.31731 and 0.04550. */
Test(sampling, normal_tails_are_those_of_the_distribution) {
  enum { N = 100000 };
  int beyond_1 = 0, beyond_2 = 0;
  for (uint64_t k = 0; k < N; k++) {
    uint64_t bits[2];
    omr_draw_bits(7, k, 0, bits);
    const double z = fabs(omr_draw_normal(bits));
    beyond_1 += z > 1;
    beyond_2 += z > 2;
  }
  cr_expect_float_eq((double)beyond_1 / N, 0.31731, 4 * sqrt(0.31731 * 0.68269 / N));
  cr_expect_float_eq((double)beyond_2 / N, 0.04550, 4 * sqrt(0.04550 * 0.95450 / N));
}

/* Frequency within 4 sqrt(p (1 - p)/n) of p = 1/3. */
Test(sampling, listed_values_are_equally_likely) {
  enum { N = 30000 };
  omr_study *study =
      read_study("", "'design': {'type': 'monte_carlo', 'instances': 30000}, 'vary': ["
                     "{'path': 'wheel.rollers', 'values': [5, 6, 7]}]");
  int count[3] = {0};
  omr_values values;
  for (size_t k = 0; k < N; k++) {
    omr_study_values(study, k, &values, NULL);
    count[(int)values.wheel[1][OMR_WP_ROLLERS] - 5]++;
  }
  for (int level = 0; level < 3; level++)
    cr_expect_float_eq((double)count[level] / N, 1.0 / 3, 4 * sqrt(2.0 / 9 / N));
  omr_study_destroy(study);
}

#define SPREAD                                                                                     \
  "'vary': [{'path': 'wheel.friction', 'normal': [0.3, 0.1]}, {'path': 'gravity', 'uniform': [9, " \
  "10]}]"

Test(sampling, an_instance_does_not_depend_on_how_many_there_are) {
  omr_study *few =
      read_study("", "'design': {'type': 'monte_carlo', 'instances': 10, 'seed': '9'}, " SPREAD);
  omr_study *many =
      read_study("", "'design': {'type': 'monte_carlo', 'instances': 100000, 'seed': 9}, " SPREAD);
  omr_values a, b;
  for (size_t k = 10; k-- > 0;) {
    omr_study_values(few, k, &a, NULL);
    omr_study_values(many, k, &b, NULL);
    cr_expect_eq(memcmp(&a, &b, sizeof a), 0);
  }
  omr_study_destroy(few);
  omr_study_destroy(many);
}

Test(sampling, another_seed_gives_other_values) {
  omr_study *one =
      read_study("", "'design': {'type': 'monte_carlo', 'instances': 10, 'seed': 1}, " SPREAD);
  omr_study *two =
      read_study("", "'design': {'type': 'monte_carlo', 'instances': 10, 'seed': 2}, " SPREAD);
  double a[2], b[2];
  omr_values values;
  omr_study_values(one, 3, &values, a);
  omr_study_values(two, 3, &values, b);
  cr_expect_neq(a[0], b[0]);
  cr_expect_neq(a[1], b[1]);
  omr_study_destroy(one);
  omr_study_destroy(two);
}

Test(sampling, each_wheel_draws_for_itself_and_alike_wheels_share_a_draw) {
  omr_study *study =
      read_study("", "'design': {'type': 'monte_carlo', 'instances': 4}, 'vary': ["
                     "{'path': 'wheel.friction', 'uniform': [0.1, 0.4], 'each': true}, "
                     "{'path': 'wheel.slip_speed', 'uniform': [0.01, 0.02]}]");
  omr_values values;
  double column[4];
  omr_study_values(study, 2, &values, column);
  for (int wheel = 0; wheel < 3; wheel++) {
    cr_expect_eq(values.wheel[wheel][OMR_WP_FRICTION], column[wheel]);
    cr_expect_eq(values.wheel[wheel][OMR_WP_SLIP_SPEED], column[3]);
    cr_expect_neq(column[wheel], column[(wheel + 1) % 3]);
  }
  omr_study_destroy(study);
}

Test(sampling, in_a_grid_the_last_variation_changes_fastest_and_levels_end_exactly) {
  omr_study *study = read_study("", "'vary': [{'path': 'gravity', 'values': [9, 5]}, {'path': "
                                    "'wheel.friction', 'linspace': [0.1, 0.7, 4]}]");
  omr_values values;
  double column[2];
  cr_assert_eq(study->instances, 8u);
  for (size_t k = 0; k < 8; k++) {
    omr_study_values(study, k, &values, column);
    cr_expect_eq(values.vehicle[OMR_VP_GRAVITY], k < 4 ? 9 : 5);
    cr_expect_float_eq(values.wheel[2][OMR_WP_FRICTION], 0.1 + 0.2 * (double)(k % 4), 1e-15);
    cr_expect_eq(values.wheel[2][OMR_WP_FRICTION], column[1]);
  }
  cr_expect_eq(column[1], 0.7);
  omr_study_destroy(study);
}

Test(sampling, a_single_study_is_its_base) {
  omr_study *study = read_study("'gravity': 3", "'title': 't'");
  omr_values values;
  omr_study_values(study, 0, &values, NULL);
  cr_expect_eq(memcmp(&values, &study->base, sizeof values), 0);
  omr_study_destroy(study);
}
