#define _GNU_SOURCE /* memmem */
#include "folder.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LOOK = 256 };

/* In a pattern '#' stands for a whole number as printf writes it, '0' for a digit. */
static const struct file_kind {
  omr_ours kind;
  const char *pattern, *begins, *holds; /* holds: soon after its beginning; NULL: nothing more */
} kinds[] = {
    {OMR_OUR_MANIFEST, OMR_MANIFEST_NAME, "{", "\"omniroll_version\""},
    {OMR_OUR_TEMPORARY, OMR_MANIFEST_NAME ".tmp-#", "{", NULL},
    {OMR_OUR_TEMPORARY, "chunk-00000#.h5.tmp-#", "\211HDF\r\n\032\n", NULL},
    {OMR_OUR_CHUNK, "chunk-00000#.h5", "\211HDF\r\n\032\n", NULL},
    {OMR_OUR_JOURNAL, "chunks-#-of-#.txt", "session ", NULL},
    {OMR_OUR_LOCK, OMR_LOCK_NAME, "process ", NULL},
    {OMR_OUR_LOCK, "lock-#-of-#", "process ", NULL},
    {OMR_OUR_LOCK, OMR_ASSEMBLY_LOCK_NAME, "process ", NULL},
};

/* The numbers of '#' go to `numbers`, as far as there are places. */
static bool fits(const char *name, const char *pattern, long *numbers, size_t count) {
  size_t taken = 0;
  for (; *pattern; pattern++) {
    const size_t digits = strspn(name, "0123456789");
    if (*pattern == '#') {
      if (digits == 0 || digits > 18) return false;
      if (taken < count) numbers[taken++] = strtol(name, NULL, 10);
      name += digits;
    } else if (*pattern == '0' ? digits == 0 : *name != *pattern) {
      return false;
    } else {
      name++;
    }
  }
  return *name == '\0';
}

static bool shard_of(const char *name, const char *pattern, const char *format, int *shard,
                     int *shards) {
  long numbers[2] = {0};
  char again[64];
  if (!fits(name, pattern, numbers, 2) || numbers[0] < 1 || numbers[1] > INT32_MAX ||
      numbers[0] > numbers[1])
    return false;
  *shard = (int)numbers[0];
  *shards = (int)numbers[1];
  snprintf(again, sizeof again, format, *shard, *shards);
  return strcmp(name, again) == 0;
}

bool omr_is_shard_lock(const char *name, int *shard, int *shards) {
  return shard_of(name, "lock-#-of-#", "lock-%d-of-%d", shard, shards);
}

bool omr_is_journal(const char *name, int *shard, int *shards) {
  return shard_of(name, "chunks-#-of-#.txt", "chunks-%d-of-%d.txt", shard, shards);
}

/* Nothing, zeros in place of its beginning (HDF5 writes that last), or this beginning. */
static bool begins(const char *bytes, size_t count, const struct file_kind *kind) {
  static const char zeros[16];
  const size_t length = strlen(kind->begins), looked = count < length ? count : length;
  if (memcmp(bytes, zeros, looked) == 0) return true;
  if (memcmp(bytes, kind->begins, looked) != 0) return false;
  return !kind->holds || memmem(bytes, count, kind->holds, strlen(kind->holds));
}

static bool holds_ours(const omr_parts *parts, const char *name, const struct file_kind *kind) {
  char bytes[LOOK];
  const int file = omr_parts_file(parts, name, O_RDONLY, NULL);
  if (file < 0) return false;
  const ssize_t count = pread(file, bytes, sizeof bytes, 0);
  close(file);
  return count >= 0 && begins(bytes, (size_t)count, kind);
}

bool omr_is_ours(const omr_parts *parts, const char *name, omr_ours kind) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (kinds[i].kind == kind && fits(name, kinds[i].pattern, NULL, 0))
      return holds_ours(parts, name, &kinds[i]);
  return false;
}
