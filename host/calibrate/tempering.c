#include "tempering.h"

#include "cholesky.h"

#include "../../kernels/scalar_math.h"
#include "../study/designs/draws.h"
#include "../support/pool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The share of the points that their weights are worth; the acceptance of moves (Roberts and
 * Rosenthal 2001, several dimensions); the correlation at which points have forgotten where they
 * began. On the way to the posterior they need not forget as much: the weights of the next
 * temperature are right for any points that are distributed as this temperature says. */
static const double wanted_share = 0.5, wanted_acceptance = 0.3, forgotten = 0.1, on_the_way = 0.5;
enum { MOVES = 40 };

struct omr_tempering {
  omr_pool memory; /* of the arrays */
  omr_tempering_settings settings;
  double *q_mean, *q_factor; /* the beginning of the path */
  double *mean, *factor;     /* [2][dimensions ..] of each half of the points, for the moves */
  double *points, *states, *begun; /* [points][dimensions]: of the batch; as they are; where this
                                      temperature's moves began */
  double *likelihood, *weight;     /* [points]; of states */
  size_t *from;
  double *scratch; /* [dimensions] */
  double t, scale, evidence;
  size_t batch, accepted, moves;
  bool begins, ended;
  omr_tempering_stage stage[OMR_TEMPERING_STAGES];
  size_t stages;
};

/* ---- memory */

void omr_tempering_destroy(omr_tempering *s) {
  if (!s) return;
  omr_pool_free(&s->memory);
  free(s);
}

static bool take_memory(omr_tempering *s) {
  const size_t n = s->settings.points, d = s->settings.dimensions;
  s->q_mean = omr_pool_take(&s->memory, d, sizeof *s->q_mean);
  s->q_factor = omr_pool_take(&s->memory, d * d, sizeof *s->q_factor);
  s->mean = omr_pool_take(&s->memory, 2 * d, sizeof *s->mean);
  s->factor = omr_pool_take(&s->memory, 2 * d * d, sizeof *s->factor);
  s->points = omr_pool_take(&s->memory, n * d, sizeof *s->points);
  s->states = omr_pool_take(&s->memory, n * d, sizeof *s->states);
  s->begun = omr_pool_take(&s->memory, n * d, sizeof *s->begun);
  s->likelihood = omr_pool_take(&s->memory, n, sizeof *s->likelihood);
  s->weight = omr_pool_take(&s->memory, n, sizeof *s->weight);
  s->from = omr_pool_take(&s->memory, n, sizeof *s->from);
  s->scratch = omr_pool_take(&s->memory, d, sizeof *s->scratch);
  return !s->memory.failed;
}

/* ---- normal distributions */

static double normal(const omr_tempering *s, size_t point, size_t dimension) {
  uint64_t bits[2];
  omr_draw_for(OMR_FOR_TEMPERING, s->settings.seed, (uint64_t)s->batch << 32 | point,
               (uint32_t)dimension, bits);
  return omr_draw_normal(bits);
}

/* to = mean + rho (from - mean) + scale L xi. */
static void draw_about(omr_tempering *s, const double *mean, const double *factor, double rho,
                       double scale, size_t point, const double *from, double *to) {
  const size_t d = s->settings.dimensions;
  for (size_t e = 0; e < d; e++) s->scratch[e] = normal(s, point, e);
  for (size_t a = 0; a < d; a++)
    to[a] = mean[a] + (from ? rho * (from[a] - mean[a]) : 0) +
            scale * omr_dot(factor + a * d, s->scratch, a + 1);
}

/* Logarithm of the density of N(mean, L L^T) times (2 pi)^(d/2). */
static double log_density(omr_tempering *s, const double *mean, const double *factor,
                          const double *u) {
  const size_t d = s->settings.dimensions;
  double sum = 0;
  for (size_t a = 0; a < d; a++) {
    double left = u[a] - mean[a];
    for (size_t b = 0; b < a; b++) left -= factor[a * d + b] * s->scratch[b];
    s->scratch[a] = left / factor[a * d + a];
    sum += 0.5 * s->scratch[a] * s->scratch[a] + omr_math_log(factor[a * d + a]);
  }
  return -sum;
}

/* log (prior x likelihood / q), which the temperature multiplies. */
static double gain(omr_tempering *s, const double *u, double likelihood) {
  if (!(likelihood > -HUGE_VAL)) return -HUGE_VAL;
  const double log_prior = -0.5 * omr_dot(u, u, s->settings.dimensions);
  return likelihood + log_prior - log_density(s, s->q_mean, s->q_factor, u);
}

/* Points move by the distribution of the other half, as in ensemble samplers (Goodman and Weare
 * 2010): by their own half they would move too little, by d/n of the variance. Points that descend
 * from one point stand side by side, and so in one half. */
static void fit_normals(omr_tempering *s) {
  const size_t n = s->settings.points, d = s->settings.dimensions;
  omr_cholesky_of_points(s->states, n / 2, d, 1, s->mean, s->factor);
  omr_cholesky_of_points(s->states + n / 2 * d, n - n / 2, d, 1, s->mean + d, s->factor + d * d);
}

static const double *mean_for(const omr_tempering *s, size_t point) {
  return s->mean + (point < s->settings.points / 2 ? s->settings.dimensions : 0);
}

static const double *factor_for(const omr_tempering *s, size_t point) {
  const size_t d = s->settings.dimensions;
  return s->factor + (point < s->settings.points / 2 ? d * d : 0);
}

/* ---- temperatures */

/* Weights exp(by x gain) over the largest one, and the points that they are worth. */
static double weigh(omr_tempering *s, double by, double *log_mean) {
  const size_t n = s->settings.points, d = s->settings.dimensions;
  double most = -HUGE_VAL, sum = 0, squares = 0;
  for (size_t i = 0; i < n; i++) {
    s->weight[i] = by * gain(s, s->states + i * d, s->likelihood[i]);
    if (s->weight[i] > most) most = s->weight[i];
  }
  for (size_t i = 0; i < n; i++) {
    s->weight[i] = s->weight[i] > -HUGE_VAL ? omr_math_exp(s->weight[i] - most) : 0;
    sum += s->weight[i];
    squares += s->weight[i] * s->weight[i];
  }
  *log_mean = most + omr_math_log(sum / (double)n);
  return sum * sum / squares;
}

/* The largest step of t that leaves the points worth enough; the rest of 1 where that does. */
static double choose_step(omr_tempering *s) {
  const double wanted = wanted_share * (double)s->settings.points;
  double low = 0, high = 1 - s->t, log_mean;
  if (weigh(s, high, &log_mean) >= wanted) return high;
  for (int i = 0; i < 60; i++) {
    const double middle = 0.5 * (low + high);
    if (weigh(s, middle, &log_mean) >= wanted)
      low = middle;
    else
      high = middle;
  }
  return low > 0 ? low : high;
}

/* Systematic: point k descends from the point in whose share (k + u)/n of the weights lies. */
static void draw_by_weight(omr_tempering *s) {
  const size_t n = s->settings.points, d = s->settings.dimensions;
  uint64_t bits[2];
  double total = 0, passed = 0;
  size_t k = 0;
  omr_draw_for(OMR_FOR_TEMPERING, s->settings.seed, (uint64_t)s->batch << 32 | UINT32_MAX, 0, bits);
  const double u = omr_draw_unit(bits[0]);

  /* Find the ancestor of each point. */
  for (size_t i = 0; i < n; i++) total += s->weight[i];
  for (size_t i = 0; i < n; i++) {
    passed += s->weight[i];
    while (k < n && ((double)k + u) * total < passed * (double)n) s->from[k++] = i;
  }
  while (k < n) s->from[k++] = n - 1; /* the rounding error of the sum */

  /* Points take the state and the likelihood of their ancestors. */
  for (size_t i = 0; i < n; i++) {
    memcpy(s->begun + i * d, s->states + s->from[i] * d, d * sizeof *s->begun);
    s->weight[i] = s->likelihood[s->from[i]];
  }
  memcpy(s->states, s->begun, n * d * sizeof *s->states);
  memcpy(s->likelihood, s->weight, n * sizeof *s->likelihood);
}

static void propose(omr_tempering *s) {
  const size_t d = s->settings.dimensions;
  const double rho = sqrt((1 - s->scale) * (1 + s->scale));
  s->batch++;
  for (size_t i = 0; i < s->settings.points; i++)
    draw_about(s, mean_for(s, i), factor_for(s, i), rho, s->scale, i, s->states + i * d,
               s->points + i * d);
}

static size_t count_failed(const omr_tempering *s, const double *likelihoods) {
  size_t failed = 0;
  for (size_t i = 0; i < s->settings.points; i++) failed += likelihoods[i] > -HUGE_VAL ? 0 : 1;
  return failed;
}

static omr_status next_stage(omr_tempering *s, omr_error *error) {
  double log_mean;

  /* At the posterior the path ends. */
  if (s->t == 1) {
    s->ended = true;
    return OMR_OK;
  }
  if (s->stages == OMR_TEMPERING_STAGES)
    return omr_fail(error, OMR_ERR_FAILURES,
                    "after %d temperatures the data count by %.3g of 1; take more members, or a "
                    "larger \"noise\"",
                    OMR_TEMPERING_STAGES, s->t);

  /* Choose the temperature and weigh the points for it. */
  omr_tempering_stage *stage = &s->stage[s->stages++];
  const double by = choose_step(s);
  stage->effective = weigh(s, by, &log_mean);
  s->evidence += log_mean;
  s->t = by == 1 - s->t ? 1 : s->t + by;
  stage->reached = s->t;

  /* Draw the points by their weights and begin to move them. */
  draw_by_weight(s);
  fit_normals(s);
  s->accepted = s->moves = 0;
  propose(s);
  return OMR_OK;
}

/* ---- moves */

/* Correlation of the states with their beginning, mean over the coordinates. */
static double remembered(const omr_tempering *s) {
  const size_t n = s->settings.points, d = s->settings.dimensions;
  double sum = 0;
  for (size_t a = 0; a < d; a++) {
    double now = 0, then = 0, nn = 0, tt = 0, nt = 0;
    for (size_t i = 0; i < n; i++) {
      now += s->states[i * d + a] / (double)n;
      then += s->begun[i * d + a] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
      const double x = s->states[i * d + a] - now, y = s->begun[i * d + a] - then;
      nn += x * x;
      tt += y * y;
      nt += x * y;
    }
    sum += nn > 0 && tt > 0 ? nt / sqrt(nn * tt) : 0;
  }
  return sum / (double)d;
}

/* Logarithm of the target density over the density that the moves keep. */
static double aim(omr_tempering *s, size_t point, const double *u, double likelihood) {
  const double gained = gain(s, u, likelihood);
  if (!(gained > -HUGE_VAL)) return -HUGE_VAL;
  return s->t * gained + log_density(s, s->q_mean, s->q_factor, u) -
         log_density(s, mean_for(s, point), factor_for(s, point), u);
}

static void accept(omr_tempering *s, const double *likelihoods) {
  const size_t d = s->settings.dimensions;
  for (size_t i = 0; i < s->settings.points; i++) {
    uint64_t bits[2];
    omr_draw_for(OMR_FOR_TEMPERING, s->settings.seed, (uint64_t)s->batch << 32 | i, (uint32_t)d,
                 bits);
    const double here = aim(s, i, s->states + i * d, s->likelihood[i]);
    const double there = aim(s, i, s->points + i * d, likelihoods[i]);
    if (!(omr_math_log(omr_draw_unit(bits[0])) < there - here)) continue;
    memcpy(s->states + i * d, s->points + i * d, d * sizeof *s->states);
    s->likelihood[i] = likelihoods[i];
    s->accepted++;
  }
}

static omr_status take_moves(omr_tempering *s, const double *likelihoods, omr_error *error) {
  omr_tempering_stage *stage = &s->stage[s->stages - 1];
  const size_t before = s->accepted;
  stage->failed += count_failed(s, likelihoods);
  accept(s, likelihoods);
  s->moves++;
  const double rate = (double)(s->accepted - before) / (double)s->settings.points;
  s->scale *= omr_math_exp((rate - wanted_acceptance) / sqrt((double)s->moves));
  s->scale = fmin(fmax(s->scale, 1e-3), 1);
  stage->moves = s->moves;
  stage->acceptance = (double)s->accepted / (double)(s->moves * s->settings.points);
  stage->remembered = remembered(s);
  const size_t most = s->settings.most_moves ? s->settings.most_moves : MOVES;
  const double enough = s->t < 1 ? on_the_way : forgotten;
  if (stage->remembered < enough || s->moves >= most) return next_stage(s, error);
  propose(s);
  return OMR_OK;
}

/* ---- interface */

omr_status omr_tempering_make(const omr_tempering_settings *settings, omr_tempering **tempering,
                              omr_error *error) {
  const size_t d = settings->dimensions;
  omr_tempering *s = *tempering = calloc(1, sizeof *s);
  if (s) s->settings = *settings;
  if (!s || !take_memory(s)) {
    omr_tempering_destroy(s);
    *tempering = NULL;
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory for %zu points of %zu parameters",
                    settings->points, d);
  }

  /* Without a mean the path begins with the prior. */
  for (size_t a = 0; a < d; a++) {
    s->q_mean[a] = settings->mean ? settings->mean[a] : 0;
    for (size_t b = 0; b < d; b++)
      s->q_factor[a * d + b] = settings->mean ? settings->factor[a * d + b] : a == b;
  }

  /* The arrays were copied and stay the caller's. */
  s->settings.mean = s->settings.factor = NULL;
  s->scale = 0.6;
  s->begins = true;

  /* The first batch are draws of the beginning. */
  for (size_t i = 0; i < settings->points; i++)
    draw_about(s, s->q_mean, s->q_factor, 0, 1, i, NULL, s->points + i * d);
  return OMR_OK;
}

const double *omr_tempering_points(const omr_tempering *s) {
  return s->ended ? NULL : s->points;
}

omr_status omr_tempering_take(omr_tempering *s, const double *likelihoods, omr_error *error) {
  const size_t n = s->settings.points, d = s->settings.dimensions;
  if (!s->begins) return take_moves(s, likelihoods, error);
  if (count_failed(s, likelihoods) == n)
    return omr_fail(
        error, OMR_ERR_FAILURES,
        "none of %zu members reached the end of the runs; run the study itself to see why", n);
  s->begins = false;
  memcpy(s->states, s->points, n * d * sizeof *s->states);
  memcpy(s->likelihood, likelihoods, n * sizeof *s->likelihood);
  return next_stage(s, error);
}

omr_tempering_result omr_tempering_result_of(const omr_tempering *s) {
  return (omr_tempering_result){s->states, s->likelihood, s->evidence, s->stage, s->stages};
}
