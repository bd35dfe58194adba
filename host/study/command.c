#include "command.h"

bool omr_command_jumps(const omr_study *study, size_t *row) {
  const omr_table *table = &study->command.table;
  if (study->command.kind != OMR_COMMAND_TABLE || omr_controls_steps(study)) return false;
  for (size_t r = 0; r + 1 < table->rows; r++) {
    const double *from = table->value + r * table->columns, *to = from + table->columns;
    if (table->time[r] >= study->time.duration || table->time[r + 1] <= 0) continue;
    /* a step may be the difference of two times but for rounding */
    if (table->time[r + 1] - table->time[r] >= (1 - 1e-9) * study->time.step) continue;
    if (from[0] == to[0] && from[1] == to[1]) continue;
    *row = r;
    return true;
  }
  return false;
}

const omr_table *omr_command_rows(const omr_study *study) {
  if (study->command.kind == OMR_COMMAND_TABLE) return &study->command.table;
  return study->command.kind == OMR_COMMAND_REPLAY ? &study->command.replay.table : NULL;
}

double omr_command_time(const omr_study *study, const double *vehicle, double time) {
  if (study->command.kind != OMR_COMMAND_REPLAY) return time;
  return vehicle[OMR_VP_COMMAND_OFFSET] + vehicle[OMR_VP_COMMAND_SCALE] * time;
}
