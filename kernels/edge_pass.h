/* Passes of packs in which wheels rest on two rollers: what runge_kutta (methods.h) needs besides. */

/* Second rollers over a pass. */
typedef struct edge_pass {
  edge_run run;
  edge_wheels now;                           /* as the stage has them */
  real start[WHEELS_MAX];                    /* their spins where the pass starts */
  real rate[WHEELS_MAX], change[WHEELS_MAX]; /* rates of the stage; their weighted sum */
  real dy[Y_COUNT];                          /* rates of all else */
  mask lanes;                                /* where wheels rest */
  real first_share, last_share;              /* smallest share of a roller where the pass starts, and where it ends */
  real slip2, ratio2;                        /* look_at_contacts where the pass starts */
  edge_terms terms;
  edge_balance balance;
#if !OMR_CONSTRAINED
  edge_matrix matrix;
#endif
} edge_pass;

FN void start_edge_pass(const edge_run *run, real ts[WHEELS_MAX][T_COUNT], edge_pass *e) {
  e->run = *run;
  load_edges(run->c, ts, &e->now);
  e->lanes = resting_lanes(run->c, &e->now);
  UNROLL_DEVICE for (int i = 0; i < WHEELS_MAX; i++) {
    e->start[i] = e->now.spin[i];
    e->change[i] = e->rate[i] = R(0.0);
  }
}

FN void select_outputs(GLOBAL const int *c, mask which, const outputs *from, outputs *to) {
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    to->slip_i[i] = select_real(which, from->slip_i[i], to->slip_i[i]);
    to->slip_k[i] = select_real(which, from->slip_k[i], to->slip_k[i]);
    to->slip2[i] = select_real(which, from->slip2[i], to->slip2[i]);
    to->load[i] = select_real(which, from->load[i], to->load[i]);
    to->unit_i[i] = select_real(which, from->unit_i[i], to->unit_i[i]);
    to->unit_k[i] = select_real(which, from->unit_k[i], to->unit_k[i]);
    to->torque[i] = select_real(which, from->torque[i], to->torque[i]);
    to->friction[i] = select_real(which, from->friction[i], to->friction[i]);
    to->share[i] = from->share[i];
    if (OMR_CONSTRAINED && SETTING(c, LAW) == LAW_RELAXED) {
      to->weight[i] = select_real(which, from->weight[i], to->weight[i]);
      to->demand[i] = select_real(which, from->demand[i], to->demand[i]);
    }
  }
  to->servo = select_real(which, from->servo, to->servo);
  to->ax = select_real(which, from->ax, to->ax);
  to->az = select_real(which, from->az, to->az);
  to->solvable = mask_or(mask_and(which, from->solvable), mask_and(mask_not(which), to->solvable));
}

/* The rates of a stage where wheels rest, from the motion `at`; the pass has the length tau. Leaves in *o what it finds there. */
FN_COLD void rest_at_stage(edge_pass *e, const real *drive, const real idle[WHEELS_MAX][IDLE_COUNT], const real *y, real t, real tau,
                           int stage, outputs *o) {
  GLOBAL const int *c = e->run.c;
  real ignored[WHEELS_MAX][IDLE_COUNT];
  outputs own;
  UNROLL_ALL for (int j = 0; j < Y_COUNT; j++) e->dy[j] = R(0.0);
  edge_right_hand_side(&e->run, drive, idle, y, &e->now, t, e->dy, ignored, e->rate, &e->terms, &e->balance, &own);
  select_outputs(c, e->lanes, &own, o);
  if (stage == 0) {
    e->first_share = least_share(c, &e->now, &e->balance);
    look_at_contacts(c, &e->terms, &e->balance, &own, &e->slip2, &e->ratio2);
  }
#if !OMR_CONSTRAINED
  if (SETTING(c, METHOD) != METHOD_ROSENBROCK) return;
  if (stage == 0) {
    make_edge_matrix(&e->run, &e->now, y, &e->terms, &e->balance, e->dy, e->rate, tau, &e->matrix);
    first_edge_stage(&e->run, &e->matrix, e->dy, e->rate);
  } else {
    second_edge_stage(&e->run, &e->matrix, e->dy, e->rate);
  }
#else
  (void)tau;
#endif
}

/* What is looked at where a pass starts, with both rollers. */
FN void look_at_edges(const edge_pass *e, pass_start *s) {
  s->slip2 = select_real(e->lanes, max_real(e->slip2, s->slip2), s->slip2);
  if (SETTING(e->run.c, OBSERVERS) & OBSERVER_RATIO) s->ratio2 = select_real(e->lanes, e->ratio2, s->ratio2);
}

/* Puts the rates of the stage into the lanes where wheels rest, and moves the second rollers' spins on to the next one, `next`
 * after the start of the pass. */
FN void take_edge_rates(edge_pass *e, real weight, real next, real *dy) {
  UNROLL_ALL for (int j = 0; j < Y_COUNT; j++) dy[j] = select_real(e->lanes, e->dy[j], dy[j]);
  UNROLL_DEVICE for (int i = 0; i < WHEELS(e->run.c); i++) {
    e->change[i] = fma_real(weight, e->rate[i], e->change[i]);
    e->now.spin[i] = fma_real(next, e->rate[i], e->start[i]);
  }
}

/* The shares where the pass ends; increment: factor times tau. */
FN_COLD void end_edge_pass(edge_pass *e, const motion *m, const motion *change, real increment, real t) {
  const edge_run *run = &e->run;
  GLOBAL const int *c = run->c;
  motion at;
  real drive[WHEELS_MAX], ignored[WHEELS_MAX][IDLE_COUNT];
  at = *m;
  move_motion(c, m, increment, change, &at);
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) e->now.spin[i] = fma_real(increment, e->change[i], e->start[i]);
  drive_torques(run->p, c, run->tables, run->held, t, drive);
  find_edge_terms(run, drive, at.idle, at.y, &e->now, t, ignored, &e->terms);
  share_resting(run, &e->terms, &e->now, &e->balance);
  e->last_share = least_share(c, &e->now, &e->balance);
}

/* Commits the second rollers' spins of the accepted lanes. */
FN void commit_edges(const edge_pass *e, real increment, mask accepted, real ts[WHEELS_MAX][T_COUNT]) {
  UNROLL_DEVICE for (int i = 0; i < WHEELS(e->run.c); i++) {
    mask rests = mask_and(accepted, at_edge(e->now.side[i]));
    ts[i][T_SECOND] = select_real(rests, fma_real(increment, e->change[i], ts[i][T_SECOND]), ts[i][T_SECOND]);
  }
}

/* Rates and contact quantities of a sample in the lanes where wheels rest. */
FN void sample_edges(const parameters *p, GLOBAL const int *c, GLOBAL const sreal *tables, const real *drive, const held_state *held,
                     const motion *m, real t, real ts[WHEELS_MAX][T_COUNT], motion *rate, outputs *o) {
  edge_run run = {p, c, tables, NULL, held};
  edge_pass e;
  start_edge_pass(&run, ts, &e);
  if (!any_lane(e.lanes)) return;
  rest_at_stage(&e, drive, m->idle, m->y, t, R(0.0), 0, o);
  take_edge_rates(&e, R(0.0), R(0.0), rate->y);
}
