/* Gauss-Newton steps to the top of a posterior: a linear model, whose top and width are exact;
 * curved ones, whose top solves an equation; points that fail; a model that is rough. */
#include "calibrate/polish.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

/* False: the point has no residuals. */
typedef bool (*model)(const double *u, double *r);

typedef struct found {
  double mode[4], covariance[16], residuals[8];
  omr_polish_top top; /* its pointers are gone */
  size_t batches;
} found;

static found climb(model of, size_t d, size_t data, const double *start, const double *other,
                   double h) {
  const double steps[] = {h, h, h, h};
  const omr_polish_settings settings = {d, data, 30, start, other, steps};
  double r[MOST * 8];
  bool good[MOST];
  omr_polish *polish;
  const double *u;
  found f = {.batches = 0};
  cr_assert_eq(omr_polish_make(&settings, &polish, NULL), OMR_OK);
  for (size_t count; (count = omr_polish_points(polish, &u)) > 0; f.batches++) {
    cr_assert_leq(count, omr_polish_most(d));
    for (size_t j = 0; j < count; j++) good[j] = of(u + j * d, r + j * data);
    cr_assert_eq(omr_polish_take(polish, r, good, NULL), OMR_OK);
  }
  f.top = omr_polish_top_of(polish);
  memcpy(f.mode, f.top.mode, d * sizeof *f.mode);
  memcpy(f.covariance, f.top.covariance, d * d * sizeof *f.covariance);
  memcpy(f.residuals, f.top.residuals, data * sizeof *f.residuals);
  omr_polish_destroy(polish);
  return f;
}

/* r = G u - y. */
static const double G[5][3] = {{3, -1, 0.5}, {0.2, 7, -2}, {1, 1, 1}, {-4, 0.3, 2}, {20, 0, 11}};
static const double y[5] = {1, -2, 0.5, 3, 4};

static bool linear(const double *u, double *r) {
  for (int i = 0; i < 5; i++) r[i] = G[i][0] * u[0] + G[i][1] * u[1] + G[i][2] * u[2] - y[i];
  return true;
}

/* (G^T G + I) m = G^T y, and so for the covariance; the determinant by the rule of Sarrus. */
Test(polish, a_linear_model_is_exact_after_a_step) {
  const double start[] = {2, -1, 0.3};
  const found f = climb(linear, 3, 5, start, NULL, 0.3);
  double A[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, b[3] = {0};
  for (int a = 0; a < 3; a++)
    for (int i = 0; i < 5; i++) {
      b[a] += G[i][a] * y[i];
      for (int c = 0; c < 3; c++) A[a][c] += G[i][a] * G[i][c];
    }
  for (int a = 0; a < 3; a++) {
    double sum = -b[a];
    for (int c = 0; c < 3; c++) sum += A[a][c] * f.mode[c];
    cr_expect_float_eq(sum, 0, 1e-9 * A[a][a]);
    for (int c = 0; c < 3; c++) {
      double one = a == c ? -1 : 0;
      for (int e = 0; e < 3; e++) one += A[a][e] * f.covariance[3 * e + c];
      cr_expect_float_eq(one, 0, 1e-9, "%d %d: %g", a, c, one);
    }
  }
  const double determinant = A[0][0] * A[1][1] * A[2][2] + 2 * A[0][1] * A[1][2] * A[0][2] -
                             A[0][0] * A[1][2] * A[1][2] - A[1][1] * A[0][2] * A[0][2] -
                             A[2][2] * A[0][1] * A[0][1];
  cr_expect_float_eq(f.top.log_determinant, log(determinant), 1e-9);
  double r[5];
  linear(f.mode, r);
  for (int i = 0; i < 5; i++) cr_expect_eq(f.residuals[i], r[i]);
  cr_expect(f.top.rests && f.top.left < 1e-6);
  cr_expect_eq(f.top.steps, 1);
  cr_expect_eq(f.batches, 2);
}

/* exp(u) = 3 with a noise of 0.1: (exp u - 3) exp u/0.01 + u = 0. From -3 the first whole step
 * would go to 57. */
static bool steep(const double *u, double *r) {
  r[0] = (exp(u[0]) - 3) / 0.1;
  return isfinite(r[0]);
}

Test(polish, a_step_that_goes_too_far_is_damped) {
  const double start[] = {-3};
  const found f = climb(steep, 1, 1, start, NULL, 1e-3);
  double low = 0, high = 2;
  for (int k = 0; k < 60; k++) {
    const double u = 0.5 * (low + high);
    *((exp(u) - 3) * exp(u) / 0.01 + u < 0 ? &low : &high) = u;
  }
  const double width = 1 / sqrt(1 + exp(2 * low) / 0.01);
  /* the last step was above 1e-3 of the width, and what it left is below */
  cr_expect_float_eq(f.mode[0], low, 1e-3 * width, "%.9g, not %.9g", f.mode[0], low);
  cr_expect_float_eq(sqrt(f.covariance[0]), width, 1e-3 * width);
  cr_expect(f.top.rests);
}

/* |u| = 2 with a noise of 0.1: the top that the better of two starts leads to. */
static bool two_modes(const double *u, double *r) {
  r[0] = (u[0] * u[0] - 4) / 0.4;
  return true;
}

Test(polish, the_better_of_two_starts_is_taken) {
  const double middle[] = {0.1}, other[] = {-1.7};
  cr_expect_gt(climb(two_modes, 1, 1, middle, NULL, 1e-3).mode[0], 1.9);
  cr_expect_lt(climb(two_modes, 1, 1, middle, other, 1e-3).mode[0], -1.9);
}

/* 10 (u - 0.45), and no residuals above 0.5: the top at 4.5/10.1 ... of u = 45/101 has one side
 * only, and the straight line through it is the model. */
static bool cliff(const double *u, double *r) {
  r[0] = 10 * (u[0] - 0.45);
  return u[0] <= 0.5;
}

Test(polish, one_side_that_fails_is_told_by_the_other) {
  const double start[] = {-1}, beyond[] = {1};
  const found f = climb(cliff, 1, 1, start, beyond, 0.1);
  cr_expect_float_eq(f.mode[0], 45. / 101, 1e-12);
  cr_expect_float_eq(f.covariance[0], 1. / 101, 1e-12);
  cr_expect_eq(f.top.blind, 0);
  const double steps[] = {0.1};
  const omr_polish_settings settings = {1, 1, 30, beyond, NULL, steps};
  omr_polish *polish;
  omr_error error = {0};
  double r[MOST] = {0};
  const bool good[MOST] = {false};
  cr_assert_eq(omr_polish_make(&settings, &polish, NULL), OMR_OK);
  cr_expect_eq(omr_polish_take(polish, r, good, &error), OMR_ERR_FAILURES);
  cr_expect(strstr(error.message, "nowhere to begin"), "%s", error.message);
  omr_polish_destroy(polish);
}

/* A narrow place: u_1 may not move by the difference to either side. */
static bool narrow(const double *u, double *r) {
  r[0] = 5 * (u[0] - 1);
  return fabs(u[1]) < 1e-3;
}

Test(polish, an_unknown_whose_both_sides_fail_keeps_its_prior) {
  const double start[] = {0, 0};
  const found f = climb(narrow, 2, 1, start, NULL, 0.1);
  cr_expect_eq(f.top.blind, 1);
  cr_expect_float_eq(f.mode[0], 25. / 26, 1e-9);
  cr_expect_float_eq(f.covariance[3], 1, 1e-12);
}

/* 8 (u - 0.4) in whole numbers: over 0.3 about straight, and steps of 1/8 in which nothing is
 * better than its neighbours. The top of the straight model is 25.6/65 = 0.394, its width 0.124. */
static bool rough(const double *u, double *r) {
  r[0] = round(8 * (u[0] - 0.4));
  return true;
}

Test(polish, what_is_rough_ends_and_says_what_is_left) {
  const double start[] = {-2};
  const found f = climb(rough, 1, 1, start, NULL, 0.3);
  cr_expect_float_eq(f.mode[0], 0.394, 0.1);
  cr_expect_float_eq(sqrt(f.covariance[0]), 0.124, 0.03);
  cr_expect(!f.top.rests);
  cr_expect(f.top.left > OMR_POLISH_REST);
  cr_expect_leq(f.top.steps, 30);
}
