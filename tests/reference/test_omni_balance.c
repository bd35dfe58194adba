/* Where friction and a high centre of mass leave no normal loads (appendix/vehicle.md#loads): the
 * reference asks its multibody system (host/reference/vehicle/omni_balance.c), the engine its load
 * equations, and both say the same at the same time. */
#include "assembled.h"
#include "tests/physics/shared/kernel.h"
#include "tests/physics/shared/machine.h"
#include "tests/physics/shared/motion.h"

#include <criterion/logging.h>

/* A vehicle of 0.6 m by 0.4 m with its platform's centre of mass at 1.6 m. The front wheels slide
 * forward, the rear ones backward; `outwards`: all slide away from the middle. */
#define TALL(wheels)                                                                               \
  "{\"model\": \"omni_vehicle\", \"parameters\": {\"platform\": {\"mass\": 12, \"yaw_inertia\": "  \
  "0.5, \"center_of_mass\": {\"x\": 0.01, \"height\": 1.6}}, \"layout\": {\"type\": "              \
  "\"explicit\"}, \"wheel\": {\"radius\": 0.1, \"rollers\": 6, \"slip_speed\": 0.02, \"disc\": "   \
  "{\"mass\": 0.5, \"axial_inertia\": 1e-3, \"diametral_inertia\": 1e-3}, \"roller\": "            \
  "{\"density\": 3000}}, \"wheels\": [" wheels                                                     \
  "]}, \"integrator\": {\"step\": \"20 us\", \"duration\": \"1 ms\"}, \"engine\": "                \
  "{\"backend\": \"openmp\"}}"
#define WHEEL(x, z, angle, rate)                                                                   \
  "{\"x\": " x ", \"z\": " z ", \"axis_angle\": \"" angle " deg\", \"initial\": {\"rate\": " rate  \
  "}}"

static const char scuffing[] =
    TALL(WHEEL("0.3", "-0.2", "0", "5") "," WHEEL("0.3", "0.2", "0", "5") "," WHEEL(
        "-0.3", "-0.2", "0", "-5") "," WHEEL("-0.3", "0.2", "0", "-5"));
static const char outwards[] = TALL(WHEEL("0.3", "0", "0", "5") "," WHEEL(
    "0", "0.3", "-90", "5") "," WHEEL("-0.3", "0", "180", "5") "," WHEEL("0", "-0.3", "90", "5"));

static void run_both(const char *text, double friction, const char *status, double least,
                     double most) {
  char override[64];
  snprintf(override, sizeof override, "parameters.wheel.friction=%.17g", friction);
  omr_result *r = run_study(text, OVERRIDES(override));
  omr_study *study;
  omr_error error = {0};
  const char *overrides[] = {override};
  cr_assert_eq(omr_study_parse(text, "tall", overrides, 1, &study, &error), OMR_OK, "%s",
               error.message);
  omr_reference_options options = {.tolerance = {.relative = 1e-10, .absolute = 1e-11},
                                   .extremes = true};
  omr_reference_run run;
  cr_assert_eq(omr_reference_integrate(&(omr_part){.study = study}, 0, &options, &run, &error),
               OMR_OK, "%s", error.message);
  const char *found = omr_instance_status_name(omr_result_status(r)[0]),
             *other = omr_instance_status_name(run.status);
  cr_log_info("friction %.4g: engine %s at %.6g s, reference %s at %.6g s", friction, found,
              omr_result_status_time(r)[0], other, run.end);
  cr_expect_str_eq(found, status, "friction %g: the engine says %s", friction, found);
  cr_expect_str_eq(other, status, "friction %g: the reference says %s", friction, other);
  cr_expect(omr_result_status_time(r)[0] >= least && omr_result_status_time(r)[0] <= most);
  cr_expect_lt(fabs(run.end - omr_result_status_time(r)[0]), 4.1e-5, "%g", run.end);
  omr_reference_run_free(&run);
  omr_study_destroy(study);
  omr_result_destroy(r);
}

/* Height of the centre of mass of all over the axles, from the platform's 1.6 m: the wheels' masses
 * are the study's disc and what the reference says of the rollers. */
static double height_over_axles(const char *text) {
  omr_study *study;
  omr_error error = {0};
  assembled a;
  double mass = 12, moment = 12 * 1.6;
  cr_assert_eq(omr_study_parse(text, "tall", NULL, 0, &study, &error), OMR_OK);
  assemble_instance(study, &a);
  /* energy of gravity: g (12 h_p + m_w R); with h_p = 1.6 m it gives the wheels' mass */
  const double wheels = (omr_mb_potential(a.reference.mb) / 9.81 - moment) / 0.1;
  mass += wheels;
  moment += wheels * 0.1;
  release_instance(&a);
  omr_study_destroy(study);
  return moment / mass - 0.1;
}

/* 0.3 m D = M g x + mu D (H - R) has no solution at mu = 0.3 m/(H - R), and beyond one that no
 * floor gives. There the reference drove on to a wheel that lifts. */
Test(omni_balance, a_vehicle_of_1_6_m_ends_at_once_on_both_sides) {
  const double critical = 0.3 / height_over_axles(scuffing);
  cr_log_info("critical friction %.6g", critical);
  run_both(scuffing, 0.8 * critical, "ok", 0.001, 0.001);
  run_both(scuffing, 1.01 * critical, "outside_model", 0, 0);
  run_both(scuffing, 2 * critical, "outside_model", 0, 0);
}

/* Both tilts at once: the determinant is positive again, its trace is not. */
Test(omni_balance, a_vehicle_that_tips_both_ways_ends_at_once_on_both_sides) {
  const double critical = 0.3 / height_over_axles(outwards);
  run_both(outwards, 0.8 * critical, "ok", 0.001, 0.001);
  run_both(outwards, 1.05 * critical, "outside_model", 0, 0);
  run_both(outwards, 2 * critical, "outside_model", 0, 0);
}

/* ---- any vehicle */

/* What the reference says of the first instant. */
static int failed_at_start(const machine *m) {
  omr_study *study = read_machine(m);
  assembled a;
  assemble_instance(study, &a);
  free(sample_instance(&a, study->wheels));
  const int failed = a.reference.failed;
  release_instance(&a);
  omr_study_destroy(study);
  return failed;
}

/* The engine's verdict. */
static bool solvable(const machine *m) {
  evaluation e;
  fleet f = evaluate_machine(m, &e);
  const bool yes = e.o.solvable;
  free_fleet(&f);
  return yes;
}

Test(omni_balance, random_vehicles_have_loads_on_both_sides_or_on_none) {
  enum { VEHICLES = 150 };
  uint64_t seed = 77;
  int without = 0;
  for (int n = 0; n < VEHICLES; n++) {
    machine m = random_machine(&seed);
    if (m.wheels == 1) continue;
    m.com_height = draw(&seed, 0.5, 8);
    m.friction = draw(&seed, 0.2, 3);
    const bool yes = solvable(&m);
    without += !yes;
    cr_expect_eq(failed_at_start(&m) == OMR_INSTANCE_OUTSIDE, !yes, "vehicle %d: %d", n, yes);
  }
  cr_log_info("%d of %d vehicles have no loads", without, VEHICLES);
  cr_expect(without > VEHICLES / 5 && without < VEHICLES * 4 / 5);
}
