/* The tolerance of a system of the study's own is the one that is asked for, and its step error is
 * measured. A mass on a force -k y swings from rest: y = y0 cos(sqrt(k/m) t). */
#include "result/result.h"
#include "statistics/step_error.h"

#include <criterion/criterion.h>
#include <math.h>
#include <omniroll/omniroll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STIFFNESSES = 8, FINAL = 1, EARLIEST = 2 };

static const double start = 0.1, duration = 2.0; /* m, s */

/* The force is at half of what it begins with when cos(sqrt(k/m) t) is 1/2: that is looked at. */
static const char swing[] =
    "{\"model\": \"multibody\", \"parameters\": {\"k\": \"100 N/m\"},"
    "\"system\": {\"gravity\": [0, 0, 0], \"bodies\": {\"mass\": {\"mass\": 1,"
    "\"inertia\": [0.1, 0.1, 0.1], \"at\": [0, 0.1, 0]}},"
    "\"forces\": {\"spring\": {\"between\": [\"base\", \"mass\"],"
    "\"force\": [0, \"-k * mass.y\", 0]}},"
    "\"measures\": {\"end\": {\"take\": \"final\", \"of\": \"mass.y\"},"
    "\"half\": {\"take\": \"first\", \"when\": \"mass.ay > -5 m/s2\"}}},"
    "\"vary\": [{\"path\": \"k\", \"linspace\": [\"90 N/m\", \"110 N/m\", 8]}],"
    "\"integrator\": {\"tolerance\": 1e-3, \"duration\": \"2 s\"}}";

static omr_result *run(const char *set) {
  omr_study *study = NULL;
  omr_result *result = NULL;
  omr_error error = {0};
  cr_assert_eq(omr_study_parse(swing, "swing.json", &set, 1, &study, &error), OMR_OK, "%s",
               error.message);
  cr_assert_eq(omr_run(study, NULL, &result, &error), OMR_OK, "%s", error.message);
  omr_study_destroy(study);
  return result;
}

/* Of `end`: of its mean, or the mean of the sizes. */
static double true_error(const omr_result *r, bool sizes) {
  double sum = 0;
  for (size_t i = 0; i < STIFFNESSES; i++) {
    const double exact = start * cos(sqrt(r->columns[0].values[i]) * duration),
                 error = r->columns[FINAL].values[i] - exact;
    sum += sizes ? fabs(error) : error;
  }
  return sum / STIFFNESSES;
}

static const omr_step_quantity *step_of(const omr_result *r, size_t column) {
  cr_assert_not_null(r->statistics);
  const omr_step_quantity *q = omr_step_quantity_of(r->statistics, column);
  cr_assert_not_null(q);
  cr_assert_eq(q->used, STIFFNESSES);
  return q;
}

/* Adams' local errors add up over some tens of steps in a second: 0.01 to 1000 times the tolerance
 * of what moves, y0. Each thousandth of it has to bring a hundredth of the error or less. */
Test(own_tolerance, is_the_one_that_is_asked_for, .timeout = 60) {
  double before = HUGE_VAL;
  for (int power = 2; power <= 11; power += 3) {
    char set[64];
    snprintf(set, sizeof set, "integrator.tolerance=1e-%d", power);
    omr_result *r = run(set);
    const double error = true_error(r, true), tolerance = pow(10, -power);
    cr_expect_lt(error, 1e3 * start * tolerance, "1e-%d: %g", power, error);
    cr_expect_gt(error, 1e-2 * start * tolerance, "1e-%d: %g", power, error);
    cr_expect_lt(error, before / 100, "1e-%d: %g after %g", power, error, before);
    before = error;
    omr_result_destroy(r);
  }
}

Test(own_tolerance, has_a_range_that_holds_the_error, .timeout = 60) {
  int held = 0, told = 0;
  for (int power = 1; power <= 10; power++) {
    char set[64];
    snprintf(set, sizeof set, "integrator.tolerance=1e-%d", power);
    omr_result *r = run(set);
    const double error = true_error(r, false), size = true_error(r, true);
    const omr_step_estimate *e = &step_of(r, FINAL)->mean;
    held += e->low <= error && error <= e->high;
    told++;
    cr_expect_lt(e->high - e->low, 6 * size, "1e-%d: %g to %g, sizes %g", power, e->low, e->high,
                 size);
    cr_expect_gt(r->record.refined_steps, 0);
    omr_result_destroy(r);
  }
  cr_expect_geq(held, told - 1, "%d of %d", held, told);
}

/* cos(sqrt(k) t) = 5/(k y0) is met at looks alone, which are a millisecond apart at any tolerance,
 * and 10 ms with such a step: late by up to that, on average by half of it. */
Test(own_tolerance, what_is_seen_at_looks_alone_has_its_error_too, .timeout = 60) {
  const char *const sets[] = {"integrator.tolerance=1e-9",
                              "integrator={\"step\": \"10 ms\", \"duration\": \"2 s\"}"};
  for (int i = 0; i < 2; i++) {
    omr_result *r = run(sets[i]);
    double late = 0;
    for (size_t k = 0; k < STIFFNESSES; k++) {
      const double stiffness = r->columns[0].values[k];
      late += (r->columns[EARLIEST].values[k] - acos(5 / (stiffness * start)) / sqrt(stiffness)) /
              STIFFNESSES;
    }
    const omr_step_estimate *e = &step_of(r, EARLIEST)->mean;
    cr_expect_gt(late, i ? 2e-3 : 2e-4);
    cr_expect(e->low <= late && late <= e->high, "%s: %g is not in %g to %g", sets[i], late, e->low,
              e->high);
    omr_result_destroy(r);
  }
}

/* Nothing smaller is resolved than 1e-14; the message says what would be. */
Test(own_tolerance, has_the_bounds_of_double_precision) {
  const char *const sets[] = {"integrator.tolerance=1e-15", "integrator.tolerance=1e-14"};
  omr_study *study = NULL;
  omr_error error = {0};
  cr_expect_neq(omr_study_parse(swing, "swing.json", sets, 1, &study, &error), OMR_OK);
  cr_expect_not_null(strstr(error.message, "from 1e-14 to 0.5"), "%s", error.message);
  omr_result *r = run(sets[1]);
  cr_expect_null(omr_step_quantity_of(r->statistics, FINAL));
  omr_result_destroy(r);
}

static void expect_same_step(const omr_result *whole, const char *path) {
  omr_result *read = NULL;
  omr_error error = {0};
  char *json = NULL, expected[64];
  cr_assert_eq(omr_result_open(path, &read, &error), OMR_OK, "%s", error.message);
  cr_assert_eq(omr_analyze_json(path, NULL, 0, NULL, &json, &error), OMR_OK, "%s", error.message);
  snprintf(expected, sizeof expected, "%.17g", step_of(whole, FINAL)->mean.low);
  cr_expect_not_null(strstr(json, expected), "%s in %s", expected, json);
  free(json);
  omr_result_destroy(read);
}

/* Whoever puts shards together measures what none of them did. */
Test(own_tolerance, is_in_the_file_of_joined_shards_too, .timeout = 60) {
  omr_result *whole = run("integrator.tolerance=1e-4");
  const char *const set = "integrator.tolerance=1e-4";
  omr_study *study = NULL;
  omr_error error = {0};
  omr_file_options options = OMR_FILE_OPTIONS_INIT;
  char path[2][64] = {"/tmp/omniroll_tolerance_XXXXXX", "/tmp/omniroll_shards_XXXXXX"};
  for (int i = 0; i < 2; i++) {
    const int file = mkstemp(path[i]);
    cr_assert_geq(file, 0);
    close(file);
    unlink(path[i]);
  }
  cr_assert_eq(omr_study_parse(swing, "swing.json", &set, 1, &study, &error), OMR_OK, "%s",
               error.message);
  cr_assert_eq(omr_run_file(study, path[0], &options, NULL, &error), OMR_OK, "%s", error.message);
  for (options.shard = 1, options.shards = 2; options.shard <= 2; options.shard++)
    cr_assert_eq(omr_run_file(study, path[1], &options, NULL, &error), OMR_OK, "%s", error.message);
  for (int i = 0; i < 2; i++) {
    expect_same_step(whole, path[i]);
    unlink(path[i]);
  }
  omr_study_destroy(study);
  omr_result_destroy(whole);
}
