/* A wheel that rests on two rollers (physics.md section 11). Where an edge between rollers attracts from both sides, the wheel
 * does not turn about its axle and stands on both: each has a load, a slip and a spin of its own. Here: which wheels rest, where
 * their second rollers are, and what is kept of them. The roller in contact stays what it was, at q = side alpha; the second one
 * is its neighbour across the edge, at q = -side alpha. */

/* outputs.share of a wheel that stands on one roller. */
#define STANDS_ON_ONE R(2.0)

/* Wheels at edges, in every lane. */
typedef struct edge_wheels {
  real side[WHEELS_MAX]; /* +-1: rests, with the roller in contact at this edge; 0: stands on one roller */
  real spin[WHEELS_MAX]; /* axial spin of the second roller */
} edge_wheels;

/* What a run gives to all that follows; spins points at the pack's first lane. */
typedef struct edge_run {
  const parameters *p;
  GLOBAL const int *c;
  GLOBAL const sreal *tables;
  GLOBAL sreal *spins;
  const held_state *held;
} edge_run;

/* Whether wheels of the run may rest at all: rollers, steps that are split at edges, and no impacts, under which the wheel rate
 * jumps at an edge (edge_impact.h). */
FN int may_rest(GLOBAL const int *c) {
  if (!SETTING(c, SPLIT) || SETTING(c, CONTACT) == CONTACT_DISC) return 0;
  return !OMR_CONSTRAINED || (SETTING(c, LAW) != LAW_CLASSICAL && (SETTING(c, LAW) == LAW_RELAXED || !SETTING(c, IMPACT)));
}

FN real edge_side(const real *ts) {
  return select_real(gt(abs_real(ts[T_REST]), R(1.5)), R(0.5) * ts[T_REST], R(0.0));
}

FN mask at_edge(real side) {
  return mask_not(eq(side, R(0.0)));
}

FN void load_edges(GLOBAL const int *c, real ts[WHEELS_MAX][T_COUNT], edge_wheels *e) {
  UNROLL_DEVICE for (int i = 0; i < WHEELS_MAX; i++) {
    e->side[i] = e->spin[i] = R(0.0);
    if (i >= WHEELS(c)) continue;
    e->side[i] = edge_side(ts[i]);
    e->spin[i] = ts[i][T_SECOND];
  }
}

/* Lanes in which some wheel rests. */
FN mask resting_lanes(GLOBAL const int *c, const edge_wheels *e) {
  mask any = lt(R(1.0), R(0.0));
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) any = mask_or(any, at_edge(e->side[i]));
  return any;
}

/* The part of the second roller's spin that does not decay: cos psi A + sin psi D, A turned into its frame (exchange_roller). */
FN real lasting_spin(const real *w, GLOBAL const int *c, const real *idle, real side) {
  if (!SETTING(c, BEARING)) return R(0.0);
  real turned = fma_real(idle[BEARING_A], w[W_COS_PITCH], -(idle[BEARING_B] * (side * w[W_SIN_PITCH])));
  return fma_real(w[W_COS_PSI], turned, w[W_SIN_PSI] * idle[BEARING_D]);
}

/* Adds `weight` times a roller with the decaying spin d, at the second roller's place, to the sums over idle ones. */
FN void count_second(const real *w, real side, real weight, real d, real *idle) {
  real part = weight * d;
  idle[IDLE_COS] = fma_real(part, w[W_COS_PITCH], idle[IDLE_COS]);
  idle[IDLE_SIN] = fma_real(-part, side * w[W_SIN_PITCH], idle[IDLE_SIN]);
  idle[IDLE_SUM] = idle[IDLE_SUM] + part;
  idle[IDLE_SQUARE] = fma_real(part, d, idle[IDLE_SQUARE]);
}

/* The second roller's spin as memory has it since it left the floor, into *spin for the lanes in `which`; *decaying is what it is
 * among the idle sums. `now` as in exchange_roller. */
FN_COLD void recall_second(const edge_run *run, int wheel, mask which, real active, real side, real now, const real *idle,
                           real *spin, real *decaying) {
  GLOBAL const int *c = run->c;
  const real *w = run->p->w[wheel];
  real next = roller_behind(active, side, w[W_ROLLERS]), stored = R(0.0), age = R(0.0);
  int rollers = SETTING(c, MAX_ROLLERS);
  EACH_LANE(which, l) {
    int from = (wheel * rollers + (int)lane_get(next, l)) * SPIN_BLOCK + l;
    lane_set(&stored, l, run->spins[from]);
    if (SETTING(c, BEARING)) {
      int times = WHEELS(c) * rollers * SPIN_BLOCK;
      lane_set(&age, l, lane_get(now, l) - run->spins[times + from]);
    }
  }
  if (SETTING(c, BEARING)) stored = stored * exp_real(-(w[W_DECAY] * age));
  *decaying = select_real(which, stored, R(0.0));
  *spin = select_real(which, stored + lasting_spin(w, c, idle, side), *spin);
}

/* Puts the decaying part of the second roller's spin back to memory, with the time. */
FN_COLD void store_second(const edge_run *run, int wheel, mask which, real active, real side, real now, real decaying) {
  GLOBAL const int *c = run->c;
  real next = roller_behind(active, side, run->p->w[wheel][W_ROLLERS]);
  int rollers = SETTING(c, MAX_ROLLERS);
  EACH_LANE(which, l) {
    int to = (wheel * rollers + (int)lane_get(next, l)) * SPIN_BLOCK + l;
    run->spins[to] = lane_get(decaying, l);
    if (SETTING(c, BEARING)) run->spins[WHEELS(c) * rollers * SPIN_BLOCK + to] = lane_get(now, l);
  }
}
