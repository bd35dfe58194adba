/* Whether a study makes use of a parameter: one that its model, layout, law, drives and ground
 * leave idle is refused. */
#include "parse.h"

#include <string.h>

static omr_status require_layout(omr_reader *reader, const cJSON *item, const char *path,
                                 omr_layout needed) {
  const omr_layout layout = reader->study->layout;
  if (layout == needed) return OMR_OK;
  return OMR_REFUSE(reader, item, "\"%s\" belongs to the layout of type %s; here it is %s", path,
                    omr_layout_names[needed], omr_layout_names[layout]);
}

static omr_status require_usable_in_vehicle(omr_reader *reader, const cJSON *item, int index) {
  const char *path = omr_vehicle_path(reader->study->frame, index);
  switch (index) {
  case OMR_VP_LAYOUT_RADIUS:
  case OMR_VP_LAYOUT_FIRST_ANGLE: return require_layout(reader, item, path, OMR_LAYOUT_RING);
  case OMR_VP_LAYOUT_HALF_LENGTH:
  case OMR_VP_LAYOUT_HALF_WIDTH: return require_layout(reader, item, path, OMR_LAYOUT_RECTANGLE);
  case OMR_VP_TRACKING:
    if (reader->study->contact.law == OMR_LAW_CLASSICAL)
      return OMR_REFUSE(reader, item,
                        "the law %s has no contact to track: its wheels touch the floor straight "
                        "below their centres",
                        omr_law_kinds[OMR_LAW_CLASSICAL].name);
    break;
  default: break;
  }

  /* Other parameters depend on the contact, the ground, the external force or the command. */
  OMR_TRY(omr_require_usable_compliant(reader, item, (omr_target){false, index, -1}));
  if (index == OMR_VP_INITIAL_HEIGHT || index == OMR_VP_INITIAL_HEAVE_RATE)
    return omr_require_usable_on_disc(reader, item, (omr_target){false, index, -1});
  if (omr_is_ground_parameter(index)) return omr_require_usable_ground(reader, item, index);

  const omr_kind *external = &omr_external_kinds[reader->study->external.kind];
  if (omr_is_external_parameter(index) && !omr_kind_uses(external, index))
    return omr_fail_unused(reader, item, "external force", external, path + sizeof "external." - 1);
  const omr_kind *command = &omr_command_kinds[reader->study->command.type];
  if (omr_is_command_parameter(index) && !omr_kind_uses(command, index))
    return omr_fail_unused(reader, item, "command", command, strrchr(path, '.') + 1);
  return OMR_OK;
}

static omr_status require_usable_drive(omr_reader *reader, const cJSON *item, omr_target target) {
  int factors = 0, users = 0;
  for (int wheel = omr_target_first(target); wheel < omr_target_end(reader, target); wheel++) {
    const omr_drive drive = reader->study->drives.law[wheel];
    if (!omr_kind_uses(&omr_drive_kinds[drive], target.index)) continue;
    users++;
    factors += drive == OMR_DRIVE_TABLE;
  }

  /* The value needs one meaning for all the wheels that use it. */
  if (users == 0)
    return omr_fail_unused(reader, item, "drive",
                           &omr_drive_kinds[omr_target_drive(reader, target)],
                           strrchr(omr_target_path(reader, target), '.') + 1);
  if (factors > 0 && factors < users)
    return OMR_REFUSE(reader, item,
                      "\"%s\" is a factor for the wheels with a table and a %s for the others; "
                      "give it in \"wheels\"",
                      strrchr(omr_target_path(reader, target), '.') + 1,
                      strrchr(omr_target_path(reader, target), '.') + 1);
  return omr_require_quantity(reader, item, target);
}

static omr_status require_usable_on_wheel(omr_reader *reader, const cJSON *item,
                                          omr_target target) {
  const bool position =
      target.index == OMR_WP_X || target.index == OMR_WP_Z || target.index == OMR_WP_AXIS_ANGLE;
  if (position && omr_has_platform(reader->study->model))
    return require_layout(reader, item, omr_target_path(reader, target), OMR_LAYOUT_EXPLICIT);
  if (omr_is_drive_parameter(target.index)) return require_usable_drive(reader, item, target);
  OMR_TRY(omr_require_usable_compliant(reader, item, target));
  return omr_require_usable_on_disc(reader, item, target);
}

omr_status omr_require_usable(omr_reader *reader, const cJSON *item, omr_target target) {
  const omr_parameter *parameter = omr_target_parameter(target);
  const omr_model model = reader->study->model;
  const bool small = omr_small_list_of(model) != NULL;
  if (!omr_study_has_parameter(reader->study, target.per_wheel, target.index) ||
      (small && target.per_wheel)) {
    char models[128];
    omr_parameter_models(parameter, models, sizeof models);
    return OMR_REFUSE(reader, item, "\"%s\" is a parameter of %s; the model of this study is %s",
                      omr_target_path(reader, target), models, omr_model_names[model]);
  }
  if (small) return omr_require_used(reader, item, target.index);
  return target.per_wheel ? require_usable_on_wheel(reader, item, target)
                          : require_usable_in_vehicle(reader, item, target.index);
}
