/* How a wheel comes to rest on two rollers (appendix/rollers.md#exchange). */

/* Wheels that are about to: at which edge, and their second rollers in memory. */
typedef struct edge_entry {
  mask which[WHEELS_MAX]; /* candidates; then those that enter */
  real side[WHEELS_MAX];  /* +-1: the edge, of the roller in contact */
  real decaying[WHEELS_MAX];
} edge_entry;

/* The state with the wheels of `entry` at rest at their edges: *at, *edge. The second rollers'
 * spins come from memory. */
FN_CALL void place_at_edges(const edge_run *run, real t, edge_entry *entry, motion *at,
                            edge_wheels *edge) {
  *at = *run->m;
  load_edges(run, edge);
  for (int i = 0; i < WHEELS(run->c); i++) {
    const real *w = run->p->w[i];
    mask enters = entry->which[i];
    real side = select_real(enters, entry->side[i], R(1.0));
    recall_second(run, i, enters, side, t, &edge->spin[i], &entry->decaying[i]);
    edge->side[i] = select_real(enters, side, edge->side[i]);
    count_second(w, side, R(-1.0), entry->decaying[i], at->idle[i]);
    at->y[Y_Q(i)] = select_real(enters, side * w[W_ALPHA], at->y[Y_Q(i)]);
    at->y[Y_RATE(i)] = select_real(enters, R(0.0), at->y[Y_RATE(i)]);
  }
}

FN_CALL void find_entry_terms(const edge_run *run, real t, edge_entry *entry, real *drive,
                              motion *at, edge_wheels *edge, edge_terms *e) {
  real ignored[WHEELS_MAX][IDLE_COUNT];
  place_at_edges(run, t, entry, at, edge);
  drive_torques(run->p, run->c, run->held, t, drive);
  find_edge_terms(run, drive, at->idle, at->y, edge, t, ignored, e);
}

/* Keeps of the candidates those whose edge attracts, by a bounce that takes no longer than
 * `longest`. */
FN_CALL mask judge_entries(const edge_run *run, real t, real longest, edge_entry *entry) {
  GLOBAL const int *c = run->c;
  motion at;
  edge_wheels edge;
  edge_terms e;
  mask rests[WHEELS_MAX], found = no_lane();
  real drive[WHEELS_MAX];
  find_entry_terms(run, t, entry, drive, &at, &edge, &e);
  edge_place place = {drive, at.y, at.idle, &edge, t};
  for (int i = 0; i < WHEELS(c); i++) rests[i] = at_edge(edge_side(run->ts[i]));
  for (int i = 0; i < WHEELS(c); i++) {
    real pull[2];
    if (!any_lane(entry->which[i])) continue;
    edge_pulls(run, &e, &place, i, rests, pull);
    mask good = mask_and(edge_attracts(entry->side[i], pull),
                         le(bounce_time(run->m->y[Y_RATE(i)], pull), longest));
    entry->which[i] = mask_and(entry->which[i], good);
    found = mask_or(found, entry->which[i]);
  }
  return found;
}

/* The impulse that stops the wheels of `entry`: load moves from one roller to the other. y
 * - kappa chi' changes alike on both sides of an edge, kappa = (f_a - f_b)/(A_a - A_b), so that
 * velocities, spins and sums lose kappa chi' (for several wheels at once the same by the matrix of
 * their accelerations). Leaves the changes in dy and second. */
FN_CALL void stop_wheels(const edge_run *run, const edge_terms *e, const edge_wheels *edge,
                         const edge_entry *entry, const edge_balance *b, real *dy, real *second) {
  GLOBAL const int *c = run->c;
  real m[WHEELS_MAX][WHEELS_MAX], amount[WHEELS_MAX];
  for (int i = 0; i < WHEELS(c); i++) {
    mask open = at_edge(edge->side[i]);
    amount[i] = select_real(entry->which[i], -run->m->y[Y_RATE(i)], R(0.0));
    for (int l = 0; l < WHEELS(c); l++) {
      m[i][l] = select_real(mask_and(open, at_edge(edge->side[l])), b->slope[i][l],
                            splat(i == l ? LIT(1.0) : LIT(0.0)));
    }
  }
  solve_wheels(WHEELS(c), m, amount);
  strike_edges(run, e, b, amount, dy, second);
  for (int i = 0; i < WHEELS(c); i++)
    dy[Y_RATE(i)] = select_real(at_edge(edge->side[i]), R(0.0), dy[Y_RATE(i)]);
}

/* Commits the entries that stop_wheels has found, in the lanes `entered`. */
FN_CALL void commit_entries(const edge_run *run, const edge_entry *entry, const motion *at,
                            const edge_wheels *edge, mask entered, const real *dy,
                            const real *second) {
  GLOBAL const int *c = run->c;
  motion *m = run->m;
  real *v = run->v;
  for (int i = 0; i < WHEELS(c); i++) {
    mask enters = entry->which[i], moves = mask_and(entered, at_edge(edge->side[i]));
    real *ts = run->ts[i];
    for (int j = 0; j < IDLE_COUNT; j++)
      m->idle[i][j] = select_real(enters, at->idle[i][j], m->idle[i][j]);
    m->y[Y_Q(i)] = select_real(enters, at->y[Y_Q(i)], m->y[Y_Q(i)]);
    m->y[Y_RATE(i)] = select_real(enters, R(0.0), m->y[Y_RATE(i)]);
    ts[T_Q_LOW] = select_real(enters, R(0.0), ts[T_Q_LOW]);
    ts[T_REST] = select_real(enters, R(2.0) * entry->side[i], ts[T_REST]);
    ts[T_SECOND] = select_real(moves, edge->spin[i] + second[i], ts[T_SECOND]);
    v[S_HOLDS] = select_real(enters, v[S_HOLDS] + R(1.0), v[S_HOLDS]);
  }
  for (int j = Y_COMPENSATED; j < Y_RATE(WHEELS(c)); j++) /* currents do not jump */
    m->y[j] = select_real(entered, m->y[j] + dy[j], m->y[j]);
  add_compensated(&m->y[Y_DISSIPATED], &v[S_DISSIPATED_LOW], dy[Y_DISSIPATED], entered);
  if (!(SETTING(c, OBSERVERS) & OBSERVER_VIBRATION)) return;
  add_compensated(&m->obs[O_VIB_X], &v[S_VIB_X_LOW], dy[Y_VX],
                  entered); /* integrals of the acceleration jump as the velocity */
  add_compensated(&m->obs[O_VIB_Z], &v[S_VIB_Z_LOW], dy[Y_VZ], entered);
}

/* Makes the roller below the edge, at q = +alpha, the one in contact of wheel i in the lanes of
 * `swap`, where it was the other one: which side a wheel came from says nothing of its motion any
 * more. */
FN_CALL void turn_round(const edge_run *run, int i, mask swap, real t) {
  GLOBAL const int *c = run->c;
  const real *w = run->p->w[i];
  motion *m = run->m;
  real *ts = run->ts[i], *idle = m->idle[i], side = select_real(swap, R(-1.0), R(1.0));
  real decaying = ts[T_SECOND] - lasting_spin(w, c, idle, side);
  store_second(run, i, swap, side, t, decaying);
  recount_second(w, swap, side, R(1.0), decaying, idle);
  exchange jump = {i, swap, swap, side, t};
  exchange_roller(w, c, run->spins, jump, m, ts);
  recall_second(run, i, swap, R(1.0), t, &ts[T_SECOND], &decaying);
  recount_second(w, swap, R(1.0), R(-1.0), decaying, idle);
  ts[T_REST] = select_real(swap, R(2.0), ts[T_REST]);
  run->held->row[i] = ts[T_ROW];
}

/* Brings the wheels of `entry` to rest at time t where their edges attract and a bounce takes no
 * longer than `longest`. Returns the lanes in which some wheel came to rest; entry->which then says
 * which (appendix/rollers.md#exchange). */
FN_CALL mask enter_edges(const edge_run *run, real t, real longest, edge_entry *entry) {
  mask entered = judge_entries(run, t, longest, entry);
  if (!any_lane(entered)) return entered;
  motion at;
  edge_wheels edge;
  edge_terms e;
  edge_balance b;
  real dy[Y_COUNT], second[WHEELS_MAX], drive[WHEELS_MAX];
  find_entry_terms(run, t, entry, drive, &at, &edge, &e);
  start_shares(run->c, &b);
  share_resting(run, &e, &edge, &b);
  stop_wheels(run, &e, &edge, entry, &b, dy, second);
  commit_entries(run, entry, &at, &edge, entered, dy, second);
  for (int i = 0; i < WHEELS(run->c); i++) {
    mask swap = mask_and(entry->which[i], lt(entry->side[i], R(0.0)));
    if (any_lane(swap)) turn_round(run, i, swap, t);
  }
  return entered;
}
