/* What `omniroll reference --json` prints. */
#include "ensemble.h"

#include <cjson/cJSON.h>
#include <math.h>

/* null for a number that is none. */
static void add_number(cJSON *to, const char *name, double value) {
  cJSON_AddItemToObject(to, name, isfinite(value) ? cJSON_CreateNumber(value) : cJSON_CreateNull());
}

static size_t last_sample(const omr_result *result, size_t row, const double *values,
                          size_t wheels) {
  size_t s = result->sample_count;
  while (s > 1 && isnan(values[(row * result->sample_count + s - 1) * wheels])) s--;
  return s - 1;
}

/* {"name", "unit", "values"}: one value, or one per wheel; left out where the model has none. */
static void add_state(cJSON *states, const omr_result *result, omr_sample_info info,
                      const double *values, size_t row, size_t wheels) {
  if (!values) return;
  const double *last =
      values + (row * result->sample_count + last_sample(result, row, values, wheels)) * wheels;
  if (isnan(last[0])) return;
  cJSON *state = cJSON_CreateObject();
  cJSON_AddStringToObject(state, "name", info.name);
  cJSON_AddStringToObject(state, "unit", info.unit);
  cJSON_AddItemToObject(state, "values", cJSON_CreateDoubleArray(last, (int)wheels));
  cJSON_AddItemToArray(states, state);
}

static void add_states(cJSON *to, const omr_result *result, size_t row) {
  cJSON *states = cJSON_AddArrayToObject(to, "final_states");
  for (int j = 0; j < result->small_sample_count; j++)
    add_state(states, result, result->small_info[j], result->small_samples[j], row, 1);
  for (int j = 0; j < OMR_VS_COUNT; j++)
    add_state(states, result, omr_vehicle_samples[j], result->vehicle_samples[j], row, 1);
  for (int j = 0; j < OMR_WS_COUNT; j++)
    add_state(states, result, omr_wheel_samples[j], result->wheel_samples[j], row,
              (size_t)result->wheels);
}

static void add_observables(cJSON *to, const omr_result *result, size_t row) {
  cJSON *rows = cJSON_AddArrayToObject(to, "observables");
  for (size_t j = result->parameter_count; j < result->column_count; j++) {
    cJSON *observable = cJSON_CreateObject();
    cJSON_AddStringToObject(observable, "name", result->columns[j].name);
    cJSON_AddStringToObject(observable, "unit", result->columns[j].unit);
    add_number(observable, "value", result->columns[j].values[row]);
    cJSON_AddItemToArray(rows, observable);
  }
}

static void add_drift(cJSON *to, const omr_reference_run *run) {
  cJSON *rows = cJSON_AddArrayToObject(to, "drift");
  for (int d = 0; d < run->drift_count; d++) {
    const omr_reference_drift *drift = &run->drift[d];
    cJSON *row = cJSON_CreateObject();
    cJSON_AddStringToObject(row, "class", drift->kind);
    cJSON_AddNumberToObject(row, "count", drift->count);
    cJSON_AddStringToObject(row, "worst", drift->worst);
    add_number(row, "position", drift->position);
    add_number(row, "velocity", drift->velocity);
    cJSON_AddItemToArray(rows, row);
  }
}

void omr_reference_run_json(const omr_reference_run *run, cJSON *to) {
  add_number(to, "end", run->times ? run->end : (double)NAN);
  if (!run->times) return;
  cJSON_AddNumberToObject(to, "bodies", run->bodies);
  cJSON_AddNumberToObject(to, "states", run->states);
  cJSON_AddNumberToObject(to, "constraints", run->constraints);
  cJSON_AddNumberToObject(to, "conditions", run->rows);
  cJSON_AddNumberToObject(to, "redundant", run->redundant);
  cJSON_AddNumberToObject(to, "steps", (double)run->counts.steps);
  cJSON_AddNumberToObject(to, "evaluations", (double)run->counts.evaluations);
  cJSON_AddNumberToObject(to, "events", (double)run->counts.events);
  cJSON_AddNumberToObject(to, "restarts", (double)run->counts.restarts);
  add_drift(to, run);
}

static cJSON *make_instance(const omr_part *part, const omr_ensemble *e, size_t row) {
  const omr_reference_run *run = &e->runs[row];
  cJSON *instance = cJSON_CreateObject();
  cJSON_AddNumberToObject(instance, "instance", (double)omr_part_row(part, row));
  cJSON_AddStringToObject(instance, "status",
                          run->times ? omr_instance_status_name(run->status)
                                     : "invalid_parameters");
  omr_reference_run_json(run, instance);
  if (!run->times) return instance;
  add_number(instance, "wall_seconds", e->seconds[row]);
  add_states(instance, e->result, row);
  add_observables(instance, e->result, row);
  return instance;
}

cJSON *omr_ensemble_json(const omr_part *part, const omr_ensemble *e) {
  cJSON *root = cJSON_CreateObject(), *instances = NULL;
  cJSON_AddStringToObject(root, "study", part->study->name);
  cJSON_AddNumberToObject(root, "duration", part->study->duration);
  instances = cJSON_AddArrayToObject(root, "instances");
  for (size_t row = 0; row < e->count; row++)
    cJSON_AddItemToArray(instances, make_instance(part, e, row));
  return root;
}
