/* The omni models in maximal coordinates against recorded accelerations, the engine, and the laws of mechanics. */
#include "assembled.h"
#include "tests/physics/motion.h"
#include "tests/physics/recorded.h"

#include "host/reference/omni.h"

/* ---- accelerations of tests/data/accelerations.json, found there by an independent program from the reduced equations */

/* Largest differences, each over 1 + |expected|. */
typedef struct differences {
  double acceleration, load, slip, force;
} differences;

static void note(double *largest, double found, double expected) {
  double difference = fabs(found - expected) / (1 + fabs(expected));
  if (!(difference <= *largest)) *largest = difference;
}

static void compare_state(const recorded *r, differences *d) {
  omr_study *study = read_machine(&r->machine);
  assembled a;
  assemble_instance(study, &a);
  const omr_omni *omni = a.reference.self;
  double *s = sample_instance(&a, study->wheels);
  /* the file has the derivatives of the components in body axes: without omega j x V */
  note(&d->acceleration, s[OMR_VS_AX] - s[OMR_VS_YAW_RATE] * s[OMR_VS_VZ], r->ax);
  note(&d->acceleration, s[OMR_VS_AZ] + s[OMR_VS_YAW_RATE] * s[OMR_VS_VX], r->az);
  note(&d->acceleration, s[OMR_VS_YAW_ACCELERATION], r->yaw_acceleration);
  for (int i = 0; i < study->wheels; i++) {
    const double *w = wheel_samples(s, i);
    const recorded_wheel *e = &r->wheel[i];
    cr_assert_eq((int)w[OMR_WS_ROLLER], e->active);
    note(&d->slip, w[OMR_WS_CONTACT_ANGLE], e->contact_angle);
    note(&d->slip, w[OMR_WS_SLIP_I], e->slip[0]);
    note(&d->slip, w[OMR_WS_SLIP_K], e->slip[1]);
    note(&d->acceleration, w[OMR_WS_ACCELERATION], e->acceleration);
    note(&d->load, w[OMR_WS_LOAD], e->load);
    note(&d->force, w[OMR_WS_FORCE_I], e->force[0]);
    note(&d->force, w[OMR_WS_FORCE_K], e->force[1]);
    for (int j = 0; j < r->machine.rollers; j++) {
      int body = omni->wheel[i].first_roller + j;
      omr_vec axis = omr_times(&omr_mb_frame(a.reference.mb, body)->t, omr_vec_of(1, 0, 0));
      note(&d->acceleration, omr_dot(omr_mb_acceleration(a.reference.mb, body)->e, axis), e->spin_acceleration[j]);
    }
  }
  free(s);
  release_instance(&a);
  omr_study_destroy(study);
}

Test(omni_reference, recorded_accelerations_loads_slips_and_forces) {
  recorded *all = read_recorded();
  for (int wheels = 1; wheels <= OMR_MAX_WHEELS; wheels++) {
    differences d = {0};
    int states = 0;
    for (int k = 0; k < RECORDED_STATES; k++) {
      if (all[k].machine.wheels != wheels) continue;
      compare_state(&all[k], &d);
      states++;
    }
    if (states == 0) continue;
    cr_log_info("%d wheels, %d states: acceleration %.2g, load %.2g, slip %.2g, force %.2g", wheels, states, d.acceleration,
                d.load, d.slip, d.force);
    cr_assert(d.slip < 1e-12 && d.load < 1e-9 && d.force < 1e-9 && d.acceleration < 1e-9,
              "%d wheels: acceleration %.2g, load %.2g, slip %.2g, force %.2g", wheels, d.acceleration, d.load, d.slip, d.force);
  }
  free(all);
}

/* ---- a motion against the engine */

#define TRACED "output={\"trajectories\": {\"instances\": [0], \"interval\": \"10 ms\"}}"

/* The engine's trajectory of instance 0 of the study, in the reference's order; the caller frees. */
static double *engine_trajectory(const char *text, const char *const *overrides, size_t *times, int wheels) {
  omr_result *result = run_study(text, overrides);
  *times = result->sample_count;
  int columns = OMR_VS_COUNT + wheels * OMR_WS_COUNT;
  double *all = malloc(*times * (size_t)columns * sizeof *all);
  cr_assert_not_null(all);
  for (size_t s = 0; s < *times; s++) {
    double *to = all + s * (size_t)columns;
    for (int j = 0; j < OMR_VS_COUNT; j++) to[j] = result->vehicle_samples[j] ? result->vehicle_samples[j][s] : (double)NAN;
    for (int i = 0; i < wheels; i++) {
      for (int j = 0; j < OMR_WS_COUNT; j++) {
        const double *from = result->wheel_samples[j];
        to[OMR_VS_COUNT + i * OMR_WS_COUNT + j] = from ? from[s * (size_t)wheels + (size_t)i] : (double)NAN;
      }
    }
  }
  omr_result_destroy(result);
  return all;
}

static omr_study *study_of(const char *text, const char *const *overrides) {
  omr_error error = {0};
  omr_study *study = NULL;
  size_t count = 0;
  while (overrides[count]) count++;
  omr_study_parse(text, "test", overrides, count, &study, &error);
  cr_assert_not_null(study, "%s", error.message);
  return study;
}

static omr_reference_run integrate_reference(const omr_study *study) {
  omr_error error = {0};
  omr_reference_run run;
  omr_reference_options options = {.extremes = true};
  cr_assert_eq(omr_reference_integrate(study, 0, &options, &run, &error), OMR_OK, "%s", error.message);
  return run;
}

/* Largest difference of two trajectories, over 1 + |expected|; what either does not have is left out. */
static double trajectory_difference(const omr_reference_run *run, const double *expected, size_t times) {
  double largest = 0;
  cr_assert_eq(run->times, times);
  for (size_t j = 0; j < times * (size_t)run->columns; j++) {
    if (!isnan(run->samples[j]) && !isnan(expected[j])) note(&largest, run->samples[j], expected[j]);
  }
  return largest;
}

static void report_run(const char *what, const omr_reference_run *run) {
  cr_log_info("%s: %d bodies, %d states, %d rows; %ld steps, %ld evaluations, %ld events, %.2f s", what, run->bodies, run->states,
              run->rows, run->counts.steps, run->counts.evaluations, run->counts.events, run->counts.seconds);
  for (int i = 0; i < run->drift_count; i++)
    cr_log_info("  drift of %d %s: %.2g, %.2g", run->drift[i].count, run->drift[i].kind, run->drift[i].position,
                run->drift[i].velocity);
}

static void compare_motion(const char *what, const char *text, const char *const *overrides) {
  omr_study *study = study_of(text, overrides);
  omr_reference_run run = integrate_reference(study);
  size_t times;
  double *expected = engine_trajectory(text, overrides, &times, study->wheels);
  double difference = trajectory_difference(&run, expected, times);
  report_run(what, &run);
  cr_log_info("%s: %.0f exchanges, %.0f holds; largest difference %.2g", what, run.observables[OMR_OBS_EXCHANGES],
              run.observables[OMR_OBS_EDGE_HOLDS], difference);
  cr_expect_lt(difference, 1e-7);
  free(expected);
  omr_reference_run_free(&run);
  omr_study_destroy(study);
}

Test(omni_reference, motion_of_the_vehicle) {
  compare_motion("vehicle", vehicle_text,
                 OVERRIDES("parameters.wheel.friction=0.3", "integrator.step=\"0.01 ms\"", "integrator.duration=\"0.2 s\"",
                           TRACED));
}

Test(omni_reference, motion_of_the_testbench) {
  compare_motion("testbench", testbench_text,
                 OVERRIDES("integrator.step=\"0.01 ms\"", "integrator.duration=\"0.2 s\"",
                           TRACED));
}
