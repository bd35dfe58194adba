/* Exact quantiles: order statistics of doubles by their keys, unsigned numbers in the same order. */
#ifndef OMR_STATISTICS_SELECT_H
#define OMR_STATISTICS_SELECT_H

#include "../result/source.h"

/* Order-preserving number of a value that is not NaN; 0 and -0 are alike. */
uint64_t omr_key_of(double value);
double omr_key_value(uint64_t key);

/* Sorts; scratch has the same length. */
void omr_sort_keys(uint64_t *keys, size_t count, uint64_t *scratch);

/* Quantiles by linear interpolation between order statistics number floor and ceil of (count - 1) p (type 7 of Hyndman and Fan,
 * 1996; numpy's and R's default, rounded as numpy does). NaN where there are no values. */
void omr_quantiles_of_sorted(const uint64_t *keys, size_t count, const double *levels, size_t level_count, double *quantiles);

/* The same for the used rows (status ok, finite) first .. last-1 of a column without holding them: counts keys by their leading
 * digits in several passes and keeps at most `memory` values. used: how many such rows there are. */
omr_status omr_quantiles_of_source(omr_source *source, size_t column, size_t first, size_t last, size_t used, size_t memory,
                                   const double *levels, size_t level_count, double *quantiles, omr_error *error);

#endif
