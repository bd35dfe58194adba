/* Drives, controllers, motors and bearings against exact solutions. A frictionless testbench wheel
 * with psi = 0 that does not yaw obeys J chi'' = tau - beta chi', J = J_k + n (m_r R1^2 + I_t) +
 * gear^2 J_m (appendix/vehicle.md#motion). */
#include "result/result.h"
#include "shared/motion.h"

static const char wheel_text[] =
    "{\"model\": \"omni_wheel\", \"parameters\": {\"overlap\": \"allow\","
    "\"wheel\": {\"radius\": 0.1, \"rollers\": 6, \"center_distance\": 0.08, \"friction\": 0,"
    "\"disc\": {\"mass\": 1.2, \"axial_inertia\": 0.006, \"diametral_inertia\": 0.0035},"
    "\"roller\": {\"mass\": 0.11, \"axial_inertia\": 3e-5, \"diametral_inertia\": 7e-5}}},"
    "\"integrator\": {\"step\": \"1 ms\", \"duration\": \"2 s\"}, \"engine\": {\"backend\": "
    "\"openmp\"},"
    "\"output\": {\"trajectories\": {\"instances\": [0], \"interval\": \"0.5 s\"}}}";

static const double inertia = 0.006 + 6 * (0.11 * 0.08 * 0.08 + 7e-5);
#define T 2.0

/* Last sample of a wheel quantity of the traced instance. */
static double last_sample(const omr_result *r, int quantity, int wheel) {
  return r->wheel_samples[quantity][(r->sample_count - 1) * (size_t)r->wheels + (size_t)wheel];
}

static double final_rate(const char *drive, const char *more) {
  char set[256];
  snprintf(set, sizeof set, "parameters.wheel.drive=%s", drive);
  omr_result *r = run_study(wheel_text, OVERRIDES(set, more));
  double rate = last_sample(r, OMR_WS_RATE, 0);
  double energy_error = value_of(r, "energy_error", 0);
  omr_result_destroy(r);
  cr_assert_lt(fabs(energy_error), 1e-9, "%s: energy balance %g", drive, energy_error);
  return rate;
}

Test(drives, constant_torque) {
  cr_assert_float_eq(final_rate("{\"type\":\"constant\",\"torque\":0.02}", NULL),
                     0.02 * T / inertia, 1e-11);
}

Test(drives, tanh_ramp) {
  double exact = 0.02 * 0.7 * log(cosh(T / 0.7)) / inertia;
  cr_assert_float_eq(final_rate("{\"type\":\"tanh\",\"torque\":0.02,\"ramp_time\":0.7}", NULL),
                     exact, 1e-10);
}

Test(drives, sine) {
  double w = 2 * 3.14159265358979323846 * 0.8,
         exact = 0.02 * (cos(0.3) - cos(w * T + 0.3)) / w / inertia;
  cr_assert_float_eq(
      final_rate("{\"type\":\"sine\",\"torque\":0.02,\"frequency\":0.8,\"phase\":0.3}", NULL),
      exact, 1e-9);
}

/* Corners fall on step ends, so Simpson's rule in each step is exact. */
Test(drives, table_is_piecewise_linear_and_constant_outside) {
  double area = 0.5 * 0.01 + 0.5 * (0.01 + 0.03) * 0.5 + 0.5 * (0.03 - 0.02) * 0.5 + 0.5 * -0.02;
  double rate = final_rate(
      "{\"type\":\"table\",\"torque\":2,\"table\":[[0.5,0.01],[1,0.03],[1.5,-0.02]]}", NULL);
  cr_assert_float_eq(rate, 2 * area / inertia, 1e-11);
}

/* Sampled proportional control: e_k+1 = (1 - kp P/J) e_k. */
Test(controllers, proportional_control_is_sampled_and_held) {
  double rate = final_rate("{\"type\":\"speed\",\"speed\":5,\"kp\":0.01,\"ki\":0}",
                           "parameters.controller_period=20 ms");
  cr_assert_float_eq(rate, 5 * (1 - pow(1 - 0.01 * 0.02 / inertia, 100)), 1e-11);
}

/* Discrete PI: I_k = I_k-1 + ki P e_k, tau_k = kp e_k + I_k. */
Test(controllers, integral_part_follows_its_recursion) {
  double rate = 0, integral = 0;
  for (int k = 0; k < 200; k++) {
    double error = 5 - rate;
    integral += 0.05 * 0.01 * error;
    rate += (0.02 * error + integral) * 0.01 / inertia;
  }
  double run = final_rate("{\"type\":\"speed\",\"speed\":5,\"kp\":0.02,\"ki\":0.05}",
                          "parameters.controller_period=10 ms");
  cr_assert_float_eq(run, rate, 1e-11);
}

Test(controllers, torque_limit_holds_and_does_not_wind_up) {
  double rate = final_rate(
      "{\"type\":\"speed\",\"speed\":100,\"kp\":1,\"ki\":50,\"torque_limit\":0.01}", NULL);
  cr_assert_float_eq(rate, 0.01 * T / inertia, 1e-11);
  rate = final_rate("{\"type\":\"speed\",\"speed\":3,\"kp\":0.2,\"ki\":0.5,\"torque_limit\":0.05}",
                    NULL);
  cr_assert_float_eq(rate, 3, 0.02);
}

/* More torque asked for than the motor has: tau = tau_0 (1 - rate/omega_0) on the wheel's side of
 * the gear. */
Test(motors, torque_speed_line_gives_an_exponential_approach) {
  double stall = 3 * 0.01, free_rate = 60.0 / 3,
         exact = free_rate * (1 - exp(-stall / free_rate * T / inertia));
  double rate = final_rate(
      "{\"type\":\"constant\",\"torque\":1}",
      "parameters.wheel.motor={\"gear_ratio\":3,\"stall_torque\":0.01,\"no_load_speed\":60}");
  cr_assert_float_eq(rate, exact, 1e-10);
}

Test(motors, rotor_inertia_acts_by_the_square_of_the_gear_ratio) {
  double rate = final_rate("{\"type\":\"constant\",\"torque\":0.02}",
                           "parameters.wheel.motor={\"gear_ratio\":-10,\"rotor_inertia\":4e-5}");
  cr_assert_float_eq(rate, 0.02 * T / (inertia + 100 * 4e-5), 1e-11);
}

Test(bearings, axle_friction_slows_the_wheel_exponentially) {
  omr_result *r = run_study(wheel_text, OVERRIDES("parameters.wheel.initial.rate=9",
                                                  "parameters.wheel.axle_bearing=0.004"));
  cr_assert_float_eq(last_sample(r, OMR_WS_RATE, 0), 9 * exp(-0.004 * T / inertia), 1e-10);
  cr_assert_lt(fabs(value_of(r, "energy_error", 0)), 1e-9);
  omr_result_destroy(r);
}

/* psi = 0 and no yaw (a huge yaw inertia, since the bearings' torque would turn the wheel): phi' =
 * s, every roller's spin decays alone, whether it stands on the floor or waits in memory. The wheel
 * turns at 20 rad/s, 40 rad in all: each roller passes the floor some six times. */
Test(bearings, idle_rollers_keep_decaying_through_their_exchanges) {
  omr_result *r = run_study(wheel_text, OVERRIDES("parameters.wheel.initial.rate=20",
                                                  "parameters.wheel.roller.bearing=1e-5",
                                                  "parameters.wheel.disc.diametral_inertia=1e9",
                                                  "parameters.initial.spins=[[1,2,3,4,5,6]]"));
  cr_assert_gt(value_of(r, "exchanges", 0), 30);
  for (size_t s = 0; s < r->sample_count; s++) {
    double roller = r->wheel_samples[OMR_WS_ROLLER][s],
           exact = (roller + 1) * exp(-1e-5 / 3e-5 * r->sample_time[s]);
    cr_assert_float_eq(r->wheel_samples[OMR_WS_SPIN][s], exact, 1e-9, "sample %zu", s);
  }
  cr_assert_lt(fabs(value_of(r, "energy_error", 0)), 1e-9);
  omr_result_destroy(r);
}

Test(bearings, without_friction_idle_rollers_keep_their_spin) {
  omr_result *r = run_study(wheel_text, OVERRIDES("parameters.wheel.initial.rate=20",
                                                  "parameters.initial.spins=[[1,2,3,4,5,6]]"));
  for (size_t s = 0; s < r->sample_count; s++) {
    cr_assert_float_eq(r->wheel_samples[OMR_WS_SPIN][s], r->wheel_samples[OMR_WS_ROLLER][s] + 1,
                       1e-13);
  }
  omr_result_destroy(r);
}

/* q = chi + 2 pi j / n: a growing wheel angle brings the roller with the next lower number. */
Test(contact, rollers_take_over_in_their_order) {
  omr_result *r = run_study(wheel_text, OVERRIDES("parameters.wheel.initial.rate=1",
                                                  "output.trajectories.interval=1 ms",
                                                  "parameters.wheel.row_distance=0.03"));
  for (size_t s = 0; s < r->sample_count; s++) {
    double chi = r->wheel_samples[OMR_WS_ANGLE][s], alpha = 3.14159265358979323846 / 6,
           index = rint(chi / (2 * alpha));
    cr_assert_float_eq(chi, r->sample_time[s], 1e-12);
    cr_assert_eq(r->wheel_samples[OMR_WS_ROLLER][s], fmod(6 - index, 6), "sample %zu", s);
    cr_assert_float_eq(r->wheel_samples[OMR_WS_CONTACT_ANGLE][s], chi - 2 * alpha * index, 1e-12);
  }
  omr_result_destroy(r);
}
