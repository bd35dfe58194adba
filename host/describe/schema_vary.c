/* Section "vary" in the schema of study files: paths, and the values of each distribution. */
#include "../lists/kinds.h"
#include "../study/designs/distributions.h"
#include "../study/grammar/reader.h"
#include "schema.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The parameters of a model, the wheels' after the others. */
static const omr_parameter *parameter_at(omr_model model, int index) {
  const omr_parameter *parameter = index < OMR_VP_COUNT
                                       ? &omr_vehicle_parameters[index]
                                       : &omr_wheel_parameters[index - OMR_VP_COUNT];
  if (index >= OMR_VP_COUNT && omr_small_list_of(model)) return NULL;
  return omr_parameter_belongs(parameter, model) ? parameter : NULL;
}
enum { PARAMETERS = OMR_VP_COUNT + OMR_WP_COUNT };

static const char *name_in(omr_frame_kind frame, omr_model model, int index) {
  const bool per_wheel = index >= OMR_VP_COUNT;
  if (!parameter_at(model, index)) return NULL;
  return omr_schema_name_in(frame, model, per_wheel, per_wheel ? index - OMR_VP_COUNT : index);
}

cJSON *omr_schema_paths(omr_model model) {
  if (omr_model_is_own(model)) return omr_schema_own_name();
  cJSON *part = cJSON_CreateObject(), *any = omr_tree_list(part, "anyOf"),
        *words = omr_tree_row(any);
  omr_text pattern = {0};

  /* Each path is a word; wheels by number share one pattern. */
  for (int k = 0; k < PARAMETERS * OMR_FRAMES; k++) {
    const int i = k / OMR_FRAMES;
    const char *name = name_in((omr_frame_kind)(k % OMR_FRAMES), model, i);
    char path[OMR_SCHEMA_PATH];
    if (!name) continue;
    snprintf(path, sizeof path, "%s%s", i < OMR_VP_COUNT ? "" : "wheel.", name);
    omr_schema_word(words, path, NULL);
    if (i >= OMR_VP_COUNT)
      omr_text_print(&pattern, "%s%s", pattern.length ? "|" : "^wheels\\[0*[0-7]\\]\\.(", name);
  }

  /* The pattern is closed where it has any names. */
  if (pattern.length || pattern.failed) {
    omr_text_print(&pattern, ")$");
    omr_tree_add(omr_tree_row(any), "pattern",
                 pattern.failed ? NULL : cJSON_CreateString(pattern.data));
  }
  omr_text_free(&pattern);
  return part;
}

/* A list of given parts. */
static cJSON *list_of(const char *arguments, cJSON *(*part)(char, cJSON *, const omr_parameter *),
                      cJSON *defs, const omr_parameter *like) {
  const int count = (int)strlen(arguments);
  cJSON *list = omr_schema_make("{'type': 'array', 'minItems': %d, 'maxItems': %d}", count, count);
  cJSON *items = omr_tree_list(list, "prefixItems");
  for (const char *kind = arguments; *kind; kind++) omr_tree_append(items, part(*kind, defs, like));
  return list;
}

/* The name below "$defs" for values of parameters of a unit, bounds and kind. */
static void name_values(char *name, size_t size, const char *first, const omr_parameter *p) {
  char text[OMR_SCHEMA_PATH];
  const char *from = p->flags & OMR_P_OPEN_LOW ? "above" : "from";
  snprintf(text, sizeof text, "%s", strcmp(p->unit, "1") == 0 ? "pure" : p->unit);
  if (isfinite(p->low)) omr_print_more(text, sizeof text, "_%s_%.3g", from, p->low);
  if (isfinite(p->high)) omr_print_more(text, sizeof text, "_to_%.3g", p->high);
  if (p->flags & OMR_P_INTEGER) omr_print_more(text, sizeof text, "_whole");
  omr_schema_name(name, size, first, text);
}

static cJSON *value_of(cJSON *defs, const omr_parameter *like) {
  char name[2 * OMR_SCHEMA_PATH];
  name_values(name, sizeof name, "value", like);
  if (!cJSON_GetObjectItemCaseSensitive(defs, name)) {
    cJSON *part = omr_schema_parameter(defs, like);
    cJSON_DeleteItemFromObject(part, "description"); /* of the first one */
    omr_tree_add(defs, name, part);
  }
  return omr_schema_refer(name);
}

/* By the letters of distributions.def, and n: how many. */
static cJSON *argument(char kind, cJSON *defs, const omr_parameter *like) {
  if (kind == 'n') return omr_schema_make("{'type': 'integer', 'minimum': 2, 'maximum': 16777216}");
  if (kind == 'l') return value_of(defs, like);
  cJSON *part = omr_schema_quantity(defs, kind == 'p' ? "1" : like->unit);
  if (kind == 's') omr_tree_number(part, "minimum", 0);
  if (kind == 'p') omr_tree_number(part, "exclusiveMinimum", 0);
  return part;
}

static cJSON *values_of(omr_draw draw, cJSON *defs, const omr_parameter *like) {
  cJSON *list = NULL;
  switch (draw) {
  case OMR_DRAW_VALUES:
    list = omr_schema_make("{'type': 'array', 'minItems': 1}");
    omr_tree_add(list, "items", argument('l', defs, like));
    return list;
  case OMR_DRAW_DISCRETE:
    list = omr_schema_make("{'type': 'array', 'minItems': 1}");
    omr_tree_add(list, "items", list_of("lp", argument, defs, like));
    return list;
  case OMR_DRAW_LINSPACE: return list_of("lln", argument, defs, like);
  default: return list_of(omr_draw_kinds[draw].arguments, argument, defs, like);
  }
}

static void add_distributions(cJSON *part, cJSON *defs, const omr_parameter *like) {
  cJSON *one = omr_tree_list(part, "oneOf");
  for (int draw = 0; draw < OMR_DRAWS; draw++) {
    if (!omr_is_random((omr_draw)draw)) continue;
    cJSON *member = like ? values_of((omr_draw)draw, defs, like)
                         : omr_schema_make("{'type': 'array', 'minItems': 1}");
    omr_schema_describe(member, omr_draw_kinds[draw].form, "", "");
    omr_schema_member(part, omr_draw_kinds[draw].name, member);
    omr_schema_require(omr_tree_row(one), omr_draw_kinds[draw].name);
  }
}

cJSON *omr_schema_unknown(cJSON *defs, const char *unit) {
  const omr_parameter like = {.unit = unit,
                              .standard = OMR_UNSET,
                              .low = -(double)INFINITY,
                              .high = (double)INFINITY,
                              .meaning = ""};
  cJSON *part = omr_schema_object();
  add_distributions(part, defs, unit ? &like : NULL);
  omr_schema_keys(part, defs, OMR_SECTION_DATA_UNKNOWN, NULL);
  return part;
}

static void add_draws(cJSON *defs, const char *name, const omr_parameter *like) {
  omr_parameter plain = *like;
  cJSON *part = omr_tree_object(defs, name), *properties = omr_tree_object(part, "properties");
  plain.standard = OMR_UNSET; /* others of these bounds have other defaults */
  for (int draw = 0; draw < OMR_DRAWS; draw++) {
    const bool whole = plain.flags & OMR_P_INTEGER;
    if (whole && omr_is_random((omr_draw)draw) && draw != OMR_DRAW_INTEGER &&
        draw != OMR_DRAW_DISCRETE)
      omr_tree_bool(properties, omr_draw_kinds[draw].name, false);
    else
      omr_tree_add(properties, omr_draw_kinds[draw].name, values_of((omr_draw)draw, defs, &plain));
  }
}

/* A parameter of the model that draws by this name; the factor of a drive's table is a pure number,
 * and tracking is a word, so that these are left out. */
static bool draws_by(omr_model model, int index, const char *name) {
  const omr_parameter *parameter = parameter_at(model, index);
  char own[2 * OMR_SCHEMA_PATH];
  if (!parameter || (index >= OMR_VP_COUNT && omr_is_drive_amount(index - OMR_VP_COUNT)) ||
      index == OMR_VP_TRACKING)
    return false;
  name_values(own, sizeof own, "draws", parameter);
  return !name || strcmp(own, name) == 0;
}

/* The paths of all that draw by this name, as a pattern. */
static void print_paths(omr_text *text, omr_model model, const char *name) {
  for (int of_wheel = 0; of_wheel < 2; of_wheel++) {
    const int first = of_wheel ? OMR_VP_COUNT : 0, end = of_wheel ? PARAMETERS : OMR_VP_COUNT;
    int count = 0;
    for (int k = first * OMR_FRAMES; k < end * OMR_FRAMES; k++) {
      const int i = k / OMR_FRAMES;
      const char *path = name_in((omr_frame_kind)(k % OMR_FRAMES), model, i);
      if (!path || !draws_by(model, i, name)) continue;
      if (count++ == 0)
        omr_text_print(text, "%s^%s(", text->length ? "|" : "",
                       of_wheel ? "wheel(s\\[[0-9]+\\])?\\." : "");
      omr_text_print(text, "%s%s", count > 1 ? "|" : "", path);
    }
    if (count) omr_text_print(text, ")$");
  }
}

/* The draws for parameters of a unit, bounds and kind: a rule for all of them. */
static void add_rules(cJSON *part, cJSON *defs, omr_model model) {
  if (omr_model_is_own(model)) return; /* of any unit */
  cJSON *rules = omr_tree_list(part, "allOf");
  for (int i = 0; i < PARAMETERS; i++) {
    char name[2 * OMR_SCHEMA_PATH], target[3 * OMR_SCHEMA_PATH];
    bool before = false;

    /* Parameters with the same draws share a rule, made at the first of them. */
    if (!draws_by(model, i, NULL)) continue;
    name_values(name, sizeof name, "draws", parameter_at(model, i));
    for (int k = 0; k < i && !before; k++) before = draws_by(model, k, name);
    if (before) continue;
    if (!cJSON_GetObjectItemCaseSensitive(defs, name))
      add_draws(defs, name, parameter_at(model, i));

    /* The rule: an entry with one of these paths takes these draws. */
    omr_text paths = {0};
    print_paths(&paths, model, name);
    cJSON *rule = omr_tree_row(rules), *condition = omr_tree_object(rule, "if"),
          *path = omr_tree_object(omr_tree_object(condition, "properties"), "path");
    omr_tree_add(path, "pattern", paths.failed ? NULL : cJSON_CreateString(paths.data));
    omr_schema_require(condition, "path");
    snprintf(target, sizeof target, "#/$defs/%s", name);
    omr_tree_text(omr_tree_object(rule, "then"), "$ref", target);
    omr_text_free(&paths);
  }
}

cJSON *omr_schema_entry(cJSON *defs, omr_model model) {
  char name[OMR_SCHEMA_PATH], target[2 * OMR_SCHEMA_PATH];
  cJSON *part = omr_schema_object(), *one = omr_tree_list(part, "oneOf");
  omr_schema_keys(part, defs, OMR_SECTION_VARY, NULL);

  /* Exactly one way to draw belongs to an entry. */
  for (int draw = 0; draw < OMR_DRAWS; draw++) {
    char text[OMR_SCHEMA_TEXT];
    cJSON *member = omr_schema_make("{'type': 'array'}");
    snprintf(text, sizeof text, "%s: %s", omr_draw_kinds[draw].form, omr_draw_kinds[draw].meaning);
    omr_tree_text(member, "description", text);
    omr_schema_member(part, omr_draw_kinds[draw].name, member);
    omr_schema_require(omr_tree_row(one), omr_draw_kinds[draw].name);
  }

  /* The path is one of the model's paths. */
  omr_schema_name(name, sizeof name, "path", omr_model_names[model]);
  snprintf(target, sizeof target, "#/$defs/%s", name);
  omr_tree_text(omr_schema_get(part, "path"), "$ref", target);
  add_rules(part, defs, model);
  return part;
}
