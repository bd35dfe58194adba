/* The same study gives the same bits whatever computes it. The studies beside this file hold what
 * could tell engines apart: wheels whose rollers exchange at different times, instances that fail
 * at different times, counts that fill no pack. */
#include "tests/parity/parity.h"

#define MAIN "tests/parity/parity.json"
#define FOUR "tests/parity/four_wheels.json"

static const char *const studies[] = {MAIN,
                                      "tests/parity/bearing.json",
                                      "tests/parity/four_wheels.json",
                                      "tests/parity/five_wheels.json",
                                      "tests/parity/motors.json",
                                      "tests/parity/one_wheel.json",
                                      "tests/parity/patches.json",
                                      "tests/parity/dip.json",

                                      "tests/parity/uk_wheel.json",
                                      "tests/parity/uk_braking.json",
                                      "tests/parity/disc_slope.json",
                                      "tests/parity/disc_zone.json",
                                      "tests/parity/disc_exudyn.json",
                                      "tests/parity/disc_rolling.json",
                                      "tests/parity/wheelset.json",
                                      "tests/parity/snakeboard.json",
                                      "tests/parity/disc_plate.json",
                                      "tests/parity/disc_table.json",
                                      "tests/parity/external_wheel.json",
                                      "tests/parity/external_vehicle.json",
                                      "tests/parity/sliding_block.json",
                                      "tests/parity/elastic_wheel.json",
                                      "tests/parity/replay.json",
                                      "tests/parity/tyres_brush.json",
                                      "tests/parity/tyres.json",
                                      "tests/parity/dry.json",
                                      "tests/parity/drilling.json",
                                      "tests/parity/held_rates.json"};
enum { STUDIES = sizeof studies / sizeof *studies };

static const char *const instruction_sets[] = {"avx512", "avx2", "baseline"};
enum { SETS = sizeof instruction_sets / sizeof *instruction_sets };

static const engine reference = {.backend = "openmp", .threads = 1, .launch_seconds = "10"};

static omr_result *reference_of(const char *study, const char *precision) {
  engine e = reference;
  e.precision = precision;
  return run_study(study, &e);
}

/* Whether the engine is here; its results must be those of the reference. */
static bool check(const char *study, const omr_result *expected, const engine *e) {
  omr_result *result = run_study(study, e);
  if (!result) return false;
  size_t differences = compare_results(engine_name(e), expected, result);
  omr_result_destroy(result);
  cr_expect_eq(differences, 0, "%s on %s: %zu values differ", study, engine_name(e), differences);
  return true;
}

/* Thread counts, chunks and launch times, which must not matter; the first two suffice for the
 * shorter studies. The tiny launches take one thread or one chunk, since on a busy machine they
 * become one per step. */
static const engine batchings[] = {{.threads = 2, .chunk = 16, .launch_seconds = "10"},
                                   {.threads = 1, .launch_seconds = "1e-4"},
                                   {.threads = 1, .chunk = 48, .launch_seconds = "1e-4"},
                                   {.threads = 2, .launch_seconds = "1e-3"}};
enum { BATCHINGS = sizeof batchings / sizeof *batchings, FEW = 2 };

/* All of the first two at once, for the short form. */
static const engine together = {.threads = 2, .chunk = 48, .launch_seconds = "2e-3"};

/* The baseline calls a function for each fused multiply-add, and is the slowest by far; threads,
 * chunks and slices are the same host's for every instruction set. In the short form it has
 * the first combination of them alone. */
static int runs_of(const char *set, int runs) {
  return !strcmp(set, "baseline") && runs > 1 && short_form() ? 1 : runs;
}

static void check_batchings(const char *study, const engine *kind, const engine *list, int runs) {
  const char *backend = kind->backend, *precision = kind->precision;
  omr_result *expected = reference_of(study, precision);
  for (int set = 0; set < SETS; set++) {
    const int count = runs_of(instruction_sets[set], runs);
    bool here = true;
    for (int i = 0; here && i < count; i++) {
      engine e = list[i];
      e.backend = backend;
      e.device = instruction_sets[set];
      e.precision = precision;
      here = check(study, expected, &e);
    }
    if (!here) cr_log_info("%s does not run here", instruction_sets[set]);
  }
  omr_result_destroy(expected);
}

static void check_processor(const char *study, const char *backend, const char *precision,
                            int runs) {
  check_batchings(study, &(engine){.backend = backend, .precision = precision}, batchings, runs);
}

/* On PoCL each width and precision is a program of its own, which takes seconds to build. */
static void check_opencl(const char *study, const char *precision, const int *lanes,
                         size_t widths) {
  const engine runs[] = {{.launch_seconds = "10"},
                         {.chunk = 16, .launch_seconds = "1e-4"},
                         {.chunk = 48, .launch_seconds = "1e-4"}};
  omr_result *expected = reference_of(study, precision);
  bool here = true;
  for (size_t w = 0; here && w < widths; w++) {
    for (size_t i = 0; here && i < sizeof runs / sizeof *runs; i++) {
      engine e = runs[i];
      e.backend = "opencl";
      e.precision = precision;
      e.lanes = lanes[w];
      here = check(study, expected, &e);
    }
  }
  omr_result_destroy(expected);
  if (!here) cr_skip_test("no OpenCL device with %s precision here", precision);
}

/* Exchanges of a wheel of a traced instance, counted from its angle: contact index chi/(2 alpha) to
 * the nearest whole. */
static double count_exchanges(const omr_result *r, size_t traced, int wheel, double rollers) {
  double count = 0, last = 0;
  for (size_t s = 0; s < r->sample_count; s++) {
    double angle =
        r->wheel_samples[OMR_WS_ANGLE]
                        [(traced * r->sample_count + s) * (size_t)r->wheels + (size_t)wheel];
    double index = rint(angle * rollers / (2 * 3.14159265358979323846));
    if (s > 0) count += fabs(index - last);
    last = index;
  }
  return count;
}

static const double *column(const omr_result *r, const char *name) {
  for (size_t c = 0; c < r->column_count; c++) {
    if (!strcmp(r->columns[c].name, name)) return r->columns[c].values;
  }
  cr_assert(false, "there is no column %s", name);
  return NULL;
}

/* Rollers of a wheel over the instances: varied alike for all wheels, or for each. */
static const double *rollers_of(const omr_result *r, int wheel) {
  char name[32];
  snprintf(name, sizeof name, "wheel%d_rollers", wheel);
  return column(r, !strcmp(r->columns[0].name, "wheel_rollers") ? "wheel_rollers" : name);
}

static bool varies_rollers(const omr_result *r) {
  for (size_t i = 0; i < r->column_count; i++)
    if (strstr(r->columns[i].name, "_rollers")) return true;
  return false;
}

static void count_statuses(const omr_result *r, size_t counts[OMR_INSTANCE_STATUS_COUNT]) {
  for (size_t k = 0; k < r->instances; k++) counts[r->status[k]]++;
}

Test(bits, every_wheel_of_a_running_instance_exchanges_its_roller_at_least_ten_times) {
  for (int i = 0; i < STUDIES; i++) {
    engine e = reference;
    e.other = "output.trajectories.instances=all";
    omr_result *r = run_study(studies[i], &e);
    double most = i < 2 ? 10 : 3; /* the studies of other wheel counts are shorter */
    for (size_t k = 0; varies_rollers(r) && k < r->instances; k++) {
      for (int wheel = 0; r->status[k] == OMR_INSTANCE_OK && wheel < r->wheels; wheel++) {
        double count = count_exchanges(r, k, wheel, rollers_of(r, wheel)[k]);
        cr_expect_geq(count, most, "%s: wheel %d of instance %zu exchanges %g times", studies[i],
                      wheel, k, count);
      }
    }
    omr_result_destroy(r);
  }
}

Test(bits, the_main_study_has_instances_that_end_in_every_way_and_fill_no_pack) {
  omr_result *r = run_study(MAIN, &reference);
  size_t counts[OMR_INSTANCE_STATUS_COUNT] = {0}, late = 0;
  count_statuses(r, counts);
  for (int status = 0; status < OMR_INSTANCE_STATUS_COUNT; status++) {
    if (status == OMR_INSTANCE_SPENT || status == OMR_INSTANCE_OUTSIDE) continue; /* see below */
    cr_expect_gt(counts[status], 0, "no instance is %s", omr_instance_status_name(status));
  }
  for (size_t k = 0; k < r->instances; k++)
    late += r->status[k] == OMR_INSTANCE_LIFTED && column(r, "exchanges")[k] >= 2;
  cr_expect_gt(late, 0, "no wheel lifts after the start");
  cr_expect_geq(counts[OMR_INSTANCE_OK], 40);
  cr_expect_eq(r->instances % 2, 1, "%zu instances fill packs", r->instances);
  omr_result_destroy(r);
}

Test(bits, with_bearing_friction_instances_diverge_in_the_middle_of_a_run) {
  omr_result *r = run_study("tests/parity/bearing.json", &reference);
  size_t diverged = 0;
  for (size_t k = 0; k < r->instances; k++)
    diverged += r->status[k] == OMR_INSTANCE_DIVERGED && column(r, "exchanges")[k] > 10;
  cr_expect_gt(diverged, 0);
  omr_result_destroy(r);
}

/* So much friction that loads have no solution, or a wheel lifts. */
Test(bits, where_loads_have_no_solution_is_the_same_everywhere) {
  static const char rough[] = "parameters.wheel.friction=30", study[] = "tests/parity/patches.json";
  engine e = reference;
  e.other = rough;
  omr_result *expected = run_study(study, &e);
  size_t counts[OMR_INSTANCE_STATUS_COUNT] = {0};
  count_statuses(expected, counts);
  cr_expect_gt(counts[OMR_INSTANCE_OUTSIDE], 0);
  cr_expect_gt(counts[OMR_INSTANCE_LIFTED], 0);
  const engine others[] = {
      {.backend = "openmp", .device = "avx2", .chunk = 16, .other = rough},
      {.backend = "openmp", .device = "baseline", .threads = 2, .other = rough},
      {.backend = "scalar", .other = rough},
      {.backend = "opencl", .lanes = 8, .other = rough}};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) check(study, expected, &others[i]);
  omr_result_destroy(expected);
}

/* Passes are counted by each lane for itself. */
Test(bits, a_budget_ends_the_same_instances_at_the_same_time_everywhere) {
  static const char budget[] = "integrator.budget=1.2";
  engine e = reference;
  e.other = budget;
  omr_result *expected = run_study(MAIN, &e);
  size_t counts[OMR_INSTANCE_STATUS_COUNT] = {0};
  count_statuses(expected, counts);
  cr_expect_gt(counts[OMR_INSTANCE_SPENT], 0);
  cr_expect_gt(counts[OMR_INSTANCE_OK], 0);
  const engine others[] = {
      {.backend = "openmp", .device = "avx2", .chunk = 16, .other = budget},
      {.backend = "openmp", .device = "baseline", .threads = 2, .other = budget},
      {.backend = "scalar", .other = budget},
      {.backend = "opencl", .lanes = 8, .other = budget}};
  /* Programs of parity/controlled_bits count passes against a budget too. */
  const size_t count = sizeof others / sizeof *others - (short_form() ? 1 : 0);
  for (size_t i = 0; i < count; i++) check(MAIN, expected, &others[i]);
  omr_result_destroy(expected);
}

Test(bits, openmp_gives_the_same_bits_on_every_instruction_set_with_any_threads_chunk_and_slices) {
  check_processor(MAIN, "openmp", "double", BATCHINGS);
}

Test(bits, the_scalar_build_gives_the_bits_of_the_lanes) {
  check_processor(MAIN, "scalar", "double", BATCHINGS);
}

Test(bits, processors_give_the_same_bits_in_single_precision) {
  check_processor(MAIN, "openmp", "single", BATCHINGS);
  check_processor(MAIN, "scalar", "single", FEW);
}

/* Six and eight wheels have objects for the plain case alone; the baseline and the yardstick are
 * those for any number. With rk4 and with pairs; a budget is no plain case. rosenbrock has objects
 * for three and four. */
Test(bits, objects_for_the_plain_case_give_the_bits_of_the_others) {
#define RING(count, list)                                                                          \
  "parameters.layout={\"type\": \"ring\", \"radius\": 0.3, \"wheels\": " #count "}",               \
      "parameters.wheels=[" list "]"
#define SIX RING(6, "{}, {}, {}, {}, {}, {}")
#define EIGHT RING(8, "{}, {}, {}, {}, {}, {}, {}, {}")
  static const struct {
    const char *study, *other, *more, *last;
  } runs[] = {{MAIN, SIX, NULL},
              {MAIN, EIGHT, NULL},
              {MAIN, "integrator.method=rosenbrock", NULL, NULL},
              {FOUR, "integrator.method=rosenbrock", NULL, NULL},
              {FOUR, SIX, "integrator={\"tolerance\": 0.03, \"duration\": \"0.1 s\"}"},
              {FOUR, EIGHT,
               "integrator={\"tolerance\": 0.03, \"method\": \"ros2\", \"duration\": \"0.1 s\"}"}};
  if (!set_is_built("baseline")) cr_skip_test("this build has no objects of the baseline");
  for (size_t i = 0; i < 2 * (sizeof runs / sizeof *runs); i++) {
    const engine run = {.precision = i % 2 ? "single" : "double",
                        .other = runs[i / 2].other,
                        .more = runs[i / 2].more,
                        .last = runs[i / 2].last};
    engine base = run, wide = run, narrow = run;
    base.device = "baseline";
    wide.threads = 2;
    wide.chunk = 16;
    narrow.device = "avx2";
    narrow.launch_seconds = "1e-4";
    omr_result *expected = run_study(runs[i / 2].study, &base);
    check(runs[i / 2].study, expected, &wide);
    check(runs[i / 2].study, expected, &narrow);
    omr_result_destroy(expected);
  }
}

Test(bits, opencl_gives_the_bits_of_openmp_at_every_lane_width) {
  const int lanes[] = {8, 1, 2, 4, 16};
  optimise_programs();
  check_opencl(MAIN, "double", lanes, short_form() ? 1 : 5);
}

Test(bits, opencl_gives_the_bits_of_openmp_in_single_precision) {
  const int lanes[] = {16, 1};
  const bool few = short_form();
  if (!few) optimise_programs();
  check_opencl(MAIN, "single", lanes, few ? 1 : 2);
}

Test(bits, bearings_controllers_tables_and_other_wheel_counts_give_the_same_bits_on_processors) {
  const bool few = short_form();
  for (int i = 1; i < STUDIES; i++) {
    if (few)
      check_batchings(studies[i], &(engine){.backend = "openmp", .precision = "double"}, &together,
                      1);
    else
      check_processor(studies[i], "openmp", "double", FEW);
    check_processor(studies[i], "openmp", "single", 1);
    check_processor(studies[i], "scalar", i % 2 ? "single" : "double", 1);
  }
}

/* What runs on OpenCL in the short form too: motors, a small model, tables of a log; another small
 * model is in parity/controlled_bits. The text of the others is
 * compiled with each of these programs, and every line of it runs on processors. */
static bool stands_for_others(const char *study) {
  static const char *const some[] = {"motors", "snakeboard", "replay"};
  for (size_t i = 0; i < sizeof some / sizeof *some; i++)
    if (strstr(study, some[i])) return true;
  return false;
}

Test(bits, bearings_controllers_tables_and_other_wheel_counts_give_the_same_bits_with_opencl) {
  static const int wide[] = {8, 4, 2, 16}, one = 1;
  const bool few = short_form();
  for (int i = 1; i < STUDIES; i++) {
    if (!few || stands_for_others(studies[i])) check_opencl(studies[i], "double", &wide[i % 4], 1);
  }
  if (few) return;
  /* Bearings, ground in patches, a dip, the tables of a small model. */
  static const int single[] = {1, 5, 6, 7};
  for (int i = 0; i < 4; i++)
    check_opencl(studies[single[i]], i % 2 ? "single" : "double", &one, 1);
  check_opencl(studies[6], "single", wide, 1);
  check_opencl(studies[8], "single", wide, 1);
}

/* The widths that the tests above leave out in single precision, and every small model. */
Test(bits,
     opencl_gives_the_bits_of_openmp_in_single_precision_at_other_widths_and_in_small_models) {
  static const struct {
    const char *study;
    int lanes;
  } runs[] = {{"tests/parity/disc_slope.json", 16},   {"tests/parity/one_wheel.json", 2},
              {"tests/parity/wheelset.json", 8},      {"tests/parity/snakeboard.json", 4},
              {"tests/parity/sliding_block.json", 8}, {"tests/parity/elastic_wheel.json", 2},
              {"tests/parity/replay.json", 1},        {"tests/parity/replay.json", 8}};
  if (short_form()) return; /* the test above has the packs of single precision */
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
    check_opencl(runs[i].study, "single", &runs[i].lanes, 1);
}

Test(bits, trajectories_change_no_observable) {
  engine none = {.backend = "openmp", .other = "output.trajectories=null"};
  engine all = {.backend = "openmp", .other = "output.trajectories.instances=all"};
  for (int i = 0; i < STUDIES; i++) {
    omr_result *some = run_study(studies[i], &reference), *a = run_study(studies[i], &none),
               *b = run_study(studies[i], &all);
    cr_assert_eq(a->traced_count, 0);
    cr_assert_eq(b->traced_count, b->instances);
    cr_expect_eq(compare_instances("without trajectories", some, a, some->instances), 0);
    cr_expect_eq(compare_instances("with all trajectories", some, b, some->instances), 0);
    omr_result_destroy(some);
    omr_result_destroy(a);
    omr_result_destroy(b);
  }
}

Test(bits, an_instance_does_not_depend_on_how_many_others_there_are) {
  engine more = {.backend = "openmp", .other = "design.instances=171"};
  omr_result *few = run_study(MAIN, &reference), *many = run_study(MAIN, &more);
  cr_expect_eq(compare_instances("the first of 171", few, many, few->instances), 0);
  omr_result_destroy(few);
  omr_result_destroy(many);
}
