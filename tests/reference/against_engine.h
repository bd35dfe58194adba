/* Runs of the reference against the engine's trajectories, sample by sample, for omni models. */
#ifndef AGAINST_ENGINE_H
#define AGAINST_ENGINE_H

#include "host/reference/reference.h"
#include "host/result/result.h"
#include "tests/physics/shared/motion.h"
#include <criterion/logging.h>

static inline void note(double *largest, double found, double expected) {
  double difference = fabs(found - expected) / (1 + fabs(expected));
  if (!(difference <= *largest)) *largest = difference;
}

#define TRACED "output={\"trajectories\": {\"instances\": [0], \"interval\": \"10 ms\"}}"

/* The engine's trajectory of instance 0 of the study, in the reference's order; the caller frees.
 */
static inline double *engine_trajectory(const char *text, const char *const *overrides,
                                        size_t *times, int wheels) {
  omr_result *result = run_study(text, overrides);
  *times = result->sample_count;
  int columns = OMR_VS_COUNT + wheels * OMR_WS_COUNT;
  double *all = malloc(*times * (size_t)columns * sizeof *all);
  cr_assert_not_null(all);
  for (size_t s = 0; s < *times; s++) {
    double *to = all + s * (size_t)columns;
    for (int j = 0; j < OMR_VS_COUNT; j++)
      to[j] = result->vehicle_samples[j] ? result->vehicle_samples[j][s] : (double)NAN;
    for (int i = 0; i < wheels; i++) {
      for (int j = 0; j < OMR_WS_COUNT; j++) {
        const double *from = result->wheel_samples[j];
        to[OMR_VS_COUNT + i * OMR_WS_COUNT + j] =
            from ? from[s * (size_t)wheels + (size_t)i] : (double)NAN;
      }
    }
  }
  omr_result_destroy(result);
  return all;
}

static inline omr_study *study_of(const char *text, const char *const *overrides) {
  omr_error error = {0};
  omr_study *study = NULL;
  size_t count = 0;
  while (overrides[count]) count++;
  omr_study_parse(text, "test", overrides, count, &study, &error);
  cr_assert_not_null(study, "%s", error.message);
  return study;
}

/* The reference refuses the study, with this reason. Destroys the study. */
static inline void expect_refused(omr_study *study, const char *reason) {
  omr_error error = {0};
  omr_reference_run run;
  omr_reference_options options = {.extremes = true};
  cr_expect_neq(omr_reference_integrate(&(omr_part){.study = study}, 0, &options, &run, &error),
                OMR_OK);
  cr_expect_not_null(strstr(error.message, reason), "%s", error.message);
  omr_study_destroy(study);
}

/* To 1e-12: events are found and joints kept ten times better than anything is compared. */
static inline omr_reference_run integrate_reference(const omr_study *study) {
  omr_error error = {0};
  omr_reference_run run;
  omr_reference_options options = {.tolerance = {.relative = 1e-12, .absolute = 1e-13},
                                   .extremes = true};
  cr_assert_eq(omr_reference_integrate(&(omr_part){.study = study}, 0, &options, &run, &error),
               OMR_OK, "%s", error.message);
  return run;
}

/* Largest difference of two trajectories, over 1 + |expected|; what either does not have is left
 * out. */
static inline double trajectory_difference(const omr_reference_run *run, const double *expected,
                                           size_t times) {
  double largest = 0;
  cr_assert_eq(run->times, times);
  for (size_t j = 0; j < times * (size_t)run->columns; j++) {
    if (!isnan(run->samples[j]) && !isnan(expected[j]))
      note(&largest, run->samples[j], expected[j]);
  }
  return largest;
}

static inline void report_run(const char *what, const omr_reference_run *run) {
  cr_log_info("%s: %d bodies, %d states, %d rows; %ld steps, %ld evaluations, %ld events, %.2f s",
              what, run->bodies, run->states, run->rows, run->counts.steps, run->counts.evaluations,
              run->counts.events, run->counts.seconds);
  for (int i = 0; i < run->drift_count; i++)
    cr_log_info("  drift of %d %s: %.2g, %.2g", run->drift[i].count, run->drift[i].kind,
                run->drift[i].position, run->drift[i].velocity);
}

enum { MOST_OVERRIDES = 16 };

/* Difference of the reference's run and the engine's with that step. */
static inline double engine_difference(const omr_reference_run *run, const char *text,
                                       const char *const *overrides, int wheels, const char *step) {
  const char *all[MOST_OVERRIDES + 2] = {NULL};
  int count = 0;
  for (; overrides[count]; count++) {
    cr_assert_lt(count, MOST_OVERRIDES);
    all[count] = overrides[count];
  }
  all[count] = step;
  size_t times;
  double *expected = engine_trajectory(text, all, &times, wheels);
  double difference = trajectory_difference(run, expected, times);
  free(expected);
  return difference;
}

/* Samples of motion, loads, forces and accelerations of the vehicle, over 1 + their size, and an
 * observable by number and name. */
static inline void compare_vehicle(const char *what, const char *const *overrides, int observable,
                                   const char *name) {
  omr_study *study = study_of(vehicle_text, overrides);
  omr_reference_run run = integrate_reference(study);
  const double difference =
      engine_difference(&run, vehicle_text, overrides, study->wheels, "integrator.step=\"10 us\"");
  omr_result *engine = run_study(vehicle_text, overrides);
  const double expected = value_of(engine, name, 0), found = run.observables[observable];
  cr_expect_float_eq(found, expected, 1e-8, "%s: %.9g, %.9g", what, found, expected);
  omr_result_destroy(engine);
  cr_log_info("%s: %.0f exchanges, largest difference %.2g", what,
              run.observables[OMR_OBS_EXCHANGES], difference);
  cr_expect_lt(difference, 1e-8, "%s: %.2g", what, difference);
  omr_reference_run_free(&run);
  omr_study_destroy(study);
}

#endif
