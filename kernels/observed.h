/* Observables with state columns of their own, kept where passes start and end (rows KEPT of
 * host/lists/observables.def): keep_QUANTITY takes a look into the columns `own` of its row. They
 * are bits of the setting OBSERVED. */

/* A state that observers look at, in the lanes of `now`. Where a pass has ended, tau is its length,
 * and it is good; where one starts, which may be tried again, tau is 0. */
typedef struct sight {
  const parameters *p;
  GLOBAL const int *c;
  const real *y; /* Y_ */
  real t, tau;
  mask now;
} sight;

/* The largest value over the run. */
FN void keep_largest(const sight *at, real value, real *own) {
  *own = select_real(at->now, max_real(value, *own), *own);
}

FN void keep_yaw_rate(const sight *at, real *own) {
  keep_largest(at, abs_real(at->y[Y_OMEGA]), own);
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
