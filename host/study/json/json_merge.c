/* Changes merged into a tree (RFC 7396), which keep the places that they have in the text. */
#include "json.h"
#include "json_scan.h"

#include <stdlib.h>

void omr_json_note_origin(omr_json *json, const cJSON *changes) {
  omr_json_positions *p = json->positions;
  omr_json_path(json, changes, p->origin.path, sizeof p->origin.path);
  omr_json_pointer(json, changes, p->origin.pointer, sizeof p->origin.pointer);
  p->origin.whole = !changes->child;
  p->origin.line = omr_json_line(json, changes);
}

/* Adds an item that has its name to an object, and notes that it was moved there. */
static bool move(omr_json *json, cJSON *target, cJSON *item) {
  omr_json_positions *p = json->positions;
  if (!omr_grow(&p->origin.moved, p->origin.count + 1, sizeof *p->origin.moved))
    return omr_json_put_away(json, item) && false;
  p->origin.moved[p->origin.count++] = item;
  return cJSON_AddItemToArray(target, item);
}

/* A new object has nothing that its nulls could take away. */
static bool drop_nulls(omr_json *json, cJSON *object) {
  cJSON *next;
  bool whole = true;
  for (cJSON *child = cJSON_IsObject(object) ? object->child : NULL; child && whole; child = next) {
    next = child->next;
    whole = cJSON_IsNull(child) ? omr_json_drop(json, object, child) : drop_nulls(json, child);
  }
  return whole;
}

bool omr_json_merge(omr_json *json, cJSON *target, cJSON *changes) {
  while (changes->child) {
    cJSON *change = cJSON_DetachItemViaPointer(changes, changes->child);
    cJSON *old = cJSON_GetObjectItemCaseSensitive(target, change->string);

    /* Objects on both sides are merged member by member. */
    if (old && cJSON_IsObject(old) && cJSON_IsObject(change)) {
      const bool merged = omr_json_merge(json, old, change);
      if (!omr_json_put_away(json, change) || !merged) return false;
      continue;
    }

    /* Everything else takes the place of what was there; null takes it away. */
    if (old && !omr_json_drop(json, target, old)) return omr_json_put_away(json, change) && false;
    const bool goes = cJSON_IsNull(change) || !drop_nulls(json, change);
    if (goes ? !omr_json_put_away(json, change) : !move(json, target, change)) return false;
  }
  return true;
}
