/* Constraints and forces of a system: rows of lists/graph_kinds.def as objects of the library. */
#include "graph_system.h"

#include <string.h>

static omr_slot slot_of(const omr_graph_system *s, int element, omr_graph_key key) {
  return s->graph->element[element].slot[key];
}

#define NUMBER(key) omr_graph_given(s, &s->graph->element[e], OMR_GRAPH_KEY_CONSTRAINT_##key)
#define VECTOR(key) omr_graph_vector(s, slot_of(s, e, OMR_GRAPH_KEY_CONSTRAINT_##key))

/* A law whose expression sees the state through the system. */
static double joint_law(void *self, double t, double angle, double rate) {
  const omr_graph_law *law = self;
  (void)t, (void)angle, (void)rate; /* the expression names the quantities that it needs */
  return omr_graph_number(law->system, law->slot);
}

/* Of a servo that follows a body: the law after its own. */
static double lead_gain(void *self, double t) {
  const omr_graph_law *law = self;
  return joint_law((void *)(law + 1), t, 0, 0);
}

static void motion_law(void *self, double t, double *value, double *rate, double *acceleration) {
  const omr_graph_law *law = self;
  omr_graph_system *s = law->system;
  const omr_expression *e = s->graph->slot[law->slot].formula;
  size_t time = SIZE_MAX; /* the only column that varies; without it the place is fixed */
  double derived[3];
  for (size_t c = 0; c < e->column_count; c++) {
    const omr_graph_slot *slot = &s->graph->slot[e->columns[c]];
    if (slot->formula || slot->owner_number < 0) continue;
    time = e->columns[c];
    s->value[time] = t;
  }
  omr_expression_derive(e, s->value, time, derived);
  *value = derived[0];
  *rate = derived[1];
  *acceleration = derived[2];
}

static void wrench_law(void *self, const omr_mb *mb, double t, omr_vec *force, omr_vec *torque) {
  const omr_graph_law *law = self;
  omr_vec *const to[] = {force, torque};
  (void)mb, (void)t;
  for (int i = 0; i < 2; i++)
    *to[i] = omr_vec_of(omr_graph_number(law[i].system, law[i].slot),
                        omr_graph_number(law[i].system, law[i].slot + 1),
                        omr_graph_number(law[i].system, law[i].slot + 2));
}

/* Both points of a constraint: from one place at the start, or as the study gives them. A missing
 * point is where the other one is; for a rod or spring, which joins two places, it is the centre of
 * mass. */
static omr_point_place points_of(const omr_graph_system *s, const omr_mb *mb, int e) {
  const omr_graph_element *element = &s->graph->element[e];
  const int a = element->body[0], b = element->body[1];
  const omr_frame *fa = &mb->frame[a], *fb = &mb->frame[b];
  const omr_slot at = slot_of(s, e, OMR_GRAPH_KEY_CONSTRAINT_AT),
                 pa = slot_of(s, e, OMR_GRAPH_KEY_CONSTRAINT_POINT_A),
                 pb = slot_of(s, e, OMR_GRAPH_KEY_CONSTRAINT_POINT_B);
  omr_point_place place = {a, b, VECTOR(POINT_A), VECTOR(POINT_B)};
  if (at < 0 && (pa < 0) == (pb < 0)) return place;
  if (omr_graph_has_key(element->kind, OMR_GRAPH_KEY_CONSTRAINT_FREE_LENGTH)) return place;
  omr_vec world = pa >= 0   ? omr_add(fa->r, omr_times(&fa->t, place.point_a))
                  : pb >= 0 ? omr_add(fb->r, omr_times(&fb->t, place.point_b))
                            : omr_graph_world_point(s, element->group, VECTOR(AT));
  if (pa < 0) place.point_a = omr_transposed_times(&fa->t, omr_sub(world, fa->r));
  if (pb < 0) place.point_b = omr_transposed_times(&fb->t, omr_sub(world, fb->r));
  return place;
}

/* The numbers and the expression that the joint obeys, for the kinds that have them. */
static void add_joint(omr_graph_system *s, omr_mb *mb, int e, omr_point_place points) {
  static const omr_joint_class classes[] = {
      [OMR_GRAPH_KIND_CONSTRAINT_FIXED_IDEAL] = OMR_JOINT_FIXED_IDEAL,
      [OMR_GRAPH_KIND_CONSTRAINT_FREE_IDEAL] = OMR_JOINT_FREE_IDEAL,
      [OMR_GRAPH_KIND_CONSTRAINT_SPRING_IDEAL] = OMR_JOINT_SPRING_IDEAL,
      [OMR_GRAPH_KIND_CONSTRAINT_FREE_SLIDE] = OMR_JOINT_FREE_SLIDE,
      [OMR_GRAPH_KIND_CONSTRAINT_FIXED_CONTROLLED] = OMR_JOINT_FIXED_CONTROLLED,
      [OMR_GRAPH_KIND_CONSTRAINT_FIXED_SERVO] = OMR_JOINT_FIXED_SERVO};
  const omr_graph_element *element = &s->graph->element[e];
  const bool servo = element->kind == OMR_GRAPH_KIND_CONSTRAINT_FIXED_SERVO;
  const omr_slot gain = slot_of(s, e, OMR_GRAPH_KEY_CONSTRAINT_GAIN);
  omr_graph_object *o = &s->object[e];
  o->law[0] = (omr_graph_law){
      s, slot_of(s, e,
                 servo ? OMR_GRAPH_KEY_CONSTRAINT_ACCELERATION : OMR_GRAPH_KEY_CONSTRAINT_TORQUE)};
  o->law[1] = (omr_graph_law){s, gain};

  const omr_joint_place place = {points.a, points.b, VECTOR(AXIS), points.point_a, points.point_b};
  const omr_joint_law law = {.class = classes[element->kind],
                             .stiffness = NUMBER(STIFFNESS),
                             .damping = NUMBER(DAMPING),
                             .angle = NUMBER(ANGLE),
                             .of = joint_law,
                             .self = o->law,
                             .lead = gain < 0 ? 0 : element->word[OMR_GRAPH_KEY_CONSTRAINT_LEAD],
                             .along = VECTOR(ALONG),
                             .gain = gain < 0 ? NULL : lead_gain};
  omr_joint_add(mb, &o->is.joint, element->path, place, law);
}

static void add_motion(omr_graph_system *s, omr_mb *mb, int e, omr_point_place points) {
  omr_graph_object *o = &s->object[e];
  for (int m = 0; m < OMR_MOTIONS; m++) {
    const omr_slot slot = s->graph->element[e].motion[m];
    if (slot < 0) continue;
    o->law[m] = (omr_graph_law){s, slot};
    o->is.motion.law[m] = motion_law;
    o->is.motion.self[m] = &o->law[m];
  }
  omr_prescribed_motion(mb, &o->is.motion, s->graph->element[e].path, points);
}

static void add_wrench(omr_graph_system *s, omr_mb *mb, int e) {
  const omr_graph_element *element = &s->graph->element[e];
  omr_graph_object *o = &s->object[e];
  o->law[0] = (omr_graph_law){s, element->slot[OMR_GRAPH_KEY_FORCE_FORCE]};
  o->law[1] = (omr_graph_law){s, element->slot[OMR_GRAPH_KEY_FORCE_FORCE_TORQUE]};
  o->is.wrench.axes = element->word[OMR_GRAPH_KEY_FORCE_FORCE_AXES] ? OMR_AXES_B : OMR_AXES_WORLD;
  o->is.wrench.law = wrench_law;
  o->is.wrench.self = o->law;
  const omr_point_place place = {element->body[0],
                                 element->body[1],
                                 {0, 0, 0},
                                 omr_graph_vector(s, element->slot[OMR_GRAPH_KEY_FORCE_FORCE_AT])};
  omr_applied_wrench(mb, &o->is.wrench, element->path, place);
}

/* A spring whose ends are in one place has no direction to push along. */
static bool add_spring(omr_graph_system *s, omr_mb *mb, int e, omr_point_place points,
                       omr_reason *why) {
  omr_spring *spring = &s->object[e].is.spring;
  const omr_slot length = slot_of(s, e, OMR_GRAPH_KEY_CONSTRAINT_FREE_LENGTH);
  const double distance = omr_rod_distance(mb, points);
  spring->stiffness = NUMBER(STIFFNESS);
  spring->damping = NUMBER(DAMPING);
  spring->free_length = length >= 0 ? s->value[length] : distance;
  if (!(distance > 0) && spring->free_length != 0)
    return omr_refuse(why,
                      "%s %.100s: its ends start in one place, so that its force has no direction; "
                      "\"point_a\" and \"point_b\" say where they are",
                      omr_graph_kind_rows[s->graph->element[e].kind].word,
                      s->graph->element[e].path);
  omr_point_spring(mb, spring, s->graph->element[e].path, points);
  return true;
}

static bool add_rod(omr_graph_system *s, omr_mb *mb, int e, omr_point_place points,
                    omr_reason *why) {
  const omr_slot length = slot_of(s, e, OMR_GRAPH_KEY_CONSTRAINT_FREE_LENGTH);
  const double distance = length >= 0 ? s->value[length] : omr_rod_distance(mb, points);
  if (!(distance > 0))
    return omr_refuse(why, "%s %.100s: its length is not above 0",
                      omr_graph_kind_rows[s->graph->element[e].kind].word,
                      s->graph->element[e].path);
  omr_distance_rod(mb, &s->object[e].is.rod, s->graph->element[e].path, points, distance);
  return true;
}

static void add_gear(omr_graph_system *s, omr_mb *mb, int e, omr_point_place points) {
  const omr_graph_element *element = &s->graph->element[e];
  omr_graph_object *o = &s->object[e];
  const omr_gear_place place = {points.a, points.b, element->word[OMR_GRAPH_KEY_CONSTRAINT_CARRIER],
                                VECTOR(AXIS_A), VECTOR(AXIS_B)};
  if (element->kind == OMR_GRAPH_KIND_CONSTRAINT_GEAR)
    omr_gear_pair(mb, &o->is.gear, element->path, place, NUMBER(RATIO), 0);
  else
    omr_rack_pair(mb, &o->is.rack, element->path, place, points.point_b, NUMBER(RADIUS), 0);
}

static bool add_constraint(omr_graph_system *s, omr_mb *mb, int e, omr_reason *why) {
  const omr_graph_element *element = &s->graph->element[e];
  omr_graph_object *o = &s->object[e];
  const omr_point_place points = points_of(s, mb, e);

  /* constraints on one body or two points; all other kinds are joints */
  switch (element->kind) {
  case OMR_GRAPH_KIND_CONSTRAINT_UPRIGHT:
    if (points.a != 0)
      return omr_refuse(why, "%s %.100s: A is the base, against which B is kept upright",
                        omr_graph_kind_rows[element->kind].word, element->path);
    omr_upright_servo(mb, &o->is.upright, element->path, points.b, omr_unit(VECTOR(AXIS)));
    return true;
  case OMR_GRAPH_KIND_CONSTRAINT_WELD:
    omr_joint_add(mb, &o->is.joint, element->path,
                  (omr_joint_place){points.a, points.b, {0, 0, 1}, {0, 0, 0}, {0, 0, 0}},
                  (omr_joint_law){.class = OMR_JOINT_WELD});
    return true;
  case OMR_GRAPH_KIND_CONSTRAINT_BALL:
    omr_ball_joint(mb, &o->is.ball, element->path, points);
    return true;
  case OMR_GRAPH_KIND_CONSTRAINT_ROD: return add_rod(s, mb, e, points, why);
  case OMR_GRAPH_KIND_CONSTRAINT_GEAR:
  case OMR_GRAPH_KIND_CONSTRAINT_RACK: add_gear(s, mb, e, points); return true;
  case OMR_GRAPH_KIND_CONSTRAINT_PRESCRIBED: add_motion(s, mb, e, points); return true;
  case OMR_GRAPH_KIND_CONSTRAINT_SPRING_DAMPER: return add_spring(s, mb, e, points, why);
  default: add_joint(s, mb, e, points); return true;
  }
}

bool omr_graph_add_edges(omr_graph_system *s, omr_mb *mb, omr_reason *why) {
  for (int e = 0; e < s->graph->elements; e++) {
    if (s->graph->element[e].class == OMR_GRAPH_CONSTRAINT && !add_constraint(s, mb, e, why))
      return false;
    if (s->graph->element[e].class == OMR_GRAPH_FORCE) add_wrench(s, mb, e);
    if (s->graph->element[e].kind == OMR_GRAPH_KIND_CONTACT_DISC) omr_graph_add_disc(s, mb, e);
  }
  return true;
}
