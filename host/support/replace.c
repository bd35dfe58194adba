/* Files that replace others completely or not at all. */
#define _GNU_SOURCE /* memfd_create */
#include "replace.h"
#include "phase.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static char *folder_of(const char *path) {
  const char *slash = strrchr(path, '/');
  if (!slash) return strdup(".");
  return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

static void release(omr_replace *file) {
  free(file->path);
  free(file->folder);
  free(file->temporary);
  *file = (omr_replace){.descriptor = -1, .at = -1};
}

static bool name_all(omr_replace *file, int at, const char *path) {
  omr_text temporary = {0};
  omr_text_print(&temporary, "%s.tmp-%ld", path, (long)getpid());
  *file = (omr_replace){
      strdup(path), folder_of(path), temporary.failed ? NULL : temporary.data, -1, at, NULL};
  if (temporary.failed) omr_text_free(&temporary);
  return file->path && file->folder && file->temporary;
}

/* The folder for the system's calls: the open one, or the current one with the path. */
static int base(const omr_replace *file) {
  return file->at >= 0 ? file->at : AT_FDCWD;
}

static const char *seen(const omr_replace *file, const char *path) {
  const char *slash = file->at >= 0 ? strrchr(path, '/') : NULL;
  return slash ? slash + 1 : path;
}

static bool is_folder(const omr_replace *file) {
  struct stat there;
  return fstatat(base(file), seen(file, file->path), &there, 0) == 0 && S_ISDIR(there.st_mode);
}

static omr_status create(omr_replace *file, omr_error *error) {
  const char *name = seen(file, file->temporary);
  if (is_folder(file))
    return omr_fail(error, OMR_ERR_IO,
                    "%s: is a folder. Give the name of a file, for example %s/result.h5.",
                    file->path, file->path);
  unlinkat(base(file), name, 0); /* a killed process with this number may have left it */
  file->descriptor =
      openat(base(file), name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (file->descriptor >= 0) return OMR_OK;
  return omr_fail(error, OMR_ERR_IO,
                  "%s: cannot create a file in the folder %s: %s. Create the folder or allow "
                  "writing in it, or choose another path.",
                  file->path, file->folder, strerror(errno));
}

omr_status omr_replace_open_in(omr_replace *file, int at, const char *path, omr_error *error) {
  const omr_status status =
      name_all(file, at, path)
          ? create(file, error)
          : omr_fail(error, OMR_ERR_MEMORY, "%s: out of memory before the file could be written.",
                     path);
  if (status != OMR_OK) release(file);
  return status;
}

omr_status omr_replace_open(omr_replace *file, const char *path, omr_error *error) {
  return omr_replace_open_in(file, -1, path, error);
}

static omr_status fail_image(const char *name, int cause, omr_error *error) {
  return omr_fail(error, OMR_ERR_MEMORY,
                  "%s: cannot be held in memory: %s. Write it to a file, or make room.", name,
                  strerror(cause));
}

omr_status omr_replace_open_image(omr_replace *file, const char *name, omr_image *image,
                                  omr_error *error) {
  *image = (omr_image){0};
  *file = (omr_replace){.path = strdup(name), .descriptor = -1, .at = -1, .image = image};
  errno = ENOMEM;
  if (file->path) file->descriptor = memfd_create("omniroll", MFD_CLOEXEC);
  if (file->descriptor >= 0) return OMR_OK;
  const omr_status status = fail_image(name, errno, error);
  release(file);
  return status;
}

omr_status omr_replace_fail(const omr_replace *file, int cause, omr_error *error) {
  if (file->image) return fail_image(file->path, cause, error);
  return omr_fail(error, OMR_ERR_IO,
                  "%s: cannot write in the folder %s: %s. Nothing of it was left; make room or "
                  "choose another path.",
                  file->path, file->folder, omr_cause_of_write(cause).text);
}

void omr_replace_discard(omr_replace *file) {
  if (file->descriptor >= 0) {
    close(file->descriptor);
    if (!file->image) unlinkat(base(file), seen(file, file->temporary), 0);
  }
  release(file);
}

/* Some file systems cannot sync a folder and report EINVAL. */
bool omr_sync_open_folder(int folder) {
  return fsync(folder) == 0 || errno == EINVAL;
}

/* A renamed or new file is on disk once its folder is. False with errno. */
static bool sync_folder(const char *folder) {
  int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return errno == EACCES;
  bool done = omr_sync_open_folder(descriptor);
  int cause = errno;
  close(descriptor);
  errno = cause;
  return done;
}

static bool take_place(const omr_replace *file) {
  const char *temporary = seen(file, file->temporary);
  return renameat(base(file), temporary, base(file), seen(file, file->path)) == 0;
}

static bool sync_place(const omr_replace *file) {
  return file->at >= 0 ? omr_sync_open_folder(file->at) : sync_folder(file->folder);
}

/* False with errno. */
static bool sync_and_close(omr_replace *file) {
  bool done = fsync(file->descriptor) == 0;
  int cause = errno;
  bool closed = close(file->descriptor) == 0;
  file->descriptor = -1;
  if (!done) errno = cause;
  return done && closed;
}

/* False with errno. */
static bool read_image(const omr_replace *file) {
  /* The image is read back from the file in memory. */
  struct stat there;
  if (fstat(file->descriptor, &there) != 0) return false;
  omr_image image = {malloc((size_t)there.st_size + 1), 0};

  /* Signals may interrupt the reading. */
  const size_t size = (size_t)there.st_size;
  while (image.bytes && image.count < size) {
    const ssize_t count =
        pread(file->descriptor, image.bytes + image.count, size - image.count, (off_t)image.count);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    image.count += (size_t)count;
  }

  /* A shorter file is an error. */
  if (image.bytes && image.count == size) {
    *file->image = image;
    return true;
  }
  if (!image.bytes) errno = ENOMEM;
  free(image.bytes);
  return false;
}

static omr_status finish_image(omr_replace *file, omr_error *error) {
  const omr_status status =
      read_image(file) ? OMR_OK : fail_image(file->path, errno ? errno : EIO, error);
  omr_replace_discard(file);
  return status;
}

omr_status omr_replace_finish(omr_replace *file, omr_error *error) {
  omr_status status = OMR_OK;
  if (file->image) return finish_image(file, error);
  omr_phase("rename");
  if (!sync_and_close(file) || !take_place(file)) {
    status = omr_replace_fail(file, errno, error);
    unlinkat(base(file), seen(file, file->temporary), 0);
  } else if (!sync_place(file)) {
    status =
        omr_fail(error, OMR_ERR_IO,
                 "%s: written, but its folder %s cannot be synced to the disk: %s. Check the disk.",
                 file->path, file->folder, strerror(errno));
  }
  release(file);
  return status;
}
