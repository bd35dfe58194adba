#include "../model/small.h"
#include "parse.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const omr_parameter *omr_target_parameter(omr_target target) {
  return target.per_wheel ? &omr_wheel_parameters[target.index]
                          : &omr_vehicle_parameters[target.index];
}

int omr_target_first(omr_target target) {
  return target.wheel < 0 ? 0 : target.wheel;
}

int omr_target_end(const omr_reader *reader, omr_target target) {
  return target.wheel < 0 ? reader->study->wheels : target.wheel + 1;
}

/* Kind of drive that the target's parameter works on: of the first wheel that uses it, else of the
 * first wheel. */
static omr_drive target_drive(const omr_reader *reader, omr_target target) {
  for (int wheel = omr_target_first(target); wheel < omr_target_end(reader, target); wheel++)
    if (omr_kind_uses(&omr_drive_kinds[reader->study->drive[wheel]], target.index))
      return reader->study->drive[wheel];
  return reader->study->drive[omr_target_first(target)];
}

const char *omr_target_unit(const omr_reader *reader, omr_target target) {
  if (target.per_wheel && target.index == OMR_WP_TORQUE &&
      target_drive(reader, target) == OMR_DRIVE_TABLE)
    return "1";
  return omr_target_parameter(target)->unit;
}

omr_status omr_read_target(omr_reader *reader, const cJSON *item, omr_target target,
                           const char *unit, double *value) {
  static const char *const trackings[] = {"explicit", "implicit", "general",
                                          "general_differential"};
  if (target.per_wheel || target.index != OMR_VP_TRACKING || cJSON_IsNumber(item))
    return omr_json_quantity(&reader->json, item, unit, value, reader->error);
  int word = 0;
  OMR_TRY(omr_read_word(reader, item, trackings, sizeof trackings / sizeof *trackings, &word));
  *value = word;
  return OMR_OK;
}

/* "a", "b" and "c" of what a kind of drive or command uses. */
static void print_uses(omr_text *text, const omr_kind *kind, const omr_parameter *list) {
  for (const int *used = kind->uses; *used >= 0; used++)
    omr_text_print(text, "%s\"%s\"", used == kind->uses ? "" : ", ",
                   strrchr(list[*used].path, '.') + 1);
}

omr_status omr_fail_unused(omr_reader *reader, const cJSON *item, const char *what,
                           const omr_kind *kind, const char *key) {
  const omr_parameter *list =
      strcmp(what, "drive") == 0 ? omr_wheel_parameters : omr_vehicle_parameters;
  omr_text uses = {0};
  print_uses(&uses, kind, list);
  omr_status status;
  if (strcmp(kind->name, "none") == 0)
    status =
        omr_json_fail(&reader->json, item, reader->error,
                      "no %s here uses \"%s\"; give the %s a \"type\" that does", what, key, what);
  else if (strcmp(kind->name, "table") == 0 && !uses.data)
    status = omr_json_fail(
        &reader->json, item, reader->error,
        "a %s of type table takes its values from \"table\" and does not use \"%s\"", what, key);
  else
    status = omr_json_fail(&reader->json, item, reader->error,
                           "a %s of type %s does not use \"%s\"; it uses %s", what, kind->name, key,
                           uses.data ? uses.data : "nothing");
  omr_text_free(&uses);
  return status;
}

static omr_status require_layout(omr_reader *reader, const cJSON *item, const char *path,
                                 omr_layout needed) {
  const omr_layout layout = reader->study->layout;
  if (layout == needed) return OMR_OK;
  return omr_json_fail(&reader->json, item, reader->error,
                       "\"%s\" belongs to the layout of type %s; here it is %s", path,
                       omr_layout_names[needed], omr_layout_names[layout]);
}

static omr_status require_usable_in_vehicle(omr_reader *reader, const cJSON *item, int index) {
  const char *path = omr_vehicle_parameters[index].path;
  switch (index) {
  case OMR_VP_LAYOUT_RADIUS:
  case OMR_VP_LAYOUT_FIRST_ANGLE: return require_layout(reader, item, path, OMR_LAYOUT_RING);
  case OMR_VP_LAYOUT_HALF_LENGTH:
  case OMR_VP_LAYOUT_HALF_WIDTH: return require_layout(reader, item, path, OMR_LAYOUT_RECTANGLE);
  case OMR_VP_TRACKING:
    if (reader->study->law == OMR_LAW_CLASSICAL)
      return omr_json_fail(&reader->json, item, reader->error,
                           "the law %s has no contact to track: its wheels touch the floor "
                           "straight below their centres",
                           omr_law_kinds[OMR_LAW_CLASSICAL].name);
    break;
  default: break;
  }
  if (index == OMR_VP_INITIAL_HEIGHT || index == OMR_VP_INITIAL_HEAVE_RATE)
    return omr_require_usable_on_disc(reader, item, (omr_target){false, index, -1});
  if (omr_is_ground_parameter(index)) return omr_require_usable_ground(reader, item, index);
  const omr_kind *command = &omr_command_kinds[reader->study->command];
  if (omr_is_command_parameter(index) && !omr_kind_uses(command, index))
    return omr_fail_unused(reader, item, "command", command, strrchr(path, '.') + 1);
  return OMR_OK;
}

static omr_status require_usable_drive(omr_reader *reader, const cJSON *item, omr_target target) {
  int factors = 0, users = 0;
  for (int wheel = omr_target_first(target); wheel < omr_target_end(reader, target); wheel++) {
    const omr_drive drive = reader->study->drive[wheel];
    if (!omr_kind_uses(&omr_drive_kinds[drive], target.index)) continue;
    users++;
    factors += drive == OMR_DRIVE_TABLE;
  }
  if (users == 0)
    return omr_fail_unused(reader, item, "drive", &omr_drive_kinds[target_drive(reader, target)],
                           strrchr(omr_target_parameter(target)->path, '.') + 1);
  if (factors > 0 && factors < users)
    return omr_json_fail(&reader->json, item, reader->error,
                         "\"torque\" is a factor for the wheels with a table and a torque for the "
                         "others; give it in \"wheels\"");
  return OMR_OK;
}

static omr_status require_usable_on_wheel(omr_reader *reader, const cJSON *item,
                                          omr_target target) {
  const bool position =
      target.index == OMR_WP_X || target.index == OMR_WP_Z || target.index == OMR_WP_AXIS_ANGLE;
  if (position && omr_has_platform(reader->study->model))
    return require_layout(reader, item, omr_wheel_parameters[target.index].path,
                          OMR_LAYOUT_EXPLICIT);
  if (omr_is_drive_parameter(target.index)) return require_usable_drive(reader, item, target);
  return omr_require_usable_on_disc(reader, item, target);
}

omr_status omr_require_usable(omr_reader *reader, const cJSON *item, omr_target target) {
  const omr_parameter *parameter = omr_target_parameter(target);
  const omr_model model = reader->study->model;
  const bool small = omr_small_model_of(model) != NULL;
  if (!omr_parameter_belongs(parameter, model) || (small && target.per_wheel)) {
    char models[128];
    omr_parameter_models(parameter, models, sizeof models);
    return omr_json_fail(&reader->json, item, reader->error,
                         "\"%s\" is a parameter of %s; the model of this study is %s",
                         parameter->path, models, omr_model_names[model]);
  }
  if (small) return omr_require_used(reader, item, target.index);
  return target.per_wheel ? require_usable_on_wheel(reader, item, target)
                          : require_usable_in_vehicle(reader, item, target.index);
}

static void print_bounds(char *text, size_t size, const omr_parameter *parameter) {
  const char *above = parameter->flags & OMR_P_OPEN_LOW ? "above" : "at least";
  if (isinf(parameter->high))
    snprintf(text, size, "%s %.9g", above, parameter->low);
  else
    snprintf(text, size, "%s %.9g and at most %.9g", above, parameter->low, parameter->high);
}

omr_status omr_require_bounds(omr_reader *reader, const cJSON *item, omr_target target,
                              double value) {
  const omr_parameter *parameter = omr_target_parameter(target);
  const char *path = parameter->path, *unit = omr_target_unit(reader, target);
  const bool pure = strcmp(unit, "1") == 0;
  char bounds[96];
  print_bounds(bounds, sizeof bounds, parameter);
  if (!(value >= parameter->low && value <= parameter->high) ||
      (parameter->flags & OMR_P_OPEN_LOW && value == parameter->low))
    return omr_json_fail(&reader->json, item, reader->error, "%s is %.9g%s%s; it must be %s", path,
                         value, pure ? "" : " ", pure ? "" : unit, bounds);
  if (parameter->flags & OMR_P_INTEGER && value != rint(value))
    return omr_json_fail(&reader->json, item, reader->error,
                         "%s is %.9g; it must be a whole number, %s", path, value, bounds);
  if (target.per_wheel && target.index == OMR_WP_GEAR_RATIO && value == 0)
    return omr_json_fail(&reader->json, item, reader->error,
                         "%s must not be 0; 1 is a motor without gear", path);
  return OMR_OK;
}

/* Length of "wheel." or "wheels[i]." at the start of path, with *wheel -1 or i; 0 where it is
 * neither. */
static size_t wheel_prefix(const char *path, int *wheel) {
  *wheel = -1;
  if (strncmp(path, "wheel.", 6) == 0) return 6;
  if (strncmp(path, "wheels[", 7) != 0 || !isdigit((unsigned char)path[7])) return 0;
  char *end;
  const long number = strtol(path + 7, &end, 10);
  if (end[0] != ']' || end[1] != '.') return 0;
  *wheel = number < OMR_MAX_WHEELS ? (int)number : OMR_MAX_WHEELS;
  return (size_t)(end + 2 - path);
}

/* Models may give the same path to parameters of their own: that of the study's model goes first.
 */
static int find_parameter(const omr_reader *reader, const omr_parameter *list, int count,
                          const char *path) {
  int found = -1;
  for (int i = 0; i < count; i++) {
    if (strcmp(list[i].path, path) != 0) continue;
    if (omr_parameter_belongs(&list[i], reader->study->model)) return i;
    found = i;
  }
  return found;
}

static omr_status fail_unknown(omr_reader *reader, const cJSON *item, const char *path) {
  int wheel;
  const size_t prefix = wheel_prefix(path, &wheel);
  const char *names[OMR_VP_COUNT + OMR_WP_COUNT];
  char shared[OMR_WP_COUNT][48];
  for (int i = 0; i < OMR_VP_COUNT; i++) { /* the name of another model is no help */
    const bool known = omr_parameter_belongs(&omr_vehicle_parameters[i], reader->study->model);
    names[i] = known ? omr_vehicle_parameters[i].path : "";
  }
  for (int i = 0; i < OMR_WP_COUNT; i++) {
    snprintf(shared[i], sizeof shared[i], "wheel.%s", omr_wheel_parameters[i].path);
    names[OMR_VP_COUNT + i] = prefix ? omr_wheel_parameters[i].path : shared[i];
  }
  const char *near = prefix ? omr_nearest(path + prefix, names + OMR_VP_COUNT, OMR_WP_COUNT)
                            : omr_nearest(path, names, OMR_VP_COUNT + OMR_WP_COUNT);
  if (near)
    return omr_json_fail(&reader->json, item, reader->error,
                         "unknown parameter \"%s\"; did you mean \"%.*s%s\"?", path, (int)prefix,
                         path, near);
  return omr_json_fail(
      &reader->json, item, reader->error,
      "unknown parameter \"%s\"; expected a path such as \"platform.mass\", \"wheel.friction\" or "
      "\"wheels[0].radius\" (`omniroll describe` lists them all)",
      path);
}

omr_status omr_find_target(omr_reader *reader, const cJSON *item, const char *path,
                           omr_target *target) {
  if (strncmp(path, "parameters.", 11) == 0)
    return omr_json_fail(&reader->json, item, reader->error,
                         "paths start below \"parameters\": write \"%s\"", path + 11);
  const size_t prefix = wheel_prefix(path, &target->wheel);
  target->per_wheel = prefix > 0;
  target->index = prefix ? find_parameter(reader, omr_wheel_parameters, OMR_WP_COUNT, path + prefix)
                         : find_parameter(reader, omr_vehicle_parameters, OMR_VP_COUNT, path);
  if (target->index < 0) return fail_unknown(reader, item, path);
  if (omr_small_model_of(reader->study->model)) return omr_require_usable(reader, item, *target);
  if (target->wheel >= reader->study->wheels)
    return omr_json_fail(&reader->json, item, reader->error,
                         "there is no such wheel: the study has %d, counted from 0",
                         reader->study->wheels);
  return omr_require_usable(reader, item, *target);
}
