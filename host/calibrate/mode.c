/* Gauss-Newton steps from the members' mean to the top of the posterior. */
#include "calibrate.h"
#include "cholesky.h"
#include "polish.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static calibrate_mode *mode_make(omr_calibrate *c) {
  const size_t d = c->size.dimensions, v = c->study->variation_count,
               m = omr_coordinates_of_model(&c->layout);
  calibrate_mode *mode = omr_pool_take(&c->memory, 1, sizeof *mode);
  if (!mode) return NULL;
  mode->unknowns = m;
  mode->coordinate = omr_pool_take(&c->memory, d, sizeof *mode->coordinate);
  mode->deviation = omr_pool_take(&c->memory, d, sizeof *mode->deviation);
  mode->value = omr_pool_take(&c->memory, v, sizeof *mode->value);
  mode->value_deviation = omr_pool_take(&c->memory, v, sizeof *mode->value_deviation);
  mode->covariance = omr_pool_take(&c->memory, m * m, sizeof *mode->covariance);
  return c->memory.failed ? NULL : mode;
}

/* ---- steps */

typedef struct work {
  double *mean, *steps; /* [dimensions] */
  double *members;      /* [most][dimensions], the points with the stated noises */
  double *residuals;    /* [most][data] */
  bool *good;           /* [most] */
} work;

static omr_status run_points(omr_calibrate *c, const calibrate_how *how, omr_polish *polish,
                             const work *w, omr_error *error) {
  const size_t d = c->size.dimensions, m = omr_coordinates_of_model(&c->layout);
  const double *points;
  omr_status status = OMR_OK;
  for (size_t count; status == OMR_OK && (count = omr_polish_points(polish, &points)) > 0;) {
    for (size_t j = 0; j < count; j++)
      memcpy(w->members + j * d, points + j * m, m * sizeof *points);
    const calibrate_batch batch = {w->members, count, w->residuals, NULL, w->good};
    status = calibrate_run_members(c, &c->fitted, how, &batch, error);
    if (status == OMR_OK) omr_forward_clip(&c->fitted, count, w->residuals);
    if (status == OMR_OK) status = omr_polish_take(polish, w->residuals, w->good, error);
    if (status == OMR_OK) status = calibrate_tell(how, 1, 1, error);
  }
  return status;
}

/* The mode's residuals come from a run of its own, before they are clipped. */
static omr_status find_evidence(omr_calibrate *c, const calibrate_how *how, const work *w,
                                double log_determinant, omr_error *error) {
  calibrate_mode *mode = c->mode;
  const calibrate_batch batch = {mode->coordinate, 1, w->residuals, NULL, w->good};
  const omr_status status = calibrate_run_members(c, &c->fitted, how, &batch, error);
  const double squares = omr_dot(mode->coordinate, mode->coordinate, mode->unknowns);
  mode->evidence = calibrate_log_likelihood(c, mode->coordinate, w->residuals) -
                   0.5 * (squares + log_determinant);
  return status;
}

static void take_top(omr_calibrate *c, const omr_polish_top *top, const double *mean) {
  calibrate_mode *mode = c->mode;
  const size_t m = mode->unknowns;
  memcpy(mode->coordinate, top->mode, m * sizeof *mode->coordinate);
  memcpy(mode->covariance, top->covariance, m * m * sizeof *mode->covariance);
  mode->left = top->left;
  mode->rests = top->rests;
  mode->steps = top->steps;
  mode->blind = top->blind;
  for (size_t k = 0; k < m; k++) {
    mode->deviation[k] = sqrt(mode->covariance[k * m + k]);
    const double apart = fabs(mean[k] - mode->coordinate[k]) / mode->deviation[k];
    if (apart <= mode->apart) continue;
    mode->apart = apart;
    mode->apart_at = k;
  }
}

static omr_status climb(omr_calibrate *c, const calibrate_how *how, const work *w,
                        omr_error *error) {
  const omr_polish_settings settings = {.dimensions = c->mode->unknowns,
                                        .data = c->size.data,
                                        .most_steps = (size_t)c->study->calibrate.polish,
                                        .start = w->mean,
                                        .other = c->coordinates + c->nearest * c->size.dimensions,
                                        .steps = w->steps};

  /* Climb from the members' mean, or from the nearest member. */
  omr_polish *polish = NULL;
  calibrate_choose_steps(c, w->mean, w->steps);
  omr_status status = omr_polish_make(&settings, &polish, error);
  if (status == OMR_OK) status = run_points(c, how, polish, w, error);

  /* Take the coordinates and the evidence of the top. */
  if (status == OMR_OK) {
    const omr_polish_top top = omr_polish_top_of(polish);
    take_top(c, &top, w->mean);
    status = find_evidence(c, how, w, top.log_determinant, error);
  }

  omr_polish_destroy(polish);
  return status;
}

/* ---- values */

/* Mean and deviation of the study's variations, in a run that was not measured: straight from the
 * coordinates' covariance, with the slopes of the distributions by differences of a deviation. */
typedef struct spread {
  size_t drawn;
  double *z, *covariance; /* [1 + 2 drawn][drawn], [drawn][drawn]: coordinates of the study's sample
                             and their covariance there */
  double *values;         /* [1 + 2 drawn][variation_count] */
} spread;

static void fill_spread(const omr_calibrate *c, const spread *s) {
  const calibrate_mode *mode = c->mode;
  const double shared = c->layout.shared;

  /* Coordinates and covariance of the study's sample at the top. */
  for (size_t a = 0; a < s->drawn; a++) {
    s->z[a] = mode->coordinate[a];
    for (size_t b = 0; b < s->drawn; b++)
      s->covariance[a * s->drawn + b] = mode->covariance[a * mode->unknowns + b];
  }

  /* In a run that was not measured, a run's own part is the prior's. */
  for (size_t k = 0; k < c->layout.owns; k++) {
    const size_t own = c->layout.own[k];
    s->z[own] *= sqrt(shared);
    for (size_t b = 0; b < s->drawn; b++) {
      s->covariance[own * s->drawn + b] *= sqrt(shared);
      s->covariance[b * s->drawn + own] *= sqrt(shared);
    }
    s->covariance[own * s->drawn + own] += 1 - shared;
  }

  /* Two points for each coordinate, a deviation to either side. */
  for (size_t j = 1; j < 1 + 2 * s->drawn; j++) {
    const size_t a = (j - 1) / 2;
    const double step = sqrt(s->covariance[a * s->drawn + a]);
    memcpy(s->z + j * s->drawn, s->z, s->drawn * sizeof *s->z);
    s->z[j * s->drawn + a] += j % 2 ? step : -step;
  }
}

static double deviation_of(const spread *s, size_t v, size_t count) {
  double sum = 0;
  for (size_t a = 0; a < s->drawn; a++)
    for (size_t b = 0; b < s->drawn; b++) {
      const double *up_a = s->values + (1 + 2 * a) * count + v, *down_a = up_a + count;
      const double *up_b = s->values + (1 + 2 * b) * count + v, *down_b = up_b + count;
      const double *here = s->covariance + a * s->drawn + b;
      const double step = sqrt(s->covariance[a * s->drawn + a] * s->covariance[b * s->drawn + b]);
      sum += *here * (*up_a - *down_a) * (*up_b - *down_b) / (4 * step);
    }
  return sqrt(fmax(sum, 0));
}

static omr_status find_mode_values(omr_calibrate *c, omr_error *error) {
  const size_t drawn = c->layout.drawn, count = c->study->variation_count, n = 1 + 2 * drawn;
  double *room = calloc(n * drawn + drawn * drawn + n * count, sizeof *room);
  if (!room) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  const spread s = {drawn, room, room + n * drawn, room + n * drawn + drawn * drawn};
  fill_spread(c, &s);
  calibrate_values_of(c, s.z, n, s.values);
  for (size_t v = 0; v < count; v++) {
    c->mode->value[v] = s.values[v];
    c->mode->value_deviation[v] = deviation_of(&s, v, count);
  }
  free(room);
  return OMR_OK;
}

omr_status calibrate_find_mode(omr_calibrate *c, const calibrate_how *how, omr_error *error) {
  const size_t d = c->size.dimensions;
  if (c->study->calibrate.polish == 0) return OMR_OK;

  /* Room for the largest batch. */
  const size_t most = omr_polish_most(omr_coordinates_of_model(&c->layout));
  omr_pool memory = {0};
  work w;
  w.mean = omr_pool_take(&memory, d, sizeof *w.mean);
  w.steps = omr_pool_take(&memory, d, sizeof *w.steps);
  w.members = omr_pool_take(&memory, most * d, sizeof *w.members);
  w.residuals = omr_pool_take(&memory, most * c->size.data, sizeof *w.residuals);
  w.good = omr_pool_take(&memory, most, sizeof *w.good);

  /* Climb, then turn coordinates into values. */
  c->mode = mode_make(c);
  omr_status status = memory.failed || !c->mode
                          ? omr_fail(error, OMR_ERR_MEMORY, "out of memory for a polish")
                          : climb(c, how, &w, error);
  if (status == OMR_OK) status = find_mode_values(c, error);

  omr_pool_free(&memory);
  return status;
}
