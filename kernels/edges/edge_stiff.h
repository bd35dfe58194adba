/* The matrix of the linearly implicit method (rosenbrock.h; explanation/steps.md#methods) where
 * wheels rest on two rollers: both contacts are in it, the wheel does not turn, and its share is an
 * unknown phi with the row "the contacts do not turn the wheel". With F_j the force of contact j
 * along (i, k), S_j and T_j = (I + sigma K_j G_j)^-1 for its stiffness K_j and the compliance G_j
 * of its roller, e_j the change of its force per share, v_j = v_j0 + P_j x its slip rate for the
 * platform's change x, and a_j = d v_j/d chi':
 *
 *   F_j = -S_j v_j + T_j e_j phi,  0 = sum a_j.F_j  ->  phi = (sum a_j.S_j v_j)/rho,  rho = sum
 * a_j.T_j e_j . */

/* Effects of phi and a contact on each other. */
typedef struct edge_lever {
  real lift_i, lift_k;   /* T_j e_j/rho, 0 where the wheel does not rest */
  real lever_i, lever_k; /* S_j^T a_j */
} edge_lever;

typedef struct edge_matrix {
  stiff_contact contact[2][WHEELS_MAX];
  edge_lever lever[2][WHEELS_MAX];
  real inverse[3][3];
  real first[3 + 2 * WHEELS_MAX], first_second[WHEELS_MAX], first_rate[WHEELS_MAX];
  real heading[WHEELS_MAX]; /* of wheels that swivel */
} edge_matrix;

/* As stiff_columns. */
FN const real *edge_wheel(const parameters *p, GLOBAL const int *c, const edge_matrix *a, int i,
                          real *room) {
  return swivels(c, i) ? wheel_at(p, c, i, a->heading[i], room) : p->w[i];
}

/* A contact as contact_stiffness and place_stiff_contact want it: their wheel's entries are its
 * second roller's. */
typedef struct edge_view {
  real y[Y_COUNT], dy[Y_COUNT];
  outputs o;
} edge_view;

FN void view_contact(const edge_terms *e, const edge_balance *b, int roller, int i, edge_view *x) {
  const edge_contact *touch = &e->of[roller][i];
  x->o.slip_i[i] = touch->slip_i;
  x->o.slip_k[i] = touch->slip_k;
  x->o.slip2[i] = touch->slip2;
  x->o.friction[i] = touch->friction;
  x->o.unit_i[i] = touch->unit_i;
  x->o.unit_k[i] = touch->unit_k;
  x->o.load[i] = b->load[roller][i];
}

/* Where the matrix is made: the motion, its rates, and the rates of the second rollers' spins. */
typedef struct edge_motion {
  const real *y, *dy, *second;
} edge_motion;

/* phi's part of a contact: S^T a where the wheel rests, and T e, which rho is still to divide; adds
 * the contact's part of rho. load: of both rollers, less than 0 for the one in contact; a:
 * d v/d chi' along (i, k). */
FN void add_share(real by_spin, mask rests, const edge_contact *touch, const stiff_contact *d,
                  real load, const real *a, edge_lever *of, real *rho) {
  real e_i = load * touch->unit_i, e_k = load * touch->unit_k;
  real turned =
      by_spin * fma_real(d->i_spin, e_i, d->k_spin * e_k); /* G e = turned (i_spin, k_spin) */
  real g_i = turned * d->i_spin, g_k = turned * d->k_spin;
  of->lift_i = e_i - fma_real(d->s.ii, g_i, d->s.ik * g_k);
  of->lift_k = e_k - fma_real(d->s.ki, g_i, d->s.kk * g_k);
  of->lever_i = select_real(rests, fma_real(a[0], d->s.ii, a[1] * d->s.ki), R(0.0));
  of->lever_k = select_real(rests, fma_real(a[0], d->s.ik, a[1] * d->s.kk), R(0.0));
  *rho = fma_real(a[0], of->lift_i, fma_real(a[1], of->lift_k, *rho));
}

/* Adds P^T (along_i, along_k) to the sum for the platform. */
FN void add_platform_force(const real *w, const stiff_contact *d, real along_i, real along_k,
                           real sum[3]) {
  real rows[2][3];
  platform_rows(w, d, rows);
  for (int row = 0; row < 3; row++)
    sum[row] = fma_real(rows[0][row], along_i, fma_real(rows[1][row], along_k, sum[row]));
}

/* The matrix for a pass of length tau; e, b: the contacts where it starts. */
FN_CALL void make_edge_matrix(const edge_run *run, const edge_wheels *edge,
                              const edge_motion *moving, const edge_terms *e, const edge_balance *b,
                              real tau, edge_matrix *a) {
  const parameters *p = run->p;
  GLOBAL const int *c = run->c;
  const real *y = moving->y, *dy = moving->dy, *second = moving->second;
  real m[3][3], u[3];
  edge_view x;

  /* The platform's masses; state and rates are copied, since the second roller changes them. */
  start_platform_matrix(p, m);
  platform_motion(p, dy, u);
  for (int j = 0; j < Y_LEVEL_COUNT; j++) {
    x.y[j] = y[j];
    x.dy[j] = dy[j];
  }
  for (int i = 0; i < WHEELS(c); i++) {
    real room[W_COUNT];
    a->heading[i] = y[Y_Q(i)];
    const real *w = edge_wheel(p, c, a, i, room);
    mask rests = at_edge(edge->side[i]);
    real all = b->load[0][i] + b->load[1][i], rho = R(0.0), lift[3] = {R(0.0), R(0.0), R(0.0)},
         lever[3] = {R(0.0), R(0.0), R(0.0)};

    /* Both contacts of the wheel are stiffened; at an edge they do not turn the wheel by
     * themselves. */
    for (int j = 0; j < 2; j++) {
      stiff_contact *d = &a->contact[j][i];
      real row = run->held->row[i];
      if (j == 1) {
        row = select_real(rests, -row, row);
        x.y[Y_Q(i)] = fma_real(R(-2.0) * edge->side[i], w[W_ALPHA], y[Y_Q(i)]);
        x.y[Y_SPIN(i)] = select_real(rests, edge->spin[i], y[Y_SPIN(i)]);
        x.dy[Y_SPIN(i)] = select_real(rests, second[i], dy[Y_SPIN(i)]);
      }
      place_stiff_contact(p, c, i, row, x.y, d);
      view_contact(e, b, j, i, &x);
      real turn[2] = {d->i_rate, d->k_rate};
      slip_rate(w, d, x.dy, i, x.dy[Y_Q(i)], u, &d->i_change, &d->k_change);
      d->i_rate = select_real(rests, R(0.0), d->i_rate);
      d->k_rate = select_real(rests, R(0.0), d->k_rate);
      x.o.resist[i] = e->resist[i];
      if (has_dampers(c)) damp_stiff_contact(w, c, i, &x.o, ROSENBROCK_GAMMA * tau, d);
      add_stiff_contact(w, c, contact_stiffness(p, c, i, d, &x.o, x.y[Y_RATE(i)], tau),
                        ROSENBROCK_GAMMA * tau, d, m);
      add_share(stiff_by_spin(w, c, d), rests, &e->of[j][i], d,
                splat(j == 0 ? LIT(-1.0) : LIT(1.0)) * all, turn, &a->lever[j][i], &rho);
      x.y[Y_Q(i)] = y[Y_Q(i)];
      x.y[Y_SPIN(i)] = y[Y_SPIN(i)];
      x.dy[Y_SPIN(i)] = dy[Y_SPIN(i)];
    }

    /* A wheel at rest moves load between its rollers, which adds a term of rank one. */
    real inverse = select_real(rests, R(1.0) / rho, R(0.0));
    for (int j = 0; j < 2; j++) {
      edge_lever *of = &a->lever[j][i];
      of->lift_i = inverse * of->lift_i;
      of->lift_k = inverse * of->lift_k;
      add_platform_force(w, &a->contact[j][i], of->lift_i, of->lift_k, lift);
      add_platform_force(w, &a->contact[j][i], of->lever_i, of->lever_k, lever);
    }
    for (int j = 0; j < 3; j++) {
      for (int l = 0; l < 3; l++) m[j][l] = fma_real(-lift[j], lever[l], m[j][l]);
    }
    a->first_rate[i] = angle_rate(c, y, i);
  }

  invert_3x3(m, a->inverse);
}

/* Forces of the contacts of wheel i for their slip rates gain + P x. */
FN void edge_forces(const edge_matrix *a, int i, const real *gain_i, const real *gain_k, real *f_i,
                    real *f_k) {
  real phi = R(0.0);
  for (int j = 0; j < 2; j++) {
    const edge_lever *of = &a->lever[j][i];
    phi = fma_real(of->lever_i, gain_i[j], fma_real(of->lever_k, gain_k[j], phi));
  }
  for (int j = 0; j < 2; j++) {
    const stiffness *slope = &a->contact[j][i].s;
    const edge_lever *of = &a->lever[j][i];
    f_i[j] = fma_real(phi, of->lift_i, -fma_real(slope->ii, gain_i[j], slope->ik * gain_k[j]));
    f_k[j] = fma_real(phi, of->lift_k, -fma_real(slope->ki, gain_i[j], slope->kk * gain_k[j]));
  }
}

/* dy := (I - g h A)^-1 (dy + g h A_q turning) for the velocities, as solve_stiff_matrix; second:
 * of the second rollers' spins.
 */
FN_CALL void solve_edge_matrix(const edge_run *run, const edge_matrix *a, const real *turning,
                               real *dy, real *second) {
  const parameters *p = run->p;
  GLOBAL const int *c = run->c;
  real push[3] = {R(0.0), R(0.0), R(0.0)}, change[3], u[3], gain_i[WHEELS_MAX][2],
       gain_k[WHEELS_MAX][2], f_i[2], f_k[2];
  platform_motion(p, dy, u);

  /* Forces that the contacts give without a change of the platform's velocity. */
  for (int i = 0; i < WHEELS(c); i++) {
    real room[W_COUNT];
    const real *w = edge_wheel(p, c, a, i, room);
    const stiff_contact *one = &a->contact[0][i], *two = &a->contact[1][i];
    if (has_dampers(c)) dy[Y_RATE(i)] = one->rate_share * dy[Y_RATE(i)];
    if (SETTING(c, DRY)) {
      dy[Y_SPIN(i)] = one->spin_share * dy[Y_SPIN(i)];
      second[i] = two->spin_share * second[i];
    }
    real own = dy[Y_SPIN(i)];
    slip_rate(w, &a->contact[0][i], dy, i, turning[i], u, &gain_i[i][0], &gain_k[i][0]);
    dy[Y_SPIN(i)] = second[i];
    slip_rate(w, &a->contact[1][i], dy, i, turning[i], u, &gain_i[i][1], &gain_k[i][1]);
    dy[Y_SPIN(i)] = own;
    edge_forces(a, i, gain_i[i], gain_k[i], f_i, f_k);
    for (int j = 0; j < 2; j++) add_platform_force(w, &a->contact[j][i], f_i[j], f_k[j], push);
  }

  /* The platform's change by these forces. */
  for (int row = 0; row < 3; row++) {
    change[row] = fma_real(a->inverse[row][0], push[0],
                           fma_real(a->inverse[row][1], push[1], a->inverse[row][2] * push[2]));
  }

  /* Wheels and rollers follow from the slip rates with the platform's change. */
  for (int i = 0; i < WHEELS(c); i++) {
    real room[W_COUNT];
    const real *w = edge_wheel(p, c, a, i, room);
    real turned = R(0.0), spun[2];
    for (int j = 0; j < 2; j++) {
      real rows[2][3];
      platform_rows(w, &a->contact[j][i], rows);
      for (int row = 0; row < 3; row++) {
        gain_i[i][j] = fma_real(rows[0][row], change[row], gain_i[i][j]);
        gain_k[i][j] = fma_real(rows[1][row], change[row], gain_k[i][j]);
      }
    }
    edge_forces(a, i, gain_i[i], gain_k[i], f_i, f_k);
    for (int j = 0; j < 2; j++) {
      const stiff_contact *d = &a->contact[j][i];
      turned = fma_real(d->i_rate, f_i[j], fma_real(d->k_rate, f_k[j], turned));
      spun[j] = stiff_by_spin(w, c, d) * fma_real(d->i_spin, f_i[j], d->k_spin * f_k[j]);
    }
    dy[Y_RATE(i)] = fma_real(stiff_by_rate(w, c, &a->contact[0][i]), turned, dy[Y_RATE(i)]);
    dy[Y_SPIN(i)] = dy[Y_SPIN(i)] + spun[0];
    second[i] = second[i] + spun[1];
  }

  /* Velocities of the body origin. */
  dy[Y_VX] = dy[Y_VX] + fma_real(-change[2], p->v[P_COM_Z], change[0]);
  dy[Y_VZ] = dy[Y_VZ] + fma_real(change[2], p->v[P_COM_X], change[1]);
  dy[Y_OMEGA] = dy[Y_OMEGA] + change[2];
}

/* The two stages as first_stiff_stage and second_stiff_stage have them. */
FN_CALL void solve_edge_stage(const edge_run *run, edge_matrix *a, int stage, real *dy,
                              real *second) {
  GLOBAL const int *c = run->c;
  real turning[WHEELS_MAX];

  /* The right side of the second stage is less twice the result of the first. */
  for (int j = 0; stage == 1 && j < VELOCITIES(c); j++)
    dy[Y_VX + j] = fma_real(R(-2.0), a->first[j], dy[Y_VX + j]);
  for (int i = 0; i < WHEELS(c); i++) {
    turning[i] = a->first_rate[i];
    if (stage == 0) continue;
    turning[i] = fma_real(R(-2.0), a->first_rate[i], dy[Y_Q(i)]);
    second[i] = fma_real(R(-2.0), a->first_second[i], second[i]);
  }

  solve_edge_matrix(run, a, turning, dy, second);

  /* The result of the first is kept, and the second gets it back twice. */
  for (int j = 0; j < VELOCITIES(c); j++) {
    if (stage == 0) a->first[j] = dy[Y_VX + j];
    if (stage == 1) dy[Y_VX + j] = fma_real(R(2.0), a->first[j], dy[Y_VX + j]);
  }
  for (int i = 0; i < WHEELS(c); i++) {
    if (stage == 0) a->first_second[i] = second[i];
    if (stage == 1) second[i] = fma_real(R(2.0), a->first_second[i], second[i]);
  }
}
