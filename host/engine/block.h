/* A few instances side by side. The columns of a batch lie far apart, often at distances that fall
 * into the same places of a processor's caches: what is worked out per instance, column by column,
 * is worked out in a block and copied as a whole. */
#ifndef OMR_BLOCK_H
#define OMR_BLOCK_H

#include "backend.h"

enum { OMR_BLOCK = OMR_PAD }; /* slots; a batch holds a whole number of blocks */

/* Copies block->count slots to the batch's from `first` on. */
void omr_block_put(const omr_run_settings *settings, const omr_batch *block, omr_batch *batch,
                   size_t first);

#endif
