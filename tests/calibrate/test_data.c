/* Logs as the section "data" reads them: instants between rows, units and factors, ends of a run,
 * angles that a sensor wraps, poses from the start of a run; and what the model leaves of its own
 * log, in both frames. */
#include "calibrate/forward.h"
#include "campaign/integrate.h"
#include "study/measured/measured.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum { TEXT = 2048 };
static const double pi = 3.14159265358979323846;
static char folder[64];

static void set_up(void) {
  snprintf(folder, sizeof folder, "/tmp/omniroll-data-XXXXXX");
  cr_assert_not_null(mkdtemp(folder));
  cr_assert_eq(chdir(folder), 0);
}

static void tear_down(void) {
  char command[128];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  cr_assert_eq(system(command), 0);
}

TestSuite(data, .init = set_up, .fini = tear_down, .timeout = 120);

static void write_file(const char *name, const char *text) {
  FILE *file = fopen(name, "w");
  cr_assert_not_null(file);
  fputs(text, file);
  cr_assert_eq(fclose(file), 0);
}

static omr_study *read_study(const char *text) {
  omr_study *study;
  omr_error error = {0};
  cr_assert_eq(omr_study_parse(text, "s.json", NULL, 0, &study, &error), OMR_OK, "%s",
               error.message);
  return study;
}

/* With ' for ". */
static omr_study *study_of(const char *frame, const char *data) {
  char text[TEXT];
  snprintf(text, sizeof text,
           "{'model': 'omni_vehicle', 'frame': '%s', 'data': {'runs': [{'file': 'log.csv'%s", frame,
           data);
  for (char *c = text; *c; c++)
    if (*c == '\'') *c = '"';
  const size_t length = strlen(text);
  snprintf(text + length, sizeof text - length, "}, \"integrator\": {\"step\": \"1 ms\"}}");
  return read_study(text);
}

static void expect_values(const omr_study *study, size_t sample, const double *expected,
                          size_t count) {
  cr_assert_eq(study->measured.instants, count, "%zu instants", study->measured.instants);
  for (size_t i = 0; i < count; i++)
    cr_expect_float_eq(study->measured.value[sample * count + i], expected[i], 1e-12,
                       "sample %zu, instant %zu: %.17g, not %.17g", sample, i,
                       study->measured.value[sample * count + i], expected[i]);
}

#define SPEED "t [ms],v [km/h]\n-300,0\n0,3.6\n700,14.4\n"
#define MEASURED_SPEED                                                                             \
  "}], 'time': 't', 'interval': '0.25 s', 'measured': [{'sample': 'vx', 'noise': '1 cm/s', "       \
  "'column': {'column': 'v', 'factor': -1}}]"

Test(data, a_log_is_read_between_its_rows_in_si) {
  static const double expected[] = {0, -5. / 6, -(1 + 3 * 0.2 / 0.7), -(1 + 3 * 0.45 / 0.7), -4};
  write_file("log.csv", SPEED);
  omr_study *study = study_of("y_up", MEASURED_SPEED);
  cr_expect_float_eq(study->measured.duration, 1, 1e-15);
  cr_expect_float_eq(study->time.duration, 1, 1e-15, "the run gives the study its duration");
  cr_expect_float_eq(study->measured.sample[0].noise, 0.01, 1e-15);
  expect_values(study, 0, expected, 5);
  omr_study_destroy(study);
}

/* 0.9 s from -200 ms on are three whole intervals. */
Test(data, a_run_is_part_of_a_log) {
  static const double expected[] = {-1. / 3, -(1 + 3 * 0.05 / 0.7), -(1 + 3 * 0.3 / 0.7),
                                    -(1 + 3 * 0.55 / 0.7)};
  write_file("log.csv", SPEED);
  omr_study *study = study_of("y_up", ", 'start': '-200 ms', 'end': '0.7 s'" MEASURED_SPEED);
  cr_expect_float_eq(study->measured.start, -0.2, 1e-15);
  cr_expect_float_eq(study->time.duration, 0.75, 1e-15);
  expect_values(study, 0, expected, 4);
  omr_study_destroy(study);
}

Test(data, angles_go_on_where_a_sensor_wraps_them) {
  static const double expected[] = {170, 190, 210, 175, 180, 175};
  double radians[6];
  for (int i = 0; i < 6; i++) radians[i] = expected[i] * pi / 180;
  write_file("log.csv", "t,h [deg]\n0,170\n1,-170\n2,-150\n3,175\n4,180\n5,175\n");
  omr_study *study = study_of(
      "y_up", "}], 'time': 't', 'interval': '1 s', 'origin': 'world', 'measured': [{'sample': "
              "'yaw', 'noise': 0.01, 'column': 'h'}]");
  expect_values(study, 0, radians, 6);
  omr_study_destroy(study);
}

/* ---- poses from the start, and the model against its own log */

/* A vehicle that turns and goes ahead and aside, by its drives; the second axis is y or z. */
#define VEHICLE                                                                                    \
  "\"model\": \"omni_vehicle\", \"frame\": \"%s\", \"parameters\": {\"layout\": {\"type\": "       \
  "\"ring\", \"wheels\": 3, \"radius\": \"0.15 m\"}, \"wheel\": {\"radius\": \"50 mm\", "          \
  "\"rollers\": 12, \"row_distance\": \"20 mm\", \"tip_radius\": \"5 mm\"}, \"wheels\": "          \
  "[{\"drive\": {\"type\": \"constant\", \"torque\": 0.05}}, {\"drive\": {\"type\": "              \
  "\"constant\", \"torque\": 0.02}}, {\"drive\": {\"type\": \"constant\", \"torque\": -0.01}}]}, " \
  "\"engine\": {\"backend\": \"scalar\", \"precision\": \"double\"}, \"vary\": [{\"path\": "       \
  "\"wheel.friction\", \"normal\": [0.5, 0.05]}], \"design\": {\"type\": \"monte_carlo\", "        \
  "\"instances\": 1}"

#define INTERVAL 0.05
#define DURATION 0.5

/* The log of the vehicle with the median friction, as something sees it that calls the start
 * (1.5, -0.4) and 2.5 rad. */
static void write_own_log(const char *frame) {
  const bool ros = strcmp(frame, "ros") == 0;
  char text[TEXT];
  snprintf(text, sizeof text,
           "{" VEHICLE ", \"output\": {\"trajectories\": {\"instances\": [0], \"interval\": %g}}, "
           "\"integrator\": {\"step\": \"0.5 ms\", \"duration\": %g}}",
           frame, INTERVAL, DURATION);
  omr_study *study = read_study(text);
  omr_part part = omr_part_of(study);
  const double median = 0;
  omr_integrator *integrator;
  omr_result *result;
  omr_error error = {0};
  const omr_run_options options = {.size = sizeof options};
  part.known = &median;
  part.known_count = 1;
  cr_assert_eq(omr_integrator_open(&part, &options, &integrator, &error), OMR_OK, "%s",
               error.message);
  cr_assert_eq(omr_integrator_run(integrator, &part, &result, &error), OMR_OK);
  FILE *file = fopen("log.csv", "w");
  cr_assert_not_null(file);
  fputs("t,a,b,h\n", file);
  const double c = cos(2.5), s = (ros ? 1 : -1) * sin(2.5); /* yaw turns x to y, and away from z */
  for (size_t i = 0; i < result->sample_count; i++) {
    const double x = result->vehicle_samples[OMR_VS_X][i], z = result->vehicle_samples[OMR_VS_Z][i];
    fprintf(file, "%.17g,%.17g,%.17g,%.17g\n", 3 + (double)i * INTERVAL, 1.5 + c * x - s * z,
            -0.4 + s * x + c * z, remainder(2.5 + result->vehicle_samples[OMR_VS_YAW][i], 2 * pi));
  }
  cr_assert_eq(fclose(file), 0);
  omr_result_destroy(result);
  omr_integrator_close(integrator);
  omr_study_destroy(study);
}

/* The residuals of the median member and of one with another friction. */
static void compare(const char *frame, double largest[2]) {
  const double members[] = {0, 2};
  const omr_run_options options = {.size = sizeof options};
  char text[TEXT];
  omr_coordinates layout;
  omr_forward forward;
  omr_error error = {0};
  bool good[2];
  snprintf(text, sizeof text,
           "{" VEHICLE ", \"data\": {\"runs\": [{\"file\": \"log.csv\"}], \"time\": \"t\", "
           "\"interval\": %g, \"measured\": [{\"sample\": \"x\", \"column\": \"a\", \"noise\": "
           "1, \"start_error\": 0}, {\"sample\": \"%s\", \"column\": \"b\", \"noise\": 1, "
           "\"start_error\": 0}, {\"sample\": \"yaw\", "
           "\"column\": \"h\", \"noise\": 1, \"start_error\": 0}]}, \"integrator\": {\"step\": "
           "\"0.5 ms\"}}",
           frame, INTERVAL, strcmp(frame, "ros") == 0 ? "y" : "z");
  omr_study *study = read_study(text);
  cr_assert_eq(omr_coordinates_make(study, &layout, &error), OMR_OK);
  cr_assert_eq(omr_forward_make(study, &layout, false, &forward, &error), OMR_OK, "%s",
               error.message);
  double *residuals = calloc(2 * forward.data, sizeof *residuals);
  cr_assert_eq(forward.data, 30);
  cr_assert_eq(
      omr_forward_run_members(&forward, members, 2, &options, residuals, NULL, good, &error),
      OMR_OK, "%s", error.message);
  for (size_t j = 0; j < 2; j++) {
    largest[j] = 0;
    cr_expect(good[j]);
    for (size_t i = 0; i < forward.data; i++)
      largest[j] = fmax(largest[j], fabs(residuals[j * forward.data + i]));
  }
  free(residuals);
  omr_forward_free(&forward);
  omr_coordinates_free(&layout);
  omr_study_destroy(study);
}

static void expect_own_log(const char *frame) {
  double largest[2];
  write_own_log(frame);
  compare(frame, largest);
  cr_expect_lt(largest[0], 1e-13, "%s: %g", frame, largest[0]); /* 17 digits, turned and back */
  cr_expect_gt(largest[1], 1e-6, "%s: another friction makes no difference", frame);
}

Test(data, a_vehicle_leaves_nothing_of_its_own_log) {
  expect_own_log("y_up");
}

Test(data, nor_in_the_frame_of_ros) {
  expect_own_log("ros");
}
