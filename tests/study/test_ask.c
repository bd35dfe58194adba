/* "ask", output.derived and criteria that are good: what they mean, and what is refused. */
#include "../../host/study/formulas.h"
#include "../../host/study/own_names.h"

#include "refusals.h"

#include <math.h>

#define ASK(output, more)                                                                          \
  "{'model': 'omni_vehicle', 'vary': [{'path': 'wheel.friction', 'values': [0.3, 0.5]}],\n"        \
  "'integrator': {'step': 1e-3, 'duration': 1}, 'output': {" output "}" more "}"

static omr_study *read(const char *text) {
  omr_study *study;
  omr_error error = {0};
  char *json = double_quoted(text);
  cr_assert_eq(omr_study_parse(json, "s.json", NULL, 0, &study, &error), OMR_OK, "%s",
               error.message);
  free(json);
  return study;
}

static const char *asked(const omr_study *study, size_t i) {
  cr_assert_lt(i, study->ask_count);
  return omr_study_observable_name(study, study->ask[i].observable);
}

/* A derived observable has a place behind all others, and its value follows from them, from varied
 * parameters and from those derived before it. */
Test(ask, derives_observables_by_expressions) {
  omr_study *study = read(ASK("'observables': ['final_x', 'drive_work'], 'derived': {'per_energy': "
                              "{'expression': 'abs(final_x) / drive_work', 'unit': 'm/J', "
                              "'meaning': 'way'}, 'both': 'per_energy * 2 N + wheel.friction'}",
                              ""));
  cr_assert_eq(study->formula_count, 2);
  const int first = omr_formula_first(study);
  const omr_observable per_energy = omr_study_observable(study, first),
                       both = omr_study_observable(study, first + 1);
  cr_expect_str_eq(per_energy.name, "per_energy");
  cr_expect_str_eq(per_energy.unit, "m J-1");
  cr_expect_str_eq(per_energy.meaning, "way");
  cr_expect_str_eq(both.unit, "1");
  cr_expect_str_eq(both.meaning, "per_energy * 2 N + wheel.friction");
  cr_expect(omr_study_observes(study, first) && omr_study_observes(study, first + 1));

  double o[OMR_OBS_COUNT], friction = 0.25;
  for (int j = 0; j < OMR_OBS_COUNT; j++) o[j] = (double)NAN;
  o[OMR_OBS_FINAL_X] = -3;
  o[OMR_OBS_DRIVE_WORK] = 4;
  omr_formulas_add(study, &friction, o);
  cr_expect_eq(o[first], 0.75);
  cr_expect_eq(o[first + 1], 1.75);

  /* no value at a division by zero, and none of what follows from it */
  o[OMR_OBS_DRIVE_WORK] = 0;
  omr_formulas_add(study, &friction, o);
  cr_expect(isnan(o[first]) && isnan(o[first + 1]));
  omr_study_destroy(study);
}

Test(ask, says_what_is_asked_in_its_order) {
  omr_study *study = read(
      ASK("", ", 'ask': ['max_slip', {'name': 'final_x', 'best': '20 cm'}, {'name': 'rate', "
              "'expression': 'path_length / 2 s', 'best': 'larger'}, {'name': 'vibration_rms', "
              "'best': 'smaller'}]"));
  cr_expect(study->asks);
  cr_assert_eq(study->ask_count, 4);
  cr_expect_str_eq(asked(study, 0), "max_slip");
  cr_expect_eq(study->ask[0].best, OMR_BEST_NONE);
  cr_expect_str_eq(asked(study, 1), "final_x");
  cr_expect_eq(study->ask[1].best, OMR_BEST_TARGET);
  cr_expect_float_eq(study->ask[1].target, 0.2, 1e-15);
  cr_expect_str_eq(asked(study, 2), "rate");
  cr_expect_eq(study->ask[2].best, OMR_BEST_LARGER);
  cr_expect_str_eq(omr_study_observable(study, study->ask[2].observable).unit, "m s-1");
  cr_expect_eq(study->ask[3].best, OMR_BEST_SMALLER);
  omr_study_destroy(study);
}

/* Without "ask" the listed observables are asked, then the derived ones; what "ask" names is kept
 * though output.observables does not list it, and an observable on demand is switched on. */
Test(ask, keeps_what_it_names) {
  omr_study *study =
      read(ASK("'observables': ['max_slip', 'final_x'], 'derived': {'d': '2 * final_x'}", ""));
  cr_expect_not(study->asks);
  cr_assert_eq(study->ask_count, 3);
  cr_expect_str_eq(asked(study, 0), "max_slip");
  cr_expect_str_eq(asked(study, 1), "final_x");
  cr_expect_str_eq(asked(study, 2), "d");
  omr_study_destroy(study);

  study = read(ASK("'observables': ['final_x']", ", 'ask': ['final_z', {'name': 'lost', "
                                                 "'expression': '2 * external_work'}]"));
  cr_expect(omr_study_observes(study, OMR_OBS_FINAL_Z));
  cr_expect(omr_study_observes(study, OMR_OBS_EXTERNAL_WORK));
  omr_study_destroy(study);
}

Test(ask, derived_observables_are_observables_everywhere) {
  omr_study *study = read(
      ASK("'observables': ['final_x', 'd'], 'derived': {'d': '2 * final_x'}, 'trajectories': "
          "{'instances': ['extremes of d'], 'interval': 0.1}",
          ", 'statistics': {'fail': {'far': 'd > 3 m', 'near': {'when': 'd < 1 m', 'met': 'good'}, "
          "'old': {'when': 'far'}}}"));
  cr_expect_eq(study->traces.extreme_count, 1);
  cr_assert_eq(study->statistics.criterion_count, 3);
  cr_expect(!study->statistics.criteria[0].good && study->statistics.criteria[1].good);
  cr_expect_not(study->statistics.criteria[2].good);
  cr_expect_str_eq(study->statistics.criteria[1].text, "d < 1 m");
  omr_study_destroy(study);
}

Test(ask, refuses_with_place_and_remedy) {
  static const broken cases[] = {
      {ASK("'derived': {'a': 'final_x / drive_word'}", ""), {"output.derived.a:", "drive_work"}},
      {ASK("'derived': {'a': 'final_x + drive_work'}", ""), {"output.derived.a:", "J"}},
      {ASK("'derived': {'a': 'final_x > 1 m'}", ""),
       {"output.derived.a:", "is a condition", "statistics.fail"}},
      {ASK("'derived': {'final_x': 'final_z'}", ""),
       {"output.derived.final_x:", "already a quantity", "choose another name"}},
      {ASK("'derived': {'wheel_friction': 'final_z'}", ""), {"already a quantity"}},
      {ASK("'derived': {'1st': 'final_z'}", ""), {"is no name"}},
      {ASK("'derived': {'status': 'final_z'}", ""), {"choose another name"}},
      {ASK("'derived': {'a': 'a * 2'}", ""), {"output.derived.a:", "\"a\""}},
      {ASK("'derived': {'a': 3}", ""), {"output.derived.a:", "expected an expression"}},
      {ASK("'derived': {'a': {'unit': 'm'}}", ""), {"output.derived.a", "\"expression\""}},
      {ASK("'derived': {'a': {'expression': 'final_x', 'unit': 'mm'}}", ""),
       {"output.derived.a.unit:", "0.001", "write \"m\""}},
      {ASK("'derived': {'a': {'expression': 'final_x', 'unit': 'kg'}}", ""),
       {"does not fit", "leave \"unit\" out"}},
      {ASK("'derived': {'a': {'expression': 'final_x', 'unit': 'm/'}}", ""), {"no unit"}},
      {ASK("'observables': ['final_x'], 'derived': {'a': 'final_z'}", ""),
       {"output.derived.a:", "add it to output.observables"}},
      {ASK("", ", 'ask': []"), {"ask:"}},
      {ASK("", ", 'ask': 'final_x'"), {"ask:"}},
      {ASK("", ", 'ask': [3]"), {"ask[0]:", "expected an observable's name"}},
      {ASK("", ", 'ask': ['final_y']"), {"ask[0]:", "final_"}},
      {ASK("", ", 'ask': ['final_x', {'name': 'final_x'}]"), {"ask[1]:", "listed twice"}},
      {ASK("", ", 'ask': [{'best': 'larger'}]"), {"ask[0]", "\"name\""}},
      {ASK("", ", 'ask': [{'name': 'final_x', 'best': 'big'}]"),
       {"ask[0].best:", "\"smaller\", \"larger\""}},
      {ASK("", ", 'ask': [{'name': 'final_x', 'best': '2 kg'}]"), {"ask[0].best:", "kg"}},
      {ASK("", ", 'ask': [{'name': 'final_x', 'unit': 'm'}]"),
       {"ask[0].unit:", "belongs to \"expression\""}},
      {ASK("", ", 'statistics': {'fail': {'a': {'met': 'good'}}}"), {"\"when\""}},
      {ASK("", ", 'statistics': {'fail': {'a': {'when': 'final_x > 1 m', 'met': 'fine'}}}"),
       {"statistics.fail.a.met:", "good"}},
  };
  expect_refused(cases, sizeof cases / sizeof *cases);
}
