/* Checks that need no grammar: encoding and comments; places of errors. */
#include "json_scan.h"

#include <string.h>

enum { LONGEST_PATH = 200 };

size_t omr_utf8_check(const char *text, size_t length) {
  size_t at = 0;
  while (at < length) {
    size_t step = omr_character(text + at, length - at);
    if (step == 0) return at;
    at += step;
  }
  return length;
}

const char *omr_mistake_word(omr_mistake_kind kind) {
  static const char *const words[] = {
#define X(id, word, meaning) word,
#include "../../lists/mistakes.def"
#undef X
  };
  return words[kind];
}

omr_status omr_json_fail_at(omr_mistake_kind kind, const char *name, const char *text,
                            size_t offset, const char *path, omr_error *error,
                            const char *message) {
  /* A column counts characters, not bytes: bytes inside a UTF-8 character do not count. */
  size_t line = 1, column = 1;
  for (size_t i = 0; i < offset; i++) {
    if (text[i] == '\n') {
      line++;
      column = 1;
    } else if (((unsigned char)text[i] & 0xc0U) != 0x80U) {
      column++;
    }
  }

  /* A long path is cut between two characters. */
  size_t shown = strlen(path);
  if (shown > LONGEST_PATH) {
    shown = LONGEST_PATH;
    while (shown > 0 && ((unsigned char)path[shown] & 0xc0U) == 0x80U) shown--;
  }

  /* The message holds the place in front of the caller's words. */
  const omr_mistake_place place = {.code = omr_mistake_word(kind), .path = name, .line = (int)line};
  char whole[4096];
  snprintf(whole, sizeof whole, "%s:%zu:%zu: %.*s%s%s", name, line, column, (int)shown, path,
           shown ? ": " : "", message);
  const size_t length = strlen(whole), own = strlen(message);
  return omr_fail_at(error, OMR_ERR_STUDY, &place, whole,
                     own <= length ? whole + length - own : whole);
}
