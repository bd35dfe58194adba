/* What the graph of a system says before it runs: how many freedoms it has, which constraints share
 * conditions that are redundant, which ones contradict each other, and which ones the initial state
 * violates. All in the initial position: a mechanism in a dead point has a redundant condition and
 * a freedom more there. */
#ifndef OMR_GRAPH_CHECK_H
#define OMR_GRAPH_CHECK_H

#include "multibody.h"

#include <stdio.h>

typedef enum omr_finding_kind {
  OMR_FINDING_FREE,         /* a body that no constraint or contact holds */
  OMR_FINDING_REDUNDANT,    /* constraints that share conditions: `count` too many */
  OMR_FINDING_INCONSISTENT, /* redundant ones that ask for different accelerations: value, other */
  OMR_FINDING_POSITION,     /* the initial positions violate a constraint by `value`, m or rad */
  OMR_FINDING_VELOCITY,     /* the initial velocities do, m/s or rad/s */
  OMR_FINDING_SELF          /* a constraint joins a body to itself */
} omr_finding_kind;

typedef struct omr_finding {
  omr_finding_kind kind;
  bool error;          /* the system cannot run as it is */
  int body;            /* of `free`, otherwise 0 */
  int constraint;      /* number of the (first) constraint, -1 for a body */
  int second;          /* of the other one that is named, or -1 */
  int count;           /* conditions */
  double value, other; /* the numbers in the text */
  char *text;          /* a sentence with names and numbers */
} omr_finding;

typedef struct omr_findings {
  int bodies, conditions, redundant, freedoms;
  int findings, errors;
  omr_finding *finding;
} omr_findings;

/* What counts as a violation; 0: 1e-6 m or rad, 1e-6 m/s or rad/s. */
typedef struct omr_finding_tolerance {
  double position, velocity;
} omr_finding_tolerance;

/* Looks at mb in its present state, which stays as it is. Fails on memory and where
 * omr_mb_complete does (bodies without mass): what is wrong with the graph is told by the findings,
 * errors first. Free it with omr_findings_free. */
omr_status omr_mb_graph_check(omr_mb *mb, const omr_finding_tolerance *tolerance,
                              omr_findings *graph, omr_error *error);
void omr_findings_free(omr_findings *graph);

#endif
