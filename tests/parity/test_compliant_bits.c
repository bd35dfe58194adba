/* Compliant contacts give the same bits whatever computes them: both springs and dampers, wheels
 * that lift and land, discrete controllers, methods and precisions. */
#include "tests/parity/parity.h"

#define STUDY "tests/parity/compliant.json"

static const char *const runs[] = {
    NULL,
    "parameters.contact={\"normal\": \"compliant\", \"damper\": \"kelvin_voigt\"}",
    "parameters.contact.law=regularized_coulomb",
    "integrator.method=heun",
    "integrator.method=semi_implicit_euler",
    "parameters.wheel.suspension={\"stiffness\": 2e4, \"damping\": 60, \"mass\": 0.3}"};
enum { RUNS = sizeof runs / sizeof *runs };

static void check(int run, engine e) {
  const char *other = runs[run];
  const engine reference = {
      .backend = "openmp", .threads = 1, .precision = e.precision, .other = other};
  omr_result *expected = run_study(STUDY, &reference), *result;
  e.other = other;
  result = run_study(STUDY, &e);
  if (result) {
    cr_expect_eq(compare_results(engine_name(&e), expected, result), 0, "%s on %s",
                 other ? other : STUDY, engine_name(&e));
    omr_result_destroy(result);
  }
  omr_result_destroy(expected);
}

Test(compliant_bits, processors_agree) {
  static const char *const sets[] = {"avx512", "avx2", "baseline"}, *const precisions[] = {
                                                                        "double", "single"};
  for (int run = 0; run < RUNS; run++) {
    for (int i = 0; i < 6; i++) {
      check(run, (engine){.backend = "openmp",
                          .device = sets[i / 2],
                          .precision = precisions[i % 2],
                          .threads = 2,
                          .chunk = 16,
                          .launch_seconds = "1e-3"});
      check(run,
            (engine){.backend = "scalar", .device = sets[i / 2], .precision = precisions[i % 2]});
    }
  }
}

/* On PoCL each run, width and precision is a program of its own, which takes seconds to build. */
Test(compliant_bits, opencl_agrees) {
  static const int lanes[RUNS] = {4, 8, 1, 4, 8, 4};
  check(0, (engine){.backend = "opencl", .precision = "double", .lanes = lanes[0]});
  if (short_form()) return;
  for (int run = 1; run < RUNS; run++)
    check(run, (engine){.backend = "opencl", .precision = "double", .lanes = lanes[run]});
  check(0, (engine){.backend = "opencl", .precision = "single", .lanes = 4});
}
