/* Stability of the sampled loop of drives of type feedback (appendix/drives.md#drives). */
#ifndef OMR_FEEDBACK_LOOP_H
#define OMR_FEEDBACK_LOOP_H

#include "../study/study.h"

/* Largest magnitude of the poles of the loop about rest, all gains times `share`, on a vehicle
 * whose wheels roll ideally; params: its folded parameters. Thread-safe. */
double omr_feedback_growth(const omr_study *study, const double *params, double share);

/* Describes a loop that grows, with the remedy; false where it does not. Thread-safe. */
bool omr_judge_feedback(const omr_study *study, const double *params, size_t instance, char *text,
                        size_t size);

#endif
