/* Members that --set can give, for the completion: those of the study, and those that its model has. */
#include "cli.h"
#include "model/small.h"
#include "statistics/settings.h"
#include "study/json.h"
#include <stdlib.h>
#include <string.h>

enum { PATH = 256 };

/* Members of objects; arrays are given whole. */
static void print_members(const cJSON *object, const char *above, FILE *out) {
  for (const cJSON *child = object->child; child; child = child->next) {
    char path[PATH];
    snprintf(path, sizeof path, "%s%s%s", above, *above ? "." : "", child->string);
    if (cJSON_IsObject(child))
      print_members(child, path, out);
    else
      fprintf(out, "%s=\n", path);
  }
}

static bool is_patch(const char *path) {
  return strncmp(path, "ground.patch", strlen("ground.patch")) == 0;
}

static void print_parameters(omr_model model, FILE *out) {
  for (int i = 0; i < OMR_VP_COUNT; i++)
    if (omr_parameter_belongs(&omr_vehicle_parameters[i], model) && !is_patch(omr_vehicle_parameters[i].path))
      fprintf(out, "parameters.%s=\n", omr_vehicle_parameters[i].path);
  for (int i = 0; i < OMR_WP_COUNT; i++)
    if (omr_parameter_belongs(&omr_wheel_parameters[i], model))
      fprintf(out, "parameters.wheel.%s=\n", omr_wheel_parameters[i].path);
}

static void print_sections(FILE *out) {
  static const char *const keys[] = {"title",           "vary",           "design",          "integrator.method",    "integrator.step",
                                     "integrator.duration", "integrator.stability", "integrator.on_failure", "engine.backend",
                                     "engine.device",   "engine.precision", "engine.threads", "engine.chunk",
                                     "output.observables", "output.trajectories"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) fprintf(out, "%s=\n", keys[i]);
#define X(id, key, standard, meaning) fprintf(out, "statistics.%s=\n", key);
  OMR_STATISTICS_KEYS(X)
#undef X
}

static omr_model model_of(const cJSON *root) {
  const cJSON *name = root ? omr_json_get(root, "model") : NULL;
  for (int i = 0; cJSON_IsString(name) && i < OMR_MODELS; i++)
    if (strcmp(omr_model_names[i], name->valuestring) == 0) return (omr_model)i;
  return OMR_MODEL_VEHICLE;
}

omr_status cli_print_paths(const char *study, FILE *out, omr_error *error) {
  char *text = NULL;
  size_t length = 0;
  omr_json json = {0};
  omr_status status = study ? omr_read_file(study, &text, &length, error) : OMR_OK;
  if (status == OMR_OK && study) status = omr_json_parse(&json, text, length, study, error);
  if (status == OMR_OK) {
    if (json.root && cJSON_IsObject(json.root)) print_members(json.root, "", out);
    print_parameters(model_of(json.root), out);
    print_sections(out);
  }
  omr_json_free(&json);
  free(text);
  return status;
}
