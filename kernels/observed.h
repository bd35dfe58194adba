/* Observables with state columns of their own, kept where passes start and end (rows KEPT of
 * host/lists/observables.def): keep_QUANTITY takes a look into the columns `own` of its row. They
 * are bits of the setting OBSERVED. */

/* A state that observers look at, in the lanes of `now`. Where a pass has ended, tau is its length,
 * and it is good; where one starts, which may be tried again, tau is 0. Starts, and the end of a
 * run, are the lanes of `once`: an end of a pass is looked at again where the next one starts. */
typedef struct sight {
  const parameters *p;
  GLOBAL const int *c;
  const real *y, *obs; /* Y_, O_ */
  real t, tau;
  mask now, once;
} sight;

/* The largest value over the run. */
FN void keep_largest(const sight *at, real value, real *own) {
  take_largest(at->now, value, own);
}

FN void keep_yaw_rate(const sight *at, real *own) {
  keep_largest(at, abs_real(at->y[Y_OMEGA]), own);
}

/* Distance across the commanded path: of the deviation, the part normal to the direction in which
 * the command travels, so that a vehicle which is merely late has none. Below a micrometre per
 * second, the rounding of a table's velocities at rest, the command has no direction of its
 * own and keeps the last one, which own[1] and own[2] hold (appendix/observables.md#observables).
 */
FN void keep_cross_track(const sight *at, real *own) {
  if (!any_lane(at->once)) return;
  command cmd =
      command_at(at->p->v, at->c, at->p->tables, at->t,
                 seen_within(at->c, at->p->tables, at->t, fma_real(R(-0.5), at->tau, at->t)));
  real square = fma_real(cmd.vx, cmd.vx, cmd.vz * cmd.vz);
  mask travels = mask_and(at->once, gt(square, R(1e-12)));
  real inverse = R(1.0) / sqrt_real(max_real(square, R(1e-12)));
  real along_x, along_z;
  rotate_to_world(at->obs[O_COMMAND_YAW], cmd.vx, cmd.vz, &along_x, &along_z);
  own[1] = select_real(travels, along_x * inverse, own[1]);
  own[2] = select_real(travels, along_z * inverse, own[2]);
  real dx = at->y[Y_X] - at->obs[O_COMMAND_X], dz = at->y[Y_Z] - at->obs[O_COMMAND_Z];
  real across = abs_real(fma_real(dx, own[2], -(dz * own[1])));
  take_largest(at->once, across, own);
}

/* Takes a look into all that the study keeps; v: the vehicle's state columns. */
FN void observe_kept(const sight *at, real *v) {
  GLOBAL const int *c = at->c;
  if (!SETTING(c, OBSERVED)) return;
#define X(...)
#define COLUMN(...)
#define KEPT(id, quantity, ...)                                                                    \
  if (SETTING(c, OBSERVED) >> KEPT_##id & 1) keep_##quantity(at, &v[S_KEPT_##id]);
#include "../host/lists/observables.def"
#undef KEPT
#undef COLUMN
#undef X
}

/* Whether the run has a use for the state column j; 1 for columns of no such observable. */
FN int keeps_state(GLOBAL const int *c, int j) {
#define X(...)
#define COLUMN(...)
#define KEPT(id, ...)                                                                              \
  if (j >= S_KEPT_##id && j <= S_KEPT_LAST_##id) return SETTING(c, OBSERVED) >> KEPT_##id & 1;
#include "../host/lists/observables.def"
#undef KEPT
#undef COLUMN
#undef X
  return 1;
}
