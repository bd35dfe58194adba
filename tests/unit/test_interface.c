/* What callers use that know no struct: errors, texts, models and tasks. That a task gives the bits
 * of the program is tested from Python (tests/analysis/test_running.py). */
#define _GNU_SOURCE /* mkdtemp */
#include "support/support.h"
#include "tests/skip.h"

#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char study_text[] =
    "{\"model\": \"wheelset\", \"vary\": [{\"path\": \"plane.slope\", \"linspace\": [0.1, 0.2, "
    "6]}],"
    " \"integrator\": {\"step\": 1e-3, \"duration\": 0.1}, \"engine\": {\"backend\": \"openmp\", "
    "\"chunk\": 2, \"threads\": 1}}";

Test(interface, every_status_has_a_word) {
  for (int status = OMR_OK; status <= OMR_ERR_NEGATIVE; status++)
    cr_assert_not_null(omr_status_name(status));
  cr_assert_str_eq(omr_status_name(OMR_ERR_STUDY), "study");
  cr_assert_null(omr_status_name(OMR_ERR_NEGATIVE + 1));
  cr_assert_null(omr_status_name(-1));
}

Test(interface, an_error_is_read_by_functions) {
  omr_error *error = omr_error_create();
  omr_study *study = NULL;
  cr_assert_eq(omr_error_status(error), OMR_OK);
  cr_assert_str_empty(omr_error_message(error));
  cr_assert_eq(omr_study_parse("{", "broken", NULL, 0, &study, error), OMR_ERR_STUDY);
  cr_assert_eq(omr_error_status(error), OMR_ERR_STUDY);
  cr_assert_eq(strncmp(omr_error_message(error), "broken:1", 8), 0, "%s", omr_error_message(error));
  omr_error_destroy(error);
}

Test(interface, every_model_is_described) {
  size_t models = 0;
  for (const char *name; (name = omr_model_name(models)) != NULL; models++) {
    char *json = NULL;
    cr_assert_eq(omr_describe_json(name, &json, NULL), OMR_OK, "%s", name);
    cr_assert_not_null(strstr(json, name));
    cr_assert_not_null(strstr(json, "\"observables\""));
    omr_text_destroy(json);
  }
  cr_assert_eq(models, 10);
  char *json = NULL;
  cr_assert_eq(omr_describe_json("bicycle", &json, NULL), OMR_ERR_USAGE);
  cr_assert_null(json);
  omr_text_destroy(json);
}

Test(interface, there_is_a_schema_of_studies) {
  char *json = NULL;
  cr_assert_eq(omr_study_schema_json(&json, NULL), OMR_OK);
  cr_assert_not_null(strstr(json, "\"wheel_omni_vehicle\""));
  omr_text_destroy(json);
}

typedef struct told {
  omr_task *task;
  int calls, lines;
  double stop_at, last;
} told;

static bool on_progress(void *user, double done, double total) {
  told *t = user;
  t->calls++;
  t->last = done / total;
  if (t->last >= t->stop_at) omr_task_stop(t->task);
  return true;
}

static void on_line(void *user, const char *line) {
  told *t = user;
  t->lines++;
  cr_assert_null(strchr(line, '\n'));
}

static omr_study *read_study(void) {
  omr_study *study = NULL;
  omr_error error = {0};
  cr_assert_eq(omr_study_parse(study_text, "study", NULL, 0, &study, &error), OMR_OK, "%s",
               error.message);
  return study;
}

static omr_task *make_task(told *t, double stop_at) {
  *t = (told){.task = omr_task_create(), .stop_at = stop_at};
  omr_task_on_progress(t->task, on_progress, t);
  omr_task_on_line(t->task, on_line, t);
  return t->task;
}

/* Stopped in the second of three chunks; resumed by another task, with the steps that were there
 * counted from the first call on.
 */
Test(interface, a_task_is_stopped_and_resumed) {
  char folder[] = "/tmp/omniroll-interface-XXXXXX", path[64];
  cr_assert_not_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/r.h5", folder);
  omr_study *study = read_study();
  omr_error error = {0};
  told t;
  omr_task *task = make_task(&t, 0.5);
  cr_assert_eq(omr_task_run(task, study, path, &error), OMR_ERR_INTERRUPTED, "%s", error.message);
  cr_assert_not(omr_task_complete(task));
  cr_assert_str_empty(omr_task_summary(task));
  const size_t finished = omr_task_finished(task);
  cr_assert(finished >= 1 && finished < 3, "%zu", finished);
  omr_task_destroy(task);

  static const char *const threads[] = {"engine.threads=2"}, *const precision[] = {
                                                                 "engine.precision=single"};
  task = make_task(&t, 2.0);
  cr_assert_eq(omr_task_resume(task, path, precision, 1, &error), OMR_ERR_USAGE);
  cr_assert_eq(omr_task_resume(task, path, threads, 1, &error), OMR_OK, "%s", error.message);
  cr_assert(omr_task_complete(task));
  cr_assert_not(omr_task_was_there(task));
  cr_assert_eq(omr_task_chunks(task), 3);
  cr_assert_eq(omr_task_finished(task), 3);
  cr_assert_float_eq(t.last, 1.0, 0);
  cr_assert_not_null(strstr(omr_task_summary(task), "6 ok"));
  cr_assert_eq(omr_task_resume(task, path, NULL, 0, &error), OMR_OK);
  cr_assert(omr_task_was_there(task));
  omr_task_destroy(task);
  omr_study_destroy(study);
  cr_assert_eq(unlink(path), 0);
  cr_assert_eq(rmdir(folder), 0);
}

Test(interface, a_task_that_was_stopped_before_does_not_begin) {
  char folder[] = "/tmp/omniroll-interface-XXXXXX", path[64];
  cr_assert_not_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/r.h5", folder);
  omr_study *study = read_study();
  omr_error error = {0};
  omr_task *task = omr_task_create();
  omr_task_stop(task);
  cr_assert_eq(omr_task_run(task, study, path, &error), OMR_ERR_INTERRUPTED);
  cr_assert_str_eq(error.message, "interrupted before a chunk was finished; nothing is left");
  omr_task_destroy(task);
  omr_study_destroy(study);
  cr_assert_eq(rmdir(folder), 0);
}

/* The file that the image is of is what omr_result_open reads. */
Test(interface, a_task_runs_in_memory) {
  omr_study *study = read_study();
  omr_error error = {0};
  omr_result *result = NULL, *again = NULL;
  told t;
  omr_task *task = make_task(&t, 2.0);
  cr_assert_eq(omr_task_run_in_memory(task, study, &result, &error), OMR_OK, "%s", error.message);
  cr_assert(omr_task_complete(task));
  cr_assert_float_eq(t.last, 1.0, 0);
  cr_assert_not_null(strstr(omr_task_summary(task), "6 ok"));
  char *json = NULL, *image = NULL, path[] = "/tmp/omniroll-interface-XXXXXX", here[33], there[33];
  size_t bytes = 0;
  cr_assert_eq(omr_result_about_json(result, &json, &error), OMR_OK, "%s", error.message);
  cr_assert_not_null(strstr(json, "\"flag_meanings\": \"ok "));
  omr_text_destroy(json);
  cr_assert_eq(omr_result_image(result, &image, &bytes, &error), OMR_OK, "%s", error.message);
  const int file = mkstemp(path);
  cr_assert_eq(write(file, image, bytes), (ssize_t)bytes);
  cr_assert_eq(close(file), 0);
  omr_text_destroy(image);
  cr_assert_eq(omr_result_open(path, &again, &error), OMR_OK, "%s", error.message);
  cr_assert_eq(omr_result_hash(result, here, &error), OMR_OK);
  cr_assert_eq(omr_result_hash(again, there, &error), OMR_OK);
  cr_assert_str_eq(here, there);
  cr_assert_null(omr_result_retries(result));
  cr_assert_eq(unlink(path), 0);
  omr_result_destroy(again);
  omr_result_destroy(result);
  omr_task_stop(task);
  cr_assert_eq(omr_task_run_in_memory(task, study, &result, &error), OMR_ERR_INTERRUPTED);
  cr_assert_null(result);
  cr_assert_not(omr_task_complete(task));
  omr_task_destroy(task);
  omr_study_destroy(study);
}

/* JSON that has a name twice is read differently by different readers. */
static void expect_each_name_once(const cJSON *object, const char *where) {
  for (const cJSON *item = object->child; item; item = item->next) {
    for (const cJSON *later = item->next; later && item->string; later = later->next)
      cr_expect_str_neq(item->string, later->string, "in %s", where);
    expect_each_name_once(item, item->string ? item->string : where);
  }
}

Test(interface, what_is_said_of_a_result_names_each_member_once) {
  static const char *const trace[] = {
      "output={\"observables\": [\"path_length\"], \"trajectories\": "
      "{\"instances\": [\"extremes of path_length\"], \"interval\": 0.01}}"};
  omr_study *study = NULL;
  omr_error error = {0};
  omr_result *result = NULL;
  char *json = NULL;
  cr_assert_eq(omr_study_parse(study_text, "study", trace, 1, &study, &error), OMR_OK, "%s",
               error.message);
  omr_task *task = omr_task_create();
  cr_assert_eq(omr_task_run_in_memory(task, study, &result, &error), OMR_OK, "%s", error.message);
  cr_assert_eq(omr_result_about_json(result, &json, &error), OMR_OK, "%s", error.message);
  cr_assert_not_null(strstr(json, "\"traced_names\""));
  cJSON *root = cJSON_Parse(json);
  cr_assert_not_null(root);
  expect_each_name_once(root, "the whole");
  cJSON_Delete(root);
  omr_text_destroy(json);
  omr_result_destroy(result);
  omr_task_destroy(task);
  omr_study_destroy(study);
}

/* A wheelset of a step that is stable: no warning; a trace of instance 1. */
Test(interface, validation_is_json) {
  static const char *const trace[] = {
      "output.trajectories={\"instances\": [1], \"interval\": 0.01}"};
  omr_study *study = NULL;
  char *json = NULL;
  cr_assert_eq(omr_study_parse(study_text, "study", trace, 1, &study, NULL), OMR_OK);
  cr_assert_eq(omr_study_validate_json(study, &json, NULL), OMR_OK);
  static const char *const expected[] = {"\"instances\": 6",        "\"column\": \"plane_slope\"",
                                         "\"traced\": [1]",         "\"law\": null",
                                         "\"instance_steps\": 600", "\"warnings\": []"};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
    cr_assert_not_null(strstr(json, expected[i]), "%s in %s", expected[i], json);
  omr_text_destroy(json);
  omr_study_destroy(study);
}

/* The number behind "name" in a flat JSON object. */
static double member(const char *json, const char *name) {
  char key[32];
  snprintf(key, sizeof key, "\"%s\":", name);
  const char *at = strstr(json, key);
  cr_assert_not_null(at, "%s in %s", key, json);
  return atof(at + strlen(key));
}

/* The sum of the parts is that of count.h; a wheelset step has divisions and roots. Builds without
 * counting say so. */
Test(interface, operations_are_json) {
  omr_study *study = read_study();
  char *json = NULL;
  omr_error error = {0};
  const omr_status status = omr_study_operations_json(study, &json, &error);
  if (status == OMR_ERR_DEVICE) {
    cr_assert_not_null(strstr(error.message, "operations are not counted in this build"));
    cr_assert_null(json);
    skip_part("%s", error.message);
  } else {
    static const char *const names[] = {"add", "multiply", "fma", "divide", "sqrt"};
    cr_assert_eq(status, OMR_OK, "%s", error.message);
    double sum = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
      sum += (i == 2 ? 2 : 1) * member(json, names[i]);
    cr_assert_gt(sum, 100);
    cr_assert_float_eq(member(json, "useful"), sum, 1e-9 * sum);
  }
  omr_text_destroy(json);
  omr_study_destroy(study);
}
