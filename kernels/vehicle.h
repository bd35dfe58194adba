/* Equations of motion of a vehicle on omni wheels, or of one wheel on the testbench: the
 * explicit-roller multibody model in reduced coordinates with exact load transfer
 * (appendix/vehicle.md#motion). */

/* Contact quantities at one instant. */
typedef struct outputs {
  real slip_i[WHEELS_MAX], slip_k[WHEELS_MAX], slip2[WHEELS_MAX];
  real load[WHEELS_MAX];
  real unit_i[WHEELS_MAX], unit_k[WHEELS_MAX]; /* contact force: load * unit; the force itself where
                                                  the law is a constraint */
  real weight[WHEELS_MAX], demand[WHEELS_MAX]; /* relaxed constraints only: w and rho */
  real torque[WHEELS_MAX];
  real resist[WHEELS_MAX];   /* motors: how much it falls per wheel rate */
  real friction[WHEELS_MAX]; /* friction coefficient under the wheel */
  real share[WHEELS_MAX]; /* share of the load on a second roller (edge.h); filled where wheels rest
                             on two */
  real servo;             /* testbench: lambda */
  real bearings;          /* power lost in the bearings of axles and rollers */
  real rollers, rolling;  /* part of it lost in the rollers' bearings; lost by rolling resistance */
  real ax, az;            /* acceleration of the body origin, body axes */
#if OMR_COMPLIANT
  real vertical;        /* acceleration of the body origin along the world's vertical */
  real upright;         /* cosine of the tilt */
  real pitching, rolls; /* angular acceleration about the body's axes z and x */
#endif
  mask solvable; /* the load equations have a solution */
} outputs;

/* Contact force of wheel i along (i, k). */
FN void contact_force(const outputs *o, int i, real *force_i, real *force_k) {
  *force_i = OMR_CONSTRAINED ? o->unit_i[i] : o->load[i] * o->unit_i[i];
  *force_k = OMR_CONSTRAINED ? o->unit_k[i] : o->load[i] * o->unit_k[i];
}

/* One wheel's share, free of its contact force and per unit of load * gain. */
typedef struct wheel_terms {
  real free_torque;      /* on the wheel's rate without contact force */
  real fx, fz;           /* friction force, body axes */
  real yaw;              /* yaw acceleration */
  real on_rate, on_spin; /* generalised forces on the wheel rate and the roller spin */
  real b1, b2;           /* contact point (-P_z, P_x) */
  real free_rate;        /* wheel acceleration without contact force */
  real free_spin;        /* spin acceleration of the active roller from its bearing */
  real bracket_i;        /* load-free term after i in the rate of angular momentum */
  real unit_bracket_i;   /* the same per unit of load * gain */
  real dissipation;      /* -F.v */
  real gain;
  real rollers, axle, rolling; /* power lost by dry friction per unit of load (dry.h) */
} wheel_terms;

/* Sums of the 3 x 3 load equations (B - K) B^T nu = r0. */
typedef struct load_sums {
  real m01, m02, m10, m11, m12, m20, m21, m22;
  real r0;     /* load that the wheels carry together; filled by carry() */
  real r1, r2; /* load-free parts of the rate of angular momentum from the wheels */
} load_sums;

/* Sums over all rollers of a wheel and the bearing torques. */
typedef struct roller_sums {
  real s_cos, s_sin, s_sum; /* sum of s_j cos q_j, s_j sin q_j, s_j */
  real bear_sum, bear_cos,
      bear_sin;     /* sum of Q_j, Q_j cos q_j, Q_j sin q_j; Q_j = -beta_r phi'_j */
  real dissipation; /* beta_r sum of phi'_j^2 */
} roller_sums;

/* Sums of all rollers of a wheel in its equations: over the idle ones and the one in contact
 * (appendix/bearings.md#bearings). */
FN roller_sums sum_rollers(const real *w, const contact *k, const real *idle, int bearing,
                           turning turns) {
  roller_sums all;
  real omega = turns.omega, rate = turns.rate, spin = turns.spin;
  real sum_cos = idle[IDLE_COS] + spin, sum_sin = idle[IDLE_SIN], sum = idle[IDLE_SUM] + spin;
  all.bear_sum = all.bear_cos = all.bear_sin = all.dissipation = R(0.0);
  real half_n = R(0.5) * w[W_ROLLERS];
  real active = R(0.0); /* decaying part d of the active roller */
  if (bearing) {
    real along_a = w[W_COS_PSI] * idle[BEARING_A], along_d = w[W_SIN_PSI] * idle[BEARING_D];
    active = spin - along_a - along_d;
    sum_cos = fma_real(half_n, along_a, idle[IDLE_COS] + active);
    sum_sin = fma_real(half_n * w[W_COS_PSI], idle[BEARING_B], idle[IDLE_SIN]);
    sum = fma_real(w[W_ROLLERS], along_d, idle[IDLE_SUM] + active);
  }
  all.s_cos = fma_real(k->cos_q, sum_cos, -(k->sin_q * sum_sin));
  all.s_sin = fma_real(k->sin_q, sum_cos, k->cos_q * sum_sin);
  all.s_sum = sum;
  if (bearing) {
    real beta = w[W_ROLLER_BEARING];
    all.bear_sum = -beta * fma_real(-w[W_ROLLERS] * w[W_SIN_PSI], rate, sum);
    all.bear_cos = -beta * all.s_cos;
    all.bear_sin = -beta * fma_real(-half_n * w[W_COS_PSI], omega, all.s_sin);
    real a = w[W_COS_PSI] * fma_real(-omega, k->sin_q, idle[BEARING_A]);
    real b = w[W_COS_PSI] * fma_real(-omega, k->cos_q, idle[BEARING_B]);
    real d = w[W_SIN_PSI] * (idle[BEARING_D] - rate);
    real cross = a * (idle[IDLE_COS] + active) + b * idle[IDLE_SIN] + d * (idle[IDLE_SUM] + active);
    real squares =
        idle[IDLE_SQUARE] + active * active + half_n * (a * a + b * b) + w[W_ROLLERS] * (d * d);
    all.dissipation = beta * fma_real(R(2.0), cross, squares);
  }
  return all;
}

/* The same of a bare wheel, whose fork takes the place of the roller in contact: the torque on it
 * about the upright stands where the bearings' torque has its part about the upright, and the
 * effect of the axle's turning about the upright on the wheel's momentum where it has its part
 * along i. servo: torque of a steered wheel's servo. */
FN roller_sums sum_fork(const real *w, GLOBAL const int *c, int i, real servo, turning turns) {
  roller_sums all;
  all.s_cos = all.s_sin = all.s_sum = all.bear_sum = all.bear_cos = all.bear_sin = R(0.0);
  all.dissipation = R(0.0);
  if (!swivels(c, i)) return all;
  real turn = turns.spin - turns.omega;
  all.bear_cos = w[W_MOMENTUM] * turns.rate * turn;
  all.bear_sin = fma_real(-w[W_ROLLER_BEARING], turn, servo);
  all.dissipation = w[W_ROLLER_BEARING] * turn * turn;
  return all;
}

/* Derivatives of the idle sums and of the particular solution under bearing friction
 * (appendix/bearings.md#bearings). */
FN void idle_rates(const real *w, const contact *k, const real *idle, real omega, real rate,
                   real *d_idle) {
  real beta = w[W_DECAY];
  d_idle[IDLE_COS] = -beta * idle[IDLE_COS];
  d_idle[IDLE_SIN] = -beta * idle[IDLE_SIN];
  d_idle[IDLE_SUM] = -beta * idle[IDLE_SUM];
  d_idle[IDLE_SQUARE] = R(-2.0) * beta * idle[IDLE_SQUARE];
  d_idle[BEARING_A] = beta * fma_real(omega, k->sin_q, -idle[BEARING_A]);
  d_idle[BEARING_B] = beta * fma_real(omega, k->cos_q, -idle[BEARING_B]);
  d_idle[BEARING_D] = beta * (rate - idle[BEARING_D]);
}

/* The part of a wheel that no contact force enters; adds its share to the load-free moments and yaw
 * torque. G = I_a cos psi sum s_j cos q_j couples yaw and wheel rate
 * (appendix/vehicle.md#motion). */
FN void free_share(const real *w, const contact *k, const roller_sums *sums, real torque,
                   turning turns, wheel_terms *terms, load_sums *loads, real *free_yaw_torque) {
  real omega = turns.omega, rate = turns.rate;
  real gyro = w[W_ROLLER_INERTIA] * w[W_COS_PSI] * sums->s_cos;
  real rate_torque = fma_real(gyro, omega, fma_real(-w[W_AXLE_BEARING], rate, torque));
  terms->free_torque = fma_real(-w[W_SIN_PSI], sums->bear_sum, rate_torque);
  terms->free_rate = w[W_INV_INERTIA] * terms->free_torque;
  *free_yaw_torque = *free_yaw_torque - fma_real(gyro, rate, w[W_COS_PSI] * sums->bear_sin);
  /* phi' of the active roller */
  real slip_roll = turns.spin - omega * k->axis_up - rate * w[W_SIN_PSI];
  terms->free_spin = -(w[W_DECAY] * slip_roll);
  real turn = fma_real(sums->s_sum * w[W_SIN_PSI], omega, -(rate * w[W_COS_PSI] * sums->s_sin));
  terms->bracket_i = fma_real(w[W_MOMENTUM] * rate, omega,
                              fma_real(w[W_ROLLER_INERTIA], turn, w[W_COS_PSI] * sums->bear_cos));
  real bracket_k = fma_real(w[W_MOMENTUM], terms->free_rate,
                            fma_real(-gyro, omega, w[W_SIN_PSI] * sums->bear_sum));
  loads->r1 = fma_real(terms->bracket_i, w[W_COS], fma_real(bracket_k, w[W_SIN], loads->r1));
  loads->r2 = fma_real(bracket_k, w[W_COS], fma_real(-terms->bracket_i, w[W_SIN], loads->r2));
}

/* A wheel whose rate is prescribed turns with this acceleration, whatever acts on it: its inverse
 * inertia is 0. Adds the part that free_share, given no torque of a drive, lacks, and returns the
 * torque that the drive has to give where no contact force acts
 * (appendix/drives.md#drives). */
FN real prescribe_rate(const real *w, real acceleration, wheel_terms *terms, load_sums *loads) {
  real turned = w[W_MOMENTUM] * acceleration;
  terms->free_rate = acceleration;
  loads->r1 = fma_real(turned, w[W_SIN], loads->r1);
  loads->r2 = fma_real(turned, w[W_COS], loads->r2);
  return fma_real(w[W_DRIVE_3], acceleration, -terms->free_torque);
}

/* Effects of a contact force (unit_i, unit_k): generalised forces, yaw acceleration
 * (appendix/vehicle.md#motion). */
FN void push_wheel(const real *vehicle, const real *w, const contact *k, real unit_i, real unit_k,
                   wheel_terms *terms) {
  real on_yaw = fma_real(unit_i, k->i_yaw, unit_k * k->k_yaw);
  terms->on_rate = fma_real(unit_i, k->i_rate, unit_k * k->k_rate);
  terms->on_spin = fma_real(unit_i, k->i_spin, unit_k * k->k_spin);
  terms->fx = fma_real(unit_i, w[W_COS], unit_k * w[W_SIN]);
  terms->fz = fma_real(unit_k, w[W_COS], -(unit_i * w[W_SIN]));
  terms->yaw = vehicle[P_INV_YAW] * fma_real(vehicle[P_COM_X], terms->fz,
                                             fma_real(-vehicle[P_COM_Z], terms->fx, on_yaw));
}

/* The share of the moments that belongs to it (appendix/vehicle.md#motion). */
FN void balance_share(const real *vehicle, const real *w, const contact *k, wheel_terms *terms,
                      real *gain_x, real *gain_z) {
  terms->unit_bracket_i = k->axis_along * terms->on_spin;
  real unit_bracket_k =
      fma_real(w[W_MOMENTUM_RATIO], terms->on_rate, w[W_SIN_PSI] * terms->on_spin);
  real tilt_x = fma_real(vehicle[P_HEIGHT], terms->fx, terms->yaw * vehicle[P_TILT_Z]);
  real tilt_z = fma_real(vehicle[P_HEIGHT], terms->fz, -(terms->yaw * vehicle[P_TILT_X]));
  *gain_x = fma_real(terms->unit_bracket_i, w[W_COS], fma_real(unit_bracket_k, w[W_SIN], tilt_z));
  *gain_z = fma_real(unit_bracket_k, w[W_COS], fma_real(-terms->unit_bracket_i, w[W_SIN], -tilt_x));
}

/* Both of them (appendix/vehicle.md#motion). */
FN void force_share(const real *vehicle, const real *w, const contact *k, real unit_i, real unit_k,
                    wheel_terms *terms, real *gain_x, real *gain_z) {
  push_wheel(vehicle, w, k, unit_i, unit_k, terms);
  balance_share(vehicle, w, k, terms, gain_x, gain_z);
}

/* Contact point (-P_z, P_x): with 1 the wheel's column of the balance matrix B. */
FN void contact_place(const real *w, const contact *k, real *b1, real *b2) {
  *b1 = fma_real(k->offset, w[W_COS], -w[W_B]);
  *b2 = fma_real(-k->offset, w[W_SIN], w[W_A]);
}

/* Adds a wheel's part of the equations of the loads; d1, d2: its moments per unit load. */
FN void add_load_moments(const wheel_terms *terms, real d1, real d2, load_sums *loads) {
  loads->m10 = loads->m10 + d1;
  loads->m20 = loads->m20 + d2;
  loads->m11 = fma_real(d1, terms->b1, loads->m11);
  loads->m12 = fma_real(d1, terms->b2, loads->m12);
  loads->m21 = fma_real(d2, terms->b1, loads->m21);
  loads->m22 = fma_real(d2, terms->b2, loads->m22);
}

/* Adds the wheel's column of B - K, per unit load, to the load sums: gain times the moments gain_x
 * and gain_z of the wheel's force (appendix/vehicle.md#loads). */
FN void add_load_column(const real *w, const contact *k, real gain, real gain_x, real gain_z,
                        wheel_terms *terms, load_sums *loads) {
  contact_place(w, k, &terms->b1, &terms->b2);
  terms->gain = gain;
  real d1 = fma_real(-gain, gain_x, terms->b1), d2 = fma_real(-gain, gain_z, terms->b2);
  loads->m01 = loads->m01 + terms->b1;
  loads->m02 = loads->m02 + terms->b2;
  add_load_moments(terms, d1, d2, loads);
}

/* The same of only the contact force (appendix/vehicle.md#loads). */
FN void load_share(const real *vehicle, const real *w, const contact *k, const push *f,
                   wheel_terms *terms, load_sums *loads) {
  real gain_x, gain_z;
  force_share(vehicle, w, k, f->i, f->k, terms, &gain_x, &gain_z);
  add_load_column(w, k, f->gain, gain_x, gain_z, terms, loads);
  terms->dissipation = f->dissipation;
}

/* Whether friction has an exponent of loads that are not known before: they are iterated. */
FN int bends_loads(GLOBAL const int *c) {
  return (SETTING(c, DRY) & DRY_EXPONENT) && WHEELS(c) > 1;
}

/* Adds the torques t by the load to the effects of a contact force of gain 1: one column has both
 * (appendix/bearings.md#bearings). */
FN void join_dry(const real *vehicle, const real *w, const contact *k, const dry_torques *t,
                 wheel_terms *terms) {
  terms->on_spin = terms->on_spin + t->roller;
  terms->on_rate = fma_real(-w[W_SIN_PSI], t->roller, terms->on_rate + t->axle);
  terms->yaw = fma_real(-vehicle[P_INV_YAW], k->axis_up * t->roller, terms->yaw + t->yaw);
  terms->rollers = t->rollers_lost;
  terms->axle = t->axle_lost;
  terms->rolling = t->rolling_lost;
  terms->dissipation = terms->dissipation + ((terms->rollers + terms->axle) + terms->rolling);
}

/* Takes the moment of the floor, which is from outside, from the share of the moments. */
FN void take_floor_moment(const real *w, const dry_torques *t, wheel_terms *terms, real *gain_x,
                          real *gain_z) {
  terms->unit_bracket_i = terms->unit_bracket_i - t->moment_i;
  *gain_x = fma_real(-t->moment_i, w[W_COS], fma_real(-t->moment_k, w[W_SIN], *gain_x));
  *gain_z = fma_real(-t->moment_k, w[W_COS], fma_real(t->moment_i, w[W_SIN], *gain_z));
}

/* The wheel's column with the torques t, whether or not there are any
 * (appendix/bearings.md#bearings). */
FN void load_share_dry(const parameters *p, GLOBAL const int *c, const real *w, const contact *k,
                       const push *f, const dry_torques *t, wheel_terms *terms, load_sums *loads) {
  real gain_x, gain_z;
  int joins = (SETTING(c, DRY) & DRY_LOADED) && !bends_loads(c);
  push_wheel(p->v, w, k, f->i, f->k, terms);
  terms->dissipation = f->dissipation;
  if (joins) join_dry(p->v, w, k, t, terms);
  balance_share(p->v, w, k, terms, &gain_x, &gain_z);
  if (joins && (SETTING(c, DRY) & DRY_ROLLING)) take_floor_moment(w, t, terms, &gain_x, &gain_z);
  add_load_column(w, k, f->gain, gain_x, gain_z, terms, loads);
}

/* The part of a wheel of given load in the load equations, only from its column: the others carry
 * less, and its moments are known. */
FN void carry_tracked(const real *w, const load_sums *own, load_sums *loads) {
  loads->r0 = loads->r0 - w[W_TRACKED_LOAD];
  loads->r1 = fma_real(-w[W_TRACKED_LOAD], own->m10, loads->r1);
  loads->r2 = fma_real(-w[W_TRACKED_LOAD], own->m20, loads->r2);
}

FN void clear_loads(load_sums *loads) {
  loads->m01 = loads->m02 = loads->m10 = loads->m11 = loads->m12 = loads->m20 = loads->m21 =
      loads->m22 = R(0.0);
  loads->r1 = loads->r2 = R(0.0);
}

/* The load that the wheels carry, and the moments of the external force and torque
 * (appendix/drives.md#drives). */
FN void carry(const real *vehicle, GLOBAL const int *c, const external *e, load_sums *loads) {
  loads->r0 = carried_weight(vehicle, c, e);
  if (!SETTING(c, EXTERNAL)) return;
  loads->r1 = loads->r1 - e->turn_x;
  loads->r2 = loads->r2 - e->turn_z;
}

/* A contact force that includes its gain, so that the load multiplies all effects of a wheel. */
FN push whole_push(push f) {
  push all = {f.gain * f.i, f.gain * f.k, R(1.0), f.gain * f.dissipation};
  return all;
}

/* Adds the constant torques of the bearings of axle and roller, which act without any load; lost:
 * the power that they take
 * (appendix/bearings.md#bearings). */
FN void add_dry_torques(const real *w, GLOBAL const int *c, const contact *k, const dry_turns *d,
                        roller_sums *sums, real *torque, real *lost) {
  if (SETTING(c, DRY) & DRY_AXLE) {
    real on_axle = w[W_AXLE_TORQUE] * d->axle;
    *torque = *torque - on_axle;
    *lost = fma_real(on_axle, d->rate, *lost);
  }
  if (!(SETTING(c, DRY) & DRY_FIXED)) return;
  real on_roller = dry_roller_torque(w, d);
  sums->bear_sum = sums->bear_sum + on_roller;
  sums->bear_cos = fma_real(on_roller, k->cos_q, sums->bear_cos);
  sums->bear_sin = fma_real(on_roller, k->sin_q, sums->bear_sin);
  sums->dissipation = fma_real(-on_roller, d->roll, sums->dissipation);
}

/* Adds `factor` times the effects of dry friction per unit of load; the gain of the terms is 1
 * (appendix/bearings.md#bearings). */
FN void add_dry_share(const dry_share *share, real factor, wheel_terms *terms, load_sums *loads) {
  real d1 = -(factor * share->gain_x), d2 = -(factor * share->gain_z);
  add_load_moments(terms, d1, d2, loads);
  terms->on_rate = fma_real(factor, share->on_rate, terms->on_rate);
  terms->on_spin = fma_real(factor, share->on_spin, terms->on_spin);
  terms->yaw = fma_real(factor, share->yaw, terms->yaw);
  terms->unit_bracket_i = fma_real(factor, share->bracket_i, terms->unit_bracket_i);
  terms->rollers = factor * share->rollers;
  terms->axle = factor * share->axle;
  terms->rolling = factor * share->rolling;
  terms->dissipation = terms->dissipation + ((terms->rollers + terms->axle) + terms->rolling);
}

/* The same of a wheel of given load, whose moments are known. */
FN void add_tracked_dry(const real *w, const dry_share *share, wheel_terms *terms,
                        load_sums *loads) {
  load_sums own;
  clear_loads(&own);
  add_dry_share(share, dry_factor(w, w[W_TRACKED_LOAD]), terms, &own);
  loads->r1 = fma_real(-w[W_TRACKED_LOAD], own.m10, loads->r1);
  loads->r2 = fma_real(-w[W_TRACKED_LOAD], own.m20, loads->r2);
}

/* Adds the powers lost in the wheel's bearings and by its rolling under the load. */
FN void add_dry_losses(const wheel_terms *terms, real load, outputs *o) {
  o->rollers = fma_real(load, terms->rollers, o->rollers);
  o->rolling = fma_real(load, terms->rolling, o->rolling);
  o->bearings = fma_real(load, terms->rollers + terms->axle, o->bearings);
}

/* Right sides r1 and r2 of the load equations. */
FN void load_moments(const real *vehicle, const load_sums *loads, real free_yaw, real omega,
                     real *r1, real *r2) {
  real omega2 = omega * omega;
  real tilt_x = fma_real(free_yaw, vehicle[P_TILT_Z], -(omega2 * vehicle[P_TILT_X]));
  real tilt_z = -fma_real(free_yaw, vehicle[P_TILT_X], omega2 * vehicle[P_TILT_Z]);
  *r1 = fma_real(-vehicle[P_WEIGHT], vehicle[P_COM_Z], tilt_z + loads->r1);
  *r2 = fma_real(vehicle[P_WEIGHT], vehicle[P_COM_X], loads->r2 - tilt_x);
}

/* Whether loads that a slight give of the floor lets change come back to the solution of the load
 * equations. c11 + c22 is m00 times the trace of the matrix left when nu[0] is eliminated, and
 * det m00 times its determinant: of its two eigenvalues, tilts about two axes, neither may be
 * negative. Without friction both are positive (appendix/vehicle.md#loads). */
FN mask loads_hold(real det, real least, real c11, real c22) {
  return mask_and(gt(det, least), gt(c11 + c22, R(0.0)));
}

/* Solves the load equations by cofactors; nu such that N_i = nu[0] + b1_i nu[1] + b2_i nu[2]
 * (appendix/vehicle.md#loads). */
FN void solve_loads(const real *vehicle, const load_sums *loads, int wheels, real free_yaw,
                    real omega, real nu[3], mask *solvable) {
  real r0 = loads->r0, r1, r2;
  load_moments(vehicle, loads, free_yaw, omega, &r1, &r2);
  real m00 = splat((sreal)wheels);
  real c00 = fma_real(loads->m11, loads->m22, -(loads->m12 * loads->m21));
  real c01 = fma_real(loads->m12, loads->m20, -(loads->m10 * loads->m22));
  real c02 = fma_real(loads->m10, loads->m21, -(loads->m11 * loads->m20));
  real c10 = fma_real(loads->m02, loads->m21, -(loads->m01 * loads->m22));
  real c11 = fma_real(m00, loads->m22, -(loads->m02 * loads->m20));
  real c12 = fma_real(loads->m01, loads->m20, -(m00 * loads->m21));
  real c20 = fma_real(loads->m01, loads->m12, -(loads->m02 * loads->m11));
  real c21 = fma_real(loads->m02, loads->m10, -(m00 * loads->m12));
  real c22 = fma_real(m00, loads->m11, -(loads->m01 * loads->m10));
  real det = fma_real(m00, c00, fma_real(loads->m01, c01, loads->m02 * c02));
  *solvable = loads_hold(det, vehicle[P_DET_MIN], c11, c22);
  real inv = R(1.0) / det;
  nu[0] = inv * fma_real(c00, r0, fma_real(c10, r1, c20 * r2));
  nu[1] = inv * fma_real(c01, r0, fma_real(c11, r1, c21 * r2));
  nu[2] = inv * fma_real(c02, r0, fma_real(c12, r1, c22 * r2));
}

/* Passes of Newton's method on the loads where dry friction has an exponent of the load. The part
 * of a load by such friction is about its lever arm over the wheelbase, a hundredth at most, and a
 * pass squares it. */
#define DRY_PASSES 3

/* With an exponent p friction takes N_ref (N/N_ref)^p in place of N. Newton's method finds the
 * loads, starting without dry friction: the tangent a N + b at the last loads is in the load
 * equations. The addition in the end is linear again, with the factor of the loads found, so that
 * it is exact where these are (appendix/bearings.md#bearings). */
FN_COLD void settle_dry_loads(const parameters *p, GLOBAL const int *c, real free_yaw, real omega,
                              const dry_share *dry, wheel_terms *terms, load_sums *loads) {
  real factor[WHEELS_MAX], load[WHEELS_MAX];
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) factor[i] = load[i] = R(0.0);
  for (int pass = 0; pass < DRY_PASSES; pass++) {
    load_sums trial = *loads;
    real nu[3];
    mask ignored;
    UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
      wheel_terms aside = terms[i];
      real bent = p->w[i][W_DRY_POWER] * factor[i], offset = -(bent * load[i]);
      if (is_tracked(c, i)) {
        add_tracked_dry(p->w[i], &dry[i], &aside, &trial);
        continue;
      }
      add_dry_share(&dry[i], factor[i] + bent, &aside, &trial);
      trial.r1 = fma_real(offset, dry[i].gain_x, trial.r1);
      trial.r2 = fma_real(offset, dry[i].gain_z, trial.r2);
    }
    solve_loads(p->v, &trial, sharing_wheels(c), free_yaw, omega, nu, &ignored);
    UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
      load[i] = fma_real(terms[i].b1, nu[1], fma_real(terms[i].b2, nu[2], nu[0]));
      factor[i] = dry_factor(p->w[i], load[i]);
    }
  }
  UNROLL_DEVICE for (int i = 0; i < WHEELS(c); i++) {
    if (is_tracked(c, i))
      add_tracked_dry(p->w[i], &dry[i], &terms[i], loads);
    else
      add_dry_share(&dry[i], factor[i], &terms[i], loads);
  }
}

/* Pose, path and Coriolis terms, from the velocities and o->ax, o->az
 * (appendix/vehicle.md#axes) (appendix/vehicle.md#motion). */
FN void platform_rates(const real *y, const outputs *o, real yaw, real *dy) {
  real vx = y[Y_VX], vz = y[Y_VZ], omega = y[Y_OMEGA];
  real sin_yaw, cos_yaw;
  sincos_real(y[Y_YAW], &sin_yaw, &cos_yaw);
  dy[Y_X] = fma_real(vx, cos_yaw, vz * sin_yaw);
  dy[Y_Z] = fma_real(vz, cos_yaw, -(vx * sin_yaw));
  dy[Y_YAW] = omega;
  dy[Y_VX] = fma_real(-omega, vz, o->ax);
  dy[Y_VZ] = fma_real(omega, vx, o->az);
  dy[Y_OMEGA] = yaw;
  dy[Y_PATH] = sqrt_real(fma_real(vx, vx, vz * vz));
}

/* Acceleration of the body origin from the whole contact force and the yaw acceleration
 * (appendix/vehicle.md#motion). */
FN void origin_acceleration(const real *vehicle, real force_x, real force_z, real yaw, real omega,
                            outputs *o) {
  real omega2 = omega * omega;
  o->ax = fma_real(force_x, vehicle[P_INV_MASS],
                   fma_real(-yaw, vehicle[P_COM_Z], omega2 * vehicle[P_COM_X]));
  o->az = fma_real(force_z, vehicle[P_INV_MASS],
                   fma_real(yaw, vehicle[P_COM_X], omega2 * vehicle[P_COM_Z]));
}
