#include "result_row.h"

#include "engine/run.h"
#include "model/prepare.h"
#include "model/small.h"
#include "study/derived.h"
#include "study/formulas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Settings as on the engine; a tracking that only the reference has does not affect the shapes of
 * wheels. */
omr_status omr_reference_settings(const omr_study *study, omr_run_settings *settings,
                                  omr_error *error) {
  double explicitly = 0;
  omr_variation *variations = malloc((study->variation_count + 1) * sizeof *variations);
  if (!variations) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  const omr_study plain = omr_study_with_value(study, OMR_VP_TRACKING, &explicitly, variations);
  const omr_status status = omr_settings_make(&plain, settings, error);
  free(variations);
  return status;
}

static omr_mb_tolerance or_else(omr_mb_tolerance given, double relative) {
  if (given.relative > 0) return given;
  given.relative = relative;
  given.absolute = OMR_MB_FLOOR * relative;
  return given;
}

omr_mb_tolerance omr_reference_oracle(const omr_study *study, omr_mb_tolerance given) {
  if (!omr_controls_steps(study)) return given;
  return or_else(given, fmin(OMR_MB_RELATIVE, fmax(1e-4 * study->time.tolerance, OMR_MB_LEAST)));
}

omr_mb_tolerance omr_reference_tolerance(const omr_study *study, omr_mb_tolerance given) {
  if (!omr_model_is_own(study->model)) return omr_reference_oracle(study, given);
  return omr_controls_steps(study) ? or_else(given, fmax(study->time.tolerance, OMR_MB_LEAST))
                                   : given;
}

omr_mb_tolerance omr_reference_beside(omr_mb_tolerance t) {
  if (!(t.relative > 0)) t.relative = OMR_MB_RELATIVE;
  if (!(t.absolute > 0)) t.absolute = OMR_MB_ABSOLUTE;
  const double factor = t.relative >= 10 * OMR_MB_LEAST * (1 - 1e-9) ? 0.1 : 10;
  t.relative *= factor;
  t.absolute *= factor;
  return t;
}

/* Evaluations at every step start cost most of the time if steps are short: only if an observable
 * needs them. */
bool omr_reference_wants_steps(const omr_study *study) {
  static const int of_steps[] = {OMR_OBS_MAX_DEVIATION,      OMR_OBS_VIBRATION_RMS,
                                 OMR_OBS_VIBRATION_PEAK,     OMR_OBS_VIBRATION_EXCHANGE,
                                 OMR_OBS_MAX_SLIP,           OMR_OBS_MAX_FORCE_RATIO,
                                 OMR_OBS_MAX_CROSS_TRACK,    OMR_OBS_MIN_WEIGHT,
                                 OMR_OBS_MIN_LOAD,           OMR_OBS_MAX_LOAD,
                                 OMR_OBS_MAX_SERVO_TORQUE,   OMR_OBS_MAX_SPEED,
                                 OMR_OBS_MAX_TRACTION_RATIO, OMR_OBS_STOP_TIME,
                                 OMR_OBS_BRAKING_DISTANCE,   OMR_OBS_MAX_GAP,
                                 OMR_OBS_AIR_TIME,           OMR_OBS_LIFT_OFFS,
                                 OMR_OBS_FALL_TIME,          OMR_OBS_MAX_TWIST,
                                 OMR_OBS_FIRST_SLIP};
  if (omr_model_is_own(study->model)) return omr_observables_in(&study->observables) > 0;

  /* observables over the steps, of the motion or of motors */
  for (size_t i = 0; i < sizeof of_steps / sizeof *of_steps; i++)
    if (omr_observable_in(&study->observables, of_steps[i])) return true;

  for (int i = 0; i < OMR_OBS_COUNT; i++)
    if (omr_observable_in(&study->observables, i) &&
        omr_observables[i].group & (OMR_OBSERVER_MOTORS | OMR_OBSERVER_SUPPLY | OMR_OBSERVER_GRIP |
                                    OMR_OBSERVER_ENCODER | OMR_OBSERVER_TRACKING))
      return true;

  return false;
}

/* Place of a row's instance among the traced ones; traced_count if it has no trajectory. */
static size_t traced_place(const omr_part *part, size_t row) {
  const size_t instance = omr_part_row(part, row), at = omr_part_traced_from(part, instance);
  return at < part->traced_count && part->traced[at] == instance ? at : part->traced_count;
}

bool omr_reference_prepare(const omr_part *part, const omr_run_settings *settings, omr_batch *batch,
                           omr_result *result, size_t row, char *reason, size_t size) {
  const omr_study *study = part->study;
  const size_t place = traced_place(part, row);
  omr_values values;
  double *drawn = calloc(study->variation_count + 1, sizeof *drawn);
  omr_part_values(part, omr_part_row(part, row), &values, drawn);
  for (size_t j = 0; drawn && j < study->variation_count; j++)
    result->columns[j].values[row] = drawn[j];
  free(drawn);
  if (values.vehicle[OMR_VP_TRACKING] > 1) values.vehicle[OMR_VP_TRACKING] = 0;
  if (!omr_prepare_instance(study, settings, &values, batch, 0, reason, size)) return false;
  if (!omr_small_list_of(study->model) && place < part->traced_count)
    omr_result_keep_shapes(result, place, batch, 0, &values);
  return true;
}

/* Keeps samples of the instance at `place` among the traced ones. */
static void keep_samples(omr_result *result, size_t place, const omr_reference_run *run) {
  const size_t wheels = (size_t)result->wheels;
  for (size_t s = 0; s < result->sample_count && s < run->times; s++) {
    const double *from = run->samples + s * (size_t)run->columns;
    const size_t to = place * result->sample_count + s;
    for (int d = 0; d < OMR_DRIFT_COUNT; d++)
      result->drift_samples[d][to] = run->drift_time[OMR_DRIFT_COUNT * s + (size_t)d];
    for (int j = 0; j < result->small_sample_count; j++) result->small_samples[j][to] = from[j];
    if (result->small_sample_count) continue;
    for (int j = 0; j < OMR_VS_COUNT; j++)
      if (result->vehicle_samples[j]) result->vehicle_samples[j][to] = from[j];
    for (size_t i = 0; i < wheels; i++)
      for (size_t j = 0; j < OMR_WS_COUNT; j++)
        if (result->wheel_samples[j])
          result->wheel_samples[j][to * wheels + i] = from[OMR_VS_COUNT + i * OMR_WS_COUNT + j];
  }
  omr_result_turn_samples(result, place);
}

/* The observables in the study's frame. Without memory for the varied values those that the study
 * derives have no value. */
static void observe(const omr_study *study, const omr_result *result, size_t row,
                    const omr_reference_run *run, double *observables) {
  double *varied = calloc(study->variation_count + 1, sizeof *varied);
  memcpy(observables, run->observables, sizeof run->observables);
  omr_turn_observables(study->frame, observables);
  for (size_t j = 0; varied && j < study->variation_count; j++)
    varied[j] = result->columns[j].values[row];
  if (varied) omr_formulas_add(study, varied, observables);
  free(varied);
}

void omr_reference_keep(const omr_part *part, omr_result *result, size_t row,
                        const omr_reference_run *run) {
  const size_t place = traced_place(part, row);
  size_t column = result->parameter_count;
  double observables[OMR_OBS_COUNT];
  observe(part->study, result, row, run, observables);
  for (int j = 0; j < OMR_OBS_COUNT; j++)
    if (omr_study_observes(part->study, j)) result->columns[column++].values[row] = observables[j];
  result->status[row] = (int8_t)run->status;
  result->status_time[row] = run->end;
  if (place < part->traced_count) keep_samples(result, place, run);
}

void omr_reference_name(omr_run_record *record) {
  snprintf(record->backend, sizeof record->backend, "reference");
  snprintf(record->device, sizeof record->device,
           "multibody in maximal coordinates, SUNDIALS CVODE");
  snprintf(record->precision, sizeof record->precision, "double");
  snprintf(record->numerics, sizeof record->numerics, "exact");
  snprintf(record->rounding, sizeof record->rounding, "correct");
  record->lanes = record->threads = 1;
}
