/* A child process by posix_spawn, a pipe, and waitpid for this process only. */
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

/* The child gets a process group of its own, so that all of it can be killed, and none of the
 * caller's blocked or ignored signals. */
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

/* The child has no input, writes both outputs into the pipe, and inherits nothing else: the
 * caller's open files, and their locks, must not live on in a compiler. */
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
    /* posix_spawn changes neither strings nor lists. */
    if (!error)
      error = posix_spawn(child, argv[0], &files, &attributes, (char *const *)(uintptr_t)argv,
                          (char *const *)(uintptr_t)environment);
    posix_spawn_file_actions_destroy(&files);
  }
  posix_spawnattr_destroy(&attributes);
  return error;
}

/* Reads the available bytes; false once nobody holds the other end. */
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

/* Whether the child has ended, as far as this process can know. */
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
  kill(-child, SIGKILL); /* the processes that it left behind */
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
