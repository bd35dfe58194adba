/* Compliant contact of omni_vehicle and disc_vehicle: its words, the parameters that only it has,
 * and the settings that do not go with it. */
#include "parse.h"

#include <math.h>
#include <string.h>

static omr_status require_compliant(omr_reader *reader, const cJSON *item, const char *path) {
  if (reader->study->contact.compliant) return OMR_OK;
  return OMR_REFUSE(reader, item,
                    "\"%s\" belongs to compliant contact, and here the contact is %s; give "
                    "\"contact\": {\"normal\": \"compliant\"}",
                    path, reader->study->contact.penalty ? "penalty" : "rigid");
}

/* "spring" and "damper" are words of compliant contact. */
static omr_status check_part(omr_reader *reader, const cJSON *contact, const char *key) {
  const cJSON *item = omr_json_get(contact, key);
  if (!item) return OMR_OK;
  if (!omr_has_platform(reader->study->model))
    return OMR_REFUSE(reader, item,
                      "\"%s\" is a word of omni_vehicle and disc_vehicle with compliant contact; "
                      "the model of this study is %s",
                      key, omr_model_names[reader->study->model]);
  return require_compliant(reader, item, key);
}

static omr_status read_normal(omr_reader *reader, const cJSON *item) {
  static const char *const normals[] = {"rigid", "compliant"}, *const of_discs[] = {
                                                                   "rigid", "penalty", "compliant"};
  const omr_model model = reader->study->model;
  const bool disc = model == OMR_MODEL_DISC_VEHICLE;
  int choice = 0;
  if (!item) return OMR_OK;
  if (!omr_has_platform(model))
    return OMR_REFUSE(reader, item,
                      "\"normal\" is a word of omni_vehicle and disc_vehicle; the model of this "
                      "study is %s, whose wheel keeps its height",
                      omr_model_names[model]);
  if (!disc && cJSON_IsString(item) && strcmp(item->valuestring, "penalty") == 0)
    return OMR_REFUSE(reader, item,
                      "penalty contact is that of disc_vehicle; the springs of an omni_vehicle are "
                      "\"normal\": \"compliant\"");
  OMR_TRY(omr_read_word(reader, item, disc ? of_discs : normals, disc ? 3 : 2, &choice));
  reader->study->contact.compliant = choice == (disc ? 2 : 1);
  reader->study->contact.penalty = disc && choice == 1;
  return OMR_OK;
}

/* A constraint needs a load that does not come from the state; bristles are states of rollers that
 * each have a contact of their own. */
static omr_status check_law(omr_reader *reader, const cJSON *contact, const cJSON *normal) {
  const omr_study *study = reader->study;
  const cJSON *law = omr_json_get(contact, "law");
  if (omr_law_is_bristle(study->contact.law) && study->model != OMR_MODEL_VEHICLE)
    return OMR_REFUSE(reader, law,
                      "the law %s belongs to an omni_vehicle on compliant contact, and the model "
                      "of this study is %s; use \"law\": \"%s\", which creeps at rest",
                      omr_law_kinds[study->contact.law].name, omr_model_names[study->model],
                      omr_law_kinds[OMR_LAW_COULOMB].name);
  if (omr_law_is_bristle(study->contact.law) && !study->contact.compliant)
    return OMR_REFUSE(
        reader, law,
        "the law %s belongs to an omni_vehicle on compliant contact, and here the contact is "
        "rigid; add \"normal\": \"compliant\", or use \"law\": \"%s\", which creeps at rest",
        omr_law_kinds[study->contact.law].name, omr_law_kinds[OMR_LAW_COULOMB].name);
  if (!study->contact.compliant || omr_law_is_friction(study->contact.law)) return OMR_OK;
  return OMR_REFUSE(reader, law ? law : normal,
                    "the law %s is a constraint, and compliant contact has friction alone; use "
                    "\"law\": \"%s\" or \"%s\", or leave \"normal\" out",
                    omr_law_kinds[study->contact.law].name, omr_law_kinds[OMR_LAW_COULOMB].name,
                    omr_law_kinds[OMR_LAW_REGULARIZED].name);
}

omr_status omr_read_compliant(omr_reader *reader) {
  const cJSON *contact = NULL;
  if (reader->parameters) OMR_TRY(omr_read_object(reader, reader->parameters, "contact", &contact));
  if (!contact) return OMR_OK;
  const cJSON *normal = omr_json_get(contact, "normal");
  OMR_TRY(read_normal(reader, normal));
  OMR_TRY(check_part(reader, contact, "spring"));
  OMR_TRY(check_part(reader, contact, "damper"));
  return check_law(reader, contact, normal);
}

static bool is_spring(int index) {
  return index == OMR_WP_STIFFNESS || index == OMR_WP_HERTZ_STIFFNESS;
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

static omr_status fail_part(omr_reader *reader, const cJSON *item, const char *path,
                            const char *key, const char *needed, const char *present) {
  return OMR_REFUSE(reader, item,
                    "\"%s\" belongs to the %s %s; here it is %s. Give \"contact\": {\"%s\": "
                    "\"%s\"}, or leave \"%s\" out",
                    path, key, needed, present, key, needed, path);
}

omr_status omr_require_usable_compliant(omr_reader *reader, const cJSON *item, omr_target target) {
  const omr_study *study = reader->study;
  const char *path = omr_target_path(reader, target);
  if (!omr_has_platform(study->model) || !omr_is_of_compliant(target)) return OMR_OK;
  if (study->model == OMR_MODEL_DISC_VEHICLE && !study->contact.compliant &&
      !omr_is_of_compliant_alone(target))
    return OMR_OK; /* parse_disc.c, whose springs are penalty contact too */
  if (!target.per_wheel && omr_is_floor_parameter(target.index))
    return omr_require_usable_floor(reader, item, target.index);
  OMR_TRY(require_compliant(reader, item, path));
  if (!target.per_wheel) return OMR_OK;
  if (is_spring(target.index) && study->contact.hertz != (target.index == OMR_WP_HERTZ_STIFFNESS))
    return fail_part(reader, item, path, "spring", study->contact.hertz ? "linear" : "hertz",
                     study->contact.hertz ? "hertz" : "linear");
  if (target.index == OMR_WP_DISSIPATION && study->contact.kelvin_voigt)
    return fail_part(reader, item, path, "damper", "hunt_crossley", "kelvin_voigt");
  if (target.index == OMR_WP_DAMPING && !study->contact.kelvin_voigt)
    return fail_part(reader, item, path, "damper", "kelvin_voigt", "hunt_crossley");
  return OMR_OK;
}

/* ---- words and values that do not go with it */

static const omr_variation *variation_of(const omr_study *study, bool per_wheel, int index) {
  for (size_t j = 0; j < study->variation_count; j++)
    if (study->variations[j].per_wheel == per_wheel && study->variations[j].index == index)
      return &study->variations[j];
  return NULL;
}

static omr_status fail_integrator(omr_reader *reader, const cJSON *root, const char *key,
                                  const char *why) {
  const cJSON *section = omr_json_get(root, "integrator"), *item = omr_json_get(section, key);
  return OMR_REFUSE(reader, item ? item : section, "%s", why);
}

static omr_status check_integrator(omr_reader *reader, const cJSON *root) {
  const omr_study *study = reader->study;
  if (!omr_controls_steps(study) && omr_is_implicit(study->time.method))
    return fail_integrator(reader, root, "method",
                           "\"rosenbrock\" does not know the springs of compliant contact; give "
                           "\"tolerance\" in place of \"step\", whose method does, or use "
                           "\"rk4\" with a step that resolves them");
  if (omr_json_get(omr_json_get(root, "integrator"), "exchange"))
    return fail_integrator(reader, root, "exchange",
                           "with compliant contact the load passes from roller to roller by "
                           "itself, and no step is split at an exchange; leave \"exchange\" out");
  return OMR_OK;
}

static omr_status check_tracking(omr_reader *reader, const cJSON *root) {
  const omr_study *study = reader->study;
  const omr_variation *varied = variation_of(study, false, OMR_VP_TRACKING);
  if (!varied && study->base.vehicle[OMR_VP_TRACKING] == OMR_TRACKING_EXPLICIT) return OMR_OK;
  const cJSON *item = reader->vehicle_item[OMR_VP_TRACKING];
  return OMR_REFUSE(reader, varied || !item ? omr_json_get(root, "vary") : item,
                    "compliant contact finds the deepest point of each roller by one way alone, "
                    "\"tracking\": \"explicit\"; leave \"tracking\" out");
}

/* Friction of the floor that the kernels take from a rigid load. */
static omr_status check_floor_friction(omr_reader *reader, const cJSON *root, int wheel) {
  static const int refused[] = {OMR_WP_ROLLING_FRICTION, OMR_WP_CONTOUR_RADIUS};
  const omr_study *study = reader->study;
  for (size_t n = 0; n < sizeof refused / sizeof *refused; n++) {
    const omr_variation *varied = variation_of(study, true, refused[n]);
    if (!varied && !(study->base.wheel[wheel][refused[n]] > 0)) continue;
    const cJSON *item = reader->wheel_item[wheel][refused[n]];
    return OMR_REFUSE(reader, varied || !item ? omr_json_get(root, "vary") : item,
                      "\"%s\" does not act with compliant contact; leave it out (friction of "
                      "bearings acts: %s), or take rigid contact",
                      omr_wheel_path(study->frame, refused[n]),
                      study->model == OMR_MODEL_DISC_VEHICLE
                          ? "\"axle_bearing\""
                          : "\"roller.dry\", \"axle_dry\", \"roller.bearing\"");
  }
  return OMR_OK;
}

/* Rollers that overlap in one row would run into each other. */
static omr_status check_coverage(omr_reader *reader, int wheel) {
  const omr_study *study = reader->study;
  const double *base = study->base.wheel[wheel];
  const cJSON *item = reader->wheel_item[wheel][OMR_WP_COVERAGE];
  if (!item || variation_of(study, true, OMR_WP_COVERAGE) || !(base[OMR_WP_COVERAGE] > 1) ||
      base[OMR_WP_ROW_DISTANCE] > 0 || variation_of(study, true, OMR_WP_ROW_DISTANCE))
    return OMR_OK;
  return OMR_REFUSE(reader, item,
                    "a coverage above 1 makes neighbouring rollers overlap, which needs two rows; "
                    "give \"row_distance\", or a coverage of at most 1");
}

/* Springs for all wheels or for none; the rest of a suspension needs one. */
static omr_status check_suspension(omr_reader *reader, const cJSON *root) {
  static const int rest[] = {OMR_WP_SUSPENSION_DAMPING, OMR_WP_SUSPENSION_PRELOAD,
                             OMR_WP_SUSPENSION_MASS};
  omr_study *study = reader->study;
  int without = -1;
  for (int i = 0; i < study->wheels; i++) { /* a variation needs a base value, too */
    if (!isnan(study->base.wheel[i][OMR_WP_SUSPENSION_STIFFNESS]))
      study->contact.suspension = true;
    else if (without < 0)
      without = i;
  }
  if (study->contact.suspension && without < 0) return OMR_OK;
  const cJSON *parameters = omr_json_get(root, "parameters");
  if (study->contact.suspension)
    return OMR_REFUSE(reader, parameters,
                      "wheels[%d] has no suspension.stiffness, and others have one; give it for "
                      "all wheels, as \"wheel\": {\"suspension\": ...}, or for none",
                      without);
  for (size_t n = 0; n < sizeof rest / sizeof *rest; n++) {
    const cJSON *item = reader->wheel_item[0][rest[n]];
    for (int i = 1; !item && i < study->wheels; i++) item = reader->wheel_item[i][rest[n]];
    if (!item && variation_of(study, true, rest[n])) item = omr_json_get(root, "vary");
    if (!item) continue;
    return OMR_REFUSE(reader, item,
                      "\"%s\" belongs to a suspension, which has a spring; give \"suspension\": "
                      "{\"stiffness\": ...} for all wheels",
                      omr_wheel_path(study->frame, rest[n]));
  }
  return OMR_OK;
}

omr_status omr_check_compliant(omr_reader *reader, const cJSON *root) {
  if (!reader->study->contact.compliant) return OMR_OK;
  OMR_TRY(check_suspension(reader, root));
  OMR_TRY(omr_check_floor(reader));
  OMR_TRY(check_integrator(reader, root));
  OMR_TRY(check_tracking(reader, root));
  for (int wheel = 0; wheel < reader->study->wheels; wheel++) {
    OMR_TRY(check_floor_friction(reader, root, wheel));
    OMR_TRY(check_coverage(reader, wheel));
  }
  return OMR_OK;
}
