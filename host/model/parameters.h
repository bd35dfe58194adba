/* Every parameter of the models, listed once: name in the study file, unit, default, bounds,
 * meaning. The struct, the reader, `describe`, the HDF5 columns and studies/README.md come from
 * these lists.
 *
 * X(ENUM, "json.path", "unit", default, low, high, flags, "meaning")
 * A default of OMR_UNSET means "not given". Bounds are inclusive unless the flag says open. */
#ifndef OMR_PARAMETERS_H
#define OMR_PARAMETERS_H

#include <math.h>
#include <stddef.h>

#define OMR_UNSET ((double)NAN)
#define OMR_MAX_WHEELS 8
#define OMR_MIN_ROLLERS 3
#define OMR_MAX_ROLLERS 64
#define OMR_PATCHES 4

enum {
  OMR_P_OPEN_LOW = 1, /* the low bound itself is not allowed */
  OMR_P_INTEGER = 2,
  OMR_P_WHEEL_ONLY = 4,    /* omni_wheel only */
  OMR_P_VEHICLE_ONLY = 8,  /* omni_vehicle and disc_vehicle */
  OMR_P_ROLLERS_ONLY = 16, /* omni_vehicle and omni_wheel */
  OMR_P_DISC_ONLY = 32,    /* disc_vehicle only */
};

/* Models that have a parameter or an observable; without any of these bits it is one of the omni
 * models alone. */
enum {
  OMR_FOR_OMNI = 1 << 8,
  OMR_FOR_UK_WHEEL = 1 << 9,
  OMR_FOR_ROLLING_DISC = 1 << 12,
  OMR_FOR_WHEELSET = 1 << 14,
  OMR_FOR_SNAKEBOARD = 1 << 13,
  OMR_FOR_ALL = 0xff << 8 /* every such bit */
};

#define OMR_INF HUGE_VAL

/* clang-format off */
/* Vehicle-level parameters; "layout.*" exist for the layout type that uses them. */
#define OMR_VEHICLE_PARAMETERS(X)                                                                                             \
  X(GRAVITY, "gravity", "m s-2", 9.81, 0, OMR_INF, OMR_P_OPEN_LOW | OMR_FOR_OMNI | OMR_FOR_UK_WHEEL | OMR_FOR_ROLLING_DISC | OMR_FOR_WHEELSET,     \
    "gravitational acceleration g")                                                                                           \
  X(PLATFORM_MASS, "platform.mass", "kg", 10.0, 0, OMR_INF, OMR_P_VEHICLE_ONLY, "mass of the platform m_p")                    \
  X(PLATFORM_YAW_INERTIA, "platform.yaw_inertia", "kg m2", 0.5, 0, OMR_INF, OMR_P_VEHICLE_ONLY,                                \
    "inertia J_p of the platform about the vertical through its centre of mass")                                              \
  X(COM_X, "platform.center_of_mass.x", "m", 0.0, -OMR_INF, OMR_INF, OMR_P_VEHICLE_ONLY,                                      \
    "platform centre of mass, forward")                                                                                       \
  X(COM_HEIGHT, "platform.center_of_mass.height", "m", 0.1, 0, OMR_INF, OMR_P_VEHICLE_ONLY,                                   \
    "platform centre of mass, height above the floor")                                                                        \
  X(COM_Z, "platform.center_of_mass.z", "m", 0.0, -OMR_INF, OMR_INF, OMR_P_VEHICLE_ONLY,                                      \
    "platform centre of mass, to the right")                                                                                  \
  X(LAYOUT_RADIUS, "layout.radius", "m", 0.2, 0, OMR_INF, OMR_P_OPEN_LOW | OMR_P_VEHICLE_ONLY,                                 \
    "ring layout: distance of the wheel centres from the body origin")                                                        \
  X(LAYOUT_FIRST_ANGLE, "layout.first_angle", "rad", 0.0, -OMR_INF, OMR_INF, OMR_P_VEHICLE_ONLY,                              \
    "ring layout: axis angle of wheel 0; the others follow evenly")                                                           \
  X(LAYOUT_HALF_LENGTH, "layout.half_length", "m", 0.2, 0, OMR_INF, OMR_P_OPEN_LOW | OMR_P_VEHICLE_ONLY,                       \
    "rectangle layout: half the distance between front and rear wheel centres")                                               \
  X(LAYOUT_HALF_WIDTH, "layout.half_width", "m", 0.15, 0, OMR_INF, OMR_P_OPEN_LOW | OMR_P_VEHICLE_ONLY,                        \
    "rectangle layout: half the distance between left and right wheel centres")                                               \
  X(INITIAL_X, "initial.x", "m", 0.0, -OMR_INF, OMR_INF, OMR_FOR_OMNI | OMR_FOR_ROLLING_DISC | OMR_FOR_WHEELSET | OMR_FOR_SNAKEBOARD, "initial position of the body origin, world x")                    \
  X(INITIAL_Z, "initial.z", "m", 0.0, -OMR_INF, OMR_INF, OMR_FOR_OMNI | OMR_FOR_ROLLING_DISC | OMR_FOR_WHEELSET | OMR_FOR_SNAKEBOARD, "initial position of the body origin, world z")                    \
  X(INITIAL_YAW, "initial.yaw", "rad", 0.0, -OMR_INF, OMR_INF, OMR_FOR_OMNI | OMR_FOR_WHEELSET | OMR_FOR_SNAKEBOARD, "initial yaw angle theta")                                   \
  X(INITIAL_VX, "initial.vx", "m s-1", 0.0, -OMR_INF, OMR_INF, OMR_FOR_OMNI | OMR_FOR_WHEELSET | OMR_FOR_SNAKEBOARD, "initial velocity of the body origin, forward (body axes)")  \
  X(INITIAL_VZ, "initial.vz", "m s-1", 0.0, -OMR_INF, OMR_INF, 0,                                                             \
    "initial velocity of the body origin, to the right (body axes)")                                                          \
  X(INITIAL_YAW_RATE, "initial.yaw_rate", "rad s-1", 0.0, -OMR_INF, OMR_INF, OMR_FOR_OMNI | OMR_FOR_WHEELSET, "initial yaw rate omega")                      \
  X(INITIAL_HEIGHT, "initial.height", "m", OMR_UNSET, -OMR_INF, OMR_INF, OMR_P_DISC_ONLY,                                     \
    "penalty contact: initial height over the place where the unloaded wheels touch the floor; default: at rest on its wheels") \
  X(INITIAL_HEAVE_RATE, "initial.heave_rate", "m s-1", 0.0, -OMR_INF, OMR_INF, OMR_P_DISC_ONLY,                               \
    "penalty contact: initial upward velocity")                                                                               \
  X(COMMAND_VX, "command.vx", "m s-1", 0.0, -OMR_INF, OMR_INF, OMR_P_VEHICLE_ONLY, "commanded forward velocity")               \
  X(COMMAND_VZ, "command.vz", "m s-1", 0.0, -OMR_INF, OMR_INF, OMR_P_VEHICLE_ONLY, "commanded velocity to the right")          \
  X(COMMAND_YAW_RATE, "command.yaw_rate", "rad s-1", 0.0, -OMR_INF, OMR_INF, OMR_P_VEHICLE_ONLY, "commanded yaw rate")         \
  X(COMMAND_RAMP_TIME, "command.ramp_time", "s", 0.5, 0, OMR_INF, OMR_P_OPEN_LOW | OMR_P_VEHICLE_ONLY,                         \
    "command of type tanh: velocity = value * tanh(t / ramp_time)")                                                           \
  X(TRACKING, "contact.tracking", "1", 0, 0, 3, OMR_P_INTEGER,                                                                \
    "contact tracking: \"explicit\" (0) by formulas of the contact angle, \"implicit\" (1) by vectors; they agree but for rounding. " \
    "The reference also has \"general\" (2) and \"general_differential\" (3)") \
  X(GROUND_FACTOR, "ground.factor", "1", 0.5, 0, OMR_INF, 0,                                                                   \
    "ground of type dip or step: changed friction over the wheels' friction, mu_l/mu_u")                                       \
  X(GROUND_TIME, "ground.time", "s", 1.0, -OMR_INF, OMR_INF, 0, "ground of type dip or step: time t_s of the change")          \
  X(GROUND_WIDTH, "ground.width", "s", 0.1, 0, OMR_INF, OMR_P_OPEN_LOW,                                                        \
    "ground of type dip or step: time s_d = 1/k_m that the change takes")                                                      \
  X(GROUND_EDGE, "ground.edge", "m", 0.005, 0, OMR_INF, 0,                                                                     \
    "ground of type patches: width of the linear transition at the edges of patches, 0 is sharp")                              \
  OMR_PATCH_PARAMETERS(X, 0)                                                                                                  \
  OMR_PATCH_PARAMETERS(X, 1)                                                                                                  \
  OMR_PATCH_PARAMETERS(X, 2)                                                                                                  \
  OMR_PATCH_PARAMETERS(X, 3) \
  X(UK_MASS, "mass", "kg", 25.0, 0, OMR_INF, OMR_P_OPEN_LOW | OMR_FOR_UK_WHEEL | OMR_FOR_ROLLING_DISC, "mass m")                                      \
  X(UK_RADIUS, "radius", "m", 0.3, 0, OMR_INF, OMR_P_OPEN_LOW | OMR_FOR_UK_WHEEL | OMR_FOR_ROLLING_DISC | OMR_FOR_WHEELSET, "radius R")                                  \
  X(UK_INERTIA, "inertia", "kg m2", 1.125, 0, OMR_INF, OMR_P_OPEN_LOW | OMR_FOR_UK_WHEEL,                                      \
    "inertia I about the axle; source 5 prints none, the default is the solid disc m R^2/2")                                  \
  X(UK_SPEED, "initial.speed", "m s-1", 0.0, -OMR_INF, OMR_INF, OMR_FOR_UK_WHEEL, "initial velocity of the wheel centre")      \
  X(UK_RATE, "initial.rate", "rad s-1", 0.0, -OMR_INF, OMR_INF, OMR_FOR_UK_WHEEL, "initial wheel rate; forward is positive")   \
  X(DRIVE_TORQUE, "drive.torque", "N m", 20.0, -OMR_INF, OMR_INF, OMR_FOR_UK_WHEEL, "drive torque T_max (type tanh) or T_m")   \
  X(DRIVE_RATE, "drive.rate", "s-1", 0.5, 0, OMR_INF, OMR_FOR_UK_WHEEL, "drive of type tanh: torque * tanh(rate t)")           \
  X(BRAKE_TORQUE, "brake.torque", "N m", 0.0, 0, OMR_INF, OMR_FOR_UK_WHEEL,                                                    \
    "brake torque T_bm: T_b = -T_bm (1 + tanh(t - time)) tanh(gain theta'), 2 T_bm in the end")                               \
  X(BRAKE_TIME, "brake.time", "s", 15.0, -OMR_INF, OMR_INF, OMR_FOR_UK_WHEEL, "time t_b at which the brake sets in")           \
  X(BRAKE_GAIN, "brake.gain", "s", 100.0, 0, OMR_INF, OMR_FOR_UK_WHEEL, "gain k_v of the brake's sign")                        \
  X(ROLLING_RESISTANCE, "resistance.rolling", "kg m-1", 1.7, 0, OMR_INF, OMR_FOR_UK_WHEEL,                                     \
    "rolling resistance: F_w = -resistance x' abs(x')")                                                                           \
  X(UK_BEARING, "resistance.bearing", "N m s", 0.34, 0, OMR_INF, OMR_FOR_UK_WHEEL, "viscous bearing friction")                 \
  X(UK_STICTION_GAIN, "stiction_gain", "1", 1.0, 0, OMR_INF, OMR_FOR_UK_WHEEL, "gain k_s of the stiction parameter s")         \
  X(UK_FRICTION_GAIN, "friction_gain", "1", 1.0, 0, OMR_INF, OMR_FOR_UK_WHEEL, "gain k_F of the friction force F_c")           \
  X(UK_GROUND_UPPER, "ground.upper", "1", 0.9, 0, OMR_INF, OMR_P_OPEN_LOW | OMR_FOR_UK_WHEEL,                                     \
    "friction coefficient mu_u of the good ground")                                                                           \
  X(UK_GROUND_LOWER, "ground.lower", "1", 0.3, 0, OMR_INF, OMR_P_OPEN_LOW | OMR_FOR_UK_WHEEL,                                     \
    "friction coefficient mu_l of the slippery ground")                                                                       \
  X(UK_GROUND_TIME, "ground.time", "s", 10.0, -OMR_INF, OMR_INF, OMR_FOR_UK_WHEEL, "time t_s of the slippery ground")             \
  X(UK_GROUND_WIDTH, "ground.width", "s", 2.0, 0, OMR_INF, OMR_P_OPEN_LOW | OMR_FOR_UK_WHEEL,                                     \
    "ground of type dip: width s_d")                                                                                          \
  X(UK_GROUND_RATE, "ground.rate", "s-1", 10.0, 0, OMR_INF, OMR_FOR_UK_WHEEL, "ground of type step: rate k_m") \
  X(WSET_HALF_TRACK, "half_track", "m", 0.5, 0, OMR_INF, OMR_P_OPEN_LOW | OMR_FOR_WHEELSET,                                   \
    "half distance b of the wheels")                                                                                          \
  X(WSET_LEFT_MASS, "left_wheel.mass", "kg", 5.0, 0, OMR_INF, OMR_P_OPEN_LOW | OMR_FOR_WHEELSET,                              \
    "left wheel: mass")                                                                                                       \
  X(WSET_LEFT_AXIAL, "left_wheel.axial_inertia", "kg m2", OMR_UNSET, 0, OMR_INF, OMR_P_OPEN_LOW | OMR_FOR_WHEELSET,           \
    "left wheel: inertia about the axle; default: uniform disc, m R^2/2")                                                     \
  X(WSET_LEFT_DIAMETRAL, "left_wheel.diametral_inertia", "kg m2", OMR_UNSET, 0, OMR_INF, OMR_P_OPEN_LOW | OMR_FOR_WHEELSET,   \
    "left wheel: inertia about a diameter, at least half the axial one; default: thin disc, half the axial one")              \
  X(WSET_RIGHT_MASS, "right_wheel.mass", "kg", OMR_UNSET, 0, OMR_INF, OMR_P_OPEN_LOW | OMR_FOR_WHEELSET,                      \
    "right wheel: mass; default: as the left one")                                                                            \
  X(WSET_RIGHT_AXIAL, "right_wheel.axial_inertia", "kg m2", OMR_UNSET, 0, OMR_INF, OMR_P_OPEN_LOW | OMR_FOR_WHEELSET,         \
    "right wheel: inertia about the axle; default: as the left one if that has its mass, else uniform disc")                  \
  X(WSET_RIGHT_DIAMETRAL, "right_wheel.diametral_inertia", "kg m2", OMR_UNSET, 0, OMR_INF, OMR_P_OPEN_LOW | OMR_FOR_WHEELSET, \
    "right wheel: inertia about a diameter; default: as the left one if that has its axial inertia, else half the axial one") \
  X(WSET_ROD_MASS, "rod.mass", "kg", 2.0, 0, OMR_INF, OMR_P_OPEN_LOW | OMR_FOR_WHEELSET,                                      \
    "mass of the rod, whose centre of mass is the middle of the axle")                                                        \
  X(WSET_ROD_AXIAL, "rod.axial_inertia", "kg m2", 1e-3, 0, OMR_INF, OMR_P_OPEN_LOW | OMR_FOR_WHEELSET,                        \
    "inertia of the rod about its axis")                                                                                      \
  X(WSET_ROD_DIAMETRAL, "rod.diametral_inertia", "kg m2", OMR_UNSET, 0, OMR_INF, OMR_P_OPEN_LOW | OMR_FOR_WHEELSET,           \
    "inertia of the rod about an axis across; default: m b^2/3 + half the axial one")                                         \
  X(WSET_LEFT_TORQUE, "drive.left", "N m", 0.0, -OMR_INF, OMR_INF, OMR_FOR_WHEELSET,                                          \
    "torque on the left wheel about the axle; positive drives forward")                                                       \
  X(WSET_RIGHT_TORQUE, "drive.right", "N m", 0.0, -OMR_INF, OMR_INF, OMR_FOR_WHEELSET,                                        \
    "torque on the right wheel about the axle")                                                                               \
  X(WSET_YAW_TORQUE, "drive.yaw", "N m", 0.0, -OMR_INF, OMR_INF, OMR_FOR_WHEELSET,                                            \
    "torque on the rod about the normal")                                                                                     \
  X(WSET_LEFT_ANGLE, "initial.left_angle", "rad", 0.0, -OMR_INF, OMR_INF, OMR_FOR_WHEELSET,                                   \
    "initial angle of the left wheel; its rate follows from rolling")                                                         \
  X(WSET_RIGHT_ANGLE, "initial.right_angle", "rad", 0.0, -OMR_INF, OMR_INF, OMR_FOR_WHEELSET,                                 \
    "initial angle of the right wheel")                                                                                       \
  X(WSET_ROD_ANGLE, "initial.rod_angle", "rad", 0.0, -OMR_INF, OMR_INF, OMR_FOR_WHEELSET,                                     \
    "initial angle of the rod about its axis")                                                                                \
  X(WSET_ROD_RATE, "initial.rod_rate", "rad s-1", 0.0, -OMR_INF, OMR_INF, OMR_FOR_WHEELSET,                                   \
    "initial rate of the rod about its axis; forward is positive")                                                            \
  X(WSET_JOINT_STIFFNESS, "joint.stiffness", "N m-1", 1000.0, 0, OMR_INF, OMR_FOR_WHEELSET | OMR_FOR_SNAKEBOARD,                                   \
    "joints of type compliant: stiffness c along the axle; the reference alone has it")                                       \
  X(WSET_JOINT_DAMPING, "joint.damping", "N s m-1", 5000.0, 0, OMR_INF, OMR_FOR_WHEELSET | OMR_FOR_SNAKEBOARD,                                     \
    "joints of type compliant: damping d along the axle; the reference alone has it")                                         \
  X(DISC_AXIAL_INERTIA, "axial_inertia", "kg m2", OMR_UNSET, 0, OMR_INF, OMR_P_OPEN_LOW | OMR_FOR_ROLLING_DISC,                \
    "inertia I_a about the disc's axis; default: uniform disc, m R^2/2")                                                      \
  X(DISC_DIAMETRAL_INERTIA, "diametral_inertia", "kg m2", OMR_UNSET, 0, OMR_INF, OMR_P_OPEN_LOW | OMR_FOR_ROLLING_DISC,        \
    "inertia I_d about a diameter, at least I_a/2; default: thin disc, I_a/2")                                                \
  X(PLANE_SLOPE, "plane.slope", "rad", 0.0, 0, 1.5707963267948966, OMR_FOR_ROLLING_DISC | OMR_FOR_WHEELSET,                                       \
    "angle of the plane to the horizontal")                                                                                   \
  X(PLANE_DIRECTION, "plane.direction", "rad", 0.0, -OMR_INF, OMR_INF, OMR_FOR_ROLLING_DISC | OMR_FOR_WHEELSET,                                   \
    "direction in the plane that goes down, from x, positive about the normal: (cos, 0, -sin)")                               \
  X(DISC_STIFFNESS, "ground.stiffness", "N m-1", 1e6, 0, OMR_INF, OMR_P_OPEN_LOW | OMR_FOR_ROLLING_DISC, "contact stiffness k_c") \
  X(DISC_DAMPING, "ground.damping", "N s m-1", 1e3, 0, OMR_INF, OMR_FOR_ROLLING_DISC, "contact damping d_c")                   \
  X(DISC_LATERAL, "friction.lateral", "1", 0.5, 0, OMR_INF, OMR_FOR_ROLLING_DISC, "dry friction coefficient mu_x, along w_lat") \
  X(DISC_LONGITUDINAL, "friction.longitudinal", "1", 0.5, 0, OMR_INF, OMR_FOR_ROLLING_DISC,                                    \
    "dry friction coefficient mu_y, along w2")                                                                                \
  X(DISC_LATERAL_VISCOUS, "friction.lateral_viscous", "s m-1", 0.0, 0, OMR_INF, OMR_FOR_ROLLING_DISC,                          \
    "growth d_x of mu_x per slip speed")                                                                                      \
  X(DISC_LONGITUDINAL_VISCOUS, "friction.longitudinal_viscous", "s m-1", 0.0, 0, OMR_INF, OMR_FOR_ROLLING_DISC,                \
    "growth d_y of mu_y per slip speed")                                                                                      \
  X(DISC_FRICTION_ANGLE, "friction.angle", "rad", 0.0, -OMR_INF, OMR_INF, OMR_FOR_ROLLING_DISC,                                \
    "angle alpha_t by which the directions of friction are turned")                                                           \
  X(DISC_SLIP_SPEED, "friction.slip_speed", "m s-1", 0.01, 0, OMR_INF, OMR_P_OPEN_LOW | OMR_FOR_ROLLING_DISC,                  \
    "end v_mu of the proportional zone")                                                                                      \
  X(DISC_ROLLING, "friction.rolling", "s m-1", 0.0, 0, OMR_INF, OMR_FOR_ROLLING_DISC,                                          \
    "rolling friction mu_r: the force -mu_r N v at the centre, v its velocity along the plane")                               \
  X(DISC_FALL_TILT, "fall_tilt", "rad", 0.17453292519943295, 0, 1.5707963267948966, OMR_FOR_ROLLING_DISC,                      \
    "angle of disc and plane below which the disc counts as fallen (fall_time)")                                              \
  X(DISC_HEIGHT, "initial.height", "m", OMR_UNSET, -OMR_INF, OMR_INF, OMR_FOR_ROLLING_DISC,                                    \
    "initial height of the centre over the plane; default: the contact spring bears the weight")                              \
  X(DISC_TILT, "initial.tilt", "rad", 1.5707963267948966, 0, 3.1415926535897931, OMR_FOR_ROLLING_DISC,                         \
    "initial angle of the disc to the plane; 90 deg is upright, less leans to the right of the heading")                      \
  X(DISC_HEADING, "initial.heading", "rad", 0.0, -OMR_INF, OMR_INF, OMR_FOR_ROLLING_DISC,                                      \
    "initial direction of w2, into which a positive spin rolls; from x, positive about the normal")                           \
  X(DISC_SPIN, "initial.spin", "rad s-1", 0.0, -OMR_INF, OMR_INF, OMR_FOR_ROLLING_DISC,                                        \
    "initial angular velocity about the disc's own axis, all of it")                                                          \
  X(DISC_PRECESSION, "initial.precession", "rad s-1", 0.0, -OMR_INF, OMR_INF, OMR_FOR_ROLLING_DISC,                            \
    "initial rate of the heading")                                                                                            \
  X(DISC_TILT_RATE, "initial.tilt_rate", "rad s-1", 0.0, -OMR_INF, OMR_INF, OMR_FOR_ROLLING_DISC, "initial rate of the tilt")  \
  X(DISC_VX, "initial.velocity.x", "m s-1", OMR_UNSET, -OMR_INF, OMR_INF, OMR_FOR_ROLLING_DISC,                                \
    "initial velocity of the centre, x; default: that of rolling without slip")                                               \
  X(DISC_VY, "initial.velocity.y", "m s-1", OMR_UNSET, -OMR_INF, OMR_INF, OMR_FOR_ROLLING_DISC,                                \
    "initial velocity of the centre along the normal; default: that of rolling without slip")                                 \
  X(DISC_VZ, "initial.velocity.z", "m s-1", OMR_UNSET, -OMR_INF, OMR_INF, OMR_FOR_ROLLING_DISC,                                \
    "initial velocity of the centre, z; default: that of rolling without slip")   \
  OMR_SNAKEBOARD_PARAMETERS(X)

/* snakeboard (source 3, section 3.3). */
#define OMR_SNAKEBOARD_PARAMETERS(X)  \
  X(SNAKE_COUPLER_MASS, "coupler.mass", "kg", 2.0, 0, OMR_INF, OMR_P_OPEN_LOW | OMR_FOR_SNAKEBOARD, "mass of the coupler m_c, both halves")  \
  X(SNAKE_COUPLER_INERTIA, "coupler.yaw_inertia", "kg m2", 0.03, 0, OMR_INF, OMR_P_OPEN_LOW | OMR_FOR_SNAKEBOARD,                \
    "inertia J_c of the coupler about the vertical through its midpoint")                                                     \
  X(SNAKE_HALF_LENGTH, "coupler.half_length", "m", 0.2, 0, OMR_INF, OMR_P_OPEN_LOW | OMR_FOR_SNAKEBOARD,                        \
    "distance l of the coupler's midpoint and the middle of a wheelset")                                                      \
  X(SNAKE_ROTOR_MASS, "rotor.mass", "kg", 2.0, 0, OMR_INF, OMR_FOR_SNAKEBOARD, "mass of the rotor m_r, at the coupler's midpoint") \
  X(SNAKE_ROTOR_INERTIA, "rotor.yaw_inertia", "kg m2", 0.07, 0, OMR_INF, OMR_FOR_SNAKEBOARD, "inertia J_r of the rotor about its axis") \
  X(SNAKE_ROD_MASS, "wheelset.rod_mass", "kg", 0.4, 0, OMR_INF, OMR_FOR_SNAKEBOARD, "mass of a wheelset's rod")                \
  X(SNAKE_ROD_INERTIA, "wheelset.rod_inertia", "kg m2", 5e-4, 0, OMR_INF, OMR_FOR_SNAKEBOARD,                                  \
    "inertia of a wheelset's rod about the vertical")                                                                         \
  X(SNAKE_WHEEL_MASS, "wheelset.wheel_mass", "kg", 0.3, 0, OMR_INF, OMR_FOR_SNAKEBOARD, "mass m_w of a wheel")                 \
  X(SNAKE_AXIAL_INERTIA, "wheelset.axial_inertia", "kg m2", 4e-4, 0, OMR_INF, OMR_FOR_SNAKEBOARD, "inertia I_a of a wheel about its axis") \
  X(SNAKE_DIAMETRAL_INERTIA, "wheelset.diametral_inertia", "kg m2", 2e-4, 0, OMR_INF, OMR_FOR_SNAKEBOARD,                      \
    "inertia I_d of a wheel about a diameter, at least I_a/2")                                                                \
  X(SNAKE_RADIUS, "wheelset.radius", "m", 0.05, 0, OMR_INF, OMR_P_OPEN_LOW | OMR_FOR_SNAKEBOARD, "radius R of the wheels")     \
  X(SNAKE_HALF_TRACK, "wheelset.half_track", "m", 0.06, 0, OMR_INF, OMR_FOR_SNAKEBOARD, "distance h of a wheel and the middle of its wheelset") \
  X(SNAKE_SCALE, "scale", "1", 1.0, 0, OMR_INF, OMR_FOR_SNAKEBOARD,                                                            \
    "factor of rod_mass, wheel_mass and axial_inertia, which Lewis et al. neglect; small: their model")                       \
  OMR_GAIT_PARAMETERS(X, FRONT, "front", "front wheelset, phi_f", 0.3)                                                        \
  OMR_GAIT_PARAMETERS(X, REAR, "rear", "rear wheelset, phi_b", -0.3)                                                          \
  OMR_GAIT_PARAMETERS(X, ROTOR, "rotor", "rotor, psi", 0.7)

/* An angle of the gait, amplitude * sin(frequency t + phase); the three follow each other. */
#define OMR_GAIT_PARAMETERS(X, ID, NAME, WHAT, AMPLITUDE)                                                                     \
  X(SNAKE_##ID##_AMPLITUDE, "gait." NAME ".amplitude", "rad", AMPLITUDE, -OMR_INF, OMR_INF, OMR_FOR_SNAKEBOARD, "amplitude of the angle of the " WHAT) \
  X(SNAKE_##ID##_FREQUENCY, "gait." NAME ".frequency", "rad s-1", 1.0, -OMR_INF, OMR_INF, OMR_FOR_SNAKEBOARD, "its angular frequency omega: sin(omega t + phase)") \
  X(SNAKE_##ID##_PHASE, "gait." NAME ".phase", "rad", 0.0, -OMR_INF, OMR_INF, OMR_FOR_SNAKEBOARD, "its phase beta at t = 0")

/* A patch of the ground; the first X and the last FRICTION of them count in host/model/fold.c. */
#define OMR_PATCH_PARAMETERS(X, N)                                                                                            \
  X(PATCH##N##_X, "ground.patch" #N ".x", "m", 0.0, -OMR_INF, OMR_INF, 0,                                                      \
    "patch " #N ": world x of its centre, or of a point of a half plane's edge")                                               \
  X(PATCH##N##_Z, "ground.patch" #N ".z", "m", 0.0, -OMR_INF, OMR_INF, 0,                                                      \
    "patch " #N ": world z of its centre, or of a point of a half plane's edge")                                               \
  X(PATCH##N##_LENGTH, "ground.patch" #N ".length", "m", 1.0, 0, OMR_INF, 0, "patch " #N ": length of the rectangle")          \
  X(PATCH##N##_WIDTH, "ground.patch" #N ".width", "m", 1.0, 0, OMR_INF, 0, "patch " #N ": width of the rectangle")             \
  X(PATCH##N##_YAW, "ground.patch" #N ".yaw", "rad", 0.0, -OMR_INF, OMR_INF, 0,                                                \
    "patch " #N ": yaw of its length, or of the direction into a half plane")                                                  \
  X(PATCH##N##_FRICTION, "ground.patch" #N ".friction", "1", 0.1, 0, OMR_INF, 0,                                               \
    "patch " #N ": friction coefficient there, in place of the wheels'")

/* Parameters of each wheel: "wheel.<path>" sets all wheels, "wheels[i].<path>" one (i from 0). */
#define OMR_WHEEL_PARAMETERS(X)                                                                                               \
  X(X, "x", "m", 0.0, -OMR_INF, OMR_INF, OMR_P_VEHICLE_ONLY, "explicit layout: wheel centre, forward (a)")                     \
  X(Z, "z", "m", 0.0, -OMR_INF, OMR_INF, OMR_P_VEHICLE_ONLY, "explicit layout: wheel centre, to the right (b)")                \
  X(AXIS_ANGLE, "axis_angle", "rad", 0.0, -OMR_INF, OMR_INF, 0,                                                               \
    "explicit layout and omni_wheel: direction of the wheel axis, k = (sin delta, 0, cos delta)")                             \
  X(RADIUS, "radius", "m", 0.1, 0, OMR_INF, OMR_P_OPEN_LOW, "wheel radius R")                                                 \
  X(ROLLERS, "rollers", "1", 6, OMR_MIN_ROLLERS, OMR_MAX_ROLLERS, OMR_P_INTEGER, "number of rollers n")                        \
  X(INCLINATION, "inclination", "rad", 0.0, -1.5533430342749532, 1.5533430342749532, 0,                                       \
    "roller inclination psi: angle of the roller axis to the wheel plane (45 deg is a mecanum wheel), within 89 deg")         \
  X(TIP_RADIUS, "tip_radius", "m", 0.0, 0, OMR_INF, 0, "radius of the rollers' end faces; 0 gives pointed tips, R1 = R cos(pi/n)") \
  X(CENTER_DISTANCE, "center_distance", "m", OMR_UNSET, 0, OMR_INF, OMR_P_OPEN_LOW,                                            \
    "distance R1 of wheel centre and roller centre, instead of tip_radius")                                                   \
  X(ROW_DISTANCE, "row_distance", "m", 0.0, 0, OMR_INF, 0, "distance w of two rows of rollers along the axis; 0 is one row")   \
  X(FRICTION, "friction", "1", 0.3, 0, OMR_INF, 0, "friction coefficient mu between roller and floor")                         \
  X(SLIP_SPEED, "slip_speed", "m s-1", 0.05, 0, OMR_INF, OMR_P_OPEN_LOW, "slip speed v_s where friction saturates")             \
  X(LATERAL_FRICTION, "contact.lateral_friction", "1", OMR_UNSET, 0, OMR_INF, 0,                                               \
    "regularized_coulomb: friction coefficient mu_x along the wheel axis k turned by friction_angle; default: friction, 0 for disc_vehicle") \
  X(LONGITUDINAL_FRICTION, "contact.longitudinal_friction", "1", OMR_UNSET, 0, OMR_INF, 0,                                     \
    "regularized_coulomb: friction coefficient mu_y across that direction; default: friction")                                \
  X(LATERAL_VISCOUS, "contact.lateral_viscous", "s m-1", 0.0, 0, OMR_INF, 0,                                                   \
    "regularized_coulomb: growth d_x of lateral_friction per slip speed")                                                     \
  X(LONGITUDINAL_VISCOUS, "contact.longitudinal_viscous", "s m-1", 0.0, 0, OMR_INF, 0,                                         \
    "regularized_coulomb: growth d_y of longitudinal_friction per slip speed")                                                \
  X(FRICTION_ANGLE, "contact.friction_angle", "rad", 0.0, -OMR_INF, OMR_INF, 0,                                               \
    "regularized_coulomb: angle alpha_t that turns the direction of mu_x to cos alpha_t k + sin alpha_t i; for disc_vehicle less the inclination") \
  X(ROLLING_FRICTION, "contact.rolling_friction", "s m-1", 0.0, 0, OMR_INF, 0,                                                 \
    "regularized_coulomb: rolling friction mu_r, force per normal load and velocity of the wheel centre, against it")      \
  X(BAUMGARTE, "contact.baumgarte", "s-1", 50.0, 0, OMR_INF, 0, "constraint laws: rate gamma at which slip left over decays")   \
  X(STICTION_GAIN, "contact.stiction_gain", "1", 1.0, 0, OMR_INF, 0, "udwadia_kalaba: gain k_s of the demand in the weights")   \
  X(FRICTION_GAIN, "contact.friction_gain", "1", 1.0, 0, OMR_INF, 0, "udwadia_kalaba: gain k_F of the demand in the friction")  \
  X(REFERENCE_SPEED, "contact.reference_speed", "m s-1", 0.01, 0, OMR_INF, OMR_P_OPEN_LOW,                                     \
    "udwadia_kalaba: slip speed v_ref at which friction is near its limit")                                                   \
  X(WEIGHT, "contact.weight", "1", 1.0, 0, 1, 0, "udwadia_kalaba with fixed weights: relaxation weight w, 1 rolls, 0 slides")   \
  X(STIFFNESS, "contact.stiffness", "N m-1", 4e4, 0, OMR_INF, OMR_P_OPEN_LOW | OMR_P_DISC_ONLY,                               \
    "penalty contact: stiffness k_c between wheel and floor")                                                                 \
  X(DAMPING, "contact.damping", "N s m-1", 400.0, 0, OMR_INF, OMR_P_DISC_ONLY,                                                \
    "penalty contact: damping d_c between wheel and floor")                                                                   \
  X(DISC_MASS, "disc.mass", "kg", 0.5, 0, OMR_INF, 0, "wheel disc without rollers: mass m_w")                                  \
  X(DISC_AXIAL_INERTIA, "disc.axial_inertia", "kg m2", 1e-3, 0, OMR_INF, 0, "wheel disc: inertia J_k about its axis")          \
  X(DISC_DIAMETRAL_INERTIA, "disc.diametral_inertia", "kg m2", 6e-4, 0, OMR_INF, 0, "wheel disc: inertia J_d about a diameter") \
  X(ROLLER_MASS, "roller.mass", "kg", OMR_UNSET, 0, OMR_INF, OMR_P_OPEN_LOW, "one roller: mass m_r, instead of its density")    \
  X(ROLLER_AXIAL_INERTIA, "roller.axial_inertia", "kg m2", OMR_UNSET, 0, OMR_INF, OMR_P_OPEN_LOW,                              \
    "one roller: inertia I_a about its axis (with roller.mass)")                                                              \
  X(ROLLER_DIAMETRAL_INERTIA, "roller.diametral_inertia", "kg m2", OMR_UNSET, 0, OMR_INF, 0,                                   \
    "one roller: inertia I_t about a diameter (with roller.mass)")                                                            \
  X(ROLLER_DENSITY, "roller.density", "kg m-3", 1200.0, 0, OMR_INF, OMR_P_OPEN_LOW,                                            \
    "density of the rollers; mass and inertias are integrated from the profile")                                              \
  X(ROLLER_BORE, "roller.bore", "m", 0.0, 0, OMR_INF, 0, "radius of a bore along the roller axis (with density)")              \
  X(ROLLER_BEARING, "roller.bearing", "N m s", 0.0, 0, OMR_INF, OMR_P_ROLLERS_ONLY, "viscous friction beta_r of a roller bearing") \
  X(AXLE_BEARING, "axle_bearing", "N m s", 0.0, 0, OMR_INF, 0, "viscous friction beta_a of the wheel axle")                    \
  X(ANGLE, "initial.angle", "rad", 0.0, -OMR_INF, OMR_INF, 0, "initial wheel angle chi")                                       \
  X(RATE, "initial.rate", "rad s-1", 0.0, -OMR_INF, OMR_INF, 0, "initial wheel rate")                                          \
  X(TORQUE, "drive.torque", "N m", 0.0, -OMR_INF, OMR_INF, 0, "drive torque at the wheel: value, amplitude, or factor of the table") \
  X(RAMP_TIME, "drive.ramp_time", "s", 0.5, 0, OMR_INF, OMR_P_OPEN_LOW, "drive of type tanh: torque * tanh(t / ramp_time)")     \
  X(FREQUENCY, "drive.frequency", "Hz", 1.0, 0, OMR_INF, 0, "drive of type sine: torque * sin(2 pi frequency t + phase)")      \
  X(PHASE, "drive.phase", "rad", 0.0, -OMR_INF, OMR_INF, 0, "drive of type sine: phase")                                       \
  X(SPEED, "drive.speed", "rad s-1", 0.0, -OMR_INF, OMR_INF, 0, "drive of type speed: wheel rate to hold")                     \
  X(KP, "drive.kp", "N m s", 0.2, 0, OMR_INF, 0, "speed and body control: proportional gain, torque per wheel rate error")     \
  X(KI, "drive.ki", "N m", 1.0, 0, OMR_INF, 0, "speed and body control: integral gain, torque per wheel angle error")          \
  X(TORQUE_LIMIT, "drive.torque_limit", "N m", OMR_UNSET, 0, OMR_INF, OMR_P_OPEN_LOW, "largest torque at the wheel the controller asks for") \
  X(GEAR_RATIO, "motor.gear_ratio", "1", 1.0, -OMR_INF, OMR_INF, 0, "rotor rate per wheel rate (not 0; negative turns the other way)") \
  X(ROTOR_INERTIA, "motor.rotor_inertia", "kg m2", 0.0, 0, OMR_INF, 0,                                                        \
    "rotor inertia about its axis, parallel to the wheel axis; acts as gear_ratio^2 times itself on the wheel")               \
  X(STALL_TORQUE, "motor.stall_torque", "N m", OMR_UNSET, 0, OMR_INF, OMR_P_OPEN_LOW, "torque-speed line of the motor: torque at rest") \
  X(NO_LOAD_SPEED, "motor.no_load_speed", "rad s-1", OMR_UNSET, 0, OMR_INF, OMR_P_OPEN_LOW, "torque-speed line of the motor: rate without load") \
  X(ERROR_RADIUS, "error.radius", "m", 0.0, -OMR_INF, OMR_INF, 0, "added to the wheel radius, unknown to controller and odometry") \
  X(ERROR_X, "error.x", "m", 0.0, -OMR_INF, OMR_INF, OMR_P_VEHICLE_ONLY, "added to the wheel centre's x, unknown to controller and odometry") \
  X(ERROR_Z, "error.z", "m", 0.0, -OMR_INF, OMR_INF, OMR_P_VEHICLE_ONLY, "added to the wheel centre's z, unknown to controller and odometry") \
  X(ERROR_AXIS_ANGLE, "error.axis_angle", "rad", 0.0, -OMR_INF, OMR_INF, 0, "added to the axis angle, unknown to controller and odometry")
/* clang-format on */

enum {
#define X(id, ...) OMR_VP_##id,
  OMR_VEHICLE_PARAMETERS(X)
#undef X
      OMR_VP_COUNT
};

enum {
#define X(id, ...) OMR_WP_##id,
  OMR_WHEEL_PARAMETERS(X)
#undef X
      OMR_WP_COUNT
};

typedef struct omr_parameter {
  const char *path, *unit;
  double standard, low, high;
  int flags;
  const char *meaning;
} omr_parameter;

extern const omr_parameter omr_vehicle_parameters[OMR_VP_COUNT];
extern const omr_parameter omr_wheel_parameters[OMR_WP_COUNT];

/* All parameter values of one instance, SI. */
typedef struct omr_values {
  double vehicle[OMR_VP_COUNT];
  double wheel[OMR_MAX_WHEELS][OMR_WP_COUNT];
} omr_values;

#endif
