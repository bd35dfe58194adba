/* The comparison as JSON. Numbers that are not finite are null. */
#include "compare.h"

#include "study/json/json.h"
#include <math.h>
#include <stdlib.h>

static void difference(cJSON *object, const char *name, const omr_difference *d, bool sampled,
                       bool wheels) {
  cJSON *part = omr_tree_object(object, name);
  omr_tree_number(part, "largest", d->largest);
  if (sampled) omr_tree_number(part, "time", d->time);
  if (sampled && wheels && d->compared) omr_tree_number(part, "wheel", d->wheel);
  omr_tree_number(part, "compared", (double)d->compared);
  if (d->left_out) omr_tree_number(part, "left_out", (double)d->left_out);
  if (d->one_sided) omr_tree_number(part, "one_sided", (double)d->one_sided);
}

static void quantity(cJSON *list, const omr_quantity *q, const omr_compared *d) {
  static const char *const places[] = {"sample", "sample", "wheel_sample", "observable"};
  static const char *const scales[] = {"range", "largest of the unit", "one"};

  cJSON *object = omr_tree_row(list);
  const bool sampled = q->place != OMR_Q_OBSERVABLE, wheels = q->place == OMR_Q_WHEEL;

  /* the quantity and its scale */
  omr_tree_text(object, "name", q->name);
  omr_tree_text(object, "unit", q->unit);
  omr_tree_text(object, "kind", places[q->place]);
  omr_tree_number(object, "scale", d->scale.value);
  omr_tree_text(object, "scale_from", scales[d->scale.kind]);

  /* an observable has one value in each run */
  if (!sampled) {
    omr_tree_number(object, "reference", d->reference);
    omr_tree_number(object, "fast_h", d->fast[0]);
    omr_tree_number(object, "fast_half", d->fast[1]);
  }

  /* the differences and their verdict */
  difference(object, "whole", &d->whole, sampled, wheels);
  difference(object, "step", &d->step, sampled, wheels);
  difference(object, "model", &d->model, sampled, wheels);
  difference(object, "own", &d->own, sampled, wheels);

  omr_tree_bool(object, "differs", d->differs);
  omr_tree_bool(object, "limited", d->limited);
}

static void rollers(cJSON *object, const char *name, const omr_roller_mismatch *m) {
  cJSON *part = omr_tree_object(object, name);
  omr_tree_number(part, "compared", (double)m->compared);
  omr_tree_number(part, "differ", (double)m->differ);
  omr_tree_number(part, "away_from_edges", (double)m->unexplained);
  if (!m->differ) return;
  omr_tree_number(part, "time", m->time);
  omr_tree_number(part, "wheel", m->wheel);
}

static void instance(const omr_comparison *c, cJSON *list, const omr_compared_instance *k) {
  static const char *const sides[] = {"reference", "fast_h", "fast_half", "reference_again"},
                           *const pairs[OMR_PAIRS] = {"whole", "step", "model", "own"};
  cJSON *object = omr_tree_row(list);
  omr_tree_number(object, "instance", (double)k->instance);
  cJSON *status = omr_tree_object(object, "status"), *end = omr_tree_object(object, "end");
  for (int i = 0; i < 4; i++) {
    omr_tree_text(status, sides[i], omr_instance_status_name(k->status[i]));
    omr_tree_number(end, sides[i], k->end[i]);
  }
  omr_tree_bool(object, "status_differs", k->status_differs);
  cJSON *roller = omr_tree_object(object, "rollers");
  for (int i = 0; i < OMR_PAIRS; i++) rollers(roller, pairs[i], &k->rollers[i]);
  for (int half = 0; half < 2; half++)
    omr_tree_number(object, half ? "edge_holds_half" : "edge_holds_h", k->holds[half]);
  cJSON *quantities = omr_tree_list(object, "quantities");
  for (size_t q = 0; q < c->quantity_count; q++)
    if (k->quantities[q].there) quantity(quantities, &c->quantities[q], &k->quantities[q]);
}

static void run(const omr_comparison *c, cJSON *list, const omr_compared_run *r) {
  cJSON *object = omr_tree_row(list);
  omr_tree_text(object, "name", r->name);

  if (r->skipped[0]) {
    omr_tree_text(object, "not_run", r->skipped);
    return;
  }

  /* the run */
  omr_tree_text(object, "device", r->results[0]->record.device);
  omr_tree_text(object, "precision", r->results[0]->record.precision);
  omr_tree_text(object, "numerics", r->results[0]->record.numerics);
  omr_tree_number(object, "tolerance", r->tolerance);
  omr_tree_number(object, "seconds_per_simulated_second", r->lane_seconds);
  if (r->same_as >= 0) omr_tree_text(object, "same_bits_as", c->runs[r->same_as].name);

  /* its largest errors and its verdict */
  omr_tree_number(object, "largest_model", r->largest_model);
  omr_tree_number(object, "largest_step", r->largest_step);
  omr_tree_number(object, "largest_own", r->largest_own);
  omr_tree_bool(object, "differs", r->differs);
  omr_tree_bool(object, "limited_by_reference", r->limited);

  cJSON *instances = omr_tree_list(object, "instances");
  for (size_t k = 0; k < c->count; k++) instance(c, instances, &r->instances[k]);
}

static void reference(const omr_ensemble *e, cJSON *list) {
  for (size_t k = 0; k < e->count; k++) {
    const omr_reference_run *r = &e->runs[k];
    cJSON *object = omr_tree_row(list);
    omr_tree_number(object, "instance", (double)e->result->numbers[k]);
    omr_tree_text(object, "status", omr_instance_status_name(e->result->status[k]));
    omr_reference_run_json(r, object);
    if (r->times)
      omr_tree_number(object, "seconds_per_simulated_second",
                      r->end > 0 ? e->seconds[k] / r->end : (double)NAN);
  }
}

omr_status omr_comparison_print_json(const omr_comparison *c, FILE *out, omr_error *error) {
  char verdict[1024];
  cJSON *root = cJSON_CreateObject();
  const omr_study *study = &c->study[0];
  omr_comparison_verdict(c, verdict, sizeof verdict);

  /* the study */
  omr_tree_text(root, "study", study->name);
  omr_tree_text(root, "title", study->title ? study->title : "");
  omr_tree_text(root, "model", omr_model_names[study->model]);
  omr_tree_number(root, omr_controls_steps(study) ? "tolerance" : "step",
                  omr_controls_steps(study) ? study->time.tolerance : study->time.step);
  omr_tree_number(root, "duration", study->time.duration);
  omr_tree_number(root, "interval", omr_study_interval(study));

  /* tolerances and runs */
  omr_tree_number(root, "reference_tolerance", c->reference_tolerance[0]);
  omr_tree_number(root, "reference_again_tolerance", c->reference_tolerance[1]);
  reference(&c->reference, omr_tree_list(root, "reference"));
  cJSON *runs = omr_tree_list(root, "runs");
  for (size_t i = 0; i < c->run_count; i++) run(c, runs, &c->runs[i]);

  /* the verdict */
  omr_tree_bool(root, "differs", c->differs);
  omr_tree_bool(root, "limited_by_reference", c->limited);
  omr_tree_bool(root, "reference_error_above_tolerance", c->inexact);
  omr_tree_bool(root, "step_error_above_tolerance", c->unresolved);
  omr_tree_text(root, "verdict", verdict);

  char *text = omr_json_print(root);
  cJSON_Delete(root);
  if (!text) return omr_fail(error, OMR_ERR_MEMORY, "out of memory for the comparison as JSON");
  fprintf(out, "%s\n", text);
  free(text);
  return OMR_OK;
}
