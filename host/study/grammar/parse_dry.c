/* Dry friction of bearings, rolling resistance and drilling friction: a law, or another value, may
 * leave them without effect. */
#include "parse.h"

/* Friction that needs an arm. */
typedef struct arm {
  int friction, radius;
} arm;

static const arm arms[] = {{OMR_WP_DRY_FRICTION, OMR_WP_DRY_PIN_RADIUS},
                           {OMR_WP_DRY_END_FRICTION, OMR_WP_DRY_END_RADIUS},
                           {OMR_WP_AXLE_FRICTION, OMR_WP_AXLE_PIN_RADIUS}};
/* Losses that depend on the load. */
static const int loaded[] = {OMR_WP_DRY_FRICTION, OMR_WP_DRY_END_FRICTION, OMR_WP_AXLE_FRICTION,
                             OMR_WP_ROLLING_RESISTANCE};
/* Losses that brake rollers. */
static const int of_rollers[] = {OMR_WP_DRY_TORQUE, OMR_WP_DRY_FRICTION, OMR_WP_DRY_END_FRICTION,
                                 OMR_WP_ROLLING_RESISTANCE};

static bool is_varied(const omr_study *study, int wheel, int index) {
  for (size_t j = 0; j < study->variation_count; j++) {
    const omr_variation *v = &study->variations[j];
    if (v->per_wheel && v->index == index && (v->wheel < 0 || v->wheel == wheel)) return true;
  }
  return false;
}

static bool is_there(const omr_study *study, int wheel, int index) {
  return study->base.wheel[wheel][index] > 0 || is_varied(study, wheel, index);
}

/* Where the value of a wheel stands, or its variation. */
static const cJSON *place_of(const omr_reader *reader, int wheel, int index) {
  const cJSON *item = reader->wheel_item[wheel][index];
  return item && !is_varied(reader->study, wheel, index)
             ? item
             : omr_json_get(reader->json.root,
                            is_varied(reader->study, wheel, index) ? "vary" : "parameters");
}

static omr_status check_arms(omr_reader *reader, int wheel) {
  const omr_study *study = reader->study;
  for (size_t n = 0; n < sizeof arms / sizeof *arms; n++) {
    const arm *a = &arms[n];
    if (!is_there(study, wheel, a->friction) || is_there(study, wheel, a->radius)) continue;
    return OMR_REFUSE(reader, place_of(reader, wheel, a->friction),
                      "\"%s\" has no arm, and so no torque; give \"%s\" too",
                      omr_wheel_path(study->frame, a->friction),
                      omr_wheel_path(study->frame, a->radius));
  }
  return OMR_OK;
}

/* Under a constraint the contact force is what the constraint asks for, and friction by that force
 * would change it. */
static omr_status check_law(omr_reader *reader, int wheel) {
  const omr_study *study = reader->study;
  const char *law = omr_law_kinds[study->contact.law].name;
  for (size_t n = 0; n < sizeof of_rollers / sizeof *of_rollers; n++) {
    if (!omr_law_is_massless(study->contact.law) || !is_there(study, wheel, of_rollers[n]))
      continue;
    return OMR_REFUSE(reader, place_of(reader, wheel, of_rollers[n]),
                      "rollers without mass have no bearing friction; leave \"%s\" out, or choose "
                      "a law with explicit rollers",
                      omr_wheel_path(study->frame, of_rollers[n]));
  }
  for (size_t n = 0; n < sizeof loaded / sizeof *loaded; n++) {
    if (omr_law_is_friction(study->contact.law) || !is_there(study, wheel, loaded[n])) continue;
    return OMR_REFUSE(reader, place_of(reader, wheel, loaded[n]),
                      "\"%s\" acts by the load, which the law %s does not know while it finds its "
                      "forces; choose saturated_coulomb or regularized_coulomb, or a constant "
                      "torque: roller.dry.torque, axle_dry.torque",
                      omr_wheel_path(study->frame, loaded[n]), law);
  }
  return OMR_OK;
}

/* Drilling friction is a part of one law, and a study that carries it under another would be run
 * without. */
static omr_status check_drilling(omr_reader *reader, int wheel) {
  const omr_study *study = reader->study;
  const int index = OMR_WP_CONTOUR_RADIUS;
  if (omr_kind_uses(&omr_law_kinds[study->contact.law], index) || !is_there(study, wheel, index))
    return OMR_OK;
  return OMR_REFUSE(reader, place_of(reader, wheel, index),
                    "\"%s\" makes drilling friction, which the law %s does not have; leave it out, "
                    "or take the law saturated_coulomb",
                    omr_wheel_path(study->frame, index), omr_law_kinds[study->contact.law].name);
}

omr_status omr_check_dry(omr_reader *reader) {
  for (int wheel = 0; wheel < reader->study->wheels; wheel++) {
    OMR_TRY(check_drilling(reader, wheel));
    OMR_TRY(check_arms(reader, wheel));
    OMR_TRY(check_law(reader, wheel));
  }
  return OMR_OK;
}
