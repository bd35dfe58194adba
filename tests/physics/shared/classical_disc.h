/* The classical equations of the ideally rolling disc in the axes of the body (Borisov, Mamaev,
 * Kilin 2003; source 3, section 3.1), for tests of engine and reference. The disc's axis is along
 * z:
 *
 *   M' = M x w + m r' x (w x r) + m g r x u,  gamma' = gamma x w,  u' = u x w
 *
 * M about the contact point, r from the centre to it, gamma the normal, u upwards (on level ground
 * gamma), r = R times the direction of -gamma in the plane of the disc. */
#ifndef TESTS_CLASSICAL_DISC_H
#define TESTS_CLASSICAL_DISC_H

#include <math.h>

typedef struct classical_disc {
  double mass, radius, axial, diametral, gravity;
} classical_disc;

typedef struct classical {
  double m[3], gamma[3], up[3];
} classical;

static inline void classical_cross(const double a[3], const double b[3], double out[3]) {
  for (int i = 0; i < 3; i++)
    out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static inline void classical_rim(const classical_disc *d, const double gamma[3], double r[3]) {
  double size = hypot(gamma[0], gamma[1]);
  r[0] = -d->radius * gamma[0] / size;
  r[1] = -d->radius * gamma[1] / size;
  r[2] = 0;
}

/* M = I w + m r x (w x r) */
static inline void classical_momentum(const classical_disc *d, const double w[3],
                                      const double gamma[3], double m[3]) {
  double r[3], arm[3], more[3];
  classical_rim(d, gamma, r);
  classical_cross(w, r, arm);
  classical_cross(r, arm, more);
  for (int i = 0; i < 3; i++) m[i] = (i < 2 ? d->diametral : d->axial) * w[i] + d->mass * more[i];
}

/* The same solved for w: along r, along the axis, and across both. */
static inline void classical_turning(const classical_disc *d, const classical *q, const double r[3],
                                     double w[3]) {
  double along = (r[0] * q->m[0] + r[1] * q->m[1]) / d->radius,
         across = (r[0] * q->m[1] - r[1] * q->m[0]) / d->radius;
  double m_r2 = d->mass * d->radius * d->radius, w_along = along / d->diametral,
         w_across = across / (d->diametral + m_r2);
  w[0] = (r[0] * w_along - r[1] * w_across) / d->radius;
  w[1] = (r[1] * w_along + r[0] * w_across) / d->radius;
  w[2] = q->m[2] / (d->axial + m_r2);
}

static inline classical classical_rates(const classical_disc *d, const classical *q) {
  classical rate;
  double r[3], w[3], dr[3], turn[3], arm[3], trail[3], weight[3];
  classical_rim(d, q->gamma, r);
  classical_turning(d, q, r, w);
  classical_cross(q->gamma, w, rate.gamma);
  classical_cross(q->up, w, rate.up);
  classical_cross(q->m, w, turn);
  double size2 = q->gamma[0] * q->gamma[0] + q->gamma[1] * q->gamma[1], size = sqrt(size2);
  double along = (q->gamma[0] * rate.gamma[0] + q->gamma[1] * rate.gamma[1]) / size2;
  for (int i = 0; i < 3; i++)
    dr[i] = i < 2 ? -d->radius * (rate.gamma[i] - along * q->gamma[i]) / size : 0;
  classical_cross(w, r, arm);
  classical_cross(dr, arm, trail);
  classical_cross(r, q->up, weight);
  for (int i = 0; i < 3; i++) rate.m[i] = turn[i] + d->mass * (trail[i] + d->gravity * weight[i]);
  return rate;
}

static inline classical classical_ahead(classical q, double h, classical rate) {
  double *to = (double *)&q, *by = (double *)&rate;
  for (int i = 0; i < 9; i++) to[i] += h * by[i];
  return q;
}

/* Runge and Kutta's method of order 4. */
static inline classical classical_motion(const classical_disc *d, classical q, double time,
                                         int steps) {
  double h = time / steps;
  for (int i = 0; i < steps; i++) {
    classical k1 = classical_rates(d, &q), q2 = classical_ahead(q, h / 2, k1),
              k2 = classical_rates(d, &q2);
    classical q3 = classical_ahead(q, h / 2, k2), k3 = classical_rates(d, &q3),
              q4 = classical_ahead(q, h, k3);
    classical k4 = classical_rates(d, &q4);
    q = classical_ahead(
        classical_ahead(classical_ahead(classical_ahead(q, h / 6, k1), h / 3, k2), h / 3, k3),
        h / 6, k4);
  }
  return q;
}

static inline double classical_farthest(const classical *a, const classical *b) {
  const double *x = (const double *)a, *y = (const double *)b;
  double most = 0;
  for (int i = 0; i < 9; i++) most = fmax(most, fabs(x[i] - y[i]));
  return most;
}

#endif
