/* Names the file that stands in place of a study or a result, and the remedy. */
#define _GNU_SOURCE
#include "input.h"

#include <dirent.h>
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_NAMES = 512, NAME = 256 };

static bool ends_in(const char *text, const char *end) {
  const size_t length = strlen(text), wanted = strlen(end);
  return length > wanted && strcmp(text + length - wanted, end) == 0;
}

/* Whether the path ends in .parts, with or without slashes behind it. */
static bool ends_in_parts(const char *path) {
  size_t length = strlen(path);
  while (length && path[length - 1] == '/') length--;
  return length > 6 && strncmp(path + length - 6, ".parts", 6) == 0;
}

/* The first character of a text behind comments and blanks. */
static char first_character(const char *text) {
  for (;;) {
    text += strspn(text, " \t\r\n");
    if (strncmp(text, "//", 2) == 0)
      text += strcspn(text, "\n");
    else if (strncmp(text, "/*", 2) == 0 && strstr(text, "*/"))
      text = strstr(text, "*/") + 2;
    else
      return *text;
  }
}

omr_input_kind omr_input_kind_of(const char *path) {
  struct stat info;
  char start[8192] = "";
  if (stat(path, &info) != 0) return OMR_INPUT_MISSING;
  if (S_ISDIR(info.st_mode)) return ends_in_parts(path) ? OMR_INPUT_PARTS : OMR_INPUT_FOLDER;
  if (!S_ISREG(info.st_mode)) return OMR_INPUT_SPECIAL; /* reading would empty a pipe */
  FILE *file = fopen(path, "rbe");
  if (!file) return OMR_INPUT_OTHER;
  const size_t count = fread(start, 1, sizeof start - 1, file);
  fclose(file);
  if (count >= 8 && memcmp(start, "\x89HDF\r\n\x1a\n", 8) == 0) return OMR_INPUT_HDF5;
  return first_character(start) == '{' ? OMR_INPUT_JSON : OMR_INPUT_OTHER;
}

/* The name in `folder` nearest to `name` among the names with this ending, into `found`. */
static bool nearest_name(const char *folder, const char *name, const char *ending,
                         char found[NAME]) {
  /* The names with the ending; a long folder is only read in part. */
  char *names[MOST_NAMES];
  size_t count = 0;
  DIR *directory = opendir(folder);
  if (!directory) return false;
  for (struct dirent *entry; count < MOST_NAMES && (entry = readdir(directory));) {
    if (!ends_in(entry->d_name, ending)) continue;
    names[count] = strdup(entry->d_name);
    if (names[count]) count++;
  }

  closedir(directory);

  /* The nearest name by spelling. */
  const char *nearest = omr_nearest(name, (const char *const *)names, count);
  if (nearest) snprintf(found, NAME, "%s", nearest);
  for (size_t i = 0; i < count; i++) free(names[i]);
  return nearest != NULL;
}

void omr_find_meant(const char *path, const char *ending, char *meant, size_t size) {
  char found[NAME];
  omr_text copy = {0}, again = {0};
  snprintf(meant, size, "%s%s", path, ending);
  if (access(meant, R_OK) == 0) return;
  meant[0] = '\0';
  omr_text_add(&copy, path, strlen(path));
  omr_text_add(&again, path, strlen(path));
  if (!copy.failed && !again.failed) {
    const char *folder = dirname(copy.data), *name = basename(again.data);
    if (nearest_name(folder, name, ending, found))
      snprintf(meant, size, "%s%s%s", strchr(path, '/') ? folder : "", strchr(path, '/') ? "/" : "",
               found);
  }
  omr_text_free(&copy);
  omr_text_free(&again);
}

bool omr_first_of_kind(const char *folder, omr_input_kind kind, char *found, size_t size) {
  /* Paths have one slash between folder and name. */
  DIR *directory = opendir(folder);
  size_t length = strlen(folder);
  while (length > 1 && folder[length - 1] == '/') length--;
  found[0] = '\0';

  /* The first in the order of names, and of the kind that is sought. */
  for (struct dirent *entry; directory && (entry = readdir(directory));) {
    char path[PATH_MAX];
    const int needed = snprintf(path, sizeof path, "%.*s/%s", (int)length, folder, entry->d_name);
    if (entry->d_name[0] == '.' || needed < 0 || (size_t)needed >= sizeof path ||
        (size_t)needed >= size)
      continue;
    if (found[0] && strcmp(path, found) > 0) continue;
    if (omr_input_kind_of(path) == kind) memcpy(found, path, (size_t)needed + 1);
  }

  if (directory) closedir(directory);
  return found[0] != '\0';
}

omr_status omr_check_study_file(const char *path, omr_error *error) {
  char meant[1024];
  int cause;
  /* Standard input is read as it comes. */
  if (strcmp(path, "-") == 0) return OMR_OK;

  /* Each other kind of file has its own remedy. */
  switch (omr_input_kind_of(path)) {
  case OMR_INPUT_MISSING:
    cause = errno;
    omr_find_meant(path, ".json", meant, sizeof meant);
    if (meant[0])
      return omr_fail_file(error, OMR_ERR_IO, path, "cannot open \"%s\": %s; did you mean %s?",
                           path, strerror(cause), meant);
    if (cause != ENOENT)
      return omr_fail_file(error, OMR_ERR_IO, path, "cannot open \"%s\": %s", path,
                           strerror(cause));
    return omr_fail_file(error, OMR_ERR_IO, path,
                         "cannot open \"%s\": %s; give a study, or begin one with omniroll new",
                         path, strerror(cause));

  case OMR_INPUT_PARTS:
    return omr_fail_file(
        error, OMR_ERR_IO, path,
        "%s is the folder of an unfinished run, not a study: omniroll resume %s goes on with it",
        path, path);

  case OMR_INPUT_FOLDER:
    return omr_fail_file(error, OMR_ERR_IO, path,
                         "%s is a folder; give a study in it, such as %s/study.json", path, path);

  case OMR_INPUT_HDF5:
    return omr_fail_file(error, OMR_ERR_STUDY, path,
                         "%s is a result (HDF5), not a study (JSON): omniroll analyze %s prints "
                         "its statistics; the study that made it is its attribute \"study\"",
                         path, path);

  default: return OMR_OK;
  }
}

/* Fails for a missing file and names likely alternatives. */
static omr_status fail_missing(const char *path, omr_error *error) {
  char meant[1024];
  const int cause = errno;
  snprintf(meant, sizeof meant, "%s.parts", path);
  if (access(meant, F_OK) == 0)
    return omr_fail_file(
        error, OMR_ERR_IO, path,
        "%s: is not there yet, but %s is, an unfinished run: omniroll resume %s goes on with it",
        path, meant, path);
  omr_find_meant(path, ".h5", meant, sizeof meant);
  if (meant[0])
    return omr_fail_file(error, OMR_ERR_IO, path, "%s: cannot be read: %s; did you mean %s?", path,
                         strerror(cause), meant);
  return omr_fail_file(error, OMR_ERR_IO, path,
                       "%s: cannot be read: %s; omniroll run STUDY -o %s makes a result", path,
                       strerror(cause), path);
}

omr_status omr_check_result_file(const char *path, omr_error *error) {
  /* Each kind that is no result has its own remedy. */
  switch (omr_input_kind_of(path)) {
  case OMR_INPUT_MISSING: return fail_missing(path, error);
  case OMR_INPUT_PARTS:
    return omr_fail_file(
        error, OMR_ERR_IO, path,
        "%s: is the folder of an unfinished run, no result: omniroll resume %s goes on with it",
        path, path);

  case OMR_INPUT_FOLDER:
    return omr_fail_file(error, OMR_ERR_IO, path,
                         "%s: is a folder; give a result in it, such as %s/study.h5", path, path);

  case OMR_INPUT_JSON:
    return omr_fail_file(
        error, OMR_ERR_IO, path,
        "%s: is no HDF5 file but JSON, a study: omniroll run %s makes a result of it", path, path);

  /* HDF5 would wait for the other end of a pipe forever. */
  case OMR_INPUT_SPECIAL:
    return omr_fail_file(error, OMR_ERR_IO, path,
                         "%s: is a pipe, a socket or a device; a result is a plain file: copy it "
                         "into one, and name that",
                         path);

  default: return OMR_OK;
  }
}
