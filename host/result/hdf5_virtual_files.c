/* The files that hold the rows of a virtual result: they are found below its folder, through no
 * link, and compared with their hashes before HDF5 opens them. */
#define _GNU_SOURCE /* strchrnul */
#include "hdf5_read.h"
#include "hdf5_virtual.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WHY = 400, FOLDERS = 400 };

/* The folder that holds the file itself, where the name is a link. */
static int open_folder_of(const char *path) {
  char *real = realpath(path, NULL), *named = real ? real : strdup(path);
  char *slash = named ? strrchr(named, '/') : NULL;
  if (slash) slash[slash == named] = '\0';
  const int folder = named ? open(slash ? named : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
  free(named);
  return folder;
}

omr_status omr_virtual_make(const char *path, omr_virtual **made, omr_error *error) {
  omr_virtual *v = *made = calloc(1, sizeof *v);
  if (!v) return omr_fail(error, OMR_ERR_MEMORY, "%s: out of memory", path);
  for (size_t i = 0; i < OMR_VIRTUAL_OPEN; i++)
    v->open[i] = (omr_virtual_opened){.disk = {.descriptor = -1}, .file = -1};
  v->path = strdup(path);
  v->folder = open_folder_of(path);
  if (v->path && v->folder >= 0) return OMR_OK;
  const omr_status status =
      omr_fail_file(error, OMR_ERR_IO, path, "%s: the folder that holds it cannot be read: %s.",
                    path, strerror(errno));
  omr_virtual_free(v);
  *made = NULL;
  return status;
}

static void close_one(omr_virtual_opened *one) {
  if (one->file >= 0) H5Fclose(one->file);
  if (one->disk.descriptor >= 0) close(one->disk.descriptor);
  one->file = one->disk.descriptor = -1;
}

void omr_virtual_free(omr_virtual *v) {
  if (!v) return;
  for (size_t i = 0; i < OMR_VIRTUAL_OPEN; i++) close_one(&v->open[i]);
  for (size_t i = 0; i < v->count; i++) free(v->files[i].name);
  if (v->folder >= 0) close(v->folder);
  free(v->files);
  free(v->path);
  free(v);
}

/* Relative, and with no way up. */
static bool is_below(const char *name) {
  for (const char *at = name, *end;; at = end + 1) {
    end = strchrnul(at, '/');
    const size_t length = (size_t)(end - at);
    if (length == 0 || length > NAME_MAX || (length == 1 && at[0] == '.') ||
        (length == 2 && at[0] == '.' && at[1] == '.'))
      return false;
    if (!*end) return true;
  }
}

omr_status omr_virtual_add(omr_virtual *v, const omr_virtual_file *file, omr_error *error) {
  omr_virtual_file *grown = realloc(v->files, (v->count + 1) * sizeof *grown);
  if (grown) v->files = grown;
  char *name = strdup(file->name);
  if (!grown || !name) {
    free(name);
    return omr_fail(error, OMR_ERR_MEMORY, "%s: out of memory", v->path);
  }
  grown[v->count] = *file;
  grown[v->count].name = name;
  grown[v->count].trusted = false;
  memcpy(grown[v->count++].first, v->length, sizeof v->length);

  /* a row takes more than a byte: a list that claims more is wrong, and lengths cannot overflow */
  if (!is_below(name) || strchr(name, '\n') || file->rows > file->bytes ||
      file->traced > file->rows || v->length[OMR_OVER_ROWS] + file->rows > SIZE_MAX / 4096)
    return omr_fail_file(error, OMR_ERR_IO, v->path,
                         "%s: its list of files cannot be right: \"%.200s\" with %llu rows. It "
                         "names only files below the result's own folder; write it anew.",
                         v->path, name, (unsigned long long)file->rows);
  v->length[OMR_OVER_ROWS] += file->rows;
  v->length[OMR_OVER_TRACES] += file->traced;

  return OMR_OK;
}

/* Opens a plain file below the folder, step by step and through no link; -1 with errno. */
static int open_below(int folder, const char *name) {
  char part[NAME_MAX + 1];
  struct stat there;
  int at = folder;
  if (!is_below(name)) {
    errno = EINVAL;
    return -1;
  }

  for (const char *from = name, *end;; from = end + 1) {
    /* look at the next part of the name, which is no link */
    end = strchrnul(from, '/');
    snprintf(part, sizeof part, "%.*s", (int)(end - from), from);
    const bool last = !*end;
    int next = fstatat(at, part, &there, AT_SYMLINK_NOFOLLOW) == 0 ? 0 : -1;
    if (next == 0 && S_ISLNK(there.st_mode)) errno = ELOOP, next = -1;
    if (next == 0 && last && !S_ISREG(there.st_mode)) errno = EINVAL, next = -1;

    /* open it, and leave the folder above */
    if (next == 0)
      next =
          openat(at, part,
                 (last ? O_NONBLOCK | O_NOCTTY : O_DIRECTORY) | O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    const int cause = errno;
    if (at != folder) close(at);
    errno = cause;
    if (last || next < 0) return next;
    at = next;
  }
}

static int open_checked(const omr_virtual *v, size_t number, char *why, size_t size) {
  struct stat there;
  const omr_virtual_file *f = &v->files[number];
  const int file = open_below(v->folder, f->name);
  if (file < 0) {
    snprintf(why, size, "%s",
             errno == ENOENT   ? "is missing"
             : errno == ELOOP  ? "is or leads through a symbolic link, which is not followed"
             : errno == EINVAL ? "is no plain file"
                               : strerror(errno));
    return -1;
  }
  if (fstat(file, &there) == 0 && S_ISREG(there.st_mode) && (uint64_t)there.st_size == f->bytes)
    return file;
  snprintf(why, size, "has another length than the one that was joined");
  close(file);
  return -1;
}

/* The folders of the files, each once with a space before and after. */
static void list_folders(const omr_virtual *v, char *text, size_t size) {
  char folder[PATH_MAX];
  size_t length = (size_t)snprintf(text, size, " ");
  for (size_t i = 0; i < v->count; i++) {
    const char *name = v->files[i].name, *slash = strrchr(name, '/');
    const int end = slash ? (int)(slash - name) : 1;
    snprintf(folder, sizeof folder, " %.*s ", end, slash ? name : ".");
    if (strstr(text, folder)) continue;
    if (length + strlen(folder) + 4 > size) {
      snprintf(text + length, size - length, "... ");
      return;
    }
    length += (size_t)snprintf(text + length, size - length, "%s", folder + 1);
  }
}

omr_status omr_virtual_check(const omr_virtual *v, omr_error *error) {
  char why[WHY], folders[FOLDERS];
  for (size_t i = 0; i < v->count; i++) {
    const int file = open_checked(v, i, why, sizeof why);
    if (file >= 0) {
      close(file);
      continue;
    }
    list_folders(v, folders, sizeof folders);
    return omr_fail_file(error, OMR_ERR_IO, v->path,
                         "%s: is virtual, over %zu file%s below its folder, and %.300s %s. Put the "
                         "folders and the result beside each other again, or make a result with "
                         "rows of its own where they are: omniroll merge -o FILE%.*s",
                         v->path, v->count, v->count == 1 ? "" : "s", v->files[i].name, why,
                         (int)strlen(folders) - 1, folders);
  }
  return OMR_OK;
}

/* An open file that has its hash; -1 with the reason. */
static int open_trusted(omr_virtual *v, size_t number, char *why, size_t size) {
  char hash[33];
  uint64_t bytes = 0;
  omr_virtual_file *f = &v->files[number];
  const int file = open_checked(v, number, why, size);
  if (file < 0 || f->trusted) return file;
  errno = 0;
  if (!omr_hash_descriptor(file, &bytes, hash)) {
    snprintf(why, size, "%s", errno ? strerror(errno) : "cannot be read");
  } else if (bytes == f->bytes && strcmp(hash, f->hash) == 0) {
    f->trusted = true;
    return file;
  } else {
    snprintf(why, size, "differs from what was joined, by its checksum");
  }
  close(file);
  return -1;
}

bool omr_virtual_trust(omr_virtual *v, size_t number, char *why, size_t size) {
  const int file = open_trusted(v, number, why, size);
  if (file >= 0) close(file);
  return file >= 0;
}

hid_t omr_virtual_file_open(omr_virtual *v, size_t number) {
  char why[WHY], text[2 * WHY];
  for (size_t i = 0; i < OMR_VIRTUAL_OPEN; i++)
    if (v->open[i].file >= 0 && v->open[i].number == number) return v->open[i].file;
  omr_virtual_opened *one = &v->open[v->turn++ % OMR_VIRTUAL_OPEN];
  close_one(one);
  const int file = open_trusted(v, number, why, sizeof why);
  if (file < 0) {
    snprintf(text, sizeof text, "%.300s %s", v->files[number].name, why);
    omr_hdf5_say(text);
    return -1;
  }
  *one = (omr_virtual_opened){.disk = {.descriptor = file}, .number = number};
  const hid_t access = omr_disk_access(&one->disk);
  one->file = H5Fopen("omniroll", H5F_ACC_RDONLY, access);
  H5Pclose(access);
  return one->file;
}
