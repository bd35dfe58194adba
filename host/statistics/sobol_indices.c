/* Sobol' indices from row groups A, A with column i from B (here C), B.
 *
 *   first order  S_i = mean of (b - m) (c_i - a) / V  (Saltelli et al. 2010; a, b, c less m)
 *   total        T_i = mean of (c_i - a)^2 / (2 V)    (Jansen 1999)
 *   m, V         mean and variance of all a and b
 *
 * These rows allow several estimators of S (Jansen, Janon and Monod, Martinez). This one has the
 * smallest error on the whole, by far the smallest where indices are small, as most are, and is
 * 0 for a parameter without effect; where one index is large Janon's is up to three times as
 * accurate (tests/long/sobol_estimators.py). Without subtracting the mean the error from
 * independent points would be up to twice as large.
 *
 * Intervals are percentiles of a bootstrap with Poisson weights, which a counter gives, so that
 * neither the memory nor the order of the rows matters. The bootstrap draws at most BATCHES
 * batches of contiguous groups, for whose sums there is room. Where groups are independent this
 * is as good as drawing groups (coverage: tests/statistics/test_sobol_indices.c). Where they are
 * parts of a scrambled sequence, a batch of 2^m groups is evenly spread itself, so that the
 * intervals shrink with it instead of staying as wide as for random points. As a rule they
 * remain on the safe side, since batches of a sequence make up for each other, and the bootstrap
 * does not know that. Few batches spread a little less than many, and their spread is less well
 * known: the distances of the percentiles are widened by sqrt(K/(K - 1)) and by Student's t over
 * the normal quantile. */
#include "../study/designs/draws.h"
#include "../study/grammar/reader.h"
#include "intervals.h"
#include "sensitivity_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct work {
  omr_sensitivity *table;
  omr_groups groups;
  size_t width;     /* sums of a batch */
  size_t per_batch; /* groups of a batch, a power of two */
  size_t batches;
  double widening;  /* of the intervals: few batches spread less than many, and their spread is less
                       well known */
  double *sums;     /* [batches][width] */
  double *total;    /* [width] */
  uint8_t *weights; /* [bootstrap][batches] */
  double *replicate; /* [2 + 2 parameters][bootstrap] */
  double *estimate;  /* [2 + 2 parameters]: mean, variance, S, T */
} work;

/* Poisson number of mean 1 from 32 random bits: counts the cumulated probabilities, in units of
 * 2^-32, that do not exceed them. */
static uint8_t poisson(uint32_t bits) {
  static const uint32_t cumulated[] = {1580030169u, 3160060337u, 3950075422u, 4213413783u,
                                       4279248374u, 4292415292u, 4294609778u, 4294923276u,
                                       4294962463u, 4294966817u, 4294967253u, 4294967292u};
  uint8_t number = 0;
  while (number < sizeof cumulated / sizeof *cumulated && bits >= cumulated[number]) number++;
  return number;
}

static void draw_weights(work *w, uint64_t seed) {
  for (size_t r = 0; r < w->table->bootstrap; r++)
    for (size_t batch = 0; batch < w->batches; batch++) {
      uint64_t bits[2];
      if (batch % 4 == 0) omr_draw_for(OMR_FOR_BOOTSTRAP, seed, r, (uint32_t)(batch / 4), bits);
      w->weights[r * w->batches + batch] =
          poisson((uint32_t)(bits[batch % 4 / 2] >> 32 * (batch % 2)));
    }
}

size_t omr_sobol_batch(size_t groups) {
  size_t per_batch = 1;
  while ((groups + per_batch - 1) / per_batch > OMR_SOBOL_BATCHES) per_batch *= 2;
  return per_batch;
}

static omr_status open_work(work *w, omr_sensitivity *table, size_t groups, omr_error *error) {
  const size_t estimates = 2 + 2 * table->parameters;
  w->table = table;
  w->width = omr_sobol_width(table->parameters);
  w->per_batch = omr_sobol_batch(groups);
  w->batches = (groups + w->per_batch - 1) / w->per_batch;
  omr_pool *memory = &w->groups.memory;
  w->sums = omr_pool_take(memory, w->batches * w->width, sizeof *w->sums);
  w->total = omr_pool_take(memory, w->width, sizeof *w->total);
  w->weights = omr_pool_take(memory, table->bootstrap * w->batches, sizeof *w->weights);
  w->replicate = omr_pool_take(memory, estimates * table->bootstrap, sizeof *w->replicate);
  w->estimate = omr_pool_take(memory, estimates, sizeof *w->estimate);
  if (!memory->failed) return OMR_OK;
  return omr_fail(
      error, OMR_ERR_MEMORY,
      "out of memory for the Sobol' indices of %zu parameters with %zu bootstrap replicates",
      table->parameters, table->bootstrap);
}

static void add_to_level(omr_sobol_level *l, double value, double count) {
  l->mean += (value - l->mean) / count;
  l->low = fmin(l->low, value);
  l->high = fmax(l->high, value);
}

/* True if failed instances have a value of the quantity. */
static bool every_of(const work *w, size_t column) {
  return w->table->every[column - w->table->parameters];
}

static omr_status find_level(work *w, size_t column, omr_sobol_level *l, omr_error *error) {
  omr_groups *groups = &w->groups;
  const size_t last = groups->rows - 1;
  bool more = true;
  *l = (omr_sobol_level){0, 0, HUGE_VAL, -HUGE_VAL};
  for (size_t first = 0; more; first += groups->here) {
    OMR_TRY(omr_groups_block(groups, first, &more, error));
    if (more) OMR_TRY(omr_groups_values(groups, column, every_of(w, column), error));
    for (size_t g = 0; more && g < groups->here; g++) {
      const double *y = omr_groups_get(groups, g);
      if (!y) continue;
      l->groups++;
      add_to_level(l, y[0], 2 * (double)l->groups - 1);
      add_to_level(l, y[last], 2 * (double)l->groups);
    }
  }
  return OMR_OK;
}

static void add_group(double *sums, const double *y, size_t parameters, double mean) {
  const double a = y[0] - mean, b = y[parameters + 1] - mean;
  sums[OMR_SOBOL_COUNT] += 1;
  sums[OMR_SOBOL_SUM] += a + b;
  sums[OMR_SOBOL_SQUARES] += a * a + b * b;
  for (size_t i = 0; i < parameters; i++) {
    double *each = sums + OMR_SOBOL_HEAD + OMR_SOBOL_EACH * i;
    const double change = y[i + 1] - y[0];
    each[OMR_SOBOL_PRODUCT] += b * change;
    each[OMR_SOBOL_CHANGE] += change;
    each[OMR_SOBOL_STEP] += change * change;
  }
}

static omr_status sum_batches(work *w, size_t column, double mean, omr_error *error) {
  omr_groups *groups = &w->groups;
  bool more = true;
  for (size_t s = 0; s < w->batches * w->width; s++) w->sums[s] = 0;
  for (size_t first = 0; more; first += groups->here) {
    OMR_TRY(omr_groups_block(groups, first, &more, error));
    if (more) OMR_TRY(omr_groups_values(groups, column, every_of(w, column), error));
    for (size_t g = 0; more && g < groups->here; g++) {
      const double *y = omr_groups_get(groups, g);
      if (y)
        add_group(w->sums + (first + g) / w->per_batch * w->width, y, w->table->parameters, mean);
    }
  }
  return OMR_OK;
}

/* Sum over the batches, each as often as its weight says (NULL: once). */
static void total_of(work *w, const uint8_t *weights) {
  for (size_t s = 0; s < w->width; s++) w->total[s] = 0;
  for (size_t batch = 0; batch < w->batches; batch++) {
    const double weight = weights ? weights[batch] : 1;
    const double *sums = w->sums + batch * w->width;
    if (weight == 0) continue;
    for (size_t s = 0; s < w->width; s++) w->total[s] += weight * sums[s];
  }
}

/* Computes the estimates from the sums in `total`; NaN where there is no variance. */
static void estimate(work *w, double mean) {
  const size_t parameters = w->table->parameters;
  const double n = w->total[OMR_SOBOL_COUNT], shift = w->total[OMR_SOBOL_SUM] / (2 * n);
  const double variance = (w->total[OMR_SOBOL_SQUARES] - 2 * n * shift * shift) / (2 * n - 1);
  w->estimate[0] = mean + shift;
  w->estimate[1] = variance;
  for (size_t i = 0; i < parameters; i++) {
    const double *each = w->total + OMR_SOBOL_HEAD + OMR_SOBOL_EACH * i;
    w->estimate[2 + i] =
        variance > 0 ? (each[OMR_SOBOL_PRODUCT] - shift * each[OMR_SOBOL_CHANGE]) / n / variance
                     : (double)NAN;
    w->estimate[2 + parameters + i] =
        variance > 0 ? each[OMR_SOBOL_STEP] / (2 * n) / variance : (double)NAN;
  }
}

/* Between the order statistics around place p (count + 1) of 1 ... count. */
static double quantile(const double *sorted, size_t count, double p) {
  const double place = fmin(fmax(p * ((double)count + 1), 1), (double)count);
  const size_t below = (size_t)place;
  const double part = place - (double)below;
  return part > 0 ? sorted[below - 1] + part * (sorted[below] - sorted[below - 1])
                  : sorted[below - 1];
}

/* Widened percentiles of the replicates that have a value; sums of squares do not go below 0. */
static omr_estimate with_interval(work *w, size_t which, double value, bool squared) {
  const double beyond = (1 - w->table->confidence) / 2;
  double *replicates = w->replicate + which * w->table->bootstrap;
  size_t count = 0;
  for (size_t r = 0; r < w->table->bootstrap; r++)
    if (isfinite(replicates[r])) replicates[count++] = replicates[r];
  if (count < 2) return (omr_estimate){value, (double)NAN, (double)NAN};
  qsort(replicates, count, sizeof *replicates, omr_by_value);
  const double low = value + w->widening * (quantile(replicates, count, beyond) - value);
  const double high = value + w->widening * (quantile(replicates, count, 1 - beyond) - value);
  return (omr_estimate){value, squared && low < 0 ? 0 : low, high};
}

static void bootstrap(work *w, double mean) {
  const size_t estimates = 2 + 2 * w->table->parameters, replicates = w->table->bootstrap;
  for (size_t r = 0; r < replicates; r++) {
    total_of(w, w->weights + r * w->batches);
    estimate(w, mean); /* gives 0/0 where no batch was drawn */
    for (size_t e = 0; e < estimates; e++) w->replicate[e * replicates + r] = w->estimate[e];
  }
}

/* Factor of the intervals from the number of batches that have a group. */
static double widening_of(const work *w) {
  double count = 0;
  for (size_t batch = 0; batch < w->batches; batch++)
    count += w->sums[batch * w->width + OMR_SOBOL_COUNT] > 0;
  const double confidence = w->table->confidence;
  return count > 1 ? omr_student_quantile(count - 1, confidence) /
                         omr_normal_quantile((1 + confidence) / 2) * sqrt(count / (count - 1))
                   : (double)NAN;
}

/* A parameter that changes the quantity by rounding only has indices of 0. */
static void fill(work *w, size_t quantity, double mean, double rounding) {
  omr_sensitivity *table = w->table;
  w->widening = widening_of(w);
  bootstrap(w, mean);
  total_of(w, NULL);
  estimate(w, mean);
  table->mean[quantity] = with_interval(w, 0, w->estimate[0], false);
  table->variance[quantity] = with_interval(w, 1, w->estimate[1], true);
  for (size_t i = 0; i < table->parameters; i++)
    for (size_t order = 0; order < 2; order++) {
      const size_t e = 2 + order * table->parameters + i;
      const double change = w->total[OMR_SOBOL_HEAD + OMR_SOBOL_EACH * i + OMR_SOBOL_STEP] /
                            w->total[OMR_SOBOL_COUNT];
      table->estimates[order][omr_sensitivity_at(table, quantity, i)] =
          change > rounding * rounding ? with_interval(w, e, w->estimate[e], order == 1)
                                       : (omr_estimate){0};
    }
}

/* The level decides whether the quantity varies at all; the sums are its batches'. */
static void fill_or_none(work *w, size_t quantity, const omr_sobol_level *l) {
  omr_sensitivity *table = w->table;
  const double rounding = omr_rounding_of(table, quantity, l->low, l->high);
  table->used[quantity] = l->groups;
  table->mean[quantity] = table->variance[quantity] =
      (omr_estimate){(double)NAN, (double)NAN, (double)NAN};
  if (l->groups > 1 && l->high - l->low > rounding) {
    fill(w, quantity, l->mean, rounding);
    return;
  }

  /* it does not vary: its mean is exact and its variance 0 */
  if (l->groups > 1) {
    table->mean[quantity] = (omr_estimate){l->low, l->low, l->low};
    table->variance[quantity] = (omr_estimate){0, 0, 0};
  }
  for (size_t i = 0; i < table->parameters; i++)
    omr_sensitivity_none(table, quantity, i, l->groups > 1 ? OMR_REASON_CONSTANT : OMR_REASON_FEW);
}

static omr_status indices_of(work *w, omr_source *source, size_t quantity, omr_error *error) {
  const size_t column = source->parameters + quantity;
  omr_sobol_level l;
  OMR_TRY(find_level(w, column, &l, error));
  if (l.high > l.low) OMR_TRY(sum_batches(w, column, l.mean, error));
  fill_or_none(w, quantity, &l);
  return OMR_OK;
}

omr_status omr_sobol_of_sums(omr_sensitivity *table, uint64_t seed, size_t groups,
                             const omr_sobol_level *levels, const double *sums, omr_error *error) {
  work w = {0};
  const omr_status status = open_work(&w, table, groups, error);
  const size_t count = w.batches * w.width;
  if (status == OMR_OK) draw_weights(&w, seed);
  for (size_t q = 0; status == OMR_OK && q < table->quantities; q++) {
    memcpy(w.sums, sums + q * count, count * sizeof *sums);
    fill_or_none(&w, q, &levels[q]);
  }
  omr_groups_close(&w.groups);
  return status;
}

omr_status omr_sobol_indices(omr_sensitivity *table, const omr_study *study, omr_source *source,
                             omr_error *error) {
  work w = {0};
  omr_status status =
      omr_groups_open(&w.groups, source, table->group_rows, table->block_rows, error);
  if (status == OMR_OK) status = open_work(&w, table, w.groups.count, error);
  if (status == OMR_OK) draw_weights(&w, study->design.seed);
  for (size_t q = 0; status == OMR_OK && q < table->quantities; q++)
    status = indices_of(&w, source, q, error);
  omr_groups_close(&w.groups);
  return status;
}
