/* Compiled kernels stored between runs. A file that differs in any way from the bytes written
 * counts as no file. */
#include "kernel_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PART ".part-" /* temporary names: <hash>.part-PID-... */
#define KEEP 64       /* most entries of a kind */
#define PART_SECONDS 86400
#define OTHERS " is a link, another user's, or others can write there: take it away, or chmod go-w"

/* The end of a file, behind payload and key text. */
typedef struct cache_end {
  char magic[8];
  uint32_t version, key_length;
  uint64_t payload_length;
  char payload_hash[32];
} cache_end;

static const char magic[8] = {'O', 'M', 'R', 'C', 'L', 'B', 'I', 'N'};
enum { CACHE_VERSION = 2 };

bool omr_cache_off(void) {
  const char *value = getenv("OMNIROLL_CACHE");
  return value && strcmp(value, "0") == 0;
}

/* The folder; a relative XDG_CACHE_HOME must be ignored (XDG Base Directory Specification). */
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

static bool make_folder(const char *path) {
  return mkdir(path, 0700) == 0 || errno == EEXIST;
}

bool omr_cache_make_above(char *path) {
  for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    const bool made = make_folder(path);
    *slash = '/';
    if (!made) return false;
  }
  return true;
}

void omr_cache_name(const char *key, const char *ending, char name[64]) {
  char hash[33];
  omr_hash_hex(key, strlen(key), hash);
  snprintf(name, 64, "%s%s", hash, ending);
}

/* Bytes of a key before the line that names its maker; all bytes if there is no such line. */
static size_t subject_length(const char *key) {
  const char *by = strstr(key, OMR_CACHE_BY);
  return by ? (size_t)(by - key) + 1 : strlen(key);
}

void omr_cache_entry_name(const char *key, const char *kind, char name[64]) {
  char hash[33];
  omr_hash_hex(key, subject_length(key), hash);
  snprintf(name, 64, "%s%s", hash, kind);
}

/* Whether the file's bytes are exactly the bytes written; *length of the payload before the key. A
 * key that names no maker matches any maker's entry. */
static bool is_whole(const char *file, size_t size, const char *key, size_t *length) {
  const size_t key_length = strlen(key);
  cache_end end;
  char hash[33];
  if (size < sizeof end) return false;
  memcpy(&end, file + size - sizeof end, sizeof end);
  if (memcmp(end.magic, magic, sizeof magic) || end.version != CACHE_VERSION ||
      end.key_length < key_length || end.key_length > size - sizeof end)
    return false;
  *length = size - sizeof end - end.key_length;
  const char *rest = file + *length + key_length, *by = OMR_CACHE_BY;
  if (!end.payload_length || end.payload_length != *length ||
      memcmp(file + *length, key, key_length) ||
      (end.key_length > key_length && strncmp(rest, by + 1, strlen(by + 1))))
    return false;
  omr_hash_hex(file, *length, hash);
  return !memcmp(hash, end.payload_hash, sizeof end.payload_hash);
}

/* Whether only the effective user can change it: the cache's contents run on the device, and
 * drivers run their version of a binary in this process. A file that was replaced since it was
 * opened no longer has a name. */
static bool is_own(int fd, mode_t type) {
  struct stat info;
  return fstat(fd, &info) == 0 && (info.st_mode & S_IFMT) == type && info.st_uid == geteuid() &&
         (info.st_mode & (S_IWGRP | S_IWOTH)) == 0 && (type == S_IFDIR || info.st_nlink <= 1);
}

bool omr_cache_is_shipped(int fd, mode_t type, const uid_t owners[2]) {
  struct stat info;
  return fstat(fd, &info) == 0 && (info.st_mode & S_IFMT) == type &&
         (info.st_uid == geteuid() || info.st_uid == owners[0] || info.st_uid == owners[1]) &&
         (info.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* Opens the folder, or returns -1. Links may lead to it, but it must not be a link itself: a user
 * who can replace it must own the folder that contains it. *others: it exists, but others can write
 * to it. */
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
  /* A size that grows meanwhile is cut at the first reading. */
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

  /* A file that shrank while it was read does not count. */
  if (bytes && at == size) {
    *data = bytes;
    *length = size;
    return true;
  }

  free(bytes);
  return false;
}

/* Opens an entry and reads it whole, or returns -1; *others: others can change it. `owners`: users
 * who may have shipped it; NULL: none. O_NONBLOCK: nobody waits for the other end of a pipe. */
static int open_entry(int folder, const char *name, const char *key, const uid_t *owners,
                      char **file, size_t *length, bool *others) {
  size_t size;
  const int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  *file = NULL;
  if (fd < 0) {
    *others = errno == ELOOP;
    return -1;
  }
  *others = owners ? !omr_cache_is_shipped(fd, S_IFREG, owners) : !is_own(fd, S_IFREG);
  if (!*others && read_all(fd, file, &size) && is_whole(*file, size, key, length)) {
    if (!owners) futimens(fd, NULL); /* used now, so dropped last */
    return fd;
  }
  close(fd);
  free(*file);
  *file = NULL;
  return -1;
}

/* Opens the folder; `others`: it must not be used; `path`: its name. */
static int find_folder(bool make, omr_text *path, bool *others, char why[256]) {
  why[0] = '\0';
  *others = false;
  if (omr_cache_off()) return -1;
  if (!folder_path(path)) {
    snprintf(why, 256, "neither XDG_CACHE_HOME nor HOME is set");
    return -1;
  }
  const int folder = !make || (omr_cache_make_above(path->data) && make_folder(path->data))
                         ? open_folder(path->data, others)
                         : -1;
  if (*others)
    snprintf(why, 256, "%.100s%s", path->data, OTHERS);
  else if (folder < 0)
    snprintf(why, 256, "%.180s: %.60s", path->data, strerror(errno));
  return folder;
}

int omr_cache_folder(bool make, char why[256]) {
  omr_text path = {0};
  bool others;
  const int folder = find_folder(make, &path, &others, why);
  omr_text_free(&path);
  return folder;
}

int omr_cache_open(int folder, const char *kind, const char *key, char name[64], char why[256]) {
  char *file;
  size_t length;
  bool others = false;
  why[0] = '\0';
  omr_cache_entry_name(key, kind, name);
  const int fd = open_entry(folder, name, key, NULL, &file, &length, &others);
  if (others) snprintf(why, 256, "%.48s%s", name, OTHERS);
  free(file);
  return fd;
}

int omr_cache_open_any(int folder, const char *kind, const char *key, const uid_t owners[2],
                       char name[64], char by[64]) {
  char *file;
  size_t length;
  bool others;
  omr_cache_entry_name(key, kind, name);
  const int fd = open_entry(folder, name, key, owners, &file, &length, &others);
  if (fd >= 0) {
    const char *line = file + length + strlen(key) + strlen(OMR_CACHE_BY) - 1;
    snprintf(by, 64, "%.*s", (int)strcspn(line, "\n"), line);
  }
  free(file);
  return fd;
}

char *omr_cache_read_own(int folder, const char *name, size_t *length) {
  char *data = NULL;
  const int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return NULL;
  if (is_own(fd, S_IFREG)) read_all(fd, &data, length);
  close(fd);
  return data;
}

unsigned char *omr_cache_load(const char *key, size_t *length, char why[256]) {
  omr_text path = {0};
  char *file = NULL, name[64];
  bool others;
  const int folder = find_folder(false, &path, &others, why);
  if (folder < 0) {
    if (!others) why[0] = '\0'; /* the folder does not exist yet */
    omr_text_free(&path);
    return NULL;
  }
  omr_cache_entry_name(key, OMR_CACHE_BINARY, name);
  const int fd = open_entry(folder, name, key, NULL, &file, length, &others);
  if (fd >= 0) close(fd);
  if (others) snprintf(why, 256, "%.100s/%.48s%s", path.data, name, OTHERS);
  close(folder);
  omr_text_free(&path);
  return (unsigned char *)file;
}

bool omr_cache_has_ending(const char *name, const char *ending) {
  size_t a = strlen(name), b = strlen(ending);
  return a > b && strcmp(name + a - b, ending) == 0;
}

DIR *omr_cache_list(int folder) {
  const int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *directory = again >= 0 ? fdopendir(again) : NULL;
  if (!directory && again >= 0) close(again);
  return directory;
}

/* Drops the remains of killed processes and, where there are too many entries, the one unused for
 * longest: each new entry drops one at most, which is enough. Processes that hold a dropped file
 * open can still read it. */
static void prune(int folder, const char *kind) {
  DIR *directory = omr_cache_list(folder);
  if (!directory) return;
  int entries = 0;
  char oldest[256] = "";
  time_t oldest_time = 0;

  /* The oldest of the entries; temporary files go when they are a day old. */
  for (struct dirent *e; (e = readdir(directory));) {
    struct stat info;
    bool entry = omr_cache_has_ending(e->d_name, kind);
    if ((!entry && !strstr(e->d_name, PART)) ||
        fstatat(folder, e->d_name, &info, AT_SYMLINK_NOFOLLOW))
      continue;
    if (!entry) {
      if (time(NULL) - info.st_mtime > PART_SECONDS) unlinkat(folder, e->d_name, 0);
      continue;
    }
    if (!entries++ || info.st_mtime < oldest_time) {
      oldest_time = info.st_mtime;
      snprintf(oldest, sizeof oldest, "%s", e->d_name);
    }
  }

  if (entries > KEEP) unlinkat(folder, oldest, 0);
  closedir(directory);
}

bool omr_cache_write(int fd, const void *data, size_t length) {
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
  cache_end end = {
      .version = CACHE_VERSION, .key_length = (uint32_t)strlen(key), .payload_length = length};
  char hash[33];
  memcpy(end.magic, magic, sizeof magic);
  omr_hash_hex(payload, length, hash);
  memcpy(end.payload_hash, hash, sizeof end.payload_hash);
  return omr_cache_write(fd, payload, length) && omr_cache_write(fd, key, end.key_length) &&
         omr_cache_write(fd, &end, sizeof end) && fsync(fd) == 0;
}

/* Writes under a temporary name that nobody else has, then renames. */
bool omr_cache_put(int folder, const char *kind, const char *key, const unsigned char *payload,
                   size_t length) {
  static atomic_uint count;
  char name[64], ending[64], part[96];

  /* A temporary name by process, time and count. */
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  omr_cache_entry_name(key, kind, name);
  omr_cache_name(key, PART, ending);
  snprintf(part, sizeof part, "%s%ld-%ld-%u", ending, (long)getpid(), now.tv_nsec,
           atomic_fetch_add(&count, 1));
  const int fd = openat(folder, part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0) return false;

  /* Rename only what is written, synced and closed; keep the first error. */
  bool stored = write_entry(fd, key, payload, length);
  stored = close(fd) == 0 && stored && renameat(folder, part, folder, name) == 0;
  const int reason = errno;
  if (!stored) unlinkat(folder, part, 0);
  if (stored) prune(folder, kind);
  errno = reason;
  return stored;
}

bool omr_cache_store(const char *key, const unsigned char *payload, size_t length, char why[256]) {
  omr_text path = {0};
  bool others;
  const int folder = find_folder(true, &path, &others, why);
  const bool stored = folder >= 0 && omr_cache_put(folder, OMR_CACHE_BINARY, key, payload, length);
  if (folder >= 0 && !stored) snprintf(why, 256, "%.180s: %.60s", path.data, strerror(errno));
  if (folder >= 0) close(folder);
  omr_text_free(&path);
  return stored || others || omr_cache_off();
}
