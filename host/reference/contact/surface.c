#include "surface.h"

#include <lapacke.h>
#include <string.h>

static void look_plane(const omr_surface *s, omr_vec r, double *f, omr_vec *gradient,
                       omr_mat *hesse) {
  *f = omr_dot(s->normal, r);
  *gradient = s->normal;
  memset(hesse, 0, sizeof *hesse);
}

omr_surface omr_plane_surface(omr_vec normal) {
  return (omr_surface){.look = look_plane, .normal = omr_unit(normal)};
}

static void look_ellipsoid(const omr_surface *s, omr_vec r, double *f, omr_vec *gradient,
                           omr_mat *hesse) {
  const omr_vec w = {1 / (s->axes.x * s->axes.x), 1 / (s->axes.y * s->axes.y),
                     1 / (s->axes.z * s->axes.z)};
  *f = w.x * r.x * r.x + w.y * r.y * r.y + w.z * r.z * r.z - 1;
  *gradient = omr_vec_of(2 * w.x * r.x, 2 * w.y * r.y, 2 * w.z * r.z);
  *hesse = (omr_mat){{{2 * w.x, 0, 0}, {0, 2 * w.y, 0}, {0, 0, 2 * w.z}}};
}

omr_surface omr_ellipsoid_surface(omr_vec half_axes) {
  return (omr_surface){.look = look_ellipsoid, .axes = half_axes};
}

/* Axial place of the contact point at the contact angle q, x = -(m + h sin q cos psi), and
 * dx/dq. */
static double axial_place(const omr_surface *s, double q, double *rate) {
  double sine = sin(q), cosine = cos(q), h = s->radius - s->center / cosine;
  double dh = -s->center * sine / (cosine * cosine);
  *rate = -(s->center / (cosine * cosine * s->cos_psi) + s->cos_psi * (dh * sine + h * cosine));
  return -(s->center * sine / (cosine * s->cos_psi) + h * sine * s->cos_psi);
}

/* The contact angle at which the point at x touches the floor. */
static double contact_angle(const omr_surface *s, double x) {
  double q = -x / s->radius, rate;
  for (int i = 0; i < 50; i++) {
    q = fmax(-s->edge, fmin(s->edge, q));
    double step = (axial_place(s, q, &rate) - x) / rate;
    q -= step;
    if (fabs(step) < 1e-15) break;
  }
  return fmax(-s->edge, fmin(s->edge, q));
}

/* The normal at the contact is vertical, so P' = c/sqrt(1 - c^2) with c = e.j = sin q cos psi. */
void omr_roller_generatrix(const omr_surface *s, double x, double *p, double *slope,
                           double *curvature) {
  double q = contact_angle(s, x), c = sin(q) * s->cos_psi, root = sqrt(1 - c * c), rate;
  axial_place(s, q, &rate);
  *p = (s->radius - s->center / cos(q)) * root;
  *slope = c / root;
  *curvature = cos(q) * s->cos_psi / (root * root * root * rate);
}

static void look_roller(const omr_surface *s, omr_vec r, double *f, omr_vec *gradient,
                        omr_mat *hesse) {
  double p, slope, curvature, rho = hypot(r.y, r.z), cy = r.y / rho, cz = r.z / rho;
  omr_roller_generatrix(s, r.x, &p, &slope, &curvature);
  *f = rho - p;
  *gradient = omr_vec_of(-slope, cy, cz);
  *hesse = (omr_mat){
      {{-curvature, 0, 0}, {0, cz * cz / rho, -cy * cz / rho}, {0, -cy * cz / rho, cy * cy / rho}}};
}

omr_surface omr_roller_surface(double radius, double center, double psi, double edge) {
  return (omr_surface){.look = look_roller,
                       .radius = radius,
                       .center = center,
                       .sin_psi = sin(psi),
                       .cos_psi = cos(psi),
                       .edge = edge};
}

/* A surface at an inertial point: g, grad g and T Hess f T^T. */
typedef struct surface_point {
  double g;
  omr_vec gradient;
  omr_mat hesse;
} surface_point;

static surface_point look_at(const omr_surface *s, const omr_frame *f, omr_vec p) {
  surface_point out;
  omr_vec gradient;
  omr_mat hesse, half;
  s->look(s, omr_transposed_times(&f->t, omr_sub(p, f->r)), &out.g, &gradient, &hesse);
  out.gradient = omr_times(&f->t, gradient);
  /* T H T^T, H symmetric: rows of T H, then their products with T^T */
  for (int i = 0; i < 3; i++) half.row[i] = omr_transposed_times(&hesse, f->t.row[i]);
  for (int i = 0; i < 3; i++) out.hesse.row[i] = omr_times(&f->t, half.row[i]);
  return out;
}

static void put3(double *m, int row, int column, const omr_mat *block, double factor) {
  for (int i = 0; i < 3; i++) {
    const omr_vec *r = &block->row[i];
    const double values[3] = {r->x, r->y, r->z};
    for (int j = 0; j < 3; j++) m[(row + i) * 8 + column + j] += factor * values[j];
  }
}

static void put_column(double *m, int row, int column, omr_vec v) {
  m[row * 8 + column] = v.x;
  m[(row + 1) * 8 + column] = v.y;
  m[(row + 2) * 8 + column] = v.z;
}

static void put_row(double *m, int row, int column, omr_vec v) {
  m[row * 8 + column] = v.x;
  m[row * 8 + column + 1] = v.y;
  m[row * 8 + column + 2] = v.z;
}

/* Derivative of (5) by (P_A, P_B, lambda, mu), row-major; it is the matrix of (8), too. */
static void jacobian(const surface_point *a, const surface_point *b, const omr_contact_points *x,
                     double m[64]) {
  static const omr_mat identity = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  memset(m, 0, 64 * sizeof *m);
  put3(m, 0, 0, &a->hesse, 1);
  put3(m, 0, 3, &b->hesse, -x->lambda);
  put_column(m, 0, 6, omr_neg(b->gradient));
  put3(m, 3, 0, &identity, 1);
  put3(m, 3, 3, &identity, -1);
  put3(m, 3, 3, &b->hesse, -x->mu);
  put_column(m, 3, 7, omr_neg(b->gradient));
  put_row(m, 6, 0, a->gradient);
  put_row(m, 7, 3, b->gradient);
}

static void put_vector(double *to, omr_vec v) {
  to[0] = v.x;
  to[1] = v.y;
  to[2] = v.z;
}

static bool solve8(double m[64], double right[8]) {
  int pivot[8];
  return LAPACKE_dgesv(LAPACK_ROW_MAJOR, 8, 1, m, 8, pivot, right, 1) == 0;
}

bool omr_nearest_points(omr_surface_pair s, const omr_frame *fa, const omr_frame *fb,
                        omr_contact_points *x, int *iterations) {
  for (int i = 0; i < 50; i++) {
    surface_point a = look_at(s.a, fa, x->a), b = look_at(s.b, fb, x->b);
    double m[64], r[8];

    /* the residual of (5) and its derivative */
    put_vector(r, omr_sub(omr_scale(x->lambda, b.gradient), a.gradient));
    put_vector(r + 3, omr_sub(omr_axpy(x->b, x->mu, b.gradient), x->a));
    r[6] = -a.g;
    r[7] = -b.g;
    jacobian(&a, &b, x, m);
    if (!solve8(m, r)) return false;

    x->a = omr_add(x->a, omr_vec_of(r[0], r[1], r[2]));
    x->b = omr_add(x->b, omr_vec_of(r[3], r[4], r[5]));
    x->lambda += r[6];
    x->mu += r[7];

    /* converged when the step is rounding of the points */
    double length = omr_norm(omr_sub(x->b, fb->r)), step = 0;
    for (int j = 0; j < 6; j++) step = fmax(step, fabs(r[j]));
    if (iterations) *iterations = i + 1;
    if (!(step < HUGE_VAL)) return false;
    if (step <= 4e-16 * length) return true;
    if (i > 5 && step <= 1e-13 * length) return true; /* rounding keeps it from getting nearer */
  }
  return false;
}

bool omr_nearest_rates(omr_surface_pair s, const omr_frame *fa, const omr_frame *fb,
                       const omr_contact_points *x, omr_contact_points *rate) {
  surface_point a = look_at(s.a, fa, x->a), b = look_at(s.b, fb, x->b);
  omr_vec va = omr_point_velocity(fa, omr_sub(x->a, fa->r)),
          vb = omr_point_velocity(fb, omr_sub(x->b, fb->r)); /* (9) */
  omr_vec turn_a = omr_sub(omr_cross(fa->w, a.gradient), omr_times(&a.hesse, va));
  omr_vec turn_b = omr_sub(omr_cross(fb->w, b.gradient), omr_times(&b.hesse, vb));
  double m[64], r[8];
  put_vector(r, omr_sub(omr_scale(x->lambda, turn_b), turn_a));
  put_vector(r + 3, omr_scale(x->mu, turn_b));
  r[6] = omr_dot(a.gradient, va);
  r[7] = omr_dot(b.gradient, vb);
  jacobian(&a, &b, x, m);
  if (!solve8(m, r)) return false;
  *rate =
      (omr_contact_points){omr_vec_of(r[0], r[1], r[2]), omr_vec_of(r[3], r[4], r[5]), r[6], r[7]};
  return true;
}
