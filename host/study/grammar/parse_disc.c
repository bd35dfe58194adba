/* A disc_vehicle in the study: words that only it has, and refusals of settings that it would
 * ignore. */
#include "parse.h"

#include <string.h>

static bool is_disc(const omr_reader *reader) {
  return reader->study->model == OMR_MODEL_DISC_VEHICLE;
}

/* Shape and mass of rollers; friction, inclination and bearings are not among them. */
static bool is_roller_parameter(int index) {
  const bool shape =
      index == OMR_WP_ROLLERS || index == OMR_WP_TIP_RADIUS || index == OMR_WP_CENTER_DISTANCE;
  return shape || index == OMR_WP_ROW_DISTANCE ||
         strncmp(omr_wheel_parameters[index].path, "roller.", 7) == 0;
}

static omr_status fail_without_rollers(omr_reader *reader, const cJSON *item, const char *what) {
  return OMR_REFUSE(reader, item,
                    "a disc has no rollers, so \"%s\" has no use; put their mass and inertia into "
                    "\"disc\", or give \"rollers\" and they are computed and added to the disc's",
                    what);
}

static omr_status require_springs(omr_reader *reader, const cJSON *item, const char *path) {
  if (reader->study->contact.penalty || reader->study->contact.compliant) return OMR_OK;
  return OMR_REFUSE(reader, item,
                    "\"%s\" belongs to penalty contact, and here the contact is rigid; give "
                    "\"contact\": {\"normal\": \"penalty\"}",
                    path);
}

omr_status omr_require_usable_on_disc(omr_reader *reader, const cJSON *item, omr_target target) {
  const char *path = omr_target_path(reader, target);
  if (!is_disc(reader)) return OMR_OK;
  if (!target.per_wheel) return require_springs(reader, item, path);
  if (target.index == OMR_WP_STIFFNESS || target.index == OMR_WP_DAMPING)
    return require_springs(reader, item, path);
  if (!is_roller_parameter(target.index)) return OMR_OK;
  for (int wheel = omr_target_first(target); wheel < omr_target_end(reader, target); wheel++)
    if (reader->study->contact.ballast[wheel]) return OMR_OK;
  return fail_without_rollers(reader, item, path);
}

static omr_status check_words(omr_reader *reader, const cJSON *contact) {
  const cJSON *item = omr_json_get(contact, "saturation");
  if (!item || is_disc(reader)) return omr_check_law_words(reader, contact);
  return OMR_REFUSE(reader, item,
                    "\"saturation\" is a word of disc_vehicle; the model of this study is %s",
                    omr_model_names[reader->study->model]);
}

static omr_status check_law(omr_reader *reader, const cJSON *contact) {
  const omr_law law = reader->study->contact.law;
  if (omr_law_is_friction(law)) return OMR_OK;
  return OMR_REFUSE(reader, omr_json_get(contact, "law"),
                    "the law %s constrains rollers, which a disc_vehicle does not have; use \"%s\" "
                    "or \"%s\", or the model omni_vehicle",
                    omr_law_kinds[law].name, omr_law_kinds[OMR_LAW_REGULARIZED].name,
                    omr_law_kinds[OMR_LAW_COULOMB].name);
}

/* Wheels with "rollers" count their mass: in the wheel's own object or in the shared one. */
static void find_ballast(omr_reader *reader) {
  const bool shared = reader->shared && omr_json_get(reader->shared, "rollers");
  for (int wheel = 0; wheel < reader->study->wheels; wheel++) {
    const cJSON *own = cJSON_GetArrayItem(reader->wheels, wheel);
    reader->study->contact.ballast[wheel] = shared || (own && omr_json_get(own, "rollers"));
  }
}

static bool some_ballast(const omr_reader *reader) {
  for (int wheel = 0; wheel < reader->study->wheels; wheel++)
    if (reader->study->contact.ballast[wheel]) return true;
  return false;
}

omr_status omr_read_discs(omr_reader *reader) {
  const cJSON *contact = NULL, *initial = NULL;
  const cJSON *exchange = omr_json_get(omr_json_get(reader->json.root, "integrator"), "exchange");
  if (exchange && is_disc(reader))
    return OMR_REFUSE(reader, exchange,
                      "a disc_vehicle has no roller exchanges; \"exchange\" belongs to "
                      "omni_vehicle and omni_wheel");
  if (!reader->parameters) return OMR_OK;
  OMR_TRY(omr_read_object(reader, reader->parameters, "contact", &contact));
  OMR_TRY(check_words(reader, contact));
  if (!is_disc(reader)) return OMR_OK;
  OMR_TRY(check_law(reader, contact));
  find_ballast(reader);
  OMR_TRY(omr_read_object(reader, reader->parameters, "initial", &initial));
  const cJSON *spins = omr_json_get(initial, "spins");
  if (spins)
    return OMR_REFUSE(reader, spins,
                      "a disc_vehicle has no rollers that turn; \"spins\" belongs to omni_vehicle "
                      "and omni_wheel");
  const cJSON *overlap = omr_json_get(reader->parameters, "overlap");
  return overlap && !some_ballast(reader) ? fail_without_rollers(reader, overlap, "overlap")
                                          : OMR_OK;
}
