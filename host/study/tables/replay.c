#include "replay.h"

#include <math.h>
#include <stdlib.h>

/* THE PIECES BETWEEN ROWS */

static void set_piece(double *terms, double value, double slope, double bend, double twist) {
  terms[0] = value;
  terms[1] = slope;
  terms[2] = bend;
  terms[3] = twist;
}

/* A cubic by the values and derivatives at both ends. */
static void set_cubic(double *terms, double length, double from, double to, double first,
                      double last) {
  const double mean = (to - from) / length;
  set_piece(terms, from, first, (3 * mean - 2 * first - last) / length,
            (first + last - 2 * mean) / (length * length));
}

static double length_of(const omr_table *table, size_t row) {
  return table->time[row + 1] - table->time[row];
}

static double value_of(const omr_table *table, size_t row, size_t column) {
  return table->value[row * table->columns + column];
}

static double mean_slope(const omr_table *table, size_t row, size_t column) {
  return (value_of(table, row + 1, column) - value_of(table, row, column)) / length_of(table, row);
}

static double *piece_of(const omr_replay *replay, size_t row, size_t column) {
  return replay->terms + (row * replay->table.columns + column) * OMR_REPLAY_TERMS;
}

static void fit_lines(const omr_replay *replay, size_t column) {
  const omr_table *table = &replay->table;
  for (size_t row = 0; row + 1 < table->rows; row++)
    set_piece(piece_of(replay, row, column), value_of(table, row, column),
              mean_slope(table, row, column), 0, 0);
}

static void fit_steps(const omr_replay *replay, size_t column) {
  for (size_t row = 0; row + 1 < replay->table.rows; row++)
    set_piece(piece_of(replay, row, column), value_of(&replay->table, row, column), 0, 0, 0);
}

static void fit_parabola(const omr_replay *replay, size_t column) {
  const omr_table *table = &replay->table;
  const double h = length_of(table, 0), m0 = mean_slope(table, 0, column),
               m1 = mean_slope(table, 1, column);
  const double bend = (m1 - m0) / (h + length_of(table, 1));
  set_piece(piece_of(replay, 0, column), value_of(table, 0, column), m0 - bend * h, bend, 0);
  set_piece(piece_of(replay, 1, column), value_of(table, 1, column), m0 + bend * h, bend, 0);
}

/* The derivatives at the rows, by the tridiagonal equations of the spline: lower, diagonal, upper
 * and right side in work[4][rows]; they end up in the last. The second derivative is continuous
 * inside; at both ends the third is continuous over the second row and the last but one. */
static void find_derivatives(const omr_table *table, size_t column, double *work) {
  /* The system of equations has three diagonals and lies in the caller's memory. */
  const size_t n = table->rows;
  double *lower = work, *middle = work + n, *upper = work + 2 * n, *right = work + 3 * n;
  const double a = length_of(table, 0), b = length_of(table, 1), c = length_of(table, n - 2),
               d = length_of(table, n - 3);

  /* The first row makes the first two pieces one cubic (not-a-knot). */
  middle[0] = b;
  upper[0] = a + b;
  right[0] = ((a + 2 * (a + b)) * b * mean_slope(table, 0, column) +
              a * a * mean_slope(table, 1, column)) /
             (a + b);

  /* Each inner row makes the second derivative continuous. */
  for (size_t i = 1; i + 1 < n; i++) {
    const double before = length_of(table, i - 1), after = length_of(table, i);
    lower[i] = after;
    middle[i] = 2 * (before + after);
    upper[i] = before;
    right[i] =
        3 * (after * mean_slope(table, i - 1, column) + before * mean_slope(table, i, column));
  }

  /* The last row does at the end as the first one does at the start. */
  lower[n - 1] = c + d;
  middle[n - 1] = d;
  right[n - 1] = (c * c * mean_slope(table, n - 3, column) +
                  (2 * (c + d) + c) * d * mean_slope(table, n - 2, column)) /
                 (c + d);

  /* Elimination runs downwards, substitution upwards. */
  for (size_t i = 1; i < n; i++) {
    const double part = lower[i] / middle[i - 1];
    middle[i] -= part * upper[i - 1];
    right[i] -= part * right[i - 1];
  }
  right[n - 1] /= middle[n - 1];
  for (size_t i = n - 1; i-- > 0;) right[i] = (right[i] - upper[i] * right[i + 1]) / middle[i];
}

static void fit_spline(const omr_replay *replay, size_t column, double *work) {
  const omr_table *table = &replay->table;
  const double *derivative = work + 3 * table->rows;
  find_derivatives(table, column, work);
  for (size_t row = 0; row + 1 < table->rows; row++)
    set_cubic(piece_of(replay, row, column), length_of(table, row), value_of(table, row, column),
              value_of(table, row + 1, column), derivative[row], derivative[row + 1]);
}

/* appendix/drives.md#drives. */
bool omr_replay_fit(omr_replay *replay) {
  const size_t rows = replay->table.rows, columns = replay->table.columns;
  double *work = calloc(4 * rows, sizeof *work);
  replay->terms = calloc((rows - 1) * columns, OMR_REPLAY_TERMS * sizeof *replay->terms);
  const bool good = work && replay->terms;
  for (size_t column = 0; good && column < columns; column++) {
    if (replay->held)
      fit_steps(replay, column);
    else if (replay->corners || rows == 2)
      fit_lines(replay, column);
    else if (rows == 3)
      fit_parabola(replay, column);
    else
      fit_spline(replay, column, work);
  }
  free(work);
  return good;
}

/* appendix/drives.md#drives. */
void omr_replay_differentiate(omr_replay *replay) {
  omr_table *table = &replay->table;
  replay->largest = 0;
  for (size_t row = 0; row + 1 < table->rows; row++)
    for (size_t column = 0; column < table->columns; column++) {
      double *terms = piece_of(replay, row, column);
      const double h = length_of(table, row);
      double *value = table->value + row * table->columns + column;
      set_piece(terms, terms[1], 2 * terms[2], 3 * terms[3], 0);
      value[0] = terms[0];
      value[table->columns] = terms[0] + h * (terms[1] + h * terms[2]);
      if (column == 0)
        replay->largest = fmax(replay->largest, fmax(fabs(value[0]), fabs(value[table->columns])));
    }
}

void omr_replay_free(omr_replay *replay) {
  free(replay->table.time);
  free(replay->table.value);
  free(replay->terms);
  *replay = (omr_replay){0};
}

/* WHERE AN INSTANCE STANDS */

size_t omr_replay_row(const omr_replay *replay, double time) {
  size_t low = 0, high = replay->table.rows - 2;
  while (low < high) {
    const size_t middle = (low + high + 1) / 2;
    if (time >= replay->table.time[middle])
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

double omr_replay_value(const omr_replay *replay, size_t column, double time, double within,
                        double *slope) {
  const double first = replay->table.time[0], last = replay->table.time[replay->table.rows - 1];
  const double at = fmin(fmax(time, first), last);
  size_t row = omr_replay_row(replay, at);
  if (row > 0 && at == replay->table.time[row] && within < at) row--;
  const double *terms = piece_of(replay, row, column), since = at - replay->table.time[row];
  if (slope) *slope = at == time ? terms[1] + since * (2 * terms[2] + since * 3 * terms[3]) : 0;
  return terms[0] + since * (terms[1] + since * (terms[2] + since * terms[3]));
}

void omr_replay_start(const omr_study *study, omr_values *values) {
  for (int i = 0; i < study->wheels; i++) {
    double *own = values->wheel[i];
    const omr_replay *replay = &study->drives.replay[i];
    if (study->drives.law[i] == OMR_DRIVE_RATE) own[OMR_WP_RATE] = own[OMR_WP_HELD_RATE];
    if (study->drives.law[i] != OMR_DRIVE_REPLAY_RATE || replay->table.rows == 0) continue;
    const double time = omr_replay_time(own[OMR_WP_REPLAY_OFFSET], own[OMR_WP_REPLAY_SCALE], 0);
    own[OMR_WP_RATE] = omr_replay_value(replay, 0, time, time, NULL);
  }
}

bool omr_study_is_rated(const omr_study *study) {
  for (int i = 0; i < study->wheels; i++)
    if (omr_is_rated(study->drives.law[i])) return true;
  return false;
}

/* Times are read from decimals: an end that rounding moves leaves no gap. */
static bool lasts(const omr_study *study, const omr_replay *replay, double offset, double scale,
                  const char *whose, char *reason, size_t size) {
  if (replay->table.rows == 0) return true; /* a study that is kept with its result */
  const double start = offset + scale * replay->table.time[0],
               end = offset + scale * replay->table.time[replay->table.rows - 1],
               slack = 1e-9 * study->time.duration;
  if (start <= slack && end >= study->time.duration - slack) return true;
  if (start > slack)
    return omr_deny(reason, size,
                    "the table that %s replays begins %.9g s after the start of the run", whose,
                    start);
  return omr_deny(reason, size,
                  "the table that %s replays ends at %.9g s, %.9g s before the run does", whose,
                  end, study->time.duration - end);
}

bool omr_replay_lasts(const omr_study *study, const omr_values *values, char *reason, size_t size) {
  char whose[32];
  const double *p = values->vehicle;
  if (study->command.kind == OMR_COMMAND_REPLAY &&
      !lasts(study, &study->command.replay, p[OMR_VP_COMMAND_OFFSET], p[OMR_VP_COMMAND_SCALE],
             "the command", reason, size))
    return false;
  for (int i = 0; i < study->wheels; i++) {
    const double *own = values->wheel[i];
    if (!omr_is_replay(study->drives.law[i])) continue;
    snprintf(whose, sizeof whose, "wheel %d", i);
    if (!lasts(study, &study->drives.replay[i], own[OMR_WP_REPLAY_OFFSET], own[OMR_WP_REPLAY_SCALE],
               whose, reason, size))
      return false;
  }
  return true;
}
