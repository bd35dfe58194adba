/* Equations of motion under the laws that are constraints: ideal rolling, relaxed Udwadia-Kalaba
 * rolling (source 5), massless rollers (appendix/laws.md#rolling,
 * appendix/laws.md#relaxed). */

/* Sums over all contact forces. */
typedef struct force_sums {
  real fx, fz, yaw;    /* force, yaw acceleration */
  real gain_x, gain_z; /* their part of the rate of the horizontal angular momentum */
} force_sums;

FN force_sums sum_forces(const parameters *p, GLOBAL const int *c, const constraints *s,
                         const contact_pairs *f) {
  force_sums sum;
  sum.fx = sum.fz = sum.yaw = sum.gain_x = sum.gain_z = R(0.0);
  UNROLL for (int i = 0; i < WHEELS(c); i++) {
    wheel_terms terms;
    real gain_x, gain_z;
    force_share(p->v, p->w[i], &s->rows[i].k, f->i[i], f->k[i], &terms, &gain_x, &gain_z);
    sum.fx = sum.fx + terms.fx;
    sum.fz = sum.fz + terms.fz;
    sum.yaw = sum.yaw + terms.yaw;
    sum.gain_x = sum.gain_x + gain_x;
    sum.gain_z = sum.gain_z + gain_z;
  }
  return sum;
}

/* Free motion, on which the constraints act. */
typedef struct free_motion {
  wheel_terms terms[WHEELS_MAX];
  free_body body;
  real omega;                 /* yaw rate */
  real (*d_idle)[IDLE_COUNT]; /* rates of the idle sums, which no contact force changes */
  contact_pairs r;            /* b - A a */
} free_motion;

/* Right side b - A a of the constraints: b = -dA/dt u - gamma A u
 * (appendix/laws.md#rolling). */
FN void constraint_demand(const parameters *p, GLOBAL const int *c, const constraints *s,
                          const real *y, const outputs *o, free_motion *m) {
  int massless = SETTING(c, LAW) == LAW_MASSLESS || SETTING(c, LAW) == LAW_CLASSICAL;
  real omega = y[Y_OMEGA];
  /* free acceleration of the centre of mass, in body axes: -omega j x U */
  real ux = -omega * fma_real(-omega, p->v[P_COM_X], y[Y_VZ]);
  real uz = omega * fma_real(omega, p->v[P_COM_Z], y[Y_VX]);
  if (SETTING(c, EXTERNAL)) {
    ux = fma_real(m->body.outer.x, p->v[P_INV_MASS], ux);
    uz = fma_real(m->body.outer.z, p->v[P_INV_MASS], uz);
  }
  UNROLL for (int i = 0; i < WHEELS(c); i++) {
    const real *w = p->w[i];
    const wheel_rows *a = &s->rows[i];
    real rate = y[Y_RATE(i)], spin = y[Y_SPIN(i)], drift_i, drift_k;
    if (massless)
      massless_drift(w, &a->k, SETTING(c, LAW) == LAW_CLASSICAL, omega, rate, o->slip_i[i],
                     &drift_i, &drift_k);
    else
      rolling_drift(w, &a->k, omega, rate, spin, &drift_i, &drift_k);
    real free_i = fma_real(w[W_COS], ux, fma_real(-w[W_SIN], uz, a->yaw_i * m->body.yaw));
    real free_k = fma_real(w[W_SIN], ux, fma_real(w[W_COS], uz, a->yaw_k * m->body.yaw));
    free_i = fma_real(a->k.i_rate, m->terms[i].free_rate,
                      fma_real(a->k.i_spin, m->terms[i].free_spin, free_i));
    free_k = fma_real(a->k.k_rate, m->terms[i].free_rate,
                      fma_real(a->k.k_spin, m->terms[i].free_spin, free_k));
    m->r.i[i] = -fma_real(w[W_BAUMGARTE], o->slip_i[i], drift_i + free_i);
    m->r.k[i] = -fma_real(w[W_BAUMGARTE], o->slip_k[i], drift_k + free_k);
  }
}

/* Loads N_i = nu0 + b1_i nu1 + b2_i nu2 under forces f + nu0 f0 + nu1 f1 + nu2 f2, where `loads`
 * already holds the matrix; sum: of f. One wheel carries the weight. */
FN void constrained_loads(const parameters *p, GLOBAL const int *c, const constraints *s,
                          const free_motion *m, const force_sums *sum, load_sums *loads, real nu[3],
                          outputs *o) {
  nu[0] = m->body.loads.r0;
  nu[1] = nu[2] = R(0.0);
  if (WHEELS(c) > 1) {
    loads->r0 = m->body.loads.r0;
    loads->r1 = m->body.loads.r1 + sum->gain_x;
    loads->r2 = m->body.loads.r2 + sum->gain_z;
    solve_loads(p->v, loads, WHEELS(c), m->body.yaw, m->omega, nu, &o->solvable);
  }
  UNROLL for (int i = 0; i < WHEELS(c); i++) {
    real b1, b2;
    contact_place(p->w[i], &s->rows[i].k, &b1, &b2);
    o->load[i] = fma_real(b1, nu[1], fma_real(b2, nu[2], nu[0]));
  }
}

/* B B^T of the load equations. */
FN void balance_matrix(const parameters *p, GLOBAL const int *c, const constraints *s,
                       load_sums *loads) {
  clear_loads(loads);
  UNROLL for (int i = 0; i < WHEELS(c); i++) {
    real b1, b2;
    contact_place(p->w[i], &s->rows[i].k, &b1, &b2);
    loads->m01 = loads->m01 + b1;
    loads->m02 = loads->m02 + b2;
    loads->m11 = fma_real(b1, b1, loads->m11);
    loads->m12 = fma_real(b1, b2, loads->m12);
    loads->m22 = fma_real(b2, b2, loads->m22);
  }
  loads->m10 = loads->m01;
  loads->m20 = loads->m02;
  loads->m21 = loads->m12;
}

/* Smallest mu N that a demand is measured by. */
#define LEAST_FRICTION R_BY(1e-30, 1e-200)

/* Weight of wheel i from its demand rho, and its friction per unit load; fills o->weight,
 * o->demand (appendix/laws.md#relaxed). */
FN void relax_wheel(const real *w, GLOBAL const int *c, int i, const contact_pairs *lambda,
                    outputs *o, contact_pairs *unit) {
  real limit = max_real(o->friction[i] * max_real(o->load[i], R(1e-9)), LEAST_FRICTION);
  real rho = sqrt_real(fma_real(lambda->i[i], lambda->i[i], lambda->k[i] * lambda->k[i])) / limit;
  real tanh_s = tanh_real(w[W_STICTION_GAIN] * rho);
  real stiction = fma_real(-tanh_s, tanh_s, R(1.0));
  real weight = stiction * stiction;
  int kind = SETTING(c, WEIGHTS);
  if (kind == WEIGHTS_TANH)
    weight = select_real(gt(rho, R(1e-6)), tanh_real(rho) / max_real(rho, R(1e-6)), R(1.0));
  if (kind == WEIGHTS_FIXED) weight = w[W_WEIGHT];
  o->demand[i] = rho;
  o->weight[i] = weight;
  unit->i[i] = unit->k[i] = R(0.0);
  if (kind == WEIGHTS_TANH) return;
  real speed = sqrt_real(o->slip2[i]);
  real least = R(1e-15); /* below it the direction counts for nothing */
  real along = select_real(gt(speed, least),
                           tanh_real(speed * w[W_INV_REFERENCE]) / max_real(speed, least), R(0.0));
  real gain = -(o->friction[i] * tanh_real(w[W_FRICTION_GAIN] * rho) * along);
  unit->i[i] = gain * o->slip_i[i];
  unit->k[i] = gain * o->slip_k[i];
}

/* W u of the pair u of wheel i: w u, and with coupled weights the off-diagonal kappa w (1 - w) too,
 * which leaves the eigenvalues w (1 +- kappa (1 - w)) of W between 0 and 1
 * (appendix/laws.md#relaxed). */
FN void weigh(const real *w, GLOBAL const int *c, real weight, real *along, real *across) {
  real first = *along, second = *across;
  *along = weight * first;
  *across = weight * second;
  if (SETTING(c, WEIGHT_COUPLING)) {
    real coupling = w[W_WEIGHT_COUPLING] * (weight * (R(1.0) - weight));
    *along = fma_real(coupling, second, *along);
    *across = fma_real(coupling, first, *across);
  }
}

/* One of the sets of forces that the friction f is made of, linear in nu: `unit` times 1, b1 or b2
 * of each contact, and the part of it that the relaxed constraints leave. */
FN void friction_set(const parameters *p, GLOBAL const int *c, const constraints *s, int j,
                     const contact_pairs *unit, const outputs *o, contact_pairs *f) {
  const int coupled = !SETTING(c, CONTACT_WISE);
  contact_pairs slip, back;
  UNROLL for (int i = 0; i < WHEELS(c); i++) {
    real b1, b2;
    contact_place(p->w[i], &s->rows[i].k, &b1, &b2);
    real share = j == 0 ? R(1.0) : j == 1 ? b1 : b2;
    if (coupled || !SETTING(c, WEIGHT_COUPLING)) {
      if (!coupled) share = share * (R(1.0) - o->weight[i]);
      f->i[i] = share * unit->i[i];
      f->k[i] = share * unit->k[i];
    } else {
      real kept_i = unit->i[i], kept_k = unit->k[i];
      weigh(p->w[i], c, o->weight[i], &kept_i, &kept_k);
      f->i[i] = share * (unit->i[i] - kept_i);
      f->k[i] = share * (unit->k[i] - kept_k);
    }
  }
  if (!coupled) return;

  /* The constraints take their weighted part of the slip that it makes. */
  apply_rows(p, c, s, f, &slip);
  UNROLL for (int i = 0; i < WHEELS(c); i++)
      weigh(p->w[i], c, o->weight[i], &slip.i[i], &slip.k[i]);
  solve_rows(p, c, s, &slip, &back);
  UNROLL for (int i = 0; i < WHEELS(c); i++) {
    f->i[i] = f->i[i] - back.i[i];
    f->k[i] = f->k[i] - back.k[i];
  }
}

/* F = G^-1 W r + (I - G^-1 W G) f with f linear in the final loads, or contact-wise F = W lambda +
 * (I - W) f (appendix/laws.md#relaxed; source 5 eqs 17 to 22). lambda, load: the fully
 * constrained forces and their loads. Leaves force and load. */
FN void relax(const parameters *p, GLOBAL const int *c, const constraints *s, const free_motion *m,
              const contact_pairs *lambda, contact_pairs *force, outputs *o) {
  int coupled = !SETTING(c, CONTACT_WISE), sets = SETTING(c, WEIGHTS) == WEIGHTS_TANH ? 0
                                                  : WHEELS(c) == 1                    ? 1
                                                                                      : 3;
  contact_pairs unit, weighted, part[3];
  load_sums loads;
  force_sums sums[3];
  /* Each wheel has a weight and a friction per unit of load. */
  UNROLL for (int i = 0; i < WHEELS(c); i++) {
    relax_wheel(p->w[i], c, i, lambda, o, &unit);
    weighted.i[i] = coupled ? m->r.i[i] : lambda->i[i];
    weighted.k[i] = coupled ? m->r.k[i] : lambda->k[i];
    weigh(p->w[i], c, o->weight[i], &weighted.i[i], &weighted.k[i]);
  }
  /* The weighted demand gives the part of the forces that no load enters. */
  if (coupled)
    solve_rows(p, c, s, &weighted, force);
  else
    *force = weighted;
  /* The sets of friction change the matrix of the load equations. */
  UNROLL_DEVICE for (int j = 0; j < sets; j++) {
    friction_set(p, c, s, j, &unit, o, &part[j]);
    sums[j] = sum_forces(p, c, s, &part[j]);
  }
  balance_matrix(p, c, s, &loads);
  if (sets == 3) {
    loads.m10 = loads.m10 - sums[0].gain_x;
    loads.m20 = loads.m20 - sums[0].gain_z;
    loads.m11 = loads.m11 - sums[1].gain_x;
    loads.m21 = loads.m21 - sums[1].gain_z;
    loads.m12 = loads.m12 - sums[2].gain_x;
    loads.m22 = loads.m22 - sums[2].gain_z;
  }
  /* The load equations give nu. */
  real nu[3];
  force_sums sum = sum_forces(p, c, s, force);
  constrained_loads(p, c, s, m, &sum, &loads, nu, o);
  /* The final forces are the sum over the sets. */
  UNROLL_DEVICE for (int j = 0; j < sets; j++) {
    UNROLL for (int i = 0; i < WHEELS(c); i++) {
      force->i[i] = fma_real(nu[j], part[j].i[i], force->i[i]);
      force->k[i] = fma_real(nu[j], part[j].k[i], force->k[i]);
    }
  }
}

/* Beyond the paper: a force that would do work on the slip loses its part along it, so that
 * contacts never feed the motion. The loads belong to the
 * remaining forces (appendix/laws.md#relaxed). */
FN void make_passive(const parameters *p, GLOBAL const int *c, const constraints *s,
                     const free_motion *m, contact_pairs *force, outputs *o) {
  UNROLL for (int i = 0; i < WHEELS(c); i++) {
    real power = fma_real(force->i[i], o->slip_i[i], force->k[i] * o->slip_k[i]);
    real excess = select_real(gt(power, R(0.0)), power / o->slip2[i], R(0.0));
    force->i[i] = fma_real(-excess, o->slip_i[i], force->i[i]);
    force->k[i] = fma_real(-excess, o->slip_k[i], force->k[i]);
  }
  load_sums loads;
  real nu[3];
  force_sums sum = sum_forces(p, c, s, force);
  balance_matrix(p, c, s, &loads);
  constrained_loads(p, c, s, m, &sum, &loads, nu, o);
}

/* Contacts, slips and the motion without contact forces. */
FN void free_state(const parameters *p, GLOBAL const int *c, const instant *now,
                   const real idle[WHEELS_MAX][IDLE_COUNT], const real *y, constraints *s,
                   free_motion *m, outputs *o) {
  int massless = SETTING(c, LAW) == LAW_MASSLESS || SETTING(c, LAW) == LAW_CLASSICAL;
  m->omega = y[Y_OMEGA];
  o->rollers = o->rolling = R(0.0);
  clear_rows(p->v, s);
  place at = place_of(c, y, now->t);
  start_body(p, c, now, y, &m->body);
  UNROLL for (int i = 0; i < WHEELS(c); i++) {
    const real *w = p->w[i];
    const contact k = law_contact(p->v, w, c, y[Y_Q(i)], now->held->row[i]);
    dry_turns turned;
    const wheel_here here = {i, w, &k, turning_of(y, i), idle[i], m->d_idle[i], &turned};
    contact_slip(&k, w, y[Y_VX], y[Y_VZ], here.turns, &o->slip_i[i], &o->slip_k[i]);
    o->friction[i] = ground_friction(p->v, c, w, &k, &at);
    add_rows(p->v, w, massless, &k, &s->rows[i], s);
    free_wheel(p, c, now, y, &here, &m->terms[i], &m->body, o);
    if (massless) { /* the roller turns freely across d: only the slip along d is slip */
      real d_i, d_k;
      massless_direction(w, &k, &d_i, &d_k);
      real slip = fma_real(d_i, o->slip_i[i], d_k * o->slip_k[i]);
      o->slip2[i] = slip * slip;
    } else {
      o->slip2[i] = fma_real(o->slip_i[i], o->slip_i[i], o->slip_k[i] * o->slip_k[i]);
    }
  }
  finish_rows(s);
  finish_body(p, c, y, &m->body);
}

/* Right-hand side for the laws that are constraints, as friction_right_hand_side. Only
 * relaxed constraints have forces that depend on the loads: under the other laws these, and the
 * servo torque, are computed where they are looked at. */
FN void constrained_right_hand_side(const parameters *p, GLOBAL const int *c, const instant *now,
                                    const real idle[WHEELS_MAX][IDLE_COUNT], const real *y,
                                    int looked_at, motion *rates, outputs *o) {
  constraints s;
  free_motion m;
  contact_pairs lambda, force;
  load_sums loads;
  real omega = y[Y_OMEGA], nu[3], *dy = rates->y;
  /* The motion without contact forces comes first. */
  m.d_idle = rates->idle;
  free_state(p, c, now, idle, y, &s, &m, o);
  /* The constraints ask for a change of it, and lambda are the forces that bring it. */
  constraint_demand(p, c, &s, y, o, &m);
  solve_rows(p, c, &s, &m.r, &lambda);
  o->servo = R(0.0);
  o->solvable = eq(omega, omega);
  force_sums sum = sum_forces(p, c, &s, &lambda);
  /* The loads follow from these forces. */
  const int loaded = looked_at || SETTING(c, LAW) == LAW_RELAXED;
  if (loaded) {
    balance_matrix(p, c, &s, &loads);
    constrained_loads(p, c, &s, &m, &sum, &loads, nu, o);
  }
  /* Relaxed constraints keep a part of lambda and add friction. */
  force = lambda;
  if (SETTING(c, LAW) == LAW_RELAXED) {
    relax(p, c, &s, &m, &lambda, &force, o);
    if (SETTING(c, PASSIVE)) make_passive(p, c, &s, &m, &force, o);
    sum = sum_forces(p, c, &s, &force);
  }

  /* The forces accelerate wheels and rollers. */
  real lost = o->bearings = m.body.lost, yaw = m.body.yaw + sum.yaw;
  UNROLL for (int i = 0; i < WHEELS(c); i++) {
    const real *w = p->w[i];
    const contact *k = &s.rows[i].k;
    real fi = force.i[i], fk = force.k[i];
    real on_spin = fma_real(fi, k->i_spin, fk * k->k_spin);
    o->unit_i[i] = fi;
    o->unit_k[i] = fk;
    dy[Y_Q(i)] = y[Y_RATE(i)];
    dy[Y_RATE(i)] =
        fma_real(w[W_INV_INERTIA], fma_real(fi, k->i_rate, fk * k->k_rate), m.terms[i].free_rate);
    dy[Y_SPIN(i)] = fma_real(w[W_INV_ROLLER_INERTIA], on_spin, m.terms[i].free_spin);
    lost = lost - fma_real(fi, o->slip_i[i], fk * o->slip_k[i]);
    /* The servo of the testbench holds the rest of the moment. */
    if (WHEELS(c) == 1 && loaded) {
      real bracket = fma_real(k->axis_along, on_spin, m.terms[i].bracket_i);
      o->servo = fma_real(k->offset, o->load[i], -(w[W_RADIUS] * fk)) - bracket;
      o->servo = servo_share(c, w, &m.body.outer, o->servo);
    }
  }
  /* The sums of the forces accelerate the platform. */
  if (SETTING(c, EXTERNAL)) {
    sum.fx = sum.fx + m.body.outer.x;
    sum.fz = sum.fz + m.body.outer.z;
  }
  origin_acceleration(p->v, sum.fx, sum.fz, yaw, omega, o);
  platform_rates(y, o, yaw, dy);
  dy[Y_DISSIPATED] = lost;
  dy[Y_WORK] = m.body.work;
  winding_rates(p, c, now->drive, m.body.bus, y, dy);
}

/* Right-hand side of the law that the run has. looked_at: not only the rates are, but all of *o. */
FN void right_hand_side(const parameters *p, GLOBAL const int *c, const instant *now,
                        const real idle[WHEELS_MAX][IDLE_COUNT], const real *y, int looked_at,
                        motion *rates, outputs *o) {
#if OMR_COMPLIANT
  (void)looked_at;
  compliant_right_hand_side(p, c, now, idle, y, rates, o);
#else
  if (OMR_CONSTRAINED)
    constrained_right_hand_side(p, c, now, idle, y, looked_at, rates, o);
  else
    friction_right_hand_side(p, c, now, idle, y, rates, o);
#endif
}

#if OMR_COMPLIANT && !defined(OMR_WHEELS)
/* The same for vehicles on springs that have wheels of several kinds. */
FN_COLD void evaluate_kinds(const parameters *p, GLOBAL const int *c, const instant *now,
                            const real idle[WHEELS_MAX][IDLE_COUNT], const real *y, int looked_at,
                            motion *rates, outputs *o) {
  right_hand_side(p, c, now, idle, y, looked_at, rates, o);
}
#endif

/* The same as one copy of the text, so that objects stay small: for states that the time loop does
 * not pass through, looks, samples, wheels that rest. On springs, vehicles with only rollers have a
 * copy that does not ask for other kinds. */
FN_COLD void evaluate_aside(const parameters *p, GLOBAL const int *c, const instant *now,
                            const real idle[WHEELS_MAX][IDLE_COUNT], const real *y, int looked_at,
                            motion *rates, outputs *o) {
#if OMR_COMPLIANT && !defined(OMR_WHEELS)
  if (SETTING(c, KINDS)) {
    evaluate_kinds(p, c, now, idle, y, looked_at, rates, o);
    return;
  }
#endif
  right_hand_side(p, c, now, idle, y, looked_at, rates, o);
}

#ifdef OMR_WHEELS
#define evaluate_rates right_hand_side
#else
/* Settings that few studies have. */
#define RARE_SETTINGS(X)                                                                           \
  X(CONTACT)                                                                                       \
  X(GROUND)                                                                                        \
  X(PENALTY)                                                                                       \
  X(ROLLING_FRICTION)                                                                              \
  X(YAW_LOSS)                                                                                      \
  X(DRY)                                                                                           \
  X(BEARING)                                                                                       \
  X(LINE)                                                                                          \
  X(MOTOR)                                                                                         \
  X(INDUCTANCE)                                                                                    \
  X(EXTERNAL)                                                                                      \
  X(REPLAYS)

/* The same for a stage of a pass. Objects for any case have a copy without the rare settings,
 * half the text, which lies in the time loop; the others take the copy that is called. */
FN void evaluate_rates(const parameters *p, GLOBAL const int *c, const instant *now,
                       const real idle[WHEELS_MAX][IDLE_COUNT], const real *y, int looked_at,
                       motion *rates, outputs *o) {
  int rare = 0;
#define X(id) rare |= SETTING(c, id);
  RARE_SETTINGS(X)
#undef X
  if (rare || OMR_CONSTRAINED || OMR_COMPLIANT) {
    evaluate_aside(p, c, now, idle, y, looked_at, rates, o);
    return;
  }
#define X(id)                                                                                      \
  if (SETTING(c, id)) __builtin_unreachable();
  RARE_SETTINGS(X)
#undef X
  right_hand_side(p, c, now, idle, y, looked_at, rates, o);
}
#endif
