/* The folder R.h5.parts, which others may have prepared: it is resolved and opened once, and
 * everything in it is found through the open folder.
 *
 * Its name may be a link that the user made, to a folder of the user's (a scratch disk); a folder
 * of another owner has to be allowed. A file in it is opened if it is a plain file of the user's
 * without another name: a link, or a second name, would have another file read or overwritten, a
 * FIFO would never open, and the owner of a file can change it at any time. Files of other owners
 * are allowed together with such a folder. */
#ifndef OMR_PARTS_FOLDER_H
#define OMR_PARTS_FOLDER_H

#include "../support/replace.h"

#include <dirent.h>

typedef struct omr_parts {
  char *path;   /* as messages name it */
  char *name;   /* its last component */
  int above;    /* the folder that holds it; -1: not open */
  int folder;   /* itself; -1: not open */
  bool foreign; /* it and its files may be another user's */
  bool linked;  /* the name is a link: it stays, and so does the folder that it leads to */
} omr_parts;
#define OMR_PARTS_NONE                                                                             \
  { .above = -1, .folder = -1 }

/* For the folder `path`, opened or not; `foreign` allows one of another owner. Release with
 * omr_parts_free, which closes it too. */
omr_status omr_parts_begin(omr_parts *parts, const char *path, bool foreign, omr_error *error);
void omr_parts_free(omr_parts *parts);

/* Opens the folder, or closes it and opens it anew. *there is false, without an error, where it
 * does not exist. OMR_ERR_IO where it is no folder, or not to be trusted. */
omr_status omr_parts_open(omr_parts *parts, bool *there, omr_error *error);
/* The same, and makes it where it is not there; its entry in the folder above is synced. */
omr_status omr_parts_make(omr_parts *parts, bool *there, omr_error *error);
/* Whether its name still leads to the folder that is open. */
bool omr_parts_same(const omr_parts *parts);
/* Syncs the folder above. */
void omr_parts_sync_above(const omr_parts *parts);

/* Its files, from the first one on; NULL with errno. The caller closes the listing. */
DIR *omr_parts_list(const omr_parts *parts);

/* What helps where such a file or folder cannot be opened: more open files where errno `cause` says
 * that there are too many, else the usual remedy. */
const char *omr_remedy_for(int cause, const char *usual);

/* Opens a file of the folder, never through a link and without waiting: a descriptor, which the
 * caller closes, or -1 with errno. A file that is not plain, has other names, or is another user's
 * where that is not allowed, is refused with EPERM. */
int omr_parts_file(const omr_parts *parts, const char *name, int flags, omr_error *error);
/* Reads the whole of one; *text is malloc'ed and zero-terminated. -1 with errno, or 0. */
int omr_parts_read(const omr_parts *parts, const char *name, char **text, size_t *length,
                   omr_error *error);

#endif
