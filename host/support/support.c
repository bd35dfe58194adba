#define _GNU_SOURCE
#include "support.h"
#include "team.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

bool omr_room(size_t bytes) {
  void *volatile room = malloc(bytes); /* volatile: compilers drop unused allocations */
  const bool there = room;
  free(room);
  return there;
}

double omr_strtod(const char *text, char **end) {
  static _Thread_local locale_t c_locale;
  if (!c_locale)
    c_locale = newlocale(LC_ALL_MASK, "C",
                         (locale_t)0); /* glibc's static object: never fails, never freed */
  const char *digits = text + strspn(text, "+- ");
  if (digits[0] != '0' || (digits[1] | 0x20) != 'x') return strtod_l(text, end, c_locale);
  if (end) *end = (char *)text;
  return (double)NAN;
}

bool omr_grow(void *list, size_t count, size_t size) {
  void *old, *grown;
  memcpy(&old, list, sizeof old);
  grown = realloc(old, count * size);
  if (grown) memcpy(list, &grown, sizeof grown);
  return grown != NULL;
}

int omr_by_number(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

int omr_by_value(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

size_t omr_sort_once(size_t *numbers, size_t count) {
  size_t kept = 0;
  if (count) qsort(numbers, count, sizeof *numbers, omr_by_number);
  for (size_t i = 0; i < count; i++)
    if (i == 0 || numbers[i] != numbers[i - 1]) numbers[kept++] = numbers[i];
  return kept;
}

size_t omr_numbers_before(const void *numbers, size_t count, size_t size, uint64_t number) {
  size_t low = 0, high = count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (omr_by_number((const char *)numbers + middle * size, &number) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

size_t omr_number_place(const void *numbers, size_t count, size_t size, uint64_t number) {
  const size_t at = omr_numbers_before(numbers, count, size, number);
  return at < count && omr_by_number((const char *)numbers + at * size, &number) == 0 ? at : count;
}

/* Bytes: of a study, and of anything else. */
#define MOST_STUDY ((size_t)64 << 20)
#define MOST_FILE ((size_t)1 << 30)

static omr_status fail_too_large(const char *path, size_t most, omr_error *error) {
  if (most == MOST_STUDY)
    return omr_fail_file(error, OMR_ERR_STUDY, path,
                         "\"%s\" is larger than 64 MB, which no study is: put values of many "
                         "instances into a table, which the study names in \"design\"",
                         path);
  return omr_fail_file(error, OMR_ERR_IO, path,
                       "\"%s\" is larger than 1 GiB, or does not end: give a smaller file, or a "
                       "table as HDF5",
                       path);
}

/* Reads a device, or a pipe of a program that does not end, up to the limit and no further. */
static omr_status read_stream(FILE *file, const char *path, size_t most, omr_text *text,
                              omr_error *error) {
  char block[65536];
  size_t count;
  errno = 0;
  while (!text->failed && (count = fread(block, 1, sizeof block, file)) > 0) {
    omr_text_add(text, block, count);
    if (text->length > most) return fail_too_large(path, most, error);
  }
  if (ferror(file))
    return omr_fail_file(error, OMR_ERR_IO, path, "cannot read \"%s\": %s", path, strerror(errno));
  omr_text_add(text, "", 0);
  if (text->failed)
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory while reading \"%s\"", path);
  return OMR_OK;
}

static omr_status read_file(const char *path, size_t most, char **data, size_t *length,
                            omr_error *error) {
  /* "-" is standard input, which stays open. */
  *data = NULL;
  *length = 0;
  bool standard_input = strcmp(path, "-") == 0;
  FILE *file = standard_input ? stdin : fopen(path, "rbe");
  if (!file)
    return omr_fail_file(error, OMR_ERR_IO, path, "cannot open \"%s\": %s", path, strerror(errno));

  /* The text belongs to the caller only when it is complete. */
  omr_text text = {0};
  omr_status status =
      read_stream(file, standard_input ? "standard input" : path, most, &text, error);
  if (!standard_input) fclose(file);
  if (status != OMR_OK) {
    omr_text_free(&text);
    return status;
  }

  *data = text.data;
  *length = text.length;
  return OMR_OK;
}

omr_write_cause omr_cause_of_write(int number) {
  omr_write_cause cause;
  struct rlimit limit;
  const char *said = strerror(number);
  if (number != EFBIG || getrlimit(RLIMIT_FSIZE, &limit) != 0)
    snprintf(cause.text, sizeof cause.text, "%s", said);
  else if (limit.rlim_cur == RLIM_INFINITY)
    snprintf(cause.text, sizeof cause.text, "%s (for this file system)", said);
  else
    snprintf(cause.text, sizeof cause.text,
             "%s (files of this process may have %llu bytes at most: raise that limit with "
             "ulimit -f unlimited, or LimitFSIZE of its service)",
             said, (unsigned long long)limit.rlim_cur);
  return cause;
}

omr_status omr_read_file(const char *path, char **data, size_t *length, omr_error *error) {
  return read_file(path, MOST_FILE, data, length, error);
}

omr_status omr_read_study_file(const char *path, char **data, size_t *length, omr_error *error) {
  return read_file(path, MOST_STUDY, data, length, error);
}

void *omr_aligned_room(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 2) return NULL;
  return aligned_alloc(64, bytes ? (bytes + 63) / 64 * 64 : 64);
}

void *omr_aligned_calloc(size_t count, size_t size) {
  void *memory = omr_aligned_room(count, size);
  if (memory) memset(memory, 0, count * size);
  return memory;
}

float *omr_narrowed(const double *from, size_t count) {
  float *to = omr_aligned_room(count, sizeof *to);
  if (!to) return NULL;
#pragma omp parallel for schedule(static) num_threads(omr_team_usual()) if (count >= OMR_MANY)
  for (size_t i = 0; i < count; i++) to[i] = (float)from[i];
  return to;
}

void omr_hash_hex(const void *data, size_t length, char hex[33]) {
  XXH128_hash_t hash = XXH3_128bits(length ? data : "", length);
  snprintf(hex, 33, "%016llx%016llx", (unsigned long long)hash.high64,
           (unsigned long long)hash.low64);
}

omr_hash *omr_hash_begin(void) {
  XXH3_state_t *state = XXH3_createState();
  if (state) XXH3_128bits_reset(state);
  return (omr_hash *)state;
}

void omr_hash_add(omr_hash *hash, const void *data, size_t length) {
  if (length) XXH3_128bits_update((XXH3_state_t *)hash, data, length);
}

void omr_hash_end(omr_hash *hash, char hex[33]) {
  const XXH128_hash_t found = XXH3_128bits_digest((XXH3_state_t *)hash);
  snprintf(hex, 33, "%016llx%016llx", (unsigned long long)found.high64,
           (unsigned long long)found.low64);
  XXH3_freeState((XXH3_state_t *)hash);
}

static bool hash_all(int file, omr_hash *hash, char *block, size_t size, uint64_t *length) {
  *length = 0;
  for (;;) {
    const ssize_t count = pread(file, block, size, (off_t)*length);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return count == 0;
    omr_hash_add(hash, block, (size_t)count);
    *length += (uint64_t)count;
  }
}

bool omr_hash_descriptor(int file, uint64_t *length, char hex[33]) {
  enum { BLOCK = 1 << 20 };
  omr_hash *hash = omr_hash_begin();
  char *block = malloc(BLOCK);
  const bool done = hash && block && hash_all(file, hash, block, BLOCK, length);
  const int cause = errno;
  free(block);
  if (hash) omr_hash_end(hash, hex);
  errno = cause;
  return done;
}

bool omr_write_all(int file, const void *data, size_t length) {
  for (size_t done = 0; done < length;) {
    const ssize_t written = write(file, (const char *)data + done, length - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    done += (size_t)written;
  }
  return true;
}

void omr_utc(char text[32]) {
  const time_t now = time(NULL);
  struct tm utc;
  text[0] = '\0';
  if (gmtime_r(&now, &utc)) strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

double omr_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
