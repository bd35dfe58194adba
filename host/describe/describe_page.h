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

/* The heading of a table by its key in a description of the model; NULL: no such table. */
const char *omr_page_heading(const char *key, omr_model model);

#endif
