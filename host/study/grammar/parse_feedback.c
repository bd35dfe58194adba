/* The matrix of drives of type feedback: its rows are their wheels, its columns the states that the
 * study names. */
#include "parse.h"

#include <string.h>

enum { NAMES = 320 };

static const struct {
  bool per_wheel;
  int parameter;
  const char *unit; /* of a gain, per unit of the drive */
} states[OMR_FEEDBACK_STATES] = {
#define X(id, per_wheel, parameter, unit) {per_wheel, parameter, unit},
#include "../../lists/feedback_states.def"
#undef X
};

/* The columns that a study names, and the wheels of the rows. */
typedef struct omr_named {
  int state[OMR_FEEDBACK_STATES], count;
  int wheel[OMR_MAX_WHEELS], wheels;
} omr_named;

static omr_framing turn_of(const omr_study *study, int state) {
  return omr_parameter_turn(study->frame, states[state].per_wheel, states[state].parameter);
}

/* The last name of the path of its parameter at the start. */
static const char *name_of(const omr_study *study, int state) {
  const int index = states[state].parameter;
  const char *path = states[state].per_wheel ? omr_wheel_path(study->frame, index)
                                             : omr_vehicle_path(study->frame, index);
  return strrchr(path, '.') + 1;
}

/* Wheels have their numbers in messages, and their names where they have one. */
static void print_wheels(const omr_study *study, const omr_named *named, char text[NAMES]) {
  text[0] = '\0';
  for (int i = 0; i < named->wheels; i++) {
    const char *name = study->wheel_name[named->wheel[i]];
    omr_print_more(text, NAMES, "%s%d", i ? ", " : "", named->wheel[i]);
    if (*name) omr_print_more(text, NAMES, " (%s)", name);
  }
}

/* The columns in their order, one of each wheel for rates; returns their number. */
static int print_columns(const omr_study *study, const omr_named *named, char text[NAMES]) {
  int count = 0;
  text[0] = '\0';
  for (int s = 0; s < named->count; s++) {
    const int state = named->state[s], copies = states[state].per_wheel ? named->wheels : 1;
    for (int i = 0; i < copies; i++, count++) {
      omr_print_more(text, NAMES, "%s%s", count ? ", " : "", name_of(study, state));
      if (states[state].per_wheel) omr_print_more(text, NAMES, " of wheel %d", named->wheel[i]);
    }
  }
  return count;
}

/* The wheels with such a drive. Their matrix is the whole controller, so that others have none. */
static omr_status find_wheels(omr_reader *reader, const cJSON *command, omr_named *named) {
  const omr_study *study = reader->study;
  for (int wheel = 0; wheel < study->wheels; wheel++)
    if (study->drives.law[wheel] == OMR_DRIVE_FEEDBACK) named->wheel[named->wheels++] = wheel;
  for (int wheel = 0; named->wheels && wheel < study->wheels; wheel++) {
    const omr_drive drive = study->drives.law[wheel];
    if (drive == OMR_DRIVE_NONE) continue;
    if (drive != OMR_DRIVE_FEEDBACK)
      return OMR_REFUSE(
          reader, command,
          "wheel %d has a drive of type %s and wheel %d one of type feedback, whose matrix is the "
          "controller of all wheels: give wheel %d the drive \"none\" or \"feedback\"",
          wheel, omr_drive_kinds[drive].name, named->wheel[0], wheel);
    if (omr_wheel_swivels(study->kind[wheel]))
      return OMR_REFUSE(reader, command,
                        "wheel %d is of the kind %s, which turns about an upright axis, and a "
                        "constant matrix knows no angle of it: give the wheel the drive \"none\", "
                        "or all wheels the drive \"body\"",
                        wheel, omr_wheel_kinds[study->kind[wheel]].name);
  }
  return OMR_OK;
}

/* What else may stand between the command and the wheels belongs to drives of type body. */
static omr_status refuse_loops(omr_reader *reader, const cJSON *command) {
  static const char *const loops[] = {"heading_hold", "wheel_limit"};
  if (reader->study->command.kind == OMR_COMMAND_PATH)
    return OMR_REFUSE(
        reader, omr_json_get(command, "type"),
        "a command of type path has no pose at a time, which a drive of type feedback compares: "
        "give the way as \"way_points\", or the wheels the drive \"body\"");
  for (size_t i = 0; i < sizeof loops / sizeof *loops; i++)
    if (omr_json_get(command, loops[i]))
      return OMR_REFUSE(reader, omr_json_get(command, loops[i]),
                        "\"%s\" acts on drives of type body, and these are of type feedback: leave "
                        "it out, or give the wheels the drive \"body\"",
                        loops[i]);
  return OMR_OK;
}

static omr_status read_states(omr_reader *reader, const cJSON *list, omr_named *named) {
  const char *names[OMR_FEEDBACK_STATES];
  const cJSON *item;
  unsigned *known = &reader->study->command.feedback.states;
  for (int s = 0; s < OMR_FEEDBACK_STATES; s++) names[s] = name_of(reader->study, s);
  OMR_TRY(omr_require_array(reader, list, 1, "states"));
  cJSON_ArrayForEach(item, list) {
    int state;
    OMR_TRY(omr_read_word(reader, item, names, OMR_FEEDBACK_STATES, &state));
    if (*known & 1u << state)
      return OMR_REFUSE(reader, item, "\"%s\" is there twice; leave one of them out", names[state]);
    *known |= 1u << state;
    named->state[named->count++] = state;
  }
  return OMR_OK;
}

/* A gain in the kernels' frame: both the state and what the drive gives may have another sign. */
static omr_status read_gain(omr_reader *reader, const cJSON *item, int wheel, int state,
                            double *gain) {
  static const char *const amounts[OMR_DRIVE_QUANTITIES] = {
      [OMR_BY_TORQUE] = "N m", [OMR_BY_VOLTAGE] = "V", [OMR_BY_DUTY] = ""};
  const omr_study *study = reader->study;
  const char *amount = amounts[study->drives.by[wheel]], *per = states[state].unit;
  char unit[32];
  snprintf(unit, sizeof unit, "%s%s%s", amount, *amount && *per ? " " : "", per);
  OMR_TRY(omr_read_quantity(reader, item, *unit ? unit : "1", gain));
  *gain = omr_turned(omr_parameter_turn(study->frame, true, omr_drive_amount(study, wheel)), *gain);
  *gain = omr_turned(turn_of(study, state), *gain);
  return OMR_OK;
}

static omr_status read_row(omr_reader *reader, const cJSON *row, const omr_named *named,
                           int wheel) {
  char columns[NAMES];
  const int count = print_columns(reader->study, named, columns);
  if (!cJSON_IsArray(row) || cJSON_GetArraySize(row) != count)
    return OMR_REFUSE(reader, row, "the row of wheel %d has %d gains, and \"states\" makes %d: %s",
                      wheel, cJSON_IsArray(row) ? cJSON_GetArraySize(row) : 0, count, columns);
  double *gain = reader->study->command.feedback.gain[wheel];
  const cJSON *item = row->child;
  for (int s = 0; s < named->count; s++) {
    const int state = named->state[s], copies = states[state].per_wheel ? named->wheels : 1;
    for (int i = 0; i < copies; i++, item = item->next) {
      const int column = state + (states[state].per_wheel ? named->wheel[i] : 0);
      OMR_TRY(read_gain(reader, item, wheel, state, &gain[column]));
    }
  }
  return OMR_OK;
}

omr_status omr_read_feedback(omr_reader *reader) {
  omr_named named = {.count = 0};
  const cJSON *command = reader->parameters ? omr_json_get(reader->parameters, "command") : NULL,
              *feedback = NULL, *list;
  OMR_TRY(find_wheels(reader, command, &named));
  if (command) OMR_TRY(omr_read_object(reader, command, "feedback", &feedback));
  if (feedback && named.wheels == 0)
    return OMR_REFUSE(reader, feedback,
                      "\"feedback\" is the matrix of drives of type feedback, and no wheel has "
                      "one: give \"wheel\": {\"drive\": {\"type\": \"feedback\"}}");
  if (named.wheels == 0) return OMR_OK;
  OMR_TRY(refuse_loops(reader, command));

  /* States come first, since they make the columns. */
  OMR_TRY(omr_require(reader, command, "feedback",
                      "{\"states\": [\"vx\"], \"gains\": [[5], [5], [5], [5]]}", &feedback));
  OMR_TRY(omr_require(reader, feedback, "states", "[\"x\", \"yaw\", \"vx\", \"yaw_rate\"]", &list));
  OMR_TRY(read_states(reader, list, &named));
  OMR_TRY(omr_require(reader, feedback, "gains", "[[20, 5, 10, 2], ...]", &list));
  OMR_TRY(omr_require_array(reader, list, 0, "rows of gains"));
  if (cJSON_GetArraySize(list) != named.wheels) {
    char wheels[NAMES];
    print_wheels(reader->study, &named, wheels);
    return OMR_REFUSE(reader, list,
                      "\"gains\" has %d rows, and %d wheels have a drive of type feedback: give a "
                      "row for each of the wheels %s",
                      cJSON_GetArraySize(list), named.wheels, wheels);
  }

  const cJSON *row = list->child;
  for (int i = 0; i < named.wheels; i++, row = row->next)
    OMR_TRY(read_row(reader, row, &named, named.wheel[i]));
  return OMR_OK;
}
