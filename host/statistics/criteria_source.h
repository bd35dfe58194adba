/* A source with a column more for every criterion: 1 where it holds, 0 where it does not, NaN where
 * that is unknown. */
#ifndef OMR_CRITERIA_SOURCE_H
#define OMR_CRITERIA_SOURCE_H

#include "statistics.h"

/* The columns are called fail, or fail.NAME where criteria have names. The statistics, whose
 * criteria these are, and `source` must outlive *with; close it with omr_source_close, which leaves
 * `source` open. */
omr_status omr_source_with_criteria(omr_source *source, const omr_statistics *statistics,
                                    omr_source **with, omr_error *error);

#endif
