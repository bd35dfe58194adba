/* Loads and accelerations of a vehicle whose wheels may rest on two rollers, for the laws of
 * friction (PHYSICS.md#11-exchange-of-rollers). Each contact has a load of its own, N_1 = (1 - s)
 * b_1.nu and N_2 = s b_2.nu with the share s of the second roller and one plane nu over all contact
 * points, so that the loads are those of section 7 for given shares. */

/* See share_slack. */
#define MEAN_SLACK R(0.0)

/* One contact per unit of load. */
typedef struct edge_contact {
  wheel_terms terms;
  real d1, d2; /* with 1: column of B - K */
  real slip_i, slip_k, slip2, friction, unit_i, unit_k;
  real offset;
} edge_contact;

/* What does not depend on the shares. */
typedef struct edge_terms {
  edge_contact of[2][WHEELS_MAX]; /* the roller in contact, the second one */
  real torque[WHEELS_MAX];
  real right[3]; /* of the load equations */
  real free_yaw, lost, work;
  external outer; /* external force and torque */
} edge_terms;

/* The loads for given shares, and how they change with these. */
typedef struct edge_balance {
  real share[WHEELS_MAX]; /* of the second roller */
  real nu[3];
  real nu_by[WHEELS_MAX][3];          /* d nu/d share */
  real load[2][WHEELS_MAX];           /* N */
  real pull[WHEELS_MAX];              /* chi'' */
  real slope[WHEELS_MAX][WHEELS_MAX]; /* d pull_i/d share_l */
  mask solvable;
} edge_balance;

/* Contact k of wheel i, whose roller turns as `turns` says. */
FN void find_edge_contact(const parameters *p, GLOBAL const int *c, int i, const contact *k,
                          turning turns, const place *at, const real *y, edge_contact *e) {
  const real *w = p->w[i];
  outputs x; /* of this contact alone: the entries of wheel i */
  load_sums column;
  clear_loads(&column);
  contact_slip(k, w, y[Y_VX], y[Y_VZ], turns, &x.slip_i[i], &x.slip_k[i]);
  x.slip2[i] = fma_real(x.slip_i[i], x.slip_i[i], x.slip_k[i] * x.slip_k[i]);
  push f = slip_force(p, c, i, k, turns.rate, at, &x);
  load_share(p->v, w, k, &f, &e->terms, &column);
  e->terms.dissipation = f.dissipation;
  if (SETTING(c, ROLLING_FRICTION))
    add_rolling_friction(p->v, w, y[Y_VX], y[Y_VZ], y[Y_OMEGA], &column, &e->terms);
  e->d1 = column.m10;
  e->d2 = column.m20;
  e->slip_i = x.slip_i[i];
  e->slip_k = x.slip_k[i];
  e->slip2 = x.slip2[i];
  e->friction = x.friction[i];
  e->unit_i = x.unit_i[i];
  e->unit_k = x.unit_k[i];
  e->offset = k->offset;
}

/* Both contacts of every wheel, as friction_right_hand_side has one; where a wheel stands on one
 * roller both are that one. */
FN_CALL void find_edge_terms(const edge_run *run, const real *drive,
                             const real idle[WHEELS_MAX][IDLE_COUNT], const real *y,
                             const edge_wheels *edge, real t, real d_idle[WHEELS_MAX][IDLE_COUNT],
                             edge_terms *e) {
  const parameters *p = run->p;
  GLOBAL const int *c = run->c;
  real omega = y[Y_OMEGA], free_yaw_torque = R(0.0);
  place at = place_of(c, y, t);
  load_sums loads;
  clear_loads(&loads);
  e->lost = e->work = R(0.0);
  e->outer = external_at(p->v, c, p->tables, y[Y_YAW], t);
  carry(p->v, c, &e->outer, &loads);
  for (int i = 0; i < WHEELS(c); i++) {
    const real *w = p->w[i];
    /* A wheel that rests on two rollers has a second contact beyond the edge. */
    turning turns = turning_of(y, i), beyond = turns;
    real side = edge->side[i], rate = turns.rate, row = run->held->row[i];
    mask rests = at_edge(side);
    real second = beyond.spin = select_real(rests, edge->spin[i], turns.spin);
    contact one = wheel_contact(p->v, c, w, y[Y_Q(i)], row);
    contact two = wheel_contact(p->v, c, w, fma_real(R(-2.0) * side, w[W_ALPHA], y[Y_Q(i)]),
                                select_real(rests, -row, row));
    find_edge_contact(p, c, i, &one, turns, &at, y, &e->of[0][i]);
    find_edge_contact(p, c, i, &two, beyond, &at, y, &e->of[1][i]);
    /* The second roller is not among the idle sums: it is counted here. */
    real all[IDLE_COUNT];
    for (int j = 0; j < IDLE_COUNT; j++) all[j] = idle[i][j];
    count_second(w, side, R(1.0),
                 select_real(rests, second - lasting_spin(w, c, idle[i], side), R(0.0)), all);
    roller_sums sums = sum_rollers(w, &one, all, SETTING(c, BEARING), turns);
    if (SETTING(c, BEARING)) idle_rates(w, &one, idle[i], omega, rate, d_idle[i]);
    /* The drive and the bearings act without any contact force. */
    e->torque[i] = limited_torque(w, c, drive[i], rate);
    free_share(w, &one, &sums, torque_on_wheel(c, w, &e->outer, e->torque[i]), turns,
               &e->of[0][i].terms, &loads, &free_yaw_torque);
    e->of[1][i].terms.free_spin =
        -(w[W_DECAY] * (second - omega * two.axis_up - rate * w[W_SIN_PSI]));
    e->work = fma_real(e->torque[i], rate, e->work);
    e->lost = fma_real(w[W_AXLE_BEARING] * rate, rate, e->lost + sums.dissipation);
  }
  /* The load equations have the weight and the load-free moments on their right side. */
  if (SETTING(c, EXTERNAL)) {
    free_yaw_torque = free_yaw_torque + external_yaw_torque(p->v, &e->outer);
    e->work = e->work + external_power(c, &e->outer, p->w[0], y[Y_VX], y[Y_VZ], turning_of(y, 0));
  }
  e->free_yaw = p->v[P_INV_YAW] * free_yaw_torque;
  e->right[0] = loads.r0;
  load_moments(p->v, &loads, e->free_yaw, omega, &e->right[1], &e->right[2]);
}

/* Adds part times (1, d1, d2) times (1, b1, b2)^T. */
FN void add_edge_column(const edge_contact *touch, real part, real m[3][3]) {
  const real column[3] = {part, part * touch->d1, part * touch->d2};
  for (int row = 0; row < 3; row++) {
    m[row][0] = m[row][0] + column[row];
    m[row][1] = fma_real(column[row], touch->terms.b1, m[row][1]);
    m[row][2] = fma_real(column[row], touch->terms.b2, m[row][2]);
  }
}

/* Load of a contact for the plane nu, per unit of its share. */
FN real plane_load(const edge_contact *touch, const real nu[3]) {
  return fma_real(touch->terms.b1, nu[1], fma_real(touch->terms.b2, nu[2], nu[0]));
}

/* The plane for the shares in b->share, and its derivatives: (B - K) S B^T nu = r0, S the shares.
 */
FN void find_load_plane(const parameters *p, GLOBAL const int *c, const edge_terms *e,
                        edge_balance *b) {
  real m[3][3], inverse[3][3];
  for (int row = 0; row < 3; row++) m[row][0] = m[row][1] = m[row][2] = R(0.0);
  for (int i = 0; i < WHEELS(c); i++) {
    add_edge_column(&e->of[0][i], R(1.0) - b->share[i], m);
    add_edge_column(&e->of[1][i], b->share[i], m);
  }
  b->solvable = loads_hold(determinant_3x3(m), p->v[P_DET_MIN],
                           fma_real(m[0][0], m[2][2], -(m[0][2] * m[2][0])),
                           fma_real(m[0][0], m[1][1], -(m[0][1] * m[1][0])));
  invert_3x3(m, inverse);
  for (int row = 0; row < 3; row++) {
    b->nu[row] = fma_real(inverse[row][0], e->right[0],
                          fma_real(inverse[row][1], e->right[1], inverse[row][2] * e->right[2]));
  }
  for (int l = 0; l < WHEELS(c); l++) {
    const edge_contact *one = &e->of[0][l], *two = &e->of[1][l];
    real from = plane_load(one, b->nu), to = plane_load(two, b->nu);
    real moved[3] = {to - from, fma_real(two->d1, to, -(one->d1 * from)),
                     fma_real(two->d2, to, -(one->d2 * from))};
    for (int row = 0; row < 3; row++) {
      b->nu_by[l][row] = -fma_real(inverse[row][0], moved[0],
                                   fma_real(inverse[row][1], moved[1], inverse[row][2] * moved[2]));
    }
  }
}

/* Changes of the contacts' loads per unit of share l. */
FN void load_slope(const edge_terms *e, const edge_balance *b, int i, int l, real *one, real *two) {
  *one = (R(1.0) - b->share[i]) * plane_load(&e->of[0][i], b->nu_by[l]);
  *two = b->share[i] * plane_load(&e->of[1][i], b->nu_by[l]);
  if (i != l) return;
  *one = *one - plane_load(&e->of[0][i], b->nu);
  *two = *two + plane_load(&e->of[1][i], b->nu);
}

/* Acceleration of wheel i by loads on its contacts. */
FN real edge_pull(const parameters *p, const edge_terms *e, int i, real one, real two) {
  const wheel_terms *a = &e->of[0][i].terms, *b = &e->of[1][i].terms;
  return p->w[i][W_INV_INERTIA] * fma_real(one * a->gain, a->on_rate, two * b->gain * b->on_rate);
}

/* Loads and wheel accelerations for the shares in b->share. */
FN_CALL void weigh_edges(const edge_run *run, const edge_terms *e, edge_balance *b) {
  const parameters *p = run->p;
  GLOBAL const int *c = run->c;
  if (WHEELS(c) > 1) {
    find_load_plane(p, c, e, b);
  } else {
    b->nu[0] = e->right[0];
    b->nu[1] = b->nu[2] = b->nu_by[0][0] = b->nu_by[0][1] = b->nu_by[0][2] = R(0.0);
    b->solvable = eq(b->nu[1], b->nu[1]);
  }
  for (int i = 0; i < WHEELS(c); i++) {
    b->load[0][i] = (R(1.0) - b->share[i]) * plane_load(&e->of[0][i], b->nu);
    b->load[1][i] = b->share[i] * plane_load(&e->of[1][i], b->nu);
    b->pull[i] = e->of[0][i].terms.free_rate + edge_pull(p, e, i, b->load[0][i], b->load[1][i]);
    for (int l = 0; l < WHEELS(c); l++) {
      real one, two;
      load_slope(e, b, i, l, &one, &two);
      b->slope[i][l] = edge_pull(p, e, i, one, two);
    }
  }
}

/* What loads on the contacts do to the velocities; leaves the forces in *sum and -F.v in *lost.
 * second: to the spins of the second rollers. */
FN void push_contacts(const parameters *p, GLOBAL const int *c, const edge_terms *e,
                      const real load[2][WHEELS_MAX], real *fx, real *fz, real *dy, real *second) {
  real yaw = R(0.0), lost = R(0.0);
  *fx = *fz = R(0.0);
  for (int i = 0; i < WHEELS(c); i++) {
    for (int j = 0; j < 2; j++) {
      const wheel_terms *terms = &e->of[j][i].terms;
      real scale = load[j][i] * terms->gain;
      *fx = fma_real(scale, terms->fx, *fx);
      *fz = fma_real(scale, terms->fz, *fz);
      yaw = fma_real(scale, terms->yaw, yaw);
      lost = fma_real(scale, terms->dissipation, lost);
    }
    const edge_contact *one = &e->of[0][i], *two = &e->of[1][i];
    real inverse = p->w[i][W_INV_ROLLER_INERTIA];
    dy[Y_RATE(i)] = edge_pull(p, e, i, load[0][i], load[1][i]);
    dy[Y_SPIN(i)] = load[0][i] * one->terms.gain * one->terms.on_spin * inverse;
    second[i] = load[1][i] * two->terms.gain * two->terms.on_spin * inverse;
  }
  dy[Y_OMEGA] = yaw;
  dy[Y_DISSIPATED] = lost;
}

/* What the velocities and the dissipated energy change by where `amount[l]` of share l is given for
 * an instant: the load that moves from one roller to the other stops a wheel (enter_edges). */
FN_CALL void strike_edges(const edge_run *run, const edge_terms *e, const edge_balance *b,
                          const real *amount, real *dy, real *second) {
  const parameters *p = run->p;
  GLOBAL const int *c = run->c;
  real load[2][WHEELS_MAX], fx, fz;
  for (int i = 0; i < WHEELS(c); i++) {
    load[0][i] = load[1][i] = R(0.0);
    for (int l = 0; l < WHEELS(c); l++) {
      real one, two;
      load_slope(e, b, i, l, &one, &two);
      load[0][i] = fma_real(amount[l], one, load[0][i]);
      load[1][i] = fma_real(amount[l], two, load[1][i]);
    }
  }
  push_contacts(p, c, e, load, &fx, &fz, dy, second);
  dy[Y_VX] = fma_real(fx, p->v[P_INV_MASS], -(dy[Y_OMEGA] * p->v[P_COM_Z]));
  dy[Y_VZ] = fma_real(fz, p->v[P_INV_MASS], dy[Y_OMEGA] * p->v[P_COM_X]);
}

/* Slip, force and load of the wheels as the observers and samples want them: of both rollers
 * together, slip and friction of the one in contact. */
FN void show_edges(const parameters *p, GLOBAL const int *c, const edge_terms *e,
                   const edge_balance *b, outputs *o) {
  o->servo = R(0.0);
  o->bearings = e->lost;
  o->solvable = b->solvable;
  for (int i = 0; i < WHEELS(c); i++) {
    const edge_contact *one = &e->of[0][i], *two = &e->of[1][i];
    real n1 = b->load[0][i], n2 = b->load[1][i], all = n1 + n2;
    real inverse = R(1.0) / select_real(eq(all, R(0.0)), R(1.0), all);
    o->slip_i[i] = one->slip_i;
    o->slip_k[i] = one->slip_k;
    o->slip2[i] = one->slip2;
    o->friction[i] = one->friction;
    o->torque[i] = e->torque[i];
    o->load[i] = all;
    o->share[i] = inverse * n2;
    o->unit_i[i] = inverse * fma_real(n1, one->unit_i, n2 * two->unit_i);
    o->unit_k[i] = inverse * fma_real(n1, one->unit_k, n2 * two->unit_k);
    if (WHEELS(c) == 1) {
      real bracket =
          fma_real(n2 * two->terms.gain, two->terms.unit_bracket_i,
                   fma_real(n1 * one->terms.gain, one->terms.unit_bracket_i, one->terms.bracket_i));
      o->servo = fma_real(one->offset, n1, two->offset * n2) -
                 p->w[i][W_RADIUS] * all * o->unit_k[i] - bracket;
      o->servo = servo_share(c, p->w[i], &e->outer, o->servo);
    }
  }
}

/* Rates of the motion and of the second rollers' spins for the loads in *b, as
 * friction_right_hand_side. */
FN void edge_rates(const edge_run *run, const edge_terms *e, const edge_balance *b, const real *y,
                   real *dy, real *second, outputs *o) {
  const parameters *p = run->p;
  GLOBAL const int *c = run->c;
  real fx, fz, omega = y[Y_OMEGA];
  push_contacts(p, c, e, b->load, &fx, &fz, dy, second);
  for (int i = 0; i < WHEELS(c); i++) {
    dy[Y_Q(i)] = y[Y_RATE(i)];
    dy[Y_RATE(i)] = dy[Y_RATE(i)] + e->of[0][i].terms.free_rate;
    dy[Y_SPIN(i)] = dy[Y_SPIN(i)] + e->of[0][i].terms.free_spin;
    second[i] = second[i] + e->of[1][i].terms.free_spin;
  }
  real yaw = e->free_yaw + dy[Y_OMEGA], lost = e->lost + dy[Y_DISSIPATED];
  show_edges(p, c, e, b, o);
  if (SETTING(c, EXTERNAL)) {
    fx = fx + e->outer.x;
    fz = fz + e->outer.z;
  }
  origin_acceleration(p->v, fx, fz, yaw, omega, o);
  platform_rates(y, o, yaw, dy);
  dy[Y_DISSIPATED] = lost;
  dy[Y_WORK] = e->work;
}

/* Of both contacts of every wheel: largest squared slip, and largest (|F|/(mu N))^2 where they
 * carry. */
FN void look_at_contacts(GLOBAL const int *c, const edge_terms *e, const edge_balance *b,
                         const outputs *o, real *slip2, real *ratio2) {
  (void)o;
  *slip2 = *ratio2 = R(0.0);
  for (int i = 0; i < WHEELS(c); i++) {
    for (int j = 0; j < 2; j++) {
      const edge_contact *touch = &e->of[j][i];
      real squared = fma_real(touch->unit_i, touch->unit_i, touch->unit_k * touch->unit_k) /
                     (touch->friction * touch->friction);
      mask carries = gt(touch->friction * b->load[j][i], R(0.0));
      *ratio2 = select_real(carries, max_real(squared, *ratio2), *ratio2);
      *slip2 = max_real(touch->slip2, *slip2);
    }
  }
}
