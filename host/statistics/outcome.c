#include "../study/chunk_rows.h"
#include "../study/own_names.h"
#include "margin.h"
#include "outcome_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 4096 };

/* The columns in use, one block of rows at a time. */
typedef struct rows {
  omr_pool memory;
  omr_source *source;
  const size_t *used;
  size_t used_count;
  double *block;  /* [used_count][BLOCK] */
  double *values; /* of a row: [source->columns + 1] */
  int8_t status[BLOCK];
} rows;

static omr_status open_rows(rows *r, omr_source *source, const size_t *used, size_t count,
                            omr_error *error) {
  *r = (rows){.source = source, .used = used, .used_count = count};
  r->block = omr_pool_take(&r->memory, count * BLOCK, sizeof *r->block);
  r->values = omr_pool_take(&r->memory, source->columns + 1, sizeof *r->values);
  return r->memory.failed ? omr_fail(error, OMR_ERR_MEMORY, "out of memory") : OMR_OK;
}

static omr_status read_block(rows *r, size_t first, size_t count, omr_error *error) {
  omr_status status = r->source->ops->status(r->source, first, count, r->status, NULL, error);
  for (size_t c = 0; c < r->used_count && status == OMR_OK; c++)
    status = r->source->ops->read(r->source, r->used[c], first, count, r->block + c * BLOCK, error);
  return status;
}

static void take_row(rows *r, size_t row) {
  for (size_t c = 0; c < r->used_count; c++) r->values[r->used[c]] = r->block[c * BLOCK + row];
}

static void add_point(omr_outcome *o, const omr_margin *margin, rows *r, size_t row, size_t at) {
  take_row(r, row);
  const double m = omr_margin_of(margin, r->values, r->status[row]);
  o->failed += isnan(m) && r->status[row] != OMR_INSTANCE_OK ? 1 : 0;
  o->without_value += isnan(m) && r->status[row] == OMR_INSTANCE_OK ? 1 : 0;
  o->level[at] =
      (int8_t)(omr_subset_running(o->subset) < INT8_MAX ? omr_subset_running(o->subset) : INT8_MAX);
  o->accepted[at] = (int8_t)omr_subset_take(o->subset, m);
}

static omr_status replay_subset(omr_outcome *o, const omr_margin *margin, omr_source *source,
                                omr_error *error) {
  rows r;
  o->level = omr_pool_take(&o->memory, o->rows, sizeof *o->level);
  o->accepted = omr_pool_take(&o->memory, o->rows, sizeof *o->accepted);
  omr_status status =
      open_rows(&r, source, margin->criterion->columns, margin->criterion->column_count, error);
  if (status == OMR_OK && o->memory.failed)
    status = omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  for (size_t first = 0; status == OMR_OK && first < o->rows; first += BLOCK) {
    const size_t count = o->rows - first < BLOCK ? o->rows - first : BLOCK;
    status = read_block(&r, first, count, error);
    for (size_t row = 0; status == OMR_OK && row < count && omr_subset_count(o->subset) > 0; row++)
      add_point(o, margin, &r, row, first + row);
  }
  omr_pool_free(&r.memory);
  omr_subset_get(o->subset, &o->found);
  return status;
}

static omr_status find_rare(const omr_study *study, omr_source *source, omr_outcome *o,
                            omr_error *error) {
  omr_margin margin;
  o->settings = omr_subset_settings_of(study);
  o->quantity = omr_pool_text(&o->memory, study->statistics.criteria[study->sample.failure].text);
  omr_status status = omr_margin_make(study, study->sample.failure, &margin, error);
  if (status == OMR_OK) status = omr_subset_make(&o->settings, &o->subset, error);
  if (status == OMR_OK) status = replay_subset(o, &margin, source, error);
  omr_margin_free(&margin);
  return status;
}

/* Repeats the running plan's looks, chunk by chunk. */
static omr_status replay_stop(omr_outcome *o, omr_stop *stop, omr_source *source,
                              omr_error *error) {
  const omr_stop_settings *asked = &o->asked;
  const bool criterion = asked->of_criterion;

  /* read the columns that the stopping quantity needs */
  rows r;
  omr_status status =
      open_rows(&r, source, criterion ? stop->margin.criterion->columns : &asked->index,
                criterion ? stop->margin.criterion->column_count : 1, error);

  /* add the rows, and look where the plan looked: at the end of each chunk */
  for (size_t first = 0; status == OMR_OK && first < o->rows; first += BLOCK) {
    const size_t count = o->rows - first < BLOCK ? o->rows - first : BLOCK;
    status = read_block(&r, first, count, error);
    for (size_t row = 0; status == OMR_OK && row < count; row++) {
      take_row(&r, row);
      omr_stop_add(stop, r.values, r.status[row]);
      if (stop->rows % o->chunk_rows == 0 || stop->rows == o->budget)
        o->reached = omr_stop_look(stop);
    }
  }
  omr_pool_free(&r.memory);

  /* the estimate is of all rows */
  omr_stop_estimate(stop);
  o->estimate = stop->estimate;
  o->bounds = stop->bounds;
  o->used = stop->used;
  o->looks = stop->looks;
  return status;
}

static const char *describe_quantity(const omr_study *study, const omr_source *source,
                                     omr_pool *memory) {
  const omr_stop_settings *stop = &study->statistics.stop;
  omr_text text = {0};
  if (stop->of_criterion)
    omr_text_print(&text, "probability of %s", study->statistics.criteria[stop->index].text);
  else
    omr_text_print(&text, "mean %s", source->info[stop->index].name);
  const char *kept = text.failed ? NULL : omr_pool_text(memory, text.data);
  omr_text_free(&text);
  return kept;
}

static omr_status find_stop(const omr_study *study, omr_source *source, omr_outcome *o,
                            omr_error *error) {
  omr_stop stop;
  o->asked = study->statistics.stop;
  o->quantity = describe_quantity(study, source, &o->memory);
  o->unit = o->asked.of_criterion ? "1" : omr_observables[0].unit;
  for (int j = 0; !o->asked.of_criterion && j < OMR_OBS_COUNT; j++)
    if (strcmp(omr_study_observable_name(study, j), source->info[o->asked.index].name) == 0)
      o->unit = omr_study_observable(study, j).unit;
  o->budget = omr_stop_budget(study);
  o->chunk_rows = omr_chunk_rows(study);
  omr_status status = omr_stop_make(study, &stop, error);
  if (status == OMR_OK) status = replay_stop(o, &stop, source, error);
  omr_stop_free(&stop);
  return status;
}

omr_status omr_outcome_compute(const omr_study *study, omr_source *source, omr_outcome **outcome,
                               omr_error *error) {
  const bool rare = study->design.type == OMR_DESIGN_SUBSET;
  *outcome = NULL;
  if (!rare && !study->statistics.stop.given) return OMR_OK;

  /* a design without observables has no outcome */
  if (source->columns != source->parameters + omr_observables_in(&study->observables))
    return OMR_OK;

  omr_outcome *o = calloc(1, sizeof *o);
  if (!o) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  o->rare = rare;
  o->rows = source->rows;
  o->confidence = study->statistics.confidence;

  omr_status status =
      rare ? find_rare(study, source, o, error) : find_stop(study, source, o, error);
  if (status == OMR_OK && !o->quantity) status = omr_fail(error, OMR_ERR_MEMORY, "out of memory");

  if (status == OMR_OK)
    *outcome = o;
  else
    omr_outcome_destroy(o);
  return status;
}

void omr_outcome_destroy(omr_outcome *outcome) {
  if (!outcome) return;
  omr_subset_destroy(outcome->subset);
  omr_pool_free(&outcome->memory);
  free(outcome);
}

const char *omr_outcome_reason(const omr_outcome *o) {
  if (o->reached) return "interval";
  return o->rows >= o->budget ? "instances" : "wall_time";
}
