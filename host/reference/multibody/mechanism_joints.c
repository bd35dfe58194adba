/* Ball joints, rods, gears, racks (appendix/reference.md#bodies). */
#include "joints.h"

#include "joint_rows.h"

/* Two points, each fixed in its body. */
typedef struct point_pair {
  omr_vec da, db;       /* from the centres of mass */
  omr_vec gap, slip;    /* from A's to B's, and its rate */
  omr_vec acceleration; /* its second derivative without a and e of the bodies */
} point_pair;

static point_pair look_at_points(const omr_frame *a, const omr_frame *b, omr_vec point_a,
                                 omr_vec point_b) {
  point_pair p = {.da = omr_times(&a->t, point_a), .db = omr_times(&b->t, point_b)};
  p.gap = omr_sub(omr_add(b->r, p.db), omr_add(a->r, p.da));
  p.slip = omr_sub(omr_point_velocity(b, p.db), omr_point_velocity(a, p.da));
  p.acceleration = omr_sub(omr_centripetal(b, p.db), omr_centripetal(a, p.da));
  return p;
}

/* ---- ball joint */

static void ball_effect(const omr_mb_constraint *c, const omr_mb_view *view, omr_mb_effect *out) {
  static const omr_vec axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const omr_ball *j = (const omr_ball *)c;
  point_pair p = look_at_points(view->a, view->b, j->point_a, j->point_b);
  out->rows = 3;
  for (int i = 0; i < 3; i++)
    omr_mb_point_row(&out->row[i], axes[i], p.da, p.db, -omr_dot(axes[i], p.acceleration));
}

static omr_mb_drift ball_drift(const omr_mb_constraint *c, const omr_mb_view *view) {
  const omr_ball *j = (const omr_ball *)c;
  point_pair p = look_at_points(view->a, view->b, j->point_a, j->point_b);
  return (omr_mb_drift){omr_norm(p.gap), omr_norm(p.slip)};
}

static const omr_mb_kind ball_kind = {"ball joint", 0, ball_effect, ball_drift, false};

void omr_ball_joint(omr_mb *mb, omr_ball *ball, const char *name, omr_point_place place) {
  *ball = (omr_ball){
      .base = {.a = place.a, .b = place.b}, .point_a = place.point_a, .point_b = place.point_b};
  omr_mb_add_constraint(mb, &ball->base, &ball_kind, name);
}

/* ---- rod */

/* d2/dt2 |gap| = u.gap'' + (|slip|^2 - (u.slip)^2)/|gap| = 0 */
static void rod_effect(const omr_mb_constraint *c, const omr_mb_view *view, omr_mb_effect *out) {
  const omr_rod *j = (const omr_rod *)c;
  point_pair p = look_at_points(view->a, view->b, j->point_a, j->point_b);
  double distance = omr_norm(p.gap);
  omr_vec u = omr_scale(1 / distance, p.gap), across = omr_axpy(p.slip, -omr_dot(u, p.slip), u);
  out->rows = 1;
  omr_mb_point_row(&out->row[0], u, p.da, p.db,
                   -omr_dot(u, p.acceleration) - omr_dot(across, across) / distance);
}

static omr_mb_drift rod_drift(const omr_mb_constraint *c, const omr_mb_view *view) {
  const omr_rod *j = (const omr_rod *)c;
  point_pair p = look_at_points(view->a, view->b, j->point_a, j->point_b);
  double distance = omr_norm(p.gap);
  return (omr_mb_drift){distance - j->length, omr_dot(p.gap, p.slip) / distance};
}

static const omr_mb_kind rod_kind = {"massless rod", 0, rod_effect, rod_drift, false};

void omr_distance_rod(omr_mb *mb, omr_rod *rod, const char *name, omr_point_place place,
                      double length) {
  *rod = (omr_rod){.base = {.a = place.a, .b = place.b},
                   .point_a = place.point_a,
                   .point_b = place.point_b,
                   .length = length};
  omr_mb_add_constraint(mb, &rod->base, &rod_kind, name);
}

double omr_rod_distance(const omr_mb *mb, omr_point_place place) {
  return omr_norm(
      look_at_points(&mb->frame[place.a], &mb->frame[place.b], place.point_a, place.point_b).gap);
}

/* ---- gear and rack: own states are both angles (or the way) and the violation */

/* Rate of a body's angle about an axis that turns with the carrier. */
static double turning_about(const omr_frame *body, const omr_frame *carrier, omr_vec n) {
  return omr_dot(omr_sub(body->w, carrier->w), n);
}

/* Second derivative of that angle without (e - e_C).n. */
static double turning_known(const omr_frame *body, const omr_frame *carrier, omr_vec n) {
  return omr_dot(omr_sub(body->w, carrier->w), omr_cross(carrier->w, n));
}

static void gear_rates(const omr_gear *g, double first, double second, omr_mb_effect *out) {
  out->rate[0] = first;
  out->rate[1] = second;
  out->rate[2] = second - g->ratio * first - g->offset;
}

/* Row of a gear (appendix/reference.md#bodies). */
static void gear_effect(const omr_mb_constraint *c, const omr_mb_view *view, omr_mb_effect *out) {
  const omr_gear *g = (const omr_gear *)c;
  const omr_frame *carrier = &view->mb->frame[c->carrier];
  omr_vec na = omr_times(&carrier->t, g->axis_a), nb = omr_times(&carrier->t, g->axis_b);
  omr_mb_row *row = &out->row[0];
  out->rows = 1;
  row->turn[0] = omr_scale(-g->ratio, na);
  row->turn[1] = nb;
  row->turn[2] = omr_axpy(omr_neg(nb), g->ratio, na);
  row->rhs = g->ratio * turning_known(view->a, carrier, na) - turning_known(view->b, carrier, nb);
  omr_mb_make_ideal(row);
  gear_rates(g, turning_about(view->a, carrier, na), turning_about(view->b, carrier, nb), out);
}

/* second: rate of B's angle, or speed of its way. */
static omr_mb_drift gear_violation(const omr_gear *g, const omr_mb_view *view,
                                   const omr_frame *carrier, double second) {
  const double first = turning_about(view->a, carrier, omr_times(&carrier->t, g->axis_a));
  return (omr_mb_drift){view->own[2], second - g->ratio * first - g->offset};
}

static omr_mb_drift gear_drift(const omr_mb_constraint *c, const omr_mb_view *view) {
  const omr_gear *g = (const omr_gear *)c;
  const omr_frame *carrier = &view->mb->frame[c->carrier];
  const double second = turning_about(view->b, carrier, omr_times(&carrier->t, g->axis_b));
  return gear_violation(g, view, carrier, second);
}

static const omr_mb_kind gear_kind = {"gear", 3, gear_effect, gear_drift, false};

static omr_gear make_gear(omr_gear_place place, double ratio, double offset) {
  return (omr_gear){.base = {.a = place.a, .b = place.b, .carrier = place.carrier},
                    .axis_a = omr_unit(place.axis_a),
                    .axis_b = omr_unit(place.axis_b),
                    .ratio = ratio,
                    .offset = offset};
}

void omr_gear_pair(omr_mb *mb, omr_gear *gear, const char *name, omr_gear_place place, double ratio,
                   double offset) {
  *gear = make_gear(place, ratio, offset);
  omr_mb_add_constraint(mb, &gear->base, &gear_kind, name);
}

/* Velocity of B's point relative to the carrier; *arm: from the carrier's centre of mass. */
static omr_vec rack_slip(const omr_frame *carrier, const omr_frame *b, omr_vec db, omr_vec *arm) {
  *arm = omr_sub(omr_add(b->r, db), carrier->r);
  return omr_sub(omr_point_velocity(b, db), omr_point_velocity(carrier, *arm));
}

/* s.(relative acceleration of B's point in the carrier) = radius d2/dt2 of A's angle
 * (appendix/reference.md#bodies). */
static void rack_effect(const omr_mb_constraint *c, const omr_mb_view *view, omr_mb_effect *out) {
  const omr_rack *r = (const omr_rack *)c;
  const omr_gear *g = &r->gear;
  const omr_frame *carrier = &view->mb->frame[c->carrier];

  /* axis, direction and point of the rack in inertial axes */
  omr_vec n = omr_times(&carrier->t, g->axis_a), s = omr_times(&carrier->t, g->axis_b);
  omr_vec db = omr_times(&view->b->t, r->point_b), arm, slip;
  slip = rack_slip(carrier, view->b, db, &arm);

  omr_vec known = omr_sub(omr_sub(omr_centripetal(view->b, db), omr_centripetal(carrier, arm)),
                          omr_scale(2, omr_cross(carrier->w, slip)));

  /* the carrier takes the reaction of both bodies */
  omr_mb_row *row = &out->row[0];
  out->rows = 1;
  row->turn[0] = omr_scale(-g->ratio, n);
  row->move[1] = s;
  row->turn[1] = omr_cross(db, s);
  row->move[2] = omr_neg(s);
  row->turn[2] = omr_axpy(omr_neg(omr_cross(arm, s)), g->ratio, n);

  row->rhs = g->ratio * turning_known(view->a, carrier, n) - omr_dot(s, known);
  omr_mb_make_ideal(row);
  gear_rates(g, turning_about(view->a, carrier, n), omr_dot(slip, s), out);
}

static omr_mb_drift rack_drift(const omr_mb_constraint *c, const omr_mb_view *view) {
  const omr_rack *r = (const omr_rack *)c;
  const omr_gear *g = &r->gear;
  const omr_frame *carrier = &view->mb->frame[c->carrier];
  omr_vec arm, slip = rack_slip(carrier, view->b, omr_times(&view->b->t, r->point_b), &arm);
  return gear_violation(g, view, carrier, omr_dot(slip, omr_times(&carrier->t, g->axis_b)));
}

static const omr_mb_kind rack_kind = {"rack", 3, rack_effect, rack_drift, false};

void omr_rack_pair(omr_mb *mb, omr_rack *rack, const char *name, omr_gear_place place,
                   omr_vec point_b, double radius, double offset) {
  *rack = (omr_rack){.gear = make_gear(place, radius, offset), .point_b = point_b};
  omr_mb_add_constraint(mb, &rack->gear.base, &rack_kind, name);
}
