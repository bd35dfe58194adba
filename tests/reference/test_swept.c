/* Whole studies on the reference (host/reference/whole_study.h): the same rows as instances that
 * are chosen one by one, whatever parts and threads they run in, and a run that is stopped goes on.
 */
#include "campaign/integrate.h"
#include "engine/run.h"
#include "reference/ensemble.h"
#include "study/derived.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WHEEL                                                                                      \
  "\"model\": \"omni_wheel\", \"parameters\": {\"wheel\": {\"radius\": \"10 cm\", \"rollers\": 5," \
  "\"inclination\": 0.4, \"tip_radius\": \"8 mm\", \"friction\": 0.3, \"slip_speed\": \"20 "       \
  "cm/s\","                                                                                        \
  "\"disc\": {\"mass\": \"1.2 kg\", \"axial_inertia\": \"0.006 kg m2\","                           \
  "\"diametral_inertia\": \"0.0035 kg m2\"}, \"roller\": {\"density\": \"2700 kg/m3\"},"           \
  "\"initial\": {\"rate\": \"-60 rpm\"}}, \"initial\": {\"vx\": \"60 cm/s\"}},"

static const char sample_text[] =
    "{" WHEEL "\"vary\": [{\"path\": \"wheel.friction\", \"uniform\": [0.1, 0.5]}],"
    "\"design\": {\"type\": \"monte_carlo\", \"instances\": 6, \"seed\": 3},"
    "\"integrator\": {\"step\": \"1 ms\", \"duration\": \"0.1 s\"},"
    "\"output\": {\"trajectories\": {\"instances\": [1, 4], \"interval\": \"20 ms\"}},"
    "\"engine\": {\"backend\": \"reference\"}}";

static omr_study *read_study(const char *text, const char *const *overrides, size_t count) {
  omr_study *study = NULL;
  omr_error error = {0};
  cr_assert_eq(omr_study_parse(text, "swept", overrides, count, &study, &error), OMR_OK, "%s",
               error.message);
  return study;
}

static omr_result *run(const omr_study *study) {
  omr_result *result = NULL;
  omr_error error = {0};
  cr_assert_eq(omr_run(study, NULL, &result, &error), OMR_OK, "%s", error.message);
  return result;
}

/* NaN has many bits and one meaning. */
static bool same(double a, double b) {
  return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

static void expect_same_rows(const omr_result *a, const omr_result *b) {
  cr_assert_eq(a->instances, b->instances);
  cr_assert_eq(a->column_count, b->column_count);
  for (size_t k = 0; k < a->instances; k++) {
    cr_expect_eq(a->status[k], b->status[k]);
    for (size_t c = 0; c < a->column_count; c++)
      cr_expect(same(a->columns[c].values[k], b->columns[c].values[k]), "instance %zu: %s", k,
                a->columns[c].name);
  }
}

/* The reference's own function for chosen instances is what each row has to equal, to the bit. */
Test(swept, rows_are_those_of_chosen_instances, .timeout = 120) {
  static const size_t all[] = {0, 1, 2, 3, 4, 5};
  omr_study *study = read_study(sample_text, NULL, 0);
  omr_result *result = run(study);
  const omr_part part = omr_part_traced(study, all, 6);
  omr_ensemble one_by_one;
  omr_error error = {0};
  const omr_ensemble_options options = {0};
  cr_assert_eq(omr_ensemble_run(&part, &options, &one_by_one, &error), OMR_OK, "%s", error.message);
  expect_same_rows(result, one_by_one.result);
  cr_assert_eq(result->traced_count, 2);
  const size_t samples = result->sample_count;
  for (size_t s = 0; s < samples; s++) {
    cr_expect(same(result->vehicle_samples[OMR_VS_X][samples + s],
                   one_by_one.result->vehicle_samples[OMR_VS_X][4 * samples + s]));
    cr_expect(same(result->drift_samples[0][samples + s],
                   one_by_one.result->drift_samples[0][4 * samples + s]));
  }
  cr_expect_str_eq(result->record.backend, "reference");
  cr_expect_str_eq(result->record.numerics, "reference");
  omr_ensemble_free(&one_by_one);
  omr_result_destroy(result);
  omr_study_destroy(study);
}

/* Two computations of one motion: they agree by far better than the spread of the sample. */
Test(swept, the_engine_agrees, .timeout = 120) {
  const char *const on_engine[] = {"engine.backend=openmp", "integrator.step=0.1 ms"};
  omr_study *study = read_study(sample_text, NULL, 0),
            *other = read_study(sample_text, on_engine, 2);
  omr_result *a = run(study), *b = run(other);
  size_t column = 0;
  while (strcmp(a->columns[column].name, "final_x") != 0) column++;
  for (size_t k = 0; k < a->instances; k++)
    cr_expect_float_eq(a->columns[column].values[k], b->columns[column].values[k], 1e-8);
  omr_result_destroy(a);
  omr_result_destroy(b);
  omr_study_destroy(study);
  omr_study_destroy(other);
}

Test(swept, threads_and_parts_change_no_bit, .timeout = 120) {
  const char *const one_thread[] = {"engine.threads=1"};
  omr_study *study = read_study(sample_text, NULL, 0),
            *alone = read_study(sample_text, one_thread, 1);
  omr_result *whole = run(study), *serial = run(alone), *part = NULL;
  omr_integrator *integrator;
  omr_error error = {0};
  const omr_part all = omr_part_of(study);
  omr_cut cut;
  expect_same_rows(whole, serial);
  cr_assert_eq(omr_integrator_open(&all, NULL, &integrator, &error), OMR_OK, "%s", error.message);
  cr_assert_eq(omr_cut_make(&all, 3, 5, &cut, &error), OMR_OK);
  cr_assert_eq(omr_integrator_run(integrator, &cut.part, &part, &error), OMR_OK, "%s",
               error.message);
  for (size_t k = 0; k < 2; k++)
    for (size_t c = 0; c < whole->column_count; c++)
      cr_expect(same(part->columns[c].values[k], whole->columns[c].values[3 + k]));
  cr_assert_eq(part->traced_count, 1);
  cr_expect_eq(part->traced[0], 4);
  omr_integrator_close(integrator);
  omr_cut_free(&cut);
  omr_result_destroy(part);
  omr_result_destroy(serial);
  omr_result_destroy(whole);
  omr_study_destroy(study);
  omr_study_destroy(alone);
}

/* Instances 0 and 2 make no wheel (rollers that reach beyond its radius); the others run. */
Test(swept, an_instance_that_makes_no_machine_harms_no_other, .timeout = 120) {
  static const char tips[] = "vary=[{\"path\": \"wheel.tip_radius\", "
                             "\"values\": [\"90 cm\", \"8 mm\", \"80 cm\", \"9 mm\"]}]";
  const char *const overrides[] = {tips, "design={\"type\": \"grid\"}",
                                   "output.trajectories.instances=[1, 2]"};
  omr_study *study = read_study(sample_text, overrides, 3);
  omr_result *result = run(study);
  const int8_t expected[] = {OMR_INSTANCE_INVALID, OMR_INSTANCE_OK, OMR_INSTANCE_INVALID,
                             OMR_INSTANCE_OK};
  for (size_t k = 0; k < 4; k++) cr_expect_eq(result->status[k], expected[k], "instance %zu", k);
  cr_assert_eq(result->failures.count, 2);
  cr_expect_eq(result->failures.instance[1], 2);
  cr_expect_eq(strncmp(result->first_invalid, "instance 0: ", 12), 0);
  cr_expect(isnan(result->vehicle_samples[OMR_VS_X][result->sample_count]));
  cr_expect_not(isnan(result->vehicle_samples[OMR_VS_X][0]));
  omr_result_destroy(result);
  omr_study_destroy(study);
}

/* A wheelset that turns fast on a slope lifts its inner wheel: both computations see it in the same
 * step, and list the same last state, what the reference does not integrate apart. */
Test(swept, a_small_model_that_ends_early_keeps_its_last_state, .timeout = 120) {
  static const char text[] =
      "{\"model\": \"wheelset\", \"parameters\": {\"radius\": 0.15, \"half_track\": 0.2,"
      "\"left_wheel\": {\"mass\": 2}, \"rod\": {\"mass\": 3, \"axial_inertia\": 1e-3},"
      "\"plane\": {\"slope\": 0.27}, \"initial\": {\"vx\": 1, \"yaw\": 7}},"
      "\"vary\": [{\"path\": \"initial.yaw_rate\", \"values\": [4, 8]}],"
      "\"integrator\": {\"step\": \"2 ms\", \"duration\": 2}}";
  const char *const overrides[] = {"engine.backend=reference"};
  omr_study *study = read_study(text, NULL, 0), *other = read_study(text, overrides, 1);
  omr_result *a = run(study), *b = run(other);
  const omr_failures *f = &a->failures, *g = &b->failures;
  int compared = 0;
  cr_assert_eq(f->count, 1);
  cr_assert_eq(g->count, 1);
  cr_expect_eq(f->status[0], OMR_INSTANCE_LIFTED);
  cr_expect_eq(g->status[0], OMR_INSTANCE_LIFTED);
  cr_expect_eq(f->time[0], g->time[0]);
  for (size_t j = 0; j < f->vehicle_count; j++) {
    const bool own =
        strcmp(f->vehicle[j].name, "path") == 0 || strcmp(f->vehicle[j].name, "work") == 0;
    cr_expect_eq(isnan(g->state[j]), own, "%s", f->vehicle[j].name);
    if (!own) cr_expect_float_eq(f->state[j], g->state[j], 1e-6, "%s", f->vehicle[j].name);
    compared += !own;
  }
  cr_expect_eq(compared, 10);
  omr_result_destroy(a);
  omr_result_destroy(b);
  omr_study_destroy(study);
  omr_study_destroy(other);
}

/* Coordinates that the plan of a subset simulation gives reach the reference: its levels go on. */
Test(swept, a_rare_event_is_found, .timeout = 300) {
  static const char design[] = "design={\"type\": \"subset_simulation\", \"instances\": 40, "
                               "\"level_probability\": 0.25, \"levels\": 4, \"seed\": 5}";
  const char *const overrides[] = {"vary=[{\"path\": \"initial.vx\", \"normal\": [0.5, 0.05]}]",
                                   design, "integrator.duration=20 ms",
                                   "output={\"observables\": [\"path_length\"]}",
                                   "statistics={\"fail\": {\"far\": \"path_length > 0.0125\"}}"};
  const char *const engine[] = {overrides[0], overrides[1], overrides[2],
                                overrides[3], overrides[4], "engine.backend=openmp"};
  omr_study *study = read_study(sample_text, overrides, 5),
            *other = read_study(sample_text, engine, 6);
  omr_result *a = run(study), *b = run(other);
  cr_assert_gt(a->instances, 40, "the first level is not all");
  cr_assert_eq(a->instances, b->instances);
  for (size_t k = 0; k < a->instances; k++) {
    cr_expect(same(a->columns[0].values[k], b->columns[0].values[k]), "instance %zu", k);
    cr_expect_float_eq(a->columns[1].values[k], b->columns[1].values[k], 1e-7);
  }
  omr_result_destroy(a);
  omr_result_destroy(b);
  omr_study_destroy(study);
  omr_study_destroy(other);
}

static bool stop_at_third(void *user, double done, double total) {
  (void)user;
  return done < total / 3;
}

Test(swept, a_stopped_run_goes_on_from_its_chunks, .timeout = 120) {
  const char *const overrides[] = {"engine.chunk=1", "engine.threads=1"};
  omr_study *study = read_study(sample_text, overrides, 2);
  char folder[] = "/tmp/omniroll_swept_XXXXXX", path[64];
  cr_assert_not_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/r.h5", folder);
  omr_file_options options = OMR_FILE_OPTIONS_INIT;
  omr_error error = {0};
  options.run.progress = stop_at_third;
  cr_expect_eq(omr_run_file(study, path, &options, NULL, &error), OMR_ERR_INTERRUPTED, "%s",
               error.message);
  options.run.progress = NULL;
  /* the engine's chunks would be others */
  const char *const engine[] = {"engine.chunk=1", "engine.backend=openmp"};
  omr_study *other = read_study(sample_text, engine, 2);
  cr_expect_neq(omr_run_file(other, path, &options, NULL, &error), OMR_OK);
  cr_expect_not_null(strstr(error.message, "reference"), "%s", error.message);
  omr_study_destroy(other);
  other = read_study(sample_text, engine, 2);
  snprintf(path, sizeof path, "%s/other.h5", folder); /* and the reference's others than its */
  options.run.progress = stop_at_third;
  cr_expect_eq(omr_run_file(other, path, &options, NULL, &error), OMR_ERR_INTERRUPTED, "%s",
               error.message);
  options.run.progress = NULL;
  cr_expect_neq(omr_run_file(study, path, &options, NULL, &error), OMR_OK);
  cr_expect_not_null(strstr(error.message, "now is reference"), "%s", error.message);
  cr_assert_eq(omr_run_file(other, path, &options, NULL, &error), OMR_OK, "%s", error.message);
  unlink(path);
  snprintf(path, sizeof path, "%s/r.h5", folder);
  cr_assert_eq(omr_run_file(study, path, &options, NULL, &error), OMR_OK, "%s", error.message);
  omr_result *kept = NULL, *whole = run(study);
  cr_assert_eq(omr_result_open(path, &kept, &error), OMR_OK, "%s", error.message);
  expect_same_rows(kept, whole);
  omr_result_destroy(kept);
  omr_result_destroy(whole);
  unlink(path);
  rmdir(folder);
  omr_study_destroy(study);
  omr_study_destroy(other);
}

static void expect_refused(const char *set, const char *text) {
  omr_study *study = NULL;
  omr_error error = {0};
  cr_expect_eq(omr_study_parse(sample_text, "swept", &set, 1, &study, &error), OMR_ERR_STUDY, "%s",
               set);
  cr_expect_not_null(strstr(error.message, text), "%s: %s", set, error.message);
  omr_study_destroy(study);
}

Test(swept, what_the_reference_has_not_is_refused) {
  expect_refused("engine.precision=single", "integrates in double precision");
  expect_refused("engine.numerics=fast", "has no fast numerics");
  expect_refused("engine.device=avx2", "leave device out");
  expect_refused("integrator.on_failure=retry_half_step",
                 "no step that retry_half_step could halve");
  omr_study *study = read_study(sample_text, NULL, 0);
  const omr_part whole = omr_part_of(study);
  omr_engine *engine = NULL;
  omr_error error = {0};
  cr_expect_eq(omr_engine_open(&whole, NULL, &engine, &error), OMR_ERR_USAGE);
  cr_expect_not_null(strstr(error.message, "--backend openmp"), "%s", error.message);
  omr_study_destroy(study);
}
