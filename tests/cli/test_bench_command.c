/* A small bench through the built program: what its JSON and CSV hold, and which options it
 * refuses. */
#include "../../host/support/support.h"
#include "program.h"

#include <cjson/cJSON.h>
#include <math.h>

TestSuite(bench, .init = set_up, .fini = tear_down, .timeout = 1800);

static cJSON *read_json(const char *path) {
  char *text;
  size_t length;
  omr_error error = {0};
  cr_assert_eq(omr_read_file(path, &text, &length, &error), OMR_OK, "%s", error.message);
  cJSON *root = cJSON_Parse(text);
  cr_assert_not_null(root, "%s is no JSON", path);
  free(text);
  return root;
}

static const char *word(const cJSON *row, const char *name) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(row, name);
  cr_assert_not_null(item, "no member %s", name);
  return cJSON_IsString(item) ? item->valuestring : "";
}

/* NaN for null. */
static double number(const cJSON *row, const char *name) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(row, name);
  cr_assert(item && (cJSON_IsNull(item) || cJSON_IsNumber(item)), "%s is no number and not null",
            name);
  return cJSON_IsNumber(item) ? item->valuedouble : (double)NAN;
}

static bool close_to(double a, double b) {
  return fabs(a - b) <= 1e-9 * fabs(b);
}

static const char *const words[] = {"section",   "name",  "backend", "isa",    "numerics",
                                    "precision", "model", "law",     "method", "exchange"};
static const char *const numbers[] = {
    "lanes",         "threads",          "wheels",    "rollers",          "instances",
    "steps",         "seconds",          "spread",    "steps_per_second", "operations_per_step",
    "flops",         "fraction_of_peak", "ratio",     "deviation",        "bytes_per_step",
    "build_seconds", "transfer_seconds", "registers", "spill_bytes",      "private_bytes"};

/* Members and what follows from other members, by their definitions. */
static void expect_row(const cJSON *row) {
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) word(row, words[i]);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) number(row, numbers[i]);
  word(row, "device");
  cr_expect(cJSON_IsBool(cJSON_GetObjectItem(row, "observers")));
  const char *error = word(row, "error"), *name = word(row, "name");
  const double speed = number(row, "steps_per_second"),
               operations = number(row, "operations_per_step");
  if (*error) {
    cr_expect(isnan(speed), "%s has an error and a speed", name);
    return;
  }
  cr_expect(speed > 0 && close_to(number(row, "steps") / number(row, "seconds"), speed), "%s",
            name);
  cr_expect(number(row, "spread") >= 1, "%s", name);
  cr_expect(number(row, "bytes_per_step") > 0 || !strcmp(word(row, "backend"), "reference"), "%s",
            name);
  cr_expect(isnan(operations) || close_to(operations * speed, number(row, "flops")), "%s", name);
  const double fraction = number(row, "fraction_of_peak");
  cr_expect(isnan(operations) || (fraction > 0 && fraction < 1.05), "%s: %g of its peak", name,
            fraction);
}

/* Its steps_per_second; the row must be there, without an error. */
static const cJSON *find(const cJSON *rows, const char *section, const char *name) {
  const cJSON *row;
  cJSON_ArrayForEach(row, rows) {
    if (strcmp(word(row, "section"), section) || strcmp(word(row, "name"), name)) continue;
    cr_expect_str_empty(word(row, "error"), "%s %s", section, name);
    return row;
  }
  cr_assert_fail("no row %s %s", section, name);
  return NULL;
}

static int count_section(const cJSON *rows, const char *section) {
  const cJSON *row;
  int count = 0;
  cJSON_ArrayForEach(row, rows) count += !strcmp(word(row, "section"), section);
  return count;
}

static void expect_peaks(const cJSON *peaks) {
  const cJSON *p;
  cJSON_ArrayForEach(p, peaks) {
    cr_expect_str_empty(word(p, "error"));
    cr_expect(number(p, "copy_bytes") > 0);
    cr_expect(
        close_to(number(p, "fma_flops"), fmax(number(p, "fma_first"), number(p, "fma_last"))));
  }
}

static void expect_sections(const cJSON *rows) {
  static const char *const wheels[] = {"1", "3", "4", "6", "8"};
  static const char *const laws[] = {"saturated_coulomb", "regularized_coulomb",
                                     "ideal_rolling",     "udwadia_kalaba",
                                     "massless_rollers",  "classical_rollers"};
  for (size_t i = 0; i < 5; i++)
    cr_expect(number(find(rows, "wheels", wheels[i]), "wheels") == atoi(wheels[i]));
  for (size_t i = 0; i < 6; i++)
    cr_expect_str_eq(word(find(rows, "laws", laws[i]), "law"), laws[i]);
  for (int rollers = 4; rollers <= 64; rollers *= 2) {
    char name[64];
    snprintf(name, sizeof name, "%d, exchanges split", rollers);
    cr_expect(number(find(rows, "rollers", name), "rollers") == rollers);
    snprintf(name, sizeof name, "%d, exchanges straddle", rollers);
    cr_expect_str_eq(word(find(rows, "rollers", name), "exchange"), "straddle");
    snprintf(name, sizeof name, "%d, bearing friction", rollers);
    cr_expect(number(find(rows, "rollers", name), "rollers") == rollers);
  }
  cr_expect(number(find(rows, "instances", "1"), "instances") == 1);
  cr_expect(number(find(rows, "instances", "10"), "instances") == 10);
  cr_expect_eq(count_section(rows, "instances"), 2, "1 and 10 are at most 64");
  cr_expect(number(find(rows, "threads", "1 double"), "threads") == 1);
  cr_expect_str_eq(word(find(rows, "threads", "1 single"), "precision"), "single");
  cr_expect_geq(count_section(rows, "backends"), 2);
  cr_expect_eq(count_section(rows, "numerics"), 2);
  find(rows, "numerics", "exact");
}

/* Explicit tracking is what the others are compared with; the reference has all, the engine two. */
static void expect_trackings(const cJSON *rows) {
  static const char *const trackings[] = {"explicit", "implicit", "general",
                                          "general_differential"};
  for (int i = 0; i < 4; i++) {
    char name[64];
    snprintf(name, sizeof name, "engine, %s", trackings[i]);
    const double engine = i < 2 ? number(find(rows, "tracking", name), "ratio") : 1;
    cr_expect(isfinite(engine) && engine > 0, "%s", name);
    snprintf(name, sizeof name, "reference, %s", trackings[i]);
    const double reference = number(find(rows, "tracking", name), "ratio");
    cr_expect(isfinite(reference) && reference > 0, "%s", name);
    cr_expect(i > 0 || reference == 1, "%s: %g", name, reference);
  }
  cr_expect_eq(count_section(rows, "tracking"), 6);
}

Test(bench, trackings_are_compared_on_the_engine_and_in_the_reference) {
  expect(OMNIROLL("bench", "--quick", "--section", "tracking", "--backend", "scalar", "--instances",
                  "64", "--seconds", "0.004", "--json", "t.json"),
         0);
  expect_text(last.out, "reference, general_differential");
  cJSON *root = read_json("t.json");
  const cJSON *rows = cJSON_GetObjectItem(root, "rows"), *row;
  cr_assert(cJSON_IsArray(rows));
  if (strstr(last.out, "this build has no reference")) skip_part("this build has no reference");
  cJSON_ArrayForEach(row, rows) expect_row(row);
  if (!strstr(last.out, "this build has no reference")) expect_trackings(rows);
  cJSON_Delete(root);
}

/* Double precision has the same bits whatever the instruction set; single precision is rounded
 * after each of 1000 steps. */
static void expect_the_same_motion(const cJSON *rows) {
  const cJSON *row;
  cJSON_ArrayForEach(row, rows) {
    if (strcmp(word(row, "section"), "backends") != 0) continue;
    const double deviation = number(row, "deviation");
    if (!strcmp(word(row, "precision"), "double"))
      cr_expect(deviation == 0, "%s: %g", word(row, "name"), deviation);
    else
      cr_expect(deviation > 0 && deviation < 1e-3, "%s: %g", word(row, "name"), deviation);
  }
}

/* Four evaluations of the right-hand side, two, and one. */
static void expect_fewer_operations_of_fewer_stages(const cJSON *rows) {
  const double rk4 = number(find(rows, "methods", "rk4"), "operations_per_step");
  const double heun = number(find(rows, "methods", "heun"), "operations_per_step");
  const double euler = number(find(rows, "methods", "semi_implicit_euler"), "operations_per_step");
  if (isnan(rk4)) {
    skip_part("this build does not count operations, which takes a compiler with binary128");
    return;
  }
  cr_expect(rk4 > 1.5 * heun && rk4 < 2.5 * heun, "%g and %g", rk4, heun);
  cr_expect(euler < heun);
}

static void expect_csv(const char *path, const cJSON *rows, const cJSON *peaks) {
  char *text, speed[32];
  size_t length;
  int lines = 0;
  cr_assert_eq(omr_read_file(path, &text, &length, NULL), OMR_OK);
  for (const char *c = text; *c; c++) lines += *c == '\n';
  cr_expect_eq(lines, 1 + cJSON_GetArraySize(rows) + cJSON_GetArraySize(peaks));
  cr_expect(strncmp(text, "section,name,backend,device,isa,", 32) == 0);
  cr_expect_not_null(strstr(text, "\npeak,peak,openmp,"));
  snprintf(speed, sizeof speed, ",%.9g,", number(find(rows, "methods", "rk4"), "steps_per_second"));
  cr_expect_not_null(strstr(text, speed), "%s", speed);
  free(text);
}

/* Errors of fixed steps fall with them, and speeds at an accuracy between those of rows. */
static void expect_accuracy(const cJSON *accuracy) {
  const cJSON *rows = cJSON_GetObjectItem(accuracy, "rows"),
              *speeds = cJSON_GetObjectItem(accuracy, "speeds"), *row, *speed;
  double last = 0, fastest = 0, slowest = HUGE_VAL;
  int controlled = 0;
  cr_expect_str_empty(word(accuracy, "error"));
  cJSON_ArrayForEach(row, rows) {
    const cJSON *error = cJSON_GetObjectItem(cJSON_GetObjectItem(row, "errors"), "vibration_rms");
    controlled += isnan(number(row, "step"));
    fastest = fmax(fastest, number(row, "speed"));
    slowest = fmin(slowest, number(row, "speed"));
    if (last > 0) cr_expect_lt(number(error, "mean"), last);
    last = isnan(number(row, "step")) ? 0 : number(error, "mean");
  }
  cr_expect_eq(controlled, 14);
  cr_expect_eq(cJSON_GetArraySize(rows), 20);
  cr_expect_eq(cJSON_GetArraySize(speeds), 3);
  cJSON_ArrayForEach(speed, speeds) {
    cr_expect(number(speed, "tolerance") >= slowest && number(speed, "tolerance") <= fastest, "%s",
              word(speed, "name"));
    cr_expect(number(speed, "fixed") >= slowest && number(speed, "fixed") <= fastest, "%s",
              word(speed, "name"));
  }
}

Test(bench, accuracy_has_a_price) {
  expect(OMNIROLL("bench", "--quick", "--section", "accuracy", "--json", "a.json"), 0);
  expect_text(last.out, "Accuracy per cost");
  expect_text(last.out, "vibration_rms to 1 %, mean");
  cJSON *root = read_json("a.json");
  expect_accuracy(cJSON_GetObjectItem(root, "accuracy"));
  cr_expect_eq(cJSON_GetArraySize(cJSON_GetObjectItem(root, "rows")), 0);
  cJSON_Delete(root);
}

/* What counts operations is compiled for each case, minutes in all: the short form has the table
 * without them (bench/count has them for one of five studies). */
Test(bench, every_section_is_measured_against_the_peak_of_the_same_run) {
  if (short_form()) setenv("OMNIROLL_CC", "/nonexistent/cc", 1);
  expect(OMNIROLL("bench", "--quick", "--backend", "openmp", "--instances", "64", "--seconds",
                  "0.004", "--json", "b.json", "--csv", "b.csv"),
         0);
  expect_text(last.out, "Rollers per wheel");
  expect_text(last.out, "GFLOP/s");
  for (const char *line = last.err; *line; line += strcspn(line, "\n"), line += *line == '\n')
    cr_expect(strstr(line, "measurements/s"), "nothing but the table and its progress: %s", line);
  cJSON *root = read_json("b.json");
  const cJSON *rows = cJSON_GetObjectItem(root, "rows"),
              *peaks = cJSON_GetObjectItem(root, "peaks"), *row;
  cr_assert(cJSON_IsArray(rows) && cJSON_IsArray(peaks));
  cr_expect_str_eq(word(root, "omniroll"), omr_version());
  cr_expect_str_not_empty(word(cJSON_GetObjectItem(root, "machine"), "processor"));
  cJSON_ArrayForEach(row, rows) expect_row(row);
  expect_peaks(peaks);
  expect_sections(rows);
  expect_the_same_motion(rows);
  expect_fewer_operations_of_fewer_stages(rows);
  expect_csv("b.csv", rows, peaks);
  cJSON_Delete(root);
}

/* One program is built; where there is no OpenCL device, that is what it says. */
Test(bench, an_opencl_device_has_a_peak_of_its_own) {
  OMNIROLL("bench", "--quick", "--section", "backends", "--backend", "opencl", "--precision",
           "double", "--instances", "64", "--seconds", "0.004", "--json");
  if (last.code == OMR_ERR_DEVICE) {
    expect_text(last.err, "omniroll devices");
    skip_part("%s", last.err);
    return;
  }
  expect(&last, 0);
  cJSON *root = cJSON_Parse(last.out);
  cr_assert_not_null(root, "%s", last.out);
  const cJSON *row = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "rows"), 0);
  const cJSON *peak = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "peaks"), 0);
  expect_row(row);
  expect_peaks(cJSON_GetObjectItem(root, "peaks"));
  cr_expect_str_eq(word(row, "backend"), "opencl");
  cr_expect_str_eq(word(row, "device"), word(peak, "device"));
  cr_expect(number(row, "build_seconds") > 0);
  cJSON_Delete(root);
}

Test(bench, wrong_options_are_refused_with_a_remedy) {
  expect(OMNIROLL("bench", "--section", "backends,rolers"), OMR_ERR_USAGE);
  expect_text(last.err, "did you mean \"rollers\"?");
  expect(OMNIROLL("bench", "--section", ""), OMR_ERR_USAGE);
  expect_text(last.err, "the sections are backends, threads");
  expect(OMNIROLL("bench", "--rounds", "0"), OMR_ERR_USAGE);
  expect_text(last.err, "from 1 to 1000");
  expect(OMNIROLL("bench", "--seconds", "-1"), OMR_ERR_USAGE);
  expect_text(last.err, "from 0.001");
  expect(OMNIROLL("bench", "--instances", "1.5"), OMR_ERR_USAGE);
  expect(OMNIROLL("bench", "--backend", "gpu"), OMR_ERR_USAGE);
  expect_text(last.err, "openmp, scalar or opencl");
  expect(OMNIROLL("bench", "--precision", "half"), OMR_ERR_USAGE);
  expect_text(last.err, "double or single");
  expect(OMNIROLL("bench", "--backend", "opencl", "--device", "avx2"), OMR_ERR_USAGE);
  expect_text(last.err, "omniroll devices");
  expect(OMNIROLL("bench", "--backend", "scalar", "--device", "mmx"), OMR_ERR_USAGE);
  expect_text(last.err, "avx512, avx2 and baseline");
  expect(OMNIROLL("bench", "--csv", "nowhere/b.csv"), OMR_ERR_IO);
  expect_text(last.err, "there is no folder nowhere");
  expect(OMNIROLL("bench", "--device", "no such device"), OMR_ERR_DEVICE);
  expect_text(last.err, "omniroll devices");
  expect(OMNIROLL("bench", "study.json"), OMR_ERR_USAGE);
}
