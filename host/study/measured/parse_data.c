/* "data": measured runs with which a study is compared. The reader takes the numbers of one run,
 * and its file serves replays without a file of their own. */
#include "log.h"

#include "../../../kernels/scalar_math.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RUNS = 10000, MOST_INSTANTS = 1000000 };

void omr_measured_free(omr_measured *measured) {
  for (size_t r = 0; r < measured->runs; r++) free(measured->run[r].file);
  free(measured->run);
  for (size_t i = 0; i < measured->samples; i++) free(measured->sample[i].number);
  free(measured->sample);
  for (size_t u = 0; u < measured->unknowns; u++) {
    omr_variation *prior = measured->unknown[u].prior;
    if (!prior) continue;
    free(prior->values);
    free(prior->cumulative);
    free(prior);
  }
  free(measured->unknown);
  free(measured->value);
  *measured = (omr_measured){0};
}

/* ---- runs */

static omr_status read_run(omr_reader *reader, const cJSON *item, omr_measured_run *run) {
  if (!cJSON_IsObject(item))
    return OMR_MISTAKEN(reader, item, OMR_MISTAKE_TYPE, "expected a run: {\"file\": \"run.csv\"}");
  return omr_read_keys(reader, item, OMR_SECTION_DATA_RUN, run);
}

/* The first run that names the same group; a run without one is its own. */
static void find_group(const cJSON *list, const cJSON *item, size_t *group) {
  const cJSON *name = omr_json_get(item, "group"), *other;
  size_t number = 0;
  if (!name) return;
  cJSON_ArrayForEach(other, list) {
    const cJSON *there = omr_json_get(other, "group");
    if (other == item) return;
    if (cJSON_IsString(there) && strcmp(there->valuestring, name->valuestring) == 0) break;
    number++;
  }
  *group = number;
}

static omr_status read_runs(omr_reader *reader, const cJSON *data) {
  omr_measured *measured = &reader->study->measured;
  const cJSON *list, *item, *chosen = omr_json_get(data, "run");

  /* The list is an array of bounded length. */
  list = omr_json_get(data, "runs");
  if (!list) return OMR_OK;
  OMR_TRY(omr_require_array(reader, list, 1, "measured runs"));
  if (cJSON_GetArraySize(list) > MOST_RUNS)
    return OMR_MISTAKEN(reader, list, OMR_MISTAKE_RANGE, "has %d runs; a study has %d at most",
                        cJSON_GetArraySize(list), MOST_RUNS);

  /* Each run begins as its own group, unless an earlier run names the same group. */
  measured->run = calloc((size_t)cJSON_GetArraySize(list), sizeof *measured->run);
  if (!measured->run) return omr_fail_memory(reader);
  cJSON_ArrayForEach(item, list) {
    omr_measured_run *run = &measured->run[measured->runs];
    run->group = measured->runs++;
    OMR_TRY(read_run(reader, item, run));
    find_group(list, item, &run->group);
  }

  /* The chosen run has to be one of them. */
  if (measured->chosen < measured->runs) return OMR_OK;
  return OMR_REFUSE(reader, chosen, "there is no run %zu: the study has %zu, counted from 0",
                    measured->chosen, measured->runs);
}

/* ---- the numbers of the run */

/* Straight lines between the rows; `row` goes on from call to call. */
static double value_at(const double *time, const double *value, size_t rows, double at,
                       size_t *row) {
  while (*row + 2 < rows && time[*row + 1] < at) ++*row;
  const double length = time[*row + 1] - time[*row];
  const double part = fmin(fmax((at - time[*row]) / length, 0), 1);
  return value[*row] + part * (value[*row + 1] - value[*row]);
}

static double *series_of(const omr_measured *measured, int index) {
  for (size_t s = 0; s < measured->samples; s++)
    if (measured->sample[s].index == index) return measured->value + s * measured->instants;
  return NULL;
}

/* Poses as seen from the one at the start. `hand` is 1 where yaw turns x to the second axis, as in
 * the frame ros, and -1 where it turns it away. */
static void move_to_start(const omr_measured *measured, double hand) {
  double *x = series_of(measured, OMR_VS_X), *z = series_of(measured, OMR_VS_Z),
         *yaw = series_of(measured, OMR_VS_YAW);
  const double x0 = x[0], z0 = z[0], yaw0 = yaw[0];
  double c, s;
  omr_math_sincos(yaw0, &s, &c);
  s *= hand;
  for (size_t i = 0; i < measured->instants; i++) {
    const double dx = x[i] - x0, dz = z[i] - z0;
    x[i] = c * dx + s * dz;
    z[i] = c * dz - s * dx;
    yaw[i] -= yaw0;
  }
}

static omr_status read_end(omr_reader *reader, const cJSON *run, const char *key, double low,
                           double high, double *time) {
  const cJSON *item = omr_json_get(run, key);
  if (!item) return OMR_OK;
  OMR_TRY(omr_read_quantity(reader, item, "s", time));
  if (*time >= low && *time <= high) return OMR_OK;
  const int digits = omr_digits_apart(*time, *time < low ? low : high, 9);
  return OMR_REFUSE(reader, item, "is %.*g s, and the file has rows from %.*g to %.*g s", digits,
                    *time, digits, low, digits, high);
}

static omr_status find_duration(const omr_log *log, const double *time) {
  omr_reader *reader = log->reader;
  omr_measured *measured = &reader->study->measured;
  const double first = time[0], last = time[log->columns.rows - 1];
  double end = last;

  /* The study may narrow the time of the log at both ends. */
  measured->start = first;
  OMR_TRY(read_end(reader, log->item, "start", first, last, &measured->start));
  OMR_TRY(read_end(reader, log->item, "end", first, last, &end));

  /* Rounding may not take the last instant away. */
  const double instants = floor((end - measured->start) / measured->interval * (1 + 1e-12) + 1e-9);
  const int digits = omr_digits_apart(end - measured->start, measured->interval, 9);
  if (!(instants >= 1))
    return OMR_REFUSE(reader, log->item, "the run takes %.*g s, less than an interval of %.*g s",
                      digits, end - measured->start, digits, measured->interval);
  if (instants > MOST_INSTANTS)
    return OMR_REFUSE(reader, log->item,
                      "the run has %.0f instants; compare at most %d, by a longer \"interval\"",
                      instants, MOST_INSTANTS);

  /* The run ends at an instant. */
  measured->instants = (size_t)instants + 1;
  measured->duration = instants * measured->interval;
  return OMR_OK;
}

static omr_status take_values(omr_log *log, double *time, double *column) {
  omr_measured *measured = &log->reader->study->measured;
  const size_t rows = log->columns.rows;

  /* Interpolation takes two rows at least. */
  if (rows < 2)
    return OMR_REFUSE(log->reader, log->file, "%s has %zu row%s; a measured run has 2 at least",
                      log->path, rows, rows == 1 ? "" : "s");

  /* The times come first, since they fix the instants. */
  OMR_TRY(omr_log_take(log, &log->wanted[0], time, 1));
  OMR_TRY(omr_log_check_times(log, time));
  OMR_TRY(find_duration(log, time));
  OMR_TRY(omr_log_doubt_unit(log, time));
  OMR_TRY(omr_log_doubt_holes(log, time, measured->start, measured->start + measured->duration,
                              measured->interval));

  /* Each sample is interpolated at the instants of the run. */
  measured->value = calloc(measured->samples * measured->instants, sizeof *measured->value);
  if (!measured->value) return omr_fail_memory(log->reader);
  for (size_t s = 0; s < measured->samples; s++) {
    size_t row = 0;
    OMR_TRY(omr_log_take(log, &log->wanted[s + 1], column, 1));
    if (strcmp(log->wanted[s + 1].unit, "rad") == 0) omr_unwrap(column, rows, 2 * PI);
    for (size_t i = 0; i < measured->instants; i++)
      measured->value[s * measured->instants + i] =
          value_at(time, column, rows, measured->start + (double)i * measured->interval, &row);
  }

  /* Angles count from their start where the study says so, poses unless they are of the world. */
  if (measured->from_start) omr_measured_turn_back(measured, measured->value);
  if (!measured->world)
    move_to_start(measured, log->reader->study->frame == OMR_FRAME_Y_UP ? -1 : 1);
  return omr_check_compared(log->reader, log->item);
}

/* The text that a result keeps says how long the run was, since the file need not be there. */
static omr_status keep_duration(omr_reader *reader, const cJSON *run, double duration) {
  cJSON *object = (cJSON *)(uintptr_t)run;
  cJSON_DeleteItemFromObjectCaseSensitive(object, "duration");
  return cJSON_AddNumberToObject(object, "duration", duration) ? OMR_OK : omr_fail_memory(reader);
}

static omr_status read_numbers(omr_log *log) {
  omr_reader *reader = log->reader;
  omr_measured *measured = &reader->study->measured;
  if (reader->values_file) { /* a study that is kept with its result is looked at and never run */
    const cJSON *duration;
    OMR_TRY(omr_require(reader, log->item, "duration", "\"10 s\"", &duration));
    return omr_read_time(reader, duration, &measured->duration);
  }
  OMR_TRY(omr_log_read_file(log));
  double *time = calloc(2 * log->columns.rows + 1, sizeof *time);
  omr_status status =
      time ? take_values(log, time, time + log->columns.rows) : omr_fail_memory(reader);
  free(time);
  return status == OMR_OK ? keep_duration(reader, log->item, measured->duration) : status;
}

static bool is_pose(int index) {
  return index == OMR_VS_X || index == OMR_VS_Z || index == OMR_VS_YAW;
}

/* Poses can be moved where all of them are there. */
static omr_status read_origin(omr_reader *reader, const cJSON *data) {
  omr_measured *measured = &reader->study->measured;
  const cJSON *given = omr_json_get(data, "origin");
  size_t found = 0;
  for (size_t s = 0; s < measured->samples; s++) found += is_pose(measured->sample[s].index);
  measured->from_start = !measured->world;
  measured->world = measured->world || found == 0;
  if (measured->world || found == 3) return OMR_OK;
  return OMR_REFUSE(reader, given ? given : omr_json_get(data, "measured"),
                    "poses from the start of a run need x, the coordinate across it and yaw, all "
                    "three measured; measure them, or write \"origin\": \"world\"");
}

/* The pose that a run is seen from was measured like all others: with noise, which turns and shifts
 * the whole run. */
static omr_status assume_start_errors(omr_reader *reader, const cJSON *data) {
  const omr_measured *measured = &reader->study->measured;
  for (size_t s = 0; s < measured->samples; s++) {
    const omr_measured_sample *sample = &measured->sample[s];
    const cJSON *item = cJSON_GetArrayItem(omr_json_get(data, "measured"), (int)s);
    if (measured->world || !is_pose(sample->index) || omr_json_get(item, "start_error")) continue;
    if (sample->compared != OMR_COMPARE_TRACE && sample->compared != OMR_COMPARE_END) continue;
    OMR_TRY(omr_assume_start_error(reader, s)); /* others have noise of another kind */
  }
  return OMR_OK;
}

/* A start that was measured wrong is one of poses that are seen from it. */
static omr_status check_start_errors(omr_reader *reader, const cJSON *data) {
  const omr_measured *measured = &reader->study->measured;
  for (size_t u = 0; u < measured->unknowns; u++) {
    const omr_unknown *unknown = &measured->unknown[u];
    if (unknown->kind != OMR_UNKNOWN_START_ERROR) continue;
    if (!measured->world && is_pose(measured->sample[unknown->sample].index)) continue;
    const cJSON *item = cJSON_GetArrayItem(omr_json_get(data, "measured"), (int)unknown->sample);
    return OMR_REFUSE(reader, omr_json_get(item, "start_error"),
                      "is of x, the coordinate across it and yaw, of runs that are seen from their "
                      "start; leave it out, or the origin \"world\"; \"bias\" is of any sample");
  }
  return OMR_OK;
}

static omr_status read_section(omr_log *log, const cJSON *data) {
  omr_reader *reader = log->reader;
  omr_measured *measured = &reader->study->measured;
  const cJSON *time = omr_json_get(data, "time");
  OMR_TRY(omr_read_keys(reader, data, OMR_SECTION_DATA, measured));
  OMR_TRY(omr_check_rules(reader, data, OMR_SECTION_DATA, measured));
  OMR_TRY(read_runs(reader, data));
  omr_log_want(log, "time", "s", (omr_framing){OMR_TURN_LISTED, NULL, NULL});
  if (time) OMR_TRY(omr_log_read_column(log, time, &log->wanted[0]));
  OMR_TRY(omr_read_unknowns(reader, data, false, 0));
  OMR_TRY(omr_read_samples(reader, log, data));
  OMR_TRY(read_origin(reader, data));
  OMR_TRY(check_start_errors(reader, data));
  OMR_TRY(assume_start_errors(reader, data));
  if (measured->runs == 0) return OMR_OK;
  log->item = cJSON_GetArrayItem(omr_json_get(data, "runs"), (int)measured->chosen);
  log->file = omr_json_get(log->item, "file");
  return read_numbers(log);
}

omr_status omr_read_data(omr_reader *reader, const cJSON *root) {
  const cJSON *data;
  omr_log log = {.reader = reader, .what = "a measured run"};
  OMR_TRY(omr_read_calibrate(reader, root));
  OMR_TRY(omr_read_excite(reader, root));
  OMR_TRY(omr_read_object(reader, root, "data", &data));
  if (!data) return OMR_OK;
  if (!omr_has_measured(reader->study->model))
    return OMR_REFUSE(reader, data, "measured runs are of vehicles; the model %s has none",
                      omr_model_names[reader->study->model]);
  const omr_status status = read_section(&log, data);
  const cJSON *interval = omr_json_get(data, "interval");
  if (status == OMR_OK) reader->measured_run = log.item;
  reader->measured_interval = interval ? interval : data;
  omr_log_free(&log);
  return status;
}

/* A run that is planned takes the study's duration, and nothing of it is known. */
static omr_status lay_instants(omr_reader *reader) {
  omr_measured *measured = &reader->study->measured;
  const double duration = reader->study->time.duration,
               instants = floor(duration / measured->interval * (1 + 1e-12) + 1e-9);
  uint64_t steps;
  if (instants < 1 || instants > MOST_INSTANTS)
    return OMR_REFUSE(reader, reader->measured_interval,
                      "a run of %.9g s has %.0f intervals of %.9g s to compare; it has 1 to %d",
                      duration, instants, measured->interval, MOST_INSTANTS);
  measured->instants = (size_t)instants + 1;
  measured->duration = instants * measured->interval;
  OMR_TRY(omr_check_compared(reader, reader->measured_interval));
  measured->value = calloc(measured->samples * measured->instants, sizeof *measured->value);
  if (!measured->value) return omr_fail_memory(reader);
  return omr_require_whole_steps(reader, reader->measured_interval, "an interval",
                                 measured->interval, &steps);
}

/* Once step and duration are known. */
omr_status omr_check_data(omr_reader *reader, const cJSON *root) {
  const omr_study *study = reader->study;
  uint64_t steps;
  if (!reader->measured_run) return study->measured.samples ? lay_instants(reader) : OMR_OK;
  const int digits = omr_digits_apart(study->time.duration, study->measured.duration, 9);
  if (study->time.duration < study->measured.duration * (1 - 1e-9))
    return OMR_REFUSE(reader, omr_json_get(omr_json_get(root, "integrator"), "duration"),
                      "is %.*g s, and the measured run takes %.*g s: leave \"duration\" out, or "
                      "give the run an \"end\"",
                      digits, study->time.duration, digits, study->measured.duration);
  return omr_require_whole_steps(reader, reader->measured_interval, "an interval",
                                 study->measured.interval, &steps);
}
