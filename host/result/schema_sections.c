/* The sections that all models share in the schema of study files. */
#include "../lists/observables.h"
#include "../study/drawn.h"
#include "../study/parse.h"
#include "schema.h"

#include <stdio.h>
#include <string.h>

/* Names of instances that are traced. */
#define TRACED "^(all|nominal|first_of_each_cell|extremes of [A-Za-z0-9_]+)$"

/* A key whose row does not say all of its values: what it takes, as JSON. */
typedef struct exact {
  const char *key, *json;
} exact;

static const exact of_design[] = {
    {"seed", "{\"type\": [\"integer\", \"string\"], \"minimum\": 0, \"maximum\": 9007199254740992, "
             "\"pattern\": \"^[0-9]{1,20}$\"}"},
    {"correlation",
     "{\"type\": \"array\", \"minItems\": 1, \"items\": {\"type\": \"object\", \"properties\": "
     "{\"paths\": {\"type\": \"array\", \"items\": {\"type\": \"string\"}, \"minItems\": 2, "
     "\"maxItems\": 2}, \"rank\": {\"type\": [\"number\", \"string\"], \"exclusiveMinimum\": -1, "
     "\"exclusiveMaximum\": 1}}, \"required\": [\"paths\", \"rank\"], \"additionalProperties\": "
     "false}}"},
    {"per_cell", "{\"type\": \"integer\", \"minimum\": 1, \"maximum\": 9007199254740992}"},
    {"paths", "{\"type\": \"array\", \"minItems\": 1, \"items\": {\"type\": \"string\"}}"},
    {"rows", "{\"type\": \"array\", \"minItems\": 1, \"items\": {\"type\": \"array\", \"items\": "
             "{\"type\": [\"number\", \"string\"]}}}"},
    {"file", "{\"type\": \"string\", \"minLength\": 1}"},
    {"levels", "{\"type\": \"integer\", \"minimum\": 1, \"maximum\": 1000}"},
    {"level_probability",
     "{\"type\": [\"number\", \"string\"], \"exclusiveMinimum\": 0, \"maximum\": 0.5}"},
    {NULL, NULL}};
static const exact of_integrator[] = {
    {"accept",
     "{\"type\": \"object\", \"additionalProperties\": {\"type\": [\"number\", \"string\"], "
     "\"exclusiveMinimum\": 0}}"},
    {NULL, NULL}};
static const exact of_trajectories[] = {
    {"instances",
     "{\"type\": [\"string\", \"array\"], \"pattern\": \"" TRACED "\", \"examples\": [\"all\", "
     "\"nominal\", \"first_of_each_cell\"], \"minItems\": 1, \"uniqueItems\": true, \"items\": "
     "{\"type\": "
     "[\"integer\", \"string\"], \"minimum\": 0, \"pattern\": \"" TRACED "\"}}"},
    {NULL, NULL}};
static const exact of_output[] = {
    {"observables",
     "{\"type\": \"array\", \"uniqueItems\": true, \"items\": {\"type\": \"string\"}}"},
    {NULL, NULL}};
static const exact of_engine[] = {{"device", "{\"type\": \"string\", \"minLength\": 1}"},
                                  {NULL, NULL}};
static const exact of_made_of[] = {
    {"nominal", "{\"type\": \"object\", \"additionalProperties\": {\"type\": \"string\"}}"},
    {"instances",
     "{\"type\": \"array\", \"minItems\": 1, \"items\": {\"type\": \"integer\", \"minimum\": 0}}"},
    {NULL, NULL}};
/* Parts of statistics that are shares are pure numbers, or per cent. */
static const exact of_statistics[] = {
    {"fail", "{\"type\": [\"string\", \"object\"], \"maxProperties\": 1000, "
             "\"additionalProperties\": {\"type\": \"string\"}}"},
    {"quantiles",
     "{\"type\": \"array\", \"maxItems\": 100, \"items\": {\"type\": [\"number\", \"string\"], "
     "\"minimum\": 0, \"maximum\": 1}}"},
    {"histogram", "{\"type\": \"integer\", \"minimum\": 0, \"maximum\": 10000}"},
    {"confidence", "{\"type\": [\"number\", \"string\"], \"minimum\": 0.5, \"maximum\": 0.999999}"},
    {"interval", "{\"enum\": [\"wilson\", \"clopper_pearson\"]}"},
    {"bootstrap", "{\"type\": \"integer\", \"minimum\": 0, \"maximum\": 100000}"},
    {"failed_limit", "{\"type\": [\"number\", \"string\"], \"minimum\": 0, \"maximum\": 1}"},
    {NULL, NULL}};
static const exact of_stop[] = {
    {"quantity", "{\"type\": \"string\", \"pattern\": \"^(fail(\\\\.[A-Za-z_][A-Za-z0-9_]*)?|mean "
                 "+[A-Za-z].*)$\"}"},
    {"width", "{\"type\": [\"number\", \"string\"], \"exclusiveMinimum\": 0}"},
    {"relative_width", "{\"type\": [\"number\", \"string\"], \"exclusiveMinimum\": 0}"},
    {"at_least", "{\"type\": \"integer\", \"minimum\": 2}"},
    {"instances", "{\"type\": \"integer\", \"minimum\": 1}"},
    {NULL, NULL}};

/* Keys whose words have a list of their own. */
static const struct {
  const char *key;
  const omr_kind *kinds;
  int count;
} of_kinds[] = {{"method", omr_method_kinds, OMR_METHOD_KINDS},
                {"stability", omr_stability_kinds, OMR_STABILITY_KINDS},
                {"on_failure", omr_failure_kinds, OMR_FAILURE_KINDS},
                {"backend", omr_backend_kinds, OMR_BACKEND_KINDS}};

/* What a key takes: as said exactly, as the words of a list, as its row says. */
static cJSON *value_of(cJSON *defs, const exact *known, const char *key, const char *unit,
                       const char *values) {
  for (; known->key; known++)
    if (strcmp(known->key, key) == 0) return cJSON_Parse(known->json);
  for (size_t i = 0; i < sizeof of_kinds / sizeof *of_kinds; i++)
    if (strcmp(of_kinds[i].key, key) == 0)
      return omr_schema_kinds(of_kinds[i].kinds, 0, of_kinds[i].count);
  return omr_schema_values(defs, unit, values);
}

#define X(id, key, unit, standard, values, meaning)                                                \
  {                                                                                                \
    cJSON *member = value_of(defs, known, key, unit, values);                                      \
    omr_schema_describe(member, meaning, unit, strcmp(standard, "required") ? (standard) : "");    \
    omr_schema_member(section, key, member);                                                       \
  }
static void add_design(cJSON *section, cJSON *defs, const exact *known) {
#include "../lists/keys_design.def"
}
static void add_integrator(cJSON *section, cJSON *defs, const exact *known) {
#include "../lists/keys_integrator.def"
}
static void add_output(cJSON *section, cJSON *defs, const exact *known) {
#include "../lists/keys_output.def"
}
static void add_trajectories(cJSON *section, cJSON *defs, const exact *known) {
#include "../lists/keys_trajectories.def"
}
static void add_engine(cJSON *section, cJSON *defs, const exact *known) {
#include "../lists/keys_engine.def"
}
static void add_made_of(cJSON *section, cJSON *defs, const exact *known) {
#include "../lists/keys_made_of.def"
}
#undef X
#define X(id, key, standard, meaning)                                                              \
  {                                                                                                \
    cJSON *member = value_of(defs, known, key, "s", "> 0");                                        \
    omr_schema_describe(member, meaning, "", strncmp(standard, "required", 8) ? (standard) : "");  \
    omr_schema_member(section, key, member);                                                       \
  }
static void add_statistics(cJSON *section, cJSON *defs, const exact *known) {
#include "../lists/keys_statistics.def"
}
static void add_stop(cJSON *section, cJSON *defs, const exact *known) {
#include "../lists/keys_stop.def"
}
#undef X

static cJSON *property(cJSON *section, const char *key) {
  return cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItem(section, "properties"), key);
}

static void require(cJSON *section, const char *key) {
  cJSON *list = cJSON_GetObjectItem(section, "required");
  omr_tree_append(list ? list : omr_tree_list(section, "required"), cJSON_CreateString(key));
}

/* Designs of one kind as the words of a member. */
static void add_designs(cJSON *member, bool (*wanted)(omr_design)) {
  cJSON *words = omr_tree_list(member, "enum"),
        *meanings = omr_tree_list(member, "enumDescriptions");
  for (omr_design d = 0; (int)d < OMR_DESIGNS; d++) {
    if (!wanted(d)) continue;
    omr_tree_append(words, cJSON_CreateString(omr_design_kinds[d].name));
    omr_tree_append(meanings, cJSON_CreateString(omr_design_kinds[d].meaning));
  }
}

static bool can_be_named(omr_design design) {
  return !omr_design_is_given(design);
}

/* What each type has no use for, and the key that it cannot do without. */
static void add_design_rules(cJSON *section) {
  static const char *const keys[] = {
#define X(id, name, ...) name,
#include "../lists/keys_design.def"
#undef X
  };
  for (omr_design d = 0; (int)d < OMR_DESIGNS; d++) {
    if (!can_be_named(d)) continue;
    cJSON *then = omr_schema_when(section, "type", omr_design_kinds[d].name, false);
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
      if (!omr_design_may_use(d, keys[k])) omr_schema_refuse(then, keys[k]);
    if (omr_design_is_sample(d) || omr_design_may_use(d, omr_design_count(d)))
      require(then, omr_design_count(d));
    if (d == OMR_DESIGN_NESTED) require(then, "sample");
    if (d == OMR_DESIGN_LIST) require(then, "paths"), require(then, "rows");
    if (d == OMR_DESIGN_TABLE || d == OMR_DESIGN_POSTERIOR) require(then, "file");
  }
}

cJSON *omr_schema_design(cJSON *defs) {
  cJSON *section = omr_schema_object();
  add_design(section, defs, of_design);
  add_designs(property(section, "type"), can_be_named);
  add_designs(property(section, "sample"), omr_design_is_sample);
  require(section, "type");
  add_design_rules(section);
  return section;
}

/* Methods of a kind of steps: with `path` there, the others are refused. */
static void allow_methods(cJSON *section, const char *path, bool pairs) {
  cJSON *then = omr_schema_when(section, path, NULL, false);
  cJSON *method = omr_tree_object(omr_tree_object(then, "properties"), "method"),
        *words = omr_tree_list(method, "enum");
  for (int i = 0; i < OMR_METHOD_KINDS; i++)
    if (omr_is_pair((omr_method)i) == pairs)
      omr_tree_append(words, cJSON_CreateString(omr_method_kinds[i].name));
  for (int i = 0; i < 2; i++) omr_tree_append(words, cJSON_CreateString(omr_own_methods[i]));
}

/* Those of a model that the reference alone integrates, beside the others. */
static void add_own_methods(cJSON *method) {
  cJSON *words = cJSON_GetObjectItem(method, "enum"),
        *meanings = cJSON_GetObjectItem(method, "enumDescriptions");
  for (int i = 0; i < 2; i++) {
    omr_tree_append(words, cJSON_CreateString(omr_own_methods[i]));
    omr_tree_append(meanings, cJSON_CreateString(omr_own_method_meanings[i]));
  }
}

cJSON *omr_schema_integrator(cJSON *defs) {
  cJSON *section = omr_schema_object();
  add_integrator(section, defs, of_integrator);
  add_own_methods(property(section, "method"));
  omr_tree_add(section, "oneOf",
               omr_schema_make("[{\"required\": [\"step\"]}, {\"required\": [\"tolerance\"]}]"));
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

cJSON *omr_schema_output(cJSON *defs) {
  cJSON *section = omr_schema_object(), *traced = omr_schema_object();
  add_trajectories(traced, defs, of_trajectories);
  require(traced, "instances");
  require(traced, "interval");
  add_output(section, defs, of_output);
  cJSON *member = property(section, "trajectories");
  const char *meaning = cJSON_GetStringValue(cJSON_GetObjectItem(member, "description"));
  omr_tree_text(traced, "description", meaning);
  cJSON_DeleteItemFromObject(cJSON_GetObjectItem(section, "properties"), "trajectories");
  omr_schema_member(section, "trajectories", traced);
  return section;
}

/* Names of criteria, which mean nothing else in one. */
static void name_criteria(cJSON *fail) {
  static const char *const taken[] = {"status", "and", "or", "not", "abs", "sqrt", "min", "max"};
  cJSON *names = omr_tree_object(fail, "propertyNames");
  omr_tree_text(names, "pattern", "^[A-Za-z_][A-Za-z0-9_]{0,63}$");
  cJSON *not = omr_tree_list(omr_tree_object(names, "not"), "enum");
  for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
    omr_tree_append(not, cJSON_CreateString(taken[i]));
}

cJSON *omr_schema_statistics(cJSON *defs) {
  cJSON *section = omr_schema_object(), *stop = omr_schema_object();
  add_stop(stop, defs, of_stop);
  require(stop, "quantity");
  omr_tree_add(
      stop, "oneOf",
      omr_schema_make("[{\"required\": [\"width\"]}, {\"required\": [\"relative_width\"]}]"));
  add_statistics(section, defs, of_statistics);
  const cJSON *member = property(section, "stop");
  omr_tree_text(stop, "description",
                cJSON_GetStringValue(cJSON_GetObjectItem(member, "description")));
  cJSON_DeleteItemFromObject(cJSON_GetObjectItem(section, "properties"), "stop");
  omr_schema_member(section, "stop", stop);
  name_criteria(property(section, "fail"));
  return section;
}

cJSON *omr_schema_engine(cJSON *defs) {
  cJSON *section = omr_schema_object();
  add_engine(section, defs, of_engine);
  return section;
}

cJSON *omr_schema_made_of(void) {
  cJSON *section = omr_schema_object();
  add_made_of(section, NULL, of_made_of);
  require(section, "study");
  omr_tree_add(section, "oneOf",
               omr_schema_make("[{\"required\": [\"nominal\"]}, {\"required\": [\"instances\"]}]"));
  return section;
}
