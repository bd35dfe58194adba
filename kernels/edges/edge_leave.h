/* How a wheel leaves the edge that it rests on (appendix/rollers.md#exchange): once its
 * acceleration no longer points to the edge from both sides, one roller keeps the floor. Where the
 * motion is smooth that is at the root of its share; tables, controllers, patches of the ground and
 * exchanges of other wheels may take it beyond at once. */

/* Ends the rest of a wheel in the lanes of `which` at time t: one roller keeps the floor, the
 * second one in the lanes of `over`, and the other one's spin goes to memory. That the wheel will
 * turn away counts as its last exchange (appendix/rollers.md#exchange). */
FN_CALL void leave_edge(const edge_run *run, int wheel, mask which, mask over, real t) {
  GLOBAL const int *c = run->c;
  const real *w = run->p->w[wheel];
  motion *m = run->m;
  real *ts = run->ts[wheel], *v = run->v, *idle = m->idle[wheel];
  real side = edge_side(ts), decaying = ts[T_SECOND] - lasting_spin(w, c, idle, side);
  over = mask_and(over, which);
  store_second(run, wheel, which, select_real(which, side, R(1.0)), t, decaying);
  recount_second(w, which, side, R(1.0), decaying, idle);
  exchange jump = {wheel, which, over, side, t};
  exchange_roller(w, c, run->spins, jump, m, ts);
  v[S_EXCHANGES] = select_real(over, v[S_EXCHANGES] + R(1.0), v[S_EXCHANGES]);
  ts[T_REST] = select_real(which, select_real(over, side, -side), ts[T_REST]);
  run->held->row[wheel] = ts[T_ROW];
}

/* How far a wheel that rests is from leaving, as the smaller of its shares, from its accelerations
 * on only one roller; below 0 where it must leave. */
FN real edge_margin(real side, const real pull[2]) {
  return min_real(side * pull[0], -(side * pull[1])) / (abs_real(pull[0]) + abs_real(pull[1]));
}

/* Whether the second roller keeps the floor of a wheel that leaves: not where the one in contact
 * lets it turn away; where both do, the roller below the edge keeps it, by convention. */
FN mask goes_over(real side, const real pull[2]) {
  mask stays = lt(side * pull[0], R(0.0)), goes = gt(side * pull[1], R(0.0));
  return mask_and(goes, mask_or(mask_not(stays), lt(side, R(0.0))));
}

/* Lanes of `lanes` that the shares by themselves leave in doubt, as do the shares that Newton's
 * method has not found. */
FN mask doubtful_shares(GLOBAL const int *c, mask lanes, const edge_wheels *edge,
                        const edge_balance *b) {
  mask doubt = no_lane();
  real slack = share_slack(c, edge);
  for (int i = 0; i < WHEELS(c); i++) {
    real own = min_real(b->share[i], R(1.0) - b->share[i]) + slack;
    mask unsure = mask_not(ge(own, R(0.05) + R(2.0) * MEAN_SLACK));
    unsure = mask_or(unsure, ge(edge->side[i] * b->slope[i][i], R(0.0)));
    doubt = mask_or(doubt, mask_and(at_edge(edge->side[i]), unsure));
  }
  return mask_and(lanes, doubt);
}

/* Of the wheels in the lanes of `lanes` that no longer are attracted from both sides the one with
 * the most negative share leaves: one, since the others' shares depend on it. Returns the lanes. */
FN_CALL mask leave_worst(const edge_run *run, const edge_terms *e, const edge_place *at,
                         mask lanes) {
  GLOBAL const int *c = run->c;
  real worst = R(0.0), margin[WHEELS_MAX];
  const edge_wheels *edge = at->edge;
  mask rests[WHEELS_MAX], over[WHEELS_MAX], left = no_lane();
  for (int i = 0; i < WHEELS(c); i++) rests[i] = at_edge(edge->side[i]);

  /* How firmly each edge holds its wheel; the worst of all wheels. */
  /* One wheel leaves in each lane, as its going changes the hold of the others. */
  for (int i = 0; i < WHEELS(c); i++) {
    real pull[2];
    margin[i] = R(1.0);
    if (!any_lane(mask_and(lanes, rests[i]))) continue;
    edge_pulls(run, e, at, i, rests, pull);
    margin[i] = select_real(mask_and(lanes, rests[i]), edge_margin(edge->side[i], pull), R(1.0));
    over[i] = goes_over(edge->side[i], pull);
    worst = min_real(margin[i], worst);
  }
  for (int i = 0; i < WHEELS(c); i++) {
    mask leaves = mask_and(mask_and(lt(margin[i], R(0.0)), eq(margin[i], worst)), mask_not(left));
    if (!any_lane(leaves)) continue;
    leave_edge(run, i, leaves, over[i], at->t);
    left = mask_or(left, leaves);
  }
  return left;
}

/* Lets the wheels of `lanes` that must leave do so at time t, under the drive torques of
 * drive_torques. Leaves who rests, the terms and the shares. */
FN_CALL void settle_edges(const edge_run *run, const real *drive, mask lanes, real t,
                          real d_idle[WHEELS_MAX][IDLE_COUNT], edge_wheels *edge, edge_terms *e,
                          edge_balance *b) {
  for (int round = 0; round <= WHEELS_MAX; round++) {
    load_edges(run, edge);
    find_edge_terms(run, drive, run->m->idle, run->m->y, edge, t, d_idle, e);
    start_shares(run->c, b);
    share_resting(run, e, edge, b);
    mask doubt = doubtful_shares(run->c, lanes, edge, b);
    if (!any_lane(doubt)) return;
    edge_place at = {drive, run->m->y, run->m->idle, edge, t};
    if (!any_lane(leave_worst(run, e, &at, doubt))) return;
  }
}
