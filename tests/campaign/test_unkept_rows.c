/* Runs that keep no rows, or some: in one process, killed and resumed, by shards in one folder, and
 * by shards whose statistics are merged in different trees. Every file has the same bits. */
#define LEAST_DATASETS 50
#include "tests/campaign/campaign.h"

#include "campaign/chunks_in_memory.h"

#include <stdlib.h>

/* 8 chunks of 1024 vehicles, some of which have no radius. */
static const char draws[] =
    "{\"model\": \"uk_wheel\", \"vary\": [{\"path\": \"mass\", \"uniform\": [20, 30]}, "
    "{\"path\": \"radius\", \"normal\": [0.3, 0.2]}], "
    "\"design\": {\"type\": \"monte_carlo\", \"instances\": 8000, \"seed\": 3}, "
    "\"statistics\": {\"fail\": {\"fast\": \"max_speed > 1 m/s\"}}, "
    "\"integrator\": {\"step\": 0.05, \"duration\": 0.5}, \"engine\": {\"chunk\": 1000}, "
    "\"output\": {\"rows\": {\"sample\": 100}, "
    "\"trajectories\": {\"instances\": [3, 5000, \"extremes of max_speed\"], \"interval\": 0.1}}}";

static void set_up_draws(void) {
  set_up_campaign();
  write_file("draws.json", draws);
}

TestSuite(unkept_rows, .init = set_up_draws, .fini = tear_down, .timeout = 120);

#define DRAWS(output, ...) OMNIROLL("run", "draws.json", "-o", output, "-q", ##__VA_ARGS__)

Test(unkept_rows, a_file_has_the_rows_that_are_asked_for) {
  expect(DRAWS("whole.h5"), OMR_OK);
  const hid_t file = H5Fopen("whole.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  hsize_t rows = 0;
  cr_assert_geq(H5LTget_dataset_info(file, "/instances/instance", &rows, NULL, NULL), 0);
  cr_expect_eq(rows, 104, "the sample, and four that are traced");
  H5Fclose(file);
  const outcome *o = OMNIROLL("analyze", "-v", "whole.h5");
  expect(o, OMR_OK);
  expect_text(o->out, "invalid_parameters");
  expect_text(o->out, "largest in instance");
  expect_text(o->out, "quantiles +-");
  o = OMNIROLL("analyze", "whole.h5");
  expect_text(o->out, "rank correlations of 94 sampled instances");
  o = OMNIROLL("run", "draws.json", "-o", "none.h5", "--set", "output.rows=none");
  expect_text(o->out, "linear correlations");
  o = OMNIROLL("analyze", "whole.h5", "--set", "statistics.fail=max_speed > 2 m/s");
  expect(o, OMR_ERR_USAGE);
  expect_text(o->err, "does not keep the rows");
  expect(OMNIROLL("verify", "whole.h5"), OMR_OK);
}

Test(unkept_rows, a_kill_changes_no_bit) {
  expect(DRAWS("whole.h5"), OMR_OK);
  set_failpoint("chunk_there:3");
  expect(DRAWS("r.h5"), -1);
  set_failpoint("assemble:2");
  expect(OMNIROLL("resume", "r.h5", "-q"), -1);
  set_failpoint(NULL);
  damage("r.h5.parts/chunk-000001.h5", 3000);
  const outcome *o = OMNIROLL("resume", "r.h5");
  expect(o, OMR_OK);
  expect_text(o->err, "chunk 1 in r.h5.parts is computed again");
  expect_same("killed", "whole.h5", "r.h5");
}

Test(unkept_rows, shards_in_one_folder) {
  expect(DRAWS("whole.h5"), OMR_OK);
  for (int i = 1; i <= 3; i++) {
    char shard[16];
    snprintf(shard, sizeof shard, "%d/3", i);
    expect(DRAWS("r.h5", "--shard", shard), OMR_OK);
  }
  expect_same("shards", "whole.h5", "r.h5");
}

static void merge(const char *output, const char *a, const char *b, const char *how) {
  expect(OMNIROLL("merge", "-q", "-o", output, a, b, how), OMR_OK);
}

Test(unkept_rows, every_tree_gives_the_same_bits) {
  expect(DRAWS("whole.h5"), OMR_OK);
  for (int i = 1; i <= 4; i++) {
    char shard[16], name[16];
    snprintf(shard, sizeof shard, "%d/4", i);
    snprintf(name, sizeof name, "%d.h5", i);
    expect(DRAWS(name, "--shard", shard), OMR_OK);
  }
  expect(OMNIROLL("merge", "-q", "-o", "flat.h5", "4.h5", "2.h5", "1.h5", "3.h5"), OMR_OK);
  expect_same("flat", "whole.h5", "flat.h5");
  merge("12.h5p", "1.h5", "2.h5", "--partial");
  merge("43.h5p", "4.h5", "3.h5", "--partial");
  merge("halves.h5", "43.h5p", "12.h5p", "--strict");
  expect_same("halves", "whole.h5", "halves.h5");
  merge("41.h5p", "4.h5", "1.h5", "--partial");
  merge("241.h5p", "2.h5", "41.h5p", "--partial");
  merge("chain.h5", "241.h5p", "3.h5", "--strict");
  expect_same("chain", "whole.h5", "chain.h5");
  cr_expect_eq(integer_attribute("chain.h5", "chunks"), 8);
}

/* Memory does not grow with the number of chunks: sums are read from their files at the end. */
Test(unkept_rows, sums_are_not_held_until_the_end) {
  omr_kept kept = {0};
  for (size_t i = 0; i < 2; i++) {
    omr_result *chunk = calloc(1, sizeof *chunk);
    cr_assert_not_null(chunk);
    chunk->partial = calloc(1, 1);
    omr_kept_add(&kept, i, chunk);
  }
  cr_expect_null(omr_kept_take(&kept, 0));
  omr_result *last = omr_kept_take(&kept, 1);
  cr_expect_not_null(last);
  omr_result_destroy(last);
  omr_kept_free(&kept);
}

/* A part of a run says so, and is not taken for its result; the merged one does not. */
Test(unkept_rows, a_part_is_no_result) {
  expect(DRAWS("1.h5", "--shard", "1/2"), OMR_OK);
  expect(DRAWS("2.h5", "--shard", "2/2"), OMR_OK);
  expect(OMNIROLL("merge", "-q", "-o", "p.h5", "1.h5", "--partial"), OMR_OK);
  const outcome *o = OMNIROLL("analyze", "p.h5");
  expect(o, OMR_OK);
  expect_text(o->out, "this file is a part of a run: it has 4 of 8 chunks");
  o = DRAWS("p.h5");
  expect(o, OMR_ERR_IO);
  expect_text(o->err, "merge --partial made it of some chunks");
  merge("whole.h5", "p.h5", "2.h5", "--strict");
  o = OMNIROLL("analyze", "whole.h5");
  cr_expect_null(strstr(o->out, "a part of a run"));
}

Test(unkept_rows, parts_that_do_not_fit_are_refused) {
  expect(DRAWS("1.h5", "--shard", "1/2"), OMR_OK);
  expect(DRAWS("2.h5", "--shard", "2/2", "--set", "design.seed=4"), OMR_OK);
  expect(OMNIROLL("merge", "-q", "-o", "p.h5", "1.h5", "--partial"), OMR_OK);
  const outcome *o = OMNIROLL("merge", "-o", "r.h5", "p.h5", "1.h5");
  expect(o, OMR_ERR_IO);
  expect_text(o->err, "4 of 8 chunks are missing or damaged: 1 (shard 2/2)");
  expect(OMNIROLL("merge", "-q", "-o", "q.h5", "1.h5", "--partial"), OMR_OK);
  o = OMNIROLL("merge", "-o", "r.h5", "p.h5", "q.h5");
  expect(o, OMR_ERR_USAGE);
  expect_text(o->err, "chunk 0 is in two of the files, q.h5 among them");
  o = OMNIROLL("merge", "-o", "r.h5", "p.h5", "2.h5");
  expect(o, OMR_ERR_IO);
  expect_text(o->err, "design.seed");
  expect(RUN("kept.h5", "--shard", "1/2"), OMR_OK);
  o = OMNIROLL("merge", "-o", "r.h5", "kept.h5", "--partial");
  expect(o, OMR_ERR_USAGE);
  expect_text(o->err, "the study keeps its rows");
  o = OMNIROLL("run", "draws.json", "-o", "r.h5", "--set",
               "statistics.stop={\"quantity\": "
               "\"mean max_speed\", \"width\": 1}");
  expect(o, OMR_ERR_STUDY);
  expect_text(o->err, "looks at rows");
}
