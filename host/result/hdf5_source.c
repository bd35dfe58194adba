/* Rows of an open file as a source. It unpacks whole chunks itself, several columns at a time. */
#include "../support/pool.h"
#include "hdf5_read.h"
#include "hdf5_sums.h"

#include <stdlib.h>
#include <string.h>

typedef struct rows_source {
  omr_source source;
  omr_pool memory;
  char *path;
  omr_hdf5_rows rows; /* the datasets are the owner's */
  omr_sample_info *info;
  omr_source_owner owner;
  void *room; /* buffer for unpacking; NULL until needed */
  omr_watch watch;
} rows_source;

static omr_status check_rows(const omr_source *source, size_t column, size_t first, size_t count,
                             omr_error *error) {
  if (column < source->columns && first <= source->rows && count <= source->rows - first)
    return OMR_OK;
  return omr_fail(error, OMR_ERR_INTERNAL, "no such rows: column %zu, rows %zu to %zu", column,
                  first, first + count);
}

static omr_status read_rows(omr_source *source, size_t column, size_t first, size_t count,
                            double *values, omr_error *error) {
  rows_source *from = (rows_source *)source;
  omr_status status = check_rows(source, column, first, count, error);
  if (status != OMR_OK) return status;
  return omr_watch_read(&from->watch, from->rows.columns[column], from->info[column].name,
                        H5T_NATIVE_DOUBLE, first, count, values, error);
}

static omr_status read_status(omr_source *source, size_t first, size_t count, int8_t *codes,
                              double *times, omr_error *error) {
  rows_source *from = (rows_source *)source;

  omr_status status =
      first <= source->rows && count <= source->rows - first
          ? OMR_OK
          : omr_fail(error, OMR_ERR_INTERNAL, "no such rows: %zu to %zu", first, first + count);

  /* a table that was not run has no status */
  if (status == OMR_OK && from->rows.status < 0)
    status = omr_fail(error, OMR_ERR_USAGE,
                      "%s: is a table of values that was not run; there is no status", from->path);
  if (status != OMR_OK) return status;

  if (codes)
    status = omr_watch_read(&from->watch, from->rows.status, "status", H5T_NATIVE_INT8, first,
                            count, codes, error);
  if (times && status == OMR_OK)
    status = omr_watch_read(&from->watch, from->rows.status_time, "status_time", H5T_NATIVE_DOUBLE,
                            first, count, times, error);
  return status;
}

static void close_rows(omr_source *source) {
  rows_source *from = (rows_source *)source;
  if (from->owner.self) from->owner.close(from->owner.self);
  free(from->room);
  omr_watch_free(&from->watch);
  omr_pool_free(&from->memory);
  free(from);
}

/* Unpacks no more columns than go at a time, from chunks of `rows` rows. */
static void unpack_columns(const rows_source *from, omr_table_block block, omr_chunk_form form,
                           double *values, size_t stride, bool *done) {
  const omr_hdf5_report report = omr_hdf5_quiet();
  omr_hdf5_chunks_get(from->rows.columns, block, form, from->room, values, stride, done);
  omr_hdf5_restore(report);
}

/* The form of the chunks if the rows are one whole chunk (or the last one, which may be shorter)
 * and all columns have such chunks; else of 0 rows. */
static omr_chunk_form whole_chunks(const rows_source *from, size_t column, size_t columns,
                                   size_t first, size_t count) {
  const omr_chunk_form none = {0, false};
  omr_chunk_form form = none;
  size_t length;
  if (from->rows.files) return none;
  if (columns) form.rows = omr_hdf5_chunk_rows(from->rows.columns[column], &length, &form.summed);
  if (form.rows == 0 || first % form.rows || count > form.rows ||
      (count < form.rows && first + count != from->source.rows))
    return none;
  for (size_t c = 1; c < columns; c++) {
    bool summed;
    if (omr_hdf5_chunk_rows(from->rows.columns[column + c], &length, &summed) != form.rows ||
        summed != form.summed)
      return none;
  }
  return H5Tequal(H5T_NATIVE_DOUBLE, H5T_IEEE_F64LE) > 0 ? form : none;
}

/* Checks the checksum of a column that was unpacked here. */
static omr_status watch_column(rows_source *from, size_t column, size_t first, size_t count,
                               const double *values, omr_error *error) {
  omr_status status = OMR_OK;
  const omr_hdf5_report report = omr_hdf5_quiet();
  if (!omr_watch_rows(&from->watch, from->rows.columns[column], H5T_NATIVE_DOUBLE, first, count,
                      values))
    status = omr_hdf5_unreadable(from->path, from->info[column].name, first, count, error);
  omr_hdf5_restore(report);
  return status;
}

/* Reads columns; HDF5 reads the ones that cannot be unpacked here and gives the reason. */
static omr_status read_columns(omr_source *source, size_t column, size_t columns, size_t first,
                               size_t count, double *values, size_t stride, omr_error *error) {
  rows_source *from = (rows_source *)source;

  omr_status status =
      columns ? check_rows(source, column + columns - 1, first, count, error) : OMR_OK;
  if (status != OMR_OK) return status;

  /* unpack whole chunks of several columns on several threads */
  const omr_chunk_form form = whole_chunks(from, column, columns, first, count);
  const size_t most = omr_hdf5_chunks_at_once();
  if (form.rows && !from->room) from->room = malloc(omr_hdf5_chunks_room(form.rows));
  bool *done = calloc(most, sizeof *done);

  for (size_t c = 0; done && status == OMR_OK && c < columns; c += most) {
    const size_t here = columns - c < most ? columns - c : most;
    double *to = values + c * stride;
    if (form.rows && from->room)
      unpack_columns(from, (omr_table_block){column + c, here, first, count}, form, to, stride,
                     done);

    /* leave the others to HDF5 */
    for (size_t i = 0; status == OMR_OK && i < here; i++)
      status = done[i] ? watch_column(from, column + c + i, first, count, to + i * stride, error)
                       : read_rows(source, column + c + i, first, count, to + i * stride, error);
  }

  if (!done) status = omr_fail(error, OMR_ERR_MEMORY, "%s: out of memory", from->path);
  free(done);
  return status;
}

static const omr_source_ops rows_ops = {read_rows, read_status, close_rows, read_columns, NULL};

omr_status omr_source_of_rows(const char *path, const omr_hdf5_rows *rows,
                              const omr_sample_info *info, size_t parameters, size_t count,
                              const omr_source_owner *owner, omr_source **source,
                              omr_error *error) {
  rows_source *made = calloc(1, sizeof *made);
  *source = NULL;
  if (!made) return omr_fail(error, OMR_ERR_MEMORY, "%s: out of memory", path);

  /* names and units outlive the caller's */
  made->info = omr_pool_take(&made->memory, rows->column_count, sizeof *made->info);
  made->path = omr_pool_text(&made->memory, path);
  if (made->memory.failed) {
    omr_pool_free(&made->memory);
    free(made);
    return omr_fail(error, OMR_ERR_MEMORY, "%s: out of memory", path);
  }
  memcpy(made->info, info, rows->column_count * sizeof *info);
  made->source = (omr_source){&rows_ops, count, rows->column_count, parameters, made->info, NULL};
  made->rows = *rows;
  if (owner) made->owner = *owner;
  made->watch = (omr_watch){.path = made->path, .files = rows->files};
  *source = &made->source;
  return OMR_OK;
}
