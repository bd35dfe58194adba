/* Names that a study gives: how the files graph_*.c check and keep them. */
#ifndef OMR_STUDY_GRAPH_NAMES_H
#define OMR_STUDY_GRAPH_NAMES_H

#include "../grammar/parse.h"
#include "graph.h"

/* Words of expressions, which name nothing else; ends with NULL. */
extern const char *const omr_graph_words[];

/* The section "parameters" into study->graph and study->base: a number (unit "1"), text with number
 * and unit, or an object with such a "value" and a "meaning". */
omr_status omr_read_graph_parameters(omr_reader *reader, const cJSON *root);

/* Appends a name to a list of the graph, which becomes its owner. `item` is its place, for
 * messages: a name is refused for its letters, as a word that expressions have, or because a
 * parameter, a measure or a sample has it. `unit` is one of SI; printed dimensions become the form
 * of the lists, "rad s-1". */
omr_status omr_graph_add_measure(omr_reader *reader, const cJSON *item, omr_graph_name name);
omr_status omr_graph_add_sample(omr_reader *reader, const cJSON *item, omr_graph_name name);

/* The same checks of the letters of a name that a study gives to a column of its result. */
omr_status omr_check_given_name(omr_reader *reader, const cJSON *item, const char *name);
/* A unit of SI in the form of the lists where it is printed dimensions; any other stays. */
void omr_print_usual_unit(const char *given, char *unit, size_t size);

void omr_graph_names_free(omr_graph_name *list, int count); /* the list too */

#endif
