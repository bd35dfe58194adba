/* Runs of the reference, one instance after the other, into one result. */
#include "ensemble.h"

#include "engine/run.h"
#include "model/prepare.h"
#include "model/small.h"
#include "study/refine.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct clock_of {
  const omr_ensemble_options *options;
  double before, total; /* simulated seconds */
} clock_of;

static bool on_progress(void *user, double time, double duration) {
  const clock_of *c = user;
  (void)duration;
  return !c->options->progress ||
         c->options->progress(c->options->progress_user, c->before + time, c->total);
}

/* Samples of row `row`, which is the same among the instances and among the traced ones. */
static void keep_samples(omr_result *result, size_t row, const omr_reference_run *run) {
  const size_t wheels = (size_t)result->wheels;
  for (size_t s = 0; s < result->sample_count && s < run->times; s++) {
    const double *from = run->samples + s * (size_t)run->columns;
    const size_t to = row * result->sample_count + s;
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
}

static void keep_run(const omr_study *study, omr_result *result, size_t row,
                     const omr_reference_run *run) {
  size_t column = result->parameter_count;
  for (int j = 0; j < OMR_OBS_COUNT; j++)
    if (omr_observable_in(&study->observables, j))
      result->columns[column++].values[row] = run->observables[j];
  result->status[row] = (int8_t)run->status;
  result->status_time[row] = run->end;
  keep_samples(result, row, run);
}

static bool make_drift(omr_result *result) {
  const size_t cells = result->traced_count * result->sample_count;
  for (int d = 0; d < OMR_DRIFT_COUNT; d++) {
    double *values = result->drift_samples[d] = malloc((cells + 1) * sizeof *values);
    if (!values) return false;
    for (size_t i = 0; i < cells; i++) values[i] = (double)NAN;
  }
  return true;
}

/* Settings of the study as the engine would take it, for the shapes of its wheels: a tracking that
 * the reference alone has does not matter to them. */
static omr_status make_settings(const omr_study *study, omr_run_settings *settings,
                                omr_error *error) {
  double explicitly = 0;
  omr_variation *variations = malloc((study->variation_count + 1) * sizeof *variations);
  if (!variations) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  const omr_study plain = omr_study_with_value(study, OMR_VP_TRACKING, &explicitly, variations);
  const omr_status status = omr_settings_make(&plain, settings, error);
  free(variations);
  return status;
}

/* Varied values, wheels as they are built, and whether the values make a machine: what the engine
 * says of them too. */
static bool prepare(const omr_part *part, const omr_run_settings *settings, omr_batch *batch,
                    omr_result *result, size_t row, char *reason, size_t size) {
  const omr_study *study = part->study;
  omr_values values;
  double *drawn = calloc(study->variation_count + 1, sizeof *drawn);
  omr_part_values(part, omr_part_row(part, row), &values, drawn);
  for (size_t j = 0; drawn && j < study->variation_count; j++)
    result->columns[j].values[row] = drawn[j];
  free(drawn);
  if (values.vehicle[OMR_VP_TRACKING] > 1) values.vehicle[OMR_VP_TRACKING] = 0;
  if (!omr_prepare_instance(study, settings, &values, batch, 0, reason, size)) return false;
  if (!omr_small_model_of(study->model)) omr_result_keep_shapes(result, row, batch, 0, &values);
  return true;
}

/* Evaluations at every step start cost most of the time where steps are short: only where an
 * observable asks for them. */
static bool wants_extremes(const omr_study *study) {
  static const int of_steps[] = {OMR_OBS_MAX_DEVIATION,      OMR_OBS_VIBRATION_RMS,
                                 OMR_OBS_VIBRATION_PEAK,     OMR_OBS_VIBRATION_EXCHANGE,
                                 OMR_OBS_MAX_SLIP,           OMR_OBS_MAX_FORCE_RATIO,
                                 OMR_OBS_MAX_CROSS_TRACK,    OMR_OBS_MIN_WEIGHT,
                                 OMR_OBS_MIN_LOAD,           OMR_OBS_MAX_LOAD,
                                 OMR_OBS_MAX_SERVO_TORQUE,   OMR_OBS_MAX_SPEED,
                                 OMR_OBS_MAX_TRACTION_RATIO, OMR_OBS_STOP_TIME,
                                 OMR_OBS_BRAKING_DISTANCE,   OMR_OBS_MAX_GAP,
                                 OMR_OBS_AIR_TIME,           OMR_OBS_LIFT_OFFS,
                                 OMR_OBS_FALL_TIME};
  for (size_t i = 0; i < sizeof of_steps / sizeof *of_steps; i++)
    if (omr_observable_in(&study->observables, of_steps[i])) return true;
  for (int i = 0; i < OMR_OBS_COUNT; i++)
    if (omr_observable_in(&study->observables, i) && omr_observables[i].group & OMR_OBSERVER_MOTORS)
      return true;
  return false;
}

static omr_status run_rows(const omr_part *part, const omr_ensemble_options *options,
                           const omr_run_settings *settings, omr_batch *batch, omr_ensemble *e,
                           omr_error *error) {
  omr_reference_source *integrate =
      options->integrate ? options->integrate : omr_reference_integrate;
  const omr_study *study = part->study;
  clock_of clock = {options, 0, study->duration * (double)e->count};
  omr_reference_options one = {.tolerance = options->tolerance,
                               .extremes = options->every_step || wants_extremes(study),
                               .progress = on_progress,
                               .progress_user = &clock};
  for (size_t row = 0; row < e->count; row++, clock.before += study->duration) {
    char reason[400] = "";
    const size_t instance = omr_part_row(part, row);
    if (!prepare(part, settings, batch, e->result, row, reason, sizeof reason)) {
      if (!e->result->first_invalid[0])
        snprintf(e->result->first_invalid, sizeof e->result->first_invalid, "instance %zu: %s",
                 instance, reason);
      continue;
    }
    const double start = omr_seconds();
    omr_status status = integrate(study, instance, &one, &e->runs[row], error);
    if (status != OMR_OK) return status;
    e->seconds[row] = omr_seconds() - start;
    keep_run(study, e->result, row, &e->runs[row]);
  }
  return OMR_OK;
}

static void keep_record(const omr_study *study, const omr_ensemble *e) {
  omr_run_record *record = &e->result->record;
  snprintf(record->backend, sizeof record->backend, "reference");
  snprintf(record->device, sizeof record->device,
           "multibody in maximal coordinates, SUNDIALS CVODE");
  snprintf(record->precision, sizeof record->precision, "double");
  snprintf(record->numerics, sizeof record->numerics, "exact");
  snprintf(record->rounding, sizeof record->rounding, "correct");
  record->lanes = record->threads = 1;
  for (size_t row = 0; row < e->count; row++) {
    record->kernel_seconds += e->seconds[row];
    record->instance_steps += e->runs[row].end / omr_study_tick(study);
  }
  record->wall_seconds = record->kernel_seconds;
}

/* What is refused is refused before anything is integrated: the words are the reference's own. */
omr_status omr_ensemble_check(const omr_study *study, omr_error *error) {
  const omr_reference_model *model = omr_reference_model_of(study->model);
  if (model && !(model->refuse && model->refuse(study))) return OMR_OK;
  const omr_reference_options options = {0};
  omr_reference_run run;
  return omr_reference_integrate(study, 0, &options, &run, error);
}

static omr_status fail_none(const omr_study *study, const omr_ensemble *e, omr_error *error) {
  for (size_t row = 0; row < e->count; row++)
    if (e->runs[row].times) return OMR_OK;
  return omr_fail(error, OMR_ERR_STUDY, "%s: none of the instances chosen makes a machine; %s",
                  study->name, e->result->first_invalid);
}

omr_status omr_ensemble_run(const omr_part *part, const omr_ensemble_options *options,
                            omr_ensemble *e, omr_error *error) {
  const omr_study *study = part->study;
  omr_run_settings settings = {0};
  omr_batch batch = {0};
  *e = (omr_ensemble){.count = part->rows};
  e->runs = calloc(e->count, sizeof *e->runs);
  e->seconds = calloc(e->count, sizeof *e->seconds);
  omr_status status = e->runs && e->seconds ? omr_result_make(part, &e->result, error)
                                            : omr_fail(error, OMR_ERR_MEMORY,
                                                       "out of memory for %zu instances", e->count);
  if (status == OMR_OK) status = make_settings(study, &settings, error);
  if (status == OMR_OK && (!make_drift(e->result) || !omr_batch_make(&settings, OMR_PAD, &batch)))
    status =
        omr_fail(error, OMR_ERR_MEMORY, "out of memory for the result of %zu instances", e->count);
  batch.count = 1;
  batch.stride = OMR_PAD;
  if (status == OMR_OK) status = run_rows(part, options, &settings, &batch, e, error);
  if (status == OMR_OK) status = fail_none(study, e, error);
  if (status == OMR_OK) omr_result_drop_rare(e->result);
  if (status == OMR_OK) keep_record(study, e);
  omr_batch_free(&batch);
  omr_settings_free(&settings);
  if (status != OMR_OK) omr_ensemble_free(e);
  return status;
}

void omr_ensemble_free(omr_ensemble *e) {
  for (size_t row = 0; e->runs && row < e->count; row++) omr_reference_run_free(&e->runs[row]);
  free(e->runs);
  free(e->seconds);
  omr_result_destroy(e->result);
  *e = (omr_ensemble){0};
}
