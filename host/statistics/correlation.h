/* Correlation coefficients: what correlation.c is made of. */
#ifndef OMR_CORRELATION_H
#define OMR_CORRELATION_H

#include "sensitivity_table.h"

/* Ranks are sorted in memory, so that they are taken of at most this many rows; of more rows as
 * many are drawn at random. */
enum { OMR_RANK_ROWS = 1 << 20 };

/* Columns whose ranks are made side by side, 56 bytes per row each: a thread each, but no more than
 * this, and of so many rows that they take no more than three of the most rows would. */
enum { OMR_RANK_DESKS = 16 };
int omr_rank_desks(size_t rows);

/* Whether row `row` of `rows` ok ones takes part in the ranks. Follows from seed and row alone. */
bool omr_rank_takes(uint64_t seed, size_t row, size_t rows);

/* Twice the mid-ranks of the entries' values: of equal ones the mean of the places 1 ... count that
 * they take together. Sorts the entries; scratch has the same length. */
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
