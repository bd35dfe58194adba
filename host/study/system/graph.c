/* Multibody systems of studies: tables, values of an instance, the end. */
#include "graph.h"

#include "graph_names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const omr_graph_kind_row omr_graph_kind_rows[OMR_GRAPH_ALL_KINDS] = {
#define X(class, id, word, source, meaning) {OMR_GRAPH_##class, word, source, meaning},
#include "../../lists/graph_kinds.def"
#define KIND X
#include "../../lists/graph_built_in.def"
#undef X
};

const omr_graph_key_row omr_graph_key_rows[OMR_GRAPH_ALL_KEYS] = {
#define X(class, id, name, type, unit, standard, kinds, meaning)                                   \
  {OMR_GRAPH_##class, name, OMR_GRAPH_##type, unit, standard, kinds, meaning},
#include "../../lists/graph_keys.def"
#define KEY X
#include "../../lists/graph_built_in.def"
#undef X
};

const omr_graph_quantity_row omr_graph_quantity_rows[OMR_GRAPH_ALL_QUANTITIES] = {
#define X(owner, id, name, level, unit, meaning)                                                   \
  {OMR_GRAPH_OF_##owner, name, OMR_GRAPH_##level, unit, meaning},
#include "../../lists/graph_quantities.def"
#define QUANTITY X
#include "../../lists/graph_built_in.def"
#undef X
};

const char *const omr_graph_sections[OMR_GRAPH_CLASSES] = {[OMR_GRAPH_CONSTRAINT] = "constraints",
                                                           [OMR_GRAPH_CONTACT] = "contacts",
                                                           [OMR_GRAPH_FORCE] = "forces",
                                                           [OMR_GRAPH_SHAPE] = "shapes",
                                                           [OMR_GRAPH_MEASURE] = "measures"};

const char *const omr_graph_kind_keys[OMR_GRAPH_CLASSES] = {[OMR_GRAPH_CONSTRAINT] = "type",
                                                            [OMR_GRAPH_CONTACT] = "type",
                                                            [OMR_GRAPH_FORCE] = "type",
                                                            [OMR_GRAPH_SHAPE] = "shape",
                                                            [OMR_GRAPH_MEASURE] = "take"};

bool omr_graph_has_key(omr_graph_kind kind, omr_graph_key key) {
  const omr_graph_key_row *row = &omr_graph_key_rows[key];
  const char *word = omr_graph_kind_rows[kind].word;
  if (row->class != omr_graph_kind_rows[kind].class) return false;
  if (strcmp(row->kinds, "*") == 0) return true;
  const size_t length = strlen(word);
  for (const char *at = row->kinds; *at; at += strcspn(at, " ") + 1)
    if (strncmp(at, word, length) == 0 && at[length] == ' ') return true;
  return false;
}

void omr_graph_evaluate(const omr_graph *graph, double *value) {
  for (int s = graph->parameters; s < graph->slots; s++) {
    const omr_graph_slot *slot = &graph->slot[s];
    const bool known = slot->formula && slot->level == OMR_GRAPH_STATIC;
    value[s] = known ? omr_expression_value(slot->formula, value) : (double)NAN;
    if (slot->given && !isnan(value[slot->given - 1])) value[s] = value[slot->given - 1];
  }
}

int omr_graph_body_of(const omr_graph *graph, const char *path) {
  for (int b = 0; b < graph->bodies; b++)
    if (strcmp(graph->body[b].path, path) == 0) return b;
  return -1;
}

int omr_graph_element_of(const omr_graph *graph, omr_graph_class class, const char *path) {
  for (int e = 0; e < graph->elements; e++)
    if (graph->element[e].class == class && strcmp(graph->element[e].path, path) == 0) return e;
  return -1;
}

void omr_graph_destroy(omr_graph *graph) {
  if (!graph) return;

  /* The names own their texts. */
  omr_graph_names_free(graph->parameter, graph->parameters);
  omr_graph_names_free(graph->measure, graph->measures);
  omr_graph_names_free(graph->sample, graph->samples);

  /* Each slot owns its formula and its place. */
  for (int s = 0; s < graph->slots; s++) {
    omr_expression_destroy(graph->slot[s].formula);
    free(graph->slot[s].place);
  }

  /* Groups, bodies and elements own their paths. */
  for (int i = 0; i < graph->groups; i++) {
    free(graph->group[i].path);
    free(graph->group[i].class_name);
  }
  for (int i = 0; i < graph->bodies; i++) free(graph->body[i].path);
  for (int i = 0; i < graph->elements; i++) free(graph->element[i].path);

  /* The lists themselves go last. */
  free(graph->sample_slot);
  free(graph->slot);
  free(graph->group);
  free(graph->body);
  free(graph->element);
  free(graph);
}
