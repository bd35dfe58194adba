/* Rows of a result as a separate result. */
#ifndef OMR_SLICE_H
#define OMR_SLICE_H

#include "result.h"

/* Copies the rows first .. first+count-1 of a result of a part (it has numbers), with their
 * trajectories. Steps are counted by row. The slice from row 0 on gets the times of the run; the
 * slice with the first invalid instance gets its reason. */
omr_status omr_result_slice(const omr_result *result, size_t first, size_t count,
                            omr_result **slice, omr_error *error);

#endif
