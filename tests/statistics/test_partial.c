/* Statistics of rows that are not kept against those of the rows: the same study runs twice, with
 * output.rows "all" and "none". Moments agree to rounding, counts exactly, quantiles within the
 * error that is stated. */
#include "statistics/partial/partial.h"
#include "statistics/sensitivity_table.h"
#include "study/study.h"

#include <criterion/criterion.h>
#include <math.h>
#include <omniroll/omniroll.h>
#include <stdlib.h>
#include <string.h>

#define STUDY(design, rows)                                                                        \
  "{\"model\": \"uk_wheel\", \"engine\": {\"backend\": \"openmp\"}, "                              \
  "\"vary\": [{\"path\": \"mass\", \"uniform\": [20, 30]}, "                                       \
  "{\"path\": \"radius\", \"normal\": [0.3, 0.02]}, "                                              \
  "{\"path\": \"stiction_gain\", \"uniform\": [0.5, 1]}], "                                        \
  "\"design\": " design ", \"statistics\": {\"fail\": {\"fast\": \"max_speed > 6 m/s\", "          \
  "\"ended\": \"status != ok\"}, \"quantiles\": [0.05, 0.5, 0.95]}, "                              \
  "\"integrator\": {\"step\": 0.05, \"duration\": 0.5, \"step_error\": \"off\"}, "                 \
  "\"output\": {\"rows\": " rows "}}"

static omr_result *run(const char *text, omr_study **study) {
  omr_error error = {0};
  omr_result *result = NULL;
  cr_assert_eq(omr_study_parse(text, "s.json", NULL, 0, study, &error), OMR_OK, "%s",
               error.message);
  cr_assert_eq(omr_run(*study, NULL, &result, &error), OMR_OK, "%s", error.message);
  return result;
}

static void expect_near(double value, double truth, const char *what) {
  if (isnan(truth) || isinf(truth))
    cr_expect(isnan(value) == isnan(truth) && (isnan(truth) || value == truth), "%s", what);
  else
    cr_expect_float_eq(value, truth, 1e-12 * fabs(truth) + 1e-300, "%s: %.17g and %.17g", what,
                       value, truth);
}

static void compare_moments(const omr_moments *m, const omr_moments *truth, const char *name) {
  cr_expect_eq(m->used, truth->used, "%s", name);
  cr_expect_eq(m->without_value, truth->without_value, "%s", name);
  expect_near(m->min, truth->min, name);
  expect_near(m->max, truth->max, name);
  expect_near(m->mean, truth->mean, name);
  if (truth->used == 0) return;
  cr_expect_float_eq(m->squares, truth->squares,
                     1e-11 * fabs(truth->squares) + 1e-25 * (double)m->used, "%s", name);
}

/* Also the instances of the extremes, against the rows. */
static void compare_quantities(const omr_statistics *s, const omr_result *rows) {
  const omr_statistics *truth = rows->statistics;
  cr_assert_eq(s->quantity_count, truth->quantity_count);
  for (size_t q = 0; q < s->quantity_count; q++) {
    const omr_quantity *a = &s->quantities[q], *b = &truth->quantities[q];
    compare_moments(&a->moments, &b->moments, b->name);
    expect_near(a->least, b->least, b->name);
    expect_near(a->first, b->first, b->name);
    for (size_t l = 0; b->moments.used && l < s->quantile_count; l++)
      cr_expect_leq(fabs(a->quantiles[l] - b->quantiles[l]),
                    a->quantile_errors[l] * (1 + 1e-9) + 1e-300, "%s", b->name);
    uint64_t counted = 0;
    for (int i = 0; i < s->bins; i++) counted += a->histogram[i];
    if (s->bins) cr_expect_eq(counted, b->moments.used);
    if (b->moments.used == 0) continue;
    cr_expect_eq(rows->columns[q].values[a->min_at], b->moments.min);
    cr_expect_eq(rows->columns[q].values[a->max_at], b->moments.max);
  }
}

static void compare_sensitivity(const omr_sensitivity *a, const omr_sensitivity *b, bool ranks) {
  cr_assert_eq(a->measure, b->measure);
  if (a->measure == OMR_MEASURE_NONE) return;
  cr_expect_eq(a->groups, b->groups);
  cr_expect_eq(a->ok, b->ok);
  for (size_t i = 0; i < a->quantities * a->parameters; i++) {
    cr_expect_eq(a->reason[i], b->reason[i], "%zu", i);
    for (int e = 0; e < (ranks ? 2 : 1); e++) {
      const omr_estimate x = a->estimates[e][i], y = b->estimates[e][i];
      if (isnan(y.value)) continue;
      cr_expect_float_eq(x.value, y.value, 1e-9, "%zu %d", i, e);
      if (!isnan(y.low)) cr_expect_float_eq(x.low, y.low, 1e-9);
    }
  }
}

static void compare(const char *all, const char *none, bool ranks) {
  omr_study *study, *summed;
  omr_result *rows = run(all, &study), *result = run(none, &summed);
  const omr_statistics *s = result->statistics, *truth = rows->statistics;
  cr_expect_eq(result->instances, 0);
  cr_assert_not_null(result->partial);
  cr_expect_eq(s->rows, truth->rows);
  compare_quantities(s, rows);
  for (size_t c = 0; c < s->criterion_count; c++)
    cr_expect_eq(
        memcmp(&s->criteria[c].counts, &truth->criteria[c].counts, sizeof s->criteria[c].counts),
        0);
  for (size_t i = 0; i < s->cells.count * s->quantity_count; i++)
    compare_moments(&s->cells.moments[i], &truth->cells.moments[i], "cell");
  compare_sensitivity(s->sensitivity, truth->sensitivity, ranks);
  omr_result_destroy(rows);
  omr_result_destroy(result);
  omr_study_destroy(study);
  omr_study_destroy(summed);
}

#define COMPARE(design, ranks) compare(STUDY(design, "\"all\""), STUDY(design, "\"none\""), ranks)

Test(partial, draws) {
  COMPARE("{\"type\": \"monte_carlo\", \"instances\": 5000, \"seed\": 3}", false);
}

Test(partial, sobol_indices) {
  COMPARE("{\"type\": \"saltelli\", \"groups\": 700, \"seed\": 3}", true);
}

Test(partial, elementary_effects) {
  COMPARE("{\"type\": \"morris\", \"trajectories\": 600, \"seed\": 3}", true);
}

/* Bytes come back as they were, and damaged ones are refused, whatever they say. */
Test(partial, bytes_are_read_back_or_refused) {
  omr_study *study;
  omr_error error = {0};
  omr_result *result = run(
      STUDY("{\"type\": \"monte_carlo\", \"instances\": 3000, \"seed\": 3}", "\"none\""), &study);
  omr_partial *partial = NULL;
  cr_assert_eq(omr_partial_of(study, result, &partial, &error), OMR_OK, "%s", error.message);
  unsigned char *bytes;
  size_t count;
  cr_assert_eq(omr_partial_pack(partial, &bytes, &count, &error), OMR_OK);
  cr_assert_eq(count, result->partial_bytes);
  cr_expect_eq(memcmp(bytes, result->partial, count), 0);
  omr_partial_free(partial);
  srand(1);
  for (int i = 0; i < 3000; i++) {
    unsigned char *damaged = malloc(count);
    memcpy(damaged, bytes, count);
    const size_t length = i % 3 ? count : (size_t)rand() % count;
    damaged[(size_t)rand() % count] ^= (unsigned char)(1 << rand() % 8);
    if (i % 2) damaged[(size_t)rand() % 200] = (unsigned char)rand();
    cr_assert_eq(omr_partial_make(study, result, &partial, &error), OMR_OK);
    const omr_status status = omr_partial_unpack(partial, damaged, length, &error);
    cr_expect(status == OMR_OK || status == OMR_ERR_IO);
    omr_partial_free(partial);
    free(damaged);
  }
  free(bytes);
  omr_result_destroy(result);
  omr_study_destroy(study);
}

/* The sample is spread over the study, and its rows are those of the whole run. */
Test(partial, a_sample_has_rows_of_the_run) {
  static const char *const design =
      STUDY("{\"type\": \"monte_carlo\", \"instances\": 5000, \"seed\": 3}", "\"all\"");
  omr_study *study, *sampled;
  omr_result *rows = run(design, &study),
             *result = run(STUDY("{\"type\": \"monte_carlo\", \"instances\": 5000, \"seed\": 3}",
                                 "{\"sample\": 50}"),
                           &sampled);
  cr_assert_eq(result->instances, 50);
  for (size_t k = 0; k < 50; k++) {
    cr_expect_eq(result->numbers[k] / 100, k);
    for (size_t c = 0; c < rows->column_count; c++)
      cr_expect_eq(memcmp(&result->columns[c].values[k],
                          &rows->columns[c].values[result->numbers[k]], sizeof(double)),
                   0);
  }
  omr_result_destroy(rows);
  omr_result_destroy(result);
  omr_study_destroy(study);
  omr_study_destroy(sampled);
}

/* A block with exotic values: in some rows alone, of both zeros, too large to square. `some` is the
 * mass where it is small, and NaN elsewhere; the force is the same wherever `few` has a value. */
#define BLOCK(rows)                                                                                \
  "{\"model\": \"sliding_block\", \"parameters\": {\"mass\": 10, \"law\": \"regularized\", "       \
  "\"friction\": {\"kinetic\": 0.3}, \"pull\": {\"type\": \"ramp\", \"force\": 0, \"rate\": "      \
  "100}}, "                                                                                        \
  "\"vary\": [{\"path\": \"mass\", \"log_uniform\": [1e-4, 1e4]}, {\"path\": "                     \
  "\"friction.kinetic\", \"uniform\": [0.05, 0.6]}, {\"path\": \"pull.force\", \"discrete\": "     \
  "[[3, 0.98], [5, 0.02]]}], \"design\": {\"type\": \"monte_carlo\", \"instances\": 3000, "        \
  "\"seed\": 3}, \"integrator\": {\"method\": \"rk4\", \"step\": 0.001, \"duration\": 0.01, "      \
  "\"stability\": \"ignore\", \"step_error\": \"off\"}, \"output\": {\"rows\": " rows              \
  ", \"observables\": [\"final_x\"], \"derived\": {\"some\": \"mass/(1 kg) + 0*sqrt(3e-4 - "       \
  "mass/(1 kg))\", \"few\": \"sqrt(friction_kinetic - 0.598)\", \"zeros\": \"0*(friction_kinetic " \
  "- 0.3)\", \"large\": \"1.7e308*sign(friction_kinetic - 0.3)\"}}}"

enum { MASS, KINETIC, FORCE, PARAMETERS };
enum { FINAL, SOME, A_FEW, ZEROS, LARGE };

static omr_estimate linear(const omr_statistics *s, size_t quantity, size_t parameter) {
  return s->sensitivity->estimates[0][omr_sensitivity_at(s->sensitivity, quantity, parameter)];
}
static int reason(const omr_statistics *s, size_t quantity, size_t parameter) {
  return s->sensitivity->reason[omr_sensitivity_at(s->sensitivity, quantity, parameter)];
}

Test(partial, correlations_where_some_rows_have_a_value) {
  omr_study *study, *summed;
  omr_result *rows = run(BLOCK("\"all\""), &study), *none = run(BLOCK("\"none\""), &summed);
  const omr_statistics *s = none->statistics;
  cr_expect_float_eq(linear(s, SOME, MASS).value, 1, 1e-14);
  cr_expect_eq(reason(s, A_FEW, FORCE), OMR_REASON_FIXED);
  compare_sensitivity(s->sensitivity, rows->statistics->sensitivity, false);

  /* too large to square: no number, but the mean is one */
  for (size_t i = 0; i < PARAMETERS; i++) {
    cr_expect_eq(reason(s, LARGE, i), OMR_REASON_RANGE);
    cr_expect(isnan(linear(s, LARGE, i).value) && isnan(linear(s, LARGE, i).low));
  }
  double mean = 0;
  for (size_t k = 0; k < rows->instances; k++)
    mean += rows->columns[PARAMETERS + LARGE].values[k] / (double)rows->instances;
  expect_near(s->quantities[PARAMETERS + LARGE].moments.mean, mean, "large");

  omr_result_destroy(rows);
  omr_result_destroy(none);
  omr_study_destroy(study);
  omr_study_destroy(summed);
}

/* The rows first .. first+count-1 of a result, which has the columns. */
static omr_partial *sums_of(const omr_study *study, const omr_result *rows, size_t first,
                            size_t count) {
  static uint64_t numbers[3000];
  omr_column columns[16];
  omr_result part = *rows;
  omr_partial *sums = NULL;
  omr_error error = {0};
  for (size_t c = 0; c < rows->column_count; c++) {
    columns[c] = rows->columns[c];
    columns[c].values += first;
  }
  for (size_t k = 0; k < count; k++) numbers[k] = first + k;
  part.columns = columns;
  part.numbers = numbers;
  part.instances = count;
  part.status += first;
  part.status_time += first;
  cr_assert_eq(omr_partial_make(study, rows, &sums, &error), OMR_OK, "%s", error.message);
  cr_assert_eq(omr_partial_add(sums, &part, &error), OMR_OK, "%s", error.message);
  return sums;
}

/* -0 and 0 are different bits, and no matter which comes first. */
Test(partial, every_order_gives_the_same_bytes) {
  static const size_t firsts[] = {0, 1024, 2048, 3000};
  static const int orders[][3] = {{1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  omr_study *study;
  omr_result *rows = run(BLOCK("\"all\""), &study);
  omr_partial *whole = sums_of(study, rows, 0, 3000);
  unsigned char *bytes, *other;
  size_t count, length;
  omr_error error = {0};
  cr_expect(signbit(whole->columns[PARAMETERS + ZEROS].least) &&
            !signbit(whole->columns[PARAMETERS + ZEROS].most));
  cr_assert_eq(omr_partial_pack(whole, &bytes, &count, &error), OMR_OK);
  for (int o = 0; o < 3; o++) {
    omr_partial *joined = NULL;
    cr_assert_eq(omr_partial_make(study, rows, &joined, &error), OMR_OK);
    for (int i = 0; i < 3; i++) {
      const size_t first = firsts[orders[o][i]];
      omr_partial *part = sums_of(study, rows, first, firsts[orders[o][i] + 1] - first);
      cr_assert_eq(omr_partial_join(joined, part, &error), OMR_OK);
      omr_partial_free(part);
    }
    cr_assert_eq(omr_partial_pack(joined, &other, &length, &error), OMR_OK);
    cr_expect(length == count && memcmp(bytes, other, count) == 0, "order %d", o);
    omr_partial_free(joined);
    free(other);
  }
  free(bytes);
  omr_partial_free(whole);
  omr_result_destroy(rows);
  omr_study_destroy(study);
}

#define TRACED(rows, traces)                                                                       \
  "{\"model\": \"uk_wheel\", \"engine\": {\"backend\": \"openmp\"}, "                              \
  "\"vary\": [{\"path\": \"mass\", \"uniform\": [20, 30]}, {\"path\": \"radius\", \"normal\": "    \
  "[0.3, 0.02]}], \"design\": {\"type\": \"monte_carlo\", \"instances\": 3000, \"seed\": 3}, "     \
  "\"integrator\": {\"step\": 0.05, \"duration\": 0.5, \"step_error\": \"off\"}, "                 \
  "\"output\": {\"rows\": " rows ", \"trajectories\": {\"instances\": " traces                     \
  ", \"interval\": 0.1}}}"

/* Rows that are kept for their trajectories are no sample. */
Test(partial, traced_rows_have_no_ranks) {
  static const char thirty[] = "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, "
                               "19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29]";
  char text[3][1000];
  snprintf(text[0], sizeof *text, TRACED("\"none\"", "%s"), thirty);
  snprintf(text[1], sizeof *text, TRACED("{\"sample\": 40}", "%s"), thirty);
  snprintf(text[2], sizeof *text, TRACED("{\"sample\": 40}", "%s"), "[7]");
  omr_study *study[3];
  omr_result *result[3];
  for (int i = 0; i < 3; i++) result[i] = run(text[i], &study[i]);
  const omr_sensitivity *none = result[0]->statistics->sensitivity,
                        *traced = result[1]->statistics->sensitivity,
                        *sample = result[2]->statistics->sensitivity;
  cr_expect_eq(result[0]->instances, 30);
  cr_expect(none->no_ranks && none->rank_used[0] == 0 && isnan(none->estimates[1][0].value));
  cr_expect_gt(result[1]->instances, 60);
  cr_expect(!traced->no_ranks && traced->sampled_ok == 40 && traced->rank_used[0] == 40);
  for (size_t i = 0; i < sample->quantities * sample->parameters; i++)
    cr_expect_eq(memcmp(&traced->estimates[1][i], &sample->estimates[1][i], sizeof(omr_estimate)),
                 0);
  for (int i = 0; i < 3; i++) {
    omr_result_destroy(result[i]);
    omr_study_destroy(study[i]);
  }
}

/* A sample of all rows has the ranks of all, of however few. */
Test(partial, a_sample_of_all_has_the_ranks_of_all) {
  omr_study *study, *sampled;
  omr_result *rows = run(BLOCK("\"all\""), &study),
             *sample = run(BLOCK("{\"sample\": 9999}"), &sampled);
  const omr_sensitivity *a = rows->statistics->sensitivity, *b = sample->statistics->sensitivity;
  compare_sensitivity(b, a, true);
  cr_expect(b->rank_used[A_FEW] == a->used[A_FEW] && a->used[A_FEW] < 20);
  omr_result_destroy(rows);
  omr_result_destroy(sample);
  omr_study_destroy(study);
  omr_study_destroy(sampled);
}
