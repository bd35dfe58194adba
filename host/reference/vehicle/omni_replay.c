#include "omni_drive.h"

double omr_replayed_value(const omr_replayed *r, size_t column, double t, double *slope) {
  const double time = omr_replay_time(r->offset, r->scale, t);
  const double within = r->table->corners ? omr_replay_time(r->offset, r->scale, r->within) : time;
  const double value = omr_replay_value(r->table, column, time, within, slope);
  if (slope) *slope /= r->scale;
  return value;
}

/* The first row of the table after the instant t; a row within rounding of t counts as t itself. */
static size_t next_row(const omr_replayed *r, double t) {
  const omr_table *rows = &r->table->table;
  const double time = omr_replay_time(r->offset, r->scale, t);
  size_t row = 0;
  if (time >= rows->time[0]) row = omr_replay_row(r->table, time) + 1;
  if (row > 0 && row < rows->rows &&
      rows->time[row] - time <= 1e-9 * (rows->time[row] - rows->time[row - 1]))
    row++;
  return row;
}

double omr_replayed_stop(const omr_replayed *r, double t) {
  const size_t row = next_row(r, t);
  const bool stops = r->table->corners && row < r->table->table.rows;
  return stops ? r->offset + r->scale * r->table->table.time[row] : HUGE_VAL;
}

void omr_replayed_go_on(omr_replayed *r, double t) {
  const omr_table *rows = &r->table->table;
  const size_t row = next_row(r, t);
  r->within = t;
  if (row > 0 && row < rows->rows)
    r->within = r->offset + r->scale * 0.5 * (rows->time[row - 1] + rows->time[row]);
}
