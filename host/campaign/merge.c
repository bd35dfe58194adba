/* Joins the folders that shards filled on their own machines. */
#include "campaign.h"
#include "into_file.h"

#include "folder.h"

#include <stdlib.h>
#include <string.h>

enum { WHY = 512, WHAT = 700, LISTED = 1500 };

typedef struct source_folder {
  omr_parts parts;
  omr_manifest manifest;
  omr_journal journal;
  omr_locks locks;
} source_folder;

typedef struct merger {
  const omr_file_options *options;
  const char *path; /* of the result */
  source_folder *folders;
  size_t count, sessions, checks;
  int shards; /* shards of the study; 1: unknown */
  omr_study *own, study;
  omr_plan *plan;
  size_t *holder; /* [plan->chunks], number of the folder that has the chunk; count: none */
} merger;

/* A folder by its result's name or its own: a copy may have any name. */
static omr_status find_folder(source_folder *f, const char *name, bool foreign, omr_error *error) {
  char *result = omr_result_path(name);
  char *path = result ? omr_format("%s" OMR_FOLDER_SUFFIX, result) : NULL;
  bool there = false;
  free(result);

  /* Try the folder of a result of this name. */
  omr_status status = path ? omr_parts_begin(&f->parts, path, foreign, error)
                           : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  free(path);
  if (status == OMR_OK) status = omr_parts_open(&f->parts, &there, error);
  if (status != OMR_OK || there) return status;

  /* Otherwise take it as the name of a folder. */
  omr_parts_free(&f->parts);
  if (!omr_is_folder(name))
    return omr_fail(error, OMR_ERR_IO,
                    "%s%s%s; merge takes the folders that shards filled, such as part1.h5.parts",
                    omr_file_exists(name) ? "" : "there is no folder ", name,
                    omr_file_exists(name) ? " is a file, no folder" : "");
  status = omr_parts_begin(&f->parts, name, foreign, error);
  if (status == OMR_OK) status = omr_parts_open(&f->parts, &there, error);
  return status == OMR_OK && !there
             ? omr_fail(error, OMR_ERR_IO, "%s was taken away by another process", name)
             : status;
}

static omr_status open_folder(source_folder *f, const char *name, const omr_file_options *options,
                              omr_error *error) {
  bool there = false, gone = false;
  omr_status status = find_folder(f, name, options->foreign_folder, error);
  if (status == OMR_OK) status = omr_manifest_read(&f->parts, &f->manifest, &there, error);
  if (status != OMR_OK) return status;
  if (!there)
    return omr_fail(error, OMR_ERR_IO, "%s has no %s: it is no folder of an unfinished run",
                    f->parts.path, OMR_MANIFEST_NAME);
  status = omr_locks_take(&f->parts, 1, 1, options->run.log, &f->locks, &gone, error);
  if (gone)
    status = omr_fail(error, OMR_ERR_IO, "%s was taken away by another process", f->parts.path);
  f->journal.sources = f->manifest.sources;
  return status == OMR_OK ? omr_journal_read(&f->parts, f->manifest.chunks, &f->journal, error)
                          : status;
}

static omr_status open_all(merger *m, const char *const *names, omr_error *error) {
  char what[WHAT];
  omr_status status = OMR_OK;
  for (size_t i = 0; status == OMR_OK && i < m->count; i++) {
    source_folder *f = &m->folders[i];
    status = open_folder(f, names[i], m->options, error);
    if (status != OMR_OK) break;
    m->sessions += f->journal.sessions;
    m->checks += f->journal.good;
    if (f->journal.shards > m->shards) m->shards = f->journal.shards;
    if (i && omr_manifest_differs(&m->folders[0].manifest, &f->manifest, what, sizeof what))
      status = omr_fail(
          error, OMR_ERR_IO,
          "%s and %s belong to different runs: %s (the first is meant by \"was\", the second by "
          "\"now\")",
          m->folders[0].parts.path, f->parts.path, what);
  }
  return status;
}

static omr_status read_study(merger *m, omr_error *error) {
  const omr_manifest *manifest = &m->folders[0].manifest;
  omr_status status =
      omr_manifest_check_build(manifest, m->folders[0].parts.path, "join it with that one", error);
  if (status == OMR_OK) status = omr_manifest_study(manifest, NULL, 0, &m->own, error);
  if (status != OMR_OK) return status;
  m->study =
      omr_study_as_kept(m->own, manifest->study_text, manifest->study_name, manifest->study_hash);
  status = omr_check_strict(&m->study, m->options, error);
  if (status == OMR_OK) status = omr_plan_make(&m->study, &m->plan, error);
  if (status == OMR_OK && m->plan->ops->take)
    status = omr_fail(
        error, OMR_ERR_USAGE,
        "the chunks of this study depend on each other, so it has no shards to join; `omniroll "
        "resume %s` finishes it",
        m->folders[0].parts.path);
  return status;
}

static omr_status expected_chunk(const merger *m, size_t i, omr_chunk_expected *chunk,
                                 omr_error *error) {
  bool end;
  *chunk = (omr_chunk_expected){.whole = &m->plan->whole,
                                .precision = m->folders[0].manifest.precision,
                                .numerics = m->folders[0].manifest.numerics,
                                .number = i};
  return m->plan->ops->part(m->plan, i, &chunk->first, &chunk->last, &end, error);
}

/* The first folder whose file of the chunk is whole. */
static size_t find_holder(const merger *m, const omr_chunk_expected *chunk) {
  char why[WHY];
  for (size_t f = 0; f < m->count; f++) {
    const source_folder *folder = &m->folders[f];
    if (!omr_journal_has(&folder->journal, chunk->number)) continue;
    if (omr_chunk_check(&folder->parts, chunk, &folder->journal.chunks[chunk->number], why,
                        sizeof why))
      return f;
    if (m->options->run.log)
      fprintf(m->options->run.log, "chunk %zu in %s is left out: %s\n", chunk->number,
              folder->parts.path, why);
  }
  return m->count;
}

static void list_missing(const merger *m, char *text, size_t size) {
  size_t length = 0, more = 0;
  for (size_t i = 0; i < m->plan->chunks; i++) {
    if (m->holder[i] < m->count) continue;
    if (length + 60 > size) {
      more++;
      continue;
    }
    length += (size_t)snprintf(text + length, size - length, "%s%zu", length ? ", " : "", i);
    if (m->shards > 1)
      length += (size_t)snprintf(text + length, size - length, " (shard %zu/%d)",
                                 i % (size_t)m->shards + 1, m->shards);
  }
  if (more) snprintf(text + length, size - length, " and %zu more", more);
}

static omr_status find_all(merger *m, omr_file_outcome *outcome, omr_error *error) {
  char missing[LISTED];
  m->holder = calloc(m->plan->chunks + 1, sizeof *m->holder);
  if (!m->holder) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  outcome->chunks = m->plan->chunks;

  /* Find the folder of each chunk. */
  for (size_t i = 0; i < m->plan->chunks; i++) {
    omr_chunk_expected chunk;
    const omr_status status = expected_chunk(m, i, &chunk, error);
    if (status != OMR_OK) return status;
    m->holder[i] = find_holder(m, &chunk);
    outcome->finished += m->holder[i] < m->count;
  }

  /* Name the chunks that no folder has. */
  if (outcome->finished == outcome->chunks) return OMR_OK;
  list_missing(m, missing, sizeof missing);
  return omr_fail(error, OMR_ERR_IO,
                  "%zu of %zu chunks are missing or damaged: %s. Give the folders that have them, "
                  "or run those shards again "
                  "(`omniroll resume DIR` computes what one folder lacks).",
                  outcome->chunks - outcome->finished, outcome->chunks, missing);
}

static omr_status fetch(void *user, size_t i, omr_result **result, omr_error *error) {
  const merger *m = user;
  const source_folder *folder = &m->folders[m->holder[i]];
  const omr_run_options *o = &m->options->run;
  omr_chunk_expected chunk;
  char why[WHY];
  if (o->progress && !o->progress(o->progress_user, (double)i, (double)m->plan->chunks))
    return omr_fail(error, OMR_ERR_INTERRUPTED, "interrupted; the folders are as they were");
  const omr_status status = expected_chunk(m, i, &chunk, error);
  if (status != OMR_OK) return status;
  chunk.study_hash = folder->manifest.study_hash; /* each shard may have threads of its own */
  *result = omr_chunk_load(&folder->parts, &chunk, &folder->journal.chunks[i], why, sizeof why);
  return *result ? OMR_OK
                 : omr_fail(error, OMR_ERR_IO, "chunk %zu in %s: %s", i, folder->parts.path, why);
}

static omr_status assemble(merger *m, omr_error *error) {
  omr_times times = {0};
  omr_refined refined;
  omr_status status = omr_refined_make(m->plan->whole.study, &refined, error);
  if (status != OMR_OK) return status;
  const omr_assembly assembly = {.path = m->path,
                                 .whole = &m->plan->whole,
                                 .count = m->plan->chunks,
                                 .fetch = fetch,
                                 .user = m,
                                 .sessions = m->sessions,
                                 .checks = m->checks,
                                 .options = m->options,
                                 .refined = &refined,
                                 .times = &times};
  status = omr_assemble(&assembly, error);
  omr_refined_free(&refined);
  return status;
}

/* The result's own folder is no longer needed, as at the end of a run. */
static void discard_own(const merger *m) {
  char *own = omr_format("%s" OMR_FOLDER_SUFFIX, m->path);
  omr_error left = {0};
  for (size_t f = 0; own && f < m->count; f++) {
    if (strcmp(own, m->folders[f].parts.path) == 0 &&
        omr_folder_discard(&m->folders[f].parts, &left) != OMR_OK && m->options->run.log)
      fprintf(m->options->run.log, "%s\n", left.message);
  }
  free(own);
}

static void free_all(merger *m) {
  for (size_t i = 0; m->folders && i < m->count; i++) {
    omr_journal_free(&m->folders[i].journal);
    omr_locks_release(&m->folders[i].locks);
    omr_manifest_free(&m->folders[i].manifest);
    omr_parts_free(&m->folders[i].parts);
  }
  omr_plan_close(m->plan);
  omr_study_destroy(m->own);
  free(m->holder);
  free(m->folders);
}

omr_status omr_campaign_merge(const char *const *folders, size_t count, const char *path,
                              const omr_file_options *options, omr_file_outcome *outcome,
                              omr_error *error) {
  *outcome = (omr_file_outcome){0};
  if (count == 0) return omr_fail(error, OMR_ERR_USAGE, "there is no folder to join");
  merger m = {.options = options, .path = path, .count = count, .shards = 1};
  m.folders = calloc(count, sizeof *m.folders);
  if (!m.folders) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");

  /* From here on all folders can be closed. */
  for (size_t i = 0; i < count; i++) {
    m.folders[i].parts = (omr_parts)OMR_PARTS_NONE;
    m.folders[i].journal.descriptor = -1;
    m.folders[i].locks = (omr_locks){-1, -1};
  }

  /* The folders are of one study, and its result has a place. */
  omr_status status = open_all(&m, folders, error);
  if (status == OMR_OK) status = read_study(&m, error);
  if (status == OMR_OK)
    status = omr_check_occupied(path, &m.folders[0].manifest, m.options->overwrite,
                                m.options->run.log, error);

  /* Every chunk has to be in one of them. */
  if (status == OMR_OK) status = find_all(&m, outcome, error);
  if (status == OMR_OK) status = assemble(&m, error);

  outcome->complete =
      status == OMR_OK || status == OMR_ERR_FAILURES || status == OMR_ERR_INACCURATE;
  if (outcome->complete) discard_own(&m);
  free_all(&m);
  return status;
}
