/* Constraints of general mechanisms: ball joints, massless rods, gears and racks on a carrier,
 * prescribed motion. Each struct belongs to the caller and must outlive the system; each function
 * adds one to mb, with the bodies in place. Points are from the centres of mass in the axes of
 * their bodies; body 0 is the base. Wrenches: omr_mb_wrench, power: omr_mb_power. Equations:
 * appendix/reference.md#bodies. */
#ifndef OMR_MECHANISM_JOINTS_H
#define OMR_MECHANISM_JOINTS_H

#include "multibody.h"

/* Two bodies and a point of each. */
typedef struct omr_point_place {
  int a, b;
  omr_vec point_a, point_b;
} omr_point_place;

/* Ball joint: B's point stays on A's. Multipliers: the force on B along x, y, z, N. */
typedef struct omr_ball {
  omr_mb_constraint base;
  omr_vec point_a, point_b;
} omr_ball;
void omr_ball_joint(omr_mb *mb, omr_ball *ball, const char *name, omr_point_place place);

/* Massless rod with two ball ends: the distance of the points stays `length`, m, above 0.
 * Multiplier: the force that pushes both apart, N. */
typedef struct omr_rod {
  omr_mb_constraint base;
  omr_vec point_a, point_b;
  double length;
} omr_rod;
void omr_distance_rod(omr_mb *mb, omr_rod *rod, const char *name, omr_point_place place,
                      double length);
/* Distance of the points in the state set last, for `length`. */
double omr_rod_distance(const omr_mb *mb, omr_point_place place);

/* Gear: (w_B - w_C).n_B = ratio (w_A - w_C).n_A + offset, with the axes fixed in the carrier C,
 * which takes the rest of the torque. Two spur gears that mesh from outside have the ratio -z_A/z_B
 * for n_A = n_B. Own states: both angles against the carrier from the start, and the violation of
 * the angle. Multiplier: the torque on B, N m. */
typedef struct omr_gear {
  omr_mb_constraint base;
  omr_vec axis_a, axis_b; /* axes of C, unit */
  double ratio, offset;   /* rad/s */
} omr_gear;
typedef struct omr_gear_place {
  int a, b, carrier;
  omr_vec axis_a, axis_b; /* axes of the carrier */
} omr_gear_place;
void omr_gear_pair(omr_mb *mb, omr_gear *gear, const char *name, omr_gear_place place, double ratio,
                   double offset);

/* Rack: B's point moves along `axis_b` of the carrier with radius (w_A - w_C).n_A + offset, m/s.
 * Own states as for a gear, with B's way, m. Multiplier: the force on B, N. */
typedef struct omr_rack {
  omr_gear gear; /* ratio: the radius, m, with its sign */
  omr_vec point_b;
} omr_rack;
void omr_rack_pair(omr_mb *mb, omr_rack *rack, const char *name, omr_gear_place place,
                   omr_vec point_b, double radius, double offset);

/* A quantity over time with its first two derivatives, which must be consistent. */
typedef void omr_motion_law(void *self, double t, double *value, double *rate,
                            double *acceleration);

enum { OMR_MOTION_X, OMR_MOTION_Y, OMR_MOTION_Z, OMR_MOTION_RX, OMR_MOTION_RY, OMR_MOTION_RZ };
enum { OMR_MOTIONS = 6 };

/* Prescribed motion of B against A: components 0 to 2 are the place of B's point from A's in the
 * axes of A, 3 to 5 the angles of the rotation Rx(alpha) Ry(beta) Rz(gamma) from axes of A to axes
 * of B. Components without a law are free. The angle about y must stay within 90 deg (there the
 * other two mean the same); turn a mechanism that spins about x or z. Multipliers in the order of
 * the laws: forces on B along the axes of A, N, and generalized torques of the angles, N m. */
typedef struct omr_motion {
  omr_mb_constraint base;
  omr_vec point_a, point_b;
  omr_motion_law *law[OMR_MOTIONS];
  void *self[OMR_MOTIONS];
} omr_motion;
/* The caller sets law and self of `motion` before. */
void omr_prescribed_motion(omr_mb *mb, omr_motion *motion, const char *name, omr_point_place place);
/* The six components and their rates in the state set last. */
void omr_motion_components(const omr_mb *mb, const omr_motion *motion, double value[OMR_MOTIONS],
                           double rate[OMR_MOTIONS]);

/* Power that a constraint gives to its bodies in the last evaluation, W: zero for ideal joints
 * without a driving law. */
double omr_mb_power(const omr_mb *mb, const omr_mb_constraint *c);

#endif
