/* Measures of sensitivity as JSON. Numbers that are not finite become null. */
#include "../study/json/json.h"
#include "sensitivity_table.h"

#include <math.h>
#include <stdlib.h>

static void estimate(cJSON *object, const char *name, const omr_estimate *e) {
  cJSON *part = omr_tree_object(object, name);
  omr_tree_number(part, "value", e->value);
  omr_tree_number(part, "low", e->low);
  omr_tree_number(part, "high", e->high);
}

static void parameter(const omr_sensitivity *s, cJSON *object, size_t quantity, size_t parameter) {
  const omr_measure_info *m = &omr_measures[s->measure];
  const size_t at = omr_sensitivity_at(s, quantity, parameter);
  cJSON *part = omr_tree_object(object, s->info[parameter].name);
  for (int e = 0; e < 2; e++) estimate(part, m->estimates[e], &s->estimates[e][at]);
  if (s->measure == OMR_MEASURE_MORRIS) omr_tree_number(part, "sigma", s->sigma[at]);
  if (s->reason[at]) omr_tree_text(part, "reason", omr_reasons[s->reason[at]].name);
}

static void quantity(const omr_sensitivity *s, cJSON *object, size_t q) {
  const omr_sample_info *info = &s->info[s->parameters + q];
  cJSON *part = omr_tree_object(object, info->name);
  omr_tree_text(part, "unit", info->unit);
  omr_tree_number(part, "used", (double)s->used[q]);
  if (s->measure == OMR_MEASURE_CORRELATION)
    omr_tree_number(part, "rank_used", (double)s->rank_used[q]);
  if (s->measure == OMR_MEASURE_SOBOL) {
    estimate(part, "mean", &s->mean[q]);
    estimate(part, "variance", &s->variance[q]);
  }
  cJSON *parameters = omr_tree_object(part, "parameters");
  for (size_t i = 0; i < s->parameters; i++) parameter(s, parameters, q, i);
}

static void measure(const omr_sensitivity *s, cJSON *root) {
  const omr_measure_info *m = &omr_measures[s->measure];
  cJSON *object = omr_tree_object(root, m->name);
  omr_tree_text(object, "rows", m->rows);
  omr_tree_number(object, "count", (double)s->groups);
  omr_tree_number(object, "ok", (double)s->ok);
  cJSON *failed = omr_tree_object(object, "failed");
  for (int code = 1; code < OMR_INSTANCE_STATUS_COUNT; code++)
    if (s->failed[code])
      omr_tree_number(failed, omr_instance_status_name(code), (double)s->failed[code]);
  if (s->rest) omr_tree_number(object, "rows_beyond_the_last_group", (double)s->rest);
  omr_tree_number(object, "confidence", s->confidence);
  if (s->measure == OMR_MEASURE_SOBOL) omr_tree_number(object, "bootstrap", (double)s->bootstrap);
  cJSON *quantities = omr_tree_object(object, "quantities");
  for (size_t q = 0; q < s->quantities; q++) quantity(s, quantities, q);
}

bool omr_sensitivity_print_json(const omr_sensitivity *s, FILE *out) {
  cJSON *root = cJSON_CreateObject();
  if (s->measure != OMR_MEASURE_NONE) measure(s, root);
  char *text = omr_tree_whole(root) ? cJSON_Print(root) : NULL;
  if (text) fputs(text, out);
  cJSON_Delete(root);
  const bool printed = text != NULL;
  cJSON_free(text);
  return printed;
}
