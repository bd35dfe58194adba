/* Values in the schema of study files: quantities, words, numbers within bounds. */
#include "../lists/kinds.h"
#include "schema.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

cJSON *omr_schema_make(const char *format, ...) {
  char text[OMR_SCHEMA_TEXT];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  for (char *at = text; (at = strchr(at, '\''));) *at = '"';
  return cJSON_Parse(text);
}

cJSON *omr_schema_list(cJSON *part, const char *name) {
  cJSON *list = cJSON_GetObjectItem(part, name);
  return list ? list : omr_tree_list(part, name);
}

void omr_schema_word(cJSON *part, const char *word, const char *meaning) {
  omr_tree_append(omr_schema_list(part, "enum"), cJSON_CreateString(word));
  if (meaning)
    omr_tree_append(omr_schema_list(part, "enumDescriptions"), cJSON_CreateString(meaning));
}

cJSON *omr_schema_refer(const char *name) {
  return omr_schema_make("{'$ref': '#/$defs/%s'}", name);
}

cJSON *omr_schema_get(cJSON *object, const char *key) {
  return cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItem(object, "properties"), key);
}

cJSON *omr_schema_object(void) {
  return omr_schema_make("{'type': 'object', 'properties': {}, 'additionalProperties': false}");
}

void omr_schema_member(cJSON *object, const char *key, cJSON *part) {
  cJSON *properties = cJSON_GetObjectItem(object, "properties");
  if (properties)
    omr_tree_add(properties, key, part);
  else
    omr_tree_add(object, key, part);
}

void omr_schema_place(cJSON *object, const char *path, cJSON *part) {
  const char *dot = strchr(path, '.');
  if (!dot) {
    omr_schema_member(object, path, part);
    return;
  }
  char key[OMR_SCHEMA_PATH];
  snprintf(key, sizeof key, "%.*s", (int)(dot - path), path);
  if (!omr_schema_get(object, key)) omr_schema_member(object, key, omr_schema_object());
  omr_schema_place(omr_schema_get(object, key), dot + 1, part); /* NULL: out of memory */
}

void omr_schema_name(char *name, size_t size, const char *first, const char *second) {
  const int length = snprintf(name, size, "%s_%s", first, second);
  for (int i = 0; i < length && (size_t)i + 1 < size; i++)
    if (!isalnum((unsigned char)name[i])) name[i] = '_';
}

void omr_schema_describe(cJSON *part, const char *meaning, const char *unit, const char *standard) {
  char text[OMR_SCHEMA_TEXT];
  const bool has_unit = *unit && strcmp(unit, "1") != 0;
  if (strcmp(standard, "none") == 0 || strcmp(standard, "{}") == 0) standard = "";
  snprintf(text, sizeof text, "%s%s%s%s%s%s%s", meaning, has_unit || *standard ? " (" : "",
           has_unit ? unit : "", has_unit && *standard ? "; " : "", *standard ? "default: " : "",
           standard, has_unit || *standard ? ")" : "");
  omr_tree_text(part, "description", text);
}

cJSON *omr_schema_kinds(const omr_kind *kinds, int first, int count) {
  cJSON *part = cJSON_CreateObject();
  for (int i = first; i < count; i++) omr_schema_word(part, kinds[i].name, kinds[i].meaning);
  return part;
}

static const struct unit {
  const char *unit, *what, *remedy, *example, *words[8];
} units[] = {
#define X(unit, what, remedy, example, per_angle, ...) {unit, what, remedy, example, {__VA_ARGS__}},
#include "../lists/units.def"
#undef X
};
enum { UNITS = sizeof units / sizeof *units };

static bool lists(const struct unit *unit, const char *word) {
  for (const char *const *own = unit->words; *own; own++)
    if (strcmp(*own, word) == 0) return true;
  return false;
}

/* A decimal number and a unit, which is none of those that belong to other quantities: any unit may
 * be a product that comes to the right one. */
static void print_pattern(char *text, size_t size, const struct unit *unit, bool pure) {
  snprintf(text, size, "^[ \\t]*[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?[ \\t]*");
  for (int i = 0, others = 0; unit && i < UNITS; i++)
    for (const char *const *word = units[i].words; *word; word++)
      if (!lists(unit, *word)) omr_print_more(text, size, "%s%s", others++ ? "|" : "(?!(", *word);
  omr_print_more(text, size, "%s((?![eE][+-]?[0-9])(1 ?/|[^-0-9.,+ \\t]).*)%s$",
                 unit ? ")[ \\t]*$)" : "", pure ? "?" : "");
}

cJSON *omr_schema_quantity(cJSON *defs, const char *unit) {
  char name[OMR_SCHEMA_PATH], pattern[OMR_SCHEMA_TEXT], text[160];
  const bool pure = strcmp(unit, "1") == 0;

  /* The table lists common units, each with an example. */
  const struct unit *known = NULL;
  for (int i = 0; i < UNITS; i++)
    if (strcmp(units[i].unit, unit) == 0) known = &units[i];
  omr_schema_name(name, sizeof name, "quantity", pure ? "pure" : unit);

  /* The definition is made once for each unit. */
  if (!cJSON_GetObjectItemCaseSensitive(defs, name)) {
    cJSON *part = omr_schema_make("{'type': ['number', 'string']}");
    print_pattern(pattern, sizeof pattern, known, pure);
    snprintf(text, sizeof text, "%s%s%s: a number%s%s, or a text with number and unit%s%s",
             known ? known->what : "a quantity in ", known ? "" : unit, "", pure ? "" : " in ",
             pure ? "" : unit, known ? ": " : "", known ? known->remedy : "");
    omr_tree_text(part, "description", text);
    omr_tree_text(part, "pattern", pattern);
    if (known) omr_tree_append(omr_tree_list(part, "examples"), cJSON_CreateString(known->example));
    omr_tree_add(defs, name, part);
  }
  return omr_schema_refer(name);
}

cJSON *omr_schema_parameter(cJSON *defs, const omr_parameter *parameter) {
  cJSON *part = omr_schema_quantity(defs, parameter->unit);
  if (parameter->flags & OMR_P_SLOPE)
    part = omr_schema_either(omr_schema_make("{'type': 'string', 'pattern': '^[ "
                                             "\\\\t]*[+-]?([0-9]+\\\\.?[0-9]*|\\\\.[0-9]+)([eE][+-]"
                                             "?[0-9]+)?[ \\\\t]*%%[ \\\\t]*$'}"),
                             part);
  char standard[32] = "";
  if (isfinite(parameter->standard))
    snprintf(standard, sizeof standard, "%.6g", parameter->standard);
  omr_schema_describe(part, parameter->meaning, parameter->unit, standard);
  if (isfinite(parameter->low))
    omr_tree_number(part, parameter->flags & OMR_P_OPEN_LOW ? "exclusiveMinimum" : "minimum",
                    parameter->low);
  if (isfinite(parameter->high)) omr_tree_number(part, "maximum", parameter->high);
  if (parameter->flags & OMR_P_INTEGER) omr_tree_number(part, "multipleOf", 1);
  return part;
}

static cJSON *words_of(const char *const *words) {
  cJSON *part = cJSON_CreateObject();
  for (; *words; words++) omr_schema_word(part, *words, NULL);
  return part;
}

/* A number within the bounds of a key. */
static cJSON *number_of(cJSON *defs, const omr_key *key) {
  cJSON *part = key->kind == OMR_KEY_WHOLE
                    ? omr_schema_make("{'type': 'integer'}")
                    : omr_schema_quantity(defs, *key->unit ? key->unit : "1");
  if (isfinite(key->low))
    omr_tree_number(part, key->open_low ? "exclusiveMinimum" : "minimum", key->low);
  if (key->kind == OMR_KEY_WHOLE ? !key->open_high : isfinite(key->high))
    omr_tree_number(part, key->open_high ? "exclusiveMaximum" : "maximum", key->high);
  return part;
}

cJSON *omr_schema_key(cJSON *defs, const omr_key *key) {
  if (key->json) return cJSON_Parse(key->json);
  switch (key->kind) {
  case OMR_KEY_WHOLE:
  case OMR_KEY_QUANTITY: return number_of(defs, key);
  case OMR_KEY_WORD:
    return key->kinds ? omr_schema_kinds(key->kinds, 0, key->count) : words_of(key->words);
  case OMR_KEY_FLAG: return omr_schema_make("{'type': 'boolean'}");
  case OMR_KEY_NAME: return omr_schema_make("{'type': 'string', 'minLength': 1}");
  case OMR_KEY_TEXT: return omr_schema_make("{'type': 'string'}");
  case OMR_KEY_OTHER: break;
  }
  return cJSON_CreateObject();
}

void omr_schema_keys(cJSON *object, cJSON *defs, omr_section section, omr_schema_part *own) {
  const omr_key_list *list = &omr_key_lists[section];
  for (int k = 0; k < list->count; k++) {
    const omr_key *key = &list->keys[k];
    cJSON *part = own ? own(defs, key) : NULL;
    if (!part) part = omr_schema_key(defs, key);
    omr_schema_describe(part, key->meaning, key->unit,
                        strncmp(key->standard, "required", 8) ? key->standard : "");
    omr_schema_member(object, key->name, part);
    if (key->example) omr_schema_require(object, key->name);
  }
}

cJSON *omr_schema_section(cJSON *defs, omr_section section, omr_schema_part *own) {
  cJSON *part = omr_schema_object();
  omr_schema_keys(part, defs, section, own);
  return part;
}

cJSON *omr_schema_either(cJSON *one, cJSON *other) {
  cJSON *part = cJSON_CreateObject(), *any = omr_tree_list(part, "anyOf");
  omr_tree_append(any, one);
  omr_tree_append(any, other);
  return part;
}

void omr_schema_require(cJSON *object, const char *key) {
  cJSON *list = omr_schema_list(object, "required"), *item;
  cJSON_ArrayForEach(item, list) if (strcmp(item->valuestring, key) == 0) return;
  omr_tree_append(list, cJSON_CreateString(key));
}

/* The object part after "properties" down to the member at a path, all of it a condition. */
static void nest(cJSON *part, const char *path, bool required, cJSON *leaf) {
  const char *dot = strchr(path, '.');
  char key[OMR_SCHEMA_PATH];
  snprintf(key, sizeof key, "%.*s", (int)strcspn(path, "."), path);

  /* The object on the way is made when it is missing. */
  cJSON *properties = cJSON_GetObjectItem(part, "properties");
  if (!properties) properties = omr_tree_object(part, "properties");
  if (required) omr_schema_require(part, key);

  /* The last name takes the leaf, unless it has one already. */
  cJSON *below = cJSON_GetObjectItemCaseSensitive(properties, key);
  if (!dot && below) cJSON_Delete(leaf); /* said before */
  if (!dot && !below) omr_tree_add(properties, key, leaf);

  /* Every other name leads one level down. */
  if (dot) nest(below ? below : omr_tree_object(properties, key), dot + 1, required, leaf);
}

cJSON *omr_schema_when(cJSON *part, const char *path, const char *word, bool standard) {
  cJSON *rule = omr_tree_row(omr_schema_list(part, "allOf")),
        *condition = omr_tree_object(rule, "if"),
        *leaf = word ? cJSON_CreateObject() : cJSON_CreateTrue();
  if (word) omr_tree_text(leaf, "const", word);
  nest(condition, path, !standard, leaf);
  return omr_tree_object(rule, "then");
}

void omr_schema_refuse(cJSON *then, const char *path) {
  nest(then, path, false, cJSON_CreateFalse());
}

void omr_schema_require_at(cJSON *then, const char *path) {
  nest(then, path, true, cJSON_CreateTrue());
}

void omr_schema_refuse_of_wheels(cJSON *then, const char *path) {
  char name[OMR_SCHEMA_PATH];
  snprintf(name, sizeof name, "wheel.%s", path);
  omr_schema_refuse(then, name);
  cJSON *properties = cJSON_GetObjectItem(then, "properties"),
        *wheels = omr_schema_get(then, "wheels");
  omr_schema_refuse(wheels ? cJSON_GetObjectItem(wheels, "items")
                           : omr_tree_object(omr_tree_object(properties, "wheels"), "items"),
                    path);
}

const char *omr_schema_name_in(omr_frame_kind frame, omr_model model, bool per_wheel, int index) {
  const omr_parameter row = omr_framed_parameter(frame, per_wheel, index);
  const int count = per_wheel ? OMR_WP_COUNT : OMR_VP_COUNT;
  if (!omr_parameter_belongs(&row, model)) return NULL;
  for (int i = 0; frame != OMR_FRAME_Y_UP && i < count; i++) {
    const omr_parameter first = omr_framed_parameter(OMR_FRAME_Y_UP, per_wheel, i);
    if (omr_parameter_belongs(&first, model) && strcmp(first.path, row.path) == 0) return NULL;
  }
  return row.path;
}
