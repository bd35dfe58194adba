/* Files and folders held against their checksums. */
#define _GNU_SOURCE
#include "../result/verified.h"
#include "../study/json/json.h"
#include "chunk.h"
#include "folder.h"
#include "manifest.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

enum { WHY = 512 };

/* FOLDER */

/* Reads the manifest as far as possible; without one there is no number of chunks. */
static omr_status check_manifest(const omr_parts *parts, omr_manifest *manifest,
                                 omr_verified *found, omr_error *error) {
  omr_error cause = {0};
  bool there = false;
  const omr_status status = omr_manifest_read(parts, manifest, &there, &cause);
  if (status == OMR_ERR_MEMORY) return omr_fail(error, status, "%s", cause.message);
  if (status != OMR_OK)
    omr_verified_problem(found, OMR_MANIFEST_NAME, cause.message);
  else if (!there)
    omr_verified_problem(found, OMR_MANIFEST_NAME, "is missing: the folder is of no run");
  else if (omr_manifest_check_build(manifest, parts->path, "that one alone goes on with it",
                                    &cause) != OMR_OK)
    omr_verified_note(found, OMR_MANIFEST_NAME, cause.message);
  if (status != OMR_OK || !there) manifest->chunks = SIZE_MAX;
  return OMR_OK;
}

static omr_status check_journal(const omr_parts *parts, const char *name, const char *sources,
                                omr_verified *found, omr_error *error) {
  char *text, what[WHY], other[33];
  size_t length = 0;
  if (omr_parts_read(parts, name, &text, &length, error) != 0) return OMR_ERR_IO;
  const size_t damaged = omr_journal_damaged(text, length);
  snprintf(what, sizeof what, "%zu lines do not have the checksum that they end in", damaged);
  if (damaged) omr_verified_problem(found, name, what);
  if (omr_journal_of_others(text, length, sources, other)) {
    snprintf(what, sizeof what,
             "chunks were added by another omniroll: the hash of its sources is %s, that of the "
             "folder %s",
             other, sources);
    omr_verified_problem(found, name, what);
  }
  free(text);
  return OMR_OK;
}

static void check_chunk(const omr_parts *parts, size_t number, const omr_chunk *stored,
                        omr_verified *found) {
  const omr_chunk_expected chunk = {.number = number, .first = stored->first, .last = stored->last};
  char where[64], why[WHY] = "";
  snprintf(where, sizeof where, "chunk %zu", number);
  found->checked++;
  if (!omr_chunk_check(parts, &chunk, stored, why, sizeof why))
    omr_verified_problem(found, where, why);
}

/* Journals, and files of chunks that no journal names. */
static omr_status check_names(const omr_parts *parts, const omr_journal *journal,
                              const char *sources, omr_verified *found, omr_error *error) {
  omr_status status = OMR_OK;
  DIR *listing = omr_parts_list(parts);
  if (!listing) return omr_fail(error, OMR_ERR_IO, "cannot read the folder %s", parts->path);
  for (struct dirent *entry; status == OMR_OK && (entry = readdir(listing));) {
    int shard, shards, end = 0;
    size_t number;
    if (omr_is_journal(entry->d_name, &shard, &shards))
      status = check_journal(parts, entry->d_name, sources, found, error);
    if (sscanf(entry->d_name, "chunk-%zu.h5%n", &number, &end) == 1 && end && !entry->d_name[end] &&
        !omr_journal_has(journal, number)) {
      found->unchecked++;
      omr_verified_note(found, entry->d_name, "no journal names it: it is computed again");
    }
  }
  closedir(listing);
  return status;
}

static omr_status check_open_folder(const omr_parts *parts, omr_verified *found, omr_error *error) {
  omr_journal journal = {.descriptor = -1};
  omr_manifest manifest = {0};
  omr_status status = check_manifest(parts, &manifest, found, error);
  journal.sources = manifest.sources;
  if (status == OMR_OK) status = omr_journal_read(parts, manifest.chunks, &journal, error);
  if (status == OMR_OK) status = check_names(parts, &journal, manifest.sources, found, error);
  for (size_t i = 0; status == OMR_OK && i < journal.count; i++)
    if (journal.chunks[i].there) check_chunk(parts, i, &journal.chunks[i], found);
  omr_journal_free(&journal);
  omr_manifest_free(&manifest);
  return status;
}

/* The folder is only read, so that its owner does not matter. */
static omr_status check_folder(const char *folder, omr_verified *found, omr_error *error) {
  omr_parts parts = OMR_PARTS_NONE;
  bool there = false;
  found->kind = "folder";
  omr_status status = omr_parts_begin(&parts, folder, true, error);
  if (status == OMR_OK) status = omr_parts_open(&parts, &there, error);
  if (status == OMR_OK && !there)
    status = omr_fail_file(error, OMR_ERR_IO, folder, "%s: is not there any more", folder);
  if (status == OMR_OK) status = check_open_folder(&parts, found, error);
  omr_parts_free(&parts);
  return status;
}

/* A folder is verified if it has a manifest or the name of a folder of parts; a file is a result.
 */
static omr_status verify(const char *path, omr_verified *found, omr_error *error) {
  if (!omr_is_folder(path)) return omr_verify_result(path, found, error);
  const size_t length = strlen(path), suffix = strlen(OMR_FOLDER_SUFFIX);
  size_t end = length;
  while (end > 1 && path[end - 1] == '/') end--;
  const bool named = end > suffix && strncmp(path + end - suffix, OMR_FOLDER_SUFFIX, suffix) == 0;
  char *manifest = omr_join(path, OMR_MANIFEST_NAME);
  const bool has = manifest && omr_file_exists(manifest);
  free(manifest);
  if (named || has) return check_folder(path, found, error);
  return omr_fail_file(error, OMR_ERR_IO, path,
                       "%s: is a folder, but not FILE.parts of an unfinished run; give a result in "
                       "it, such as %s/study.h5",
                       path, path);
}

/* REPORT */

static omr_status verdict(const char *path, const omr_verified *found, omr_error *error) {
  const bool folder = strcmp(found->kind, "folder") == 0;
  if (found->failed) return omr_fail(error, OMR_ERR_MEMORY, "%s: out of memory", path);
  if (found->problem_count == 0) return OMR_OK;
  return omr_fail_file(error, OMR_ERR_IO, path,
                       "%s: is damaged in %zu place%s, the first %s: %.300s. %s", path,
                       found->problem_count, found->problem_count == 1 ? "" : "s",
                       found->problems[0].where, found->problems[0].what,
                       folder ? "omniroll resume computes such chunks again; a damaged manifest "
                                "asks for omniroll run --restart."
                              : "Take a copy, or write it anew with omniroll run.");
}

omr_status omr_verify(const char *path, FILE *out, omr_error *error) {
  omr_verified found = {0};
  omr_status status = verify(path, &found, error);
  const char *what = found.kind && strcmp(found.kind, "folder") == 0 ? "chunks" : "parts";
  for (size_t i = 0; status == OMR_OK && i < found.problem_count; i++)
    fprintf(out, "%s: %s\n", found.problems[i].where, found.problems[i].what);
  for (size_t i = 0; status == OMR_OK && i < found.note_count; i++)
    fprintf(out, "%s: %s\n", found.notes[i].where, found.notes[i].what);
  if (status == OMR_OK)
    fprintf(out, "%s: %zu %s checked, %zu without checksum, %zu problem%s\n", path, found.checked,
            what, found.unchecked, found.problem_count, found.problem_count == 1 ? "" : "s");
  if (status == OMR_OK) status = verdict(path, &found, error);
  omr_verified_free(&found);
  return status;
}

static void add_list(cJSON *root, const char *name, const omr_finding *list, size_t count) {
  cJSON *array = omr_tree_list(root, name);
  for (size_t i = 0; i < count; i++) {
    cJSON *one = omr_tree_row(array);
    omr_tree_text(one, "where", list[i].where);
    omr_tree_text(one, "what", list[i].what);
  }
}

static char *print_json(const char *path, const omr_verified *found) {
  cJSON *root = cJSON_CreateObject();
  omr_tree_text(root, "path", path);
  omr_tree_text(root, "kind", found->kind);
  omr_tree_number(root, "checked", (double)found->checked);
  omr_tree_number(root, "unchecked", (double)found->unchecked);
  add_list(root, "problems", found->problems, found->problem_count);
  add_list(root, "notes", found->notes, found->note_count);
  char *text = omr_json_print(root);
  cJSON_Delete(root);
  return text;
}

omr_status omr_verify_json(const char *path, char **json, omr_error *error) {
  omr_verified found = {0};
  *json = NULL;
  omr_status status = verify(path, &found, error);
  if (status == OMR_OK && !(*json = print_json(path, &found)))
    status = omr_fail(error, OMR_ERR_MEMORY, "%s: out of memory", path);
  if (status == OMR_OK) status = verdict(path, &found, error);
  omr_verified_free(&found);
  return status;
}
