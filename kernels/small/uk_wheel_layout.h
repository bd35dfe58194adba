/* Columns of uk_wheel, the rolling wheel of source 5 (appendix/small.md#models). X(ENUM, "name",
 * "unit", "meaning") */

#define UK_WHEEL_PREFIX UK

/* clang-format off */
/* Folded parameters; D = m R^2 + I. */
#define UK_WHEEL_PARAMS(X)                                                                            \
  X(INV_MASS, "1/m", "kg-1", "inverse of the mass")                                                   \
  X(MASS, "m", "kg", "mass")                                                                         \
  X(INV_INERTIA, "1/I", "kg-1 m-2", "inverse of the inertia about the axle")                          \
  X(INERTIA, "I", "kg m2", "inertia about the axle")                                                  \
  X(RADIUS, "R", "m", "radius")                                                                      \
  X(INV_RADIUS, "1/R", "m-1", "inverse of the radius")                                                \
  X(LOAD, "N_c = m g", "N", "normal load")                                                           \
  X(TORQUE, "T_max", "N m", "drive torque")                                                          \
  X(TORQUE_RATE, "", "s-1", "rate at which the drive torque sets in")                                 \
  X(RESISTANCE, "", "kg m-1", "rolling resistance per squared speed")                                 \
  X(BEARING, "", "N m s", "bearing friction")                                                        \
  X(BRAKE, "T_bm", "N m", "half the brake torque")                                                   \
  X(BRAKE_TIME, "t_b", "s", "time at which the brake sets in")                                        \
  X(BRAKE_GAIN, "k_v", "s", "rate gain of the brake")                                                 \
  X(UPPER, "mu_u", "1", "friction coefficient of the good ground")                                    \
  X(LOWER, "mu_l", "1", "friction coefficient of the slippery ground")                                \
  X(GROUND_TIME, "t_s", "s", "time of the slippery ground")                                           \
  X(GROUND_RATE, "1/s_d or k_m", "s-1", "how fast the ground changes")                                \
  X(STICTION, "k_s/(3 N_c R)", "N-1 m-1", "stiction parameter per torque")                            \
  X(FRICTION, "k_F/(3 N_c R)", "N-1 m-1", "friction per torque")                                      \
  X(SHARE_TORQUE, "m R/D", "m-1", "constraint force per torque")                                      \
  X(SHARE_FORCE, "I/D", "1", "constraint force per force")

/* Integrated quantities, all sums compensated. */
#define UK_WHEEL_MOTION(X)                                                                           \
  X(X, "x", "m", "position of the wheel")                                                            \
  X(V, "x'", "m s-1", "velocity of the wheel")                                                       \
  X(ANGLE, "theta", "rad", "wheel angle")                                                            \
  X(RATE, "theta'", "rad s-1", "wheel rate")                                                         \
  X(WORK, "work", "J", "work of the drive torque")                                                    \
  X(LOST, "lost", "J", "energy lost to ground, brake, bearing and rolling resistance")

/* Reduced where steps start. */
#define UK_WHEEL_EXTREMES(X)                                                                         \
  X(SPEED, "max speed", "m s-1", "")                                                                 \
  X(SLIP, "max slip", "m s-1", "")                                                                   \
  X(WEIGHT, "min weight", "1", "")                                                                   \
  X(TRACTION, "max traction", "1", "largest |contact force|/(mu N_c)")                                \
  X(STOP_TIME, "stop time", "s", "negative: not stopped")                                             \
  X(STOP_X, "stop x", "m", "")                                                                       \
  X(BRAKE_X, "brake x", "m", "position when the brake set in")

/* clang-format on */
