/* What is in the place of a result is replaced by the same one alone, or where the user says so. */
#include "tests/campaign/campaign.h"

static void start_up(void) {
  set_up_campaign();
  expect(OMNIROLL("run", "short.json", "-q", "--backend", "openmp"), OMR_OK);
  shell("cp short.h5 first.h5");
}

TestSuite(occupied, .init = start_up, .fini = tear_down, .timeout = 120);

#define AGAIN(...) OMNIROLL("run", "short.json", ##__VA_ARGS__)
#define OTHER "--set", "integrator.step=0.0005"

static void expect_refused(const outcome *o, const char *path, const char *why) {
  char start[64];
  snprintf(start, sizeof start, "omniroll: %s is there, ", path);
  expect(o, OMR_ERR_IO);
  expect_text(o->err, start);
  expect_text(o->err, why);
  expect_text(o->err, "Replace it with --overwrite, or choose another file with -o FILE.");
}

Test(occupied, a_result_of_another_study_is_refused_and_stays) {
  expect_refused(AGAIN(OTHER), "short.h5",
                 "the result of another run: integrator.step was \"1 ms\" and now is 0.0005.");
  expect_refused(AGAIN("--precision", "single"), "short.h5",
                 "engine.precision was double and now is single.");
  expect_refused(AGAIN("--set", "engine.numerics=fast"), "short.h5",
                 "engine.numerics was exact and now is fast.");
  expect_refused(AGAIN("--shard", "1/2", OTHER), "short.h5", "integrator.step was");
  cr_expect(!exists("short.h5.parts"));
  shell("cmp short.h5 first.h5");
  const outcome *o = AGAIN(OTHER, "--overwrite");
  expect(o, OMR_OK);
  expect_text(o->err, "short.h5 is there, the result of another run: integrator.step was \"1 ms\" "
                      "and now is 0.0005; it is replaced");
  expect_refused(AGAIN("-q"), "short.h5", "integrator.step was 0.0005 and now is \"1 ms\".");
}

Test(occupied, a_result_of_another_version_is_refused) {
  hid_t file = H5Fopen("short.h5", H5F_ACC_RDWR, H5P_DEFAULT);
  cr_assert_eq(H5LTset_attribute_string(file, "/", "omniroll_version", "0.0.1"), 0);
  H5Fclose(file);
  expect_refused(AGAIN(), "short.h5", "the version of omniroll was 0.0.1 and now is ");
}

/* A file of before the hash was kept is taken as it was. */
Test(occupied, a_result_of_another_build_is_refused) {
  hid_t file = H5Fopen("short.h5", H5F_ACC_RDWR, H5P_DEFAULT);
  cr_assert_eq(H5LTset_attribute_string(file, "/", "sources", "0123"), 0);
  H5Fclose(file);
  expect_refused(AGAIN(), "short.h5", "the hash of the sources of omniroll was 0123 and now is ");
  file = H5Fopen("short.h5", H5F_ACC_RDWR, H5P_DEFAULT);
  cr_assert_geq(H5Adelete(file, "sources"), 0);
  H5Fclose(file);
  expect(AGAIN(), OMR_OK);
  expect_text(last.err, "short.h5 is there, the result of this same study");
}

/* Backends, devices and threads change no bit. */
Test(occupied, a_result_of_the_same_study_is_replaced_with_a_word) {
  const outcome *o = AGAIN("--backend", "scalar");
  expect(o, OMR_OK);
  expect_text(o->err, "short.h5 is there, the result of this same study; it is replaced when the "
                      "new one is complete\n");
  shell("if cmp -s short.h5 first.h5; then exit 1; fi"); /* it has another time */
  expect(AGAIN("-q"), OMR_OK);
  cr_expect_str_empty(last.err);
}

Test(occupied, a_file_that_is_no_result_is_refused_unless_empty) {
  write_file("notes.txt", "words");
  expect_refused(AGAIN("-o", "notes.txt"), "notes.txt",
                 "a file that is no result of omniroll run.");
  shell("test $(cat notes.txt) = words");
  expect(OMNIROLL("sample", study, "-o", "table.h5"), OMR_OK);
  expect_refused(RUN("table.h5"), "table.h5", "a file that is no result of omniroll run.");
  hid_t file =
      H5Fopen("short.h5", H5F_ACC_RDWR, H5P_DEFAULT); /* as omniroll reference would write it */
  cr_assert_eq(H5LTset_attribute_string(file, "/", "backend", "reference"), 0);
  H5Fclose(file);
  expect_refused(AGAIN(), "short.h5", "a file that is no result of omniroll run.");
  write_file("empty", "");
  expect(AGAIN("-o", "empty"), OMR_OK);
  cr_expect_null(strstr(last.err, "is there"));
}

Test(occupied, a_run_that_may_replace_goes_on_so) {
  set_failpoint("chunk:3");
  expect(
      OMNIROLL("run", study, "-o", "short.h5", "-q", "--backend", "openmp", SHORTER, "--overwrite"),
      -1);
  set_failpoint(NULL);
  shell("cmp short.h5 first.h5");
  expect(OMNIROLL("resume", "short.h5"), OMR_OK);
  expect_text(last.out, "result written to short.h5");
}

Test(occupied, merge_refuses_alike) {
  expect(RUN("part.h5", "--shard", "1/2"), OMR_OK);
  expect(RUN("part.h5", "--shard", "2/2", "--backend", "scalar"), OMR_OK);
  expect(RUN("whole.h5", "--set", "engine.chunk=8"), OMR_OK);
  set_failpoint("assemble_start");
  expect(RUN("left.h5"), -1);
  set_failpoint(NULL);
  expect_refused(OMNIROLL("merge", "left.h5.parts", "-o", "short.h5"), "short.h5",
                 "the result of another run: ");
  shell("cmp short.h5 first.h5");
  expect(OMNIROLL("merge", "left.h5.parts", "-o", "whole.h5"), OMR_OK);
  expect_text(last.err, "whole.h5 is there, the result of this same study");
  expect(OMNIROLL("merge", "left.h5.parts", "-o", "short.h5", "--overwrite"), OMR_OK);
  expect_same("merged", "part.h5", "short.h5");
}
