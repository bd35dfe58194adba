/* Measured inputs: a drive or the command takes values from a table of thousands of rows
 * (appendix/drives.md#drives). A table lies once in the tables of the run
 * (kernels/layout.h). Its rows are pieces of a cubic polynomial, or of a straight line, which the
 * host has worked out (host/study/tables/replay.c). A row is found through buckets of equal length
 * in time and by bisection among the rows of a bucket, and packs of several lanes keep the row of
 * every wheel from one look to the next. The row follows only from comparisons of the time with
 * the times of the rows, so that every build finds the same. */

/* A time this far beyond an end of a row, as part of its length, still counts as inside: rounding
 * may move the instant at which a pass ends. */
#define REPLAY_SLACK LIT(BY_PRECISION(1e-4, 1e-9))

/* A row of one channel in every lane. */
typedef struct replay_row {
  real start, end; /* s */
  real value, slope, bend, twist;
} replay_row;

/* Those that a pack of several lanes keeps; a single lane looks its row up each time. */
typedef struct replay_rows {
  replay_row of[WHEELS_MAX];
} replay_rows;
#define REPLAY_KEEPS (OMR_LANES > 1)

FN int replay_width(int channels) {
  return 1 + REPLAY_TERMS * channels;
}

FN GLOBAL const sreal *replay_row_at(GLOBAL const sreal *table, int channels, int row) {
  return table + REPLAY_INDEX + (int)table[REPLAY_BUCKETS] + 1 + row * replay_width(channels);
}

/* The last row that begins no later than `time`, which lies within the table. Single precision may
 * miss a bucket by one, so that its neighbours' rows count too
 * (appendix/drives.md#drives). */
FN int find_replay_row(GLOBAL const sreal *table, int channels, sreal time) {
  const int buckets = (int)table[REPLAY_BUCKETS];
  const sreal place = (time - table[REPLAY_FIRST]) * table[REPLAY_PER_TIME];
  int bucket = 0;
  if (place >= LIT(1.0)) bucket = place < (sreal)buckets ? (int)place : buckets - 1;
  int low = (int)table[REPLAY_INDEX + (bucket > 0 ? bucket - 1 : 0)];
  int high = (int)table[REPLAY_INDEX + (bucket + 2 < buckets ? bucket + 2 : buckets)];
  while (low < high) {
    const int middle = (low + high + 1) / 2;
    if (time >= *replay_row_at(table, channels, middle))
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

/* Fills in the row at the table's times `time`, in the lanes of `which`. */
FN_COLD void take_replay_row(GLOBAL const sreal *table, int channels, int channel, real time,
                             mask which, replay_row *row) {
  EACH_LANE(which, l) {
    const int number = find_replay_row(table, channels, lane_get(time, l));
    GLOBAL const sreal *from = replay_row_at(table, channels, number);
    GLOBAL const sreal *terms = from + 1 + REPLAY_TERMS * channel;
    lane_set(&row->start, l, *from);
    lane_set(&row->end, l, from[replay_width(channels)]);
    lane_set(&row->value, l, terms[0]);
    lane_set(&row->slope, l, terms[1]);
    lane_set(&row->bend, l, terms[2]);
    lane_set(&row->twist, l, terms[3]);
  }
}

/* The table's time at the run's time t: `rate` is one over its scale, `shift` the table's time at
 * 0. Before its first and after its last row a table is constant
 * (appendix/drives.md#drives). */
FN real replay_time(GLOBAL const sreal *table, real rate, real shift, real t) {
  return clamp_real(fma_real(t, rate, shift), splat(table[REPLAY_FIRST]),
                    splat(table[REPLAY_LAST]));
}

/* Lanes whose time lies in the row, up to rounding. */
FN mask in_replay_row(const replay_row *row, real time) {
  real slack = splat(REPLAY_SLACK) * (row->end - row->start);
  return mask_and(ge(time, row->start - slack), le(time, row->end + slack));
}

/* The value of the row, and its slope in the table's time
 * (appendix/drives.md#drives). */
FN real replay_value(const replay_row *row, real time, real *slope) {
  real since = time - row->start;
  *slope = fma_real(since, fma_real(since, R(3.0) * row->twist, R(2.0) * row->bend), row->slope);
  real bent = fma_real(since, row->twist, row->bend);
  return fma_real(since, fma_real(since, bent, row->slope), row->value);
}

/* The rows in which the instants `within` lie, kept for the wheel's next looks. */
FN void keep_replay_row(GLOBAL const sreal *table, real rate, real shift, real within,
                        replay_row *row) {
  real time = replay_time(table, rate, shift, within);
  mask inside = mask_and(ge(time, row->start), lt(time, row->end));
  if (!all_lanes(inside)) take_replay_row(table, 1, 0, time, mask_not(inside), row);
}

/* No row yet. */
FN replay_row no_replay_row(void) {
  replay_row row;
  row.start = R(1e30);
  row.end = R(-1e30);
  row.value = row.slope = row.bend = row.twist = R(0.0);
  return row;
}

/* Value of a table of one channel at time t, and its slope there in time. On the side of `within`
 * where two rows meet: the row in which that instant lies, as long as t does. kept: of a pack of
 * several lanes, the row at `within`. */
FN real replay_at(GLOBAL const sreal *table, real rate, real shift, real t, real within,
                  const replay_row *kept, real *slope) {
  real time = replay_time(table, rate, shift, t);
  replay_row row;
  if (REPLAY_KEEPS)
    row = *kept;
  else
    take_replay_row(table, 1, 0, replay_time(table, rate, shift, within), mask_not(no_lane()),
                    &row);
  mask inside = in_replay_row(&row, time);
  if (!all_lanes(inside)) take_replay_row(table, 1, 0, time, mask_not(inside), &row);
  real value = replay_value(&row, time, slope);
  *slope = *slope * rate;
  return value;
}

/* Lanes at the table's time `within` that all stand in one row, as they mostly do, take it at once.
 */
FN void take_replay_rows(GLOBAL const sreal *table, real time, replay_row row[3]) {
  const int number = find_replay_row(table, 3, lane_get(time, 0));
  GLOBAL const sreal *from = replay_row_at(table, 3, number);
  real start = splat(*from), end = splat(from[replay_width(3)]);
  const int together = all_lanes(mask_and(ge(time, start), lt(time, end)));
  UNROLL_DEVICE for (int j = 0; j < 3; j++) {
    GLOBAL const sreal *terms = from + 1 + REPLAY_TERMS * j;
    if (!together) {
      take_replay_row(table, 3, j, time, mask_not(no_lane()), &row[j]);
      continue;
    }
    row[j].start = start;
    row[j].end = end;
    row[j].value = splat(terms[0]);
    row[j].slope = splat(terms[1]);
    row[j].bend = splat(terms[2]);
    row[j].twist = splat(terms[3]);
  }
}

/* The same of a table of three channels, for the command: values and slopes in time. */
FN_COLD void replay_three(GLOBAL const sreal *table, real rate, real shift, real t, real within,
                          real value[3], real slope[3]) {
  replay_row row[3];
  real time = replay_time(table, rate, shift, t);
  take_replay_rows(table, replay_time(table, rate, shift, within), row);
  if (!all_lanes(in_replay_row(&row[0], time))) {
    mask beyond = mask_not(in_replay_row(&row[0], time));
    UNROLL_DEVICE for (int j = 0; j < 3; j++) take_replay_row(table, 3, j, time, beyond, &row[j]);
  }
  UNROLL_DEVICE for (int j = 0; j < 3; j++) {
    value[j] = replay_value(&row[j], time, &slope[j]);
    slope[j] = slope[j] * rate;
  }
}

/* The coming corner of a table after the run's time t, in each lane; far away where its pieces are
 * smooth, and behind the last. One that is a part of a row's length away is the one where t stands.
 */
FN_COLD real coming_replay_corner(GLOBAL const sreal *table, int channels, real rate, real shift,
                                  real t) {
  real corner = R(1e30);
  const int last = (int)table[REPLAY_ROWS] - 1;
  if (table[REPLAY_CORNERS] == LIT(0.0)) return corner;
  real time = replay_time(table, rate, shift, t);
  for (int l = 0; l < OMR_LANES; l++) {
    const sreal now = lane_get(time, l);
    int next = find_replay_row(table, channels, now) + 1;
    if (next >= last) continue;
    const sreal start = *replay_row_at(table, channels, next - 1),
                end = *replay_row_at(table, channels, next);
    if (end - now <= REPLAY_SLACK * (end - start)) next++;
    if (next < last) lane_set(&corner, l, *replay_row_at(table, channels, next));
  }
  return select_real(lt(corner, R(1e29)), (corner - shift) / rate, corner);
}
