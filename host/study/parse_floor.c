/* The floor below compliant contacts: parameters.floor. */
#include "parse.h"

omr_status omr_require_usable_floor(omr_reader *reader, const cJSON *item, int index) {
  const omr_study *study = reader->study;
  const char *path = omr_vehicle_path(study->frame, index);
  if (study->compliant) return OMR_OK;
  return omr_json_fail(&reader->json, item, reader->error,
                       "\"%s\" belongs to compliant contact, and here the contact is rigid, on a "
                       "level plane; give \"contact\": {\"normal\": \"compliant\"}, or for a slope "
                       "an external force with the weight's part along it at the height of the "
                       "centre of mass",
                       path);
}

static bool is_varied(const omr_study *study, int index) {
  for (size_t j = 0; j < study->variation_count; j++)
    if (!study->variations[j].per_wheel && study->variations[j].index == index) return true;
  return false;
}

/* A part of the floor: its parameters, from the first to the last, and the one without which it is
 * not there. */
typedef struct floor_part {
  int first, last, size;
} floor_part;

omr_status omr_check_floor(omr_reader *reader) {
  static const floor_part parts[] = {
      {OMR_VP_FLOOR_SLOPE, OMR_VP_FLOOR_DIRECTION, OMR_VP_FLOOR_SLOPE},
      {OMR_VP_FLOOR_WAVE_AMPLITUDE, OMR_VP_FLOOR_WAVE_PHASE, OMR_VP_FLOOR_WAVE_AMPLITUDE},
      {OMR_VP_FLOOR_STEP_HEIGHT, OMR_VP_FLOOR_STEP_WIDTH, OMR_VP_FLOOR_STEP_HEIGHT},
      {OMR_VP_FLOOR_DEGREE, OMR_VP_FLOOR_SEED, OMR_VP_FLOOR_DEGREE}};
  const omr_study *study = reader->study;
  for (size_t n = 0; n < sizeof parts / sizeof *parts; n++) {
    const floor_part *part = &parts[n];
    if (study->base.vehicle[part->size] != 0 || is_varied(study, part->size) ||
        reader->vehicle_item[part->size])
      continue;
    for (int i = part->first; i <= part->last; i++) {
      if (!reader->vehicle_item[i]) continue;
      return omr_json_fail(&reader->json, reader->vehicle_item[i], reader->error,
                           "\"%s\" changes nothing on a floor without \"%s\"; give that, too, or "
                           "leave this out",
                           omr_vehicle_path(study->frame, i),
                           omr_vehicle_path(study->frame, part->size));
    }
  }
  return OMR_OK;
}
