/* Objects that are compiled for a run: the bits of the general ones, and what is done about one
 * that has others. */
#include "tests/parity/parity.h"

#include <stdlib.h>
#include <sys/stat.h>

static omr_result *run_by(const char *path, const char *extra, const char *precision,
                          const char *compile, bool may_differ) {
  char mode[64], wanted[64];
  snprintf(mode, sizeof mode, "engine.compile=%s", compile);
  snprintf(wanted, sizeof wanted, "engine.precision=%s", precision);
  const char *overrides[] = {"engine.backend=openmp",
                             "engine.threads=2",
                             "engine.launch_seconds=0.01",
                             wanted,
                             mode,
                             extra};
  omr_study *study;
  omr_result *result = NULL;
  omr_error error = {.message = ""};
  cr_assert_eq(omr_study_load(path, overrides, extra ? 6 : 5, &study, &error), OMR_OK, "%s",
               error.message);
  cr_assert_eq(omr_run(study, NULL, &result, &error), OMR_OK, "%s: %s", path, error.message);
  omr_study_destroy(study);
  const bool compiled = strstr(result->record.kernels, "compiled") != NULL;
  if (!may_differ)
    cr_expect_eq(compiled, strcmp(compile, "always") == 0, "%s: %s", path, result->record.kernels);
  return result;
}

/* Whole columns, statuses and trajectories; destroys both. */
static void expect_same_bits(const char *name, omr_result *general, omr_result *own) {
  cr_expect_eq(compare_results(name, general, own), 0);
  omr_result_destroy(general);
  omr_result_destroy(own);
}

/* A cache of the test's own. */
static char folder[64];
static void setup(void) {
  strcpy(folder, "/tmp/omniroll-test-XXXXXX");
  cr_assert_not_null(mkdtemp(folder));
  setenv("XDG_CACHE_HOME", folder, 1);
  unsetenv("OMNIROLL_CACHE");
}
static void teardown(void) {
  char command[128];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  cr_expect_eq(system(command), 0);
}

TestSuite(compiled, .init = setup, .fini = teardown);

static const char *const studies[][2] = {
    {"tests/parity/parity.json", NULL},
    {"tests/parity/laws.json", "integrator={\"tolerance\": 1e-3, \"duration\": 1}"},
    {"tests/parity/compliant.json", NULL},
    {"tests/parity/parity.json", "integrator.method=rosenbrock"},
    {"tests/parity/laws.json", NULL},
    {"tests/parity/parity.json", "integrator={\"tolerance\": 1e-3, \"duration\": 1}"},
    {"tests/parity/bearing.json", NULL},
    {"tests/parity/four_wheels.json", NULL},
    {"tests/parity/edges.json", NULL},
};

/* In both precisions; the short form has one study of
 * friction in single precision, one of constraints with controlled steps, and one on springs. */
Test(compiled, objects_have_the_bits_of_general_ones) {
  const size_t all = sizeof studies / sizeof *studies, count = short_form() ? 3 : all;
  for (size_t i = 0; i < count; i++) {
    for (int single = 0; single < 2; single++) {
      const char *precision = single ? "single" : "double";
      if (short_form() && single != (i == 0)) continue;
      expect_same_bits(studies[i][0],
                       run_by(studies[i][0], studies[i][1], precision, "never", false),
                       run_by(studies[i][0], studies[i][1], precision, "always", false));
    }
  }
}

/* Users have either compiler. */
Test(compiled, clang_gives_the_bits_of_general_objects) {
  if (system("clang --version > /dev/null 2>&1") != 0) cr_skip_test("clang is not here");
  setenv("OMNIROLL_CC", "clang", 1);
  omr_result *general = run_by(studies[0][0], NULL, "double", "never", false),
             *own = run_by(studies[0][0], NULL, "double", "always", false);
  cr_expect_not_null(strstr(own->record.kernels, "clang"), "%s", own->record.kernels);
  expect_same_bits("by clang", general, own);
}

/* A compiler that changes the kernel's text by a program of sed, and takes half the time. */
static void plant(const char *change) {
  char compiler[128];
  snprintf(compiler, sizeof compiler, "%s/cc", folder);
  FILE *script = fopen(compiler, "w");
  cr_assert_not_null(script);
  fprintf(script,
          "#!/bin/sh\nfor a in \"$@\"; do case $a in */kernel.c) sed -i '%s' \"$a\";; esac; done\n"
          "exec cc \"$@\" -O1\n",
          change);
  fclose(script);
  cr_assert_eq(chmod(compiler, 0700), 0);
  setenv("OMNIROLL_CC", compiler, 1);
}

/* Something else in a rare branch: wheels that come to rest on two rollers. The object is
 * discarded, and the result is that of the general one. */
Test(compiled, an_object_that_errs_in_a_rare_branch_is_found_and_its_work_done_again) {
  omr_result *general = run_by("tests/parity/edges.json", NULL, "double", "never", true);
  plant("s/v\\[S_HOLDS\\] + R(1.0)/v[S_HOLDS] + R(2.0)/");
  omr_result *own = run_by("tests/parity/edges.json", NULL, "double", "always", true);
  cr_expect_str_eq(own->record.kernels, "general");
  expect_same_bits("edges", general, own);
}

/* The same in the midst of a run whose next part depends on what came out of those before: it
 * begins again, in memory and with a file. */
Test(compiled, an_object_that_errs_late_in_a_run_with_a_stop_rule_has_all_of_it_done_again) {
  static const char *const options =
      "--set design.instances=1000 --set integrator.duration=0.05 --set output.trajectories=null "
      "--set engine.chunk=64 --set engine.threads=1 --set 'statistics={\"stop\": {\"quantity\": "
      "\"mean edge_holds\", \"width\": 0.05, \"at_least\": 300}}'";
  char command[1024];
  plant("1i static int calls; static double late(void) { return ++calls > 100 ? 2 : 1; }\n"
        "s/v\\[S_HOLDS\\] + R(1.0)/v[S_HOLDS] + R(late())/");
  snprintf(
      command, sizeof command,
      "cd %s && for mode in never always; do for to in --hash -o$mode.h5; do "
      "rm -rf omniroll; $OMNIROLL run $OLDPWD/tests/parity/edges.json %s --backend openmp --set "
      "engine.compile=$mode -v $to >> $mode.txt 2>&1 || exit 1; done; $OMNIROLL export "
      "$mode.h5 -o $mode.csv; grep hash $mode.txt >> $mode.csv; done; "
      "cmp never.csv always.csv && [ $(grep -c 'computed again' always.txt) = 2 ]",
      folder, options);
  cr_expect_eq(system(command), 0, "%s", command);
}

/* Compiled ahead: later runs find it kept, with other numbers and without a compiler; so do those
 * that have a copy in a folder of their own, unless others can write there. */
Test(compiled, what_was_warmed_serves_later_runs) {
  static const char *const steps[] = {
      "$OMNIROLL warm $s | grep -q ' s$' && $OMNIROLL warm $s | grep -q kept",
      "$run --set design.seed=7 | grep -q 'kernels .*kept'",
      "$OMNIROLL run $s -o r.h5 --backend openmp --set engine.compile=always | grep -q '), "
      "compiled'",
      "OMNIROLL_CC=/nonexistent $run | grep -q 'kernels .*gcc.*kept\\|kernels .*clang.*kept'",
      "mv omniroll copy && export OMNIROLL_CC=/nonexistent OMNIROLL_KERNELS=$PWD/copy && $run | "
      "grep -q 'kernels .*compiled ahead'",
      "export OMNIROLL_CC=/nonexistent OMNIROLL_KERNELS=$PWD/copy && chmod g+w copy && $run > "
      "said 2>&1; "
      "grep -q 'kernels *general' said && grep -q 'copy.*others can write there' said"};
  char command[1024];
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
    snprintf(
        command, sizeof command,
        "cd %s && s=$OLDPWD/tests/parity/one_wheel.json && run=\"$OMNIROLL run $s --hash --backend "
        "openmp --set engine.compile=always -v\" && exec 2>&1 && { %s; }",
        folder, steps[i]);
    cr_expect_eq(system(command), 0, "%s", steps[i]);
  }
}

/* No compiler: the general object, and the same result. */
Test(compiled, without_a_compiler_the_general_object_goes_on) {
  setenv("OMNIROLL_CC", "/nonexistent/cc", 1);
  omr_result *general = run_by("tests/parity/parity.json", NULL, "double", "never", true),
             *own = run_by("tests/parity/parity.json", NULL, "double", "always", true);
  cr_expect_str_eq(own->record.kernels, "general");
  cr_expect_eq(compare_results("parity", general, own), 0);
  omr_result_destroy(general);
  omr_result_destroy(own);
}

/* Compilers that are none: one that hangs, one that prints without end and fails, one that leaves
 * half an object. Each costs its time, and no bit. */
Test(compiled, compilers_that_hang_print_or_leave_half_an_object_change_nothing) {
  static const char *const bodies[] = {
      "case $* in *-dM*) exec cc \"$@\";; esac; exec sleep 60",
      "case $* in *-dM*) exec cc \"$@\";; esac; yes no | head -c 20000000; exit 1",
      "cc \"$@\" || exit; for a; do case $a in *object.so) truncate -s 20000 $a;; esac; done"};
  for (int i = 0; i < 3; i++) {
    char compiler[128];
    setenv("OMNIROLL_COMPILE_SECONDS", i ? "100" : "2", 1);
    snprintf(compiler, sizeof compiler, "%s/cc%d", folder, i);
    FILE *script = fopen(compiler, "w");
    cr_assert_not_null(script);
    fprintf(script, "#!/bin/sh\n%s\n", bodies[i]);
    fclose(script);
    cr_assert_eq(chmod(compiler, 0700), 0);
    char command[512];
    snprintf(command, sizeof command,
             "OMNIROLL_CC=%s %s run tests/parity/parity.json --hash --backend openmp --set "
             "engine.compile=always > %s/out 2>&1 && grep -q 'kernels *general' %s/out",
             compiler, getenv("OMNIROLL"), folder, folder);
    cr_expect_eq(system(command), 0, "%s", bodies[i]);
  }
}
