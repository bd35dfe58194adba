/* A disc on a plane in a built-in system (lists/graph_built_in.def), and ground that moves. */
#include "graph_system.h"

static const omr_graph_element *element_of(const omr_graph_system *s, int element) {
  return &s->graph->element[element];
}

#define NUMBER(key) s->value[e->slot[OMR_GRAPH_KEY_CONTACT_##key]]
#define WORD(key) e->word[OMR_GRAPH_KEY_CONTACT_##key]

static omr_disc_law law_of(const omr_graph_system *s, const omr_graph_element *e) {
  return (omr_disc_law){.stiffness = NUMBER(DISC_STIFFNESS),
                        .damping = NUMBER(DISC_DAMPING),
                        .lateral = NUMBER(DISC_LATERAL),
                        .longitudinal = NUMBER(DISC_LONGITUDINAL),
                        .lateral_viscous = NUMBER(DISC_LATERAL_VISCOUS),
                        .longitudinal_viscous = NUMBER(DISC_LONGITUDINAL_VISCOUS),
                        .angle = NUMBER(DISC_ANGLE),
                        .slip_speed = NUMBER(DISC_SLIP_SPEED),
                        .rolling = NUMBER(DISC_ROLLING),
                        .linear_zone = WORD(DISC_ZONE) == 1,
                        .no_pull = WORD(DISC_PULL) == 1,
                        .grip_by_size = WORD(DISC_PULL) == 2};
}

static omr_tyre tyre_of(const omr_graph_system *s, const omr_graph_element *e) {
  static const omr_tyre_law laws[] = {OMR_NO_TYRE, OMR_TYRE_BRUSH, OMR_TYRE_MAGIC};
  return (omr_tyre){.law = laws[WORD(DISC_TYRE)],
                    .friction = NUMBER(TYRE_FRICTION),
                    .lateral = NUMBER(TYRE_LATERAL),
                    .longitudinal = NUMBER(TYRE_LONGITUDINAL),
                    .shape = NUMBER(TYRE_SHAPE),
                    .curvature = NUMBER(TYRE_CURVATURE),
                    .low_speed = NUMBER(TYRE_LOW_SPEED)};
}

void omr_graph_add_disc(omr_graph_system *s, omr_mb *mb, int element) {
  const omr_graph_element *e = element_of(s, element);
  omr_disc_contact *c = &s->object[element].is.disc;
  const omr_disc_place place = {
      .a = e->body[0],
      .b = e->body[1],
      .point = omr_graph_vector(s, e->slot[OMR_GRAPH_KEY_CONTACT_DISC_AT]),
      .normal = {0, 1, 0},
      .axis = omr_graph_vector(s, e->slot[OMR_GRAPH_KEY_CONTACT_DISC_AXIS]),
      .radius = NUMBER(DISC_RADIUS)};
  if (WORD(DISC_LAW) == 0) {
    omr_disc_on_base(mb, c, e->path, place);
  } else {
    omr_disc_penalty(mb, c, e->path, place, law_of(s, e));
    omr_disc_put_tyre(mb, c, tyre_of(s, e));
  }
}

static void event_values(void *self, const omr_mb *mb, double *g) {
  omr_disc_events(mb, self, g);
}

static omr_status happen(void *self, omr_mb *mb, int which, omr_error *error) {
  (void)mb, (void)error;
  omr_disc_switch(self, which);
  return OMR_OK;
}

/* Of the one disc that a system has with a penalty law. */
void omr_graph_add_disc_switches(omr_graph_system *s, omr_reference *r) {
  for (int i = 0; i < s->graph->elements; i++) {
    const omr_graph_element *e = element_of(s, i);
    if (e->kind == OMR_GRAPH_KIND_CONTACT_DISC && WORD(DISC_LAW) != 0)
      r->switches = (omr_mb_switches){.self = &s->object[i].is.disc,
                                      .count = OMR_DISC_SWITCHES,
                                      .values = event_values,
                                      .happen = happen};
  }
}

/* A place, and a velocity against the ground, as one has them who stands on it. */
static omr_vec seen_place(const omr_graph_system *s, omr_vec r) {
  const omr_frame *ground = &s->owner->mb->frame[0];
  if (!s->plate) return r;
  return omr_add(omr_plate_pivot(s->plate->vehicle),
                 omr_transposed_times(&ground->t, omr_sub(r, ground->r)));
}

static omr_vec seen_direction(const omr_graph_system *s, omr_vec v) {
  return omr_transposed_times(&s->owner->mb->frame[0].t, v);
}

double omr_graph_disc_value(const omr_graph_system *s, int element, int quantity) {
  const omr_mb *mb = s->owner->mb;
  const omr_disc_contact *c = &s->object[element].is.disc;
  switch (quantity) {
  case OMR_GRAPH_CONTACT_LOAD: return omr_disc_force(mb, c).x;
  case OMR_GRAPH_CONTACT_ACROSS: return omr_disc_force(mb, c).y;
  case OMR_GRAPH_CONTACT_AHEAD: return omr_disc_force(mb, c).z;
  case OMR_GRAPH_CONTACT_TOUCHES: return c->on[OMR_DISC_TOUCHES];
  case OMR_GRAPH_CONTACT_POWER_A: return omr_mb_power_on(mb, &c->base, 0);
  default: break;
  }
  const omr_disc_frame at = omr_disc_look(mb, c);
  switch (quantity) {
  case OMR_GRAPH_CONTACT_GAP: return at.gap;
  case OMR_GRAPH_CONTACT_LOSS:
    return -omr_mb_power_on(mb, &c->base, 0) - omr_mb_power_on(mb, &c->base, 1) -
           (c->on[OMR_DISC_TOUCHES] ? c->law.stiffness * at.gap * omr_dot(at.slip, at.n) : 0);
  case OMR_GRAPH_CONTACT_SLIP_ACROSS: return omr_dot(at.slip, at.lat);
  case OMR_GRAPH_CONTACT_SLIP_AHEAD: return omr_dot(at.slip, at.w2);
  case OMR_GRAPH_CONTACT_TRAIL_X: return seen_direction(s, at.trail_on).x;
  case OMR_GRAPH_CONTACT_TRAIL_Z: return seen_direction(s, at.trail_on).z;
  case OMR_GRAPH_CONTACT_CX: return seen_place(s, at.point).x;
  case OMR_GRAPH_CONTACT_CZ: return seen_place(s, at.point).z;
  default: return (double)NAN;
  }
}

omr_frame omr_graph_seen_frame(const omr_graph_system *s, int body, double q[4]) {
  const omr_mb *mb = s->owner->mb;
  const omr_frame *ground = &mb->frame[0], *f = &mb->frame[body];
  double plate[4];
  omr_frame seen = {.r = seen_place(s, f->r), .w = seen_direction(s, omr_sub(f->w, ground->w))};
  seen.v = seen_direction(s, omr_sub(f->v, omr_point_velocity(ground, omr_sub(f->r, ground->r))));
  omr_plate_quaternion(s->plate->vehicle, mb->time, plate);
  const double back[4] = {plate[0], -plate[1], -plate[2], -plate[3]};
  omr_quaternion_product(back, q, q);
  seen.t = omr_rotation(q);
  return seen;
}
