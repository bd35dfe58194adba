/* The columns of one instance as JSON, for a program that integrates it by the kernels itself. */
#include "prepare.h"

#include "../../kernels/layout.h"
#include "../lists/parameters.h"
#include "../lists/samples.h"
#include "../study/json/json.h"
#include "../support/tree.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Doubles of columns as hexadecimal digits, the first digit the highest. */
static void put_numbers(cJSON *root, const char *name, const double *values, size_t count,
                        size_t stride) {
  char *text = malloc(16 * count + 1), *to = text;
  for (size_t j = 0; text && j < count; j++) {
    uint64_t bits;
    memcpy(&bits, values + j * stride, sizeof bits);
    for (int shift = 60; shift >= 0; shift -= 4) *to++ = "0123456789abcdef"[bits >> shift & 15];
  }
  if (text) *to = '\0';
  omr_tree_add(root, name, text ? cJSON_CreateString(text) : NULL);
  free(text);
}

static void put_names(cJSON *root, const char *name, const omr_sample_info *samples, int count) {
  cJSON *list = omr_tree_list(root, name);
  for (int j = 0; j < count; j++) omr_tree_append(list, cJSON_CreateString(samples[j].name));
}

static void put_columns(cJSON *root, const omr_study *study, const omr_run_settings *s,
                        const omr_batch *batch) {
  const int *k = s->integers;
  const char *base = k[K_CONSTRAINED]  ? "constraint"
                     : k[K_COMPLIANT]  ? "compliant"
                     : k[K_KINDS] != 0 ? "mixed"
                                       : "friction";
  char laws[32];
  snprintf(laws, sizeof laws, "%s%s", base, s->controlled ? "_pair" : "");
  omr_tree_text(root, "laws", laws);
  omr_tree_number(root, "wheels", study->wheels);
  omr_tree_number(root, "step", s->controlled ? s->end : s->step);
  omr_tree_number(root, "end", s->end);
  put_names(root, "vehicle_samples", omr_vehicle_samples, OMR_VS_COUNT);
  put_names(root, "wheel_samples", omr_wheel_samples, OMR_WS_COUNT);
  cJSON *place = omr_tree_object(root, "places");
  omr_tree_number(place, "max_rollers", K_MAX_ROLLERS);
  omr_tree_number(place, "clock", s->step_column);
  omr_tree_number(place, "fraction", s->fraction_column);
  omr_tree_number(place, "status", S_STATUS);
  omr_tree_number(place, "work", S_WORK);
  omr_tree_number(place, "dissipated", S_DISSIPATED);
  cJSON *settings = omr_tree_list(root, "settings");
  for (int i = 0; i < K_COUNT; i++) omr_tree_append(settings, cJSON_CreateNumber(k[i]));
  put_numbers(root, "tables", s->tables, s->table_count, 1);
  put_numbers(root, "params", batch->params, (size_t)s->param_columns, batch->stride);
  put_numbers(root, "state", batch->state, (size_t)s->state_columns, batch->stride);
  put_numbers(root, "spins", batch->spins, (size_t)s->spin_columns, OMR_PAD);
}

/* The parameter that a path means, of all wheels where it begins with "wheel."; NULL: none. */
static const omr_parameter *find(const char *path, size_t length, bool *per_wheel, int *index) {
  const char head[] = "wheel.";
  *per_wheel = length > sizeof head && strncmp(path, head, sizeof head - 1) == 0;
  const omr_parameter *all = *per_wheel ? omr_wheel_parameters : omr_vehicle_parameters;
  const int count = *per_wheel ? OMR_WP_COUNT : OMR_VP_COUNT;
  if (*per_wheel) path += sizeof head - 1, length -= sizeof head - 1;
  for (*index = 0; *index < count; ++*index) {
    const char *known = all[*index].path;
    if (strlen(known) == length && strncmp(known, path, length) == 0) return &all[*index];
  }
  return NULL;
}

/* Gives the parameter of "path=number" its value, on every wheel; rollers where there are any. Of a
 * path alone `known` takes the values. */
static omr_status give(const omr_study *study, const char *text, omr_values *values, cJSON *known,
                       omr_error *error) {
  const char *equals = strchr(text, '=');
  bool per_wheel;
  int index;
  const omr_parameter *parameter =
      find(text, equals ? (size_t)(equals - text) : strlen(text), &per_wheel, &index);
  if (parameter && !equals) {
    cJSON *list = omr_tree_list(known, text);
    for (int i = 0; i < (per_wheel ? study->wheels : 1); i++)
      omr_tree_append(
          list, cJSON_CreateNumber(per_wheel ? values->wheel[i][index] : values->vehicle[index]));
    return OMR_OK;
  }
  char *end = NULL;
  const double value = equals ? strtod(equals + 1, &end) : 0;
  if (!parameter || end == equals + 1 || *end)
    return omr_fail(error, OMR_ERR_USAGE,
                    "%s: expected a parameter of omniroll describe and a number in its unit, such "
                    "as wheel.friction=0.4",
                    text);
  if (!(value >= parameter->low && value <= parameter->high) ||
      (value == parameter->low && (parameter->flags & OMR_P_OPEN_LOW)) ||
      ((parameter->flags & OMR_P_INTEGER) && value != rint(value)))
    return omr_fail(error, OMR_ERR_STUDY, "%s is outside of what the parameter can be", text);
  if (!per_wheel) values->vehicle[index] = value;
  for (int i = 0; per_wheel && i < study->wheels; i++)
    if (index != OMR_WP_ROLLERS || !omr_wheel_is_bare(study->kind[i]))
      values->wheel[i][index] = value;
  return OMR_OK;
}

/* Room for the rollers of these values, which may be more than the study has anywhere. */
static void widen(const omr_study *study, const omr_values *values, omr_run_settings *s) {
  double most = s->integers[K_MAX_ROLLERS];
  if (study->model == OMR_MODEL_DISC_VEHICLE) return;
  for (int i = 0; i < study->wheels; i++)
    if (!omr_wheel_is_bare(study->kind[i])) most = fmax(most, values->wheel[i][OMR_WP_ROLLERS]);
  s->spin_columns = s->spin_columns / s->integers[K_MAX_ROLLERS] * (int)most;
  s->integers[K_MAX_ROLLERS] = (int)most;
}

static omr_status prepare(const omr_study *study, const omr_values *values, omr_run_settings *s,
                          cJSON *root, omr_error *error) {
  char reason[400];
  omr_batch batch = {0};
  widen(study, values, s);
  omr_status status = OMR_OK;
  if (!omr_batch_make(s, OMR_PAD, &batch))
    status = omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  else if (!omr_prepare_instance(study, s, values, &batch, 0, reason, sizeof reason))
    status = omr_fail(error, OMR_ERR_STUDY, "%s", reason);
  else
    put_columns(root, study, s, &batch);
  omr_batch_free(&batch);
  return status;
}

omr_status omr_study_columns_json(const omr_study *study, size_t instance,
                                  const char *const *settings, size_t count, char **json,
                                  omr_error *error) {
  omr_values values;
  omr_run_settings s = {0};
  *json = NULL;
  if (instance >= study->instances || study->wheels == 0)
    return omr_fail(error, OMR_ERR_USAGE, "%s: there is no vehicle of number %zu", study->name,
                    instance);
  omr_study_values(study, instance, &values, NULL);
  cJSON *root = cJSON_CreateObject(), *known = omr_tree_object(root, "values");
  omr_status status = OMR_OK;
  for (size_t i = 0; status == OMR_OK && i < count; i++)
    status = give(study, settings[i], &values, known, error);
  if (status == OMR_OK) status = omr_settings_make(study, &s, error);
  if (status == OMR_OK) status = prepare(study, &values, &s, root, error);
  omr_settings_free(&s);
  if (status == OMR_OK) return omr_json_give(root, json, error);
  cJSON_Delete(root);
  return status;
}
