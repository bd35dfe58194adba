/* Wheels that rest on two rollers give the same bits whatever computes them: edges.json has four
 * that come to rest and leave at times of their own, which neighbours in a pack do not notice. */
#include "tests/parity/parity.h"

#define STUDY "tests/parity/edges.json"

/* Slides of the wheels, beside the study's own observables: a criterion adds what it names. */
#define GRIP "statistics.fail.slides=\"lost_grip_time > 0.1 s\""

static const char *const others[] = {
    GRIP, "integrator.method=rosenbrock", "parameters.contact.law=udwadia_kalaba",
    "integrator={\"tolerance\": 1e-4, \"duration\": \"0.5 s\", \"budget\": 100000}"};
enum { OTHERS = sizeof others / sizeof *others };

static omr_result *reference_of(const char *other, const char *precision) {
  const engine reference = {.backend = "openmp",
                            .threads = 1,
                            .precision = precision,
                            .other = other,
                            .launch_seconds = "10"};
  omr_result *r = run_study(STUDY, &reference);
  double holds = 0;
  for (size_t c = 0; c < r->column_count; c++) {
    for (size_t k = 0; k < r->instances && !strcmp(r->columns[c].name, "edge_holds"); k++)
      holds += r->columns[c].values[k];
  }
  cr_expect_geq(holds, 4.0 * (double)r->instances);
  return r;
}

static void compare(const omr_result *expected, const char *other, engine e) {
  e.other = other;
  omr_result *result = run_study(STUDY, &e);
  if (!result) return;
  cr_expect_eq(compare_results(engine_name(&e), expected, result), 0, "%s on %s",
               other ? other : "edges", engine_name(&e));
  omr_result_destroy(result);
}

static void check(const char *other, engine e) {
  omr_result *expected = reference_of(other, e.precision);
  compare(expected, other, e);
  omr_result_destroy(expected);
}

Test(edge_bits, processors_agree) {
  static const char *const sets[] = {"avx512", "avx2", "baseline"}, *const precisions[] = {
                                                                        "double", "single"};
  for (int k = 0; k < OTHERS; k++) {
    for (int p = 0; p < 2; p++) {
      omr_result *expected = reference_of(others[k], precisions[p]);
      for (int i = 0; i < 3; i++)
        compare(expected, others[k],
                (engine){.backend = "openmp",
                         .device = sets[i],
                         .precision = precisions[p],
                         .threads = 2,
                         .chunk = 16});
      /* The baseline calls a function for each fused multiply-add: its lanes alone are in the
       * short form. */
      compare(expected, others[k],
              (engine){.backend = "scalar",
                       .device = short_form() ? NULL : "baseline",
                       .precision = precisions[p]});
      omr_result_destroy(expected);
    }
  }
}

/* A launch may end while wheels rest or just before they do. */
Test(edge_bits, launches_do_not_matter) {
  for (int k = 0; k < OTHERS; k += short_form() ? 3 : 1) /* fixed steps, and controlled ones */
    check(others[k],
          (engine){.backend = "openmp", .precision = "double", .launch_seconds = "1e-4"});
}

/* On PoCL each run, width and precision is a program of its own, which takes seconds to build. */
Test(edge_bits, opencl_agrees) {
  static const int lanes[OTHERS] = {4, 1, 2, 8}, order[OTHERS] = {3, 0, 2, 1};
  const int count = short_form() ? 1 : OTHERS;
  for (int n = 0; n < count; n++)
    check(others[order[n]],
          (engine){.backend = "opencl", .precision = "double", .lanes = lanes[order[n]]});
  if (short_form()) return;
  check(NULL, (engine){.backend = "opencl", .precision = "double", .lanes = 1});
  check(NULL, (engine){.backend = "opencl", .precision = "single", .lanes = 8});
}
