/* The contacts of vehicles on compliant contacts as the matrix of the linearly implicit pairs sees
 * them (spring_matrix.h; appendix/springs.md#springs): rows of their velocities along n (the
 * rate of the depth), i and k, and how their forces fall with these. */

#if OMR_COMPLIANT

/* A velocity of a contact as factors of the rates of body, wheel and roller; body axes. */
typedef struct spring_row {
  vector3 origin, turn;
  real rate, spin;
} spring_row;

enum { ROW_N, ROW_I, ROW_K, SPRING_ROWS };

/* Bristles as they follow the slip v: z' = B v - slides z. */
typedef struct spring_bristle {
  real ii, ik, ki, kk; /* B */
  real share;          /* 1/(1 + sigma slides) */
  real force;          /* part of the contact's force per load in the right side of z */
} spring_bristle;

typedef struct spring_contact {
  spring_row row[SPRING_ROWS];
  real depth, deepens, steep; /* where the pass starts, as in touch and contact_load */
  slippage slip;
  real friction;
  int used; /* it may carry in some lane; the rest is filled then */
  real load, unit_i, unit_k;
  real resists[SPRING_ROWS][SPRING_ROWS]; /* C, the roller eliminated */
  real spun[SPRING_ROWS];                 /* loss of f0 by the roller, per torque on it */
  real spring;                            /* sigma times the slope of the load over the depth */
  spring_bristle bristle;
} spring_contact;

FN spring_row spring_row_of(const real *w, const wheel_motion *m, const touch *t,
                            vector3 direction) {
  spring_row row;
  row.spin = dot3(t->swing, direction);
  vector3 turn = cross3(added3(m->centre, R(1.0), t->spot), direction);
  row.turn = to_body(w, added3(turn, -row.spin, t->axis));
  row.origin = to_body(w, direction);
  row.rate =
      fma_real(t->spot.i, direction.j, fma_real(-t->spot.j, direction.i, -(t->axis.k * row.spin)));
  return row;
}

/* How a wheel, its roller and the platform move, or their rates. */
typedef struct spring_motion {
  vector3 velocity, turn; /* of the platform, body axes */
  real rate, spin, travel;
} spring_motion;

FN real along_row(const spring_row *row, const spring_motion *by) {
  real own =
      fma_real(row->rate, by->rate, fma_real(row->spin, by->spin, row->origin.j * by->travel));
  return (dot3(row->origin, by->velocity) + dot3(row->turn, by->turn)) + own;
}

/* Velocities of the platform, or their rates, among the integrated quantities. */
FN spring_motion platform_of(const real *y) {
  spring_motion by;
  by.velocity = vector_of(y[Y_VX], y[Y_VY], y[Y_VZ]);
  by.turn = vector_of(y[Y_ROLL_RATE], y[Y_OMEGA], y[Y_PITCH_RATE]);
  by.rate = by.spin = by.travel = R(0.0);
  return by;
}

/* Column of the spin of a roller that is looked at. */
FN int spin_column(int i, int near) {
  return near == ROLLER_BEFORE ? Y_BEFORE(i) : near == ROLLER_AFTER ? Y_AFTER(i) : Y_SPIN(i);
}

/* Adds the motion of wheel i, and of its roller. */
FN void take_wheel(GLOBAL const int *c, const real *y, int i, int near, spring_motion *by) {
  by->rate = y[Y_RATE(i)];
  by->spin = y[spin_column(i, near)];
  by->travel = SETTING(c, SUSPENSION) ? y[Y_TRAVEL_RATE(i)] : R(0.0);
}

/* One roller of a wheel where the pass starts. by: how all move. */
FN void place_spring_contact(const parameters *p, GLOBAL const int *c, const real *w,
                             wheel_motion m, int near, const place *at, const spring_motion *by,
                             spring_contact *d) {
  real sine[ROLLERS_LOOKED_AT], cosine[ROLLERS_LOOKED_AT];
  roller_angles(w, &m, sine, cosine);
  const real row = near == ROLLER_NEAREST ? m.row : -m.row;
  touch t;
  if (SETTING(c, FLOOR) & FLOOR_PROFILE)
    t = touch_profile(p, c, w, &m, sine[near], cosine[near], row);
  else
    t = touch_of(w, c, &m, sine[near], cosine[near], row);
  vector3 tau_i, tau_k;
  slip_axes(&m, &tau_i, &tau_k);
  d->depth = t.depth;
  d->steep = t.steep;
  d->row[ROW_N] = spring_row_of(w, &m, &t, vector_of(-m.up.i, -m.up.j, -m.up.k));
  d->row[ROW_I] = spring_row_of(w, &m, &t, tau_i);
  d->row[ROW_K] = spring_row_of(w, &m, &t, tau_k);
  d->deepens = along_row(&d->row[ROW_N], by);
  d->slip.i = along_row(&d->row[ROW_I], by);
  d->slip.k = along_row(&d->row[ROW_K], by);
  d->slip.square = fma_real(d->slip.i, d->slip.i, d->slip.k * d->slip.k);
  d->slip.rate = rolling_rate(&m);
  d->slip.drill = R(0.0);
  contact under;
  under.offset = -t.spot.k; /* all that patches ask of it */
  d->friction = ground_friction(p->v, c, w, &under, at);
}

/* How much the bristles of a contact resist slip per unit of load, their rates meanwhile, and their
 * force; the friction of steady sliding and the damping as at the start. */
FN stiffness bristle_stiffness(const real *w, real sigma, mask carries, const real bent[2],
                               spring_contact *d) {
  const bending b = bend_bristles(w, d->friction, d->slip, carries, bent);
  const push f = bristle_force(w, &b, d->slip, bent);
  spring_bristle *z = &d->bristle;
  real on = select_real(b.loaded, R(1.0), R(0.0)), rigid = w[W_BRISTLE_STIFFNESS];
  real slides = select_real(b.loaded, rigid * b.speed / b.friction, w[W_BRISTLE_RETURN]);
  real damping =
      w[W_BRISTLE_DAMPING] * b.friction / fma_real(w[W_BRISTLE_DAMPING], b.speed, b.friction);
  real lost = on * rigid / (b.friction * max_real(b.speed, R(1e-30)));
  z->ii = fma_real(-(lost * bent[0]), d->slip.i, on);
  z->ik = -(lost * bent[0] * d->slip.k);
  z->ki = -(lost * bent[1] * d->slip.i);
  z->kk = fma_real(-(lost * bent[1]), d->slip.k, on);
  z->share = R(1.0) / fma_real(sigma, slides, R(1.0));
  real bends = fma_real(-damping, slides, rigid) * z->share;
  z->force = -(on * sigma * bends);
  d->unit_i = f.i;
  d->unit_k = f.k;
  real all = fma_real(sigma, bends, damping), along = on * w[W_BRISTLE_VISCOUS];
  stiffness slope = {fma_real(all, z->ii, along), all * z->ik, all * z->ki,
                     fma_real(all, z->kk, along)};
  return slope;
}

/* The load that the matrix counts with, and the slopes of it over the depth and its rate: as deep
 * as the contact is or will be where the pass ends, since a matrix that resists more than the
 * contact leaves the pass stable, and one that resists less may not. */
FN void expect_load(const real *w, GLOBAL const int *c, real tau, spring_contact *d, real *stiff,
                    real *damped) {
  real deep = max_real(max_real(d->depth, fma_real(tau, d->deepens, d->depth)), R(0.0)), spring;
  mask carries = gt(deep, R(0.0));
  d->used = any_lane(carries);
  *stiff = w[W_CONTACT_STIFFNESS];
  if (SETTING(c, HERTZ)) *stiff = R(1.5) * *stiff * sqrt_real(deep);
  if (SETTING(c, FLOOR) & FLOOR_PROFILE) *stiff = *stiff * d->steep;
  d->load = contact_load(w, c, deep, d->steep, d->deepens, &spring);
  d->load = max_real(d->load, spring);
  *damped = SETTING(c, KELVIN_VOIGT) ? w[W_CONTACT_DAMPING] : w[W_CROSSLEY] * spring;
  *stiff = select_real(carries, *stiff, R(0.0));
  *damped = select_real(carries, *damped, R(0.0));
}

/* Torque of a contact's force on its roller, or on the fork. */
FN real turn_roller(GLOBAL const int *c, int i, const spring_contact *d,
                    const real f[SPRING_ROWS]) {
  real torque = fma_real(d->row[ROW_I].spin, f[ROW_I], d->row[ROW_K].spin * f[ROW_K]);
  if (swivels(c, i)) torque = fma_real(d->row[ROW_N].spin, f[ROW_N], torque);
  return torque;
}

/* Eliminates the roller, whose spin no other contact changes. */
FN void eliminate_roller(const real *w, spring_contact *d) {
  real turned[SPRING_ROWS], about[SPRING_ROWS], (*m)[SPRING_ROWS] = d->resists;
  const real by[SPRING_ROWS] = {d->row[ROW_N].spin, d->row[ROW_I].spin, d->row[ROW_K].spin};
  for (int j = 0; j < SPRING_ROWS; j++) {
    turned[j] = fma_real(m[j][0], by[0], fma_real(m[j][1], by[1], m[j][2] * by[2]));
    about[j] = fma_real(m[0][j], by[0], fma_real(m[1][j], by[1], m[2][j] * by[2]));
  }
  real own = fma_real(by[0], turned[0], fma_real(by[1], turned[1], by[2] * turned[2]));
  real inverse = w[W_INV_ROLLER_INERTIA] / fma_real(w[W_INV_ROLLER_INERTIA], own, R(1.0));
  for (int j = 0; j < SPRING_ROWS; j++) {
    d->spun[j] = turned[j] * inverse;
    for (int l = 0; l < SPRING_ROWS; l++) m[j][l] = fma_real(-d->spun[j], about[l], m[j][l]);
  }
}

/* C of a contact for a pass of length tau. bent: its bristles; rates: how the motion changes. */
FN void stiffen_contact(int law, const real *w, GLOBAL const int *c, real tau, real sigma,
                        const spring_motion *rates, const real *bent, spring_contact *d) {
  real stiff, damped;
  stiffness slope;
  expect_load(w, c, tau, d, &stiff, &damped);
  if (!d->used) return;
  if (HAS_BRISTLES(c)) {
    slope = bristle_stiffness(w, sigma, gt(d->load, R(0.0)), bent, d);
  } else {
    law_force(law, w, c, d->friction, d->slip, &d->unit_i, &d->unit_k);
    slope = law_stiffness(law, w, c, d->friction, d->slip,
                          fma_real(tau, along_row(&d->row[ROW_I], rates), d->slip.i),
                          fma_real(tau, along_row(&d->row[ROW_K], rates), d->slip.k));
  }
  real held = sigma * d->load, normal = sigma * fma_real(sigma, stiff, damped);
  real(*m)[SPRING_ROWS] = d->resists;
  d->spring = sigma * stiff;
  m[ROW_N][ROW_N] = normal;
  m[ROW_N][ROW_I] = m[ROW_N][ROW_K] = R(0.0);
  m[ROW_I][ROW_N] = -(d->unit_i * normal); /* friction grows with the load */
  m[ROW_K][ROW_N] = -(d->unit_k * normal);
  m[ROW_I][ROW_I] = held * slope.ii;
  m[ROW_I][ROW_K] = held * slope.ik;
  m[ROW_K][ROW_I] = held * slope.ki;
  m[ROW_K][ROW_K] = held * slope.kk;
  eliminate_roller(w, d);
}

#endif
