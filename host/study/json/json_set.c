/* --set path=value */
#include "json.h"
#include "json_scan.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct step {
  char *key;  /* NULL: index, or name */
  char *name; /* of the object of a list that has it as its "name"; NULL: none */
  size_t length, index;
} step;

typedef struct set_path {
  char *copy; /* of the whole assignment; keys and value point into it */
  step steps[OMR_JSON_DEPTH];
  size_t count;
  char *value;
} set_path;

#define FAIL_SET(assignment, error, format, ...)                                                   \
  omr_fail(error, OMR_ERR_STUDY, "--set \"%s\": " format,                                          \
           strlen(assignment) > 200 ? "..." : assignment, __VA_ARGS__)

static char *trim(char *text) {
  text += strspn(text, " \t\r\n");
  size_t length = strlen(text);
  while (length > 0 && strchr(" \t\r\n", text[length - 1])) length--;
  text[length] = '\0';
  return text;
}

/* Reads "[12]" at *at. */
static bool parse_index(char **at, size_t *index) {
  char *p = *at + 1;
  if (*p < '0' || *p > '9') return false;
  for (*index = 0; *p >= '0' && *p <= '9'; p++) {
    if (*index > 99999999) return false;
    *index = *index * 10 + (size_t)(*p - '0');
  }
  if (*p != ']') return false;
  *at = p + 1;
  return true;
}

/* Reads "[front_left]" at *at. */
static bool parse_name(char **at, step *next) {
  const size_t length = strcspn(*at + 1, "[].");
  if (!isalpha((unsigned char)(*at)[1]) || (*at)[1 + length] != ']') return false;
  next->name = *at + 1;
  next->length = length;
  *at += length + 2;
  return true;
}

/* Reads the steps of "a.b[2].c"; returns a message, or NULL. */
static const char *parse_steps(set_path *path, char *at) {
  for (bool first = true; *at || first; first = false) {
    /* Each turn takes one step: an index in brackets, or a name. */
    if (path->count == OMR_JSON_DEPTH) return "the path has more than 64 steps";
    step *next = &path->steps[path->count++];
    if (*at == '[') {
      if (!parse_index(&at, &next->index) && !parse_name(&at, next))
        return "an index is written [0], [1], ..., or as the name of a wheel that has one";
      continue;
    }

    /* A name begins after a point and ends before the next point or bracket. */
    if (!first && *at++ != '.') return "a point is missing after \"]\"";
    next->key = at;
    next->length = strcspn(at, ".[]");
    if (next->length == 0)
      return "a name is missing in the path (write it like wheel.friction or vary[0].values)";
    at += next->length;
    if (*at == ']') return "\"]\" without \"[\" in the path";
  }

  /* The names end only now, since the ends overwrite the separators. */
  for (size_t i = 0; i < path->count; i++) {
    char *word = path->steps[i].key ? path->steps[i].key : path->steps[i].name;
    if (word) word[path->steps[i].length] = '\0';
  }
  return NULL;
}

static const char *parse_assignment(set_path *path) {
  if (omr_utf8_check(path->copy, strlen(path->copy)) < strlen(path->copy))
    return "the text is no UTF-8";
  char *equals = strchr(path->copy, '=');
  if (!equals) return "write it as path=value, such as integrator.step=1e-4";
  *equals = '\0';
  path->value = trim(equals + 1);
  if (*path->value == '\0')
    return "the value after = is missing (an empty text is \"\" with its quotes)";
  return parse_steps(path, trim(path->copy));
}

/* JSON where it is JSON, otherwise a string; text that opens like an object, array or string has to
 * be JSON. */
static omr_status parse_value(const set_path *path, const char *assignment, cJSON **value,
                              omr_error *error) {
  char name[240];

  /* Messages name the assignment, not a file. */
  size_t equals = strcspn(assignment, "=");
  snprintf(name, sizeof name, "--set %.*s", equals < 200 ? (int)equals : 0, assignment);
  omr_json parsed;
  omr_error fault;

  /* The value is JSON, or text when JSON does not read it. */
  omr_status status = omr_json_parse(&parsed, path->value, strlen(path->value), name, &fault);
  if (status == OMR_OK) {
    *value = parsed.root;
    parsed.root = NULL;
  } else if (status == OMR_ERR_STUDY && !strchr("{[\"", *path->value)) {
    *value = cJSON_CreateString(path->value);
    status = *value ? OMR_OK : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  } else {
    omr_fail(error, status, "%s", fault.message);
  }
  omr_json_free(&parsed);
  return status;
}

static const char *kind_name(const cJSON *item) {
  if (cJSON_IsObject(item)) return "an object";
  if (cJSON_IsArray(item)) return "an array";
  if (cJSON_IsString(item)) return "a text";
  if (cJSON_IsNumber(item)) return "a number";
  return cJSON_IsNull(item) ? "null" : "true or false";
}

static bool has_name(const cJSON *item, const char *name) {
  const char *its = cJSON_GetStringValue(omr_json_get(item, "name"));
  return its && strcmp(its, name) == 0;
}

static cJSON *find_child(cJSON *parent, const step *next) {
  cJSON *child = parent->child;
  if (next->key) {
    while (child && strcmp(child->string, next->key) != 0) child = child->next;
    return child;
  }
  while (next->name && child && !has_name(child, next->name)) child = child->next;
  for (size_t i = 0; child && i < next->index; i++) child = child->next;
  return child;
}

static omr_status fail_name(const cJSON *list, const char *name, const char *assignment,
                            omr_error *error) {
  char names[300] = "";
  for (const cJSON *one = list->child; one; one = one->next) {
    const char *its = cJSON_GetStringValue(omr_json_get(one, "name"));
    if (its) omr_print_more(names, sizeof names, "%s%.40s", *names ? ", " : "", its);
  }
  return FAIL_SET(assignment, error, "nothing in the list is called \"%.60s\"; %s%s", name,
                  *names ? "the names are " : "give one its \"name\", or write its number as [0]",
                  names);
}

/* Follows the path as far as the tree goes; *done is the number of steps taken, *at the item there.
 */
static omr_status follow(const omr_json *json, const set_path *path, const char *assignment,
                         cJSON **at, size_t *done, omr_error *error) {
  char name[256];
  *at = json->root;
  for (*done = 0; *done < path->count; (*done)++) {
    const step *next = &path->steps[*done];
    if (next->key ? !cJSON_IsObject(*at) : !cJSON_IsArray(*at)) {
      omr_json_path(json, *at, name, sizeof name);
      return FAIL_SET(assignment, error, "%s is %s, not %s", *name ? name : "the study",
                      kind_name(*at), next->key ? "an object" : "an array");
    }
    cJSON *child = find_child(*at, next);
    if (!child && next->name) return fail_name(*at, next->name, assignment, error);
    if (!child) return OMR_OK;
    *at = child;
  }
  return OMR_OK;
}

/* Only the next free index may be added: the array's size below `at`, 0 in arrays that are made on
 * the way. */
static omr_status check_indices(const omr_json *json, const set_path *path, const char *assignment,
                                const cJSON *at, size_t done, omr_error *error) {
  char name[256];
  for (size_t i = done; i < path->count; i++) {
    size_t size = i == done && cJSON_IsArray(at) ? (size_t)cJSON_GetArraySize(at) : 0;
    if (path->steps[i].name)
      return FAIL_SET(assignment, error, "\"%.60s\" in a list that is not there yet",
                      path->steps[i].name);
    if (path->steps[i].key || path->steps[i].index == size) continue;
    if (i > done)
      return FAIL_SET(assignment, error, "index %zu in an array that is not there yet",
                      path->steps[i].index);
    return FAIL_SET(assignment, error,
                    "index %zu is beyond the end of %s, which has %zu (so [%zu] adds one)",
                    path->steps[i].index, omr_json_path(json, at, name, sizeof name), size, size);
  }
  return OMR_OK;
}

/* Takes `value`, also on failure. */
static bool add_child(cJSON *parent, const step *next, cJSON *value) {
  bool added = parent && value &&
               (next->key ? cJSON_AddItemToObject(parent, next->key, value)
                          : cJSON_AddItemToArray(parent, value));
  if (!added) cJSON_Delete(value);
  return added;
}

/* Makes the missing containers from the inside out, so that the tree changes only when all is
 * there. */
static bool add_missing(cJSON *at, const set_path *path, size_t done, cJSON *value) {
  for (size_t i = path->count - 1; i > done; i--) {
    cJSON *parent = path->steps[i].key ? cJSON_CreateObject() : cJSON_CreateArray();
    if (!add_child(parent, &path->steps[i], value)) {
      cJSON_Delete(parent);
      return false;
    }
    value = parent;
  }
  return add_child(at, &path->steps[done], value);
}

static void forget_position(omr_json *json, const cJSON *item) {
  omr_json_positions *positions = json->positions;
  for (size_t i = 0; i < positions->count; i++)
    if (positions->at[i].item == item) positions->at[i].item = NULL;
}

/* Keeps the item's place and key, and puts its old content away. False when out of memory: then the
 * value, with the old content, is gone, and so may be places in it. */
static bool replace_content(omr_json *json, cJSON *item, cJSON *value) {
  cJSON old = *item;
  item->type = value->type;
  item->child = value->child;
  item->valuestring = value->valuestring;
  item->valueint = value->valueint;
  item->valuedouble = value->valuedouble;
  value->type = old.type;
  value->child = old.child;
  value->valuestring = old.valuestring;
  forget_position(json, item);
  return omr_json_put_away(json, value);
}

bool omr_json_put_away(omr_json *json, cJSON *item) {
  omr_json_positions *p = json->positions;
  if (cJSON_AddItemToArray(p->replaced, item)) return true;
  cJSON_Delete(item);
  return false;
}

bool omr_json_drop(omr_json *json, cJSON *parent, cJSON *member) {
  return omr_json_put_away(json, cJSON_DetachItemViaPointer(parent, member));
}

/* Takes the member away, if it is there. */
static omr_status remove_member(omr_json *json, const set_path *path, const char *assignment,
                                omr_error *error) {
  set_path to_parent = *path;
  cJSON *parent;
  size_t done;
  to_parent.count--;
  const omr_status status = follow(json, &to_parent, assignment, &parent, &done, error);
  if (status != OMR_OK || done < to_parent.count || !cJSON_IsObject(parent)) return status;
  cJSON *member = find_child(parent, &path->steps[path->count - 1]);
  if (!member) return OMR_OK;
  forget_position(json, member);
  if (omr_json_drop(json, parent, member)) return OMR_OK;
  return omr_fail(error, OMR_ERR_MEMORY, "--set %s: out of memory", assignment);
}

static omr_status apply(omr_json *json, const set_path *path, const char *assignment,
                        omr_error *error) {
  cJSON *at, *value;
  size_t done;
  if (path->steps[path->count - 1].key && strcmp(path->value, "null") == 0)
    return remove_member(json, path, assignment, error);
  omr_status status = follow(json, path, assignment, &at, &done, error);
  if (status == OMR_OK) status = check_indices(json, path, assignment, at, done, error);
  if (status == OMR_OK) status = parse_value(path, assignment, &value, error);
  if (status != OMR_OK) return status;
  const bool put =
      done == path->count ? replace_content(json, at, value) : add_missing(at, path, done, value);
  return put ? OMR_OK : omr_fail(error, OMR_ERR_MEMORY, "out of memory");
}

omr_status omr_json_set(omr_json *json, const char *assignment, omr_error *error) {
  set_path path = {.copy = strdup(assignment)};
  if (!path.copy) return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  const char *fault = parse_assignment(&path);
  omr_status status =
      fault ? FAIL_SET(assignment, error, "%s", fault) : apply(json, &path, assignment, error);
  free(path.copy);
  return status;
}
