/* Checks JSON text before cJSON sees it, and notes where each value stands. Private to json*.c. */
#ifndef OMR_STUDY_JSON_SCAN_H
#define OMR_STUDY_JSON_SCAN_H

#include "json.h"

enum { OMR_JSON_DEPTH = 64 };

/* One value; of a member, its key. In document order, which is the order of a walk over cJSON's
 * tree. */
typedef struct omr_json_position {
  const cJSON *item; /* filled by the caller after cJSON has built the tree */
  size_t offset;
  int line;
} omr_json_position;

enum { OMR_JSON_GAPS = 64 };

/* The last mistake, and where it is. */
typedef struct omr_json_fault {
  const cJSON *item; /* NULL: the file as a whole */
  omr_mistake_kind kind;
  char key[64], example[256]; /* MISSING: the key that it lacks */
} omr_json_fault;

typedef struct omr_json_positions {
  omr_json_position *at;
  size_t count, capacity;
  cJSON *replaced; /* array of items that --set took out of the tree; kept, so that no new item gets
                      the address of an old one */
  omr_json_fault fault;
  struct {
    const cJSON *array;
    size_t index;
  } gaps[OMR_JSON_GAPS]; /* where elements were taken out of arrays, by their old indices */
  size_t gap_count;
  struct {
    const cJSON **moved; /* [count], with all that is in them */
    size_t count;
    bool whole; /* the path stands for all of it, a word */
    char path[96], pointer[112];
    int line;
  } origin;
} omr_json_positions;

/* NULL where the item is none of the text. */
const omr_json_position *omr_json_position_of(const omr_json *json, const cJSON *item);

/* Blanks comments in `text` (zero-terminated, `length` bytes) and checks it against RFC 8259 and
 * the limits in json.h. */
omr_status omr_json_scan(char *text, size_t length, const char *name, omr_json_positions *positions,
                         omr_error *error);

/* Offset of the first byte that is no UTF-8 (overlong forms and surrogates included), or `length`.
 */
size_t omr_utf8_check(const char *text, size_t length);

/* "name:line:column: path: message"; path may be empty. Columns count characters. Returns
 * OMR_ERR_STUDY. */
omr_status omr_json_fail_at(omr_mistake_kind kind, const char *name, const char *text,
                            size_t offset, const char *path, omr_error *error, const char *message);

#endif
