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
