/* What a run prints without --verbose: a screen of 25 lines and 80 columns with the answer on it,
 * whatever the study asks; and nothing that is doubtful is lost on the way. */
#include "program.h"

enum { LINES = 25, COLUMNS = 80 };

static char root[256];

static void set_up_short(void) {
  cr_assert_not_null(getcwd(root, sizeof root));
  set_up();
}

TestSuite(short_form, .init = set_up_short, .fini = tear_down);

static size_t columns_of(const char *line, size_t length) {
  size_t columns = 0;
  for (size_t i = 0; i < length; i++) columns += ((unsigned char)line[i] & 0xc0U) != 0x80U;
  return columns;
}

/* A slow machine has lines of progress more: "... 0:43 left". They are no part of the screen. */
static size_t lines_of(const char *text) {
  size_t lines = 0;
  for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
    const size_t length = strcspn(text, "\n");
    cr_expect_leq(columns_of(text, length), COLUMNS, "%.*s", (int)length, text);
    lines += length < 5 || memcmp(text + length - 5, " left", 5) != 0;
  }
  return lines;
}

static void expect_screen(const outcome *o) {
  expect(o, OMR_OK);
  const size_t lines = lines_of(o->out) + lines_of(o->err);
  cr_expect_leq(lines, LINES, "%zu lines:\n%s%s", lines, o->err, o->out);
  expect_text(o->out, "result written to r.h5");
  expect_text(o->out, "omniroll report r.h5");
}

/* A study of the repository with up to nine changes. */
static const outcome *run_study(const char *study, const char *const *changes) {
  const char *arguments[MAX_ARGUMENTS] = {"run", NULL, "-o", "r.h5", "--overwrite"};
  char path[512];
  size_t count = 5;
  snprintf(path, sizeof path, "%s/%s", root, study);
  arguments[1] = path;
  for (size_t i = 0; changes[i]; i++) {
    const bool option = changes[i][0] == '-';
    if (!option) arguments[count++] = "--set";
    arguments[count++] = changes[i];
    cr_assert_lt(count, MAX_ARGUMENTS - 1);
  }
  return finish(start("/dev/null", arguments));
}
#define STUDY(name, ...) run_study(name, (const char *const[]){__VA_ARGS__, NULL})

#define SOON "integrator.duration=0.05"
#define ROBOT "studies/tutorials/my_robot.json"

Test(short_form, a_grid_shows_its_criterion_what_it_asks_and_the_best_design) {
  const outcome *o = STUDY("studies/first.json", SOON, "vary[0].linspace=[0.05,0.6,8]",
                           "vary[1].linspace=[0,0.7,8]", "output={}");
  expect_screen(o);
  expect_text(o->out, "Which roller inclination shakes a vehicle on three omni wheels least?\n");
  expect_text(o->out, "instances 64: 64 ok, 0 failed\n");
  expect_text(o->out, "varied    wheel_friction 0.05 to 0.6, wheel_inclination 0 to 0.7 rad\n");
  expect_text(o->out, "vibration_rms > 0.4 m/s2");
  expect_text(o->out, "\n  smallest odometry_error: ");
  cr_expect_null(strstr(o->out, "path_length"), "nobody asks for it");
  expect_text(o->out, "time ");
}

/* Each design is a row with its share and the interval of it. */
Test(short_form, a_nested_study_shows_its_designs_with_their_shares) {
  const outcome *o = STUDY("studies/roller_count.json", SOON, "design.per_cell=8", "output={}");
  expect_screen(o);
  expect_text(o->out, "instances 48: 48 ok, 0 failed\n");
  expect_text(o->out, "wheel_rollers");
  expect_text(o->out, "; 95 %");
  expect_text(o->out, "shakes: share with vibration_rms > 0.4 m/s2");
  static const char *const rollers[] = {"6", "8", "9", "10", "12", "15"};
  const char *table = strstr(o->out, "wheel_rollers");
  cr_assert_not_null(table);
  for (size_t i = 0; i < 6; i++) {
    char cell[32];
    snprintf(cell, sizeof cell, "\n%15s  ", rollers[i]);
    expect_text(table, cell);
  }
}

Test(short_form, of_many_designs_those_with_the_smallest_and_largest_shares_are_shown) {
  const outcome *o = STUDY("studies/roller_count.json", SOON, "design.per_cell=2", "output={}",
                           "vary[0].values=[6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23]");
  expect_screen(o);
  expect_text(o->out, " of 18 designs, smallest and largest shakes");
  expect_text(o->out, "\n              6 ");
}

Test(short_form, a_criterion_has_share_interval_and_the_range_of_what_it_names) {
  const outcome *o = STUDY(ROBOT, "integrator.duration=0.2", "design.instances=32");
  expect_screen(o);
  expect_text(o->out, "hits_shelf");
  expect_text(o->out, "0 of 32");
  expect_text(o->out, "max_cross_track > 2 cm");
  expect_text(o->out, "max_cross_track  m");
  cr_expect_null(strstr(o->out, "vibration_rms"), "no criterion names it");
}

/* A step that is far too long stands beside the numbers that it spoils; a good one is not worth a
 * column. */
Test(short_form, the_step_s_error_stands_beside_the_numbers_where_it_matters) {
  const outcome *o = STUDY("studies/testbench.json", "integrator.tolerance=0.3", "output={}");
  expect_screen(o);
  expect_text(o->out, "unit   step error\n");
  o = STUDY("studies/testbench.json", "integrator.tolerance=1e-4", SOON, "output={}");
  cr_expect_null(strstr(o->out, "step error"), "%s", o->out);
}

Test(short_form, a_last_row_has_the_step_s_error_of_designs) {
  const outcome *o = STUDY("studies/roller_count.json", "integrator.tolerance=0.3", "output={}");
  expect_screen(o);
  expect_text(o->out, "\n     step error ");
}

Test(short_form, a_run_that_stops_by_itself_says_why_and_what_it_found) {
  const outcome *o =
      STUDY(ROBOT, SOON, "design.instances=64",
            "statistics.stop={\"quantity\":\"fail.hits_shelf\",\"width\":0.5,\"at_least\":32}");
  expect_screen(o);
  expect_text(o->out, "ended by the interval's width after ");
  expect_text(o->out, "probability of ");
}

Test(short_form, a_subset_simulation_shows_the_probability) {
  const outcome *o =
      STUDY(ROBOT, SOON, "statistics.fail.hits_shelf=\"max_cross_track > 1 mm\"", "output={}",
            "design={\"type\":\"subset_simulation\",\"instances\":100,\"seed\":1}");
  expect_screen(o);
  expect_text(o->out, "probability of max_cross_track > 1 mm, by subset simulation:");
  expect_text(o->out, " levels");
}

Test(short_form, a_study_that_is_fitted_to_measured_runs_is_a_screen_as_well) {
  const outcome *o = STUDY("studies/calibrate.json", "design.instances=16");
  expect_screen(o);
  expect_text(o->out, "instances 16: 16 ok, 0 failed\n");
}

Test(short_form, sensitivity_indices_are_the_answer_of_their_design) {
  const outcome *o =
      STUDY(ROBOT, SOON, "vary[2]={\"path\":\"wheel.slip_speed\",\"uniform\":[0.01,0.02]}",
            "design={\"type\":\"saltelli\",\"groups\":16,\"seed\":1}", "output={}");
  expect_screen(o);
  expect_text(o->out,
              "Sobol' indices, first order (total). Totals overlap: their sum may exceed 1.");
}

Test(short_form, one_vehicle_shows_its_values) {
  const outcome *o = STUDY(ROBOT, "integrator.duration=0.2", "--nominal");
  expect_screen(o);
  expect_text(o->out, "the nominal vehicle of ");
  expect_text(o->out, "instances 1: 1 ok, 0 failed\n");
  expect_text(o->out, "observable");
  expect_text(o->out, "max_cross_track");
}

Test(short_form, a_small_model_shows_its_own_observables) {
  const outcome *o = STUDY("studies/rolling_disc.json", SOON);
  expect_screen(o);
  expect_text(o->out, "observable");
}

/* A yaw rate of 1e200 rad/s leaves no number in the first step. */
#define HALF_FAIL "vary=[{\"path\":\"initial.yaw_rate\",\"values\":[0,1e200]}]"

Test(short_form, failures_are_said_with_their_kind_and_share) {
  write_file("s.json", SHORT_STUDY);
  const outcome *o = OMNIROLL("run", "s.json", "-o", "r.h5", "--set", HALF_FAIL);
  expect_screen(o);
  expect_text(o->out, "instances 2: 1 ok, 1 failed (left out below)\n");
  expect_text(o->out, "1 diverged (50 %), earliest at 0 s");
}

Test(short_form, what_criteria_leave_out_is_said) {
  const outcome *o = OMNIROLL("run", "short.json", "-o", "r.h5", "--set", HALF_FAIL, "--set",
                              "statistics.fail=\"path_length > 1 m\"");
  expect_screen(o);
  expect_text(o->out, "fail: 1 failed left out");
}

/* A step that is much too long for the slip speed, and a vehicle that nobody means. */
#define DOUBTFUL                                                                                   \
  "run", "short.json", "-o", "r.h5", "--overwrite", "--set", "integrator.stability=warn", "--set", \
      "parameters.wheel.slip_speed=1e-4", "--set", "parameters.platform.center_of_mass.x=5",       \
      "--set", "parameters.layout.radius=0.05", "--set", "parameters.platform.mass=1e-3", "--set", \
      "parameters.platform.yaw_inertia=1e-9"

static size_t count_of(const char *text, const char *part) {
  size_t count = 0;
  for (const char *at = text; (at = strstr(at, part)); at += strlen(part)) count++;
  return count;
}

Test(short_form, three_warnings_are_shown_the_others_counted_and_none_is_lost) {
  const outcome *o = OMNIROLL(DOUBTFUL);
  expect_text(o->out, " more: omniroll analyze -v\n");
  cr_expect_eq(count_of(o->out, "\n  warning   "), 3, "%s", o->out);
  cr_expect_null(strstr(o->err, "warning:"), "%s", o->err);
  lines_of(o->out);
  const size_t more = strtoul(strstr(o->out, " more: omniroll") - 2, NULL, 10);
  o = OMNIROLL("analyze", "-v", "r.h5");
  cr_expect_eq(count_of(o->out, "\n  warning   "), 3 + more, "%s", o->out);
  o = OMNIROLL(DOUBTFUL, "--verbose");
  cr_expect_eq(count_of(o->out, "\n  warning   "), 3 + more, "%s", o->out);
  cr_expect_eq(count_of(o->err, "warning: "), 3 + more, "%s", o->err);
}

Test(short_form, warnings_that_wait_are_printed_where_no_summary_is) {
  const outcome *o = OMNIROLL("run", "short.json", "-o", "r.h5", "--set", HALF_FAIL, "--set",
                              "integrator.on_failure=abort", "--set", "integrator.stability=warn",
                              "--set", "parameters.wheel.slip_speed=1e-4");
  expect(o, OMR_ERR_FAILURES);
  expect_text(o->err, "warning: ");
  expect_text(o->err, "auto: chose backend ");
}

Test(short_form, verbose_has_the_log_and_every_table_and_quiet_excludes_it) {
  const outcome *o = OMNIROLL("run", "short.json", "-v", "-o", "r.h5");
  expect(o, OMR_OK);
  expect_text(o->err, "auto: chose backend ");
  expect_text(o->out, "\n  speed     ");
  expect_text(o->out, "\nintegrating ");
  expect_text(o->out, "result written to r.h5\n");
  expect(OMNIROLL("run", "short.json", "-v", "-q"), OMR_ERR_USAGE);
}

/* The screen of a result that is there is that of its run, but for where it is. */
Test(short_form, analyze_prints_the_screen_of_the_run) {
  const outcome *o = STUDY(ROBOT, SOON, "design.instances=32");
  char *run = strdup(o->out), *answer = strstr(run, "\n\n"), *end = strstr(run, "\nresult ");
  cr_assert(answer && end);
  *end = '\0';
  o = OMNIROLL("analyze", "r.h5");
  expect(o, OMR_OK);
  cr_expect_leq(lines_of(o->out), LINES);
  expect_text(o->out, answer);
  expect_text(o->out, "\nresult in r.h5\n");
  cr_expect_gt(lines_of(run), 8);
  free(run);
}

/* Of a design whose parameters take all the room the number stands, and what is asked beside it. */
Test(short_form, listed_loads_are_a_table_with_what_is_asked) {
  const outcome *o = STUDY("studies/load_cases.json", SOON);
  expect_screen(o);
  expect_text(o->out, "\n  instance  ");
  expect_text(o->out, "min_load in N; * best");
  cr_expect_null(strstr(o->out, "~"), "zeros but for rounding are no answer: %s", o->out);
}

/* Long texts of users: a title is shortened, a path never is. */
Test(short_form, a_long_title_is_cut_between_words_and_a_path_is_not) {
  char title[400] = "title=\"", path[200] = "a", set[420];
  for (int i = 0; i < 40; i++) strcat(title, "W\xc3\xb6rter ");
  strcat(title, "\"");
  snprintf(set, sizeof set, "%s", title);
  memset(path, 'a', 150);
  memcpy(path + 150, ".h5", 4);
  const outcome *o = OMNIROLL("run", "short.json", "--set", set, "-o", path);
  expect(o, OMR_OK);
  expect_text(o->out, " ...\n");
  expect_text(o->out, path);
  const size_t first = strcspn(o->out, "\n"), second = strcspn(o->out + first + 1, "\n");
  cr_expect_leq(columns_of(o->out, first), COLUMNS);
  cr_expect_leq(columns_of(o->out + first + 1, second), COLUMNS);
}
