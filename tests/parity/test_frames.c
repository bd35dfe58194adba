/* A study in the frame of ROS is the same study as one that says the same in the frame of the
 * kernels: every number of the results is the same bit by bit, but for its sign and its name. Both
 * are written out here by hand, and so is what a name of one frame is in the other. */
#include "parity.h"

#include "result/failures.h"

/* A study of both frames, with ' for ". */
typedef struct pair {
  const char *name, *ros, *y_up;
} pair;

#define SHORT "'integrator': {'method': 'rk4', 'step': '1 ms', 'duration': '0.2 s'}"
#define TRACED "'trajectories': {'instances': 'all', 'interval': '20 ms'}"
#define ALL "'output': {" TRACED "}"
#define ROS(model) "{'frame': 'ros', 'model': '" model "', "
#define Y_UP(model) "{'model': '" model "', "

/* Mecanum wheels on a floor with patches, with errors of assembly. */
static const pair rectangle = {
    "rectangle",
    ROS("omni_vehicle") "'parameters': {'platform': {'center_of_mass': {'x': 0.02, 'y': 0.03}}, "
                        "'layout': {'type': 'rectangle', 'mecanum': true}, "
                        "'initial': {'x': -0.1, 'y': 0.2, 'yaw': '20 deg', 'vx': 0.1, 'vy': -0.2, "
                        "'yaw_rate': 0.3}, "
                        "'ground': {'type': 'patches', 'patch0': {'x': 0.1, 'y': 0.35, 'length': "
                        "0.3, 'width': 0.2, 'yaw': '30 deg', 'friction': 0.05}, 'patch1': "
                        "{'shape': 'half_plane', 'x': 0, 'y': -0.1, 'yaw': '-80 deg', 'friction': "
                        "0.1}}, "
                        "'command': {'type': 'tanh', 'vx': 0.3, 'vy': 0.4, 'yaw_rate': 0.5, "
                        "'ramp_time': 0.1}, "
                        "'wheel': {'inclination': '45 deg', 'drive': {'type': 'body', 'kp': 3, "
                        "'ki': 9}}, "
                        "'wheels': [{'error': {'x': 1e-3, 'y': 2e-3, 'axis_angle': 0.02}}, {}, {}, "
                        "{}]}, "
                        "'vary': [{'path': 'command.vy', 'values': [0.4, -0.3]}, "
                        "{'path': 'ground.patch0.y', 'linspace': [0.2, 0.4, 3]}, "
                        "{'path': 'wheels[0].error.y', 'values': [1e-3, -2e-3]}], "
                        "'statistics': {'fail': 'final_y > 0.2 m'}, " ALL ", " SHORT "}",
    Y_UP("omni_vehicle") "'parameters': {'platform': {'center_of_mass': {'x': 0.02, 'z': -0.03}}, "
                         "'layout': {'type': 'rectangle', 'mecanum': true}, "
                         "'initial': {'x': -0.1, 'z': -0.2, 'yaw': '20 deg', 'vx': 0.1, 'vz': 0.2, "
                         "'yaw_rate': 0.3}, "
                         "'ground': {'type': 'patches', 'patch0': {'x': 0.1, 'z': -0.35, 'length': "
                         "0.3, 'width': 0.2, 'yaw': '30 deg', 'friction': 0.05}, 'patch1': "
                         "{'shape': 'half_plane', 'x': 0, 'z': 0.1, 'yaw': '-80 deg', 'friction': "
                         "0.1}}, "
                         "'command': {'type': 'tanh', 'vx': 0.3, 'vz': -0.4, 'yaw_rate': 0.5, "
                         "'ramp_time': 0.1}, "
                         "'wheel': {'inclination': '45 deg', 'drive': {'type': 'body', 'kp': 3, "
                         "'ki': 9}}, "
                         "'wheels': [{'error': {'x': 1e-3, 'z': -2e-3, 'axis_angle': 0.02}}, {}, "
                         "{}, {}]}, "
                         "'vary': [{'path': 'command.vz', 'values': [-0.4, 0.3]}, "
                         "{'path': 'ground.patch0.z', 'linspace': [-0.2, -0.4, 3]}, "
                         "{'path': 'wheels[0].error.z', 'values': [-1e-3, 2e-3]}], "
                         "'statistics': {'fail': 'final_z < -0.2 m'}, " ALL ", " SHORT "}"};

/* Torques from a table, of which each wheel takes a factor; wheels that start with a rate. */
static const pair ring = {
    "ring",
    ROS("omni_vehicle") "'parameters': {'layout': {'type': 'ring', 'wheels': 3, 'first_angle': "
                        "'10 deg'}, 'initial': {'vy': 0.3}, "
                        "'wheel': {'inclination': '10 deg', 'row_distance': '1 cm', 'initial': "
                        "{'angle': 0.3, 'rate': 2}, "
                        "'drive': {'type': 'table', 'table': [[0, 0.1], [0.05, '0.6 N m'], [0.2, "
                        "-0.4]], 'torque': 1.5}}, "
                        "'wheels': [{}, {'drive': {'type': 'speed', 'speed': 3, 'kp': 0.2}}, "
                        "{'drive': {'type': 'sine', 'torque': 0.5, 'frequency': 5, 'phase': 0.3}}]}"
                        ", "
                        "'vary': [{'path': 'wheels[0].drive.torque', 'values': [1.5, -0.5]}, "
                        "{'path': 'wheels[1].drive.speed', 'values': [3, -4]}, "
                        "{'path': 'wheels[2].drive.torque', 'values': [0.5, -0.7]}, "
                        "{'path': 'wheels[2].initial.rate', 'values': [2, -1]}], " ALL ", " SHORT
                        "}",
    Y_UP("omni_vehicle") "'parameters': {'layout': {'type': 'ring', 'wheels': 3, 'first_angle': "
                         "'10 deg'}, 'initial': {'vz': -0.3}, "
                         "'wheel': {'inclination': '10 deg', 'row_distance': '1 cm', 'initial': "
                         "{'angle': -0.3, 'rate': -2}, "
                         "'drive': {'type': 'table', 'table': [[0, -0.1], [0.05, '-0.6 N m'], "
                         "[0.2, 0.4]], 'torque': 1.5}}, "
                         "'wheels': [{}, {'drive': {'type': 'speed', 'speed': -3, 'kp': 0.2}}, "
                         "{'drive': {'type': 'sine', 'torque': -0.5, 'frequency': 5, 'phase': "
                         "0.3}}]}, "
                         "'vary': [{'path': 'wheels[0].drive.torque', 'values': [1.5, -0.5]}, "
                         "{'path': 'wheels[1].drive.speed', 'values': [-3, 4]}, "
                         "{'path': 'wheels[2].drive.torque', 'values': [-0.5, 0.7]}, "
                         "{'path': 'wheels[2].initial.rate', 'values': [-2, 1]}], " ALL ", " SHORT
                         "}"};

/* Discs on springs, placed one by one; the command is a table. */
static const pair explicit_discs = {
    "explicit",
    ROS("disc_vehicle") "'parameters': {'contact': {'normal': 'penalty'}, "
                        "'layout': {'type': 'explicit'}, 'wheels': ["
                        "{'x': 0.2, 'y': 0.15, 'axis_angle': 0, 'inclination': '45 deg'}, "
                        "{'x': 0.2, 'y': -0.15, 'axis_angle': '5 deg', 'inclination': '-45 deg'}, "
                        "{'x': -0.2, 'y': 0.15, 'axis_angle': 0, 'inclination': '-45 deg'}, "
                        "{'x': -0.25, 'y': -0.15, 'axis_angle': '-5 deg', 'inclination': '45 "
                        "deg'}], "
                        "'wheel': {'contact': {'stiffness': 2e4, 'damping': 200, 'friction_angle': "
                        "'7 deg'}, 'drive': {'type': 'body', 'kp': 4}}, "
                        "'command': {'type': 'table', 'table': [[0, 0, 0, 0], [0.1, 0.3, 0.2, "
                        "0.4], [0.2, 0.1, -0.5, 0]]}}, "
                        "'design': {'type': 'list', 'paths': ['platform.center_of_mass.y', "
                        "'wheels[1].y', 'initial.vy'], 'rows': [[0.01, -0.15, 0], [-0.02, -0.2, "
                        "0.1]]}, " ALL ", " SHORT "}",
    Y_UP("disc_vehicle") "'parameters': {'contact': {'normal': 'penalty'}, "
                         "'layout': {'type': 'explicit'}, 'wheels': ["
                         "{'x': 0.2, 'z': -0.15, 'axis_angle': 0, 'inclination': '45 deg'}, "
                         "{'x': 0.2, 'z': 0.15, 'axis_angle': '5 deg', 'inclination': '-45 deg'}, "
                         "{'x': -0.2, 'z': -0.15, 'axis_angle': 0, 'inclination': '-45 deg'}, "
                         "{'x': -0.25, 'z': 0.15, 'axis_angle': '-5 deg', 'inclination': '45 "
                         "deg'}], "
                         "'wheel': {'contact': {'stiffness': 2e4, 'damping': 200, "
                         "'friction_angle': '7 deg'}, 'drive': {'type': 'body', 'kp': 4}}, "
                         "'command': {'type': 'table', 'table': [[0, 0, 0, 0], [0.1, 0.3, -0.2, "
                         "0.4], [0.2, 0.1, 0.5, 0]]}}, "
                         "'design': {'type': 'list', 'paths': ['platform.center_of_mass.z', "
                         "'wheels[1].z', 'initial.vz'], 'rows': [[-0.01, 0.15, 0], [0.02, 0.2, "
                         "-0.1]]}, " ALL ", " SHORT "}"};

/* Centre of mass so far to the left that wheels lift: what is kept of those that failed. */
static const pair lifted = {
    "lifted",
    ROS("omni_vehicle") "'parameters': {'layout': {'type': 'rectangle'}, 'initial': {'y': 0.7, "
                        "'vy': 0.2}, 'wheel': {'initial': {'rate': 1.5}}}, "
                        "'vary': [{'path': 'platform.center_of_mass.y', 'values': [0.3, "
                        "0.1]}], " SHORT "}",
    Y_UP("omni_vehicle") "'parameters': {'layout': {'type': 'rectangle'}, 'initial': {'z': -0.7, "
                         "'vz': -0.2}, 'wheel': {'initial': {'rate': -1.5}}}, "
                         "'vary': [{'path': 'platform.center_of_mass.z', 'values': [-0.3, "
                         "-0.1]}], " SHORT "}"};

static const pair one_wheel = {
    "omni_wheel",
    ROS("omni_wheel") "'parameters': {'wheel': {'axis_angle': '15 deg', 'inclination': '30 deg', "
                      "'drive': {'type': 'constant', 'torque': 0.7}}, 'initial': {'vy': 0.4}}, "
                      "'vary': [{'path': 'wheel.drive.torque', 'values': [0.7, -0.2]}], " ALL
                      ", " SHORT "}",
    Y_UP("omni_wheel") "'parameters': {'wheel': {'axis_angle': '15 deg', 'inclination': '30 deg', "
                       "'drive': {'type': 'constant', 'torque': -0.7}}, 'initial': {'vz': -0.4}}, "
                       "'vary': [{'path': 'wheel.drive.torque', 'values': [-0.7, 0.2]}], " ALL
                       ", " SHORT "}"};

static const pair disc = {
    "rolling_disc",
    ROS("rolling_disc") "'parameters': {'mass': 1, 'radius': 0.5, 'plane': {'slope': '4 deg', "
                        "'direction': '70 deg'}, 'ground': {'stiffness': 1e5, 'damping': 50, "
                        "'motion': 'given', 'y': {'velocity': -0.3, 'amplitude': 0.1}, 'z': "
                        "{'amplitude': 0.01}, 'tilt_y': {'amplitude': 0.05}, 'turn': {'rate': "
                        "0.4}, 'pivot': {'y': 0.2, 'z': -0.1}}, "
                        "'friction': {'lateral': 0.4, 'longitudinal': 0.2, 'angle': '30 deg'}, "
                        "'initial': {'precession': 0.5, 'heading': 0.7, 'tilt': 1.2, 'spin': -3, "
                        "'velocity': {'x': 1, 'y': 0.4, 'z': -0.2}}}, "
                        "'vary': [{'path': 'initial.velocity.y', 'values': [0.4, -0.7]}, "
                        "{'path': 'initial.velocity.z', 'values': [-0.2, 0.3]}], "
                        "'output': {'observables': ['final_x', 'final_y', 'final_height', "
                        "'final_tilt', 'final_spin', 'final_speed', 'max_slip'], " TRACED
                        "}, " SHORT "}",
    Y_UP("rolling_disc") "'parameters': {'mass': 1, 'radius': 0.5, 'plane': {'slope': '4 deg', "
                         "'direction': '70 deg'}, 'ground': {'stiffness': 1e5, 'damping': 50, "
                         "'motion': 'given', 'z': {'velocity': 0.3, 'amplitude': -0.1}, 'y': "
                         "{'amplitude': 0.01}, 'tilt_z': {'amplitude': -0.05}, 'turn': {'rate': "
                         "0.4}, 'pivot': {'z': -0.2, 'y': -0.1}}, "
                         "'friction': {'lateral': 0.4, 'longitudinal': 0.2, 'angle': '30 deg'}, "
                         "'initial': {'precession': 0.5, 'heading': 0.7, 'tilt': 1.2, 'spin': -3, "
                         "'velocity': {'x': 1, 'z': -0.4, 'y': -0.2}}}, "
                         "'vary': [{'path': 'initial.velocity.z', 'values': [-0.4, 0.7]}, "
                         "{'path': 'initial.velocity.y', 'values': [-0.2, 0.3]}], "
                         "'output': {'observables': ['final_x', 'final_z', 'final_height', "
                         "'final_tilt', 'final_spin', 'final_speed', 'max_slip'], " TRACED
                         "}, " SHORT "}"};

static const pair wheelset = {
    "wheelset",
    ROS("wheelset") "'parameters': {'radius': 0.15, 'half_track': 0.3, 'plane': {'slope': 0.2, "
                    "'direction': '70 deg'}, 'drive': {'reaction': 'rod', 'left': 0.3}, "
                    "'initial': {'y': 0.5, 'yaw': 0.3, 'vx': 1, 'yaw_rate': 0.7}}, "
                    "'vary': [{'path': 'initial.y', 'values': [0.5, -0.1]}], " ALL ", " SHORT "}",
    Y_UP("wheelset") "'parameters': {'radius': 0.15, 'half_track': 0.3, 'plane': {'slope': 0.2, "
                     "'direction': '70 deg'}, 'drive': {'reaction': 'rod', 'left': 0.3}, "
                     "'initial': {'z': -0.5, 'yaw': 0.3, 'vx': 1, 'yaw_rate': 0.7}}, "
                     "'vary': [{'path': 'initial.z', 'values': [-0.5, 0.1]}], " ALL ", " SHORT "}"};

/* Pushed from outside by a table along body axes, the columns of which turn; lifted a little. */
static const pair pushed = {
    "pushed",
    ROS("omni_vehicle") "'parameters': {'layout': {'type': 'ring', 'wheels': 3}, 'wheel': "
                        "{'inclination': '10 deg'}, 'initial': {'yaw_rate': 1}, 'external': "
                        "{'type': "
                        "'table', 'height': 0.2, 'factor': 1.5, 'table': [[0, 1, 2, 3, 0.1, 0.2, "
                        "0.3], "
                        "[0.1, -1, 5, '4 N', 0.4, -0.2, 0.1]]}}, 'vary': [{'path': "
                        "'external.factor', "
                        "'values': [1, -2]}], " ALL ", " SHORT "}",
    Y_UP("omni_vehicle") "'parameters': {'layout': {'type': 'ring', 'wheels': 3}, 'wheel': "
                         "{'inclination': '10 deg'}, 'initial': {'yaw_rate': 1}, 'external': "
                         "{'type': "
                         "'table', 'height': 0.2, 'factor': 1.5, 'table': [[0, 1, 3, -2, 0.1, 0.3, "
                         "-0.2], [0.1, -1, '4 N', -5, 0.4, 0.1, 0.2]]}}, 'vary': [{'path': "
                         "'external.factor', 'values': [1, -2]}], " ALL ", " SHORT "}"};

/* Pushed by a sine along world axes, on the testbench. */
static const pair pushed_wheel = {
    "pushed wheel",
    ROS("omni_wheel") "'parameters': {'wheel': {'inclination': '10 deg', 'initial': {'rate': 5}}, "
                      "'initial': {'yaw': 0.4, 'yaw_rate': 1}, 'external': {'type': 'sine', "
                      "'axes': "
                      "'world', 'force': {'x': 1, 'y': 2, 'z': -3}, 'torque': {'x': 0.1, 'y': 0.2, "
                      "'z': 0.03}, 'frequency': 3, 'phase': 0.5}}, 'vary': [{'path': "
                      "'external.force.y', 'values': [2, -1]}, {'path': 'external.torque.y', "
                      "'values': "
                      "[0.2, -0.1]}], " ALL ", " SHORT "}",
    Y_UP(
        "omni_wheel") "'parameters': {'wheel': {'inclination': '10 deg', 'initial': {'rate': -5}}, "
                      "'initial': {'yaw': 0.4, 'yaw_rate': 1}, 'external': {'type': 'sine', "
                      "'axes': "
                      "'world', 'force': {'x': 1, 'y': -3, 'z': -2}, 'torque': {'x': 0.1, 'y': "
                      "0.03, "
                      "'z': -0.2}, 'frequency': 3, 'phase': 0.5}}, 'vary': [{'path': "
                      "'external.force.z', 'values': [-2, 1]}, {'path': 'external.torque.z', "
                      "'values': "
                      "[-0.2, 0.1]}], " ALL ", " SHORT "}"};

#define GAIT                                                                                       \
  "'gait': {'front': {'amplitude': 0.6, 'frequency': 3, 'phase': '20 deg'}, 'rear': "              \
  "{'amplitude': -0.7, 'frequency': 3, 'phase': '21 deg'}, 'rotor': {'amplitude': 1.2, "           \
  "'frequency': 4, 'phase': 1}}"
static const pair snakeboard = {
    "snakeboard",
    ROS("snakeboard") "'parameters': {" GAIT ", 'initial': {'yaw': '30 deg', 'vx': 0.3, 'x': 1, "
                      "'y': 0.4}}, 'vary': [{'path': 'initial.y', 'values': [0.4, -0.6]}], " ALL
                      ", " SHORT "}",
    Y_UP("snakeboard") "'parameters': {" GAIT ", 'initial': {'yaw': '30 deg', 'vx': 0.3, 'x': 1, "
                       "'z': -0.4}}, 'vary': [{'path': 'initial.z', 'values': [-0.4, 0.6]}], " ALL
                       ", " SHORT "}"};

/* Length of `word` where `name` ends in it, and begins or has "_" before it. */
static size_t ends_in(const char *name, const char *word) {
  const size_t length = strlen(name), end = strlen(word);
  if (length < end || strcmp(name + length - end, word) != 0) return 0;
  return length == end || strchr("_.", name[length - end - 1]) || end > 2 ? end : 0;
}

static void replace_end(const char *name, size_t end, const char *by, char *to, size_t size) {
  snprintf(to, size, "%.*s%s", (int)(strlen(name) - end), name, by);
}

/* What a name of the frame of ROS is in that of the kernels; returns the sign of its value there.
 */
static double in_y_up(const char *model, bool column, const char *name, char *to, size_t size) {
  static const char *const axle[] = {
      "wheel_angle",  "wheel_rate",  "contact_angle", "slip_k",
      "force_k",      "torque",      "axis_x",        "wheel_acceleration",
      "initial_rate", "drive_speed", "drive_torque",  "front_slip",
      "rear_slip",    "front_force", "rear_force",    "lateral_force"};
  const bool is_disc = strcmp(model, "rolling_disc") == 0;
  size_t end;
  snprintf(to, size, "%s", name);
  if (!is_disc && strcmp(name, "axis_y") == 0) {
    snprintf(to, size, "axis_z"); /* both signs turn: the axle's, and that of z */
    return 1;
  }
  if (is_disc && strlen(name) == 2 && strchr("qlv", name[0]) && strchr("yz", name[1])) {
    snprintf(to, size, "%c%c", name[0], name[1] == 'y' ? 'z' : 'y'); /* components of a state */
    return name[1] == 'y' ? -1 : 1;
  }
  if ((end = ends_in(name, "vy")) || (end = ends_in(name, "ay")) || (end = ends_in(name, "y"))) {
    char turned[4] = "";
    snprintf(turned, sizeof turned, "%.*sz", (int)end - 1, name + strlen(name) - end);
    replace_end(name, end, turned, to, size);
    return -1;
  }
  if (is_disc && ((end = ends_in(name, "vz")) || (end = ends_in(name, "z")))) {
    replace_end(name, end, end == 2 ? "vy" : "y", to, size);
    return 1;
  }
  for (size_t i = 0; !is_disc && i < sizeof axle / sizeof *axle; i++)
    if (column ? ends_in(name, axle[i]) && strncmp(name, "wheel", 5) == 0
               : strcmp(name, axle[i]) == 0)
      return -1;
  return 1;
}

static omr_result *run_text(const pair *p, const char *text, const engine *e) {
  overrides o;
  omr_study *study = NULL;
  omr_result *result = NULL;
  omr_error error = {.message = ""};
  char *copy = strdup(text);
  for (char *c = copy; *c; c++)
    if (*c == '\'') *c = '"';
  set_overrides(&o, e);
  cr_assert_eq(omr_study_parse(copy, "s.json", o.list, o.count, &study, &error), OMR_OK, "%s: %s",
               p->name, error.message);
  free(copy);
  const omr_status status = omr_run(study, NULL, &result, &error);
  omr_study_destroy(study);
  if (status == OMR_ERR_DEVICE && may_be_missing(e, &error)) return NULL;
  cr_assert_eq(status, OMR_OK, "%s: %s", p->name, error.message);
  return result;
}

/* How many differ; a zero has no sign to turn. */
static size_t differing(const double *ros, const double *y_up, double sign, size_t count) {
  size_t different = 0;
  for (size_t k = 0; k < count; k++)
    different +=
        !same_bits(ros[k], sign < 0 ? 0.0 - y_up[k] : y_up[k]) && !(ros[k] == 0 && y_up[k] == 0);
  return different;
}

static void expect_columns(const pair *p, const omr_result *ros, const omr_result *y_up) {
  cr_assert_eq(ros->column_count, y_up->column_count, "%s", p->name);
  for (size_t c = 0; c < ros->column_count; c++) {
    char name[128];
    double sign = in_y_up(ros->model, true, ros->columns[c].name, name, sizeof name);
    /* the factor of a table is no torque: the table is */
    if (p == &ring && strcmp(name, "wheel0_drive_torque") == 0) sign = 1;
    cr_expect_str_eq(name, y_up->columns[c].name, "%s: %s", p->name, ros->columns[c].name);
    cr_expect_str_eq(ros->columns[c].unit, y_up->columns[c].unit);
    cr_expect_eq(differing(ros->columns[c].values, y_up->columns[c].values, sign, ros->instances),
                 0, "%s: %s = %.17g, %s = %.17g", p->name, ros->columns[c].name,
                 ros->columns[c].values[0], name, y_up->columns[c].values[0]);
  }
}

/* The small model's are all there, the vehicle's by what they hold. */
static omr_series series_named(const omr_result *result, const char *name) {
  for (size_t i = 0; i < omr_result_series_count(result); i++) {
    const omr_series series = omr_result_series(result, i);
    if (*series.values && strcmp(series.info.name, name) == 0) return series;
  }
  return (omr_series){{NULL, NULL, NULL}, false, false, false, NULL};
}

static size_t expect_series(const pair *p, const omr_result *ros, const omr_result *y_up) {
  size_t count = 0;
  for (size_t i = 0; i < omr_result_series_count(ros); i++) {
    const omr_series series = omr_result_series(ros, i);
    char name[128];
    if (!*series.values) continue;
    const double sign = in_y_up(ros->model, false, series.info.name, name, sizeof name);
    const omr_series other = series_named(y_up, name);
    cr_assert_not_null(other.values, "%s: %s is no %s", p->name, series.info.name, name);
    cr_expect_eq(differing(*series.values, *other.values, sign,
                           ros->traced_count * omr_result_series_size(ros, series)),
                 0, "%s: %s is not %s%s", p->name, series.info.name, sign < 0 ? "-" : "", name);
    count++;
  }
  return count;
}

static void expect_failures(const pair *p, const omr_failures *ros, const omr_failures *y_up,
                            const char *model) {
  const size_t width = omr_failures_width(ros);
  cr_assert_eq(ros->count, y_up->count, "%s", p->name);
  cr_assert_eq(width, omr_failures_width(y_up), "%s", p->name);
  for (size_t j = 0, at = 0; j < ros->vehicle_count + ros->wheel_count; j++) {
    const bool wheel = j >= ros->vehicle_count;
    const omr_failure_quantity *q = wheel ? &ros->wheel[j - ros->vehicle_count] : &ros->vehicle[j],
                               *r =
                                   wheel ? &y_up->wheel[j - ros->vehicle_count] : &y_up->vehicle[j];
    char name[128];
    const double sign = in_y_up(model, false, q->name, name, sizeof name);
    cr_expect_str_eq(name, r->name, "%s: %s", p->name, q->name);
    for (size_t i = 0; i < (wheel ? ros->wheels : 1); i++, at++)
      for (size_t f = 0; f < ros->count; f++)
        cr_expect_eq(differing(&ros->state[f * width + at], &y_up->state[f * width + at], sign, 1),
                     0, "%s: %s", p->name, q->name);
  }
}

/* Returns how many failures were compared; SIZE_MAX where the machine has no such engine. */
static size_t expect_same(const pair *p, const engine *e) {
  omr_result *ros = run_text(p, p->ros, e), *y_up = run_text(p, p->y_up, e);
  if (!ros || !y_up) return SIZE_MAX;
  cr_assert_eq(ros->instances, y_up->instances);
  cr_expect_eq(ros->frame, OMR_FRAME_ROS);
  cr_expect_eq(memcmp(ros->status, y_up->status, ros->instances), 0, "%s", p->name);
  expect_columns(p, ros, y_up);
  const size_t series = expect_series(p, ros, y_up), failed = ros->failures.count;
  cr_expect(series > 5 || p == &lifted, "%s: %zu series", p->name, series);
  expect_failures(p, &ros->failures, &y_up->failures, ros->model);
  omr_result_destroy(ros);
  omr_result_destroy(y_up);
  return failed;
}

static const engine host = {.backend = "openmp"};
static const engine scalar = {.backend = "scalar"};
static const engine device = {.backend = "opencl"};
static const engine truth = {.backend = "reference", .other = "integrator.duration=20 ms"};

Test(frames, rectangle_with_body_command_and_patches) {
  expect_same(&rectangle, &host);
}
Test(frames, ring_with_torque_table_speeds_and_rates) {
  expect_same(&ring, &host);
}
Test(frames, explicit_layout_with_command_table) {
  expect_same(&explicit_discs, &host);
}
Test(frames, one_wheel) {
  expect_same(&one_wheel, &host);
}
Test(frames, external_force_and_torque) {
  expect_same(&pushed, &host);
  expect_same(&pushed_wheel, &host);
  expect_same(&pushed_wheel, &truth);
}
Test(frames, last_states_of_those_that_failed) {
  cr_expect_gt(expect_same(&lifted, &host), 0);
}

Test(frames, small_models) {
  const pair *const small[] = {&disc, &wheelset, &snakeboard};
  for (size_t i = 0; i < sizeof small / sizeof *small; i++) expect_same(small[i], &host);
}

Test(frames, one_instance_at_a_time) {
  expect_same(&rectangle, &scalar);
}

Test(frames, on_opencl) {
  const pair *const some[] = {&rectangle, &disc};
  for (size_t i = 0; i < sizeof some / sizeof *some; i++) expect_same(some[i], &device);
}

/* Sampled values: those that the study in the frame of ROS drew are written out, turned, for the
 * other. */
typedef struct drawn {
  const char *design;
  const char *more; /* of the design */
} drawn;

/* What the study of expect_drawn varies, by the names of the other frame. */
static const char *const drawn_y_up[] = {"command.vz", "platform.center_of_mass.z",
                                         "wheel.drive.kp", "wheel.initial.rate"};
enum { DRAWN = sizeof drawn_y_up / sizeof *drawn_y_up };

#define DRAWN_VEHICLE                                                                              \
  "'parameters': {'layout': {'type': 'rectangle', 'mecanum': true}, 'command': {'type': "          \
  "'constant', 'vx': 0.2}, 'wheel': {'inclination': '45 deg', 'drive': {'type': 'body', 'kp': 3}," \
  " 'initial': {'rate': 1}}}, "

static char *quoted(const char *text) {
  char *copy = strdup(text);
  for (char *c = copy; *c; c++)
    if (*c == '\'') *c = '"';
  return copy;
}

static void expect_drawn(const drawn *d, const engine *e) {
  char text[5000], rows[4000] = "";
  snprintf(text, sizeof text,
           ROS("omni_vehicle") DRAWN_VEHICLE
           "'vary': [{'path': 'command.vy', 'uniform': [0.1, 0.3]}, {'path': "
           "'platform.center_of_mass.y', 'normal': [0.02, 0.01]}, {'path': 'wheel.drive.kp', "
           "'uniform': [1, 5]}, {'path': 'wheel.initial.rate', 'triangular': [0, 1, 3]}], "
           "'design': {'type': '%s'%s}, %s, " SHORT "}",
           d->design, d->more, ALL);
  pair p = {d->design, strdup(text), NULL};
  omr_study *study;
  omr_error error = {.message = ""};
  char *copy = quoted(p.ros);
  cr_assert_eq(omr_study_parse(copy, "s.json", NULL, 0, &study, &error), OMR_OK, "%s: %s",
               d->design, error.message);
  for (size_t k = 0; k < study->instances; k++) {
    double value[DRAWN];
    omr_values values;
    omr_study_values(study, k, &values, value);
    cr_expect(value[0] >= 0.1 && value[0] <= 0.3, "%s: vy %g", d->design, value[0]);
    cr_expect_eq(values.vehicle[OMR_VP_COMMAND_VZ], -value[0]);
    cr_expect_eq(values.vehicle[OMR_VP_COM_Z], -value[1]);
    cr_expect_eq(values.wheel[3][OMR_WP_KP], value[2]);
    cr_expect_eq(values.wheel[3][OMR_WP_RATE], -value[3]);
    snprintf(rows + strlen(rows), sizeof rows - strlen(rows), "%s[%.17g, %.17g, %.17g, %.17g]",
             k ? ", " : "", -value[0], -value[1], value[2], -value[3]);
  }
  omr_study_destroy(study);
  free(copy);
  snprintf(text, sizeof text,
           Y_UP("omni_vehicle") DRAWN_VEHICLE
           "'design': {'type': 'list', 'paths': ['%s', '%s', '%s', '%s'], 'rows': [%s]}, %s, " SHORT
           "}",
           drawn_y_up[0], drawn_y_up[1], drawn_y_up[2], drawn_y_up[3], rows, ALL);
  p.y_up = text;
  expect_same(&p, e);
  free((char *)(uintptr_t)p.ros);
}

Test(frames, values_that_are_drawn) {
  static const drawn designs[] = {
      {"monte_carlo", ", 'instances': 6, 'seed': '3'"},
      {"sobol", ", 'instances': 8"},
      {"latin_hypercube",
       ", 'instances': 6, 'correlation': [{'paths': ['command.vy', 'platform.center_of_mass.y'], "
       "'rank': 0.9}, "
       "{'paths': ['platform.center_of_mass.y', 'wheel.drive.kp'], 'rank': -0.3}]"}};
  for (size_t i = 0; i < sizeof designs / sizeof *designs; i++) expect_drawn(&designs[i], &host);
}

/* The sign of a correlation is that of the values in the study's frame. */
Test(frames, a_correlation_has_the_sign_that_it_was_given) {
  char *text = quoted(ROS("omni_vehicle") DRAWN_VEHICLE
                      "'vary': [{'path': 'command.vy', 'uniform': [0.1, 0.3]}, {'path': "
                      "'wheel.drive.kp', 'uniform': [1, 5]}], 'design': {'type': 'monte_carlo', "
                      "'instances': 400, 'correlation': [{'paths': ['command.vy', "
                      "'wheel.drive.kp'], 'rank': 0.9}]}, " SHORT "}");
  omr_study *study;
  omr_error error = {.message = ""};
  double sum = 0;
  cr_assert_eq(omr_study_parse(text, "s.json", NULL, 0, &study, &error), OMR_OK, "%s",
               error.message);
  for (size_t k = 0; k < study->instances; k++) {
    double value[2];
    omr_values values;
    omr_study_values(study, k, &values, value);
    sum += (value[0] - 0.2) / 0.1 * (value[1] - 3) / 2 / (double)study->instances;
  }
  /* 0.9 of the normal numbers is 0.89 of the ranks, a third of that for values within -1 and 1 */
  cr_expect(sum > 0.2 && sum < 0.4, "%g", sum);
  omr_study_destroy(study);
  free(text);
}

/* The reference computes in vectors of its own, and its results are told in the study's frame. */
Test(frames, the_reference) {
  expect_same(&one_wheel, &truth);
  expect_same(&disc, &truth);
  expect_same(&lifted, &truth);
}

static double last_of(const omr_result *result, const char *name, size_t wheel) {
  const omr_series series = series_named(result, name);
  cr_assert_not_null(series.values, "no %s", name);
  const size_t size = omr_result_series_size(result, series),
               wheels = series.over_wheels ? (size_t)result->wheels : 1;
  return (*series.values)[size - wheels + (series.over_wheels ? wheel : 0)];
}

#define SENSE(platform, parameters)                                                                \
  ROS("omni_vehicle")                                                                              \
  "'parameters': {'platform': {'mass': 20, 'yaw_inertia': 0.8, "                                   \
  "'center_of_mass': {" platform "'height': 0.1}}, 'layout': {'type': "                            \
  "'rectangle', 'mecanum': true}, " parameters "}, " ALL                                           \
  ", 'integrator': {'method': 'rk4', 'step': '0.2 ms', 'duration': '0.6 s'}}"
#define WHEELS                                                                                     \
  "'wheel': {'inclination': '45 deg', 'friction': 0.5, 'slip_speed': '5 cm/s', 'rollers': 9, "     \
  "'tip_radius': '8 mm', 'roller': {'density': 6000}, 'drive': {"
#define BODY WHEELS "'type': 'body', 'kp': 2, 'ki': 20}}"

/* What a reader of REP 103 expects. */
Test(frames, vy_drives_to_the_left_and_the_yaw_rate_turns_counterclockwise) {
  pair p = {"sense", SENSE("", "'command': {'type': 'tanh', 'vy': 0.3, 'ramp_time': 0.2}, " BODY),
            NULL};
  omr_result *left = run_text(&p, p.ros, &host);
  cr_expect_gt(last_of(left, "y", 0), 0.05);
  cr_expect_lt(fabs(last_of(left, "x", 0)), 0.02);
  cr_expect_gt(last_of(left, "vy", 0), 0.2);
  omr_result_destroy(left);
  p.ros =
      SENSE("", "'command': {'type': 'tanh', 'vx': 0.4, 'yaw_rate': 1, 'ramp_time': 0.2}, " BODY);
  omr_result *turn = run_text(&p, p.ros, &host);
  cr_expect_gt(last_of(turn, "yaw", 0), 0.2);
  cr_expect_gt(last_of(turn, "x", 0), 0.1);
  cr_expect_gt(last_of(turn, "y", 0), 0.01, "a left turn leads to the left");
  /* outside of the turn is the right side, whose wheels go faster; wheel 0 and 2 are left */
  cr_expect_gt(last_of(turn, "wheel_rate", 1), last_of(turn, "wheel_rate", 0));
  cr_expect_gt(last_of(turn, "wheel_rate", 0), 0, "forward is positive");
  omr_result_destroy(turn);
}

Test(frames, a_positive_torque_drives_forward_and_the_left_wheels_stand_at_positive_y) {
  pair p = {"sense", SENSE("'y': 0.05, ", WHEELS "'type': 'constant', 'torque': 0.5}}"), NULL};
  omr_result *result = run_text(&p, p.ros, &host);
  const omr_series place = series_named(result, "wheel_y");
  cr_expect_gt(last_of(result, "x", 0), 0.01);
  for (size_t i = 0; i < 4; i++) {
    cr_expect_gt(last_of(result, "wheel_rate", i), 0);
    cr_expect_gt(last_of(result, "torque", i), 0);
    cr_expect_eq((*place.values)[i] > 0, i % 2 == 0, "wheel %zu", i);
    cr_expect_gt((*series_named(result, "axis_y").values)[i], 0.99, "axles point to the left");
  }
  cr_expect_gt(last_of(result, "normal_load", 0), last_of(result, "normal_load", 1));
  omr_result_destroy(result);
}
