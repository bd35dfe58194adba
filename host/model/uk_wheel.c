/* uk_wheel: the rolling wheel of source 5 (appendix/small.md#models, kernels/small/uk_wheel.h).
 */
#include "small.h"

#include "../../kernels/layout.h"
#include "../../kernels/small/small_layout.h"
#include "../lists/observables.h"
#include <math.h>

static bool prepare(const omr_study *study, const double *v, double *p, double *y, double *e,
                    char *reason, size_t size) {
  (void)reason;
  (void)size;
  /* Load, and the inertia that a rolling wheel has at its contact. */
  double m = v[OMR_VP_UK_MASS], inertia = v[OMR_VP_UK_INERTIA], radius = v[OMR_VP_UK_RADIUS];
  double load = m * v[OMR_VP_GRAVITY], both = m * radius * radius + inertia;

  /* The wheel. */
  p[UK_P_MASS] = m;
  p[UK_P_INV_MASS] = 1 / m;
  p[UK_P_INERTIA] = inertia;
  p[UK_P_INV_INERTIA] = 1 / inertia;
  p[UK_P_RADIUS] = radius;
  p[UK_P_INV_RADIUS] = 1 / radius;
  p[UK_P_LOAD] = load;

  /* Drive, resistance and brake. */
  p[UK_P_TORQUE] = v[OMR_VP_DRIVE_TORQUE];
  p[UK_P_TORQUE_RATE] = v[OMR_VP_DRIVE_RATE];
  p[UK_P_RESISTANCE] = v[OMR_VP_ROLLING_RESISTANCE];
  p[UK_P_BEARING] = v[OMR_VP_UK_BEARING];
  p[UK_P_BRAKE] = v[OMR_VP_BRAKE_TORQUE];
  p[UK_P_BRAKE_TIME] = v[OMR_VP_BRAKE_TIME];
  p[UK_P_BRAKE_GAIN] = v[OMR_VP_BRAKE_GAIN];

  /* Ground and constraints. */
  p[UK_P_UPPER] = v[OMR_VP_UK_GROUND_UPPER];
  p[UK_P_LOWER] = v[OMR_VP_UK_GROUND_LOWER];
  p[UK_P_GROUND_TIME] = v[OMR_VP_UK_GROUND_TIME];
  p[UK_P_GROUND_RATE] =
      study->options[0] == UK_GROUND_DIP ? 1 / v[OMR_VP_UK_GROUND_WIDTH] : v[OMR_VP_UK_GROUND_RATE];
  p[UK_P_STICTION] = v[OMR_VP_UK_STICTION_GAIN] / (3 * load * radius);
  p[UK_P_FRICTION] = v[OMR_VP_UK_FRICTION_GAIN] / (3 * load * radius);
  p[UK_P_SHARE_TORQUE] = m * radius / both;
  p[UK_P_SHARE_FORCE] = inertia / both;

  /* Motion and extremes at the start. */
  y[UK_Y_V] = v[OMR_VP_UK_SPEED];
  y[UK_Y_RATE] = v[OMR_VP_UK_RATE];
  e[UK_E_WEIGHT] = 1;
  e[UK_E_STOP_TIME] = -1;
  return true;
}

static double energy(const double *p, const double *y) {
  return 0.5 *
         (p[UK_P_MASS] * y[UK_Y_V] * y[UK_Y_V] + p[UK_P_INERTIA] * y[UK_Y_RATE] * y[UK_Y_RATE]);
}

static void reduce(const omr_study *study, const double *p, const double *y, const double *e,
                   double time, double initial, double *o) {
  (void)study;
  /* Motion, slip and energy. */
  o[OMR_OBS_FINAL_X] = y[UK_Y_X];
  o[OMR_OBS_FINAL_VX] = y[UK_Y_V];
  o[OMR_OBS_FINAL_RATE] = y[UK_Y_RATE];
  o[OMR_OBS_MIN_WEIGHT] = e[UK_E_WEIGHT];
  omr_reduce_pulled(&(omr_pulled){p[UK_P_MASS], initial, energy(p, y), y[UK_Y_LOST], y[UK_Y_WORK],
                                  e[UK_E_SPEED], e[UK_E_SLIP], e[UK_E_TRACTION]},
                    o);

  /* Stop and braking distance, if they happened. */
  bool stopped = e[UK_E_STOP_TIME] >= 0, braked = p[UK_P_BRAKE] > 0 && time >= p[UK_P_BRAKE_TIME];
  if (stopped) o[OMR_OBS_STOP_TIME] = e[UK_E_STOP_TIME];
  if (stopped && braked && e[UK_E_STOP_TIME] >= p[UK_P_BRAKE_TIME])
    o[OMR_OBS_BRAKING_DISTANCE] = e[UK_E_STOP_X] - e[UK_E_BRAKE_X];
}

/* The brake turns from full forward to full backward within 1/k_v of the wheel rate, eq. (25);
 * friction does so with the slip, eq. (22). */
static double fastest_rate(const double *p) {
  double wheel = (2 * p[UK_P_BRAKE] * p[UK_P_BRAKE_GAIN] + p[UK_P_BEARING]) * p[UK_P_INV_INERTIA];
  double slip = p[UK_P_UPPER] * p[UK_P_LOAD] *
                (p[UK_P_INV_MASS] + p[UK_P_RADIUS] * p[UK_P_RADIUS] * p[UK_P_INV_INERTIA]);
  return wheel + slip;
}

/* Scales of a wheel that slips by the order of a metre per second, as in the law of friction. */
static void scales(const double *p, double *scale) {
  scale[UK_Y_X] = scale[UK_Y_V] = scale[UK_Y_ANGLE] = 1;
  scale[UK_Y_RATE] = p[UK_P_INV_RADIUS];
  scale[UK_Y_WORK] = scale[UK_Y_LOST] = p[UK_P_MASS];
}

OMR_SMALL_MODEL(UK_WHEEL, uk_wheel);
