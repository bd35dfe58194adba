/* Runs whose later instances, or whose end, depend on what came out before: the exact probability
 * of a rare failure through the whole program, stopping by an interval, and the same bits after
 * kills, in pieces, in memory and on other backends. */
#include "result/reader.h"
#include "study/study.h"
#define LEAST_DATASETS 30
#include "tests/campaign/campaign.h"

#include <math.h>

/* mass = 25 + u, radius = 0.3 + 0.01 v with Pearson's correlation r = 2 sin(pi/12) of the normal
 * variables (rank correlation 0.5), so (u + v) / sqrt(2 + 2 r) is standard normal:
 * above 3.719016485455709 with probability 1e-4 (mpmath, 50 digits). The inertia is independent of
 * them and negative for 16 % of the instances, which fail and are left out. */
#define RARE                                                                                       \
  "{\"model\": \"uk_wheel\", \"title\": \"rare\", \"parameters\": {\"drive\": {\"type\": "         \
  "\"constant\", \"torque\": \"5 N m\"}},"                                                         \
  "\"vary\": [{\"path\": \"mass\", \"normal\": [25, 1]}, {\"path\": \"radius\", \"normal\": "      \
  "[0.3, 0.01]},"                                                                                  \
  " {\"path\": \"inertia\", \"normal\": [1, 1]}],"                                                 \
  "\"design\": {\"type\": \"subset_simulation\", \"instances\": 400, \"seed\": \"3\", "            \
  "\"level_probability\": 0.25,"                                                                   \
  " \"correlation\": [{\"paths\": [\"mass\", \"radius\"], \"rank\": 0.5}]},"                       \
  "\"statistics\": {\"fail\": \"((mass - 25 kg) / 1 kg + (radius - 30 cm) / 1 cm) / %.17g > "      \
  "3.719016485455709\"},"                                                                          \
  "\"integrator\": {\"step\": \"1 ms\", \"duration\": \"2 ms\"},"                                  \
  "\"output\": {\"trajectories\": {\"instances\": [3, 401, 1000], \"interval\": \"1 ms\"}}}"

/* The probability 1 - Phi(0.5) of a normal variable; the inertia is negative for 2 % of the
 * instances, which fail. */
#define STOPPED                                                                                    \
  "{\"model\": \"uk_wheel\", \"title\": \"stopped\", \"parameters\": {\"drive\": {\"type\": "      \
  "\"constant\", \"torque\": \"5 N "                                                               \
  "m\"}},"                                                                                         \
  "\"vary\": [{\"path\": \"mass\", \"normal\": [25, 1]}, {\"path\": \"inertia\", \"normal\": [1, " \
  "0.5]}],"                                                                                        \
  "\"design\": {\"type\": \"monte_carlo\", \"instances\": 20000, \"seed\": \"3\"},"                \
  "\"statistics\": {\"fail\": {\"heavy\": \"mass > 25.5 kg\"}, \"stop\": {\"quantity\": "          \
  "\"fail.heavy\", \"width\": 0.05}},"                                                             \
  "\"integrator\": {\"step\": \"1 ms\", \"duration\": \"2 ms\"}}"

static void set_up_adaptive(void) {
  char text[4096];
  set_up_campaign();
  snprintf(text, sizeof text, RARE, sqrt(2 + 4 * sin(acos(-1.0) / 12)));
  write_file("rare.json", text);
  write_file("stop.json", STOPPED);
}

TestSuite(adaptive, .init = set_up_adaptive, .fini = tear_down, .timeout = 120);

static double number_of(const char *path, const char *group, const char *name) {
  double value = (double)NAN;
  const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  cr_assert_geq(file, 0, "%s", path);
  cr_assert_geq(H5LTget_attribute_double(file, group, name, &value), 0, "%s %s", group, name);
  H5Fclose(file);
  return value;
}

static void expect_word(const char *path, const char *group, const char *name,
                        const char *expected) {
  char *text = NULL;
  const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  cr_assert_geq(H5LTget_attribute_string(file, group, name, (char *)&text), 0);
  cr_expect_str_eq(text, expected);
  H5free_memory(text);
  H5Fclose(file);
}

#define RARE_RUN(output, ...)                                                                      \
  OMNIROLL("run", "rare.json", "-o", output, "--backend", "openmp", ##__VA_ARGS__)

Test(adaptive, a_rare_failure_has_its_exact_probability) {
  const outcome *o = RARE_RUN("r.h5", "-v");
  expect(o, OMR_OK);
  expect_text(o->out, "by subset simulation");
  expect_text(o->out, "had no margin and were left out");
  expect_text(o->out, "tables are of the 400 instances of level 0");
  const double p = number_of("r.h5", "/statistics/subset", "probability");
  const double low = number_of("r.h5", "/statistics/subset", "probability_low");
  const double high = number_of("r.h5", "/statistics/subset", "probability_high");
  cr_expect(low < 1e-4 && 1e-4 < high && low < p && p < high, "%g in %g to %g", p, low, high);
  cr_expect_lt(high / low, 30);
  cr_expect_eq(number_of("r.h5", "/statistics/subset", "reached"), 1);
  cr_expect_gt(number_of("r.h5", "/statistics/subset", "left_out_failed"), 100);
}

/* level 0: all rows are states but those that failed, and its rows alone are in the means; later
 * levels: 3 steps of 100 chains.
 */
Test(adaptive, rows_tell_their_level) {
  expect(RARE_RUN("r.h5", "-q"), OMR_OK);
  const hid_t file = H5Fopen("r.h5", H5F_ACC_RDONLY, H5P_DEFAULT),
              group = H5Gopen2(file, "instances", H5P_DEFAULT);
  const hid_t names[] = {H5Dopen2(group, "level", H5P_DEFAULT),
                         H5Dopen2(group, "accepted", H5P_DEFAULT),
                         H5Dopen2(group, "status", H5P_DEFAULT)};
  size_t bytes;
  int8_t *level = read_raw(names[0], &bytes), *accepted = read_raw(names[1], &bytes),
         *status = read_raw(names[2], &bytes);
  cr_assert_gt(bytes, 1600);
  size_t taken = 0, used = 0;
  for (size_t row = 0; row < bytes; row++) {
    cr_expect_eq(level[row], row < 400 ? 0 : 1 + (int)(row - 400) / 300, "row %zu", row);
    if (row < 400) cr_expect_eq(accepted[row], status[row] == OMR_INSTANCE_OK);
    if (status[row] != OMR_INSTANCE_OK) cr_expect_eq(accepted[row], 0);
    used += row < 400 && status[row] == OMR_INSTANCE_OK;
    taken += row >= 400 && accepted[row];
  }
  cr_expect((double)taken / (double)(bytes - 400) > 0.3 &&
            (double)taken / (double)(bytes - 400) < 0.6);
  const hid_t counts = H5Dopen2(file, "statistics/used", H5P_DEFAULT);
  uint64_t first = 0, *all = read_raw(counts, &bytes);
  first = all[0]; /* of the first quantity, the mass */
  cr_expect_eq(first, used);
  free(all);
  free(level);
  free(accepted);
  free(status);
  for (int i = 0; i < 3; i++) H5Dclose(names[i]);
  H5Dclose(counts);
  H5Gclose(group);
  H5Fclose(file);
}

Test(adaptive, kills_and_chunks_do_not_change_a_bit_of_a_rare_failure) {
  static const char *const points[] = {"integrate:6", "chunk_there:9", "assemble:3"};
  expect(RARE_RUN("whole.h5", "-q"), OMR_OK);
  for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
    set_failpoint(points[i]);
    cr_assert_eq(RARE_RUN("r.h5", "-q")->code, -1, "%s", points[i]);
    set_failpoint(NULL);
    expect(OMNIROLL("resume", "r.h5", "-q"), OMR_OK);
    expect_same(points[i], "whole.h5", "r.h5");
    cr_assert_eq(unlink("r.h5"), 0);
  }
}

Test(adaptive, shards_are_refused) {
  const outcome *o = RARE_RUN("r.h5", "--shard", "1/2");
  expect(o, OMR_ERR_USAGE);
  expect_text(o->err, "depend on what came out before");
}

static omr_result *run_here(const char *path, const char *backend, const char *chunk,
                            omr_study **study) {
  const char *const overrides[] = {backend, chunk};
  omr_error error = {0};
  omr_result *result = NULL;
  cr_assert_eq(omr_study_load(path, overrides, 2, study, &error), OMR_OK, "%s", error.message);
  const omr_status status = omr_run(*study, NULL, &result, &error);
  cr_assert(status == OMR_OK || status == OMR_ERR_DEVICE, "%s", error.message);
  if (status == OMR_ERR_DEVICE) skip_part("%s", error.message);
  return result;
}

static void expect_rows(const char *label, const omr_result *a, const omr_result *b) {
  cr_assert_eq(a->instances, b->instances, "%s: %zu and %zu rows", label, a->instances,
               b->instances);
  cr_expect_eq(memcmp(a->status, b->status, a->instances), 0, "%s: status", label);
  for (size_t c = 0; c < a->column_count; c++)
    for (size_t row = 0; row < a->instances; row++) {
      const double x = a->columns[c].values[row], y = b->columns[c].values[row];
      if (memcmp(&x, &y, sizeof x) == 0 || (isnan(x) && isnan(y))) continue;
      cr_expect(false, "%s: %s of row %zu is %.17g, not %.17g", label, a->columns[c].name, row, y,
                x);
      return;
    }
  cr_assert_eq(a->traced_count, b->traced_count, "%s", label);
  for (int j = 0; j < a->small_sample_count; j++)
    cr_expect_eq(memcmp(a->small_samples[j], b->small_samples[j],
                        a->traced_count * a->sample_count * sizeof(double)),
                 0, "%s: %s", label, a->small_info[j].name);
}

/* The next points follow from margins, so a bit of difference in one instance would change all
 * later ones. */
Test(adaptive, memory_file_and_backends_agree_on_every_row) {
  static const char *const others[][2] = {{"engine.backend=scalar", "engine.chunk=64"},
                                          {"engine.backend=opencl", "engine.chunk=1024"}};
  omr_study *study, *other;
  omr_result *whole = run_here("rare.json", "engine.backend=openmp", "engine.chunk=1024", &study),
             *file;
  expect(RARE_RUN("r.h5", "-q"), OMR_OK);
  cr_assert_eq(omr_result_open("r.h5", &file, NULL), OMR_OK);
  expect_rows("in memory", file, whole);
  cr_expect_gt(whole->instances, 1600);
  for (int i = 0; i < 2; i++) {
    omr_result *result = run_here("rare.json", others[i][0], others[i][1], &other);
    if (result) expect_rows(others[i][0], whole, result);
    omr_result_destroy(result);
    omr_study_destroy(other);
  }
  omr_result_destroy(file);
  omr_result_destroy(whole);
  omr_study_destroy(study);
}

#define STOP_RUN(output, ...)                                                                      \
  OMNIROLL("run", "stop.json", "-o", output, "--backend", "openmp", ##__VA_ARGS__)

/* About 4 p q z^2 / width^2 = 4 * 0.2133 * 3.84 / 0.0025 = 1311 instances are needed; looks come
 * every tenth, at ends of chunks of 128. */
Test(adaptive, a_run_ends_where_the_interval_is_narrow_enough) {
  const double exact = 0.3085375387259869; /* 1 - Phi(0.5) */
  const outcome *o = STOP_RUN("s.h5");
  expect(o, OMR_OK);
  expect_text(o->out, "ended by the interval's width");
  const double rows = number_of("s.h5", "/statistics/stop", "instances");
  cr_expect(rows >= 1280 && rows <= 1536 && fmod(rows, 128) == 0, "%g", rows);
  const double low = number_of("s.h5", "/statistics/stop", "low"),
               high = number_of("s.h5", "/statistics/stop", "high");
  cr_expect(high - low <= 0.05 && high - low > 0.045 && low < exact && exact < high, "%g to %g",
            low, high);
  expect_word("s.h5", "/statistics/stop", "ended_by", "interval");
  cr_expect_eq(integer_attribute("s.h5", "chunks"), (long long)rows / 128);
}

Test(adaptive, budgets_end_a_run) {
  expect(STOP_RUN("s.h5", "-q", "--set", "statistics.stop.instances=300"), OMR_OK);
  expect_word("s.h5", "/statistics/stop", "ended_by", "instances");
  cr_expect_eq(number_of("s.h5", "/statistics/stop", "instances"), 300);
  expect(STOP_RUN("t.h5", "-q", "--set", "statistics.stop.wall_time=1e-9"), OMR_OK);
  expect_word("t.h5", "/statistics/stop", "ended_by", "wall_time");
  cr_expect_eq(number_of("t.h5", "/statistics/stop", "chunks"), 1);
  expect(STOP_RUN("u.h5", "-q", "--set", "statistics.stop.at_least=5000"), OMR_OK);
  cr_expect_eq(number_of("u.h5", "/statistics/stop", "looks"), 1);
  cr_expect_eq(number_of("u.h5", "/statistics/stop", "instances"), 5120);
}

Test(adaptive, kills_do_not_change_where_a_run_stops) {
  static const char *const points[] = {"chunk:3", "assemble:2"};
  omr_study *study;
  omr_result *file;
  expect(STOP_RUN("whole.h5", "-q"), OMR_OK);
  for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
    set_failpoint(points[i]);
    cr_assert_eq(STOP_RUN("r.h5", "-q")->code, -1, "%s", points[i]);
    set_failpoint(NULL);
    expect(OMNIROLL("resume", "r.h5", "-q"), OMR_OK);
    expect_same(points[i], "whole.h5", "r.h5");
    cr_assert_eq(unlink("r.h5"), 0);
  }
  omr_result *here = run_here("stop.json", "engine.backend=scalar", "engine.threads=2", &study);
  cr_assert_eq(omr_result_open("whole.h5", &file, NULL), OMR_OK);
  expect_rows("in memory", file, here);
  omr_result_destroy(here);
  omr_result_destroy(file);
  omr_study_destroy(study);
}
