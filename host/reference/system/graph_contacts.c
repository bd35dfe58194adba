/* Contacts of a system: surfaces and laws from the study. */
#include "graph_system.h"

#include "../contact/body_contact_inside.h"

#include <stdlib.h>
#include <string.h>

#define APART 1e-6 /* m: a held contact farther apart is violated, as joints are */

static omr_vec vector_of(const omr_graph_system *s, const omr_graph_element *e, omr_graph_key key) {
  return omr_graph_vector(s, e->slot[key]);
}

/* Shape axes to body axes with the shape's own axis (0: x, 1: y, 2: z) along n. */
static omr_mat axes_along(omr_vec n, int own) {
  omr_vec axis[3];
  axis[own] = omr_unit(n);
  omr_perpendicular(axis[own], &axis[(own + 1) % 3], &axis[(own + 2) % 3]);
  return (omr_mat){{{axis[0].x, axis[1].x, axis[2].x},
                    {axis[0].y, axis[1].y, axis[2].y},
                    {axis[0].z, axis[1].z, axis[2].z}}};
}

#define KEY(key) OMR_GRAPH_KEY_SHAPE_##key

static omr_shape shape_of(const omr_graph_system *s, int element) {
  static const struct {
    omr_shape_kind kind;
    int own; /* its axis along `axis`; -1: the axes are the body's */
    omr_graph_key axis, second;
  } shapes[] = {
      [OMR_GRAPH_KIND_SHAPE_PLANE] = {OMR_SHAPE_PLANE, 1, KEY(SHAPE_NORMAL), KEY(TUBE)},
      [OMR_GRAPH_KIND_SHAPE_SPHERE] = {OMR_SHAPE_SPHERE, -1, KEY(SHAPE_AXIS), KEY(TUBE)},
      [OMR_GRAPH_KIND_SHAPE_ELLIPSOID] = {OMR_SHAPE_ELLIPSOID, -1, KEY(SHAPE_AXIS), KEY(TUBE)},
      [OMR_GRAPH_KIND_SHAPE_DISC] = {OMR_SHAPE_DISC, 2, KEY(SHAPE_AXIS), KEY(TUBE)},
      [OMR_GRAPH_KIND_SHAPE_TORUS] = {OMR_SHAPE_TORUS, 2, KEY(SHAPE_AXIS), KEY(TUBE)},
      [OMR_GRAPH_KIND_SHAPE_CYLINDER] = {OMR_SHAPE_CYLINDER, 2, KEY(SHAPE_AXIS), KEY(LENGTH)},
      [OMR_GRAPH_KIND_SHAPE_ROLLER] = {OMR_SHAPE_ROLLER, 0, KEY(SHAPE_AXIS), KEY(CENTER)}};
  const omr_graph_element *e = &s->graph->element[element];
  const omr_vec half = vector_of(s, e, KEY(HALF_AXES));
  const int own = shapes[e->kind].own;
  omr_shape shape = {
      .kind = shapes[e->kind].kind,
      .at = vector_of(s, e, KEY(SHAPE_AT)),
      .axes = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
      .size = {omr_graph_given(s, e, KEY(RADIUS)), omr_graph_given(s, e, shapes[e->kind].second),
               omr_graph_given(s, e, KEY(INCLINATION)), omr_graph_given(s, e, KEY(EDGE))},
      .hollow = e->word[KEY(SIDE)] == 1};
  if (own >= 0) shape.axes = axes_along(vector_of(s, e, shapes[e->kind].axis), own);
  if (shape.kind == OMR_SHAPE_ELLIPSOID)
    memcpy(shape.size, (double[]){half.x, half.y, half.z}, 3 * sizeof *shape.size);
  return shape;
}
#undef KEY
#define KEY(key) OMR_GRAPH_KEY_CONTACT_##key

static omr_contact_law law_of(const omr_graph_system *s, const omr_graph_element *e) {
  static const omr_contact_normal normals[] = {OMR_NORMAL_HELD, OMR_NORMAL_UNILATERAL,
                                               OMR_NORMAL_COMPLIANT};
  static const omr_contact_tangential laws[] = {OMR_TANGENTIAL_NONE, OMR_TANGENTIAL_ROLLS,

                                                OMR_TANGENTIAL_REGULARIZED,
                                                OMR_TANGENTIAL_SATURATED, OMR_TANGENTIAL_COULOMB};

  /* words select the laws, numbers are their parameters */
  return (omr_contact_law){.normal = normals[e->word[KEY(NORMAL)]],
                           .tangential = laws[e->word[KEY(LAW)]],
                           .restitution = omr_graph_given(s, e, KEY(RESTITUTION)),
                           .stiffness = omr_graph_given(s, e, KEY(STIFFNESS)),
                           .exponent = omr_graph_given(s, e, KEY(EXPONENT)),
                           .damping = omr_graph_given(s, e, KEY(DAMPING)),
                           .hunt_crossley = e->word[KEY(DAMPING_LAW)] == 1,
                           .friction = omr_graph_given(s, e, KEY(FRICTION)),
                           .slip_speed = omr_graph_given(s, e, KEY(SLIP_SPEED)),
                           .linear_zone = e->word[KEY(ZONE)] == 1,
                           .viscous = omr_graph_given(s, e, KEY(VISCOUS)),
                           .rolling = omr_graph_given(s, e, KEY(ROLLING)),
                           .spinning = omr_graph_given(s, e, KEY(SPINNING)),
                           .baumgarte = omr_graph_given(s, e, KEY(BAUMGARTE))};
}

/* Moves B to the start of the contact: along the normal, and without the speed that the start
 * forbids. Its rotation stays as given. Takes a few rounds, since the normal of curved surfaces
 * turns on the way. */
static void start_contact(omr_mb *mb, omr_body_contact *c, const omr_graph_element *e) {
  enum { ROUNDS = 20 };
  const int start = e->word[KEY(START)], a = e->body[0], b = e->body[1];
  if (start == 0 || b == 0) return;
  c->base.a = a;
  c->base.b = b;
  for (int i = 0; i < ROUNDS; i++) {
    omr_frame frame = mb->frame[b];
    omr_contact_settle_zones(c, &mb->frame[a], &frame);
    const omr_contact_place p = omr_contact_place_of(c, &mb->frame[a], &frame);
    const omr_vec speed =
        start == 1 ? omr_scale(omr_dot(p.slip, p.n), p.n) : p.slip; /* rolling: the whole slip */
    const double *q = mb->state + OMR_MB_BODY_STATES * (b - 1) + OMR_MB_Q;
    const double kept[4] = {q[0], q[1], q[2], q[3]};
    omr_mb_place(mb, b, omr_axpy(frame.r, -p.gap, p.n), kept, omr_sub(frame.v, speed), frame.w);
  }
}

static bool add_contact(omr_graph_system *s, omr_mb *mb, int e, omr_reason *why) {
  const omr_graph_element *element = &s->graph->element[e];
  omr_body_contact *c = &s->object[e].is.contact;
  omr_error error = {.message = ""};

  for (int side = 0; side < 2; side++) c->shape[side] = shape_of(s, element->surfaces[side]);
  c->law = law_of(s, element);
  start_contact(mb, c, element);

  /* add the contact where it starts */
  s->contacts.contact[s->contacts.count++] = c;
  if (omr_body_contact_add(mb, c, element->path, element->body[0], element->body[1], &error) !=
      OMR_OK)
    return omr_refuse(why, "%.390s", error.message);

  /* a held contact must touch */
  const double gap = omr_body_contact_place(mb, c).gap;
  if (c->law.normal != OMR_NORMAL_HELD || fabs(gap) <= APART) return true;
  return omr_refuse(why,
                    "contact %.100s holds surfaces that are %.6g m %s at the start: place the "
                    "bodies so that they touch, or write \"start\": \"touching\"",
                    element->path, fabs(gap), gap > 0 ? "apart" : "in each other");
}

#undef KEY

bool omr_graph_add_contacts(omr_graph_system *s, omr_mb *mb, omr_reason *why) {
  s->contacts.mb = mb;
  s->contacts.contact =
      omr_pool_take(&s->owner->memory, (size_t)s->graph->elements + 1, sizeof(omr_body_contact *));
  if (!s->contacts.contact) return omr_refuse(why, "out of memory");
  for (int e = 0; e < s->graph->elements; e++)
    if (s->graph->element[e].kind == OMR_GRAPH_KIND_CONTACT_SURFACE && !add_contact(s, mb, e, why))
      return false;
  for (int e = 0; e < s->graph->elements; e++)
    if (s->graph->element[e].kind == OMR_GRAPH_KIND_CONTACT_GEAR_TEETH &&
        !omr_graph_add_teeth(s, mb, e, why))
      return false;
  return omr_graph_add_rollers(s, mb, why);
}
