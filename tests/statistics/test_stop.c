/* How often the interval at which a run stopped holds the true value: 2000 runs each of a
 * probability and of a mean. */
#include "statistics/stop.h"
#include "study/designs/draws.h"
#include "study/designs/special_functions.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

enum { RUNS = 2000, CHUNK = 8, MOST = 1 << 20 };

#define STUDY(stop)                                                                                \
  "{\"model\": \"uk_wheel\", \"parameters\": {}, \"integrator\": {\"step\": \"1 ms\", "            \
  "\"duration\": \"1 ms\"},"                                                                       \
  " \"vary\": [{\"path\": \"mass\", \"normal\": [25, 1]}], \"design\": {\"type\": "                \
  "\"monte_carlo\", \"instances\": 1048576},"                                                      \
  " \"statistics\": {\"fail\": \"mass > 26.2815515655446 kg\", \"stop\": " stop "}}"

static omr_study *read_study(const char *text) {
  omr_study *study;
  omr_error error = {0};
  cr_assert_eq(omr_study_parse(text, "s.json", NULL, 0, &study, &error), OMR_OK, "%s",
               error.message);
  return study;
}

/* One run; `every` looks at every chunk instead of at growing numbers of rows. */
static void run(const omr_study *study, uint64_t seed, bool every, omr_stop *stop) {
  double values[64] = {0};
  cr_assert_eq(omr_stop_make(study, stop, NULL), OMR_OK);
  while (stop->rows < MOST) {
    for (int i = 0; i < CHUNK; i++) {
      uint64_t bits[2];
      omr_draw_bits(seed, stop->rows, 0, bits);
      values[0] = 25 + omr_draw_normal(bits);
      values[study->statistics.stop.index] =
          values[0]; /* of a mean: of an observable that is the mass */
      omr_stop_add(stop, values, OMR_INSTANCE_OK);
    }
    if (every) stop->next = 0;
    if (omr_stop_look(stop)) return;
  }
}

static double coverage(const char *label, const omr_study *study, double exact, bool every) {
  double held = 0, rows = 0, looks = 0;
  for (int r = 0; r < RUNS; r++) {
    omr_stop stop;
    run(study, (uint64_t)r + 1, every, &stop);
    cr_assert(stop.reached);
    held += stop.bounds.low <= exact && exact <= stop.bounds.high;
    rows += (double)stop.rows / RUNS;
    looks += (double)stop.looks / RUNS;
    omr_stop_free(&stop);
  }
  printf("%-28s %s: interval holds the true value in %.4f of %d runs, %.0f instances and %.1f "
         "looks on average\n",
         label, every ? "looks at every chunk " : "looks every tenth    ", held / RUNS, RUNS, rows,
         looks);
  return held / RUNS;
}

/* 0.95 by four standard errors of a share in 2000 runs, and one in a hundred for looking
 * repeatedly. */
static void expect_coverage(const char *label, const char *text, double exact) {
  omr_study *study = read_study(text);
  const double share = coverage(label, study, exact, false);
  cr_expect_gt(share, 0.94 - 4 * sqrt(0.95 * 0.05 / RUNS), "%s: %g", label, share);
  coverage(label, study, exact, true);
  omr_study_destroy(study);
}

/* 26.2815515655446 = 25 + z(0.9): the probability is 0.1 (normal quantile, mpmath). */
Test(stop, intervals_hold_the_probability_as_often_as_they_say) {
  expect_coverage("probability 0.1, width 0.05", STUDY("{\"quantity\": \"fail\", \"width\": 0.05}"),
                  0.1);
  expect_coverage("probability 0.1, half of it",
                  STUDY("{\"quantity\": \"fail\", \"relative_width\": 0.5}"), 0.1);
}

Test(stop, intervals_hold_the_mean_as_often_as_they_say) {
  expect_coverage("mean, width 0.2", STUDY("{\"quantity\": \"mean final_x\", \"width\": 0.2}"), 25);
  expect_coverage("mean, width 0.5",
                  STUDY("{\"quantity\": \"mean final_x\", \"width\": 0.5, \"at_least\": 32}"), 25);
}

/* The first look at 1000 rows is due at the end of the 125th chunk; then 1000 + 100 and so on, at
 * ends of chunks. */
Test(stop, looks_come_at_growing_numbers_of_rows) {
  omr_study *study =
      read_study(STUDY("{\"quantity\": \"fail\", \"width\": 0.0001, \"at_least\": 1000}"));
  static const size_t expected[] = {1000, 1104, 1216, 1344};
  double values[64] = {25};
  omr_stop stop;
  size_t seen = 0;
  cr_assert_eq(omr_stop_make(study, &stop, NULL), OMR_OK);
  while (seen < sizeof expected / sizeof *expected) {
    const size_t before = stop.looks;
    for (int i = 0; i < CHUNK; i++) omr_stop_add(&stop, values, OMR_INSTANCE_OK);
    cr_assert_not(omr_stop_look(&stop));
    if (stop.looks > before) cr_expect_eq(stop.rows, expected[seen++], "%zu", stop.rows);
  }
  omr_stop_free(&stop);
  omr_study_destroy(study);
}

/* Failed instances and those without a value are no part of the quantity. */
Test(stop, what_has_no_value_is_left_out) {
  omr_study *study = read_study(STUDY("{\"quantity\": \"mean final_x\", \"width\": 0.1}"));
  const size_t column = study->statistics.stop.index;
  double values[64] = {25};
  omr_stop stop;
  cr_assert_eq(omr_stop_make(study, &stop, NULL), OMR_OK);
  for (int i = 0; i < 12; i++) {
    values[column] = i % 3 == 0 ? (double)NAN : i % 3 == 1 ? 1e9 : i;
    omr_stop_add(&stop, values, i % 3 == 1 ? OMR_INSTANCE_INVALID : OMR_INSTANCE_OK);
  }
  omr_stop_estimate(&stop);
  cr_expect(stop.rows == 12 && stop.used == 4);
  cr_expect_float_eq(stop.estimate, (2 + 5 + 8 + 11) / 4.0, 1e-15);
  omr_stop_free(&stop);
  omr_study_destroy(study);
}
