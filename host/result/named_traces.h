/* Trajectories that follow those of the run: of instances that are known by what came out. */
#ifndef OMR_NAMED_TRACES_H
#define OMR_NAMED_TRACES_H

#include "result.h"

/* Puts trajectories of `from`, which has the same study and times, among those of `to`: those of
 * instances that are rows of `to`, which has none of them yet. */
omr_status omr_result_add_traces(omr_result *to, const omr_result *from, omr_error *error);

#endif
