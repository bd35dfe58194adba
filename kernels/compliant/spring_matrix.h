/* The matrix of the linearly implicit pairs on compliant contacts: forces of springs, dampers and
 * friction of the contacts per velocity, and of the springs per place, which these velocities move
 * (appendix/springs.md#springs, explanation/steps.md#a-tolerance-is-relative-to-these-scales).
 *
 * With w the rates of a stage, r its right side, v the velocities and x the places, (I - sigma A) w
 * = r has the rows w_x = r_x + sigma T w_v, T the kinematics (pose_rates), and M w_v = M r_v + J^T
 * f, M the masses and J the rows of the contacts. A contact changes its force to f = f0 - C
 * J w_v: C has the damper and sigma times the spring, the friction that both take along, and how
 * friction resists slip; f0 is the spring's for r_x. Rollers, or forks, are eliminated in their
 * contacts, then the wheels, and six equations of the platform are left. Friction of bearings is
 * left out: where it is stiff a roller is on the floor, whose friction holds it far more. */

#if OMR_COMPLIANT

/* A wheel with its own two freedoms, rate and travel, eliminated. */
enum { OWN_RATE, OWN_TRAVEL, OWN_ROWS };
typedef struct spring_wheel {
  real inverse[OWN_ROWS][OWN_ROWS];
  real from_body[OWN_ROWS][SIX]; /* the inverse times the coupling with the platform */
  real on_body[SIX][OWN_ROWS];
  real damped, suspended, sprung; /* sigma times: dampers of the rate, of the travel; the spring */
  real sine, cosine;              /* of an axle that swivels */
} spring_wheel;

typedef struct spring_matrix {
  spring_contact contact[WHEELS_MAX][ROLLERS_LOOKED_AT];
  spring_wheel wheel[WHEELS_MAX];
  real lu[SIX][SIX]; /* of the platform: L below, U above, inverses of U's diagonal on it */
  real sigma, yaw;
  attitude pose; /* where the pass starts */
} spring_matrix;

/* Whether the matrix has a row for column j: not for the sums. */
FN int has_spring_row(int j) {
  if (j == Y_DISSIPATED || j == Y_WORK || j == Y_PATH) return 0;
  return j < Y_VERTICAL_SUM || j > Y_SUSPENSION_LOSS;
}

/* The contacts where the pass starts, for the state y at time t. */
FN_CALL void place_springs(const parameters *p, GLOBAL const int *c, const held_state *held, real t,
                           const real *y, spring_matrix *a) {
  attitude pose = attitude_of(y);
  if (SETTING(c, FLOOR)) look_along_floor(p, c, y[Y_YAW], &pose);
  a->pose = pose;
  a->yaw = y[Y_YAW];
  const place at = place_of(c, y, t);
  spring_motion by = platform_of(y);
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    real room[W_COUNT];
    const real *w = wheel_at(p, c, i, y[Y_Q(i)], room);
    wheel_motion m = wheel_motion_of(w, c, &pose, y, i);
    if (m.fork) {
      a->wheel[i].sine = w[W_SIN];
      a->wheel[i].cosine = w[W_COS];
    }
    m.row = held->row[i];
    for (int near = 0; near < rollers_touching(c, i); near++) {
      take_wheel(c, y, i, near, &by);
      place_spring_contact(p, c, w, m, near, &at, &by, &a->contact[i][near]);
    }
  }
}

/* Masses of the vehicle with its wheels locked, about the body origin. */
FN void lock_masses(const real *v, real m[SIX][SIX]) {
  const real mass = v[P_MASS], x = v[P_COM_X], y = v[P_HEIGHT], z = v[P_COM_Z];
  for (int j = 0; j < SIX; j++)
    for (int l = 0; l < SIX; l++) m[j][l] = R(0.0);
  m[0][0] = m[1][1] = m[2][2] = mass;
  m[4][0] = m[0][4] = mass * z;
  m[5][0] = m[0][5] = -(mass * y);
  m[3][1] = m[1][3] = -(mass * z);
  m[5][1] = m[1][5] = mass * x;
  m[3][2] = m[2][3] = mass * y;
  m[4][2] = m[2][4] = -(mass * x);
  m[3][3] = fma_real(mass, fma_real(y, y, z * z), v[P_J_XX]);
  m[4][4] = fma_real(mass, fma_real(x, x, z * z), v[P_J_YY]);
  m[5][5] = fma_real(mass, fma_real(x, x, y * y), v[P_J_ZZ]);
  m[3][4] = m[4][3] = fma_real(-(mass * x), y, v[P_J_XY]);
  m[3][5] = m[5][3] = fma_real(-(mass * x), z, v[P_J_XZ]);
  m[4][5] = m[5][4] = fma_real(-(mass * y), z, v[P_J_YZ]);
}

/* Entry j of a row: the six of the platform, then the wheel's rate and travel. */
enum { RATE_ENTRY = SIX, TRAVEL_ENTRY, ROW_ENTRIES };
FN void row_entries(const spring_row *row, real entry[ROW_ENTRIES]) {
  entry[0] = row->origin.i;
  entry[1] = row->origin.j;
  entry[2] = row->origin.k;
  entry[3] = row->turn.i;
  entry[4] = row->turn.j;
  entry[5] = row->turn.k;
  entry[RATE_ENTRY] = row->rate;
  entry[TRAVEL_ENTRY] = row->origin.j;
}

FN real times_row(const real row[SPRING_ROWS], const real by[SPRING_ROWS]) {
  return fma_real(row[0], by[0], fma_real(row[1], by[1], row[2] * by[2]));
}

/* Adds J^T C J of a contact to the equations of platform, rate and travel. */
FN void add_spring_contact(const spring_contact *d, real all[ROW_ENTRIES][ROW_ENTRIES]) {
  real row[SPRING_ROWS][ROW_ENTRIES];
  for (int j = 0; j < SPRING_ROWS; j++) row_entries(&d->row[j], row[j]);
  for (int j = 0; j < ROW_ENTRIES; j++) {
    const real by[SPRING_ROWS] = {row[ROW_N][j], row[ROW_I][j], row[ROW_K][j]};
    const real f[SPRING_ROWS] = {times_row(d->resists[ROW_N], by), times_row(d->resists[ROW_I], by),
                                 times_row(d->resists[ROW_K], by)};
    for (int l = 0; l < ROW_ENTRIES; l++)
      all[l][j] = fma_real(row[0][l], f[0],
                           fma_real(row[1][l], f[1], fma_real(row[2][l], f[2], all[l][j])));
  }
}

/* Adds masses and dampers of the wheel's own freedoms; the suspension's spring. fork: it swivels.
 */
FN void add_own_rows(const real *w, GLOBAL const int *c, int fork, real sigma, real resist,
                     spring_wheel *wheel, real all[ROW_ENTRIES][ROW_ENTRIES]) {
  const real sine = fork ? wheel->sine : w[W_SIN], cosine = fork ? wheel->cosine : w[W_COS];
  const real axle[SIX] = {R(0.0), R(0.0), R(0.0), sine, R(0.0), cosine};
  const real lift[SIX] = {R(0.0), R(1.0), R(0.0), -w[W_B], R(0.0), w[W_A]};
  real mass = R(0.0);

  /* Inertia of a fork by the direction of its axle. */
  for (int j = 3; fork && j < SIX; j++)
    for (int l = 3; l < SIX; l++)
      all[j][l] = fma_real(w[W_FORK_SPREAD] * axle[j], axle[l], all[j][l]);

  /* Dampers of the wheel's rate: the axle's bearing and the motor. */
  wheel->damped = sigma * w[W_AXLE_BEARING];
  if (SETTING(c, MOTOR)) wheel->damped = fma_real(sigma, resist, wheel->damped);

  /* Mass, spring and damper of the suspension's travel. */
  wheel->suspended = wheel->sprung = R(0.0);
  if (SETTING(c, SUSPENSION)) {
    mass = w[W_UNSPRUNG];
    wheel->sprung = sigma * w[W_SUSPENSION_STIFFNESS];
    wheel->suspended = sigma * fma_real(sigma, w[W_SUSPENSION_STIFFNESS], w[W_SUSPENSION_DAMPING]);
  }

  /* The wheel's momentum and unsprung mass couple it to the platform. */
  for (int j = 0; j < SIX; j++) {
    all[RATE_ENTRY][j] = fma_real(w[W_MOMENTUM], axle[j], all[RATE_ENTRY][j]);
    all[j][RATE_ENTRY] = fma_real(w[W_MOMENTUM], axle[j], all[j][RATE_ENTRY]);
    all[TRAVEL_ENTRY][j] = fma_real(mass, lift[j], all[TRAVEL_ENTRY][j]);
    all[j][TRAVEL_ENTRY] = fma_real(mass, lift[j], all[j][TRAVEL_ENTRY]);
  }
  all[RATE_ENTRY][RATE_ENTRY] = all[RATE_ENTRY][RATE_ENTRY] + wheel->damped;
  all[TRAVEL_ENTRY][TRAVEL_ENTRY] = (all[TRAVEL_ENTRY][TRAVEL_ENTRY] + mass) + wheel->suspended;
}

/* Inverse of the wheel's own two rows. The rate's row is over the inertia, which has no bound
 * where the rate is prescribed; there is no travel without a suspension. */
FN void invert_own_rows(const real *w, GLOBAL const int *c, spring_wheel *wheel,
                        real all[ROW_ENTRIES][ROW_ENTRIES]) {
  const real over = w[W_INV_INERTIA];
  const int sprung = SETTING(c, SUSPENSION);
  const real rates = fma_real(over, all[RATE_ENTRY][RATE_ENTRY], R(1.0));
  const real aside = sprung ? over * all[RATE_ENTRY][TRAVEL_ENTRY] : R(0.0);
  const real back = sprung ? all[TRAVEL_ENTRY][RATE_ENTRY] : R(0.0);
  const real travels = sprung ? all[TRAVEL_ENTRY][TRAVEL_ENTRY] : R(1.0);
  const real inverse = R(1.0) / fma_real(rates, travels, -(aside * back));
  wheel->inverse[OWN_RATE][OWN_RATE] = inverse * travels * over;
  wheel->inverse[OWN_RATE][OWN_TRAVEL] = -(inverse * aside);
  wheel->inverse[OWN_TRAVEL][OWN_RATE] = -(inverse * back * over);
  wheel->inverse[OWN_TRAVEL][OWN_TRAVEL] = sprung ? inverse * rates : R(0.0);
}

/* Adds wheel i, its contacts stiffened, to the platform's equations. */
FN void add_spring_wheel(const real *w, GLOBAL const int *c, int i, real resist, spring_matrix *a) {
  spring_wheel *wheel = &a->wheel[i];
  real all[ROW_ENTRIES][ROW_ENTRIES];
  for (int j = 0; j < ROW_ENTRIES; j++)
    for (int l = 0; l < ROW_ENTRIES; l++) all[j][l] = R(0.0);

  /* Stiffness of the contacts that touch, then masses and dampers of the wheel. */
  for (int near = 0; near < rollers_touching(c, i); near++) {
    if (a->contact[i][near].used) add_spring_contact(&a->contact[i][near], all);
  }
  add_own_rows(w, c, swivels(c, i), a->sigma, resist, wheel, all);
  invert_own_rows(w, c, wheel, all);

  /* Eliminate the wheel's rate and travel, and keep how they follow the platform. */
  for (int j = 0; j < SIX; j++) {
    for (int own = 0; own < OWN_ROWS; own++) {
      wheel->on_body[j][own] = all[j][RATE_ENTRY + own];
      wheel->from_body[own][j] = fma_real(wheel->inverse[own][OWN_RATE], all[RATE_ENTRY][j],
                                          wheel->inverse[own][OWN_TRAVEL] * all[TRAVEL_ENTRY][j]);
    }
  }
  for (int j = 0; j < SIX; j++) {
    for (int l = 0; l < SIX; l++) {
      real less = fma_real(wheel->on_body[j][OWN_RATE], wheel->from_body[OWN_RATE][l],
                           wheel->on_body[j][OWN_TRAVEL] * wheel->from_body[OWN_TRAVEL][l]);
      a->lu[j][l] = a->lu[j][l] + (all[j][l] - less);
    }
  }
}

FN void split_platform(real m[SIX][SIX]) {
  for (int j = 0; j < SIX; j++) {
    m[j][j] = R(1.0) / m[j][j];
    for (int row = j + 1; row < SIX; row++) {
      m[row][j] = m[row][j] * m[j][j];
      for (int l = j + 1; l < SIX; l++) m[row][l] = fma_real(-m[row][j], m[j][l], m[row][l]);
    }
  }
}

FN void solve_platform(real m[SIX][SIX], real x[SIX]) {
  for (int j = 0; j < SIX; j++)
    for (int l = 0; l < j; l++) x[j] = fma_real(-m[j][l], x[l], x[j]);
  for (int j = SIX - 1; j >= 0; j--) {
    for (int l = j + 1; l < SIX; l++) x[j] = fma_real(-m[j][l], x[l], x[j]);
    x[j] = x[j] * m[j][j];
  }
}

/* I - sigma A for a pass of length tau, its contacts placed. y, dy: state and rates where it
 * starts; o: outputs of the right-hand side there. */
FN_CALL void make_spring_matrix(const parameters *p, GLOBAL const int *c, const outputs *o,
                                real tau, real sigma, const real *y, const real *dy,
                                spring_matrix *a) {
  spring_motion rates = platform_of(dy);
  a->sigma = sigma;
  lock_masses(p->v, a->lu);
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    for (int near = 0; near < rollers_touching(c, i); near++) {
      take_wheel(c, dy, i, near, &rates);
      stiffen_contact(law_of(c, i), p->w[i], c, tau, sigma, &rates, y + Y_BENT(i, near),
                      &a->contact[i][near]);
    }
    add_spring_wheel(p->w[i], c, i, o->resist[i], a);
  }
  split_platform(a->lu);
}

/* Motion of the body along its own axes, for rates of its pose in dy: inverse of pose_rates. */
FN spring_motion moves_of(const spring_matrix *a, const real *dy) {
  const attitude *pose = &a->pose;
  spring_motion by = platform_of(dy);
  real sine, cosine, turn = dy[Y_YAW] * pose->cos_pitch;
  sincos_real(a->yaw, &sine, &cosine);
  by.velocity =
      from_level(pose, vector_of(fma_real(dy[Y_X], cosine, -(dy[Y_Z] * sine)), dy[Y_HEIGHT],
                                 fma_real(dy[Y_X], sine, dy[Y_Z] * cosine)));
  by.turn = vector_of(fma_real(dy[Y_YAW], pose->sin_pitch, dy[Y_ROLL]),
                      fma_real(turn, pose->cos_roll, dy[Y_PITCH] * pose->sin_roll),
                      fma_real(dy[Y_PITCH], pose->cos_roll, -(turn * pose->sin_roll)));
  return by;
}

/* f0 of a contact, the roller eliminated. moved: for the right sides of the places; bent: for the
 * bristles. */
FN void spring_force(GLOBAL const int *c, int i, const spring_contact *d,
                     const spring_motion *moved, const real *bent, real f[SPRING_ROWS]) {
  real pressed = d->spring * along_row(&d->row[ROW_N], moved);
  f[ROW_N] = -pressed;
  f[ROW_I] = d->unit_i * pressed;
  f[ROW_K] = d->unit_k * pressed;
  if (HAS_BRISTLES(c)) {
    f[ROW_I] = fma_real(d->load * d->bristle.force, bent[0], f[ROW_I]);
    f[ROW_K] = fma_real(d->load * d->bristle.force, bent[1], f[ROW_K]);
  }
  real torque = turn_roller(c, i, d, f);
  for (int j = 0; j < SPRING_ROWS; j++) f[j] = fma_real(-d->spun[j], torque, f[j]);
}

/* f -= C J w. */
FN void resist_motion(const spring_contact *d, const spring_motion *by, real f[SPRING_ROWS]) {
  const real goes[SPRING_ROWS] = {along_row(&d->row[ROW_N], by), along_row(&d->row[ROW_I], by),
                                  along_row(&d->row[ROW_K], by)};
  for (int j = 0; j < SPRING_ROWS; j++) f[j] = f[j] - times_row(d->resists[j], goes);
}

/* Adds the effect of force f of a contact on wheel and platform. */
FN void push_spring(const spring_contact *d, const real f[SPRING_ROWS], real own[OWN_ROWS],
                    real x[SIX]) {
  for (int j = 0; j < SPRING_ROWS; j++) {
    real entry[ROW_ENTRIES];
    row_entries(&d->row[j], entry);
    for (int l = 0; l < SIX; l++) x[l] = fma_real(entry[l], f[j], x[l]);
    for (int l = 0; l < OWN_ROWS; l++) own[l] = fma_real(entry[RATE_ENTRY + l], f[j], own[l]);
  }
}

/* The unknowns of the stage: forces of the contacts, and their effects on each wheel. */
typedef struct spring_solve {
  real force[WHEELS_MAX][ROLLERS_LOOKED_AT][SPRING_ROWS], own[WHEELS_MAX][OWN_ROWS], x[SIX];
} spring_solve;

/* Forces for the right sides in dy, and their effect on the platform once the wheels have given
 * way. */
FN void push_springs(GLOBAL const int *c, const spring_matrix *a, const real *dy,
                     spring_solve *left) {
  spring_motion rates = platform_of(dy), moved = moves_of(a, dy);
  for (int j = 0; j < SIX; j++) left->x[j] = R(0.0);
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    /* The suspension's spring and the dampers act on the wheel. */
    const spring_wheel *wheel = &a->wheel[i];
    real push[OWN_ROWS] = {-(wheel->damped * dy[Y_RATE(i)]), R(0.0)};
    moved.rate = dy[Y_Q(i)];
    if (KINDS_OF(c) & KINDS_SWIVEL) {
      moved.spin = swivels(c, i) ? moved.turn.j + dy[Y_Q(i)] : R(0.0);
      if (swivels(c, i)) moved.rate = R(0.0);
    }
    if (SETTING(c, SUSPENSION)) {
      moved.travel = dy[Y_TRAVEL(i)];
      push[OWN_TRAVEL] =
          -fma_real(wheel->suspended, dy[Y_TRAVEL_RATE(i)], wheel->sprung * dy[Y_TRAVEL(i)]);
    }

    /* The contacts push the wheel and the platform. */
    for (int near = 0; near < rollers_touching(c, i); near++) {
      const spring_contact *d = &a->contact[i][near];
      if (!d->used) continue;
      take_wheel(c, dy, i, near, &rates);
      spring_force(c, i, d, &moved, dy + Y_BENT(i, near), left->force[i][near]);
      resist_motion(d, &rates, left->force[i][near]);
      push_spring(d, left->force[i][near], push, left->x);
    }

    /* The wheel gives way, which takes its part of the push from the platform. */
    for (int own = 0; own < OWN_ROWS; own++)
      left->own[i][own] =
          fma_real(wheel->inverse[own][0], push[0], wheel->inverse[own][1] * push[1]);
    for (int j = 0; j < SIX; j++)
      left->x[j] = fma_real(-wheel->on_body[j][0], left->own[i][0],
                            fma_real(-wheel->on_body[j][1], left->own[i][1], left->x[j]));
  }
}

/* Bristles for the slip that the velocities in by have. */
FN void bend_spring(const spring_contact *d, real sigma, const spring_motion *by, real *bends) {
  const spring_bristle *z = &d->bristle;
  real slip_i = along_row(&d->row[ROW_I], by), slip_k = along_row(&d->row[ROW_K], by);
  bends[0] = z->share * fma_real(sigma, fma_real(z->ii, slip_i, z->ik * slip_k), bends[0]);
  bends[1] = z->share * fma_real(sigma, fma_real(z->ki, slip_i, z->kk * slip_k), bends[1]);
}

/* Bristles of a roller in the air, as bristle_stiffness has them where other lanes carry. */
FN void return_bristles(const real *w, real sigma, real *bends) {
  real share = R(1.0) / fma_real(sigma, w[W_BRISTLE_RETURN], R(1.0));
  bends[0] = share * bends[0];
  bends[1] = share * bends[1];
}

/* A wheel and its rollers follow the platform, by its rates in dy and, besides their old values,
 * more. */
FN void follow_platform(const real *w, GLOBAL const int *c, int i, const spring_matrix *a,
                        const spring_solve *left, spring_motion more, real *dy) {
  const spring_wheel *wheel = &a->wheel[i];

  /* Rate and travel of the wheel follow from the platform's change. */
  more.rate = left->own[i][OWN_RATE];
  more.travel = left->own[i][OWN_TRAVEL];
  for (int j = 0; j < SIX; j++) {
    more.rate = fma_real(-wheel->from_body[OWN_RATE][j], left->x[j], more.rate);
    more.travel = fma_real(-wheel->from_body[OWN_TRAVEL][j], left->x[j], more.travel);
  }

  /* The wheel's velocities, then its angle and travel by them. */
  dy[Y_RATE(i)] = dy[Y_RATE(i)] + more.rate;
  if (!swivels(c, i)) dy[Y_Q(i)] = fma_real(a->sigma, dy[Y_RATE(i)], dy[Y_Q(i)]);
  if (SETTING(c, SUSPENSION)) {
    dy[Y_TRAVEL_RATE(i)] = dy[Y_TRAVEL_RATE(i)] + more.travel;
    dy[Y_TRAVEL(i)] = fma_real(a->sigma, dy[Y_TRAVEL_RATE(i)], dy[Y_TRAVEL(i)]);
  }

  /* Spins and bristles of the rollers follow from platform and wheel. */
  spring_motion by = platform_of(dy);
  for (int near = 0; near < rollers_touching(c, i); near++) {
    const spring_contact *d = &a->contact[i][near];
    if (!d->used) {
      if (HAS_BRISTLES(c)) return_bristles(w, a->sigma, dy + Y_BENT(i, near));
      continue;
    }
    const real *before = left->force[i][near];
    real f[SPRING_ROWS] = {before[0], before[1], before[2]}, *spin = &dy[spin_column(i, near)];
    resist_motion(d, &more, f);
    *spin = fma_real(w[W_INV_ROLLER_INERTIA], turn_roller(c, i, d, f), *spin);
    if (!HAS_BRISTLES(c)) continue;
    take_wheel(c, dy, i, near, &by);
    bend_spring(d, a->sigma, &by, dy + Y_BENT(i, near));
  }
  if (swivels(c, i)) dy[Y_Q(i)] = fma_real(a->sigma, dy[Y_SPIN(i)] - dy[Y_OMEGA], dy[Y_Q(i)]);
}

/* dy := (I - sigma A)^-1 dy for all that the matrix has rows of. */
FN_CALL void solve_spring_matrix(const parameters *p, GLOBAL const int *c, spring_matrix *a,
                                 real *dy) {
  const int velocity[SIX] = {Y_VX, Y_VY, Y_VZ, Y_ROLL_RATE, Y_OMEGA, Y_PITCH_RATE};
  const int place[SIX] = {Y_X, Y_Z, Y_YAW, Y_HEIGHT, Y_PITCH, Y_ROLL};

  /* The platform's velocities, with wheels and rollers eliminated. */
  spring_solve left;
  push_springs(c, a, dy, &left);
  solve_platform(a->lu, left.x);
  for (int j = 0; j < SIX; j++) dy[velocity[j]] = dy[velocity[j]] + left.x[j];

  /* Wheels and rollers follow the platform. */
  spring_motion more = platform_of(dy);
  more.velocity = vector_of(left.x[0], left.x[1], left.x[2]);
  more.turn = vector_of(left.x[3], left.x[4], left.x[5]);
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++)
      follow_platform(p->w[i], c, i, a, &left, more, dy);

  /* The pose moves by the new velocities. */
  attitude goes = a->pose;
  spring_motion by = platform_of(dy);
  real moved[Y_COUNT];
  goes.velocity = by.velocity;
  goes.turn = by.turn;
  pose_rates(&goes, a->yaw, moved);
  for (int j = 0; j < SIX; j++) dy[place[j]] = fma_real(a->sigma, moved[place[j]], dy[place[j]]);
}

/* The part of a pass on few wheels, which begins and ends at once, from both its ends: weights of
 * stages below 0 would take from it. */
FN void share_time(const motion *rates, int last, motion *change) {
  change->y[Y_FEW_TIME] = R(0.5) * (rates[0].y[Y_FEW_TIME] + rates[last].y[Y_FEW_TIME]);
}

#endif
