/* Names that a study gives, in the schema of study files. */
#include "../study/system/graph_names.h"
#include "schema.h"

#define NAME "[A-Za-z][A-Za-z0-9_]{0,47}"

cJSON *omr_schema_own_name(void) {
  return omr_schema_make("{\"type\": \"string\", \"pattern\": \"^" NAME "$\"}");
}

cJSON *omr_schema_own_traced(void) {
  return omr_schema_make("{\"pattern\": \"^(?!extremes of )|^extremes of " NAME "$\"}");
}

/* Members of an object that are names. */
static void name_members(cJSON *object, int most) {
  cJSON *names = omr_schema_make("{'pattern': '^" NAME "$'}"),
        *words = omr_tree_object(names, "not");
  for (const char *const *word = omr_graph_words; *word; word++)
    omr_schema_word(words, *word, NULL);
  omr_tree_add(object, "propertyNames", names);
  omr_tree_number(object, "maxProperties", most);
}

/* A number, text with a unit of any kind, or such a value with its meaning. */
cJSON *omr_schema_own_parameters(void) {
  cJSON *part = omr_schema_make("{'type': 'object'}");
  name_members(part, OMR_GRAPH_PARAMETERS);
  omr_tree_add(part, "additionalProperties",
               omr_schema_make("{'type': ['number', 'string', 'object'], 'properties': {'value': "
                               "{'type': ['number', 'string']}, 'meaning': {'type': 'string'}}, "
                               "'required': ['value'], 'additionalProperties': false}"));
  return part;
}

void omr_schema_own_rules(cJSON *defs, cJSON *then, omr_model model) {
  cJSON *properties = cJSON_GetObjectItem(then, "properties");
  if (!omr_model_is_own(model)) {
    omr_schema_refuse(then, "system");
    return;
  }
  omr_schema_require(then, "system");
  omr_tree_add(properties, "system", omr_schema_system(defs));
  omr_tree_add(properties, "frame",
               omr_schema_make("{'enum': ['%s']}", omr_frame_list[OMR_FRAME_Y_UP].name));
  omr_tree_add(properties, "engine",
               omr_schema_make("{'properties': {'backend': {'enum': ['%s', '%s']}}}",
                               omr_backend_kinds[OMR_BACKEND_AUTO].name,
                               omr_backend_kinds[OMR_BACKEND_REFERENCE].name));
}
