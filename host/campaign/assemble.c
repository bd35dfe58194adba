#include "assemble.h"
#include "../result/balance.h"

#include "../engine/failure_limit.h"
#include "../result/first_rows.h"
#include "../result/reader.h"
#include "../result/writer.h"
#include "../statistics/brief.h"
#include "../statistics/step_error.h"
#include "../support/phase.h"
#include "folder.h"
#include "into_file.h"
#include "named_trajectories.h"
#include "remeasure.h"
#include "summed_rows.h"

#include <stdlib.h>
#include <string.h>

/* What the rows add up to while they pass: their records, the extremes that have names, and sums
 * where rows are not kept. */
typedef struct passing {
  omr_writer *writer;
  omr_run_record total;
  omr_held held;
  omr_named named;
  omr_gathered gathered;       /* where rows are not kept */
  char warnings[OMR_WARNINGS]; /* of the runs of named instances */
} passing;

void omr_times_add(omr_times *t, const omr_run_record *record) {
  t->build += record->build_seconds;
  t->kernels += record->kernel_seconds;
  t->transfer += record->transfer_seconds;
  t->prepare += record->prepare_seconds;
  t->statistics += record->statistics_seconds; /* of sums; 0 where rows are kept */
}

static omr_status trace_named(const omr_assembly *a, passing *p, omr_error *error) {
  omr_status status = omr_named_run(&p->named, &a->options->run, &p->total, p->warnings, error);
  omr_log_warnings(a->options->run.log, p->warnings);
  return status;
}

/* Opens the new file, with room for the rows of a part. */
static omr_status open_file(const omr_assembly *a, const omr_part *rows, passing *p,
                            omr_error *error) {
  omr_sweep_temporaries(a->path);
  return omr_writer_open_part(a->path, rows, a->files, &p->writer, error);
}

/* Writes the few rows that are kept, the named instances among them. */
static omr_status write_gathered(const omr_assembly *a, passing *p, omr_error *error) {
  omr_status status = OMR_OK;
  if (p->named.again)
    status = omr_gathered_add_again(&p->gathered, a->whole, p->named.again, error);
  if (status != OMR_OK) return status;
  const omr_result *kept = p->gathered.rows;
  omr_part rows = *a->whole;
  size_t *chosen = malloc((kept->instances + 1) * sizeof *chosen);
  if (!chosen) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  for (size_t k = 0; k < kept->instances; k++) chosen[k] = omr_result_instance(kept, k);
  rows.chosen = chosen;
  rows.rows = kept->instances;
  rows.traced_count = kept->traced_count;
  status = open_file(a, &rows, p, error);
  free(chosen);
  return status == OMR_OK ? omr_writer_append(p->writer, kept, error) : status;
}

/* Sums of the chunks, and the few rows that they keep. */
static omr_status gather_all(const omr_assembly *a, passing *p, omr_error *error) {
  const omr_covered all = {1, a->whole->rows, NULL};
  omr_status status = omr_gathered_make(a->whole, &all, false, &p->gathered, error);
  for (size_t i = 0; status == OMR_OK && i < a->count; i++) {
    omr_result *part = NULL;
    status = a->fetch(a->user, i, &part, error);
    if (status != OMR_OK) break;
    omr_phase("assemble");
    omr_refined_note(a->refined, part);
    status = omr_gathered_add(&p->gathered, part, error);
    omr_result_destroy(part);
  }
  if (status != OMR_OK) return status;
  p->total = p->gathered.rows->record;
  omr_named_note_partial(&p->named, p->gathered.partial);
  status = trace_named(a, p, error);
  return status == OMR_OK ? write_gathered(a, p, error) : status;
}

static omr_status append_all(const omr_assembly *a, passing *p, omr_error *error) {
  omr_status status = open_file(a, a->whole, p, error);
  for (size_t i = 0; status == OMR_OK && i < a->count; i++) {
    omr_result *part = NULL;
    status = a->fetch(a->user, i, &part, error);
    if (status != OMR_OK) break;
    omr_phase("assemble");
    omr_record_join(&p->total, &part->record, i == 0);
    omr_refined_note(a->refined, part);
    omr_named_note(&p->named, part);
    status = omr_writer_append(p->writer, part, error);
    omr_held_add(&p->held, part);
  }
  return status == OMR_OK ? trace_named(a, p, error) : status;
}

/* A result without its step error is better than none: only a stop, a lack of memory or a failed
 * self-test ends the run. */
static omr_status remeasure(const omr_assembly *a, passing *p, omr_error *error) {
  omr_run_record *total = &p->total;
  omr_error own = {0};
  omr_run_record took = {0};
  char warning[1200];
  omr_phase("remeasure");
  const omr_status status =
      omr_remeasure(a->whole->study, &a->options->run, a->refined, &took, &own);

  /* The effort counts even if it failed. */
  total->refined_steps += took.refined_steps;
  total->kernel_seconds += took.kernel_seconds;
  total->prepare_seconds += took.prepare_seconds;
  total->transfer_seconds += took.transfer_seconds;
  omr_times_add(a->times, &took);
  if (status == OMR_OK) return OMR_OK;

  /* These failures end the run. */
  if (status == OMR_ERR_INTERRUPTED || status == OMR_ERR_MEMORY || status == OMR_ERR_SELFTEST)
    return omr_fail(error, status, "%s", own.message);

  /* After any other failure the result has a warning. */
  omr_refined_free(a->refined);
  snprintf(warning, sizeof warning, "the step error could not be measured: %.1000s", own.message);
  omr_writer_warn(p->writer, warning);
  if (a->options->run.log) fprintf(a->options->run.log, "warning: %s\n", warning);
  return OMR_OK;
}

static omr_status compute(const omr_assembly *a, passing *p, omr_source *source,
                          omr_statistics **statistics, omr_error *error) {
  char warnings[OMR_WARNINGS] = "";
  omr_status status = p->gathered.partial
                          ? omr_partial_statistics(p->gathered.partial, source, statistics, error)
                          : omr_statistics_compute(a->whole->study, source, statistics, error);
  if (status == OMR_OK)
    status = omr_step_error_compute(a->whole->study, source, a->refined, *statistics, error);
  if (status != OMR_OK) return status;
  omr_step_error_warn(*statistics, warnings, sizeof warnings);
  omr_writer_warn(p->writer, warnings);
  omr_log_warnings(a->options->run.log, warnings);
  return OMR_OK;
}

static omr_status add_partial(passing *p, omr_error *error) {
  if (!p->gathered.partial) return OMR_OK;
  const omr_status status = omr_gathered_pack(&p->gathered, error);
  const omr_result *rows = p->gathered.rows;
  if (status == OMR_OK)
    omr_hdf5_partial(omr_writer_file(p->writer), rows->partial, rows->partial_bytes);
  return status;
}

static omr_status add_statistics(const omr_assembly *a, passing *p, omr_statistics **statistics,
                                 omr_error *error) {
  omr_source *source;
  omr_status status = omr_writer_source(p->writer, &source, error);
  if (status == OMR_OK) status = omr_source_of_held(&p->held, source, &source, error);
  if (status != OMR_OK) return status;
  status = compute(a, p, source, statistics, error);
  omr_source_close(source);
  const omr_hdf5_report report = omr_hdf5_quiet();
  if (status == OMR_OK) omr_statistics_write(*statistics, omr_writer_file(p->writer));
  if (status == OMR_OK) status = add_partial(p, error);
  omr_hdf5_restore(report);
  return status;
}

/* The summary needs the file, which holds more than the rows. */
static void print_summary(const omr_assembly *a, const omr_statistics *statistics) {
  omr_result_file *file;
  omr_result *head = NULL;
  omr_error error = {0};
  FILE *summary = a->options->summary;
  if (!summary) return;

  /* Read the head of the written file. */
  omr_status status = omr_result_file_open(a->path, &file, &error);
  if (status == OMR_OK) {
    status = omr_result_file_read(file, 0, 0, &head, &error);
    omr_result_file_close(file);
  }

  /* The options choose between the brief and the full summary. */
  if (status != OMR_OK) {
    fprintf(summary, "%s is written, but cannot be read back for its summary: %s\n", a->path,
            error.message);
  } else if (a->options->brief) {
    const omr_brief brief = {.head = head,
                             .statistics = statistics,
                             .path = a->path,
                             .seconds = omr_seconds() - a->times->begun,
                             .integrating = a->times->kernels};
    omr_brief_print(&brief, summary);
  } else {
    omr_summary_print(head, statistics, summary);
  }

  omr_result_destroy(head);
}

static omr_status finish(const omr_assembly *a, omr_writer *writer, omr_run_record *total,
                         omr_error *error) {
  total->device_checks = (double)a->checks;
  total->statistics_seconds = a->times->statistics;
  total->write_seconds = a->times->write; /* but for the rest of the writing */
  char warning[OMR_WARNINGS];
  omr_balance_warn(a->whole->study, total, warning, sizeof warning);
  omr_writer_warn(writer, warning);
  omr_log_warnings(a->options->run.log, warning);
  omr_hdf5 *h5 = omr_writer_file(writer);
  omr_hdf5_integer(h5, h5->file, "chunks", (int64_t)a->chunks);
  omr_hdf5_integer(h5, h5->file, "sessions", (int64_t)a->sessions);
  return omr_writer_finish(writer, total, error);
}

omr_status omr_assemble(const omr_assembly *a, omr_error *error) {
  const double start = omr_seconds();
  omr_statistics *statistics = NULL;
  passing p = {0};
  const bool summed = a->whole->study->rows.summed;

  /* The rows of the chunks, and the instances that have names. */
  omr_status status = omr_named_make(a->whole->study, &p.named, error);
  if (status == OMR_OK) status = summed ? gather_all(a, &p, error) : append_all(a, &p, error);
  if (status == OMR_OK) {
    omr_writer_warn(p.writer, p.warnings);
    omr_writer_name_traces(p.writer, summed ? NULL : p.named.again, p.named.names, p.named.nominal);
    omr_writer_note_threads(p.writer, a->options->run.log);
  }
  if (status == OMR_OK) status = omr_writer_end(p.writer, error);

  const double written = omr_seconds();
  a->times->write += written - start;

  /* Measure the step error, then compute the statistics. */
  if (status == OMR_OK) status = remeasure(a, &p, error);
  const double measured = omr_seconds();
  if (status == OMR_OK) status = add_statistics(a, &p, &statistics, error);
  omr_held_free(&p.held);
  const double computed = omr_seconds();
  a->times->statistics += computed - measured;

  /* Complete the file, or discard it. */
  if (status == OMR_OK)
    status = finish(a, p.writer, &p.total, error);
  else
    omr_writer_discard(p.writer);
  omr_named_free(&p.named);
  omr_gathered_free(&p.gathered);
  a->times->write += omr_seconds() - computed;

  /* A complete file gets its summary and its verdict. */
  if (status == OMR_OK) {
    print_summary(a, statistics);
    status = omr_judge(a->whole->study, statistics, a->options->strict, error);
  }
  omr_statistics_destroy(statistics);
  return status;
}
