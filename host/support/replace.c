#include "replace.h"
#include "phase.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
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
  *file = (omr_replace){.descriptor = -1};
}

static bool name_all(omr_replace *file, const char *path) {
  omr_text temporary = {0};
  omr_text_print(&temporary, "%s.tmp-%ld", path, (long)getpid());
  *file =
      (omr_replace){strdup(path), folder_of(path), temporary.failed ? NULL : temporary.data, -1};
  if (temporary.failed) omr_text_free(&temporary);
  return file->path && file->folder && file->temporary;
}

omr_status omr_replace_open(omr_replace *file, const char *path, omr_error *error) {
  struct stat there;
  *file = (omr_replace){.descriptor = -1};
  if (stat(path, &there) == 0 && S_ISDIR(there.st_mode))
    return omr_fail(error, OMR_ERR_IO,
                    "%s: is a folder. Give the name of a file, for example %s/result.h5.", path,
                    path);
  omr_status status = OMR_OK;
  if (!name_all(file, path)) {
    status = omr_fail(error, OMR_ERR_MEMORY, "%s: out of memory before the file could be written.",
                      path);
  } else {
    unlink(file->temporary); /* left by a killed process of the same number */
    file->descriptor = open(file->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file->descriptor < 0)
      status = omr_fail(error, OMR_ERR_IO,
                        "%s: cannot create a file in the folder %s: %s. Create the folder or allow "
                        "writing in it, or choose "
                        "another path.",
                        path, file->folder, strerror(errno));
  }
  if (status != OMR_OK) release(file);
  return status;
}

omr_status omr_replace_fail(const omr_replace *file, int cause, omr_error *error) {
  return omr_fail(error, OMR_ERR_IO,
                  "%s: cannot write in the folder %s: %s. Nothing of it was left; make room or "
                  "choose another path.",
                  file->path, file->folder, omr_cause_of_write(cause).text);
}

void omr_replace_discard(omr_replace *file) {
  if (file->descriptor >= 0) {
    close(file->descriptor);
    unlink(file->temporary);
  }
  release(file);
}

/* Some file systems cannot sync a folder and say EINVAL. */
bool omr_sync_folder(const char *folder) {
  int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return errno == EACCES;
  bool done = fsync(descriptor) == 0 || errno == EINVAL;
  int cause = errno;
  close(descriptor);
  errno = cause;
  return done;
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

omr_status omr_replace_finish(omr_replace *file, omr_error *error) {
  omr_status status = OMR_OK;
  omr_phase("rename");
  if (!sync_and_close(file) || rename(file->temporary, file->path) != 0) {
    status = omr_replace_fail(file, errno, error);
    unlink(file->temporary);
  } else if (!omr_sync_folder(file->folder)) {
    status =
        omr_fail(error, OMR_ERR_IO,
                 "%s: written, but its folder %s cannot be synced to the disk: %s. Check the disk.",
                 file->path, file->folder, strerror(errno));
  }
  release(file);
  return status;
}
