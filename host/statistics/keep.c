/* Statistics that a result in memory keeps. */
#include "../include/omniroll/result.h"
#include "partial/partial.h"
#include "statistics.h"

omr_status omr_statistics_of(const omr_study *study, const omr_result *head, omr_source *source,
                             omr_statistics **statistics, omr_error *error) {
  if (!head->partial || !study) return omr_statistics_compute(study, source, statistics, error);
  omr_partial *partial = NULL;
  omr_status status = omr_partial_of(study, head, &partial, error);
  if (status == OMR_OK) status = omr_partial_statistics(partial, source, statistics, error);
  omr_partial_free(partial);
  return status;
}

omr_status omr_statistics_keep(const omr_study *study, omr_result *result, omr_error *error) {
  omr_source *source;
  omr_status status = omr_source_of_result(result, &source, error);
  if (status != OMR_OK) return status;
  static const omr_statistics_ops ops = {omr_statistics_write, omr_statistics_destroy};
  omr_statistics_destroy(result->statistics);
  result->statistics = NULL;
  result->statistics_ops = &ops;
  status = omr_statistics_of(study, result, source, &result->statistics, error);
  omr_source_close(source);
  return status;
}

size_t omr_result_total(const omr_result *result) {
  return result->partial ? (size_t)omr_partial_rows(result->partial, result->partial_bytes)
                         : result->instances;
}
