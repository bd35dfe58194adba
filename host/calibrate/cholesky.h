/* Cholesky factors by our own code, since LAPACK's differ in their last bits from machine to
 * machine. A factor is lower; elements above its diagonal are neither read nor written. */
#ifndef OMR_CHOLESKY_H
#define OMR_CHOLESKY_H

#include <stddef.h>

double omr_dot(const double *a, const double *b, size_t count);

/* Factorises a positive definite matrix [n][n] in its place. */
void omr_cholesky_factor(size_t n, double *matrix);
/* L x = b, and L L^T x = b; x [n] is b before. */
void omr_cholesky_solve_lower(size_t n, const double *factor, double *x);
void omr_cholesky_solve(size_t n, const double *factor, double *x);

/* Mean [d] of points [n][d], and the factor [d][d] of `scale` times their covariance. A direction
 * in which the points do not differ gets a millionth, so that the factor exists. */
void omr_cholesky_of_points(const double *points, size_t n, size_t d, double scale, double *mean,
                            double *factor);

#endif
