#define _GNU_SOURCE
#include "lock.h"

#include "folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { TRIES = 5, PAUSE_MS = 20 };

/* Another starting process may look at a lock for a moment. */
static bool try_lock(int file, int kind) {
  for (int i = 0; i < TRIES; i++) {
    if (flock(file, kind | LOCK_NB) == 0) return true;
    if (errno != EWOULDBLOCK && errno != EINTR) return false;
    nanosleep(&(struct timespec){.tv_nsec = PAUSE_MS * 1000000L}, NULL);
  }
  errno = EWOULDBLOCK;
  return false;
}

static void sign(int file) {
  char host[256] = "", when[32] = "", text[400];
  const time_t now = time(NULL);
  struct tm local;
  gethostname(host, sizeof host - 1);
  if (localtime_r(&now, &local)) strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S %Z", &local);
  const int length =
      snprintf(text, sizeof text, "process %ld on %s since %s", (long)getpid(), host, when);
  if (ftruncate(file, 0) != 0 || pwrite(file, text, (size_t)length, 0) < 0)
    return; /* the lock holds without it */
}

/* "process 12 on host since ...", as its holder signed; the caller frees it. */
static char *signature(const omr_parts *parts, const char *name) {
  char *text = NULL;
  size_t length = 0;
  if (omr_parts_read(parts, name, &text, &length, NULL) == 0 && length == 0) {
    free(text);
    text = NULL;
  }
  return text ? text : strdup("another process");
}

/* A lock file, open; -1 with errno. */
static int open_lock(const omr_parts *parts, const char *name, omr_error *error) {
  return omr_parts_file(parts, name, O_RDWR | O_CREAT, error);
}

static bool is_held(const omr_parts *parts, const char *name) {
  const int file = open_lock(parts, name, NULL);
  const bool held = file >= 0 && flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  if (file >= 0) close(file);
  return held;
}

/* Name of the lock of a working shard; shards of `but_of` do not count. The caller frees it; NULL:
 * none. */
static char *working_shard(const omr_parts *parts, int but_of) {
  DIR *listing = omr_parts_list(parts);
  char *found = NULL;
  for (struct dirent *entry; listing && !found && (entry = readdir(listing));) {
    int shard, shards;
    if (!omr_is_shard_lock(entry->d_name, &shard, &shards) || shards == but_of) continue;
    if (is_held(parts, entry->d_name)) found = strdup(entry->d_name);
  }
  if (listing) closedir(listing);
  return found;
}

static omr_status tell(const omr_parts *parts, const char *name, omr_error *error) {
  char *who = signature(parts, name);
  int shard, shards;
  char part[64] = "";
  if (omr_is_shard_lock(name, &shard, &shards))
    snprintf(part, sizeof part, " (shard %d/%d)", shard, shards);
  const omr_status status =
      omr_fail(error, OMR_ERR_IO,
               "%s: %s works on it%s. Wait for it, or end it, or run with another -o FILE.",
               parts->path, who ? who : "another process", part);
  free(who);
  return status;
}

/* Takes a lock file; a file system without locks is reported, and counts as free. */
static omr_status take(const omr_parts *parts, const char *name, int kind, FILE *log, int *file,
                       omr_error *error) {
  *file = open_lock(parts, name, error);
  if (*file < 0) return OMR_ERR_IO;
  if (try_lock(*file, kind)) return OMR_OK;
  if (errno == EWOULDBLOCK) {
    char *shard = kind == LOCK_EX ? working_shard(parts, 0) : NULL;
    const omr_status status = tell(parts, shard ? shard : name, error);
    free(shard);
    return status;
  }
  if (log)
    fprintf(
        log,
        "%s: files cannot be locked here (%s); take care that no two processes do the same part\n",
        parts->path, strerror(errno));
  return OMR_OK;
}

bool omr_locks_gone(const omr_parts *parts, const omr_locks *locks) {
  struct stat held, there;
  if (!omr_parts_same(parts)) return true;
  if (locks->whole < 0) return false;
  return fstat(locks->whole, &held) != 0 ||
         fstatat(parts->folder, OMR_LOCK_NAME, &there, AT_SYMLINK_NOFOLLOW) != 0 ||
         held.st_dev != there.st_dev || held.st_ino != there.st_ino;
}

/* The lock that is needed at the end is checked before the work. */
static omr_status check_assembly(const omr_parts *parts, omr_error *error) {
  omr_error found = {0};
  const int file = omr_parts_file(parts, OMR_ASSEMBLY_LOCK_NAME, O_RDONLY, &found);
  if (file >= 0) close(file);
  return file >= 0 || errno != EPERM ? OMR_OK : omr_fail(error, found.status, "%s", found.message);
}

omr_status omr_locks_take(const omr_parts *parts, int shard, int shards, FILE *log,
                          omr_locks *locks, bool *gone, omr_error *error) {
  const bool sharded = shards > 1;
  char name[64];
  snprintf(name, sizeof name, "lock-%d-of-%d", shard, shards);
  *locks = (omr_locks){-1, -1};
  omr_status status =
      take(parts, OMR_LOCK_NAME, sharded ? LOCK_SH : LOCK_EX, log, &locks->whole, error);
  if (status == OMR_OK) status = check_assembly(parts, error);
  if (status == OMR_OK && sharded) status = take(parts, name, LOCK_EX, NULL, &locks->part, error);
  char *other = status == OMR_OK && sharded ? working_shard(parts, shards) : NULL;
  if (other) status = tell(parts, other, error);
  free(other);
  *gone = omr_locks_gone(parts, locks);
  if (status == OMR_OK) sign(sharded ? locks->part : locks->whole);
  if (status != OMR_OK || *gone) omr_locks_release(locks);
  return status;
}

void omr_locks_release(omr_locks *locks) {
  if (locks->part >= 0) close(locks->part);
  if (locks->whole >= 0) close(locks->whole);
  *locks = (omr_locks){-1, -1};
}

omr_status omr_lock_assembly(const omr_parts *parts, int *file, char **holder, omr_error *error) {
  *holder = NULL;
  *file = open_lock(parts, OMR_ASSEMBLY_LOCK_NAME, error);
  if (*file < 0) return OMR_ERR_IO;
  if (flock(*file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    *holder = signature(parts, OMR_ASSEMBLY_LOCK_NAME);
    close(*file);
    *file = -1;
  } else {
    sign(*file);
  }
  return OMR_OK;
}
