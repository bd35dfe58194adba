/* Results by functions alone, as callers read them that know no struct: columns, trajectories,
 * failures, statistics. */
#define _GNU_SOURCE /* mkdtemp */
#include "result/result.h"
#include "statistics/statistics.h"
#include "study/grammar/parse.h"

#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Vehicles that run, lift a wheel where the centre of mass lies outside, or make no vehicle where
 * the tips are wider than the rollers. */
static const char study_text[] =
    "{\"title\": \"Some fail\", \"model\": \"omni_vehicle\", \"parameters\": {\"layout\": "
    "{\"type\": "
    "\"ring\", \"wheels\": 3}, \"overlap\": \"allow\", \"wheel\": {\"radius\": \"8 cm\", "
    "\"slip_speed\": \"20 cm/s\", \"initial\": {\"rate\": -4}, \"roller\": {\"density\": 4000}}},"
    " \"vary\": [{\"path\": \"platform.center_of_mass.x\", \"values\": [0, 1]}, {\"path\": "
    "\"wheel.tip_radius\", \"values\": [\"1 cm\", \"9 cm\"]}],"
    " \"integrator\": {\"step\": \"0.5 ms\", \"duration\": \"10 ms\", \"stability\": \"ignore\"},"
    " \"engine\": {\"backend\": \"openmp\"}, \"output\": {\"trajectories\": {\"instances\": [0, "
    "2], "
    "\"interval\": \"5 ms\"}}, \"statistics\": {\"quantiles\": [0.5]}}";

static omr_result *run_it(const char *override) {
  omr_study *study;
  omr_result *result;
  omr_error error = {0};
  cr_assert_eq(omr_study_parse(study_text, "s.json", &override, override ? 1 : 0, &study, &error),
               OMR_OK, "%s", error.message);
  cr_assert_eq(omr_run(study, NULL, &result, &error), OMR_OK, "%s", error.message);
  omr_study_destroy(study);
  return result;
}

Test(access, columns_are_found_by_name) {
  omr_result *r = run_it(NULL);
  cr_assert_eq(omr_result_instances(r), 4);
  cr_assert_eq(omr_result_parameters(r), 2);
  cr_assert_eq(omr_result_find(r, omr_result_column_name(r, 1)), 1);
  cr_assert_eq(omr_result_find(r, "no_such_column"), OMR_NONE);
  const size_t last = omr_result_columns(r) - 1;
  cr_assert_eq(omr_result_find(r, omr_result_column_name(r, last)), last);
  cr_assert_null(omr_result_column_name(r, last + 1));
  cr_assert_null(omr_result_column_unit(r, last + 1));
  cr_assert_null(omr_result_column(r, last + 1));
  const double *tips = omr_result_column(r, 1);
  cr_assert_float_eq(tips[0], 0.01, 1e-15);
  cr_assert_float_eq(tips[1], 0.09, 1e-15);
  cr_assert_str_eq(omr_result_title(r), "Some fail");
  cr_assert_not_null(strstr(omr_result_study(r), "omni_vehicle"));
  cr_assert_not_null(omr_result_warnings(r));
  omr_result_destroy(r);
}

Test(access, trajectories_are_found_by_name) {
  omr_result *r = run_it(NULL);
  cr_assert_eq(omr_result_traced(r), 2);
  cr_assert_eq(omr_result_traced_row(r, 0), 0);
  cr_assert_eq(omr_result_traced_row(r, 1), 2);
  cr_assert_eq(omr_result_traced_row(r, 2), OMR_NONE);
  cr_assert_eq(omr_result_samples(r), 3);
  cr_assert_float_eq(omr_result_sample_times(r)[2], 0.01, 1e-15);
  const size_t count = omr_result_quantities(r);
  size_t over_wheels = 0;
  for (size_t q = 0; q < count; q++) {
    size_t samples = 0, wheels = 0;
    cr_assert_eq(omr_result_find_quantity(r, omr_result_quantity_name(r, q)), q);
    cr_assert_not_null(omr_result_quantity_unit(r, q));
    cr_assert_not_null(omr_result_trajectory(r, q, &samples, &wheels));
    cr_assert(samples == 3 || samples == 1, "%zu", samples);
    cr_assert(wheels == 3 || wheels == 1, "%zu", wheels);
    over_wheels += wheels == 3;
  }
  cr_assert_gt(over_wheels, 0);
  cr_assert_lt(over_wheels, count);
  cr_assert_null(omr_result_quantity_name(r, count));
  cr_assert_null(omr_result_quantity_unit(r, count));
  cr_assert_null(omr_result_trajectory(r, count, NULL, NULL));
  cr_assert_eq(omr_result_find_quantity(r, "no_such_quantity"), OMR_NONE);
  const double *x = omr_result_trajectory(r, omr_result_find_quantity(r, "x"), NULL, NULL);
  cr_assert_eq(x[2], omr_result_column(r, omr_result_find(r, "final_x"))[0]);
  omr_result_destroy(r);
}

Test(access, a_result_without_trajectories_has_none) {
  omr_result *r = run_it("output={}");
  cr_assert_eq(omr_result_traced(r), 0);
  cr_assert_eq(omr_result_quantities(r), 0);
  cr_assert_eq(omr_result_traced_row(r, 0), OMR_NONE);
  omr_result_destroy(r);
}

Test(access, failures_have_time_reason_and_state) {
  omr_result *r = run_it(NULL);
  size_t instance = 0;
  int status = -1;
  double time = -1;
  bool with_reason = false, without = false;
  const size_t count = omr_result_failures(r);
  cr_assert_geq(count, 2);
  for (size_t i = 0; i < count; i++) {
    cr_assert(omr_result_failure(r, i, &instance, &status, &time));
    cr_assert(omr_result_failure(r, i, NULL, NULL, NULL));
    cr_assert_eq(status, omr_result_status(r)[instance]);
    cr_assert_eq(time, omr_result_status_time(r)[instance]);
    cr_assert_not_null(omr_result_failure_state(r, i));
    const bool invalid = status == OMR_INSTANCE_INVALID;
    cr_assert_eq(omr_result_failure_reason(r, i) != NULL, invalid);
    cr_assert_eq(isnan(omr_result_failure_state(r, i)[0]) != 0, invalid);
    with_reason |= invalid;
    without |= !invalid;
  }
  cr_assert(with_reason && without);
  cr_assert_not(omr_result_failure(r, count, &instance, &status, &time));
  cr_assert_null(omr_result_failure_reason(r, count));
  cr_assert_null(omr_result_failure_state(r, count));
  omr_result_destroy(r);
}

/* Those of the vehicle first, then those of the wheels, wheel by wheel. */
Test(access, quantities_of_a_last_state_say_their_wheel) {
  omr_result *r = run_it(NULL);
  const char *name, *unit, *before = NULL;
  int wheel, last = -1;
  size_t vehicle = 0, q = 0;
  for (; omr_result_state_quantity(r, q, &name, &unit, &wheel); q++) {
    cr_assert(*name != '\0' && unit != NULL);
    vehicle += wheel < 0;
    if (wheel > 0) cr_assert_str_eq(name, before, "one name for all wheels");
    cr_assert(wheel == -1 ? last == -1 : wheel == (last + 1) % 3, "%zu: %d after %d", q, wheel,
              last);
    last = wheel;
    before = name;
  }
  cr_assert_gt(vehicle, 0);
  cr_assert_eq((q - vehicle) % 3, 0);
  cr_assert_gt(q, vehicle);
  cr_assert(omr_result_state_quantity(r, 0, NULL, NULL, NULL));
  omr_result_destroy(r);
}

static cJSON *statistics_of(const omr_result *r) {
  char *json = NULL;
  omr_error error = {0};
  cr_assert_eq(omr_result_statistics_json(r, &json, &error), OMR_OK, "%s", error.message);
  cJSON *tree = cJSON_Parse(json);
  cr_assert_not_null(tree, "%s", json);
  omr_text_destroy(json);
  return tree;
}

/* Takes the step's error out of a tree, wherever it stands: the answer has it beside each value. */
static void forget_step_error(cJSON *tree) {
  cJSON_DeleteItemFromObject(tree, "step_error");
  for (cJSON *item = tree->child; item; item = item->next) forget_step_error(item);
}

/* Of a run in memory they are there; of a file they are computed again, and are the same but for
 * the step's error: an opened result holds no rows of shorter steps. */
Test(access, statistics_of_a_file_are_those_of_the_run) {
  char folder[] = "/tmp/omniroll-access-XXXXXX", path[64];
  omr_error error = {0};
  omr_result *run = run_it(NULL), *file;
  cr_assert_not_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/r.h5", folder);
  cr_assert_eq(omr_result_write(run, path, &error), OMR_OK, "%s", error.message);
  cr_assert_eq(omr_result_open(path, &file, &error), OMR_OK, "%s", error.message);
  cJSON *a = statistics_of(run), *b = statistics_of(file);
  forget_step_error(a);
  forget_step_error(b);
  cr_assert(cJSON_Compare(a, b, true));
  cJSON_Delete(a);
  cJSON_Delete(b);
  omr_result_destroy(run);
  omr_result_destroy(file);
  unlink(path);
  rmdir(folder);
}

Test(access, a_table_that_was_not_run_has_no_statistics) {
  omr_study *study;
  omr_result *table;
  omr_error error = {0};
  char *json = NULL;
  cr_assert_eq(omr_study_parse(study_text, "s.json", NULL, 0, &study, &error), OMR_OK);
  cr_assert_eq(omr_study_sample(study, &table, &error), OMR_OK, "%s", error.message);
  cr_assert_eq(omr_result_statistics_json(table, &json, &error), OMR_ERR_USAGE);
  cr_assert_null(json);
  cr_assert_not_null(strstr(error.message, "not run"), "%s", error.message);
  omr_result_destroy(table);
  omr_study_destroy(study);
}
