/* The finished chunks: a text file per shard, appended to and synced after the chunk's own file is
 * in its place. A line carries its own hash, so that one torn by a power loss, or edited, is no
 * line. */
#ifndef OMR_CHUNK_JOURNAL_H
#define OMR_CHUNK_JOURNAL_H

#include "parts_folder.h"

typedef struct omr_chunk {
  bool there;
  bool own;           /* computed by this process */
  size_t first, last; /* rows */
  uint64_t bytes;     /* of its file */
  uint64_t time;      /* of its line, ns */
  size_t check;       /* of the device, for which its line waits (chunk_journal.c); 0: none */
  char hash[33];      /* XXH3 of its file */
} omr_chunk;

typedef struct omr_journal {
  omr_chunk *chunks; /* [count]; beyond it there is none */
  size_t count;
  size_t sessions;     /* processes that worked on the folder */
  size_t good;         /* checks of devices, all sessions' */
  size_t check;        /* number of the next one, for the chunks until then; 0: none is made */
  int shards;          /* shards of the last run; 1: not shared */
  const char *sources; /* the caller's: chunks of sessions of other sources (omr_sources) are left
                          out; NULL, "": all are taken */
  bool foreign;        /* the session being read has other sources */
  size_t most;         /* lines of chunks from this one on are left out */
  int descriptor;      /* of the file that is appended to; -1: none */
  size_t highest;      /* number of a check in that file */
} omr_journal;

/* Reads all journals of the folder, for the first `chunks` chunks, the manifest's count. A chunk
 * that was computed again has several lines: within a journal the last one counts, whatever the
 * clock said; of two journals, the one whose time is later. Earlier readings are forgotten. */
omr_status omr_journal_read(const omr_parts *parts, size_t chunks, omr_journal *journal,
                            omr_error *error);
void omr_journal_free(omr_journal *journal);

static inline bool omr_journal_has(const omr_journal *journal, size_t chunk) {
  return chunk < journal->count && journal->chunks[chunk].there;
}
size_t omr_journal_finished(const omr_journal *journal);
/* The number of lines in a journal's text that lack the hash that they end in; a line without an
 * end comes from a killed process and does not count. */
size_t omr_journal_damaged(const char *text, size_t length);
/* Whether a session in a journal's text belongs to another omniroll than `sources` (omr_sources),
 * and which. */
bool omr_journal_of_others(const char *text, size_t length, const char *sources, char other[33]);

/* Opens the file of a shard (1 of 1: of the whole) to append, after its last whole line, and notes
 * that this process works. */
omr_status omr_journal_open(const omr_parts *parts, int shard, int shards, omr_journal *journal,
                            omr_error *error);
/* On disk when it returns. */
omr_status omr_journal_add(omr_journal *journal, size_t number, const omr_chunk *chunk,
                           omr_error *error);
/* The device was just checked and is right: earlier chunks count, and later ones wait for the next
 * check. The first call makes later chunks wait. On disk when it returns. */
omr_status omr_journal_good(omr_journal *journal, omr_error *error);
/* The device is wrong, or can no longer be checked: chunks since the last good check do not count.
 * Returns their number. */
size_t omr_journal_doubt(omr_journal *journal);
/* The chunks of this process were computed wrongly: a further line of each chunk, with a hash that
 * no file has, says so to later processes. Returns their number. */
size_t omr_journal_forget_own(omr_journal *journal);
/* For this process only: the chunk's file turned out to be damaged. */
void omr_journal_forget(omr_journal *journal, size_t number);

#endif
