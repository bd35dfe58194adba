/* Measured inputs: replayed tables against drives that give the same, against exact motions, and
 * against the engine's own run (appendix/drives.md#drives). */
#include "result/result.h"
#include "shared/motion.h"
#include "study/tables/replay.h"

#include <stdarg.h>
#include <unistd.h>

#define PI 3.14159265358979323846

/* A testbench wheel without friction and inclination: J chi'' = tau - beta chi'. */
static const char wheel_text[] =
    "{\"model\": \"omni_wheel\", \"parameters\": {\"overlap\": \"allow\","
    "\"wheel\": {\"radius\": 0.1, \"rollers\": 6, \"center_distance\": 0.08, \"friction\": 0,"
    "\"disc\": {\"mass\": 1.2, \"axial_inertia\": 0.006, \"diametral_inertia\": 0.0035},"
    "\"roller\": {\"mass\": 0.11, \"axial_inertia\": 3e-5, \"diametral_inertia\": 7e-5}}},"
    "\"integrator\": {\"step\": \"1 ms\", \"duration\": \"2 s\"}, \"engine\": {\"backend\": "
    "\"openmp\"},"
    "\"output\": {\"observables\": [\"energy_error\", \"drive_work\", \"torque_peak\"], "
    "\"trajectories\": {\"instances\": [0], \"interval\": \"50 ms\"}}}";

static const double inertia = 0.006 + 6 * (0.11 * 0.08 * 0.08 + 7e-5);

/* ---- files */

static char path[64];

/* Begins a table in a file of its own, which end_table names to the study. */
static FILE *begin_table(const char *header) {
  snprintf(path, sizeof path, "/tmp/omniroll-replay-XXXXXX");
  const int file = mkstemp(path);
  cr_assert_geq(file, 0);
  FILE *out = fdopen(file, "w");
  fprintf(out, "%s\n", header);
  return out;
}

static void remove_table(void) {
  unlink(path);
}

/* A table of rows h apart from `first` to `last` of a function of time. */
static void make_table(const char *header, double first, double last, double h,
                       double (*value)(double t)) {
  FILE *out = begin_table(header);
  const long rows = lrint((last - first) / h);
  for (long r = 0; r <= rows; r++) {
    const double t = first + (last - first) * (double)r / (double)rows;
    fprintf(out, "%.17g,%.17g\n", t, value(t));
  }
  fclose(out);
}

static const char *drive(const char *type, const char *interpolation, const char *more) {
  static char set[512];
  snprintf(set, sizeof set,
           "parameters.wheel.drive={\"type\":\"%s\",%s\"replay\":{\"file\":\"%s\","
           "\"interpolation\":\"%s\"}}",
           type, more, path, interpolation);
  return set;
}

static double last_sample(const omr_result *r, int quantity) {
  return r->wheel_samples[quantity][r->sample_count - 1];
}

/* ---- torque */

static double twice_a_hundredth(double t) {
  (void)t;
  return 0.02;
}

/* A constant table has no slope, so that not a bit differs. */
Test(replay, a_constant_torque_is_the_constant_drive_bit_by_bit, .fini = remove_table) {
  make_table("time,torque", 0, 2, 0.01, twice_a_hundredth);
  static const char *const words[] = {"linear", "cubic"};
  omr_result *plain =
      run_study(wheel_text, OVERRIDES("parameters.wheel.drive={\"type\":\"constant\","
                                      "\"torque\":0.02}"));
  for (int j = 0; j < 2; j++) {
    omr_result *r = run_study(wheel_text, OVERRIDES(drive("replay_torque", words[j], "")));
    cr_expect_eq(last_sample(r, OMR_WS_RATE), last_sample(plain, OMR_WS_RATE));
    cr_expect_eq(last_sample(r, OMR_WS_ANGLE), last_sample(plain, OMR_WS_ANGLE));
    cr_expect_eq(value_of(r, "torque_peak", 0), 0.02);
    omr_result_destroy(r);
  }
  omr_result_destroy(plain);
}

static double sine(double t) {
  return 0.02 * sin(2 * PI * 0.8 * t + 0.3);
}

/* The spline's error is 5/384 h^4 of the fourth derivative, inside: 8e-12 of the torque. */
Test(replay, a_sine_torque_is_the_sine_drive, .fini = remove_table) {
  make_table("time,torque", 0, 2, 1e-3, sine);
  omr_result *plain =
      run_study(wheel_text, OVERRIDES("parameters.wheel.drive={\"type\":\"sine\",\"torque\":0.02,"
                                      "\"frequency\":0.8,\"phase\":0.3}"));
  omr_result *r = run_study(wheel_text, OVERRIDES(drive("replay_torque", "cubic", "")));
  for (size_t s = 0; s < r->sample_count; s++) {
    cr_expect_float_eq(r->wheel_samples[OMR_WS_TORQUE][s], plain->wheel_samples[OMR_WS_TORQUE][s],
                       1e-12);
    cr_expect_float_eq(r->wheel_samples[OMR_WS_RATE][s], plain->wheel_samples[OMR_WS_RATE][s],
                       1e-11);
  }
  omr_result_destroy(r);
  omr_result_destroy(plain);
}

/* The same rows in the study and in a file. */
Test(replay, straight_lines_are_the_table_in_the_study, .fini = remove_table) {
  FILE *out = begin_table("# a comment\ntau [mN m], other, t_s [ms]");
  fprintf(out, "10,7,0\n30,7,500\n-20,7,1250\n0,7,2000\n");
  fclose(out);
  char set[512];
  snprintf(set, sizeof set,
           "parameters.wheel.drive={\"type\":\"replay_torque\",\"replay\":{\"file\":\"%s\","
           "\"columns\":{\"time\":\"t_s\",\"torque\":{\"column\":\"tau\",\"factor\":-1}}}}",
           path);
  omr_result *plain = run_study(
      wheel_text, OVERRIDES("parameters.wheel.drive={\"type\":\"table\",\"torque\":-1,\"table\":"
                            "[[0,0.01],[0.5,0.03],[1.25,-0.02],[2,0]]}"));
  omr_result *r = run_study(wheel_text, OVERRIDES(set));
  for (size_t s = 0; s < r->sample_count; s++)
    cr_expect_float_eq(r->wheel_samples[OMR_WS_RATE][s], plain->wheel_samples[OMR_WS_RATE][s],
                       1e-12);
  omr_result_destroy(r);
  omr_result_destroy(plain);
}

/* ---- what a motor gets */

#define MOTOR                                                                                      \
  "parameters.wheel.motor={\"resistance\":1.3,\"torque_constant\":0.0187,\"gear_ratio\":13.7,"     \
  "\"rotor_inertia\":7e-6,\"no_load_current\":0.25,\"efficiency\":0.78,\"current_limit\":3}"

/* Voltages of a file are the same rows in the study: rates, currents and heat. */
Test(replay, voltages_are_the_table_by_voltage, .fini = remove_table) {
  FILE *out = begin_table("u [mV],t [s]");
  fprintf(out, "0,0\n6000,0.5\n-3000,1.25\n0,2\n");
  fclose(out);
  char set[512];
  snprintf(set, sizeof set,
           "parameters.wheel.drive={\"type\":\"replay_voltage\",\"replay\":{\"file\":\"%s\","
           "\"columns\":{\"time\":\"t\",\"voltage\":\"u\"}}}",
           path);
  omr_result *plain = run_study(
      wheel_text, OVERRIDES(MOTOR,
                            "parameters.wheel.drive={\"type\":\"table\",\"by\":\"voltage\","
                            "\"table\":[[0,0],[0.5,6],[1.25,-3],[2,0]]}",
                            "output.observables=[\"motor_heat\", \"current_peak\"]"));
  omr_result *r = run_study(
      wheel_text, OVERRIDES(MOTOR, set, "output.observables=[\"motor_heat\", \"current_peak\"]"));
  for (size_t s = 0; s < r->sample_count; s++) {
    cr_expect_float_eq(r->wheel_samples[OMR_WS_RATE][s], plain->wheel_samples[OMR_WS_RATE][s],
                       1e-11);
    cr_expect_float_eq(r->wheel_samples[OMR_WS_CURRENT][s], plain->wheel_samples[OMR_WS_CURRENT][s],
                       1e-11);
  }
  cr_expect_gt(value_of(r, "motor_heat", 0), 1);
  cr_expect_float_eq(value_of(r, "motor_heat", 0), value_of(plain, "motor_heat", 0), 1e-10);
  cr_expect_float_eq(value_of(r, "current_peak", 0), value_of(plain, "current_peak", 0), 1e-11);
  omr_result_destroy(r);
  omr_result_destroy(plain);
}

static double three_tenths(double t) {
  (void)t;
  return 30;
}

/* A duty of 30 % on a supply that sags is the constant drive by duty, bit by bit. */
Test(replay, a_constant_duty_is_the_constant_drive_by_duty, .fini = remove_table) {
  make_table("time,duty [%]", 0, 2, 0.01, three_tenths);
#define SUPPLY "parameters.supply={\"voltage\":12.5,\"resistance\":0.3}"
  omr_result *plain =
      run_study(wheel_text, OVERRIDES(MOTOR, SUPPLY,
                                      "parameters.wheel.drive={\"type\":\"constant\","
                                      "\"by\":\"duty\",\"duty\":0.3}"));
  omr_result *r =
      run_study(wheel_text, OVERRIDES(MOTOR, SUPPLY, drive("replay_duty", "linear", "")));
  cr_expect_gt(last_sample(r, OMR_WS_RATE), 5);
  cr_expect_float_eq(last_sample(r, OMR_WS_RATE), last_sample(plain, OMR_WS_RATE), 1e-12);
  cr_expect_lt(r->vehicle_samples[OMR_VS_BUS][1], 12.5);
  cr_expect_float_eq(r->vehicle_samples[OMR_VS_BUS][1], plain->vehicle_samples[OMR_VS_BUS][1],
                     1e-12);
  omr_result_destroy(r);
  omr_result_destroy(plain);
}

/* ---- time */

static double wave(double t) {
  return 0.03 * sin(3 * t) + 0.01 * cos(11 * t);
}
static double wave_later(double t) {
  return wave(t - 3);
}
static double wave_slower(double t) {
  return wave(0.5 * t);
}

/* tau(t) from a table whose time runs 3 s ahead, and from one of half the speed: its rows are at
 * twice the times, which is exact in binary. */
Test(replay, offset_and_scale_only_move_the_rows, .fini = remove_table) {
  static const char *const words[] = {"linear", "cubic"};
  for (int j = 0; j < 2; j++) {
    make_table("time,torque", 0, 2, 1.0 / 64, wave);
    omr_result *plain = run_study(wheel_text, OVERRIDES(drive("replay_torque", words[j], "")));
    remove_table();
    make_table("time,torque", 3, 5, 1.0 / 64, wave_later);
    omr_result *moved =
        run_study(wheel_text, OVERRIDES(drive("replay_torque", words[j], "\"time_offset\":-3,")));
    remove_table();
    make_table("time,torque", 0, 4, 1.0 / 32, wave_slower);
    omr_result *scaled =
        run_study(wheel_text, OVERRIDES(drive("replay_torque", words[j], "\"time_scale\":0.5,")));
    remove_table();
    for (size_t s = 0; s < plain->sample_count; s++) {
      const double rate = plain->wheel_samples[OMR_WS_RATE][s];
      cr_expect_float_eq(moved->wheel_samples[OMR_WS_RATE][s], rate, 1e-12);
      cr_expect_eq(scaled->wheel_samples[OMR_WS_RATE][s], rate);
    }
    omr_result_destroy(plain);
    omr_result_destroy(moved);
    omr_result_destroy(scaled);
  }
}

static omr_study *read_text(const char *drive_set, const char *more) {
  const char *const overrides[] = {drive_set, more};
  omr_error error = {0};
  omr_study *study = NULL;
  omr_study_parse(wheel_text, "test", overrides, more ? 2 : 1, &study, &error);
  cr_assert_not_null(study, "%s", error.message);
  return study;
}

/* A log by the clock of a day starts the run with its first row, and says so; where the study
 * places it, it stays. One that begins before its time 0 has always been taken from there. */
Test(replay, a_log_that_begins_late_is_moved_to_the_start, .fini = remove_table) {
  make_table("time,torque", 0, 2, 1.0 / 64, wave);
  omr_result *plain = run_study(wheel_text, OVERRIDES(drive("replay_torque", "cubic", "")));
  remove_table();
  make_table("time,torque", 3, 5, 1.0 / 64, wave_later);
  const char *late = drive("replay_torque", "cubic", "");
  omr_result *moved = run_study(wheel_text, OVERRIDES(late));
  for (size_t s = 0; s < plain->sample_count; s++)
    cr_expect_float_eq(moved->wheel_samples[OMR_WS_RATE][s], plain->wheel_samples[OMR_WS_RATE][s],
                       1e-12);
  omr_study *study = read_text(late, NULL);
  cr_assert_not_null(study->log_note);
  cr_expect_not_null(strstr(study->log_note, "begin at 3 s; they are moved by as much"));
  omr_study_destroy(study);
  study = read_text(drive("replay_torque", "cubic", "\"time_offset\":-3,"), NULL);
  cr_expect_null(study->log_note);
  omr_study_destroy(study);
  study = read_text(drive("replay_torque", "cubic", ""),
                    "vary=[{\"path\":\"wheel.drive.time_offset\",\"values\":[-3,-3]}]");
  cr_expect_null(study->log_note);
  cr_expect_eq(study->drives.replay[0].table.time[0], 3);
  omr_study_destroy(study);
  omr_result_destroy(plain);
  omr_result_destroy(moved);
}

/* Every instance has its own place in the one table: as a run with that offset alone. */
Test(replay, offsets_vary_from_instance_to_instance, .fini = remove_table) {
  make_table("time,torque", -1, 4, 0.01, wave);
  omr_result *all = run_study(
      wheel_text, OVERRIDES(drive("replay_torque", "linear", ""),
                            "vary=[{\"path\":\"wheel.drive.time_offset\",\"values\":[-1.5,-0.3,0,"
                            "0.123,0.77,1]},{\"path\":\"wheel.drive.time_scale\",\"values\":[1,1.2"
                            "]}]"));
  cr_assert_eq(all->instances, 12);
  for (size_t k = 0; k < 12; k++) {
    char more[96];
    snprintf(more, sizeof more, "\"time_offset\":%.17g,\"time_scale\":%.17g,",
             value_of(all, "wheel_drive_time_offset", k),
             value_of(all, "wheel_drive_time_scale", k));
    omr_result *one = run_study(wheel_text, OVERRIDES(drive("replay_torque", "linear", more)));
    cr_expect_eq(value_of(all, "drive_work", k), value_of(one, "drive_work", 0), "instance %zu", k);
    omr_result_destroy(one);
  }
  omr_result_destroy(all);
}

/* ---- wheel rate */

/* A cubic, which the spline is; J chi'' + beta chi' is the torque. */
static double cubic(double t) {
  return 1 + t * (2 + t * (-3 + t));
}
static double cubic_slope(double t) {
  return 2 + t * (-6 + t * 3);
}
static double cubic_area(double t) {
  return t * (1 + t * (1 + t * (-1 + t / 4)));
}

Test(replay, a_prescribed_rate_is_exact_and_gives_the_torque, .fini = remove_table) {
  make_table("time,rate", -0.5, 2.5, 0.1, cubic);
  omr_result *r = run_study(wheel_text, OVERRIDES(drive("replay_rate", "cubic", ""),
                                                  "parameters.wheel.axle_bearing=0.004"));
  double work = 0;
  for (size_t s = 0; s < r->sample_count; s++) {
    const double t = r->sample_time[s], torque = inertia * cubic_slope(t) + 0.004 * cubic(t);
    cr_expect_float_eq(r->wheel_samples[OMR_WS_RATE][s], cubic(t), 1e-13);
    cr_expect_float_eq(r->wheel_samples[OMR_WS_ANGLE][s], cubic_area(t), 1e-12);
    cr_expect_float_eq(r->wheel_samples[OMR_WS_TORQUE][s], torque, 1e-14);
    cr_expect_float_eq(r->wheel_samples[OMR_WS_ACCELERATION][s], cubic_slope(t), 1e-12);
  }
  /* int tau chi' = J (chi'^2 - 1)/2 + beta int chi'^2, by Simpson's rule on fine steps */
  for (int k = 0; k < 20000; k++) {
    const double t = 1e-4 * k, a = cubic(t), b = cubic(t + 5e-5), c = cubic(t + 1e-4);
    work += 0.004 * 1e-4 / 6 * (a * a + 4 * b * b + c * c);
  }
  work += 0.5 * inertia * (cubic(2) * cubic(2) - 1);
  cr_expect_float_eq(value_of(r, "drive_work", 0), work, 1e-10);
  cr_expect_lt(fabs(value_of(r, "energy_error", 0)), 1e-9);
  cr_expect_float_eq(value_of(r, "torque_peak", 0), inertia * 2 + 0.004, 1e-5);
  omr_result_destroy(r);
}

static double minus_two(double t) {
  (void)t;
  return -2;
}

/* The table has no slope, so that not a bit differs; the bearing takes beta chi'. */
Test(replay, a_constant_rate_is_the_replayed_one_bit_by_bit, .fini = remove_table) {
  make_table("time,rate", 0, 2, 0.01, minus_two);
  static const char bearing[] = "parameters.wheel.axle_bearing=0.004";
  static const char *const steps[] = {"integrator.step=1 ms", "integrator={\"tolerance\":1e-8}"};
  for (int j = 0; j < 2; j++) {
    omr_result *plain =
        run_study(wheel_text, OVERRIDES("parameters.wheel.drive={\"type\":\"rate\",\"rate\":-2}",
                                        bearing, steps[j], "integrator.duration=2 s"));
    omr_result *r = run_study(wheel_text, OVERRIDES(drive("replay_rate", "cubic", ""), bearing,
                                                    steps[j], "integrator.duration=2 s"));
    for (size_t s = 0; s < r->sample_count; s++) {
      cr_expect_eq(plain->wheel_samples[OMR_WS_RATE][s], -2);
      cr_expect_eq(plain->wheel_samples[OMR_WS_TORQUE][s], -2 * 0.004);
      cr_expect_eq(plain->wheel_samples[OMR_WS_ANGLE][s], r->wheel_samples[OMR_WS_ANGLE][s]);
    }
    cr_expect_eq(value_of(plain, "drive_work", 0), value_of(r, "drive_work", 0));
    omr_result_destroy(r);
    omr_result_destroy(plain);
  }
}

/* What is pushed at bears the push: the drive of a locked wheel answers the torque from outside. */
Test(replay, a_locked_wheel_stands_and_its_drive_bears_the_torque) {
  omr_result *r = run_study(
      wheel_text, OVERRIDES("parameters.wheel.drive={\"type\":\"rate\"}",
                            "parameters.external={\"type\":\"constant\",\"torque\":{\"z\":0.7}}"));
  for (size_t s = 0; s < r->sample_count; s++) {
    cr_expect_eq(r->wheel_samples[OMR_WS_RATE][s], 0);
    cr_expect_eq(r->wheel_samples[OMR_WS_ANGLE][s], 0);
    cr_expect_float_eq(r->wheel_samples[OMR_WS_TORQUE][s], -0.7, 1e-15);
  }
  cr_expect_eq(value_of(r, "drive_work", 0), 0);
  cr_expect_float_eq(value_of(r, "torque_peak", 0), 0.7, 1e-15);
  omr_result_destroy(r);
}

/* Angles of the same motion, a quartic: the derivative of its spline misses the rate by h^3 of the
 * fourth derivative (6) where it is largest, at the ends; between and at the rows the wheel has
 * turned by what the column says. */
Test(replay, a_rate_by_its_angle_turns_the_wheel_by_the_column, .fini = remove_table) {
  char set[512];
  FILE *out = begin_table("t_s,counts [turn]");
  for (int row = 0; row <= 300; row++)
    fprintf(out, "%.17g,%.17g\n", -0.5 + 0.01 * row, cubic_area(-0.5 + 0.01 * row) / (-2 * PI));
  fclose(out);
  snprintf(set, sizeof set,
           "parameters.wheel.drive={\"type\":\"replay_rate\",\"replay\":{\"file\":\"%s\","
           "\"columns\":{\"time\":\"t_s\",\"angle\":{\"column\":\"counts\",\"factor\":-1}}}}",
           path);
  omr_result *r = run_study(wheel_text, OVERRIDES(set));
  for (size_t s = 0; s < r->sample_count; s++) {
    const double t = r->sample_time[s];
    cr_expect_float_eq(r->wheel_samples[OMR_WS_ANGLE][s], cubic_area(t), 1e-10, "%g at %g s",
                       r->wheel_samples[OMR_WS_ANGLE][s] - cubic_area(t), t);
    cr_expect_float_eq(r->wheel_samples[OMR_WS_RATE][s], cubic(t), 6e-6, "%g at %g s",
                       r->wheel_samples[OMR_WS_RATE][s] - cubic(t), t);
  }
  omr_result_destroy(r);
}

/* From rest to 4 rad/s in 0.4 s, and on: 7.2 rad in 2 s. */
static double speeding_up(double t) {
  return t < 0.4 ? 5 * t * t : 0.8 + 4 * (t - 0.4);
}

/* As a sensor has it that starts again after a whole turn of its own, which begins at `low`. */
static double wrapped(double angle, double turn, double low) {
  return angle - turn * floor((angle - low) / turn);
}

static void expect_angle(const char *unit, double factor, double end) {
  char set[512];
  snprintf(
      set, sizeof set,
      "parameters.wheel.drive={\"type\":\"replay_rate\",\"replay\":{\"file\":\"%s\",\"columns\":"
      "{\"time\":\"t_s\",\"angle\":{\"column\":\"a\",\"unit\":\"%s\",\"factor\":%.17g}}}}",
      path, unit, factor);
  omr_result *r = run_study(wheel_text, OVERRIDES(set));
  cr_expect_float_eq(last_sample(r, OMR_WS_ANGLE), end, 1e-9, "%s, %g: %.9g", unit, factor,
                     last_sample(r, OMR_WS_ANGLE));
  omr_result_destroy(r);
}

/* The motion of before, as sensors have it that wrap at half a turn and at a turn, in three units,
 * that count the other way, and on the motor's side of a gear. At a row the wheel has turned by
 * what the sensor says, whole turns put back. Logged every second it counts on over turns, or it
 * stays as it is: 3.2 and 4 rad are then the wheel's. */
Test(replay, an_angle_that_wraps_turns_on, .fini = remove_table) {
  static const struct {
    const char *unit;
    double turn, low, factor, every;
  } sensors[] = {
      {"deg", 360, -180, 1, 0.1},        {"deg", 360, -180, 1, 0.05},   {"deg", 360, 0, 1, 0.1},
      {"rad", 2 * PI, -PI, 1, 0.1},      {"turn", 1, 0, 1, 0.1},        {"turn", 1, -0.5, -1, 0.05},
      {"turn", 4096, 0, 1. / 4096, 0.1}, {"deg", 360, -180, 0.2, 0.02}, {"deg", 360, 0, 2.5, 0.1},
      {"rad", 1e9, -1e8, 1, 1}};
  for (size_t k = 0; k < sizeof sensors / sizeof *sensors; k++) {
    const double unit = sensors[k].unit[0] == 'd'   ? PI / 180
                        : sensors[k].unit[0] == 't' ? 2 * PI
                                                    : 1;
    FILE *out = begin_table("t_s,a");
    for (int row = 0; row * sensors[k].every < 2 + 1e-9; row++)
      fprintf(out, "%.17g,%.17g\n", row * sensors[k].every,
              wrapped(speeding_up(row * sensors[k].every) / unit / sensors[k].factor,
                      sensors[k].turn, sensors[k].low));
    fclose(out);
    expect_angle(sensors[k].unit, sensors[k].factor, 7.2);
    remove_table();
  }
}

/* A state and a name, that nobody replays; the last row has them empty. */
Test(replay, columns_of_words_that_nobody_wants_are_passed_over, .fini = remove_table) {
  FILE *out = begin_table("state,t_s,name,a");
  for (int row = 0; row < 20; row++)
    fprintf(out, "%s,%g,\"wheel, the \"\"left\"\" one\",%.17g\n", row ? "FORWARD" : "INIT",
            0.1 * row, speeding_up(0.1 * row));
  fprintf(out, ",2,,%.17g\n", speeding_up(2));
  fclose(out);
  expect_angle("rad", 1, 7.2);
}

static double lines(double t) {
  return fabs(t - 1) + 2 * fabs(t - 0.5);
}

/* Corners on step ends: rate and angle are exact there too, and the torque is that of the side on
 * which a step lies. */
Test(replay, corners_of_a_prescribed_rate_cost_nothing_on_step_ends, .fini = remove_table) {
  make_table("time,rate", 0, 2, 0.25, lines);
  static const char *const steps[] = {"integrator.step=1 ms", "integrator={\"tolerance\":1e-6,"
                                                              "\"duration\":\"2 s\"}"};
  for (int j = 0; j < 2; j++) {
    omr_result *r = run_study(wheel_text, OVERRIDES(drive("replay_rate", "linear", ""), steps[j]));
    for (size_t s = 0; s < r->sample_count; s++)
      cr_expect_float_eq(r->wheel_samples[OMR_WS_RATE][s], lines(r->sample_time[s]), 1e-13);
    cr_expect_float_eq(last_sample(r, OMR_WS_ANGLE), 1 + 2 * (0.125 + 1.125), 1e-12);
    cr_expect_float_eq(value_of(r, "torque_peak", 0), inertia * 3, 1e-14);
    cr_expect_lt(fabs(value_of(r, "energy_error", 0)), 1e-9);
    omr_result_destroy(r);
  }
}

/* ---- a vehicle */

#define SECTIONS                                                                                   \
  "output={\"trajectories\":{\"instances\":[0],\"interval\":\"1 ms\"}}",                           \
      "parameters.wheels=[{},{},{}]", "parameters.wheel.friction=0.4",                             \
      "parameters.wheel.roller.bearing=2e-5", "parameters.wheel.axle_bearing=0.003"

/* Torque-driven; then its wheel rates at every `stride`-th sample, replayed, have to give the
 * torques back: the derivative of the spline is of the third order in the rows' distance. Slow
 * enough for no roller to change, at which the acceleration jumps. */
static omr_result *run_driven(void) {
  return run_study(vehicle_text,
                   OVERRIDES("parameters.wheel.drive={\"type\":\"sine\",\"torque\":0.2,"
                             "\"frequency\":1.3,\"phase\":0.4}",
                             "integrator={\"step\":\"0.1 ms\",\"duration\":\"0.4 s\"}",
                             "parameters.initial={}", SECTIONS));
}

static omr_result *replay_rates(const omr_result *from, size_t stride) {
  FILE *out = begin_table("t,w0,w1,w2");
  for (size_t s = 0; s < from->sample_count; s += stride) {
    fprintf(out, "%.17g", from->sample_time[s]);
    for (int i = 0; i < 3; i++)
      fprintf(out, ",%.17g", from->wheel_samples[OMR_WS_RATE][s * 3 + (size_t)i]);
    fprintf(out, "\n");
  }
  fclose(out);
  char wheels[1024] = "parameters.wheels=[";
  for (int i = 0; i < 3; i++)
    snprintf(wheels + strlen(wheels), sizeof wheels - strlen(wheels),
             "%s{\"drive\":{\"type\":\"replay_rate\",\"replay\":{\"file\":\"%s\","
             "\"interpolation\":\"cubic\",\"columns\":{\"time\":\"t\",\"rate\":\"w%d\"}}}}",
             i ? "," : "", path, i);
  strcat(wheels, "]");
  omr_result *r =
      run_study(vehicle_text, OVERRIDES("integrator={\"step\":\"0.1 ms\",\"duration\":\"0.4 s\"}",
                                        "parameters.initial={}", SECTIONS, wheels));
  remove_table();
  return r;
}

/* Largest difference of a wheel's quantity away from both ends, where the spline knows less. */
static double difference(const omr_result *a, const omr_result *b, int quantity) {
  double most = 0;
  for (size_t s = 60; s < a->sample_count - 60; s++)
    for (size_t i = 0; i < 3; i++)
      most = fmax(most, fabs(a->wheel_samples[quantity][3 * s + i] -
                             b->wheel_samples[quantity][3 * s + i]));
  return most;
}

Test(replay, the_torque_of_a_replayed_rate_is_the_torque_that_made_it) {
  omr_result *driven = run_driven(), *coarse = replay_rates(driven, 20),
             *fine = replay_rates(driven, 10);
  cr_assert_eq(value_of(driven, "exchanges", 0), 0);
  const double first = difference(driven, coarse, OMR_WS_TORQUE),
               second = difference(driven, fine, OMR_WS_TORQUE), order = log2(first / second);
  cr_log_info("torque: 20 ms %.3g, 10 ms %.3g N m, order %.2f", first, second, order);
  cr_expect_gt(order, 2.7);
  cr_expect_lt(second, 1e-4);
  cr_expect_float_eq(value_of(fine, "final_x", 0), value_of(driven, "final_x", 0), 1e-7);
  cr_expect_float_eq(value_of(fine, "drive_work", 0), value_of(driven, "drive_work", 0), 1e-6);
  cr_expect_lt(fabs(value_of(fine, "energy_error", 0)), 1e-7);
  omr_result_destroy(driven);
  omr_result_destroy(coarse);
  omr_result_destroy(fine);
}

/* ---- the command */

static double ramp(double t) {
  return 0.3 * t;
}

/* A straight line is the same in the study's own table and in both interpolations of a file. */
Test(replay, a_replayed_command_is_followed_as_the_same_table_is, .fini = remove_table) {
  make_table("time,vx", 0, 2, 0.25, ramp);
  FILE *out = fopen(path, "w");
  fprintf(out, "t [s],forward [cm/s],aside,turn [deg/s]\n");
  for (int k = 0; k <= 8; k++)
    fprintf(out, "%.17g,%.17g,%.17g,%.17g\n", 0.25 * k, 30 * 0.25 * k, -0.1 * 0.25 * k,
            0.2 * 0.25 * k * 180 / PI);
  fclose(out);
  static const char *const words[] = {"linear", "cubic"};
  const char *body = "parameters.wheel.drive={\"type\":\"body\",\"kp\":0.5,\"ki\":5}";
  const char *grip = "parameters.wheel.friction=0.4";
  const char *times = "integrator={\"step\":\"0.5 ms\",\"duration\":\"2 s\"}";
  omr_result *plain = run_study(
      vehicle_text,
      OVERRIDES("parameters.command={\"type\":\"table\",\"table\":[[0,0,0,0],[2,0.6,-0.2,0.4]]}",
                body, grip, times));
  for (int j = 0; j < 2; j++) {
    char set[512];
    snprintf(set, sizeof set,
             "parameters.command={\"type\":\"replay\",\"replay\":{\"file\":\"%s\","
             "\"interpolation\":\"%s\",\"columns\":{\"time\":\"t\",\"vx\":\"forward\",\"vz\":{"
             "\"column\":\"aside\",\"unit\":\"m/s\"},\"yaw_rate\":\"turn\"}}}",
             path, words[j]);
    omr_result *r = run_study(vehicle_text, OVERRIDES(set, body, grip, times));
    static const char *const names[] = {"final_x", "final_z", "final_yaw", "max_deviation",
                                        "drive_work"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
      cr_expect_float_eq(value_of(r, names[k], 0), value_of(plain, names[k], 0), 1e-9, "%s %s",
                         words[j], names[k]);
    omr_result_destroy(r);
  }
  omr_result_destroy(plain);
}

/* ---- the pieces */

/* The derivatives at rows that are not even, from the 16 conditions for the coefficients of the
 * four pieces (values, continuous first and second derivatives, third ones continuous at the second
 * row and the last but one), solved in rational numbers. */
Test(replay, the_spline_is_the_one_that_its_conditions_say) {
  double time[] = {0, 0.5, 0.7, 1.5, 2.1}, value[] = {1, -0.5, 0.25, 2, 1.5};
  const double expected[] = {-390667.0 / 31584, 344983.0 / 110544, 8707.0 / 2256, 53563.0 / 110544,
                             -34247.0 / 15792};
  omr_replay replay = {.table = {.rows = 5, .columns = 1, .time = time, .value = value}};
  cr_assert(omr_replay_fit(&replay));
  for (int j = 0; j < 5; j++) {
    double slope, before;
    cr_expect_float_eq(omr_replay_value(&replay, 0, time[j], time[j] + 0.01, &slope), value[j],
                       1e-14);
    omr_replay_value(&replay, 0, time[j], time[j] - 0.01, &before);
    cr_expect_float_eq(slope, expected[j], 1e-12);
    cr_expect_float_eq(before, expected[j], 1e-12);
  }
  free(replay.terms);
}
