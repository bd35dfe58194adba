/* Limits that the numbers of a system obey in every engine, so that a build without the reference
 * judges them too. */
#include "graph.h"

#include <math.h>
#include <stdio.h>

/* A square root of a negative number and the like. */
static bool check_expressions(const omr_graph *graph, const double *value, char *reason,
                              size_t size) {
  for (int i = graph->parameters; i < graph->slots; i++) {
    const omr_graph_slot *slot = &graph->slot[i];
    if (!slot->formula || slot->level != OMR_GRAPH_STATIC || isfinite(value[i])) continue;
    return omr_deny(reason, size, "%.120s: \"%.160s\" has no value", slot->place ? slot->place : "",
                    slot->formula->text);
  }
  return true;
}

static bool check_bodies(const omr_graph *graph, const double *value, char *reason, size_t size) {
  for (int b = 1; b < graph->bodies; b++) {
    const omr_graph_body *body = &graph->body[b];
    const double mass = value[body->mass], *i = value + body->inertia;
    if (mass > 0 && i[0] > 0 && i[1] > 0 && i[2] > 0) continue;
    return omr_deny(reason, size,
                    "the multibody reference needs mass and inertia of every body; %.100s has mass "
                    "%g kg and inertias %g, %g, %g kg m2",
                    body->path, mass, i[0], i[1], i[2]);
  }
  return true;
}

/* Axes have a direction. */
static bool check_axes(const omr_graph *graph, const double *value, char *reason, size_t size) {
  static const omr_graph_key axes[] = {OMR_GRAPH_KEY_CONSTRAINT_AXIS,
                                       OMR_GRAPH_KEY_CONSTRAINT_AXIS_A,
                                       OMR_GRAPH_KEY_CONSTRAINT_AXIS_B};
  for (int e = 0; e < graph->elements; e++)
    for (int i = 0; graph->element[e].class == OMR_GRAPH_CONSTRAINT && i < 3; i++) {
      const omr_slot slot = graph->element[e].slot[axes[i]];
      const double *a = value + slot;
      if (slot < 0 || a[0] * a[0] + a[1] * a[1] + a[2] * a[2] > 0) continue;
      return omr_deny(reason, size, "%s %.100s: its axis has the length 0",
                      omr_graph_kind_rows[graph->element[e].kind].word, graph->element[e].path);
    }
  return true;
}

bool omr_graph_judge(const omr_graph *graph, const double *value, char *reason, size_t size) {
  return check_expressions(graph, value, reason, size) &&
         check_bodies(graph, value, reason, size) && check_axes(graph, value, reason, size);
}
