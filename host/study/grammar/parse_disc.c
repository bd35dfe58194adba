/* A disc_vehicle in the study: its rollers, and words that only it has or that it would ignore. */
#include "parse.h"
#include "rules.h"

/* Wheels with "rollers" count their mass: in the wheel's own object or in the shared one. */
static void find_ballast(omr_reader *reader) {
  const bool shared = reader->shared && omr_json_get(reader->shared, "rollers");
  for (int wheel = 0; wheel < reader->study->wheels; wheel++) {
    const cJSON *own = cJSON_GetArrayItem(reader->wheels, wheel);
    reader->study->contact.ballast[wheel] = shared || (own && omr_json_get(own, "rollers"));
  }
}

omr_status omr_read_discs(omr_reader *reader) {
  const cJSON *contact = NULL, *initial = NULL;
  const bool disc = reader->study->model == OMR_MODEL_DISC_VEHICLE;
  OMR_TRY(omr_check_stage(reader, OMR_RULES_DISC));
  if (!reader->parameters) return OMR_OK;

  OMR_TRY(omr_read_object(reader, reader->parameters, "contact", &contact));
  OMR_TRY(omr_check_law_words(reader, contact));
  if (disc) find_ballast(reader);
  if (disc) OMR_TRY(omr_read_object(reader, reader->parameters, "initial", &initial));
  return omr_check_stage(reader, OMR_RULES_NORMAL);
}
