/* rolling_disc in maximal coordinates against the engine: rolling without slip for several hundred
 * units of time, penalty contact in every part of its law, and what ends an instance. */
#include "host/model/small.h"
#include "host/reference/reference.h"
#include "host/result/result.h"
#include "tests/physics/shared/motion.h"
#include "tests/skip.h"

#include "kernels/small/small_layout.h"
#include <criterion/logging.h>

#define PI 3.14159265358979323846
#define DISC "{\"model\": \"rolling_disc\", \"engine\": {\"backend\": \"openmp\"}, "
#define BODY "\"mass\": 1.3, \"radius\": 0.4, \"axial_inertia\": 0.11, \"diametral_inertia\": 0.07"
#define TRACES(interval)                                                                           \
  ", \"output\": {\"trajectories\": {\"instances\": [0], \"interval\": \"" interval "\"}}}"

static omr_study *study_of(const char *text, const char *const *overrides) {
  omr_error error = {0};
  omr_study *study = NULL;
  size_t count = 0;
  while (overrides && overrides[count]) count++;
  omr_study_parse(text, "test", overrides, count, &study, &error);
  cr_assert_not_null(study, "%s", error.message);
  return study;
}

static omr_reference_run integrate(const char *text, const char *const *overrides,
                                   const omr_mb_tolerance *tolerance) {
  omr_error error = {0};
  omr_reference_run run;
  omr_study *study = study_of(text, overrides);
  omr_reference_options options = {.extremes = true};
  if (tolerance) options.tolerance = *tolerance;
  cr_assert_eq(omr_reference_integrate(&(omr_part){.study = study}, 0, &options, &run, &error),
               OMR_OK, "%s", error.message);
  omr_study_destroy(study);
  return run;
}

/* Largest difference of all samples from `from` to below `until`, over 1 + |engine's|. */
static double sample_difference(const omr_reference_run *run, const omr_result *r, int *worst) {
  double largest = 0;
  *worst = 0;
  cr_assert_eq(run->times, r->sample_count);
  cr_assert_eq(run->columns, DISC_S_COUNT);
  for (size_t s = 0; s < run->times; s++) {
    for (int j = 0; j < DISC_S_COUNT; j++) {
      double here = run->samples[s * DISC_S_COUNT + (size_t)j], there = r->small_samples[j][s];
      double off = j == DISC_S_HEADING ? remainder(here - there, 2 * PI) : here - there;
      cr_assert(!isnan(off), "%s at %zu", r->small_info[j].name, s);
      if (fabs(off) / (1 + fabs(there)) <= largest) continue;
      largest = fabs(off) / (1 + fabs(there));
      *worst = j;
    }
  }
  return largest;
}

/* Largest difference of the observables; energy_error is an error of each. */
static double observable_difference(const omr_reference_run *run, const omr_result *r,
                                    const char **worst) {
  double largest = 0;
  for (int j = 0; j < OMR_OBS_COUNT; j++) {
    const omr_observable *o = &omr_observables[j];
    if (!omr_flags_fit(o->group, OMR_MODEL_ROLLING_DISC) || j == OMR_OBS_ENERGY_ERROR) continue;
    if (o->group & OMR_ON_DEMAND) continue; /* not asked for */
    double there = value_of(r, o->name, 0), here = run->observables[j];
    cr_assert_eq(isnan(here), isnan(there), "%s: %g, engine %g", o->name, here, there);
    if (isnan(here) || fabs(here - there) / (1 + fabs(there)) <= largest) continue;
    largest = fabs(here - there) / (1 + fabs(there));
    *worst = o->name;
  }
  return largest;
}

static void compare(const char *what, const char *text, const char *const *overrides,
                    const omr_mb_tolerance *tolerance, double expected) {
  omr_reference_run run = integrate(text, overrides, tolerance);
  omr_result *r = run_study(text, overrides);
  int worst;
  const char *worst_observable = "";
  cr_assert_eq(run.status, r->status[0], "%s: status %d, engine %d", what, run.status,
               r->status[0]);
  double samples = sample_difference(&run, r, &worst),
         observables = observable_difference(&run, r, &worst_observable);
  cr_log_info("%s: samples %.2g (%s), observables %.2g (%s); %ld steps, %ld events, %.2f s, energy "
              "%.2g; engine's energy %.2g",
              what, samples, r->small_info[worst].name, observables, worst_observable,
              run.counts.steps, run.counts.events, run.counts.seconds,
              run.observables[OMR_OBS_ENERGY_ERROR], value_of(r, "energy_error", 0));
  if (run.drift_count)
    cr_log_info("  drift of %s: %.2g m, %.2g m/s", run.drift[0].kind, run.drift[0].position,
                run.drift[0].velocity);
  cr_expect_lt(samples, expected, "%s: %g", what, samples);
  cr_expect_lt(observables, expected, "%s: %g", what, observables);
  omr_result_destroy(r);
  omr_reference_run_free(&run);
}

static const omr_mb_tolerance FINE = {.relative = 1e-14, .absolute = 1e-15};

static const char rolling_text[] =
    DISC "\"parameters\": {" BODY ", \"contact\": \"rolling\", \"initial\": {\"tilt\": \"60 deg\", "
         "\"heading\": 0.4, \"spin\": -5,"
         "\"precession\": 2, \"tilt_rate\": 0.8, \"x\": 0.3, \"z\": -0.2}}, \"integrator\": "
         "{\"step\": \"0.2 ms\", \"duration\":"
         "\"300 s\"}" TRACES("1 s");

/* omega, the axis (and with them M and gamma) and everything else to 1e-7 over several hundred
 * units of time: source 3. */
Test(disc_reference, rolling_for_300_s) {
  compare("rolling", rolling_text,
          OVERRIDES(short_form() ? "integrator.duration=60 s" : "integrator.duration=300 s"), &FINE,
          1e-7);
}

Test(disc_reference, rolling_down_a_slope) {
  compare("slope", rolling_text,
          OVERRIDES("parameters.plane.slope=0.1", "parameters.plane.direction=0.9",
                    "integrator.duration=20 s"),
          &FINE, 1e-8);
}

/* The steady circle and the wobbling of studies/disc_ideal.json. */
Test(disc_reference, steady_and_wobbling_discs_of_the_study) {
  static const char text[] =
      DISC "\"parameters\": {\"mass\": 1, \"radius\": 0.5, \"contact\": \"rolling\", \"initial\": {"
           "\"tilt\": \"60 deg\", \"spin\": -3.6092040938, \"precession\": 2}},"
           "\"integrator\": {\"step\": \"0.2 ms\", \"duration\": \"100 s\"}" TRACES("1 s");
  compare("steady", text, NULL, &FINE, 1e-8);
  if (short_form()) return; /* the disc that rolls for 60 s wobbles */
  compare("wobbling", text, OVERRIDES("parameters.initial.tilt_rate=1"), &FINE, 1e-7);
}

static const char penalty_text[] =
    DISC "\"parameters\": {" BODY ", \"plane\": {\"slope\": 0.1, \"direction\": 0.7}, \"ground\": "
         "{\"stiffness\": 2e4, \"damping\": 30},"
         "\"friction\": {\"lateral\": 0.3, \"longitudinal\": 0.5, \"lateral_viscous\": 0.05, "
         "\"longitudinal_viscous\": 0.02,"
         "\"angle\": 0.4, \"slip_speed\": 0.05, \"rolling\": 0.02}, \"initial\": {\"tilt\": 1.2, "
         "\"heading\": -0.6, \"spin\": 6,"
         "\"precession\": 1.5, \"tilt_rate\": -0.3}}, \"integrator\": {\"step\": \"10 us\", "
         "\"duration\": \"1 s\"}" TRACES("20 ms");

/* Every parameter of the law, within its zone. */
Test(disc_reference, rolling_on_penalty_contact) {
  compare("quadratic zone", penalty_text, NULL, &FINE, 1e-8);
  compare("linear zone", penalty_text, OVERRIDES("parameters.friction.zone=linear"), &FINE, 1e-8);
}

/* Upright it slides first, then rolls: phi has a kink where the zone begins, and the engine's steps
 * go across it. */
Test(disc_reference, sliding_into_rolling) {
#define SLIDING                                                                                    \
  "parameters.initial.spin=14", "parameters.initial.velocity.x=0.5",                               \
      "parameters.initial.tilt=1.5707963267948966", "parameters.initial.precession=0",             \
      "parameters.initial.tilt_rate=0", "parameters.ground.damping=300"
  compare("quadratic zone", penalty_text, OVERRIDES(SLIDING), &FINE, 1e-8);
  compare("linear zone", penalty_text, OVERRIDES(SLIDING, "parameters.friction.zone=linear"), &FINE,
          1e-7);
}

/* The damper's force jumps where contact begins and ends, and the engine's steps go across it: an
 * error in proportion to the step. */
Test(disc_reference, bouncing) {
  static const char height[] = "parameters.initial.height=0.45";
  if (!short_form())
    compare("pull allowed", penalty_text, OVERRIDES(height, "integrator.step=1 us"), NULL, 1e-3);
  compare("pull none", penalty_text,
          OVERRIDES(height, "integrator.step=1 us", "parameters.ground.pull=none"), NULL, 1e-3);
  compare("as Exudyn's code", penalty_text,
          OVERRIDES(height, "integrator.step=1 us", "parameters.ground.pull=exudyn"), NULL, 1e-3);
}

/* A plate that moves along and about every axis: the reference has the disc beside it, the engine
 * on it. */
#define PLATE                                                                                      \
  "parameters.ground.motion=given", "parameters.ground.x.velocity=0.3",                            \
      "parameters.ground.x.amplitude=0.05", "parameters.ground.x.frequency=0.7",                   \
      "parameters.ground.y.amplitude=0.01", "parameters.ground.y.frequency=0.8",                   \
      "parameters.ground.z.velocity=-0.2", "parameters.ground.tilt_x.amplitude=0.1",               \
      "parameters.ground.tilt_x.frequency=0.4", "parameters.ground.tilt_z.rate=-0.03",             \
      "parameters.ground.tilt_z.amplitude=0.07", "parameters.ground.tilt_z.frequency=0.6",         \
      "parameters.ground.turn.rate=1.2", "parameters.ground.turn.frequency=0.3",                   \
      "parameters.ground.turn.amplitude=0.2", "parameters.ground.turn.ramp=1.5",                   \
      "parameters.ground.pivot.x=0.2", "parameters.ground.pivot.y=-0.1",                           \
      "parameters.ground.pivot.z=0.3"

Test(disc_reference, on_ground_that_moves) {
  compare("rolling", rolling_text, OVERRIDES(PLATE, "integrator.duration=2 s"), &FINE, 1e-8);
  compare("penalty", penalty_text, OVERRIDES(PLATE), &FINE, 1e-8);
  compare("a table that turns", rolling_text,
          OVERRIDES("parameters.ground.motion=given", "parameters.ground.turn.rate=0.3",
                    "integrator.duration=5 s"),
          &FINE, 1e-8);
}

static const char tyre_text[] =
    DISC "\"parameters\": {" BODY ", \"plane\": {\"slope\": 0.1, \"direction\": 0.7}, \"ground\": "
         "{\"stiffness\": 2e4, \"damping\": 30}, \"friction\": {\"law\": \"brush\", \"rolling\": "
         "0.02}, \"tyre\": {\"friction\": 0.6, \"lateral_stiffness\": 9, \"low_speed\": 0.2}, "
         "\"initial\": {\"tilt\": 1.2, \"heading\": -0.6, \"spin\": 6, \"precession\": 1.5, "
         "\"tilt_rate\": -0.3, \"velocity\": {\"x\": 1}}}, \"integrator\": {\"step\": \"20 us\", "
         "\"duration\": \"1 s\"}" TRACES("20 ms");

/* Slip on both sides of s = 1; on ground at rest and on a plate. */
Test(disc_reference, on_tyres) {
  compare("brush", tyre_text, NULL, &FINE, 1e-8);
  compare("magic formula", tyre_text,
          OVERRIDES("parameters.friction.law=magic_formula", "parameters.tyre.shape=1.6",
                    "parameters.tyre.curvature=-0.5"),
          &FINE, 1e-8);
  compare("brush on a plate", tyre_text, OVERRIDES(PLATE), &FINE, 1e-8);
}

/* Both look at step starts, and end at the same one. */
static void compare_end(const char *text, const char *const *overrides, int status) {
  omr_reference_run run = integrate(text, overrides, &FINE);
  omr_result *r = run_study(text, overrides);
  cr_expect_eq(run.status, status, "%d", run.status);
  cr_expect_eq(r->status[0], status, "%d", r->status[0]);
  cr_expect_lt(fabs(run.end - r->status_time[0]), 1e-9, "ends at %.9g, engine %.9g", run.end,
               r->status_time[0]);
  cr_expect_lt(fabs(run.observables[OMR_OBS_FINAL_TILT] - value_of(r, "final_tilt", 0)), 1e-6);
  double fall = run.observables[OMR_OBS_FALL_TIME], engines = value_of(r, "fall_time", 0);
  cr_expect(isnan(fall) ? isnan(engines) : fabs(fall - engines) < 1e-9, "%.9g, engine %.9g", fall,
            engines);
  omr_result_destroy(r);
  omr_reference_run_free(&run);
}

static const char ends_text[] =
    DISC "\"parameters\": {\"mass\": 1, \"radius\": 0.5, \"contact\": \"rolling\", \"fall_tilt\": "
         "\"40 deg\", \"initial\": {\"tilt\":"
         "1.5, \"tilt_rate\": -0.1}}, \"integrator\": {\"step\": \"0.1 ms\", \"duration\": \"5 "
         "s\"}" TRACES("5 s");

Test(disc_reference, what_ends_an_instance) {
  compare_end(ends_text, NULL,
              OMR_INSTANCE_LIFTED); /* at a tilt of 30 deg or more, since it was pushed */
  compare_end(ends_text, OVERRIDES("parameters.diametral_inertia=0.1"), OMR_INSTANCE_OUTSIDE);
  compare_end(
      ends_text,
      OVERRIDES("parameters.initial.tilt_rate=4.5", "parameters.initial.tilt=1.5707963267948966"),
      OMR_INSTANCE_LIFTED);
  compare_end(ends_text,
              OVERRIDES("parameters.contact=penalty", "parameters.ground.stiffness=1e5",
                        "parameters.ground.damping=100", "integrator.step=10 us"),
              OMR_INSTANCE_OUTSIDE);
}

Test(disc_reference, values_that_make_no_disc_have_a_reason) {
  omr_error error = {0};
  omr_reference_run run;
  omr_reference_options options = {.extremes = true};
  omr_study *study = study_of(ends_text, OVERRIDES("parameters.initial.tilt=0"));
  cr_expect_eq(omr_reference_integrate(&(omr_part){.study = study}, 0, &options, &run, &error),
               OMR_ERR_STUDY);
  cr_expect_not_null(strstr(error.message, "initial.tilt = 0 rad lays the disc flat"), "%s",
                     error.message);
  omr_study_destroy(study);
}
