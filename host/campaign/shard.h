/* The chunks of a shard; omniroll/run.h says how a process finds its own. */
#ifndef OMR_SHARD_H
#define OMR_SHARD_H

#include "../support/support.h"

/* Chunks shard-1, shard-1 + shards, ... of a study; 0 of 0: all of them. */
static inline bool omr_shard_has(int shard, int shards, size_t chunk) {
  return shards <= 1 || chunk % (size_t)shards == (size_t)(shard - 1);
}

#endif
