/* Statistics of a result in memory as JSON, whether the result was run or read from a file. */
#define _GNU_SOURCE /* open_memstream */
#include "../study/grammar/parse.h"
#include "statistics.h"

#include <stdlib.h>

static omr_status print(const omr_statistics *statistics, char **json, omr_error *error) {
  size_t size;
  FILE *out = open_memstream(json, &size);
  if (!out) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  const bool printed = omr_statistics_print_json(statistics, out);
  fputc('\n', out);
  if (fclose(out) == 0 && printed) return OMR_OK;
  free(*json);
  *json = NULL;
  return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
}

static omr_status check(const omr_result *result, omr_error *error) {
  if (!result->study_text || !result->study_text[0])
    return omr_fail(error, OMR_ERR_USAGE, "the result does not say of which study it is");
  if (!result->design_only) return OMR_OK;
  return omr_fail(error, OMR_ERR_USAGE, "%s: a table of values that was not run has no statistics",
                  result->study_name);
}

/* Computes by the study that the result keeps, as `omniroll analyze` does. */
static omr_status compute(const omr_result *result, omr_statistics **statistics, omr_error *error) {
  omr_study *study = NULL;
  omr_source *source = NULL;
  omr_status status = check(result, error);
  if (status == OMR_OK)
    status = omr_study_parse_kept(result->study_text, result->study_name, NULL, 0,
                                  result->study_name, &study, error);
  if (status == OMR_OK) status = omr_source_of_result(result, &source, error);
  if (status == OMR_OK) status = omr_statistics_compute(study, source, statistics, error);
  omr_source_close(source);
  omr_study_destroy(study);
  return status;
}

omr_status omr_result_statistics_json(const omr_result *result, char **json, omr_error *error) {
  omr_statistics *computed = NULL;
  *json = NULL;
  omr_status status = result->statistics ? OMR_OK : compute(result, &computed, error);
  if (status == OMR_OK) status = print(computed ? computed : result->statistics, json, error);
  omr_statistics_destroy(computed);
  return status;
}
