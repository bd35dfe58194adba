/* Trajectories that are added after a run, of instances that the outcome determines. */
#ifndef OMR_NAMED_TRACES_H
#define OMR_NAMED_TRACES_H

#include "result.h"

/* Puts trajectories of `from`, which has the same study and times, among the trajectories of `to`.
 * Their instances must be rows of `to`, which has none of them yet. */
omr_status omr_result_add_traces(omr_result *to, const omr_result *from, omr_error *error);

#endif
