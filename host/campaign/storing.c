#include "storing.h"

#include <string.h>

omr_status omr_store_chunk(const omr_parts *parts, omr_journal *journal,
                           const omr_chunk_expected *chunk, const omr_result *result,
                           omr_error *error) {
  omr_chunk stored;
  const omr_status status = omr_chunk_store(parts, chunk, result, &stored, error);
  return status == OMR_OK ? omr_journal_add(journal, chunk->number, &stored, error) : status;
}

static void *store_all(void *user) {
  omr_storing *s = user;
  s->status = OMR_OK;
  for (size_t i = 0; i < s->count && s->status == OMR_OK; i++)
    s->status = omr_store_chunk(s->parts, s->journal, &s->chunks[i], s->results[i], &s->error);
  return NULL;
}

void omr_storing_begin(omr_storing *s, const omr_parts *parts, omr_journal *journal,
                       const omr_chunk_expected *chunks, size_t count, omr_result **results) {
  s->parts = parts;
  s->journal = journal;
  s->count = count;
  s->error = (omr_error){0};
  memcpy(s->chunks, chunks, count * sizeof *chunks);
  memcpy(s->results, results, count * sizeof(omr_result *));
  s->apart = pthread_create(&s->thread, NULL, store_all, s) == 0;
  if (!s->apart) store_all(s);
}

omr_status omr_storing_finish(omr_storing *s, omr_kept *kept, omr_error *error) {
  if (s->count == 0) return OMR_OK;
  if (s->apart) pthread_join(s->thread, NULL);
  for (size_t i = 0; i < s->count; i++) {
    if (s->status == OMR_OK)
      omr_kept_add(kept, s->chunks[i].number, s->results[i]);
    else
      omr_result_destroy(s->results[i]);
  }
  if (s->status != OMR_OK && error) *error = s->error;
  s->count = 0;
  return s->status;
}
