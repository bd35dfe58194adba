/* Hints for words that a study does not know but its writer does. */
#include "hints.h"
#include "../../lists/parameters.h"
#include "keys.h"

#include <stdio.h>
#include <string.h>

static bool has_word(const omr_synonym *row, const char *word) {
  const size_t length = strlen(word);
  for (const char *at = row->words; *at; at += strspn(at, " ")) {
    const size_t next = strcspn(at, " ");
    if (next == length && strncmp(at, word, length) == 0) return true;
    at += next;
  }
  return false;
}

/* The first row for the word whose meaning is known here. */
static const char *hint_in(const omr_synonym *rows, const char *word, const char *const *known,
                           size_t count) {
  for (; rows->words; rows++)
    if (has_word(rows, word) && omr_is_among(rows->known, known, count)) return rows->hint;
  return NULL;
}

const char *omr_word_hint(const char *word, const char *const *known, size_t count) {
  return hint_in(omr_synonyms_of_words, word, known, count);
}

/* Whether a path begins with `key`. */
static bool begins(const char *path, const char *key) {
  const size_t length = strlen(key);
  return strncmp(path, key, length) == 0 && (path[length] == '.' || path[length] == '\0');
}

static bool is_parameter(const char *key) {
  if (strcmp(key, "wheel") == 0 || strcmp(key, "wheels") == 0) return true;
  for (int i = 0; i < OMR_VP_COUNT; i++)
    if (*key && begins(omr_vehicle_parameters[i].path, key)) return true;
  return false;
}

static bool is_wheel_parameter(const char *key) {
  for (int i = 0; i < OMR_WP_COUNT; i++)
    if (begins(omr_wheel_parameters[i].path, key)) return true;
  return false;
}

/* Of the law of contact, and a number that each wheel has. */
static bool is_wheel_contact(const char *key) {
  for (int i = 0; i < OMR_WP_COUNT; i++)
    if (strncmp(omr_wheel_parameters[i].path, "contact.", 8) == 0 &&
        strcmp(omr_wheel_parameters[i].path + 8, key) == 0)
      return true;
  return false;
}

const char *omr_key_hint(const char *key, const char *const *known, size_t count) {
  const char *hint = hint_in(omr_synonyms_of_keys, key, known, count);
  if (hint) return hint;
  if (omr_is_among("statistics", known, count) && omr_find_key(OMR_SECTION_STATISTICS, key))
    return "it stands in \"statistics\"";
  if (omr_is_among("parameters", known, count) && is_parameter(key) && is_wheel_parameter(key))
    return "it stands in \"parameters\", or there in \"wheel\" (--set parameters.wheel.NAME=VALUE)";
  if (omr_is_among("parameters", known, count) && is_parameter(key))
    return "it stands in \"parameters\" (--set parameters.NAME=VALUE)";
  if (omr_is_among("parameters", known, count) && is_wheel_parameter(key))
    return "it stands in \"parameters\", \"wheel\" (--set parameters.wheel.NAME=VALUE)";
  if (omr_is_among("law", known, count) && is_wheel_contact(key))
    return "it stands in \"wheel\": {\"contact\": {...}}";
  if (omr_is_among("wheel", known, count) && is_wheel_parameter(key))
    return "it stands in \"wheel\", or in one of \"wheels\"";
  return NULL;
}

/* Whether the path has the words of the key and begins with a part that is known here. */
static bool is_path_of(const char *key, const char *path, const char *const *known, size_t count) {
  char first[32];
  const size_t length = strcspn(path, ".");
  if (!path[length] || length >= sizeof first || !omr_same_words(key, path)) return false;
  snprintf(first, sizeof first, "%.*s", (int)length, path);
  return omr_is_among(first, known, count);
}

/* The path as nested objects: write "motor": {"resistance": ...}. */
static void nest(const char *path, char *text, size_t size) {
  size_t depth = 0;
  snprintf(text, size, "write ");
  for (const char *at = path;; depth++) {
    const size_t part = strcspn(at, ".");
    omr_print_more(text, size, "\"%.*s\": %s", (int)part, at, at[part] ? "{" : "...");
    if (!at[part]) break;
    at += part + 1;
  }
  while (depth-- > 0) omr_print_more(text, size, "}");
}

bool omr_path_hint(const char *key, const char *const *known, size_t count, char *text,
                   size_t size) {
  char path[96];

  /* Parameters of wheels are written below "wheel", or within a wheel. */
  for (int i = 0; i < OMR_WP_COUNT; i++) {
    snprintf(path, sizeof path, "wheel.%s", omr_wheel_parameters[i].path);
    if (is_path_of(key, path, known, count)) return nest(path, text, size), true;
    if (!is_path_of(key, path + 6, known, count)) continue;
    return nest(path + 6, text, size), true;
  }

  /* Parameters of vehicles. */
  for (int i = 0; i < OMR_VP_COUNT; i++)
    if (is_path_of(key, omr_vehicle_parameters[i].path, known, count))
      return nest(omr_vehicle_parameters[i].path, text, size), true;

  /* Keys of a study's sections. */
  for (int i = 0; i < OMR_SECTIONS; i++)
    for (int j = 0; j < omr_key_lists[i].count; j++) {
      snprintf(path, sizeof path, "%s.%s", omr_key_lists[i].name, omr_key_lists[i].keys[j].name);
      if (is_path_of(key, path, known, count)) return nest(path, text, size), true;
    }
  return false;
}

bool omr_key_means(const char *key, const char *name) {
  if (strcmp(key, name) == 0) return true;
  for (const omr_synonym *row = omr_synonyms_of_keys; row->words; row++)
    if (has_word(row, key) && strcmp(row->known, name) == 0) return true;
  return false;
}
