#include "chunk.h"

#include "../result/reader.h"
#include "../result/writer.h"
#include "../study/chunk_rows.h"
#include "../support/phase.h"
#include "folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* "chunk-000012.h5" of its path. */
static const char *name_of(const char *path) {
  return strrchr(path, '/') + 1;
}

/* Length and hash of a chunk that was just written. */
static omr_status take_hash(const omr_parts *parts, const char *path, omr_chunk *stored,
                            omr_error *error) {
  const int file = omr_parts_file(parts, name_of(path), O_RDONLY, error);
  if (file < 0) return OMR_ERR_IO;
  const bool read = omr_hash_descriptor(file, &stored->bytes, stored->hash);
  const int cause = errno;
  close(file);
  return read ? OMR_OK
              : omr_fail(error, OMR_ERR_IO, "%s was written and cannot be read: %s", path,
                         strerror(cause));
}

omr_status omr_chunk_store(const omr_parts *parts, const omr_chunk_expected *chunk,
                           const omr_result *result, omr_chunk *stored, omr_error *error) {
  char *path = omr_chunk_path(parts, chunk->number);
  if (!path) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  omr_phase("chunk");
  omr_status status = omr_result_write_plain(result, parts->folder, path, error);
  *stored = (omr_chunk){.there = true, .first = chunk->first, .last = chunk->last};
  if (status == OMR_OK) status = take_hash(parts, path, stored, error);
  free(path);
  omr_phase("chunk_there");
  return status;
}

static int open_chunk(const omr_parts *parts, const char *path, char *why, size_t size) {
  omr_error error = {0};
  const int file = omr_parts_file(parts, name_of(path), O_RDONLY, &error);
  if (file >= 0) return file;
  omr_deny(why, size, "%s", errno == ENOENT ? "its file is missing" : error.message);
  return -1;
}

static bool check_open(int file, const omr_chunk *stored, char *why, size_t size) {
  char hash[33];
  uint64_t bytes = 0;
  errno = 0;
  if (!omr_hash_descriptor(file, &bytes, hash))
    return omr_deny(why, size, "%s", errno ? strerror(errno) : "its file cannot be read");
  if (bytes != stored->bytes)
    return omr_deny(why, size, "its file has %llu bytes instead of %llu", (unsigned long long)bytes,
                    (unsigned long long)stored->bytes);
  return strcmp(hash, stored->hash) == 0 || omr_deny(why, size, "the checksum of its file differs");
}

/* Opens the chunk's file, if it is the journal's; otherwise -1 and *why. */
static int open_checked(const omr_parts *parts, const omr_chunk_expected *chunk,
                        const omr_chunk *stored, char *path, char *why, size_t size) {
  if (stored->first != chunk->first || stored->last != chunk->last) {
    omr_deny(why, size, "it has other rows");
    return -1;
  }
  const int file = path ? open_chunk(parts, path, why, size) : -1;
  if (!path) omr_deny(why, size, "out of memory");
  if (file < 0 || check_open(file, stored, why, size)) return file;
  close(file);
  return -1;
}

bool omr_chunk_check(const omr_parts *parts, const omr_chunk_expected *chunk,
                     const omr_chunk *stored, char *why, size_t size) {
  char *path = omr_chunk_path(parts, chunk->number);
  const int file = open_checked(parts, chunk, stored, path, why, size);
  if (file >= 0) close(file);
  free(path);
  return file >= 0;
}

/* The rows that the chunk keeps, and sums of all of them. */
static bool belongs_summed(const omr_result *result, const omr_chunk_expected *chunk, char *why,
                           size_t size) {
  size_t *kept = NULL, count = 0;
  if (omr_rows_kept(chunk->whole->study, chunk->first, chunk->last, true, &kept, &count, NULL) !=
      OMR_OK)
    return omr_deny(why, size, "out of memory");
  bool same = result->partial && result->instances == count;
  for (size_t k = 0; same && k < count; k++) same = omr_result_instance(result, k) == kept[k];
  free(kept);
  return same || omr_deny(why, size, "it has other rows, or no sums");
}

/* Whether a whole file is this chunk's. */
static bool belongs(const omr_result *result, const omr_chunk_expected *chunk, char *why,
                    size_t size) {
  const char *hash = chunk->study_hash ? chunk->study_hash : chunk->whole->study->hash;
  if (strcmp(result->study_hash, hash) != 0) return omr_deny(why, size, "it is of another study");
  if (strcmp(result->record.precision, chunk->precision) != 0)
    return omr_deny(why, size, "it has another precision");
  if (strcmp(result->record.numerics, chunk->numerics) != 0)
    return omr_deny(why, size, "it has other numerics");
  if (chunk->whole->study->rows.summed) return belongs_summed(result, chunk, why, size);
  if (result->instances != chunk->last - chunk->first)
    return omr_deny(why, size, "it has another number of rows");
  for (size_t k = 0; k < result->instances; k++) {
    const uint64_t number = result->numbers ? result->numbers[k] : k;
    if (number != omr_part_row(chunk->whole, chunk->first + k))
      return omr_deny(why, size, "it has other instances");
  }
  return true;
}

omr_result *omr_chunk_load(const omr_parts *parts, const omr_chunk_expected *chunk,
                           const omr_chunk *stored, char *why, size_t size) {
  char *path = omr_chunk_path(parts, chunk->number);
  omr_result *result = NULL;
  omr_error error = {0};
  const int file = open_checked(parts, chunk, stored, path, why, size);
  if (file >= 0 && omr_result_open_descriptor(file, path, &result, &error) != OMR_OK) {
    snprintf(why, size, "%s", error.message);
    result = NULL;
  } else if (result && !belongs(result, chunk, why, size)) {
    omr_result_destroy(result);
    result = NULL;
  }
  if (file >= 0) close(file);
  free(path);
  return result;
}
