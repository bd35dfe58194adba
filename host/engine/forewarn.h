/* Warnings about a study that can run, before it runs. */
#ifndef OMR_FOREWARN_H
#define OMR_FOREWARN_H

#include "run.h"

/* Appends to `warnings` (of OMR_WARNINGS, "" at first) a line for each of: a step too long for its
 * method (omr_judge_stability, which may fail), a sampled controller that does not settle
 * (omr_judge_controllers), rows of the command so close together that the vibration has no value
 * (omr_command_jumps), a vehicle with implausible values (omr_judge_vehicle),
 * instances that --set left without a trajectory. Thread-safe. */
omr_status omr_judge_study(const omr_study *study, char *warnings, omr_error *error);
/* The same, to log as "warning: ..." (NULL allowed). */
omr_status omr_check_study(const omr_study *study, FILE *log, omr_error *error);

#endif
