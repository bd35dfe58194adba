/* State feedback: the reference against the engine. */
#include "against_engine.h"

#define SHORT                                                                                      \
  "integrator.step=\"10 us\"", "integrator.duration=\"0.2 s\"",                                    \
      "output={\"observables\":[\"deviation\"],\"trajectories\":{\"instances\":[0],"               \
      "\"interval\":\"10 ms\"}}"
#define MOVES "parameters.initial={\"vx\":0.3,\"vz\":-0.1,\"yaw\":3.1,\"yaw_rate\":0.6}"
#define DRIVEN(more)                                                                               \
  "parameters.wheels=[{},{},{}]", "parameters.wheel.friction=0.5",                                 \
      "parameters.controller_period=\"4 ms\"",                                                     \
      "parameters.wheel.drive={\"type\": \"feedback\"" more "}"
#define COMMAND                                                                                    \
  "parameters.command={\"type\":\"tanh\",\"vx\":0.5,\"vz\":-0.1,\"yaw_rate\":0.4,"                 \
  "\"ramp_time\":0.1,\"feedback\":{\"states\":[\"yaw\",\"x\",\"z\",\"vx\",\"rate\",\"vz\","        \
  "\"yaw_rate\"],\"gains\":[[3,7,-9,-1,0.2,0.02,0,2,-0.5],[2,-3,8,-2,0,0.3,0.01,1,-0.4],"          \
  "[4,1,-6,1,0.03,0,0.1,-1,-0.3]]}}"

static void compare(const char *what, const char *const *overrides) {
  compare_vehicle(what, overrides, OMR_OBS_DEVIATION, "deviation");
}

Test(feedback_reference, the_motion_is_that_of_the_engine) {
  compare("torques", OVERRIDES(SHORT, MOVES, DRIVEN(""), COMMAND));
  compare("limited torques", OVERRIDES(SHORT, MOVES, DRIVEN(",\"torque_limit\":0.4"), COMMAND));
  compare("duties", OVERRIDES(SHORT, MOVES, DRIVEN(",\"by\":\"duty\""), COMMAND,
                              "parameters.supply={\"voltage\":12,\"resistance\":0.1}",
                              "parameters.wheel.motor={\"resistance\":1.3,\"torque_constant\":0.02,"
                              "\"gear_ratio\":14}"));
  compare("ideal rolling",
          OVERRIDES(SHORT, MOVES, DRIVEN(""), COMMAND, "parameters.contact.law=ideal_rolling"));
}

static const char disc_text[] =
    "{\"model\": \"disc_vehicle\", \"engine\": {\"backend\": \"openmp\"}, \"parameters\": "
    "{\"platform\": {\"mass\": 12, \"yaw_inertia\": 0.4, \"center_of_mass\": {\"height\": "
    "0.12}}, \"layout\": {\"type\": \"ring\", \"wheels\": 3, \"radius\": 0.2}, \"wheel\": "
    "{\"radius\": 0.1, \"friction\": 0.7, \"inclination\": 0.5}}, \"integrator\": {\"step\": "
    "\"10 us\", \"duration\": \"0.2 s\"}, \"output\": {\"trajectories\": {\"instances\": [0], "
    "\"interval\": \"10 ms\"}}}";

/* Forces of discs that slip at the start have an error of 2e-9 in the reference itself. */
Test(feedback_reference, a_vehicle_on_discs_is_that_of_the_engine) {
  const char *const *overrides = OVERRIDES(
      "parameters.initial={\"vx\":0.2,\"yaw\":3.1,\"yaw_rate\":0.6}", DRIVEN(""), COMMAND);
  omr_study *study = study_of(disc_text, overrides);
  omr_reference_run run = integrate_reference(study);
  const double difference =
      engine_difference(&run, disc_text, overrides, study->wheels, "integrator.step=\"10 us\"");
  cr_log_info("on discs: largest difference %.2g", difference);
  cr_expect_lt(difference, 1e-7, "%.2g", difference);
  omr_reference_run_free(&run);
  omr_study_destroy(study);
}

Test(feedback_reference, a_vehicle_on_springs_is_that_of_the_engine) {
  compare("springs", OVERRIDES(SHORT, "parameters.initial={\"yaw\":0.2}", DRIVEN(""), COMMAND,
                               "parameters.contact={\"normal\": \"compliant\"}"));
}
