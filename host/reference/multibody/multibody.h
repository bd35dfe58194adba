/* Multibody systems in maximal coordinates, as sources 1 to 3 build them: rigid bodies
 * (Newton-Euler, quaternions, 13 states each) are the vertices of a graph, constraints its
 * edges. A constraint is an object between two bodies A and B; it takes their kinematics and
 * gives the wrenches on them and the conditions on their accelerations. All of it forms one
 * linear system for the accelerations and the multipliers, which LAPACK solves, even if
 * conditions are redundant; SUNDIALS (CVODE) integrates (integrate.h). Slow and faithful: the
 * oracle of the ensembles, sharing no equation with kernels/.
 *
 * SI units; y is up; vectors in inertial axes unless stated otherwise. Body 0 is the base B0: at
 * rest, or with a given motion (omr_mb_move_base). */
#ifndef OMR_MULTIBODY_H
#define OMR_MULTIBODY_H

#include "support/support.h"
#include "vector.h"

enum { OMR_MB_BODY_STATES = 13, OMR_MB_ROWS = 6, OMR_MB_NAME = 48, OMR_MB_SIDES = 3 };
/* Places of a body's states in the state vector, from 13 (body - 1) on. */
enum { OMR_MB_R = 0, OMR_MB_Q = 3, OMR_MB_V = 7, OMR_MB_W = 10 };

/* Kinematics of a body: the output of its KinematicPort. */
typedef struct omr_frame {
  omr_vec r; /* centre of mass, m */
  omr_mat t; /* T: body axes to inertial axes */
  omr_vec v; /* velocity of the centre of mass, m/s */
  omr_vec w; /* angular velocity, rad/s */
} omr_frame;

/* Acceleration of a body: of the centre of mass, and angular. */
typedef struct omr_acceleration {
  omr_vec a, e;
} omr_acceleration;

/* One scalar condition on the acceleration level,  sum over A and B of move.a + turn.e = rhs,  and
 * the wrench that one unit of its multiplier exerts on A and B (torque about the centre of mass).
 * Index 0 is A, 1 is B, 2 the carrier if the constraint has one (a gear's). For an ideal constraint
 * the wrench is the kinematic side; sliding friction adds its part proportional to the normal load
 * to the wrench of the normal condition. */
typedef struct omr_mb_row {
  omr_vec move[OMR_MB_SIDES], turn[OMR_MB_SIDES];
  double rhs;
  omr_vec force[OMR_MB_SIDES], torque[OMR_MB_SIDES];
  bool impulsive; /* omr_mb_collide: the wrench holds for impulses as well; otherwise they are ideal
                   */
} omr_mb_row;

/* Contribution of a constraint in a state. Zeroed before `effect` is called, which sets rows. */
typedef struct omr_mb_effect {
  int rows;
  omr_mb_row row[OMR_MB_ROWS];
  omr_vec force[OMR_MB_SIDES], torque[OMR_MB_SIDES]; /* wrench without a multiplier */
  double *rate; /* derivatives of the constraint's own states */
} omr_mb_effect;

typedef struct omr_mb omr_mb;
typedef struct omr_mb_constraint omr_mb_constraint;

/* The view of a constraint: time, its two bodies, its own states; every frame by number through
 * mb. */
typedef struct omr_mb_view {
  const omr_mb *mb;
  double t;
  const omr_frame *a, *b;
  const double *own;
} omr_mb_view;

typedef struct omr_mb_kind {
  const char *name; /* the source's name of the class if it has one */
  int states;       /* own states: elongations, angles, contact points ... */
  void (*effect)(const omr_mb_constraint *c, const omr_mb_view *view, omr_mb_effect *out);
  /* Violation of the condition in position (m or rad) and velocity; NULL for a force law. */
  void (*drift)(const omr_mb_constraint *c, const omr_mb_view *view, double *position,
                double *velocity);
  bool contact; /* its violation in position is a distance of bodies that should touch */
} omr_mb_kind;

/* First member of every constraint object. Set kind, a, b and name, then omr_mb_add_constraint. */
struct omr_mb_constraint {
  const omr_mb_kind *kind;
  int a, b;
  int carrier; /* third body of the rows; 0: none, or the base */
  char name[OMR_MB_NAME];
  /* set by the system */
  int own;                           /* first own state in the state vector */
  int first, rows;                   /* multipliers of the last evaluation */
  double max_position, max_velocity; /* drift seen by omr_mb_note_constraint */
};

/* Conditions that choose among the solutions of a redundant system, such as n^T N = 0 for the
 * normal loads of four wheels: writes up to `most` rows of omr_mb_rows(mb) entries over all
 * multipliers, and returns their number. */
typedef int omr_mb_choice(void *self, const omr_mb *mb, double *rows, int most);

enum { OMR_MB_CHOICES = 16 };

/* Given motion of the base: its frame at time t, and the acceleration that belongs to it. */
typedef void omr_mb_motion(void *self, double t, omr_frame *frame, omr_acceleration *acceleration);

omr_mb *omr_mb_create(omr_vec gravity); /* NULL: out of memory */
void omr_mb_destroy(omr_mb *mb);        /* NULL allowed; constraint objects belong to the caller */

/* Adds a body with principal inertias about its centre of mass (body axes), at rest at the origin.
 * Returns its number, from 1. */
int omr_mb_add_body(omr_mb *mb, const char *name, double mass, omr_vec inertia);
/* The same with the whole tensor of inertia about the centre of mass, kg m2, body axes. It must be
 * symmetric and positive definite, and no principal moment larger than the sum of the others;
 * omr_mb_complete reports a fault. */
int omr_mb_add_body_tensor(omr_mb *mb, const char *name, double mass, omr_mat inertia);
/* Moves the base from now on; `self` must outlive the system. Forces of bodies on the base do not
 * change its motion. */
void omr_mb_move_base(omr_mb *mb, omr_mb_motion *motion, void *self);
/* The object must outlive the system. Its bodies should be in place: own states start at 0 (see
 * omr_mb_own). */
void omr_mb_add_constraint(omr_mb *mb, omr_mb_constraint *c);
void omr_mb_set_choice(omr_mb *mb, omr_mb_choice *choice, void *self);
/* `prepare` is called first by omr_mb_evaluate: it sets constraint objects whose settings depend on
 * the state, by evaluating the state with other settings. */
void omr_mb_set_prepare(omr_mb *mb, omr_status (*prepare)(void *self, omr_mb *mb, omr_error *error),
                        void *self);
/* Adds differential equations at the end of the state vector (work, path ...): rate is called after
 * the accelerations are known. */
void omr_mb_add_quadratures(omr_mb *mb, int count,
                            void (*rate)(void *self, const omr_mb *mb, double *rate), void *self);

/* Sets a body's initial state: centre of mass, quaternion (body axes to inertial axes, any length),
 * velocities. */
void omr_mb_place(omr_mb *mb, int body, omr_vec r, const double q[4], omr_vec v, omr_vec w);
/* Sets a velocity anew, for impacts. */
void omr_mb_set_velocity(omr_mb *mb, int body, omr_vec v, omr_vec w);

/* Reports if one of the functions above ran out of memory, or if a body has no mass. */
bool omr_mb_failed(const omr_mb *mb);
omr_status omr_mb_complete(omr_mb *mb, omr_error *error);

int omr_mb_bodies(const omr_mb *mb); /* without the base */
int omr_mb_constraints(const omr_mb *mb);
int omr_mb_states(const omr_mb *mb); /* 13 per body + own states + quadratures */
omr_mb_constraint *omr_mb_constraint_at(const omr_mb *mb, int i);
double omr_mb_time(const omr_mb *mb);
/* Changes whenever the state is set or evaluated. */
double omr_mb_looks(const omr_mb *mb);
double *omr_mb_state(const omr_mb *mb); /* [omr_mb_states] */
double *omr_mb_own(const omr_mb *mb, const omr_mb_constraint *c);
double *omr_mb_quadratures(const omr_mb *mb);

/* Kinematics of every body in the state y at time t: the frames below refer to it afterwards. */
void omr_mb_set_state(omr_mb *mb, double t, const double *y);
const omr_frame *omr_mb_frame(const omr_mb *mb, int body);

/* Accelerations and multipliers in the state set last; rate (NULL allowed): derivative of the state
 * vector. OMR_ERR_INTERNAL if the system is singular beyond redundancy. */
omr_status omr_mb_evaluate(omr_mb *mb, double *rate, omr_error *error);
const omr_acceleration *omr_mb_acceleration(const omr_mb *mb, int body);
int omr_mb_rows(const omr_mb *mb); /* of the last evaluation */
double omr_mb_multiplier(const omr_mb *mb, const omr_mb_constraint *c, int row);
/* Redundant conditions in the last evaluation. */
int omr_mb_redundant(const omr_mb *mb);

/* Ideal impact: the smallest change of velocities (in the metric of the masses) after which the
 * velocity move.v + turn.w of every row is 0. Changes the state; *lost (NULL allowed) is the
 * kinetic energy lost, J. */
omr_status omr_mb_impact(omr_mb *mb, double *lost, omr_error *error);

/* Change by an impact of a row's velocity move.v + turn.w, which was `velocity`. */
typedef double omr_mb_jump(void *self, const omr_mb_constraint *c, int row, double velocity);
/* Impact with given changes of velocity: all rows of all constraints take part. Changes the state;
 * multipliers are the impulses until the next evaluation. omr_mb_strikes is true while effects are
 * gathered: a constraint then gives the rows that it has in an impact. */
omr_status omr_mb_collide(omr_mb *mb, omr_mb_jump *jump, void *self, omr_error *error);
bool omr_mb_strikes(const omr_mb *mb);

/* Wrench that constraint c exerts on A (side 0), B (side 1) or its carrier (side 2) in the last
 * evaluation: force, torque about the centre of mass. */
void omr_mb_wrench(const omr_mb *mb, const omr_mb_constraint *c, int side, omr_vec *force,
                   omr_vec *torque);

/* Kinetic energy and energy of gravity (-m g.r), J. */
double omr_mb_kinetic(const omr_mb *mb);
double omr_mb_potential(const omr_mb *mb);
/* Kinetic energy of one body (from 1), J. */
double omr_mb_body_kinetic(const omr_mb *mb, int body);

/* Takes the present violation into the constraint's maxima. */
void omr_mb_note_constraint(const omr_mb *mb, omr_mb_constraint *c);
/* The present violation of one in position, m or rad; 0 of force laws. */
double omr_mb_position_drift(const omr_mb *mb, const omr_mb_constraint *c);

/* Velocity of the material point of a frame at offset d (inertial axes) from its centre of mass. */
static inline omr_vec omr_point_velocity(const omr_frame *f, omr_vec d) {
  return omr_add(f->v, omr_cross(f->w, d));
}
/* w x (w x d) */
static inline omr_vec omr_centripetal(const omr_frame *f, omr_vec d) {
  return omr_cross(f->w, omr_cross(f->w, d));
}
/* Ideal row: the acceleration of B's point at offset db along n less the acceleration of A's at da;
 * equal and opposite forces along n there. */
void omr_mb_point_row(omr_mb_row *row, omr_vec n, omr_vec da, omr_vec db, double rhs);
/* Ideal row: angular acceleration of B less A's about n; equal and opposite torques. */
void omr_mb_turn_row(omr_mb_row *row, omr_vec n, double rhs);

#endif
