/* A wheel that rests on two rollers (appendix/rollers.md#exchange). Where an edge between
 * rollers attracts from both sides, the wheel does not turn about its axle and stands on both: each
 * has a load, a slip and a spin of its own. Here: which wheels rest, where their second rollers
 * are, and their state. The roller in contact stays the same, at q = side alpha; the
 * second one is its neighbour across the edge, at q = -side alpha. */

/* outputs.share of a wheel that stands on one roller. */
#define STANDS_ON_ONE R(2.0)

/* Wheels at edges, in every lane. */
typedef struct edge_wheels {
  real side[WHEELS_MAX]; /* +-1: rests, with the roller in contact at this edge; 0: stands on one
                            roller */
  real spin[WHEELS_MAX]; /* axial spin of the second roller */
} edge_wheels;

/* Data of all functions below; spins points at the pack's first lane. */
typedef struct edge_run {
  const parameters *p;
  GLOBAL const int *c;
  GLOBAL sreal *spins;
  held_state *held;
  motion *m;
  real *v;
  real (*ts)[T_COUNT];
} edge_run;

/* On a device pointers lead to memory, so that the time loop, which has all data in registers,
 * lends copies of the data needed. */
typedef struct edge_copy {
  held_state held;
#if defined(__OPENCL_C_VERSION__)
  parameters p;
  motion m;
  real v[S_COUNT], ts[WHEELS_MAX][T_COUNT];
#endif
} edge_copy;

/* Whether wheels of the run may rest at all: rollers, steps that are split at edges, and no
 * impacts, under which the wheel rate jumps at an edge (edge_impact.h). */
FN int may_rest(GLOBAL const int *c) {
  if (!SPLITS(c) || SETTING(c, CONTACT) == CONTACT_DISC) return 0;
  return !OMR_CONSTRAINED || (SETTING(c, LAW) != LAW_CLASSICAL &&
                              (SETTING(c, LAW) == LAW_RELAXED || !SETTING(c, IMPACT)));
}

/* Whether they may have to take impacts in turn there (edge_impact.h). */
FN int takes_turns(GLOBAL const int *c) {
  if (!OMR_CONSTRAINED || !SPLITS(c) || !SETTING(c, IMPACT)) return 0;
  return SETTING(c, LAW) != LAW_RELAXED && SETTING(c, LAW) != LAW_CLASSICAL;
}

FN int edges_count(GLOBAL const int *c) {
  return may_rest(c) || takes_turns(c);
}

FN mask is_resting(const real *ts) {
  return eq(abs_real(ts[T_REST]), R(2.0));
}

/* A wheel that has come back over an edge and not been tried; under laws with impacts
 * (edge_impact.h) one that turns back at an edge. */
FN mask is_untried(const real *ts) {
  return eq(abs_real(ts[T_REST]), R(3.0));
}

FN real edge_side(const real *ts) {
  return select_real(is_resting(ts), R(0.5) * ts[T_REST], R(0.0));
}

FN mask at_edge(real side) {
  return mask_not(eq(side, R(0.0)));
}

FN void load_edges(const edge_run *run, edge_wheels *e) {
  for (int i = 0; i < WHEELS(run->c); i++) {
    e->side[i] = edge_side(run->ts[i]);
    e->spin[i] = run->ts[i][T_SECOND];
  }
}

/* Lanes in which some wheel rests. */
FN mask resting_lanes(GLOBAL const int *c, const edge_wheels *e) {
  mask found = no_lane();
  for (int i = 0; i < WHEELS(c); i++) found = mask_or(found, at_edge(e->side[i]));
  return found;
}

/* The part of the second roller's spin that does not decay: cos psi A + sin psi D, A turned into
 * its frame (exchange_roller). */
FN real lasting_spin(const real *w, GLOBAL const int *c, const real *idle, real side) {
  if (!SETTING(c, BEARING)) return R(0.0);
  real turned =
      fma_real(idle[BEARING_A], w[W_COS_PITCH], -(idle[BEARING_B] * (side * w[W_SIN_PITCH])));
  return fma_real(w[W_COS_PSI], turned, w[W_SIN_PSI] * idle[BEARING_D]);
}

/* Adds `weight` times a roller with the decaying spin d, at the second roller's place, to the sums
 * over idle ones. */
FN void count_second(const real *w, real side, real weight, real d, real *idle) {
  real part = weight * d;
  idle[IDLE_COS] = fma_real(part, w[W_COS_PITCH], idle[IDLE_COS]);
  idle[IDLE_SIN] = fma_real(-part, side * w[W_SIN_PITCH], idle[IDLE_SIN]);
  idle[IDLE_SUM] = idle[IDLE_SUM] + part;
  idle[IDLE_SQUARE] = fma_real(part, d, idle[IDLE_SQUARE]);
}

/* The same for only the lanes of `which`. */
FN void recount_second(const real *w, mask which, real side, real weight, real d, real *idle) {
  real all[IDLE_COUNT];
  for (int j = 0; j < IDLE_COUNT; j++) all[j] = idle[j];
  count_second(w, side, weight, d, all);
  for (int j = 0; j < IDLE_COUNT; j++) idle[j] = select_real(which, all[j], idle[j]);
}

/* The second roller's spin as memory has it since it left the floor, into *spin for the lanes in
 * `which`; *decaying is its part in the idle sums. */
FN_CALL void recall_second(const edge_run *run, int wheel, mask which, real side, real t,
                           real *spin, real *decaying) {
  GLOBAL const int *c = run->c;
  const real *w = run->p->w[wheel];
  real next = roller_behind(run->ts[wheel][T_ACTIVE], side, w[W_ROLLERS]), stored = R(0.0),
       age = R(0.0);
  int rollers = SETTING(c, MAX_ROLLERS);
  EACH_LANE(which, l) {
    int from = (wheel * rollers + (int)lane_get(next, l)) * SPIN_BLOCK + l;
    lane_set(&stored, l, run->spins[from]);
    if (SETTING(c, BEARING)) {
      int times = WHEELS(c) * rollers * SPIN_BLOCK;
      lane_set(&age, l, lane_get(t, l) - run->spins[times + from]);
    }
  }
  if (SETTING(c, BEARING)) stored = stored * exp_real(-(w[W_DECAY] * age));
  *decaying = select_real(which, stored, R(0.0));
  *spin = select_real(which, stored + lasting_spin(w, c, run->m->idle[wheel], side), *spin);
}

/* Puts the decaying part of the second roller's spin back to memory, with the time. */
FN_CALL void store_second(const edge_run *run, int wheel, mask which, real side, real t,
                          real decaying) {
  GLOBAL const int *c = run->c;
  real next = roller_behind(run->ts[wheel][T_ACTIVE], side, run->p->w[wheel][W_ROLLERS]);
  int rollers = SETTING(c, MAX_ROLLERS);
  EACH_LANE(which, l) {
    int to = (wheel * rollers + (int)lane_get(next, l)) * SPIN_BLOCK + l;
    run->spins[to] = lane_get(decaying, l);
    if (SETTING(c, BEARING)) run->spins[WHEELS(c) * rollers * SPIN_BLOCK + to] = lane_get(t, l);
  }
}

/* Columns of the state that are needed here. */
#define EDGE_COLUMNS                                                                               \
  { S_EXCHANGES, S_HOLDS, S_DISSIPATED_LOW, S_VIB_X_LOW, S_VIB_Z_LOW, S_IMPACT, S_IMPACT_LOW }
#define EDGE_WHEEL_COLUMNS                                                                         \
  { T_Q_LOW, T_ACTIVE, T_INDEX, T_ROW, T_REST, T_SECOND }
enum { EDGE_COLUMN_COUNT = 7, EDGE_WHEEL_COLUMN_COUNT = 6 };

#if defined(__OPENCL_C_VERSION__)
FN_CALL void load_parameters_again(GLOBAL const sreal *from, GLOBAL const sreal *tables,
                                   GLOBAL const int *c, int stride, parameters *p) {
  load_parameters(from, tables, c, stride, p);
}
#endif

FN edge_run lend_to_edges(const parameters *p, GLOBAL const int *c, const held_state *held,
                          pack_state pack, edge_copy *own) {
  own->held = *held;
#if defined(__OPENCL_C_VERSION__)
  const int columns[EDGE_COLUMN_COUNT] = EDGE_COLUMNS,
            of_wheel[EDGE_WHEEL_COLUMN_COUNT] = EDGE_WHEEL_COLUMNS;
  load_parameters_again(p->from, p->tables, c, p->stride, &own->p);
  own->m = *pack.m;
  UNROLL_DEVICE for (int j = 0; j < EDGE_COLUMN_COUNT; j++) own->v[columns[j]] = pack.v[columns[j]];
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    UNROLL_DEVICE for (int j = 0; j < EDGE_WHEEL_COLUMN_COUNT; j++) own->ts[i][of_wheel[j]] =
        pack.ts[i][of_wheel[j]];
  }
  edge_run run = {&own->p, c, pack.spins, &own->held, &own->m, own->v, own->ts};
#else
  edge_run run = {p, c, pack.spins, &own->held, pack.m, pack.v, pack.ts};
#endif
  return run;
}

/* Takes back the copies that may have changed. */
FN void take_from_edges(GLOBAL const int *c, const edge_copy *own, held_state *held,
                        pack_state pack) {
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) held->row[i] = own->held.row[i];
#if defined(__OPENCL_C_VERSION__)
  const int columns[EDGE_COLUMN_COUNT] = EDGE_COLUMNS,
            of_wheel[EDGE_WHEEL_COLUMN_COUNT] = EDGE_WHEEL_COLUMNS;
  *pack.m = own->m;
  UNROLL_DEVICE for (int j = 0; j < EDGE_COLUMN_COUNT; j++) pack.v[columns[j]] = own->v[columns[j]];
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    UNROLL_DEVICE for (int j = 0; j < EDGE_WHEEL_COLUMN_COUNT; j++) pack.ts[i][of_wheel[j]] =
        own->ts[i][of_wheel[j]];
  }
#else
  (void)pack;
#endif
}
