/* tests/cli/mistakes.txt: what new users of many kinds do wrong; each is answered with its cause
 * and the next step, its place first where it is in a study, and the exit code of its kind.  What
 * needs more than a command line is in test_mistakes.c. */
#include "mistake_rows.h"

#define FAILS                                                                                      \
  "{\"model\": \"omni_vehicle\", \"parameters\": {\"wheel\": {\"drive\": {\"type\": \"constant\"," \
  " \"torque\": \"500 N m\"}}}, \"integrator\": {\"step\": \"1 ms\", \"duration\": \"1 s\","       \
  " \"stability\": \"ignore\"}, \"engine\": {\"backend\": \"openmp\"}}"

#define MAP_HEAD "x,z,height\n"

/* A log with zeros at its end, as a logger leaves it that lost its power, and one in UTF-16. */
static void write_zeros(void) {
  static const char cut[] = "t_s,w1\n0,1\n0.1,2\n0.2,1\n\0\0\0\0", wide[] = "t\0,\0w\0\n\0";
  FILE *file = fopen("zeros.csv", "w"), *other = fopen("wide.csv", "w");
  cr_assert(file && other);
  cr_assert_eq(fwrite(cut, 1, sizeof cut, file), sizeof cut);
  cr_assert_eq(fwrite(wide, 1, sizeof wide, other), sizeof wide);
  cr_assert(fclose(file) == 0 && fclose(other) == 0);
}

static void start_up(void) {
  read_rows();
  set_up();
  read_base();
  write_file("base.json", base_study);
  write_file("second.json", base_study);
  write_file("my study.json", base_study);
  write_file("fails.json", FAILS);
  cr_assert_eq(mkdir("folder", 0700), 0);
  write_file("log.csv", "t_s,w1,tau [N m],v\n0,1,0.1,0\n0.1,2,0.2,0.1\n0.2,1,0.1,0\n");
  write_file("day.csv", "t_s,w1\n41503.25,1\n41503.35,2\n41503.45,1\n");
  write_file("back.csv", "t_s,w1\n0,1\n0.1,2\n0.1,1\n");
  write_file("nan.csv", "t_s,w1\n0,1\n0.1,nan\n0.2,1\n");
  write_file("hole.csv", "t_s,w1\n0,1\n0.1,\n0.2,1\n");
  write_file("coarse.csv", "t_s,a [deg]\n0,10\n0.1,20\n0.2,160\n0.3,-50\n");
  write_file("jump.csv", "t_s,a [deg],state\n0,0,INIT\n0.1,350,GO\n0.2,350,\n");
  write_file("anew.csv", "t_s,a [turn]\n0,0\n0.1,0.5\n0.2,1\n0.3,-4\n0.4,-3.5\n");
  write_file("one.csv", "t_s,w1\n0,1\n");
  write_file("map.csv", MAP_HEAD "0,0,0\n1,0,1\n0,1,2\n1,1,3\n");
  write_file("ragged.csv", MAP_HEAD "0,0,0\n1,0,1\n0,1\n1,1,3\n");
  write_file("map_nan.csv", MAP_HEAD "0,0,0\n1,0,1\n0,1,nan\n1,1,3\n");
  write_file("uneven.csv", MAP_HEAD "0,0,0\n1,0,1\n0,1,2\n0.4,0,3\n1,1,3\n0.4,1,3\n");
  write_file("lacks.csv", MAP_HEAD "0,0,0\n1,0,1\n0,1,2\n2,0,2\n2,1,2\n");
  write_file("twice.csv", MAP_HEAD "0,0,0\n1,0,1\n0,1,2\n1,1,3\n1,1,3\n");
  write_file("line.csv", MAP_HEAD "0,0,0\n1,0,1\n2,0,2\n3,0,3\n");
  write_file("three.csv", MAP_HEAD "0,0,0\n1,0,1\n0,1,2\n");
  write_file("named.csv", "X,Y,H\n0,0,0\n1,0,1\n0,1,2\n1,1,3\n");
  write_file("semi.csv", "t_s;w1\n0;1\n1;1\n");
  write_file("same.csv", "t_s,w1,v,w1,v\n0,1,1,2,1\n1,1,1,2,1\n");
  write_file("few.csv", "gravity\n9\n10\n");
  cr_assert_eq(symlink("few.csv", "alias.csv"), 0);
  cr_assert_eq(link("few.csv", "other.csv"), 0);
  cr_assert_eq(mkfifo("pipe", 0600), 0);
  write_zeros();
}

TestSuite(mistake_list, .init = start_up, .fini = tear_down, .timeout = 240);

Test(mistake_list, units_and_numbers) {
  cr_expect_geq(check_section("Units and numbers"), 30);
}

Test(mistake_list, text_that_is_no_json) {
  cr_expect_geq(check_section("Text that is no JSON"), 30);
}

Test(mistake_list, names) {
  cr_expect_geq(check_section("Names"), 30);
}

Test(mistake_list, measured_inputs) {
  cr_expect_geq(check_section("Measured inputs"), 30);
}

Test(mistake_list, measured_runs) {
  cr_expect_geq(check_section("Measured runs"), 36);
}

Test(mistake_list, designs_and_times) {
  cr_expect_geq(check_section("Designs and times"), 28);
}

Test(mistake_list, names_of_the_studys_own) {
  cr_expect_geq(check_section("Names of the study's own"), 17);
}

Test(mistake_list, of_candidates) {
  cr_expect_geq(check_section("Candidates"), 13);
}

Test(mistake_list, variants) {
  cr_expect_geq(check_section("Variants"), 15);
}

Test(mistake_list, compliant_contact) {
  cr_expect_geq(check_section("Compliant contact"), 38);
}

Test(mistake_list, commands) {
  expect(OMNIROLL("run", "base.json", "-q", "-o", "base.h5"), OMR_OK);
  cr_expect_geq(check_section("Commands"), 40);
}

/* Failures are data where others reach the end, where the study says so, and where a criterion asks
 * for the status. */
Test(mistake_list, a_run_without_an_instance_that_reached_the_end_is_a_failure_unless_wanted) {
  expect(OMNIROLL("run", "fails.json", "-q", "-o", "a.h5"), OMR_ERR_FAILURES);
  expect_text(last.err, "the only instance failed");
  cr_expect(exists("a.h5"), "the result is there all the same");
  expect(OMNIROLL("run", "fails.json", "-q", "-o", "b.h5", "--set", "statistics.failed_limit=1"),
         OMR_OK);
  expect(OMNIROLL("run", "fails.json", "-q", "-o", "c.h5", "--set", "statistics.fail=status != ok"),
         OMR_OK);
  expect(OMNIROLL("run", "fails.json", "-q", "--hash"), OMR_ERR_FAILURES);
}

/* At most 200 characters of an input stand in a message. */
Test(mistake_list, long_inputs) {
  static const char *const paths[] = {"model",
                                      "vary[0].path",
                                      "design.type",
                                      "design={\"type\": \"table\", \"file\": \"%s\"}",
                                      "output.observables[0]",
                                      "statistics.fail.short",
                                      "parameters.wheel.drive.type",
                                      "parameters.%s=1"};
  char word[1201], set[1400];
  memset(word, 'x', sizeof word);
  word[1200] = '\0';
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
    const char *mark = strstr(paths[i], "%s");
    snprintf(set, sizeof set, "%.*s%s%s%s", mark ? (int)(mark - paths[i]) : 100, paths[i],
             mark ? "" : "=", word, mark ? mark + 2 : "");
    const outcome *o = OMNIROLL("validate", "base.json", "--set", set);
    size_t longest = 0;
    for (const char *at = o->err; (at = strchr(at, 'x')); at += strspn(at, "x"))
      if (strspn(at, "x") > longest) longest = strspn(at, "x");
    cr_expect_eq(o->code, OMR_ERR_STUDY, "%s: %d", paths[i], o->code);
    cr_expect_leq(longest, 200, "%s: %zu: %s", paths[i], longest, o->err);
  }
}
