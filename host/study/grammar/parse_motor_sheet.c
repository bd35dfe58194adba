/* A brushed motor by the figures of its data sheet, which become the parameters of the model. */
#include "motor_sheet.h"
#include "parse.h"

#include <math.h>

/* How far the figures of a sheet, which are rounded, may contradict each other. */
#define ROUNDED 0.05

/* The parameters that the sheet gives may not be given beside it. */
static omr_status refuse_beside(omr_reader *reader, const cJSON *motor) {
  static const char *const given[] = {"resistance",      "torque_constant", "emf_constant",
                                      "no_load_current", "stall_torque",    "no_load_speed"};
  for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
    const cJSON *item = omr_json_get(motor, given[i]);
    if (item)
      return OMR_REFUSE(reader, item,
                        "\"%s\" follows from the motor's \"data_sheet\": leave one of them out",
                        given[i]);
  }
  return OMR_OK;
}

static void set(omr_reader *reader, const cJSON *item, int wheel, int index, double value) {
  reader->study->base.wheel[wheel][index] = value;
  reader->wheel_item[wheel][index] = item;
}

omr_status omr_read_motor_sheet(omr_reader *reader, const cJSON *object, int wheel) {
  const cJSON *motor = omr_json_get(object, "motor"), *item;
  if (!motor || !omr_json_get(motor, "data_sheet")) return OMR_OK;
  OMR_TRY(omr_read_object(reader, motor, "data_sheet", &item));
  omr_motor_sheet sheet = {0};
  OMR_TRY(omr_read_keys(reader, item, OMR_SECTION_MOTOR_SHEET, &sheet));
  OMR_TRY(refuse_beside(reader, motor));

  /* The circuit at rest gives the resistance, and that without load the constant. */
  if (sheet.no_load_current >= sheet.stall_current)
    return OMR_REFUSE(reader, omr_json_get(item, "no_load_current"),
                      "the motor takes %.4g A without load and %.4g A at rest, where it takes the "
                      "most: are the two exchanged?",
                      sheet.no_load_current, sheet.stall_current);
  const double resistance = sheet.voltage / sheet.stall_current;
  const double constant =
      (sheet.voltage - resistance * sheet.no_load_current) / sheet.no_load_speed;

  /* What is missing of the torque at rest is lost in a gear; none can come out of it. */
  const double most = constant * (sheet.stall_current - sheet.no_load_current),
               share = sheet.stall_torque / most;
  if (share > 1 + ROUNDED)
    return OMR_REFUSE(reader, omr_json_get(item, "stall_torque"),
                      "the figures contradict each other: by voltage, currents and no-load speed "
                      "the stall torque is at most %.4g N m, and %.4g N m are %.3g %% more; the "
                      "speed and torque of a geared motor are both those of its output",
                      most, sheet.stall_torque, 100 * (share - 1));

  /* The wheel's parameters, or those of all wheels. */
  const omr_target target = {true, OMR_WP_RESISTANCE, wheel};
  for (int i = omr_target_first(target); i < omr_target_end(reader, target); i++) {
    set(reader, item, i, OMR_WP_RESISTANCE, resistance);
    set(reader, item, i, OMR_WP_TORQUE_CONSTANT, constant);
    set(reader, item, i, OMR_WP_NO_LOAD_CURRENT, sheet.no_load_current);
    const double own =
        omr_json_get(motor, "efficiency") ? reader->study->base.wheel[i][OMR_WP_EFFICIENCY] : 1;
    set(reader, item, i, OMR_WP_EFFICIENCY, own * fmin(share, 1));
  }
  return OMR_OK;
}
