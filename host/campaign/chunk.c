#include "chunk.h"

#include "../result/reader.h"
#include "../result/writer.h"
#include "../support/phase.h"
#include "folder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

omr_status omr_chunk_store(const char *folder, const omr_chunk_expected *chunk,
                           const omr_result *result, omr_chunk *stored, omr_error *error) {
  char *path = omr_chunk_path(folder, chunk->number);
  if (!path) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  omr_phase("chunk");
  omr_status status = omr_result_write_plain(result, path, error);
  *stored = (omr_chunk){.there = true, .first = chunk->first, .last = chunk->last};
  if (status == OMR_OK && !omr_hash_file(path, &stored->bytes, stored->hash))
    status =
        omr_fail(error, OMR_ERR_IO, "%s was written and cannot be read: %s", path, strerror(errno));
  free(path);
  omr_phase("chunk_there");
  return status;
}

static bool say(char *why, size_t size, const char *what) {
  snprintf(why, size, "%s", what);
  return false;
}

bool omr_chunk_check(const char *folder, const omr_chunk_expected *chunk, const omr_chunk *stored,
                     char *why, size_t size) {
  char *path = omr_chunk_path(folder, chunk->number), hash[33];
  uint64_t bytes = 0;
  if (stored->first != chunk->first || stored->last != chunk->last) {
    free(path);
    return say(why, size, "it has other rows");
  }
  errno = 0;
  const bool read = path && omr_hash_file(path, &bytes, hash);
  const int cause = errno;
  free(path);
  if (!read && cause == ENOENT) return say(why, size, "its file is missing");
  if (!read) return say(why, size, cause ? strerror(cause) : "its file cannot be read");
  if (bytes != stored->bytes) {
    snprintf(why, size, "its file has %llu bytes instead of %llu", (unsigned long long)bytes,
             (unsigned long long)stored->bytes);
    return false;
  }
  return strcmp(hash, stored->hash) == 0 || say(why, size, "the checksum of its file differs");
}

/* A whole file of somewhere else. */
static bool belongs(const omr_result *result, const omr_chunk_expected *chunk, char *why,
                    size_t size) {
  if (strcmp(result->study_hash, chunk->whole->study->hash) != 0)
    return say(why, size, "it is of another study");
  if (strcmp(result->record.precision, chunk->precision) != 0)
    return say(why, size, "it has another precision");
  if (strcmp(result->record.numerics, chunk->numerics) != 0)
    return say(why, size, "it has other numerics");
  if (result->instances != chunk->last - chunk->first)
    return say(why, size, "it has another number of rows");
  for (size_t k = 0; k < result->instances; k++) {
    const uint64_t number = result->numbers ? result->numbers[k] : k;
    if (number != omr_part_row(chunk->whole, chunk->first + k))
      return say(why, size, "it has other instances");
  }
  return true;
}

omr_result *omr_chunk_load(const char *folder, const omr_chunk_expected *chunk,
                           const omr_chunk *stored, char *why, size_t size) {
  if (!omr_chunk_check(folder, chunk, stored, why, size)) return NULL;
  char *path = omr_chunk_path(folder, chunk->number);
  omr_result *result = NULL;
  omr_error error = {0};
  if (!path || omr_result_open(path, &result, &error) != OMR_OK) {
    snprintf(why, size, "%s", error.message[0] ? error.message : "out of memory");
    result = NULL;
  } else if (!belongs(result, chunk, why, size)) {
    omr_result_destroy(result);
    result = NULL;
  }
  free(path);
  return result;
}
