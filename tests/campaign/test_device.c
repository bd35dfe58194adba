/* A device that works is made one that does not (tests/opencl/device_shim.c): what it computed is
 * not believed, and a run does not wait for it for ever. */
#include "tests/campaign/campaign.h"

#include "campaign/chunk_journal.h"

TestSuite(device, .init = set_up_campaign, .fini = tear_down, .timeout = 300);

#define ON_DEVICE "-q", "--backend", "opencl", SHORTER
#define CL_RUN(output, ...) OMNIROLL("run", study, "-o", output, ON_DEVICE, ##__VA_ARGS__)
#define OFTEN "--set", "engine.check_seconds=1e-6"

/* From that launch on; NULL: the device is what it is. */
static void set_fault(const char *fault, const char *launch) {
  if (!fault) {
    unsetenv("LD_PRELOAD");
    return;
  }
  const char *shim = getenv("OMNIROLL_SHIM"), *options = getenv("ASAN_OPTIONS");
  char more[512];
  cr_assert_not_null(shim);
  snprintf(more, sizeof more, "%s:verify_asan_link_order=0", options ? options : "");
  setenv("ASAN_OPTIONS", more, 1);
  setenv("LD_PRELOAD", shim, 1);
  setenv("OMNIROLL_SHIM_FAULT", fault, 1);
  setenv("OMNIROLL_SHIM_LAUNCH", launch, 1);
}

static void need_device(void) {
  const outcome *o = CL_RUN("whole.h5");
  if (o->code == OMR_ERR_DEVICE) cr_skip_test("%s", o->err);
  expect(o, OMR_OK);
}

static void expect_wrong(const outcome *o) {
  expect(o, OMR_ERR_SELFTEST);
  expect_text(o->err, "gives wrong numbers");
  expect_text(o->err, "of instance ");
  expect_text(o->err, "by the scalar build");
  expect_text(o->err, "--backend openmp");
}

static size_t finished_in(const char *name) {
  omr_journal journal = {.descriptor = -1};
  omr_parts parts = OMR_PARTS_NONE;
  bool there = false;
  cr_assert_eq(omr_parts_begin(&parts, name, false, NULL), OMR_OK);
  cr_assert_eq(omr_parts_open(&parts, &there, NULL), OMR_OK);
  cr_assert(there);
  cr_assert_eq(omr_journal_read(&parts, SIZE_MAX, &journal, NULL), OMR_OK);
  omr_parts_free(&parts);
  const size_t finished = omr_journal_finished(&journal);
  omr_journal_free(&journal);
  return finished;
}

Test(device, is_checked_before_and_after_a_run) {
  need_device();
  cr_expect_eq(integer_attribute("whole.h5", "device_checks"), 2);
  expect(CL_RUN("often.h5", OFTEN), OMR_OK);
  cr_expect_gt(integer_attribute("often.h5", "device_checks"), 2);
  expect(RUN("openmp.h5"), OMR_OK);
  cr_expect_eq(integer_attribute("openmp.h5", "device_checks"), 0);
}

Test(device, that_computes_double_precision_by_software_is_refused_unless_allowed) {
  need_device();
  set_fault("none", "1");
  setenv("OMNIROLL_SHIM_SOFT", "1", 1);
  const outcome *o = CL_RUN("r.h5");
  expect(o, OMR_ERR_DEVICE);
  expect_text(o->err, "computes double precision by software");
  expect(CL_RUN("r.h5", "--set", "engine.emulated_double=allow"), OMR_OK);
  expect(CL_RUN("single.h5", "--set", "engine.precision=single"), OMR_OK);
  unsetenv("OMNIROLL_SHIM_SOFT");
}

/* How long a driver's compiler takes is told while it does. */
Test(device, tells_how_long_its_compiler_takes) {
  need_device();
  set_fault("none", "1");
  setenv("OMNIROLL_SHIM_COMPILER", "6", 1);
  setenv("OMNIROLL_CACHE", "0", 1);
  const outcome *o = OMNIROLL("run", study, "--hash", "--backend", "opencl", SHORTER);
  unsetenv("OMNIROLL_SHIM_COMPILER");
  set_fault(NULL, NULL);
  expect(o, OMR_OK);
  expect_text(o->err, "compiling the kernels for ");
  expect_text(o->err, " s so far");
}

Test(device, that_is_wrong_from_the_beginning_runs_nothing) {
  need_device();
  set_fault("wrong", "1");
  expect_wrong(CL_RUN("r.h5"));
  cr_expect_not(exists("r.h5") || exists("r.h5.parts"));
  expect_wrong(CL_RUN("single.h5", "--set", "engine.precision=single"));
}

/* The first three launches are those of building and of the check before. */
Test(device, that_turns_wrong_is_found_at_the_end_and_its_chunks_are_not_kept) {
  need_device();
  set_fault("wrong", "4");
  expect_wrong(CL_RUN("r.h5"));
  cr_expect_not(exists("r.h5") || exists("r.h5.parts"), "no chunk is believed");
  expect_wrong(OMNIROLL("run", study, "--hash", ON_DEVICE));
  cr_expect_str_empty(last.out, "no hash of wrong numbers");
}

Test(device, that_turns_wrong_keeps_what_was_checked_and_resume_computes_the_rest) {
  need_device();
  expect(CL_RUN("whole.h5", OFTEN, "--overwrite"), OMR_OK);
  set_fault("wrong", "28");
  const outcome *o = CL_RUN("r.h5", OFTEN);
  expect_wrong(o);
  expect_text(o->err, " of 6 chunks are kept in r.h5.parts; `omniroll resume r.h5` goes on");
  set_fault(NULL, NULL);
  const size_t finished = finished_in("r.h5.parts");
  cr_expect(finished > 0 && finished < CHUNKS, "%zu", finished);
  expect(OMNIROLL("resume", "r.h5", "-q"), OMR_OK);
  expect_same("wrong from launch 28 on", "whole.h5", "r.h5");
}

/* Nobody knows of the device's chunks whether they are right. */
Test(device, killed_between_checks_leaves_chunks_that_are_computed_again) {
  need_device();
  for (int often = 0; often < 2; often++) {
    set_failpoint("chunk_there:6");
    const outcome *o = often ? CL_RUN("r.h5", OFTEN) : CL_RUN("r.h5");
    set_failpoint(NULL);
    cr_assert_eq(o->code, -1, "%s", o->err);
    const size_t finished = finished_in("r.h5.parts");
    cr_expect(often ? finished > 0 && finished < CHUNKS : finished == 0, "%zu", finished);
    shell("grep -q '^chunk 0 .* check [23] ' r.h5.parts/chunks-1-of-1.txt");
    if (often) expect(CL_RUN("whole.h5", OFTEN, "--overwrite"), OMR_OK);
    expect(OMNIROLL("resume", "r.h5", "-q"), OMR_OK);
    expect_same("killed", "whole.h5", "r.h5");
    cr_assert_eq(unlink("r.h5"), 0);
  }
}

/* Numbers of checks go on from session to session: the good check of a later one does not cover the
 * chunks of one that was killed. */
Test(device, checks_of_a_later_process_do_not_cover_chunks_of_one_that_was_killed) {
  need_device();
  set_failpoint("chunk_there:2");
  cr_assert_eq(CL_RUN("r.h5")->code, -1);
  set_failpoint("work");
  cr_assert_eq(OMNIROLL("resume", "r.h5")->code, -1);
  set_failpoint("chunk_there:3");
  cr_assert_eq(OMNIROLL("resume", "r.h5")->code, -1);
  set_failpoint(NULL);
  cr_expect_eq(finished_in("r.h5.parts"), 0);
  expect(OMNIROLL("resume", "r.h5", "-q"), OMR_OK);
  expect_same("killed thrice", "whole.h5", "r.h5");
}

#define SOON OFTEN, "--set", "engine.hang_seconds=2"

/* A call into the driver never returns. */
Test(device, that_hangs_is_given_up_with_its_chunks_kept) {
  static const char *const faults[] = {"hangs", "hangs in reading"};
  need_device();
  for (size_t i = 0; i < 2; i++) {
    set_fault(faults[i], "28");
    const outcome *o = CL_RUN("r.h5", SOON);
    set_fault(NULL, NULL);
    expect(o, OMR_ERR_DEVICE);
    expect_text(o->err, " hangs: clEnqueue");
    expect_text(o->err, "it was at chunk ");
    expect_text(o->err, " of 6 chunks are kept in r.h5.parts");
    cr_expect_gt(finished_in("r.h5.parts"), 0);
    shell("rm -r r.h5.parts");
  }
}

Test(device, that_hangs_does_not_keep_the_first_signal_from_ending_the_run) {
  need_device();
  set_fault("hangs", "28");
  const pid_t child =
      start("/dev/null", (const char *const[]){"run", study, "-o", "r.h5", ON_DEVICE, OFTEN, NULL});
  set_fault(NULL, NULL);
  sleep(4);
  cr_assert_eq(kill(child, SIGTERM), 0);
  const outcome *o = finish(child);
  expect(o, OMR_ERR_INTERRUPTED);
  expect_text(o->err, " of 6 chunks are kept in r.h5.parts");
}

/* ---- SEVERAL DEVICES */

#define ALL_DEVICES "--devices", "all"

/* The text of the study, which names the devices, may differ. */
static void expect_same_numbers(const char *label, const char *a, const char *b) {
  const hid_t file_a = H5Fopen(a, H5F_ACC_RDONLY, H5P_DEFAULT),
              file_b = H5Fopen(b, H5F_ACC_RDONLY, H5P_DEFAULT);
  size_t datasets = 0;
  cr_assert(file_a >= 0 && file_b >= 0, "%s", label);
  cr_expect_eq(compare_datasets(label, file_a, file_b, &datasets), 0);
  cr_expect_geq(datasets, LEAST_DATASETS);
  H5Fclose(file_a);
  H5Fclose(file_b);
}

/* PoCL shows the processor twice. */
static void need_two_devices(void) {
  setenv("POCL_DEVICES", "pthread pthread", 1);
  need_device();
  const outcome *o = OMNIROLL("devices");
  if (!strstr(o->out, "0:1")) cr_skip_test("PoCL does not show two devices: %s", o->out);
}

Test(device, several_give_the_bits_of_one) {
  need_two_devices();
  expect(CL_RUN("both.h5", ALL_DEVICES), OMR_OK);
  expect_same_numbers("two devices", "whole.h5", "both.h5");
  expect(RUN("openmp.h5"), OMR_OK);
  expect_same_numbers("two devices, a processor", "openmp.h5", "both.h5");

  /* In memory, by their numbers, and as shards. */
  char hash[80];
  expect(OMNIROLL("run", study, "--hash", "-q", "--backend", "openmp", SHORTER), OMR_OK);
  snprintf(hash, sizeof hash, "%.70s", last.out);
  expect(OMNIROLL("run", study, "--hash", ON_DEVICE, "--devices", "0:1,0:0"), OMR_OK);
  cr_expect_str_eq(last.out, hash);
  expect(CL_RUN("r.h5", ALL_DEVICES, "--shard", "2/2"), OMR_OK);
  expect(CL_RUN("r.h5", "--shard", "1/2"), OMR_OK);
  expect_same_numbers("a shard by two devices", "whole.h5", "r.h5");
}

#define STOPS                                                                                      \
  "--set", "statistics.stop={\"quantity\": \"mean vibration_rms\", \"relative_width\": 0.8, "      \
           "\"at_least\": 16}"

/* A study that looks at results before it goes on. */
Test(device, several_share_a_run_that_depends_on_results) {
  need_two_devices();
  expect(CL_RUN("one.h5", STOPS), OMR_OK);
  expect(CL_RUN("both.h5", STOPS, ALL_DEVICES), OMR_OK);
  expect_same_numbers("two devices in order", "one.h5", "both.h5");
  setenv("OMNIROLL_SHIM_DEVICE", "0", 1);
  set_fault("wrong", "12");
  expect(CL_RUN("left.h5", STOPS, ALL_DEVICES, OFTEN), OMR_OK);
  set_fault(NULL, NULL);
  expect_same_numbers("in order by the one that is left", "one.h5", "left.h5");
}

/* The others do what it has not done, and once more what nobody had checked. */
Test(device, one_of_several_that_fails_leaves_its_work_to_the_others) {
  static const char *const faults[] = {"fails", "wrong", "hangs"};
  static const char *const words[] = {"CL_OUT_OF_RESOURCES", "gives wrong numbers", "hangs"};
  need_two_devices();
  setenv("OMNIROLL_SHIM_DEVICE", "1", 1);
  for (size_t i = 0; i < 3; i++) {
    set_fault(faults[i], "12");
    const outcome *o = OMNIROLL("run", study, "-o", "r.h5", "-v", "--backend", "opencl", SHORTER,
                                ALL_DEVICES, SOON);
    set_fault(NULL, NULL);
    expect(o, OMR_OK);
    expect_text(o->err, "warning: device 0:1 is given up, and 1 other goes on: ");
    expect_text(o->err, words[i]);
    expect_same_numbers(faults[i], "whole.h5", "r.h5");
    cr_assert_eq(unlink("r.h5"), 0);
  }
}

Test(device, all_that_fail_end_the_run_and_resume_goes_on) {
  need_two_devices();
  unsetenv("OMNIROLL_SHIM_DEVICE");
  set_fault("fails", "30");
  const outcome *o = CL_RUN("r.h5", ALL_DEVICES, OFTEN);
  set_fault(NULL, NULL);
  expect(o, OMR_ERR_DEVICE);
  expect_text(o->err, "`omniroll resume r.h5` goes on");
  expect(OMNIROLL("resume", "r.h5", "-q", "--devices", "0:1"), OMR_OK);
  expect_same_numbers("resumed", "whole.h5", "r.h5");
}

Test(device, names_of_several_are_checked) {
  need_two_devices();
  const outcome *o = CL_RUN("r.h5", "--devices", "0:0,0:0");
  expect(o, OMR_ERR_DEVICE);
  expect_text(o->err, "name 0:0 twice");
  expect(CL_RUN("r.h5", "--devices", "0:0,9:9"), OMR_ERR_DEVICE);
  o = OMNIROLL("run", study, "-o", "r.h5", "--backend", "openmp", ALL_DEVICES);
  expect(o, OMR_ERR_STUDY);
  expect_text(o->err, "set \"backend\": \"opencl\"");
  o = CL_RUN("r.h5", ALL_DEVICES, "--device", "0:1");
  expect(o, OMR_ERR_STUDY);
  expect_text(o->err, "leave one of them out");
  expect(OMNIROLL("run", study, "-o", "r.h5", "-q", "--backend", "auto", SHORTER, ALL_DEVICES),
         OMR_OK); /* where there is no GPU, the processor */
}

/* Processes of a node take different devices, unless the user names one. */
Test(device, follows_the_local_rank) {
  static const char *const variables[] = {
#define LOCAL(variable) variable,
#include "lists/launchers.def"
  };
  need_two_devices();
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
    setenv(variables[i], "3", 1);
    char line[128];
    const outcome *o = OMNIROLL("run", "short.json", "-o", "r.h5", "-v", "--backend", "opencl");
    expect(o, OMR_OK);
    snprintf(line, sizeof line, "opencl: %s=3 takes number 1 of 2 devices", variables[i]);
    expect_text(o->err, line);
    expect_text(o->err, "opencl: chose device 0:1 ");
    unsetenv(variables[i]);
  }
  setenv("SLURM_LOCALID", "1", 1);
  const outcome *o =
      OMNIROLL("run", "short.json", "-o", "r.h5", "-v", "--backend", "opencl", "--device", "0:0");
  expect(o, OMR_OK);
  cr_expect_null(strstr(o->err, "SLURM_LOCALID"), "%s", o->err);
}
