/* What omr_compare makes of a reference: the engine itself, at a quarter of the step, stands in for
 * one, unchanged or with a known fault. So every figure expected here is the fault that was put in.
 */
#include "engine/run.h"
#include "reference/compare/compare.h"
#include "study/derived.h"
#include "tests/parity/parity.h"

static const char text[] =
    "{\"model\": \"omni_vehicle\", \"parameters\": {"
    "\"platform\": {\"mass\": 10, \"yaw_inertia\": 0.3, \"center_of_mass\": {\"height\": 0.1}},"
    "\"layout\": {\"type\": \"ring\", \"wheels\": 3, \"radius\": 0.25},"
    "\"wheel\": {\"radius\": 0.1, \"rollers\": 6, \"tip_radius\": 0.008, \"inclination\": 0.3, "
    "\"friction\": 0.3, "
    "\"slip_speed\": 0.2,"
    "\"disc\": {\"mass\": 0.5, \"axial_inertia\": 1e-3, \"diametral_inertia\": 6e-4}, \"roller\": "
    "{\"density\": 2700}},"
    "\"wheels\": [{\"initial\": {\"rate\": 5}}, {\"initial\": {\"rate\": -4}}, {\"initial\": "
    "{\"rate\": 3}}],"
    "\"initial\": {\"vx\": 0.3, \"vz\": -0.2, \"yaw_rate\": 1}},"
    "\"vary\": [{\"path\": \"wheel.friction\", \"values\": [0.1, 0.2, 0.3]}], \"design\": "
    "{\"type\": \"grid\"},"
    "\"integrator\": {\"step\": \"0.1 ms\", \"duration\": \"0.2 s\"},"
    "\"output\": {\"trajectories\": {\"instances\": [0], \"interval\": \"10 ms\"}},"
    "\"engine\": {\"backend\": \"scalar\", \"precision\": \"double\"}}";

/* The fault of the stand-in. */
static struct {
  int vehicle_sample, wheel_sample,
      wheel; /* -1: none; -2: every roller number is one too large at every time */
  size_t at; /* number of the sample */
  double by;
  int status;
  double blur; /* what the integration leaves of vx, over its relative tolerance */
} fault;

static void no_fault(void) {
  fault.vehicle_sample = fault.wheel_sample = -1;
  fault.status = OMR_INSTANCE_OK;
  fault.by = fault.blur = 0;
}

static void take(const omr_result *r, omr_reference_run *run) {
  const size_t wheels = (size_t)r->wheels;
  run->columns = OMR_VS_COUNT + r->wheels * OMR_WS_COUNT;
  run->times = r->sample_count;
  run->time = omr_pool_take(&run->memory, run->times, sizeof(double));
  run->drift_time = omr_pool_take(&run->memory, OMR_DRIFT_COUNT * run->times, sizeof(double));
  run->samples = omr_pool_take(&run->memory, run->times * (size_t)run->columns, sizeof(double));
  for (size_t s = 0; s < run->times; s++) {
    double *to = run->samples + s * (size_t)run->columns;
    run->time[s] = r->sample_time[s];
    for (int j = 0; j < OMR_VS_COUNT; j++)
      to[j] = r->vehicle_samples[j] ? r->vehicle_samples[j][s] : (double)NAN;
    for (size_t i = 0; i < wheels; i++)
      for (size_t j = 0; j < OMR_WS_COUNT; j++)
        to[OMR_VS_COUNT + i * OMR_WS_COUNT + j] =
            r->wheel_samples[j] ? r->wheel_samples[j][s * wheels + i] : (double)NAN;
  }
  for (int j = 0; j < OMR_OBS_COUNT; j++) run->observables[j] = (double)NAN;
  run->end = r->status_time[0];
}

/* A difference of 1/4 of the step has the step error of 1/256. */
static omr_status stand_in(const omr_part *chosen, size_t k, const omr_reference_options *options,
                           omr_reference_run *run, omr_error *error) {
  const omr_study fine = omr_study_with_steps(chosen->study, 4, 1);
  const omr_part part = omr_part_traced(&fine, &k, 1);
  omr_result *result = NULL;
  omr_status status = omr_engine_run_alone(&part, NULL, &result, error);
  if (status != OMR_OK) return status;
  take(result, run);
  double *sample = run->samples + fault.at * (size_t)run->columns;
  if (fault.vehicle_sample >= 0) sample[fault.vehicle_sample] += fault.by;
  if (fault.wheel_sample >= 0)
    sample[OMR_VS_COUNT + fault.wheel * OMR_WS_COUNT + fault.wheel_sample] += fault.by;
  sample[OMR_VS_VX] += fault.blur * options->tolerance.relative;
  run->status = fault.status;
  omr_result_destroy(result);
  return OMR_OK;
}

static omr_comparison compare_with(const omr_study *study, const size_t *instances, size_t count) {
  omr_comparison c;
  omr_error error = {0};
  const omr_compare_request options = {
      .instances = instances,
      .count = count,
      .tolerance = 1e-6,
      .tolerance_single = 1e-3,
      .reference = {.tolerance = {.relative = 1e-11, .absolute = 1e-12}, .integrate = stand_in}};
  cr_assert_eq(omr_compare(study, &options, &c, &error), OMR_OK, "%s", error.message);
  return c;
}

static omr_study *read_study(void) {
  omr_study *study = NULL;
  omr_error error = {0};
  char device[40];
  snprintf(device, sizeof device, "engine.device=%s", any_set());
  const char *const overrides[] = {device};
  cr_assert_eq(omr_study_parse(text, "compare", overrides, 1, &study, &error), OMR_OK, "%s",
               error.message);
  return study;
}

static const omr_compared *find(const omr_comparison *c, const char *name) {
  for (size_t q = 0; q < c->quantity_count; q++)
    if (strcmp(c->quantities[q].name, name) == 0) return &c->runs[0].instances[0].quantities[q];
  cr_assert_fail("no quantity %s", name);
  return NULL;
}

static int count_differing(const omr_comparison *c) {
  int count = 0;
  for (size_t q = 0; q < c->quantity_count; q++)
    count += c->runs[0].instances[0].quantities[q].differs;
  return count;
}

static const char *verdict(const omr_comparison *c) {
  static char words[1024];
  omr_comparison_verdict(c, words, sizeof words);
  return words;
}

Test(judgement, the_same_model_agrees_and_the_step_error_is_seen, .init = no_fault) {
  omr_study *study = read_study();
  omr_comparison c = compare_with(study, (const size_t[]){0, 2}, 2);
  cr_expect_not(c.differs, "%s", verdict(&c));
  cr_expect_eq(strncmp(verdict(&c), "agree within 1e-06", 18), 0, "%s", verdict(&c));
  cr_expect_eq(c.run_count, 1, "the engine section names one backend and one precision");
  const omr_compared *vx = find(&c, "vx");
  cr_expect_gt(vx->step.largest, 0);
  /* h - h/4 is the sum of h - h/2 and h/2 - h/4 at every time; largest ones cannot exceed the sum
   * of largest ones */
  cr_expect_leq(vx->whole.largest, (vx->step.largest + vx->model.largest) * (1 + 1e-9));
  cr_expect_gt(vx->whole.largest, 0);
  cr_expect_lt(vx->model.largest, vx->step.largest);
  cr_expect_eq(c.runs[0].instances[1].instance, 2);
  cr_expect_not(find(&c, "path_length")->there, "the stand-in has no observables");
  omr_comparison_free(&c);
  omr_study_destroy(study);
}

Test(judgement, a_fault_is_found_with_its_size_time_and_wheel, .init = no_fault) {
  omr_study *study = read_study();
  fault.wheel_sample = OMR_WS_RATE;
  fault.wheel = 2;
  fault.at = 7;
  fault.by = 1e-3;
  omr_comparison c = compare_with(study, (const size_t[]){1}, 1);
  const omr_compared *rate = find(&c, "wheel_rate");
  cr_expect(c.differs);
  cr_expect(rate->differs);
  cr_expect_eq(count_differing(&c), 1);
  cr_expect_float_eq(rate->model.largest, 1e-3, 1e-6);
  cr_expect_eq(rate->model.wheel, 2);
  cr_expect_float_eq(rate->model.time, 0.07, 1e-12);
  cr_expect_not_null(strstr(verdict(&c), "wheel_rate"), "%s", verdict(&c));
  char begin[60];
  snprintf(begin, sizeof begin, "DIFFER: scalar %s double:", any_set());
  cr_expect_eq(strncmp(verdict(&c), begin, strlen(begin)), 0, "%s", verdict(&c));
  omr_comparison_free(&c);
  omr_study_destroy(study);
}

/* The reference's error is in proportion to its tolerance: at 1e-11 it is 1e-4 m/s here, of which
 * the second integration at 1e-12 shows nine tenths. */
Test(judgement, the_references_own_error_is_no_difference_and_no_agreement, .init = no_fault) {
  omr_study *study = read_study();
  fault.at = 7;
  fault.blur = 1e7;
  omr_comparison c = compare_with(study, (const size_t[]){1}, 1);
  const omr_compared *vx = find(&c, "vx");
  cr_expect(c.differs);
  cr_expect(c.limited);
  cr_expect(vx->differs && vx->limited);
  cr_expect_float_eq(vx->own.largest, 0.9e-4, 1e-9);
  cr_expect_float_eq(c.reference_tolerance[0], 1e-11, 1e-20);
  cr_expect_float_eq(c.reference_tolerance[1], 1e-12, 1e-20);
  cr_expect_eq(strncmp(verdict(&c), "NOT DECIDED: scalar", 19), 0, "%s", verdict(&c));
  /* own error over the tolerance of 1e-6 is about 1e-4 m/s over 0.35 m/s, and a third is kept in
   * hand: 1e-14 is asked for, the least that double carries */
  cr_expect_not_null(strstr(verdict(&c), "--reference-tolerance 1e-14"), "%s", verdict(&c));
  omr_comparison_free(&c);
  omr_study_destroy(study);
}

/* A fault that the integration does not explain stays a difference beside one that it does. */
Test(judgement, the_references_own_error_hides_no_fault, .init = no_fault) {
  omr_study *study = read_study();
  fault.wheel_sample = OMR_WS_RATE;
  fault.wheel = 2;
  fault.at = 7;
  fault.by = 1e-3;
  fault.blur = 1e7;
  omr_comparison c = compare_with(study, (const size_t[]){1}, 1);
  cr_expect(c.differs);
  cr_expect_not(c.limited);
  cr_expect(find(&c, "vx")->limited);
  cr_expect_not(find(&c, "wheel_rate")->limited);
  cr_expect_eq(strncmp(verdict(&c), "DIFFER: scalar", 14), 0, "%s", verdict(&c));
  cr_expect_not_null(strstr(verdict(&c), "wheel_rate"), "%s", verdict(&c));
  cr_expect_not_null(strstr(verdict(&c), "(1 quantities differ)"), "%s", verdict(&c));
  omr_comparison_free(&c);
  /* three times what the second integration shows is more than that error may be */
  fault.wheel_sample = -1;
  fault.blur = 1e6;
  fault.vehicle_sample = OMR_VS_VX;
  fault.by = 3e-5;
  c = compare_with(study, (const size_t[]){1}, 1);
  cr_expect_not(c.limited);
  cr_expect(find(&c, "vx")->differs);
  omr_comparison_free(&c);
  omr_study_destroy(study);
}

/* Engine and reference may agree while the reference's error is above the tolerance: then that is
 * said. */
Test(judgement, an_agreement_with_an_inexact_reference_says_so, .init = no_fault) {
  omr_study *study = read_study();
  fault.at = 7;
  fault.vehicle_sample = OMR_VS_VX;
  fault.by = -1e-4; /* takes back what the first integration leaves */
  fault.blur = 1e7;
  omr_comparison c = compare_with(study, (const size_t[]){1}, 1);
  cr_expect_not(c.differs);
  cr_expect(c.inexact);
  cr_expect_not_null(strstr(verdict(&c), "The reference's own error is larger"), "%s", verdict(&c));
  omr_comparison_free(&c);
  omr_study_destroy(study);
}

Test(judgement, a_fault_below_the_tolerance_agrees, .init = no_fault) {
  omr_study *study = read_study();
  fault.vehicle_sample = OMR_VS_YAW;
  fault.at = 20;
  fault.by = 1e-8; /* the yaw goes through about 0.1 rad */
  omr_comparison c = compare_with(study, (const size_t[]){0}, 1);
  cr_expect_not(c.differs, "%s", verdict(&c));
  omr_comparison_free(&c);
  omr_study_destroy(study);
}

Test(judgement, a_value_on_one_side_alone_differs, .init = no_fault) {
  omr_study *study = read_study();
  fault.vehicle_sample = OMR_VS_X;
  fault.at = 3;
  fault.by = (double)NAN;
  omr_comparison c = compare_with(study, (const size_t[]){0}, 1);
  cr_expect(find(&c, "x")->differs);
  cr_expect_eq(find(&c, "x")->model.one_sided, 1);
  cr_expect_not_null(strstr(verdict(&c), "on one side alone"), "%s", verdict(&c));
  omr_comparison_free(&c);
  omr_study_destroy(study);
}

Test(judgement, another_end_differs, .init = no_fault) {
  omr_study *study = read_study();
  fault.status = OMR_INSTANCE_LIFTED;
  omr_comparison c = compare_with(study, (const size_t[]){0}, 1);
  cr_expect(c.differs);
  cr_expect(c.runs[0].instances[0].status_differs);
  cr_expect_not_null(strstr(verdict(&c), "wheel_lifted on the reference"), "%s", verdict(&c));
  omr_comparison_free(&c);
  omr_study_destroy(study);
}

Test(judgement, another_roller_away_from_an_edge_differs, .init = no_fault) {
  omr_study *study = read_study();
  fault.wheel_sample = OMR_WS_ROLLER;
  fault.wheel = 1;
  fault.at = 2;
  fault.by = 1;
  omr_comparison c = compare_with(study, (const size_t[]){0}, 1);
  const omr_roller_mismatch *rollers = &c.runs[0].instances[0].rollers[2];
  cr_expect(c.differs);
  cr_expect_eq(rollers->differ, 1);
  cr_expect_eq(rollers->unexplained, 1);
  cr_expect_eq(rollers->wheel, 1);
  cr_expect_eq(find(&c, "normal_load")->model.left_out, 3, "the loads of all wheels at that time");
  cr_expect_eq(find(&c, "roller_spin")->model.left_out, 1, "the spin of that wheel");
  cr_expect_eq(find(&c, "wheel_rate")->model.left_out, 0);
  cr_expect_not_null(strstr(verdict(&c), "the rollers in contact"), "%s", verdict(&c));
  omr_comparison_free(&c);
  omr_study_destroy(study);
}

Test(judgement, the_table_fits_130_columns_and_ends_with_the_verdict, .init = no_fault) {
  omr_study *study = read_study();
  fault.wheel_sample = OMR_WS_RATE;
  fault.at = 7;
  fault.by = 1e-3;
  omr_comparison c = compare_with(study, (const size_t[]){0, 1, 2}, 3);
  char *out = NULL;
  size_t length = 0;
  FILE *file = open_memstream(&out, &length);
  omr_comparison_print(&c, file);
  fclose(file);
  for (const char *line = out; *line; line += strcspn(line, "\n") + 1) {
    const size_t width = strcspn(line, "\n");
    if (line[width + 1] == 0) break; /* the verdict is a sentence */
    cr_expect_leq(width, 130, "%.*s", (int)width, line);
  }
  cr_expect_not_null(strstr(out, verdict(&c)));
  cr_expect_not_null(strstr(out, "  DIFFERS\n"));
  free(out);
  omr_comparison_free(&c);
  omr_study_destroy(study);
}
