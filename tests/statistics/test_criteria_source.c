/* Criteria as columns of 0 and 1, and their sensitivities. */
#include "../../host/statistics/criteria_source.h"

#include "table.h"

#define TWO                                                                                        \
  "'vary': [{'path': 'initial.x', 'uniform': [0, 1]}, {'path': 'initial.z', 'uniform': [0, 1]}], "
#define EITHER                                                                                     \
  "'statistics': {'fail': {'far': 'initial.x > 0.5', 'either': 'far || initial.z > 50 cm'}}, "

static double unknown_above(const double *x) {
  return x[0] > 0.9 ? (double)NAN : x[0];
}

static omr_statistics *statistics_of(const omr_study *study, table *t) {
  omr_statistics *s = NULL;
  omr_error error = {0};
  cr_assert_eq(omr_statistics_compute(study, &t->source, &s, &error), OMR_OK, "%s", error.message);
  return s;
}

/* far depends on x alone. either: V = 3/16, the mean given x is 1/2 or 1, so S = (1/16)/V = 1/3,
 * and T = 1 - S of the other. */
Test(criteria_source, criteria_have_sobol_indices) {
  omr_study *study =
      study_with(TWO EITHER "'design': {'type': 'saltelli', 'groups': 4096, 'seed': 2}");
  test_function *const function = unknown_above;
  table *t = table_of(study, &function, 1);
  omr_statistics *s = statistics_of(study, t);
  const omr_sensitivity *v = s->sensitivity;
  cr_assert_eq(v->quantities, 3u);
  cr_expect_str_eq(v->info[2 + 1].name, "fail.far");
  cr_expect_str_eq(v->info[2 + 2].name, "fail.either");
  cr_expect_lt(v->used[0], 4096u);
  cr_expect_eq(v->used[1], 4096u);
  for (int e = 0; e < 2; e++) {
    cr_expect_float_eq(v->estimates[e][2].value, 1, 0.02);
    cr_expect_eq(v->estimates[e][3].value, 0);
    for (int i = 0; i < 2; i++)
      cr_expect_float_eq(v->estimates[e][4 + i].value, (e + 1) / 3.0, 0.02);
  }
  cr_expect_float_eq(v->mean[2].value, 0.75, 0.01);
  omr_statistics_destroy(s);
  table_free(t);
  omr_study_destroy(study);
}

Test(criteria_source, reads_truth_and_what_is_not_known) {
  omr_study *study = study_with("'vary': [{'path': 'initial.x', 'uniform': [0, 1]}], 'statistics': "
                                "{'fail': 'initial.x > 0.5'}, "
                                "'design': {'type': 'monte_carlo', 'instances': 100, 'seed': 2}");
  test_function *const function = unknown_above;
  table *t = table_of(study, &function, 1);
  for (size_t k = 20; k < 30; k++) t->values[0][k] = (double)NAN;
  omr_statistics *s = statistics_of(study, t);
  omr_source *with = NULL;
  omr_error error;
  double truth[50];
  cr_assert_eq(omr_source_with_criteria(&t->source, s, &with, &error), OMR_OK);
  cr_expect_eq(with->columns, 3u);
  cr_expect_str_eq(with->info[2].name, "fail");
  cr_assert_eq(with->ops->read(with, 2, 10, 50, truth, &error), OMR_OK);
  for (size_t k = 0; k < 50; k++) {
    const double x = t->values[0][10 + k];
    cr_expect(isnan(x) ? isnan(truth[k]) : truth[k] == (x > 0.5), "row %zu", 10 + k);
  }
  omr_source_close(with);
  omr_statistics_destroy(s);
  table_free(t);
  omr_study_destroy(study);
}

/* A criterion that mentions the status has a value in failed instances: here they fail where x >
 * 0.5, so that the criterion depends on x alone, with S = T = 1, while the observable, x itself,
 * has lost every group that has a failed instance. */
Test(criteria_source, what_failed_counts_for_a_criterion_of_the_status) {
  static const char *const designs[] = {
      "'design': {'type': 'saltelli', 'groups': 1024, 'seed': 2}",
      "'design': {'type': 'monte_carlo', 'instances': 1000, 'seed': 2}"};
  for (int d = 0; d < 2; d++) {
    char sections[512];
    snprintf(sections, sizeof sections, TWO "'statistics': {'fail': 'status != ok'}, %s",
             designs[d]);
    omr_study *study = study_with(sections);
    test_function *const function = unknown_above;
    table *t = table_of(study, &function, 1);
    size_t failed = 0;
    for (size_t k = 0; k < t->source.rows; k++) {
      t->status[k] = t->values[0][k] > 0.5 ? OMR_INSTANCE_LIFTED : OMR_INSTANCE_OK;
      failed += t->status[k] != OMR_INSTANCE_OK;
    }
    omr_statistics *s = statistics_of(study, t);
    const omr_sensitivity *v = s->sensitivity;
    cr_expect_eq(v->used[1], v->groups);
    cr_expect_eq(v->used[0], v->ok);
    cr_expect_lt(v->ok, v->groups);
    char *text = printed(v);
    const char *told =
        d ? "]: of 1000 instances, failed ones too" : "; of 1024 row groups, failed ones too";
    cr_expect_not_null(strstr(text, told), "%s", text);
    free(text);
    if (d == 0) {
      for (int e = 0; e < 2; e++) cr_expect_float_eq(v->estimates[e][2].value, 1, 0.01);
      for (int e = 0; e < 2; e++) cr_expect_eq(v->estimates[e][3].value, 0);
    } else { /* of two classes of p and 1 - p the ranks' correlation with x is sqrt(3 p (1 - p)) */
      const double p = (double)failed / 1000;
      cr_expect_eq(v->rank_used[1], 1000u);
      cr_expect_float_eq(v->estimates[1][2].value, sqrt(3 * p * (1 - p)), 1e-6);
      cr_expect_eq(v->estimates[1][0].value, 1); /* x with itself, of those that did not fail */
      cr_expect_eq(v->rank_used[0], 1000 - failed);
    }
    omr_statistics_destroy(s);
    table_free(t);
    omr_study_destroy(study);
  }
}

/* A failed row counts where the criterion looks at the status alone; an unknown value decides
 * nothing unless the rest does. */
Test(criteria_source, of_a_table_of_the_caller) {
  static const char *const columns[] = {"slip", "load"}, *const units[] = {"m s-1", "N"};
  static const char *const names[] = {"slides", "either", "failed"};
  static const char *const texts[] = {"slip > 2 cm/s", "slides || load < 1", "status != ok"};
  const double slip[] = {0.03, 0.01, (double)NAN, 0.03}, load[] = {2, 2, 0.5, 2};
  const double *const values[] = {slip, load};
  const int8_t status[] = {0, 0, 0, OMR_INSTANCE_LIFTED};
  const double expected[3][4] = {
      {1, 0, (double)NAN, (double)NAN}, {1, 0, 1, (double)NAN}, {0, 0, 0, 1}};
  omr_criterion_table table = {sizeof table, columns, units, values, status, 2, 4};
  omr_error error = {0};
  for (size_t c = 0; c < 3; c++) {
    double truth[4];
    cr_assert_eq(omr_criterion_truth(&table, names, texts, c + 1, truth, &error), OMR_OK);
    for (int k = 0; k < 4; k++)
      cr_expect(isnan(expected[c][k]) ? isnan(truth[k]) : truth[k] == expected[c][k], "%zu, %d", c,
                k);
  }
}

Test(criteria_source, refuses_a_text_that_is_no_criterion_of_the_table) {
  static const char *const columns[] = {"slip"}, *const units[] = {"m s-1"}, *const names[] = {"a"};
  static const char *const wrong[] = {"slip > 3 furlongs", "(slip > 1 m/s", "load > 1", "2 * slip"};
  const double slip[] = {1}, *const values[] = {slip};
  const int8_t status[] = {0};
  omr_criterion_table table = {sizeof table, columns, units, values, status, 1, 1};
  omr_error error = {0};
  double truth[1];
  for (size_t c = 0; c < 4; c++)
    cr_expect_eq(omr_criterion_truth(&table, names, &wrong[c], 1, truth, &error), OMR_ERR_STUDY);
  table.size = 8;
  cr_expect_eq(omr_criterion_truth(&table, names, wrong, 1, truth, &error), OMR_ERR_USAGE);
}
