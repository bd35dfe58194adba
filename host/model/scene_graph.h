/* A multibody system as a graph: bodies and edges, without a place in space. */
#ifndef OMR_SCENE_GRAPH_H
#define OMR_SCENE_GRAPH_H

#include "../study/study.h"

#include <cjson/cJSON.h>
#include <stdio.h>

/* "bodies" and "edges" into the object: of a body its path, mass and shapes, of an edge its path,
 * class, kind and the paths of its two bodies. Numbers are those of `values`. */
void omr_scene_put_graph(cJSON *root, const omr_study *study, const omr_values *values);

/* The same as tables: bodies with what joins them, edges with what they join. */
void omr_scene_print_graph(const omr_study *study, const omr_values *values, FILE *out);

#endif
