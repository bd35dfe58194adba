/* Turns: locks around what is one for the whole process. The same thread may take a turn again
 * while it has it. A process that forks waits until no other thread has a turn, so that its child
 * finds all of them free.
 *
 * A library that calls exit inside its turn, as HDF5 does where its table of identifiers cannot
 * grow, ends the process without a word of its own; a line on standard error then says which one it
 * was. An exit of any other thread says nothing. */
#ifndef OMR_TURN_H
#define OMR_TURN_H

typedef enum omr_turn {
  OMR_TURN_UNITS, /* UDUNITS */
  OMR_TURN_FILES, /* HDF5; below units: a unit that is read never waits for a file */
  OMR_TURNS
} omr_turn;

void omr_turn_take(omr_turn turn);
void omr_turn_give(omr_turn turn);

/* How many forks lie between the process that first asked or took a turn and this one: what a
 * process has opened is not its child's to write. */
unsigned omr_forks(void);

#endif
