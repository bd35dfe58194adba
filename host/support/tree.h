/* JSON trees of cJSON built without a check after every call: an item that cannot be added for lack
 * of memory marks its object or list, and a tree with a mark is not printed (omr_json_print). The
 * marks are only in the tree, so several threads can build trees. */
#ifndef OMR_TREE_H
#define OMR_TREE_H

#include <cjson/cJSON.h>
#include <stdbool.h>

/* All functions accept NULL as the object or list, from an earlier call that failed; its own parent
 * then has the mark. */
void omr_tree_text(cJSON *object, const char *name, const char *text); /* NULL: "" */
void omr_tree_number(cJSON *object, const char *name, double value);   /* not finite: null */
void omr_tree_bool(cJSON *object, const char *name, bool value);
void omr_tree_null(cJSON *object, const char *name);
/* The new object or list, which the parent owns; NULL where memory ran out. */
cJSON *omr_tree_object(cJSON *object, const char *name);
cJSON *omr_tree_list(cJSON *object, const char *name);
/* A new object at the list's end, which the list owns; NULL likewise. */
cJSON *omr_tree_row(cJSON *list);
/* These take the item in any case; NULL is an item that could not be made. */
void omr_tree_add(cJSON *object, const char *name, cJSON *item);
void omr_tree_append(cJSON *list, cJSON *item);

/* Whether the whole tree could be built; false for NULL. */
bool omr_tree_whole(const cJSON *root);

#endif
