/* A scene as JSON, for `omniroll show --json` and for result files. */
#include "../doubts.h"
#include "../ideal.h"
#include "scene_block.h"
#include "scene_graph.h"

#include "../../study/grammar/reader.h"
#include "../../study/json/json.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rounds to nine digits, and to 0 below 1e-12: the rest is rounding error. */
static double rounded(double value) {
  if (fabs(value) < 1e-12) return 0;
  if (!isfinite(value)) return value;
  const double scale = pow(10, 8 - floor(log10(fabs(value))));
  return isfinite(scale) ? round(value * scale) / scale : value;
}

static void put(cJSON *object, const char *name, double value) {
  omr_tree_number(object, name, rounded(value));
}

static void put_place(cJSON *list, const double *values, int count) {
  cJSON *row = cJSON_CreateArray();
  for (int i = 0; row && i < count; i++)
    omr_tree_append(row, cJSON_CreateNumber(rounded(values[i])));
  omr_tree_append(list, row);
}

static void put_numbers(cJSON *object, const char *name, const double *values, int count) {
  cJSON *list = omr_tree_list(object, name);
  for (int i = 0; i < count; i++) omr_tree_append(list, cJSON_CreateNumber(rounded(values[i])));
}

static void put_wheel(cJSON *list, const omr_scene *s, const omr_scene_wheel *w) {
  cJSON *row = omr_tree_row(list);
  if (w->kind != OMR_WHEEL_ROLLER) omr_tree_text(row, "kind", omr_wheel_kinds[w->kind].name);
  put(row, "x", w->x);
  put(row, omr_scene_axis(s), omr_scene_across(s, w->z));
  put(row, "axis_angle", w->axis_angle);
  put(row, "radius", w->radius);
  if (w->half_width > 0) put(row, "half_width", w->half_width);
  if (w->tilt < 1.5707963 || w->tilt > 1.5707964) put(row, "tilt", w->tilt);
  if (w->rollers) {
    put(row, "rollers", w->rollers);
    put(row, "center_distance", w->roller.center);
    put(row, "row_distance", w->roller.row_distance);
  }
  if (w->rollers || w->inclination != 0) put(row, "inclination", w->inclination);
  if (w->drive) omr_tree_text(row, "drive", w->drive);
  const char *name = s->study->wheel_name[w - s->wheel];
  if (*name) omr_tree_text(row, "name", name);
}

static void put_roller(cJSON *root, const omr_scene_wheel *w) {
  if (!w->rollers) return;
  cJSON *roller = omr_tree_object(root, "roller");
  put(roller, "length", w->length);
  put(roller, "largest_radius", w->widest);
  put(roller, "tip_radius", w->tip);
  put(roller, "inclination", w->inclination);
}

static void put_vehicle(cJSON *root, const omr_scene *s) {
  const double com[3] = {s->com_x, omr_scene_across(s, s->com_z), s->com_height};
  const double *p = s->values.vehicle;
  cJSON *platform = omr_tree_object(root, "platform");
  put(platform, "mass", p[OMR_VP_PLATFORM_MASS]);
  put(platform, "yaw_inertia", p[OMR_VP_PLATFORM_YAW_INERTIA]);
  put(root, "mass", s->mass);
  cJSON *place = omr_tree_list(root, "center_of_mass");
  for (int i = 0; i < 3; i++) omr_tree_append(place, cJSON_CreateNumber(rounded(com[i])));
  cJSON *polygon = omr_tree_list(root, "polygon");
  for (int i = 0; i < s->corners; i++) {
    const double corner[2] = {s->corner[i][0], omr_scene_across(s, s->corner[i][1])};
    put_place(polygon, corner, 2);
  }
  if (s->corners) put(root, "margin", s->margin);
}

static void put_command(cJSON *root, const omr_scene *s) {
  cJSON *command = omr_tree_object(root, "command");
  omr_tree_text(command, "type", omr_command_kinds[s->study->command.type].name);
  put(command, "vx", s->vx);
  put(command, strrchr(omr_vehicle_path(s->study->frame, OMR_VP_COMMAND_VZ), '.') + 1,
      omr_scene_across(s, s->vz));
  put(command, "yaw_rate", s->yaw_rate);
  put(command, "time", s->when);
}

/* The linear model, in the study's frame. */
static void put_ideal(cJSON *root, const omr_scene *s) {
  static const int velocities[3] = {OMR_VP_INITIAL_VX, OMR_VP_INITIAL_VZ, OMR_VP_INITIAL_YAW_RATE};
  const omr_frame_kind frame = s->study->frame;
  const omr_framing rate = omr_parameter_turn(frame, true, OMR_WP_RATE);
  cJSON *object = omr_tree_object(root, "ideal");
  omr_ideal ideal;
  omr_ideal_make(s->study, s->params, 1, &ideal);
  put(object, "controller_period", s->study->drives.period);
  cJSON *names = omr_tree_list(object, "velocities"), *inertia = omr_tree_list(object, "inertia"),
        *rates = omr_tree_list(object, "wheel_rates");
  for (int i = 0; i < 3; i++) {
    const omr_framing turn = omr_parameter_turn(frame, false, velocities[i]);
    const char *path = omr_vehicle_path(frame, velocities[i]);
    omr_tree_append(names, cJSON_CreateString(strrchr(path, '.') + 1));
    for (int j = 0; j < 3; j++) {
      ideal.inertia[i][j] = omr_turned(turn, ideal.inertia[i][j]);
      ideal.inertia[j][i] = omr_turned(turn, ideal.inertia[j][i]);
    }
    for (int w = 0; w < s->wheels; w++)
      ideal.rate[w][i] = omr_turned(turn, omr_turned(rate, ideal.rate[w][i]));
  }
  for (int i = 0; i < 3; i++) put_place(inertia, ideal.inertia[i], 3);
  for (int w = 0; w < s->wheels; w++) put_place(rates, ideal.rate[w], 3);
  put_numbers(object, "torque_per_drive", ideal.torque, s->wheels);
  put_numbers(object, "torque_per_rate", ideal.resist, s->wheels);
}

static void put_doubts(cJSON *root, const omr_scene *s) {
  omr_doubts doubts;
  omr_doubts_find(s, &doubts);
  cJSON *list = omr_tree_list(root, "warnings");
  for (int i = 0; i < doubts.count; i++) {
    const omr_doubt *doubt = &doubts.list[i];
    cJSON *row = omr_tree_row(list);
    omr_tree_text(row, "kind", omr_doubt_words[doubt->kind]);
    omr_tree_text(row, "text", doubt->text);
    cJSON *wheels = omr_tree_list(row, "wheels");
    if (doubt->wheel >= 0) omr_tree_append(wheels, cJSON_CreateNumber(doubt->wheel));
    if (doubt->other >= 0) omr_tree_append(wheels, cJSON_CreateNumber(doubt->other));
  }
}

/* linear: with the linear model, which result files do not keep. */
static cJSON *tree_of(const omr_scene *s, bool linear) {
  /* The head of every scene. */
  cJSON *root = cJSON_CreateObject();
  omr_tree_text(root, "title", omr_study_title(s->study));
  omr_tree_text(root, "model", omr_model_names[s->study->model]);
  if (s->study->frame != OMR_FRAME_Y_UP) /* y_up is the default */
    omr_tree_text(root, "frame", omr_frame_list[s->study->frame].name);
  if (s->instance == OMR_NONE)
    omr_tree_null(root, "instance");
  else
    omr_tree_number(root, "instance", (double)s->instance);

  /* A graph or a block has no wheels. */
  if (s->study->graph) {
    omr_scene_put_graph(root, s->study, &s->values);
    return root;
  }
  if (s->block) {
    omr_scene_put_block(root, s);
    return root;
  }

  /* Wheels, rods and vehicle. */
  cJSON *wheels = omr_tree_list(root, "wheels");
  for (int i = 0; i < s->wheels; i++) put_wheel(wheels, s, &s->wheel[i]);

  /* The roller of the first wheel, and rods between wheels. */
  put_roller(root, &s->wheel[0]);
  if (s->rods) {
    cJSON *rods = omr_tree_list(root, "rods");
    for (int i = 0; i < s->rods; i++) {
      const double ends[4] = {s->rod[i].x0, omr_scene_across(s, s->rod[i].z0), s->rod[i].x1,
                              omr_scene_across(s, s->rod[i].z1)};
      put_place(rods, ends, 4);
    }
  }

  /* Platform and command of vehicles. */
  if (s->vehicle) put_vehicle(root, s);
  if (s->commanded) put_command(root, s);
  if (linear && s->vehicle && omr_has_platform(s->study->model)) put_ideal(root, s);

  put_doubts(root, s);
  return root;
}

omr_status omr_scene_open(const omr_study *study, size_t instance, omr_scene *scene,
                          omr_error *error) {
  char reason[400];
  if (instance != OMR_NONE && instance >= study->instances)
    return omr_fail(error, OMR_ERR_USAGE,
                    "%s: there is no instance %zu: the study has %zu, numbered from 0", study->name,
                    instance, study->instances);
  if (omr_scene_make(study, instance, scene, reason, sizeof reason)) return OMR_OK;
  if (instance != OMR_NONE)
    return omr_fail(error, OMR_ERR_STUDY, "%s: instance %zu cannot be shown: %s", study->name,
                    instance, reason);
  return omr_fail(error, OMR_ERR_STUDY, "%s: its nominal values cannot be shown: %s%s", study->name,
                  reason,
                  study->instances > 1 && !omr_model_is_own(study->model)
                      ? "; --instance 0 shows the values of the first instance"
                      : "");
}

omr_status omr_study_scene_json(const omr_study *study, size_t instance, char **json,
                                omr_error *error) {
  omr_scene scene;
  *json = NULL;
  const omr_status status = omr_scene_open(study, instance, &scene, error);
  return status == OMR_OK ? omr_json_give(tree_of(&scene, true), json, error) : status;
}

/* Removes the white space that only breaks lines. */
static void squeeze(char *json) {
  char *to = json;
  bool quoted = false;
  for (const char *from = json; *from; from++) {
    if (*from == '"') quoted = !quoted;
    if (quoted && *from == '\\') *to++ = *from++;
    if (quoted || (*from != ' ' && *from != '\n')) *to++ = *from;
  }
  *to = '\0';
}

char *omr_scene_kept(const omr_study *study) {
  omr_scene scene;
  char reason[400], *json = NULL;
  if (omr_scene_make(study, OMR_NONE, &scene, reason, sizeof reason) &&
      omr_json_give(tree_of(&scene, false), &json, NULL) == OMR_OK)
    squeeze(json);
  return json;
}
