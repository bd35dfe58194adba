#include "tree.h"

#include <math.h>

/* A bit of cJSON's type that cJSON does not use: its types take the lowest eight bits, its flags
 * the next two. */
enum { BROKEN = 1 << 20 };

/* The item, or NULL where it could not be added. */
static cJSON *added(cJSON *object, const char *name, cJSON *item) {
  if (object && item && cJSON_AddItemToObject(object, name, item)) return item;
  cJSON_Delete(item);
  if (object) object->type |= BROKEN;
  return NULL;
}

void omr_tree_add(cJSON *object, const char *name, cJSON *item) {
  added(object, name, item);
}

static cJSON *appended(cJSON *list, cJSON *item) {
  if (list && item && cJSON_AddItemToArray(list, item)) return item;
  cJSON_Delete(item);
  if (list) list->type |= BROKEN;
  return NULL;
}

void omr_tree_append(cJSON *list, cJSON *item) {
  appended(list, item);
}

cJSON *omr_tree_row(cJSON *list) {
  return appended(list, cJSON_CreateObject());
}

void omr_tree_text(cJSON *object, const char *name, const char *text) {
  omr_tree_add(object, name, cJSON_CreateString(text ? text : ""));
}

void omr_tree_number(cJSON *object, const char *name, double value) {
  omr_tree_add(object, name, isfinite(value) ? cJSON_CreateNumber(value) : cJSON_CreateNull());
}

void omr_tree_bool(cJSON *object, const char *name, bool value) {
  omr_tree_add(object, name, cJSON_CreateBool(value));
}

void omr_tree_null(cJSON *object, const char *name) {
  omr_tree_add(object, name, cJSON_CreateNull());
}

cJSON *omr_tree_object(cJSON *object, const char *name) {
  return added(object, name, cJSON_CreateObject());
}

cJSON *omr_tree_list(cJSON *object, const char *name) {
  return added(object, name, cJSON_CreateArray());
}

bool omr_tree_whole(const cJSON *root) {
  if (!root || (root->type & BROKEN)) return false;
  for (const cJSON *child = root->child; child; child = child->next)
    if (!omr_tree_whole(child)) return false;
  return true;
}
