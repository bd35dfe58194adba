/* Wheels on two rollers in the loop where an error estimate chooses the steps (controlled.h).
 * Passes at rest are made twice, whole and in halves: Rosenbrock's method of order 2 for friction,
 * RK4 for constraints, the orders that the pairs' estimates have. */

/* Rest of the difference between a whole pass and two halves, as part of it: 1/(2^order - 1). */
#define HALVES_ERROR (OMR_CONSTRAINED ? LIT(0.066666666666666667) : LIT(0.33333333333333333))

/* Under constraints the mean over several wheels leaves something out, and wheels may draw each
 * other in and let each other go in turn: they stay this long, s. */
#define SHORTEST_REST R(1e-6)

/* The rate up to which coming to rest costs less than the tolerance: its error is of the square of
 * the rate, as part of the scale of velocities (edges are entered with the speed of the roller's
 * edge against the floor) (appendix/rollers.md#exchange). */
FN real slowest_entry(const real *w, real speed, real tolerance) {
  return sqrt_real(tolerance) / (w[W_RADIUS] * speed);
}

/* The residual acceleration at the end of a pass, from its mean and those at the start and the
 * middle: Simpson's rule. */
FN real end_of_shaking(real start, real middle, real mean) {
  return fma_real(R(6.0), mean, -fma_real(R(4.0), middle, start));
}

/* Such a pass: rates per time, as of a pair. */
typedef struct edge_pair {
  edge_pass pass;
  real error[Y_COUNT];
  shaking shake;
  mask solvable; /* the load equations at the start and in the middle have a solution; if not the
                    pass is too long */
} edge_pair;

/* The second half of a pass, from where `first` ends. */
FN_CALL void second_half(const edge_run *run, mask running, real t, real part,
                         const edge_pass *first, edge_pass *second) {
  GLOBAL const int *c = run->c;
  const int columns[EDGE_WHEEL_COLUMN_COUNT] = EDGE_WHEEL_COLUMNS;
  const real increment = part * method_factor(edge_method(c));
  motion at = *run->m;
  real ts[WHEELS_MAX][T_COUNT];
  edge_run beyond = *run;
  move_motion(c, run->m, increment, &first->change, &at);
  for (int i = 0; i < WHEELS(c); i++) {
    for (int j = 0; j < EDGE_WHEEL_COLUMN_COUNT; j++) ts[i][columns[j]] = run->ts[i][columns[j]];
    ts[i][T_SECOND] = fma_real(increment, first->second[i], run->ts[i][T_SECOND]);
  }
  beyond.m = &at;
  beyond.ts = ts;
  edge_runge_kutta(&beyond, running, no_lane(), t + part, part, second);
}

/* From the sums of a whole pass and its halves: the rate per time without the leading error, which
 * is of the next order, and in *error the error of the halves. */
FN real join_halves(GLOBAL const int *c, real whole, real first, real second, real *error) {
  const real factor = method_factor(edge_method(c));
  real joined = R(0.5) * factor * (first + second);
  *error = splat(HALVES_ERROR) * fma_real(-factor, whole, joined);
  return joined + *error;
}

/* pair->pass: the first half's sums become the pass's. */
FN_CALL void join_passes(GLOBAL const int *c, const edge_pass *whole, const edge_pass *second,
                         edge_pair *pair) {
  edge_pass *pass = &pair->pass;
  real ignored;
  FOR_MOTION(c, j) {
    pass->change.y[j] =
        join_halves(c, whole->change.y[j], pass->change.y[j], second->change.y[j], &pair->error[j]);
  }
  for (int j = 0; SETTING(c, OBSERVERS) && j < O_COUNT; j++) {
    if (observer_runs(c, j))
      pass->change.obs[j] = join_halves(c, whole->change.obs[j], pass->change.obs[j],
                                        second->change.obs[j], &ignored);
  }
  for (int i = 0; i < WHEELS(c); i++) {
    for (int j = 0; SETTING(c, BEARING) && j < IDLE_COUNT; j++)
      pass->change.idle[i][j] = join_halves(c, whole->change.idle[i][j], pass->change.idle[i][j],
                                            second->change.idle[i][j], &ignored);
    pass->second[i] =
        join_halves(c, whole->second[i], pass->second[i], second->second[i], &ignored);
  }
  if (!(SETTING(c, OBSERVERS) & OBSERVERS_OF_MOTORS)) return;
  motor_sums *sums = &pass->motors;
  const motor_sums *all = &whole->motors, *rest = &second->motors;
  sums->bearings = join_halves(c, all->bearings, sums->bearings, rest->bearings, &ignored);
  sums->rollers = join_halves(c, all->rollers, sums->rollers, rest->rollers, &ignored);
  sums->rolling = join_halves(c, all->rolling, sums->rolling, rest->rolling, &ignored);
  for (int j = 0; SETTING(c, OBSERVERS) & OBSERVER_SUPPLY && j < E_COUNT; j++)
    sums->electric[j] =
        join_halves(c, all->electric[j], sums->electric[j], rest->electric[j], &ignored);
  if (!(SETTING(c, OBSERVERS) & OBSERVER_MOTORS)) return;
  sums->work = join_halves(c, all->work, sums->work, rest->work, &ignored);
  sums->regenerated =
      join_halves(c, all->regenerated, sums->regenerated, rest->regenerated, &ignored);
  for (int i = 0; i < WHEELS(c); i++) {
    sums->square[i] = join_halves(c, all->square[i], sums->square[i], rest->square[i], &ignored);
    if (is_rated(c, i)) sums->last[i] = rest->last[i];
  }
}

/* A pass of length tau of the lanes of `running` in which wheels rest, at time t; before it the
 * wheels that must leave do so in the lanes of `settles`. */
FN_CALL void edge_pass_in_halves(const edge_run *run, mask running, mask settles, real t, real tau,
                                 edge_pair *pair) {
  GLOBAL const int *c = run->c;
  edge_pass whole, second;
  const real part = R(0.5) * tau;
  edge_runge_kutta(run, running, settles, t, tau, &whole);
  pair->pass.lanes = whole.lanes;
  if (!any_lane(whole.lanes)) return;
  edge_runge_kutta(run, running, no_lane(), t, part, &pair->pass);
  second_half(run, running, t, part, &pair->pass, &second);
  join_passes(c, &whole, &second, pair);
  pair->pass.lanes = whole.lanes;
  pair->pass.start = whole.start;
  pair->solvable = mask_and(whole.start.solvable, second.start.solvable);
  pair->pass.first_share = whole.first_share;
  pair->pass.last_share = second.last_share;
  if (!(SETTING(c, OBSERVERS) & OBSERVER_VIBRATION)) return;
  const real start[2] = {whole.start.residual_x, whole.start.residual_z},
             middle[2] = {second.start.residual_x, second.start.residual_z};
  shaking *a = &pair->shake;
  FOR_XZ(k) {
    a->start[k] = start[k];
    a->mean[k] = pair->pass.change.obs[O_VIB_X + k];
    a->end[k] = end_of_shaking(start[k], middle[k], a->mean[k]);
  }
}

/* Events at edges before a pass of length tau at time t in the lanes `running`, and the pass
 * of those where wheels then rest. longest: a bounce that may be left out; most[]: rates of the
 * wheels, likewise. */
FN_CALL void stop_at_edges_controlled(const edge_run *run, mask running, mask settles, real t,
                                      real longest, const real *most, real tau, edge_pair *pair) {
  pair->pass.lanes = no_lane();
#if OMR_CONSTRAINED
  if (takes_turns(run->c)) {
    take_turns(run, running, t);
    return;
  }
#endif
  rest_at_edges(run, running, t, longest, most);
  edge_pass_in_halves(run, running, settles, t, tau, pair);
}

/* Puts the pass into the lanes that it is for. */
FN void take_edge_pair(GLOBAL const int *c, const edge_pair *e, pair_pass *pass) {
  mask own = e->pass.lanes;
  take_edge_pass(c, &e->pass, &pass->change, &pass->seen);
  FOR_MOTION(c, j) pass->error[j] = select_real(own, e->error[j], pass->error[j]);
  pass->solvable = mask_or(mask_and(own, e->solvable), mask_and(mask_not(own), pass->solvable));
  if (!(SETTING(c, OBSERVERS) & OBSERVER_VIBRATION)) return;
  FOR_XZ(k) {
    pass->shake.start[k] = select_real(own, e->shake.start[k], pass->shake.start[k]);
    pass->shake.mean[k] = select_real(own, e->shake.mean[k], pass->shake.mean[k]);
    pass->shake.end[k] = select_real(own, e->shake.end[k], pass->shake.end[k]);
  }
}

/* Lanes of `good` whose pass goes beyond the root of a share, and the part of it up to there; 2 in
 * the others. */
FN mask pass_roots(const edge_pass *e, real tau, mask good, real *part) {
  mask leaving = mask_and(mask_and(good, e->lanes), mask_and(gt(e->first_share, R(0.0)),
                                                             lt(e->last_share, -SHARE_TOLERANCE)));
  leaving = mask_and(leaving, gt(tau, LEAST_PASS));
  real root = fma_real(R(0.5), SHARE_TOLERANCE, e->first_share) / (e->first_share - e->last_share);
  *part = select_real(leaving, root, R(2.0));
  return leaving;
}

/* Notes in T_EDGE the time t of wheels that have come to rest in the lanes of `running`; rested[]:
 * those that did before. */
FN void note_entries(GLOBAL const int *c, mask running, const mask *rested, real t,
                     real ts[WHEELS_MAX][T_COUNT]) {
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    mask enters = mask_and(running, mask_and(is_resting(ts[i]), mask_not(rested[i])));
    ts[i][T_EDGE] = select_real(enters, t, ts[i][T_EDGE]);
  }
}

/* Lanes in which wheels may leave at time t. */
FN mask may_leave(GLOBAL const int *c, real t, real ts[WHEELS_MAX][T_COUNT]) {
  mask free = mask_not(no_lane());
  if (!OMR_CONSTRAINED) return free;
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    free =
        mask_and(free, mask_not(mask_and(is_resting(ts[i]), lt(t, ts[i][T_EDGE] + SHORTEST_REST))));
  }
  return free;
}
