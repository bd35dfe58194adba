/* Kinetic energy of an instance, from its columns (appendix/vehicle.md#masses). */
#include "prepare.h"

#include "../../kernels/scalar_math.h"
#include "compliant.h"
#include "small.h"
#include <math.h>

#define PARAM(column) *omr_at(batch->params, batch, slot, column)
#define STATE(column) *omr_at(batch->state, batch, slot, column)
#define PARAM_OF(wheel, id) PARAM(OMR_PARAM_COLUMN(wheel, id))
#define STATE_OF(wheel, id) STATE(OMR_STATE_COLUMN(wheel, id))

/* Sum of the squared spins of all rollers of a wheel, from the spins in memory; with bearing
 * friction they are composed of their decaying parts (kernels/exchange.h). */
static double sum_square_spins(const omr_run_settings *s, const omr_batch *batch, size_t slot,
                               int i, double now) {
  int most = s->integers[K_MAX_ROLLERS], n = (int)PARAM_OF(i, W_ROLLERS),
      active = (int)STATE_OF(i, T_ACTIVE);
  int times = s->integers[K_WHEELS] * most;
  /* Other rollers that carry load: the second one where the wheel rests on two
   * (kernels/edges/edge.h), and both neighbours on compliant contact. */
  int second = -1, third = -1;

  /* On compliant contact three rollers carry load. */
  double sum = STATE_OF(i, T_SPIN) * STATE_OF(i, T_SPIN);
  if (s->integers[K_COMPLIANT]) {
    second = (active + n - 1) % n;
    third = (active + 1) % n;
    sum +=
        STATE_OF(i, T_BEFORE) * STATE_OF(i, T_BEFORE) + STATE_OF(i, T_AFTER) * STATE_OF(i, T_AFTER);
  }

  /* On an edge two rollers do. */
  if (fabs(STATE_OF(i, T_REST)) > 1) {
    second = (active + (STATE_OF(i, T_REST) > 0 ? n - 1 : 1)) % n;
    sum += STATE_OF(i, T_SECOND) * STATE_OF(i, T_SECOND);
  }

  /* The idle rollers; with bearing friction their spins have decayed since they were stored. */
  for (int j = 0; j < n; j++) {
    if (j == active || j == second || j == third) continue;
    int column = i * most + j;
    double spin = *omr_spin_at(s, batch, slot, column);
    if (s->integers[K_BEARING]) {
      double angle = 2 * PARAM_OF(i, W_ALPHA) * (j - active),
             age = now - *omr_spin_at(s, batch, slot, times + column);
      double sine, cosine;
      omr_math_sincos(angle, &sine, &cosine);
      spin = spin * omr_math_exp(-PARAM_OF(i, W_DECAY) * age) +
             PARAM_OF(i, W_COS_PSI) *
                 (cosine * STATE_OF(i, T_BEARING_A) + sine * STATE_OF(i, T_BEARING_B)) +
             PARAM_OF(i, W_SIN_PSI) * STATE_OF(i, T_BEARING_D);
    }
    sum += spin * spin;
  }

  return sum;
}

/* Energy of a wheel that turns about its axle with its rotor, from half its squared rate; the
 * inverse inertia is 0 where the rate is prescribed. */
static double turning_energy(const omr_run_settings *s, const omr_batch *batch, size_t slot, int i,
                             double half_square) {
  const bool rated = omr_is_rated((omr_drive)s->integers[K_DRIVE_0 + i]);
  const double value = PARAM_OF(i, rated ? W_DRIVE_3 : W_INV_INERTIA);
  return rated ? half_square * value : half_square / value;
}

/* Kinetic energy of a level platform with its wheels' masses. */
static double planar_energy(const omr_batch *batch, size_t slot) {
  double vx = STATE(S_VX), vz = STATE(S_VZ), omega = STATE(S_YAW_RATE), mass = PARAM(P_MASS);
  /* Velocity of the centre of mass: V + omega j x c */
  double ux = vx + omega * PARAM(P_COM_Z), uz = vz - omega * PARAM(P_COM_X);
  return 0.5 * mass * (ux * ux + uz * uz) + 0.5 * omega * omega / PARAM(P_INV_YAW);
}

double omr_kinetic_energy(const omr_run_settings *s, const omr_batch *batch, size_t slot) {
  /* A small model has an energy of its own. */
  const omr_small_model *small = omr_small_model_numbered(s->integers[K_MODEL]);
  if (small) return omr_small_energy(small, batch, slot);
  double now = omr_slot_time(s, batch, slot);
  double energy =
      s->integers[K_COMPLIANT] ? omr_compliant_energy(s, batch, slot) : planar_energy(batch, slot);

  /* Platform, wheels and rollers. */
  for (int i = 0; i < s->integers[K_WHEELS]; i++) {
    double rate = STATE_OF(i, T_RATE);
    energy += turning_energy(s, batch, slot, i, 0.5 * rate * rate);
    energy += 0.5 * PARAM_OF(i, W_ROLLER_INERTIA) * sum_square_spins(s, batch, slot, i, now);
  }

  /* Penalty contact stores energy in its springs. */
  if (s->integers[K_PENALTY]) energy += omr_heave_energy(s, batch, slot);
  return energy;
}
