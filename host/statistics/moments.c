/* Variances, errors, intervals and probabilities from moments and counts. */
#include "../study/designs/special_functions.h"
#include "statistics.h"

#include <math.h>

double omr_variance_of(const omr_moments *moments) {
  return moments->used > 1 ? moments->squares / (double)(moments->used - 1) : (double)NAN;
}

double omr_deviation_of(const omr_moments *moments) {
  return sqrt(omr_variance_of(moments));
}

double omr_standard_error_of(const omr_moments *moments) {
  return sqrt(omr_variance_of(moments) / (double)moments->used);
}

omr_bounds omr_mean_bounds(const omr_moments *moments, double confidence) {
  if (moments->used < 2) return (omr_bounds){(double)NAN, (double)NAN};
  const double half = omr_student_quantile((double)(moments->used - 1), confidence) *
                      omr_standard_error_of(moments);
  return (omr_bounds){moments->mean - half, moments->mean + half};
}

double omr_probability_of(const omr_criterion_counts *counts) {
  const uint64_t of = counts->met + counts->not_met;
  return of ? (double)counts->met / (double)of : (double)NAN;
}
