/* The equations of motion as a saddle point,  M a - W l = f,  K a = rhs,  for systems in which
 * some bodies are much lighter than others: S = K M^-1 W has the light ones' mobility in every
 * row, and the effect of the heavy ones is lost in its rounding. Here a comes from the
 * conditions as far as they determine it, and from the masses otherwise:
 *
 *   K = U1 s V1^T,  a = V1 s^-1 U1^T rhs + V2 z,  V2^T M V2 z = V2^T (f - M V1 s^-1 U1^T rhs),
 *   l = U1 s^-1 V1^T (M a - f),
 *
 * the multipliers of least norm; any basis of the null space of K will do for V2. Lengths are
 * measured in L, forces in the weight of the heaviest body, so that rotations and translations
 * weigh alike. If sliding friction makes W differ from K^T, z and l are solved for together. */
#include "multibody.h"

#include <lapacke.h>
#include <stdlib.h>
#include <string.h>

#define RANK_TOLERANCE 1e-9 /* as in solve.c, of the conditions themselves */
#define LEAST_RATIO 1e4     /* of masses or moments; light bodies are searched from here on */

typedef struct saddle {
  int n, m;            /* conditions, six per body */
  int rank;            /* of K */
  double mass, length; /* units */
  double *k, *w;       /* [n m] K and W^T, column-major */
  double *kept;        /* K, which the decomposition destroys */
  double *u, *s, *v;   /* [n n], [n], [m m]: K = U s V^T, V^T stored */
  double *inertia;     /* [m m] M */
  double *a, *load;    /* [m] accelerations; f, then f - M a */
  omr_pool memory;     /* of all of them */
} saddle;

static double largest_moment(const omr_mb_body *b) {
  return fmax(fmax(b->inertia.x, b->inertia.y), b->inertia.z);
}

/* Largest mass and moment; returns their largest ratio to the smallest. */
static double find_units(const omr_mb *mb, double *mass, double *length) {
  double least_mass = HUGE_VAL, least_moment = HUGE_VAL, moment = 0;
  *mass = 0;
  for (int i = 1; i <= mb->bodies; i++) {
    *mass = fmax(*mass, mb->body[i].mass);
    moment = fmax(moment, largest_moment(&mb->body[i]));
    least_mass = fmin(least_mass, mb->body[i].mass);
    least_moment = fmin(least_moment, largest_moment(&mb->body[i]));
  }
  *length = mb->bodies > 0 ? sqrt(moment / *mass) : 1;
  return fmax(*mass / least_mass, moment / least_moment);
}

static bool make_room(saddle *x, const omr_mb *mb) {
  *x = (saddle){.n = mb->rows, .m = 6 * mb->bodies};
  find_units(mb, &x->mass, &x->length);
  const size_t n = (size_t)x->n, m = (size_t)x->m, least = n < m ? n : m;
  x->k = omr_pool_take(&x->memory, n * m, sizeof *x->k);
  x->w = omr_pool_take(&x->memory, n * m, sizeof *x->w);
  x->kept = omr_pool_take(&x->memory, n * m, sizeof *x->kept);
  x->u = omr_pool_take(&x->memory, n * n, sizeof *x->u);
  x->s = omr_pool_take(&x->memory, least, sizeof *x->s);
  x->v = omr_pool_take(&x->memory, m * m, sizeof *x->v);
  x->inertia = omr_pool_take(&x->memory, m * m, sizeof *x->inertia);
  x->a = omr_pool_take(&x->memory, m, sizeof *x->a);
  x->load = omr_pool_take(&x->memory, m, sizeof *x->load);
  if (!x->memory.failed) return true;
  omr_pool_free(&x->memory);
  return false;
}

static void add3(double *to, size_t stride, double factor, omr_vec v) {
  to[0] += factor * v.x;
  to[stride] += factor * v.y;
  to[2 * stride] += factor * v.z;
}

/* Column of a body's translation; its rotation follows three columns later. */
static size_t first_column(int body) {
  return 6 * (size_t)(body - 1);
}

static void fill_rows(saddle *x, const omr_mb *mb) {
  const size_t n = (size_t)x->n;
  for (int k = 0; k < mb->rows; k++) {
    const omr_mb_row *row = mb->row[k];
    const omr_mb_constraint *c = mb->constraint[mb->row_constraint[k]];
    for (int s = 0; s < omr_mb_sides(c); s++) {
      int body = omr_mb_side(c, s);
      if (body == 0) continue;
      size_t at = first_column(body) * n + (size_t)k;
      add3(x->k + at, n, 1, row->move[s]);
      add3(x->k + at + 3 * n, n, 1 / x->length, row->turn[s]);
      add3(x->w + at, n, 1, row->force[s]);
      add3(x->w + at + 3 * n, n, 1 / x->length, row->torque[s]);
    }
  }
}

/* I u in inertial axes. */
static omr_vec inertia_times(const omr_mb *mb, int body, omr_vec u) {
  const omr_mat *t = &mb->frame[body].t;
  return omr_times(t, omr_mb_spin(&mb->body[body], omr_transposed_times(t, u)));
}

static void fill_masses(saddle *x, const omr_mb *mb) {
  const size_t m = (size_t)x->m;
  const double moment = 1 / (x->mass * x->length * x->length);
  for (int i = 1; i <= mb->bodies; i++) {
    size_t at = first_column(i);
    for (size_t j = 0; j < 3; j++) {
      omr_vec e = {j == 0, j == 1, j == 2};
      x->inertia[(at + j) * m + at + j] = mb->body[i].mass / x->mass;
      add3(x->inertia + (at + 3 + j) * m + at + 3, 1, moment, inertia_times(mb, i, e));
    }
    add3(x->load + at, 1, 1 / x->mass, mb->load[2 * i]);
    add3(x->load + at + 3, 1, 1 / (x->mass * x->length), mb->load[2 * i + 1]);
  }
}

/* K = U s V^T and its rank. */
static bool decompose(saddle *x) {
  const int least = x->n < x->m ? x->n : x->m;
  memcpy(x->kept, x->k, (size_t)x->n * (size_t)x->m * sizeof *x->k);
  if (LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'A', x->n, x->m, x->k, x->n, x->s, x->u, x->n, x->v, x->m) !=
      0)
    return false;
  while (x->rank < least && x->s[x->rank] > RANK_TOLERANCE * x->s[0]) x->rank++;
  return true;
}

/* Row j of V^T times a vector of m entries. */
static double along(const saddle *x, int j, const double *vector) {
  double sum = 0;
  for (int i = 0; i < x->m; i++) sum += x->v[(size_t)i * (size_t)x->m + (size_t)j] * vector[i];
  return sum;
}

/* to += factor times row j of V^T. */
static void go_along(const saddle *x, int j, double factor, double *to) {
  for (int i = 0; i < x->m; i++) to[i] += factor * x->v[(size_t)i * (size_t)x->m + (size_t)j];
}

/* to = M times a vector. */
static void weigh(const saddle *x, const double *vector, double *to) {
  const size_t m = (size_t)x->m;
  for (size_t i = 0; i < m; i++) {
    size_t first = i / 3 * 3; /* M has blocks of three */
    to[i] = 0;
    for (size_t j = first; j < first + 3; j++) to[i] += x->inertia[j * m + i] * vector[j];
  }
}

/* The part that the conditions determine: a = V1 s^-1 U1^T rhs, and f - M a. */
static void take_conditions(saddle *x, const double *rhs, double *work) {
  for (int j = 0; j < x->rank; j++) {
    double sum = 0;
    for (int k = 0; k < x->n; k++) sum += x->u[(size_t)j * (size_t)x->n + (size_t)k] * rhs[k];
    go_along(x, j, sum / x->s[j], x->a);
  }
  weigh(x, x->a, work);
  for (int i = 0; i < x->m; i++) x->load[i] -= work[i];
}

/* ---- a basis of the motions that the conditions leave free, light bodies first
 *
 * Gauss and Jordan solve the conditions for the coordinates of the lightest bodies first, so
 * that the heavy bodies' coordinates are the free ones as far as possible. A freedom of light
 * bodies only then has exact zeros at the heavy ones: along a column of V2, rounding of the
 * heavy ones' forces would drown it. */

typedef struct elimination {
  double *k;   /* [n m] column-major */
  int *order;  /* [m] columns from light to heavy */
  int *column; /* [n] pivot of a row, or -1 */
  bool *used;  /* [m] columns that are solved for */
  double scale;
} elimination;

static double mass_of(const saddle *x, int column) {
  size_t first = (size_t)(column / 3 * 3), m = (size_t)x->m;
  double most = 0;
  for (size_t i = first; i < first + 3; i++) most = fmax(most, x->inertia[i * m + i]);
  return most;
}

static void sort_columns(const saddle *x, int *order) {
  for (int i = 0; i < x->m; i++) {
    int at = i;
    while (at > 0 && mass_of(x, order[at - 1]) > mass_of(x, i)) {
      order[at] = order[at - 1];
      at--;
    }
    order[at] = i;
  }
}

/* Solves row r for column c in all rows. */
static void pivot(const saddle *x, elimination *g, int r, int c) {
  const size_t n = (size_t)x->n, m = (size_t)x->m, row = (size_t)r, column = (size_t)c;
  double head = g->k[column * n + row];
  for (size_t j = 0; j < m; j++) g->k[j * n + row] /= head;
  for (size_t i = 0; i < n; i++) {
    double factor = g->k[column * n + i];
    if (i == row || factor == 0) continue;
    for (size_t j = 0; j < m; j++) g->k[j * n + i] -= factor * g->k[j * n + row];
    g->k[column * n + i] = 0;
  }
  g->column[r] = c;
  g->used[c] = true;
}

/* Pivots of at least `least` in the columns order[from] to order[to - 1]; their number. */
static int exhaust(const saddle *x, elimination *g, int from, int to, double least, int most) {
  int count = 0;

  while (count < most) {
    /* the largest entry among free columns and unsolved rows */
    double best = least * g->scale;
    int row = -1, column = -1;
    for (int j = from; j < to; j++) {
      const double *k = g->k + (size_t)g->order[j] * (size_t)x->n;
      for (int i = 0; !g->used[g->order[j]] && i < x->n; i++) {
        if (g->column[i] >= 0 || !(fabs(k[i]) > best)) continue;
        best = fabs(k[i]);
        row = i;
        column = g->order[j];
      }
    }

    if (row < 0) break;
    pivot(x, g, row, column);
    count++;
  }
  return count;
}

/* Removes rounding errors of these columns from rows that are not solved yet. */
static void clean(const saddle *x, elimination *g, int from, int to) {
  for (int j = from; j < to; j++) {
    double *k = g->k + (size_t)g->order[j] * (size_t)x->n;
    for (int i = 0; i < x->n; i++)
      if (g->column[i] < 0 && fabs(k[i]) < 1e-12 * g->scale) k[i] = 0;
  }
}

/* Takes `rank` pivots, small ones last; bodies within a factor of 2 count as equal. */
static bool eliminate(const saddle *x, elimination *g) {
  static const double least[] = {1e-2, 1e-5, 1e-9};
  int left = x->rank;
  sort_columns(x, g->order);
  for (size_t i = 0; i < (size_t)x->n * (size_t)x->m; i++) g->scale = fmax(g->scale, fabs(g->k[i]));
  for (int i = 0; i < x->n; i++) g->column[i] = -1;
  for (int pass = 0; pass < 3 && left > 0; pass++) {
    for (int from = 0, to; from < x->m; from = to) {
      for (to = from; to < x->m && mass_of(x, g->order[to]) <= 2 * mass_of(x, g->order[from]);)
        to++;
      left -= exhaust(x, g, from, to, least[pass], left);
      clean(x, g, from, to);
    }
  }
  return left == 0;
}

/* Columns of the basis into the rows of `v` from `rank` on, each of unit length. */
static void take_basis(saddle *x, const elimination *g) {
  const size_t n = (size_t)x->n, m = (size_t)x->m;
  size_t at = (size_t)x->rank;
  for (size_t c = 0; c < m; c++) {
    if (g->used[c]) continue;
    double square = 1;
    for (size_t i = 0; i < m; i++) x->v[i * m + at] = i == c;
    for (size_t r = 0; r < n; r++) {
      if (g->column[r] < 0) continue;
      x->v[(size_t)g->column[r] * m + at] = -g->k[c * n + r];
      square += pow(g->k[c * n + r], 2);
    }
    for (size_t i = 0; i < m; i++) x->v[i * m + at] /= sqrt(square);
    at++;
  }
}

/* Replaces V2 by that basis, unless only small pivots would be left. */
static bool separate(saddle *x) {
  const size_t n = (size_t)x->n, m = (size_t)x->m;
  elimination g = {.k = omr_pool_take(&x->memory, n * m, sizeof *g.k),
                   .order = omr_pool_take(&x->memory, m, sizeof *g.order),
                   .column = omr_pool_take(&x->memory, n, sizeof *g.column),
                   .used = omr_pool_take(&x->memory, m, sizeof *g.used)};
  if (x->memory.failed) return false;
  memcpy(g.k, x->kept, n * m * sizeof *g.k);
  if (eliminate(x, &g)) take_basis(x, &g);
  return true;
}

/* Solves V2^T M V2 z = V2^T (f - M a), with a unit diagonal, and updates a and f - M a. */
static bool take_masses(saddle *x, double *work) {
  const int d = x->m - x->rank;
  const size_t m = (size_t)x->m, loose = (size_t)d;

  if (d == 0) return true;
  double *g = omr_pool_take(&x->memory, loose * loose + 2 * loose + m, sizeof *g);
  if (!g) return false;
  double *z = g + loose * loose, *scale = z + loose, *column = scale + loose;

  /* the reduced masses and forces */
  for (size_t j = 0; j < loose; j++) {
    for (size_t i = 0; i < m; i++) column[i] = x->v[i * m + (size_t)x->rank + j];
    weigh(x, column, work);
    for (size_t i = 0; i < loose; i++) g[j * loose + i] = along(x, x->rank + (int)i, work);
    scale[j] = sqrt(g[j * loose + j]);
    z[j] = along(x, x->rank + (int)j, x->load);
  }

  /* scaled to a unit diagonal, so that light and heavy freedoms weigh alike */
  for (size_t j = 0; j < loose; j++) {
    z[j] /= scale[j];
    for (size_t i = 0; i < loose; i++) g[j * loose + i] /= scale[i] * scale[j];
  }
  bool solved = LAPACKE_dposv(LAPACK_COL_MAJOR, 'U', d, 1, g, d, z, d) == 0;

  /* the motion along the freedoms, and the load that it takes */
  memset(column, 0, m * sizeof *column);
  for (size_t j = 0; solved && j < loose; j++)
    go_along(x, x->rank + (int)j, z[j] / scale[j], column);

  weigh(x, column, work);
  for (size_t i = 0; i < m; i++) {
    x->a[i] += column[i];
    x->load[i] -= work[i];
  }

  return solved;
}

/* l = U1 s^-1 V1^T (M a - f) */
static void take_multipliers(const saddle *x, double *multiplier) {
  memset(multiplier, 0, (size_t)x->n * sizeof *multiplier);
  for (int j = 0; j < x->rank; j++) {
    double part = -x->mass * along(x, j, x->load) / x->s[j];
    for (int k = 0; k < x->n; k++)
      multiplier[k] += part * x->u[(size_t)j * (size_t)x->n + (size_t)k];
  }
}

/* With friction: solves V^T (M V2 z - W l) = V^T (f - M a) for z and l together, the least
 * solution. */
static bool take_both(saddle *x, double *multiplier, double *work) {
  const int d = x->m - x->rank, wide = d + x->n, high = x->m > wide ? x->m : wide;
  const size_t m = (size_t)x->m, loose = (size_t)d;
  double *g =
      omr_pool_take(&x->memory, m * (size_t)wide + (size_t)high + (size_t)wide + m, sizeof *g);
  if (!g) return false;
  double *b = g + m * (size_t)wide, *s = b + high, *column = s + wide;

  /* columns of the freedoms, then of the wrenches */
  for (size_t j = 0; j < (size_t)wide; j++) {
    for (size_t i = 0; i < m; i++)
      column[i] =
          j < loose ? x->v[i * m + (size_t)x->rank + j] : -x->w[i * (size_t)x->n + j - loose];
    if (j < loose)
      weigh(x, column, work);
    else
      memcpy(work, column, m * sizeof *work);
    for (size_t i = 0; i < m; i++) g[j * m + i] = along(x, (int)i, work);
  }
  for (size_t i = 0; i < m; i++) b[i] = along(x, (int)i, x->load);

  /* the least solution, split into motion and multipliers */
  int rank = 0;
  bool solved =
      LAPACKE_dgelsd(LAPACK_COL_MAJOR, x->m, wide, 1, g, x->m, b, high, s, 1e-13, &rank) == 0;

  for (int j = 0; solved && j < d; j++) go_along(x, x->rank + j, b[j], x->a);
  for (int k = 0; solved && k < x->n; k++) multiplier[k] = x->mass * b[d + k];

  return solved;
}

static bool is_ideal(const omr_mb *mb) {
  for (int k = 0; k < mb->rows; k++) {
    const omr_mb_row *row = mb->row[k];
    if (memcmp(row->force, row->move, sizeof row->force) != 0 ||
        memcmp(row->torque, row->turn, sizeof row->torque) != 0)
      return false;
  }
  return true;
}

static bool solve(saddle *x, const omr_mb *mb, const double *rhs, double *multiplier) {
  double *work = omr_pool_take(&x->memory, (size_t)x->m, sizeof *work);
  if (!work) return false;
  fill_rows(x, mb);
  fill_masses(x, mb);
  bool solved = decompose(x) && separate(x);
  if (solved) {
    take_conditions(x, rhs, work);
    if (is_ideal(mb)) {
      solved = take_masses(x, work);
      if (solved) take_multipliers(x, multiplier);
    } else {
      solved = take_both(x, multiplier, work);
    }
  }
  return solved;
}

/* Accelerations and multipliers (appendix/reference.md#bodies).
 */
omr_status omr_mb_saddle(omr_mb *mb, const double *rhs, double *multiplier, omr_error *error) {
  saddle x;
  if (!make_room(&x, mb))
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory for the multibody reference");
  bool solved = solve(&x, mb, rhs, multiplier);
  for (int i = 1; solved && i <= mb->bodies; i++) {
    const double *a = x.a + first_column(i), l = 1 / x.length;
    mb->acceleration[i].a = omr_vec_of(a[0], a[1], a[2]);
    mb->acceleration[i].e = omr_vec_of(l * a[3], l * a[4], l * a[5]);
  }
  mb->solver.redundant = x.n - x.rank;
  omr_pool_free(&x.memory);
  if (solved) return OMR_OK;
  return omr_fail(error, OMR_ERR_INTERNAL,
                  "the multibody system of %d conditions at t = %.9g s has no solution: bodies too "
                  "light beside the heaviest move freely",
                  mb->rows, mb->time);
}

bool omr_mb_has_light(const omr_mb *mb, int redundant, bool badly) {
  double mass, length;
  if (find_units(mb, &mass, &length) < LEAST_RATIO) return false;
  if (badly) return true;
  saddle x;
  if (!make_room(&x, mb)) return false;
  fill_rows(&x, mb);
  bool light = decompose(&x) && x.n - x.rank < redundant;
  omr_pool_free(&x.memory);
  return light;
}

bool omr_mb_conditions(const omr_mb *mb, double **u, int *rank) {
  saddle x;
  if (!make_room(&x, mb)) return false;
  fill_rows(&x, mb);
  const size_t size = (size_t)x.n * (size_t)x.n;
  *u = malloc((size + 1) * sizeof **u);
  bool found = *u && (x.n == 0 || decompose(&x));
  if (found) memcpy(*u, x.u, size * sizeof **u);
  *rank = x.rank;
  omr_pool_free(&x.memory);
  return found;
}
