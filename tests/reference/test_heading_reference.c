/* The loop of the heading and limits of the rates asked of wheels: the reference against the
 * engine, and against the poles of the sampled loop. */
#include "against_engine.h"

#define SHORT                                                                                      \
  "integrator.duration=\"0.2 s\"",                                                                 \
      "output={\"observables\":[\"heading_error\"],\"trajectories\":{\"instances\":[0],"           \
      "\"interval\":\"10 ms\"}}"
#define MOVES "parameters.initial={\"vx\":0.3,\"vz\":-0.1,\"yaw_rate\":0.2}"
#define DRIVEN                                                                                     \
  "parameters.wheels=[{},{},{}]", "parameters.wheel.friction=0.5",                                 \
      "parameters.wheel.drive={\"type\": \"body\", \"kp\": 0.3, \"ki\": 1}",                       \
      "parameters.controller_period=\"4 ms\""
#define COMMAND(more)                                                                              \
  "parameters.command={\"type\":\"tanh\",\"vx\":0.5,\"vz\":-0.1,\"yaw_rate\":0.4,"                 \
  "\"ramp_time\":0.1," more "}"
#define HELD                                                                                       \
  "\"heading_hold\":{\"gain\":6,\"integral_gain\":4,\"rate_gain\":0.2,\"period\":\"12 ms\","       \
  "\"delay\":\"20 ms\",\"gyro_bias\":0.1,\"gyro_noise\":0.05,\"gyro_scale\":0.95}"

static void compare(const char *what, const char *const *overrides) {
  compare_vehicle(what, overrides, OMR_OBS_HEADING_ERROR, "heading_error");
}

Test(heading_reference, a_held_heading_is_that_of_the_engine) {
  compare("held", OVERRIDES("integrator.step=\"10 us\"", SHORT, MOVES, DRIVEN, COMMAND(HELD)));
}

Test(heading_reference, rates_asked_of_wheels_are_limited_as_in_the_engine) {
  compare("limited together",
          OVERRIDES("integrator.step=\"10 us\"", SHORT, MOVES, DRIVEN,
                    COMMAND(HELD ",\"wheel_limit\":{\"rate\":4,\"acceleration\":60}")));
  compare("limited each",
          OVERRIDES("integrator.step=\"10 us\"", SHORT, MOVES, DRIVEN,
                    COMMAND(HELD ",\"wheel_limit\":{\"rate\":4,\"acceleration\":60,\"limit\":"
                                 "\"each\"}")));
}

/* Error of the loop at its samples, by the reference's yaws: see tests/physics/test_heading.c. */
static void expect_poles(double gain, double late) {
  char command[256];
  snprintf(command, sizeof command,
           "parameters.command={\"type\":\"constant\",\"heading_hold\":{\"gain\":%g,\"period\":"
           "\"0.5 s\",\"delay\":%g,\"gyro_bias\":0.01}}",
           gain, late * 0.5);
  omr_study *study =
      study_of(vehicle_text,
               OVERRIDES("integrator.step=\"1 ms\"", "integrator.duration=\"4 s\"",
                         "output={\"trajectories\":{\"instances\":[0],\"interval\":\"0.5 s\"}}",
                         "parameters.initial={\"vx\":0,\"vz\":0,\"yaw_rate\":0}",
                         "parameters.wheels=[{},{},{}]", "parameters.contact.law=ideal_rolling",
                         "parameters.wheel.inclination=0",
                         "parameters.wheel.drive={\"type\":\"body\",\"kp\":30,\"ki\":300}",
                         "parameters.controller_period=\"1 ms\"", command));
  omr_reference_run run = integrate_reference(study);
  double error = 0, before = 0, size = 0;
  for (int n = 0; n <= 8; n++) {
    const double yaw = run.samples[n * run.columns + OMR_VS_YAW], found = -yaw - 0.005 * n;
    size = fmax(size, fabs(error));
    cr_expect_float_eq(found, error, 0.01 * size + 1e-12, "gain %g, delay %g, sample %d: %g, %g",
                       gain, late, n, found, error);
    const double asked = gain * (late > 0 ? before : error);
    before = error;
    error -= 0.5 * asked + 0.005;
  }
  omr_reference_run_free(&run);
  omr_study_destroy(study);
}

Test(heading_reference, the_error_obeys_the_poles_of_the_sampled_loop) {
  expect_poles(0.8, 0);
  expect_poles(3.2, 0);
  expect_poles(0.8, 1);
}
