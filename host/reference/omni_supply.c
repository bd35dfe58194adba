#include "omni_supply.h"

#include <math.h>

void omr_brushed_read(omr_brushed *m, const omr_study *study, const omr_values *values, int wheel) {
  const double *v = values->wheel[wheel];
  const double emf = v[OMR_WP_EMF_CONSTANT], back = v[OMR_WP_BACK_EFFICIENCY],
               limit = v[OMR_WP_CURRENT_LIMIT];
  *m = (omr_brushed){.by = study->drive_by[wheel],
                     .resistance = v[OMR_WP_RESISTANCE],
                     .torque_constant = v[OMR_WP_TORQUE_CONSTANT],
                     .emf_constant = isnan(emf) ? v[OMR_WP_TORQUE_CONSTANT] : emf,
                     .friction = v[OMR_WP_TORQUE_CONSTANT] * v[OMR_WP_NO_LOAD_CURRENT],
                     .friction_rate = v[OMR_WP_FRICTION_RATE],
                     .gear = v[OMR_WP_GEAR_RATIO],
                     .forward = v[OMR_WP_EFFICIENCY],
                     .back = isnan(back) ? v[OMR_WP_EFFICIENCY] : back,
                     .limit = isnan(limit) ? HUGE_VAL : limit,
                     .coasts = study->coasts[wheel]};
}

void omr_supply_read(omr_supply *s, const omr_study *study, const omr_values *values) {
  const double *v = values->vehicle;
  *s = (omr_supply){.open = isnan(v[OMR_VP_SUPPLY_VOLTAGE]) ? 0 : v[OMR_VP_SUPPLY_VOLTAGE],
                    .inner = v[OMR_VP_SUPPLY_RESISTANCE],
                    .recovers = !study->no_regeneration};
}

static double duty_of(const omr_supplied *w) {
  return fmin(fmax(w->asked, -1), 1);
}

/* The gear takes power from whichever side drives: nothing at rest, its full part well away from
 * it. */
static double torque_behind_gear(const omr_brushed *m, double shaft, double turning) {
  const double full = fabs(tanh(turning / m->friction_rate));
  if (shaft * turning > 0) return m->gear * shaft * (1 - (1 - m->forward) * full);
  return m->gear * shaft * (1 + (1 / m->back - 1) * full);
}

omr_brushed_state omr_brushed_at(const omr_supplied *w, double bus) {
  const omr_brushed *m = w->motor;
  const double turning = m->gear * w->rate, emf = m->emf_constant * turning;
  omr_brushed_state s = {.voltage = m->by == OMR_BY_DUTY ? duty_of(w) * bus : w->asked};
  if (!(m->coasts && w->asked == 0))
    s.current = fmin(fmax((s.voltage - emf) / m->resistance, -m->limit), m->limit);
  const double airgap = m->torque_constant * s.current,
               shaft = airgap - m->friction * tanh(turning / m->friction_rate);
  s.torque = torque_behind_gear(m, shaft, turning);
  s.heat = m->resistance * s.current * s.current;
  s.gear_loss = emf * s.current - s.torque * w->rate;
  s.electrical = s.voltage * s.current;
  s.control_loss = s.electrical - emf * s.current - s.heat;
  return s;
}

static double drawn_at(const omr_supplied *wheels, int count, double bus) {
  double drawn = 0;
  for (int i = 0; i < count; i++)
    if (wheels[i].motor->by == OMR_BY_DUTY)
      drawn += duty_of(&wheels[i]) * omr_brushed_at(&wheels[i], bus).current;
  return drawn;
}

/* The current grows with the voltage, so that V - V_0 + R_i I(V) has one root, no farther from V_0
 * than what it comes to there; found by halving. */
double omr_supply_voltage(const omr_supply *s, const omr_supplied *wheels, int count,
                          double *current) {
  const double excess = s->inner * drawn_at(wheels, count, s->open);
  double low = fmin(s->open, s->open - excess), high = fmax(s->open, s->open - excess);
  for (int step = 0; step < 200 && high > low; step++) {
    const double middle = low + (high - low) / 2;
    if (middle == low || middle == high) break;
    if (middle - s->open + s->inner * drawn_at(wheels, count, middle) > 0)
      high = middle;
    else
      low = middle;
  }
  double bus = low + (high - low) / 2;
  if (!s->recovers) bus = fmin(bus, s->open);
  *current = drawn_at(wheels, count, bus);
  if (!s->recovers) *current = fmax(*current, 0);
  return bus;
}
