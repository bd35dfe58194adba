/* Rates of a vehicle whose wheels may rest on two rollers, for the laws that are constraints
 * (appendix/rollers.md#exchange): relaxed constraints, and those met without impacts. Their
 * forces do not come only from loads, so that the rates are the mean of those with the wheel on
 * one roller and on the other, f_0 + sum s_l (f_l - f_0): f_0 has all wheels on the rollers in
 * contact, f_l wheel l on its second one. Exact for one wheel; for several it leaves out the change
 * of another's difference by the choice of one wheel's roller. */

/* See share_slack. */
#define MEAN_SLACK R(0.05)

/* f_0 and the f_l, in entries 0 and l + 1. */
typedef struct edge_terms {
  real dy[WHEELS_MAX + 1][Y_COUNT];
  real second[WHEELS_MAX + 1][WHEELS_MAX]; /* rates of the second rollers' spins */
  real load[WHEELS_MAX + 1][WHEELS_MAX], force_i[WHEELS_MAX + 1][WHEELS_MAX],
      force_k[WHEELS_MAX + 1][WHEELS_MAX];
  real weight[WHEELS_MAX + 1][WHEELS_MAX], demand[WHEELS_MAX + 1][WHEELS_MAX];
  real ax[WHEELS_MAX + 1], az[WHEELS_MAX + 1], servo[WHEELS_MAX + 1], bearings[WHEELS_MAX + 1],
      rollers[WHEELS_MAX + 1];
  outputs first;                 /* of f_0 */
  real second_slip2[WHEELS_MAX]; /* of the second rollers */
  mask solvable;
} edge_terms;

/* Wheel accelerations for given shares, and how they change with these. */
typedef struct edge_balance {
  real share[WHEELS_MAX]; /* of the second roller */
  real pull[WHEELS_MAX];
  real slope[WHEELS_MAX][WHEELS_MAX]; /* d pull_i/d share_l */
  mask solvable;
} edge_balance;

/* Rate of the axial spin of a roller at q that bears nothing, by its bearing. */
FN real idle_spin_rate(const real *w, real q, real omega, real rate, real spin) {
  real sine, cosine;
  sincos_small(q, &sine, &cosine);
  return -(w[W_DECAY] * (spin - omega * (w[W_COS_PSI] * sine) - rate * w[W_SIN_PSI]));
}

/* The sums over idle rollers with the second roller among them, or, in its frame, with the one in
 * contact among them instead. */
FN void idle_beside(const real *w, GLOBAL const int *c, const real *idle, real side, real spin,
                    real second, mask over, real *all) {
  mask rests = at_edge(side);
  real along = R(0.0), lasting = lasting_spin(w, c, idle, side);
  if (SETTING(c, BEARING))
    along = fma_real(w[W_COS_PSI], idle[BEARING_A], w[W_SIN_PSI] * idle[BEARING_D]);
  real d1 = spin - along, d2 = select_real(rests, second - lasting, R(0.0));
  real cos_pitch = w[W_COS_PITCH], sin_pitch = side * w[W_SIN_PITCH];
  for (int j = 0; j < IDLE_COUNT; j++) all[j] = idle[j];
  count_second(w, side, R(1.0), d2, all);
  real all_cos = all[IDLE_COS] + d1, all_sin = all[IDLE_SIN];
  all[IDLE_COS] =
      select_real(over, (all_cos * cos_pitch - all_sin * sin_pitch) - d2, all[IDLE_COS]);
  all[IDLE_SIN] =
      select_real(over, fma_real(all_cos, sin_pitch, all_sin * cos_pitch), all[IDLE_SIN]);
  all[IDLE_SUM] = select_real(over, (all[IDLE_SUM] + d1) - d2, all[IDLE_SUM]);
  all[IDLE_SQUARE] =
      select_real(over, fma_real(d1, d1, all[IDLE_SQUARE]) - d2 * d2, all[IDLE_SQUARE]);
  real a = idle[BEARING_A], b = idle[BEARING_B];
  all[BEARING_A] = select_real(over, a * cos_pitch - b * sin_pitch, a);
  all[BEARING_B] = select_real(over, fma_real(a, sin_pitch, b * cos_pitch), b);
}

FN_CALL void find_edge_terms(const edge_run *run, const real *drive,
                             const real idle[WHEELS_MAX][IDLE_COUNT], const real *y,
                             const edge_wheels *edge, real t, real d_idle[WHEELS_MAX][IDLE_COUNT],
                             edge_terms *e) {
  const parameters *p = run->p;
  GLOBAL const int *c = run->c;
  instant now;
  now.t = t;
  for (int i = 0; i < WHEELS(c); i++) now.drive[i] = drive[i];
  e->solvable = eq(y[Y_OMEGA], y[Y_OMEGA]);
  for (int n = 0; n <= WHEELS(c); n++) { /* wheel n - 1 goes over */
    /* The state starts as it is, with no rates. */
    held_state held = *run->held;
    motion rates;
    real at[Y_COUNT], *dy = rates.y, all[WHEELS_MAX][IDLE_COUNT];
    outputs o;
    for (int j = 0; j < Y_COUNT; j++) {
      at[j] = y[j];
      dy[j] = R(0.0);
    }

    /* Wheel n - 1 stands on its second roller, the others on their first. */
    for (int i = 0; i < WHEELS(c); i++) {
      const real *w = p->w[i];
      real side = R(0.0);
      if (n == i + 1) side = edge->side[i];
      mask over = at_edge(side);
      at[Y_Q(i)] = fma_real(R(-2.0) * side, w[W_ALPHA], y[Y_Q(i)]);
      at[Y_SPIN(i)] = select_real(over, edge->spin[i], y[Y_SPIN(i)]);
      held.row[i] = select_real(over, -held.row[i], held.row[i]);
      idle_beside(w, c, idle[i], edge->side[i], y[Y_SPIN(i)], edge->spin[i], over, all[i]);
      o.weight[i] = o.demand[i] = R(0.0);
    }

    /* The law's own right-hand side for these contacts. */
    now.held = &held;
    evaluate_aside(p, c, &now, all, at, 1, &rates, &o);
    for (int i = 0; i < WHEELS(c); i++) {
      const real *w = p->w[i];
      real q = y[Y_Q(i)], other = fma_real(R(-2.0) * edge->side[i], w[W_ALPHA], q),
           omega = y[Y_OMEGA], rate = y[Y_RATE(i)];
      real idles = idle_spin_rate(w, other, omega, rate, edge->spin[i]);
      if (n == i + 1) {
        idles = dy[Y_SPIN(i)];
        dy[Y_SPIN(i)] = select_real(at_edge(edge->side[i]),
                                    idle_spin_rate(w, q, omega, rate, y[Y_SPIN(i)]), dy[Y_SPIN(i)]);
        e->second_slip2[i] = o.slip2[i];
      }
      e->second[n][i] = idles;
      e->load[n][i] = o.load[i];
      e->weight[n][i] = o.weight[i];
      e->demand[n][i] = o.demand[i];
      if (n == 0 && SETTING(c, BEARING)) {
        contact k = law_contact(p->v, w, c, q, run->held->row[i]);
        idle_rates(w, &k, idle[i], omega, rate, d_idle[i]);
      }
      contact_force(&o, i, &e->force_i[n][i], &e->force_k[n][i]);
    }

    /* Keep the rates and outputs of this combination. */
    for (int j = 0; j < Y_COUNT; j++) e->dy[n][j] = dy[j];
    e->ax[n] = o.ax;
    e->az[n] = o.az;
    e->servo[n] = o.servo;
    e->bearings[n] = o.bearings;
    e->rollers[n] = o.rollers;
    e->solvable = mask_and(e->solvable, o.solvable);
    if (n == 0) e->first = o;
  }
}

FN_CALL void weigh_edges(const edge_run *run, const edge_terms *e, edge_balance *b) {
  GLOBAL const int *c = run->c;
  b->solvable = e->solvable;
  for (int i = 0; i < WHEELS(c); i++) {
    b->pull[i] = e->dy[0][Y_RATE(i)];
    for (int l = 0; l < WHEELS(c); l++) {
      b->slope[i][l] = e->dy[l + 1][Y_RATE(i)] - e->dy[0][Y_RATE(i)];
      b->pull[i] = fma_real(b->share[l], b->slope[i][l], b->pull[i]);
    }
  }
}

/* Changes of the velocities and the dissipated energy where `amount[l]` of share l is given for
 * an instant. */
FN_CALL void strike_edges(const edge_run *run, const edge_terms *e, const edge_balance *b,
                          const real *amount, real *dy, real *second) {
  GLOBAL const int *c = run->c;
  for (int j = 0; j < Y_COUNT; j++) dy[j] = R(0.0);
  for (int i = 0; i < WHEELS(c); i++) second[i] = R(0.0);
  for (int l = 0; l < WHEELS(c); l++) {
    for (int j = Y_COMPENSATED; j < Y_COUNT; j++)
      dy[j] = fma_real(amount[l], e->dy[l + 1][j] - e->dy[0][j], dy[j]);
    dy[Y_DISSIPATED] =
        fma_real(amount[l], e->dy[l + 1][Y_DISSIPATED] - e->dy[0][Y_DISSIPATED], dy[Y_DISSIPATED]);
    for (int i = 0; i < WHEELS(c); i++)
      second[i] = fma_real(amount[l], e->second[l + 1][i] - e->second[0][i], second[i]);
  }
  (void)b;
}

/* Mean of an entry by the shares. */
FN real mean_of(GLOBAL const int *c, const real (*entry)[WHEELS_MAX], int i,
                const edge_balance *b) {
  real mean = entry[0][i];
  for (int l = 0; l < WHEELS(c); l++)
    mean = fma_real(b->share[l], entry[l + 1][i] - entry[0][i], mean);
  return mean;
}

FN real mean_of_vehicle(GLOBAL const int *c, const real *entry, const edge_balance *b) {
  real mean = entry[0];
  for (int l = 0; l < WHEELS(c); l++) mean = fma_real(b->share[l], entry[l + 1] - entry[0], mean);
  return mean;
}

/* Rates of the motion and of the second rollers' spins for the shares in *b. The slip belongs to
 * the roller in contact, loads and forces are means. */
FN void edge_rates(const edge_run *run, const edge_terms *e, const edge_balance *b, const real *y,
                   real *dy, real *second, outputs *o) {
  GLOBAL const int *c = run->c;
  (void)y;

  /* Rates of the motion are linear in the shares. */
  for (int j = 0; j < Y_COUNT; j++) {
    dy[j] = e->dy[0][j];
    for (int l = 0; l < WHEELS(c); l++)
      dy[j] = fma_real(b->share[l], e->dy[l + 1][j] - e->dy[0][j], dy[j]);
  }

  /* Outputs of the vehicle. */
  *o = e->first;
  o->solvable = b->solvable;
  o->ax = mean_of_vehicle(c, e->ax, b);
  o->az = mean_of_vehicle(c, e->az, b);
  o->servo = mean_of_vehicle(c, e->servo, b);
  o->bearings = mean_of_vehicle(c, e->bearings, b);
  o->rollers = mean_of_vehicle(c, e->rollers, b);
  o->rolling = R(0.0);

  /* Outputs of each wheel, and the spin rate of its second roller. */
  for (int i = 0; i < WHEELS(c); i++) {
    second[i] = mean_of(c, e->second, i, b);
    o->load[i] = mean_of(c, e->load, i, b);
    o->share[i] = b->share[i];
    o->weight[i] = mean_of(c, e->weight, i, b);
    o->demand[i] = mean_of(c, e->demand, i, b);
    o->unit_i[i] = mean_of(c, e->force_i, i, b);
    o->unit_k[i] = mean_of(c, e->force_k, i, b);
  }
}

/* Largest squared slip of both rollers; largest (|F|/(mu N))^2 of the means. */
FN void look_at_contacts(GLOBAL const int *c, const edge_terms *e, const edge_balance *b,
                         const outputs *o, real *slip2, real *ratio2) {
  (void)b;
  *slip2 = *ratio2 = R(0.0);
  for (int i = 0; i < WHEELS(c); i++) {
    real limit = o->friction[i] * o->load[i];
    real squared =
        fma_real(o->unit_i[i], o->unit_i[i], o->unit_k[i] * o->unit_k[i]) / (limit * limit);
    take_largest(gt(limit, R(0.0)), squared, ratio2);
    *slip2 = max_real(max_real(o->slip2[i], e->second_slip2[i]), *slip2);
  }
}
