#include "../designs/distributions.h"
#include "parse.h"
#include "rules.h"

#include <stdlib.h>
#include <string.h>

/* One variation of the study; wheel -1 for all wheels alike. */
static omr_status add_variation(omr_reader *reader, const cJSON *entry, const cJSON *path,
                                omr_target target, bool each) {
  omr_variation *variation;
  OMR_TRY(omr_add_variation(reader, path, path->valuestring, target, each, &variation));
  return omr_read_draw(reader, entry, variation);
}

/* "each": one variation per wheel, which then draws with its own index. */
static omr_status add_each(omr_reader *reader, const cJSON *entry, const cJSON *path,
                           omr_target target) {
  if (!target.per_wheel || target.wheel >= 0)
    return OMR_REFUSE(reader, omr_json_get(entry, "each"),
                      "\"each\" draws a value per wheel and belongs to paths that start with "
                      "\"wheel.\"; here it is \"%s\"",
                      path->valuestring);
  for (target.wheel = 0; target.wheel < reader->study->wheels; target.wheel++) {
    if (omr_wheel_lacks(reader->study, target.wheel, target.index)) continue;
    if (!omr_kind_has(reader, target, target.wheel)) continue; /* some wheel's kind has it */
    if (omr_is_drive_parameter(target.index)) OMR_TRY(omr_require_usable(reader, path, target));
    OMR_TRY(add_variation(reader, entry, path, target, true));
  }
  return OMR_OK;
}

static omr_status read_entry(omr_reader *reader, const cJSON *entry) {
  const char *draws[OMR_DRAWS];
  for (int draw = 0; draw < OMR_DRAWS; draw++) draws[draw] = omr_draw_kinds[draw].name;
  const cJSON *path;
  bool each = false;
  omr_target target;
  if (!cJSON_IsObject(entry))
    return OMR_REFUSE(reader, entry, "expected an object: {\"path\": ..., \"values\": [...]}");
  OMR_TRY(omr_check_section(reader, entry, OMR_SECTION_VARY, draws, OMR_DRAWS));
  OMR_TRY(omr_require(reader, entry, "path", "\"wheel.friction\"", &path));
  if (!cJSON_IsString(path))
    return OMR_REFUSE(reader, path, "expected a path such as \"wheel.friction\"");
  OMR_TRY(omr_find_target(reader, path, path->valuestring, &target));
  OMR_TRY(omr_read_bool(reader, entry, "each", &each));
  return each ? add_each(reader, entry, path, target)
              : add_variation(reader, entry, path, target, false);
}

omr_status omr_read_variations(omr_reader *reader, const cJSON *root) {
  const cJSON *vary = omr_json_get(root, "vary"), *entry;
  if (omr_has_rows(root)) return omr_read_rows(reader, root);
  if (vary) OMR_TRY(omr_require_array(reader, vary, 0, "varied parameters"));
  cJSON_ArrayForEach(entry, vary) OMR_TRY(read_entry(reader, entry));
  return omr_read_candidates(reader, root);
}
