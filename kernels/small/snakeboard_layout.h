/* Columns of snakeboard, the vehicle of source 3, section 3.3, as reduced nonholonomic equations.
 * X(ENUM, "name", "unit", "meaning")
 *
 * Axes: y up, the floor is y = 0; of the coupler i forward, k to the right, yaw theta and every
 * angle positive about y. */

#define SNAKEBOARD_PREFIX SNAKE

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
  X(STEER_STIFFNESS, "k_s", "N m rad-1", "free steering: spring towards the gait's angle")           \
  X(STEER_DAMPING, "d_s", "N m s rad-1", "free steering: damper")                                    \
  X(FREE, "", "1", "1 where wheelsets steer freely, else 0")                                         \
  X(PATH_DRIFT, "x_0", "m", "curve: its drift per tau; 0 without a curve, as those below")           \
  X(PATH_X1, "x_1", "m", "first harmonic, ahead")                                                    \
  X(PATH_Z1, "z_1", "m", "to the left")                                                              \
  X(PATH_X2, "x_2", "m", "second harmonic, ahead")                                                   \
  X(PATH_Z2, "z_2", "m", "to the left")                                                              \
  X(PATH_FIRST, "p", "1", "number of the first harmonic")                                            \
  X(PATH_SECOND, "q", "1", "number of the second one")                                               \
  X(PATH_SLOPE, "", "rad m-1", "largest change of the wheelsets' angle per length of way")           \
  X(PATH_SPEED, "u(0)", "m s-1", "speed at the start")                                               \
  X(START_X, "x(0)", "m", "where the midpoint started")                                              \
  X(START_Z, "z(0)", "m", "")

/* Integrated, all sums compensated. P^2/2 is the kinetic energy of the motion that the constraints leave. */
#define SNAKEBOARD_MOTION(X)                                                                         \
  X(X, "x", "m", "coupler's midpoint")                                                               \
  X(Z, "z", "m", "coupler's midpoint")                                                               \
  X(YAW, "theta", "rad", "yaw, whole turns included")                                                \
  X(MOMENTUM, "P", "kg0.5 m s-1", "reduced momentum")                                                \
  X(PATH, "path", "m", "length of the midpoint's path")                                              \
  X(WORK, "work", "J", "work of the servos; of spring and damper on free wheelsets")                 \
  X(FRONT, "phi_f", "rad", "free steering: angle of the front wheelset; otherwise unused, as those below") \
  X(FRONT_RATE, "phi_f'", "rad s-1", "")                                                             \
  X(REAR, "phi_b", "rad", "")                                                                        \
  X(REAR_RATE, "phi_b'", "rad s-1", "")                                                              \
  X(TRAVEL, "tau", "1", "parameter of the curve that the board follows; 0 without one")

/* Reduced where steps start. */
#define SNAKEBOARD_EXTREMES(X)                                                                       \
  X(SPEED, "max speed", "m s-1", "")                                                                 \
  X(FORCE, "max lateral force", "N", "")                                                             \
  X(TORQUE, "max servo torque", "N m", "")

/* clang-format on */
