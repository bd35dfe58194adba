/* Compliant contact of omni_vehicle and disc_vehicle: its words, and the parameters that only it
 * has. */
#include "parse.h"
#include "rules.h"

#include <math.h>
#include <string.h>

static omr_status require_compliant(omr_reader *reader, const cJSON *item, const char *path) {
  if (reader->study->contact.compliant) return OMR_OK;
  return OMR_REFUSE(reader, item,
                    "\"%s\" belongs to compliant contact, and here the contact is %s; give "
                    "\"contact\": {\"normal\": \"compliant\"}",
                    path, reader->study->contact.penalty ? "penalty" : "rigid");
}

static omr_status read_normal(omr_reader *reader, const cJSON *item) {
  static const char *const normals[] = {"rigid", "compliant"}, *const of_discs[] = {
                                                                   "rigid", "penalty", "compliant"};
  const omr_model model = reader->study->model;
  const bool disc = model == OMR_MODEL_DISC_VEHICLE;
  int choice = 0;
  if (!item) return OMR_OK;
  if (!disc && cJSON_IsString(item) && strcmp(item->valuestring, "penalty") == 0)
    return OMR_REFUSE(reader, item,
                      "penalty contact is that of disc_vehicle; the springs of an omni_vehicle are "
                      "\"normal\": \"compliant\"");
  OMR_TRY(omr_read_word(reader, item, disc ? of_discs : normals, disc ? 3 : 2, &choice));
  reader->study->contact.compliant = choice == (disc ? 2 : 1);
  reader->study->contact.penalty = disc && choice == 1;
  return OMR_OK;
}

omr_status omr_read_compliant(omr_reader *reader) {
  const cJSON *contact = NULL;
  if (reader->parameters) OMR_TRY(omr_read_object(reader, reader->parameters, "contact", &contact));
  if (!contact) return OMR_OK;
  OMR_TRY(read_normal(reader, omr_json_get(contact, "normal")));
  return omr_check_stage(reader, OMR_RULES_SPRINGS);
}

bool omr_is_of_compliant_alone(omr_target target) {
  return (omr_target_parameter(target)->flags & OMR_P_COMPLIANT) == OMR_P_COMPLIANT;
}

bool omr_is_of_compliant(omr_target target) {
  if (omr_is_of_compliant_alone(target)) return true;
  return target.per_wheel
             ? target.index == OMR_WP_STIFFNESS || target.index == OMR_WP_DAMPING
             : target.index == OMR_VP_INITIAL_HEIGHT || target.index == OMR_VP_INITIAL_HEAVE_RATE;
}

omr_status omr_require_usable_compliant(omr_reader *reader, const cJSON *item, omr_target target) {
  const omr_study *study = reader->study;
  const char *path = omr_target_path(reader, target);
  if (!omr_has_platform(study->model) || !omr_is_of_compliant(target)) return OMR_OK;
  if (study->model == OMR_MODEL_DISC_VEHICLE && !study->contact.compliant &&
      !omr_is_of_compliant_alone(target))
    return OMR_OK; /* its springs are those of penalty contact, too */
  if (!target.per_wheel && omr_is_below(target.index, "floor."))
    return omr_require_usable_floor(reader, item, target.index);
  return require_compliant(reader, item, path);
}

/* Springs for all wheels or for none. */
static omr_status check_suspension(omr_reader *reader) {
  omr_study *study = reader->study;
  int without = -1;

  /* A variation needs a base value, too. */
  for (int i = 0; i < study->wheels; i++) {
    if (!isnan(study->base.wheel[i][OMR_WP_SUSPENSION_STIFFNESS]))
      study->contact.suspension = true;
    else if (without < 0)
      without = i;
  }
  if (!study->contact.suspension || without < 0) return OMR_OK;
  return OMR_REFUSE(reader, reader->parameters,
                    "wheels[%d] has no suspension.stiffness, and others have one; give it for "
                    "all wheels, as \"wheel\": {\"suspension\": ...}, or for none",
                    without);
}

omr_status omr_check_compliant(omr_reader *reader) {
  if (!reader->study->contact.compliant) return OMR_OK;
  OMR_TRY(check_suspension(reader));
  return omr_check_stage(reader, OMR_RULES_COMPLIANT);
}
