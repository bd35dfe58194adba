#include "source.h"

#include <stdlib.h>
#include <string.h>

typedef struct memory_source {
  omr_source source;
  const omr_result *result;
  omr_sample_info *info;
} memory_source;

static omr_status read_memory(omr_source *source, size_t column, size_t first, size_t count,
                              double *values, omr_error *error) {
  const omr_result *result = ((memory_source *)source)->result;
  if (column >= result->column_count || first > result->instances ||
      count > result->instances - first)
    return omr_fail(error, OMR_ERR_INTERNAL, "no such rows: column %zu, rows %zu to %zu", column,
                    first, first + count);
  memcpy(values, result->columns[column].values + first, count * sizeof *values);
  return OMR_OK;
}

static omr_status status_memory(omr_source *source, size_t first, size_t count, int8_t *codes,
                                double *times, omr_error *error) {
  const omr_result *result = ((memory_source *)source)->result;
  if (first > result->instances || count > result->instances - first)
    return omr_fail(error, OMR_ERR_INTERNAL, "no such rows: %zu to %zu", first, first + count);
  if (codes) memcpy(codes, result->status + first, count * sizeof *codes);
  if (times) memcpy(times, result->status_time + first, count * sizeof *times);
  return OMR_OK;
}

static void close_memory(omr_source *source) {
  free(((memory_source *)source)->info);
  free(source);
}

static const double *at_memory(const omr_source *source, size_t column, size_t first,
                               size_t count) {
  const omr_result *result = ((const memory_source *)source)->result;
  const bool there = column < result->column_count && first <= result->instances &&
                     count <= result->instances - first;
  return there ? result->columns[column].values + first : NULL;
}

static const omr_source_ops memory_ops = {read_memory, status_memory, close_memory, NULL,
                                          at_memory};

omr_status omr_source_of_result(const omr_result *result, omr_source **source, omr_error *error) {
  memory_source *memory = calloc(1, sizeof *memory);
  omr_sample_info *info = omr_result_infos(result);
  *source = NULL;
  if (!memory || !info) {
    free(memory);
    free(info);
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  }
  *memory = (memory_source){
      {&memory_ops, result->instances, result->column_count, result->parameter_count, info, NULL},
      result,
      info};
  *source = &memory->source;
  return OMR_OK;
}

omr_status omr_source_read_columns(omr_source *source, size_t column, size_t columns, size_t first,
                                   size_t count, double *values, size_t stride, omr_error *error) {
  if (source->ops->read_columns)
    return source->ops->read_columns(source, column, columns, first, count, values, stride, error);
  omr_status status = OMR_OK;
  for (size_t c = 0; status == OMR_OK && c < columns; c++)
    status = source->ops->read(source, column + c, first, count, values + c * stride, error);
  return status;
}

omr_status omr_source_columns(omr_source *source, omr_table_block block, double *room,
                              size_t stride, const double **at, omr_error *error) {
  const size_t column = block.column, columns = block.columns;
  omr_status status = OMR_OK;
  for (size_t c = 0; c < columns; c++)
    at[c] = source->ops->at ? source->ops->at(source, column + c, block.first, block.count) : NULL;
  for (size_t c = 0, end; status == OMR_OK && c < columns; c = end) {
    for (end = c + 1; !at[c] && end < columns && !at[end];) end++;
    if (at[c]) continue;
    status = omr_source_read_columns(source, column + c, end - c, block.first, block.count,
                                     room + c * stride, stride, error);
    for (size_t read = c; read < end; read++) at[read] = room + read * stride;
  }
  return status;
}

void omr_source_close(omr_source *source) {
  if (source) source->ops->close(source);
}
