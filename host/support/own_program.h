/* This program again, for what may crash: HDF5 1.10 does so on many a damaged file, and takes who
 * called it along. */
#ifndef OMR_OWN_PROGRAM_H
#define OMR_OWN_PROGRAM_H

#include <omniroll/base.h>

#include <limits.h>
#include <sys/types.h>

/* /proc/self/exe where that is the program, else looked for where an installation, a package or a
 * build has it beside the library; the environment variable OMNIROLL_PROGRAM names another. False
 * where there is none. */
bool omr_own_program(char path[PATH_MAX]);

/* Starts `program WORD FILE` without input and messages, with its output in *answer, which the
 * caller closes, before it waits for *child. 0, or an errno. */
int omr_own_spawn(const char *program, const char *word, const char *file, pid_t *child,
                  FILE **answer);
/* Waits for it; what waitpid() says. */
int omr_own_wait(pid_t child);

#endif
