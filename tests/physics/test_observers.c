/* Observables against motions that are known exactly. */
#include "shared/motion.h"

/* Frictionless and balanced: moves at constant velocity (0.3, -0.2) for 10 s whatever is commanded.
 */
#define DRIFT                                                                                      \
  "parameters.platform.center_of_mass.x=0", "parameters.platform.center_of_mass.z=0",              \
      "parameters.initial.yaw_rate=0", "parameters.wheels=[{},{},{}]"

Test(observers, path_length_of_a_straight_line) {
  omr_result *r = run_study(vehicle_text, OVERRIDES(DRIFT));
  cr_assert_float_eq(value_of(r, "path_length", 0), 10 * sqrt(0.3 * 0.3 + 0.2 * 0.2), 1e-11);
  cr_assert(isnan(value_of(r, "deviation", 0)), "no command, no deviation");
  omr_result_destroy(r);
}

/* A commanded circle: x = v/w sin(wt), z = v/w (cos(wt) - 1); appendix/vehicle.md#axes has
 * X' = vx cos, Z' = -vx sin. */
Test(observers, deviation_from_a_commanded_circle) {
  omr_result *r = run_study(
      vehicle_text,
      OVERRIDES(DRIFT, "parameters.command={\"type\":\"constant\",\"vx\":0.4,\"yaw_rate\":0.5}"));
  double x = 0.4 / 0.5 * sin(5), z = 0.4 / 0.5 * (cos(5) - 1);
  cr_assert_float_eq(value_of(r, "deviation", 0), hypot(3 - x, -2 - z), 1e-9);
  cr_assert_float_eq(value_of(r, "yaw_deviation", 0), -5, 1e-11);
  double most = 0;
  for (int k = 0; k <= 10000; k++) {
    double t = 1e-3 * k;
    most = fmax(most, hypot(0.3 * t - 0.8 * sin(0.5 * t), -0.2 * t - 0.8 * (cos(0.5 * t) - 1)));
  }
  cr_assert_float_eq(value_of(r, "max_deviation", 0), most, 1e-9);
  omr_result_destroy(r);
}

/* A spin on the spot that friction brakes is fastest where it starts, whichever way it turns; one
 * that the drives speed up, where it ends. */
Test(observers, largest_yaw_rate_is_at_the_start_or_at_the_end) {
  const char *const methods[] = {"integrator.method=rk4",
                                 "integrator={\"method\": \"ros2\", "
                                 "\"tolerance\": 0.001, \"duration\": 0.5}"};
  for (int i = 0; i < 2; i++) {
    omr_result *r =
        run_study(vehicle_text,
                  OVERRIDES("integrator.duration=0.5", methods[i], "parameters.wheel.friction=0.5",
                            "parameters.initial={\"yaw_rate\": -2}",
                            "output.observables=[\"max_yaw_rate\",\"final_yaw_rate\"]"));
    cr_assert_eq(value_of(r, "max_yaw_rate", 0), 2);
    cr_assert_lt(fabs(value_of(r, "final_yaw_rate", 0)), 1.9);
    omr_result_destroy(r);
    r = run_study(vehicle_text,
                  OVERRIDES("integrator.duration=0.5", methods[i], "parameters.wheel.friction=0.5",
                            "parameters.initial={}",
                            "parameters.wheel.drive={\"type\": \"constant\", \"torque\": 0.5}",
                            "output.observables=[\"max_yaw_rate\",\"final_yaw_rate\"]"));
    cr_assert_gt(fabs(value_of(r, "final_yaw_rate", 0)), 0.1);
    cr_assert_eq(value_of(r, "max_yaw_rate", 0), fabs(value_of(r, "final_yaw_rate", 0)));
    omr_result_destroy(r);
  }
}

/* Across a commanded line: late along it is no distance across it, whatever the deviation is. The
 * vehicle goes (0.3, -0.2) t. */
Test(observers, being_late_is_no_distance_across_the_path) {
  omr_result *r =
      run_study(vehicle_text,
                OVERRIDES(DRIFT, "parameters.command={\"type\":\"tanh\",\"vx\":0.6,\"vz\":-0.4}"));
  cr_assert_float_eq(value_of(r, "max_deviation", 0), hypot(3, -2) - hypot(0.6, 0.4) * 0.5 * log(2),
                     1e-6);
  cr_assert_lt(value_of(r, "max_cross_track", 0), 1e-12);
  omr_result_destroy(r);
  r = run_study(vehicle_text, OVERRIDES(DRIFT));
  cr_assert(isnan(value_of(r, "max_cross_track", 0)), "no command, no path");
  omr_result_destroy(r);
}

/* Legs along x and z with a rest between, then rest: the first leg counts from its start, is held
 * at the rest, and so is the last one to the end. Across leg 1: 0.2 t until 4 s, at which the
 * second starts; across leg 2: |0.3 t - 1.2|, most at the end. */
Test(observers, the_direction_is_held_while_the_command_rests) {
  omr_result *r = run_study(
      vehicle_text,
      OVERRIDES(DRIFT, "parameters.command={\"type\":\"table\",\"table\":[[0,0,0,0],[1,0.6,0,0],"
                       "[2,0.6,0,0],[3,0,0,0],[4,0,0,0],[5,0,0.1,0],[6,0,0.1,0],[7,0,0,0]]}"));
  cr_assert_float_eq(value_of(r, "max_cross_track", 0), 0.3 * 10 - 1.2, 1e-9);
  omr_result_destroy(r);
  r = run_study(
      vehicle_text,
      OVERRIDES(
          DRIFT, "integrator.duration=4",
          "parameters.command={\"type\":\"table\",\"table\":[[0,0,0,0],[1,0.6,0,0],[2,0,0,0]]}"));
  cr_assert_float_eq(value_of(r, "max_cross_track", 0), 0.2 * 4, 1e-9);
  omr_result_destroy(r);
}

/* A commanded circle: the distance across is taken with the turning direction (cos wt, -sin wt). */
Test(observers, across_a_commanded_circle) {
  omr_result *r = run_study(
      vehicle_text,
      OVERRIDES(DRIFT, "parameters.command={\"type\":\"constant\",\"vx\":0.4,\"yaw_rate\":0.5}"));
  double most = 0;
  for (int k = 0; k <= 10000; k++) {
    double t = 1e-3 * k, dx = 0.3 * t - 0.8 * sin(0.5 * t),
           dz = -0.2 * t - 0.8 * (cos(0.5 * t) - 1);
    most = fmax(most, fabs(dx * sin(0.5 * t) + dz * cos(0.5 * t)));
  }
  cr_assert_float_eq(value_of(r, "max_cross_track", 0), most, 1e-9);
  omr_result_destroy(r);
}

/* A command that ramps: x = v r ln cosh(t/r). */
Test(observers, deviation_from_a_ramped_command) {
  omr_result *r = run_study(
      vehicle_text,
      OVERRIDES(DRIFT, "parameters.command={\"type\":\"tanh\",\"vx\":0.4,\"ramp_time\":2}"));
  cr_assert_float_eq(value_of(r, "deviation", 0), hypot(3 - 0.4 * 2 * log(cosh(5)), -2), 1e-9);
  omr_result_destroy(r);
}

Test(observers, deviation_from_a_tabulated_command) {
  omr_result *r = run_study(vehicle_text,
                            OVERRIDES(DRIFT, "parameters.command={\"type\":\"table\",\"table\":[[0,"
                                             "0,0,0],[2,0.5,0.1,0],[6,0.5,0.1,0],[10,0,0,0]]}"));
  double x = 0.5 * (1 + 4 + 2), z = 0.1 * (1 + 4 + 2);
  cr_assert_float_eq(value_of(r, "deviation", 0), hypot(3 - x, -2 - z), 1e-9);
  omr_result_destroy(r);
}

/* Free yaw with the centre of mass at c off the origin: in body axes the origin's acceleration is
 * omega^2 c, constant. */
Test(observers, vibration_without_command_leaves_out_the_mean) {
  omr_result *r = run_study(
      vehicle_text, OVERRIDES("parameters.wheels=[{},{},{}]", "parameters.wheel.inclination=0",
                              "parameters.wheel.disc.mass=0", "parameters.wheel.roller.mass=1e-9",
                              "parameters.platform.center_of_mass.x=0.02"));
  double peak = 1.5 * 1.5 * hypot(0.02, 0.03);
  cr_assert_float_eq(value_of(r, "vibration_peak", 0), peak, 1e-6 * peak);
  cr_assert_lt(value_of(r, "vibration_rms", 0), 1e-6 * peak);
  omr_result_destroy(r);
}

/* With a command its acceleration is taken off: here v_x'' = 0.4/2 (1 - tanh^2(t/2)) against none.
 */
Test(observers, vibration_with_command_is_the_residual) {
  omr_result *r = run_study(
      vehicle_text,
      OVERRIDES(DRIFT, "parameters.command={\"type\":\"tanh\",\"vx\":0.4,\"ramp_time\":2}"));
  double u = tanh(5), square = 0.2 * 0.2 * 2 * (u - u * u * u / 3);
  cr_assert_float_eq(value_of(r, "vibration_rms", 0), sqrt(square / 10), 1e-9);
  cr_assert_float_eq(value_of(r, "vibration_peak", 0), 0.2, 1e-9);
  omr_result_destroy(r);
}

/* The exchange order: a wheel turning at a steady rate sees a sinusoidal torque at n times its rate
 * (n = 6, 5 rad/s turned without friction) nowhere in the body, so the component is nothing but
 * noise; driven over friction it is not. */
Test(observers, exchange_component_needs_contact_forces) {
  omr_result *r = run_study(vehicle_text, OVERRIDES(DRIFT));
  cr_assert_lt(value_of(r, "vibration_exchange", 0), 1e-12);
  omr_result_destroy(r);
  r = run_study(vehicle_text, OVERRIDES("parameters.wheel.friction=0.3", "integrator.duration=2"));
  cr_assert_gt(value_of(r, "vibration_exchange", 0), 1e-3);
  omr_result_destroy(r);
}

/* Nominal kinematics: wheel rates of ideal rolling for (0.3, -0.2, 0.1) give that motion back,
 * whatever the vehicle does. */
Test(observers, odometry_of_constant_wheel_rates) {
  char wheels[512];
  double rate[3];
  for (int i = 0; i < 3; i++) {
    double delta = (90 + 120 * i) * 3.14159265358979323846 / 180, tan_psi = tan(0.3);
    double along = 0.3 * cos(delta) + 0.2 * sin(delta),
           across = 0.3 * sin(delta) - 0.2 * cos(delta);
    rate[i] = -(along + 0.1 * 0.3 + tan_psi * across) / 0.1; /* ring: r.k = 0.3, r.i = 0 */
  }
  snprintf(wheels, sizeof wheels,
           "parameters.wheels=[{\"initial\":{\"rate\":%.17g}},{\"initial\":{\"rate\":%.17g}},{"
           "\"initial\":{\"rate\":%.17g}}]",
           rate[0], rate[1], rate[2]);
  omr_result *r =
      run_study(vehicle_text,
                OVERRIDES("parameters.initial.vx=0", "parameters.initial.vz=0",
                          "parameters.initial.yaw_rate=0", "parameters.platform.center_of_mass.x=0",
                          "parameters.platform.center_of_mass.z=0", wheels));
  /* frictionless: the wheels keep their rates but for the tiny gyroscopic coupling of locked spins,
   * the body stays */
  double x = (0.3 * sin(1) - 0.2 * (1 - cos(1))) / 0.1,
         z = (0.3 * (cos(1) - 1) - 0.2 * sin(1)) / 0.1;
  cr_assert_float_eq(value_of(r, "odometry_error", 0), hypot(x, z), 2e-3);
  cr_assert_float_eq(value_of(r, "odometry_yaw_error", 0), 1, 2e-3);
  omr_result_destroy(r);
}

static const char *const commanded[] = {
    "parameters.wheel.friction=0.6",
    "parameters.wheel.slip_speed=0.05",
    "parameters.wheel.inclination=0",
    "parameters.wheels=[{},{},{}]",
    "parameters.initial={\"spins\":\"locked\"}",
    "parameters.wheel.drive={\"type\":\"body\",\"kp\":0.3,\"ki\":2}",
    "parameters.command={\"type\":\"tanh\",\"vx\":0.5,\"ramp_time\":1}",
    "integrator.step=0.1 ms",
    NULL,
    NULL};

static omr_result *run_commanded(const char *more) {
  const char *overrides[10];
  memcpy(overrides, commanded, sizeof commanded);
  overrides[8] = more;
  return run_study(vehicle_text, overrides);
}

Test(control, a_commanded_vehicle_follows_its_command) {
  omr_result *r = run_commanded(NULL);
  cr_assert_eq(omr_result_status(r)[0], 0);
  cr_log_info("x %.4f, deviation %.4f, odometry error %.4f\n", value_of(r, "final_x", 0),
              value_of(r, "deviation", 0), value_of(r, "odometry_error", 0));
  cr_assert_lt(value_of(r, "deviation", 0), 0.25, "of 4.65 m commanded");
  cr_assert_gt(value_of(r, "final_x", 0), 4);
  omr_result_destroy(r);
}

/* Wheels 2 % larger than the controller and the odometry believe: the vehicle goes 2 % too far,
 * odometry does not see it. */
Test(control, a_radius_error_is_unknown_to_controller_and_odometry) {
  omr_result *right = run_commanded(NULL),
             *wrong = run_commanded("parameters.wheel.error.radius=0.002");
  double extra = value_of(wrong, "final_x", 0) / value_of(right, "final_x", 0) - 1;
  cr_log_info("goes %.4f further\n", extra);
  cr_assert_float_eq(extra, 0.02, 0.005);
  double seen = value_of(wrong, "odometry_error", 0) - value_of(right, "odometry_error", 0);
  cr_assert_float_eq(fabs(seen), 0.02 * 4.65, 0.03);
  omr_result_destroy(right);
  omr_result_destroy(wrong);
}
