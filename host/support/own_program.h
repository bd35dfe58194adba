/* Runs this program again for work that may crash: HDF5 1.10 crashes on many a damaged file and
 * ends its caller with it. */
#ifndef OMR_OWN_PROGRAM_H
#define OMR_OWN_PROGRAM_H

#include <omniroll/base.h>

#include <limits.h>
#include <sys/types.h>

/* Finds the program: /proc/self/exe if that is the program, otherwise its place next to the library
 * in an installation, a package or a build; the environment variable OMNIROLL_PROGRAM names
 * another. False where there is none. */
bool omr_own_program(char path[PATH_MAX]);

/* Starts `program WORD FILE` without input and messages, with its output in *answer, which the
 * caller closes before waiting for *child. 0, or an errno. */
int omr_own_spawn(const char *program, const char *word, const char *file, pid_t *child,
                  FILE **answer);
/* Waits for the child and returns the status of waitpid(). */
int omr_own_wait(pid_t child);

#endif
