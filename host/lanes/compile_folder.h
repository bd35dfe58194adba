/* The place in which an object is compiled: a folder that no other user can enter, with one
 * compiler at a time on the whole machine. */
#ifndef OMR_COMPILE_FOLDER_H
#define OMR_COMPILE_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

/* Ending of a note next to the cache's objects that says why there is none; and the time for which
 * a note on wrong bits holds. */
#define OMR_COMPILE_FAILED ".failed"
enum { OMR_COMPILE_WRONG_SECONDS = 30 * 86400 };

typedef struct omr_compile_place {
  int folder;
  char path[512];
} omr_compile_place;

/* Makes a folder of mode 0700: in the cache's folder or, where that is -1 or not writable, in
 * TMPDIR or /tmp. False with the reason. omr_compile_place_remove removes it with its files. */
bool omr_compile_place_make(int cache, omr_compile_place *place, char why[320]);
void omr_compile_place_remove(omr_compile_place *place);

/* Takes the lock of a key in the cache's folder; -1 with EWOULDBLOCK: another process holds it. */
int omr_compile_lock(int cache, const char *key);
void omr_compile_unlock(int cache, const char *key, int held);

/* Writes a whole file of mode 0600. False with errno. */
bool omr_compile_write(int folder, const char *name, const char *data, size_t length);
/* Writes the counting routines (host/bench/counting.c) and adds their files to the list. */
bool omr_compile_write_counting(int folder, const char *files[4]);

/* Whether the bytes are a complete ELF object up to its last section: a killed linker, or a full
 * disk, leaves less. */
bool omr_compile_is_whole(const char *object, size_t length);

#endif
