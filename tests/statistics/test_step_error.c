/* The step error of whole runs: against exact solutions, with instances that fail, in adaptive
 * designs. */
#include "../../host/statistics/step_error.h"
#include "../../host/study/grammar/parse.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static omr_study *read(const char *text, const char *const *overrides, size_t count) {
  omr_study *study;
  omr_error error = {0};
  cr_assert_eq(omr_study_parse(text, "s.json", overrides, count, &study, &error), OMR_OK, "%s",
               error.message);
  return study;
}

static omr_result *run(const omr_study *study) {
  omr_result *result;
  omr_error error = {0};
  cr_assert_eq(omr_run(study, NULL, &result, &error), OMR_OK, "%s", error.message);
  return result;
}

static size_t column_of(const omr_result *result, const char *name) {
  size_t c = 0;
  while (c < result->column_count && strcmp(result->columns[c].name, name) != 0) c++;
  cr_assert_lt(c, result->column_count, "%s", name);
  return c;
}

static const omr_step_quantity *quantity_of(const omr_result *result, const char *name) {
  const omr_step_quantity *q = omr_step_quantity_of(result->statistics, column_of(result, name));
  cr_assert_not_null(q, "%s", name);
  return q;
}

/* A wheelset of equal wheels on a slope keeps its yaw rate W; with the heading h from the direction
 * down and a = m g sin s/A, A = m + 2 J/R^2, its speed is k + (a/W) sin h
 * (tests/physics/test_wheelset.c). Heun's method with a long step. */
#define WHEELSET                                                                                   \
  "{\"model\": \"wheelset\","                                                                      \
  " \"parameters\": {\"radius\": 0.15, \"half_track\": 0.3, \"left_wheel\": {\"mass\": 2, "        \
  "\"axial_inertia\": 0.02},"                                                                      \
  "                  \"rod\": {\"mass\": 3}, \"plane\": {\"slope\": 0.08, \"direction\": 0},"      \
  "                  \"initial\": {\"vx\": 0.9}},"                                                 \
  " \"vary\": [{\"path\": \"initial.yaw_rate\", \"uniform\": [1, 3]}],"                            \
  " \"design\": {\"type\": \"monte_carlo\", \"instances\": 2000, \"seed\": 5},"                    \
  " \"integrator\": {\"method\": \"heun\", \"step\": 0.05, \"duration\": 2},"                      \
  " \"statistics\": {\"fail\": \"final_vx > 1.1 m/s\"},"                                           \
  " \"engine\": {\"backend\": \"openmp\"}}"

static double exact_speed(double rate) {
  const double a = 7 * 9.81 * sin(0.08) / (7 + 2 * 0.02 / (0.15 * 0.15));
  return 0.9 + a / rate * sin(2 * rate);
}

static int ascending(const void *a, const void *b) {
  return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

/* Type 7. */
static double quantile(double *values, size_t count, double level) {
  qsort(values, count, sizeof *values, ascending);
  const double place = level * (double)(count - 1);
  const size_t low = (size_t)place;
  return values[low] +
         (place - (double)low) * (values[low + 1 < count ? low + 1 : low] - values[low]);
}

Test(step_error, holds_the_exact_error_of_a_run) {
  omr_study *study = read(WHEELSET, NULL, 0);
  omr_result *result = run(study);
  const size_t speed = column_of(result, "final_vx"), rate = column_of(result, "initial_yaw_rate"),
               n = result->instances;
  double truth = 0, *limit = malloc(n * sizeof *limit);
  for (size_t k = 0; k < n; k++) {
    limit[k] = exact_speed(result->columns[rate].values[k]);
    truth += (result->columns[speed].values[k] - limit[k]) / (double)n;
  }
  const omr_step_quantity *q = quantity_of(result, "final_vx");
  cr_expect_eq(q->used, 32);
  cr_expect_float_eq(q->order, 2, 0.2, "order %g", q->order);
  cr_expect(q->mean.low <= truth && truth <= q->mean.high, "%g to %g, not %g", q->mean.low,
            q->mean.high, truth);
  cr_expect(fabs(q->mean.error) < 2 * fabs(truth) && fabs(truth) < 2 * fabs(q->mean.error),
            "%g, not %g", q->mean.error, truth);
  for (size_t l = 0; l < study->statistics.quantile_count; l++) {
    const omr_step_estimate *e = &q->quantiles[l];
    const double here = result->statistics->quantities[speed].quantiles[l];
    const double error = here - quantile(limit, n, study->statistics.quantiles[l]);
    cr_expect(e->low <= error && error <= e->high, "quantile %zu: %g to %g, not %g", l, e->low,
              e->high, error);
  }
  free(limit);
  omr_result_destroy(result);
  omr_study_destroy(study);
}

/* With a step so long that the criterion is wrong in many instances. */
Test(step_error, counts_the_instances_whose_criterion_changes) {
  static const char *const longer[] = {
      "integrator.step=1", "statistics.fail=\"final_vx > 0.8 m/s\"",
      "integrator.accept={\"fail\": \"0.1 %\", \"final_vx\": \"50 %\"}"};
  omr_study *study = read(WHEELSET, longer, 3);
  omr_result *result = run(study);
  const omr_step_error *e = result->statistics->step_error;
  const omr_step_criterion *c = &e->criteria[0];
  const size_t speed = column_of(result, "final_vx"), rate = column_of(result, "initial_yaw_rate");
  size_t flips = 0, gained = 0, lost = 0;
  for (size_t k = 0; k < result->instances; k++)
    flips += (result->columns[speed].values[k] > 0.8) !=
             (exact_speed(result->columns[rate].values[k]) > 0.8);
  for (size_t place = 0; place < e->refined.sample.count; place++) {
    const bool here = omr_refined_row(&e->refined, 0, place)[speed] > 0.8,
               there = omr_refined_row(&e->refined, 2, place)[speed] > 0.8;
    gained += here && !there;
    lost += there && !here;
  }
  const double share = (double)flips / (double)result->instances;
  cr_expect_gt(share, 0.02, "the study is of no use: %g", share);
  cr_expect_eq(c->used, 32);
  cr_expect_eq(c->gained, gained);
  cr_expect_eq(c->lost, lost);
  cr_expect(share <= c->flips_high, "%g, not below %g", share, c->flips_high);
  cr_expect_eq(e->verdict_count, 2);
  cr_expect_gt(gained + lost, 0);
  cr_expect(e->verdicts[0].missed);
  cr_expect_not(e->verdicts[1].missed);
  omr_result_destroy(result);
  omr_study_destroy(study);
}

/* Vehicles of which those with a high load lift a wheel. */
#define TALL                                                                                       \
  "{\"model\": \"omni_vehicle\","                                                                  \
  " \"parameters\": {\"wheel\": {\"initial\": {\"rate\": -30}}, \"initial\": {\"vx\": \"2 "        \
  "m/s\"}},"                                                                                       \
  " \"vary\": [{\"path\": \"platform.center_of_mass.height\", \"values\": [0.1, 3]},"              \
  "            {\"path\": \"wheel.friction\", \"values\": [0.2, 0.3, 0.4, 0.5]}],"                 \
  " \"statistics\": {\"fail\": {\"lifts\": \"status == wheel_lifted\", \"slides\": \"max_slip > "  \
  "1 m/s\"}},"                                                                                     \
  " \"integrator\": {\"step\": \"1 ms\", \"duration\": \"50 ms\", \"stability\": \"ignore\"}, "    \
  "\"engine\": {\"backend\": "                                                                     \
  "\"openmp\"}}"

Test(step_error, leaves_out_what_failed_and_tells_how_many) {
  omr_study *study = read(TALL, NULL, 0);
  omr_result *result = run(study);
  const omr_step_error *e = result->statistics->step_error;
  size_t failed = 0;
  for (size_t k = 0; k < 8; k++) failed += result->status[k] != OMR_INSTANCE_OK;
  cr_assert(failed > 0 && failed < 8);
  cr_expect_eq(e->refined.sample.count, 8);
  cr_expect_eq(e->left_out, failed);
  cr_expect_eq(quantity_of(result, "path_length")->used, 8 - failed);
  cr_expect_eq(e->criteria[0].used, 8, "a criterion that mentions the status looks at all");
  cr_expect_eq(e->criteria[1].used, 8 - failed);
  omr_result_destroy(result);
  omr_study_destroy(study);
}

/* Nobody reaches the end: there is no number, and what the study asks for is missed. */
Test(step_error, of_a_run_in_which_all_fail_is_not_known) {
  static const char *const all[] = {
      "vary=[{\"path\": \"platform.center_of_mass.height\", \"values\": [3, 4]}]",
      "integrator.accept={\"path_length\": \"1 %\"}"};
  omr_study *study = read(TALL, all, 2);
  omr_result *result = run(study);
  omr_error error = {0};
  cr_expect_eq(quantity_of(result, "path_length")->used, 0);
  cr_expect(isnan(quantity_of(result, "path_length")->mean.error));
  cr_expect_eq(omr_result_check_accept(study, result, &error), OMR_ERR_INACCURATE);
  cr_expect_not_null(strstr(error.message, "path_length: its error by the step is not known"), "%s",
                     error.message);
  cr_expect_not_null(strstr(result->warnings, "step error: path_length"), "%s", result->warnings);
  omr_result_destroy(result);
  omr_study_destroy(study);
}

/* An instance that was run again with half the step after a failure has an error of its own. */
Test(step_error, does_not_count_what_was_taken_again) {
  static const char *const again[] = {
      "integrator.step=2.5e-2", "integrator.on_failure=retry_half_step", "integrator.retries=6",
      "parameters.wheel.slip_speed=1e-3", "parameters.platform.mass=3"};
  omr_study *study = read(TALL, again, 5);
  omr_result *result = run(study);
  const omr_refined *r = &result->statistics->step_error->refined;
  size_t retried = 0;
  for (size_t k = 0; k < 8; k++) {
    retried += result->retries[k] > 0;
    cr_expect_eq(*omr_refined_status(r, 0, k) == OMR_RETRIED, result->retries[k] > 0);
  }
  cr_expect_geq(result->statistics->step_error->left_out, retried);
  omr_result_destroy(result);
  omr_study_destroy(study);
}

/* The rows of a chosen instance in a result of an adaptive design are those of its first instances.
 */
static void expect_chosen(const char *design, size_t of) {
  const char *const overrides[] = {
      design, "integrator.duration=0.02", "parameters.wheel.initial.rate=-20",
      "statistics.fail=\"path_length > 0.0396 m\"",
      "vary=[{\"path\": \"wheel.friction\", \"uniform\": [0.2, 0.5]}]"};
  omr_study *study = read(TALL, overrides, 5);
  omr_result *result = run(study);
  const omr_step_error *e = result->statistics->step_error;
  cr_assert_not_null(e, "%s", design);
  cr_expect_eq(e->refined.sample.of, of, "%s", design);
  const size_t path = column_of(result, "path_length");
  for (size_t place = 0; place < e->refined.sample.count; place++) {
    const size_t k = e->refined.instance[place];
    cr_expect_lt(k, of);
    cr_expect_eq(omr_refined_row(&e->refined, 0, place)[path], result->columns[path].values[k]);
    cr_expect_eq(omr_refined_row(&e->refined, 1, place)[0], result->columns[0].values[k],
                 "the same parameters");
  }
  cr_expect_gt(quantity_of(result, "path_length")->used, 0);
  omr_result_destroy(result);
  omr_study_destroy(study);
}

Test(step_error, of_adaptive_designs_is_seen_on_their_first_instances) {
  expect_chosen(
      "design={\"type\": \"subset_simulation\", \"instances\": 100, \"seed\": 2, \"levels\": 2}",
      100);
  expect_chosen("design={\"type\": \"monte_carlo\", \"instances\": 300, \"seed\": 2}", 300);
}

/* Cells of a nested design whose order the step turns round: it makes 4 of less than 2 in one, and
 * no error in the other, which has 2. Made, not run: values are put into the result. */
Test(step_error, tells_which_cells_change_places) {
  static const char *const nested[] = {
      "design={\"type\": \"nested\", \"sample\": \"monte_carlo\", \"per_cell\": 20, \"seed\": 1}",
      "vary=[{\"path\": \"plane.slope\", \"values\": [0.02, 0.04]}, {\"path\": "
      "\"initial.yaw_rate\", \"uniform\": [1, 3]}]"};
  omr_study *study = read(WHEELSET, nested, 2);
  omr_result *result = run(study);
  const size_t speed = column_of(result, "final_vx");
  omr_refined refined;
  omr_error error = {0};
  cr_assert_eq(omr_refined_make(study, &refined, &error), OMR_OK);
  cr_assert_eq(refined.sample.levels, 2);
  for (size_t k = 0; k < 40; k++)
    result->columns[speed].values[k] = (k < 20 ? 4 : 2) + 0.01 * (double)(k % 20);
  omr_refined_note(&refined, result);
  for (size_t place = 0; place < refined.sample.count; place++) {
    const size_t k = refined.instance[place];
    for (int level = 1; level <= 2; level++) {
      memcpy(omr_refined_row(&refined, level, place), omr_refined_row(&refined, 0, place),
             refined.columns * sizeof(double));
      *omr_refined_status(&refined, level, place) = OMR_INSTANCE_OK;
    }
    omr_refined_row(&refined, 1, place)[speed] -=
        k < 20 ? 1.5 : 0; /* 4, 2.5, 1.75 ...: the limit is 1 */
    omr_refined_row(&refined, 2, place)[speed] -= k < 20 ? 2.25 : 0;
  }
  cr_assert_eq(omr_statistics_keep(study, result, &error), OMR_OK);
  cr_assert_eq(omr_step_error_keep(study, &refined, result, &error), OMR_OK);
  const omr_step_ranking *r = &quantity_of(result, "final_vx")->ranking;
  cr_expect_eq(r->pairs, 1);
  cr_expect_eq(r->reversed, 1);
  cr_expect(r->cells[0] == 0 && r->cells[1] == 1);
  cr_expect_eq(quantity_of(result, "max_speed")->ranking.reversed, 0);
  omr_refined_free(&refined);
  omr_result_destroy(result);
  omr_study_destroy(study);
}

/* Cells that are told apart by their sums are those that their rows tell apart; with common random
 * numbers nearly so. */
Test(step_error, without_rows_the_same_cells_change_places) {
  static const char block[] =
      "{\"model\": \"sliding_block\", \"parameters\": {\"mass\": 10, \"law\": \"regularized\", "
      "\"friction\": {\"kinetic\": 0.3}, \"pull\": {\"type\": \"ramp\", \"force\": 0, \"rate\": "
      "100}}, "
      "\"vary\": [{\"path\": \"friction.kinetic\", \"values\": [0.05, 0.1, 0.2, 0.3, 0.4, 0.6]}, "
      "{\"path\": \"mass\", \"log_uniform\": [1, 100]}], \"design\": {\"type\": \"nested\", "
      "\"sample\": "
      "\"monte_carlo\", \"per_cell\": 100, \"seed\": 3}, \"integrator\": {\"method\": \"rk4\", "
      "\"step\": "
      "0.01, \"duration\": 0.3, \"stability\": \"ignore\"}, \"statistics\": {\"fail\": "
      "{\"slides\": "
      "\"max_slip > 1 m/s\"}}}";
  for (int common = 0; common < 2; common++) {
    const char *const settings[] = {common ? "design.common_random_numbers=true"
                                           : "design.common_random_numbers=false",
                                    "output.rows=none"};
    omr_study *study[2] = {read(block, settings, 1), read(block, settings, 2)};
    omr_result *result[2] = {run(study[0]), run(study[1])};
    const omr_step_error *rows = result[0]->statistics->step_error,
                         *none = result[1]->statistics->step_error;
    size_t pairs[2] = {0, 0}, reversed[2] = {0, 0};
    for (size_t q = 0; q < rows->observable_count; q++) {
      const omr_step_ranking *a = &rows->quantities[q].ranking, *b = &none->quantities[q].ranking;
      if (!common) cr_expect(a->pairs == b->pairs && a->reversed == b->reversed, "%zu", q);
      pairs[0] += a->pairs, pairs[1] += b->pairs;
      reversed[0] += a->reversed, reversed[1] += b->reversed;
    }
    cr_expect_gt(reversed[0], 0);
    cr_expect_float_eq((double)pairs[1], (double)pairs[0], 0.1 * (double)pairs[0]);
    cr_expect_float_eq((double)reversed[1], (double)reversed[0], 0.2 * (double)reversed[0]);
    if (!common) cr_expect_eq(rows->criteria[0].ranking.pairs, none->criteria[0].ranking.pairs);
    cr_expect_gt(none->criteria[0].ranking.pairs, 0);
    for (int i = 0; i < 2; i++) {
      omr_result_destroy(result[i]);
      omr_study_destroy(study[i]);
    }
  }
}

Test(step_error, is_not_measured_where_it_is_off) {
  static const char *const off[] = {"integrator.step_error=off"};
  omr_study *study = read(WHEELSET, off, 1);
  omr_result *result = run(study);
  omr_error error = {0};
  cr_expect_null(result->statistics->step_error);
  cr_expect_eq(result->record.refined_steps, 0);
  cr_expect_eq(omr_result_check_accept(study, result, &error), OMR_OK);
  omr_result_destroy(result);
  omr_study_destroy(study);
}

/* One vehicle for so long that a ten-thousandth of the tolerance is not taken: a hundredth of 1e-2
 * does not tell the instants that its extremes may hang on, one of 1e-3 does. */
Test(step_error, of_extremes_of_a_single_vehicle_is_not_known_from_large_tolerances) {
  static const char text[] =
      "{\"model\": \"omni_vehicle\", \"integrator\": {\"tolerance\": 1e-2, \"duration\": 12,"
      " \"accept\": {\"vibration_peak\": 9, \"vibration_rms\": 9}},"
      " \"parameters\": {\"wheel\": {\"drive\": {\"type\": \"constant\", \"torque\": 0.01}}},"
      " \"engine\": {\"backend\": \"openmp\"}}";
  static const char *const overrides[] = {"integrator.tolerance=1e-2", "integrator.tolerance=1e-3"};
  for (int known = 0; known <= 1; known++) {
    omr_study *study = read(text, &overrides[known], 1);
    omr_result *result = run(study);
    const omr_step_error *e = result->statistics->step_error;
    char warnings[1000] = "";
    cr_expect_eq(e->refined.sample.levels, 1);
    cr_expect_eq(quantity_of(result, "vibration_rms")->used, 1);
    cr_expect_eq(quantity_of(result, "vibration_peak")->used, (size_t)known);
    cr_expect_eq(isfinite(quantity_of(result, "vibration_peak")->mean.error), known);
    cr_expect_eq(e->verdicts[0].missed, !known);
    cr_expect_not(e->verdicts[1].missed);
    omr_step_error_warn(result->statistics, warnings, sizeof warnings);
    cr_expect_eq(strstr(warnings, "a tolerance of 1e-3 or less") != NULL, !known, "%s", warnings);
    omr_result_destroy(result);
    omr_study_destroy(study);
  }
}
