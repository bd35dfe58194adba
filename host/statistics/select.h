/* Exact quantiles: order statistics of doubles by keys, unsigned numbers in the same order. */
#ifndef OMR_STATISTICS_SELECT_H
#define OMR_STATISTICS_SELECT_H

#include "../result/source.h"

#include <string.h>

/* Order-preserving number of a value that is not NaN; 0 and -0 are the same. */
static inline uint64_t omr_key_of(double value) {
  uint64_t bits;
  const double plain = value + 0.0; /* -0 becomes 0 */
  memcpy(&bits, &plain, sizeof bits);
  return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}
double omr_key_value(uint64_t key);

/* Order statistics on both sides of a quantile of type 7, and how far it is from the first. */
typedef struct omr_between {
  size_t rank, next;
  double part;
} omr_between;
omr_between omr_between_ranks(size_t count, double level);

/* Keys are sorted by six digits of eleven bits, the last first. */
enum { OMR_KEY_DIGIT = 11, OMR_KEY_DIGITS = 6, OMR_KEY_VALUES = 1 << OMR_KEY_DIGIT };
static inline size_t omr_key_digit(uint64_t key, int digit) {
  return key >> (digit * OMR_KEY_DIGIT) & (OMR_KEY_VALUES - 1);
}

/* Counts how often each digit has each value; counts starts from 0. The second function then turns
 * one digit's counts into the starts of its values; it returns false if all of `count` keys share
 * the digit `digit_of_one`. */
typedef uint32_t omr_key_counts[OMR_KEY_DIGITS][OMR_KEY_VALUES];
static inline void omr_count_key(omr_key_counts counts, uint64_t key) {
  for (int d = 0; d < OMR_KEY_DIGITS; d++) counts[d][omr_key_digit(key, d)]++;
}
bool omr_key_starts(uint32_t counts[OMR_KEY_VALUES], size_t count, size_t digit_of_one);

/* Quantiles by linear interpolation between order statistics number floor and ceil of (count - 1) p
 * (type 7 of Hyndman and Fan, 1996; numpy's and R's default, rounded as numpy does). NaN without
 * values. Keys come in any order; only the ones near the wanted ranks are sorted. room and scratch
 * are as long as keys; scratch may be keys, which are then lost. */
void omr_quantiles_of_keys(const uint64_t *keys, size_t count, uint64_t *room, uint64_t *scratch,
                           const double *levels, size_t level_count, double *quantiles);

/* The same for the used rows (status ok, finite) first .. last-1 of a column without holding them:
 * counts keys by their leading digits in several passes and keeps at most `memory` values. used:
 * number of such rows. */
typedef struct omr_ranked {
  size_t column, first, last, used, memory;
} omr_ranked;
omr_status omr_quantiles_of_source(omr_source *source, const omr_ranked *rows, const double *levels,
                                   size_t level_count, double *quantiles, omr_error *error);

#endif
