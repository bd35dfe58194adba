/* Rows of a result as a separate result, and results put together. */
#ifndef OMR_SLICE_H
#define OMR_SLICE_H

#include "result.h"

/* Copies the rows first .. first+count-1 of a result of a part (it has numbers), with their
 * trajectories. Steps are counted by row. The slice from row 0 on gets the times of the run; the
 * slice with the first invalid instance gets its reason. */
omr_status omr_result_slice(const omr_result *result, size_t first, size_t count,
                            omr_result **slice, omr_error *error);

/* joined.c: copies the rows of `part` to those of `whole` from `row` on, and its trajectories to
 * the places from `traced` on; adds its failures, and what its record counts, times of kernels and
 * transfers left out. Parts come in the order of their rows. False where memory runs out. */
bool omr_result_put(omr_result *whole, size_t row, size_t traced, const omr_result *part);

/* named_traces.c: puts trajectories of `from`, which has the same study and times, among the
 * trajectories of `to`. Their instances must be rows of `to`, which has none of them yet. */
omr_status omr_result_add_traces(omr_result *to, const omr_result *from, omr_error *error);

#endif
