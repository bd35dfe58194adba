/* Linearly implicit method for stiff friction: ROS2 (J. G. Verwer, E. J. Spee, J. G. Blom, W.
 * Hundsdorfer, SIAM J. Sci. Comput. 20, 1999), a W-method: of order 2 whatever matrix stands for
 * the Jacobian (explanation/steps.md#methods),
 *
 *   (I - g h A) k1 = h f(t, u),  (I - g h A) k2 = h f(t + h, u + k1) - 2 k1,
 *   u' = u + 3/2 k1 + 1/2 k2.
 *
 * A knows how friction depends on the slip, and the slip on the velocities and on the contact
 * angles: A = -M^-1 J^T K (J | dv/dq), K the stiffness of each contact with its load as at the
 * start of the pass. Its rows for positions and sums are zero, so that these are integrated by
 * Heun's method; so are the heave of discs, rolling friction and bearings. With L1 =
 * k1/h and L2 = k2/h + 2 k1/h the sums above are u' = u + h/2 (L1 + L2): the stages of Heun's
 * method with other rates.
 *
 * g = 1 + 1/sqrt(2): then the method is L-stable for A = f' and its amplification (1 + (1 - 2 g)
 * z)/(1 - g z)^2 is positive, so that slip decays without ringing. For A = theta f' the
 * amplification at infinity, 1 - 2/x + 1/(2 x^2) with x = g theta, stays within
 * [-1, 1] for every x > 1/4, that is theta > 0.15; the other L-stable choice, 1 - 1/sqrt(2), would
 * need theta > 0.85, more than frozen loads and contact points allow. */

#define ROSENBROCK_GAMMA R_BY(1.7071067811865475, 1.7071067811865475244)

/* Functions of the matrix: cold where few runs need them, part of the pass in objects that are
 * compiled for one run. */
#if defined(OMR_COMPILED)
#define FN_STIFF FN
#else
#define FN_STIFF FN_COLD
#endif

/* Dry friction of bearings and rolling resistance as the matrix sees them: dampers of the roller's
 * spin and of the wheel's rate, by the secants of their direction, which bring both to rest within
 * a step; their coupling is left out. With (M + sigma K) in place of M for these two the rest of
 * the matrix is the same as without them. */
typedef struct stiff_dry {
  real roller, axle, rolling; /* secants: S/phi', S/chi', f/|smoothed angular velocity| */
  real axis_along, axis_up;   /* of the contact */
  real drill;                 /* drill_speed */
} stiff_dry;

/* One contact as the matrix sees it. */
typedef struct stiff_contact {
  stiffness
      s; /* (I + sigma K G)^-1 sigma K, sigma = g h: the contact's resistance to the platform */
  real i_yaw, k_yaw;       /* d v/d omega about the centre of mass */
  real i_rate, k_rate;     /* d v/d chi' */
  real i_spin, k_spin;     /* d v/d s */
  real i_angle, k_angle;   /* d v/d q */
  real i_change, k_change; /* rate of the slip where the pass starts */
  stiff_dry dry;           /* only of a run with dry friction */
  real rate_share,
      spin_share; /* J/(J + sigma D) of wheel and roller, D the fall of a torque per rate:
                     dampers make an inertia seem larger; only of a run with dampers */
} stiff_contact;

/* I - g h A, its wheels eliminated; kept from the first stage to the second. */
typedef struct stiff_matrix {
  stiff_contact contact[WHEELS_MAX];
  real inverse[3][3]; /* of M_p + sum P^T S P for (U_x, U_z, omega), U the velocity of the centre of
                         mass */
  real first[3 + 2 * WHEELS_MAX];                   /* L1 of the velocities */
  real first_rate[WHEELS_MAX];                      /* chi' at the start */
  real heading[WHEELS_MAX], first_turn[WHEELS_MAX]; /* of wheels that swivel: delta, delta' */
} stiff_matrix;

/* A wheel's parameters as where the pass starts (wheel_at). */
FN const real *stiff_columns(const parameters *p, GLOBAL const int *c, const stiff_matrix *a, int i,
                             real *room) {
  return swivels(c, i) ? wheel_at(p, c, i, a->heading[i], room) : p->w[i];
}

/* d v/d q of the slip for the velocities y (appendix/rollers.md#slip, differentiated). */
FN void slip_per_angle(const contact *k, const real *w, real omega, real rate, real spin,
                       real *i_angle, real *k_angle) {
  real inv_cos = R(1.0) / k->cos_q;
  real center = w[W_CENTER] * inv_cos;
  real height = w[W_RADIUS] - center;
  real d_height = -(center * k->sin_q * inv_cos);
  real roll = spin - omega * k->axis_up - rate * w[W_SIN_PSI]; /* phi' */
  real d_roll = -(omega * k->axis_along);
  real turned = fma_real(d_height, roll, height * d_roll);
  *i_angle = fma_real(turned, w[W_SIN_PSI], -(omega * w[W_SHIFT] * inv_cos * inv_cos));
  *k_angle = fma_real(height * roll, k->axis_up, -(turned * k->axis_along));
}

/* The same of a bare wheel, whose slip is (v_i, v_k): its axes turn with the fork's angle, and the
 * place of the swivel axis does not. */
FN void slip_per_heading(GLOBAL const int *c, const contact *k, int i, const real *y,
                         const real slip[2], real *i_angle, real *k_angle) {
  *i_angle = *k_angle = R(0.0);
  if (!swivels(c, i)) return;
  *i_angle = fma_real(k->k_spin, y[Y_SPIN(i)], -slip[1]);
  *k_angle = fma_real(-k->i_rate, y[Y_RATE(i)], slip[0]);
}

/* Whether torques fall with the rates of wheels or rollers, apart from contacts' torques. */
FN int has_dampers(GLOBAL const int *c) {
  return SETTING(c, DRY) || SETTING(c, MOTOR);
}

/* Inverses of the inertias of wheel and roller, dampers included. */
FN real stiff_by_rate(const real *w, GLOBAL const int *c, const stiff_contact *d) {
  return has_dampers(c) ? w[W_INV_INERTIA] * d->rate_share : w[W_INV_INERTIA];
}

FN real stiff_by_spin(const real *w, GLOBAL const int *c, const stiff_contact *d) {
  return SETTING(c, DRY) ? w[W_INV_ROLLER_INERTIA] * d->spin_share : w[W_INV_ROLLER_INERTIA];
}

/* The secants of wheel i's bearings for the velocities y. */
FN void place_stiff_dry(const real *w, GLOBAL const int *c, const contact *k, turning turns,
                        stiff_dry *d) {
  dry_turns all = turn_dry(w, c, k, turns);
  d->axis_along = k->axis_along;
  d->axis_up = k->axis_up;
  d->roller = dry_secant(c, all.roll, w[W_DRY_INV_SMOOTHING], w[W_DRY_RISE], w[W_DRY_INV_STRIBECK]);
  d->axle =
      dry_secant(c, all.rate, w[W_AXLE_INV_SMOOTHING], w[W_AXLE_RISE], w[W_AXLE_INV_STRIBECK]);
  d->rolling = SETTING(c, DRY) & DRY_ROLLING ? rolling_gain(w, &all) : R(0.0);
  d->drill = drill_speed(w, c, k, turns);
}

/* Dry friction as dampers of spin and wheel rate, under the load that `o` has. Rolling resistance
 * is a damper of the horizontal angular velocity phi' (axis_along, sin psi) + (0, chi'), where phi'
 * has -sin psi chi'; drilling friction of the vertical one, phi' axis_up + omega
 * (appendix/bearings.md#bearings). */
FN void dry_dampers(const real *w, GLOBAL const int *c, int i, const outputs *o, const stiff_dry *d,
                    real *spin, real *rate) {
  contact k;
  k.axis_along = d->axis_along;
  k.axis_up = d->axis_up;
  real load = max_real(o->load[i], R(0.0)), s = w[W_SIN_PSI], s2 = s * s;
  if (SETTING(c, DRY) & DRY_EXPONENT) load = load * dry_factor(w, load);
  real pin = d->roller *
             fma_real(load, dry_roller_load(w, c, &k, o->unit_i[i], o->unit_k[i]), w[W_DRY_TORQUE]);
  real axle = d->axle * fma_real(load, dry_axle_load(w, o->unit_i[i]), w[W_AXLE_TORQUE]);
  real rolling = load * d->rolling, along2 = k.axis_along * k.axis_along, c2 = R(1.0) - s2;
  if (SETTING(c, DRY) & DRY_DRILLING)
    pin = fma_real(load * (k.axis_up * k.axis_up),
                   drilling_gain(w, o->friction[i], o->slip2[i], d->drill), pin);
  *spin = fma_real(rolling, along2 + s2, pin);
  *rate = fma_real(rolling, fma_real(s2, along2, c2 * c2), fma_real(s2, pin, axle));
}

/* The dampers of contact d of wheel i: dry friction, and the motor, of whose torque the matrix has
 * only the slope over the wheel's own rate, at the supply's voltage
 * (appendix/drives.md#drives). */
FN void damp_stiff_contact(const real *w, GLOBAL const int *c, int i, const outputs *o, real sigma,
                           stiff_contact *d) {
  real rate = R(0.0);
  if (SETTING(c, DRY)) {
    real spin;
    dry_dampers(w, c, i, o, &d->dry, &spin, &rate);
    d->spin_share = R(1.0) / fma_real(sigma * spin, w[W_INV_ROLLER_INERTIA], R(1.0));
  }
  if (SETTING(c, MOTOR)) rate = rate + o->resist[i];
  d->rate_share = R(1.0) / fma_real(sigma * rate, w[W_INV_INERTIA], R(1.0));
}

/* (I + sigma K G)^-1 sigma K for the contact's own compliance G = D M_w^-1 D^T; by_rate, by_spin:
 * inverses of the inertias of wheel and roller. */
FN stiffness coupled_stiffness(real by_rate, real by_spin, const stiff_contact *d,
                               const stiffness *slope, real sigma) {
  real g_ii = fma_real(d->i_rate * d->i_rate, by_rate, d->i_spin * d->i_spin * by_spin);
  real g_ik = fma_real(d->i_rate * d->k_rate, by_rate, d->i_spin * d->k_spin * by_spin);
  real g_kk = fma_real(d->k_rate * d->k_rate, by_rate, d->k_spin * d->k_spin * by_spin);
  real s_ii = sigma * slope->ii, s_ik = sigma * slope->ik, s_ki = sigma * slope->ki,
       s_kk = sigma * slope->kk;
  real m_ii = fma_real(s_ii, g_ii, fma_real(s_ik, g_ik, R(1.0))),
       m_ik = fma_real(s_ii, g_ik, s_ik * g_kk);
  real m_ki = fma_real(s_ki, g_ii, s_kk * g_ik),
       m_kk = fma_real(s_ki, g_ik, fma_real(s_kk, g_kk, R(1.0)));
  real inv = R(1.0) / fma_real(m_ii, m_kk, -(m_ik * m_ki));
  stiffness turned;
  turned.ii = inv * fma_real(m_kk, s_ii, -(m_ik * s_ki));
  turned.ik = inv * fma_real(m_kk, s_ik, -(m_ik * s_kk));
  turned.ki = inv * fma_real(m_ii, s_ki, -(m_ki * s_ii));
  turned.kk = inv * fma_real(m_ii, s_kk, -(m_ki * s_ik));
  return turned;
}

/* Rows of the slip for (U_x, U_z, omega): row 0 along i, row 1 along k. */
FN void platform_rows(const real *w, const stiff_contact *d, real rows[2][3]) {
  rows[0][0] = w[W_COS];
  rows[0][1] = -w[W_SIN];
  rows[0][2] = d->i_yaw;
  rows[1][0] = w[W_SIN];
  rows[1][1] = w[W_COS];
  rows[1][2] = d->k_yaw;
}

/* (U_x, U_z, omega) for the velocities, or their rates, in dy. */
FN void platform_motion(const parameters *p, const real *dy, real u[3]) {
  u[0] = fma_real(dy[Y_OMEGA], p->v[P_COM_Z], dy[Y_VX]);
  u[1] = fma_real(-dy[Y_OMEGA], p->v[P_COM_X], dy[Y_VZ]);
  u[2] = dy[Y_OMEGA];
}

/* Rate of wheel i's slip for the velocities' rates dy (u: platform_motion of them) and the rate
 * `turning` of its angle. */
FN void slip_rate(const real *w, const stiff_contact *d, const real *dy, int i, real turning,
                  const real u[3], real *rate_i, real *rate_k) {
  real own_i =
      fma_real(d->i_spin, dy[Y_SPIN(i)], fma_real(d->i_rate, dy[Y_RATE(i)], d->i_angle * turning));
  real own_k =
      fma_real(d->k_spin, dy[Y_SPIN(i)], fma_real(d->k_rate, dy[Y_RATE(i)], d->k_angle * turning));
  *rate_i = fma_real(w[W_COS], u[0], fma_real(-w[W_SIN], u[1], fma_real(d->i_yaw, u[2], own_i)));
  *rate_k = fma_real(w[W_SIN], u[0], fma_real(w[W_COS], u[1], fma_real(d->k_yaw, u[2], own_k)));
}

FN void invert_3x3(real m[3][3], real inverse[3][3]) {
  real cofactor[3][3];
  for (int row = 0; row < 3; row++) {
    int r1 = row == 2 ? 0 : row + 1, r2 = row == 0 ? 2 : row - 1;
    for (int pivot = 0; pivot < 3; pivot++) {
      int k1 = pivot == 2 ? 0 : pivot + 1, k2 = pivot == 0 ? 2 : pivot - 1;
      cofactor[row][pivot] = fma_real(m[r1][k1], m[r2][k2], -(m[r1][k2] * m[r2][k1]));
    }
  }
  real det = fma_real(m[0][0], cofactor[0][0],
                      fma_real(m[0][1], cofactor[0][1], m[0][2] * cofactor[0][2]));
  real inv = R(1.0) / det;
  for (int row = 0; row < 3; row++) {
    for (int pivot = 0; pivot < 3; pivot++) inverse[row][pivot] = inv * cofactor[pivot][row];
  }
}

/* Rows of wheel i's contact for the velocities y. */
FN void place_stiff_contact(const parameters *p, GLOBAL const int *c, int i, real row,
                            const real *y, stiff_contact *d) {
  real room[W_COUNT];
  const real *w = wheel_at(p, c, i, y[Y_Q(i)], room);
  contact k = wheel_contact(p->v, c, i, w, y[Y_Q(i)], row);
  d->i_yaw = fma_real(-p->v[P_COM_Z], w[W_COS], fma_real(-p->v[P_COM_X], w[W_SIN], k.i_yaw));
  d->k_yaw = fma_real(-p->v[P_COM_Z], w[W_SIN], fma_real(p->v[P_COM_X], w[W_COS], k.k_yaw));
  d->i_rate = k.i_rate;
  d->k_rate = k.k_rate;
  d->i_spin = k.i_spin;
  d->k_spin = k.k_spin;
  if (is_bare(c, i)) {
    real slip[2];
    contact_slip(&k, w, y[Y_VX], y[Y_VZ], turning_of(y, i), &slip[0], &slip[1]);
    slip_per_heading(c, &k, i, y, slip, &d->i_angle, &d->k_angle);
  } else {
    slip_per_angle(&k, w, y[Y_OMEGA], y[Y_RATE(i)], y[Y_SPIN(i)], &d->i_angle, &d->k_angle);
  }
  if (SETTING(c, DRY)) place_stiff_dry(w, c, &k, turning_of(y, i), &d->dry);
}

/* Gives the contact its stiffness `slope` and adds P^T S P to the platform's matrix. */
FN void add_stiff_contact(const real *w, GLOBAL const int *c, stiffness slope, real sigma,
                          stiff_contact *d, real m[3][3]) {
  real rows[2][3];
  d->s = coupled_stiffness(stiff_by_rate(w, c, d), stiff_by_spin(w, c, d), d, &slope, sigma);
  platform_rows(w, d, rows);
  for (int col = 0; col < 3; col++) {
    real f_i = fma_real(d->s.ii, rows[0][col], d->s.ik * rows[1][col]);
    real f_k = fma_real(d->s.ki, rows[0][col], d->s.kk * rows[1][col]);
    for (int row = 0; row < 3; row++)
      m[row][col] = fma_real(rows[0][row], f_i, fma_real(rows[1][row], f_k, m[row][col]));
  }
}

/* The platform's own part of the matrix. */
FN void start_platform_matrix(const parameters *p, real m[3][3]) {
  for (int row = 0; row < 3; row++) {
    for (int pivot = 0; pivot < 3; pivot++) m[row][pivot] = R(0.0);
  }
  m[0][0] = m[1][1] = p->v[P_MASS];
  m[2][2] = R(1.0) / p->v[P_INV_YAW];
}

/* Stiffness of wheel i's contact for a pass of length tau, its coming slip taken from an explicit
 * step; rate: of the wheel. The slope knows that friction does not grow with the slip (with only
 * the secant, contacts that slide slowly would hardly change their slip); the secant brings slip
 * to an end within the step. */
FN stiffness contact_stiffness(const parameters *p, GLOBAL const int *c, int i,
                               const stiff_contact *d, const outputs *o, real rate, real tau) {
  slippage slip = {o->slip_i[i], o->slip_k[i], o->slip2[i], rate, R(0.0)};
  if (SETTING(c, DRY)) slip.drill = d->dry.drill;
  stiffness slope =
      law_stiffness(law_of(c, i), p->w[i], c, o->friction[i], slip,
                    fma_real(tau, d->i_change, slip.i), fma_real(tau, d->k_change, slip.k));
  real load = max_real(o->load[i], R(0.0));
  slope.ii = load * slope.ii;
  slope.ik = load * slope.ik;
  slope.ki = load * slope.ki;
  slope.kk = load * slope.kk;
  return slope;
}

/* Rows of all contacts for the velocities y, and the rates of their slips for the derivatives dy.
 */
FN_STIFF void place_stiff_contacts(const parameters *p, GLOBAL const int *c, const held_state *held,
                                   const real *y, const real *dy, stiff_matrix *a) {
  real u[3];
  platform_motion(p, dy, u);
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    stiff_contact *d = &a->contact[i];
    real room[W_COUNT];
    place_stiff_contact(p, c, i, held->row[i], y, d);
    if (swivels(c, i)) {
      a->heading[i] = y[Y_Q(i)];
      a->first_turn[i] = angle_rate(c, y, i);
    }
    slip_rate(stiff_columns(p, c, a, i, room), d, dy, i, dy[Y_Q(i)], u, &d->i_change, &d->k_change);
    a->first_rate[i] = y[Y_RATE(i)];
  }
}

/* The matrix I - sigma A for a pass of length tau, its contacts placed; o: the contact quantities
 * at its start. */
FN_STIFF void make_stiff_matrix(const parameters *p, GLOBAL const int *c, const outputs *o,
                                real tau, real sigma, stiff_matrix *a) {
  real m[3][3];
  start_platform_matrix(p, m);
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    real room[W_COUNT];
    if (has_dampers(c)) damp_stiff_contact(p->w[i], c, i, o, sigma, &a->contact[i]);
    add_stiff_contact(stiff_columns(p, c, a, i, room), c,
                      contact_stiffness(p, c, i, &a->contact[i], o, a->first_rate[i], tau), sigma,
                      &a->contact[i], m);
  }
  invert_3x3(m, a->inverse);
}

/* dy := (I - g h A)^-1 (dy + g h A_q turning) for the velocities; turning: rates of the angles q.
 */
FN_STIFF void solve_stiff_matrix(const parameters *p, GLOBAL const int *c, const stiff_matrix *a,
                                 const real *turning, real *dy) {
  real push[3] = {R(0.0), R(0.0), R(0.0)}, u[3], gain_i[WHEELS_MAX], gain_k[WHEELS_MAX];

  /* Forces that the contacts give without a change of the platform's velocity. */
  platform_motion(p, dy, u);
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    const stiff_contact *d = &a->contact[i];
    real rows[2][3], room[W_COUNT];
    const real *w = stiff_columns(p, c, a, i, room);
    if (has_dampers(c)) dy[Y_RATE(i)] = d->rate_share * dy[Y_RATE(i)];
    if (SETTING(c, DRY)) dy[Y_SPIN(i)] = d->spin_share * dy[Y_SPIN(i)];
    platform_rows(w, d, rows);
    slip_rate(w, d, dy, i, turning[i], u, &gain_i[i], &gain_k[i]);
    real f_i = fma_real(d->s.ii, gain_i[i], d->s.ik * gain_k[i]),
         f_k = fma_real(d->s.ki, gain_i[i], d->s.kk * gain_k[i]);
    for (int row = 0; row < 3; row++)
      push[row] = fma_real(-rows[0][row], f_i, fma_real(-rows[1][row], f_k, push[row]));
  }

  /* The platform's change by these forces. */
  real change[3];
  for (int row = 0; row < 3; row++) {
    change[row] = fma_real(a->inverse[row][0], push[0],
                           fma_real(a->inverse[row][1], push[1], a->inverse[row][2] * push[2]));
  }

  /* Wheels and rollers follow from the slip rates with the platform's change. */
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    const stiff_contact *d = &a->contact[i];
    real rows[2][3], room[W_COUNT];
    platform_rows(stiff_columns(p, c, a, i, room), d, rows);
    real v_i =
        fma_real(rows[0][0], change[0],
                 fma_real(rows[0][1], change[1], fma_real(rows[0][2], change[2], gain_i[i])));
    real v_k =
        fma_real(rows[1][0], change[0],
                 fma_real(rows[1][1], change[1], fma_real(rows[1][2], change[2], gain_k[i])));
    real f_i = -fma_real(d->s.ii, v_i, d->s.ik * v_k), f_k = -fma_real(d->s.ki, v_i, d->s.kk * v_k);
    dy[Y_RATE(i)] = fma_real(stiff_by_rate(p->w[i], c, d),
                             fma_real(d->i_rate, f_i, d->k_rate * f_k), dy[Y_RATE(i)]);
    dy[Y_SPIN(i)] = fma_real(stiff_by_spin(p->w[i], c, d),
                             fma_real(d->i_spin, f_i, d->k_spin * f_k), dy[Y_SPIN(i)]);
  }

  /* Velocities of the body origin. */
  dy[Y_VX] = dy[Y_VX] + fma_real(-change[2], p->v[P_COM_Z], change[0]);
  dy[Y_VZ] = dy[Y_VZ] + fma_real(change[2], p->v[P_COM_X], change[1]);
  dy[Y_OMEGA] = dy[Y_OMEGA] + change[2];
}

/* Rate of wheel i's contact angle, where the pass starts. */
FN real first_angle_rate(GLOBAL const int *c, const stiff_matrix *a, int i) {
  return swivels(c, i) ? a->first_turn[i] : a->first_rate[i];
}

/* First stage: the velocities' rates become L1. */
FN_STIFF void first_stiff_stage(const parameters *p, GLOBAL const int *c, stiff_matrix *a,
                                real *dy) {
  if (KINDS_OF(c) & KINDS_SWIVEL) {
    real turning[WHEELS_MAX];
    UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) turning[i] = first_angle_rate(c, a, i);
    solve_stiff_matrix(p, c, a, turning, dy);
  } else {
    solve_stiff_matrix(p, c, a, a->first_rate, dy);
  }
  for (int j = 0; j < VELOCITIES(c); j++) a->first[j] = dy[Y_VX + j];
}

/* Second stage: they become L2 = k2/h + 2 L1; chi' is dy's value for q. */
FN_STIFF void second_stiff_stage(const parameters *p, GLOBAL const int *c, const stiff_matrix *a,
                                 real *dy) {
  real turning[WHEELS_MAX];
  for (int j = 0; j < VELOCITIES(c); j++)
    dy[Y_VX + j] = fma_real(R(-2.0), a->first[j], dy[Y_VX + j]);
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) turning[i] =
      fma_real(R(-2.0), first_angle_rate(c, a, i), dy[Y_Q(i)]);
  solve_stiff_matrix(p, c, a, turning, dy);
  for (int j = 0; j < VELOCITIES(c); j++)
    dy[Y_VX + j] = fma_real(R(2.0), a->first[j], dy[Y_VX + j]);
}
