/* Refusals of drives of type feedback and of their matrix. */
#include "refusals.h"

#define FED "'wheel': {'drive': {'type': 'feedback'}}, "
#define WITH(feedback) "'command': {'type': 'constant', 'vx': 0.3, 'feedback': " feedback "}"
#define MATRIX WITH("{'states': ['vx', 'yaw'], 'gains': [[1, 2], [1, 2], [1, 2]]}")

Test(feedback_errors, a_matrix_has_a_row_for_each_wheel_and_a_column_for_each_state) {
  EXPECT_REFUSED(
      {V(FED WITH("{'states': ['vx', 'yaw'], 'gains': [[1, 2], [1, 2]]}"), ""),
       {"parameters.command.feedback.gains: \"gains\" has 2 rows, and 3 wheels have a drive of "
        "type "
        "feedback: give a row for each of the wheels 0, 1, 2"}},
      {V("'wheels': [{'name': 'left'}, {'drive': {'type': 'none'}}, {}], " FED WITH(
             "{'states': ['vx'], 'gains': [[1]]}"),
         ""),
       {"\"gains\" has 1 rows, and 2 wheels", "the wheels 0 (left), 2"}},
      {V(FED WITH("{'states': ['vx', 'yaw'], 'gains': [[1, 2], [1], [1, 2]]}"), ""),
       {"parameters.command.feedback.gains[1]: the row of wheel 1 has 1 gains, and \"states\" "
        "makes "
        "2: vx, yaw"}},
      {V(FED WITH("{'states': ['rate', 'x'], 'gains': [[1, 2], [1, 2], [1, 2]]}"), ""),
       {"the row of wheel 0 has 2 gains, and \"states\" makes 4: rate of wheel 0, rate of wheel 1, "
        "rate of wheel 2, x"}},
      {V(FED WITH("{'states': ['vx'], 'gains': [1, 2, 3]}"), ""), {"gains[0]: the row of wheel 0"}},
      {V(FED WITH("{'states': ['vx'], 'gains': [['1 N m'], [1], [1]]}"), ""),
       {"gains[0][0]: \"1 N m\"", "N m s m-1"}},
      {V(FED WITH("{'states': ['vx', 'vy'], 'gains': [[1, 2], [1, 2], [1, 2]]}"), ""),
       {"parameters.command.feedback.states[1]: ", "\"vy\"", "\"vz\""}},
      {V(FED WITH("{'states': ['vx', 'vx'], 'gains': [[1, 2], [1, 2], [1, 2]]}"), ""),
       {"states[1]: \"vx\" is there twice; leave one of them out"}},
      {V(FED WITH("{'states': [], 'gains': [[1, 2], [1, 2], [1, 2]]}"), ""), {"at least 1 needed"}},
      {V(FED WITH("{'gains': [[1], [1], [1]]}"), ""), {"\"states\" is missing"}},
      {V(FED WITH("{'states': ['vx']}"), ""), {"\"gains\" is missing"}},
      {V(FED WITH("{'states': ['vx'], 'gains': [[1], [1], [1]], 'delay': 1}"), ""),
       {"unknown key \"delay\""}},
      {V(FED "'command': {'type': 'constant', 'vx': 1}", ""),
       {"parameters.command: \"feedback\" is missing"}});
}

Test(feedback_errors, drives_of_type_feedback_are_the_only_ones_and_follow_a_command) {
  EXPECT_REFUSED(
      {V(FED "'platform': {'mass': 5}", ""),
       {"parameters.wheel.drive.type: a drive of type feedback needs a command to follow"}},
      {W(FED "'overlap': 'allow'", ""),
       {"a drive of type feedback follows the command of an omni_vehicle"}},
      {V(MATRIX, ""),
       {"\"feedback\" is the matrix of drives of type feedback, and no wheel has one: give "
        "\"wheel\": {\"drive\": {\"type\": \"feedback\"}}"}},
      {V("'wheels': [{}, {'drive': {'type': 'body'}}, {}], " FED MATRIX, ""),
       {"wheel 1 has a drive of type body and wheel 0 one of type feedback",
        "give wheel 1 the drive \"none\" or \"feedback\""}},
      {V("'wheels': [{}, {}, {'kind': 'caster', 'trail': 0.02, 'drive': {'type': "
         "'feedback'}}], " FED MATRIX,
         ""),
       {"wheel 2 is of the kind caster, which turns about an upright axis"}},
      {V(FED "'command': {'type': 'path', 'period': 0.01, 'look_ahead': 0.1, 'points': [[0, 0], "
             "[1, 0]], 'feedback': {'states': ['vx'], 'gains': [[1], [1], [1]]}}",
         ""),
       {"parameters.command.type: a command of type path has no pose at a time",
        "give the way as \"way_points\", or the wheels the drive \"body\""}},
      {V(FED "'command': {'type': 'constant', 'heading_hold': {'period': 0.01}, 'feedback': "
             "{'states': ['vx'], 'gains': [[1], [1], [1]]}}",
         ""),
       {"parameters.command.heading_hold: \"heading_hold\" acts on drives of type body"}},
      {V("'wheel': {'drive': {'type': 'feedback', 'kp': 1}}, " MATRIX, ""),
       {"parameters.wheel.drive.kp", "feedback"}});
}

/* The remedies of the messages. */
Test(feedback_errors, remedies_help) {
  expect_accepted(V(FED MATRIX, ""));
  expect_accepted(V("'wheels': [{}, {'drive': {'type': 'none'}}, {}], " FED WITH(
                        "{'states': ['rate', 'x'], 'gains': [['1 N m s', 0, '2 N'], [0, 1, 2]]}"),
                    ""));
  expect_accepted(V(FED "'command': {'type': 'way_points', 'points': [[0.1, 0]], 'speed': 0.5, "
                        "'feedback': {'states': ['vx'], 'gains': [[1], [1], [1]]}}",
                    ""));
}
