/* The distance of members from the measured values, run by run and sample by sample. */
#include "calibrate.h"
#include "outliers.h"
#include "summary.h"

#include "../study/designs/special_functions.h"

#include <math.h>
#include <stdlib.h>

/* The numbers of one sample of one run: `each` of them, from `at` on in a member's. */
typedef struct series {
  size_t at, each, data;
  double outliers; /* their share */
} series;

/* The place of a measured value among the predictions of members and noise: the share below it. */
static double place_of(const omr_calibrate *c, const double *off, const bool *good, series s,
                       const double *noise) {
  double below = 0;
  size_t count = 0;
  for (size_t j = 0; j < c->size.members; j++) {
    if (!good[j]) continue;
    below += omr_outliers_below(s.outliers, off[j * s.data] / noise[j]);
    count++;
  }
  return below / (double)count;
}

/* The quantile `share` of the predictions of members and noise, counted from the measured value; by
 * bisection, to a thousandth of the noise. */
static double quantile_of(const omr_calibrate *c, const double *off, const bool *good, series s,
                          const double *noise, double share) {
  const double wide = s.outliers > 0 ? 4 * OMR_OUTLIER_NOISE : 4;
  double low = HUGE_VAL, high = -HUGE_VAL, least = HUGE_VAL;

  /* Bracket it by the members' errors and wide noise. */
  for (size_t j = 0; j < c->size.members; j++) {
    if (!good[j]) continue;
    low = fmin(low, -off[j * s.data] - wide * noise[j]);
    high = fmax(high, -off[j * s.data] + wide * noise[j]);
    least = fmin(least, noise[j]);
  }

  /* Bisect by the share of the predictions below the middle. */
  while (high - low > 1e-3 * least) {
    const double middle = 0.5 * (low + high);
    double below = 0;
    size_t count = 0;
    for (size_t j = 0; j < c->size.members; j++) {
      if (!good[j]) continue;
      below += omr_outliers_below(s.outliers, (middle + off[j * s.data]) / noise[j]);
      count++;
    }
    if (below < share * (double)count)
      low = middle;
    else
      high = middle;
  }

  return 0.5 * (low + high);
}

static void fill_series(const omr_calibrate *c, const double *off, const bool *good, series s,
                        const double *value, const double *noise, omr_calibrate_error *e) {
  static const double shares[] = {0.05, 0.5, 0.95};
  for (size_t i = 0; i < s.each; i++) {
    e->series[i] = value[i];
    for (size_t k = 0; k < 3; k++)
      e->series[(k + 1) * s.each + i] =
          value[i] + quantile_of(c, off + s.at + i, good, s, noise, shares[k]);
  }
}

/* Measured values that are outliers more likely than not, over the members. */
static size_t count_outliers(const omr_calibrate *c, const double *off, const bool *good, series s,
                             const double *noise) {
  size_t outliers = 0;
  for (size_t i = 0; s.outliers > 0 && i < s.each; i++) {
    double sum = 0;
    size_t count = 0;
    for (size_t j = 0; j < c->size.members; j++) {
      if (!good[j]) continue;
      sum += omr_outliers_probability(s.outliers, off[s.at + i + j * s.data] / noise[j]);
      count++;
    }
    outliers += sum > 0.5 * (double)count;
  }
  return outliers;
}

static void sum_after(const omr_calibrate *c, const double *off, const bool *good, series s,
                      const double *noise, omr_calibrate_error *e) {
  double mean_squares = 0;
  size_t inside = 0;

  /* At each instant, the members' mean and the place of the measured value. */
  for (size_t i = 0; i < s.each; i++) {
    const double *here = off + s.at + i;
    double mean = 0;
    size_t count = 0;
    for (size_t j = 0; j < c->size.members; j++) {
      if (!good[j]) continue;
      mean += here[j * s.data];
      count++;
    }
    e->end = mean / (double)count;
    mean_squares += e->end * e->end;
    e->end_place = place_of(c, here, good, s, noise);
    inside += e->end_place > 0.05 && e->end_place < 0.95;
  }

  /* Sum up over the instants. */
  e->mean_after = sqrt(mean_squares / (double)s.each);
  e->inside = (double)inside / (double)s.each;
}

/* Root mean square over members and instants. */
static double rms_of(const omr_calibrate *c, const double *off, const bool *good, series s) {
  double squares = 0;
  size_t count = 0;
  for (size_t j = 0; j < c->size.members; j++) {
    if (!good[j]) continue;
    for (size_t i = 0; i < s.each; i++) {
      const double here = off[j * s.data + s.at + i];
      squares += here * here;
    }
    count++;
  }
  return sqrt(squares / (double)(count * s.each));
}

static bool sum_runs(omr_calibrate *c, const omr_forward *forward, const double *off,
                     const bool *good, double *noise, bool before) {
  const size_t samples = c->study->measured.samples;
  size_t at = 0;
  for (size_t r = 0; r < forward->runs; r++) {
    const double *value = forward->run[r].value;
    for (size_t s = 0, each; s < samples; s++, at += each, value += each) {
      each = omr_summary_count(&forward->run[r].study->measured, s);
      omr_calibrate_error *e = &c->error[c->errors++];
      const series here = {at, each, forward->data, c->study->measured.sample[s].outliers};

      e->run = forward->run[r].number;
      e->sample = s;

      /* The prior has a root mean square only. */
      *(before ? &e->before : &e->after) = rms_of(c, off, good, here);
      if (before) continue;

      /* A member's noise may differ from the stated one. */
      for (size_t j = 0; j < c->size.members; j++)
        noise[j] = c->study->measured.sample[s].noise *
                   omr_coordinates_noise(&c->layout, c->coordinates + j * c->size.dimensions, s);

      /* The fit's errors, outliers and band of predictions. */
      sum_after(c, off, good, here, noise, e);
      e->outliers = count_outliers(c, off, good, here, noise);
      e->instants = each;
      e->series = malloc(4 * each * sizeof *e->series);
      if (!e->series) return false;
      fill_series(c, off, good, here, value, noise, e);
    }
  }
  return true;
}

/* Mean square of a member's scaled residuals, over its own noise. */
static double square_of(const omr_calibrate *c, const double *member, const double *residuals) {
  const size_t samples = c->study->measured.samples;
  double sum = 0;
  size_t at = 0;
  for (size_t r = 0; r < c->fitted.runs; r++)
    for (size_t s = 0; s < samples; s++) {
      const double factor = omr_coordinates_noise(&c->layout, member, s);
      double squares = 0;
      const size_t each = omr_summary_count(&c->fitted.run[r].study->measured, s);
      for (size_t i = 0; i < each; i++, at++) squares += residuals[at] * residuals[at];
      sum += squares / (factor * factor);
    }
  return sum / (double)c->size.data;
}

static void find_best(omr_calibrate *c, const double *residuals, const bool *good) {
  c->best = HUGE_VAL;
  for (size_t j = 0; j < c->size.members; j++) {
    if (!good[j]) continue;
    const double square =
        square_of(c, c->coordinates + j * c->size.dimensions, residuals + j * c->size.data);
    if (square >= c->best) continue;
    c->best = square;
    c->nearest = j;
  }
}

omr_status calibrate_find_errors(omr_calibrate *c, omr_forward *forward, bool before,
                                 const calibrate_how *how, omr_error *error) {
  const size_t count = c->size.members * forward->data;
  double *residuals = calloc(count, sizeof *residuals), *off = calloc(count, sizeof *off);
  double *noise = calloc(c->size.members, sizeof *noise);
  bool *good = calloc(c->size.members, sizeof *good);

  /* Run the members and take their errors. */
  const calibrate_batch batch = {c->coordinates, c->size.members, residuals, off, good};
  omr_status status =
      residuals && off && noise && good
          ? calibrate_run_members(c, forward, how, &batch, error)
          : omr_fail(error, OMR_ERR_MEMORY, "out of memory for %zu members", c->size.members);
  if (status == OMR_OK && !sum_runs(c, forward, off, good, noise, before))
    status = omr_fail(error, OMR_ERR_MEMORY, "out of memory");

  /* The fitted runs choose the best member. */
  if (status == OMR_OK && forward == &c->fitted) {
    omr_forward_score(forward, c->size.members, residuals);
    find_best(c, residuals, good);
  }

  free(residuals);
  free(off);
  free(noise);
  free(good);
  return status;
}
