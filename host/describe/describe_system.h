/* Tables of describe for a multibody system: the members that the section "system" may have. */
#ifndef OMR_DESCRIBE_SYSTEM_H
#define OMR_DESCRIBE_SYSTEM_H

#include "describe_listing.h"

/* Keys of the section and of classes, groups and bodies (3 cells); kinds of edges, shapes and
 * measures (3); their keys (4); quantities of expressions (3); functions (2). All of them are empty
 * for other models. */
void omr_fill_system_keys(omr_listing *t, omr_model model);
void omr_fill_system_kinds(omr_listing *t, omr_model model);
void omr_fill_system_edges(omr_listing *t, omr_model model);
void omr_fill_system_quantities(omr_listing *t, omr_model model);
void omr_fill_functions(omr_listing *t, omr_model model);

#endif
