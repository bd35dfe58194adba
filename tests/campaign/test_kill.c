/* kill -9 in every phase of a long run, then resume: the result has every byte of the uninterrupted
 * one. */
#include "tests/campaign/campaign.h"

TestSuite(kill, .init = set_up_campaign, .fini = tear_down, .timeout = 120);

/* Phases are named where the program enters them (omr_phase); renames: the manifest is the first,
 * then the chunks, the result is the eighth. The journal's first line is the session's. */
static const char *const points[] = {"rename:1",   "work",          "prepare:2",   "integrate:3",
                                     "chunk:1",    "chunk:4",       "rename:2",    "rename:4",
                                     "journal:1",  "chunk_there:1", "journal:2",   "chunk_there:6",
                                     "journal:4",  "journal:7",     "rename:8",    "assemble_start",
                                     "assemble:4", "remeasure",     "result_there"};

Test(kill, resume_after_a_kill_in_any_phase_gives_the_same_bytes) {
  expect(RUN("whole.h5"), OMR_OK);
  for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
    run_and_die("r.h5", points[i]);
    cr_expect(exists("r.h5.parts"), "%s", points[i]);
    const bool begun = exists("r.h5.parts/manifest.json");
    cr_expect_eq(begun, i > 0, "%s", points[i]);
    const outcome *o =
        begun ? OMNIROLL("resume", i % 2 ? "r.h5" : "r.h5.parts/", "-q") : RUN("r.h5");
    expect(o, OMR_OK);
    expect_same(points[i], "whole.h5", "r.h5");
    cr_expect_not(exists("r.h5.parts"), "%s", points[i]);
    cr_expect_not(exists("r.h5.parts.done"), "%s", points[i]);
    shell("! ls | grep -q tmp");
    cr_assert_eq(unlink("r.h5"), 0);
  }
}

Test(kill, the_same_command_again_goes_on_and_a_second_kill_does_no_harm) {
  expect(RUN("whole.h5"), OMR_OK);
  cr_expect_eq(integer_attribute("whole.h5", "sessions"), 1);
  run_and_die("r.h5", "chunk:3");
  set_failpoint("resume");
  cr_expect_eq(OMNIROLL("resume", "r.h5")->code, -1);
  run_and_die("r.h5", "chunk:2"); /* of those that were left */
  set_failpoint(NULL);
  const outcome *o = OMNIROLL("run", study, "-o", "r.h5", "--backend", "scalar", SHORTER);
  expect(o, OMR_OK);
  expect_text(o->err, "goes on after 3 of 6 chunks");
  expect_text(o->out, "result written to r.h5");
  expect_same("three sessions", "whole.h5", "r.h5");
  cr_expect_eq(integer_attribute("r.h5", "sessions"), 3);
  cr_expect_eq(integer_attribute("r.h5", "chunks"), CHUNKS);
}

/* What differs between backends is where a NaN's sign comes from, so bytes are compared with a run
 * on the same two. */
Test(kill, a_run_goes_on_with_another_backend) {
  run_and_die("r.h5", "chunk:4");
  const outcome *o = OMNIROLL("resume", "r.h5", "-v", "--backend", "opencl");
  if (o->code == OMR_ERR_DEVICE) cr_skip_test("%s", o->err);
  expect(o, OMR_OK);
  expect_text(o->out, "openmp, opencl");
  expect(RUN("whole.h5"), OMR_OK);
  expect_same("openmp, then opencl", "whole.h5", "r.h5");
}
