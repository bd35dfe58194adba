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
