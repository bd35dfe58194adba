/* Section "statistics": the figures computed from the instances after they have run. */
#include "../expression/expression.h"
#include "parse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CRITERIA = 1000, MOST_QUANTILES = 100, MOST_NAME = 64 };

static omr_status set_quantiles(omr_reader *reader, const double *values, size_t count) {
  omr_statistics_settings *settings = &reader->study->statistics;
  settings->quantiles = calloc(count + 1, sizeof *settings->quantiles);
  if (!settings->quantiles) return omr_fail_memory(reader);
  for (size_t i = 0; i < count; i++) settings->quantiles[i] = values[i];
  settings->quantile_count = count;
  return OMR_OK;
}

static omr_status read_quantiles(omr_reader *reader, const cJSON *section) {
  static const double standard[] = {0.05, 0.25, 0.5, 0.75, 0.95};
  static const omr_key probability = {.kind = OMR_KEY_QUANTITY, .unit = "1", .high = 1};
  double values[MOST_QUANTILES];
  size_t count = 0;
  const cJSON *list = omr_json_get(section, "quantiles"), *item;

  if (!list) return set_quantiles(reader, standard, sizeof standard / sizeof *standard);
  OMR_TRY(omr_require_array(reader, list, 0, "probabilities"));

  /* Probabilities ascend, each once. */
  cJSON_ArrayForEach(item, list) {
    if (count == MOST_QUANTILES)
      return OMR_REFUSE(reader, list, "has more than %d probabilities", MOST_QUANTILES);
    OMR_TRY(omr_read_value(reader, item, &probability, &values[count]));
    if (count > 0 && !(values[count] > values[count - 1])) {
      const int digits = omr_digits_apart(values[count], values[count - 1], 9);
      return OMR_REFUSE(reader, item,
                        "%.*g does not come after %.*g; the probabilities must ascend", digits,
                        values[count], digits, values[count - 1]);
    }
    count++;
  }
  return set_quantiles(reader, values, count);
}

/* Names stand in other criteria, so they look like names and are not taken. */
static omr_status check_name(omr_reader *reader, const cJSON *item, const char *name,
                             const omr_names *names) {
  static const char *const taken[] = {"status", "and", "or", "not", "abs", "sqrt", "min", "max"};
  const size_t length = strlen(name);
  bool good = length > 0 && length <= MOST_NAME && (name[0] < '0' || name[0] > '9');
  for (size_t i = 0; i < length; i++)
    good = good && (name[i] == '_' || (name[i] >= '0' && name[i] <= '9') ||
                    ((name[i] | 32) >= 'a' && (name[i] | 32) <= 'z'));

  if (!good)
    return OMR_REFUSE(
        reader, item,
        "a criterion's name has letters, digits and _, at most %d, and does not start with a digit",
        MOST_NAME);

  /* Names of observables, statuses and functions have their meaning already. */
  if (!omr_names_find(names, name) && omr_expression_status_code(name) < 0 &&
      !omr_is_among(name, taken, sizeof taken / sizeof *taken))
    return OMR_OK;
  return OMR_REFUSE(reader, item, "\"%s\" means something else in criteria; choose another name",
                    name);
}

static omr_status parse_criterion(omr_reader *reader, const cJSON *item, const omr_names *names,
                                  omr_expression **expression) {
  omr_error error = {0};
  if (!cJSON_IsString(item))
    return OMR_MISTAKEN(reader, item, OMR_MISTAKE_TYPE,
                        "expected a criterion as text, such as \"max_slip > 0.1 m/s\"");
  const omr_status status = omr_expression_parse(item->valuestring, names, expression, &error);
  if (status == OMR_ERR_STUDY) return OMR_REFUSE(reader, item, "%s", error.message);
  if (status != OMR_OK) return omr_fail_memory(reader);
  if ((*expression)->truth) return OMR_OK;
  return OMR_REFUSE(
      reader, item,
      "\"%s\" is a number; a criterion compares it with a limit, as in \"max_slip > 0.1 m/s\"",
      item->valuestring);
}

static omr_status add_criterion(omr_reader *reader, const cJSON *item, const char *name,
                                omr_names *names, omr_expression **expression) {
  omr_statistics_settings *settings = &reader->study->statistics;
  omr_criterion_text said = {0};
  OMR_TRY(check_name(reader, item, name, names));

  /* An object says too whether being met is good. */
  if (cJSON_IsObject(item)) {
    OMR_TRY(omr_read_keys(reader, item, OMR_SECTION_CRITERION, &said));
    item = omr_json_get(item, "when");
  }
  OMR_TRY(parse_criterion(reader, item, names, expression));
  omr_criterion_text *criterion = &settings->criteria[settings->criterion_count++];
  *criterion = (omr_criterion_text){strdup(name), strdup(item->valuestring), said.good};
  omr_names_add_criterion(names, name, *expression);
  return criterion->name && criterion->text && !names->failed ? OMR_OK : omr_fail_memory(reader);
}

static omr_status add_criteria(omr_reader *reader, const cJSON *fail, omr_names *names,
                               omr_expression **expressions) {
  const cJSON *item;
  size_t i = 0;
  if (names->failed) return omr_fail_memory(reader);
  if (!cJSON_IsObject(fail))
    return add_criterion(reader, fail, OMR_CRITERION_NAME, names, expressions);
  cJSON_ArrayForEach(item, fail)
      OMR_TRY(add_criterion(reader, item, item->string, names, &expressions[i++]));
  return OMR_OK;
}

static omr_status read_criteria(omr_reader *reader, const cJSON *fail) {
  if (!cJSON_IsObject(fail) && !cJSON_IsString(fail))
    return OMR_MISTAKEN(reader, fail, OMR_MISTAKE_TYPE,
                        "expected a criterion as text, \"max_slip > 0.1 m/s\", or named ones: "
                        "{\"slides\": \"...\"}");

  /* A text is one criterion, an object several with names. */
  const size_t count = cJSON_IsObject(fail) ? (size_t)cJSON_GetArraySize(fail) : 1;
  if (count > MOST_CRITERIA)
    return OMR_REFUSE(reader, fail, "has %zu criteria; at most %d", count, MOST_CRITERIA);

  /* A criterion may name those before it, whose expressions are kept until all are read. */
  omr_names names;
  omr_names_of_study(reader->study, &names);
  omr_expression **expressions = calloc(count + 1, sizeof(omr_expression *));
  reader->study->statistics.criteria =
      calloc(count + 1, sizeof *reader->study->statistics.criteria);
  const bool memory = expressions && reader->study->statistics.criteria;
  const omr_status status =
      memory ? add_criteria(reader, fail, &names, expressions) : omr_fail_memory(reader);

  /* The study keeps the texts and not the expressions. */
  omr_criteria_free(expressions, count);
  omr_names_free(&names);
  return status;
}

omr_status omr_read_statistics(omr_reader *reader, const cJSON *root) {
  omr_statistics_settings *settings = &reader->study->statistics;
  const cJSON *section;
  OMR_TRY(omr_read_section(reader, root, OMR_SECTION_STATISTICS, settings, &section));
  OMR_TRY(read_quantiles(reader, section));
  settings->failed_limit_given = omr_json_get(section, "failed_limit") != NULL;
  const cJSON *fail = omr_json_get(section, "fail");
  return fail ? read_criteria(reader, fail) : OMR_OK;
}

void omr_statistics_settings_free(omr_statistics_settings *settings) {
  for (size_t i = 0; i < settings->criterion_count; i++) {
    free(settings->criteria[i].name);
    free(settings->criteria[i].text);
  }
  free(settings->criteria);
  free(settings->quantiles);
}
