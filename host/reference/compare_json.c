/* The comparison as JSON. Numbers that are not finite are null. */
#include "compare.h"

#include "study/json.h"
#include <math.h>
#include <stdlib.h>

static void number(cJSON *object, const char *name, double value) {
  if (isfinite(value)) {
    cJSON_AddNumberToObject(object, name, value);
  } else {
    cJSON_AddNullToObject(object, name);
  }
}

static void difference(cJSON *object, const char *name, const omr_difference *d, bool sampled,
                       bool wheels) {
  cJSON *part = cJSON_AddObjectToObject(object, name);
  number(part, "largest", d->largest);
  if (sampled) number(part, "time", d->time);
  if (sampled && wheels && d->compared) number(part, "wheel", d->wheel);
  number(part, "compared", (double)d->compared);
  if (d->left_out) number(part, "left_out", (double)d->left_out);
  if (d->one_sided) number(part, "one_sided", (double)d->one_sided);
}

static void quantity(cJSON *list, const omr_quantity *q, const omr_compared *d) {
  static const char *const places[] = {"sample", "sample", "wheel_sample", "observable"};
  static const char *const scales[] = {"range", "largest of the unit", "one"};
  cJSON *object = cJSON_CreateObject();
  const bool sampled = q->place != OMR_Q_OBSERVABLE, wheels = q->place == OMR_Q_WHEEL;
  cJSON_AddItemToArray(list, object);
  cJSON_AddStringToObject(object, "name", q->name);
  cJSON_AddStringToObject(object, "unit", q->unit);
  cJSON_AddStringToObject(object, "kind", places[q->place]);
  number(object, "scale", d->scale.value);
  cJSON_AddStringToObject(object, "scale_from", scales[d->scale.kind]);
  if (!sampled) {
    number(object, "reference", d->reference);
    number(object, "fast_h", d->fast[0]);
    number(object, "fast_half", d->fast[1]);
  }
  difference(object, "whole", &d->whole, sampled, wheels);
  difference(object, "step", &d->step, sampled, wheels);
  difference(object, "model", &d->model, sampled, wheels);
  cJSON_AddBoolToObject(object, "differs", d->differs);
}

static void rollers(cJSON *object, const char *name, const omr_roller_mismatch *m) {
  cJSON *part = cJSON_AddObjectToObject(object, name);
  number(part, "compared", (double)m->compared);
  number(part, "differ", (double)m->differ);
  number(part, "away_from_edges", (double)m->unexplained);
  if (!m->differ) return;
  number(part, "time", m->time);
  number(part, "wheel", m->wheel);
}

static void instance(const omr_comparison *c, cJSON *list, const omr_compared_instance *k) {
  static const char *const sides[] = {"reference", "fast_h", "fast_half"}, *const pairs[] = {
                                                                               "whole", "step",
                                                                               "model"};
  cJSON *object = cJSON_CreateObject();
  cJSON_AddItemToArray(list, object);
  number(object, "instance", (double)k->instance);
  cJSON *status = cJSON_AddObjectToObject(object, "status"),
        *end = cJSON_AddObjectToObject(object, "end");
  for (int i = 0; i < 3; i++) {
    cJSON_AddStringToObject(status, sides[i], omr_instance_status_name(k->status[i]));
    number(end, sides[i], k->end[i]);
  }
  cJSON_AddBoolToObject(object, "status_differs", k->status_differs);
  cJSON *roller = cJSON_AddObjectToObject(object, "rollers");
  for (int i = 0; i < 3; i++) rollers(roller, pairs[i], &k->rollers[i]);
  for (int half = 0; half < 2; half++)
    number(object, half ? "edge_holds_half" : "edge_holds_h", k->holds[half]);
  cJSON *quantities = cJSON_AddArrayToObject(object, "quantities");
  for (size_t q = 0; q < c->quantity_count; q++)
    if (k->quantities[q].there) quantity(quantities, &c->quantities[q], &k->quantities[q]);
}

static void run(const omr_comparison *c, cJSON *list, const omr_compared_run *r) {
  cJSON *object = cJSON_CreateObject();
  cJSON_AddItemToArray(list, object);
  cJSON_AddStringToObject(object, "name", r->name);
  if (r->skipped[0]) {
    cJSON_AddStringToObject(object, "not_run", r->skipped);
    return;
  }
  cJSON_AddStringToObject(object, "device", r->results[0]->record.device);
  cJSON_AddStringToObject(object, "precision", r->results[0]->record.precision);
  cJSON_AddStringToObject(object, "numerics", r->results[0]->record.numerics);
  number(object, "tolerance", r->tolerance);
  number(object, "seconds_per_simulated_second", r->lane_seconds);
  if (r->same_as >= 0) cJSON_AddStringToObject(object, "same_bits_as", c->runs[r->same_as].name);
  number(object, "largest_model", r->largest_model);
  number(object, "largest_step", r->largest_step);
  cJSON_AddBoolToObject(object, "differs", r->differs);
  cJSON *instances = cJSON_AddArrayToObject(object, "instances");
  for (size_t k = 0; k < c->count; k++) instance(c, instances, &r->instances[k]);
}

static void reference(const omr_ensemble *e, cJSON *list) {
  for (size_t k = 0; k < e->count; k++) {
    const omr_reference_run *r = &e->runs[k];
    cJSON *object = cJSON_CreateObject();
    cJSON_AddItemToArray(list, object);
    number(object, "instance", (double)e->result->numbers[k]);
    cJSON_AddStringToObject(object, "status", omr_instance_status_name(e->result->status[k]));
    omr_reference_run_json(r, object);
    if (r->times)
      number(object, "seconds_per_simulated_second",
             r->end > 0 ? e->seconds[k] / r->end : (double)NAN);
  }
}

omr_status omr_comparison_print_json(const omr_comparison *c, FILE *out, omr_error *error) {
  char verdict[1024];
  cJSON *root = cJSON_CreateObject();
  const omr_study *study = &c->study[0];
  omr_comparison_verdict(c, verdict, sizeof verdict);
  cJSON_AddStringToObject(root, "study", study->name);
  cJSON_AddStringToObject(root, "title", study->title ? study->title : "");
  cJSON_AddStringToObject(root, "model", omr_model_names[study->model]);
  number(root, study->tolerance > 0 ? "tolerance" : "step",
         study->tolerance > 0 ? study->tolerance : study->step);
  number(root, "duration", study->duration);
  number(root, "interval", omr_study_interval(study));
  reference(&c->reference, cJSON_AddArrayToObject(root, "reference"));
  cJSON *runs = cJSON_AddArrayToObject(root, "runs");
  for (size_t i = 0; i < c->run_count; i++) run(c, runs, &c->runs[i]);
  cJSON_AddBoolToObject(root, "differs", c->differs);
  cJSON_AddBoolToObject(root, "step_error_above_tolerance", c->unresolved);
  cJSON_AddStringToObject(root, "verdict", verdict);
  char *text = omr_json_print(root);
  cJSON_Delete(root);
  if (!text) return omr_fail(error, OMR_ERR_MEMORY, "out of memory for the comparison as JSON");
  fprintf(out, "%s\n", text);
  free(text);
  return OMR_OK;
}
