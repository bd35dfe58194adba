#include "parse.h"

#include <limits.h>
#include <math.h>
#include <string.h>

void omr_turn_column(omr_table *table, size_t column, omr_framing turn) {
  for (size_t row = 0; row < table->rows; row++) {
    double *value = &table->value[row * table->columns + column];
    *value = omr_turned(turn, *value);
  }
}

omr_status omr_require_replay(omr_reader *reader, const cJSON *place, const cJSON **item) {
  OMR_TRY(omr_require(reader, place, "replay", "{\"file\": \"run.csv\"}", item));
  return omr_read_object(reader, place, "replay", item);
}

static omr_status read_type(omr_reader *reader, const cJSON *drive, bool *given, omr_drive *type) {
  const cJSON *item = omr_json_get(drive, "type");
  double choice;
  *given = item != NULL;
  if (!item) return OMR_OK;
  OMR_TRY(
      omr_read_value(reader, item, omr_find_key(OMR_SECTION_WORDS, "wheel.drive.type"), &choice));
  *type = (omr_drive)choice;
  if (!omr_follows_command(*type)) return OMR_OK;
  if (reader->study->model == OMR_MODEL_WHEEL)
    return OMR_REFUSE(reader, item,
                      "a drive of type %s follows the command of an omni_vehicle; an omni_wheel "
                      "can hold a \"speed\"",
                      omr_drive_kinds[*type].name);
  if (reader->study->command.kind == OMR_COMMAND_NONE)
    return OMR_REFUSE(reader, item,
                      "a drive of type %s needs a command to follow: \"command\": {\"type\": "
                      "\"constant\", \"vx\": ...} in parameters",
                      omr_drive_kinds[*type].name);
  return OMR_OK;
}

/* The table of a wheel of type table: its own, else the shared one. */
static omr_status read_drive_table(omr_reader *reader, int wheel, const cJSON *own,
                                   const cJSON *shared) {
  const int amount = omr_drive_amount(reader->study, wheel);
  const char *const units[] = {"s", omr_wheel_parameters[amount].unit};
  const cJSON *place = own ? own : shared, *item = omr_json_get(own, "table");
  const omr_drive drive = reader->study->drives.law[wheel];

  /* A wheel without a table of its own takes the shared one. */
  if (item && drive != OMR_DRIVE_TABLE)
    return omr_fail_unused(reader, item, "drive", &omr_drive_kinds[drive], "table");
  if (drive != OMR_DRIVE_TABLE) return OMR_OK;
  if (!item && shared && (!reader->shared_drive_typed || reader->shared_drive == OMR_DRIVE_TABLE))
    item = omr_json_get(shared, "table");
  if (!item)
    OMR_TRY(
        omr_require(reader, place, "table", "[[0, 0], [1, \"0.3 N m\"]] (time, torque)", &item));

  /* The amounts are turned into the engine's frame. */
  omr_table *table = &reader->study->drives.table[wheel];
  table->columns = 1;
  OMR_TRY(omr_read_table(reader, item, units, table));
  omr_turn_column(table, 0, omr_parameter_turn(reader->study->frame, true, amount));
  return OMR_OK;
}

/* The replay of a wheel: its own object, else the shared one. */
static omr_status read_drive_replay(omr_reader *reader, int wheel, const cJSON *own,
                                    const cJSON *shared) {
  const cJSON *place = own ? own : shared, *item = omr_json_get(own, "replay");
  const omr_drive drive = reader->study->drives.law[wheel];
  if (item && !omr_is_replay(drive))
    return omr_fail_unused(reader, item, "drive", &omr_drive_kinds[drive], "replay");
  if (!omr_is_replay(drive)) return OMR_OK;
  if (!item && shared && (!reader->shared_drive_typed || omr_is_replay(reader->shared_drive)) &&
      omr_json_get(shared, "replay"))
    place = shared;
  OMR_TRY(omr_require_replay(reader, place, &item));
  return omr_read_drive_replay(reader, item, wheel);
}

static bool uses_key(omr_drive drive, const char *key) {
  return strcmp(key, "table") == 0 ? drive == OMR_DRIVE_TABLE : omr_is_replay(drive);
}

/* Fails if no wheel uses the shared table or the shared replay. */
static omr_status check_shared(omr_reader *reader, const cJSON *shared, const char *key) {
  const cJSON *item = shared ? omr_json_get(shared, key) : NULL;
  if (!item) return OMR_OK;
  if (reader->shared_drive_typed)
    return uses_key(reader->shared_drive, key)
               ? OMR_OK
               : omr_fail_unused(reader, item, "drive", &omr_drive_kinds[reader->shared_drive],
                                 key);
  for (int wheel = 0; wheel < reader->study->wheels; wheel++)
    if (uses_key(reader->study->drives.law[wheel], key)) return OMR_OK;
  return omr_fail_unused(reader, item, "drive", &omr_drive_kinds[OMR_DRIVE_NONE], key);
}

omr_status omr_read_drives(omr_reader *reader) {
  const cJSON *shared, *own[OMR_MAX_WHEELS] = {NULL};
  const int wheels = reader->study->wheels;
  OMR_TRY(omr_read_object(reader, reader->shared, "drive", &shared));
  OMR_TRY(read_type(reader, shared, &reader->shared_drive_typed, &reader->shared_drive));

  /* A wheel's own drive replaces the shared one, which casters and tracking wheels do not take. */
  for (int wheel = 0; wheel < wheels; wheel++) {
    bool given;
    const omr_wheel_kind kind = reader->study->kind[wheel];
    const bool alone = kind == OMR_WHEEL_CASTER || kind == OMR_WHEEL_TRACKING;
    reader->study->drives.law[wheel] = alone ? OMR_DRIVE_NONE : reader->shared_drive;
    OMR_TRY(
        omr_read_object(reader, cJSON_GetArrayItem(reader->wheels, wheel), "drive", &own[wheel]));
    OMR_TRY(read_type(reader, own[wheel], &given, &reader->study->drives.law[wheel]));
  }

  /* Motors decide the unit of the amounts, so tables come after them. */
  OMR_TRY(omr_read_motors(reader));
  for (int wheel = 0; wheel < wheels; wheel++) {
    OMR_TRY(read_drive_table(reader, wheel, own[wheel], shared));
    OMR_TRY(read_drive_replay(reader, wheel, own[wheel], shared));
  }

  OMR_TRY(check_shared(reader, shared, "table"));
  return check_shared(reader, shared, "replay");
}

/* Default: 1 ms where steps fit into it, otherwise every step; with controlled steps 1 ms. */
static double default_period(double step) {
  const double period = 1e-3, count = step > 0 ? rint(period / step) : 0;
  if (!(step > 0)) return period;
  return count >= 1 && fabs(period - count * step) <= 1e-9 * period ? period : step;
}

static omr_status read_period(omr_reader *reader, bool controlled) {
  omr_study *study = reader->study;
  const cJSON *item = omr_json_get(reader->parameters, "controller_period");
  study->drives.period = default_period(study->time.step);
  if (!item) return OMR_OK;
  uint64_t steps = 1;
  double period;
  OMR_TRY(omr_read_time(reader, item, &period));
  if (!controlled) return OMR_OK;
  OMR_TRY(omr_require_whole_steps(reader, item, "a controller period", period, &steps));
  if (steps > INT_MAX)
    return OMR_REFUSE(reader, item, "a controller period of %.9g s takes more than %d steps",
                      period, INT_MAX);
  study->drives.period = period;
  return OMR_OK;
}

omr_status omr_check_drives(omr_reader *reader) {
  bool controlled = false;
  for (int wheel = 0; wheel < reader->study->wheels; wheel++) {
    const omr_drive drive = reader->study->drives.law[wheel];
    controlled |= omr_is_controller(drive);
    const int amount = omr_drive_amount(reader->study, wheel);
    if (drive == OMR_DRIVE_TABLE && !reader->wheel_item[wheel][amount])
      reader->study->base.wheel[wheel][amount] = 1;
  }
  return read_period(reader, controlled);
}
