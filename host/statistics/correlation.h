/* Correlation coefficients: the parts of correlation.c and rank_correlation.c. */
#ifndef OMR_CORRELATION_H
#define OMR_CORRELATION_H

#include "sensitivity_table.h"

/* Ranks are sorted in memory, so at most this many rows are ranked; of more rows this many are
 * drawn at random. */
enum { OMR_RANK_ROWS = 1 << 20 };

/* Columns whose ranks are made side by side, with a thread and 56 bytes per row each. There are at
 * most this many, and their rows take no more memory than three desks of the most rows. */
enum { OMR_RANK_DESKS = 16 };
int omr_rank_desks(size_t rows);

/* True if row `row` of `rows` ok rows takes part in the ranks. The choice follows from seed and row
 * only. */
bool omr_rank_takes(uint64_t seed, size_t row, size_t rows);

/* Twice the mid-ranks of the entries: equal values share the mean of the places 1 ... count that
 * they take. Sorts the entries; scratch has the same length. */
typedef struct omr_rank_entry {
  double value;
  uint32_t place;
} omr_rank_entry;
void omr_mid_ranks(omr_rank_entry *entries, size_t count, uint32_t *ranks, omr_rank_entry *scratch);

/* The interval of a coefficient from `count` pairs by Fisher's z = artanh r, whose variance is
 * taken as 1/(n - 3), for ranks as (1 + r^2/2)/(n - 3) (Bonett and Wright 2000). */
omr_estimate omr_fisher_interval(double r, size_t count, double confidence, bool ranks);

/* rank_correlation.c: fills the second estimate of a table. */
omr_status omr_rank_correlations(omr_sensitivity *table, uint64_t seed, omr_source *source,
                                 omr_error *error);

#endif
