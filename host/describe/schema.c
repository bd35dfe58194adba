/* The schema of study files, JSON Schema of draft 2020-12: members of a study, and the members of
 * each model. */
#include "schema.h"
#include "../lists/kinds.h"
#include "../study/derived.h"
#include "../study/grammar/parse.h"
#include "../study/json/json.h"

#include <stdio.h>
#include <string.h>

static const char word_path[] = "^(?!variant)[^.= \\\\[\\\\]]+(\\\\.[^.= \\\\[\\\\]]+)*$";
static const char variant_name[] = "^[A-Za-z0-9][A-Za-z0-9_-]{0,23}$";

static cJSON *models(void) {
  cJSON *part = cJSON_CreateObject();
  for (int m = 0; m < OMR_MODELS; m++)
    omr_schema_word(part, omr_model_names[m], omr_model_meanings[m]);
  return part;
}

/* Sections are parts of their own. */
static cJSON *member_of(cJSON *defs, const omr_key *key) {
  if (strcmp(key->name, "model") == 0) return models();
  if (strcmp(key->name, "design") == 0) return omr_schema_design(defs);
  if (strcmp(key->name, "data") == 0) return omr_schema_data(defs);
  if (strcmp(key->name, "calibrate") == 0)
    return omr_schema_section(defs, OMR_SECTION_CALIBRATE, NULL);
  if (strcmp(key->name, "excite") == 0) return omr_schema_excite(defs);
  if (strcmp(key->name, "integrator") == 0) return omr_schema_integrator(defs);
  if (strcmp(key->name, "ask") == 0) return omr_schema_ask(defs);
  if (strcmp(key->name, "objectives") == 0) return omr_schema_objectives(defs);
  if (strcmp(key->name, "output") == 0) return omr_schema_output(defs);
  if (strcmp(key->name, "statistics") == 0) return omr_schema_statistics(defs);
  if (strcmp(key->name, "variants") == 0) return omr_schema_refer("variants");
  if (strcmp(key->name, "engine") == 0) return omr_schema_section(defs, OMR_SECTION_ENGINE, NULL);
  return strcmp(key->name, "made_of") == 0 ? omr_schema_made_of() : NULL;
}

/* A definition of the model, and a reference to it. */
static cJSON *define(cJSON *defs, const char *what, omr_model model, cJSON *part) {
  char name[OMR_SCHEMA_PATH];
  omr_schema_name(name, sizeof name, what, omr_model_names[model]);
  omr_tree_add(defs, name, part);
  return omr_schema_refer(name);
}

static cJSON *observables_of(omr_model model) {
  if (omr_model_is_own(model)) return omr_schema_own_name();
  cJSON *part = cJSON_CreateObject();
  for (int i = 0; i < OMR_OBS_COUNT; i++) {
    if (!omr_observable_fits(i, model, -1)) continue;
    for (int f = 0; f < OMR_FRAMES; f++) {
      const omr_observable o = omr_framed_observable((omr_frame_kind)f, i);
      if (f > 0 && strcmp(o.name, omr_observables[i].name) == 0) continue;
      omr_schema_word(part, o.name, o.meaning);
    }
  }
  return part;
}

/* Names of instances that are traced; the general rule is in schema_sections.c. */
static cJSON *traced_of(omr_model model) {
  if (omr_model_is_own(model)) return omr_schema_own_traced();
  cJSON *part = cJSON_CreateObject();
  omr_text pattern = {0};
  omr_text_print(&pattern, "^(?!extremes of )|^extremes of (");
  for (int i = 0, count = 0; i < OMR_OBS_COUNT * OMR_FRAMES; i++) {
    const omr_frame_kind frame = (omr_frame_kind)(i % OMR_FRAMES);
    const char *name = omr_framed_observable(frame, i / OMR_FRAMES).name;
    if (!omr_observable_fits(i / OMR_FRAMES, model, -1)) continue;
    if (frame > 0 && strcmp(name, omr_observables[i / OMR_FRAMES].name) == 0) continue;
    omr_text_print(&pattern, "%s%s", count++ ? "|" : "", name);
  }
  omr_text_print(&pattern, ")$");
  omr_tree_add(part, "pattern", pattern.failed ? NULL : cJSON_CreateString(pattern.data));
  omr_text_free(&pattern);
  return part;
}

static cJSON *integrator_of(omr_model model) {
  cJSON *part = cJSON_CreateObject(), *properties = omr_tree_object(part, "properties"),
        *method = omr_tree_object(properties, "method");
  const bool small = omr_small_list_of(model) != NULL;

  /* The words of "method" are the methods that the model can take. */
  for (int i = 0; i < 2 && omr_model_is_own(model); i++)
    omr_schema_word(method, omr_own_methods[i], NULL);
  for (int i = 0; i < OMR_METHOD_KINDS && !omr_model_is_own(model); i++)
    if (!small || omr_is_explicit((omr_method)i))
      omr_schema_word(method, omr_method_kinds[i].name, NULL);

  /* A model without roller exchanges has no "exchange". */
  if (small || model == OMR_MODEL_DISC_VEHICLE) omr_tree_bool(properties, "exchange", false);
  omr_tree_add(properties, "tolerance",
               omr_schema_make("{'minimum': %g}", omr_least_tolerance(model)));

  return part;
}

static bool is_name_of(omr_frame_kind frame, omr_model model, bool per_wheel, const char *path) {
  for (int i = 0; i < (per_wheel ? OMR_WP_COUNT : OMR_VP_COUNT); i++) {
    const omr_parameter row = omr_framed_parameter(frame, per_wheel, i);
    if (omr_parameter_belongs(&row, model) && strcmp(row.path, path) == 0) return true;
  }
  return false;
}

/* Parameters that a frame does not know by this name; of wheels for all of them and for each. */
static void refuse_name(cJSON *then, bool per_wheel, const char *name) {
  char path[2 * OMR_SCHEMA_PATH];
  snprintf(path, sizeof path, "parameters.%s%s", per_wheel ? "wheel." : "", name);
  omr_schema_refuse(then, path);
  cJSON *each = per_wheel ? omr_schema_make("{}") : NULL;
  if (!each) return;
  omr_schema_refuse(each, name);
  cJSON *rule = omr_tree_row(omr_schema_list(then, "allOf")),
        *parameters = omr_tree_object(omr_tree_object(rule, "properties"), "parameters"),
        *wheels = omr_tree_object(omr_tree_object(parameters, "properties"), "wheels");
  omr_tree_add(wheels, "items", each);
}

/* The parameters have the names of all frames; names of a frame that is not the study's are
 * refused. */
static void add_frames(cJSON *part, omr_model model) {
  const bool small = omr_small_list_of(model) != NULL;
  for (int f = 0; f < OMR_FRAMES * OMR_FRAMES; f++) {
    const omr_frame_kind frame = (omr_frame_kind)(f / OMR_FRAMES),
                         other = (omr_frame_kind)(f % OMR_FRAMES);
    cJSON *then = frame == other ? NULL
                                 : omr_schema_when(part, "frame", omr_frame_list[frame].name,
                                                   frame == OMR_FRAME_Y_UP);
    for (int i = 0; then && i < OMR_VP_COUNT + (small ? 0 : OMR_WP_COUNT); i++) {
      const bool per_wheel = i >= OMR_VP_COUNT;
      const omr_parameter row =
          omr_framed_parameter(other, per_wheel, per_wheel ? i - OMR_VP_COUNT : i);
      if (omr_parameter_belongs(&row, model) && !is_name_of(frame, model, per_wheel, row.path))
        refuse_name(then, per_wheel, row.path);
    }
  }
}

/* Places that name observables know the model's alone, unless the study derives some of its own:
 * "ask" and output.observables those of output.derived, "accept" and "extremes of" those of "ask"
 * too. */
static void add_named(cJSON *then, cJSON *extremes, omr_model model) {
  static const char derives[] =
      "{'required': ['output'], 'properties': {'output': {'required': ['derived']}}}";
  char name[OMR_SCHEMA_PATH];
  omr_schema_name(name, sizeof name, "observable", omr_model_names[model]);

  cJSON *listed = omr_schema_make(
      "{'if': %s, 'else': {'properties': {'output': {'properties': {'observables': {'items': "
      "{'$ref': '#/$defs/%s'}}}}, 'ask': {'items': {'if': {'required': ['expression'], 'type': "
      "'object'}, 'else': {'if': {'type': 'string'}, 'then': {'$ref': '#/$defs/%s'}, 'else': "
      "{'properties': {'name': {'$ref': '#/$defs/%s'}}}}}}}}}",
      derives, name, name, name);
  cJSON *accepted = omr_schema_make(
      "{'if': {'anyOf': [%s, {'required': ['ask']}]}, 'else': {'properties': {'integrator': "
      "{'properties': {'accept': {'propertyNames': {'anyOf': [{'$ref': '#/$defs/%s'}, {'pattern': "
      "'^fail(\\\\.[A-Za-z_][A-Za-z0-9_]*)?$'}]}}}}}}}",
      derives, name);
  omr_tree_add(cJSON_GetObjectItem(cJSON_GetObjectItem(accepted, "else"), "properties"), "output",
               extremes);

  omr_tree_append(omr_schema_list(then, "allOf"), listed);
  omr_tree_append(omr_schema_list(then, "allOf"), accepted);
}

static void add_model(cJSON *root, cJSON *defs, omr_model model) {
  cJSON *then = omr_schema_when(root, "model", omr_model_names[model], false),
        *properties = omr_tree_object(then, "properties");
  cJSON_Delete(define(defs, "observable", model, observables_of(model)));
  cJSON *path = define(defs, "path", model, omr_schema_paths(model)),
        *output = cJSON_CreateObject(), *design = cJSON_CreateObject();

  /* Some keys fit only some models. */
  add_frames(then, model);
  if (!omr_has_measured(model)) omr_schema_refuse(then, "data");

  /* Parameters, variations and the integrator have parts of their own. */
  omr_tree_add(properties, "parameters",
               define(defs, "parameters", model, omr_schema_parameters(defs, model)));
  omr_tree_add(omr_tree_object(properties, "vary"), "items",
               define(defs, "entry", model, omr_schema_entry(defs, model)));
  omr_tree_add(properties, "integrator", integrator_of(model));

  /* The output names observables and traced instances of the model. */
  cJSON *kept = omr_tree_object(output, "properties"),
        *trajectories = omr_tree_object(kept, "trajectories"),
        *instances = omr_tree_object(omr_tree_object(trajectories, "properties"), "instances"),
        *traced = define(defs, "traced", model, traced_of(model));
  omr_tree_append(omr_tree_list(omr_tree_object(instances, "items"), "allOf"),
                  cJSON_Duplicate(traced, true));
  omr_tree_append(omr_tree_list(instances, "allOf"), traced);
  add_named(then, output, model);

  /* The design names paths of the model. */
  omr_tree_add(omr_tree_object(omr_tree_object(design, "properties"), "paths"), "items", path);
  omr_tree_add(properties, "design", design);
  omr_schema_own_rules(defs, then, model);
}

/* Members that a measured run gives, and that a study without one needs: its duration, and the file
 * of a replay. */
static void add_needs(cJSON *root) {
  static const char file[] = "{'properties': {'replay': {'required': ['file']}}}";
  omr_tree_append(
      cJSON_GetObjectItem(root, "allOf"),
      omr_schema_make("{'if': {'required': ['data'], 'properties': {'data': {'required': "
                      "['runs']}}}, 'else': {'properties': {'integrator': {'required': "
                      "['duration']}, 'parameters': {'properties': {'command': %s, 'wheels': "
                      "{'items': {'properties': {'drive': %s}}}, 'wheel': {'properties': "
                      "{'drive': %s}}}}}}}",
                      file, file, file));
}

static cJSON *study_of(cJSON *defs) {
  cJSON *study = omr_schema_object();
  omr_tree_list(study, "required");
  omr_schema_keys(study, defs, OMR_SECTION_STUDY, member_of);
  for (int m = 0; m < OMR_MODELS; m++) add_model(study, defs, (omr_model)m);
  add_needs(study);
  return study;
}

/* Changes that have names, or the words of a path. A study that holds variants has no member but
 * those of a study, and may leave to each variant what it needs. */
static void add_variants(cJSON *root, cJSON *defs) {
  const omr_key_list *list = &omr_key_lists[OMR_SECTION_STUDY];
  cJSON *properties = omr_tree_object(root, "properties");
  omr_text names = {0};
  for (int k = 0; k < list->count; k++) {
    const omr_key *key = &list->keys[k];
    omr_schema_describe(omr_tree_object(properties, key->name), key->meaning, key->unit, "");
    if (strncmp(key->name, "variant", 7) != 0)
      omr_text_print(&names, "%s\"%s\"", names.length ? ", " : "", key->name);
  }
  omr_tree_bool(root, "additionalProperties", false);
  omr_tree_add(defs, "variants",
               omr_schema_make(
                   "{'type': 'object', 'minProperties': 2, 'if': {'properties': {'path': {'type': "
                   "'string'}}, 'required': ['path']}, 'then': {'properties': {'path': {'pattern': "
                   "'%s'}, 'values': {'type': 'array', 'minItems': 2, 'uniqueItems': true, "
                   "'items': {'type': 'string', 'pattern': '%s'}}}, 'required': ['values'], "
                   "'additionalProperties': false}, 'else': {'propertyNames': {'pattern': '%s'}, "
                   "'additionalProperties': {'type': 'object', 'propertyNames': {'enum': [%s]}}}}",
                   word_path, variant_name, variant_name, names.data ? names.data : ""));
  omr_text_free(&names);
  omr_tree_add(root, "if", omr_schema_make("{'required': ['variants']}"));
  omr_tree_add(root, "then",
               omr_schema_make("{'properties': {'variants': {'$ref': '#/$defs/variants'}}}"));
  omr_tree_add(root, "else", omr_schema_refer("study"));
}

omr_status omr_study_schema_json(char **json, omr_error *error) {
  cJSON *root = cJSON_CreateObject(), *defs = cJSON_CreateObject();
  omr_tree_text(root, "$schema", "https://json-schema.org/draft/2020-12/schema");
  omr_tree_text(root, "title", "omniroll study");
  omr_tree_text(
      root, "description",
      "A study of omniroll: printed by omniroll schema; docs/reference/study-file.md explains it.");
  omr_tree_text(root, "type", "object");
  add_variants(root, defs);
  omr_tree_add(defs, "study", study_of(defs));
  omr_tree_add(root, "$defs", defs);
  return omr_json_give(root, json, error);
}
