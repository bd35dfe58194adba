/* The law of contact: parameters.contact. */
#include "parse.h"

/* A tyre stands on the floor by itself: it is no roller. */
static omr_status require_discs(omr_reader *reader, const cJSON *contact) {
  const omr_study *study = reader->study;
  if (!omr_law_is_tyre(study->contact.law) || study->model == OMR_MODEL_DISC_VEHICLE) return OMR_OK;
  return OMR_REFUSE(reader, omr_json_get(contact, "law"),
                    "the law %s is that of a tyre, and the wheels of an %s stand on rollers; use "
                    "\"model\": \"%s\", or \"%s\" or \"%s\"",
                    omr_law_kinds[study->contact.law].name, omr_model_names[study->model],
                    omr_model_names[OMR_MODEL_DISC_VEHICLE], omr_law_kinds[OMR_LAW_COULOMB].name,
                    omr_law_kinds[OMR_LAW_REGULARIZED].name);
}

omr_status omr_read_contact(omr_reader *reader) {
  const cJSON *contact;
  OMR_TRY(omr_read_object(reader, reader->parameters, "contact", &contact));
  OMR_TRY(omr_read_words(reader, contact, "contact."));
  return require_discs(reader, contact);
}

/* Massless rollers turn freely: a bearing that brakes them would be a force in their constraint. */
omr_status omr_check_contact(omr_reader *reader) {
  const omr_study *study = reader->study;
  if (!omr_law_is_massless(study->contact.law)) return OMR_OK;
  for (int wheel = 0; wheel < study->wheels; wheel++) {
    if (!(study->base.wheel[wheel][OMR_WP_ROLLER_BEARING] > 0)) continue;
    return OMR_REFUSE(reader, reader->wheel_item[wheel][OMR_WP_ROLLER_BEARING],
                      "rollers without mass have no bearing friction; leave it out, or choose a "
                      "law with explicit rollers");
  }
  for (size_t j = 0; j < study->variation_count; j++) {
    const omr_variation *v = &study->variations[j];
    if (!v->per_wheel || v->index != OMR_WP_ROLLER_BEARING) continue;
    return OMR_REFUSE(reader, omr_json_get(reader->json.root, "vary"),
                      "\"%s\" is varied, but rollers without mass have no bearing friction",
                      v->path);
  }
  return OMR_OK;
}
