/* The bodies of a vehicle as JSON, for models of it in other simulators: what study/ and model/
 * know of one instance, in SI. Places and directions are forward, to the left and up in any frame.
 */
#include "../compliant.h"
#include "../prepare.h"
#include "scene.h"

#include "../../study/json/json.h"
#include <math.h>

/* A vehicle that is ready to run. */
typedef struct made {
  const omr_study *study;
  const omr_scene *scene;
  omr_vehicle_body body;
  omr_run_settings settings;
  omr_batch batch; /* its first slot has the instance */
} made;

/* Positive rates of the study turn a wheel about k, or in the frame "ros" about -k. */
static double turning(const made *m) {
  return m->study->frame == OMR_FRAME_Y_UP ? 1 : -1;
}

static void put_three(cJSON *object, const char *name, double forward, double right, double up) {
  const double value[3] = {forward, 0.0 - right, up};
  cJSON *list = omr_tree_list(object, name);
  for (int i = 0; i < 3; i++) omr_tree_append(list, cJSON_CreateNumber(value[i]));
}

/* Every parameter with its path in the kernels' frame, also where a study has no use for it. */
static void put_values(cJSON *object, const omr_parameter *list, int count, const double *value) {
  cJSON *values = omr_tree_object(object, "values");
  for (int i = 0; i < count; i++) omr_tree_number(values, list[i].path, value[i]);
}

static void put_roller(cJSON *wheel, const omr_scene_wheel *shown, const omr_wheel_body *w) {
  const omr_roller *r = &w->roller;
  cJSON *roller = omr_tree_object(wheel, "roller");
  omr_tree_number(roller, "count", r->rollers);
  omr_tree_number(roller, "inclination", r->inclination);
  omr_tree_number(roller, "center_distance", r->center);
  omr_tree_number(roller, "row_distance", r->row_distance);
  omr_tree_number(roller, "end", r->end);
  omr_tree_number(roller, "length", shown->length);
  omr_tree_number(roller, "largest_radius", shown->widest);
  omr_tree_number(roller, "mass", w->mass.mass);
  omr_tree_number(roller, "axial_inertia", w->mass.axial);
  omr_tree_number(roller, "diametral_inertia", w->mass.diametral);
}

/* The contact's spring and damper under the load at rest, and what a suspension carries then. */
static void put_springs(cJSON *wheel, const made *m, int i) {
  const omr_study *study = m->study;
  const double *column = m->batch.params;
  const size_t stride = m->batch.stride, at = (size_t)OMR_PARAM_COLUMN(i, 0);
  const double share = study->kind[i] == OMR_WHEEL_TRACKING
                           ? m->scene->values.wheel[i][OMR_WP_TRACKING_PRELOAD]
                           : column[(size_t)P_WEIGHT * stride] / study->wheels;
  const double k = column[(at + W_CONTACT_STIFFNESS) * stride];
  const double depth = study->contact.hertz ? pow(share / k, 2.0 / 3) : share / k;
  omr_tree_number(wheel, "contact_stiffness", omr_spring_at(k, study->contact.hertz, depth).slope);
  omr_tree_number(wheel, "contact_damping",
                  study->contact.kelvin_voigt ? column[(at + W_CONTACT_DAMPING) * stride]
                                              : share * column[(at + W_CROSSLEY) * stride]);
  if (study->contact.suspension)
    omr_tree_number(wheel, "preload", column[(at + W_PRELOAD) * stride]);
}

static void put_wheel(cJSON *list, const made *m, int i) {
  const omr_study *study = m->study;
  const omr_wheel_body *w = &m->body.wheel[i];
  const double turn = turning(m);
  cJSON *wheel = omr_tree_row(list);
  omr_tree_text(wheel, "name", study->wheel_name[i]);
  omr_tree_text(wheel, "kind", omr_wheel_kinds[study->kind[i]].name);
  omr_tree_text(wheel, "drive", omr_drive_kinds[study->drives.law[i]].name);
  omr_tree_text(wheel, "by", omr_drive_quantities[study->drives.by[i]].name);
  omr_tree_text(wheel, "law", omr_law_kinds[omr_wheel_law(study, i)].name);

  /* Its place: the swivel axis of a fork, else the wheel's centre. */
  put_three(wheel, "place", w->a, w->b, w->roller.radius);
  put_three(wheel, "axis", turn * w->sin_delta, turn * w->cos_delta, 0);
  omr_tree_number(wheel, "axis_angle", w->delta);
  omr_tree_number(wheel, "radius", w->roller.radius);
  omr_tree_number(wheel, "trail", w->trail);
  omr_tree_number(wheel, "total_mass", w->total_mass);
  if (m->scene->wheel[i].rollers) put_roller(wheel, &m->scene->wheel[i], w);
  if (study->contact.compliant) put_springs(wheel, m, i);
  put_values(wheel, omr_wheel_parameters, OMR_WP_COUNT, m->scene->values.wheel[i]);
}

static void put_platform(cJSON *root, const made *m) {
  const double *p = m->scene->values.vehicle, *column = m->batch.params;
  const double yaw = p[OMR_VP_PLATFORM_YAW_INERTIA], roll = p[OMR_VP_PLATFORM_ROLL_INERTIA],
               pitch = p[OMR_VP_PLATFORM_PITCH_INERTIA];
  const size_t stride = m->batch.stride;
  cJSON *platform = omr_tree_object(root, "platform");
  omr_tree_number(platform, "mass", p[OMR_VP_PLATFORM_MASS]);
  put_three(platform, "center_of_mass", p[OMR_VP_COM_X], p[OMR_VP_COM_Z], p[OMR_VP_COM_HEIGHT]);
  cJSON *inertia = omr_tree_list(platform, "inertia");
  omr_tree_append(inertia, cJSON_CreateNumber(isnan(roll) ? 0.5 * yaw : roll));
  omr_tree_append(inertia, cJSON_CreateNumber(isnan(pitch) ? 0.5 * yaw : pitch));
  omr_tree_append(inertia, cJSON_CreateNumber(yaw));

  /* With its wheels, about their common centre of mass. */
  cJSON *whole = omr_tree_object(root, "whole");
  omr_tree_number(whole, "mass", column[(size_t)P_MASS * stride]);
  omr_tree_number(whole, "yaw_inertia", 1 / column[(size_t)P_INV_YAW * stride]);
  put_three(whole, "center_of_mass", column[(size_t)P_COM_X * stride],
            column[(size_t)P_COM_Z * stride], column[(size_t)P_HEIGHT * stride]);
}

/* Place of the body origin at the start, and yaw, pitch with the nose down and roll there. */
static void put_start(cJSON *root, const made *m) {
  const double *state = m->batch.state;
  const size_t stride = m->batch.stride;
  const bool rises = m->study->contact.compliant;
  cJSON *start = omr_tree_object(root, "start");
  put_three(start, "place", state[(size_t)S_X * stride], state[(size_t)S_Z * stride],
            rises ? state[(size_t)S_HEIGHT * stride] : 0);
  omr_tree_number(start, "yaw", state[(size_t)S_YAW * stride]);
  omr_tree_number(start, "pitch", rises ? -state[(size_t)S_PITCH * stride] : 0);
  omr_tree_number(start, "roll", rises ? state[(size_t)S_ROLL * stride] : 0);
}

/* The direction against gravity, from the floor's normal. */
static void put_gravity(cJSON *root, const made *m) {
  const double *p = m->scene->values.vehicle, g = p[OMR_VP_GRAVITY];
  double up[3] = {0, 1, 0};
  omr_floor floor;
  if (omr_floor_bits(m->study) & FLOOR_SLOPE) {
    omr_floor_make(m->study, &m->scene->values, &floor);
    for (int i = 0; i < 3; i++) up[i] = floor.columns[F_UP_X + i];
  }
  put_three(root, "gravity", -g * up[0], -g * up[2], -g * up[1]);
}

static void put_contact(cJSON *root, const omr_study *study) {
  cJSON *contact = omr_tree_object(root, "contact");
  const char *normal = study->contact.compliant ? "compliant"
                       : study->contact.penalty ? "penalty"
                                                : "rigid";
  omr_tree_text(contact, "normal", normal);
  omr_tree_text(contact, "law", omr_law_kinds[study->contact.law].name);
  omr_tree_bool(contact, "holds",
                study->contact.law == OMR_LAW_ROLLING || omr_law_is_massless(study->contact.law));
  omr_tree_bool(contact, "hertz", study->contact.hertz);
  omr_tree_bool(contact, "kelvin_voigt", study->contact.kelvin_voigt);
  omr_tree_bool(contact, "suspension", study->contact.suspension);
  omr_tree_text(root, "ground", omr_ground_kinds[study->floor.kind].name);
  omr_tree_bool(root, "uneven", (omr_floor_bits(study) & FLOOR_PROFILE) != 0);
  omr_tree_bool(root, "external", study->external.kind != OMR_EXTERNAL_NONE);
  omr_tree_bool(root, "yaw_loss", omr_loses_yaw(study));
}

static cJSON *tree_of(const made *m) {
  const omr_study *study = m->study;
  cJSON *root = cJSON_CreateObject();
  omr_tree_text(root, "title", omr_study_title(study));
  omr_tree_text(root, "model", omr_model_names[study->model]);
  omr_tree_text(root, "frame", omr_frame_list[study->frame].name);
  if (m->scene->instance == OMR_NONE)
    omr_tree_null(root, "instance");
  else
    omr_tree_number(root, "instance", (double)m->scene->instance);
  put_gravity(root, m);
  put_contact(root, study);
  put_platform(root, m);
  put_start(root, m);
  put_values(root, omr_vehicle_parameters, OMR_VP_COUNT, m->scene->values.vehicle);
  cJSON *wheels = omr_tree_list(root, "wheels");
  for (int i = 0; i < m->body.wheels; i++) put_wheel(wheels, m, i);
  return root;
}

/* Folds the vehicle of the scene, whose values make one. */
static omr_status make(made *m, omr_error *error) {
  char reason[400];
  omr_status status = omr_settings_make(m->study, &m->settings, error);
  if (status != OMR_OK) return status;
  if (!omr_batch_make(&m->settings, OMR_PAD, &m->batch))
    return omr_fail(error, OMR_ERR_MEMORY, "out of memory");
  if (omr_build_body(m->study, &m->scene->values, &m->body, reason, sizeof reason) &&
      omr_prepare_instance(m->study, &m->settings, &m->scene->values, &m->batch, 0, reason,
                           sizeof reason))
    return OMR_OK;
  return omr_fail(error, OMR_ERR_STUDY, "%s: %s", m->study->name, reason);
}

omr_status omr_study_bodies_json(const omr_study *study, size_t instance, char **json,
                                 omr_error *error) {
  omr_scene scene;
  *json = NULL;
  if (!omr_has_platform(study->model))
    return omr_fail(error, OMR_ERR_STUDY,
                    "%s: the model %s has no platform on wheels, which another simulator could "
                    "drive; a study of the model omni_vehicle has one",
                    study->name, omr_model_names[study->model]);
  omr_status status = omr_scene_open(study, instance, &scene, error);
  if (status != OMR_OK) return status;
  made m = {.study = study, .scene = &scene};
  status = make(&m, error);
  if (status == OMR_OK) status = omr_json_give(tree_of(&m), json, error);
  omr_batch_free(&m.batch);
  omr_settings_free(&m.settings);
  return status;
}
