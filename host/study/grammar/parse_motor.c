/* Brushed motors and their supply: which of the parameters belong together. */
#include "parse.h"

#include <math.h>
#include <string.h>

/* The quantity that a parameter of a drive belongs to; OMR_DRIVE_QUANTITIES for any. */
static int quantity_of(int index) {
  switch (index) {
  case OMR_WP_TORQUE:
  case OMR_WP_KP:
  case OMR_WP_KI:
  case OMR_WP_TORQUE_LIMIT: return OMR_BY_TORQUE;
  case OMR_WP_VOLTAGE:
  case OMR_WP_VOLTAGE_KP:
  case OMR_WP_VOLTAGE_KI:
  case OMR_WP_VOLTAGE_LIMIT: return OMR_BY_VOLTAGE;
  case OMR_WP_DUTY:
  case OMR_WP_DUTY_KP:
  case OMR_WP_DUTY_KI: return OMR_BY_DUTY;
  default: return OMR_DRIVE_QUANTITIES;
  }
}

int omr_drive_amount(const omr_study *study, int wheel) {
  static const int amounts[OMR_DRIVE_QUANTITIES] = {[OMR_BY_TORQUE] = OMR_WP_TORQUE,
                                                    [OMR_BY_VOLTAGE] = OMR_WP_VOLTAGE,
                                                    [OMR_BY_DUTY] = OMR_WP_DUTY};
  return amounts[study->drives.by[wheel]];
}

static bool is_motor(const omr_study *study, int wheel) {
  return !isnan(study->base.wheel[wheel][OMR_WP_RESISTANCE]);
}

bool omr_has_motor(const omr_study *study) {
  for (int wheel = 0; wheel < study->wheels; wheel++)
    if (is_motor(study, wheel)) return true;
  return false;
}

/* "drive" of a wheel, NULL where it has none of its own. */
static const cJSON *own_drive(const omr_reader *reader, int wheel) {
  const cJSON *object = cJSON_GetArrayItem(reader->wheels, wheel);
  return omr_json_get(object, "drive");
}

static const cJSON *shared_drive(const omr_reader *reader) {
  return omr_json_get(reader->shared, "drive");
}

/* A word of a wheel's drive: its own one, else the shared one; NULL for neither. */
static const cJSON *word_of(const omr_reader *reader, int wheel, const char *key) {
  const cJSON *own = own_drive(reader, wheel), *shared = shared_drive(reader);
  const cJSON *item = own ? omr_json_get(own, key) : NULL;
  return item || !shared ? item : omr_json_get(shared, key);
}

/* Reads the word by its row; an absent one leaves *choice. */
static omr_status read_word(omr_reader *reader, int wheel, const char *key, double *choice) {
  const cJSON *item = word_of(reader, wheel, key);
  char path[32];
  snprintf(path, sizeof path, "wheel.drive.%s", key);
  return item ? omr_read_value(reader, item, omr_find_key(OMR_SECTION_WORDS, path), choice)
              : OMR_OK;
}

/* A replayed quantity is the quantity of the drive. */
static omr_status read_replayed(omr_reader *reader, int wheel) {
  omr_study *study = reader->study;
  const omr_drive drive = study->drives.law[wheel];
  const cJSON *by = word_of(reader, wheel, "by");
  if (!omr_is_replay(drive)) return OMR_OK;
  const omr_drive_quantity given = study->drives.by[wheel];
  study->drives.by[wheel] = drive == OMR_DRIVE_REPLAY_VOLTAGE ? OMR_BY_VOLTAGE
                            : drive == OMR_DRIVE_REPLAY_DUTY  ? OMR_BY_DUTY
                                                              : OMR_BY_TORQUE;
  if (!by || given == study->drives.by[wheel]) return OMR_OK;
  return OMR_REFUSE(
      reader, by,
      "wheel %d is driven by %s, and a drive of type %s has no other quantity than its name says: "
      "leave \"by\" out, or take the type \"replay_voltage\" or \"replay_duty\"",
      wheel, omr_drive_quantities[given].name, omr_drive_kinds[drive].name);
}

omr_status omr_read_motors(omr_reader *reader) {
  const cJSON *supply;
  for (int wheel = 0; wheel < reader->study->wheels; wheel++) {
    double by = OMR_BY_TORQUE, rest = 0;
    OMR_TRY(read_word(reader, wheel, "by", &by));
    OMR_TRY(read_word(reader, wheel, "at_rest", &rest));
    reader->study->drives.by[wheel] = (omr_drive_quantity)by;
    reader->study->drives.coasts[wheel] = rest == 1;
    OMR_TRY(read_replayed(reader, wheel));
  }
  OMR_TRY(omr_read_object(reader, reader->parameters, "supply", &supply));
  return omr_read_words(reader, supply, "supply.");
}

omr_status omr_require_quantity(omr_reader *reader, const cJSON *item, omr_target target) {
  const int quantity = quantity_of(target.index);
  const omr_study *study = reader->study;
  if (quantity == OMR_DRIVE_QUANTITIES) return OMR_OK;
  for (int wheel = omr_target_first(target); wheel < omr_target_end(reader, target); wheel++)
    if ((int)study->drives.by[wheel] == quantity) return OMR_OK;
  const char *needed = omr_drive_quantities[quantity].name;
  return OMR_REFUSE(reader, item,
                    "\"%s\" is for a drive by %s, and this one is by %s: give \"by\": \"%s\" in "
                    "the drive, or what a drive by %s uses",
                    strrchr(omr_target_path(reader, target), '.') + 1, needed,
                    omr_drive_quantities[study->drives.by[omr_target_first(target)]].name, needed,
                    omr_drive_quantities[study->drives.by[omr_target_first(target)]].name);
}

/* The motor's own values need a motor, and a motor needs both of its constants. */
static omr_status check_constants(omr_reader *reader, int wheel) {
  static const int others[] = {OMR_WP_TORQUE_CONSTANT, OMR_WP_EMF_CONSTANT, OMR_WP_NO_LOAD_CURRENT,
                               OMR_WP_FRICTION_RATE,   OMR_WP_EFFICIENCY,   OMR_WP_BACK_EFFICIENCY,
                               OMR_WP_CURRENT_LIMIT,   OMR_WP_INDUCTANCE};
  const cJSON *const *given = reader->wheel_item[wheel];
  const omr_frame_kind frame = reader->study->frame;

  /* Constants of a brushed motor mean nothing without its resistance. */
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (given[others[i]] && !given[OMR_WP_RESISTANCE])
      return OMR_REFUSE(reader, given[others[i]],
                        "\"%s\" belongs to a brushed motor and needs \"%s\" too",
                        omr_wheel_path(frame, others[i]), omr_wheel_path(frame, OMR_WP_RESISTANCE));

  /* The resistance needs a torque constant and excludes the torque-speed line. */
  if (given[OMR_WP_RESISTANCE] && !given[OMR_WP_TORQUE_CONSTANT])
    return OMR_REFUSE(reader, given[OMR_WP_RESISTANCE], "\"%s\" needs \"%s\" too",
                      omr_wheel_path(frame, OMR_WP_RESISTANCE),
                      omr_wheel_path(frame, OMR_WP_TORQUE_CONSTANT));
  if (given[OMR_WP_RESISTANCE] && given[OMR_WP_STALL_TORQUE])
    return OMR_REFUSE(
        reader, given[OMR_WP_STALL_TORQUE],
        "\"%s\" and \"%s\" are two models of the motor; give the torque-speed line for drives by "
        "torque, or the resistance and torque constant for drives by voltage or duty",
        omr_wheel_path(frame, OMR_WP_STALL_TORQUE), omr_wheel_path(frame, OMR_WP_RESISTANCE));
  return OMR_OK;
}

/* The place that names the quantity of the drive: "by", or the type of a replay. */
static const cJSON *place_of_quantity(const omr_reader *reader, int wheel) {
  const cJSON *by = word_of(reader, wheel, "by");
  return by ? by : word_of(reader, wheel, "type");
}

/* A brushed motor takes a voltage or a duty; without one a drive gives a torque. */
static omr_status check_drive(omr_reader *reader, int wheel) {
  omr_study *study = reader->study;
  const omr_drive drive = study->drives.law[wheel];
  const omr_drive_quantity by = study->drives.by[wheel];
  const char *kind = omr_drive_quantities[by].name;
  const cJSON *rest = word_of(reader, wheel, "at_rest");

  /* A wheel with a brushed motor. */
  if (is_motor(study, wheel)) {
    if (drive == OMR_DRIVE_NONE) study->drives.by[wheel] = OMR_BY_DUTY;
    if (drive == OMR_DRIVE_NONE || by != OMR_BY_TORQUE) return OMR_OK;
    return OMR_REFUSE(reader, reader->wheel_item[wheel][OMR_WP_RESISTANCE],
                      "a motor given by its resistance is driven by voltage or duty, and the drive "
                      "of wheel %d is by torque: give \"by\": \"duty\" in \"drive\", or "
                      "motor.stall_torque and motor.no_load_speed in place of motor.resistance",
                      wheel);
  }

  /* A wheel without one. */
  if (rest)
    return OMR_REFUSE(reader, rest,
                      "\"at_rest\" belongs to a brushed motor, and wheel %d has none: give "
                      "motor.resistance and motor.torque_constant",
                      wheel);
  if (drive == OMR_DRIVE_NONE) study->drives.by[wheel] = OMR_BY_TORQUE;
  if (drive == OMR_DRIVE_NONE || by == OMR_BY_TORQUE) return OMR_OK;
  return OMR_REFUSE(reader, place_of_quantity(reader, wheel),
                    "a drive by %s needs a brushed motor, and wheel %d has none: give "
                    "motor.resistance and motor.torque_constant",
                    kind, wheel);
}

static bool uses_supply(const omr_study *study, int wheel) {
  return study->drives.law[wheel] != OMR_DRIVE_NONE && study->drives.by[wheel] == OMR_BY_DUTY;
}

/* Drives by duty need a supply, and nothing else has use for one. */
static omr_status check_supply(omr_reader *reader) {
  const omr_study *study = reader->study;
  const cJSON *supply = omr_json_get(reader->parameters, "supply");
  const bool given = !isnan(study->base.vehicle[OMR_VP_SUPPLY_VOLTAGE]);
  bool used = false;
  for (int wheel = 0; wheel < study->wheels; wheel++) {
    used = used || uses_supply(study, wheel);
    if (given || !uses_supply(study, wheel)) continue;
    return OMR_REFUSE(
        reader, place_of_quantity(reader, wheel),
        "a drive by duty needs a supply: give \"supply\": {\"voltage\": \"12 V\"} in parameters");
  }
  if (!supply || used) return OMR_OK;
  return OMR_REFUSE(reader, supply,
                    "no drive is by duty, so that nothing uses the supply: give \"by\": \"duty\" "
                    "in a wheel's drive, or leave the supply out");
}

/* A torque or a rate that is replayed asks no motor. */
static omr_status check_replay(omr_reader *reader, int wheel) {
  const omr_study *study = reader->study;
  if (!omr_is_replay(study->drives.law[wheel]) || study->drives.by[wheel] != OMR_BY_TORQUE ||
      !is_motor(study, wheel))
    return OMR_OK;
  return OMR_REFUSE(reader, reader->wheel_item[wheel][OMR_WP_RESISTANCE],
                    "wheel %d replays a torque or a rate, which a brushed motor has no part in: "
                    "leave motor.resistance out for this wheel, or take the drive "
                    "\"replay_voltage\" or \"replay_duty\", which replay what the motor gets",
                    wheel);
}

omr_status omr_check_motors(omr_reader *reader) {
  for (int wheel = 0; wheel < reader->study->wheels; wheel++) {
    OMR_TRY(check_replay(reader, wheel));
    OMR_TRY(check_constants(reader, wheel));
    OMR_TRY(check_drive(reader, wheel));
    const cJSON *by = word_of(reader, wheel, "by");
    if (reader->study->drives.by[wheel] == OMR_BY_VOLTAGE &&
        omr_is_controller(reader->study->drives.law[wheel]) &&
        isnan(reader->study->base.wheel[wheel][OMR_WP_VOLTAGE_LIMIT]))
      return OMR_REFUSE(reader, by,
                        "a controller by voltage has a source of some voltage: give the drive a "
                        "\"voltage_limit\", such as \"12 V\"");
  }
  return check_supply(reader);
}

/* The rosenbrock methods and the pairs of controlled steps know nothing of currents. */
omr_status omr_check_inductance(omr_reader *reader, const cJSON *root) {
  const omr_study *study = reader->study;
  const cJSON *place = NULL;
  for (int wheel = 0; wheel < study->wheels; wheel++)
    if (study->base.wheel[wheel][OMR_WP_INDUCTANCE] > 0)
      place = reader->wheel_item[wheel][OMR_WP_INDUCTANCE];
  for (size_t j = 0; j < study->variation_count; j++)
    if (study->variations[j].per_wheel && study->variations[j].index == OMR_WP_INDUCTANCE)
      place = omr_json_get(root, "vary");
  if (!place || study->engine.backend == OMR_BACKEND_REFERENCE) return OMR_OK;
  if (!omr_controls_steps(study) && study->time.method != OMR_METHOD_ROSENBROCK) return OMR_OK;
  return OMR_REFUSE(
      reader, place,
      "\"motor.inductance\" makes the currents states, which %s does not integrate: give "
      "\"integrator\": {\"method\": \"rk4\", \"step\": ...} with a step below about 2 L/R, or "
      "leave the inductance out, whose current follows its voltage within L/R",
      omr_controls_steps(study) ? "\"tolerance\"" : "\"rosenbrock\"");
}

omr_status omr_check_motor_variation(omr_reader *reader, const cJSON *item,
                                     const omr_variation *variation) {
  const omr_study *study = reader->study;

  /* Of the vehicle's parameters only the supply belongs to motors. */
  if (!variation->per_wheel) {
    const bool supply =
        variation->index == OMR_VP_SUPPLY_VOLTAGE || variation->index == OMR_VP_SUPPLY_RESISTANCE;
    if (!supply || !isnan(study->base.vehicle[OMR_VP_SUPPLY_VOLTAGE])) return OMR_OK;
    return OMR_REFUSE(
        reader, item,
        "there is no supply to vary: give \"supply\": {\"voltage\": \"12 V\"} in parameters");
  }

  /* Each wheel that the variation changes needs a brushed motor. */
  const bool brushed =
      variation->index >= OMR_WP_RESISTANCE && variation->index <= OMR_WP_INDUCTANCE;
  const omr_target target = {true, variation->index, variation->wheel};
  for (int wheel = omr_target_first(target); brushed && wheel < omr_target_end(reader, target);
       wheel++) {
    if (is_motor(study, wheel)) continue;
    return OMR_REFUSE(reader, item,
                      "wheel %d has no brushed motor to vary \"%s\" of: give motor.resistance and "
                      "motor.torque_constant in parameters",
                      wheel, omr_wheel_path(study->frame, variation->index));
  }
  return OMR_OK;
}
