/* Where an object is compiled: a folder that nobody else can enter, and one compiler at a time for
 * the processes of a machine. */
#ifndef OMR_COMPILE_FOLDER_H
#define OMR_COMPILE_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

/* Ending of a note beside the cache's objects: why there is none; and for how long one holds that
 * an object gave other bits. */
#define OMR_COMPILE_FAILED ".failed"
enum { OMR_COMPILE_WRONG_SECONDS = 30 * 86400 };

typedef struct omr_compile_place {
  int folder;
  char path[512];
} omr_compile_place;

/* A new folder of mode 0700: in the cache's folder, or where that is -1 or nobody can write there
 * in TMPDIR or /tmp. False with the reason. omr_compile_place_remove takes it away with what is in
 * it. */
bool omr_compile_place_make(int cache, omr_compile_place *place, char why[320]);
void omr_compile_place_remove(omr_compile_place *place);

/* Takes the lock of a key in the cache's folder; -1 with EWOULDBLOCK: another process has it. */
int omr_compile_lock(int cache, const char *key);
void omr_compile_unlock(int cache, const char *key, int held);

/* Writes a whole file of mode 0600. False with errno. */
bool omr_compile_write(int folder, const char *name, const char *data, size_t length);
/* Writes the routines that count (host/bench/counting.c), and adds their files to the list. */
bool omr_compile_write_counting(int folder, const char *files[4]);

/* Whether it is an object of ELF up to its last section: a linker that was killed, or a disk that
 * was full, leaves less. */
bool omr_compile_is_whole(const char *object, size_t length);

#endif
