/* The engine against the multibody reference, in short: the first 0.1 or 0.2 s of ready studies.
 * tests/long/compare.py runs all of them whole. Bounds: states 1e-8 of their range, normal loads
 * 1e-7, the integration of the reference at 1e-12. */
#include "reference/compare/compare.h"
#include "study/derived.h"
#include "study/grammar/parse.h"
#include "tests/skip.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static omr_study *load(const char *path, const char *const *overrides, size_t count) {
  omr_study *study = NULL;
  omr_error error = {0};
  cr_assert_eq(omr_study_load(path, overrides, count, &study, &error), OMR_OK, "%s", error.message);
  return study;
}

static omr_comparison compare(const omr_study *study, double relative) {
  static const size_t first[] = {0};
  omr_comparison c;
  omr_error error = {0};
  omr_compare_request options = {
      .instances = first, .count = 1, .tolerance = 1e-7, .tolerance_single = 1e-3};
  options.reference.tolerance.relative = relative;
  options.reference.tolerance.absolute = relative / 10;
  cr_assert_eq(omr_compare(study, &options, &c, &error), OMR_OK, "%s", error.message);
  return c;
}

static double bound_of(const char *name) {
  static const char *const states[] = {
      "x",           "z",          "yaw",           "vx",          "vz",      "yaw_rate",
      "wheel_angle", "wheel_rate", "contact_angle", "roller_spin", "current", "bus_voltage"};
  if (strcmp(name, "normal_load") == 0) return 1e-7;
  for (size_t i = 0; i < sizeof states / sizeof *states; i++)
    if (strcmp(name, states[i]) == 0) return 1e-8;
  return (double)NAN;
}

static const char *const first_part[] = {"integrator.duration=0.2 s", "integrator.step=5 us",
                                         "engine.backend=openmp", "engine.precision=double"};

static void expect_agreement_over(const char *path, const char *duration) {
  const char *const overrides[] = {first_part[0], first_part[1], first_part[2], first_part[3],
                                   duration};
  omr_study *study = load(path, overrides, duration ? 5 : 4);
  omr_comparison c = compare(study, 1e-12);
  int judged = 0;
  for (size_t q = 0; q < c.quantity_count; q++) {
    const omr_compared *d = &c.runs[0].instances[0].quantities[q];
    const double bound = bound_of(c.quantities[q].name);
    if (isnan(bound)) continue;
    judged++;
    cr_expect(d->there, "%s: no %s in the reference", path, c.quantities[q].name);
    cr_expect_leq(d->whole.largest, bound * d->scale.value, "%s: %s differs by %g of %g", path,
                  c.quantities[q].name, d->whole.largest, d->scale.value);
  }
  cr_expect_eq(judged, omr_has_motor(study) ? 13 : 11);
  cr_expect_not(c.differs);
  cr_expect_geq(c.reference.runs[0].observables[OMR_OBS_EXCHANGES], 1, "%s: nothing is exchanged",
                path);
  omr_comparison_free(&c);
  omr_study_destroy(study);
}

/* Over some exchanges; in the short form over the first. */
static const char *over(const char *whole, const char *first) {
  return short_form() ? first : whole;
}

static void expect_agreement(const char *path) {
  expect_agreement_over(path, NULL);
}

Test(compare, testbench_with_inclined_rollers_agrees, .timeout = 120) {
  expect_agreement("studies/compare_testbench_inclined.json");
}

Test(compare, driven_vehicle_agrees, .timeout = 300) {
  if (short_form()) return; /* a_vehicle_that_drills_agrees has its drives and wheels */
  expect_agreement("studies/compare_vehicle_driven.json");
}

/* With an external force and torque in the shape that the ready study has. */
Test(compare, pushed_testbench_agrees, .timeout = 120) {
  expect_agreement_over("studies/testbench_load.json", over(NULL, "integrator.duration=70 ms"));
}

/* Motors on one supply that sags, with limits and gears that lose: torque, current and the supply's
 * voltage are compared with the states. */
Test(compare, brushed_motors_on_a_sagging_supply_agree, .timeout = 300) {
  if (short_form()) return; /* motors on a supply are in the next one too */
  expect_agreement_over("studies/compare_motors.json", "integrator.duration=0.15 s");
}

/* Windings with inductance: one within its limit, one at it, one without any, one controlled by
 * voltage. */
Test(compare, motors_with_inductance_agree, .timeout = 300) {
  expect_agreement_over("tests/reference/winding.json",
                        over("integrator.duration=50 ms", "integrator.duration=30 ms"));
}

/* Rates that are prescribed, by a servo in the joint there, and a torque, all from one table. */
Test(compare, a_vehicle_that_replays_a_table_agrees, .timeout = 300) {
  expect_agreement_over("tests/reference/replay_vehicle.json",
                        over("integrator.duration=0.1 s", "integrator.duration=20 ms"));
}

/* A locked wheel and one of constant rate beside two with motors: loads, forces, and the torques
 * that hold the rates. The motion at the start fits the four rates. */
Test(compare, a_vehicle_with_a_locked_wheel_agrees, .timeout = 300) {
  expect_agreement_over("tests/parity/held_rates.json",
                        over("integrator.duration=0.1 s", "integrator.duration=50 ms"));
}

Test(compare, a_testbench_wheel_of_prescribed_rate_agrees, .timeout = 120) {
  expect_agreement_over("tests/reference/replay_wheel.json",
                        over(NULL, "integrator.duration=50 ms"));
}

Test(compare, a_motor_that_replays_voltages_agrees, .timeout = 120) {
  expect_agreement_over("tests/reference/replay_voltage.json",
                        over(NULL, "integrator.duration=120 ms"));
}

/* Drilling friction beside sliding, on one set of rollers after another. */
Test(compare, a_vehicle_that_drills_agrees, .timeout = 300) {
  expect_agreement_over("tests/reference/drilling.json", over(NULL, "integrator.duration=70 ms"));
}

/* ---- vehicles on springs, in full rotation: everything that moves to a part of its range, and
 * liftings and exchanges alike */

static void judge_springs(const omr_comparison *c, double within) {
  static const char *const compared[] = {
      "x",           "z",          "yaw",         "vx",          "vz",
      "yaw_rate",    "height",     "pitch",       "roll",        "vy",
      "wheel_angle", "wheel_rate", "normal_load", "roller_spin", "suspension_travel"};
  for (size_t q = 0; q < c->quantity_count; q++) {
    const omr_compared *d = &c->runs[0].instances[0].quantities[q];
    const char *name = c->quantities[q].name;
    for (size_t k = 0; k < sizeof compared / sizeof *compared; k++)
      if (strcmp(name, compared[k]) == 0 && d->there)
        cr_expect_leq(d->whole.largest, within * d->scale.value, "%s differs by %g of %g", name,
                      d->whole.largest, d->scale.value);
    if (strcmp(name, "wheel_liftings") == 0 || strcmp(name, "exchanges") == 0)
      cr_expect_eq(d->whole.largest, 0, "%s", name);
  }
}

static void compare_on_springs(const char *path, const char *override, double within, int liftings,
                               int exchanges) {
  const char *const overrides[] = {"engine.backend=openmp", "engine.precision=double", override};
  omr_study *study = load(path, overrides, override ? 3 : 2);
  omr_comparison c = compare(study, 1e-12);
  judge_springs(&c, within);
  cr_expect_geq(c.reference.runs[0].observables[OMR_OBS_WHEEL_LIFTINGS], liftings);
  cr_expect_geq(c.reference.runs[0].observables[OMR_OBS_EXCHANGES], exchanges);
  omr_comparison_free(&c);
  omr_study_destroy(study);
}

/* Wheels land, hop and pass from roller to roller. */
Test(compare, a_vehicle_that_lands_on_springs_agrees, .timeout = 300) {
  compare_on_springs("tests/reference/landing.json", NULL, 1e-6, 5, 1);
}

/* The same on bristles, which stick, slide and spring back in the air. */
Test(compare, a_vehicle_that_lands_on_bristles_agrees, .timeout = 300) {
  if (short_form()) return; /* springs above, bristles on a slope below */
  compare_on_springs("tests/reference/landing_bristles.json", NULL, 1e-6, 1, 0);
}

/* Wheels are held on a wavy slope: from its rest the vehicle rolls on its free rollers, on bristles
 * that stick. */
Test(compare, a_vehicle_on_a_slope_agrees, .timeout = 300) {
  compare_on_springs("tests/reference/slope_hold.json", NULL, 1e-8, 0, 0);
}

/* Over waves, a sill and roughness on a slope. */
Test(compare, a_vehicle_over_a_floor_with_heights_agrees, .timeout = 300) {
  if (short_form()) return; /* the slope above is wavy; compliant_states has every floor */
  compare_on_springs("tests/reference/rolling_floor.json", NULL, 1e-6, 1, 0);
}

/* Over a map of heights, and over its border. */
Test(compare, a_vehicle_over_a_map_agrees, .timeout = 300) {
  if (short_form()) return; /* heights above; maps in compliant_states */
  compare_on_springs("tests/reference/rolling_floor.json",
                     "parameters.floor={\"slope\": \"3 deg\", \"map\": {\"file\": "
                     "\"../parity/bumps.csv\", \"interpolation\": \"cubic\", \"x\": 0.1, "
                     "\"direction\": 0.5}}",
                     1e-6, 1, 0);
}

/* Bearings of both rollers under the load that each has. The wheel stays where it is, to 1e-16 m:
 * what rounding makes of that is held against what its slip could come to. */
Test(compare, dry_friction_under_a_wheel_on_two_rollers_agrees, .timeout = 120) {
  if (short_form()) return; /* omni_reference has wheels on two rollers, and dry friction */
  static const char *const none[] = {"engine.backend=openmp", "engine.precision=double"};
  omr_study *study = load("tests/reference/spin_on_two_rollers.json", none, 2);
  omr_comparison c = compare(study, 1e-12);
  cr_expect_not(c.differs);
  cr_expect_eq(c.reference.runs[0].observables[OMR_OBS_EDGE_HOLDS], 1);
  cr_expect_gt(c.reference.runs[0].observables[OMR_OBS_DISSIPATED_ENERGY], 1e-3);
  for (size_t q = 0; q < c.quantity_count; q++) {
    const omr_compared *d = &c.runs[0].instances[0].quantities[q];
    if (d->model.compared)
      cr_expect_leq(d->whole.largest, 1e-9 * d->scale.value, "%s: %g of %g", c.quantities[q].name,
                    d->whole.largest, d->scale.value);
  }
  omr_comparison_free(&c);
  omr_study_destroy(study);
}

/* A step that is too long shows as step error, not as a difference of the models. */
Test(compare, a_long_step_is_no_difference_of_the_models, .timeout = 120) {
  const char *const overrides[] = {"integrator.duration=0.2 s", "integrator.step=1 ms",
                                   "engine.backend=openmp", "engine.precision=double"};
  omr_study *study = load("studies/compare_testbench_inclined.json", overrides, 4);
  omr_comparison c = compare(study, 1e-12);
  cr_expect_not(c.differs);
  cr_expect(c.unresolved);
  cr_expect_gt(c.runs[0].largest_step, 1e-7);
  omr_comparison_free(&c);
  omr_study_destroy(study);
}

/* Trackings that the reference alone has run there; the engine's explicit one moves the same. */
Test(compare, trackings_of_the_reference_alone_run_there, .timeout = 120) {
  static const size_t first[] = {0};
  omr_ensemble ensembles[2];
  const char *const trackings[] = {"parameters.contact.tracking=explicit",
                                   "parameters.contact.tracking=general"};
  const omr_ensemble_options options = {.tolerance = {.relative = 1e-11, .absolute = 1e-12}};
  for (int i = 0; i < 2; i++) {
    const char *const overrides[] = {trackings[i], "integrator.duration=0.2 s"};
    omr_study *study = load("studies/compare_testbench_inclined.json", overrides, 2);
    const omr_study sampled = omr_study_sampled(study);
    const omr_part chosen = omr_part_traced(&sampled, first, 1);
    omr_error error = {0};
    cr_assert_eq(omr_ensemble_run(&chosen, &options, &ensembles[i], &error), OMR_OK, "%s",
                 error.message);
    cr_expect_eq(ensembles[i].result->wheel_shapes[OMR_SHAPE_ROLLERS][0], 5);
    omr_study_destroy(study);
  }
  const omr_result *a = ensembles[0].result, *b = ensembles[1].result;
  const size_t last = a->sample_count - 1;
  cr_expect_float_eq(a->vehicle_samples[OMR_VS_X][last], b->vehicle_samples[OMR_VS_X][last], 1e-8);
  cr_expect_float_eq(a->wheel_samples[OMR_WS_RATE][last], b->wheel_samples[OMR_WS_RATE][last],
                     1e-7);
  for (int i = 0; i < 2; i++) omr_ensemble_free(&ensembles[i]);
}

/* A reference that is integrated coarsely differs from the engine, and the comparison says so. */
Test(compare, a_coarse_reference_differs, .timeout = 120) {
  omr_study *study = load("studies/compare_testbench_inclined.json", first_part, 4);
  omr_comparison c = compare(study, 1e-4);
  cr_expect(c.differs);
  omr_comparison_free(&c);
  omr_study_destroy(study);
}

Test(compare, what_has_no_counterpart_is_refused_with_the_reason) {
  static const char text[] =
      "{\"model\": \"omni_vehicle\", \"parameters\": {\"contact\": {\"law\": \"massless_rollers\"},"
      "\"wheel\": {\"radius\": 0.1, \"rollers\": 4}},"
      "\"integrator\": {\"step\": \"0.1 ms\", \"duration\": \"1 ms\"}}";
  static const size_t first[] = {0};
  omr_comparison c;
  omr_error error = {0};
  omr_study *study = NULL;
  cr_assert_eq(omr_study_parse(text, "massless", NULL, 0, &study, &error), OMR_OK, "%s",
               error.message);
  const omr_compare_request options = {
      .instances = first, .count = 1, .tolerance = 1e-6, .tolerance_single = 1e-3};
  cr_expect_eq(omr_compare(study, &options, &c, &error), OMR_ERR_STUDY);
  cr_expect_not_null(strstr(error.message, "massless"), "%s", error.message);
  omr_study_destroy(study);
}
