/* Noise that is correlated in time although the study does not say so: the share of the ensemble's
 * error of a sample at an instant that remains at the next one. Each sample is tried with several
 * such shares and sizes of its noise, and the likelihood of the data decides, by the straight model
 * about the members' mean, over all values of its parameters: that allows for the noise that the
 * parameters follow. Where a share gains more than chance would, the fit is made anew with it. */
#include "calibrate.h"
#include "cholesky.h"
#include "identify.h"
#include "summary.h"

#include "../../kernels/scalar_math.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SWEEPS = 3 };

/* Shares that are tried after the stated one: from one to the next the deviation of the new part of
 * the noise falls by some 6 %, from 0.5 on. And factors of the noise, whose logarithm has the
 * spread of an unknown noise. */
static const double shares[] = {0.1,  0.2,  0.3,  0.4,  0.5,  0.57,  0.63, 0.68,  0.72,
                                0.76, 0.79, 0.82, 0.84, 0.86, 0.88,  0.9,  0.91,  0.92,
                                0.93, 0.94, 0.95, 0.96, 0.97, 0.975, 0.98, 0.985, 0.99};
static const double factors[] = {0.35, 0.5, 0.7, 1, 1.4, 2, 2.8};
enum {
  SHARES = sizeof shares / sizeof *shares + 1,
  FACTORS = sizeof factors / sizeof *factors,
  AS_STATED = FACTORS / 2 /* noise of the stated size, and the share that goes with it */
};

/* Noise larger than this is no matter of time: the model misses the data, unless the size of the
 * noise is unknown. Noise of the smallest factor may be smaller still, and then too large a share
 * makes up for it. */
static const double too_large = 1.5;

/* A sample over all fitted runs. */
typedef struct colour {
  double share[SHARES];    /* the first is the stated one */
  size_t tried;            /* 0: the sample is left out */
  double numbers, chained; /* the count of values, and of values that follow another */
  double *gram; /* [tried][columns][columns], lower: of the residuals, scaled by the noise and white
                   if the share is right, and of their slopes */
  size_t now, factor; /* the current choice */
} colour;

typedef struct work {
  omr_calibrate *c;
  omr_pool *memory;
  size_t columns; /* the error at the centre, and its slope along each coordinate of the model */
  const double *centre, *steps; /* [dimensions] */
  double *off;                  /* [columns][data], in the samples' units */
  double *white;                /* [columns][data], room */
  double *matrix;               /* [columns][columns], room */
  colour *colours;              /* [samples] */
} work;

/* ---- Gram matrices */

static void add_gram(size_t columns, const double *white, size_t count, double *gram) {
  for (size_t a = 0; a < columns; a++)
    for (size_t b = 0; b <= a; b++)
      gram[a * columns + b] += omr_dot(white + a * count, white + b * count, count);
}

/* The error before the first instant: the error of the start, whose slope is along its own
 * coordinate. before [columns]. */
static void find_before(const work *w, size_t run, size_t sample, double *before) {
  const omr_coordinates *layout = &w->c->layout;
  memset(before, 0, w->columns * sizeof *before);
  for (size_t u = 0; u < layout->unknowns; u++) {
    if (layout->unknown[u].kind != OMR_UNKNOWN_START_ERROR || layout->unknown[u].sample != sample)
      continue;
    const size_t d = omr_coordinates_of_unknown(layout, u, run);
    const double up = calibrate_sensed_value(w->c, d, w->centre[d] + w->steps[d]),
                 down = calibrate_sensed_value(w->c, d, w->centre[d] - w->steps[d]);
    before[0] = calibrate_sensed_value(w->c, d, w->centre[d]);
    before[1 + d] = (up - down) / (2 * w->steps[d]);
  }
}

static void add_series(work *w, const omr_forward_series *s) {
  colour *k = &w->colours[s->sample];
  const size_t count = s->count, n = w->columns;
  const bool alone = omr_summary_starts_alone(s->measured, s->sample);
  double *before = w->matrix;

  /* Count the values, and how many of them follow another. */
  k->numbers += (double)count;
  k->chained += (double)(count - alone);
  find_before(w, s->run, s->sample, before);

  /* Whiten the errors by each share and add their products. */
  for (size_t t = 0; t < k->tried; t++) {
    const double share = k->share[t], noise = s->measured->sample[s->sample].noise,
                 fresh = 1 / (noise * sqrt(1 - share * share));
    for (size_t a = 0; a < n; a++) {
      const double *off = w->off + a * w->c->size.data + s->at;
      double *white = w->white + a * count;
      *white = alone ? *off / noise : (*off - share * before[a]) * fresh;
      for (size_t i = 1; i < count; i++) white[i] = (off[i] - share * off[i - 1]) * fresh;
    }

    add_gram(n, w->white, count, k->gram + t * n * n);
  }
}

/* Whether the study states no correlation time, so that one is looked for. */
static bool is_called_white(const omr_measured *m, size_t s) {
  return m->sample[s].compared == OMR_COMPARE_TRACE && m->sample[s].outliers == 0 &&
         m->sample[s].correlation_time == 0;
}

static void lay_colours(work *w) {
  const omr_measured *m = &w->c->fitted.run[0].study->measured;
  for (size_t s = 0; s < m->samples; s++) {
    colour *k = &w->colours[s];
    if (m->sample[s].outliers > 0) continue; /* their errors are not normal */
    k->share[k->tried++] = omr_forward_keeps(m, s);
    for (size_t t = 0; t + 1 < SHARES && is_called_white(m, s); t++)
      k->share[k->tried++] = shares[t];
    k->gram = omr_pool_take(w->memory, k->tried * w->columns * w->columns, sizeof *k->gram);
    k->factor = AS_STATED;
  }
}

static void fill_colours(work *w) {
  for (omr_forward_series s = {0}; omr_forward_next(&w->c->fitted, &s);)
    if (w->colours[s.sample].tried) add_series(w, &s);
}

/* ---- likelihood */

/* The logarithm of the likelihood with the colours as chosen, but for a constant, over all values
 * of the coordinates, N(0, 1). */
static double likelihood(const work *w) {
  const size_t n = w->columns, d = n - 1;
  double sum = 0, *matrix = w->matrix; /* [d][d], and the residuals' row below it */

  /* The prior is an identity, and the centre its row of residuals. */
  memset(matrix, 0, n * n * sizeof *matrix);
  for (size_t a = 0; a < d; a++) {
    matrix[a * d + a] = 1;
    matrix[d * d + a] = w->centre[a];
    sum += w->centre[a] * w->centre[a];
  }

  /* Each sample adds its products by the weight of its noise. */
  for (size_t s = 0; s < w->c->study->measured.samples; s++) {
    const colour *k = &w->colours[s];
    if (k->tried == 0) continue;
    const double share = k->share[k->now], size = factors[k->factor], weight = 1 / (size * size),
                 spread = omr_math_log(size) / OMR_NOISE_SPREAD, *gram = k->gram + k->now * n * n;
    sum += spread * spread - k->numbers * omr_math_log(weight) +
           k->chained * omr_math_log(1 - share * share);
    sum += weight * gram[0];
    for (size_t a = 0; a < d; a++) {
      matrix[d * d + a] += weight * gram[(a + 1) * n];
      for (size_t b = 0; b <= a; b++) matrix[a * d + b] += weight * gram[(a + 1) * n + b + 1];
    }
  }

  /* The factor of the matrix integrates the coordinates out. */
  omr_cholesky_factor(d, matrix);
  omr_cholesky_solve_lower(d, matrix, matrix + d * d);
  for (size_t a = 0; a < d; a++) sum += 2 * omr_math_log(matrix[a * d + a]);
  return -0.5 * (sum - omr_dot(matrix + d * d, matrix + d * d, d));
}

/* The likeliest of shares first .. last - 1 and factors low .. high - 1 of a sample. */
static double choose(const work *w, colour *k, size_t first, size_t last, size_t low, size_t high) {
  size_t now = first, factor = low;
  double best = -HUGE_VAL;
  for (k->now = first; k->now < last; k->now++)
    for (k->factor = low; k->factor < high; k->factor++) {
      const double here = likelihood(w);
      if (here <= best) continue;
      best = here;
      now = k->now;
      factor = k->factor;
    }
  k->now = now;
  k->factor = factor;
  return best;
}

/* Whether a sample is correlated by more than chance, with noise of a plausible size. */
static bool is_coloured(const work *w, colour *k) {
  if (k->tried < 2 || k->now == 0 || k->factor == 0) return false;
  if (factors[k->factor] > too_large && w->c->layout.noises == 0) return false;
  const colour found = *k;
  const double with = likelihood(w), without = choose(w, k, 0, 1, 0, FACTORS);
  *k = found;
  return calibrate_chi_tail(2 * (with - without), 1) < CALIBRATE_BY_CHANCE;
}

static void take_times(const omr_calibrate *c, omr_forward *forward) {
  for (size_t r = 0; r < forward->runs; r++)
    for (size_t s = 0; s < c->study->measured.samples; s++)
      if (c->correlation[s] > 0)
        forward->run[r].study->measured.sample[s].correlation_time = c->correlation[s];
}

static void find_times(work *w) {
  omr_calibrate *c = w->c;
  const size_t samples = c->study->measured.samples;
  bool moves = true;

  /* Choose for one sample after another until no choice changes. */
  for (int sweep = 0; sweep < SWEEPS && moves; sweep++) {
    moves = false;
    for (size_t s = 0; s < samples; s++) {
      colour *k = &w->colours[s];
      const size_t now = k->now, factor = k->factor;
      if (k->tried) choose(w, k, 0, k->tried, 0, FACTORS);
      moves = moves || k->now != now || k->factor != factor;
    }
  }

  /* A correlated sample gets its time; a known noise keeps its stated size. */
  for (size_t s = 0; s < samples; s++) {
    colour *k = &w->colours[s];
    if (!is_coloured(w, k)) continue;
    if (c->layout.noises == 0) choose(w, k, 1, k->tried, AS_STATED, AS_STATED + 1);
    c->correlation[s] = -c->study->measured.interval / omr_math_log(k->share[k->now]);
    c->correlated = true;
  }

  /* The samples of the runs take the times over. */
  take_times(c, &c->fitted);
  take_times(c, &c->held_out);
}

/* ---- runs */

/* Slopes from the members' errors [1 + 2 (columns - 1)][data], the first of which is the centre's;
 * a slope with a failed side is unknown, and 0. */
static void take_slopes(work *w, const double *off, const bool *good) {
  const size_t data = w->c->size.data;
  memcpy(w->off, off, data * sizeof *off);
  for (size_t a = 1; a < w->columns; a++) {
    const double *up = off + (2 * a - 1) * data, *down = up + data;
    const bool known = good[2 * a - 1] && good[2 * a];
    for (size_t i = 0; i < data; i++)
      w->off[a * data + i] = known ? (up[i] - down[i]) / (2 * w->steps[a - 1]) : 0;
  }
}

/* numbers: the members, their residuals and errors. */
static omr_status look(work *w, const calibrate_how *how, double *numbers, bool *good,
                       omr_error *error) {
  omr_calibrate *c = w->c;
  const size_t d = c->size.dimensions, members = 2 * w->columns - 1, data = c->size.data;
  double *residuals = numbers + (2 * d + 1) * d, *off = residuals + (2 * d + 1) * data;
  memcpy(numbers, w->centre, d * sizeof *numbers);
  omr_differences_lay(d, w->centre, w->steps, numbers + d);
  const calibrate_batch batch = {numbers, members, residuals, off, good};
  const omr_status status = calibrate_run_members(c, &c->fitted, how, &batch, error);
  if (status != OMR_OK || !good[0]) return status;
  take_slopes(w, off, good);
  lay_colours(w);
  if (w->memory->failed) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  fill_colours(w);
  find_times(w);
  return OMR_OK;
}

omr_status calibrate_find_correlation(omr_calibrate *c, const calibrate_how *how,
                                      omr_error *error) {
  const size_t d = c->size.dimensions, n = 1 + omr_coordinates_of_model(&c->layout),
               data = c->size.data, samples = c->study->measured.samples, members = 2 * d + 1;

  /* Only samples without a stated time are looked at. */
  bool looked_at = false;
  for (size_t k = 0; k < samples; k++)
    looked_at = looked_at || is_called_white(&c->study->measured, k);
  if (!looked_at) return OMR_OK;

  /* Room for the members and for the Gram matrices. */
  omr_pool memory = {0};
  double *room = omr_pool_take(&memory, 2 * d + 2 * n * data + n * n, sizeof *room);
  double *numbers = omr_pool_take(&memory, members * (d + 2 * data), sizeof *numbers);
  bool *good = omr_pool_take(&memory, members, sizeof *good);
  work w = {.c = c, .memory = &memory, .columns = n};
  w.colours = omr_pool_take(&memory, samples, sizeof *w.colours);
  c->correlation = omr_pool_take(&c->memory, samples, sizeof *c->correlation);
  omr_status status =
      memory.failed || !c->correlation ? omr_fail(error, OMR_ERR_MEMORY, "out of memory") : OMR_OK;

  /* Run the members about their mean and look at the errors. */
  if (status == OMR_OK) {
    w.centre = room;
    w.steps = room + d;
    w.off = room + 2 * d;
    w.white = w.off + n * data;
    w.matrix = w.white + n * data;
    calibrate_choose_steps(c, room, room + d);
    status = look(&w, how, numbers, good, error);
  }

  omr_pool_free(&memory);
  return status;
}
