/* The section "system" of a multibody study in the schema of study files. */
#include "../study/system/graph.h"
#include "schema.h"

#include <string.h>

/* Members of any name, each such a part. */
static cJSON *named(const char *part) {
  return omr_schema_make("{'type': 'object', 'additionalProperties': {'$ref': '#/$defs/%s'}}",
                         part);
}

static cJSON *numbers(int count) {
  return omr_schema_make("{'type': 'array', 'items': {'$ref': '#/$defs/system_number'}, "
                         "'minItems': %d, 'maxItems': %d}",
                         count, count);
}

static cJSON *words_of(const char *words) {
  cJSON *part = cJSON_CreateObject();
  for (const char *at = words; *at;) {
    char word[64];
    const size_t length = strcspn(at, " ");
    snprintf(word, sizeof word, "%.*s", (int)length, at);
    omr_schema_word(part, word, NULL);
    at += length + (at[length] == ' ');
  }
  return part;
}

static cJSON *value_of(const omr_graph_key_row *row) {
  switch (row->type) {
  case OMR_GRAPH_NUMBER:
  case OMR_GRAPH_LAW: return omr_schema_refer("system_number");
  case OMR_GRAPH_VECTOR:
  case OMR_GRAPH_LAWS: return numbers(3);
  case OMR_GRAPH_BODY: return omr_schema_make("{'type': 'string'}");
  case OMR_GRAPH_MOTIONS:
    return omr_schema_make("{'type': 'array', 'items': {'type': ['number', 'string', 'null']}, "
                           "'minItems': 3, 'maxItems': 3}");
  default: return words_of(row->unit);
  }
}

/* Members that all elements of a class have in addition to their keys. */
static void add_common(cJSON *part, omr_graph_class class) {
  if (class != OMR_GRAPH_SHAPE)
    omr_schema_member(part, "meaning", omr_schema_make("{'type': 'string'}"));
  if (class == OMR_GRAPH_SHAPE || class == OMR_GRAPH_MEASURE) return;
  omr_schema_member(
      part, "between",
      omr_schema_make(
          "{'type': 'array', 'items': {'type': 'string'}, 'minItems': 2, 'maxItems': 2}"));
}

static cJSON *kind_part(omr_graph_kind kind) {
  const omr_graph_kind_row *row = &omr_graph_kind_rows[kind];
  cJSON *part = omr_schema_object();

  /* The part begins with the word that names the kind. */
  omr_schema_describe(part, row->meaning, "", "");
  omr_schema_member(part, omr_graph_kind_keys[row->class],
                    omr_schema_make("{'const': '%s'}", row->word));
  add_common(part, row->class);

  /* A contact of surfaces lists its two shapes. */
  if (kind == OMR_GRAPH_KIND_CONTACT_SURFACE)
    omr_schema_member(part, "surfaces",
                      omr_schema_make("{'type': 'array', 'items': {'$ref': "
                                      "'#/$defs/system_shapes'}, 'minItems': 2, 'maxItems': 2}"));

  /* The other keys come from the table of keys; one without a default is required. */
  for (int k = 0; k < OMR_GRAPH_KEYS; k++) {
    const omr_graph_key_row *key = &omr_graph_key_rows[k];
    if (!omr_graph_has_key(kind, (omr_graph_key)k)) continue;
    cJSON *value = value_of(key);
    omr_schema_describe(value, key->meaning, key->type == OMR_GRAPH_WORD ? "" : key->unit,
                        key->standard ? key->standard : "");
    omr_schema_member(part, key->name, value);
    if (!key->standard) omr_schema_require(part, key->name);
  }
  return part;
}

static void add_class(cJSON *defs, omr_graph_class class) {
  char name[64];
  cJSON *part = cJSON_CreateObject(), *any = omr_tree_list(part, "anyOf");
  for (int k = 0; k < OMR_GRAPH_KINDS; k++)
    if (omr_graph_kind_rows[k].class == class) omr_tree_append(any, kind_part((omr_graph_kind)k));
  snprintf(name, sizeof name, "system_%s", omr_graph_sections[class]);
  omr_tree_add(defs, name, part);
}

/* A member of the system, a class, a group or a body by its form. */
static cJSON *member_part(const char *key, const char *form) {
  /* An object holds members of one kind, by its key. */
  if (strncmp(form, "object of ", 10) == 0) {
    char part[64];
    if (strcmp(key, "ports") == 0)
      return omr_schema_make("{'type': 'object', 'additionalProperties': {'type': 'string'}}");
    if (strcmp(key, "samples") == 0) return named("system_sample");
    if (strcmp(key, "with") == 0) return named("system_number");
    if (strcmp(key, "parameters") == 0) return named("system_default");
    snprintf(part, sizeof part, "system_%s", key);
    return named(part);
  }

  /* Lists and rotations have fixed forms. */
  if (strncmp(form, "three or six", 12) == 0)
    return omr_schema_make("{'type': 'array', 'items': {'$ref': '#/$defs/system_number'}, "
                           "'minItems': 3, 'maxItems': 6}");
  if (strncmp(form, "three", 5) == 0) return numbers(3);
  if (strncmp(form, "four", 4) == 0) return numbers(4);
  if (strncmp(form, "rotation", 8) == 0)
    return omr_schema_make("{'anyOf': [{'$ref': '#/$defs/system_turn'}, {'type': 'array', 'items': "
                           "{'$ref': '#/$defs/system_turn'}}]}");
  if (strncmp(form, "list of shapes", 14) == 0)
    return omr_schema_make("{'type': 'array', 'items': {'$ref': '#/$defs/system_shapes'}}");

  /* Everything else is text or a number. */
  return strcmp(form, "text") == 0 ? omr_schema_make("{'type': 'string'}")
                                   : omr_schema_refer("system_number");
}

static cJSON *section_part(const char *where) {
  cJSON *part = omr_schema_object();
#define X(place, key, form, meaning)                                                               \
  if (strcmp(where, place) == 0) {                                                                 \
    cJSON *member = member_part(key, form);                                                        \
    omr_schema_describe(member, meaning, "", "");                                                  \
    omr_schema_member(part, key, member);                                                          \
  }
#include "../lists/keys/system.def"
#undef X
  return part;
}

cJSON *omr_schema_system(cJSON *defs) {
  static const char *const sections[] = {"classes", "groups", "bodies"};
  char name[64];

  /* Numbers, defaults, turns and samples are definitions that many parts use. */
  omr_tree_add(defs, "system_number", omr_schema_make("{'type': ['number', 'string']}"));
  omr_tree_add(defs, "system_default", omr_schema_make("{'type': ['number', 'string', 'null']}"));
  omr_tree_add(defs, "system_turn",
               omr_schema_make("{'type': 'object', 'properties': {'axis': {'type': 'array'}, "
                               "'angle': {'$ref': '#/$defs/system_number'}}, 'required': ['axis', "
                               "'angle'], 'additionalProperties': false}"));
  omr_tree_add(defs, "system_sample",
               omr_schema_make("{'type': ['number', 'string', 'object'], 'properties': {'of': "
                               "{'$ref': '#/$defs/system_number'}, 'meaning': {'type': 'string'}}, "
                               "'required': ['of'], 'additionalProperties': false}"));

  /* Each class of elements and each section has a definition. */
  for (int class = 0; class < OMR_GRAPH_CLASSES; class ++) add_class(defs, (omr_graph_class) class);
  for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
    snprintf(name, sizeof name, "system_%s", sections[i]);
    omr_tree_add(defs, name, section_part(sections[i]));
  }
  return section_part("");
}
