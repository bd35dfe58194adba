#include "intervals.h"
#include "../study/designs/special_functions.h"

#include <math.h>

const char *const omr_interval_names[OMR_INTERVALS] = {"wilson", "clopper_pearson"};

static omr_bounds wilson(double count, double of, double tail) {
  const double z = omr_normal_quantile(1 - tail), p = count / of, square = z * z / of;
  const double middle = (p + square / 2) / (1 + square);
  const double half = z / (1 + square) * sqrt(p * (1 - p) / of + square / of / 4);
  return (omr_bounds){count > 0 ? middle - half : 0.0, count < of ? middle + half : 1.0};
}

/* The binomial's tails are beta distributions: P(X >= k) = I_p(k, n - k + 1). */
static omr_bounds clopper_pearson(double count, double of, double tail) {
  omr_bounds bounds = {0, 1};
  if (count > 0) {
    const omr_beta beta = omr_beta_make(count, of - count + 1);
    bounds.low = omr_beta_quantile(&beta, tail);
  }
  if (count < of) {
    const omr_beta beta = omr_beta_make(count + 1, of - count);
    bounds.high = omr_beta_quantile(&beta, 1 - tail);
  }
  return bounds;
}

omr_bounds omr_probability_bounds(omr_interval interval, uint64_t count, uint64_t of,
                                  double confidence) {
  const double tail = (1 - confidence) / 2;
  if (of == 0) return (omr_bounds){(double)NAN, (double)NAN};
  return interval == OMR_INTERVAL_WILSON ? wilson((double)count, (double)of, tail)
                                         : clopper_pearson((double)count, (double)of, tail);
}

/* Many degrees of freedom: the Cornish-Fisher expansion about the normal quantile (Abramowitz and
 * Stegun 26.7.5); its next term is of the order of freedom^-5. */
static double near_normal(double freedom, double z) {
  const double s = z * z;
  const double g1 = (s + 1) * z / 4, g2 = ((5 * s + 16) * s + 3) * z / 96;
  const double g3 = (((3 * s + 19) * s + 17) * s - 15) * z / 384;
  const double g4 = ((((79 * s + 776) * s + 1482) * s - 1920) * s - 945) * z / 92160;
  return z + (g1 + (g2 + (g3 + g4 / freedom) / freedom) / freedom) / freedom;
}

double omr_student_quantile(double freedom, double confidence) {
  if (freedom > 10000) return near_normal(freedom, omr_normal_quantile((1 + confidence) / 2));
  /* t^2/(freedom + t^2) has the distribution Beta(1/2, freedom/2) */
  const omr_beta beta = omr_beta_make(0.5, freedom / 2);
  const double part = omr_beta_quantile(&beta, confidence);
  return sqrt(freedom * part / (1 - part));
}
