/* Output of `omniroll reference --json`. */
#include "../study/json/json.h"
#include "ensemble.h"

#include "../support/tree.h"

#include <cjson/cJSON.h>
#include <math.h>

/* {"name", "unit", "values"}: one value, or one per wheel, null where a wheel has none; left out if
 * the model has none. */
static void add_state(cJSON *states, omr_sample_info info, const double *last, size_t wheels) {
  size_t has = 0;
  for (size_t i = 0; i < wheels; i++) has += isnan(last[i]) ? 0 : 1;
  if (has == 0) return;
  cJSON *state = omr_tree_row(states);
  omr_tree_text(state, "name", info.name);
  omr_tree_text(state, "unit", info.unit);
  omr_tree_add(state, "values", cJSON_CreateDoubleArray(last, (int)wheels));
}

static void add_states(cJSON *to, const omr_result *result, size_t row) {
  cJSON *states = omr_tree_list(to, "final_states");
  const size_t at = row * result->sample_count + omr_last_sample(result, row),
               wheels = (size_t)result->wheels;
  for (int j = 0; j < result->small_sample_count; j++)
    if (result->small_samples[j])
      add_state(states, result->small_info[j], result->small_samples[j] + at, 1);
  for (int j = 0; j < OMR_VS_COUNT; j++)
    if (result->vehicle_samples[j])
      add_state(states, omr_result_vehicle_sample(result, j), result->vehicle_samples[j] + at, 1);
  for (int j = 0; j < OMR_WS_COUNT; j++)
    if (result->wheel_samples[j])
      add_state(states, omr_result_wheel_sample(result, j), result->wheel_samples[j] + at * wheels,
                wheels);
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
  add_states(instance, e->result, row);
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
