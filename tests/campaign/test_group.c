/* Chunks run together give what each gives alone. */
#include "campaign/group.h"
#include "campaign/integrate.h"
#include "campaign/plan.h"
#include "study/part.h"
#include "tests/parity/parity.h"

static omr_result *alone(omr_integrator *engine, const omr_chunk_expected *chunk) {
  omr_cut cut;
  omr_result *result = NULL;
  cr_assert_eq(omr_cut_make(chunk->whole, chunk->first, chunk->last, &cut, NULL), OMR_OK);
  cr_assert_eq(omr_integrator_run(engine, &cut.part, &result, NULL), OMR_OK);
  omr_cut_free(&cut);
  return result;
}

static void expect_equal(const omr_result *a, const omr_result *b) {
  cr_assert_eq(a->instances, b->instances);
  cr_expect_arr_eq(a->numbers, b->numbers, a->instances * sizeof *a->numbers);
  cr_expect_eq(compare_instances("together", a, b, a->instances), 0);
  cr_expect_eq(compare_trajectories("together", a, b), 0);
  if (a->traced_count) cr_expect_arr_eq(a->traced, b->traced, a->traced_count * sizeof *a->traced);
  for (int i = 0; i < OMR_SHAPE_COUNT && a->traced_count && a->wheel_shapes[i]; i++)
    cr_expect_eq(count_differences("together", omr_wheel_shapes[i].name, a->wheel_shapes[i],
                                   b->wheel_shapes[i], a->traced_count * (size_t)a->wheels),
                 0);
  cr_expect_eq(a->record.instance_steps, b->record.instance_steps);
  cr_expect_str_eq(a->study_hash, b->study_hash);
  cr_expect_eq(a->parameter_count, b->parameter_count);
}

/* Chunks 0, 2, 3 and 5 of a study, as a shard would take them; trajectories in some, failed
 * instances in most. */
static void run_together(const char *path, const char *set) {
  static const size_t numbers[] = {0, 2, 3, 5};
  const char *const overrides[] = {"engine.chunk=16", "engine.backend=openmp", set};
  omr_study *study;
  omr_plan *plan;
  omr_integrator *engine;
  omr_error error = {.message = ""};
  omr_chunk_expected chunks[4];
  omr_result *results[4] = {NULL};
  double seconds = 0;
  cr_assert_eq(omr_study_load(path, overrides, 3, &study, &error), OMR_OK, "%s", error.message);
  cr_assert_eq(omr_plan_make(study, &plan, NULL), OMR_OK);
  cr_assert_eq(omr_integrator_open(&plan->whole, NULL, &engine, &error), OMR_OK, "%s",
               error.message);
  for (size_t i = 0; i < 4; i++) {
    bool end;
    chunks[i] = (omr_chunk_expected){
        .whole = &plan->whole, .precision = "double", .numerics = "exact", .number = numbers[i]};
    plan->ops->part(plan, numbers[i], &chunks[i].first, &chunks[i].last, &end, NULL);
    cr_assert_not(end);
  }
  cr_assert_eq(omr_group_run(engine, chunks, 4, results, &error), OMR_OK, "%s", error.message);
  for (size_t i = 0; i < 4; i++) {
    omr_result *single = alone(engine, &chunks[i]);
    expect_equal(single, results[i]);
    if (i) seconds += results[i]->record.wall_seconds;
    if (i == 0) cr_expect_str_eq(single->first_invalid, results[i]->first_invalid);
    omr_result_destroy(single);
    omr_result_destroy(results[i]);
  }
  cr_expect_eq(seconds, 0, "what the run took is told once");
  omr_integrator_close(engine);
  omr_plan_close(plan);
  omr_study_destroy(study);
}

Test(group, chunks_run_together_are_those_run_alone) {
  run_together("tests/parity/parity.json", "integrator.duration=0.1");
}

Test(group, of_a_small_model_too) {
  run_together("tests/parity/uk_wheel.json", "design.instances=96");
}

/* Rates made up: a device that gains from 1 to 8 chunks, one that does not, and one whose runs get
 * too long. */
Test(group, grows_while_it_pays) {
  omr_grouping g = {.chunks = 1};
  omr_grouping_learn(&g, 1, 100, 1);
  cr_expect_eq(g.chunks, 2);
  omr_grouping_learn(&g, 1, 100, 1e-6); /* a rest of a study: tells nothing */
  cr_expect_eq(g.chunks, 2);
  omr_grouping_learn(&g, 2, 200, 1);
  cr_expect_eq(g.chunks, 4);
  omr_grouping_learn(&g, 4, 400, 1.1);
  cr_expect_eq(g.chunks, 8);
  omr_grouping_learn(&g, 8, 800, 2.1);
  cr_expect_eq(g.chunks, 8);
  cr_expect(g.settled);
  g = (omr_grouping){.chunks = 1};
  omr_grouping_learn(&g, 1, 100, 1);
  omr_grouping_learn(&g, 2, 200, 2.1);
  cr_expect_eq(g.chunks, 1);
  cr_expect(g.settled);
  g = (omr_grouping){.chunks = 1};
  omr_grouping_learn(&g, 1, 100, 6);
  cr_expect_eq(g.chunks, 1);
  cr_expect(g.settled);
}
