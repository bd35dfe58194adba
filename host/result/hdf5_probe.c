#define _GNU_SOURCE /* struct stat with nanoseconds */
#include "hdf5_read.h"

#include "../support/own_program.h"
#include "../support/support.h"

#include <omniroll/program.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* Identifies a file in its present state. */
typedef struct identity {
  dev_t device;
  ino_t number;
  off_t size;
  struct timespec changed, modified;
} identity;

enum { KNOWN = 8 };
static _Thread_local identity known[KNOWN]; /* the last files found good, in turn */
static _Thread_local unsigned turn;

static bool identify(const char *path, identity *file) {
  struct stat found;
  memset(file, 0, sizeof *file); /* padding too, since identities are compared as bytes */
  if (stat(path, &found) != 0 || !S_ISREG(found.st_mode)) return false;
  file->device = found.st_dev;
  file->number = found.st_ino;
  file->size = found.st_size;
  file->changed = found.st_ctim;
  file->modified = found.st_mtim;
  return true;
}

static bool is_known(const identity *file) {
  for (size_t i = 0; i < KNOWN; i++)
    if (memcmp(&known[i], file, sizeof *file) == 0) return true;
  return false;
}

static _Thread_local char last[PATH_MAX];

const char *omr_result_last_read(void) {
  return last;
}

omr_status omr_hdf5_probe(const char *path, omr_error *error) {
  char program[PATH_MAX];
  identity file;
  pid_t child;
  FILE *answer;
  snprintf(last, sizeof last, "%s", path);

  /* without a program to run nothing is known, and that is no error */
  if (!identify(path, &file) || is_known(&file)) return OMR_OK;
  if (!omr_own_program(program)) return OMR_OK;
  if (omr_own_spawn(program, "read-result", path, &child, &answer)) return OMR_OK;
  while (answer && fgetc(answer) != EOF) continue; /* until the process ends */
  if (answer) fclose(answer);

  /* a process that did not crash vouches for the file as it is now */
  const int how = omr_own_wait(child);
  if (!WIFSIGNALED(how)) {
    known[turn++ % KNOWN] = file;
    return OMR_OK;
  }

  return omr_fail_file(error, OMR_ERR_IO, path,
                       "%s: HDF5 %s while a process of its own read this file: it is damaged; "
                       "write it anew.",
                       path, WTERMSIG(how) == SIGXCPU ? "did not come to an end" : "crashed");
}
