/* Objectives and constraints as text: their statistics, units and limits, and what is refused, with
 * its place. */
#include "../../host/study/expression/expression_units.h"
#include "../../host/study/expression/goal.h"

#include "refusals.h"

#include <math.h>

#define GOAL_STUDY                                                                                 \
  "{'model': 'omni_vehicle', 'integrator': {'step': 1e-4, 'duration': 1},"                         \
  "'vary': [{'path': 'platform.mass', 'uniform': [1, 2]}],"                                        \
  "'design': {'type': 'candidates', 'sample': 'sobol', 'per_cell': 4},"                            \
  "'output': {'observables': ['max_deviation', 'max_slip', 'final_x']}}"

static omr_names names;

static void start(void) {
  omr_study *study;
  omr_error error = {0};
  char *text = double_quoted(GOAL_STUDY);
  cr_assert_eq(omr_study_parse(text, "s.json", NULL, 0, &study, &error), OMR_OK, "%s",
               error.message);
  free(text);
  omr_names_of_study(study, &names);
  omr_study_destroy(study);
}

static void end(void) {
  omr_names_free(&names);
}

TestSuite(goals, .init = start, .fini = end);

static omr_goal_expression *goal_of(const char *text, bool constraint) {
  omr_goal_expression *goal;
  omr_error error = {0};
  cr_assert_eq(omr_goal_parse(text, constraint, &names, &goal, &error), OMR_OK, "%s: %s", text,
               error.message);
  return goal;
}

static void expect_term(const char *text, omr_term_kind kind, double level, const char *unit,
                        bool only) {
  omr_goal_expression *goal = goal_of(text, false);
  cr_expect_eq(goal->term_count, 1u, "%s", text);
  cr_expect_eq(goal->term[0].kind, kind, "%s", text);
  cr_expect_float_eq(goal->term[0].level, level, 1e-15, "%s", text);
  cr_expect_str_eq(goal->number->unit, unit, "%s", text);
  cr_expect_eq(omr_goal_only(goal) != NULL, only, "%s", text);
  cr_expect_null(goal->condition);
  omr_goal_destroy(goal);
}

Test(goals, have_every_statistic) {
  expect_term("mean(max_slip)", OMR_TERM_MEAN, 0, "m s-1", true);
  expect_term("deviation( final_x )", OMR_TERM_DEVIATION, 0, "m", true);
  expect_term("quantile(max_slip, 95 %)", OMR_TERM_QUANTILE, 0.95, "m s-1", true);
  expect_term("quantile(max(max_slip, 2 m/s), 1 - 0.75)", OMR_TERM_QUANTILE, 0.25, "m s-1", true);
  expect_term("smallest (max_slip)", OMR_TERM_SMALLEST, 0, "m s-1", true);
  expect_term("largest(abs(final_x))", OMR_TERM_LARGEST, 0, "m", true);
  expect_term("probability(max_slip > 10 cm/s)", OMR_TERM_PROBABILITY, 0, "1", true);
  expect_term("probability(status == ok)", OMR_TERM_PROBABILITY, 0, "1", true);
  expect_term("2 * mean(max_slip)", OMR_TERM_MEAN, 0, "m s-1", false);
  expect_term("mean(max_slip * platform_mass)", OMR_TERM_MEAN, 0, "kg m s-1", true);
}

/* Terms are numbered as they are written; the number is an expression of them. */
Test(goals, put_statistics_together) {
  omr_goal_expression *goal =
      goal_of("(mean(final_x) - 2 * deviation(final_x)) / max(largest(final_x), 1 mm)", false);
  cr_assert_eq(goal->term_count, 3u);
  cr_expect_eq(goal->term[0].kind, OMR_TERM_MEAN);
  cr_expect_eq(goal->term[1].kind, OMR_TERM_DEVIATION);
  cr_expect_eq(goal->term[2].kind, OMR_TERM_LARGEST);
  const double terms[] = {5, 1.5, 4};
  cr_expect_float_eq(omr_goal_value(goal, terms), (5 - 2 * 1.5) / 4, 1e-15);
  cr_expect_str_eq(goal->number->unit, "1");
  omr_goal_destroy(goal);
}

static void expect_limit(const char *text, double value, double term, double limit, double margin,
                         bool above) {
  omr_goal_expression *goal = goal_of(text, true);
  cr_expect_float_eq(omr_goal_value(goal, &term), value, 1e-14, "%s", text);
  cr_expect_float_eq(goal->limit, limit, 1e-14, "%s", text);
  cr_expect_float_eq(omr_goal_margin(goal, &term), margin, 1e-14, "%s", text);
  cr_expect_eq(goal->above, above, "%s", text);
  omr_goal_destroy(goal);
}

/* Margins are positive where the constraint holds. */
Test(goals, constraints_have_a_limit_in_its_unit) {
  expect_limit("probability(max_slip > 10 cm/s) <= 5 %", 0.02, 0.02, 0.05, 0.03, false);
  expect_limit("probability(max_slip > 10 cm/s) < 5 %", 0.08, 0.08, 0.05, -0.03, false);
  expect_limit("mean(max_slip) >= 20 cm/s", 0.5, 0.5, 0.2, 0.3, true);
  expect_limit("2 * mean(final_x) > 1 m + 20 cm", 1, 0.5, 1.2, -0.2, true);
  expect_limit("mean(final_x) <= -0.5 m", -1, -1, -0.5, 0.5, false);
}

/* Where, as "at character", and what to write. */
static void expect_refused_goal(const char *text, bool constraint, const char *place,
                                const char *cause) {
  omr_goal_expression *goal;
  omr_error error = {0};
  cr_expect_eq(omr_goal_parse(text, constraint, &names, &goal, &error), OMR_ERR_STUDY,
               "accepted: %s", text);
  cr_expect_null(goal);
  cr_expect_not_null(strstr(error.message, place), "%s: \"%s\" is not in \"%s\"", text, place,
                     error.message);
  cr_expect_not_null(strstr(error.message, cause), "%s: \"%s\" is not in \"%s\"", text, cause,
                     error.message);
}

Test(goals, refusals_of_objectives_have_their_place) {
  static const char *const cases[][3] = {
      {"mean(max_slip", "at character 1", "the bracket of mean( does not close"},
      {"1 + mean((max_slip)", "at character 5", "the bracket of mean( does not close"},
      {"quantile(max_slip)", "at character 1", "write the part too, as in quantile("},
      {"quantile(max_slip, 95)", "at character 19", "between 0 and 1, such as 0.95 or 95 %"},
      {"quantile(max_slip, 0)", "at character 19", "between 0 and 1"},
      {"quantile(max_slip, 1)", "at character 19", "between 0 and 1"},
      {"quantile(max_slip, 0.5 m)", "at character 19", "between 0 and 1"},
      {"quantile(max_slip, 1 > 0)", "at character 19", "between 0 and 1"},
      {"quantile(max_slip, max_slip)", "at character 19", "unknown name \"max_slip\""},
      {"mean(max_slip > 1 m/s)", "at character 6", "the share of a condition is probability()"},
      {"probability(max_slip)", "at character 13",
       "probability is of a condition, as in probability("},
      {"mean(no_such)", "at character 6", "unknown name \"no_such\""},
      {"mean()", "at character 6", "is empty; for example"},
      {"mean(mean(max_slip))", "at character 6", "there is no function \"mean\""},
      {"mean(max_slip) + _0", "at character 18", "no name begins with _"},
      {"mean(max_slip) + foo", "\"mean(max_slip) + foo\", at character 18",
       "unknown name \"foo\"; there are numbers, and statistics such as mean("},
      {"max_slip", "\"max_slip\"", "has no statistic of the vehicles of a candidate; there is:"},
      {"3", "\"3\"", "probability(max_slip > 0.1 m/s)"},
      {"", "\"\"", "has no statistic"},
      {"mean(max_slip) + max_slip", "at character 18",
       "has a value in each vehicle; write a statistic of it"},
      {"mean(max_slip) + 2 m", "\"mean(max_slip) + 2 m\", at character 18",
       "\"m s-1\" and one in \"m\" do not go together"},
      {"mean(max_slip) + mean(final_x)", "\"mean(max_slip) + mean(final_x)\", at character 18",
       "\"m s-1\" and one in \"m\" do not go together"},
      {"mean(max_slip) < 1 m/s", "is a condition, and an objective a number",
       "conditions are \"constraints\""},
      {"mean(max_slip) +", "\"mean(max_slip) +\", at the end", "something is missing"},
      {"mean(max_slip) mean(max_slip)", "at character 16", "an operator is missing before this"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    expect_refused_goal(cases[i][0], false, cases[i][1], cases[i][2]);
}

Test(goals, refusals_of_constraints_have_their_place) {
  static const char *const cases[][3] = {
      {"mean(max_slip)", "at character 1", "a constraint compares, as in"},
      {"mean(max_slip) == 1 m/s", "at character 16", "a constraint compares, as in"},
      {"0 < mean(max_slip) < 1 m/s", "", "one comparison; write two for two"},
      {"mean(max_slip) < 1 m/s && mean(final_x) > 1 m", "", "one comparison; write two for two"},
      {"!(mean(max_slip) < 1 m/s)", "", "one comparison"},
      {"1 m/s > mean(max_slip)", "at character 9", "the limit is a number; write the statistic"},
      {"mean(max_slip) < 2*mean(max_slip)", "at character 20", "the limit is a number"},
      {"mean(max_slip) < 2 m", "\"mean(max_slip) < 2 m\", at character 18",
       "\"m s-1\" and one in \"m\" do not go together"},
      {"mean(max_slip) <", "\"mean(max_slip) <\", at the end", "something is missing"},
      {"mean(max_slip) < max_slip", "at character 18", "has a value in each vehicle"},
      {"probability(max_slip) < 5 %", "at character 13", "is of a condition"},
      {"< 5 %", "\"< 5 %\"", "has no statistic"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    expect_refused_goal(cases[i][0], true, cases[i][1], cases[i][2]);
}

Test(goals, have_at_most_16_statistics) {
  char text[400] = "mean(final_x)";
  for (int i = 1; i < OMR_GOAL_TERMS; i++) strcat(text, " + mean(final_x)");
  omr_goal_destroy(goal_of(text, false));
  strcat(text, " + mean(final_x)");
  expect_refused_goal(text, false, "at character 257", "has more than 16 statistics");
}

/* SECTIONS */

#define SECTIONS(text) V("", ",\n'design': {'type': 'candidates'},\n" text)
#define OBJECTIVE(text) SECTIONS("'objectives': {'good': " text "}")
#define CONSTRAINT(text) SECTIONS("'constraints': {'kept': " text "}")

Test(goals, of_a_study_are_in_the_order_written) {
  omr_study *study;
  omr_error error = {0};
  char *text = double_quoted(
      SECTIONS("'statistics': {'fail': {'off': 'max_deviation > 5 cm'}},\n"
               "'constraints': {'a': 'probability(off) <= 5 %'},\n'objectives': {'c': {'maximize': "
               "'mean(path_length)'}, 'b': {'minimize': 'probability(off || max_slip > 1 m/s)'}}"));
  cr_assert_eq(omr_study_parse(text, "s.json", NULL, 0, &study, &error), OMR_OK, "%s",
               error.message);
  const omr_goals *goals = &study->goals;
  cr_assert(goals->count == 3 && goals->objectives == 2);
  cr_expect(strcmp(goals->list[0].name, "c") == 0 && goals->list[0].maximize);
  cr_expect(strcmp(goals->list[1].name, "b") == 0 && !goals->list[1].maximize);
  cr_expect(strcmp(goals->list[2].name, "a") == 0 && goals->list[2].constraint);
  cr_expect_str_eq(goals->list[2].text, "probability(off) <= 5 %");
  omr_study_destroy(study);
  free(text);
}

Test(goals, sections_are_refused_with_place_and_remedy) {
  EXPECT_REFUSED(
      {SECTIONS("'objectives': 3"), {"s.json:5: objectives", "expected an object"}},
      {SECTIONS("'constraints': ['mean(final_x) < 1 m']"), {"s.json:5: constraints"}},
      {OBJECTIVE("'mean(final_x)'"),
       {"s.json:5: objectives.good: expected an object: {\"minimize\": \"mean("}},
      {OBJECTIVE("{}"), {"objectives.good: an objective has either \"minimize\" or \"maximize\""}},
      {OBJECTIVE("{'minimize': 'mean(final_x)', 'maximize': 'mean(final_x)'}"),
       {"objectives.good: an objective has either"}},
      {OBJECTIVE("{'minimise': 'mean(final_x)'}"),
       {"objectives.good.minimise", "did you mean \"minimize\"?"}},
      {OBJECTIVE("{'minimize': 3}"), {"objectives.good.minimize"}},
      {OBJECTIVE("{'minimize': 'mean(final_x) + 2 rad'}"),
       {"s.json:5: objectives.good.minimize: \"mean(final_x) + 2 rad\", at character 17"}},
      {CONSTRAINT("{'minimize': 'mean(final_x)'}"),
       {"constraints.kept: expected a comparison as text, \"probability(off_course) <= 5 %\""}},
      {CONSTRAINT("'mean(final_x)'"), {"s.json:5: constraints.kept", "a constraint compares"}},
      {CONSTRAINT("'probability(off) < 5 %'"), {"constraints.kept", "off"}},
      {SECTIONS("'objectives': {'same': {'minimize': 'mean(final_x)'}},\n'constraints': {'same': "
                "'mean(final_x) < 1 m'}"),
       {"s.json:6: constraints.same: \"same\" is an objective already; choose another name"}},
      {SECTIONS("'objectives': {'1st': {'minimize': 'mean(final_x)'}}"), {"objectives.1st"}});
}

Test(goals, of_a_study_are_at_most_64) {
  omr_text text = {0};
  omr_study *study;
  omr_text_print(&text, "{\"model\": \"omni_vehicle\", \"integrator\": {\"step\": 1e-4, "
                        "\"duration\": 1}, \"constraints\": {");
  for (int i = 0; i < 65; i++)
    omr_text_print(&text, "%s\"c%d\": \"mean(final_x) < %d m\"", i ? ", " : "", i, i);
  omr_text_print(&text, "}}");
  omr_error error = {0};
  cr_expect_eq(omr_study_parse(text.data, "s.json", NULL, 0, &study, &error), OMR_ERR_STUDY);
  cr_expect_not_null(strstr(error.message, "objectives and constraints are 65; at most 64"), "%s",
                     error.message);
  omr_text_free(&text);
}

/* CANDIDATES */

#define DESIGN(text)                                                                               \
  V("",                                                                                            \
    VARY("{'path': 'platform.mass', 'normal': [20, 2]}") ",\n'design': {'type': 'candidates', "    \
                                                         "'sample': 'sobol', 'per_cell': 4, " text \
                                                         "}")
#define VARIABLE(text) DESIGN("'variables': [" text "]")

Test(goals, variables_are_refused_with_place_and_remedy) {
  EXPECT_REFUSED(
      {DESIGN("'variables': []"), {"s.json:5: design.variables"}},
      {DESIGN("'variables': {}"), {"s.json:5: design.variables"}},
      {VARIABLE("'wheel.radius'"),
       {"design.variables[0]: expected an object: {\"path\": \"wheel.radius\", \"between\""}},
      {VARIABLE("{'between': [0, 1]}"), {"design.variables[0]", "path"}},
      {VARIABLE("{'path': 'wheel.radius'}"),
       {"design.variables[0]: a variable has one of \"between\": [low, high], \"integer\""}},
      {VARIABLE("{'path': 'wheel.friction', 'between': [0.1, 1], 'values': [1, 2]}"),
       {"design.variables[0]: a variable has one of"}},
      {VARIABLE("{'path': 'wheel.radias', 'between': [0, 1]}"),
       {"design.variables[0].path", "radius"}},
      {VARIABLE("{'path': 'wheel.friction', 'between': [0.5, 0.5]}"),
       {"design.variables[0].between: 0.5 is not below 0.5; write [low, high]"}},
      {VARIABLE("{'path': 'wheel.friction', 'between': [0.7, 0.5]}"), {"0.7 is not below 0.5"}},
      {VARIABLE("{'path': 'wheel.friction', 'between': [0.7]}"),
       {"design.variables[0].between: expected [low, high]"}},
      {VARIABLE("{'path': 'wheel.friction', 'between': [-1, 1]}"),
       {"design.variables[0].between[0]", "friction is -1"}},
      {VARIABLE("{'path': 'wheel.radius', 'between': ['1 s', '2 s']}"),
       {"design.variables[0].between[0]"}},
      {VARIABLE("{'path': 'wheel.rollers', 'between': [5, 9]}"),
       {"design.variables[0].between: wheel.rollers is a whole number; write \"integer\" for"}},
      {VARIABLE("{'path': 'wheel.rollers', 'integer': [5.5, 9]}"),
       {"design.variables[0].integer[0]"}},
      {VARIABLE("{'path': 'wheel.rollers', 'integer': [2, 9]}"),
       {"design.variables[0].integer[0]", "rollers is 2"}},
      {VARIABLE("{'path': 'wheel.friction', 'values': [0.3]}"), {"design.variables[0].values"}},
      {VARIABLE("{'path': 'wheel.friction', 'values': [0.3, -1]}"),
       {"design.variables[0].values[1]", "friction is -1"}},
      {VARIABLE("{'path': 'contact.law', 'between': [0, 1]}"),
       {"design.variables[0].between: \"contact.law\" takes a word; give \"values\""}},
      {VARIABLE("{'path': 'contact.law', 'values': ['regularized_coulomb', 3]}"),
       {"design.variables[0].values[1]: expected a word in quotes"}},
      {VARIABLE("{'path': 'wheel.friction', 'between': [0.1, 1]}, {'path': 'wheel.friction', "
                "'between': [0.2, 1]}"),
       {"design.variables[1]: \"wheel.friction\" is a variable already"}});
}

#define BARE(text) V("", ",\n'design': {'type': 'candidates', " text "}")

Test(goals, designs_of_candidates_are_refused_with_place_and_remedy) {
  EXPECT_REFUSED(
      {DESIGN("'paths': ['wheel.friction']"), {"s.json:5: design", "rows"}},
      {DESIGN("'rows': [[0.5]]"), {"s.json:5: design", "paths"}},
      {DESIGN("'paths': ['wheel.friction'], 'rows': [[0.5, 3]]"),
       {"design.rows[0]: expected a row of 1 values, one for each path"}},
      {DESIGN("'paths': ['wheel.friction'], 'rows': []"), {"design.rows"}},
      {DESIGN("'paths': ['platform.mass'], 'rows': [[20]]"), {"design.paths[0]"}},
      {DESIGN("'paths': ['contact.law'], 'rows': [['regularized_coulomb']]"),
       {"design.paths[0]: \"contact.law\" is a word, and one run has one of each; `omniroll "
        "evaluate`"}},
      {DESIGN("'file': 'none.csv'"), {"s.json:5: design.file", "none.csv"}},
      {DESIGN("'file': '.'"), {"design.file", "is a folder"}},
      {DESIGN("'file': 'a.csv', 'paths': ['wheel.friction'], 'rows': [[1]]"),
       {"design.file: \"rows\" are there already; leave one of them out"}},
      {DESIGN("'instances': 3"), {"design.instances", "\"per_cell\" instances"}},
      {DESIGN("'groups': 3"), {"design.groups", "type candidates"}},
      {DESIGN("'posterior': 'p.csv', 'points': {'paths': ['gravity'], 'rows': [[9], [9], [9], "
              "[9]]}"),
       {"design.points: \"posterior\" gives the points; leave one of them out"}},
      {DESIGN("'points': {'paths': ['gravity']}"),
       {"design.points: expected an object with \"paths\" and \"rows\""}},
      {DESIGN("'points': {'paths': ['gravity'], 'rows': [[9], [9]]}"),
       {"design.per_cell: is 4, and the design has 2 points of a posterior"}},
      {V("", VARY("{'path': 'platform.mass', 'normal': [20, 2]}") ",\n'design': {'type': "
                                                                  "'candidates', 'per_cell': 4}"),
       {"design", "\"sample\""}},
      {V("", VARY("{'path': 'platform.mass', 'values': [20, 22]}") ",\n'design': {'type': "
                                                                   "'candidates', 'sample': "
                                                                   "'sobol', 'per_cell': 4}"),
       {"s.json:4: vary[0]: \"platform.mass\" has levels; values of candidates stand in "
        "design.rows"}},
      {BARE("'sample': 'sobol', 'per_cell': 4"),
       {"design.sample: \"vary\" has nothing that is drawn; leave \"sample\" out"}},
      {BARE("'per_cell': 4"),
       {"design.per_cell: nothing is drawn, so that all vehicles of a candidate would be the "
        "same"}},
      {DESIGN("'scramble': 'none', 'common_random_numbers': false"),
       {"design.common_random_numbers: a sequence without scrambling is the same for every"}});
}
