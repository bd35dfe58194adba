#include "parse.h"

#include <stdlib.h>
#include <string.h>

static const char *const draw_names[] = {
    [OMR_DRAW_VALUES] = "values", [OMR_DRAW_LINSPACE] = "linspace", [OMR_DRAW_UNIFORM] = "uniform", [OMR_DRAW_NORMAL] = "normal"};
enum { DRAWS = sizeof draw_names / sizeof *draw_names, MAX_LEVELS = 1 << 24 };

static omr_target target_of(const omr_variation *variation) {
  return (omr_target){variation->per_wheel, variation->index, variation->wheel};
}

static omr_status read_level(omr_reader *reader, const cJSON *item, const omr_variation *variation, double *value) {
  const omr_target target = target_of(variation);
  OMR_TRY(omr_read_target(reader, item, target, omr_target_unit(reader, target), value));
  return omr_require_bounds(reader, item, target, *value);
}

static omr_status allocate_levels(omr_reader *reader, omr_variation *variation, size_t levels) {
  variation->values = calloc(levels, sizeof *variation->values);
  if (!variation->values) return omr_fail_memory(reader);
  variation->levels = levels;
  return OMR_OK;
}

static omr_status read_values(omr_reader *reader, const cJSON *item, omr_variation *variation) {
  OMR_TRY(omr_require_array(reader, item, 1, "values"));
  OMR_TRY(allocate_levels(reader, variation, (size_t)cJSON_GetArraySize(item)));
  double *value = variation->values;
  const cJSON *level;
  cJSON_ArrayForEach(level, item) OMR_TRY(read_level(reader, level, variation, value++));
  return OMR_OK;
}

static omr_status read_linspace(omr_reader *reader, const cJSON *item, omr_variation *variation) {
  double first, last, count;
  if (!cJSON_IsArray(item) || cJSON_GetArraySize(item) != 3)
    return omr_json_fail(&reader->json, item, reader->error, "expected [first, last, count]");
  OMR_TRY(read_level(reader, item->child, variation, &first));
  OMR_TRY(read_level(reader, item->child->next, variation, &last));
  OMR_TRY(omr_read_whole(reader, item->child->next->next, 2, MAX_LEVELS, &count));
  OMR_TRY(allocate_levels(reader, variation, (size_t)count));
  for (size_t j = 0; j < variation->levels; j++) {
    variation->values[j] = first + (last - first) * (double)j / (count - 1);
    if (j + 1 == variation->levels) variation->values[j] = last;
    OMR_TRY(omr_require_bounds(reader, item, target_of(variation), variation->values[j]));
  }
  return OMR_OK;
}

static omr_status read_random(omr_reader *reader, const cJSON *item, omr_variation *variation) {
  const bool uniform = variation->draw == OMR_DRAW_UNIFORM;
  const omr_target target = target_of(variation);
  if (!cJSON_IsArray(item) || cJSON_GetArraySize(item) != 2)
    return omr_json_fail(&reader->json, item, reader->error, "expected %s",
                         uniform ? "[low, high]" : "[mean, standard deviation]");
  if (omr_target_parameter(target)->flags & OMR_P_INTEGER)
    return omr_json_fail(&reader->json, item, reader->error, "%s is a whole number; list its \"values\" instead",
                         omr_target_parameter(target)->path);
  OMR_TRY(read_level(reader, item->child, variation, &variation->a));
  if (uniform) {
    OMR_TRY(read_level(reader, item->child->next, variation, &variation->b));
    if (!(variation->a < variation->b))
      return omr_json_fail(&reader->json, item, reader->error, "low %.9g is not below high %.9g", variation->a, variation->b);
    return OMR_OK;
  }
  OMR_TRY(omr_json_quantity(&reader->json, item->child->next, omr_target_unit(reader, target), &variation->b, reader->error));
  if (variation->b < 0)
    return omr_json_fail(&reader->json, item->child->next, reader->error, "the standard deviation %.9g is negative",
                         variation->b);
  return OMR_OK;
}

static omr_status read_draw(omr_reader *reader, const cJSON *entry, omr_variation *variation) {
  const cJSON *item = NULL;
  for (int draw = 0; draw < DRAWS; draw++) {
    const cJSON *found = omr_json_get(entry, draw_names[draw]);
    if (found && item)
      return omr_json_fail(&reader->json, found, reader->error, "\"%s\" and \"%s\" are given; one of them decides the values",
                           item->string, found->string);
    if (!found) continue;
    item = found;
    variation->draw = (omr_draw)draw;
  }
  if (!item)
    return omr_json_fail(&reader->json, entry, reader->error,
                         "needs one of \"values\": [...], \"linspace\": [first, last, count], \"uniform\": [low, high], "
                         "\"normal\": [mean, standard deviation]");
  if (variation->draw == OMR_DRAW_VALUES) return read_values(reader, item, variation);
  return variation->draw == OMR_DRAW_LINSPACE ? read_linspace(reader, item, variation) : read_random(reader, item, variation);
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
      return omr_json_fail(&reader->json, item, reader->error, "\"%s\" is varied twice: \"%s\" stands above", last->path,
                           v->path);
  }
  return OMR_OK;
}

/* One variation of the study; wheel -1 for all wheels alike. */
static omr_status add_variation(omr_reader *reader, const cJSON *entry, const cJSON *path, omr_target target, bool each) {
  omr_variation *variation = append(reader->study);
  if (!variation) return omr_fail_memory(reader);
  variation->per_wheel = target.per_wheel;
  variation->index = target.index;
  variation->wheel = target.wheel;
  variation->each_wheel = each;
  variation->alternate = reader->mecanum && target.per_wheel && target.index == OMR_WP_INCLINATION;
  omr_text text = {0};
  if (each)
    omr_text_print(&text, "wheels[%d].%s", target.wheel, omr_target_parameter(target)->path);
  else
    omr_text_print(&text, "%s", path->valuestring);
  variation->path = text.data;
  variation->column = column_name(variation);
  if (text.failed || !variation->column) return omr_fail_memory(reader);
  OMR_TRY(require_unrepeated(reader, path));
  OMR_TRY(omr_check_variation(reader, path, variation));
  return read_draw(reader, entry, variation);
}

/* "each": one variation per wheel, which then draws with its own index. */
static omr_status add_each(omr_reader *reader, const cJSON *entry, const cJSON *path, omr_target target) {
  if (!target.per_wheel || target.wheel >= 0)
    return omr_json_fail(&reader->json, omr_json_get(entry, "each"), reader->error,
                         "\"each\" draws a value per wheel and belongs to paths that start with \"wheel.\"; here it is \"%s\"",
                         path->valuestring);
  for (target.wheel = 0; target.wheel < reader->study->wheels; target.wheel++) {
    if (omr_is_drive_parameter(target.index)) OMR_TRY(omr_require_usable(reader, path, target));
    OMR_TRY(add_variation(reader, entry, path, target, true));
  }
  return OMR_OK;
}

static omr_status read_entry(omr_reader *reader, const cJSON *entry) {
  static const char *const keys[] = {"path", "values", "linspace", "uniform", "normal", "each"};
  const cJSON *path;
  bool each = false;
  omr_target target;
  if (!cJSON_IsObject(entry))
    return omr_json_fail(&reader->json, entry, reader->error, "expected an object: {\"path\": ..., \"values\": [...]}");
  OMR_TRY(omr_json_check_keys(&reader->json, entry, keys, sizeof keys / sizeof *keys, reader->error));
  OMR_TRY(omr_require(reader, entry, "path", "\"wheel.friction\"", &path));
  if (!cJSON_IsString(path))
    return omr_json_fail(&reader->json, path, reader->error, "expected a path such as \"wheel.friction\"");
  OMR_TRY(omr_find_target(reader, path, path->valuestring, &target));
  OMR_TRY(omr_read_bool(reader, entry, "each", &each));
  return each ? add_each(reader, entry, path, target) : add_variation(reader, entry, path, target, false);
}

omr_status omr_read_variations(omr_reader *reader, const cJSON *root) {
  const cJSON *vary = omr_json_get(root, "vary"), *entry;
  if (!vary) return OMR_OK;
  OMR_TRY(omr_require_array(reader, vary, 0, "varied parameters"));
  cJSON_ArrayForEach(entry, vary) OMR_TRY(read_entry(reader, entry));
  return OMR_OK;
}
