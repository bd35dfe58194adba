/* integrator.step_error and integrator.accept: what they mean, what criteria add, what is refused.
 */
#include "../../host/study/accept.h"

#include "refusals.h"

#define ACCEPT(accept, more)                                                                       \
  "{'model': 'omni_vehicle', 'vary': [{'path': 'wheel.friction', 'values': [0.3, 0.5]}],\n"        \
  "'integrator': {'step': 1e-3, 'duration': 1, " accept "}" more "}"

static omr_study *read(const char *text) {
  omr_study *study;
  omr_error error = {0};
  char *json = double_quoted(text);
  cr_assert_eq(omr_study_parse(json, "s.json", NULL, 0, &study, &error), OMR_OK, "%s",
               error.message);
  free(json);
  return study;
}

static void expect_accept(const omr_study *study, size_t i, const char *words) {
  char text[200] = "";
  cr_assert_lt(i, study->step_error.accept_count, "%s", words);
  omr_accept_text(study, &study->step_error.accept[i], text, sizeof text);
  cr_expect_str_eq(text, words);
}

Test(accept, is_relative_in_per_cent_and_else_in_the_unit) {
  omr_study *study = read(ACCEPT(
      "'accept': {'vibration_rms': '2 %', 'min_load': '1 N', 'final_x': 1e-3, 'final_yaw': '1 deg',"
      " 'energy_error': '1 %', 'fail.slides': '3 %', 'fail.tips': 0.01}",
      ", 'statistics': {'fail': {'slides': 'max_slip > wheel_friction * 1 m/s', 'tips': 'min_load "
      "< 0 N'}}"));
  expect_accept(study, 0, "vibration_rms to 2 %");
  expect_accept(study, 1, "min_load to 1 N");
  expect_accept(study, 2, "final_x to 0.001 m");
  expect_accept(study, 3, "final_yaw to 0.0174533 rad");
  expect_accept(study, 4, "energy_error to 1 %");
  expect_accept(study, 5, "fail.slides to 3 %");
  expect_accept(study, 6, "fail.tips to 1 %");
  cr_expect_eq(study->step_error.accept_count, 7);
  cr_expect(study->step_error.accept[0].relative && !study->step_error.accept[1].relative);
  cr_expect(study->step_error.accept[5].of_criterion);
  omr_study_destroy(study);
}

/* 2 % of the threshold, of the smaller one where there are two; none of a threshold of 0 or of a
 * varied parameter. */
Test(accept, is_filled_up_by_the_thresholds_of_criteria) {
  omr_study *study = read(ACCEPT(
      "'accept': {'max_slip': '5 %'}",
      ", 'statistics': {'fail': {'a': 'vibration_rms > 0.5 m/s2 || 0.4 < vibration_rms && status "
      "!= ok',"
      " 'b': 'abs(final_yaw) >= 2 deg', 'c': 'max_slip > 1 m/s', 'd': 'min_load < 0 N',"
      " 'e': 'wheel_friction > 0.4', 'f': 'a && final_x < -1.5 m', 'g': 'final_x * 2 > 3 m'}}"));
  cr_expect_eq(study->step_error.accept_count, 4);
  expect_accept(study, 0, "max_slip to 5 %");
  expect_accept(study, 1, "vibration_rms to 0.008 m s-2 (2 % of a criterion's threshold)");
  expect_accept(study, 2, "final_yaw to 0.000698132 rad (2 % of a criterion's threshold)");
  expect_accept(study, 3, "final_x to 0.03 m (2 % of a criterion's threshold)");
  omr_study_destroy(study);
}

Test(accept, a_single_criterion_is_fail) {
  omr_study *study =
      read(ACCEPT("'accept': {'fail': '1 %'}", ", 'statistics': {'fail': 'max_slip > 1 m/s'}"));
  expect_accept(study, 0, "fail to 1 %");
  omr_study_destroy(study);
}

Test(accept, measuring_is_the_default_and_one_word_turns_it_off) {
  omr_study *study = read(ACCEPT("'exchange': 'split'", ""));
  cr_expect_not(study->step_error.off);
  cr_expect_eq(study->step_error.accept_count, 0);
  omr_study_destroy(study);
  study = read(ACCEPT("'step_error': 'off'", ", 'statistics': {'fail': 'max_slip > 1 m/s'}"));
  cr_expect(study->step_error.off);
  cr_expect_eq(study->step_error.accept_count, 0);
  omr_study_destroy(study);
}

Test(accept, what_it_cannot_mean_is_refused) {
  EXPECT_REFUSED(
      {ACCEPT("'step_error': 'no'", ""),
       {"s.json:2: integrator.step_error", "\"measure\", \"off\""}},
      {ACCEPT("'accept': 0.02", ""), {"s.json:2: integrator.accept: expected an object"}},
      {ACCEPT("'accept': {'vibration': '2 %'}", ""),
       {"integrator.accept.vibration", "no observable", "\"fail.NAME\""}},
      {ACCEPT("'accept': {'fail.slides': '2 %'}", ""),
       {"integrator.accept.fail.slides", "no criterion of that name"}},
      {ACCEPT("'accept': {'wheel_friction': '2 %'}", ""),
       {"integrator.accept.wheel_friction", "is a varied parameter"}},
      {ACCEPT("'accept': {'min_load': '1 N'}", ", 'output': {'observables': ['final_x']}"),
       {"integrator.accept.min_load", "add it to output.observables"}},
      {ACCEPT("'accept': {'min_load': '1 m'}", ""), {"integrator.accept.min_load"}},
      {ACCEPT("'accept': {'min_load': '0 N'}", ""),
       {"integrator.accept.min_load: is 0; the error that is accepted must be above 0"}},
      {ACCEPT("'accept': {'min_load': '-2 %'}", ""), {"must be above 0"}},
      {ACCEPT("'accept': {'min_load': true}", ""), {"integrator.accept.min_load"}},
      {ACCEPT("'accept': {'fail': '100 %'}", ", 'statistics': {'fail': 'max_slip > 1 m/s'}"),
       {"integrator.accept.fail", "is below 1"}},
      {ACCEPT("'step_error': 'off', 'accept': {'min_load': '1 N'}", ""),
       {"integrator.accept", "leave one of them out"}});
}
