/* The loop that follows a path of points: the reference against the engine. */
#include "against_engine.h"

#define SHORT "integrator.step=\"10 us\"", "integrator.duration=\"0.3 s\"", TRACED
#define MOVES "parameters.initial={\"x\":0.004,\"z\":-0.003,\"yaw\":0.2}"
/* Rollers that are not inclined roll as ideal ones do, so that exchanges make no impacts. */
#define DRIVEN                                                                                     \
  "parameters.contact.law=ideal_rolling", "parameters.wheel.inclination=0",                        \
      "parameters.platform.center_of_mass.height=0.02", "parameters.wheels=[{},{},{}]",            \
      "parameters.wheel.drive={\"type\": \"body\", \"kp\": 3, \"ki\": 20}",                        \
      "parameters.controller_period=\"2 ms\""

/* Corners of all kinds: slight, sharp, to both sides, and legs shorter than a sample's way; and a
 * path that a vehicle can turn along. */
#define CORNERS                                                                                    \
  "\"points\":[[0,0],[0.015,0],[0.03,0.003],[0.032,0.004],[0.034,0.003],[0.04,0.014],[0.032,0.02]" \
  "]"
#define BEND "\"points\":[[0,0],[0.02,0],[0.035,0.002],[0.045,0.005],[0.06,0.012]]"
#define COMMAND(points, more)                                                                      \
  "parameters.command={\"type\":\"path\"," points                                                  \
  ",\"period\":\"6 ms\",\"speed\":0.5,\"acceleration\":5," more "}"

/* Samples of motion, loads, forces and accelerations over 1 + their size, and the observables of
 * the loop; arrives: the end, or the first round, is behind when the run ends. */
static void compare(const char *what, const char *command, bool arrives) {
  static const int loop[] = {OMR_OBS_PATH_ERROR, OMR_OBS_MAX_PATH_ERROR, OMR_OBS_PATH_TIME};
  const char *const overrides[] = {SHORT, MOVES, DRIVEN, command, NULL};
  const char *const observing[] = {"integrator.step=\"10 us\"",
                                   "integrator.duration=\"0.3 s\"",
                                   "output={\"observables\":[\"path_error\",\"max_path_error\","
                                   "\"path_time\"]}",
                                   MOVES,
                                   DRIVEN,
                                   command,
                                   NULL};
  omr_study *study = study_of(vehicle_text, overrides);
  omr_reference_run run = integrate_reference(study);
  const double difference =
      engine_difference(&run, vehicle_text, overrides, study->wheels, "integrator.step=\"10 us\"");
  cr_expect_lt(difference, 1e-8, "%s: %.2g", what, difference);

  omr_result *engine = run_study(vehicle_text, observing);
  for (size_t j = 0; j < 3; j++) {
    const double expected = run.observables[loop[j]],
                 found = value_of(engine, omr_observables[loop[j]].name, 0);
    const bool both_open = isnan(found) && isnan(expected);
    cr_expect(both_open || fabs(found - expected) < 1e-8, "%s, %s: %.12g, %.12g", what,
              omr_observables[loop[j]].name, found, expected);
  }
  cr_expect_eq(isfinite(run.observables[OMR_OBS_PATH_TIME]), arrives, "%s", what);
  cr_log_info("%s: largest difference %.2g, end at %g s, at most %g m from the path", what,
              difference, run.observables[OMR_OBS_PATH_TIME],
              run.observables[OMR_OBS_MAX_PATH_ERROR]);
  omr_result_destroy(engine);
  omr_reference_run_free(&run);
  omr_study_destroy(study);
}

#define CROSS(gains) "\"law\":\"cross_track\"," gains
#define SIDEWAYS ",\"motion\":\"translate\""

Test(path_reference, a_goal_is_pursued_as_in_the_engine) {
  compare("turn", COMMAND(BEND, "\"look_ahead\":0.06"), true);
  compare("translate", COMMAND(CORNERS, "\"look_ahead\":0.015" SIDEWAYS), true);
  compare("closed", COMMAND(CORNERS, "\"look_ahead\":0.02,\"closed\":true" SIDEWAYS), false);
}

Test(path_reference, a_distance_is_controlled_as_in_the_engine) {
  compare("turn", COMMAND(BEND, CROSS("\"gain\":4,\"integral_gain\":9,\"look_ahead\":0.02")), true);
  compare("translate", COMMAND(CORNERS, CROSS("\"gain\":12,\"integral_gain\":30") SIDEWAYS), true);
  compare("closed",
          COMMAND(CORNERS, CROSS("\"gain\":12,\"look_ahead\":0.01,\"closed\":true") SIDEWAYS),
          true);
}

Test(path_reference, odometry_is_believed_as_in_the_engine) {
  compare("odometry", COMMAND(CORNERS, "\"look_ahead\":0.02,\"pose\":\"odometry\"" SIDEWAYS), true);
}

Test(path_reference, a_heading_is_held_beside_it_as_in_the_engine) {
  compare("held",
          COMMAND(CORNERS, "\"look_ahead\":0.02,\"heading_hold\":{\"gain\":6,\"period\":\"4 ms\","
                           "\"gyro_bias\":0.1}" SIDEWAYS),
          true);
}

/* On springs the body tilts, and the loop sees its origin all the same. What differs is the
 * engine's own error of stiff springs, which falls with its step. */
Test(path_reference, a_body_on_springs_follows_as_in_the_engine) {
  static const char *const overrides[] = {
      "integrator.step=\"10 us\"",
      "integrator.duration=\"0.1 s\"",
      TRACED,
      "parameters.wheels=[{},{},{}]",
      "parameters.wheel.friction=0.5",
      "parameters.wheel.drive={\"type\": \"body\", \"kp\": 0.5, \"ki\": 2}",
      "parameters.controller_period=\"2 ms\"",
      "parameters.contact={\"normal\": \"compliant\"}",
      "parameters.initial={\"x\":0.004,\"z\":-0.003,\"yaw\":0.2}",
      COMMAND(BEND, "\"look_ahead\":0.06"),
      NULL};
  omr_study *study = study_of(vehicle_text, overrides);
  omr_reference_run run = integrate_reference(study);
  const double whole = engine_difference(&run, vehicle_text, overrides, study->wheels,
                                         "integrator.step=\"10 us\""),
               half = engine_difference(&run, vehicle_text, overrides, study->wheels,
                                        "integrator.step=\"5 us\"");
  cr_log_info("on springs: largest difference %.2g, with half the step %.2g", whole, half);
  cr_expect_lt(whole, 1e-6, "%.2g", whole);
  cr_expect_lt(half, 0.6 * whole, "%.2g, %.2g", half, whole);
  omr_reference_run_free(&run);
  omr_study_destroy(study);
}
