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
#include "../support/tree.h"
#include "forewarn.h"

#include <stdlib.h>
#include <string.h>

/* A text or a number where it is `given`, else null. */
static void text_if(bool given, cJSON *object, const char *name, const char *text) {
  given ? omr_tree_text(object, name, text) : omr_tree_null(object, name);
}

static void number_if(bool given, cJSON *object, const char *name, double value) {
  given ? omr_tree_number(object, name, value) : omr_tree_null(object, name);
}

/* What the study writes of a distribution, in SI units; levels in their order. */
static cJSON *arguments(const omr_variation *variation) {
  if (!omr_is_random(variation->draw) || variation->levels)
    return variation->values ? cJSON_CreateDoubleArray(variation->values, (int)variation->levels)
                             : cJSON_CreateNull();
  const double given[] = {variation->a, variation->b, variation->c, variation->d};
  return cJSON_CreateDoubleArray(given, (int)strlen(omr_draw_kinds[variation->draw].arguments));
}

static void add_varied(cJSON *list, const omr_study *study) {
  for (size_t v = 0; v < study->variation_count; v++) {
    const omr_variation *variation = &study->variations[v];
    const omr_parameter parameter =
        omr_study_parameter(study, variation->per_wheel, variation->index);
    const bool random = omr_is_random(variation->draw);
    cJSON *item = omr_tree_row(list);
    omr_tree_text(item, "path", variation->path);
    omr_tree_text(item, "column", variation->column);
    omr_tree_text(item, "unit", parameter.unit);
    omr_tree_text(item, "meaning", parameter.meaning);
    /* Distributions have a name, levels a number. */
    text_if(random, item, "distribution", omr_draw_kinds[variation->draw].name);
    number_if(!random, item, "values", (double)variation->levels);
    omr_tree_add(item, "arguments", arguments(variation));
  }
}

static void add_text(cJSON *list, const char *text) {
  omr_tree_append(list, cJSON_CreateString(text ? text : ""));
}

static void add_observables(cJSON *list, const omr_study *study) {
  for (int i = 0; i < OMR_OBS_COUNT; i++)
    if (omr_study_observes(study, i)) add_text(list, omr_study_observable_name(study, i));
}

static void add_traced(cJSON *list, const omr_study *study) {
  for (size_t i = 0; i < study->traces.count; i++)
    omr_tree_append(list, cJSON_CreateNumber((double)study->traces.instances[i]));
}

/* The entries of trajectories that are traced after the run, as the study writes them. */
static void add_traced_later(cJSON *list, const omr_study *study) {
  if (study->traces.nominal) add_text(list, "nominal");
  for (size_t i = 0; i < study->traces.extreme_count; i++) {
    char name[100];
    snprintf(name, sizeof name, "extremes of %s",
             omr_study_observable_name(study, study->traces.extremes[i]));
    add_text(list, name);
  }
}

/* Steps are null with a tolerance, the tolerance is null without. */
static void add_steps(cJSON *root, const omr_study *study) {
  const bool controlled = omr_controls_steps(study);
  const double steps = (double)study->time.steps;
  number_if(!controlled, root, "step", study->time.step);
  number_if(controlled, root, "tolerance", study->time.tolerance);
  number_if(!controlled, root, "steps", steps);
  number_if(!controlled, root, "instance_steps", steps * (double)study->instances);
}

static void add_accepted(cJSON *list, const omr_study *study) {
  for (size_t i = 0; i < study->step_error.accept_count; i++) {
    const omr_accept *accept = &study->step_error.accept[i];
    char name[100];
    omr_accept_name(study, accept, name, sizeof name);
    cJSON *item = omr_tree_row(list);
    omr_tree_text(item, "name", name);
    omr_tree_number(item, "accepted", accept->most);
    omr_tree_bool(item, "relative", accept->relative);
    omr_tree_text(item, "unit", omr_accept_unit(study, accept));
    omr_tree_bool(item, "given", accept->given);
  }
}

/* Null where the error is not measured. */
static void add_step_error(cJSON *root, const omr_study *study) {
  const omr_step_sample sample = omr_step_sample_of(study);
  if (sample.count == 0) {
    omr_tree_null(root, "step_error");
    return;
  }
  cJSON *object = omr_tree_object(root, "step_error");
  omr_tree_number(object, "instances", (double)sample.count);
  omr_tree_number(object, "substeps", omr_step_sample_parts(&sample, sample.levels));
  omr_tree_number(object, "cost", omr_step_sample_cost(study, &sample));
  add_accepted(omr_tree_list(object, "accept"), study);
}

static void add_study(cJSON *root, const omr_study *study) {
  /* The study by name, then model, method and design, then time and output. */
  const bool small = omr_small_list_of(study->model) != NULL,
             single = study->design.type == OMR_DESIGN_SINGLE,
             subset = study->design.type == OMR_DESIGN_SUBSET;
  omr_tree_text(root, "name", study->name);
  omr_tree_text(root, "study_hash", study->hash);
  omr_tree_text(root, "title", omr_study_title(study));
  omr_tree_text(root, "model", omr_model_names[study->model]);
  omr_tree_text(root, "frame", omr_frame_list[study->frame].name);
  omr_tree_number(root, "wheels", study->wheels);
  text_if(!small, root, "law", omr_law_kinds[study->contact.law].name);
  omr_tree_text(root, "method",
                omr_model_is_own(study->model) ? omr_own_methods[study->time.stiff]
                                               : omr_method_kinds[study->time.method].name);
  omr_tree_text(root, "design", single ? "single" : omr_design_kinds[study->design.type].name);
  omr_tree_number(root, "instances", (double)study->instances);
  omr_tree_bool(root, "at_most", subset || study->statistics.stop.given);
  omr_tree_number(root, "chunk", (double)omr_chunk_rows(study));
  add_varied(omr_tree_list(root, "varied"), study);
  add_observables(omr_tree_list(root, "observables"), study);
  omr_tree_number(root, "duration", study->time.duration);
  add_steps(root, study);
  add_traced(omr_tree_list(root, "traced"), study);
  add_traced_later(omr_tree_list(root, "traced_later"), study);
  add_step_error(root, study);
}

omr_status omr_study_validate_json(const omr_study *study, char **json, omr_error *error) {
  size_t looked_at = 0, invalid = 0;
  char reason[512] = "";
  char warnings[OMR_WARNINGS] = "";
  *json = NULL;
  omr_status status = omr_study_check(study, &looked_at, &invalid, reason, sizeof reason, error);
  if (status == OMR_OK) status = omr_judge_study(study, warnings, error);
  if (status != OMR_OK) return status;
  cJSON *root = cJSON_CreateObject();
  add_study(root, study);
  omr_tree_number(root, "looked_at", (double)looked_at);
  omr_tree_number(root, "invalid", (double)invalid);
  text_if(invalid > 0, root, "invalid_reason", reason);
  omr_tree_add(root, "warnings", omr_json_lines(warnings));
  return omr_json_give(root, json, error);
}
