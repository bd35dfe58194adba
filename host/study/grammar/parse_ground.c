/* The ground: parameters.ground. */
#include "parse.h"

#include <string.h>

enum { PATCH_PARAMETERS = OMR_VP_PATCH1_X - OMR_VP_PATCH0_X };

static omr_status read_patch(omr_reader *reader, const cJSON *ground, int patch) {
  const char *shapes[OMR_PATCH_KINDS - 1];
  char key[16];
  const cJSON *object;
  int shape = 0;
  snprintf(key, sizeof key, "patch%d", patch);
  OMR_TRY(omr_read_object(reader, ground, key, &object));
  if (!object) return OMR_OK;
  if (reader->study->floor.kind != OMR_GROUND_PATCHES)
    return omr_fail_unused(reader, object, "ground", &omr_ground_kinds[reader->study->floor.kind],
                           key);
  for (int i = 0; i < OMR_PATCH_KINDS - 1; i++) shapes[i] = omr_patch_kinds[i + 1].name;
  OMR_TRY(omr_read_choice(reader, object, "shape", shapes, OMR_PATCH_KINDS - 1, &shape));
  reader->study->floor.patch[patch] = (omr_patch)(shape + 1);
  return OMR_OK;
}

omr_status omr_read_ground(omr_reader *reader) {
  const cJSON *ground, *item;
  int patches = 0;
  OMR_TRY(omr_read_object(reader, reader->parameters, "ground", &ground));
  if (!ground) return OMR_OK;
  OMR_TRY(omr_require(reader, ground, "type", "\"patches\"", &item));
  OMR_TRY(omr_read_words(reader, ground, "ground."));
  for (int patch = 0; patch < OMR_PATCHES; patch++) {
    OMR_TRY(read_patch(reader, ground, patch));
    patches += reader->study->floor.patch[patch] != OMR_PATCH_NONE;
  }
  if (reader->study->floor.kind == OMR_GROUND_PATCHES && patches == 0)
    return OMR_REFUSE(reader, ground,
                      "a ground of type patches needs some: \"patch0\": {\"x\": 1, \"%s\": 0, "
                      "\"length\": 0.5, \"width\": 2, \"friction\": 0.05}, up to \"patch%d\"",
                      strrchr(omr_vehicle_path(reader->study->frame, OMR_VP_PATCH0_Z), '.') + 1,
                      OMR_PATCHES - 1);
  return OMR_OK;
}

omr_status omr_require_usable_ground(omr_reader *reader, const cJSON *item, int index) {
  const omr_study *study = reader->study;
  const omr_kind *ground = &omr_ground_kinds[study->floor.kind];
  const char *path = omr_vehicle_path(reader->study->frame, index) + sizeof "ground." - 1;
  const int patch = omr_patch_of(index);

  /* A parameter of no patch belongs to a type of ground. */
  if (patch < 0)
    return omr_kind_uses(ground, index) ? OMR_OK
                                        : omr_fail_unused(reader, item, "ground", ground, path);

  /* A patch has to be there. */
  if (study->floor.kind != OMR_GROUND_PATCHES)
    return omr_fail_unused(reader, item, "ground", ground, path);
  if (study->floor.patch[patch] == OMR_PATCH_NONE)
    return OMR_REFUSE(
        reader, item,
        "there is no such patch; put \"patch%d\": {...} into \"ground\" among the parameters",
        patch);

  /* Its shape has to use the parameter. */
  const omr_kind *shape = &omr_patch_kinds[study->floor.patch[patch]];
  if (omr_kind_uses(shape, index - patch * PATCH_PARAMETERS)) return OMR_OK;
  return OMR_REFUSE(reader, item, "a patch of shape %s has no \"%s\"", shape->name,
                    path + sizeof "patch0." - 1);
}
