/* Noise that is correlated in time, through the built program: it is looked for in what a fit
 * leaves, said, and fitted with, so that intervals hold; white noise, and a model that misses the
 * data, are not taken for it. The long form is tests/long/correlated_noise.py. */
#include "tests/cli/program.h"

#include <cjson/cJSON.h>
#include <math.h>

#define VEHICLE(MASS, SECTIONS)                                                                    \
  "{\"model\": \"omni_vehicle\", \"frame\": \"ros\", \"parameters\": {\"contact\": {\"law\": "     \
  "\"classical_rollers\"}, \"platform\": {" MASS "}, \"layout\": {\"type\": \"ring\", "            \
  "\"wheels\": 3, \"radius\": \"0.15 m\"}, \"wheel\": {\"radius\": \"50 mm\", \"rollers\": 12}, "  \
  "\"wheels\": [{\"drive\": {\"type\": \"constant\", \"torque\": 0.02}}, {\"drive\": {\"type\": "  \
  "\"constant\", \"torque\": 0.006}}, {\"drive\": {\"type\": \"constant\", \"torque\": "           \
  "-0.01}}]}, \"engine\": {\"backend\": \"openmp\", \"precision\": \"double\"}, " SECTIONS "}"

#define FITTED(NOISE, MORE)                                                                        \
  VEHICLE("\"center_of_mass\": {\"height\": 0.05}",                                                \
          "\"integrator\": {\"step\": \"10 ms\"}, \"data\": {\"runs\": [{\"file\": "               \
          "\"0.csv\"}], \"interval\": \"50 ms\", \"measured\": [{\"sample\": \"x\", "              \
          "\"column\": \"x\", \"noise\": \"3 mm\"" NOISE "}, {\"sample\": \"y\", \"column\": "     \
          "\"y\", \"noise\": \"3 mm\"" NOISE "}, {\"sample\": \"yaw\", \"column\": \"yaw\", "      \
          "\"noise\": \"0.3 deg\"" NOISE "}]" MORE "}, \"calibrate\": {\"members\": 80, "          \
          "\"seed\": 3}, \"vary\": [{\"path\": \"platform.mass\", \"normal\": [6, 0.5]}, "         \
          "{\"path\": \"platform.yaw_inertia\", \"normal\": [0.07, 0.005]}], \"design\": "         \
          "{\"type\": \"monte_carlo\", \"instances\": 8}")

enum { ROWS = 61 };
static double path[ROWS][3]; /* x, y, yaw every 50 ms */

static void start_up(void) {
  static char text[TEXT];
  set_up();
  write_file(
      "truth.json",
      VEHICLE("\"mass\": 6.2, \"yaw_inertia\": 0.073, \"center_of_mass\": {\"height\": 0.05}",
              "\"integrator\": {\"step\": \"10 ms\", \"duration\": \"3 s\"}, \"output\": "
              "{\"trajectories\": {\"instances\": [0], \"interval\": \"50 ms\"}}"));
  expect(OMNIROLL("run", "truth.json", "-q", "-o", "truth.h5"), OMR_OK);
  expect(
      OMNIROLL("export", "truth.h5", "--trajectories", "--columns", "x,y,yaw", "-o", "paths.csv"),
      OMR_OK);
  read_file("paths.csv", text);
  size_t row = 0;
  for (const char *line = strchr(text, '\n'); line && line[1]; line = strchr(line + 1, '\n'), row++)
    cr_assert_eq(
        sscanf(line + 1, "%*d,%*f,%lf,%lf,%lf", &path[row][0], &path[row][1], &path[row][2]), 3);
  cr_assert_eq(row, ROWS);
}

TestSuite(correlation, .init = start_up, .fini = tear_down, .timeout = 240);

/* A sum of twelve uniform numbers, of variance 1; the same on every machine. */
static double noise(unsigned *state) {
  double sum = -6;
  for (int i = 0; i < 12; i++) {
    *state = *state * 1664525u + 1013904223u;
    sum += (double)(*state >> 8) / (double)(1 << 24);
  }
  return sum;
}

/* Every row has noise, the first too; of it `keep` is left in the next row. */
static void write_log(unsigned state, double keep) {
  double here[3] = {0};
  FILE *file = fopen("0.csv", "w");
  cr_assert_not_null(file);
  fputs("time,x,y,yaw\n", file);
  for (int i = 0; i < ROWS; i++) {
    fprintf(file, "%.17g", 0.05 * i);
    for (int s = 0; s < 3; s++) {
      here[s] = keep * here[s] + (i ? sqrt(1 - keep * keep) : 1) * noise(&state);
      fprintf(file, ",%.17g", path[i][s] + here[s] * (s == 2 ? 0.3 * acos(-1) / 180 : 3e-3));
    }
    fputc('\n', file);
  }
  cr_assert_eq(fclose(file), 0);
}

static double number(const cJSON *object, const char *name) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
  cr_assert(cJSON_IsNumber(item), "%s", name);
  return item->valuedouble;
}

/* Fits; how many of mass and inertia are within 95 %, and of how many samples noise was told to be
 * correlated, by the mean of those times. */
static int fit(const char *study, int *told, double *time) {
  const double truth[] = {6.2, 0.073};
  int inside = 0, k = 0;
  write_file("s.json", study);
  expect(OMNIROLL("calibrate", "s.json", "-q", "--json"), OMR_OK);
  cJSON *json = cJSON_Parse(last.out);
  const cJSON *item;
  cr_assert_not_null(json);
  cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(json, "parameters")) {
    inside += number(item, "low") < truth[k] && truth[k] < number(item, "high");
    k++;
  }
  cr_assert_eq(k, 2);
  *told = 0;
  *time = 0;
  cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(json, "errors")) {
    const cJSON *found = cJSON_GetObjectItemCaseSensitive(item, "correlation_time");
    if (!found || found->valuedouble == 0) continue;
    ++*told;
    *time += found->valuedouble;
  }
  if (*told) *time /= *told;
  cJSON_Delete(json);
  return inside;
}

/* Half of the noise is forgotten after 0.17 s (a time of 0.25 s, of runs of 3 s), and the study
 * calls it white. Of 24 intervals that hold what they say at least 19 hold, 2999 times in 3000; of
 * those that are made as if it were white 15 +- 2.5 do. */
Test(correlation, intervals_hold_where_noise_is_correlated) {
  enum { REPEATS = 12 };
  int inside = 0, all_told = 0, told;
  double times = 0, time;
  for (unsigned k = 0; k < REPEATS; k++) {
    write_log(50 + k, exp(-0.05 / 0.25));
    inside += fit(FITTED("", ""), &told, &time);
    all_told += told;
    times += time / REPEATS;
  }
  cr_expect_geq(inside, 19, "%d of 24", inside);
  cr_expect_geq(all_told, 30, "%d of 36 samples", all_told);
  cr_expect(times > 0.15 && times < 0.4, "%g s", times);
}

/* The page's remedy: with the time that was found nothing more is found, and it is the same fit. */
Test(correlation, is_said_with_what_to_state) {
  int told;
  double time;
  write_log(50, exp(-0.05 / 0.25));
  write_file("s.json", FITTED("", ""));
  expect(OMNIROLL("calibrate", "s.json", "-q"), OMR_OK);
  expect_text(last.out, "verdict: with reservations");
  expect_text(last.out, "What the fit left of x was correlated in time");
  expect_text(last.out, "\"correlation_time\": \"0.");
  fit(FITTED(", \"correlation_time\": \"0.25 s\"", ""), &told, &time);
  cr_expect_eq(told, 0);
  expect(OMNIROLL("calibrate", "s.json", "-q"), OMR_OK);
  cr_expect_null(strstr(last.out, "correlated in time"), "%s", last.out);
}

Test(correlation, white_noise_is_left_white) {
  int told;
  double time;
  for (unsigned k = 0; k < 4; k++) {
    write_log(80 + k, 0);
    fit(FITTED("", ""), &told, &time);
    cr_expect_eq(told, 0, "log %u: %g s", k, time);
  }
}

/* The first row has noise as well. By default its error is unknown, which is said; "start_error": 0
 * takes it to be exact. */
Test(correlation, the_start_has_noise_unless_it_is_said_to_be_exact) {
  write_log(90, 0);
  write_file("s.json", FITTED("", ""));
  expect(OMNIROLL("calibrate", "s.json", "-q"), OMR_OK);
  expect_text(last.out, "calibration of s.json: 5 unknowns");
  expect_text(last.out, "write \"start_error\": 0 beside the \"noise\" of x, y and yaw");
  expect_text(last.out, "start error of yaw in run 0");
  write_file("s.json", FITTED(", \"start_error\": 0", ""));
  expect(OMNIROLL("calibrate", "s.json", "-q"), OMR_OK);
  expect_text(last.out, "calibration of s.json: 2 unknowns");
  cr_expect_null(strstr(last.out, "start_error"), "%s", last.out);
  write_file("s.json", FITTED("", ", \"origin\": \"world\""));
  expect(OMNIROLL("calibrate", "s.json", "-q"), OMR_OK);
  expect_text(last.out, "calibration of s.json: 2 unknowns");
}
