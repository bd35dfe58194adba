/* Whole studies with names of their own, on the reference: run, stored, read, exported, resumed.
 * The stone of tests/study/thrown.h is thrown up without drag: h = v t - g t^2/2, g = 9.81 m/s2. */
#include "result/result.h"
#include "study/own_names.h"
#include "study/system/graph.h"
#include "tests/study/thrown.h"

#include <criterion/criterion.h>
#include <math.h>
#include <omniroll/omniroll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { INSTANCES = 12 };

static const char thrown[] =
    "{\"model\": \"multibody\", \"title\": \"A stone\", " THROWN_INTEGRATOR "," THROWN_PARAMETERS
    "," THROWN_SYSTEM ", \"vary\": [{\"path\": \"v\", \"uniform\": [1, 10]}],"
    "\"design\": {\"type\": \"monte_carlo\", \"instances\": 12, \"seed\": 3},"
    "\"output\": {\"trajectories\": {\"instances\": [2, 5, \"nominal\", \"extremes of "
    "final_height\"], \"interval\": \"0.1 s\"}},"
    "\"statistics\": {\"fail\": {\"high\": \"final_height > 2\", \"fast\": \"v > 20 km/h\"}},"
    "\"engine\": {\"chunk\": 3}}";

static char folder[64];

static void set_up(void) {
  snprintf(folder, sizeof folder, "/tmp/omniroll_own_XXXXXX");
  cr_assert_not_null(mkdtemp(folder));
}

static void tear_down(void) {
  char command[128];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  cr_expect_eq(system(command), 0);
}

TestSuite(own_study, .init = set_up, .fini = tear_down, .timeout = 120);

static const char *in_folder(const char *name) {
  static char path[4][128];
  static int next;
  char *made = path[next++ % 4];
  snprintf(made, sizeof *path, "%s/%s", folder, name);
  return made;
}

static omr_study *read_study(const char *const *set, size_t count) {
  omr_study *study = NULL;
  omr_error error = {0};
  cr_assert_eq(omr_study_parse(thrown, "thrown.json", set, count, &study, &error), OMR_OK, "%s",
               error.message);
  return study;
}

/* Run into a file, and opened again. */
static omr_result *run_into(const omr_study *study, const char *path) {
  omr_file_options options = OMR_FILE_OPTIONS_INIT;
  omr_result *result = NULL;
  omr_error error = {0};
  cr_assert_eq(omr_run_file(study, path, &options, NULL, &error), OMR_OK, "%s", error.message);
  cr_assert_eq(omr_result_open(path, &result, &error), OMR_OK, "%s", error.message);
  return result;
}

static double height(double v, double t) {
  return v * t - 0.5 * 9.81 * t * t;
}

static void expect_hash(const omr_result *a, const omr_result *b) {
  char one[33], other[33];
  omr_error error = {0};
  cr_assert_eq(omr_result_hash(a, one, &error), OMR_OK);
  cr_assert_eq(omr_result_hash(b, other, &error), OMR_OK);
  cr_expect_str_eq(one, other);
}

static void expect_heights(const omr_result *r) {
  cr_assert_eq(omr_result_instances(r), INSTANCES);
  cr_assert_eq(omr_result_columns(r), 2);
  cr_expect_str_eq(omr_result_column_name(r, 0), "v");
  cr_expect_str_eq(omr_result_column_unit(r, 0), "m s-1");
  cr_expect_str_eq(omr_result_column_name(r, 1), "final_height");
  for (size_t k = 0; k < INSTANCES; k++)
    cr_expect_float_eq(omr_result_column(r, 1)[k], height(omr_result_column(r, 0)[k], 0.5), 1e-9);
}

/* Samples of a traced instance against its speed, which its row has. */
static void expect_samples(const omr_result *r) {
  const size_t quantity = omr_result_find_quantity(r, "height");
  cr_assert_lt(quantity, omr_result_quantities(r));
  cr_assert_eq(omr_result_samples(r), 6);
  for (size_t i = 0; i < omr_result_traced(r); i++) {
    const double *h = omr_result_trajectory(r, quantity, NULL, NULL) + 6 * i,
                 v = omr_result_column(r, 0)[omr_result_traced_row(r, i)];
    for (size_t s = 0; s < 6; s++)
      cr_expect_float_eq(h[s], height(v, omr_result_sample_times(r)[s]), 1e-9);
  }
}

/* The result keeps the names when its study is gone, and the file has them. */
Test(own_study, a_run_is_stored_and_read_with_the_studys_names) {
  omr_study *study = read_study(NULL, 0);
  omr_result *memory = NULL;
  omr_error error = {0};
  cr_assert_eq(omr_run(study, NULL, &memory, &error), OMR_OK, "%s", error.message);
  omr_result *file = run_into(study, in_folder("r.h5"));
  omr_study_destroy(study);
  expect_hash(memory, file);
  for (int i = 0; i < 2; i++) {
    const omr_result *r = i ? file : memory;
    expect_heights(r);
    expect_samples(r);
    cr_expect_str_eq(r->columns[0].meaning, "speed at the start");
    cr_assert_geq(r->small_sample_count, 1);
    cr_expect_str_eq(r->small_info[0].name, "height");
    cr_expect_not_null(strstr(r->traced_names, "largest final_height"));
    cr_assert_not_null(r->nominal);
    cr_expect_float_eq(r->nominal->columns[1].values[0], height(5, 0.5), 1e-9);
    cr_expect_str_eq(r->record.backend, "reference");
  }
  for (int j = 0; j < memory->small_sample_count; j++) {
    cr_expect_str_eq(file->small_info[j].name, memory->small_info[j].name);
    cr_expect_str_eq(file->small_info[j].unit, memory->small_info[j].unit);
    cr_expect_str_eq(file->small_info[j].meaning, memory->small_info[j].meaning);
  }
  omr_result_destroy(memory);
  omr_result_destroy(file);
}

static bool stop_at_half(void *user, double done, double total) {
  (void)user;
  return done < 0.5 * total;
}

Test(own_study, a_run_that_was_stopped_goes_on_and_shards_are_joined) {
  omr_study *study = read_study(NULL, 0);
  omr_result *whole = run_into(study, in_folder("whole.h5")), *joined = NULL;
  omr_file_options options = OMR_FILE_OPTIONS_INIT;
  omr_error error = {0};
  options.run.progress = stop_at_half;
  cr_assert_eq(omr_run_file(study, in_folder("r.h5"), &options, NULL, &error), OMR_ERR_INTERRUPTED,
               "%s", error.message);
  options.run.progress = NULL;
  cr_assert_eq(omr_resume(in_folder("r.h5"), &options, NULL, &error), OMR_OK, "%s", error.message);
  cr_assert_eq(omr_result_open(in_folder("r.h5"), &joined, &error), OMR_OK, "%s", error.message);
  expect_hash(whole, joined);
  omr_result_destroy(joined);
  for (int shard = 1; shard <= 2; shard++) {
    options.shard = shard;
    options.shards = 2;
    cr_assert_eq(omr_run_file(study, in_folder("s.h5"), &options, NULL, &error), OMR_OK, "%s",
                 error.message);
  }
  cr_assert_eq(omr_result_open(in_folder("s.h5"), &joined, &error), OMR_OK, "%s", error.message);
  expect_hash(whole, joined);
  omr_result_destroy(joined);
  omr_result_destroy(whole);
  omr_study_destroy(study);
}

static char *written(omr_status (*write)(const char *, const char *, FILE *, omr_error *),
                     const char *columns) {
  char *text = NULL;
  size_t length;
  omr_error error = {0};
  FILE *out = open_memstream(&text, &length);
  cr_expect_eq(write(in_folder("r.h5"), columns, out, &error), OMR_OK, "%s", error.message);
  fclose(out);
  return text;
}

/* Of the twelve speeds those above 2 + g/8 over half a second, (2 + 1.22625)/0.5 = 6.4525 m/s, are
 * high. */
Test(own_study, statistics_and_tables_have_the_studys_names) {
  omr_study *study = read_study(NULL, 0);
  omr_result *r = run_into(study, in_folder("r.h5"));
  int high = 0;
  char expected[64], *json = NULL;
  omr_error error = {0};
  for (size_t k = 0; k < INSTANCES; k++) high += omr_result_column(r, 0)[k] > 6.4525;
  cr_assert(high > 0 && high < INSTANCES);
  cr_assert_eq(omr_analyze_json(in_folder("r.h5"), NULL, 0, NULL, &json, &error), OMR_OK, "%s",
               error.message);
  snprintf(expected, sizeof expected, "\"met\": %d,", high);
  cr_expect_not_null(strstr(json, "\"name\": \"final_height\""));
  cr_expect_not_null(strstr(json, "\"name\": \"v\", \"unit\": \"m s-1\""));
  const char *of_high = strstr(json, "\"name\": \"high\"");
  cr_expect(of_high && strstr(of_high, expected), "%s in %s", expected, json);
  free(json);
  char *rows = written(omr_export_instances, NULL),
       *paths = written(omr_export_trajectories, "height");
  cr_expect_eq(strncmp(rows, "instance,v [m s-1],final_height", 31), 0, "%.80s", rows);
  cr_expect_eq(strncmp(paths, "instance,time [s],height", 24), 0, "%.80s", paths);
  free(rows);
  free(paths);
  omr_result_destroy(r);
  omr_study_destroy(study);
}

/* A study of one vehicle of another, which is looked at at the same times: the same bits. */
Test(own_study, one_instance_is_a_study_of_its_own) {
  omr_study *study = read_study(NULL, 0), *alone = NULL;
  omr_result *all = run_into(study, in_folder("all.h5")), *one;
  omr_error error = {0};
  cr_assert_eq(omr_study_of_instances(study, "5", "", &alone, &error), OMR_OK, "%s", error.message);
  one = run_into(alone, in_folder("one.h5"));
  cr_assert_eq(omr_result_instances(one), 1);
  cr_expect_eq(omr_result_column(one, 0)[0], omr_result_column(all, 0)[5]);
  cr_expect_eq(omr_result_column(one, 1)[0], omr_result_column(all, 1)[5]);
  omr_result_destroy(one);
  omr_result_destroy(all);
  omr_study_destroy(alone);
  omr_study_destroy(study);
}

/* A stone without mass is none; the others fly. What is kept of those that fail is what the study
 * samples. */
Test(own_study, an_instance_that_makes_no_system_harms_no_other) {
  const char *const set[] = {"vary=[{\"path\": \"m\", \"values\": [1, -1, 2]}]", "design=null",
                             "statistics=null"};
  omr_study *study = read_study(set, 3);
  omr_result *r = run_into(study, in_folder("r.h5"));
  size_t instance;
  int status;
  double time;
  const char *name;
  cr_assert_eq(omr_result_failures(r), 1);
  cr_assert(omr_result_failure(r, 0, &instance, &status, &time));
  cr_expect_eq(instance, 1);
  cr_expect_eq(status, OMR_INSTANCE_INVALID);
  cr_expect_eq(strncmp(r->first_invalid, "instance 1: ", 12), 0, "%s", r->first_invalid);
  cr_expect_null(strstr(r->first_invalid, "thrown.json"), "said once: %s", r->first_invalid);
  cr_expect_not_null(strstr(r->first_invalid, "mass"), "%s", r->first_invalid);
  cr_assert(omr_result_state_quantity(r, 0, &name, NULL, NULL));
  cr_expect_str_eq(name, "height");
  for (size_t k = 0; k < 3; k += 2)
    cr_expect_float_eq(omr_result_column(r, 1)[k], height(5, 0.5), 1e-9);
  omr_result_destroy(r);
  omr_study_destroy(study);
}
