/* One varied parameter of the study. */
#include "parse.h"

#include <stdlib.h>
#include <string.h>

/* "wheels[0].disc.mass" -> "wheel0_disc_mass". */
static char *column_name(const omr_reader *reader, const omr_variation *variation) {
  const char *path = omr_target_path(reader, omr_target_of(variation));
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
  const size_t count = study->variation_count;
  if (!omr_grow(&study->variations, count + 1, sizeof *study->variations)) return NULL;
  memset(&study->variations[count], 0, sizeof *study->variations);
  return &study->variations[study->variation_count++];
}

static omr_status require_unrepeated(omr_reader *reader, const cJSON *item) {
  const omr_variation *last = &reader->study->variations[reader->study->variation_count - 1];
  for (const omr_variation *v = reader->study->variations; v < last; v++) {
    if (v->per_wheel != last->per_wheel || v->index != last->index) continue;
    if (v->wheel == last->wheel || v->wheel < 0 || last->wheel < 0)
      return OMR_REFUSE(reader, item, "\"%s\" is varied twice: \"%s\" stands above", last->path,
                        v->path);
  }
  return OMR_OK;
}

/* Whether "parameters" gives the base value, of all wheels that the variation is of. */
static bool is_written(const omr_reader *reader, omr_target target) {
  if (!target.per_wheel) return reader->vehicle_item[target.index];
  for (int wheel = omr_target_first(target); wheel < omr_target_end(reader, target); wheel++)
    if (!reader->wheel_item[wheel][target.index]) return false;
  return true;
}

omr_status omr_add_variation(omr_reader *reader, const cJSON *item, const char *path,
                             omr_target target, bool each, omr_variation **added) {
  OMR_TRY(omr_refuse_varied_path(reader, item, target));
  omr_variation *variation = *added = append(reader->study);
  if (!variation) return omr_fail_memory(reader);

  /* The target, and how its values are turned into the engine's frame. */
  variation->per_wheel = target.per_wheel;
  variation->index = target.index;
  variation->wheel = target.wheel;
  variation->each_wheel = each;
  variation->dimension = -1;
  variation->written = is_written(reader, target);
  variation->alternate = reader->mecanum && target.per_wheel && target.index == OMR_WP_INCLINATION;
  variation->negated =
      omr_target_turn(reader, target, omr_target_unit(reader, target)).how & OMR_TURN_NEGATED;

  /* A variation of each wheel is named by the path of its wheel. */
  omr_text text = {0};
  if (each)
    omr_text_print(&text, "wheels[%d].%s", target.wheel, omr_target_path(reader, target));
  else
    omr_text_print(&text, "%s", path);
  variation->path = text.data;
  variation->column = column_name(reader, variation);
  if (text.failed || !variation->column) return omr_fail_memory(reader);

  OMR_TRY(require_unrepeated(reader, item));
  return omr_check_variation(reader, item, variation);
}
