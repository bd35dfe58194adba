/* A source with one more column for every criterion: 1 where the criterion holds, 0 where it does
 * not, NaN where that is unknown. */
#ifndef OMR_CRITERIA_SOURCE_H
#define OMR_CRITERIA_SOURCE_H

#include "statistics.h"

/* Adds the columns, called fail, or fail.NAME where criteria have names. The statistics, which have
 * the criteria, and `source` must outlive *with; close *with by omr_source_close, which leaves
 * `source` open. */
omr_status omr_source_with_criteria(omr_source *source, const omr_statistics *statistics,
                                    omr_source **with, omr_error *error);

#endif
