#include "hdf5_read.h"

#include <stdlib.h>
#include <string.h>

static herr_t innermost(unsigned level, const H5E_error2_t *entry, void *user) {
  omr_hdf5_cause *cause = user;
  if (level == 0 && entry->desc) snprintf(cause->text, sizeof cause->text, "%s", entry->desc);
  return 0;
}

omr_hdf5_cause omr_hdf5_last_cause(void) {
  omr_hdf5_cause cause = {"HDF5 gave no reason"};
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, innermost, &cause);
  return cause;
}

bool omr_hdf5_get(hid_t dataset, hid_t type, size_t first, size_t count, void *values) {
  hsize_t start[OMR_HDF5_RANK] = {first}, lengths[OMR_HDF5_RANK] = {0};
  if (count == 0) return true;
  hid_t space = H5Dget_space(dataset);
  const int rank = H5Sget_simple_extent_ndims(space);
  bool done =
      rank > 0 && rank <= OMR_HDF5_RANK && H5Sget_simple_extent_dims(space, lengths, NULL) >= 0;
  lengths[0] = count;
  hid_t memory = done ? H5Screate_simple(rank, lengths, NULL) : -1;
  done = done && H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, lengths, NULL) >= 0;
  /* the last call that can fail, so that its reason is the one that is kept */
  done = done && H5Dread(dataset, type, memory, space, H5P_DEFAULT, values) >= 0;
  const omr_hdf5_cause cause = done ? (omr_hdf5_cause){""} : omr_hdf5_last_cause();
  if (memory >= 0) H5Sclose(memory);
  if (space >= 0) H5Sclose(space);
  if (!done)
    H5Epush2(H5E_DEFAULT, __FILE__, __func__, __LINE__, H5E_ERR_CLS, H5E_DATASET, H5E_READERROR,
             "%s", cause.text);
  return done;
}

omr_status omr_hdf5_unreadable(const char *path, const char *dataset, size_t first, size_t count,
                               omr_error *error) {
  return omr_fail_file(
      error, OMR_ERR_IO, path,
      "%s: cannot read rows %zu to %zu of the dataset %s: %s. The file is damaged; write it anew.",
      path, first, first + (count ? count - 1 : 0), dataset, omr_hdf5_last_cause().text);
}

static char *variable_text(hid_t attribute, hid_t type) {
  char *read = NULL, *text = NULL;
  const hid_t memory = H5Tcopy(H5T_C_S1);
  H5Tset_size(memory, H5T_VARIABLE);
  H5Tset_cset(memory, H5Tget_cset(type));
  if (H5Aread(attribute, memory, &read) >= 0 && read) text = strdup(read);
  if (read) H5free_memory(read);
  H5Tclose(memory);
  return text;
}

char *omr_hdf5_get_text(hid_t object, const char *name) {
  if (H5Aexists(object, name) <= 0) return NULL;
  char *text = NULL;
  const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT), type = H5Aget_type(attribute),
              space = H5Aget_space(attribute);
  const bool one = H5Tget_class(type) == H5T_STRING && H5Sget_simple_extent_npoints(space) == 1;
  if (one && H5Tis_variable_str(type) > 0) {
    text = variable_text(attribute, type);
  } else if (one) {
    text = calloc(H5Tget_size(type) + 1, 1);
    if (text && H5Aread(attribute, type, text) < 0) text[0] = 0;
  }
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  if (attribute >= 0) H5Aclose(attribute);
  return text;
}

double omr_hdf5_get_number(hid_t object, const char *name, double missing) {
  double value = missing;
  if (H5Aexists(object, name) <= 0) return missing;
  const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT), space = H5Aget_space(attribute);
  if (H5Sget_simple_extent_npoints(space) != 1 || H5Aread(attribute, H5T_NATIVE_DOUBLE, &value) < 0)
    value = missing;
  if (space >= 0) H5Sclose(space);
  if (attribute >= 0) H5Aclose(attribute);
  return value;
}

int omr_hdf5_lengths(hid_t dataset, hsize_t lengths[OMR_HDF5_RANK]) {
  const hid_t space = H5Dget_space(dataset), type = H5Dget_type(dataset);
  const H5T_class_t class = H5Tget_class(type);
  int rank = H5Sget_simple_extent_ndims(space);
  const bool numbers = class == H5T_FLOAT || class == H5T_INTEGER;
  if (!numbers || rank < 1 || rank > OMR_HDF5_RANK ||
      H5Sget_simple_extent_dims(space, lengths, NULL) < 0)
    rank = -1;
  if (type >= 0) H5Tclose(type);
  if (space >= 0) H5Sclose(space);
  return rank;
}

typedef struct rows_source {
  omr_source source;
  char *path;
  omr_hdf5_rows rows; /* the datasets are the owner's */
  omr_sample_info *info;
  void *owner;
  void (*close_owner)(void *owner);
  void *room; /* where chunks are unpacked; NULL until needed */
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
  const omr_hdf5_report report = omr_hdf5_quiet();
  if (!omr_hdf5_get(from->rows.columns[column], H5T_NATIVE_DOUBLE, first, count, values))
    status = omr_hdf5_unreadable(from->path, from->info[column].name, first, count, error);
  omr_hdf5_restore(report);
  return status;
}

static omr_status read_status(omr_source *source, size_t first, size_t count, int8_t *codes,
                              double *times, omr_error *error) {
  rows_source *from = (rows_source *)source;
  omr_status status =
      first <= source->rows && count <= source->rows - first
          ? OMR_OK
          : omr_fail(error, OMR_ERR_INTERNAL, "no such rows: %zu to %zu", first, first + count);
  if (status == OMR_OK && from->rows.status < 0)
    status = omr_fail(error, OMR_ERR_USAGE,
                      "%s: is a table of values that was not run; there is no status", from->path);
  if (status != OMR_OK) return status;
  const omr_hdf5_report report = omr_hdf5_quiet();
  if (codes && !omr_hdf5_get(from->rows.status, H5T_NATIVE_INT8, first, count, codes))
    status = omr_hdf5_unreadable(from->path, "status", first, count, error);
  else if (times && !omr_hdf5_get(from->rows.status_time, H5T_NATIVE_DOUBLE, first, count, times))
    status = omr_hdf5_unreadable(from->path, "status_time", first, count, error);
  omr_hdf5_restore(report);
  return status;
}

static void close_rows(omr_source *source) {
  rows_source *from = (rows_source *)source;
  if (from->owner) from->close_owner(from->owner);
  free(from->path);
  free(from->room);
  free(from->info);
  free(from);
}

/* No more columns than are unpacked at a time, from chunks of `rows` rows. */
static void unpack_columns(const rows_source *from, omr_table_block block, size_t rows,
                           double *values, size_t stride, bool *done) {
  const omr_hdf5_report report = omr_hdf5_quiet();
  omr_hdf5_chunks_get(from->rows.columns, block, rows, from->room, values, stride, done);
  omr_hdf5_restore(report);
}

/* Rows per chunk where whole chunks are wanted (or the last one, which may be shorter) and all
 * columns have such; else 0. */
static size_t whole_chunks(const rows_source *from, size_t column, size_t columns, size_t first,
                           size_t count) {
  size_t length, rows = columns ? omr_hdf5_chunk_rows(from->rows.columns[column], &length) : 0;
  if (rows == 0 || first % rows || count > rows ||
      (count < rows && first + count != from->source.rows))
    return 0;
  for (size_t c = 1; c < columns; c++)
    if (omr_hdf5_chunk_rows(from->rows.columns[column + c], &length) != rows) return 0;
  return H5Tequal(H5T_NATIVE_DOUBLE, H5T_IEEE_F64LE) > 0 ? rows : 0;
}

/* What cannot be unpacked is left to HDF5, which tells why. */
static omr_status read_columns(omr_source *source, size_t column, size_t columns, size_t first,
                               size_t count, double *values, size_t stride, omr_error *error) {
  rows_source *from = (rows_source *)source;
  omr_status status =
      columns ? check_rows(source, column + columns - 1, first, count, error) : OMR_OK;
  if (status != OMR_OK) return status;
  const size_t rows = whole_chunks(from, column, columns, first, count),
               most = omr_hdf5_chunks_at_once();
  if (rows && !from->room) from->room = malloc(omr_hdf5_chunks_room(rows));
  bool *done = calloc(most, sizeof *done);
  for (size_t c = 0; done && status == OMR_OK && c < columns; c += most) {
    const size_t here = columns - c < most ? columns - c : most;
    double *to = values + c * stride;
    if (rows && from->room)
      unpack_columns(from, (omr_table_block){column + c, here, first, count}, rows, to, stride,
                     done);
    for (size_t i = 0; status == OMR_OK && i < here; i++)
      if (!done[i])
        status = read_rows(source, column + c + i, first, count, to + i * stride, error);
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
  omr_sample_info *copy = calloc(rows->column_count + 1, sizeof *copy);
  char *name = strdup(path);
  *source = NULL;
  if (!made || !copy || !name) {
    free(made);
    free(copy);
    free(name);
    return omr_fail(error, OMR_ERR_MEMORY, "%s: out of memory", path);
  }
  for (size_t c = 0; c < rows->column_count; c++) copy[c] = info[c];
  *made = (rows_source){{&rows_ops, count, rows->column_count, parameters, copy, NULL},
                        name,
                        *rows,
                        copy,
                        owner ? owner->self : NULL,
                        owner ? owner->close : NULL,
                        NULL};
  *source = &made->source;
  return OMR_OK;
}
