/* Locks around libraries that the whole process shares. A thread may take a lock again while it
 * holds it. A process that forks waits until no other thread holds a lock, so its child finds all
 * of them free.
 *
 * A library that calls exit inside its lock, as HDF5 does when its table of identifiers cannot
 * grow, ends the process without a message; a line on standard error then names the library. An
 * exit of any other thread prints nothing. */
#ifndef OMR_TURN_H
#define OMR_TURN_H

typedef enum omr_turn {
  OMR_TURN_UNITS, /* UDUNITS */
  OMR_TURN_FILES, /* HDF5; inside units: reading a unit never waits for a file */
  OMR_TURNS
} omr_turn;

void omr_turn_take(omr_turn turn);
void omr_turn_give(omr_turn turn);

/* Number of forks between the process that first used this function or a lock and this one: a child
 * must not write to files that its parent opened. */
unsigned omr_forks(void);

#endif
