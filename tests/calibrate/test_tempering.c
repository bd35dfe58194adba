/* Tempered sequential Monte Carlo against posteriors that are known exactly: a linear model, two
 * modes, and a banana; the mean over independent runs, within what so many runs tell. */
#include "calibrate/tempering.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

enum { POINTS = 500, RUNS = 40 };

typedef double (*likelihood)(const double *u, size_t d);

/* y = u_0 + u_1 + noise of 0.2, y = 1.4. The posterior: along (1, 1)/sqrt 2 the mean is
 * y sqrt 2/(2 + 0.04), the variance 0.04/(2 + 0.04); across it the prior's. Evidence: N(y;
 * 0, 2.04), where this likelihood has no factor before the exp. */
static double linear(const double *u, size_t d) {
  const double r = (u[0] + u[1] - 1.4) / 0.2;
  (void)d;
  return -0.5 * r * r;
}

/* |u_0| = 2 with a noise of 0.1: two modes alike; the mean of u_0 is 0 and that of its square about
 * 4. */
static double two_modes(const double *u, size_t d) {
  const double r = (fabs(u[0]) - 2) / 0.1;
  (void)d;
  return -0.5 * r * r;
}

/* u_1 = u_0^2 - 1 with a noise of 0.1: by u_0 alone the posterior is N(u_0) N(u_0^2 - 1; 0, 1.01),
 * as integrals of u_1 are in closed form; moments by quadrature below. */
static double banana(const double *u, size_t d) {
  const double r = (u[1] - u[0] * u[0] + 1) / 0.1;
  (void)d;
  return -0.5 * r * r;
}

typedef struct found {
  double mean[2], square[2], product, evidence;                         /* means over runs */
  double error_mean[2], error_square[2], error_product, error_evidence; /* deviations of them */
} found;

static void add(double value, double *sum, double *squares) {
  *sum += value;
  *squares += value * value;
}

static void finish(double *sum, double *squares) {
  *sum /= RUNS;
  *squares = sqrt((*squares / RUNS - *sum * *sum) / (RUNS - 1));
}

/* Which points fail: those with u_1 above it, and those whose number in their batch is a multiple
 * of `every`; 0: none by number. */
typedef struct failing {
  double above;
  size_t every;
} failing;

static bool fails(failing bad, const double *u, size_t i) {
  return u[1] > bad.above || (bad.every && i % bad.every == 0);
}

static void run_once(likelihood of, uint64_t seed, failing bad, found *f) {
  const size_t d = 2;
  omr_tempering *t;
  double values[POINTS];
  const omr_tempering_settings settings = {.dimensions = d, .points = POINTS, .seed = seed};
  cr_assert_eq(omr_tempering_make(&settings, &t, NULL), OMR_OK);
  for (const double *u; (u = omr_tempering_points(t));) {
    for (size_t i = 0; i < POINTS; i++)
      values[i] = fails(bad, u + i * d, i) ? (double)NAN : of(u + i * d, d);
    cr_assert_eq(omr_tempering_take(t, values, NULL), OMR_OK);
  }
  const omr_tempering_result result = omr_tempering_result_of(t);
  const double *u = result.states;
  double mean[2] = {0}, square[2] = {0}, product = 0;
  for (size_t i = 0; i < POINTS; i++) {
    for (size_t a = 0; a < d; a++) {
      mean[a] += u[i * d + a] / POINTS;
      square[a] += u[i * d + a] * u[i * d + a] / POINTS;
    }
    product += u[i * d] * u[i * d + 1] / POINTS;
    cr_expect_leq(u[i * d + 1], bad.above);
  }
  for (size_t a = 0; a < d; a++) {
    add(mean[a], &f->mean[a], &f->error_mean[a]);
    add(square[a], &f->square[a], &f->error_square[a]);
  }
  add(product, &f->product, &f->error_product);
  add(exp(result.evidence), &f->evidence, &f->error_evidence);
  omr_tempering_destroy(t);
}

static found run_failing(likelihood of, failing bad) {
  found f = {0};
  for (uint64_t seed = 0; seed < RUNS; seed++) run_once(of, seed, bad, &f);
  for (size_t a = 0; a < 2; a++) {
    finish(&f.mean[a], &f.error_mean[a]);
    finish(&f.square[a], &f.error_square[a]);
  }
  finish(&f.product, &f.error_product);
  finish(&f.evidence, &f.error_evidence);
  return f;
}

static found run_all(likelihood of, double above) {
  return run_failing(of, (failing){above, 0});
}

#define EXPECT(value, error, exact)                                                                \
  cr_expect_float_eq(value, exact, 4 * (error), #value ": %g, not %g, +-%g", value, exact, error)

Test(tempering, a_linear_model_gives_the_exact_posterior) {
  const found f = run_all(linear, HUGE_VAL);
  const double along = 1.4 * sqrt(2) / 2.04, variance = 0.04 / 2.04;
  EXPECT(f.mean[0], f.error_mean[0], along / sqrt(2));
  EXPECT(f.mean[1], f.error_mean[1], along / sqrt(2));
  EXPECT(f.square[0], f.error_square[0], (along * along + variance + 1) / 2);
  EXPECT(f.product, f.error_product, (along * along + variance - 1) / 2);
  /* N(y; 0, 2.04) sqrt(2 pi) 0.2 */
  EXPECT(f.evidence, f.error_evidence, 0.2 / sqrt(2.04) * exp(-0.5 * 1.4 * 1.4 / 2.04));
}

/* By quadrature over u_0; u_1 is the prior's. */
Test(tempering, both_of_two_modes_are_found) {
  double whole = 0, square = 0;
  const double h = 1e-4;
  for (double x = -8; x < 8; x += h) {
    const double u[2] = {x, 0}, w = h * exp(two_modes(u, 2) - 0.5 * x * x) / sqrt(2 * acos(-1));
    whole += w;
    square += w * x * x;
  }
  const found f = run_all(two_modes, HUGE_VAL);
  EXPECT(f.mean[0], f.error_mean[0], 0.0);
  EXPECT(f.square[0], f.error_square[0], square / whole);
  EXPECT(f.square[1], f.error_square[1], 1.0);
  EXPECT(f.evidence, f.error_evidence, whole);
}

/* Given u_0, u_1 is normal about (u_0^2 - 1)/1.01 with the variance 0.01/1.01. */
Test(tempering, a_banana_has_its_moments) {
  double whole = 0, mean = 0, square0 = 0, square1 = 0;
  const double h = 1e-4;
  for (double x = -8; x < 8; x += h) {
    const double c = x * x - 1, w = h * exp(-0.5 * x * x - 0.5 * c * c / 1.01);
    whole += w;
    mean += w * c / 1.01;
    square0 += w * x * x;
    square1 += w * (c * c / (1.01 * 1.01) + 0.01 / 1.01);
  }
  const found f = run_all(banana, HUGE_VAL);
  EXPECT(f.mean[0], f.error_mean[0], 0.0);
  EXPECT(f.mean[1], f.error_mean[1], mean / whole);
  EXPECT(f.square[0], f.error_square[0], square0 / whole);
  EXPECT(f.square[1], f.error_square[1], square1 / whole);
  EXPECT(f.evidence, f.error_evidence, 0.1 / sqrt(1.01) * whole / sqrt(2 * acos(-1)));
}

/* Points that fail have no likelihood: a half plane is cut off. With the boundary u_1 <= 0 of the
 * two modes' model u_1 is half normal, with the mean -sqrt(2/pi), and half of the evidence is left.
 */
Test(tempering, points_that_fail_are_cut_off) {
  const found whole = run_all(two_modes, HUGE_VAL), f = run_all(two_modes, 0);
  EXPECT(f.mean[1], f.error_mean[1], -sqrt(2 / acos(-1)));
  EXPECT(f.square[1], f.error_square[1], 1.0);
  EXPECT(f.evidence, hypot(f.error_evidence, 0.5 * whole.error_evidence), 0.5 * whole.evidence);
}

/* A fifth of the points fails by number in every batch, whatever they are: no mean is off by a
 * tenth of its deviation, which is known to a twentieth of it. Those whose number always fails stay
 * what they were drawn from at each temperature. Of the evidence, the mean over the first draws, a
 * fifth is missing. */
Test(tempering, a_fifth_that_fails_by_number_shifts_no_mean) {
  const found f = run_failing(linear, (failing){HUGE_VAL, 5});
  const double along = 1.4 * sqrt(2) / 2.04, variance = 0.04 / 2.04;
  const double deviation = sqrt((variance + 1) / 2);
  for (int a = 0; a < 2; a++) {
    cr_expect_lt(f.error_mean[a], 0.05 * deviation);
    cr_expect_float_eq(f.mean[a], along / sqrt(2), 0.1 * deviation, "%g, not %g +- %g", f.mean[a],
                       along / sqrt(2), f.error_mean[a]);
    EXPECT(f.square[a], f.error_square[a], (along * along + variance + 1) / 2);
  }
  EXPECT(f.product, f.error_product, (along * along + variance - 1) / 2);
  EXPECT(f.evidence, f.error_evidence, 0.8 * 0.2 / sqrt(2.04) * exp(-0.5 * 1.4 * 1.4 / 2.04));
}
