/* A program that this process starts and waits for: a compiler. */
#ifndef OMR_CHILD_H
#define OMR_CHILD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct omr_child_end {
  bool started;   /* else `error` is the errno of the start */
  bool known;     /* whether its status is; the caller may have no children to wait for (SIGCHLD is
                     ignored, or somebody else waited) */
  int status;     /* of wait, where it is known */
  bool timed_out; /* it was killed after `seconds` */
  bool stopped;   /* it was killed since *stop was set */
  int error;
} omr_child_end;

/* Starts argv[0], an absolute path, without a shell: no input, no open files, this environment and
 * no other, its own process group, default signals. Reads what it prints, on both outputs, of
 * which the first size - 1 bytes go into out[size], zero-terminated, and waits until it ends,
 * `seconds` have passed or *stop (NULL allowed) is set; then the whole group is killed. No signal
 * handler is set, no other child is waited for. Thread-safe. */
omr_child_end omr_child_run(const char *const argv[], const char *const environment[],
                            double seconds, const atomic_bool *stop, char *out, size_t size);

#endif
