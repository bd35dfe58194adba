/* Joins the folders that shards filled on their own machines. */
#include "campaign.h"
#include "into_file.h"

#include "../result/hdf5_virtual.h"
#include "../support/input.h"
#include "folder.h"
#include "partial_file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { WHY = 512, WHAT = 700, LISTED = 1500 };

typedef struct source_folder {
  omr_parts parts;
  omr_manifest manifest;
  omr_journal journal;
  omr_locks locks;
} source_folder;

typedef struct merger {
  const omr_file_options *options;
  const char *path;       /* of the result */
  const char *first_name; /* of the first operand */
  source_folder *folders;
  omr_partial_file *partials; /* files of merge --partial */
  size_t count, file_count, sessions, checks;
  int shards; /* shards of the study; 1: unknown */
  omr_study *own, study;
  omr_plan *plan;
  omr_virtual *files; /* of the chunks, where the rows stay in them */
  size_t *holder;     /* [plan->chunks], number of the folder that has the chunk; count: none */
  bool *in_file;      /* [plan->chunks], likewise a file has it */
  size_t *items; /* [item_count], what is joined: files, then file_count + the number of a chunk */
  size_t item_count;
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

/* The manifest of the first operand, and its name. */
static const omr_manifest *manifest_of(const merger *m) {
  return m->count ? &m->folders[0].manifest : &m->partials[0].manifest;
}

/* A file of merge --partial, where no folder has its name. */
static bool is_file(const char *name) {
  char *folder = omr_format("%s" OMR_FOLDER_SUFFIX, name);
  const bool other = folder && omr_is_folder(folder);
  free(folder);
  return !other && omr_file_exists(name) && !omr_is_folder(name) &&
         omr_input_kind_of(name) == OMR_INPUT_HDF5;
}

/* Opens a folder or file and counts it. */
static omr_status open_operand(merger *m, const char *name, const omr_manifest **manifest,
                               omr_error *error) {
  if (is_file(name)) {
    omr_partial_file *f = &m->partials[m->file_count++];
    m->first_name = m->first_name ? m->first_name : name;
    *manifest = &f->manifest;
    const omr_status status = omr_partial_file_open(name, f, error);
    m->sessions += f->sessions;
    m->checks += f->checks;
    return status;
  }

  source_folder *f = &m->folders[m->count++];
  const omr_status status = open_folder(f, name, m->options, error);
  m->first_name = m->first_name ? m->first_name : f->parts.path;
  *manifest = &f->manifest;
  m->sessions += f->journal.sessions;
  m->checks += f->journal.good;
  if (f->journal.shards > m->shards) m->shards = f->journal.shards;
  return status;
}

static omr_status open_all(merger *m, const char *const *names, size_t count, omr_error *error) {
  char what[WHAT];
  const omr_manifest *first = NULL, *own;
  omr_status status = OMR_OK;
  for (size_t i = 0; status == OMR_OK && i < count; i++) {
    status = open_operand(m, names[i], &own, error);
    if (status != OMR_OK) break;
    if (!first) first = own;
    if (omr_manifest_differs(first, own, what, sizeof what))
      status = omr_fail(error, OMR_ERR_IO,
                        "%s and %s belong to different runs: %s (the first is meant by \"was\", "
                        "the second by \"now\")",
                        m->first_name, names[i], what);
  }

  return status;
}

static omr_status read_study(merger *m, omr_error *error) {
  const omr_manifest *manifest = manifest_of(m);

  /* the study as it was begun */
  omr_status status =
      omr_manifest_check_build(manifest, m->first_name, "join it with that one", error);
  if (status == OMR_OK) status = omr_manifest_study(manifest, NULL, 0, &m->own, error);
  if (status != OMR_OK) return status;
  m->study =
      omr_study_as_kept(m->own, manifest->study_text, manifest->study_name, manifest->study_hash);
  status = omr_check_strict(&m->study, m->options, error);
  if (status == OMR_OK) status = omr_plan_make(&m->study, &m->plan, error);

  /* neither an adaptive run nor rows have parts that can be joined like this */
  if (status == OMR_OK && m->plan->ops->take)
    status = omr_fail(error, OMR_ERR_USAGE,
                      "the chunks of this study depend on each other, so it has no shards to join; "
                      "`omniroll resume %s` finishes it",
                      m->first_name);
  if (status == OMR_OK && m->options->partial && !m->study.rows.summed)
    status = omr_fail(error, OMR_ERR_USAGE,
                      "--partial joins statistics, and the study keeps its rows; join all of its "
                      "shards at once, or run it with output.rows \"none\"");
  return status;
}

static omr_status expected_chunk(const merger *m, size_t i, omr_chunk_expected *chunk,
                                 omr_error *error) {
  bool end;
  *chunk = (omr_chunk_expected){.whole = &m->plan->whole,
                                .precision = manifest_of(m)->precision,
                                .numerics = manifest_of(m)->numerics,
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

/* Whether a folder or a file has the chunk. */
static bool is_there(const void *user, size_t chunk) {
  const merger *m = user;
  return m->holder[chunk] < m->count || m->in_file[chunk];
}

/* Takes the chunks of the files; a chunk counts once. */
static omr_status find_files(merger *m, omr_error *error) {
  for (size_t f = 0; f < m->file_count; f++) {
    for (size_t i = 0; i < m->plan->chunks; i++) {
      if (m->partials[f].there[i] && m->in_file[i])
        return omr_fail(error, OMR_ERR_USAGE,
                        "chunk %zu is in two of the files, %s among them, and sums of it cannot be "
                        "taken apart; give each chunk once",
                        i, m->partials[f].name);
      m->in_file[i] = m->in_file[i] || m->partials[f].there[i];
    }
    m->items[m->item_count++] = f;
  }
  return OMR_OK;
}

static omr_status find_all(merger *m, omr_file_outcome *outcome, omr_error *error) {
  char missing[LISTED];
  m->holder = calloc(m->plan->chunks + 1, sizeof *m->holder);
  m->in_file = calloc(m->plan->chunks + 1, sizeof *m->in_file);
  m->items = calloc(m->plan->chunks + m->file_count + 1, sizeof *m->items);
  if (!m->holder || !m->in_file || !m->items)
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  outcome->chunks = m->plan->chunks;
  const omr_status found = find_files(m, error);
  if (found != OMR_OK) return found;

  /* Find the folder of each other chunk. */
  for (size_t i = 0; i < m->plan->chunks; i++) {
    omr_chunk_expected chunk;
    const omr_status status = expected_chunk(m, i, &chunk, error);
    if (status != OMR_OK) return status;
    m->holder[i] = m->in_file[i] ? m->count : find_holder(m, &chunk);
    if (m->holder[i] < m->count) m->items[m->item_count++] = m->file_count + i;
    outcome->finished += is_there(m, i);
  }

  /* Name the chunks that nothing has. */
  if (outcome->finished == outcome->chunks || m->options->partial) return OMR_OK;
  omr_name_missing(is_there, m, m->plan->chunks, m->shards, missing, sizeof missing);

  return omr_fail(
      error, OMR_ERR_IO,
      "%zu of %zu chunks are missing or damaged: %s. Give the folders that have them, or run those "
      "shards again (`omniroll resume DIR` computes what one folder lacks).",
      outcome->chunks - outcome->finished, outcome->chunks, missing);
}

/* The folder's name from the result's folder on, or NULL. */
static char *name_below(const char *result, const char *folder) {
  char *above = realpath(result, NULL), *inner = realpath(folder, NULL), *name = NULL;
  const size_t length = above ? strlen(above) : 0;
  if (inner && length && strncmp(inner, above, length) == 0 &&
      (inner[length] == '/' || length == 1))
    name = strdup(inner + length + (length > 1));
  free(above);
  free(inner);
  return name;
}

static omr_status name_folder(const merger *m, const source_folder *folder, char **name,
                              omr_error *error) {
  const char *slash = strrchr(m->path, '/');
  char *above = slash ? strndup(m->path, (size_t)(slash - m->path) + 1) : strdup(".");
  *name = above ? name_below(above, folder->parts.path) : NULL;
  free(above);
  if (*name && !strchr(*name, '\n')) return OMR_OK;
  free(*name);
  *name = NULL;
  return omr_fail(error, OMR_ERR_IO,
                  "%s is not below the folder of %s, and with --virtual the rows stay in it: put "
                  "the result or the folder elsewhere, or join them without --virtual",
                  folder->parts.path, m->path);
}

static omr_status name_chunk(merger *m, size_t i, const char *folder, omr_error *error) {
  omr_chunk_expected chunk;
  const source_folder *holder = &m->folders[m->holder[i]];
  const omr_chunk *stored = &holder->journal.chunks[i];
  const omr_part *whole = &m->plan->whole;
  omr_status status = expected_chunk(m, i, &chunk, error);
  if (status != OMR_OK) return status;
  char *path = omr_chunk_path(&holder->parts, i),
       *name = path ? omr_format("%s%s", folder, strrchr(path, '/')) : NULL;
  omr_virtual_file file = {.name = name, .rows = chunk.last - chunk.first, .bytes = stored->bytes};
  memcpy(file.hash, stored->hash, sizeof file.hash);
  const size_t from = omr_part_traced_from(whole, omr_part_row(whole, chunk.first)),
               to = omr_part_traced_from(whole, omr_part_row(whole, chunk.last - 1) + 1);
  file.traced = file.rows ? to - from : 0;

  status = name ? omr_virtual_add(m->files, &file, error)
                : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  free(name);
  free(path);

  return status;
}

/* Lists the files of the chunks, where the rows stay in them. */
static omr_status list_files(merger *m, omr_error *error) {
  if (!m->options->in_place) return OMR_OK;
  if (m->study.rows.summed || m->options->partial)
    return omr_fail(error, OMR_ERR_USAGE,
                    "--virtual leaves rows in the chunks, and %s; leave --virtual out",
                    m->options->partial ? "--partial joins none" : "the study keeps none");
  if (omr_study_traced_later(m->plan->whole.study))
    return omr_fail(error, OMR_ERR_USAGE,
                    "this study traces instances that are known only with all rows (largest, "
                    "smallest): join it without --virtual");
  char **names = calloc(m->count, sizeof *names);
  omr_status status = names ? omr_virtual_make(m->path, &m->files, error)
                            : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  for (size_t f = 0; status == OMR_OK && f < m->count; f++)
    status = name_folder(m, &m->folders[f], &names[f], error);
  for (size_t i = 0; status == OMR_OK && i < m->plan->chunks; i++)
    status = name_chunk(m, i, names[m->holder[i]], error);
  if (status == OMR_OK) status = omr_virtual_check(m->files, error);
  for (size_t f = 0; names && f < m->count; f++) free(names[f]);
  free(names);

  return status;
}

/* Item `item`: a file's result, which the assembly destroys, or a chunk. */
static omr_status fetch(void *user, size_t item, omr_result **result, omr_error *error) {
  const merger *m = user;

  /* a file was read when it was opened */
  if (m->items[item] < m->file_count) {
    omr_partial_file *f = &m->partials[m->items[item]];
    *result = f->result;
    f->result = NULL;
    return OMR_OK;
  }

  /* a chunk is read from its folder */
  const size_t i = m->items[item] - m->file_count;
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
  omr_times times = {.begun = omr_seconds()};
  omr_refined refined;
  omr_status status = omr_refined_make(m->plan->whole.study, &refined, error);
  if (status != OMR_OK) return status;
  const omr_assembly assembly = {.path = m->path,
                                 .whole = &m->plan->whole,
                                 .count = m->item_count,
                                 .chunks = m->plan->chunks,
                                 .fetch = fetch,
                                 .user = m,
                                 .sessions = m->sessions,
                                 .checks = m->checks,
                                 .options = m->options,
                                 .refined = &refined,
                                 .times = &times,
                                 .files = m->files};
  status = omr_assemble(&assembly, error);
  omr_refined_free(&refined);

  return status;
}

/* Joins the chunks that are there to a file for a later merge. */
static omr_status join_partial(merger *m, omr_error *error) {
  bool *there = calloc(m->plan->chunks + 1, sizeof *there);
  if (!there) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");

  /* gather the chunks that are there */
  for (size_t i = 0; i < m->plan->chunks; i++) there[i] = is_there(m, i);
  const omr_covered covered = {m->plan->chunks, m->plan->chunk_rows, there};
  omr_gathered gathered;
  omr_status status = omr_gathered_make(&m->plan->whole, &covered, true, &gathered, error);
  for (size_t i = 0; status == OMR_OK && i < m->item_count; i++) {
    omr_result *part = NULL;
    status = fetch(m, i, &part, error);
    if (status == OMR_OK) status = omr_gathered_add(&gathered, part, error);
    omr_result_destroy(part);
  }

  /* a result with their statistics, which says what it covers */
  if (status == OMR_OK) status = omr_gathered_pack(&gathered, error);
  if (status == OMR_OK) status = omr_statistics_keep(&m->study, gathered.rows, error);
  if (status == OMR_OK)
    status =
        omr_partial_file_cover(gathered.rows, manifest_of(m), there, m->sessions, m->checks, error);
  if (status == OMR_OK) status = omr_result_write(gathered.rows, m->path, error);
  omr_gathered_free(&gathered);
  free(there);

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

/* Every folder stays open while it is locked: itself, its list and its lock. Returns the limit of
 * open files as it was. */
static struct rlimit allow_files(size_t folders) {
  enum { EACH = 3, OTHERS = 64 };
  struct rlimit was = {0, 0}, more;
  if (getrlimit(RLIMIT_NOFILE, &was) != 0) return was;
  more = was;
  const rlim_t wanted = (rlim_t)(EACH * folders + OTHERS);
  if (was.rlim_cur != RLIM_INFINITY && was.rlim_cur < wanted)
    more.rlim_cur = wanted < was.rlim_max ? wanted : was.rlim_max;
  setrlimit(RLIMIT_NOFILE, &more);
  return was;
}

static void free_all(merger *m) {
  for (size_t i = 0; m->folders && i < m->count; i++) {
    omr_journal_free(&m->folders[i].journal);
    omr_locks_release(&m->folders[i].locks);
    omr_manifest_free(&m->folders[i].manifest);
    omr_parts_free(&m->folders[i].parts);
  }
  for (size_t i = 0; m->partials && i < m->file_count; i++) omr_partial_file_free(&m->partials[i]);
  omr_virtual_free(m->files);
  omr_plan_close(m->plan);
  omr_study_destroy(m->own);
  free(m->partials);
  free(m->in_file);
  free(m->items);
  free(m->holder);
  free(m->folders);
}

omr_status omr_campaign_merge(const char *const *folders, size_t count, const char *path,
                              const omr_file_options *options, omr_file_outcome *outcome,
                              omr_error *error) {
  *outcome = (omr_file_outcome){0};
  if (count == 0) return omr_fail(error, OMR_ERR_USAGE, "there is no folder to join");
  merger m = {.options = options, .path = path, .shards = 1};
  m.folders = calloc(count, sizeof *m.folders);
  m.partials = calloc(count, sizeof *m.partials);
  if (!m.folders || !m.partials) {
    free_all(&m);
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  }

  /* From here on all folders can be closed. */
  for (size_t i = 0; i < count; i++) {
    m.folders[i].parts = (omr_parts)OMR_PARTS_NONE;
    m.folders[i].journal.descriptor = -1;
    m.folders[i].locks = (omr_locks){-1, -1};
  }

  /* The folders are of one study, and its result has a place. */
  const struct rlimit limit = allow_files(count);
  omr_status status = open_all(&m, folders, count, error);
  if (status == OMR_OK) status = read_study(&m, error);
  if (status == OMR_OK)
    status =
        omr_check_occupied(path, manifest_of(&m), m.options->overwrite, m.options->run.log, error);

  /* Every chunk has to be in one of them, unless a part is wanted. */
  if (status == OMR_OK) status = find_all(&m, outcome, error);
  if (status == OMR_OK) status = list_files(&m, error);
  if (status == OMR_OK) status = options->partial ? join_partial(&m, error) : assemble(&m, error);

  outcome->complete =
      status == OMR_OK || status == OMR_ERR_FAILURES || status == OMR_ERR_INACCURATE;
  if (outcome->complete && !options->partial && !options->in_place) discard_own(&m);
  free_all(&m);
  if (limit.rlim_max) setrlimit(RLIMIT_NOFILE, &limit);
  return status;
}
