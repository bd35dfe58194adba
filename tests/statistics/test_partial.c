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
