#include "criteria_source.h"

#include "../study/statistics_settings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct criteria_source {
  omr_source source;
  omr_pool memory;
  omr_source *base;
  const omr_statistics *statistics;
  omr_sample_info *info;
  char (*names)[80];
  bool *every;
} criteria_source;

static omr_status fail_memory(omr_error *error) {
  return omr_fail(error, OMR_ERR_MEMORY, "out of memory for criteria");
}

/* Evaluates a criterion row by row. column: [column_count][count], status: [count], row: one value
 * per column of the base, then the status. */
static void evaluate(const omr_expression *e, size_t status_column, size_t count,
                     const double *column, const int8_t *status, double *row, double *values) {
  for (size_t k = 0; k < count; k++) {
    for (size_t c = 0; c < e->column_count; c++) row[e->columns[c]] = column[c * count + k];
    row[status_column] = status[k];
    const int truth = omr_expression_truth(e, row);
    values[k] = truth < 0 ? (double)NAN : truth;
  }
}

static omr_status read_criterion(criteria_source *s, const omr_expression *e, size_t first,
                                 size_t count, double *values, omr_error *error) {
  omr_pool memory = {0};
  double *column = omr_pool_take(&memory, e->column_count * count, sizeof *column);
  double *row = omr_pool_take(&memory, s->base->columns + 1, sizeof *row);
  int8_t *status = omr_pool_take(&memory, count, sizeof *status);
  omr_status done = memory.failed ? fail_memory(error) : OMR_OK;
  if (done == OMR_OK) done = s->base->ops->status(s->base, first, count, status, NULL, error);
  for (size_t c = 0; done == OMR_OK && c < e->column_count; c++)
    done = s->base->ops->read(s->base, e->columns[c], first, count, column + c * count, error);
  if (done == OMR_OK) evaluate(e, s->base->columns, count, column, status, row, values);
  omr_pool_free(&memory);
  return done;
}

static omr_status read_column(omr_source *source, size_t column, size_t first, size_t count,
                              double *values, omr_error *error) {
  criteria_source *s = (criteria_source *)source;
  if (column < s->base->columns)
    return s->base->ops->read(s->base, column, first, count, values, error);
  return read_criterion(s, s->statistics->criteria[column - s->base->columns].expression, first,
                        count, values, error);
}

static omr_status read_status(omr_source *source, size_t first, size_t count, int8_t *codes,
                              double *times, omr_error *error) {
  criteria_source *s = (criteria_source *)source;
  return s->base->ops->status(s->base, first, count, codes, times, error);
}

static void close_source(omr_source *source) {
  criteria_source *s = (criteria_source *)source;
  omr_pool_free(&s->memory);
  free(s);
}

static omr_status read_columns(omr_source *source, size_t column, size_t columns, size_t first,
                               size_t count, double *values, size_t stride, omr_error *error) {
  criteria_source *s = (criteria_source *)source;
  const size_t there = column < s->base->columns ? s->base->columns - column : 0,
               of_base = columns < there ? columns : there;
  omr_status status = of_base ? omr_source_read_columns(s->base, column, of_base, first, count,
                                                        values, stride, error)
                              : OMR_OK;
  for (size_t c = of_base; status == OMR_OK && c < columns; c++)
    status = read_column(source, column + c, first, count, values + c * stride, error);
  return status;
}

static const double *at(const omr_source *source, size_t column, size_t first, size_t count) {
  const criteria_source *s = (const criteria_source *)source;
  const omr_source *base = s->base;
  return column < base->columns && base->ops->at ? base->ops->at(base, column, first, count) : NULL;
}

static const omr_source_ops ops = {read_column, read_status, close_source, read_columns, at};

static void name_columns(criteria_source *s) {
  const size_t columns = s->base->columns;
  memcpy(s->info, s->base->info, columns * sizeof *s->info);
  for (size_t c = 0; c < s->statistics->criterion_count; c++) {
    const omr_criterion *criterion = &s->statistics->criteria[c];
    const bool named = strcmp(criterion->name, OMR_CRITERION_NAME) != 0;
    snprintf(s->names[c], sizeof *s->names, "%s%s%s", OMR_CRITERION_NAME, named ? "." : "",
             named ? criterion->name : "");
    s->every[columns + c] = criterion->expression->status;
    s->info[columns + c] = (omr_sample_info){s->names[c], "1", criterion->text};
  }
}

omr_status omr_source_with_criteria(omr_source *source, const omr_statistics *statistics,
                                    omr_source **with, omr_error *error) {
  const size_t columns = source->columns + statistics->criterion_count;
  criteria_source *s = calloc(1, sizeof *s);
  *with = NULL;
  if (!s) return fail_memory(error);
  s->info = omr_pool_take(&s->memory, columns, sizeof *s->info);
  s->names = omr_pool_take(&s->memory, statistics->criterion_count, sizeof *s->names);
  s->every = omr_pool_take(&s->memory, columns, sizeof *s->every);
  if (s->memory.failed) {
    close_source(&s->source);
    return fail_memory(error);
  }
  s->source = (omr_source){&ops, source->rows, columns, source->parameters, s->info, s->every};
  s->base = source;
  s->statistics = statistics;
  name_columns(s);
  *with = &s->source;
  return OMR_OK;
}
