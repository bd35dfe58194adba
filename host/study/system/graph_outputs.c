/* Results of a multibody system: measures, which are its observables, and samples, which are its
 * trajectories: the samples that the study names, and the poses of all bodies. */
#include "graph_build.h"
#include "graph_names.h"

#include <stdlib.h>
#include <string.h>

enum { NAME = 200 };

static omr_status read_meaning(omr_graph_reader *g, const cJSON *item, char *standard,
                               char **meaning) {
  const cJSON *given = cJSON_IsObject(item) ? omr_json_get(item, "meaning") : NULL;
  if (given && !cJSON_IsString(given))
    return OMR_MISTAKEN(g->reader, given, OMR_MISTAKE_TYPE, "expected text in quotes");
  *meaning = given ? given->valuestring : standard;
  return OMR_OK;
}

/* "max of stone.wy" */
static char *measure_text(const omr_graph *graph, int element, char text[NAME]) {
  const omr_graph_element *e = &graph->element[element];
  const omr_slot of = e->slot[OMR_GRAPH_KEY_MEASURE_OF], when = e->slot[OMR_GRAPH_KEY_MEASURE_WHEN];
  snprintf(text, NAME, "%s: %.180s", omr_graph_kind_rows[e->kind].meaning,
           graph->slot[of >= 0 ? of : when].formula->text);
  return text;
}

static omr_status read_measures(omr_graph_reader *g, const cJSON *measures) {
  omr_graph *graph = g->graph;
  const cJSON *item;
  char text[NAME];
  cJSON_ArrayForEach(item, measures) {
    omr_graph_name name = {.name = item->string};
    char unit[96];
    int element;
    OMR_TRY(omr_graph_read_measure(g, item, unit, sizeof unit, &element));
    OMR_TRY(read_meaning(g, item, measure_text(graph, element, text), &name.meaning));
    name.unit = unit;
    OMR_TRY(omr_graph_add_measure(g->reader, item, name));
    graph->measure_element[graph->measures - 1] = element;
  }
  return OMR_OK;
}

static omr_status add_sample(omr_graph_reader *g, const cJSON *item, omr_graph_name name,
                             omr_slot slot) {
  omr_graph *graph = g->graph;
  if (!omr_grow(&graph->sample_slot, (size_t)graph->samples + 1, sizeof slot))
    return omr_fail_memory(g->reader);
  graph->sample_slot[graph->samples] = slot;
  return omr_graph_add_sample(g->reader, item, name);
}

static omr_status read_samples(omr_graph_reader *g, const cJSON *samples) {
  static const char *const keys[] = {"of", "meaning"};
  const cJSON *item;
  omr_slot slot;
  cJSON_ArrayForEach(item, samples) {
    /* A sample is an expression, or an object with its meaning. */
    const cJSON *of = item;
    omr_graph_name name = {.name = item->string};
    if (cJSON_IsObject(item)) {
      OMR_TRY(OMR_CHECK_KEYS(g->reader, item, keys));
      OMR_TRY(omr_require(g->reader, item, "of", "\"stone.wy\"", &of));
    }

    /* The expression gives the unit, and its text the meaning that is left out. */
    const omr_graph_wanted wanted = {.unit = "", .level = OMR_GRAPH_DYNAMIC, .element = -1};
    OMR_TRY(omr_graph_read_number(g, g->scope[0], of, wanted, &slot));
    omr_expression *e = g->graph->slot[slot].formula;
    OMR_TRY(read_meaning(g, item, e->text, &name.meaning));
    name.unit = e->unit;
    OMR_TRY(add_sample(g, item, name, slot));
  }
  return OMR_OK;
}

/* Places and quaternions, "left_rollers2_q0", which a picture of the motion needs. */
static omr_status add_poses(omr_graph_reader *g, const cJSON *system) {
  static const omr_graph_quantity_kind poses[] = {
      OMR_GRAPH_BODY_X,  OMR_GRAPH_BODY_Y,  OMR_GRAPH_BODY_Z, OMR_GRAPH_BODY_Q0,
      OMR_GRAPH_BODY_Q1, OMR_GRAPH_BODY_Q2, OMR_GRAPH_BODY_Q3};
  char path[NAME], name[NAME + 8], meaning[2 * NAME], unit[16];

  /* The body's path becomes the beginning of a column's name. */
  for (int b = 1; b < g->graph->bodies; b++) {
    size_t length = 0;
    for (const char *at = g->graph->body[b].path; *at && length + 1 < sizeof path; at++)
      if (*at != '[' && *at != ']') path[length++] = *at == '.' ? '_' : *at;
    path[length] = '\0';

    /* Each component of the pose is one sample. */
    for (size_t q = 0; q < sizeof poses / sizeof *poses; q++) {
      const omr_graph_quantity_row *row = &omr_graph_quantity_rows[poses[q]];
      omr_slot slot;
      OMR_TRY(omr_graph_add_slot(
          g, (omr_graph_slot){.level = row->level, .quantity = poses[q], .owner_number = b},
          &slot));
      snprintf(name, sizeof name, "%s_%s", path, row->name);
      snprintf(meaning, sizeof meaning, "%.180s: %s", g->graph->body[b].path, row->meaning);
      snprintf(unit, sizeof unit, "%s", row->unit);
      OMR_TRY(add_sample(g, system, (omr_graph_name){name, unit, meaning}, slot));
    }
  }
  return OMR_OK;
}

omr_status omr_graph_read_outputs(omr_graph_reader *g, const cJSON *system) {
  const cJSON *measures, *samples;
  OMR_TRY(omr_read_object(g->reader, system, "measures", &measures));
  OMR_TRY(omr_read_object(g->reader, system, "samples", &samples));
  OMR_TRY(read_measures(g, measures));
  OMR_TRY(read_samples(g, samples));
  return add_poses(g, system);
}
