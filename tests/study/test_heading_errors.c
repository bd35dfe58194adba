/* Refusals of the loop of the heading and of limits of the rates asked of wheels. */
#include "refusals.h"

#define BODY "'wheel': {'drive': {'type': 'body', 'kp': 1}}, "
#define HELD(hold) BODY "'command': {'type': 'constant', 'heading_hold': " hold "}"

Test(heading_errors, a_loop_needs_its_period_and_wheels_that_follow_the_command) {
  EXPECT_REFUSED(
      {V(HELD("{'gain': 2}"), ""),
       {"parameters.command.heading_hold: \"period\" is missing", "\"10 ms\""}},
      {V("'command': {'type': 'constant', 'heading_hold': {'period': 0.01}}", ""),
       {"parameters.command.heading_hold: \"heading_hold\" acts on controllers that follow the "
        "command, and no wheel has one",
        "give \"wheel\": {\"drive\": {\"type\": \"body\""}},
      {V("'command': {'type': 'constant', 'wheel_limit': {'rate': 5}}", ""),
       {"\"wheel_limit\" acts on controllers that follow the command"}},
      {V(BODY "'command': {'type': 'constant'}",
         VARY("{'path': 'command.heading_hold.gain', 'values': [1, 2]}")),
       {"no loop holds the heading, so \"command.heading_hold.gain\" has no effect",
        "{\"heading_hold\": {\"period\": \"10 ms\"}, ...}"}},
      {V("'command': {'type': 'constant'}",
         VARY("{'path': 'command.wheel_limit.rate', 'values': [1, 2]}")),
       {"\"wheel_limit\" acts on controllers that follow the command"}},
      {V(HELD("{'period': 0.01, 'gian': 2}"), ""), {"unknown key \"gian\"", "\"gain\""}},
      {V(HELD("{'period': 0.01, 'gain': -2}"), ""), {"parameters.command.heading_hold.gain"}},
      {V(HELD("{'period': 0.01, 'gyro_seed': 1.5}"), ""),
       {"parameters.command.heading_hold.gyro_seed", "whole number"}},
      {V(BODY "'command': {'type': 'constant', 'wheel_limit': {'rate': 0}}", ""),
       {"parameters.command.wheel_limit.rate"}},
      {V(BODY "'command': {'type': 'constant', 'wheel_limit': {'rate': 5, 'limit': 'both'}}", ""),
       {"\"together\", \"each\""}});
}

Test(heading_errors, times_of_the_loop_are_whole_controller_periods) {
  EXPECT_REFUSED(
      {V(HELD("{'period': '10.3 ms'}"), ""),
       {"parameters.command.heading_hold.period: a period of 0.0103 s is not a whole number of "
        "controller periods of 0.001 s; the nearest is 0.01 s",
        "\"controller_period\""}},
      {V(HELD("{'period': '0.2 ms'}"), ""), {"the nearest is 0.001 s"}},
      {V(HELD("{'period': 0}"), ""), {"must be above 0"}},
      {V(HELD("{'period': '10 ms', 'delay': '2.5 ms'}"), ""),
       {"parameters.command.heading_hold.delay: a delay of 0.0025 s is not a whole number"}},
      {V(HELD("{'period': '10 ms', 'delay': '80 ms'}"), ""),
       {"a delay of 0.08 s takes 8 periods of the loop, and it has to be below 8",
        "shorten it to 0.07 s, or lengthen \"period\""}},
      {V(HELD("{'period': '10 ms', 'delay': '80.5 ms'}"), ""),
       {"a delay of 0.0805 s takes 8.05 periods of the loop", "shorten it to 0.07 s"}},
      {V(HELD("{'period': '10 ms', 'delay': '79.7 ms'}"), ""), {"the nearest is 0.079 s"}},
      {V(HELD("{'period': '10 ms', 'delay': -1}"), ""), {"must not be below 0"}});
}

static omr_status status_of(const char *text) {
  omr_study *study;
  omr_error error = {0};
  char *quoted = double_quoted(text);
  const omr_status status = omr_study_parse(quoted, "s.json", NULL, 0, &study, &error);
  cr_expect_eq(status, OMR_OK, "%s", error.message);
  omr_study_destroy(study);
  free(quoted);
  return status;
}

/* The remedies of the messages. */
Test(heading_errors, remedies_help) {
  status_of(V(HELD("{'period': '10 ms', 'delay': '79 ms'}"), ""));
  status_of(V(HELD("{'period': '10 ms', 'delay': '70 ms'}"), ""));
  status_of(V(HELD("{'period': '1 ms', 'delay': 0}"), ""));
  status_of(V(HELD("{'period': '10.3 ms'}") ", 'controller_period': '0.1 ms'", ""));
  status_of(V(BODY "'command': {'type': 'line', 'size': 0.2, 'heading_hold': {'period': 0.01}}",
              VARY("{'path': 'command.heading_hold.gain', 'values': [1, 2]}")));
}
