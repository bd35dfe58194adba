/* The equations of motion as a saddle point,  M a - W l = f,  K a = rhs,  for systems in which some
 * bodies are much lighter than others: S = K M^-1 W has the light ones' mobility in every row, and
 * what the heavy ones do is lost in its rounding. Here a comes from the conditions alone as far as
 * they determine it, and from the masses where they do not:
 *
 *   K = U1 s V1^T,  a = V1 s^-1 U1^T rhs + V2 z,  V2^T M V2 z = V2^T (f - M V1 s^-1 U1^T rhs),
 *   l = U1 s^-1 V1^T (M a - f),
 *
 * the multipliers of least norm. No mass is divided by but in V2. Lengths are measured in L, forces
 * in the weight of the heaviest body, so that rotations and translations weigh alike. Where sliding
 * friction makes W differ from K^T, z and l are solved for together. */
#include "multibody_system.h"

#include <lapacke.h>
#include <stdlib.h>
#include <string.h>

#define RANK_TOLERANCE 1e-9 /* as in solve.c, of the conditions themselves */
#define LEAST_RATIO 1e4     /* of masses or moments, from which light bodies are looked for */

typedef struct saddle {
  int n, m;            /* conditions, six per body */
  int rank;            /* of K */
  double mass, length; /* units */
  double *k, *w;       /* [n m] K and W^T, column-major */
  double *u, *s, *v;   /* [n n], [n], [m m]: K = U s V^T, V^T stored */
  double *inertia;     /* [m m] M */
  double *a, *load;    /* [m] accelerations; f, then f - M a */
  double *block;
} saddle;

static double largest_moment(const omr_mb_body *b) {
  return fmax(fmax(b->inertia.x, b->inertia.y), b->inertia.z);
}

/* Largest mass and moment, and by how much they exceed the smallest. */
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
  x->block = calloc(2 * n * m + n * n + least + 2 * m * m + 2 * m + 1, sizeof(double));
  if (!x->block) return false;
  x->k = x->block;
  x->w = x->k + n * m;
  x->u = x->w + n * m;
  x->s = x->u + n * n;
  x->v = x->s + least;
  x->inertia = x->v + m * m;
  x->a = x->inertia + m * m;
  x->load = x->a + m;
  return true;
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

/* K = U s V^T and its rank; K is lost. */
static bool decompose(saddle *x) {
  const int least = x->n < x->m ? x->n : x->m;
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

/* What the conditions say: a = V1 s^-1 U1^T rhs, and f - M a. */
static void take_conditions(saddle *x, const double *rhs, double *work) {
  for (int j = 0; j < x->rank; j++) {
    double sum = 0;
    for (int k = 0; k < x->n; k++) sum += x->u[(size_t)j * (size_t)x->n + (size_t)k] * rhs[k];
    go_along(x, j, sum / x->s[j], x->a);
  }
  weigh(x, x->a, work);
  for (int i = 0; i < x->m; i++) x->load[i] -= work[i];
}

/* Turns V2 so that its columns move heavy bodies or light ones, as far as they can be told apart:
 * along mixed ones the mass of a light body would be lost beside a heavy one's. The metric of the
 * largest moments is good enough for that. */
static bool separate(saddle *x) {
  const int d = x->m - x->rank;
  const size_t m = (size_t)x->m, many = (size_t)d;
  if (d < 2) return true;
  double *a = calloc(m * many + many + many * many + m * many, sizeof *a);
  if (!a) return false;
  double *s = a + m * many, *turn = s + many, *turned = turn + many * many;
  for (size_t i = 0; i < m; i++) {
    size_t first = i / 3 * 3;
    double most = 0;
    for (size_t k = first; k < first + 3; k++) most = fmax(most, x->inertia[k * m + k]);
    for (size_t j = 0; j < many; j++) a[j * m + i] = sqrt(most) * x->v[i * m + (size_t)x->rank + j];
  }
  bool found = LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'O', x->m, d, a, x->m, s, NULL, 1, turn, d) == 0;
  for (size_t i = 0; found && i < m; i++) {
    for (size_t j = 0; j < many; j++)
      for (size_t k = 0; k < many; k++)
        turned[i * many + j] += turn[k * many + j] * x->v[i * m + (size_t)x->rank + k];
    memcpy(x->v + i * m + x->rank, turned + i * many, many * sizeof *turned);
  }
  free(a);
  return found;
}

/* V2^T M V2 z = V2^T (f - M a), with a unit diagonal; a and f - M a with it. */
static bool take_masses(saddle *x, double *work) {
  const int d = x->m - x->rank;
  const size_t m = (size_t)x->m, loose = (size_t)d;
  if (d == 0) return true;
  double *g = calloc(loose * loose + 2 * loose + m, sizeof *g);
  if (!g) return false;
  double *z = g + loose * loose, *scale = z + loose, *column = scale + loose;
  for (size_t j = 0; j < loose; j++) {
    for (size_t i = 0; i < m; i++) column[i] = x->v[i * m + (size_t)x->rank + j];
    weigh(x, column, work);
    for (size_t i = 0; i < loose; i++) g[j * loose + i] = along(x, x->rank + (int)i, work);
    scale[j] = sqrt(g[j * loose + j]);
    z[j] = along(x, x->rank + (int)j, x->load);
  }
  for (size_t j = 0; j < loose; j++) {
    z[j] /= scale[j];
    for (size_t i = 0; i < loose; i++) g[j * loose + i] /= scale[i] * scale[j];
  }
  bool solved = LAPACKE_dposv(LAPACK_COL_MAJOR, 'U', d, 1, g, d, z, d) == 0;
  memset(column, 0, m * sizeof *column);
  for (size_t j = 0; solved && j < loose; j++)
    go_along(x, x->rank + (int)j, z[j] / scale[j], column);
  weigh(x, column, work);
  for (size_t i = 0; i < m; i++) {
    x->a[i] += column[i];
    x->load[i] -= work[i];
  }
  free(g);
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

/* Friction: V^T (M V2 z - W l) = V^T (f - M a) for z and l together, the least of them. */
static bool take_both(saddle *x, double *multiplier, double *work) {
  const int d = x->m - x->rank, wide = d + x->n, high = x->m > wide ? x->m : wide;
  const size_t m = (size_t)x->m, loose = (size_t)d;
  double *g = calloc(m * (size_t)wide + (size_t)high + (size_t)wide + m, sizeof *g);
  if (!g) return false;
  double *b = g + m * (size_t)wide, *s = b + high, *column = s + wide;
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
  int rank = 0;
  bool solved =
      LAPACKE_dgelsd(LAPACK_COL_MAJOR, x->m, wide, 1, g, x->m, b, high, s, 1e-13, &rank) == 0;
  for (int j = 0; solved && j < d; j++) go_along(x, x->rank + j, b[j], x->a);
  for (int k = 0; solved && k < x->n; k++) multiplier[k] = x->mass * b[d + k];
  free(g);
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
  double *work = malloc((size_t)x->m * sizeof *work);
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
  free(work);
  return solved;
}

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
  free(x.block);
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
  free(x.block);
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
  free(x.block);
  return found;
}
