/* JSON trees of cJSON that are made without a check after every call: what could not be added for
 * want of memory marks the object or list that it belongs to, and a tree with a mark is not printed
 * (omr_json_print). The marks are in the tree alone, so that several threads may make theirs. */
#ifndef OMR_TREE_H
#define OMR_TREE_H

#include <cjson/cJSON.h>
#include <stdbool.h>

/* All take NULL as the object or list: that of a call that failed before, whose own object has the
 * mark. */
void omr_tree_text(cJSON *object, const char *name, const char *text); /* NULL: "" */
void omr_tree_number(cJSON *object, const char *name, double value);   /* not finite: null */
void omr_tree_bool(cJSON *object, const char *name, bool value);
void omr_tree_null(cJSON *object, const char *name);
/* The new one, which belongs to the object; NULL where memory ran out. */
cJSON *omr_tree_object(cJSON *object, const char *name);
cJSON *omr_tree_list(cJSON *object, const char *name);
/* A new object at the list's end, which belongs to the list; NULL likewise. */
cJSON *omr_tree_row(cJSON *list);
/* They take the item, whatever happens; NULL is one that could not be made. */
void omr_tree_add(cJSON *object, const char *name, cJSON *item);
void omr_tree_append(cJSON *list, cJSON *item);

/* Whether all of it could be made; false for NULL. */
bool omr_tree_whole(const cJSON *root);

#endif
