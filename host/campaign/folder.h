/* The folder R.h5.parts of an unfinished result R.h5: names in it, how it comes and goes. */
#ifndef OMR_FOLDER_H
#define OMR_FOLDER_H

#include "../support/replace.h"

#define OMR_FOLDER_SUFFIX ".parts"
#define OMR_MANIFEST_NAME "manifest.json"

/* "FOLDER/NAME" and the like; NULL where memory ran out. The caller frees it. */
char *omr_join(const char *folder, const char *name);
char *omr_format(const char *format, ...) OMR_PRINTF(1, 2);
char *omr_chunk_path(const char *folder, size_t chunk);

bool omr_is_folder(const char *path);
bool omr_file_exists(const char *path);

/* Makes the folder where it is not there; its entry in the folder above is synced. */
omr_status omr_folder_make(const char *folder, omr_error *error);
/* Forgets whatever a folder holds: it gets another name at once, and is emptied under that. A
 * process that is killed in between leaves trash that omr_folder_sweep removes. Files that omniroll
 * does not make are left, and the folder with them. */
omr_status omr_folder_discard(const char *folder, omr_error *error);
void omr_folder_sweep(const char *folder);
/* Removes all but the locks, for who holds them. */
void omr_folder_empty(const char *folder);
/* Temporary files that killed processes left in the folder, for who is alone there. */
void omr_folder_sweep_temporaries(const char *folder);
/* Temporary files that killed processes left beside PATH ("PATH.tmp-123"). */
void omr_sweep_temporaries(const char *path);

#endif
