/* Growing text, numbers and time. */
#define _GNU_SOURCE /* strtod_l */
#include "text.h"

#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Room for `extra` bytes and the terminating zero. */
static bool reserve(cli_text *text, size_t extra) {
  const size_t wanted = text->length + extra + 1;
  if (text->failed || wanted <= text->capacity) return !text->failed;
  const size_t capacity = wanted < 64 ? 64 : 2 * wanted;
  char *data = realloc(text->data, capacity);
  text->failed = !data;
  if (!data) return false;
  text->data = data;
  text->capacity = capacity;
  return true;
}

void cli_text_add(cli_text *text, const char *bytes, size_t count) {
  if (!reserve(text, count)) return;
  memcpy(text->data + text->length, bytes, count);
  text->length += count;
  text->data[text->length] = '\0';
}

void cli_text_print(cli_text *text, const char *format, ...) {
  char *printed = NULL;
  va_list args;
  va_start(args, format);
  const int count = vasprintf(&printed, format, args);
  va_end(args);
  if (count < 0) {
    text->failed = true;
    return;
  }
  cli_text_add(text, printed, (size_t)count);
  free(printed);
}

void cli_text_free(cli_text *text) {
  free(text->data);
  *text = (cli_text){0};
}

double cli_strtod(const char *text, char **end) {
  static locale_t c_locale; /* glibc's static object: never fails, never freed */
  if (!c_locale) c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  const char *digits = text + strspn(text, "+- ");
  if (digits[0] != '0' || (digits[1] | 0x20) != 'x') return strtod_l(text, end, c_locale);
  if (end) *end = (char *)text;
  return (double)NAN;
}

double cli_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
