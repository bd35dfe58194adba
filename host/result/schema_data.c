/* Measured runs, how parameters are fitted to them and how a run is planned, in the schema of study
 * files. */
#include "../lists/observables.h"
#include "../study/measured.h"
#include "schema.h"

#include <string.h>

cJSON *omr_schema_column(cJSON *defs) {
  cJSON *part = cJSON_CreateObject(), *any = omr_tree_list(part, "anyOf");
  cJSON *object = omr_schema_object();
#define X(id, key, unit, standard, values, meaning)                                                \
  {                                                                                                \
    cJSON *member =                                                                                \
        *(unit) ? omr_schema_quantity(defs, unit) : omr_schema_values(defs, unit, values);         \
    omr_schema_describe(member, meaning, "", strncmp(standard, "required", 8) ? (standard) : "");  \
    if (strcmp(key, "factor") == 0)                                                                \
      omr_tree_add(member, "not", omr_schema_make("{\"const\": 0}"));                              \
    omr_schema_member(object, key, member);                                                        \
  }
#include "../lists/keys_replay_column.def"
#undef X
  omr_tree_append(omr_tree_list(object, "required"), cJSON_CreateString("column"));
  omr_tree_append(any, omr_schema_make("{\"type\": \"string\"}"));
  omr_tree_append(any, object);
  return part;
}

static bool is_first_name(const char *name) {
  for (int i = 0; i < OMR_VS_COUNT + OMR_WS_COUNT; i++)
    if (strcmp(name, omr_measured_info(OMR_FRAME_Y_UP, i).name) == 0) return true;
  return false;
}

/* Samples of the vehicle (from 0) and of wheels (from OMR_VS_COUNT) by their names in every frame,
 * each name once. */
static cJSON *samples(int first) {
  cJSON *part = cJSON_CreateObject(), *words = omr_tree_list(part, "enum"),
        *meanings = omr_tree_list(part, "enumDescriptions");
  for (int i = first; i < OMR_VS_COUNT + OMR_WS_COUNT; i++)
    for (int f = 0; f < OMR_FRAMES; f++) {
      const omr_sample_info info = omr_measured_info((omr_frame_kind)f, i);
      if (f > 0 && is_first_name(info.name)) continue;
      omr_tree_append(words, cJSON_CreateString(info.name));
      omr_tree_append(meanings, cJSON_CreateString(info.meaning));
    }
  return part;
}

/* A list of numbers, or of texts with a unit. */
static cJSON *numbers(int least, const char *item) {
  cJSON *part = omr_schema_make("{\"type\": \"array\", \"minItems\": %d, \"maxItems\": %d}", least,
                                OMR_MOST_NUMBERS);
  omr_tree_add(part, "items", omr_schema_make("%s", item));
  return part;
}

/* Each family once. */
static cJSON *families(void) {
  cJSON *part = omr_schema_make("{\"type\": \"array\", \"minItems\": 1, \"uniqueItems\": true}"),
        *items = omr_tree_object(part, "items"), *words = omr_tree_list(items, "enum"),
        *meanings = omr_tree_list(items, "enumDescriptions");
#define X(id, word, numbers, meaning)                                                              \
  omr_tree_append(words, cJSON_CreateString(word));                                                \
  omr_tree_append(meanings, cJSON_CreateString(meaning));
#include "../lists/manoeuvres.def"
#undef X
  return part;
}

static cJSON *or_zero(cJSON *whole) {
  cJSON *part = cJSON_CreateObject(), *any = omr_tree_list(part, "anyOf");
  omr_tree_append(any, whole);
  omr_tree_append(any, omr_schema_make("{\"const\": 0}"));
  return part;
}

/* Of a key whose row does not say it: what it takes. */
static cJSON *value_of(cJSON *defs, const char *key, const char *unit, const char *values) {
  if (strcmp(key, "time") == 0 || strcmp(key, "column") == 0) return omr_schema_column(defs);
  if (strcmp(key, "sample") == 0) return samples(0);
  if (strcmp(key, "wheel") == 0)
    return omr_schema_make("{\"type\": \"integer\", \"minimum\": 0, \"maximum\": %d}",
                           OMR_MAX_WHEELS - 1);
  if (strcmp(key, "against") == 0) return omr_schema_make("{\"type\": \"string\"}");
  if (strcmp(key, "orders") == 0)
    return numbers(1, "{\"type\": [\"number\", \"string\"], \"exclusiveMinimum\": 0}");
  if (strcmp(key, "edges") == 0) return numbers(2, "{\"type\": [\"number\", \"string\"]}");
  for (int kind = 0; kind < OMR_UNKNOWNS; kind++)
    if (strcmp(key, omr_unknown_list[kind].key) == 0) {
      cJSON *unknown = omr_schema_unknown(
          defs, *omr_unknown_list[kind].unit ? omr_unknown_list[kind].unit : NULL);
      return kind == OMR_UNKNOWN_START_ERROR ? or_zero(unknown) : unknown;
    }
  if (strcmp(key, "families") == 0) return families();
  if (strcmp(key, "per_run") == 0)
    return omr_schema_make("{\"type\": \"array\", \"minItems\": 1, \"items\": {\"type\": "
                           "\"string\", \"minLength\": 1}}");
  if (strcmp(key, "shared") == 0)
    return omr_schema_make("{\"type\": \"number\", \"minimum\": 0, \"exclusiveMaximum\": 1}");
  if (strcmp(key, "noise") == 0 && *unit) /* in the sample's unit */
    return omr_schema_make("{\"type\": [\"number\", \"string\"], \"exclusiveMinimum\": 0}");
  if (strcmp(key, "file") == 0) return omr_schema_make("{\"type\": \"string\", \"minLength\": 1}");
  if (strcmp(key, "run") == 0 || strcmp(key, "seed") == 0)
    return omr_schema_make("{\"type\": \"integer\", \"minimum\": 0}");
  if (strcmp(unit, "s") != 0) return omr_schema_values(defs, unit, values);
  cJSON *part = omr_schema_quantity(defs, unit);
  if (strncmp(values, "> 0", 3) == 0) omr_tree_number(part, "exclusiveMinimum", 0);
  if (strcmp(values, ">= 0") == 0) omr_tree_number(part, "minimum", 0);
  return part;
}

static void add(cJSON *section, const char *key, cJSON *part, const char *meaning, const char *unit,
                const char *standard) {
  const bool required = strcmp(standard, "required") == 0;
  omr_schema_describe(part, meaning, unit, required ? "" : standard);
  omr_schema_member(section, key, part);
  if (!required) return;
  cJSON *list = cJSON_GetObjectItem(section, "required");
  omr_tree_append(list ? list : omr_tree_list(section, "required"), cJSON_CreateString(key));
}

/* A list of objects. */
static cJSON *list_of(cJSON *items, int most) {
  cJSON *part = omr_schema_make("{\"type\": \"array\", \"minItems\": 1, \"maxItems\": %d}", most);
  omr_tree_add(part, "items", items);
  return part;
}

#define X(id, key, unit, standard, values, meaning)                                                \
  add(section, key, value_of(defs, key, unit, values), meaning, unit, standard);
static cJSON *run_of(cJSON *defs) {
  cJSON *section = omr_schema_object();
#include "../lists/keys_data_run.def"
  return section;
}

/* If a member is one of `words`, others are there; else, where it is given, `not_there` is not. */
static void add_rule(cJSON *rules, const char *key, cJSON *words, const char *there,
                     const char *not_there) {
  cJSON *rule = omr_tree_row(rules);
  cJSON *condition = omr_schema_make("{\"required\": [\"%s\"]}", key);
  omr_tree_add(omr_tree_object(condition, "properties"), key, words);
  omr_tree_add(rule, "if", condition);
  omr_tree_add(rule, "then", omr_schema_make("{\"required\": [%s]}", there));
  if (not_there) omr_tree_add(rule, "else", omr_schema_make("{\"properties\": {%s}}", not_there));
}

static cJSON *measured_of(cJSON *defs) {
  cJSON *section = omr_schema_object();
#include "../lists/keys_data_measured.def"
  cJSON *rules = omr_tree_list(section, "allOf"), *wheels = samples(OMR_VS_COUNT);
  cJSON_DeleteItemFromObject(wheels, "enumDescriptions");
  add_rule(rules, "sample", wheels, "\"wheel\"", "\"wheel\": false");
  add_rule(rules, "compare", omr_schema_make("{\"const\": \"orders\"}"), "\"against\", \"orders\"",
           "\"orders\": false");
  add_rule(rules, "compare", omr_schema_make("{\"const\": \"bins\"}"), "\"against\", \"edges\"",
           "\"edges\": false");
  add_rule(rules, "compare", omr_schema_make("{\"enum\": [\"orders\", \"bins\"]}"), "\"against\"",
           "\"against\": false");
  return section;
}

cJSON *omr_schema_excite(cJSON *defs) {
  cJSON *section = omr_schema_object();
#include "../lists/keys_excite.def"
  return section;
}

cJSON *omr_schema_calibrate(cJSON *defs) {
  cJSON *section = omr_schema_object();
#include "../lists/keys_calibrate.def"
  return section;
}
#undef X

cJSON *omr_schema_data(cJSON *defs) {
  cJSON *section = omr_schema_object();
#define X(id, key, unit, standard, values, meaning)                                                \
  add(section, key,                                                                                \
      strcmp(key, "runs") == 0       ? list_of(run_of(defs), 10000)                                \
      : strcmp(key, "measured") == 0 ? list_of(measured_of(defs), OMR_MOST_MEASURED)               \
                                     : value_of(defs, key, unit, values),                          \
      meaning, unit, standard);
#include "../lists/keys_data.def"
#undef X
  omr_tree_add(section, "if", omr_schema_make("{\"required\": [\"runs\"]}"));
  omr_tree_add(section, "then",
               omr_schema_make("{\"properties\": {\"measured\": {\"items\": {\"required\": "
                               "[\"column\"]}}}}"));
  return section;
}
