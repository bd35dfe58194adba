/* Names that a study gives: how they are checked and kept. What graph_*.c share. */
#ifndef OMR_STUDY_GRAPH_NAMES_H
#define OMR_STUDY_GRAPH_NAMES_H

#include "../grammar/parse.h"
#include "graph.h"

/* Words of expressions, which name nothing else; ends with NULL. */
extern const char *const omr_graph_words[];

/* The section "parameters" into study->graph and study->base: a number (unit "1"), text with number
 * and unit, or an object with such a "value" and a "meaning". */
omr_status omr_read_graph_parameters(omr_reader *reader, const cJSON *root);

/* Appends a name to a list of the graph, which becomes its owner. `item` is where it stands, in
 * case that it is refused: by its letters, as a word that expressions have, or because it is taken,
 * by a parameter or measure, or among samples. `unit` is one of SI; as dimensions are printed it
 * becomes what the lists write, "rad s-1". */
omr_status omr_graph_add_measure(omr_reader *reader, const cJSON *item, omr_graph_name name);
omr_status omr_graph_add_sample(omr_reader *reader, const cJSON *item, omr_graph_name name);

void omr_graph_names_free(omr_graph_name *list, int count); /* the list too */

#endif
