/* Parameters of wheels: a wheel's own values and those of all wheels, and the spins of rollers. */
#include "parse.h"
#include "rules.h"

#include <stdlib.h>

static const cJSON *given(const omr_reader *reader, int wheel, int index) {
  return reader->wheel_item[wheel][index];
}

/* Given for this wheel only, not inherited from parameters.wheel. */
static bool own(const omr_reader *reader, int wheel, int index) {
  return given(reader, wheel, index) && given(reader, wheel, index) != reader->shared_item[index];
}

/* A roller is given by its mass and inertias, or by its density: a wheel that has the one of its
 * own does not inherit parts of the other. */
static void settle_roller(omr_reader *reader, int wheel) {
  static const int inertias[] = {OMR_WP_ROLLER_AXIAL_INERTIA, OMR_WP_ROLLER_DIAMETRAL_INERTIA};

  if (given(reader, wheel, OMR_WP_ROLLER_MASS)) {
    if (own(reader, wheel, OMR_WP_ROLLER_MASS) && !own(reader, wheel, OMR_WP_ROLLER_BORE))
      omr_forget_parameter(reader, wheel, OMR_WP_ROLLER_BORE);
    reader->study->base.wheel[wheel][OMR_WP_ROLLER_DENSITY] = OMR_UNSET;
    return;
  }
  for (int i = 0; i < 2; i++)
    if (reader->shared_item[OMR_WP_ROLLER_MASS] && !own(reader, wheel, inertias[i]))
      omr_forget_parameter(reader, wheel, inertias[i]);
}

omr_status omr_check_wheels(omr_reader *reader) {
  for (int wheel = 0; wheel < reader->study->wheels; wheel++) {
    OMR_TRY(omr_check_stage_of(reader, OMR_RULES_WAYS, wheel));
    settle_roller(reader, wheel);
    OMR_TRY(omr_check_stage_of(reader, OMR_RULES_WHEELS, wheel));
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
  OMR_TRY(omr_read_initial(reader, &initial));
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
