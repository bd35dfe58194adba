/* The effect of the step on a goal, from vehicles that were run again with shorter steps. */
#include "estimates.h"

#include <math.h>

/* Values of a term at every level, of the places that have one at all of them. */
static bool read_levels(const omr_goal_set *set, const omr_term *term, const omr_refined *r,
                        omr_step_values *v) {
  *v = (omr_step_values){
      .levels = r->sample.levels, .decades = r->sample.decades, .confidence = set->confidence};
  double *row = set->row;
  for (size_t place = 0; place < r->sample.count; place++) {
    bool known = true;
    for (int level = 0; level <= v->levels; level++) {
      const int status = *omr_refined_status(r, level, place);
      const double *from = omr_refined_row(r, level, place);
      for (size_t u = 0; u < set->used_count; u++) row[set->used[u]] = from[set->used[u]];
      const double value = omr_term_value(set, term, status);
      v->value[level][v->count] = value;
      known = known && isfinite(value);
    }
    v->count += known;
  }
  return v->count > 0;
}

/* The mean of net flips of a condition. */
static double flips_of(const omr_step_values *v) {
  double sum = 0;
  for (size_t i = 0; i < v->count; i++) sum += v->value[0][i] - v->value[v->levels][i];
  return sum / (double)v->count;
}

/* The deviation's change is the mean of (x - mean) dx / deviation. */
static void weigh_by_distance(omr_step_values *v) {
  double mean = 0, squares = 0;
  for (size_t i = 0; i < v->count; i++) mean += v->value[0][i] / (double)v->count;
  for (size_t i = 0; i < v->count; i++)
    squares += (v->value[0][i] - mean) * (v->value[0][i] - mean) / (double)v->count;
  const double deviation = sqrt(squares);
  for (size_t i = 0; i < v->count; i++) {
    const double weight = deviation > 0 ? (v->value[0][i] - mean) / deviation : 0;
    for (int level = v->levels; level >= 0; level--) v->value[level][i] *= weight;
  }
}

static double term_step(const omr_goal_set *set, const omr_term *term, const omr_refined *r) {
  omr_step_values v;
  double median, largest;
  if (!read_levels(set, term, r, &v)) return (double)NAN;
  if (term->kind == OMR_TERM_PROBABILITY) return fabs(flips_of(&v));
  if (term->kind == OMR_TERM_DEVIATION) weigh_by_distance(&v);
  const omr_step_tail tail = omr_step_tail_of(&v);
  omr_step_error_sizes(&v, &tail, &median, &largest);
  switch (term->kind) {
  case OMR_TERM_QUANTILE: return median;
  case OMR_TERM_SMALLEST:
  case OMR_TERM_LARGEST: return largest;
  default: return fabs(omr_step_error_of_mean(&v, &tail).error);
  }
}

double omr_goal_step(const omr_goal_set *set, size_t g, const omr_refined *refined,
                     const double *terms) {
  const omr_goal_expression *goal = set->goal[g];
  double sum = 0;
  if (!refined || refined->sample.count == 0 || refined->columns != set->columns)
    return (double)NAN;
  for (size_t t = 0; t < goal->term_count; t++) {
    double derived[3];
    omr_expression_derive(goal->number, terms, t, derived);
    sum += fabs(derived[1]) * term_step(set, &goal->term[t], refined);
  }
  return sum;
}
