/* Shares of the load on two rollers, and the rates that follow (appendix/rollers.md#exchange).
 * The law's part is in edge_loads.h or edge_mean.h: edge_terms, find_edge_terms, weigh_edges,
 * edge_rates, strike_edges. Nothing here knows of steps. All of it works on every lane of a pack;
 * a lane without a wheel at rest gets a result that is thrown away. */

/* A Newton step of a share this small leaves an error below rounding: the next one would be about
 * its square. */
#define SHARE_STEP R_BY(1e-4, 1e-8)

/* A pass ends where a share is within this of 0: a later end costs the square of it. */
#define SHARE_TOLERANCE R_BY(1e-4, 1e-7)

/* Shares of the wheels in `open` such that none of these turns, from b->share on, by Newton's
 * method; the others keep theirs. Every lane comes to rest by itself, so that none sees its
 * neighbours (appendix/rollers.md#exchange). */
FN_CALL void share_edges(const edge_run *run, const edge_terms *e, const mask *open,
                         edge_balance *b) {
  GLOBAL const int *c = run->c;
  mask going = mask_not(no_lane());
  for (int round = 0; round < 12; round++) {
    real m[WHEELS_MAX][WHEELS_MAX], step[WHEELS_MAX], most = R(0.0);

    /* A Newton step towards shares that leave no wheel at an edge turning. */
    weigh_edges(run, e, b);
    for (int i = 0; i < WHEELS(c); i++) {
      step[i] = select_real(open[i], b->pull[i], R(0.0));
      for (int l = 0; l < WHEELS(c); l++) {
        m[i][l] = select_real(mask_and(open[i], open[l]), b->slope[i][l],
                              splat(i == l ? LIT(1.0) : LIT(0.0)));
      }
    }
    solve_wheels(WHEELS(c), m, step);

    /* Each lane stops once its own step is small enough. */
    for (int i = 0; i < WHEELS(c); i++) {
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

/* Shares of all wheels that rest, from those in b->share on. */
FN_CALL void share_resting(const edge_run *run, const edge_terms *e, const edge_wheels *edge,
                           edge_balance *b) {
  mask open[WHEELS_MAX];
  for (int i = 0; i < WHEELS(run->c); i++) {
    open[i] = at_edge(edge->side[i]);
    b->share[i] = select_real(open[i], b->share[i], R(0.0));
  }
  share_edges(run, e, open, b);
}

FN void start_shares(GLOBAL const int *c, edge_balance *b) {
  for (int i = 0; i < WHEELS(c); i++) b->share[i] = R(0.5);
}

/* Where edge_pulls looks: the motion with wheels at rest as `edge` says. */
typedef struct edge_place {
  const real *drive, *y;
  const real (*idle)[IDLE_COUNT];
  const edge_wheels *edge;
  real t;
} edge_place;

/* Acceleration of a wheel that stands on only one roller of its edge, the one in contact or the
 * second; the wheels of `rests` share their loads so that they do not turn, the others stand on one
 * roller. */
FN_CALL real pull_of(const edge_run *run, const edge_terms *e, int wheel, const mask *rests,
                     int roller) {
  edge_balance b;
  mask open[WHEELS_MAX];
  for (int l = 0; l < WHEELS(run->c); l++) {
    open[l] = rests[l];
    b.share[l] = select_real(rests[l], R(0.5), R(0.0));
  }
  open[wheel] = no_lane();
  b.share[wheel] = splat((sreal)roller);
  share_edges(run, e, open, &b);
  return b.pull[wheel];
}

#if OMR_CONSTRAINED
/* The same on the second roller, by terms that start from it, as the wheel's motion there will: the
 * mean over several wheels depends a little on that, and a wheel must not be let go by one and
 * drawn back by the other. */
FN_CALL real pull_beyond(const edge_run *run, const edge_place *at, int wheel, const mask *rests) {
  GLOBAL const int *c = run->c;
  const real *w = run->p->w[wheel];
  edge_terms e;
  edge_wheels edge = *at->edge;
  held_state held = *run->held;
  edge_run beyond = *run;
  real y[Y_COUNT], idle[WHEELS_MAX][IDLE_COUNT], ignored[WHEELS_MAX][IDLE_COUNT];
  real side = edge.side[wheel], cos_pitch = w[W_COS_PITCH], sin_pitch = side * w[W_SIN_PITCH];
  mask moves = at_edge(side);
  for (int j = 0; j < Y_COUNT; j++) y[j] = at->y[j];
  for (int i = 0; i < WHEELS(c); i++) {
    for (int j = 0; j < IDLE_COUNT; j++) idle[i][j] = at->idle[i][j];
  }
  y[Y_Q(wheel)] = fma_real(R(-2.0) * side, w[W_ALPHA], y[Y_Q(wheel)]);
  y[Y_SPIN(wheel)] = select_real(moves, edge.spin[wheel], y[Y_SPIN(wheel)]);
  edge.spin[wheel] = select_real(moves, at->y[Y_SPIN(wheel)], edge.spin[wheel]);
  edge.side[wheel] = -side;
  held.row[wheel] = select_real(moves, -held.row[wheel], held.row[wheel]);
  for (int j = IDLE_COS; j <= BEARING_A;
       j += BEARING_A - IDLE_COS) { /* pairs (cos, sin) in the roller's frame */
    real a = idle[wheel][j], b = idle[wheel][j + 1];
    idle[wheel][j] = select_real(moves, a * cos_pitch - b * sin_pitch, a);
    idle[wheel][j + 1] = select_real(moves, fma_real(a, sin_pitch, b * cos_pitch), b);
  }
  beyond.held = &held;
  find_edge_terms(&beyond, at->drive, idle, y, &edge, at->t, ignored, &e);
  return pull_of(&beyond, &e, wheel, rests, 0);
}
#endif

/* Wheel accelerations with the wheel on only the roller in contact, pull[0], and on only the second
 * one, pull[1]. */
FN_CALL void edge_pulls(const edge_run *run, const edge_terms *e, const edge_place *at, int wheel,
                        const mask *rests, real pull[2]) {
  pull[0] = pull_of(run, e, wheel, rests, 0);
#if OMR_CONSTRAINED
  if (WHEELS(run->c) > 1) {
    pull[1] = pull_beyond(run, at, wheel, rests);
    return;
  }
#else
  (void)at;
#endif
  pull[1] = pull_of(run, e, wheel, rests, 1);
}

/* Whether both accelerations point to the edge: below it, where the roller with q = +alpha carries,
 * chi'' > 0, above it < 0. */
FN mask edge_attracts(real side, const real pull[2]) {
  return mask_and(gt(side * pull[0], R(0.0)), lt(side * pull[1], R(0.0)));
}

/* Time that a bounce to both sides of an attracting edge takes where the wheel crosses it with
 * `rate`. */
FN real bounce_time(real rate, const real pull[2]) {
  return R(2.0) * abs_real(rate) * (R(1.0) / abs_real(pull[0]) + R(1.0) / abs_real(pull[1]));
}

/* By how much a share may fall below 0 before the wheel leaves: nothing where the shares are exact,
 * else the error of the mean over several wheels (edge_mean.h), so that a wheel that has left is
 * not drawn back at once. */
FN real share_slack(GLOBAL const int *c, const edge_wheels *edge) {
  real count = R(0.0);
  for (int i = 0; i < WHEELS(c); i++)
    count = count + select_real(at_edge(edge->side[i]), R(1.0), R(0.0));
  return select_real(gt(count, R(1.0)), MEAN_SLACK, R(0.0));
}

/* Smallest share of a roller among wheels that rest, with the slack, 1 where none does. */
FN real least_share(GLOBAL const int *c, const edge_wheels *edge, const edge_balance *b) {
  real least = R(1.0);
  for (int i = 0; i < WHEELS(c); i++) {
    real own = min_real(b->share[i], R(1.0) - b->share[i]);
    take_smallest(at_edge(edge->side[i]), own, &least);
  }
  return least + share_slack(c, edge);
}

/* Lanes in which every wheel at rest has both rollers on the floor: where a share jumps beyond 0 or
 * 1, or is not found, its wheel is about to leave, and loads by that share are none. */
FN mask shares_are_found(GLOBAL const int *c, const edge_wheels *edge, const edge_balance *b) {
  mask found = mask_not(no_lane());
  real least = -(share_slack(c, edge) + SHARE_TOLERANCE);
  for (int i = 0; i < WHEELS(c); i++) {
    real own = min_real(b->share[i], R(1.0) - b->share[i]);
    found = mask_and(found, mask_or(mask_not(at_edge(edge->side[i])), ge(own, least)));
  }
  return found;
}

/* Rates of the motion and of the second rollers' spins in the lanes where wheels rest, by loads
 * that share_resting has found: as right_hand_side for all wheels. Wheels that rest do not turn. */
FN_CALL void resting_rates(const edge_run *run, const edge_terms *e, const edge_wheels *edge,
                           const edge_balance *b, const real *y, real *dy, real *second,
                           outputs *o) {
  edge_rates(run, e, b, y, dy, second, o);
  for (int i = 0; i < WHEELS(run->c); i++) {
    mask rests = at_edge(edge->side[i]);
    dy[Y_RATE(i)] = select_real(rests, R(0.0), dy[Y_RATE(i)]);
    second[i] = select_real(rests, second[i], R(0.0));
    o->share[i] = select_real(rests, o->share[i], STANDS_ON_ONE);
  }
}
