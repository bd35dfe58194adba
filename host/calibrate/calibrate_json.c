/* A calibration as JSON. */
#include "calibrate.h"

#include "../study/json/json.h"

#include <math.h>
#include <stdlib.h>

/* Parameters; the values of clocks and sensors; or coordinates that both lack, standard normal by
 * the prior. */
static void add_rows(cJSON *root, const char *name, const omr_calibrate *c, bool parameter,
                     bool sensed) {
  cJSON *list = cJSON_CreateArray();
  for (size_t k = 0; k < calibrate_rows(c); k++) {
    const calibrate_row row = calibrate_row_of(c, k);
    if (row.parameter != parameter || row.sensed != sensed) continue;
    cJSON *one = omr_tree_row(list);
    omr_tree_text(one, parameter ? "path" : "name", row.name);
    if (parameter || sensed) omr_tree_text(one, "unit", row.unit);
    omr_tree_number(one, "mean", row.m.mean);
    omr_tree_number(one, "deviation", row.m.deviation);
    omr_tree_number(one, "low", row.m.low);
    omr_tree_number(one, "high", row.m.high);
    if (parameter || sensed) omr_tree_number(one, "left_of_prior", row.left);
  }
  omr_tree_add(root, name, list);
}

static cJSON *errors_json(const omr_calibrate *c) {
  cJSON *list = cJSON_CreateArray();
  for (size_t i = 0; i < c->errors; i++) {
    const omr_calibrate_error *e = &c->error[i];
    cJSON *one = omr_tree_row(list);

    /* The run and the sample. */
    omr_tree_text(one, "file", c->study->measured.run[e->run].file);
    omr_tree_bool(one, "held_out", c->study->measured.run[e->run].held_out);
    omr_tree_text(one, "sample", calibrate_sample_name(c, e->sample));

    /* Errors of the prior and of the fit. */
    omr_tree_number(one, "prior_rms", e->before);
    omr_tree_number(one, "rms", e->after);
    omr_tree_number(one, "rms_of_mean", e->mean_after);
    omr_tree_number(one, "end_of_mean", e->end);
    omr_tree_number(one, "inside", e->inside);
    omr_tree_number(one, "end_place", e->end_place);

    /* Figures that only some calibrations have. */
    if (c->correlated) omr_tree_number(one, "correlation_time", c->correlation[e->sample]);
    if (c->study->measured.sample[e->sample].outliers > 0)
      omr_tree_number(one, "outliers", (double)e->outliers);
  }
  return list;
}

static cJSON *findings_json(const omr_calibrate *c) {
  cJSON *list = cJSON_CreateArray();
  for (size_t f = 0; f < c->findings; f++) {
    cJSON *one = omr_tree_row(list);
    omr_tree_text(one, "weight", calibrate_weight_word(c->finding[f].weight));
    omr_tree_text(one, "text", c->finding[f].text);
  }
  return list;
}

static cJSON *directions_json(const omr_calibrate *c) {
  const size_t d = omr_coordinates_of_model(&c->layout);
  cJSON *list = cJSON_CreateArray();
  for (size_t k = 0; k < d; k++) {
    const double s = c->singular[k];
    char *told = calibrate_direction_told(c, k);
    cJSON *one = omr_tree_row(list);
    omr_tree_number(one, "singular_value", s);
    omr_tree_number(one, "by_longer_steps", c->along[k]);
    omr_tree_number(one, "left_of_prior", 1 / sqrt(1 + s * s));
    omr_tree_text(one, "combination", told ? told : "");
    omr_tree_add(one, "direction", cJSON_CreateDoubleArray(c->singular + (k + 1) * d, (int)d));
    free(told);
  }
  return list;
}

static cJSON *stages_json(const omr_calibrate *c) {
  cJSON *list = cJSON_CreateArray();
  for (size_t i = 0; i < c->stages; i++) {
    const omr_tempering_stage *stage = &c->stage[i];
    cJSON *one = omr_tree_row(list);
    omr_tree_number(one, "reached", stage->reached);
    omr_tree_number(one, "effective", stage->effective);
    omr_tree_number(one, "moves", (double)stage->moves);
    omr_tree_number(one, "acceptance", stage->acceptance);
    omr_tree_number(one, "remembered", stage->remembered);
    omr_tree_number(one, "failed", (double)stage->failed);
  }
  return list;
}

omr_status omr_calibrate_json(const omr_calibrate *c, char **json, omr_error *error) {
  cJSON *root = cJSON_CreateObject();
  omr_tree_text(root, "study", c->study->name);
  omr_tree_text(root, "verdict", calibrate_verdict_word(c));
  omr_tree_add(root, "findings", findings_json(c));

  /* The prior against the data; a check ends here. */
  omr_tree_number(root, "members", (double)c->size.members);
  omr_tree_number(root, "steps", (double)c->steps);
  omr_tree_number(root, "prior_distance", sqrt(c->prior_distance));
  omr_tree_number(root, "prior_predicts", c->prior_predicts);
  omr_tree_add(root, "directions", directions_json(c));
  if (c->checked_only) return omr_json_give(root, json, error);

  /* The fit and its cost. */
  if (c->stages) omr_tree_number(root, "log_evidence", c->evidence);
  omr_tree_add(root, "temperatures", stages_json(c));
  omr_tree_number(root, "instance_steps", c->fitted.steps + c->held_out.steps);

  /* The answer, and how well it agrees with the runs. */
  add_rows(root, "parameters", c, true, false);
  add_rows(root, "sensors", c, false, true);
  add_rows(root, "besides", c, false, false);
  omr_tree_add(root, "errors", errors_json(c));
  if (c->mode) omr_tree_add(root, "mode", calibrate_mode_json(c));
  return omr_json_give(root, json, error);
}
