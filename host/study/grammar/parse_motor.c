/* Brushed motors and their supply: the quantity that each drive gives. The rules between their
 * parameters are rows of lists/parameter_rules.def. */
#include "parse.h"
#include "rules.h"

#include <math.h>

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

/* Reads the word by its row; an absent one leaves *choice. */
static omr_status read_word(omr_reader *reader, int wheel, omr_rule_word word, double *choice) {
  const cJSON *item = omr_rule_item(reader, word, wheel);
  char path[32];
  snprintf(path, sizeof path, "wheel.%s", omr_rule_word_path(word));
  return item ? omr_read_value(reader, item, omr_find_key(OMR_SECTION_WORDS, path), choice)
              : OMR_OK;
}

/* A replayed quantity is the quantity of the drive. */
static omr_status read_replayed(omr_reader *reader, int wheel) {
  omr_study *study = reader->study;
  const omr_drive drive = study->drives.law[wheel];
  const cJSON *by = omr_rule_item(reader, OMR_RULE_BY, wheel);
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
    OMR_TRY(read_word(reader, wheel, OMR_RULE_BY, &by));
    OMR_TRY(read_word(reader, wheel, OMR_RULE_AT_REST, &rest));
    reader->study->drives.by[wheel] = (omr_drive_quantity)by;
    reader->study->drives.coasts[wheel] = rest == 1;
    OMR_TRY(read_replayed(reader, wheel));
  }
  OMR_TRY(omr_read_object(reader, reader->parameters, "supply", &supply));
  return omr_read_words(reader, supply, "supply.");
}

omr_status omr_check_motors(omr_reader *reader) {
  omr_study *study = reader->study;

  /* A wheel without a drive has the quantity that keeps its motor, if any, at rest. The motor of a
   * wheel whose rate is constant has no part in the motion. */
  for (int wheel = 0; wheel < study->wheels; wheel++) {
    const omr_drive drive = study->drives.law[wheel];
    if (drive == OMR_DRIVE_NONE)
      study->drives.by[wheel] = is_motor(study, wheel) ? OMR_BY_DUTY : OMR_BY_TORQUE;
    if (drive == OMR_DRIVE_RATE) study->drives.by[wheel] = OMR_BY_TORQUE;
  }

  OMR_TRY(omr_check_stage(reader, OMR_RULES_MOTORS));
  return omr_check_stage(reader, OMR_RULES_SUPPLY);
}
