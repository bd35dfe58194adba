#include "distributions.h"
#include "keys.h"
#include "parse.h"

#include <stdlib.h>
#include <string.h>

static omr_target target_of(const omr_variation *variation) {
  return (omr_target){variation->per_wheel, variation->index, variation->wheel};
}

/* "wheels[0].disc.mass" -> "wheel0_disc_mass". */
static char *column_name(const omr_variation *variation) {
  const char *path = omr_target_parameter(target_of(variation))->path;
  omr_text text = {0};
  if (variation->per_wheel && variation->wheel < 0)
    omr_text_print(&text, "wheel_%s", path);
  else if (variation->per_wheel)
    omr_text_print(&text, "wheel%d_%s", variation->wheel, path);
  else
    omr_text_print(&text, "%s", path);
  if (text.failed) omr_text_free(&text);
  for (char *c = text.data; c && *c; c++)
    if (*c == '.') *c = '_';
  return text.data;
}

/* Appends an empty variation, so that whatever it gets is released with the study. */
static omr_variation *append(omr_study *study) {
  omr_variation *grown = realloc(study->variations, (study->variation_count + 1) * sizeof *grown);
  if (!grown) return NULL;
  study->variations = grown;
  memset(&grown[study->variation_count], 0, sizeof *grown);
  return &grown[study->variation_count++];
}

static omr_status require_unrepeated(omr_reader *reader, const cJSON *item) {
  const omr_variation *last = &reader->study->variations[reader->study->variation_count - 1];
  for (const omr_variation *v = reader->study->variations; v < last; v++) {
    if (v->per_wheel != last->per_wheel || v->index != last->index) continue;
    if (v->wheel == last->wheel || v->wheel < 0 || last->wheel < 0)
      return omr_json_fail(&reader->json, item, reader->error,
                           "\"%s\" is varied twice: \"%s\" stands above", last->path, v->path);
  }
  return OMR_OK;
}

omr_status omr_add_variation(omr_reader *reader, const cJSON *item, const char *path,
                             omr_target target, bool each, omr_variation **added) {
  omr_variation *variation = *added = append(reader->study);
  if (!variation) return omr_fail_memory(reader);
  variation->per_wheel = target.per_wheel;
  variation->index = target.index;
  variation->wheel = target.wheel;
  variation->each_wheel = each;
  variation->dimension = -1;
  variation->alternate = reader->mecanum && target.per_wheel && target.index == OMR_WP_INCLINATION;
  omr_text text = {0};
  if (each)
    omr_text_print(&text, "wheels[%d].%s", target.wheel, omr_target_parameter(target)->path);
  else
    omr_text_print(&text, "%s", path);
  variation->path = text.data;
  variation->column = column_name(variation);
  if (text.failed || !variation->column) return omr_fail_memory(reader);
  OMR_TRY(require_unrepeated(reader, item));
  return omr_check_variation(reader, item, variation);
}

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
    return omr_json_fail(&reader->json, omr_json_get(entry, "each"), reader->error,
                         "\"each\" draws a value per wheel and belongs to paths that start with "
                         "\"wheel.\"; here it is \"%s\"",
                         path->valuestring);
  for (target.wheel = 0; target.wheel < reader->study->wheels; target.wheel++) {
    if (omr_is_drive_parameter(target.index)) OMR_TRY(omr_require_usable(reader, path, target));
    OMR_TRY(add_variation(reader, entry, path, target, true));
  }
  return OMR_OK;
}

static omr_status read_entry(omr_reader *reader, const cJSON *entry) {
  const char *keys[OMR_DRAWS + 2] = {OMR_VARY_KEYS(OMR_KEY_NAME)};
  for (int draw = 0; draw < OMR_DRAWS; draw++) keys[draw + 2] = omr_draw_kinds[draw].name;
  const cJSON *path;
  bool each = false;
  omr_target target;
  if (!cJSON_IsObject(entry))
    return omr_json_fail(&reader->json, entry, reader->error,
                         "expected an object: {\"path\": ..., \"values\": [...]}");
  OMR_TRY(
      omr_json_check_keys(&reader->json, entry, keys, sizeof keys / sizeof *keys, reader->error));
  OMR_TRY(omr_require(reader, entry, "path", "\"wheel.friction\"", &path));
  if (!cJSON_IsString(path))
    return omr_json_fail(&reader->json, path, reader->error,
                         "expected a path such as \"wheel.friction\"");
  OMR_TRY(omr_find_target(reader, path, path->valuestring, &target));
  OMR_TRY(omr_read_bool(reader, entry, "each", &each));
  return each ? add_each(reader, entry, path, target)
              : add_variation(reader, entry, path, target, false);
}

omr_status omr_read_variations(omr_reader *reader, const cJSON *root) {
  const cJSON *vary = omr_json_get(root, "vary"), *entry;
  if (omr_has_rows(root)) return omr_read_rows(reader, root);
  if (!vary) return OMR_OK;
  OMR_TRY(omr_require_array(reader, vary, 0, "varied parameters"));
  cJSON_ArrayForEach(entry, vary) OMR_TRY(read_entry(reader, entry));
  return OMR_OK;
}
