#include "named_trajectories.h"

#include "../model/drawing/scene.h"
#include "../study/derived.h"
#include "../study/nominal.h"
#include "../study/own_names.h"
#include "../support/phase.h"
#include "integrate.h"
#include "remeasure.h"

#include <stdlib.h>
#include <string.h>

enum { CELLS_NAMED = 1000 }; /* of more cells, which all begin alike, the first */

/* CHOICE */

omr_status omr_named_make(const omr_study *study, omr_named *named, omr_error *error) {
  *named = (omr_named){.study = study, .count = 2 * study->traces.extreme_count};
  named->extremes = calloc(named->count + 1, sizeof *named->extremes);
  bool made = named->extremes;
  for (size_t i = 0; made && i < named->count; i++) {
    omr_extreme *e = &named->extremes[i];
    *e = (omr_extreme){
        .study = study, .observable = study->traces.extremes[i / 2], .largest = i % 2};
    e->values = calloc(study->variation_count + 1, sizeof *e->values);
    made = e->values;
    snprintf(e->name, sizeof e->name, "%s", omr_study_observable_name(study, e->observable));
  }
  return made ? OMR_OK : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
}

void omr_named_free(omr_named *named) {
  for (size_t i = 0; named->extremes && i < named->count; i++) free(named->extremes[i].values);
  free(named->extremes);
  omr_result_destroy(named->again);
  omr_result_destroy(named->nominal);
  free(named->names);
  *named = (omr_named){0};
}

/* The observables that the study keeps have a column each, in their order. */
static size_t column_of(const omr_study *study, int observable) {
  size_t column = study->variation_count;
  for (int i = 0; i < observable; i++) column += omr_study_observes(study, i);
  return column;
}

/* Of equal values the first instance counts. */
static bool is_further(const omr_extreme *e, double value, size_t instance) {
  if (isnan(value)) return false;
  if (!e->found) return true;
  if (value == e->value) return instance < e->instance;
  return e->largest ? value > e->value : value < e->value;
}

static void note(omr_extreme *e, const omr_result *rows) {
  const omr_column *column = &rows->columns[column_of(e->study, e->observable)];
  for (size_t k = 0; k < rows->instances; k++) {
    const size_t instance = omr_result_instance(rows, k);
    if (rows->status[k] != OMR_INSTANCE_OK || !is_further(e, column->values[k], instance)) continue;
    e->found = true;
    e->instance = instance;
    e->value = column->values[k];
    for (size_t v = 0; v < e->study->variation_count; v++)
      e->values[v] = rows->columns[v].values[k];
  }
  snprintf(e->name, sizeof e->name, "%s", column->name);
}

void omr_named_note(omr_named *named, const omr_result *rows) {
  for (size_t i = 0; i < named->count; i++) note(&named->extremes[i], rows);
}

static void note_partial(omr_extreme *e, const omr_partial *partial) {
  const omr_part whole = omr_part_of(e->study);
  const omr_partial_column *column = omr_partial_observable(partial, e->observable);
  omr_values values;
  e->found = column->used > 0;
  if (!e->found) return;
  e->instance = (size_t)(e->largest ? column->max_at : column->min_at);
  e->value = e->largest ? column->max : column->min;
  omr_part_values(&whole, e->instance, &values, e->values);
}

void omr_named_note_partial(omr_named *named, const omr_partial *partial) {
  for (size_t i = 0; i < named->count; i++) note_partial(&named->extremes[i], partial);
}

static const char *end_of(const omr_extreme *e) {
  return e->largest ? "largest" : "smallest";
}

static bool keep_names(omr_named *named) {
  const omr_study *study = named->study;
  omr_text text = {0};
  for (size_t i = 0; i < named->count; i++) {
    const omr_extreme *e = &named->extremes[i];
    if (e->found) omr_text_print(&text, "%zu %s %s\n", e->instance, end_of(e), e->name);
  }
  size_t cells = 0;
  for (size_t i = 0; study->traces.cells && i < study->traces.count && cells < CELLS_NAMED; i++) {
    if (study->traces.instances[i] % study->sample.points) continue;
    omr_text_print(&text, "%zu first of cell %zu\n", study->traces.instances[i],
                   study->traces.instances[i] / study->sample.points);
    cells++;
  }
  if (text.length) text.data[--text.length] = '\0'; /* the last line has no end */
  named->names = text.failed ? NULL : strdup(text.data ? text.data : "");
  omr_text_free(&text);
  return named->names;
}

static void warn_of_none(const omr_named *named, char *warnings) {
  char line[200];
  for (size_t i = 0; i < named->count; i += 2) {
    const omr_extreme *e = &named->extremes[i];
    snprintf(line, sizeof line,
             "no extremes of %s are traced: no instance reached the end with a value of it",
             e->name);
    if (!e->found) omr_add_warnings(warnings, line);
  }
}

/* SECOND RUNS */

static bool is_traced(const omr_study *study, size_t instance) {
  const omr_part whole = omr_part_of(study);
  const size_t at = omr_part_traced_from(&whole, instance);
  return at < study->traces.count && study->traces.instances[at] == instance;
}

/* A result without these is better than none. */
static bool ends_run(omr_status status) {
  return status == OMR_ERR_INTERRUPTED || status == OMR_ERR_MEMORY || status == OMR_ERR_SELFTEST;
}

static omr_status run_all(const omr_study *study, const omr_run_options *options,
                          omr_result **result, omr_error *error) {
  const omr_part whole = omr_part_of(study);
  omr_integrator *integrator = NULL;
  omr_status status = omr_integrator_open(&whole, options, &integrator, error);
  if (status == OMR_OK) status = omr_integrator_run(integrator, &whole, result, error);
  if (status == OMR_OK) status = omr_integrator_check(integrator, error);
  if (status == OMR_OK)
    (*result)->record.build_seconds = omr_integrator_record(integrator)->build_seconds;
  omr_integrator_close(integrator);
  if (status == OMR_OK) return OMR_OK;
  omr_result_destroy(*result);
  *result = NULL;
  return status;
}

/* Runs a study that was made of the study; *result stays NULL where it cannot run. */
static omr_status run_made(const omr_study *made, const char *what, const omr_run_options *options,
                           omr_run_record *record, char *warnings, omr_result **result,
                           omr_error *error) {
  static const omr_run_options none = OMR_RUN_OPTIONS_INIT;
  const omr_run_options own = {.size = sizeof own,
                               .progress = omr_bar_at_end,
                               .progress_user = (void *)(options ? options : &none)};
  const omr_study recorded = omr_study_recorded(made), kept = omr_study_with_rows(&recorded),
                  study = omr_study_measured(&kept, false);
  omr_error found = {0};
  omr_study elsewhere;
  char line[1200];

  /* Run it on its backend, or else on the processor. */
  omr_status status = run_all(&study, &own, result, &found);
  if (status == OMR_ERR_DEVICE && omr_study_elsewhere(&study, &elsewhere))
    status = run_all(&elsewhere, &own, result, &found);

  if (status == OMR_OK) {
    omr_record_add(record, &(*result)->record);
    (*result)->scene = omr_scene_kept(made);
    return OMR_OK;
  }

  /* Other failures leave a warning. */
  if (ends_run(status)) return omr_fail(error, status, "%s", found.message);
  snprintf(line, sizeof line, "%s could not be traced: %.1000s", what, found.message);
  omr_add_warnings(warnings, line);
  return OMR_OK;
}

/* The run and its repetition have to give the same number. */
static void check_same(const omr_extreme *e, const omr_result *again, size_t row, char *warnings) {
  char line[300];
  const double value = again->columns[column_of(e->study, e->observable)].values[row];
  if (memcmp(&value, &e->value, sizeof value) == 0) return;
  snprintf(line, sizeof line,
           "instance %zu, run again for its trajectory, has %s %.17g in the place of %.17g",
           e->instance, e->name, value, e->value);
  omr_add_warnings(warnings, line);
}

static void check_all(const omr_named *named, const size_t *instances, size_t count,
                      char *warnings) {
  for (size_t row = 0; row < count; row++)
    for (size_t i = 0; i < named->count; i++)
      if (named->extremes[i].found && named->extremes[i].instance == instances[row])
        check_same(&named->extremes[i], named->again, row, warnings);
}

static int by_instance(const void *a, const void *b) {
  const size_t x = (*(const omr_extreme *const *)a)->instance,
               y = (*(const omr_extreme *const *)b)->instance;
  return (x > y) - (x < y);
}

/* The extremes without a trajectory so far, ascending, each once. */
static size_t choose(const omr_named *named, const omr_extreme **chosen) {
  size_t count = 0, kept = 0;
  for (size_t i = 0; i < named->count; i++) {
    const omr_extreme *e = &named->extremes[i];
    if (e->found && !is_traced(named->study, e->instance)) chosen[count++] = e;
  }
  qsort(chosen, count, sizeof *chosen, by_instance);
  for (size_t i = 0; i < count; i++)
    if (i == 0 || chosen[i]->instance != chosen[i - 1]->instance) chosen[kept++] = chosen[i];
  return kept;
}

/* Their numbers and values; *made is the study of these instances. */
static omr_status make_again(const omr_named *named, const omr_extreme *const *chosen, size_t count,
                             size_t *instances, omr_study **made, omr_error *error) {
  const size_t columns = named->study->variation_count;
  double *values = calloc(count * columns + 1, sizeof *values);
  if (!values) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  for (size_t i = 0; i < count; i++) {
    instances[i] = chosen[i]->instance;
    memcpy(values + i * columns, chosen[i]->values, columns * sizeof *values);
  }
  const omr_status status =
      omr_study_of_values(named->study, instances, values, count, "", made, error);
  free(values);
  return status;
}

static omr_status run_again(omr_named *named, const omr_run_options *options,
                            omr_run_record *record, char *warnings, omr_error *error) {
  const omr_extreme **chosen = calloc(named->count + 1, sizeof *chosen);
  size_t *instances = calloc(named->count + 1, sizeof *instances);
  omr_study *made = NULL;
  omr_status status =
      chosen && instances ? OMR_OK : omr_fail(error, OMR_ERR_MEMORY, "out of memory");

  /* Run the instances that have no trajectory. */
  const size_t count = status == OMR_OK ? choose(named, chosen) : 0;
  if (count) status = make_again(named, chosen, count, instances, &made, error);
  if (made) status = run_made(made, "extremes", options, record, warnings, &named->again, error);

  /* They have to repeat the run, and get their numbers in it. */
  if (named->again) {
    check_all(named, instances, count, warnings);
    named->again->numbers = malloc((count + 1) * sizeof *named->again->numbers);
    if (!named->again->numbers) status = omr_fail(error, OMR_ERR_MEMORY, "out of memory");
    for (size_t i = 0; status == OMR_OK && i < count; i++) named->again->numbers[i] = instances[i];
    for (size_t i = 0; i < named->again->traced_count; i++)
      named->again->traced[i] = instances[named->again->traced[i]];
  }

  omr_study_destroy(made);
  free(instances);
  free(chosen);
  return status;
}

static omr_status run_nominal(omr_named *named, const omr_run_options *options,
                              omr_run_record *record, char *warnings, omr_error *error) {
  omr_study *made = NULL;
  char line[200];
  omr_status status = omr_study_nominal(named->study, "", &made, error);
  if (status == OMR_OK)
    status =
        run_made(made, "the nominal vehicle", options, record, warnings, &named->nominal, error);
  omr_study_destroy(made);
  if (!named->nominal || named->nominal->status[0] == OMR_INSTANCE_OK) return status;
  snprintf(line, sizeof line, "the nominal vehicle failed: it ended as %s at %.9g s",
           omr_instance_status_name(named->nominal->status[0]), named->nominal->status_time[0]);
  omr_add_warnings(warnings, line);
  return status;
}

omr_status omr_named_run(omr_named *named, const omr_run_options *options, omr_run_record *record,
                         char *warnings, omr_error *error) {
  const omr_study *study = named->study;
  omr_status status = OMR_OK;
  if (!named->count && !study->traces.nominal && !study->traces.cells) return OMR_OK;
  omr_phase("trace_named");
  warn_of_none(named, warnings);
  if (named->count) status = run_again(named, options, record, warnings, error);
  if (status == OMR_OK && study->traces.nominal)
    status = run_nominal(named, options, record, warnings, error);
  if (status == OMR_OK && !keep_names(named))
    status = omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  return status;
}
