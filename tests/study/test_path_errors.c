/* Refusals of a command that follows a path of points. */
#include "refusals.h"

#define BODY "'wheel': {'drive': {'type': 'body', 'kp': 1}}, "
#define ENDS "'points': [[0, 0], [1, 0]], 'period': 0.01"
#define PATH(more) BODY "'command': {'type': 'path', " more "}"

Test(path_errors, a_path_needs_points_a_period_a_look_ahead_and_wheels_that_follow) {
  EXPECT_REFUSED(
      {V(PATH("'period': 0.01, 'look_ahead': 0.3"), ""),
       {"parameters.command: \"points\" is missing", "[[0, 0], [\"2 m\", 0], [\"2 m\", \"1 m\"]]"}},
      {V(PATH("'points': [[0, 0], [1, 0]], 'look_ahead': 0.3"), ""),
       {"\"period\" is missing", "\"20 ms\""}},
      {V(PATH(ENDS), ""), {"\"look_ahead\" is missing", "\"30 cm\""}},
      {V("'command': {'type': 'path', 'look_ahead': 0.3, " ENDS "}", ""),
       {"\"path\" acts on controllers that follow the command, and no wheel has one",
        "give \"wheel\": {\"drive\": {\"type\": \"body\""}},
      {W("'command': {'type': 'path', 'look_ahead': 0.3, " ENDS "}", ""),
       {"\"command\" is a parameter of omni_vehicle"}},
      {V("'wheel': {'drive': {'type': 'rate', 'rate': 2}}, "
         "'command': {'type': 'path', 'look_ahead': 0.3, " ENDS "}",
         ""),
       {"\"path\" acts on controllers that follow the command"}});
}

Test(path_errors, points_are_places_of_the_world_that_differ) {
  EXPECT_REFUSED(
      {V(PATH("'points': [[0, 0]], 'period': 0.01, 'look_ahead': 0.3"), ""),
       {"parameters.command.points: has 1 points of a path; at least 2 needed"}},
      {V(PATH("'points': [[0, 0], [1, 0]], 'closed': true, 'period': 0.01, 'look_ahead': 0.3"), ""),
       {"at least 3 needed"}},
      {V(PATH("'points': [[0, 0], [1, 0], [1, 0]], 'period': 0.01, 'look_ahead': 0.3"), ""),
       {"parameters.command.points[2]: point 2 is where the one before is; leave one of them out"}},
      {V(PATH("'points': [[0, 0], [1, 0], [1, 1], [0, 0]], 'closed': true, 'period': 0.01, "
              "'look_ahead': 0.3"),
         ""),
       {"a closed path goes from its last point to the first one by itself; leave the last one "
        "out"}},
      {V(PATH("'points': [[0, 0], [1, 0, 1]], 'period': 0.01, 'look_ahead': 0.3"), ""),
       {"parameters.command.points[1]: expected a point of the path in the world"}},
      {V(PATH("'points': [[0, 0], [1, '2 kg']], 'period': 0.01, 'look_ahead': 0.3"), ""),
       {"parameters.command.points[1][1]"}});
}

Test(path_errors, what_another_command_or_law_has_is_refused) {
  EXPECT_REFUSED(
      {V(PATH("'table': [[0, 0, 0, 0], [1, 1, 0, 0]], 'look_ahead': 0.3, " ENDS), ""),
       {"a command of type path does not use \"table\""}},
      {V(PATH("'heading': 'fixed', 'look_ahead': 0.3, " ENDS), ""),
       {"a command of type path does not use \"heading\""}},
      {V(PATH("'vx': 1, 'look_ahead': 0.3, " ENDS), ""),
       {"a command of type path does not use \"vx\""}},
      {V(BODY "'command': {'type': 'line', 'size': 0.2, 'closed': true}", ""),
       {"a command of type line does not use \"closed\""}},
      {V(BODY "'command': {'type': 'constant', 'period': 0.01}", ""),
       {"a command of type constant does not use \"period\""}},
      {V(PATH("'look_ahead': 0.3, 'gain': 2, " ENDS), ""),
       {"\"command.gain\" belongs to the law cross_track of a path; here it is pure_pursuit",
        "\"law\": \"cross_track\""}},
      {V(PATH("'look_ahead': 0.3, " ENDS), VARY("{'path': 'command.gain', 'values': [1, 2]}")),
       {"\"command.gain\" belongs to the law cross_track"}},
      {V(PATH("'law': 'cross_track', 'motion': 'translate', 'heading_gain': 2, " ENDS), ""),
       {"\"command.heading_gain\" belongs to a path that the vehicle follows by a turn; here it is "
        "translate"}},
      {V(BODY "'command': {'type': 'pure_pursuit'}", ""),
       {"a loop that follows points is \"path\", with the \"law\" \"pure_pursuit\""}},
      {V(PATH("'law': 'pursuit', 'look_ahead': 0.3, " ENDS), ""), {"pure_pursuit", "cross_track"}});
}

Test(path_errors, values_have_bounds) {
  EXPECT_REFUSED(
      {V(PATH("'look_ahead': 0, " ENDS), ""), {"parameters.command.look_ahead", "above 0"}},
      {V(PATH("'look_ahead': '-3 cm', " ENDS), ""), {"above 0"}},
      {V(PATH("'look_ahead': 0.3, 'speed': 0, " ENDS), ""), {"parameters.command.speed"}},
      {V(PATH("'law': 'cross_track', 'gain': -1, " ENDS), ""), {"parameters.command.gain"}},
      {V(PATH("'look_ahead': 0.3, 'points': [[0, 0], [1, 0]], 'period': '10.3 ms'"), ""),
       {"parameters.command.period: a period of 0.0103 s is not a whole number of controller "
        "periods of 0.001 s; the nearest is 0.01 s"}},
      {V(PATH("'look_ahead': 0.3, 'points': [[0, 0], [1, 0]], 'period': 0"), ""),
       {"must be above 0"}});
}

/* The remedies of the messages, and parameters that may be varied. */
Test(path_errors, remedies_help) {
  expect_accepted(V(PATH("'look_ahead': '30 cm', 'points': [[0, 0], ['2 m', 0], ['2 m', '1 m']], "
                         "'period': '20 ms'"),
                    ""));
  expect_accepted(V(PATH("'law': 'cross_track', 'gain': 2, " ENDS), ""));
  expect_accepted(V(PATH("'law': 'cross_track', 'motion': 'turn', 'heading_gain': 2, " ENDS), ""));
  expect_accepted(V(PATH("'points': [[0, 0], [1, 0], [1, 1]], 'closed': true, 'period': 0.01, "
                         "'look_ahead': 0.3"),
                    ""));
  expect_accepted(V(PATH("'look_ahead': 0.3, " ENDS),
                    VARY("{'path': 'command.look_ahead', 'values': [0.1, 0.2]}, "
                         "{'path': 'command.speed', 'values': [0.1, 0.2]}")));
}

/* In the frame of ROS the second number of a point is to the left. */
Test(path_errors, points_are_of_the_studys_frame) {
  omr_study *study;
  omr_error error = {0};
  char *text = double_quoted("{'model': 'omni_vehicle', 'frame': 'ros', " INTEGRATOR
                             "'parameters': {" PATH("'points': [[0, 0], [3, 4]], 'period': 0.01, "
                                                    "'look_ahead': 0.3") "}}");
  cr_assert_eq(omr_study_parse(text, "s.json", NULL, 0, &study, &error), OMR_OK, "%s",
               error.message);
  cr_expect_eq(study->command.table.value[2], 3);
  cr_expect_eq(study->command.table.value[3], -4);
  cr_expect_eq(study->command.table.time[1], 5);
  omr_study_destroy(study);
  free(text);
}
