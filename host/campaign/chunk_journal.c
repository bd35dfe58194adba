#define _GNU_SOURCE
#include "chunk_journal.h"

#include "../support/phase.h"
#include "folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_CHUNKS = 1 << 28, HASH = 32 };

/* CHECKS */

/* Checks of a device in a journal. A device's chunk has a line that ends with the number of the
 * next check; the chunk counts once a line of the same journal says that this check was good. So
 * chunks that a device computed before it was found wrong, or before the process was killed, are
 * computed again. Lines without a number need no check. */
struct checks {
  size_t *good; /* [count] */
  size_t count, room;
  size_t highest; /* highest number in a line, good or not */
};

/* The check that a line of a chunk waits for; 0: none. */
static size_t awaited(const char *line) {
  size_t check;
  const int found =
      sscanf(line, "chunk %*u rows %*u %*u bytes %*u xxh3 %*32[0-9a-f] at %*u check %zu", &check);
  return found == 1 ? check : 0;
}

static bool add_check(struct checks *checks, size_t check) {
  if (checks->count == checks->room) {
    const size_t room = 2 * checks->room + 16;
    if (!omr_grow(&checks->good, room, sizeof check)) return false;
    checks->room = room;
  }
  checks->good[checks->count++] = check;
  return true;
}

/* Takes the checks of a whole line. False when out of memory. */
static bool note_checks(struct checks *checks, const char *line) {
  size_t check = awaited(line);
  const bool good = check == 0 && sscanf(line, "check %zu good", &check) == 1;
  if (check > checks->highest) checks->highest = check;
  return !good || add_check(checks, check);
}

static bool cover(const struct checks *checks, size_t check) {
  if (check == 0) return true;
  for (size_t i = checks->count; i-- > 0;)
    if (checks->good[i] == check) return true;
  return false;
}

/* LINES */

static bool make_room(omr_journal *journal, size_t count) {
  if (count <= journal->count) return true;
  size_t room = journal->count * 2 > count ? journal->count * 2 : count;
  if (!omr_grow(&journal->chunks, room, sizeof *journal->chunks)) return false;
  memset(journal->chunks + journal->count, 0, (room - journal->count) * sizeof *journal->chunks);
  journal->count = room;
  return true;
}

/* The next line, without its newline, behind which *at moves; NULL at the end, before which a line
 * may be torn. */
static const char *next_line(const char *text, size_t length, size_t *at, size_t *count) {
  const char *line = text + *at, *newline = memchr(line, '\n', length - *at);
  if (!newline) return NULL;
  *count = (size_t)(newline - line);
  *at += *count + 1;
  return line;
}

/* A line without its newline: text, a space, the hash of the text. */
static bool is_whole(const char *line, size_t length) {
  char hash[HASH + 1];
  if (length <= HASH + 1 || line[length - HASH - 1] != ' ') return false;
  omr_hash_hex(line, length - HASH - 1, hash);
  return memcmp(hash, line + length - HASH, HASH) == 0;
}

/* False where the line is not of a finished chunk. */
static bool parse_chunk(const char *line, size_t *number, omr_chunk *chunk) {
  unsigned long long bytes, when;
  *chunk = (omr_chunk){.there = true};
  if (sscanf(line, "chunk %zu rows %zu %zu bytes %llu xxh3 %32[0-9a-f] at %llu", number,
             &chunk->first, &chunk->last, &bytes, chunk->hash, &when) != 6)
    return false;
  chunk->bytes = bytes;
  chunk->time = when;
  return true;
}

static bool put(omr_journal *journal, size_t number, const omr_chunk *chunk) {
  if (!make_room(journal, number + 1)) return false;
  journal->chunks[number] = *chunk;
  return true;
}

/* Whether a line begins a session of other sources, which it gives. */
static bool is_of_others(const char *line, const char *sources, char other[HASH + 1]) {
  return sources && *sources && sscanf(line, "session %*s by %32[0-9a-f]", other) == 1 &&
         strcmp(other, sources) != 0;
}

static bool take_line(omr_journal *journal, const struct checks *checks, const char *line) {
  size_t number;
  omr_chunk chunk;
  if (strncmp(line, "session ", 8) == 0) {
    char other[HASH + 1];
    journal->sessions++;
    journal->foreign = is_of_others(line, journal->sources, other);
  }
  if (journal->foreign || !parse_chunk(line, &number, &chunk) || number >= journal->most)
    return true;
  if (!cover(checks, awaited(line))) return true;
  return put(journal, number, &chunk);
}

/* Adds the chunks of another journal. */
static bool join(omr_journal *journal, const omr_journal *other) {
  journal->sessions += other->sessions;
  for (size_t i = 0; i < other->count; i++) {
    const omr_chunk *chunk = &other->chunks[i];
    if (!chunk->there || (omr_journal_has(journal, i) && journal->chunks[i].time > chunk->time))
      continue;
    if (!put(journal, i, chunk)) return false;
  }
  return true;
}

/* The end of the whole lines. Their checks are added to `checks`; with `take`, which may be NULL,
 * the checks are known already, and it receives the chunks that count. */
static size_t scan(const char *text, size_t length, struct checks *checks, omr_journal *take,
                   bool *memory) {
  size_t at = 0, count;
  for (const char *line; (line = next_line(text, length, &at, &count));)
    if (is_whole(line, count) &&
        !(take ? take_line(take, checks, line) : note_checks(checks, line)))
      *memory = false;
  return at;
}

static omr_status read_one(const omr_parts *parts, const char *name, omr_journal *journal,
                           omr_error *error) {
  omr_journal own = {.descriptor = -1, .most = journal->most, .sources = journal->sources};
  char *text;
  size_t length;
  bool memory = true;
  struct checks checks = {0};
  if (omr_parts_read(parts, name, &text, &length, error) != 0) return OMR_ERR_IO;
  scan(text, length, &checks, NULL, &memory);
  if (memory) scan(text, length, &checks, &own, &memory);
  memory = memory && join(journal, &own);
  journal->good += checks.count;
  free(checks.good);
  omr_journal_free(&own);
  free(text);
  return memory ? OMR_OK : omr_fail(error, OMR_ERR_MEMORY, "out of memory for the list of chunks");
}

omr_status omr_journal_read(const omr_parts *parts, size_t chunks, omr_journal *journal,
                            omr_error *error) {
  DIR *listing = omr_parts_list(parts);
  if (!listing)
    return omr_fail(error, OMR_ERR_IO, "cannot read the folder %s: %s. %s", parts->path,
                    strerror(errno), omr_remedy_for(errno, "Allow reading it."));

  /* Forget earlier readings. */
  omr_status status = OMR_OK;
  for (size_t i = 0; i < journal->count; i++) journal->chunks[i].there = false;
  journal->most = chunks < MOST_CHUNKS ? chunks : MOST_CHUNKS;
  journal->sessions = journal->good = 0;
  journal->shards = 1;

  /* Join the journals of all shards. */
  for (struct dirent *entry; status == OMR_OK && (entry = readdir(listing));) {
    int shard, shards;
    if (!omr_is_journal(entry->d_name, &shard, &shards)) continue;
    if (shards > journal->shards) journal->shards = shards;
    status = read_one(parts, entry->d_name, journal, error);
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
                  omr_cause_of_write(errno).text);
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
  if (!omr_write_all(descriptor, line->data, count)) return false;
  if (half) omr_phase_die();
  return true;
}

static void session_line(omr_text *line) {
  char host[256] = "", when[32];
  gethostname(host, sizeof host - 1);
  omr_utc(when);
  omr_text_print(line, "session %s by %s pid %ld on %s", when, omr_sources(), (long)getpid(), host);
}

/* Cuts off a torn line, so that the next one begins a line; the others' checks are noted. */
static omr_status cut(const omr_parts *parts, const char *name, omr_journal *journal,
                      omr_error *error) {
  char *text;
  size_t length;
  bool memory = true;
  struct checks checks = {0};
  if (omr_parts_read(parts, name, &text, &length, error) != 0) return OMR_ERR_IO;
  const size_t end = scan(text, length, &checks, NULL, &memory);
  free(text);
  journal->highest = checks.highest;
  free(checks.good);
  if (!memory) return omr_fail(error, OMR_ERR_MEMORY, "out of memory for the list of chunks");
  return ftruncate(journal->descriptor, (off_t)end) == 0 ? OMR_OK : fail_to_write(error);
}

omr_status omr_journal_open(const omr_parts *parts, int shard, int shards, omr_journal *journal,
                            omr_error *error) {
  char name[64];
  omr_text line = {0};
  snprintf(name, sizeof name, "chunks-%d-of-%d.txt", shard, shards);
  journal->descriptor = omr_parts_file(parts, name, O_WRONLY | O_CREAT | O_APPEND, error);
  if (journal->descriptor < 0) return OMR_ERR_IO;
  omr_status status = omr_sync_open_folder(parts->folder) ? OMR_OK : fail_to_write(error);
  if (status == OMR_OK) status = cut(parts, name, journal, error);
  session_line(&line);
  if (status == OMR_OK && !write_line(journal->descriptor, &line)) status = fail_to_write(error);
  if (status == OMR_OK) journal->sessions++;
  omr_text_free(&line);
  return status;
}

static unsigned long long nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (unsigned long long)now.tv_sec * 1000000000ULL + (unsigned long long)now.tv_nsec;
}

/* Appends the line, on disk when it returns, and frees it. */
static omr_status append(omr_journal *journal, omr_text *line, omr_error *error) {
  const bool written = write_line(journal->descriptor, line) && fdatasync(journal->descriptor) == 0;
  const omr_status status = written ? OMR_OK : fail_to_write(error);
  omr_text_free(line);
  return status;
}

omr_status omr_journal_add(omr_journal *journal, size_t number, const omr_chunk *chunk,
                           omr_error *error) {
  omr_text line = {0};
  omr_text_print(&line, "chunk %zu rows %zu %zu bytes %llu xxh3 %s at %llu", number, chunk->first,
                 chunk->last, (unsigned long long)chunk->bytes, chunk->hash, nanoseconds());
  if (journal->check) omr_text_print(&line, " check %zu", journal->check);
  omr_status status = append(journal, &line, error);
  if (status == OMR_OK && !make_room(journal, number + 1))
    status = omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  if (status != OMR_OK) return status;
  journal->chunks[number] = *chunk;
  journal->chunks[number].there = true;
  journal->chunks[number].check = journal->check;
  journal->chunks[number].own = true;
  return OMR_OK;
}

size_t omr_journal_forget_own(omr_journal *journal) {
  size_t forgotten = 0;
  omr_error error;
  for (size_t i = 0; i < journal->count; i++) {
    omr_chunk wrong = journal->chunks[i];
    if (!wrong.there || !wrong.own) continue;
    memset(wrong.hash, '0', sizeof wrong.hash - 1);
    omr_journal_add(journal, i, &wrong, &error); /* fails if the folder cannot be written */
    journal->chunks[i].there = journal->chunks[i].own = false;
    forgotten++;
  }
  return forgotten;
}

omr_status omr_journal_good(omr_journal *journal, omr_error *error) {
  omr_text line = {0};
  if (!journal->check) journal->check = ++journal->highest;
  omr_text_print(&line, "check %zu good at %llu", journal->check, nanoseconds());
  const omr_status status = append(journal, &line, error);
  if (status != OMR_OK) return status;
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

size_t omr_journal_damaged(const char *text, size_t length) {
  size_t damaged = 0, at = 0, count;
  for (const char *line; (line = next_line(text, length, &at, &count));)
    damaged += !is_whole(line, count);
  return damaged;
}

bool omr_journal_of_others(const char *text, size_t length, const char *sources, char other[33]) {
  size_t at = 0, count;
  for (const char *line; (line = next_line(text, length, &at, &count));)
    if (is_whole(line, count) && is_of_others(line, sources, other)) return true;
  return false;
}
