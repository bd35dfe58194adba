/* omniroll new as a user meets it, and that what it writes can be run and read back. */
#include "program.h"

#include <cjson/cJSON.h>
#include <math.h>

TestSuite(new_command, .init = set_up, .fini = tear_down, .timeout = 120);

Test(new_command, writes_a_study_and_says_what_comes_next) {
  const outcome *o = OMNIROLL("new");
  expect(o, OMR_OK);
  expect_text(o->out, "written to single.json");
  expect_text(o->out, "omniroll validate single.json");
  expect_text(o->out, "omniroll run single.json");
  expect_text(o->out, "single.h5");
  expect(OMNIROLL("validate", "single.json"), OMR_OK);
  expect(OMNIROLL("new", "calibrate"), OMR_OK); /* a run comes before its result */
  expect_text(last.out, "omniroll excite calibrate.json");
  expect_text(last.out, "omniroll calibrate calibrate.json");
  expect(OMNIROLL("new", "sweep", "-q"), OMR_OK);
  cr_expect_str_empty(last.out);
  cr_expect(exists("sweep.json"));
}

Test(new_command, keeps_a_file_that_is_there) {
  write_file("single.json", "mine");
  char text[TEXT];
  const outcome *o = OMNIROLL("new");
  expect(o, OMR_ERR_USAGE);
  expect_text(o->err, "single.json is there already");
  expect_text(o->err, "--force");
  read_file("single.json", text);
  cr_expect_str_eq(text, "mine");
  expect(OMNIROLL("new", "--force"), OMR_OK);
  expect(OMNIROLL("validate", "single.json"), OMR_OK);
}

Test(new_command, takes_a_name_a_model_or_standard_output) {
  char text[TEXT];
  expect(OMNIROLL("new", "monte_carlo", "--model", "mecanum"), OMR_OK);
  expect_text(last.out, "monte_carlo_mecanum.json");
  cr_expect(exists("monte_carlo_mecanum.json"));
  cr_assert_eq(mkdir("studies", 0700), 0);
  expect(OMNIROLL("new", "testbench", "-o", "studies/bench.json"), OMR_OK);
  expect_text(last.out, "omniroll run studies/bench.json");
  expect(OMNIROLL("new", "rare", "-o", "-"), OMR_OK);
  cr_expect_eq(strncmp(last.out, "// Starter study \"rare\"", 23), 0, "%.100s", last.out);
  cr_expect_null(strstr(last.out, "written to"), "what comes next is no part of the study");
  snprintf(text, sizeof text, "%s", last.out);
  write_file("rare.json", text);
  expect(OMNIROLL("validate", "rare.json"), OMR_OK);
  expect(OMNIROLL("new", "-o", "nowhere/a.json"), OMR_ERR_IO);
  expect_text(last.err, "there is no folder nowhere");
}

Test(new_command, lists_what_there_is) {
  const outcome *o = OMNIROLL("new", "--list");
  static const char *const kinds[] = {"single", "sweep", "cases",     "monte_carlo", "sensitivity",
                                      "nested", "rare",  "testbench", "mecanum",     "calibrate"};
  expect(o, OMR_OK);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) expect_text(o->out, kinds[i]);
  expect_text(o->out, "rolling_disc");
  cJSON *list = cJSON_Parse(OMNIROLL("new", "--list", "--json")->out);
  const cJSON *kinds_there = cJSON_GetObjectItem(list, "kinds"), *kind, *model;
  o = OMNIROLL("new", "--list");
  cJSON_ArrayForEach(model, cJSON_GetObjectItem(list, "models")) {
    char apart[64];
    snprintf(apart, sizeof apart, "  %s ",
             cJSON_GetStringValue(cJSON_GetObjectItem(model, "name")));
    expect_text(o->out, apart);
  }
  cr_assert_gt(cJSON_GetArraySize(kinds_there), 8);
  o = OMNIROLL("new", "--help");
  cJSON_ArrayForEach(kind, kinds_there)
      expect_text(o->out, cJSON_GetStringValue(cJSON_GetObjectItem(kind, "name")));
  cJSON_Delete(list);
  expect(OMNIROLL("new", "montecarlo"), OMR_ERR_USAGE);
  expect_text(last.err, "did you mean \"monte_carlo\"");
}

/* The samples of a small model may have the names of a vehicle's wheel shapes (rolling_disc:
 * axis_x), which do not change over time; results with both were taken for damaged. */
Test(new_command, results_of_every_model_are_read_back) {
  for (size_t i = 0; omr_model_name(i); i++) {
    const char *model = omr_model_name(i);
    expect(OMNIROLL("new", "--model", model, "-o", "one.json", "-q", "--force"), OMR_OK);
    const bool own = strcmp(model, "multibody") == 0; /* on the reference alone */
    const outcome *o =
        OMNIROLL("run", "one.json", "--backend", own ? "reference" : "openmp", "--overwrite");
    expect(o, OMR_OK);
    expect_text(o->out, "instances 1: 1 ok, 0 failed");
    cr_expect_null(strstr(o->err, "warning"), "%s: %s", model, o->err);
    o = OMNIROLL("analyze", "one.h5");
    expect(o, OMR_OK);
    o = OMNIROLL("export", "one.h5", "--trajectories", "-o", "one.csv");
    expect(o, OMR_OK);
  }
  expect(OMNIROLL("new", "--model", "rolling_disc", "-o", "one.json", "-q", "--force"), OMR_OK);
  expect(OMNIROLL("run", "one.json", "-q", "--overwrite"), OMR_OK);
  const outcome *o = OMNIROLL("export", "one.h5", "--trajectories", "--columns", "axis_x");
  expect(o, OMR_OK);
  expect_text(o->out, "instance,time [s],axis_x\n0,0,");
}

/* The ball of the starter "system" rolls, so that a spring moves 7/5 of its mass: its farthest
 * place is that of a damped oscillator, v/w exp(-delta t) at w_d t = atan(w_d/delta). The parabola
 * through three steps of the reference is within 1e-9 m of it. */
Test(new_command, system_is_a_ball_whose_motion_is_known) {
  const double mass = 1.4, stiffness = 35, damping = 0.2, speed = 0.5;
  const double w = sqrt(stiffness / mass), delta = damping / (2 * mass),
               damped = sqrt(w * w - delta * delta), when = atan2(damped, delta) / damped;
  expect(OMNIROLL("new", "system", "-q", "--force"), OMR_OK);
  expect(OMNIROLL("validate", "system.json"), OMR_OK);
  expect_text(OMNIROLL("show", "system.json")->out, "spring_damper");
  expect(OMNIROLL("run", "system.json", "-q", "--overwrite"), OMR_OK);
  const char *line =
      strchr(OMNIROLL("export", "system.h5", "--columns", "farthest,least_load")->out, '\n');
  double farthest = 0, load = 0;
  cr_assert(line && sscanf(line, "%*d,%lf,%lf", &farthest, &load) == 2, "%s", last.out);
  cr_expect_float_eq(farthest, speed / w * exp(-delta * when), 1e-9);
  cr_expect_float_eq(load, 9.81, 1e-12);
}
