/* Fails (OMR_ERR_FAILURES) where more instances failed than the study allows. */
#ifndef OMR_FAILURE_LIMIT_H
#define OMR_FAILURE_LIMIT_H

#include "../result/result.h"

/* Fails at the first row from `first` up to last-1 that failed, with its instance, status, time and
 * varied values. */
omr_status omr_check_none_failed(const omr_part *part, const omr_result *result, size_t first,
                                 size_t last, omr_error *error);

/* Fails where the share of failed instances is above the study's statistics.failed_limit. counts:
 * instances by status, out of `rows`. The result is not changed. */
omr_status omr_check_failures(const omr_study *study,
                              const size_t counts[OMR_INSTANCE_STATUS_COUNT], size_t rows,
                              omr_error *error);

#endif
