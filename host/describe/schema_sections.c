/* The sections that all models share in the schema of study files. */
#include "../lists/observables.h"
#include "../study/designs/drawn.h"
#include "../study/grammar/reader.h"
#include "schema.h"

#include <stdio.h>
#include <string.h>

/* Designs of one kind as the words of a member. */
static void add_designs(cJSON *member, bool (*wanted)(omr_design)) {
  for (omr_design d = 0; (int)d < OMR_DESIGNS; d++)
    if (wanted(d)) omr_schema_word(member, omr_design_kinds[d].name, omr_design_kinds[d].meaning);
}

static bool can_be_named(omr_design design) {
  return !omr_design_is_given(design);
}

/* Keys that each type has no use for, and the key that it cannot do without. */
static void add_design_rules(cJSON *section) {
  const omr_key_list *keys = &omr_key_lists[OMR_SECTION_DESIGN];
  for (omr_design d = 0; (int)d < OMR_DESIGNS; d++) {
    if (!can_be_named(d)) continue;
    cJSON *then = omr_schema_when(section, "type", omr_design_kinds[d].name, false);
    for (int k = 0; k < keys->count; k++)
      if (!omr_design_may_use(d, keys->keys[k].name)) omr_schema_refuse(then, keys->keys[k].name);
    if (omr_design_is_sample(d) ||
        (omr_design_may_use(d, omr_design_count(d)) && d != OMR_DESIGN_CANDIDATES))
      omr_schema_require(then, omr_design_count(d));
    if (d == OMR_DESIGN_NESTED) omr_schema_require(then, "sample");
    if (d == OMR_DESIGN_LIST) omr_schema_require(then, "paths"), omr_schema_require(then, "rows");
    if (d == OMR_DESIGN_TABLE || d == OMR_DESIGN_POSTERIOR) omr_schema_require(then, "file");
  }
}

cJSON *omr_schema_design(cJSON *defs) {
  cJSON *variable = omr_schema_section(defs, OMR_SECTION_VARIABLE, NULL);
  omr_tree_add(
      variable, "oneOf",
      omr_schema_make(
          "[{'required': ['between']}, {'required': ['integer']}, {'required': ['values']}]"));
  cJSON *section = omr_schema_section(defs, OMR_SECTION_DESIGN, NULL);
  omr_tree_add(omr_schema_get(section, "variables"), "items", variable);
  add_designs(omr_schema_get(section, "type"), can_be_named);
  add_designs(omr_schema_get(section, "sample"), omr_design_is_sample);
  add_design_rules(section);
  return section;
}

/* Methods of a kind of steps: with `path` there, the others are refused. */
static void allow_methods(cJSON *section, const char *path, bool pairs) {
  cJSON *then = omr_schema_when(section, path, NULL, false);
  cJSON *method = omr_tree_object(omr_tree_object(then, "properties"), "method");
  for (int i = 0; i < OMR_METHOD_KINDS; i++)
    if (omr_is_pair((omr_method)i) == pairs)
      omr_schema_word(method, omr_method_kinds[i].name, NULL);
  for (int i = 0; i < 2; i++) omr_schema_word(method, omr_own_methods[i], NULL);
}

cJSON *omr_schema_integrator(cJSON *defs) {
  cJSON *section = omr_schema_section(defs, OMR_SECTION_INTEGRATOR, NULL);
  for (int i = 0; i < 2; i++) /* of a model that only the reference integrates */
    omr_schema_word(omr_schema_get(section, "method"), omr_own_methods[i],
                    omr_own_method_meanings[i]);
  omr_tree_add(section, "oneOf",
               omr_schema_make("[{'required': ['step']}, {'required': ['tolerance']}]"));
  allow_methods(section, "tolerance", true);
  allow_methods(section, "step", false);
  for (int i = 0; i < OMR_FAILURE_KINDS; i++)
    if (i != OMR_FAILURE_RETRY)
      omr_schema_refuse(omr_schema_when(section, "on_failure", omr_failure_kinds[i].name,
                                        i == OMR_FAILURE_RECORD),
                        "retries");
  omr_schema_refuse(omr_schema_when(section, "step_error", "off", false), "accept");
  return section;
}

/* Text, or an object with the keys of a section. */
static cJSON *text_or(cJSON *defs, omr_section section) {
  return omr_schema_either(omr_schema_make("{'type': 'string', 'minLength': 1}"),
                           omr_schema_section(defs, section, NULL));
}

/* Names that a study gives to observables of its own. */
static cJSON *derived(cJSON *defs) {
  cJSON *part = omr_schema_make(
      "{'type': 'object', 'propertyNames': {'pattern': '^[A-Za-z][A-Za-z0-9_]{0,47}$'}}");
  omr_tree_add(part, "additionalProperties", text_or(defs, OMR_SECTION_DERIVED));
  return part;
}

cJSON *omr_schema_ask(cJSON *defs) {
  cJSON *part = omr_schema_make("{'type': 'array', 'minItems': 1}");
  omr_tree_add(part, "items", text_or(defs, OMR_SECTION_ASK));
  return part;
}

/* Puts a part in the place of a member that its row cannot say, with the row's meaning. */
static void replace(cJSON *section, const char *key, cJSON *part) {
  const char *meaning =
      cJSON_GetStringValue(cJSON_GetObjectItem(omr_schema_get(section, key), "description"));
  omr_tree_text(part, "description", meaning);
  cJSON_DeleteItemFromObject(cJSON_GetObjectItem(section, "properties"), key);
  omr_schema_member(section, key, part);
}

cJSON *omr_schema_output(cJSON *defs) {
  cJSON *traced = omr_schema_section(defs, OMR_SECTION_TRAJECTORIES, NULL),
        *section = omr_schema_section(defs, OMR_SECTION_OUTPUT, NULL);
  replace(section, "trajectories", traced);
  replace(section, "derived", derived(defs));
  return section;
}

/* Names of criteria, which mean nothing else in one. */
static void name_criteria(cJSON *fail) {
  static const char *const taken[] = {"status", "and", "or", "not", "abs", "sqrt", "min", "max"};
  cJSON *names = omr_tree_object(fail, "propertyNames");
  omr_tree_text(names, "pattern", "^[A-Za-z_][A-Za-z0-9_]{0,63}$");
  cJSON *not = omr_tree_object(names, "not");
  for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) omr_schema_word(not, taken[i], NULL);
}

cJSON *omr_schema_objectives(cJSON *defs) {
  cJSON *part = omr_schema_make(
            "{'type': 'object', 'propertyNames': {'pattern': '^[A-Za-z][A-Za-z0-9_]{0,47}$'}}"),
        *objective = omr_schema_section(defs, OMR_SECTION_OBJECTIVE, NULL);
  omr_tree_add(objective, "oneOf",
               omr_schema_make("[{'required': ['minimize']}, {'required': ['maximize']}]"));
  omr_tree_add(part, "additionalProperties", objective);
  return part;
}

cJSON *omr_schema_statistics(cJSON *defs) {
  cJSON *stop = omr_schema_section(defs, OMR_SECTION_STOP, NULL);
  omr_tree_add(stop, "oneOf",
               omr_schema_make("[{'required': ['width']}, {'required': ['relative_width']}]"));
  cJSON *section = omr_schema_section(defs, OMR_SECTION_STATISTICS, NULL);
  replace(section, "stop", stop);
  cJSON *fail = omr_schema_get(section, "fail");
  name_criteria(fail);
  cJSON_DeleteItemFromObject(fail, "additionalProperties");
  omr_tree_add(fail, "additionalProperties", text_or(defs, OMR_SECTION_CRITERION));
  return section;
}

cJSON *omr_schema_made_of(void) {
  cJSON *section = omr_schema_section(NULL, OMR_SECTION_MADE_OF, NULL);
  omr_tree_add(section, "oneOf",
               omr_schema_make("[{'required': ['nominal']}, {'required': ['instances']}]"));
  return section;
}
