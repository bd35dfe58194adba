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

typedef struct omr_json_positions {
  omr_json_position *at;
  size_t count, capacity;
  cJSON *replaced; /* array of what --set took out of the tree; kept, so that no new item gets the
                      address of an old one */
} omr_json_positions;

/* Blanks comments in `text` (zero-terminated, `length` bytes) and checks it against RFC 8259 and
 * the limits in json.h. */
omr_status omr_json_scan(char *text, size_t length, const char *name, omr_json_positions *positions,
                         omr_error *error);

/* Offset of the first byte that is no UTF-8 (overlong forms and surrogates included), or `length`.
 */
size_t omr_utf8_check(const char *text, size_t length);

/* "name:line:column: path: message"; path may be empty. Columns count characters. Returns
 * OMR_ERR_STUDY. */
omr_status omr_json_fail_at(const char *name, const char *text, size_t offset, const char *path,
                            omr_error *error, const char *message);

#endif
