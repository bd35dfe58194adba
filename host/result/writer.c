#include "writer.h"

#include "../model/drawing/scene.h"
#include "../support/pool.h"
#include "hdf5_read.h"
#include "hdf5_sums.h"
#include "hdf5_virtual.h"
#include "reader.h"
#include "slice.h"

#include <stdlib.h>
#include <string.h>

struct omr_writer {
  omr_replace place;
  omr_hdf5 *h5; /* has a lasting address: HDF5 keeps the address of its disk */
  omr_hdf5_rows rows;
  omr_hdf5_traces traces;
  size_t row, row_count, trace, trace_count; /* appended and announced */
  char first_invalid[sizeof((omr_result *)0)->first_invalid];
  char warnings[OMR_WARNINGS];
  omr_failures failures; /* of the rows appended so far */
  omr_pool memory;
  omr_sample_info *info; /* of the columns */
  size_t columns, parameters;
  const omr_result *again, *nominal; /* omr_writer_name_traces */
  const char *names;
  omr_virtual *files; /* that hold the rows; the caller's */
  bool ended;
};

static bool keep_columns(omr_writer *w, const omr_result *like) {
  w->parameters = like->parameter_count;
  w->columns = like->column_count;
  w->info = omr_pool_take(&w->memory, w->columns, sizeof *w->info);
  for (size_t c = 0; w->info && c < w->columns; c++)
    w->info[c] = (omr_sample_info){omr_pool_text(&w->memory, like->columns[c].name),
                                   omr_pool_text(&w->memory, like->columns[c].unit),
                                   omr_pool_text(&w->memory, like->columns[c].meaning)};
  return !w->memory.failed;
}

/* Closes everything that is open; keeps the file's place. */
static bool close_file(omr_writer *w) {
  /* HDF5 is not called if nothing was made: without memory it crashes in every call. */
  if (w->h5->file < 0) return omr_hdf5_close(w->h5);
  const omr_hdf5_report report = omr_hdf5_quiet();
  omr_hdf5_rows_close(&w->rows);
  omr_hdf5_traces_close(&w->traces);
  if (w->traces.group >= 0) H5Gclose(w->traces.group);
  w->traces.group = -1;
  const bool closed = omr_hdf5_close(w->h5);
  omr_hdf5_restore(report);
  return closed;
}

static void make_file(omr_writer *w, const omr_result *like, bool plain) {
  const omr_hdf5_report report = omr_hdf5_quiet();
  omr_hdf5_create(w->h5, w->place.descriptor);
  w->h5->plain = plain;
  w->h5->files = w->files;
  if (!w->h5->failed) omr_hdf5_study(w->h5, like);
  if (!w->h5->failed) omr_hdf5_rows_open(w->h5, &w->rows, like, w->row_count);
  if (!w->h5->failed && w->trace_count && like->sample_count)
    omr_hdf5_traces_open(w->h5, &w->traces, "trajectories", like, w->trace_count);
  omr_hdf5_restore(report);
}

/* Destination of a file. */
typedef struct target {
  const char *path;
  int at;           /* in this folder; -1: at `path` */
  omr_image *image; /* or into memory */
  bool plain;
  omr_virtual *files; /* that hold the rows */
} target;

static omr_status open_place(omr_replace *place, const target *to, omr_error *error) {
  return to->image ? omr_replace_open_image(place, to->path, to->image, error)
                   : omr_replace_open_in(place, to->at, to->path, error);
}

static omr_status open_writer(const target *to, const omr_result *like, size_t rows, size_t traced,
                              omr_writer **writer, omr_error *error) {
  const char *path = to->path;
  *writer = NULL;

  omr_writer *w = calloc(1, sizeof *w);
  omr_hdf5 *h5 = calloc(1, sizeof *h5);
  if (!w || !h5) {
    free(w);
    free(h5);
    return omr_fail(error, OMR_ERR_MEMORY, "%s: out of memory", path);
  }

  /* nothing is open yet, so that discarding is safe at any time */
  *w = (omr_writer){.place = {.descriptor = -1},
                    .h5 = h5,
                    .rows = OMR_HDF5_NO_ROWS,
                    .traces = {-1, -1, NULL, 0, {{-1, 0}, {-1, 0}, {-1, 0}}},
                    .row_count = rows,
                    .trace_count = traced,
                    .files = to->files};

  h5->file = -1;
  omr_status status =
      keep_columns(w, like) ? OMR_OK : omr_fail(error, OMR_ERR_MEMORY, "%s: out of memory", path);
  if (status == OMR_OK) status = omr_hdf5_room(path, error);
  if (status == OMR_OK) status = open_place(&w->place, to, error);

  /* the file has no name until it is finished */
  if (status == OMR_OK) {
    make_file(w, like, to->plain);
    if (h5->failed) status = omr_hdf5_fail(h5, &w->place, error);
  }

  if (status == OMR_OK)
    *writer = w;
  else
    omr_writer_discard(w);
  return status;
}

omr_status omr_writer_open(const char *path, const omr_result *like, size_t rows, size_t traced,
                           omr_writer **writer, omr_error *error) {
  return open_writer(&(target){.path = path, .at = -1}, like, rows, traced, writer, error);
}

static omr_status open_part(const target *to, const omr_part *part, omr_writer **writer,
                            omr_error *error) {
  static const size_t first = 0;
  const size_t traced = part->traced_count + omr_study_traced_later(part->study);
  omr_part empty = *part;
  omr_result *like = NULL;
  empty.rows = 0;
  empty.traced = &first;
  empty.traced_count = traced > 0; /* enough to know which quantities are sampled */
  *writer = NULL;
  omr_status status = omr_result_make(&empty, &like, error);
  if (status == OMR_OK) like->scene = omr_scene_kept(part->study);
  if (status == OMR_OK) status = open_writer(to, like, part->rows, traced, writer, error);
  omr_result_destroy(like);
  return status;
}

omr_status omr_writer_open_part(const char *path, const omr_part *part, struct omr_virtual *files,
                                omr_writer **writer, omr_error *error) {
  return open_part(&(target){.path = path, .at = -1, .files = files}, part, writer, error);
}

static omr_status check_part(const omr_writer *w, const omr_result *part, omr_error *error) {
  bool same = part->column_count == w->columns;
  for (size_t c = 0; same && c < w->columns; c++)
    same = strcmp(part->columns[c].name, w->info[c].name) == 0;
  const size_t traced = part->sample_count ? part->traced_count : 0;
  if (same && !w->ended && part->instances <= w->row_count - w->row &&
      traced <= w->trace_count - w->trace)
    return OMR_OK;
  return omr_fail(error, OMR_ERR_INTERNAL,
                  "%s: %zu rows with %zu trajectories and %zu columns do not fit after %zu of %zu "
                  "rows, %zu of %zu trajectories",
                  w->place.path, part->instances, traced, part->column_count, w->row, w->row_count,
                  w->trace, w->trace_count);
}

void omr_writer_warn(omr_writer *w, const char *lines) {
  omr_add_warnings(w->warnings, lines);
}

void omr_writer_note_threads(omr_writer *w, FILE *log) {
  omr_note_fewer_threads(w->warnings, log);
}

void omr_writer_name_traces(omr_writer *w, const omr_result *again, const char *names,
                            const omr_result *nominal) {
  w->again = again;
  w->names = names;
  w->nominal = nominal;
}

omr_status omr_writer_append(omr_writer *w, const omr_result *part, omr_error *error) {
  omr_status status = check_part(w, part, error);
  if (status != OMR_OK) return status;
  const omr_hdf5_report report = omr_hdf5_quiet();
  omr_hdf5_rows_put(w->h5, &w->rows, part, w->row);
  if (part->sample_count) omr_hdf5_traces_put(w->h5, &w->traces, part, w->trace);
  omr_hdf5_restore(report);
  if (!w->warnings[0]) memcpy(w->warnings, part->warnings, sizeof w->warnings);
  if (!w->first_invalid[0]) memcpy(w->first_invalid, part->first_invalid, sizeof w->first_invalid);
  if (!omr_failures_join(&w->failures, &part->failures))
    omr_hdf5_refuse(w->h5, "keep the failed instances", "out of memory");
  w->row += part->instances;
  if (part->sample_count) w->trace += part->traced_count;
  return w->h5->failed ? omr_hdf5_fail(w->h5, &w->place, error) : OMR_OK;
}

omr_status omr_writer_source(omr_writer *w, omr_source **source, omr_error *error) {
  const omr_hdf5_report report = omr_hdf5_quiet();
  omr_hdf5_rows_show(w->h5, &w->rows);
  omr_hdf5_restore(report);
  if (w->h5->failed) return omr_hdf5_fail(w->h5, &w->place, error);
  return omr_source_of_rows(w->place.path, &w->rows, w->info, w->parameters, w->row, NULL, source,
                            error);
}

/* Copies rows and trajectories of a file that has room for more than there are; `again`: further
 * trajectories. */
static omr_status copy_rows(omr_result_file *from, const omr_result *again, omr_writer *to,
                            omr_error *error) {
  const size_t block = omr_result_file_block(from);
  omr_status status = OMR_OK;
  for (size_t first = 0; status == OMR_OK && first < to->row_count; first += block) {
    const size_t left = to->row_count - first;
    omr_result *part = NULL;
    status = omr_result_file_read(from, first, left < block ? left : block, &part, error);
    if (status == OMR_OK && again) status = omr_result_add_traces(part, again, error);
    if (status == OMR_OK) status = omr_writer_append(to, part, error);
    omr_result_destroy(part);
  }
  return status;
}

/* Writes the file again with exactly the room needed, in place of the closed one, which is open for
 * reading as `from`. */
static omr_status rewrite(omr_writer *w, omr_result_file *from, omr_error *error) {
  const size_t traced = w->trace + (w->again ? w->again->traced_count : 0);
  omr_writer *shorter = NULL;

  omr_result *like = NULL;
  char *path = strdup(w->place.path);
  omr_status status = path ? OMR_OK : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  if (status == OMR_OK) status = omr_result_file_read(from, 0, 0, &like, error);

  if (status == OMR_OK) {
    omr_replace_discard(
        &w->place); /* its name is needed; the bytes stay as long as they are open */
    status = omr_writer_open(path, like, w->row, traced, &shorter, error);
  }

  /* copy the rows, with the further trajectories in their places */
  omr_result_file_end_traces(from, w->trace);
  if (status == OMR_OK) status = copy_rows(from, w->again, shorter, error);

  /* the new file inherits everything that is kept until the end */
  if (status == OMR_OK) {
    omr_hdf5_rows_end(shorter->h5, &shorter->rows);
    memcpy(shorter->first_invalid, w->first_invalid, sizeof w->first_invalid);
    memcpy(shorter->warnings, w->warnings, sizeof w->warnings);
    shorter->failures = w->failures; /* the source file does not have them yet */
    w->failures = (omr_failures){0};

    omr_writer_name_traces(shorter, NULL, w->names, w->nominal);
    const omr_writer old = *w;
    *w = *shorter;
    *shorter = old;
  }

  omr_writer_discard(shorter);
  omr_result_destroy(like);
  free(path);
  return status;
}

static omr_status shorten(omr_writer *w, omr_error *error) {
  omr_result_file *from = NULL;
  if (!close_file(w)) return omr_hdf5_fail(w->h5, &w->place, error);
  omr_status status = omr_result_file_open(w->place.temporary, &from, error);
  if (status == OMR_OK) status = rewrite(w, from, error);
  omr_result_file_close(from);
  return status;
}

omr_status omr_writer_end(omr_writer *w, omr_error *error) {
  omr_status status = OMR_OK;
  const omr_hdf5_report report = omr_hdf5_quiet();
  if (!w->ended) omr_hdf5_rows_end(w->h5, &w->rows);
  omr_hdf5_restore(report);
  if (w->h5->failed) return omr_hdf5_fail(w->h5, &w->place, error);
  const bool other = w->row < w->row_count || w->trace < w->trace_count || w->again;
  if (!w->ended && other && w->files)
    status =
        omr_fail(error, OMR_ERR_INTERNAL, "%s: a virtual result has all its rows", w->place.path);
  else if (!w->ended && other)
    status = shorten(w, error);
  w->h5->files = NULL; /* what follows is in this file */
  w->ended = status == OMR_OK;
  return status;
}

omr_hdf5 *omr_writer_file(omr_writer *w) {
  return w->h5;
}

static void write_end(omr_writer *w, const omr_run_record *total) {
  const omr_hdf5_report report = omr_hdf5_quiet();
  if (w->warnings[0]) omr_hdf5_text(w->h5, w->h5->file, "warnings", w->warnings);
  if (w->first_invalid[0]) omr_hdf5_text(w->h5, w->h5->file, "first_invalid", w->first_invalid);
  if (w->names && w->names[0]) omr_hdf5_text(w->h5, w->h5->file, "traced_names", w->names);
  if (total) omr_hdf5_run(w->h5, total, w->rows.retries >= 0);
  if (!w->h5->failed) omr_hdf5_failures(w->h5, &w->failures);
  if (!w->h5->failed && w->nominal) omr_hdf5_nominal(w->h5, w->nominal);
  if (!w->h5->failed && w->files) omr_virtual_store(w->h5, w->files);
  if (!w->h5->failed) omr_hdf5_created(w->h5);
  omr_sums_seal(w->h5);
  omr_hdf5_restore(report);
}

omr_status omr_writer_finish(omr_writer *w, const omr_run_record *total, omr_error *error) {
  omr_status status = omr_writer_end(w, error);
  if (status == OMR_OK) {
    write_end(w, total);
    status = close_file(w) ? omr_replace_finish(&w->place, error)
                           : omr_hdf5_fail(w->h5, &w->place, error);
  }
  omr_writer_discard(w);
  return status;
}

void omr_writer_discard(omr_writer *w) {
  if (!w) return;
  close_file(w);
  omr_replace_discard(&w->place);
  omr_pool_free(&w->memory);
  omr_failures_free(&w->failures);
  free(w->h5);
  free(w);
}

static omr_status write_result(const omr_result *result, const target *to, omr_error *error) {
  omr_writer *writer;
  const size_t traced = result->sample_count ? result->traced_count : 0;
  omr_status status = open_writer(to, result, result->instances, traced, &writer, error);
  if (status != OMR_OK) return status;
  omr_writer_name_traces(writer, NULL, result->traced_names, result->nominal);
  status = omr_writer_append(writer, result, error);
  if (status == OMR_OK) status = omr_writer_end(writer, error);
  const omr_hdf5_report report = omr_hdf5_quiet();
  if (status == OMR_OK && result->statistics)
    result->statistics_ops->write(result->statistics, writer->h5);
  if (status == OMR_OK && result->partial)
    omr_hdf5_partial(writer->h5, result->partial, result->partial_bytes);
  omr_hdf5_restore(report);
  if (status == OMR_OK)
    return omr_writer_finish(writer, result->design_only ? NULL : &result->record, error);
  omr_writer_discard(writer);
  return status;
}

omr_status omr_result_write(const omr_result *result, const char *path, omr_error *error) {
  return write_result(result, &(target){.path = path, .at = -1}, error);
}

omr_status omr_result_write_plain(const omr_result *result, int at, const char *path,
                                  omr_error *error) {
  return write_result(result, &(target){.path = path, .at = at, .plain = true}, error);
}

omr_status omr_result_image(const omr_result *result, char **image, size_t *bytes,
                            omr_error *error) {
  omr_image made = {0};
  const char *name = result->study_name ? result->study_name : "a result";
  const omr_status status =
      write_result(result, &(target){.path = name, .at = -1, .image = &made}, error);
  *image = made.bytes;
  *bytes = made.count;
  return status;
}
