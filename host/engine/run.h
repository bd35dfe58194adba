/* Pieces of omr_run that other files of host/engine provide. */
#ifndef OMR_RUN_H
#define OMR_RUN_H

#include "../result/result.h"

/* Empty result for a study: columns for the varied parameters and the observables asked for, trajectories where asked for; NaN
 * and "not run" everywhere. */
omr_status omr_result_make(const omr_study *study, omr_result **result, omr_error *error);

/* Prepares instances spread over the study (at most 256, *looked_at) and counts those whose values make no vehicle; `reason`
 * tells of the first. A study of one instance that makes none is OMR_ERR_STUDY: there is nothing to run. */
omr_status omr_study_check(const omr_study *study, size_t *looked_at, size_t *invalid, char *reason, size_t size,
                           omr_error *error);

/* Largest step for which explicit RK4 is stable, s, from static loads at the start, over at most 64 instances spread over the
 * study; *instance is the one that needs it. */
double omr_largest_step(const omr_study *study, size_t *instance);

/* Writes a warning to log (NULL allowed) where explicit RK4 cannot be stable with the study's step: physics.md section 7. */
void omr_warn_stability(const omr_study *study, FILE *log);

#endif
