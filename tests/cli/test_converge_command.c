/* converge through the built program: the table, the line to put into the study, JSON and figure,
 * and what it refuses. The wheelset of tests/converge, whose errors are known. */
#include "program.h"

#include <cjson/cJSON.h>
#include <math.h>

static void set_up_studies(void) {
  set_up();
  write_file("wheelset.json",
             "{\"title\": \"swings\", \"model\": \"wheelset\","
             " \"parameters\": {\"plane\": {\"slope\": 0.08}, \"initial\": {\"vx\": 0.9}},"
             " \"vary\": [{\"path\": \"initial.yaw_rate\", \"linspace\": [1, 3, 8]}], \"design\": "
             "{\"type\": \"grid\"},"
             " \"integrator\": {\"method\": \"heun\", \"step\": 0.02, \"duration\": 2, \"accept\": "
             "{\"final_vx\": \"0.1 mm/s\"}},"
             " \"engine\": {\"backend\": \"openmp\"}}");
}

TestSuite(converge_command, .init = set_up_studies, .fini = tear_down, .timeout = 120);

static double number(const cJSON *object, const char *name) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
  cr_assert(item && (cJSON_IsNumber(item) || cJSON_IsNull(item)), "%s", name);
  return cJSON_IsNumber(item) ? item->valuedouble : (double)NAN;
}

static const char *word(const cJSON *object, const char *name) {
  const char *value = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
  cr_assert_not_null(value, "%s", name);
  return value;
}

/* What follows " or " is the rest of a command line. */
static void run_with(const char *line) {
  char command[1024];
  const char *end = strchr(line, '\n');
  cr_assert_not_null(end);
  snprintf(command, sizeof command, "\"$OMNIROLL\" run wheelset.json --strict -q -o chosen.h5 %.*s",
           (int)(end - line), line);
  cr_expect_eq(system(command), 0, "%s", command);
}

Test(converge_command, names_the_line_to_put_into_the_study) {
  expect(OMNIROLL("converge", "wheelset.json", "--budget", "3", "--quiet"), 0);
  expect_text(last.out,
              "swings\ninstances    8 of 8, 2 s each\ntruth        dormand_prince, tolerance ");
  expect_text(last.out, "heun, 20 ms (own)");
  expect_text(last.out, "  <- cheapest\n");
  expect_text(last.out, "Cheapest for final_vx to 0.0001 m s-1: ");
  expect_text(last.out, "\n  \"integrator\": {\"method\": \"");
  const char *line = strstr(last.out, "\n  or --set ");
  cr_assert_not_null(line);
  run_with(line + strlen("\n  or "));
}

Test(converge_command, prints_json_and_writes_it_with_a_figure) {
  expect(OMNIROLL("converge", "wheelset.json", "--budget", "10", "--json", "-o", "accuracy"), 0);
  char file[TEXT];
  read_file("accuracy.json", file);
  cJSON *root = cJSON_Parse(last.out), *kept = cJSON_Parse(file);
  cr_assert(root && kept, "%s", last.out);
  cr_expect(cJSON_Compare(root, kept, true));
  cr_expect(exists("accuracy.png"));
  cr_expect_str_eq(word(root, "title"), "swings");
  cr_expect_str_eq(word(cJSON_GetObjectItem(root, "truth"), "method"), "dormand_prince");
  const cJSON *rows = cJSON_GetObjectItem(root, "rows"), *row,
              *best = cJSON_GetObjectItem(cJSON_GetObjectItem(root, "cheapest"), "double");
  int singles = 0, own = 0;
  cJSON_ArrayForEach(row, rows) {
    const cJSON *error = cJSON_GetObjectItem(cJSON_GetObjectItem(row, "errors"), "final_vx");
    cr_expect_gt(number(row, "speed"), 0);
    cr_expect_geq(number(error, "worst"), number(error, "median"));
    cr_expect(isnan(number(row, "step")) != isnan(number(row, "tolerance")));
    singles += strcmp(word(row, "precision"), "single") == 0;
    own += cJSON_IsTrue(cJSON_GetObjectItem(row, "own"));
  }
  cr_expect(own == 1 && singles > 0);
  const cJSON *chosen = cJSON_GetArrayItem(rows, (int)number(best, "row"));
  cr_expect_str_eq(word(chosen, "method"), word(best, "method"));
  cr_expect(cJSON_IsTrue(cJSON_GetObjectItem(chosen, "accepted")));
  cr_expect_gt(number(root, "single_time"), 0);
  cr_expect_leq(number(root, "single_difference"), 1e-4);
  cJSON_Delete(root);
  cJSON_Delete(kept);
}

Test(converge_command, takes_accuracies_from_the_command_line) {
  expect(OMNIROLL("converge", "wheelset.json", "--budget", "3", "-q", "--accept", "drift=1 %",
                  "--accept", "path_length=0.01", "--precision", "double", "--sample", "3"),
         0);
  expect_text(last.out, "instances    3 of 8");
  expect_text(last.out, "Cheapest for path_length to 0.01 m, drift to 1 %: ");
  cr_expect_null(strstr(last.out, "single"), "%s", last.out);
  expect(OMNIROLL("converge", "wheelset.json", "--budget", "3", "-q", "--set",
                  "integrator.accept=null", "--observables", "downhill"),
         0);
  expect_text(last.out, "Cheapest for 1 % of every observable that the truth tells: ");
  expect_text(last.out, "errors       downhill: in % of its scale");
}

Test(converge_command, agrees_with_the_reference) {
  expect(OMNIROLL("converge", "wheelset.json", "--budget", "20", "-q", "--reference", "--json",
                  "--accept", "final_vx=1e-4 mm/s"),
         0);
  cJSON *root = cJSON_Parse(last.out);
  cr_assert_not_null(root, "%s", last.out);
  cr_expect(cJSON_IsTrue(cJSON_GetObjectItem(cJSON_GetObjectItem(root, "truth"), "reference")));
  cr_expect_eq(number(root, "instances"), 4);
  const cJSON *row;
  double least = 1;
  cJSON_ArrayForEach(row, cJSON_GetObjectItem(root, "rows")) {
    const cJSON *error = cJSON_GetObjectItem(cJSON_GetObjectItem(row, "errors"), "final_vx");
    least = fmin(least, number(error, "worst"));
  }
  cr_expect_lt(least, 1e-6, "the most accurate row is off by %g", least);
  cJSON_Delete(root);
}

Test(converge_command, refuses_with_a_remedy) {
  expect(OMNIROLL("converge"), 2);
  expect_text(last.err, "omniroll converge needs a STUDY");
  expect(OMNIROLL("converge", "wheelset.json", "--budget", "now"), 2);
  expect_text(last.err, "--budget now: expected a time in seconds");
  expect(OMNIROLL("converge", "wheelset.json", "--accept", "drift"), 2);
  expect_text(last.err, "expected NAME=ERROR, such as --accept \"vibration_rms=1 %\"");
  expect(OMNIROLL("converge", "wheelset.json", "--accept", "drfit=1 %"), 3);
  expect_text(last.err, "there is no observable \"drfit\"");
  expect(OMNIROLL("converge", "wheelset.json", "--observables", "final_vx,final_zz"), 2);
  expect_text(last.err, "no observable \"final_zz\"");
  expect(OMNIROLL("converge", "wheelset.json", "--instances", "0,8"), 2);
  expect(OMNIROLL("converge", "wheelset.json", "-o", "nowhere/accuracy"), 5);
  expect(OMNIROLL("converge", "wheelset.json", "--set", "integrator.duration=20000", "--budget",
                  "0.1"),
         3);
  expect_text(last.err, "takes longer than the budget of 0.1 s: give --budget ");
}
