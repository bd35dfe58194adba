/* A run into a file for callers that know no layout of a struct: options, stop and outcome behind
 * functions. */
#define _GNU_SOURCE /* fopencookie, open_memstream */
#include "../support/support.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct omr_task {
  omr_progress_fn *progress;
  void *progress_user;
  omr_line_fn *line;
  void *line_user;
  omr_text pending; /* of a line that has no end yet */
  bool restart, overwrite, strict;
  atomic_bool stopped; /* lock-free: a signal handler sets it */
  omr_file_outcome outcome;
  char *summary;
};

omr_task *omr_task_create(void) {
  return calloc(1, sizeof(omr_task));
}

void omr_task_destroy(omr_task *task) {
  if (!task) return;
  omr_text_free(&task->pending);
  free(task->summary);
  free(task);
}

void omr_task_on_progress(omr_task *task, omr_progress_fn *progress, void *user) {
  task->progress = progress;
  task->progress_user = user;
}

void omr_task_on_line(omr_task *task, omr_line_fn *line, void *user) {
  task->line = line;
  task->line_user = user;
}

void omr_task_restart(omr_task *task, bool restart) {
  task->restart = restart;
}

void omr_task_overwrite(omr_task *task, bool overwrite) {
  task->overwrite = overwrite;
}

void omr_task_strict(omr_task *task, bool strict) {
  task->strict = strict;
}

void omr_task_stop(omr_task *task) {
  atomic_store(&task->stopped, true);
}

static bool on_progress(void *user, double done, double total) {
  omr_task *task = user;
  const bool wanted = !task->progress || task->progress(task->progress_user, done, total);
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

typedef struct streams {
  FILE *log, *summary;
  size_t size;
} streams;

static omr_status begin(omr_task *task, streams *s, omr_file_options *options, omr_error *error) {
  free(task->summary);
  task->summary = NULL;
  *s = (streams){.summary = open_memstream(&task->summary, &s->size)};
  if (task->line) s->log = fopencookie(task, "w", (cookie_io_functions_t){.write = write_log});
  if (s->log) setvbuf(s->log, NULL, _IOLBF, 0);
  *options =
      (omr_file_options){.run = {.progress = on_progress, .progress_user = task, .log = s->log},
                         .summary = s->summary,
                         .restart = task->restart,
                         .overwrite = task->overwrite,
                         .strict = task->strict};
  return s->summary && (s->log || !task->line) ? OMR_OK
                                               : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
}

static void end(omr_task *task, streams *s) {
  if (s->log) {
    fclose(s->log);
    end_line(task);
  }
  if (s->summary) fclose(s->summary);
}

omr_status omr_task_run(omr_task *task, const omr_study *study, const char *path,
                        omr_error *error) {
  streams s;
  omr_file_options options;
  omr_status status = begin(task, &s, &options, error);
  if (status == OMR_OK) status = omr_run_file(study, path, &options, &task->outcome, error);
  end(task, &s);
  return status;
}

omr_status omr_task_resume(omr_task *task, const char *path, const char *const *overrides,
                           size_t count, omr_error *error) {
  streams s;
  omr_file_options options;
  omr_status status = begin(task, &s, &options, error);
  options.overrides = overrides;
  options.override_count = count;
  if (status == OMR_OK) status = omr_resume(path, &options, &task->outcome, error);
  end(task, &s);
  return status;
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
