/* What odometry reads: parameters.odometry. */
#include "parse.h"

static omr_status read_wheels(omr_reader *reader, const cJSON *list) {
  omr_study *study = reader->study;
  const cJSON *item;
  study->odometry.wheels = 0;
  if (!cJSON_IsArray(list) || cJSON_GetArraySize(list) == 0)
    return OMR_MISTAKEN(reader, list, OMR_MISTAKE_TYPE,
                        "expected a list of wheel numbers, such as [0, 1, 2]");
  cJSON_ArrayForEach(item, list) {
    double number;
    OMR_TRY(omr_read_whole(reader, item, 0, OMR_MAX_WHEELS - 1, &number));
    if (number >= study->wheels)
      return OMR_REFUSE(reader, item, "there is no wheel %.0f; the vehicle has wheels 0 to %d",
                        number, study->wheels - 1);
    const omr_wheel_kind kind = study->kind[(int)number];
    if (omr_wheel_swivels(kind))
      return OMR_REFUSE(reader, item,
                        "wheel %.0f is %s, and the motion that its rate belongs to depends on its "
                        "angle, too, which odometry does not read; leave it out here",
                        number, omr_wheel_kinds[kind].name);
    const unsigned bit = 1u << (int)number;
    if (study->odometry.wheels & bit)
      return OMR_REFUSE(reader, item, "wheel %.0f is listed already; leave it out here", number);
    study->odometry.wheels |= bit;
  }
  return OMR_OK;
}

/* A wheel sees one motion, and a plain one two, since its tyre tells that it does not go sideways;
 * whether several see different ones depends on their places (host/model/odometry.c). */
static omr_status check_number(omr_reader *reader, const cJSON *list) {
  const omr_study *study = reader->study;
  const bool gyro = study->odometry.gyro;
  int wheels = 0, tyres = 0;
  for (int i = 0; i < study->wheels; i++) {
    if (!(study->odometry.wheels & 1u << i)) continue;
    wheels++;
    tyres += study->kind[i] == OMR_WHEEL_PLAIN;
  }
  if (wheels + tyres + gyro >= 3) return OMR_OK;
  if (gyro)
    return OMR_REFUSE(reader, list,
                      "a wheel and a gyro see two of the vehicle's three motions, forward, "
                      "sideways and yaw; choose another wheel as well, across to this one");
  if (tyres)
    return OMR_REFUSE(reader, list,
                      "a plain wheel sees two of the vehicle's three motions, forward, sideways "
                      "and yaw; choose another wheel as well, or give \"gyro\": {} beside it, "
                      "which tells the yaw");
  return OMR_REFUSE(reader, list,
                    "%s of the vehicle's three motions, forward, sideways and yaw; choose %s, or "
                    "give \"gyro\": {} beside two wheels, which tells the yaw",
                    wheels == 2 ? "two wheels see two" : "a wheel sees one",
                    wheels == 2 ? "a third wheel" : "three wheels");
}

omr_status omr_read_odometry(omr_reader *reader) {
  omr_study *study = reader->study;
  const cJSON *odometry, *gyro;
  study->odometry.wheels = (1u << study->wheels) - 1;
  OMR_TRY(omr_read_object(reader, reader->parameters, "odometry", &odometry));
  if (!odometry) return OMR_OK;
  if (study->model == OMR_MODEL_WHEEL)
    return OMR_REFUSE(reader, odometry,
                      "\"odometry\" is of omni_vehicle and disc_vehicle; the model of this study "
                      "is omni_wheel");
  OMR_TRY(omr_read_object(reader, odometry, "gyro", &gyro));
  study->odometry.gyro = gyro != NULL;
  const cJSON *list = omr_json_get(odometry, "wheels");
  study->odometry.chosen = list != NULL;
  if (!list) return OMR_OK;
  OMR_TRY(read_wheels(reader, list));
  return check_number(reader, list);
}
