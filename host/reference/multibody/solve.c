/* The linear system for the multipliers: S l = r with S = K M^-1 W, K the kinematic sides of all
 * rows and W their wrenches.
 *
 * Each row is scaled by the square root of its own compliance, so that forces and torques, light
 * rollers and heavy platforms weigh alike. Conditions that the model adds to choose among the
 * solutions (e^T l = 0) are added as S + e e^T: if S has a left null vector y with y^T e != 0
 * and the rows are consistent, y^T (S + e e^T) l = y^T r means e^T l = 0, and LU solves the sum.
 * The condition number reveals rows that are redundant beyond that; then a singular value
 * decomposition gives the solution of least norm. S includes the masses: if it seems to have
 * more redundant rows than the conditions have by themselves, or hardly tells them from the
 * others, some bodies are too light for it, and the saddle point is solved instead (saddle.c). */
#include "multibody.h"

#include <lapacke.h>
#include <stdlib.h>
#include <string.h>

/* A direction counts as redundant below this part of the largest: far above the inconsistency by
 * drift, far below the values of well-posed systems. */
#define RANK_TOLERANCE 1e-9
/* Below this part of the largest a direction that counts leaves so few digits that the integration
 * stumbles over the noise: 9 of 16 are lost. */
#define CLEAR 1e-7

static bool reserve(omr_mb_solver *s, int rows) {
  if (rows <= s->room) return true;
  omr_pool_free(&s->memory);
  *s = (omr_mb_solver){.light = s->light, .whole = s->whole};

  /* some rows more than needed, since contacts come and go */
  size_t n = (size_t)rows + 16, tall = n + OMR_MB_CHOICES;
  s->matrix = omr_pool_take(&s->memory, tall * n, sizeof(double));
  s->factor = omr_pool_take(&s->memory, tall * n, sizeof(double));
  s->right = omr_pool_take(&s->memory, tall, sizeof(double));
  s->scale = omr_pool_take(&s->memory, n, sizeof(double));
  s->choice = omr_pool_take(&s->memory, OMR_MB_CHOICES * n, sizeof(double));
  s->singular = omr_pool_take(&s->memory, n, sizeof(double));
  s->vectors = omr_pool_take(&s->memory, n * n, sizeof(double));
  s->reduced = omr_pool_take(&s->memory, tall, sizeof(double));
  s->pivot = omr_pool_take(&s->memory, n, sizeof(int));
  s->row = omr_pool_take(&s->memory, n, sizeof(int));
  s->place = omr_pool_take(&s->memory, n, sizeof(int));
  if (s->memory.failed) return false;
  s->room = (int)n;
  return true;
}

/* Square root of K M^-1 K^T's diagonal. */
static double compliance_root(const omr_mb *mb, int k) {
  const omr_mb_row *row = mb->row[k];
  const omr_mb_constraint *c = mb->constraint[mb->row_constraint[k]];
  double sum = 0;
  for (int s = 0; s < omr_mb_sides(c); s++) {
    const int body = omr_mb_side(c, s);
    if (body == 0) continue;
    sum += omr_dot(row->move[s], row->move[s]) / mb->body[body].mass +
           omr_dot(row->turn[s], omr_mb_inverse_inertia(mb, body, row->turn[s]));
  }
  return sqrt(sum);
}

/* Chooses the rows of the system: all, or the rows that branches leave. */
static void choose_rows(omr_mb *mb, bool pruned) {
  omr_mb_solver *s = &mb->solver;
  s->size = 0;
  s->pruned = pruned;
  for (int k = 0; k < mb->rows; k++) {
    const bool taken = pruned && omr_mb_branches_have(mb, k);
    s->place[k] = taken ? -1 : s->size;
    if (!taken) s->row[s->size++] = k;
  }
}

/* Acceleration of a body by a row's force and torque, in place. */
static void yield(const omr_mb *mb, int body, omr_vec *force, omr_vec *torque) {
  if (mb->solver.pruned) {
    omr_mb_branches_yield(mb, body, force, torque);
  } else {
    *force = omr_scale(1 / mb->body[body].mass, *force);
    *torque = omr_mb_inverse_inertia(mb, body, *torque);
  }
}

/* Column l of S: the effect of row l through one body on all rows of that body. */
static void add_column(omr_mb *mb, int l, int body, omr_vec a, omr_vec e) {
  omr_mb_solver *s = &mb->solver;
  for (int j = 0; j < mb->constraints; j++) {
    const omr_mb_constraint *c = mb->constraint[j];
    if (c->rows == 0 || s->place[c->first] < 0) continue;
    for (int side = 0; side < omr_mb_sides(c); side++) {
      if (omr_mb_side(c, side) != body) continue;
      for (int k = c->first; k < c->first + c->rows; k++) {
        const omr_mb_row *row = mb->row[k];
        s->matrix[(size_t)l * (size_t)s->size + (size_t)s->place[k]] +=
            omr_dot(row->move[side], a) + omr_dot(row->turn[side], e);
      }
    }
  }
}

static void scale_rows(omr_mb *mb) {
  for (int k = 0; k < mb->rows; k++) mb->solver.scale[k] = compliance_root(mb, k);
}

/* Assembles the scaled S, column-major; a row that moves no body is left out by a unit diagonal. */
static void assemble(omr_mb *mb) {
  omr_mb_solver *s = &mb->solver;
  const size_t n = (size_t)s->size;
  memset(s->matrix, 0, n * n * sizeof(double));

  /* motion of each body by one unit of each multiplier */
  for (int l = 0; l < s->size; l++) {
    const omr_mb_row *row = mb->row[s->row[l]];
    const omr_mb_constraint *c = mb->constraint[mb->row_constraint[s->row[l]]];
    for (int i = 0; i < omr_mb_sides(c); i++) {
      const int body = omr_mb_side(c, i);
      omr_vec force = row->force[i], torque = row->torque[i];
      if (body == 0) continue;
      yield(mb, body, &force, &torque);
      add_column(mb, l, body, force, torque);
    }
  }

  for (size_t l = 0; l < n; l++) {
    for (size_t k = 0; k < n; k++)
      s->matrix[l * n + k] /= s->scale[s->row[k]] * s->scale[s->row[l]];
  }
}

/* Writes choices for the scaled multipliers of all rows, each of unit length. */
static int scale_choices(omr_mb *mb) {
  omr_mb_solver *s = &mb->solver;
  if (!mb->choose) return 0;
  memset(s->choice, 0, (size_t)OMR_MB_CHOICES * (size_t)mb->rows * sizeof(double));
  int count = mb->choose(mb->choose_self, mb, s->choice, OMR_MB_CHOICES);
  for (int i = 0; i < count; i++) {
    double *e = s->choice + (size_t)i * (size_t)mb->rows, square = 0;
    for (int k = 0; k < mb->rows; k++) {
      e[k] /= s->scale[k];
      square += e[k] * e[k];
    }
    for (int k = 0; k < mb->rows; k++) e[k] /= sqrt(square);
  }
  return count;
}

/* The multipliers of `right` by the factor; both may be the same array. */
static bool solve_factored(omr_mb *mb, const double *right, double *multiplier) {
  omr_mb_solver *s = &mb->solver;
  const int n = s->size;
  const double *left = right;
  if (s->pruned) {
    omr_mb_branches_fold(mb, right, s->right);
    left = s->right;
  }
  for (int l = 0; l < n; l++) s->reduced[l] = left[s->row[l]] / s->scale[s->row[l]];
  if (n > 0 &&
      LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', n, 1, s->factor, n, s->pivot, s->reduced, n) != 0)
    return false;
  for (int l = 0; l < n; l++) multiplier[s->row[l]] = s->reduced[l] / s->scale[s->row[l]];
  if (s->pruned) omr_mb_branches_unfold(mb, multiplier);
  return true;
}

/* LU of S + sum e e^T; false if it is singular to the tolerance. */
static bool factor_regular(omr_mb *mb, int choices) {
  omr_mb_solver *s = &mb->solver;
  const int n = s->size;
  const size_t size = (size_t)n;
  if (n == 0) return true;
  memcpy(s->factor, s->matrix, size * size * sizeof(double));
  for (int i = 0; i < choices; i++) {
    const double *e = s->choice + (size_t)i * (size_t)mb->rows;
    for (size_t l = 0; l < size; l++) {
      if (e[s->row[l]] == 0) continue;
      for (size_t k = 0; k < size; k++) s->factor[l * size + k] += e[s->row[k]] * e[s->row[l]];
    }
  }
  double norm = LAPACKE_dlange(LAPACK_COL_MAJOR, '1', n, n, s->factor, n), inverse = 0;
  if (LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, s->factor, n, s->pivot) != 0) return false;
  return LAPACKE_dgecon(LAPACK_COL_MAJOR, '1', n, s->factor, n, norm, &inverse) == 0 &&
         inverse > RANK_TOLERANCE;
}

/* Turns the least-norm solution in scaled multipliers into the least-norm one in the multipliers
 * themselves: subtracts the part along the null vectors, rows `rank` to n - 1 of `vectors`. */
static bool least_norm(omr_mb *mb, int rank, double *multiplier) {
  omr_mb_solver *s = &mb->solver;
  const int n = mb->rows, nullity = n - rank;
  if (nullity == 0) return true;
  double *null = s->factor; /* n x nullity, column-major */
  for (int j = 0; j < nullity; j++) {
    for (int k = 0; k < n; k++)
      null[j * n + k] = s->vectors[(size_t)k * (size_t)n + (size_t)(rank + j)] / s->scale[k];
  }
  double *copy = null + (size_t)nullity * (size_t)n;
  memcpy(copy, null, (size_t)nullity * (size_t)n * sizeof(double));
  memcpy(s->reduced, multiplier, (size_t)n * sizeof(double));
  if (LAPACKE_dgels(LAPACK_COL_MAJOR, 'N', n, nullity, 1, copy, n, s->reduced, n) != 0)
    return false;
  for (int j = 0; j < nullity; j++) {
    for (int k = 0; k < n; k++) multiplier[k] -= s->reduced[j] * null[j * n + k];
  }
  return true;
}

/* Least squares of all scaled rows and choices together, by singular values; `right` may be
 * `multiplier`. */
static bool solve_redundant(omr_mb *mb, int choices, const double *right, double *multiplier) {
  omr_mb_solver *s = &mb->solver;
  const int n = mb->rows, tall = n + choices;
  const size_t size = (size_t)n, high = (size_t)tall;

  /* choices are further rows below the scaled system */
  for (int k = 0; k < n; k++) s->right[k] = right[k] / s->scale[k];
  for (size_t l = 0; l < size; l++) {
    memcpy(s->factor + l * high, s->matrix + l * size, size * sizeof(double));
    for (int i = 0; i < choices; i++)
      s->factor[l * high + size + (size_t)i] = s->choice[(size_t)i * size + l];
  }
  /* U replaces the matrix; V^T goes to `vectors` */
  if (LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'O', tall, n, s->factor, tall, s->singular, NULL, 1,
                     s->vectors, n) != 0)
    return false;

  int rank = 0;
  while (rank < n && s->singular[rank] > RANK_TOLERANCE * s->singular[0]) rank++;

  /* the part of the right side in the range, by singular values */
  memset(s->reduced, 0, size * sizeof(double));
  for (int j = 0; j < rank; j++) {
    double along = 0;
    for (size_t k = 0; k < size; k++) along += s->factor[(size_t)j * high + k] * s->right[k];
    for (size_t k = 0; k < size; k++)
      s->reduced[k] += along / s->singular[j] * s->vectors[k * size + (size_t)j];
  }

  for (int k = 0; k < n; k++) multiplier[k] = s->reduced[k] / s->scale[k];
  s->redundant = n - rank + choices;
  return least_norm(mb, rank, multiplier);
}

/* Factors the whole system or, if it has branches, the system that they leave; true if it is
 * regular. A choice must be among the remaining multipliers. */
static bool factor_rows(omr_mb *mb, int choices, bool pruned) {
  omr_mb_solver *s = &mb->solver;
  if (pruned && !omr_mb_branches_take(mb)) return false;
  choose_rows(mb, pruned);
  for (int k = 0; k < choices * mb->rows; k++)
    if (s->choice[k] != 0 && s->place[k % mb->rows] < 0) return false;
  assemble(mb);
  return factor_regular(mb, choices);
}

/* The multipliers: S lambda = r, S = K M^-1 W (appendix/reference.md#bodies).
 */
omr_status omr_mb_solve(omr_mb *mb, double *right, double *multiplier, omr_error *error) {
  const int n = mb->rows;
  if (n == 0) return OMR_OK;
  if (!reserve(&mb->solver, n))
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory for the multibody reference");
  omr_mb_solver *s = &mb->solver;

  /* LU, without the branches if there are any */
  scale_rows(mb);
  int choices = scale_choices(mb);
  s->factored = (!s->whole && factor_rows(mb, choices, true)) || factor_rows(mb, choices, false);

  if (s->factored && solve_factored(mb, right, multiplier)) {
    s->redundant = choices;
    return OMR_OK;
  }
  s->factored = false;

  /* redundant rows need singular values */
  if (solve_redundant(mb, choices, right, multiplier)) {
    /* kept from then on: alternating between two methods would put noise into the rates */
    if (choices == 0 && s->redundant > 0)
      s->light = omr_mb_has_light(mb, s->redundant,
                                  s->singular[n - s->redundant - 1] < CLEAR * s->singular[0]);
    return OMR_OK;
  }

  return omr_fail(error, OMR_ERR_INTERNAL,
                  "the multibody system of %d conditions at t = %.9g s has no solution", n,
                  mb->time);
}

omr_status omr_mb_solve_again(omr_mb *mb, double *right, double *multiplier, omr_error *error) {
  omr_mb_solver *s = &mb->solver;
  if (!s->factored) return omr_mb_solve(mb, right, multiplier, error);
  return solve_factored(mb, right, multiplier)
             ? OMR_OK
             : omr_fail(error, OMR_ERR_INTERNAL, "the multibody system has no solution");
}
