/* Kernel binaries kept between runs. A file that is not exactly what was written counts as no file.
 */
#include "opencl.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define SUFFIX ".clbin"
#define PART ".part-" /* temporary names: <hash>.part-XXXXXX */
#define KEEP 64       /* entries */
#define PART_SECONDS 86400

/* What stands before key text and payload. */
typedef struct cache_header {
  char magic[8];
  uint32_t version, key_length;
  uint64_t payload_length;
  char payload_hash[32];
} cache_header;

static const char magic[8] = {'O', 'M', 'R', 'C', 'L', 'B', 'I', 'N'};
enum { CACHE_VERSION = 1 };

bool omr_cache_off(void) {
  const char *value = getenv("OMNIROLL_CACHE");
  return value && strcmp(value, "0") == 0;
}

/* The folder; a relative XDG_CACHE_HOME is to be ignored (XDG Base Directory Specification). */
static bool folder_path(omr_text *path) {
  const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  if (cache && cache[0] == '/') {
    omr_text_print(path, "%s/omniroll", cache);
  } else if (home && home[0]) {
    omr_text_print(path, "%s/.cache/omniroll", home);
  } else {
    return false;
  }
  return !path->failed;
}

static bool make_folders(char *path) {
  for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    bool made = mkdir(path, 0700) == 0 || errno == EEXIST;
    *slash = '/';
    if (!made) return false;
  }
  return mkdir(path, 0700) == 0 || errno == EEXIST;
}

static void entry_path(const char *folder, const char *key, const char *ending, omr_text *path) {
  char hash[33];
  omr_hash_hex(key, strlen(key), hash);
  omr_text_print(path, "%s/%s%s", folder, hash, ending);
}

/* The payload inside the file's bytes, or NULL. */
static const char *checked(const char *file, size_t size, const char *key, size_t *length) {
  cache_header header;
  char hash[33];
  if (size < sizeof header) return NULL;
  memcpy(&header, file, sizeof header);
  size_t key_length = strlen(key);
  if (memcmp(header.magic, magic, sizeof magic) || header.version != CACHE_VERSION ||
      header.key_length != key_length || !header.payload_length ||
      size - sizeof header < key_length ||
      header.payload_length != size - sizeof header - key_length ||
      memcmp(file + sizeof header, key, key_length)) {
    return NULL;
  }
  const char *payload = file + sizeof header + key_length;
  *length = (size_t)header.payload_length;
  omr_hash_hex(payload, *length, hash);
  return memcmp(hash, header.payload_hash, sizeof header.payload_hash) ? NULL : payload;
}

unsigned char *omr_cache_load(const char *key, size_t *length) {
  omr_text folder = {0}, path = {0};
  char *file = NULL;
  size_t size;
  bool found = false;
  if (omr_cache_off() || !folder_path(&folder)) goto done;
  entry_path(folder.data, key, SUFFIX, &path);
  if (path.failed || omr_read_file(path.data, &file, &size, NULL)) goto done;
  const char *payload = checked(file, size, key, length);
  found = payload != NULL;
  if (found) {
    memmove(file, payload, *length);
    utimensat(AT_FDCWD, path.data, NULL, 0); /* used now: the last to be dropped */
  }
done:
  if (!found) {
    free(file);
    file = NULL;
  }
  omr_text_free(&folder);
  omr_text_free(&path);
  return (unsigned char *)file;
}

static bool ends_with(const char *name, const char *ending) {
  size_t a = strlen(name), b = strlen(ending);
  return a > b && strcmp(name + a - b, ending) == 0;
}

/* Drops what killed processes left, counts the entries and drops the one used longest ago where
 * there are too many: each new entry drops one at most, so that is enough. Files that others hold
 * open stay readable to them. */
static void prune(const char *folder) {
  DIR *directory = opendir(folder);
  if (!directory) return;
  int fd = dirfd(directory), entries = 0;
  char oldest[256] = "";
  time_t oldest_time = 0;
  for (struct dirent *e; (e = readdir(directory));) {
    struct stat info;
    bool entry = ends_with(e->d_name, SUFFIX);
    if ((!entry && !strstr(e->d_name, PART)) || fstatat(fd, e->d_name, &info, AT_SYMLINK_NOFOLLOW))
      continue;
    if (!entry) {
      if (time(NULL) - info.st_mtime > PART_SECONDS) unlinkat(fd, e->d_name, 0);
      continue;
    }
    if (!entries++ || info.st_mtime < oldest_time) {
      oldest_time = info.st_mtime;
      snprintf(oldest, sizeof oldest, "%s", e->d_name);
    }
  }
  if (entries > KEEP) unlinkat(fd, oldest, 0);
  closedir(directory);
}

static bool write_all(int fd, const void *data, size_t length) {
  const char *bytes = data;
  while (length) {
    ssize_t written = write(fd, bytes, length);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes += written;
    length -= (size_t)written;
  }
  return true;
}

static bool write_entry(int fd, const char *key, const unsigned char *payload, size_t length) {
  cache_header header = {
      .version = CACHE_VERSION, .key_length = (uint32_t)strlen(key), .payload_length = length};
  char hash[33];
  memcpy(header.magic, magic, sizeof magic);
  omr_hash_hex(payload, length, hash);
  memcpy(header.payload_hash, hash, sizeof header.payload_hash);
  return write_all(fd, &header, sizeof header) && write_all(fd, key, header.key_length) &&
         write_all(fd, payload, length) && fsync(fd) == 0;
}

bool omr_cache_store(const char *key, const unsigned char *payload, size_t length, char why[256]) {
  omr_text folder = {0}, path = {0}, part = {0};
  bool stored = false;
  int reason = 0;
  if (omr_cache_off()) return true;
  if (!folder_path(&folder)) {
    snprintf(why, 256, "neither XDG_CACHE_HOME nor HOME is set");
    goto done;
  }
  entry_path(folder.data, key, SUFFIX, &path);
  entry_path(folder.data, key, PART "XXXXXX", &part);
  if (path.failed || part.failed) {
    snprintf(why, 256, "out of memory");
    goto done;
  }
  int fd = make_folders(folder.data) ? mkstemp(part.data) : -1;
  reason = errno;
  if (fd >= 0) {
    stored = write_entry(fd, key, payload, length);
    stored = close(fd) == 0 && stored && rename(part.data, path.data) == 0;
    reason = errno;
    if (!stored) unlink(part.data);
  }
  if (stored) {
    prune(folder.data);
  } else {
    snprintf(why, 256, "%.180s: %.60s", folder.data, strerror(reason));
  }
done:
  omr_text_free(&folder);
  omr_text_free(&path);
  omr_text_free(&part);
  return stored;
}
