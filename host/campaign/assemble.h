/* Putting the chunks of a folder together to the result. */
#ifndef OMR_ASSEMBLE_H
#define OMR_ASSEMBLE_H

#include "times.h"

/* Chunk i; destroyed by the caller. */
typedef omr_status omr_fetch(void *user, size_t i, omr_result **result, omr_error *error);

/* All `count` chunks of the study in row order into the file `path`, which takes its place whole or not at all. `sessions`
 * processes worked on them. Then the summary goes to `summary` (NULL: nowhere). Adds what it took to `times`. */
omr_status omr_assemble(const char *path, const omr_study *study, size_t count, omr_fetch *fetch, void *user, size_t sessions,
                        FILE *summary, omr_times *times, omr_error *error);

#endif
