/* elastic_wheel: the wheel of source 5 with an elastic rim (appendix/small.md#models,
 * kernels/small/elastic_wheel.h). uk_wheel prepares and reduces the part that both share. */
#include "small.h"

#include "../../kernels/layout.h"
#include "../../kernels/small/small_layout.h"
#include "../lists/observables.h"
#include <math.h>

_Static_assert((int)RIM_P_HUB_INERTIA == (int)UK_P_COUNT && (int)RIM_Y_TWIST == (int)UK_Y_COUNT &&
                   (int)RIM_E_TWIST == (int)UK_E_COUNT && (int)RIM_S_TWIST == (int)UK_S_COUNT,
               "the columns of uk_wheel stand first");

static bool prepare(const omr_study *study, const double *v, double *p, double *y, double *e,
                    char *reason, size_t size) {
  const double share = v[OMR_VP_RIM_SHARE], inertia = v[OMR_VP_UK_INERTIA];
  double tread[OMR_VP_COUNT];
  if (share >= 1)
    return omr_deny(reason, size, "rim.share is %.6g; less than 1 leaves the hub an inertia",
                    share);
  for (int i = 0; i < OMR_VP_COUNT; i++) tread[i] = v[i];
  tread[OMR_VP_UK_INERTIA] = share * inertia;
  if (!omr_uk_wheel.prepare(study, tread, p, y, e, reason, size)) return false;
  p[RIM_P_HUB_INERTIA] = (1 - share) * inertia;
  p[RIM_P_INV_HUB_INERTIA] = 1 / p[RIM_P_HUB_INERTIA];
  p[RIM_P_STIFFNESS] = v[OMR_VP_RIM_STIFFNESS];
  p[RIM_P_DAMPING] = v[OMR_VP_RIM_DAMPING];
  y[RIM_Y_TWIST] = v[OMR_VP_RIM_TWIST];
  y[RIM_Y_TREAD_RATE] = y[RIM_Y_RATE];
  return true;
}

static double energy(const double *p, const double *y) {
  const double hub = y[RIM_Y_RATE], tread = y[RIM_Y_TREAD_RATE], twist = y[RIM_Y_TWIST];
  return 0.5 * (p[RIM_P_MASS] * y[RIM_Y_V] * y[RIM_Y_V] + p[RIM_P_INERTIA] * tread * tread +
                p[RIM_P_HUB_INERTIA] * hub * hub + p[RIM_P_STIFFNESS] * twist * twist);
}

static void reduce(const omr_study *study, const double *p, const double *y, const double *e,
                   double time, double initial, double *o) {
  omr_uk_wheel.reduce(study, p, y, e, time, initial, o);
  omr_reduce_pulled(&(omr_pulled){p[RIM_P_MASS], initial, energy(p, y), y[RIM_Y_LOST],
                                  y[RIM_Y_WORK], e[RIM_E_SPEED], e[RIM_E_SLIP], e[RIM_E_TRACTION]},
                    o);
  o[OMR_OBS_MAX_TWIST] = e[RIM_E_TWIST];
}

/* The rate of uk_wheel, for the tread, plus the oscillation of the rim, which is fastest on a tread
 * that slips freely; its damper decays with d over the reduced inertia. */
static double fastest_rate(const double *p) {
  const double ease = p[RIM_P_INV_HUB_INERTIA] + p[RIM_P_INV_INERTIA];
  const double brake = (2 * p[RIM_P_BRAKE] * p[RIM_P_BRAKE_GAIN] + p[RIM_P_BEARING]) *
                       (p[RIM_P_INV_HUB_INERTIA] - p[RIM_P_INV_INERTIA]);
  return omr_uk_wheel.fastest_rate(p) + fmax(brake, 0) +
         fmax(sqrt(p[RIM_P_STIFFNESS] * ease), p[RIM_P_DAMPING] * ease);
}

/* A rim's twist is of the order of a tenth. */
static void scales(const double *p, double *scale) {
  omr_uk_wheel.scales(p, scale);
  scale[RIM_Y_TWIST] = 0.1;
  scale[RIM_Y_TREAD_RATE] = p[RIM_P_INV_RADIUS];
}

OMR_SMALL_MODEL(ELASTIC_WHEEL, elastic_wheel);
