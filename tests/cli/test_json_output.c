/* --json of every command that reads: one JSON object on standard output, and nothing else there.
 */
#include "../unit/built_sets.h"
#include "program.h"

#include <cjson/cJSON.h>
#include <ctype.h>

#define STUDY                                                                                      \
  "{\"title\": \"read\", \"model\": \"omni_vehicle\","                                             \
  " \"vary\": [{\"path\": \"wheel.friction\", \"uniform\": [0.2, 0.5]},"                           \
  "            {\"path\": \"platform.center_of_mass.height\", \"values\": [0.1, 3]}],"             \
  " \"design\": {\"type\": \"monte_carlo\", \"instances\": 8, \"seed\": 3},"                       \
  " \"parameters\": {\"wheel\": {\"initial\": {\"rate\": -30}}, \"initial\": {\"vx\": \"2 "        \
  "m/s\"}},"                                                                                       \
  " \"integrator\": {\"step\": \"1 ms\", \"duration\": \"50 ms\", \"stability\": \"ignore\"},"     \
  " \"engine\": {\"backend\": \"openmp\"},"                                                        \
  " \"output\": {\"trajectories\": {\"instances\": [0, 1], \"interval\": \"10 ms\"}}}"

static void start_up(void) {
  set_up();
  write_file("read.json", STUDY);
  expect(OMNIROLL("run", "read.json", "-q"), OMR_OK);
}

TestSuite(json_output, .init = start_up, .fini = tear_down, .timeout = 120);

static void expect_snake_case(const char *command, const cJSON *node) {
  for (const cJSON *child = node->child; child; child = child->next) {
    for (const char *c = child->string; c && *c; c++)
      cr_expect(islower((unsigned char)*c) || isdigit((unsigned char)*c) || *c == '_', "%s: \"%s\"",
                command, child->string);
    expect_snake_case(command, child);
  }
}

static cJSON *parse(const char *command, const outcome *o) {
  const char *end = NULL;
  expect(o, OMR_OK);
  cJSON *root = cJSON_ParseWithOpts(o->out, &end, true);
  cr_assert_not_null(root, "%s: %.300s", command, o->out);
  cr_expect(cJSON_IsObject(root), "%s", command);
  cr_expect_null(strchr(o->out, '\033'));
  expect_snake_case(command, root);
  return root;
}

#define JSON(...) parse(#__VA_ARGS__, OMNIROLL(__VA_ARGS__, "--json"))

static void expect_member(cJSON *root, const char *name) {
  cr_expect_not_null(cJSON_GetObjectItemCaseSensitive(root, name), "%s", name);
  cJSON_Delete(root);
}

Test(json_output, of_every_reading_command_parses) {
  expect_member(JSON("validate", "read.json"), "instances");
  expect_member(JSON("plan", "read.json"), "memory_bytes");
  expect_member(JSON("describe", "omni_wheel"), "parameters");
  expect_member(JSON("devices"), "devices");
  expect_member(JSON("selftest", "--device", any_set()), "checks");
  expect_member(JSON("show", "read.json"), "wheels");
  expect_member(JSON("sample", "read.json"), "rows");
  expect_member(JSON("export", "read.h5"), "rows");
  expect_member(JSON("export", "read.h5", "--trajectories"), "rows");
  expect_member(JSON("verify", "read.h5"), "problems");
  expect_member(JSON("analyze", "read.h5"), "quantities");
  expect_member(JSON("run", "read.json", "--hash"), "hash");
  expect_member(JSON("run", "read.json", "-o", "again.h5", "--nominal"), "quantities");
  expect_member(JSON("resume", "read.h5"), "quantities");
  expect_member(JSON("new", "--list"), "kinds");
  expect_member(JSON("help"), "commands");
  expect_member(JSON("help", "run"), "exit_codes");
}

/* Where this build has a reference. */
Test(json_output, of_the_reference_parses) {
  if (OMNIROLL("reference", "read.json", "--instances", "0", "--set", "integrator.duration=1e-2",
               "--json")
          ->code == OMR_ERR_DEVICE)
    cr_skip_test("no reference in this build");
  cJSON *root = parse("reference", &last);
  const cJSON *instance = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "instances"), 0);
  cr_expect_str_eq(cJSON_GetStringValue(cJSON_GetObjectItem(instance, "status")), "ok");
  cr_expect_gt(cJSON_GetArraySize(cJSON_GetObjectItem(instance, "drift")), 0);
  cr_expect_gt(cJSON_GetArraySize(cJSON_GetObjectItem(instance, "final_states")), 3);
  cr_expect_gt(cJSON_GetArraySize(cJSON_GetObjectItem(instance, "observables")), 3);
  cJSON_Delete(root);
}

/* A run prints the statistics of its result as analyze does; a shard, how many chunks are done. */
Test(json_output, of_a_run_is_what_analyze_prints) {
  OMNIROLL("run", "read.json", "-o", "a.h5", "--json");
  char *first = strdup(last.out);
  cr_expect_str_eq(OMNIROLL("analyze", "a.h5", "--json")->out, first);
  cJSON *root = JSON("run", "read.json", "-o", "b.h5", "--shard", "1/2", "--set", "engine.chunk=4");
  cr_expect(cJSON_IsFalse(cJSON_GetObjectItem(root, "complete")));
  cr_expect_eq(cJSON_GetObjectItem(root, "finished")->valueint, 1);
  cJSON_Delete(root);
  OMNIROLL("run", "read.json", "-o", "c.h5", "--shard", "2/2", "-q", "--set", "engine.chunk=4");
  cr_expect_str_eq(OMNIROLL("merge", "-o", "m.h5", "b.h5", "c.h5", "--json")->out, first);
  free(first);
}

/* Every command whose help has --json is one of those above, or one whose tests are elsewhere. */
Test(json_output, is_tried_of_every_command_that_has_it) {
  static const char *const tried[] = {"validate",
                                      "plan",
                                      "describe",
                                      "devices",
                                      "sample",
                                      "show",
                                      "export",
                                      "verify",
                                      "analyze",
                                      "run",
                                      "resume",
                                      "merge" /* below */,
                                      "new",
                                      "help",
                                      "reference",
                                      "compare" /* test_compare_command.c */,
                                      "bench" /* test_bench_command.c */,
                                      "converge" /* test_converge_command.c */,
                                      "calibrate" /* tests/calibrate/test_command.c */,
                                      "excite" /* tests/calibrate/test_excite.c */,
                                      "evaluate" /* test_evaluate_command.c */,
                                      "optimize" /* tests/analysis/test_optimize_command.py */,
                                      "export-model" /* tests/simulators/test_export_model.py */,
                                      "selftest"};
  cJSON *root = JSON("help");
  const cJSON *command, *option;
  cJSON_ArrayForEach(command, cJSON_GetObjectItem(root, "commands")) {
    const char *name = cJSON_GetStringValue(cJSON_GetObjectItem(command, "name"));
    bool has = false, known = false;
    cJSON_ArrayForEach(option, cJSON_GetObjectItem(command, "options")) has =
        has || strcmp(cJSON_GetStringValue(cJSON_GetObjectItem(option, "name")), "json") == 0;
    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++)
      known = known || strcmp(name, tried[i]) == 0;
    cr_expect(!has || known, "omniroll %s --json is not tried here", name);
  }
  cJSON_Delete(root);
}

/* The same numbers as the CSV, null for its empty fields, units, and as many values as columns. */
Test(json_output, tables_are_those_of_the_csv) {
  cJSON *root = JSON("export", "read.h5");
  const cJSON *columns = cJSON_GetObjectItem(root, "columns"),
              *rows = cJSON_GetObjectItem(root, "rows"), *row;
  const int count = cJSON_GetArraySize(columns);
  cr_assert_eq(cJSON_GetArraySize(rows), 8);
  const cJSON *second = cJSON_GetArrayItem(columns, 2);
  cr_expect_str_eq(cJSON_GetStringValue(cJSON_GetObjectItem(second, "name")),
                   "platform_center_of_mass_height");
  cr_expect_str_eq(cJSON_GetStringValue(cJSON_GetObjectItem(second, "unit")), "m");
  cr_expect_str_eq(
      cJSON_GetStringValue(cJSON_GetObjectItem(cJSON_GetArrayItem(columns, 1), "unit")), "1");
  char *line = (char *)(uintptr_t)OMNIROLL("export", "read.h5")->out;
  line += strcspn(line, "\n") + 1;
  int words = 0, missing = 0;
  cJSON_ArrayForEach(row, rows) {
    cr_assert_eq(cJSON_GetArraySize(row), count);
    for (int c = 0; c < count; c++) {
      const cJSON *value = cJSON_GetArrayItem(row, c);
      const size_t length = strcspn(line, ",\n");
      if (cJSON_IsNull(value))
        cr_expect_eq(length, 0);
      else if (cJSON_IsString(value))
        cr_expect(strlen(value->valuestring) == length &&
                  strncmp(value->valuestring, line, length) == 0);
      else
        cr_expect(value->valuedouble == strtod(line, NULL));
      words += cJSON_IsString(value);
      missing += cJSON_IsNull(value);
      line += length + 1;
    }
  }
  cr_expect_eq(words, 8, "the status");
  cr_expect_gt(missing, 0, "the study should have failed instances, whose deviation is not known");
  cJSON_Delete(root);
}

static void expect_warning(const char *command, cJSON *root, bool expected) {
  static char first[512] = "";
  const cJSON *list = cJSON_GetObjectItem(root, "warnings");
  cr_assert_eq(cJSON_GetArraySize(list), expected, "%s", command);
  if (expected) {
    const char *text = cJSON_GetStringValue(cJSON_GetArrayItem(list, 0));
    if (!first[0]) snprintf(first, sizeof first, "%s", text);
    cr_expect_str_eq(text, first, "%s", command);
    cr_expect_eq(strncmp(text, "a step of 1 ms is too long for the friction law of instance ", 60),
                 0, "%s: %s", command, text);
    expect_text(text, "shorten integrator.step");
  }
  cJSON_Delete(root);
}

/* The same words while a study is looked at, run, and kept as a file, whatever was printed then and
 * however it was cut. */
Test(json_output, has_what_the_run_warned_of) {
  for (int warn = 0; warn < 2; warn++) {
    const char *setting = warn ? "integrator.stability=warn" : "integrator.stability=ignore";
    expect_warning("validate", JSON("validate", "read.json", "--set", setting), warn);
    expect_warning("run --hash", JSON("run", "read.json", "--hash", "-q", "--set", setting), warn);
    expect(OMNIROLL("run", "read.json", "-q", "--set", setting, "-o", "w.h5", "--overwrite"),
           OMR_OK);
    expect_warning("analyze", JSON("analyze", "w.h5"), warn);
    cr_expect_eq(strstr(OMNIROLL("analyze", "w.h5")->out, "  warning   a step of 1 ms") != NULL,
                 warn);
    expect(OMNIROLL("run", "read.json", "-q", "--set", setting, "-o", "c.h5", "--set",
                    "engine.chunk=3", "--overwrite"),
           OMR_OK);
    expect_warning("analyze", JSON("analyze", "c.h5"), warn);
    expect(OMNIROLL("run", "read.json", "-q", "--set", setting, "-o", "s.h5", "--set",
                    "engine.chunk=3", "--overwrite", "--set",
                    "statistics={\"failed_limit\":1,\"fail\":{\"a\":\"wheel_friction > "
                    "0.3\"},\"stop\":{\"quantity\":\"fail.a\",\"width\":0.01,\"instances\":3}}"),
           OMR_OK);
    cJSON *stopped =
        cJSON_Parse(OMNIROLL("analyze", "s.h5", "--json")->out); /* "fail.a" has a dot */
    cr_expect_eq(cJSON_GetNumberValue(cJSON_GetObjectItem(stopped, "rows")), 3);
    expect_warning("of a run that stopped", stopped, warn);
  }
}

/* Two backends in two precisions with the answers of selftest.c, of which openmp runs both lane
 * objects. */
Test(json_output, of_the_selftest_has_a_row_for_every_check) {
  cJSON *root = JSON("selftest", "--device", any_set());
  const cJSON *checks = cJSON_GetObjectItem(root, "checks"), *row;
  int singles = 0, openmp = 0;
  cr_expect(cJSON_IsTrue(cJSON_GetObjectItem(root, "passed")));
  cr_assert_eq(cJSON_GetArraySize(checks), 4);
  cJSON_ArrayForEach(row, checks) {
    const bool single =
        strcmp(cJSON_GetStringValue(cJSON_GetObjectItem(row, "precision")), "single") == 0;
    const bool lanes =
        strcmp(cJSON_GetStringValue(cJSON_GetObjectItem(row, "backend")), "openmp") == 0;
    singles += single;
    openmp += lanes;
    cr_expect_str_eq(cJSON_GetStringValue(cJSON_GetObjectItem(row, "check")), "known_answer");
    cr_expect_str_eq(cJSON_GetStringValue(cJSON_GetObjectItem(row, "device")), any_set());
    cr_expect(cJSON_IsTrue(cJSON_GetObjectItem(row, "passed")));
    cr_expect_eq(cJSON_GetNumberValue(cJSON_GetObjectItem(row, "values")), lanes ? 16 : 8);
    cr_expect_eq(cJSON_IsTrue(cJSON_GetObjectItem(row, "same_bits")), !single);
    cr_expect_eq(cJSON_GetNumberValue(cJSON_GetObjectItem(row, "largest_difference")) > 0, single);
    expect_text(cJSON_GetStringValue(cJSON_GetObjectItem(row, "message")), "largest difference");
  }
  cr_expect(singles == 2 && openmp == 2);
  cJSON_Delete(root);
}

/* A device that is not here is an error without output. */
Test(json_output, of_the_selftest_needs_the_device) {
  expect(OMNIROLL("selftest", "--device", "9:9", "--json"), OMR_ERR_DEVICE);
  cr_expect_str_empty(last.out);
}

Test(json_output, goes_to_a_file_too) {
  char text[TEXT];
  expect(OMNIROLL("export", "read.h5", "--json", "-o", "rows.json"), OMR_OK);
  cr_expect_str_empty(last.out);
  read_file("rows.json", text);
  cJSON *root = cJSON_Parse(text);
  cr_expect_not_null(root, "%.200s", text);
  cJSON_Delete(root);
}
