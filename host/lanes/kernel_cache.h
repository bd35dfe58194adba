/* Kernels compiled for runs and stored between runs: binaries of OpenCL and objects of the
 * processor (compiled.h), in $XDG_CACHE_HOME/omniroll or ~/.cache/omniroll; off with
 * OMNIROLL_CACHE=0. Thread-safe. */
#ifndef OMR_KERNEL_CACHE_H
#define OMR_KERNEL_CACHE_H

#include "../support/support.h"

#include <dirent.h>
#include <sys/types.h>

/* Endings of both kinds of files. */
#define OMR_CACHE_BINARY ".clbin"
#define OMR_CACHE_OBJECT ".lane"
/* Begins the lines of a key that name the maker of the entry. The cache holds one entry for the
 * text before them, the latest one. */
#define OMR_CACHE_BY "\nby "

/* Whether OMNIROLL_CACHE=0 switches the cache off. */
bool omr_cache_off(void);
/* The payload stored under `key` (malloc'ed), or NULL: there is none, the cache is off, the bytes
 * differ from the bytes written, or the file or folder belongs to another user or others can write
 * to it. Only the last case gives a reason in `why`, otherwise "". */
unsigned char *omr_cache_load(const char *key, size_t *length, char why[256]);
/* Writes under a temporary name, syncs and renames, so that simultaneous readers and writers only
 * see whole entries. Returns false with the reason in `why` where that failed; true also where the
 * cache is off or its folder is not used, as loading has reported. Drops the oldest of many
 * entries. */
bool omr_cache_store(const char *key, const unsigned char *payload, size_t length, char why[256]);

/* Opens the folder, made if it is missing and `make` is set; -1 where it is off or must not be
 * used, with the reason. The caller closes it. */
int omr_cache_folder(bool make, char why[256]);
/* Opens the file of a kind stored under a key, with the checks of omr_cache_load, and gives its
 * name. The payload stands at its beginning, so the dynamic linker takes the file as it is. -1:
 * none. */
int omr_cache_open(int folder, const char *kind, const char *key, char name[64], char why[256]);
/* The same for a key without those lines, by any maker: `by` gets the first such line. Another
 * user's file is taken if that user is one of the owners, who may have shipped it. */
int omr_cache_open_any(int folder, const char *kind, const char *key, const uid_t owners[2],
                       char name[64], char by[64]);
/* Whether the open file or folder belongs to the effective user or one of the owners, and nobody
 * else can write to it. */
bool omr_cache_is_shipped(int fd, mode_t type, const uid_t owners[2]);
/* Puts a payload of a kind into the open folder. False with errno. */
bool omr_cache_put(int folder, const char *kind, const char *key, const unsigned char *payload,
                   size_t length);
/* The name of an entry of a kind, and the name of a note on a key, with the caller's ending. */
void omr_cache_entry_name(const char *key, const char *kind, char name[64]);
void omr_cache_name(const char *key, const char *ending, char name[64]);
bool omr_cache_has_ending(const char *name, const char *ending);
/* Makes the folders above the last component of a path. False with errno. */
bool omr_cache_make_above(char *path);
/* A list of an open folder, which stays open; NULL where it cannot be read. */
DIR *omr_cache_list(int folder);
/* Writes all bytes to an open file. False with errno. */
bool omr_cache_write(int file, const void *data, size_t length);
/* A whole file that only the effective user can change, malloc'ed; NULL where there is no such
 * file. */
char *omr_cache_read_own(int folder, const char *name, size_t *length);

#endif
