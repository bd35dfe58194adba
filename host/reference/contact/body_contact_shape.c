/* Shapes of the general contact: lowest points and nearest points, with exact rates. Every formula
 * is a closed form written with values that carry their rates; the foot on an ellipsoid is a root,
 * whose rate follows from the implicit function. */
#include "body_contact_inside.h"

#include <string.h>

static const omr_vec x_axis = {1, 0, 0}, z_axis = {0, 0, 1};

omr_shape omr_shape_end(const omr_shape *cylinder, int end) {
  omr_shape s = *cylinder;
  s.kind = OMR_SHAPE_DISC;
  s.at = omr_axpy(s.at, end * s.size[1] / 2, omr_times(&s.axes, z_axis));
  return s;
}

omr_frame omr_shape_frame(const omr_shape *s, const omr_frame *body) {
  omr_frame f = {.w = body->w};
  omr_vec d = omr_times(&body->t, s->at);
  f.r = omr_add(body->r, d);
  f.v = omr_point_velocity(body, d);
  /* rows of T times the axes */
  for (int i = 0; i < 3; i++) f.t.row[i] = omr_transposed_times(&s->axes, body->t.row[i]);
  return f;
}

static omr_rated center_of(const omr_frame *f) {
  return (omr_rated){f->r, f->v};
}

/* Lowest point of the circle of radius R about z: -R t, t the direction of n within its plane. */
static omr_rated lowest_of_circle(const omr_frame *f, double radius, omr_rated n) {
  omr_rated z = omr_rated_direction(f, z_axis);
  omr_rated t = omr_rated_unit(omr_rated_across(n, z));
  return omr_rated_axpy(center_of(f), -radius, t);
}

/* Lowest point of an ellipsoid: -D^2 m/|D m| with n in shape axes m and the half axes D (the
 * support function). */
static omr_rated lowest_of_ellipsoid(const omr_shape *s, const omr_frame *f, omr_rated n) {
  omr_rated m = omr_rated_to_body(f, n);
  const double *h = s->size;
  omr_rated dm = {{h[0] * m.v.x, h[1] * m.v.y, h[2] * m.v.z},
                  {h[0] * m.d.x, h[1] * m.d.y, h[2] * m.d.z}};
  omr_rated u = omr_rated_unit(dm);
  omr_rated p = {{-h[0] * u.v.x, -h[1] * u.v.y, -h[2] * u.v.z},
                 {-h[0] * u.d.x, -h[1] * u.d.y, -h[2] * u.d.z}};
  return omr_rated_add(center_of(f), omr_rated_from_body(f, p));
}

/* sin q of the contact angle at which n touches the profile. The outward normal is -n; its part
 * along the roller's axis is -sin q cos psi (appendix/rollers.md#contact-point). */
static double roller_sine(const omr_shape *s, const omr_frame *f, omr_vec n) {
  return omr_dot(omr_times(&f->t, x_axis), n) / cos(s->size[2]);
}

/* x = -(m + h sin q cos psi) and P = h sqrt(1 - c^2) with c = sin q cos psi, m = R1 tan q/cos psi,
 * h = R - R1/cos q; on an end q is the angle of the edge. */
static omr_rated lowest_of_roller(const omr_shape *s, int zone, const omr_frame *f, omr_rated n) {
  const double cos_psi = cos(s->size[2]);
  omr_rated e = omr_rated_direction(f, x_axis);
  omr_rate one = omr_rate_of(1), sine = omr_rated_dot(e, n);
  sine = omr_rate_mul(sine, omr_rate_of(1 / cos_psi));
  if (zone != 0) sine = omr_rate_of(zone * sin(s->size[3]));
  omr_rate cosine = omr_rate_root(omr_rate_sub(one, omr_rate_mul(sine, sine)));
  omr_rate c = omr_rate_mul(sine, omr_rate_of(cos_psi));
  omr_rate r1 = omr_rate_div(omr_rate_of(s->size[1]), cosine);
  omr_rate h = omr_rate_sub(omr_rate_of(s->size[0]), r1);
  omr_rate m = omr_rate_mul(omr_rate_mul(r1, sine), omr_rate_of(1 / cos_psi));
  omr_rate x = omr_rate_add(m, omr_rate_mul(h, c));
  omr_rate p = omr_rate_mul(h, omr_rate_root(omr_rate_sub(one, omr_rate_mul(c, c))));
  omr_rated across = omr_rated_unit(omr_rated_across(n, e));
  omr_rated below = omr_rated_add(omr_rated_mul(x, e), omr_rated_mul(p, across));
  return omr_rated_sub(center_of(f), below);
}

omr_rated omr_shape_lowest(const omr_shape *s, int zone, const omr_frame *f, omr_rated n) {
  switch (s->kind) {
  case OMR_SHAPE_SPHERE: return omr_rated_axpy(center_of(f), -s->size[0], n);
  case OMR_SHAPE_ELLIPSOID: return lowest_of_ellipsoid(s, f, n);
  case OMR_SHAPE_DISC: return lowest_of_circle(f, s->size[0], n);
  case OMR_SHAPE_TORUS: return omr_rated_axpy(lowest_of_circle(f, s->size[0], n), -s->size[1], n);
  case OMR_SHAPE_CYLINDER: {
    omr_rated z = omr_rated_direction(f, z_axis);
    return omr_rated_axpy(lowest_of_circle(f, s->size[0], n), zone * s->size[1] / 2, z);
  }
  case OMR_SHAPE_ROLLER: return lowest_of_roller(s, zone, f, n);
  default: return omr_rated_of(omr_vec_of((double)NAN, (double)NAN, (double)NAN));
  }
}

int omr_shape_zone(const omr_shape *s, const omr_frame *f, omr_vec n) {
  if (s->kind == OMR_SHAPE_CYLINDER) return omr_dot(omr_times(&f->t, z_axis), n) > 0 ? -1 : 1;
  if (s->kind != OMR_SHAPE_ROLLER) return 0;
  double sine = roller_sine(s, f, n), edge = sin(s->size[3]);
  return sine > edge ? 1 : sine < -edge ? -1 : 0;
}

double omr_shape_zone_margin(const omr_shape *s, int zone, const omr_frame *f, omr_vec n) {
  if (s->kind == OMR_SHAPE_CYLINDER) return -zone * omr_dot(omr_times(&f->t, z_axis), n);
  if (s->kind != OMR_SHAPE_ROLLER) return 1;
  double sine = roller_sine(s, f, n), edge = sin(s->size[3]);
  return zone == 0 ? edge - fabs(sine) : zone * sine - edge;
}

/* t of the foot y_i a_i^2/(t + a_i^2) of the point y on an ellipsoid: the largest root of sum (a_i
 * y_i/(t + a_i^2))^2 = 1. That is a falling convex function to the right of `t`, so that Newton's
 * method approaches from the left. Holds for y inside, near the surface, as well. */
static double ellipsoid_root(const double a[3], const double y[3]) {
  double t = -HUGE_VAL, least = fmin(a[0], fmin(a[1], a[2]));
  for (int i = 0; i < 3; i++) t = fmax(t, a[i] * (fabs(y[i]) - a[i]));
  t = fmax(t, -least * least * (1 - 1e-12));
  for (int k = 0; k < 200; k++) {
    double value = -1, slope = 0;
    for (int i = 0; i < 3; i++) {
      double part = a[i] * y[i] / (t + a[i] * a[i]);
      value += part * part;
      slope -= 2 * part * part / (t + a[i] * a[i]);
    }
    double step = -value / slope;
    t += step;
    if (!(fabs(step) > 1e-16 * least * least)) break;
  }
  return t;
}

static bool foot_on_ellipsoid(const omr_shape *s, const omr_frame *f, omr_rated c, omr_rated *n,
                              omr_rated *foot) {
  omr_rated from = omr_rated_to_body(f, omr_rated_sub(c, center_of(f)));
  const double *a = s->size, y[3] = {from.v.x, from.v.y, from.v.z},
               rate[3] = {from.d.x, from.d.y, from.d.z};

  /* the root t, and its rate by the implicit function */
  omr_rate t = {ellipsoid_root(a, y), 0}, x[3], m[3];
  double moved = 0, slope = 0; /* of the condition, by the point and by t */
  for (int i = 0; i < 3; i++) {
    double below = t.v + a[i] * a[i], part = a[i] / below;
    moved += part * part * y[i] * rate[i];
    slope += part * part * y[i] * y[i] / below;
  }
  t.d = moved / slope;

  for (int i = 0; i < 3; i++) {
    omr_rate below = {t.v + a[i] * a[i], t.d};
    m[i] = omr_rate_div((omr_rate){y[i], rate[i]}, below);

    x[i] = omr_rate_mul(omr_rate_of(a[i] * a[i]), m[i]);
  }

  /* the foot and the normal, back in inertial axes */
  omr_rated place = {{x[0].v, x[1].v, x[2].v}, {x[0].d, x[1].d, x[2].d}};
  omr_rated normal = {{m[0].v, m[1].v, m[2].v}, {m[0].d, m[1].d, m[2].d}};
  *foot = omr_rated_add(center_of(f), omr_rated_from_body(f, place));
  *n = omr_rated_from_body(f, omr_rated_unit(normal));
  return true;
}

/* Foot at the distance `radius` from a point or line, whose point nearest to c is `core`. */
static bool foot_around(omr_rated core, double radius, omr_rated c, omr_rated *n, omr_rated *foot) {
  *n = omr_rated_unit(omr_rated_sub(c, core));
  *foot = omr_rated_axpy(core, radius, *n);
  return true;
}

bool omr_shape_foot(const omr_shape *s, const omr_frame *f, omr_rated c, omr_rated *n,
                    omr_rated *foot) {
  omr_rated center = center_of(f), from = omr_rated_sub(c, center);
  omr_rated z = omr_rated_direction(f, z_axis), radial = omr_rated_across(from, z);
  switch (s->kind) {
  case OMR_SHAPE_SPHERE: return foot_around(center, s->size[0], c, n, foot);
  case OMR_SHAPE_CYLINDER: return foot_around(omr_rated_sub(c, radial), s->size[0], c, n, foot);
  case OMR_SHAPE_DISC:
  case OMR_SHAPE_TORUS: {
    omr_rated circle = omr_rated_axpy(center, s->size[0], omr_rated_unit(radial));
    return foot_around(circle, s->kind == OMR_SHAPE_TORUS ? s->size[1] : 0, c, n, foot);
  }
  case OMR_SHAPE_ELLIPSOID: return foot_on_ellipsoid(s, f, c, n, foot);
  default: return false;
  }
}

/* Distance from the axis z less the radius. */
static void look_cylinder(const omr_surface *s, omr_vec r, double *f, omr_vec *gradient,
                          omr_mat *hesse) {
  double rho = hypot(r.x, r.y), c = r.x / rho, d = r.y / rho;
  *f = rho - s->radius;
  *gradient = omr_vec_of(c, d, 0);
  *hesse = (omr_mat){{{d * d / rho, -c * d / rho, 0}, {-c * d / rho, c * c / rho, 0}, {0, 0, 0}}};
}

/* Distance from the circle of radius R about z less the radius of the tube: the gradient is the
 * unit vector g from the circle, the Hesse matrix (1 - g g)/d in the plane through the axis and
 * g_rho/rho across it. */
static void look_torus(const omr_surface *s, omr_vec r, double *f, omr_vec *gradient,
                       omr_mat *hesse) {
  double rho = hypot(r.x, r.y), c = r.x / rho, d = r.y / rho, out = rho - s->radius;
  double distance = hypot(out, r.z), g = out / distance, gz = r.z / distance;
  *f = distance - s->center;
  *gradient = omr_vec_of(g * c, g * d, gz);
  double rr = gz * gz / distance, rz = -g * gz / distance, zz = g * g / distance, across = g / rho;
  *hesse = (omr_mat){{{rr * c * c + across * d * d, (rr - across) * c * d, rz * c},
                      {(rr - across) * c * d, rr * d * d + across * c * c, rz * d},
                      {rz * c, rz * d, zz}}};
}

omr_surface omr_shape_surface(const omr_shape *s) {
  const double *z = s->size;
  switch (s->kind) {
  case OMR_SHAPE_SPHERE: return omr_ellipsoid_surface(omr_vec_of(z[0], z[0], z[0]));
  case OMR_SHAPE_ELLIPSOID: return omr_ellipsoid_surface(omr_vec_of(z[0], z[1], z[2]));
  case OMR_SHAPE_ROLLER: return omr_roller_surface(z[0], z[1], z[2], z[3]);
  case OMR_SHAPE_CYLINDER: return (omr_surface){.look = look_cylinder, .radius = z[0]};
  case OMR_SHAPE_TORUS: return (omr_surface){.look = look_torus, .radius = z[0], .center = z[1]};
  default: return (omr_surface){.look = NULL};
  }
}
