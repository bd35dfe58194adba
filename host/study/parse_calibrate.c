/* "calibrate": how parameters are fitted to measured runs. */
#include "parse.h"

#include <string.h>

static omr_status read_unknown(omr_reader *reader, const cJSON *section) {
  static const char *const words[] = {"known", "unknown"};
  omr_calibrate_settings *settings = &reader->study->calibrate;
  const cJSON *shared = omr_json_get(section, "shared");
  int noise = 0;
  OMR_TRY(omr_read_choice(reader, section, "noise", words, 2, &noise));
  settings->unknown_noise = noise == 1;
  if (noise == 1 && settings->points == 0)
    return omr_json_fail(&reader->json, omr_json_get(section, "noise"), reader->error,
                         "an unknown noise is found by the posterior, not by the ensemble; say how "
                         "many \"points\" it is to have, such as 500");
  if (!shared) return OMR_OK;
  if (!omr_json_get(section, "per_run"))
    return omr_json_fail(&reader->json, shared, reader->error,
                         "nothing has a value in each run: \"shared\" belongs to \"per_run\"");
  OMR_TRY(omr_json_quantity(&reader->json, shared, "1", &settings->shared, reader->error));
  if (settings->shared >= 0 && settings->shared < 1) return OMR_OK;
  return omr_json_mistake(&reader->json, shared, OMR_MISTAKE_RANGE, reader->error,
                          "is %.9g; it is from 0 to below 1", settings->shared);
}

omr_status omr_read_calibrate(omr_reader *reader, const cJSON *root) {
  static const char *const keys[] = {
#define X(id, name, ...) name,
#include "../lists/keys_calibrate.def"
#undef X
  };
  omr_calibrate_settings *settings = &reader->study->calibrate;
  const cJSON *section, *item;
  double value;
  *settings = (omr_calibrate_settings){.members = 200, .shared = 0.5};
  OMR_TRY(omr_read_object(reader, root, "calibrate", &section));
  if (!section) return OMR_OK;
  OMR_TRY(
      omr_json_check_keys(&reader->json, section, keys, sizeof keys / sizeof *keys, reader->error));
  if ((item = omr_json_get(section, "members"))) {
    OMR_TRY(omr_read_whole(reader, item, 10, 1e5, &value));
    settings->members = (size_t)value;
  }
  if ((item = omr_json_get(section, "points"))) {
    OMR_TRY(omr_read_whole(reader, item, 0, 1e6, &value));
    settings->points = (size_t)value;
  }
  if ((item = omr_json_get(section, "polish"))) {
    OMR_TRY(omr_read_whole(reader, item, 0, 50, &value));
    settings->polish = (int)value;
  }
  if ((item = omr_json_get(section, "seed"))) {
    OMR_TRY(omr_read_whole(reader, item, 0, 0x1p53, &value));
    settings->seed = (uint64_t)value;
  }
  return read_unknown(reader, section);
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
      return omr_json_mistake(&reader->json, item, OMR_MISTAKE_TYPE, reader->error,
                              "expected a path of \"vary\", such as \"wheel.friction\"");
    if (!name_variations(reader->study, item->valuestring))
      return omr_json_fail(&reader->json, item, reader->error,
                           "\"vary\" draws no \"%.200s\"; list what it draws, by the same path",
                           item->valuestring);
  }
  return OMR_OK;
}
