/* Subset simulation. Every machine rounds the operations that decide the next point (normal
 * quantiles, square roots, comparisons, the scale's exp) alike; variance and interval are for
 * people and use libm. */
#include "subset.h"

#include "../../kernels/scalar_math.h"
#include "../study/designs/draws.h"
#include "../support/pool.h"
#include "intervals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const omr_subset_ends[] = {
    [OMR_SUBSET_RUNNING] = "not at its end",
    [OMR_SUBSET_REACHED] = "reached the failures",
    [OMR_SUBSET_LEVELS] =
        "as many levels as the design allows; allow more levels, or more instances per level",
    [OMR_SUBSET_PLATEAU] = ("the margin is the same over so much of a level that the threshold "
                            "could not rise; a criterion with a "
                            "continuous margin is needed, or more instances per level"),
    [OMR_SUBSET_UNKNOWN] = "too few instances of level 0 gave the criterion a value",
};

/* Wanted share of accepted chain steps (Papaioannou et al. 2015, section 4.2), and the first
 * scale. */
static const double wanted_acceptance = 0.44, first_scale = 0.6;

struct omr_subset {
  omr_pool memory; /* of its arrays */
  omr_subset_settings settings;
  omr_subset_end end;
  size_t chains;
  size_t level, step; /* running; step 0 of a later level holds the seeds, which are known */
  size_t first, count, filled;
  double threshold; /* of the running level: -infinity at level 0 */
  double scale;
  size_t taken; /* chain steps taken in the running batch */
  double *points;
  double *states,
      *margins; /* of the running level, [points]: state of step s of chain c at s * chains + c */
  uint32_t *family; /* point of level 0 that the state comes from */
  double *sorted;   /* scratch */
  size_t *from;     /* scratch */
  size_t taken_in_level, failures, families;
  omr_subset_level *levels;
  double families_squared; /* sum of squared shares of the failures by family */
};

omr_subset_settings omr_subset_settings_of(const omr_study *study) {
  const omr_sampling *sample = &study->sample;
  return (omr_subset_settings){.dimensions = sample->dimensions,
                               .points = sample->points,
                               .parts = sample->parts,
                               .levels = sample->levels,
                               .seed = study->design.seed,
                               .confidence = study->statistics.confidence,
                               .interval = study->statistics.interval};
}

void omr_subset_destroy(omr_subset *subset) {
  if (subset) omr_pool_free(&subset->memory);
  free(subset);
}

/* Draws independent standard normal numbers for the batch's points, keyed by the point's number. */
static void draw_batch(omr_subset *s) {
  const size_t d = s->settings.dimensions;
  for (size_t i = 0; i < s->count; i++)
    for (size_t j = 0; j < d; j++)
      s->points[i * d + j] = omr_draw_subset(s->settings.seed, s->first + i, (uint32_t)j);
}

/* Proposes v = rho u + scale xi from the present states of the chains. */
static void propose(omr_subset *s) {
  const size_t d = s->settings.dimensions;
  const double rho = __builtin_sqrt((1 - s->scale) * (1 + s->scale));
  const double *present = s->states + (s->step - 1) * s->chains * d;
  s->first += s->count;
  s->count = s->chains;
  s->filled = s->taken = 0;
  draw_batch(s);
  for (size_t i = 0; i < s->chains * d; i++)
    s->points[i] = rho * present[i] + s->scale * s->points[i];
}

omr_status omr_subset_make(const omr_subset_settings *settings, omr_subset **subset,
                           omr_error *error) {
  const size_t n = settings->points, d = settings->dimensions;
  omr_subset *s = *subset = calloc(1, sizeof *s);
  if (!s) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");

  /* a part of the points of a level become chains */
  s->settings = *settings;
  s->chains = n / settings->parts;

  /* points of a batch, states and margins of a level */
  omr_pool *memory = &s->memory;
  s->points = omr_pool_take(memory, n * d, sizeof *s->points);
  s->states = omr_pool_take(memory, n * d, sizeof *s->states);
  s->margins = omr_pool_take(memory, n, sizeof *s->margins);
  s->family = omr_pool_take(memory, n, sizeof *s->family);

  /* scratch, and the record of the levels */
  s->sorted = omr_pool_take(memory, n, sizeof *s->sorted);
  s->from = omr_pool_take(memory, n, sizeof *s->from);
  s->levels = omr_pool_take(memory, settings->levels, sizeof *s->levels);

  if (memory->failed) {
    omr_subset_destroy(s);
    *subset = NULL;
    return omr_fail(
        error, OMR_ERR_MEMORY,
        "out of memory for subset simulation with %zu instances per level of %zu parameters", n, d);
  }

  /* level 0 is Monte Carlo: every point is above its threshold */
  s->count = n;
  s->threshold = -(double)INFINITY;
  s->scale = first_scale;

  draw_batch(s);
  return OMR_OK;
}

static int descending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x < y) - (x > y);
}

/* Sorts the margins of the level's states, largest first, without the missing ones. */
static size_t sort_margins(omr_subset *s) {
  size_t known = 0;
  for (size_t i = 0; i < s->settings.points; i++)
    if (!isnan(s->margins[i])) s->sorted[known++] = s->margins[i];
  qsort(s->sorted, known, sizeof *s->sorted, descending);
  return known;
}

/* gamma = 2 sum over k of (1 - k/m) R(k)/R(0), where R is the covariance of the indicators k states
 * apart in the chains of m states (Au and Beck 2001, equations 25 to 29). */
static double chain_correlation(const omr_subset *s, double p, double threshold) {
  const size_t m = s->settings.parts, chains = s->chains;
  double gamma = 0;
  if (s->level == 0 || p <= 0 || p >= 1) return 0;
  for (size_t k = 1; k < m; k++) {
    size_t both = 0;
    for (size_t i = 0; i < (m - k) * chains; i++)
      both += s->margins[i] > threshold && s->margins[i + k * chains] > threshold;
    const double covariance = (double)both / (double)((m - k) * chains) - p * p;
    gamma += 2 * (1 - (double)k / (double)m) * covariance / (p * (1 - p));
  }
  return gamma;
}

static void note_level(omr_subset *s, double threshold, size_t on, size_t known) {
  omr_subset_level *level = &s->levels[s->level];
  const size_t steps = s->settings.points - s->chains;
  level->threshold = threshold;
  level->probability = known ? (double)on / (double)known : 0;
  level->correlation = chain_correlation(s, level->probability, threshold);
  level->acceptance = s->level ? (double)s->taken_in_level / (double)steps : (double)NAN;
  if (s->level == 0) level->scale = (double)NAN;
}

/* Sums the squared shares of the points of level 0 that the failures come from (or, without
 * failures, all states above the last threshold). */
static void count_families(omr_subset *s) {
  const double least = s->failures ? 0 : s->threshold;
  size_t *count = s->from; /* families are numbers of points of level 0 */
  memset(count, 0, s->settings.points * sizeof *count);
  s->families = 0;
  s->families_squared = 0;
  for (size_t i = 0; i < s->settings.points; i++)
    if (s->margins[i] > least) count[s->family[i]]++;
  for (size_t i = 0; i < s->settings.points; i++) {
    const double of = (double)(s->failures ? s->failures : s->settings.points),
                 share = (double)count[i] / of;
    s->families += s->failures && count[i];
    s->families_squared += share * share;
  }
}

static void finish(omr_subset *s, omr_subset_end end, size_t known) {
  s->end = end;
  note_level(s, 0, s->failures, known);
  count_families(s);
  s->first += s->count;
  s->count = s->filled = 0;
}

/* Begins the next level with as many of the `on` states above the threshold as there are chains,
 * taken evenly from chains and steps: equal margins may give more, and none of them is better than
 * another. */
static void begin_level(omr_subset *s, double threshold, size_t on) {
  const size_t d = s->settings.dimensions;
  size_t seen = 0, chain = 0;
  for (size_t i = 0; i < s->settings.points && chain < s->chains; i++) {
    if (!(s->margins[i] > threshold)) continue;
    if (seen++ == chain * on / s->chains) s->from[chain++] = i;
  }
  for (size_t c = 0; c < s->chains;
       c++) { /* from[c] >= c and ascending: nothing is overwritten before it is read */
    memmove(s->states + c * d, s->states + s->from[c] * d, d * sizeof *s->states);
    s->margins[c] = s->margins[s->from[c]];
    s->family[c] = s->family[s->from[c]];
  }
  s->level++;
  s->step = 1;
  s->threshold = threshold;
  s->taken_in_level = 0;
  propose(s);
}

/* Number of the sorted margins that go on: as many as there will be chains, and all that equal the
 * last of them. The threshold is the largest margin that does not go on: given it, the others are
 * distributed as points above it are. That does not hold for the smallest that does go on (adaptive
 * multilevel splitting, Brehier, Gazeau, Goudenege, Lelievre and Rousset 2016). */
static size_t count_on(const omr_subset *s, size_t known) {
  size_t on = s->chains;
  while (on < known && s->sorted[on] >= s->sorted[s->chains - 1]) on++;
  return on;
}

static void end_level(omr_subset *s) {
  const size_t known = sort_margins(s);
  const size_t on = known < 2 * s->chains ? 0 : count_on(s, known);
  s->failures = 0;
  while (s->failures < known && s->sorted[s->failures] > 0) s->failures++;
  if (known < 2 * s->chains) {
    finish(s, OMR_SUBSET_UNKNOWN, known);
  } else if (s->failures >= s->chains) {
    finish(s, OMR_SUBSET_REACHED, known);
  } else if (on == known) {
    finish(s, OMR_SUBSET_PLATEAU, known);
  } else if (s->level + 1 == s->settings.levels) {
    finish(s, OMR_SUBSET_LEVELS, known);
  } else {
    const double threshold = s->sorted[on];
    note_level(s, threshold, on, known);
    begin_level(s, threshold, on);
  }
}

/* Moves log scale by (share taken - wanted) / sqrt(step) (Papaioannou et al. 2015, equation 20,
 * with all chains of a step instead of groups of chains, so that a step is one batch). */
static void end_step(omr_subset *s) {
  const double rate = (double)s->taken / (double)s->chains;
  s->levels[s->level].scale = s->scale;
  s->scale *= omr_math_exp((rate - wanted_acceptance) / __builtin_sqrt((double)s->step));
  if (s->scale > 1) s->scale = 1;
  s->step++;
  if (s->step < s->settings.parts)
    propose(s);
  else
    end_level(s);
}

static void keep(omr_subset *s, size_t state, const double *point, double margin, uint32_t family) {
  const size_t d = s->settings.dimensions;
  memcpy(s->states + state * d, point, d * sizeof *point);
  s->margins[state] = margin;
  s->family[state] = family;
}

bool omr_subset_take(omr_subset *s, double margin) {
  const size_t i = s->filled++, d = s->settings.dimensions;
  omr_subset_level *level = &s->levels[s->level];
  bool taken;

  level->evaluations++;
  level->unknown += isnan(margin) ? 1 : 0;

  /* at level 0 every point with a margin is a state */
  if (s->level == 0) {
    taken = !isnan(margin);
    keep(s, i, s->points + i * d, margin, (uint32_t)i);
    if (s->filled == s->count) end_level(s);
    return taken;
  }

  /* later a chain moves to its new point if that is above the threshold, and stays otherwise */
  const size_t before = (s->step - 1) * s->chains + i, now = s->step * s->chains + i;
  taken = margin > s->threshold;
  s->taken += taken;
  s->taken_in_level += taken;

  if (taken)
    keep(s, now, s->points + i * d, margin, s->family[before]);
  else
    keep(s, now, s->states + before * d, s->margins[before], s->family[before]);

  if (s->filled == s->count) end_step(s);
  return taken;
}

size_t omr_subset_first(const omr_subset *s) {
  return s->first;
}

size_t omr_subset_count(const omr_subset *s) {
  return s->count;
}

const double *omr_subset_points(const omr_subset *s) {
  return s->points;
}

size_t omr_subset_running(const omr_subset *s) {
  return s->level;
}

/* Log-normal interval: the estimate has the mean P, so its logarithm has the mean log P - s^2 / 2
 * with s^2 = log(1 + variation^2). The variance comes from families, and 1 / variation^2 families
 * of equal size would give it: these are Student's degrees of freedom. The interval covers as often
 * as it says (tests/statistics/test_subset.c), which an interval with the normal quantile does not.
 * Level 0 by itself is a sample, whose share may be 0 or 1; failures are a part of the states above
 * the last threshold. */
static void find_interval(const omr_subset *s, omr_subset_outcome *o, double known) {
  const double confidence = s->settings.confidence, variation2 = s->families_squared - 1 / known;
  double probability = 1;
  if (o->levels == 1) {
    const omr_bounds bounds =
        omr_probability_bounds(s->settings.interval, s->failures, (uint64_t)known, confidence);
    o->low = bounds.low;
    o->high = bounds.high;
    return;
  }
  for (size_t l = 0; l + (s->failures == 0) < o->levels; l++)
    probability *= o->level[l].probability;
  const double squared = log1p(variation2);
  const double half = omr_student_quantile(fmax(1, 1 / variation2), confidence) * sqrt(squared);
  o->low = s->failures ? probability * exp(squared / 2 - half) : 0;
  o->high = fmin(1, probability * exp(squared / 2 + half));
}

/* Variance from one run. Points of level 0 are independent, and every later state descends from one
 * of them (its family). With c_f failures of family f among C, the squared coefficient of variation
 * is sum (c_f / C)^2 - 1/N: Chan and Lai (2013) and Lee and Whiteley (2018) for particle filters.
 * It includes related seeds and the correlation between levels, which Au and Beck's sum over
 * levels, (1 - p)(1 + gamma) / (p N), leaves out. With level 0 only, both are the binomial (1 - p)
 * / (p N). */
static void estimate(const omr_subset *s, omr_subset_outcome *o, double known) {
  double squared = 0;
  o->probability = 1;
  for (size_t l = 0; l < o->levels; l++) {
    const omr_subset_level *level = &s->levels[l];
    const double p = level->probability, points = l ? (double)s->settings.points : known;
    o->probability *= p;
    squared += p > 0 ? (1 - p) / (p * points) * (1 + level->correlation) : (double)INFINITY;
  }
  o->variation_levels = sqrt(squared);
  o->variation = s->failures ? sqrt(fmax(0, s->families_squared - 1 / known)) : (double)INFINITY;
  if (o->probability == 1) o->variation = o->variation_levels = (double)NAN;
}

void omr_subset_get(const omr_subset *s, omr_subset_outcome *o) {
  *o = (omr_subset_outcome){
      .end = s->end, .levels = s->level + (s->end != OMR_SUBSET_RUNNING), .level = s->levels};
  for (size_t l = 0; l <= s->level; l++) {
    o->evaluations += s->levels[l].evaluations;
    o->unknown += s->levels[l].unknown;
  }
  o->probability = o->variation = o->variation_levels = o->low = o->high = (double)NAN;
  if (s->end == OMR_SUBSET_RUNNING) return;
  o->failures = s->failures;
  o->families = s->families;
  const double known = (double)(s->levels[0].evaluations - s->levels[0].unknown);
  estimate(s, o, known);
  find_interval(s, o, known);
}
