/* The group /instances: a dataset per column, and how each instance ended. */
#include "hdf5_file.h"

#include <stdlib.h>

enum { OTHERS = 2 }; /* 8-byte values of a row that are not columns: number and time of the end */

static hid_t make_status(omr_hdf5 *h5, hid_t group, const omr_hdf5_scale *instance,
                         const int8_t *codes) {
  hid_t dataset = omr_hdf5_variable(h5, group, omr_kept_info(OMR_KEPT_STATUS), H5T_NATIVE_INT8, 1,
                                    instance, codes);
  size_t count;
  const int8_t *values = omr_status_codes(&count);
  omr_hdf5_bytes(h5, dataset, "flag_values", values, count);
  omr_hdf5_text(h5, dataset, "flag_meanings", omr_status_words());
  return dataset;
}

void omr_hdf5_status(omr_hdf5 *h5, hid_t group, const omr_hdf5_scale *instance, const int8_t *codes,
                     const double *times) {
  hid_t dataset = make_status(h5, group, instance, codes);
  if (dataset >= 0) H5Dclose(dataset);
  dataset = omr_hdf5_variable(h5, group, omr_kept_info(OMR_KEPT_STATUS_TIME), H5T_NATIVE_DOUBLE, 1,
                              instance, times);
  if (dataset >= 0) H5Dclose(dataset);
}

static hid_t make_column(omr_hdf5 *h5, hid_t group, const omr_hdf5_scale *instance,
                         const omr_column *column, bool parameter) {
  const omr_hdf5_name name = {column->name, column->unit, column->meaning};
  hid_t dataset = omr_hdf5_variable(h5, group, name, H5T_NATIVE_DOUBLE, 1, instance, NULL);
  omr_hdf5_text(h5, dataset, "role", parameter ? "parameter" : "observable");
  return dataset;
}

static void open_rows(omr_hdf5 *h5, omr_hdf5_rows *rows, const omr_result *like, size_t count) {
  *rows = (omr_hdf5_rows)OMR_HDF5_NO_ROWS;

  rows->columns = calloc(like->column_count + 1, sizeof *rows->columns);
  if (!rows->columns) omr_hdf5_refuse(h5, "create group instances", "out of memory");
  if (h5->failed) return;

  /* instances are the dimension of all columns */
  rows->group = omr_hdf5_group(h5, "instances");
  const omr_hdf5_scale instance = omr_hdf5_scale_make(
      h5, rows->group, omr_kept_info(OMR_KEPT_INSTANCE), H5T_NATIVE_UINT64, count, NULL);
  rows->instance = instance.id;

  for (size_t c = 0; c < like->column_count && !h5->failed; c++)
    rows->columns[rows->column_count++] =
        make_column(h5, rows->group, &instance, &like->columns[c], c < like->parameter_count);

  /* a design that was not run has no status */
  if (like->design_only || h5->failed) return;
  rows->status = make_status(h5, rows->group, &instance, NULL);
  rows->status_time = omr_hdf5_variable(h5, rows->group, omr_kept_info(OMR_KEPT_STATUS_TIME),
                                        H5T_NATIVE_DOUBLE, 1, &instance, NULL);

  if (like->retries)
    rows->retries = omr_hdf5_variable(h5, rows->group, omr_kept_info(OMR_KEPT_RETRIES),
                                      H5T_NATIVE_INT8, 1, &instance, NULL);

  /* all 8-byte values are packed together, chunk by chunk */
  hid_t *datasets = malloc((rows->column_count + OTHERS) * sizeof *datasets);
  if (!datasets) return omr_hdf5_refuse(h5, "create group instances", "out of memory");
  for (size_t c = 0; c < rows->column_count; c++) datasets[OTHERS + c] = rows->columns[c];
  datasets[0] = rows->instance;
  datasets[1] = rows->status_time;

  omr_hdf5_chunks_open(h5, &rows->chunks, datasets, rows->column_count + OTHERS);
  free(datasets);
}

void omr_hdf5_rows_open(omr_hdf5 *h5, omr_hdf5_rows *rows, const omr_result *like, size_t count) {
  h5->over = OMR_OVER_ROWS;
  open_rows(h5, rows, like, count);
  h5->over = OMR_OVER_NOTHING;
  rows->files = h5->files;
}

/* Puts the 8-byte values of the rows into the chunks. */
static void put_chunks(omr_hdf5 *h5, omr_hdf5_rows *rows, const omr_result *part,
                       const uint64_t *numbers) {
  const void **columns = malloc((rows->column_count + OTHERS) * sizeof *columns);
  if (!columns) return omr_hdf5_refuse(h5, "write group instances", "out of memory");
  columns[0] = numbers;
  columns[1] = part->status_time;
  for (size_t c = 0; c < rows->column_count; c++) columns[OTHERS + c] = part->columns[c].values;
  omr_hdf5_chunks_put(h5, &rows->chunks, columns, part->instances);
  free(columns);
}

static void put_columns(omr_hdf5 *h5, omr_hdf5_rows *rows, const omr_result *part, size_t first,
                        const uint64_t *numbers) {
  const size_t count = part->instances;
  if (rows->chunks.rows) return put_chunks(h5, rows, part, numbers);
  omr_hdf5_put(h5, rows->instance, "instance", H5T_NATIVE_UINT64, first, count, numbers);
  for (size_t c = 0; c < rows->column_count; c++)
    omr_hdf5_put(h5, rows->columns[c], part->columns[c].name, H5T_NATIVE_DOUBLE, first, count,
                 part->columns[c].values);
  if (rows->status_time >= 0)
    omr_hdf5_put(h5, rows->status_time, "status_time", H5T_NATIVE_DOUBLE, first, count,
                 part->status_time);
}

static void put_rows(omr_hdf5 *h5, omr_hdf5_rows *rows, const omr_result *part, size_t first) {
  const size_t count = part->instances;
  uint64_t *numbers = part->numbers;
  if (!numbers) {
    numbers = malloc((count + 1) * sizeof *numbers);
    if (!numbers) return omr_hdf5_refuse(h5, "write dataset instance", "out of memory");
    for (size_t k = 0; k < count; k++) numbers[k] = first + k;
  }
  put_columns(h5, rows, part, first, numbers);
  if (!part->numbers) free(numbers);
  if (rows->status < 0) return;
  omr_hdf5_put(h5, rows->status, "status", H5T_NATIVE_INT8, first, count, part->status);
  if (rows->retries >= 0 && part->retries)
    omr_hdf5_put(h5, rows->retries, "retries", H5T_NATIVE_INT8, first, count, part->retries);
}

void omr_hdf5_rows_put(omr_hdf5 *h5, omr_hdf5_rows *rows, const omr_result *part, size_t first) {
  h5->over = OMR_OVER_ROWS;
  put_rows(h5, rows, part, first);
  h5->over = OMR_OVER_NOTHING;
}

void omr_hdf5_rows_show(omr_hdf5 *h5, omr_hdf5_rows *rows) {
  if (rows->chunks.rows) omr_hdf5_chunks_show(h5, &rows->chunks);
}

void omr_hdf5_rows_end(omr_hdf5 *h5, omr_hdf5_rows *rows) {
  if (rows->chunks.rows) omr_hdf5_chunks_end(h5, &rows->chunks);
}

void omr_hdf5_rows_close(omr_hdf5_rows *rows) {
  omr_hdf5_chunks_close(&rows->chunks);
  const hid_t datasets[] = {rows->instance, rows->status, rows->status_time, rows->retries};
  for (size_t i = 0; i < sizeof datasets / sizeof *datasets; i++)
    if (datasets[i] >= 0) H5Dclose(datasets[i]);
  for (size_t c = 0; c < rows->column_count; c++)
    if (rows->columns[c] >= 0) H5Dclose(rows->columns[c]);
  if (rows->group >= 0) H5Gclose(rows->group);
  free(rows->columns);
  *rows = (omr_hdf5_rows)OMR_HDF5_NO_ROWS;
}
