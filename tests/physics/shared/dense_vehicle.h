/* A second, dense computation of what the laws of tangential contact do, written from
 * appendix/rollers.md#slip to #5-equations-of-motion alone: whole matrices, plain elimination, no
 * formula shared with kernels/. Coordinates u = (V_x, V_z, omega, chi'_1 .., s_1 ..), s the axial
 * spin of each wheel's active roller; body axes; forces of the floor as (i, k) of each wheel.
 * Bearing friction is included.
 *
 *   dense_assemble(&m)              two rows of constraints a wheel: no slip along i, along k
 *   dense_assemble_massless(&m, c)  one row a wheel and no s; c: the classical wheel, q = m = 0
 *   dense_rolling(&d, baumgarte)    law 3; with the massless assembly law 5
 *   dense_relaxed(&d, &relaxation)  law 4 and its variants
 *   dense_impact(&d, after)         law 3 at an exchange; returns the energy lost */
#ifndef TESTS_DENSE_VEHICLE_H
#define TESTS_DENSE_VEHICLE_H

#include "dense.h"
#include "machine.h"

typedef struct dense_contact {
  int active;            /* roller */
  double angle;          /* q */
  double height, offset; /* h; m sin psi less the row's share: the contact is that far from the
                            wheel's plane, against k */
  double height_rate, offset_rate; /* per second, with chi' */
} dense_contact;

typedef struct dense_vehicle {
  machine machine;
  int size, rows;
  dense_contact contact[OMR_MAX_WHEELS];
  double u[DENSE_SIZE];
  dense_matrix mass;          /* M */
  double applied[DENSE_SIZE]; /* Q: everything in section 4 but the floor's tangential forces */
  dense_matrix a;             /* A, rows x size */
  double rate[DENSE_SIZE];    /* dA/dt u */
  int wheel_of[DENSE_SIZE];   /* of each row */
  double direction[DENSE_SIZE][2];    /* force of the floor in (i, k) for a multiplier of 1 */
  double balance[3][OMR_MAX_WHEELS];  /* B: the loads' sum and their moments about x and z */
  double balance_free[3];             /* B N = this + */
  double balance_rate[3][DENSE_SIZE]; /* this times u' */
} dense_vehicle;

typedef struct dense_motion {
  double acceleration[DENSE_SIZE];                           /* u' */
  double spin_acceleration[OMR_MAX_WHEELS][OMR_MAX_ROLLERS]; /* of all rollers */
  double force[OMR_MAX_WHEELS][2],
      load[OMR_MAX_WHEELS]; /* of the floor: tangential (i, k), normal */
  double demand[OMR_MAX_WHEELS], stiction[OMR_MAX_WHEELS]; /* law 4: rho_i; sqrt(w_i) */
  double multiplier[DENSE_SIZE];                           /* F, by rows */
  bool solved; /* false: some system of equations was singular */
} dense_motion;

/* ---- assembly */

static inline double dense_roller_rate(const machine *m, int i, double q, const double *spin,
                                       double omega, double rate) {
  return *spin - omega * cos(m->wheel[i].psi) * sin(q) - rate * sin(m->wheel[i].psi);
}

static inline dense_contact dense_place(const machine *m, int i) {
  const machine_wheel *w = &m->wheel[i];
  const double turn = nearbyint(w->angle * m->rollers / (2 * M_PI));
  dense_contact c = {.angle = w->angle - turn * 2 * M_PI / m->rollers};
  c.active = (int)fmod(m->rollers - fmod(turn, m->rollers), m->rollers);
  const double side = c.active % 2 ? -1 : 1;
  c.height = m->radius - m->center / cos(c.angle);
  c.offset = m->center * tan(c.angle) / cos(w->psi) * sin(w->psi) - side * m->row_distance / 2;
  c.height_rate = -m->center * sin(c.angle) / (cos(c.angle) * cos(c.angle)) * w->rate;
  c.offset_rate = m->center / (cos(c.angle) * cos(c.angle) * cos(w->psi)) * sin(w->psi) * w->rate;
  return c;
}

/* Velocity of the wheel's centre along i and k for the platform's velocities u. */
static inline void dense_centre_velocity(const machine *m, int i, const double *u, double v[2]) {
  const machine_wheel *w = &m->wheel[i];
  const double x = u[0] + u[2] * w->b, z = u[1] - u[2] * w->a;
  v[0] = x * cos(w->delta) - z * sin(w->delta);
  v[1] = x * sin(w->delta) + z * cos(w->delta);
}

/* Slip velocity (section 3) of wheel i for any velocities u. */
static inline void dense_slip(const machine *m, int i, const dense_contact *c, const double *u,
                              double v[2]) {
  const double psi = m->wheel[i].psi, chi = u[3 + i], s = u[3 + m->wheels + i];
  const double roller = dense_roller_rate(m, i, c->angle, &s, u[2], chi);
  dense_centre_velocity(m, i, u, v);
  v[0] += m->radius * chi - u[2] * c->offset + c->height * sin(psi) * roller;
  v[1] -= c->height * cos(psi) * cos(c->angle) * roller;
}

/* d/dt of its components at constant u. */
static inline void dense_slip_rate(const machine *m, int i, const dense_contact *c, const double *u,
                                   double v[2]) {
  const double psi = m->wheel[i].psi, chi = u[3 + i], s = u[3 + m->wheels + i], q = c->angle;
  const double roller = dense_roller_rate(m, i, q, &s, u[2], chi),
               roller_rate = -u[2] * cos(psi) * cos(q) * chi;
  v[0] = -u[2] * c->offset_rate + sin(psi) * (c->height_rate * roller + c->height * roller_rate);
  v[1] = -cos(psi) * (c->height_rate * cos(q) * roller - c->height * sin(q) * chi * roller +
                      c->height * cos(q) * roller_rate);
}

static inline double dense_wheel_mass(const machine *m) {
  return m->disc_mass + m->rollers * m->roller_mass;
}

static inline double dense_wheel_inertia(const machine *m, int i) {
  const double c = cos(m->wheel[i].psi);
  return m->disc_axial +
         m->rollers * (m->roller_mass * m->center * m->center + m->roller_diametral * c * c);
}

static inline double dense_yaw_inertia(const machine *m) {
  double sum = m->platform_inertia + m->platform_mass * (m->com_x * m->com_x + m->com_z * m->com_z);
  for (int i = 0; i < m->wheels; i++) {
    const machine_wheel *w = &m->wheel[i];
    const double c = cos(w->psi);
    sum += m->disc_diametral + dense_wheel_mass(m) * (w->a * w->a + w->b * w->b);
    sum += m->rollers *
           (m->roller_mass * m->center * m->center / 2 + m->roller_diametral * (1 - c * c / 2));
    sum += m->rollers * m->roller_mass * m->row_distance * m->row_distance / 4;
  }
  return sum;
}

/* Total mass and its moments: {M, M c_x, M c_z}. */
static inline void dense_mass_moments(const machine *m, double moment[3]) {
  moment[0] = m->platform_mass;
  moment[1] = m->platform_mass * m->com_x;
  moment[2] = m->platform_mass * m->com_z;
  for (int i = 0; i < m->wheels; i++) {
    moment[0] += dense_wheel_mass(m);
    moment[1] += dense_wheel_mass(m) * m->wheel[i].a;
    moment[2] += dense_wheel_mass(m) * m->wheel[i].b;
  }
}

static inline void dense_assemble_mass(dense_vehicle *d) {
  const machine *m = &d->machine;
  double moment[3];
  dense_mass_moments(m, moment);
  d->mass[0][0] = d->mass[1][1] = moment[0];
  d->mass[0][2] = d->mass[2][0] = moment[2];
  d->mass[1][2] = d->mass[2][1] = -moment[1];
  d->mass[2][2] = dense_yaw_inertia(m);
  for (int i = 0; i < m->wheels; i++) {
    d->mass[3 + i][3 + i] = dense_wheel_inertia(m, i);
    d->mass[3 + m->wheels + i][3 + m->wheels + i] = m->roller_axial;
  }
}

/* Gyroscopic and bearing torques of one wheel; those of its rollers one by one. */
static inline void dense_apply_wheel(dense_vehicle *d, int i) {
  const machine *m = &d->machine;
  const machine_wheel *w = &m->wheel[i];
  double gyro = 0;
  for (int j = 0; j < m->rollers; j++) {
    const double q = w->angle + 2 * M_PI * j / m->rollers;
    const double torque =
        -m->roller_bearing * dense_roller_rate(m, i, q, &w->spin[j], m->omega, w->rate);
    gyro += m->roller_axial * cos(w->psi) * w->spin[j] * cos(q);
    d->applied[2] -= cos(w->psi) * sin(q) * torque;
    d->applied[3 + i] -= sin(w->psi) * torque;
    if (j == d->contact[i].active) d->applied[3 + m->wheels + i] = torque;
  }
  d->applied[2] -= gyro * w->rate;
  d->applied[3 + i] += gyro * m->omega + w->torque - m->axle_bearing * w->rate;
}

static inline void dense_assemble_applied(dense_vehicle *d) {
  const machine *m = &d->machine;
  const double o = m->omega;
  double moment[3];
  dense_mass_moments(m, moment);
  d->applied[0] = -moment[0] * o * m->vz + moment[1] * o * o;
  d->applied[1] = moment[0] * o * m->vx + moment[2] * o * o;
  d->applied[2] = -moment[2] * o * m->vz - moment[1] * o * m->vx;
  for (int i = 0; i < m->wheels; i++) dense_apply_wheel(d, i);
}

/* Adds height (j x mass a(r)) to the rate of the horizontal angular momentum. */
static inline void dense_add_body(dense_vehicle *d, double height, double mass, double rx,
                                  double rz) {
  const machine *m = &d->machine;
  const double f = height * mass, o = m->omega;
  d->balance_free[1] += f * (-o * m->vx - o * o * rz);
  d->balance_rate[1][1] += f;
  d->balance_rate[1][2] -= f * rx;
  d->balance_free[2] -= f * (o * m->vz - o * o * rx);
  d->balance_rate[2][0] -= f;
  d->balance_rate[2][2] -= f * rz;
}

/* Adds the brackets of section 4 after i and k. */
static inline void dense_add_wheel_momentum(dense_vehicle *d, int i) {
  const machine *m = &d->machine;
  const machine_wheel *w = &m->wheel[i];
  const double inertia = dense_wheel_inertia(m, i), cp = cos(w->psi), sp = sin(w->psi);
  const double axis_i[2] = {cos(w->delta), -sin(w->delta)},
               axis_k[2] = {sin(w->delta), cos(w->delta)};
  double free_i = inertia * w->rate * m->omega, free_k = 0;
  for (int j = 0; j < m->rollers && m->roller_axial > 0; j++) {
    const double q = w->angle + 2 * M_PI * j / m->rollers, s = w->spin[j];
    const double torque = -m->roller_bearing * dense_roller_rate(m, i, q, &s, m->omega, w->rate);
    const double idle = j == d->contact[i].active ? 0 : torque / m->roller_axial;
    free_i += m->roller_axial * (idle * cp * cos(q) + s * (m->omega * sp - w->rate * cp * sin(q)));
    free_k += m->roller_axial * (idle * sp - s * m->omega * cp * cos(q));
  }
  for (int c = 0; c < 2; c++) {
    d->balance_free[1 + c] += axis_i[c] * free_i + axis_k[c] * free_k;
    d->balance_rate[1 + c][3 + i] += axis_k[c] * inertia;
    d->balance_rate[1 + c][3 + m->wheels + i] +=
        m->roller_axial * (axis_i[c] * cp * cos(d->contact[i].angle) + axis_k[c] * sp);
  }
}

static inline void dense_assemble_balance(dense_vehicle *d) {
  const machine *m = &d->machine;
  double moment[3];
  dense_mass_moments(m, moment);
  d->balance_free[0] = moment[0] * m->gravity;
  d->balance_free[1] = -moment[2] * m->gravity;
  d->balance_free[2] = moment[1] * m->gravity;
  dense_add_body(d, m->com_height, m->platform_mass, m->com_x, m->com_z);
  for (int i = 0; i < m->wheels; i++) {
    const machine_wheel *w = &m->wheel[i];
    const double px = w->a - d->contact[i].offset * sin(w->delta),
                 pz = w->b - d->contact[i].offset * cos(w->delta);
    d->balance[0][i] = 1;
    d->balance[1][i] = -pz;
    d->balance[2][i] = px;
    dense_add_body(d, m->radius, dense_wheel_mass(m), w->a, w->b);
    dense_add_wheel_momentum(d, i);
  }
}

static inline void dense_assemble_rows(dense_vehicle *d) {
  const machine *m = &d->machine;
  d->rows = 2 * m->wheels;
  for (int i = 0; i < m->wheels; i++) {
    dense_slip_rate(m, i, &d->contact[i], d->u, &d->rate[2 * i]);
    for (int c = 0; c < 2; c++) {
      d->wheel_of[2 * i + c] = i;
      d->direction[2 * i + c][c] = 1;
    }
    for (int j = 0; j < d->size; j++) {
      double unit[DENSE_SIZE] = {0}, v[2];
      unit[j] = 1;
      dense_slip(m, i, &d->contact[i], unit, v);
      d->a[2 * i][j] = v[0];
      d->a[2 * i + 1][j] = v[1];
    }
  }
}

static inline dense_vehicle dense_start(const machine *m) {
  dense_vehicle d = {.machine = *m, .size = 3 + 2 * m->wheels};
  d.u[0] = m->vx;
  d.u[1] = m->vz;
  d.u[2] = m->omega;
  for (int i = 0; i < m->wheels; i++) {
    d.contact[i] = dense_place(m, i);
    d.u[3 + i] = m->wheel[i].rate;
    d.u[3 + m->wheels + i] = m->wheel[i].spin[d.contact[i].active];
  }
  return d;
}

static inline dense_vehicle dense_assemble(const machine *m) {
  dense_vehicle d = dense_start(m);
  dense_assemble_mass(&d);
  dense_assemble_applied(&d);
  dense_assemble_rows(&d);
  dense_assemble_balance(&d);
  return d;
}

/* The row of law 5, as printed there and not divided by |d|: cos psi cos q (V_W i + R chi' - omega
 * m sin psi) + sin psi V_W k. A Baumgarte rate acts on this combination; rows divided by |d| would
 * differ from it where the constraint is not met. */
static inline double dense_massless_slip(const machine *m, int i, const dense_contact *c,
                                         const double *u) {
  const double psi = m->wheel[i].psi;
  double v[2];
  dense_centre_velocity(m, i, u, v);
  return cos(psi) * cos(c->angle) * (v[0] + m->radius * u[3 + i] - u[2] * c->offset) +
         sin(psi) * v[1];
}

/* Rollers without mass, inertia and bearing friction. */
static inline dense_vehicle dense_assemble_massless(const machine *m, bool classical) {
  machine bare = *m;
  bare.roller_mass = bare.roller_axial = bare.roller_diametral = bare.roller_bearing = 0;
  dense_vehicle d = dense_start(&bare);
  d.size = 3 + m->wheels;
  d.rows = m->wheels;
  for (int i = 0; i < m->wheels; i++) {
    dense_contact *c = &d.contact[i];
    const double psi = m->wheel[i].psi, chi = classical ? 0 : m->wheel[i].rate;
    if (classical) c->angle = c->offset = c->offset_rate = 0;
    for (int j = 0; j < d.size; j++) {
      double unit[DENSE_SIZE] = {0};
      unit[j] = 1;
      d.a[i][j] = dense_massless_slip(m, i, c, unit);
    }
    double v[2];
    dense_centre_velocity(m, i, d.u, v);
    d.rate[i] =
        -cos(psi) * sin(c->angle) * chi * (v[0] + m->radius * d.u[3 + i] - d.u[2] * c->offset) -
        cos(psi) * cos(c->angle) * d.u[2] * c->offset_rate;
    d.wheel_of[i] = i;
    d.direction[i][0] = cos(psi) * cos(c->angle);
    d.direction[i][1] = sin(psi);
  }
  dense_assemble_mass(&d);
  dense_assemble_applied(&d);
  dense_assemble_balance(&d);
  return d;
}

/* ---- solutions */

/* What every law needs: a = M^-1 Q, M^-1 A^T (its columns in the rows of `response`), G = A M^-1
 * A^T. */
typedef struct dense_system {
  double free[DENSE_SIZE];
  dense_matrix response, g;
  bool solved;
} dense_system;

static inline dense_system dense_make_system(dense_vehicle *d) {
  dense_system s = {.solved = true};
  memcpy(s.free, d->applied, sizeof s.free);
  s.solved = dense_solve(d->size, d->mass, s.free);
  for (int r = 0; r < d->rows; r++) {
    memcpy(s.response[r], d->a[r], sizeof s.response[r]);
    s.solved = dense_solve(d->size, d->mass, s.response[r]) && s.solved;
  }
  for (int r = 0; r < d->rows; r++) {
    for (int c = 0; c < d->rows; c++) s.g[r][c] = dense_dot(d->size, d->a[r], s.response[c]);
  }
  return s;
}

/* b - A a with b = -dA/dt u - gamma A u. */
static inline void dense_residual(const dense_vehicle *d, const dense_system *s, double baumgarte,
                                  double *residual) {
  for (int r = 0; r < d->rows; r++) {
    residual[r] = -d->rate[r] - baumgarte * dense_dot(d->size, d->a[r], d->u) -
                  dense_dot(d->size, d->a[r], s->free);
  }
}

/* Adds M^-1 A^T f. */
static inline void dense_push(const dense_vehicle *d, const dense_system *s, const double *f,
                              double *acceleration) {
  for (int j = 0; j < d->size; j++) {
    for (int r = 0; r < d->rows; r++) acceleration[j] += s->response[r][j] * f[r];
  }
}

static inline void dense_right_of_balance(const dense_vehicle *d, const double *acceleration,
                                          double right[DENSE_SIZE]) {
  for (int c = 0; c < 3; c++)
    right[c] = d->balance_free[c] + dense_dot(d->size, d->balance_rate[c], acceleration);
}

/* Loads where accelerations are `fixed` plus `slope`[i] per newton of load i: N = B^T nu with (B -
 * K) B^T nu = right. */
static inline bool dense_loads(const dense_vehicle *d, const double *fixed, dense_matrix slope,
                               double *load) {
  const int wheels = d->machine.wheels;
  double right[DENSE_SIZE] = {0};
  dense_matrix m = {{0}};
  if (wheels == 1) {
    load[0] = d->balance_free[0];
    return true;
  }
  dense_right_of_balance(d, fixed, right);
  for (int c = 0; c < 3; c++) {
    for (int i = 0; i < wheels; i++) {
      const double entry =
          d->balance[c][i] - (slope ? dense_dot(d->size, d->balance_rate[c], slope[i]) : 0);
      for (int e = 0; e < 3; e++) m[c][e] += entry * d->balance[e][i];
    }
  }
  const bool solved = dense_solve(3, m, right);
  for (int i = 0; i < wheels; i++) {
    load[i] =
        d->balance[0][i] * right[0] + d->balance[1][i] * right[1] + d->balance[2][i] * right[2];
  }
  return solved;
}

/* Forces by wheel and the spins of all rollers, from multipliers and accelerations. */
static inline void dense_finish(const dense_vehicle *d, dense_motion *r) {
  const machine *m = &d->machine;
  for (int row = 0; row < d->rows; row++) {
    for (int c = 0; c < 2; c++)
      r->force[d->wheel_of[row]][c] += d->direction[row][c] * r->multiplier[row];
  }
  for (int i = 0; i < m->wheels && m->roller_axial > 0; i++) {
    const machine_wheel *w = &m->wheel[i];
    for (int j = 0; j < m->rollers; j++) {
      const double q = w->angle + 2 * M_PI * j / m->rollers;
      r->spin_acceleration[i][j] = -m->roller_bearing / m->roller_axial *
                                   dense_roller_rate(m, i, q, &w->spin[j], m->omega, w->rate);
    }
    r->spin_acceleration[i][d->contact[i].active] = r->acceleration[3 + m->wheels + i];
  }
}

/* Law 3, and with the massless assembly law 5: A u' = b, forces F = G^-1 (b - A a). */
static inline dense_motion dense_rolling(dense_vehicle *d, double baumgarte) {
  dense_motion r = {.solved = true};
  dense_system s = dense_make_system(d);
  dense_residual(d, &s, baumgarte, r.multiplier);
  r.solved = dense_solve(d->rows, s.g, r.multiplier) && s.solved;
  memcpy(r.acceleration, s.free, sizeof s.free);
  dense_push(d, &s, r.multiplier, r.acceleration);
  r.solved = dense_loads(d, r.acceleration, NULL, r.load) && r.solved;
  dense_finish(d, &r);
  return r;
}

static inline dense_motion dense_massless(const machine *m, bool classical, double baumgarte) {
  dense_vehicle d = dense_assemble_massless(m, classical);
  return dense_rolling(&d, baumgarte);
}

/* Velocities after the tangential impact of an exchange; returns the energy lost, (A u)^T G^-1 (A
 * u)/2. */
static inline double dense_impact(dense_vehicle *d, double after[DENSE_SIZE]) {
  dense_system s = dense_make_system(d);
  double slip[DENSE_SIZE], impulse[DENSE_SIZE];
  for (int r = 0; r < d->rows; r++) slip[r] = impulse[r] = -dense_dot(d->size, d->a[r], d->u);
  cr_assert(s.solved && dense_solve(d->rows, s.g, impulse));
  memcpy(after, d->u, sizeof d->u);
  dense_push(d, &s, impulse, after);
  return 0.5 * dense_dot(d->rows, slip, impulse);
}

/* ---- law 4 */

typedef enum dense_weights {
  DENSE_PUBLISHED,  /* w = s^2, s = 1 - tanh^2(k_s rho/3) */
  DENSE_SATURATION, /* w = tanh(rho)/rho */
  DENSE_GIVEN       /* w = given[i] */
} dense_weights;

typedef struct dense_relaxation {
  dense_weights weights;
  double k_s, k_f, v_ref, baumgarte;
  bool frictionless; /* f = 0 */
  bool contact_wise; /* F = W lambda + (I - W) f, without cross terms */
  double given[OMR_MAX_WHEELS];
  double coupling[OMR_MAX_WHEELS]; /* kappa: kappa w (1 - w) off the diagonal of W */
  const double (
      *own)[4]; /* k_s, k_F, v_ref, mu of each wheel; NULL: the same for all, mu of the machine */
} dense_relaxation;

typedef struct dense_gains {
  double k_s, k_f, v_ref, friction;
} dense_gains;

static inline dense_gains dense_gains_of(const dense_vehicle *d, const dense_relaxation *x, int i) {
  if (x->own) return (dense_gains){x->own[i][0], x->own[i][1], x->own[i][2], x->own[i][3]};
  return (dense_gains){x->k_s, x->k_f, x->v_ref, d->machine.friction};
}

static inline double dense_weight(const dense_relaxation *x, int wheel, double k_s, double rho) {
  if (x->weights == DENSE_GIVEN) return x->given[wheel];
  if (x->weights == DENSE_SATURATION) return rho > 0 ? tanh(rho) / rho : 1;
  const double t = tanh(k_s * rho / 3);
  return (1 - t * t) * (1 - t * t);
}

/* Demand and weights, from the fully constrained solve. */
static inline void dense_judge(const dense_vehicle *d, const dense_relaxation *x,
                               const dense_motion *full, dense_motion *r, double *weight) {
  const machine *m = &d->machine;
  for (int i = 0; i < m->wheels; i++) {
    const dense_gains g = dense_gains_of(d, x, i);
    r->demand[i] =
        hypot(full->force[i][0], full->force[i][1]) / (g.friction * fmax(full->load[i], 1e-9));
    weight[2 * i] = weight[2 * i + 1] = dense_weight(x, i, g.k_s, r->demand[i]);
    r->stiction[i] = sqrt(weight[2 * i]);
  }
}

/* Friction f of wheel i for one newton of load, in its rows of f. */
static inline void dense_friction(const dense_vehicle *d, const dense_relaxation *x, double rho,
                                  int i, double *f) {
  double v[2];
  dense_slip(&d->machine, i, &d->contact[i], d->u, v);
  const double speed = hypot(v[0], v[1]);
  if (speed == 0 || x->frictionless) return;
  const dense_gains g = dense_gains_of(d, x, i);
  const double size = g.friction * tanh(g.k_f * rho / 3) * tanh(speed / g.v_ref);
  f[2 * i] = -size * v[0] / speed;
  f[2 * i + 1] = -size * v[1] / speed;
}

/* W, of blocks of two. */
typedef struct dense_weighing {
  int rows;
  double matrix[DENSE_SIZE][DENSE_SIZE];
} dense_weighing;

static inline dense_weighing dense_weighing_of(int rows, const double *weight,
                                               const double *coupling) {
  dense_weighing n = {.rows = rows};
  for (int r = 0; r < rows; r++) n.matrix[r][r] = weight[r];
  for (int r = 0; r + 1 < rows; r += 2)
    n.matrix[r][r + 1] = n.matrix[r + 1][r] = coupling[r / 2] * weight[r] * (1 - weight[r]);
  return n;
}

static inline void dense_weigh(const dense_weighing *n, const double *u, double *to) {
  for (int r = 0; r < n->rows; r++) to[r] = dense_dot(n->rows, n->matrix[r], u);
}

/* out = f - G^-1 W G f, or f - W f contact by contact. */
static inline bool dense_release(dense_system *s, const dense_weighing *n, bool contact_wise,
                                 const double *f, double *out) {
  double part[DENSE_SIZE] = {0}, slip[DENSE_SIZE] = {0};
  const int rows = n->rows;
  bool solved = true;
  for (int r = 0; r < rows; r++) slip[r] = contact_wise ? f[r] : dense_dot(rows, s->g[r], f);
  dense_weigh(n, slip, part);
  if (!contact_wise) solved = dense_solve(rows, s->g, part);
  for (int r = 0; r < rows; r++) out[r] = f[r] - part[r];
  return solved;
}

/* F = G^-1 W (b - A a) + (I - G^-1 W G) f with the final loads in f, solved together with them. */
static inline dense_motion dense_relaxed(dense_vehicle *d, const dense_relaxation *x) {
  const int wheels = d->machine.wheels;
  dense_motion r = {.solved = true}, full = dense_rolling(d, x->baumgarte);
  dense_system s = dense_make_system(d);
  double weight[DENSE_SIZE] = {0}, fixed[DENSE_SIZE];
  dense_matrix force_slope = {{0}}, slope = {{0}};
  dense_judge(d, x, &full, &r, weight);
  const dense_weighing n = dense_weighing_of(d->rows, weight, x->coupling);
  if (x->contact_wise) {
    dense_weigh(&n, full.multiplier, r.multiplier);
  } else {
    double residual[DENSE_SIZE];
    dense_residual(d, &s, x->baumgarte, residual);
    dense_weigh(&n, residual, r.multiplier);
    r.solved = dense_solve(d->rows, s.g, r.multiplier) && full.solved;
  }
  memcpy(fixed, s.free, sizeof fixed);
  dense_push(d, &s, r.multiplier, fixed);
  for (int i = 0; i < wheels; i++) {
    double f[DENSE_SIZE] = {0};
    dense_friction(d, x, r.demand[i], i, f);
    r.solved = dense_release(&s, &n, x->contact_wise, f, force_slope[i]) && r.solved;
    dense_push(d, &s, force_slope[i], slope[i]);
  }
  r.solved = dense_loads(d, fixed, slope, r.load) && r.solved;
  memcpy(r.acceleration, fixed, sizeof fixed);
  for (int i = 0; i < wheels; i++) {
    for (int k = 0; k < d->rows; k++) r.multiplier[k] += r.load[i] * force_slope[i][k];
    for (int j = 0; j < d->size; j++) r.acceleration[j] += r.load[i] * slope[i][j];
  }
  dense_finish(d, &r);
  return r;
}

#endif
