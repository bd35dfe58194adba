/* Weighted Moore-Penrose inverses, and the motion of a constrained system that they give (source
 * 5, section 2). The general form, for dense matrices of any rank; shares nothing with kernels/.
 * Built if LAPACKE is found (OMNIROLL_LAPACK).
 *
 * Matrices are row-major: entry (i, j) of an m x n matrix is at [i n + j]. Every array belongs
 * to the caller; outputs must not overlap inputs. Errors: OMR_ERR_USAGE for invalid sizes,
 * tolerances and matrices (the text names the fault), OMR_ERR_MEMORY, OMR_ERR_INTERNAL if LAPACK
 * does not converge. After an error the outputs are undefined. */
#ifndef OMR_MOORE_PENROSE_H
#define OMR_MOORE_PENROSE_H

#include "support/support.h"

/* Default limit of zero: this part of the largest singular value or eigenvalue. */
#define OMR_RANK_TOLERANCE 1e-12

/* x (columns x rows) = a^+, the Moore-Penrose inverse of a (rows x columns), by one-sided Jacobi
 * SVD, which keeps the relative accuracy of the small singular values of a matrix whose rows or
 * columns differ in scale. Singular values of at most `tolerance` times the largest count as zero;
 * *rank (NULL allowed) is the number of the others. */
omr_status omr_pseudo_inverse(int rows, int columns, const double *a, double tolerance, double *x,
                              int *rank, omr_error *error);

/* root (size x size) = s^(1/2) of a symmetric positive semi-definite s, and inverse = (s^(1/2))^+
 * (NULL allowed), by eigen-decomposition. Eigenvalues of at most `tolerance` times the largest
 * count as zero in both; *rank as above. An eigenvalue more negative than rounding explains is an
 * error, and so is an asymmetric s. */
omr_status omr_semidefinite_root(int size, const double *s, double tolerance, double *root,
                                 double *inverse, int *rank, omr_error *error);

/* Constraints A x = b with the weights of their residuals and of the solution. */
typedef struct omr_constraints {
  int rows, columns;
  const double *a;         /* A, rows x columns, of any rank */
  const double *weight;    /* N, rows x rows, symmetric positive semi-definite */
  const double *mass;      /* M, columns x columns, symmetric positive definite */
  double rank_tolerance;   /* of the pseudo-inverse */
  double weight_tolerance; /* of the eigenvalues of N: 0 takes the smallest weight seriously */
} omr_constraints;

/* x (columns x rows) = M^(-1/2) (N^(1/2) A M^(-1/2))^+ N^(1/2), eq. 13. x b minimises (A x - b)^T N
 * (A x - b) and, among all minima, x^T M x. For definite N the four properties of eq. 12 hold; for
 * semi-definite N it is the minimum M-norm N-semi-least-squares inverse of Mitra and Rao, with the
 * four properties printed below eq. 18: N A X A = N A, (N A X)^T = N A X, M X A X = M X, (M X A)^T
 * = M X A; also A X A = A if and only if r(A^T N A) = r(A). */
omr_status omr_weighted_inverse(const omr_constraints *c, double *x, omr_error *error);

/* x (columns x rows) = M^(-1/2) ((N^(1/2))^+ A M^(-1/2))^+ N^(1/2), eq. 18. It equals A^+_(N^+ M)
 * N, the inverse of eq. 13 for the weight N^+, times N: x b solves A x = N b with minimum M-norm
 * (in the sense of least squares weighted with N^+ if there is no solution), so a weight w < 1
 * demands the part w of its equation. For independent rows and definite N, x = M^-1 A^T (A M^-1
 * A^T)^-1 N. The properties printed below eq. 18 hold if N is a projector (weights 0 and 1), not in
 * general. */
omr_status omr_relaxed_inverse(const omr_constraints *c, double *x, omr_error *error);

/* Forces and right-hand sides of a system M q'' = Q + Q_ic + Q_nic with A q'' = b. */
typedef struct omr_applied {
  const double *force; /* Q, columns: everything but the constraints' reactions */
  const double
      *non_ideal;  /* C, columns: further forces of the constraints, z = M^-1 C; NULL is zero */
  const double *b; /* rows */
} omr_applied;

/* Each has `columns` entries; NULL for unwanted ones. */
typedef struct omr_moved {
  double *acceleration;    /* q'' */
  double *ideal_force;     /* Q_ic = M X (b - A a), a = M^-1 Q (eq. 4) */
  double *non_ideal_force; /* Q_nic = M (I - X A) M^-1 C (eq. 5) */
} omr_moved;

/* Eq. 17 with x from one of the inverses above (c->weight and the tolerances are not read). */
omr_status omr_constrained_motion(const omr_constraints *c, const double *x,
                                  const omr_applied *applied, const omr_moved *motion,
                                  omr_error *error);

#endif
