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

static bool is_last(const char *name) {
  static const char *log, *point;
  static bool read;
  static long left;
  if (!read) {
    log = getenv("OMNIROLL_PHASE_LOG");
    point = getenv("OMNIROLL_FAILPOINT");
    const char *count = point ? strchr(point, ':') : NULL;
    left = count ? strtol(count + 1, NULL, 10) : 1;
    read = true;
  }
  if (log && *log) append(log, name);
  const size_t length = strlen(name);
  if (!point || strncmp(point, name, length) != 0 || (point[length] && point[length] != ':'))
    return false;
  return --left == 0;
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
