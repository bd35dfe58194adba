/* Writes the plan of a study as JSON. */
#include "../model/small.h"
#include "../study/accept.h"
#include "../study/chunk_rows.h"
#include "../study/derived.h"
#include "../study/designs/distributions.h"
#include "../study/grammar/reader.h"
#include "../study/json/json.h"
#include "../study/own_names.h"
#include "../study/step_sample.h"
#include "forewarn.h"

#include <stdlib.h>
#include <string.h>

static bool add(cJSON *object, const char *name, cJSON *value) {
  if (value &&
      (name ? cJSON_AddItemToObject(object, name, value) : cJSON_AddItemToArray(object, value)))
    return true;
  cJSON_Delete(value);
  return false;
}

static cJSON *text(const char *string) {
  return cJSON_CreateString(string ? string : "");
}

static cJSON *number(double value) {
  return cJSON_CreateNumber(value);
}

/* What the study writes of a distribution, in SI units; levels in their order. */
static cJSON *arguments(const omr_variation *variation) {
  if (!omr_is_random(variation->draw) || variation->levels)
    return variation->values ? cJSON_CreateDoubleArray(variation->values, (int)variation->levels)
                             : cJSON_CreateNull();
  const double given[] = {variation->a, variation->b, variation->c, variation->d};
  return cJSON_CreateDoubleArray(given, (int)strlen(omr_draw_kinds[variation->draw].arguments));
}

static cJSON *varied(const omr_study *study) {
  /* One object per variation; a value that cannot be added discards the list. */
  cJSON *list = cJSON_CreateArray();
  for (size_t v = 0; list && v < study->variation_count; v++) {
    const omr_variation *variation = &study->variations[v];
    const omr_parameter parameter =
        omr_study_parameter(study, variation->per_wheel, variation->index);

    /* Distributions have a name, levels a number. */
    const bool random = omr_is_random(variation->draw);
    cJSON *item = cJSON_CreateObject();
    if (add(list, NULL, item) && add(item, "path", text(variation->path)) &&
        add(item, "column", text(variation->column)) && add(item, "unit", text(parameter.unit)) &&
        add(item, "meaning", text(parameter.meaning)) &&
        add(item, "distribution",
            random ? text(omr_draw_kinds[variation->draw].name) : cJSON_CreateNull()) &&
        add(item, "values", random ? cJSON_CreateNull() : number((double)variation->levels)) &&
        add(item, "arguments", arguments(variation)))
      continue;
    cJSON_Delete(list);
    return NULL;
  }

  return list;
}

static cJSON *observables(const omr_study *study) {
  cJSON *list = cJSON_CreateArray();
  for (int i = 0; list && i < OMR_OBS_COUNT; i++) {
    if (!omr_study_observes(study, i) || add(list, NULL, text(omr_study_observable_name(study, i))))
      continue;
    cJSON_Delete(list);
    return NULL;
  }
  return list;
}

static cJSON *traced(const omr_study *study) {
  cJSON *list = cJSON_CreateArray();
  for (size_t i = 0; list && i < study->traces.count; i++) {
    if (add(list, NULL, number((double)study->traces.instances[i]))) continue;
    cJSON_Delete(list);
    return NULL;
  }
  return list;
}

/* The entries of trajectories that are traced after the run, as the study writes them. */
static cJSON *traced_later(const omr_study *study) {
  cJSON *list = cJSON_CreateArray();
  bool added = list && (!study->traces.nominal || add(list, NULL, text("nominal")));
  for (size_t i = 0; added && i < study->traces.extreme_count; i++) {
    char name[100];
    snprintf(name, sizeof name, "extremes of %s",
             omr_study_observable_name(study, study->traces.extremes[i]));
    added = add(list, NULL, text(name));
  }
  if (added) return list;
  cJSON_Delete(list);
  return NULL;
}

typedef struct looked {
  size_t at, invalid;
  char reason[512];
} looked;

/* Steps are null with a tolerance, the tolerance is null without. */
static bool add_steps(cJSON *root, const omr_study *study) {
  const bool controlled = omr_controls_steps(study);
  return add(root, "step", controlled ? cJSON_CreateNull() : number(study->time.step)) &&
         add(root, "tolerance", controlled ? number(study->time.tolerance) : cJSON_CreateNull()) &&
         add(root, "steps", controlled ? cJSON_CreateNull() : number((double)study->time.steps)) &&
         add(root, "instance_steps",
             controlled ? cJSON_CreateNull()
                        : number((double)study->time.steps * (double)study->instances));
}

static cJSON *accepted(const omr_study *study) {
  cJSON *list = cJSON_CreateArray();
  for (size_t i = 0; list && i < study->step_error.accept_count; i++) {
    const omr_accept *accept = &study->step_error.accept[i];
    char name[100];
    omr_accept_name(study, accept, name, sizeof name);
    cJSON *item = cJSON_CreateObject();
    if (add(list, NULL, item) && add(item, "name", text(name)) &&
        add(item, "accepted", number(accept->most)) &&
        add(item, "relative", cJSON_CreateBool(accept->relative)) &&
        add(item, "unit", text(omr_accept_unit(study, accept))) &&
        add(item, "given", cJSON_CreateBool(accept->given)))
      continue;
    cJSON_Delete(list);
    return NULL;
  }
  return list;
}

/* Null where the error is not measured. */
static cJSON *step_error(const omr_study *study) {
  const omr_step_sample sample = omr_step_sample_of(study);
  if (sample.count == 0) return cJSON_CreateNull();
  cJSON *object = cJSON_CreateObject();
  if (add(object, "instances", number((double)sample.count)) &&
      add(object, "substeps", number(omr_step_sample_parts(&sample, sample.levels))) &&
      add(object, "cost", number(omr_step_sample_cost(study, &sample))) &&
      add(object, "accept", accepted(study)))
    return object;
  cJSON_Delete(object);
  return NULL;
}

static bool add_study(cJSON *root, const omr_study *study) {
  /* The study by name, then model, method and design, then time and output. */
  const bool small = omr_small_list_of(study->model) != NULL;
  return add(root, "name", text(study->name)) && add(root, "study_hash", text(study->hash)) &&
         add(root, "title", text(omr_study_title(study))) &&
         add(root, "model", text(omr_model_names[study->model])) &&
         add(root, "frame", text(omr_frame_list[study->frame].name)) &&
         add(root, "wheels", number(study->wheels)) &&
         add(root, "law",
             small ? cJSON_CreateNull() : text(omr_law_kinds[study->contact.law].name)) &&
         add(root, "method",
             text(omr_model_is_own(study->model) ? omr_own_methods[study->time.stiff]
                                                 : omr_method_kinds[study->time.method].name)) &&
         add(root, "design",
             study->design.type == OMR_DESIGN_SINGLE
                 ? text("single")
                 : text(omr_design_kinds[study->design.type].name)) &&
         add(root, "instances", number((double)study->instances)) &&
         add(root, "at_most",
             cJSON_CreateBool(study->design.type == OMR_DESIGN_SUBSET ||
                              study->statistics.stop.given)) &&
         add(root, "chunk", number((double)omr_chunk_rows(study))) &&
         add(root, "varied", varied(study)) && add(root, "observables", observables(study)) &&
         add(root, "duration", number(study->time.duration)) && add_steps(root, study) &&
         add(root, "traced", traced(study)) && add(root, "traced_later", traced_later(study)) &&
         add(root, "step_error", step_error(study));
}

static bool add_checks(cJSON *root, const looked *found, const char *warnings) {
  return add(root, "looked_at", number((double)found->at)) &&
         add(root, "invalid", number((double)found->invalid)) &&
         add(root, "invalid_reason", found->invalid ? text(found->reason) : cJSON_CreateNull()) &&
         add(root, "warnings", omr_json_lines(warnings));
}

static char *print(const omr_study *study, const looked *found, const char *warnings) {
  cJSON *root = cJSON_CreateObject();
  char *json = root && add_study(root, study) && add_checks(root, found, warnings)
                   ? omr_json_print(root)
                   : NULL;
  cJSON_Delete(root);
  return json;
}

omr_status omr_study_validate_json(const omr_study *study, char **json, omr_error *error) {
  looked found = {0};
  char warnings[OMR_WARNINGS] = "";
  *json = NULL;
  omr_status status =
      omr_study_check(study, &found.at, &found.invalid, found.reason, sizeof found.reason, error);
  if (status == OMR_OK) status = omr_judge_study(study, warnings, error);
  if (status != OMR_OK) return status;
  *json = print(study, &found, warnings);
  return *json ? OMR_OK : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
}
