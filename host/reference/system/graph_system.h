/* A multibody system that a study lists (study/system/graph.h), on the reference: shared by the
 * files graph_*.c. Source 3: bodies are the vertices of a graph, constraints its edges. */
#ifndef OMR_GRAPH_SYSTEM_H
#define OMR_GRAPH_SYSTEM_H

#include "../contact/body_contact.h"
#include "../contact/disc_contact.h"
#include "../contact/gear_teeth.h"
#include "../multibody/forces.h"
#include "../multibody/multibody.h"
#include "../reference.h"
#include "graph_rollers.h"
#include "study/system/graph.h"

/* The moving ground of rolling_disc as the base of a multibody system: a plate with a given motion
 * (appendix/small.md#models). */

/* Motion of the base (omr_mb_move_base) with the values OMR_VP_GROUND_ that `self`, a const double
 * *, points to. The frame's origin is the point about which the plate turns. */
omr_mb_motion omr_plate_move;

/* The point that the plate turns about, where the plate has it. */
omr_vec omr_plate_pivot(const double *values);
/* Quaternion of the plate at time t: from its axes to inertial ones. */
void omr_plate_quaternion(const double *values, double t, double q[4]);

/* An expression of time and state that a constraint calls. */
typedef struct omr_graph_law {
  omr_graph_system *system;
  omr_slot slot;
} omr_graph_law;

/* The object of a constraint or force in the multibody system. */
typedef struct omr_graph_object {
  union {
    omr_mb_constraint base; /* first member of all of them */
    omr_joint joint;
    omr_upright upright;
    omr_ball ball;
    omr_rod rod;
    omr_gear gear;
    omr_rack rack;
    omr_motion motion;
    omr_spring spring;
    omr_wrench wrench;
    omr_body_contact contact;
    omr_gear_teeth teeth;
    omr_graph_roller roller;
    omr_disc_contact disc;
  } is;
  omr_graph_law law[6];
  omr_sine_teeth wave; /* deviation of gear teeth */
} omr_graph_object;

/* A running measure. */
typedef struct omr_graph_measured {
  double value;   /* start, least or most so far, time, count */
  bool on;        /* first, count: the condition held at the last look */
  bool dynamic;   /* the condition follows from accelerations: checked at steps, without an event */
  double margin;  /* of the condition at the last look */
  double jumped;  /* time of the last jump that changed it */
  double look[3]; /* OMR_GRAPH_LOOKS: values of an extreme at the kept looks */
} omr_graph_measured;

/* The last looks of one smooth stretch, with the states there. */
enum { OMR_GRAPH_LOOKS = 3 };
typedef struct omr_graph_looks {
  int count, states;
  double time[OMR_GRAPH_LOOKS], *state[OMR_GRAPH_LOOKS];
  double *rate, *trial; /* [states], of a state that is set again */
} omr_graph_looks;

/* A model's system that comes with the program (small_system.c). */
typedef struct omr_small_system omr_small_system;

/* Integrals that every system has; those of measures follow. */
enum { OMR_GRAPH_Q_WORK, OMR_GRAPH_Q_MEASURES };

struct omr_graph_system {
  omr_reference *owner;
  const omr_graph *graph;
  double *value;            /* [slots], those of quantities as they were asked for last */
  double *seen;             /* [slots], built-in: mb->looks + 1 where `value` was found */
  omr_graph_object *object; /* [elements] */
  omr_contact_group contacts;
  omr_graph_rings rings;
  double start_energy;
  omr_graph_measured measured[OMR_GRAPH_MEASURES];
  int event[OMR_GRAPH_MEASURES]; /* of conditions with events: numbers of measures */
  int events;
  omr_graph_looks looks;
  const omr_small_system *small; /* built-in system; NULL: one of a study's own */
  omr_values *plate; /* the base moves by these (plate.c), and quantities are those that one sees
                        who stands on it; NULL: it is at rest */
  bool looked;       /* a step start has been looked at */
};

/* graph_model.c: the system with these values of its parameters, the reference's own; NULL: out of
 * memory. */
omr_graph_system *omr_graph_make(omr_reference *r, const omr_graph *graph,
                                 const double *parameters);
/* Bodies, constraints, forces and integrals, in r->mb. False with a reason. */
bool omr_graph_put_together(omr_graph_system *s, omr_reference *r, omr_reason *why);

static inline const omr_graph_element *omr_graph_measure_element(const omr_graph_system *s,
                                                                 int measure) {
  return &s->graph->element[s->graph->measure_element[measure]];
}

static inline bool omr_graph_is_condition(omr_graph_kind kind) {
  return kind == OMR_GRAPH_KIND_MEASURE_FIRST || kind == OMR_GRAPH_KIND_MEASURE_COUNT;
}

static inline bool omr_graph_is_integral(omr_graph_kind kind) {
  return kind == OMR_GRAPH_KIND_MEASURE_MEAN || kind == OMR_GRAPH_KIND_MEASURE_RMS ||
         kind == OMR_GRAPH_KIND_MEASURE_INTEGRAL;
}

/* What a measure is of, or its condition. */
static inline omr_slot omr_graph_measured_slot(const omr_graph *graph, int measure) {
  const omr_graph_element *e = &graph->element[graph->measure_element[measure]];
  return e->slot[omr_graph_is_condition(e->kind) ? OMR_GRAPH_KEY_MEASURE_WHEN
                                                 : OMR_GRAPH_KEY_MEASURE_OF];
}

/* The integrals of measures follow the work, which a built-in system has not. */
static inline int omr_graph_first_integral(const omr_graph_system *s) {
  return s->small ? OMR_GRAPH_Q_WORK : OMR_GRAPH_Q_MEASURES;
}

/* graph_values.c: numbers in the state set last; of accelerations, in that of the last evaluation.
 */
double omr_graph_number(omr_graph_system *s, omr_slot slot);
double omr_graph_margin(omr_graph_system *s, omr_slot slot);
bool omr_graph_holds(omr_graph_system *s, omr_slot slot); /* a condition */
static inline omr_vec omr_graph_vector(const omr_graph_system *s, omr_slot first) {
  return first < 0 ? omr_vec_of(0, 0, 0)
                   : omr_vec_of(s->value[first], s->value[first + 1], s->value[first + 2]);
}
/* A number of an element; 0 where it has none. */
static inline double omr_graph_given(const omr_graph_system *s, const omr_graph_element *e,
                                     omr_graph_key key) {
  return e->slot[key] < 0 ? 0 : s->value[e->slot[key]];
}
/* Kinetic energy and energy of gravity, which is 0 at the origin. */
double omr_graph_energy(const omr_graph_system *s);
/* A measure's value so far; the number that it is of. */
double omr_graph_measure(omr_graph_system *s, int measure);
double omr_graph_measured_number(omr_graph_system *s, int measure);

/* graph_poses.c: bodies in their initial state. False with a reason. */
bool omr_graph_place_bodies(omr_graph_system *s, omr_mb *mb, omr_reason *why);
/* A point in the axes of a group at the start, in world axes; and a direction. */
omr_vec omr_graph_world_point(const omr_graph_system *s, int group, omr_vec point);

/* graph_edges.c: constraints and forces; graph_contacts.c: contacts. False with a reason. */
bool omr_graph_add_edges(omr_graph_system *s, omr_mb *mb, omr_reason *why);
bool omr_graph_add_contacts(omr_graph_system *s, omr_mb *mb, omr_reason *why);

/* graph_disc.c: a disc on a plane of a built-in system, its quantities (OMR_GRAPH_CONTACT_), the
 * switches of its law, and bodies as one sees them who stands on a plate that moves. */
void omr_graph_add_disc(omr_graph_system *s, omr_mb *mb, int element);
double omr_graph_disc_value(const omr_graph_system *s, int element, int quantity);
void omr_graph_add_disc_switches(omr_graph_system *s, omr_reference *r);
omr_frame omr_graph_seen_frame(const omr_graph_system *s, int body, double q[4]);

/* graph_teeth.c: a mesh of gears, and its quantities (OMR_GRAPH_CONTACT_). */
bool omr_graph_add_teeth(omr_graph_system *s, omr_mb *mb, int element, omr_reason *why);
double omr_graph_teeth_value(const omr_graph_system *s, int element, int quantity);

/* graph_extremes.c: makes room for looks at a system of `states` states; false: out of memory. */
bool omr_graph_make_looks(omr_graph_system *s, int states);
/* Takes the state set last; false if it is at the last look's instant. */
bool omr_graph_keep_look(omr_graph_looks *looks, const omr_mb *mb);
/* The record, or an extreme of the slot between the looks that exceeds it: f are its values at the
 * looks; sign 1: largest, -1: smallest. */
double omr_graph_between_looks(omr_graph_system *s, omr_slot slot, const double f[OMR_GRAPH_LOOKS],
                               double record, double sign);

/* graph_measures.c */
void omr_graph_add_measures(omr_graph_system *s, omr_mb *mb);
void omr_graph_begin_measures(omr_graph_system *s);
/* Takes the evaluated state into extremes and conditions; `breaks`: something jumps here. */
void omr_graph_look(omr_graph_system *s, bool breaks);
void omr_graph_measure_values(omr_graph_system *s, double *g);
void omr_graph_measure_happen(omr_graph_system *s, int which);

#endif
