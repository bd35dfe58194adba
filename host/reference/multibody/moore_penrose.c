#include "reference/multibody/moore_penrose.h"

#include "support/pool.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

/* ---- small matrix arithmetic */

static double *make_matrix(omr_pool *memory, int rows, int columns) {
  return omr_pool_take(memory, (size_t)rows * (size_t)columns, sizeof(double));
}

/* c (m x n) = a (m x k) b (k x n). */
static void multiply(int m, int k, int n, const double *a, const double *b, double *c) {
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int l = 0; l < k; l++) sum += a[i * k + l] * b[l * n + j];
      c[i * n + j] = sum;
    }
  }
}

static void transpose(int rows, int columns, const double *a, double *t) {
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < columns; j++) t[j * rows + i] = a[i * columns + j];
  }
}

static double largest_entry(int count, const double *a) {
  double largest = 0;
  for (int i = 0; i < count; i++) {
    if (!(fabs(a[i]) <= largest)) largest = fabs(a[i]);
  }
  return largest;
}

static omr_status out_of_memory(omr_error *error) {
  return omr_fail(error, OMR_ERR_MEMORY, "out of memory for a weighted inverse");
}

/* ---- checks of the caller's matrices */

static omr_status check_matrix(const char *name, int rows, int columns, const double *a,
                               omr_error *error) {
  if (rows < 1 || columns < 1)
    return omr_fail(error, OMR_ERR_USAGE, "%s has %d rows and %d columns", name, rows, columns);
  for (int i = 0; i < rows * columns; i++) {
    if (!isfinite(a[i]))
      return omr_fail(error, OMR_ERR_USAGE, "%s(%d, %d) is not finite", name, i / columns,
                      i % columns);
  }
  return OMR_OK;
}

static omr_status check_tolerance(double tolerance, omr_error *error) {
  if (tolerance >= 0 && tolerance < 1) return OMR_OK;
  return omr_fail(error, OMR_ERR_USAGE,
                  "a rank tolerance must be at least 0 and less than 1, not %g", tolerance);
}

/* Rounding of a caller's products leaves this much asymmetry. */
static double rounding(int size) {
  return 8 * size * DBL_EPSILON;
}

static omr_status check_symmetric(const char *name, int size, const double *s, omr_error *error) {
  const omr_status status = check_matrix(name, size, size, s, error);
  if (status) return status;
  const double allowed = rounding(size) * largest_entry(size * size, s);
  for (int i = 0; i < size; i++) {
    for (int j = 0; j < i; j++) {
      if (fabs(s[i * size + j] - s[j * size + i]) > allowed) {
        return omr_fail(error, OMR_ERR_USAGE, "%s is not symmetric at (%d, %d)", name, i, j);
      }
    }
  }
  return OMR_OK;
}

/* ---- pseudo-inverse */

/* Singular value decomposition of a tall matrix t (long x short, column-major): t = u diag(sigma)
 * v^T. */
typedef struct svd {
  omr_pool memory;
  int tall, wide; /* long and short side */
  double *t, *sigma, *u, *v;
} svd;

/* Jacobi's SVD needs the tall one of a and its transpose; in column-major order the memory of a is
 * its transpose. */
static bool make_svd(svd *d, int rows, int columns, const double *a) {
  *d = (svd){.tall = rows > columns ? rows : columns, .wide = rows > columns ? columns : rows};
  d->t = make_matrix(&d->memory, d->tall, d->wide);
  d->sigma = make_matrix(&d->memory, d->wide, 1);
  d->u = make_matrix(&d->memory, d->tall, d->wide);
  d->v = make_matrix(&d->memory, d->wide, d->wide);
  if (d->memory.failed) return false;
  if (rows > columns) {
    transpose(rows, columns, a, d->t);
  } else {
    memcpy(d->t, a, (size_t)rows * (size_t)columns * sizeof *a);
  }
  return true;
}

/* Joba F: full relative accuracy for rows and columns of any scale. */
static omr_status decompose(svd *d, omr_error *error) {
  double scales[7] = {0};
  lapack_int counts[3] = {0};
  const lapack_int info =
      LAPACKE_dgejsv(LAPACK_COL_MAJOR, 'F', 'U', 'V', 'N', 'N', 'N', d->tall, d->wide, d->t,
                     d->tall, d->sigma, d->u, d->tall, d->v, d->wide, scales, counts);
  if (info == LAPACK_WORK_MEMORY_ERROR || info == LAPACK_TRANSPOSE_MEMORY_ERROR)
    return out_of_memory(error);
  if (info) return omr_fail(error, OMR_ERR_INTERNAL, "LAPACK's dgejsv ended with %d", (int)info);
  if (scales[1] > 0) {
    for (int i = 0; i < d->wide; i++) d->sigma[i] *= scales[0] / scales[1];
  }
  return OMR_OK;
}

/* x (columns x rows) = sum over singular values that count of v_s u_s^T / sigma_s, or of u_s v_s^T
 * for the transpose. */
static int sum_inverse(const svd *d, int rows, int columns, double tolerance, double *x) {
  int rank = 0;
  memset(x, 0, (size_t)rows * (size_t)columns * sizeof *x);
  for (int s = 0; s < d->wide; s++) {
    if (d->sigma[s] <= tolerance * d->sigma[0]) continue;
    rank++;
    const double *u = d->u + s * d->tall, *v = d->v + s * d->wide;
    const double *left = rows > columns ? v : u, *right = rows > columns ? u : v;
    for (int i = 0; i < columns; i++) {
      for (int j = 0; j < rows; j++) x[i * rows + j] += left[i] * right[j] / d->sigma[s];
    }
  }
  return rank;
}

omr_status omr_pseudo_inverse(int rows, int columns, const double *a, double tolerance, double *x,
                              int *rank, omr_error *error) {
  svd d = {0};
  omr_status status = check_matrix("the matrix", rows, columns, a, error);
  if (!status) status = check_tolerance(tolerance, error);
  if (status) return status;
  status = make_svd(&d, rows, columns, a) ? decompose(&d, error) : out_of_memory(error);
  if (!status) {
    const int found = sum_inverse(&d, rows, columns, tolerance, x);
    if (rank) *rank = found;
  }
  omr_pool_free(&d.memory);
  return status;
}

/* ---- roots */

/* Eigenvalues of s ascending, orthonormal eigenvectors in the columns of `vectors` (row-major). */
static omr_status eigen(int size, const double *s, double *values, double *vectors,
                        omr_error *error) {
  memcpy(vectors, s, (size_t)size * (size_t)size * sizeof *s);
  const lapack_int info = LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'V', 'U', size, vectors, size, values);
  if (info == LAPACK_WORK_MEMORY_ERROR || info == LAPACK_TRANSPOSE_MEMORY_ERROR)
    return out_of_memory(error);
  if (info) return omr_fail(error, OMR_ERR_INTERNAL, "LAPACK's dsyev ended with %d", (int)info);
  return OMR_OK;
}

static void add_square(int size, const double *vectors, int which, double factor, double *sum) {
  for (int i = 0; i < size; i++) {
    for (int j = 0; j < size; j++)
      sum[i * size + j] += factor * vectors[i * size + which] * vectors[j * size + which];
  }
}

static int sum_roots(int size, const double *values, const double *vectors, double tolerance,
                     double *root, double *inverse) {
  int rank = 0;
  const double zero = tolerance * fmax(values[size - 1], 0);
  memset(root, 0, (size_t)size * (size_t)size * sizeof *root);
  if (inverse) memset(inverse, 0, (size_t)size * (size_t)size * sizeof *inverse);
  for (int e = 0; e < size; e++) {
    if (values[e] <= zero) continue;
    rank++;
    add_square(size, vectors, e, sqrt(values[e]), root);
    if (inverse) add_square(size, vectors, e, 1 / sqrt(values[e]), inverse);
  }
  return rank;
}

static omr_status named_root(const char *name, int size, const double *s, double tolerance,
                             double *root, double *inverse, int *rank, omr_error *error) {
  omr_status status = check_symmetric(name, size, s, error);
  if (!status) status = check_tolerance(tolerance, error);
  if (status) return status;
  omr_pool memory = {0};
  double *values = make_matrix(&memory, size, 1), *vectors = make_matrix(&memory, size, size);
  status = memory.failed ? out_of_memory(error) : eigen(size, s, values, vectors, error);
  if (!status && values[0] < -rounding(size) * fmax(values[size - 1], -values[0])) {
    status = omr_fail(error, OMR_ERR_USAGE, "%s has the negative eigenvalue %g", name, values[0]);
  }
  if (!status) *rank = sum_roots(size, values, vectors, tolerance, root, inverse);
  omr_pool_free(&memory);
  return status;
}

omr_status omr_semidefinite_root(int size, const double *s, double tolerance, double *root,
                                 double *inverse, int *rank, omr_error *error) {
  int found = 0;
  const omr_status status =
      named_root("the matrix", size, s, tolerance, root, inverse, &found, error);
  if (!status && rank) *rank = found;
  return status;
}

/* ---- weighted inverses */

/* Roots of the weights, and room for the products. */
typedef struct weighted {
  double *root_n, *inverse_n; /* N^(1/2), (N^(1/2))^+ */
  double *root_m, *inverse_m; /* M^(1/2), M^(-1/2) */
  double *half, *scaled;      /* A M^(-1/2); that times the root or its inverse from the left */
  double *plus, *back;        /* its pseudo-inverse; that times N^(1/2) from the right */
} weighted;

static omr_status take_roots(const omr_constraints *c, const weighted *w, omr_error *error) {
  int rank = 0;
  omr_status status = named_root("the weight N", c->rows, c->weight, c->weight_tolerance, w->root_n,
                                 w->inverse_n, &rank, error);
  if (!status) {
    status = named_root("the mass M", c->columns, c->mass, rounding(c->columns), w->root_m,
                        w->inverse_m, &rank, error);
  }
  if (!status && rank < c->columns)
    status =
        omr_fail(error, OMR_ERR_USAGE, "the mass M is singular: rank %d of %d", rank, c->columns);
  return status;
}

/* M^(-1/2) (left A M^(-1/2))^+ N^(1/2), left being N^(1/2) or its pseudo-inverse. */
static omr_status weighted_inverse(const omr_constraints *c, bool relaxed, double *x,
                                   omr_error *error) {
  const int m = c->rows, n = c->columns;
  omr_status status = check_matrix("the matrix A", m, n, c->a, error);
  if (status) return status;
  omr_pool memory = {0};
  omr_pool *of = &memory;
  const weighted w = {make_matrix(of, m, m), make_matrix(of, m, m), make_matrix(of, n, n),
                      make_matrix(of, n, n), make_matrix(of, m, n), make_matrix(of, m, n),
                      make_matrix(of, n, m), make_matrix(of, n, m)};
  status = memory.failed ? out_of_memory(error) : take_roots(c, &w, error);
  if (!status) {
    multiply(m, n, n, c->a, w.inverse_m, w.half);
    multiply(m, m, n, relaxed ? w.inverse_n : w.root_n, w.half, w.scaled);
    status = omr_pseudo_inverse(m, n, w.scaled, c->rank_tolerance, w.plus, NULL, error);
  }
  if (!status) {
    multiply(n, m, m, w.plus, w.root_n, w.back);
    multiply(n, n, m, w.inverse_m, w.back, x);
  }
  omr_pool_free(&memory);
  return status;
}

omr_status omr_weighted_inverse(const omr_constraints *c, double *x, omr_error *error) {
  return weighted_inverse(c, false, x, error);
}

omr_status omr_relaxed_inverse(const omr_constraints *c, double *x, omr_error *error) {
  return weighted_inverse(c, true, x, error);
}

/* ---- motion */

enum { FREE, NON_IDEAL, SOLVED }; /* the two right-hand sides of M y = (Q, C) */

/* Free acceleration a = M^-1 Q and z = M^-1 C, side by side (columns x 2). factor: room for M's. */
static omr_status solve_mass(const omr_constraints *c, const omr_applied *f, double *factor,
                             double *solution, omr_error *error) {
  const int n = c->columns;
  memcpy(factor, c->mass, (size_t)n * (size_t)n * sizeof *factor);
  for (int i = 0; i < n; i++) {
    solution[i * SOLVED + FREE] = f->force[i];
    solution[i * SOLVED + NON_IDEAL] = f->non_ideal ? f->non_ideal[i] : 0;
  }
  const lapack_int info =
      LAPACKE_dposv(LAPACK_ROW_MAJOR, 'U', n, SOLVED, factor, n, solution, SOLVED);
  if (info == LAPACK_WORK_MEMORY_ERROR || info == LAPACK_TRANSPOSE_MEMORY_ERROR)
    return out_of_memory(error);
  if (info) return omr_fail(error, OMR_ERR_USAGE, "the mass M is not positive definite");
  return OMR_OK;
}

/* d = x (b - A a) + (I - x A) z in two columns, by residuals (columns: b - A a, -A z) that x maps
 * to accelerations. */
static void add_constraints(const omr_constraints *c, const double *x, const double *b,
                            double *residual, double *solution, double *added) {
  const int m = c->rows, n = c->columns;
  multiply(m, n, SOLVED, c->a, solution, residual);
  for (int i = 0; i < m; i++) {
    residual[i * SOLVED + FREE] = b[i] - residual[i * SOLVED + FREE];
    residual[i * SOLVED + NON_IDEAL] = -residual[i * SOLVED + NON_IDEAL];
  }
  multiply(n, m, SOLVED, x, residual, added);
  for (int i = 0; i < n; i++) added[i * SOLVED + NON_IDEAL] += solution[i * SOLVED + NON_IDEAL];
}

static void take_column(int n, const double *from, int column, double *to) {
  for (int i = 0; to && i < n; i++) to[i] = from[i * SOLVED + column];
}

omr_status omr_constrained_motion(const omr_constraints *c, const double *x,
                                  const omr_applied *applied, const omr_moved *motion,
                                  omr_error *error) {
  const int m = c->rows, n = c->columns;

  omr_status status = check_matrix("the matrix A", m, n, c->a, error);
  if (!status) status = check_symmetric("the mass M", n, c->mass, error);
  if (status) return status;

  omr_pool memory = {0};
  double *solution = make_matrix(&memory, n, SOLVED), *added = make_matrix(&memory, n, SOLVED);
  double *force = make_matrix(&memory, n, SOLVED), *residual = make_matrix(&memory, m, SOLVED);
  double *factor = make_matrix(&memory, n, n);
  status = memory.failed ? out_of_memory(error) : solve_mass(c, applied, factor, solution, error);

  /* accelerations that the constraints add, and the forces behind them */
  if (!status) {
    add_constraints(c, x, applied->b, residual, solution, added);
    multiply(n, n, SOLVED, c->mass, added, force);
    take_column(n, force, FREE, motion->ideal_force);
    take_column(n, force, NON_IDEAL, motion->non_ideal_force);

    for (int i = 0; motion->acceleration && i < n; i++) {
      motion->acceleration[i] =
          solution[i * SOLVED + FREE] + added[i * SOLVED + FREE] + added[i * SOLVED + NON_IDEAL];
    }
  }

  omr_pool_free(&memory);
  return status;
}
