/* Slip as encoders see it, and odometry by chosen wheels or with a gyro, give the same bits
 * whatever computes them. */
#include "tests/parity/parity.h"

#define STUDY "tests/parity/encoders.json"
#define GYRO "parameters.odometry={\"wheels\":[0,1],\"gyro\":{\"bias\":0.1,\"scale\":-0.2}}"
#define CONTROLLED "integrator={\"tolerance\": 1e-4, \"duration\": \"0.4 s\"}"

static const char *const others[][2] = {
    {NULL, NULL}, {GYRO, CONTROLLED}, {GYRO, "parameters.contact.law=ideal_rolling"}};
enum { OTHERS = sizeof others / sizeof *others };

static omr_result *run(int k, engine e) {
  e.other = others[k][0];
  e.more = others[k][1];
  return run_study(STUDY, &e);
}

/* Compares with one thread's result; destroys nothing of it. */
static void compare(const omr_result *expected, int k, engine e) {
  omr_result *result = run(k, e);
  if (!result) return;
  cr_expect_eq(compare_results(engine_name(&e), expected, result), 0, "%d on %s", k,
               engine_name(&e));
  omr_result_destroy(result);
}

static omr_result *expected_of(int k, const char *precision) {
  return run(
      k,
      (engine){.backend = "openmp", .threads = 1, .precision = precision, .launch_seconds = "10"});
}

Test(encoder_bits, processors_and_launches_agree) {
  static const char *const sets[] = {"avx512", "avx2", "baseline"}, *const precisions[] = {
                                                                        "double", "single"};
  for (int k = 0; k < OTHERS; k++) {
    for (int p = 0; p < 2; p++) {
      omr_result *expected = expected_of(k, precisions[p]);
      for (int i = 0; i < 3; i++)
        compare(expected, k,
                (engine){.device = sets[i],
                         .precision = precisions[p],
                         .threads = 2,
                         .chunk = 16,
                         .launch_seconds = "1e-4"});
      compare(expected, k, (engine){.backend = "scalar", .precision = precisions[p]});
      omr_result_destroy(expected);
    }
  }
}

Test(encoder_bits, compiled_objects_agree) {
  for (int k = 0; k < OTHERS; k++) {
    omr_result *expected = expected_of(k, "double");
    compare(expected, k, (engine){.precision = "double", .last = "engine.compile=always"});
    omr_result_destroy(expected);
  }
}

/* On PoCL each run, width and precision is a program of its own, which takes seconds to build. */
Test(encoder_bits, opencl_agrees) {
  static const int lanes[OTHERS] = {4, 1, 2};
  for (int k = 0; k < (short_form() ? 2 : OTHERS); k++) {
    omr_result *expected = expected_of(k, "double");
    compare(expected, k, (engine){.backend = "opencl", .precision = "double", .lanes = lanes[k]});
    omr_result_destroy(expected);
  }
}
