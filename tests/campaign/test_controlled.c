/* Long runs whose steps an error estimate chooses: killed, cut into shards, merged, they have every
 * byte of a run at once. The step error is measured by a tenth of the tolerance, also by those who
 * put results together. */
#define SHORTER                                                                                    \
  "--set", "engine.chunk=16", "--set",                                                             \
      "integrator={\"tolerance\": 1e-3, \"duration\": 0.05, \"budget\": 4000}"
#include "tests/campaign/campaign.h"

TestSuite(controlled, .init = set_up_campaign, .fini = tear_down, .timeout = 120);

Test(controlled, resume_after_a_kill_gives_the_same_bytes) {
  static const char *const points[] = {"integrate:3", "chunk:4",   "rename:4",
                                       "assemble:4",  "remeasure", "result_there"};
  expect(RUN("whole.h5"), OMR_OK);
  for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
    run_and_die("r.h5", points[i]);
    expect(OMNIROLL("resume", "r.h5", "-q"), OMR_OK);
    expect_same(points[i], "whole.h5", "r.h5");
    cr_assert_eq(unlink("r.h5"), 0);
  }
}

Test(controlled, shards_are_merged_to_the_same_bytes) {
  expect(RUN("whole.h5"), OMR_OK);
  expect(RUN("a.h5", "--shard", "1/2"), OMR_OK);
  expect(RUN("b.h5", "--shard", "2/2"), OMR_OK);
  expect(OMNIROLL("merge", "-o", "r.h5", "a.h5", "b.h5"), OMR_OK);
  expect_same("merged", "whole.h5", "r.h5");
}

Test(controlled, another_tolerance_is_another_run) {
  run_and_die("r.h5", "chunk:3");
  const outcome *o = RUN("r.h5", "--set", "integrator.tolerance=1e-4");
  cr_expect_neq(o->code, OMR_OK);
  expect_text(o->err, "integrator.tolerance was 0.001 and now is 0.0001");
}
