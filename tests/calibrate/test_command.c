/* calibrate through the built program: the parameters of a vehicle are found again from its own
 * noisy log, whether or not members fail on the way, with the same bits on one thread and on two;
 * and what it writes is a table of the same study. */
#include "tests/cli/program.h"

#include <cjson/cJSON.h>
#include <math.h>

/* A vehicle that three torques drive; what follows the drives. */
#define VEHICLE(PLATFORM, SECTIONS)                                                                \
  "{\"title\": \"three torques\", \"model\": \"omni_vehicle\", \"parameters\": {\"platform\": "    \
  "{" PLATFORM "}, \"layout\": {\"type\": \"ring\", \"wheels\": 3, \"radius\": \"0.15 m\"}, "      \
  "\"wheel\": {\"radius\": \"50 mm\", \"rollers\": 12, \"row_distance\": \"20 mm\", "              \
  "\"tip_radius\": \"5 mm\"}, \"wheels\": [{\"drive\": {\"type\": \"constant\", \"torque\": "      \
  "0.1}}, {\"drive\": {\"type\": \"constant\", \"torque\": 0.03}}, {\"drive\": {\"type\": "        \
  "\"constant\", \"torque\": -0.05}}]}, \"engine\": {\"backend\": \"openmp\", \"precision\": "     \
  "\"double\"}, " SECTIONS "}"

static const char truth[] =
    VEHICLE("\"mass\": 6.4, \"yaw_inertia\": 0.07, \"center_of_mass\": {\"height\": 0.06, \"x\": "
            "0.012}",
            "\"integrator\": {\"step\": \"1 ms\", \"duration\": \"1 s\"}, \"output\": "
            "{\"trajectories\": {\"instances\": [0], \"interval\": \"50 ms\"}}");

#define FITTED(VARIED)                                                                             \
  VEHICLE("\"center_of_mass\": {\"height\": 0.06}",                                                \
          "\"integrator\": {\"step\": \"1 ms\"}, \"data\": {\"runs\": [{\"file\": \"0.csv\"}, "    \
          "{\"file\": \"1.csv\", \"use\": \"predict\"}], \"interval\": \"50 ms\", \"measured\": "  \
          "[{\"sample\": \"x\", \"column\": \"x\", \"noise\": \"1 mm\"}, {\"sample\": \"z\", "     \
          "\"column\": \"z\", \"noise\": \"1 mm\"}, {\"sample\": \"yaw\", \"column\": \"yaw\", "   \
          "\"noise\": \"0.2 deg\"}]}, \"calibrate\": {\"members\": 60, \"seed\": 3}, \"vary\": "   \
          "[{\"path\": \"platform.mass\", \"normal\": [6, 0.5]}, {\"path\": "                      \
          "\"platform.yaw_inertia\", \"normal\": [0.08, 0.01]}, " VARIED                           \
          "], \"design\": {\"type\": \"monte_carlo\", \"instances\": 8}")

/* The centre of mass may lie outside of the wheels, whose distance from the centre is 75 mm there:
 * such a vehicle tips over at once. */
static const char fitted[] = FITTED("{\"path\": \"platform.center_of_mass.x\", \"normal\": [0, "
                                    "0.02]}"),
                  failing[] = FITTED("{\"path\": \"platform.center_of_mass.x\", \"normal\": [0, "
                                     "0.06]}");

/* A sum of twelve uniform numbers, of variance 1; the same on every machine. */
static double noise(unsigned *state) {
  double sum = -6;
  for (int i = 0; i < 12; i++) {
    *state = *state * 1664525u + 1013904223u;
    sum += (double)(*state >> 8) / (double)(1 << 24);
  }
  return sum;
}

/* The vehicle's pose at 21 instants, with noise but at the start. */
static void write_log(const char *name, unsigned state) {
  static char text[TEXT];
  read_file("paths.csv", text);
  FILE *file = fopen(name, "w");
  cr_assert_not_null(file);
  fputs("time,x,z,yaw\n", file);
  size_t rows = 0;
  for (const char *line = strchr(text, '\n'); line && line[1]; line = strchr(line + 1, '\n')) {
    double time, x, z, yaw;
    cr_assert_eq(sscanf(line + 1, "%*d,%lf,%lf,%lf,%lf", &time, &x, &z, &yaw), 4);
    const double size = rows++ ? 1e-3 : 0, angle = size * 2 * acos(-1) / 1.8;
    x += size * noise(&state);
    z += size * noise(&state);
    fprintf(file, "%.17g,%.17g,%.17g,%.17g\n", time, x, z, yaw + angle * noise(&state));
  }
  cr_assert_eq(rows, 21);
  cr_assert_eq(fclose(file), 0);
}

static void start_up(void) {
  set_up();
  write_file("truth.json", truth);
  write_file("s.json", fitted);
  write_file("f.json", failing);
  expect(OMNIROLL("run", "truth.json", "-q", "-o", "truth.h5"), OMR_OK);
  expect(
      OMNIROLL("export", "truth.h5", "--trajectories", "--columns", "x,z,yaw", "-o", "paths.csv"),
      OMR_OK);
  write_log("0.csv", 1);
  write_log("1.csv", 2);
}

TestSuite(calibrate_command, .init = start_up, .fini = tear_down, .timeout = 240);

static double number(const cJSON *object, const char *name) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
  cr_assert(cJSON_IsNumber(item), "%s", name);
  return item->valuedouble;
}

/* Within four deviations of what is told, which are at most `most` of the prior's. */
static void expect_parameter(const cJSON *json, const char *path, double value, double most) {
  const cJSON *item;
  cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(json, "parameters")) {
    if (strcmp(cJSON_GetStringValue(cJSON_GetObjectItem(item, "path")), path) != 0) continue;
    const double mean = number(item, "mean"), deviation = number(item, "deviation");
    cr_expect_float_eq(mean, value, 4 * deviation, "%s: %g +- %g, not %g", path, mean, deviation,
                       value);
    cr_expect(number(item, "low") < mean && mean < number(item, "high"));
    cr_expect_lt(number(item, "left_of_prior"), most, "%s", path);
    return;
  }
  cr_expect(false, "no %s", path);
}

/* What was kept apart is missed by its noise, and by far more before the fit. */
static void expect_predicted(const cJSON *json) {
  const cJSON *item;
  int predicted = 0;
  cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(json, "errors")) {
    const double noise_of = strcmp(cJSON_GetStringValue(cJSON_GetObjectItem(item, "sample")), "yaw")
                                ? 1e-3
                                : 0.2 * acos(-1) / 180;
    predicted += cJSON_IsTrue(cJSON_GetObjectItem(item, "held_out"));
    cr_expect_lt(number(item, "rms_of_mean"), 1.6 * noise_of); /* 20 numbers: 1.6 is 4 deviations */
    cr_expect_gt(number(item, "prior_rms"), number(item, "rms"));
  }
  cr_expect_eq(predicted, 3);
}

static void expect_truth(const char *study, double most) {
  expect(OMNIROLL("calibrate", study, "-q", "--json"), OMR_OK);
  cJSON *json = cJSON_Parse(last.out);
  cr_assert_not_null(json);
  expect_parameter(json, "platform.mass", 6.4, 0.3);
  expect_parameter(json, "platform.yaw_inertia", 0.07, 0.3);
  expect_parameter(json, "platform.center_of_mass.x", 0.012, most);
  expect_predicted(json);
  cJSON_Delete(json);
}

Test(calibrate_command, finds_the_parameters_of_a_vehicle_from_its_log) {
  expect_truth("s.json", 0.5);
}

/* More than a tenth of the first members, each redrawn from the others. */
Test(calibrate_command, members_that_fail_are_redrawn) {
  expect_truth("f.json", 0.5);
}

Test(calibrate_command, writes_the_same_bits_on_one_thread_and_on_two) {
  static char one[TEXT], two[TEXT];
  expect(OMNIROLL("calibrate", "s.json", "-q", "-o", "a.csv", "--threads", "1"), OMR_OK);
  expect_text(last.out, "calibration of s.json: 6 unknowns, 1 measured runs to fit, 1 to predict");
  expect(OMNIROLL("calibrate", "s.json", "-q", "-o", "b.csv", "--threads", "2"), OMR_OK);
  read_file("a.csv", one);
  read_file("b.csv", two);
  cr_expect_str_eq(one, two);
  expect_text(one,
              "platform.mass [kg],platform.yaw_inertia [kg m2],platform.center_of_mass.x [m]\n");
  /* the members are a table of the study */
  expect(OMNIROLL("run", "s.json", "-q", "-o", "r.h5", "--set", "vary=null", "--set",
                  "design={\"type\": \"table\", \"file\": \"a.csv\"}"),
         OMR_OK);
  expect(OMNIROLL("export", "r.h5", "--columns", "platform_mass", "-o", "m.csv"), OMR_OK);
}
