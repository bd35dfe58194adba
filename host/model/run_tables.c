/* The tables of a run: those of command, drives, external force and floor, and the clock
 * (kernels/layout.h). */
#include "batch.h"

#include "../study/derived.h"
#include "../study/tables/replay.h"
#include "floor.h"
#include <stdlib.h>
#include <string.h>

/* The i-th table whose rows are packed as they are: of the command, of each wheel's drive, and of
 * the external force; NULL where the study has another kind. */
static const omr_table *plain_table(const omr_study *study, int i) {
  if (i == 0) return study->command.kind == OMR_COMMAND_TABLE ? &study->command.table : NULL;
  if (i <= study->wheels)
    return study->drives.law[i - 1] == OMR_DRIVE_TABLE ? &study->drives.table[i - 1] : NULL;
  return study->external.kind == OMR_EXTERNAL_TABLE ? &study->external.table : NULL;
}

/* Corners of tables within the run, ascending: a controlled pass must end at each. */
static size_t list_corners(const omr_study *study, double *corners) {
  size_t count = 0;
  for (int j = 0; j < study->wheels + 2; j++) {
    const omr_table *table = plain_table(study, j);
    for (size_t r = 0; table && r < table->rows; r++) {
      const double time = table->time[r];
      size_t at = count;
      if (!(time > 0 && time < study->time.duration)) continue;
      while (at > 0 && corners[at - 1] > time) at--;
      if (at > 0 && corners[at - 1] == time) continue;
      memmove(corners + at + 1, corners + at, (count - at) * sizeof *corners);
      corners[at] = time;
      count++;
    }
  }
  return count;
}

/* Copies a table into the run's tables as rows of time and values. */
static double *pack_table(const omr_table *table, double *to) {
  for (size_t r = 0; r < table->rows; r++) {
    *to++ = table->time[r];
    for (size_t c = 0; c < table->columns; c++) *to++ = table->value[r * table->columns + c];
  }
  return to;
}

/* Packs the i-th of them; the integers `start` and `rows` tell where. */
static double *pack_plain(const omr_study *study, int i, omr_run_settings *s, int start, int rows,
                          double *at) {
  const omr_table *table = plain_table(study, i);
  if (!table) return at;
  s->integers[start] = (int)(at - s->tables);
  s->integers[rows] = (int)table->rows;
  return pack_table(table, at);
}

/* Two buckets for a row, so most buckets have one row or none. */
static size_t replay_buckets(size_t rows) {
  return 2 * rows;
}

/* Number of values of a replayed table in the run's tables (kernels/layout.h). */
static size_t replay_size(const omr_replay *replay) {
  const size_t rows = replay->table.rows, columns = replay->table.columns;
  return REPLAY_INDEX + replay_buckets(rows) + 1 + rows * (1 + REPLAY_TERMS * columns);
}

/* Copies a replayed table into the run's tables, with the row at the beginning of each bucket of
 * time. */
static double *pack_replay(const omr_replay *replay, double *to) {
  /* The head: times, numbers of buckets and rows, corners. */
  const omr_table *table = &replay->table;
  const size_t rows = table->rows, buckets = replay_buckets(rows);
  const size_t terms = REPLAY_TERMS * table->columns;
  const double first = table->time[0], last = table->time[rows - 1];
  *to++ = first;
  *to++ = last;
  *to++ = (double)buckets / (last - first);
  *to++ = (double)buckets;
  *to++ = (double)rows;
  *to++ = replay->held ? 2 : replay->corners;

  /* The first row of each bucket. */
  for (size_t b = 0; b < buckets; b++)
    *to++ = (double)omr_replay_row(replay, first + (double)b * (last - first) / (double)buckets);
  *to++ = (double)(rows - 2);

  /* The rows with the terms of their polynomials. */
  for (size_t r = 0; r < rows; r++) {
    *to++ = table->time[r];
    for (size_t j = 0; j < terms; j++) *to++ = r + 1 < rows ? replay->terms[r * terms + j] : 0;
  }

  return to;
}

/* Legs of a path: as many as gaps between its points, and the one that closes it. */
static size_t count_legs(const omr_study *study) {
  return study->command.kind == OMR_COMMAND_PATH
             ? study->command.table.rows - !study->command.way.closed
             : 0;
}

/* Packs the legs, the last one first, since each knows the way that is left behind it. */
static double *pack_legs(const omr_study *study, double *to) {
  const omr_table *points = &study->command.table;
  const size_t legs = count_legs(study);
  double rest = 0;
  for (size_t leg = legs; leg-- > 0;) {
    const double *from = points->value + 2 * leg,
                 *end = points->value + 2 * ((leg + 1) % points->rows);
    const double x = end[0] - from[0], z = end[1] - from[1], length = __builtin_sqrt(x * x + z * z);
    double *row = to + LEG_NUMBERS * leg;
    row[LEG_X] = from[0];
    row[LEG_Z] = from[1];
    row[LEG_TO_X] = x / length;
    row[LEG_TO_Z] = z / length;
    row[LEG_LENGTH] = length;
    row[LEG_REST] = rest;
    rest += length;
  }
  return to + LEG_NUMBERS * legs;
}

/* The matrix of a state feedback: a row for each wheel (kernels/time/feedback.h). */
static size_t feedback_size(const omr_study *study) {
  return study->command.feedback.states
             ? (size_t)study->wheels * (size_t)(OMR_FEEDBACK_RATE + study->wheels)
             : 0;
}

static double *pack_feedback(const omr_study *study, omr_run_settings *s, double *to) {
  if (!study->command.feedback.states) return to;
  s->integers[K_FEEDBACK] = 1;
  s->integers[K_GAINS] = (int)(to - s->tables);
  const size_t columns = (size_t)(OMR_FEEDBACK_RATE + study->wheels);
  for (int i = 0; i < study->wheels; i++, to += columns)
    memcpy(to, study->command.feedback.gain[i], columns * sizeof *to);
  return to;
}

static size_t replays_size(const omr_study *study) {
  size_t count =
      study->command.kind == OMR_COMMAND_REPLAY ? replay_size(&study->command.replay) : 0;
  for (int i = 0; i < study->wheels; i++)
    if (omr_is_replay(study->drives.law[i])) count += replay_size(&study->drives.replay[i]);
  return count;
}

static double *pack_replays(const omr_study *study, omr_run_settings *s, double *at) {
  for (int i = 0; i < study->wheels; i++) {
    if (!omr_is_replay(study->drives.law[i])) continue;
    s->integers[K_TABLE_0 + i] = (int)(at - s->tables);
    s->integers[K_ROWS_0 + i] = (int)study->drives.replay[i].table.rows;
    s->integers[K_REPLAYS] |= omr_is_rated(study->drives.law[i]) ? 2 : 1;
    at = pack_replay(&study->drives.replay[i], at);
  }
  return at;
}

bool omr_make_tables(const omr_study *study, omr_run_settings *s) {
  /* The room of all tables, and of the clock with controlled steps, whose corners are at most the
   * rows. */
  size_t rows = 0, count = LEG_NUMBERS * count_legs(study) + replays_size(study) +
                           feedback_size(study) + omr_floor_map_size(study);
  for (int i = 0; i < study->wheels + 2; i++) {
    const omr_table *table = plain_table(study, i);
    if (!table) continue;
    rows += table->rows;
    count += table->rows * (1 + table->columns);
  }
  const size_t clock =
      omr_controls_steps(study) ? 2 + rows : 0; /* CLOCK_PERIOD ... of kernels/time/pace.h */
  s->table_count = count + clock;
  s->tables = calloc(s->table_count + 1, sizeof *s->tables);
  if (!s->tables) return false;

  /* The command. */
  double *at = s->tables;
  if (study->command.kind == OMR_COMMAND_TABLE) {
    at = pack_table(&study->command.table, at);
    s->integers[K_COMMAND_ROWS] = (int)study->command.table.rows;
  }
  if (study->command.kind == OMR_COMMAND_REPLAY) {
    at = pack_replay(&study->command.replay, at);
    s->integers[K_COMMAND_ROWS] = (int)study->command.replay.table.rows;
  }

  if (count_legs(study)) {
    at = pack_legs(study, at);
    s->integers[K_COMMAND_ROWS] = (int)count_legs(study);
  }

  /* Replays and tables of the drives. */
  at = pack_replays(study, s, at);
  for (int i = 0; i < study->wheels; i++)
    at = pack_plain(study, 1 + i, s, K_TABLE_0 + i, K_ROWS_0 + i, at);

  at = pack_plain(study, study->wheels + 1, s, K_EXTERNAL_START, K_EXTERNAL_ROWS, at);
  at = pack_feedback(study, s, at);

  /* The floor's map. */
  if (omr_floor_map_size(study)) {
    s->integers[K_FLOOR_MAP] = (int)(at - s->tables);
    at = omr_floor_map_pack(study, at);
  }

  /* The clock with its corners comes last. */
  if (!clock) return true;
  s->integers[K_CLOCK] = (int)(at - s->tables);
  *at++ = study->drives.period;
  *at++ = study->time.duration;
  s->integers[K_CORNERS] = (int)list_corners(study, at);
  return true;
}
