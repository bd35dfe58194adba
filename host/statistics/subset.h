/* Subset simulation (Au and Beck 2001) in independent standard normal variables u: the small
 * probability that a margin g(u) is above 0 as a product of larger ones, P(g > b_1) P(g > b_2 |
 * g > b_1) ..., the thresholds b chosen so that each is about 1 / parts. Level 0 is Monte Carlo;
 * from then on Markov chains start at the points above the threshold and take parts - 1 steps of
 * conditional sampling (Papaioannou, Betz, Zwirglmaier and Straub 2015): v = rho u + sqrt(1 -
 * rho^2) xi, taken where g(v) > b. A step of all chains of a level is one batch: its points do
 * not depend on each other's margins.
 *
 * It sees a point only through its margin; NaN is a point without one (an instance that failed,
 * a criterion without a value). Such points are left out: the probability is among the points
 * with a margin, as in every other statistic, and chains do not step there. */
#ifndef OMR_SUBSET_H
#define OMR_SUBSET_H

#include "../study/study.h"

#include <stdint.h>

typedef struct omr_subset_settings {
  size_t dimensions;
  size_t points; /* of a level; a multiple of parts */
  size_t parts;  /* 1 / level probability: a level's best points / parts become chains, each of
                    `parts` states */
  size_t levels; /* at most */
  uint64_t seed;
  double confidence;     /* of the interval, such as 0.95 */
  omr_interval interval; /* if level 0 decides by itself */
} omr_subset_settings;

/* Settings from the design of a study. */
omr_subset_settings omr_subset_settings_of(const omr_study *study);

typedef enum omr_subset_end {
  OMR_SUBSET_RUNNING,
  OMR_SUBSET_REACHED, /* a level with enough points above 0 */
  OMR_SUBSET_LEVELS,  /* as many levels as allowed */
  OMR_SUBSET_PLATEAU, /* the threshold does not rise: the margin is constant over too much of the
                         level */
  OMR_SUBSET_UNKNOWN  /* too few points of level 0 have a margin */
} omr_subset_end;
extern const char *const omr_subset_ends[]; /* texts for people, by omr_subset_end */

/* One level; of the last one the threshold is 0. */
typedef struct omr_subset_level {
  double threshold;   /* points with a margin above it went on */
  double probability; /* their share among the points with a margin */
  double correlation; /* gamma of Au and Beck: 1 + gamma points count as one independent */
  double acceptance;  /* share of the chains' steps that were taken; NaN at level 0 */
  double scale;       /* sqrt(1 - rho^2) of the last step; NaN at level 0 */
  size_t evaluations; /* margins requested */
  size_t unknown;     /* of these, points without a margin */
} omr_subset_level;

typedef struct omr_subset_outcome {
  omr_subset_end end;
  double probability;
  /* Coefficients of variation of the estimate: from the families that the points above 0 come from
   * (see subset.c), which the interval uses, and Au and Beck's, whose levels count as independent.
   * Infinite where nothing failed and NaN where all of level 0 did, since neither gives an
   * estimate. */
  double variation, variation_levels;
  /* Interval at settings.confidence: of a share if level 0 decides, else log-normal with Student's
   * quantile. Where no state of a later level failed, from 0 to the upper end for the last
   * threshold. NaN without a margin. */
  double low, high;
  size_t failures; /* points of the last level above 0 */
  size_t families; /* points of level 0 that they come from */
  size_t levels, evaluations, unknown;
  const omr_subset_level *level; /* [levels], the subset's own */
} omr_subset_outcome;

typedef struct omr_subset omr_subset;

/* Begins level 0. Release with omr_subset_destroy. */
omr_status omr_subset_make(const omr_subset_settings *settings, omr_subset **subset,
                           omr_error *error);
void omr_subset_destroy(omr_subset *subset); /* NULL-safe */

/* The batch that waits for its margins: number of its first point and how many there are (0: at the
 * end), with their coordinates [count][dimensions], standard normal. */
size_t omr_subset_first(const omr_subset *subset);
size_t omr_subset_count(const omr_subset *subset);
const double *omr_subset_points(const omr_subset *subset);
/* Level of the batch. */
size_t omr_subset_running(const omr_subset *subset);

/* Takes the margin of the next point of the batch; true if the point became a state of its level.
 * After the last one the next batch stands ready. */
bool omr_subset_take(omr_subset *subset, double margin);

/* The outcome so far; complete once omr_subset_count is 0. */
void omr_subset_get(const omr_subset *subset, omr_subset_outcome *outcome);

#endif
