/* Brushed motors on a supply that sags give the same bits whatever computes them: under laws of
 * friction and of constraint, with fixed and with chosen steps. */
#include "tests/parity/parity.h"

#define STUDY "tests/parity/brushed.json"
/* A wheel by voltage and one by duty, as a controller has logged them. */
#define LOGGED(type, column)                                                                       \
  "{\"type\": \"replay_" type "\", \"replay\": {\"file\": \"motor_log.csv\", \"columns\": {"       \
  "\"time\": \"t\", \"" type "\": \"" column "\"}}}"

static const char *const runs[] = {
    NULL,
    "parameters.contact.law=ideal_rolling",
    "integrator.method=rosenbrock",
    "integrator={\"tolerance\": 1e-3, \"duration\": \"0.2 s\", \"budget\": 20000}",
    "parameters.supply.regeneration=false",
    "parameters.wheels[3].drive=" LOGGED("voltage", "u"),
    "parameters.wheels[1].drive=" LOGGED("duty", "duty")};
enum { RUNS = sizeof runs / sizeof *runs };

static omr_result *reference_of(int run, const char *precision) {
  const engine reference = {
      .backend = "openmp", .threads = 1, .precision = precision, .other = runs[run]};
  return run_study(STUDY, &reference);
}

static void compare(int run, const omr_result *expected, engine e) {
  e.other = runs[run];
  omr_result *result = run_study(STUDY, &e);
  if (!result) return;
  cr_expect_eq(compare_results(engine_name(&e), expected, result), 0, "%s on %s",
               runs[run] ? runs[run] : STUDY, engine_name(&e));
  omr_result_destroy(result);
}

static void check(int run, engine e) {
  omr_result *expected = reference_of(run, e.precision);
  compare(run, expected, e);
  omr_result_destroy(expected);
}

static void check_processors(int run, const char *precision) {
  static const char *const sets[] = {"avx512", "avx2", "baseline"};
  omr_result *expected = reference_of(run, precision);
  for (int i = 0; i < 3; i++) {
    compare(run, expected,
            (engine){.backend = "openmp",
                     .device = sets[i],
                     .precision = precision,
                     .threads = 2,
                     .chunk = 16,
                     .launch_seconds = "1e-3"});
    compare(run, expected,
            (engine){.backend = "scalar", .device = sets[i], .precision = precision});
  }
  omr_result_destroy(expected);
}

Test(brushed_bits, processors_agree) {
  for (int run = 0; run < RUNS; run++) {
    check_processors(run, "double");
    check_processors(run, "single");
  }
}

/* On PoCL each run, width and precision is a program of its own, which takes seconds to build. */
Test(brushed_bits, opencl_agrees) {
  static const int lanes[RUNS] = {4, 8, 1, 4, 8, 4, 8};
  check(0, (engine){.backend = "opencl", .precision = "double", .lanes = lanes[0]});
  if (short_form()) return;
  for (int run = 1; run < RUNS; run++)
    check(run, (engine){.backend = "opencl", .precision = "double", .lanes = lanes[run]});
  check(0, (engine){.backend = "opencl", .precision = "single", .lanes = 4});
}
