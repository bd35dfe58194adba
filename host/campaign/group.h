/* Several chunks on the device at once: an interruption loses a chunk, which may have far fewer
 * instances than a GPU needs to be busy. */
#ifndef OMR_GROUP_H
#define OMR_GROUP_H

#include "../engine/integrator.h"
#include "chunk.h"

enum { OMR_MOST_GROUPED = 64 };

/* Runs chunks of one study, ascending, together and gives a result for each, as if each had run by
 * itself; the first one holds the times. On failure there is none. */
omr_status omr_group_run(omr_integrator *integrator, const omr_chunk_expected *chunks, size_t count,
                         omr_result **results, omr_error *error);

/* How many chunks to run together: twice as many as before as long as that brings at least a fifth
 * more instance-steps per second, and a run takes some seconds at most. */
typedef struct omr_grouping {
  size_t chunks; /* to run together next; starts at 1 */
  double rate;   /* the best so far, instance-steps per second */
  bool settled;
} omr_grouping;
void omr_grouping_learn(omr_grouping *g, size_t chunks, double steps, double seconds);

#endif
