#include "parse.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool is_random(const omr_variation *variation) {
  return variation->draw == OMR_DRAW_UNIFORM || variation->draw == OMR_DRAW_NORMAL;
}

/* Member number `index` of "vary", as the variations are numbered after "each" was expanded. */
static const cJSON *entry_of(const cJSON *root, const omr_study *study, size_t index) {
  const cJSON *entry = omr_json_get(root, "vary")->child;
  for (size_t v = 0; v < index; v++) {
    const omr_variation *next = &study->variations[v + 1];
    const bool same = next->each_wheel && next->wheel > 0;
    if (!same) entry = entry->next;
  }
  return entry;
}

static omr_status read_seed(omr_reader *reader) {
  const cJSON *item = omr_json_get(reader->design, "seed");
  if (!item) return OMR_OK;
  const char *text = cJSON_GetStringValue(item);
  if (text) {
    errno = 0;
    if (*text && strspn(text, "0123456789") == strlen(text)) reader->study->seed = strtoull(text, NULL, 10);
    if (*text && strspn(text, "0123456789") == strlen(text) && errno == 0) return OMR_OK;
    return omr_json_fail(&reader->json, item, reader->error, "seed \"%s\" is not a whole number from 0 to 18446744073709551615",
                         text);
  }
  double seed;
  OMR_TRY(omr_read_whole(reader, item, 0, 0x1p53, &seed));
  reader->study->seed = (uint64_t)seed;
  return OMR_OK;
}

static omr_status read_monte_carlo(omr_reader *reader, const cJSON *root) {
  omr_study *study = reader->study;
  const cJSON *item;
  double instances;
  OMR_TRY(omr_require(reader, reader->design, "instances", "1000", &item));
  OMR_TRY(omr_read_whole(reader, item, 1, 0x1p53, &instances));
  study->instances = (size_t)instances;
  OMR_TRY(read_seed(reader));
  if (study->variation_count == 0)
    return omr_json_fail(&reader->json, reader->design, reader->error,
                         "monte_carlo has nothing to draw: \"vary\" is empty, every instance would be the same");
  for (size_t v = 0; v < study->variation_count; v++)
    if (study->variations[v].draw == OMR_DRAW_LINSPACE)
      return omr_json_fail(&reader->json, entry_of(root, study, v), reader->error,
                           "\"linspace\" is for a grid; monte_carlo draws from \"uniform\": [low, high]");
  return OMR_OK;
}

static omr_status count_grid(omr_reader *reader, const cJSON *root) {
  omr_study *study = reader->study;
  study->instances = 1;
  for (size_t v = 0; v < study->variation_count; v++) {
    const omr_variation *variation = &study->variations[v];
    const cJSON *entry = entry_of(root, study, v);
    if (is_random(variation))
      return omr_json_fail(&reader->json, entry, reader->error,
                           "\"%s\" draws at random, which a grid cannot; give \"design\": {\"type\": \"monte_carlo\", "
                           "\"instances\": 1000, \"seed\": \"1\"}",
                           variation->draw == OMR_DRAW_UNIFORM ? "uniform" : "normal");
    if (variation->each_wheel)
      return omr_json_fail(&reader->json, entry, reader->error,
                           "\"each\" draws at random, which a grid cannot; vary \"wheels[0].%s\" and so on, or give \"design\": "
                           "{\"type\": \"monte_carlo\", ...}",
                           omr_wheel_parameters[variation->index].path);
    if (__builtin_mul_overflow(study->instances, variation->levels, &study->instances) || study->instances > (size_t)1 << 53)
      return omr_json_fail(&reader->json, entry, reader->error, "the grid has more instances than can be counted (2^53)");
  }
  return OMR_OK;
}

static omr_status refuse_member(omr_reader *reader, const char *key) {
  const cJSON *item = omr_json_get(reader->design, key);
  if (!item) return OMR_OK;
  return omr_json_fail(&reader->json, item, reader->error, "\"%s\" belongs to a design of type monte_carlo; a grid %s", key,
                       strcmp(key, "seed") == 0 ? "draws nothing" : "has as many instances as its levels combine to");
}

omr_status omr_read_design(omr_reader *reader, const cJSON *root) {
  static const char *const keys[] = {"type", "instances", "seed"}, *const types[] = {"grid", "monte_carlo"};
  omr_study *study = reader->study;
  int type = 0;
  OMR_TRY(omr_read_object(reader, root, "design", &reader->design));
  if (reader->design) {
    const cJSON *item;
    OMR_TRY(omr_json_check_keys(&reader->json, reader->design, keys, 3, reader->error));
    OMR_TRY(omr_require(reader, reader->design, "type", "\"monte_carlo\"", &item));
    OMR_TRY(omr_read_word(reader, item, types, 2, &type));
    if (type == 1) {
      study->design = OMR_DESIGN_MONTE_CARLO;
      return read_monte_carlo(reader, root);
    }
    OMR_TRY(refuse_member(reader, "instances"));
    OMR_TRY(refuse_member(reader, "seed"));
  }
  study->design = study->variation_count ? OMR_DESIGN_GRID : OMR_DESIGN_SINGLE;
  return count_grid(reader, root);
}
