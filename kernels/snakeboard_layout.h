/* Columns of snakeboard, the vehicle of source 3, section 3.3, as reduced nonholonomic equations.
 * X(ENUM, "name", "unit", "meaning")
 *
 * Axes: y up, the floor is y = 0; of the coupler i forward, k to the right, yaw theta and every
 * angle positive about y. */

/* clang-format off */
/* Folded parameters; masses and inertias as `scale` leaves them. */
#define SNAKEBOARD_PARAMS(X)                                                                         \
  X(MASS, "m_c + m_r", "kg", "coupler and rotor")                                                    \
  X(INERTIA, "J_c + J_r + 2 J_e", "kg m2", "all that turns with the coupler")                        \
  X(ROTOR, "J_r", "kg m2", "rotor")                                                                  \
  X(STEERED, "J_e", "kg m2", "wheelset about the vertical, with the spin of its wheels")             \
  X(ROLLED, "m_s + 2 I_a/R^2", "kg", "wheelset along its rolling direction, with the spin of its wheels") \
  X(WHEELSET, "m_s", "kg", "mass of a wheelset")                                                     \
  X(HALF_LENGTH, "l", "m", "coupler's midpoint to the middle of a wheelset")                         \
  X(INV_LENGTH, "1/l", "m-1", "")                                                                    \
  X(INV_RADIUS, "1/R", "m-1", "")                                                                    \
  X(TRACK, "h", "m", "middle of a wheelset to its wheels")                                           \
  X(FRONT_AMPLITUDE, "a_f", "rad", "gait: front wheelset")                                           \
  X(FRONT_FREQUENCY, "omega_f", "rad s-1", "")                                                       \
  X(FRONT_PHASE, "beta_f", "rad", "")                                                                \
  X(REAR_AMPLITUDE, "a_b", "rad", "gait: rear wheelset")                                             \
  X(REAR_FREQUENCY, "omega_b", "rad s-1", "")                                                        \
  X(REAR_PHASE, "beta_b", "rad", "")                                                                 \
  X(ROTOR_AMPLITUDE, "a_psi", "rad", "gait: rotor")                                                  \
  X(ROTOR_FREQUENCY, "omega_psi", "rad s-1", "")                                                     \
  X(ROTOR_PHASE, "beta_psi", "rad", "")                                                              \
  X(START_X, "x(0)", "m", "where the midpoint started")                                              \
  X(START_Z, "z(0)", "m", "")

/* What is integrated, all sums compensated. P^2/2 is the kinetic energy of the motion that the constraints leave. */
#define SNAKEBOARD_MOTION(X)                                                                         \
  X(X, "x", "m", "coupler's midpoint")                                                               \
  X(Z, "z", "m", "coupler's midpoint")                                                               \
  X(YAW, "theta", "rad", "yaw, whole turns included")                                                \
  X(MOMENTUM, "P", "kg0.5 m s-1", "reduced momentum")                                                \
  X(PATH, "path", "m", "length of the midpoint's path")                                              \
  X(WORK, "work", "J", "work of the servos")

/* Reduced where steps start. */
#define SNAKEBOARD_EXTREMES(X)                                                                       \
  X(SPEED, "max speed", "m s-1", "")                                                                 \
  X(FORCE, "max lateral force", "N", "")                                                             \
  X(TORQUE, "max servo torque", "N m", "")

/* What the right-hand side gives, and what a trajectory holds. */
#define SNAKEBOARD_SAMPLES(X)                                                                        \
  X(X, "x", "m", "position of the coupler's midpoint")                                               \
  X(Z, "z", "m", "position of the coupler's midpoint")                                               \
  X(YAW, "yaw", "rad", "yaw angle theta, whole turns included")                                      \
  X(VX, "vx", "m s-1", "velocity of the midpoint along the coupler, forward")                        \
  X(VZ, "vz", "m s-1", "velocity of the midpoint across the coupler, to the right")                  \
  X(YAW_RATE, "yaw_rate", "rad s-1", "yaw rate theta'")                                              \
  X(MOMENTUM, "momentum", "kg0.5 m s-1", "reduced momentum P")                                       \
  X(FRONT_ANGLE, "front_angle", "rad", "angle phi_f of the front wheelset to the coupler")           \
  X(REAR_ANGLE, "rear_angle", "rad", "angle phi_b of the rear wheelset to the coupler")              \
  X(ROTOR_ANGLE, "rotor_angle", "rad", "angle psi of the rotor to the coupler")                      \
  X(FRONT_SPEED, "front_speed", "m s-1", "velocity of the front wheelset's middle along its rolling direction") \
  X(REAR_SPEED, "rear_speed", "m s-1", "velocity of the rear wheelset's middle along its rolling direction") \
  X(FRONT_SLIP, "front_slip", "m s-1", "velocity of the front wheelset's middle along its axle: 0 but for rounding") \
  X(REAR_SLIP, "rear_slip", "m s-1", "velocity of the rear wheelset's middle along its axle: 0 but for rounding") \
  X(FRONT_LEFT_RATE, "front_left_rate", "rad s-1", "rate of the front left wheel; forward is positive") \
  X(FRONT_RIGHT_RATE, "front_right_rate", "rad s-1", "rate of the front right wheel")                \
  X(REAR_LEFT_RATE, "rear_left_rate", "rad s-1", "rate of the rear left wheel")                      \
  X(REAR_RIGHT_RATE, "rear_right_rate", "rad s-1", "rate of the rear right wheel")                   \
  X(FRONT_FORCE, "front_force", "N", "lateral force of the floor on the front wheelset, along its axle, to the right") \
  X(REAR_FORCE, "rear_force", "N", "lateral force of the floor on the rear wheelset, along its axle, to the right") \
  X(FRONT_TORQUE, "front_torque", "N m", "torque of the servo on the front wheelset")                \
  X(REAR_TORQUE, "rear_torque", "N m", "torque of the servo on the rear wheelset")                   \
  X(ROTOR_TORQUE, "rotor_torque", "N m", "torque of the servo on the rotor")                         \
  X(POWER, "servo_power", "W", "power of the three servos")                                          \
  X(ENERGY, "energy", "J", "kinetic energy")                                                         \
  X(HOLD, "axle_hold", "1", "cos^2 phi_f + cos^2 phi_b: near 0 both axles lie along the coupler and do not hold it")
/* clang-format on */

enum {
#define X(id, a, b, c) SNAKE_P_##id,
  SNAKEBOARD_PARAMS(X)
#undef X
      SNAKE_P_COUNT
};
enum {
#define X(id, a, b, c) SNAKE_Y_##id,
  SNAKEBOARD_MOTION(X)
#undef X
      SNAKE_Y_COUNT
};
enum {
#define X(id, a, b, c) SNAKE_E_##id,
  SNAKEBOARD_EXTREMES(X)
#undef X
      SNAKE_E_COUNT
};
enum {
#define X(id, a, b, c) SNAKE_S_##id,
  SNAKEBOARD_SAMPLES(X)
#undef X
      SNAKE_S_COUNT
};
/* Numbers of columns under the names that kernels/small.h makes of the prefix. */
enum {
  snakeboard_params = SNAKE_P_COUNT,
  snakeboard_motion = SNAKE_Y_COUNT,
  snakeboard_extremes = SNAKE_E_COUNT,
  snakeboard_samples = SNAKE_S_COUNT
};

/* Words of the study (settings OPTION_0 ...). */
enum { SNAKE_REAR_FREE, SNAKE_REAR_OPPOSITE }; /* option 0 */
enum {
  SNAKE_JOINTS_RIGID,
  SNAKE_JOINTS_COMPLIANT,
  SNAKE_JOINTS_DETERMINATE
}; /* option 1, of the reference alone */
