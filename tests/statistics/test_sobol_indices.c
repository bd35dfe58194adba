/* Sobol' indices against functions whose indices are known exactly, and the share of intervals that
 * hold them. */
#include "../../host/result/hdf5_file.h"
#include "table.h"

#define PI 3.141592653589793

/* Ishigami: sin x + 7 sin^2 z + 0.1 yaw^4 sin x, all uniform from -pi to pi. */
static double ishigami(const double *x) {
  return sin(x[0]) + 7 * pow(sin(x[1]), 2) + 0.1 * pow(x[2], 4) * sin(x[0]);
}

/* The product of (|4 x - 2| + a)/(1 + a), all uniform from 0 to 1 (Saltelli and Sobol' 1995). */
static const double g_of[] = {0, 1, 4.5, 9, 99, 99};
static double g_function(const double *x) {
  double product = 1;
  for (int i = 0; i < 6; i++) product *= (fabs(4 * x[i] - 2) + g_of[i]) / (1 + g_of[i]);
  return product;
}

static const double slope[] = {3, -2, 1, 0};
static double linear(const double *x) {
  return 5 + slope[0] * x[0] + slope[1] * x[1] + slope[2] * x[2] + slope[3] * x[3];
}

static double constant(const double *x) {
  return x[0] > 0 ? 0.1 : 0.1 + 0x1p-56;
}

typedef struct exact {
  double first[6], total[6], mean, variance;
} exact;

/* Partial variances of the Ishigami function: (1 + b pi^4/5)^2/2, a^2/8, and b^2 pi^8 (1/18 - 1/50)
 * of the first and third together. */
static exact of_ishigami(void) {
  const double alone = 0.5 * pow(1 + 0.1 * pow(PI, 4) / 5, 2), second = 49 / 8.0;
  const double together = 0.01 * pow(PI, 8) * (1 / 18.0 - 1 / 50.0), v = alone + second + together;
  return (exact){
      {alone / v, second / v, 0}, {(alone + together) / v, second / v, together / v}, 3.5, v};
}

/* v_i = 1/(3 (1 + a_i)^2); V + 1 is the product of 1 + v_i; the total is that of the others times
 * v_i. */
static exact of_g(void) {
  exact e = {.mean = 1};
  double product = 1;
  for (int i = 0; i < 6; i++) product *= 1 + 1 / (3 * pow(1 + g_of[i], 2));
  for (int i = 0; i < 6; i++) {
    const double v = 1 / (3 * pow(1 + g_of[i], 2));
    e.first[i] = v / (product - 1);
    e.total[i] = v * product / (1 + v) / (product - 1);
  }
  e.variance = product - 1;
  return e;
}

#define ANGLE(path) "{'path': '" path "', 'uniform': [-3.141592653589793, 3.141592653589793]}"
#define UNIT(path) "{'path': '" path "', 'uniform': [0, 1]}"
#define THREE "'vary': [" ANGLE("initial.x") "," ANGLE("initial.z") "," ANGLE("initial.yaw") "]"
#define SIX                                                                                        \
  "'vary': [" UNIT("initial.x") "," UNIT("initial.z") "," UNIT("initial.yaw") "," UNIT(            \
      "initial.vx") "," UNIT("initial.vz") "," UNIT("initial.yaw_rate") "]"
#define SALTELLI(n) ", 'design': {'type': 'saltelli', 'groups': " #n ", 'seed': 5}"

/* A function with its exact indices. */
typedef struct known {
  const char *name, *vary;
  test_function *function;
  int parameters;
  exact (*exact)(void);
} known;
static const known functions[] = {{"Ishigami", THREE, ishigami, 3, of_ishigami},
                                  {"g", SIX, g_function, 6, of_g}};

static omr_study *saltelli(const char *vary, size_t groups, uint64_t seed) {
  char sections[1024];
  snprintf(sections, sizeof sections,
           "%s, 'design': {'type': 'saltelli', 'groups': %zu, 'seed': '%llu'}", vary, groups,
           (unsigned long long)seed);
  return study_with(sections);
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

/* Coverage: how many intervals of 95 % hold the exact index. */
typedef struct coverage {
  int held[2][6];
  double square[2][6],
      width[2][6]; /* sums: squared error of the estimate, half width of the interval */
} coverage;

static void count_held(coverage *c, const omr_sensitivity *s, const exact *e, int parameters) {
  for (int order = 0; order < 2; order++)
    for (int i = 0; i < parameters; i++) {
      const omr_estimate *estimate = &s->estimates[order][i];
      const double index = order ? e->total[i] : e->first[i];
      c->held[order][i] += estimate->low <= index && index <= estimate->high;
      c->square[order][i] += pow(estimate->value - index, 2);
      c->width[order][i] += (estimate->high - estimate->low) / 2;
    }
}

/* Groups of independent points: columns of a Monte Carlo study of twice the parameters are A and B.
 */
static void fill_independently(const known *k, table *t, size_t groups, uint64_t seed) {
  omr_study *study = study_with(
      "'vary': [" UNIT("initial.x") "], 'design': {'type': 'monte_carlo', 'instances': 1}");
  const int d = k->parameters;
  for (size_t j = 0; j < groups; j++) {
    double a[6], b[6], c[6];
    for (int i = 0; i < 2 * d; i++) {
      omr_values values;
      double unit;
      study->seed = seed * 100 + (uint64_t)i; /* a study for each column */
      omr_study_values(study, j, &values, &unit);
      (i < d ? a : b)[i % d] = k->function == ishigami ? PI * (2 * unit - 1) : unit;
    }
    double *y = t->values[d] + j * (size_t)(d + 2);
    y[0] = k->function(a);
    y[d + 1] = k->function(b);
    for (int i = 0; i < d; i++) {
      memcpy(c, a, sizeof c);
      c[i] = b[i];
      y[i + 1] = k->function(c);
    }
  }
  omr_study_destroy(study);
}

static coverage cover(const known *k, size_t groups, int repetitions, bool independent) {
  coverage c = {0};
  const exact e = k->exact();
  omr_study *study = saltelli(k->vary, groups, 0);
  table *independent_table = independent ? table_of(study, &k->function, 1) : NULL;
  for (int r = 0; r < repetitions; r++) {
    study->seed = 1000 + (uint64_t)r;
    if (independent) fill_independently(k, independent_table, groups, study->seed);
    table *t = independent ? independent_table : table_of(study, &k->function, 1);
    omr_sensitivity *s = sensitivity_of(study, t, 400);
    count_held(&c, s, &e, k->parameters);
    omr_sensitivity_destroy(s);
    if (!independent) table_free(t);
  }
  if (independent) table_free(independent_table);
  omr_study_destroy(study);
  return c;
}

static void print_coverage(const known *k, size_t groups, int repetitions, bool independent,
                           const coverage *c) {
  const exact e = k->exact();
  for (int order = 0; order < 2; order++)
    for (int i = 0; i < k->parameters; i++)
      fprintf(stderr, "%-9s %-12s %6zu  %s%d  %8.5f  held %5.1f %%  error %.2e  half width %.2e\n",
              k->name, independent ? "independent" : "sequence", groups, order ? "T" : "S", i + 1,
              order ? e.total[i] : e.first[i], 100.0 * c->held[order][i] / repetitions,
              sqrt(c->square[order][i] / repetitions), c->width[order][i] / repetitions);
}

/* Binomial: of `repetitions` intervals each holds with probability 0.95; four standard deviations,
 * since there are 36 of them. From a sequence there should be more. Not always: at 256 groups
 * columns 6 and 12 of Sobol's sequence, which T6 of the g-function lives on, are a net of quality t
 * = 3 of 8 only (3 and 9: t = 4); its error is larger than that of random points, and 84 % of the
 * intervals hold it. At 1024 groups they are not in the way. */
static void expect_covered(const known *k, size_t groups, int repetitions, bool independent) {
  const coverage c = cover(k, groups, repetitions, independent);
  const double deviation = 4 * sqrt(0.95 * 0.05 / repetitions);
  print_coverage(k, groups, repetitions, independent, &c);
  for (int order = 0; order < 2; order++)
    for (int i = 0; i < k->parameters; i++) {
      const double share = (double)c.held[order][i] / repetitions;
      cr_expect_geq(share, 0.95 - deviation, "%s %s%d: %g of %d", k->name, order ? "T" : "S", i + 1,
                    share, repetitions);
    }
}

Test(sobol_indices, intervals_hold_the_exact_indices_as_often_as_they_say) {
  for (int f = 0; f < 2; f++) {
    expect_covered(&functions[f], 256, 200, true);
    expect_covered(&functions[f], 1024, 100, false);
  }
}

/* The table of the closing note: OMNIROLL_COVERAGE=1000 (repetitions), minutes. */
Test(sobol_indices, coverage_at_length) {
  const char *repetitions = getenv("OMNIROLL_COVERAGE");
  for (int f = 0; f < 2 && repetitions; f++)
    for (size_t groups = 64; groups <= 16384; groups *= 4)
      for (int independent = 0; independent < 2; independent++) {
        const coverage c = cover(&functions[f], groups, atoi(repetitions), independent);
        print_coverage(&functions[f], groups, atoi(repetitions), independent, &c);
      }
}
