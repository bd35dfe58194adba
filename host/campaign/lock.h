/* Locks of the folder: locks on files in it, which the system releases when their process ends,
 * however it ends.
 *
 *   lock              held exclusively by a process that does all chunks, jointly by shards
 *   lock-i-of-n       held by the process of that shard
 *   assemble.lock     held while the result is put together */
#ifndef OMR_LOCK_H
#define OMR_LOCK_H

#include "parts_folder.h"

typedef struct omr_locks {
  int whole, part; /* file descriptors; -1: none */
} omr_locks;

/* For shard i of n, or everything (shards 0 or 1). OMR_ERR_IO where another process has it, naming
 * that process and since when; *gone where the folder was taken away meanwhile. The log reports
 * file systems that cannot lock. */
omr_status omr_locks_take(const omr_parts *parts, int shard, int shards, FILE *log,
                          omr_locks *locks, bool *gone, omr_error *error);
void omr_locks_release(omr_locks *locks);
/* Whether the folder was taken away from the holder of these locks: its name leads elsewhere, or
 * nowhere, or it was emptied. */
bool omr_locks_gone(const omr_parts *parts, const omr_locks *locks);

/* The lock of the process that puts the result together: *file is its descriptor, or -1 with
 * *holder (to be freed) where another process has it. */
omr_status omr_lock_assembly(const omr_parts *parts, int *file, char **holder, omr_error *error);

#endif
