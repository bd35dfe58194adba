#include "support.h"

#include <stdlib.h>
#include <string.h>

/* Room for `extra` bytes and the terminating zero. */
static bool reserve(omr_text *text, size_t extra) {
  if (text->failed) return false;
  if (extra < text->capacity - text->length) return true;
  size_t wanted;
  if (__builtin_add_overflow(text->length + 1, extra, &wanted) || wanted > SIZE_MAX / 2) {
    text->failed = true;
    return false;
  }
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
