/* What was compiled for a run, kept between runs: binaries of OpenCL and objects of the processor
 * (compiled.h), in $XDG_CACHE_HOME/omniroll or ~/.cache/omniroll; off with OMNIROLL_CACHE=0.
 * Thread-safe. */
#ifndef OMR_KERNEL_CACHE_H
#define OMR_KERNEL_CACHE_H

#include "../support/support.h"

#include <sys/types.h>

/* Endings of the files of both kinds. */
#define OMR_CACHE_BINARY ".clbin"
#define OMR_CACHE_OBJECT ".lane"
/* Begins the lines of a key that say who made the entry. There is one entry for what stands before
 * them, the last that was made. */
#define OMR_CACHE_BY "\nby "

/* Whether OMNIROLL_CACHE=0 switches it off. */
bool omr_cache_off(void);
/* The payload kept under `key` (malloc'ed), or NULL: none, switched off, not exactly what was
 * written, or in a file or folder that is not the effective user's or that others can write; that
 * alone is told in `why`, "" otherwise. */
unsigned char *omr_cache_load(const char *key, size_t *length, char why[256]);
/* Writes under a temporary name, syncs, renames: readers and writers at the same time see whole
 * entries only. Returns false with the reason in `why` where that failed; true also where the cache
 * is switched off, or its folder is not used, as loading has told. Drops the oldest of many
 * entries. */
bool omr_cache_store(const char *key, const unsigned char *payload, size_t length, char why[256]);

/* The folder itself, made where it is missing and `make`; -1 where it is switched off or not to be
 * used, and why. The caller closes it. */
int omr_cache_folder(bool make, char why[256]);
/* Opens the file of a kind that is kept under a key, checked as by omr_cache_load, and gives its
 * name: the payload stands at its beginning, so that the dynamic linker takes the file as it is.
 * -1: none. */
int omr_cache_open(int folder, const char *kind, const char *key, char name[64], char why[256]);
/* The same for a key without those lines, whoever made the entry: `by` is what its first such line
 * says. Another user's is taken where that is one of the owners, who may have shipped it. */
int omr_cache_open_any(int folder, const char *kind, const char *key, const uid_t owners[2],
                       char name[64], char by[64]);
/* Whether the open file or folder is the effective user's or one of the owners', and nobody else
 * can write to it. */
bool omr_cache_is_shipped(int fd, mode_t type, const uid_t owners[2]);
/* Puts a payload of a kind into the open folder. False with errno. */
bool omr_cache_put(int folder, const char *kind, const char *key, const unsigned char *payload,
                   size_t length);
/* The name of an entry of a kind, and that of a note on a key, with an ending of the caller's. */
void omr_cache_entry_name(const char *key, const char *kind, char name[64]);
void omr_cache_name(const char *key, const char *ending, char name[64]);
bool omr_cache_has_ending(const char *name, const char *ending);
/* A whole file that the effective user alone can change, malloc'ed; NULL where it is none. */
char *omr_cache_read_own(int folder, const char *name, size_t *length);

#endif
