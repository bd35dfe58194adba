#define _GNU_SOURCE
#include "lock.h"

#include "folder.h"

#include <dirent.h>
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
    return; /* the lock holds all the same */
}

/* "process 12 on host since ...", as its holder signed; the caller frees it. */
static char *signature(const char *folder, const char *name) {
  char *path = omr_join(folder, name), *text = NULL;
  size_t length = 0;
  if (path && omr_read_file(path, &text, &length, NULL) == OMR_OK && length == 0) {
    free(text);
    text = NULL;
  }
  free(path);
  return text ? text : strdup("another process");
}

/* A lock file, open; -1 with errno. */
static int open_lock(const char *folder, const char *name) {
  char *path = omr_join(folder, name);
  const int file = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
  free(path);
  return file;
}

static bool is_held(const char *folder, const char *name) {
  const int file = open_lock(folder, name);
  const bool held = file >= 0 && flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  if (file >= 0) close(file);
  return held;
}

/* Name of the lock of a shard that is at work; those of `but_of` shards do not count. The caller
 * frees it; NULL: none. */
static char *working_shard(const char *folder, int but_of) {
  DIR *listing = opendir(folder);
  char *found = NULL;
  for (struct dirent *entry; listing && !found && (entry = readdir(listing));) {
    int shard, shards;
    if (sscanf(entry->d_name, "lock-%d-of-%d", &shard, &shards) != 2 || shards == but_of) continue;
    if (is_held(folder, entry->d_name)) found = strdup(entry->d_name);
  }
  if (listing) closedir(listing);
  return found;
}

static omr_status tell(const char *folder, const char *name, omr_error *error) {
  char *who = signature(folder, name);
  int shard, shards;
  char part[64] = "";
  if (sscanf(name, "lock-%d-of-%d", &shard, &shards) == 2)
    snprintf(part, sizeof part, " (shard %d/%d)", shard, shards);
  const omr_status status =
      omr_fail(error, OMR_ERR_IO,
               "%s: %s works on it%s. Wait for it, or end it, or choose another file with -o.",
               folder, who ? who : "another process", part);
  free(who);
  return status;
}

/* Takes a lock file; a file system without locks is told of and taken as free. */
static omr_status take(const char *folder, const char *name, int kind, FILE *log, int *file,
                       omr_error *error) {
  *file = open_lock(folder, name);
  if (*file < 0)
    return omr_fail(error, OMR_ERR_IO,
                    "cannot write in the folder %s: %s. Allow writing in it, or make room.", folder,
                    strerror(errno));
  if (try_lock(*file, kind)) return OMR_OK;
  if (errno == EWOULDBLOCK) {
    char *shard = kind == LOCK_EX ? working_shard(folder, 0) : NULL;
    const omr_status status = tell(folder, shard ? shard : name, error);
    free(shard);
    return status;
  }
  if (log)
    fprintf(
        log,
        "%s: files cannot be locked here (%s); take care that no two processes do the same part\n",
        folder, strerror(errno));
  return OMR_OK;
}

static bool is_still(const char *folder, const char *name, int file) {
  struct stat held, there;
  char *path = omr_join(folder, name);
  const bool same = path && fstat(file, &held) == 0 && stat(path, &there) == 0 &&
                    held.st_dev == there.st_dev && held.st_ino == there.st_ino;
  free(path);
  return same;
}

omr_status omr_locks_take(const char *folder, int shard, int shards, FILE *log, omr_locks *locks,
                          bool *gone, omr_error *error) {
  const bool sharded = shards > 1;
  char name[64];
  snprintf(name, sizeof name, "lock-%d-of-%d", shard, shards);
  *locks = (omr_locks){-1, -1};
  omr_status status = take(folder, "lock", sharded ? LOCK_SH : LOCK_EX, log, &locks->whole, error);
  if (status == OMR_OK && sharded) status = take(folder, name, LOCK_EX, NULL, &locks->part, error);
  char *other = status == OMR_OK && sharded ? working_shard(folder, shards) : NULL;
  if (other) status = tell(folder, other, error);
  free(other);
  *gone = locks->whole < 0 ? !omr_is_folder(folder) : !is_still(folder, "lock", locks->whole);
  if (status == OMR_OK) sign(sharded ? locks->part : locks->whole);
  if (status != OMR_OK || *gone) omr_locks_release(locks);
  return status;
}

void omr_locks_release(omr_locks *locks) {
  if (locks->part >= 0) close(locks->part);
  if (locks->whole >= 0) close(locks->whole);
  *locks = (omr_locks){-1, -1};
}

int omr_lock_assembly(const char *folder, char **holder) {
  *holder = NULL;
  const int file = open_lock(folder, "assemble.lock");
  if (file >= 0 && flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    *holder = signature(folder, "assemble.lock");
    close(file);
    return -1;
  }
  if (file >= 0) sign(file);
  return file;
}
