/* Coordinates of parameters that have a value in each run: whatever part runs share, each is N(0,
 * 1) before anything is known, in fitted runs as in others, and runs have that part as their
 * correlation. */
#include "calibrate/coordinates.h"
#include "calibrate/ensemble.h"

#include <criterion/criterion.h>
#include <math.h>

enum { DRAWN = 3, RUNS = 2, NOISES = 1, ALL = DRAWN + RUNS + NOISES, DRAWS = 20000 };

static size_t own[] = {1};
/* Two fitted runs, each its own group, and six that are not fitted. */
static size_t group_of[] = {0, 1, SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX};
static size_t first_of[] = {0, 1, 2, 3, 4, 5, 6, 7};

static omr_coordinates layout_of(double shared) {
  return (omr_coordinates){.drawn = DRAWN,
                           .own = own,
                           .owns = 1,
                           .runs = RUNS,
                           .groups = RUNS,
                           .group_of = group_of,
                           .first_of = first_of,
                           .noises = NOISES,
                           .shared = shared,
                           .seed = 5};
}

static void draw_member(size_t j, double *member) {
  for (size_t d = 0; d < ALL; d++) member[d] = omr_ensemble_prior(3, j, d);
}

/* Moments over DRAWS members of the first two fitted runs and of one that is not fitted. 4 of their
 * deviations are allowed: of a mean 1/sqrt(n), of a variance sqrt(2/n), of a correlation c sqrt((1
 * + c^2)/n). */
static void expect_moments(double shared) {
  const omr_coordinates layout = layout_of(shared);
  const double n = DRAWS;
  double sum[3] = {0}, product[3][3] = {{0}};
  for (size_t j = 0; j < DRAWS; j++) {
    double member[ALL], value[3], to[DRAWN];
    draw_member(j, member);
    for (size_t r = 0; r < RUNS; r++) {
      omr_coordinates_in_run(&layout, member, j, r, to);
      value[r] = to[1];
      cr_assert(to[0] == member[0] && to[2] == member[2]); /* what all runs have in common */
    }
    omr_coordinates_in_run(&layout, member, j, 7, to);
    value[2] = to[1];
    cr_assert(to[0] == member[0] && to[2] == member[2]);
    for (size_t a = 0; a < 3; a++) {
      sum[a] += value[a] / n;
      for (size_t b = 0; b <= a; b++) product[a][b] += value[a] * value[b] / n;
    }
  }
  for (size_t a = 0; a < 3; a++) {
    cr_expect_float_eq(sum[a], 0, 4 / sqrt(n), "mean of %zu: %g", a, sum[a]);
    cr_expect_float_eq(product[a][a], 1, 4 * sqrt(2 / n), "variance of %zu: %g", a, product[a][a]);
    for (size_t b = 0; b < a; b++)
      cr_expect_float_eq(product[a][b], shared, 4 * sqrt((1 + shared * shared) / n),
                         "correlation of %zu and %zu: %g, not %g", a, b, product[a][b], shared);
  }
}

Test(coordinates, runs_share_a_part_of_the_variance) {
  expect_moments(0);
  expect_moments(0.3);
  expect_moments(0.9);
}

/* A run that is not fitted has the same value again for the same member, another for another. */
Test(coordinates, another_run_is_drawn_by_member_and_run) {
  const omr_coordinates layout = layout_of(0);
  double member[ALL], a[DRAWN], b[DRAWN], c[DRAWN], d[DRAWN];
  draw_member(0, member);
  omr_coordinates_in_run(&layout, member, 0, 2, a);
  omr_coordinates_in_run(&layout, member, 0, 2, b);
  omr_coordinates_in_run(&layout, member, 1, 2, c);
  omr_coordinates_in_run(&layout, member, 0, 3, d);
  cr_expect(a[1] == b[1]);
  cr_expect(a[1] != c[1] && a[1] != d[1]);
}

/* Runs of one group have one value; one that is kept apart has its group's where that was fitted,
 * and otherwise that of the others of its group. */
Test(coordinates, runs_of_a_group_have_one_value) {
  omr_coordinates layout = layout_of(0.3);
  size_t numbers[] = {0, 0, 0, SIZE_MAX, SIZE_MAX}, firsts[] = {0, 0, 0, 3, 3};
  double member[ALL], a[DRAWN], b[DRAWN], c[DRAWN], d[DRAWN], e[DRAWN];
  layout.groups = 1;
  layout.group_of = numbers;
  layout.first_of = firsts;
  cr_expect_eq(omr_coordinates_of_model(&layout), DRAWN + 1);
  draw_member(0, member);
  omr_coordinates_in_run(&layout, member, 9, 0, a);
  omr_coordinates_in_run(&layout, member, 9, 1, b);
  omr_coordinates_in_run(&layout, member, 9, 2, c);
  omr_coordinates_in_run(&layout, member, 9, 3, d);
  omr_coordinates_in_run(&layout, member, 9, 4, e);
  cr_expect(a[1] == b[1] && a[1] == c[1]);
  cr_expect_float_eq(a[1], sqrt(0.3) * member[1] + sqrt(0.7) * member[DRAWN], 1e-15);
  cr_expect(d[1] == e[1] && d[1] != a[1]);
}

/* A factor of the noise is lognormal with the median 1: 2 at one deviation, 4 at two, 1 where the
 * noise is known. */
Test(coordinates, noise_doubles_with_a_deviation) {
  omr_coordinates layout = layout_of(0.5);
  double member[ALL] = {0};
  cr_expect_eq(omr_coordinates_of_model(&layout), DRAWN + RUNS);
  cr_expect_eq(omr_coordinates_all(&layout), ALL);
  cr_expect_float_eq(omr_coordinates_noise(&layout, member, 0), 1, 1e-15);
  member[ALL - 1] = 1;
  cr_expect_float_eq(omr_coordinates_noise(&layout, member, 0), 2, 1e-12);
  member[ALL - 1] = -2;
  cr_expect_float_eq(omr_coordinates_noise(&layout, member, 0), 0.25, 1e-12);
  layout.noises = 0;
  cr_expect_eq(omr_coordinates_noise(&layout, member, 0), 1);
}
