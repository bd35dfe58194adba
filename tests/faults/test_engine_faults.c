/* What stops a run from outside: the caller, wrong engine settings, a machine without OpenCL. Each
 * ends with its status and a remedy; memory is watched by the leak checker of the sanitizer build.
 */
#include "tests/parity/parity.h"

#define MAIN "tests/parity/parity.json"

typedef struct outcome {
  omr_status status;
  omr_error error;
  omr_result *result;
  char log[4096];
} outcome;

static outcome o;

/* Runs the main study with progress function and log; outcome in `o`. */
static void try(const engine *e, omr_progress_fn *progress, void *user) {
  overrides sets;
  omr_study *study = NULL;
  memset(&o, 0, sizeof o);
  set_overrides(&sets, e);
  o.status = omr_study_load(MAIN, sets.list, sets.count, &study, &o.error);
  if (o.status != OMR_OK) return;
  FILE *log = fmemopen(o.log, sizeof o.log, "w");
  omr_run_options options = {
      .size = sizeof options, .progress = progress, .progress_user = user, .log = log};
  o.status = omr_run(study, &options, &o.result, &o.error);
  fclose(log);
  omr_study_destroy(study);
}

static void expect_failure(omr_status status, const char *part, const char *remedy) {
  cr_expect_eq(o.status, status, "%d: %s", (int)o.status, o.error.message);
  cr_expect_eq(o.error.status, status);
  cr_expect(strstr(o.error.message, part), "\"%s\" is not in: %s", part, o.error.message);
  cr_expect(strstr(o.error.message, remedy), "\"%s\" is not in: %s", remedy, o.error.message);
  cr_expect_null(o.result);
}

/* Stops at its `left`-th call. */
static bool stop_later(void *user, double done, double total) {
  int *left = user;
  cr_expect(done > 0 && done <= total, "%g of %g steps", done, total);
  return --*left > 0;
}

static bool never_stop(void *user, double done, double total) {
  double *last = user;
  cr_expect_gt(done, *last, "progress goes back from %g to %g", *last, done);
  cr_expect_leq(done, total);
  *last = done;
  return true;
}

Test(engine_faults, a_run_stops_at_once_when_the_caller_says_so_and_leaves_no_result) {
  for (int calls = 1; calls < 20; calls += 6) {
    int left = calls;
    try(&(engine){.backend = "openmp", .chunk = 16}, stop_later, &left);
    expect_failure(OMR_ERR_INTERRUPTED, "stopped", "no result was written");
    cr_expect_eq(left, 0, "called %d times more after it said stop", -left);
  }
}

Test(engine_faults, an_opencl_run_stops_when_the_caller_says_so) {
  int left = 3;
  const engine e = {.backend = "opencl", .lanes = 1, .chunk = 48};
  try(&e, stop_later, &left);
  if (o.status == OMR_ERR_DEVICE && may_be_missing(&e, &o.error))
    cr_skip_test("%s", o.error.message);
  expect_failure(OMR_ERR_INTERRUPTED, "stopped", "no result was written");
}

Test(engine_faults, progress_grows_to_the_total) {
  double last = 0;
  try(&(engine){.backend = "openmp", .chunk = 16}, never_stop, &last);
  cr_assert_eq(o.status, OMR_OK, "%s", o.error.message);
  cr_expect_eq(last, 83 * 1400.0);
  omr_result_destroy(o.result);
}

Test(engine_faults, an_unknown_instruction_set_is_refused_with_those_there_are) {
  const char *backends[] = {"openmp", "scalar"};
  for (int i = 0; i < 2; i++) {
    try(&(engine){.backend = backends[i], .device = "avx1024"}, NULL, NULL);
    expect_failure(OMR_ERR_DEVICE, "avx1024", "avx512, avx2 and baseline");
  }
}

Test(engine_faults, an_unknown_opencl_device_is_refused_with_those_there_are) {
  const engine e = {.backend = "opencl", .device = "abacus"};
  try(&e, NULL, NULL);
  if (may_be_missing(&e, &o.error)) cr_skip_test("%s", o.error.message);
  expect_failure(OMR_ERR_DEVICE, "abacus", ":0 "); /* of the first platform with a device */
}

Test(engine_faults, settings_out_of_range_are_refused_and_named) {
  const char *wrong[] = {"engine.threads=0",
                         "engine.threads=-3",
                         "engine.threads=70000",
                         "engine.threads=1.5",
                         "engine.lanes=3",
                         "engine.lanes=32",
                         "engine.chunk=0",
                         "engine.precision=half",
                         "engine.launch_seconds=0",
                         "engine.backend=gpu",
                         "engine.device=\"\"",
                         "integrator.step=0",
                         "integrator.duration=0.1ms",
                         "engine.color=red"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    try(&(engine){.other = wrong[i]}, NULL, NULL);
    char place[64];
    snprintf(place, sizeof place, "--set %.*s: ", (int)strcspn(wrong[i], "="), wrong[i]);
    expect_failure(OMR_ERR_STUDY, place, "");
  }
}

Test(engine_faults, more_threads_than_cores_or_packs_work) {
  engine many = {.backend = "openmp", .threads = 61}, one = {.backend = "openmp", .threads = 1};
  omr_result *a = run_study(MAIN, &many), *b = run_study(MAIN, &one);
  cr_expect_eq(compare_results("61 threads", b, a), 0);
  cr_expect_eq(a->record.threads, 61);
  omr_result_destroy(a);
  omr_result_destroy(b);
}

/* Before the first call into OpenCL: the loader reads the variable once. */
static void hide_opencl(void) {
  setenv("OCL_ICD_VENDORS", "/nonexistent", 1);
}

Test(engine_faults, without_opencl_auto_takes_openmp_and_says_so, .init = hide_opencl) {
  try(&(engine){.backend = "auto"}, NULL, NULL);
  cr_assert_eq(o.status, OMR_OK, "%s", o.error.message);
  cr_expect_str_eq(o.result->record.backend, "openmp");
  cr_expect(strstr(o.log, "auto: chose backend openmp"), "%s", o.log);
  omr_result_destroy(o.result);
}

Test(engine_faults, without_opencl_the_opencl_backend_is_refused_with_a_remedy,
     .init = hide_opencl) {
  try(&(engine){.backend = "opencl"}, NULL, NULL);
  expect_failure(OMR_ERR_DEVICE, "OpenCL", "backend openmp");
}

Test(engine_faults, a_wrong_choice_leaves_the_process_able_to_run) {
  try(&(engine){.backend = "openmp", .device = "avx1024"}, NULL, NULL);
  cr_expect_eq(o.status, OMR_ERR_DEVICE);
  try(&(engine){.backend = "openmp"}, NULL, NULL);
  cr_expect_eq(o.status, OMR_OK, "%s", o.error.message);
  omr_result_destroy(o.result);
}
