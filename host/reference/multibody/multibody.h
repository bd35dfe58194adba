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

#include "support/pool.h"
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

/* Violation of a condition: m or rad, m/s or rad/s. */
typedef struct omr_mb_drift {
  double position, velocity;
} omr_mb_drift;

typedef struct omr_mb_kind {
  const char *name; /* the source's name of the class if it has one */
  int states;       /* own states: elongations, angles, contact points ... */
  void (*effect)(const omr_mb_constraint *c, const omr_mb_view *view, omr_mb_effect *out);
  /* NULL for a force law. */
  omr_mb_drift (*drift)(const omr_mb_constraint *c, const omr_mb_view *view);
  bool contact; /* its violation in position is a distance of bodies that should touch */
} omr_mb_kind;

/* First member of every constraint object. Set a and b, then omr_mb_add_constraint. */
struct omr_mb_constraint {
  const omr_mb_kind *kind;
  int a, b;
  int carrier; /* third body of the rows; 0: none, or the base */
  char name[OMR_MB_NAME];
  /* set by the system */
  int own;                           /* first own state in the state vector */
  int first, rows;                   /* multipliers of the last evaluation */
  double max_position, max_velocity; /* largest drift that the caller has seen */
};

/* Conditions that choose among the solutions of a redundant system, such as n^T N = 0 for the
 * normal loads of four wheels: writes up to `most` rows of mb->rows entries over all
 * multipliers, and returns their number. */
typedef int omr_mb_choice(void *self, const omr_mb *mb, double *rows, int most);

enum { OMR_MB_CHOICES = 16 };

/* Given motion of the base: its frame at time t, and the acceleration that belongs to it. */
typedef void omr_mb_motion(void *self, double t, omr_frame *frame, omr_acceleration *acceleration);

/* ---- the system; its members are read outside of multibody/, and changed here alone */

typedef struct omr_mb_body {
  char name[OMR_MB_NAME];
  double mass;
  omr_vec inertia; /* principal moments, body axes */
  bool full;       /* the tensor holds instead */
  omr_mat tensor, inverse;
} omr_mb_body;

/* Work space of the linear system; grows with the rows. */
typedef struct omr_mb_solver {
  omr_pool memory;  /* of the arrays */
  int room;         /* capacity in rows */
  int redundant;    /* of the last solution */
  bool light;       /* light bodies were found: the saddle point is solved from then on */
  bool whole;       /* branches stay in the system, for tests */
  bool factored;    /* `factor` has the LU of the rows gathered last */
  bool pruned;      /* it is the LU of the rows that branches leave (branches.c) */
  int size;         /* rows of `matrix` */
  int *row;         /* [room] these rows */
  int *place;       /* [room] place of a row among them; -1: none */
  double *matrix;   /* [(room + choices) room], scaled conditions, column-major */
  double *factor;   /* copy that LAPACK overwrites */
  double *right;    /* [room + choices] */
  double *scale;    /* [room], square root of each condition's compliance */
  double *choice;   /* [choices room], row-major */
  double *singular; /* [room] */
  double *vectors;  /* [room room] */
  double *reduced;  /* [room] */
  int *pivot;       /* [room] */
} omr_mb_solver;

/* Branches of the graph and their part of the linear system (branches.c). */
typedef struct omr_mb_branches omr_mb_branches;

struct omr_mb {
  bool failed; /* out of memory while it was built */
  omr_vec gravity;
  int bodies, constraints, body_room, constraint_room;
  omr_mb_body *body; /* [bodies + 1], 0 is the base */
  omr_frame *frame;  /* [bodies + 1] */
  omr_acceleration *acceleration;
  omr_mb_constraint **constraint;
  omr_mb_effect *effect; /* of the last evaluation */
  double *own_rate;      /* target of `effect[].rate` */
  int own_states, quadratures;
  void (*quadrature_rate)(void *self, const omr_mb *mb, double *rate);
  void *quadrature_self;
  omr_mb_choice *choose;
  void *choose_self;
  omr_status (*prepare)(void *self, omr_mb *mb, omr_error *error);
  void *prepare_self;
  bool strikes;          /* rows are gathered for omr_mb_collide */
  bool preparing;        /* inside of `prepare` */
  omr_mb_motion *motion; /* of the base; NULL: at rest */
  void *motion_self;
  double time;
  double looks; /* how often the state was set or evaluated */
  double *state;
  int states, state_room; /* 13 per body + own states + quadratures */
  int rows, row_room;
  omr_mb_row **row;    /* [rows]: every row of every constraint */
  int *row_constraint; /* [rows] */
  double *multiplier;  /* [rows] */
  omr_vec *load;       /* [2 (bodies + 1)]: force and torque that do not depend on multipliers */
  omr_mb_solver solver;
  omr_mb_branches *branches; /* NULL until the first solution */
  omr_pool branch_memory;
};

/* ---- building and moving it */

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
void omr_mb_add_constraint(omr_mb *mb, omr_mb_constraint *c, const omr_mb_kind *kind,
                           const char *name);
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

/* Reports if one of the functions above ran out of memory (`failed`), or if a body has no mass. */
omr_status omr_mb_complete(omr_mb *mb, omr_error *error);

/* A constraint's own states, and the quadratures. */
double *omr_mb_own(const omr_mb *mb, const omr_mb_constraint *c);
double *omr_mb_quadratures(const omr_mb *mb);

/* Kinematics of every body in the state y at time t: the frames below refer to it afterwards. */
void omr_mb_set_state(omr_mb *mb, double t, const double *y);

/* Accelerations and multipliers in the state set last; rate (NULL allowed): derivative of the state
 * vector. OMR_ERR_INTERNAL if the system is singular beyond redundancy. */
omr_status omr_mb_evaluate(omr_mb *mb, double *rate, omr_error *error);
double omr_mb_multiplier(const omr_mb *mb, const omr_mb_constraint *c, int row);

/* Ideal impact: the smallest change of velocities (in the metric of the masses) after which the
 * velocity move.v + turn.w of every row is 0. Changes the state; *lost (NULL allowed) is the
 * kinetic energy lost, J. */
omr_status omr_mb_impact(omr_mb *mb, double *lost, omr_error *error);

/* Change by an impact of a row's velocity move.v + turn.w, which was `velocity`. */
typedef double omr_mb_jump(void *self, const omr_mb_constraint *c, int row, double velocity);
/* Impact with given changes of velocity: all rows of all constraints take part. Changes the state;
 * multipliers are the impulses until the next evaluation. `strikes` is true while effects are
 * gathered: a constraint then gives the rows that it has in an impact. */
omr_status omr_mb_collide(omr_mb *mb, omr_mb_jump *jump, void *self, omr_error *error);

/* Wrench that constraint c exerts on A (side 0), B (side 1) or its carrier (side 2) in the last
 * evaluation: force, torque about the centre of mass. */
typedef struct omr_force_torque {
  omr_vec force, torque;
} omr_force_torque;
omr_force_torque omr_mb_wrench(const omr_mb *mb, const omr_mb_constraint *c, int side);
/* Power that constraint c gives to that body in the last evaluation, W; and to all of its bodies:
 * zero for ideal joints without a driving law. */
double omr_mb_power_on(const omr_mb *mb, const omr_mb_constraint *c, int side);
double omr_mb_power(const omr_mb *mb, const omr_mb_constraint *c);

/* Kinetic energy and energy of gravity (-m g.r), J. */
double omr_mb_kinetic(const omr_mb *mb);
double omr_mb_potential(const omr_mb *mb);
/* Kinetic energy of one body (from 1), J. */
double omr_mb_body_kinetic(const omr_mb *mb, int body);

/* The present violation of a constraint; 0 of force laws. */
omr_mb_drift omr_mb_drift_of(const omr_mb *mb, const omr_mb_constraint *c);

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
/* Gives a row the wrench of an ideal condition: its kinematic side. */
void omr_mb_make_ideal(omr_mb_row *row);

/* ---- between the files of multibody/ */

/* multibody.c: room for `count` elements, 0 at first; keeps the old block if memory is short. */
bool omr_mb_reserve(void **block, int *room, int count, size_t size);

/* equations.c: rows of all constraints in the state set last; false: out of memory. */
bool omr_mb_gather(omr_mb *mb);

/* solve.c: multipliers from the rows and right[rows] (destroyed). If it sets solver.light, the
 * multipliers are not good, and omr_mb_saddle must follow. */
omr_status omr_mb_solve(omr_mb *mb, double *right, double *multiplier, omr_error *error);
/* The same for one more right side after omr_mb_evaluate, with its factor. */
omr_status omr_mb_solve_again(omr_mb *mb, double *right, double *multiplier, omr_error *error);

/* branches.c. Takes branches out of the gathered rows, whose scales the solver has: bodies that
 * only one joint ties to the others, one after the other. True if there are any, among more than a
 * few bodies, and if each such joint tells its rows from each other well. */
bool omr_mb_branches_take(omr_mb *mb);
/* True if a row is in a joint that was taken out. */
bool omr_mb_branches_have(const omr_mb *mb, int row);
/* Motion da of a body, with the share of its branches, under force and torque, in place. */
void omr_mb_branches_yield(const omr_mb *mb, int body, omr_vec *force, omr_vec *torque);
/* Folds the right sides of the branches into the bodies that carry them; the remaining right sides
 * of the other rows go to `left`, which may be the same array. */
void omr_mb_branches_fold(omr_mb *mb, const double *right, double *left);
/* The multipliers of the branches, from the multipliers of the other rows. */
void omr_mb_branches_unfold(omr_mb *mb, double *multiplier);

/* saddle.c: accelerations and multipliers from the rows, rhs[rows] and the loads, for systems in
 * which light bodies make S lose digits. */
omr_status omr_mb_saddle(omr_mb *mb, const double *rhs, double *multiplier, omr_error *error);
/* Rank of the conditions, lengths in the system's own unit, and u [rows rows], column-major, freed
 * by the caller: its columns from `rank` on are the combinations of rows that vanish. */
bool omr_mb_conditions(const omr_mb *mb, double **u, int *rank);
/* True if there are light bodies, and fewer conditions are redundant by themselves than by S, which
 * includes the masses, or S determines the redundant ones badly. */
bool omr_mb_has_light(const omr_mb *mb, int redundant, bool badly);

/* What a constraint sees in the state set last. */
static inline omr_mb_view omr_mb_view_of(const omr_mb *mb, const omr_mb_constraint *c) {
  return (omr_mb_view){mb, mb->time, &mb->frame[c->a], &mb->frame[c->b], mb->state + c->own};
}

/* Body of side 0 (A), 1 (B), 2 (the carrier) of a constraint. */
static inline int omr_mb_side(const omr_mb_constraint *c, int side) {
  return side == 0 ? c->a : side == 1 ? c->b : c->carrier;
}

/* Sides that a constraint has. */
static inline int omr_mb_sides(const omr_mb_constraint *c) {
  return c->carrier ? OMR_MB_SIDES : 2;
}

/* inertia.c: the fault of a body's mass and inertia, as an error; the inverse of a tensor. */
omr_status omr_mb_check_inertia(const omr_mb_body *body, omr_error *error);
omr_mat omr_mb_inverted(const omr_mat *tensor);

/* I w, body axes. */
static inline omr_vec omr_mb_spin(const omr_mb_body *body, omr_vec w) {
  if (body->full) return omr_times(&body->tensor, w);
  return omr_vec_of(body->inertia.x * w.x, body->inertia.y * w.y, body->inertia.z * w.z);
}

/* I^-1 applied to a torque, inertial axes; zero for the base. */
static inline omr_vec omr_mb_inverse_inertia(const omr_mb *mb, int body, omr_vec torque) {
  if (body == 0) return omr_vec_of(0, 0, 0);
  const omr_vec *i = &mb->body[body].inertia;
  omr_vec m = omr_transposed_times(&mb->frame[body].t, torque);
  if (mb->body[body].full)
    return omr_times(&mb->frame[body].t, omr_times(&mb->body[body].inverse, m));
  return omr_times(&mb->frame[body].t, omr_vec_of(m.x / i->x, m.y / i->y, m.z / i->z));
}

#endif
