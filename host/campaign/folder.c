#define _GNU_SOURCE
#include "folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TRASH_SUFFIX ".done"

char *omr_format(const char *format, ...) {
  char *text = NULL;
  va_list args;
  va_start(args, format);
  const int length = vasprintf(&text, format, args);
  va_end(args);
  return length < 0 ? NULL : text;
}

char *omr_join(const char *folder, const char *name) {
  return omr_format("%s/%s", folder, name);
}

char *omr_chunk_path(const omr_parts *parts, size_t chunk) {
  return omr_format("%s/chunk-%06zu.h5", parts->path, chunk);
}

bool omr_is_folder(const char *path) {
  struct stat there;
  return stat(path, &there) == 0 && S_ISDIR(there.st_mode);
}

bool omr_file_exists(const char *path) {
  struct stat there;
  return stat(path, &there) == 0;
}

char *omr_result_path(const char *path) {
  size_t length = strlen(path);
  while (length > 1 && path[length - 1] == '/') length--;
  const size_t suffix = strlen(OMR_FOLDER_SUFFIX);
  if (length > suffix && strncmp(path + length - suffix, OMR_FOLDER_SUFFIX, suffix) == 0)
    length -= suffix;
  return strndup(path, length);
}

static void remove_kind(const omr_parts *parts, omr_ours kind) {
  DIR *listing = omr_parts_list(parts);
  for (struct dirent *entry; listing && (entry = readdir(listing));)
    if (omr_is_ours(parts, entry->d_name, kind)) unlinkat(parts->folder, entry->d_name, 0);
  if (listing) closedir(listing);
}

/* A power loss in between leaves a folder without a manifest. */
static void remove_files(const omr_parts *parts, omr_ours last) {
  remove_kind(parts, OMR_OUR_MANIFEST);
  omr_sync_open_folder(parts->folder);
  for (omr_ours kind = OMR_OUR_MANIFEST + 1; kind <= last; kind++) remove_kind(parts, kind);
  omr_sync_open_folder(parts->folder);
}

void omr_folder_empty(const omr_parts *parts) {
  remove_files(parts, OMR_OUR_JOURNAL);
}

void omr_folder_sweep_temporaries(const omr_parts *parts) {
  remove_kind(parts, OMR_OUR_TEMPORARY);
}

static bool begin_trash(const omr_parts *parts, omr_parts *trash, omr_error *error) {
  char *path = omr_format("%s" TRASH_SUFFIX, parts->path);
  const bool begun = path && omr_parts_begin(trash, path, parts->foreign, error) == OMR_OK;
  if (!path) omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  free(path);
  return begun;
}

void omr_folder_sweep(const omr_parts *parts) {
  omr_parts trash = OMR_PARTS_NONE;
  bool there = false;
  if (begin_trash(parts, &trash, NULL) && omr_parts_open(&trash, &there, NULL) == OMR_OK && there &&
      !trash.linked) {
    remove_files(&trash, OMR_OUR_LOCK);
    unlinkat(trash.above, trash.name, AT_REMOVEDIR);
  }
  omr_parts_free(&trash);
}

/* Whether foreign files are in it; a network file system makes hidden ones of files that are still
 * open. */
static bool has_others(const omr_parts *parts) {
  DIR *listing = omr_parts_list(parts);
  bool found = false;
  for (struct dirent *entry; listing && !found && (entry = readdir(listing));)
    found = entry->d_name[0] != '.';
  if (listing) closedir(listing);
  return found;
}

/* The folder under its other name; the descriptor is the same folder's. */
static omr_status throw_away(const omr_parts *parts, const omr_parts *trash, omr_error *error) {
  if (!omr_parts_same(parts)) return OMR_OK; /* another process was faster */
  if (renameat(parts->above, parts->name, parts->above, trash->name) != 0 && errno != ENOENT)
    return omr_fail(error, OMR_ERR_IO, "cannot remove the folder %s: %s. Remove it by hand.",
                    parts->path, strerror(errno));
  omr_parts_sync_above(parts);
  remove_files(parts, OMR_OUR_LOCK);
  if (unlinkat(parts->above, trash->name, AT_REMOVEDIR) == 0 || !has_others(parts)) return OMR_OK;
  return omr_fail(
      error, OMR_ERR_IO,
      "%s is done with, but holds files that are not omniroll's; look at them and remove it",
      trash->path);
}

omr_status omr_folder_discard(const omr_parts *parts, omr_error *error) {
  omr_parts trash = OMR_PARTS_NONE;
  if (parts->linked) {
    remove_files(parts, OMR_OUR_LOCK);
    return OMR_OK;
  }
  omr_folder_sweep(parts);
  const omr_status status =
      begin_trash(parts, &trash, error) ? throw_away(parts, &trash, error) : OMR_ERR_MEMORY;
  omr_parts_free(&trash);
  return status;
}

void omr_sweep_temporaries(const char *path) {
  const char *slash = strrchr(path, '/');
  char *above = slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
  char *start = omr_format("%s.tmp-", slash ? slash + 1 : path);
  DIR *listing = above && start ? opendir(above) : NULL;
  for (struct dirent *entry; listing && (entry = readdir(listing));) {
    if (strncmp(entry->d_name, start, strlen(start)) != 0) continue;
    const char *number = entry->d_name + strlen(start);
    if (*number && strspn(number, "0123456789") == strlen(number))
      unlinkat(dirfd(listing), entry->d_name, 0);
  }
  if (listing) closedir(listing);
  free(above);
  free(start);
}
