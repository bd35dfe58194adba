/* Rings of rollers while they turn: the roller that is down, the exchange with its neighbour, and
 * its impact under ideal rolling (appendix/rollers.md#exchange). */
#include "../contact/body_contact_inside.h"
#include "graph_system.h"

enum { PASSES_BEHIND, PASSES_AHEAD, CHANGES_FRICTION };
enum { TURNS = 20 };

/* edges lie this far outside, so that the edge just passed is not met again; rad */
#define EDGE_MARGIN 1e-12

double omr_ring_angle(const omr_graph_ring *ring, const omr_mb *mb, int place) {
  const omr_mat *t = &mb->frame[ring->wheel].t;
  const double angle = ring->place[place].angle;
  const omr_vec out = omr_times(t, omr_vec_of(sin(angle), -cos(angle), 0)),
                i = omr_cross(omr_vec_of(0, 1, 0), omr_times(t, omr_vec_of(0, 0, 1)));
  return atan2(omr_dot(out, i), -out.y);
}

/* Rate at which these angles grow. */
static double turning(const omr_graph_ring *ring, const omr_mb *mb) {
  const omr_frame *wheel = &mb->frame[ring->wheel];
  return omr_dot(wheel->w, omr_times(&wheel->t, omr_vec_of(0, 0, 1)));
}

static bool rolls(const omr_graph_ring *ring) {
  return omr_ring_active(ring)->roller->contact.rolling == OMR_CONTACT_ROLLS;
}

/* Square of the slip less the square of the slip speed. */
static double slip_excess(const omr_graph_roller *roller, const omr_mb *mb) {
  const omr_roller_point p = omr_roller_contact_point(mb, &roller->contact);
  const omr_vec v = omr_roller_contact_velocity(mb, &roller->contact, &p);
  return v.x * v.x + v.z * v.z - roller->friction.slip_speed * roller->friction.slip_speed;
}

static void activate(omr_graph_ring *ring, omr_mb *mb, int place) {
  omr_roller_contact_switch(mb, &omr_ring_active(ring)->roller->contact, false);
  ring->active = place;
  omr_graph_roller *roller = omr_ring_active(ring)->roller;
  omr_roller_contact_switch(mb, &roller->contact, true);
  roller->friction.slides = slip_excess(roller, mb) > 0;
}

static int neighbour(const omr_graph_ring *ring, int direction) {
  return (ring->active + ring->rollers - direction) % ring->rollers;
}

/* How far a roller is beyond its edges, by the angle; below 0 inside. */
static double beyond(const omr_ring_place *place, double q) {
  return fmax(q - place->ahead, -q - place->behind);
}

void omr_ring_settle(omr_graph_ring *ring, omr_mb *mb) {
  const double rate = turning(ring, mb);
  int best = 0;
  for (int j = 1; j < ring->rollers; j++)
    if (beyond(&ring->place[j], omr_ring_angle(ring, mb, j)) <
        beyond(&ring->place[best], omr_ring_angle(ring, mb, best)))
      best = j;
  activate(ring, mb, best);
  const double q = omr_ring_angle(ring, mb, best);
  const omr_ring_place *place = omr_ring_active(ring);
  if (rate > 0 && q >= place->ahead * (1 - EDGE_MARGIN)) activate(ring, mb, neighbour(ring, 1));
  if (rate < 0 && -q >= place->behind * (1 - EDGE_MARGIN)) activate(ring, mb, neighbour(ring, -1));
}

/* Positive while the friction has its proper form, and just after a change. */
static double slip_margin(const omr_graph_roller *roller, const omr_mb *mb) {
  const double most = roller->friction.slip_speed * roller->friction.slip_speed,
               excess = slip_excess(roller, mb);
  return (roller->friction.slides ? excess : -excess) + 1e-12 * most;
}

void omr_rings_values(const omr_graph_rings *rings, const omr_mb *mb, double *g) {
  for (int i = 0; i < rings->count; i++, g += OMR_RING_EVENTS) {
    const omr_graph_ring *ring = &rings->ring[i];
    const omr_ring_place *place = omr_ring_active(ring);
    const double q = omr_ring_angle(ring, mb, ring->active);
    g[PASSES_BEHIND] = ring->held ? 1 : place->behind + EDGE_MARGIN + q;
    g[PASSES_AHEAD] = ring->held ? 1 : place->ahead + EDGE_MARGIN - q;
    g[CHANGES_FRICTION] = rolls(ring) ? 1 : slip_margin(place->roller, mb);
  }
}

/* Number of the step that contains a time; times of events are accurate to much less than a
 * billionth of a step. */
static double step_of(const omr_graph_rings *rings, double t) {
  return floor(t / rings->tick + 1e-9);
}

/* The wheel's angle grows and the roller behind follows. If friction drives a wheel back over the
 * edge just passed, two exchanges in opposite directions within a step hold it to the step's
 * end. */
static void exchange(omr_graph_rings *rings, omr_graph_ring *ring, omr_mb *mb, int direction) {
  const double step = step_of(rings, mb->time);
  if (!rolls(ring) && ring->last_step == step && ring->last == -direction) ring->held = true;
  ring->last = direction;
  ring->last_step = step;
  activate(ring, mb, neighbour(ring, direction));
  rings->exchanges++;
}

/* IMPACTS */

static bool is_of_rings(const omr_graph_rings *rings, const omr_mb_constraint *c) {
  for (int i = 0; i < rings->count; i++)
    for (int j = 0; j < rings->ring[i].rollers; j++)
      if (&rings->ring[i].place[j].roller->contact.base == c) return true;
  return false;
}

/* Contacts of rollers come to rest; joints and other contacts keep their velocities. */
static double jump(void *self, const omr_mb_constraint *c, int row, double velocity) {
  (void)row;
  return is_of_rings(self, c) ? -velocity : 0;
}

/* Ideal rolling does not tolerate slip: an impact ends it at the start and at exchanges. Closed
 * rigid contacts of other bodies stay closed. */
static omr_status strike(omr_graph_system *s, omr_mb *mb, omr_error *error) {
  bool any = false;
  for (int i = 0; i < s->rings.count; i++) any = any || rolls(&s->rings.ring[i]);
  if (!any) return OMR_OK;
  for (int i = 0; i < s->contacts.count; i++) {
    omr_body_contact *c = s->contacts.contact[i];
    if (c->closed && omr_contact_is_rigid(c))
      c->strike = omr_contact_has_stick_rows(c) ? OMR_STRIKE_STICKS : OMR_STRIKE_FREE;
  }
  const double before = omr_mb_kinetic(mb);
  const omr_status status = omr_mb_collide(mb, jump, &s->rings, error);
  s->rings.lost += before - omr_mb_kinetic(mb);
  for (int i = 0; i < s->contacts.count; i++) s->contacts.contact[i]->strike = OMR_STRIKE_NONE;
  return status;
}

/* Exchanges back the rings that roll and turn back at their edges; true if there were any. */
static bool turn_back(omr_graph_rings *rings, omr_mb *mb) {
  bool any = false;
  for (int i = 0; i < rings->count; i++) {
    omr_graph_ring *ring = &rings->ring[i];
    if (!rolls(ring) || !(ring->there * turning(ring, mb) < 0)) continue;
    ring->there = -ring->there;
    exchange(rings, ring, mb, ring->there);
    any = true;
  }
  return any;
}

/* The impact of both rollers of the wheels that still turn back. */
static omr_status strike_both(omr_graph_system *s, omr_mb *mb, omr_error *error) {
  omr_graph_rings *rings = &s->rings;
  for (int pass = 0; pass < 2; pass++) {
    bool any = false;
    for (int i = 0; i < rings->count; i++) {
      omr_graph_ring *ring = &rings->ring[i];
      if (ring->there == 0 || !rolls(ring)) continue;
      const bool both = pass == 0 && ring->there * turning(ring, mb) < 0;
      omr_roller_contact_switch(mb, &ring->place[neighbour(ring, -ring->there)].roller->contact,
                                both);
      any = any || both;
    }
    const omr_status status = any ? strike(s, mb, error) : OMR_OK;
    if (status != OMR_OK) return status;
  }
  return OMR_OK;
}

/* Impacts of both rollers in turn until the wheel turns away from the edge. */
static omr_status take_turns(omr_graph_system *s, omr_mb *mb, omr_error *error) {
  omr_status status = OMR_OK;
  for (int turn = 0; turn < TURNS && status == OMR_OK; turn++) {
    if (!turn_back(&s->rings, mb)) return OMR_OK;
    status = strike(s, mb, error);
  }
  if (status == OMR_OK) status = strike_both(s, mb, error);
  turn_back(&s->rings, mb);
  return status;
}

/* EVENTS */

/* Direction in which the wheel passes an edge now, 0 for none: wheels that turn alike exchange
 * together, within a billionth of a step. */
static int edge_reached(const omr_graph_rings *rings, const omr_graph_ring *ring,
                        const omr_mb *mb) {
  const double q = omr_ring_angle(ring, mb, ring->active), rate = turning(ring, mb),
               near = 1e-9 * rings->tick * fabs(rate);
  if (ring->held || beyond(omr_ring_active(ring), q) < -near || q * rate < 0) return 0;
  return q > 0 ? 1 : -1;
}

/* The wheel passes its edge, and all others at their edges exchange with it, so that one impact
 * follows. A wheel taken along before its own event is at its other edge then
 * (appendix/reference.md#bodies). */
static omr_status exchange_all(omr_graph_system *s, omr_graph_ring *ring, omr_mb *mb, int direction,
                               omr_error *error) {
  omr_graph_rings *rings = &s->rings;
  if (omr_ring_angle(ring, mb, ring->active) * direction < 0) return OMR_OK;
  for (int i = 0; i < rings->count; i++) {
    omr_graph_ring *one = &rings->ring[i];
    one->there = one == ring ? direction : edge_reached(rings, one, mb);
    if (one->there != 0) exchange(rings, one, mb, one->there);
  }
  const omr_status status = strike(s, mb, error);
  return status == OMR_OK ? take_turns(s, mb, error) : status;
}

omr_status omr_rings_happen(omr_graph_system *s, omr_mb *mb, int which, omr_error *error) {
  omr_graph_ring *ring = &s->rings.ring[which / OMR_RING_EVENTS];
  const int event = which % OMR_RING_EVENTS;
  if (event != CHANGES_FRICTION)
    return exchange_all(s, ring, mb, event == PASSES_BEHIND ? -1 : 1, error);
  omr_friction *f = &omr_ring_active(ring)->roller->friction;
  /* an exchange at the same instant has judged the slip already */
  if (slip_margin(omr_ring_active(ring)->roller, mb) < 1e-6 * f->slip_speed * f->slip_speed)
    f->slides = !f->slides;
  return OMR_OK;
}

omr_status omr_rings_begin(omr_graph_system *s, omr_mb *mb, omr_error *error) {
  const omr_status status = strike(s, mb, error);
  for (int i = 0; i < s->rings.count; i++) {
    omr_graph_roller *roller = omr_ring_active(&s->rings.ring[i])->roller;
    roller->friction.slides = slip_excess(roller, mb) > 0;
  }
  return status;
}

double omr_rings_stop_time(const omr_graph_rings *rings, double t) {
  for (int i = 0; i < rings->count; i++)
    if (rings->ring[i].held) return (step_of(rings, t) + 1) * rings->tick;
  return HUGE_VAL;
}

/* At the end of a step held wheels are free again, and exchange at once if they are still beyond
 * the edge. */
omr_status omr_rings_stop(omr_graph_system *s, omr_mb *mb, omr_error *error) {
  bool exchanged = false;
  for (int i = 0; i < s->rings.count; i++) {
    omr_graph_ring *ring = &s->rings.ring[i];
    const double q = omr_ring_angle(ring, mb, ring->active);
    if (!ring->held) continue;
    ring->held = false;
    if (!(beyond(omr_ring_active(ring), q) > 0)) continue;
    exchange(&s->rings, ring, mb, q > 0 ? 1 : -1);
    exchanged = true;
  }
  return exchanged ? strike(s, mb, error) : OMR_OK;
}

bool omr_rings_lifted(const omr_graph_rings *rings, const omr_mb *mb) {
  for (int i = 0; i < rings->count; i++)
    if (omr_mb_multiplier(mb, &omr_ring_active(&rings->ring[i])->roller->contact.base, 0) < 0)
      return true;
  return false;
}
