/* Estimates the error of a quantity at step h from its values at h, h/2 and, if present, h/4.
 *
 * With q(h) of an instance, D1 = q(h) - q(h/2) and D2 = q(h/2) - q(h/4), the error of the mean
 * is
 *
 *   E = mean D1 + (1 + k) mean D2      (E = (1 + k) mean D1 of two steps)
 *
 * where k = r/(1 - r) sums up the rest, the differences going on as a geometric series
 * (Richardson 1911, Aitken 1926). Its ratio r = 2^-p is the ratio of the SUMS of the
 * differences: ratios of single instances scatter, and their mean is no order. With two steps r
 * is unknown. Errors of order 1/2 (a root of an error of order 1) up to any order leave k
 * between 0 and 1 + sqrt 2; the estimate takes the geometric middle of these, which is within a
 * factor of 1.85 of the error for every such order. With two tolerances e and e/100 (e/10 where
 * less is not resolved) the estimate takes the same middle for powers of e from 1/4 on, k up to
 * 0.462 (1.285). The range takes k from -1/2 to 1 at least, since controllers, corners and
 * exchanges end passes at any tolerance, so that the error of e/100 may have either sign. It
 * also adds the scatter: errors of single instances are taken as independent, half of the last
 * difference in size. These figures come from 999 errors of five studies, two pairs and
 * tolerances from 0.3 to 1e-4 (tests/long/step_error.py judges them by other studies). Where
 * e/10000 is present too, k is a share of its difference to e/100, of no order, since errors
 * hardly fall down to 1e-4 and fall fast from there; a tenth of the first difference is the
 * least that errors scatter by.
 *
 * The range is the hull of intervals by Student's t for every k that may be: with three steps
 * the observed order, order 1 and no rest; where the differences change their sign, anything up
 * to the last of them. A last difference below 1/64 of the first is small by chance, since no
 * method has order 6 (a time counted in steps, say, or a sum that changes its sign on the way).
 * It tells nothing of the rest, which may then be up to half of the first difference, as at
 * order 1.
 *
 * Where the exact value is 0, as for energy_error, E is the mean itself. */
#ifndef OMR_STATISTICS_STEP_ESTIMATE_H
#define OMR_STATISTICS_STEP_ESTIMATE_H

#include "../study/step_sample.h"
#include "intervals.h"

enum { OMR_STEP_REPLICATES = 1000, OMR_STEP_TAILS = 3 };

/* Values of the instances that have a value at every step. */
typedef struct omr_step_values {
  int levels;  /* 1: h and h/2; 2: h/4 too */
  int decades; /* tolerances e and e/10^decades in place of h and h/2; 0: steps */
  size_t count;
  double value[OMR_STEP_LEVELS + 1][OMR_STEP_SAMPLE_MOST];
  size_t stratum[OMR_STEP_SAMPLE_MOST]; /* numbers of cells, ascending; all equal where there are
                                           none */
  bool vanishes; /* the quantity is 0 for short steps: its value is its error, whatever other steps
                    give */
  bool all;      /* they are all the instances of the run: nothing is left to chance */
  double part;   /* share of the run's instances that they make up */
  double confidence;
} omr_step_values;

typedef struct omr_step_estimate {
  double error, low, high; /* of the value at h; low <= error <= high; NaN: not known */
} omr_step_estimate;

/* The share k of the last difference, or of the first, that is still to come. */
typedef struct omr_step_tail {
  double best, may_be[OMR_STEP_TAILS];
  double order; /* observed; NaN of two steps, and where the differences do not get smaller with one
                   sign */
  bool of_first; /* k is a share of the first difference: the last is small by chance */
} omr_step_tail;

omr_step_tail omr_step_tail_of(const omr_step_values *values);

/* Error of instance i at h, where the share k of the tail's difference is still to come. */
double omr_step_error_at(const omr_step_values *values, size_t i, const omr_step_tail *tail,
                         double k);

omr_step_estimate omr_step_error_of_mean(const omr_step_values *values, const omr_step_tail *tail);

/* Median and largest of the sizes of the instances' errors. */
void omr_step_error_sizes(const omr_step_values *values, const omr_step_tail *tail, double *median,
                          double *largest);

/* Random places for the bootstrap: [replicate][place], to be scaled to the number of instances; and
 * the counts made last, which quantities and quantiles share. */
typedef struct omr_step_draws {
  size_t count; /* of instances that `often` was counted for last; 0: none yet */
  uint8_t often[OMR_STEP_SAMPLE_MOST][OMR_STEP_REPLICATES]; /* how often each of them was drawn */
  uint32_t number[OMR_STEP_REPLICATES][OMR_STEP_SAMPLE_MOST];
  double confidence, student; /* Student's quantile over the normal one for so many, likewise */
} omr_step_draws;
void omr_step_draws_make(uint64_t seed, omr_step_draws *draws);

/* Error of a quantile (type 7, as omr_quantiles_of_keys): the statistic of the values at h less the
 * statistic of the limits of the same instances. The range comes from a paired bootstrap of
 * instances, with percentiles widened for their small number. Counts in `draws`, which one thread
 * at a time may use. */
omr_step_estimate omr_step_error_of_quantile(const omr_step_values *values,
                                             const omr_step_tail *tail, double level,
                                             omr_step_draws *draws);

/* One-sided exact upper bound of a share seen in `count` of `of` instances (Clopper and Pearson): 0
 * of 32 leaves 8.9 % at a confidence of 0.95. */
double omr_step_share_bound(uint64_t count, uint64_t of, double confidence);

#endif
