/* omniroll's files in the folder R.h5.parts: nothing else in it is ever removed. */
#ifndef OMR_FOLDER_FILES_H
#define OMR_FOLDER_FILES_H

#include "parts_folder.h"

#define OMR_MANIFEST_NAME "manifest.json"
#define OMR_LOCK_NAME "lock"
#define OMR_ASSEMBLY_LOCK_NAME "assemble.lock"

/* The kinds of files in the order of their removal: without a manifest the rest means nothing, and
 * the holder of a lock keeps others out to the end. */
typedef enum omr_ours {
  OMR_OUR_MANIFEST,
  OMR_OUR_TEMPORARY,
  OMR_OUR_CHUNK,
  OMR_OUR_JOURNAL,
  OMR_OUR_LOCK
} omr_ours;

/* Whether a file is of this kind, by its exact name and by its beginning: a plain file that is
 * empty, zeros (as a power loss leaves it), or omniroll's content. */
bool omr_is_ours(const omr_parts *parts, const char *name, omr_ours kind);

/* "lock-2-of-3" and "chunks-2-of-3.txt": exactly that, with both numbers. */
bool omr_is_shard_lock(const char *name, int *shard, int *shards);
bool omr_is_journal(const char *name, int *shard, int *shards);

#endif
