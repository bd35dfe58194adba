#define _GNU_SOURCE /* kill */
#include "phase.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void append(const char *path, const char *name) {
  char line[64];
  const int length = snprintf(line, sizeof line, "%s\n", name);
  const int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0) return;
  if (length > 0 && write(file, line, (size_t)length) < 0) perror(path);
  close(file);
}

/* Whether this is the failure point; *count: its number, default 1. */
static bool is_point(const char *point, const char *name, long *count) {
  const size_t length = strlen(name);
  if (!point || strncmp(point, name, length) != 0 || (point[length] && point[length] != ':'))
    return false;
  *count = point[length] ? strtol(point + length + 1, NULL, 10) : 1;
  return true;
}

bool omr_phase_fails(const char *name, size_t number) {
  long every;
  return is_point(getenv("OMNIROLL_FAILPOINT"), name, &every) && every > 0 &&
         number % (size_t)every == 0;
}

static bool is_last(const char *name) {
  static const char *log, *point;
  static bool read;
  static long passed;
  long count;
  if (!read) {
    log = getenv("OMNIROLL_PHASE_LOG");
    point = getenv("OMNIROLL_FAILPOINT");
    read = true;
  }
  if (log && *log) append(log, name);
  return is_point(point, name, &count) && ++passed == count;
}

bool omr_phase_is_last(const char *name) {
  static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&turn);
  const bool last = is_last(name);
  pthread_mutex_unlock(&turn);
  return last;
}

void omr_phase_die(void) {
  kill(getpid(), SIGKILL);
}

void omr_phase(const char *name) {
  if (omr_phase_is_last(name)) omr_phase_die();
}
