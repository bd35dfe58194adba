/* Columns of elastic_wheel, the wheel of source 5 with an elastic rim
 * (appendix/small.md#models). X(ENUM, "name", "unit", "meaning") */

#define ELASTIC_WHEEL_PREFIX RIM

/* clang-format off */
/* Folded parameters: uk_wheel's, whose inertia I is the tread's here, then its own. */
#define ELASTIC_WHEEL_PARAMS(X)                                                                      \
  UK_WHEEL_PARAMS(X)                                                                                 \
  X(HUB_INERTIA, "I_h", "kg m2", "inertia of the hub about the axle")                                \
  X(INV_HUB_INERTIA, "1/I_h", "kg-1 m-2", "inverse of the inertia of the hub")                       \
  X(STIFFNESS, "c", "N m", "torsional stiffness of the rim")                                         \
  X(DAMPING, "d", "N m s", "torsional damping of the rim")

/* Integrated quantities, all sums compensated: as uk_wheel, with the angle and rate of the hub. */
#define ELASTIC_WHEEL_MOTION(X)                                                                      \
  UK_WHEEL_MOTION(X)                                                                                 \
  X(TWIST, "twist", "rad", "angle of the hub less that of the tread")                                \
  X(TREAD_RATE, "tread rate", "rad s-1", "rate of the tread")

/* Reduced where steps start. */
#define ELASTIC_WHEEL_EXTREMES(X)                                                                    \
  UK_WHEEL_EXTREMES(X)                                                                               \
  X(TWIST, "max |twist|", "rad", "")

/* clang-format on */
