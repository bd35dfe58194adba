/* Names of wheels stand for their numbers wherever a study names a wheel; a name that is none, or
 * that means something else, is refused. */
#include "refusals.h"

#include <math.h>

#define WHEELS                                                                                     \
  "'wheel': {'drive': {'type': 'constant', 'torque': 0.1}}, 'wheels': [{}, {'name': 'left', "      \
  "'friction': 0.4}, {'name': 'left_rear'}]"
#define SECTIONS(left, column, rear)                                                               \
  ",\n'title': 'left_torque_peak of left.radius', 'vary': [{'path': '" left                        \
  "friction', 'values': [0.3, 0.4]}, {'path': '" rear                                              \
  "drive.torque', 'values': [0.1, 0.2]}], 'design': {'type': 'grid'}, 'output': {'observables': "  \
  "['" column "torque_peak', 'max_slip']}, 'statistics': {'fail': {'left_over': '" column          \
  "torque_peak > 0.15 N m || " left "friction > 0.35'}}"

static omr_study *read(const char *text, const char *set) {
  omr_study *study;
  omr_error error = {0};
  char *json = double_quoted(text);
  const omr_status status = omr_study_parse(json, "s.json", &set, set != NULL, &study, &error);
  cr_assert_eq(status, OMR_OK, "%s", error.message);
  free(json);
  return study;
}

static const char *after(const omr_study *study, const char *key) {
  const char *at = strstr(study->text, key);
  cr_assert_not_null(at, "%s", study->text);
  return at;
}

/* The rest of the text is that of the study with numbers. */
Test(wheel_names, stand_for_the_numbers) {
  omr_study *plain = read(V(WHEELS, SECTIONS("wheels[1].", "wheel1_", "wheels[2].")), NULL);
  static const char *const named[] = {V(WHEELS, SECTIONS("wheels[left].", "left_", "left_rear.")),
                                      V(WHEELS, SECTIONS("left.", "left_", "wheels[left_rear]."))};
  for (int i = 0; i < 2; i++) {
    omr_study *study = read(named[i], NULL);
    cr_expect_str_eq(study->text, plain->text);
    cr_expect_str_eq(study->variations[1].path, plain->variations[1].path);
    cr_expect_str_eq(study->wheel_name[1], "left");
    cr_expect_str_eq(study->title, "left_torque_peak of left.radius");
    omr_study_destroy(study);
  }
  cr_expect_not_null(strstr(after(plain, "\"fail\""), "\"left_over\": \"wheel1_torque_peak"));
  omr_study_destroy(plain);
}

Test(wheel_names, are_paths_of_set_too) {
  omr_study *study = read(V(WHEELS, ""), "parameters.wheels[left_rear].radius=0.07");
  cr_expect_eq(study->base.wheel[2][OMR_WP_RADIUS], 0.07);
  cr_expect_eq(study->base.wheel[1][OMR_WP_RADIUS], 0.1);
  omr_study_destroy(study);
}

/* Words of other meanings stay, however like a name they are. */
Test(wheel_names, leave_other_words_alone) {
  omr_study *study = read(V("'wheels': [{'name': 'layot'}, {'name': 'weel'}, {'name': 'mix'}]",
                            ",\n'vary': [{'path': 'layout.radius', 'values': [0.3, 0.4]}, {'path': "
                            "'wheel.radius', 'values': [0.1, 0.11]}], 'design': {'type': 'grid'}, "
                            "'output': {'observables': ['max_slip', 'min_load']}"),
                          NULL);
  cr_expect_eq(study->instances, 4);
  omr_study_destroy(study);
}

/* A measured sample of a wheel, by its name. */
Test(wheel_names, name_measured_wheels) {
  omr_study *study = read(V(WHEELS, ",\n'data': {'measured': [{'sample': 'wheel_rate', 'wheel': "
                                    "'left', 'noise': 0.1}]}"),
                          NULL);
  cr_expect_not_null(strstr(after(study, "\"measured\""), "\"wheel\": 1"));
  omr_study_destroy(study);
}

Test(wheel_names, are_those_of_the_odometry) {
  omr_study *study = read(V(WHEELS ", 'odometry': {'wheels': ['left', 0, 'left_rear']}", ""), NULL),
            *numbers = read(V(WHEELS ", 'odometry': {'wheels': [1, 0, 2]}", ""), NULL);
  cr_expect_str_eq(study->text, numbers->text);
  omr_study_destroy(numbers);
  omr_study_destroy(study);
}

#define NAMED(name) V("'wheels': [{'name': 'left'}, {'name': " name "}, {}]", "")
Test(wheel_names, have_to_be_names_of_their_own) {
  EXPECT_REFUSED(
      {NAMED("'left'"), {"s.json:3: parameters.wheels[1].name", "wheel 0 is called \"left\""}},
      {NAMED("'front left'"), {"expected a name of letters, digits and \"_\""}},
      {NAMED("'2nd'"), {"begins with a letter"}}, {NAMED("5"), {"such as \"front_left\""}},
      {NAMED("'wheel0'"), {"\"wheel0\" means something else"}},
      {NAMED("'wheels'"), {"means something else"}},
      {NAMED("'platform'"), {"\"platform\" means something else"}},
      {V("'wheel': {'name': 'all'}", ""), {"a name is of one wheel"}},
      {V(WHEELS, VARY("{'path': 'wheels[rihgt].friction', 'values': [1, 2]}")),
       {"s.json:4: vary[0].path", "no wheel is called \"rihgt\"; the names are left, left_rear"}},
      {V(WHEELS, VARY("{'path': 'lefd.friction', 'values': [1, 2]}")),
       {"no wheel is called \"lefd\"; the names are left, left_rear"}},
      {V(WHEELS, ",\n'output': {'observables': ['left_raer_torque_peak']}"),
       {"no wheel is called \"left_raer\"; the names are left, left_rear"}},
      {V(WHEELS ", 'odometry': {'wheels': [0, 1, 'rear']}", ""),
       {"s.json:3: parameters.odometry.wheels[2]", "the names are left, left_rear"}},
      {V("", VARY("{'path': 'wheels[left].friction', 'values': [1, 2]}")),
       {"no wheel is called \"left\"; give it a \"name\" in \"wheels\""}});
}
