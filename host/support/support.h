/* Errors, memory and text for all other folders of host/. */
#ifndef OMR_SUPPORT_H
#define OMR_SUPPORT_H

#include <omniroll/omniroll.h>
#include <stdarg.h>

#define PI 3.14159265358979323846

#define OMR_PRINTF(f, a) __attribute__((format(printf, f, a)))

/* Refuses options whose first member, their size, differs from the size that this library knows;
 * `name` is their type. */
omr_status omr_check_size(size_t size, size_t known, const char *name, omr_error *error);

/* The place of a mistake; NULL for unknown parts. */
typedef struct omr_mistake_place {
  const char *code, *path, *pointer;
  int line;
} omr_mistake_place;

/* Like omr_fail with `shown` as the message; `text` is its part without the place. */
omr_status omr_fail_at(omr_error *error, omr_status status, const omr_mistake_place *place,
                       const char *shown, const char *text);
/* Like omr_fail, and names the file. */
omr_status omr_fail_file(omr_error *error, omr_status status, const char *path, const char *format,
                         ...) OMR_PRINTF(4, 5);
/* Adds the mistakes of `more` to the list and sorts it and its message by line (mistakes without
 * one last). A mistake whose line is already in the message is left out. */
void omr_error_add(omr_error *list, const omr_error *more);

/* Growing text. Zero-initialise; free with omr_text_free. data is always terminated once anything
 * was added. */
typedef struct omr_text {
  char *data;
  size_t length, capacity;
  bool failed; /* out of memory at some point */
} omr_text;

void omr_text_add(omr_text *text, const char *bytes, size_t count);
void omr_text_print(omr_text *text, const char *format, ...) OMR_PRINTF(2, 3);
void omr_text_free(omr_text *text);

/* Adds to the text that is in text[size], as much as fits. */
void omr_print_more(char *text, size_t size, const char *format, ...) OMR_PRINTF(3, 4);

/* Writes why something cannot be; false, for the caller to return. */
bool omr_deny(char *reason, size_t size, const char *format, ...) OMR_PRINTF(3, 4);

bool omr_is_among(const char *word, const char *const *words, size_t count);

/* Whether two names have the same words, whatever parts these and in whichever order: peak_power
 * and power_peak, wheel.friction and wheel_friction. Case counts for nothing. */
bool omr_same_words(const char *a, const char *b);

/* Bytes of the UTF-8 character at s[left] (left > 0), 0 where it is invalid: overlong, a surrogate,
 * cut. */
size_t omr_character(const char *s, size_t left);

/* Makes foreign text safe for a terminal: control characters, characters that change the direction
 * of text and bytes outside UTF-8 become \x1b or \u202e; line ends and tabs pass. Writes whole
 * characters into to[size], as far as they and a zero fit; returns their bytes. */
size_t omr_show(char *to, size_t size, const char *text, size_t count);

/* Text as a string of JSON, in quotes. */
void omr_print_quoted(FILE *out, const char *text);

/* Significant digits, `least` or more, at which "%.*g" shows two different numbers to differ. */
int omr_digits_apart(double a, double b, int least);

/* strtod in the C locale, whichever locale the process has set; hexadecimal is no number. */
double omr_strtod(const char *text, char **end);

/* Makes room for `count` elements of `size` bytes in the list whose pointer is at `list`. False
 * when out of memory: the list stays as it is. */
bool omr_grow(void *list, size_t count, size_t size);

/* For qsort and bsearch, ascending: of numbers (size_t or uint64_t) and of values (double, no NaN),
 * or of structures that begin with one. */
int omr_by_number(const void *a, const void *b);
int omr_by_value(const void *a, const void *b);
/* Sorts numbers and leaves each once; returns how many that are. */
size_t omr_sort_once(size_t *numbers, size_t count);
/* How many of `count` numbers (size_t or uint64_t), or structures of `size` bytes that begin with
 * one, come before `number`; they ascend. */
size_t omr_numbers_before(const void *numbers, size_t count, size_t size, uint64_t number);
/* The place of `number` among them, `count` where it is missing. */
size_t omr_number_place(const void *numbers, size_t count, size_t size, uint64_t number);

/* Reads a whole file; *data is malloc'ed and zero-terminated, *length without the zero. "-" is
 * standard input. A file of more than a gibibyte, or without end, is OMR_ERR_IO. */
omr_status omr_read_file(const char *path, char **data, size_t *length, omr_error *error);
/* The same for a study: more than 64 MB are OMR_ERR_STUDY, with the remedy. */
omr_status omr_read_study_file(const char *path, char **data, size_t *length, omr_error *error);

/* The reason of a failed write, for a message: strerror, and for a file beyond the limit of the
 * process (EFBIG) that limit and the remedy. */
typedef struct omr_write_cause {
  char text[256];
} omr_write_cause;
omr_write_cause omr_cause_of_write(int number);

/* Writes all bytes, however often signals interrupt it; false with errno. */
bool omr_write_all(int file, const void *data, size_t length);

/* Monotonic clock, s. */
double omr_seconds(void);
/* The time of day, "2026-01-31T12:00:00Z". */
void omr_utc(char text[32]);

/* Memory for libraries that cannot handle its lack. */
/* Whether this process can get `bytes` more: allocates and frees them. UDUNITS and its parser, and
 * HDF5, crash or end the process if one of their allocations fails. Between this call and theirs
 * another thread may take the memory. */
bool omr_room(size_t bytes);

/* Zeroed memory aligned for every lane width (64 bytes); free() releases it. NULL when out of
 * memory or on overflow. */
void *omr_aligned_calloc(size_t count, size_t size);
/* The same without initial values. */
void *omr_aligned_room(size_t count, size_t size);

/* Loops that only copy are shared among threads from this number of values on. */
enum { OMR_MANY = 1 << 15 };

/* A copy in single precision, aligned likewise; free() releases it. NULL when out of memory. */
float *omr_narrowed(const double *from, size_t count);

/* 128-bit XXH3 of the bytes as 32 hexadecimal digits and a zero. */
void omr_hash_hex(const void *data, size_t length, char hex[33]);
/* The same piece by piece; NULL when out of memory. omr_hash_end frees it. */
typedef struct omr_hash omr_hash;
omr_hash *omr_hash_begin(void);
void omr_hash_add(omr_hash *hash, const void *data, size_t length);
void omr_hash_end(omr_hash *hash, char hex[33]);
/* The same for the sources of this build, without their comments: two builds that may give
 * different numbers differ in it, whatever their version (cmake/sources_hash.c). Static text. */
const char *omr_sources(void);
/* The same for an open file from its beginning, and its length. False with errno where it cannot be
 * read. */
bool omr_hash_descriptor(int file, uint64_t *length, char hex[33]);

#endif
