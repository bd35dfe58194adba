/* Small models whose law switches inside of steps: the sliding block that sticks and slips. Within
 * a piece of a step the law is one, so that the method keeps its order; a piece ends where the
 * state first passes what ends it, found by bisection of the piece's length with the method itself.
 * There the slip is set to exactly 0 and the law chosen anew, so that nothing chatters. What comes
 * and goes within one step is not seen (explanation/steps.md#models-that-switch). */

FN int small_switches(GLOBAL const int *c) {
  return SETTING(c, MODEL) == SMALL_SLIDING_BLOCK && SETTING(c, OPTION_0) == BLOCK_LAW_SET_VALUED;
}

/* Halvings that leave one rounding of the piece, and most pieces of a step: the last one goes on to
 * its end whatever happens. */
#if OMR_SINGLE
enum { SWITCH_HALVINGS = 26, SWITCH_PIECES = 16 };
#else
enum { SWITCH_HALVINGS = 55, SWITCH_PIECES = 16 };
#endif

/* Change over `way` from time t of the fixed-step method; returns the lanes that have passed. */
FN_COLD mask small_try(GLOBAL const int *c, const small_pack *pack, real t, real way,
                       real *change) {
  real at[SMALL_MAX_MOTION], out[SMALL_MAX_SAMPLES];
  small_stages(c, pack, t, way, change, out);
  real share = method_factor(SETTING(c, METHOD)) * way;
  for (int j = 0; j < small_motion(c); j++) {
    change[j] = share * change[j];
    at[j] = pack->y[j] + change[j];
  }
  return sliding_block_passed(c, pack->p, at, t + way);
}

/* One step of length h from time t in the running lanes, in as many pieces as the law asks for
 * (appendix/small.md#models). */
FN_COLD void small_switching_step(GLOBAL const int *c, real t, real h, mask running,
                                  small_pack *pack) {
  real change[SMALL_MAX_MOTION], done = R(0.0);
  for (int n = 0; n < SWITCH_PIECES && any_lane(running); n++) {
    real rest = h - done, low = R(0.0), high = rest, from = t + done;
    mask passed = mask_and(running, small_try(c, pack, from, rest, change));
    if (n == SWITCH_PIECES - 1) passed = no_lane();
    if (any_lane(passed)) {
      for (int i = 0; i < SWITCH_HALVINGS; i++) {
        real middle = R(0.5) * (low + high);
        mask beyond = small_try(c, pack, from, middle, change);
        high = select_real(beyond, middle, high);
        low = select_real(beyond, low, middle);
      }
      high = select_real(passed, high, rest);
      (void)small_try(c, pack, from, high, change);
    }
    for (int j = 0; j < small_motion(c); j++)
      add_compensated(&pack->y[j], &pack->low[j], change[j], running);
    if (any_lane(passed)) sliding_block_turn(c, pack->p, from + high, passed, pack->y, pack->low);
    done = done + high;
    running = mask_and(passed, lt(done, h));
  }
}
