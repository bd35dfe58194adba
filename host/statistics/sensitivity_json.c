/* The measures of sensitivity as JSON. Numbers that are not finite are null. */
#include "../study/json.h"
#include "sensitivity_table.h"

#include <math.h>
#include <stdlib.h>

static void number(cJSON *object, const char *name, double value) {
  if (isfinite(value))
    cJSON_AddNumberToObject(object, name, value);
  else
    cJSON_AddNullToObject(object, name);
}

static void estimate(cJSON *object, const char *name, const omr_estimate *e) {
  cJSON *part = cJSON_AddObjectToObject(object, name);
  number(part, "value", e->value);
  number(part, "low", e->low);
  number(part, "high", e->high);
}

static void parameter(const omr_sensitivity *s, cJSON *object, size_t quantity, size_t parameter) {
  const omr_measure_info *m = &omr_measures[s->measure];
  const size_t at = omr_sensitivity_at(s, quantity, parameter);
  cJSON *part = cJSON_AddObjectToObject(object, s->info[parameter].name);
  for (int e = 0; e < 2; e++) estimate(part, m->estimates[e], &s->estimates[e][at]);
  if (s->measure == OMR_MEASURE_MORRIS) number(part, "sigma", s->sigma[at]);
  if (s->reason[at]) cJSON_AddStringToObject(part, "reason", omr_reasons[s->reason[at]].name);
}

static void quantity(const omr_sensitivity *s, cJSON *object, size_t q) {
  const omr_sample_info *info = &s->info[s->parameters + q];
  cJSON *part = cJSON_AddObjectToObject(object, info->name);
  cJSON_AddStringToObject(part, "unit", info->unit);
  number(part, "used", (double)s->used[q]);
  if (s->measure == OMR_MEASURE_CORRELATION) number(part, "rank_used", (double)s->rank_used[q]);
  if (s->measure == OMR_MEASURE_SOBOL) {
    estimate(part, "mean", &s->mean[q]);
    estimate(part, "variance", &s->variance[q]);
  }
  cJSON *parameters = cJSON_AddObjectToObject(part, "parameters");
  for (size_t i = 0; i < s->parameters; i++) parameter(s, parameters, q, i);
}

static void measure(const omr_sensitivity *s, cJSON *root) {
  const omr_measure_info *m = &omr_measures[s->measure];
  cJSON *object = cJSON_AddObjectToObject(root, m->name);
  cJSON_AddStringToObject(object, "rows", m->rows);
  number(object, "count", (double)s->groups);
  number(object, "ok", (double)s->ok);
  cJSON *failed = cJSON_AddObjectToObject(object, "failed");
  for (int code = 1; code < OMR_INSTANCE_STATUS_COUNT; code++)
    if (s->failed[code]) number(failed, omr_instance_status_name(code), (double)s->failed[code]);
  if (s->rest) number(object, "rows_beyond_the_last_group", (double)s->rest);
  number(object, "confidence", s->confidence);
  if (s->measure == OMR_MEASURE_SOBOL) number(object, "bootstrap", (double)s->bootstrap);
  cJSON *quantities = cJSON_AddObjectToObject(object, "quantities");
  for (size_t q = 0; q < s->quantities; q++) quantity(s, quantities, q);
}

void omr_sensitivity_print_json(const omr_sensitivity *s, FILE *out) {
  cJSON *root = cJSON_CreateObject();
  if (s->measure != OMR_MEASURE_NONE) measure(s, root);
  char *text = cJSON_Print(root);
  fprintf(out, "%s", text ? text : "{}");
  cJSON_free(text);
  cJSON_Delete(root);
}
