/* Results of neighbouring rows in one result: the reverse of slice.h. */
#ifndef OMR_JOINED_H
#define OMR_JOINED_H

#include "result.h"

/* Copies the rows of `part` to those of `whole` from `row` on, and its trajectories to the places
 * from `traced` on; adds its failures, and what its record counts, times of kernels and transfers
 * left out. Parts come in the order of their rows. False where memory runs out. */
bool omr_result_put(omr_result *whole, size_t row, size_t traced, const omr_result *part);

#endif
