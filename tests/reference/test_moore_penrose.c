/* Weighted Moore-Penrose inverses against the properties source 5 gives them, and against plain
 * formulas where these exist. */
#include "weighted.h"

#include <float.h>

enum { CASES = 200 };
#define TOLERANCE 1e-9 /* condition numbers of the random matrices reach 1e5 */

/* Random sizes up to 7 and rank; wide, tall and square; full rank in every second case. */
static matrix random_constraints(uint64_t *s, int n) {
  const int rows = draw_whole(s, 1, 7), columns = draw_whole(s, 1, 7),
            least = rows < columns ? rows : columns;
  return random_of_rank(s, rows, columns, n % 2 ? least : draw_whole(s, 1, least));
}

/* ---- pseudo-inverse and roots */

Test(moore_penrose, inverse_has_penroses_four_properties_whatever_the_rank) {
  uint64_t seed = 1;
  double worst = 0;
  for (int n = 0; n < CASES; n++) {
    const int rows = draw_whole(&seed, 1, 9), columns = draw_whole(&seed, 1, 9);
    const int expected = draw_whole(&seed, 1, rows < columns ? rows : columns);
    matrix a = random_of_rank(&seed, rows, columns, expected);
    int rank;
    matrix x = pseudo_inverse(a, &rank), ax = product(a, x), xa = product(x, a);
    cr_expect_eq(rank, expected, "%d x %d: rank %d for %d", rows, columns, rank, expected);
    worst = larger(worst, distance(product(ax, a), a));
    worst = larger(worst, distance(product(xa, x), x));
    worst = larger(worst, fmax(asymmetry(ax), asymmetry(xa)));
  }
  cr_log_info("largest violation %.2g", worst);
  cr_expect_lt(worst, TOLERANCE);
}

Test(moore_penrose, inverse_of_zero_is_zero) {
  int rank = -1;
  cr_expect_eq(largest(pseudo_inverse(zeros(3, 5), &rank)), 0);
  cr_expect_eq(rank, 0);
}

/* (D A)^+ D = A^T (A A^T)^-1 for independent rows, D from 1 to 1e12: an SVD that is accurate only
 * relative to the largest singular value would lose twelve figures. */
Test(moore_penrose, inverse_keeps_its_figures_where_rows_differ_in_scale) {
  uint64_t seed = 2;
  double worst = 0;
  for (int n = 0; n < CASES; n++) {
    matrix a = random_matrix(&seed, 4, 7);
    matrix exact = product(transposed(a), inverted(product(a, transposed(a))));
    const double scales[4] = {1, pow(10, draw(&seed, 0, 12)), pow(10, draw(&seed, 0, 12)), 1e12};
    matrix d = diagonal(4, scales), scaled = product(d, a), x = zeros(7, 4);
    omr_error error = {0};
    cr_assert_eq(omr_pseudo_inverse(4, 7, scaled.at, 0, x.at, NULL, &error), OMR_OK, "%s",
                 error.message);
    worst = larger(worst, distance(product(x, d), exact));
  }
  cr_log_info("largest relative difference %.2g", worst);
  cr_expect_lt(worst, 1e-11);
}

Test(moore_penrose, roots_square_to_their_matrix_and_invert_on_its_range) {
  uint64_t seed = 3;
  double worst = 0;
  for (int n = 0; n < CASES; n++) {
    const int size = draw_whole(&seed, 1, 8), expected = draw_whole(&seed, 1, size);
    matrix s = random_semidefinite(&seed, size, expected), root = zeros(size, size),
           inverse = zeros(size, size);
    int rank;
    omr_error error = {0};
    cr_assert_eq(
        omr_semidefinite_root(size, s.at, OMR_RANK_TOLERANCE, root.at, inverse.at, &rank, &error),
        OMR_OK, "%s", error.message);
    cr_expect_eq(rank, expected);
    worst = larger(worst, distance(product(root, root), s));
    worst = larger(worst, asymmetry(root));
    worst = larger(worst, distance(inverse, pseudo_inverse(root, NULL)));
  }
  cr_log_info("largest violation %.2g", worst);
  cr_expect_lt(worst, TOLERANCE);
}

/* ---- eq. 13 with definite weights */

Test(moore_penrose, definite_weights_give_the_four_properties_of_equation_12) {
  uint64_t seed = 4;
  double worst = 0;
  for (int k = 0; k < CASES; k++) {
    matrix a = random_constraints(&seed, k), n = random_definite(&seed, a.rows),
           m = random_definite(&seed, a.columns);
    matrix x = weighted(a, n, m), xa = product(x, a);
    worst = larger(worst, distance(product(a, xa), a));
    worst = larger(worst, distance(product(xa, x), x));
    worst = larger(worst, asymmetry(product(n, product(a, x))));
    worst = larger(worst, asymmetry(product(m, xa))); /* (X A)^T M = M X A; see the next test */
  }
  cr_log_info("largest violation %.2g", worst);
  cr_expect_lt(worst, TOLERANCE);
}

/* Eq. 12 prints its last property as (X A M)^T = X A M. With M as the weight of the solution, as
 * eqs. 10 and 13 have it, the symmetric matrix is M X A; X A M is symmetric for M^-1 in its place.
 */
Test(moore_penrose, symmetric_is_m_x_a_and_not_x_a_m_as_printed) {
  uint64_t seed = 5;
  matrix a = random_matrix(&seed, 2, 4), n = random_definite(&seed, 2),
         m = random_definite(&seed, 4);
  matrix xa = product(weighted(a, n, m), a);
  cr_expect_lt(asymmetry(product(m, xa)), 1e-12);
  cr_expect_gt(asymmetry(product(xa, m)), 1e-2);
  cr_expect_lt(asymmetry(product(xa, inverted(m))), 1e-12);
}

/* For independent rows the weights N do not matter: X = M^-1 A^T (A M^-1 A^T)^-1. */
Test(moore_penrose, definite_weights_of_independent_rows_do_not_matter) {
  uint64_t seed = 6;
  double worst = 0;
  for (int k = 0; k < CASES; k++) {
    const int columns = draw_whole(&seed, 2, 7);
    matrix a = random_matrix(&seed, draw_whole(&seed, 1, columns - 1), columns),
           m = random_definite(&seed, columns);
    matrix half = product(inverted(m), transposed(a)),
           plain = product(half, inverted(product(a, half)));
    worst = larger(worst, distance(weighted(a, random_definite(&seed, a.rows), m), plain));
  }
  cr_log_info("largest relative difference %.2g", worst);
  cr_expect_lt(worst, TOLERANCE);
}

/* b in the range of A: A X b = b, and every other solution x + (I - X A) y has a larger M-norm. */
Test(moore_penrose, solution_of_consistent_equations_has_minimum_m_norm) {
  uint64_t seed = 7;
  double worst = 0;
  for (int k = 0; k < CASES; k++) {
    matrix a = random_constraints(&seed, k), n = random_definite(&seed, a.rows),
           m = random_definite(&seed, a.columns);
    matrix b = product(a, random_matrix(&seed, a.columns, 1)), inverse = weighted(a, n, m),
           x = product(inverse, b);
    worst = larger(worst, distance(product(a, x), b));
    matrix y = random_matrix(&seed, a.columns, 1),
           step = combined(y, -1, product(inverse, product(a, y)));
    matrix other = combined(x, 1, step);
    worst = larger(worst, distance(product(a, other), b));
    expect_no_less(square(m, other), square(m, x));
    worst = larger(worst, (square(m, other) - square(m, x) - square(m, step)) /
                              fmax(1, square(m, other))); /* Pythagoras */
  }
  cr_log_info("largest violation %.2g", worst);
  cr_expect_lt(worst, TOLERANCE);
}

/* Any b and semi-definite N too: no x + y has a smaller residual, and where y keeps it, the M-norm
 * grows. */
Test(moore_penrose, solution_of_inconsistent_equations_is_the_least_of_the_weighted_least_squares) {
  uint64_t seed = 8;
  double normal = 0;
  for (int k = 0; k < CASES; k++) {
    matrix a = random_constraints(&seed, k), m = random_definite(&seed, a.columns);
    matrix n = k % 3 ? random_definite(&seed, a.rows)
                     : random_semidefinite(&seed, a.rows, draw_whole(&seed, 1, a.rows));
    matrix b = random_matrix(&seed, a.rows, 1), inverse = weighted(a, n, m),
           x = product(inverse, b);
    matrix residual = combined(product(a, x), -1, b);
    normal = larger(
        normal, largest(product(transposed(a), product(n, residual)))); /* A^T N (A x - b) = 0 */
    for (int t = 0; t < 10; t++) {
      matrix y = random_matrix(&seed, a.columns, 1), moved = combined(residual, 0.1, product(a, y));
      expect_no_less(square(n, moved), square(n, residual));
      matrix same = combined(y, -1, product(inverse, product(a, y))); /* N A same = 0 */
      normal = larger(normal, largest(product(n, product(a, same))));
      expect_no_less(square(m, combined(x, 0.1, same)), square(m, x));
    }
  }
  cr_log_info("largest violation of the normal equations %.2g", normal);
  cr_expect_lt(normal, TOLERANCE);
}

/* Other coordinates q = T p and other combinations S of the equations, any of them regular:
 * A' = S A T, M' = T^T M T, N' = S^-T N S^-1 (of eq. 13, whose residual S r then weighs the same)
 * give X' = T^-1 X S^-1. Of eq. 18, which asks A x = N b, N' = S N S^-1 would have to be symmetric:
 * for orthogonal S it is, and X' = T^-1 X S^T. Dense weights, any rank, singular N too. */
static matrix orthogonal(uint64_t *s, int size) {
  matrix a = random_matrix(s, size, size), root = zeros(size, size), inverse = zeros(size, size);
  matrix square = product(a, transposed(a));
  square = combined(square, 1, transposed(square));
  int rank;
  omr_error error = {0};
  cr_assert_eq(omr_semidefinite_root(size, square.at, 0, root.at, inverse.at, &rank, &error),
               OMR_OK, "%s", error.message);
  a = product(inverse, a); /* (2 a a^T)^(-1/2) a, times the root of 2 */
  for (int i = 0; i < size * size; i++) a.at[i] *= sqrt(2);
  return a;
}

static matrix symmetrised(matrix a) {
  a = combined(a, 1, transposed(a));
  for (int i = 0; i < a.rows * a.rows; i++) a.at[i] /= 2;
  return a;
}

Test(moore_penrose, inverses_follow_a_change_of_coordinates_and_equations) {
  uint64_t seed = 21;
  double worst[2] = {0, 0};
  for (int k = 0; k < CASES; k++) {
    matrix a = random_constraints(&seed, k), m = random_definite(&seed, a.columns);
    matrix n = k % 3 ? random_definite(&seed, a.rows)
                     : random_semidefinite(&seed, a.rows, draw_whole(&seed, 1, a.rows));
    matrix t =
        combined(orthogonal(&seed, a.columns), 0.3, random_matrix(&seed, a.columns, a.columns));
    matrix q = orthogonal(&seed, a.rows),
           s = combined(q, 0.2, random_matrix(&seed, a.rows, a.rows)), back = inverted(s);
    cr_assert_lt(distance(product(q, transposed(q)), diagonal(a.rows, NULL)), 1e-9);
    matrix mass = symmetrised(product(transposed(t), product(m, t)));
    matrix weight = symmetrised(product(transposed(back), product(n, back)));
    matrix got = product(product(t, weighted(product(s, product(a, t)), weight, mass)), s);
    worst[0] = larger(
        worst[0], distance(product(n, product(a, got)), product(n, product(a, weighted(a, n, m)))));
    if (k % 3) worst[0] = larger(worst[0], distance(got, weighted(a, n, m)));
    weight = symmetrised(product(q, product(n, transposed(q))));
    got = product(product(t, relaxed(product(q, product(a, t)), weight, mass)), q);
    if (k % 3) worst[1] = larger(worst[1], distance(got, relaxed(a, n, m)));
  }
  cr_log_info("largest differences: eq. 13 %.2g, eq. 18 %.2g", worst[0], worst[1]);
  cr_expect_lt(worst[0], 1e-7); /* condition numbers of a, n, m, s and t multiply */
  cr_expect_lt(worst[1], 1e-7);
}

/* ---- semi-definite N */

/* Largest violation of the four properties printed below eq. 18. */
static double semi_violation(matrix a, matrix x, matrix n, matrix m) {
  matrix nax = product(n, product(a, x)), mxa = product(m, product(x, a));
  double worst = distance(product(nax, a), product(n, a));
  worst = larger(worst, distance(product(mxa, x), product(m, x)));
  return fmax(worst, fmax(asymmetry(nax), asymmetry(mxa)));
}

/* The inverse that has them for every semi-definite N is that of eq. 13, with N^(1/2) and not its
 * pseudo-inverse inside. The rank condition, printed as r(A^T X A) = r(A) where the sizes do not
 * even fit, is r(A^T N A) = r(A): with it, and only with it, A X A = A. */
Test(moore_penrose, semi_definite_weights_of_equation_13_give_the_semi_least_squares_inverse) {
  uint64_t seed = 9;
  double worst = 0;
  int met = 0, broken = 0;
  for (int k = 0; k < CASES; k++) {
    matrix a = random_constraints(&seed, k), m = random_definite(&seed, a.columns);
    matrix n = random_semidefinite(&seed, a.rows, draw_whole(&seed, 1, a.rows)),
           x = weighted(a, n, m);
    worst = larger(worst, semi_violation(a, x, n, m));
    const double inverse = distance(product(a, product(x, a)), a);
    if (rank_of(product(transposed(a), product(n, a))) == rank_of(a)) {
      worst = larger(worst, inverse);
      met++;
    } else {
      cr_expect_gt(inverse, 1e-6);
      broken++;
    }
  }
  cr_log_info("largest violation %.2g; rank condition met %d times, broken %d times", worst, met,
              broken);
  cr_expect_lt(worst, 1e-8);
  cr_expect(met > 20 && broken > 20);
}

/* M definite makes it unique: another way to it, through the normal equations A^T N A x = A^T N b
 * with minimum M-norm. */
Test(moore_penrose, semi_least_squares_inverse_is_that_of_the_normal_equations) {
  uint64_t seed = 10;
  double worst = 0;
  for (int k = 0; k < CASES; k++) {
    matrix a = random_constraints(&seed, k), m = random_definite(&seed, a.columns);
    matrix n = random_semidefinite(&seed, a.rows, draw_whole(&seed, 1, a.rows));
    matrix back = product(transposed(a), n), normal = product(back, a);
    matrix other = product(weighted(normal, diagonal(a.columns, NULL), m), back);
    worst = larger(worst, distance(product(back, product(a, other)), back));
    worst = larger(worst, distance(product(n, product(a, combined(other, -1, weighted(a, n, m)))),
                                   zeros(a.rows, a.rows)));
  }
  cr_log_info("largest difference %.2g", worst);
  cr_expect_lt(worst, 1e-6); /* the normal equations square the condition number */
}

/* ---- eq. 18 */

static matrix random_weights(uint64_t *s, int size, double *w) {
  for (int i = 0; i < size; i++) w[i] = draw(s, 0.05, 1);
  return diagonal(size, w);
}

/* X = M^-1 A^T (A M^-1 A^T)^-1 N, so A X = N: each equation is asked for the part w of its
 * right-hand side. */
Test(moore_penrose, relaxed_inverse_of_independent_rows_is_the_form_the_engine_uses) {
  uint64_t seed = 11;
  double worst = 0, w[7];
  for (int k = 0; k < CASES; k++) {
    const int columns = draw_whole(&seed, 2, 7);
    matrix a = random_matrix(&seed, draw_whole(&seed, 1, columns - 1), columns),
           m = random_definite(&seed, columns);
    matrix n = k % 2 ? random_weights(&seed, a.rows, w) : random_definite(&seed, a.rows);
    matrix half = product(inverted(m), transposed(a)), x = relaxed(a, n, m);
    worst = larger(worst, distance(x, product(product(half, inverted(product(a, half))), n)));
    worst = larger(worst, distance(product(a, x), n));
  }
  cr_log_info("largest difference %.2g", worst);
  cr_expect_lt(worst, TOLERANCE);
}

/* What eq. 18 is for any A and semi-definite N: A^+_(N^+ M) N, the inverse of eq. 13 for the weight
 * N^+, times N. So x = X b solves A x = N b by least squares weighted with N^+, and P A X is
 * symmetric with P the projector on the range of N. */
Test(moore_penrose, relaxed_inverse_is_the_weighted_inverse_of_the_scaled_equations) {
  uint64_t seed = 12;
  double worst = 0;
  for (int k = 0; k < CASES; k++) {
    matrix a = random_constraints(&seed, k), m = random_definite(&seed, a.columns);
    matrix n = random_semidefinite(&seed, a.rows, draw_whole(&seed, 1, a.rows)),
           plus = pseudo_inverse(n, NULL);
    plus = combined(plus, 1, transposed(plus));
    for (int i = 0; i < plus.rows * plus.rows; i++) plus.at[i] /= 2;
    matrix x = relaxed(a, n, m);
    worst = larger(worst, distance(x, product(weighted(a, plus, m), n)));
    worst = larger(worst, asymmetry(product(product(n, plus), product(a, x))));
  }
  cr_log_info("largest difference %.2g", worst);
  cr_expect_lt(worst, 1e-7); /* N and N^+ together square a condition number */
}

/* The properties the source claims for eq. 18 hold for projectors N, whatever A, ... */
Test(moore_penrose, relaxed_inverse_has_the_printed_properties_for_weights_0_and_1) {
  uint64_t seed = 13;
  double worst = 0;
  for (int k = 0; k < CASES; k++) {
    matrix a = random_constraints(&seed, k), m = random_definite(&seed, a.columns);
    matrix basis = random_matrix(&seed, a.rows, draw_whole(&seed, 1, a.rows));
    matrix n = product(basis, pseudo_inverse(basis, NULL));
    n = combined(n, 1, transposed(n));
    for (int i = 0; i < n.rows * n.rows; i++) n.at[i] /= 2;
    matrix x = relaxed(a, n, m);
    worst = larger(worst, semi_violation(a, x, n, m));
    worst = larger(worst, distance(x, weighted(a, n, m)));
  }
  cr_log_info("largest violation %.2g", worst);
  cr_expect_lt(worst, 1e-8);
}

/* ... and not for weights between: with independent rows N A X A is N^2 A and M X A X is M X N, and
 * M X A = A^T G^-1 N A is symmetric only where N and G = A M^-1 A^T commute (the wheel of section
 * 3, whose G is diagonal). Only N A X = N^2 is symmetric always. */
Test(moore_penrose, relaxed_inverse_has_not_the_printed_properties_for_other_weights) {
  uint64_t seed = 14;
  const double w[3] = {0.9, 0.5, 0.2};
  matrix a = random_matrix(&seed, 3, 6), m = random_definite(&seed, 6), n = diagonal(3, w),
         x = relaxed(a, n, m);
  matrix nax = product(n, product(a, x)), mxa = product(m, product(x, a));
  cr_expect_lt(distance(product(nax, a), product(n, product(n, a))), 1e-12);
  cr_expect_lt(distance(product(mxa, x), product(m, product(x, n))), 1e-12);
  cr_expect_lt(asymmetry(nax), 1e-12);
  cr_expect_gt(distance(product(nax, a), product(n, a)), 1e-2);
  cr_expect_gt(distance(product(mxa, x), product(m, x)), 1e-2);
  cr_expect_gt(asymmetry(mxa), 1e-2);
}

/* A weight of 0: eq. 18 drops the row as if it were not there, X = [M^-1 A_1^T G_11^-1 W_1, 0]. The
 * limit w -> 0 and the engine's form M^-1 A^T G^-1 W keep the released row at its free
 * acceleration, A_2 X = 0, by forces of the row's own (the cross terms G_21^-1): eq. 18 jumps there
 * by a finite amount unless G_12 = 0. */
Test(moore_penrose, relaxed_inverse_jumps_where_a_weight_reaches_zero) {
  uint64_t seed = 15;
  matrix a = random_matrix(&seed, 3, 6), m = random_definite(&seed, 6), kept = zeros(2, 6);
  memcpy(kept.at, a.at, sizeof(double) * 12);
  matrix half = product(inverted(m), transposed(a)),
         form = product(half, inverted(product(a, half)));
  double w[3] = {0.9, 0.5, 0};
  matrix at_zero = relaxed(a, diagonal(3, w), m), limit = product(form, diagonal(3, w));
  matrix without = relaxed(kept, diagonal(2, w), m);
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 2; j++)
      cr_expect_float_eq(at_zero.at[3 * i + j], without.at[2 * i + j], 1e-12);
    cr_expect_float_eq(at_zero.at[3 * i + 2], 0, 1e-15);
  }
  for (int e = 2; e <= 10; e += 2) {
    w[2] = pow(10, -e);
    cr_expect_lt(distance(relaxed(a, diagonal(3, w), m), limit), 10 * w[2]);
  }
  cr_log_info("X jumps by %.3g of %.3g", largest(combined(at_zero, -1, limit)), largest(limit));
  cr_expect_gt(distance(at_zero, limit), 1e-2);
  matrix apart = zeros(3, 6); /* rows that do not share coordinates: G is diagonal, no jump */
  for (int i = 0; i < 3; i++) apart.at[6 * i + 2 * i] = 1 + i;
  matrix unit = diagonal(6, NULL),
         plain = product(transposed(apart), inverted(product(apart, transposed(apart))));
  w[2] = 0;
  cr_expect_lt(distance(relaxed(apart, diagonal(3, w), unit), product(plain, diagonal(3, w))),
               1e-14);
}

/* ---- refusals */

static void expect_refusal(omr_status status, const omr_error *error, const char *part) {
  cr_expect_eq(status, OMR_ERR_USAGE);
  cr_expect(strstr(error->message, part), "\"%s\" says nothing of \"%s\"", error->message, part);
}

Test(moore_penrose, refuses_what_is_no_weighted_problem) {
  uint64_t seed = 16;
  matrix a = random_matrix(&seed, 2, 3), n = diagonal(2, NULL), m = diagonal(3, NULL),
         x = zeros(3, 2), bad = m;
  omr_error error = {0};
  bad.at[1] = 0.5;
  omr_constraints c = constraints(&a, &n, &bad);
  expect_refusal(omr_weighted_inverse(&c, x.at, &error), &error, "M is not symmetric at (1, 0)");
  bad.at[1] = bad.at[8] = 0;
  expect_refusal(omr_relaxed_inverse(&c, x.at, &error), &error, "M is singular: rank 2 of 3");
  bad.at[8] = -1;
  expect_refusal(omr_weighted_inverse(&c, x.at, &error), &error, "negative eigenvalue -1");
  omr_moved nothing = {0};
  expect_refusal(
      omr_constrained_motion(&c, x.at, &(omr_applied){x.at, NULL, x.at}, &nothing, &error), &error,
      "not positive definite");
  c = constraints(&a, &n, &m);
  n.at[3] = -0.1;
  expect_refusal(omr_relaxed_inverse(&c, x.at, &error), &error,
                 "N has the negative eigenvalue -0.1");
  n.at[3] = 1;
  a.at[4] = (double)NAN;
  expect_refusal(omr_weighted_inverse(&c, x.at, &error), &error, "A(1, 1) is not finite");
  a.at[4] = 1;
  c.rank_tolerance = -1;
  expect_refusal(omr_weighted_inverse(&c, x.at, &error), &error, "rank tolerance");
  expect_refusal(omr_pseudo_inverse(0, 3, a.at, 0, x.at, NULL, &error), &error, "0 rows");
}
