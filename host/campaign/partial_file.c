#include "partial_file.h"

#include "../result/reader.h"
#include "../study/json/json.h"

#include <stdlib.h>
#include <string.h>

/* {"manifest": ..., "chunks": [[0, 4], [6, 7]], "sessions": 2, "checks": 0}: pairs of a first chunk
 * and the one after the last. */
static void add_chunks(cJSON *root, const bool *there, size_t count) {
  cJSON *chunks = omr_tree_list(root, "chunks");
  for (size_t i = 0, end; i < count; i = end) {
    for (end = i; end < count && there[end]; end++) continue;
    const double pair[] = {(double)i, (double)end};
    if (end > i)
      omr_tree_append(chunks, cJSON_CreateDoubleArray(pair, 2));
    else
      end = i + 1;
  }
}

/* A line of the warnings, which a merge takes out again. */
#define PART_OF_RUN "this file is a part of a run: it has "

static void warn_of_part(omr_result *result, const bool *there, size_t count) {
  char others[OMR_WARNINGS];
  size_t chunks = 0;
  for (size_t i = 0; i < count; i++) chunks += there[i];
  if (chunks == count) return;
  memcpy(others, result->warnings, sizeof others);
  snprintf(result->warnings, sizeof result->warnings,
           PART_OF_RUN "%zu of %zu chunks; omniroll merge joins it with the others", chunks, count);
  omr_add_warnings(result->warnings, others);
}

static void unwarn_of_part(char *warnings) {
  char *line = strstr(warnings, PART_OF_RUN);
  if (!line) return;
  const char *end = line + strcspn(line, "\n");
  if (*end)
    end++;
  else if (line > warnings)
    line--; /* the last line ends the one before */
  memmove(line, end, strlen(end) + 1);
}

omr_status omr_partial_file_cover(omr_result *result, const omr_manifest *manifest,
                                  const bool *there, size_t sessions, size_t checks,
                                  omr_error *error) {
  cJSON *root = cJSON_CreateObject();
  omr_tree_add(root, "manifest", omr_manifest_tree(manifest));
  add_chunks(root, there, manifest->chunks);
  omr_tree_number(root, "sessions", (double)sessions);
  omr_tree_number(root, "checks", (double)checks);
  free(result->coverage);
  result->coverage = omr_json_print(root);
  warn_of_part(result, there, manifest->chunks);
  cJSON_Delete(root);
  return result->coverage ? OMR_OK : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
}

static bool take_range(const cJSON *range, size_t count, bool *there) {
  const cJSON *first = cJSON_GetArrayItem(range, 0), *last = cJSON_GetArrayItem(range, 1);
  if (!cJSON_IsNumber(first) || !cJSON_IsNumber(last) || !(first->valuedouble >= 0) ||
      !(last->valuedouble > first->valuedouble) || !(last->valuedouble <= (double)count))
    return false;
  for (size_t i = (size_t)first->valuedouble; i < (size_t)last->valuedouble; i++) there[i] = true;
  return true;
}

static size_t count_of(const cJSON *root, const char *name) {
  const double value = cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(root, name));
  return value >= 0 && value <= 0x1p53 ? (size_t)value : 0;
}

enum { MOST_CHUNKS = 1 << 24 };

static omr_status take_coverage(const char *path, omr_partial_file *f, omr_error *error) {
  cJSON *root = cJSON_Parse(f->result->coverage);
  const cJSON *chunks = cJSON_GetObjectItemCaseSensitive(root, "chunks"), *range;
  omr_status status = omr_manifest_take(cJSON_GetObjectItemCaseSensitive(root, "manifest"), path,
                                        &f->manifest, error);
  if (status == OMR_OK && f->manifest.chunks <= MOST_CHUNKS)
    f->there = calloc(f->manifest.chunks + 1, sizeof *f->there);
  bool good = f->there && cJSON_IsArray(chunks);
  cJSON_ArrayForEach(range, chunks) good = good && take_range(range, f->manifest.chunks, f->there);
  f->sessions = count_of(root, "sessions");
  f->checks = count_of(root, "checks");
  cJSON_Delete(root);
  if (status != OMR_OK || good) return status;

  return omr_fail_file(
      error, OMR_ERR_IO, path,
      "%s: does not say which chunks it has; make it anew with omniroll merge --partial", path);
}

omr_status omr_partial_file_open(const char *path, omr_partial_file *f, omr_error *error) {
  *f = (omr_partial_file){.name = path};
  const omr_status status = omr_result_open(path, &f->result, error);
  if (status != OMR_OK) return status;
  unwarn_of_part(f->result->warnings);
  if (!f->result->coverage || !f->result->partial)
    return omr_fail_file(error, OMR_ERR_IO, path,
                         "%s is a file, no folder, and a whole result; merge takes the folders "
                         "that shards filled, such as part1.h5.parts, and files of merge --partial",
                         path);
  return take_coverage(path, f, error);
}

void omr_partial_file_free(omr_partial_file *f) {
  omr_result_destroy(f->result);
  omr_manifest_free(&f->manifest);
  free(f->there);
  *f = (omr_partial_file){0};
}
