/* Parameters, observables and samples with names of the study's own (host/study/own_names.h). */
#include "../../host/study/expression/expression.h"
#include "../../host/study/own_names.h"
#include "../../host/study/system/graph.h"
#include "refusals.h"
#include "thrown.h"

#include <math.h>

#define STUDY(sections)                                                                            \
  "{\"model\": \"multibody\", " THROWN_INTEGRATOR ", " THROWN_PARAMETERS ", " THROWN_SYSTEM        \
  "" sections "}"

static omr_study *read_study(const char *text, const char *const *set, size_t count) {
  omr_study *study = NULL;
  omr_error error = {0};
  cr_assert_eq(omr_study_parse(text, "own.json", set, count, &study, &error), OMR_OK, "%s",
               error.message);
  return study;
}

/* 18 km/h = 5 m/s, 30 rpm = pi rad/s. */
Test(own_names, parameters_have_any_unit_and_are_kept_in_si) {
  omr_study *study = read_study(STUDY(""), NULL, 0);
  static const struct {
    const char *name, *unit, *meaning;
    double value;
  } expected[] = {{"v", "m s-1", "speed at the start", 5},
                  {"m", "kg", "", 0.5},
                  {"spin", "rad s-1", "", -3.14159265358979312},
                  {"factor", "1", "", 2}};
  cr_assert_eq(study->graph->parameters, 4);
  for (int i = 0; i < 4; i++) {
    const omr_parameter row = omr_study_parameter(study, false, OMR_VP_GRAPH_0 + i);
    cr_expect_str_eq(row.path, expected[i].name);
    cr_expect_str_eq(row.unit, expected[i].unit);
    cr_expect_str_eq(row.meaning, expected[i].meaning);
    cr_expect(omr_study_has_parameter(study, false, OMR_VP_GRAPH_0 + i));
    cr_expect_float_eq(study->base.vehicle[OMR_VP_GRAPH_0 + i], expected[i].value, 1e-15);
  }
  cr_expect_not(omr_study_has_parameter(study, false, OMR_VP_GRAPH_0 + 4), "a place left free");
  cr_expect_str_eq(omr_study_path(study, false, OMR_VP_GRAPH_0 + 4), "");
  cr_expect_not(omr_study_has_parameter(study, false, OMR_VP_INITIAL_YAW), "of other models");
  cr_expect_eq(study->engine.backend, OMR_BACKEND_REFERENCE, "what auto means here");
  omr_study_destroy(study);
}

/* A measure may have the name of another model's observable: here it is the study's. */
/* As the lists of other models write them, where they have the kind; else in base units. */
Test(own_names, units_are_written_as_in_other_models) {
  static const struct {
    const char *given, *unit;
    double value;
  } expected[] = {{"2 kN", "N", 2000},
                  {"3 N cm", "N m", 0.03},
                  {"90 deg/s2", "rad s-2", 1.5707963267948966},
                  {"5 kHz", "Hz", 5000},
                  {"4 N/mm", "kg s-2", 4000},
                  {"50 %", "1", 0.5},
                  {"1e3 kg cm2", "kg m2", 0.1},
                  {"2 m2/s3", "m2 s-3", 2},
                  {"-1.5e-1 m", "m", -0.15}};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    char set[64];
    snprintf(set, sizeof set, "parameters.factor=%s", expected[i].given);
    const char *const sets[] = {set};
    omr_study *study = read_study(STUDY(""), sets, 1);
    cr_expect_str_eq(study->graph->parameter[3].unit, expected[i].unit);
    cr_expect_float_eq(study->base.vehicle[OMR_VP_GRAPH_0 + 3], expected[i].value,
                       1e-15 * fabs(expected[i].value), "%s", expected[i].given);
    omr_study_destroy(study);
  }
}

/* What is calculated has a dimension, which is printed in base units: "s-1 rad", "kg m s-2". */
Test(own_names, units_of_measures_are_written_so_too) {
  omr_study *study = read_study(
      "{\"model\": \"multibody\", " THROWN_INTEGRATOR ", " THROWN_PARAMETERS ", \"system\": {"
      "\"bodies\": {" THROWN_STONE "}, \"measures\": {"
      "\"turns\": {\"take\": \"final\", \"of\": \"stone.wx * spin / spin\"},"
      "\"push\": {\"take\": \"final\", \"of\": \"m * stone.ay\"},"
      "\"energy_left\": {\"take\": \"final\", \"of\": \"kinetic\"}},"
      "\"samples\": {\"weight\": \"m * stone.ay\"}}}",
      NULL, 0);
  cr_expect_str_eq(omr_study_observable(study, OMR_OBS_GRAPH_0).unit, "rad s-1");
  cr_expect_str_eq(omr_study_observable(study, OMR_OBS_GRAPH_1).unit, "N");
  cr_expect_str_eq(omr_study_observable(study, OMR_OBS_GRAPH_2).unit, "J", "as its list says");
  cr_expect_str_eq(omr_study_small_sample(study, 0).unit, "N");
  omr_study_destroy(study);
}

Test(own_names, measures_are_the_observables_and_all_are_kept) {
  omr_study *study =
                read_study(STUDY(", \"output\": {\"observables\": [\"final_height\"]}"), NULL, 0),
            *all = read_study(STUDY(""), NULL, 0);
  cr_expect_str_eq(omr_study_observable_name(study, OMR_OBS_GRAPH_0), "final_height");
  cr_expect_eq(memcmp(&study->observables, &all->observables, sizeof study->observables), 0);
  cr_expect_eq(omr_observables_in(&all->observables), 1);
  cr_expect(omr_study_observes(all, OMR_OBS_GRAPH_0));
  cr_assert_geq(omr_study_small_samples(study), 1);
  cr_expect_str_eq(omr_study_small_sample(study, 0).name, "height");
  omr_study_destroy(study);
  omr_study_destroy(all);
}

Test(own_names, what_varies_is_named_alone_and_converted_into_the_parameters_unit) {
  const char *const set[] = {"parameters.v=2 m/s"};
  omr_study *study = read_study(
      STUDY(", \"vary\": [{\"path\": \"v\", \"values\": [\"36 km/h\", 3]},"
            "{\"path\": \"spin\", \"uniform\": [\"-60 rpm\", \"1 rad/s\"]}],"
            "\"design\": {\"type\": \"nested\", \"per_cell\": 3, \"sample\": \"sobol\"}"),
      set, 1);
  omr_values values;
  cr_assert_eq(study->variation_count, 2);
  cr_expect_str_eq(study->variations[0].column, "v");
  cr_expect_float_eq(study->variations[0].values[0], 10, 1e-15);
  cr_expect_eq(study->variations[0].values[1], 3);
  cr_expect(study->variations[0].written);
  cr_expect_float_eq(study->variations[1].a, -6.28318530717958623, 1e-15);
  cr_expect_eq(study->base.vehicle[OMR_VP_GRAPH_0], 2, "--set");
  omr_study_values(study, 5, &values, NULL);
  cr_expect_eq(values.vehicle[OMR_VP_GRAPH_0], 3);
  cr_expect_neq(values.vehicle[OMR_VP_GRAPH_0 + 2], study->base.vehicle[OMR_VP_GRAPH_0 + 2]);
  cr_expect_eq(values.vehicle[OMR_VP_GRAPH_0 + 3], 2, "not varied");
  omr_study_destroy(study);
}

Test(own_names, criteria_know_measures_and_varied_parameters) {
  omr_study *study = read_study(
      STUDY(", \"vary\": [{\"path\": \"v\", \"values\": [1, 2]}], \"statistics\": {\"fail\": "
            "{\"high\": \"final_height > 2 && v > 18 km/h\", \"both\": \"high || v < 0\"}}"),
      NULL, 0);
  const double values[] = {5.5, 3, 0}, below[] = {4.5, 3, 0};
  omr_names names;
  omr_expression *high;
  omr_error error = {0};
  cr_expect_eq(study->statistics.criterion_count, 2);
  omr_names_of_study(study, &names);
  cr_assert_eq(omr_expression_parse(study->statistics.criteria[0].text, &names, &high, &error),
               OMR_OK, "%s", error.message);
  cr_expect_eq(omr_expression_truth(high, values), 1);
  cr_expect_eq(omr_expression_truth(high, below), 0);
  omr_expression_destroy(high);
  omr_names_free(&names);
  omr_study_destroy(study);
}

#define OWN(parameters, sections)                                                                  \
  "{'model': 'multibody',\n" INTEGRATOR "'parameters': {" parameters "},\n"                        \
  "'system': {'bodies': {'stone': {'mass': 1, 'inertia': [1, 1, 1]}},\n"                           \
  "'measures': {'final_height': {'take': 'final', 'of': 'stone.y'}}}" sections "}"

Test(own_names, a_name_that_cannot_be_one_is_refused) {
  EXPECT_REFUSED(
      {OWN("'9v': 1", ""), {"s.json:3: parameters.9v", "\"9v\" is no name", "a letter first"}},
      {OWN("'rotor.mass': 1", ""), {"is no name: one has letters, digits and underscores"}},
      {OWN("'': 1", ""), {"is no name"}},
      {OWN("'sin': 1", ""), {"\"sin\" is a word of expressions", "such as \"sin_0\""}},
      {OWN("'t': 1", ""), {"\"t\" is a word of expressions"}},
      {OWN("'status': 1", ""), {"\"status\" is a word of expressions"}},
      {OWN("'retries': 1", ""), {"every result has a dataset \"retries\" of its own"}},
      {OWN("'time': 1", ""), {"every result has a dataset \"time\""}},
      {OWN("'v': 1, 'v': 2", ""), {"\"v\""}},
      {OWN("'final_height': 1", ""), {"\"final_height\" is already a parameter of this study"}});
}

Test(own_names, a_value_that_is_none_is_refused) {
  EXPECT_REFUSED(
      {OWN("'v': '3 metres per fortnigth'", ""), {"s.json:3: parameters.v", "fortnigth"}},
      {OWN("'v': 'fast'", ""), {"parameters.v", "a number is expected"}},
      {OWN("'v': '20 degC'", ""), {"parameters.v", "offset"}},
      {OWN("'v': [1, 2]", ""), {"parameters.v", "number and unit such as \"0.5 m\""}},
      {OWN("'v': {'meaning': 'speed'}", ""), {"parameters.v", "\"value\""}},
      {OWN("'v': {'value': 1, 'unit': 'm'}", ""), {"unknown key \"unit\""}},
      {OWN("'v': {'value': 1, 'meaning': 3}", ""), {"meaning", "text in quotes"}},
      {OWN("'v': '3 m/s'", VARY("{'path': 'v', 'values': ['3 m']}")),
       {"vary[0].values[0]", "a speed is expected"}},
      {OWN("'v': 3", VARY("{'path': 'v', 'values': ['3 m']}")), {"a pure number is expected"}});
}

Test(own_names, what_the_study_does_not_name_is_unknown) {
  EXPECT_REFUSED(
      {OWN("'speed': 3", VARY("{'path': 'sped', 'values': [3]}")),
       {"vary[0].path", "unknown parameter \"sped\"; did you mean \"speed\"?"}},
      {OWN("'speed': 3", VARY("{'path': 'rotor_mass', 'values': [3]}")),
       {"unknown parameter \"rotor_mass\"", "\"parameters\": {\"rotor_mass\": ...}"}},
      {OWN("'speed': 3", VARY("{'path': 'coupler.mass', 'values': [3]}")),
       {"is a parameter of snakeboard; the model of this study is multibody"}},
      {OWN("'speed': 3", VARY("{'path': '', 'values': [3]}")), {"unknown parameter \"\""}},
      {OWN("", ",\n'output': {'observables': ['final_hight']}"),
       {"did you mean \"final_height\"?"}},
      {OWN("", ",\n'output': {'observables': ['']}"), {"unknown word \"\""}},
      {OWN("", ",\n'output': {'observables': ['path_length']}"),
       {"\"path_length\" is an observable of other models"}},
      {OWN("'speed': 3", ",\n'statistics': {'fail': 'speed > 1'}"),
       {"is a parameter that the study does not vary"}},
      {OWN("", ",\n'statistics': {'fail': 'path_length > 1'}"), {"path_length"}});
}

Test(own_names, what_the_model_has_not_is_refused) {
  EXPECT_REFUSED(
      {OWN("", ",\n'frame': 'ros'"), {"s.json:6: frame", "no frame turns them", "\"y_up\""}},
      {OWN("", ",\n'engine': {'backend': 'openmp'}"),
       {"engine.backend", "multibody has no kernels for the backend \"openmp\"",
        "leave \"backend\" out"}},
      {OWN("", ",\n'engine': {'precision': 'single'}"), {"engine.precision", "double precision"}},
      {"{'model': 'multibody',\n" INTEGRATOR "'parameters': {}}", {"\"system\" is missing"}},
      {"{'model': 'uk_wheel',\n" INTEGRATOR "'system': {}}",
       {"s.json:3: system", "the model uk_wheel has no \"system\"", "\"model\": \"multibody\""}});
}

/* 64 are read, and one more is refused where it stands. */
Test(own_names, there_is_room_for_64) {
  for (int count = OMR_GRAPH_PARAMETERS; count <= OMR_GRAPH_PARAMETERS + 1; count++) {
    omr_text text = {0};
    omr_study *study = NULL;
    omr_error error = {0};
    omr_text_print(&text, "{\"model\": \"multibody\", " THROWN_INTEGRATOR
                          ", \"parameters\": {\"v\": 1, \"m\": 1");
    for (int i = 2; i < count; i++) omr_text_print(&text, ", \"p%d\": %d", i, i);
    omr_text_print(&text, "}, " THROWN_SYSTEM "}");
    const omr_status status = omr_study_parse(text.data, "own.json", NULL, 0, &study, &error);
    if (count == OMR_GRAPH_PARAMETERS) {
      cr_assert_eq(status, OMR_OK, "%s", error.message);
      cr_expect_eq(study->base.vehicle[OMR_VP_GRAPH_63], 63);
    } else {
      cr_expect_eq(status, OMR_ERR_STUDY);
      cr_expect_not_null(strstr(error.message, "parameters.p64: this is parameter number 65"), "%s",
                         error.message);
    }
    omr_study_destroy(study);
    omr_text_free(&text);
  }
}

/* What no study names is in no list: a place without a name has no model. */
Test(own_names, places_without_a_name_are_of_no_model) {
  for (int m = 0; m < OMR_MODELS; m++) {
    for (int i = OMR_VP_GRAPH_0; i <= OMR_VP_GRAPH_63; i++)
      cr_expect_not(omr_parameter_belongs(&omr_vehicle_parameters[i], (omr_model)m));
    for (int i = OMR_OBS_GRAPH_0; i <= OMR_OBS_GRAPH_63; i++)
      cr_expect_not(omr_observable_fits(i, (omr_model)m, -1));
  }
  _Static_assert(OMR_VP_GRAPH_63 - OMR_VP_GRAPH_0 + 1 == OMR_GRAPH_PARAMETERS, "slots.def");
  _Static_assert(OMR_OBS_GRAPH_63 - OMR_OBS_GRAPH_0 + 1 == OMR_GRAPH_MEASURES, "slots.def");
}
