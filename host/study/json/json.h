/* Strict JSON for study files: cJSON builds the tree, this module rejects mistakes that cJSON lets
 * through and knows where every value stands. Refused, each with line, column and JSON path:
 * trailing text, duplicate keys, numbers that JSON does not allow (01, 1., +1) or that are not
 * finite (1e999), bad UTF-8, nesting deeper than 64. Comments (// and block comments) are allowed
 * and blanked with spaces of the same length, so that positions stay true. */
#ifndef OMR_STUDY_JSON_H
#define OMR_STUDY_JSON_H

#include "../../support/support.h"
#include "../../support/tree.h"

typedef struct omr_json {
  char *name; /* file name for messages */
  char *text; /* the text with comments blanked */
  size_t length;
  cJSON *root;
  void *positions; /* where each item starts; private to json.c */
} omr_json;

/* Takes a copy of text. The caller calls omr_json_free, also after a failure. */
omr_status omr_json_parse(omr_json *json, const char *text, size_t length, const char *name,
                          omr_error *error);
void omr_json_free(omr_json *json);

/* Replaces or adds the member at a path like "integrator.step" or "vary[0].values", or takes it
 * away (null); value is JSON text, or a bare word taken as a string when it is no JSON. Positions
 * of the replaced members say "--set PATH" instead of a line. */
omr_status omr_json_set(omr_json *json, const char *assignment, omr_error *error);

/* Takes a member of an object or list away. Its content is kept elsewhere, since later messages may
 * still need places in it. False when out of memory. */
bool omr_json_drop(omr_json *json, cJSON *parent, cJSON *member);

/* Takes over an item that is in no tree any more and keeps it, since places go by addresses. False
 * when out of memory. */
bool omr_json_put_away(omr_json *json, cJSON *item);

/* Moves the members of `changes` into the object `target`, as RFC 7396 merges a patch: objects are
 * merged, null takes a member away, everything else takes its place. False when out of memory. */
bool omr_json_merge(omr_json *json, cJSON *target, cJSON *changes);
/* Places of the items of `changes`, from now on, are those that they have in the text, wherever
 * they are moved to. Of one value only. */
void omr_json_note_origin(omr_json *json, const cJSON *changes);

/* Line of an item (1-based; 0 if unknown or set by --set). */
int omr_json_line(const omr_json *json, const cJSON *item);
/* JSON path of an item, such as "vary[1].path"; "" for the root. Fills buffer, returns it. */
const char *omr_json_path(const omr_json *json, const cJSON *item, char *buffer, size_t size);

/* JSON pointer of an item (RFC 6901), "/vary/1/path"; "" for the root. Fills buffer, returns it. */
const char *omr_json_pointer(const omr_json *json, const cJSON *item, char *buffer, size_t size);

/* The kind of a mistake at a place (lists/mistakes.def), and its word. */
typedef enum omr_mistake_kind {
#define X(id, word, meaning) OMR_MISTAKE_##id,
#include "../../lists/mistakes.def"
#undef X
} omr_mistake_kind;
const char *omr_mistake_word(omr_mistake_kind kind);

/* Error with place: "study.json:12: vary[1].path: <message>". Returns OMR_ERR_STUDY. All kinds but
 * CONFLICT and MISSING say that the item is wrong whatever else the study says. */
omr_status omr_json_mistake(const omr_json *json, const cJSON *item, omr_mistake_kind kind,
                            omr_error *error, const char *format, ...) OMR_PRINTF(5, 6);
/* The same where the value does not fit the rest of the study. */
#define omr_json_fail(json, item, error, ...)                                                      \
  omr_json_mistake(json, item, OMR_MISTAKE_CONFLICT, error, __VA_ARGS__)
/* Member `key` is missing in `object`; `example` is a value for it, as JSON. */
omr_status omr_json_missing(const omr_json *json, const cJSON *object, const char *key,
                            const char *example, omr_error *error);

/* Member by exact, case-sensitive name, or NULL. */
const cJSON *omr_json_get(const cJSON *object, const char *key);

/* Fails on a member of `object` that is not among `known`, naming the nearest known one (or the one
 * that differs only in case).
 */
omr_status omr_json_check_keys(const omr_json *json, const cJSON *object, const char *const *known,
                               size_t count, omr_error *error);

/* The tree as text, doubles with %.17g (shortest form that reads back equal), two-space indented,
 * members in file order. malloc'ed; NULL when out of memory, and for a tree that is not whole
 * (support/tree.h). */
char *omr_json_print(const cJSON *root);

/* The same as a text of the caller's, who gives the tree (NULL: out of memory), which is deleted.
 */
omr_status omr_json_give(cJSON *root, char **text, omr_error *error);

/* The lines of a text as an array of strings; NULL, or not whole, when out of memory. */
cJSON *omr_json_lines(const char *text);

/* OMR_ERR_STUDY, with the format and a remedy, where the text looks like YAML, TOML, XML, CSV, a
 * program or an archive; OMR_OK where it may be JSON: the reader of JSON reports its mistakes. */
omr_status omr_refuse_other_format(const char *text, size_t length, const char *name,
                                   omr_error *error);

#endif
