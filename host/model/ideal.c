#include "ideal.h"

#include "../../kernels/layout.h"
#include <string.h>

#define PARAM(id) params[(size_t)(id)*stride]
#define WHEEL(wheel, id) params[(size_t)OMR_PARAM_COLUMN(wheel, id) * stride]

/* Torque per unit of the drive, and the slope of the torque that falls with the wheel rate. */
static void make_drive(const omr_study *study, const double *params, size_t stride, int wheel,
                       omr_ideal *ideal) {
  const omr_drive_quantity by = study->drives.by[wheel];
  const bool driven = study->drives.law[wheel] != OMR_DRIVE_NONE;
  ideal->torque[wheel] = driven ? 1 : 0;
  ideal->resist[wheel] = WHEEL(wheel, W_AXLE_BEARING);
  if (by == OMR_BY_TORQUE) return;
  const double per_volt = WHEEL(wheel, W_CONDUCTANCE) * WHEEL(wheel, W_PULL);
  ideal->torque[wheel] *= by == OMR_BY_DUTY ? per_volt * PARAM(P_SUPPLY_VOLTAGE) : per_volt;
  if (driven || !study->drives.coasts[wheel])
    ideal->resist[wheel] += per_volt * WHEEL(wheel, W_EMF);
}

/* appendix/drives.md#drives */
void omr_ideal_make(const omr_study *study, const double *params, size_t stride, omr_ideal *ideal) {
  /* Kinetic energy of the body by the velocity of its origin, and of the wheels by their rates. */
  const double mass = PARAM(P_MASS), x = PARAM(P_COM_X), z = PARAM(P_COM_Z);
  memset(ideal, 0, sizeof *ideal);
  ideal->inertia[0][0] = ideal->inertia[1][1] = mass;
  ideal->inertia[0][2] = ideal->inertia[2][0] = mass * z;
  ideal->inertia[1][2] = ideal->inertia[2][1] = -mass * x;
  ideal->inertia[2][2] = 1 / PARAM(P_INV_YAW) + mass * (x * x + z * z);
  for (int w = 0; w < study->wheels; w++) {
    make_drive(study, params, stride, w, ideal);
    if (omr_wheel_swivels(study->kind[w])) continue;
    for (int i = 0; i < 3; i++) ideal->rate[w][i] = WHEEL(w, W_IDEAL_X + i);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        ideal->inertia[i][j] += ideal->rate[w][i] * ideal->rate[w][j] / WHEEL(w, W_INV_INERTIA);
  }
}
