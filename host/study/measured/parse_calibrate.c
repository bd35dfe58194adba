/* "calibrate": how parameters are fitted to measured runs. */
#include "../grammar/parse.h"

#include <string.h>

omr_status omr_read_calibrate(omr_reader *reader, const cJSON *root) {
  const cJSON *section;
  return omr_read_section(reader, root, OMR_SECTION_CALIBRATE, &reader->study->calibrate, &section);
}

static bool name_variations(omr_study *study, const char *path) {
  bool found = false;
  for (size_t v = 0; v < study->variation_count; v++) {
    omr_variation *variation = &study->variations[v];
    if (variation->dimension < 0 || strcmp(variation->path, path) != 0) continue;
    variation->per_run = found = true;
  }
  return found;
}

omr_status omr_check_calibrate(omr_reader *reader, const cJSON *root) {
  const cJSON *list = omr_json_get(omr_json_get(root, "calibrate"), "per_run"), *item;
  if (!list) return OMR_OK;
  OMR_TRY(omr_require_array(reader, list, 1, "paths"));
  cJSON_ArrayForEach(item, list) {
    if (!cJSON_IsString(item))
      return OMR_MISTAKEN(reader, item, OMR_MISTAKE_TYPE,
                          "expected a path of \"vary\", such as \"wheel.friction\"");
    if (!name_variations(reader->study, item->valuestring))
      return OMR_REFUSE(reader, item,
                        "\"vary\" draws no \"%.200s\"; list what it draws, by the same path",
                        item->valuestring);
  }
  return OMR_OK;
}
