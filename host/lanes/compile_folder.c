#define _GNU_SOURCE /* secure_getenv */
#include "compile_folder.h"

#include "../support/support.h"
#include "kernel_cache.h"
#include "kernel_text.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define BEGINNING "compile-"
#define LOCK ".lock"
enum { LEFT_SECONDS = 86400 }; /* age at which the remains of a killed process are removed */

/* Everything in an open folder; there are no folders in it. */
static void empty(int folder) {
  DIR *directory = omr_cache_list(folder);
  if (!directory) return;
  for (struct dirent *e; (e = readdir(directory));) unlinkat(folder, e->d_name, 0);
  closedir(directory);
}

static void remove_folder(int cache, const char *name) {
  const int left = openat(cache, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (left < 0) return;
  empty(left);
  close(left);
  unlinkat(cache, name, AT_REMOVEDIR);
}

/* Removes the remains of killed processes from the cache's folder, and reasons that no longer hold.
 * No compiler works for a day, so nobody holds a lock of that age. */
static void sweep(int cache) {
  DIR *directory = omr_cache_list(cache);
  if (!directory) return;
  for (struct dirent *e; (e = readdir(directory));) {
    struct stat info;
    const bool folder = !strncmp(e->d_name, BEGINNING, strlen(BEGINNING)),
               failed = omr_cache_has_ending(e->d_name, OMR_COMPILE_FAILED);
    if ((!folder && !failed && !omr_cache_has_ending(e->d_name, LOCK)) ||
        fstatat(cache, e->d_name, &info, AT_SYMLINK_NOFOLLOW) ||
        time(NULL) - info.st_mtime < (failed ? OMR_COMPILE_WRONG_SECONDS : LEFT_SECONDS))
      continue;

    if (folder)
      remove_folder(cache, e->d_name);
    else
      unlinkat(cache, e->d_name, 0);
  }

  closedir(directory);
}

static bool make_in(const char *above, omr_compile_place *place) {
  snprintf(place->path, sizeof place->path, "%s/%sXXXXXX", above, BEGINNING);
  const bool made = *above && mkdtemp(place->path);
  place->folder = made ? open(place->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
  return place->folder >= 0;
}

bool omr_compile_place_make(int cache, omr_compile_place *place, char why[320]) {
  char above[400] = "", link[32];
  const char *temporary = secure_getenv("TMPDIR");
  if (cache >= 0) {
    sweep(cache);
    snprintf(link, sizeof link, "/proc/self/fd/%d", cache);
    const ssize_t length = readlink(link, above, sizeof above - 1);
    above[length > 0 ? length : 0] = '\0';
    if (make_in(above, place)) return true;
  }
  if (make_in(temporary && *temporary == '/' ? temporary : "/tmp", place)) return true;
  snprintf(why, 320, "no folder to compile in: %.200s: %s", place->path, strerror(errno));
  return false;
}

void omr_compile_place_remove(omr_compile_place *place) {
  empty(place->folder);
  close(place->folder);
  rmdir(place->path);
}

int omr_compile_lock(int cache, const char *key) {
  char name[64];
  omr_cache_name(key, LOCK, name);
  const int held = openat(cache, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (held < 0) return -1;
  if (flock(held, LOCK_EX | LOCK_NB) == 0) return held;
  const int reason = errno;
  close(held);
  errno = reason;
  return -1;
}

/* Removes the name while the lock is held: a process that opened the file before gets the lock of a
 * file without a name, and searches the cache before it compiles. */
void omr_compile_unlock(int cache, const char *key, int held) {
  char name[64];
  omr_cache_name(key, LOCK, name);
  unlinkat(cache, name, 0);
  close(held);
}

bool omr_compile_write(int folder, const char *name, const char *data, size_t length) {
  const int file =
      openat(folder, name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0) return false;
  const bool written = omr_cache_write(file, data, length);
  const int reason = errno;
  const bool closed = close(file) == 0;
  if (!written) errno = reason;
  return written && closed;
}

bool omr_compile_write_counting(int folder, const char *files[4]) {
  files[1] = "counting.c";
  files[2] = "counting_single.c";
  return omr_compile_write(folder, files[1], omr_counting_text, strlen(omr_counting_text)) &&
         omr_compile_write(folder, files[2], omr_counting_single_text,
                           strlen(omr_counting_single_text));
}

bool omr_compile_is_whole(const char *object, size_t length) {
  Elf64_Ehdr head;
  if (length < sizeof head) return false;
  memcpy(&head, object, sizeof head);
  return !memcmp(head.e_ident, ELFMAG, SELFMAG) && head.e_ident[EI_CLASS] == ELFCLASS64 &&
         head.e_shoff <= length && (size_t)head.e_shnum * head.e_shentsize <= length - head.e_shoff;
}
