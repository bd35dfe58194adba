/* Kernel binaries kept between runs. A file that is not exactly what was written counts as no file.
 */
#include "opencl.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define SUFFIX ".clbin"
#define PART ".part-" /* temporary names: <hash>.part-PID-... */
#define KEEP 64       /* entries */
#define PART_SECONDS 86400
#define OTHERS " is a link, another user's, or others can write there: take it away, or chmod go-w"

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

static void entry_name(const char *key, const char *ending, omr_text *name) {
  char hash[33];
  omr_hash_hex(key, strlen(key), hash);
  omr_text_print(name, "%s%s", hash, ending);
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

/* Whether the effective user alone can change it: what is in the cache runs on the device, and what
 * drivers make of a binary runs in this process. A file that was replaced since it was opened has
 * no name any more. */
static bool is_own(int fd, mode_t type) {
  struct stat info;
  return fstat(fd, &info) == 0 && (info.st_mode & S_IFMT) == type && info.st_uid == geteuid() &&
         (info.st_mode & (S_IWGRP | S_IWOTH)) == 0 && (type == S_IFDIR || info.st_nlink <= 1);
}

/* The folder, opened, or -1. It may be reached by links, but be none: whoever can put another one
 * into its place has to own the folder that it is in. *others: it is there, but others can write to
 * it. */
static int open_folder(const char *path, bool *others) {
  const int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  const int reason = errno;
  char link[1];
  *others = fd >= 0 ? !is_own(fd, S_IFDIR) : readlink(path, link, sizeof link) > 0;
  if (fd < 0 || !*others) {
    errno = reason;
    return fd;
  }
  close(fd);
  errno = EPERM;
  return -1;
}

static bool read_all(int fd, char **data, size_t *length) {
  struct stat info;
  *data = NULL;
  if (fstat(fd, &info) != 0 || info.st_size < 0) return false;
  const size_t size = (size_t)info.st_size;
  char *bytes = malloc(size + 1);
  size_t at = 0;
  while (bytes && at < size) {
    const ssize_t got = read(fd, bytes + at, size - at);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    at += (size_t)got;
  }
  if (bytes && at == size) {
    *data = bytes;
    *length = size;
    return true;
  }
  free(bytes);
  return false;
}

/* O_NONBLOCK: nobody waits for the other end of a pipe. */
static bool read_entry(int folder, const char *name, const char *key, char **file, size_t *length,
                       bool *others) {
  size_t size;
  const int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) {
    *others = errno == ELOOP;
    return false;
  }
  *others = !is_own(fd, S_IFREG);
  const bool read = !*others && read_all(fd, file, &size);
  const char *payload = read ? checked(*file, size, key, length) : NULL;
  if (payload) memmove(*file, payload, *length);
  if (payload) futimens(fd, NULL); /* used now: the last to be dropped */
  close(fd);
  return payload != NULL;
}

unsigned char *omr_cache_load(const char *key, size_t *length, char why[256]) {
  omr_text folder = {0}, name = {0};
  char *file = NULL;
  bool others = false, found = false;
  why[0] = '\0';
  if (omr_cache_off() || !folder_path(&folder)) goto done;
  entry_name(key, SUFFIX, &name);
  if (name.failed) goto done;
  const int directory = open_folder(folder.data, &others);
  if (directory >= 0) {
    found = read_entry(directory, name.data, key, &file, length, &others);
    close(directory);
  }
  if (others)
    snprintf(why, 256, "%.100s%s%.48s%s", folder.data, directory >= 0 ? "/" : "",
             directory >= 0 ? name.data : "", OTHERS);
done:
  if (!found) {
    free(file);
    file = NULL;
  }
  omr_text_free(&folder);
  omr_text_free(&name);
  return (unsigned char *)file;
}

static bool ends_with(const char *name, const char *ending) {
  size_t a = strlen(name), b = strlen(ending);
  return a > b && strcmp(name + a - b, ending) == 0;
}

/* Drops what killed processes left, counts the entries and drops the one used longest ago where
 * there are too many: each new entry drops one at most, so that is enough. Files that others hold
 * open stay readable to them. */
static void prune(int folder) {
  const int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *directory = again >= 0 ? fdopendir(again) : NULL;
  if (!directory && again >= 0) close(again);
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

/* Under a name that nobody has, then under its own. */
static bool put_entry(int folder, const char *key, const unsigned char *payload, size_t length) {
  static atomic_uint count;
  omr_text name = {0}, part = {0};
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  entry_name(key, SUFFIX, &name);
  entry_name(key, PART, &part);
  omr_text_print(&part, "%ld-%ld-%u", (long)getpid(), now.tv_nsec, atomic_fetch_add(&count, 1));
  bool stored = false;
  errno = ENOMEM;
  const int fd =
      name.failed || part.failed
          ? -1
          : openat(folder, part.data, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd >= 0) {
    stored = write_entry(fd, key, payload, length);
    stored = close(fd) == 0 && stored && renameat(folder, part.data, folder, name.data) == 0;
    const int reason = errno;
    if (!stored) unlinkat(folder, part.data, 0);
    errno = reason;
  }
  omr_text_free(&name);
  omr_text_free(&part);
  return stored;
}

bool omr_cache_store(const char *key, const unsigned char *payload, size_t length, char why[256]) {
  omr_text path = {0};
  bool stored = false, others = false;
  if (omr_cache_off()) return true;
  if (!folder_path(&path)) {
    snprintf(why, 256, "neither XDG_CACHE_HOME nor HOME is set");
    omr_text_free(&path);
    return false;
  }
  const int folder = make_folders(path.data) ? open_folder(path.data, &others) : -1;
  if (folder >= 0) stored = put_entry(folder, key, payload, length);
  const int reason = errno;
  if (stored) prune(folder);
  if (folder >= 0) close(folder);
  if (!stored && !others) snprintf(why, 256, "%.180s: %.60s", path.data, strerror(reason));
  omr_text_free(&path);
  return stored || others;
}
