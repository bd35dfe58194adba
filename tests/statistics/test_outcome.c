/* What an adaptive run came to, as people and programs read it: the numbers of the subset
 * simulation and of the stopped run that are in memory, and the identities between them. */
#define _GNU_SOURCE /* open_memstream */
#include "../unit/made_result.h"
#include "result/hdf5_file.h"
#include "statistics/outcome_parts.h"
#include "statistics/statistics.h"

#include <cjson/cJSON.h>
#include <hdf5.h>
#include <hdf5_hl.h>

TestSuite(outcome, .init = make_folder, .fini = remove_folder);

#define STUDY(design, statistics)                                                                  \
  "{\"model\": \"uk_wheel\", \"engine\": {\"backend\": \"openmp\", \"chunk\": 50},"                \
  " \"vary\": [{\"path\": \"mass\", \"uniform\": [20, 30]}, {\"path\": \"radius\", \"uniform\": "  \
  "[0.25, 0.35]}], \"output\": {\"observables\": [\"final_x\", \"max_speed\"]},"                   \
  " \"integrator\": {\"step\": 0.1, \"duration\": 4, \"step_error\": \"off\"},"                    \
  " \"design\": {" design ", \"seed\": 3}, \"statistics\": {" statistics "}}"
#define SUBSET(levels) "\"type\": \"subset_simulation\", \"instances\": 100, \"levels\": " levels
#define DRAWS "\"type\": \"monte_carlo\", \"instances\": 200"

static omr_study *study;
static omr_result *result;
static const omr_outcome *o;
static char *printed;
static cJSON *root;
static hid_t file;

static void run_study(const char *text) {
  omr_error error = {0};
  size_t size;
  char *json = NULL;
  cr_assert_eq(omr_study_parse(text, "s.json", NULL, 0, &study, &error), OMR_OK, "%s",
               error.message);
  cr_assert_eq(omr_run(study, NULL, &result, &error), OMR_OK, "%s", error.message);
  o = result->statistics->outcome;
  cr_assert_not_null(o);
  FILE *out = open_memstream(&printed, &size);
  omr_outcome_print(o, out);
  fclose(out);
  out = open_memstream(&json, &size);
  omr_outcome_print_json(o, out);
  fclose(out);
  root = cJSON_ParseWithOpts(json, NULL, true);
  cr_assert_not_null(root, "%s", json);
  free(json);
  cr_assert_eq(omr_result_write(result, in_folder("r.h5"), &error), OMR_OK, "%s", error.message);
  file = H5Fopen(in_folder("r.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
  cr_assert_geq(file, 0);
}

static void end_study(void) {
  H5Fclose(file);
  cJSON_Delete(root);
  free(printed);
  omr_result_destroy(result);
  omr_study_destroy(study);
}

static double attribute(const char *group, const char *name) {
  double value = (double)NAN;
  cr_assert_gt(H5Aexists_by_name(file, group, name, H5P_DEFAULT), 0, "%s of %s", name, group);
  cr_assert_geq(H5LTget_attribute_double(file, group, name, &value), 0, "%s of %s", name, group);
  return value;
}

static double number(const char *object, const char *key) {
  const cJSON *item = cJSON_GetObjectItem(cJSON_GetObjectItem(root, object), key);
  cr_assert_not_null(item, "%s", key);
  return cJSON_IsNull(item) ? (double)NAN : cJSON_GetNumberValue(item);
}

static void read_level(const char *name, double *values) {
  char path[64];
  hsize_t count = 0;
  snprintf(path, sizeof path, "/statistics/subset/%s", name);
  cr_assert_geq(H5LTget_dataset_info(file, path, &count, NULL, NULL), 0, "no %s", path);
  cr_assert_eq(count, o->found.levels, "%s", path);
  cr_assert_geq(H5LTread_dataset_double(file, path, values), 0);
}

static void expect_same(const char *name, double found, double expected) {
  if (isnan(expected))
    cr_expect(isnan(found), "%s: %g, not NaN", name, found);
  else
    cr_expect_float_eq(found, expected, 1e-14 * (1 + fabs(expected)), "%s: %g, not %g", name, found,
                       expected);
}

static void expect_levels(void) {
  double level[16], p[16], acceptance[16], instances[16], scale[16], correlation[16], sum = 0;
  const cJSON *list = cJSON_GetObjectItem(cJSON_GetObjectItem(root, "subset"), "levels");
  cr_assert_eq((size_t)cJSON_GetArraySize(list), o->found.levels);
  read_level("level", level);
  read_level("conditional_probability", p);
  read_level("acceptance", acceptance);
  read_level("instances", instances);
  read_level("scale", scale);
  read_level("correlation", correlation);
  for (size_t l = 0; l < o->found.levels; l++) {
    const cJSON *row = cJSON_GetArrayItem(list, (int)l);
    expect_same("level", level[l], (double)l);
    expect_same("probability", p[l],
                cJSON_GetNumberValue(cJSON_GetObjectItem(row, "conditional_probability")));
    expect_same("scale", scale[l], o->found.level[l].scale);
    expect_same("correlation", correlation[l], o->found.level[l].correlation);
    if (l)
      cr_expect(0 < acceptance[l] && acceptance[l] <= 1 && scale[l] > 0);
    else
      cr_expect(isnan(acceptance[l]) && isnan(scale[l]));
    sum += instances[l];
  }
  cr_expect_eq(sum, (double)result->instances, "every instance is of one level");
}

/* The probability is the product of those of the levels. */
static void expect_subset(void) {
  double product = 1;
  for (size_t l = 0; l < o->found.levels; l++) product *= o->found.level[l].probability;
  expect_same("product", number("subset", "probability"), product);
  expect_same("attribute", attribute("/statistics/subset", "probability"), product);
  expect_same("confidence", attribute("/statistics/subset", "confidence"), 0.9);
  expect_same("variation", attribute("/statistics/subset", "coefficient_of_variation"),
              o->found.variation);
  cr_expect_eq(number("subset", "instances"), (double)result->instances);
  cr_expect_not_null(strstr(printed, "of the 100 instances of level 0"), "%s", printed);
  expect_levels();
}

Test(outcome, of_a_subset_simulation_that_reached_the_failures) {
  run_study(STUDY(SUBSET("8"), "\"confidence\": 0.9, \"fail\": \"final_x > 6.65 m\""));
  cr_assert_gt(o->found.levels, 1);
  cr_assert_eq(o->found.end, OMR_SUBSET_REACHED);
  expect_subset();
  cr_expect_null(strstr(printed, "it ended early"), "%s", printed);
  double threshold[16];
  read_level("threshold", threshold);
  for (size_t l = 1; l < o->found.levels; l++) cr_expect_gt(threshold[l], threshold[l - 1]);
  cr_expect_eq(threshold[o->found.levels - 1], 0, "failure is a margin above 0");
  end_study();
}

Test(outcome, of_a_subset_simulation_that_ended_early) {
  run_study(STUDY(SUBSET("2"), "\"confidence\": 0.9, \"fail\": \"final_x > 9 m\""));
  cr_assert_eq(o->found.end, OMR_SUBSET_LEVELS);
  cr_expect_not_null(strstr(printed, "it ended early: as many levels as the design allows"), "%s",
                     printed);
  cr_expect_not_null(strstr(printed, "no failure was found"), "%s", printed);
  end_study();
}

/* Half an interval of the mean is t s / sqrt(n); the width that is printed is that of the bounds.
 */
Test(outcome, of_a_run_that_its_interval_stopped_tells_the_width_with_its_unit) {
  run_study(STUDY(DRAWS, "\"stop\": {\"quantity\": \"mean final_x\", \"width\": 0.2}"));
  char expected[64];
  cr_assert(o->reached && result->instances < 200);
  snprintf(expected, sizeof expected, "; %.4g m wide, 0.2 asked for\n",
           number("stop", "high") - number("stop", "low"));
  cr_expect_not_null(strstr(printed, expected), "%s is not in %s", expected, printed);
  cr_expect_str_eq(
      cJSON_GetStringValue(cJSON_GetObjectItem(cJSON_GetObjectItem(root, "stop"), "ended_by")),
      "interval");
  end_study();
}

/* A probability has no unit; all instances are run where the interval stays too wide. */
Test(outcome, of_a_run_that_took_all_instances_says_so) {
  run_study(STUDY(DRAWS, "\"fail\": \"final_x > 6 m\", \"stop\": {\"quantity\": \"fail\", "
                         "\"width\": 0.001}"));
  cr_assert_eq(result->instances, 200);
  cr_expect_not_null(strstr(printed, "all instances were run, the interval is wider"), "%s",
                     printed);
  cr_expect_not_null(strstr(printed, " wide, 0.001 asked for\n"), "%s", printed);
  cr_expect_null(strstr(printed, "1 wide, 0.001"), "%s", printed);
  cr_expect_str_eq(
      cJSON_GetStringValue(cJSON_GetObjectItem(cJSON_GetObjectItem(root, "stop"), "ended_by")),
      "instances");
  end_study();
}
