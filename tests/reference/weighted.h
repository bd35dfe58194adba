/* The inverses of host/reference/multibody/moore_penrose.h on test matrices. */
#ifndef TESTS_WEIGHTED_H
#define TESTS_WEIGHTED_H

#include "host/reference/multibody/moore_penrose.h"
#include "matrices.h"

#include <criterion/criterion.h>

static inline matrix pseudo_inverse(matrix a, int *rank) {
  matrix x = zeros(a.columns, a.rows);
  omr_error error = {0};
  cr_assert_eq(omr_pseudo_inverse(a.rows, a.columns, a.at, OMR_RANK_TOLERANCE, x.at, rank, &error),
               OMR_OK, "%s", error.message);
  return x;
}

static inline int rank_of(matrix a) {
  int rank;
  pseudo_inverse(a, &rank);
  return rank;
}

/* Two values of a function whose least value is `least`, up to the rounding of the larger. */
static inline void expect_no_less(double value, double least) {
  cr_expect_geq(value, least - 1e-12 * fmax(1, value), "%.17g is less than %.17g", value, least);
}

static inline omr_constraints constraints(const matrix *a, const matrix *n, const matrix *m) {
  return (omr_constraints){a->rows,           a->columns, a->at, n->at, m->at, OMR_RANK_TOLERANCE,
                           OMR_RANK_TOLERANCE};
}

/* Eq. 13. */
static inline matrix weighted(matrix a, matrix n, matrix m) {
  matrix x = zeros(a.columns, a.rows);
  omr_error error = {0};
  omr_constraints c = constraints(&a, &n, &m);
  cr_assert_eq(omr_weighted_inverse(&c, x.at, &error), OMR_OK, "%s", error.message);
  return x;
}

/* Eq. 18. */
static inline matrix relaxed(matrix a, matrix n, matrix m) {
  matrix x = zeros(a.columns, a.rows);
  omr_error error = {0};
  omr_constraints c = constraints(&a, &n, &m);
  cr_assert_eq(omr_relaxed_inverse(&c, x.at, &error), OMR_OK, "%s", error.message);
  return x;
}

/* Eq. 17; columns of q'', Q_ic, Q_nic. */
typedef struct motion {
  matrix acceleration, ideal, non_ideal;
} motion;

static inline motion constrained_motion(matrix a, matrix x, matrix m, matrix q, matrix c,
                                        matrix b) {
  motion r = {zeros(a.columns, 1), zeros(a.columns, 1), zeros(a.columns, 1)};
  omr_constraints system = {.rows = a.rows, .columns = a.columns, .a = a.at, .mass = m.at};
  omr_error error = {0};
  const omr_status status =
      omr_constrained_motion(&system, x.at, &(omr_applied){q.at, c.at, b.at},
                             &(omr_moved){r.acceleration.at, r.ideal.at, r.non_ideal.at}, &error);
  cr_assert_eq(status, OMR_OK, "%s", error.message);
  return r;
}

#endif
