/* Everything that a result says apart from its numbers, as JSON. */
#include "../result/attributes.h"
#include "../study/json/json.h"
#include "outcome_parts.h"
#include "step_error.h"

#include <math.h>

/* JSON has no numbers that are not finite. */
static void put_number(cJSON *to, const char *name, double value) {
  if (isfinite(value))
    omr_tree_number(to, name, value);
  else
    omr_tree_text(to, name, isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
}

/* Attributes go into three objects by type, because JSON does not tell 5 from 5.0. */
typedef struct kinds {
  cJSON *texts, *integers, *numbers;
} kinds;

static void take_text(void *to, const char *name, const char *value) {
  omr_tree_text(((kinds *)to)->texts, name, value);
}

static void take_number(void *to, const char *name, double value) {
  put_number(((kinds *)to)->numbers, name, value);
}

static void take_integer(void *to, const char *name, int64_t value) {
  omr_tree_number(((kinds *)to)->integers, name, (double)value);
}

static void add_attributes(cJSON *root, const omr_result *r) {
  cJSON *all = omr_tree_object(root, "attributes");
  kinds by = {omr_tree_object(all, "texts"), omr_tree_object(all, "integers"),
              omr_tree_object(all, "numbers")};
  const omr_attributes to = {&by, take_text, take_number, take_integer};
  omr_attributes_of_study(r, &to);
  if (r->warnings[0]) omr_tree_text(by.texts, "warnings", r->warnings);
  if (r->traced_names && r->traced_names[0])
    omr_tree_text(by.texts, "traced_names", r->traced_names);
  if (r->first_invalid[0]) omr_tree_text(by.texts, "first_invalid", r->first_invalid);
  if (!r->design_only) omr_attributes_of_run(&r->record, &to);
  if (!r->design_only) omr_attributes_of_outcome(&r->record, r->retries != NULL, &to);
  omr_attributes_of_time(&to);
}

static cJSON *add_named(cJSON *list, omr_sample_info info, const char *role) {
  cJSON *item = omr_tree_row(list);
  omr_tree_text(item, "name", info.name);
  if (info.unit)
    omr_tree_text(item, "unit", info.unit);
  else
    omr_tree_null(item, "unit");
  omr_tree_text(item, "long_name", info.meaning);
  if (role) omr_tree_text(item, "role", role);
  return item;
}

static void add_step_error(cJSON *item, const omr_result *r, size_t column) {
  const omr_step_quantity *step =
      r->statistics ? omr_step_quantity_of(r->statistics, column) : NULL;
  if (!step || step->used == 0) return;
  put_number(item, "step_error", step->mean.error);
  put_number(item, "step_error_low", step->mean.low);
  put_number(item, "step_error_high", step->mean.high);
  put_number(item, "step_order", step->order);
}

static void add_rows(cJSON *root, const omr_result *r) {
  cJSON *list = omr_tree_list(root, "rows");
  for (size_t c = 0; c < r->column_count; c++) {
    const omr_column *column = &r->columns[c];
    const bool parameter = c < r->parameter_count;
    cJSON *item = add_named(list, (omr_sample_info){column->name, column->unit, column->meaning},
                            parameter ? "parameter" : "observable");
    add_step_error(item, r, c);
  }
  if (r->design_only) return;
  add_named(list, omr_kept_info(OMR_KEPT_STATUS), "status");
  add_named(list, omr_kept_info(OMR_KEPT_STATUS_TIME), "status_time");
  if (r->retries) add_named(list, omr_kept_info(OMR_KEPT_RETRIES), "retries");
}

static void add_quantities(cJSON *root, const omr_result *r) {
  cJSON *list = omr_tree_list(root, "quantities");
  const size_t count = r->traced_count && r->sample_count ? omr_result_series_count(r) : 0;
  for (size_t i = 0; i < count; i++) {
    const omr_series series = omr_result_series(r, i);
    if (!*series.values) continue;
    cJSON *item = add_named(list, series.info, NULL), *over = omr_tree_list(item, "over");
    if (series.over_time) omr_tree_append(over, cJSON_CreateString("time"));
    if (series.over_wheels) omr_tree_append(over, cJSON_CreateString("wheel"));
  }
}

static void add_statuses(cJSON *root) {
  size_t count;
  const int8_t *codes = omr_status_codes(&count);
  cJSON *values = omr_tree_list(root, "flag_values");
  for (size_t i = 0; i < count; i++) omr_tree_append(values, cJSON_CreateNumber(codes[i]));
  omr_tree_text(root, "flag_meanings", omr_status_words());
}

static void add_dimensions(cJSON *root, const omr_result *r) {
  cJSON *dimensions = omr_tree_object(root, "dimensions");
  const omr_kept_name kept[] = {OMR_KEPT_INSTANCE, OMR_KEPT_TRACED, OMR_KEPT_TIME, OMR_KEPT_WHEEL};
  static const char *const names[] = {"instance", "traced", "time", "wheel"};
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
    cJSON *item = omr_tree_object(dimensions, names[i]);
    const omr_sample_info info = omr_kept_info(kept[i]);
    if (info.unit) omr_tree_text(item, "units", info.unit);
    omr_tree_text(item, "long_name", info.meaning);
  }
  omr_tree_number(root, "wheels", r->wheels);
}

omr_status omr_result_about_json(const omr_result *result, char **json, omr_error *error) {
  cJSON *root = cJSON_CreateObject();
  *json = NULL;
  add_attributes(root, result);
  add_dimensions(root, result);
  add_rows(root, result);
  add_quantities(root, result);
  add_statuses(root);
  const bool rare =
      result->statistics && result->statistics->outcome && result->statistics->outcome->level;
  omr_tree_bool(root, "marked", rare);
  return omr_json_give(root, json, error);
}
