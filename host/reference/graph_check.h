/* What the graph of a system says before it runs: how many freedoms it has, which constraints share
 * conditions that are redundant, which ones contradict each other, and which ones the initial state
 * violates. All in the initial position: a mechanism in a dead point has a redundant condition and
 * a freedom more there. */
#ifndef OMR_GRAPH_CHECK_H
#define OMR_GRAPH_CHECK_H

#include "multibody.h"

#include <stdio.h>

typedef enum omr_graph_kind {
  OMR_GRAPH_FREE,         /* a body that no constraint or contact holds */
  OMR_GRAPH_REDUNDANT,    /* constraints that share conditions: `count` too many */
  OMR_GRAPH_INCONSISTENT, /* redundant ones that ask for different accelerations: value, other */
  OMR_GRAPH_POSITION,     /* the initial positions violate a constraint by `value`, m or rad */
  OMR_GRAPH_VELOCITY,     /* the initial velocities do, m/s or rad/s */
  OMR_GRAPH_SELF          /* a constraint joins a body to itself */
} omr_graph_kind;

typedef struct omr_graph_finding {
  omr_graph_kind kind;
  bool error;          /* the system cannot run as it is */
  int body;            /* of `free`, otherwise 0 */
  int constraint;      /* number of the (first) constraint, -1 for a body */
  int second;          /* of the other one that is named, or -1 */
  int count;           /* conditions */
  double value, other; /* the numbers in the text */
  char *text;          /* a sentence with names and numbers */
} omr_graph_finding;

typedef struct omr_graph {
  int bodies, conditions, redundant, freedoms;
  int findings, errors;
  omr_graph_finding *finding;
} omr_graph;

/* What counts as a violation; 0: 1e-6 m or rad, 1e-6 m/s or rad/s. */
typedef struct omr_graph_tolerance {
  double position, velocity;
} omr_graph_tolerance;

/* Looks at mb in its present state, which stays as it is. Fails on memory and where
 * omr_mb_complete does (bodies without mass): what is wrong with the graph is told by the findings,
 * errors first. Free it with omr_graph_free. */
omr_status omr_mb_graph_check(omr_mb *mb, const omr_graph_tolerance *tolerance, omr_graph *graph,
                              omr_error *error);
void omr_graph_free(omr_graph *graph);

/* A line with the numbers of bodies, conditions and freedoms, then one for each finding. */
void omr_graph_print(const omr_graph *graph, FILE *to);

#endif
