/* Confidence intervals, two-sided: each side is exceeded with half of the error probability 1 -
 * confidence. Made of the same operations as the distributions (host/study/special.h): the same
 * bits on every machine. */
#ifndef OMR_STATISTICS_INTERVALS_H
#define OMR_STATISTICS_INTERVALS_H

#include "../study/statistics_settings.h"

#include <stdint.h>

typedef struct omr_bounds {
  double low, high;
} omr_bounds;

/* Of a probability of which `count` of `of` independent trials speak; NaN without trials. Wilson
 * (1927): the p whose normal approximation has count/of at its margin. Clopper and Pearson (1934):
 * the p whose binomial distribution gives count or more (or fewer) with probability (1 -
 * confidence)/2. With none of n the lower bound is 0, with all of n the upper one is 1; the other
 * bound stays that of a two-sided interval. */
omr_bounds omr_probability_bounds(omr_interval interval, uint64_t count, uint64_t of,
                                  double confidence);

/* Student's t below which a part (1 + confidence)/2 of its distribution with `freedom` degrees of
 * freedom lies. */
double omr_student_quantile(double freedom, double confidence);

#endif
