/* LD_PRELOAD: writes down what a program does to files, for tests/long/power_loss.py.
 *
 * OMNIROLL_RECORD names two files without their endings: .log has a line per operation, .data the
 * bytes of the writes one after the other. Files and folders are known by the numbers of their
 * inodes:
 *
 *   create FOLDER FILE NAME      a file that was not there
 *   mkdir FOLDER NEW NAME
 *   write FILE OFFSET COUNT
 *   truncate FILE LENGTH
 *   sync FILE                    fsync and fdatasync, of files and of folders
 *   rename FOLDER FILE NAME FOLDER NAME
 *   unlink FOLDER FILE NAME      rmdir as well
 *
 * Operations are in the order in which they returned. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static int log_file = -1, data_file = -1;

static int open_record(const char *ending) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s%s", getenv("OMNIROLL_RECORD"), ending);
  return (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
}

static void begin(void) {
  pthread_mutex_lock(&turn);
  if (log_file >= 0 || !getenv("OMNIROLL_RECORD")) return;
  log_file = open_record(".log");
  data_file = open_record(".data");
}

static void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void note(const char *format, ...) {
  char line[2 * PATH_MAX];
  va_list args;
  va_start(args, format);
  const int length = vsnprintf(line, sizeof line, format, args);
  va_end(args);
  if (log_file >= 0 && syscall(SYS_write, log_file, line, (size_t)length) != length) abort();
}

static void note_bytes(const void *bytes, size_t count) {
  if (data_file >= 0 && syscall(SYS_write, data_file, bytes, count) != (long)count) abort();
}

static void end(void) {
  pthread_mutex_unlock(&turn);
}

static unsigned long inode(int at, const char *path, int flags) {
  struct stat there;
  return fstatat(at, path, &there, flags) == 0 ? (unsigned long)there.st_ino : 0;
}

static unsigned long inode_of(int file) {
  return inode(file, "", AT_EMPTY_PATH);
}

/* The folder of a path, and its last component. */
static unsigned long above(int at, const char *path, const char **name) {
  char folder[PATH_MAX];
  const char *slash = strrchr(path, '/');
  *name = slash ? slash + 1 : path;
  snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
  return inode(at, folder, 0);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int opened(int at, const char *path, int flags, mode_t mode) {
  const char *name;
  begin();
  const bool new = flags &O_CREAT && !inode(at, path, AT_SYMLINK_NOFOLLOW);
  const int file = (int)syscall(SYS_openat, at, path, flags, mode);
  if (file >= 0 && new) {
    const unsigned long folder = above(at, path, &name);
    note("create %lu %lu %s\n", folder, inode_of(file), name);
  } else if (file >= 0 && flags & O_TRUNC) {
    note("truncate %lu 0\n", inode_of(file));
  }
  end();
  return file;
}

static mode_t mode_of(int flags, va_list args) {
  return flags & (O_CREAT | __O_TMPFILE) ? va_arg(args, mode_t) : 0;
}

#define OPEN(name, at, ...)                                                                        \
  int name(__VA_ARGS__, int flags, ...) {                                                          \
    va_list args;                                                                                  \
    va_start(args, flags);                                                                         \
    const mode_t mode = mode_of(flags, args);                                                      \
    va_end(args);                                                                                  \
    return opened(at, path, flags, mode);                                                          \
  }
OPEN(open, AT_FDCWD, const char *path)
OPEN(open64, AT_FDCWD, const char *path)
OPEN(openat, at, int at, const char *path)
OPEN(openat64, at, int at, const char *path)

/* What fortified programs call where there is no mode. */
int __open_2(const char *path, int flags);
int __open_2(const char *path, int flags) {
  return opened(AT_FDCWD, path, flags, 0);
}
int __open64_2(const char *path, int flags);
int __open64_2(const char *path, int flags) {
  return opened(AT_FDCWD, path, flags, 0);
}
int __openat_2(int at, const char *path, int flags);
int __openat_2(int at, const char *path, int flags) {
  return opened(at, path, flags, 0);
}
int __openat64_2(int at, const char *path, int flags);
int __openat64_2(int at, const char *path, int flags) {
  return opened(at, path, flags, 0);
}

static ssize_t wrote(int file, off_t offset, const void *bytes, ssize_t count) {
  if (count > 0) {
    note("write %lu %ld %zd\n", inode_of(file), (long)offset, count);
    note_bytes(bytes, (size_t)count);
  }
  return count;
}

ssize_t write(int file, const void *bytes, size_t count) {
  struct stat there;
  begin();
  const bool appends = fcntl(file, F_GETFL) & O_APPEND && fstat(file, &there) == 0;
  const off_t offset = appends ? there.st_size : lseek(file, 0, SEEK_CUR);
  const ssize_t written = wrote(file, offset, bytes, syscall(SYS_write, file, bytes, count));
  end();
  return written;
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
  begin();
  const ssize_t written =
      wrote(file, offset, bytes, syscall(SYS_pwrite64, file, bytes, count, offset));
  end();
  return written;
}
ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
  return pwrite(file, bytes, count, offset);
}

int ftruncate(int file, off_t length) {
  begin();
  const int done = REAL(ftruncate)(file, length);
  if (done == 0) note("truncate %lu %ld\n", inode_of(file), (long)length);
  end();
  return done;
}
int ftruncate64(int file, off64_t length) {
  return ftruncate(file, length);
}

int fsync(int file) {
  begin();
  const int done = REAL(fsync)(file);
  if (done == 0) note("sync %lu\n", inode_of(file));
  end();
  return done;
}
int fdatasync(int file) {
  begin();
  const int done = REAL(fdatasync)(file);
  if (done == 0) note("sync %lu\n", inode_of(file));
  end();
  return done;
}

int renameat(int from_at, const char *from, int to_at, const char *to) {
  const char *old, *new;
  begin();
  const unsigned long file = inode(from_at, from, AT_SYMLINK_NOFOLLOW),
                      folder = above(from_at, from, &old), target = above(to_at, to, &new);
  const int done = REAL(renameat)(from_at, from, to_at, to);
  if (done == 0) note("rename %lu %lu %s %lu %s\n", folder, file, old, target, new);
  end();
  return done;
}
int rename(const char *from, const char *to) {
  return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

int unlinkat(int at, const char *path, int flags) {
  const char *name;
  begin();
  const unsigned long file = inode(at, path, AT_SYMLINK_NOFOLLOW), folder = above(at, path, &name);
  const int done = REAL(unlinkat)(at, path, flags);
  if (done == 0) note("unlink %lu %lu %s\n", folder, file, name);
  end();
  return done;
}
int unlink(const char *path) {
  return unlinkat(AT_FDCWD, path, 0);
}
int rmdir(const char *path) {
  return unlinkat(AT_FDCWD, path, AT_REMOVEDIR);
}

int mkdirat(int at, const char *path, mode_t mode) {
  const char *name;
  begin();
  const int done = REAL(mkdirat)(at, path, mode);
  if (done == 0) {
    const unsigned long folder = above(at, path, &name);
    note("mkdir %lu %lu %s\n", folder, inode(at, path, AT_SYMLINK_NOFOLLOW), name);
  }
  end();
  return done;
}
int mkdir(const char *path, mode_t mode) {
  return mkdirat(AT_FDCWD, path, mode);
}
