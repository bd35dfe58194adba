/* The distance of members from the measured values, run by run and sample by sample. */
#include "calibrate.h"
#include "cholesky.h"
#include "outliers.h"

#include "../study/designs/special_functions.h"

#include <math.h>

/* The numbers of one sample of one run: `each` of them in a member's `data`. */
typedef struct series {
  const omr_calibrate *c;
  const double *off, *noise; /* of the first member; of each */
  const bool *good;
  size_t each, data, count; /* count: of good members */
  double outliers;          /* their share */
} series;

/* The sum over the good members of a function of number i, moved by `shift`, over the noise. */
static double sum_of(const series *s, size_t i, double (*of)(double share, double r),
                     double shift) {
  double sum = 0;
  for (size_t j = 0; j < s->c->size.members; j++)
    if (s->good[j]) sum += of(s->outliers, (shift + s->off[i + j * s->data]) / s->noise[j]);
  return sum;
}

/* The quantile `share` of the predictions of members and noise, counted from the measured value; by
 * bisection, to a thousandth of the noise. */
static double quantile_of(const series *s, size_t at, double share) {
  const double wide = s->outliers > 0 ? 4 * OMR_OUTLIER_NOISE : 4;
  double low = HUGE_VAL, high = -HUGE_VAL, least = HUGE_VAL;

  /* Bracket it by the members' errors and wide noise. */
  for (size_t j = 0; j < s->c->size.members; j++) {
    if (!s->good[j]) continue;
    low = fmin(low, -s->off[at + j * s->data] - wide * s->noise[j]);
    high = fmax(high, -s->off[at + j * s->data] + wide * s->noise[j]);
    least = fmin(least, s->noise[j]);
  }

  /* Bisect by the share of the predictions below the middle. */
  while (high - low > 1e-3 * least) {
    const double middle = 0.5 * (low + high);
    if (sum_of(s, at, omr_outliers_below, middle) < share * (double)s->count)
      low = middle;
    else
      high = middle;
  }

  return 0.5 * (low + high);
}

static void fill_series(const series *s, const double *value, omr_calibrate_error *e) {
  static const double shares[] = {0.05, 0.5, 0.95};
  for (size_t i = 0; i < s->each; i++) {
    e->series[i] = value[i];
    for (size_t k = 0; k < 3; k++)
      e->series[(k + 1) * s->each + i] = value[i] + quantile_of(s, i, shares[k]);
  }
}

/* At each instant, the members' mean; the place of the measured value among the predictions of
 * members and noise, the share below it; and whether it is an outlier more likely than not. */
static void sum_after(const series *s, omr_calibrate_error *e) {
  double mean_squares = 0;
  size_t inside = 0;
  for (size_t i = 0; i < s->each; i++) {
    double mean = 0;
    for (size_t j = 0; j < s->c->size.members; j++)
      if (s->good[j]) mean += s->off[i + j * s->data];
    e->end = mean / (double)s->count;
    mean_squares += e->end * e->end;
    e->end_place = sum_of(s, i, omr_outliers_below, 0) / (double)s->count;
    inside += e->end_place > 0.05 && e->end_place < 0.95;
    if (s->outliers > 0)
      e->outliers += sum_of(s, i, omr_outliers_probability, 0) > 0.5 * (double)s->count;
  }
  e->mean_after = sqrt(mean_squares / (double)s->each);
  e->inside = (double)inside / (double)s->each;
}

/* Root mean square over members and instants. */
static double rms_of(const series *s) {
  double squares = 0;
  for (size_t j = 0; j < s->c->size.members; j++)
    for (size_t i = 0; s->good[j] && i < s->each; i++)
      squares += s->off[j * s->data + i] * s->off[j * s->data + i];
  return sqrt(squares / (double)(s->count * s->each));
}

static bool sum_runs(omr_calibrate *c, const omr_forward *forward, const double *off,
                     const bool *good, double *noise, bool before) {
  size_t count = 0;
  for (size_t j = 0; j < c->size.members; j++) count += good[j];
  for (omr_forward_series f = {0}; omr_forward_next(forward, &f);) {
    const omr_measured_sample *sample = &c->study->measured.sample[f.sample];
    omr_calibrate_error *e = &c->error[c->errors++];
    const series here = {c,       off + f.at,    noise, good,
                         f.count, forward->data, count, sample->outliers};
    e->run = forward->run[f.run].number;
    e->sample = f.sample;

    /* The prior has a root mean square only. */
    *(before ? &e->before : &e->after) = rms_of(&here);
    if (before) continue;

    /* A member's noise may differ from the stated one. */
    for (size_t j = 0; j < c->size.members; j++)
      noise[j] = sample->noise * omr_coordinates_noise(
                                     &c->layout, c->coordinates + j * c->size.dimensions, f.sample);

    /* The fit's errors, outliers and band of predictions. */
    e->outliers = 0;
    sum_after(&here, e);
    e->instants = f.count;
    e->series = omr_pool_take(&c->memory, 4 * f.count, sizeof *e->series);
    if (!e->series) return false;
    fill_series(&here, f.value, e);
  }
  return true;
}

/* Mean square of a member's scaled residuals, over its own noise. */
static double square_of(const omr_calibrate *c, const double *member, const double *residuals) {
  double sum = 0;
  for (omr_forward_series s = {0}; omr_forward_next(&c->fitted, &s);) {
    const double factor = omr_coordinates_noise(&c->layout, member, s.sample);
    sum += omr_dot(residuals + s.at, residuals + s.at, s.count) / (factor * factor);
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
  omr_pool memory = {0};
  double *residuals = omr_pool_take(&memory, count, sizeof *residuals);
  double *off = omr_pool_take(&memory, count, sizeof *off);
  double *noise = omr_pool_take(&memory, c->size.members, sizeof *noise);
  bool *good = omr_pool_take(&memory, c->size.members, sizeof *good);

  /* Run the members and take their errors. */
  const calibrate_batch batch = {c->coordinates, c->size.members, residuals, off, good};
  omr_status status = memory.failed ? omr_fail(error, OMR_ERR_MEMORY,
                                               "out of memory for %zu members", c->size.members)
                                    : calibrate_run_members(c, forward, how, &batch, error);
  if (status == OMR_OK && !sum_runs(c, forward, off, good, noise, before))
    status = omr_fail(error, OMR_ERR_MEMORY, "out of memory");

  /* The fitted runs choose the best member. */
  if (status == OMR_OK && forward == &c->fitted) {
    omr_forward_score(forward, c->size.members, residuals);
    find_best(c, residuals, good);
  }

  omr_pool_free(&memory);
  return status;
}
