/* Growing text, and foreign text made safe to show. */
#define _GNU_SOURCE /* fopencookie */
#include "support.h"

#include <stdlib.h>
#include <string.h>

/* Makes room for `extra` bytes and the terminating zero. */
static bool reserve(omr_text *text, size_t extra) {
  /* Sums of sizes must not overflow. */
  if (text->failed) return false;
  if (extra < text->capacity - text->length) return true;
  size_t wanted;
  if (__builtin_add_overflow(text->length + 1, extra, &wanted) || wanted > SIZE_MAX / 2) {
    text->failed = true;
    return false;
  }

  /* Doubling keeps the number of copies small. */
  size_t capacity = text->capacity * 2 > wanted ? text->capacity * 2 : wanted;
  capacity = capacity < 64 ? 64 : capacity;
  char *data = realloc(text->data, capacity);
  if (!data) {
    text->failed = true;
    return false;
  }

  text->data = data;
  text->capacity = capacity;
  return true;
}

void omr_text_add(omr_text *text, const char *bytes, size_t count) {
  if (!reserve(text, count)) return;
  memcpy(text->data + text->length, bytes, count);
  text->length += count;
  text->data[text->length] = '\0';
}

void omr_print_quoted(FILE *out, const char *text) {
  fputc('"', out);
  for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
    if (*c == '"' || *c == '\\')
      fprintf(out, "\\%c", *c);
    else if (*c < 0x20)
      fprintf(out, "\\u%04x", (unsigned)*c);
    else
      fputc(*c, out);
  }
  fputc('"', out);
}

int omr_digits_apart(double a, double b, int least) {
  char one[32], other[32];
  for (int digits = least; digits < 17; digits++) {
    snprintf(one, sizeof one, "%.*g", digits, a);
    snprintf(other, sizeof other, "%.*g", digits, b);
    if (a == b || strcmp(one, other) != 0) return digits;
  }
  return 17;
}

void omr_text_print(omr_text *text, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int count = vsnprintf(NULL, 0, format, args);
  va_end(args);
  if (count < 0) {
    text->failed = true;
    return;
  }
  if (!reserve(text, (size_t)count)) return;
  va_start(args, format);
  vsnprintf(text->data + text->length, (size_t)count + 1, format, args);
  va_end(args);
  text->length += (size_t)count;
}

void omr_text_free(omr_text *text) {
  free(text->data);
  *text = (omr_text){0};
}

void omr_print_more(char *text, size_t size, const char *format, ...) {
  const size_t length = strlen(text);
  va_list args;
  va_start(args, format);
  vsnprintf(text + length, size - length, format, args);
  va_end(args);
}

bool omr_deny(char *reason, size_t size, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(reason, size, format, args);
  va_end(args);
  return false;
}

bool omr_is_among(const char *word, const char *const *words, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(word, words[i]) == 0) return true;
  return false;
}

/* Ranges as in table 3-7 of the Unicode Standard. */
size_t omr_character(const char *text, size_t left) {
  const unsigned char *s = (const unsigned char *)text;
  /* The first byte decides the length and the range of the second. */
  if (s[0] < 0x80) return 1;

  unsigned char low = 0x80, high = 0xbf;
  size_t length;
  if (s[0] >= 0xc2 && s[0] <= 0xdf) {
    length = 2;
  } else if (s[0] >= 0xe0 && s[0] <= 0xef) {
    length = 3;
    if (s[0] == 0xe0) low = 0xa0;  /* overlong */
    if (s[0] == 0xed) high = 0x9f; /* surrogates */
  } else if (s[0] >= 0xf0 && s[0] <= 0xf4) {
    length = 4;
    if (s[0] == 0xf0) low = 0x90;
    if (s[0] == 0xf4) high = 0x8f; /* beyond U+10FFFF */
  } else {
    return 0;
  }

  /* All further bytes must be continuations. */
  if (left < length || s[1] < low || s[1] > high) return 0;
  for (size_t i = 2; i < length; i++)
    if ((s[i] & 0xc0U) != 0x80U) return 0;

  return length;
}

static unsigned long code_point(const char *text, size_t length) {
  static const unsigned char first[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
  unsigned long code = (unsigned char)text[0] & first[length];
  for (size_t i = 1; i < length; i++) code = code << 6 | ((unsigned char)text[i] & 0x3fU);
  return code;
}

/* C0, DEL and C1; characters that set or change the direction of text; separators of lines. */
static bool is_control(unsigned long code) {
  return (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7f && code < 0xa0) ||
         code == 0x61c || (code >= 0x200e && code <= 0x200f) ||
         (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) || code == 0xfeff;
}

/* The character at text[left] as it is shown (characters that JSON leaves unescaped get JSON's
 * escapes): its bytes in shown, their number, and in *taken the bytes read. */
static size_t show_one(const char *text, size_t left, char shown[8], size_t *taken) {
  const size_t length = omr_character(text, left);
  *taken = length ? length : 1;
  if (length == 0) return (size_t)snprintf(shown, 8, "\\x%02x", (unsigned char)*text);
  const unsigned long code = code_point(text, length);
  if (is_control(code))
    return (size_t)snprintf(shown, 8, code < 0x20 ? "\\x%02lx" : "\\u%04lx", code);
  memcpy(shown, text, length);
  return length;
}

size_t omr_show(char *to, size_t size, const char *text, size_t count) {
  size_t written = 0, taken;
  char shown[8];
  for (size_t at = 0; at < count; at += taken) {
    const size_t length = show_one(text + at, count - at, shown, &taken);
    if (written + length >= size) break;
    memcpy(to + written, shown, length);
    written += length;
  }
  if (size) to[written] = '\0';
  return written;
}

/* A STREAM */

typedef struct shower {
  FILE *out;
  char cut[4]; /* the beginning of a character that the next bytes complete */
  size_t cut_length;
} shower;

/* Number of bytes at the end that may begin an incomplete character. */
static size_t begun(const char *bytes, size_t count) {
  for (size_t back = 1; back <= 3 && back <= count; back++) {
    const unsigned char c = (unsigned char)bytes[count - back];
    if (c < 0x80) return 0;
    if (c >= 0xc0) return back < (c >= 0xf0 ? 4U : c >= 0xe0 ? 3U : 2U) ? back : 0;
  }
  return 0;
}

static void put(FILE *out, const char *bytes, size_t count) {
  char shown[8];
  for (size_t at = 0, taken; at < count; at += taken)
    fwrite(shown, 1, show_one(bytes + at, count - at, shown, &taken), out);
}

static bool is_plain(unsigned char c) {
  return (c >= 0x20 && c < 0x7f) || c == '\n' || c == '\t';
}

static ssize_t write_shown(void *cookie, const char *bytes, size_t count) {
  shower *s = cookie;
  /* A character that the last call cut is completed first. */
  size_t at = 0;
  while (s->cut_length && at < count) { /* it lacks at most three bytes */
    s->cut[s->cut_length++] = bytes[at++];
    if (s->cut_length < sizeof s->cut && begun(s->cut, s->cut_length) == s->cut_length) continue;
    put(s->out, s->cut, s->cut_length);
    s->cut_length = 0;
  }

  /* Plain bytes go out together, others one by one. */
  const size_t kept = begun(bytes + at, count - at), end = count - kept;
  while (at < end) {
    size_t plain = at;
    while (plain < end && is_plain((unsigned char)bytes[plain])) plain++;
    fwrite(bytes + at, 1, plain - at, s->out);
    for (at = plain; at < end && !is_plain((unsigned char)bytes[at]);) {
      char shown[8];
      size_t taken;
      fwrite(shown, 1, show_one(bytes + at, end - at, shown, &taken), s->out);
      at += taken;
    }
  }

  /* The beginning of a cut character waits for the next call. */
  memcpy(s->cut, bytes + end, kept);
  s->cut_length += kept;

  return fflush(s->out) == 0 && !ferror(s->out) ? (ssize_t)count : 0;
}

static int close_shown(void *cookie) {
  shower *s = cookie;
  put(s->out, s->cut, s->cut_length);
  const int failed = fflush(s->out);
  free(s);
  return failed;
}

FILE *omr_shown_stream(FILE *out) {
  shower *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  s->out = out;
  const cookie_io_functions_t functions = {.write = write_shown, .close = close_shown};
  FILE *stream = fopencookie(s, "w", functions);
  if (!stream) free(s);
  return stream;
}
