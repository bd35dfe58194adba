/* A study that names a file, to replay it or as the map of its floor: shards and resumed runs
 * notice that it changed, and a result can be read without it. */
#include "tests/cli/program.h"

#define STUDY                                                                                      \
  "{\"model\": \"omni_vehicle\", \"parameters\": {\"wheel\": {\"friction\": 0.3, \"drive\": "      \
  "{\"type\": \"replay_rate\", \"replay\": {\"file\": \"log.csv\", \"columns\": {\"time\": "       \
  "\"t\", \"rate\": \"w\"}}}}}, \"vary\": [{\"path\": \"wheel.drive.time_offset\", \"linspace\": " \
  "[-0.5, 0, 8]}], \"integrator\": {\"step\": \"1 ms\", \"duration\": \"50 ms\", \"stability\": "  \
  "\"ignore\"}, \"output\": {\"observables\": [\"final_x\", \"final_yaw\"]}, \"engine\": "         \
  "{\"backend\": \"openmp\", \"chunk\": 2}}"
#define TABLE "t,w\n0,1\n0.3,4\n0.6,-2\n"
#define OTHER "t,w\n0,1\n0.3,4\n0.6,-3\n"

static void start_up(void) {
  set_up();
  write_file("s.json", STUDY);
  write_file("log.csv", TABLE);
}

#define MAPPED                                                                                     \
  "{\"model\": \"omni_vehicle\", \"parameters\": {\"contact\": {\"normal\": \"compliant\"}, "      \
  "\"overlap\": \"allow\", \"floor\": {\"map\": {\"file\": \"map.csv\"}}}, \"vary\": [{\"path\": " \
  "\"floor.map.x\", \"linspace\": [-0.5, 0, 8]}], \"integrator\": {\"step\": \"0.1 ms\", "         \
  "\"duration\": \"5 ms\", \"stability\": \"ignore\"}, \"output\": {\"observables\": "             \
  "[\"final_x\", "                                                                                 \
  "\"final_height\"], \"trajectories\": {\"instances\": [1], \"interval\": \"1 ms\"}}, "           \
  "\"engine\": "                                                                                   \
  "{\"backend\": \"openmp\", \"chunk\": 2}}"

TestSuite(replay_files, .init = start_up, .fini = tear_down, .timeout = 120);

Test(replay_files, a_result_is_read_and_checked_without_the_file) {
  expect(OMNIROLL("run", "s.json", "-q", "-o", "r.h5"), OMR_OK);
  cr_assert_eq(unlink("log.csv"), 0);
  expect(OMNIROLL("analyze", "r.h5"), OMR_OK);
  expect(OMNIROLL("analyze", "r.h5", "--set", "statistics.fail=final_x > 1 m"), OMR_OK);
  expect(OMNIROLL("verify", "r.h5"), OMR_OK);
  expect(OMNIROLL("export", "r.h5", "-o", "r.csv"), OMR_OK);
}

Test(replay_files, shards_of_a_file_that_changed_are_not_put_together) {
  expect(OMNIROLL("run", "s.json", "-q", "--shard", "1/2", "-o", "a.h5"), OMR_OK);
  write_file("log.csv", OTHER);
  expect(OMNIROLL("run", "s.json", "-q", "--shard", "2/2", "-o", "b.h5"), OMR_OK);
  const outcome *o = OMNIROLL("merge", "-o", "x.h5", "a.h5", "b.h5");
  cr_expect_neq(o->code, OMR_OK);
  expect_text(o->err, "hash");
  cr_expect(!exists("x.h5"));
}

Test(replay_files, a_run_is_not_gone_on_with_another_file) {
  setenv("OMNIROLL_FAILPOINT", "chunk:2", 1);
  const outcome *o = OMNIROLL("run", "s.json", "-q", "-o", "r.h5");
  unsetenv("OMNIROLL_FAILPOINT");
  cr_assert_neq(o->code, OMR_OK);
  write_file("log.csv", OTHER);
  expect(OMNIROLL("resume", "r.h5.parts"), OMR_ERR_STUDY);
  expect_text(last.err, "log.csv is not the one that this study was written for");
  write_file("log.csv", TABLE);
  expect(OMNIROLL("resume", "r.h5.parts", "-q"), OMR_OK);
}

/* The map of the floor, in the same way. */
Test(replay_files, maps_are_held_to_their_hash_too) {
  write_file("s.json", MAPPED);
  write_file("map.csv", "x,z,height [mm]\n-2,-2,0\n2,-2,1\n-2,2,1\n2,2,2\n");
  setenv("OMNIROLL_FAILPOINT", "chunk:2", 1);
  const outcome *o = OMNIROLL("run", "s.json", "-q", "-o", "r.h5");
  unsetenv("OMNIROLL_FAILPOINT");
  cr_assert_neq(o->code, OMR_OK);
  write_file("map.csv", "x,z,height [mm]\n-2,-2,0\n2,-2,1\n-2,2,1\n2,2,3\n");
  expect(OMNIROLL("resume", "r.h5.parts"), OMR_ERR_STUDY);
  expect_text(last.err, "map.csv is not the one that this study was written for");
  write_file("map.csv", "x,z,height [mm]\n-2,-2,0\n2,-2,1\n-2,2,1\n2,2,2\n");
  expect(OMNIROLL("resume", "r.h5.parts", "-q"), OMR_OK);
  cr_assert_eq(unlink("map.csv"), 0);
  expect(OMNIROLL("analyze", "r.h5"), OMR_OK);
  expect(OMNIROLL("verify", "r.h5"), OMR_OK);
  expect(OMNIROLL("export", "r.h5", "--trajectories", "-o", "r.csv"), OMR_OK);
}
