/* How a processor goes through a blocked batch (model/batch.h) that is larger than its caches. A
 * vehicle has some 900 columns, and a launch of a few steps waits longer for them than it computes.
 * So parameters that all vehicles share stay in a room of each thread, and the rest of the next
 * block is asked for while a thread computes one. Both leave the numbers as they are. */
#ifndef OMR_BLOCKED_BATCH_H
#define OMR_BLOCKED_BATCH_H

#include "../model/batch.h"

typedef struct omr_blocked_batch omr_blocked_batch;

/* For arrays of the batch in one precision [slots], and so many threads. The arrays stay the
 * caller's. NULL when out of memory. */
omr_blocked_batch *omr_blocked_batch_make(const omr_run_settings *settings, const void *params,
                                          size_t slots, bool single, int threads);
void omr_blocked_batch_free(omr_blocked_batch *b); /* NULL-safe */

/* A column of parameters will differ between vehicles from now on. */
void omr_blocked_batch_vary(omr_blocked_batch *b, int column);
/* The parameters of a slot are others than before. */
void omr_blocked_batch_renew(omr_blocked_batch *b, size_t slot);

/* Before a launch: looks which columns of the state are in use, by the first block. */
void omr_blocked_batch_begin(omr_blocked_batch *b, const void *state);
/* The parameters of a block, for a thread until its next block. */
const void *omr_blocked_batch_params(omr_blocked_batch *b, size_t block, int thread);
/* Asks for a block. */
void omr_blocked_batch_ahead(const omr_blocked_batch *b, const void *state, size_t block);

#endif
