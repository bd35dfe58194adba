/* A multibody system that a study lists (study/graph.h), on the reference: shared by the files
 * graph_*.c. Source 3: bodies are the vertices of a graph, constraints its edges. */
#ifndef OMR_GRAPH_SYSTEM_H
#define OMR_GRAPH_SYSTEM_H

#include "body_contact.h"
#include "forces.h"
#include "gear_teeth.h"
#include "graph_rollers.h"
#include "reference.h"
#include "study/graph.h"

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
  double *memory;
} omr_graph_looks;

/* Integrals that every system has; the measures' integrals follow. */
enum { OMR_GRAPH_Q_WORK, OMR_GRAPH_Q_MEASURES };

struct omr_graph_system {
  omr_reference *owner;
  const omr_graph *graph;
  double *value;            /* [slots], quantities as they were evaluated last */
  omr_graph_object *object; /* [elements] */
  omr_contact_group contacts;
  omr_graph_rings rings;
  double start_energy;
  omr_graph_measured measured[OMR_GRAPH_MEASURES];
  int event[OMR_GRAPH_MEASURES]; /* of conditions with events: numbers of measures */
  int events;
  omr_graph_looks looks;
};

/* graph_values.c: numbers in the state set last; of accelerations, in the state of the last
 * evaluation. */
double omr_graph_number(omr_graph_system *s, omr_slot slot);
double omr_graph_margin(omr_graph_system *s, omr_slot slot);
static inline omr_vec omr_graph_vector(const omr_graph_system *s, omr_slot first) {
  return first < 0 ? omr_vec_of(0, 0, 0)
                   : omr_vec_of(s->value[first], s->value[first + 1], s->value[first + 2]);
}
/* Kinetic energy and energy of gravity, which is 0 at the origin. */
double omr_graph_energy(const omr_graph_system *s);

/* graph_poses.c: bodies in their initial state. False with a reason. */
bool omr_graph_place_bodies(omr_graph_system *s, omr_mb *mb, char *reason, size_t size);
/* A point in the axes of a group at the start, in world axes; and a direction. */
omr_vec omr_graph_world_point(const omr_graph_system *s, int group, omr_vec point);

/* graph_edges.c: constraints and forces; graph_contacts.c: contacts. False with a reason. */
bool omr_graph_add_edges(omr_graph_system *s, omr_mb *mb, char *reason, size_t size);
bool omr_graph_add_contacts(omr_graph_system *s, omr_mb *mb, char *reason, size_t size);

/* graph_teeth.c: a mesh of gears, and its quantities (OMR_GRAPH_CONTACT_). */
bool omr_graph_add_teeth(omr_graph_system *s, omr_mb *mb, int element, char *reason, size_t size);
double omr_graph_teeth_value(const omr_graph_system *s, int element, int quantity);

/* graph_extremes.c: makes room for looks at a system of `states` states; false: out of memory. */
bool omr_graph_make_looks(omr_graph_looks *looks, int states);
void omr_graph_free_looks(omr_graph_looks *looks);
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
void omr_graph_measures(omr_graph_system *s, double *observables);

#endif
