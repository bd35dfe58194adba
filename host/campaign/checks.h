/* Checks of a device in a journal. A chunk that a device computed has a line that ends with the
 * number of the check that is to come; it counts once a line of the same journal says that this
 * check was good. So what a device computed before it was found wrong, or before the process was
 * killed, is computed again. Lines without a number need no check. */
#ifndef OMR_CHECKS_H
#define OMR_CHECKS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct omr_checks {
  size_t *good; /* [count] */
  size_t count, room;
  size_t highest; /* number that a line has, good or not */
} omr_checks;

/* Takes what a whole line says of checks. False when out of memory. */
bool omr_checks_note(omr_checks *checks, const char *line);
/* The check that a line of a chunk waits for; 0: none. */
size_t omr_checks_awaited(const char *line);
/* Whether it was good. */
bool omr_checks_cover(const omr_checks *checks, size_t check);
void omr_checks_free(omr_checks *checks);

#endif
