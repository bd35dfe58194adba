/* The answer of a run: its rows against the run's own columns, the best marks, why a value is
 * absent, and thresholds against the crossing of the numbers themselves. */
#define _GNU_SOURCE /* open_memstream */
#include "statistics/answer.h"
#include "study/study.h"

#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <math.h>
#include <omniroll/omniroll.h>
#include <stdlib.h>
#include <string.h>

/* A wheel that brakes: the way to the stop grows with its speed. */
#define STUDY(vary, design, more)                                                                  \
  "{\"model\": \"uk_wheel\", \"engine\": {\"backend\": \"openmp\"}, \"vary\": [" vary "]," design  \
  "\"integrator\": {\"step\": 0.05, \"duration\": 20}" more "}"
#define MASSES "{\"path\": \"mass\", \"values\": [20, 22, 25, 30]}"

static omr_study *study;
static omr_result *result;
static const omr_statistics *s;
static const omr_answer *a;

static void run(const char *text) {
  omr_error error = {0};
  cr_assert_eq(omr_study_parse(text, "s.json", NULL, 0, &study, &error), OMR_OK, "%s",
               error.message);
  cr_assert_eq(omr_run(study, NULL, &result, &error), OMR_OK, "%s", error.message);
  s = result->statistics;
  a = s->answer;
  cr_assert_not_null(a);
}

static void end(void) {
  omr_result_destroy(result);
  omr_study_destroy(study);
}

TestSuite(answer, .fini = end);

static const double *column(const char *name) {
  for (size_t c = 0; c < result->column_count; c++)
    if (strcmp(result->columns[c].name, name) == 0) return result->columns[c].values;
  cr_assert_fail("no column %s", name);
  return NULL;
}

Test(answer, rows_are_the_chosen_instances_and_the_best_is_marked) {
  run(STUDY(MASSES ", {\"path\": \"radius\", \"values\": [0.25, 0.35]}", "",
            ", \"ask\": [{\"name\": \"share\", \"expression\": \"final_x / (mass * 1 m/kg)\", "
            "\"best\": \"smaller\"}, \"max_speed\"]"));
  cr_assert_eq(a->rows, OMR_ANSWER_INSTANCES);
  cr_assert_eq(a->row_count, 8);
  cr_assert_eq(a->asked_count, 2);
  cr_assert_eq(a->design_count, 2);
  const double *share = column("share"), *x = column("final_x"), *mass = column("mass");
  size_t best = 0;
  for (size_t r = 0; r < 8; r++) {
    cr_expect_eq(share[r], x[r] / mass[r]);
    cr_expect_eq(omr_answer_at(a, r, 0)->value, share[r]);
    cr_expect_eq(a->designs[2 * r], mass[r]);
    if (share[r] < share[best]) best = r;
  }
  for (size_t r = 0; r < 8; r++) {
    cr_expect_eq(omr_answer_at(a, r, 0)->mark == OMR_MARK_BEST, r == best);
    cr_expect_eq(omr_answer_at(a, r, 1)->mark, OMR_MARK_NONE);
  }
}

/* The criterion's margin is linear between the neighbours, so the place follows from the two
 * values; the neighbours are its interval. */
Test(answer, threshold_of_single_instances_is_interpolated) {
  run(STUDY(MASSES, "", ", \"ask\": [\"final_x\"]"));
  const double low = column("final_x")[1], high = column("final_x")[2];
  cr_assert_neq(low, high);
  const double limit = low + 0.25 * (high - low);
  char text[1000];
  end();
  snprintf(text, sizeof text,
           STUDY(MASSES, "", ", \"statistics\": {\"fail\": {\"far\": \"final_x %s %.17g m\"}}"),
           high > low ? ">" : "<", limit);
  run(text);
  cr_assert_eq(a->threshold_count, 1);
  const omr_threshold *t = a->thresholds;
  cr_expect(t->rising);
  cr_expect_float_eq(t->at, 22.75, 1e-6);
  cr_expect(t->bounds.low == 22 && t->bounds.high == 25);
  omr_threshold_tell(s, t, text, sizeof text);
  cr_expect_str_eq(text, "far from mass 22.8 kg on (22 to 25)");
  cr_expect(strstr(omr_answer_at(a, 0, 0)->value == 0 ? "yes" : "no", "yes"));
}

/* A cell's share goes from none to all of its instances: the threshold is where the line between
 * them is at one half, but it may be anywhere between the two (23 kg is the truth). */
Test(answer, threshold_of_shares_has_the_interval_of_the_shares) {
  run(STUDY(MASSES ", {\"path\": \"radius\", \"uniform\": [0.25, 0.35]}",
            "\"design\": {\"type\": \"nested\", \"sample\": \"monte_carlo\", \"per_cell\": 16, "
            "\"seed\": 1},",
            ", \"statistics\": {\"fail\": {\"heavy\": \"mass > 23 kg\", \"light\": {\"when\": "
            "\"mass < 23 kg\", \"met\": \"good\"}}}"));
  cr_assert_eq(a->rows, OMR_ANSWER_CELLS);
  cr_assert_eq(a->row_count, 4);
  cr_assert_eq(a->threshold_count, 2);
  cr_expect_float_eq(a->thresholds[0].at, 23.5, 1e-12);
  cr_expect(a->thresholds[0].rising && !a->thresholds[1].rising);
  cr_expect_eq(a->thresholds[0].bounds.low, 22, "none of 16: its interval leaves out one half");
  cr_expect_eq(a->thresholds[0].bounds.high, 25, "all of 16: so does this one");

  /* a criterion that is good is best where it is met, and so is a bad one where it is not */
  cr_expect_eq(a->asked[0].best, OMR_BEST_SMALLER);
  cr_expect_eq(a->asked[1].best, OMR_BEST_LARGER);
  for (size_t r = 0; r < 4; r++)
    for (size_t i = 0; i < 2; i++)
      cr_expect_eq(omr_answer_at(a, r, i)->mark != OMR_MARK_NONE, r < 2, "%zu %zu", r, i);
}

/* A division by zero has no value, and the answer says why. */
Test(answer, absent_values_have_a_reason) {
  run(STUDY(MASSES, "",
            ", \"ask\": [{\"name\": \"none\", \"expression\": \"final_x / (mass - 22 kg)\"}]"));
  char why[200];
  cr_expect(isnan(omr_answer_at(a, 1, 0)->value));
  cr_expect_not(isnan(omr_answer_at(a, 0, 0)->value));
  cr_expect_eq(omr_answer_at(a, 1, 0)->used, 0);
  omr_answer_absent(s, 1, 0, why, sizeof why);
  cr_expect_str_eq(why, "a term of its expression has no value there, or it divides by 0");
}

/* JSON for programs has the same rows. */
Test(answer, is_printed_for_programs) {
  run(STUDY(MASSES, "", ", \"ask\": [{\"name\": \"final_x\", \"best\": \"smaller\"}]"));
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  omr_answer_print_json(s, out);
  fclose(out);
  cJSON *root = cJSON_Parse(text);
  cr_assert_not_null(root, "%s", text);
  const cJSON *row = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "rows"), 2),
              *value = cJSON_GetObjectItem(cJSON_GetObjectItem(row, "values"), "final_x");
  cr_expect_eq(cJSON_GetArraySize(cJSON_GetObjectItem(root, "rows")), 4);
  cr_expect_eq(cJSON_GetNumberValue(cJSON_GetObjectItem(value, "value")), column("final_x")[2]);
  cr_expect_eq(
      cJSON_GetNumberValue(cJSON_GetObjectItem(cJSON_GetObjectItem(row, "design"), "mass")), 25);
  cJSON_Delete(root);
  free(text);
}
