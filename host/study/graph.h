/* A multibody system as a study of the model `multibody` writes it: bodies, and constraints,
 * contacts and forces between them, with numbers that are expressions of the study's own
 * parameters. What is in here is constant after it was read; host/reference/graph*.c builds a
 * system of each instance's values. */
#ifndef OMR_STUDY_GRAPH_H
#define OMR_STUDY_GRAPH_H

#include "expression.h"

/* Most of each in a study: parameters take the places OMR_VP_GRAPH_0 and on among the values of an
 * instance, measures the places OMR_OBS_GRAPH_0 and on among the observables. */
enum { OMR_GRAPH_PARAMETERS = 64, OMR_GRAPH_MEASURES = 64 };

/* A name that the study gives. Owned by the graph. */
typedef struct omr_graph_name {
  char *name;    /* as written, and as a column is called: letters, digits, underscores */
  char *unit;    /* "m s-1"; "1" for none */
  char *meaning; /* "" where the study says none */
} omr_graph_name;

typedef struct omr_graph {
  omr_graph_name *parameter; /* [parameters] */
  int parameters;
  omr_graph_name *measure; /* [measures], the observables */
  int measures;
  omr_graph_name *sample; /* [samples], what a trajectory holds */
  int samples;
} omr_graph;

void omr_graph_destroy(omr_graph *graph); /* NULL-safe */

#endif
