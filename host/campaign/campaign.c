/* Runs that survive interruptions: begin or go on, work, put together. */
#include "campaign.h"
#include "../support/input.h"
#include "into_file.h"

#include "../support/phase.h"
#include "folder.h"
#include "shard.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { WAIT_MS = 50, MISSING = 400 };

static omr_status start(omr_campaign *c, const char *path, const omr_file_options *options,
                        omr_error *error) {
  *c = (omr_campaign){
      .options = options, .parts = OMR_PARTS_NONE, .shard = 1, .shards = 1, .locks = {-1, -1}};
  c->times.begun = omr_seconds();
  c->journal.descriptor = -1;
  c->log = c->options->run.log;

  /* Find the folder of the result. */
  c->path = omr_result_path(path);
  char *folder = c->path ? omr_format("%s" OMR_FOLDER_SUFFIX, c->path) : NULL;
  const omr_status status = folder
                                ? omr_parts_begin(&c->parts, folder, options->foreign_folder, error)
                                : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  free(folder);
  if (status != OMR_OK) return status;

  /* A process may be one of several shards. */
  if (c->options->shards == 0) return OMR_OK;
  if (c->options->shard < 1 || c->options->shard > c->options->shards)
    return omr_fail(error, OMR_ERR_USAGE, "there is no shard %d of %d: they are counted from 1",
                    c->options->shard, c->options->shards);

  c->shard = c->options->shard;
  c->shards = c->options->shards;
  return OMR_OK;
}

static void end(omr_campaign *c) {
  omr_kept_free(&c->kept);
  omr_refined_free(&c->refined);
  omr_integrator_close(c->integrator);
  omr_plan_close(c->plan);
  omr_journal_free(&c->journal);
  omr_locks_release(&c->locks);
  omr_manifest_free(&c->manifest);
  omr_study_destroy(c->own);
  if (c->parts.folder >= 0)
    omr_folder_sweep(&c->parts); /* a network file system keeps names of open files until here */
  omr_parts_free(&c->parts);
  free(c->path);
}

void omr_name_missing(bool (*has)(const void *user, size_t chunk), const void *user, size_t count,
                      int shards, char *text, size_t size) {
  size_t more = 0;
  text[0] = '\0';
  for (size_t i = 0; i < count; i++) {
    if (has(user, i)) continue;
    if (strlen(text) + 60 > size) {
      more++;
      continue;
    }
    omr_print_more(text, size, "%s%zu", *text ? ", " : "", i);
    if (shards > 1) omr_print_more(text, size, " (shard %zu/%d)", i % (size_t)shards + 1, shards);
  }
  if (more) omr_print_more(text, size, " and %zu more", more);
}

static bool is_in_journal(const void *journal, size_t chunk) {
  return omr_journal_has(journal, chunk);
}

/* Waits for the lock of the process that puts the result together; *gone where it has finished
 * meanwhile. */
static omr_status lock_assembly(omr_campaign *c, int *lock, bool *gone, omr_error *error) {
  char *holder;
  bool told = false;
  for (;;) {
    /* The folder disappears with the last step of the other process. */
    *gone = omr_locks_gone(&c->parts, &c->locks);
    if (*gone) return OMR_OK;
    const omr_status status = omr_lock_assembly(&c->parts, lock, &holder, error);

    /* A failure may mean that it has just disappeared. */
    if (status != OMR_OK) {
      *gone = omr_locks_gone(&c->parts, &c->locks);
      return *gone ? OMR_OK : status;
    }
    if (!holder) break;

    /* Report the wait once. */
    if (!told && c->log) fprintf(c->log, "%s puts the result together: waiting\n", holder);
    told = true;
    free(holder);
    if (omr_campaign_stopped(c)) return omr_fail(error, OMR_ERR_INTERRUPTED, "interrupted");
    nanosleep(&(struct timespec){.tv_nsec = WAIT_MS * 1000000L}, NULL);
  }
  *gone = omr_locks_gone(&c->parts, &c->locks); /* it may have gone between the two looks */

  return OMR_OK;
}

/* The folder is gone, so another process has finished. */
static omr_status find_result(const omr_campaign *c, omr_file_outcome *outcome, omr_error *error) {
  if (!omr_is_result(c->path, &c->manifest))
    return omr_fail(error, OMR_ERR_IO,
                    "%s was taken away while this process worked on it, and no result is there",
                    c->parts.path);
  if (c->log) fprintf(c->log, "another process has put the result together\n");
  outcome->complete = outcome->was_there = true;
  return OMR_OK;
}

/* Parts that took less than half of the last digit shown are left out. */
static void print_part(const char *what, double seconds, double wall, bool *first, FILE *out) {
  const double percent = 100 * seconds / wall;
  if (percent < 0.05) return;
  fprintf(out, "%s%s %.1f %%", *first ? " (" : ", ", what, percent);
  *first = false;
}

/* "integrating 97.3 % of 35.5 s (preparing 0.9 %, statistics 0.6 %, writing 1.2 %)"; nothing where
 * nothing was integrated. */
static void print_times(const omr_times *t, FILE *out) {
  const double wall = omr_seconds() - t->begun;
  bool first = true;
  if (!out || !(t->kernels > 0) || !(wall > 0)) return;
  fprintf(out, "\nintegrating %.1f %% of %.4g s", 100 * t->kernels / wall, wall);
  print_part("building", t->build, wall, &first, out);
  print_part("preparing", t->prepare, wall, &first, out);
  print_part("transfer", t->transfer, wall, &first, out);
  print_part("statistics", t->statistics, wall, &first, out);
  print_part("writing", t->write, wall, &first, out);
  fprintf(out, "%s\n", first ? "" : ")");
}

static omr_status put_together(omr_campaign *c, size_t count, omr_file_outcome *outcome,
                               omr_error *error) {
  int lock = -1;
  bool gone;
  omr_status status = lock_assembly(c, &lock, &gone, error);
  if (status == OMR_OK && gone) {
    status = find_result(c, outcome, error);
  } else if (status == OMR_OK) {
    /* The lock is held and the folder is there: assemble. */
    omr_phase("assemble_start");
    const omr_assembly assembly = {.path = c->path,
                                   .whole = &c->plan->whole,
                                   .count = count,
                                   .chunks = count,
                                   .fetch = omr_campaign_fetch,
                                   .user = c,
                                   .sessions = c->journal.sessions,
                                   .checks = c->journal.good,
                                   .options = c->options,
                                   .refined = &c->refined,
                                   .times = &c->times};
    status = omr_assemble(&assembly, error);
    omr_phase("result_there");

    /* A result beyond the study's limits is complete, too. */
    outcome->complete =
        status == OMR_OK || status == OMR_ERR_FAILURES || status == OMR_ERR_INACCURATE;
    if (outcome->complete && !c->options->brief) print_times(&c->times, c->options->summary);

    /* A complete result needs no folder. */
    omr_error left = {0};
    if (outcome->complete && omr_folder_discard(&c->parts, &left) != OMR_OK && c->log)
      fprintf(c->log, "%s\n", left.message);
  }

  if (lock >= 0) close(lock);
  return status;
}

static omr_status run(omr_campaign *c, const omr_study *study, omr_file_outcome *outcome,
                      omr_error *error) {
  char missing[MISSING];
  size_t count = 0;

  /* Enter the folder, unless the result is there. */
  omr_status status = omr_campaign_enter(c, study, &outcome->was_there, error);
  if (status != OMR_OK || outcome->was_there) {
    outcome->complete = outcome->was_there;
    return status;
  }

  /* Compute the chunks of this process, then read the other shards' journals. */
  status = omr_campaign_work(c, &count, error);
  if (status != OMR_OK) return status;
  if (c->shards > 1) status = omr_journal_read(&c->parts, c->manifest.chunks, &c->journal, error);
  if (status != OMR_OK)
    return omr_locks_gone(&c->parts, &c->locks) ? find_result(c, outcome, error) : status;

  /* Put the result together once no chunk is missing. */
  outcome->chunks = count;
  outcome->finished = omr_journal_finished(&c->journal);
  if (c->parts_only) return OMR_OK;
  omr_name_missing(is_in_journal, &c->journal, count, c->shards, missing, sizeof missing);
  if (!missing[0]) {
    status = put_together(c, count, outcome, error);
  } else if (c->log) {
    fprintf(c->log, "shard %d/%d is done; still missing in %s: %s\n", c->shard, c->shards,
            c->parts.path, missing);
  }
  return status;
}

/* The state after a failure, and how to go on. */
static omr_status close_failed(omr_campaign *c, omr_status status, omr_file_outcome *outcome,
                               omr_error *error) {
  omr_error cause = {.status = status};
  if (error) cause = *error;

  /* Nothing was begun that could be kept. */
  if (!c->plan || c->journal.descriptor < 0) return status;
  const size_t finished = omr_journal_finished(&c->journal);
  outcome->finished = finished;
  const char *what = status == OMR_ERR_INTERRUPTED ? "interrupted" : cause.message;

  /* A run without a finished chunk leaves no folder. */
  if (!finished && c->made) {
    omr_folder_discard(&c->parts, NULL);
    if (status == OMR_ERR_INTERRUPTED)
      omr_fail(error, status, "interrupted before a chunk was finished; nothing is left");
    return status;
  }

  if (status == OMR_ERR_FAILURES) /* on_failure "abort": the same chunk would end the same way */
    return omr_fail(error, status, "%.3000s\n%zu of %zu chunks are kept in %s", what, finished,
                    c->plan->chunks, c->parts.path);

  return omr_fail(error, status,
                  "%.3000s\n%zu of %zu chunks are kept in %s; `omniroll resume %s` goes on", what,
                  finished, c->plan->chunks, c->parts.path, c->path);
}

static omr_status run_and_close(omr_campaign *c, const omr_study *study, omr_file_outcome *outcome,
                                omr_error *error) {
  omr_status status = run(c, study, outcome, error);
  if (status != OMR_OK && !outcome->complete) status = close_failed(c, status, outcome, error);
  return status;
}

static bool decides_bits(const char *override) {
  static const char *const free_to_change[] = {
      "engine.backend=", "engine.device=",         "engine.devices=",       "engine.threads=",
      "engine.lanes=",   "engine.launch_seconds=", "engine.check_seconds=", "engine.hang_seconds="};
  for (size_t i = 0; i < sizeof free_to_change / sizeof *free_to_change; i++)
    if (strncmp(override, free_to_change[i], strlen(free_to_change[i])) == 0) return false;
  return true;
}

static omr_status nothing_there(const omr_campaign *c, omr_file_outcome *outcome,
                                omr_error *error) {
  if (omr_is_result(c->path, NULL)) {
    outcome->complete = outcome->was_there = true;
    return OMR_OK;
  }
  const bool study = omr_input_kind_of(c->path) == OMR_INPUT_JSON;
  if (omr_file_exists(c->path))
    return omr_fail(
        error, OMR_ERR_IO,
        "%s is no result of omniroll run%s, and there is no folder %s of an unfinished one%s",
        c->path, study ? " but a study" : "", c->parts.path,
        study ? "; omniroll run begins one, and goes on with one" : "");
  return omr_fail(error, OMR_ERR_IO,
                  "there is neither %s nor the folder %s of an unfinished run: begin with "
                  "`omniroll run STUDY -o %s`",
                  c->path, c->parts.path, c->path);
}

/* Checked before its study is read, which another version might not understand. */
static omr_status check_build(const omr_campaign *c, const omr_manifest *m, omr_error *error) {
  char *remedy = omr_format(
      "go on with that one, or begin anew with `omniroll run STUDY -o %s --restart`", c->path);
  const omr_status status = remedy ? omr_manifest_check_build(m, c->parts.path, remedy, error)
                                   : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  free(remedy);
  return status;
}

/* A kill, or a power loss, after the end of a run may leave this: a folder that is a link stays,
 * and has to be emptied. */
static void empty_link(const omr_campaign *c) {
  omr_locks locks;
  bool gone;
  if (omr_locks_take(&c->parts, 1, 1, NULL, &locks, &gone, NULL) != OMR_OK || gone) return;
  omr_folder_discard(&c->parts, NULL);
  omr_locks_release(&locks);
}

static omr_status resume(omr_campaign *c, omr_file_outcome *outcome, omr_error *error) {
  omr_manifest manifest = {0};
  bool there = false;
  omr_phase("resume");

  /* Find the folder. */
  omr_status status = omr_parts_open(&c->parts, &there, error);
  if (status != OMR_OK) return status;
  omr_folder_sweep(&c->parts);
  if (!there) return nothing_there(c, outcome, error);

  /* Only overrides that change no bits are allowed. */
  for (size_t i = 0; i < c->options->override_count; i++) {
    if (decides_bits(c->options->overrides[i]))
      return omr_fail(error, OMR_ERR_USAGE,
                      "%s: only backend, device and threads may change when a run goes on",
                      c->options->overrides[i]);
  }

  /* The manifest has the study. */
  status = omr_manifest_read(&c->parts, &manifest, &there, error);
  if (status == OMR_OK && !there && c->parts.linked && omr_is_result(c->path, NULL)) {
    empty_link(c);
    return nothing_there(c, outcome, error);
  }
  if (status == OMR_OK && !there)
    status = omr_fail(error, OMR_ERR_IO,
                      "%s has no manifest: it was left before anything was finished. Begin with "
                      "`omniroll run STUDY -o %s`",
                      c->parts.path, c->path);

  /* Check the build, then read the study and run it. */
  if (status == OMR_OK) status = check_build(c, &manifest, error);
  if (status == OMR_OK)
    status = omr_manifest_study(&manifest, c->options->overrides, c->options->override_count,
                                &c->own, error);
  if (status == OMR_OK) status = run_and_close(c, c->own, outcome, error);

  omr_manifest_free(&manifest);
  return status;
}

omr_status omr_campaign_run(const omr_study *study, const char *path, bool parts_only,
                            const omr_file_options *options, omr_file_outcome *outcome,
                            omr_error *error) {
  omr_campaign c;
  omr_error own = {0}; /* messages grow from earlier ones, even where the caller wants none */
  if (!error) error = &own;
  *outcome = (omr_file_outcome){0};
  omr_status status = start(&c, path, options, error);
  c.parts_only = parts_only;
  if (status == OMR_OK)
    status = study ? run_and_close(&c, study, outcome, error) : resume(&c, outcome, error);
  end(&c);
  return status;
}
