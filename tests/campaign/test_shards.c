/* Shards: one study done by several processes, in one folder or in several, and how launchers say
 * which part is whose. */
#include "tests/campaign/campaign.h"

#include "campaign/shard.h"

TestSuite(shards, .init = set_up_campaign, .fini = tear_down, .timeout = 120);

Test(shards, in_one_folder_the_last_puts_the_result_together) {
  expect(RUN("whole.h5"), OMR_OK);
  expect(RUN("r.h5", "--shard", "2/3"), OMR_OK);
  const outcome *o =
      OMNIROLL("run", study, "-o", "r.h5", "--backend", "openmp", SHORTER, "--shard", "3/3");
  expect(o, OMR_OK);
  expect_text(o->out, "shard 3/3 is done: 4 of 6 chunks are in r.h5.parts");
  expect_text(o->out, "omniroll merge -o r.h5");
  expect_text(o->err, "still missing in r.h5.parts: 0 (shard 1/3), 3 (shard 1/3)");
  expect(RUN("r.h5", "--shard", "2/3"), OMR_OK); /* once more: nothing to do */
  cr_expect_not(exists("r.h5"));
  damage("r.h5.parts/chunk-000004.h5", 5000); /* of a shard that is done */
  o = OMNIROLL("resume", "r.h5", "--shard", "1/3");
  expect(o, OMR_OK);
  expect_text(o->err, "chunk 4 in r.h5.parts is computed again");
  expect_text(o->out, "result written to r.h5");
  expect_same("one folder", "whole.h5", "r.h5");
  cr_expect_not(exists("r.h5.parts"));
  o = OMNIROLL("run", study, "-o", "r.h5", "--backend", "scalar", SHORTER, "--shard",
               "2/3"); /* late */
  expect(o, OMR_OK);
  expect_text(o->out, "r.h5 is complete");
}

/* A kill while it puts together, then a whole resume. */
Test(shards, a_folder_of_shards_is_finished_by_one_process_too) {
  expect(RUN("whole.h5"), OMR_OK);
  expect(RUN("r.h5", "--shard", "1/2"), OMR_OK);
  set_failpoint("chunk:2");
  expect(RUN("r.h5", "--shard", "2/2"), -1);
  set_failpoint(NULL);
  const outcome *o = OMNIROLL("resume", "r.h5");
  expect(o, OMR_OK);
  expect_text(o->err, "goes on after 4 of 6 chunks");
  expect_same("shards, then the whole", "whole.h5", "r.h5");
}

Test(shards, folders_of_their_own_are_merged) {
  expect(RUN("whole.h5"), OMR_OK);
  expect(RUN("a.h5", "--shard", "1/3"), OMR_OK);
  expect(RUN("b.h5", "--shard", "2/3"), OMR_OK);
  expect(RUN("c.h5", "--shard", "3/3"), OMR_OK);
  const outcome *o = OMNIROLL("merge", "-o", "r.h5", "a.h5.parts", "c.h5");
  expect(o, OMR_ERR_IO);
  expect_text(o->err, "2 of 6 chunks are missing or damaged: 1 (shard 2/3), 4 (shard 2/3)");
  cr_expect_not(exists("r.h5"));
  damage("c.h5.parts/chunk-000002.h5", 4000);
  o = OMNIROLL("merge", "-o", "r.h5", "a.h5.parts", "b.h5.parts", "c.h5.parts");
  expect(o, OMR_ERR_IO);
  expect_text(o->err, "chunk 2 in c.h5.parts is left out: the checksum of its file differs");
  expect_text(o->err, "1 of 6 chunks are missing or damaged: 2 (shard 3/3)");
  expect(OMNIROLL("resume", "c.h5", "--shard", "3/3", "-q"), OMR_OK);
  o = OMNIROLL("merge", "-o", "r.h5", "b.h5.parts/", "c.h5.parts", "a.h5.parts", "a.h5.parts.copy");
  expect(o, OMR_ERR_IO);
  shell("mv b.h5.parts somewhere");
  o = OMNIROLL("merge", "-o", "r.h5", "c.h5", "somewhere", "a.h5");
  expect(o, OMR_OK);
  expect_same("merged", "whole.h5", "r.h5");
  cr_expect(exists("a.h5.parts"), "the folders stay");
}

/* Each machine takes the threads that it has; the result's study is that of the first folder. */
Test(shards, folders_with_threads_of_their_own_are_merged) {
  expect(RUN("whole.h5"), OMR_OK);
  expect(RUN("a.h5", "--shard", "1/2"), OMR_OK);
  expect(RUN("b.h5", "--shard", "2/2", "--threads", "2"), OMR_OK);
  expect(OMNIROLL("merge", "-o", "r.h5", "a.h5", "b.h5"), OMR_OK);
  expect_same("merged", "whole.h5", "r.h5");
}

Test(shards, folders_of_different_studies_are_not_merged) {
  expect(RUN("a.h5", "--shard", "1/2"), OMR_OK);
  expect(RUN("b.h5", "--shard", "2/2", "--set", "design.seed=7"), OMR_OK);
  const outcome *o = OMNIROLL("merge", "-o", "r.h5", "a.h5", "b.h5");
  expect(o, OMR_ERR_IO);
  expect_text(o->err, "design.seed was \"20240501\" and now is 7");
  expect(OMNIROLL("merge", "a.h5"), OMR_ERR_USAGE);
  expect(OMNIROLL("merge", "-o", "r.h5"), OMR_ERR_USAGE);
  expect(OMNIROLL("merge", "-o", "r.h5", "short.json"), OMR_ERR_IO);
  o = RUN("a.h5", "--shard", "2/2", "--restart");
  expect(o, OMR_ERR_USAGE);
  expect_text(o->err, "would forget what other shards have done");
}

/* Four processes at once, as mpirun starts them: two finish about together, one finds nothing to
 * do. */
Test(shards, ranks_of_a_launcher_share_the_chunks) {
  pid_t ranks[7];
  char number[16];
  expect(RUN("whole.h5"), OMR_OK);
  setenv("OMPI_COMM_WORLD_SIZE", "7", 1);
  for (int i = 0; i < 7; i++) {
    snprintf(number, sizeof number, "%d", i);
    setenv("OMPI_COMM_WORLD_RANK", number, 1);
    ranks[i] = start("/dev/null", (const char *const[]){"run", study, "-o", "r.h5", "--backend",
                                                        "openmp", SHORTER, NULL});
  }
  for (int i = 0; i < 7; i++) expect(finish(ranks[i]), OMR_OK);
  expect_same("seven ranks", "whole.h5", "r.h5");
  cr_expect_not(exists("r.h5.parts"));
}

static void expect_shard(int shard, int shards, const char *origin) {
  omr_shard found;
  omr_error error = {.message = ""};
  cr_assert_eq(omr_shard_from_environment(&found, &error), OMR_OK, "%s", error.message);
  cr_expect_eq(found.shard, shard, "%d", found.shard);
  cr_expect_eq(found.shards, shards, "%d", found.shards);
  cr_expect_str_eq(found.origin, origin, "%s", found.origin);
}

static void set(const char *const *pairs) {
  static const char *const all[] = {"OMPI_COMM_WORLD_RANK",
                                    "OMPI_COMM_WORLD_SIZE",
                                    "PMI_RANK",
                                    "PMI_SIZE",
                                    "SLURM_PROCID",
                                    "SLURM_STEP_NUM_TASKS",
                                    "SLURM_NTASKS",
                                    "SLURM_ARRAY_TASK_ID",
                                    "SLURM_ARRAY_TASK_COUNT",
                                    "SLURM_ARRAY_TASK_MIN",
                                    "SLURM_ARRAY_TASK_STEP"};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) unsetenv(all[i]);
  for (; *pairs; pairs += 2) setenv(pairs[0], pairs[1], 1);
}

#define ENVIRONMENT(...) set((const char *const[]){__VA_ARGS__, NULL})

/* Names and meanings: sbatch(1) and srun(1), "output environment variables"; mpirun(1) of Open MPI.
 */
Test(shards, launchers_are_understood) {
  set((const char *const[]){NULL});
  expect_shard(0, 0, "");
  ENVIRONMENT("OMPI_COMM_WORLD_RANK", "2", "OMPI_COMM_WORLD_SIZE", "4");
  expect_shard(3, 4, "mpirun: rank 2");
  ENVIRONMENT("OMPI_COMM_WORLD_RANK", "0", "OMPI_COMM_WORLD_SIZE", "1");
  expect_shard(0, 0, "");
  ENVIRONMENT("PMI_RANK", "0", "PMI_SIZE", "2");
  expect_shard(1, 2, "mpirun: rank 0");
  ENVIRONMENT("SLURM_PROCID", "0", "SLURM_NTASKS", "4"); /* a batch script: nobody else runs */
  expect_shard(0, 0, "");
  ENVIRONMENT("SLURM_PROCID", "1", "SLURM_NTASKS", "4", "SLURM_STEP_NUM_TASKS", "4");
  expect_shard(2, 4, "srun: rank 1");
  ENVIRONMENT("SLURM_ARRAY_TASK_ID", "7", "SLURM_ARRAY_TASK_COUNT", "4", "SLURM_ARRAY_TASK_MIN",
              "1", "SLURM_ARRAY_TASK_STEP", "2"); /* --array=1-7:2 */
  expect_shard(4, 4, "Slurm array: task 7");
  ENVIRONMENT("SLURM_ARRAY_TASK_ID", "1", "SLURM_ARRAY_TASK_COUNT", "3", "SLURM_ARRAY_TASK_MIN",
              "0", "OMPI_COMM_WORLD_RANK", "1", "OMPI_COMM_WORLD_SIZE", "2", "SLURM_PROCID", "0",
              "SLURM_STEP_NUM_TASKS", "1");
  expect_shard(4, 6, "Slurm array: task 1, mpirun: rank 1");
  ENVIRONMENT("SLURM_ARRAY_TASK_ID", "9", "SLURM_ARRAY_TASK_COUNT", "3", "SLURM_ARRAY_TASK_MIN",
              "1"); /* --array=1,4,9 */
  omr_shard found;
  omr_error error = {.message = ""};
  cr_expect_eq(omr_shard_from_environment(&found, &error), OMR_ERR_USAGE);
  expect_text(error.message, "--shard none");
}

Test(shards, the_option_is_checked) {
  omr_shard found;
  static const char *const wrong[] = {"0/3", "4/3",  "1",    "1/",  "/3",
                                      "a/b", "1/3x", "-1/3", "1/0", ""};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    cr_expect_eq(omr_shard_parse(wrong[i], &found, NULL), OMR_ERR_USAGE, "%s", wrong[i]);
  cr_expect_eq(omr_shard_parse("3/3", &found, NULL), OMR_OK);
  cr_expect(found.shard == 3 && found.shards == 3);
  cr_expect_eq(omr_shard_parse("none", &found, NULL), OMR_OK);
  cr_expect(found.shards == 0);
}
