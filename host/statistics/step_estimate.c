#include "step_estimate.h"
#include "select.h"

#include "../../kernels/scalar_math.h"
#include "../study/designs/draws.h"
#include "../study/designs/special_functions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LN2 0.69314718055994530942
#define HALF_ORDER 2.4142135623730950488 /* 1 / (2^(1/2) - 1) */
#define QUARTER_TENTHS 1.2849788241577   /* 1 / (10^(1/4) - 1) */
#define QUARTER_HUNDREDTHS 0.46247529557 /* 1 / (100^(1/4) - 1) */
#define SCATTER 0.5      /* part of the last difference that remains of an instance's error */
#define OF_FIRST 0.1     /* least scatter, as a part of the first difference of two tolerances */
#define BY_CHANCE 0x1p-6 /* a ratio of order 6, which no method has */

static double difference(const omr_step_values *v, int level, size_t i) {
  return v->value[level][i] - v->value[level + 1][i];
}

double omr_step_error_at(const omr_step_values *v, size_t i, const omr_step_tail *tail, double k) {
  if (v->vanishes) return v->value[0][i];
  return (v->value[0][i] - v->value[v->levels][i]) +
         k * difference(v, tail->of_first ? 0 : v->levels - 1, i);
}

/* WEIGHTS: every cell has the same weight, and so has every instance in a cell. */

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

  /* with two steps the order is unknown: take the middle of all that may be */
  const double most = v->decades == 0   ? HALF_ORDER
                      : v->decades == 1 ? QUARTER_TENTHS
                                        : QUARTER_HUNDREDTHS,
               middle = sqrt(1 + most) - 1;

  omr_step_tail tail = {middle, {0, middle, most}, (double)NAN, false};
  if (v->decades) tail.may_be[0] = -0.5;
  if (v->decades) tail.may_be[2] = fmax(1, most);
  if (v->levels < 2 || v->decades || v->count == 0) return tail;

  /* with three, the ratio of the differences tells the order */
  const double first = mean_difference(v, &s, 0), last = mean_difference(v, &s, 1),
               ratio = last / first;

  /* a last difference this small is chance, and tells nothing */
  if (fabs(last) < BY_CHANCE * fabs(first))
    return (omr_step_tail){0, {-0.5, 0, 0.5}, (double)NAN, true};
  if (last == 0) return (omr_step_tail){0, {0, 0, 0}, (double)NAN, false};

  /* a change of sign leaves any tail up to the last difference */
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

/* Standard error from cells of two or more instances each: differences between cells are not
 * chance. */
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

/* Half the width of an interval for the run's mean: choosing most of few instances leaves little to
 * chance. */
static double half_width(const omr_step_values *v, const spread *s) {
  if (v->all) return 0;
  if (!(s->freedom >= 1)) return HUGE_VAL;
  return omr_student_quantile(s->freedom, v->confidence) * s->error * sqrt(fmax(0, 1 - v->part));
}

/* Half of the scatter of the mean from the errors of the smaller tolerance (step_estimate.h). */
static double half_scatter(const omr_step_values *v, const strata *s) {
  double square = 0;
  if (!v->decades || v->vanishes) return 0;
  for (size_t i = 0; i < v->count; i++) {
    const double last = SCATTER * fabs(difference(v, v->levels - 1, i)),
                 first = v->levels > 1 ? OF_FIRST * fabs(difference(v, 0, i)) : 0,
                 left = weight(s, i) * fmax(last, first);
    square += left * left;
  }
  return omr_normal_quantile((1 + v->confidence) / 2) * sqrt(square);
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
  const double scatter = half_scatter(v, &s);
  for (int k = 0; k < OMR_STEP_TAILS; k++) {
    for (size_t i = 0; i < v->count; i++) z[i] = omr_step_error_at(v, i, tail, tail->may_be[k]);
    const spread chance = spread_of(z, &s, v->count);
    const double half = hypot(half_width(v, &chance), scatter);
    stretch(&e, chance.mean - half, chance.mean + half);
  }
  return e;
}

void omr_step_error_sizes(const omr_step_values *v, const omr_step_tail *tail, double *median,
                          double *largest) {
  double size[OMR_STEP_SAMPLE_MOST];
  *median = *largest = (double)NAN;
  if (v->count == 0) return;
  for (size_t i = 0; i < v->count; i++) size[i] = fabs(omr_step_error_at(v, i, tail, tail->best));
  qsort(size, v->count, sizeof *size, omr_by_value);
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

/* Counts the draws once for all quantiles of quantities with as many values: drawing took as long
 * as the quantiles themselves. */
static void count_draws(omr_step_draws *draws, size_t count, double confidence) {
  if (draws->count == count && draws->confidence == confidence) return;
  memset(draws->often, 0, sizeof draws->often);
  for (size_t r = 0; r < OMR_STEP_REPLICATES; r++)
    for (size_t i = 0; i < count; i++)
      draws->often[(uint64_t)draws->number[r][i] * count >> 32][r]++;
  draws->count = count;
  draws->confidence = confidence;
  draws->student = omr_student_quantile((double)count - 1, confidence) /
                   omr_normal_quantile((1 + confidence) / 2);
}

typedef struct placed {
  double value[OMR_STEP_SAMPLE_MOST]; /* ascending, */
  size_t instance[OMR_STEP_SAMPLE_MOST];
  size_t count;
} placed;

/* Inserts a value in order, after its equals. */
static void add_placed(placed *p, double value, size_t instance) {
  size_t at = p->count++;
  for (; at > 0 && p->value[at - 1] > value; at--) {
    p->value[at] = p->value[at - 1];
    p->instance[at] = p->instance[at - 1];
  }
  p->value[at] = value;
  p->instance[at] = instance;
}

/* Sorted values at h, or at the limit that a tail gives. */
static placed values_here(const omr_step_values *v) {
  placed p = {.count = 0};
  for (size_t i = 0; i < v->count; i++) add_placed(&p, v->value[0][i], i);
  return p;
}

static placed values_at_limit(const omr_step_values *v, const omr_step_tail *tail, double k) {
  placed p = {.count = 0};
  for (size_t i = 0; i < v->count; i++)
    add_placed(&p, v->value[0][i] - omr_step_error_at(v, i, tail, k), i);
  return p;
}

static double quantile_once(const placed *p, omr_between b) {
  return p->value[b.rank] + b.part * (p->value[b.next] - p->value[b.rank]);
}

/* For every replicate of the bootstrap, the value at the quantile's place when each value is
 * repeated as often as its instance was drawn. */
typedef struct bootstrapped {
  size_t instance[OMR_STEP_SAMPLE_MOST]; /* the order that the numbers refer to */
  uint8_t first[OMR_STEP_REPLICATES], second[OMR_STEP_REPLICATES];
} bootstrapped;

static void bootstrap(const placed *p, omr_between b, const omr_step_draws *draws,
                      bootstrapped *found) {
  uint8_t seen[OMR_STEP_REPLICATES] = {0};
  const uint8_t first = (uint8_t)b.rank, second = (uint8_t)b.next;
  memset(found, 0, sizeof *found);
  memcpy(found->instance, p->instance, p->count * sizeof *p->instance);
  for (size_t i = 0; i < p->count; i++) {
    const uint8_t *often = draws->often[p->instance[i]];
#pragma omp simd
    for (size_t r = 0; r < OMR_STEP_REPLICATES; r++) {
      seen[r] = (uint8_t)(seen[r] + often[r]);
      found->first[r] = (uint8_t)(found->first[r] + (seen[r] <= first));
      found->second[r] = (uint8_t)(found->second[r] + (seen[r] <= second));
    }
  }
}

static double quantile_in(const placed *p, const bootstrapped *at, size_t r, double share) {
  const double low = p->value[at->first[r]], high = p->value[at->second[r]];
  return low + share * (high - low);
}

/* The k-th value from the beginning (`up`) or the end of the sorted values. Equals keep their
 * order. */
static double kth(const double *values, size_t k, bool up) {
  double kept[OMR_STEP_REPLICATES];
  size_t count = 0;
  for (size_t i = 0; i < OMR_STEP_REPLICATES; i++) {
    const double value = up ? values[i] : -values[OMR_STEP_REPLICATES - 1 - i];
    if (count > k && !(value < kept[k])) continue;
    size_t at = count > k ? k : count++;
    for (; at > 0 && kept[at - 1] > value; at--) kept[at] = kept[at - 1];
    kept[at] = value;
  }
  return up ? kept[k] : -kept[k];
}

/* Few instances spread less than many, and their spread is less well known. */
static double widening(const omr_step_values *v, const omr_step_draws *draws) {
  const double n = (double)v->count;
  return draws->student * sqrt(n / (n - 1) * fmax(0, 1 - v->part));
}

/* One level of a quantity's quantiles. */
typedef struct quantile {
  const omr_step_values *values;
  const omr_step_draws *draws;
  omr_between place;
  placed here;
  bootstrapped at;                   /* of `here` */
  double drawn[OMR_STEP_REPLICATES]; /* quantiles of `here` */
} quantile;

static void add_bootstrap(const quantile *q, const placed *limit, omr_step_estimate *e) {
  double replicate[OMR_STEP_REPLICATES];
  bootstrapped other;
  const bootstrapped *at = &q->at;
  if (memcmp(limit->instance, q->here.instance, limit->count * sizeof *limit->instance) != 0) {
    bootstrap(limit, q->place, q->draws, &other);
    at = &other;
  }
  const double middle = quantile_once(&q->here, q->place) - quantile_once(limit, q->place),
               wider = widening(q->values, q->draws), tail = (1 - q->values->confidence) / 2;
  for (size_t r = 0; r < OMR_STEP_REPLICATES; r++)
    replicate[r] = q->drawn[r] - quantile_in(limit, at, r, q->place.part);
  const size_t cut = (size_t)floor(tail * OMR_STEP_REPLICATES);
  stretch(e, middle - wider * (middle - kth(replicate, cut, true)),
          middle + wider * (kth(replicate, cut, false) - middle));
}

static void begin_bootstrap(quantile *q, omr_step_draws *draws) {
  count_draws(draws, q->here.count, q->values->confidence);
  q->draws = draws;
  bootstrap(&q->here, q->place, draws, &q->at);
  for (size_t r = 0; r < OMR_STEP_REPLICATES; r++)
    q->drawn[r] = quantile_in(&q->here, &q->at, r, q->place.part);
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

  /* the quantile at h, and in the bootstrap's draws */
  quantile q = {.values = v, .place = omr_between_ranks(v->count, level), .here = values_here(v)};
  const bool chance = !v->all && v->count > 1;
  if (chance) begin_bootstrap(&q, draws);

  /* error against the limit of the best tail */
  const placed best = values_at_limit(v, tail, tail->best);
  const double here = quantile_once(&q.here, q.place), error = here - quantile_once(&best, q.place);

  const strata s = strata_of(v);
  const double scatter = half_scatter(v, &s);

  /* the range covers the scatter and every tail that may be */
  omr_step_estimate e = {error, error, error};
  for (int k = 0; k < OMR_STEP_TAILS; k++) {
    const placed limit = values_at_limit(v, tail, tail->may_be[k]);
    const double middle = here - quantile_once(&limit, q.place);

    /* with the bootstrap's percentiles where instances were drawn */
    stretch(&e, middle - scatter, middle + scatter);
    if (chance)
      add_bootstrap(&q, &limit, &e);

    else if (!v->all)
      stretch(&e, -HUGE_VAL, HUGE_VAL);
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
