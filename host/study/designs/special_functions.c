#include "special_functions.h"

#include "../../../kernels/scalar_math.h"
#include "../../support/support.h"

#include <math.h>

/* W. Kahan: the rounding of 1 + x enters logarithm and difference alike. */
double omr_log1p(double x) {
  const double y = 1 + x;
  return y == 1 ? x : omr_math_log(y) * (x / (y - 1));
}

/* exp(-x^2/2) / sqrt(2 pi), the square without its rounding error. */
static double density(double x) {
  const double square = x * x, lost = __builtin_fma(x, x, -square);
  return omr_math_exp(-0.5 * square) * (1 - 0.5 * lost) * 0.3989422804014327;
}

/* 1/2 + density (x + x^3/3 + x^5/(3 5) + ...), Abramowitz and Stegun 26.2.11: every term of one
 * sign. */
static double cdf_series(double x) {
  double term = x, sum = x;
  for (int n = 3; n < 200 && sum + term != sum; n += 2) {
    term *= x * x / n;
    sum += term;
  }
  return 0.5 + density(x) * sum;
}

/* density / (x + 1/(x + 2/(x + 3/(x + ...)))) for the upper tail, 26.2.14, from the last of enough
 * terms back: the error falls like exp(-2 x sqrt(n)). */
static double tail_fraction(double x) {
  const int terms = (int)(360 / (x * x)) + 8;
  double rest = x;
  for (int n = terms; n > 0; n--) rest = x + n / rest;
  return density(x) / rest;
}

double omr_normal_cdf(double x) {
  if (x < -1) return x < -40 ? 0 : tail_fraction(-x);
  if (x > 1) return x > 40 ? 1 : 1 - tail_fraction(x);
  return cdf_series(x);
}

static double ratio(const double *top, const double *bottom, double r) {
  double p = top[7], q = bottom[7];
  for (int i = 6; i >= 0; i--) {
    p = __builtin_fma(p, r, top[i]);
    q = __builtin_fma(q, r, bottom[i]);
  }
  return p / q;
}

/* M. J. Wichura, Algorithm AS 241, Applied Statistics 37 (1988) 477-484: PPND16. */
double omr_normal_quantile(double p) {
  static const double a[] = {3.3871328727963666080,    1.3314166789178437745e+2,
                             1.9715909503065514427e+3, 1.3731693765509461125e+4,
                             4.5921953931549871457e+4, 6.7265770927008700853e+4,
                             3.3430575583588128105e+4, 2.5090809287301226727e+3};
  static const double b[] = {1,
                             4.2313330701600911252e+1,
                             6.8718700749205790830e+2,
                             5.3941960214247511077e+3,
                             2.1213794301586595867e+4,
                             3.9307895800092710610e+4,
                             2.8729085735721942674e+4,
                             5.2264952788528545610e+3};
  static const double c[] = {1.42343711074968357734,    4.63033784615654529590,
                             5.76949722146069140550,    3.64784832476320460504,
                             1.27045825245236838258,    2.41780725177450611770e-1,
                             2.27238449892691845833e-2, 7.74545014278341407640e-4};
  static const double d[] = {1,
                             2.05319162663775882187,
                             1.67638483018380384940,
                             6.89767334985100004550e-1,
                             1.48103976427480074590e-1,
                             1.51986665636164571966e-2,
                             5.47593808499534494600e-4,
                             1.05075007164441684324e-9};
  static const double e[] = {6.65790464350110377720,    5.46378491116411436990,
                             1.78482653991729133580,    2.96560571828504891230e-1,
                             2.65321895265761230930e-2, 1.24266094738807843860e-3,
                             2.71155556874348757815e-5, 2.01033439929228813265e-7};
  static const double f[] = {1,
                             5.99832206555887937690e-1,
                             1.36929880922735805310e-1,
                             1.48753612908506148525e-2,
                             7.86869131145613259100e-4,
                             1.84631831751005468180e-5,
                             1.42151175831644588870e-7,
                             2.04426310338993978564e-15};

  /* Near the middle the quantile is one ratio of polynomials. */
  const double q = p - 0.5;
  if (fabs(q) <= 0.425) return q * ratio(a, b, 0.180625 - q * q);

  /* In the tails it is a ratio in the root of the tail's logarithm. */
  const double r = __builtin_sqrt(-omr_math_log(q < 0 ? p : 1 - p));
  const double x = r <= 5 ? ratio(c, d, r - 1.6) : ratio(e, f, r - 5);
  return q < 0 ? -x : x;
}

/* Remainder of Stirling's formula, log Gamma(x) - ((x - 1/2) log x - x + log(2 pi)/2): its series
 * (Abramowitz and Stegun 6.1.41) above 12, below that D(x) = D(x + 1) + (x + 1/2) log(1 + 1/x) - 1.
 */
static double stirling_rest(double x) {
  static const double series[] = {1.0 / 12,   -1.0 / 360,      1.0 / 1260, -1.0 / 1680,
                                  1.0 / 1188, -691.0 / 360360, 1.0 / 156,  -3617.0 / 122400};
  double sum = 0;
  for (; x < 12; x += 1) sum += (x + 0.5) * omr_log1p(1 / x) - 1;
  const double z = 1 / (x * x);
  double rest = 0;
  for (int i = 7; i >= 0; i--) rest = __builtin_fma(rest, z, series[i]);
  return sum + rest / x;
}

omr_beta omr_beta_make(double a, double b) {
  const double rest = stirling_rest(a + b) - stirling_rest(a) - stirling_rest(b);
  return (omr_beta){a, b, __builtin_sqrt(a / (a + b) * b / (2 * PI)) * omr_math_exp(rest)};
}

/* log of x (a + b)/a, near its zero by log(1 + ...): y = 1 - x. */
static double log_share(double x, double y, double a, double b) {
  const double excess = (b * x - a * y) / a;
  return fabs(excess) < 0.5 ? omr_log1p(excess) : omr_math_log(x) + omr_math_log((a + b) / a);
}

/* x^a y^b / B(a, b), y = 1 - x; the powers are taken relative to those at the mean, which
 * Stirling's formula cancels. */
static double power(const omr_beta *beta, double x, double y) {
  const double a = beta->a, b = beta->b;
  return beta->front * omr_math_exp(a * log_share(x, y, a, b) + b * log_share(y, x, b, a));
}

/* Continued fraction of I_x(a, b) without its front factor, DLMF 8.17.22, by Lentz's method; fast
 * for x < (a + 1)/(a + b + 2). */
static double beta_fraction(double a, double b, double x) {
  const double tiny = 1e-300;
  double c = 1, d = 1 - (a + b) * x / (a + 1);
  if (fabs(d) < tiny) d = tiny;
  d = 1 / d;
  double value = d;

  /* Each turn takes an even and an odd term of the continued fraction (Lentz). */
  for (int m = 1; m < 1000000; m++) { /* of the order of sqrt(a + b) terms */
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / (1 + even * d);
    c = 1 + even / c;
    value *= d * c;
    d = 1 / (1 + odd * d);
    c = 1 + odd / c;
    const double factor = d * c;
    value *= factor;
    if (fabs(factor - 1) < 3e-16) break;
  }
  return value;
}

/* I_x(a, b) from front = x^a y^b / B(a, b). */
static double beta_lower(const omr_beta *beta, double x, double y, double front) {
  const double a = beta->a, b = beta->b;
  if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
  return 1 - front * beta_fraction(b, a, y) / b;
}

static double odds_cdf(const omr_beta *beta, double odds) {
  const double x = odds / (1 + odds), y = 1 / (1 + odds);
  return beta_lower(beta, x, y, power(beta, x, y));
}

/* Odds x / (1 - x) at which I_x = p, p <= 1/2. Over the logarithm of the odds log I_x is concave
 * for every a and b (its density is x^a (1 - x)^b) and rises at the rate front / I_x, so Newton's
 * method converges from anywhere: after the first step from the left. A step of 1e-9 leaves an
 * error of its square. */
static double solve_odds(const omr_beta *beta, double p) {
  double odds = beta->a / beta->b;
  for (int i = 0; i < 200 && odds > 1e-300; i++) {
    const double x = odds / (1 + odds), y = 1 / (1 + odds), front = power(beta, x, y);
    const double cdf = beta_lower(beta, x, y, front), off = omr_math_log(cdf / p),
                 longest = (off + 300) / beta->a;
    const double newton = off * cdf / front, step = newton < longest ? newton : longest;
    odds *= omr_math_exp(-step);
    if (fabs(step) < 1e-9) break;
  }
  return odds;
}

/* The same for shapes larger than distributions have (intervals of probabilities from many
 * instances): there the steps above are cut too short. Newton's method between bounds that close
 * in. */
static double solve_odds_large(const omr_beta *beta, double p) {
  const double a = beta->a, b = beta->b, spread = __builtin_sqrt(1 / a + 1 / b),
               middle = omr_math_log(a / b);

  /* The bracket widens from the middle until it holds the quantile. */
  double low = middle - spread, high = middle + spread, at = middle;
  for (double reach = spread; odds_cdf(beta, omr_math_exp(low)) > p; reach *= 2) low -= reach;
  for (double reach = spread; odds_cdf(beta, omr_math_exp(high)) < p; reach *= 2) high += reach;

  /* Newton's steps narrow the bracket; a step that leaves it becomes a halving. */
  for (int i = 0; i < 200; i++) {
    const double odds = omr_math_exp(at), x = odds / (1 + odds), y = 1 / (1 + odds),
                 front = power(beta, x, y);
    const double cdf = beta_lower(beta, x, y, front);
    if (cdf < p)
      low = at;
    else
      high = at;
    double next = cdf > 0 && front > 0 ? at - omr_math_log(cdf / p) * cdf / front : low;
    if (!(next > low && next < high)) next = low + (high - low) / 2;
    const double step = fabs(next - at);
    at = next;
    if (step < 1e-15 + 1e-9 * spread) break;
  }
  return omr_math_exp(at);
}

static double solve(const omr_beta *beta, double p) {
  const double largest = 1e4;
  return beta->a > largest || beta->b > largest ? solve_odds_large(beta, p) : solve_odds(beta, p);
}

double omr_beta_cdf(const omr_beta *beta, double x) {
  if (!(x > 0 && x < 1)) return x >= 1;
  return beta_lower(beta, x, 1 - x, power(beta, x, 1 - x));
}

double omr_beta_quantile(const omr_beta *beta, double p) {
  const omr_beta mirrored = {beta->b, beta->a, beta->front};
  const double odds = p <= 0.5 ? solve(beta, p) : solve(&mirrored, 1 - p);
  return p <= 0.5 ? odds / (1 + odds) : 1 / (1 + odds);
}
