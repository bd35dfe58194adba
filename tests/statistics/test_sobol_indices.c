/* Sobol' indices against functions whose indices are known exactly. How often the intervals hold
 * them: some here, all in tests/long/sobol_coverage.c. */
#include "../../host/result/hdf5_file.h"
#include "sobol_coverage.h"

#define SALTELLI(n) ", 'design': {'type': 'saltelli', 'groups': " #n ", 'seed': 5}"

static const double slope[] = {3, -2, 1, 0};
static double linear(const double *x) {
  return 5 + slope[0] * x[0] + slope[1] * x[1] + slope[2] * x[2] + slope[3] * x[3];
}

static double constant(const double *x) {
  return x[0] > 0 ? 0.1 : 0.1 + 0x1p-56;
}

/* With 16384 groups of a scrambled sequence the errors are below 0.002
 * (tests/long/sobol_estimators.py: root mean square 0.0034 of S and 0.0022 of T at 4096, and
 * falling nearly as 1/n). */
Test(sobol_indices, come_out_as_the_exact_ones) {
  for (int f = 0; f < 2; f++) {
    const known *k = &functions[f];
    const exact e = k->exact();
    omr_study *study = saltelli(k->vary, 16384, 1);
    table *t = table_of(study, &k->function, 1);
    omr_sensitivity *s = sensitivity_of(study, t, 0);
    for (int i = 0; i < k->parameters; i++) {
      cr_expect_float_eq(s->estimates[0][i].value, e.first[i], 0.004, "%s S%d: %g, %g", k->name,
                         i + 1, s->estimates[0][i].value, e.first[i]);
      cr_expect_float_eq(s->estimates[1][i].value, e.total[i], 0.004, "%s T%d: %g, %g", k->name,
                         i + 1, s->estimates[1][i].value, e.total[i]);
      cr_expect(isnan(s->estimates[0][i].low)); /* no replicates asked for */
    }
    cr_expect_float_eq(s->mean[0].value, e.mean, 1e-3 * e.mean);
    cr_expect_float_eq(s->variance[0].value, e.variance, 5e-3 * e.variance);
    omr_sensitivity_destroy(s);
    table_free(t);
    omr_study_destroy(study);
  }
}

/* The same sums by the formulas of sobol_indices.c in plain loops. */
Test(sobol_indices, are_those_of_their_formulas) {
  enum { N = 64, D = 3 };
  omr_study *study = saltelli(THREE, N, 3);
  test_function *const function = ishigami;
  table *t = table_of(study, &function, 1);
  omr_sensitivity *s = sensitivity_of(study, t, 10);
  const double *y = t->values[D];
  double mean = 0, variance = 0;
  for (int j = 0; j < N; j++) mean += (y[j * (D + 2)] + y[j * (D + 2) + D + 1]) / (2 * N);
  for (int j = 0; j < N; j++)
    variance +=
        (pow(y[j * (D + 2)] - mean, 2) + pow(y[j * (D + 2) + D + 1] - mean, 2)) / (2 * N - 1);
  for (int i = 0; i < D; i++) {
    double first = 0, total = 0;
    for (int j = 0; j < N; j++) {
      const double a = y[j * (D + 2)], c = y[j * (D + 2) + 1 + i], b = y[j * (D + 2) + D + 1];
      first += (b - mean) * (c - a) / N / variance;
      total += (a - c) * (a - c) / (2 * N) / variance;
    }
    cr_expect_float_eq(s->estimates[0][i].value, first, 1e-13);
    cr_expect_float_eq(s->estimates[1][i].value, total, 1e-13);
    cr_expect(s->estimates[0][i].low < first && first < s->estimates[0][i].high);
  }
  cr_expect_float_eq(s->mean[0].value, mean, 1e-13);
  cr_expect_float_eq(s->variance[0].value, variance, 1e-12);
  omr_sensitivity_destroy(s);
  table_free(t);
  omr_study_destroy(study);
}

/* Without interactions S = T = a_i^2 / sum of a_i^2, all spreads alike; a parameter without effect
 * has 0 and 0 exactly. */
Test(sobol_indices, of_a_linear_function_are_its_shares) {
  omr_study *study = study_with("'vary': [" UNIT("initial.x") "," UNIT("initial.z") "," UNIT(
      "initial.yaw") "," UNIT("initial.vx") "]" SALTELLI(4096));
  test_function *const function = linear;
  table *t = table_of(study, &function, 1);
  omr_sensitivity *s = sensitivity_of(study, t, 100);
  for (int i = 0; i < 4; i++) {
    const double share = slope[i] * slope[i] / 14;
    cr_expect_float_eq(s->estimates[0][i].value, share, 2e-3);
    cr_expect_float_eq(s->estimates[1][i].value, share, 2e-3);
  }
  for (int e = 0; e < 2; e++) {
    const omr_estimate *none = &s->estimates[e][3];
    cr_expect(none->value == 0 && none->low == 0 && none->high == 0);
  }
  cr_expect_float_eq(s->variance[0].value, 14 / 12.0, 2e-3);
  omr_sensitivity_destroy(s);
  table_free(t);
  omr_study_destroy(study);
}

/* Groups with a failed instance or without a value leave no trace, whatever stands in their rows:
 * they are as groups of a study that the others alone make. */
Test(sobol_indices, leave_out_whole_groups_and_count_them) {
  enum { N = 100, ROWS = 5 };
  omr_study *study = saltelli(THREE, N, 9);
  test_function *const two[] = {ishigami, ishigami};
  table *t = table_of(study, two, 2), *kept = table_of(study, two, 2);
  t->status[3 * ROWS + 1] = OMR_INSTANCE_LIFTED;
  t->status[3 * ROWS + 2] = OMR_INSTANCE_DIVERGED; /* the second of a group */
  t->status[50 * ROWS] = OMR_INSTANCE_DIVERGED;
  t->values[3][50 * ROWS] = 1e300;
  t->values[4][70 * ROWS + 4] = (double)NAN; /* of the second quantity */
  t->values[4][71 * ROWS] = (double)INFINITY;
  omr_sensitivity *s = sensitivity_of(study, t, 20);
  cr_expect_eq(s->groups, (size_t)N);
  cr_expect_eq(s->ok, (size_t)N - 2);
  cr_expect_eq(s->failed[OMR_INSTANCE_LIFTED], 1u);
  cr_expect_eq(s->failed[OMR_INSTANCE_DIVERGED], 1u);
  cr_expect_eq(s->used[0], (uint64_t)N - 2);
  cr_expect_eq(s->used[1], (uint64_t)N - 4);
  size_t place = 0;
  for (size_t j = 0; j < N; j++) {
    if (j == 3 || j == 50) continue;
    memmove(kept->values[3] + place * ROWS, kept->values[3] + j * ROWS, ROWS * sizeof(double));
    place++;
  }
  kept->source.rows = place * ROWS + 2; /* and two rows of a group that is not whole */
  omr_sensitivity *other = sensitivity_of(study, kept, 20);
  cr_expect_eq(other->rest, 2u);
  for (int i = 0; i < 3; i++)
    for (int e = 0; e < 2; e++)
      cr_expect_float_eq(s->estimates[e][i].value, other->estimates[e][i].value, 1e-14);
  omr_sensitivity_destroy(other);
  omr_sensitivity_destroy(s);
  table_free(t);
  table_free(kept);
  omr_study_destroy(study);
}

Test(sobol_indices, without_variance_have_no_value_but_a_reason) {
  omr_study *study = saltelli(THREE, 50, 9);
  test_function *const two[] = {constant, ishigami};
  table *t = table_of(study, two, 2);
  for (size_t k = 0; k < 49 * 5; k++) t->values[4][k] = (double)NAN; /* one group has a value */
  omr_sensitivity *s = sensitivity_of(study, t, 20);
  for (int i = 0; i < 3; i++) {
    cr_expect(isnan(s->estimates[0][i].value) && isnan(s->estimates[1][i].high));
    cr_expect_eq(s->reason[i], OMR_REASON_CONSTANT);
    cr_expect_eq(s->reason[3 + i], OMR_REASON_FEW);
  }
  cr_expect_float_eq(s->mean[0].value, 0.1, 1e-16);
  cr_expect_eq(s->variance[0].value, 0);
  cr_expect(isnan(s->mean[1].value));
  char *text = printed(s);
  cr_expect_not_null(
      strstr(text, "no value for: y0 (the observable has one value, but for rounding)"), "%s",
      text);
  cr_expect_not_null(strstr(text, "no value for: y1 (too few rows"), "%s", text);
  free(text);
  omr_sensitivity_destroy(s);
  table_free(t);
  omr_study_destroy(study);
}

/* One batch of groups that have a value shows no spread. */
Test(sobol_indices, of_one_batch_have_no_interval) {
  omr_study *study = saltelli(THREE, 640, 9);
  test_function *const function = ishigami;
  table *t = table_of(study, &function, 1);
  for (size_t k = 8 * 5; k < t->source.rows; k++) t->values[3][k] = (double)NAN;
  omr_sensitivity *s = sensitivity_of(study, t, 20);
  cr_expect_eq(s->used[0], 8u);
  for (int e = 0; e < 2; e++)
    cr_expect(isfinite(s->estimates[e][0].value) && isnan(s->estimates[e][0].low) &&
              isnan(s->estimates[e][0].high));
  omr_sensitivity_destroy(s);
  table_free(t);
  omr_study_destroy(study);
}

/* More groups than batches, so that batches have several groups. */
Test(sobol_indices, do_not_depend_on_the_blocks_that_are_read) {
  omr_study *study = saltelli(THREE, 2500, 11);
  test_function *const function = ishigami;
  table *t = table_of(study, &function, 1);
  t->status[17] = OMR_INSTANCE_LIFTED;
  expect_same_in_any_blocks(study, t);
  table_free(t);
  omr_study_destroy(study);
}

Test(sobol_indices, are_printed_and_written_with_what_was_left_out) {
  omr_study *study = saltelli(THREE, 64, 2);
  test_function *const function = ishigami;
  table *t = table_of(study, &function, 1);
  t->status[0] = OMR_INSTANCE_LIFTED;
  omr_sensitivity *s = sensitivity_of(study, t, 100);
  char *text = printed(s);
  cr_expect_not_null(strstr(text, "63 of 64 row groups; left out: 1 wheel_lifted"), "%s", text);
  cr_expect_not_null(strstr(text, "of what is left: "), "%s", text);
  cr_expect_lt(strstr(text, "initial_x"), strstr(text, "initial_yaw"), "%s",
               text); /* totals 0.56, 0.24 */
  free(text);
  cJSON *root = json_of(s);
  const cJSON *sobol = cJSON_GetObjectItem(root, "sobol");
  const cJSON *y = cJSON_GetObjectItem(cJSON_GetObjectItem(sobol, "quantities"), "y0");
  const cJSON *x = cJSON_GetObjectItem(cJSON_GetObjectItem(y, "parameters"), "initial_x");
  cr_expect_eq(cJSON_GetNumberValue(
                   cJSON_GetObjectItem(cJSON_GetObjectItem(sobol, "failed"), "wheel_lifted")),
               1);
  cr_expect_float_eq(
      cJSON_GetNumberValue(cJSON_GetObjectItem(cJSON_GetObjectItem(x, "total"), "high")),
      s->estimates[1][0].high, 1e-14);
  cJSON_Delete(root);
  FILE *disk = tmpfile();
  omr_hdf5 h5;
  cr_assert_not_null(disk);
  omr_hdf5_create(&h5, fileno(disk));
  omr_sensitivity_write(s, &h5);
  cr_expect_not(h5.failed, "%s: %s", h5.task, h5.cause);
  double total[3] = {0};
  const hid_t dataset = H5Dopen2(h5.file, "/statistics/sobol/total_high", H5P_DEFAULT);
  cr_assert_geq(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, total), 0);
  for (int i = 0; i < 3; i++) cr_expect_eq(total[i], s->estimates[1][i].high);
  H5Dclose(dataset);
  omr_hdf5_close(&h5);
  fclose(disk);
  omr_sensitivity_destroy(s);
  table_free(t);
  omr_study_destroy(study);
}

Test(sobol_indices, tell_every_status_that_left_groups_out) {
  omr_study *study = saltelli(THREE, 64, 2);
  test_function *const function = ishigami;
  table *t = table_of(study, &function, 1);
  t->status[0] = OMR_INSTANCE_LIFTED;
  t->status[5] = t->status[10] = OMR_INSTANCE_DIVERGED; /* groups of five rows */
  omr_sensitivity *s = sensitivity_of(study, t, 100);
  char *text = printed(s), expected[128];
  snprintf(expected, sizeof expected, "61 of 64 row groups; left out: ");
  cr_expect_not_null(strstr(text, expected), "%s", text);
  snprintf(expected, sizeof expected, "2 %s", omr_instance_status_name(OMR_INSTANCE_DIVERGED));
  cr_expect_not_null(strstr(text, expected), "%s", text);
  cr_expect_not_null(strstr(text, "1 wheel_lifted"), "%s", text);
  const char *start = strstr(text, "left out: ") + strlen("left out: ");
  const size_t length = strcspn(start, ";");
  cr_expect_eq(strncmp(start + length, "; intervals", 11), 0, "%s", text);
  cr_expect_lt(strcspn(start, ","), length, "%s", text);
  free(text);
  omr_sensitivity_destroy(s);
  table_free(t);
  omr_study_destroy(study);
}

Test(sobol_indices, intervals_hold_the_exact_indices_as_often_as_they_say) {
  for (int f = 0; f < 2; f++) {
    expect_covered(&functions[f], 256, 200, true, 0.95);
    expect_covered(&functions[f], 1024, 100, false, 0.95);
  }
}

/* What a symmetric vehicle has of lateral acceleration, and a load that only one parameter changes:
 * rounding has no indices, and what changes by rounding alone has those of 0. 5.9e-17 m s-2 is what
 * four equal wheels at one torque gave. */
static double rounding(const double *x) {
  return 5.9e-17 * sin(1e6 * (x[0] + 2 * x[1] + 3 * x[2]));
}

static double one_and_rounding(const double *x) {
  return 72 + x[0] + 1e-14 * sin(1e6 * x[1]);
}

Test(sobol_indices, rounding_has_none) {
  omr_study *study = saltelli(THREE, 64, 9);
  test_function *const two[] = {rounding, one_and_rounding};
  table *t = table_of(study, two, 2);
  omr_sensitivity *s = sensitivity_of(study, t, 20);
  for (int i = 0; i < 3; i++) {
    cr_expect_eq(s->reason[i], OMR_REASON_CONSTANT);
    cr_expect_eq(s->reason[3 + i], OMR_REASON_GIVEN);
  }
  cr_expect(s->estimates[0][4].value == 0 && s->estimates[1][4].high == 0);
  cr_expect_gt(s->estimates[1][3].value, 0.8);
  omr_sensitivity_destroy(s);
  table_free(t);
  omr_study_destroy(study);
}
