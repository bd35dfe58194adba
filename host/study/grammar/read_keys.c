/* Reads a section of a study by the rows of its keys (keys.h) and of the rules between them
 * (lists/rules.def). */
#include "keys.h"
#include "reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_KEYS = 64, MOST_WORDS = 32, LEAST_PER_CENT = 2 };

/* ---- values */

static int words_of(const omr_key *key, const char *names[MOST_WORDS]) {
  int count = 0;
  while (count < MOST_WORDS && (names[count] = omr_key_word(key, count)) != NULL) count++;
  return count;
}

static bool is_within(const omr_key *key, double value) {
  const bool above = key->open_low ? value > key->low : value >= key->low,
             below = key->open_high ? value < key->high : value <= key->high;
  return above && below;
}

/* "it must be above 0", "it must be from 0 to 0.5", "it must be from 0 to below 1". */
static void print_bounds(const omr_key *key, char *text, size_t size) {
  if (key->expected)
    snprintf(text, size, "%s", key->expected);
  else if (isinf(key->high))
    snprintf(text, size, "it must %s %.9g", key->open_low ? "be above" : "not be below", key->low);
  else
    snprintf(text, size, "it must be from %.9g to %s%.9g", key->low, key->open_high ? "below " : "",
             key->high);
}

static omr_status fail_bounds(omr_reader *reader, const cJSON *item, const omr_key *key,
                              double value) {
  const bool pure = !*key->unit || strcmp(key->unit, "1") == 0;
  char bounds[80], meant[48] = "";
  print_bounds(key, bounds, sizeof bounds);

  /* Whoever writes 95 for a share means 95 %; nobody who writes 1.2 means 1.2 %. */
  if (pure && cJSON_IsNumber(item) && value >= LEAST_PER_CENT && isfinite(key->high) &&
      is_within(key, value / 100))
    snprintf(meant, sizeof meant, "; did you mean \"%.9g %%\"?", value);
  const int digits = omr_digits_apart(value, value > key->high ? key->high : key->low, 9);
  return OMR_MISTAKEN(reader, item, OMR_MISTAKE_RANGE, "is %.*g%s%s; %s%s", digits, value,
                      pure ? "" : " ", pure ? "" : key->unit, bounds, meant);
}

static omr_status read_text(omr_reader *reader, const cJSON *item, const omr_key *key) {
  const char *text = cJSON_GetStringValue(item);
  if (text && (key->kind == OMR_KEY_TEXT || *text)) return OMR_OK;
  return OMR_MISTAKEN(reader, item, OMR_MISTAKE_TYPE, "expected %s", key->expected);
}

omr_status omr_read_value(omr_reader *reader, const cJSON *item, const omr_key *key,
                          double *value) {
  const char *names[MOST_WORDS];
  int word = 0;
  bool flag = false;

  /* Texts and names leave the number as it is; words and flags are stored as numbers. */
  switch (key->kind) {
  case OMR_KEY_WHOLE: return omr_read_whole(reader, item, key->low, key->high, value);
  case OMR_KEY_QUANTITY:
    OMR_TRY(omr_read_quantity(reader, item, *key->unit ? key->unit : "1", value));
    return is_within(key, *value) ? OMR_OK : fail_bounds(reader, item, key, *value);
  case OMR_KEY_WORD:
    OMR_TRY(omr_read_word(reader, item, names, (size_t)words_of(key, names), &word));
    *value = word;
    return OMR_OK;
  case OMR_KEY_FLAG:
    OMR_TRY(omr_read_flag(reader, item, &flag));
    *value = flag;
    return OMR_OK;
  case OMR_KEY_TEXT:
  case OMR_KEY_NAME: return read_text(reader, item, key);
  case OMR_KEY_OTHER: break;
  }

  return OMR_OK;
}

/* ---- members */

static omr_status store(omr_reader *reader, const omr_key *key, const cJSON *item, double value,
                        void *to) {
  if (key->type == OMR_KEY_NOWHERE) return OMR_OK;
  void *member = (char *)to + key->offset;
  switch (key->type) {
  case OMR_KEY_INT: *(int *)member = (int)value; break;
  case OMR_KEY_SIZE: *(size_t *)member = (size_t)value; break;
  case OMR_KEY_DOUBLE: *(double *)member = value; break;
  case OMR_KEY_BOOL: *(bool *)member = value != 0; break;
  case OMR_KEY_NOT: *(bool *)member = value == 0; break;
  case OMR_KEY_STRING:
    *(char **)member = item ? strdup(item->valuestring) : NULL;
    return item && !*(char **)member ? omr_fail_memory(reader) : OMR_OK;
  case OMR_KEY_NOWHERE: break;
  }
  return OMR_OK;
}

static omr_status read_key(omr_reader *reader, const cJSON *object, const omr_key *key, void *to) {
  const cJSON *item = object ? omr_json_get(object, key->name) : NULL;
  double value = key->number;
  if (key->type == OMR_KEY_NOWHERE && key->kind != OMR_KEY_TEXT && key->kind != OMR_KEY_NAME)
    return OMR_OK;
  if (item) OMR_TRY(omr_read_value(reader, item, key, &value));
  return store(reader, key, item, value, to);
}

omr_status omr_read_member(omr_reader *reader, const cJSON *object, omr_section section,
                           const char *name, double *value) {
  const cJSON *item = object ? omr_json_get(object, name) : NULL;
  return item ? omr_read_value(reader, item, omr_find_key(section, name), value) : OMR_OK;
}

/* ---- rules */

const omr_key_rule omr_key_rules[] = {
#define RULE(section, key, values, by, bys, why) {OMR_SECTION_##section, key, values, by, bys, why},
#include "../../lists/rules.def"
#undef RULE
};
const int omr_key_rule_count = sizeof omr_key_rules / sizeof *omr_key_rules;

/* The number, or the index of the word, that a section holds for a key. */
static double value_of(const omr_key *key, const void *in) {
  const void *member = (const char *)in + key->offset;
  switch (key->type) {
  case OMR_KEY_INT: return *(const int *)member;
  case OMR_KEY_SIZE: return (double)*(const size_t *)member;
  case OMR_KEY_DOUBLE: return *(const double *)member;
  case OMR_KEY_BOOL: return *(const bool *)member;
  case OMR_KEY_NOT: return !*(const bool *)member;
  case OMR_KEY_STRING:
  case OMR_KEY_NOWHERE: break;
  }
  return key->number;
}

/* Whether the value of a key is one of `values`: bits of words, or OMR_GIVEN and the like. */
static bool is_one_of(const cJSON *object, const omr_key *key, const void *in, unsigned values) {
  const bool given = omr_json_get(object, key->name) != NULL;
  const double value = value_of(key, in);
  if (values == OMR_GIVEN) return given;
  if (values == OMR_CHANGED || values == OMR_UNCHANGED) {
    const bool changed = key->type == OMR_KEY_NOWHERE ? given : value != key->number;
    return changed == (values == OMR_CHANGED);
  }
  return values >> (int)value & 1;
}

omr_status omr_check_rules(omr_reader *reader, const cJSON *object, omr_section section,
                           const void *in) {
  for (int r = 0; object && r < omr_key_rule_count; r++) {
    const omr_key_rule *a = &omr_key_rules[r];
    if (a->section != section || !is_one_of(object, omr_find_key(section, a->key), in, a->values) ||
        !is_one_of(object, omr_find_key(section, a->by), in, a->bys))
      continue;
    return OMR_REFUSE(reader, omr_json_get(object, a->key), "%s", a->why);
  }
  return OMR_OK;
}

/* ---- sections */

omr_status omr_check_section(omr_reader *reader, const cJSON *object, omr_section section,
                             const char *const *more, size_t more_count) {
  const omr_key_list *list = &omr_key_lists[section];
  const char *names[MOST_KEYS];
  size_t count = 0;
  for (int k = 0; k < list->count; k++) names[count++] = list->keys[k].name;
  for (size_t m = 0; m < more_count && count < MOST_KEYS; m++) names[count++] = more[m];
  return omr_json_check_keys(&reader->json, object, names, count, reader->error);
}

omr_status omr_read_keys(omr_reader *reader, const cJSON *object, omr_section section, void *to) {
  const omr_key_list *list = &omr_key_lists[section];
  if (object) OMR_TRY(omr_check_section(reader, object, section, NULL, 0));
  for (int k = 0; k < list->count; k++) OMR_TRY(read_key(reader, object, &list->keys[k], to));

  /* Wrong values are reported before missing keys. */
  for (int k = 0; object && k < list->count; k++) {
    const omr_key *key = &list->keys[k];
    if (key->example && !omr_json_get(object, key->name))
      return omr_json_missing(&reader->json, object, key->name, key->example, reader->error);
  }
  return OMR_OK;
}

omr_status omr_read_section(omr_reader *reader, const cJSON *parent, omr_section section, void *to,
                            const cJSON **object) {
  OMR_TRY(omr_read_object(reader, parent, omr_key_lists[section].name, object));
  OMR_TRY(omr_read_keys(reader, *object, section, to));
  return omr_check_rules(reader, *object, section, to);
}

/* ---- words among the parameters */

/* The key after the prefix; NULL: the path has another prefix, or more keys. */
static const char *last_of(const char *path, const char *prefix) {
  const size_t length = strlen(prefix);
  if (strncmp(path, prefix, length) != 0 || strchr(path + length, '.')) return NULL;
  return path + length;
}

bool omr_word_belongs(const omr_key *word, omr_model model) {
  return omr_parameter_belongs(&(omr_parameter){.flags = word->models}, model);
}

omr_status omr_read_words(omr_reader *reader, const cJSON *object, const char *prefix) {
  const omr_key_list *list = &omr_key_lists[OMR_SECTION_WORDS];
  for (int k = 0; k < list->count; k++) {
    omr_key word = list->keys[k];
    word.name = last_of(word.name, prefix);
    if (word.name && omr_word_belongs(&word, reader->study->model))
      OMR_TRY(read_key(reader, object, &word, reader->study));
  }
  return OMR_OK;
}

omr_status omr_check_law_words(omr_reader *reader, const cJSON *contact) {
  const omr_key_list *list = &omr_key_lists[OMR_SECTION_WORDS];
  for (int k = 0; k < list->count; k++) {
    const omr_key *word = &list->keys[k];
    const char *name = last_of(word->name, "contact.");
    const cJSON *item = name ? omr_json_get(contact, name) : NULL;
    if (!item || !word->laws || word->laws >> reader->study->contact.law & 1) continue;

    /* The message names the laws that the word belongs to. */
    char laws[160] = "";
    for (unsigned left = word->laws; left; left &= left - 1) {
      const char *between = !*laws ? "" : left & (left - 1) ? ", " : " or ";
      omr_print_more(laws, sizeof laws, "%s%s", between, omr_law_kinds[__builtin_ctz(left)].name);
    }
    return OMR_REFUSE(reader, item, "\"%s\" belongs to the law %s; here it is %s", name, laws,
                      omr_law_kinds[reader->study->contact.law].name);
  }
  return OMR_OK;
}
