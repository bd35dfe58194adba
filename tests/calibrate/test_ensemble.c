/* Ensemble Kalman inversion of a linear model: the posterior is known in closed form, and the
 * members have to have its mean and covariance, within what so many members tell. */
#include "calibrate/ensemble.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MEMBERS = 1000, DIMENSIONS = 3, DATA = 5 };

/* r = y - M u; two columns are nearly alike, so that their sum is known far better than their
 * difference. */
static const double model[DATA][DIMENSIONS] = {
    {2.0, 1.9, 0.0}, {1.0, 1.1, 0.3}, {0.0, 0.1, -0.4}, {0.5, 0.5, 0.0}, {-1.0, -0.9, 0.2}};
static const double seen[DATA] = {2.3, 0.7, 0.4, 0.9, -1.4};

static void leave(const double *u, double *r) {
  for (int i = 0; i < DATA; i++) {
    r[i] = seen[i];
    for (int d = 0; d < DIMENSIONS; d++) r[i] -= model[i][d] * u[d];
  }
}

/* (I + M^T M)^-1 by Gauss and Jordan, and its product with M^T y. */
static void solve_exactly(double covariance[DIMENSIONS][DIMENSIONS], double mean[DIMENSIONS]) {
  double a[DIMENSIONS][2 * DIMENSIONS] = {{0}};
  for (int p = 0; p < DIMENSIONS; p++) {
    a[p][DIMENSIONS + p] = 1;
    for (int q = 0; q < DIMENSIONS; q++) {
      a[p][q] = p == q;
      for (int i = 0; i < DATA; i++) a[p][q] += model[i][p] * model[i][q];
    }
  }
  for (int p = 0; p < DIMENSIONS; p++) {
    const double pivot = a[p][p];
    for (int q = 0; q < 2 * DIMENSIONS; q++) a[p][q] /= pivot;
    for (int o = 0; o < DIMENSIONS; o++) {
      const double factor = a[o][p];
      for (int q = 0; o != p && q < 2 * DIMENSIONS; q++) a[o][q] -= factor * a[p][q];
    }
  }
  for (int p = 0; p < DIMENSIONS; p++) {
    mean[p] = 0;
    for (int q = 0; q < DIMENSIONS; q++) {
      covariance[p][q] = a[p][DIMENSIONS + q];
      for (int i = 0; i < DATA; i++) mean[p] += covariance[p][q] * model[i][q] * seen[i];
    }
  }
}

typedef struct fit {
  double *u;
  size_t steps, members;
} fit;

/* Members whose number is a multiple of `bad` fail in every round; 0: none does. */
static fit invert_by(uint64_t seed, size_t members, size_t bad) {
  const omr_ensemble_size size = {members, DIMENSIONS, DATA};
  fit f = {calloc(members * DIMENSIONS, sizeof *f.u), 0, members};
  double *r = calloc(members * DATA, sizeof *r), reached = 0;
  bool *good = calloc(members, sizeof *good);
  cr_assert(f.u && r && good);
  for (size_t j = 0; j < members; j++)
    for (size_t d = 0; d < DIMENSIONS; d++)
      f.u[j * DIMENSIONS + d] = omr_ensemble_prior(seed, j, d);
  while (reached < 1) {
    for (size_t j = 0; j < members; j++) {
      leave(f.u + j * DIMENSIONS, r + j * DATA);
      good[j] = !bad || j % bad;
    }
    const double by = omr_ensemble_step(size, r, good, 1 - reached);
    cr_assert(by > 0 && by <= 1 - reached);
    reached = by == 1 - reached ? 1 : reached + by;
    cr_assert_eq(omr_ensemble_move(size, seed, f.steps, by, r, good, f.u, NULL), OMR_OK);
    omr_ensemble_redraw(size, seed, f.steps, 0, good, f.u);
    cr_assert_lt(++f.steps, 20);
  }
  free(r);
  free(good);
  return f;
}

static fit invert(size_t members, size_t bad) {
  return invert_by(7, members, bad);
}

/* Deviations of a mean and of a covariance of n draws: sqrt(c_pp/n), sqrt((c_pp c_qq +
 * c_pq^2)/n); 4 of them are allowed, what chance exceeds once in 16 000. */
static void expect_posterior(const fit *f, double count) {
  double covariance[DIMENSIONS][DIMENSIONS], mean[DIMENSIONS], found[DIMENSIONS] = {0};
  solve_exactly(covariance, mean);
  const double n = (double)f->members;
  for (size_t j = 0; j < f->members; j++)
    for (int d = 0; d < DIMENSIONS; d++) found[d] += f->u[j * DIMENSIONS + (size_t)d] / n;
  for (int p = 0; p < DIMENSIONS; p++) {
    cr_expect_float_eq(found[p], mean[p], 4 * sqrt(covariance[p][p] / count), "mean %d: %g, not %g",
                       p, found[p], mean[p]);
    for (int q = 0; q <= p; q++) {
      double sum = 0;
      for (size_t j = 0; j < f->members; j++)
        sum += (f->u[j * DIMENSIONS + (size_t)p] - found[p]) *
               (f->u[j * DIMENSIONS + (size_t)q] - found[q]) / (n - 1);
      const double c = covariance[p][q];
      cr_expect_float_eq(sum, c, 4 * sqrt((covariance[p][p] * covariance[q][q] + c * c) / count),
                         "covariance %d %d: %g, not %g", p, q, sum, c);
    }
  }
}

Test(ensemble, a_linear_model_gives_the_exact_posterior) {
  fit f = invert(MEMBERS, 0);
  cr_expect_gt(f.steps, 1);
  expect_posterior(&f, MEMBERS);
  free(f.u);
}

/* Every fifth member fails each time, and is made anew of the others: neither mean nor covariance
 * is shifted. The others are the draws that count. */
Test(ensemble, members_that_fail_shift_nothing) {
  fit f = invert(MEMBERS, 5);
  expect_posterior(&f, 0.8 * MEMBERS / 2); /* a redrawn member is a sum over the others */
  free(f.u);
}

/* A fifth of the members fails by number, and no mean is off by a tenth of its deviation: the mean
 * over FITS ensembles is known to 1/sqrt(0.8 FITS FEW) = 0.01 of it, and to twice that with what
 * redrawn members share. */
Test(ensemble, a_fifth_that_fails_by_number_shifts_no_mean) {
  enum { FITS = 60, FEW = 200 };
  double covariance[DIMENSIONS][DIMENSIONS], mean[DIMENSIONS], found[DIMENSIONS] = {0};
  solve_exactly(covariance, mean);
  for (uint64_t seed = 1; seed <= FITS; seed++) {
    fit f = invert_by(seed, FEW, 5);
    for (size_t j = 0; j < FEW; j++)
      for (size_t d = 0; d < DIMENSIONS; d++) found[d] += f.u[j * DIMENSIONS + d] / (FITS * FEW);
    free(f.u);
  }
  for (int d = 0; d < DIMENSIONS; d++)
    cr_expect_float_eq(found[d], mean[d], 0.1 * sqrt(covariance[d][d]), "mean %d: %g, not %g", d,
                       found[d], mean[d]);
}

/* One number in, the same bits out, on as many threads as there are. */
Test(ensemble, the_same_members_again) {
  fit a = invert(300, 7), b = invert(300, 7);
  cr_expect_eq(memcmp(a.u, b.u, 300 * DIMENSIONS * sizeof *a.u), 0);
  free(a.u);
  free(b.u);
}

/* Two members and one datum, by hand: r = 1 and 3 have the mean 2 and the variance 2 (over n - 1),
 * so that the distance is 2^2/(2 + 1). A member that failed counts as little as if it were not. */
Test(ensemble, the_distance_of_two_members_by_hand) {
  const double residuals[] = {1, 100, 3};
  const bool good[] = {true, false, true};
  double square = 0;
  cr_assert_eq(omr_ensemble_distance((omr_ensemble_size){3, 1, 1}, residuals, good, &square, NULL),
               OMR_OK);
  cr_expect_float_eq(square, 4.0 / 3, 1e-12, "%.17g", square);
}

/* Data of the linear model itself, y = M u + noise with u of the prior: the distance from what the
 * prior's members predict is chi-squared with as many degrees of freedom as there are data. Its
 * mean over TIMES data is DATA within 4 sqrt(2 DATA/TIMES) = 1.3; that there are only
 * FEW members adds some DATA^2/FEW = 0.2. */
Test(ensemble, the_distance_is_chi_squared_where_the_prior_is_right) {
  enum { TIMES = 100, FEW = 150 };
  const omr_ensemble_size size = {FEW, DIMENSIONS, DATA};
  double *given = calloc(FEW * DATA, sizeof *given), *r = calloc(FEW * DATA, sizeof *r);
  bool *good = calloc(FEW, sizeof *good);
  double mean = 0;
  cr_assert(given && r && good);
  for (size_t j = 0; j < FEW; j++) {
    good[j] = true;
    for (size_t i = 0; i < DATA; i++)
      for (size_t d = 0; d < DIMENSIONS; d++)
        given[j * DATA + i] += model[i][d] * omr_ensemble_prior(7, j, d);
  }
  for (size_t t = 0; t < TIMES; t++) {
    double square = 0;
    for (size_t i = 0; i < DATA; i++) {
      double y = omr_ensemble_prior(9, t, i); /* noise, of another seed */
      for (size_t d = 0; d < DIMENSIONS; d++) y += model[i][d] * omr_ensemble_prior(8, t, d);
      for (size_t j = 0; j < FEW; j++) r[j * DATA + i] = y - given[j * DATA + i];
    }
    cr_assert_eq(omr_ensemble_distance(size, r, good, &square, NULL), OMR_OK);
    mean += square / TIMES;
  }
  cr_expect_float_eq(mean, DATA, 4 * sqrt(2.0 * DATA / TIMES), "%g", mean);
  free(given);
  free(r);
  free(good);
}
