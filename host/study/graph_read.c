/* A multibody system as a study lists it. */
#include "graph_names.h"

#include <stdlib.h>
#include <string.h>

void omr_graph_destroy(omr_graph *graph) {
  if (!graph) return;
  omr_graph_names_free(graph->parameter, graph->parameters);
  omr_graph_names_free(graph->measure, graph->measures);
  omr_graph_names_free(graph->sample, graph->samples);
  free(graph);
}

static omr_status read_names(omr_reader *reader, const cJSON *system, const char *key,
                             omr_status (*add)(omr_reader *reader, const cJSON *item,
                                               omr_graph_name name)) {
  const cJSON *list, *item;
  OMR_TRY(omr_read_object(reader, system, key, &list));
  cJSON_ArrayForEach(item, list)
      OMR_TRY(add(reader, item, (omr_graph_name){item->string, (char *)(uintptr_t) "1", NULL}));
  return OMR_OK;
}

omr_status omr_read_graph(omr_reader *reader, const cJSON *root) {
  const cJSON *item, *system;
  reader->study->graph = calloc(1, sizeof *reader->study->graph);
  if (!reader->study->graph) return omr_fail_memory(reader);
  OMR_TRY(omr_read_graph_parameters(reader, root));
  OMR_TRY(omr_require(reader, root, "system", "{\"bodies\": {...}}", &item));
  OMR_TRY(omr_read_object(reader, root, "system", &system));
  OMR_TRY(read_names(reader, system, "measures", omr_graph_add_measure));
  return read_names(reader, system, "samples", omr_graph_add_sample);
}
