/* Chunks that were computed together, stored by a thread of their own while the next ones are
 * computed. One group is on its way at a time, so that files and lines of the journal come in the
 * same order as without the thread, and memory holds one group more. Nothing else may use HDF5 or
 * the journal meanwhile. */
#ifndef OMR_STORING_H
#define OMR_STORING_H

#include "chunk.h"
#include "chunk_journal.h"
#include "chunks_in_memory.h"
#include "group.h"

#include <pthread.h>

typedef struct omr_storing {
  pthread_t thread;
  bool apart; /* a thread is at work */
  const omr_parts *parts;
  omr_journal *journal;
  omr_chunk_expected chunks[OMR_MOST_GROUPED];
  omr_result *results[OMR_MOST_GROUPED]; /* owned */
  size_t count;
  omr_status status;
  omr_error error;
} omr_storing;

/* Stores a chunk: its file, and after that its line in the journal. */
omr_status omr_store_chunk(const omr_parts *parts, omr_journal *journal,
                           const omr_chunk_expected *chunk, const omr_result *result,
                           omr_error *error);

/* Takes over the results; the last group has to be finished. */
void omr_storing_begin(omr_storing *s, const omr_parts *parts, omr_journal *journal,
                       const omr_chunk_expected *chunks, size_t count, omr_result **results);
/* Waits. The group's results go to `kept` where it could be stored. */
omr_status omr_storing_finish(omr_storing *s, omr_kept *kept, omr_error *error);

#endif
