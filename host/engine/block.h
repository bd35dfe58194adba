/* A few instances next to each other. The values of an instance are computed in a block, which a
 * processor's caches hold, and the block is copied as a whole: into a batch of blocks, or into one
 * whose columns lie far apart, often at distances that map to the same places of the caches. */
#ifndef OMR_BLOCK_H
#define OMR_BLOCK_H

#include "backend.h"

enum { OMR_BLOCK = OMR_PAD }; /* slots; a batch holds a whole number of blocks */

/* Copies block->count slots into the batch, from slot `first` on. */
void omr_block_put(const omr_run_settings *settings, const omr_batch *block, omr_batch *batch,
                   size_t first);

#endif
