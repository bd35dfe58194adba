/* What is commanded, as far as the observers have to know. */
#ifndef OMR_COMMAND_H
#define OMR_COMMAND_H

#include "study.h"

/* Whether the commanded velocity jumps: two rows of its table between which vx or vz changes,
 * closer together than a step and not both after the end; *row is the first of them, counted from
 * 0. Steps that a tolerance chooses end at every row, so that nothing jumps between two of them. */
bool omr_command_jumps(const omr_study *study, size_t *row);

#endif
