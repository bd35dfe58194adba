#define _GNU_SOURCE /* dladdr, pipe2 */
#include "own_program.h"

#include <omniroll/program.h>

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Relative to bin/, lib/, lib/ARCHITECTURE/, share/omniroll/analysis/omniroll, and in a build to
 * its root and to tests/. */
static const char *const places[] = {"/omniroll", "/../bin/omniroll", "/../../bin/omniroll",
                                     "/../../../../bin/omniroll", "/../omniroll"};

/* Whether it is a program that no other user can have put there: a folder next to an application
 * may belong to anybody. */
static bool is_program(const char *path) {
  struct stat found;
  return stat(path, &found) == 0 && S_ISREG(found.st_mode) && !(found.st_mode & S_IWOTH) &&
         (found.st_uid == 0 || found.st_uid == geteuid()) && access(path, X_OK) == 0;
}

/* Replaces the file name in `path` by the first place that contains the program. */
static bool program_beside(char path[PATH_MAX]) {
  char *slash = strrchr(path, '/');
  if (!slash) return false;
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    const size_t room = PATH_MAX - (size_t)(slash - path), length = strlen(places[i]);
    if (length >= room) continue;
    memcpy(slash, places[i], length + 1);
    if (is_program(path)) return true;
  }
  return false;
}

static bool this_is_it;

void omr_own_program_runs(void) {
  this_is_it = true;
}

bool omr_own_program(char path[PATH_MAX]) {
  const char *asked = getenv("OMNIROLL_PROGRAM");
  if (asked && *asked) return (size_t)snprintf(path, PATH_MAX, "%s", asked) < PATH_MAX;
  /* This name works even if the program's file was replaced meanwhile. */
  if (this_is_it) return snprintf(path, PATH_MAX, "/proc/self/exe") > 0;
  const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
  if (length > 0) {
    path[length] = 0;
    if (program_beside(path)) return true;
  }
  Dl_info self;
  return dladdr(places, &self) && self.dli_fname && strchr(self.dli_fname, '/') &&
         (size_t)snprintf(path, PATH_MAX, "%s", self.dli_fname) < PATH_MAX && program_beside(path);
}

int omr_own_spawn(const char *program, const char *word, const char *file, pid_t *child,
                  FILE **answer) {
  int ends[2];
  posix_spawn_file_actions_t actions;
  const char *const words[] = {"omniroll", word, file, NULL};
  *answer = NULL;
  if (pipe2(ends, O_CLOEXEC) != 0) return errno;
  int cause = posix_spawn_file_actions_init(&actions);
  if (!cause) cause = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  if (!cause) cause = posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  if (!cause) cause = posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  if (!cause)
    cause = posix_spawn(child, program, &actions, NULL, (char *const *)(uintptr_t)words, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  *answer = cause ? NULL : fdopen(ends[0], "rb");
  if (!*answer) close(ends[0]);
  return cause;
}

int omr_own_wait(pid_t child) {
  int how = 0;
  while (waitpid(child, &how, 0) < 0 && errno == EINTR) continue;
  return how;
}
