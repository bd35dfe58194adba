/* Columns of the arrays that cross global memory, and the uniform settings of a run
 * (settings_layout.h). One array per quantity, instance index fastest: column c of instance k
 * stands at [c * stride + k]. Read by the kernels and by the host; no code here.
 *
 * X(ENUM, "name", "unit", "meaning") */
#ifndef OMR_LAYOUT_H
#define OMR_LAYOUT_H

#include "settings_layout.h"

/* Instances whose spins of rollers lie together (pack_spins of entry.h); a pack is no wider. */
#define SPIN_BLOCK 16

/* clang-format off */
/* Folded parameters of the vehicle (host/model/prepare.c computes them in double; equations: appendix/vehicle.md#motion). */
#define OMR_PARAM_COLUMNS(X)                                                                         \
  X(INV_MASS, "1/M", "kg-1", "inverse of the total mass")                                             \
  X(MASS, "M", "kg", "total mass")                                                                   \
  X(WEIGHT, "M g", "N", "weight")                                                                    \
  X(COM_X, "c_x", "m", "centre of mass of the whole system, body x")                                  \
  X(COM_Z, "c_z", "m", "centre of mass of the whole system, body z")                                  \
  X(INV_YAW, "1/(J_O - M c^2)", "kg-1 m-2", "inverse of the yaw inertia about the centre of mass")    \
  X(HEIGHT, "H1/M", "m", "height of the centre of mass")                                             \
  X(TILT_X, "H2_x - H1 c_x", "kg m2", "first horizontal moment of mass times height, about the centre of mass") \
  X(TILT_Z, "H2_z - H1 c_z", "kg m2", "the same along z")                                            \
  X(DET_MIN, "det", "m4", "smallest determinant of the load equations that still has a solution")     \
  X(COMMAND_VX, "command vx", "m s-1", "commanded velocity")                                          \
  X(COMMAND_VZ, "command vz", "m s-1", "commanded velocity")                                          \
  X(COMMAND_YAW_RATE, "command yaw rate", "rad s-1", "commanded yaw rate")                            \
  X(COMMAND_INV_RAMP, "1/ramp", "s-1", "inverse ramp time of the command; replayed: table's time per time") \
  X(COMMAND_SHIFT, "shift", "s", "command: the replayed table's time at 0")                           \
  X(ODO_GYRO_GAIN, "1 + s", "1", "gyro of the odometry: its yaw rate per yaw rate; read where K_ODO_GYRO says so") \
  X(ODO_GYRO_BIAS, "b", "rad s-1", "what it adds") \
  X(ODO_TURN_X, "", "m", "odometry with a gyro: vx and vz per yaw rate at given rates of its wheels") \
  X(ODO_TURN_Z, "", "m", "") \
  X(TRACKING, "tracking", "1", "0: explicit contact tracking, 1: implicit; read where K_TRACKING says both") \
  X(EXTERNAL_X, "F_x", "N", "external force, or its amplitude, in the axes of the setting EXTERNAL_WORLD")   \
  X(EXTERNAL_Y, "F_y", "N", "")                                                                      \
  X(EXTERNAL_Z, "F_z", "N", "")                                                                      \
  X(EXTERNAL_TURN_X, "T_x", "N m", "external torque, likewise")                                      \
  X(EXTERNAL_TURN_Y, "T_y", "N m", "")                                                               \
  X(EXTERNAL_TURN_Z, "T_z", "N m", "")                                                               \
  X(EXTERNAL_FACTOR, "factor", "1", "of their table")                                                \
  X(EXTERNAL_FREQUENCY, "f", "s-1", "frequency of a sine")                                            \
  X(EXTERNAL_PHASE, "phase", "1", "phase of a sine in turns")                                         \
  X(EXTERNAL_ARM, "h_F", "m", "height of the force over the centre of mass; testbench: over the wheel's centre") \
  X(EXTERNAL_DOWN, "max -F_y", "N", "largest force downwards, and load of a landing beyond the weight; for the host's look at stability alone")  \
  X(GROUND_TIME, "t_s", "s", "ground: time at which friction changes")                                \
  X(GROUND_INV_WIDTH, "1/s_d", "s-1", "ground: inverse of the time that takes")                       \
  X(GROUND_BASE, "base", "1", "ground: factor of friction where the tanh is 0")                       \
  X(GROUND_GAIN, "gain", "1", "ground: what the tanh is multiplied by")                               \
  X(GROUND_INV_EDGE, "1/edge", "m-1", "patches: inverse width of the transition at an edge (huge: sharp)") \
  OMR_PATCH_COLUMNS(X, 0)                                                                            \
  OMR_PATCH_COLUMNS(X, 1)                                                                            \
  OMR_PATCH_COLUMNS(X, 2)                                                                            \
  OMR_PATCH_COLUMNS(X, 3)                                                                            \
  X(PATCH_REACH, "reach", "m", "patches: way that a wheel may go unlooked at")                        \
  X(SUPPLY_VOLTAGE, "V_0", "V", "supply: open-circuit voltage")                                       \
  X(SUPPLY_RESISTANCE, "R_i", "ohm", "supply: internal resistance")                                   \
  X(PASS_LIMIT, "passes", "1", "most passes that the instance may take; read where K_BUDGET says so") \
  X(STEPS, "steps", "1", "steps of the whole run") \
  X(MOST_SPEED, "", "m s-1", "beyond these the instance has diverged: velocity of the body origin")     \
  X(MOST_YAW_RATE, "", "rad s-1", "yaw rate")                                                          \
  X(MOST_RATE, "", "rad s-1", "wheel rates") \
  X(YAW_LOSS_X, "lambda_x", "rad m-1", "loss of yaw for each metre forward; read where K_YAW_LOSS says so") \
  X(YAW_LOSS_Z, "lambda_z", "rad m-1", "the same for each metre sideways") \
  X(YAW_LOSS_FADE, "kappa^2", "rad2 m-2", "square of the curvature below which the loss fades") \
  X(HOLD_GAIN, "k", "s-1", "loop of the heading, read where K_HEADING says so (kernels/time/heading.h): yaw rate per error") \
  X(HOLD_INTEGRAL, "k_i T", "s-1", "growth of its integral part per error and sample") \
  X(HOLD_RATE, "k_d/T", "s-1", "yaw rate per change of the error from sample to sample") \
  X(HOLD_PERIOD, "T_c", "s", "time between two samples of the wheels' controllers") \
  X(GYRO_SCALE, "s", "1", "turn that the gyro gives per turn") \
  X(GYRO_BIAS, "b T", "rad", "turn that it adds in a sample of the loop") \
  X(GYRO_NOISE, "sigma T", "rad", "standard deviation of a further one") \
  X(GYRO_KEY_LOW, "", "1", "seed of that: 24 bits, ") \
  X(GYRO_KEY_HIGH, "", "1", "and 24 more") \
  X(WAY_SPEED, "v", "m s-1", "loop that follows a path, read where K_WAY says so (kernels/time/follow.h): speed") \
  X(WAY_STEP, "a T", "m s-1", "largest growth of the speed from sample to sample") \
  X(WAY_BRAKE, "2 a", "m s-2", "square of the speed per way that is left") \
  X(WAY_AHEAD, "L", "m", "look-ahead") \
  X(WAY_GAIN, "k", "s-1", "cross_track: velocity to the path per distance") \
  X(WAY_INTEGRAL, "k_i T", "s-1", "growth of its integral part per distance and sample") \
  X(WAY_TURN, "k_h", "s-1", "yaw rate per error of the heading") \
  X(ASKED_MOST, "chi*_max", "rad s-1", "largest rate that a wheel's controller is asked for; read where K_ASKED_LIMIT says so") \
  X(ASKED_STEP, "a T_c", "rad s-1", "largest change of it from sample to sample") \
  X(J_XX, "I0_xx", "kg m2", "compliant contact: inertia about the whole centre of mass, wheels locked, without the rollers' own axial parts") \
  X(J_XY, "I0_xy", "kg m2", "") \
  X(J_XZ, "I0_xz", "kg m2", "") \
  X(J_YY, "I0_yy", "kg m2", "") \
  X(J_YZ, "I0_yz", "kg m2", "") \
  X(J_ZZ, "I0_zz", "kg m2", "") \
  X(TURN_XX, "A^-1_xx", "kg-1 m-2", "inverse of that inertia less the wheels' and rotors' parts that turn on their own, L^2/J k k^T") \
  X(TURN_XY, "A^-1_xy", "kg-1 m-2", "") \
  X(TURN_XZ, "A^-1_xz", "kg-1 m-2", "") \
  X(TURN_YY, "A^-1_yy", "kg-1 m-2", "") \
  X(TURN_YZ, "A^-1_yz", "kg-1 m-2", "") \
  X(TURN_ZZ, "A^-1_zz", "kg-1 m-2", "")

/* A patch of the ground, in the order that kernels/ground.h counts on. */
#define OMR_PATCH_COLUMNS(X, N)                                                                      \
  X(PATCH##N##_X, "x", "m", "centre, or a point of the edge, world")                                  \
  X(PATCH##N##_Z, "z", "m", "centre, or a point of the edge, world")                                  \
  X(PATCH##N##_COS, "cos yaw", "1", "direction of its length, or of the inward normal")               \
  X(PATCH##N##_SIN, "sin yaw", "1", "")                                                              \
  X(PATCH##N##_HALF_LENGTH, "length/2", "m", "")                                                     \
  X(PATCH##N##_HALF_WIDTH, "width/2", "m", "")                                                       \
  X(PATCH##N##_FRICTION, "mu", "1", "friction coefficient on the patch")

/* Folded parameters of each wheel. */
#define OMR_WHEEL_PARAM_COLUMNS(X)                                                                   \
  X(COS, "cos delta", "1", "axis direction")                                                          \
  X(SIN, "sin delta", "1", "axis direction")                                                          \
  X(A, "a", "m", "wheel centre, body x")                                                             \
  X(B, "b", "m", "wheel centre, body z")                                                             \
  X(ALONG, "r.i", "m", "wheel centre along i")                                                        \
  X(ACROSS, "r.k", "m", "wheel centre along k")                                                       \
  X(RADIUS, "R", "m", "wheel radius")                                                                \
  X(CENTER, "R1", "m", "distance of the roller centres")                                              \
  X(SHIFT, "R1 tan psi", "m", "sideways shift of the contact point per tan q")                        \
  X(COS_PSI, "cos psi", "1", "roller inclination")                                                    \
  X(SIN_PSI, "sin psi", "1", "roller inclination")                                                    \
  X(ALPHA, "alpha", "rad", "half angle of a roller")                                                  \
  X(COS_PITCH, "cos 2 alpha", "1", "")                                                               \
  X(SIN_PITCH, "sin 2 alpha", "1", "")                                                               \
  X(ROLLERS, "n", "1", "number of rollers")                                                          \
  X(STICTION_GAIN, "k_s/3", "1", "relaxed constraints")                                               \
  X(FRICTION_GAIN, "k_F/3", "1", "relaxed constraints")                                               \
  X(INV_REFERENCE, "1/v_ref", "s m-1", "relaxed constraints")                                         \
  X(INV_INERTIA, "1/J", "kg-1 m-2", "inverse of J_chi + gear^2 rotor inertia")                        \
  X(MOMENTUM, "J_chi + gear J_m", "kg m2", "axial angular momentum per wheel rate")                   \
  X(MOMENTUM_RATIO, "(J_chi + gear J_m)/J", "1", "")                                                  \
  X(ROLLER_INERTIA, "I_a", "kg m2", "axial inertia of a roller")                                      \
  X(INV_ROLLER_INERTIA, "1/I_a", "kg-1 m-2", "")                                                      \
  X(DECAY, "beta_r/I_a", "s-1", "decay rate of an idle roller's spin")                                 \
  X(TORQUE, "tau", "N m", "drive torque")                                                            \
  X(DRIVE_1, "drive 1", "", "tanh: 1/ramp time; sine: frequency; speed: wheel rate to hold; replayed: table's time per time") \
  X(DRIVE_2, "drive 2", "", "sine: phase in turns; controllers: proportional gain; replayed: the table's time at 0") \
  X(DRIVE_3, "drive 3", "", "controllers: integral gain times period; replayed rate: J, the inverse of which is 0 then") \
  X(TORQUE_LIMIT, "tau_max", "N m", "controllers: torque limit")                                      \
  X(STALL, "tau_stall", "N m", "torque-speed line at the wheel: torque at rest (huge: none)")         \
  X(STALL_SLOPE, "tau_stall/omega_0", "N m s", "torque-speed line at the wheel: slope (0: none)")      \
  X(EMF, "k_e g", "V s", "motor: voltage that it makes per wheel rate")                               \
  X(PULL, "k_t g", "N m A-1", "motor: torque per current, times the ratio")                           \
  X(RESISTANCE, "R", "ohm", "motor: resistance")                                                      \
  X(CONDUCTANCE, "1/R", "ohm-1", "motor: its inverse")                                                \
  X(CURRENT_LIMIT, "I_max", "A", "motor: largest current (huge: no limit)")                           \
  X(IDLE_TORQUE, "|g| k_t I_0", "N m", "motor: dry friction, times the ratio")                        \
  X(TURN_GAIN, "|g|/omega_s", "s", "motor: inverse of the wheel rate at which dry friction saturates") \
  X(FORWARD_PART, "1 - eta", "1", "gear: part of the torque lost where power goes to the wheel")      \
  X(BACK_PART, "1/eta_b - 1", "1", "gear: part added where power comes from the wheel")               \
  X(COASTS, "", "1", "1: no circuit is closed where the drive asks for nothing; 0: short circuit")    \
  X(FOLLOW, "R/L", "s-1", "motor: rate at which its current follows the voltage; 0: at once")           \
  X(IDEAL_X, "H_x", "m-1", "ideal kinematics: wheel rate per vx")                                     \
  X(IDEAL_Z, "H_z", "m-1", "ideal kinematics: wheel rate per vz")                                     \
  X(IDEAL_YAW, "H_omega", "1", "ideal kinematics: wheel rate per yaw rate")                           \
  X(ODO_X, "pinv(H)_x", "m", "odometry: vx per wheel rate")                                           \
  X(ODO_Z, "pinv(H)_z", "m", "odometry: vz per wheel rate")                                           \
  X(ODO_YAW, "pinv(H)_omega", "1", "odometry: yaw rate per wheel rate")                               \
  X(NOMINAL_RADIUS, "R_0", "m", "wheel radius that controller and odometry know")                     \
  X(INV_SLIP_SPEED, "1/v_mu", "s m-1", "regularised law, drilling friction")                          \
  X(INV_FRICTION, "1/mu", "1", "regularised law: inverse of FRICTION")                                \
  X(LATERAL, "mu_x", "1", "regularised law: friction coefficient of the turned lateral direction")    \
  X(LONGITUDINAL, "mu_y", "1", "regularised law: across it")                                          \
  X(FRICTION_COS, "cos alpha_t", "1", "regularised law: angle of the directions of friction")         \
  X(FRICTION_SIN, "sin alpha_t", "1", "")                                                             \
  X(DRY_PIN, "mu_b r_p", "m", "dry friction of a roller's bearing (kernels/laws/dry.h): by the force across its axis") \
  X(DRY_END, "mu_e r_e", "m", "part by the force along it")                                           \
  X(DRY_RISE, "sigma - 1", "1", "static over kinetic friction, less 1")                               \
  X(DRY_INV_STRIBECK, "1/v_1", "s rad-1", "")                                                        \
  X(DRY_INV_SMOOTHING, "1/v_0", "s rad-1", "")                                                       \
  X(AXLE_PIN, "mu_a r_a", "m", "dry friction of the axle: part by the force in the wheel's plane")     \
  X(AXLE_RISE, "sigma - 1", "1", "")                                                                 \
  X(AXLE_INV_STRIBECK, "1/v_1", "s rad-1", "")                                                       \
  X(AXLE_INV_SMOOTHING, "1/v_0", "s rad-1", "")                                                      \
  X(ROLLING_ARM, "f", "m", "rolling resistance of the roller on the floor: lever arm")                \
  X(DRY_POWER, "p - 1", "1", "exponent of the load, less 1")                                          \
  X(DRY_INV_LOAD, "1/N_ref", "N-1", "inverse of the load where the exponent changes nothing") \
  X(CONTACT_STIFFNESS, "k", "N m-1 or N m-1.5", "compliant contact: stiffness of its spring") \
  X(CROSSLEY, "c", "s m-1", "factor of Hunt and Crossley's damping") \
  X(CONTACT_DAMPING, "D", "N s m-1", "damping of Kelvin and Voigt") \
  X(SIN_END, "sin a_r", "1", "end of a roller's profile, a_r = coverage pi/n") \
  X(INV_COS_PSI, "1/cos psi", "1", "") \
  X(SAG_LIMIT, "R (1 - cos 2 alpha)", "m", "sag at which a fourth roller reaches the floor") \
  X(SUSPENSION_STIFFNESS, "k_s", "N m-1", "suspension of the wheel: its spring") \
  X(SUSPENSION_DAMPING, "d_s", "N s m-1", "its damper") \
  X(PRELOAD, "p_s", "N", "force of the spring at no travel") \
  X(UNSPRUNG, "m_s", "kg", "mass that moves with the wheel, its own included")

/* Folded parameters of a floor that is no level plane; they stand after the wheels' parameters, and
 * runs without such a floor have none of them. */
#define OMR_FLOOR_COLUMNS(X)                                                                         \
  X(UP_X, "up_x", "1", "direction against gravity, world axes, whose y is the floor's mean normal")   \
  X(UP_Y, "up_y", "1", "")                                                                           \
  X(UP_Z, "up_z", "1", "")                                                                           \
  X(TOP, "max H", "m", "no point of the profile is higher")                                           \
  X(STEP_COS, "cos d", "1", "direction across the step")                                              \
  X(STEP_SIN, "sin d", "1", "")                                                                      \
  X(STEP_PLACE, "s_0", "m", "where it begins to rise along that direction, from the world's origin")  \
  X(STEP_HEIGHT, "h", "m", "")                                                                       \
  X(STEP_INV_RAMP, "1/b", "m-1", "inverse of the way over which it rises")                            \
  X(STEP_WIDTH, "w", "m", "from where it begins to rise to where it begins to fall (huge: it stays)")  \
  X(MAP_COS, "cos d", "1", "direction of the map's x axis")                                           \
  X(MAP_SIN, "sin d", "1", "")                                                                       \
  X(MAP_X, "x_0", "m", "place of the map's origin")                                                   \
  X(MAP_Z, "z_0", "m", "")                                                                           \
  X(MAP_OFFSET, "o", "m", "height that is added to the map's")                                        \
  X(MAP_SCALE, "s", "1", "factor of the map's heights")

/* A plane wave of the floor, amplitude sin(k_x x + k_z z + phase); they stand after those columns. */
enum { WAVE_AMPLITUDE, WAVE_X, WAVE_Z, WAVE_PHASE, WAVE_COLUMNS };
#define OMR_FLOOR_WAVES 65 /* the study's wave, and the waves of its roughness */

/* State of the vehicle. *_LOW columns carry the compensation of the column before them. */
#define OMR_STATE_COLUMNS(X)                                                                         \
  X(X, "x", "m", "world pose of the body origin")                                                     \
  X(Z, "z", "m", "world pose of the body origin")                                                     \
  X(YAW, "yaw", "rad", "yaw wrapped to a turn")                                                       \
  X(VX, "vx", "m s-1", "velocity of the body origin, body axes")                                      \
  X(VZ, "vz", "m s-1", "velocity of the body origin, body axes")                                      \
  X(YAW_RATE, "yaw_rate", "rad s-1", "yaw rate")                                                      \
  X(X_LOW, "", "m", "")                                                                              \
  X(Z_LOW, "", "m", "")                                                                              \
  X(YAW_LOW, "", "rad", "")                                                                          \
  X(TURNS, "turns", "1", "full turns of yaw")                                                         \
  X(STEP, "k", "1", "steps done")                                                                    \
  X(FRACTION, "f", "1", "done part of the running step (0 but for a failed instance)")                \
  X(CUT, "", "1", "fraction of the next step at which it is cut, 0 if nowhere")                       \
  X(STATUS, "status", "1", "omr_instance_status")                                                     \
  X(DISSIPATED, "dissipated", "J", "contact and bearing friction")                                    \
  X(WORK, "work", "J", "drive torques")                                                              \
  X(PATH, "path", "m", "path length")                                                                \
  X(IMPACT, "impact", "J", "lost in tangential impacts")                                              \
  X(IMPACT_LOW, "", "J", "")                                                                         \
  X(MAX_RATIO2, "max (|F|/(mu N))^2", "1", "")                                                       \
  X(MIN_WEIGHT, "min weight", "1", "smallest relaxation weight")                                      \
  X(DISSIPATED_LOW, "", "J", "")                                                                     \
  X(WORK_LOW, "", "J", "")                                                                           \
  X(PATH_LOW, "", "m", "")                                                                           \
  X(MAX_SLIP2, "max slip^2", "m2 s-2", "largest squared slip speed")                                  \
  X(MIN_LOAD, "min load", "N", "")                                                                   \
  X(MAX_LOAD, "max load", "N", "")                                                                   \
  X(MAX_SERVO, "max servo", "N m", "largest magnitude of the servo torque")                           \
  X(EXCHANGES, "exchanges", "1", "")                                                                 \
  X(HOLDS, "holds", "1", "times that a wheel came to rest on two rollers")                            \
  X(COMMAND_X, "command x", "m", "commanded pose")                                                    \
  X(COMMAND_Z, "command z", "m", "commanded pose")                                                    \
  X(COMMAND_YAW, "command yaw", "rad", "commanded yaw")                                               \
  X(COMMAND_X_LOW, "", "m", "")                                                                      \
  X(COMMAND_Z_LOW, "", "m", "")                                                                      \
  X(COMMAND_YAW_LOW, "", "rad", "")                                                                  \
  X(MAX_DEVIATION2, "max deviation^2", "m2", "")                                                      \
  X(ODO_X, "odometry x", "m", "pose from the wheel angles")                                           \
  X(ODO_Z, "odometry z", "m", "pose from the wheel angles")                                           \
  X(ODO_YAW, "odometry yaw", "rad", "yaw from the wheel angles")                                      \
  X(ODO_X_LOW, "", "m", "")                                                                          \
  X(ODO_Z_LOW, "", "m", "")                                                                          \
  X(ODO_YAW_LOW, "", "rad", "")                                                                      \
  X(VIB_SQUARE, "int a^2 dt", "m2 s-3", "integral of the squared residual acceleration")              \
  X(VIB_X, "int a_x dt", "m s-1", "integral of the residual acceleration")                            \
  X(VIB_Z, "int a_z dt", "m s-1", "integral of the residual acceleration")                            \
  X(VIB_SQUARE_LOW, "", "m2 s-3", "")                                                                \
  X(VIB_X_LOW, "", "m s-1", "")                                                                      \
  X(VIB_Z_LOW, "", "m s-1", "")                                                                      \
  X(VIB_PEAK2, "peak a^2", "m2 s-4", "largest squared residual acceleration")                          \
  X(PASSES, "passes", "1", "passes of the instance, rejected ones too; counted where K_BUDGET or K_CONTROLLED says so")        \
  X(BEARING_LOSS, "bearing loss", "J", "lost in the bearings of axles and rollers")                   \
  X(BEARING_LOSS_LOW, "", "J", "")                                                                   \
  X(ROLLER_LOSS, "roller loss", "J", "part of it lost in the bearings of rollers")                    \
  X(ROLLER_LOSS_LOW, "", "J", "")                                                                    \
  X(ROLLING_LOSS, "rolling loss", "J", "lost by rolling resistance")                                  \
  X(ROLLING_LOSS_LOW, "", "J", "")                                                                   \
  X(MOTOR_WORK, "motor work", "J", "positive part of the drives' work")                               \
  X(MOTOR_WORK_LOW, "", "J", "")                                                                     \
  X(REGENERATED, "regenerated", "J", "negative part, as a positive number")                           \
  X(REGENERATED_LOW, "", "J", "")                                                                    \
  X(PEAK_POWER, "peak power", "W", "largest power of all drives together")                            \
  X(SUPPLY_ENERGY, "supply", "J", "given by the supply's open-circuit voltage and by sources of voltage") \
  X(SUPPLY_ENERGY_LOW, "", "J", "")                                                                  \
  X(SUPPLY_HEAT, "supply heat", "J", "in the supply's internal resistance")                           \
  X(SUPPLY_HEAT_LOW, "", "J", "")                                                                    \
  X(MOTOR_HEAT, "motor heat", "J", "in the motors' windings")                                         \
  X(MOTOR_HEAT_LOW, "", "J", "")                                                                     \
  X(GEAR_LOSS, "gear loss", "J", "in gears and by the motors' own friction")                          \
  X(GEAR_LOSS_LOW, "", "J", "")                                                                      \
  X(CONTROL_LOSS, "control loss", "J", "in the motors' controllers")                                  \
  X(CONTROL_LOSS_LOW, "", "J", "")                                                                   \
  X(SUPPLY_PEAK, "peak supply", "A", "largest current of the supply")                                 \
  X(SUPPLY_LEAST, "least bus", "V", "smallest voltage of the supply")                                 \
  X(LAST_LEAST, "", "N", "constraints: smallest load where the last step started; huge: there was none")  \
  X(LAST_MOST, "", "N", "constraints: largest load there; hugely negative: there was none")           \
  X(GROWTH_LEAST, "", "N", "constraints: how much nearer to an extreme that had come in a step")       \
  X(GROWTH_MOST, "", "N", "")                                                                        \
  X(LEFT_LEAST, "", "N", "stages' values just before a controller's sample: smallest load; huge: none") \
  X(LEFT_MOST, "", "N", "largest load")                                                              \
  X(LEFT_SERVO2, "", "N2 m2", "squared servo torque")                                                \
  X(LEFT_SQUARE, "", "m2 s-4", "squared residual acceleration") \
  X(TIME, "t", "s", "error-controlled steps, as what follows: time, ")                                \
  X(TIME_LOW, "", "s", "and what its sum lacks")                                                     \
  X(NEXT, "h", "s", "wanted length of the next pass; negative after a jump of the motion")           \
  X(SAMPLE, "n", "1", "number of the controllers' next sample")                                      \
  X(EVENT, "m", "1", "number of the next corner of a table; -1: the motion has not begun")                                         \
  X(TOLERANCE, "tolerance", "1", "of the instance")                    \
  X(UNTIL, "until", "1", "step of its own up to which the instance goes; read where K_STEPPED says so (huge: no such end)") \
  X(SUBSTEPS, "substeps", "1", "steps of the instance to a step of the run: 1, 2 or 4 (kernels/time/substeps.h)") \
  X(HEIGHT, "y", "m", "compliant contact, as what follows: height of the body origin over the floor") \
  X(PITCH, "theta", "rad", "pitch, nose up") \
  X(ROLL, "phi", "rad", "roll, about the forward axis") \
  X(VY, "vy", "m s-1", "velocity of the body origin along the body's own up") \
  X(ROLL_RATE, "omega_x", "rad s-1", "angular velocity about the body's forward axis") \
  X(PITCH_RATE, "omega_z", "rad s-1", "about its axis to the right") \
  X(VERTICAL_SQUARE, "int a_y^2 dt", "m2 s-3", "integral of the squared vertical acceleration of the body origin") \
  X(PITCH_SQUARE, "int domega_z^2 dt", "rad2 s-3", "of the squared pitch acceleration") \
  X(ROLL_SQUARE, "int domega_x^2 dt", "rad2 s-3", "of the squared roll acceleration") \
  X(FEW_TIME, "t", "s", "time with fewer than three wheels loaded, of two with one or none") \
  X(SUSPENSION_LOSS, "", "J", "lost in the dampers of the suspension") \
  X(LIFTINGS, "liftings", "1", "times that a loaded wheel lost contact") \
  X(LOADED, "", "1", "sum of 2^i over the wheels loaded at the last look") \
  X(MAX_VERTICAL2, "peak a_y^2", "m2 s-4", "largest squared vertical acceleration") \
  X(MAX_PITCH2, "peak domega_z^2", "rad2 s-4", "largest squared pitch acceleration") \
  X(MAX_ROLL2, "peak domega_x^2", "rad2 s-4", "largest squared roll acceleration") \
  X(VERTICAL_SUM, "int a_y dt", "m s-1", "integral of the vertical acceleration") \
  X(HEIGHT_SUM, "int y dt", "m s", "integral of the height") \
  X(MIN_UP, "min cos", "1", "smallest cosine of the tilt") \
  X(GRIP_PASS, "tau", "s", "observer of the grip: length of the pass since its last look") \
  X(HOLD_ERROR, "e", "rad", "loop of the heading, as what follows: heading asked for less the gyro's") \
  X(HOLD_BEFORE, "e_-", "rad", "the same at its last sample") \
  X(HOLD_SUM, "I", "rad s-1", "its integral part") \
  X(HOLD_YAW, "yaw", "rad", "yaw at its last sample, wrapped") \
  X(HOLD_TURNS, "turns", "1", "and full turns") \
  X(HOLD_YAW_RATE, "u", "rad s-1", "yaw rate that it adds to the command") \
  X(HOLD_LATER_0, "u_0", "rad s-1", "what its samples gave, the last one first") \
  X(HOLD_LATER_1, "", "rad s-1", "") X(HOLD_LATER_2, "", "rad s-1", "") X(HOLD_LATER_3, "", "rad s-1", "") \
  X(HOLD_LATER_4, "", "rad s-1", "") X(HOLD_LATER_5, "", "rad s-1", "") X(HOLD_LATER_6, "", "rad s-1", "") \
  X(HOLD_LATER_7, "", "rad s-1", "") \
  X(WAY_LEG, "", "1", "loop that follows a path, as what follows: leg of the nearest point at its last sample") \
  X(WAY_ALONG, "s", "m", "way of that point along it") \
  X(WAY_NOW, "v", "m s-1", "speed asked for") \
  X(WAY_SUM, "I", "m s-1", "integral part") \
  X(WAY_VX, "vx", "m s-1", "velocity asked for, body axes") \
  X(WAY_VZ, "vz", "m s-1", "") \
  X(WAY_YAW_RATE, "omega", "rad s-1", "yaw rate asked for") \
  X(WAY_LOOKS, "", "1", "samples up to the end of the path") \
  X(WAY_SQUARE, "sum e^2", "m2", "squared distances from the path at them") \
  X(WAY_MOST2, "max e^2", "m2", "the largest") \
  X(WAY_TIME, "t", "s", "time at which the end, or the first round, was behind; below 0: not yet") \
  X(WAY_TRUE_LEG, "", "1", "where the loop sees odometry: leg of the point that is nearest to the true place") \
  X(WAY_TRUE_ALONG, "s", "m", "")

/* State of each wheel. Without roller bearing friction IDLE_* are sums over the idle rollers' spins s_j, with it over their
 * decaying parts d_j (appendix/bearings.md#bearings), in the frame of the roller in contact: weights cos, sin of 2 pi (j - j_active)/n, 1. */
#define OMR_WHEEL_STATE_COLUMNS(X)                                                                   \
  X(Q, "q", "rad", "angle of the roller in contact from straight down")                               \
  X(RATE, "rate", "rad s-1", "wheel rate")                                                            \
  X(SPIN, "s", "rad s-1", "axial spin of the roller in contact")                                      \
  X(Q_LOW, "", "rad", "")                                                                            \
  X(ACTIVE, "j", "1", "number of the roller in contact")                                              \
  X(INDEX, "J", "1", "contact index: wheel angle = q + 2 alpha J")                                    \
  X(ROW, "sigma w/2", "m", "axial displacement of that roller's row")                                 \
  X(EDGE, "", "1", "+-1: the edge where the next step is cut; 0: none")                               \
  X(IDLE_COS, "C", "rad s-1", "idle rollers' sum with cos")                                           \
  X(IDLE_SIN, "S", "rad s-1", "idle rollers' sum with sin")                                           \
  X(IDLE_SUM, "sum", "rad s-1", "idle rollers' sum")                                                  \
  X(IDLE_SQUARE, "sum^2", "rad2 s-2", "idle rollers' sum of squares")                                 \
  X(BEARING_A, "A", "rad s-1", "bearing friction: particular solution, cos part, frame of the roller in contact") \
  X(BEARING_B, "B", "rad s-1", "sin part")                                                            \
  X(BEARING_D, "D", "rad s-1", "wheel rate part")                                                     \
  X(HOLD_TORQUE, "tau", "N m", "controller's torque, held over its period")                           \
  X(INTEGRAL, "I", "N m", "controller's integral part")                                               \
  X(VIB_COS_X, "", "m s-1", "integral of a_x cos n chi dt")                                            \
  X(VIB_SIN_X, "", "m s-1", "integral of a_x sin n chi dt")                                            \
  X(VIB_COS_Z, "", "m s-1", "integral of a_z cos n chi dt")                                            \
  X(VIB_SIN_Z, "", "m s-1", "integral of a_z sin n chi dt")                                            \
  X(TORQUE_SQUARE, "int tau^2 dt", "N2 m2 s", "integral of the squared drive torque")                 \
  X(TORQUE_SQUARE_LOW, "", "N2 m2 s", "")                                                            \
  X(TORQUE_PEAK, "peak tau", "N m", "largest magnitude of the drive torque")                \
  X(CURRENT_PEAK, "peak i", "A", "largest magnitude of the motor's current")                          \
  X(REST, "", "1", "+-2: rests on two rollers, the one in contact at q = +-alpha; else the direction of the last exchange: +-1, or " \
    "+-3 where that was against the one before and has not been tried for a rest") \
  X(SECOND, "s_2", "rad s-1", "where the wheel rests: axial spin of the second roller; not among the idle sums then") \
  X(BEFORE, "s_-", "rad s-1", "compliant contact: axial spin of the roller before the active one, active - 1; not among the idle sums then") \
  X(AFTER, "s_+", "rad s-1", "of the one after it, active + 1") \
  X(TRAVEL, "u", "m", "how far the wheel is pressed into its suspension") \
  X(TRAVEL_RATE, "u'", "m s-1", "")                                                                   \
  X(BENT_I, "z_i", "m", "law bristle: deflection of the bristles of the roller in contact along i")    \
  X(BENT_K, "z_k", "m", "along k")                                                                    \
  X(BENT_BEFORE_I, "z_i-", "m", "of the roller before it")                                            \
  X(BENT_BEFORE_K, "z_k-", "m", "")                                                                   \
  X(BENT_AFTER_I, "z_i+", "m", "of the roller after it")                                              \
  X(BENT_AFTER_K, "z_k+", "m", "") \
  X(ORDER_COS, "", "s", "observer of the heave, as what follows: integral of cos n chi dt") \
  X(ORDER_SIN, "", "s", "of sin n chi") \
  X(HEAVE_COS, "", "m s-1", "of the vertical acceleration times cos n chi") \
  X(HEAVE_SIN, "", "m s-1", "") \
  X(HEIGHT_COS, "", "m s", "of the height times cos n chi") \
  X(HEIGHT_SIN, "", "m s", "") \
  X(PITCH_COS, "", "rad s-1", "of the pitch acceleration times cos n chi") \
  X(PITCH_SIN, "", "rad s-1", "") \
  X(ROLL_COS, "", "rad s-1", "of the roll acceleration times cos n chi") \
  X(ROLL_SIN, "", "rad s-1", "") \
  X(LOAD_SUM, "int (N - W_0) dt", "N s", "of the load less an even share of the weight") \
  X(LOAD_SQUARE, "int (N - W_0)^2 dt", "N2 s", "") \
  X(LIGHT_TIME, "t", "s", "time with a load below a tenth of that share") \
  X(CURRENT, "i", "A", "current of a motor with inductance") \
  X(GRIP_SPEED, "v_g", "m s-1", "observer of the grip, as what follows: slip speed from which the wheel slides") \
  X(GRIP_SLIP, "v", "m s-1", "slip speed at the last look, 0 without load") \
  X(GRIP_INDEX, "J", "1", "contact index there") \
  X(GRIP_RATE, "", "m s-2", "how fast friction at its limit takes slip off the roller there, halved") \
  X(GRIP_EXCUSED, "", "m s-1", "slip that is left of an exchange at that rate; below 0: the slide has other reasons") \
  X(SLIDE, "t", "s", "time of the present slide") \
  X(LOST_GRIP, "t", "s", "time of all slides before it that had other reasons than an exchange") \
  X(STEER, "delta*", "rad", "angle that the servo holds for a body controller") \
  X(ENCODER_NOW, "e^2", "rad2 s-2", "observer of the encoders: squared difference of the rate that is asked for to the wheel's, at the last look") \
  X(ENCODER_SQUARE, "int e^2 dt", "rad2 s-1", "its integral") \
  X(ENCODER_SQUARE_LOW, "", "rad2 s-1", "") \
  X(ENCODER_PEAK2, "peak e^2", "rad2 s-2", "its largest value") \
  X(TRACKING_NOW, "e^2", "rad2 s-2", "observer of the tracking: the same of the wheel's rate to that of the odometry's motion") \
  X(TRACKING_SQUARE, "int e^2 dt", "rad2 s-1", "") \
  X(TRACKING_SQUARE_LOW, "", "rad2 s-1", "") \
  X(TRACKING_PEAK2, "peak e^2", "rad2 s-2", "") \
  X(ASKED, "chi*", "rad s-1", "rate that the controller was last asked for, where it is limited")
/* clang-format on */

enum {
#define X(id, a, b, c) P_##id,
  OMR_PARAM_COLUMNS(X)
#undef X
      P_COUNT
};
enum {
#define X(id, a, b, c) W_##id,
  OMR_WHEEL_PARAM_COLUMNS(X)
#undef X
/* and the parameters that a study gives, as they are */
#define X(...)
#define KERNEL(id, ...) W_##id,
#include "../host/lists/parameters/wheel.def"
#undef KERNEL
#undef X
      W_COUNT
};
enum {
#define X(id, a, b, c) F_##id,
  OMR_FLOOR_COLUMNS(X)
#undef X
      F_COUNT
};
/* Laws of tyres (tyre.h) have no directions of friction: their parameters lie in these columns. */
enum {
  W_TYRE_LATERAL = W_LATERAL,           /* C_x: slope of force over load by the slip, along k */
  W_TYRE_LONGITUDINAL = W_LONGITUDINAL, /* C_y: along i */
  W_TYRE_SHAPE = W_FRICTION_COS,        /* C */
  W_TYRE_CURVATURE = W_FRICTION_SIN,    /* E */
  W_TYRE_LOW_SPEED = W_INV_FRICTION     /* v_0, m/s */
};
/* Kinds of wheels (kinds.h) go only with laws of friction: their parameters lie in the columns of
 * constraints. */
enum {
  W_TRAIL = W_STICTION_GAIN, /* t: the wheel's centre is so far behind the swivel axis, m */
  W_STEER_STIFFNESS = W_FRICTION_GAIN,
  W_STEER_DAMPING = W_INV_REFERENCE,
  W_STEER_LIMIT = W_BAUMGARTE,
  W_STEER_TORQUE = W_WEIGHT,
  W_STEER_ANGLE = W_WEIGHT_COUPLING, /* that the servo holds; body control: T_STEER in its place */
  W_TRACKED_LOAD = W_WEIGHT,         /* N */
  W_TRACKED_SAG =
      W_WEIGHT_COUPLING,   /* that over the stiffness of the spring, m; compliant contact */
  W_STEER_X = W_COS_PITCH, /* nominal place of the steering axis, m */
  W_STEER_Z = W_SIN_PITCH,
  W_FORK_SPREAD = W_SHIFT /* inertia of fork and wheel along the axle less that along the rolling
                             direction, kg m2; compliant contact */
};
/* Nor have bristles (bristle.h), whose contacts are no constraints either. */
enum {
  W_BRISTLE_STIFFNESS = W_LATERAL,           /* sigma_0, 1/m */
  W_BRISTLE_DAMPING = W_LONGITUDINAL,        /* sigma_1, s/m */
  W_BRISTLE_RETURN = W_LONGITUDINAL_VISCOUS, /* sigma_0/sigma_1, 1/s */
  W_BRISTLE_VISCOUS = W_LATERAL_VISCOUS,     /* sigma_2, s/m */
  W_STATIC_RISE = W_FRICTION_COS,            /* static over kinetic friction, less 1 */
  W_INV_STRIBECK = W_FRICTION_SIN,           /* 1/v_S, s/m */
  W_BRISTLE_MOST2 = W_INV_FRICTION, /* square of a deflection that no motion comes to, m^2 */
  W_BRISTLE_SPEED = W_BAUMGARTE     /* slip speed of start and drives, only for the host's look
                                       at stability, m/s */
};
enum {
#define X(id, a, b, c) S_##id,
  OMR_STATE_COLUMNS(X)
#undef X
/* and the columns of observables with state of their own (kernels/observed.h) */
#define X(...)
#define COLUMN(...)
#define KEPT(id, quantity, columns, ...) S_KEPT_##id, S_KEPT_LAST_##id = S_KEPT_##id + columns - 1,
#include "../host/lists/observables.def"
#undef KEPT
#undef COLUMN
#undef X
      S_COUNT
};
enum { S_TRACK_X = S_KEPT_MAX_CROSS_TRACK + 1 }; /* the command's direction, 0 before it moves */
/* The past that the heading's loop keeps, and the purpose of a gyro's draws
 * (host/study/designs/draws.h). */
enum { HOLD_KEPT = S_HOLD_LATER_7 - S_HOLD_LATER_0 + 1, GYRO_PURPOSE = 20 };
enum {
#define X(id, a, b, c) T_##id,
  OMR_WHEEL_STATE_COLUMNS(X)
#undef X
      T_COUNT
};

/* Column numbers: vehicle columns first, then the columns of each wheel. */
#define OMR_PARAM_COLUMN(wheel, id) (P_COUNT + (wheel)*W_COUNT + (id))
#define OMR_STATE_COLUMN(wheel, id) (S_COUNT + (wheel)*T_COUNT + (id))
#define OMR_PARAM_COUNT(wheels) (P_COUNT + (wheels)*W_COUNT)
#define OMR_FLOOR_COLUMN(wheels, id) (OMR_PARAM_COUNT(wheels) + (id))
#define OMR_STATE_COUNT(wheels) (S_COUNT + (wheels)*T_COUNT)

/* Idle rollers' spins: column (wheel * max_rollers + roller); with roller bearing friction as many
 * columns again hold the time at which the roller left the floor. */

/* Tables, an array of sreal: the command table (COMMAND_ROWS rows of time, vx, vz, yaw rate), then
 * the drive tables (rows of time, value) and the table of the external force and torque (rows of
 * time and six values). Replayed tables have another form. */
/* A path has its legs, straight lines from point to point, in place of the command table: where a
 * leg starts, its direction, its length, and the way from its end to the end of the path. */
enum { LEG_X, LEG_Z, LEG_TO_X, LEG_TO_Z, LEG_LENGTH, LEG_REST, LEG_NUMBERS };
/* Numbers before the rows: first time and last time, buckets per second, numbers of buckets and
 * of rows, whether the rows meet at corners (1) or hold until the next (2); then the row in which
 * each bucket begins, and the last one that has a next. */
enum {
  REPLAY_FIRST,
  REPLAY_LAST,
  REPLAY_PER_TIME,
  REPLAY_BUCKETS,
  REPLAY_ROWS,
  REPLAY_CORNERS,
  REPLAY_INDEX
};
/* A row is its time, then of every channel the value and the factors of the first, second and third
 * power of the time since, up to the next row. */
enum { REPLAY_TERMS = 4 };
/* A map of heights: place of its first node, nodes per metre, numbers of nodes along x and z,
 * whether it is smooth; then its heights, row by row along x, with a frame of one node around it.
 */
enum {
  MAP_FIRST_X,
  MAP_FIRST_Z,
  MAP_PER_X,
  MAP_PER_Z,
  MAP_ALONG,
  MAP_ACROSS,
  MAP_SMOOTH,
  MAP_NODES
};
#endif
