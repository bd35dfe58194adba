/* What the parameters of all wheels are to a wheel of another kind. */
#include "refusals.h"

#include "../../host/model/doubts.h"

#define FOUR(first, last)                                                                          \
  "'layout': {'type': 'explicit'}, 'wheels': [{'x': 0.2, 'z': -0.2" first                          \
  "}, {'x': 0.2, 'z': 0.2" first "}, {'x': -0.2, 'z': -0.2" last "}, {'x': -0.2, 'z': 0.2" last    \
  "}]"

/* Rows and numbers of rollers count where rollers are. */
Test(kind_reading, rows_are_those_of_wheels_with_rollers) {
  static const char *const kinds[] = {", 'kind': 'plain'", ""};
  for (int i = 0; i < 2; i++) {
    omr_study *study = NULL;
    omr_error error = {0};
    char text[1000], *json;
    snprintf(text, sizeof text,
             V("'wheel': {'rollers': 9, 'row_distance': 0.03}, 'layout': {'type': 'explicit'}, "
               "'wheels': [{'x': 0.2, 'z': -0.2%s}, {'x': -0.2, 'z': -0.2, 'rollers': 10}, {'x': "
               "-0.2, 'z': 0.2, 'rollers': 10}]",
               ""),
             kinds[i]);
    json = double_quoted(text);
    const omr_status status = omr_study_parse(json, "s.json", NULL, 0, &study, &error);
    cr_expect_eq(status == OMR_OK, i == 0, "%s", error.message);
    if (i) cr_expect_not_null(strstr(error.message, "wheel 0 has two rows"), "%s", error.message);
    omr_study_destroy(study);
    free(json);
  }
}

Test(kind_reading, odometry_reads_no_wheel_that_swivels) {
  EXPECT_REFUSED({V(FOUR("", ", 'kind': 'caster'") ", 'odometry': {'wheels': [0, 1, 2]}", ""),
                  {"s.json:3: parameters.odometry.wheels[2]", "wheel 2 is caster", "leave it out"}},
                 {V(FOUR(", 'kind': 'swerve'", "") ", 'odometry': {'wheels': [0], 'gyro': {}}", ""),
                  {"wheel 0 is swerve"}});
}

/* What turns needs an inertia; wheels of a prescribed rate take none. */
Test(kind_reading, wheels_and_forks_have_inertia) {
  static const struct {
    const char *text, *why;
  } cases[] = {
      {V("'wheel': {'kind': 'plain', 'disc': {'axial_inertia': 0}}, " FOUR("", ""), ""),
       "wheels[0]: the wheel has no inertia about its axle; give a larger disc.axial_inertia"},
      {V("'wheel': {'kind': 'plain', 'disc': {'axial_inertia': 0}, 'drive': {'type': "
         "'rate'}}, " FOUR("", ""),
         ""),
       NULL},
      {V("'wheel': {'disc': {'mass': 0, 'diametral_inertia': 0}}, " FOUR(
             ", 'kind': 'swerve', 'swivel': {'inertia': 0}", ""),
         ""),
       "wheels[0]: fork and wheel have no inertia about the swivel axis; give a larger "
       "swivel.inertia"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *json = double_quoted(cases[i].text), reason[400] = "";
    omr_study *study;
    omr_error error = {0};
    omr_scene scene;
    cr_assert_eq(omr_study_parse(json, "s.json", NULL, 0, &study, &error), OMR_OK, "%s",
                 error.message);
    cr_expect_eq(omr_scene_make(study, OMR_NONE, &scene, reason, sizeof reason), !cases[i].why);
    cr_expect_str_eq(reason, cases[i].why ? cases[i].why : "");
    omr_study_destroy(study);
    free(json);
  }
}

/* The nominal vehicle of a text, its doubts. */
static omr_doubts doubts_of(const char *text) {
  char *json = double_quoted(text), reason[400] = "";
  omr_study *study;
  omr_error error = {0};
  omr_scene scene;
  omr_doubts doubts;
  cr_assert_eq(omr_study_parse(json, "s.json", NULL, 0, &study, &error), OMR_OK, "%s",
               error.message);
  cr_assert(omr_scene_make(study, OMR_NONE, &scene, reason, sizeof reason), "%s", reason);
  omr_doubts_find(&scene, &doubts);
  omr_study_destroy(study);
  free(json);
  return doubts;
}

static const char *doubt_of(const omr_doubts *doubts, omr_doubt_kind kind) {
  for (int i = 0; i < doubts->count; i++)
    if (doubts->list[i].kind == kind) return doubts->list[i].text;
  return NULL;
}

/* 10 kg of platform, 3 wheels and a fork of 1 kg each, and a tracking wheel between the front
 * wheels, off which it takes a half of its preload each. */
#define TRACKED(preload, swivel)                                                                   \
  "'platform': {'mass': 10, 'yaw_inertia': 0.3}, 'wheel': {'kind': 'plain', 'disc': {'mass': 1}, " \
  "'radius': 0.05}, 'overlap': 'allow', 'layout': {'type': 'explicit'}, 'wheels': [{'x': 0.1, "    \
  "'z': -0.2}, {'x': 0.1, 'z': 0.2}, {'x': -0.2, 'z': 0, 'kind': 'caster', 'swivel': {" swivel     \
  "}}, {'x': 0.1, 'z': 0, 'kind': 'tracking', 'disc': {'mass': 1e-6}, 'roller': {'density': "      \
  "1e-3}, 'tracking': {'preload': " preload "}}]"

Test(kind_reading, preloads_above_the_loads_are_doubted) {
  /* Moments about the caster's contact, 3 cm behind its axis: the front wheels are 33 cm ahead. */
  const double g = 9.81, mass = 14, middle = (2 * 0.1 - 2 * 0.2) / mass,
               front = mass * g * (middle + 0.23) / 0.33;
  char text[1200], expected[160];
  omr_doubts doubts = doubts_of(V(TRACKED("200", "'mass': 1"), ""));
  const char *told = doubt_of(&doubts, OMR_DOUBT_BALANCE);
  snprintf(expected, sizeof expected,
           "take 100 N off wheel 0, which carries %.4g N without them: at rest it lifts off; give "
           "them less than %.3g of their tracking.preload",
           front / 2, floor(1000 * front / 200) / 1000);
  cr_assert_not_null(told);
  cr_expect_not_null(strstr(told, expected), "%s, not %s", told, expected);

  /* The remedy. */
  for (int k = 0; k < 2; k++) {
    snprintf(text, sizeof text, V(TRACKED("%g", "'mass': 1"), ""), front * (k ? 1.01 : 0.999));
    doubts = doubts_of(text);
    cr_expect_eq(doubt_of(&doubts, OMR_DOUBT_BALANCE) != NULL, k == 1);
  }
}

Test(kind_reading, forks_that_balance_from_afar_are_doubted) {
  omr_doubts doubts = doubts_of(V(TRACKED("5", "'mass': 0.01, 'trail': 0.03"), ""));
  const char *told = doubt_of(&doubts, OMR_DOUBT_INERTIA);
  cr_assert_not_null(told);
  /* 0.03 kg m out by 0.01 kg: 3 m; 0.01 3^2 + 1 0.03^2 and what the parts have. */
  cr_expect_not_null(strstr(told, "it stands 3 m ahead of it, farther than the 8 cm"), "%s", told);
  cr_expect_not_null(strstr(told, "give a swivel.mass of 0.375 kg or more"), "%s", told);
  doubts = doubts_of(V(TRACKED("5", "'mass': 0.375, 'trail': 0.03"), ""));
  cr_expect_null(doubt_of(&doubts, OMR_DOUBT_INERTIA));
  doubts = doubts_of(V(TRACKED("5", "'mass': 0.374, 'trail': 0.03"), ""));
  cr_expect_not_null(doubt_of(&doubts, OMR_DOUBT_INERTIA));
}

Test(kind_reading, parameters_of_tyres_need_their_law) {
  EXPECT_REFUSED(
      {V("'wheel': {'kind': 'plain', 'tyre': {'lateral_stiffness': 20}}, " FOUR("", ""), ""),
       {"parameters.wheel.tyre.lateral_stiffness: \"tyre.lateral_stiffness\" belongs to a law of "
        "tyres, and none is chosen",
        "give \"contact\": {\"tyre_law\": \"brush\"}"}},
      {V("'contact': {'tyre_law': 'brush'}, 'wheel': {'kind': 'plain', 'tyre': {'shape': "
         "1.4}}, " FOUR("", ""),
         ""),
       {"\"tyre.shape\" belongs to the tyre law magic_formula; here it is brush",
        "{\"tyre_law\": \"magic_formula\"}"}},
      {V("'wheel': {'swivel': {'trail': 0.02}}, " FOUR("", ""), ""),
       {"wheel 0 is roller. Name wheels of that kind, or give this one \"kind\": \"caster\""}});
  doubts_of(V("'contact': {'tyre_law': 'brush'}, 'wheel': {'kind': 'plain', 'tyre': "
              "{'lateral_stiffness': 20}}, " FOUR("", ""),
              ""));
  doubts_of(V("'contact': {'tyre_law': 'magic_formula'}, 'wheel': {'kind': 'plain', 'tyre': "
              "{'shape': 1.4}}, " FOUR("", ""),
              ""));
}

/* "each" draws for the wheels whose kind has the parameter. */
Test(kind_reading, each_draws_for_wheels_that_have_the_parameter) {
  static const char *const paths[] = {"swivel.trail", "initial.steer", "steer.stiffness"};
  static const unsigned wheels[] = {1 << 3, 1 << 2 | 1 << 3, 1 << 2};
  for (size_t k = 0; k < 3; k++) {
    char text[1200], *json;
    omr_study *study;
    omr_error error = {0};
    unsigned drawn = 0;
    snprintf(text, sizeof text,
             V("'layout': {'type': 'explicit'}, 'wheels': [{'x': 0.2, 'z': -0.2}, {'x': 0.2, 'z': "
               "0.2}, {'x': -0.2, 'z': -0.2, 'kind': 'swerve'}, {'x': -0.2, 'z': 0.2, 'kind': "
               "'caster'}]",
               VARY("{'path': 'wheel.%s', 'uniform': [0.02, 0.03], 'each': true}") RANDOM),
             paths[k]);
    json = double_quoted(text);
    cr_assert_eq(omr_study_parse(json, "s.json", NULL, 0, &study, &error), OMR_OK, "%s",
                 error.message);
    for (size_t v = 0; v < study->variation_count; v++) drawn |= 1u << study->variations[v].wheel;
    cr_expect_eq(drawn, wheels[k], "%s: %x", paths[k], drawn);
    omr_study_destroy(study);
    free(json);
  }
}

Test(kind_reading, tracking_wheels_carry_no_platform) {
  char *json = double_quoted(V("'overlap': 'allow', 'layout': {'type': 'explicit'}, 'wheels': "
                               "[{'x': 0, 'z': -0.2, 'kind': 'plain'}, {'x': 0, 'z': 0.2, 'kind': "
                               "'plain'}, {'x': 0.2, 'z': 0, 'kind': 'tracking'}]",
                               "")),
       reason[400] = "";
  omr_study *study;
  omr_error error = {0};
  omr_scene scene;
  cr_assert_eq(omr_study_parse(json, "s.json", NULL, 0, &study, &error), OMR_OK, "%s",
               error.message);
  cr_expect(!omr_scene_make(study, OMR_NONE, &scene, reason, sizeof reason));
  cr_expect_not_null(strstr(reason, "parameters.wheels: the contacts of the wheels that carry"),
                     "%s", reason);
  cr_expect_not_null(strstr(reason, "(tracking wheels carry their preload alone)"), "%s", reason);
  omr_study_destroy(study);
  free(json);
}
