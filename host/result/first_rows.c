#include "first_rows.h"

#include "../support/team.h"

#include <stdlib.h>
#include <string.h>

size_t omr_result_row_bytes(const omr_result *result) {
  return result->instances * (sizeof(double) * (result->column_count + 3) +
                              2); /* number, time and steps; status and retries */
}

size_t omr_result_series_bytes(const omr_result *result) {
  size_t values = 0;
  for (size_t i = 0; result->traced_count && i < omr_result_series_count(result); i++) {
    const omr_series series = omr_result_series(result, i);
    if (*series.values) values += omr_result_series_size(result, series);
  }
  return values * result->traced_count * sizeof(double);
}

static void drop_series(omr_result *result) {
  for (size_t i = 0; i < omr_result_series_count(result); i++) {
    double **values = (double **)(uintptr_t)omr_result_series(result, i).values;
    free(*values);
    *values = NULL;
  }
}

static bool grow(omr_held *held) {
  omr_result **parts = realloc(held->parts, (held->count + 1) * sizeof *parts);
  if (parts) held->parts = parts;
  size_t *ends = realloc(held->ends, (held->count + 1) * sizeof *ends);
  if (ends) held->ends = ends;
  return parts && ends;
}

void omr_held_add(omr_held *held, omr_result *result) {
  const size_t bytes = omr_result_row_bytes(result);
  held->full = held->full || held->bytes + bytes > OMR_HELD_BYTES || !grow(held);
  if (held->full) {
    omr_result_destroy(result);
    return;
  }
  drop_series(result);
  held->rows += result->instances;
  held->bytes += bytes;
  held->parts[held->count] = result;
  held->ends[held->count++] = held->rows;
}

void omr_held_free(omr_held *held) {
  for (size_t i = 0; i < held->count; i++) omr_result_destroy(held->parts[i]);
  free(held->parts);
  free(held->ends);
  *held = (omr_held){0};
}

typedef struct held_source {
  omr_source source;
  const omr_held *held;
  omr_source *rest;
} held_source;

/* The part that has a held row; the part's first row in *first. */
static const omr_result *find(const omr_held *held, size_t row, size_t *first) {
  const size_t part = omr_numbers_before(held->ends, held->count, sizeof *held->ends, row + 1);
  *first = row - (held->ends[part] - held->parts[part]->instances);
  return held->parts[part];
}

/* Number of rows from `first` on that are held. */
static size_t held_rows(const held_source *s, size_t first, size_t count) {
  const size_t left = first < s->held->rows ? s->held->rows - first : 0;
  return count < left ? count : left;
}

static void copy_values(const omr_held *held, size_t column, size_t first, size_t count,
                        double *values) {
  for (size_t done = 0; done < count;) {
    size_t row;
    const omr_result *part = find(held, first + done, &row);
    const size_t left = part->instances - row, here = count - done < left ? count - done : left;
    memcpy(values + done, part->columns[column].values + row, here * sizeof *values);
    done += here;
  }
}

static omr_status read_columns(omr_source *source, size_t column, size_t columns, size_t first,
                               size_t count, double *values, size_t stride, omr_error *error) {
  const held_source *s = (const held_source *)source;
  const size_t held = held_rows(s, first, count);
  if (columns > source->columns || column > source->columns - columns || first > source->rows ||
      count > source->rows - first)
    return omr_fail(error, OMR_ERR_INTERNAL, "no such rows: column %zu, rows %zu to %zu", column,
                    first, first + count);
#pragma omp parallel for schedule(static)                                                          \
    num_threads(omr_team_usual()) if (held * columns >= OMR_MANY)
  for (size_t c = 0; c < columns; c++)
    copy_values(s->held, column + c, first, held, values + c * stride);
  if (held == count) return OMR_OK;
  return omr_source_read_columns(s->rest, column, columns, first + held, count - held,
                                 values + held, stride, error);
}

static omr_status read_column(omr_source *source, size_t column, size_t first, size_t count,
                              double *values, omr_error *error) {
  return read_columns(source, column, 1, first, count, values, count, error);
}

static omr_status read_status(omr_source *source, size_t first, size_t count, int8_t *codes,
                              double *times, omr_error *error) {
  const held_source *s = (const held_source *)source;
  const size_t held = held_rows(s, first, count);
  for (size_t done = 0; done < held;) {
    size_t row;
    const omr_result *part = find(s->held, first + done, &row);
    const size_t left = part->instances - row, here = held - done < left ? held - done : left;
    if (codes) memcpy(codes + done, part->status + row, here * sizeof *codes);
    if (times) memcpy(times + done, part->status_time + row, here * sizeof *times);
    done += here;
  }
  if (held == count) return OMR_OK;
  return s->rest->ops->status(s->rest, first + held, count - held, codes ? codes + held : NULL,
                              times ? times + held : NULL, error);
}

static const double *at(const omr_source *source, size_t column, size_t first, size_t count) {
  const held_source *s = (const held_source *)source;
  size_t row;
  if (column >= source->columns || first >= s->held->rows) return NULL;
  const omr_result *part = find(s->held, first, &row);
  return count <= part->instances - row ? part->columns[column].values + row : NULL;
}

static void close_held(omr_source *source) {
  omr_source_close(((held_source *)source)->rest);
  free(source);
}

static const omr_source_ops ops = {read_column, read_status, close_held, read_columns, at};

omr_status omr_source_of_held(const omr_held *held, omr_source *rest, omr_source **source,
                              omr_error *error) {
  *source = rest;
  if (held->count == 0) return OMR_OK;
  held_source *s = calloc(1, sizeof *s);
  *source = &s->source;
  if (!s) {
    omr_source_close(rest);
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  }
  *s = (held_source){
      {&ops, rest->rows, rest->columns, rest->parameters, rest->info, NULL}, held, rest};
  return OMR_OK;
}
