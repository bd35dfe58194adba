/* Columns of sliding_block, the block of source 5, figure 1 (appendix/small.md#models). X(ENUM,
 * "name", "unit", "meaning") */

#define SLIDING_BLOCK_PREFIX BLOCK

/* clang-format off */
/* Folded parameters. */
#define SLIDING_BLOCK_PARAMS(X)                                                                      \
  X(MASS, "m", "kg", "mass")                                                                         \
  X(INV_MASS, "1/m", "kg-1", "inverse of the mass")                                                  \
  X(LOAD, "N_c = m g cos", "N", "normal load")                                                       \
  X(DOWN, "m g sin", "N", "weight down the plane, against the pull")                                 \
  X(STATIC, "mu_s N_c", "N", "largest force that holds the block")                                   \
  X(KINETIC, "mu N_c", "N", "friction of a block that slips, and saturation limit")                  \
  X(INV_KINETIC, "1/(mu N_c)", "N-1", "inverse of the saturation limit")                             \
  X(INV_SLIP_SPEED, "1/v_s", "s m-1", "inverse of the slip speed of the regularized law")            \
  X(STIFFNESS, "k", "N m-1", "stiffness of the spring")                                              \
  X(BELT, "u", "m s-1", "velocity of the belt")                                                      \
  X(FORCE, "T_0", "N", "pull")                                                                       \
  X(PULL_RATE, "T'", "N s-1", "rate of a ramp")                                                      \
  X(FREQUENCY, "omega", "rad s-1", "angular frequency of a sine")

/* Integrated quantities, all sums compensated. From DIRECTION on they change only where the block
 * sticks or begins to slip under the law set_valued. */
#define SLIDING_BLOCK_MOTION(X)                                                                      \
  X(X, "x", "m", "position of the block")                                                            \
  X(V, "x'", "m s-1", "velocity of the block")                                                       \
  X(WORK, "work", "J", "work of pull and belt")                                                      \
  X(LOST, "lost", "J", "energy lost to friction")                                                    \
  X(STUCK, "stuck", "s", "time without slip")                                                        \
  X(DIRECTION, "direction", "1", "sign of the slip under the law set_valued; 0 sticks")              \
  X(FIRST, "first slip", "s", "time of the first slip; negative: none")                              \
  X(ONSET, "onset", "s", "time at which slip last began; negative: never")                           \
  X(PERIOD, "period", "s", "time between the last two such times; negative: none")                   \
  X(SLIPS, "slips", "1", "number of such times")                                                     \
  X(REST, "rest", "s", "time at which it last came to stick; negative: never")

/* Reduced where steps start. */
#define SLIDING_BLOCK_EXTREMES(X)                                                                    \
  X(SPEED, "max speed", "m s-1", "")                                                                 \
  X(SLIP, "max slip", "m s-1", "")                                                                   \
  X(TRACTION, "max traction", "1", "largest |contact force|/(mu N_c)")                               \
  X(FIRST, "first slip", "s", "negative: none; of the laws other than set_valued")                   \
  X(STOP_TIME, "stop time", "s", "negative: not stopped")

/* clang-format on */
