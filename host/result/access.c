/* Access to results without knowledge of their layout: columns by name, trajectories, failures. */
#include "result.h"

#include <string.h>

size_t omr_result_parameters(const omr_result *result) {
  return result->parameter_count;
}

size_t omr_result_find(const omr_result *result, const char *name) {
  for (size_t c = 0; c < result->column_count; c++)
    if (strcmp(result->columns[c].name, name) == 0) return c;
  return OMR_NONE;
}

size_t omr_result_instance(const omr_result *result, size_t row) {
  return result->numbers && row < result->instances ? (size_t)result->numbers[row] : row;
}

size_t omr_result_row(const omr_result *result, size_t instance) {
  if (!result->numbers) return instance < result->instances ? instance : result->instances;
  return omr_number_place(result->numbers, result->instances, sizeof *result->numbers, instance);
}

const int8_t *omr_result_retries(const omr_result *result) {
  return result->retries;
}

size_t omr_result_traced(const omr_result *result) {
  return result->traced_count;
}

size_t omr_result_traced_row(const omr_result *result, size_t i) {
  if (i >= result->traced_count) return OMR_NONE;
  for (size_t row = 0; result->numbers && row < result->instances; row++)
    if (result->numbers[row] == result->traced[i]) return row;
  return result->numbers ? OMR_NONE : (size_t)result->traced[i];
}

const char *omr_result_traced_names(const omr_result *result) {
  return result->traced_names ? result->traced_names : "";
}

const omr_result *omr_result_nominal(const omr_result *result) {
  return result->nominal;
}

size_t omr_result_samples(const omr_result *result) {
  return result->sample_count;
}

const double *omr_result_sample_times(const omr_result *result) {
  return result->sample_time;
}

/* The n-th of the series that this result has; `values` is NULL after the last one. */
static omr_series find_series(const omr_result *result, size_t quantity) {
  const size_t count = result->traced_count ? omr_result_series_count(result) : 0;
  for (size_t i = 0; i < count; i++) {
    const omr_series series = omr_result_series(result, i);
    if (*series.values && quantity-- == 0) return series;
  }
  return (omr_series){.values = NULL};
}

size_t omr_result_quantities(const omr_result *result) {
  size_t count = 0;
  while (find_series(result, count).values) count++;
  return count;
}

size_t omr_result_find_quantity(const omr_result *result, const char *name) {
  for (size_t q = 0;; q++) {
    const omr_series series = find_series(result, q);
    if (!series.values) return OMR_NONE;
    if (strcmp(series.info.name, name) == 0) return q;
  }
}

const char *omr_result_quantity_name(const omr_result *result, size_t quantity) {
  const omr_series series = find_series(result, quantity);
  return series.values ? series.info.name : NULL;
}

const char *omr_result_quantity_unit(const omr_result *result, size_t quantity) {
  const omr_series series = find_series(result, quantity);
  return series.values ? series.info.unit : NULL;
}

const double *omr_result_trajectory(const omr_result *result, size_t quantity, size_t *samples,
                                    size_t *wheels) {
  const omr_series series = find_series(result, quantity);
  if (!series.values) return NULL;
  if (samples) *samples = series.over_time ? result->sample_count : 1;
  if (wheels) *wheels = series.over_wheels ? (size_t)result->wheels : 1;
  return *series.values;
}

size_t omr_result_failures(const omr_result *result) {
  return result->failures.count;
}

bool omr_result_failure(const omr_result *result, size_t i, size_t *instance, int *status,
                        double *time) {
  const omr_failures *failures = &result->failures;
  if (i >= failures->count) return false;
  if (instance) *instance = (size_t)failures->instance[i];
  if (status) *status = failures->status[i];
  if (time) *time = failures->time[i];
  return true;
}

const char *omr_result_failure_reason(const omr_result *result, size_t i) {
  const omr_failures *failures = &result->failures;
  for (size_t r = 0; i < failures->count && r < failures->reason_count; r++)
    if (failures->reasons[r].instance == failures->instance[i]) return failures->reasons[r].text;
  return NULL;
}

bool omr_result_state_quantity(const omr_result *result, size_t quantity, const char **name,
                               const char **unit, int *wheel) {
  const omr_failures *failures = &result->failures;
  if (quantity >= omr_failures_width(failures)) return false;
  const bool whole = quantity < failures->vehicle_count;
  const size_t at = whole ? quantity : quantity - failures->vehicle_count;
  const omr_failure_quantity *found =
      whole ? &failures->vehicle[at] : &failures->wheel[at / failures->wheels];
  if (name) *name = found->name;
  if (unit) *unit = found->unit;
  if (wheel) *wheel = whole ? -1 : (int)(at % failures->wheels);
  return true;
}

const double *omr_result_failure_state(const omr_result *result, size_t i) {
  const omr_failures *failures = &result->failures;
  return i < failures->count ? failures->state + i * omr_failures_width(failures) : NULL;
}

const char *omr_result_warnings(const omr_result *result) {
  return result->warnings;
}

const char *omr_result_study(const omr_result *result) {
  return result->study_text ? result->study_text : "";
}

const char *omr_result_title(const omr_result *result) {
  return result->study_title ? result->study_title : "";
}
