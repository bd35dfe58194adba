/* What the parameters of all wheels are to a wheel of another kind. */
#include "refusals.h"

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
