/* Objectives and constraints of a candidate, estimated from its vehicles.
 *
 * A statistic is linearised: a vehicle's *influence* on it is the change of the statistic, times
 * their number, if the vehicle counted a little more (Hampel 1974). Influences of terms add up by
 * the derivatives of the expression, and their variance gives its interval by Student's t. Two
 * candidates that meet the same draws are compared by the differences of their influences, draw by
 * draw. A goal that is one share has the interval of a probability; one that is one quantile has
 * the interval of its ranks, and differences of such quantiles hold the intervals of all such
 * ranks. */
#ifndef OMR_ESTIMATES_H
#define OMR_ESTIMATES_H

#include "../statistics/step_error.h"
#include "../study/expression/goal.h"
#include "../study/study.h"

/* The goals of a study, read for the columns of its rows. One thread at a time may use it. */
typedef struct omr_goal_set {
  const omr_goals *goals;
  omr_goal_expression **goal; /* [goals->count] */
  omr_expression **criteria;  /* [criterion_count]; goals have copies of them in their nodes */
  size_t criterion_count;
  size_t columns; /* of the rows; the status stands behind them */
  size_t *used;   /* [used_count] columns that some goal reads, ascending */
  size_t used_count;
  double *row; /* [columns + 1] room for a vehicle's values, and its status */
  bool drawn;  /* vehicles of a candidate differ by chance */
  bool common; /* candidates meet the same draws */
  double confidence;
  omr_interval interval;
} omr_goal_set;

/* info: [columns] of the rows. Release with omr_goal_set_free, also after a failure. */
omr_status omr_goal_set_make(const omr_study *study, const omr_sample_info *info, size_t columns,
                             omr_goal_set *set, omr_error *error);
void omr_goal_set_free(omr_goal_set *set); /* all zero is allowed */

/* The vehicles of a candidate. */
typedef struct omr_vehicles {
  size_t draws;
  double *values; /* [set->used_count][draws] */
  int8_t *status; /* [draws] */
} omr_vehicles;

/* A goal of a candidate. NaN: not known. */
typedef struct omr_goal_estimate {
  double terms[OMR_GOAL_TERMS];
  double value;
  omr_bounds bounds;
  double margin; /* of a constraint: how far from being broken, above 0 where it holds */
  double limit;
  double holds; /* of a constraint: how probable it is that it holds */
} omr_goal_estimate;

/* Values of a candidate for paired differences: [draws] of each goal. Owned by the caller. */
typedef struct omr_goal_influence {
  double *influence;
  double *truth; /* of a share: 1 or 0, NaN: not counted; of a quantile: sorted values */
  size_t used;   /* vehicles that count, in the statistic that has the fewest */
} omr_goal_influence;

/* The value that a term's expression has in the vehicle of set->row, a condition 1 or 0; NaN: it
 * does not count. Only vehicles that reached the end count, unless the expression looks at the
 * status. */
double omr_term_value(const omr_goal_set *set, const omr_term *term, int status);

/* Estimates goal `g`. influence and truth of `part` are filled where they are not NULL. work:
 * 2 * draws. */
omr_goal_estimate omr_goal_estimate_of(const omr_goal_set *set, size_t g,
                                       const omr_vehicles *vehicles, double *work,
                                       omr_goal_influence *part);

/* Bounds of the difference one - other of goal g; the influences are of `draws` vehicles each. */
omr_bounds omr_goal_difference(const omr_goal_set *set, size_t g, double difference,
                               const omr_goal_influence *one, size_t one_draws,
                               const omr_goal_influence *other, size_t other_draws);

/* Size of the step's effect on goal g where its terms have these values, from rows that were run
 * again (NULL: none were); NaN: not measured. */
double omr_goal_step(const omr_goal_set *set, size_t g, const omr_refined *refined,
                     const double *terms);

#endif
