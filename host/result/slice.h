/* Rows of a result as a result of their own. */
#ifndef OMR_SLICE_H
#define OMR_SLICE_H

#include "result.h"

/* The rows first .. first+count-1 of a result of a part (it has numbers), with the trajectories
 * among them. Steps are counted by row; times of the run, and why the first invalid instance was
 * refused, go with the rows from 0 on and those that hold it. */
omr_status omr_result_slice(const omr_result *result, size_t first, size_t count,
                            omr_result **slice, omr_error *error);

#endif
