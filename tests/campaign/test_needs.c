/* A run that cannot have the disk or the memory that it needs is refused before anything is made.
 */
#include "tests/campaign/campaign.h"

TestSuite(needs, .init = set_up_campaign, .fini = tear_down, .timeout = 120);

#define LARGE(count)                                                                               \
  "{\"model\": \"omni_wheel\", \"design\": {\"type\": \"monte_carlo\", \"instances\": " count      \
  "}, \"vary\": [{\"path\": \"wheel.friction\", \"uniform\": [0.1, 0.2]}], \"integrator\": "       \
  "{\"step\": 0.001, \"duration\": 0.01}, \"engine\": {\"backend\": \"openmp\"}}"

/* 499 bytes an instance: 2e15 bytes, 2000 TB, in 6 million chunks. No disk that this runs on has
 * them. */
Test(needs, more_than_the_disk_has_is_refused) {
  write_file("large.json", LARGE("4000000000000"));
  const outcome *o = OMNIROLL("run", "large.json");
  expect(o, OMR_ERR_IO);
  expect_text(o->err, "4000000000000 instances in 61035157 chunks may need ");
  expect_text(o->err, " GB of disk for its result and its chunks, and . has ");
  expect_text(o->err, "begin all the same with --oversize");
  cr_expect_not(exists("large.h5.parts"));
  cr_expect_not(exists("large.h5"));
  expect_text(OMNIROLL("plan", "large.json")->out, "without which run refuses to begin");
}

/* 2^53 is the most that a study may ask for. */
Test(needs, more_than_the_memory_is_refused) {
  write_file("large.json", LARGE("9007199254740992"));
  const outcome *o = OMNIROLL("run", "large.json");
  expect(o, OMR_ERR_MEMORY);
  expect_text(o->err, "9007199254740992 instances in 137438953472 chunks may need ");
  expect_text(o->err, " GB of memory, and this machine has ");
  cr_expect_not(exists("large.h5.parts"));
}

/* The failpoint ends the program where its work would begin. */
Test(needs, oversize_begins_all_the_same) {
  write_file("large.json", LARGE("400000000000"));
  set_failpoint("enter");
  expect(OMNIROLL("run", "large.json", "-q", "--oversize"), -1);
  set_failpoint("work");
  expect(OMNIROLL("run", "large.json", "-q"), OMR_ERR_IO);
  cr_expect_not(exists("large.h5.parts"));
  expect(OMNIROLL("run", "large.json", "-q", "--oversize"), -1);
  cr_expect(exists("large.h5.parts"));
  expect(OMNIROLL("resume", "large.h5", "-q"), OMR_ERR_IO);
  cr_expect(exists("large.h5.parts"));
  set_failpoint(NULL);
}

/* One that may end sooner is no less than it asks for. */
Test(needs, a_run_that_may_end_sooner_is_not_refused_for_its_disk) {
  write_file(
      "large.json",
      "{\"model\": \"omni_wheel\", \"design\": {\"type\": \"monte_carlo\", \"instances\": "
      "40000000000}, \"vary\": [{\"path\": \"wheel.friction\", \"uniform\": [0.1, 0.2]}], "
      "\"statistics\": {\"stop\": {\"quantity\": \"mean path_length\", \"width\": \"1 m\", "
      "\"at_least\": 64}}, \"integrator\": {\"step\": 0.001, \"duration\": 0.01}, \"engine\": "
      "{\"backend\": \"openmp\"}}");
  expect(OMNIROLL("run", "large.json", "-q"), OMR_OK);
}
