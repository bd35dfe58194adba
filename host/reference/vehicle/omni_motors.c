/* Observables of drives and bearings: work by sign, torques, power, losses in bearings; only if the
 * study has them. */
#include "omni.h"

/* Quadratures of the motors, after the others, then the squared torque of each wheel. */
enum {
  WORK,
  REGENERATED,
  BEARINGS,
  ROLLERS,
  ROLLING,
  SUPPLY,
  SUPPLY_HEAT,
  MOTOR_HEAT,
  GEAR,
  CONTROL,
  TORQUES
};

double omr_omni_supply_at(const omr_omni *omni, const omr_mb *mb, double *drawn,
                          omr_brushed_state *states) {
  omr_supplied motors[OMR_MAX_WHEELS];
  double bus = 0;
  *drawn = 0;
  for (int i = 0; i < omni->wheels; i++) {
    const omr_omni_wheel *w = &omni->wheel[i];
    motors[i] = (omr_supplied){&w->drive.motor, omr_wheel_drive_asked(&w->drive, mb->time),
                               omr_omni_wheel_rate(w, mb), omr_wheel_drive_current(&w->drive)};
  }
  bus = omr_supply_voltage(&omni->supply, motors, omni->wheels, drawn);
  for (int i = 0; states && i < omni->wheels; i++) {
    states[i] = (omr_brushed_state){.current = 0};
    if (motors[i].motor->by != OMR_BY_TORQUE) states[i] = omr_brushed_at(&motors[i], bus);
  }
  return bus;
}

double omr_omni_bus(const void *self) {
  const omr_omni *omni = self;
  double drawn;
  return omr_omni_supply_at(omni, omni->reference->mb, &drawn, NULL);
}

/* L di/dt = u - R i - k_e w. */
static void winding_effect(const omr_mb_constraint *base, const omr_mb_view *view,
                           omr_mb_effect *out) {
  const omr_omni_winding *winding = (const omr_omni_winding *)base;
  omr_brushed_state states[OMR_MAX_WHEELS];
  double drawn;
  omr_omni_supply_at(winding->omni, view->mb, &drawn, states);
  out->rate[0] = states[winding->wheel].growth;
}

/* Adds the winding (appendix/drives.md#drives). */
void omr_omni_add_winding(omr_mb *mb, omr_omni *omni, omr_omni_wheel *w) {
  static const omr_mb_kind kind = {"winding", 1, winding_effect, NULL, false};
  if (w->drive.motor.by == OMR_BY_TORQUE || !(w->drive.motor.inductance > 0)) return;
  char name[OMR_MB_NAME];
  snprintf(name, sizeof name, "winding %d", w->number);
  w->winding = (omr_omni_winding){.base = {.a = 0, .b = w->body}, .omni = omni, .wheel = w->number};
  omr_mb_add_constraint(mb, &w->winding.base, &kind, name);
  w->drive.mb = mb;
  w->drive.winding = &w->winding.base;
}

static void supply_rates(const omr_omni *omni, const omr_mb *mb, double *rate) {
  omr_brushed_state states[OMR_MAX_WHEELS];
  double drawn, duties = 0;
  const double bus = omr_omni_supply_at(omni, mb, &drawn, states);
  for (int j = SUPPLY; j <= CONTROL; j++) rate[j] = 0;
  for (int i = 0; i < omni->wheels; i++) {
    const omr_brushed_state *s = &states[i];
    rate[MOTOR_HEAT] += s->heat;
    rate[GEAR] += s->gear_loss;
    if (omni->wheel[i].drive.motor.by == OMR_BY_VOLTAGE) rate[SUPPLY] += s->electrical;
    if (omni->wheel[i].drive.motor.by == OMR_BY_DUTY) duties += s->electrical;
  }
  rate[CONTROL] += bus * drawn - duties;
  rate[SUPPLY] += omni->supply.open * drawn;
  rate[SUPPLY_HEAT] = omni->supply.inner * drawn * drawn;
}

int omr_omni_motor_quadratures(const omr_omni *omni) {
  for (int i = 0; i < OMR_OBS_COUNT; i++) {
    const bool of_motors = omr_observables[i].group &
                           (OMR_OBSERVER_MOTORS | OMR_OBSERVER_BEARINGS | OMR_OBSERVER_SUPPLY);
    if (of_motors && omr_observable_in(&omni->study->observables, i)) return TORQUES + omni->wheels;
  }
  return 0;
}

void omr_omni_motor_rates(const omr_omni *omni, const omr_mb *mb, double *rate) {
  for (int j = 0; j < TORQUES; j++) rate[j] = 0;
  supply_rates(omni, mb, rate);
  for (int i = 0; i < omni->wheels; i++) {
    const omr_omni_wheel *w = &omni->wheel[i];
    const double turning = omr_omni_wheel_rate(w, mb);
    const double torque = omr_omni_drive_torque(omni, w, mb, turning), power = torque * turning;
    rate[power > 0 ? WORK : REGENERATED] += fabs(power);
    rate[BEARINGS] += omr_omni_bearing_power(w, mb);
    rate[ROLLERS] += omr_omni_roller_power(w, mb);
    rate[ROLLING] += omr_omni_dry_power(w, mb).rolling;
    rate[TORQUES + i] = torque * torque;
  }
}

void omr_omni_look_at_motors(omr_omni *omni, const omr_mb *mb) {
  omr_omni_extremes *e = &omni->extremes;
  double power = 0;
  for (int i = 0; i < omni->wheels; i++) {
    const omr_omni_wheel *w = &omni->wheel[i];
    const double turning = omr_omni_wheel_rate(w, mb);
    const double torque = omr_omni_drive_torque(omni, w, mb, turning);
    power += torque * turning;
    e->torque[i] = fmax(e->torque[i], fabs(torque));
  }
  e->power = fmax(e->power, power);
  omr_brushed_state states[OMR_MAX_WHEELS];
  double drawn;
  e->least_bus = fmin(e->least_bus, omr_omni_supply_at(omni, mb, &drawn, states));
  e->drawn = fmax(e->drawn, drawn);
  for (int i = 0; i < omni->wheels; i++)
    e->current[i] = fmax(e->current[i], fabs(states[i].current));
}

static void reduce_supply(const omr_omni *omni, const double *q, double *o) {
  const omr_omni_extremes *e = &omni->extremes;

  /* energies over the run, and the energy still in the windings */
  o[OMR_OBS_SUPPLY_ENERGY] = q[SUPPLY];
  o[OMR_OBS_SUPPLY_HEAT] = q[SUPPLY_HEAT];
  o[OMR_OBS_MOTOR_HEAT] = q[MOTOR_HEAT];
  o[OMR_OBS_GEAR_LOSS] = q[GEAR];
  o[OMR_OBS_CONTROL_LOSS] = q[CONTROL];
  o[OMR_OBS_MAGNETIC_ENERGY] = 0;

  for (int i = 0; i < omni->wheels; i++) {
    const omr_wheel_drive *d = &omni->wheel[i].drive;
    o[OMR_OBS_MAGNETIC_ENERGY] += d->motor.inductance * pow(omr_wheel_drive_current(d), 2) / 2;
  }
  if (!omni->observed) return;

  /* peaks, which only looks can see */
  o[OMR_OBS_SUPPLY_CURRENT_PEAK] = e->drawn;
  if (omni->supply.open > 0) o[OMR_OBS_SUPPLY_VOLTAGE_MIN] = e->least_bus;
  o[OMR_OBS_CURRENT_PEAK] = 0;

  for (int i = 0; i < omni->wheels; i++) {
    o[OMR_OBS_WHEEL0_CURRENT_PEAK + i] = e->current[i];
    o[OMR_OBS_CURRENT_PEAK] = fmax(o[OMR_OBS_CURRENT_PEAK], e->current[i]);
  }
}

static void reduce_torques(const omr_omni *omni, const double *square, double time, double *o) {
  o[OMR_OBS_TORQUE_RMS] = o[OMR_OBS_TORQUE_PEAK] = 0;
  for (int i = 0; i < omni->wheels; i++) {
    const double rms = sqrt(square[i] / time), peak = omni->extremes.torque[i];
    o[OMR_OBS_WHEEL0_TORQUE_RMS + i] = rms;
    o[OMR_OBS_WHEEL0_TORQUE_PEAK + i] = omni->observed ? peak : (double)NAN;
    o[OMR_OBS_TORQUE_RMS] = fmax(o[OMR_OBS_TORQUE_RMS], rms);
    o[OMR_OBS_TORQUE_PEAK] = fmax(o[OMR_OBS_TORQUE_PEAK], peak);
  }
  if (!omni->observed) o[OMR_OBS_TORQUE_PEAK] = (double)NAN;
  if (omni->observed) o[OMR_OBS_PEAK_POWER] = omni->extremes.power;
}

void omr_omni_reduce_motors(const omr_omni *omni, const omr_mb *mb, double *o) {
  const double time = mb->time, path = omr_mb_quadratures(mb)[OMR_OMNI_PATH];
  const double *q = omr_mb_quadratures(mb) + OMR_OMNI_QUADRATURES + 4 * omni->wheels;
  o[OMR_OBS_ENERGY_LOST] = o[OMR_OBS_DRIVE_WORK] + o[OMR_OBS_EXTERNAL_WORK] -
                           (omr_omni_energy(omni, mb) - omni->initial_energy);
  if (!omr_omni_motor_quadratures(omni)) return;
  o[OMR_OBS_MOTOR_WORK] = q[WORK];
  o[OMR_OBS_REGENERATED_WORK] = q[REGENERATED];
  o[OMR_OBS_BEARING_LOSS] = q[BEARINGS];
  o[OMR_OBS_ROLLER_LOSS] = q[ROLLERS];
  o[OMR_OBS_ROLLING_LOSS] = q[ROLLING];
  o[OMR_OBS_CONTACT_LOSS] = o[OMR_OBS_ENERGY_LOST] - q[BEARINGS] - omni->impact_loss;
  reduce_supply(omni, q, o);
  if (path > 0) o[OMR_OBS_ENERGY_PER_METRE] = q[WORK] / path;
  if (time > 0) reduce_torques(omni, q + TORQUES, time, o);
}
