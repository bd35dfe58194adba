/* Places of numbers in a multibody system, with their values as far as they follow from the study.
 */
#include "graph_build.h"

#include <math.h>
#include <stdlib.h>

omr_status omr_graph_add_slot(omr_graph_reader *g, omr_graph_slot slot, omr_slot *number) {
  omr_graph *graph = g->graph;

  /* The number of slots is bounded. */
  if (graph->slots >= OMR_GRAPH_NUMBERS)
    return omr_fail(g->reader->error, OMR_ERR_STUDY,
                    "%s: the system has more than %d numbers; use fewer copies of its classes",
                    g->reader->json.name, OMR_GRAPH_NUMBERS);

  /* Full lists double; a list that grew stays with its owner when the other one fails. */
  if (graph->slots == graph->slot_room) {
    const size_t room = graph->slot_room ? 2 * (size_t)graph->slot_room : 256;
    if (!omr_grow(&graph->slot, room, sizeof *graph->slot) ||
        !omr_grow(&g->value, room, sizeof *g->value))
      return omr_fail_memory(g->reader);
    graph->slot_room = (int)room;
  }

  /* A constant has its value at once. */
  const bool known = slot.formula && slot.level == OMR_GRAPH_STATIC;
  *number = graph->slots;
  graph->slot[graph->slots++] = slot;
  g->value[*number] = known ? omr_expression_value(slot.formula, g->value) : (double)NAN;
  return OMR_OK;
}

omr_status omr_graph_constant(const omr_graph_reader *g, double value, omr_expression **formula) {
  char text[40];
  const omr_names none = {0};
  omr_error why = {0};
  snprintf(text, sizeof text, "%.17g", value);
  return omr_expression_parse(text, &none, formula, &why) == OMR_OK ? OMR_OK
                                                                    : omr_fail_memory(g->reader);
}

omr_status omr_graph_add_constant(omr_graph_reader *g, double value, omr_slot *number) {
  omr_expression *formula = NULL;
  OMR_TRY(omr_graph_constant(g, value, &formula));
  const omr_status status =
      omr_graph_add_slot(g, (omr_graph_slot){.formula = formula, .owner_number = -1}, number);
  if (status != OMR_OK) omr_expression_destroy(formula);
  return status;
}
