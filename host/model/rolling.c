#include "rolling.h"

#include "../../kernels/scalar_math.h"

#include <math.h>

void omr_diagonalize(double a[3][3], double v[3][3]) {
  /* Each sweep makes every element outside the diagonal 0 once. */
  for (int sweep = 0; sweep < 30; sweep++) {
    for (int p = 0; p < 2; p++) {
      for (int q = p + 1; q < 3; q++) {
        if (fabs(a[p][q]) < 1e-300) continue;
        const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
        const double c = 1 / sqrt(t * t + 1), s = t * c;

        /* Columns, then rows and eigenvectors. */
        for (int k = 0; k < 3; k++) {
          const double x = a[k][p], y = a[k][q];
          a[k][p] = c * x - s * y;
          a[k][q] = s * x + c * y;
        }

        for (int k = 0; k < 3; k++) {
          const double x = a[p][k], y = a[q][k], vx = v[k][p], vy = v[k][q];
          a[p][k] = c * x - s * y;
          a[q][k] = s * x + c * y;
          v[k][p] = c * vx - s * vy;
          v[k][q] = s * vx + c * vy;
        }
      }
    }
  }
}

/* A singular value below this part of the largest tells nothing: no motion goes along it. */
#define TELLS 1e-6

/* Rate of an ideal wheel by the motion of the body, with yaw as the speed at the distance `arm`;
 * steer: the angle of its fork. */
static void rates_by_motion(const omr_wheel_body *w, double steer, double arm, double h[3]) {
  omr_stand at = {w->a, w->b, w->sin_delta, w->cos_delta, w->roller.radius};
  if (steer != 0) omr_math_sincos(w->delta + steer, &at.sine, &at.cosine);
  omr_ideal_rates(&at, w->roller.sin_psi / w->roller.cos_psi, h);
  h[2] /= arm;
}

static double along(const double h[3], const double m[3]) {
  return h[0] * m[0] + h[1] * m[1] + h[2] * m[2];
}

/* The least motion among those that fit the rates best: sum of v (v.r)/lambda over the eigenvectors
 * v of G = sum of h h^T, r = sum of h rate. */
static void fit_motion(const omr_study *study, double h[][3], const omr_values *values,
                       double m[3]) {
  double g[3][3] = {{0}}, v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, r[3] = {0};
  for (int i = 0; i < study->wheels; i++)
    for (int j = 0; study->start.told[i] && j < 3; j++) {
      r[j] += h[i][j] * values->wheel[i][OMR_WP_RATE];
      for (int k = 0; k < 3; k++) g[j][k] += h[i][j] * h[i][k];
    }
  omr_diagonalize(g, v);
  const double most = fmax(g[0][0], fmax(g[1][1], g[2][2]));
  for (int k = 0; k < 3; k++) m[k] = 0;
  for (int j = 0; j < 3; j++) {
    if (!(g[j][j] > TELLS * TELLS * most)) continue;
    const double part = (v[0][j] * r[0] + v[1][j] * r[1] + v[2][j] * r[2]) / g[j][j];
    for (int k = 0; k < 3; k++) m[k] += part * v[k][j];
  }
}

/* appendix/drives.md#drives. */
double omr_start_rolling(const omr_study *study, const omr_vehicle_body *body, omr_values *values) {
  double h[OMR_MAX_WHEELS][3], m[3], square = 0, rates = 0, misfit = 0;
  if (!study->start.rolls) return 0;
  for (int i = 0; i < body->wheels; i++) {
    const omr_wheel_body *w = &body->wheel[i];
    square += (w->a * w->a + w->b * w->b) / body->wheels;
  }
  const double arm = sqrt(square);
  for (int i = 0; i < body->wheels; i++) {
    const bool fork = omr_wheel_swivels(study->kind[i]);
    rates_by_motion(&body->wheel[i], fork ? values->wheel[i][OMR_WP_STEER] : 0, arm, h[i]);
  }
  fit_motion(study, h, values, m);

  /* The motion, and the rates of wheels that roll along. */
  values->vehicle[OMR_VP_INITIAL_VX] = m[0];
  values->vehicle[OMR_VP_INITIAL_VZ] = m[1];
  values->vehicle[OMR_VP_INITIAL_YAW_RATE] = m[2] / arm;
  for (int i = 0; i < body->wheels; i++) {
    double *rate = &values->wheel[i][OMR_WP_RATE];
    const double rolls = along(h[i], m);
    if (!study->start.told[i]) *rate = rolls;
    rates += *rate * *rate;
    misfit += (rolls - *rate) * (rolls - *rate);
  }
  return rates > 0 ? sqrt(misfit / rates) : 0;
}
