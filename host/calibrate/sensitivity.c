/* How the residuals depend on the parameters about the members' mean, by differences across lanes:
 * two members for each parameter, one step to either side. */
#include "calibrate.h"

#include "identify.h"

#include <math.h>
#include <string.h>

/* Steps of the differences, in deviations of the prior. */
static const double least_step = 1e-3, most_step = 0.3;

static double step_of(const omr_calibrate *c, size_t d, double mean) {
  const size_t n = c->size.members, dimensions = c->size.dimensions;
  double squares = 0;
  for (size_t j = 0; j < n; j++) {
    const double off = c->coordinates[j * dimensions + d] - mean;
    squares += off * off;
  }
  return fmin(fmax(sqrt(squares / (double)(n - 1)), least_step), most_step);
}

void calibrate_choose_steps(const omr_calibrate *c, double *centre, double *steps) {
  const size_t n = c->size.members, dimensions = c->size.dimensions;
  for (size_t d = 0; d < dimensions; d++) {
    double mean = 0;
    for (size_t j = 0; j < n; j++) mean += c->coordinates[j * dimensions + d] / (double)n;
    centre[d] = mean;
    steps[d] = step_of(c, d, mean);
  }
}

enum { RETRIES = 3 };

/* The parts of the differences, as in identify.h, and room for the sides that run again. */
typedef struct sides {
  double *centre, *steps;   /* [dimensions] */
  double *points;           /* [2 dimensions + 1][dimensions] */
  double *residuals, *some; /* [2 dimensions][data], [2 dimensions + 1][data] */
  bool *good, *good_of_some;
} sides;

/* Lays the centre, and at half the step both sides of each parameter with a failed side. Returns
 * the number of these members; 1: none has failed. */
static size_t lay_again(const omr_calibrate *c, sides *s) {
  const size_t dimensions = c->size.dimensions;
  size_t next = 1;
  memcpy(s->points, s->centre, dimensions * sizeof *s->points);
  for (size_t d = 0; d < dimensions; d++) {
    if (s->good[2 * d] && s->good[2 * d + 1]) continue;
    s->steps[d] /= 2;
    for (int side = 0; side < 2; side++, next++) {
      memcpy(s->points + next * dimensions, s->centre, dimensions * sizeof *s->points);
      s->points[next * dimensions + d] += side ? -s->steps[d] : s->steps[d];
    }
  }
  return next;
}

/* Where one side has failed and the centre has not, the centre stands for it, at half the step. */
static void take_again(const omr_calibrate *c, sides *s) {
  const size_t data = c->size.data;
  size_t next = 1;
  for (size_t d = 0; d < c->size.dimensions; d++) {
    bool *good = s->good + 2 * d;
    if (good[0] && good[1]) continue;
    const bool one = s->good_of_some[0] && s->good_of_some[next] != s->good_of_some[next + 1];
    for (size_t side = 0; side < 2; side++, next++) {
      const size_t from = one && !s->good_of_some[next] ? 0 : next;
      good[side] = s->good_of_some[from];
      memcpy(s->residuals + (2 * d + side) * data, s->some + from * data, data * sizeof *s->some);
    }
    if (one) s->steps[d] /= 2;
  }
}

/* The sides' residuals, clipped, and their S^T S in gram [dimensions][dimensions]. */
static omr_status run_sides(omr_calibrate *c, const calibrate_how *how, sides *s, int retries,
                            double *gram, omr_error *error) {
  const size_t dimensions = c->size.dimensions;
  omr_differences_lay(dimensions, s->centre, s->steps, s->points);
  const calibrate_batch batch = {s->points, 2 * dimensions, s->residuals, NULL, s->good};
  omr_status status = calibrate_run_members(c, &c->fitted, how, &batch, error);
  for (int k = 0; status == OMR_OK && k < retries; k++) {
    const size_t members = lay_again(c, s);
    if (members == 1) break;
    const calibrate_batch again = {s->points, members, s->some, NULL, s->good_of_some};
    status = calibrate_run_members(c, &c->fitted, how, &again, error);
    if (status == OMR_OK) take_again(c, s);
  }
  if (status != OMR_OK) return status;
  omr_forward_clip(&c->fitted, 2 * dimensions, s->residuals);
  memset(gram, 0, dimensions * dimensions * sizeof *gram);
  omr_differences_gram(dimensions, c->size.data, s->residuals, s->good, s->steps, 1, gram);
  return OMR_OK;
}

/* A parameter that still has a failed side has no sensitivity: NaN. gram is destroyed. */
static void find_singular(omr_calibrate *c, const sides *s, double *gram) {
  const size_t d = c->size.dimensions, m = omr_coordinates_of_model(&c->layout);
  for (size_t a = 0; a < m; a++)
    c->sensitivity[a] = s->good[2 * a] && s->good[2 * a + 1] ? sqrt(gram[a * d + a]) : (double)NAN;
  for (size_t a = 0; a < m; a++) memmove(gram + a * m, gram + a * d, m * sizeof *gram);
  omr_identify(gram, m, c->singular, c->singular + m);
}

/* The root of v^T S^T S v along each singular direction v, with S^T S in gram [d][d]. */
static void find_along(omr_calibrate *c, const double *gram, size_t d, size_t m) {
  for (size_t k = 0; k < m; k++) {
    const double *v = c->singular + (k + 1) * m;
    double square = 0;
    for (size_t a = 0; a < m; a++)
      for (size_t b = 0; b < m; b++) square += v[a] * gram[a * d + b] * v[b];
    c->along[k] = sqrt(fmax(square, 0));
  }
}

/* By longer steps. A failed side leaves 0. gram: room. */
static omr_status find_farther(omr_calibrate *c, const calibrate_how *how, sides *s, double *gram,
                               omr_error *error) {
  const size_t d = c->size.dimensions, m = omr_coordinates_of_model(&c->layout);
  calibrate_choose_steps(c, s->centre, s->steps);
  for (size_t a = 0; a < d; a++) s->steps[a] *= CALIBRATE_FARTHER;
  const omr_status status = run_sides(c, how, s, 0, gram, error);
  if (status != OMR_OK) return status;
  for (size_t a = 0; a < m; a++) c->farther[a] = sqrt(gram[a * d + a]);
  find_along(c, gram, d, m);
  return OMR_OK;
}

omr_status calibrate_find_sensitivity(omr_calibrate *c, const calibrate_how *how,
                                      omr_error *error) {
  const size_t d = c->size.dimensions, data = c->size.data, members = 2 * d + 1;
  omr_pool memory = {0};
  double *gram = omr_pool_take(&memory, d * d, sizeof *gram);
  sides s;
  s.centre = omr_pool_take(&memory, d, sizeof *s.centre);
  s.steps = omr_pool_take(&memory, d, sizeof *s.steps);
  s.points = omr_pool_take(&memory, members * d, sizeof *s.points);
  s.residuals = omr_pool_take(&memory, 2 * d * data, sizeof *s.residuals);
  s.some = omr_pool_take(&memory, members * data, sizeof *s.some);
  s.good = omr_pool_take(&memory, 2 * d, sizeof *s.good);
  s.good_of_some = omr_pool_take(&memory, members, sizeof *s.good_of_some);

  /* The results stay with the calibration. */
  c->sensitivity = omr_pool_take(&c->memory, d, sizeof *c->sensitivity);
  c->farther = omr_pool_take(&c->memory, d, sizeof *c->farther);
  c->along = omr_pool_take(&c->memory, d, sizeof *c->along);
  c->singular = omr_pool_take(&c->memory, d + d * d, sizeof *c->singular);
  omr_status status =
      memory.failed || c->memory.failed ? omr_fail(error, OMR_ERR_MEMORY, "out of memory") : OMR_OK;

  /* Run the sides by short steps, then by longer ones. */
  if (status == OMR_OK) {
    calibrate_choose_steps(c, s.centre, s.steps);
    status = run_sides(c, how, &s, RETRIES, gram, error);
    if (status == OMR_OK) find_singular(c, &s, gram);
    if (status == OMR_OK) status = find_farther(c, how, &s, gram, error);
  }

  omr_pool_free(&memory);
  return status;
}
