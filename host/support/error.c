/* Errors: the message of a function that fails, and the list of several mistakes. */
#include "support.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

/* Length of `text` without an incomplete UTF-8 character at its end. */
static size_t whole_characters(const char *text, size_t length) {
  size_t start = length;
  while (start > 0 && ((unsigned char)text[start - 1] & 0xc0U) == 0x80U) start--;
  if (start == 0) return length;
  unsigned char lead = (unsigned char)text[start - 1];
  size_t wanted = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return length - (start - 1) < wanted ? start - 1 : length;
}

omr_status omr_fail(omr_error *error, omr_status status, const char *format, ...) {
  if (!error) return status;
  /* Formatted into a copy, because the arguments may point into error->message. */
  char message[sizeof error->message];
  va_list args;
  va_start(args, format);
  int length = vsnprintf(message, sizeof message, format, args);
  va_end(args);
  if (length < 0)
    snprintf(message, sizeof message, "%s", format);
  else if ((size_t)length >= sizeof message)
    message[whole_characters(message, sizeof message - 1)] = '\0';
  error->status = status;
  error->count = error->used = error->more = 0;
  /* The message contains file names, keys and values, and terminals will show it. */
  omr_show(error->message, sizeof error->message, message, strlen(message));
  return status;
}

/* THE LIST */

/* Stores a copy of `text` in the error's texts, cut to the room, and returns its place. texts[0] is
 * "". */
static unsigned short keep(omr_error *error, const char *text) {
  if (!error->used) error->texts[error->used++] = '\0';
  const size_t room = OMR_MISTAKE_TEXTS - error->used, length = text ? strlen(text) : 0;
  if (length == 0 || room < 2) return 0;
  const size_t kept = length < room ? length : whole_characters(text, room - 1);
  const unsigned short at = error->used;
  memcpy(error->texts + at, text, kept);
  error->texts[at + kept] = '\0';
  error->used = (unsigned short)(at + kept + 1);
  return at;
}

/* Appends a mistake; without room for its texts it is only counted. */
static void append(omr_error *error, const omr_mistake_place *place, const char *given,
                   const char *given_text) {
  /* The place and the text are made safe to show one after the other. */
  char shown[sizeof error->message];
  const size_t place_length = strlen(given) - strlen(given_text);
  const char *text = shown + omr_show(shown, sizeof shown, given, place_length);
  omr_show(shown + (text - shown), sizeof shown - (size_t)(text - shown), given_text,
           strlen(given_text));

  /* The whole mistake must fit, except for the first. */
  const size_t wanted = strlen(shown) + (place->path ? strlen(place->path) : 0) +
                        (place->pointer ? strlen(place->pointer) : 0) + 4;
  const size_t before = strlen(shown) - strlen(text);
  if (error->count && (error->count == OMR_MISTAKES || error->used + wanted > OMR_MISTAKE_TEXTS)) {
    error->more++;
    return;
  }

  /* The texts go into the error's own room. */
  omr_mistake *m = &error->mistake[error->count++];
  *m = (omr_mistake){.code = place->code, .line = place->line};
  m->path = keep(error, place->path);
  m->pointer = keep(error, place->pointer);
  m->shown = m->text = keep(error, shown);
  if (m->shown && m->shown + before < error->used) m->text = (unsigned short)(m->shown + before);
}

omr_status omr_fail_at(omr_error *error, omr_status status, const omr_mistake_place *place,
                       const char *shown, const char *text) {
  omr_fail(error, status, "%s", shown);
  if (error) append(error, place, shown, text);
  return status;
}

omr_status omr_fail_file(omr_error *error, omr_status status, const char *path, const char *format,
                         ...) {
  char shown[sizeof error->message];
  const omr_mistake_place place = {.code = omr_status_name((int)status), .path = path};
  va_list args;
  va_start(args, format);
  if (vsnprintf(shown, sizeof shown, format, args) < 0) snprintf(shown, sizeof shown, "%s", format);
  va_end(args);
  return omr_fail_at(error, status, &place, shown, shown);
}

static bool is_there(const omr_error *list, const char *shown) {
  for (size_t i = 0; i < list->count; i++)
    if (strcmp(list->texts + list->mistake[i].shown, shown) == 0) return true;
  return false;
}

/* Insertion sort, which keeps the order of equal lines. */
static void sort(omr_error *list) {
  for (size_t i = 1; i < list->count; i++) {
    const omr_mistake m = list->mistake[i];
    const int line = m.line ? m.line : INT32_MAX;
    size_t at = i;
    for (; at > 0; at--) {
      const int before = list->mistake[at - 1].line;
      if ((before ? before : INT32_MAX) <= line) break;
      list->mistake[at] = list->mistake[at - 1];
    }
    list->mistake[at] = m;
  }
}

static void show(omr_error *list, const char *text) {
  const size_t room = sizeof list->message - 1, length = strlen(text);
  const size_t kept = length <= room ? length : whole_characters(text, room);
  memcpy(list->message, text, kept);
  list->message[kept] = '\0';
}

static void print(omr_error *list) {
  omr_text text = {0};
  for (size_t i = 0; i < list->count; i++)
    omr_text_print(&text, "%s%s", i ? "\n" : "", list->texts + list->mistake[i].shown);
  if (list->more)
    omr_text_print(&text, "\nand %d more, which will be named when these are mended", list->more);
  if (!text.failed) show(list, text.data);
  omr_text_free(&text);
}

void omr_error_add(omr_error *list, const omr_error *more) {
  for (size_t i = 0; i < more->count; i++) {
    const omr_mistake *m = &more->mistake[i];
    const omr_mistake_place place = {m->code, more->texts + m->path, more->texts + m->pointer,
                                     m->line};
    const char *shown = more->texts + m->shown;
    if (!is_there(list, shown)) append(list, &place, shown, more->texts + m->text);
  }
  sort(list);
  print(list);
}

/* READING */

static const omr_mistake *mistake_at(const omr_error *error, size_t i) {
  return i < error->count ? &error->mistake[i] : NULL;
}

/* An error without a place stands for itself. */
static bool is_single(const omr_error *error, size_t i) {
  return error->status != OMR_OK && error->count == 0 && i == 0;
}

size_t omr_error_count(const omr_error *error) {
  return is_single(error, 0) ? 1 : error->count;
}

const char *omr_error_code(const omr_error *error, size_t i) {
  const omr_mistake *m = mistake_at(error, i);
  return m ? m->code : is_single(error, i) ? omr_status_name((int)error->status) : NULL;
}

const char *omr_error_path(const omr_error *error, size_t i) {
  const omr_mistake *m = mistake_at(error, i);
  return m ? error->texts + m->path : is_single(error, i) ? "" : NULL;
}

int omr_error_line(const omr_error *error, size_t i) {
  const omr_mistake *m = mistake_at(error, i);
  return m ? m->line : 0;
}

const char *omr_error_pointer(const omr_error *error, size_t i) {
  const omr_mistake *m = mistake_at(error, i);
  return m ? error->texts + m->pointer : is_single(error, i) ? "" : NULL;
}

const char *omr_error_text(const omr_error *error, size_t i) {
  const omr_mistake *m = mistake_at(error, i);
  return m ? error->texts + m->text : is_single(error, i) ? error->message : NULL;
}

static bool add_text(cJSON *to, const char *name, const char *text) {
  return text && *text ? cJSON_AddStringToObject(to, name, text) : cJSON_AddNullToObject(to, name);
}

static bool add_mistake(cJSON *list, const omr_error *mistakes, size_t i) {
  cJSON *one = cJSON_CreateObject();
  const int line = omr_error_line(mistakes, i);
  const char *path = omr_error_path(mistakes, i), *pointer = omr_error_pointer(mistakes, i);
  const bool pointed = line > 0 || *pointer;
  if (!one || !cJSON_AddItemToArray(list, one)) {
    cJSON_Delete(one);
    return false;
  }
  return add_text(one, "code", omr_error_code(mistakes, i)) && add_text(one, "path", path) &&
         (line ? cJSON_AddNumberToObject(one, "line", line) : cJSON_AddNullToObject(one, "line")) &&
         (pointed ? cJSON_AddStringToObject(one, "pointer", pointer)
                  : cJSON_AddNullToObject(one, "pointer")) &&
         add_text(one, "message", omr_error_text(mistakes, i));
}

omr_status omr_error_json(const omr_error *mistakes, char **json, omr_error *error) {
  cJSON *list = cJSON_CreateArray();
  bool made = list != NULL;
  *json = NULL;
  for (size_t i = 0; made && i < omr_error_count(mistakes); i++)
    made = add_mistake(list, mistakes, i);
  char *text = made ? cJSON_Print(list) : NULL;
  cJSON_Delete(list);
  if (!text) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  *json = strdup(text);
  cJSON_free(text);
  return *json ? OMR_OK : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
}

const char *omr_status_name(int status) {
  static const char *const names[] = {
      [OMR_OK] = "ok",
      [OMR_ERR_INTERNAL] = "internal",
      [OMR_ERR_USAGE] = "usage",
      [OMR_ERR_STUDY] = "study",
      [OMR_ERR_DEVICE] = "device",
      [OMR_ERR_IO] = "io",
      [OMR_ERR_MEMORY] = "memory",
      [OMR_ERR_INTERRUPTED] = "interrupted",
      [OMR_ERR_SELFTEST] = "selftest",
      [OMR_ERR_DIFFERS] = "differs",
      [OMR_ERR_FAILURES] = "failures",
      [OMR_ERR_INACCURATE] = "inaccurate",
      [OMR_ERR_NEGATIVE] = "negative",
  };
  return status >= 0 && (size_t)status < sizeof names / sizeof *names ? names[status] : NULL;
}
