#include "distributions.h"

#include "../../../kernels/scalar_math.h"

#include <math.h>

const omr_draw_kind omr_draw_kinds[OMR_DRAWS] = {
#define X(id, word, class, form, arguments, meaning) {word, form, arguments, meaning},
#include "../../lists/distributions.def"
#undef X
};

bool omr_is_random(omr_draw draw) {
  enum { LEVELS, RANDOM };
  static const int classes[OMR_DRAWS] = {
#define X(id, word, class, ...) class,
#include "../../lists/distributions.def"
#undef X
  };
  return classes[draw] == RANDOM;
}

/* Where low and high lie above the mean, upper tails keep the digits that lower ones lose. */
static void fold_truncated(omr_variation *v) {
  const double low = (v->c - v->a) / v->b, high = (v->d - v->a) / v->b;
  v->tail = v->c > v->a ? omr_normal_cdf(-high) : omr_normal_cdf(low);
  v->width = (v->c > v->a ? omr_normal_cdf(-low) : omr_normal_cdf(high)) - v->tail;
}

void omr_draw_fold(omr_variation *variation) {
  if (variation->draw == OMR_DRAW_TRUNCATED_NORMAL) fold_truncated(variation);
  if (variation->draw == OMR_DRAW_BETA) variation->beta = omr_beta_make(variation->a, variation->b);
}

static double between(double low, double value, double high) {
  return value < low ? low : value > high ? high : value;
}

/* low (high/low)^u */
static double log_uniform(const omr_variation *v, double unit) {
  return between(v->a, v->a * omr_math_exp(unit * omr_math_log(v->b / v->a)), v->b);
}

/* tail + u width is the untruncated normal's probability, below the value or (low above the mean)
 * above it. */
static double truncated_normal(const omr_variation *v, double unit) {
  const bool above = v->c > v->a;
  const double p = v->tail + (above ? 1 - unit : unit) * v->width;
  double z;
  if (p <= 0.5) {
    z = omr_normal_quantile(p);
  } else {
    const double beyond = omr_normal_cdf((v->a - v->d) / v->b) + (1 - unit) * v->width;
    z = beyond > 0 ? -omr_normal_quantile(beyond) : (v->d - v->a) / v->b;
  }
  return between(v->c, v->a + v->b * (above ? -z : z), v->d);
}

static double triangular(const omr_variation *v, double unit) {
  const double width = v->c - v->a, rise = v->b - v->a, fall = v->c - v->b;
  if (unit * width <= rise) return v->a + __builtin_sqrt(unit * width * rise);
  return v->c - __builtin_sqrt((1 - unit) * width * fall);
}

/* scale (-log(1 - u))^(1/shape) */
static double weibull(const omr_variation *v, double unit) {
  return v->a * omr_math_exp(omr_math_log(-omr_log1p(-unit)) / v->b);
}

static double discrete(const omr_variation *v, double unit) {
  size_t first = 0, count = v->levels - 1; /* the first whose cumulative probability exceeds unit */
  while (count > 0) {
    const size_t half = count / 2;
    if (v->cumulative[first + half] > unit) {
      count = half;
    } else {
      first += half + 1;
      count -= half + 1;
    }
  }
  return v->values[first];
}

static double level(const omr_variation *v, double unit) {
  const size_t chosen = (size_t)(unit * (double)v->levels);
  return v->values[chosen < v->levels ? chosen : v->levels - 1];
}

/* Products and sums must not be fused: the build switches contraction off. */
double omr_quantile(const omr_variation *v, double unit) {
  switch (v->draw) {
  case OMR_DRAW_UNIFORM: return v->a + (v->b - v->a) * unit;
  case OMR_DRAW_LOG_UNIFORM: return log_uniform(v, unit);
  case OMR_DRAW_NORMAL:
  case OMR_DRAW_LOG_NORMAL: return omr_quantile_of_normal(v, omr_normal_quantile(unit));
  case OMR_DRAW_TRUNCATED_NORMAL: return truncated_normal(v, unit);
  case OMR_DRAW_TRIANGULAR: return triangular(v, unit);
  case OMR_DRAW_BETA:
    return between(v->c, v->c + (v->d - v->c) * omr_beta_quantile(&v->beta, unit), v->d);
  case OMR_DRAW_WEIBULL: return weibull(v, unit);
  case OMR_DRAW_DISCRETE: return discrete(v, unit);
  default: return level(v, unit);
  }
}

double omr_quantile_of_normal(const omr_variation *v, double z) {
  if (v->draw == OMR_DRAW_NORMAL) return v->a + v->b * z;
  if (v->draw == OMR_DRAW_LOG_NORMAL) return v->a * omr_math_exp(v->b * z);
  return omr_quantile(v, between(0x1p-1022, omr_normal_cdf(z), 1 - 0x1p-53));
}

static bool ends_are(double low, double high, double *lowest, double *highest) {
  *lowest = low;
  *highest = high;
  return true;
}

bool omr_draw_ends(const omr_variation *v, double *low, double *high) {
  switch (v->draw) {
  case OMR_DRAW_UNIFORM:
  case OMR_DRAW_LOG_UNIFORM: return ends_are(v->a, v->b, low, high);
  case OMR_DRAW_TRIANGULAR: return ends_are(v->a, v->c, low, high);
  case OMR_DRAW_BETA:
  case OMR_DRAW_TRUNCATED_NORMAL: return ends_are(v->c, v->d, low, high);
  case OMR_DRAW_NORMAL:
  case OMR_DRAW_LOG_NORMAL:
  case OMR_DRAW_WEIBULL: return false;
  default: break;
  }
  return ends_are(v->values[0], v->values[v->levels - 1], low, high);
}

double omr_draw_highest(const omr_variation *v) {
  double low, highest;
  if (!omr_draw_ends(v, &low, &highest))
    return v->draw == OMR_DRAW_NORMAL && !(v->b > 0) ? v->a : (double)INFINITY;
  for (size_t j = 0; j < v->levels; j++) highest = fmax(highest, v->values[j]);
  return highest;
}
