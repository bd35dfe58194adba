#include "cholesky.h"

#include <math.h>

double omr_dot(const double *a, const double *b, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) sum += a[i] * b[i];
  return sum;
}

void omr_cholesky_factor(size_t n, double *matrix) {
  for (size_t a = 0; a < n; a++)
    for (size_t b = 0; b <= a; b++) {
      double *here = &matrix[a * n + b];
      *here -= omr_dot(matrix + a * n, matrix + b * n, b);
      *here = a == b ? sqrt(*here) : *here / matrix[b * n + b];
    }
}

void omr_cholesky_solve_lower(size_t n, const double *factor, double *x) {
  for (size_t a = 0; a < n; a++) x[a] = (x[a] - omr_dot(factor + a * n, x, a)) / factor[a * n + a];
}

void omr_cholesky_solve(size_t n, const double *factor, double *x) {
  omr_cholesky_solve_lower(n, factor, x);
  for (size_t a = n; a-- > 0;) {
    for (size_t b = a + 1; b < n; b++) x[a] -= factor[b * n + a] * x[b];
    x[a] /= factor[a * n + a];
  }
}

void omr_cholesky_of_points(const double *points, size_t n, size_t d, double scale, double *mean,
                            double *factor) {
  for (size_t a = 0; a < d; a++) {
    mean[a] = 0;
    for (size_t i = 0; i < n; i++) mean[a] += points[i * d + a] / (double)n;
  }
  for (size_t a = 0; a < d; a++)
    for (size_t b = 0; b <= a; b++) {
      double *here = &factor[a * d + b], sum = 0;
      for (size_t i = 0; i < n; i++)
        sum += (points[i * d + a] - mean[a]) * (points[i * d + b] - mean[b]);
      *here = scale * sum / (double)(n - 1);
      for (size_t e = 0; e < b; e++) *here -= factor[a * d + e] * factor[b * d + e];
      *here = a == b ? sqrt(fmax(*here, 1e-12)) : *here / factor[b * d + b];
    }
}
