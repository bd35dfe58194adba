/* Dense linear equations of the physics tests: elimination in long double, so that what is compared
 * with them errs less. */
#ifndef TESTS_DENSE_H
#define TESTS_DENSE_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { DENSE_SIZE = 24 }; /* longest vector and row; more than 3 + 2 x 8 wheels */

typedef double dense_matrix[DENSE_SIZE][DENSE_SIZE];

/* x = m^-1 x, with row pivoting. False where m is singular to the last bit. */
static inline bool dense_solve(int n, dense_matrix m, double x[DENSE_SIZE]) {
  long double a[DENSE_SIZE][DENSE_SIZE + 1];
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) a[i][j] = (long double)m[i][j];
    a[i][n] = (long double)x[i];
  }
  for (int c = 0; c < n; c++) {
    int pivot = c;
    for (int i = c + 1; i < n; i++) pivot = fabsl(a[i][c]) > fabsl(a[pivot][c]) ? i : pivot;
    if (a[pivot][c] == 0) return false;
    for (int j = c; j <= n; j++) {
      long double swap = a[c][j];
      a[c][j] = a[pivot][j];
      a[pivot][j] = swap;
    }
    for (int i = c + 1; i < n; i++) {
      long double f = a[i][c] / a[c][c];
      for (int j = c; j <= n; j++) a[i][j] -= f * a[c][j];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) a[i][n] -= a[i][j] * a[j][n];
    a[i][n] /= a[i][i];
    x[i] = (double)a[i][n];
  }
  return true;
}

static inline double dense_dot(int n, const double *a, const double *b) {
  long double sum = 0;
  for (int i = 0; i < n; i++) sum += (long double)a[i] * (long double)b[i];
  return (double)sum;
}

#endif
