/* External force and torque against exact solutions (appendix/drives.md#drives): the
 * wheel of the testbench without friction, or rolling, with J = J_k + n (m_r R1^2 + I_t) about its
 * axis, J_v = J_d + n (m_r R1^2/2 + I_t/2) about the vertical
 * (appendix/vehicle.md#masses for psi = 0) and M = m_w + n m_r; vehicles by hand
 * statics. */
#include "result/result.h"
#include "shared/motion.h"

static const char wheel_text[] =
    "{\"model\": \"omni_wheel\", \"parameters\": {\"overlap\": \"allow\","
    "\"wheel\": {\"radius\": 0.1, \"rollers\": 6, \"center_distance\": 0.08, \"friction\": 0,"
    "\"disc\": {\"mass\": 1.2, \"axial_inertia\": 0.006, \"diametral_inertia\": 0.0035},"
    "\"roller\": {\"mass\": 0.11, \"axial_inertia\": 3e-5, \"diametral_inertia\": 7e-5}}},"
    "\"integrator\": {\"step\": \"1 ms\", \"duration\": \"2 s\"}, \"engine\": {\"backend\": "
    "\"openmp\"},"
    "\"output\": {\"observables\": [\"final_x\", \"final_z\", \"final_yaw\", \"final_vx\", "
    "\"final_vz\", \"final_yaw_rate\", \"energy_error\", \"drive_work\", \"external_work\", "
    "\"motor_work\", \"regenerated_work\", \"energy_lost\", \"min_load\", \"max_load\", "
    "\"max_servo_torque\"], \"trajectories\": {\"instances\": [0], \"interval\": \"0.5 s\"}}}";

#define T 2.0
#define PI 3.14159265358979323846
static const double mass = 1.2 + 6 * 0.11, gravity = 9.81;
static const double inertia = 0.006 + 6 * (0.11 * 0.08 * 0.08 + 7e-5);
static const double about_vertical = 0.0035 + 6 * (0.5 * 0.11 * 0.08 * 0.08 + 0.5 * 7e-5);

static omr_result *pushed(const char *external, const char *more, const char *other) {
  char set[400];
  snprintf(set, sizeof set, "parameters.external=%s", external);
  return run_study(wheel_text, OVERRIDES(set, more ? more : "title=\"\"", other));
}

static double last_of_wheel(const omr_result *r, int quantity) {
  return r->wheel_samples[quantity][(r->sample_count - 1) * (size_t)r->wheels];
}

static double last_of_vehicle(const omr_result *r, int quantity) {
  return r->vehicle_samples[quantity][r->sample_count - 1];
}

/* Nothing turns it: M v' = F. */
Test(external, a_constant_force_accelerates_the_mass) {
  omr_result *r = pushed("{\"type\":\"constant\",\"force\":{\"x\":0.3,\"z\":-0.5}}", NULL, NULL);
  cr_expect_float_eq(value_of(r, "final_vx", 0), 0.3 / mass * T, 1e-12);
  cr_expect_float_eq(value_of(r, "final_vz", 0), -0.5 / mass * T, 1e-12);
  cr_expect_float_eq(value_of(r, "final_x", 0), 0.5 * 0.3 / mass * T * T, 1e-12);
  cr_expect_float_eq(value_of(r, "final_z", 0), -0.5 * 0.5 / mass * T * T, 1e-12);
  cr_expect_float_eq(value_of(r, "final_yaw", 0), 0, 1e-15);
  const double work = 0.5 * (0.3 * 0.3 + 0.5 * 0.5) / mass * T * T;
  cr_expect_float_eq(value_of(r, "external_work", 0), work, 1e-12);
  cr_expect_float_eq(value_of(r, "drive_work", 0), 0, 1e-15);
  cr_expect_float_eq(value_of(r, "energy_lost", 0), 0, 1e-12);
  cr_expect_lt(fabs(value_of(r, "energy_error", 0)), 1e-12);
  omr_result_destroy(r);
}

/* Along the wheel's axis only the roller on the floor turns, at s = V_k/h with h = R - R1; along
 * its plane the wheel alone, at chi' = -V_i/R. */
Test(external, a_rolling_wheel_gives_way_along_its_rollers) {
  const double h = 0.1 - 0.08;
  omr_result *r = pushed("{\"type\":\"constant\",\"force\":{\"z\":0.2}}",
                         "parameters.contact.law=ideal_rolling", NULL);
  cr_expect_float_eq(value_of(r, "final_vz", 0), 0.2 * T / (mass + 3e-5 / (h * h)), 1e-11);
  cr_expect_float_eq(last_of_wheel(r, OMR_WS_RATE), 0, 1e-12);
  omr_result_destroy(r);
  r = pushed("{\"type\":\"constant\",\"force\":{\"x\":0.2}}",
             "parameters.contact.law=ideal_rolling", NULL);
  cr_expect_float_eq(value_of(r, "final_vx", 0), 0.2 * T / (mass + inertia / 0.01), 1e-11);
  cr_expect_float_eq(last_of_wheel(r, OMR_WS_RATE), -value_of(r, "final_vx", 0) / 0.1, 1e-10);
  cr_expect_float_eq(value_of(r, "external_work", 0), 0.2 * value_of(r, "final_x", 0), 1e-11);
  cr_expect_lt(fabs(value_of(r, "energy_error", 0)), 1e-11);
  omr_result_destroy(r);
}

Test(external, a_torque_about_the_vertical_turns_the_yaw) {
  omr_result *r = pushed("{\"type\":\"constant\",\"torque\":{\"y\":0.004}}", NULL, NULL);
  cr_expect_float_eq(value_of(r, "final_yaw_rate", 0), 0.004 * T / about_vertical, 1e-11);
  cr_expect_float_eq(value_of(r, "final_yaw", 0), 0.5 * 0.004 * T * T / about_vertical, 1e-11);
  cr_expect_float_eq(last_of_wheel(r, OMR_WS_RATE), 0, 1e-15);
  omr_result_destroy(r);
}

/* The wheel's axis is k = (sin delta, 0, cos delta); along i = (cos delta, 0, -sin delta) the servo
 * has the whole torque, and nothing moves. */
Test(external, a_torque_about_the_axis_turns_the_wheel_and_one_across_it_is_the_servos) {
  const double delta = 0.7;
  char along[160], across[160];
  snprintf(along, sizeof along, "{\"type\":\"constant\",\"torque\":{\"x\":%.17g,\"z\":%.17g}}",
           0.02 * sin(delta), 0.02 * cos(delta));
  snprintf(across, sizeof across, "{\"type\":\"constant\",\"torque\":{\"x\":%.17g,\"z\":%.17g}}",
           0.02 * cos(delta), -0.02 * sin(delta));
  omr_result *r = pushed(along, "parameters.wheel.axis_angle=0.7", NULL);
  cr_expect_float_eq(last_of_wheel(r, OMR_WS_RATE), 0.02 * T / inertia, 1e-10);
  cr_expect_float_eq(last_of_wheel(r, OMR_WS_TORQUE), 0, 1e-15, "that is the drive's");
  cr_expect_float_eq(last_of_vehicle(r, OMR_VS_SERVO), 0, 1e-15);
  cr_expect_float_eq(value_of(r, "external_work", 0), 0.5 * 0.02 * 0.02 * T * T / inertia, 1e-11);
  omr_result_destroy(r);
  r = pushed(across, "parameters.wheel.axis_angle=0.7", NULL);
  cr_expect_float_eq(last_of_wheel(r, OMR_WS_RATE), 0, 1e-15);
  cr_expect_float_eq(last_of_vehicle(r, OMR_VS_SERVO), 0.02, 1e-15);
  cr_expect_float_eq(value_of(r, "max_servo_torque", 0), 0.02, 1e-15);
  cr_expect_float_eq(value_of(r, "external_work", 0), 0, 1e-15);
  omr_result_destroy(r);
}

/* At a height h over the wheel's centre the force F has the moment h j x F. */
Test(external, a_force_above_the_centre_turns_the_wheel_and_loads_the_servo) {
  omr_result *r =
      pushed("{\"type\":\"constant\",\"force\":{\"x\":0.3,\"z\":0.5},\"height\":0.14}", NULL, NULL);
  cr_expect_float_eq(last_of_wheel(r, OMR_WS_RATE), -0.04 * 0.3 * T / inertia, 1e-11);
  cr_expect_float_eq(last_of_vehicle(r, OMR_VS_SERVO), 0.04 * 0.5, 1e-14);
  cr_expect_float_eq(value_of(r, "final_vx", 0), 0.3 / mass * T, 1e-12);
  cr_expect_lt(fabs(value_of(r, "energy_error", 0)), 1e-12);
  omr_result_destroy(r);
}

/* At the constant yaw rate w a force along the body's x has the direction (cos wt, -sin wt) in the
 * world; one along the world's x keeps it. */
Test(external, axes_of_the_body_turn_with_the_yaw_and_those_of_the_world_do_not) {
  const double w = 2, a = 0.4 / mass;
  const char *const yaw = "parameters.initial.yaw_rate=2",
                    *const pair = "integrator={\"tolerance\":1e-10,\"duration\":\"2 s\"}";
  omr_result *r = pushed("{\"type\":\"constant\",\"force\":{\"x\":0.4}}", yaw, pair);
  cr_expect_float_eq(value_of(r, "final_x", 0), a / (w * w) * (1 - cos(w * T)), 1e-10);
  cr_expect_float_eq(value_of(r, "final_z", 0), -a / (w * w) * (w * T - sin(w * T)), 1e-10);
  omr_result_destroy(r);
  r = pushed("{\"type\":\"constant\",\"axes\":\"body\",\"force\":{\"x\":0.4}}", yaw, pair);
  cr_expect_float_eq(value_of(r, "final_x", 0), a / (w * w) * (1 - cos(w * T)), 1e-10);
  omr_result_destroy(r);
  r = pushed("{\"type\":\"constant\",\"axes\":\"world\",\"force\":{\"x\":0.4,\"z\":-0.1}}", yaw,
             pair);
  cr_expect_float_eq(value_of(r, "final_x", 0), 0.5 * a * T * T, 1e-10);
  cr_expect_float_eq(value_of(r, "final_z", 0), -0.5 * 0.1 / mass * T * T, 1e-10);
  cr_expect_float_eq(value_of(r, "external_work", 0), 0.5 * (0.16 + 0.01) / mass * T * T, 1e-9);
  omr_result_destroy(r);
}

/* The torque of world axes turns against the body's by the yaw angle, too: at the yaw theta the
 * world's z is (-sin theta, cos theta) of the body's (x, z), and the wheel's axis is the body's z.
 */
Test(external, a_torque_along_world_axes_turns_against_the_wheel) {
  const double w = 2, exact = 0.02 / inertia * sin(w * T) / w;
  omr_result *r = pushed("{\"type\":\"constant\",\"axes\":\"world\",\"torque\":{\"z\":0.02}}",
                         "parameters.initial={\"yaw_rate\":2,\"spins\":[[0,0,0,0,0,0]]}", NULL);
  cr_expect_float_eq(last_of_wheel(r, OMR_WS_RATE), exact, 1e-9);
  omr_result_destroy(r);
}

Test(external, a_sine_has_its_frequency_and_phase) {
  const double w = 2 * PI * 0.8, v = 0.3 / mass * (cos(0.3) - cos(w * T + 0.3)) / w;
  omr_result *r =
      pushed("{\"type\":\"sine\",\"force\":{\"x\":0.3,\"y\":2},\"frequency\":0.8,\"phase\":0.3}",
             NULL, NULL);
  cr_expect_float_eq(value_of(r, "final_vx", 0), v, 1e-10);
  cr_expect_float_eq(value_of(r, "min_load", 0), mass * gravity - 2, 1e-9, "between the steps");
  cr_expect_float_eq(value_of(r, "max_load", 0), mass * gravity + 2, 1e-9);
  omr_result_destroy(r);
}

/* Straight lines between rows and constant outside; the factor multiplies all. Corners fall between
 * the ends of chosen steps, which must stop there. */
Test(external, a_table_is_piecewise_linear_with_corners_that_chosen_steps_meet) {
  static const char *const pair = "integrator={\"tolerance\":1e-9,\"duration\":\"2 s\"}";
  const double x = 0.3 * 0.1 + 0.477 * 0.25 + 0.734 * 0.1 - 0.489 * 0.2,
               y = 0.3 * 0.001 + 0.477 * 0.0015 + 0.734 * 0.001;
  omr_result *r = pushed("{\"type\":\"table\",\"factor\":2,\"table\":[[0.3,0.1,1,0,0,0,0],"
                         "[0.777,0.4,-1,0,0,0,0],[1.511,-0.2,0,0,0,0,0]]}",
                         pair, NULL);
  cr_expect_float_eq(value_of(r, "final_vx", 0), 2 * x / mass, 1e-12);
  cr_expect_float_eq(value_of(r, "max_load", 0), mass * gravity + 2, 1e-12);
  cr_expect_float_eq(value_of(r, "min_load", 0), mass * gravity - 2, 1e-12);
  cr_expect_float_eq(last_of_wheel(r, OMR_WS_LOAD), mass * gravity, 1e-12);
  omr_result_destroy(r);
  r = pushed("{\"type\":\"table\",\"table\":[[0.3,0,0,0,0,0.001,0],[0.777,0,0,0,0,0.002,0],"
             "[1.511,0,0,0,0,0,0]]}",
             pair, NULL);
  cr_expect_float_eq(value_of(r, "final_yaw_rate", 0), y / about_vertical, 1e-11);
  omr_result_destroy(r);
}

/* Works are told apart: the wheel is driven and pushed about its axis at once. */
Test(external, its_work_is_not_the_drives) {
  omr_result *r = pushed("{\"type\":\"constant\",\"torque\":{\"z\":-0.05}}",
                         "parameters.wheel.drive={\"type\":\"constant\",\"torque\":0.03}",
                         "parameters.wheel.initial.rate=1");
  const double rate = (0.03 - 0.05) / inertia, angle = T + 0.5 * rate * T * T;
  cr_expect_float_eq(value_of(r, "drive_work", 0), 0.03 * angle, 1e-11);
  cr_expect_float_eq(value_of(r, "external_work", 0), -0.05 * angle, 1e-11);
  cr_expect_float_eq(value_of(r, "motor_work", 0) - value_of(r, "regenerated_work", 0),
                     value_of(r, "drive_work", 0), 1e-14);
  cr_expect_float_eq(value_of(r, "energy_lost", 0), 0, 1e-11);
  cr_expect_lt(fabs(value_of(r, "energy_error", 0)), 1e-11);
  omr_result_destroy(r);
}

/* With friction, inclined rollers, exchanges and bearings the balance closes with the step. */
Test(external, the_balance_of_energy_closes_under_every_law) {
  static const char *const laws[] = {"saturated_coulomb", "regularized_coulomb", "ideal_rolling",
                                     "massless_rollers", "udwadia_kalaba"};
  for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
    char law[80];
    snprintf(law, sizeof law, "parameters.contact.law=%s", laws[i]);
    omr_result *r = run_study(
        testbench_text,
        OVERRIDES("parameters.external={\"type\":\"sine\",\"axes\":\"world\",\"force\":{\"x\":1,"
                  "\"y\":-3,\"z\":0.7},\"torque\":{\"x\":0.1,\"y\":0.02,\"z\":0.03},"
                  "\"frequency\":1.7,\"height\":0.13}",
                  law, "integrator={\"tolerance\":1e-9,\"duration\":\"1 s\"}",
                  "output.observables=[\"energy_error\",\"external_work\",\"exchanges\"]"));
    cr_expect_lt(fabs(value_of(r, "energy_error", 0)), 1e-6, "%s: %g", laws[i],
                 value_of(r, "energy_error", 0));
    cr_expect_gt(fabs(value_of(r, "external_work", 0)), 1e-3, "%s", laws[i]);
    cr_expect_geq(value_of(r, "exchanges", 0), 1, "%s", laws[i]);
    omr_result_destroy(r);
  }
}

/* A force that is stronger than the weight lifts the wheel, and the instance ends there: A sin(w t)
 * = M g. */
Test(external, a_wheel_that_is_pulled_up_ends_as_lifted) {
  const double w = 2 * PI * 0.25;
  omr_result *r = pushed("{\"type\":\"sine\",\"force\":{\"y\":30},\"frequency\":0.25}", NULL, NULL);
  cr_expect_eq(r->status[0], OMR_INSTANCE_LIFTED);
  cr_expect_float_eq(r->status_time[0], asin(mass * gravity / 30) / w, 1.1e-3, "within a step");
  omr_result_destroy(r);
}

/* Four wheels of a rectangle without friction: the force at the height h accelerates the vehicle,
 * and its moment about the centre of mass, at the height H, moves load from the rear to the front,
 * F (h - H)/(4 l) each. A torque about z (to the right) lifts the front, one about x (forward)
 * loads the right. */
#define BOX                                                                                        \
  "parameters.layout={\"type\":\"rectangle\",\"half_length\":0.3,\"half_width\":0.2}",             \
      "parameters.wheels=[{},{},{},{}]", "parameters.wheel.inclination=0",                         \
      "parameters.initial={}", "integrator.duration=0.1",                                          \
      "parameters.platform.center_of_mass={\"x\":0,\"z\":0,\"height\":0.17}",                      \
      "output.trajectories={\"instances\":[0],\"interval\":\"0.1 s\"}"

static void expect_loads(const char *external, const double extra[4]) {
  const double wheel = 1.2 + 6 * 0.11, all = 10 + 4 * wheel;
  omr_result *r = run_study(vehicle_text, OVERRIDES(BOX, external));
  for (int i = 0; i < 4; i++)
    cr_expect_float_eq(r->wheel_samples[OMR_WS_LOAD][4 * (r->sample_count - 1) + (size_t)i],
                       all * gravity / 4 + extra[i], 1e-11, "%s: wheel %d", external, i);
  omr_result_destroy(r);
}

Test(external, loads_of_a_pushed_vehicle_are_those_of_hand_statics) {
  const double wheel = 1.2 + 6 * 0.11, all = 10 + 4 * wheel, height = (1.7 + 4 * wheel * 0.1) / all;
  const double lever = 20 * (0.5 - height) / (4 * 0.3), side = 20 * (0.5 - height) / (4 * 0.2);
  expect_loads("parameters.external={\"type\":\"constant\",\"force\":{\"x\":20},\"height\":0.5}",
               (double[]){lever, lever, -lever, -lever});
  expect_loads("parameters.external={\"type\":\"constant\",\"force\":{\"z\":20},\"height\":0.5}",
               (double[]){-side, side, -side, side});
  expect_loads("parameters.external={\"type\":\"constant\",\"force\":{\"y\":-20}}",
               (double[]){5, 5, 5, 5});
  expect_loads("parameters.external={\"type\":\"constant\",\"torque\":{\"z\":6}}",
               (double[]){-5, -5, 5, 5});
  expect_loads("parameters.external={\"type\":\"constant\",\"torque\":{\"x\":6}}",
               (double[]){-7.5, 7.5, -7.5, 7.5});
}

/* Wind along the world's x on a vehicle that yaws, its centre of mass off the middle: without
 * friction the centre of mass follows the force, and the yaw its moment about it. */
Test(external, a_vehicle_without_friction_moves_as_a_body_that_is_pushed_off_its_centre_of_mass) {
  const double wheel = 1.2 + 6 * 0.11, all = 10 + 3 * wheel;
  omr_result *r = run_study(
      vehicle_text,
      OVERRIDES(
          "parameters.external={\"type\":\"constant\",\"axes\":\"world\",\"force\":{\"x\":3,"
          "\"z\":1}}",
          "parameters.initial={}", "parameters.wheel.inclination=0", "parameters.wheels=[{},{},{}]",
          "integrator={\"tolerance\":1e-10,\"duration\":\"2 s\"}",
          "output.observables=[\"final_x\",\"final_z\",\"final_yaw\",\"final_vx\",\"final_vz\","
          "\"final_yaw_rate\",\"energy_error\"]"));
  const double yaw = value_of(r, "final_yaw", 0), cx = 10 * 0.02 / all, cz = 10 * -0.03 / all;
  /* body to world: X = x cos + z sin, Z = z cos - x sin */
  const double x = value_of(r, "final_x", 0) + cx * cos(yaw) + cz * sin(yaw),
               z = value_of(r, "final_z", 0) + cz * cos(yaw) - cx * sin(yaw);
  cr_expect_float_eq(x - cx, 0.5 * 3 / all * T * T, 1e-9);
  cr_expect_float_eq(z - cz, 0.5 * 1 / all * T * T, 1e-9);
  cr_expect_gt(fabs(yaw), 0.1);
  cr_expect_lt(fabs(value_of(r, "energy_error", 0)), 1e-9);
  omr_result_destroy(r);
}
