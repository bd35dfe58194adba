/* The folder R.h5.parts of an unfinished result R.h5: its names, its beginning and its end. */
#ifndef OMR_FOLDER_H
#define OMR_FOLDER_H

#include "parts_folder.h"

#define OMR_FOLDER_SUFFIX ".parts"

/* folder_files.c: omniroll's files in it: nothing else in it is ever removed. */
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

/* "FOLDER/NAME" and the like; NULL where memory ran out. The caller frees it. */
char *omr_join(const char *folder, const char *name);
char *omr_format(const char *format, ...) OMR_PRINTF(1, 2);
char *omr_chunk_path(const omr_parts *parts, size_t chunk);

bool omr_is_folder(const char *path);
bool omr_file_exists(const char *path);

/* Forgets the content of a folder: it gets another name at once, and is emptied under that name. A
 * process that is killed in between leaves trash that omr_folder_sweep removes. Files that omniroll
 * does not make are left, and the folder with them. A folder that is a link stays, and is emptied
 * where it is, the locks last. */
omr_status omr_folder_discard(const omr_parts *parts, omr_error *error);
void omr_folder_sweep(const omr_parts *parts);
/* Removes all but the locks, which the caller holds; on disk when it returns. */
void omr_folder_empty(const omr_parts *parts);
/* Removes temporary files that killed processes left in the folder; no other process may be there.
 */
void omr_folder_sweep_temporaries(const omr_parts *parts);
/* Removes temporary files that killed processes left next to PATH ("PATH.tmp-123"). */
void omr_sweep_temporaries(const char *path);

#endif
