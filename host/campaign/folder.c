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

char *omr_chunk_path(const char *folder, size_t chunk) {
  return omr_format("%s/chunk-%06zu.h5", folder, chunk);
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

static void sync_above(const char *path) {
  const char *slash = strrchr(path, '/');
  char *above = slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
  if (above) omr_sync_folder(above);
  free(above);
}

omr_status omr_folder_make(const char *folder, omr_error *error) {
  if (mkdir(folder, 0777) == 0) {
    sync_above(folder);
    return OMR_OK;
  }
  if (errno == EEXIST && omr_is_folder(folder)) return OMR_OK;
  return omr_fail(error, OMR_ERR_IO,
                  "cannot make the folder %s for the parts of the result: %s. Allow writing there, "
                  "make room, or choose another "
                  "place with -o FILE.",
                  folder, strerror(errno));
}

static bool starts(const char *name, const char *start) {
  return strncmp(name, start, strlen(start)) == 0;
}

static bool is_lock(const char *name) {
  return starts(name, "lock") || starts(name, "assemble.lock");
}

/* What omniroll makes in the folder: the rest is somebody else's. */
static bool is_ours(const char *name) {
  return starts(name, OMR_MANIFEST_NAME) || starts(name, "chunk-") || starts(name, "chunks-") ||
         is_lock(name);
}

static void remove_files(const char *folder, bool locks) {
  DIR *listing = opendir(folder);
  if (!listing) return;
  for (struct dirent *entry; (entry = readdir(listing));) {
    if (is_ours(entry->d_name) && (locks || !is_lock(entry->d_name)))
      unlinkat(dirfd(listing), entry->d_name, 0);
  }
  closedir(listing);
}

void omr_folder_empty(const char *folder) {
  remove_files(folder, false);
}

void omr_folder_sweep(const char *folder) {
  char *trash = omr_format("%s" TRASH_SUFFIX, folder);
  if (trash && omr_is_folder(trash)) {
    remove_files(trash, true);
    rmdir(trash);
  }
  free(trash);
}

/* Whether files of somebody else are in it; hidden ones are what a network file system makes of
 * files that are still open. */
static bool has_others(const char *folder) {
  DIR *listing = opendir(folder);
  bool found = false;
  for (struct dirent *entry; listing && !found && (entry = readdir(listing));)
    found = entry->d_name[0] != '.';
  if (listing) closedir(listing);
  return found;
}

omr_status omr_folder_discard(const char *folder, omr_error *error) {
  char *trash = omr_format("%s" TRASH_SUFFIX, folder);
  if (!trash) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  omr_folder_sweep(folder);
  omr_status status = OMR_OK;
  if (rename(folder, trash) != 0 && errno != ENOENT)
    status = omr_fail(error, OMR_ERR_IO, "cannot remove the folder %s: %s. Remove it by hand.",
                      folder, strerror(errno));
  if (status == OMR_OK) {
    sync_above(folder);
    omr_folder_sweep(folder);
    if (has_others(trash))
      status = omr_fail(
          error, OMR_ERR_IO,
          "%s is done with, but holds files that are not omniroll's; look at them and remove it",
          trash);
  }
  free(trash);
  return status;
}

void omr_folder_sweep_temporaries(const char *folder) {
  DIR *listing = opendir(folder);
  for (struct dirent *entry; listing && (entry = readdir(listing));)
    if (is_ours(entry->d_name) && strstr(entry->d_name, ".tmp-"))
      unlinkat(dirfd(listing), entry->d_name, 0);
  if (listing) closedir(listing);
}

void omr_sweep_temporaries(const char *path) {
  const char *slash = strrchr(path, '/');
  char *above = slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
  char *start = omr_format("%s.tmp-", slash ? slash + 1 : path);
  DIR *listing = above && start ? opendir(above) : NULL;
  for (struct dirent *entry; listing && (entry = readdir(listing));) {
    if (!starts(entry->d_name, start)) continue;
    const char *number = entry->d_name + strlen(start);
    if (*number && strspn(number, "0123456789") == strlen(number))
      unlinkat(dirfd(listing), entry->d_name, 0);
  }
  if (listing) closedir(listing);
  free(above);
  free(start);
}
