/* Two-sided confidence intervals: each side is exceeded with half of the error probability 1 -
 * confidence. They use the same operations as the distributions
 * (host/study/designs/special_functions.h), so every machine gets the same bits. */
#ifndef OMR_STATISTICS_INTERVALS_H
#define OMR_STATISTICS_INTERVALS_H

#include "../study/statistics_settings.h"

#include <stdint.h>

typedef struct omr_bounds {
  double low, high;
} omr_bounds;

/* Sums of values in their order (Welford 1962), which never subtract large sums from each other;
 * squares: of the distances from the mean. */
typedef struct omr_sums {
  double count, mean, squares;
} omr_sums;
static inline void omr_sums_add(omr_sums *sums, double value) {
  const double before = value - sums->mean;
  sums->count += 1;
  sums->mean += before / sums->count;
  sums->squares += before * (value - sums->mean);
}

/* Interval of a probability from `count` successes in `of` independent trials; NaN without trials.
 * Wilson (1927): the p whose normal approximation has count/of at its margin. Clopper and Pearson
 * (1934): the p whose binomial distribution gives count or more (or fewer) with probability (1 -
 * confidence)/2. With no success the lower bound is 0, with successes only the upper bound is 1;
 * the other bound stays two-sided. */
omr_bounds omr_probability_bounds(omr_interval interval, uint64_t count, uint64_t of,
                                  double confidence);

/* Student's t below which a part (1 + confidence)/2 of its distribution with `freedom` degrees of
 * freedom lies. */
double omr_student_quantile(double freedom, double confidence);

#endif
