#include "assemble.h"

#include "../engine/judge.h"
#include "../result/held.h"
#include "../result/reader.h"
#include "../result/summary.h"
#include "../result/writer.h"
#include "../support/phase.h"
#include "folder.h"

#include <string.h>

/* "openmp" and "opencl" are "openmp, opencl". */
static void join_words(char *text, size_t size, const char *word) {
  const size_t length = strlen(text);
  if (!strstr(text, word)) snprintf(text + length, size - length, "%s%s", length ? ", " : "", word);
}

static void add_record(omr_run_record *total, const omr_run_record *part, bool first) {
  if (first) {
    *total = *part;
    return;
  }
  join_words(total->backend, sizeof total->backend, part->backend);
  join_words(total->device, sizeof total->device, part->device);
  total->build_seconds += part->build_seconds;
  total->prepare_seconds += part->prepare_seconds;
  total->transfer_seconds += part->transfer_seconds;
  total->kernel_seconds += part->kernel_seconds;
  total->wall_seconds += part->wall_seconds;
  total->instance_steps += part->instance_steps;
  total->retried += part->retried;
  total->recovered += part->recovered;
}

static omr_status append_all(omr_writer *writer, size_t count, omr_fetch *fetch, void *user, omr_run_record *total,
                             omr_held *held, omr_error *error) {
  omr_status status = OMR_OK;
  for (size_t i = 0; status == OMR_OK && i < count; i++) {
    omr_result *part = NULL;
    status = fetch(user, i, &part, error);
    if (status != OMR_OK) break;
    omr_phase("assemble");
    add_record(total, &part->record, i == 0);
    status = omr_writer_append(writer, part, error);
    omr_held_add(held, part);
  }
  return status;
}

static omr_status add_statistics(omr_writer *writer, const omr_study *study, const omr_held *held, omr_statistics **statistics,
                                 omr_error *error) {
  omr_source *source;
  omr_status status = omr_writer_source(writer, &source, error);
  if (status == OMR_OK) status = omr_source_of_held(held, source, &source, error);
  if (status != OMR_OK) return status;
  status = omr_statistics_compute(study, source, statistics, error);
  omr_source_close(source);
  const omr_hdf5_report report = omr_hdf5_quiet();
  if (status == OMR_OK) omr_statistics_write(*statistics, omr_writer_file(writer));
  omr_hdf5_restore(report);
  return status;
}

/* The file says what the rows do not. */
static void print_summary(const char *path, const omr_statistics *statistics, FILE *summary) {
  omr_result_file *file;
  omr_result *head = NULL;
  omr_error error = {0};
  if (!summary) return;
  omr_status status = omr_result_file_open(path, &file, &error);
  if (status == OMR_OK) {
    status = omr_result_file_read(file, 0, 0, &head, &error);
    omr_result_file_close(file);
  }
  if (status == OMR_OK) {
    omr_summary_print(head, statistics, summary);
    omr_result_destroy(head);
  } else {
    fprintf(summary, "%s is written, but cannot be read back for its summary: %s\n", path, error.message);
  }
}

static omr_status finish(omr_writer *writer, size_t chunks, size_t sessions, omr_run_record *total, const omr_times *times,
                         omr_error *error) {
  total->statistics_seconds = times->statistics;
  total->write_seconds = times->write; /* but for what is still to come */
  omr_hdf5 *h5 = omr_writer_file(writer);
  omr_hdf5_integer(h5, h5->file, "chunks", (int64_t)chunks);
  omr_hdf5_integer(h5, h5->file, "sessions", (int64_t)sessions);
  return omr_writer_finish(writer, total, error);
}

omr_status omr_assemble(const char *path, const omr_study *study, size_t count, omr_fetch *fetch, void *user, size_t sessions,
                        FILE *summary, omr_times *times, omr_error *error) {
  const double start = omr_seconds();
  omr_writer *writer;
  omr_statistics *statistics = NULL;
  omr_run_record total = {0};
  omr_held held = {0};
  omr_sweep_temporaries(path);
  omr_status status = omr_writer_open_study(path, study, &writer, error);
  if (status != OMR_OK) return status;
  status = append_all(writer, count, fetch, user, &total, &held, error);
  if (status == OMR_OK) status = omr_writer_end(writer, error);
  const double written = omr_seconds();
  times->write += written - start;
  if (status == OMR_OK) status = add_statistics(writer, study, &held, &statistics, error);
  omr_held_free(&held);
  const double computed = omr_seconds();
  times->statistics += computed - written;
  if (status == OMR_OK)
    status = finish(writer, count, sessions, &total, times, error);
  else
    omr_writer_discard(writer);
  times->write += omr_seconds() - computed;
  if (status == OMR_OK) {
    print_summary(path, statistics, summary);
    status = omr_check_failures(study, statistics->by_status, statistics->rows, error);
  }
  omr_statistics_destroy(statistics);
  return status;
}
