/* The general contact as a constraint: its conditions, its wrenches, and its view for reports. */
#include "body_contact.h"

#include "body_contact_inside.h"
#include <stdio.h>

double omr_contact_push(const omr_contact_law *law, const omr_contact_place *p) {
  double depth = -p->gap, power = law->exponent > 0 ? law->exponent : 1;
  /* continues smoothly, since the integrator looks a little beyond the end of the contact */
  double spring = law->stiffness * (power == 1 ? depth : copysign(pow(fabs(depth), power), depth));
  return law->hunt_crossley ? spring * (1 - law->damping * p->gap_rate)
                            : spring - law->damping * p->gap_rate;
}

static double compliant_load(const omr_body_contact *c, const omr_contact_place *p) {
  return c->closed && !c->released ? omr_contact_push(&c->law, p) : 0;
}

/* Row d/dt (s.n) = value: n.(a_B + e_B x d_B + w_B x d_B') less the same of A, plus n'.s. Here d'
 * is the velocity of the point over space less the velocity of the centre of mass: the point moves
 * over both bodies (source 3, section 3.1). */
static void point_row(const omr_contact_place *p, const omr_frame *a, const omr_frame *b,
                      omr_vec along, double value, omr_mb_row *row) {
  omr_vec known =
      omr_sub(omr_cross(b->w, omr_sub(p->trail, b->v)), omr_cross(a->w, omr_sub(p->trail, a->v)));
  omr_mb_point_row(row, along, p->arm[0], p->arm[1], value - omr_dot(along, known));
}

static void normal_row(const omr_body_contact *c, const omr_contact_place *p, const omr_frame *a,
                       const omr_frame *b, omr_mb_row *row) {
  double rate = c->law.baumgarte;
  double value = -omr_dot(p->n_rate, p->slip) - 2 * rate * p->gap_rate - rate * rate * p->gap;
  point_row(p, a, b, p->n, value, row);
}

/* Rows that keep the whole s' without a part across n. (s turns with n as well, which matters for
 * the slip only.) */
static void stick_rows(const omr_body_contact *c, const omr_contact_place *p, const omr_frame *a,
                       const omr_frame *b, omr_mb_row *row) {
  omr_vec e[2];
  omr_perpendicular(p->n, &e[0], &e[1]);
  for (int i = 0; i < 2; i++)
    point_row(p, a, b, e[i], -c->law.baumgarte * omr_dot(e[i], p->slip), &row[i]);
}

/* Adds `force` on B at the contact point, and the opposite on A, to both wrenches. */
static void act(const omr_contact_place *p, omr_vec force, omr_vec forces[2], omr_vec torques[2]) {
  forces[0] = omr_sub(forces[0], force);
  torques[0] = omr_sub(torques[0], omr_cross(p->arm[0], force));
  forces[1] = omr_add(forces[1], force);
  torques[1] = omr_add(torques[1], omr_cross(p->arm[1], force));
}

/* Friction on B per unit of load (appendix/laws.md#friction). */
static omr_vec friction_per_load(const omr_body_contact *c, const omr_contact_place *p,
                                 const omr_frame *a) {
  const omr_contact_law *law = &c->law;
  omr_vec s = omr_contact_tangent(p);
  double speed = omr_norm(s);
  if (omr_contact_is_set_valued(c)) {
    if (c->slip == OMR_SLIP_STARTS) {
      omr_vec kept = omr_times(&a->t, c->along);
      s = omr_axpy(kept, -omr_dot(kept, p->n), p->n);
      speed = omr_norm(s);
    }
    return speed > 0 ? omr_scale(-law->friction / speed, s) : omr_vec_of(0, 0, 0);
  }
  if (c->slip == OMR_SLIP_SLIDES) return omr_scale(-law->friction / speed, s);
  bool linear = law->tangential == OMR_TANGENTIAL_SATURATED || law->linear_zone;
  double zone = linear ? 1 : 2 - speed / law->slip_speed;
  return omr_scale(-law->friction * zone / law->slip_speed, s);
}

/* Torque on B per unit of load: -k w/sqrt(w^2 + w_s^2) for the parts of the relative angular
 * velocity along the tangent plane and along n. */
static omr_vec resistance_per_load(const omr_contact_law *law, const omr_contact_place *p,
                                   const omr_frame *a, const omr_frame *b) {
  omr_vec w = omr_sub(b->w, a->w), spin = omr_scale(omr_dot(w, p->n), p->n),
          roll = omr_sub(w, spin);
  double small = law->turn_speed > 0 ? law->turn_speed : 1e-3;
  return omr_axpy(omr_scale(-law->rolling / hypot(omr_norm(roll), small), roll),
                  -law->spinning / hypot(omr_norm(spin), small), spin);
}

static bool has_friction(const omr_body_contact *c) {
  return omr_contact_is_dry(c) && !omr_contact_has_stick_rows(c) && c->law.friction > 0;
}

/* Force and torque on B for one unit of load. The friction of a held contact that pulls goes by
 * |N|. */
static void per_load(const omr_body_contact *c, const omr_contact_place *p, const omr_frame *a,
                     const omr_frame *b, omr_vec *force, omr_vec *torque) {
  double sign = c->law.normal == OMR_NORMAL_HELD && c->released ? -1 : 1;
  *force = has_friction(c) ? omr_scale(sign, friction_per_load(c, p, a)) : omr_vec_of(0, 0, 0);
  *torque = c->law.rolling > 0 || c->law.spinning > 0
                ? omr_scale(sign, resistance_per_load(&c->law, p, a, b))
                : omr_vec_of(0, 0, 0);
}

static void load_wrench(const omr_contact_place *p, double load, omr_vec force, omr_vec torque,
                        omr_vec forces[2], omr_vec torques[2]) {
  act(p, omr_scale(load, force), forces, torques);
  torques[0] = omr_axpy(torques[0], -load, torque);
  torques[1] = omr_axpy(torques[1], load, torque);
}

/* Rows of an impact: a normal one, and two more if the contact sticks. If it slides, the friction
 * impulse is part of the normal row's wrench. */
static void strike_effect(const omr_body_contact *c, const omr_contact_place *p, const omr_frame *a,
                          const omr_frame *b, omr_mb_effect *out) {
  if (c->strike == OMR_STRIKE_NONE || !omr_contact_is_rigid(c)) return;
  out->rows = 1;
  normal_row(c, p, a, b, &out->row[0]);
  if (c->strike == OMR_STRIKE_SLIDES) {
    out->row[0].impulsive = true;
    act(p, omr_scale(-c->law.friction, c->strike_along), out->row[0].force, out->row[0].torque);
  }
  if (c->strike != OMR_STRIKE_STICKS) return;
  stick_rows(c, p, a, b, &out->row[1]);
  out->rows = 3;
}

/* Rows and wrench of a contact (appendix/reference.md#bodies). */
static void contact_effect(const omr_mb_constraint *base, const omr_mb_view *view,
                           omr_mb_effect *out) {
  const omr_body_contact *c = (const omr_body_contact *)base;
  const omr_frame *a = view->a, *b = view->b;

  /* an impact has rows of its own */
  if (view->mb->strikes) {
    if (c->strike == OMR_STRIKE_NONE) return;
    omr_contact_place place = omr_contact_place_of(c, a, b);
    strike_effect(c, &place, a, b, out);
    return;
  }

  if (!c->closed) return;
  omr_contact_place p = omr_contact_place_of(c, a, b);

  /* a rigid normal load is a multiplier; a compliant one follows from the state */
  omr_vec force, torque;
  per_load(c, &p, a, b, &force, &torque);
  if (omr_contact_is_rigid(c)) {
    omr_mb_row *row = &out->row[out->rows++];
    normal_row(c, &p, a, b, row);
    load_wrench(&p, 1, force, torque, row->force, row->torque);
  } else {
    load_wrench(&p, compliant_load(c, &p), omr_add(p.n, force), torque, out->force, out->torque);
  }

  if (c->law.viscous > 0)
    act(&p, omr_scale(-c->law.viscous, omr_contact_tangent(&p)), out->force, out->torque);

  /* without slip, two more rows hold the contact point */
  if (!omr_contact_has_stick_rows(c)) return;
  stick_rows(c, &p, a, b, &out->row[out->rows]);
  out->rows += 2;
}

static omr_mb_drift contact_drift(const omr_mb_constraint *base, const omr_mb_view *view) {
  const omr_body_contact *c = (const omr_body_contact *)base;
  if (!c->closed) return (omr_mb_drift){0, 0};
  omr_contact_place p = omr_contact_place_of(c, view->a, view->b);
  bool rigid = omr_contact_is_rigid(c);
  omr_vec held = omr_contact_has_stick_rows(c) ? omr_contact_tangent(&p) : omr_vec_of(0, 0, 0);
  return (omr_mb_drift){rigid ? p.gap : 0, hypot(rigid ? p.gap_rate : 0, omr_norm(held))};
}

static const omr_mb_kind contact_kind = {"contact of bodies", 0, contact_effect, contact_drift,
                                         true};

/* The reason why a law is incomplete, or NULL. */
static const char *refuse_law(const omr_contact_law *law) {
  if (law->normal == OMR_NORMAL_COMPLIANT && !(law->stiffness > 0))
    return "a compliant contact needs a stiffness above 0";
  if (!(law->restitution >= 0 && law->restitution <= 1))
    return "the coefficient of restitution is not from 0 to 1";
  if (law->tangential >= OMR_TANGENTIAL_REGULARIZED && !(law->friction >= 0))
    return "the friction coefficient is below 0";
  if ((law->tangential == OMR_TANGENTIAL_REGULARIZED ||
       law->tangential == OMR_TANGENTIAL_SATURATED) &&
      !(law->slip_speed > 0))
    return "regularised and saturated friction need a slip speed above 0";
  if (law->normal == OMR_NORMAL_COMPLIANT && (law->exponent < 0 || law->damping < 0))
    return "exponent and damping of a compliant contact are not below 0";
  return NULL;
}

static const char *refuse(const omr_body_contact *c, int a, int b) {
  if (a == b) return "both of its bodies are the same";
  const char *why = omr_shape_pair_refuse(&c->shape[0], &c->shape[1]);
  return why ? why : refuse_law(&c->law);
}

omr_status omr_body_contact_add(omr_mb *mb, omr_body_contact *c, const char *name, int a, int b,
                                omr_error *error) {
  const char *why = refuse(c, a, b);
  if (why) return omr_fail(error, OMR_ERR_USAGE, "contact %s: %s", name, why);
  *c = (omr_body_contact){
      .base = {.a = a, .b = b}, .shape = {c->shape[0], c->shape[1]}, .law = c->law};
  omr_mb_add_constraint(mb, &c->base, &contact_kind, name);
  if (mb->failed)
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory for the multibody reference");
  const omr_frame *fa = &mb->frame[a], *fb = &mb->frame[b];
  omr_contact_settle_zones(c, fa, fb);
  omr_contact_place p = omr_contact_place_of(c, fa, fb);
  double nearest = c->law.normal == OMR_NORMAL_UNILATERAL ? OMR_CONTACT_TOUCH : 0;
  c->closed = c->law.normal == OMR_NORMAL_HELD || p.gap < nearest;
  omr_contact_settle_slip(c, &p, fa);
  return OMR_OK;
}

double omr_contact_load(const omr_mb *mb, const omr_body_contact *c, const omr_contact_place *p) {
  if (!c->closed) return 0;
  return omr_contact_is_rigid(c) ? omr_mb_multiplier(mb, &c->base, 0) : compliant_load(c, p);
}

/* Force on B across n that keeps the contact from slipping. */
omr_vec omr_contact_reaction(const omr_mb *mb, const omr_body_contact *c,
                             const omr_contact_place *p) {
  if (!c->closed || !omr_contact_has_stick_rows(c)) return omr_vec_of(0, 0, 0);
  omr_vec e1, e2;
  int first = omr_contact_is_rigid(c) ? 1 : 0;
  omr_perpendicular(p->n, &e1, &e2);
  return omr_axpy(omr_scale(omr_mb_multiplier(mb, &c->base, first), e1),
                  omr_mb_multiplier(mb, &c->base, first + 1), e2);
}

static double spring_energy(const omr_body_contact *c, const omr_contact_place *p) {
  double power = c->law.exponent > 0 ? c->law.exponent : 1;
  if (omr_contact_is_rigid(c) || !c->closed || p->gap >= 0) return 0;
  return c->law.stiffness * pow(-p->gap, power + 1) / (power + 1);
}

/* Power that the contact takes from the bodies less the power that goes into its spring. */
static double dissipated(const omr_body_contact *c, const omr_contact_sight *s, const omr_frame *a,
                         const omr_frame *b) {
  double power = c->law.exponent > 0 ? c->law.exponent : 1, gap = s->place.gap;
  double loss = -omr_dot(s->friction, s->tangent) - omr_dot(s->resistance, omr_sub(b->w, a->w));
  if (omr_contact_is_rigid(c) || gap >= 0) return loss;
  return loss - (s->load - c->law.stiffness * pow(-gap, power)) * s->place.gap_rate;
}

omr_contact_sight omr_body_contact_look(const omr_mb *mb, const omr_body_contact *c) {
  const omr_frame *a = &mb->frame[c->base.a], *b = &mb->frame[c->base.b];
  omr_contact_sight s = {.place = omr_contact_place_of(c, a, b), .closed = c->closed};
  s.tangent = omr_contact_tangent(&s.place);
  if (!c->closed) return s;
  omr_vec force, torque;
  per_load(c, &s.place, a, b, &force, &torque);
  s.sticks = omr_contact_has_stick_rows(c) || (omr_contact_is_dry(c) && c->slip == OMR_SLIP_STICKS);
  s.load = omr_contact_load(mb, c, &s.place);
  s.friction = omr_axpy(omr_axpy(omr_contact_reaction(mb, c, &s.place), s.load, force),
                        -c->law.viscous, s.tangent);
  s.resistance = omr_scale(s.load, torque);
  s.spring = spring_energy(c, &s.place);
  s.dissipated = dissipated(c, &s, a, b);
  return s;
}
