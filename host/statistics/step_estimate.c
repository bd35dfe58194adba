#include "step_estimate.h"

#include "../../kernels/scalar_math.h"
#include "../study/draws.h"
#include "../study/special.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LN2 0.69314718055994530942
#define HALF_ORDER 2.4142135623730950488 /* 1 / (2^(1/2) - 1) */
#define QUARTER_TENTHS 1.2849788241577   /* 1 / (10^(1/4) - 1) */
#define BY_CHANCE 0x1p-6                 /* a ratio of order 6, which no method has */

static double difference(const omr_step_values *v, int level, size_t i) {
  return v->value[level][i] - v->value[level + 1][i];
}

double omr_step_error_at(const omr_step_values *v, size_t i, const omr_step_tail *tail, double k) {
  if (v->vanishes) return v->value[0][i];
  return (v->value[0][i] - v->value[v->levels][i]) +
         k * difference(v, tail->of_first ? 0 : v->levels - 1, i);
}

/* WEIGHTS: every cell counts alike, and in it every instance. */

typedef struct strata {
  size_t count, least;             /* least: instances of the smallest */
  size_t of[OMR_STEP_SAMPLE_MOST]; /* stratum of an instance, from 0 */
  size_t size[OMR_STEP_SAMPLE_MOST];
} strata;

static strata strata_of(const omr_step_values *v) {
  strata s = {0};
  for (size_t i = 0; i < v->count; i++) {
    if (i == 0 || v->stratum[i] != v->stratum[i - 1]) s.count++;
    s.of[i] = s.count - 1;
    s.size[s.of[i]]++;
  }
  s.least = v->count;
  for (size_t c = 0; c < s.count; c++) s.least = s.size[c] < s.least ? s.size[c] : s.least;
  return s;
}

static double weight(const strata *s, size_t i) {
  return 1.0 / ((double)s->count * (double)s->size[s->of[i]]);
}

static double mean_difference(const omr_step_values *v, const strata *s, int level) {
  double sum = 0;
  for (size_t i = 0; i < v->count; i++) sum += weight(s, i) * difference(v, level, i);
  return sum;
}

/* THE TAIL */

omr_step_tail omr_step_tail_of(const omr_step_values *v) {
  const strata s = strata_of(v);
  const double most = v->tenths ? QUARTER_TENTHS : HALF_ORDER, middle = sqrt(1 + most) - 1;
  omr_step_tail tail = {middle, {0, middle, most}, (double)NAN, false};
  if (v->levels < 2 || v->count == 0) return tail;
  const double first = mean_difference(v, &s, 0), last = mean_difference(v, &s, 1),
               ratio = last / first;
  if (fabs(last) < BY_CHANCE * fabs(first))
    return (omr_step_tail){0, {-0.5, 0, 0.5}, (double)NAN, true};
  if (last == 0) return (omr_step_tail){0, {0, 0, 0}, (double)NAN, false};
  if (first == 0 || ratio < 0) return (omr_step_tail){0, {-1, 0, 1}, (double)NAN, false};
  tail.best = ratio < 1 ? fmin(ratio / (1 - ratio), HALF_ORDER) : HALF_ORDER;
  tail.may_be[1] = tail.best;
  tail.may_be[2] = fmax(1, tail.best);
  tail.order = -omr_math_log(ratio) / LN2;
  return tail;
}

/* OF THE MEAN */

typedef struct spread {
  double mean, error; /* standard error of the mean */
  double freedom;
} spread;

/* Cells with two instances each: what differs between cells is no matter of chance. */
static spread spread_within(const double *z, const strata *s, size_t count) {
  double mean[OMR_STEP_SAMPLE_MOST] = {0}, square = 0;
  spread result = {.freedom = (double)(count - s->count)};
  for (size_t i = 0; i < count; i++) mean[s->of[i]] += z[i] / (double)s->size[s->of[i]];
  for (size_t c = 0; c < s->count; c++) result.mean += mean[c] / (double)s->count;
  for (size_t i = 0; i < count; i++) {
    const double n = (double)s->size[s->of[i]], away = z[i] - mean[s->of[i]];
    square += away * away / (n * (n - 1));
  }
  result.error = sqrt(square) / (double)s->count;
  return result;
}

static spread spread_of(const double *z, const strata *s, size_t count) {
  if (s->count > 1 && s->least > 1) return spread_within(z, s, count);
  spread result = {.freedom = (double)count - 1};
  double square = 0;
  for (size_t i = 0; i < count; i++) result.mean += weight(s, i) * z[i];
  for (size_t i = 0; i < count; i++)
    square += (weight(s, i) * (z[i] - result.mean)) * (weight(s, i) * (z[i] - result.mean));
  result.error = sqrt(square * (double)count / result.freedom);
  return result;
}

/* Half the width of an interval for the run's mean: what is chosen of few instances leaves few to
 * chance. */
static double half_width(const omr_step_values *v, const spread *s) {
  if (v->all) return 0;
  if (!(s->freedom >= 1)) return HUGE_VAL;
  return omr_student_quantile(s->freedom, v->confidence) * s->error * sqrt(fmax(0, 1 - v->part));
}

static void stretch(omr_step_estimate *e, double low, double high) {
  e->low = fmin(e->low, low);
  e->high = fmax(e->high, high);
}

static const omr_step_estimate unknown = {(double)NAN, (double)NAN, (double)NAN};

omr_step_estimate omr_step_error_of_mean(const omr_step_values *v, const omr_step_tail *tail) {
  const strata s = strata_of(v);
  double z[OMR_STEP_SAMPLE_MOST], error = 0;
  if (v->count == 0) return unknown;
  for (size_t i = 0; i < v->count; i++)
    error += weight(&s, i) * omr_step_error_at(v, i, tail, tail->best);
  omr_step_estimate e = {error, error, error};
  for (int k = 0; k < OMR_STEP_TAILS; k++) {
    for (size_t i = 0; i < v->count; i++) z[i] = omr_step_error_at(v, i, tail, tail->may_be[k]);
    const spread chance = spread_of(z, &s, v->count);
    const double half = half_width(v, &chance);
    stretch(&e, chance.mean - half, chance.mean + half);
  }
  return e;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

void omr_step_error_sizes(const omr_step_values *v, const omr_step_tail *tail, double *median,
                          double *largest) {
  double size[OMR_STEP_SAMPLE_MOST];
  *median = *largest = (double)NAN;
  if (v->count == 0) return;
  for (size_t i = 0; i < v->count; i++) size[i] = fabs(omr_step_error_at(v, i, tail, tail->best));
  qsort(size, v->count, sizeof *size, ascending);
  *median = (size[(v->count - 1) / 2] + size[v->count / 2]) / 2;
  *largest = size[v->count - 1];
}

/* OF QUANTILES */

void omr_step_draws_make(uint64_t seed, omr_step_draws *draws) {
  enum { STREAM = 16, AT_ONCE = 4 }; /* behind the streams of the choice */
  draws->count = 0;
  for (size_t r = 0; r < OMR_STEP_REPLICATES; r++) {
    for (size_t i = 0; i < OMR_STEP_SAMPLE_MOST; i += AT_ONCE) {
      uint64_t bits[2];
      omr_draw_for(OMR_FOR_STEP_ERROR, seed, r, STREAM + (uint32_t)(i / AT_ONCE), bits);
      for (size_t j = 0; j < AT_ONCE; j++)
        draws->number[r][i + j] = (uint32_t)(bits[j / 2] >> 32 * (j % 2));
    }
  }
}

/* Counted once for all quantiles of quantities with as many values: drawing took as long as the
 * quantiles themselves. */
static void count_draws(omr_step_draws *draws, size_t count) {
  if (draws->count == count) return;
  memset(draws->often, 0, sizeof draws->often);
  for (size_t r = 0; r < OMR_STEP_REPLICATES; r++)
    for (size_t i = 0; i < count; i++)
      draws->often[r][(uint64_t)draws->number[r][i] * count >> 32]++;
  draws->count = count;
}

typedef struct placed {
  double value;
  size_t instance;
} placed;

static int by_value(const void *a, const void *b) {
  const placed *x = a, *y = b;
  return (x->value > y->value) - (x->value < y->value);
}

/* Type 7 of values in their order, each as often as its instance was drawn. */
static double quantile_of(const placed *sorted, size_t count, const uint8_t *often, double level) {
  const double place = level * (double)(count - 1), below = floor(place);
  const size_t first = (size_t)below, second = first + 1 < count ? first + 1 : first;
  double low = 0, high = 0;
  for (size_t i = 0, seen = 0; i < count && seen <= second; i++) {
    const size_t next = seen + often[sorted[i].instance];
    if (seen <= first && first < next) low = sorted[i].value;
    if (seen <= second && second < next) high = sorted[i].value;
    seen = next;
  }
  return low + (place - below) * (high - low);
}

/* Values at h and at the limit that a tail says, in their orders. */
typedef struct two_samples {
  size_t count;
  placed here[OMR_STEP_SAMPLE_MOST], limit[OMR_STEP_SAMPLE_MOST];
} two_samples;

static two_samples samples_of(const omr_step_values *v, const omr_step_tail *tail, double k) {
  two_samples t = {.count = v->count};
  for (size_t i = 0; i < v->count; i++) {
    t.here[i] = (placed){v->value[0][i], i};
    t.limit[i] = (placed){v->value[0][i] - omr_step_error_at(v, i, tail, k), i};
  }
  qsort(t.here, t.count, sizeof *t.here, by_value);
  qsort(t.limit, t.count, sizeof *t.limit, by_value);
  return t;
}

static double error_of(const two_samples *t, const uint8_t *often, double level) {
  return quantile_of(t->here, t->count, often, level) -
         quantile_of(t->limit, t->count, often, level);
}

static double once(const two_samples *t, double level) {
  uint8_t often[OMR_STEP_SAMPLE_MOST];
  for (size_t i = 0; i < t->count; i++) often[i] = 1;
  return error_of(t, often, level);
}

/* Few instances spread less than many, and their spread is less well known. */
static double widening(const omr_step_values *v) {
  const double n = (double)v->count, normal = omr_normal_quantile((1 + v->confidence) / 2);
  return omr_student_quantile(n - 1, v->confidence) / normal *
         sqrt(n / (n - 1) * fmax(0, 1 - v->part));
}

static void add_bootstrap(const omr_step_values *v, const two_samples *t, double level,
                          const omr_step_draws *draws, omr_step_estimate *e) {
  double replicate[OMR_STEP_REPLICATES];
  const double middle = once(t, level), wider = widening(v), tail = (1 - v->confidence) / 2;
  for (size_t r = 0; r < OMR_STEP_REPLICATES; r++)
    replicate[r] = error_of(t, draws->often[r], level);
  qsort(replicate, OMR_STEP_REPLICATES, sizeof *replicate, ascending);
  const size_t cut = (size_t)floor(tail * OMR_STEP_REPLICATES);
  stretch(e, middle - wider * (middle - replicate[cut]),
          middle + wider * (replicate[OMR_STEP_REPLICATES - 1 - cut] - middle));
}

static bool all_alike(const omr_step_values *v) {
  for (size_t i = 0; i < v->count; i++)
    for (int level = 0; level < v->levels; level++)
      if (difference(v, level, i) != 0 || (v->vanishes && v->value[0][i] != 0)) return false;
  return true;
}

omr_step_estimate omr_step_error_of_quantile(const omr_step_values *v, const omr_step_tail *tail,
                                             double level, omr_step_draws *draws) {
  if (v->count == 0) return unknown;
  if (v->count > 1 && all_alike(v)) return (omr_step_estimate){0, 0, 0};
  count_draws(draws, v->count);
  const two_samples best = samples_of(v, tail, tail->best);
  const double error = once(&best, level);
  omr_step_estimate e = {error, error, error};
  for (int k = 0; k < OMR_STEP_TAILS; k++) {
    const two_samples t = samples_of(v, tail, tail->may_be[k]);
    const double middle = once(&t, level);
    stretch(&e, middle, middle);
    if (v->all) continue;
    if (v->count < 2)
      stretch(&e, -HUGE_VAL, HUGE_VAL);
    else
      add_bootstrap(v, &t, level, draws, &e);
  }
  return e;
}

/* OF SHARES */

double omr_step_share_bound(uint64_t count, uint64_t of, double confidence) {
  if (of == 0) return (double)NAN;
  if (count >= of) return 1;
  const omr_beta beta = omr_beta_make((double)count + 1, (double)(of - count));
  return omr_beta_quantile(&beta, confidence);
}
