/* Rolling constraints of all wheels and the system G lambda = r that meets them, G = A M^-1 A^T
 * (appendix/laws.md#rolling, appendix/laws.md#relaxed). Rows
 * are the slip velocities (i, k) of each wheel with respect to the velocity U of the centre of
 * mass, omega, the wheel rate and the spin of the roller in contact; in these coordinates the mass
 * matrix is diagonal and G = D + P M_p^-1 P^T,  D made of 2 x 2 blocks (wheel rate and spin), P the
 * columns of the platform, M_p = diag(M, M, J_c), so that a Woodbury step solves it at a cost
 * linear in the number of wheels. */

/* A wheel's two rows. E is the inverse of its block of D; for massless rollers, whose one
 * constraint acts along the unit vector d, E = d d^T/(d D d). */
typedef struct wheel_rows {
  contact k;
  real yaw_i, yaw_k;     /* coefficients of omega with U in place of V */
  real e_ii, e_ik, e_kk; /* E */
} wheel_rows;

typedef struct constraints {
  wheel_rows rows[WHEELS_MAX];
  real s00, s01, s02, s11, s12, s22; /* (M_p + P^T E P)^-1 */
} constraints;

/* A force or an impulse along (i, k) of every wheel. */
typedef struct contact_pairs {
  real i[WHEELS_MAX], k[WHEELS_MAX];
} contact_pairs;

/* Contact of a wheel whose rollers have no mass: the slip of the wheel's own point, whose part
 * along d is the constraint. */
FN void forget_rollers(const real *w, contact *k) {
  k->i_spin = k->k_spin = k->k_rate = R(0.0);
  k->i_rate = w[W_RADIUS];
  k->i_yaw = w[W_ACROSS] - k->offset;
  k->k_yaw = -w[W_ALONG];
}

/* In the classical form it stays below the wheel centre
 * (appendix/laws.md#rolling). */
FN contact classical_contact(const real *w) {
  contact k;
  k.sin_q = k.axis_up = k.offset = R(0.0);
  k.cos_q = R(1.0);
  k.axis_along = w[W_COS_PSI];
  forget_rollers(w, &k);
  return k;
}

/* Unit vector of d = cos psi cos q i + sin psi k, the direction in which a massless roller cannot
 * slip (appendix/laws.md#rolling). */
FN void massless_direction(const real *w, const contact *k, real *d_i, real *d_k) {
  real inv =
      R(1.0) / sqrt_real(fma_real(k->axis_along, k->axis_along, w[W_SIN_PSI] * w[W_SIN_PSI]));
  *d_i = k->axis_along * inv;
  *d_k = w[W_SIN_PSI] * inv;
}

/* dA/dt u of a wheel with rollers: the change of the slip at constant velocities (in the components
 * along i and k) (appendix/rollers.md#slip). */
FN void rolling_drift(const real *w, const contact *k, real omega, real rate, real spin,
                      real *drift_i, real *drift_k) {
  real inv_cos = R(1.0) / k->cos_q, inv_cos2 = inv_cos * inv_cos;
  real height = w[W_RADIUS] - w[W_CENTER] * inv_cos;
  real height_rate = -(w[W_CENTER] * k->sin_q * inv_cos2) * rate;
  real roll = spin - omega * k->axis_up - rate * w[W_SIN_PSI]; /* phi' */
  real roll_rate = -(omega * k->axis_along * rate);
  real arm = fma_real(height_rate, roll, height * roll_rate);
  *drift_i = fma_real(w[W_SIN_PSI], arm, -(omega * w[W_SHIFT] * inv_cos2 * rate));
  *drift_k = fma_real(height * k->axis_up * rate, roll, -(k->axis_along * arm));
}

/* The same for massless rollers along d, with the rows of
 * appendix/laws.md#rolling (not divided by |d|): the change of d and of
 * the offset. */
FN void massless_drift(const real *w, const contact *k, int classical, real omega, real rate,
                       real slip_i, real *drift_i, real *drift_k) {
  *drift_i = *drift_k = R(0.0);
  if (classical) return;
  real d_i, d_k, inv_cos = R(1.0) / k->cos_q;
  massless_direction(w, k, &d_i, &d_k);
  real turned =
      -(k->axis_up * rate) * (d_i / k->axis_along) * slip_i; /* (d cos psi cos q/dt) v_i/|d| */
  *drift_i = fma_real(d_i, turned, -(omega * w[W_SHIFT] * inv_cos * inv_cos * rate));
  *drift_k = d_k * turned;
}

/* Rows of wheel i and its share of M_p + P^T E P
 * (appendix/laws.md#rolling). */
FN void add_rows(const real *vehicle, const real *w, int massless, const contact *k,
                 wheel_rows *row, constraints *s) {
  row->k = *k;
  row->yaw_i =
      fma_real(-w[W_COS], vehicle[P_COM_Z], fma_real(-w[W_SIN], vehicle[P_COM_X], k->i_yaw));
  row->yaw_k =
      fma_real(-w[W_SIN], vehicle[P_COM_Z], fma_real(w[W_COS], vehicle[P_COM_X], k->k_yaw));

  /* E, the inertia that the contact feels through wheel and roller. */
  if (massless) {
    real d_i, d_k;
    massless_direction(w, k, &d_i, &d_k);
    real e = R(1.0) / (d_i * d_i * w[W_RADIUS] * w[W_RADIUS] * w[W_INV_INERTIA]);
    row->e_ii = e * d_i * d_i;
    row->e_ik = e * d_i * d_k;
    row->e_kk = e * d_k * d_k;
  } else {
    real by_rate = w[W_INV_INERTIA], by_spin = w[W_INV_ROLLER_INERTIA];
    real d_ii = fma_real(k->i_rate * by_rate, k->i_rate, k->i_spin * by_spin * k->i_spin);
    real d_ik = fma_real(k->i_rate * by_rate, k->k_rate, k->i_spin * by_spin * k->k_spin);
    real d_kk = fma_real(k->k_rate * by_rate, k->k_rate, k->k_spin * by_spin * k->k_spin);

    /* det D by its factors: no cancellation for light rollers */
    real area = k->i_rate * k->k_spin - k->k_rate * k->i_spin;
    real inv = R(1.0) / (by_rate * by_spin * area * area);
    row->e_ii = inv * d_kk;
    row->e_ik = -(inv * d_ik);
    row->e_kk = inv * d_ii;
  }

  /* The wheel's part of the platform's matrix. */
  real ei_x = fma_real(row->e_ii, w[W_COS], row->e_ik * w[W_SIN]),
       ek_x = fma_real(row->e_ik, w[W_COS], row->e_kk * w[W_SIN]);
  real ei_z = fma_real(row->e_ik, w[W_COS], -(row->e_ii * w[W_SIN])),
       ek_z = fma_real(row->e_kk, w[W_COS], -(row->e_ik * w[W_SIN]));
  real ei_yaw = fma_real(row->e_ii, row->yaw_i, row->e_ik * row->yaw_k),
       ek_yaw = fma_real(row->e_ik, row->yaw_i, row->e_kk * row->yaw_k);
  s->s00 = fma_real(w[W_COS], ei_x, fma_real(w[W_SIN], ek_x, s->s00));
  s->s01 = fma_real(w[W_COS], ei_z, fma_real(w[W_SIN], ek_z, s->s01));
  s->s02 = fma_real(w[W_COS], ei_yaw, fma_real(w[W_SIN], ek_yaw, s->s02));
  s->s11 = fma_real(w[W_COS], ek_z, fma_real(-w[W_SIN], ei_z, s->s11));
  s->s12 = fma_real(w[W_COS], ek_yaw, fma_real(-w[W_SIN], ei_yaw, s->s12));
  s->s22 = fma_real(row->yaw_i, ei_yaw, fma_real(row->yaw_k, ek_yaw, s->s22));
}

FN void clear_rows(const real *vehicle, constraints *s) {
  s->s00 = s->s11 = vehicle[P_MASS];
  s->s22 = R(1.0) / vehicle[P_INV_YAW];
  s->s01 = s->s02 = s->s12 = R(0.0);
}

/* Replaces the sums by the inverse of the symmetric 3 x 3 matrix
 * (appendix/laws.md#rolling). */
FN void finish_rows(constraints *s) {
  real c00 = fma_real(s->s11, s->s22, -(s->s12 * s->s12));
  real c01 = fma_real(s->s12, s->s02, -(s->s01 * s->s22));
  real c02 = fma_real(s->s01, s->s12, -(s->s11 * s->s02));
  real c11 = fma_real(s->s00, s->s22, -(s->s02 * s->s02));
  real c12 = fma_real(s->s01, s->s02, -(s->s00 * s->s12));
  real c22 = fma_real(s->s00, s->s11, -(s->s01 * s->s01));
  real inv = R(1.0) / fma_real(s->s00, c00, fma_real(s->s01, c01, s->s02 * c02));
  s->s00 = inv * c00;
  s->s01 = inv * c01;
  s->s02 = inv * c02;
  s->s11 = inv * c11;
  s->s12 = inv * c12;
  s->s22 = inv * c22;
}

/* lambda = G^-1 r (appendix/laws.md#rolling). */
FN void solve_rows(const parameters *p, GLOBAL const int *c, const constraints *s,
                   const contact_pairs *r, contact_pairs *lambda) {
  real zx = R(0.0), zz = R(0.0), zw = R(0.0);

  /* The right sides, gathered on the platform. */
  UNROLL for (int i = 0; i < WHEELS(c); i++) {
    const real *w = p->w[i];
    const wheel_rows *a = &s->rows[i];
    real ei = fma_real(a->e_ii, r->i[i], a->e_ik * r->k[i]),
         ek = fma_real(a->e_ik, r->i[i], a->e_kk * r->k[i]);
    zx = fma_real(w[W_COS], ei, fma_real(w[W_SIN], ek, zx));
    zz = fma_real(w[W_COS], ek, fma_real(-w[W_SIN], ei, zz));
    zw = fma_real(a->yaw_i, ei, fma_real(a->yaw_k, ek, zw));
  }

  /* The platform's motion under them. */
  real x = fma_real(s->s00, zx, fma_real(s->s01, zz, s->s02 * zw));
  real z = fma_real(s->s01, zx, fma_real(s->s11, zz, s->s12 * zw));
  real yaw = fma_real(s->s02, zx, fma_real(s->s12, zz, s->s22 * zw));

  /* Each contact's force for the slip that the platform leaves it. */
  UNROLL for (int i = 0; i < WHEELS(c); i++) {
    const real *w = p->w[i];
    const wheel_rows *a = &s->rows[i];
    real ri = r->i[i] - fma_real(w[W_COS], x, fma_real(-w[W_SIN], z, a->yaw_i * yaw));
    real rk = r->k[i] - fma_real(w[W_SIN], x, fma_real(w[W_COS], z, a->yaw_k * yaw));
    lambda->i[i] = fma_real(a->e_ii, ri, a->e_ik * rk);
    lambda->k[i] = fma_real(a->e_ik, ri, a->e_kk * rk);
  }
}

/* G f: the slip accelerations that contact forces f cause. */
FN void apply_rows(const parameters *p, GLOBAL const int *c, const constraints *s,
                   const contact_pairs *f, contact_pairs *out) {
  real fx = R(0.0), fz = R(0.0), torque = R(0.0);

  /* Force and torque of all contacts on the platform. */
  UNROLL for (int i = 0; i < WHEELS(c); i++) {
    const real *w = p->w[i];
    fx = fma_real(w[W_COS], f->i[i], fma_real(w[W_SIN], f->k[i], fx));
    fz = fma_real(w[W_COS], f->k[i], fma_real(-w[W_SIN], f->i[i], fz));
    torque = fma_real(s->rows[i].yaw_i, f->i[i], fma_real(s->rows[i].yaw_k, f->k[i], torque));
  }

  /* Accelerations of platform, wheels and rollers make the slip accelerations. */
  real x = p->v[P_INV_MASS] * fx, z = p->v[P_INV_MASS] * fz, yaw = p->v[P_INV_YAW] * torque;
  UNROLL for (int i = 0; i < WHEELS(c); i++) {
    const real *w = p->w[i];
    const contact *k = &s->rows[i].k;
    real rate = w[W_INV_INERTIA] * fma_real(k->i_rate, f->i[i], k->k_rate * f->k[i]);
    real spin = w[W_INV_ROLLER_INERTIA] * fma_real(k->i_spin, f->i[i], k->k_spin * f->k[i]);
    real along = fma_real(w[W_COS], x, fma_real(-w[W_SIN], z, s->rows[i].yaw_i * yaw));
    real across = fma_real(w[W_SIN], x, fma_real(w[W_COS], z, s->rows[i].yaw_k * yaw));
    out->i[i] = fma_real(k->i_rate, rate, fma_real(k->i_spin, spin, along));
    out->k[i] = fma_real(k->k_rate, rate, fma_real(k->k_spin, spin, across));
  }
}

/* A wheel's contact under the law: rollers with mass, or without. vehicle: its folded
 * parameters. */
FN contact law_contact(const real *vehicle, const real *w, GLOBAL const int *c, real q, real row) {
  if (SETTING(c, LAW) == LAW_CLASSICAL) return classical_contact(w);
  contact k = tracked_contact(vehicle, c, w, q, row);
  if (SETTING(c, LAW) == LAW_MASSLESS) forget_rollers(w, &k);
  return k;
}

/* Tangential impact of all wheels together for the lanes in `hit`: u+ = u- - M^-1 A^T G^-1 A u-.
 * Returns the energy it costs, 1/2 v^T G^-1 v (0 for the other lanes). y: the integrated array
 * (appendix/laws.md#rolling). */
FN_COLD real impact(const parameters *p, GLOBAL const int *c, const held_state *held, mask hit,
                    real *y) {
  constraints s;
  contact_pairs slip, impulse;
  int massless = SETTING(c, LAW) != LAW_ROLLING;

  /* The contacts' rows, and the slip that the impact has to stop. */
  clear_rows(p->v, &s);
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    contact k = law_contact(p->v, p->w[i], c, y[Y_Q(i)], held->row[i]);
    add_rows(p->v, p->w[i], massless, &k, &s.rows[i], &s);
    contact_slip(&k, p->w[i], y[Y_VX], y[Y_VZ], turning_of(y, i), &slip.i[i], &slip.k[i]);
    slip.i[i] = -slip.i[i];
    slip.k[i] = -slip.k[i];
  }

  /* Impulses of the contacts. */
  finish_rows(&s);
  solve_rows(p, c, &s, &slip, &impulse);

  /* They change wheels and rollers, and sum up on the platform. */
  real px = R(0.0), pz = R(0.0), torque = R(0.0), loss = R(0.0);
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    const real *w = p->w[i];
    const wheel_rows *a = &s.rows[i];
    real pi = impulse.i[i], pk = impulse.k[i];
    px = fma_real(w[W_COS], pi, fma_real(w[W_SIN], pk, px));
    pz = fma_real(w[W_COS], pk, fma_real(-w[W_SIN], pi, pz));
    torque = fma_real(a->yaw_i, pi, fma_real(a->yaw_k, pk, torque));
    loss = fma_real(pi, slip.i[i], fma_real(pk, slip.k[i], loss));
    real rate =
        fma_real(w[W_INV_INERTIA], fma_real(a->k.i_rate, pi, a->k.k_rate * pk), y[Y_RATE(i)]);
    real spin = fma_real(w[W_INV_ROLLER_INERTIA], fma_real(a->k.i_spin, pi, a->k.k_spin * pk),
                         y[Y_SPIN(i)]);
    y[Y_RATE(i)] = select_real(hit, rate, y[Y_RATE(i)]);
    y[Y_SPIN(i)] = select_real(hit, spin, y[Y_SPIN(i)]);
  }

  /* Velocities of the platform after the impact. */
  real yaw = p->v[P_INV_YAW] * torque;
  real vx = y[Y_VX] + fma_real(p->v[P_INV_MASS], px, -(yaw * p->v[P_COM_Z]));
  real vz = y[Y_VZ] + fma_real(p->v[P_INV_MASS], pz, yaw * p->v[P_COM_X]);
  y[Y_OMEGA] = select_real(hit, y[Y_OMEGA] + yaw, y[Y_OMEGA]);
  y[Y_VX] = select_real(hit, vx, y[Y_VX]);
  y[Y_VZ] = select_real(hit, vz, y[Y_VZ]);
  return select_real(hit, R(0.5) * loss, R(0.0));
}
