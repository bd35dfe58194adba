/* What a calibration says of itself, through the built program: a prior that is wrong, parameters
 * of which the data say nothing, noise that is not as stated, values of single runs, fits to made
 * runs; and the file that it leaves, from which another study draws. */
#include "tests/cli/program.h"

#include <cjson/cJSON.h>
#include <hdf5.h>
#include <math.h>
#include <signal.h>
#include <time.h>

#define VEHICLE(MASS, DRIVES, SECTIONS)                                                            \
  "{\"model\": \"omni_vehicle\", \"parameters\": {\"platform\": {\"mass\": " MASS                  \
  ", \"yaw_inertia\": 0.08, \"center_of_mass\": {\"height\": 0.06}}, \"layout\": {\"type\": "      \
  "\"ring\", \"wheels\": 3, \"radius\": \"0.15 m\"}, \"wheel\": {\"radius\": \"50 mm\", "          \
  "\"rollers\": 12, \"row_distance\": \"20 mm\", \"tip_radius\": \"5 mm\"" DRIVES                  \
  "}, \"engine\": {\"backend\": \"openmp\", \"precision\": \"double\"}, " SECTIONS "}"
/* Three torques; and the same one of each wheel, which turns the vehicle on the spot. */
#define THREE                                                                                      \
  "}, \"wheels\": [{\"drive\": {\"type\": \"constant\", \"torque\": 0.1}}, {\"drive\": {\"type\":" \
  " \"constant\", \"torque\": 0.03}}, {\"drive\": {\"type\": \"constant\", \"torque\": -0.05}}]"
#define EQUAL ", \"drive\": {\"type\": \"constant\", \"torque\": 0.05}}"
#define TRUTH                                                                                      \
  "\"integrator\": {\"step\": \"1 ms\", \"duration\": \"0.3 s\"}, \"output\": {\"trajectories\": " \
  "{\"instances\": [0], \"interval\": \"10 ms\"}}"
#define FITTED(RUNS, CALIBRATE, VARIED)                                                            \
  "\"integrator\": {\"step\": \"1 ms\"}, \"data\": {\"runs\": [" RUNS "], \"interval\": "          \
  "\"10 ms\", \"measured\": [{\"sample\": \"x\", \"column\": \"x\", \"noise\": \"0.1 mm\"}, "      \
  "{\"sample\": \"z\", \"column\": \"z\", \"noise\": \"0.1 mm\"}, {\"sample\": \"yaw\", "          \
  "\"column\": \"yaw\", \"noise\": \"1e-3 rad\"}]}, \"calibrate\": {\"seed\": 3, " CALIBRATE       \
  "}, \"vary\": [" VARIED "], \"design\": {\"type\": \"monte_carlo\", \"instances\": 8}"
#define BOTH "{\"file\": \"a.csv\"}, {\"file\": \"b.csv\", \"use\": \"predict\"}"
#define MASS "{\"path\": \"platform.mass\", \"normal\": [6, 0.5]}"
#define INERTIA "{\"path\": \"platform.yaw_inertia\", \"normal\": [0.08, 0.005]}"
#define STUDY(CALIBRATE, VARIED) VEHICLE("6", THREE, FITTED(BOTH, CALIBRATE, VARIED))

/* A sum of twelve uniform numbers, of variance 1; the same on every machine. */
static double noise(unsigned *state) {
  double sum = -6;
  for (int i = 0; i < 12; i++) {
    *state = *state * 1664525u + 1013904223u;
    sum += (double)(*state >> 8) / (double)(1 << 24);
  }
  return sum;
}

/* What the study's vehicle does, with noise of that deviation in m and tens of it in rad, but at
 * the start. */
static void write_log(const char *name, const char *truth, double size, unsigned state) {
  static char text[TEXT];
  write_file("truth.json", truth);
  remove("truth.h5");
  remove("paths.csv");
  expect(OMNIROLL("run", "truth.json", "-q", "-o", "truth.h5"), OMR_OK);
  expect(
      OMNIROLL("export", "truth.h5", "--trajectories", "--columns", "x,z,yaw", "-o", "paths.csv"),
      OMR_OK);
  read_file("paths.csv", text);
  FILE *file = fopen(name, "w");
  cr_assert_not_null(file);
  fputs("time,x,z,yaw\n", file);
  size_t rows = 0;
  for (const char *line = strchr(text, '\n'); line && line[1]; line = strchr(line + 1, '\n')) {
    double time, x, z, yaw;
    cr_assert_eq(sscanf(line + 1, "%*d,%lf,%lf,%lf,%lf", &time, &x, &z, &yaw), 4);
    const double here = rows++ ? size : 0;
    x += here * noise(&state);
    z += here * noise(&state);
    fprintf(file, "%.17g,%.17g,%.17g,%.17g\n", time, x, z, yaw + 10 * here * noise(&state));
  }
  cr_assert_eq(rows, 31);
  cr_assert_eq(fclose(file), 0);
}

TestSuite(calibrate_verdict, .init = set_up, .fini = tear_down, .timeout = 240);

static void write_logs(void) {
  write_log("a.csv", VEHICLE("6.4", THREE, TRUTH), 1e-4, 1);
  write_log("b.csv", VEHICLE("6.4", THREE, TRUTH), 1e-4, 2);
}

/* Mean and deviation of the line that begins with the name. */
static void read_line(const char *name, double *mean, double *deviation) {
  const char *line = strstr(last.out, name);
  cr_assert_not_null(line, "no \"%s\" in %s", name, last.out);
  cr_assert_eq(sscanf(line + strlen(name), "%lf %lf", mean, deviation), 2, "%s", line);
}

/* A mass of 12 kg is eleven deviations from the vehicle's; that of 6 kg is none. */
Test(calibrate_verdict, a_prior_far_from_the_data_is_refused) {
  write_logs();
  write_file("s.json", STUDY("\"members\": 40", MASS));
  expect(OMNIROLL("calibrate", "s.json", "--check", "-q"), OMR_OK);
  expect_text(last.out, "verdict: good");
  expect(OMNIROLL("calibrate", "s.json", "--check", "-q", "--set", "vary[0].normal=[12, 0.5]"),
         OMR_ERR_NEGATIVE);
  expect_text(last.out, "! The prior does not predict the data");
  expect_text(last.err, "does not predict");
}

static void expect_conflict(const char *change, const char *told) {
  expect(OMNIROLL("calibrate", "s.json", "-q", "-o", "no.csv", "--set", change), OMR_ERR_NEGATIVE);
  expect_text(last.out, "! The prior does not predict the data");
  expect_text(last.out, "No fit was made.");
  expect_text(last.err, told);
  cr_expect(access("no.csv", F_OK) != 0 && access("no.csv.journal", F_OK) != 0);
}

/* It ends where it begins, and says which sample of which run is off, and by which mistake. */
Test(calibrate_verdict, data_that_the_prior_does_not_predict_end_the_fit) {
  write_logs();
  write_file("s.json", STUDY("\"members\": 40", MASS));
  expect_conflict("data.measured[2].column={\"column\": \"yaw\", \"factor\": 57.29578}",
                  "yaw of run 0 (a.csv)");
  expect_text(last.err, "degrees that are read as radians");
  expect_conflict("data.measured[2].column={\"column\": \"yaw\", \"factor\": -1}", "a wrong sign");
  expect_conflict("data.measured[2].column={\"column\": \"yaw\", \"factor\": 1.5}",
                  "It parts from");
  expect_conflict("data={\"runs\": [{\"file\": \"a.csv\"}], \"interval\": \"10 ms\", \"origin\": "
                  "\"world\", \"measured\": [{\"sample\": \"x\", \"column\": \"z\", \"noise\": "
                  "1e-4}, {\"sample\": \"z\", \"column\": \"x\", \"noise\": 1e-4}]}",
                  "It looks like a wrong column");
}

/* Noise of 1.35 times the stated size is as far off as chance makes it once in 300 000; noise of
 * twice the size would allow it, so that there is an answer beside the verdict. */
Test(calibrate_verdict, data_that_the_prior_misses_narrowly_are_fitted_all_the_same) {
  write_log("a.csv", VEHICLE("6.4", THREE, TRUTH), 1.35e-4, 1);
  write_log("b.csv", VEHICLE("6.4", THREE, TRUTH), 1.35e-4, 2);
  write_file("s.json", STUDY("\"members\": 40", MASS));
  expect(OMNIROLL("calibrate", "s.json", "-q", "-o", "yes.csv"), OMR_ERR_NEGATIVE);
  expect_text(last.out, "! The prior does not predict the data");
  expect_text(last.out, "The fit was made all the same");
  expect_text(last.out, "\n  platform.mass ");
  cr_expect_eq(access("yes.csv", F_OK), 0);
}

/* Rows that are missing, and times of a logger that counts milliseconds. */
Test(calibrate_verdict, holes_and_times_without_a_unit_are_told) {
  char line[200];
  FILE *file = fopen("c.csv", "w");
  cr_assert_not_null(file);
  fputs("time,x,z,yaw\n", file);
  for (int i = 0; i <= 30; i++)
    if (i < 10 || i > 18) fprintf(file, "%g,0,0,0\n", 0.01 * i);
  cr_assert_eq(fclose(file), 0);
  write_file("s.json",
             VEHICLE("6", THREE, FITTED("{\"file\": \"c.csv\"}", "\"members\": 20", MASS)));
  expect(OMNIROLL("validate", "s.json"), OMR_OK);
  expect_text(last.out, "c.csv has 1 hole, the longest of 0.1 s from line 11 on, 0.09 s after");
  expect(OMNIROLL("calibrate", "s.json", "--check", "-q"), OMR_ERR_NEGATIVE);
  expect_text(last.out, "? log: c.csv has 1 hole");
  file = fopen("c.csv", "w");
  cr_assert_not_null(file);
  fputs("time,x,z,yaw\n", file);
  for (int i = 0; i <= 30; i++) fprintf(file, "%d,0,0,0\n", 10 * i);
  cr_assert_eq(fclose(file), 0);
  expect(OMNIROLL("validate", "s.json"), OMR_OK);
  snprintf(line, sizeof line, "{\"column\": \"time\", \"unit\": \"ms\"}");
  expect_text(last.out, line);
  expect(
      OMNIROLL("validate", "s.json", "--set", "data.time={\"column\": \"time\", \"unit\": \"ms\"}"),
      OMR_OK);
  cr_expect_null(strstr(last.out, "log:"), "%s", last.out);
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Passes by such a tolerance make a launch of a minute. A signal is heard all the same. */
Test(calibrate_verdict, a_signal_ends_a_check_and_a_fit_at_once) {
  write_logs();
  write_file("s.json", STUDY("\"members\": 20000", MASS));
  for (int k = 0; k < 4; k++) {
    const pid_t child =
        start("/dev/null", (const char *const[]){"calibrate", "s.json", "-q", "--set",
                                                 "integrator={\"tolerance\": 1e-10}",
                                                 k & 1 ? "--check" : NULL, NULL});
    nanosleep(&(struct timespec){.tv_sec = 1, .tv_nsec = 500000000}, NULL);
    cr_assert_eq(kill(child, k & 2 ? SIGINT : SIGTERM), 0);
    const double sent = seconds();
    expect(finish(child), OMR_ERR_INTERRUPTED);
    cr_expect_lt(seconds() - sent, 2);
    expect_text(last.err, "interrupted; nothing is kept");
  }
}

/* Gravity decides how fast wheels slip, and a thousandth of it decides nothing. */
Test(calibrate_verdict, a_check_names_what_the_data_will_not_tell) {
  write_logs();
  write_file("s.json",
             STUDY("\"members\": 40", MASS ", {\"path\": \"gravity\", \"normal\": [9.81, 0.001]}"));
  expect(OMNIROLL("calibrate", "s.json", "--check", "-q"), OMR_OK);
  expect_text(last.out, "verdict: with reservations");
  expect_text(last.out, "? gravity changes the observations by less than the noise");
  cr_expect_null(strstr(last.out, "platform.mass changes"));
}

/* Turning on the spot, torque over inertia is all that counts. */
Test(calibrate_verdict, two_parameters_that_count_together_are_named_together) {
  write_log("a.csv", VEHICLE("6", EQUAL, TRUTH), 1e-4, 1);
  write_file("s.json",
             VEHICLE("6", EQUAL,
                     FITTED("{\"file\": \"a.csv\"}", "\"members\": 40",
                            "{\"path\": \"wheel.drive.torque\", \"normal\": [0.05, 0.005]}, "
                            "{\"path\": \"platform.yaw_inertia\", \"normal\": [0.08, 0.008]}")));
  expect(OMNIROLL("calibrate", "s.json", "--check", "-q"), OMR_OK);
  const char *told = strstr(last.out, "The data cannot tell these apart: ");
  cr_assert_not_null(told, "%s", last.out);
  const char *end = strchr(told, '\n'), *torque = strstr(told, "wheel.drive.torque"),
             *inertia = strstr(told, "platform.yaw_inertia");
  cr_expect(torque && torque < end && inertia && inertia < end, "%s", told);
}

/* Torques drive rollers of friction: over the short steps of members that lie close together they
 * change in another order, and part the traces as if the data told much of combinations. Spread out
 * by more noise, they do not. */
Test(calibrate_verdict, a_combination_that_depends_on_the_step_is_said_to) {
  write_log("a.csv", VEHICLE("6", THREE, TRUTH), 1e-9, 1);
  write_file("s.json",
             VEHICLE("6", THREE,
                     FITTED("{\"file\": \"a.csv\"}", "\"members\": 60",
                            MASS ", " INERTIA ", {\"path\": \"platform.center_of_mass.x\", "
                                 "\"normal\": [0, 0.005]}, {\"path\": "
                                 "\"platform.center_of_mass.z\", \"normal\": [0, 0.005]}")));
  expect(OMNIROLL("calibrate", "s.json", "-q"), OMR_OK);
  cr_expect_null(strstr(last.out, "How much this combination"), "%s", last.out);
  OMNIROLL("calibrate", "s.json", "-q", "--set", "data.measured[0].noise=1e-5", "--set",
           "data.measured[1].noise=1e-5", "--set", "data.measured[2].noise=1e-4");
  expect_text(last.out, "? How much this combination changes the observations depends on the step");
}

/* Each factor's deviation is what is told: 30 numbers know it to 1/sqrt(60) = 13 %. What is found
 * is not held against the data. */
Test(calibrate_verdict, noise_twice_as_large_as_stated_is_found) {
  static const char *const names[] = {"noise of x", "noise of z", "noise of yaw"};
  write_logs();
  write_log("a.csv", VEHICLE("6.4", THREE, TRUTH), 2e-4, 4);
  write_file("s.json", STUDY("\"members\": 40, \"points\": 100, \"noise\": \"unknown\"", MASS));
  expect(OMNIROLL("calibrate", "s.json", "-q"), OMR_OK);
  cr_expect_null(strstr(last.out, "\n  ! "), "%s", last.out);
  for (int k = 0; k < 3; k++) {
    double mean, deviation;
    read_line(names[k], &mean, &deviation);
    cr_expect_float_eq(mean, 2, 4 * deviation, "%s: %g +- %g", names[k], mean, deviation);
    cr_expect_lt(deviation, 0.5);
  }
}

/* 6.4 and 5.6 kg are 0.8 deviations above the prior's mean and below it. */
Test(calibrate_verdict, each_run_has_its_own_mass) {
  double mean, deviation;
  write_log("a.csv", VEHICLE("6.4", THREE, TRUTH), 1e-4, 1);
  write_log("b.csv", VEHICLE("5.6", THREE, TRUTH), 1e-4, 3);
  write_file("s.json", VEHICLE("6", THREE,
                               FITTED("{\"file\": \"a.csv\"}, {\"file\": \"b.csv\"}",
                                      "\"members\": 60, \"per_run\": [\"platform.mass\"], "
                                      "\"shared\": 0",
                                      MASS)));
  expect(OMNIROLL("calibrate", "s.json", "-q"), OMR_OK);
  cr_expect_null(strstr(last.out, "changes no observation")); /* what runs share, which is 0 */
  read_line("platform.mass in run 0", &mean, &deviation);
  cr_expect_float_eq(mean, 0.8, 4 * deviation, "%g +- %g", mean, deviation);
  cr_expect_lt(deviation, 0.3);
  read_line("platform.mass in run 1", &mean, &deviation);
  cr_expect_float_eq(mean, -0.8, 4 * deviation, "%g +- %g", mean, deviation);
  cr_expect_lt(deviation, 0.3);
  /* runs share nothing: of the mass in a third run nothing was learned */
  expect(OMNIROLL("calibrate", "s.json", "-q", "--json"), OMR_OK);
  cJSON *json = cJSON_Parse(last.out);
  const cJSON *parameter = cJSON_GetArrayItem(cJSON_GetObjectItem(json, "parameters"), 0),
              *besides = cJSON_GetObjectItem(json, "besides");
  cr_expect_eq(cJSON_GetObjectItem(parameter, "left_of_prior")->valuedouble, 1);
  cr_expect_eq(cJSON_GetArraySize(besides), 2);
  cr_expect_str_eq(cJSON_GetObjectItem(cJSON_GetArrayItem(besides, 1), "name")->valuestring,
                   "platform.mass in run 1");
  cr_expect_lt(cJSON_GetObjectItem(cJSON_GetArrayItem(besides, 1), "deviation")->valuedouble, 0.3);
  cJSON_Delete(json);
}

/* Two runs of one group have one mass between them, a third its own; a run that is kept apart is
 * predicted with its group's, 0.8 deviations off the prior's mean: without the group it is missed
 * by what the prior allows. */
Test(calibrate_verdict, runs_of_a_group_have_one_mass) {
  double mean, deviation, missed[2] = {0};
  write_log("a.csv", VEHICLE("6.4", THREE, TRUTH), 1e-4, 1);
  write_log("b.csv", VEHICLE("6.4", THREE, TRUTH), 1e-4, 3);
  write_log("c.csv", VEHICLE("5.6", THREE, TRUTH), 1e-4, 5);
  write_log("d.csv", VEHICLE("6.4", THREE, TRUTH), 1e-4, 7);
  write_file(
      "s.json",
      VEHICLE("6", THREE,
              FITTED("{\"file\": \"a.csv\", \"group\": \"one\"}, {\"file\": \"b.csv\", "
                     "\"group\": \"one\"}, {\"file\": \"c.csv\"}, {\"file\": \"d.csv\", "
                     "\"group\": \"one\", \"use\": \"predict\"}",
                     "\"members\": 60, \"per_run\": [\"platform.mass\"], \"shared\": 0", MASS)));
  expect(OMNIROLL("calibrate", "s.json", "-q"), OMR_OK);
  read_line("platform.mass in runs 0, 1  ", &mean, &deviation);
  cr_expect_float_eq(mean, 0.8, 4 * deviation, "%g +- %g", mean, deviation);
  cr_expect_lt(deviation, 0.25);
  read_line("platform.mass in run 2  ", &mean, &deviation);
  cr_expect_float_eq(mean, -0.8, 4 * deviation, "%g +- %g", mean, deviation);
  for (int grouped = 0; grouped < 2; grouped++) {
    OMNIROLL("calibrate", "s.json", "-q", "--json", "--set",
             grouped ? "data.runs[3].group=one" : "data.runs[3].group=null");
    cJSON *json = cJSON_Parse(last.out);
    const cJSON *row;
    cJSON_ArrayForEach(
        row,
        cJSON_GetObjectItem(
            json, "errors")) if (strcmp(cJSON_GetObjectItem(row, "file")->valuestring, "d.csv") ==
                                     0 &&
                                 strcmp(cJSON_GetObjectItem(row, "sample")->valuestring, "x") == 0)
        missed[grouped] = cJSON_GetObjectItem(row, "rms")->valuedouble;
    cJSON_Delete(json);
  }
  cr_log_info("rms %g without its group, %g with it", missed[0], missed[1]);
  /* noise of 0.1 mm at the instant and at the start is 0.14 mm */
  cr_expect_lt(missed[1], 0.16e-3);
  cr_expect_gt(missed[0], 0.24e-3);
}

static void expect_in_file(hid_t file, const char *name) {
  cr_expect_gt(H5Lexists(file, name, H5P_DEFAULT), 0, "no %s", name);
}

#define DRAWING                                                                                    \
  "design={\"type\": \"posterior\", \"file\": \"p.h5\", \"instances\": 20, \"seed\": 4}"

Test(calibrate_verdict, another_study_draws_from_its_file) {
  static char one[TEXT], two[TEXT];
  write_logs();
  write_file("s.json", STUDY("\"members\": 40", MASS ", " INERTIA));
  expect(OMNIROLL("calibrate", "s.json", "-q", "-o", "p.h5", "--threads", "1"), OMR_OK);
  const hid_t file = H5Fopen("p.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  cr_assert_geq(file, 0);
  expect_in_file(file, "draw");
  expect_in_file(file, "platform.mass");
  expect_in_file(file, "platform.yaw_inertia");
  expect_in_file(file, "run_0");
  expect_in_file(file, "run_0/time");
  expect_in_file(file, "run_1/x_measured");
  expect_in_file(file, "run_1/yaw_median");
  H5Fclose(file);
  write_file("t.json", VEHICLE("6", THREE,
                               "\"integrator\": {\"step\": \"1 ms\", \"duration\": "
                               "\"10 ms\"}"));
  expect(OMNIROLL("sample", "t.json", "-o", "one.csv", "--set", DRAWING), OMR_OK);
  expect(OMNIROLL("sample", "t.json", "-o", "two.csv", "--set", DRAWING), OMR_OK);
  read_file("one.csv", one);
  read_file("two.csv", two);
  cr_expect_str_eq(one, two);
  expect(
      OMNIROLL("sample", "t.json", "-o", "other.csv", "--set", DRAWING, "--set", "design.seed=5"),
      OMR_OK);
  read_file("other.csv", two);
  cr_expect_str_neq(one, two);
  /* the same bits on two threads */
  expect(OMNIROLL("calibrate", "s.json", "-q", "-o", "c.csv", "--threads", "1"), OMR_OK);
  expect(OMNIROLL("calibrate", "s.json", "-q", "-o", "d.csv", "--threads", "2"), OMR_OK);
  read_file("c.csv", one);
  read_file("d.csv", two);
  cr_expect_str_eq(one, two);
  /* no points */
  write_file("none.csv", "platform.mass [kg]\n");
  expect(OMNIROLL("sample", "t.json", "--set",
                  "design={\"type\": \"posterior\", \"file\": \"none.csv\", \"instances\": 20}"),
         OMR_ERR_STUDY);
}

/* As many points as make no covariance of four unknowns: those of a half lie in a line, and moves
 * along it leave the points where they are in all other directions. With 200 they move. */
Test(calibrate_verdict, points_that_hardly_move_are_told) {
  write_logs();
  write_file("s.json",
             STUDY("\"members\": 40, \"points\": 4",
                   MASS ", " INERTIA ", {\"path\": \"layout.radius\", \"normal\": [0.15, 0.002]}, "
                        "{\"path\": \"platform.center_of_mass.x\", \"normal\": [0, 0.002]}"));
  expect(OMNIROLL("calibrate", "s.json", "-q"), OMR_OK);
  expect_text(last.out, "? The points hardly moved: their correlation with where they came from");
  expect(OMNIROLL("calibrate", "s.json", "-q", "--set", "calibrate.points=200"), OMR_OK);
  cr_expect_null(strstr(last.out, "hardly moved"));
}

/* Every truth has its rank. */
Test(calibrate_verdict, fits_to_made_runs_hold_what_they_say) {
  static char again[TEXT];
  write_logs();
  write_file("s.json", STUDY("\"members\": 20", MASS));
  expect(OMNIROLL("calibrate", "s.json", "--sbc", "20", "--json", "-q", "--threads", "1"), OMR_OK);
  expect_text(last.out, "\"right\": true");
  const char *ranks = strstr(last.out, "\"ranks\": [");
  cr_assert_not_null(ranks);
  ranks += strlen("\"ranks\": [");
  long sum = 0;
  for (char *end; *ranks && *ranks != ']'; ranks = *end == ',' ? end + 1 : end)
    sum += strtol(ranks, &end, 10);
  cr_expect_eq(sum, 20);
  snprintf(again, sizeof again, "%s", last.out);
  expect(OMNIROLL("calibrate", "s.json", "--sbc", "20", "--json", "-q", "--threads", "2"), OMR_OK);
  cr_expect_str_eq(again, last.out);
}
