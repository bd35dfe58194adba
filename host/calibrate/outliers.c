#include "outliers.h"

#include "../../kernels/scalar_math.h"
#include "../study/designs/special_functions.h"
#include "../study/measured/measured.h"

#include <math.h>

static const double k = OMR_OUTLIER_NOISE;

/* Beyond this a score grows by r/k: a double cannot hold the tails. */
static const double far = 300;

double omr_outliers_below(double share, double r) {
  if (share == 0) return omr_normal_cdf(r);
  return (1 - share) * omr_normal_cdf(r) + share * omr_normal_cdf(r / k);
}

/* The usual density over an outlier's, times their shares; at most (1 - p) k / p. */
static double odds_against(double share, double r) {
  return (1 - share) * k / share * omr_math_exp(-0.5 * r * r * (1 - 1 / (k * k)));
}

double omr_outliers_log_density(double share, double r) {
  if (share == 0) return -0.5 * r * r;
  return -0.5 * r * r / (k * k) + omr_math_log(share / k * (1 + odds_against(share, r)));
}

double omr_outliers_probability(double share, double r) {
  return share == 0 ? 0 : 1 / (1 + odds_against(share, r));
}

double omr_outliers_score(double share, double r) {
  const double size = fabs(r), near = fmin(size, far);
  if (share == 0) return r;
  const double score = -omr_normal_quantile(omr_outliers_below(share, -near)) + (size - near) / k;
  return r < 0 ? -score : score;
}

double omr_outliers_clip(double share, double r) {
  if (share == 0 || fabs(r) <= OMR_HUBER) return r;
  return copysign(sqrt(OMR_HUBER * (2 * fabs(r) - OMR_HUBER)), r);
}
