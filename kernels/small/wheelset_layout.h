/* Columns of wheelset, the ideal wheelset of source 3, section 3.2, on an inclined plane. X(ENUM,
 * "name", "unit", "meaning")
 *
 * The axes lie in the plane: y along its normal, x and z in it; a slope inclines gravity, down
 * towards (cos d, 0, -sin d). At yaw 0 forward is x, the axle is z, and the right wheel is at +z. A
 * positive wheel rate rolls forward. */

#define WHEELSET_PREFIX WSET

/* clang-format off */
/* Folded parameters; m is the mass of rod and wheels together. */
#define WHEELSET_PARAMS(X)                                                                           \
  X(RADIUS, "R", "m", "radius of both wheels")                                                       \
  X(INV_RADIUS, "1/R", "m-1", "")                                                                    \
  X(HALF_TRACK, "b", "m", "half distance of the wheels")                                             \
  X(INV_HALF_TRACK, "1/b", "m-1", "")                                                                \
  X(MASS, "m", "kg", "mass of all three bodies")                                                     \
  X(OFFSET, "d", "m", "centre of mass, to the right of the axle's middle")                            \
  X(WEIGHT, "m g cos s", "N", "weight along the normal")                                             \
  X(SLOPE, "m g sin s", "N", "weight down the plane")                                                \
  X(DOWN_COS, "cos d", "1", "direction in the plane that goes down")                                 \
  X(DOWN_SIN, "sin d", "1", "")                                                                      \
  X(LEFT_AXIAL, "J_l", "kg m2", "left wheel: inertia about the axle")                                 \
  X(RIGHT_AXIAL, "J_r", "kg m2", "right wheel: inertia about the axle")                               \
  X(ROD_AXIAL, "J_s", "kg m2", "rod: inertia about its axis")                                         \
  X(INERTIA_UU, "A", "kg", "inertia of the forward motion")                                          \
  X(INERTIA_UW, "B", "kg m", "coupling of forward motion and yaw")                                   \
  X(INERTIA_WW, "C", "kg m2", "inertia of the yaw")                                                  \
  X(LEFT_TORQUE, "T_l", "N m", "torque on the left wheel")                                           \
  X(RIGHT_TORQUE, "T_r", "N m", "torque on the right wheel")                                         \
  X(YAW_TORQUE, "T_y", "N m", "torque about the normal")                                             \
  X(ROD_TORQUE, "T_s", "N m", "reaction of the wheels' torques on the rod")                           \
  X(ACCELERATION, "", "m s-2", "u' by the torques")                                                  \
  X(SLOPE_ACCELERATION, "", "m s-2", "u' by the slope, heading down")                                \
  X(YAW_ACCELERATION, "", "rad s-2", "yaw'' by the torques")                                         \
  X(SLOPE_YAW_ACCELERATION, "", "rad s-2", "yaw'' by the slope, heading down")                       \
  X(ROD_ACCELERATION, "T_s/J_s", "rad s-2", "")                                                      \
  X(START_X, "x(0)", "m", "")                                                                        \
  X(START_Z, "z(0)", "m", "")

/* Integrated quantities, all sums compensated. The yaw angle is yaw + 2 pi turns. */
#define WHEELSET_MOTION(X)                                                                           \
  X(X, "x", "m", "middle of the axle")                                                               \
  X(Z, "z", "m", "middle of the axle")                                                               \
  X(YAW, "yaw", "rad", "within half a turn")                                                         \
  X(TURNS, "turns", "1", "whole turns of the yaw")                                                   \
  X(LEFT_ANGLE, "phi_l", "rad", "left wheel")                                                        \
  X(RIGHT_ANGLE, "phi_r", "rad", "right wheel")                                                      \
  X(ROD_ANGLE, "phi_s", "rad", "rod about its axis")                                                 \
  X(SPEED, "u", "m s-1", "forward velocity of the axle's middle")                                    \
  X(YAW_RATE, "yaw'", "rad s-1", "")                                                                 \
  X(ROD_RATE, "phi_s'", "rad s-1", "")                                                               \
  X(PATH, "path", "m", "length of the path of the axle's middle")                                    \
  X(WORK, "work", "J", "work of the torques")

/* Reduced where steps start. */
#define WHEELSET_EXTREMES(X)                                                                         \
  X(SPEED, "max speed", "m s-1", "")                                                                 \
  X(MIN_LOAD, "min load", "N", "")                                                                   \
  X(MAX_LOAD, "max load", "N", "")                                                                   \
  X(LATERAL, "max lateral force", "N", "")

/* clang-format on */
