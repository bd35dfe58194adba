/* calibrate.polish through the built program: a vehicle's most likely parameters and their
 * deviations beside the points of its posterior, with a clock and a mass of the run's own; the
 * evidence beside that of the points; the same bits on one thread and on two; what the file has;
 * and nothing where it is not asked for. */
#include "tests/cli/program.h"

#include <cjson/cJSON.h>
#include <hdf5.h>
#include <math.h>

#define VEHICLE(MASS, SECTIONS)                                                                    \
  "{\"model\": \"omni_vehicle\", \"parameters\": {\"platform\": {\"mass\": " MASS                  \
  ", \"yaw_inertia\": 0.08, \"center_of_mass\": {\"height\": 0.06}}, \"layout\": {\"type\": "      \
  "\"ring\", \"wheels\": 3, \"radius\": \"0.15 m\"}, \"wheel\": {\"radius\": \"50 mm\", "          \
  "\"rollers\": 12, \"row_distance\": \"20 mm\", \"tip_radius\": \"5 mm\"}, \"wheels\": "          \
  "[{\"drive\": {\"type\": \"constant\", \"torque\": 0.1}}, {\"drive\": {\"type\": "               \
  "\"constant\", \"torque\": 0.03}}, {\"drive\": {\"type\": \"constant\", \"torque\": "            \
  "-0.05}}]}, \"engine\": {\"backend\": \"openmp\", \"precision\": \"double\"}, " SECTIONS "}"

static const char truth[] =
    VEHICLE("6.4", "\"integrator\": {\"step\": \"1 ms\", \"duration\": \"0.3 s\"}, \"output\": "
                   "{\"trajectories\": {\"instances\": [0], \"interval\": \"10 ms\"}}");
/* Noise that is large beside what rollers that change in another order do to the traces. */
static const char fitted[] = VEHICLE(
    "6", "\"integrator\": {\"step\": \"1 ms\"}, \"data\": {\"runs\": [{\"file\": \"a.csv\"}], "
         "\"interval\": \"10 ms\", \"time_offset\": {\"normal\": [0, \"3 ms\"]}, \"measured\": "
         "[{\"sample\": \"x\", \"column\": \"x\", \"noise\": \"0.3 mm\", \"start_error\": 0}, "
         "{\"sample\": \"z\", "
         "\"column\": \"z\", \"noise\": \"0.3 mm\", \"start_error\": 0}, {\"sample\": \"yaw\", "
         "\"column\": \"yaw\", "
         "\"noise\": \"1 deg\", \"start_error\": 0, \"bias\": {\"normal\": [0, \"2 deg\"]}}]}, "
         "\"calibrate\": {\"members\": "
         "60, \"seed\": 4, \"polish\": 20, \"per_run\": [\"platform.mass\"], \"shared\": 0.8}, "
         "\"vary\": [{\"path\": \"platform.mass\", \"uniform\": [5, 8]}], \"design\": {\"type\": "
         "\"monte_carlo\", \"instances\": 8}");

/* A sum of twelve uniform numbers, of variance 1; the same on every machine. */
static double noise(unsigned *state) {
  double sum = -6;
  for (int i = 0; i < 12; i++) {
    *state = *state * 1664525u + 1013904223u;
    sum += (double)(*state >> 8) / (double)(1 << 24);
  }
  return sum;
}

static void write_log(void) {
  static char text[TEXT];
  unsigned state = 1;
  write_file("truth.json", truth);
  expect(OMNIROLL("run", "truth.json", "-q", "-o", "truth.h5"), OMR_OK);
  expect(
      OMNIROLL("export", "truth.h5", "--trajectories", "--columns", "x,z,yaw", "-o", "paths.csv"),
      OMR_OK);
  read_file("paths.csv", text);
  FILE *file = fopen("a.csv", "w");
  cr_assert_not_null(file);
  fputs("time,x,z,yaw\n", file);
  for (const char *line = strchr(text, '\n'); line && line[1]; line = strchr(line + 1, '\n')) {
    double time, x, z, yaw;
    cr_assert_eq(sscanf(line + 1, "%*d,%lf,%lf,%lf,%lf", &time, &x, &z, &yaw), 4);
    const double size = time > 0 ? 1e-4 : 0;
    x += size * noise(&state);
    z += size * noise(&state);
    fprintf(file, "%.17g,%.17g,%.17g,%.17g\n", time, x, z, yaw + 10 * size * noise(&state));
  }
  cr_assert_eq(fclose(file), 0);
}

static void start_up(void) {
  set_up();
  write_log();
  write_file("s.json", fitted);
}

TestSuite(calibrate_mode, .init = start_up, .fini = tear_down, .timeout = 400);

static double number(const cJSON *object, const char *name) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
  cr_assert(cJSON_IsNumber(item), "%s", name);
  return item->valuedouble;
}

static const cJSON *list_of(const cJSON *object, const char *name) {
  return cJSON_GetObjectItemCaseSensitive(object, name);
}

/* The mean of n points errs by a deviation over sqrt(n) where all are independent; those of a
 * tempering share ancestors, so that half of them count. Mean and top differ besides by what the
 * posterior is skew: little, with so much noise. */
static void expect_alike(const cJSON *row, const cJSON *mode_row, double points) {
  const double mean = number(row, "mean"), deviation = number(row, "deviation");
  const double value = number(mode_row, "value"), width = number(mode_row, "deviation");
  cr_expect_float_eq(value, mean, 4 * deviation / sqrt(0.5 * points) + 0.05 * deviation,
                     "%g, and the mean %g +- %g", value, mean, deviation);
  cr_expect_float_eq(width / deviation, 1, 4 / sqrt(points), "%g beside %g", width, deviation);
}

Test(calibrate_mode, agrees_with_the_points_of_the_posterior) {
  enum { POINTS = 400 };
  expect(OMNIROLL("calibrate", "s.json", "-q", "--json", "--set", "calibrate.points=400"), OMR_OK);
  cJSON *json = cJSON_Parse(last.out);
  cr_assert_not_null(json);
  const cJSON *mode = list_of(json, "mode"), *rows = list_of(mode, "parameters");
  cr_assert_not_null(mode);
  cr_assert_eq(cJSON_GetArraySize(rows), 3);
  expect_alike(cJSON_GetArrayItem(list_of(json, "parameters"), 0), cJSON_GetArrayItem(rows, 0),
               POINTS);
  for (int k = 0; k < 2; k++)
    expect_alike(cJSON_GetArrayItem(list_of(json, "sensors"), k), cJSON_GetArrayItem(rows, 1 + k),
                 POINTS);
  /* what the run has of the mass for itself, in coordinates */
  const cJSON *own = cJSON_GetArrayItem(list_of(mode, "coordinates"), 1);
  cr_expect_str_eq(cJSON_GetStringValue(list_of(own, "path")), "platform.mass in run 0");
  expect_alike(cJSON_GetArrayItem(list_of(json, "besides"), 0), own, POINTS);
  cr_expect_eq(cJSON_GetArraySize(list_of(own, "covariance")), 4);
  /* ten temperatures at most, each of which errs by about 1/sqrt(points): together by 0.16, and
   * four times that */
  cr_expect_float_eq(number(mode, "log_evidence"), number(json, "log_evidence"), 0.6);
  cJSON_Delete(json);
}

Test(calibrate_mode, has_the_same_bits_on_one_thread_and_on_two) {
  static char one[TEXT];
  expect(OMNIROLL("calibrate", "s.json", "-q", "--json", "--threads", "1"), OMR_OK);
  memcpy(one, last.out, sizeof one);
  expect_text(one, "\"mode\":");
  expect(OMNIROLL("calibrate", "s.json", "-q", "--json", "--threads", "2"), OMR_OK);
  cr_expect_str_eq(one, last.out);
}

Test(calibrate_mode, is_in_the_table_and_in_the_file) {
  double value = 0;
  expect(OMNIROLL("calibrate", "s.json", "-q", "-o", "m.h5"), OMR_OK);
  expect_text(last.out, "most likely");
  expect_text(last.out, "polish     ");
  const hid_t file = H5Fopen("m.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t mass = H5Dopen2(file, "platform.mass", H5P_DEFAULT);
  const hid_t attribute = H5Aopen(mass, "mode", H5P_DEFAULT);
  cr_expect_geq(H5Aread(attribute, H5T_NATIVE_DOUBLE, &value), 0);
  cr_expect_float_eq(value, 6.4, 1);
  cr_expect_gt(H5Lexists(file, "mode/covariance", H5P_DEFAULT), 0);
  H5Aclose(attribute);
  H5Dclose(mass);
  H5Fclose(file);
}

/* Parameters, journal and file are those of a calibration without a polish. */
Test(calibrate_mode, changes_nothing_of_the_rest) {
  static char with[TEXT], without[TEXT];
  expect(OMNIROLL("calibrate", "s.json", "-q", "-o", "with.csv"), OMR_OK);
  expect(OMNIROLL("calibrate", "s.json", "-q", "-o", "without.csv", "--set", "calibrate.polish=0"),
         OMR_OK);
  cr_expect_null(strstr(last.out, "most likely"));
  read_file("with.csv", with);
  read_file("without.csv", without);
  cr_expect_str_eq(with, without);
}

/* Over steps of a thousandth of the yaw inertia rollers change in another order and part the traces
 * by what such noise tells; over what the mass may be they tell as much as the mass does. */
Test(calibrate_mode, a_sensitivity_that_depends_on_its_step_is_said_to) {
  expect(OMNIROLL("calibrate", "s.json", "-q", "--check"), OMR_OK);
  cr_expect_null(strstr(last.out, "depends on the step"), "%s", last.out);
  expect(OMNIROLL("calibrate", "s.json", "-q", "--check", "--set", "calibrate.per_run=null",
                  "--set", "calibrate.shared=null", "--set", "data.measured[0].noise=1e-5", "--set",
                  "data.measured[1].noise=1e-5", "--set", "data.measured[2].noise=1e-4", "--set",
                  "vary=[{\"path\": \"platform.yaw_inertia\", \"normal\": [0.08, 5e-4]}]"),
         OMR_ERR_NEGATIVE); /* the log has more noise */
  expect_text(last.out, "? How much platform.yaw_inertia changes the observations depends on the "
                        "step");
}
