#include "omni_drive.h"

double omr_table_value(const omr_table *table, size_t column, double t) {
  const double *value = table->value + column;
  size_t last = table->rows - 1, r = 0, n = table->columns;
  if (t <= table->time[0]) return value[0];
  if (t >= table->time[last]) return value[last * n];
  while (t >= table->time[r + 1]) r++;
  double part = (t - table->time[r]) / (table->time[r + 1] - table->time[r]);
  return value[r * n] + part * (value[(r + 1) * n] - value[r * n]);
}

double omr_table_slope(const omr_table *table, size_t column, double t) {
  const double *value = table->value + column;
  size_t n = table->columns;
  for (size_t r = 0; r + 1 < table->rows; r++) {
    if (t >= table->time[r] && t < table->time[r + 1])
      return (value[(r + 1) * n] - value[r * n]) / (table->time[r + 1] - table->time[r]);
  }
  return 0;
}

double omr_table_stop(const omr_table *table, double t) {
  for (size_t r = 0; r < table->rows; r++) {
    if (table->time[r] > t) return table->time[r];
  }
  return HUGE_VAL;
}

void omr_omni_command_read(omr_omni_command *c, const omr_study *study, const omr_values *values) {
  const double *v = values->vehicle;
  *c = (omr_omni_command){
      .kind = study->command.kind,
      .value = {v[OMR_VP_COMMAND_VX], v[OMR_VP_COMMAND_VZ], v[OMR_VP_COMMAND_YAW_RATE]},
      .ramp_time = v[OMR_VP_COMMAND_RAMP_TIME],
      .table = &study->command.table,
      .replayed = {&study->command.replay, v[OMR_VP_COMMAND_OFFSET], v[OMR_VP_COMMAND_SCALE], 0}};
}

void omr_omni_command_at(const omr_omni_command *c, double t, double velocity[3]) {
  double gain = c->kind == OMR_COMMAND_TANH   ? tanh(t / c->ramp_time)
                : c->kind == OMR_COMMAND_NONE ? 0
                                              : 1;
  for (size_t j = 0; j < 3 && c->kind == OMR_COMMAND_REPLAY; j++)
    velocity[j] = omr_replayed_value(&c->replayed, j, t, NULL);
  for (size_t j = 0; j < 3 && c->kind != OMR_COMMAND_REPLAY; j++)
    velocity[j] =
        c->kind == OMR_COMMAND_TABLE ? omr_table_value(c->table, j, t) : gain * c->value[j];
}

void omr_omni_command_acceleration(const omr_omni_command *c, double t, double acceleration[2]) {
  double velocity[3], gain = tanh(t / c->ramp_time);
  omr_omni_command_at(c, t, velocity);
  for (size_t j = 0; j < 2; j++) {
    acceleration[j] = 0;
    if (c->kind == OMR_COMMAND_TANH)
      acceleration[j] = c->value[j] * (1 - gain * gain) / c->ramp_time;
    if (c->kind == OMR_COMMAND_TABLE) acceleration[j] = omr_table_slope(c->table, j, t);
    if (c->kind == OMR_COMMAND_REPLAY) omr_replayed_value(&c->replayed, j, t, &acceleration[j]);
  }
  acceleration[0] += velocity[2] * velocity[1];
  acceleration[1] -= velocity[2] * velocity[0];
}

void omr_omni_command_go_on(omr_omni_command *c, double t) {
  if (c->kind == OMR_COMMAND_REPLAY) omr_replayed_go_on(&c->replayed, t);
}

double omr_omni_command_stop(const omr_omni_command *c, double t) {
  if (c->kind == OMR_COMMAND_REPLAY) return omr_replayed_stop(&c->replayed, t);
  return c->kind == OMR_COMMAND_TABLE ? omr_table_stop(c->table, t) : HUGE_VAL;
}

void omr_wheel_drive_control(omr_wheel_drive *d, double period, double wanted, double rate) {
  double error = (d->kind == OMR_DRIVE_SPEED ? d->speed : wanted) - rate;
  double grown = d->integral + d->ki * period * error, asked = d->kp * error + grown;
  d->held = fmin(fmax(asked, -d->limit), d->limit);
  if (fabs(asked) <= d->limit) d->integral = grown;
}
