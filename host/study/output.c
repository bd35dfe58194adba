/* Whether a result can be written, checked before a long run. */
#define _GNU_SOURCE
#include "output.h"
#include "grammar/reader.h"

#include <omniroll/program.h>

#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static size_t without_slashes(const char *path) {
  size_t length = strlen(path);
  while (length > 1 && path[length - 1] == '/') length--;
  return length;
}

/* Through links and under other spellings of the path. */
static bool is_same(const char *path, const struct stat *target) {
  struct stat found;
  return stat(path, &found) == 0 && found.st_dev == target->st_dev &&
         found.st_ino == target->st_ino;
}

static omr_status fail_read(const char *path, omr_error *error) {
  return omr_fail(error, OMR_ERR_USAGE,
                  "the output would replace %s, which is read; choose another file with -o FILE",
                  path);
}

/* Every file that a study names is read; its members are called "file". */
static omr_status check_files(const cJSON *item, const char *study, const struct stat *target,
                              omr_error *error) {
  omr_status status = OMR_OK;
  const cJSON *member;
  cJSON_ArrayForEach(member, item) {
    if (cJSON_IsString(member) && member->string && strcmp(member->string, "file") == 0) {
      char *path = omr_beside_study(study, member->valuestring);
      if (!path) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
      if (is_same(path, target)) status = fail_read(path, error);
      free(path);
    } else if (!cJSON_IsString(member)) {
      status = check_files(member, study, target, error);
    }
    if (status != OMR_OK) break;
  }
  return status;
}

omr_status omr_check_reads(const char *path, const char *text, const char *study,
                           omr_error *error) {
  struct stat target;
  if (stat(path, &target) != 0) return OMR_OK;
  if (is_same(study, &target)) return fail_read(study, error);
  cJSON *root = cJSON_Parse(text);
  const omr_status status = check_files(root, study, &target, error);
  cJSON_Delete(root);
  return status;
}

/* Whether the path is a file that the study reads, as far as the study can be read: its reader
 * reports mistakes. A pipe is not emptied. */
static omr_status check_study(const char *path, const char *study, omr_error *error) {
  char *text = NULL;
  omr_error unread = {0};
  if (omr_input_kind_of(study) != OMR_INPUT_JSON) return OMR_OK;
  const omr_status status = omr_json_read(study, &text, &unread) == OMR_OK
                                ? omr_check_reads(path, text, study, error)
                                : OMR_OK;
  free(text);
  return status;
}

omr_status omr_study_check_output(const omr_study *study, const char *path, omr_error *error) {
  return omr_check_reads(path, study->text, study->name, error);
}

omr_status omr_check_output(const char *path, const char *study, omr_error *error) {
  struct stat target;
  if (!*path) return omr_fail(error, OMR_ERR_USAGE, "-o \"\" names no file; give one, -o FILE");

  /* An existing target must be a plain file, and must not belong to the study. */
  if (stat(path, &target) == 0) {
    if (S_ISDIR(target.st_mode))
      return omr_fail(error, OMR_ERR_IO, "%s is a folder; give a file in it, as in -o %.*s/NAME",
                      path, (int)without_slashes(path), path);
    if (!S_ISREG(target.st_mode))
      return omr_fail(error, OMR_ERR_IO, "%s is no plain file; choose another with -o FILE", path);
    if (study && is_same(study, &target)) return fail_read(study, error);
    if (study) OMR_TRY(check_study(path, study, error));
  }

  /* dirname may write into its argument, so it works on a copy. */
  omr_text copy = {0};
  omr_text_add(&copy, path, strlen(path));
  if (copy.failed) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  const char *folder = dirname(copy.data);
  omr_status status = OMR_OK;

  /* The folder has to exist and to take a new file. */
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
