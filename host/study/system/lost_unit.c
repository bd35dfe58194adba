/* --set and the unit of a parameter in a system of the study's own: the value brings the unit, so a
 * bare number would change the quantity. */
#include "../grammar/parse.h"
#include "../json/json.h"

#include <string.h>

static bool is_own(const cJSON *root) {
  const cJSON *model = omr_json_get(root, "model");
  return cJSON_IsString(model) &&
         strcmp(model->valuestring, omr_model_names[OMR_MODEL_MULTIBODY]) == 0;
}

cJSON *omr_own_parameters(const omr_json *json) {
  const cJSON *parameters = is_own(json->root) ? omr_json_get(json->root, "parameters") : NULL;
  return parameters ? cJSON_Duplicate(parameters, true) : NULL;
}

/* The value of a parameter, which may have a meaning next to it. */
static const cJSON *value_of(const cJSON *parameter) {
  return cJSON_IsObject(parameter) ? omr_json_get(parameter, "value") : parameter;
}

/* The unit of a text such as "250 rpm"; NULL where there is none. */
static const char *unit_of(const cJSON *value) {
  if (!cJSON_IsString(value)) return NULL;
  const char *unit = omr_after_number(value->valuestring);
  return unit && *unit && strcmp(unit, "1") != 0 ? unit : NULL;
}

/* A number, or the text of one. */
static bool is_bare(const cJSON *value) {
  if (cJSON_IsNumber(value)) return true;
  if (!cJSON_IsString(value)) return false;
  const char *unit = omr_after_number(value->valuestring);
  return unit && !*unit;
}

omr_status omr_refuse_lost_unit(const omr_json *json, const cJSON *before, const char *assignment,
                                omr_error *error) {
  const cJSON *after = is_own(json->root) ? omr_json_get(json->root, "parameters") : NULL, *item;

  /* Only a parameter that had a unit and now has none is refused. */
  cJSON_ArrayForEach(item, after) {
    const cJSON *old = value_of(item->string ? omr_json_get(before, item->string) : NULL),
                *now = value_of(item);
    const char *unit = unit_of(old);
    if (!unit || !is_bare(now)) continue;

    /* The message repeats the number and gives the unit back. */
    char number[64];
    if (cJSON_IsString(now))
      snprintf(number, sizeof number, "%.40s", now->valuestring);
    else
      snprintf(number, sizeof number, "%.12g", now->valuedouble);
    return omr_fail(error, OMR_ERR_STUDY,
                    "--set \"%.200s\": parameters.%s is \"%.60s\" in the study, and %s has no "
                    "unit; give it one: --set \"parameters.%s=%s %s\"",
                    assignment, item->string, old->valuestring, number, item->string, number, unit);
  }
  return OMR_OK;
}
