/* The loss of yaw (appendix/laws.md#friction) by its form, a motion that is known, and the
 * energy. That the reference finds the same motion is in tests/reference/test_omni_reference.c. */
#include "shared/kernel.h"
#include "shared/motion.h"

#define FORWARD 0.02
#define SIDEWAYS 0.05
#define CURVATURE 0.2

static double lost_at(double vx, double vz, double omega) {
  double vehicle[P_COUNT] = {0};
  vehicle[P_YAW_LOSS_X] = FORWARD;
  vehicle[P_YAW_LOSS_Z] = SIDEWAYS;
  vehicle[P_YAW_LOSS_FADE] = CURVATURE * CURVATURE;
  return lost_yaw(vehicle, vx, vz, omega);
}

/* Against the sense of turning, by the way and not by the time, the same in both directions of
 * motion; whole on bends, half of sqrt(2) where the path has the curvature at which it fades, none
 * on the spot and straight on. */
Test(yaw_loss, goes_by_the_way_and_against_the_turn) {
  cr_expect_float_eq(lost_at(0, 0.3, 1000), SIDEWAYS * 0.3, 1e-9);
  cr_expect_float_eq(lost_at(-0.3, 0, 1000), FORWARD * 0.3, 1e-9);
  cr_expect_float_eq(lost_at(0, 0.3, 0.3 * CURVATURE), SIDEWAYS * 0.3 / sqrt(2), 1e-15);
  const double at = lost_at(0.2, -0.3, 0.4);
  cr_expect_float_eq(lost_at(0.2, 0.3, -0.4), -at, 1e-17);
  cr_expect_float_eq(lost_at(2, 3, 4), 10 * at, 1e-15);
  cr_expect_eq(lost_at(0, 0, 0.7), 0);
  cr_expect_eq(lost_at(0.2, 0.3, 0), 0);
  cr_expect_eq(lost_at(0, 0, 0), 0);
}

/* Three straight wheels whose motors hold the rates of v_x, v_z and omega_0: the vehicle moves with
 * these velocities and turns by omega, omega + loss = omega_0. What friction needs for the
 * centripetal acceleration a is a slip of 2 v_s a/(mu g) = 2.9e-5 m/s, since rollers give way in
 * half of the directions. */
static const char held_text[] =
    "{\"model\": \"omni_vehicle\", \"parameters\": {"
    "\"platform\": {\"mass\": 6, \"yaw_inertia\": 0.08, \"yaw_loss\": {\"sideways\": 0.05, "
    "\"forward\": 0.02}},"
    "\"layout\": {\"type\": \"ring\", \"wheels\": 3, \"radius\": 0.2, \"first_angle\": \"30 "
    "deg\"},"
    "\"wheel\": {\"radius\": 0.05, \"rollers\": 12, \"friction\": 0.5, \"slip_speed\": 1e-3,"
    "\"roller\": {\"density\": \"10 kg/m3\"}, \"drive\": {\"type\": \"body\", \"kp\": 1, "
    "\"ki\": 5}},"
    "\"command\": {\"type\": \"tanh\", \"vx\": 0.1, \"vz\": -0.15, \"yaw_rate\": 0.4, "
    "\"ramp_time\": 0.2}},"
    "\"integrator\": {\"method\": \"rosenbrock\", \"step\": \"0.5 ms\", \"duration\": \"3 s\"},"
    "\"output\": {\"observables\": [\"final_vx\", \"final_vz\", \"final_yaw_rate\"]},"
    "\"engine\": {\"backend\": \"scalar\"}}";

Test(yaw_loss, a_vehicle_turns_less_than_its_wheels) {
  omr_result *r = run_study(held_text, NULL);
  const double vx = 0.1, vz = -0.15;
  double omega = 0.4;
  for (int n = 0; n < 60; n++) omega = 0.4 - lost_at(vx, vz, omega);
  const double found = value_of(r, "final_yaw_rate", 0);
  cr_log_info("turns by %.6g rad/s, expected %.6g; %.7g and %.7g m/s", found, omega,
              value_of(r, "final_vx", 0), value_of(r, "final_vz", 0));
  cr_expect_lt(omega, 0.392);
  cr_expect_float_eq(found, omega, 2e-5);
  cr_expect_float_eq(value_of(r, "final_vx", 0), vx, 1e-4);
  cr_expect_float_eq(value_of(r, "final_vz", 0), vz, 1e-4);
  omr_result_destroy(r);
}

/* The force works on the slip that there is: without that correction the balance misses what the
 * moment of the contacts does on the yaw that is lost, and the error stays as steps get shorter. */
Test(yaw_loss, energy_balance_closes) {
  omr_result *r = run_study(
      vehicle_text,
      OVERRIDES("engine.backend=scalar", "parameters.wheel.friction=0.4",
                "parameters.platform.yaw_loss={\"sideways\": 0.5, \"forward\": 0.3}",
                "output.observables=[\"energy_error\", \"exchanges\"]", "integrator.step=\"50 us\"",
                "parameters.wheel.slip_speed=0.05", "integrator.duration=\"0.4 s\""));
  const double error = fabs(value_of(r, "energy_error", 0));
  cr_log_info("%.2g over %g exchanges", error, value_of(r, "exchanges", 0));
  cr_expect_gt(value_of(r, "exchanges", 0), 2);
  cr_expect_lt(error, 1e-7);
  omr_result_destroy(r);
}
