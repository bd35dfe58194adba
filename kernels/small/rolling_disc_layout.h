/* Columns of rolling_disc, a free disc on the penalty contact of source 4, or one that rolls.
 * X(ENUM, "name", "unit", "meaning")
 *
 * The axes lie in the plane: y along its normal n, x and z in it; a slope inclines gravity. The
 * disc's axis is w1 = -(third axis of the body), which the quaternion turns; heading 0, upright: w1
 * = -z, and a positive spin rolls to +x. */

#define ROLLING_DISC_PREFIX DISC

/* clang-format off */
/* Folded parameters. */
#define ROLLING_DISC_PARAMS(X)                                                                       \
  X(MASS, "m", "kg", "mass")                                                                         \
  X(INV_MASS, "1/m", "kg-1", "inverse of the mass")                                                  \
  X(RADIUS, "R", "m", "radius")                                                                      \
  X(INV_DIAMETRAL, "1/I_d", "kg-1 m-2", "inverse of the inertia about a diameter")                   \
  X(INV_AXIAL, "1/I_a", "kg-1 m-2", "inverse of the inertia about the axis")                         \
  X(INV_EXCESS, "1/I_a - 1/I_d", "kg-1 m-2", "")                                                     \
  X(WEIGHT_X, "m g_x", "N", "weight along x")                                                        \
  X(WEIGHT_Y, "m g_y", "N", "weight along the normal")                                               \
  X(WEIGHT_Z, "m g_z", "N", "weight along z")                                                        \
  X(STIFFNESS, "k_c", "N m-1", "contact stiffness")                                                  \
  X(DAMPING, "d_c", "N s m-1", "contact damping")                                                    \
  X(LATERAL, "mu_x", "1", "dry friction")                                                            \
  X(LONGITUDINAL, "mu_y", "1", "dry friction")                                                       \
  X(LATERAL_VISCOUS, "d_x", "s m-1", "viscous friction")                                             \
  X(LONGITUDINAL_VISCOUS, "d_y", "s m-1", "viscous friction")                                        \
  X(FRICTION_COS, "cos alpha_t", "1", "friction angle")                                              \
  X(FRICTION_SIN, "sin alpha_t", "1", "friction angle")                                              \
  X(SLIP_SPEED, "v_mu", "m s-1", "end of the proportional zone")                                     \
  X(INV_SLIP_SPEED, "1/v_mu", "s m-1", "")                                                           \
  X(ZONE, "v_mu phi'(0)", "1", "2: quadratic zone, 1: linear zone")                                  \
  X(ROLLING, "mu_r", "s m-1", "rolling friction")                                                    \
  X(FALL, "sin of the fall tilt", "1", "")                                                           \
  X(AXIAL, "I_a", "kg m2", "contact rolling, moving ground: inertia about the axis")                 \
  X(DIAMETRAL, "I_d", "kg m2", "the same about a diameter")                                          \
  X(MASS_R2, "m R^2", "kg m2", "the same")                                                           \
  X(INV_SPINNING, "1/(I_a + m R^2)", "kg-1 m-2", "the same")                                         \
  X(INV_TIPPING, "1/(I_d + m R^2)", "kg-1 m-2", "the same; 0 for penalty contact")                   \
  X(TYRE_LATERAL, "C_x", "1", "tyre laws: stiffness over load")                                      \
  X(TYRE_LONGITUDINAL, "C_y", "1", "")                                                               \
  X(TYRE_FRICTION, "mu", "1", "")                                                                    \
  X(TYRE_SHARE, "1/(3 mu), 1/(C mu)", "1", "slip of the law by the stiff slip")                      \
  X(TYRE_SHAPE, "C", "1", "")                                                                        \
  X(TYRE_CURVATURE, "E", "1", "")                                                                    \
  X(TYRE_LOW_SPEED, "v_0", "m s-1", "")                                                              \
  X(X_RATE, "d_x'", "m s-1", "moving ground: steady rate")                                           \
  X(X_SIZE, "amplitude of d_x", "m", "")                                                             \
  X(X_OMEGA, "2 pi f of d_x", "rad s-1", "")                                                         \
  X(X_PHASE, "phase of d_x", "rad", "")                                                              \
  X(Y_RATE, "d_y'", "m s-1", "moving ground: steady rate")                                           \
  X(Y_SIZE, "amplitude of d_y", "m", "")                                                             \
  X(Y_OMEGA, "2 pi f of d_y", "rad s-1", "")                                                         \
  X(Y_PHASE, "phase of d_y", "rad", "")                                                              \
  X(Z_RATE, "d_z'", "m s-1", "moving ground: steady rate")                                           \
  X(Z_SIZE, "amplitude of d_z", "m", "")                                                             \
  X(Z_OMEGA, "2 pi f of d_z", "rad s-1", "")                                                         \
  X(Z_PHASE, "phase of d_z", "rad", "")                                                              \
  X(TILT_X_RATE, "alpha'", "rad s-1", "moving ground: steady rate")                                  \
  X(TILT_X_SIZE, "amplitude of alpha", "rad", "")                                                    \
  X(TILT_X_OMEGA, "2 pi f of alpha", "rad s-1", "")                                                  \
  X(TILT_X_PHASE, "phase of alpha", "rad", "")                                                       \
  X(TILT_Z_RATE, "beta'", "rad s-1", "moving ground: steady rate")                                   \
  X(TILT_Z_SIZE, "amplitude of beta", "rad", "")                                                     \
  X(TILT_Z_OMEGA, "2 pi f of beta", "rad s-1", "")                                                   \
  X(TILT_Z_PHASE, "phase of beta", "rad", "")                                                        \
  X(TURN_RATE, "gamma'", "rad s-1", "moving ground: steady rate")                                    \
  X(TURN_SIZE, "amplitude of gamma", "rad", "")                                                      \
  X(TURN_OMEGA, "2 pi f of gamma", "rad s-1", "")                                                    \
  X(TURN_PHASE, "phase of gamma", "rad", "")                                                         \
  X(RAMP, "T", "s", "moving ground: rise time of gamma'")                                            \
  X(INV_RAMP, "1/T", "s-1", "0: no ramp")                                                            \
  X(PIVOT_X, "p_x", "m", "moving ground: point about which it turns")                                \
  X(PIVOT_Y, "p_y", "m", "moving ground: point about which it turns")                                \
  X(PIVOT_Z, "p_z", "m", "moving ground: point about which it turns")                                \
  X(MOVING, "", "1", "1: the ground moves")

/* Integrated, all sums compensated. The angular momentum about the centre has fixed axes: nothing but the contact
 * changes it. Contact rolling: the angular momentum about the contact point; height and velocities stay 0, since they follow. */
#define ROLLING_DISC_MOTION(X)                                                                       \
  X(X, "x", "m", "centre")                                                                           \
  X(Y, "y", "m", "centre, height over the plane")                                                    \
  X(Z, "z", "m", "centre")                                                                           \
  X(QW, "q_w", "1", "quaternion, body to plane")                                                     \
  X(QX, "q_x", "1", "")                                                                              \
  X(QY, "q_y", "1", "")                                                                              \
  X(QZ, "q_z", "1", "")                                                                              \
  X(VX, "v_x", "m s-1", "velocity of the centre")                                                    \
  X(VY, "v_y", "m s-1", "")                                                                          \
  X(VZ, "v_z", "m s-1", "")                                                                          \
  X(LX, "L_x", "kg m2 s-1", "angular momentum about the centre")                                     \
  X(LY, "L_y", "kg m2 s-1", "")                                                                      \
  X(LZ, "L_z", "kg m2 s-1", "")                                                                      \
  X(LOST, "lost", "J", "energy lost to friction and contact damping")                                \
  X(AIR, "air", "s", "time without contact")                                                         \
  X(WORK, "work", "J", "work of the moving ground on the disc")

/* Reduced where steps start. */
#define ROLLING_DISC_EXTREMES(X)                                                                     \
  X(SLIP, "max slip", "m s-1", "")                                                                   \
  X(SPEED, "max speed", "m s-1", "")                                                                 \
  X(MIN_LOAD, "min load", "N", "")                                                                   \
  X(MAX_LOAD, "max load", "N", "")                                                                   \
  X(MAX_HEIGHT, "max height", "m", "largest gap")                                                    \
  X(FALL_TIME, "fall time", "s", "negative: not fallen")                                             \
  X(TOUCHED, "touched", "1", "1 where the last step start had contact")                              \
  X(LIFT_OFFS, "lift-offs", "1", "")

/* clang-format on */
