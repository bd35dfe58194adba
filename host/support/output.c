/* Whether a result can be written, asked before a long run. */
#define _GNU_SOURCE
#include "support.h"

#include <errno.h>
#include <libgen.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static size_t without_slashes(const char *path) {
  size_t length = strlen(path);
  while (length > 1 && path[length - 1] == '/') length--;
  return length;
}

omr_status omr_check_output(const char *path, const char *study, omr_error *error) {
  struct stat target, source;
  if (stat(path, &target) == 0) {
    if (S_ISDIR(target.st_mode))
      return omr_fail(error, OMR_ERR_IO, "%s is a folder; give a file in it, as in -o %.*s/NAME",
                      path, (int)without_slashes(path), path);
    if (!S_ISREG(target.st_mode))
      return omr_fail(error, OMR_ERR_IO, "%s is no plain file; choose another with -o FILE", path);
    if (study && stat(study, &source) == 0 && source.st_dev == target.st_dev &&
        source.st_ino == target.st_ino)
      return omr_fail(error, OMR_ERR_USAGE,
                      "the output would replace %s, which is read; choose another file with -o "
                      "FILE",
                      study);
  }
  omr_text copy = {0};
  omr_text_add(&copy, path, strlen(path));
  if (copy.failed) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  const char *folder = dirname(copy.data);
  omr_status status = OMR_OK;
  if (access(folder, F_OK) != 0) {
    status = omr_fail(
        error, OMR_ERR_IO,
        "cannot write %s: there is no folder %s; make it first, or choose another with -o FILE",
        path, folder);
  } else if (access(folder, W_OK | X_OK) != 0) {
    status = omr_fail(
        error, OMR_ERR_IO,
        "cannot write %s: no file can be made in %s (%s); choose another folder with -o FILE", path,
        folder, strerror(errno));
  }
  omr_text_free(&copy);
  return status;
}
