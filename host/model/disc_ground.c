/* Compiles the kernels' text in scalar double, as scalar_math.c does, so the energy matches the
 * trajectory's. */
#include "disc_ground.h"

#define OMR_LANES 1
#define OMR_SINGLE 0
#include "kernels/compat.h"
#include "kernels/mathfn.h"
#include "kernels/scalar_math.h"

#include "kernels/angle.h"
#include "kernels/layout.h"
#include "kernels/small/small_layout.h"

#include "kernels/config.h"

#include "kernels/small/rolling_disc_ideal.h"

#include "../lists/parameters.h"

#include <math.h>

void omr_disc_fold_ground(const double *v, double *p) {
  /* The study has four rows, and the kernels have four columns, for each coordinate. */
  for (int i = 0; i < 6; i++) {
    const double *from = v + OMR_VP_GROUND_X_RATE + 4 * i;
    double *to = p + DISC_P_X_RATE + 4 * i;
    to[0] = from[0];
    to[1] = from[1];
    to[2] = 6.283185307179586 * from[2];
    to[3] = from[3];
  }
  p[DISC_P_RAMP] = v[OMR_VP_GROUND_TURN_RAMP];
  p[DISC_P_INV_RAMP] = v[OMR_VP_GROUND_TURN_RAMP] > 0 ? 1 / v[OMR_VP_GROUND_TURN_RAMP] : 0;
  for (int i = 0; i < 3; i++) p[DISC_P_PIVOT_X + i] = v[OMR_VP_GROUND_PIVOT_X + i];
  p[DISC_P_MOVING] = 1;
}

double omr_disc_ground_speed(const double *p) {
  double speed = 0;
  if (!(p[DISC_P_MOVING] > 0)) return 0;
  for (int i = 0; i < 6; i++) {
    const double *of = p + DISC_P_X_RATE + 4 * i;
    speed += (i < 3 ? 1 : p[DISC_P_RADIUS]) * (fabs(of[0]) + fabs(of[1] * of[2]));
  }
  return speed;
}

static double rolling_energy(const double *p, const double *y, double time) {
  const int c[K_COUNT] = {[K_OPTION_3] = DISC_MOTION_GIVEN};
  double dy[DISC_Y_COUNT], out[DISC_S_COUNT];
  rolling_disc_roll(c, p, y, time, dy, out);
  return out[DISC_S_ENERGY];
}

double omr_disc_ground_energy(bool rolls, const double *p, const double *y, double time) {
  disc_pose d;
  disc_plate plate;
  if (rolls) return rolling_energy(p, y, time);
  rolling_disc_pose(p, y, &d);
  rolling_disc_plate(p, time, &plate);
  const double gap = min_real(y[DISC_Y_Y] - p[DISC_P_RADIUS] * d.sine, 0);
  return 0.5 * p[DISC_P_STIFFNESS] * gap * gap +
         rolling_disc_carried_energy(p, &plate, &d, y + DISC_Y_X, y + DISC_Y_VX);
}
