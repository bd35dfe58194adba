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

/* Slip along the axle of a tyre, m/s, which is to be 0. */
static void rolls_ahead(const omr_wheel_body *w, double steer, double arm, double row[3]) {
  double sine = w->sin_delta, cosine = w->cos_delta;
  if (steer != 0) omr_math_sincos(w->delta + steer, &sine, &cosine);
  row[0] = sine;
  row[1] = cosine;
  row[2] = (w->b * sine - w->a * cosine) / arm;
}

/* Conditions on the motion: rows and what each of them is to be. */
typedef struct conditions {
  int count;
  double row[OMR_MAX_WHEELS][3], value[OMR_MAX_WHEELS];
} conditions;

/* Adds to m the least motion, among those that `open` leaves, that fits the conditions best: sum of
 * v (v.r)/lambda over the eigenvectors v of G = sum of h h^T, r = sum of h times what m lacks.
 * What they tell is no longer open; open: a projection. */
static void fit_motion(const conditions *c, double open[3][3], double m[3]) {
  double g[3][3] = {{0}}, v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, r[3] = {0}, most = 0;
  for (int i = 0; i < c->count; i++) {
    double h[3];
    const double lacks = c->value[i] - along(c->row[i], m);
    for (int k = 0; k < 3; k++) h[k] = along(open[k], c->row[i]);
    most += along(c->row[i], c->row[i]);
    for (int j = 0; j < 3; j++) {
      r[j] += h[j] * lacks;
      for (int k = 0; k < 3; k++) g[j][k] += h[j] * h[k];
    }
  }
  omr_diagonalize(g, v);
  for (int j = 0; j < 3; j++) {
    if (!(g[j][j] > TELLS * TELLS * most)) continue;
    const double part = (v[0][j] * r[0] + v[1][j] * r[1] + v[2][j] * r[2]) / g[j][j];
    for (int k = 0; k < 3; k++) {
      m[k] += part * v[k][j];
      for (int l = 0; l < 3; l++) open[k][l] -= v[k][j] * v[l][j];
    }
  }
}

/* The motion by the rates that are told, and what they leave open by tyres, which do not go
 * sideways: their rows may contradict each other, and change no rate. */
static void find_motion(const omr_study *study, const omr_vehicle_body *body, double h[][3],
                        double arm, const omr_values *values, double m[3]) {
  double open[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  conditions rates = {0}, ahead = {0};
  for (int i = 0; i < body->wheels; i++) {
    const omr_wheel_kind kind = study->kind[i];
    if (study->start.told[i]) {
      for (int k = 0; k < 3; k++) rates.row[rates.count][k] = h[i][k];
      rates.value[rates.count++] = values->wheel[i][OMR_WP_RATE];
    }
    if (kind == OMR_WHEEL_PLAIN || kind == OMR_WHEEL_SWERVE)
      rolls_ahead(&body->wheel[i], kind == OMR_WHEEL_PLAIN ? 0 : values->wheel[i][OMR_WP_STEER],
                  arm, ahead.row[ahead.count++]);
  }
  for (int k = 0; k < 3; k++) m[k] = 0;
  fit_motion(&rates, open, m);
  fit_motion(&ahead, open, m);
}

/* The rate at which the fork of a caster turns, so that its wheel does not slip along its axle: the
 * trail times the fork's rate takes up what the swivel axis does there. */
static double fork_rate(const omr_wheel_body *w, double steer, double arm, const double m[3]) {
  double row[3];
  rolls_ahead(w, steer, arm, row);
  return -along(row, m) / w->trail - m[2] / arm;
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
  find_motion(study, body, h, arm, values, m);

  /* The motion, and the rates of wheels that roll along. */
  values->vehicle[OMR_VP_INITIAL_VX] = m[0];
  values->vehicle[OMR_VP_INITIAL_VZ] = m[1];
  values->vehicle[OMR_VP_INITIAL_YAW_RATE] = m[2] / arm;
  for (int i = 0; i < body->wheels; i++) {
    double *rate = &values->wheel[i][OMR_WP_RATE];
    const double rolls = along(h[i], m);
    if (!study->start.told[i]) *rate = rolls;
    if (study->kind[i] == OMR_WHEEL_CASTER && !study->start.turned[i])
      values->wheel[i][OMR_WP_STEER_RATE] =
          fork_rate(&body->wheel[i], values->wheel[i][OMR_WP_STEER], arm, m);
    rates += *rate * *rate;
    misfit += (rolls - *rate) * (rolls - *rate);
  }
  return rates > 0 ? sqrt(misfit / rates) : 0;
}
