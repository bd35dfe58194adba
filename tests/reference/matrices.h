/* Small row-major matrices of the reference's tests: draws, products and distances. */
#ifndef TESTS_MATRICES_H
#define TESTS_MATRICES_H

#include "tests/physics/shared/vectors.h"

#include <math.h>
#include <string.h>

enum { SIDE = 24, ENTRIES = SIDE * SIDE };

typedef struct matrix {
  int rows, columns;
  double at[ENTRIES]; /* entry (i, j) at [i columns + j] */
} matrix;

static inline matrix zeros(int rows, int columns) {
  return (matrix){.rows = rows, .columns = columns};
}

static inline matrix diagonal(int size, const double *entries) {
  matrix d = zeros(size, size);
  for (int i = 0; i < size; i++) d.at[i * size + i] = entries ? entries[i] : 1;
  return d;
}

static inline matrix random_matrix(uint64_t *s, int rows, int columns) {
  matrix a = zeros(rows, columns);
  for (int i = 0; i < rows * columns; i++) a.at[i] = draw(s, -1, 1);
  return a;
}

static inline matrix product(matrix a, matrix b) {
  matrix c = zeros(a.rows, b.columns);
  for (int i = 0; i < a.rows; i++) {
    for (int k = 0; k < a.columns; k++) {
      for (int j = 0; j < b.columns; j++)
        c.at[i * c.columns + j] += a.at[i * a.columns + k] * b.at[k * b.columns + j];
    }
  }
  return c;
}

static inline matrix transposed(matrix a) {
  matrix t = zeros(a.columns, a.rows);
  for (int i = 0; i < a.rows; i++) {
    for (int j = 0; j < a.columns; j++) t.at[j * t.columns + i] = a.at[i * a.columns + j];
  }
  return t;
}

/* a + f b */
static inline matrix combined(matrix a, double f, matrix b) {
  for (int i = 0; i < a.rows * a.columns; i++) a.at[i] += f * b.at[i];
  return a;
}

static inline double largest(matrix a) {
  double found = 0;
  for (int i = 0; i < a.rows * a.columns; i++) found = larger(found, a.at[i]);
  return found;
}

/* Largest difference of entries, relative to the larger matrix where that is beyond 1. */
static inline double distance(matrix a, matrix b) {
  return largest(combined(a, -1, b)) / fmax(1, fmax(largest(a), largest(b)));
}

static inline double asymmetry(matrix a) {
  return distance(a, transposed(a));
}

/* Of the given rank (almost surely). */
static inline matrix random_of_rank(uint64_t *s, int rows, int columns, int rank) {
  return product(random_matrix(s, rows, rank), random_matrix(s, rank, columns));
}

static inline matrix random_semidefinite(uint64_t *s, int size, int rank) {
  matrix half = random_matrix(s, size, rank), whole = product(half, transposed(half));
  return combined(whole, 1, transposed(whole)); /* symmetric to the last bit */
}

static inline matrix random_definite(uint64_t *s, int size) {
  return combined(random_semidefinite(s, size, size), draw(s, 0.2, 1), diagonal(size, NULL));
}

/* x^T w x */
static inline double square(matrix w, matrix x) {
  return product(transposed(x), product(w, x)).at[0];
}

/* Inverse of a matrix that has one, by Gauss and Jordan with pivots. */
static inline matrix inverted(matrix a) {
  const int n = a.rows;
  matrix x = diagonal(n, NULL);
  for (int c = 0; c < n; c++) {
    int pivot = c;
    for (int i = c; i < n; i++)
      pivot = fabs(a.at[i * n + c]) > fabs(a.at[pivot * n + c]) ? i : pivot;
    for (int j = 0; j < n; j++) {
      const double p = a.at[pivot * n + j], q = x.at[pivot * n + j];
      a.at[pivot * n + j] = a.at[c * n + j];
      x.at[pivot * n + j] = x.at[c * n + j];
      a.at[c * n + j] = p;
      x.at[c * n + j] = q;
    }
    const double d = a.at[c * n + c];
    for (int j = 0; j < n; j++) {
      a.at[c * n + j] /= d;
      x.at[c * n + j] /= d;
    }
    for (int i = 0; i < n; i++) {
      const double f = i == c ? 0 : a.at[i * n + c];
      for (int j = 0; j < n; j++) {
        a.at[i * n + j] -= f * a.at[c * n + j];
        x.at[i * n + j] -= f * x.at[c * n + j];
      }
    }
  }
  return x;
}

#endif
