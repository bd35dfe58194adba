/* Contact of a disc with a plane: rolling without slip (source 3, section 3.1), and the penalty
 * contact of source 4. */
#include "disc_contact.h"

#include <stdio.h>

/* The contact point. Source 3 finds it from T_B r = r_P - r_OB with r in the plane of the disc, (n,
 * T_B tau) = 0 for the tangent tau = (-y, x, 0) of the circle at r, and (r_P, n) = 0. By the
 * tangent condition T_B r is the steepest descent w3 within the disc, and its length is R: then
 * (r_P, n) = 0 is the constraint itself, which the acceleration keeps and `gap` measures. */
static omr_disc_frame look(const omr_disc_place *p, const omr_frame *a, const omr_frame *b) {
  omr_disc_frame f = {.w1 = omr_times(&b->t, p->axis), .n = omr_times(&a->t, p->normal)};

  /* directions of source 4 */
  omr_vec x = omr_cross(f.w1, f.n);
  f.sine = omr_norm(x);
  f.w2 = omr_scale(1 / f.sine, x);
  f.w3 = omr_cross(f.w1, f.w2);
  f.lat = omr_cross(f.n, f.w2);

  /* the contact point, its height and its slip */
  f.center = omr_add(b->r, omr_times(&b->t, p->center));
  f.point = omr_axpy(f.center, p->radius, f.w3);
  f.arm_a = omr_sub(f.point, a->r);
  f.arm_b = omr_sub(f.point, b->r);
  f.gap = omr_dot(f.n, omr_sub(f.arm_a, omr_times(&a->t, p->point)));
  f.slip = omr_sub(omr_point_velocity(b, f.arm_b), omr_point_velocity(a, f.arm_a));
  /* rates of the directions: w1' = w_B x w1, n' = w_A x n */
  omr_vec turn1 = omr_cross(b->w, f.w1), turn_n = omr_cross(a->w, f.n);
  omr_vec dx = omr_add(omr_cross(turn1, f.n), omr_cross(f.w1, turn_n));
  omr_vec turn2 = omr_scale(1 / f.sine, omr_axpy(dx, -omr_dot(dx, f.w2), f.w2));
  omr_vec turn3 = omr_add(omr_cross(turn1, f.w2), omr_cross(f.w1, turn2));

  /* velocity of the contact point, which moves over both bodies */
  f.trail = omr_axpy(omr_point_velocity(b, omr_sub(f.center, b->r)), p->radius, turn3);
  f.trail_on = omr_sub(f.trail, omr_point_velocity(a, f.arm_a));

  return f;
}

omr_disc_frame omr_disc_look(const omr_mb *mb, const omr_disc_contact *c) {
  return look(&c->place, &mb->frame[c->base.a], &mb->frame[c->base.b]);
}

/* The derivative of the slip along `along` is 0:  a_B + e_B x d_B + w_B x d_B' less the same of A,
 * where d' = C' - v. */
static void roll_row(const omr_disc_frame *f, const omr_frame *a, const omr_frame *b, omr_vec along,
                     omr_mb_row *row) {
  omr_vec known =
      omr_sub(omr_cross(b->w, omr_sub(f->trail, b->v)), omr_cross(a->w, omr_sub(f->trail, a->v)));
  omr_mb_point_row(row, along, f->arm_a, f->arm_b, -omr_dot(along, known));
}

static void roll_effect(const omr_mb_constraint *c, const omr_mb_view *view, omr_mb_effect *out) {
  const omr_disc_contact *contact = (const omr_disc_contact *)c;
  omr_disc_frame f = look(&contact->place, view->a, view->b);
  roll_row(&f, view->a, view->b, f.n, &out->row[0]);
  roll_row(&f, view->a, view->b, f.lat, &out->row[1]);
  roll_row(&f, view->a, view->b, f.w2, &out->row[2]);
  out->rows = 3;
}

static omr_mb_drift roll_drift(const omr_mb_constraint *c, const omr_mb_view *view) {
  const omr_disc_contact *contact = (const omr_disc_contact *)c;
  omr_disc_frame f = look(&contact->place, view->a, view->b);
  return (omr_mb_drift){f.gap, omr_norm(f.slip)};
}

/* f_n = (k_c p_C + d_c v_C).n of source 4 is negative in contact; N = -f_n pushes the disc off. */
static double push(const omr_disc_law *law, const omr_disc_frame *f) {
  return -(law->stiffness * f->gap + law->damping * omr_dot(f->slip, f->n));
}

static double load(const omr_disc_contact *c, const omr_disc_frame *f) {
  bool cut = c->law.no_pull && c->on[OMR_DISC_RELEASED];
  return c->on[OMR_DISC_TOUCHES] && !cut ? push(&c->law, f) : 0;
}

/* The load that friction goes by: N, or |N|, whose kink is an event. */
static double grip(const omr_disc_contact *c, double normal) {
  return c->law.grip_by_size && c->on[OMR_DISC_RELEASED] ? -normal : normal;
}

static double slip_speed(const omr_disc_frame *f) {
  return hypot(omr_dot(f->slip, f->lat), omr_dot(f->slip, f->w2));
}

/* phi(v, v_mu)/v, which is finite at rest. */
static double saturation(const omr_disc_law *law, bool slides, double speed) {
  if (slides) return 1 / speed;
  return (law->linear_zone ? 1 : 2 - speed / law->slip_speed) / law->slip_speed;
}

/* The speed of the contact point along the rim is its trail's less the material's. */
static omr_vec tyre_force(const omr_tyre *tyre, const omr_disc_frame *f, double normal) {
  const omr_tyre_force force =
      omr_tyre_push(tyre, omr_dot(f->slip, f->lat), omr_dot(f->slip, f->w2),
                    omr_dot(omr_sub(f->trail_on, f->slip), f->w2));
  return omr_scale(normal, omr_axpy(omr_scale(force.across, f->lat), force.along, f->w2));
}

/* -N mu e_t phi with mu = T D T^T as the source prints it. T^T turns (w_lat, w2) into the
 * directions of mu_x and mu_y, (cos alpha, -sin alpha) and (sin alpha, cos alpha). */
static omr_vec friction(const omr_disc_contact *c, const omr_disc_frame *f, double normal) {
  const omr_disc_law *law = &c->law;
  if (c->tyre.law != OMR_NO_TYRE) return tyre_force(&c->tyre, f, grip(c, normal));
  double speed = slip_speed(f),
         gain = grip(c, normal) * saturation(law, c->on[OMR_DISC_SLIDES], speed);
  omr_vec ex = omr_axpy(omr_scale(cos(law->angle), f->lat), -sin(law->angle), f->w2);
  omr_vec ey = omr_axpy(omr_scale(sin(law->angle), f->lat), cos(law->angle), f->w2);
  double along_x = -gain * (law->lateral + law->lateral_viscous * speed) * omr_dot(f->slip, ex);
  double along_y =
      -gain * (law->longitudinal + law->longitudinal_viscous * speed) * omr_dot(f->slip, ey);
  return omr_axpy(omr_scale(along_x, ex), along_y, ey);
}

/* Adds `force` at a point with these arms on B, and the opposite on A. */
static void act(omr_mb_effect *out, omr_vec force, omr_vec arm_a, omr_vec arm_b) {
  out->force[0] = omr_sub(out->force[0], force);
  out->torque[0] = omr_sub(out->torque[0], omr_cross(arm_a, force));
  out->force[1] = omr_add(out->force[1], force);
  out->torque[1] = omr_add(out->torque[1], omr_cross(arm_b, force));
}

static void penalty_effect(const omr_mb_constraint *c, const omr_mb_view *view,
                           omr_mb_effect *out) {
  const omr_disc_contact *contact = (const omr_disc_contact *)c;
  omr_disc_frame f = look(&contact->place, view->a, view->b);
  double normal = load(contact, &f);
  act(out, omr_axpy(friction(contact, &f, normal), normal, f.n), f.arm_a, f.arm_b);
  omr_vec da = omr_sub(f.center, view->a->r), db = omr_sub(f.center, view->b->r);
  omr_vec v = omr_sub(omr_point_velocity(view->b, db), omr_point_velocity(view->a, da));
  act(out,
      omr_scale(-contact->law.rolling * grip(contact, normal), omr_axpy(v, -omr_dot(v, f.n), f.n)),
      da, db);
}

static const omr_mb_kind rolling = {"Disc_on_Base", 0, roll_effect, roll_drift, true};
static const omr_mb_kind penalty = {"RollingDiscPenalty", 0, penalty_effect, NULL, false};

static void add_contact(omr_mb *mb, omr_disc_contact *c, const omr_mb_kind *kind, const char *name,
                        omr_disc_place place) {
  c->base = (omr_mb_constraint){.a = place.a, .b = place.b};
  c->place = place;
  c->place.normal = omr_unit(place.normal);
  c->place.axis = omr_unit(place.axis);
  omr_mb_add_constraint(mb, &c->base, kind, name);
}

void omr_disc_on_base(omr_mb *mb, omr_disc_contact *contact, const char *name,
                      omr_disc_place place) {
  *contact = (omr_disc_contact){.on = {false}};
  add_contact(mb, contact, &rolling, name, place);
}

/* Positive for each part of the law that should be on. */
static void wishes(const omr_disc_contact *c, const omr_disc_frame *f, double *wish) {
  wish[OMR_DISC_TOUCHES] = -f->gap;
  wish[OMR_DISC_SLIDES] = /* a tyre's law has no kink that an event would have to find */
      c->tyre.law == OMR_NO_TYRE ? slip_speed(f) - c->law.slip_speed : -1;
  wish[OMR_DISC_RELEASED] = c->law.no_pull || c->law.grip_by_size ? -push(&c->law, f) : -1;
}

/* Sets the parts of the law from the state set last. */
static void settle(const omr_mb *mb, omr_disc_contact *c) {
  omr_disc_frame f = omr_disc_look(mb, c);
  double wish[OMR_DISC_SWITCHES];
  wishes(c, &f, wish);
  for (int i = 0; i < OMR_DISC_SWITCHES; i++) c->on[i] = wish[i] > 0;
}

void omr_disc_penalty(omr_mb *mb, omr_disc_contact *contact, const char *name, omr_disc_place place,
                      omr_disc_law law) {
  *contact = (omr_disc_contact){.law = law};
  add_contact(mb, contact, &penalty, name, place);
  if (!mb->failed) settle(mb, contact);
}

void omr_disc_put_tyre(const omr_mb *mb, omr_disc_contact *contact, omr_tyre tyre) {
  contact->tyre = tyre;
  if (!mb->failed) settle(mb, contact);
}

omr_vec omr_disc_force(const omr_mb *mb, const omr_disc_contact *c) {
  if (c->base.kind == &rolling)
    return omr_vec_of(omr_mb_multiplier(mb, &c->base, 0), omr_mb_multiplier(mb, &c->base, 1),
                      omr_mb_multiplier(mb, &c->base, 2));
  omr_disc_frame f = omr_disc_look(mb, c);
  double normal = load(c, &f);
  omr_vec along = friction(c, &f, normal);
  return omr_vec_of(normal, omr_dot(along, f.lat), omr_dot(along, f.w2));
}

double omr_disc_spring(const omr_mb *mb, const omr_disc_contact *c) {
  double gap = omr_disc_look(mb, c).gap;
  return c->on[OMR_DISC_TOUCHES] ? 0.5 * c->law.stiffness * gap * gap : 0;
}

void omr_disc_events(const omr_mb *mb, const omr_disc_contact *c, double *g) {
  omr_disc_frame f = omr_disc_look(mb, c);
  double wish[OMR_DISC_SWITCHES];
  wishes(c, &f, wish);
  for (int i = 0; i < OMR_DISC_SWITCHES; i++) g[i] = c->on[i] ? wish[i] : -wish[i];
}

void omr_disc_switch(omr_disc_contact *c, int which) {
  c->on[which] = !c->on[which];
}
