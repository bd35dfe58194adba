#include "assemble.h"

#include "../engine/judge.h"
#include "../result/writer.h"
#include "../statistics/statistics.h"
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
                             size_t counts[OMR_INSTANCE_STATUS_COUNT], omr_error *error) {
  omr_status status = OMR_OK;
  for (size_t i = 0; status == OMR_OK && i < count; i++) {
    omr_result *part = NULL;
    status = fetch(user, i, &part, error);
    if (status != OMR_OK) break;
    omr_phase("assemble");
    add_record(total, &part->record, i == 0);
    for (size_t k = 0; k < part->instances; k++) counts[part->status[k]]++;
    status = omr_writer_append(writer, part, error);
    omr_result_destroy(part);
  }
  return status;
}

static omr_status add_statistics(omr_writer *writer, const omr_study *study, omr_error *error) {
  omr_source *source;
  omr_statistics *statistics = NULL;
  omr_status status = omr_writer_source(writer, &source, error);
  if (status != OMR_OK) return status;
  status = omr_statistics_compute(study, source, &statistics, error);
  omr_source_close(source);
  const omr_hdf5_report report = omr_hdf5_quiet();
  if (status == OMR_OK) omr_statistics_write(statistics, omr_writer_file(writer));
  omr_hdf5_restore(report);
  omr_statistics_destroy(statistics);
  return status;
}

omr_status omr_assemble(const char *path, const omr_study *study, size_t count, omr_fetch *fetch, void *user, size_t sessions,
                        omr_error *error) {
  omr_writer *writer;
  omr_run_record total = {0};
  size_t counts[OMR_INSTANCE_STATUS_COUNT] = {0};
  omr_sweep_temporaries(path);
  omr_status status = omr_writer_open_study(path, study, &writer, error);
  if (status != OMR_OK) return status;
  status = append_all(writer, count, fetch, user, &total, counts, error);
  if (status == OMR_OK) status = omr_writer_end(writer, error);
  if (status == OMR_OK) status = add_statistics(writer, study, error);
  if (status != OMR_OK) {
    omr_writer_discard(writer);
    return status;
  }
  omr_hdf5 *h5 = omr_writer_file(writer);
  omr_hdf5_integer(h5, h5->file, "chunks", (int64_t)count);
  omr_hdf5_integer(h5, h5->file, "sessions", (int64_t)sessions);
  const size_t rows = omr_writer_rows(writer);
  status = omr_writer_finish(writer, &total, error);
  return status == OMR_OK ? omr_check_failures(study, counts, rows, error) : status;
}
