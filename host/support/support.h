/* Errors, memory, text: what every other folder of host/ uses. */
#ifndef OMR_SUPPORT_H
#define OMR_SUPPORT_H

#include <omniroll/omniroll.h>
#include <stdarg.h>

#define OMR_PRINTF(f, a) __attribute__((format(printf, f, a)))

/* Refuses options whose first member, their size, is not the one that this library knows; `name` is
 * their type. */
omr_status omr_check_size(size_t size, size_t known, const char *name, omr_error *error);

/* Where a mistake is; NULL for what is not known. */
typedef struct omr_mistake_place {
  const char *code, *path, *pointer;
  int line;
} omr_mistake_place;

/* As omr_fail with `shown` as the message, of which `text` is the part without the place. */
omr_status omr_fail_at(omr_error *error, omr_status status, const omr_mistake_place *place,
                       const char *shown, const char *text);
/* As omr_fail, and names the file. */
omr_status omr_fail_file(omr_error *error, omr_status status, const char *path, const char *format,
                         ...) OMR_PRINTF(4, 5);
/* Adds the mistakes of `more` to the list, which is then in the order of lines (those without one
 * last), as is the message. One whose line of the message is there already is not added. */
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

/* Bytes of the UTF-8 character at s[left] (left > 0), 0 where it is none: overlong, a surrogate,
 * cut. */
size_t omr_character(const char *s, size_t left);

/* Text of others as a terminal may show it: control characters, characters that turn the direction
 * of text and bytes that are no UTF-8 as \x1b or \u202e; line ends and tabs pass. Writes whole
 * characters, as far as there is room for them and a zero, into to[size]; returns their bytes. */
size_t omr_show(char *to, size_t size, const char *text, size_t count);

/* Text as a string of JSON, in quotes. */
void omr_print_quoted(FILE *out, const char *text);

/* Significant digits, `least` or more, at which "%.*g" shows two different numbers to differ. */
int omr_digits_apart(double a, double b, int least);

/* strtod in the C locale, whatever locale the process has set; hexadecimal is no number. */
double omr_strtod(const char *text, char **end);

/* For qsort and bsearch, ascending: of numbers (size_t or uint64_t) and of values (double, no NaN),
 * or of structures that begin with one. */
int omr_by_number(const void *a, const void *b);
int omr_by_value(const void *a, const void *b);

/* Reads a whole file; *data is malloc'ed and zero-terminated, *length without the zero. "-" is
 * standard input. A file of more than a gibibyte, or one that does not end, is OMR_ERR_IO. */
omr_status omr_read_file(const char *path, char **data, size_t *length, omr_error *error);
/* The same of a study: more than 64 MB, which no study has, are OMR_ERR_STUDY, with what to do. */
omr_status omr_read_study_file(const char *path, char **data, size_t *length, omr_error *error);

/* Why a write failed, for a message: strerror, and of a file that is too large for the limit of the
 * process (EFBIG) how large one may be and what to do. */
typedef struct omr_write_cause {
  char text[256];
} omr_write_cause;
omr_write_cause omr_cause_of_write(int number);

/* Monotonic clock, s. */
double omr_seconds(void);

/* Zeroed memory aligned for every lane width (64 bytes); free() releases it. NULL when out of
 * memory or on overflow. */
void *omr_aligned_calloc(size_t count, size_t size);
/* The same with anything in it. */
void *omr_aligned_room(size_t count, size_t size);

/* Values from which on a loop that only copies them is shared among threads. */
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
/* The same of the sources that this build was made of, without their comments: two builds that may
 * give other numbers differ in it, whatever their version (cmake/sources_hash.c). Static text. */
const char *omr_sources(void);
/* The same of an open file from its beginning, and its length. False with errno where it cannot be
 * read. */
bool omr_hash_descriptor(int file, uint64_t *length, char hex[33]);

#endif
