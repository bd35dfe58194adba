/* Drives of a run at an instant: torques, values of replayed tables, and rates that they prescribe
 * (appendix/drives.md#drives). */

enum { REPLAYS_TORQUE = 1, REPLAYS_RATE = 2 };

/* Whether wheel i has a rate that a table prescribes, or a constant one, which only laws of
 * friction allow. */
FN int is_rated(GLOBAL const int *c, int i) {
  return !OMR_CONSTRAINED && (SETTING(c, REPLAYS) & REPLAYS_RATE) &&
         (DRIVE_KIND(c, i) == DRIVE_REPLAY_RATE || DRIVE_KIND(c, i) == DRIVE_RATE);
}

/* The torque of wheel i as its drive gives it (motor.h); none where the rate is prescribed. */
FN real given_torque(const real *w, GLOBAL const int *c, int i, real drive, real bus, real rate,
                     real state, real *resist) {
  if (is_rated(c, i)) {
    if (SETTING(c, MOTOR)) *resist = R(0.0);
    return R(0.0);
  }
  return wheel_torque(w, c, i, drive, bus, rate, state, resist);
}

FN int is_replayed(GLOBAL const int *c, int i) {
  return DRIVE_KIND(c, i) == DRIVE_REPLAY_TORQUE || DRIVE_KIND(c, i) == DRIVE_REPLAY_RATE;
}

/* No rows are kept yet; kept: where a pack of several lanes keeps them. */
FN void start_replays(GLOBAL const int *c, replay_rows *kept, held_state *held) {
  held->within = R(0.0);
  held->kept = kept;
  if (!REPLAY_KEEPS || !SETTING(c, REPLAYS)) return;
  UNROLL_DEVICE for (int i = 0; i < WHEELS_MAX; i++) kept->of[i] = no_replay_row();
}

/* Before a pass: `within` is an instant inside of it, on whose side tables with corners are looked
 * at. */
FN void hold_replays(const parameters *p, GLOBAL const int *c, real within, held_state *held) {
  if (!SETTING(c, REPLAYS)) return;
  held->within = within;
  if (!REPLAY_KEEPS) return;
  UNROLL for (int i = 0; i < WHEELS(c); i++) {
    if (is_replayed(c, i))
      keep_replay_row(p->tables + TABLE_START(c, i), p->w[i][W_DRIVE_1], p->w[i][W_DRIVE_2], within,
                      &held->kept->of[i]);
  }
}

/* The value of the table of wheel i at time t, and its slope. */
FN real replayed(const parameters *p, GLOBAL const int *c, const held_state *held, int i, real t,
                 real *slope) {
  return replay_at(p->tables + TABLE_START(c, i), p->w[i][W_DRIVE_1], p->w[i][W_DRIVE_2], t,
                   held->within, &held->kept->of[i], slope);
}

/* The drives that replay a table: their torques, or the accelerations of wheels whose rate is
 * prescribed. A constant rate has none. */
FN void replay_drives(const parameters *p, GLOBAL const int *c, const held_state *held, real t,
                      real *drive) {
  UNROLL for (int i = 0; i < WHEELS(c); i++) {
    real slope;
    if (!is_replayed(c, i)) continue;
    drive[i] = replayed(p, c, held, i, t, &slope);
    if (is_rated(c, i)) drive[i] = slope;
  }
}

/* Demands of the drives at time t: the part of the right-hand side that depends only on time. Of
 * wheels whose rate is prescribed it is their acceleration. */
FN void drive_torques(const parameters *p, GLOBAL const int *c, const held_state *held, real t,
                      real *drive) {
  UNROLL for (int i = 0; i < WHEELS(c); i++) drive[i] =
      drive_torque(p->w[i], c, p->tables, i, t, held->torque[i]);
  if (SETTING(c, REPLAYS)) replay_drives(p, c, held, t, drive);
}

/* A pass has integrated the accelerations of wheels whose rates are prescribed; where it ends, at
 * time t, they have the rates that they shall have, in the lanes of `accepted`
 * (appendix/drives.md#drives). */
FN void prescribe_rates(const parameters *p, GLOBAL const int *c, const held_state *held, real t,
                        mask accepted, real *y) {
  if (!(SETTING(c, REPLAYS) & REPLAYS_RATE)) return;
  UNROLL for (int i = 0; i < WHEELS(c); i++) {
    real slope;
    if (!is_rated(c, i)) continue;
    real rate = is_replayed(c, i) ? replayed(p, c, held, i, t, &slope) : p->w[i][W_DRIVE_1];
    y[Y_RATE(i)] = select_real(accepted, rate, y[Y_RATE(i)]);
  }
}

/* Values that the right-hand side takes for given at one instant. */
typedef struct instant {
  real t; /* the time, s */
  const held_state *held;
  real drive[WHEELS_MAX]; /* demands of the drives then */
} instant;

FN void set_instant(const parameters *p, GLOBAL const int *c, const held_state *held, real t,
                    instant *now) {
  now->t = t;
  now->held = held;
  drive_torques(p, c, held, t, now->drive);
}
