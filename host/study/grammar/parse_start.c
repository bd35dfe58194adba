/* A vehicle that starts rolling: "initial": "rolling", or "motion" in it. */
#include "parse.h"

#include <string.h>

/* The word at its place; NULL: there is none. */
static const cJSON *word_of(const omr_reader *reader) {
  const cJSON *initial = omr_json_get(reader->parameters, "initial");
  return cJSON_IsString(initial) ? initial : omr_json_get(initial, "motion");
}

bool omr_starts_rolling_by_word(const omr_reader *reader) {
  const char *text = cJSON_GetStringValue(omr_json_get(reader->parameters, "initial"));
  return text && strcmp(text, "rolling") == 0 && omr_has_platform(reader->study->model);
}

omr_status omr_read_initial(omr_reader *reader, const cJSON **initial) {
  *initial = NULL;
  if (omr_starts_rolling_by_word(reader)) return OMR_OK;
  return omr_read_object(reader, reader->parameters, "initial", initial);
}

omr_status omr_read_motion(omr_reader *reader) {
  const cJSON *initial;
  OMR_TRY(omr_read_initial(reader, &initial));
  OMR_TRY(omr_read_words(reader, initial, "initial."));
  if (omr_starts_rolling_by_word(reader)) reader->study->start.rolls = true;
  const cJSON *word = word_of(reader);
  if (!word || reader->study->model == OMR_MODEL_VEHICLE) return OMR_OK;
  return OMR_REFUSE(reader, word,
                    "only an omni_vehicle starts rolling by its wheels' rates; give the motion, as "
                    "\"initial\": {\"vx\": \"0.3 m/s\"}");
}

omr_status omr_check_motion(omr_reader *reader) {
  static const int motion[] = {OMR_VP_INITIAL_VX, OMR_VP_INITIAL_VZ, OMR_VP_INITIAL_YAW_RATE};
  omr_study *study = reader->study;
  bool any = false;
  /* Of a vehicle that starts rolling, wheels whose rates nobody says roll along. */
  for (int wheel = 0; wheel < study->wheels; wheel++) {
    study->start.told[wheel] = omr_is_rated(study->drives.law[wheel]) ||
                               reader->wheel_item[wheel][OMR_WP_RATE] ||
                               omr_variation_of(study, true, OMR_WP_RATE, wheel);
    study->start.turned[wheel] = reader->wheel_item[wheel][OMR_WP_STEER_RATE] ||
                                 omr_variation_of(study, true, OMR_WP_STEER_RATE, wheel);
    any = any || study->start.told[wheel];
  }
  if (!study->start.rolls) return OMR_OK;

  /* The rates make the motion, so that the study gives none. */
  for (size_t i = 0; i < sizeof motion / sizeof *motion; i++) {
    const cJSON *given = reader->vehicle_item[motion[i]];
    if (given || omr_varies(study, false, motion[i]))
      return OMR_REFUSE(reader, given ? given : word_of(reader),
                        "the vehicle starts rolling, so that \"%s\" follows from the wheels' "
                        "rates; leave it out, or leave \"rolling\" out",
                        omr_vehicle_path(study->frame, motion[i]));
  }

  if (!any)
    return OMR_REFUSE(reader, word_of(reader),
                      "the vehicle starts rolling by its wheels' rates, and no wheel has one: give "
                      "a drive of type replay_rate or rate, or \"initial\": {\"rate\": ...} in a "
                      "wheel");
  if (!omr_json_get(omr_json_get(reader->parameters, "initial"), "spins"))
    study->spins = OMR_SPINS_ROLLING;
  return OMR_OK;
}
