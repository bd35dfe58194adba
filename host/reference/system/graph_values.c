/* Numbers of a moving system: rows of lists/graph_quantities.def. */
#include "graph_system.h"

#include <string.h>

static double of_system(const omr_graph_system *s, omr_graph_quantity_kind quantity) {
  const omr_mb *mb = s->owner->mb;
  const double *integrals = omr_mb_quadratures(mb);
  double springs = 0, drift = 0;

  /* quantities that the multibody system keeps */
  switch (quantity) {
  case OMR_GRAPH_SYSTEM_TIME: return mb->time;
  case OMR_GRAPH_SYSTEM_KINETIC: return omr_mb_kinetic(mb);
  case OMR_GRAPH_SYSTEM_POTENTIAL: return omr_mb_potential(mb);
  case OMR_GRAPH_SYSTEM_WORK: return integrals[OMR_GRAPH_Q_WORK];
  case OMR_GRAPH_SYSTEM_IMPACTS: return s->contacts.lost + s->rings.lost;
  case OMR_GRAPH_SYSTEM_BALANCE:
    return omr_graph_energy(s) - s->start_energy - integrals[OMR_GRAPH_Q_WORK] + s->contacts.lost +
           s->rings.lost;
  case OMR_GRAPH_SYSTEM_DRIFT:
    for (int i = 0; i < mb->constraints; i++)
      drift = fmax(drift, fabs(omr_mb_drift_of(mb, mb->constraint[i]).position));
    return drift;
  case OMR_GRAPH_SYSTEM_REDUNDANT: return mb->solver.redundant;
  default: break;
  }

  for (int e = 0; e < s->graph->elements; e++) {
    /* energies need the springs of joints, elements, contacts and teeth */
    const omr_graph_object *o = &s->object[e];
    double gap, speed, rate;
    switch (s->graph->element[e].kind) {
    case OMR_GRAPH_KIND_CONSTRAINT_SPRING_IDEAL:
      omr_joint_motion(mb, &o->is.joint, &gap, &speed, &rate);
      springs += 0.5 * o->is.joint.law.stiffness * gap * gap;
      break;
    case OMR_GRAPH_KIND_CONSTRAINT_SPRING_DAMPER:
      springs += omr_spring_energy(mb, &o->is.spring);
      break;
    case OMR_GRAPH_KIND_CONTACT_SURFACE:
      springs += omr_body_contact_look(mb, &o->is.contact).spring;
      break;
    case OMR_GRAPH_KIND_CONTACT_DISC: springs += omr_disc_spring(mb, &o->is.disc); break;
    case OMR_GRAPH_KIND_CONTACT_GEAR_TEETH:
      springs += omr_mesh_look(mb, &o->is.teeth).energy;
      break;
    default: break;
    }
  }

  if (quantity == OMR_GRAPH_SYSTEM_SPRINGS) return springs;
  return omr_graph_energy(s) + springs; /* OMR_GRAPH_SYSTEM_ENERGY */
}

double omr_graph_energy(const omr_graph_system *s) {
  return omr_mb_kinetic(s->owner->mb) + omr_mb_potential(s->owner->mb);
}

static double component(omr_vec v, int i) {
  return i == 0 ? v.x : i == 1 ? v.y : v.z;
}

static double of_body(const omr_graph_system *s, int body, omr_graph_quantity_kind quantity) {
  const omr_mb *mb = s->owner->mb;
  const omr_acceleration *a = &mb->acceleration[body];
  double q[4] = {1, 0, 0, 0};
  if (body > 0) memcpy(q, mb->state + OMR_MB_BODY_STATES * (body - 1) + OMR_MB_Q, sizeof q);
  const omr_frame seen = s->plate ? omr_graph_seen_frame(s, body, q) : mb->frame[body], *f = &seen;
  const int at = (int)quantity;

  /* motion, in the axes of the world or of the body */
  if (at <= OMR_GRAPH_BODY_Z) return component(f->r, at - OMR_GRAPH_BODY_X);
  if (at <= OMR_GRAPH_BODY_VZ) return component(f->v, at - OMR_GRAPH_BODY_VX);
  if (at <= OMR_GRAPH_BODY_WZ) return component(f->w, at - OMR_GRAPH_BODY_WX);
  if (at <= OMR_GRAPH_BODY_W3)
    return component(omr_transposed_times(&f->t, f->w), at - OMR_GRAPH_BODY_W1);
  if (at <= OMR_GRAPH_BODY_Q3) /* the integrated quaternion has any length */
    return q[at - OMR_GRAPH_BODY_Q0] / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);

  if (at <= OMR_GRAPH_BODY_T33)
    return component(f->t.row[(at - OMR_GRAPH_BODY_T11) / 3], (at - OMR_GRAPH_BODY_T11) % 3);

  /* accelerations of the last evaluation, and the energy */
  if (at <= OMR_GRAPH_BODY_AZ) return component(a->a, at - OMR_GRAPH_BODY_AX);
  if (at <= OMR_GRAPH_BODY_EZ) return component(a->e, at - OMR_GRAPH_BODY_EX);
  return body > 0 ? omr_mb_body_kinetic(mb, body) : 0;
}

/* Angle and shift are defined for joints with an axis only. */
static double of_constraint(const omr_graph_system *s, int element,
                            omr_graph_quantity_kind quantity) {
  const omr_mb *mb = s->owner->mb;
  const omr_graph_object *o = &s->object[element];
  double shift = 0, speed = 0, rate = 0, force = 0, torque = 0;

  if (quantity == OMR_GRAPH_CONSTRAINT_REACTION)
    return omr_norm(omr_mb_wrench(mb, &o->is.base, 0).force);

  /* without an axis, force and torque have only a size */
  if (!omr_graph_has_key(s->graph->element[element].kind, OMR_GRAPH_KEY_CONSTRAINT_AXIS) ||
      s->graph->element[element].kind == OMR_GRAPH_KIND_CONSTRAINT_UPRIGHT) {
    const omr_force_torque on_a = omr_mb_wrench(mb, &o->is.base, 0);
    if (quantity == OMR_GRAPH_CONSTRAINT_FORCE) return omr_norm(on_a.force);
    return quantity == OMR_GRAPH_CONSTRAINT_TORQUE ? omr_norm(on_a.torque) : (double)NAN;
  }

  /* with one, they are components along it */
  if (quantity == OMR_GRAPH_CONSTRAINT_ANGLE) return *omr_mb_own(mb, &o->is.base);
  if (quantity == OMR_GRAPH_CONSTRAINT_FORCE || quantity == OMR_GRAPH_CONSTRAINT_TORQUE) {
    omr_joint_effort(mb, &o->is.joint, &force, &torque);
    return quantity == OMR_GRAPH_CONSTRAINT_FORCE ? force : torque;
  }

  omr_joint_motion(mb, &o->is.joint, &shift, &speed, &rate);
  if (quantity == OMR_GRAPH_CONSTRAINT_RATE) return rate;
  return quantity == OMR_GRAPH_CONSTRAINT_SHIFT ? shift : speed;
}

static double of_contact(const omr_graph_system *s, int element, omr_graph_quantity_kind quantity) {
  if (s->graph->element[element].kind == OMR_GRAPH_KIND_CONTACT_DISC)
    return omr_graph_disc_value(s, element, (int)quantity);
  if (s->graph->element[element].kind == OMR_GRAPH_KIND_CONTACT_GEAR_TEETH)
    return omr_graph_teeth_value(s, element, (int)quantity);
  if (s->graph->element[element].kind == OMR_GRAPH_KIND_CONTACT_ROLLER)
    return omr_graph_roller_value(s, element, (int)quantity);
  const omr_mb *mb = s->owner->mb;
  const omr_body_contact *c = &s->object[element].is.contact;
  if (quantity == OMR_GRAPH_CONTACT_TOUCHES) return c->closed ? 1 : 0;
  if (quantity == OMR_GRAPH_CONTACT_LOAD || quantity == OMR_GRAPH_CONTACT_FRICTION) {
    const omr_contact_sight sight = omr_body_contact_look(mb, c);
    return quantity == OMR_GRAPH_CONTACT_LOAD ? sight.load : omr_norm(sight.friction);
  }
  const omr_contact_place place = omr_body_contact_place(mb, c);
  if (quantity <= OMR_GRAPH_CONTACT_CZ)
    return component(place.point, (int)quantity - OMR_GRAPH_CONTACT_CX);
  if (quantity == OMR_GRAPH_CONTACT_GAP) return place.gap;
  if (quantity != OMR_GRAPH_CONTACT_SLIP) return (double)NAN; /* of gear teeth */
  return omr_norm(omr_axpy(place.slip, -omr_dot(place.slip, place.n), place.n));
}

static double quantity_of(omr_graph_system *s, const omr_graph_slot *slot) {
  switch (omr_graph_quantity_rows[slot->quantity].owner) {
  case OMR_GRAPH_OF_SYSTEM: return of_system(s, slot->quantity);
  case OMR_GRAPH_OF_BODY: return of_body(s, slot->owner_number, slot->quantity);
  case OMR_GRAPH_OF_CONSTRAINT: return of_constraint(s, slot->owner_number, slot->quantity);
  case OMR_GRAPH_OF_MEASURE: return omr_graph_measure(s, slot->owner_number);
  default: return of_contact(s, slot->owner_number, slot->quantity);
  }
}

static bool is_quantity(const omr_graph_slot *slot) {
  return !slot->formula && slot->owner_number >= 0;
}

/* The quantities that an expression needs, and in a built-in system other expressions. */
static void look_up(omr_graph_system *s, const omr_expression *e) {
  for (size_t c = 0; c < e->column_count; c++) {
    const omr_graph_slot *slot = &s->graph->slot[e->columns[c]];
    if (is_quantity(slot) || slot->level != OMR_GRAPH_STATIC)
      s->value[e->columns[c]] = omr_graph_number(s, (omr_slot)e->columns[c]);
  }
}

double omr_graph_number(omr_graph_system *s, omr_slot at) {
  const omr_graph_slot *slot = &s->graph->slot[at];
  if (is_quantity(slot)) return quantity_of(s, slot);
  if (!slot->formula || slot->level == OMR_GRAPH_STATIC) return s->value[at];
  const double look = s->owner->mb->looks + 1;
  if (s->small && s->seen[at] == look) return s->value[at];
  look_up(s, slot->formula);
  s->seen[at] = look;
  return s->value[at] = omr_expression_value(slot->formula, s->value);
}

bool omr_graph_holds(omr_graph_system *s, omr_slot at) {
  look_up(s, s->graph->slot[at].formula);
  return omr_expression_truth(s->graph->slot[at].formula, s->value) == 1;
}

double omr_graph_margin(omr_graph_system *s, omr_slot at) {
  look_up(s, s->graph->slot[at].formula);
  return omr_expression_margin(s->graph->slot[at].formula, s->value);
}

double omr_graph_measured_number(omr_graph_system *s, int measure) {
  return omr_graph_number(s, omr_graph_measured_slot(s->graph, measure));
}

static double integral_of(const omr_graph_system *s, int measure) {
  int at = omr_graph_first_integral(s);
  for (int m = 0; m < measure; m++)
    at += omr_graph_is_integral(omr_graph_measure_element(s, m)->kind);
  return omr_mb_quadratures(s->owner->mb)[at];
}

double omr_graph_measure(omr_graph_system *s, int measure) {
  const double duration = s->owner->mb->time;
  const omr_graph_kind kind = omr_graph_measure_element(s, measure)->kind;
  if (kind == OMR_GRAPH_KIND_MEASURE_INTEGRAL) return integral_of(s, measure);
  if (!omr_graph_is_integral(kind) && kind != OMR_GRAPH_KIND_MEASURE_FINAL)
    return s->measured[measure].value;
  const double now = omr_graph_measured_number(s, measure);
  if (kind == OMR_GRAPH_KIND_MEASURE_FINAL) return now;
  if (kind == OMR_GRAPH_KIND_MEASURE_MEAN)
    return duration > 0 ? integral_of(s, measure) / duration : now;
  return duration > 0 ? sqrt(fmax(integral_of(s, measure), 0) / duration) : fabs(now);
}
