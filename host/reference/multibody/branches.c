/* Branches of a multibody system. A body that only one joint ties to the others, such as a
 * roller in the air in its wheel, is taken out of the linear system together with that joint,
 * and leaves its share of the masses with the body that carries it; then that one may be such a
 * body. A system without loops, such as a vehicle on springs, is solved in proportion to the
 * number of bodies. Of others some rows are left: 44 of 204 for four wheels of nine rollers. The
 * solution is the solution of S l = r (appendix/reference.md#bodies).
 *
 * With da = a - a_free the system is M da = W l, K da = r. For a body L and the one P that
 * carries it l = A^-1 (r - K_L m_L^-1 g_L - K_P da_P), A = K_L m_L^-1 W_L, da_L = m_L^-1 (W_L l
 * + g_L), m_P <- m_P + W_P A^-1 K_P,  g_P <- g_P + W_P A^-1 (r - K_L m_L^-1 g_L), m and g being
 * the body's mass and push including the bodies taken out before it. The rest is S l = r - K
 * m^-1 g with S = K m^-1 W. */
#include "multibody.h"

#include <lapacke.h>
#include <stdlib.h>
#include <string.h>

enum { DOFS = 6, SQUARE = DOFS * DOFS };

/* with fewer bodies the whole system is as quick */
enum { FEWEST = 8 };

/* If a pivot is below this part of the largest, the whole system is solved instead, which tells
 * redundant conditions from others. */
#define CLEAR_PIVOT 1e-6

/* The share that a body gets from its branches. */
typedef struct trunk {
  bool carries;                      /* has branches: `mass` replaces the body's own */
  double mass[SQUARE], push[DOFS];   /* m, column-major, and g */
  double factor[SQUARE], move[DOFS]; /* of m; da */
  int pivot[DOFS];
} trunk;

typedef struct branch {
  int body, constraint, side; /* the body is this side of the constraint */
  double factor[SQUARE], right[DOFS];
  int pivot[DOFS];
} branch;

struct omr_mb_branches {
  int bodies, constraints; /* capacities */
  int count;               /* branches */
  branch *branch;          /* [bodies] */
  trunk *trunk;            /* [bodies + 1] */
  int *degree;             /* [bodies + 1] constraints with rows that a body still has */
  bool *taken;             /* [constraints] */
};

static bool reserve(omr_mb *mb) {
  omr_mb_branches *b = mb->branches;
  if (b && b->bodies >= mb->bodies && b->constraints >= mb->constraints) return true;
  const size_t bodies = (size_t)mb->bodies + 1, constraints = (size_t)mb->constraints + 1;
  omr_pool_free(&mb->branch_memory);
  mb->branches = b = omr_pool_take(&mb->branch_memory, 1, sizeof *b);
  if (!b) return false;
  *b = (omr_mb_branches){.bodies = mb->bodies, .constraints = mb->constraints};
  b->branch = omr_pool_take(&mb->branch_memory, bodies, sizeof *b->branch);
  b->trunk = omr_pool_take(&mb->branch_memory, bodies, sizeof *b->trunk);
  b->degree = omr_pool_take(&mb->branch_memory, bodies, sizeof *b->degree);
  b->taken = omr_pool_take(&mb->branch_memory, constraints, sizeof *b->taken);
  if (mb->branch_memory.failed) mb->branches = NULL;
  return mb->branches != NULL;
}

/* ---- one body */

static void join(double to[DOFS], omr_vec a, omr_vec b) {
  const double all[DOFS] = {a.x, a.y, a.z, b.x, b.y, b.z};
  memcpy(to, all, sizeof all);
}

static double product(const double *a, const double *b) {
  double sum = 0;
  for (int j = 0; j < DOFS; j++) sum += a[j] * b[j];
  return sum;
}

/* Solves L U x = b for `count` columns in place by a factor of dgetrf. It replaces dgetrs, whose
 * calls took an eighth of a whole run with mecanum wheels of nine rollers. */
static void substitute(const double *factor, const int *pivot, int rows, double *columns,
                       int count) {
  for (double *x = columns; x < columns + count * rows; x += rows) {
    for (int k = 0; k < rows; k++) {
      const double other = x[pivot[k] - 1];
      x[pivot[k] - 1] = x[k];
      x[k] = other;
    }
    for (int k = 0; k < rows; k++)
      for (int i = k + 1; i < rows; i++) x[i] -= factor[k * rows + i] * x[k];
    for (int k = rows - 1; k >= 0; k--) {
      x[k] /= factor[k * rows + k];
      for (int i = 0; i < k; i++) x[i] -= factor[k * rows + i] * x[k];
    }
  }
}

/* Motion that a wrench gives a body with the share of its branches: applies m^-1 in place. */
static void yield(const omr_mb *mb, int body, double *wrench) {
  trunk *t = &mb->branches->trunk[body];
  if (body == 0) {
    memset(wrench, 0, DOFS * sizeof *wrench);
  } else if (t->carries) {
    substitute(t->factor, t->pivot, DOFS, wrench, 1);
  } else {
    const omr_vec force = {wrench[0], wrench[1], wrench[2]},
                  torque = {wrench[3], wrench[4], wrench[5]};
    join(wrench, omr_scale(1 / mb->body[body].mass, force),
         omr_mb_inverse_inertia(mb, body, torque));
  }
}

/* The body's own mass and inertia, world axes about its centre of mass. */
static void own_mass(const omr_mb *mb, int body, trunk *t) {
  const omr_mb_body *b = &mb->body[body];
  const omr_mat *turn = &mb->frame[body].t;
  memset(t->mass, 0, sizeof t->mass);
  for (int j = 0; j < 3; j++) {
    const omr_vec axis = {j == 0, j == 1, j == 2};
    double column[DOFS];
    join(column, omr_vec_of(0, 0, 0),
         omr_times(turn, omr_mb_spin(b, omr_transposed_times(turn, axis))));
    memcpy(t->mass + DOFS * (3 + j), column, sizeof column);
    t->mass[DOFS * j + j] = b->mass;
  }
  t->carries = true;
}

static bool factor(double *matrix, int size, int *pivot) {
  if (LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, size, size, matrix, size, pivot) != 0) return false;
  double least = HUGE_VAL, most = 0;
  for (int j = 0; j < size; j++) {
    least = fmin(least, fabs(matrix[j * size + j]));
    most = fmax(most, fabs(matrix[j * size + j]));
  }
  return least > CLEAR_PIVOT * most;
}

/* ---- the graph */

static bool has_rows(const omr_mb *mb, int constraint) {
  return mb->effect[constraint].rows > 0;
}

/* The body that hangs on only this constraint; 0: none. */
static int hanging(const omr_mb *mb, int constraint) {
  const omr_mb_branches *b = mb->branches;
  const omr_mb_constraint *c = mb->constraint[constraint];
  if (c->carrier || c->a == c->b) return 0;
  if (c->b != 0 && b->degree[c->b] == 1) return c->b;
  return c->a != 0 && b->degree[c->a] == 1 ? c->a : 0;
}

/* Finds branches in the order in which they can be taken out; true if there are any. */
static bool find(omr_mb *mb) {
  omr_mb_branches *b = mb->branches;

  memset(b->degree, 0, ((size_t)mb->bodies + 1) * sizeof *b->degree);
  memset(b->taken, 0, ((size_t)mb->constraints + 1) * sizeof *b->taken);
  b->count = 0;

  /* count the constraints that hold each body */
  for (int i = 0; i < mb->constraints; i++)
    for (int s = 0; s < omr_mb_sides(mb->constraint[i]) && has_rows(mb, i); s++)
      b->degree[omr_mb_side(mb->constraint[i], s)]++;

  /* take out hanging bodies until none is left */
  for (int before = -1; b->count > before;) {
    before = b->count;
    for (int i = 0; i < mb->constraints; i++) {
      const omr_mb_constraint *c = mb->constraint[i];
      const int body = has_rows(mb, i) && !b->taken[i] ? hanging(mb, i) : 0;

      if (body == 0) continue;
      b->branch[b->count++] = (branch){.body = body, .constraint = i, .side = c->b == body};
      b->taken[i] = true;

      b->degree[c->a]--;
      b->degree[c->b]--;
    }
  }

  return b->count > 0;
}

/* ---- the elimination */

/* Kinematic side and wrench of a row for one body. */
static void row_side(const omr_mb *mb, int row, int side, double kinematic[DOFS],
                     double wrench[DOFS]) {
  const omr_mb_row *r = mb->row[row];
  if (kinematic) join(kinematic, r->move[side], r->turn[side]);
  if (wrench) join(wrench, r->force[side], r->torque[side]);
}

/* Factors A of a branch, each row and column scaled as in the whole system. */
static bool factor_branch(const omr_mb *mb, branch *b) {
  const omr_mb_constraint *c = mb->constraint[b->constraint];
  const double *scale = mb->solver.scale + c->first;
  for (int l = 0; l < c->rows; l++) {
    double wrench[DOFS], kinematic[DOFS];
    row_side(mb, c->first + l, b->side, NULL, wrench);
    yield(mb, b->body, wrench);
    for (int k = 0; k < c->rows; k++) {
      row_side(mb, c->first + k, b->side, kinematic, NULL);
      b->factor[l * c->rows + k] = product(kinematic, wrench) / (scale[k] * scale[l]);
    }
  }
  return factor(b->factor, c->rows, b->pivot);
}

/* Applies A^-1 to `count` columns of the rows, in place. */
static void solve_branch(const omr_mb *mb, const branch *b, double *columns, int count) {
  const omr_mb_constraint *c = mb->constraint[b->constraint];
  const double *scale = mb->solver.scale + c->first;
  const int rows = c->rows;
  for (int k = 0; k < count * rows; k++) columns[k] /= scale[k % rows];
  substitute(b->factor, b->pivot, rows, columns, count);
  for (int k = 0; k < count * rows; k++) columns[k] /= scale[k % rows];
}

/* Adds W_P of the multipliers to a wrench of the body that carries the branch. */
static void push(const omr_mb *mb, const branch *b, int side, const double *multiplier,
                 double *wrench) {
  const omr_mb_constraint *c = mb->constraint[b->constraint];
  for (int k = 0; k < c->rows; k++) {
    double unit[DOFS];
    row_side(mb, c->first + k, side, NULL, unit);
    for (int j = 0; j < DOFS; j++) wrench[j] += multiplier[k] * unit[j];
  }
}

/* Adds the branch's share W_P A^-1 K_P to the mass of the body that carries it. */
static void pass_on_mass(omr_mb *mb, const branch *b) {
  const omr_mb_constraint *c = mb->constraint[b->constraint];
  const int parent = omr_mb_side(c, !b->side);
  trunk *t = &mb->branches->trunk[parent];
  if (parent == 0) return;
  if (!t->carries) own_mass(mb, parent, t);
  double columns[SQUARE], kinematic[DOFS];
  for (int k = 0; k < c->rows; k++) {
    row_side(mb, c->first + k, !b->side, kinematic, NULL);
    for (int j = 0; j < DOFS; j++) columns[j * c->rows + k] = kinematic[j];
  }
  solve_branch(mb, b, columns, DOFS);
  for (int j = 0; j < DOFS; j++) push(mb, b, !b->side, columns + j * c->rows, t->mass + DOFS * j);
}

/* True if this body carries none of the branches after this one: its mass is complete. */
static bool complete(const omr_mb *mb, int body, int after) {
  const omr_mb_branches *b = mb->branches;
  for (int n = after; n < b->count; n++) {
    const omr_mb_constraint *c = mb->constraint[b->branch[n].constraint];
    if (omr_mb_side(c, !b->branch[n].side) == body) return false;
  }
  return true;
}

static bool factor_trunk(const omr_mb *mb, int body) {
  trunk *t = &mb->branches->trunk[body];
  if (!t->carries) return true;
  memcpy(t->factor, t->mass, sizeof t->mass);
  return LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, DOFS, DOFS, t->factor, DOFS, t->pivot) == 0;
}

bool omr_mb_branches_take(omr_mb *mb) {
  if (mb->bodies < FEWEST || !reserve(mb)) return false;
  omr_mb_branches *b = mb->branches;
  if (!find(mb)) return false;
  for (int i = 0; i <= mb->bodies; i++) b->trunk[i].carries = false;
  for (int n = 0; n < b->count; n++) {
    const omr_mb_constraint *c = mb->constraint[b->branch[n].constraint];
    const int parent = omr_mb_side(c, !b->branch[n].side);
    if (!factor_branch(mb, &b->branch[n])) return false;
    pass_on_mass(mb, &b->branch[n]);
    if (parent && complete(mb, parent, n + 1) && !factor_trunk(mb, parent)) return false;
  }
  return true;
}

/* ---- right sides */

/* Motion of a body by the push of its branches; false if there is none. */
static bool pushed(const omr_mb *mb, int body, double motion[DOFS]) {
  const trunk *t = &mb->branches->trunk[body];
  if (!t->carries) return false;
  memcpy(motion, t->push, sizeof t->push);
  yield(mb, body, motion);
  return true;
}

static double along(const omr_mb *mb, int row, int side, const double motion[DOFS]) {
  double kinematic[DOFS];
  row_side(mb, row, side, kinematic, NULL);
  return product(kinematic, motion);
}

bool omr_mb_branches_have(const omr_mb *mb, int row) {
  return mb->branches->taken[mb->row_constraint[row]];
}

void omr_mb_branches_yield(const omr_mb *mb, int body, omr_vec *force, omr_vec *torque) {
  double wrench[DOFS];
  join(wrench, *force, *torque);
  yield(mb, body, wrench);
  *force = omr_vec_of(wrench[0], wrench[1], wrench[2]);
  *torque = omr_vec_of(wrench[3], wrench[4], wrench[5]);
}

/* Free motion of each joint's bodies, from the leaves to the trunks. */
static void fold_branches(const omr_mb *mb, const double *right) {
  omr_mb_branches *b = mb->branches;
  for (int i = 0; i <= mb->bodies; i++) memset(b->trunk[i].push, 0, sizeof b->trunk[i].push);
  for (int n = 0; n < b->count; n++) {
    branch *at = &b->branch[n];
    const omr_mb_constraint *c = mb->constraint[at->constraint];
    const int parent = omr_mb_side(c, !at->side);
    double given[DOFS], motion[DOFS] = {0};
    const bool moves = pushed(mb, at->body, motion);
    for (int k = 0; k < c->rows; k++)
      at->right[k] = given[k] =
          right[c->first + k] - (moves ? along(mb, c->first + k, at->side, motion) : 0);
    solve_branch(mb, at, given, 1);
    if (parent) push(mb, at, !at->side, given, b->trunk[parent].push);
  }
}

void omr_mb_branches_fold(omr_mb *mb, const double *right, double *left) {
  fold_branches(mb, right);
  for (int k = 0; k < mb->rows; k++) {
    const omr_mb_constraint *c = mb->constraint[mb->row_constraint[k]];
    double motion[DOFS], rest = right[k];
    if (omr_mb_branches_have(mb, k)) continue;
    for (int side = 0; side < omr_mb_sides(c); side++)
      if (pushed(mb, omr_mb_side(c, side), motion)) rest -= along(mb, k, side, motion);
    left[k] = rest;
  }
}

/* Adds the wrenches of the remaining rows to the bodies that carry branches. */
static void push_rest(const omr_mb *mb, const double *multiplier) {
  for (int k = 0; k < mb->rows; k++) {
    const omr_mb_constraint *c = mb->constraint[mb->row_constraint[k]];
    if (omr_mb_branches_have(mb, k)) continue;
    for (int side = 0; side < omr_mb_sides(c); side++) {
      trunk *t = &mb->branches->trunk[omr_mb_side(c, side)];
      double unit[DOFS];
      if (!t->carries) continue;
      row_side(mb, k, side, NULL, unit);
      for (int j = 0; j < DOFS; j++) t->push[j] += multiplier[k] * unit[j];
    }
  }
}

/* Multipliers of the branches, from the trunks to the leaves
 * (appendix/reference.md#bodies). */
void omr_mb_branches_unfold(omr_mb *mb, double *multiplier) {
  omr_mb_branches *b = mb->branches;
  push_rest(mb, multiplier);
  memset(b->trunk[0].move, 0, sizeof b->trunk[0].move);
  for (int i = 1; i <= mb->bodies; i++) pushed(mb, i, b->trunk[i].move);
  for (int n = b->count - 1; n >= 0; n--) {
    branch *at = &b->branch[n];
    const omr_mb_constraint *c = mb->constraint[at->constraint];
    const double *carried = b->trunk[omr_mb_side(c, !at->side)].move;
    double *own = b->trunk[at->body].move, *to = multiplier + c->first;
    for (int k = 0; k < c->rows; k++)
      to[k] = at->right[k] - along(mb, c->first + k, !at->side, carried);
    solve_branch(mb, at, to, 1);
    memcpy(own, b->trunk[at->body].push, DOFS * sizeof *own);
    push(mb, at, at->side, to, own);
    yield(mb, at->body, own);
  }
}
