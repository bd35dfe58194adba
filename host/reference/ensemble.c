/* Runs of the reference, one instance after the other, into one result. */
#include "ensemble.h"

#include "model/prepare.h"
#include "result_row.h"
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

static bool make_drift(omr_result *result) {
  const size_t cells = result->traced_count * result->sample_count;
  for (int d = 0; d < OMR_DRIFT_COUNT; d++) {
    if (result->drift_samples[d]) continue;
    double *values = result->drift_samples[d] = malloc((cells + 1) * sizeof *values);
    if (!values) return false;
    for (size_t i = 0; i < cells; i++) values[i] = (double)NAN;
  }
  return true;
}

static omr_status run_rows(const omr_part *part, const omr_ensemble_options *options,
                           const omr_run_settings *settings, omr_batch *batch, omr_ensemble *e,
                           omr_error *error) {
  omr_reference_source *integrate =
      options->integrate ? options->integrate : omr_reference_integrate;
  const omr_study *study = part->study;
  clock_of clock = {options, 0, study->time.duration * (double)e->count};

  omr_reference_options one = {.tolerance = options->tolerance,
                               .extremes = options->every_step || omr_reference_wants_steps(study),
                               .progress = on_progress,
                               .progress_user = &clock};

  size_t first_invalid = SIZE_MAX;
  for (size_t row = 0; row < e->count; row++, clock.before += study->time.duration) {
    char reason[400] = "";
    const size_t instance = omr_part_row(part, row);

    /* values that make no machine are an invalid instance, not an error */
    if (!omr_reference_prepare(part, settings, batch, e->result, row, reason, sizeof reason)) {
      omr_result_note_invalid(e->result, &first_invalid, instance, reason);
      continue;
    }

    /* integrate, and keep the row */
    const double start = omr_seconds();
    omr_status status = integrate(part, instance, &one, &e->runs[row], error);
    if (status != OMR_OK) return status;
    e->seconds[row] = omr_seconds() - start;
    omr_reference_keep(part, e->result, row, &e->runs[row]);
  }

  return OMR_OK;
}

static void keep_record(const omr_study *study, const omr_ensemble *e) {
  omr_run_record *record = &e->result->record;
  omr_reference_name(record);
  for (size_t row = 0; row < e->count; row++) {
    record->kernel_seconds += e->seconds[row];
    record->instance_steps += e->runs[row].end / omr_study_tick(study);
  }
  record->wall_seconds = record->kernel_seconds;
}

/* Refuses before anything is integrated; the words are the reference's own. */
omr_status omr_ensemble_check(const omr_study *study, omr_error *error) {
  const omr_reference_model *model = omr_reference_model_of(study->model);
  if (model && !(model->refuse && model->refuse(study))) return OMR_OK;
  const omr_reference_options options = {0};
  omr_reference_run run;
  const omr_part whole = omr_part_of(study);
  return omr_reference_integrate(&whole, 0, &options, &run, error);
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

  /* rows are prepared as on the engine, one at a time */
  if (status == OMR_OK) status = omr_reference_settings(study, &settings, error);
  if (status == OMR_OK && (!make_drift(e->result) || !omr_batch_make(&settings, OMR_PAD, &batch)))
    status =
        omr_fail(error, OMR_ERR_MEMORY, "out of memory for the result of %zu instances", e->count);

  batch.count = 1;
  batch.stride = OMR_PAD;

  /* integrate, and judge the result as a whole */
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
