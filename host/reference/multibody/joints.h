/* Joints of source 3, section 2.2: the axis n_A through r_A, fixed in body A, and the point r_B of
 * body B that stays on it. Joints differ in one equation for the motion along the axis and one for
 * the rotation about it. F and M are the components along n_A of the wrench on body A; on B act -F
 * and -M. */
#ifndef OMR_JOINTS_H
#define OMR_JOINTS_H

#include "multibody.h"

typedef enum omr_joint_slide {
  OMR_SLIDE_FIXED,  /* mu = 0 */
  OMR_SLIDE_FREE,   /* F = 0 */
  OMR_SLIDE_SPRING, /* F = c v + d v' */
  OMR_SLIDE_ACROSS  /* mu = 0 along the axis; along e2, across it, B's point slides on a spring */
} omr_joint_slide;

typedef enum omr_joint_turn {
  OMR_TURN_FREE,   /* M = 0 */
  OMR_TURN_FIXED,  /* lambda = 0 */
  OMR_TURN_TORQUE, /* M = f */
  OMR_TURN_SERVO   /* lambda = f */
} omr_joint_turn;

typedef enum omr_joint_class {
  OMR_JOINT_FIXED_IDEAL,      /* revolute: mu = 0, M = 0 */
  OMR_JOINT_FREE_IDEAL,       /* cylindrical: F = 0, M = 0 */
  OMR_JOINT_SPRING_IDEAL,     /* F = c v + d v' for the displacement v along the axis, M = 0 */
  OMR_JOINT_FIXED_CONTROLLED, /* mu = 0, M = f(t, phi, phi') */
  OMR_JOINT_FREE_SLIDE,       /* prismatic: F = 0, lambda = 0 */
  OMR_JOINT_FIXED_SERVO,      /* mu = 0, lambda = f(t, phi, phi'); phi' starts as the bodies turn */
  OMR_JOINT_WELD /* mu = 0, lambda = 0. B keeps the pose in the axes of A that it has when it is
                    added; place.axis is any direction, place.point_a is not read. */
} omr_joint_class;

/* The class of a joint and its numbers, as far as the class has them. A servo's angle may follow
 * the way of a third body: lambda = f(t, phi, phi') + g u', u the speed of that body's centre of
 * mass along a direction that is fixed in A. It exerts only the torque; nothing pushes the third
 * body. */
typedef struct omr_joint_law {
  omr_joint_class class;
  double stiffness, damping; /* N/m, N s/m */
  double angle;              /* phi at the start, rad */
  /* f: torque M on A (N m), or relative angular acceleration (rad/s2) */
  double (*of)(void *self, double t, double angle, double rate);
  void *self;
  int lead;                             /* the third body */
  omr_vec along;                        /* axes of A */
  double (*gain)(void *self, double t); /* g, rad/m; NULL: it follows nothing */
} omr_joint_law;

typedef struct omr_joint {
  omr_mb_constraint base;
  omr_joint_slide slide;
  omr_joint_turn turn;
  omr_joint_law law;
  omr_vec axis, e1, e2;     /* n_A and two directions across it, axes of A */
  omr_vec point_a, point_b; /* r_A, r_B: from the centres of mass, body axes */
  omr_vec axis_b;           /* n_A in the axes of B at the start, for the drift */
  omr_vec mark_a, mark_b; /* a direction across the axis in both, for the drift of fixed rotation */
  double preload;         /* of the spring, N */
} omr_joint;

/* Place of a joint. Axis and points are in the axes of their bodies, the points from their centres
 * of mass. */
typedef struct omr_joint_place {
  int a, b;
  omr_vec axis, point_a, point_b;
} omr_joint_place;

/* Adds the joint to mb; the bodies must be in place. The joint must outlive the system. Own state 0
 * is phi (omr_mb_own). */
void omr_joint_add(omr_mb *mb, omr_joint *joint, const char *name, omr_joint_place place,
                   omr_joint_law law);

/* Lets B's point slide along a direction across the axis (axes of A), on a spring and a damper: on
 * A acts preload + c v + d v' along it. For a joint with mu = 0, after it is added. */
typedef struct omr_joint_track {
  omr_vec along;
  double preload, stiffness, damping; /* N, N/m, N s/m */
} omr_joint_track;
void omr_joint_slide_across(omr_joint *joint, omr_joint_track track);
/* The same along the axis itself, whose direction is the track's. */
void omr_joint_slide_along(omr_joint *joint, omr_joint_track track);
/* Displacement of B's point along that direction and its rate, in the state set last. */
void omr_joint_travel(const omr_mb *mb, const omr_joint *joint, double *travel, double *rate);

/* Displacement v of B's point along the axis and its rate, rate phi' of the rotation, in the state
 * set last. */
void omr_joint_motion(const omr_mb *mb, const omr_joint *joint, double *displacement, double *speed,
                      double *rate);
/* F and M on A along the axis in the last evaluation: reactions, spring forces and torque laws
 * alike. */
void omr_joint_effort(const omr_mb *mb, const omr_joint *joint, double *force, double *torque);

/* Servo-constraint of source 1, section 4.2: keeps the axis (body axes of B) horizontal, k.n = 0
 * with n upwards, by the torque lambda l on B, l = k x n / |k x n|. Multiplier 0 is lambda, N m. */
typedef struct omr_upright {
  omr_mb_constraint base;
  omr_vec axis;
} omr_upright;
void omr_upright_servo(omr_mb *mb, omr_upright *servo, const char *name, int body, omr_vec axis);

/* Constraints of general mechanisms: ball joints, massless rods, gears and racks on a carrier,
 * prescribed motion. Each struct belongs to the caller and must outlive the system; each function
 * adds one to mb, with the bodies in place. Points are from the centres of mass in the axes of
 * their bodies; body 0 is the base. Wrenches: omr_mb_wrench, power: omr_mb_power. Equations:
 * appendix/reference.md#bodies. */

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

#endif
