/* Fast numerics: how far they may be from exact ones, and what must not change with them. */
#include "tests/parity/parity.h"

#include <float.h>
#include <stdlib.h>

/* A smooth motion: every wheel exchanges its roller some times, no instance fails. */
static const char smooth[] =
    "{\"model\": \"omni_vehicle\", \"parameters\": {"
    "\"platform\": {\"mass\": 10, \"yaw_inertia\": 0.7, \"center_of_mass\": {\"x\": 0.02, "
    "\"height\": 0.12}},"
    "\"layout\": {\"type\": \"ring\", \"wheels\": 3, \"radius\": 0.3},"
    "\"wheel\": {\"radius\": 0.1, \"rollers\": 8, \"row_distance\": 0.04, \"slip_speed\": 0.1, "
    "\"friction\": 0.3, "
    "\"disc\": {\"mass\": 0.3, \"axial_inertia\": 2e-4, \"diametral_inertia\": 1.2e-4}, "
    "\"roller\": {\"density\": 4000}},"
    "\"wheels\": [{\"initial\": {\"rate\": 9}, \"drive\": {\"type\": \"tanh\", \"torque\": 0.6}}, "
    "{\"initial\": {\"rate\": -8}},"
    "{\"initial\": {\"rate\": 7}, \"drive\": {\"type\": \"sine\", \"torque\": 0.4}}],"
    "\"initial\": {\"vx\": 0.3, \"vz\": -0.2, \"yaw_rate\": 1.5}},"
    "\"vary\": [{\"path\": \"wheel.inclination\", \"linspace\": [0, 0.7, 21]}], \"design\": "
    "{\"type\": \"grid\"},"
    "\"integrator\": {\"step\": 1e-4, \"duration\": 0.3}}";
#define STEPS 3000.0
#define SECONDS 0.3

/* Half of the instances slide without friction, half have a centre of mass so high that friction
 * lifts a wheel, half rollers of no weight, whose spin becomes infinite. */
static const char doomed[] =
    "{\"model\": \"omni_vehicle\", \"parameters\": {"
    "\"platform\": {\"mass\": 10, \"yaw_inertia\": 0.7, \"center_of_mass\": {\"height\": 0.1}},"
    "\"layout\": {\"type\": \"ring\", \"wheels\": 3, \"radius\": 0.3},"
    "\"wheel\": {\"radius\": 0.1, \"rollers\": 6, \"row_distance\": 0.04, \"slip_speed\": 0.1, "
    "\"inclination\": 0.3, "
    "\"disc\": {\"mass\": 0.3, \"axial_inertia\": 2e-4, \"diametral_inertia\": 1.2e-4}, "
    "\"roller\": {\"density\": 4000},"
    "\"initial\": {\"rate\": 20}}, \"initial\": {\"vx\": 0.7}},"
    "\"vary\": [{\"path\": \"wheel.friction\", \"values\": [0, 0.3]}, {\"path\": "
    "\"platform.center_of_mass.height\", \"values\": "
    "[0.1, 3]}, {\"path\": \"wheel.roller.density\", \"values\": [4000, 1e-300]}], \"design\": "
    "{\"type\": \"grid\"},"
    "\"integrator\": {\"step\": 1e-4, \"duration\": 2}}";

/* The result, or NULL where the device is not here. */
static omr_result *run(const char *text, const engine *e, const char *numerics) {
  overrides o;
  omr_study *study;
  omr_result *result = NULL;
  omr_error error = {.message = ""};
  set_overrides(&o, e);
  add_text(&o, "engine.numerics", numerics);
  cr_assert_eq(omr_study_parse(text, "s.json", o.list, o.count, &study, &error), OMR_OK, "%s",
               error.message);
  const omr_status status = omr_run(study, NULL, &result, &error);
  omr_study_destroy(study);
  if (status == OMR_ERR_DEVICE && may_be_missing(e, &error)) return NULL;
  cr_assert_eq(status, OMR_OK, "%s: %s", engine_name(e), error.message);
  cr_expect_str_eq(result->record.numerics, numerics);
  return result;
}

static const double *column(const omr_result *r, const char *name) {
  for (size_t c = 0; c < r->column_count; c++)
    if (!strcmp(r->columns[c].name, name)) return r->columns[c].values;
  cr_assert_fail("there is no column %s", name);
  return NULL;
}

/* The worst that rounding can do: each of the operations of each step is off by u of a value of
 * order one, all in the same direction, and friction carries a change of a velocity on into the
 * rest of the run by no more than its slope times the time (it slows slip down, so that nothing
 * grows with the exponential of that). Operations of a step: 4760, as counted on
 * studies/first.json. */
static double bound(double value) {
  const double slope = 0.3 * 9.81 / 0.1;
  return 4760 * STEPS * (DBL_EPSILON / 2) * (1 + slope * SECONDS) * fmax(1, fabs(value));
}

static void expect_near(const omr_result *exact, const omr_result *fast, const char *label) {
  static const char *const names[] = {"final_x",     "final_z",           "final_yaw",
                                      "final_vx",    "final_vz",          "final_yaw_rate",
                                      "path_length", "dissipated_energy", "drive_work"};
  size_t differ = 0;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const double *a = column(exact, names[i]), *b = column(fast, names[i]);
    for (size_t k = 0; k < exact->instances; k++) {
      differ += !same_bits(a[k], b[k]);
      cr_expect_leq(fabs(a[k] - b[k]), bound(a[k]), "%s: %s of instance %zu: %.17g, exactly %.17g",
                    label, names[i], k, b[k], a[k]);
    }
  }
  cr_expect_gt(differ, 0, "%s: fast numerics have exactly the exact bits", label);
}

static void expect_alike(const omr_result *exact, const omr_result *fast, const char *label) {
  const double *a = column(exact, "exchanges"), *b = column(fast, "exchanges");
  for (size_t k = 0; k < exact->instances; k++) {
    cr_expect_eq(exact->status[k], fast->status[k], "%s: status of instance %zu", label, k);
    if (exact->status[k] == OMR_INSTANCE_OK)
      cr_expect_eq(a[k], b[k], "%s: exchanges of instance %zu", label, k);
  }
}

static const char *const sets[] = {"avx512", "avx2", "baseline"};

static bool is_built(const char *set) {
  omr_result *r = strcmp(set, "baseline") ? run(doomed, &(engine){.device = set}, "fast") : NULL;
  omr_result_destroy(r);
  return r != NULL;
}

Test(fast, differ_from_exact_numerics_by_rounding_alone) {
  omr_result *exact = run(smooth, &(engine){.threads = 1}, "exact");
  cr_expect_str_eq(exact->record.rounding, "correct");
  for (size_t k = 0; k < exact->instances; k++) {
    cr_assert_eq(exact->status[k], OMR_INSTANCE_OK);
    cr_assert_geq(column(exact, "exchanges")[k], 3);
  }
  for (int i = 0; i < 2; i++) {
    if (!is_built(sets[i])) continue;
    omr_result *fast = run(smooth, &(engine){.device = sets[i]}, "fast");
    expect_near(exact, fast, sets[i]);
    expect_alike(exact, fast, sets[i]);
    cr_expect_str_eq(fast->record.rounding, "device");
    omr_result_destroy(fast);
  }
  omr_result_destroy(exact);
}

Test(fast, give_the_same_bits_whatever_the_threads_and_chunks) {
  omr_result *one = run(smooth, &(engine){.threads = 1}, "fast");
  omr_result *other =
      run(smooth, &(engine){.threads = 2, .chunk = 16, .launch_seconds = "1e-3"}, "fast");
  cr_expect_eq(compare_results("threads and chunks", one, other), 0);
  omr_result_destroy(one);
  omr_result_destroy(other);
}

/* Without friction the platform keeps its velocity, here v = 0.7 m/s for T = 2 s. The increment of
 * a step, v h, is off by a few u: of v, h, the sixth of the step and the weighted sum, less than 8
 * u in all, the same in each of the 20000 steps. In single precision a sum without compensation
 * loses up to u/2 of 1.4 m in every step, 20000 times as much. */
static void expect_free_motion(const omr_result *r, const char *label, double epsilon) {
  const double *x = column(r, "final_x"), *path = column(r, "path_length"), wanted = 0.7 * 2;
  cr_assert_eq(r->status[0], OMR_INSTANCE_OK, "%s", label);
  cr_expect_leq(fabs(x[0] - wanted), 8 * epsilon / 2 * wanted, "%s: %.9g m", label, x[0]);
  cr_expect_leq(fabs(path[0] - wanted), 8 * epsilon / 2 * wanted, "%s: %.9g m", label, path[0]);
}

static void check_doomed(const engine *e, const char *label) {
  const bool single = e->precision != NULL;
  omr_result *exact = run(doomed, &(engine){.precision = e->precision}, "exact"),
             *fast = run(doomed, e, "fast");
  size_t counts[OMR_INSTANCE_STATUS_COUNT] = {0};
  for (size_t k = 0; k < exact->instances; k++) counts[exact->status[k]]++;
  cr_assert(counts[OMR_INSTANCE_DIVERGED] && counts[OMR_INSTANCE_LIFTED] &&
            counts[OMR_INSTANCE_OK]);
  if (fast) {
    expect_alike(exact, fast, label);
    expect_free_motion(fast, label, single ? (double)FLT_EPSILON : DBL_EPSILON);
  }
  omr_result_destroy(exact);
  omr_result_destroy(fast);
}

Test(fast, find_what_fails_and_keep_compensated_sums) {
  for (int i = 0; i < 2; i++) {
    check_doomed(&(engine){.device = sets[i]}, sets[i]);
    check_doomed(&(engine){.device = sets[i], .precision = "single"}, sets[i]);
  }
}

/* What gcc makes nothing of, clang may: with -ffinite-math-only it no longer finds what fails. */
Test(fast, by_clang_find_what_fails_and_keep_compensated_sums) {
  if (system("clang --version > /dev/null 2>&1") != 0) cr_skip_test("clang is not here");
  setenv("OMNIROLL_CC", "clang", 1);
  check_doomed(&(engine){.device = sets[0]}, "clang");
}

/* In single precision all relaxing options are given (host/engine/opencl_rounding.c). */
Test(fast, on_opencl_find_what_fails_and_keep_compensated_sums) {
  check_doomed(&(engine){.backend = "opencl", .precision = "single", .launch_seconds = "10"},
               "opencl");
}

/* Never exact numerics in their place. */
Test(fast, are_refused_where_there_are_none) {
  overrides o;
  omr_study *study;
  omr_result *result;
  omr_error error = {.message = ""};
  setenv("OMNIROLL_CC", "/nonexistent/cc", 1);
  set_overrides(&o, &(engine){.threads = 1});
  add_text(&o, "engine.numerics", "fast");
  cr_assert_eq(omr_study_parse(doomed, "s.json", o.list, o.count, &study, &error), OMR_OK, "%s",
               error.message);
  cr_expect_eq(omr_run(study, NULL, &result, &error), OMR_ERR_DEVICE);
  cr_expect_not_null(strstr(error.message, "engine.numerics \"fast\""), "%s", error.message);
  cr_expect_not_null(strstr(error.message, "numerics \"exact\""), "%s", error.message);
  cr_expect_not_null(strstr(error.message, "OMNIROLL_CC"), "%s", error.message);
  omr_study_destroy(study);
}
