/* What a multibody system leaves behind: measures, which are its observables, and samples, which are
 * its trajectories: those that the study names, and the poses of all bodies. */
#include "graph_build.h"

#include <stdlib.h>
#include <string.h>

enum { NAME = 200 };

static omr_status read_meaning(omr_graph_reader *g, const cJSON *item, const char *standard,
                               char **meaning) {
  const cJSON *given = cJSON_IsObject(item) ? omr_json_get(item, "meaning") : NULL;
  if (given && !cJSON_IsString(given))
    return omr_json_mistake(&g->reader->json, given, OMR_MISTAKE_TYPE, g->reader->error,
                            "expected text in quotes");
  *meaning = strdup(given ? given->valuestring : standard);
  return *meaning ? OMR_OK : omr_fail_memory(g->reader);
}

/* "max of stone.wy" */
static const char *measure_text(const omr_graph *graph, int element, char text[NAME]) {
  const omr_graph_element *e = &graph->element[element];
  const omr_slot of = e->slot[OMR_GRAPH_KEY_MEASURE_OF], when = e->slot[OMR_GRAPH_KEY_MEASURE_WHEN];
  snprintf(text, NAME, "%s: %.180s", omr_graph_kind_rows[e->kind].meaning,
           graph->slot[of >= 0 ? of : when].formula->text);
  return text;
}

static omr_status read_measures(omr_graph_reader *g, const cJSON *measures) {
  omr_graph *graph = g->graph;
  const cJSON *item;
  const int count = cJSON_GetArraySize(measures);
  char text[NAME];
  if (count > OMR_GRAPH_MEASURES)
    return omr_json_mistake(&g->reader->json, measures, OMR_MISTAKE_RANGE, g->reader->error,
                            "a study has at most %d measures", OMR_GRAPH_MEASURES);
  graph->measure = calloc((size_t)count + 1, sizeof *graph->measure);
  graph->measure_element = calloc((size_t)count + 1, sizeof *graph->measure_element);
  if (!graph->measure || !graph->measure_element) return omr_fail_memory(g->reader);
  cJSON_ArrayForEach(item, measures) {
    omr_graph_name *name = &graph->measure[graph->measures];
    int *element = &graph->measure_element[graph->measures++];
    OMR_TRY(omr_graph_check_name(g, item));
    OMR_TRY(omr_graph_read_measure(g, item, name, element));
    OMR_TRY(read_meaning(g, item, measure_text(graph, *element, text), &name->meaning));
  }
  return OMR_OK;
}

static bool add_sample(omr_graph *graph, const char *name, const char *unit, const char *meaning,
                       omr_slot slot) {
  const size_t count = (size_t)graph->samples + 1;
  omr_graph_name *names = realloc(graph->sample, count * sizeof *names);
  if (names) graph->sample = names;
  omr_slot *slots = realloc(graph->sample_slot, count * sizeof *slots);
  if (slots) graph->sample_slot = slots;
  if (!names || !slots) return false;
  names[graph->samples] = (omr_graph_name){strdup(name), strdup(unit), strdup(meaning)};
  slots[graph->samples] = slot;
  const omr_graph_name *made = &names[graph->samples++];
  return made->name && made->unit && made->meaning;
}

static omr_status read_samples(omr_graph_reader *g, const cJSON *samples) {
  static const char *const keys[] = {"of", "meaning"};
  const cJSON *item;
  omr_slot slot;
  cJSON_ArrayForEach(item, samples) {
    const cJSON *of = item;
    char *meaning = NULL;
    OMR_TRY(omr_graph_check_name(g, item));
    if (cJSON_IsObject(item)) {
      OMR_TRY(omr_json_check_keys(&g->reader->json, item, keys, 2, g->reader->error));
      OMR_TRY(omr_require(g->reader, item, "of", "\"stone.wy\"", &of));
    }
    const omr_graph_wanted wanted = {.unit = "", .level = OMR_GRAPH_DYNAMIC, .element = -1};
    OMR_TRY(omr_graph_read_number(g, g->scope[0], of, wanted, &slot));
    const omr_expression *e = g->graph->slot[slot].formula;
    OMR_TRY(read_meaning(g, item, e->text, &meaning));
    const bool added = add_sample(g->graph, item->string, e->unit, meaning, slot);
    free(meaning);
    if (!added) return omr_fail_memory(g->reader);
  }
  return OMR_OK;
}

/* Places and quaternions, "left_rollers2_q0": what a picture of the motion needs. */
static omr_status add_poses(omr_graph_reader *g) {
  static const omr_graph_quantity_kind poses[] = {
      OMR_GRAPH_BODY_X,  OMR_GRAPH_BODY_Y,  OMR_GRAPH_BODY_Z, OMR_GRAPH_BODY_Q0,
      OMR_GRAPH_BODY_Q1, OMR_GRAPH_BODY_Q2, OMR_GRAPH_BODY_Q3};
  char path[NAME], name[NAME + 8];
  for (int b = 1; b < g->graph->bodies; b++) {
    size_t length = 0;
    for (const char *at = g->graph->body[b].path; *at && length + 1 < sizeof path; at++)
      if (*at != '[' && *at != ']') path[length++] = *at == '.' ? '_' : *at;
    path[length] = '\0';
    for (size_t q = 0; q < sizeof poses / sizeof *poses; q++) {
      const omr_graph_quantity_row *row = &omr_graph_quantity_rows[poses[q]];
      omr_slot slot;
      OMR_TRY(omr_graph_add_slot(
          g, (omr_graph_slot){.level = row->level, .quantity = poses[q], .owner_number = b},
          &slot));
      snprintf(name, sizeof name, "%s_%s", path, row->name);
      if (!add_sample(g->graph, name, row->unit, row->meaning, slot))
        return omr_fail_memory(g->reader);
    }
  }
  return OMR_OK;
}

/* Columns of a result have names of their own. */
static omr_status check_unlike(const omr_graph_reader *g, const cJSON *system) {
  const omr_graph *graph = g->graph;
  for (int i = 0; i < graph->samples; i++)
    for (int j = 0; j < i; j++)
      if (strcmp(graph->sample[i].name, graph->sample[j].name) == 0)
        return omr_json_fail(&g->reader->json, system, g->reader->error,
                             "two samples are called \"%s\" (bodies have samples for their place "
                             "and quaternion): choose other names",
                             graph->sample[i].name);
  for (int i = 0; i < graph->measures; i++)
    for (int j = 0; j < graph->parameters; j++)
      if (strcmp(graph->measure[i].name, graph->parameter[j].name) == 0)
        return omr_json_fail(&g->reader->json, system, g->reader->error,
                             "\"%s\" is a parameter and a measure: choose another name for one",
                             graph->measure[i].name);
  return OMR_OK;
}

omr_status omr_graph_read_outputs(omr_graph_reader *g, const cJSON *system) {
  const cJSON *measures, *samples;
  OMR_TRY(omr_read_object(g->reader, system, "measures", &measures));
  OMR_TRY(omr_read_object(g->reader, system, "samples", &samples));
  OMR_TRY(read_measures(g, measures));
  OMR_TRY(read_samples(g, samples));
  OMR_TRY(add_poses(g));
  return check_unlike(g, system);
}
