/* What is unknown between model and log, through the built program: logs of a vehicle are made with
 * a clock that is off, with sensors that are, with outliers; what was planted is found within what
 * is told of it. Ends of runs, spectra, orders, bins and what wheels do count as data, and fits to
 * made runs hold what they say. */
#include "tests/cli/program.h"

#include <cjson/cJSON.h>
#include <math.h>

#define VEHICLE(MASS, SECTIONS)                                                                    \
  "{\"model\": \"omni_vehicle\", \"frame\": \"ros\", \"parameters\": {\"platform\": {" MASS        \
  "\"yaw_inertia\": 0.07}, \"layout\": {\"type\": \"ring\", \"wheels\": 3, \"radius\": \"0.15 "    \
  "m\"}, \"wheel\": {\"radius\": \"50 mm\", \"rollers\": 12, \"row_distance\": \"20 mm\", "        \
  "\"tip_radius\": \"5 mm\"}, \"wheels\": [{\"drive\": {\"type\": \"constant\", \"torque\": "      \
  "0.1}}, {\"drive\": {\"type\": \"constant\", \"torque\": 0.03}}, {\"drive\": {\"type\": "        \
  "\"constant\", \"torque\": -0.05}}]}, \"engine\": {\"backend\": \"openmp\", \"precision\": "     \
  "\"double\"}, " SECTIONS "}"

static const char truth[] = VEHICLE(
    "\"mass\": 6.4, ", "\"integrator\": {\"step\": \"1 ms\", \"duration\": \"1.2 s\"}, \"output\": "
                       "{\"trajectories\": {\"instances\": [0], \"interval\": \"5 ms\"}}");

#define FITTED(DATA, CALIBRATE)                                                                    \
  VEHICLE("", "\"integrator\": {\"step\": \"1 ms\"}, \"data\": {" DATA                             \
              "}, \"calibrate\": {" CALIBRATE "}, \"vary\": [{\"path\": \"platform.mass\", "       \
              "\"normal\": [6, 0.5]}], \"design\": {\"type\": \"monte_carlo\", \"instances\": 8}")
#define RUN(FILE) "{\"file\": \"" FILE "\", \"start\": \"5 s\"}"
#define POSES(X, ALL)                                                                              \
  "\"interval\": \"50 ms\", \"measured\": [{\"sample\": \"x\", \"column\": \"x\", \"noise\": "     \
  "\"1 mm\"" X ALL "}, {\"sample\": \"y\", \"column\": \"y\", \"noise\": \"1 mm\"" ALL             \
  "}, {\"sample\": \"yaw\", \"column\": \"yaw\", \"noise\": \"0.2 deg\"" ALL "}]"

enum { ROWS = 241 };
static double path[3][ROWS]; /* x, y, yaw every 5 ms */

static void read_path(void) {
  static char text[TEXT];
  read_file("paths.csv", text);
  size_t row = 0;
  for (const char *line = strchr(text, '\n'); line && line[1]; line = strchr(line + 1, '\n'), row++)
    cr_assert_eq(
        sscanf(line + 1, "%*d,%*f,%lf,%lf,%lf", &path[0][row], &path[1][row], &path[2][row]), 3);
  cr_assert_eq(row, ROWS);
}

/* Between the rows 5 ms apart straight lines err by micrometres. */
static double at(int sample, double t) {
  const double place = t / 5e-3;
  const size_t row = (size_t)place;
  return path[sample][row] + (place - (double)row) * (path[sample][row + 1] - path[sample][row]);
}

/* A sum of twelve uniform numbers, of variance 1; the same on every machine. */
static double noise(unsigned *state) {
  double sum = -6;
  for (int i = 0; i < 12; i++) {
    *state = *state * 1664525u + 1013904223u;
    sum += (double)(*state >> 8) / (double)(1 << 24);
  }
  return sum;
}

/* How a log is off. */
typedef struct flaws {
  double offset, scale, bias, gain; /* of the clock, and of x in m */
  int outlier;                      /* each so many rows has ten times the noise; 0: none */
  bool quiet;                       /* no noise */
  double start[3];                  /* what is added to the first row's pose */
} flaws;

/* Rows every 50 ms of the log's clock, from 5 s on; the first has no noise, since poses are seen
 * from it. */
static void write_log(const char *name, unsigned state, flaws off) {
  FILE *file = fopen(name, "w");
  cr_assert_not_null(file);
  fputs("time,x,y,yaw\n", file);
  for (int i = 0; i <= 20; i++) {
    const double t = (i * 0.05 - off.offset) / off.scale;
    double pose[3];
    for (int s = 0; s < 3; s++) {
      const bool is_outlier = off.outlier && (i + 3 * s) % off.outlier == 1;
      const double size = (s == 2 ? 0.2 * acos(-1) / 180 : 1e-3) * (i == 0 || off.quiet ? 0
                                                                    : is_outlier        ? 10
                                                                                        : 1);
      pose[s] = at(s, t) * (s ? 1 : off.gain) + (s ? 0 : off.bias) + size * noise(&state) +
                (i ? 0 : off.start[s]);
    }
    fprintf(file, "%.17g,%.17g,%.17g,%.17g\n", 5 + i * 0.05, pose[0], pose[1], pose[2]);
  }
  cr_assert_eq(fclose(file), 0);
}

static void start_up(void) {
  set_up();
  write_file("truth.json", truth);
  expect(OMNIROLL("run", "truth.json", "-q", "-o", "truth.h5"), OMR_OK);
  expect(
      OMNIROLL("export", "truth.h5", "--trajectories", "--columns", "x,y,yaw", "-o", "paths.csv"),
      OMR_OK);
  read_path();
}

TestSuite(observed, .init = start_up, .fini = tear_down, .timeout = 240);

static double number(const cJSON *object, const char *name) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
  cr_assert(cJSON_IsNumber(item), "%s", name);
  return item->valuedouble;
}

/* Within four deviations of what is told, which are at most `most` of the prior's. */
static void expect_found(const cJSON *json, const char *list, const char *key, const char *name,
                         double value, double most) {
  const cJSON *item;
  cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(json, list)) {
    if (strcmp(cJSON_GetStringValue(cJSON_GetObjectItem(item, key)), name) != 0) continue;
    const double mean = number(item, "mean"), deviation = number(item, "deviation");
    cr_expect_float_eq(mean, value, 4 * deviation, "%s: %g +- %g, not %g", name, mean, deviation,
                       value);
    cr_expect(number(item, "low") < mean && mean < number(item, "high"), "%s", name);
    cr_expect_lt(number(item, "left_of_prior"), most, "%s: %g", name,
                 number(item, "left_of_prior"));
    return;
  }
  cr_expect(false, "no %s", name);
}

static void expect_sensor(const cJSON *json, const char *name, double value, double most) {
  expect_found(json, "sensors", "name", name, value, most);
}

static void expect_mass(const cJSON *json, double most) {
  expect_found(json, "parameters", "path", "platform.mass", 6.4, most);
}

static cJSON *calibrate(const char *study, int code) {
  write_file("s.json", study);
  expect(OMNIROLL("calibrate", "s.json", "-q", "--json"), code);
  cJSON *json = cJSON_Parse(last.out);
  cr_assert_not_null(json, "%s", last.out);
  return json;
}

Test(observed, a_clock_is_found) {
  write_log("0.csv", 1, (flaws){.offset = -0.04, .scale = 1.02, .gain = 1});
  cJSON *json = calibrate(
      FITTED(
          "\"runs\": [" RUN("0.csv") "], " POSES(
              "", "") ", \"time_offset\": {\"normal\": [0, "
                      "\"50 ms\"]}, \"clock_scale\": {\"uniform\": [0.9, 1.1], \"per\": \"all\"}",
          "\"members\": 80, \"seed\": 3"),
      OMR_OK);
  expect_mass(json, 0.5);
  expect_sensor(json, "time offset of run 0", -0.04, 0.3);
  expect_sensor(json, "clock scale", 1.02, 0.3);
  cJSON_Delete(json);
  /* the table has them with their units */
  expect(OMNIROLL("calibrate", "s.json", "-q", "-o", "p.h5"), OMR_OK);
  expect_text(last.out, "calibration of s.json: 6 unknowns");
  expect_text(last.out, "  time offset of run 0         s ");
  expect_text(last.out, "  clock scale                  1 ");
}

/* ---- a robot that stands and moves off */

#define DRIVE(COLUMN)                                                                              \
  "{\"drive\": {\"type\": \"replay_torque\", \"replay\": {\"file\": \"torque.csv\", "              \
  "\"columns\": {\"time\": \"t\", \"torque\": \"" COLUMN "\"}}}}"
#define MOVING_OFF(MASS, SECTIONS)                                                                 \
  "{\"model\": \"omni_vehicle\", \"frame\": \"ros\", \"parameters\": {\"contact\": {\"law\": "     \
  "\"classical_rollers\"}, \"platform\": {" MASS                                                   \
  "\"yaw_inertia\": 0.07}, \"layout\": {\"type\": \"ring\", \"wheels\": 3, \"radius\": \"0.15 "    \
  "m\"}, \"wheel\": {\"radius\": \"50 mm\", \"rollers\": 12}, \"wheels\": [" DRIVE(                \
      "a") ", " DRIVE("b") ", " DRIVE("c") "]}, \"engine\": {\"backend\": \"openmp\", "            \
                                           "\"precision\": "                                       \
                                           "\"double\"}, " SECTIONS "}"

/* Torques that rise from `start` on. */
static void write_torques(double start) {
  FILE *file = fopen("torque.csv", "w");
  cr_assert_not_null(file);
  fputs("t,a,b,c\n0,0,0,0\n", file);
  if (start > 0) fprintf(file, "%g,0,0,0\n", start);
  fprintf(file, "%g,0.5,-0.1,-0.4\n", start + 1.2);
  cr_assert_eq(fclose(file), 0);
}

/* What is measured comes of a study whose first move comes 0.2 s later, cut: nothing of it knows
 * how a model goes on before its start. Its pose at the log's time T is that at T - 40 ms after the
 * first move. Intervals hold the true offset in 95 % of the repetitions: in five of six at least,
 * 97 times in 100, and the mean of six is off by three of its deviations at most. By a parabola
 * before the start none of the six holds it, and the mean is ten deviations too low. */
Test(observed, a_clock_is_found_of_a_robot_that_moves_off_at_once) {
  enum { REPEATS = 6 };
  const double later = 0.2, offset = 0.04;
  write_torques(later);
  write_file("truth.json",
             MOVING_OFF("\"mass\": 6.4, ",
                        "\"integrator\": {\"step\": \"1 ms\", \"duration\": \"1.2 s\"}, "
                        "\"output\": {\"trajectories\": {\"instances\": [0], \"interval\": "
                        "\"5 ms\"}}"));
  cr_assert(remove("truth.h5") == 0 && remove("paths.csv") == 0);
  expect(OMNIROLL("run", "truth.json", "-q", "-o", "truth.h5"), OMR_OK);
  expect(
      OMNIROLL("export", "truth.h5", "--trajectories", "--columns", "x,y,yaw", "-o", "paths.csv"),
      OMR_OK);
  read_path();
  write_torques(0);
  int inside = 0;
  double off = 0;
  for (unsigned k = 0; k < REPEATS; k++) {
    unsigned state = 100 + k;
    FILE *file = fopen("0.csv", "w");
    cr_assert_not_null(file);
    fputs("time,x,y,yaw\n", file);
    for (int i = 0; i <= 9; i++) {
      fprintf(file, "%.17g", 0.1 * i);
      for (int s = 0; s < 3; s++)
        fprintf(file, ",%.17g",
                at(s, later + 0.1 * i - offset) + (i ? s == 2 ? 4e-4 : 1e-4 : 0) * noise(&state));
      fputc('\n', file);
    }
    cr_assert_eq(fclose(file), 0);
    cJSON *json = calibrate(
        MOVING_OFF(
            "", "\"integrator\": {\"step\": \"1 ms\"}, \"data\": {\"runs\": [{\"file\": "
                "\"0.csv\"}], \"interval\": \"0.1 s\", \"time_offset\": {\"normal\": [0, \"50 "
                "ms\"]}, \"measured\": [{\"sample\": \"x\", \"column\": \"x\", \"noise\": 1e-4}, "
                "{\"sample\": \"y\", \"column\": \"y\", \"noise\": 1e-4}, {\"sample\": \"yaw\", "
                "\"column\": \"yaw\", \"noise\": 4e-4}]}, \"calibrate\": {\"members\": 100, "
                "\"seed\": 3}, \"vary\": [{\"path\": \"platform.mass\", \"normal\": [6.4, 0.1]}], "
                "\"design\": {\"type\": \"monte_carlo\", \"instances\": 8}"),
        OMR_OK);
    const cJSON *clock = cJSON_GetObjectItemCaseSensitive(json, "sensors")->child;
    inside += number(clock, "low") < offset && offset < number(clock, "high");
    off += (number(clock, "mean") - offset) / number(clock, "deviation");
    cJSON_Delete(json);
  }
  cr_expect_geq(inside, 5, "%d of six, %g deviations", inside, off);
  cr_expect_lt(fabs(off), 3 * sqrt(REPEATS), "%g deviations in %d repeats", off, REPEATS);
}

/* Made runs have eight times the instants that the fit reads its model at, and noise that
 * remembers: what the fit takes to be between them and before the first is seen. With the slopes of
 * parabolas there the mean of the mass's scores is -0.67. Noise of 0.1 mm sees micrometres. */
Test(observed, made_runs_show_what_a_fit_takes_to_be_between_instants) {
  write_torques(0);
  FILE *file = fopen("0.csv", "w");
  cr_assert_not_null(file);
  fputs("time,x,y,yaw\n", file);
  for (int i = 0; i <= 9; i++) fprintf(file, "%.17g,0,0,0\n", 0.1 * i);
  cr_assert_eq(fclose(file), 0);
  write_file("s.json",
             MOVING_OFF("",
                        "\"integrator\": {\"step\": \"2.5 ms\"}, \"data\": {\"runs\": [{\"file\": "
                        "\"0.csv\"}], \"interval\": \"0.1 s\", \"time_offset\": {\"normal\": "
                        "[\"30 ms\", \"20 ms\"]}, \"measured\": [{\"sample\": \"x\", \"column\": "
                        "\"x\", \"noise\": 1e-4, \"correlation_time\": 0.3}, {\"sample\": \"y\", "
                        "\"column\": \"y\", \"noise\": 1e-4, \"correlation_time\": 0.3}, "
                        "{\"sample\": \"yaw\", \"column\": \"yaw\", \"noise\": 4e-4, "
                        "\"correlation_time\": 0.3}]}, \"calibrate\": {\"members\": 100, \"seed\": "
                        "3}, \"vary\": [{\"path\": \"platform.mass\", \"normal\": [6.4, 0.1]}], "
                        "\"design\": {\"type\": \"monte_carlo\", \"instances\": 8}"));
  expect(OMNIROLL("calibrate", "s.json", "-q", "--sbc", "100"), OMR_OK);
}

/* Poses are seen from a start that was measured wrong; without an unknown for that, the model
 * misses what was measured. */
Test(observed, a_wrong_start_is_found) {
  write_log("0.csv", 2, (flaws){.scale = 1, .gain = 1, .start = {0.006, -0.004, 0.03}});
  cJSON *json = calibrate(
      FITTED("\"runs\": [" RUN("0.csv") "], " POSES("", ""), "\"members\": 60, \"seed\": 3"),
      OMR_ERR_NEGATIVE);
  cJSON_Delete(json);
  json = calibrate(FITTED("\"runs\": [" RUN("0.csv") "], " POSES(
                              "", ", \"start_error\": {\"normal\": [0, 0.02]}"),
                          "\"members\": 100, \"seed\": 3"),
                   OMR_OK);
  expect_mass(json, 0.5);
  expect_sensor(json, "start error of x in run 0", 0.006, 0.2);
  expect_sensor(json, "start error of y in run 0", -0.004, 0.2);
  expect_sensor(json, "start error of yaw in run 0", 0.03, 0.2);
  cJSON_Delete(json);
}

/* Each run has its own bias of x; the gain is one. */
Test(observed, a_sensors_bias_and_gain_are_found) {
  write_log("0.csv", 3, (flaws){.scale = 1, .gain = 1.08, .bias = 0.02});
  write_log("1.csv", 4, (flaws){.scale = 1, .gain = 1.08, .bias = -0.015});
  cJSON *json = calibrate(
      FITTED("\"runs\": [" RUN("0.csv") ", " RUN("1.csv") "], \"origin\": \"world\", " POSES(
                 ", \"bias\": {\"normal\": [0, \"30 mm\"], \"per\": \"run\"}, \"gain\": "
                 "{\"normal\": [1, \"10 %\"]}",
                 ""),
             "\"members\": 80, \"seed\": 3"),
      OMR_OK);
  expect_mass(json, 0.5);
  expect_sensor(json, "bias of x in run 0", 0.02, 0.3);
  expect_sensor(json, "bias of x in run 1", -0.015, 0.3);
  expect_sensor(json, "gain of x", 1.08, 0.3);
  cJSON_Delete(json);
}

/* A tenth of the values is ten times as far off: the model misses what was measured, unless the
 * study knows of outliers. Then they are counted: 6 in 60 are planted, of which some are near. */
Test(observed, outliers_do_not_draw_the_fit) {
  write_log("0.csv", 5, (flaws){.scale = 1, .gain = 1, .outlier = 10});
  cJSON *json = calibrate(
      FITTED("\"runs\": [" RUN("0.csv") "], " POSES("", ""), "\"members\": 60, \"seed\": 3"),
      OMR_ERR_NEGATIVE);
  cJSON_Delete(json);
  for (int points = 0; points < 2; points++) {
    json =
        calibrate(points ? FITTED("\"runs\": [" RUN("0.csv") "], " POSES("", ", \"outliers\": 0.1"),
                                  "\"members\": 60, \"points\": 100, \"seed\": 3")
                         : FITTED("\"runs\": [" RUN("0.csv") "], " POSES("", ", \"outliers\": 0.1"),
                                  "\"members\": 60, \"seed\": 3"),
                  OMR_OK);
    expect_mass(json, 0.5);
    const cJSON *item;
    double outliers = 0;
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(json, "errors")) outliers +=
        number(item, "outliers");
    cr_expect(outliers >= 3 && outliers <= 6, "%g outliers", outliers);
    cJSON_Delete(json);
  }
  expect(OMNIROLL("calibrate", "s.json", "-q"), OMR_OK);
  expect_text(last.out, "Of 20 measured values of x ");
  expect_text(last.out, "are outliers more likely than not; \"outliers\" says 10 %.");
}

/* Ends alone, three numbers, tell the mass. */
Test(observed, ends_are_data) {
  write_log("0.csv", 6, (flaws){.scale = 1, .gain = 1});
  cJSON *json =
      calibrate(FITTED("\"runs\": [" RUN("0.csv") "], " POSES("", ", \"compare\": \"end\""),
                       "\"members\": 60, \"seed\": 3"),
                OMR_OK);
  expect_mass(json, 0.5);
  cJSON_Delete(json);
  expect(OMNIROLL("calibrate", "s.json", "-q", "-o", "p.h5"), OMR_OK);
  expect_text(last.out, "3 numbers compared");
}

/* So does the power of x in two octaves: what is left of the steady motion in them is the rollers.
 */
Test(observed, spectra_are_data) {
  write_log("0.csv", 6, (flaws){.scale = 1, .gain = 1, .quiet = true});
  cJSON *json = calibrate(
      FITTED("\"runs\": [" RUN(
                 "0.csv") "], \"origin\": \"world\", \"interval\": "
                          "\"50 ms\", \"measured\": [{\"sample\": \"x\", \"column\": \"x\", "
                          "\"compare\": \"spectrum\", \"bands\": 2, \"noise\": 0.1}]",
             "\"members\": 60, \"seed\": 3"),
      OMR_OK);
  expect_mass(json, 0.7);
  cJSON_Delete(json);
  expect(OMNIROLL("calibrate", "s.json", "-q", "-o", "p.h5"), OMR_OK);
  expect_text(last.out, "2 numbers compared");
}

/* ---- wheels, orders and bins: a log of the robot's own wheels, without noise */

static void write_wheels(void) {
  static char text[TEXT];
  expect(OMNIROLL("export", "truth.h5", "--trajectories", "--columns",
                  "x,vx,yaw_rate,wheel_rate,wheel_angle", "-o", "wheels.csv"),
         OMR_OK);
  read_file("wheels.csv", text);
  FILE *file = fopen("0.csv", "w");
  cr_assert_not_null(file);
  fputs("time,x,vx,yaw_rate,w0,w1,w2,a0,a1,a2\n", file);
  for (const char *line = strchr(text, '\n') + 1; *line; line = strchr(line, '\n') + 1)
    fprintf(file, "%.*s\n", (int)strcspn(strchr(line, ',') + 1, "\n"), strchr(line, ',') + 1);
  cr_assert_eq(fclose(file), 0);
}

/* Voltages or torques in, wheel rates out: the mass without any pose. Encoders count from anywhere:
 * angles are taken from the start. */
Test(observed, wheels_are_data) {
  write_wheels();
  cJSON *json = calibrate(
      FITTED(
          "\"runs\": [{\"file\": \"0.csv\"}], \"interval\": \"50 ms\", \"measured\": "
          "[{\"sample\": \"wheel_rate\", \"wheel\": 0, \"column\": \"w0\", \"noise\": \"1 "
          "rpm\"}, {\"sample\": \"wheel_angle\", \"wheel\": 1, \"column\": {\"column\": \"a1\"}, "
          "\"noise\": \"1 deg\"}]",
          "\"members\": 60, \"seed\": 3"),
      OMR_OK);
  expect_mass(json, 0.5);
  cJSON_Delete(json);
  expect(OMNIROLL("calibrate", "s.json", "-q", "-o", "p.h5"), OMR_OK);
  expect_text(last.out, "50 numbers compared");
  expect_text(last.out, "wheels[1].wheel_angle");
}

/* A vehicle on rigid contacts has no height, and one without motors no current. */
Test(observed, samples_that_the_study_has_not_are_refused) {
  static const char *const none[][2] = {
      {"{\"sample\": \"height\", \"column\": \"x\"", "height"},
      {"{\"sample\": \"current\", \"wheel\": 1, \"column\": \"w0\"", "wheels[1].current"}};
  for (int i = 0; i < 2; i++) {
    char study[2000];
    snprintf(study, sizeof study,
             FITTED("\"runs\": [{\"file\": \"plain.csv\"}], \"measured\": [%s, \"noise\": 1}]",
                    "\"members\": 60"),
             none[i][0]);
    write_file("s.json", study);
    write_file("plain.csv", "time,x,w0\n0,0,0\n0.5,1,1\n1,2,2\n");
    expect(OMNIROLL("calibrate", "s.json", "-q"), OMR_ERR_STUDY);
    expect_text(last.err, "data.measured[0]: the study has no");
    expect_text(last.err, none[i][1]);
  }
}

/* The mass sets how much the rollers shake vx at their order, 12 in a turn of a wheel, and the mean
 * rate of turning while the wheel has one speed or another. */
#define AGAINST                                                                                    \
  ", {\"sample\": \"wheel_angle\", \"wheel\": 0, \"column\": \"a0\", \"compare\": \"end\", "       \
  "\"noise\": \"100 rad\"}, {\"sample\": \"x\", \"column\": \"x\", \"compare\": \"end\", "         \
  "\"noise\": "                                                                                    \
  "\"100 m\"}], \"origin\": \"world\""

Test(observed, orders_are_data) {
  write_wheels();
  cJSON *json = calibrate(
      FITTED("\"runs\": [{\"file\": \"0.csv\"}], \"interval\": \"5 ms\", \"measured\": "
             "[{\"sample\": \"vx\", \"column\": \"vx\", \"compare\": \"orders\", \"against\": "
             "\"wheels[0].wheel_angle\", \"orders\": [12], \"noise\": 0.02}" AGAINST,
             "\"members\": 60, \"seed\": 3"),
      OMR_OK);
  expect_mass(json, 0.9);
  cJSON_Delete(json);
}

Test(observed, bins_are_data) {
  write_wheels();
  cJSON *json = calibrate(
      FITTED("\"runs\": [{\"file\": \"0.csv\"}], \"interval\": \"5 ms\", \"measured\": "
             "[{\"sample\": \"yaw_rate\", \"column\": \"yaw_rate\", \"compare\": \"bins\", "
             "\"against\": \"x\", \"edges\": [0, \"1 cm\", \"3 cm\"], \"noise\": \"0.5 "
             "deg/s\"}" AGAINST,
             "\"members\": 60, \"seed\": 3"),
      OMR_OK);
  expect_mass(json, 0.5);
  cJSON_Delete(json);
  expect(OMNIROLL("calibrate", "s.json", "-q", "-o", "p.h5"), OMR_OK);
  expect_text(last.out, "4 numbers compared");
}

/* The whole fit on runs that are made of draws: intervals hold what they say. */
Test(observed, fits_to_made_runs_hold) {
  write_log("0.csv", 7, (flaws){.scale = 1, .gain = 1});
  write_file("s.json", FITTED("\"runs\": [{\"file\": \"0.csv\", \"end\": \"5.5 s\"}], " POSES(
                                  ", \"gain\": {\"normal\": [1, 0.05]}, \"bias\": {\"normal\": [0, "
                                  "\"5 mm\"]}",
                                  "") ", \"time_offset\": {\"normal\": [0, \"20 ms\"]}, "
                                      "\"clock_scale\": {\"normal\": [1, 0.01]}",
                              "\"members\": 60, \"seed\": 3"));
  expect(OMNIROLL("calibrate", "s.json", "-q", "--sbc", "40"), OMR_OK);
  expect_text(last.out, "40 fits to made runs, 8 unknowns");
  expect_text(last.out, "the fit's intervals hold what they say");
}
