/* Singular directions: of a matrix that is made of known ones. */
#include "calibrate/identify.h"

#include <criterion/criterion.h>
#include <math.h>

enum { N = 4 };

/* An orthogonal matrix, product of turns in three planes. */
static void make_directions(double q[N][N]) {
  static const struct {
    int a, b;
    double angle;
  } turns[] = {{0, 1, 0.7}, {1, 3, -1.1}, {2, 3, 0.4}, {0, 2, 2.0}};
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) q[i][j] = i == j;
  for (int t = 0; t < 4; t++)
    for (int k = 0; k < N; k++) {
      const double c = cos(turns[t].angle), s = sin(turns[t].angle), a = q[k][turns[t].a],
                   b = q[k][turns[t].b];
      q[k][turns[t].a] = c * a - s * b;
      q[k][turns[t].b] = s * a + c * b;
    }
}

Test(identify, values_and_directions_are_those_that_were_put_in) {
  static const double put[N] = {1e-3, 0.4, 7, 120};
  double q[N][N], gram[N * N] = {0}, values[N], directions[N * N];
  make_directions(q);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++) gram[i * N + j] += put[k] * put[k] * q[k][i] * q[k][j];
  omr_identify(gram, N, values, directions);
  for (int k = 0; k < N; k++) {
    double along = 0;
    for (int i = 0; i < N; i++) along += directions[k * N + i] * q[k][i];
    /* squares are rounded beside 120^2: 1e-16 of it, over twice the value */
    cr_expect_float_eq(values[k], put[k], 1e-11 * put[3] + 1e-16 * put[3] * put[3] / put[k]);
    cr_expect_float_eq(fabs(along), 1, 1e-6, "direction %d", k);
  }
}

/* Two columns alike: their difference is the direction that nothing tells of. */
Test(identify, what_cannot_be_told_apart_is_the_first_direction) {
  static const double s[3][3] = {{2, 2, 0.3}, {-1, -1, 1}, {0.5, 0.5, 4}};
  double gram[9] = {0}, values[3], directions[9];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++) gram[i * 3 + j] += s[k][i] * s[k][j];
  omr_identify(gram, 3, values, directions);
  cr_expect_lt(values[0], 1e-7);
  cr_expect_float_eq(fabs(directions[0] - directions[1]), sqrt(2), 1e-7);
  cr_expect_float_eq(directions[2], 0, 1e-7);
}
