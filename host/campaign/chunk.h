/* A chunk's file in the folder: a result of its rows, closed, synced and renamed before the journal
 * names it. */
#ifndef OMR_CHUNK_H
#define OMR_CHUNK_H

#include "../result/result.h"
#include "chunk_journal.h"

/* The content that a chunk's file has to have. */
typedef struct omr_chunk_expected {
  const omr_part *whole;  /* whose rows they are */
  const char *study_hash; /* of its text, where that has another section engine; NULL: its own */
  const char *precision, *numerics;
  size_t number, first, last; /* rows */
} omr_chunk_expected;

/* Writes the file, and fills its entry for the journal. */
omr_status omr_chunk_store(const omr_parts *parts, const omr_chunk_expected *chunk,
                           const omr_result *result, omr_chunk *stored, omr_error *error);

/* Whether the file is the journal's, to the last bit; *why otherwise. */
bool omr_chunk_check(const omr_parts *parts, const omr_chunk_expected *chunk,
                     const omr_chunk *stored, char *why, size_t size);
/* The result in it, after the same check; NULL and *why where it is damaged, missing or another
 * chunk's. */
omr_result *omr_chunk_load(const omr_parts *parts, const omr_chunk_expected *chunk,
                           const omr_chunk *stored, char *why, size_t size);

#endif
