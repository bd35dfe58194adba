/* Switches of a group of contacts: contact and flight, sticking and sliding, the parts of the laws
 * and of the shapes. Between two events every right-hand side is smooth. */
#include "../multibody/multibody.h"
#include "body_contact_inside.h"

/* Event functions of one contact. */
enum { CONTACT, CUT, SLIP, FRESH, ZONE };

#define SLIP_MARGIN 1e-12 /* m/s by which a slip may turn back before it counts as ended */
#define OPEN_MARGIN 1e-12 /* m by which a contact that opens without speed may come nearer */

#define LEAST_RATE 1e-6 /* m/s2: a slower start has no direction of its own */
enum { AIMS = 400 };    /* most turns that directions of slip take to settle */

static omr_vec kept_direction(const omr_body_contact *c, const omr_mb *mb) {
  return omr_times(&mb->frame[c->base.a].t, c->along);
}

/* True if an event watches the sign of the normal force. */
static bool cuts(const omr_body_contact *c) {
  bool by_load = omr_contact_is_dry(c) || c->law.rolling > 0 || c->law.spinning > 0;
  return c->law.normal == OMR_NORMAL_COMPLIANT || (c->law.normal == OMR_NORMAL_HELD && by_load);
}

static bool asks_for_forces(const omr_body_contact *c) {
  if (!c->closed) return false;
  bool sticks = omr_contact_is_set_valued(c) && c->slip == OMR_SLIP_STICKS;
  return c->law.normal == OMR_NORMAL_UNILATERAL || sticks ||
         (c->law.normal == OMR_NORMAL_HELD && cuts(c));
}

/* Largest friction less the reaction needed to stick, N. */
static double grip(const omr_mb *mb, const omr_body_contact *c, const omr_contact_place *p) {
  return c->law.friction * fabs(omr_contact_load(mb, c, p)) -
         omr_norm(omr_contact_reaction(mb, c, p));
}

static void slip_values(const omr_mb *mb, const omr_body_contact *c, const omr_contact_place *p,
                        double *g) {
  omr_vec s = omr_contact_tangent(p);
  double square = omr_dot(s, s),
         most = omr_contact_has_slip_speed(c) ? c->law.slip_speed * c->law.slip_speed : 0;
  if (omr_contact_has_slip_speed(c)) {
    g[SLIP] = (c->slip == OMR_SLIP_SLIDES ? square - most : most - square) + 1e-12 * most;
    return;
  }
  double small = omr_contact_stick_speed(c);
  switch (c->slip) {
  case OMR_SLIP_STICKS: g[SLIP] = grip(mb, c, p); break;
  case OMR_SLIP_SLIDES: g[SLIP] = sqrt(square) - small; break;
  case OMR_SLIP_STARTS:
    g[SLIP] = omr_dot(s, kept_direction(c, mb)) + SLIP_MARGIN;
    g[FRESH] = 4 * small * small - square;
    break;
  }
}

static void contact_values(const omr_mb *mb, const omr_body_contact *c, double *g) {
  omr_contact_place p = omr_body_contact_place(mb, c);
  for (int i = 0; i < OMR_CONTACT_EVENTS; i++) g[i] = 1;
  if (!c->closed) {
    g[CONTACT] = p.gap - c->floor;
  } else {
    if (c->law.normal == OMR_NORMAL_COMPLIANT) g[CONTACT] = -p.gap;
    if (c->law.normal == OMR_NORMAL_UNILATERAL) g[CONTACT] = omr_contact_load(mb, c, &p);
    if (cuts(c)) {
      double load =
          omr_contact_is_rigid(c) ? omr_contact_load(mb, c, &p) : omr_contact_push(&c->law, &p);
      g[CUT] = c->released ? -load : load;
    }
    if (omr_contact_is_dry(c)) slip_values(mb, c, &p, g);
  }
  g[ZONE] = omr_contact_zone_margin(c, &mb->frame[c->base.a], &mb->frame[c->base.b]);
}

void omr_contact_values(void *self, const omr_mb *mb, double *g) {
  const omr_contact_group *group = self;
  bool forces = false;
  for (int i = 0; i < group->count; i++) forces = forces || asks_for_forces(group->contact[i]);
  omr_error ignored = {0};
  if (forces && omr_mb_evaluate(group->mb, NULL, &ignored) != OMR_OK) forces = false;
  for (int i = 0; i < group->count; i++) {
    contact_values(mb, group->contact[i], g + OMR_CONTACT_EVENTS * i);
    if (!forces && asks_for_forces(group->contact[i])) { /* no solution: unknown forces */
      for (int k = 0; k < ZONE; k++) g[OMR_CONTACT_EVENTS * i + k] = 1;
    }
  }
}

static void open_contact(omr_body_contact *c, const omr_contact_place *p) {
  c->closed = false;
  c->floor = fmin(0, p->gap) - OPEN_MARGIN;
}

/* Opens the closed contact that pulls most; true if there was one. */
static bool open_one(omr_contact_group *g) {
  omr_body_contact *worst = NULL;
  double least = 0;
  for (int i = 0; i < g->count; i++) {
    omr_body_contact *c = g->contact[i];
    if (!c->closed || c->law.normal != OMR_NORMAL_UNILATERAL) continue;
    double load = omr_mb_multiplier(g->mb, &c->base, 0);
    if (!(load < least)) continue;
    least = load;
    worst = c;
  }
  if (!worst) return false;
  omr_contact_place p = omr_body_contact_place(g->mb, worst);
  open_contact(worst, &p);
  return true;
}

/* The contact that sticks farthest outside of its cone slides off against the reaction. */
static bool slip_one(omr_contact_group *g) {
  omr_body_contact *worst = NULL;
  double least = 0;
  omr_vec force = {0, 0, 0};
  for (int i = 0; i < g->count; i++) {
    omr_body_contact *c = g->contact[i];
    if (!c->closed || !omr_contact_is_set_valued(c) || c->slip != OMR_SLIP_STICKS) continue;
    omr_contact_place p = omr_body_contact_place(g->mb, c);
    omr_vec reaction = omr_contact_reaction(g->mb, c, &p);
    double lack = grip(g->mb, c, &p) + 1e-12 * omr_norm(reaction);
    if (!(lack < least)) continue;
    least = lack;
    worst = c;
    force = reaction;
  }
  if (!worst) return false;
  omr_contact_keep_direction(worst, &g->mb->frame[worst->base.a], omr_neg(force));
  return true;
}

/* Rate of the slip by the last evaluation, with its part along n. */
static omr_vec slip_rate(const omr_mb *mb, const omr_body_contact *c, const omr_contact_place *p) {
  omr_vec rate = {0, 0, 0};
  const int body[2] = {c->base.a, c->base.b};
  for (int i = 0; i < 2; i++) {
    const omr_acceleration *a = &mb->acceleration[body[i]];
    const omr_frame *f = &mb->frame[body[i]];
    omr_vec point = omr_add(omr_add(a->a, omr_cross(a->e, p->arm[i])),
                            omr_cross(f->w, omr_sub(p->trail, f->v)));
    rate = omr_axpy(rate, i ? 1 : -1, point);
  }
  return rate;
}

/* True for an open contact that touches and parts slower than any rebound that counts. */
static bool lingers(const omr_body_contact *c, const omr_contact_place *p) {
  return !c->closed && c->law.normal == OMR_NORMAL_UNILATERAL &&
         p->gap <= c->floor + OMR_CONTACT_TOUCH && p->gap_rate < omr_contact_rest_speed(&c->law);
}

/* Closes a lingering contact whose bodies accelerate towards each other: its flight would be over
 * before an event could be found. *closed is set if there was one. */
static omr_status close_one(omr_contact_group *g, bool *closed, omr_error *error) {
  *closed = false;
  for (int i = 0; i < g->count; i++) {
    omr_body_contact *c = g->contact[i];
    omr_contact_place p = omr_body_contact_place(g->mb, c);
    if (!lingers(c, &p)) continue;
    double gap = omr_dot(p.n, slip_rate(g->mb, c, &p)) + omr_dot(p.n_rate, p.slip);
    if (!(gap < -LEAST_RATE)) continue;
    c->closed = *closed = true;
    omr_contact_settle_slip(c, &p, &g->mb->frame[c->base.a]);
    return omr_contact_lock(g, error);
  }
  return OMR_OK;
}

/* Largest acceleration across n that a unit of force across n gives to the two bodies if they are
 * free. */
static double mobility(const omr_mb *mb, const omr_body_contact *c, const omr_contact_place *p) {
  const int body[2] = {c->base.a, c->base.b};
  omr_vec e[2];
  double sum = 0;
  omr_perpendicular(p->n, &e[0], &e[1]);
  for (int i = 0; i < 4; i++) {
    if (body[i / 2] == 0) continue;
    omr_vec turn = omr_cross(p->arm[i / 2], e[i % 2]);
    sum += 1 / mb->body[body[i / 2]].mass +
           omr_dot(turn, omr_mb_inverse_inertia(mb, body[i / 2], turn));
  }
  return sum;
}

/* True for a set-valued contact that begins to slip; compliant ones know their load and start
 * against their reaction. */
static bool begins(const omr_body_contact *c, const omr_contact_place *p) {
  return c->closed && omr_contact_is_rigid(c) && c->slip == OMR_SLIP_STARTS &&
         omr_contact_is_set_valued(c) &&
         omr_norm(omr_contact_tangent(p)) <= 1e-4 * omr_contact_stick_speed(c);
}

/* Contacts begin to slip along the rate of their slip, which depends on their own friction; the
 * reaction that was too large is only a first guess if several contacts share the load. The
 * direction u for which rate(u) is along u is approached by u = rate(u) + k u, with k at least the
 * acceleration that all this friction can cause, so that the iteration does not swing. True if a
 * direction has changed (appendix/reference.md#bodies). */
static bool aim(omr_contact_group *g) {
  /* the acceleration that all this friction can cause */
  double most = 0;
  for (int i = 0; i < g->count; i++) {
    const omr_body_contact *c = g->contact[i];
    omr_contact_place p = omr_body_contact_place(g->mb, c);
    if (begins(c, &p))
      most += c->law.friction * fabs(omr_contact_load(g->mb, c, &p)) * mobility(g->mb, c, &p);
  }

  /* turn each direction towards the rate of its slip */
  bool any = false;
  for (int i = 0; i < g->count; i++) {
    omr_body_contact *c = g->contact[i];
    omr_contact_place p = omr_body_contact_place(g->mb, c);
    if (!begins(c, &p)) continue;

    omr_vec rate = slip_rate(g->mb, c, &p), kept = kept_direction(c, g->mb);
    rate = omr_axpy(rate, -omr_dot(rate, p.n), p.n);
    if (omr_norm(rate) < LEAST_RATE) continue;

    omr_vec now = omr_unit(omr_axpy(rate, most, kept));
    any = any || omr_norm(omr_sub(now, kept)) > 1e-10;
    omr_contact_keep_direction(c, &g->mb->frame[c->base.a], now);
  }
  return any;
}

static bool needs_forces(const omr_contact_group *g) {
  for (int i = 0; i < g->count; i++) {
    const omr_body_contact *c = g->contact[i];
    if (asks_for_forces(c) || (c->closed && c->slip == OMR_SLIP_STARTS)) return true;
    omr_contact_place p = omr_body_contact_place(g->mb, c);
    if (lingers(c, &p)) return true;
  }
  return false;
}

/* Finds discrete states that agree with the forces that they lead to. */
static omr_status settle(omr_contact_group *g, omr_error *error) {
  for (int turn = 0; turn <= 2 * g->count + AIMS && needs_forces(g); turn++) {
    omr_status status = omr_mb_evaluate(g->mb, NULL, error);
    bool closed = false;
    if (status != OMR_OK) return status;
    if (open_one(g)) continue;
    status = close_one(g, &closed, error);
    if (status != OMR_OK) return status;
    if (!closed && !slip_one(g) && !aim(g)) return OMR_OK;
  }
  return OMR_OK;
}

/* The slip along the kept direction has ended, and perhaps the slip of other contacts of the same
 * body with it: they stick if the cones allow that, otherwise they slide back. */
static omr_status end_slip(omr_contact_group *g, omr_body_contact *ended, omr_error *error) {
  for (int i = 0; i < g->count; i++) {
    omr_body_contact *c = g->contact[i];
    if (!c->closed || !omr_contact_is_set_valued(c)) continue;
    omr_contact_place p = omr_body_contact_place(g->mb, c);
    bool small = omr_norm(omr_contact_tangent(&p)) <= 1e-4 * omr_contact_stick_speed(c);
    if (c == ended || small) c->slip = OMR_SLIP_STICKS;
  }
  omr_status status = settle(g, error);
  if (status != OMR_OK || ended->slip != OMR_SLIP_STICKS) return status;
  return omr_contact_lock(g, error);
}

static omr_status slip_event(omr_contact_group *g, omr_body_contact *c, omr_error *error) {
  const omr_frame *a = &g->mb->frame[c->base.a];

  /* a regularized law only changes its form at the slip speed */
  omr_contact_place p = omr_body_contact_place(g->mb, c);
  if (omr_contact_has_slip_speed(c)) {
    c->slip = c->slip == OMR_SLIP_SLIDES ? OMR_SLIP_STICKS : OMR_SLIP_SLIDES;
    return OMR_OK;
  }
  /* an event of another contact at this instant may have settled this one already */
  omr_vec s = omr_contact_tangent(&p);
  switch (c->slip) {
  case OMR_SLIP_STARTS:
    return omr_dot(s, kept_direction(c, g->mb)) > 0 ? OMR_OK : end_slip(g, c, error);
  case OMR_SLIP_SLIDES:
    if (omr_norm(s) < 1.001 * omr_contact_stick_speed(c)) omr_contact_keep_direction(c, a, s);
    return OMR_OK;
  default: break;
  }

  /* a contact that sticks slides off once the reaction leaves the cone */
  omr_status status = omr_mb_evaluate(g->mb, NULL, error);
  omr_vec reaction = omr_contact_reaction(g->mb, c, &p);
  if (status == OMR_OK && grip(g->mb, c, &p) < 1e-9 * omr_norm(reaction))
    omr_contact_keep_direction(c, a, omr_neg(reaction));

  return status;
}

static omr_status contact_event(omr_contact_group *g, omr_body_contact *c, omr_error *error) {
  omr_contact_place p = omr_body_contact_place(g->mb, c);
  if (c->law.normal == OMR_NORMAL_COMPLIANT) {
    c->closed = !c->closed;
    c->floor = 0;
    c->released = c->closed && omr_contact_push(&c->law, &p) < 0;
    if (c->closed) omr_contact_settle_slip(c, &p, &g->mb->frame[c->base.a]);
    return OMR_OK;
  }
  /* an event of another contact at this instant may have closed or opened this one already */
  if (!c->closed) return p.gap_rate < OMR_CONTACT_TOUCH ? omr_contact_collide(g, error) : OMR_OK;
  omr_status status = omr_mb_evaluate(g->mb, NULL, error);
  if (status == OMR_OK && omr_contact_load(g->mb, c, &p) <= 0) open_contact(c, &p);
  return status;
}

/* The compliant force is cut off or returns, or a held load has changed its sign. */
static omr_status cut_event(omr_contact_group *g, omr_body_contact *c, omr_error *error) {
  omr_contact_place p = omr_body_contact_place(g->mb, c);
  omr_status status = omr_contact_is_rigid(c) ? omr_mb_evaluate(g->mb, NULL, error) : OMR_OK;
  double load =
      omr_contact_is_rigid(c) ? omr_contact_load(g->mb, c, &p) : omr_contact_push(&c->law, &p);
  if (c->released ? load >= 0 : load <= 0) c->released = !c->released;
  return status;
}

/* Refuses a cylinder of a rigid contact that lies flat on its side: one point cannot carry it. */
static omr_status refuse_flat(const omr_contact_group *g, const omr_body_contact *c,
                              omr_error *error) {
  const omr_frame *a = &g->mb->frame[c->base.a], *b = &g->mb->frame[c->base.b];
  int which = c->shape[0].kind == OMR_SHAPE_CYLINDER ? 0 : 1;
  const omr_shape *s = &c->shape[which];
  omr_vec z = omr_times(&(which ? b : a)->t, omr_times(&s->axes, omr_vec_of(0, 0, 1)));

  /* a cylinder that still tilts goes on at its other end */
  omr_contact_place p = omr_contact_place_of(c, a, b);
  double rate = omr_dot(omr_cross(omr_sub(b->w, a->w), z), p.n) * s->size[1];
  if (!c->closed || fabs(rate) > omr_contact_rest_speed(&c->law)) return OMR_OK;

  /* say how to write the contact with two points */
  const omr_vec ends[2] = {omr_shape_end(s, -1).at, omr_shape_end(s, 1).at},
                axis = omr_times(&s->axes, omr_vec_of(0, 0, 1));
  return omr_fail(error, OMR_ERR_USAGE,
                  "contact %s: the side of its cylinder lies flat on the plane at t = %.9g s, "
                  "which one point cannot carry; write two contacts in its place, with the edges "
                  "of both ends: {\"shape\": \"disc\", \"axis\": [%.6g, %.6g, %.6g], \"radius\": "
                  "%.6g, \"at\": [%.6g, %.6g, %.6g]} and the same \"at\" [%.6g, %.6g, %.6g]",
                  c->base.name, g->mb->time, axis.x, axis.y, axis.z, s->size[0], ends[0].x,
                  ends[0].y, ends[0].z, ends[1].x, ends[1].y, ends[1].z);
}

/* Another end of a cylinder or part of a roller touches. At another end the contact point has
 * another velocity, so a rigid contact collides. */
static omr_status zone_event(omr_contact_group *g, omr_body_contact *c, omr_error *error) {
  const omr_frame *a = &g->mb->frame[c->base.a], *b = &g->mb->frame[c->base.b];
  bool ends = c->shape[0].kind == OMR_SHAPE_CYLINDER || c->shape[1].kind == OMR_SHAPE_CYLINDER;
  if (!omr_contact_settle_zones(c, a, b) && ends) { /* at the boundary to rounding */
    for (int s = 0; s < 2; s++) c->zone[s] = -c->zone[s];
  }
  if (!c->closed || !ends) return OMR_OK;
  if (omr_contact_is_rigid(c)) {
    omr_status status = omr_contact_collide(g, error);
    return status == OMR_OK ? refuse_flat(g, c, error) : status;
  }
  omr_contact_place p = omr_body_contact_place(g->mb, c);
  c->released = omr_contact_push(&c->law, &p) < 0;
  omr_contact_settle_slip(c, &p, a);
  return OMR_OK;
}

omr_status omr_contact_happen(void *self, omr_mb *mb, int which, omr_error *error) {
  omr_contact_group *g = self;
  omr_body_contact *c = g->contact[which / OMR_CONTACT_EVENTS];
  (void)mb;
  omr_status status = OMR_OK;
  switch (which % OMR_CONTACT_EVENTS) {
  case CONTACT: status = contact_event(g, c, error); break;
  case CUT: status = cut_event(g, c, error); break;
  case SLIP: status = slip_event(g, c, error); break;
  case FRESH:
    if (c->slip == OMR_SLIP_STARTS) c->slip = OMR_SLIP_SLIDES;
    break;
  default: status = zone_event(g, c, error); break;
  }
  return status == OMR_OK ? settle(g, error) : status;
}

/* Finds which contacts are in position; a unilateral one stays open until it is seen to touch. */
static void settle_places(omr_contact_group *g) {
  for (int i = 0; i < g->count; i++) {
    omr_body_contact *c = g->contact[i];
    const omr_frame *a = &g->mb->frame[c->base.a], *b = &g->mb->frame[c->base.b];
    omr_contact_settle_zones(c, a, b);
    omr_contact_place p = omr_body_contact_place(g->mb, c);
    c->floor = fmin(0, p.gap);
    if (c->law.normal == OMR_NORMAL_UNILATERAL) c->closed = false;
    if (c->law.normal == OMR_NORMAL_COMPLIANT) {
      c->closed = p.gap < 0;
      c->floor = 0;
      c->released = c->closed && omr_contact_push(&c->law, &p) < 0;
    }
    if (c->closed) omr_contact_settle_slip(c, &p, a);
  }
}

/* Settles the signs of held loads: they decide the sign of their friction, and that changes the
 * loads. Once is enough if friction does not reverse them. */
static omr_status settle_signs(omr_contact_group *g, omr_error *error) {
  bool any = false;
  for (int i = 0; i < g->count; i++)
    any = any || (g->contact[i]->law.normal == OMR_NORMAL_HELD && cuts(g->contact[i]));
  omr_status status = any ? omr_mb_evaluate(g->mb, NULL, error) : OMR_OK;
  for (int i = 0; any && status == OMR_OK && i < g->count; i++) {
    omr_body_contact *c = g->contact[i];
    if (c->law.normal == OMR_NORMAL_HELD && cuts(c))
      c->released = omr_mb_multiplier(g->mb, &c->base, 0) < 0;
  }
  return status;
}

omr_status omr_contact_begin(void *self, omr_mb *mb, omr_error *error) {
  omr_contact_group *g = self;
  (void)mb;
  bool rigid = false;
  settle_places(g);
  for (int i = 0; i < g->count; i++)
    rigid = rigid || g->contact[i]->law.normal == OMR_NORMAL_UNILATERAL;
  omr_status status = rigid ? omr_contact_collide(g, error) : OMR_OK;
  if (status == OMR_OK) status = settle_signs(g, error);
  return status == OMR_OK ? settle(g, error) : status;
}
