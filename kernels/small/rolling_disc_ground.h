/* Ground of a disc that moves as it is given: a plate, and the motion relative to it. Axes,
 * positions, velocities and angular momentum of the disc are relative to an observer on the
 * plate, so that contact and rolling stay as they are; the plate's motion adds a force at
 * the centre of the disc and a torque about it (appendix/small.md#models).
 *
 *   X = d + p + T (x - p)      T = R_x(alpha) R_z(beta) R_y(gamma)      p: the point it turns about
 *
 * takes a point x of the plate to the axes of the plane at rest. */
#include "rolling_disc_pose.h"

/* The plate at a time, in its own axes. */
typedef struct disc_plate {
  real v[3], a[3];  /* velocity and acceleration of the point p */
  real w[3], e[3];  /* angular velocity and angular acceleration */
  real weight[3];   /* of the disc */
  real height_work; /* weight times the way of the point p */
} disc_plate;

/* Loads on the disc but the ground's: forces at the centre, torque about it. */
typedef struct disc_loads {
  real force[3], torque[3];
} disc_loads;

/* A coordinate of the plate with its first and second derivative: rate t + size sin(omega t +
 * phase); `far` stands for t, with the rates `pace` and `haste`, where the steady rate rises. */
FN void rolling_disc_given(const real *column, real t, real far, real pace, real haste,
                           real *value) {
  real sine, cosine, size = column[1], omega = column[2];
  sincos_real(fma_real(omega, t, column[3]), &sine, &cosine);
  value[0] = fma_real(column[0], far, size * sine);
  value[1] = fma_real(column[0], pace, size * omega * cosine);
  value[2] = fma_real(column[0], haste, -(size * omega * omega * sine));
}

/* The time for which the full rate would have led as far as one that rises over the ramp like
 * 10 x^3 - 15 x^4 + 6 x^5, and its derivatives. */
FN void rolling_disc_ramp(const real *p, real t, real *far, real *pace, real *haste) {
  real one = R(1.0), inverse = p[DISC_P_INV_RAMP], x = min_real(t * inverse, one), x3 = x * x * x;
  mask ramp = gt(inverse, R(0.0));
  real way = p[DISC_P_RAMP] * (x3 * x) * fma_real(x, x - R(3.0), R(2.5));
  real rest = max_real(t - p[DISC_P_RAMP], R(0.0));
  real rise = x3 * fma_real(x, fma_real(R(6.0), x, R(-15.0)), R(10.0)), back = x * (one - x);
  *far = select_real(ramp, way + rest, t);
  *pace = select_real(ramp, rise, one);
  *haste = select_real(ramp, R(30.0) * back * back * inverse, R(0.0));
}

FN void rolling_disc_cross(const real *a, const real *b, real *out) {
  out[0] = fma_real(a[1], b[2], -(a[2] * b[1]));
  out[1] = fma_real(a[2], b[0], -(a[0] * b[2]));
  out[2] = fma_real(a[0], b[1], -(a[1] * b[0]));
}

FN real rolling_disc_dot(const real *a, const real *b) {
  return fma_real(a[0], b[0], fma_real(a[1], b[1], a[2] * b[2]));
}

/* Sines and cosines of the plate's angles. */
typedef struct disc_turned {
  real sa, ca, sb, cb, sc, cc;
} disc_turned;

/* R_y(-gamma) v */
FN void rolling_disc_turn_back(const disc_turned *u, const real *v, real *out) {
  out[0] = fma_real(v[0], u->cc, -(v[2] * u->sc));
  out[1] = v[1];
  out[2] = fma_real(v[0], u->sc, v[2] * u->cc);
}

/* T^T v: from the axes of the plane at rest to the plate's. */
FN void rolling_disc_onto(const disc_turned *u, const real *v, real *out) {
  real y = fma_real(v[1], u->ca, v[2] * u->sa), level[3];
  level[2] = fma_real(v[2], u->ca, -(v[1] * u->sa));
  level[0] = fma_real(v[0], u->cb, y * u->sb);
  level[1] = fma_real(y, u->cb, -(v[0] * u->sb));
  rolling_disc_turn_back(u, level, out);
}

/* w = R_y(-gamma) (alpha' cos beta, -alpha' sin beta, beta') + gamma' e_y and its derivative
 * (appendix/small.md#models). */
FN void rolling_disc_plate_turns(const disc_turned *u, const real *alpha, const real *beta,
                                 const real *gamma, disc_plate *plate) {
  real level[3] = {alpha[1] * u->cb, -(alpha[1] * u->sb), beta[1]};
  real mixed = alpha[1] * beta[1];
  real change[3] = {fma_real(alpha[2], u->cb, -(mixed * u->sb)),
                    fma_real(-alpha[2], u->sb, -(mixed * u->cb)), beta[2]};
  rolling_disc_turn_back(u, level, plate->w);
  rolling_disc_turn_back(u, change, plate->e);
  plate->e[0] = fma_real(-gamma[1], plate->w[2], plate->e[0]);
  plate->e[2] = fma_real(gamma[1], plate->w[0], plate->e[2]);
  plate->w[1] = plate->w[1] + gamma[1];
  plate->e[1] = plate->e[1] + gamma[2];
}

/* The given motion at time t (appendix/small.md#models). */
FN void rolling_disc_plate(const real *p, real t, disc_plate *plate) {
  real at[6][3], far, pace, haste;
  disc_turned u;
  for (int i = 0; i < 5; i++)
    rolling_disc_given(p + DISC_P_X_RATE + 4 * i, t, t, R(1.0), R(0.0), at[i]);
  rolling_disc_ramp(p, t, &far, &pace, &haste);
  rolling_disc_given(p + DISC_P_TURN_RATE, t, far, pace, haste, at[5]);
  sincos_real(at[3][0], &u.sa, &u.ca);
  sincos_real(at[4][0], &u.sb, &u.cb);
  sincos_real(at[5][0], &u.sc, &u.cc);
  rolling_disc_plate_turns(&u, at[3], at[4], at[5], plate);
  const real velocity[3] = {at[0][1], at[1][1], at[2][1]},
             acceleration[3] = {at[0][2], at[1][2], at[2][2]};
  rolling_disc_onto(&u, velocity, plate->v);
  rolling_disc_onto(&u, acceleration, plate->a);
  rolling_disc_onto(&u, p + DISC_P_WEIGHT_X, plate->weight);
  plate->height_work = R(0.0);
  for (int i = 0; i < 3; i++)
    plate->height_work =
        fma_real(p[DISC_P_WEIGHT_X + i], at[i][0] + p[DISC_P_PIVOT_X + i], plate->height_work);
}

/* Velocity of the plate's point x. */
FN void rolling_disc_plate_velocity(const real *p, const disc_plate *plate, const real *x,
                                    real *out) {
  const real arm[3] = {x[0] - p[DISC_P_PIVOT_X], x[1] - p[DISC_P_PIVOT_Y],
                       x[2] - p[DISC_P_PIVOT_Z]};
  rolling_disc_cross(plate->w, arm, out);
  for (int i = 0; i < 3; i++) out[i] = out[i] + plate->v[i];
}

/* Weight and inertial force -m (a + e x s + w x (w x s) + 2 w x v) of the disc at x with the
 * relative velocity v (appendix/small.md#models). */
FN void rolling_disc_carried(const real *p, const disc_plate *plate, const real *x, const real *v,
                             disc_loads *loads) {
  const real arm[3] = {x[0] - p[DISC_P_PIVOT_X], x[1] - p[DISC_P_PIVOT_Y],
                       x[2] - p[DISC_P_PIVOT_Z]};
  real around[3], euler[3], inner[3];
  rolling_disc_cross(plate->w, arm, inner);
  for (int i = 0; i < 3; i++) inner[i] = fma_real(R(2.0), v[i], inner[i]);
  rolling_disc_cross(plate->w, inner, around);
  rolling_disc_cross(plate->e, arm, euler);
  for (int i = 0; i < 3; i++)
    loads->force[i] =
        fma_real(-p[DISC_P_MASS], plate->a[i] + (euler[i] + around[i]), plate->weight[i]);
}

/* Torque that the plate's rotation w adds to the relative one r: -I e - r x I w + I (r x w) - w x I
 * r - w x I w, with I = I_d + (I_a - I_d) w1 w1^T multiplied out (appendix/small.md#models). */
FN void rolling_disc_carried_torque(const real *p, const disc_plate *plate, const disc_pose *d,
                                    disc_loads *loads) {
  const real axis[3] = {d->w1x, d->w1y, d->w1z}, turn[3] = {d->wx, d->wy, d->wz};
  real mixed[3], side[3], carried[3], excess = p[DISC_P_AXIAL] - p[DISC_P_DIAMETRAL];
  rolling_disc_cross(turn, plate->w, mixed);
  real about = rolling_disc_dot(plate->w, axis), own = rolling_disc_dot(turn, axis);
  real along = rolling_disc_dot(mixed, axis) - rolling_disc_dot(plate->e, axis);
  /* (I_a - I_d) of -(w.w1) (r + w) x w1 - (r.w1) w x w1 */
  for (int i = 0; i < 3; i++) side[i] = fma_real(about, turn[i], (about + own) * plate->w[i]);
  rolling_disc_cross(side, axis, carried);
  for (int i = 0; i < 3; i++)
    loads->torque[i] = fma_real(excess, fma_real(along, axis[i], -carried[i]),
                                p[DISC_P_DIAMETRAL] * (mixed[i] - plate->e[i]));
}

/* Kinetic energy and gravity of the disc, for an observer at rest next to the plate
 * (appendix/small.md#models). */
FN real rolling_disc_carried_energy(const real *p, const disc_plate *plate, const disc_pose *d,
                                    const real *x, const real *v) {
  const real axis[3] = {d->w1x, d->w1y, d->w1z};
  real whole[3], turn[3] = {d->wx + plate->w[0], d->wy + plate->w[1], d->wz + plate->w[2]}, arm[3];
  rolling_disc_plate_velocity(p, plate, x, whole);
  for (int i = 0; i < 3; i++) {
    whole[i] = whole[i] + v[i];
    arm[i] = x[i] - p[DISC_P_PIVOT_X + i];
  }
  real about = rolling_disc_dot(turn, axis), excess = p[DISC_P_AXIAL] - p[DISC_P_DIAMETRAL];
  real turning =
      fma_real(p[DISC_P_DIAMETRAL], rolling_disc_dot(turn, turn), excess * about * about);
  real moving = fma_real(p[DISC_P_MASS], rolling_disc_dot(whole, whole), turning);
  return fma_real(R(0.5), moving, -(rolling_disc_dot(plate->weight, arm) + plate->height_work));
}
