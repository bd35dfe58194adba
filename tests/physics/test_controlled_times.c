/* Instants that steps chosen by an error estimate must meet: samples of controllers and of
 * trajectories, corners of a command. The motions are known exactly and polynomials between these
 * instants, so that a loose tolerance takes long passes that make no error of their own: what is
 * off would be off in time. */
#include "result/result.h"
#include "shared/motion.h"

static const char wheel_text[] =
    "{\"model\": \"omni_wheel\", \"parameters\": {\"overlap\": \"allow\","
    "\"wheel\": {\"radius\": 0.1, \"rollers\": 6, \"center_distance\": 0.08, \"friction\": 0,"
    "\"disc\": {\"mass\": 1.2, \"axial_inertia\": 0.006, \"diametral_inertia\": 0.0035},"
    "\"roller\": {\"mass\": 0.11, \"axial_inertia\": 3e-5, \"diametral_inertia\": 7e-5}}},"
    "\"integrator\": {\"tolerance\": 1e-2, \"duration\": 2}, \"engine\": {\"backend\": \"openmp\"},"
    "\"output\": {\"trajectories\": {\"instances\": [0], \"interval\": 0.1375}}}";

static const double inertia = 0.006 + 6 * (0.11 * 0.08 * 0.08 + 7e-5);

static double rate_at_end(const char *drive, const char *period) {
  char set[256];
  snprintf(set, sizeof set, "parameters.wheel.drive=%s", drive);
  omr_result *r = run_study(wheel_text, OVERRIDES(set, period, "output.trajectories.interval=2"));
  const double rate = r->wheel_samples[OMR_WS_RATE][(r->sample_count - 1) * (size_t)r->wheels];
  omr_result_destroy(r);
  return rate;
}

/* e_k+1 = (1 - kp P/J) e_k while the torque is held between samples. The last of 2 s / 30 ms is
 * held for 20 ms alone. */
Test(controlled_times, controllers_sample_at_their_period_and_hold) {
  const double gain = 0.01 / inertia, held = pow(1 - gain * 0.03, 66) * (1 - gain * 0.02);
  const double rate = rate_at_end("{\"type\":\"speed\",\"speed\":5,\"kp\":0.01,\"ki\":0}",
                                  "parameters.controller_period=30 ms");
  cr_expect_float_eq(rate, 5 * (1 - held), 1e-11);
}

Test(controlled_times, integral_part_follows_its_recursion) {
  double rate = 0, integral = 0;
  for (int k = 0; k < 200; k++) {
    integral += 0.05 * 0.01 * (5 - rate);
    rate += (0.02 * (5 - rate) + integral) * 0.01 / inertia;
  }
  const double run = rate_at_end("{\"type\":\"speed\",\"speed\":5,\"kp\":0.02,\"ki\":0.05}",
                                 "parameters.controller_period=10 ms");
  cr_expect_float_eq(run, rate, 1e-11);
}

/* A constant torque from rest: rate a t, angle a t^2/2, at all samples, whatever passes go over
 * them. */
Test(controlled_times, samples_of_trajectories_are_taken_at_their_times) {
  omr_result *r = run_study(
      wheel_text, OVERRIDES("parameters.wheel.drive={\"type\":\"constant\",\"torque\":0.02}"));
  cr_assert_eq(r->sample_count, 15);
  cr_expect_lt(r->record.instance_steps, 2 * value_of(r, "exchanges", 0) + 20,
               "%g passes: samples are beside them", r->record.instance_steps);
  for (size_t s = 0; s < r->sample_count; s++) {
    const double t = 0.1375 * (double)s, rate = 0.02 / inertia * t;
    cr_expect_float_eq(r->sample_time[s], t, 1e-15);
    cr_expect_float_eq(r->wheel_samples[OMR_WS_RATE][s], rate, 1e-12, "sample %zu", s);
    cr_expect_float_eq(r->wheel_samples[OMR_WS_ANGLE][s], rate * t / 2, 1e-11, "sample %zu", s);
  }
  omr_result_destroy(r);
}

/* The last pass takes all that is left, and its length added to the time may round beyond the end:
 * free wheels at 997 rates, whose vehicle drifts at 0.3 m/s. */
Test(controlled_times, every_instance_reaches_the_end) {
  static const char text[] = "{\"model\": \"omni_vehicle\", \"parameters\": {\"layout\": "
                             "{\"type\": \"ring\", \"wheels\": 3}, \"overlap\": \"allow\","
                             "\"wheel\": {\"friction\": 0}, \"initial\": {\"vx\": 0.3}}, \"vary\": "
                             "[{\"path\": \"wheel.initial.rate\", \"linspace\": "
                             "[1, 40, "
                             "997]}], \"integrator\": {\"tolerance\": 1e-3, \"duration\": 1}, "
                             "\"engine\": {\"backend\": \"openmp\"}}";
  static const char *const durations[] = {
      "integrator.duration=1.2345678", "integrator.duration=2.0000001", "integrator.duration=0.7"};
  static const double ends[] = {1.2345678, 2.0000001, 0.7};
  for (int i = 0; i < 3; i++) {
    omr_result *r = run_study(text, OVERRIDES(durations[i], "integrator.step_error=off"));
    for (size_t k = 0; k < 997; k++)
      cr_expect_float_eq(value_of(r, "path_length", k), 0.3 * ends[i], 1e-12, "instance %zu", k);
    omr_result_destroy(r);
  }
}

/* At the instant of a controller a sample shows the torque held until then, as by fixed steps
 * (2^-10 s here) and by the reference; the launch that ends there must not change it. */
Test(controlled_times, a_sample_at_a_controllers_instant_shows_the_torque_held_until_then) {
  const char *drive =
      "parameters.wheel.drive={\"type\":\"speed\",\"speed\":5,\"kp\":0.01,\"ki\":0.03}";
  const char *period = "parameters.controller_period=0.125",
             *interval = "output.trajectories.interval=0.0625";
  omr_result *fixed =
      run_study(wheel_text, OVERRIDES(drive, period, interval,
                                      "integrator={\"step\": 0.0009765625, \"duration\": 2}"));
  omr_result *whole = run_study(wheel_text, OVERRIDES(drive, period, interval));
  omr_result *cut =
      run_study(wheel_text, OVERRIDES(drive, period, interval, "engine.launch_seconds=1e-5"));
  cr_assert_eq(whole->sample_count, 33);
  for (size_t s = 0; s < whole->sample_count; s++) {
    const double torque = fixed->wheel_samples[OMR_WS_TORQUE][s];
    cr_expect_float_eq(whole->wheel_samples[OMR_WS_TORQUE][s], torque, 1e-13, "sample %zu", s);
    cr_expect_float_eq(cut->wheel_samples[OMR_WS_TORQUE][s], torque, 1e-13,
                       "sample %zu of short launches", s);
  }
  omr_result_destroy(fixed);
  omr_result_destroy(whole);
  omr_result_destroy(cut);
}

/* Frictionless and balanced: moves at constant velocity (0.3, -0.2) for 10 s whatever is commanded.
 */
#define DRIFT                                                                                      \
  "parameters.platform.center_of_mass.x=0", "parameters.platform.center_of_mass.z=0",              \
      "parameters.initial.yaw_rate=0", "parameters.wheels=[{},{},{}]"

/* The commanded way is the integral of a polygon. What shakes is the acceleration less the
 * commanded one, which jumps at the corners: its mean square is that of the polygon's slopes. */
Test(controlled_times, corners_of_a_command_are_met) {
  omr_result *r =
      run_study(vehicle_text, OVERRIDES(DRIFT, "integrator={\"tolerance\": 0.01, \"duration\": 10}",
                                        "parameters.command={\"type\":\"table\",\"table\":[[0,0,0,"
                                        "0],[1.7,0.5,0.1,0],[6.3,0.5,0.1,0],"
                                        "[9.1,0,0,0]]}"));
  const double span = 1.7 / 2 + 4.6 + 2.8 / 2, x = 0.5 * span, z = 0.1 * span;
  const double square = (0.5 * 0.5 + 0.1 * 0.1) * (1 / 1.7 + 1 / 2.8) / 10;
  cr_expect_float_eq(value_of(r, "deviation", 0), hypot(3 - x, -2 - z), 1e-11);
  cr_expect_float_eq(value_of(r, "vibration_rms", 0), sqrt(square), 1e-11);
  omr_result_destroy(r);
}

/* All at once, and a launch that ends between them: each instant is met by its own rule, and the
 * run is the same. */
Test(controlled_times, launches_of_any_length_change_no_bit) {
  const char *drive =
      "parameters.wheel.drive={\"type\":\"speed\",\"speed\":5,\"kp\":0.01,\"ki\":0.02}";
  omr_result *whole = run_study(wheel_text, OVERRIDES(drive)),
             *cut = run_study(wheel_text, OVERRIDES(drive, "engine.launch_seconds=1e-5"));
  for (size_t c = 0; c < omr_result_columns(whole); c++) {
    const double a = omr_result_column(whole, c)[0], b = omr_result_column(cut, c)[0];
    cr_expect(memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b)), "%s",
              omr_result_column_name(whole, c));
  }
  for (size_t s = 0; s < whole->sample_count; s++)
    cr_expect_eq(whole->wheel_samples[OMR_WS_ANGLE][s], cut->wheel_samples[OMR_WS_ANGLE][s],
                 "sample %zu", s);
  omr_result_destroy(whole);
  omr_result_destroy(cut);
}
