/* A file that is replaced completely or not at all: it is written under a temporary name in the
 * same folder, synced and renamed, and the folder is synced, so that after a power loss either the
 * old file or the new one exists. */
#ifndef OMR_REPLACE_H
#define OMR_REPLACE_H

#include "support.h"

/* The bytes of a file that is in no folder; malloc'ed. */
typedef struct omr_image {
  char *bytes;
  size_t count;
} omr_image;

typedef struct omr_replace {
  char *path, *folder, *temporary;
  int descriptor;   /* open for reading and writing; -1: none */
  int at;           /* the caller's open folder of the names; -1: they are paths */
  omr_image *image; /* gets the bytes of a file in memory; NULL: the file is in a folder */
} omr_replace;

/* Creates the temporary file. After a failure there is nothing to release. End with
 * omr_replace_finish or _discard. */
omr_status omr_replace_open(omr_replace *file, const char *path, omr_error *error);
/* The same for the last component of `path` in the open folder `at` (readable and searchable),
 * which must outlive the file; it does not matter where `path` leads meanwhile. */
omr_status omr_replace_open_in(omr_replace *file, int at, const char *path, omr_error *error);
/* The same in memory, without a disk: the finished bytes go to *image, which the caller owns.
 * Messages call it `name`. */
omr_status omr_replace_open_image(omr_replace *file, const char *name, omr_image *image,
                                  omr_error *error);
/* Renames the temporary file to `path`. If that fails, the temporary file is removed and the former
 * file at `path` remains (unless the message says otherwise). */
omr_status omr_replace_finish(omr_replace *file, omr_error *error);
/* Removes the temporary file. */
void omr_replace_discard(omr_replace *file);
/* "PATH: cannot write in the folder FOLDER: ...", for a caller whose write to the descriptor failed
 * with this errno. */
omr_status omr_replace_fail(const omr_replace *file, int cause, omr_error *error);

/* The same of an open folder. */
bool omr_sync_open_folder(int folder);

#endif
