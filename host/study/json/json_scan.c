/* The JSON grammar, with a plain message for each mistake. */
#include "json_scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NO_NUMBER "no JSON number: leave the member out, or write a number"
#define NO_SUMS "a study does not calculate: write the value, such as 0.5 or \"45 deg\""

enum { LONGEST_NUMBER = 63 }; /* cJSON cuts numbers after 63 characters */

typedef struct scan {
  const char *name;
  const char *original; /* with comments: columns count its characters */
  char *text;           /* comments blanked */
  size_t length, at;
  int line;
  omr_text path; /* ".vary[1].path" */
  int depth;
  struct {
    char close;
    int line;
  } open[OMR_JSON_DEPTH];
  omr_json_positions *positions;
  omr_error *error;
  omr_status status;
} scan;

static bool fail(scan *s, size_t offset, const char *format, ...) OMR_PRINTF(3, 4);

static bool fail(scan *s, size_t offset, const char *format, ...) {
  char message[512];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  const char *path = s->path.length ? s->path.data : "";
  s->status = omr_json_fail_at(OMR_MISTAKE_SYNTAX, s->name, s->original, offset,
                               *path == '.' ? path + 1 : path, s->error, message);
  return false;
}

static bool fail_memory(scan *s) {
  s->status = omr_fail(s->error, OMR_ERR_MEMORY, "%s: out of memory", s->name);
  return false;
}

static char peek(const scan *s) {
  return s->at < s->length ? s->text[s->at] : '\0';
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool is_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         (unsigned char)c >= 0x80;
}

static void skip_space(scan *s) {
  for (; s->at < s->length; s->at++) {
    char c = s->text[s->at];
    if (c == '\n')
      s->line++;
    else if (c != ' ' && c != '\t' && c != '\r')
      return;
  }
}

/* Length of the run of characters at `at` that a person would read as one word or number; at
 * most 40. */
static int run_length(const scan *s, size_t at) {
  size_t end = at;
  while (end < s->length && end - at < 40 && (is_word(s->text[end]) || strchr("+-.", s->text[end])))
    end++;
  while (end > at && end < s->length && ((unsigned char)s->text[end] & 0xc0U) == 0x80U) end--;
  return (int)(end - at);
}

/* The text at s->at, for messages: "word", "{", or the code of a character that may not be visible.
 */
static const char *found(const scan *s, char buffer[64]) {
  int length = run_length(s, s->at);
  unsigned char c = (unsigned char)s->text[s->at];
  if (c == '"')
    snprintf(buffer, 64, "a double quote");
  else if (c < 0x20 || c == 0x7f)
    snprintf(buffer, 64, "control character 0x%02x", c);
  else
    snprintf(buffer, 64, "\"%.*s\"", length ? length : 1, s->text + s->at);
  return buffer;
}

static bool fail_end(scan *s) {
  if (s->depth == 0) return fail(s, s->length, "there is nothing to read: the text is empty");
  char close = s->open[s->depth - 1].close;
  return fail(s, s->length,
              "unexpected end of file inside the %s that starts at line %d: missing \"%c\"",
              close == '}' ? "object" : "array", s->open[s->depth - 1].line, close);
}

static bool scan_hex(scan *s, unsigned *code) {
  *code = 0;
  for (int i = 0; i < 4; i++, s->at++) {
    char c = peek(s);
    unsigned digit = is_digit(c)            ? (unsigned)(c - '0')
                     : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10)
                     : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A' + 10)
                                            : 16U;
    if (digit > 15) return fail(s, s->at, "\\u needs four hexadecimal digits");
    *code = *code * 16 + digit;
  }
  return true;
}

/* s->at stands behind "\u". */
static bool scan_unicode_escape(scan *s, size_t start) {
  unsigned code, second;
  if (!scan_hex(s, &code)) return false;
  if (code == 0) return fail(s, start, "\\u0000 is not allowed in a string");
  if (code >= 0xdc00 && code <= 0xdfff)
    return fail(s, start, "\\u%04x is the second half of a character without the first", code);
  if (code < 0xd800 || code > 0xdbff) return true;
  if (peek(s) != '\\' || s->text[s->at + 1] != 'u')
    return fail(s, start, "\\u%04x is the first half of a character without the second", code);
  s->at += 2;
  if (!scan_hex(s, &second)) return false;
  if (second < 0xdc00 || second > 0xdfff)
    return fail(s, start, "\\u%04x is the first half of a character without the second", code);
  return true;
}

static bool scan_escape(scan *s) {
  size_t start = s->at++;
  char c = peek(s);
  if (s->at >= s->length)
    return fail(s, start, "unexpected end of file inside a string: missing quote");
  s->at++;
  if (c == 'u') return scan_unicode_escape(s, start);
  if (strchr("\"\\/bfnrt", c)) return true;
  s->at = start + 1;
  if (c == '\n' || c == '\r')
    return fail(s, start,
                "a backslash at the end of a line does not continue a string: missing quote");
  char buffer[64];
  return fail(s, start,
              "a backslash before %s means nothing in JSON: write \"\\\\\" for a backslash",
              found(s, buffer));
}

/* s->at stands at the opening quote. */
static bool scan_string(scan *s) {
  size_t start = s->at++;
  for (;;) {
    char c = peek(s);

    /* The string has to end, and on its own line. */
    if (s->at >= s->length)
      return fail(s, start,
                  "unexpected end of file inside the string that starts here: missing quote");
    if (c == '\n' || c == '\r')
      return fail(s, start, "missing quote: the string that starts here does not end on its line");
    if ((unsigned char)c < 0x20)
      return fail(s, s->at, "control character 0x%02x inside a string: write \\u%04x", (unsigned)c,
                  (unsigned)c);

    /* A backslash begins an escape of several characters. */
    if (c == '\\') {
      if (!scan_escape(s)) return false;
      continue;
    }

    /* A quote without a backslash ends the string. */
    s->at++;
    if (c == '"') return true;
  }
}

static const char *skip_digits(const char *p) {
  while (is_digit(*p)) p++;
  return p;
}

/* Why the run of characters is no JSON number; `digits` is the place where the grammar stopped. */
static const char *number_fault(const char *run, size_t length, const char *digits) {
  size_t left = length - (size_t)(digits - run);
  if (*run == '+') return "remove the +";
  const char *name = run + (*run == '-');
  if (strncmp(name, "Inf", 3) == 0 || strncmp(name, "inf", 3) == 0) return NO_NUMBER;
  if (*run == '.' || (*run == '-' && length > 1 && run[1] == '.'))
    return "write a digit before the point";
  if (digits == run + 1 && *run == '-') return "a digit is missing after the minus";
  bool zero = digits > run && digits[-1] == '0' && skip_digits(run + (*run == '-')) >= digits;
  if (left && zero && is_digit(*digits)) return "leading zero";
  if (left && zero && strncmp(digits - 1, "0x", 2) == 0) return "write it in decimal";
  if (digits > run && digits[-1] == '.') return "write a digit after the point";
  if (digits > run && (strchr("eE", digits[-1]) || (strchr("+-", digits[-1]) && digits > run + 1)))
    return "digits are missing in the exponent";
  if (left && *digits == '_') return "write the digits without _";
  if (left && is_word(*digits)) return "a quantity with a unit is a string such as \"45 deg\"";
  return "write digits, one point, one exponent";
}

/* Longest start of p that follows the grammar of numbers; *whole: it may end there. */
static const char *number_end(const char *p, bool *whole) {
  *whole = false;
  if (*p == '-') p++;
  if (!is_digit(*p)) return p;
  p = *p == '0' ? p + 1 : skip_digits(p);
  if (*p == '.') {
    if (!is_digit(*++p)) return p;
    p = skip_digits(p);
  }
  if (*p == 'e' || *p == 'E') {
    p++;
    if (*p == '+' || *p == '-') p++;
    if (!is_digit(*p)) return p;
    p = skip_digits(p);
  }
  *whole = true;
  return p;
}

static bool scan_number(scan *s) {
  bool whole;
  const char *start = s->text + s->at, *end = number_end(start, &whole);
  size_t length = (size_t)(end - start);
  if (!whole || is_word(*end) || strchr("+-.", *end ? *end : ' ')) {
    int run = run_length(s, s->at);
    size_t shown = (size_t)run > length ? (size_t)run : length;
    return fail(s, s->at, "number %.*s is not allowed in JSON (%s)", run, start,
                number_fault(start, shown, end));
  }
  if (length > LONGEST_NUMBER)
    return fail(s, s->at, "number of %zu characters: at most %d are read", length, LONGEST_NUMBER);
  if (!isfinite(omr_strtod(start, NULL)))
    return fail(s, s->at, "number %.*s is too large (a double ends at 1.8e308)", (int)length,
                start);
  s->at += length;
  return true;
}

/* A message for a character that word processors write in place of a plain one; NULL for others. */
static const char *odd_character(const char *at) {
  static const struct {
    const char *character, *remedy;
  } odd[] = {{"\u201c", "typographic quotes: write plain ones (\")"},
             {"\u201d", "typographic quotes: write plain ones (\")"},
             {"\u201e", "typographic quotes: write plain ones (\")"},
             {"\u2018", "typographic quotes: write plain ones (\")"},
             {"\u2019", "typographic quotes: write plain ones (\")"},
             {"\u00ab", "typographic quotes: write plain ones (\")"},
             {"\u00a0", "a no-break space (U+00A0) stands here: write a plain one"},
             {"\u2212", "the minus sign is the hyphen \"-\""}};
  for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
    if (strncmp(at, odd[i].character, strlen(odd[i].character)) == 0) return odd[i].remedy;
  return NULL;
}

static bool scan_word(scan *s) {
  const char *start = s->text + s->at;
  int length = run_length(s, s->at);
  static const struct {
    const char *word, *instead; /* NULL: the word is JSON */
  } words[] = {{"true", NULL},           {"false", NULL},        {"null", NULL},
               {"True", "write true"},   {"TRUE", "write true"}, {"False", "write false"},
               {"FALSE", "write false"}, {"None", "write null"}, {"NULL", "write null"},
               {"NaN", NO_NUMBER},       {"nan", NO_NUMBER},     {"Infinity", NO_NUMBER},
               {"inf", NO_NUMBER}};

  /* A word is JSON, or a mistake with a remedy. */
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (strlen(words[i].word) != (size_t)length ||
        memcmp(words[i].word, start, (size_t)length) != 0)
      continue;
    if (words[i].instead)
      return fail(s, s->at, "%s is not allowed in JSON (%s)", words[i].word, words[i].instead);
    s->at += (size_t)length;
    return true;
  }

  /* Any other word is a sum, an odd character or text without quotes. */
  if (start[length] && strchr("(*/", start[length])) return fail(s, s->at, NO_SUMS);
  if (odd_character(start)) return fail(s, s->at, "%s", odd_character(start));
  return fail(s, s->at, "missing quotes: text is written \"%.*s\"", length, start);
}

static bool note_position(scan *s, size_t offset, int line) {
  omr_json_positions *p = s->positions;
  if (p->count == p->capacity) {
    size_t capacity = p->capacity ? 2 * p->capacity : 64;
    omr_json_position *at = reallocarray(p->at, capacity, sizeof *at);
    if (!at) return fail_memory(s);
    p->at = at;
    p->capacity = capacity;
  }
  p->at[p->count++] = (omr_json_position){.offset = offset, .line = line};
  return true;
}

/* more: there is something in it; else it is closed at once. */
static bool open_container(scan *s, char close, bool *more) {
  if (s->depth == OMR_JSON_DEPTH)
    return fail(s, s->at, "nested deeper than %d levels", OMR_JSON_DEPTH);
  s->open[s->depth].close = close;
  s->open[s->depth++].line = s->line;
  s->at++;
  skip_space(s);
  *more = peek(s) != close;
  if (*more) return true;
  s->at++;
  s->depth--;
  return true;
}

static size_t key_length(const char *key) {
  size_t length = 0;
  while ((unsigned char)key[length] >= 0x20 && key[length] != '"' && key[length] != '\\') length++;
  return length;
}

static bool fail_comment(scan *s) {
  return fail(s, s->at, "a comment starts with //, not with %c", peek(s));
}

/* Whether a string like "rk4, " stands before: as a missing quote makes one. */
static bool follows_comma_in_quotes(const scan *s) {
  size_t at = s->at;
  if (at < 3 || s->text[at - 1] != '"') return false;
  for (at--; at > 0 && (s->text[at - 1] == ' ' || s->text[at - 1] == '\t');) at--;
  return at > 0 && s->text[at - 1] == ',';
}

static bool fail_separator(scan *s, bool number_before) {
  char close = s->open[s->depth - 1].close, c = peek(s), buffer[64];
  const char *kind = close == '}' ? "object" : "array";

  /* A closing bracket here belongs to another opening one. */
  if (c == '}' || c == ']')
    return fail(s, s->at, "\"%c\" cannot close the %s that starts at line %d: expected \"%c\"", c,
                kind, s->open[s->depth - 1].line, close);

  /* Signs of other languages get their own messages. */
  if (c == '#') return fail_comment(s);
  if (c == ';') return fail(s, s->at, "members are separated by commas, not by \";\"");
  if (number_before && c && strchr("*/+^", c)) return fail(s, s->at, NO_SUMS);
  if (odd_character(s->text + s->at)) return fail(s, s->at, "%s", odd_character(s->text + s->at));

  /* A word may be the rest of a string whose quote is missing, or a unit without quotes. */
  bool word = is_word(c) && !is_digit(c);
  if (word && follows_comma_in_quotes(s))
    return fail(s, s->at,
                "missing quote: the string before %s ends in a comma, so that the quote at its own "
                "end may be missing",
                found(s, buffer));
  if (number_before && (word || c == '%'))
    return fail(s, s->at,
                "missing comma before %s (a quantity with a unit is a string such as \"0.5 m\")",
                found(s, buffer));
  if (c == '%') return fail_comment(s);

  /* Anything that can begin a value wants a comma before it. */
  if (c == '"' || is_word(c) || c == '{' || c == '[' || c == '-') {
    int length = c == '"' ? (int)key_length(s->text + s->at + 1) : 0;
    if (length > 0 && length <= 40)
      return fail(s, s->at, "missing comma before \"%.*s\"", length, s->text + s->at + 1);
    return fail(s, s->at, "missing comma before %s", found(s, buffer));
  }
  return fail(s, s->at, "unexpected %s: expected a comma or \"%c\"", found(s, buffer), close);
}

/* After a value inside an object or array: *more says whether another follows. */
static bool scan_separator(scan *s, bool number_before, bool *more) {
  char close = s->open[s->depth - 1].close;
  *more = false;
  skip_space(s);
  if (s->at >= s->length) return fail_end(s);
  if (peek(s) == close) {
    s->at++;
    s->depth--;
    return true;
  }
  if (peek(s) != ',') return fail_separator(s, number_before);
  size_t comma = s->at++;
  skip_space(s);
  if (peek(s) == close)
    return fail(s, comma, "comma before \"%c\": remove it, or a value is missing after it", close);
  *more = true;
  return true;
}

static bool scan_value(scan *s);

static void cut_path(scan *s, size_t length) {
  s->path.length = length;
  if (s->path.data) s->path.data[length] = '\0';
}

static bool starts_number(char c) {
  return is_digit(c) || c == '-';
}

static bool scan_array(scan *s) {
  bool more;
  if (!open_container(s, ']', &more)) return false;
  size_t length = s->path.length;
  for (size_t i = 0; more; i++) {
    omr_text_print(&s->path, "[%zu]", i);
    bool number = starts_number(peek(s));
    if (!note_position(s, s->at, s->line) || !scan_value(s)) return false;
    cut_path(s, length);
    if (!scan_separator(s, number, &more)) return false;
  }
  return true;
}

/* Reads the key and the colon, and adds the key to the path. */
static bool scan_key(scan *s) {
  char c = peek(s), buffer[64];

  /* Anything but a double quote is a mistake with its own message. */
  if (s->at >= s->length) return fail_end(s);
  if (c == '\'') return fail(s, s->at, "keys and strings take double quotes (\"), not single ones");
  if (is_digit(c) && s->at > 1 && s->text[s->at - 1] == ',' && is_digit(s->text[s->at - 2]))
    return fail(s, s->at, "a decimal point is a point, not a comma");
  if (odd_character(s->text + s->at)) return fail(s, s->at, "%s", odd_character(s->text + s->at));
  if (is_word(c)) return fail(s, s->at, "missing quotes: a key is written %s", found(s, buffer));
  if (c == '#' || c == '%') return fail_comment(s);
  if (c != '"')
    return fail(s, s->at, "unexpected %s: expected a key in double quotes", found(s, buffer));

  /* The key extends the path that messages show. */
  size_t start = s->at + 1;
  if (!scan_string(s)) return false;
  omr_text_add(&s->path, ".", 1);
  omr_text_add(&s->path, s->text + start, s->at - 1 - start);

  /* A colon parts the key from its value. */
  skip_space(s);
  if (s->at >= s->length) return fail_end(s);
  if (peek(s) == '=') return fail(s, s->at, "write : between key and value, not =");
  if (peek(s) != ':') return fail(s, s->at, "missing colon before %s", found(s, buffer));
  s->at++;
  skip_space(s);
  return true;
}

static bool scan_object(scan *s) {
  bool more;
  if (!open_container(s, '}', &more)) return false;
  size_t length = s->path.length;
  while (more) {
    if (!note_position(s, s->at, s->line) || !scan_key(s)) return false;
    bool number = starts_number(peek(s));
    if (!scan_value(s)) return false;
    cut_path(s, length);
    if (!scan_separator(s, number, &more)) return false;
  }
  return true;
}

static bool scan_value(scan *s) {
  char c = peek(s), buffer[64];
  if (s->at >= s->length) return fail_end(s);
  if (c == '{') return scan_object(s);
  if (c == '[') return scan_array(s);
  if (c == '"') return scan_string(s);
  if (starts_number(c) || c == '+' || c == '.') return scan_number(s);
  if (is_word(c)) return scan_word(s);
  if (c == '\'') return fail(s, s->at, "strings take double quotes (\"), not single ones");
  if (c == '#' || c == '%') return fail_comment(s);
  if (strchr(",:}]", c)) return fail(s, s->at, "a value is missing before %s", found(s, buffer));
  return fail(s, s->at, "unexpected %s: expected a value", found(s, buffer));
}

static bool scan_root(scan *s) {
  skip_space(s);
  if (!note_position(s, s->at, s->line) || !scan_value(s)) return false;
  skip_space(s);
  char buffer[64];
  if (s->at < s->length)
    return fail(s, s->at, "unexpected %s after the end of the JSON text", found(s, buffer));
  return true;
}

/* Byte order marks, zero bytes, UTF-8. */
static bool check_bytes(scan *s) {
  if (s->length >= 3 && memcmp(s->original, "\xef\xbb\xbf", 3) == 0)
    return fail(s, 0, "the file starts with a byte order mark: save it as UTF-8 without BOM");
  if (s->length >= 2 &&
      (memcmp(s->original, "\xff\xfe", 2) == 0 || memcmp(s->original, "\xfe\xff", 2) == 0))
    return fail(s, 0, "the file is UTF-16: save it as UTF-8 without BOM");
  const char *zero = memchr(s->original, 0, s->length);
  if (zero)
    return fail(s, (size_t)(zero - s->original), "zero byte: this is no text file in UTF-8");
  size_t bad = omr_utf8_check(s->original, s->length);
  if (bad < s->length)
    return fail(s, bad, "byte 0x%02x is no UTF-8: save the file as UTF-8",
                (unsigned)(unsigned char)s->original[bad]);
  return true;
}

/* One comment at s->text[at]; returns its end, or 0 if a block comment has none. */
static size_t comment_end(const scan *s, size_t at) {
  if (s->text[at + 1] == '/') return at + strcspn(s->text + at, "\n");
  const char *end = strstr(s->text + at + 2, "*/");
  return end ? (size_t)(end + 2 - s->text) : 0;
}

static bool blank_comments(scan *s) {
  bool quoted = false;
  for (size_t i = 0; i < s->length; i++) {
    char c = s->text[i];

    /* Text in quotes holds no comment. */
    if (quoted && c == '\\' && s->text[i + 1] != '\n')
      i++;
    else if (c == '"')
      quoted = !quoted;
    else if (c == '\n')
      quoted =
          false; /* a missing quote is reported later, and should not swallow the comments below */
    if (quoted || c != '/' || (s->text[i + 1] != '/' && s->text[i + 1] != '*')) continue;

    /* A comment becomes blanks; its line ends stay. */
    size_t end = comment_end(s, i);
    if (end == 0) return fail(s, i, "the comment that starts here has no end: missing */");
    for (; i < end; i++)
      if (s->text[i] != '\n') s->text[i] = ' ';
    i--;
  }
  return true;
}

omr_status omr_json_scan(char *text, size_t length, const char *name, omr_json_positions *positions,
                         omr_error *error) {
  scan s = {.name = name,
            .text = text,
            .length = length,
            .line = 1,
            .positions = positions,
            .error = error};

  /* Messages show the text as it was before its comments are blanked. */
  char *original = malloc(length + 1);
  if (!original) {
    fail_memory(&s);
    return s.status;
  }
  memcpy(original, text, length + 1);
  s.original = original;

  /* The scan stops at the first mistake. */
  if (check_bytes(&s) && blank_comments(&s) && scan_root(&s) && s.path.failed) fail_memory(&s);
  omr_text_free(&s.path);
  free(original);
  return s.status;
}
