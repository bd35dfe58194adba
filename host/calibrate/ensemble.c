#include "ensemble.h"

#include "cholesky.h"

#include "../study/designs/draws.h"
#include "../support/pool.h"

#include <math.h>

static double normal(uint64_t seed, size_t step, size_t member, size_t place) {
  uint64_t bits[2];
  const uint64_t number = (uint64_t)step << 40 | (uint64_t)member;
  omr_draw_for(OMR_FOR_CALIBRATION, seed, number, (uint32_t)place, bits);
  return omr_draw_normal(bits);
}

/* Steps of the draws: the prior, moves, and redrawn members. */
enum { OF_PRIOR = 0, OF_MOVES = 1, OF_REDRAWN = 1 << 16, ATTEMPTS = 64 };

double omr_ensemble_prior(uint64_t seed, size_t member, size_t dimension) {
  return normal(seed, OF_PRIOR, member, dimension);
}

static size_t count_good(omr_ensemble_size size, const bool *good) {
  size_t count = 0;
  for (size_t j = 0; j < size.members; j++) count += good[j];
  return count;
}

static double half_square(const double *r, size_t count) {
  return 0.5 * omr_dot(r, r, count);
}

double omr_ensemble_step(omr_ensemble_size size, const double *residuals, const bool *good,
                         double left) {
  const double count = (double)count_good(size, good), data = (double)size.data;
  double mean = 0, square = 0;
  for (size_t j = 0; j < size.members; j++)
    if (good[j]) mean += half_square(residuals + j * size.data, size.data);
  mean /= count;
  for (size_t j = 0; j < size.members; j++) {
    if (!good[j]) continue;
    const double off = half_square(residuals + j * size.data, size.data) - mean;
    square += off * off;
  }
  const double variance = square / (count - 1);
  const double by = fmax(data / (2 * mean), sqrt(data / (2 * variance)));
  return by < left ? by : left; /* no spread: the whole rest */
}

/* COVARIANCES BY MEMBERS: with A the residuals less their mean over sqrt(n - 1), C_rr = A^T A, and
 * (A^T A + I/s)^-1 y = s (y - A^T (I/s + A A^T)^-1 A y): equations as large as there are members.
 */

typedef struct mover {
  omr_pool memory;
  omr_ensemble_size size;
  size_t count;           /* good members */
  size_t *member;         /* [count] */
  double *away;           /* [count][data], A */
  double *matrix;         /* [count][count] I/s + A A^T, then its Cholesky factor */
  double *y, *work;       /* [data], [count] */
  double *centre, *moved; /* [dimensions], [count][dimensions] */
} mover;

static omr_status mover_make(mover *m, omr_ensemble_size size, const bool *good, omr_error *error) {
  *m = (mover){.size = size, .count = count_good(size, good)};
  m->member = omr_pool_take(&m->memory, m->count, sizeof *m->member);
  m->away = omr_pool_take(&m->memory, m->count * size.data, sizeof *m->away);
  m->matrix = omr_pool_take(&m->memory, m->count * m->count, sizeof *m->matrix);
  m->y = omr_pool_take(&m->memory, size.data, sizeof *m->y);
  m->work = omr_pool_take(&m->memory, m->count, sizeof *m->work);
  m->centre = omr_pool_take(&m->memory, size.dimensions, sizeof *m->centre);
  m->moved = omr_pool_take(&m->memory, m->count * size.dimensions, sizeof *m->moved);
  if (m->memory.failed) {
    omr_pool_free(&m->memory);
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory for an ensemble of %zu members",
                    size.members);
  }
  size_t next = 0;
  for (size_t j = 0; j < size.members; j++)
    if (good[j]) m->member[next++] = j;
  return OMR_OK;
}

/* The good members' mean of column i of values [members][columns]. */
static double mean_of(const mover *m, const double *values, size_t columns, size_t i) {
  double sum = 0;
  for (size_t a = 0; a < m->count; a++) sum += values[m->member[a] * columns + i];
  return sum / (double)m->count;
}

static void fill_away(mover *m, const double *residuals) {
  const double scale = 1 / sqrt((double)(m->count - 1));
  for (size_t i = 0; i < m->size.data; i++) {
    const double mean = mean_of(m, residuals, m->size.data, i);
    for (size_t a = 0; a < m->count; a++)
      m->away[a * m->size.data + i] = scale * (residuals[m->member[a] * m->size.data + i] - mean);
  }
}

static void factor(mover *m, double by) {
  const size_t n = m->count;
  for (size_t a = 0; a < n; a++)
    for (size_t b = 0; b <= a; b++)
      m->matrix[a * n + b] =
          (a == b ? 1 / by : 0) +
          omr_dot(m->away + a * m->size.data, m->away + b * m->size.data, m->size.data);
  omr_cholesky_factor(n, m->matrix);
}

/* C_ur (C_rr + I/s)^-1 y is a sum over the members, with the weights (I/s + A A^T)^-1 A y. */
static void move_one(mover *m, size_t a, const double *coordinates) {
  const size_t dimensions = m->size.dimensions;
  const double scale = 1 / sqrt((double)(m->count - 1));
  for (size_t b = 0; b < m->count; b++)
    m->work[b] = omr_dot(m->away + b * m->size.data, m->y, m->size.data);
  omr_cholesky_solve(m->count, m->matrix, m->work);
  for (size_t d = 0; d < dimensions; d++) {
    double sum = 0;
    for (size_t b = 0; b < m->count; b++)
      sum += m->work[b] * (coordinates[m->member[b] * dimensions + d] - m->centre[d]);
    m->moved[a * dimensions + d] = coordinates[m->member[a] * dimensions + d] + scale * sum;
  }
}

omr_status omr_ensemble_move(omr_ensemble_size size, uint64_t seed, size_t step, double by,
                             const double *residuals, const bool *good, double *coordinates,
                             omr_error *error) {
  mover m;
  const omr_status status = mover_make(&m, size, good, error);
  if (status != OMR_OK) return status;

  /* Factorise the matrix of this step. */
  fill_away(&m, residuals);
  factor(&m, by);
  for (size_t d = 0; d < size.dimensions; d++)
    m.centre[d] = mean_of(&m, coordinates, size.dimensions, d);

  /* Each member moves by its residuals, with noise of its own. */
  const double noise = 1 / sqrt(by);
  for (size_t a = 0; a < m.count; a++) {
    const size_t j = m.member[a];
    for (size_t i = 0; i < size.data; i++)
      m.y[i] = noise * normal(seed, OF_MOVES + step, j, i) - residuals[j * size.data + i];
    move_one(&m, a, coordinates);
  }

  /* Members take their places once all moves are known. */
  for (size_t a = 0; a < m.count; a++)
    for (size_t d = 0; d < size.dimensions; d++)
      coordinates[m.member[a] * size.dimensions + d] = m.moved[a * size.dimensions + d];

  omr_pool_free(&m.memory);
  return OMR_OK;
}

omr_status omr_ensemble_distance(omr_ensemble_size size, const double *residuals, const bool *good,
                                 double *square, omr_error *error) {
  mover m;
  const omr_status status = mover_make(&m, size, good, error);
  if (status != OMR_OK) return status;
  fill_away(&m, residuals);
  factor(&m, 1);
  for (size_t i = 0; i < size.data; i++) m.y[i] = mean_of(&m, residuals, size.data, i);
  for (size_t a = 0; a < m.count; a++) m.work[a] = omr_dot(m.away + a * size.data, m.y, size.data);

  /* (A y)^T (L L^T)^-1 (A y) is the square of L^-1 A y. */
  omr_cholesky_solve_lower(m.count, m.matrix, m.work);
  *square = omr_dot(m.y, m.y, size.data) - omr_dot(m.work, m.work, m.count);
  omr_pool_free(&m.memory);
  return OMR_OK;
}

void omr_ensemble_redraw(omr_ensemble_size size, uint64_t seed, size_t step, size_t attempt,
                         const bool *good, double *coordinates) {
  const size_t count = count_good(size, good);
  const double scale = 1 / sqrt((double)(count - 1));

  /* Find the mean of the good members in each coordinate. */
  for (size_t d = 0; d < size.dimensions; d++) {
    double centre = 0;
    for (size_t j = 0; j < size.members; j++)
      if (good[j]) centre += coordinates[j * size.dimensions + d];
    centre /= (double)count;

    /* Failed members are drawn about it, along the good ones' differences. */
    for (size_t k = 0; k < size.members; k++) {
      if (good[k]) continue;
      double sum = 0;
      for (size_t j = 0; j < size.members; j++)
        if (good[j])
          sum += normal(seed, OF_REDRAWN + step * ATTEMPTS + attempt, k, j) *
                 (coordinates[j * size.dimensions + d] - centre);
      coordinates[k * size.dimensions + d] = centre + scale * sum;
    }
  }
}
