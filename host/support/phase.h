/* Where a run is: for tests that kill it at a chosen place. Does nothing but look at two environment variables, read once.
 *
 * OMNIROLL_PHASE_LOG=FILE    every phase that is entered is appended to FILE, a line each
 * OMNIROLL_FAILPOINT=NAME:K  the process kills itself (SIGKILL) when it enters the phase NAME for the K-th time (default 1) */
#ifndef OMR_PHASE_H
#define OMR_PHASE_H

#include <stdbool.h>

/* Called by one thread at a time. */
void omr_phase(const char *name);

/* For what has to be half done first: whether the process is to die in this phase, now that it is entered. Counts as omr_phase.
 */
bool omr_phase_is_last(const char *name);
void omr_phase_die(void);

#endif
