/* Designs: which values instances have, and that they follow from study, seed and number alone. */
#include "../../host/study/designs/distributions.h"
#include "sampling_data.h"

#include <math.h>

static omr_study *nested(const char *sample, const char *rest) {
  char sections[1024];
  snprintf(sections, sizeof sections,
           "'vary': [" LEVELS DRAWN
           "], 'design': {'type': 'nested', 'sample': '%s', 'per_cell': 16, %s}",
           sample, rest);
  return study_with(sections);
}

static const char *const samples[] = {"monte_carlo", "latin_hypercube", "sobol", "halton"};
enum { SAMPLES = 4, CELLS = 6, PER_CELL = 16 };

Test(designs, a_nested_design_is_a_grid_whose_cells_share_a_sample) {
  for (int s = 0; s < SAMPLES; s++) {
    omr_study *study = nested(samples[s], "'seed': 3");
    double row[MOST], first[MOST];
    cr_assert_eq(study->instances, (size_t)CELLS * PER_CELL);
    for (size_t k = 0; k < study->instances; k++) {
      values_of(study, k, row);
      values_of(study, k % PER_CELL, first);
      cr_expect_eq(row[0], k / PER_CELL < 3 ? 6 : 8);
      cr_expect_float_eq(row[1], (double)(k / PER_CELL % 3) * atan(1) / 2, 1e-15);
      cr_expect_eq(memcmp(row + 2, first + 2, 5 * sizeof *row), 0, "%s, instance %zu", samples[s],
                   k);
    }
    omr_study_destroy(study);
  }
}

Test(designs, without_common_random_numbers_no_two_cells_share_a_value) {
  for (int s = 0; s < SAMPLES; s++) {
    omr_study *study = nested(samples[s], "'seed': 3, 'common_random_numbers': false");
    double row[MOST], other[MOST];
    for (size_t k = PER_CELL; k < study->instances; k++) {
      values_of(study, k, row);
      values_of(study, k - PER_CELL, other);
      for (int v = 2; v < 7; v++)
        cr_expect_neq(row[v], other[v], "%s, instance %zu", samples[s], k);
    }
    omr_study_destroy(study);
  }
}

/* 16 values in 16 equally likely parts, by the distribution functions of uniform and beta(2, 3),
 * 6x^2 - 8x^3 + 3x^4. */
Test(designs, cells_of_a_latin_hypercube_and_of_sobol_points_are_stratified) {
  for (int common = 0; common < 2; common++)
    for (int s = 1; s < 3; s++) {
      omr_study *study =
          nested(samples[s], common ? "'seed': 8" : "'seed': 8, 'common_random_numbers': false");
      for (size_t cell = 0; cell < CELLS; cell++) {
        int seen[2][PER_CELL] = {{0}};
        for (size_t j = 0; j < PER_CELL; j++) {
          double row[MOST];
          values_of(study, cell * PER_CELL + j, row);
          const double x = (row[2] - 0.1) / 0.5;
          seen[0][(int)(x * x * (6 - 8 * x + 3 * x * x) * PER_CELL)]++;
          seen[1][(int)((row[5] + 2e-4) / 4e-4 * PER_CELL)]++;
        }
        for (int part = 0; part < PER_CELL; part++)
          cr_expect(seen[0][part] == 1 && seen[1][part] == 1);
      }
      omr_study_destroy(study);
    }
}

#define RANDOM_OF(type, count, rest)                                                               \
  "'vary': [" DRAWN "], 'design': {'type': '" type "', 'instances': " count ", 'seed': '77'" rest  \
  "}"
#define MAXIMIN ", 'criterion': 'maximin'"
#define CORRELATED ", 'correlation': [{'paths': ['wheel.friction', 'platform.mass'], 'rank': 0.6}]"

/* Rows of a group: A, A with one value from B, B. A is the first half of a Sobol' point of twice
 * the dimensions: a sobol design of A's and B's parameters in this order has their quantiles. */
Test(designs, saltelli_groups_are_two_points_and_what_lies_between) {
  static const char *const paths[] = {"initial.x", "initial.z", "initial.vx", "initial.vz"};
  enum { D = 2, GROUPS = 32 };
  char text[512] = "'vary': [";
  for (int i = 0; i < 2 * D; i++)
    sprintf(text + strlen(text), "%s{'path': '%s', 'uniform': [0, %d]}", i ? "," : "", paths[i],
            i % D + 1);
  strcat(text, "], 'design': {'type': 'sobol', 'instances': 32, 'seed': 6}");
  omr_study *points = study_with(text);
  omr_study *study = study_with("'vary': [{'path': 'initial.x', 'uniform': [0, 1]}, {'path': "
                                "'initial.z', 'uniform': [0, 2]}], "
                                "'design': {'type': 'saltelli', 'groups': 32, 'seed': 6}");
  cr_assert_eq(study->instances, (size_t)GROUPS * (D + 2));
  for (size_t j = 0; j < GROUPS; j++) {
    double both[MOST], row[MOST];
    values_of(points, j, both);
    for (size_t m = 0; m < D + 2; m++) {
      values_of(study, j * (D + 2) + m, row);
      for (size_t i = 0; i < D; i++)
        cr_expect_eq(row[i], both[m == i + 1 || m == D + 1 ? D + i : i], "group %zu row %zu", j, m);
    }
  }
  omr_study_destroy(points);
  omr_study_destroy(study);
}

/* Forwards, backwards, and by a second study of the same text. */
Test(designs, values_do_not_depend_on_what_was_asked_before) {
  static const char *const designs[] = {
      RANDOM_OF("monte_carlo", "50", CORRELATED),
      RANDOM_OF("latin_hypercube", "50", ""),
      RANDOM_OF("latin_hypercube", "50", MAXIMIN CORRELATED),
      RANDOM_OF("sobol", "50", CORRELATED),
      RANDOM_OF("halton", "50", ""),
      GROUPS_OF("saltelli", "'groups': 10"),
      GROUPS_OF("morris", "'trajectories': 10"),
      "'vary': [" LEVELS
      "{'path': 'gravity', 'values': [1, 2]}], 'design': {'type': 'one_at_a_time'}"};
  for (size_t i = 0; i < sizeof designs / sizeof *designs; i++) {
    omr_study *study = study_with(designs[i]), *again = study_with(designs[i]);
    static double rows[70][MOST];
    cr_assert_leq(study->instances, 70u);
    double row[MOST];
    for (size_t k = 0; k < study->instances; k++) values_of(study, k, rows[k]);
    for (size_t k = study->instances; k-- > 0;) {
      values_of(again, k, row);
      cr_expect_eq(memcmp(row, rows[k], study->variation_count * sizeof *row), 0,
                   "%s, instance %zu", designs[i], k);
    }
    omr_study_destroy(study);
    omr_study_destroy(again);
  }
}

Test(designs, more_instances_of_a_sequence_leave_the_earlier_ones) {
  static const char *const few[] = {RANDOM_OF("monte_carlo", "20", ""),
                                    RANDOM_OF("sobol", "20", CORRELATED),
                                    RANDOM_OF("halton", "20", "")};
  static const char *const many[] = {RANDOM_OF("monte_carlo", "9007199254740992", ""),
                                     RANDOM_OF("sobol", "4294967296", CORRELATED),
                                     RANDOM_OF("halton", "4294967296", "")};
  for (int i = 0; i < 3; i++) {
    omr_study *a = study_with(few[i]), *b = study_with(many[i]);
    double x[MOST], y[MOST];
    for (size_t k = 0; k < 20; k++) {
      values_of(a, k, x);
      values_of(b, k, y);
      cr_expect_eq(memcmp(x, y, 5 * sizeof *x), 0);
    }
    values_of(b, b->instances - 1, y);
    for (int v = 0; v < 5; v++) cr_expect(isfinite(y[v]));
    omr_study_destroy(a);
    omr_study_destroy(b);
  }
}

Test(designs, another_seed_is_another_sample) {
  static const char *const types[] = {"monte_carlo", "latin_hypercube", "sobol", "halton"};
  for (int i = 0; i < 4; i++) {
    char sections[512];
    double row[2][MOST];
    for (int seed = 0; seed < 2; seed++) {
      snprintf(sections, sizeof sections,
               "'vary': [" DRAWN "], 'design': {'type': '%s', 'instances': 64, 'seed': %d}",
               types[i], seed);
      omr_study *study = study_with(sections);
      values_of(study, 17, row[seed]);
      omr_study_destroy(study);
    }
    for (int v = 0; v < 5; v++) cr_expect_neq(row[0][v], row[1][v], "%s", types[i]);
  }
}

/* The first Sobol' points without scrambling are 0, 1/2, 3/4, 1/4 (as in scipy), here with half of
 * 2^-32 added. */
Test(designs, sequences_without_scrambling_are_the_published_ones) {
  omr_study *study = study_with("'vary': [{'path': 'initial.x', 'uniform': [0, 1]}, {'path': "
                                "'initial.z', 'uniform': [0, 1]}], "
                                "'design': {'type': 'sobol', 'instances': 4, 'scramble': 'none'}");
  static const double known[4][2] = {{0, 0}, {0.5, 0.5}, {0.75, 0.25}, {0.25, 0.75}};
  double row[MOST];
  for (size_t k = 0; k < 4; k++) {
    values_of(study, k, row);
    cr_expect_eq(row[0], known[k][0] + 0x1p-33 + 0x1p-53, "%a", row[0]);
    cr_expect_eq(row[1], known[k][1] + 0x1p-33 + 0x1p-53);
  }
  omr_study_destroy(study);
}

Test(designs, one_at_a_time_keeps_the_others_at_their_base) {
  omr_study *study = study_with("'parameters': {'gravity': 9, 'wheel': {'friction': 0.5}}, "
                                "'vary': [{'path': 'gravity', 'values': [1, 2]}, {'path': "
                                "'wheel.friction', 'values': [0.1, 0.2, 0.3]}], "
                                "'design': {'type': 'one_at_a_time'}");
  static const double gravity[] = {9, 1, 2, 9, 9, 9}, friction[] = {0.5, 0.5, 0.5, 0.1, 0.2, 0.3};
  cr_assert_eq(study->instances, 6u);
  for (size_t k = 0; k < 6; k++) {
    omr_values values;
    double row[MOST];
    omr_study_values(study, k, &values, row);
    cr_expect_eq(row[0], gravity[k]);
    cr_expect_eq(values.vehicle[OMR_VP_GRAVITY], gravity[k]);
    cr_expect_eq(values.wheel[0][OMR_WP_FRICTION], friction[k]);
    cr_expect_eq(values.wheel[1][OMR_WP_FRICTION], friction[k]);
    cr_expect_eq(row[1], friction[k]);
  }
  omr_study_destroy(study);
}

Test(designs, a_list_has_its_rows) {
  omr_study *study =
      study_with("'parameters': {'layout': {'type': 'rectangle', 'mecanum': true}}, "
                 "'design': {'type': 'list', 'paths': ['wheel.inclination', 'wheels[2].friction'], "
                 "'rows': [['45 deg', 0.1], [0.5, '20 %'], [0, 0]]}");
  static const double inclination[] = {0.78539816339744828, 0.5, 0}, friction[] = {0.1, 0.2, 0};
  cr_assert_eq(study->instances, 3u);
  for (size_t k = 0; k < 3; k++) {
    omr_values values;
    double row[MOST];
    omr_study_values(study, k, &values, row);
    cr_expect_float_eq(row[0], inclination[k], 1e-15);
    cr_expect_eq(values.wheel[1][OMR_WP_INCLINATION], -row[0]);
    cr_expect_float_eq(values.wheel[2][OMR_WP_FRICTION], friction[k], 1e-15);
    cr_expect_eq(values.wheel[0][OMR_WP_FRICTION], study->base.wheel[0][OMR_WP_FRICTION]);
  }
  omr_study_destroy(study);
}

static int compare_doubles(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

enum { RANKED = 8192 };

static void ranks_of(const double *values, double *ranks) {
  static double sorted[RANKED];
  memcpy(sorted, values, sizeof sorted);
  qsort(sorted, RANKED, sizeof *sorted, compare_doubles);
  for (int k = 0; k < RANKED; k++) {
    const double *at = bsearch(&values[k], sorted, RANKED, sizeof *sorted, compare_doubles);
    ranks[k] = (double)(at - sorted);
  }
}

/* Spearman: Pearson's correlation of the ranks. */
static double rank_correlation(const double *a, const double *b) {
  static double x[RANKED], y[RANKED];
  const double mean = (RANKED - 1) / 2.0;
  double sum = 0;
  ranks_of(a, x);
  ranks_of(b, y);
  for (int k = 0; k < RANKED; k++) sum += (x[k] - mean) * (y[k] - mean);
  return sum / (RANKED * (RANKED * (double)RANKED - 1) / 12);
}

/* Within four standard errors 1/sqrt(n - 1) of Spearman's coefficient at independence, which only
 * falls with correlation. The parameters keep their distributions: the mean is within four standard
 * errors. */
Test(designs, rank_correlations_come_out_as_asked_for) {
  static const char *const types[] = {"monte_carlo", "latin_hypercube", "sobol", "halton"};
  static double column[4][RANKED];
  for (int t = 0; t < 4; t++) {
    char sections[1024];
    snprintf(sections, sizeof sections,
             "'vary': [{'path': 'initial.x', 'weibull': [1, 2]}, {'path': 'gravity', 'uniform': "
             "[8, 10]}, "
             "{'path': 'initial.z', 'normal': [1, 2]}, {'path': 'platform.mass', 'log_normal': "
             "[10, 1]}], "
             "'design': {'type': '%s', 'instances': 8192, 'seed': 5, 'correlation': [{'paths': "
             "['gravity', 'initial.x'], 'rank': "
             "0.6}, "
             "{'paths': ['initial.z', 'initial.x'], 'rank': -0.7}, {'paths': ['gravity', "
             "'initial.z'], 'rank': '-20 %%'}]}",
             types[t]);
    omr_study *study = study_with(sections);
    double mean = 0;
    for (size_t k = 0; k < RANKED; k++) {
      double row[MOST];
      values_of(study, k, row);
      for (int v = 0; v < 4; v++) column[v][k] = row[v];
      mean += row[0] / RANKED;
    }
    const double error = 4 / sqrt(RANKED - 1);
    cr_expect_float_eq(rank_correlation(column[0], column[1]), 0.6, error, "%s", types[t]);
    cr_expect_float_eq(rank_correlation(column[0], column[2]), -0.7, error, "%s", types[t]);
    cr_expect_float_eq(rank_correlation(column[1], column[2]), -0.2, error, "%s", types[t]);
    for (int v = 0; v < 3; v++)
      cr_expect_float_eq(rank_correlation(column[v], column[3]), 0, error, "%s", types[t]);
    cr_expect_float_eq(mean, 0.88622692545275801, 4 * 0.4633 / sqrt(RANKED), "%s",
                       types[t]); /* Gamma(3/2), sd sqrt(1 - pi/4) */
    omr_study_destroy(study);
  }
}

/* Correlation touches the correlated parameters alone: the others keep the values that they have
 * without. */
Test(designs, correlation_leaves_the_other_parameters_alone) {
  static const char *const pair[] = {RANDOM_OF("sobol", "64", ""),
                                     RANDOM_OF("sobol", "64", CORRELATED)};
  omr_study *without = study_with(pair[0]), *with = study_with(pair[1]);
  double x[MOST], y[MOST];
  for (size_t k = 0; k < 64; k++) {
    values_of(without, k, x);
    values_of(with, k, y);
    cr_expect_neq(x[1], y[1]);
    cr_expect_float_eq(x[0], y[0],
                       1e-12); /* the first of the two, through its normal quantile and back */
    cr_expect_eq(memcmp(x + 2, y + 2, 3 * sizeof *x), 0);
  }
  omr_study_destroy(without);
  omr_study_destroy(with);
}

/* Values of every design in one hash: whoever changes it changes the values of studies already run.
 */
Test(designs, values_keep_their_bits) {
  static const char *const designs[] = {
      RANDOM_OF("monte_carlo", "50", ""),     RANDOM_OF("monte_carlo", "50", CORRELATED),
      RANDOM_OF("latin_hypercube", "50", ""), RANDOM_OF("latin_hypercube", "50", MAXIMIN),
      RANDOM_OF("sobol", "50", CORRELATED),   RANDOM_OF("halton", "50", "")};
  omr_text bytes = {0};
  char hash[33];
  for (size_t i = 0; i < sizeof designs / sizeof *designs; i++) {
    omr_study *study = study_with(designs[i]);
    for (size_t k = 0; k < 50; k++) {
      double row[MOST];
      values_of(study, k, row);
      omr_text_add(&bytes, (const char *)row, 5 * sizeof *row);
    }
    omr_study_destroy(study);
  }
  omr_hash_hex(bytes.data, bytes.length, hash);
  cr_expect_str_eq(hash, "942ee1d79e5c455a00a8eb28febe5053", "%s", hash);
  omr_text_free(&bytes);
}
