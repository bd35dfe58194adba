/* Shards: one study done by several processes, in one folder or in several, and how launchers say
 * which part is whose. */
#include "tests/campaign/campaign.h"

#include "campaign/shard.h"

#include <sys/resource.h>

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
  double seconds = -1; /* of this merge, not since the machine began */
  const char *time = strstr(o->out, "\n  time ");
  cr_assert_not_null(time);
  cr_assert_eq(sscanf(time, " time %lf s", &seconds), 1);
  cr_expect(seconds > 0 && seconds < 60, "%g s", seconds);
  expect_same("merged", "whole.h5", "r.h5");
  cr_expect(exists("a.h5.parts"), "the folders stay");
}

/* Each machine takes the threads that it has; the result's study is that of the first folder. */
/* A merge raises the soft limit of open files; the hard one has a remedy. */
Test(shards, more_folders_than_open_files_are_merged) {
  enum { FOLDERS = 6, FEW = 16 };
  char names[FOLDERS][16], shard[16];
  struct rlimit limit;
  expect(RUN("whole.h5"), OMR_OK);
  for (int i = 0; i < FOLDERS; i++) {
    snprintf(names[i], sizeof names[i], "%d.h5", i);
    snprintf(shard, sizeof shard, "%d/%d", i + 1, FOLDERS);
    expect(RUN(names[i], "--shard", shard), OMR_OK);
  }
  cr_assert_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
  limit.rlim_cur = FEW;
  cr_assert_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
  expect(
      OMNIROLL("merge", "-o", "r.h5", names[0], names[1], names[2], names[3], names[4], names[5]),
      OMR_OK);
  expect_same("merged", "whole.h5", "r.h5");
  limit.rlim_max = FEW;
  cr_assert_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
  const outcome *o =
      OMNIROLL("merge", "-o", "s.h5", names[0], names[1], names[2], names[3], names[4], names[5]);
  expect(o, OMR_ERR_IO);
  expect_text(o->err, "ulimit -n");
}

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
  static const char *const all[] = {
      "OMNIROLL_SHARD",
      "SLURM_NTASKS",
#define ARRAY(name, index, base, first, last, step, count) index, first, last, step, count,
#define RANK(name, rank, size) rank, size,
#include "lists/launchers.def"
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i]) unsetenv(all[i]);
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
  ENVIRONMENT("FLUX_TASK_RANK", "1", "FLUX_JOB_SIZE", "2", "PMI_RANK", "5", "PMI_SIZE", "6");
  expect_shard(2, 2, "flux: rank 1"); /* flux may itself run under another launcher */
}

static void expect_refused(const char *part) {
  omr_shard found;
  omr_error error = {.message = ""};
  cr_expect_eq(omr_shard_from_environment(&found, &error), OMR_ERR_USAGE, "%s", part);
  expect_text(error.message, part);
  expect_text(error.message, "--shard");
}

/* qsub(1) of PBS and of SGE, bsub(1); "job environment variables" of AWS Batch, "indexed jobs" of
 * Kubernetes, "container runtime contract" of Cloud Run. */
Test(shards, every_kind_of_array_is_understood) {
  ENVIRONMENT("SGE_TASK_ID", "undefined", "SGE_TASK_LAST", "undefined"); /* no array */
  expect_shard(0, 0, "");
  ENVIRONMENT("SGE_TASK_ID", "9", "SGE_TASK_FIRST", "5", "SGE_TASK_LAST", "12", "SGE_TASK_STEPSIZE",
              "2"); /* -t 5-12:2, which is 5, 7, 9, 11 */
  expect_shard(3, 4, "SGE array: task 9");
  ENVIRONMENT("LSB_JOBINDEX", "0", "LSB_JOBINDEX_END", "0", "LSB_JOBINDEX_STEP", "0");
  expect_shard(0, 0, ""); /* no array */
  ENVIRONMENT("LSB_JOBINDEX", "8", "LSB_JOBINDEX_END", "8", "LSB_JOBINDEX_STEP", "1");
  expect_shard(8, 8, "LSF array: task 8");
  ENVIRONMENT("AWS_BATCH_JOB_ARRAY_INDEX", "0", "AWS_BATCH_JOB_ARRAY_SIZE", "5");
  expect_shard(1, 5, "AWS Batch array: task 0");
  ENVIRONMENT("CLOUD_RUN_TASK_INDEX", "4", "CLOUD_RUN_TASK_COUNT", "5");
  expect_shard(5, 5, "Cloud Run job: task 4");
  ENVIRONMENT("CLOUD_RUN_TASK_INDEX", "0", "CLOUD_RUN_TASK_COUNT", "1");
  expect_shard(0, 0, "");
  ENVIRONMENT("PBS_ARRAY_INDEX", "3");
  expect_refused("--shard $PBS_ARRAY_INDEX/N, or $PBS_ARRAY_INDEX+1/N where they count from 0");
  ENVIRONMENT("PBS_ARRAYID", "3");
  expect_refused("Torque array: PBS_ARRAYID is 3");
  ENVIRONMENT("JOB_COMPLETION_INDEX", "0");
  expect_refused("Kubernetes job: JOB_COMPLETION_INDEX is 0");
  ENVIRONMENT("AWS_BATCH_JOB_ARRAY_INDEX", "0");
  expect_refused("no variable tells the number of tasks");
  ENVIRONMENT("SLURM_ARRAY_TASK_ID", "9", "SLURM_ARRAY_TASK_COUNT", "3", "SLURM_ARRAY_TASK_MIN",
              "1"); /* --array=1,4,9 */
  expect_refused("no place in an array without gaps");
}

Test(shards, variables_that_tell_no_place_are_refused) {
  ENVIRONMENT("SLURM_ARRAY_TASK_ID", "abc", "SLURM_ARRAY_TASK_COUNT", "3", "SLURM_ARRAY_TASK_MIN",
              "1");
  expect_refused("SLURM_ARRAY_TASK_ID=abc is no whole number");
  ENVIRONMENT("SLURM_ARRAY_TASK_ID", "1", "SLURM_ARRAY_TASK_COUNT", "3x");
  expect_refused("SLURM_ARRAY_TASK_COUNT=3x is no whole number");
  ENVIRONMENT("SLURM_ARRAY_TASK_ID", "6", "SLURM_ARRAY_TASK_COUNT", "3", "SLURM_ARRAY_TASK_MIN",
              "1", "SLURM_ARRAY_TASK_STEP", "4"); /* --array=1-9:4 is 1, 5, 9 */
  expect_refused("SLURM_ARRAY_TASK_ID=6 is no index that the array has");
  ENVIRONMENT("OMPI_COMM_WORLD_RANK", "1");
  expect_refused("OMPI_COMM_WORLD_SIZE, the number of ranks, is not set");
  ENVIRONMENT("OMPI_COMM_WORLD_RANK", "1", "OMPI_COMM_WORLD_SIZE", "two");
  expect_refused("OMPI_COMM_WORLD_SIZE=two is no whole number");
  ENVIRONMENT("OMPI_COMM_WORLD_RANK", "x", "OMPI_COMM_WORLD_SIZE", "2");
  expect_refused("OMPI_COMM_WORLD_RANK=x is no whole number");
  ENVIRONMENT("PMI_RANK", "2", "PMI_SIZE", "2");
  expect_refused("PMI_RANK=2 is no rank of PMI_SIZE=2");
  setenv("OMNIROLL_SHARD", "none", 1);
  expect_shard(0, 0, "");
}

Test(shards, variables_that_disagree_are_named) {
  ENVIRONMENT("SLURM_ARRAY_TASK_ID", "3", "SLURM_ARRAY_TASK_COUNT", "8", "SLURM_ARRAY_TASK_MIN",
              "1", "SGE_TASK_ID", "3", "SGE_TASK_FIRST", "1", "SGE_TASK_LAST", "8", "PBS_ARRAYID",
              "3"); /* words of other systems, as some sites set them */
  expect_shard(3, 8, "Slurm array: task 3");
  ENVIRONMENT("SLURM_ARRAY_TASK_ID", "3", "SLURM_ARRAY_TASK_COUNT", "8", "SLURM_ARRAY_TASK_MIN",
              "1", "SGE_TASK_ID", "4", "SGE_TASK_FIRST", "1", "SGE_TASK_LAST", "8");
  expect_refused("SLURM_ARRAY_TASK_ID=3 of Slurm array and SGE_TASK_ID=4 of SGE array");
  ENVIRONMENT("JOB_COMPLETION_INDEX", "2", "CLOUD_RUN_TASK_INDEX", "3", "CLOUD_RUN_TASK_COUNT",
              "8");
  expect_refused("are different places of one process");
}

Test(shards, a_variable_says_what_the_option_says) {
  ENVIRONMENT("OMNIROLL_SHARD", "2/3");
  expect_shard(2, 3, "OMNIROLL_SHARD");
  ENVIRONMENT("OMNIROLL_SHARD", "3+1/8", "JOB_COMPLETION_INDEX", "3");
  expect_shard(4, 8, "OMNIROLL_SHARD");
  ENVIRONMENT("OMNIROLL_SHARD", "2/3", "SGE_TASK_ID", "7", "SGE_TASK_LAST", "8");
  expect_shard(2, 3, "OMNIROLL_SHARD, not SGE array: task 7,");
  ENVIRONMENT("OMNIROLL_SHARD", "none", "SGE_TASK_ID", "7", "SGE_TASK_LAST", "8");
  expect_shard(0, 0, "");
  ENVIRONMENT("OMNIROLL_SHARD", "7");
  omr_shard found;
  omr_error error = {.message = ""};
  cr_expect_eq(omr_shard_from_environment(&found, &error), OMR_ERR_USAGE);
  expect_text(error.message, "OMNIROLL_SHARD=7: expected I/N");
}

/* Two tasks of an indexed job of Kubernetes, which expands the variable and computes nothing. */
Test(shards, an_index_from_0_is_written_as_a_sum) {
  expect(RUN("whole.h5"), OMR_OK);
  const outcome *o = RUN("r.h5", "--shard", "0/2");
  expect(o, OMR_ERR_USAGE);
  expect_text(o->err, "of an index that counts from 0 write the sum: 0+1/2");
  expect(RUN("r.h5", "--shard", "0+1/2"), OMR_OK);
  setenv("OMNIROLL_SHARD", "1+1/2", 1);
  o = OMNIROLL("run", study, "-o", "r.h5", "--backend", "openmp", SHORTER, "--verbose");
  expect(o, OMR_OK);
  expect_text(o->err, "OMNIROLL_SHARD does shard 2/2: every 2nd chunk");
  expect_same("by sums", "whole.h5", "r.h5");
}

Test(shards, the_option_is_checked) {
  omr_shard found;
  static const char *const wrong[] = {"0/3",   "4/3",  "1",     "1/",    "/3",
                                      "a/b",   "1/3x", "-1/3",  "1/0",   "",
                                      "3+1/3", "1+/3", "1+x/3", "1-1/3", "9999999999+1/3"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    cr_expect_eq(omr_shard_parse(wrong[i], &found, NULL), OMR_ERR_USAGE, "%s", wrong[i]);
  cr_expect_eq(omr_shard_parse("3/3", &found, NULL), OMR_OK);
  cr_expect(found.shard == 3 && found.shards == 3);
  cr_expect_eq(omr_shard_parse("5-3+1/3", &found, NULL), OMR_OK);
  cr_expect(found.shard == 3 && found.shards == 3);
  cr_expect_eq(omr_shard_parse("none", &found, NULL), OMR_OK);
  cr_expect(found.shards == 0);
}
