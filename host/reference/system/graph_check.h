/* Findings on the graph of a system before it runs: its number of freedoms, constraints that share
 * redundant conditions, contradictions between them, and violations in the initial state. All in
 * the initial position: a mechanism in a dead point has one more redundant condition and one more
 * freedom there. */
#ifndef OMR_GRAPH_CHECK_H
#define OMR_GRAPH_CHECK_H

#include "../multibody/multibody.h"

#include <stdio.h>

typedef enum omr_finding_kind {
  OMR_FINDING_FREE,         /* a body that no constraint or contact holds */
  OMR_FINDING_REDUNDANT,    /* constraints that share conditions: `count` too many */
  OMR_FINDING_INCONSISTENT, /* redundant ones with different accelerations: value, other */
  OMR_FINDING_POSITION,     /* the initial positions violate a constraint by `value`, m or rad */
  OMR_FINDING_VELOCITY,     /* the initial velocities violate it, m/s or rad/s */
  OMR_FINDING_SELF          /* a constraint joins a body to itself */
} omr_finding_kind;

typedef struct omr_finding {
  omr_finding_kind kind;
  bool error;          /* the system cannot run as it is */
  int body;            /* of `free`, otherwise 0 */
  int constraint;      /* number of the (first) constraint, -1 for a body */
  int second;          /* of the other named constraint, or -1 */
  int count;           /* conditions */
  double value, other; /* the numbers in the text */
  char *text;          /* a sentence with names and numbers */
} omr_finding;

typedef struct omr_findings {
  int bodies, conditions, redundant, freedoms;
  int findings, errors;
  omr_finding *finding;
} omr_findings;

/* Limits of a violation; 0: 1e-6 m or rad, 1e-6 m/s or rad/s. */
typedef struct omr_finding_tolerance {
  double position, velocity;
} omr_finding_tolerance;

/* Checks mb in its present state, which does not change. Fails on memory and if omr_mb_complete
 * does (bodies without mass); faults of the graph become findings, errors first. Free it with
 * omr_findings_free. */
omr_status omr_mb_graph_check(omr_mb *mb, const omr_finding_tolerance *tolerance,
                              omr_findings *graph, omr_error *error);
void omr_findings_free(omr_findings *graph);

#endif
