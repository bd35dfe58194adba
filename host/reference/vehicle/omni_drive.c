#include "omni_drive.h"

#include "study/grammar/parse.h"

void omr_wheel_drive_read(omr_wheel_drive *d, const omr_study *study, const omr_values *values,
                          int wheel) {
  const double *v = values->wheel[wheel];
  double gear = fabs(v[OMR_WP_GEAR_RATIO]);
  bool line = !isnan(v[OMR_WP_STALL_TORQUE]), duty = study->drives.by[wheel] == OMR_BY_DUTY,
       voltage = study->drives.by[wheel] == OMR_BY_VOLTAGE;

  /* command, controller and torque-speed line */
  *d = (omr_wheel_drive){.kind = study->drives.law[wheel],
                         .torque = v[omr_drive_amount(study, wheel)],
                         .ramp_time = v[OMR_WP_RAMP_TIME],
                         .frequency = v[OMR_WP_FREQUENCY],
                         .phase = v[OMR_WP_PHASE],
                         .table = &study->drives.table[wheel],
                         .replayed = {&study->drives.replay[wheel], v[OMR_WP_REPLAY_OFFSET],
                                      v[OMR_WP_REPLAY_SCALE], 0},
                         .bearing = v[OMR_WP_AXLE_BEARING],
                         .speed = v[OMR_WP_SPEED],
                         .kp = v[duty      ? OMR_WP_DUTY_KP
                                 : voltage ? OMR_WP_VOLTAGE_KP
                                           : OMR_WP_KP],
                         .ki = v[duty      ? OMR_WP_DUTY_KI
                                 : voltage ? OMR_WP_VOLTAGE_KI
                                           : OMR_WP_KI],
                         .limit = isnan(v[OMR_WP_TORQUE_LIMIT]) ? HUGE_VAL : v[OMR_WP_TORQUE_LIMIT],
                         .stall = line ? gear * v[OMR_WP_STALL_TORQUE] : HUGE_VAL,
                         .no_load = line ? v[OMR_WP_NO_LOAD_SPEED] / gear : HUGE_VAL};
  omr_brushed_read(&d->motor, study, values, wheel);

  /* a motor's limit is the largest duty or voltage */
  if (duty) d->limit = 1;
  if (voltage) d->limit = v[OMR_WP_VOLTAGE_LIMIT];
}

double omr_wheel_drive_acceleration(void *self, double t, double angle, double rate) {
  const omr_wheel_drive *d = self;
  double slope;
  (void)angle, (void)rate;
  if (d->kind == OMR_DRIVE_RATE) return 0;
  omr_replayed_value(&d->replayed, 0, t, &slope);
  return slope;
}

void omr_wheel_drive_go_on(omr_wheel_drive *d, double t) {
  if (omr_is_replay(d->kind)) omr_replayed_go_on(&d->replayed, t);
}

double omr_wheel_drive_asked(const omr_wheel_drive *d, double t) {
  switch (d->kind) {
  case OMR_DRIVE_CONSTANT: return d->torque;
  case OMR_DRIVE_TANH: return d->torque * tanh(t / d->ramp_time);
  case OMR_DRIVE_SINE: return d->torque * sin(2 * PI * d->frequency * t + d->phase);
  case OMR_DRIVE_TABLE: return d->torque * omr_table_value(d->table, 0, t);
  case OMR_DRIVE_REPLAY_TORQUE:
  case OMR_DRIVE_REPLAY_VOLTAGE:
  case OMR_DRIVE_REPLAY_DUTY: return omr_replayed_value(&d->replayed, 0, t, NULL);
  case OMR_DRIVE_SPEED:
  case OMR_DRIVE_FEEDBACK:
  case OMR_DRIVE_BODY: return d->held;
  default: return 0;
  }
}

double omr_wheel_drive_current(const omr_wheel_drive *d) {
  return d->winding ? *omr_mb_own(d->mb, d->winding) : 0;
}

/* The torque-speed line bounds the torque to stall (1 - rate/no_load) above and -stall (1 +
 * rate/no_load) below, and never turns a command into its opposite. */
double omr_wheel_drive_torque(const omr_wheel_drive *d, double t, double rate) {
  if (d->motor.by != OMR_BY_TORQUE) {
    const omr_supplied wheel = {&d->motor, omr_wheel_drive_asked(d, t), rate,
                                omr_wheel_drive_current(d)};
    return omr_brushed_at(&wheel, d->bus(d->bus_self)).torque;
  }
  double torque = omr_wheel_drive_asked(d, t);
  if (!(d->stall < HUGE_VAL)) return torque;
  double most = fmax(d->stall * (1 - rate / d->no_load), 0),
         least = fmin(-d->stall * (1 + rate / d->no_load), 0);
  return fmin(fmax(torque, least), most);
}

double omr_wheel_drive_brake(const omr_wheel_drive *d, double rate) {
  const double by_load = d->pressed ? d->pressed(d->pressed_self) : 0;
  return d->bearing * rate + (d->dry ? omr_dry_axle_torque(d->dry, by_load, rate) : 0);
}

double omr_wheel_drive_law(void *self, double t, double angle, double rate) {
  const omr_wheel_drive *d = self;
  (void)angle;
  return omr_wheel_drive_brake(d, rate) - omr_wheel_drive_torque(d, t, rate);
}

double omr_wheel_drive_stop(const omr_wheel_drive *d, double t) {
  if (omr_is_replay(d->kind)) return omr_replayed_stop(&d->replayed, t);
  return d->kind == OMR_DRIVE_TABLE ? omr_table_stop(d->table, t) : HUGE_VAL;
}

static void drive_effect(const omr_mb_constraint *base, const omr_mb_view *view,
                         omr_mb_effect *out) {
  const omr_wheel_drive *d = (const omr_wheel_drive *)base;
  omr_vec k = omr_times(&view->b->t, omr_vec_of(0, 0, 1));
  double rate = omr_dot(omr_sub(view->b->w, view->a->w), k);
  out->rate[0] = rate;
  if (omr_wheel_drive_is_rated(d)) { /* k.(dw/dt): the axis turns with the wheel */
    omr_mb_turn_row(&out->row[0], k,
                    omr_wheel_drive_acceleration((void *)(uintptr_t)d, view->t, 0, 0));
    out->rows = 1;
    return;
  }
  out->torque[1] =
      omr_scale(omr_wheel_drive_torque(d, view->t, rate) - omr_wheel_drive_brake(d, rate), k);
  out->torque[0] = omr_neg(out->torque[1]);
}

static const omr_mb_kind drive_kind = {"wheel drive", 1, drive_effect, NULL, false};

void omr_wheel_drive_add(omr_mb *mb, omr_wheel_drive *d, const char *name, int wheel,
                         double angle) {
  d->base = (omr_mb_constraint){.a = 0, .b = wheel};
  omr_mb_add_constraint(mb, &d->base, &drive_kind, name);
  if (!mb->failed) *omr_mb_own(mb, &d->base) = angle;
}
