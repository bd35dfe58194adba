/* A file that takes its place whole or not at all: written under a temporary name in the same
 * folder, synced, renamed, and the folder synced, so that after a power loss the old file or the
 * new one is there. */
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
  int descriptor;   /* to read and write; -1: none */
  int at;           /* folder in which the names are, the caller's; -1: found by their paths */
  omr_image *image; /* what takes the bytes of a file in memory; NULL: it is in a folder */
} omr_replace;

/* Creates the temporary file. After a failure there is nothing to release. End with
 * omr_replace_finish or _discard. */
omr_status omr_replace_open(omr_replace *file, const char *path, omr_error *error);
/* The same for the last component of `path` in the open folder `at` (to be read and to be
 * searched), which has to outlive the file: whatever `path` leads to meanwhile. */
omr_status omr_replace_open_in(omr_replace *file, int at, const char *path, omr_error *error);
/* The same in memory, which no disk sees: what is finished is given to *image, as the caller's.
 * Messages call it `name`. */
omr_status omr_replace_open_image(omr_replace *file, const char *name, omr_image *image,
                                  omr_error *error);
/* The temporary file becomes `path`. Where it fails, the temporary is gone and what stood at `path`
 * before still does (unless the message says otherwise). */
omr_status omr_replace_finish(omr_replace *file, omr_error *error);
/* Removes the temporary file. */
void omr_replace_discard(omr_replace *file);
/* "PATH: cannot write in the folder FOLDER: ...", for whoever wrote to the descriptor and was
 * refused with this errno. */
omr_status omr_replace_fail(const omr_replace *file, int cause, omr_error *error);

/* The same of an open folder. */
bool omr_sync_open_folder(int folder);

#endif
