#include "snakeboard_path.h"

#include "../../kernels/scalar_math.h"
#include "../../kernels/small/small_layout.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A curve of size 1 and its period. rounds_*: the harmonics that `rounding` reduces, so that cusps
 * become narrow turns. */
typedef struct curve {
  double drift, x1, x2, z1, z2, first, second, period;
  bool rounds_first, rounds_second;
} curve;

#define TURN 6.283185307179586

static const curve curves[] = {
    /* (cos^3, sin^3) */
    [SNAKE_REAR_ASTROID] = {0, 0.75, 0.25, 0.75, -0.25, 1, 3, TURN, false, true},
    /* (t - sin t, 1 - cos t), from a point half way up an arch */
    [SNAKE_REAR_CYCLOID] = {1, -1, 0, 1, 0, 1, 0, TURN, true, false},
    /* (cos t, sin t cos t) */
    [SNAKE_REAR_EIGHT] = {0, 1, 0, 0, 0.5, 1, 2, TURN, false, false},
    /* r = cos 3 t and cos 2 t */
    [SNAKE_REAR_ROSE3] = {0, 0.5, 0.5, -0.5, 0.5, 2, 4, TURN / 2, false, false},
    [SNAKE_REAR_ROSE4] = {0, 0.5, 0.5, -0.5, 0.5, 1, 3, TURN, false, false},
};

/* l kappa and its derivative by tau, and |C'|. */
static void bend_at(const double *p, double tau, double *bend, double *change, double *pace) {
  const double a = p[SNAKE_P_PATH_FIRST], b = p[SNAKE_P_PATH_SECOND];
  double s1, c1, s2, c2;
  omr_math_sincos(a * tau, &s1, &c1);
  omr_math_sincos(b * tau, &s2, &c2);
  const double x1 = p[SNAKE_P_PATH_X1] * a, x2 = p[SNAKE_P_PATH_X2] * b,
               z1 = p[SNAKE_P_PATH_Z1] * a, z2 = p[SNAKE_P_PATH_Z2] * b;
  const double x[3] = {p[SNAKE_P_PATH_DRIFT] - x1 * s1 - x2 * s2, -x1 * a * c1 - x2 * b * c2,
                       x1 * a * a * s1 + x2 * b * b * s2};
  const double z[3] = {z1 * c1 + z2 * c2, -z1 * a * s1 - z2 * b * s2,
                       -z1 * a * a * c1 - z2 * b * b * c2};
  const double square = x[0] * x[0] + z[0] * z[0], turn = x[0] * z[1] - z[0] * x[1],
               part = p[SNAKE_P_HALF_LENGTH] / (square * sqrt(square));
  *pace = sqrt(square);
  *bend = part * turn;
  *change = part * (x[0] * z[2] - z[0] * x[2] - 3 * (x[0] * x[1] + z[0] * z[1]) / square * turn);
}

void omr_snakeboard_path_angle(const double *p, double tau, double *angle, double *slope) {
  double bend, change, pace;
  bend_at(p, tau, &bend, &change, &pace);
  *angle = omr_math_atan2(bend, 1);
  *slope = change / (1 + bend * bend) / pace;
}

/* Sharpest turn l kappa over a period, and largest change of the angle per length of path. */
static void look_along(double *p, const curve *k, double *sharpest) {
  enum { PLACES = 4096 };
  *sharpest = 0;
  p[SNAKE_P_PATH_SLOPE] = 0;
  for (int i = 0; i < PLACES; i++) {
    double bend, change, pace, tau = k->period * i / PLACES;
    bend_at(p, tau, &bend, &change, &pace);
    *sharpest = fmax(*sharpest, pace > 0 ? fabs(bend) : HUGE_VAL);
    p[SNAKE_P_PATH_SLOPE] = fmax(p[SNAKE_P_PATH_SLOPE], fabs(change) / (1 + bend * bend) / pace);
  }
}

bool omr_snakeboard_fold_path(const omr_study *study, const double *v, double *p, char *reason,
                              size_t size) {
  /* The curve's harmonics at the given size, rounded. */
  const curve *k = &curves[study->options[0]];
  const double a = v[OMR_VP_SNAKE_PATH_SIZE], less = a * (1 - v[OMR_VP_SNAKE_PATH_ROUNDING]);
  const double one = k->rounds_first ? less : a, two = k->rounds_second ? less : a;
  p[SNAKE_P_PATH_DRIFT] = k->drift * a;
  p[SNAKE_P_PATH_X1] = k->x1 * one;
  p[SNAKE_P_PATH_Z1] = k->z1 * one;
  p[SNAKE_P_PATH_X2] = k->x2 * two;
  p[SNAKE_P_PATH_Z2] = k->z2 * two;
  p[SNAKE_P_PATH_FIRST] = k->first;
  p[SNAKE_P_PATH_SECOND] = k->second;

  /* The wheelsets must be able to follow its sharpest turn. */
  double sharpest;
  look_along(p, k, &sharpest);
  const double most = 10; /* tan of 84.3 deg: 2 cos^2 is 0.02, twice the limit of the model */
  if (sharpest <= most) return true;
  return omr_deny(reason, size,
                  "gait.wheelsets: the curve turns so sharply that the wheelsets would have to "
                  "stand at %.4g deg; raise gait.path.size or gait.path.rounding",
                  360 / TURN * atan(sharpest));
}
