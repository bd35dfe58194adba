/* Measured runs, how parameters are fitted to them and how a run is planned, in the schema of study
 * files. */
#include "../lists/observables.h"
#include "../study/measured/measured.h"
#include "schema.h"

#include <string.h>

static cJSON *factor_of(cJSON *defs, const omr_key *key) {
  if (strcmp(key->name, "factor") != 0) return NULL;
  cJSON *part = omr_schema_quantity(defs, "1");
  omr_tree_add(part, "not", omr_schema_make("{'const': 0}"));
  return part;
}

cJSON *omr_schema_column(cJSON *defs) {
  return omr_schema_either(omr_schema_make("{'type': 'string'}"),
                           omr_schema_section(defs, OMR_SECTION_REPLAY_COLUMN, factor_of));
}

static bool is_first_name(const char *name) {
  for (int i = 0; i < OMR_VS_COUNT + OMR_WS_COUNT; i++)
    if (strcmp(name, omr_measured_info(OMR_FRAME_Y_UP, i).name) == 0) return true;
  return false;
}

/* Samples of the vehicle (from 0) and of wheels (from OMR_VS_COUNT) by their names in every frame,
 * each name once. */
static cJSON *samples(int first) {
  cJSON *part = cJSON_CreateObject();
  for (int i = first; i < OMR_VS_COUNT + OMR_WS_COUNT; i++)
    for (int f = 0; f < OMR_FRAMES; f++) {
      const omr_sample_info info = omr_measured_info((omr_frame_kind)f, i);
      if (f > 0 && is_first_name(info.name)) continue;
      omr_schema_word(part, info.name, info.meaning);
    }
  return part;
}

/* Each family once. */
static cJSON *families(void) {
  cJSON *part = omr_schema_make("{'type': 'array', 'minItems': 1, 'uniqueItems': true}"),
        *items = omr_tree_object(part, "items");
#define X(id, word, numbers, meaning) omr_schema_word(items, word, meaning);
#include "../lists/manoeuvres.def"
#undef X
  return part;
}

/* A list of objects that have the keys of a section. */
static cJSON *list_of(cJSON *items, int most) {
  cJSON *part = omr_schema_make("{'type': 'array', 'minItems': 1, 'maxItems': %d}", most);
  omr_tree_add(part, "items", items);
  return part;
}

/* If a member is one of `words`, others are there; else, where it is given, `not_there` is not. */
static void add_rule(cJSON *rules, const char *key, cJSON *words, const char *there,
                     const char *not_there) {
  cJSON *rule = omr_tree_row(rules);
  cJSON *condition = omr_schema_make("{'required': ['%s']}", key);
  omr_tree_add(omr_tree_object(condition, "properties"), key, words);
  omr_tree_add(rule, "if", condition);
  omr_tree_add(rule, "then", omr_schema_make("{'required': [%s]}", there));
  if (not_there) omr_tree_add(rule, "else", omr_schema_make("{'properties': {%s}}", not_there));
}

static cJSON *unknown_of(cJSON *defs, const omr_key *key) {
  for (int kind = 0; kind < OMR_UNKNOWNS; kind++)
    if (strcmp(key->name, omr_unknown_list[kind].key) == 0) {
      cJSON *unknown = omr_schema_unknown(
          defs, *omr_unknown_list[kind].unit ? omr_unknown_list[kind].unit : NULL);
      return kind == OMR_UNKNOWN_START_ERROR
                 ? omr_schema_either(unknown, omr_schema_make("{'const': 0}"))
                 : unknown;
    }
  return NULL;
}

static cJSON *of_measured(cJSON *defs, const omr_key *key) {
  if (strcmp(key->name, "column") == 0) return omr_schema_column(defs);
  return strcmp(key->name, "sample") == 0 ? samples(0) : unknown_of(defs, key);
}

static cJSON *measured_of(cJSON *defs) {
  cJSON *section = omr_schema_section(defs, OMR_SECTION_DATA_MEASURED, of_measured);
  omr_schema_require(section, "noise");
  cJSON *rules = omr_tree_list(section, "allOf"), *wheels = samples(OMR_VS_COUNT);
  cJSON_DeleteItemFromObject(wheels, "enumDescriptions");
  add_rule(rules, "sample", wheels, "'wheel'", "'wheel': false");
  add_rule(rules, "compare", omr_schema_make("{'const': 'orders'}"), "'against', 'orders'",
           "'orders': false");
  add_rule(rules, "compare", omr_schema_make("{'const': 'bins'}"), "'against', 'edges'",
           "'edges': false");
  add_rule(rules, "compare", omr_schema_make("{'enum': ['orders', 'bins']}"), "'against'",
           "'against': false");
  return section;
}

static cJSON *of_excite(cJSON *defs, const omr_key *key) {
  (void)defs;
  return strcmp(key->name, "families") == 0 ? families() : NULL;
}

cJSON *omr_schema_excite(cJSON *defs) {
  return omr_schema_section(defs, OMR_SECTION_EXCITE, of_excite);
}

static cJSON *of_data(cJSON *defs, const omr_key *key) {
  if (strcmp(key->name, "time") == 0) return omr_schema_column(defs);
  if (strcmp(key->name, "measured") == 0) return list_of(measured_of(defs), OMR_MOST_MEASURED);
  if (strcmp(key->name, "runs") != 0) return unknown_of(defs, key);
  return list_of(omr_schema_section(defs, OMR_SECTION_DATA_RUN, NULL), 10000);
}

cJSON *omr_schema_data(cJSON *defs) {
  cJSON *section = omr_schema_section(defs, OMR_SECTION_DATA, of_data);
  omr_tree_add(section, "if", omr_schema_make("{'required': ['runs']}"));
  omr_tree_add(
      section, "then",
      omr_schema_make("{'properties': {'measured': {'items': {'required': ['column']}}}}"));
  return section;
}
