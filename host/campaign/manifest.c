#define _GNU_SOURCE /* get_current_dir_name */
#include "manifest.h"

#include "../study/json/json.h"
#include "../support/replace.h"
#include "folder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

omr_status omr_manifest_make(const omr_study *study, size_t chunk_rows, size_t chunks,
                             omr_manifest *manifest, omr_error *error) {
  *manifest = (omr_manifest){.format = OMR_MANIFEST_FORMAT,
                             .chunk_rows = chunk_rows,
                             .rows = study->instances,
                             .chunks = chunks,
                             .study_name = strdup(study->name),
                             .working_folder = get_current_dir_name(),
                             .study_text = strdup(study->text)};
  snprintf(manifest->version, sizeof manifest->version, "%s", omr_version());
  snprintf(manifest->precision, sizeof manifest->precision, "%s",
           study->engine.precision == OMR_SINGLE_PRECISION ? "single" : "double");
  snprintf(manifest->numerics, sizeof manifest->numerics, "%s", omr_study_numerics(study));
  snprintf(manifest->sources, sizeof manifest->sources, "%s", omr_sources());
  memcpy(manifest->study_hash, study->hash, sizeof manifest->study_hash);
  if (manifest->study_name && manifest->working_folder && manifest->study_text) return OMR_OK;
  return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
}

void omr_manifest_free(omr_manifest *manifest) {
  free(manifest->study_name);
  free(manifest->working_folder);
  free(manifest->study_text);
  *manifest = (omr_manifest){0};
}

cJSON *omr_manifest_tree(const omr_manifest *m) {
  char now[32];
  cJSON *root = cJSON_CreateObject();
  omr_utc(now);
  omr_tree_number(root, "format", m->format);
  omr_tree_text(root, "omniroll_version", m->version);
  omr_tree_text(root, "sources", m->sources);
  omr_tree_text(root, "precision", m->precision);
  omr_tree_text(root, "numerics", m->numerics);
  omr_tree_number(root, "rows", (double)m->rows);
  omr_tree_number(root, "chunk_rows", (double)m->chunk_rows);
  omr_tree_number(root, "chunks", (double)m->chunks);
  omr_tree_text(root, "created", now);
  omr_tree_text(root, "build", omr_build_info());
  omr_tree_text(root, "study_name", m->study_name);
  omr_tree_text(root, "working_folder", m->working_folder);
  omr_tree_text(root, "study_hash", m->study_hash);
  omr_tree_add(root, "study", cJSON_Parse(m->study_text));
  return root;
}

omr_status omr_manifest_write(const omr_manifest *manifest, const omr_parts *parts,
                              omr_error *error) {
  cJSON *tree = omr_manifest_tree(manifest);
  char *path = omr_join(parts->path, OMR_MANIFEST_NAME), *text = omr_json_print(tree);
  omr_status status = path && text ? OMR_OK : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  omr_replace file;
  if (status == OMR_OK) status = omr_replace_open_in(&file, parts->folder, path, error);
  if (status == OMR_OK && !omr_write_all(file.descriptor, text, strlen(text))) {
    status = omr_replace_fail(&file, errno, error);
    omr_replace_discard(&file);
  } else if (status == OMR_OK) {
    status = omr_replace_finish(&file, error);
  }
  cJSON_Delete(tree);
  free(path);
  free(text);
  return status;
}

static bool take_text(const cJSON *root, const char *name, char *text, size_t size) {
  const char *value = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(root, name));
  if (!value || strlen(value) >= size) return false;
  snprintf(text, size, "%s", value);
  return true;
}

static bool take_count(const cJSON *root, const char *name, size_t *count) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(root, name);
  if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0) || !(item->valuedouble <= 0x1p53))
    return false;
  *count = (size_t)item->valuedouble;
  return true;
}

static char *copy_text(const cJSON *root, const char *name) {
  const char *value = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(root, name));
  return value ? strdup(value) : NULL;
}

/* The study's text is printed anew; its hash shows whether it came out unchanged. */
static bool take_study(const cJSON *root, omr_manifest *m) {
  const cJSON *study = cJSON_GetObjectItemCaseSensitive(root, "study");
  char hash[33];
  m->study_name = copy_text(root, "study_name");
  m->working_folder = copy_text(root, "working_folder");
  m->study_text = study ? omr_json_print(study) : NULL;
  if (!m->study_name || !m->working_folder || !m->study_text) return false;
  omr_hash_hex(m->study_text, strlen(m->study_text), hash);
  return take_text(root, "study_hash", m->study_hash, sizeof m->study_hash) &&
         strcmp(hash, m->study_hash) == 0;
}

static bool take_all(const cJSON *root, omr_manifest *m) {
  take_text(root, "sources", m->sources, sizeof m->sources);
  return take_text(root, "omniroll_version", m->version, sizeof m->version) &&
         take_text(root, "precision", m->precision, sizeof m->precision) &&
         take_text(root, "numerics", m->numerics, sizeof m->numerics) &&
         take_count(root, "rows", &m->rows) && take_count(root, "chunk_rows", &m->chunk_rows) &&
         take_count(root, "chunks", &m->chunks) && take_study(root, m);
}

omr_status omr_manifest_take(const cJSON *tree, const char *path, omr_manifest *manifest,
                             omr_error *error) {
  size_t format = 0;
  *manifest = (omr_manifest){0};
  manifest->format = OMR_MANIFEST_FORMAT;
  if (take_count(tree, "format", &format) && format == OMR_MANIFEST_FORMAT &&
      take_all(tree, manifest))
    return OMR_OK;
  omr_manifest_free(manifest);
  return omr_fail_file(
      error, OMR_ERR_IO, path,
      "%s: has no manifest that this omniroll %s knows: it is damaged, or of another version", path,
      omr_version());
}

/* Takes the text of an existing manifest. */
static omr_status take_manifest(const char *path, const char *text, size_t length,
                                omr_manifest *manifest, omr_error *error) {
  omr_json json = {0};
  omr_error cause = {0};
  size_t format = 0;
  omr_status status = OMR_OK;

  /* A whole manifest has a known format and all its members. */
  const bool whole = omr_json_parse(&json, text, length, path, &cause) == OMR_OK &&
                     cJSON_IsObject(json.root) && take_count(json.root, "format", &format);
  if (whole && format != OMR_MANIFEST_FORMAT)
    status =
        omr_fail(error, OMR_ERR_IO,
                 "%s has format %zu, and this omniroll %s knows format %d alone: continue with the "
                 "omniroll that wrote it, or begin anew with `omniroll run ... --restart`",
                 path, format, omr_version(), OMR_MANIFEST_FORMAT);
  else if (!(whole && take_all(json.root, manifest)))
    status =
        omr_fail(error, OMR_ERR_IO,
                 "%s is damaged (%s), and without it the parts beside it mean nothing: begin anew "
                 "with `omniroll run ... --restart`",
                 path,
                 cause.message[0] ? cause.message
                                  : "it lacks members, or the study is not what its hash says");

  manifest->format = (int)format;
  omr_json_free(&json);
  return status;
}

omr_status omr_manifest_read(const omr_parts *parts, omr_manifest *manifest, bool *there,
                             omr_error *error) {
  char *path = omr_join(parts->path, OMR_MANIFEST_NAME), *text = NULL;
  size_t length = 0;
  *manifest = (omr_manifest){0};
  *there = false;
  if (!path) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  omr_status status = OMR_OK;
  omr_error reading = {0};
  *there = omr_parts_read(parts, OMR_MANIFEST_NAME, &text, &length, &reading) == 0;
  if (*there)
    status = take_manifest(path, text, length, manifest, error);
  else if (errno != ENOENT)
    status = omr_fail(error, reading.status, "%s", reading.message);
  free(text);
  free(path);
  if (status != OMR_OK) omr_manifest_free(manifest);
  return status;
}

char *omr_manifest_path(const omr_manifest *manifest) {
  const bool relative = manifest->study_name[0] != '/' && strcmp(manifest->study_name, "-") != 0;
  return relative ? omr_join(manifest->working_folder, manifest->study_name)
                  : strdup(manifest->study_name);
}

omr_status omr_manifest_study(const omr_manifest *manifest, const char *const *overrides,
                              size_t count, omr_study **study, omr_error *error) {
  char *name = omr_manifest_path(manifest);
  omr_status status =
      name ? omr_study_parse(manifest->study_text, name, overrides, count, study, error)
           : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  free(name);
  return status;
}
