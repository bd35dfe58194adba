/* Special functions behind the distributions, from operations that are rounded alike everywhere
 * (kernels/scalar_math.h): the same bits on every machine. Errors are those measured against 60
 * digits, tests/study/test_distributions.c. */
#ifndef OMR_STUDY_SPECIAL_FUNCTIONS_H
#define OMR_STUDY_SPECIAL_FUNCTIONS_H

/* log(1 + x), x > -1: relative error below 4e-16. */
double omr_log1p(double x);

/* Standard normal distribution function: relative error below 3e-15, in the lower tail too. */
double omr_normal_cdf(double x);

/* Its inverse for 0 < p < 1: relative error below 2e-15. */
double omr_normal_quantile(double p);

/* x^a (1 - x)^b / (a B(a, b)) at x = 1/2 and the like need log-gamma differences; they are folded
 * once per (a, b). */
typedef struct omr_beta {
  double a, b;
  double front; /* sqrt(a b / (2 pi (a + b))) exp(D(a + b) - D(a) - D(b)), D the remainder of
                   Stirling's formula */
} omr_beta;

/* For a and b from 0.05 to 1e4; from 1 to 1e9 with absolute errors of 2^-53. */
omr_beta omr_beta_make(double a, double b);

/* The regularised incomplete beta function I_x(a, b): absolute error below 1e-12. */
double omr_beta_cdf(const omr_beta *beta, double x);

/* Where the regularised incomplete beta function I_x(a, b) is p, 0 < p < 1: relative error of x
 * below 1e-12 for p <= 1/2, of 1 - x for p > 1/2. */
double omr_beta_quantile(const omr_beta *beta, double p);

#endif
