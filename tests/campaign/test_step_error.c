/* The step error of runs into files: the same numbers however a run is done, off by one word,
 * accepted or not. */
#include "tests/campaign/campaign.h"

TestSuite(step_error, .init = set_up_campaign, .fini = tear_down, .timeout = 120);

#define GROUP "statistics/step_error"
#define ACCEPT "--set", "integrator.accept={\"path_length\": \"1e-9 %\", \"min_load\": \"1 kN\"}"

static bool has_group(const char *path) {
  const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  cr_assert_geq(file, 0, "%s", path);
  const bool has = H5Lexists(file, GROUP, H5P_DEFAULT) > 0;
  H5Fclose(file);
  return has;
}

static void expect_same_group(const char *label, const char *reference, const char *result) {
  const hid_t file_a = H5Fopen(reference, H5F_ACC_RDONLY, H5P_DEFAULT),
              file_b = H5Fopen(result, H5F_ACC_RDONLY, H5P_DEFAULT);
  cr_assert(file_a >= 0 && file_b >= 0, "%s", label);
  const hid_t a = H5Gopen2(file_a, GROUP, H5P_DEFAULT), b = H5Gopen2(file_b, GROUP, H5P_DEFAULT);
  size_t there = 0;
  cr_assert(a >= 0 && b >= 0, "%s", label);
  cr_expect_eq(compare_datasets(label, a, b, &there), 0);
  cr_expect_gt(there, 12, "%s: %zu", label, there);
  H5Gclose(a);
  H5Gclose(b);
  H5Fclose(file_a);
  H5Fclose(file_b);
}

Test(step_error, has_the_same_bits_whatever_threads_chunks_and_backend) {
  expect(RUN("r.h5"), OMR_OK);
  expect(OMNIROLL("run", study, "-o", "one.h5", "-q", "--backend", "openmp", "--threads", "1",
                  "--set", "engine.chunk=83", "--set", DURATION),
         OMR_OK);
  expect_same_group("one thread, one chunk", "r.h5", "one.h5");
  expect(OMNIROLL("run", study, "-o", "few.h5", "-q", "--backend", "scalar", "--set",
                  "engine.chunk=3", "--set", DURATION),
         OMR_OK);
  expect_same_group("scalar, chunks of 3", "r.h5", "few.h5");
  const outcome *o = OMNIROLL("run", study, "-o", "cl.h5", "-q", "--backend", "opencl", SHORTER);
  if (o->code == OMR_ERR_DEVICE) {
    skip_part("%s", o->err);
    return;
  }
  expect(o, OMR_OK);
  expect_same_group("opencl", "r.h5", "cl.h5");
}

/* What a process did of it goes with the process; who puts the result together does it again. */
Test(step_error, is_measured_by_whoever_puts_the_result_together) {
  static const char *const points[] = {"chunk:1", "integrate:4", "journal:7", "remeasure"};
  expect(RUN("whole.h5"), OMR_OK);
  for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
    run_and_die("r.h5", points[i]);
    expect(OMNIROLL("resume", "r.h5", "-q", "--threads", "1"), OMR_OK);
    expect_same_group(points[i], "whole.h5", "r.h5");
    cr_assert_eq(unlink("r.h5"), 0);
  }
  expect(RUN("a.h5", "--shard", "1/2"), OMR_OK);
  expect(RUN("b.h5", "--shard", "2/2"), OMR_OK);
  expect(OMNIROLL("merge", "-o", "m.h5", "a.h5", "b.h5", "-q"), OMR_OK);
  expect_same_group("merged", "whole.h5", "m.h5");
}

/* A device that shards had, and the machine that merges has not. */
Test(step_error, is_measured_on_the_processor_where_the_device_is_missing) {
  const outcome *o =
      OMNIROLL("run", study, "-o", "a.h5", "-q", "--backend", "opencl", SHORTER, "--shard", "1/1");
  if (o->code == OMR_ERR_DEVICE) cr_skip_test("%s", o->err);
  o = OMNIROLL("run", study, "-o", "b.h5", "-q", "--backend", "opencl", SHORTER, "--shard", "1/2");
  expect(o, OMR_OK);
  expect(
      OMNIROLL("run", study, "-o", "c.h5", "-q", "--backend", "opencl", SHORTER, "--shard", "2/2"),
      OMR_OK);
  setenv("OCL_ICD_VENDORS", "/nonexistent", 1);
  o = OMNIROLL("merge", "-o", "m.h5", "b.h5", "c.h5");
  unsetenv("OCL_ICD_VENDORS");
  expect(o, OMR_OK);
  expect_text(o->err, "step error: measured on openmp");
  expect_same_group("merged without the device", "a.h5", "m.h5");
}

/* Everything else has the same bits; the rows of the answer have the step's error in them. */
Test(step_error, turned_off_leaves_the_rest_as_it_is) {
  expect(RUN("on.h5"), OMR_OK);
  expect(RUN("off.h5", "--set", "integrator.step_error=off"), OMR_OK);
  cr_expect(has_group("on.h5"));
  cr_expect_not(has_group("off.h5"));
  const hid_t on = H5Fopen("on.h5", H5F_ACC_RDWR, H5P_DEFAULT),
              off = H5Fopen("off.h5", H5F_ACC_RDWR, H5P_DEFAULT);
  size_t there = 0;
  cr_expect_geq(H5Ldelete(on, "statistics/answer", H5P_DEFAULT), 0);
  cr_expect_geq(H5Ldelete(off, "statistics/answer", H5P_DEFAULT), 0);
  cr_expect_eq(compare_datasets("without the step error", off, on, &there), 0);
  cr_expect_gt(there, LEAST_DATASETS);
  H5Fclose(on);
  H5Fclose(off);
  const outcome *strict = RUN("off.h5", "--set", "integrator.step_error=off", "--strict");
  expect(strict, OMR_ERR_USAGE);
  expect_text(strict->err, "--strict asks for the error of the step");
  char hash[64];
  const outcome *o = OMNIROLL("run", study, "--hash", "-q", "--backend", "openmp", SHORTER);
  expect(o, OMR_OK);
  snprintf(hash, sizeof hash, "%.32s", o->out);
  o = OMNIROLL("run", study, "--hash", "-q", "--strict", "--backend", "openmp", SHORTER);
  expect(o, OMR_OK);
  expect_text(o->out, hash);
}

Test(step_error, that_is_not_accepted_is_warned_of_and_strictly_an_exit_code) {
  const outcome *o =
      OMNIROLL("run", study, "-v", "-o", "r.h5", "--backend", "openmp", SHORTER, ACCEPT);
  expect(o, OMR_OK);
  expect_text(o->err, "warning: step error: path_length: the step makes its mean about ");
  expect_text(o->err, "more than the");
  expect_text(o->err, "integrator.accept allows: shorten integrator.step; `omniroll plan STUDY` "
                      "measures the step that is needed");
  expect_text(o->out, "warning   step error: path_length");
  cr_expect_null(strstr(o->out, "step error: min_load"));
  o = OMNIROLL("run", study, "-o", "r.h5", "-q", "--backend", "openmp", SHORTER, ACCEPT,
               "--strict");
  expect(o, OMR_ERR_INACCURATE);
  expect_text(o->err, "path_length: the step makes its mean");
  expect_text(o->err, "The result is complete");
  cr_expect(exists("r.h5"));
  cr_expect_not(exists("r.h5.parts"));
  o = OMNIROLL("analyze", "r.h5", "--json");
  expect(o, OMR_OK);
  expect_text(o->out, "{\"name\": \"path_length\", \"error\": ");
  expect_text(o->out, "\"step error: path_length: the step makes");
  expect(OMNIROLL("run", study, "--hash", "-q", "--strict", "--backend", "openmp", SHORTER, ACCEPT),
         OMR_ERR_INACCURATE);
}

Test(step_error, is_judged_by_who_resumes_and_merges) {
  set_failpoint("chunk:3");
  expect(RUN("r.h5", ACCEPT), -1);
  set_failpoint(NULL);
  expect(OMNIROLL("resume", "r.h5", "-q", "--strict"), OMR_ERR_INACCURATE);
  cr_expect(exists("r.h5"));
  expect(RUN("a.h5", "--shard", "1/2", ACCEPT), OMR_OK);
  expect(RUN("b.h5", "--shard", "2/2", ACCEPT, "--strict"), OMR_OK); /* puts nothing together */
  expect(OMNIROLL("merge", "-o", "m.h5", "a.h5", "b.h5", "-q"), OMR_OK);
  expect(OMNIROLL("merge", "-o", "m.h5", "a.h5", "b.h5", "-q", "--strict"), OMR_ERR_INACCURATE);
  cr_expect(exists("m.h5"));
}

/* From the instances that the file keeps: with other criteria, and with another accuracy. */
Test(step_error, is_computed_anew_from_the_file) {
  expect(RUN("r.h5", ACCEPT), OMR_OK);
  expect(OMNIROLL("analyze", "r.h5", "-o", "copy.h5"), OMR_OK);
  expect_same_group("analyzed", "r.h5", "copy.h5");
  const outcome *o = OMNIROLL("analyze", "-v", "r.h5", "--set",
                              "statistics.fail={\"far\": \"path_length > 0.05 m\"}");
  expect(o, OMR_OK);
  expect_text(o->out, "criterion, shorter step");
  expect_text(o->out, "below 45 %"); /* none of the 5 that reach the end: 1 - 0.05^(1/5) */
  o = OMNIROLL("analyze", "r.h5", "--json", "--set",
               "integrator.accept={\"path_length\": \"50 %\"}");
  expect(o, OMR_OK);
  expect_text(o->out, "\"given\": true, \"missed\": false}");
  cr_expect_null(strstr(o->out, "\"step error: path_length"));
  expect(OMNIROLL("analyze", "r.h5", "--set", "integrator.step=1e-5"), OMR_ERR_USAGE);
}

Test(step_error, is_told_before_by_validate_and_plan) {
  const outcome *o = OMNIROLL("validate", study, ACCEPT);
  expect(o, OMR_OK);
  expect_text(o->out,
              "step error 8 instances again with half the step and a quarter: 57.8 % more steps");
  expect_text(o->out, "accepted   path_length to 1e-09 %");
  expect_text(o->out, "min_load to 1000 N");
  expect_text(o->out, "measures the step that an accuracy needs");
  o = OMNIROLL("validate", study, "--set", "integrator={\"tolerance\": 1e-6, \"duration\": 0.1}");
  expect(o, OMR_OK);
  expect_text(o->out, " times as many steps in all");
  o = OMNIROLL("validate", study, "--set", "integrator.step_error=off");
  expect_text(o->out, "step error not measured: integrator.step_error is \"off\"");
  o = OMNIROLL("plan", study, SHORTER, "--set", "integrator.accept={\"path_length\": \"0.001 %\"}");
  expect(o, OMR_OK);
  expect_text(o->out, "step error   8 instances again with half the step");
  expect_text(o->out, "accuracy     path_length to 0.001 %");
  expect_text(o->out, "of the accepted path_length");
  expect_text(o->out, "needed step  ");
  expect_text(o->out, "vehicle-seconds per second");
  o = OMNIROLL("plan", study, SHORTER);
  expect(o, OMR_OK);
  expect_text(o->out, "no accuracy is asked for: name one in integrator.accept");
}
