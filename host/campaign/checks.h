/* Checks of a device in a journal. A device's chunk has a line that ends with the number of the
 * next check; the chunk counts once a line of the same journal says that this check was good. So
 * chunks that a device computed before it was found wrong, or before the process was killed, are
 * computed again. Lines without a number need no check. */
#ifndef OMR_CHECKS_H
#define OMR_CHECKS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct omr_checks {
  size_t *good; /* [count] */
  size_t count, room;
  size_t highest; /* highest number in a line, good or not */
} omr_checks;

/* Takes the checks of a whole line. False when out of memory. */
bool omr_checks_note(omr_checks *checks, const char *line);
/* The check that a line of a chunk waits for; 0: none. */
size_t omr_checks_awaited(const char *line);
/* Whether it was good. */
bool omr_checks_cover(const omr_checks *checks, size_t check);
void omr_checks_free(omr_checks *checks);

#endif
