/* Runs into files: every one is a task, which has options, can be stopped and keeps its outcome. */
#define _GNU_SOURCE /* fopencookie, open_memstream */
#include "into_file.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct omr_task {
  omr_file_options options;
  omr_line_fn *line;
  void *line_user;
  bool keeps_summary;  /* where the options have no stream for it */
  omr_text pending;    /* of a line that has no end yet */
  atomic_bool stopped; /* lock-free: a signal handler sets it */
  omr_file_outcome outcome;
  char *summary;
};

static void end_task(omr_task *task) {
  omr_text_free(&task->pending);
  free(task->summary);
}

omr_task *omr_task_create(void) {
  omr_task *task = malloc(sizeof *task);
  if (task) *task = (omr_task){.options = OMR_FILE_OPTIONS_INIT, .keeps_summary = true};
  return task;
}

void omr_task_destroy(omr_task *task) {
  if (!task) return;
  end_task(task);
  free(task);
}

omr_status omr_task_options(omr_task *task, const omr_file_options *options, omr_error *error) {
  static const omr_file_options none = OMR_FILE_OPTIONS_INIT;
  const omr_file_options *o = options ? options : &none;
  omr_status status = omr_check_size(o->size, sizeof *o, "omr_file_options", error);
  if (status == OMR_OK)
    status = omr_check_size(o->run.size, sizeof o->run, "omr_file_options.run", error);
  if (status == OMR_OK) task->options = *o;
  return status;
}

void omr_task_on_progress(omr_task *task, omr_progress_fn *progress, void *user) {
  task->options.run.progress = progress;
  task->options.run.progress_user = user;
}

void omr_task_on_line(omr_task *task, omr_line_fn *line, void *user) {
  task->line = line;
  task->line_user = user;
}

void omr_task_restart(omr_task *task, bool restart) {
  task->options.restart = restart;
}

void omr_task_overwrite(omr_task *task, bool overwrite) {
  task->options.overwrite = overwrite;
}

void omr_task_foreign_folder(omr_task *task, bool foreign_folder) {
  task->options.foreign_folder = foreign_folder;
}

void omr_task_strict(omr_task *task, bool strict) {
  task->options.strict = strict;
}

void omr_task_oversize(omr_task *task, bool oversize) {
  task->options.oversize = oversize;
}

void omr_task_stop(omr_task *task) {
  atomic_store(&task->stopped, true);
}

static bool on_progress(void *user, double done, double total) {
  omr_task *task = user;
  const omr_run_options *run = &task->options.run;
  const bool wanted = !run->progress || run->progress(run->progress_user, done, total);
  return wanted && !atomic_load(&task->stopped);
}

static void end_line(omr_task *task) {
  if (task->pending.length && !task->pending.failed)
    task->line(task->line_user, task->pending.data);
  omr_text_free(&task->pending);
}

static ssize_t write_log(void *cookie, const char *bytes, size_t count) {
  omr_task *task = cookie;
  for (size_t i = 0; i < count; i++) {
    if (bytes[i] == '\n')
      end_line(task);
    else
      omr_text_add(&task->pending, &bytes[i], 1);
  }
  return (ssize_t)count;
}

/* The options of the work, in place of the task's: with streams that the task opens. */
typedef struct streams {
  omr_file_options options;
  FILE *log, *summary; /* NULL: not the task's */
  size_t size;
} streams;

static omr_status begin(omr_task *task, streams *s, omr_error *error) {
  free(task->summary);
  task->summary = NULL;
  task->outcome = (omr_file_outcome){0};
  *s = (streams){.options = task->options};
  const bool keeps = task->keeps_summary && !task->options.summary;
  if (keeps) s->summary = open_memstream(&task->summary, &s->size);
  if (task->line) s->log = fopencookie(task, "w", (cookie_io_functions_t){.write = write_log});
  if (s->log) setvbuf(s->log, NULL, _IOLBF, 0);
  s->options.run.progress = on_progress;
  s->options.run.progress_user = task;
  if (s->summary) s->options.summary = s->summary;
  if (s->log) s->options.run.log = s->log;
  return (s->summary || !keeps) && (s->log || !task->line)
             ? OMR_OK
             : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
}

static omr_status end(omr_task *task, streams *s, omr_status status) {
  if (s->log) {
    fclose(s->log);
    end_line(task);
  }
  if (s->summary) fclose(s->summary);
  return status;
}

omr_status omr_task_run(omr_task *task, const omr_study *study, const char *path,
                        omr_error *error) {
  streams s;
  omr_status status = begin(task, &s, error);
  if (status == OMR_OK)
    status = omr_campaign_run(study, path, false, &s.options, &task->outcome, error);
  return end(task, &s, status);
}

omr_status omr_task_run_shard(omr_task *task, const omr_study *study, const char *path, int shard,
                              int shards, omr_error *error) {
  streams s;
  if (shards < 1)
    return omr_fail(error, OMR_ERR_USAGE, "a study is shared by 1 shard or more, not by %d",
                    shards);
  omr_status status = begin(task, &s, error);
  s.options.shard = shard;
  s.options.shards = shards;
  if (status == OMR_OK)
    status = omr_campaign_run(study, path, true, &s.options, &task->outcome, error);
  return end(task, &s, status);
}

omr_status omr_task_run_in_memory(omr_task *task, const omr_study *study, omr_result **result,
                                  omr_error *error) {
  streams s;
  *result = NULL;
  omr_status status = begin(task, &s, error);
  if (status == OMR_OK) status = omr_campaign_run_in_memory(study, &s.options, result, error);
  task->outcome.complete = *result != NULL;
  return end(task, &s, status);
}

omr_status omr_task_resume(omr_task *task, const char *path, const char *const *overrides,
                           size_t count, omr_error *error) {
  streams s;
  omr_status status = begin(task, &s, error);
  if (overrides) {
    s.options.overrides = overrides;
    s.options.override_count = count;
  }
  if (status == OMR_OK)
    status = omr_campaign_run(NULL, path, false, &s.options, &task->outcome, error);
  return end(task, &s, status);
}

omr_status omr_task_merge(omr_task *task, const char *const *folders, size_t count,
                          const char *path, omr_error *error) {
  streams s;
  omr_status status = begin(task, &s, error);
  if (status == OMR_OK)
    status = omr_campaign_merge(folders, count, path, &s.options, &task->outcome, error);
  return end(task, &s, status);
}

bool omr_task_complete(const omr_task *task) {
  return task->outcome.complete;
}

bool omr_task_was_there(const omr_task *task) {
  return task->outcome.was_there;
}

size_t omr_task_chunks(const omr_task *task) {
  return task->outcome.chunks;
}

size_t omr_task_finished(const omr_task *task) {
  return task->outcome.finished;
}

const char *omr_task_summary(const omr_task *task) {
  return task->summary ? task->summary : "";
}

/* The functions without a task of the caller's. */
static omr_status finish(omr_task *task, omr_status status, omr_file_outcome *outcome) {
  if (outcome) *outcome = task->outcome;
  end_task(task);
  return status;
}

omr_status omr_run_file(const omr_study *study, const char *path, const omr_file_options *options,
                        omr_file_outcome *outcome, omr_error *error) {
  omr_task task = {.options = OMR_FILE_OPTIONS_INIT};
  omr_status status = omr_task_options(&task, options, error);
  if (status == OMR_OK) status = omr_task_run(&task, study, path, error);
  return finish(&task, status, outcome);
}

omr_status omr_resume(const char *path, const omr_file_options *options, omr_file_outcome *outcome,
                      omr_error *error) {
  omr_task task = {.options = OMR_FILE_OPTIONS_INIT};
  omr_status status = omr_task_options(&task, options, error);
  if (status == OMR_OK) status = omr_task_resume(&task, path, NULL, 0, error);
  return finish(&task, status, outcome);
}

omr_status omr_merge(const char *const *folders, size_t count, const char *path,
                     const omr_file_options *options, omr_file_outcome *outcome, omr_error *error) {
  omr_task task = {.options = OMR_FILE_OPTIONS_INIT};
  omr_status status = omr_task_options(&task, options, error);
  if (status == OMR_OK) status = omr_task_merge(&task, folders, count, path, error);
  return finish(&task, status, outcome);
}
