/* Reading the section "system" of a study of the model `multibody`. */
#include "graph_build.h"
#include "graph_names.h"

#include <stdlib.h>
#include <string.h>

static omr_status read_gravity(omr_graph_reader *g, const cJSON *system) {
  const cJSON *item = omr_json_get(system, "gravity");
  const omr_graph_wanted wanted = {.unit = "m s-2", .element = -1};
  omr_slot slot;
  cJSON *standard = item ? NULL : cJSON_Parse("[0, -9.81, 0]");
  if (!item && !standard) return omr_fail_memory(g->reader);
  const omr_status status =
      omr_graph_read_list(g, g->scope[0], item ? item : standard, 3, wanted, &slot);
  cJSON_Delete(standard);
  if (status == OMR_OK) g->graph->gravity = slot;
  return status;
}

/* The study's parameters are the first slots. */
static omr_status add_parameters(omr_graph_reader *g) {
  omr_slot slot;
  for (int p = 0; p < g->graph->parameters; p++) {
    OMR_TRY(omr_graph_add_slot(g, (omr_graph_slot){.owner_number = -1}, &slot));
    g->value[slot] = g->reader->study->base.vehicle[OMR_VP_GRAPH_0 + p];
  }
  return OMR_OK;
}

static omr_status read_system(omr_graph_reader *g, const cJSON *root) {
  static const char *const keys[] = {"gravity",     "classes",  "groups",  "bodies",
                                     "constraints", "contacts", "forces",  "measures",
                                     "samples",     "meaning",  "numbers", "moving"};
  const cJSON *system;

  /* The section is an object; only built-in systems have the last two keys. */
  OMR_TRY(omr_require(g->reader, root, "system", "{\"bodies\": {...}, \"constraints\": {...}}",
                      &system));
  OMR_TRY(omr_read_object(g->reader, root, "system", &system));
  OMR_TRY(omr_json_check_keys(&g->reader->json, system, keys,
                              sizeof keys / sizeof *keys - (g->built_in ? 0 : 2),
                              g->reader->error));

  /* Parameters come first, since every expression may use them. */
  OMR_TRY(add_parameters(g));
  OMR_TRY(omr_graph_collect(g, system));
  if (g->graph->bodies == 1)
    return OMR_REFUSE(g->reader, system,
                      "the system has no body: \"bodies\": {\"stone\": {\"mass\": \"1 kg\", "
                      "\"inertia\": [0.1, 0.1, 0.1]}}");

  /* The numbers are read when all names are known. */
  OMR_TRY(read_gravity(g, system));
  OMR_TRY(omr_graph_read_bodies(g));
  OMR_TRY(omr_graph_read_elements(g));
  return omr_graph_read_outputs(g, system);
}

static omr_status read_graph(omr_reader *reader, const cJSON *root, bool built_in) {
  omr_graph_reader g = {
      .reader = reader, .graph = calloc(1, sizeof *g.graph), .built_in = built_in};
  reader->study->graph = g.graph;
  if (!g.graph) return omr_fail_memory(reader);
  OMR_TRY(omr_read_graph_parameters(reader, root));
  const omr_status status = read_system(&g, root);
  for (int s = 0; s < g.scopes; s++) {
    free(g.scope[s]->own);
    free(g.scope[s]);
  }
  free(g.scope);
  free(g.value);
  free(g.body);
  free(g.element);
  return status;
}

omr_status omr_read_graph(omr_reader *reader, const cJSON *root) {
  return read_graph(reader, root, false);
}

omr_status omr_read_built_in_graph(omr_reader *reader, const cJSON *root) {
  return read_graph(reader, root, true);
}

/* Copies of a class have names, so that their number is one for the whole study. */
omr_status omr_check_graph(omr_reader *reader, const cJSON *root) {
  const omr_study *study = reader->study;
  for (size_t v = 0; study->graph && v < study->variation_count; v++) {
    const int parameter = study->variations[v].index - OMR_VP_GRAPH_0;
    if (parameter < 0 || parameter >= study->graph->parameters ||
        !study->graph->structural[parameter])
      continue;
    return OMR_REFUSE(reader, omr_json_get(root, "vary"),
                      "\"%s\" says how many copies a group has, and that is one number for the "
                      "whole study: run the study once for each, with --set parameters.%s=VALUE",
                      study->graph->parameter[parameter].name,
                      study->graph->parameter[parameter].name);
  }
  return OMR_OK;
}
