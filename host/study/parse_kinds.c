#include "parse.h"

#include <string.h>

const char *const omr_model_names[2] = {[OMR_MODEL_VEHICLE] = "omni_vehicle", [OMR_MODEL_WHEEL] = "omni_wheel"};

const char *const omr_layout_names[3] = {
    [OMR_LAYOUT_RING] = "ring", [OMR_LAYOUT_RECTANGLE] = "rectangle", [OMR_LAYOUT_EXPLICIT] = "explicit"};

const omr_kind omr_drive_kinds[OMR_DRIVE_KINDS] = {
    [OMR_DRIVE_NONE] = {"none", {-1}, "no torque; the default"},
    [OMR_DRIVE_CONSTANT] = {"constant", {OMR_WP_TORQUE, -1}, "torque"},
    [OMR_DRIVE_TANH] = {"tanh", {OMR_WP_TORQUE, OMR_WP_RAMP_TIME, -1}, "torque * tanh(t / ramp_time)"},
    [OMR_DRIVE_SINE] = {"sine", {OMR_WP_TORQUE, OMR_WP_FREQUENCY, OMR_WP_PHASE, -1}, "torque * sin(2 pi frequency t + phase)"},
    [OMR_DRIVE_TABLE] = {"table",
                         {OMR_WP_TORQUE, -1},
                         "\"table\": [[time, torque], ...], straight lines between the rows and constant outside; torque is a "
                         "factor here, default 1"},
    [OMR_DRIVE_SPEED] = {"speed",
                         {OMR_WP_SPEED, OMR_WP_KP, OMR_WP_KI, OMR_WP_TORQUE_LIMIT, -1},
                         "PI control that holds the wheel rate \"speed\", sampled every controller_period"},
    [OMR_DRIVE_BODY] = {"body",
                        {OMR_WP_KP, OMR_WP_KI, OMR_WP_TORQUE_LIMIT, -1},
                        "PI control of the wheel rate that the command asks for, sampled every controller_period; omni_vehicle"},
};

const omr_kind omr_command_kinds[OMR_COMMAND_KINDS] = {
    [OMR_COMMAND_NONE] = {"none", {-1}, "no command; the default"},
    [OMR_COMMAND_CONSTANT] = {"constant", {OMR_VP_COMMAND_VX, OMR_VP_COMMAND_VZ, OMR_VP_COMMAND_YAW_RATE, -1}, "the velocities"},
    [OMR_COMMAND_TANH] = {"tanh",
                          {OMR_VP_COMMAND_VX, OMR_VP_COMMAND_VZ, OMR_VP_COMMAND_YAW_RATE, OMR_VP_COMMAND_RAMP_TIME, -1},
                          "the velocities * tanh(t / ramp_time)"},
    [OMR_COMMAND_TABLE] = {"table",
                           {-1},
                           "\"table\": [[time, vx, vz, yaw_rate], ...], straight lines between the rows and constant outside"},
};

const omr_kind omr_spins_kinds[OMR_SPINS_KINDS] = {
    [OMR_SPINS_LOCKED] = {"locked", {-1}, "no roller turns relative to its wheel; the default"},
    [OMR_SPINS_ROLLING] = {"rolling", {-1}, "as locked, but each roller on the floor has the spin that leaves the least slip"},
    [OMR_SPINS_VALUES] = {"[[...], ...]", {-1}, "axial spins in rad/s: one list per wheel, one number per roller"},
};

bool omr_kind_uses(const omr_kind *kind, int index) {
  for (const int *used = kind->uses; *used >= 0; used++)
    if (*used == index) return true;
  return false;
}

bool omr_is_drive_parameter(int index) {
  return strncmp(omr_wheel_parameters[index].path, "drive.", 6) == 0;
}

bool omr_is_command_parameter(int index) {
  return strncmp(omr_vehicle_parameters[index].path, "command.", 8) == 0;
}

double omr_mecanum_sign(int wheel) {
  return wheel == 0 || wheel == 3 ? 1.0 : -1.0;
}
