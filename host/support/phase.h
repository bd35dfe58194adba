/* The present phase of a run, for tests that kill it at a chosen place. Only the program
 * omniroll_failpoints, which the tests build (OMR_FAILPOINTS), has failure points; in the library
 * and the program these functions do nothing. It reads two environment variables, once.
 *
 * OMNIROLL_PHASE_LOG=FILE    every phase that is entered is appended to FILE, a line each
 * OMNIROLL_FAILPOINT=NAME:K  the process kills itself (SIGKILL) when it enters the phase NAME for
 *                            the K-th time (default 1)
 * OMNIROLL_FAILPOINT=member:K  every K-th instance of each batch of a calibration fails, from the
 *                            first on; nothing is killed
 *
 * Phases of a long run, in order: resume (of an unfinished one), enter (before the folder), rename
 * (before any file takes its name: the manifest, each chunk, the result), work; for each chunk
 * prepare (sampling, folding), integrate (a launch), chunk (before its file is written), rename,
 * chunk_there (file there, not yet in the journal), journal (a line; a kill leaves half of it; the
 * session's own line is the first); assemble_start, assemble (before a chunk is appended), rename,
 * result_there (before the folder is taken away).
 * Phases of a calibration: calibrate (a block of its journal; a kill leaves half of it), calibrated
 * (before the journal is taken away). */
#ifndef OMR_PHASE_H
#define OMR_PHASE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef OMR_FAILPOINTS
/* May be called by several threads. */
void omr_phase(const char *name);

/* For a phase that must be half done first: whether the process should die in this phase, which it
 * now enters. Counts as omr_phase does. */
bool omr_phase_is_last(const char *name);
void omr_phase_die(void);

/* Whether the item with this number, which NAME counts from 0, should fail. */
bool omr_phase_fails(const char *name, size_t number);
#else
static inline void omr_phase(const char *name) {
  (void)name;
}
static inline bool omr_phase_is_last(const char *name) {
  (void)name;
  return false;
}
static inline void omr_phase_die(void) {
}
static inline bool omr_phase_fails(const char *name, size_t number) {
  (void)name;
  (void)number;
  return false;
}
#endif

#endif
