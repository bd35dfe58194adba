#include "json.h"
#include "../grammar/hints.h"
#include "json_scan.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Walks cJSON's tree in document order. */
static bool attach_items(omr_json_positions *p, const cJSON *item, size_t *next) {
  if (*next == p->count) return false;
  p->at[(*next)++].item = item;
  for (const cJSON *child = item->child; child; child = child->next)
    if (!attach_items(p, child, next)) return false;
  return true;
}

typedef struct member {
  const cJSON *item;
  size_t order;
} member;

static int compare_members(const void *left, const void *right) {
  const member *a = left, *b = right;
  int names = strcmp(a->item->string, b->item->string);
  return names ? names : (a->order > b->order) - (a->order < b->order);
}

static omr_status fail_duplicate(const omr_json *json, const char *original, const cJSON *first,
                                 const cJSON *second, omr_error *error) {
  char path[256], message[512];
  snprintf(message, sizeof message, "duplicate key \"%.100s\" (first on line %d): remove one",
           second->string, omr_json_line(json, first));
  size_t offset = omr_json_position_of(json, second)->offset;
  return omr_json_fail_at(OMR_MISTAKE_DUPLICATE, json->name, original, offset,
                          omr_json_path(json, second, path, sizeof path), error, message);
}

static omr_status check_duplicates_of(const omr_json *json, const char *original,
                                      const cJSON *object, omr_error *error) {
  size_t count = 0;
  for (const cJSON *child = object->child; child; child = child->next) count++;
  if (count < 2) return OMR_OK;
  member *members = calloc(count, sizeof *members);
  if (!members) return omr_fail(error, OMR_ERR_MEMORY, "%s: out of memory", json->name);
  size_t i = 0;
  for (const cJSON *child = object->child; child; child = child->next, i++)
    members[i] = (member){child, i};
  qsort(members, count, sizeof *members, compare_members);
  omr_status status = OMR_OK;
  for (i = 1; i < count && status == OMR_OK; i++)
    if (strcmp(members[i - 1].item->string, members[i].item->string) == 0)
      status = fail_duplicate(json, original, members[i - 1].item, members[i].item, error);
  free(members);
  return status;
}

/* On the tree, not the text, because "a" and "\u0061" are the same key. */
static omr_status check_duplicates(const omr_json *json, const char *original, omr_error *error) {
  const omr_json_positions *p = json->positions;
  omr_status status = OMR_OK;
  for (size_t i = 0; i < p->count && status == OMR_OK; i++)
    if (cJSON_IsObject(p->at[i].item))
      status = check_duplicates_of(json, original, p->at[i].item, error);
  return status;
}

static omr_status allocate(omr_json *json, const char *text, size_t length, const char *name,
                           omr_error *error) {
  json->name = strdup(name);
  json->text = malloc(length + 1);
  omr_json_positions *positions = json->positions = calloc(1, sizeof *positions);
  if (positions) positions->replaced = cJSON_CreateArray();
  if (!json->name || !json->text || !positions || !positions->replaced)
    return omr_fail(error, OMR_ERR_MEMORY, "%s: out of memory", name);
  memcpy(json->text, text, length);
  json->text[length] = '\0';
  json->length = length;
  return OMR_OK;
}

omr_status omr_json_parse(omr_json *json, const char *text, size_t length, const char *name,
                          omr_error *error) {
  *json = (omr_json){0};
  omr_status status = allocate(json, text, length, name, error);
  if (status != OMR_OK) return status;
  status = omr_json_scan(json->text, length, name, json->positions, error);
  if (status != OMR_OK) return status;
  json->root = cJSON_ParseWithLengthOpts(json->text, length + 1, NULL, true);
  if (!json->root)
    return omr_fail(error, OMR_ERR_MEMORY, "%s: out of memory while building the tree", name);
  omr_json_positions *positions = json->positions;
  size_t attached = 0;
  if (!attach_items(positions, json->root, &attached) || attached != positions->count)
    return omr_fail(error, OMR_ERR_INTERNAL,
                    "%s: cJSON reads the text differently from the check before it", name);
  return check_duplicates(json, text, error);
}

void omr_json_free(omr_json *json) {
  omr_json_positions *positions = json->positions;
  if (positions) {
    cJSON_Delete(positions->replaced);
    free(positions->at);
    free(positions->origin.moved);
  }
  free(positions);
  cJSON_Delete(json->root);
  free(json->text);
  free(json->name);
  *json = (omr_json){0};
}

int omr_json_line(const omr_json *json, const cJSON *item) {
  const omr_json_position *position = omr_json_position_of(json, item);
  return position ? position->line : 0;
}

const cJSON *omr_json_get(const cJSON *object, const char *key) {
  return cJSON_IsObject(object) ? cJSON_GetObjectItemCaseSensitive(object, key) : NULL;
}

static omr_status fail_unknown_key(const omr_json *json, const cJSON *child,
                                   const char *const *known, size_t count, omr_error *error) {
  /* A key in the wrong case gets the right one. */
  for (size_t i = 0; i < count; i++)
    if (strcasecmp(child->string, known[i]) == 0)
      return omr_json_mistake(json, child, OMR_MISTAKE_UNKNOWN_KEY, error,
                              "unknown key \"%s\" - upper and lower case count: write \"%s\"",
                              child->string, known[i]);

  /* A key that users often try gets its own hint, one that is a whole path the objects that it
   * stands in. */
  char nested[160];
  const char *hint = omr_key_hint(child->string, known, count);
  if (!hint && omr_path_hint(child->string, known, count, nested, sizeof nested)) hint = nested;
  if (hint)
    return omr_json_mistake(json, child, OMR_MISTAKE_UNKNOWN_KEY, error,
                            "unknown key \"%.100s\" - %s", child->string, hint);

  /* A misspelt key gets the nearest one. */
  const char *nearest = omr_nearest(child->string, known, count);
  if (nearest)
    return omr_json_mistake(json, child, OMR_MISTAKE_UNKNOWN_KEY, error,
                            "unknown key \"%.100s\" - did you mean \"%s\"?", child->string,
                            nearest);

  /* Every other key gets the list of the keys that are known here. */
  omr_text list = {0};
  for (size_t i = 0; i < count; i++) omr_text_print(&list, "%s%s", i ? ", " : "", known[i]);
  omr_status status = omr_json_mistake(json, child, OMR_MISTAKE_UNKNOWN_KEY, error,
                                       "unknown key \"%.100s\" - known here: %s", child->string,
                                       list.length ? list.data : "none");
  omr_text_free(&list);
  return status;
}

omr_status omr_json_check_keys(const omr_json *json, const cJSON *object, const char *const *known,
                               size_t count, omr_error *error) {
  for (const cJSON *child = object->child; child; child = child->next)
    if (!omr_is_among(child->string, known, count))
      return fail_unknown_key(json, child, known, count, error);
  return OMR_OK;
}
