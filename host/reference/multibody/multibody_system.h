/* Inside of a multibody system, private to host/reference. */
#ifndef OMR_MULTIBODY_SYSTEM_H
#define OMR_MULTIBODY_SYSTEM_H

#include "multibody.h"

typedef struct omr_mb_body {
  char name[OMR_MB_NAME];
  double mass;
  omr_vec inertia; /* principal moments, body axes */
  bool full;       /* the tensor holds instead */
  omr_mat tensor, inverse;
} omr_mb_body;

/* Work space of the linear system; grows with the rows. */
typedef struct omr_mb_solver {
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
  int states, state_room;
  int rows, row_room;
  omr_mb_row **row;    /* [rows]: every row of every constraint */
  int *row_constraint; /* [rows] */
  double *multiplier;  /* [rows] */
  omr_vec *load;       /* [2 (bodies + 1)]: force and torque that do not depend on multipliers */
  omr_mb_solver solver;
  omr_mb_branches *branches; /* NULL until the first solution */
};

/* equations.c: rows of all constraints in the state set last; false: out of memory. */
bool omr_mb_gather(omr_mb *mb);

/* solve.c: multipliers from the rows and right[rows] (destroyed); frees its work space. If it sets
 * solver.light, the multipliers are not good, and omr_mb_saddle must follow. */
omr_status omr_mb_solve(omr_mb *mb, double *right, double *multiplier, omr_error *error);
/* The same for one more right side after omr_mb_evaluate, with its factor. */
omr_status omr_mb_solve_again(omr_mb *mb, double *right, double *multiplier, omr_error *error);
void omr_mb_solver_free(omr_mb_solver *solver);

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
void omr_mb_branches_free(omr_mb_branches *branches);

/* saddle.c: accelerations and multipliers from the rows, rhs[rows] and the loads, for systems in
 * which light bodies make S lose digits. */
omr_status omr_mb_saddle(omr_mb *mb, const double *rhs, double *multiplier, omr_error *error);
/* Rank of the conditions, lengths in the system's own unit, and u [rows rows], column-major, freed
 * by the caller: its columns from `rank` on are the combinations of rows that vanish. */
bool omr_mb_conditions(const omr_mb *mb, double **u, int *rank);
/* True if there are light bodies, and fewer conditions are redundant by themselves than by S, which
 * includes the masses, or S determines the redundant ones badly. */
bool omr_mb_has_light(const omr_mb *mb, int redundant, bool badly);

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
