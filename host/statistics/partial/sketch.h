/* How often values occur, in fixed bins: a quantile with a stated error from memory that does not
 * grow, as DDSketch has it (Masson, Rim and Lee, 2019).
 *
 * A bin holds the doubles that share their leading bits. At first that is every bit, so that the
 * sketch is exact. Where more than OMR_SKETCH_BINS are taken, all bins give up a bit, until they
 * are few enough. How many bits that takes follows from the values alone: neither the order nor the
 * tree of merging changes a bin. Bins that keep b bits of the mantissa are at most 2^-b of their
 * values wide. */
#ifndef OMR_STATISTICS_SKETCH_H
#define OMR_STATISTICS_SKETCH_H

#include "../intervals.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { OMR_SKETCH_BINS = 4096, OMR_SKETCH_CELL_BINS = 256 };

typedef struct omr_sketch_bin {
  uint64_t key, count; /* key: leading bits of the values' key (select.h); count 0: a free place */
} omr_sketch_bin;

/* Zero is a sketch without values, but for `most`. */
typedef struct omr_sketch {
  omr_sketch_bin *places; /* [capacity], by hash; NULL: none yet */
  size_t capacity, taken, most;
  int dropped; /* trailing bits of keys that bins do not tell apart */
} omr_sketch;

/* False when out of memory. Values are not NaN. */
bool omr_sketch_add(omr_sketch *sketch, const double *values, size_t count);
bool omr_sketch_count(omr_sketch *sketch, uint64_t key, uint64_t count, int dropped);
bool omr_sketch_join(omr_sketch *sketch, const omr_sketch *other);
void omr_sketch_free(omr_sketch *sketch);

/* Bins in the order of their values, in an array of sketch->taken that the caller frees; NULL when
 * out of memory. */
omr_sketch_bin *omr_sketch_sorted(const omr_sketch *sketch);
/* The doubles that a bin holds, the least and the largest. */
omr_bounds omr_sketch_range(const omr_sketch *sketch, uint64_t key);

/* Type 7 of Hyndman and Fan, as statistics/select.h has it, of `used` values from sorted bins. The
 * values of a bin count as evenly spread over it; *error is how far off the quantile can be. */
double omr_sketch_quantile(const omr_sketch *sketch, const omr_sketch_bin *sorted, uint64_t used,
                           double level, omr_bounds range, double *error);

#endif
