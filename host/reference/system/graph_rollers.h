/* Rollers of omni wheels in a multibody system of the study's own: contacts of kind `roller`. The
 * rollers of one wheel form a ring, of which one is on the floor; its neighbour takes over when the
 * wheel has turned on by half the angle between them (appendix/rollers.md#exchange). */
#ifndef OMR_GRAPH_ROLLERS_H
#define OMR_GRAPH_ROLLERS_H

#include "../contact/roller_contact.h"

typedef struct omr_graph_system omr_graph_system;

typedef struct omr_graph_roller {
  omr_roller_contact contact; /* first member, as in every object of the graph */
  omr_friction friction;
} omr_graph_roller;

/* A roller of a ring. */
typedef struct omr_ring_place {
  omr_graph_roller *roller;
  double angle;         /* about the wheel's axis from straight down in the wheel, rad */
  double behind, ahead; /* half way to the next roller and to the one before, rad */
} omr_ring_place;

typedef struct omr_graph_ring {
  int wheel, rollers;
  omr_ring_place *place; /* [rollers], ascending angles */
  int active;
  bool held; /* has turned back within a step: keeps its roller to the end of the step */
  int last;  /* direction of the last exchange, in the step number last_step */
  double last_step;
  int there; /* direction of the exchange in progress; 0: none */
} omr_graph_ring;

/* All rings of a system. */
typedef struct omr_graph_rings {
  omr_graph_ring *ring; /* [count] */
  int count;
  double tick; /* a step of the study, s */
  double lost; /* kinetic energy lost in impacts so far, J */
  long exchanges;
} omr_graph_rings;

/* graph_rollers.c. Finds the rings once the bodies are in place, checks the places of their rollers
 * and puts one of each on the floor. False with a reason. */
bool omr_graph_add_rollers(omr_graph_system *s, omr_mb *mb, omr_reason *why);
/* A quantity of the contact `element`; a roller in the air has no place. */
double omr_graph_roller_value(const omr_graph_system *s, int element, int quantity);

/* graph_rings.c: switches. */
enum { OMR_RING_EVENTS = 3 };
static inline omr_ring_place *omr_ring_active(const omr_graph_ring *r) {
  return &r->place[r->active];
}
/* Present angle of a roller's centre from straight down about the wheel's axis. */
double omr_ring_angle(const omr_graph_ring *ring, const omr_mb *mb, int place);
/* Finds the roller that is down now; on an edge the wheel's turning decides. */
void omr_ring_settle(omr_graph_ring *ring, omr_mb *mb);
void omr_rings_values(const omr_graph_rings *rings, const omr_mb *mb, double *g);
omr_status omr_rings_happen(omr_graph_system *s, omr_mb *mb, int which, omr_error *error);
/* The impact at the start that ends the slip of rollers that cannot slip. */
omr_status omr_rings_begin(omr_graph_system *s, omr_mb *mb, omr_error *error);
double omr_rings_stop_time(const omr_graph_rings *rings, double t);
omr_status omr_rings_stop(omr_graph_system *s, omr_mb *mb, omr_error *error);
/* True if the floor pulls a roller, in the state evaluated last. */
bool omr_rings_lifted(const omr_graph_rings *rings, const omr_mb *mb);

#endif
