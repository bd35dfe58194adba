#define _GNU_SOURCE
#include "journal.h"

#include "../support/phase.h"
#include "folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_CHUNKS = 1 << 28, HASH = 32 };

static bool make_room(omr_journal *journal, size_t count) {
  if (count <= journal->count) return true;
  size_t room = journal->count * 2 > count ? journal->count * 2 : count;
  omr_chunk *grown = realloc(journal->chunks, room * sizeof *grown);
  if (!grown) return false;
  memset(grown + journal->count, 0, (room - journal->count) * sizeof *grown);
  journal->chunks = grown;
  journal->count = room;
  return true;
}

/* A line without its newline: text, a space, the hash of the text. */
static bool is_whole(const char *line, size_t length) {
  char hash[HASH + 1];
  if (length <= HASH + 1 || line[length - HASH - 1] != ' ') return false;
  omr_hash_hex(line, length - HASH - 1, hash);
  return memcmp(hash, line + length - HASH, HASH) == 0;
}

static bool take_line(omr_journal *journal, const omr_checks *checks, const char *line) {
  size_t number, first, last;
  unsigned long long bytes, when;
  char hash[HASH + 1];
  if (strncmp(line, "session ", 8) == 0) journal->sessions++;
  if (sscanf(line, "chunk %zu rows %zu %zu bytes %llu xxh3 %32[0-9a-f] at %llu", &number, &first,
             &last, &bytes, hash, &when) != 6)
    return true;
  if (number >= MOST_CHUNKS || !omr_checks_cover(checks, omr_checks_awaited(line))) return true;
  if (!make_room(journal, number + 1)) return false;
  omr_chunk *chunk = &journal->chunks[number];
  if (chunk->there && chunk->time > when) return true;
  *chunk = (omr_chunk){.there = true, .first = first, .last = last, .bytes = bytes, .time = when};
  memcpy(chunk->hash, hash, sizeof hash);
  return true;
}

/* Where the whole lines end. What they say of checks is added to `checks`; with `take`, which may
 * be NULL, they are known already, and it is given the chunks that count. */
static size_t scan(const char *text, size_t length, omr_checks *checks, omr_journal *take,
                   bool *memory) {
  size_t end = 0;
  for (size_t at = 0; at < length;) {
    const char *newline = memchr(text + at, '\n', length - at);
    if (!newline) break;
    const size_t count = (size_t)(newline - (text + at));
    if (is_whole(text + at, count) &&
        !(take ? take_line(take, checks, text + at) : omr_checks_note(checks, text + at)))
      *memory = false;
    at += count + 1;
    end = at;
  }
  return end;
}

static omr_status read_one(const char *folder, const char *name, omr_journal *journal,
                           omr_error *error) {
  char *path = omr_join(folder, name), *text = NULL;
  size_t length;
  bool memory = true;
  omr_checks checks = {0};
  omr_status status = path ? omr_read_file(path, &text, &length, error)
                           : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  if (status == OMR_OK) scan(text, length, &checks, NULL, &memory);
  if (status == OMR_OK && memory) scan(text, length, &checks, journal, &memory);
  journal->good += checks.count;
  omr_checks_free(&checks);
  if (!memory) status = omr_fail(error, OMR_ERR_MEMORY, "out of memory for the list of chunks");
  free(text);
  free(path);
  return status;
}

omr_status omr_journal_read(const char *folder, omr_journal *journal, omr_error *error) {
  DIR *listing = opendir(folder);
  if (!listing)
    return omr_fail(error, OMR_ERR_IO, "cannot read the folder %s: %s", folder, strerror(errno));
  omr_status status = OMR_OK;
  for (size_t i = 0; i < journal->count; i++) journal->chunks[i].there = false;
  journal->sessions = journal->good = 0;
  journal->shards = 1;
  for (struct dirent *entry; status == OMR_OK && (entry = readdir(listing));) {
    int shard, shards;
    if (sscanf(entry->d_name, "chunks-%d-of-%d.txt", &shard, &shards) != 2) continue;
    if (shards > journal->shards) journal->shards = shards;
    status = read_one(folder, entry->d_name, journal, error);
  }
  closedir(listing);
  return status;
}

void omr_journal_free(omr_journal *journal) {
  if (journal->descriptor >= 0) close(journal->descriptor);
  free(journal->chunks);
  *journal = (omr_journal){.descriptor = -1};
}

size_t omr_journal_finished(const omr_journal *journal) {
  size_t finished = 0;
  for (size_t i = 0; i < journal->count; i++) finished += journal->chunks[i].there;
  return finished;
}

static omr_status fail_to_write(omr_error *error) {
  return omr_fail(error, OMR_ERR_IO, "cannot write the list of finished chunks: %s",
                  strerror(errno));
}

/* Appends the line; killed half way where a test wants that. */
static bool write_line(int descriptor, omr_text *line) {
  char hash[HASH + 1];
  omr_hash_hex(line->data, line->length, hash);
  omr_text_print(line, " %s\n", hash);
  if (line->failed) {
    errno = ENOMEM;
    return false;
  }
  const bool half = omr_phase_is_last("journal");
  const size_t count = half ? line->length / 2 : line->length;
  for (size_t at = 0; at < count;) {
    const ssize_t written = write(descriptor, line->data + at, count - at);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    at += (size_t)written;
  }
  if (half) omr_phase_die();
  return true;
}

static void session_line(omr_text *line) {
  char host[256] = "", when[32] = "";
  const time_t now = time(NULL);
  struct tm utc;
  gethostname(host, sizeof host - 1);
  if (gmtime_r(&now, &utc)) strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &utc);
  omr_text_print(line, "session %s pid %ld on %s", when, (long)getpid(), host);
}

omr_status omr_journal_open(const char *folder, int shard, int shards, omr_journal *journal,
                            omr_error *error) {
  char *path = omr_format("%s/chunks-%d-of-%d.txt", folder, shard, shards), *text = NULL;
  size_t length;
  bool memory = true;
  omr_checks checks = {0};
  omr_text line = {0};
  omr_status status = OMR_OK;
  if (!path) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  journal->descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (journal->descriptor < 0 || !omr_sync_folder(folder)) status = fail_to_write(error);
  if (status == OMR_OK) status = omr_read_file(path, &text, &length, error);
  if (status == OMR_OK &&
      ftruncate(journal->descriptor, (off_t)scan(text, length, &checks, NULL, &memory)) != 0)
    status = fail_to_write(error);
  if (!memory) status = omr_fail(error, OMR_ERR_MEMORY, "out of memory for the list of chunks");
  journal->highest = checks.highest;
  omr_checks_free(&checks);
  session_line(&line);
  if (status == OMR_OK && !write_line(journal->descriptor, &line)) status = fail_to_write(error);
  if (status == OMR_OK) journal->sessions++;
  omr_text_free(&line);
  free(text);
  free(path);
  return status;
}

static unsigned long long nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (unsigned long long)now.tv_sec * 1000000000ULL + (unsigned long long)now.tv_nsec;
}

omr_status omr_journal_add(omr_journal *journal, size_t number, const omr_chunk *chunk,
                           omr_error *error) {
  omr_text line = {0};
  omr_text_print(&line, "chunk %zu rows %zu %zu bytes %llu xxh3 %s at %llu", number, chunk->first,
                 chunk->last, (unsigned long long)chunk->bytes, chunk->hash, nanoseconds());
  if (journal->check) omr_text_print(&line, " check %zu", journal->check);
  const bool written =
      write_line(journal->descriptor, &line) && fdatasync(journal->descriptor) == 0;
  omr_status status = written ? OMR_OK : fail_to_write(error);
  omr_text_free(&line);
  if (status == OMR_OK && !make_room(journal, number + 1))
    status = omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  if (status != OMR_OK) return status;
  journal->chunks[number] = *chunk;
  journal->chunks[number].there = true;
  journal->chunks[number].check = journal->check;
  return OMR_OK;
}

omr_status omr_journal_good(omr_journal *journal, omr_error *error) {
  omr_text line = {0};
  if (!journal->check) journal->check = ++journal->highest;
  omr_text_print(&line, "check %zu good at %llu", journal->check, nanoseconds());
  const bool written =
      write_line(journal->descriptor, &line) && fdatasync(journal->descriptor) == 0;
  const omr_status status = written ? OMR_OK : fail_to_write(error);
  omr_text_free(&line);
  if (!written) return status;
  journal->good++;
  journal->check = ++journal->highest;
  return OMR_OK;
}

size_t omr_journal_doubt(omr_journal *journal) {
  size_t doubted = 0;
  for (size_t i = 0; journal->check && i < journal->count; i++) {
    omr_chunk *chunk = &journal->chunks[i];
    if (!chunk->there || chunk->check != journal->check) continue;
    chunk->there = false;
    doubted++;
  }
  return doubted;
}

void omr_journal_forget(omr_journal *journal, size_t number) {
  if (number < journal->count) journal->chunks[number].there = false;
}
