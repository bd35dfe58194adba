/* posix_spawn, a pipe, and waitpid of this one process. */
#define _GNU_SOURCE /* posix_spawn_file_actions_addclosefrom_np, pipe2 */
#include "child.h"

#include "../support/support.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LOOK_MS = 20 }; /* between looks at the clock, the stop and the child */

/* What the child inherits: a process group of its own, so that all of it can be killed, and no
 * blocked or ignored signal of the caller's. */
static int set_attributes(posix_spawnattr_t *attributes) {
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  int error = posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                                       POSIX_SPAWN_SETSIGDEF);
  if (!error) error = posix_spawnattr_setpgroup(attributes, 0);
  if (!error) error = posix_spawnattr_setsigmask(attributes, &none);
  if (!error) error = posix_spawnattr_setsigdefault(attributes, &all);
  return error;
}

/* No input, both outputs into the pipe, and nothing else: a file that the caller has open, and its
 * locks, must not outlive the caller in a compiler. */
static int set_files(posix_spawn_file_actions_t *files, int output) {
  int error = posix_spawn_file_actions_addopen(files, 0, "/dev/null", O_RDONLY, 0);
  if (!error) error = posix_spawn_file_actions_adddup2(files, output, 1);
  if (!error) error = posix_spawn_file_actions_adddup2(files, output, 2);
#if defined(__GLIBC__) && defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 34)
  if (!error) error = posix_spawn_file_actions_addclosefrom_np(files, 3);
#endif
#endif
  return error;
}

static int start(const char *const argv[], const char *const environment[], int output,
                 pid_t *child) {
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t files;
  int error = posix_spawnattr_init(&attributes);
  if (error) return error;
  error = posix_spawn_file_actions_init(&files);
  if (!error) {
    error = set_attributes(&attributes);
    if (!error) error = set_files(&files, output);
    /* posix_spawn changes neither strings nor lists */
    if (!error)
      error = posix_spawn(child, argv[0], &files, &attributes, (char *const *)(uintptr_t)argv,
                          (char *const *)(uintptr_t)environment);
    posix_spawn_file_actions_destroy(&files);
  }
  posix_spawnattr_destroy(&attributes);
  return error;
}

/* Reads what is there; false where nobody holds the other end any more. */
static bool drain(int pipe, char *out, size_t size, size_t *used) {
  char block[4096];
  for (;;) {
    const ssize_t got = read(pipe, block, sizeof block);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno == EAGAIN;
    if (got == 0) return false;
    const size_t room = size - 1 - *used, count = (size_t)got < room ? (size_t)got : room;
    memcpy(out + *used, block, count);
    *used += count;
    out[*used] = '\0';
  }
}

/* Whether the child has ended, as far as anybody can tell. */
static bool has_ended(pid_t child, omr_child_end *end) {
  int status;
  const pid_t got = waitpid(child, &status, WNOHANG);
  if (got == child) {
    end->known = true;
    end->status = status;
    return true;
  }
  return got < 0 && errno == ECHILD;
}

static void wait_for(pid_t child, int pipe, double until, const atomic_bool *stop, char *out,
                     size_t size, omr_child_end *end) {
  size_t used = 0;
  bool open = true, killed = false;
  for (;;) {
    struct pollfd one = {.fd = open ? pipe : -1, .events = POLLIN};
    poll(&one, 1, LOOK_MS);
    if (open) open = drain(pipe, out, size, &used);
    if (has_ended(child, end)) break;
    if (killed) continue;
    end->stopped = stop && atomic_load(stop);
    end->timed_out = !end->stopped && omr_seconds() > until;
    killed = end->stopped || end->timed_out;
    if (killed) kill(-child, SIGKILL);
  }
  kill(-child, SIGKILL); /* what it has started and left */
  if (open) drain(pipe, out, size, &used);
}

omr_child_end omr_child_run(const char *const argv[], const char *const environment[],
                            double seconds, const atomic_bool *stop, char *out, size_t size) {
  omr_child_end end = {0};
  int pipe[2];
  pid_t child;
  out[0] = '\0';
  if (pipe2(pipe, O_CLOEXEC) != 0) {
    end.error = errno;
    return end;
  }
  fcntl(pipe[0], F_SETFL, O_NONBLOCK);
  end.error = start(argv, environment, pipe[1], &child);
  close(pipe[1]);
  end.started = end.error == 0;
  if (end.started) wait_for(child, pipe[0], omr_seconds() + seconds, stop, out, size, &end);
  close(pipe[0]);
  return end;
}
