/* Who works on the folder: locks on files in it, which the system releases when their process ends,
 * however it ends.
 *
 *   lock              held alone by a process that does all chunks, together by shards
 *   lock-i-of-n       held by the process of that shard
 *   assemble.lock     held while the result is put together */
#ifndef OMR_LOCK_H
#define OMR_LOCK_H

#include "../support/support.h"

typedef struct omr_locks {
  int whole, part; /* file descriptors; -1: none */
} omr_locks;

/* For shard i of n, or everything (shards 0 or 1). OMR_ERR_IO where another process has it, naming
 * that process and since when; *gone where the folder was taken away meanwhile. The log hears of
 * file systems that cannot lock. */
omr_status omr_locks_take(const char *folder, int shard, int shards, FILE *log, omr_locks *locks,
                          bool *gone, omr_error *error);
void omr_locks_release(omr_locks *locks);

/* The lock of whoever puts the result together: descriptor, or -1 with *holder (to be freed) where
 * another process has it. */
int omr_lock_assembly(const char *folder, char **holder);

#endif
