/* Every law of contact gives the same bits on every engine. */
#include "tests/parity/parity.h"

#define STUDY "tests/parity/laws.json"
#define LAW(words) "parameters.contact={\"law\": " words "}"

static const char *const laws[] = {
    LAW("\"saturated_coulomb\""),
    LAW("\"regularized_coulomb\""),
    LAW("\"regularized_coulomb\", \"zone\": \"linear\""),
    LAW("\"ideal_rolling\""),
    LAW("\"ideal_rolling\", \"impact\": false"),
    LAW("\"udwadia_kalaba\""),
    LAW("\"udwadia_kalaba\", \"weights\": \"tanh\""),
    LAW("\"udwadia_kalaba\", \"weights\": \"fixed\""),
    LAW("\"udwadia_kalaba\", \"relaxation\": \"contact_wise\", \"passive\": true"),
    LAW("\"massless_rollers\""),
    LAW("\"classical_rollers\""),
};
enum {
  COUNT = sizeof laws / sizeof *laws,
  IDEAL = 3,
  RELAXED = 5,
  CONTACT_WISE = 8,
  MASSLESS = 9,
  CLASSICAL = 10
};

static omr_result *reference_of(int law, const char *precision) {
  engine e = {.backend = "openmp", .threads = 1, .precision = precision, .other = laws[law]};
  return run_study(STUDY, &e);
}

/* Whether the engine is here; its results must be the reference's. */
static bool check(int law, const omr_result *expected, engine e) {
  e.other = laws[law];
  omr_result *result = run_study(STUDY, &e);
  if (!result) return false;
  cr_expect_eq(compare_results(engine_name(&e), expected, result), 0, "%s on %s", laws[law],
               engine_name(&e));
  omr_result_destroy(result);
  return true;
}

static void check_processors(const char *precision) {
  static const char *const sets[] = {"avx512", "avx2", "baseline"}, *const backends[] = {"openmp",
                                                                                         "scalar"};
  for (int law = 0; law < COUNT; law++) {
    omr_result *expected = reference_of(law, precision);
    for (int i = 0; i < 6; i++)
      check(law, expected,
            (engine){.backend = backends[i / 3],
                     .device = sets[i % 3],
                     .precision = precision,
                     .threads = 2,
                     .chunk = 16});
    omr_result_destroy(expected);
  }
}

Test(laws, processors_give_the_same_bits_in_double_precision) {
  check_processors("double");
}

Test(laws, processors_give_the_same_bits_in_single_precision) {
  check_processors("single");
}

static void check_opencl(int law, const char *precision, int lanes) {
  omr_result *expected = reference_of(law, precision);
  bool here = check(
      law, expected,
      (engine){
          .backend = "opencl", .precision = precision, .lanes = lanes, .launch_seconds = "10"});
  omr_result_destroy(expected);
  if (!here) cr_skip_test("no OpenCL device with %s precision here", precision);
}

/* On PoCL each law, width and precision is a program of its own, which takes seconds to build. The
 * short form has weights by contact and rollers with inertia, an ideal one in single precision
 * below, and the first in parity/bits. */
Test(laws, opencl_gives_the_bits_of_openmp) {
  static const int some[] = {CONTACT_WISE, CLASSICAL};
  enum { SOME = sizeof some / sizeof *some };
  const bool few = short_form();
  for (int n = 0; n < (few ? SOME : COUNT); n++) {
    const int law = few ? some[n] : n;
    check_opencl(law, "double", law % 2 ? 4 : 8);
  }
}

Test(laws, opencl_with_one_lane_and_in_single_precision_gives_the_bits_of_openmp) {
  check_opencl(IDEAL, "single", 1);
  if (short_form()) return;
  check_opencl(RELAXED, "double", 1);
  check_opencl(MASSLESS, "single", 8);
  check_opencl(RELAXED, "single", 4);
}

/* The study would prove little if nothing happened in it. */
Test(laws, the_study_has_exchanges_and_instances_that_end_early_under_every_law) {
  for (int law = 0; law < COUNT; law++) {
    omr_result *r = reference_of(law, "double");
    size_t ok = 0, exchanged = 0;
    for (size_t k = 0; k < r->instances; k++) ok += r->status[k] == OMR_INSTANCE_OK;
    for (size_t c = 0; c < r->column_count; c++) {
      if (strcmp(r->columns[c].name, "exchanges")) continue;
      for (size_t k = 0; k < r->instances; k++) exchanged += r->columns[c].values[k] >= 3;
    }
    cr_expect(ok > r->instances / 2 && ok < r->instances, "%s: %zu of %zu ok", laws[law], ok,
              r->instances);
    cr_expect_gt(exchanged, r->instances / 2, "%s", laws[law]);
    omr_result_destroy(r);
  }
}
