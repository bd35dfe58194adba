/* The list of doubts, to which each kind is added, and the format of lengths in it. */
#include "doubts.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *const omr_doubt_words[OMR_DOUBT_KINDS] = {
#define X(id, word, meaning) [OMR_DOUBT_##id] = word,
#include "../lists/doubts.def"
#undef X
};

void omr_doubt_add(omr_doubts *doubts, omr_doubt_kind kind, int wheel, int other,
                   const char *format, ...) {
  va_list list;
  if (doubts->count == OMR_MOST_DOUBTS) return;
  omr_doubt *doubt = &doubts->list[doubts->count++];
  *doubt = (omr_doubt){.kind = kind, .wheel = wheel, .other = other};
  va_start(list, format);
  vsnprintf(doubt->text, sizeof doubt->text, format, list);
  va_end(list);
}

static const char *write_length(double metres, int more, char text[OMR_LENGTH_TEXT]) {
  const double size = fabs(metres);
  if (size < 1e-9) metres = 0; /* rounding */
  if (size < 0.01)
    snprintf(text, OMR_LENGTH_TEXT, "%.*g mm", 3 + more, 1e3 * metres);
  else if (size < 1)
    snprintf(text, OMR_LENGTH_TEXT, "%.*g cm", 4 + more, 1e2 * metres);
  else
    snprintf(text, OMR_LENGTH_TEXT, "%.*g m", 4 + more, metres);
  return text;
}

const char *omr_length_text(double metres, char text[OMR_LENGTH_TEXT]) {
  return write_length(metres, 0, text);
}

void omr_length_texts(const double metres[2], char text[2][OMR_LENGTH_TEXT]) {
  for (int more = 0; more < 13; more++) {
    write_length(metres[0], more, text[0]);
    if (strcmp(text[0], write_length(metres[1], more, text[1])) != 0) return;
  }
}
