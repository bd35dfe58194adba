/* Rollers of omni wheels: their contacts from the study, and the rings that they form. */
#include "graph_system.h"

#include <stdlib.h>

/* Angles and lengths of wheels that expressions have placed are good to rounding. */
#define PLACED 1e-9

#define KEY(key) OMR_GRAPH_KEY_CONTACT_##key

/* Law of the study as one of host/lists/laws.def: parameters without a word in the study take the
 * values of isotropic friction. */
static omr_friction friction_of(const omr_graph_system *s, const omr_graph_element *e) {
  enum { ROLLS, REGULARIZED, SATURATED };
  omr_friction f = {.law = e->word[KEY(ROLLER_LAW)] == REGULARIZED ? OMR_LAW_REGULARIZED
                                                                   : OMR_LAW_COULOMB,
                    .coefficient = omr_graph_given(s, e, KEY(FRICTION)),
                    .slip_speed = omr_graph_given(s, e, KEY(SLIP_SPEED)),
                    .linear = e->word[KEY(ZONE)] == 1};
  f.values[OMR_WP_FRICTION] = f.coefficient;
  f.values[OMR_WP_SLIP_SPEED] = f.slip_speed;
  f.values[OMR_WP_LATERAL_FRICTION] = f.values[OMR_WP_LONGITUDINAL_FRICTION] = (double)NAN;
  return f;
}

/* The place of a roller in its wheel follows from the places of both bodies: R1, psi, the row, the
 * angle. */
static bool place_roller(const omr_graph_system *s, const omr_mb *mb, const omr_graph_element *e,
                         omr_ring_place *place, omr_reason *why) {
  omr_roller_contact *c = &place->roller->contact;

  const omr_frame *wheel = &mb->frame[e->word[KEY(WHEEL)]], *roller = &mb->frame[e->body[1]];

  /* centre and axis of the roller in the axes of the wheel */
  const omr_vec u = omr_transposed_times(&wheel->t, omr_sub(roller->r, wheel->r)),
                axis = omr_transposed_times(&wheel->t, omr_times(&roller->t, omr_vec_of(1, 0, 0)));

  c->radius = omr_graph_given(s, e, KEY(RADIUS));
  c->center = hypot(u.x, u.y);
  c->shift = u.z;
  place->angle = atan2(u.x, -u.y);
  c->cos_psi = axis.x * cos(place->angle) + axis.y * sin(place->angle);

  /* the roller must be inside of the wheel, and across its distance from the axle */
  if (!(c->center > 0 && c->radius > c->center))
    return omr_refuse(why,
                      "contact %.100s: the roller's centre must be between the wheel's axle (its z "
                      "axis) and radius",
                      e->path);
  if (fabs(axis.x * sin(place->angle) - axis.y * cos(place->angle)) > PLACED ||
      !(fabs(c->cos_psi) > PLACED))
    return omr_refuse(why,
                      "contact %.100s: the roller's x axis must be across its distance from the "
                      "axle, and not along it",
                      e->path);

  return true;
}

/* Adds a roller once its share of the wheel is known. */
static bool add_roller(const omr_graph_system *s, omr_mb *mb, const omr_graph_element *e,
                       const omr_ring_place *place, omr_reason *why) {
  omr_roller_contact *c = &place->roller->contact;
  omr_friction *f = &place->roller->friction;

  const omr_frame *wheel = &mb->frame[e->word[KEY(WHEEL)]];
  const omr_vec along = omr_times(&mb->frame[e->body[1]].t, omr_vec_of(1, 0, 0)),
                k = omr_times(&wheel->t, omr_vec_of(0, 0, 1));
  const double alpha = fmax(place->behind, place->ahead);

  /* the law, and the shape of the roller up to its edges */
  *f = friction_of(s, e);
  c->rolling = e->word[KEY(ROLLER_LAW)] == 0 ? OMR_CONTACT_ROLLS : OMR_CONTACT_SLIDES;
  c->tracking = (omr_tracking)e->word[KEY(TRACKING)];
  c->surface =
      omr_roller_surface(c->radius, c->center, atan(omr_dot(along, k) / c->cos_psi), alpha + 0.02);
  c->baumgarte = omr_graph_given(s, e, KEY(BAUMGARTE));
  c->friction = f;

  if (!(f->slip_speed > 0))
    return omr_refuse(why, "contact %.100s: slip_speed must be above 0", e->path);
  if (!(f->coefficient >= 0))
    return omr_refuse(why, "contact %.100s: friction must not be below 0", e->path);
  if (!(cos(alpha) > 0 && c->center / cos(alpha) <= c->radius * (1 + PLACED)))
    return omr_refuse(why,
                      "contact %.100s: the rollers end before their neighbours: the roller's "
                      "centre is too near to radius, or there are too few rollers",
                      e->path);

  omr_roller_contact_add(mb, c, e->path, e->word[KEY(WHEEL)], e->body[1]);
  return true;
}

/* RINGS */

static omr_graph_ring *ring_of(omr_graph_rings *rings, int wheel) {
  for (int i = 0; i < rings->count; i++)
    if (rings->ring[i].wheel == wheel) return &rings->ring[i];
  omr_graph_ring *added = &rings->ring[rings->count++];
  *added = (omr_graph_ring){.wheel = wheel, .last_step = -1};
  return added;
}

/* Inserts a roller by its angle; there is room for all. */
static void insert(omr_graph_ring *ring, omr_ring_place place) {
  int at = ring->rollers++;
  for (; at > 0 && ring->place[at - 1].angle > place.angle; at--)
    ring->place[at] = ring->place[at - 1];
  ring->place[at] = place;
}

/* Each roller's share of the wheel reaches half way to its neighbours
 * (appendix/reference.md#bodies). */
static void share_wheel(omr_graph_ring *ring) {
  for (int i = 0; i < ring->rollers; i++) {
    const int next = (i + 1) % ring->rollers;
    const double turn = next == 0 ? 2 * PI : 0;
    ring->place[i].behind = ring->place[next].ahead =
        0.5 * (ring->place[next].angle + turn - ring->place[i].angle);
  }
}

static bool is_roller(const omr_graph_element *e) {
  return e->kind == OMR_GRAPH_KIND_CONTACT_ROLLER;
}

static bool make_rings(omr_graph_system *s) {
  omr_graph_rings *rings = &s->rings;
  rings->ring = omr_pool_take(&s->owner->memory, (size_t)s->graph->bodies + 1, sizeof *rings->ring);
  if (!rings->ring) return false;
  for (int e = 0; e < s->graph->elements; e++)
    if (is_roller(&s->graph->element[e]))
      ring_of(rings, s->graph->element[e].word[KEY(WHEEL)])->rollers++;
  for (int i = 0; i < rings->count; i++) {
    omr_graph_ring *r = &rings->ring[i];
    r->place = omr_pool_take(&s->owner->memory, (size_t)r->rollers, sizeof *r->place);
    r->rollers = 0;
    if (!r->place) return false;
  }
  return true;
}

static bool find_places(omr_graph_system *s, const omr_mb *mb, omr_reason *why) {
  /* sort the rollers into rings, one for each wheel */
  for (int e = 0; e < s->graph->elements; e++) {
    const omr_graph_element *element = &s->graph->element[e];
    omr_ring_place place = {.roller = &s->object[e].is.roller};
    if (!is_roller(element)) continue;
    if (!place_roller(s, mb, element, &place, why)) return false;
    insert(ring_of(&s->rings, element->word[KEY(WHEEL)]), place);
  }

  /* share the wheel among the rollers of each ring */
  for (int i = 0; i < s->rings.count; i++) {
    omr_graph_ring *ring = &s->rings.ring[i];
    if (ring->rollers < 3)
      return omr_refuse(why, "body %.100s has %d roller%s; a wheel stands on one of three or more",
                        s->graph->body[ring->wheel].path, ring->rollers,
                        ring->rollers == 1 ? "" : "s");

    share_wheel(ring);
    for (int j = 0; j < ring->rollers; j++) {
      if (ring->place[j].behind > PLACED) continue;
      return omr_refuse(why, "body %.100s has two rollers at one angle, or a roller two contacts",
                        s->graph->body[ring->wheel].path);
    }
  }

  return true;
}

static const omr_ring_place *place_of(const omr_graph_system *s, int element) {
  for (int i = 0; i < s->rings.count; i++) {
    const omr_graph_ring *ring = &s->rings.ring[i];
    for (int j = 0; j < ring->rollers; j++)
      if (ring->place[j].roller == &s->object[element].is.roller) return &ring->place[j];
  }
  return NULL;
}

/* START */

/* Spin of the roller in contact that leaves the least slip: v_P + phi' e x d, its horizontal part
 * shortest. */
static bool roll(omr_mb *mb, omr_roller_contact *c) {
  const omr_roller_point p = omr_roller_contact_point(mb, c);
  const omr_frame roller = mb->frame[c->base.b];
  const omr_vec e = omr_times(&roller.t, omr_vec_of(1, 0, 0));
  omr_vec v = omr_roller_contact_velocity(mb, c, &p), gain = omr_cross(e, p.d);
  v.y = gain.y = 0;
  if (!(omr_norm(p.d) > 1e-6 * c->radius)) return false; /* a pointed tip */
  omr_mb_set_velocity(mb, c->base.b, roller.v,
                      omr_axpy(roller.w, -omr_dot(v, gain) / omr_dot(gain, gain), e));
  return true;
}

/* Puts the wheel on the floor, at a height that the condition on the velocity then keeps. */
static bool start_roller(const omr_graph_system *s, omr_mb *mb, int element, omr_reason *why) {
  const omr_graph_element *e = &s->graph->element[element];
  omr_roller_contact *c = &s->object[element].is.roller.contact;
  if (!c->touches) return true;
  const double height = mb->frame[c->base.b].r.y + omr_roller_contact_point(mb, c).d.y;
  if (!(fabs(height) <= PLACED * c->radius))
    return omr_refuse(why,
                      "contact %.100s: the roller starts %.3g m above the floor y = 0; the wheel's "
                      "centre must be as high as its radius, %.6g m, and its axle level",
                      e->path, height, c->radius);
  if (e->word[KEY(ROLLER_START)] == 0 || roll(mb, c)) return true;
  return omr_refuse(why,
                    "contact %.100s: the wheel starts on the pointed tip of a roller, which cannot "
                    "roll; turn the wheel",
                    e->path);
}

bool omr_graph_add_rollers(omr_graph_system *s, omr_mb *mb, omr_reason *why) {
  if (!make_rings(s)) return omr_refuse(why, "out of memory");
  if (!find_places(s, mb, why)) return false;
  for (int e = 0; e < s->graph->elements; e++)
    if (is_roller(&s->graph->element[e]) &&
        !add_roller(s, mb, &s->graph->element[e], place_of(s, e), why))
      return false;
  if (mb->failed) return true; /* reported when the system is complete */
  for (int i = 0; i < s->rings.count; i++) omr_ring_settle(&s->rings.ring[i], mb);
  for (int e = 0; e < s->graph->elements; e++)
    if (is_roller(&s->graph->element[e]) && !start_roller(s, mb, e, why)) return false;
  return true;
}

/* QUANTITIES */

double omr_graph_roller_value(const omr_graph_system *s, int element, int quantity) {
  const omr_mb *mb = s->owner->mb;
  const omr_roller_contact *c = &s->object[element].is.roller.contact;
  if (quantity == OMR_GRAPH_CONTACT_TOUCHES) return c->touches ? 1 : 0;

  /* a roller in the air has neither load nor friction */
  if (quantity == OMR_GRAPH_CONTACT_LOAD || quantity == OMR_GRAPH_CONTACT_FRICTION) {
    if (!c->touches) return 0;
    if (quantity == OMR_GRAPH_CONTACT_LOAD) return omr_mb_multiplier(mb, &c->base, 0);
    const omr_vec force = omr_mb_wrench(mb, &c->base, 1).force;
    return hypot(force.x, force.z);
  }

  /* nor a place of contact */
  if (!c->touches) return (double)NAN;

  const omr_roller_point p = omr_roller_contact_point(mb, c);
  const omr_vec place = omr_add(mb->frame[c->base.b].r, p.d),
                v = omr_roller_contact_velocity(mb, c, &p);

  switch (quantity) {
  case OMR_GRAPH_CONTACT_CX: return place.x;
  case OMR_GRAPH_CONTACT_CZ: return place.z;
  case OMR_GRAPH_CONTACT_SLIP: return hypot(v.x, v.z);
  default: return place.y; /* CY, GAP: the floor is at 0 */
  }
}
