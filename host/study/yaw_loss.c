/* The loss of yaw, an empirical term of vehicles (appendix/laws.md#friction): whether a study
 * has it, and whether its contacts can. */
#include "grammar/parse.h"

static bool is_there(const omr_study *study, int index) {
  return study->base.vehicle[index] != 0 || omr_varies(study, false, index);
}

bool omr_loses_yaw(const omr_study *study) {
  return is_there(study, OMR_VP_YAW_LOSS_SIDEWAYS) || is_there(study, OMR_VP_YAW_LOSS_FORWARD);
}

omr_status omr_check_yaw_loss(omr_reader *reader) {
  const omr_study *study = reader->study;
  if (!omr_has_platform(study->model) || !omr_loses_yaw(study)) return OMR_OK;
  const int index = is_there(study, OMR_VP_YAW_LOSS_SIDEWAYS) ? OMR_VP_YAW_LOSS_SIDEWAYS
                                                              : OMR_VP_YAW_LOSS_FORWARD;
  const cJSON *item = reader->vehicle_item[index];
  if (!item) item = omr_json_get(reader->json.root, "vary");
  const char *path = omr_vehicle_path(study->frame, index);
  if (study->contact.compliant)
    return OMR_REFUSE(
        reader, item,
        "\"%s\" does not act with compliant contact; leave it out, or take rigid contact", path);
  for (int i = 0; i < study->wheels; i++)
    if (omr_wheel_swivels(study->kind[i]))
      return OMR_REFUSE(reader, item,
                        "\"%s\" is that of vehicles on rollers, and wheel %d is %s; leave it out",
                        path, i, omr_wheel_kinds[study->kind[i]].name);
  if (omr_law_is_friction(study->contact.law)) return OMR_OK;
  return OMR_REFUSE(reader, item,
                    "\"%s\" shifts the slip at which friction is at rest, and the law %s is a "
                    "constraint; leave it out, or choose \"law\": \"%s\"",
                    path, omr_law_kinds[study->contact.law].name,
                    omr_law_kinds[OMR_LAW_COULOMB].name);
}
