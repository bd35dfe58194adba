/* First pass over the rows: counts, moments, criteria, for the whole and for each cell. */
#include "../support/team.h"
#include "answer.h"
#include "criteria_source.h"
#include "outcome.h"
#include "statistics.h"
#include "step_error.h"
#include "study/designs/drawn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 65536, ALONG = 4, MOST_CELL_NUMBERS = 1 << 22, MOST_CELL_COUNTS = 1 << 22 };

/* MOMENTS */

static const omr_moments no_moments = {0, 0, HUGE_VAL, -HUGE_VAL, 0, 0};

/* Welford (1962): never subtracts large sums from each other. */
static inline void add_value(omr_moments *m, double value) {
  const double before = value - m->mean;
  m->used++;
  m->mean += before / (double)m->used;
  m->squares += before * (value - m->mean);
  if (value < m->min) m->min = value;
  if (value > m->max) m->max = value;
}

static void finish_moments(omr_moments *m) {
  if (m->used == 0) m->min = m->max = m->mean = m->squares = (double)NAN;
}

/* MAKING */

static void make_quantities(omr_statistics *s, const omr_source *source) {
  omr_pool *memory = &s->memory;
  s->quantity_count = source->columns;
  s->parameter_count = source->parameters;
  s->quantities = omr_pool_take(memory, source->columns, sizeof *s->quantities);

  for (size_t q = 0; s->quantities && q < source->columns; q++) {
    omr_quantity *quantity = &s->quantities[q];
    const omr_sample_info *info = &source->info[q];
    *quantity = (omr_quantity){.name = omr_pool_text(memory, info->name),
                               .unit = omr_pool_text(memory, info->unit),
                               .meaning = omr_pool_text(memory, info->meaning)};

    /* moments and extremes start empty */
    quantity->moments = no_moments;
    quantity->least = HUGE_VAL;
    quantity->most = -HUGE_VAL;
    quantity->first = (double)NAN;
    quantity->min_at = quantity->max_at = UINT64_MAX;

    /* room for quantiles and the histogram, of which either may be empty */
    const size_t bins = (size_t)s->bins;
    quantity->quantiles = omr_pool_take(memory, s->quantile_count, sizeof *quantity->quantiles);
    quantity->edges = omr_pool_take(memory, bins + 1, sizeof *quantity->edges);
    quantity->histogram = omr_pool_take(memory, bins, sizeof *quantity->histogram);
  }
}

static void make_settings(omr_statistics *s, const omr_study *study) {
  s->confidence = 0.95;
  s->independence = "";
  if (!study) return;
  const omr_statistics_settings *settings = &study->statistics;
  s->bins = settings->bins;
  s->confidence = settings->confidence;
  s->interval = settings->interval;
  s->quantile_count = settings->quantile_count;
  s->levels = omr_pool_take(&s->memory, settings->quantile_count, sizeof *s->levels);
  for (size_t i = 0; s->levels && i < s->quantile_count; i++) s->levels[i] = settings->quantiles[i];
}

static omr_status parse_criteria(omr_statistics *s, const omr_statistics_settings *settings,
                                 omr_names *names, omr_error *error) {
  for (size_t i = 0; i < settings->criterion_count; i++) {
    omr_criterion *criterion = &s->criteria[i];
    s->criterion_count++;
    criterion->name = omr_pool_text(&s->memory, settings->criteria[i].name);
    criterion->text = omr_pool_text(&s->memory, settings->criteria[i].text);
    if (s->memory.failed) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
    const omr_status status =
        omr_expression_parse(criterion->text, names, &criterion->expression, error);
    if (status != OMR_OK) return status;
    omr_names_add_criterion(names, criterion->name, criterion->expression);
  }
  return OMR_OK;
}

static omr_status make_criteria(omr_statistics *s, const omr_study *study, const omr_source *source,
                                omr_error *error) {
  if (!study) return OMR_OK;
  omr_names names;
  s->criteria = omr_pool_take(&s->memory, study->statistics.criterion_count, sizeof *s->criteria);
  omr_names_of_columns(source->info, source->columns, &names);
  const omr_status status = s->criteria ? parse_criteria(s, &study->statistics, &names, error)
                                        : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  omr_names_free(&names);
  return status;
}

/* Makes the cells of a nested design, whose rows are contiguous
 * (host/study/designs/instance_values.c). */
static void make_cells(omr_statistics *s, const omr_study *study) {
  omr_cells *c = &s->cells;
  if (!study || !omr_design_has_cells(study->design.type)) return;

  /* refuse cells for whose numbers there is no room */
  c->per_cell = study->sample.points;
  c->count = s->rows / c->per_cell + (s->rows % c->per_cell > 0);
  if (c->count > MOST_CELL_NUMBERS / (s->quantity_count + 1)) {
    c->refused = c->count;
    c->count = 0;
    return;
  }

  /* the grid's parameters are the design */
  const size_t numbers = c->count * s->quantity_count;
  omr_pool *memory = &s->memory;
  c->design = omr_pool_take(memory, study->variation_count, sizeof *c->design);
  for (size_t v = 0; c->design && v < study->variation_count; v++)
    if (omr_is_of_design(&study->variations[v])) c->design[c->design_count++] = v;

  /* arrays by cell */
  c->values = omr_pool_take(memory, c->count * c->design_count, sizeof *c->values);
  c->by_status = omr_pool_take(memory, c->count * OMR_INSTANCE_STATUS_COUNT, sizeof *c->by_status);
  c->moments = omr_pool_take(memory, numbers, sizeof *c->moments);
  c->quantiles = omr_pool_take(memory, numbers * s->quantile_count, sizeof *c->quantiles);
  c->criteria = omr_pool_take(memory, c->count * s->criterion_count, sizeof *c->criteria);
  for (size_t i = 0; c->moments && i < numbers; i++) c->moments[i] = no_moments;

  /* histograms only where they fit */
  if (s->bins && numbers <= (size_t)MOST_CELL_COUNTS / (size_t)s->bins)
    c->histogram = omr_pool_take(memory, numbers * (size_t)s->bins, sizeof *c->histogram);
}

/* Says how far the design makes instances independent, which intervals rely on. */
static const char *independence_of(const omr_study *study) {
  if (!study || study->instances == 1) return "";
  const bool nested = omr_design_has_cells(study->design.type);
  if (study->design.type == OMR_DESIGN_SALTELLI)
    return "the instances of a row group share values: intervals are too short; those with the "
           "Sobol' indices are of whole groups";
  const omr_drawn *drawn = omr_drawn_of(study->sample.type);
  if (study->sample.type == OMR_DESIGN_SUBSET) return "";
  if (!drawn)
    return "the instances were chosen, not drawn: intervals say nothing beyond the spread over "
           "them";
  if (*drawn->intervals || !nested) return drawn->intervals;
  return study->sample.common
             ? "intervals hold for each cell; cells share their draws: too short for the whole"
             : "intervals hold for each cell, and for the whole given its cells";
}

static bool is_drawn(const omr_study *study) {
  return study && study->design.type != OMR_DESIGN_SALTELLI &&
         (omr_drawn_of(study->sample.type) || study->sample.type == OMR_DESIGN_SUBSET);
}

omr_status omr_statistics_frame(const omr_study *study, const omr_source *source, size_t rows,
                                omr_statistics **statistics, omr_error *error) {
  omr_statistics *s = *statistics = calloc(1, sizeof *s);
  if (!s) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  s->rows = rows;
  for (int status = 0; status < OMR_INSTANCE_STATUS_COUNT; status++) s->earliest[status] = HUGE_VAL;
  make_settings(s, study);
  make_quantities(s, source);
  if (s->memory.failed) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  s->independence = independence_of(study);
  s->spread_only = !is_drawn(study);
  const omr_status status = make_criteria(s, study, source, error);
  if (status == OMR_OK) make_cells(s, study);
  if (status != OMR_OK || !s->memory.failed) return status;
  return omr_fail(error, OMR_ERR_MEMORY, "out of memory for the statistics of %zu cells",
                  s->cells.count);
}

void omr_statistics_destroy(omr_statistics *statistics) {
  if (!statistics) return;
  for (size_t c = 0; statistics->criteria && c < statistics->criterion_count; c++)
    omr_expression_destroy(statistics->criteria[c].expression);
  omr_sensitivity_destroy(statistics->sensitivity);
  omr_outcome_destroy(statistics->outcome);
  omr_step_error_destroy(statistics->step_error);
  omr_answer_destroy(statistics->answer);
  omr_pool_free(&statistics->memory);
  free(statistics);
}

/* THE PASS */

/* The numbers of the first instances, where rows are not kept. */
static void take_failed(omr_statistics *s, int code, uint64_t number) {
  uint64_t *failed = s->failed[code];
  if (number >= failed[OMR_FAILED_NUMBERS - 1]) return;
  int at = OMR_FAILED_NUMBERS - 1;
  for (; at > 0 && failed[at - 1] > number; at--) failed[at] = failed[at - 1];
  failed[at] = number;
}

static void keep_design(omr_statistics *s, const omr_row_block *b) {
  omr_cells *c = &s->cells;
  if (c->count == 0) return;
  for (size_t cell = (b->first + c->per_cell - 1) / c->per_cell;
       cell * c->per_cell < b->first + b->count; cell++)
    for (size_t d = 0; d < c->design_count; d++)
      c->values[cell * c->design_count + d] = b->at[c->design[d]][cell * c->per_cell - b->first];
}

void omr_count_rows(omr_statistics *s, const omr_row_block *b) {
  omr_cells *cells = &s->cells;
  for (size_t i = 0; i < b->count; i++) {
    const int code = b->codes[i];
    if (code < 0 || code >= OMR_INSTANCE_STATUS_COUNT) continue;
    s->by_status[code]++;
    if (b->times[i] < s->earliest[code]) s->earliest[code] = b->times[i];
    if (s->no_rows && code != OMR_INSTANCE_OK) take_failed(s, code, b->first + i);
    if (cells->count)
      cells->by_status[(b->first + i) / cells->per_cell * OMR_INSTANCE_STATUS_COUNT +
                       (size_t)code]++;
  }
  keep_design(s, b);
}

static void add_column(omr_statistics *s, const omr_row_block *b, size_t column) {
  omr_quantity *quantity = &s->quantities[column];

  const double *values = b->at[column];
  omr_moments moments = quantity->moments; /* its neighbours belong to other threads */
  double least = quantity->least, most = quantity->most;
  if (b->first == 0) quantity->first = values[0];

  /* extremes are of all rows, moments of the ok ones */
  for (size_t i = 0; i < b->count; i++) {
    const double value = values[i];
    const bool finite = isfinite(value);
    if (finite && value < least) least = value;
    if (finite && value > most) most = value;
    if (b->codes[i] != OMR_INSTANCE_OK) continue;

    /* the same row belongs to a cell of a nested design */
    omr_moments *cell = NULL;
    if (s->cells.count)
      cell = &s->cells.moments[(b->first + i) / s->cells.per_cell * s->quantity_count + column];

    if (!finite) {
      moments.without_value++;
      if (cell) cell->without_value++;
      continue;
    }

    add_value(&moments, value);
    if (cell) add_value(cell, value);
  }

  quantity->moments = moments;
  quantity->least = least;
  quantity->most = most;
}

static bool has_values(const omr_row_block *b, size_t column) {
  const double *values = b->at[column];
  for (size_t i = 0; i < b->count; i++)
    if (!isfinite(values[i])) return false;
  return true;
}

/* Adds ALONG columns that have values in all rows: the divisions of neighbouring columns run side
 * by side, since none waits for the other. */
static void add_along(omr_statistics *s, const omr_row_block *b, size_t column) {
  omr_quantity *quantities = s->quantities + column;
  omr_moments moments[ALONG];
  double least[ALONG], most[ALONG];

  /* start from the sums of the rows before */
  for (int c = 0; c < ALONG; c++) {
    moments[c] = quantities[c].moments;
    least[c] = quantities[c].least;
    most[c] = quantities[c].most;
    if (b->first == 0) quantities[c].first = b->at[column + (size_t)c][0];
  }

  /* add the block row by row */
  for (size_t i = 0; i < b->count; i++) {
    const bool ok = b->codes[i] == OMR_INSTANCE_OK;
    for (int c = 0; c < ALONG; c++) {
      const double value = b->at[column + (size_t)c][i];
      if (value < least[c]) least[c] = value;
      if (value > most[c]) most[c] = value;
      if (ok) add_value(&moments[c], value);
    }
  }

  /* store the sums */
  for (int c = 0; c < ALONG; c++) {
    quantities[c].moments = moments[c];
    quantities[c].least = least[c];
    quantities[c].most = most[c];
  }
}

static void add_columns(omr_statistics *s, const omr_row_block *b, size_t first) {
  const size_t left = s->quantity_count - first, columns = left < ALONG ? left : ALONG;
  bool along = columns == ALONG && s->cells.count == 0;
  for (size_t c = 0; along && c < columns; c++) along = has_values(b, first + c);
  if (along) add_along(s, b, first);
  for (size_t c = 0; !along && c < columns; c++) add_column(s, b, first + c);
}

/* truth below 0: unknown. */
static void count_truth(omr_criterion_counts *counts, int truth, bool left_out) {
  if (left_out)
    counts->left_out++;
  else if (truth < 0)
    counts->unknown++;
  else if (truth)
    counts->met++;
  else
    counts->not_met++;
}

void omr_count_criterion(omr_statistics *s, const omr_row_block *b, size_t number, double *values,
                         double *truths) {
  omr_criterion *criterion = &s->criteria[number];
  const omr_expression *e = criterion->expression;
  for (size_t i = 0; i < b->count; i++) {
    const bool left_out = b->codes[i] != OMR_INSTANCE_OK && !e->status;
    for (size_t c = 0; c < e->column_count; c++) values[e->columns[c]] = b->at[e->columns[c]][i];
    values[s->quantity_count] = b->codes[i];
    const int truth = left_out ? -1 : omr_expression_truth(e, values);
    if (truths) truths[i] = truth < 0 ? (double)NAN : truth;
    count_truth(&criterion->counts, truth, left_out);
    if (s->cells.count)
      count_truth(
          &s->cells.criteria[(b->first + i) / s->cells.per_cell * s->criterion_count + number],
          truth, left_out);
  }
}

/* room: [columns][BLOCK], for rows that are not in memory. */
static omr_status read_block(omr_source *source, size_t first, omr_row_block *b, double *room,
                             omr_error *error) {
  b->first = first;
  b->count = source->rows - first < BLOCK ? source->rows - first : BLOCK;
  omr_status status = source->ops->status(source, first, b->count, b->codes, b->times, error);
  if (status == OMR_OK)
    status = omr_source_columns(source, (omr_table_block){0, source->columns, first, b->count},
                                room, BLOCK, b->at, error);
  return status;
}

/* Columns and criteria are added one by one, so that the number of threads changes nothing. rows:
 * one row of scratch for each criterion. */
static void add_block(omr_statistics *s, const omr_row_block *b, double *rows) {
  const size_t groups = (s->quantity_count + ALONG - 1) / ALONG,
               tasks = groups + s->criterion_count;
  omr_count_rows(s, b);
#pragma omp parallel for schedule(dynamic) num_threads(omr_team_usual())
  for (size_t task = 0; task < tasks; task++) {
    if (task < groups)
      add_columns(s, b, task * ALONG);
    else
      omr_count_criterion(s, b, task - groups, rows + (task - groups) * (s->quantity_count + 1),
                          NULL);
  }
}

static omr_status add_rows(omr_statistics *s, omr_source *source, omr_error *error) {
  omr_pool memory = {0};
  omr_row_block b = {.codes = omr_pool_take(&memory, BLOCK, sizeof *b.codes),
                     .times = omr_pool_take(&memory, BLOCK, sizeof *b.times),
                     .at = omr_pool_take(&memory, source->columns, sizeof *b.at)};
  double *room = omr_pool_take(&memory, source->columns * BLOCK, sizeof *room);
  double *rows = omr_pool_take(&memory, (s->quantity_count + 1) * s->criterion_count, sizeof *rows);
  omr_status status =
      memory.failed ? omr_fail(error, OMR_ERR_MEMORY, "out of memory for statistics") : OMR_OK;

  /* one pass over the rows in blocks */
  for (size_t first = 0; status == OMR_OK && first < source->rows; first += BLOCK) {
    status = read_block(source, first, &b, room, error);
    if (status == OMR_OK) add_block(s, &b, rows);
  }

  omr_pool_free(&memory);

  /* divide the sums */
  for (size_t q = 0; q < s->quantity_count; q++) finish_moments(&s->quantities[q].moments);
  for (size_t i = 0; i < s->cells.count * s->quantity_count; i++)
    finish_moments(&s->cells.moments[i]);
  return status;
}

/* Computes the sensitivity of the observables and of the criteria (1 where a criterion holds). */
static omr_status add_sensitivity(omr_statistics *s, const omr_study *study, omr_source *source,
                                  omr_error *error) {
  omr_source *with = NULL;
  omr_status status = omr_source_with_criteria(source, s, &with, error);
  if (status == OMR_OK)
    status = omr_sensitivity_of(study, with, study->statistics.bootstrap, OMR_SENSITIVITY_ROWS,
                                &s->sensitivity, error);
  omr_source_close(with);
  return status;
}

omr_status omr_statistics_compute(const omr_study *study, omr_source *source,
                                  omr_statistics **statistics, omr_error *error) {
  omr_statistics *s = NULL;
  struct omr_outcome *outcome = NULL;
  *statistics = NULL;

  const size_t rows = source->rows;
  omr_status status = study ? omr_outcome_compute(study, source, &outcome, error) : OMR_OK;

  /* only level 0 of a subset simulation is a sample; leave its later levels out */
  if (study) source->rows = omr_study_sample_rows(study, rows);

  /* first pass, second pass, sensitivity, and the answer made of them */
  if (status == OMR_OK) status = omr_statistics_frame(study, source, source->rows, &s, error);
  if (s)
    s->outcome = outcome;
  else
    omr_outcome_destroy(outcome);
  if (status == OMR_OK) status = add_rows(s, source, error);
  if (status == OMR_OK) status = omr_statistics_spread(s, source, OMR_STATISTICS_MEMORY, error);
  if (status == OMR_OK && study) status = add_sensitivity(s, study, source, error);
  if (status == OMR_OK) status = omr_answer_make(study, source, s, error);
  source->rows = rows;

  if (status == OMR_OK)
    *statistics = s;
  else
    omr_statistics_destroy(s);
  return status;
}
