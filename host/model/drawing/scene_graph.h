/* A multibody system as a graph of bodies and edges, without positions in space. */
#ifndef OMR_SCENE_GRAPH_H
#define OMR_SCENE_GRAPH_H

#include "../../study/study.h"

#include <cjson/cJSON.h>
#include <stdio.h>

/* Puts "bodies" and "edges" into the object: path, mass and shapes of each body; path, class, kind
 * and both bodies of each edge, with the numbers of `values`. */
void omr_scene_put_graph(cJSON *root, const omr_study *study, const omr_values *values);

/* Prints the same as tables: bodies with the edges at them, edges with their bodies. */
void omr_scene_print_graph(const omr_study *study, const omr_values *values, FILE *out);

#endif
