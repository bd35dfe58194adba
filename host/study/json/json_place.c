/* Where a value stands in a study file, and errors that say so. */
#include "json.h"
#include "json_scan.h"

#include <string.h>

const omr_json_position *omr_json_position_of(const omr_json *json, const cJSON *item) {
  const omr_json_positions *p = json->positions;
  for (size_t i = 0; p && i < p->count; i++)
    if (p->at[i].item == item) return &p->at[i];
  return NULL;
}

/* Fills `trail` with the items from below `from` to `item`; returns their number, or -1. */
static int find_trail(const cJSON *from, const cJSON *item, const cJSON **trail, int depth,
                      int limit) {
  if (from == item) return depth;
  if (depth == limit) return -1;
  for (const cJSON *child = from->child; child; child = child->next) {
    trail[depth] = child;
    int found = find_trail(child, item, trail, depth + 1, limit);
    if (found >= 0) return found;
  }
  return -1;
}

enum { DEEPEST = 2 * OMR_JSON_DEPTH + 1 }; /* --set can hang a deep value below a deep path */

/* Index of an element in the array as it was read: some may have been taken out since. */
static size_t index_of(const omr_json *json, const cJSON *array, const cJSON *item) {
  const omr_json_positions *p = json->positions;
  size_t index = 0;
  /* The first child's prev points to the last one. */
  for (; item->prev->next; item = item->prev) index++;
  for (size_t i = 0; p && i < p->gap_count; i++) /* in ascending order within an array */
    index += p->gaps[i].array == array && p->gaps[i].index <= index;
  return index;
}

static size_t append(char *buffer, size_t size, size_t length, const char *text) {
  for (; *text && length + 1 < size; text++)
    buffer[length++] = (unsigned char)*text < 0x20 ? '?' : *text;
  return length;
}

/* The steps to an item and their number; whether one of them was moved to its place
 * (omr_json_note_origin), of which a word is all that there is. */
static int trail_of(const omr_json *json, const cJSON *item, const cJSON *trail[DEEPEST],
                    bool *moved) {
  const omr_json_positions *p = json->positions;
  const int depth = json->root && item ? find_trail(json->root, item, trail, 0, DEEPEST) : 0;
  *moved = false;
  for (int i = 0; i < depth; i++)
    for (size_t k = 0; p && k < p->origin.count; k++) *moved |= p->origin.moved[k] == trail[i];
  return *moved && p->origin.whole ? 0 : depth;
}

/* "~" is written "~0" and "/" "~1" in a pointer. */
static size_t append_token(char *buffer, size_t size, size_t length, const char *token) {
  for (; *token; token++) {
    const char one[2] = {*token, '\0'};
    length = append(buffer, size, length, *token == '~' ? "~0" : *token == '/' ? "~1" : one);
  }
  return length;
}

/* The steps to an item as a path or as a pointer. */
static const char *print_steps(const omr_json *json, const cJSON *item, bool pointer, char *buffer,
                               size_t size) {
  const cJSON *trail[DEEPEST];
  bool moved;
  const int depth = trail_of(json, item, trail, &moved);
  const omr_json_positions *p = json->positions;
  size_t length = moved ? append(buffer, size, 0, pointer ? p->origin.pointer : p->origin.path) : 0;
  for (int i = 0; i < depth; i++) {
    char number[32];
    const char *key = trail[i]->string;
    snprintf(number, sizeof number, pointer ? "%zu" : "[%zu]",
             key ? 0 : index_of(json, i ? trail[i - 1] : json->root, trail[i]));
    if (pointer || (key && (i > 0 || moved)))
      length = append(buffer, size, length, pointer ? "/" : ".");
    length = pointer ? append_token(buffer, size, length, key ? key : number)
                     : append(buffer, size, length, key ? key : number);
  }
  while (length > 0 && omr_utf8_check(buffer, length) < length)
    length--; /* cut at a whole character */
  buffer[length] = '\0';
  return buffer;
}

const char *omr_json_path(const omr_json *json, const cJSON *item, char *buffer, size_t size) {
  return print_steps(json, item, false, buffer, size);
}

const char *omr_json_pointer(const omr_json *json, const cJSON *item, char *buffer, size_t size) {
  return print_steps(json, item, true, buffer, size);
}

/* ERRORS */

/* Objects that were made of a word stand where the word does. */
static int line_of(const omr_json *json, const cJSON *item) {
  const cJSON *trail[DEEPEST];
  bool moved;
  const omr_json_positions *p = json->positions;
  const omr_json_position *position = omr_json_position_of(json, item);
  if (position) return position->line;
  const bool made = cJSON_IsObject(item) && trail_of(json, item, trail, &moved) == 0 && moved;
  return made ? p->origin.line : 0;
}

static omr_status fail(const omr_json *json, const cJSON *item, omr_mistake_kind kind,
                       omr_error *error, const char *text) {
  char path[201], pointer[512], shown[4096];
  omr_json_positions *positions = json->positions;
  const int line = item ? line_of(json, item) : 0;

  /* The fault is kept for the callers that look for more mistakes. */
  if (positions) positions->fault = (omr_json_fault){.item = item, .kind = kind};
  omr_json_path(json, item, path, sizeof path);
  omr_mistake_place place = {.code = omr_mistake_word(kind), .path = json->name};
  place.pointer = item ? omr_json_pointer(json, item, pointer, sizeof pointer) : NULL;

  /* The message names the file and line, the assignment, or only the file. */
  if (line) {
    place.line = line;
    snprintf(shown, sizeof shown, "%s:%d: %s%s%s", json->name, line, path, *path ? ": " : "", text);
  } else if (item && *path) {
    place.path = NULL; /* given by --set, in no file */
    snprintf(shown, sizeof shown, "--set %s: %s", path, text);
  } else {
    snprintf(shown, sizeof shown, "%s: %s", json->name, text);
  }

  /* The caller's own text is the end of the message, unless it was cut. */
  const size_t length = strlen(shown), own = strlen(text);
  return omr_fail_at(error, OMR_ERR_STUDY, &place, shown,
                     own <= length && strcmp(shown + length - own, text) == 0 ? shown + length - own
                                                                              : shown);
}

omr_status omr_json_mistake(const omr_json *json, const cJSON *item, omr_mistake_kind kind,
                            omr_error *error, const char *format, ...) {
  char text[3584];
  va_list args;
  va_start(args, format);
  if (vsnprintf(text, sizeof text, format, args) < 0) snprintf(text, sizeof text, "%s", format);
  va_end(args);
  return fail(json, item, kind, error, text);
}

omr_status omr_json_missing(const omr_json *json, const cJSON *object, const char *key,
                            const char *example, omr_error *error) {
  char text[1024];
  omr_json_positions *positions = json->positions;
  snprintf(text, sizeof text, "\"%s\" is missing; for example \"%s\": %s", key, key, example);
  const omr_status status = fail(json, object, OMR_MISTAKE_MISSING, error, text);
  if (!positions) return status;
  snprintf(positions->fault.key, sizeof positions->fault.key, "%s", key);
  snprintf(positions->fault.example, sizeof positions->fault.example, "%s", example);
  return status;
}
