/* The description of a model as a page of tables, for those who print it or a part of it. */
#ifndef OMR_DESCRIBE_PAGE_H
#define OMR_DESCRIBE_PAGE_H

#include "describe_listing.h"

/* Finds a model and a frame by their names; a frame of NULL is y_up. OMR_ERR_USAGE: there is none,
 * and the message names the nearest one, or all. */
omr_status omr_page_find(const char *model, const char *frame, omr_model *found,
                         omr_frame_kind *found_frame, omr_error *error);

/* Prints the tables of a model, or adds them to page->json: all rows, or those of page->choice. */
void omr_page_print(omr_page *page, omr_model model);
/* The same as a tree, with the classes of rows; NULL when out of memory. */
cJSON *omr_page_tree(omr_model model, omr_frame_kind frame, const omr_row_choice *choice);

/* The heading of a table by its key in a description of the model; NULL: no such table. */
const char *omr_page_heading(const char *key, omr_model model);

/* describe_classes.c: adds "classes", designs and laws with their class, methods with steps and
 * form, errors with their numbers. */
void omr_add_classes(cJSON *to);

/* describe_kinds.c: rows with a type (1 cell), and the parameters that each of them uses (2). */
void omr_fill_kinds(omr_listing *t, const omr_kind *kinds, int count, bool per_wheel);
void omr_fill_laws(omr_listing *t);
void omr_fill_wheel_kinds(omr_listing *t);
void omr_fill_drives(omr_listing *t);
/* describe_rules.c: name, rule, and the other side as the text. */
void omr_fill_rules(omr_listing *t);
/* describe_system.c, of a multibody system: keys of the section "system" and of classes, groups and
 * bodies (3 cells); kinds of edges, shapes and measures (3); their keys (4); quantities of
 * expressions (3); functions (1). */
void omr_fill_system_keys(omr_listing *t);
void omr_fill_system_kinds(omr_listing *t);
void omr_fill_system_edges(omr_listing *t);
void omr_fill_system_quantities(omr_listing *t);
void omr_fill_functions(omr_listing *t);

#endif
