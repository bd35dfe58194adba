#include "compliant_contact.h"

/* The profile's own support function, from its construction: on an upright wheel the roller at
 * angle q has its centre at the height R - R1 cos q and its axis at the component c = cos psi sin q
 * of the vertical, whatever q. */
static double envelope(const omr_compliant_law *law, double c, double *slope) {
  const double s = c / law->cos_psi, cosine = sqrt(1 - s * s);
  *slope = law->center * s / (law->cos_psi * cosine);
  return law->radius - law->center * cosine;
}

/* A body of revolution with the support function H(c) touches with a circle at the place c H + (1 -
 * c^2) H' along the axis, with the radius sqrt(1 - c^2) (H - c H'). */
void omr_compliant_complete(omr_compliant_law *law) {
  if (law->end < -1) { /* of a disc */
    law->rim = law->radius;
    return;
  }
  double slope, height = envelope(law, law->end, &slope) - law->fillet;
  const double c = law->end, across = sqrt(1 - c * c);
  law->rim_place = c * height + across * across * slope;
  law->rim = across * (height - c * slope);
}

int omr_compliant_end_of(const omr_compliant_law *law, double c) {
  return c > law->end ? 1 : c < -law->end ? -1 : 0;
}

/* Beyond the end it is the support function of a circle; a distance along the normal adds to it
 * (appendix/reference.md#bodies). */
double omr_compliant_support(const omr_compliant_law *law, double c, int end, double *slope) {
  double derivative, height;
  if (end == 0) {
    height = envelope(law, c, &derivative) - law->undersize;
  } else {
    const double across = sqrt(1 - c * c);
    height = end * law->rim_place * c + law->rim * across + law->fillet - law->undersize;
    derivative = end * law->rim_place - law->rim * c / across;
  }
  if (slope) *slope = derivative;
  return height;
}

/* Second derivative by c. */
static double bent(const omr_compliant_law *law, double c, int end) {
  if (end == 0) {
    const double s = c / law->cos_psi;
    return law->center / (law->cos_psi * law->cos_psi * pow(1 - s * s, 1.5));
  }
  return -law->rim * pow(1 - c * c, -1.5);
}

/* A roller in a pose. */
typedef struct posed {
  const omr_compliant_law *law;
  omr_vec e;
  int end;
} posed;

/* The deepest point is the gradient of the support function of all vectors, |m| H(e.m/|m|), whose
 * second derivative is (H - c H')(1 - n n^T) + H'' (e - c n)(e - c n)^T
 * (appendix/reference.md#bodies). */
static omr_support support_of(const void *self, omr_vec n) {
  const posed *p = self;
  const double c = omr_dot(p->e, n);
  const int end = p->end == OMR_ANY_END ? omr_compliant_end_of(p->law, c) : p->end;
  double slope;
  omr_support out = {.height = omr_compliant_support(p->law, c, end, &slope)};
  const double round = out.height - c * slope, bend = bent(p->law, c, end);
  const omr_vec across = omr_axpy(p->e, -c, n);
  out.point = omr_neg(omr_axpy(omr_scale(round, n), slope, p->e));
  out.turns = (omr_mat){{omr_axpy(omr_scale(-round * n.x, n), bend * across.x, across),
                         omr_axpy(omr_scale(-round * n.y, n), bend * across.y, across),
                         omr_axpy(omr_scale(-round * n.z, n), bend * across.z, across)}};
  out.turns.row[0].x += round;
  out.turns.row[1].y += round;
  out.turns.row[2].z += round;
  return out;
}

omr_terrain_touch omr_compliant_meet(const omr_compliant_law *law, const omr_terrain *terrain,
                                     omr_vec centre, omr_vec e, int end) {
  const posed p = {law, e, end};
  omr_terrain_touch touch = omr_terrain_meet(terrain, centre, support_of, &p);
  touch.depth += law->sag;
  return touch;
}

static omr_vec axis_of(const omr_mb *mb, const omr_compliant_contact *c) {
  const bool disc = c->base.b == c->wheel;
  return omr_times(&mb->frame[c->base.b].t, omr_vec_of(!disc, 0, disc));
}

static omr_terrain_touch meet(const omr_mb *mb, const omr_compliant_contact *c, int end) {
  return omr_compliant_meet(c->law, c->terrain, mb->frame[c->base.b].r, axis_of(mb, c), end);
}

static int end_by_state(const omr_compliant_contact *c) {
  return c->state.touches ? c->state.end : OMR_ANY_END;
}

double omr_compliant_along(const omr_mb *mb, const omr_compliant_contact *c) {
  return omr_dot(axis_of(mb, c), meet(mb, c, end_by_state(c)).normal);
}

double omr_compliant_depth(const omr_mb *mb, const omr_compliant_contact *c) {
  return meet(mb, c, OMR_ANY_END).depth;
}

/* Load by spring and damper (appendix/reference.md#bodies). */
static double load_of(const omr_compliant_law *law, double spring, double deepens) {
  return law->kelvin_voigt ? spring + law->damping * deepens
                           : spring * (1 + law->damping * deepens);
}

double omr_compliant_margin(const omr_compliant_law *law, double spring, double deepens) {
  return law->kelvin_voigt ? load_of(law, spring, deepens) : 1 + law->damping * deepens;
}

bool omr_compliant_carries(const omr_compliant_contact *c) {
  return c->state.touches && !c->state.slack;
}

/* Friction that depends on the slip only. turns: angular velocity of the wheel about its axle, in
 * space. */
static void slide(const omr_compliant_contact *c, double turns, omr_compliant_press *p) {
  const omr_slipping slip = {.v = omr_axpy(p->velocity, -omr_dot(p->velocity, p->n), p->n),
                             .i = p->i,
                             .k = p->k,
                             .rolling = c->law->radius * turns};
  const omr_vec force = omr_scale(p->load, omr_friction_force(&c->friction, p->coefficient, &slip));
  p->force_i = omr_dot(force, p->i);
  p->force_k = omr_dot(force, p->k);
}

/* Friction by the bristles, whose deflections are own states. */
static void bend(const omr_mb *mb, const omr_compliant_contact *c, omr_compliant_press *p) {
  const double *own = omr_mb_own(mb, &c->base);
  const omr_bent b =
      omr_bristle_bend(c->bristle, omr_compliant_carries(c) ? p->coefficient : 0,
                       (omr_level){own[0], own[1]}, (omr_level){p->slip_i, p->slip_k});
  p->bends = b.rate;
  p->force_i = p->load * b.force.i;
  p->force_k = p->load * b.force.k;
}

/* The vertical depth d grows by -n.v/n_y of the deepest material point. The force k d^p/n_y along n
 * therefore stores the energy of a spring of that depth
 * (appendix/reference.md#bodies). */
omr_compliant_press omr_compliant_at(const omr_mb *mb, const omr_compliant_contact *c) {
  /* where the roller is deepest, and the directions there */
  const omr_frame *roller = &mb->frame[c->base.b];
  const omr_vec axle = omr_times(&mb->frame[c->wheel].t, omr_vec_of(0, 0, 1));
  const omr_terrain_touch touch = meet(mb, c, end_by_state(c));
  const omr_vec n = touch.normal;
  omr_compliant_press p = {
      .n = n, .d = touch.point, .i = omr_unit(omr_cross(n, axle)), .depth = touch.depth};
  p.k = omr_cross(p.i, n);

  /* slip of the deepest material point */
  p.velocity = omr_point_velocity(roller, p.d);
  p.deepens = -omr_dot(p.velocity, n);
  p.slip_i = omr_dot(p.velocity, p.i);
  p.slip_k = omr_dot(p.velocity, p.k);
  p.coefficient = omr_friction_coefficient(&c->friction, mb->time, omr_add(roller->r, p.d));

  /* spring and damper by its discrete states */
  if (c->state.touches && p.depth > 0)
    p.spring = c->law->stiffness * pow(p.depth, c->law->exponent) / n.y;
  if (omr_compliant_carries(c)) p.load = load_of(c->law, p.spring, p.deepens);

  /* friction by bristles or by the slip */
  if (c->bristle)
    bend(mb, c, &p);
  else if (omr_compliant_carries(c))
    slide(c, omr_dot(mb->frame[c->wheel].w, axle), &p);

  return p;
}

double omr_compliant_stored(const omr_mb *mb, const omr_compliant_contact *c) {
  if (!c->state.touches) return 0;
  const omr_compliant_press p = omr_compliant_at(mb, c);
  return p.spring * p.n.y * p.depth / (c->law->exponent + 1);
}

double omr_compliant_lost(const omr_compliant_press *p) {
  return (p->load - p->spring) * p->deepens - (p->force_i * p->slip_i + p->force_k * p->slip_k);
}

omr_vec omr_compliant_force(const omr_compliant_press *p) {
  return omr_axpy(omr_axpy(omr_scale(p->load, p->n), p->force_i, p->i), p->force_k, p->k);
}

/* Rate of the bristles of a roller in the air. */
static void spring_back(const omr_compliant_contact *c, const omr_mb_view *view,
                        omr_mb_effect *out) {
  const omr_bent b =
      omr_bristle_bend(c->bristle, 0, (omr_level){view->own[0], view->own[1]}, (omr_level){0, 0});
  out->rate[0] = b.rate.i;
  out->rate[1] = b.rate.k;
}

/* Wrench of the load and its friction (appendix/reference.md#bodies). */
static void contact_effect(const omr_mb_constraint *base, const omr_mb_view *view,
                           omr_mb_effect *out) {
  const omr_compliant_contact *c = (const omr_compliant_contact *)base;
  if (!c->state.touches) {
    if (c->bristle) spring_back(c, view, out);
    return;
  }
  const omr_compliant_press p = omr_compliant_at(view->mb, c);
  if (c->bristle) {
    out->rate[0] = p.bends.i;
    out->rate[1] = p.bends.k;
  }
  out->force[1] = omr_compliant_force(&p);
  out->torque[1] = omr_cross(p.d, out->force[1]);
  if (!c->dry) return;
  const omr_dry_contact dry = c->dry(c->dry_self, view->mb, p.load);
  omr_dry_brake(&dry, view, out->force[1], p.n, out);
}

static const omr_mb_kind contact_kind = {"compliant roller contact", 0, contact_effect, NULL,
                                         false};
static const omr_mb_kind bristle_kind = {"roller contact on bristles", OMR_BRISTLE_STATES,
                                         contact_effect, NULL, false};

void omr_compliant_add(omr_mb *mb, omr_compliant_contact *c, const char *name, int wheel,
                       int roller) {
  c->base = (omr_mb_constraint){.a = c->dry ? wheel : 0, .b = roller};
  c->wheel = wheel;
  omr_mb_add_constraint(mb, &c->base, c->bristle ? &bristle_kind : &contact_kind, name);
}
