/* Reads rows of an open result file, in blocks or all of them. */
#include "reader_file.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES ((size_t)32 << 20)

size_t omr_result_file_rows(const omr_result_file *f) {
  return f->row_count;
}

size_t omr_result_file_traced(const omr_result_file *f) {
  return f->traced;
}

void omr_result_file_end_traces(omr_result_file *f, size_t count) {
  if (count < f->traced) f->traced = count;
}

const omr_result *omr_result_file_head(const omr_result_file *f) {
  return f->head;
}

size_t omr_result_file_block(const omr_result_file *f) {
  size_t values = f->rows.column_count + 3;
  for (size_t i = 0; f->traced && i < omr_result_series_count(f->head); i++)
    if (f->series[i] >= 0) values += omr_result_series_size(f->head, omr_result_series(f->head, i));
  const size_t rows = BLOCK_BYTES / (sizeof(double) * values);
  return rows ? rows : 1;
}

static omr_status read_numbers(omr_result_file *f, size_t first, size_t count, uint64_t *numbers,
                               omr_error *error) {
  return omr_watch_read(&f->watch, f->rows.instance, "instance", H5T_NATIVE_UINT64, first, count,
                        numbers, error);
}

/* Trajectories are in the order of their rows: moves on from the one of row next_row to the one of
 * row next_row + count. */
static void pass_rows(omr_result_file *f, const uint64_t *numbers, size_t count) {
  for (size_t k = 0; k < count; k++)
    if (f->next_trace < f->traced && f->traced_numbers[f->next_trace] == numbers[k])
      f->next_trace++;
  f->next_row += count;
}

static omr_status find_traces(omr_result_file *f, size_t first, omr_error *error) {
  uint64_t numbers[1024];
  const size_t most = sizeof numbers / sizeof *numbers;
  omr_status status = OMR_OK;
  if (first < f->next_row) f->next_row = f->next_trace = 0;
  while (status == OMR_OK && f->traced && f->next_row < first) {
    const size_t left = first - f->next_row, count = left < most ? left : most;
    status = read_numbers(f, f->next_row, count, numbers, error);
    if (status == OMR_OK) pass_rows(f, numbers, count);
  }
  return status;
}

/* Texts are copied, since the head belongs to the file; columns get their values later. */
static bool copy_head(const omr_result *head, omr_result *r, size_t count) {
  r->traced_names = head->traced_names ? strdup(head->traced_names) : NULL;
  memcpy(r->first_invalid, head->first_invalid, sizeof r->first_invalid);
  r->record = head->record;
  r->design_only = head->design_only;
  r->numbers = calloc(count + 1, sizeof *r->numbers);
  r->status = calloc(count + 1, sizeof *r->status);
  r->status_time = calloc(count + 1, sizeof *r->status_time);
  return omr_result_take_head(r, head, count) && r->numbers && r->status && r->status_time;
}

static omr_status fill_rows(omr_result_file *f, size_t first, size_t count, omr_result *r,
                            omr_error *error) {
  omr_status status = read_numbers(f, first, count, r->numbers, error);
  for (size_t c = 0; status == OMR_OK && c < r->column_count; c++)
    status = omr_watch_read(&f->watch, f->rows.columns[c], r->columns[c].name, H5T_NATIVE_DOUBLE,
                            first, count, r->columns[c].values, error);
  if (status != OMR_OK || f->rows.status < 0) return status;
  status = omr_watch_read(&f->watch, f->rows.status, "status", H5T_NATIVE_INT8, first, count,
                          r->status, error);
  return status != OMR_OK ? status
                          : omr_watch_read(&f->watch, f->rows.status_time, "status_time",
                                           H5T_NATIVE_DOUBLE, first, count, r->status_time, error);
}

/* Makes room for `count` trajectories. */
static bool make_traces(const omr_result_file *f, omr_result *r, size_t count) {
  if (f->traces < 0) return true;
  r->traced_count = count;
  r->sample_count = f->head->sample_count;
  r->traced = calloc(count + 1, sizeof *r->traced);
  r->sample_time = calloc(r->sample_count + 1, sizeof *r->sample_time);
  if (!omr_result_take_small_list(r, f->head->small_info, f->head->small_sample_count) ||
      !r->traced || !r->sample_time)
    return false;
  memcpy(r->sample_time, f->head->sample_time, r->sample_count * sizeof *r->sample_time);
  for (size_t i = 0; i < omr_result_series_count(r); i++) {
    const omr_series series = omr_result_series(r, i);
    double **place = (double **)(uintptr_t)series.values;
    if (f->series[i] >= 0 &&
        !(*place = calloc(count * omr_result_series_size(r, series) + 1, sizeof(double))))
      return false;
  }
  return true;
}

static omr_status fill_traces(omr_result_file *f, size_t first, omr_result *r, omr_error *error) {
  omr_status status = OMR_OK;
  if (r->traced_count)
    memcpy(r->traced, f->traced_numbers + first, r->traced_count * sizeof *r->traced);
  for (size_t i = 0; status == OMR_OK && f->traces >= 0 && i < omr_result_series_count(r); i++) {
    const omr_series series = omr_result_series(r, i);
    if (f->series[i] >= 0)
      status = omr_watch_read(&f->watch, f->series[i], series.info.name, H5T_NATIVE_DOUBLE, first,
                              r->traced_count, *series.values, error);
  }
  return status;
}

static omr_status fill_retries(omr_result_file *f, size_t first, size_t count, omr_result *r,
                               omr_error *error) {
  if (f->rows.retries < 0) return OMR_OK;
  r->retries = calloc(count + 1, sizeof *r->retries);
  if (!r->retries) return omr_reader_no_memory(f, error);
  return omr_watch_read(&f->watch, f->rows.retries, "retries", H5T_NATIVE_INT8, first, count,
                        r->retries, error);
}

static size_t count_failed(const int8_t *status, size_t count) {
  size_t failed = 0;
  for (size_t k = 0; k < count; k++) failed += status[k] != OMR_INSTANCE_OK;
  return failed;
}

/* Failures are in the order of their rows: moves on to the first at or after row `first`. */
static omr_status find_failures(omr_result_file *f, size_t first, omr_error *error) {
  int8_t status[4096];
  if (first < f->failed_row) f->failed_row = f->next_failure = 0;
  while (f->failed_row < first) {
    const size_t left = first - f->failed_row, count = left < sizeof status ? left : sizeof status;
    const omr_status read = omr_watch_read(&f->watch, f->rows.status, "status", H5T_NATIVE_INT8,
                                           f->failed_row, count, status, error);
    if (read != OMR_OK) return read;
    f->next_failure += count_failed(status, count);
    f->failed_row += count;
  }
  return OMR_OK;
}

static omr_status fill_failures(omr_result_file *f, size_t first, size_t count, omr_result *r,
                                omr_error *error) {
  if (!f->has_failures) return OMR_OK;
  omr_status status = find_failures(f, first, error);
  if (status != OMR_OK) return status;
  const size_t failed = count_failed(r->status, count);
  if (!omr_hdf5_failures_read(f->file, f->next_failure, failed, &r->failures))
    return omr_hdf5_unreadable(f->path, "failures", f->next_failure, failed, error);
  f->next_failure += failed;
  f->failed_row += count;
  return OMR_OK;
}

static omr_status read_block(omr_result_file *f, size_t first, size_t count, omr_result *r,
                             omr_error *error) {
  if (!copy_head(f->head, r, count)) return omr_reader_no_memory(f, error);
  omr_status status = fill_rows(f, first, count, r, error);
  if (status == OMR_OK) status = fill_retries(f, first, count, r, error);
  if (status == OMR_OK) status = fill_failures(f, first, count, r, error);
  if (status == OMR_OK) status = find_traces(f, first, error);
  if (status != OMR_OK) return status;
  const size_t trace = f->next_trace;
  if (f->traced) pass_rows(f, r->numbers, count);
  if (!make_traces(f, r, f->next_trace - trace)) return omr_reader_no_memory(f, error);
  return fill_traces(f, trace, r, error);
}

omr_status omr_result_file_read(omr_result_file *f, size_t first, size_t count, omr_result **result,
                                omr_error *error) {
  *result = NULL;
  if (first > f->row_count || count > f->row_count - first)
    return omr_fail(error, OMR_ERR_INTERNAL, "%s: no such rows: %zu to %zu", f->path, first,
                    first + count);
  omr_result *r = calloc(1, sizeof *r);
  if (!r) return omr_reader_no_memory(f, error);
  const omr_hdf5_report report = omr_hdf5_quiet();
  omr_status status = read_block(f, first, count, r, error);
  omr_hdf5_restore(report);
  if (status == OMR_OK)
    *result = r;
  else
    omr_result_destroy(r);
  return status;
}

omr_status omr_result_file_nominal(omr_result_file *f, omr_result **nominal, omr_error *error) {
  *nominal = NULL;
  return f->nominal ? omr_result_file_read(f->nominal, 0, f->nominal->row_count, nominal, error)
                    : OMR_OK;
}

/* Gives the result the texts and statistics that the head alone has. */
static omr_status copy_partial(const omr_result_file *f, omr_result *result, omr_error *error) {
  const omr_result *head = f->head;
  if (head->coverage) result->coverage = strdup(head->coverage);
  if (head->partial) result->partial = malloc(head->partial_bytes + 1);
  if ((head->coverage && !result->coverage) || (head->partial && !result->partial))
    return omr_reader_no_memory(f, error);
  result->partial_bytes = head->partial_bytes;
  if (head->partial) memcpy(result->partial, head->partial, head->partial_bytes);
  return OMR_OK;
}

/* Reads all rows with the nominal vehicle and the statistics of rows that are not there, which
 * blocks of rows do not have. */
static omr_status read_whole(omr_result_file *f, omr_result **result, omr_error *error) {
  omr_result *nominal = NULL;
  omr_status status = omr_result_file_nominal(f, &nominal, error);
  if (status == OMR_OK) status = omr_result_file_read(f, 0, f->row_count, result, error);
  if (status != OMR_OK) {
    omr_result_destroy(nominal);
    return status;
  }
  (*result)->nominal = nominal;
  status = copy_partial(f, *result, error);
  if (status == OMR_OK) return OMR_OK;
  omr_result_destroy(*result);
  *result = NULL;
  return status;
}

omr_status omr_result_open(const char *path, omr_result **result, omr_error *error) {
  omr_result_file *file;
  *result = NULL;
  omr_status status = omr_result_file_open(path, &file, error);
  if (status == OMR_OK) status = read_whole(file, result, error);
  omr_result_file_close(file);
  return status;
}

omr_status omr_result_open_descriptor(int descriptor, const char *path, omr_result **result,
                                      omr_error *error) {
  omr_result_file *file;
  *result = NULL;
  omr_status status = omr_reader_open(descriptor, path, true, &file, error);
  if (status != OMR_OK) return status;
  status = read_whole(file, result, error);
  const int cause = file->disk.cause; /* HDF5 got zeros in place of bytes that could not be read */
  omr_result_file_close(file);
  if (!cause) return status;
  omr_result_destroy(*result);
  *result = NULL;
  return omr_fail_file(error, OMR_ERR_IO, path, "%s: cannot be read: %s.", path, strerror(cause));
}

static void close_owner(void *owner) {
  omr_result_file_close(owner);
}

omr_status omr_source_open(const char *path, omr_source **source, omr_error *error) {
  omr_result_file *f;
  *source = NULL;
  omr_status status = omr_result_file_open_rows(path, &f, error);
  if (status != OMR_OK) return status;
  omr_sample_info *info = calloc(f->rows.column_count + 1, sizeof *info);
  for (size_t c = 0; info && c < f->rows.column_count; c++)
    info[c] = (omr_sample_info){f->head->columns[c].name, f->head->columns[c].unit,
                                f->head->columns[c].meaning};
  status = info ? omr_source_of_rows(path, &f->rows, info, f->head->parameter_count, f->row_count,
                                     &(omr_source_owner){f, close_owner}, source, error)
                : omr_reader_no_memory(f, error);
  if (status != OMR_OK) omr_result_file_close(f);
  free(info);
  return status;
}
