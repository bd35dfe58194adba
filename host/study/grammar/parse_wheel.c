#include "parse.h"

#include <math.h>
#include <stdlib.h>

static const cJSON *given(const omr_reader *reader, int wheel, int index) {
  return reader->wheel_item[wheel][index];
}

/* Given for this wheel only, not inherited from parameters.wheel. */
static bool own(const omr_reader *reader, int wheel, int index) {
  return given(reader, wheel, index) && given(reader, wheel, index) != reader->shared_item[index];
}

static void forget(omr_reader *reader, int wheel, int index) {
  reader->wheel_item[wheel][index] = NULL;
  reader->study->base.wheel[wheel][index] = omr_wheel_parameters[index].standard;
}

/* Two ways to say the same: an error where both stand in one object; otherwise the wheel's own one
 * replaces the shared one. */
static omr_status choose_one(omr_reader *reader, int wheel, int a, int b) {
  if (!given(reader, wheel, a) || !given(reader, wheel, b)) return OMR_OK;
  if (own(reader, wheel, a) == own(reader, wheel, b))
    return OMR_REFUSE(reader, given(reader, wheel, a),
                      "\"%s\" and \"%s\" say the same in two ways; give one of them",
                      omr_wheel_path(reader->study->frame, a),
                      omr_wheel_path(reader->study->frame, b));
  forget(reader, wheel, own(reader, wheel, a) ? b : a);
  return OMR_OK;
}

static omr_status fail_lonely(omr_reader *reader, int wheel, int index, int missing) {
  return OMR_REFUSE(reader, given(reader, wheel, index), "\"%s\" needs \"%s\" too",
                    omr_wheel_path(reader->study->frame, index),
                    omr_wheel_path(reader->study->frame, missing));
}

static omr_status check_roller_mass(omr_reader *reader, int wheel) {
  static const int inertias[] = {OMR_WP_ROLLER_AXIAL_INERTIA, OMR_WP_ROLLER_DIAMETRAL_INERTIA};
  const cJSON *bore = given(reader, wheel, OMR_WP_ROLLER_BORE);
  if (bore && (own(reader, wheel, OMR_WP_ROLLER_BORE) || !own(reader, wheel, OMR_WP_ROLLER_MASS)))
    return OMR_REFUSE(
        reader, bore,
        "\"roller.bore\" shapes a roller given by its density; with \"roller.mass\" it has no use");
  forget(reader, wheel, OMR_WP_ROLLER_BORE);
  for (int i = 0; i < 2; i++)
    if (!given(reader, wheel, inertias[i]))
      return fail_lonely(reader, wheel, OMR_WP_ROLLER_MASS, inertias[i]);
  reader->study->base.wheel[wheel][OMR_WP_ROLLER_DENSITY] = OMR_UNSET;
  return OMR_OK;
}

static omr_status check_roller(omr_reader *reader, int wheel) {
  static const int inertias[] = {OMR_WP_ROLLER_AXIAL_INERTIA, OMR_WP_ROLLER_DIAMETRAL_INERTIA};
  const bool had_mass = given(reader, wheel, OMR_WP_ROLLER_MASS) != NULL;
  OMR_TRY(choose_one(reader, wheel, OMR_WP_ROLLER_MASS, OMR_WP_ROLLER_DENSITY));
  if (given(reader, wheel, OMR_WP_ROLLER_MASS)) return check_roller_mass(reader, wheel);
  for (int i = 0; i < 2; i++) {
    if (!given(reader, wheel, inertias[i])) continue;
    if (!had_mass || own(reader, wheel, inertias[i]))
      return fail_lonely(reader, wheel, inertias[i], OMR_WP_ROLLER_MASS);
    forget(reader, wheel, inertias[i]);
  }
  return OMR_OK;
}

static omr_status check_motor(omr_reader *reader, int wheel) {
  const bool torque = given(reader, wheel, OMR_WP_STALL_TORQUE),
             speed = given(reader, wheel, OMR_WP_NO_LOAD_SPEED);
  if (torque && !speed)
    return fail_lonely(reader, wheel, OMR_WP_STALL_TORQUE, OMR_WP_NO_LOAD_SPEED);
  if (speed && !torque)
    return fail_lonely(reader, wheel, OMR_WP_NO_LOAD_SPEED, OMR_WP_STALL_TORQUE);
  return OMR_OK;
}

static omr_status check_place(omr_reader *reader, int wheel) {
  static const int needed[] = {OMR_WP_X, OMR_WP_Z, OMR_WP_AXIS_ANGLE};
  if (reader->study->layout != OMR_LAYOUT_EXPLICIT || !omr_has_platform(reader->study->model))
    return OMR_OK;
  for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
    if (!given(reader, wheel, needed[i]))
      return OMR_REFUSE(reader, cJSON_GetArrayItem(reader->wheels, wheel),
                        "\"%s\" is missing; in an explicit layout each wheel gives \"x\", \"%s\" "
                        "and \"axis_angle\"",
                        omr_wheel_path(reader->study->frame, needed[i]),
                        omr_wheel_path(reader->study->frame, OMR_WP_Z));
  return OMR_OK;
}

omr_status omr_check_wheels(omr_reader *reader) {
  for (int wheel = 0; wheel < reader->study->wheels; wheel++) {
    OMR_TRY(check_place(reader, wheel));
    OMR_TRY(choose_one(reader, wheel, OMR_WP_TIP_RADIUS, OMR_WP_CENTER_DISTANCE));
    OMR_TRY(choose_one(reader, wheel, OMR_WP_DAMPING_RATIO, OMR_WP_DISSIPATION));
    OMR_TRY(choose_one(reader, wheel, OMR_WP_DAMPING_RATIO, OMR_WP_DAMPING));
    OMR_TRY(choose_one(reader, wheel, OMR_WP_BRISTLE_DAMPING_RATIO, OMR_WP_BRISTLE_DAMPING));
    OMR_TRY(check_roller(reader, wheel));
    OMR_TRY(check_motor(reader, wheel));
    if (reader->mecanum)
      reader->study->base.wheel[wheel][OMR_WP_INCLINATION] *= omr_mecanum_sign(wheel);
  }
  return OMR_OK;
}

static omr_status read_wheel_spins(omr_reader *reader, const cJSON *list, int wheel) {
  const int rollers = (int)reader->study->base.wheel[wheel][OMR_WP_ROLLERS];
  OMR_TRY(omr_require_array(reader, list, 1, "spins"));
  const int size = cJSON_GetArraySize(list);
  if (size != rollers)
    return OMR_REFUSE(reader, list,
                      "has %d spins, but wheel %d has %d rollers; give one per roller", size, wheel,
                      rollers);
  double *spin = reader->study->spin_values + wheel * OMR_MAX_ROLLERS;
  const cJSON *item;
  cJSON_ArrayForEach(item, list) OMR_TRY(omr_read_quantity(reader, item, "rad s-1", spin++));
  return OMR_OK;
}

static omr_status read_spin_values(omr_reader *reader, const cJSON *item) {
  const int wheels = reader->study->wheels, size = cJSON_GetArraySize(item);
  if (size != wheels)
    return OMR_REFUSE(reader, item, "lists spins of %d wheels; the study has %d", size, wheels);
  reader->study->spins = OMR_SPINS_VALUES;
  reader->study->spin_values = calloc(OMR_MAX_WHEELS * OMR_MAX_ROLLERS, sizeof(double));
  if (!reader->study->spin_values) return omr_fail_memory(reader);
  int wheel = 0;
  const cJSON *list;
  cJSON_ArrayForEach(list, item) OMR_TRY(read_wheel_spins(reader, list, wheel++));
  return OMR_OK;
}

omr_status omr_read_spins(omr_reader *reader) {
  const cJSON *initial, *item;
  OMR_TRY(omr_read_object(reader, reader->parameters, "initial", &initial));
  item = omr_json_get(initial, "spins");
  if (!item) return OMR_OK;
  if (cJSON_IsArray(item)) return read_spin_values(reader, item);
  const char *words[] = {omr_spins_kinds[OMR_SPINS_LOCKED].name,
                         omr_spins_kinds[OMR_SPINS_ROLLING].name};
  if (!cJSON_IsString(item))
    return OMR_REFUSE(
        reader, item,
        "expected \"%s\", \"%s\" or a list of one list per wheel with the rollers' spins", words[0],
        words[1]);
  int choice = OMR_SPINS_LOCKED;
  OMR_TRY(omr_read_word(reader, item, words, 2, &choice));
  reader->study->spins = (omr_spins)choice;
  return OMR_OK;
}
