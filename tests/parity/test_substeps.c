/* Instances that ride in the batch of a run with two or four steps to one of the run: bit by bit
 * those of a run of their own with half the step, or a quarter; and their neighbours are as if they
 * were alone. */
#include "parity.h"

#include "engine/run.h"
#include "result/shorter_steps.h"

/* As many as there is room for, at both levels, whatever a study of this size would take. */
static void choose_many(const omr_study *study, omr_refined *refined) {
  omr_error error = {.message = ""};
  cr_assert_eq(omr_refined_make(study, refined, &error), OMR_OK, "%s", error.message);
  omr_refined_free(refined);
  *refined = (omr_refined){.parameters = study->variation_count, .columns = study->variation_count};
  for (int j = 0; j < OMR_OBS_COUNT; j++) refined->columns += omr_study_observes(study, j);
  refined->sample = (omr_step_sample){
      .count = study->instances < 8 ? study->instances : 8, .levels = 2, .of = study->instances};
  for (size_t i = 0; i < refined->sample.count; i++)
    refined->instance[i] = refined->sample.row[i] = i * study->instances / refined->sample.count;
  const size_t rows = 3 * refined->sample.count;
  refined->status = malloc(rows);
  refined->values = malloc(rows * refined->columns * sizeof *refined->values);
  cr_assert(refined->status && refined->values);
  memset(refined->status, OMR_NOT_RUN, rows);
}

/* A run with the instances on board; NULL where this machine has no such engine. */
static omr_result *run_with(const omr_study *study, const engine *e, omr_refined *refined) {
  omr_engine *engine;
  omr_result *result;
  omr_error error = {.message = ""};
  const omr_part whole = omr_part_of(study);
  const omr_status status = omr_engine_open(&whole, NULL, &engine, &error);
  if (status == OMR_ERR_DEVICE && may_be_missing(e, &error)) return NULL;
  cr_assert_eq(status, OMR_OK, "%s: %s", engine_name(e), error.message);
  omr_engine_carry(engine, refined);
  cr_assert_eq(omr_engine_run(engine, &whole, &result, &error), OMR_OK, "%s", error.message);
  cr_expect(omr_refined_done(refined));
  double steps = 0;
  for (int level = 1; level <= refined->sample.levels; level++)
    steps += (double)study->time.steps * omr_substeps(level);
  cr_expect_leq(result->record.refined_steps, steps * (double)refined->sample.count);
  cr_expect_gt(result->record.refined_steps, 0);
  omr_engine_close(engine);
  return result;
}

/* The same instances alone with their shorter steps. */
static void expect_level(const omr_study *study, const char *label, const omr_refined *refined,
                         int level) {
  const omr_study shorter = omr_study_refined(study, level);
  const omr_part alone = omr_part_choose(&shorter, refined->instance, refined->sample.count);
  omr_result *result;
  omr_error error = {.message = ""};
  cr_assert_eq(omr_engine_run_alone(&alone, NULL, &result, &error), OMR_OK, "%s", error.message);
  size_t differences = 0, ok = 0;
  for (size_t place = 0; place < refined->sample.count; place++) {
    const int status = *omr_refined_status(refined, level, place);
    cr_expect_eq(status, result->status[place], "%s: instance %zu at level %d", label,
                 refined->instance[place], level);
    ok += status == OMR_INSTANCE_OK;
    for (size_t c = 0; c < refined->columns; c++)
      differences +=
          count_differences(label, result->columns[c].name, &result->columns[c].values[place],
                            &omr_refined_row(refined, level, place)[c], 1);
  }
  cr_expect_eq(differences, 0, "%s, level %d", label, level);
  cr_expect_gt(ok, 0, "%s", label);
  omr_result_destroy(result);
}

static void expect_substeps(const char *path, const engine *e) {
  engine wanted = *e;
  wanted.step_error = true;
  omr_study *study = load_study(path, &wanted);
  omr_refined refined;
  choose_many(study, &refined);
  omr_result *with = run_with(study, e, &refined), *without = with ? run_study(path, e) : NULL;
  if (with) {
    cr_expect_eq(compare_instances(path, without, with, study->instances) +
                     compare_trajectories(path, without, with),
                 0);
    cr_expect_eq(with->record.instance_steps, without->record.instance_steps);
    for (int level = 1; level <= refined.sample.levels; level++)
      expect_level(study, path, &refined, level);
  }
  omr_result_destroy(with);
  omr_result_destroy(without);
  omr_refined_free(&refined);
  omr_study_destroy(study);
}

static const char *const studies[] = {
    "tests/parity/parity.json",        "tests/parity/laws.json",
    "tests/parity/discs.json",         "tests/parity/bearing.json",
    "tests/parity/four_wheels.json",   "tests/parity/one_wheel.json",
    "tests/parity/tracking.json",      "tests/parity/dip.json",
    "tests/parity/uk_wheel.json",      "tests/parity/disc_rolling.json",
    "tests/parity/wheelset.json",      "tests/parity/snakeboard.json",
    "tests/parity/sliding_block.json", "tests/parity/elastic_wheel.json",
};

Test(substeps, are_those_of_a_run_of_their_own, .timeout = 300) {
  for (size_t i = 0; i < sizeof studies / sizeof *studies; i += short_form() ? 3 : 1)
    expect_substeps(studies[i], &(engine){.threads = 2});
}

Test(substeps, hold_for_every_kind_of_backend, .timeout = 300) {
  static const engine engines[] = {{.precision = "single"},
                                   {.backend = "scalar"},
                                   {.device = "baseline", .threads = 1},
                                   {.backend = "opencl", .lanes = 8},
                                   {.chunk = 5, .launch_seconds = "1e-9"}};
  /* Programs that parity/bits has too: PoCL keeps them. */
  optimise_programs();
  for (size_t i = 0; i < sizeof engines / sizeof *engines; i++)
    expect_substeps("tests/parity/parity.json", &engines[i]);
  if (short_form()) return;
  expect_substeps("tests/parity/wheelset.json", &(engine){.backend = "opencl", .lanes = 2});
}

/* Methods, controllers and a limit of the passes all count in steps. */
Test(substeps, hold_for_methods_controllers_and_budgets, .timeout = 300) {
  static const char *const others[] = {"integrator.method=rosenbrock",
                                       "integrator.method=semi_implicit_euler",
                                       "integrator.budget=1.02", "integrator.exchange=straddle"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    expect_substeps("tests/parity/parity.json", &(engine){.other = others[i]});
  expect_substeps(
      "studies/load_cases.json",
      &(engine){.other =
                    "integrator={\"method\": \"rosenbrock\", \"step\": 1e-4, \"duration\": 0.2}"});
}

/* A study of one traced instance has it in the batch with samples. */
Test(substeps, ride_with_traced_instances) {
  expect_substeps("studies/testbench.json",
                  &(engine){.other = "integrator={\"step\": 1e-4, \"duration\": 0.3}"});
}
