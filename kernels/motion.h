/* Integrated quantities, and the state of a pack of instances between launches. */

/* Integrated quantities in one array: first those whose sums run long and are compensated, contact
 * angles from the last wheel's to the first's, then the velocities. So the columns of the wheels
 * that a run has are one stretch, however many there may be. */
enum {
  Y_X = WHEELS_MAX,
  Y_Z,
  Y_YAW,
  Y_DISSIPATED,
  Y_WORK,
  Y_PATH,
  Y_COMPENSATED,
  Y_VX = Y_COMPENSATED,
  Y_VZ,
  Y_OMEGA,
  Y_FIRST_RATE
};
#define Y_Q(i) (WHEELS_MAX - 1 - (i))
#define Y_RATE(i) (Y_FIRST_RATE + 2 * (i))
#define Y_SPIN(i) (Y_FIRST_RATE + 2 * (i) + 1)
#define Y_LEVEL_COUNT (Y_FIRST_RATE + 2 * WHEELS_MAX)
#define VELOCITIES(c) (3 + 2 * WHEELS(c)) /* from Y_VX on */
#if OMR_COMPLIANT
/* Quantities of a platform that is not held level (compliant.h): its height and angles, their
 * velocities, integrals that only observers need, the spins of both neighbours of the nearest
 * roller, and the travels of wheels on springs. */
#define Y_HEIGHT (Y_LEVEL_COUNT)
#define Y_PITCH (Y_LEVEL_COUNT + 1)
#define Y_ROLL (Y_LEVEL_COUNT + 2)
#define Y_VY (Y_LEVEL_COUNT + 3)
#define Y_ROLL_RATE (Y_LEVEL_COUNT + 4)
#define Y_PITCH_RATE (Y_LEVEL_COUNT + 5)
#define Y_VERTICAL_SUM (Y_LEVEL_COUNT + 6)
#define Y_VERTICAL_SQUARE (Y_LEVEL_COUNT + 7)
#define Y_PITCH_SQUARE (Y_LEVEL_COUNT + 8)
#define Y_ROLL_SQUARE (Y_LEVEL_COUNT + 9)
#define Y_FEW_TIME (Y_LEVEL_COUNT + 10)
#define Y_SUSPENSION_LOSS (Y_LEVEL_COUNT + 11)
#define Y_FIRST_BEFORE (Y_LEVEL_COUNT + 12)
#define Y_BEFORE(i) (Y_FIRST_BEFORE + (i))
#define Y_AFTER(i) (Y_FIRST_BEFORE + WHEELS_MAX + (i))
#define Y_TRAVEL(i) (Y_FIRST_BEFORE + 2 * WHEELS_MAX + (i))
#define Y_TRAVEL_RATE(i) (Y_FIRST_BEFORE + 3 * WHEELS_MAX + (i))
/* Deflections of the bristles of three rollers of each wheel, (i, k) of each in the order of
 * ROLLER_NEAREST ... (bristle.h). Only the law that has them integrates them. */
#define Y_FIRST_BENT (Y_FIRST_BEFORE + 4 * WHEELS_MAX)
#define Y_BENT(i, near) (Y_FIRST_BENT + BRISTLES * (i) + 2 * (near))
#define Y_FIRST_CURRENT (Y_FIRST_BENT + BRISTLES * WHEELS_MAX)
#define HAS_BRISTLES(c) (SETTING(c, LAW) == LAW_BRISTLE)
#define Y_USED(c) (HAS_BRISTLES(c) ? Y_FIRST_BENT + BRISTLES * WHEELS(c) : Y_FIRST_BENT)
#else
#define Y_FIRST_CURRENT Y_LEVEL_COUNT
#define HAS_BRISTLES(c) ((void)(c), 0)
#define Y_USED(c) Y_RATE(WHEELS(c)) /* where those that every run integrates end */
#endif
/* Loops over all that every run integrates. */
#define FOR_MOTION(c, j)                                                                           \
  UNROLL_MOTION for (int j = WHEELS_MAX - WHEELS(c), j##_end = Y_USED(c); j < j##_end; j++)
/* Currents of motors with inductance stand behind all others. Only a run that has them integrates
 * them, in loops of their own, so that the others keep loops of constant length. */
#define Y_CURRENT(i) (OMR_CURRENTS ? Y_FIRST_CURRENT + (i) : 0)
#define Y_COUNT (Y_FIRST_CURRENT + OMR_CURRENTS * WHEELS_MAX)
#define FOR_CURRENTS(c, i) UNROLL_DEVICE for (int i = 0; HAS_CURRENTS(c) && i < WHEELS(c); i++)
/* The current of wheel i; 0 where it is no state. */
#define CURRENT_OF(c, y, i) (HAS_CURRENTS(c) ? (y)[Y_CURRENT(i)] : R(0.0))
/* Discs have no rollers: the first two spins hold the heave of penalty contact and its rate, so
 * that rollers pay nothing. */
#define Y_HEAVE Y_SPIN(0)
#define Y_HEAVE_RATE Y_SPIN(WHEELS_MAX > 1)

/* Idle rollers of a wheel (kernels/layout.h, T_IDLE_COS ...): constant between exchanges, or
 * decaying with bearing friction. */
enum { IDLE_COS, IDLE_SIN, IDLE_SUM, IDLE_SQUARE, BEARING_A, BEARING_B, BEARING_D, IDLE_COUNT };
/* Loops over them, where the run integrates them. */
#define FOR_IDLE(c, i, j)                                                                          \
  if (SETTING(c, BEARING))                                                                         \
  UNROLL for (int i = 0; i < WHEELS(c); i++) UNROLL for (int j = 0; j < IDLE_COUNT; j++)

/* Integrated by the observers, all compensated. */
enum {
  O_COMMAND_X,
  O_COMMAND_Z,
  O_COMMAND_YAW,
  O_ODO_X,
  O_ODO_Z,
  O_ODO_YAW,
  O_VIB_SQUARE,
  O_VIB_X,
  O_VIB_Z,
  O_COUNT
};

/* Everything that is integrated. */
typedef struct motion {
  real y[Y_COUNT];
  real obs[O_COUNT];
  real idle[WHEELS_MAX][IDLE_COUNT];
} motion;

/* The state of a pack: all that a launch changes of it. Its pointers lead to registers on a
 * device. */
typedef struct pack_state {
  motion *m;
  real *v;             /* columns of the vehicle, S_... */
  real (*ts)[T_COUNT]; /* columns of its wheels, T_... */
  GLOBAL sreal *spins; /* of the rollers, from the pack's first lane on; 0 where the state is only
                          looked at */
} pack_state;

/* How wheel i turns. */
FN turning turning_of(const real *y, int i) {
  turning turns = {y[Y_OMEGA], y[Y_RATE(i)], y[Y_SPIN(i)]};
  return turns;
}

/* A level velocity from the vehicle's axes to the world's. */
FN void rotate_to_world(real yaw, real vx, real vz, real *dx, real *dz) {
  real sine, cosine;
  sincos_real(yaw, &sine, &cosine);
  *dx = fma_real(vx, cosine, vz * sine);
  *dz = fma_real(vz, cosine, -(vx * sine));
}

/* Where the wheels are at time t, as far as the ground asks for it. */
FN place place_of(GLOBAL const int *c, const real *y, real t) {
  place at;
  at.t = t;
  at.x = y[Y_X];
  at.z = y[Y_Z];
  at.sin_yaw = at.cos_yaw = R(0.0);
  if (SETTING(c, GROUND) == GROUND_PATCHES) sincos_real(y[Y_YAW], &at.sin_yaw, &at.cos_yaw);
  return at;
}
