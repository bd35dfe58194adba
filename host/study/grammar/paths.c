/* Members that --set can give, for the completion: those of the study, and those that its model
 * has. */
#include "../../lists/frames.h"
#include "../json/json.h"
#include "keys.h"

#include <stdlib.h>
#include <string.h>

enum { PATH = 256 };

/* Each once; the text begins with a line end. */
static void add_path(omr_text *out, const char *above, const char *name) {
  char line[PATH + 4];
  snprintf(line, sizeof line, "\n%s%s=\n", above, name);
  if (out->length == 0) omr_text_add(out, "\n", 1);
  if (!out->failed && !strstr(out->data, line)) omr_text_print(out, "%s", line + 1);
}

/* Members of objects; arrays are given whole. */
static void add_members(const cJSON *object, const char *above, omr_text *out) {
  for (const cJSON *child = object->child; child; child = child->next) {
    char path[PATH];
    snprintf(path, sizeof path, "%s%s%s", above, *above ? "." : "", child->string);
    if (cJSON_IsObject(child))
      add_members(child, path, out);
    else
      add_path(out, "", path);
  }
}

static bool is_patch(const char *path) {
  return strncmp(path, "ground.patch", strlen("ground.patch")) == 0;
}

static void add_parameters(omr_model model, omr_frame_kind frame, omr_text *out) {
  for (int i = 0; i < OMR_VP_COUNT; i++)
    if (omr_parameter_belongs(&omr_vehicle_parameters[i], model) &&
        !is_patch(omr_vehicle_parameters[i].path))
      add_path(out, "parameters.", omr_vehicle_path(frame, i));
  for (int i = 0; i < OMR_WP_COUNT; i++)
    if (omr_parameter_belongs(&omr_wheel_parameters[i], model))
      add_path(out, "parameters.wheel.", omr_wheel_path(frame, i));
}

static void add_sections(omr_text *out) {
  static const char *const keys[] = {"title",
                                     "frame",
                                     "vary",
                                     "design",
                                     "integrator.method",
                                     "integrator.step",
                                     "integrator.duration",
                                     "integrator.stability",
                                     "integrator.on_failure",
                                     "integrator.step_error",
                                     "integrator.accept",
                                     "engine.backend",
                                     "engine.device",
                                     "engine.precision",
                                     "engine.threads",
                                     "engine.chunk",
                                     "output.observables",
                                     "output.trajectories"};

  /* Keys of the other sections are the ones that --set is used for. */
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) add_path(out, "", keys[i]);
  const omr_key_list *statistics = &omr_key_lists[OMR_SECTION_STATISTICS];
  for (int k = 0; k < statistics->count; k++)
    add_path(out, "statistics.", statistics->keys[k].name);
}

static omr_model model_of(const cJSON *root) {
  const cJSON *name = omr_json_get(root, "model");
  for (int i = 0; cJSON_IsString(name) && i < OMR_MODELS; i++)
    if (strcmp(omr_model_names[i], name->valuestring) == 0) return (omr_model)i;
  return OMR_MODEL_VEHICLE;
}

static omr_frame_kind frame_of(const cJSON *root) {
  const cJSON *name = omr_json_get(root, "frame");
  for (int f = 0; cJSON_IsString(name) && f < OMR_FRAMES; f++)
    if (strcmp(omr_frame_list[f].name, name->valuestring) == 0) return (omr_frame_kind)f;
  return OMR_FRAME_Y_UP;
}

omr_status omr_study_paths(const char *study, FILE *out, omr_error *error) {
  char *text = NULL;
  size_t length = 0;
  omr_json json = {0};
  omr_text paths = {0};

  /* A study gives its members and its model; without one these are the defaults. */
  omr_status status = study ? omr_read_study_file(study, &text, &length, error) : OMR_OK;
  if (status == OMR_OK && study) status = omr_json_parse(&json, text, length, study, error);

  /* Members of the study come before other parameters of its model. */
  if (status == OMR_OK) {
    if (json.root && cJSON_IsObject(json.root)) add_members(json.root, "", &paths);
    add_parameters(model_of(json.root), frame_of(json.root), &paths);
    add_sections(&paths);
    if (paths.failed)
      status = omr_fail(error, OMR_ERR_MEMORY, "out of memory");
    else
      fputs(paths.data + 1, out);
  }

  /* Everything is freed, whatever has failed. */
  omr_json_free(&json);
  omr_text_free(&paths);
  free(text);
  return status;
}
