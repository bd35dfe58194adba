/* Observables that are the largest value of a quantity over the run, seen where passes start and in
 * the end (rows LARGEST of host/lists/observables.def): observed_QUANTITY is the quantity in the
 * state y (Y_) at time t. They are bits of the setting OBSERVED. */

FN real observed_yaw_rate(const parameters *p, GLOBAL const int *c, const real *y, real t) {
  (void)p, (void)c, (void)t;
  return abs_real(y[Y_OMEGA]);
}

/* Takes the quantities into the largest ones of the lanes in `now`; v: the vehicle's state columns.
 */
FN void observe_largest(const parameters *p, GLOBAL const int *c, const real *y, real t, mask now,
                        real *v) {
  real value;
  if (!SETTING(c, OBSERVED)) return;
#define X(...)
#define COLUMN(...)
#define LARGEST(id, quantity, ...)                                                                 \
  if (SETTING(c, OBSERVED) >> LARGEST_##id & 1) {                                                  \
    value = max_real(observed_##quantity(p, c, y, t), v[S_OBSERVED_0 + LARGEST_##id]);             \
    v[S_OBSERVED_0 + LARGEST_##id] = select_real(now, value, v[S_OBSERVED_0 + LARGEST_##id]);      \
  }
#include "../host/lists/observables.def"
#undef LARGEST
#undef COLUMN
#undef X
}
