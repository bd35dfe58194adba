/* Steps that an error estimate chooses are the same whatever computes them: every lane has its own,
 * from its own state alone. */
#include "tests/parity/parity.h"

#define LOOSE "integrator={\"tolerance\": 0.01, \"duration\": \"0.5 s\", \"budget\": 20000}"
/* Without a budget three and four wheels have objects for the plain case. */
#define PLAIN "integrator={\"tolerance\": 0.01, \"duration\": \"0.5 s\"}"
#define TWO_PLAIN "integrator={\"method\": \"ros2\", \"tolerance\": 0.03, \"duration\": \"0.5 s\"}"
#define TWO                                                                                        \
  "integrator={\"method\": \"ros2\", \"tolerance\": 0.03, \"duration\": \"0.5 s\", \"budget\": "   \
  "20000}"
#define TIGHT "integrator={\"tolerance\": 1e-5, \"duration\": \"0.3 s\", \"budget\": 20000}"

static const struct {
  const char *study, *other;
} runs[] = {{"tests/parity/parity.json", LOOSE},
            {"tests/parity/parity.json", TIGHT},
            {"tests/parity/bearing.json", LOOSE},
            {"tests/parity/four_wheels.json", LOOSE},
            {"tests/parity/five_wheels.json", LOOSE},
            {"tests/parity/one_wheel.json", TIGHT},
            {"tests/parity/tracking.json", LOOSE},
            {"tests/parity/patches.json", LOOSE},
            {"tests/parity/dip.json", LOOSE},
            {"tests/parity/discs.json", LOOSE},
            {"tests/parity/uk_wheel.json", LOOSE},
            {"tests/parity/uk_braking.json", TIGHT},
            {"tests/parity/disc_slope.json", LOOSE},
            {"tests/parity/disc_zone.json", TIGHT},
            {"tests/parity/disc_rolling.json", LOOSE},
            {"tests/parity/wheelset.json", LOOSE},
            {"tests/parity/snakeboard.json", LOOSE},
            {"tests/parity/four_wheels.json", PLAIN},
            {"tests/parity/parity.json", TWO},
            {"tests/parity/one_wheel.json", TWO_PLAIN},
            {"tests/parity/bearing.json", TWO},
            {"tests/parity/dry.json", TWO},
            {"tests/parity/four_wheels.json", TWO_PLAIN},
            {"tests/parity/external_wheel.json", TIGHT},
            {"tests/parity/external_vehicle.json", LOOSE},
            {"tests/parity/sliding_block.json", LOOSE},
            {"tests/parity/elastic_wheel.json", TIGHT},
            {"tests/parity/compliant.json", LOOSE},
            {"tests/parity/bristle.json", LOOSE}};
enum { RUNS = sizeof runs / sizeof *runs };

static omr_result *reference_of(int run, const char *precision) {
  const engine e = {.backend = "openmp",
                    .threads = 1,
                    .launch_seconds = "10",
                    .precision = precision,
                    .other = runs[run].other};
  return run_study(runs[run].study, &e);
}

static void check(int run, const omr_result *expected, engine e) {
  e.other = runs[run].other;
  omr_result *result = run_study(runs[run].study, &e);
  if (!result) return;
  cr_expect_eq(compare_results(engine_name(&e), expected, result), 0, "%s with %s on %s",
               runs[run].study, e.other, engine_name(&e));
  omr_result_destroy(result);
}

/* Instruction sets, packs of any width, threads, chunks, and launches of whatever length. */
static void check_processors(int run, const char *precision) {
  omr_result *expected = reference_of(run, precision);
  const engine engines[] = {
      {.backend = "openmp",
       .device = "avx512",
       .threads = 2,
       .chunk = 16,
       .launch_seconds = "1e-3"},
      {.backend = "openmp", .device = "avx2", .threads = 1, .chunk = 48, .launch_seconds = "1e-4"},
      {.backend = "openmp", .device = "baseline"},
      {.backend = "scalar"}};
  for (size_t i = 0; i < sizeof engines / sizeof *engines; i++) {
    engine e = engines[i];
    e.precision = precision;
    check(run, expected, e);
  }
  omr_result_destroy(expected);
}

static bool single_can(int run) {
  return strcmp(runs[run].other, TIGHT) != 0 || run > 9;
}

Test(controlled_bits, processors_agree, .timeout = 500) {
  for (int run = 0; run < RUNS; run++) check_processors(run, "double");
}

Test(controlled_bits, processors_agree_in_single_precision, .timeout = 500) {
  for (int run = 0; run < RUNS; run += short_form() ? 2 : 1)
    if (single_can(run)) check_processors(run, "single");
}

/* On PoCL each of them is a program of its own, which takes half a minute to build. */
Test(controlled_bits, opencl_agrees, .timeout = 900) {
  static const struct {
    int run, lanes;
    const char *precision;
  } some[] = {{14, 8, "double"}, {18, 4, "double"}, {RUNS - 2, 4, "double"}, {0, 1, "double"},
              {2, 8, "double"},  {3, 4, "single"},  {9, 1, "double"},        {16, 16, "single"}};
  const size_t count = short_form() ? 2 : sizeof some / sizeof *some;
  for (size_t i = 0; i < count; i++) {
    omr_result *expected = reference_of(some[i].run, some[i].precision);
    check(some[i].run, expected,
          (engine){.backend = "opencl",
                   .precision = some[i].precision,
                   .lanes = some[i].lanes,
                   .chunk = 48});
    omr_result_destroy(expected);
  }
}

/* Samples are taken beside the motion: no step ends there. */
Test(controlled_bits, trajectories_change_no_observable) {
  for (int run = 0; run < RUNS; run += 3) {
    engine none = {
        .backend = "openmp", .other = runs[run].other, .more = "output.trajectories=null"};
    engine all = {.backend = "openmp",
                  .other = runs[run].other,
                  .more = "output.trajectories={\"instances\": \"all\", \"interval\": 0.00731}"};
    omr_result *some = reference_of(run, "double"), *a = run_study(runs[run].study, &none),
               *b = run_study(runs[run].study, &all);
    cr_assert_eq(a->traced_count, 0);
    cr_assert_eq(b->traced_count, b->instances);
    cr_expect_eq(compare_instances("without trajectories", some, a, some->instances), 0, "%s",
                 runs[run].study);
    cr_expect_eq(compare_instances("with all trajectories", some, b, some->instances), 0, "%s",
                 runs[run].study);
    omr_result_destroy(some);
    omr_result_destroy(a);
    omr_result_destroy(b);
  }
}

Test(controlled_bits, an_instance_does_not_depend_on_how_many_others_there_are) {
  const engine more = {.backend = "openmp", .other = runs[0].other, .more = "design.instances=171"};
  omr_result *few = reference_of(0, "double"), *many = run_study(runs[0].study, &more);
  cr_expect_eq(compare_instances("the first of 171", few, many, few->instances), 0);
  omr_result_destroy(few);
  omr_result_destroy(many);
}

/* A budget ends some instances, and each of them at its own pass. */
Test(controlled_bits, instances_that_run_out_of_passes_do_so_everywhere) {
  const engine budget = {
      .backend = "openmp",
      .threads = 1,
      .other = "integrator={\"tolerance\": 0.01, \"duration\": \"0.5 s\", \"budget\": 400}"};
  omr_result *expected = run_study(runs[0].study, &budget);
  size_t ended = 0;
  for (size_t k = 0; k < expected->instances; k++)
    ended += expected->status[k] == OMR_INSTANCE_SPENT;
  cr_expect(ended > 5 && ended < expected->instances - 5, "%zu of %zu", ended, expected->instances);
  engine other = budget;
  other.backend = "scalar";
  other.threads = 0;
  omr_result *scalar = run_study(runs[0].study, &other);
  cr_expect_eq(compare_results("scalar", expected, scalar), 0);
  omr_result_destroy(expected);
  omr_result_destroy(scalar);
}
