#define _GNU_SOURCE /* O_PATH */
#include "parts_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { AS_FOLDER = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC };

omr_status omr_parts_begin(omr_parts *parts, const char *path, bool foreign, omr_error *error) {
  size_t length = strlen(path);
  while (length > 1 && path[length - 1] == '/') length--;
  *parts = (omr_parts){.path = strndup(path, length), .above = -1, .folder = -1};
  const char *slash = parts->path ? strrchr(parts->path, '/') : NULL;
  if (parts->path) parts->name = strdup(slash && slash[1] ? slash + 1 : parts->path);
  parts->foreign = foreign;
  return parts->path && parts->name ? OMR_OK
                                    : omr_fail(error, OMR_ERR_MEMORY, "%s: out of memory", path);
}

static void close_folder(omr_parts *parts) {
  if (parts->folder >= 0) close(parts->folder);
  parts->folder = -1;
  parts->linked = false;
}

void omr_parts_free(omr_parts *parts) {
  close_folder(parts);
  if (parts->above >= 0) close(parts->above);
  free(parts->path);
  free(parts->name);
  *parts = (omr_parts)OMR_PARTS_NONE;
}

/* The path above is the user's own word, links in it included. */
static bool open_above(omr_parts *parts) {
  if (parts->above >= 0) return true;
  const size_t length = strlen(parts->path) - strlen(parts->name);
  char *above = length ? strndup(parts->path, length) : strdup(".");
  parts->above = above ? open(above, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
  const int cause = above ? errno : ENOMEM;
  free(above);
  errno = cause;
  return parts->above >= 0;
}

void omr_parts_sync_above(const omr_parts *parts) {
  const int above = openat(parts->above, ".", AS_FOLDER);
  if (above < 0) return;
  omr_sync_open_folder(above);
  close(above);
}

static const char *kind_of(const struct stat *there) {
  switch (there->st_mode & S_IFMT) {
  case S_IFLNK: return "a symbolic link";
  case S_IFIFO: return "a FIFO";
  case S_IFDIR: return "a folder";
  case S_IFSOCK: return "a socket";
  case S_IFCHR:
  case S_IFBLK: return "a device";
  default: return "a file";
  }
}

static omr_status refuse_link(const omr_parts *parts, const char *what, omr_error *error) {
  return omr_fail(error, OMR_ERR_IO,
                  "%s is a symbolic link %s. It may lead to a folder that is there, and you have "
                  "to have made it yourself: remove it, or run with another -o FILE.",
                  parts->path, what);
}

const char *omr_remedy_for(int cause, const char *usual) {
  return cause == EMFILE ? "Allow more of them by ulimit -n, or join fewer folders at a time."
                         : usual;
}

static omr_status check_owner(const omr_parts *parts, omr_error *error) {
  struct stat there;
  if (fstat(parts->folder, &there) != 0)
    return omr_fail(error, OMR_ERR_IO, "cannot read the folder %s: %s", parts->path,
                    strerror(errno));
  if (parts->foreign || there.st_uid == geteuid()) return OMR_OK;
  return omr_fail(error, OMR_ERR_IO,
                  "the folder %s belongs to user %ld, and this process is user %ld's: its owner "
                  "decides what is read and written in it. If you trust that, say "
                  "--foreign-folder; or run with another -o FILE.",
                  parts->path, (long)there.st_uid, (long)geteuid());
}

/* Follows the link itself, even if its name leads elsewhere by now. */
static omr_status follow(omr_parts *parts, int link, omr_error *error) {
  char to[PATH_MAX];
  struct stat there;
  const ssize_t length = readlinkat(link, "", to, sizeof to - 1);
  if (length < 0 || fstat(link, &there) != 0)
    return omr_fail(error, OMR_ERR_IO, "cannot read the link %s: %s", parts->path, strerror(errno));
  if (there.st_uid != geteuid()) return refuse_link(parts, "of another user", error);
  to[length] = '\0';
  parts->folder = openat(parts->above, to, AS_FOLDER);
  if (parts->folder < 0)
    return refuse_link(
        parts, errno == ENOENT ? "to what is not there" : "to what is no folder, or another link",
        error);
  parts->linked = true;
  return OMR_OK;
}

static omr_status open_link(omr_parts *parts, omr_error *error) {
  const int link = openat(parts->above, parts->name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
  if (link < 0)
    return omr_fail(error, OMR_ERR_IO, "cannot read the link %s: %s", parts->path, strerror(errno));
  const omr_status status = follow(parts, link, error);
  close(link);
  return status;
}

/* Something that does not open as a folder. */
static omr_status open_other(omr_parts *parts, int cause, bool *there, omr_error *error) {
  struct stat info;
  *there = cause != ENOENT;
  if (!*there) return OMR_OK;
  if (fstatat(parts->above, parts->name, &info, AT_SYMLINK_NOFOLLOW) != 0 || S_ISDIR(info.st_mode))
    return omr_fail(error, OMR_ERR_IO, "cannot read the folder %s: %s. %s", parts->path,
                    strerror(cause),
                    omr_remedy_for(cause, "Allow reading it, or run with another -o FILE."));
  if (S_ISLNK(info.st_mode)) return open_link(parts, error);
  return omr_fail(error, OMR_ERR_IO,
                  "%s is %s, where the folder for the parts of the result has to be. Remove it, or "
                  "run with another -o FILE.",
                  parts->path, kind_of(&info));
}

omr_status omr_parts_open(omr_parts *parts, bool *there, omr_error *error) {
  close_folder(parts);
  *there = false;
  if (!open_above(parts)) {
    if (errno == ENOENT || errno == ENOTDIR) return OMR_OK;
    return omr_fail(error, OMR_ERR_IO, "cannot open the folder above %s: %s", parts->path,
                    strerror(errno));
  }
  *there = true;
  parts->folder = openat(parts->above, parts->name, AS_FOLDER);
  omr_status status = parts->folder >= 0 ? OMR_OK : open_other(parts, errno, there, error);
  if (status == OMR_OK && *there) status = check_owner(parts, error);
  if (status != OMR_OK) close_folder(parts);
  return status;
}

omr_status omr_parts_make(omr_parts *parts, bool *there, omr_error *error) {
  *there = false;
  if (!open_above(parts) || (mkdirat(parts->above, parts->name, 0777) != 0 && errno != EEXIST))
    return omr_fail(error, OMR_ERR_IO,
                    "cannot make the folder %s for the parts of the result: %s. Allow writing "
                    "there, make room, or run with another -o FILE.",
                    parts->path, strerror(errno));
  omr_parts_sync_above(parts);
  return omr_parts_open(parts, there, error);
}

bool omr_parts_same(const omr_parts *parts) {
  struct stat open, named;
  return parts->folder >= 0 && fstat(parts->folder, &open) == 0 &&
         fstatat(parts->above, parts->name, &named, 0) == 0 && open.st_dev == named.st_dev &&
         open.st_ino == named.st_ino;
}

DIR *omr_parts_list(const omr_parts *parts) {
  const int copy = openat(parts->folder, ".", AS_FOLDER);
  DIR *listing = copy >= 0 ? fdopendir(copy) : NULL;
  if (!listing && copy >= 0) close(copy);
  return listing;
}

static bool is_plain(const struct stat *there) {
  return S_ISREG(there->st_mode) && there->st_nlink <= 1;
}

/* In a folder that others can write, a file may be theirs. */
static bool is_foreign(const omr_parts *parts, const struct stat *there) {
  return !parts->foreign && there->st_uid != geteuid();
}

static bool is_acceptable(const omr_parts *parts, const struct stat *there) {
  return is_plain(there) && !is_foreign(parts, there);
}

static int refuse_file(const omr_parts *parts, const char *name, const struct stat *there,
                       omr_error *error) {
  /* The reason: another owner, a second name, or no plain file. */
  if (is_plain(there))
    omr_fail(error, OMR_ERR_IO,
             "%s/%s belongs to user %ld, and this process is user %ld's: its owner can change what "
             "is read in it. If you trust that, say --foreign-folder; or look at it and remove it.",
             parts->path, name, (long)there->st_uid, (long)geteuid());
  else if (S_ISREG(there->st_mode))
    omr_fail(error, OMR_ERR_IO,
             "%s/%s has %lu names (hard links), so that writing it would change another file as "
             "well: it is not opened. Look at it and remove it, or run with another -o FILE.",
             parts->path, name, (unsigned long)there->st_nlink);
  else
    omr_fail(error, OMR_ERR_IO,
             "%s/%s is %s in the place of a file of omniroll: it is not opened. Look at it and "
             "remove it, or run with another -o FILE.",
             parts->path, name, kind_of(there));

  errno = EPERM;
  return -1;
}

/* The file is checked before it is opened, since opening a device may do something, and after,
 * since it may have been exchanged. */
int omr_parts_file(const omr_parts *parts, const char *name, int flags, omr_error *error) {
  struct stat there;
  if (fstatat(parts->folder, name, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
      !is_acceptable(parts, &there))
    return refuse_file(parts, name, &there, error);
  const int file =
      openat(parts->folder, name, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666);
  if (file < 0) {
    const int cause = errno;
    omr_fail(error, OMR_ERR_IO, "cannot open %s/%s: %s. %s", parts->path, name, strerror(cause),
             omr_remedy_for(cause, "Allow reading and writing in that folder, or make room."));
    errno = cause;
    return -1;
  }
  if (fstat(file, &there) == 0 && is_acceptable(parts, &there)) return file;
  close(file);
  return refuse_file(parts, name, &there, error);
}

/* False with errno. */
static bool read_all(int file, omr_text *text) {
  char block[65536];
  omr_text_add(text, "", 0);
  for (;;) {
    const ssize_t count = read(file, block, sizeof block);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return count == 0;
    omr_text_add(text, block, (size_t)count);
  }
}

int omr_parts_read(const omr_parts *parts, const char *name, char **text, size_t *length,
                   omr_error *error) {
  omr_text all = {0};
  *text = NULL;
  *length = 0;

  /* Read the whole file. */
  const int file = omr_parts_file(parts, name, O_RDONLY, error);
  if (file < 0) return -1;
  const bool read = read_all(file, &all);
  int cause = read ? 0 : errno;
  if (all.failed) cause = ENOMEM;
  close(file);

  if (!cause) {
    *text = all.data;
    *length = all.length;
    return 0;
  }

  /* The message and errno name the same cause. */
  omr_text_free(&all);
  omr_fail(error, cause == ENOMEM ? OMR_ERR_MEMORY : OMR_ERR_IO, "cannot read %s/%s: %s",
           parts->path, name, strerror(cause));
  errno = cause;
  return -1;
}
