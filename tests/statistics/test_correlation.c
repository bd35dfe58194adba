/* Linear and rank correlations against numbers of scipy and against what is known of their
 * distributions. */
#include "../../host/result/hdf5_file.h"
#include "../../host/statistics/correlation.h"
#include "table.h"

#define UNIT(path) "{'path': '" path "', 'uniform': [0, 1]}"

/* scipy.stats.rankdata, spearmanr and pearsonr of two lists with ties, and pearsonr's interval of
 * 95 %; that of the ranks is tanh(artanh r -+ 1.96 sqrt((1 + r^2/2)/7)). */
static const double tied[2][10] = {{1, 2, 2, 3, 3, 3, 4, 5, 6, 7.5},
                                   {2.5, 1, 4, 4, 4, 2.5, 9, 8, -1, 9}};

Test(correlation, ties_share_their_mean_rank) {
  static const double known[2][10] = {{1, 2.5, 2.5, 5, 5, 5, 7, 8, 9, 10},
                                      {3.5, 2, 6, 6, 6, 3.5, 9.5, 8, 1, 9.5}};
  uint32_t ranks[2][10];
  for (int l = 0; l < 2; l++) {
    omr_rank_entry entries[10], scratch[10];
    for (int k = 0; k < 10; k++) entries[k].value = tied[l][k];
    omr_mid_ranks(entries, 10, ranks[l], scratch);
    for (int k = 0; k < 10; k++) cr_expect_eq(ranks[l][k], 2 * known[l][k]);
  }
}

/* Long lists are sorted in another way: doubled mid-ranks are 2 below + equal + 1, counted one by
 * one. */
Test(correlation, long_lists_have_the_ranks_that_counting_gives) {
  enum { COUNT = 3000 };
  static double values[COUNT];
  static omr_rank_entry entries[COUNT], scratch[COUNT];
  static uint32_t ranks[COUNT];
  for (int k = 0; k < COUNT; k++) {
    const double x = sin(k * 12.9898) * 43758.5453;
    values[k] = k % 7 == 0    ? floor(x / 1000)
                : k % 11 == 0 ? (k % 2 ? -0.0 : 0.0)
                              : x * (k % 5 ? 1e-200 : 1e200);
    entries[k].value = values[k];
  }
  omr_mid_ranks(entries, COUNT, ranks, scratch);
  for (int k = 0; k < COUNT; k++) {
    uint32_t below = 0, equal = 0;
    for (int l = 0; l < COUNT; l++) {
      below += values[l] < values[k];
      equal += values[l] == values[k];
    }
    cr_assert_eq(ranks[k], 2 * below + equal + 1, "place %d", k);
  }
}

/* Many values that differ in their last digits alone, beside one far away; some come twice. */
Test(correlation, ranks_tell_values_apart_that_differ_in_their_last_digits) {
  enum { COUNT = 5000 };
  static omr_rank_entry entries[COUNT], scratch[COUNT];
  static uint32_t ranks[COUNT];
  for (uint32_t k = 0; k + 1 < COUNT; k++)
    entries[k].value = 1 + 0x1p-52 * (k * 1237 % (COUNT - 1) / 2);
  entries[COUNT - 1].value = -1e300;
  omr_mid_ranks(entries, COUNT, ranks, scratch);
  for (uint32_t k = 0; k + 1 < COUNT; k++) {
    const uint32_t place = k * 1237 % (COUNT - 1) / 2,
                   first = 2 * place + 1; /* values are 0, 0, 1, 1, ..., the last once */
    const uint32_t equal = first + 2 < COUNT ? 2 : 1;
    cr_assert_eq(ranks[k], 2 * first + equal + 1, "place %u", k);
  }
  cr_expect_eq(ranks[COUNT - 1], 2);
}

#define TEN                                                                                        \
  "'design': {'type': 'list', 'paths': ['initial.x'], 'rows': [[1], [2], [2], [3], [3], [3], "     \
  "[4], [5], [6], [7.5]]}"

static double zero(const double *x) {
  return 0 * x[0];
}

Test(correlation, coefficients_and_intervals_are_those_of_scipy) {
  omr_study *study = study_with(TEN);
  test_function *const function = zero;
  table *t = table_of(study, &function, 1);
  memcpy(t->values[1], tied[1], sizeof tied[1]);
  omr_sensitivity *s = sensitivity_of(study, t, 0);
  const omr_estimate *pearson = s->estimates[0], *spearman = s->estimates[1];
  cr_expect_float_eq(pearson->value, 0.40185522919091543, 1e-15);
  cr_expect_float_eq(pearson->low, -0.30492202038249827, 1e-14);
  cr_expect_float_eq(pearson->high, 0.8231972870064527, 1e-14);
  cr_expect_float_eq(spearman->value, 0.4137951366248033, 1e-15);
  cr_expect_float_eq(spearman->low, -0.32002485531565883, 1e-14);
  cr_expect_float_eq(spearman->high, 0.8372899094429772, 1e-14);
  cr_expect(s->used[0] == 10 && s->rank_used[0] == 10);
  omr_sensitivity_destroy(s);
  table_free(t);
  omr_study_destroy(study);
}

/* A list with a row of 1e6 that failed and one without a value has the same coefficients. */
Test(correlation, pairs_without_a_value_are_left_out_and_counted) {
  omr_study *study = study_with("'design': {'type': 'list', 'paths': ['initial.x'], 'rows': [[1], "
                                "[2], [-4], [2], [3], [3], [3], "
                                "[1e6], [4], [5], [6], [7.5]]}");
  test_function *const two[] = {zero, zero};
  table *t = table_of(study, two, 2);
  size_t place = 0;
  for (size_t k = 0; k < 12; k++) {
    t->values[1][k] = k == 2 ? (double)NAN : k == 7 ? 3 : tied[1][place++];
    t->values[2][k] = (double)k;
  }
  t->status[7] = OMR_INSTANCE_DIVERGED;
  omr_sensitivity *s = sensitivity_of(study, t, 0);
  cr_expect_float_eq(s->estimates[0][0].value, 0.40185522919091543, 1e-15);
  cr_expect_float_eq(s->estimates[1][0].value, 0.4137951366248033, 1e-15);
  cr_expect(s->ok == 11 && s->failed[OMR_INSTANCE_DIVERGED] == 1);
  cr_expect(s->used[0] == 10 && s->rank_used[0] == 10);
  cr_expect(s->used[1] == 11 && s->rank_used[1] == 11);
  char *text = printed(s);
  cr_expect_not_null(strstr(text, "11 of 12 instances; left out: 1 diverged"), "%s", text);
  cr_expect_not_null(strstr(text, "1 instances without a value left out"), "%s", text);
  free(text);
  omr_sensitivity_destroy(s);
  expect_same_in_any_blocks(study, t);
  table_free(t);
  omr_study_destroy(study);
}

static double falling(const double *x) {
  return -exp(20 * x[0]);
}

static double line(const double *x) {
  return 3 - 0.1 * x[0];
}

static double second(const double *x) {
  return x[1];
}

/* Ranks of a falling function are the parameter's, turned: -1 exactly, in every design that draws.
 * The line has -1 as well. */
Test(correlation, of_monotone_functions_is_one) {
  static const char *const designs[] = {"monte_carlo", "latin_hypercube", "sobol", "halton"};
  for (int d = 0; d < 4; d++) {
    char sections[512];
    snprintf(sections, sizeof sections,
             "'vary': [" UNIT("initial.x") "," UNIT(
                 "initial.z") "], 'design': {'type': '%s', 'instances': 1000, 'seed': 8}",
             designs[d]);
    omr_study *study = study_with(sections);
    test_function *const three[] = {falling, line, second};
    table *t = table_of(study, three, 3);
    omr_sensitivity *s = sensitivity_of(study, t, 0);
    cr_expect_eq(s->estimates[1][0].value, -1);
    cr_expect(s->estimates[1][0].low == -1 && s->estimates[1][0].high == -1);
    cr_expect_float_eq(s->estimates[0][2].value, -1, 1e-14);
    cr_expect_gt(s->estimates[0][0].value, -0.7); /* the falling one is far from a line */
    cr_expect_eq(s->estimates[1][5].value, 1);
    for (int e = 0; e < 2; e++) /* independent of the first: within five standard errors */
      cr_expect_lt(fabs(s->estimates[e][4].value), 5 / sqrt(1000), "%s", designs[d]);
    omr_sensitivity_destroy(s);
    table_free(t);
    omr_study_destroy(study);
  }
}

/* The copula of rank correlation 0.6 has Pearson's r = 2 sin(pi 0.6/6) between normals; of 200
 * intervals of 95 % from 200 pairs as many hold it as a binomial number may (four standard
 * deviations either way). */
Test(correlation, intervals_of_a_bivariate_normal_hold_its_coefficients) {
  enum { REPETITIONS = 200 };
  const double exact[2] = {2 * sin(0.3141592653589793), 0.6};
  omr_study *study = study_with(
      "'vary': [{'path': 'initial.x', 'normal': [1, 2]}, {'path': 'initial.z', 'normal': [0, 3]}], "
      "'design': {'type': 'monte_carlo', 'instances': 200, 'seed': 0, 'correlation': "
      "[{'paths': ['initial.x', 'initial.z'], 'rank': 0.6}]}");
  test_function *const function = second;
  int held[2] = {0};
  double mean[2] = {0};
  for (int r = 0; r < REPETITIONS; r++) {
    study->design.seed = 100 + (uint64_t)r;
    table *t = table_of(study, &function, 1);
    omr_sensitivity *s = sensitivity_of(study, t, 0);
    for (int e = 0; e < 2; e++) {
      const omr_estimate *estimate = &s->estimates[e][0];
      held[e] += estimate->low <= exact[e] && exact[e] <= estimate->high;
      mean[e] += estimate->value / REPETITIONS;
    }
    omr_sensitivity_destroy(s);
    table_free(t);
  }
  const double deviation = 4 * sqrt(0.95 * 0.05 * REPETITIONS);
  for (int e = 0; e < 2; e++) {
    cr_expect_float_eq(held[e], 0.95 * REPETITIONS, deviation, "%s: %d of %d",
                       e ? "Spearman" : "Pearson", held[e], REPETITIONS);
    cr_expect_float_eq(
        mean[e], exact[e],
        0.015); /* standard error 0.05/sqrt(200) and a bias of r (1 - r^2)/(2 n) = 0.001 */
  }
  fprintf(stderr, "of %d intervals of 95 %% hold: Pearson %d, Spearman %d\n", REPETITIONS, held[0],
          held[1]);
  omr_study_destroy(study);
}

Test(correlation, constants_have_a_reason) {
  omr_study *study = study_with("'design': {'type': 'list', 'paths': ['initial.x', 'initial.z'], "
                                "'rows': [[0.1, 1], [0.1, 2], [0.1, 4], [0.1, 5]]}");
  test_function *const two[] = {second, zero};
  table *t = table_of(study, two, 2);
  omr_sensitivity *s = sensitivity_of(study, t, 0);
  cr_expect(s->reason[0] == OMR_REASON_FIXED && isnan(s->estimates[0][0].value) &&
            isnan(s->estimates[1][0].value));
  cr_expect(s->reason[1] == OMR_REASON_GIVEN && s->estimates[1][1].value == 1);
  cr_expect(s->reason[2] == OMR_REASON_CONSTANT && s->reason[3] == OMR_REASON_CONSTANT);
  FILE *disk = tmpfile();
  omr_hdf5 h5;
  cr_assert_not_null(disk);
  omr_hdf5_create(&h5, fileno(disk));
  omr_sensitivity_write(s, &h5);
  cr_expect_not(h5.failed, "%s: %s", h5.task, h5.cause);
  int8_t reasons[4] = {0};
  const hid_t dataset = H5Dopen2(h5.file, "/statistics/correlation/reason", H5P_DEFAULT);
  cr_assert_geq(H5Dread(dataset, H5T_NATIVE_INT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, reasons), 0);
  cr_expect_eq(memcmp(reasons, s->reason, 4), 0);
  H5Dclose(dataset);
  omr_hdf5_close(&h5);
  fclose(disk);
  omr_sensitivity_destroy(s);
  table_free(t);
  omr_study_destroy(study);
}

/* A grid has levels chosen by hand, whose correlations say nothing about the spread of a parameter.
 */
Test(correlation, designs_without_a_sample_have_no_measure) {
  static const char *const designs[] = {"grid", "one_at_a_time"};
  for (int d = 0; d < 2; d++) {
    char sections[256];
    snprintf(sections, sizeof sections,
             "'vary': [{'path': 'initial.x', 'values': [1, 2, 3]}], 'design': {'type': '%s'}",
             designs[d]);
    omr_study *study = study_with(sections);
    test_function *const function = line;
    table *t = table_of(study, &function, 1);
    omr_sensitivity *s = sensitivity_of(study, t, 0);
    cr_expect_eq(s->measure, OMR_MEASURE_NONE);
    char *text = printed(s);
    cr_expect_str_eq(text, "");
    free(text);
    cJSON *root = json_of(s);
    cr_expect_eq(cJSON_GetArraySize(root), 0);
    cJSON_Delete(root);
    omr_sensitivity_destroy(s);
    table_free(t);
    omr_study_destroy(study);
  }
}

/* Above the limit rows are drawn: as many as the limit on average, the same ones each time, evenly
 * from all parts. */
Test(correlation, ranks_of_many_rows_are_taken_of_a_random_part) {
  const size_t rows = (size_t)OMR_RANK_ROWS * 4;
  size_t taken[4] = {0};
  for (size_t row = 0; row < rows; row++)
    taken[row / OMR_RANK_ROWS] += omr_rank_takes(3, row, rows);
  const double deviation = sqrt(OMR_RANK_ROWS * 0.25 * 0.75);
  for (int part = 0; part < 4; part++)
    cr_expect_float_eq((double)taken[part], OMR_RANK_ROWS / 4.0, 5 * deviation);
  cr_expect(omr_rank_takes(3, OMR_RANK_ROWS - 1, OMR_RANK_ROWS));
}

static double noisy(const double *x) {
  return x[0] + x[1];
}

/* x and x + z, both uniform: Pearson 1/sqrt 2; Spearman's of more rows than the limit, from a
 * million: standard error 0.001. */
Test(correlation, of_more_rows_than_are_ranked) {
  omr_study *study = study_with(
      "'vary': [" UNIT("initial.x") "," UNIT("initial.z") "], 'design': {'type': 'monte_carlo', "
                                                          "'instances': 1500000, 'seed': 2}");
  test_function *const function = noisy;
  table *t = table_of(study, &function, 1);
  omr_sensitivity *s = sensitivity_of(study, t, 0);
  cr_expect_eq(s->used[0], 1500000u);
  cr_expect_float_eq((double)s->rank_used[0], OMR_RANK_ROWS, 5 * 1024);
  cr_expect_float_eq(s->estimates[0][0].value, sqrt(0.5), 5e-3);
  cr_expect_float_eq(s->estimates[1][0].value, 0.7, 5e-3); /* 12 E[F(x) G(x + z)] - 3 = 7/10 */
  omr_sensitivity_destroy(s);
  table_free(t);
  omr_study_destroy(study);
}

static double square(const double *x) {
  return x[0] * x[0] - x[1];
}

/* A quantity that loses its value on the way, in the middle of a block or at its begin, has the
 * bits that blocks of any length give, and those of a quantity without a value in the first row,
 * but for it. */
Test(correlation, a_value_that_is_missing_later_counts_as_one_that_was_never_there) {
  omr_study *study = study_with("'vary': [{'path': 'initial.x', 'uniform': [-1, 3]}, {'path': "
                                "'initial.z', 'normal': [0, 1]}], "
                                "'design': {'type': 'monte_carlo', 'instances': 900, 'seed': '5'}");
  test_function *const functions[] = {square, noisy, square, noisy, square, noisy};
  table *t = table_of(study, functions, 6);
  omr_sensitivity *known = NULL;
  t->values[2][650] = (double)NAN;
  t->values[3][512] = (double)INFINITY;
  t->status[40] = OMR_INSTANCE_INVALID;
  t->values[4][0] = t->values[5][899] = (double)NAN;
  const size_t blocks[] = {65536, 512, 100, 1};
  for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++) {
    omr_sensitivity *s;
    const bool every[8] = {false, false, false, false, false, true, true, true};
    t->source.every = every;
    cr_assert_eq(omr_sensitivity_of(study, &t->source, 0, blocks[b], &s, NULL), OMR_OK);
    for (int e = 0; known && e < 2; e++)
      cr_expect_arr_eq(s->estimates[e], known->estimates[e], 6 * 2 * sizeof(omr_estimate),
                       "blocks of %zu", blocks[b]);
    for (size_t q = 0; known && q < 6; q++) cr_expect_eq(s->used[q], known->used[q]);
    if (known)
      omr_sensitivity_destroy(s);
    else
      known = s;
  }
  static const uint64_t used[] = {898, 898, 898, 899, 900, 900};
  double x[900], y[900], mx = 0, my = 0, xx = 0, yy = 0, xy = 0;
  size_t n = 0;
  for (size_t q = 0; q < 6; q++)
    cr_expect_eq(known->used[q], used[q], "quantity %zu: %llu", q,
                 (unsigned long long)known->used[q]);
  for (size_t row = 0; row < 900; row++) { /* the textbook's sums, for the first quantity */
    if (row == 40 || row == 650) continue;
    x[n] = t->values[0][row];
    y[n] = t->values[2][row];
    mx += x[n];
    my += y[n++];
  }
  for (size_t k = 0; k < n; k++) {
    const double a = x[k] - mx / (double)n, b = y[k] - my / (double)n;
    xx += a * a;
    yy += b * b;
    xy += a * b;
  }
  cr_expect_float_eq(known->estimates[0][0].value, xy / sqrt(xx * yy), 1e-13);
  omr_sensitivity_destroy(known);
  table_free(t);
  omr_study_destroy(study);
}
