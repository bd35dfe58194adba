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

const omr_field omr_moment_fields[] = {
    OMR_FIELD(COUNT, omr_moment_numbers, moments.used, "used", NULL,
              "ok instances with a value, which the numbers are of"),
    OMR_FIELD(COUNT, omr_moment_numbers, moments.without_value, "without_value", NULL,
              "ok instances without a value, left out"),
    OMR_FIELD(NUMBER, omr_moment_numbers, moments.min, "min", NULL, "smallest value"),
    OMR_FIELD(NUMBER, omr_moment_numbers, moments.max, "max", NULL, "largest value"),
    OMR_FIELD(NUMBER, omr_moment_numbers, moments.mean, "mean", NULL, "mean"),
    OMR_FIELD(NUMBER, omr_moment_numbers, variance, "variance", NULL,
              "variance of the population (n - 1)"),
    OMR_FIELD(NUMBER, omr_moment_numbers, deviation, "standard_deviation", NULL,
              "standard deviation of the population (n - 1)"),
    OMR_FIELD(NUMBER, omr_moment_numbers, error, "standard_error", NULL,
              "standard error of the mean"),
    OMR_FIELD(NUMBER, omr_moment_numbers, bounds.low, "mean_low", NULL,
              "lower end of the mean's confidence interval, Student's t"),
    OMR_FIELD(NUMBER, omr_moment_numbers, bounds.high, "mean_high", NULL,
              "upper end of the mean's confidence interval, Student's t")};

omr_moment_numbers omr_moment_numbers_of(const omr_moments *m, double confidence) {
  return (omr_moment_numbers){*m, omr_variance_of(m), omr_deviation_of(m), omr_standard_error_of(m),
                              omr_mean_bounds(m, confidence)};
}

const omr_field omr_share_fields[] = {
    OMR_FIELD(COUNT, omr_share_numbers, counts.met, "met", NULL,
              "instances that meet the criterion"),
    OMR_FIELD(COUNT, omr_share_numbers, counts.not_met, "not_met", NULL, "instances that do not"),
    OMR_FIELD(COUNT, omr_share_numbers, counts.unknown, "unknown", NULL,
              "instances that lack a value that decides"),
    OMR_FIELD(COUNT, omr_share_numbers, counts.left_out, "left_out", NULL,
              "instances whose status is not ok, where the criterion does not mention the status"),
    OMR_FIELD(NUMBER, omr_share_numbers, probability, "probability", "1",
              "part of the instances that meet the criterion, of those that do or do not"),
    OMR_FIELD(NUMBER, omr_share_numbers, bounds.low, "probability_low", "1",
              "lower end of the probability's confidence interval"),
    OMR_FIELD(NUMBER, omr_share_numbers, bounds.high, "probability_high", "1",
              "upper end of the probability's confidence interval")};

omr_share_numbers omr_share_numbers_of(const omr_statistics *s, const omr_criterion_counts *c) {
  return (omr_share_numbers){
      *c, omr_probability_of(c),
      omr_probability_bounds(s->interval, c->met, c->met + c->not_met, s->confidence)};
}
