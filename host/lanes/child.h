/* Starts a program, such as a compiler, and waits for it. */
#ifndef OMR_CHILD_H
#define OMR_CHILD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct omr_child_end {
  bool started;   /* false: `error` is the errno of the start */
  bool known;     /* false: SIGCHLD is ignored, or another thread waited for it */
  int status;     /* of waitpid, if known */
  bool timed_out; /* the child was killed after `seconds` */
  bool stopped;   /* the child was killed because *stop was set */
  int error;
} omr_child_end;

/* Starts argv[0], an absolute path, without a shell: no input, no open files, only this
 * environment, its own process group, default signals. Reads both of its outputs, of which the
 * first size - 1 bytes go into out[size], zero-terminated, and waits until it ends, `seconds` have
 * passed or *stop (NULL allowed) is set; then the whole group is killed. Sets no signal handler and
 * waits for no other child. Thread-safe. */
omr_child_end omr_child_run(const char *const argv[], const char *const environment[],
                            double seconds, const atomic_bool *stop, char *out, size_t size);

#endif
