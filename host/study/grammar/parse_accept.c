/* Limits of the step error: integrator.step_error and integrator.accept, which criteria fill up. */
#include "../expression/expression.h"
#include "parse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PART_OF_THRESHOLD 0.02

static bool is_criterion(const char *key) {
  const size_t prefix = strlen(OMR_CRITERION_NAME);
  return strncmp(key, OMR_CRITERION_NAME, prefix) == 0 &&
         (key[prefix] == '.' || key[prefix] == '\0');
}

/* "fail" or "fail.NAME". */
static omr_status find_criterion(omr_reader *reader, const cJSON *item, omr_accept *accept) {
  const char *rest = item->string + strlen(OMR_CRITERION_NAME);
  const omr_statistics_settings *settings = &reader->study->statistics;
  accept->of_criterion = true;
  accept->index = omr_find_criterion(settings, *rest == '.' ? rest + 1 : item->string);
  if (accept->index < settings->criterion_count) return OMR_OK;
  return OMR_REFUSE(
      reader, item,
      "there is no criterion of that name in statistics.fail: add one, or name an observable");
}

static omr_status find_observable(omr_reader *reader, const cJSON *item, const omr_names *names,
                                  omr_accept *accept, const char **unit) {
  const omr_name *found;
  OMR_TRY(omr_find_observed(reader, item, names, item->string, ", and a criterion is \"fail.NAME\"",
                            "in which the step makes no error", &found));
  accept->index = found->column;
  *unit = found->unit;
  return OMR_OK;
}

static bool in_per_cent(const cJSON *item) {
  const char *text = cJSON_GetStringValue(item);
  return text && strchr(text, '%');
}

static omr_status read_entry(omr_reader *reader, const cJSON *item, const omr_names *names,
                             omr_accept *accept) {
  const char *unit = "1";
  *accept = (omr_accept){.given = true};
  OMR_TRY(is_criterion(item->string) ? find_criterion(reader, item, accept)
                                     : find_observable(reader, item, names, accept, &unit));
  accept->relative = !accept->of_criterion && in_per_cent(item);
  OMR_TRY(omr_read_quantity(reader, item, accept->relative ? "1" : unit, &accept->most));
  if (!(accept->most > 0))
    return OMR_REFUSE(reader, item, "is %.9g; the error that is accepted must be above 0",
                      accept->most);
  if (!accept->of_criterion || accept->most < 1) return OMR_OK;
  return OMR_REFUSE(
      reader, item,
      "is %.9g; the share of instances whose criterion flips is below 1, such as \"1 %%\"",
      accept->most);
}

static omr_status read_entries(omr_reader *reader, const cJSON *accept, const omr_names *names) {
  omr_step_error_settings *settings = &reader->study->step_error;
  const cJSON *item;
  if (names->failed) return omr_fail_memory(reader);
  cJSON_ArrayForEach(item, accept) {
    OMR_TRY(read_entry(reader, item, names, &settings->accept[settings->accept_count]));
    settings->accept_count++;
  }
  return OMR_OK;
}

/* What a threshold of a criterion asks of its observable: the smallest of several counts, what the
 * study gives goes first. */
static void add_threshold(omr_step_error_settings *settings, size_t column, double threshold) {
  const double most = PART_OF_THRESHOLD * fabs(threshold);
  if (!(most > 0)) return;
  for (size_t i = 0; i < settings->accept_count; i++) {
    omr_accept *accept = &settings->accept[i];
    if (accept->of_criterion || accept->index != column) continue;
    if (!accept->given) accept->most = fmin(accept->most, most);
    return;
  }
  settings->accept[settings->accept_count++] = (omr_accept){.index = column, .most = most};
}

static void add_thresholds(omr_study *study, const omr_expression *criterion) {
  size_t column;
  double threshold;
  for (size_t node = 0; node < criterion->count; node++)
    if (omr_expression_threshold(criterion, node, &column, &threshold) &&
        column >= study->variation_count)
      add_threshold(&study->step_error, column, threshold);
}

static omr_status add_criteria(omr_reader *reader, omr_names *names) {
  const omr_statistics_settings *settings = &reader->study->statistics;
  const size_t count = settings->criterion_count;
  omr_expression **read = calloc(count + 1, sizeof(omr_expression *));
  if (!read) return omr_fail_memory(reader);
  const omr_status status = omr_criteria_read(settings, count, names, read, reader->error);
  for (size_t i = 0; status == OMR_OK && i < count; i++) add_thresholds(reader->study, read[i]);
  omr_criteria_free(read, count);
  return status;
}

static omr_status read_accept(omr_reader *reader, const cJSON *accept) {
  omr_study *study = reader->study;
  const size_t entries = accept ? (size_t)cJSON_GetArraySize(accept) : 0;
  omr_names names;
  omr_names_of_study(study, &names);
  study->step_error.accept = calloc(entries + names.columns + 1, sizeof *study->step_error.accept);
  omr_status status = study->step_error.accept ? OMR_OK : omr_fail_memory(reader);
  if (status == OMR_OK) status = read_entries(reader, accept, &names);
  if (status == OMR_OK) status = add_criteria(reader, &names);
  omr_names_free(&names);
  return status;
}

omr_status omr_read_step_error(omr_reader *reader, const cJSON *root) {
  const cJSON *accept;
  OMR_TRY(omr_read_object(reader, omr_json_get(root, "integrator"), "accept", &accept));
  return reader->study->step_error.off ? OMR_OK : read_accept(reader, accept);
}
