#include "result.h"

#include "../support/team.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool omr_record_of_reference(const omr_run_record *record) {
  return strcmp(record->numerics, "reference") == 0;
}

omr_sample_info omr_result_vehicle_sample(const omr_result *result, int index) {
  return omr_framed_sample(omr_vehicle_sample_turn(result->frame, index),
                           omr_vehicle_samples[index]);
}

omr_sample_info omr_result_wheel_sample(const omr_result *result, int index) {
  return omr_framed_sample(omr_wheel_sample_turn(result->frame, index), omr_wheel_samples[index]);
}

size_t omr_result_series_count(const omr_result *result) {
  return (size_t)result->small_sample_count + OMR_VS_COUNT + OMR_WS_COUNT + OMR_DRIFT_COUNT +
         OMR_SHAPE_COUNT;
}

omr_series omr_result_series(const omr_result *result, size_t index) {
  /* a small model's samples */
  size_t i = index;
  if (i < (size_t)result->small_sample_count)
    return (omr_series){result->small_info[i], true, false, false, &result->small_samples[i]};

  i -= (size_t)result->small_sample_count;

  /* samples of the vehicle and of its wheels */
  if (i < OMR_VS_COUNT)
    return (omr_series){omr_result_vehicle_sample(result, (int)i), true, false, false,
                        &result->vehicle_samples[i]};

  i -= OMR_VS_COUNT;

  if (i < OMR_WS_COUNT)
    return (omr_series){omr_result_wheel_sample(result, (int)i), true, true, i == OMR_WS_EDGE_SHARE,
                        &result->wheel_samples[i]};

  i -= OMR_WS_COUNT;

  /* drift of the reference's constraints */
  if (i < OMR_DRIFT_COUNT)
    return (omr_series){
        omr_framed_sample(omr_drift_turn(result->frame, (int)i), omr_drift_samples[i]), true, false,
        false, &result->drift_samples[i]};

  i -= OMR_DRIFT_COUNT;

  /* shapes of the wheels, which do not change over time */
  return (omr_series){
      omr_framed_sample(omr_wheel_shape_turn(result->frame, (int)i), omr_wheel_shapes[i]), false,
      true, false, &result->wheel_shapes[i]};
}

static const char *put_text(char **at, const char *text) {
  const size_t size = strlen(text) + 1;
  char *to = memcpy(*at, text, size);
  *at += size;
  return to;
}

bool omr_result_take_small_list(omr_result *result, const omr_sample_info *list, int count) {
  size_t bytes = (size_t)count * sizeof *list;
  if (count == 0) return true;
  for (int j = 0; j < count; j++)
    bytes += strlen(list[j].name) + strlen(list[j].unit) + strlen(list[j].meaning) + 3;
  result->small_samples = calloc((size_t)count, sizeof *result->small_samples);
  result->small_info = malloc(bytes);
  if (!result->small_samples || !result->small_info) return false;
  char *at = (char *)(result->small_info + count);
  for (int j = 0; j < count; j++) {
    omr_sample_info *to = &result->small_info[j];
    to->name = put_text(&at, list[j].name);
    to->unit = put_text(&at, list[j].unit);
    to->meaning = put_text(&at, list[j].meaning);
  }
  result->small_sample_count = count;
  return true;
}

static void turn_series(double *values, omr_framing turn, size_t place, size_t count) {
  if (values && turn.how & OMR_TURN_NEGATED) omr_turn_values(turn, values + place * count, count);
}

/* The small model of that name; NULL: none. */
static const omr_small_list *small_named(const char *model) {
  for (int m = 0; m < OMR_SMALLS; m++)
    if (strcmp(model, omr_model_names[omr_small_lists[m].model]) == 0) return &omr_small_lists[m];
  return NULL;
}

void omr_result_turn_samples(omr_result *result, size_t place) {
  const size_t times = result->sample_count, wheels = (size_t)result->wheels;
  const omr_small_list *small = small_named(result->model);
  if (result->frame == OMR_FRAME_Y_UP) return;
  for (int j = 0; small && j < result->small_sample_count; j++)
    turn_series(result->small_samples[j],
                omr_small_sample_turn(result->frame, small->model, small->sample_ids[j]), place,
                times);
  for (int j = 0; j < OMR_VS_COUNT; j++)
    turn_series(result->vehicle_samples[j], omr_vehicle_sample_turn(result->frame, j), place,
                times);
  for (int j = 0; j < OMR_WS_COUNT; j++)
    turn_series(result->wheel_samples[j], omr_wheel_sample_turn(result->frame, j), place,
                times * wheels);
}

size_t omr_result_series_size(const omr_result *result, omr_series series) {
  return (series.over_time ? result->sample_count : 1) *
         (series.over_wheels ? (size_t)result->wheels : 1);
}

static bool has_value(const double *values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (!isnan(values[i])) return true;
  }
  return false;
}

void omr_result_note_invalid(omr_result *result, size_t *first, size_t instance,
                             const char *reason) {
  if (instance >= *first) return;
  *first = instance;
  snprintf(result->first_invalid, sizeof result->first_invalid, "instance %zu: %s", instance,
           reason);
}

void omr_result_drop_rare(omr_result *result) {
  for (size_t i = 0; i < omr_result_series_count(result); i++) {
    const omr_series series = omr_result_series(result, i);
    double **values = (double **)(uintptr_t)series.values;
    if (!series.rare || !*values) continue;
    if (has_value(*values, result->traced_count * omr_result_series_size(result, series))) continue;
    free(*values);
    *values = NULL;
  }
}

bool omr_result_add_column(omr_result *result, omr_sample_info info, size_t rows) {
  omr_column *c = &result->columns[result->column_count++];
  *c = (omr_column){strdup(info.name), strdup(info.unit), strdup(info.meaning),
                    malloc(rows * sizeof *c->values + 1)};
  return c->name && c->unit && c->meaning && c->values;
}

bool omr_result_take_head(omr_result *to, const omr_result *from, size_t rows) {
  to->instances = rows;
  to->wheels = from->wheels;
  to->frame = from->frame;
  to->seed = from->seed;
  to->step = from->step;
  to->tolerance = from->tolerance;
  to->duration = from->duration;
  memcpy(to->study_hash, from->study_hash, sizeof to->study_hash);
  memcpy(to->model, from->model, sizeof to->model);
  memcpy(to->warnings, from->warnings, sizeof to->warnings);
  to->study_name = strdup(from->study_name);
  to->study_title = strdup(from->study_title);
  to->study_text = strdup(from->study_text);
  to->scene = from->scene ? strdup(from->scene) : NULL;

  /* the columns, without their values */
  to->parameter_count = from->parameter_count;
  to->columns = calloc(from->column_count + 1, sizeof *to->columns);
  bool good = to->study_name && to->study_title && to->study_text && to->columns;
  for (size_t c = 0; good && c < from->column_count; c++)
    good = omr_result_add_column(to, omr_column_info(&from->columns[c]), rows);
  return good;
}

omr_sample_info *omr_result_infos(const omr_result *result) {
  omr_sample_info *infos = calloc(result->column_count + 1, sizeof *infos);
  for (size_t c = 0; infos && c < result->column_count; c++)
    infos[c] = omr_column_info(&result->columns[c]);
  return infos;
}

static void destroy_columns(omr_result *result) {
  if (!result->columns) return;
  for (size_t c = 0; c < result->column_count; c++) {
    free(result->columns[c].name);
    free(result->columns[c].unit);
    free(result->columns[c].meaning);
    free(result->columns[c].values);
  }
  free(result->columns);
}

void omr_record_add(omr_run_record *to, const omr_run_record *from) {
  to->build_seconds += from->build_seconds;
  to->prepare_seconds += from->prepare_seconds;
  to->transfer_seconds += from->transfer_seconds;
  to->kernel_seconds += from->kernel_seconds;
  to->instance_steps += from->instance_steps;
}

void omr_result_destroy(omr_result *result) {
  if (!result) return;

  /* columns and series */
  destroy_columns(result);
  for (size_t i = 0; i < omr_result_series_count(result); i++)
    free(*omr_result_series(result, i).values);
  free(result->small_samples);
  free(result->small_info);

  /* arrays over instances */
  free(result->sample_time);
  free(result->traced);
  free(result->status_time);
  free(result->row_steps);
  free(result->row_balance);
  free(result->status);
  free(result->retries);
  omr_failures_free(&result->failures);

  /* the study */
  free(result->numbers);
  free(result->study_name);
  free(result->study_title);
  free(result->study_text);
  free(result->scene);
  free(result->traced_names);

  omr_result_destroy(result->nominal);
  if (result->statistics) result->statistics_ops->destroy(result->statistics);
  free(result->partial);
  free(result->coverage);
  free(result);
}

void omr_add_warnings(char *warnings, const char *lines) {
  const size_t length = strlen(warnings);
  if (lines[0] && length + 1 < OMR_WARNINGS)
    snprintf(warnings + length, OMR_WARNINGS - length, "%s%s", length ? "\n" : "", lines);
}

void omr_log_warnings(FILE *log, const char *lines) {
  for (const char *start = lines; log && *start; start += strspn(start, "\n")) {
    const size_t length = strcspn(start, "\n");
    fprintf(log, "warning: %.*s\n", (int)length, start);
    start += length;
  }
}

void omr_note_fewer_threads(char *warnings, FILE *log) {
  char warning[OMR_TEAM_WARNING];
  omr_team_of_run(0, warning);
  if (strstr(warnings, OMR_TEAM_FEWER)) return;
  omr_add_warnings(warnings, warning);
  omr_log_warnings(log, warning);
}

size_t omr_result_instances(const omr_result *result) {
  return result->instances;
}

size_t omr_result_columns(const omr_result *result) {
  return result->column_count;
}

const char *omr_result_column_name(const omr_result *result, size_t column) {
  return column < result->column_count ? result->columns[column].name : NULL;
}

const char *omr_result_column_unit(const omr_result *result, size_t column) {
  return column < result->column_count ? result->columns[column].unit : NULL;
}

const double *omr_result_column(const omr_result *result, size_t column) {
  return column < result->column_count ? result->columns[column].values : NULL;
}

const int8_t *omr_result_status(const omr_result *result) {
  return result->status;
}

const double *omr_result_status_time(const omr_result *result) {
  return result->status_time;
}
