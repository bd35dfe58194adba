/* Loads and accelerations of a vehicle whose wheels may rest on two rollers, for the laws of
 * friction (appendix/rollers.md#exchange). Each contact has a load of its own, N_1 = (1 - s)
 * b_1.nu and N_2 = s b_2.nu with the share s of the second roller and one plane nu over all contact
 * points, so that section 7 has the loads for given shares. */

/* See share_slack. */
#define MEAN_SLACK R(0.0)

/* One contact per unit of load. */
typedef struct edge_contact {
  wheel_terms terms;
  real d1, d2; /* with 1: column of B - K */
  real slip_i, slip_k, slip2, friction, unit_i, unit_k;
  real offset;
  dry_share dry;   /* dry friction per unit of load, not among the terms (dry.h) */
  dry_share fixed; /* constant dry friction, by the share of the load */
} edge_contact;

/* Terms that do not depend on the shares. */
typedef struct edge_terms {
  edge_contact of[2][WHEELS_MAX]; /* the roller in contact, the second one */
  real torque[WHEELS_MAX], resist[WHEELS_MAX];
  real right[3];                      /* of the load equations */
  real free_yaw, lost, rollers, work; /* rollers: of lost, in their bearings */
  external outer;                     /* external force and torque */
  real winding[WHEELS_MAX];           /* rates of the motors' currents, where these are states */
} edge_terms;

/* The loads for given shares, and how they change with these. */
typedef struct edge_balance {
  real share[WHEELS_MAX]; /* of the second roller */
  real nu[3];
  real nu_by[WHEELS_MAX][3];          /* d nu/d share */
  real load[2][WHEELS_MAX];           /* N */
  real pull[WHEELS_MAX];              /* chi'' */
  real slope[WHEELS_MAX][WHEELS_MAX]; /* d pull_i/d share_l */
  real factor[WHEELS_MAX];            /* of dry friction, by its exponent of the load */
  mask solvable;
} edge_balance;

/* A contact of a wheel, whose roller turns as `here` says. */
FN_COLD void find_edge_contact(const parameters *p, GLOBAL const int *c, const wheel_here *here,
                               const place *at, const real *y, edge_contact *e) {
  const int i = here->i;
  const real *w = here->w;
  const contact *k = here->k;
  outputs x; /* only of this contact: the entries of wheel i */
  load_sums column;
  clear_loads(&column);

  /* Slip of the contact, with the loss of yaw where the vehicle has one. */
  contact_slip(k, w, y[Y_VX], y[Y_VZ], here->turns, &x.slip_i[i], &x.slip_k[i]);
  lost_slip lost;
  if (SETTING(c, YAW_LOSS))
    lost = lose_yaw(w, k, lost_yaw(p->v, y[Y_VX], y[Y_VZ], y[Y_OMEGA]), &x.slip_i[i], &x.slip_k[i]);
  x.slip2[i] = fma_real(x.slip_i[i], x.slip_i[i], x.slip_k[i] * x.slip_k[i]);

  /* Friction per unit of load, and its terms in the load equations. */
  push f = slip_force(p->v, c, here, at, &x);
  if (SETTING(c, YAW_LOSS)) pay_lost_yaw(lost, &f);
  if (SETTING(c, DRY)) f = whole_push(f);
  load_share(p->v, w, k, &f, &e->terms, &column);
  if (SETTING(c, ROLLING_FRICTION)) add_rolling_friction(p->v, c, here, y, &column, &e->terms);

  /* The outputs of this contact. */
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

/* Dry friction of contact `touch` of a wheel, whose roller turns as `here` says: its effect per
 * unit of load, and its constant torque, which a roller has by the time that it carries the wheel,
 * its share. */
FN_COLD void find_edge_dry(const parameters *p, GLOBAL const int *c, const wheel_here *here,
                           edge_contact *touch) {
  const real *w = here->w;
  const contact *k = here->k;
  const turning turns = here->turns;
  dry_turns d = turn_dry(w, c, k, turns);
  real torque = dry_roller_torque(w, &d);
  drill(w, c, k, turns, touch->friction, touch->slip2, &d);
  const dry_torques loaded = load_dry(p->v, w, c, k, &d, touch->unit_i, touch->unit_k);
  real lost = -(torque * d.roll);
  const dry_torques fixed = {torque, R(0.0), R(0.0), R(0.0), R(0.0), lost, R(0.0), R(0.0)};
  touch->dry = dry_effect(p->v, w, k, &loaded);
  touch->fixed = dry_effect(p->v, w, k, &fixed);
}

/* Contact j of wheel i with dry friction in its effects per unit of load. */
FN edge_contact loaded_contact(GLOBAL const int *c, const edge_terms *e, const edge_balance *b,
                               int j, int i) {
  edge_contact touch = e->of[j][i];
  if (!SETTING(c, DRY)) return touch;
  load_sums column;
  clear_loads(&column);
  add_dry_share(&touch.dry, b->factor[i], &touch.terms, &column);
  touch.d1 = touch.d1 + column.m10;
  touch.d2 = touch.d2 + column.m20;
  return touch;
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

/* Load of a contact of wheel i for the plane nu, per unit of its share, or the wheel's given load.
 */
FN real plane_load(const parameters *p, GLOBAL const int *c, int i, const edge_contact *touch,
                   const real nu[3]) {
  if (is_tracked(c, i)) return p->w[i][W_TRACKED_LOAD];
  return fma_real(touch->terms.b1, nu[1], fma_real(touch->terms.b2, nu[2], nu[0]));
}

/* The part of constant friction of the rollers in the moments that the loads balance. */
FN void add_fixed_moments(GLOBAL const int *c, const edge_terms *e, const edge_balance *b,
                          real right[3]) {
  for (int i = 0; i < WHEELS(c); i++) {
    const dry_share *one = &e->of[0][i].fixed, *two = &e->of[1][i].fixed;
    real first = R(1.0) - b->share[i];
    right[1] = fma_real(first, one->gain_x, fma_real(b->share[i], two->gain_x, right[1]));
    right[2] = fma_real(first, one->gain_z, fma_real(b->share[i], two->gain_z, right[2]));
  }
}

/* Takes the part of a contact of given load off the right side of the load equations. */
FN void take_tracked(const edge_contact *touch, real load, real right[3]) {
  right[0] = right[0] - load;
  right[1] = fma_real(-load, touch->d1, right[1]);
  right[2] = fma_real(-load, touch->d2, right[2]);
}

/* The plane for the shares in b->share, and its derivatives: (B - K) S B^T nu = r0, S the shares.
 */
FN void find_load_plane(const parameters *p, GLOBAL const int *c, const edge_terms *e,
                        edge_balance *b) {
  real m[3][3], inverse[3][3], right[3] = {e->right[0], e->right[1], e->right[2]};
  for (int row = 0; row < 3; row++) m[row][0] = m[row][1] = m[row][2] = R(0.0);

  /* Each contact weighs in the matrix by its share. */
  for (int i = 0; i < WHEELS(c); i++) {
    const edge_contact one = loaded_contact(c, e, b, 0, i), two = loaded_contact(c, e, b, 1, i);
    if (is_tracked(c, i)) {
      take_tracked(&one, (R(1.0) - b->share[i]) * p->w[i][W_TRACKED_LOAD], right);
      take_tracked(&two, b->share[i] * p->w[i][W_TRACKED_LOAD], right);
      continue;
    }
    add_edge_column(&one, R(1.0) - b->share[i], m);
    add_edge_column(&two, b->share[i], m);
  }

  /* The plane by the inverse, and whether the equations hold. */
  b->solvable = loads_hold(determinant_3x3(m), p->v[P_DET_MIN],
                           fma_real(m[0][0], m[2][2], -(m[0][2] * m[2][0])),
                           fma_real(m[0][0], m[1][1], -(m[0][1] * m[1][0])));
  invert_3x3(m, inverse);
  if (SETTING(c, DRY)) add_fixed_moments(c, e, b, right);
  for (int row = 0; row < 3; row++) {
    b->nu[row] = fma_real(inverse[row][0], right[0],
                          fma_real(inverse[row][1], right[1], inverse[row][2] * right[2]));
  }

  /* A share moves load from one roller of its wheel to the other, which tilts the plane. */
  for (int l = 0; l < WHEELS(c); l++) {
    const edge_contact one = loaded_contact(c, e, b, 0, l), two = loaded_contact(c, e, b, 1, l);
    real from = plane_load(p, c, l, &one, b->nu), to = plane_load(p, c, l, &two, b->nu);
    real moved[3] = {to - from, fma_real(two.d1, to, -(one.d1 * from)),
                     fma_real(two.d2, to, -(one.d2 * from))};
    if (SETTING(c, DRY)) {
      moved[1] = moved[1] - (two.fixed.gain_x - one.fixed.gain_x);
      moved[2] = moved[2] - (two.fixed.gain_z - one.fixed.gain_z);
    }
    for (int row = 0; row < 3; row++) {
      b->nu_by[l][row] = -fma_real(inverse[row][0], moved[0],
                                   fma_real(inverse[row][1], moved[1], inverse[row][2] * moved[2]));
    }
  }
}

/* Forces on the platform besides the contacts, and the right side of the load equations: the
 * weight and the load-free moments. */
FN void end_edge_terms(const edge_run *run, const real *drive, real bus, const real *y,
                       const load_sums *loads, real free_yaw_torque, edge_terms *e) {
  const parameters *p = run->p;
  GLOBAL const int *c = run->c;
  if (SETTING(c, EXTERNAL)) {
    free_yaw_torque = free_yaw_torque + external_yaw_torque(p->v, &e->outer);
    e->work = e->work + external_power(c, &e->outer, p->w[0], y[Y_VX], y[Y_VZ], turning_of(y, 0));
  }

  FOR_CURRENTS(c, i) {
    e->winding[i] = current_rate(p->w[i], c, i, drive[i], bus, y[Y_RATE(i)], y[Y_CURRENT(i)]);
  }

  e->free_yaw = p->v[P_INV_YAW] * free_yaw_torque;
  e->right[0] = loads->r0;
  load_moments(p->v, loads, e->free_yaw, y[Y_OMEGA], &e->right[1], &e->right[2]);
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

  /* Forces on the platform that no contact gives. */
  place at = place_of(c, y, t);
  load_sums loads;
  clear_loads(&loads);
  e->lost = e->rollers = e->work = R(0.0);
  e->outer = external_at(p->v, c, p->tables, y[Y_YAW], t);
  carry(p->v, c, &e->outer, &loads);
  const real bus = bus_voltage(p->v, p->w, c, drive, y);
  for (int i = 0; i < WHEELS(c); i++) {
    real room[W_COUNT];
    const real *w = wheel_at(p, c, i, y[Y_Q(i)], room);

    /* A wheel that rests on two rollers has a second contact beyond the edge. */
    turning turns = turning_of(y, i), beyond = turns;
    real side = edge->side[i], rate = turns.rate, row = run->held->row[i];
    mask rests = at_edge(side);
    real second = beyond.spin = select_real(rests, edge->spin[i], turns.spin);
    contact one = wheel_contact(p->v, c, i, w, y[Y_Q(i)], row);
    contact two = wheel_contact(p->v, c, i, w, fma_real(R(-2.0) * side, w[W_ALPHA], y[Y_Q(i)]),
                                select_real(rests, -row, row));
    const wheel_here here = {i, w, &one, turns, 0, 0, 0}, next = {i, w, &two, beyond, 0, 0, 0};
    find_edge_contact(p, c, &here, &at, y, &e->of[0][i]);
    find_edge_contact(p, c, &next, &at, y, &e->of[1][i]);
    if (SETTING(c, DRY)) {
      find_edge_dry(p, c, &here, &e->of[0][i]);
      find_edge_dry(p, c, &next, &e->of[1][i]);
    }

    /* The second roller is not among the idle sums: it is counted here. */
    real all[IDLE_COUNT];
    for (int j = 0; j < IDLE_COUNT; j++) all[j] = idle[i][j];
    count_second(w, side, R(1.0),
                 select_real(rests, second - lasting_spin(w, c, idle[i], side), R(0.0)), all);
    const real servo = servo_of(c, i, w, run->held, y);
    roller_sums sums;
    if (is_bare(c, i))
      sums = sum_fork(w, c, i, servo, turns);
    else
      sums = sum_rollers(w, &one, all, SETTING(c, BEARING), turns);
    if (SETTING(c, BEARING)) idle_rates(w, &one, idle[i], omega, rate, d_idle[i]);

    /* The drive and the bearings act without any contact force. */
    e->torque[i] = given_torque(w, c, i, drive[i], bus, rate, CURRENT_OF(c, y, i), &e->resist[i]);
    real torque = torque_on_wheel(c, w, &e->outer, e->torque[i]);
    if (SETTING(c, DRY)) brake_axle(w, c, rate, &torque, &e->lost);
    free_share(w, &one, &sums, torque, turns, &e->of[0][i].terms, &loads, &free_yaw_torque);
    if (swivels(c, i)) e->of[0][i].terms.free_spin = w[W_INV_ROLLER_INERTIA] * sums.bear_sin;
    if (is_steered(c, i)) e->work = fma_real(servo, angle_rate(c, y, i), e->work);
    e->of[1][i].terms.free_spin =
        -(w[W_DECAY] * (second - omega * two.axis_up - rate * w[W_SIN_PSI]));
    e->work = fma_real(e->torque[i], rate, e->work);
    if (is_rated(c, i)) e->torque[i] = prescribe_rate(w, drive[i], &e->of[0][i].terms, &loads);
    e->lost = fma_real(w[W_AXLE_BEARING] * rate, rate, e->lost + sums.dissipation);
    e->rollers = e->rollers + sums.dissipation;
  }

  end_edge_terms(run, drive, bus, y, &loads, free_yaw_torque, e);
}

/* Changes of the contacts' loads per unit of share l. */
FN void load_slope(const edge_run *run, const edge_terms *e, const edge_balance *b, int i, int l,
                   real *one, real *two) {
  const parameters *p = run->p;
  GLOBAL const int *c = run->c;
  *one = *two = R(0.0);
  if (!is_tracked(c, i)) { /* a given load has no part in the plane */
    *one = (R(1.0) - b->share[i]) * plane_load(p, c, i, &e->of[0][i], b->nu_by[l]);
    *two = b->share[i] * plane_load(p, c, i, &e->of[1][i], b->nu_by[l]);
  }
  if (i != l) return;
  *one = *one - plane_load(p, c, i, &e->of[0][i], b->nu);
  *two = *two + plane_load(p, c, i, &e->of[1][i], b->nu);
}

/* Generalised force of loads on the contacts a and b of a wheel on its rate. */
FN real edge_turn(const wheel_terms *a, const wheel_terms *b, real one, real two) {
  return fma_real(one * a->gain, a->on_rate, two * b->gain * b->on_rate);
}

/* Acceleration of wheel i by loads on its contacts. */
FN real edge_pull(const parameters *p, const wheel_terms *a, const wheel_terms *b, int i, real one,
                  real two) {
  return p->w[i][W_INV_INERTIA] * edge_turn(a, b, one, two);
}

/* Solutions of the load equations from which an exponent of the load takes its factor: each has the
 * error of the one before times the part of a load by dry friction, a hundredth at most. */
#define EDGE_DRY_ROUNDS 6

/* The plane for the shares in b->share; an exponent of the load applies to the wheel, to both its
 * rollers together
 * (appendix/bearings.md#bearings). */
FN void settle_load_plane(const parameters *p, GLOBAL const int *c, const edge_terms *e,
                          edge_balance *b) {
  int bent = SETTING(c, DRY) & DRY_EXPONENT;
  for (int i = 0; i < WHEELS(c); i++) b->factor[i] = R(1.0);
  for (int round = 0; bent && round < EDGE_DRY_ROUNDS; round++) {
    find_load_plane(p, c, e, b);
    for (int i = 0; i < WHEELS(c); i++) {
      real all = fma_real(R(1.0) - b->share[i], plane_load(p, c, i, &e->of[0][i], b->nu),
                          b->share[i] * plane_load(p, c, i, &e->of[1][i], b->nu));
      b->factor[i] = dry_factor(p->w[i], all);
    }
  }
  find_load_plane(p, c, e, b);
}

/* Loads and wheel accelerations for the shares in b->share. */
FN_CALL void weigh_edges(const edge_run *run, const edge_terms *e, edge_balance *b) {
  const parameters *p = run->p;
  GLOBAL const int *c = run->c;

  /* A single wheel carries the whole weight whatever its share. */
  if (WHEELS(c) > 1) {
    settle_load_plane(p, c, e, b);
  } else {
    b->factor[0] = SETTING(c, DRY) & DRY_EXPONENT ? dry_factor(p->w[0], e->right[0]) : R(1.0);
    b->nu[0] = e->right[0];
    b->nu[1] = b->nu[2] = b->nu_by[0][0] = b->nu_by[0][1] = b->nu_by[0][2] = R(0.0);
    b->solvable = eq(b->nu[1], b->nu[1]);
  }

  /* Loads of both contacts, the wheel's acceleration and its slopes by all shares. */
  for (int i = 0; i < WHEELS(c); i++) {
    b->load[0][i] = (R(1.0) - b->share[i]) * plane_load(p, c, i, &e->of[0][i], b->nu);
    b->load[1][i] = b->share[i] * plane_load(p, c, i, &e->of[1][i], b->nu);
    const edge_contact on = loaded_contact(c, e, b, 0, i), next = loaded_contact(c, e, b, 1, i);
    b->pull[i] = e->of[0][i].terms.free_rate +
                 edge_pull(p, &on.terms, &next.terms, i, b->load[0][i], b->load[1][i]);
    for (int l = 0; l < WHEELS(c); l++) {
      real one, two;
      load_slope(run, e, b, i, l, &one, &two);
      b->slope[i][l] = edge_pull(p, &on.terms, &next.terms, i, one, two);
    }

    /* Constant dry friction acts by the share, not by the load. */
    if (SETTING(c, DRY)) {
      real first = p->w[i][W_INV_INERTIA] * e->of[0][i].fixed.on_rate,
           more = p->w[i][W_INV_INERTIA] * e->of[1][i].fixed.on_rate - first;
      b->pull[i] = b->pull[i] + fma_real(b->share[i], more, first);
      b->slope[i][i] = b->slope[i][i] + more;
    }
  }
}

/* Changes of the velocities by loads on the contacts; leaves the force along x and z, and -F.v in
 * *lost. second: to the spins of the second rollers. */
FN void push_contacts(const parameters *p, GLOBAL const int *c, const edge_terms *e,
                      const edge_balance *b, const real load[2][WHEELS_MAX], real force[2],
                      real *dy, real *second) {
  real yaw = R(0.0), lost = R(0.0);
  force[0] = force[1] = R(0.0);
  for (int i = 0; i < WHEELS(c); i++) {
    const edge_contact one = loaded_contact(c, e, b, 0, i), two = loaded_contact(c, e, b, 1, i);
    for (int j = 0; j < 2; j++) {
      const wheel_terms *terms = j == 0 ? &one.terms : &two.terms;
      real scale = load[j][i] * terms->gain;
      force[0] = fma_real(scale, terms->fx, force[0]);
      force[1] = fma_real(scale, terms->fz, force[1]);
      yaw = fma_real(scale, terms->yaw, yaw);
      lost = fma_real(scale, terms->dissipation, lost);
    }
    real inverse = p->w[i][W_INV_ROLLER_INERTIA];
    dy[Y_RATE(i)] = edge_pull(p, &one.terms, &two.terms, i, load[0][i], load[1][i]);
    dy[Y_SPIN(i)] = load[0][i] * one.terms.gain * one.terms.on_spin * inverse;
    second[i] = load[1][i] * two.terms.gain * two.terms.on_spin * inverse;
  }
  dy[Y_OMEGA] = yaw;
  dy[Y_DISSIPATED] = lost;
}

/* Changes of the velocities by constant friction of the rollers, and of the second rollers' spins:
 * with the weights of the roller in contact and of the second one
 * (appendix/bearings.md#bearings). */
FN void push_fixed(const parameters *p, GLOBAL const int *c, const edge_terms *e,
                   const real weight[2][WHEELS_MAX], real *dy, real *second) {
  for (int i = 0; i < WHEELS(c); i++) {
    const dry_share *one = &e->of[0][i].fixed, *two = &e->of[1][i].fixed;
    real first = weight[0][i], other = weight[1][i], inverse = p->w[i][W_INV_ROLLER_INERTIA];
    dy[Y_RATE(i)] = fma_real(p->w[i][W_INV_INERTIA],
                             fma_real(first, one->on_rate, other * two->on_rate), dy[Y_RATE(i)]);
    dy[Y_SPIN(i)] = fma_real(first * inverse, one->on_spin, dy[Y_SPIN(i)]);
    second[i] = fma_real(other * inverse, two->on_spin, second[i]);
    dy[Y_OMEGA] = fma_real(first, one->yaw, fma_real(other, two->yaw, dy[Y_OMEGA]));
    dy[Y_DISSIPATED] =
        fma_real(first, one->rollers, fma_real(other, two->rollers, dy[Y_DISSIPATED]));
  }
}

/* Changes of the velocities and the dissipated energy where `amount[l]` of share l is given for
 * an instant: the load that moves from one roller to the other stops a wheel (enter_edges). */
FN_CALL void strike_edges(const edge_run *run, const edge_terms *e, const edge_balance *b,
                          const real *amount, real *dy, real *second) {
  const parameters *p = run->p;
  GLOBAL const int *c = run->c;
  real load[2][WHEELS_MAX], force[2];

  /* Changes of the loads by the amounts of all shares. */
  for (int i = 0; i < WHEELS(c); i++) {
    load[0][i] = load[1][i] = R(0.0);
    for (int l = 0; l < WHEELS(c); l++) {
      real one, two;
      load_slope(run, e, b, i, l, &one, &two);
      load[0][i] = fma_real(amount[l], one, load[0][i]);
      load[1][i] = fma_real(amount[l], two, load[1][i]);
    }
  }

  /* Their forces on wheels, rollers and platform. */
  push_contacts(p, c, e, b, load, force, dy, second);
  if (SETTING(c, DRY)) {
    real weight[2][WHEELS_MAX];
    for (int i = 0; i < WHEELS(c); i++) {
      weight[0][i] = -amount[i];
      weight[1][i] = amount[i];
    }
    push_fixed(p, c, e, weight, dy, second);
  }

  /* Velocities of the body origin from force and torque. */
  dy[Y_VX] = fma_real(force[0], p->v[P_INV_MASS], -(dy[Y_OMEGA] * p->v[P_COM_Z]));
  dy[Y_VZ] = fma_real(force[1], p->v[P_INV_MASS], dy[Y_OMEGA] * p->v[P_COM_X]);
}

/* Slip, force and load of the wheels as the observers and samples want them: of both rollers
 * together, slip and friction of the one in contact. */
FN void show_edges(const parameters *p, GLOBAL const int *c, const edge_terms *e,
                   const edge_balance *b, outputs *o) {
  /* Outputs of the vehicle. */
  o->servo = o->rolling = R(0.0);
  o->bearings = e->lost;
  o->rollers = e->rollers;
  o->solvable = b->solvable;

  /* Outputs of each wheel. */
  for (int i = 0; i < WHEELS(c); i++) {
    const edge_contact on = loaded_contact(c, e, b, 0, i), *one = &on,
                       next = loaded_contact(c, e, b, 1, i), *two = &next;
    real n1 = b->load[0][i], n2 = b->load[1][i], all = n1 + n2;
    real inverse = R(1.0) / select_real(eq(all, R(0.0)), R(1.0), all);

    /* Slip of the roller in contact; force per unit of load of both rollers together. */
    o->slip_i[i] = one->slip_i;
    o->slip_k[i] = one->slip_k;
    o->slip2[i] = one->slip2;
    o->friction[i] = one->friction;
    o->torque[i] = e->torque[i];
    o->load[i] = all;
    o->share[i] = inverse * n2;
    o->unit_i[i] = inverse * fma_real(n1, one->unit_i, n2 * two->unit_i);
    o->unit_k[i] = inverse * fma_real(n1, one->unit_k, n2 * two->unit_k);

    /* Dry friction loses energy in both rollers. */
    real share = b->share[i], fixed = R(0.0);
    if (SETTING(c, DRY)) {
      real lost = fma_real(R(1.0) - share, one->fixed.rollers, share * two->fixed.rollers);
      fixed = fma_real(R(1.0) - share, one->fixed.bracket_i, share * two->fixed.bracket_i);
      add_dry_losses(&one->terms, n1, o);
      add_dry_losses(&two->terms, n2, o);
      o->rollers = o->rollers + lost;
      o->bearings = o->bearings + lost;
    }

    if (is_rated(c, i)) { /* the drive bears the contact forces and rollers on the wheel */
      o->torque[i] = o->torque[i] - edge_turn(&one->terms, &two->terms, n1, n2);
      if (SETTING(c, DRY))
        o->torque[i] =
            o->torque[i] - fma_real(R(1.0) - share, one->fixed.on_rate, share * two->fixed.on_rate);
    }

    /* The servo that steers a single wheel holds it against all torques about its vertical. */
    if (WHEELS(c) == 1) {
      real bracket =
          fma_real(n2 * two->terms.gain, two->terms.unit_bracket_i,
                   fma_real(n1 * one->terms.gain, one->terms.unit_bracket_i, one->terms.bracket_i));
      if (SETTING(c, DRY)) bracket = bracket + fixed;
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
  real force[2], omega = y[Y_OMEGA];

  /* Contact forces on wheels, rollers and platform. */
  push_contacts(p, c, e, b, b->load, force, dy, second);
  if (SETTING(c, DRY)) {
    real weight[2][WHEELS_MAX];
    for (int i = 0; i < WHEELS(c); i++) {
      weight[0][i] = R(1.0) - b->share[i];
      weight[1][i] = b->share[i];
    }
    push_fixed(p, c, e, weight, dy, second);
  }

  /* The rates without contact forces are added to theirs. */
  for (int i = 0; i < WHEELS(c); i++) {
    dy[Y_Q(i)] = angle_rate(c, y, i);
    dy[Y_RATE(i)] = dy[Y_RATE(i)] + e->of[0][i].terms.free_rate;
    dy[Y_SPIN(i)] = dy[Y_SPIN(i)] + e->of[0][i].terms.free_spin;
    second[i] = second[i] + e->of[1][i].terms.free_spin;
  }

  /* The platform accelerates by all forces. */
  real yaw = e->free_yaw + dy[Y_OMEGA], lost = e->lost + dy[Y_DISSIPATED];
  show_edges(p, c, e, b, o);
  if (SETTING(c, EXTERNAL)) {
    force[0] = force[0] + e->outer.x;
    force[1] = force[1] + e->outer.z;
  }
  origin_acceleration(p->v, force[0], force[1], yaw, omega, o);
  platform_rates(y, o, yaw, dy);

  /* Energies and the motors' currents; a prescribed rate does the work of its torque. */
  dy[Y_DISSIPATED] = lost;
  dy[Y_WORK] = e->work;
  FOR_CURRENTS(c, i) {
    dy[Y_CURRENT(i)] = e->winding[i];
  }
  for (int i = 0; i < WHEELS(c); i++)
    if (is_rated(c, i)) dy[Y_WORK] = fma_real(o->torque[i], y[Y_RATE(i)], dy[Y_WORK]);
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
      take_largest(carries, squared, ratio2);
      *slip2 = max_real(touch->slip2, *slip2);
    }
  }
}
