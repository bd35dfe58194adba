/* Commands, as far as the observers have to know them. */
#ifndef OMR_COMMAND_H
#define OMR_COMMAND_H

#include "study.h"

/* Whether there is a command that the time alone decides, which is known before the run; one that
 * follows a path depends on where the vehicle is. */
static inline bool omr_command_is_known(const omr_study *study) {
  return study->command.kind != OMR_COMMAND_NONE && study->command.kind != OMR_COMMAND_PATH;
}

/* Whether the commanded velocity jumps: two rows of its table between which vx or vz changes,
 * closer together than a step and not both after the end; *row is the first of them, counted from
 * 0. Steps that a tolerance chooses end at every row, so that nothing jumps between two of them. */
bool omr_command_jumps(const omr_study *study, size_t *row);

/* The rows of a command that has some, of a table in the study or of one that is replayed: times
 * and vx, vz, yaw rate; NULL of others. */
const omr_table *omr_command_rows(const omr_study *study);
/* The run's time of a row's, by the vehicle's parameters. */
double omr_command_time(const omr_study *study, const double *vehicle, double time);

#endif
