/* Output of `omniroll reference --json`. */
#include "../study/json/json.h"
#include "ensemble.h"

#include "../support/tree.h"

#include <cjson/cJSON.h>
#include <math.h>

/* {"name", "unit", "values"}: one value, or one per wheel, null where a wheel has none. */
static void add_state(void *to, omr_sample_info info, const double *values, size_t count) {
  cJSON *state = omr_tree_row(to);
  omr_tree_text(state, "name", info.name);
  omr_tree_text(state, "unit", info.unit);
  omr_tree_add(state, "values", cJSON_CreateDoubleArray(values, (int)count));
}

static void add_observables(cJSON *to, const omr_result *result, size_t row) {
  cJSON *rows = omr_tree_list(to, "observables");
  for (size_t j = result->parameter_count; j < result->column_count; j++) {
    cJSON *observable = omr_tree_row(rows);
    omr_tree_text(observable, "name", result->columns[j].name);
    omr_tree_text(observable, "unit", result->columns[j].unit);
    omr_tree_number(observable, "value", result->columns[j].values[row]);
  }
}

static void add_drift(cJSON *to, const omr_reference_run *run) {
  cJSON *rows = omr_tree_list(to, "drift");
  for (int d = 0; d < run->drift_count; d++) {
    const omr_reference_drift *drift = &run->drift[d];
    cJSON *row = omr_tree_row(rows);
    omr_tree_text(row, "class", drift->kind);
    omr_tree_number(row, "count", drift->count);
    omr_tree_text(row, "worst", drift->worst);
    omr_tree_number(row, "position", drift->position);
    omr_tree_number(row, "velocity", drift->velocity);
  }
}

void omr_reference_run_json(const omr_reference_run *run, cJSON *to) {
  omr_tree_number(to, "end", run->times ? run->end : (double)NAN);
  if (!run->times) return;
  omr_tree_number(to, "bodies", run->bodies);
  omr_tree_number(to, "states", run->states);
  omr_tree_number(to, "constraints", run->constraints);
  omr_tree_number(to, "conditions", run->rows);
  omr_tree_number(to, "redundant", run->redundant);
  if (run->notes) omr_tree_add(to, "notes", omr_json_lines(run->notes));
  omr_tree_number(to, "steps", (double)run->counts.steps);
  omr_tree_number(to, "evaluations", (double)run->counts.evaluations);
  omr_tree_number(to, "events", (double)run->counts.events);
  omr_tree_number(to, "restarts", (double)run->counts.restarts);
  add_drift(to, run);
}

static cJSON *make_instance(const omr_part *part, const omr_ensemble *e, size_t row) {
  const omr_reference_run *run = &e->runs[row];
  cJSON *instance = cJSON_CreateObject();
  omr_tree_number(instance, "instance", (double)omr_part_row(part, row));
  omr_tree_text(instance, "status",
                run->times ? omr_instance_status_name(run->status) : "invalid_parameters");
  omr_reference_run_json(run, instance);
  if (!run->times) return instance;
  omr_tree_number(instance, "wall_seconds", e->seconds[row]);
  omr_final_states(e->result, row, add_state, omr_tree_list(instance, "final_states"));
  add_observables(instance, e->result, row);
  return instance;
}

cJSON *omr_ensemble_json(const omr_part *part, const omr_ensemble *e) {
  cJSON *root = cJSON_CreateObject(), *instances = NULL;
  omr_tree_text(root, "study", part->study->name);
  omr_tree_number(root, "duration", part->study->time.duration);
  instances = omr_tree_list(root, "instances");
  for (size_t row = 0; row < e->count; row++)
    omr_tree_append(instances, make_instance(part, e, row));
  return root;
}
