#include "targets.h"

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
omr_drive omr_target_drive(const omr_reader *reader, omr_target target) {
  for (int wheel = omr_target_first(target); wheel < omr_target_end(reader, target); wheel++)
    if (omr_kind_uses(&omr_drive_kinds[reader->study->drives.law[wheel]], target.index))
      return reader->study->drives.law[wheel];
  return reader->study->drives.law[omr_target_first(target)];
}

/* Whether the target is the factor of a drive's table. */
static bool is_factor(const omr_reader *reader, omr_target target) {
  if (!target.per_wheel || !omr_is_drive_amount(target.index)) return false;
  const bool shared = target.wheel < 0 && reader->shared_drive_typed;
  return (shared ? reader->shared_drive : omr_target_drive(reader, target)) == OMR_DRIVE_TABLE;
}

const char *omr_target_unit(const omr_reader *reader, omr_target target) {
  if (target.per_wheel && omr_is_drive_amount(target.index) &&
      omr_target_drive(reader, target) == OMR_DRIVE_TABLE)
    return "1";
  return omr_study_parameter(reader->study, target.per_wheel, target.index).unit;
}

const char *omr_target_path(const omr_reader *reader, omr_target target) {
  return omr_study_path(reader->study, target.per_wheel, target.index);
}

omr_framing omr_target_turn(const omr_reader *reader, omr_target target, const char *unit) {
  const bool factor =
      target.per_wheel && omr_is_drive_amount(target.index) &&
      (target.index == OMR_WP_DUTY ? is_factor(reader, target) : strcmp(unit, "1") == 0);
  if (factor) return (omr_framing){OMR_TURN_LISTED, NULL, NULL};
  return omr_parameter_turn(reader->study->frame, target.per_wheel, target.index);
}

bool omr_in_per_cent(omr_target target, const cJSON *item) {
  const char *text = cJSON_GetStringValue(item);
  return text && strchr(text, '%') && omr_target_parameter(target)->flags & OMR_P_SLOPE;
}

omr_status omr_read_target(omr_reader *reader, const cJSON *item, omr_target target,
                           const char *unit, double *value) {
  if (omr_in_per_cent(target, item)) {
    OMR_TRY(omr_read_quantity(reader, item, "1", value));
    *value = atan(*value);
    return OMR_OK;
  }
  if (target.per_wheel || target.index != OMR_VP_TRACKING || cJSON_IsNumber(item))
    return omr_read_quantity(reader, item, unit, value);
  int word = 0;
  OMR_TRY(omr_read_word(reader, item, omr_tracking_names, OMR_TRACKING_KINDS, &word));
  *value = word;
  return OMR_OK;
}

/* The parameters that a kind of drive or command uses, as "a", "b" and "c". */
static void print_uses(omr_text *text, const omr_reader *reader, const omr_kind *kind,
                       bool per_wheel) {
  for (const int *used = kind->uses; *used >= 0; used++)
    omr_text_print(text, "%s\"%s\"", used == kind->uses ? "" : ", ",
                   strchr(omr_target_path(reader, (omr_target){per_wheel, *used, -1}), '.') + 1);
}

omr_status omr_fail_unused(omr_reader *reader, const cJSON *item, const char *what,
                           const omr_kind *kind, const char *key) {
  omr_text uses = {0};
  const char *article = strchr("aeiou", *what) ? "an" : "a";
  print_uses(&uses, reader, kind, strcmp(what, "drive") == 0);
  omr_status status;
  if (strcmp(kind->name, "none") == 0)
    status = OMR_REFUSE(reader, item, "no %s here uses \"%s\"; give the %s a \"type\" that does",
                        what, key, what);
  else if (strcmp(kind->name, "table") == 0 && !uses.data)
    status = OMR_REFUSE(
        reader, item, "%s %s of type table takes its values from \"table\" and does not use \"%s\"",
        article, what, key);
  else
    status = OMR_REFUSE(reader, item, "%s %s of type %s does not use \"%s\"; it uses %s", article,
                        what, kind->name, key, uses.data ? uses.data : "nothing");
  omr_text_free(&uses);
  return status;
}

static const double degree = PI / 180;

static bool is_angle(const char *unit) {
  return strcmp(unit, "rad") == 0;
}

static bool within(const omr_parameter *parameter, double value) {
  return value >= parameter->low && value <= parameter->high &&
         !(parameter->flags & OMR_P_OPEN_LOW && value == parameter->low);
}

/* Bounds of angles in degrees, too, in which people think. */
static void print_bounds(char *text, size_t size, const omr_parameter *parameter) {
  const char *above = parameter->flags & OMR_P_OPEN_LOW ? "above" : "at least";
  snprintf(text, size, "%s %.9g", above, parameter->low);
  if (isinf(parameter->high)) return;
  omr_print_more(text, size, " and at most %.9g", parameter->high);
  if (is_angle(parameter->unit))
    omr_print_more(text, size, " (%.6g deg to %.6g deg)", parameter->low / degree,
                   parameter->high / degree);
}

#define LEAST_PER_CENT 2 /* nobody who writes 1.2 means 1.2 % */

/* A number without a unit that would do in degrees, in per cent or without its sign. */
static void print_meant(char *text, size_t size, const cJSON *item, const omr_parameter *parameter,
                        const char *unit, double value) {
  text[0] = '\0';
  if (!cJSON_IsNumber(item)) return;
  if (value < 0 && within(parameter, -value))
    snprintf(text, size, "; did you mean %.9g?", -value);
  else if (is_angle(unit) && within(parameter, value * degree))
    snprintf(text, size, "; did you mean \"%.9g deg\"?", value);
  else if (strcmp(unit, "1") == 0 && value >= LEAST_PER_CENT &&
           !(parameter->flags & OMR_P_INTEGER) && within(parameter, value / 100))
    snprintf(text, size, "; did you mean \"%.9g %%\"?", value);
}

omr_status omr_require_bounds(omr_reader *reader, const cJSON *item, omr_target target,
                              double value) {
  const omr_parameter *parameter = omr_target_parameter(target);
  const char *path = omr_target_path(reader, target), *unit = omr_target_unit(reader, target);
  const bool pure = strcmp(unit, "1") == 0;
  char bounds[160], meant[64];

  /* The message says the bounds, and which value was probably meant. */
  print_bounds(bounds, sizeof bounds, parameter);
  print_meant(meant, sizeof meant, item, parameter, unit, value);
  if (!within(parameter, value))
    return OMR_MISTAKEN(
        reader, item, OMR_MISTAKE_RANGE, "%s is %.*g%s%s; it must be %s%s", path,
        omr_digits_apart(value, value > parameter->high ? parameter->high : parameter->low, 9),
        value, pure ? "" : " ", pure ? "" : unit, bounds, meant);

  /* Some parameters are whole numbers, and a gear ratio has a hole in its range. */
  if (parameter->flags & OMR_P_INTEGER && value != rint(value))
    return OMR_MISTAKEN(reader, item, OMR_MISTAKE_RANGE,
                        "%s is %.*g; it must be a whole number, %s", path,
                        omr_digits_apart(value, rint(value), 9), value, bounds);
  if (target.per_wheel && target.index == OMR_WP_GEAR_RATIO && value == 0)
    return OMR_MISTAKEN(reader, item, OMR_MISTAKE_RANGE,
                        "%s must not be 0; 1 is a motor without gear", path);
  return OMR_OK;
}
