/* Rates of wheels that are replayed or constant: against exact motions, the angle in place of the
 * rate, and the torque that made the rate (appendix/drives.md#drives). */
#include "shared/replay_files.h"

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

Test(replayed_rates, a_prescribed_rate_is_exact_and_gives_the_torque, .fini = remove_table) {
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
Test(replayed_rates, a_constant_rate_is_the_replayed_one_bit_by_bit, .fini = remove_table) {
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
Test(replayed_rates, a_locked_wheel_stands_and_its_drive_bears_the_torque) {
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
Test(replayed_rates, a_rate_by_its_angle_turns_the_wheel_by_the_column, .fini = remove_table) {
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
Test(replayed_rates, an_angle_that_wraps_turns_on, .fini = remove_table) {
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
Test(replayed_rates, columns_of_words_that_nobody_wants_are_passed_over, .fini = remove_table) {
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
Test(replayed_rates, corners_of_a_prescribed_rate_cost_nothing_on_step_ends, .fini = remove_table) {
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

Test(replayed_rates, the_torque_of_a_replayed_rate_is_the_torque_that_made_it) {
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
