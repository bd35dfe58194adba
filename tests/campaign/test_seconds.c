/* What a result says of the time that it took. */
#include "engine/run.h"
#include "study/part.h"
#include "tests/parity/parity.h"

#define STUDY "tests/parity/parity.json"

static void expect_seconds(const char *what, const omr_run_record *r) {
  cr_expect_gt(r->kernel_seconds, 0, "%s took no time", what);
  cr_expect_leq(r->kernel_seconds + r->transfer_seconds + r->prepare_seconds, r->wall_seconds, "%s",
                what);
}

Test(seconds, a_run_says_how_long_it_integrated) {
  const engine e = {.backend = "openmp"};
  omr_result *result = run_study(STUDY, &e);
  expect_seconds("the run", &result->record);
  omr_result_destroy(result);
}

/* The engine stays open and counts on; each part has its own time, and the parts together have the
 * engine's. */
Test(seconds, each_part_of_a_run_says_how_long_it_took_itself) {
  static const char *const list[] = {"engine.backend=openmp"};
  omr_error error = {0};
  omr_study *study;
  omr_engine *open;
  double kernels = 0;
  cr_assert_eq(omr_study_load(STUDY, list, 1, &study, &error), OMR_OK, "%s", error.message);
  const omr_part whole = omr_part_of(study);
  cr_assert_eq(omr_engine_open(&whole, NULL, &open, &error), OMR_OK, "%s", error.message);
  for (size_t first = 0; first < 48; first += 16) {
    omr_result *result;
    omr_cut cut;
    cr_assert_eq(omr_cut_make(&whole, first, first + 16, &cut, &error), OMR_OK, "%s",
                 error.message);
    cr_assert_eq(omr_engine_run(open, &cut.part, &result, &error), OMR_OK, "%s", error.message);
    expect_seconds("a part", &result->record);
    kernels += result->record.kernel_seconds;
    omr_result_destroy(result);
    omr_cut_free(&cut);
  }
  cr_expect_float_eq(kernels, omr_engine_record(open)->kernel_seconds, 1e-12);
  omr_engine_close(open);
  omr_study_destroy(study);
}
