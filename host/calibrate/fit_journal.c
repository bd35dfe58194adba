#define _GNU_SOURCE /* flock's constants, strndup */
#include "fit_journal.h"

#include "../campaign/folder.h"
#include "../support/phase.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* The first line, by which other versions recognise the file. */
#define TITLE "omniroll calibrate journal "

enum { HASH = 32, TRIES = 5, LINES = 5, MOST_TITLE = 1024 };

struct calibrate_journal {
  omr_parts parts; /* its folder */
  char *path, *name;
  int file;
  off_t at;        /* end of the blocks that were taken or added */
  uint64_t number; /* of the next one */
  bool ended;      /* no earlier block follows */
};

/* In this machine's format of numbers. */
typedef struct head {
  uint64_t number, bytes;
  char asked[HASH];
} head;

/* ---- reading and writing in full, where the system stops halfway */

static bool read_whole(int file, off_t at, void *to, size_t size) {
  for (size_t done = 0; done < size;) {
    const ssize_t count = pread(file, (char *)to + done, size - done, at + (off_t)done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    done += (size_t)count;
  }
  return true;
}

static bool write_whole(int file, off_t at, const void *from, size_t size) {
  for (size_t done = 0; done < size;) {
    const ssize_t count = pwrite(file, (const char *)from + done, size - done, at + (off_t)done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    done += (size_t)count;
  }
  return true;
}

static omr_status fail_to_write(const calibrate_journal *j, int cause, omr_error *error) {
  return omr_fail(
      error, OMR_ERR_IO,
      "cannot write %s, which keeps what is computed: %s. Make room; the same command then goes on",
      j->path, omr_cause_of_write(cause).text);
}

/* ---- its place */

/* The user's word decides the folder, links in it included; the journal itself is checked like the
 * files in the folders of runs. */
static omr_status open_folder(calibrate_journal *j, omr_error *error) {
  const char *slash = strrchr(j->path, '/');
  const size_t length = slash ? (size_t)(slash - j->path) : 1;
  char *folder = slash ? strndup(j->path, length ? length : 1) : strdup(".");
  char *inside = folder ? omr_join(folder, ".") : NULL;
  bool there = false;
  j->name = strdup(slash ? slash + 1 : j->path);

  /* Open the folder, which has to be there. */
  omr_status status = inside && j->name ? omr_parts_begin(&j->parts, inside, true, error)
                                        : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  free(inside);
  if (status == OMR_OK) status = omr_parts_open(&j->parts, &there, error);
  if (status == OMR_OK && !there)
    status = omr_fail(
        error, OMR_ERR_IO,
        "cannot write %s: there is no folder %s; make it first, or choose another with -o FILE",
        j->path, folder);

  if (status != OMR_OK) {
    free(folder);
    return status;
  }

  free(j->parts.path);
  j->parts.path = folder; /* as messages name it */
  return OMR_OK;
}

/* Locks the journal, and makes sure that the name still leads to it: another process may have
 * removed the opened file. */
static omr_status open_alone(calibrate_journal *j, omr_error *error) {
  for (int i = 0; i < TRIES; i++) {
    struct stat there;
    j->file = omr_parts_file(&j->parts, j->name, O_RDWR | O_CREAT, error);
    if (j->file < 0) return OMR_ERR_IO;
    if (flock(j->file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
      return omr_fail(
          error, OMR_ERR_IO,
          "another process works on %s: wait for its end, or choose another file with -o", j->path);
    if (fstat(j->file, &there) == 0 && there.st_nlink > 0) return OMR_OK;
    close(j->file);
    j->file = -1;
  }
  return omr_fail(error, OMR_ERR_IO, "%s comes and goes; choose another file with -o", j->path);
}

/* ---- the work that it belongs to */

static void print_title(const calibrate_journal_of *of, char *text) {
  const int order = 1;
  snprintf(text, MOST_TITLE, TITLE "1\n%s\n%s, %s\n%s\n%s\n", of->engine, of->numbers,
           *(const char *)&order ? "least byte first" : "greatest byte first", of->study, of->work);
}

/* Line `number` of a text, cut at its end. */
static void copy_line(const char *text, int number, char *line, size_t size) {
  for (; number > 0 && text; number--) {
    text = strchr(text, '\n');
    if (text) text++;
  }
  const size_t length = text ? strcspn(text, "\n") : 0;
  snprintf(line, size, "%.*s", (int)(length < 200 ? length : 200), text ? text : "");
}

static omr_status refuse_other(const calibrate_journal *j, const char *found, const char *title,
                               omr_error *error) {
  static const char *const about[LINES] = {"the format of the file", "the program", "the precision",
                                           "the study, or a file of its data,", "the work"};
  char there[256], here[256];
  int line = 0;

  /* A file of another kind. */
  if (strncmp(found, TITLE, strlen(TITLE)) != 0)
    return omr_fail(error, OMR_ERR_IO,
                    "%s stands where the journal of a calibration has to be, and is none: look at "
                    "it and remove it, or choose another file with -o",
                    j->path);

  /* Find the first line that differs. */
  for (; line < LINES - 1; line++) {
    copy_line(found, line, there, sizeof there);
    copy_line(title, line, here, sizeof here);
    if (strcmp(there, here) != 0) break;
  }

  /* Name the difference, with both texts. */
  copy_line(found, line, there, sizeof there);
  copy_line(title, line, here, sizeof here);
  return omr_fail(
      error, OMR_ERR_IO,
      "%s keeps what another calibration has done: %s differs (\"%s\" there, \"%s\" now). Go on "
      "with what began it, forget it with --restart, or choose another file with -o",
      j->path, about[line], there, here);
}

static omr_status begin(calibrate_journal *j, const char *title, omr_error *error) {
  const size_t length = strlen(title);
  j->at = (off_t)length;
  j->ended = true;
  if (ftruncate(j->file, 0) != 0 || !write_whole(j->file, 0, title, length) ||
      fdatasync(j->file) != 0)
    return fail_to_write(j, errno, error);
  omr_sync_open_folder(j->parts.folder);
  return OMR_OK;
}

/* Whether nothing is lost if it begins anew: an empty file, an unfinished title, or zeros, as a
 * power loss leaves them. */
static bool is_unbegun(const char *found, size_t count, const char *title) {
  static const char zeros[MOST_TITLE];
  const size_t length = strlen(title), looked = count < length ? count : length;
  return memcmp(found, zeros, looked) == 0 || (count < length && memcmp(found, title, count) == 0);
}

static omr_status begin_or_go_on(calibrate_journal *j, const char *title, bool restart,
                                 omr_error *error) {
  char found[MOST_TITLE + 1] = "";
  const ssize_t read = pread(j->file, found, MOST_TITLE, 0);
  const size_t count = read > 0 ? (size_t)read : 0, length = strlen(title);
  if (read < 0) return omr_fail(error, OMR_ERR_IO, "cannot read %s: %s", j->path, strerror(errno));
  const bool ours = strncmp(found, TITLE, strlen(TITLE)) == 0;
  if (is_unbegun(found, count, title) || (restart && ours)) return begin(j, title, error);
  if (count < length || memcmp(found, title, length) != 0)
    return refuse_other(j, found, title, error);
  j->at = (off_t)length;
  return OMR_OK;
}

omr_status calibrate_journal_open(const calibrate_journal_options *options,
                                  const calibrate_journal_of *of, calibrate_journal **journal,
                                  omr_error *error) {
  char title[MOST_TITLE];
  calibrate_journal *j = *journal = calloc(1, sizeof *j);
  if (!j) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");

  /* From here on the journal can be closed. */
  j->file = -1;
  j->parts = (omr_parts)OMR_PARTS_NONE;
  j->path = strdup(options->path);
  print_title(of, title);

  /* Find the folder, lock the file, then begin or go on. */
  omr_status status =
      j->path ? open_folder(j, error) : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  j->parts.foreign = options->foreign;
  if (status == OMR_OK) status = open_alone(j, error);
  if (status == OMR_OK) status = begin_or_go_on(j, title, options->restart, error);

  if (status == OMR_OK) return OMR_OK;
  calibrate_journal_close(j);
  *journal = NULL;
  return status;
}

void calibrate_journal_close(calibrate_journal *j) {
  if (!j) return;
  if (j->file >= 0) close(j->file);
  omr_parts_free(&j->parts);
  free(j->path);
  free(j->name);
  free(j);
}

void calibrate_journal_remove(calibrate_journal *j) {
  struct stat open, named;
  if (!j || fstat(j->file, &open) != 0 ||
      fstatat(j->parts.folder, j->name, &named, AT_SYMLINK_NOFOLLOW) != 0 ||
      open.st_dev != named.st_dev || open.st_ino != named.st_ino)
    return;
  omr_phase("calibrated");
  unlinkat(j->parts.folder, j->name, 0);
  omr_sync_open_folder(j->parts.folder);
}

/* ---- blocks */

static head head_of(const calibrate_journal *j, const calibrate_block *block) {
  head h = {.number = j->number};
  char asked[HASH + 1];
  omr_hash_hex(block->asked, block->asked_size, asked);
  memcpy(h.asked, asked, HASH);
  for (int p = 0; p < CALIBRATE_PARTS; p++) h.bytes += block->part[p].size;
  return h;
}

/* False: out of memory. */
static bool hash_of(const head *h, const calibrate_block *block, char hash[HASH + 1]) {
  omr_hash *state = omr_hash_begin();
  if (!state) return false;
  omr_hash_add(state, h, sizeof *h);
  for (int p = 0; p < CALIBRATE_PARTS; p++)
    if (block->part[p].size) omr_hash_add(state, block->part[p].bytes, block->part[p].size);
  omr_hash_end(state, hash);
  return true;
}

/* The end of a whole block that is the expected one; 0: there is none. */
static off_t read_block(const calibrate_journal *j, const head *expected,
                        const calibrate_block *block) {
  head found;
  char hash[HASH + 1], there[HASH];
  off_t at = j->at;
  if (!read_whole(j->file, at, &found, sizeof found)) return 0;
  if (memcmp(&found, expected, sizeof found) != 0) return 0;
  at += (off_t)sizeof found;
  for (int p = 0; p < CALIBRATE_PARTS; p++) {
    if (!read_whole(j->file, at, block->part[p].bytes, block->part[p].size)) return 0;
    at += (off_t)block->part[p].size;
  }
  if (!read_whole(j->file, at, there, HASH) || !hash_of(&found, block, hash)) return 0;
  return memcmp(there, hash, HASH) == 0 ? at + HASH : 0;
}

bool calibrate_journal_take(calibrate_journal *j, const calibrate_block *block) {
  if (!j || j->ended) return false;
  const head expected = head_of(j, block);
  const off_t end = read_block(j, &expected, block);
  j->ended = end == 0;
  if (j->ended) return false;
  j->at = end;
  j->number++;
  return true;
}

/* Writes half of it where a test wants that. */
static bool write_block(const calibrate_journal *j, const head *h, const calibrate_block *block,
                        const char *hash, off_t *end) {
  const bool half = omr_phase_is_last("calibrate");
  *end = j->at;
  if (ftruncate(j->file, j->at) != 0) return false;
  if (!write_whole(j->file, *end, h, sizeof *h)) return false;
  *end += (off_t)sizeof *h;
  for (int p = 0; p < CALIBRATE_PARTS; p++) {
    const size_t size = half ? block->part[p].size / 2 : block->part[p].size;
    if (!write_whole(j->file, *end, block->part[p].bytes, size)) return false;
    if (half) omr_phase_die();
    *end += (off_t)size;
  }
  if (!write_whole(j->file, *end, hash, HASH)) return false;
  *end += HASH;
  return fdatasync(j->file) == 0;
}

omr_status calibrate_journal_add(calibrate_journal *j, const calibrate_block *block,
                                 omr_error *error) {
  if (!j) return OMR_OK;
  char hash[HASH + 1];
  off_t end;
  const head h = head_of(j, block);
  if (!hash_of(&h, block, hash)) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  if (!write_block(j, &h, block, hash, &end)) return fail_to_write(j, errno, error);
  j->at = end;
  j->number++;
  j->ended = true;
  return OMR_OK;
}
