/* The kernels' elementary functions for host code, in double: the same bits on every machine and
 * compiler, which libm does not give. Errors in units in the last place of the result, as in
 * tests/unit/test_math.c. */
#ifndef OMR_SCALAR_MATH_H
#define OMR_SCALAR_MATH_H

/* Below 0.8 ulp for |x| <= 1e4, apart from 1e-32 |x| near the zeros; keeps that absolute error up
 * to 1e9. */
void omr_math_sincos(double x, double *sine, double *cosine);

/* Below 0.8 ulp. 0 and infinity beyond the range. */
double omr_math_exp(double x);

/* Below 1 ulp. log 0 is -infinity, the logarithm of a negative number NaN. */
double omr_math_log(double x);

/* Angle of (cosine, sine) within pi: absolute error below 6e-16. */
double omr_math_atan2(double sine, double cosine);

#endif
