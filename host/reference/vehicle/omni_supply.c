#include "omni_drive.h"

#include <math.h>

void omr_brushed_read(omr_brushed *m, const omr_study *study, const omr_values *values, int wheel) {
  const double *v = values->wheel[wheel];
  const double emf = v[OMR_WP_EMF_CONSTANT], back = v[OMR_WP_BACK_EFFICIENCY],
               limit = v[OMR_WP_CURRENT_LIMIT];
  *m = (omr_brushed){.by = study->drives.by[wheel],
                     .resistance = v[OMR_WP_RESISTANCE],
                     .torque_constant = v[OMR_WP_TORQUE_CONSTANT],
                     .emf_constant = isnan(emf) ? v[OMR_WP_TORQUE_CONSTANT] : emf,
                     .friction = v[OMR_WP_TORQUE_CONSTANT] * v[OMR_WP_NO_LOAD_CURRENT],
                     .friction_rate = v[OMR_WP_FRICTION_RATE],
                     .gear = v[OMR_WP_GEAR_RATIO],
                     .forward = v[OMR_WP_EFFICIENCY],
                     .back = isnan(back) ? v[OMR_WP_EFFICIENCY] : back,
                     .inductance = v[OMR_WP_INDUCTANCE],
                     .limit = isnan(limit) ? HUGE_VAL : limit,
                     .coasts = study->drives.coasts[wheel]};
}

void omr_supply_read(omr_supply *s, const omr_study *study, const omr_values *values) {
  const double *v = values->vehicle;
  *s = (omr_supply){.open = isnan(v[OMR_VP_SUPPLY_VOLTAGE]) ? 0 : v[OMR_VP_SUPPLY_VOLTAGE],
                    .inner = v[OMR_VP_SUPPLY_RESISTANCE],
                    .recovers = !study->drives.no_regeneration};
}

static double duty_of(const omr_supplied *w) {
  return fmin(fmax(w->asked, -1), 1);
}

/* The gear takes power from the driving side: nothing at rest, its full part well away from it. */
static double torque_behind_gear(const omr_brushed *m, double shaft, double turning) {
  const double full = fabs(tanh(turning / m->friction_rate));
  if (shaft * turning > 0) return m->gear * shaft * (1 - (1 - m->forward) * full);
  return m->gear * shaft * (1 + (1 / m->back - 1) * full);
}

omr_brushed_state omr_brushed_at(const omr_supplied *w, double bus) {
  const omr_brushed *m = w->motor;
  const double turning = m->gear * w->rate, emf = m->emf_constant * turning;
  omr_brushed_state s = {.voltage = m->by == OMR_BY_DUTY ? duty_of(w) * bus : w->asked};
  const double most = emf + m->resistance * m->limit, least = emf - m->resistance * m->limit;
  const double asked = s.voltage;
  s.voltage = m->coasts && w->asked == 0 ? emf : fmin(fmax(asked, least), most);
  s.held = s.voltage != asked;
  s.current = m->inductance > 0 ? w->current : (s.voltage - emf) / m->resistance;
  if (m->inductance > 0) s.growth = (s.voltage - emf - m->resistance * s.current) / m->inductance;
  const double airgap = m->torque_constant * s.current,
               shaft = airgap - m->friction * tanh(turning / m->friction_rate);
  s.torque = torque_behind_gear(m, shaft, turning);
  s.heat = m->resistance * s.current * s.current;
  s.gear_loss = emf * s.current - s.torque * w->rate;
  s.electrical = s.voltage * s.current;
  return s;
}

/* Current that a motor draws from the bus: the share d of its own current while it has the voltage
 * d V, and under another voltage of the controller the current that carries its power. */
static double drawn_by(const omr_supplied *wheel, double bus) {
  const omr_brushed_state s = omr_brushed_at(wheel, bus);
  if (wheel->motor->by != OMR_BY_DUTY) return 0;
  if (!s.held) return duty_of(wheel) * s.current;
  return bus > 0 ? s.electrical / bus : 0;
}

static double drawn_at(const omr_supplied *wheels, int count, double bus) {
  double drawn = 0;
  for (int i = 0; i < count; i++) drawn += drawn_by(&wheels[i], bus);
  return drawn;
}

/* V - V_0 + R_i I(V): positive above the voltages that solve it. */
static double excess_at(const omr_supply *s, const omr_supplied *wheels, int count, double bus) {
  return bus - s->open + s->inner * drawn_at(wheels, count, bus);
}

/* Halves between a voltage of no or negative excess and one of positive excess. */
static double solve_between(const omr_supply *s, const omr_supplied *wheels, int count, double low,
                            double high) {
  for (int step = 0; step < 200; step++) {
    const double middle = low + (high - low) / 2;
    if (middle == low || middle == high) break;
    if (excess_at(s, wheels, count, middle) > 0)
      high = middle;
    else
      low = middle;
  }
  return low + (high - low) / 2;
}

/* The voltage of least excess, which is convex if it dips between two borders; by sections of
 * three. */
static double deepest_between(const omr_supply *s, const omr_supplied *wheels, int count,
                              double low, double high) {
  for (int step = 0; step < 100 && high - low > 1e-9 * high; step++) {
    const double third = (high - low) / 3;
    if (excess_at(s, wheels, count, low + third) < excess_at(s, wheels, count, high - third))
      high -= third;
    else
      low += third;
  }
  return low + (high - low) / 2;
}

/* The next lower voltage at which a limit begins to hold. */
static double border_below(const omr_supplied *wheels, int count, double bus) {
  double border = 0;
  for (int i = 0; i < count; i++) {
    const omr_brushed *m = wheels[i].motor;
    const double duty = duty_of(&wheels[i]), emf = m->emf_constant * m->gear * wheels[i].rate;
    if (m->by != OMR_BY_DUTY || duty == 0 || !(m->limit < HUGE_VAL)) continue;
    for (int side = -1; side <= 1; side += 2) {
      const double at = (emf + side * m->limit * m->resistance) / duty;
      if (at < bus) border = fmax(border, at);
    }
  }
  return border;
}

/* The highest voltage that solves the supply's equation. Without limits it is the only one, no
 * farther from V_0 than the equation's value there. With a limit a motor draws less the higher the
 * voltage is: the stretches between borders are searched from above. */
static double highest_voltage(const omr_supply *s, const omr_supplied *wheels, int count) {
  double high = s->open, low;
  while (excess_at(s, wheels, count, high) <= 0 && s->inner > 0 && high < 1e12) high = 2 * high + 1;
  if (!(s->inner > 0)) return s->open;
  for (;;) {
    low = border_below(wheels, count, high);
    if (!(low > 0)) break;
    if (excess_at(s, wheels, count, low) <= 0) return solve_between(s, wheels, count, low, high);
    const double deep = deepest_between(s, wheels, count, low, high);
    if (excess_at(s, wheels, count, deep) <= 0) return solve_between(s, wheels, count, deep, high);
    high = low;
  }
  low = deepest_between(s, wheels, count, 0, high);
  for (low = excess_at(s, wheels, count, low) > 0 ? fmin(0, s->open) : low;
       excess_at(s, wheels, count, low) > 0 && low > -1e12;)
    low = 2 * low - 1;
  return solve_between(s, wheels, count, low, high);
}

double omr_supply_voltage(const omr_supply *s, const omr_supplied *wheels, int count,
                          double *current) {
  double bus = highest_voltage(s, wheels, count);
  if (!s->recovers) bus = fmin(bus, s->open);
  *current = drawn_at(wheels, count, bus);
  if (!s->recovers) *current = fmax(*current, 0);
  return bus;
}
