#include "estimates.h"

#include "../statistics/side_by_side/side_by_side.h"
#include "../study/designs/special_functions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A statistic of the vehicles of a candidate. */
typedef struct statistic {
  double value;
  uint64_t used, met;
} statistic;

double omr_term_value(const omr_goal_set *set, const omr_term *term, int status) {
  double *row = set->row;
  if (status < 0 || (status != OMR_INSTANCE_OK && !term->of->status)) return (double)NAN;
  row[set->columns] = status;
  if (!term->of->truth) return omr_expression_value(term->of, row);
  const int truth = omr_expression_truth(term->of, row);
  return truth < 0 ? (double)NAN : truth;
}

/* x: [draws]. */
static void read_term(const omr_goal_set *set, const omr_term *term, const omr_vehicles *v,
                      double *x) {
  for (size_t k = 0; k < v->draws; k++) {
    for (size_t u = 0; u < set->used_count; u++)
      set->row[set->used[u]] = v->values[u * v->draws + k];
    x[k] = omr_term_value(set, term, v->status[k]);
  }
}

/* Mean and standard deviation of the population by Welford's sums. */
static statistic mean_of(const double *x, size_t draws, double *deviation) {
  statistic s = {0};
  double squares = 0;
  for (size_t k = 0; k < draws; k++) {
    if (isnan(x[k])) continue;
    const double before = x[k] - s.value;
    s.value += before / (double)++s.used;
    squares += before * (x[k] - s.value);
    s.met += x[k] == 1;
  }
  if (s.used == 0) s.value = (double)NAN;
  *deviation = s.used > 1 ? sqrt(squares / (double)(s.used - 1)) : (double)NAN;
  return s;
}

static size_t sort_values(const double *x, size_t draws, double *sorted) {
  size_t count = 0;
  for (size_t k = 0; k < draws; k++)
    if (!isnan(x[k])) sorted[count++] = x[k];
  qsort(sorted, count, sizeof *sorted, omr_by_value);
  return count;
}

/* Type 7, as the quantiles of a run. */
static double quantile_of(const double *sorted, size_t count, double level) {
  if (count == 0) return (double)NAN;
  const double at = level * (double)(count - 1);
  const size_t below = (size_t)floor(at), above = below + 1 < count ? below + 1 : below;
  return sorted[below] + (at - (double)below) * (sorted[above] - sorted[below]);
}

/* The reciprocal of the density at a quantile, by the difference of two near it (Siddiqui 1960) in
 * the distance of Hall and Sheather (1988). */
static double sparsity_at(const double *sorted, size_t count, double level) {
  const double n = (double)count, z = omr_normal_quantile(level), c = omr_normal_quantile(0.975),
               density = exp(-z * z / 2) / sqrt(2 * M_PI);
  double h =
      pow(n, -1.0 / 3) * pow(c, 2.0 / 3) * pow(1.5 * density * density / (2 * z * z + 1), 1.0 / 3);
  h = fmax(h, 1 / n);
  const double low = fmax(level - h, 0), high = fmin(level + h, 1);
  return (quantile_of(sorted, count, high) - quantile_of(sorted, count, low)) / (high - low);
}

/* A term's statistic; influence [draws] gets `slope` times its influences (NULL: none). */
static statistic add_term(const omr_term *term, const double *x, size_t draws, double *sorted,
                          double slope, double *influence) {
  double deviation;
  statistic s = mean_of(x, draws, &deviation);
  const double mean = s.value;
  double sparsity = 0;

  /* The values of extremes have no influences that a sample tells. */
  if (term->kind == OMR_TERM_DEVIATION) s.value = deviation;
  if (term->kind == OMR_TERM_QUANTILE || term->kind == OMR_TERM_SMALLEST ||
      term->kind == OMR_TERM_LARGEST) {
    const size_t count = sort_values(x, draws, sorted);
    const double level = term->kind == OMR_TERM_QUANTILE   ? term->level
                         : term->kind == OMR_TERM_SMALLEST ? 0
                                                           : 1;
    s.value = quantile_of(sorted, count, level);
    sparsity = term->kind == OMR_TERM_QUANTILE && count > 1 ? sparsity_at(sorted, count, level)
                                                            : (double)NAN;
  }
  if (!influence) return s;

  const double scale = slope * (double)draws / (double)s.used;
  for (size_t k = 0; k < draws; k++) {
    if (isnan(x[k])) continue;
    const double off = x[k] - mean;
    switch (term->kind) {
    case OMR_TERM_DEVIATION:
      influence[k] +=
          scale * (deviation > 0 ? (off * off - deviation * deviation) / (2 * deviation) : 0);
      break;
    case OMR_TERM_QUANTILE:
      influence[k] += scale * sparsity * (term->level - (x[k] <= s.value));
      break;
    case OMR_TERM_SMALLEST:
    case OMR_TERM_LARGEST: influence[k] = (double)NAN; break;
    default: influence[k] += scale * off;
    }
  }
  return s;
}

/* Variance of the mean of influences, less those of another (NULL: none), which have the mean 0 up
 * to rounding and gaps, where `used` of the vehicles count. */
static double variance_of(const double *influence, const double *other, size_t draws, size_t used) {
  double sum = 0, squares = 0;
  for (size_t k = 0; k < draws; k++) sum += influence[k] - (other ? other[k] : 0);
  const double mean = sum / (double)draws;
  for (size_t k = 0; k < draws; k++) {
    const double off = influence[k] - (other ? other[k] : 0) - mean;
    squares += off * off;
  }
  const double all = (double)draws, counted = (double)used;
  return used > 1 ? squares / all / all * counted / (counted - 1) : (double)NAN;
}

static omr_bounds student_bounds(double value, double variance, size_t used, double confidence) {
  if (used < 2 || isnan(variance)) return (omr_bounds){(double)NAN, (double)NAN};
  const double half = omr_student_quantile((double)(used - 1), confidence) * sqrt(variance);
  return (omr_bounds){value - half, value + half};
}

/* P(X < r) of a binomial variable, by its distribution function as a beta distribution's. */
static double below_rank(size_t r, size_t n, double p) {
  if (r == 0) return 0;
  if (r > n) return 1;
  const omr_beta beta = omr_beta_make((double)(n - r + 1), (double)r);
  return omr_beta_cdf(&beta, 1 - p);
}

/* Ranks, from 1, between which the quantile lies with the confidence, whatever the distribution
 * (David and Nagaraja, Order statistics, 7.1). 0 and n + 1: none is low or high enough. */
static void ranks_of(size_t n, double p, double confidence, size_t *low, size_t *high) {
  const double tail = (1 - confidence) / 2;
  *low = 0, *high = n + 1; /* P(quantile < X_(low)) = P(Bin < low) */
  for (size_t step = (size_t)1 << 40; step; step /= 2) {
    if (*low + step <= n && below_rank(*low + step, n, p) <= tail) *low += step;
    if (*high > step && 1 - below_rank(*high - step, n, p) <= tail) *high -= step;
  }
}

static omr_bounds rank_bounds(const double *sorted, size_t n, double p, double confidence) {
  size_t low, high;
  ranks_of(n, p, confidence, &low, &high);
  return (omr_bounds){low ? sorted[low - 1] : (double)NAN,
                      high <= n ? sorted[high - 1] : (double)NAN};
}

/* How probable it is that the value keeps the limit: of a share by Jeffreys' distribution, of
 * others by Student's. */
static double holds_of(const omr_goal_expression *goal, const omr_goal_estimate *e, statistic s,
                       double variance, size_t used) {
  const omr_term *only = omr_goal_only(goal);
  if (isnan(e->margin)) return (double)NAN;
  if (only && only->kind == OMR_TERM_PROBABILITY && s.used > 0) {
    if (e->limit <= 0 || e->limit >= 1) return e->margin >= 0;
    const double prior = s.used > 5000 ? 1 : 0.5; /* beyond, special_functions.h wants 1 at least */
    const omr_beta beta = omr_beta_make((double)s.met + prior, (double)(s.used - s.met) + prior);
    const double below = omr_beta_cdf(&beta, e->limit);
    return goal->above ? 1 - below : below;
  }
  if (used < 2) return (double)NAN;
  if (!(variance > 0)) return e->margin >= 0;
  const double t = e->margin / sqrt(variance), freedom = (double)(used - 1);
  if (freedom > 10000) return omr_normal_cdf(t);
  const omr_beta beta = omr_beta_make(freedom / 2, 0.5);
  const double beyond = omr_beta_cdf(&beta, freedom / (freedom + t * t)) / 2;
  return t > 0 ? 1 - beyond : beyond;
}

omr_goal_estimate omr_goal_estimate_of(const omr_goal_set *set, size_t g,
                                       const omr_vehicles *vehicles, double *work,
                                       omr_goal_influence *part) {
  const omr_goal_expression *goal = set->goal[g];
  const omr_term *only = omr_goal_only(goal);
  const size_t draws = vehicles->draws;
  double *x = work, *sorted = work + draws;
  omr_goal_estimate e = {.margin = (double)NAN, .limit = (double)NAN, .holds = (double)NAN};
  statistic s = {0};

  /* The terms, and the goal from them. */
  for (size_t t = 0; t < goal->term_count; t++) {
    read_term(set, &goal->term[t], vehicles, x);
    s = add_term(&goal->term[t], x, draws, sorted, 0, NULL);
    e.terms[t] = s.value;
  }
  e.value = omr_goal_value(goal, e.terms);
  if (goal->condition) e.margin = omr_goal_margin(goal, e.terms);
  if (goal->condition) e.limit = goal->limit;

  /* Influences of the terms add up by the slopes of the goal. */
  memset(part->influence, 0, draws * sizeof *part->influence);
  part->used = draws;
  for (size_t t = 0; t < goal->term_count; t++) {
    double derived[3];
    omr_expression_derive(goal->number, e.terms, t, derived);
    read_term(set, &goal->term[t], vehicles, x);
    s = add_term(&goal->term[t], x, draws, sorted, derived[1], part->influence);
    if (s.used < part->used) part->used = s.used;
  }
  if (part->truth && only)
    memcpy(part->truth, only->kind == OMR_TERM_QUANTILE ? sorted : x, draws * sizeof *x);

  /* Bounds by chance, where chance has a part. */
  const double variance = variance_of(part->influence, NULL, draws, part->used);
  if (!set->drawn)
    e.bounds = (omr_bounds){e.value, e.value};
  else if (only && only->kind == OMR_TERM_PROBABILITY)
    e.bounds = omr_probability_bounds(set->interval, s.met, s.used, set->confidence);
  else if (only && only->kind == OMR_TERM_QUANTILE)
    e.bounds = rank_bounds(sorted, s.used, only->level, set->confidence);
  else
    e.bounds = student_bounds(e.value, variance, part->used, set->confidence);
  if (goal->condition)
    e.holds = set->drawn ? holds_of(goal, &e, s, variance, part->used) : (double)(e.margin >= 0);
  return e;
}

/* Draws in which one of two has it and the other not. */
static omr_bounds share_difference(const omr_goal_set *set, const double *one, const double *other,
                                   size_t draws) {
  uint64_t gained = 0, lost = 0, pairs = 0;
  for (size_t k = 0; k < draws; k++) {
    if (isnan(one[k]) || isnan(other[k])) continue;
    pairs++;
    gained += one[k] > other[k];
    lost += one[k] < other[k];
  }
  return omr_tango_bounds(gained, lost, pairs, set->confidence);
}

/* Influences tell little of two quantiles that move together: they would have the difference of two
 * densities, which is noise. So the bounds also hold the differences rank by rank between the ranks
 * of the quantile; of too few draws there are none. */
static omr_bounds widen_by_ranks(omr_bounds b, const omr_goal_influence *one,
                                 const omr_goal_influence *other, double level, double confidence) {
  const size_t n = one->used < other->used ? one->used : other->used;
  size_t low, high;
  if (n < 2) return b;
  ranks_of(n, level, confidence, &low, &high);
  if (low == 0 || high > n) return (omr_bounds){(double)NAN, (double)NAN};
  for (size_t r = low - 1; r < high; r++) {
    const double apart =
        one->truth[r * (one->used - 1) / (n - 1)] - other->truth[r * (other->used - 1) / (n - 1)];
    b.low = fmin(b.low, apart);
    b.high = fmax(b.high, apart);
  }
  return b;
}

omr_bounds omr_goal_difference(const omr_goal_set *set, size_t g, double difference,
                               const omr_goal_influence *one, size_t one_draws,
                               const omr_goal_influence *other, size_t other_draws) {
  const omr_term *only = omr_goal_only(set->goal[g]);
  const size_t used = one->used < other->used ? one->used : other->used;
  if (!set->drawn) return (omr_bounds){difference, difference};

  /* Other draws, or other numbers of them, are independent. */
  if (!set->common || one_draws != other_draws) {
    const double variance = variance_of(one->influence, NULL, one_draws, one->used) +
                            variance_of(other->influence, NULL, other_draws, other->used);
    return student_bounds(difference, variance, used, set->confidence);
  }
  if (only && only->kind == OMR_TERM_PROBABILITY)
    return share_difference(set, one->truth, other->truth, one_draws);
  const double variance = variance_of(one->influence, other->influence, one_draws, used);
  const omr_bounds bounds = student_bounds(difference, variance, used, set->confidence);
  if (only && only->kind == OMR_TERM_QUANTILE)
    return widen_by_ranks(bounds, one, other, only->level, set->confidence);
  return bounds;
}
