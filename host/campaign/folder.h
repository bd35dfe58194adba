/* The folder R.h5.parts of an unfinished result R.h5: its names, its beginning and its end. */
#ifndef OMR_FOLDER_H
#define OMR_FOLDER_H

#include "folder_files.h"

#define OMR_FOLDER_SUFFIX ".parts"

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
