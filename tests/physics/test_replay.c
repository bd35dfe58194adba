/* Measured inputs: replayed tables against drives that give the same, against exact motions, and
 * against the engine's own run (appendix/drives.md#drives). */
#include "shared/replay_files.h"
#include "study/tables/replay.h"

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
