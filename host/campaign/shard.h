/* Which part of the chunks a process takes: by its own options, or as a launcher's environment
 * says. */
#ifndef OMR_SHARD_H
#define OMR_SHARD_H

#include "../support/support.h"

/* Chunks shard-1, shard-1 + shards, ... of a study; 0 of 0: all of them. */
typedef struct omr_shard {
  int shard, shards;
  char origin[128]; /* "mpirun: rank 2", as the launcher counts; "" where the user said it, or
                       nobody */
} omr_shard;

/* "2/3", the second of three; or "none". */
omr_status omr_shard_parse(const char *text, omr_shard *shard, omr_error *error);

/* Slurm's array (SLURM_ARRAY_TASK_ID, _COUNT, _MIN, _STEP), and the ranks of mpirun or srun within
 * it: each rank of each task of the array is one shard. All where there is no launcher. */
omr_status omr_shard_from_environment(omr_shard *shard, omr_error *error);

static inline bool omr_shard_has(int shard, int shards, size_t chunk) {
  return shards <= 1 || chunk % (size_t)shards == (size_t)(shard - 1);
}

#endif
