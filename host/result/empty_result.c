/* Empty results for a study. */
#include "../study/grammar/reader.h"
#include "../study/own_names.h"
#include "../support/team.h"
#include "result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double *filled(size_t count) {
  double *values = malloc((count ? count : 1) * sizeof *values);
  for (size_t i = 0; values && i < count; i++) values[i] = (double)NAN;
  return values;
}

static void fill_columns(omr_result *r) {
#pragma omp parallel for schedule(static)                                                          \
    num_threads(omr_team_usual()) if (r->instances * r->column_count >= OMR_MANY)
  for (size_t c = 0; c < r->column_count; c++)
    for (size_t k = 0; k < r->instances; k++) r->columns[c].values[k] = (double)NAN;
}

static bool make_columns(const omr_study *study, omr_result *r) {
  r->columns = calloc(study->variation_count + omr_observables_in(&study->observables) + 1,
                      sizeof *r->columns);
  if (!r->columns) return false;
  r->parameter_count = study->variation_count;

  /* varied parameters come first */
  for (size_t j = 0; j < study->variation_count; j++) {
    const omr_variation *v = &study->variations[j];
    const omr_parameter p = omr_study_parameter(study, v->per_wheel, v->index);
    const omr_sample_info info = {v->column, p.unit, p.meaning};
    if (!omr_result_add_column(r, info, r->instances)) return false;
  }

  for (int i = 0; i < OMR_OBS_COUNT; i++) {
    if (!omr_observable_in(&study->observables, i)) continue;
    const omr_observable o = omr_study_observable(study, i);
    const omr_sample_info info = {o.name, o.unit, o.meaning};
    if (!omr_result_add_column(r, info, r->instances)) return false;
  }

  fill_columns(r);
  return true;
}

static bool make_small_samples(const omr_study *study, size_t cells, omr_result *r) {
  const int count = omr_study_small_samples(study);
  omr_sample_info *list = calloc((size_t)count + 1, sizeof *list);
  for (int j = 0; list && j < count; j++) list[j] = omr_study_small_sample(study, j);
  bool made = list && omr_result_take_small_list(r, list, count);
  free(list);
  for (int j = 0; made && j < count; j++) made = (r->small_samples[j] = filled(cells));
  return made;
}

static bool make_drift(size_t cells, omr_result *r) {
  for (int d = 0; d < OMR_DRIFT_COUNT; d++)
    if (!(r->drift_samples[d] = filled(cells))) return false;
  return true;
}

/* Makes trajectories; only relaxed constraints have weights, and discs have no rollers. */
static bool make_samples(const omr_part *part, omr_result *r) {
  const omr_study *study = part->study;
  if (!part->traced_count) return true;

  /* the times are the same for all trajectories */
  r->traced_count = part->traced_count;
  r->sample_count = omr_study_samples(study);
  r->traced = calloc(r->traced_count, sizeof *r->traced);
  r->sample_time = calloc(r->sample_count, sizeof *r->sample_time);
  if (!r->traced || !r->sample_time) return false;

  for (size_t i = 0; i < r->traced_count; i++) r->traced[i] = part->traced[i];
  for (size_t s = 0; s < r->sample_count; s++) r->sample_time[s] = omr_study_sample_time(study, s);

  /* small models have samples of their own */
  size_t cells = r->traced_count * r->sample_count;
  if (study->engine.backend == OMR_BACKEND_REFERENCE && !make_drift(cells, r)) return false;
  if (omr_small_list_of(study->model)) return make_small_samples(study, cells, r);

  /* samples of a vehicle, as far as its model has them */
  for (int j = 0; j < OMR_VS_COUNT; j++) {
    if (!omr_has_vehicle_sample(study, j)) continue;
    if (!(r->vehicle_samples[j] = filled(cells))) return false;
  }

  for (int j = 0; j < OMR_WS_COUNT; j++) {
    if (!omr_has_wheel_sample(study, j)) continue;
    if (!(r->wheel_samples[j] = filled(cells * (size_t)study->wheels))) return false;
  }

  for (int j = 0; j < OMR_SHAPE_COUNT; j++) {
    if (!(r->wheel_shapes[j] = filled(r->traced_count * (size_t)study->wheels))) return false;
  }
  return true;
}

static bool make_retries(const omr_study *study, omr_result *r) {
  if (study->on_failure != OMR_FAILURE_RETRY) return true;
  r->retries = calloc(r->instances + 1, sizeof *r->retries);
  return r->retries != NULL;
}

static bool make_numbers(const omr_part *part, omr_result *r) {
  if (!part->chosen) return true;
  r->numbers = malloc((r->instances + 1) * sizeof *r->numbers);
  for (size_t k = 0; r->numbers && k < r->instances; k++) r->numbers[k] = part->chosen[k];
  return r->numbers != NULL;
}

omr_status omr_result_make(const omr_part *part, omr_result **result, omr_error *error) {
  const omr_study *study = part->study;
  omr_result *r = *result = calloc(1, sizeof *r);

  if (!r) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  const omr_status status = omr_failures_make(study, &r->failures, error);
  if (status != OMR_OK) return status;

  /* the study that the rows belong to */
  r->instances = part->rows;
  r->wheels = study->wheels;
  r->frame = study->frame;
  r->study_name = strdup(study->name);
  r->study_title = strdup(study->title ? study->title : "");
  r->study_text = strdup(study->text);
  memcpy(r->study_hash, study->hash, sizeof r->study_hash);
  snprintf(r->model, sizeof r->model, "%s", omr_model_names[study->model]);
  r->seed = study->design.seed;
  r->step = study->time.step;
  r->tolerance = study->time.tolerance;
  r->duration = study->time.duration;

  /* a row is invalid until it was run */
  r->status = malloc(r->instances);
  r->status_time = filled(r->instances);
  r->row_steps = calloc(r->instances + 1, sizeof *r->row_steps);
  r->row_balance = filled(r->instances);
  if (r->status) memset(r->status, OMR_INSTANCE_INVALID, r->instances);

  if (r->study_name && make_numbers(part, r) && r->study_title && r->study_text && r->status &&
      r->status_time && r->row_steps && r->row_balance && make_columns(study, r) &&
      make_samples(part, r) && make_retries(study, r)) {
    return OMR_OK;
  }
  return omr_fail(
      error, OMR_ERR_MEMORY,
      "out of memory for the result of %zu instances; ask for fewer observables or trajectories",
      r->instances);
}
