#include "scene_graph.h"

#include "../../study/system/graph.h"
#include "../../support/tree.h"
#include <stdlib.h>
#include <string.h>

/* Numbers of the system for the values of an instance; NULL when out of memory. */
static double *numbers_of(const omr_graph *graph, const omr_values *values) {
  double *value = calloc((size_t)graph->slots + 1, sizeof *value);
  if (!value) return NULL;
  for (int p = 0; p < graph->parameters; p++) value[p] = values->vehicle[OMR_VP_GRAPH_0 + p];
  omr_graph_evaluate(graph, value);
  return value;
}

static bool is_edge(const omr_graph_element *e) {
  return e->class == OMR_GRAPH_CONSTRAINT || e->class == OMR_GRAPH_CONTACT ||
         e->class == OMR_GRAPH_FORCE;
}

static void put_keys(cJSON *row, const omr_graph_element *e, const double *value) {
  for (int k = 0; k < OMR_GRAPH_KEYS; k++) {
    const omr_graph_key_row *key = &omr_graph_key_rows[k];
    if (e->slot[k] < 0) continue;
    if (key->type == OMR_GRAPH_NUMBER) omr_tree_number(row, key->name, value[e->slot[k]]);
    if (key->type != OMR_GRAPH_VECTOR) continue;
    cJSON *list = omr_tree_list(row, key->name);
    for (int i = 0; i < 3; i++) omr_tree_append(list, cJSON_CreateNumber(value[e->slot[k] + i]));
  }
}

static void put_body(cJSON *bodies, const omr_graph *graph, int body, const double *value) {
  cJSON *row = omr_tree_row(bodies);
  omr_tree_text(row, "name", graph->body[body].path);
  if (body > 0) omr_tree_number(row, "mass", value[graph->body[body].mass]);
  cJSON *shapes = omr_tree_list(row, "shapes");
  for (int e = 0; e < graph->elements; e++) {
    const omr_graph_element *shape = &graph->element[e];
    if (shape->class != OMR_GRAPH_SHAPE || shape->body[0] != body) continue;
    cJSON *part = omr_tree_row(shapes);
    omr_tree_text(part, "shape", omr_graph_kind_rows[shape->kind].word);
    put_keys(part, shape, value);
  }
}

void omr_scene_put_graph(cJSON *root, const omr_study *study, const omr_values *values) {
  const omr_graph *graph = study->graph;
  double *value = numbers_of(graph, values);
  cJSON *bodies = omr_tree_list(root, "bodies"), *edges = omr_tree_list(root, "edges");
  /* Out of memory: a list that cannot be built fails the tree. */
  if (!value) {
    omr_tree_append(bodies, NULL);
    return;
  }

  /* Bodies, then the edges between them. */
  for (int b = 0; b < graph->bodies; b++) put_body(bodies, graph, b, value);
  for (int e = 0; e < graph->elements; e++) {
    const omr_graph_element *edge = &graph->element[e];
    if (!is_edge(edge)) continue;

    /* Its name, kind and both bodies. */
    cJSON *row = omr_tree_row(edges);
    omr_tree_text(row, "name", edge->path);
    omr_tree_text(row, "class", omr_graph_sections[edge->class]);
    omr_tree_text(row, "kind", omr_graph_kind_rows[edge->kind].word);
    cJSON *between = omr_tree_list(row, "between");
    for (int side = 0; side < 2; side++)
      omr_tree_append(between, cJSON_CreateString(graph->body[edge->body[side]].path));
  }

  free(value);
}

static int widest(const omr_graph *graph, bool bodies) {
  size_t most = 4;
  for (int b = 0; bodies && b < graph->bodies; b++)
    if (strlen(graph->body[b].path) > most) most = strlen(graph->body[b].path);
  for (int e = 0; !bodies && e < graph->elements; e++)
    if (is_edge(&graph->element[e]) && strlen(graph->element[e].path) > most)
      most = strlen(graph->element[e].path);
  return (int)most;
}

static void print_bodies(const omr_graph *graph, const double *value, FILE *out) {
  const int wide = widest(graph, true);
  fprintf(out, "\n%-*s  %10s  joined by\n", wide, "body", "mass, kg");
  for (int b = 0; b < graph->bodies; b++) {
    const char *comma = "";
    if (b > 0)
      fprintf(out, "%-*s  %10.4g  ", wide, graph->body[b].path, value[graph->body[b].mass]);
    else
      fprintf(out, "%-*s  %10s  ", wide, graph->body[b].path, "at rest");
    for (int e = 0; e < graph->elements; e++) {
      const omr_graph_element *edge = &graph->element[e];
      if (!is_edge(edge) || (edge->body[0] != b && edge->body[1] != b)) continue;
      fprintf(out, "%s%s", comma, edge->path);
      comma = ", ";
    }
    fprintf(out, "%s\n", *comma ? "" : "nothing: it moves freely");
  }
}

static void print_edges(const omr_graph *graph, FILE *out) {
  const int wide = widest(graph, false);
  fprintf(out, "\n%-*s  %-18s  between\n", wide, "edge", "kind");
  for (int e = 0; e < graph->elements; e++) {
    const omr_graph_element *edge = &graph->element[e];
    if (!is_edge(edge)) continue;
    fprintf(out, "%-*s  %-18s  %s, %s\n", wide, edge->path, omr_graph_kind_rows[edge->kind].word,
            graph->body[edge->body[0]].path, graph->body[edge->body[1]].path);
  }
}

void omr_scene_print_graph(const omr_study *study, const omr_values *values, FILE *out) {
  const omr_graph *graph = study->graph;
  double *value = numbers_of(graph, values);
  if (!value) return;
  print_bodies(graph, value, out);
  print_edges(graph, out);
  free(value);
}
