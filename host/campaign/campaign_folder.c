/* How a process enters a folder: it makes it or finds it, locks it, and sees whether it is the same
 * run. */
#include "campaign.h"

#include "../support/phase.h"
#include "folder.h"
#include "into_file.h"
#include "needs.h"
#include "shard.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { ENTRY_TRIES = 50, WHAT = 700 };

static omr_status refuse(const omr_campaign *c, const omr_manifest *now, const char *what,
                         omr_error *error) {
  const size_t finished = omr_journal_finished(&c->journal);
  if (!omr_manifest_same_build(&c->manifest, now))
    return omr_fail(error, OMR_ERR_IO,
                    "%s holds %zu finished chunks made by another omniroll: %s. Go on with that "
                    "one, forget them with --restart, or choose another file with -o.",
                    c->parts.path, finished, what);
  return omr_fail(error, OMR_ERR_IO,
                  "%s holds %zu finished chunks of another run: %s. Go on with that one by "
                  "`omniroll resume %s`, forget it with --restart, or choose another file with -o.",
                  c->parts.path, finished, what, c->path);
}

/* Writes the manifest, or takes over the existing one. */
static omr_status agree(omr_campaign *c, const omr_manifest *now, omr_error *error) {
  char what[WHAT];
  bool there;
  omr_status status = omr_manifest_read(&c->parts, &c->manifest, &there, error);

  /* Chunks that another omniroll has finished count, so that they are not lost. */
  c->journal.sources = omr_manifest_same_build(&c->manifest, now) ? c->manifest.sources : NULL;
  if (status == OMR_OK)
    status =
        omr_journal_read(&c->parts, there ? c->manifest.chunks : now->chunks, &c->journal, error);
  if (status != OMR_OK) return status;

  /* The folder of another run is refused, or emptied if it has no finished chunk. */
  if (there && omr_manifest_differs(&c->manifest, now, what, sizeof what)) {
    if (c->shards > 1 || omr_journal_finished(&c->journal)) return refuse(c, now, what, error);
    if (c->log)
      fprintf(c->log, "%s was left by another run without a finished chunk (%s): begun anew\n",
              c->parts.path, what);
    there = false;
  }

  /* Write the manifest. */
  if (there) return OMR_OK;
  omr_manifest_free(&c->manifest);
  if (c->shards <= 1) {
    omr_folder_empty(&c->parts);
    status = omr_journal_read(&c->parts, now->chunks, &c->journal, error);
  }
  if (status == OMR_OK) status = omr_manifest_write(now, &c->parts, error);
  if (status == OMR_OK) status = omr_manifest_read(&c->parts, &c->manifest, &there, error);

  /* Another process may have written one at the same moment. */
  if (status == OMR_OK && (!there || omr_manifest_differs(&c->manifest, now, what, sizeof what)))
    status =
        omr_fail(error, OMR_ERR_IO,
                 "%s: another process began another study here at the same moment; start again",
                 c->parts.path);

  c->made = c->shards <= 1;
  return status;
}

static omr_status forget(omr_campaign *c, omr_error *error) {
  omr_locks locks;
  bool there, gone;
  const omr_status opened = omr_parts_open(&c->parts, &there, error);
  if (opened != OMR_OK || !there) return opened;
  if (c->shards > 1)
    return omr_fail(error, OMR_ERR_USAGE,
                    "--restart would forget what other shards have done; remove %s yourself before "
                    "the shards start, or begin anew in one process with --restart --shard none",
                    c->parts.path);
  const omr_status status = omr_locks_take(&c->parts, 1, 1, c->log, &locks, &gone, error);
  if (gone) return OMR_OK;
  if (status != OMR_OK) return status;
  const omr_status done = omr_folder_discard(&c->parts, error);
  omr_locks_release(&locks);
  return done;
}

/* The study's text is the manifest's, whatever engine this process was started with. */
static omr_status join_in(omr_campaign *c, const omr_manifest *now, omr_error *error) {
  omr_status status = agree(c, now, error);
  if (status != OMR_OK) return status;
  if (c->shards <= 1) omr_folder_sweep_temporaries(&c->parts);
  c->study = omr_study_as_kept(&c->study, c->manifest.study_text, c->manifest.study_name,
                               c->manifest.study_hash);
  return omr_journal_open(&c->parts, c->shard, c->shards, &c->journal, error);
}

/* Whether a run is in the folder: a folder that is a link stays when its run has ended. */
static bool has_run(const omr_campaign *c, bool open) {
  struct stat manifest;
  if (!open || !c->parts.linked) return open;
  return fstatat(c->parts.folder, OMR_MANIFEST_NAME, &manifest, AT_SYMLINK_NOFOLLOW) == 0;
}

/* The process that finishes the result may remove the folder between any two steps. */
static omr_status enter(omr_campaign *c, const omr_manifest *now, bool *there, omr_error *error) {
  for (int i = 0; i < ENTRY_TRIES; i++) {
    bool open = false, gone = false;
    omr_status status = omr_parts_open(&c->parts, &open, error);
    if (status != OMR_OK) return status;

    /* A shard may find the result that the others put together. */
    omr_folder_sweep(&c->parts);
    *there = c->shards > 1 && !has_run(c, open) && omr_is_result(c->path, now);
    if (*there) return OMR_OK;

    /* Make the folder and lock it, unless it has gone again. */
    status = omr_parts_make(&c->parts, &open, error);
    if (status != OMR_OK) return status;
    if (!open) continue;
    status = omr_locks_take(&c->parts, c->shard, c->shards, c->log, &c->locks, &gone, error);
    if (gone) continue;

    /* Join the run; only a folder that has gone is another try. */
    if (status == OMR_OK) status = join_in(c, now, error);
    if (status == OMR_OK || !omr_locks_gone(&c->parts, &c->locks)) return status;
    omr_locks_release(&c->locks);
    omr_manifest_free(&c->manifest);
  }
  return omr_fail(error, OMR_ERR_IO,
                  "%s comes and goes: other processes seem to begin and end there; start again",
                  c->parts.path);
}

/* Shards may find the result that another shard has put together. */
static omr_status check_occupied(const omr_campaign *c, const omr_manifest *now, omr_error *error) {
  const omr_status status = omr_check_not_read(c->path, now, error);
  if (status != OMR_OK || c->own || (c->shards > 1 && omr_is_result(c->path, now))) return status;
  return omr_check_occupied(c->path, now, c->options->overwrite, c->log, error);
}

static omr_status count_needs(const omr_campaign *c, omr_needs *needs, omr_error *error) {
  const omr_status status = omr_needs_count(&c->study, c->plan, needs, error);
  omr_needs_look_at_disk(c->path, needs);
  return status == OMR_OK ? omr_needs_check_memory(needs, error) : status;
}

/* The share of all chunks that this process still has to write. */
static double share_left(const omr_campaign *c) {
  const double chunks = (double)c->plan->chunks;
  return fmax(1 - (double)omr_journal_finished(&c->journal) / chunks, 0) / c->shards;
}

omr_status omr_campaign_enter(omr_campaign *c, const omr_study *study, bool *there,
                              omr_error *error) {
  omr_manifest now = {0};
  omr_needs needs;
  const bool sized = !c->options->oversize;
  *there = false;
  omr_phase("enter");
  c->study = *study;

  /* Plan the study and check its demands. */
  omr_status status = omr_plan_make(&c->study, &c->plan, error);
  if (status == OMR_OK && sized) status = count_needs(c, &needs, error);
  if (status == OMR_OK) status = omr_check_strict(&c->study, c->options, error);
  if (status == OMR_OK) status = omr_refined_make(&c->study, &c->refined, error);

  /* A plan that waits for results runs in one process. */
  if (status == OMR_OK && c->plan->ops->take && (c->shards > 1 || c->parts_only))
    status = omr_fail(
        error, OMR_ERR_USAGE,
        "the chunks of this study depend on what came out before: it runs in one process; start it "
        "without mpirun, array job or --shard, or say --shard none in one of them");

  /* The result's place has to be free, and the disk large enough. */
  if (status == OMR_OK)
    status = omr_manifest_make(study, c->plan->chunk_rows, c->plan->chunks, &now, error);
  if (status == OMR_OK) status = check_occupied(c, &now, error);
  if (status == OMR_OK && c->options->restart) status = forget(c, error);
  if (status == OMR_OK && sized && !omr_is_folder(c->parts.path)) /* before anything is made */
    status = omr_needs_check_disk(&needs, c->parts.path, share_left(c), error);

  /* Once inside, the finished chunks are known: check the disk again. */
  if (status == OMR_OK) status = enter(c, &now, there, error);
  if (status == OMR_OK && sized && !*there)
    status = omr_needs_check_disk(&needs, c->parts.path, share_left(c), error);

  omr_manifest_free(&now);
  return status;
}
