/* The motion that controllers follow: velocities, a table, a log, or a path that becomes a table.
 */
#include "../tables/driven_path.h"
#include "parse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Columns of a command's table, as the study's frame has them. */
static omr_status read_table(omr_reader *reader, const cJSON *item) {
  static const char *const units[] = {"s", "m s-1", "m s-1", "rad s-1"};
  static const int columns[] = {OMR_VP_COMMAND_VX, OMR_VP_COMMAND_VZ, OMR_VP_COMMAND_YAW_RATE};
  omr_table *table = &reader->study->command.table;
  table->columns = sizeof columns / sizeof *columns;
  OMR_TRY(omr_read_table(reader, item, units, table));
  for (size_t c = 0; c < table->columns; c++)
    omr_turn_column(table, c, omr_parameter_turn(reader->study->frame, false, columns[c]));
  return OMR_OK;
}

static bool is_path(omr_command type) {
  return type == OMR_COMMAND_LINE || type == OMR_COMMAND_SQUARE || type == OMR_COMMAND_CIRCLE ||
         type == OMR_COMMAND_FIGURE_EIGHT || type == OMR_COMMAND_WAY_POINTS;
}

/* Whether a key that is no number belongs to the type. */
static bool takes(omr_command type, const char *key) {
  if (strcmp(key, "table") == 0) return type == OMR_COMMAND_TABLE;
  if (strcmp(key, "replay") == 0) return type == OMR_COMMAND_REPLAY;
  if (strcmp(key, "points") == 0) return type == OMR_COMMAND_WAY_POINTS || type == OMR_COMMAND_PATH;
  if (strcmp(key, "heading") == 0) return is_path(type) && type != OMR_COMMAND_LINE;
  if (strcmp(key, "turn") != 0) return type == OMR_COMMAND_PATH;
  return is_path(type) && type != OMR_COMMAND_LINE && type != OMR_COMMAND_WAY_POINTS;
}

omr_status omr_read_command(omr_reader *reader) {
  static const char *const keys[] = {"table", "replay", "points", "heading", "turn",
                                     "law",   "motion", "closed", "pose",    "period"};
  const cJSON *command, *item;
  OMR_TRY(omr_read_object(reader, reader->parameters, "command", &command));
  if (!command) return OMR_OK;
  if (reader->study->model == OMR_MODEL_WHEEL)
    return OMR_REFUSE(reader, command,
                      "\"command\" is a parameter of omni_vehicle; the model of this study is "
                      "omni_wheel (drive it by \"wheel\": {\"drive\": ...})");

  /* The type decides which other keys are read. */
  OMR_TRY(omr_require(reader, command, "type", "\"constant\"", &item));
  OMR_TRY(omr_read_words(reader, command, "command."));
  const omr_command type = reader->study->command.kind = reader->study->command.type;
  for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
    item = omr_json_get(command, keys[k]);
    if (item && !takes(type, keys[k]))
      return omr_fail_unused(reader, item, "command", &omr_command_kinds[type], keys[k]);
  }

  OMR_TRY(omr_read_heading_hold(reader, command));

  if (type == OMR_COMMAND_PATH) return omr_read_way(reader, command);

  /* A log. */
  if (type == OMR_COMMAND_REPLAY) {
    OMR_TRY(omr_require_replay(reader, command, &item));
    return omr_read_command_replay(reader, item);
  }

  /* A table; the example names the columns in the study's frame. */
  if (type != OMR_COMMAND_TABLE) return OMR_OK;
  char example[80];
  snprintf(example, sizeof example, "[[0, 0, 0, 0], [1, 0.5, 0, 0]] (time, vx, %s, yaw_rate)",
           strrchr(omr_vehicle_path(reader->study->frame, OMR_VP_COMMAND_VZ), '.') + 1);
  OMR_TRY(omr_require(reader, command, "table", example, &item));
  return read_table(reader, item);
}

/* One row of "points", in the study's frame. */
static omr_status read_point(omr_reader *reader, const cJSON *row, omr_way_point *point) {
  const omr_frame_kind frame = reader->study->frame;
  const int cells = cJSON_IsArray(row) ? cJSON_GetArraySize(row) : 0;
  if (cells != 2 && cells != 3)
    return OMR_MISTAKEN(reader, row, OMR_MISTAKE_TYPE,
                        "expected a way point: [\"1 m\", \"0.5 m\"], or with the yaw there: "
                        "[\"1 m\", \"0.5 m\", \"90 deg\"]");
  double across;
  OMR_TRY(omr_read_quantity(reader, row->child, "m", &point->forward));
  OMR_TRY(omr_read_quantity(reader, row->child->next, "m", &across));
  point->left = -omr_turned(omr_parameter_turn(frame, false, OMR_VP_INITIAL_Z), across);
  point->yaw = (double)NAN;
  if (cells == 2) return OMR_OK;
  OMR_TRY(omr_read_quantity(reader, row->child->next->next, "rad", &point->yaw));
  point->yaw = omr_turned(omr_parameter_turn(frame, false, OMR_VP_INITIAL_YAW), point->yaw);
  return OMR_OK;
}

static omr_status drive_points(omr_reader *reader, const cJSON *command, const omr_driving *by,
                               char *reason, size_t size, bool *good) {
  const cJSON *list, *row;
  OMR_TRY(omr_require(reader, command, "points", "[[\"1 m\", 0], [\"1 m\", \"1 m\"]]", &list));
  OMR_TRY(omr_require_array(reader, list, 1, "way points"));

  /* Yaws are given for the way, so that the vehicle neither heads along it nor keeps one. */
  omr_way_point *points = calloc((size_t)cJSON_GetArraySize(list), sizeof *points);
  if (!points) return omr_fail_memory(reader);
  size_t count = 0;
  omr_status status = OMR_OK;
  cJSON_ArrayForEach(row, list) {
    if (status == OMR_OK) status = read_point(reader, row, &points[count]);
    if (status == OMR_OK && isfinite(points[count].yaw) && omr_json_get(command, "heading"))
      status =
          OMR_REFUSE(reader, row->child->next->next,
                     "\"heading\" is given, and the yaw of a way point: leave one of them out");
    count++;
  }

  if (status == OMR_OK)
    *good = omr_drive_points(by, points, count, &reader->study->command.table, reason, size);
  free(points);
  return status;
}

/* A path that ends after the run would be cut off silently. */
static omr_status check_time(omr_reader *reader, const cJSON *command) {
  const omr_study *study = reader->study;
  const omr_table *table = &study->command.table;
  const double whole = table->time[table->rows - 1];
  if (whole <= study->time.duration * (1 + 1e-9)) return OMR_OK;
  return OMR_REFUSE(reader, command,
                    "the path takes %.4g s, and the run ends at %.9g s: give integrator.duration "
                    "\"%.9g s\" or more, or a higher speed",
                    whole, study->time.duration, ceil(whole * 10) / 10);
}

omr_status omr_make_path(omr_reader *reader) {
  omr_study *study = reader->study;
  const omr_command type = study->command.type;
  const double *p = study->base.vehicle, length = p[OMR_VP_COMMAND_SIZE];
  const cJSON *command = omr_json_get(reader->parameters, "command");
  if (!is_path(type)) return OMR_OK;

  /* Each type has a shape of its own. */
  omr_driving by = {.speed = p[OMR_VP_COMMAND_SPEED],
                    .acceleration = p[OMR_VP_COMMAND_ACCELERATION],
                    .corner_radius = p[OMR_VP_COMMAND_CORNER_RADIUS],
                    .turn_rate = p[OMR_VP_COMMAND_TURN_RATE],
                    .turn_acceleration = p[OMR_VP_COMMAND_TURN_ACCELERATION],
                    .fixed = study->command.fixed};
  omr_table *table = &study->command.table;
  const bool right = study->command.right;
  const omr_way_point end = {.forward = length, .yaw = (double)NAN};
  char reason[320] = "";
  bool good = true;
  if (type == OMR_COMMAND_LINE)
    good = omr_drive_points(&by, &end, 1, table, reason, sizeof reason);
  else if (type == OMR_COMMAND_SQUARE)
    good = omr_drive_square(&by, length, right, table, reason, sizeof reason);
  else if (type == OMR_COMMAND_CIRCLE)
    good = omr_drive_circle(&by, length, right, table, reason, sizeof reason);
  else if (type == OMR_COMMAND_FIGURE_EIGHT)
    good = omr_drive_eight(&by, length, right, table, reason, sizeof reason);
  else
    OMR_TRY(drive_points(reader, command, &by, reason, sizeof reason, &good));

  /* The run has a table from here on. */
  if (!good && !*reason) return omr_fail_memory(reader);
  if (!good) return OMR_REFUSE(reader, command, "%s", reason);
  study->command.kind = OMR_COMMAND_TABLE;
  return check_time(reader, command);
}

omr_status omr_refuse_varied_path(omr_reader *reader, const cJSON *item, omr_target target) {
  const omr_command type = reader->study->command.type;
  if (target.per_wheel || !is_path(type) || !omr_is_below(target.index, "command.") ||
      omr_is_outer_parameter(target.index))
    return OMR_OK;
  const char *path = omr_target_path(reader, target);
  return OMR_REFUSE(reader, item,
                    "\"%s\" shapes a path that all instances drive, and is not varied: run the "
                    "study once for each value, with --set parameters.%s=VALUE",
                    path, path);
}
