/* What a calibration says, as JSON. */
#include "calibrate.h"

#include "../study/json.h"

#include <math.h>
#include <stdlib.h>

static cJSON *parameters_json(const omr_calibrate *c) {
  cJSON *list = cJSON_CreateArray();
  for (size_t v = 0; v < c->study->variation_count; v++) {
    const calibrate_moments m = calibrate_moments_of(c, v);
    cJSON *one = cJSON_CreateObject();
    cJSON_AddStringToObject(one, "path", c->study->variations[v].path);
    cJSON_AddStringToObject(one, "unit", calibrate_unit_of(&c->study->variations[v]));
    cJSON_AddNumberToObject(one, "mean", m.mean);
    cJSON_AddNumberToObject(one, "deviation", m.deviation);
    cJSON_AddNumberToObject(one, "low", m.low);
    cJSON_AddNumberToObject(one, "high", m.high);
    cJSON_AddNumberToObject(one, "left_of_prior", calibrate_left_of_variation(c, v));
    omr_tree_append(list, one);
  }
  return list;
}

static cJSON *errors_json(const omr_calibrate *c) {
  cJSON *list = cJSON_CreateArray();
  for (size_t i = 0; i < c->errors; i++) {
    const omr_calibrate_error *e = &c->error[i];
    cJSON *one = cJSON_CreateObject();
    cJSON_AddStringToObject(one, "file", c->study->measured.run[e->run].file);
    cJSON_AddBoolToObject(one, "held_out", c->study->measured.run[e->run].held_out);
    cJSON_AddStringToObject(one, "sample", calibrate_sample_name(c, e->sample));
    cJSON_AddNumberToObject(one, "prior_rms", e->before);
    cJSON_AddNumberToObject(one, "rms", e->after);
    cJSON_AddNumberToObject(one, "rms_of_mean", e->mean_after);
    cJSON_AddNumberToObject(one, "end_of_mean", e->end);
    cJSON_AddNumberToObject(one, "inside", e->inside);
    cJSON_AddNumberToObject(one, "end_place", e->end_place);
    omr_tree_append(list, one);
  }
  return list;
}

static cJSON *findings_json(const omr_calibrate *c) {
  cJSON *list = cJSON_CreateArray();
  for (size_t f = 0; f < c->findings; f++) {
    cJSON *one = cJSON_CreateObject();
    cJSON_AddStringToObject(one, "weight", calibrate_weight_word(c->finding[f].weight));
    cJSON_AddStringToObject(one, "text", c->finding[f].text);
    omr_tree_append(list, one);
  }
  return list;
}

static cJSON *directions_json(const omr_calibrate *c) {
  const size_t d = omr_layout_of_model(&c->layout);
  cJSON *list = cJSON_CreateArray();
  for (size_t k = 0; k < d; k++) {
    const double s = c->singular[k];
    char *told = calibrate_direction_told(c, k);
    cJSON *one = cJSON_CreateObject();
    cJSON_AddNumberToObject(one, "singular_value", s);
    cJSON_AddNumberToObject(one, "left_of_prior", 1 / sqrt(1 + s * s));
    cJSON_AddStringToObject(one, "combination", told ? told : "");
    cJSON_AddItemToObject(one, "direction",
                          cJSON_CreateDoubleArray(c->singular + (k + 1) * d,
                                                  (int)d));
    omr_tree_append(list, one);
    free(told);
  }
  return list;
}

omr_status omr_calibrate_json(const omr_calibrate *c, char **json, omr_error *error) {
  cJSON *root = cJSON_CreateObject();
  cJSON_AddStringToObject(root, "study", c->study->name);
  cJSON_AddStringToObject(root, "verdict", calibrate_verdict_word(c));
  cJSON_AddItemToObject(root, "findings", findings_json(c));
  cJSON_AddNumberToObject(root, "members", (double)c->size.members);
  cJSON_AddNumberToObject(root, "steps", (double)c->steps);
  cJSON_AddNumberToObject(root, "prior_distance", sqrt(c->prior_distance));
  cJSON_AddNumberToObject(root, "prior_predicts", c->prior_predicts);
  cJSON_AddItemToObject(root, "directions", directions_json(c));
  if (c->checked_only) return omr_json_give(root, json, error);
  if (c->stages) cJSON_AddNumberToObject(root, "log_evidence", c->evidence);
  cJSON_AddItemToObject(root, "parameters", parameters_json(c));
  cJSON_AddItemToObject(root, "errors", errors_json(c));
  return omr_json_give(root, json, error);
}
