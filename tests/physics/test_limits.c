/* Motions that nothing allows: 1e3 times what command, drives, loads and initial state can bring
 * about ends an instance as diverged, whatever the law; what stays within keeps its bits. */
#include "result/result.h"
#include "shared/motion.h"

/* One wheel, held upright: no load ends it. Its controller multiplies the error of the rate by
 * about -100 at every sample. */
#define GAIN(kp) "parameters.wheel.drive={\"type\":\"speed\",\"speed\":-5,\"kp\":" kp ",\"ki\":0}"

static omr_result *run_bench(const char *law, const char *drive, const char *more) {
  return run_study(testbench_text,
                   OVERRIDES(law, drive, more, "integrator.step_error=off",
                             "integrator.stability=ignore", "parameters.controller_period=\"1 ms\"",
                             "integrator.duration=0.2"));
}

Test(limits, end_what_runs_away_whatever_the_law) {
  static const char *const laws[] = {"saturated_coulomb", "regularized_coulomb",
                                     "ideal_rolling",     "udwadia_kalaba",
                                     "massless_rollers",  "classical_rollers"};
  for (int i = 0; i < 6; i++) {
    char law[80];
    snprintf(law, sizeof law, "parameters.contact.law=%s", laws[i]);
    omr_result *r = run_bench(
        law, GAIN("5000"), "output.observables=[\"max_slip\",\"path_length\",\"final_yaw_rate\"]");
    cr_expect_eq(omr_result_status(r)[0], 2, "%s: status %d", laws[i], omr_result_status(r)[0]);
    cr_expect_lt(omr_result_status_time(r)[0], 0.03, "%s: %g s", laws[i],
                 omr_result_status_time(r)[0]);
    cr_expect_gt(omr_result_status_time(r)[0], 1e-3, "%s: %g s", laws[i],
                 omr_result_status_time(r)[0]);
    omr_result_destroy(r);
  }
}

/* Where an error estimate chooses the steps, too. */
Test(limits, end_what_runs_away_under_a_tolerance) {
  omr_result *r = run_bench("integrator.step=null", GAIN("5000"), "integrator.tolerance=1e-3");
  cr_expect_eq(omr_result_status(r)[0], 2, "status %d", omr_result_status(r)[0]);
  cr_expect_lt(omr_result_status_time(r)[0], 0.03);
  omr_result_destroy(r);
}

Test(limits, leave_neighbours_alone) {
  omr_result *both = run_bench("vary=[{\"path\":\"wheel.drive.kp\",\"values\":[0.1,5000,0.2]}]",
                               GAIN("1"), "design={\"type\":\"grid\"}");
  omr_result *alone = run_bench("parameters.contact.law=saturated_coulomb", GAIN("0.2"),
                                "output.observables=[\"final_yaw_rate\"]");
  cr_expect_eq(omr_result_status(both)[0], 0);
  cr_expect_eq(omr_result_status(both)[1], 2);
  cr_expect_eq(omr_result_status(both)[2], 0);
  cr_expect_eq(value_of(both, "final_yaw_rate", 2), value_of(alone, "final_yaw_rate", 0));
  omr_result_destroy(both);
  omr_result_destroy(alone);
}

/* A wheel that a torque turns faster and faster, and a vehicle that is fast from its start, have
 * all that they may. */
Test(limits, allow_what_torques_and_the_start_bring_about) {
  omr_result *r = run_study(
      vehicle_text,
      OVERRIDES("parameters.wheel.inclination=0", "integrator.duration=100",
                "parameters.wheels=[{\"drive\":{\"type\":\"constant\",\"torque\":0.1}},{},{}]",
                "integrator.step=\"10 ms\"", "integrator.step_error=off"));
  cr_expect_eq(omr_result_status(r)[0], 0);
  omr_result_destroy(r);
  r = run_study(vehicle_text, OVERRIDES("parameters.initial={\"vx\":1e5,\"vz\":0,\"yaw_rate\":0}",
                                        "parameters.wheels=[{},{},{}]", "integrator.duration=0.1",
                                        "integrator.step_error=off"));
  cr_expect_eq(omr_result_status(r)[0], 0);
  cr_expect_float_eq(value_of(r, "final_vx", 0), 1e5, 1e-6);
  omr_result_destroy(r);
}
