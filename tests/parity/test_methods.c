/* Every method of integration gives the same bits on every engine. */
#include "tests/parity/parity.h"

static const char *const methods[] = {"integrator.method=midpoint", "integrator.method=heun",
                                      "integrator.method=semi_implicit_euler",
                                      "integrator.method=rosenbrock"};
static const char *const studies[] = {
    "tests/parity/parity.json",      "tests/parity/bearing.json",   "tests/parity/dry.json",
    "tests/parity/four_wheels.json", "tests/parity/one_wheel.json", "tests/parity/discs.json",
    "tests/parity/patches.json"};
enum {
  METHODS = sizeof methods / sizeof *methods,
  STUDIES = sizeof studies / sizeof *studies,
  DRY = 2,
  DISCS = 5
};

static const engine engines[] = {
    {.backend = "openmp", .device = "avx512", .threads = 2, .chunk = 16, .launch_seconds = "1e-3"},
    {.backend = "openmp", .device = "avx2"},
    {.backend = "openmp", .device = "baseline"},
    {.backend = "scalar"}};
enum { ENGINES = sizeof engines / sizeof *engines };

static void compare(const char *study, const omr_result *expected, engine e) {
  omr_result *result = run_study(study, &e);
  if (!result) return;
  cr_expect_eq(compare_results(engine_name(&e), expected, result), 0, "%s, %s on %s", study,
               e.other, engine_name(&e));
  omr_result_destroy(result);
}

/* Every processor, and OpenCL with each of two lane counts, 0 for none (the second in the long form
 * alone): each is a program that takes seconds to build on PoCL. */
static void compare_engines(const char *study, const char *method, const char *precision, int first,
                            int second) {
  const engine reference = {
      .backend = "openmp", .threads = 1, .precision = precision, .other = method};
  omr_result *expected = run_study(study, &reference);
  for (int i = 0; i < ENGINES; i++) {
    engine e = engines[i];
    e.precision = precision;
    e.other = method;
    compare(study, expected, e);
  }
  if (first)
    compare(study, expected,
            (engine){.backend = "opencl", .precision = precision, .other = method, .lanes = first});
  if (second && !short_form())
    compare(
        study, expected,
        (engine){.backend = "opencl", .precision = precision, .other = method, .lanes = second});
  omr_result_destroy(expected);
}

/* The explicit methods differ from RK4 in a table of numbers; the linearly implicit one has code of
 * its own for every contact. */
Test(methods, give_the_same_bits_on_every_engine) {
  const bool whole = !short_form(); /* dry friction and discs, below, are on OpenCL all the same */
  for (int m = 0; m < METHODS - 1; m++)
    compare_engines(studies[0], methods[m], "double", !whole ? 0 : m % 2 ? 1 : 8, 0);
  compare_engines(studies[0], methods[METHODS - 1], "double", whole, 8);
}

Test(methods, the_linearly_implicit_one_gives_the_same_bits_on_every_contact) {
  for (int s = 1; s < STUDIES; s++) {
    const bool device = s == DRY || s == DISCS || !short_form();
    compare_engines(studies[s], methods[METHODS - 1], "double", !device ? 0 : s % 2 ? 8 : 1, 0);
  }
}

Test(methods, the_linearly_implicit_one_gives_the_same_bits_in_single_precision) {
  compare_engines(studies[0], methods[METHODS - 1], "single", short_form() ? 0 : 8, 0);
}

/* A method that was not applied would pass the tests above. */
Test(methods, differ_in_their_results) {
  omr_result *results[METHODS + 1];
  for (int m = 0; m <= METHODS; m++) {
    engine e = {.backend = "openmp", .other = m < METHODS ? methods[m] : "integrator.method=rk4"};
    results[m] = run_study(studies[3], &e);
  }
  for (int m = 0; m <= METHODS; m++) {
    for (int other = 0; other < m; other++) {
      const char *first = results[m]->columns[results[m]->parameter_count].name;
      const double *a = results[m]->columns[results[m]->parameter_count].values;
      const double *b = results[other]->columns[results[other]->parameter_count].values;
      cr_expect(memcmp(a, b, results[m]->instances * sizeof *a) != 0, "%s of methods %d and %d",
                first, m, other);
    }
  }
  for (int m = 0; m <= METHODS; m++) omr_result_destroy(results[m]);
}
