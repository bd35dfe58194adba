/* Instances that are run alone give the bits that they have in the whole run; with trajectories all
 * the same, since tracing does not touch a motion. */
#include "engine/run.h"
#include "reference/ensemble.h"
#include "study/derived.h"
#include "study/instance_list.h"
#include "tests/parity/parity.h"

static const char *const studies[] = {"tests/parity/parity.json", "tests/parity/four_wheels.json",
                                      "tests/parity/uk_wheel.json"};

static omr_result *run(const omr_part *part) {
  omr_error error = {0};
  omr_result *result = NULL;
  cr_assert_eq(omr_engine_run_alone(part, NULL, &result, &error), OMR_OK, "%s", error.message);
  return result;
}

static omr_study *load(const char *path, const char *backend) {
  omr_study *study = NULL;
  omr_error error = {0};
  char set[64];
  snprintf(set, sizeof set, "engine.backend=%s", backend);
  const char *const list[] = {set};
  cr_assert_eq(omr_study_load(path, list, 1, &study, &error), OMR_OK, "%s", error.message);
  return study;
}

/* Row `row` of the chosen ones against its instance in the whole run. */
static void expect_same(const char *path, const omr_result *whole, const omr_result *alone,
                        size_t row) {
  const size_t instance = alone->numbers[row];
  cr_expect_eq(alone->status[row], whole->status[instance], "%s, instance %zu", path, instance);
  cr_expect_eq(memcmp(&alone->status_time[row], &whole->status_time[instance], sizeof(double)), 0);
  for (size_t c = 0; c < whole->column_count; c++)
    cr_expect_eq(
        memcmp(&alone->columns[c].values[row], &whole->columns[c].values[instance], sizeof(double)),
        0, "%s, instance %zu: %s is %.17g alone, %.17g in the whole run", path, instance,
        whole->columns[c].name, alone->columns[c].values[row], whole->columns[c].values[instance]);
}

static void check(const char *path, const char *backend) {
  omr_study *study = load(path, backend);
  const size_t last = study->instances - 1, chosen[] = {1, last / 2, last};
  const omr_study sampled = omr_study_sampled(study);
  const omr_part all = omr_part_of(study), alone = omr_part_traced(&sampled, chosen, 3);
  omr_result *whole = run(&all), *some = run(&alone);
  cr_assert_eq(some->instances, 3);
  cr_assert_eq(some->traced_count, 3);
  for (size_t row = 0; row < 3; row++) {
    cr_expect_eq(some->numbers[row], chosen[row]);
    cr_expect_eq(some->traced[row], chosen[row]);
    expect_same(path, whole, some, row);
  }
  omr_result_destroy(whole);
  omr_result_destroy(some);
  omr_study_destroy(study);
}

Test(chosen, instances_alone_have_the_bits_of_the_whole_run, .timeout = 300) {
  for (size_t i = 0; i < sizeof studies / sizeof *studies; i++) {
    check(studies[i], "openmp");
    check(studies[i], "scalar");
  }
}

/* The samples too: both studies trace the same instances at the same times. */
Test(chosen, trajectories_alone_have_the_bits_of_the_whole_run, .timeout = 300) {
  omr_study *study = load("tests/parity/parity.json", "openmp");
  const size_t chosen[] = {0, 5, 8};
  const omr_study sampled = omr_study_sampled(study);
  const omr_part alone = omr_part_traced(&sampled, chosen, 3);
  omr_part traced = alone; /* everything runs, these are traced */
  traced.chosen = NULL;
  traced.rows = study->instances;
  omr_result *whole = run(&traced), *some = run(&alone);
  const size_t cells = whole->traced_count * whole->sample_count;
  cr_assert_eq(some->sample_count, whole->sample_count);
  for (int j = 0; j < OMR_VS_COUNT; j++)
    if (whole->vehicle_samples[j])
      cr_expect_eq(
          memcmp(whole->vehicle_samples[j], some->vehicle_samples[j], cells * sizeof(double)), 0,
          "%s", omr_vehicle_samples[j].name);
  for (int j = 0; j < OMR_WS_COUNT; j++)
    if (whole->wheel_samples[j])
      cr_expect_eq(memcmp(whole->wheel_samples[j], some->wheel_samples[j],
                          cells * (size_t)whole->wheels * sizeof(double)),
                   0, "%s", omr_wheel_samples[j].name);
  omr_result_destroy(whole);
  omr_result_destroy(some);
  omr_study_destroy(study);
}

static void expect_list(const omr_study *study, const char *list, size_t count,
                        const size_t *expected) {
  size_t *chosen = NULL, found = 0;
  omr_error error = {0};
  cr_assert_eq(omr_instances_read("--instances", list, study, &chosen, &found, &error), OMR_OK,
               "%s", error.message);
  cr_assert_eq(found, count, "%s gives %zu instances", list, found);
  for (size_t i = 0; i < count; i++)
    cr_expect_eq(chosen[i], expected[i], "%s: %zu", list, chosen[i]);
  free(chosen);
}

Test(chosen, lists_have_numbers_and_ranges_and_come_sorted_once_each) {
  const omr_study study = {.name = (char *)"s", .instances = 20};
  expect_list(&study, "3", 1, (const size_t[]){3});
  expect_list(&study, "0,3,7-9", 5, (const size_t[]){0, 3, 7, 8, 9});
  expect_list(&study, "19,4,4,3-5", 4, (const size_t[]){3, 4, 5, 19});
}

Test(chosen, lists_that_say_nothing_or_too_much_are_refused) {
  const omr_study study = {.name = (char *)"s", .instances = 20};
  const char *const lists[] = {"",    ",",  "1,",    "a",  "3-",  "5-3",
                               "1 2", "20", "18-20", "-1", "1e3", "99999999999999999999"};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    size_t *chosen = NULL, count = 0;
    omr_error error = {0};
    cr_expect_eq(omr_instances_read("--instances", lists[i], &study, &chosen, &count, &error),
                 OMR_ERR_USAGE, "\"%s\" is taken", lists[i]);
    cr_expect_null(chosen);
  }
}

Test(chosen, a_sample_is_spread_from_the_first_to_the_last) {
  const omr_study study = {.name = (char *)"s", .instances = 101};
  const size_t expected[] = {0, 25, 50, 75, 100};
  size_t *chosen = NULL, count = 0;
  cr_assert_eq(omr_instances_spread(&study, 5, &chosen, &count, NULL), OMR_OK);
  cr_assert_eq(count, 5);
  for (size_t i = 0; i < 5; i++) cr_expect_eq(chosen[i], expected[i]);
  free(chosen);
  cr_expect_eq(omr_instances_spread(&study, 102, &chosen, &count, NULL), OMR_ERR_USAGE);
}
