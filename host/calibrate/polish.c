#include "polish.h"

#include "cholesky.h"
#include "identify.h"

#include "../../kernels/scalar_math.h"
#include "../support/pool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Factors of the diagonal of A. */
static const double dampings[] = {0, 0.1, 1, 10, 100, 1e3, 1e4};
/* In nats: the loss allowed to the whole step, and the gain that another one needs over it; less is
 * the roughness of a model that is not smooth, whose dips are not worth following. And the gain
 * that the other start needs. */
static const double matters = 0.5, far_better = 3;
enum { DAMPINGS = sizeof dampings / sizeof *dampings };

/* A batch has the differences about its candidate, the candidate, and tries. */
struct omr_polish {
  omr_pool memory; /* of the arrays */
  size_t d, data, most_steps;
  double *h;                  /* [d], steps of the differences */
  double *centre, *at_centre; /* [d], [data]: the best point so far, and its residuals */
  double least;               /* the objective at the centre */
  double *points;             /* [most][d] */
  size_t count, tries;        /* of the batch: its points, and the tries after the candidate */
  size_t likely;              /* damping of the candidate */
  bool *sides;                /* [2 d], the good ones of the differences, or mended */
  double *slope;              /* [d], S^T r + u at the centre */
  double *matrix, *factor;    /* [d][d], A at the centre; a Cholesky factor */
  double *covariance;         /* [d][d] */
  double *work;               /* [d] */
  double left;
  bool rests;
  size_t steps, blind;
};

void omr_polish_destroy(omr_polish *p) {
  if (!p) return;
  omr_pool_free(&p->memory);
  free(p);
}

size_t omr_polish_most(size_t d) {
  return 2 * d + DAMPINGS;
}

static bool take_memory(omr_polish *p) {
  const size_t d = p->d;
  p->h = omr_pool_take(&p->memory, d, sizeof *p->h);
  p->centre = omr_pool_take(&p->memory, d, sizeof *p->centre);
  p->at_centre = omr_pool_take(&p->memory, p->data, sizeof *p->at_centre);
  p->points = omr_pool_take(&p->memory, omr_polish_most(d) * d, sizeof *p->points);
  p->sides = omr_pool_take(&p->memory, 2 * d, sizeof *p->sides);
  p->slope = omr_pool_take(&p->memory, d, sizeof *p->slope);
  p->matrix = omr_pool_take(&p->memory, d * d, sizeof *p->matrix);
  p->factor = omr_pool_take(&p->memory, d * d, sizeof *p->factor);
  p->covariance = omr_pool_take(&p->memory, d * d, sizeof *p->covariance);
  p->work = omr_pool_take(&p->memory, d, sizeof *p->work);
  return !p->memory.failed;
}

/* The candidate's place in the points. */
static double *candidate_of(const omr_polish *p) {
  return p->points + 2 * p->d * p->d;
}

/* A batch about the candidate, which stands in its place, followed by so many tries. */
static void lay(omr_polish *p, size_t tries) {
  omr_differences_lay(p->d, candidate_of(p), p->h, p->points);
  p->tries = tries;
  p->count = 2 * p->d + 1 + tries;
}

omr_status omr_polish_make(const omr_polish_settings *s, omr_polish **polish, omr_error *error) {
  omr_polish *p = *polish = calloc(1, sizeof *p);
  if (p) *p = (omr_polish){.d = s->dimensions, .data = s->data, .most_steps = s->most_steps};
  if (!p || !take_memory(p)) {
    omr_polish_destroy(p);
    *polish = NULL;
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory for a polish of %zu unknowns",
                    s->dimensions);
  }
  const size_t size = p->d * sizeof *p->h;
  memcpy(p->h, s->steps, size);
  memcpy(candidate_of(p), s->start, size);
  if (s->other) memcpy(candidate_of(p) + p->d, s->other, size);
  p->least = HUGE_VAL;
  lay(p, s->other != NULL);
  return OMR_OK;
}

size_t omr_polish_points(const omr_polish *p, const double **points) {
  *points = p->points;
  return p->count;
}

/* ---- equations */

static void factorise(omr_polish *p, double damping) {
  const size_t d = p->d;
  for (size_t a = 0; a < d; a++)
    for (size_t b = 0; b <= a; b++)
      p->factor[a * d + b] = p->matrix[a * d + b] * (a == b ? 1 + damping : 1);
  omr_cholesky_factor(d, p->factor);
}

/* The step back from the centre, to the point to which a damping leads. */
static void solve(omr_polish *p, double damping, double *step) {
  memcpy(step, p->slope, p->d * sizeof *step);
  factorise(p, damping);
  omr_cholesky_solve(p->d, p->factor, step);
}

static void step_to(omr_polish *p, double damping, double *point) {
  solve(p, damping, point);
  for (size_t a = 0; a < p->d; a++) point[a] = p->centre[a] - point[a];
}

static void finish(omr_polish *p) {
  const size_t d = p->d;
  p->count = 0;
  factorise(p, 0);
  for (size_t a = 0; a < d; a++) {
    double *row = p->covariance + a * d; /* the matrix is symmetric */
    memset(row, 0, d * sizeof *row);
    row[a] = 1;
    omr_cholesky_solve(p->d, p->factor, row);
  }
}

/* ---- steps */

/* Where one side of a difference failed, the straight line through the centre and the other side
 * replaces it. */
static void mend(const omr_polish *p, double *residuals, bool *good) {
  for (size_t a = 0; a < p->d; a++) {
    const size_t up = 2 * a, down = up + 1;
    if (good[up] == good[down]) continue;
    const double *known = residuals + (good[up] ? up : down) * p->data;
    double *lost = residuals + (good[up] ? down : up) * p->data;
    for (size_t i = 0; i < p->data; i++) lost[i] = 2 * p->at_centre[i] - known[i];
    good[up] = good[down] = true;
  }
}

/* A and the slope at the centre, of the batch's differences. */
static void find_slopes(omr_polish *p, double *residuals, const bool *good) {
  const size_t d = p->d;
  memcpy(p->sides, good, 2 * d * sizeof *p->sides);
  mend(p, residuals, p->sides);
  memset(p->matrix, 0, d * d * sizeof *p->matrix);
  omr_differences_gram(d, p->data, residuals, p->sides, p->h, 1, p->matrix);
  p->blind = 0;
  for (size_t a = 0; a < d; a++) {
    p->blind += !p->sides[2 * a];
    p->matrix[a * d + a] += 1;
    p->slope[a] = p->centre[a] + omr_dot(residuals + 2 * a * p->data, p->at_centre, p->data);
  }
}

/* Proposes points from the centre, whose slopes are known. */
static void propose(omr_polish *p) {
  double *candidate = candidate_of(p), *next = candidate + p->d;

  /* The undamped step says how far the top is. */
  solve(p, 0, p->work);
  p->left = sqrt(omr_dot(p->work, p->slope, p->d));
  p->rests = p->left < OMR_POLISH_REST;

  /* End at the top, or when all steps are taken. */
  if (p->rests || p->steps == p->most_steps) {
    finish(p);
    return;
  }

  /* The candidate has the likely damping, the tries have the others. */
  p->steps++;
  step_to(p, dampings[p->likely], candidate);
  for (size_t k = 0; k < DAMPINGS; k++) {
    if (k == p->likely) continue;
    step_to(p, dampings[k], next);
    next += p->d;
  }
  lay(p, DAMPINGS - 1);
}

/* The objective at a point of the batch; infinite where the point failed. */
static double value_of(const omr_polish *p, const double *residuals, const bool *good, size_t at) {
  const double *r = residuals + at * p->data, *u = p->points + at * p->d;
  return good[at] ? 0.5 * (omr_dot(r, r, p->data) + omr_dot(u, u, p->d)) : HUGE_VAL;
}

/* The place, behind the differences, of the point to go to: the candidate, or a try that is better
 * by a gain that matters. */
static size_t choose(const omr_polish *p, const double *residuals, const bool *good,
                     double *least) {
  const double candidate = value_of(p, residuals, good, 2 * p->d);
  const double before = fmin(candidate, p->least);
  const double gain = isfinite(p->least) ? matters : far_better;
  size_t best = 0;
  *least = candidate;
  for (size_t k = 1; k <= p->tries; k++) {
    const double here = value_of(p, residuals, good, 2 * p->d + k);
    if (!(here < before - gain) || !(here < *least)) continue;
    *least = here;
    best = k;
  }
  return best;
}

/* The damping of the try number `best`. */
static size_t damping_of(const omr_polish *p, size_t best) {
  return best == 0 ? p->likely : best <= p->likely ? best - 1 : best;
}

omr_status omr_polish_take(omr_polish *p, double *residuals, const bool *good, omr_error *error) {
  double least;
  const size_t best = choose(p, residuals, good, &least), at = 2 * p->d + best;
  const bool started = isfinite(p->least);
  const bool again = started && p->tries == 0; /* the centre itself, for its differences */

  /* One of the two starts needs residuals. */
  if (!started && !isfinite(least))
    return omr_fail(error, OMR_ERR_FAILURES,
                    "the polish has nowhere to begin: neither the members' mean nor the nearest "
                    "member reaches the end of its runs; leave calibrate.polish out");

  /* A step that loses too much is not taken. */
  if (started && !again && !(least < p->least + matters)) {
    p->steps--; /* it leads nowhere */
    finish(p);
    return OMR_OK;
  }

  /* Move the centre, and expect the next smaller damping. */
  if (!again) {
    p->least = least;
    memcpy(p->centre, p->points + at * p->d, p->d * sizeof *p->centre);
    memcpy(p->at_centre, residuals + at * p->data, p->data * sizeof *p->at_centre);
    if (started) p->likely = damping_of(p, best) > 0 ? damping_of(p, best) - 1 : 0;
  }

  /* A try became the centre: another batch has the differences about it. */
  if (best > 0) {
    memcpy(candidate_of(p), p->centre, p->d * sizeof *p->centre);
    lay(p, 0);
    return OMR_OK;
  }

  /* The batch has them: propose the next steps. */
  find_slopes(p, residuals, good);
  propose(p);
  return OMR_OK;
}

omr_polish_top omr_polish_top_of(const omr_polish *p) {
  double sum = 0;
  for (size_t a = 0; a < p->d; a++) sum += 2 * omr_math_log(p->factor[a * p->d + a]);
  return (omr_polish_top){p->centre, p->at_centre, p->covariance, sum,
                          p->left,   p->rests,     p->steps,      p->blind};
}
