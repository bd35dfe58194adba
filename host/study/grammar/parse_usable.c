/* Whether a study makes use of a parameter: one that its model, layout, law, drives and ground
 * leave idle is refused. */
#include "parse.h"
#include "rules.h"

#include <string.h>

static omr_status require_usable_in_vehicle(omr_reader *reader, const cJSON *item, int index) {
  const char *path = omr_vehicle_path(reader->study->frame, index);
  const omr_target target = {false, index, -1};
  OMR_TRY(omr_require_usable_compliant(reader, item, target));
  OMR_TRY(omr_check_stage_at(reader, OMR_RULES_USE, item, target, false));

  /* Other parameters depend on the ground, the external force or the command. */
  if (omr_is_below(index, "ground.")) return omr_require_usable_ground(reader, item, index);

  if ((index == OMR_VP_ODO_GYRO_SCALE || index == OMR_VP_ODO_GYRO_BIAS) &&
      !reader->study->odometry.gyro)
    return OMR_REFUSE(reader, item,
                      "\"%s\" is of a gyro, and this study has none; give \"odometry\": {\"gyro\": "
                      "{}} in parameters",
                      path);
  const omr_kind *external = &omr_external_kinds[reader->study->external.kind];
  if (omr_is_below(index, "external.") && !omr_kind_uses(external, index))
    return omr_fail_unused(reader, item, "external force", external, path + sizeof "external." - 1);
  if (omr_is_outer_parameter(index)) return omr_require_usable_outer(reader, item, index);
  const omr_kind *command = &omr_command_kinds[reader->study->command.type];
  if (omr_is_below(index, "command.") && !omr_kind_uses(command, index))
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
  return omr_check_stage_at(reader, OMR_RULES_QUANTITY, item, target, false);
}

static omr_status require_usable_on_wheel(omr_reader *reader, const cJSON *item,
                                          omr_target target) {
  if (omr_is_drive_parameter(target.index)) return require_usable_drive(reader, item, target);
  OMR_TRY(omr_require_usable_compliant(reader, item, target));
  return omr_check_stage_at(reader, OMR_RULES_USE, item, target, false);
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
