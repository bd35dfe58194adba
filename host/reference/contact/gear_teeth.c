/* The mesh of two involute spur gears (appendix/reference.md#bodies). */
#include "gear_teeth.h"

#define FULL_TURN 6.283185307179586

omr_gear_shape omr_standard_teeth(double module, double angle, double addendum, int teeth_a,
                                  int teeth_b) {
  return (omr_gear_shape){.teeth_a = teeth_a,
                          .teeth_b = teeth_b,
                          .base_a = module * teeth_a / 2 * cos(angle),
                          .tip_a = module * (teeth_a / 2.0 + addendum),
                          .tip_b = module * (teeth_b / 2.0 + addendum)};
}

static double base_b(const omr_gear_shape *s) {
  return s->base_a * s->teeth_b / s->teeth_a;
}

/* Distance of two flanks along the line of action. */
static double base_pitch(const omr_gear_shape *s) {
  return FULL_TURN * s->base_a / s->teeth_a;
}

/* Ends of the path of contact from the pitch point: before it, at B's tip, and after it. */
static void path_ends(const omr_gear_shape *s, double angle, double *before, double *behind) {
  double b = base_b(s);
  *before = sqrt(s->tip_b * s->tip_b - b * b) - b * tan(angle);
  *behind = sqrt(s->tip_a * s->tip_a - s->base_a * s->base_a) - s->base_a * tan(angle);
}

double omr_contact_ratio(const omr_gear_shape *s, double distance) {
  double before, behind;
  path_ends(s, acos((s->base_a + base_b(s)) / distance), &before, &behind);
  return (before + behind) / base_pitch(s);
}

/* ---- deviations */

void omr_sine_deviation(void *self, int flank, int tooth, double s, double *e, double *slope,
                        double *curvature) {
  const omr_sine_teeth *w = self;
  (void)flank, (void)tooth;
  double k = FULL_TURN / w->length, angle = k * s + w->phase;
  *e = w->amplitude * sin(angle);
  *slope = w->amplitude * k * cos(angle);
  *curvature = -w->amplitude * k * k * sin(angle);
}

/* ---- geometry */

typedef struct mesh {
  double ra, rb;                  /* base radii */
  omr_vec n, c, t;                /* axis, from A to B, across */
  omr_vec da, db, gap, slip;      /* centres of the gears from those of mass; from A's to B's */
  double distance, closing, turn; /* d, d', theta' */
  double angle, sine, cosine;     /* pressure angle */
  double wa, wb;                  /* about n */
  double roll, roll_rate;         /* r_A (phi_A - theta) + phase */
  double x, rate;                 /* of forward flanks */
  double opening;                 /* (r_A + r_B)(inv(alpha) - inv(alpha_start)) */
} mesh;

static mesh look(const omr_gear_teeth *g, const omr_frame *a, const omr_frame *b,
                 const double *own) {
  mesh m = {.ra = g->shape.base_a, .rb = base_b(&g->shape), .n = omr_times(&a->t, g->axis)};

  /* centres of the gears, and their distance across the axis */
  m.da = omr_times(&a->t, g->point_a);
  m.db = omr_times(&b->t, g->point_b);
  m.gap = omr_sub(omr_add(b->r, m.db), omr_add(a->r, m.da));
  m.gap = omr_axpy(m.gap, -omr_dot(m.gap, m.n), m.n);
  m.slip = omr_sub(omr_point_velocity(b, m.db), omr_point_velocity(a, m.da));

  /* motion of the line of centres */
  m.distance = omr_norm(m.gap);
  m.c = omr_scale(1 / m.distance, m.gap);
  m.t = omr_cross(m.n, m.c);
  m.closing = omr_dot(m.c, m.slip);
  m.turn = omr_dot(m.t, m.slip) / m.distance;

  /* pressure angle of the present distance */
  m.cosine = (m.ra + m.rb) / m.distance;
  m.angle = acos(m.cosine);
  m.sine = sin(m.angle);

  m.wa = omr_dot(a->w, m.n);
  m.wb = omr_dot(b->w, m.n);

  /* lengths rolled off both base circles, and the error between them */
  double first = m.ra * (own[0] - own[2]), second = m.rb * (own[1] - own[2]);
  m.roll = first + g->phase;
  m.roll_rate = m.ra * (m.wa - m.turn);
  m.opening = (m.ra + m.rb) * (tan(m.angle) - m.angle - g->involute);
  m.x = first + second - m.opening;
  m.rate = m.roll_rate + m.rb * (m.wb - m.turn) - m.sine * m.closing;

  return m;
}

/* Direction of the force on B by forward flanks (1) or the others (-1). */
static omr_vec pushing(const mesh *m, int flank) {
  return omr_axpy(omr_scale(flank * m->cosine, m->t), m->sine, m->c);
}

/* ---- compliant teeth */

/* Sums over the pairs of teeth on one side
 * (appendix/reference.md#bodies). */
static double push(const omr_gear_teeth *g, const mesh *m, int flank, omr_mesh_state *sum) {
  double before, behind, pitch = base_pitch(&g->shape), force = 0;

  path_ends(&g->shape, m->angle, &before, &behind);
  /* the other flanks are half a pitch further */
  double place = flank > 0 ? m->roll : -m->roll - pitch / 2, place_rate = flank * m->roll_rate;
  double x = flank > 0 ? m->x : -m->x - 2 * m->opening - g->backlash,
         rate = flank > 0 ? m->rate : -m->rate - 2 * m->sine * m->closing;
  if (!isfinite(place) || !isfinite(pitch)) return (double)NAN;

  /* each pair of teeth on the path of contact pushes if it is pressed */
  for (double i = ceil((place - behind) / pitch); place - i * pitch >= -before; i++) {
    double s = place - i * pitch, e = 0, slope = 0, curvature = 0;
    int tooth = (int)(i - g->shape.teeth_a * floor(i / g->shape.teeth_a));
    if (g->deviation) g->deviation(g->deviation_self, flank, tooth, s, &e, &slope, &curvature);

    double y = x - e, y_rate = rate - slope * place_rate;
    if (!(y > 0)) continue;

    /* a pair never pulls, even against its damper */
    double f = fmax(0, g->stiffness * y + g->damping * y_rate);
    force += f;
    sum->pairs += f > 0;
    sum->energy += 0.5 * g->stiffness * y * y;
    sum->power += (f - g->stiffness * y) * y_rate;
  }
  return force;
}

/* Applies F along u at the pitch point on B, and the opposite on A. */
static void apply(const mesh *m, int flank, double force, omr_mb_effect *out) {
  omr_vec u = pushing(m, flank), f = omr_scale(force, u);
  out->force[0] = omr_sub(out->force[0], f);
  out->force[1] = omr_add(out->force[1], f);
  omr_vec on_a = omr_axpy(omr_cross(m->da, f), flank * m->ra * force, m->n),
          on_b = omr_axpy(omr_cross(m->db, f), -flank * m->rb * force, m->n);
  out->torque[0] = omr_sub(out->torque[0], on_a);
  out->torque[1] = omr_add(out->torque[1], on_b);
}

/* ---- rigid teeth */

/* x'' = e(roll)'': x'' = r_A e_A.n + r_B e_B.n - u.A + known, roll'' = r_A (e_A.n - t.A/d +
 * turned), with the relative acceleration A of the centres.
 * (appendix/reference.md#bodies). */
static void rigid_row(const omr_gear_teeth *g, const mesh *m, const omr_frame *a,
                      const omr_frame *b, omr_mb_row *row) {
  double e = 0, slope = 0, curvature = 0;
  if (g->deviation) g->deviation(g->deviation_self, 1, -1, m->roll, &e, &slope, &curvature);
  double tilt = omr_dot(a->w, m->c) * omr_dot(a->w, m->t), along = omr_dot(m->slip, m->n),
         turned = 2 * m->closing * m->turn / m->distance + tilt;
  double spin = m->distance * m->turn * m->turn + along * along / m->distance;
  double known = (m->ra + m->rb) * turned - m->sine * spin -
                 pow(m->cosine * m->closing, 2) / (m->distance * m->sine);
  omr_vec u = omr_axpy(pushing(m, 1), -slope * m->ra / m->distance, m->t);
  omr_vec centripetal = omr_sub(omr_centripetal(b, m->db), omr_centripetal(a, m->da));
  double asked = curvature * m->roll_rate * m->roll_rate - known + slope * m->ra * turned;
  omr_mb_point_row(row, u, m->da, m->db, -asked - omr_dot(u, centripetal));
  row->turn[0] = omr_axpy(row->turn[0], -m->ra * (1 - slope), m->n);
  row->turn[1] = omr_axpy(row->turn[1], -m->rb, m->n);
  row->torque[0] = row->turn[0];
  row->torque[1] = row->turn[1];
}

static void teeth_effect(const omr_mb_constraint *c, const omr_mb_view *view, omr_mb_effect *out) {
  const omr_gear_teeth *g = (const omr_gear_teeth *)c;
  mesh m = look(g, view->a, view->b, view->own);
  out->rate[0] = m.wa;
  out->rate[1] = m.wb;
  out->rate[2] = m.turn;
  if (g->rigid) {
    out->rows = 1;
    rigid_row(g, &m, view->a, view->b, &out->row[0]);
    return;
  }
  omr_mesh_state sum = {0};
  for (int flank = -1; flank <= 1; flank += 2) apply(&m, flank, push(g, &m, flank, &sum), out);
}

static omr_mb_drift teeth_drift(const omr_mb_constraint *c, const omr_mb_view *view) {
  const omr_gear_teeth *g = (const omr_gear_teeth *)c;
  mesh m = look(g, view->a, view->b, view->own);
  double e = 0, slope = 0, curvature = 0;
  if (g->deviation) g->deviation(g->deviation_self, 1, -1, m.roll, &e, &slope, &curvature);
  return (omr_mb_drift){m.x - e, m.rate - slope * m.roll_rate};
}

static const omr_mb_kind rigid_teeth = {"rigid gear teeth", 3, teeth_effect, teeth_drift, false};
static const omr_mb_kind compliant_teeth = {"compliant gear teeth", 3, teeth_effect, NULL, false};

/* ---- building and looking */

static omr_status check(const omr_gear_teeth *g, const char *name, double distance,
                        omr_error *error) {
  const omr_gear_shape *s = &g->shape;
  double sum = s->base_a + base_b(s), ratio = omr_contact_ratio(s, distance);

  /* the shape must exist, and its teeth must mesh without a gap */
  if (s->teeth_a < 1 || s->teeth_b < 1 || !(s->base_a > 0))
    return omr_fail(error, OMR_ERR_USAGE,
                    "gears %s: %d and %d teeth on a base radius of %g m; all must be above 0", name,
                    s->teeth_a, s->teeth_b, s->base_a);
  if (!(distance > sum))
    return omr_fail(error, OMR_ERR_USAGE,
                    "gears %s: their axes are %g m apart, and the base circles of %g and %g m "
                    "overlap; place them further apart",
                    name, distance, s->base_a, base_b(s));

  if (!(ratio >= 1))
    return omr_fail(error, OMR_ERR_USAGE,
                    "gears %s: at a centre distance of %g m %.4g pairs of teeth are in contact on "
                    "average; with less than 1 they lose contact; place them closer or make the "
                    "teeth longer (tip radii %g and %g m)",
                    name, distance, ratio, s->tip_a, s->tip_b);

  return OMR_OK;
}

omr_status omr_gear_mesh(omr_mb *mb, omr_gear_teeth *g, const char *name, omr_teeth_place place,
                         omr_error *error) {
  static const double start[3] = {0, 0, 0};
  g->base = (omr_mb_constraint){.a = place.a, .b = place.b};
  g->axis = omr_unit(place.axis);
  g->point_a = place.point_a;
  g->point_b = place.point_b;
  g->involute = 0;
  mesh m = look(g, &mb->frame[place.a], &mb->frame[place.b], start);
  omr_status status = check(g, name, m.distance, error);
  if (status != OMR_OK) return status;
  g->involute = tan(m.angle) - m.angle;
  omr_mb_add_constraint(mb, &g->base, g->rigid ? &rigid_teeth : &compliant_teeth, name);
  return OMR_OK;
}

omr_mesh_state omr_mesh_look(const omr_mb *mb, const omr_gear_teeth *g) {
  mesh m = look(g, &mb->frame[g->base.a], &mb->frame[g->base.b], omr_mb_own(mb, &g->base));
  omr_mesh_state s = {.error = m.x, .rate = m.rate, .angle = m.angle, .roll = m.roll - g->phase};
  if (g->rigid)
    s.force = omr_mb_multiplier(mb, &g->base, 0);
  else
    for (int flank = -1; flank <= 1; flank += 2) s.force += flank * push(g, &m, flank, &s);
  return s;
}
