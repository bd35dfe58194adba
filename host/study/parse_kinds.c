#include "parse.h"

#include <string.h>

const char *const omr_model_names[OMR_MODELS] = {
    [OMR_MODEL_VEHICLE] = "omni_vehicle",      [OMR_MODEL_WHEEL] = "omni_wheel",
    [OMR_MODEL_DISC_VEHICLE] = "disc_vehicle", [OMR_MODEL_UK_WHEEL] = "uk_wheel",
    [OMR_MODEL_ROLLING_DISC] = "rolling_disc", [OMR_MODEL_WHEELSET] = "wheelset",
    [OMR_MODEL_SNAKEBOARD] = "snakeboard"};

const char *const omr_layout_names[3] = {[OMR_LAYOUT_RING] = "ring",
                                         [OMR_LAYOUT_RECTANGLE] = "rectangle",
                                         [OMR_LAYOUT_EXPLICIT] = "explicit"};

const omr_kind omr_drive_kinds[OMR_DRIVE_KINDS] = {
    [OMR_DRIVE_NONE] = {"none", {-1}, "no torque; the default"},
    [OMR_DRIVE_CONSTANT] = {"constant", {OMR_WP_TORQUE, -1}, "torque"},
    [OMR_DRIVE_TANH] = {"tanh",
                        {OMR_WP_TORQUE, OMR_WP_RAMP_TIME, -1},
                        "torque * tanh(t / ramp_time)"},
    [OMR_DRIVE_SINE] = {"sine",
                        {OMR_WP_TORQUE, OMR_WP_FREQUENCY, OMR_WP_PHASE, -1},
                        "torque * sin(2 pi frequency t + phase)"},
    [OMR_DRIVE_TABLE] = {"table",
                         {OMR_WP_TORQUE, -1},
                         "\"table\": [[time, torque], ...], straight lines between the rows and "
                         "constant outside; torque is a "
                         "factor here, default 1"},
    [OMR_DRIVE_SPEED] =
        {"speed",
         {OMR_WP_SPEED, OMR_WP_KP, OMR_WP_KI, OMR_WP_TORQUE_LIMIT, -1},
         "PI control that holds the wheel rate \"speed\", sampled every controller_period"},
    [OMR_DRIVE_BODY] = {"body",
                        {OMR_WP_KP, OMR_WP_KI, OMR_WP_TORQUE_LIMIT, -1},
                        "PI control of the wheel rate that the command asks for, sampled every "
                        "controller_period; only of vehicles"},
};

const omr_kind omr_command_kinds[OMR_COMMAND_KINDS] = {
    [OMR_COMMAND_NONE] = {"none", {-1}, "no command; the default"},
    [OMR_COMMAND_CONSTANT] = {"constant",
                              {OMR_VP_COMMAND_VX, OMR_VP_COMMAND_VZ, OMR_VP_COMMAND_YAW_RATE, -1},
                              "the velocities"},
    [OMR_COMMAND_TANH] = {"tanh",
                          {OMR_VP_COMMAND_VX, OMR_VP_COMMAND_VZ, OMR_VP_COMMAND_YAW_RATE,
                           OMR_VP_COMMAND_RAMP_TIME, -1},
                          "the velocities * tanh(t / ramp_time)"},
    [OMR_COMMAND_TABLE] = {"table",
                           {-1},
                           "\"table\": [[time, vx, vz, yaw_rate], ...], straight lines between the "
                           "rows and constant outside"},
};

const omr_kind omr_law_kinds[OMR_LAW_KINDS] = {
    [OMR_LAW_COULOMB] = {"saturated_coulomb",
                         {OMR_WP_SLIP_SPEED, -1},
                         "friction proportional to the slip below slip_speed, mu N beyond (sources "
                         "1 and 2); the default"},
    [OMR_LAW_REGULARIZED] = {"regularized_coulomb",
                             {OMR_WP_SLIP_SPEED, OMR_WP_LATERAL_FRICTION,
                              OMR_WP_LONGITUDINAL_FRICTION, OMR_WP_LATERAL_VISCOUS,
                              OMR_WP_LONGITUDINAL_VISCOUS, OMR_WP_FRICTION_ANGLE,
                              OMR_WP_ROLLING_FRICTION, -1},
                             "Exudyn's law (source 4): quadratic or linear zone, directions of "
                             "friction, viscous and rolling part"},
    [OMR_LAW_ROLLING] =
        {"ideal_rolling",
         {OMR_WP_BAUMGARTE, -1},
         "no slip: constraint with Baumgarte rate, tangential impact at roller exchanges"},
    [OMR_LAW_RELAXED] = {"udwadia_kalaba",
                         {OMR_WP_BAUMGARTE, OMR_WP_STICTION_GAIN, OMR_WP_FRICTION_GAIN,
                          OMR_WP_REFERENCE_SPEED, OMR_WP_WEIGHT, -1},
                         "rolling constraints relaxed by weights (source 5)"},
    [OMR_LAW_MASSLESS] = {"massless_rollers",
                          {OMR_WP_BAUMGARTE, -1},
                          "rollers without mass (source 2): no slip across the roller in contact, "
                          "one constraint per wheel"},
    [OMR_LAW_CLASSICAL] =
        {"classical_rollers",
         {OMR_WP_BAUMGARTE, -1},
         "massless rollers without phase: the contact stays below the wheel centre"},
};

const omr_kind omr_weights_kinds[OMR_WEIGHTS_KINDS] = {
    [OMR_WEIGHTS_DEMAND] =
        {"demand",
         {-1},
         "(1 - tanh^2(k_s rho/3))^2 of the demand rho, with friction (source 5); the default"},
    [OMR_WEIGHTS_TANH] = {"tanh",
                          {-1},
                          "tanh(rho)/rho, without friction: eq. (1) of source 5 as a weight"},
    [OMR_WEIGHTS_FIXED] = {"fixed",
                           {-1},
                           "contact.weight of each wheel, with the friction of source 5"},
};

const omr_kind omr_spins_kinds[OMR_SPINS_KINDS] = {
    [OMR_SPINS_LOCKED] = {"locked", {-1}, "no roller turns relative to its wheel; the default"},
    [OMR_SPINS_ROLLING] =
        {"rolling",
         {-1},
         "as locked, but each roller on the floor has the spin that leaves the least slip"},
    [OMR_SPINS_VALUES] = {"[[...], ...]",
                          {-1},
                          "axial spins in rad/s: one list per wheel, one number per roller"},
};

const omr_kind omr_ground_kinds[OMR_GROUND_KINDS] = {
    [OMR_GROUND_CONSTANT] = {"constant",
                             {-1},
                             "the wheels' friction everywhere and always; the default"},
    [OMR_GROUND_DIP] =
        {"dip",
         {OMR_VP_GROUND_FACTOR, OMR_VP_GROUND_TIME, OMR_VP_GROUND_WIDTH, -1},
         "friction * (factor + (1 - factor) tanh^4((t - time) / width)): source 5, eq. (24)"},
    [OMR_GROUND_STEP] = {"step",
                         {OMR_VP_GROUND_FACTOR, OMR_VP_GROUND_TIME, OMR_VP_GROUND_WIDTH, -1},
                         "friction * ((1 + factor) / 2 - (1 - factor) / 2 tanh((t - time) / "
                         "width)): source 5, eq. (26)"},
    [OMR_GROUND_PATCHES] = {"patches",
                            {OMR_VP_GROUND_EDGE, -1},
                            "the friction of the patch under the wheel's contact point, of the "
                            "wheel where there is none"},
};

const omr_kind omr_patch_kinds[OMR_PATCH_KINDS] = {
    [OMR_PATCH_NONE] = {"none", {-1}, "no patch"},
    [OMR_PATCH_RECTANGLE] = {"rectangle",
                             {OMR_VP_PATCH0_X, OMR_VP_PATCH0_Z, OMR_VP_PATCH0_LENGTH,
                              OMR_VP_PATCH0_WIDTH, OMR_VP_PATCH0_YAW, OMR_VP_PATCH0_FRICTION, -1},
                             "length along yaw, width across it, around (x, z); the default"},
    [OMR_PATCH_HALF_PLANE] = {"half_plane",
                              {OMR_VP_PATCH0_X, OMR_VP_PATCH0_Z, OMR_VP_PATCH0_YAW,
                               OMR_VP_PATCH0_FRICTION, -1},
                              "all ground beyond (x, z) in the direction of yaw"},
};

const omr_kind omr_method_kinds[OMR_METHOD_KINDS] = {
    [OMR_METHOD_RK4] = {"rk4", {-1}, "classical Runge-Kutta method, order 4; the default"},
    [OMR_METHOD_MIDPOINT] = {"midpoint", {-1}, "explicit midpoint rule, order 2"},
    [OMR_METHOD_HEUN] = {"heun", {-1}, "Heun's method, order 2"},
    [OMR_METHOD_EULER] = {"semi_implicit_euler",
                          {-1},
                          "velocities first, then positions with the new velocities, order 1"},
    [OMR_METHOD_ROSENBROCK] = {"rosenbrock",
                               {-1},
                               "linearly implicit in the friction's dependence on the slip (ROS2), "
                               "order 2: stable at any "
                               "slip_speed; for laws of friction"},
    [OMR_METHOD_ROS34PW2] = {"ros34pw2",
                             {-1},
                             "with `tolerance`: the same by an embedded pair of orders 3 and 2 "
                             "(Rang and Angermann), which chooses "
                             "its steps; the default there for laws of friction"},
    [OMR_METHOD_ROS2] = {"ros2",
                         {-1},
                         "with `tolerance`: the same by an embedded pair of orders 2 and 1 with "
                         "half of the stages, which chooses its steps: "
                         "cheaper where errors from 0.1 % on will do"},
    [OMR_METHOD_DOPRI] = {"dormand_prince",
                          {-1},
                          "with `tolerance`: explicit embedded pair of orders 5 and 4, which "
                          "chooses its steps; the default there "
                          "for all other laws and models"},
};

const omr_kind omr_stability_kinds[OMR_STABILITY_KINDS] = {
    [OMR_STABILITY_WARN] = {"warn", {-1}, "say so and run; the default"},
    [OMR_STABILITY_REFUSE] = {"refuse", {-1}, "an error, nothing is run"},
    [OMR_STABILITY_IGNORE] = {"ignore", {-1}, "say nothing"},
};

const omr_kind omr_failure_kinds[OMR_FAILURE_KINDS] = {
    [OMR_FAILURE_RECORD] = {"record",
                            {-1},
                            "keep status, time and last good state; the others go on; the default"},
    [OMR_FAILURE_RETRY] = {"retry_half_step",
                           {-1},
                           "run those that ended as diverged or too_many_exchanges again with half "
                           "the step, up to `retries` "
                           "times; the last run counts"},
    [OMR_FAILURE_ABORT] =
        {"abort",
         {-1},
         "end the run at the first instance that fails in any way, with exit code 10"},
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

bool omr_is_law_parameter(int index) {
  if (index == OMR_WP_STIFFNESS || index == OMR_WP_DAMPING) return false;
  return index == OMR_WP_SLIP_SPEED ||
         strncmp(omr_wheel_parameters[index].path, "contact.", 8) == 0;
}

bool omr_is_ground_parameter(int index) {
  return strncmp(omr_vehicle_parameters[index].path, "ground.", 7) == 0;
}

int omr_patch_of(int index) {
  const char *path = omr_vehicle_parameters[index].path;
  return strncmp(path, "ground.patch", 12) == 0 ? path[12] - '0' : -1;
}

double omr_mecanum_sign(int wheel) {
  return wheel == 0 || wheel == 3 ? 1.0 : -1.0;
}
