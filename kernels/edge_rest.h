/* The state in which wheels rest on two rollers (physics.md section 11): shares of the load, rates, how it begins and ends. None
 * of it knows of steps: edge_laws.h has the law's part (edge_terms, weigh_edges, edge_rates, strike_edges). All of it works on
 * every lane of a pack; what a lane without such a wheel gets is thrown away. */

/* A Newton step of a share this small leaves an error below rounding: the next one would be about its square. */
#if OMR_SINGLE
#define SHARE_STEP R(1e-4)
#else
#define SHARE_STEP R(1e-8)
#endif

/* Shares of the wheels in `open` such that none of these turns, from b->share on, by Newton's method; the others keep theirs.
 * Every lane comes to rest by itself, so that none sees its neighbours. */
FN_COLD void share_edges(const edge_run *run, const edge_terms *e, const mask *open, edge_balance *b) {
  GLOBAL const int *c = run->c;
  mask going = eq(b->share[0], b->share[0]);
  for (int round = 0; round < 12; round++) {
    real m[WHEELS_MAX][WHEELS_MAX], step[WHEELS_MAX], most = R(0.0);
    weigh_edges(run, e, b);
    UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
      step[i] = select_real(open[i], b->pull[i], R(0.0));
      UNROLL_DEVICE for (int l = 0; l < WHEELS(c); l++) {
        m[i][l] = select_real(mask_and(open[i], open[l]), b->slope[i][l], splat(i == l ? LIT(1.0) : LIT(0.0)));
      }
    }
    solve_wheels(WHEELS(c), m, step);
    UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
      b->share[i] = select_real(going, b->share[i] - step[i], b->share[i]);
      most = max_real(abs_real(step[i]), most);
    }
    mask moved = mask_and(going, gt(most, R(0.0)));
    going = mask_and(going, gt(most, SHARE_STEP));
    if (!any_lane(moved)) return;
    if (!any_lane(going)) break;
  }
  weigh_edges(run, e, b);
}

/* Wheel accelerations with wheel i on the roller in contact alone, and on the second one alone; the wheels of `rests` share their
 * loads so that they do not turn, the others stand on one roller. */
FN_COLD void edge_pulls(const edge_run *run, const edge_terms *e, int wheel, const mask *rests, real pull[2]) {
  GLOBAL const int *c = run->c;
  for (int roller = 0; roller < 2; roller++) {
    edge_balance b;
    mask open[WHEELS_MAX];
    UNROLL_DEVICE for (int l = 0; l < WHEELS(c); l++) {
      open[l] = rests[l];
      b.share[l] = select_real(rests[l], R(0.5), R(0.0));
      if (l != wheel) continue;
      open[l] = lt(R(1.0), R(0.0));
      b.share[l] = splat((sreal)roller);
    }
    share_edges(run, e, open, &b);
    UNROLL_DEVICE for (int l = 0; l < WHEELS(c); l++) {
      if (l == wheel) pull[roller] = b.pull[l];
    }
  }
}

/* Whether both accelerations point to the edge: below it, where the roller with q = +alpha carries, chi'' > 0, above it < 0. */
FN mask edge_attracts(real side, const real pull[2]) {
  return mask_and(gt(side * pull[0], R(0.0)), lt(side * pull[1], R(0.0)));
}

/* Time that a bounce to both sides of an attracting edge takes where the wheel crosses it with `rate`. */
FN real bounce_time(real rate, const real pull[2]) {
  return R(2.0) * abs_real(rate) * (R(1.0) / abs_real(pull[0]) + R(1.0) / abs_real(pull[1]));
}

/* Smallest share of a roller among those of wheels that rest, 1 where none does. */
FN real least_share(GLOBAL const int *c, const edge_wheels *edge, const edge_balance *b) {
  real least = R(1.0);
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    real own = min_real(b->share[i], R(1.0) - b->share[i]);
    least = select_real(at_edge(edge->side[i]), min_real(own, least), least);
  }
  return least;
}

/* Shares of all wheels that rest. */
FN_COLD void share_resting(const edge_run *run, const edge_terms *e, const edge_wheels *edge, edge_balance *b) {
  mask open[WHEELS_MAX];
  UNROLL_DEVICE for (int i = 0; i < WHEELS(run->c); i++) {
    open[i] = at_edge(edge->side[i]);
    b->share[i] = select_real(open[i], R(0.5), R(0.0));
  }
  share_edges(run, e, open, b);
}

/* Right-hand side at time t in the lanes where wheels rest, as right_hand_side; second: rates of the second rollers' spins. */
FN_COLD void edge_right_hand_side(const edge_run *run, const real *drive, const real idle[WHEELS_MAX][IDLE_COUNT], const real *y,
                                  const edge_wheels *edge, real t, real *dy, real d_idle[WHEELS_MAX][IDLE_COUNT], real *second,
                                  edge_terms *e, edge_balance *b, outputs *o) {
  find_edge_terms(run, drive, idle, y, edge, t, d_idle, e);
  share_resting(run, e, edge, b);
  edge_rates(run, e, b, y, dy, second, o);
  UNROLL_DEVICE for (int i = 0; i < WHEELS(run->c); i++) {
    mask rests = at_edge(edge->side[i]);
    dy[Y_RATE(i)] = select_real(rests, R(0.0), dy[Y_RATE(i)]);
    second[i] = select_real(rests, second[i], R(0.0));
    o->share[i] = select_real(rests, b->share[i], STANDS_ON_ONE);
  }
}

/* Wheels that are about to come to rest: where they would, and what memory says of their second rollers. */
typedef struct edge_entry {
  mask which[WHEELS_MAX]; /* candidates; then those that enter */
  real side[WHEELS_MAX];
  real decaying[WHEELS_MAX]; /* of the second roller's spin */
} edge_entry;

/* The state with the wheels of `entry` at rest at their edges: *at, *edge. Their spins come from memory. */
FN_COLD void place_at_edges(const edge_run *run, real t, const motion *m, real ts[WHEELS_MAX][T_COUNT], edge_entry *entry,
                            motion *at, edge_wheels *edge) {
  GLOBAL const int *c = run->c;
  *at = *m;
  load_edges(c, ts, edge);
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    const real *w = run->p->w[i];
    real side = select_real(entry->which[i], entry->side[i], R(1.0));
    recall_second(run, i, entry->which[i], ts[i][T_ACTIVE], side, t, m->idle[i], &edge->spin[i], &entry->decaying[i]);
    edge->side[i] = select_real(entry->which[i], side, edge->side[i]);
    count_second(w, side, R(-1.0), entry->decaying[i], at->idle[i]);
    at->y[Y_Q(i)] = select_real(entry->which[i], side * w[W_ALPHA], at->y[Y_Q(i)]);
    at->y[Y_RATE(i)] = select_real(entry->which[i], R(0.0), at->y[Y_RATE(i)]);
  }
}

/* Keeps of the candidates those whose edge attracts, by a bounce that lasts no longer than `longest`. */
FN_COLD mask judge_entries(const edge_run *run, real t, real longest, const motion *m, real ts[WHEELS_MAX][T_COUNT],
                           edge_entry *entry) {
  GLOBAL const int *c = run->c;
  motion at;
  edge_wheels edge;
  edge_terms e;
  real drive[WHEELS_MAX], ignored[WHEELS_MAX][IDLE_COUNT];
  mask rests[WHEELS_MAX], any = lt(R(1.0), R(0.0));
  place_at_edges(run, t, m, ts, entry, &at, &edge);
  drive_torques(run->p, c, run->tables, run->held, t, drive);
  find_edge_terms(run, drive, at.idle, at.y, &edge, t, ignored, &e);
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) rests[i] = at_edge(edge_side(ts[i]));
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    real pull[2];
    edge_pulls(run, &e, i, rests, pull);
    mask good = mask_and(edge_attracts(entry->side[i], pull), le(bounce_time(m->y[Y_RATE(i)], pull), longest));
    entry->which[i] = mask_and(entry->which[i], good);
    any = mask_or(any, entry->which[i]);
  }
  return any;
}

/* What stops the wheels of `entry`: the load impulse that moves from one roller to the other. y - kappa chi' changes alike on both
 * sides of an edge, kappa = (f_a - f_b)/(A_a - A_b), so that velocities, spins and sums lose kappa chi' (for several wheels at once
 * the same by the matrix of their accelerations). Leaves the changes in dy and second. */
FN_COLD void stop_at_edges(const edge_run *run, const edge_terms *e, const edge_wheels *edge, const edge_entry *entry, const real *y,
                           edge_balance *b, real *dy, real *second) {
  GLOBAL const int *c = run->c;
  real m[WHEELS_MAX][WHEELS_MAX], amount[WHEELS_MAX];
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    mask open = at_edge(edge->side[i]);
    amount[i] = select_real(entry->which[i], -y[Y_RATE(i)], R(0.0));
    UNROLL_DEVICE for (int l = 0; l < WHEELS(c); l++) {
      m[i][l] = select_real(mask_and(open, at_edge(edge->side[l])), b->slope[i][l], splat(i == l ? LIT(1.0) : LIT(0.0)));
    }
  }
  solve_wheels(WHEELS(c), m, amount);
  strike_edges(run, e, b, amount, dy, second);
}

/* Brings the wheels of `entry` to rest at time t, where their edges attract and a bounce takes no longer than `longest`. Returns
 * the lanes in which some wheel came to rest; entry->which says which. */
FN_COLD mask enter_edges(const edge_run *run, real t, real longest, edge_entry *entry, motion *m, real *v,
                         real ts[WHEELS_MAX][T_COUNT]) {
  GLOBAL const int *c = run->c;
  mask entered = judge_entries(run, t, longest, m, ts, entry);
  if (!any_lane(entered)) return entered;
  motion at;
  edge_wheels edge;
  edge_terms e;
  edge_balance b;
  real drive[WHEELS_MAX], ignored[WHEELS_MAX][IDLE_COUNT], dy[Y_COUNT], second[WHEELS_MAX];
  place_at_edges(run, t, m, ts, entry, &at, &edge);
  drive_torques(run->p, c, run->tables, run->held, t, drive);
  find_edge_terms(run, drive, at.idle, at.y, &edge, t, ignored, &e);
  share_resting(run, &e, &edge, &b);
  stop_at_edges(run, &e, &edge, entry, m->y, &b, dy, second);
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    mask enters = entry->which[i];
    dy[Y_RATE(i)] = select_real(at_edge(edge.side[i]), R(0.0), dy[Y_RATE(i)]);
    UNROLL_DEVICE for (int j = 0; j < IDLE_COUNT; j++) m->idle[i][j] = select_real(enters, at.idle[i][j], m->idle[i][j]);
    m->y[Y_Q(i)] = select_real(enters, at.y[Y_Q(i)], m->y[Y_Q(i)]);
    ts[i][T_Q_LOW] = select_real(enters, R(0.0), ts[i][T_Q_LOW]);
    m->y[Y_RATE(i)] = select_real(enters, R(0.0), m->y[Y_RATE(i)]);
    ts[i][T_REST] = select_real(enters, R(2.0) * entry->side[i], ts[i][T_REST]);
    ts[i][T_SECOND] = select_real(enters, edge.spin[i], ts[i][T_SECOND]);
    mask moves = mask_and(entered, at_edge(edge.side[i]));
    ts[i][T_SECOND] = select_real(moves, ts[i][T_SECOND] + second[i], ts[i][T_SECOND]);
    v[S_HOLDS] = select_real(enters, v[S_HOLDS] + R(1.0), v[S_HOLDS]);
  }
  add_compensated(&m->y[Y_DISSIPATED], &v[S_DISSIPATED_LOW], dy[Y_DISSIPATED], entered);
  UNROLL_DEVICE for (int j = Y_COMPENSATED; j < Y_COUNT; j++) {
    m->y[j] = select_real(entered, m->y[j] + dy[j], m->y[j]);
  }
  if (SETTING(c, OBSERVERS) & OBSERVER_VIBRATION) { /* integrals of the acceleration jump with the velocity */
    add_compensated(&m->obs[O_VIB_X], &v[S_VIB_X_LOW], dy[Y_VX], entered);
    add_compensated(&m->obs[O_VIB_Z], &v[S_VIB_Z_LOW], dy[Y_VZ], entered);
  }
  return entered;
}

/* Ends the rest of a wheel in the lanes of `which` at time t: one roller keeps the floor, the second one in the lanes of `over`, and
 * the other roller's spin goes to memory. That the wheel will turn away is noted as its last exchange. */
FN_COLD void leave_edge(const edge_run *run, int wheel, mask which, mask over, real t, motion *m, real *v, real *ts) {
  GLOBAL const int *c = run->c;
  const real *w = run->p->w[wheel];
  real side = edge_side(ts), *idle = m->idle[wheel], all[IDLE_COUNT];
  real decaying = ts[T_SECOND] - lasting_spin(w, c, idle, side);
  over = mask_and(over, which);
  store_second(run, wheel, which, ts[T_ACTIVE], select_real(which, side, R(1.0)), t, decaying);
  UNROLL_DEVICE for (int j = 0; j < IDLE_COUNT; j++) all[j] = idle[j];
  count_second(w, side, R(1.0), decaying, all);
  UNROLL_DEVICE for (int j = 0; j < IDLE_COUNT; j++) idle[j] = select_real(which, all[j], idle[j]);
  exchange_roller(w, c, run->spins, wheel, which, over, side, t, &m->y[Y_Q(wheel)], &m->y[Y_SPIN(wheel)], idle, ts);
  v[S_EXCHANGES] = select_real(over, v[S_EXCHANGES] + R(1.0), v[S_EXCHANGES]);
  ts[T_REST] = select_real(which, select_real(over, side, -side), ts[T_REST]);
}

/* How far a wheel that rests is from leaving, as the smaller of its shares, from its accelerations on one roller alone; below 0
 * where it must leave. */
FN real edge_margin(real side, const real pull[2]) {
  return min_real(side * pull[0], -(side * pull[1])) / (abs_real(pull[0]) + abs_real(pull[1]));
}

/* Whether the second roller keeps the floor of a wheel that leaves: not where the one in contact lets it turn away; where both do,
 * the roller below the edge keeps it, by convention. */
FN mask goes_over(real side, const real pull[2]) {
  mask stays = lt(side * pull[0], R(0.0)), goes = gt(side * pull[1], R(0.0));
  return mask_and(goes, mask_or(mask_not(stays), lt(side, R(0.0))));
}

/* Ends the rest of the wheels of `running` lanes that no longer are attracted from both sides at time t, the most negative share
 * first, one at a time. Returns whether any wheel of these lanes still rests. */
FN_COLD int review_edges(const edge_run *run, real t, mask running, motion *m, real *v, real ts[WHEELS_MAX][T_COUNT]) {
  GLOBAL const int *c = run->c;
  held_state held = *run->held;
  edge_run now = *run;
  now.held = &held;
  for (int round = 0; round <= WHEELS_MAX; round++) {
    edge_wheels edge;
    edge_terms e;
    real drive[WHEELS_MAX], ignored[WHEELS_MAX][IDLE_COUNT], worst = R(0.0), margin[WHEELS_MAX];
    mask rests[WHEELS_MAX], over[WHEELS_MAX], left = lt(R(1.0), R(0.0)), any = left;
    load_edges(c, ts, &edge);
    drive_torques(run->p, c, run->tables, run->held, t, drive);
    find_edge_terms(&now, drive, m->idle, m->y, &edge, t, ignored, &e);
    UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) rests[i] = at_edge(edge.side[i]);
    UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
      real pull[2];
      edge_pulls(&now, &e, i, rests, pull);
      margin[i] = select_real(mask_and(running, rests[i]), edge_margin(edge.side[i], pull), R(1.0));
      over[i] = goes_over(edge.side[i], pull);
      worst = min_real(margin[i], worst);
      any = mask_or(any, mask_and(running, rests[i]));
    }
    UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
      mask leaves = mask_and(mask_and(lt(margin[i], R(0.0)), eq(margin[i], worst)), mask_not(left));
      if (!any_lane(leaves)) continue;
      leave_edge(&now, i, leaves, over[i], t, m, v, ts[i]);
      left = mask_or(left, leaves);
      held.row[i] = ts[i][T_ROW];
    }
    if (!any_lane(left)) return any_lane(any);
  }
  return 1;
}
